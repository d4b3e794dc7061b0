//! The words of the first hour: help, completions, manual pages, and what is said of wrong turns.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

#[path = "../binary/mod.rs"]
mod binary;
mod help;
mod scripts;
mod turns;

use binary::{code, killmatrix, root, stdout};

/// The program's short help.
fn short_help() -> String {
    let output = killmatrix(&root(), &["-h"]);
    assert_eq!(code(&output), 0);
    stdout(&output)
}

/// The commands that the help names, in its order.
fn commands() -> Vec<String> {
    let help = short_help();
    let (groups, _) = help.split_once("\nOptions:").unwrap();
    let (_, groups) = groups.split_once("\n\nA first fixture:\n").unwrap();
    let lines = groups.lines().filter_map(|line| line.strip_prefix("  "));
    lines.map(|line| line.split_whitespace().next().unwrap().to_owned()).collect()
}

/// Holds texts against the snapshots whose names begin with a word, and refuses those that are left over.
fn as_reviewed(start: &str, texts: &[(String, String)]) {
    let folder: PathBuf = root().join("snapshots");
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(&folder);
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.remove_snapshot_suffix();
    settings.bind(|| {
        for (name, text) in texts {
            insta::assert_snapshot!(name.as_str(), text);
        }
    });
    let expected: BTreeSet<String> = texts.iter().map(|(name, _)| format!("{name}.snap")).collect();
    let found = fs::read_dir(folder).unwrap();
    let found: BTreeSet<String> =
        found.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    let orphans: Vec<&String> = found.difference(&expected).filter(|name| name.starts_with(start)).collect();
    assert!(orphans.is_empty(), "delete {orphans:?}");
}

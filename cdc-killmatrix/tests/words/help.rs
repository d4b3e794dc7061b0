//! The help of the program and of each command.

use std::fs;
use std::process::Output;

use tempfile::TempDir;

use crate::binary::{code, killmatrix, root, stderr, stdout};
use crate::{as_reviewed, commands, short_help};

fn help_of(command: &str) -> String {
    let output = killmatrix(&root(), &[command, "--help"]);
    assert_eq!((code(&output), stderr(&output).as_str()), (0, ""), "{command}");
    stdout(&output)
}

/// The lines below `Example:`.
fn example_of(command: &str) -> String {
    let help = help_of(command);
    let (_, example) = help.split_once("\nExample:\n").unwrap_or_else(|| panic!("{command} has no example"));
    example.trim().to_owned()
}

/// Runs a command line as a shell would that finds the program: in an empty folder. `docs` runs in the repository;
/// `new` and `verify` find what they name.
fn typed(line: &str) -> Output {
    let mut words = line.split_whitespace();
    assert_eq!(words.next(), Some("cdc-killmatrix"), "{line}");
    let words: Vec<&str> = words.collect();
    if words[0] == "docs" {
        return killmatrix(&root(), &words);
    }
    let folder = TempDir::new().unwrap();
    if words[0] == "verify" {
        let rows = "customer_id,city,email\n101,Nantes,ana@example.com\n";
        fs::write(folder.path().join("rows.csv"), rows).unwrap();
    }
    if words[0] != "new" {
        return killmatrix(folder.path(), &words);
    }
    fs::copy(root().join("fixtures/customers_current/customers.py"), folder.path().join("customers.py"))
        .unwrap();
    let columns = "customer_id BIGINT, city STRING, operation STRING, source_lsn BIGINT, event_pos INT";
    fs::write(folder.path().join("customers.ddl"), columns).unwrap();
    killmatrix(folder.path(), &words)
}

#[test]
fn the_short_help_is_a_screen() {
    let help = short_help();
    assert!(help.lines().count() <= 45, "{help}");
    assert!(help.lines().all(|line| line.chars().count() <= 80), "{help}");
    assert!(!help.contains("Exit codes"), "{help}");
}

#[test]
fn the_commands_of_a_group_stand_below_what_they_look_at() {
    let help = short_help();
    for (group, command) in [
        ("Your events:", "check"),
        ("Your fixtures:", "run"),
        ("Your configurations:", "verdicts"),
        ("Your workspace:", "export-kit"),
        ("Captured rows:", "verify"),
        ("Documents:", "docs"),
    ] {
        assert!(help.contains(&format!("\n{group}\n  {command} ")), "{group} {command}:\n{help}");
    }
    assert_eq!(commands().iter().filter(|command| *command == "man").count(), 1);
}

#[test]
fn every_exit_code_is_told_with_the_long_help() {
    let output = stdout(&killmatrix(&root(), &["--help"]));
    let (_, codes) = output.split_once("\nExit codes:\n").unwrap();
    for code in ["   0  ", "   1  ", "   2  ", "   3  ", "   4  ", "   5  ", "  70  "] {
        assert!(codes.lines().any(|line| line.starts_with(code)), "{code}");
    }
}

#[test]
fn no_help_speaks_of_mutants_but_by_the_names_of_options() {
    for command in commands() {
        let help =
            help_of(&command).replace("--engine-mutants", "").replace("--mutant", "").replace("MUTANT", "");
        for word in ["mutant", "hook", "the reference"] {
            assert!(!help.contains(word), "{command}: {word}\n{help}");
        }
    }
}

#[test]
fn every_example_of_the_help_works() {
    for command in commands() {
        let example = example_of(&command);
        assert!(example.starts_with(&format!("cdc-killmatrix {command}")), "{example}");
        assert_eq!(example.lines().count(), 1, "{example}");
        let output = typed(&example);
        // Whether the README is up to date is another test's business.
        let expected: &[i32] = if command == "docs" { &[0, 5] } else { &[0] };
        assert!(expected.contains(&code(&output)), "{example}: {} {}", code(&output), stderr(&output));
        assert!(!stdout(&output).is_empty() || command == "docs", "{example}");
    }
}

#[test]
fn help_is_as_reviewed() {
    let mut texts = vec![
        ("help".to_owned(), short_help()),
        ("help_in_full".to_owned(), stdout(&killmatrix(&root(), &["--help"]))),
    ];
    texts.extend(commands().into_iter().map(|command| (format!("help_{command}"), help_of(&command))));
    as_reviewed("help", &texts);
}

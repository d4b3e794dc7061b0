//! What holds of the code and the corpus as a whole.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use cdc_core::Hook;
use cdc_killmatrix::{Fixtures, Matrix, Outcome, Standing, SuiteMatrix, broken_claims, catalogue};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn rust_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            rust_files(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

/// The modules that a file of modules declares, in order.
fn declared(file: &str) -> Vec<String> {
    let name = |line: &str| -> Option<String> {
        let line = line.trim_start_matches("pub(crate) ").trim_start_matches("pub ");
        Some(line.strip_prefix("mod ")?.strip_suffix(';')?.to_owned())
    };
    file.lines().filter_map(name).collect()
}

/// A crate's modules: for each module that has some, by its path, what it declares, in order.
fn modules(source: &Path, files: &[PathBuf]) -> BTreeMap<Vec<String>, Vec<String>> {
    let modules =
        files.iter().map(|file| (path_of(source, file), declared(&fs::read_to_string(file).unwrap())));
    modules.filter(|(_, declared)| !declared.is_empty()).collect()
}

/// The path of the module that a file holds.
fn path_of(source: &Path, file: &Path) -> Vec<String> {
    let relative = file.strip_prefix(source).unwrap().with_extension("");
    let mut path: Vec<String> =
        relative.components().map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
    path.pop_if(|last| last == "mod" || last == "lib");
    path
}

/// What follows each `crate::` or `super::` in a text: how often `super` (0 is `crate`), the names, the line.
fn uses(text: &str) -> Vec<(usize, Vec<String>, usize)> {
    let lines: Vec<&str> = text.lines().map(|line| line.split("//").next().unwrap()).collect();
    let code = lines.join("\n");
    let mut uses = Vec::new();
    for (at, root) in code.match_indices("crate::").chain(code.match_indices("super::")) {
        // The first of a chain stands for all of it.
        let goes_on = code[..at].ends_with("super::");
        if goes_on || code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_') {
            continue;
        }
        let mut rest = &code[at + root.len()..];
        let mut up = usize::from(root == "super::");
        while let Some(further) = rest.strip_prefix("super::") {
            (rest, up) = (further, up + 1);
        }
        let line = code[..at].matches('\n').count() + 1;
        uses.push((up, first_names(rest), line));
    }
    uses
}

/// The name that a path begins with, or those of the paths in a list.
fn first_names(path: &str) -> Vec<String> {
    let name = |text: &str| -> String {
        text.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
    };
    let Some(list) = path.strip_prefix('{') else { return vec![name(path)] };
    let (mut names, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, c) in list.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if 0 < depth => depth -= 1,
            ',' | '}' if depth == 0 => {
                names.push(name(&list[start..at]));
                start = at + 1;
                if c == '}' {
                    break;
                }
            }
            _ => {}
        }
    }
    names
}

#[test]
fn lists_and_chains_of_paths_are_read() {
    let text = "use crate::{a, b::{c, d},\n e};\nuse super::super::f::g; // super::h\nlet x = super::i(1);";
    let names = |text: &[&str]| text.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    assert_eq!(uses(text), [(0, names(&["a", "b", "e"]), 1), (2, names(&["f"]), 3), (1, names(&["i"]), 4)]);
}

#[test]
fn a_module_uses_only_modules_above_it() {
    let mut backwards = Vec::new();
    for krate in ["cdc-core", "cdc-mutants-derive", "cdc-killmatrix"] {
        let source = root().join(krate).join("src");
        let mut files = Vec::new();
        rust_files(&source, &mut files);
        let modules = modules(&source, &files);
        assert!(3 < modules[&Vec::new()].len() && 1 < modules.len(), "the modules of {krate} aren't found");
        for file in &files {
            let path = path_of(&source, file);
            for (up, names, line) in uses(&fs::read_to_string(file).unwrap()) {
                // The module in which the names are looked up, and the part of it that looks.
                let parent = if up == 0 { 0 } else { path.len().saturating_sub(up) };
                let (Some(user), Some(order)) = (path.get(parent), modules.get(&path[..parent])) else {
                    continue;
                };
                let place = |module: &str| order.iter().position(|other| other == module);
                let Some(here) = place(user) else { continue };
                for used in names {
                    if place(&used).is_some_and(|there| here < there) {
                        backwards.push(format!("{}:{line}: `{user}` uses `{used}`", file.display()));
                    }
                }
            }
        }
    }
    assert!(backwards.is_empty(), "{}", backwards.join("\n"));
}

fn shipped() -> Fixtures {
    Fixtures::load([root().join("fixtures")]).unwrap_or_else(|errors| panic!("{errors}"))
}

#[test]
fn mutants_have_names_of_their_own_and_one_line_each() {
    let mut names = BTreeSet::new();
    for mutant in catalogue::all() {
        assert!(names.insert(mutant.name), "two mutants are called {}", mutant.name);
        assert!(!mutant.about.is_empty() && !mutant.about.contains('\n'));
    }
}

#[test]
fn fixtures_of_an_audited_suite_have_titles_of_their_own() {
    for suite in shipped().suites.iter().filter(|suite| suite.audited) {
        let mut titles = BTreeSet::new();
        for fixture in &suite.fixtures {
            assert!(titles.insert(&fixture.title), "two fixtures of {} are `{}`", suite.name, fixture.title);
        }
    }
}

#[test]
fn every_applicable_mutant_is_caught_in_each_audited_suite() {
    let fixtures = shipped();
    let matrix = Matrix::of(&fixtures, &catalogue::all());
    let survivors: Vec<String> =
        matrix.survivors().map(|(suite, mutant)| format!("{} in {}", mutant.name, suite.name)).collect();
    assert_eq!(survivors, [""; 0]);
    assert!(2 <= matrix.suites.iter().filter(|suite| suite.audited).count());
}

#[test]
fn every_mutant_is_caught_somewhere() {
    let matrix = Matrix::of(&shipped(), &catalogue::all());
    for (column, mutant) in matrix.mutants.iter().enumerate() {
        let is_caught = |suite: &SuiteMatrix| matches!(suite.standing(column), Standing::Caught(_));
        assert!(matrix.suites.iter().any(is_caught), "{} is caught by no fixture", mutant.name);
    }
}

/// Each decision has a copy that takes it wrongly.
#[test]
fn every_decision_is_broken_by_a_mutant() {
    let broken: BTreeSet<&str> = catalogue::all().iter().map(|mutant| mutant.breaks.name()).collect();
    for (hook, _) in Hook::ALL {
        assert!(broken.contains(hook), "no mutant breaks {hook}");
    }
}

#[test]
fn what_fixtures_and_mutants_claim_of_each_other_holds() {
    let fixtures = shipped();
    let matrix = Matrix::of(&fixtures, &catalogue::all());
    let broken = broken_claims(&fixtures, &matrix).err();
    assert!(broken.is_none(), "{}", broken.unwrap());
    let names: BTreeSet<String> = fixtures.pairs().map(|(suite, fixture)| suite.full_name(fixture)).collect();
    for mutant in matrix.mutants.iter().filter(|mutant| !mutant.caught_by.is_empty()) {
        assert!(names.contains(mutant.caught_by), "{}: no fixture {}", mutant.name, mutant.caught_by);
    }
}

#[test]
fn every_audited_fixture_catches_something() {
    let matrix = Matrix::of(&shipped(), &catalogue::all());
    for (suite, line) in matrix.lines().filter(|(suite, _)| suite.audited) {
        let catches = line.cells.iter().any(|cell| matches!(cell, Outcome::Caught(_)));
        assert!(catches, "{}/{} catches nothing", suite.name, line.name);
    }
}

/// Of each mutant one fixture is said to catch it, which is judged, does, and says so as well.
#[test]
fn a_mutant_and_the_fixture_that_is_there_for_it_name_each_other() {
    let fixtures = shipped();
    let matrix = Matrix::of(&fixtures, &catalogue::all());
    let mut wrong = Vec::new();
    for (column, mutant) in matrix.mutants.iter().enumerate() {
        let lines = fixtures.suites.iter().zip(&matrix.suites).flat_map(|(suite, table)| {
            suite.fixtures.iter().zip(&table.fixtures).map(move |(fixture, line)| (suite, fixture, line))
        });
        let mut named = lines.filter(|(suite, fixture, _)| suite.full_name(fixture) == mutant.caught_by);
        let fault = match named.next() {
            None => "there is no such fixture",
            Some((suite, ..)) if !suite.audited => "its suite isn't judged",
            Some((.., line)) if !matches!(line.cells[column], Outcome::Caught(_)) => "it doesn't catch it",
            Some((_, fixture, _)) if !fixture.aims_at.iter().any(|aim| aim == mutant.name) => {
                "it doesn't aim at it"
            }
            Some(_) => continue,
        };
        wrong.push(format!("{} by {:?}: {fault}", mutant.name, mutant.caught_by));
    }
    assert_eq!(wrong, [""; 0]);
}

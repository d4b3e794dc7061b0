//! Matrices made by hand: a line a fixture, a character a mutant.

use std::path::PathBuf;

use cdc_core::{Hook, Mutant, Notes};
use cdc_killmatrix::{Cause, Line, Matrix, Miss, Outcome, SuiteMatrix, Verdict};

/// Mutants of these names, each breaking the decision about admission.
pub(crate) fn mutants(names: &[&'static str]) -> Vec<Mutant> {
    let admits = |name| Mutant::new(name, "Does something wrong", Hook::admits(|_, _, _| false));
    names.iter().map(|name| admits(*name).family("made")).collect()
}

/// A suite: each fixture with its cells: `x` caught, `.` never asked, `=` the same answer, `~` masked, `!` broken
/// down, a blank not applicable.
pub(crate) fn suite(name: &str, lines: &[(&str, &str)]) -> SuiteMatrix {
    let fixtures = lines.iter().map(|(name, cells)| Line {
        name: (*name).to_owned(),
        title: (*name).to_owned(),
        path: PathBuf::from(format!("{name}.json")),
        checkpoints: 1,
        uncompared: 0,
        aims_at: Vec::new(),
        baseline: Verdict::default(),
        cells: cells.chars().map(outcome).collect(),
    });
    SuiteMatrix { name: name.to_owned(), title: name.to_owned(), audited: true, fixtures: fixtures.collect() }
}

fn outcome(mark: char) -> Outcome {
    let missed = |cause| Outcome::Missed(Miss { cause, notes: Notes::default() });
    match mark {
        'x' => Outcome::Caught(Vec::new()),
        '.' => missed(Cause::NotReached),
        '=' => missed(Cause::SameAnswer),
        '~' => missed(Cause::Masked),
        '!' => Outcome::Error("broken down".to_owned()),
        _ => Outcome::NotApplicable("nothing to do"),
    }
}

/// A matrix of mutants `a`, `b`, `c`, ...
pub(crate) fn matrix(suites: Vec<SuiteMatrix>) -> Matrix {
    let count =
        suites.iter().flat_map(|suite| &suite.fixtures).map(|line| line.cells.len()).max().unwrap_or(0);
    let mutants = mutants(&["a", "b", "c", "d", "e", "f", "g"][..count]);
    Matrix { mutants, suites, ignored: Vec::new() }
}

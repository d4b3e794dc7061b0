//! The mutants that need not be caught: they stay in sight, with the reason.

use serde::Serialize;

use super::grid::{joined, wrapped};
use crate::escape::for_markdown;
use crate::matrix::{Ignored, Matrix, SuiteMatrix};
use crate::words::{listed, sentence};

/// An ignored mutant in JSON.
#[derive(Serialize)]
pub(super) struct IgnoredJson<'a> {
    mutant: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    suite: Option<&'a str>,
    reason: &'a str,
    /// The suites in which it would survive.
    survives_in: Vec<&'a str>,
    /// The suites in which it isn't tried, for their selection leaves it out. None of either: nothing needs to be ignored.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    left_out_of: Vec<&'a str>,
}

/// The ignored mutants for a terminal, a paragraph each after a blank line.
pub(super) fn ignored(matrix: &Matrix) -> Vec<String> {
    let mut lines = Vec::new();
    for line in &matrix.ignored {
        lines.push(String::new());
        lines.extend(wrapped(&told(matrix, line), 2, 2));
    }
    lines
}

/// The same as a text; nothing, where there are none.
pub fn ignored_text(matrix: &Matrix) -> String {
    joined(&ignored(matrix))
}

/// The ignored mutants as a list in Markdown, after a blank line; nothing, where there are none.
pub fn ignored_markdown(matrix: &Matrix) -> String {
    let item = |line| format!("* {}\n", for_markdown(&told(matrix, line)));
    let items: String = matrix.ignored.iter().map(item).collect();
    if items.is_empty() { items } else { format!("\n{items}") }
}

/// The ignored mutants, each with a sentence about it.
pub(super) fn ignored_told(matrix: &Matrix) -> impl Iterator<Item = (&Ignored, String)> {
    matrix.ignored.iter().map(|line| (line, told(matrix, line)))
}

/// The ignored mutants in JSON.
pub(super) fn ignored_json(matrix: &Matrix) -> Vec<IgnoredJson<'_>> {
    matrix
        .ignored
        .iter()
        .map(|line| IgnoredJson {
            mutant: &line.mutant,
            suite: line.suite.as_deref(),
            reason: &line.reason,
            survives_in: names(matrix.survived(line)),
            left_out_of: names(matrix.left_out(line)),
        })
        .collect()
}

fn names<'a>(suites: impl Iterator<Item = &'a SuiteMatrix>) -> Vec<&'a str> {
    suites.map(|suite| suite.name.as_str()).collect()
}

fn told(matrix: &Matrix, line: &Ignored) -> String {
    let Ignored { mutant, suite, reason } = line;
    let place = suite.as_ref().map_or_else(String::new, |suite| format!(" in {suite}"));
    match (&*names(matrix.survived(line)), &*names(matrix.left_out(line))) {
        ([], []) if !matrix.tries(line) => {
            format!("{mutant} is ignored{place} ({reason}); this run doesn't try it there.")
        }
        ([], []) => format!(
            "{mutant} is ignored{place} ({reason}), but nothing is left to ignore: it is caught, or can do nothing \
             wrong. The line can go from the configuration."
        ),
        ([], suites) => format!(
            "{mutant} is ignored{place} ({reason}); the configuration leaves it out of {} besides, so that nobody \
             knows whether it would survive there.",
            listed(suites)
        ),
        (suites, _) => {
            format!("{mutant} would survive in {}; it is ignored: {}", listed(suites), sentence(reason))
        }
    }
}

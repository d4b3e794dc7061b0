//! The whole matrix: mutants as rows, by family, and fixtures as columns.

use std::ops::Range;

use unicode_width::UnicodeWidthStr as _;

use super::grid::{Grid, WIDTH, joined, wrapped};
use super::summary;
use super::text::{conclusion, title, told_of};
use crate::matrix::{Line, Matrix, Standing, SuiteMatrix};
use crate::verdict::Outcome;

/// The legend of a whole matrix, where words would be too wide.
pub(super) fn legend() -> String {
    format!(
        "`x` caught: a comparison found wrong rows; `o` caught by a fixture that aims at other copies; `!` it broke down; a \
         blank: the flow leaves it nothing to do wrong. {}",
        summary::CAUSES
    )
}

/// The mutants of a suite that can differ, by family, each with its mark for every fixture.
pub(super) struct Full<'a> {
    /// The titles of the fixtures.
    pub(super) fixtures: Vec<&'a str>,
    pub(super) families: Vec<Rows>,
}

/// The mutants of a family.
pub(super) struct Rows {
    pub(super) family: &'static str,
    pub(super) mutants: Vec<(&'static str, Vec<&'static str>)>,
}

impl<'a> Full<'a> {
    pub(super) fn new(matrix: &Matrix, suite: &'a SuiteMatrix) -> Self {
        let of_mutant = |column: usize| {
            let name = matrix.mutants[column].name;
            let mark = |line: &Line| Some(mark(line.cells.get(column)?, line.is_incidental(name)));
            (name, suite.fixtures.iter().filter_map(mark).collect())
        };
        let family = |(family, mut columns): (&'static str, Vec<usize>)| {
            columns.retain(|&column| suite.standing(column) != Standing::NotApplicable);
            let mutants: Vec<_> = columns.into_iter().map(of_mutant).collect();
            (!mutants.is_empty()).then(|| Rows { family: summary::family_name(family), mutants })
        };
        Self {
            fixtures: suite.fixtures.iter().map(|line| line.title.as_str()).collect(),
            families: matrix.families().into_iter().filter_map(family).collect(),
        }
    }
}

/// The mark of a cell, one character wide.
fn mark(outcome: &Outcome, is_incidental: bool) -> &'static str {
    match outcome {
        Outcome::Caught(_) if is_incidental => "o",
        Outcome::Caught(_) => "x",
        Outcome::Error(_) => "!",
        Outcome::NotApplicable(_) => "",
        outcome @ Outcome::Missed(_) => summary::mark(outcome),
    }
}

/// The whole matrix for a terminal; else as [`text`](super::text()).
pub fn full_text(matrix: &Matrix, program: &str) -> String {
    let mut lines = Vec::new();
    for suite in matrix.suites.iter().filter(|suite| suite.audited) {
        let Full { fixtures, families } = Full::new(matrix, suite);
        lines.extend([title(suite), String::new()]);
        lines.extend(numbered(fixtures.iter().copied()));
        let names = families.iter().flat_map(|rows| &rows.mutants).map(|(name, _)| 2 + name.width()).max();
        for shown in blocks(fixtures.len(), names.unwrap_or(0)) {
            let mut rows = vec![line("", shown.clone().map(|fixture| (fixture + 1).to_string()))];
            for Rows { family, mutants } in &families {
                rows.push(line(family, shown.clone().map(|_| String::new())));
                rows.extend(mutants.iter().map(|(name, marks)| {
                    line(&format!("  {name}"), marks[shown.clone()].iter().map(|mark| (*mark).to_owned()))
                }));
            }
            lines.push(String::new());
            lines.extend(Grid::new(1, rows).lines(WIDTH));
        }
        lines.push(String::new());
        lines.extend(told_of(matrix, suite));
        lines.push(String::new());
    }
    if matrix.suites.iter().any(|suite| suite.audited) {
        lines.extend(wrapped(&legend(), 0, 0));
    }
    lines.extend(conclusion(matrix, program));
    joined(&lines)
}

/// What the numbers above columns stand for.
pub(super) fn numbered<'a>(titles: impl Iterator<Item = &'a str>) -> Vec<String> {
    (1..).zip(titles).flat_map(|(number, title)| wrapped(&format!("{number:>3} {title}"), 4, 4)).collect()
}

/// Which of so many numbered columns fit beside names of this width: one block below the other.
pub(super) fn blocks(columns: usize, names: usize) -> impl Iterator<Item = Range<usize>> {
    let cell = columns.to_string().len().max(2);
    let room = (WIDTH.saturating_sub(names) / (cell + 1)).max(1);
    (0..columns).step_by(room).map(move |start| start..columns.min(start + room))
}

/// A title with its cells.
pub(super) fn line(title: &str, marks: impl Iterator<Item = String>) -> Vec<String> {
    std::iter::once(title.to_owned()).chain(marks).collect()
}

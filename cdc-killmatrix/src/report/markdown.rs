//! A matrix for a document.

use super::full::{Full, Rows, legend};
use super::summary::{self, Family};
use super::survivors::Survivor;
use crate::escape::for_markdown;
use crate::matrix::{Matrix, SuiteMatrix};

/// A matrix as Markdown: for each audited suite a table of the first mutants by name, the others by family; then those
/// that survive.
pub fn markdown(matrix: &Matrix) -> String {
    of_suites(matrix, &summary::legend(matrix), |suite| {
        let (columns, is_all) = summary::by_name(matrix, suite);
        let name = |&column: &usize| matrix.mutants[column].name.replace('_', " ");
        let mut lines = head("", columns.iter().map(name));
        for line in &suite.fixtures {
            let cells = columns.iter().filter_map(|&column| line.cells.get(column));
            lines.push(row(&for_markdown(&line.title), cells.map(|cell| summary::mark(cell).to_owned())));
        }
        if !is_all {
            lines.extend([String::new(), families(&summary::families(matrix, suite))]);
        }
        lines
    })
}

/// A matrix as Markdown with all mutants that can differ: a row each, by family; a column a fixture.
pub fn full_markdown(matrix: &Matrix) -> String {
    of_suites(matrix, &legend(), |suite| {
        let Full { fixtures, families } = Full::new(matrix, suite);
        let mut lines = head("", fixtures.iter().map(|title| (*title).to_owned()));
        for Rows { family, mutants } in families {
            lines.push(row(&format!("**{}**", for_markdown(family)), fixtures.iter().map(|_| String::new())));
            let of_mutant = |(name, marks): &(&str, Vec<&str>)| {
                row(&for_markdown(&name.replace('_', " ")), marks.iter().map(|mark| (*mark).to_owned()))
            };
            lines.extend(mutants.iter().map(of_mutant));
        }
        lines
    })
}

/// A part for each audited suite, with what it comes to, and what survives.
fn of_suites(matrix: &Matrix, legend: &str, table: impl Fn(&SuiteMatrix) -> Vec<String>) -> String {
    let suites: Vec<&SuiteMatrix> = matrix.suites.iter().filter(|suite| suite.audited).collect();
    let mut paragraphs = Vec::new();
    for suite in &suites {
        // One suite needs no title: the document around it has one.
        if 1 < suites.len() {
            paragraphs.push(format!("**{}**", for_markdown(&suite.title)));
        }
        paragraphs.push(table(suite).join("\n"));
        let told =
            [Some(summary::counts(suite)), summary::idle(matrix, suite), summary::trivial(matrix, suite)];
        let told: Vec<String> = told.into_iter().flatten().collect();
        paragraphs.push(for_markdown(&told.join(" ")).into_owned());
    }
    if !suites.is_empty() {
        paragraphs.push(legend.to_owned());
    }
    paragraphs.extend(summary::equivalent(matrix).iter().map(|text| for_markdown(text).into_owned()));
    let survivors: Vec<String> = Survivor::all(matrix).iter().map(survivor).collect();
    paragraphs.extend((!survivors.is_empty()).then(|| survivors.join("\n")));
    paragraphs.join("\n\n") + "\n"
}

fn survivor(survivor: &Survivor<'_>) -> String {
    let name = for_markdown(survivor.mutant.name);
    format!("* **{name} survives.** {} {}", for_markdown(&survivor.told()), for_markdown(&survivor.reason()))
}

/// All families in a line.
fn families(families: &[Family]) -> String {
    let told = |family: &Family| match family.missed() {
        None => family.count.clone(),
        Some(missed) if family.survivors.is_empty() => {
            format!("{} ({})", family.count, for_markdown(&missed))
        }
        Some(missed) => format!("**{}** ({})", family.count, for_markdown(&missed)),
    };
    let told: Vec<String> = families.iter().map(told).collect();
    format!("By kind of fault: {}.", told.join("; "))
}

/// The head of a table.
pub(super) fn head(title: &str, cells: impl Iterator<Item = String>) -> Vec<String> {
    let cells: Vec<String> = cells.collect();
    let rule = format!("|---|{}", "---|".repeat(cells.len()));
    vec![row(&for_markdown(title), cells.into_iter()), rule]
}

/// A row of a table. The title is Markdown already, the cells are text.
pub(super) fn row(title: &str, cells: impl Iterator<Item = String>) -> String {
    let shown = |cell: &str| if cell.is_empty() { " |".to_owned() } else { format!(" {cell} |") };
    let cells = cells.map(|cell| shown(&for_markdown(&cell)));
    std::iter::once("|".to_owned()).chain([shown(title)]).chain(cells).collect()
}

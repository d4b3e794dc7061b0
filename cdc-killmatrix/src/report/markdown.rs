//! A matrix for a document.

use crate::escape::for_markdown;
use crate::matrix::{Matrix, SuiteMatrix};
use crate::verdict::Outcome;

/// A matrix as Markdown: a table for each audited suite, titles and `caught`; what isn't caught is blank.
pub fn markdown(matrix: &Matrix) -> String {
    let suites: Vec<&SuiteMatrix> = matrix.suites.iter().filter(|suite| suite.audited).collect();
    let mut lines = Vec::new();
    for suite in &suites {
        // One suite needs no title: the document around it has one.
        if 1 < suites.len() {
            let between = (!lines.is_empty()).then(String::new);
            lines.extend(between);
            lines.extend([format!("**{}**", for_markdown(&suite.title)), String::new()]);
        }
        let (columns, idle) = suite.columns();
        let name = |&column: &usize| matrix.mutants[column].name.replace('_', " ");
        lines.push(row("", columns.iter().map(name)));
        lines.push(format!("|---|{}", "---|".repeat(columns.len())));
        for line in &suite.fixtures {
            let cells = columns.iter().filter_map(|&column| line.cells.get(column)).map(|cell| match cell {
                Outcome::Missed => "",
                Outcome::NotApplicable(_) => "n/a",
                outcome => outcome.name(),
            });
            lines.push(row(&line.title, cells.map(str::to_owned)));
        }
        if !idle.is_empty() {
            let names: Vec<String> = idle.iter().map(name).collect();
            let sentence = format!("The flow leaves nothing to do wrong to: {}.", names.join(", "));
            lines.extend([String::new(), for_markdown(&sentence).into_owned()]);
        }
    }
    lines.iter().flat_map(|line| [line, "\n"]).collect()
}

fn row(title: &str, cells: impl Iterator<Item = String>) -> String {
    let shown =
        |cell: String| if cell.is_empty() { " |".to_owned() } else { format!(" {} |", for_markdown(&cell)) };
    std::iter::once("|".to_owned()).chain(std::iter::once(title.to_owned()).chain(cells).map(shown)).collect()
}

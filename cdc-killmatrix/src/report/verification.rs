//! Captured rows beside those that a fixture expects: for a terminal.

use anstyle::Style;

use super::grid::{joined, wrapped};
use super::rows::{self, Shape};
use crate::escape::for_terminal;
use crate::files;
use crate::fixture::{Fixture, Suite};
use crate::verify::{Capture, Misread, Verification, meant};
use crate::words::{counted, listed};

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();

/// A capture with its fixture.
#[derive(Clone, Copy, Debug)]
pub struct Verified<'a> {
    /// The suite of the fixture.
    pub suite: &'a Suite,
    /// The fixture.
    pub fixture: &'a Fixture,
    /// What came of the comparison.
    pub verification: &'a Verification,
}

/// What came of a capture for a terminal, with colours; who prints it takes them out where they aren't wanted.
pub fn verification(case: &Verified<'_>) -> String {
    let &Verified { suite, fixture, verification } = case;
    let (title, name) = (for_terminal(&fixture.title).into_owned(), suite.full_name(fixture));
    let mut lines = vec![format!("{BOLD}{title}{BOLD:#}  {DIM}{}{DIM:#}", for_terminal(&name))];
    lines.extend(wrapped(&rows::heading(fixture, verification.checkpoint), 4, 2));
    let file = files::shown(&verification.capture.path);
    let count = counted(verification.captured.rows().len(), "row");
    let verdict = if verification.is_equal() { "equal" } else { "differs" };
    lines.extend(wrapped(&format!("{file}: {verdict}, {count}"), 4, 2));
    lines.extend(rows_of(fixture, verification));
    lines.extend(columns_of(fixture, &verification.capture));
    for other in &verification.types {
        let (column, found, expected) = (&other.column, &other.found, &other.expected);
        lines.extend(wrapped(&format!("type: `{column}` is {found}; expected {expected}"), 6, 2));
    }
    for misread in &verification.capture.misread {
        lines.extend(wrapped(&format!("value: {}", told(misread)), 6, 2));
    }
    if !verification.capture.passed_over.is_empty() {
        let text = format!("passed over, as Spark's own: {}", ticked(&verification.capture.passed_over));
        lines.extend(wrapped(&text, 6, 2));
    }
    lines.push(String::new());
    joined(&lines)
}

/// How many captures are equal.
pub fn verification_end(all: &[Verified<'_>]) -> String {
    let equal = all.iter().filter(|case| case.verification.is_equal()).count();
    let count = counted(all.len(), "capture");
    match all.len() - equal {
        0 if all.is_empty() => String::new(),
        0 => format!("{count}: each is what the fixture expects.\n"),
        differing => format!(
            "{count}: {equal} equal, {differing} {}.\n",
            if differing == 1 { "differs" } else { "differ" }
        ),
    }
}

/// The rows that differ, and what they are.
fn rows_of(fixture: &Fixture, verification: &Verification) -> Vec<String> {
    if verification.has_equal_rows() {
        let is_told = !verification.is_equal();
        return is_told
            .then(|| "    the rows are equal in the columns that both have".to_owned())
            .into_iter()
            .collect();
    }
    let Verification { expected, captured, columns, .. } = verification;
    let shape = Shape::new(fixture.plan(), columns);
    let shown = rows::compared(&shape, expected, captured, "captured");
    let mut lines: Vec<String> = shown.into_iter().map(|line| format!("  {line}")).collect();
    let repeated = match verification.duplicates() {
        0 => None,
        1 => Some("1 row is duplicated: it is there more often than expected".to_owned()),
        count => Some(format!("{count} rows are duplicated: they are there more often than expected")),
    };
    let numbers: Vec<String> = verification.rows_of.iter().map(|number| (number + 1).to_string()).collect();
    let of_others = (!numbers.is_empty()).then(|| {
        let s = if numbers.len() == 1 { "" } else { "s" };
        format!("these are the rows of checkpoint{s} {}", listed(&numbers))
    });
    lines.extend([repeated, of_others].into_iter().flatten().flat_map(|text| wrapped(&text, 6, 2)));
    lines
}

/// The columns that only one side has.
fn columns_of(fixture: &Fixture, capture: &Capture) -> Vec<String> {
    let missing = (!capture.missing.is_empty())
        .then(|| format!("missing: {}; expected every column of the target", ticked(&capture.missing)));
    let unknown = capture.unknown.iter().map(|name| {
        format!("unknown: the target has no column `{name}`; {}", meant(name, fixture.plan().target()))
    });
    let lacking = capture.lacking.iter().map(|lacking| {
        let (column, rows) = (&lacking.column, counted(lacking.rows, "row"));
        format!(
            "missing in {rows}: `{column}`; expected null where there is no value (Spark's JSON leaves nulls out \
             unless `ignoreNullFields` is false)"
        )
    });
    missing.into_iter().chain(unknown).chain(lacking).flat_map(|text| wrapped(&text, 6, 2)).collect()
}

/// Where a value isn't of its column's type, and how many more aren't.
pub(super) fn told(misread: &Misread) -> String {
    let more = match misread.more {
        0 => String::new(),
        more => format!(", and {} of the column", counted(more, "more value")),
    };
    let read = if misread.is_read { " (compared as what it reads as)" } else { "" };
    format!("{}{more}{read}", misread.first)
}

fn ticked(names: &[String]) -> String {
    listed(&names.iter().map(|name| format!("`{name}`")).collect::<Vec<String>>())
}

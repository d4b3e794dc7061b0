//! A matrix for a terminal of 80 columns.

use anstyle::{AnsiColor, Style};
use unicode_width::UnicodeWidthStr as _;

use super::grid::{Grid, WIDTH, joined, wrapped};
use super::ignored::ignored;
use super::summary::{self, Family};
use super::survivors::Survivor;
use crate::escape::for_terminal;
use crate::matrix::{Excuse, Line, Matrix, Standing, SuiteMatrix};
use crate::words::{counted, pasted};

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const RED: Style = AnsiColor::Red.on_default().bold();

/// The word for a mutant that no fixture of a suite catches.
const SURVIVES: &str = "survives";
/// How far apart the columns of the families are.
const GAP: u16 = 3;

/// How narrow the column of the fixtures' titles may become, so that more mutants fit beside it.
const TITLES: usize = 18;

/// How many survivors of a suite are shown in full; of the others only the names.
const IN_FULL: usize = 5;

/// A matrix for a terminal, with colours; who prints it takes them out where they aren't wanted.
///
/// A screen for each audited suite: the first mutants by name, the others by family; then those that survive.
/// [`super::full_text`] has all. `program` is how the commands that it suggests begin: `cdc-killmatrix`.
pub fn text(matrix: &Matrix, program: &str) -> String {
    let mut lines = Vec::new();
    for suite in matrix.suites.iter().filter(|suite| suite.audited) {
        lines.extend([title(suite), String::new()]);
        let (columns, is_all) = summary::by_name(matrix, suite);
        for columns in blocks(matrix, suite, columns) {
            lines.extend(block(matrix, suite, &columns));
            lines.push(String::new());
        }
        if !is_all {
            lines.extend(families(matrix, suite));
            lines.push(String::new());
        }
        lines.extend(told_of(matrix, suite));
        lines.push(String::new());
    }
    if matrix.suites.iter().any(|suite| suite.audited) {
        lines.extend(wrapped(&summary::legend(matrix), 0, 0));
    }
    lines.extend(ignored(matrix));
    lines.extend(conclusion(matrix, program));
    joined(&lines)
}

/// The title and the name of a suite.
pub(super) fn title(suite: &SuiteMatrix) -> String {
    let (title, name) = (for_terminal(&suite.title), for_terminal(&suite.name));
    format!("{BOLD}{title}{BOLD:#}  {DIM}{name}{DIM:#}")
}

/// What a suite's matrix comes to, in sentences.
pub(super) fn told_of(matrix: &Matrix, suite: &SuiteMatrix) -> Vec<String> {
    let sentences =
        [Some(summary::counts(suite)), summary::idle(matrix, suite), summary::trivial(matrix, suite)];
    sentences.into_iter().flatten().flat_map(|sentence| wrapped(&sentence, 0, 0)).collect()
}

/// What stands below all suites: how much was compared, and what survives.
pub(super) fn conclusion(matrix: &Matrix, program: &str) -> Vec<String> {
    let mut lines = compared(matrix);
    for sentence in summary::equivalent(matrix) {
        lines.push(String::new());
        lines.extend(wrapped(&sentence, 0, 0));
    }
    for of_suite in Survivor::all(matrix).chunk_by(|one, next| std::ptr::eq(one.suite, next.suite)) {
        let (in_full, others) = of_suite.split_at(of_suite.len().min(IN_FULL));
        lines.extend(in_full.iter().flat_map(|survivor| paragraph(survivor, program)));
        if !others.is_empty() {
            let names: Vec<&str> = others.iter().map(|survivor| survivor.mutant.name).collect();
            let suite = &of_suite[0].suite.name;
            let sentence = format!("In {suite} {} more survive: {}.", names.len(), names.join(", "));
            lines.push(String::new());
            lines.extend(wrapped(&sentence, 0, 0));
            lines.push(format!("  {program} list"));
            lines.push(format!("  {program} run --all {}", path(of_suite[0].suite)));
        }
        let suggest = format!("  {program} suggest --all {}", path(of_suite[0].suite));
        lines.extend([String::new(), "Next, the events that would catch them:".to_owned(), suggest]);
    }
    if matrix.survivors().next().is_some() {
        lines.push("Or keep what is reached, and go on another day:".to_owned());
        lines.push(format!("  {program} audit --accepted accepted.json"));
    }
    lines
}

/// The path of a suite: its folder; of a suite with one fixture that.
fn path(suite: &SuiteMatrix) -> String {
    match &*suite.fixtures {
        [first, _, ..] => pasted(first.path.parent().unwrap_or(&first.path)),
        [one] => pasted(&one.path),
        [] => String::new(),
    }
}

/// A plain paragraph about a survivor, and the command to go on.
fn paragraph(survivor: &Survivor<'_>, program: &str) -> Vec<String> {
    let name = survivor.mutant.name;
    let mut lines = vec![String::new(), format!("{RED}{name} {SURVIVES}{RED:#}")];
    lines.extend(wrapped(&survivor.told(), 2, 0));
    lines.extend(wrapped(&survivor.reason(), 2, 0));
    lines.push(format!("  {}", survivor.explain(program)));
    lines
}

/// A line for each family, in as many columns as there is room for; those of which some aren't caught on lines of their own.
fn families(matrix: &Matrix, suite: &SuiteMatrix) -> Vec<String> {
    let families = summary::families(matrix, suite);
    let (whole, torn): (Vec<&Family>, Vec<&Family>) =
        families.iter().partition(|family| family.missed().is_none());
    let width = usize::from(GAP) + families.iter().map(|family| family.count.width()).max().unwrap_or(0);
    let columns = ((WIDTH + usize::from(GAP)) / width).max(1);
    let rows = whole.len().div_ceil(columns);
    // Read downwards, as a list is.
    let row = |row: usize| whole.iter().skip(row).step_by(rows.max(1)).map(|family| family.count.clone());
    let mut lines = Grid::new(GAP, (0..rows).map(row)).lines(WIDTH);
    for family in torn {
        let sentence = format!("{}; {}", family.count, family.missed().unwrap_or_default());
        let style = if family.survivors.is_empty() { Style::new() } else { RED };
        lines.extend(wrapped(&sentence, 2, 2).iter().map(|line| format!("{style}{line}{style:#}")));
    }
    lines
}

/// What a run says and what it doesn't: its last line.
pub const LAST_LINE: &str = "This judges the fixtures; no pipeline was run.\n";

/// The columns of a suite, cut into blocks that fit the width.
fn blocks(matrix: &Matrix, suite: &SuiteMatrix, columns: Vec<usize>) -> Vec<Vec<usize>> {
    let titles = suite.fixtures.iter().map(|line| line.title.width()).max().unwrap_or(0).min(TITLES);
    let titles = titles.max(label(suite).width());
    let (mut blocks, mut block, mut used) = (Vec::new(), Vec::new(), titles);
    for column in columns {
        let words = matrix.mutants[column].name.split('_').map(str::width);
        let width =
            1 + words.chain([total(matrix, suite, column).width(), "caught".width()]).max().unwrap_or(0);
        if WIDTH < used + width && !block.is_empty() {
            blocks.push(std::mem::take(&mut block));
            used = titles;
        }
        block.push(column);
        used += width;
    }
    blocks.extend((!block.is_empty()).then_some(block));
    blocks
}

fn block(matrix: &Matrix, suite: &SuiteMatrix, columns: &[usize]) -> Vec<String> {
    let titled = |title: &str, cells: Vec<String>| -> Vec<String> {
        std::iter::once(title.to_owned()).chain(cells).collect()
    };
    let header = columns.iter().map(|&column| matrix.mutants[column].name.replace('_', "\n")).collect();
    let fixture = |line: &Line| {
        let cells = columns.iter().map(|&column| line.cells.get(column).map_or("", summary::mark).to_owned());
        titled(&line.title, cells.collect())
    };
    let totals = columns.iter().map(|&column| total(matrix, suite, column)).collect();

    let rows = std::iter::once(titled("", header))
        .chain(suite.fixtures.iter().map(fixture))
        .chain([titled(&label(suite), totals)]);
    let mut lines = Grid::new(1, rows).lines(WIDTH);
    if let Some(totals) = lines.last_mut() {
        *totals = totals.replace(SURVIVES, &format!("{RED}{SURVIVES}{RED:#}"));
    }
    lines
}

/// What stands before the totals.
fn label(suite: &SuiteMatrix) -> String {
    format!("caught, of {}", suite.fixtures.len())
}

fn total(matrix: &Matrix, suite: &SuiteMatrix, column: usize) -> String {
    match suite.standing(column) {
        Standing::Caught(count) => count.to_string(),
        Standing::Survives => matrix.excuse(suite, column).map_or(SURVIVES, Excuse::name).to_owned(),
        Standing::NotApplicable => summary::NOT_APPLICABLE.to_owned(),
    }
}

/// How much was compared.
fn compared(matrix: &Matrix) -> Vec<String> {
    let suites = |audited: bool| matrix.suites.iter().filter(move |suite| suite.audited == audited);
    let mut lines = Vec::new();
    let nothing_audited = suites(true).next().is_none();
    if nothing_audited {
        lines.push("No suite here is audited, so no broken copy was tried.".to_owned());
    }
    for audited in [true, false] {
        let fixtures = || suites(audited).flat_map(|suite| &suite.fixtures);
        if fixtures().next().is_none() {
            continue;
        }
        let checkpoints: usize = fixtures().map(|line| line.checkpoints).sum();
        let uncompared = match fixtures().map(|line| line.uncompared).sum::<usize>() {
            0 => String::new(),
            uncompared => format!(", {uncompared} of them without rows to compare"),
        };
        let sentence = format!(
            "{} in {} with {}{uncompared}{}",
            counted(fixtures().count(), if audited || nothing_audited { "fixture" } else { "more fixture" }),
            counted(suites(audited).count(), "suite"),
            counted(checkpoints, "checkpoint"),
            if audited {
                ": AUTO CDC gives the expected rows."
            } else {
                " are evidence, held against AUTO CDC only: it gives the expected rows."
            },
        );
        lines.push(String::new());
        lines.extend(wrapped(&sentence, 0, 0));
    }
    lines
}

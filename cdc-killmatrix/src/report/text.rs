//! A matrix for a terminal of 80 columns.

use anstyle::{AnsiColor, Style};
use cdc_core::Mutant;
use unicode_width::UnicodeWidthStr as _;

use super::grid::{Grid, WIDTH, wrapped};
use crate::escape::for_terminal;
use crate::matrix::{Line, Matrix, Standing, SuiteMatrix};
use crate::replay::Replay;
use crate::verdict::Outcome;
use crate::words::{counted, lower_first, pasted};

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const RED: Style = AnsiColor::Red.on_default().bold();

/// The word for a mutant that no fixture of a suite catches.
const SURVIVES: &str = "survives";
/// The mark for a mutant that can't differ under a fixture's flow.
const NOT_APPLICABLE: &str = "n/a";

/// How narrow the column of the fixtures' titles may become, so that more mutants fit beside it.
const TITLES: usize = 18;

/// A matrix for a terminal, with colours; who prints it takes them out where they aren't wanted.
///
/// `program` is how the commands that it suggests begin: `cdc-killmatrix`.
pub fn text(matrix: &Matrix, program: &str) -> String {
    let mut lines = Vec::new();
    for suite in matrix.suites.iter().filter(|suite| suite.audited) {
        let (title, name) = (for_terminal(&suite.title), for_terminal(&suite.name));
        lines.extend([format!("{BOLD}{title}{BOLD:#}  {DIM}{name}{DIM:#}"), String::new()]);
        for columns in blocks(matrix, suite) {
            lines.extend(block(matrix, suite, &columns));
            lines.push(String::new());
        }
        let idle: Vec<&str> =
            suite.columns().1.into_iter().map(|column| matrix.mutants[column].name).collect();
        if !idle.is_empty() {
            let sentence = format!("The flow leaves nothing to do wrong to {}.", idle.join(", "));
            lines.extend(wrapped(&sentence, 0, 0));
            lines.push(String::new());
        }
    }
    if matrix.suites.iter().any(|suite| suite.audited) {
        lines.extend(legend(&matrix.mutants));
    }
    lines.extend(summary(matrix));
    for (suite, mutant) in matrix.survivors() {
        lines.extend(survivor(matrix, suite, mutant, program));
    }
    joined(&lines)
}

/// What a run says and what it doesn't: its last line.
pub const LAST_LINE: &str = "This judges the fixtures; no pipeline was run.\n";

/// What came of the replay, a paragraph a suite.
pub fn replays(replays: &[Replay]) -> String {
    let mut lines = Vec::new();
    for Replay { suite, compared, differing, catches } in replays {
        let same = compared - differing.len();
        let differing = match differing.as_slice() {
            [] => String::new(),
            names => format!("; not {}, where the rows depend on the batches", names.join(", ")),
        };
        let catches = match catches.as_slice() {
            [] => "no broken copy".to_owned(),
            names => names.join(", "),
        };
        let sentence = format!(
            "Replay of {suite}, all events as one batch on an empty target: {same} of {} end with the rows of \
             their last checkpoint{differing}. It would catch {catches}.",
            counted(*compared, "fixture"),
        );
        lines.push(String::new());
        lines.extend(wrapped(&sentence, 0, 0));
    }
    joined(&lines)
}

/// The mutants, for a terminal.
pub fn list(mutants: &[Mutant]) -> String {
    let header = ["name", "what it does wrong", "the decision it breaks"].map(str::to_owned);
    let line = |mutant: &Mutant| [mutant.name, mutant.about, mutant.breaks.name()].map(str::to_owned);
    joined(&Grid::new(2, std::iter::once(header).chain(mutants.iter().map(line))).lines(WIDTH))
}

/// The columns of a suite, cut into blocks that fit the width.
fn blocks(matrix: &Matrix, suite: &SuiteMatrix) -> Vec<Vec<usize>> {
    let titles = suite.fixtures.iter().map(|line| line.title.width()).max().unwrap_or(0).min(TITLES);
    let titles = titles.max(label(suite).width());
    let (mut blocks, mut block, mut used) = (Vec::new(), Vec::new(), titles);
    for column in suite.columns().0 {
        let words = matrix.mutants[column].name.split('_').map(str::width);
        let width = 1 + words.chain([total(suite, column).width(), "caught".width()]).max().unwrap_or(0);
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
        let cells = columns.iter().map(|&column| line.cells.get(column).map_or("", cell).to_owned());
        titled(&line.title, cells.collect())
    };
    let totals = columns.iter().map(|&column| total(suite, column)).collect();

    let rows = std::iter::once(titled("", header))
        .chain(suite.fixtures.iter().map(fixture))
        .chain([titled(&label(suite), totals)]);
    let mut lines = Grid::new(1, rows).lines(WIDTH);
    if let Some(totals) = lines.last_mut() {
        *totals = totals.replace(SURVIVES, &format!("{RED}{SURVIVES}{RED:#}"));
    }
    lines
}

/// A cell that isn't caught is blank.
fn cell(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Missed => "",
        Outcome::NotApplicable(_) => NOT_APPLICABLE,
        outcome => outcome.name(),
    }
}

/// What stands before the totals.
fn label(suite: &SuiteMatrix) -> String {
    format!("caught, of {}", suite.fixtures.len())
}

fn total(suite: &SuiteMatrix, column: usize) -> String {
    match suite.standing(column) {
        Standing::Caught(count) => count.to_string(),
        Standing::Survives => SURVIVES.to_owned(),
        Standing::NotApplicable => NOT_APPLICABLE.to_owned(),
    }
}

fn legend(mutants: &[Mutant]) -> Vec<String> {
    let mut lines = vec![format!("{BOLD}What each broken copy does{BOLD:#}")];
    let line = |mutant: &Mutant| [mutant.name, mutant.about].map(str::to_owned);
    lines.extend(Grid::new(2, mutants.iter().map(line)).lines(WIDTH));
    lines.push(String::new());
    let marks = "caught: a comparison found wrong rows; blank: none did; survives: no fixture of the suite \
                 catches it; n/a: the flow leaves it nothing to do wrong; error: it broke down.";
    lines.extend(wrapped(marks, 0, 0));
    lines
}

fn summary(matrix: &Matrix) -> Vec<String> {
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
                ": the reference gives the expected rows."
            } else {
                " are evidence, held against the reference only: it gives the expected rows."
            },
        );
        lines.push(String::new());
        lines.extend(wrapped(&sentence, 0, 0));
    }
    lines
}

/// One plain sentence about a survivor, and the command to go on.
fn survivor(matrix: &Matrix, suite: &SuiteMatrix, mutant: &Mutant, program: &str) -> Vec<String> {
    let column = matrix.mutants.iter().position(|other| other.name == mutant.name).unwrap_or_default();
    let tried = |line: &&Line| !matches!(line.cells[column], Outcome::NotApplicable(_));
    let mut lines = vec![String::new(), format!("{RED}{} {SURVIVES}{RED:#}", mutant.name)];
    let mut reasons = suite.fixtures.iter().filter_map(|line| match &line.cells[column] {
        Outcome::Error(reason) => Some(reason),
        _ => None,
    });
    let sentence = match reasons.next() {
        Some(reason) => {
            let fixtures = counted(1 + reasons.count(), "fixture");
            format!("It broke down on {fixtures} of the suite {}, which is no catch: {reason}.", suite.name)
        }
        None => {
            format!("No fixture of the suite {} would notice: {}.", suite.name, lower_first(mutant.about))
        }
    };
    lines.extend(wrapped(&sentence, 2, 0));
    let explain = |line: &Line| format!("  {program} explain {} {}", mutant.name, pasted(&line.path));
    lines.extend(suite.fixtures.iter().find(tried).map(explain));
    lines
}

fn joined(lines: &[String]) -> String {
    lines.iter().flat_map(|line| [line, "\n"]).collect()
}

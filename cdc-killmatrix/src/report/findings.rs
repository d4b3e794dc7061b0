//! What `check` found, for a terminal.

use anstyle::{AnsiColor, Style};
use unicode_width::UnicodeWidthStr as _;

use super::grid::{WIDTH, joined, wrapped};
use crate::check::{Answer, Checked};
use crate::escape::for_terminal;
use crate::finding::{Finding, Severity};
use crate::words::counted;

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const RED: Style = AnsiColor::Red.on_default().bold();

/// How far the answers of the checklist are indented.
const ANSWERS: usize = 17;

/// A fixture, or a file of events, that was checked.
pub struct CheckedInput<'a> {
    /// The full name of the fixture; of a file its path.
    pub name: String,
    /// The suite and the plain name of the fixture. `None`: it is a file of events.
    pub fixture: Option<(&'a str, &'a str)>,
    /// The file.
    pub path: String,
    /// What was found, and what was declared.
    pub checked: Checked,
    /// The five answers.
    pub answers: Vec<Answer>,
}

/// What was found. With `all`, every finding in full, also a declared one, and the checklist.
pub fn findings(inputs: &[CheckedInput<'_>], all: bool, strict: bool) -> String {
    let mut lines = Vec::new();
    for input in inputs {
        let is_silent = input.checked.findings.is_empty() && input.checked.declared.is_empty();
        if is_silent && !all {
            continue;
        }
        lines.extend(title(input));
        for finding in &input.checked.findings {
            lines.extend(of_finding(finding, input.checked.is_declared(finding), all));
        }
        for code in input.checked.missing() {
            lines.push(format!("  {RED}{}{RED:#}  declared, and not found", code.name()));
        }
        if is_silent {
            lines.push("  no finding".to_owned());
        }
        if all {
            lines.extend(checklist(&input.answers));
        }
        lines.push(String::new());
    }
    lines.extend(wrapped(&summary(inputs, strict), 0, 0));
    joined(&lines)
}

/// The name and, of a fixture, the path: in one line if they fit.
fn title(input: &CheckedInput<'_>) -> Vec<String> {
    let (name, path) = (for_terminal(&input.name), for_terminal(&input.path));
    let line = format!("{BOLD}{name}{BOLD:#}");
    match input.fixture {
        None => vec![line],
        Some(_) if WIDTH < name.width() + 2 + path.width() => vec![line, format!("  {DIM}{path}{DIM:#}")],
        Some(_) => vec![format!("{line}  {DIM}{path}{DIM:#}")],
    }
}

fn of_finding(finding: &Finding, is_declared: bool, in_full: bool) -> Vec<String> {
    let Finding { code, severity, events, clause, message, remedy, advice, query, .. } = finding;
    let declared = if is_declared { ", declared" } else { "" };
    let style = if !is_declared && *severity == Severity::Error { RED } else { BOLD };
    let mut lines = vec![format!("  {style}{}{style:#}  {}{declared}", code.name(), severity.name())];
    if is_declared && !in_full {
        return lines;
    }
    lines.extend(wrapped(message, 4, 0));
    let places: Vec<String> = events.iter().map(ToString::to_string).collect();
    if !places.is_empty() {
        lines.extend(wrapped(&format!("See {}.", places.join(" and ")), 4, 0));
    }
    if *severity == Severity::Note && !in_full {
        return lines;
    }
    lines.extend(wrapped(&format!("{clause}: {remedy}"), 6, 2));
    lines.extend(advice.iter().flat_map(|advice| wrapped(advice, 6, 2)));
    lines.push("    To count the same in your table:".to_owned());
    lines.extend(query.lines().flat_map(|line| broken(&for_terminal(line), 6)));
    lines
}

fn checklist(answers: &[Answer]) -> Vec<String> {
    let mut lines = vec![String::new(), "  Before it goes live".to_owned()];
    for Answer { about, text } in answers {
        let line = format!("{about:<width$}{text}", width = ANSWERS - 2);
        lines.extend(wrapped(&line, ANSWERS, ANSWERS - 2));
    }
    lines
}

/// A line of SQL, broken at blanks that are in no quotes. One with a comment stays as it is: broken, its rest
/// would be none.
fn broken(line: &str, indent: usize) -> Vec<String> {
    if line.contains("--") {
        return vec![format!("{}{line}", " ".repeat(indent))];
    }
    let own = line.len() - line.trim_start().len();
    let mut lines = vec![" ".repeat(indent + own)];
    let mut is_fresh = true;
    for word in words(line.trim_start()) {
        let width = lines.last().map_or(0, |line| line.chars().count());
        if !is_fresh && WIDTH < width + 1 + word.chars().count() {
            lines.push(" ".repeat(indent + own + 2));
            is_fresh = true;
        }
        if let Some(line) = lines.last_mut() {
            line.extend([if is_fresh { "" } else { " " }, word]);
        }
        is_fresh = false;
    }
    lines
}

/// The words of a line of SQL: what is in quotes is one.
fn words(line: &str) -> Vec<&str> {
    let mut quote = None;
    let is_between = |c: char| {
        match quote {
            None if "'`\"".contains(c) => quote = Some(c),
            Some(open) if open == c => quote = None,
            _ => {}
        }
        c == ' ' && quote.is_none()
    };
    line.split(is_between).filter(|word| !word.is_empty()).collect()
}

fn summary(inputs: &[CheckedInput<'_>], strict: bool) -> String {
    let findings = || {
        inputs.iter().flat_map(|input| {
            input
                .checked
                .findings
                .iter()
                .map(|finding| (finding.severity, input.checked.is_declared(finding)))
        })
    };
    let undeclared = |severity: Severity| findings().filter(|&found| found == (severity, false)).count();
    let declared = findings().filter(|&(_, is_declared)| is_declared).count();
    let missing: usize = inputs.iter().map(|input| input.checked.missing().len()).sum();
    let mut parts = vec![
        counted(undeclared(Severity::Error), "error"),
        counted(undeclared(Severity::Warning), "warning"),
        counted(undeclared(Severity::Note), "note"),
    ];
    if declared != 0 {
        parts.push(format!("{} as declared", counted(declared, "finding")));
    }
    if missing != 0 {
        parts.push(format!("{} without a finding", counted(missing, "declaration")));
    }
    let failed = inputs.iter().filter(|input| input.checked.fails(strict)).count();
    let verdict = if failed == 0 { "passed" } else { "failed" };
    let (fixtures, files): (Vec<_>, Vec<_>) = inputs.iter().partition(|input| input.fixture.is_some());
    let what = match (fixtures.len(), files.len()) {
        (fixtures, 0) => counted(fixtures, "fixture"),
        (0, files) => counted(files, "file"),
        (fixtures, files) => format!("{} and {}", counted(fixtures, "fixture"), counted(files, "file")),
    };
    format!("{what} {verdict}: {}.", parts.join(", "))
}

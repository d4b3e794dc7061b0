//! Which configurations can be shipped: for a terminal, for a document, for scripts.

use std::collections::BTreeMap;

use anstyle::{AnsiColor, Style};
use serde::Serialize;
use serde_json::Value;
use unicode_width::UnicodeWidthStr as _;

use super::grid::{WIDTH, joined, wrapped};
use super::json::pretty;
use crate::escape::{for_markdown, for_terminal};
use crate::fixture::row_to_json;
use crate::readiness::{Class, Configuration, Readiness};
use crate::words::{counted, slashed};

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const RED: Style = AnsiColor::Red.on_default().bold();
const GREEN: Style = AnsiColor::Green.on_default();

/// How wide the plain verdicts and the published words are.
const VERDICTS: usize = 21;
const CLASSES: usize = 23;

/// How many checkpoints are shown, of those with the numbers of their rows.
const SHOWN: usize = 8;

/// The verdicts for a terminal, with colours; who prints it takes them out where they aren't wanted.
pub fn verdicts(all: &[Readiness]) -> String {
    let mut lines = Vec::new();
    for suite in all {
        let (title, name) = (for_terminal(&suite.title), for_terminal(&suite.suite));
        lines.extend([format!("{BOLD}{title}{BOLD:#}  {DIM}{name}{DIM:#}"), String::new()]);
        let titles = suite.configurations.iter().map(|it| for_terminal(&it.title).width()).max().unwrap_or(0);
        let titles = titles.min(WIDTH - VERDICTS - CLASSES - 4);
        lines.extend(suite.configurations.iter().flat_map(|it| paragraph(it, titles)));
        lines.push(String::new());
        lines.extend(wrapped(&summary(suite), 0, 0));
        lines.push(String::new());
    }
    lines.pop();
    joined(&lines)
}

/// A line with title, verdict and published word, then the reason and what to do.
fn paragraph(configuration: &Configuration, titles: usize) -> Vec<String> {
    let Configuration { title, class, reason, fix, .. } = configuration;
    let title = for_terminal(title);
    let style = if class.is_stop() { RED } else { GREEN };
    let verdict = format!("{style}{}{style:#}{}", class.verdict(), blanks(VERDICTS - class.verdict().len()));
    let mut lines = if title.width() <= titles {
        vec![format!("{title}{}  {verdict}  {}", blanks(titles - title.width()), class.name())]
    } else {
        let mut lines = wrapped(&title, 0, 0);
        lines.push(format!("{}  {verdict}  {}", blanks(titles), class.name()));
        lines
    };
    let rows = format!("Rows: {}. {reason}", numbers(&configuration.rows));
    lines.extend(wrapped(&rows, 4, 0));
    lines.extend(fix.iter().flat_map(|fix| wrapped(fix, 6, 2)));
    lines
}

fn blanks(count: usize) -> String {
    " ".repeat(count)
}

/// How many rows there were, checkpoint by checkpoint.
fn numbers(rows: &[usize]) -> String {
    let mut numbers: Vec<String> = rows.iter().take(SHOWN).map(ToString::to_string).collect();
    if let [.., last] = rows
        && SHOWN < rows.len()
    {
        numbers.extend(["..".to_owned(), last.to_string()]);
    }
    numbers.join(", then ").replace(", then .., then ", " .. ")
}

fn summary(suite: &Readiness) -> String {
    let said = |class: Class| {
        let count = suite.count(class);
        (0 < count).then(|| format!("{count} {}", class.verdict()))
    };
    let counts: Vec<String> = Class::ALL.into_iter().filter_map(said).collect();
    format!("{}: {}.", counted(suite.configurations.len(), "configuration"), counts.join(", "))
}

/// The verdicts as Markdown: a table for each suite.
pub fn verdicts_markdown(all: &[Readiness]) -> String {
    let mut lines = Vec::new();
    for suite in all {
        if !lines.is_empty() {
            lines.push(String::new());
        }
        // One suite needs no title: the document around it has one.
        if 1 < all.len() {
            lines.extend([format!("**{}**", for_markdown(&suite.title)), String::new()]);
        }
        lines.push("| Configuration | Rows | Class | Verdict | Why, and what to do |".to_owned());
        lines.push("|---|---|---|---|---|".to_owned());
        for it in &suite.configurations {
            let told = [Some(it.reason.clone()), it.fix.clone()].into_iter().flatten();
            let told: Vec<String> = told.collect();
            let cells = [&it.title, &numbers(&it.rows), it.class.name(), it.class.verdict(), &told.join(" ")];
            let cells: Vec<String> = cells.iter().map(|cell| for_markdown(cell).into_owned()).collect();
            lines.push(format!("| {} |", cells.join(" | ")));
        }
        lines.extend([String::new(), for_markdown(&summary(suite)).into_owned()]);
    }
    joined(&lines)
}

#[derive(Serialize)]
struct VerdictsJson<'a> {
    suites: Vec<SuiteJson<'a>>,
    verdicts: Vec<VerdictJson<'a>>,
}

#[derive(Serialize)]
struct SuiteJson<'a> {
    name: &'a str,
    title: &'a str,
    /// How many configurations there are of each class.
    classes: BTreeMap<&'static str, usize>,
}

#[derive(Serialize)]
struct VerdictJson<'a> {
    suite: &'a str,
    fixture: &'a str,
    title: &'a str,
    path: String,
    class: &'static str,
    verdict: &'static str,
    stop: bool,
    reason: &'a str,
    fix: Option<&'a str>,
    /// The numbers, from 1, of two events that nothing orders.
    tie: Option<[usize; 2]>,
    /// The fixture over the same events with which this one was compared.
    compared_with: Option<&'a str>,
    events: usize,
    /// How many rows there are after each checkpoint.
    row_counts: &'a [usize],
    /// The rows after the last one.
    rows: Vec<Value>,
}

/// The verdicts as JSON.
pub fn verdicts_json(all: &[Readiness]) -> String {
    let suite = |suite: &'_ Readiness| {
        Class::ALL.into_iter().map(|class| (class.name(), suite.count(class))).collect()
    };
    let suites = all.iter().map(|it| SuiteJson { name: &it.suite, title: &it.title, classes: suite(it) });
    let verdicts = all.iter().flat_map(|it| it.configurations.iter().map(|one| verdict(&it.suite, one)));
    pretty(&VerdictsJson { suites: suites.collect(), verdicts: verdicts.collect() })
}

fn verdict<'a>(suite: &'a str, one: &'a Configuration) -> VerdictJson<'a> {
    VerdictJson {
        suite,
        fixture: &one.name,
        title: &one.title,
        path: slashed(&one.path),
        class: one.class.name(),
        verdict: one.class.verdict(),
        stop: one.class.is_stop(),
        reason: &one.reason,
        fix: one.fix.as_deref(),
        tie: one.tie.map(|(first, second)| [first, second]),
        compared_with: one.compared_with.as_deref(),
        events: one.events,
        row_counts: &one.rows,
        rows: one.result.iter().map(|row| row_to_json(row, &one.target)).collect(),
    }
}

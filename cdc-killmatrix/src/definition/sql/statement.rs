//! Which statement is what.

use std::ops::Range;

use cdc_core::Flow;

use super::cursor::Cursor;
use super::flow::take_flow;
use super::names::{Path, take_path};
use super::report::Report;
use super::source::Origin;
use super::table::{FLOW, Table, take_create, take_table};
use super::tokens::Piece;

/// What statements start with that are easily left without a semicolon before them.
const STARTS: [&[&str]; 3] =
    [&["CREATE", "FLOW"], &["CREATE", "OR", "REFRESH"], &["APPLY", "CHANGES", "INTO"]];

/// What a statement defines: nothing, one of them, or both.
#[derive(Debug, Default)]
pub(super) struct Statement<'p> {
    /// The name of the flow, also where the flow makes no sense.
    pub(super) name: Option<String>,
    pub(super) flow: Option<Stated>,
    pub(super) table: Option<Table<'p>>,
}

/// A flow as a statement says it.
#[derive(Debug)]
pub(super) struct Stated {
    pub(super) name: Option<Path>,
    pub(super) target: Path,
    pub(super) origin: Origin,
    pub(super) flow: Flow,
    /// What the statement starts with.
    pub(super) head: Range<usize>,
}

/// The parts of a statement, of which each but the first starts a statement without a semicolon before it.
pub(super) fn parts<'p>(pieces: &'p [Piece], report: &mut Report<'_>) -> Vec<&'p [Piece]> {
    let (mut parts, mut start) = (Vec::new(), 0);
    for at in 1..pieces.len() {
        let cursor = Cursor::new(report.text(), &pieces[at..]);
        let is_of_flow = pieces[at - 1].is_word("AS");
        if let Some(words) = STARTS.iter().find(|words| !is_of_flow && cursor.at_words(words)) {
            let range = pieces[at].range.start..pieces[at + words.len() - 1].range.end;
            report.fault(range, format!("unexpected `{}`; expected `;` before it", words.join(" ")));
            parts.push(&pieces[start..at]);
            start = at;
        }
    }
    parts.push(&pieces[start..]);
    parts
}

/// Reads one statement. What is wrong with a flow is reported; any other statement is right.
pub(super) fn read<'p>(pieces: &'p [Piece], report: &mut Report<'p>) -> Statement<'p> {
    let mut cursor = Cursor::new(report.text(), pieces);
    if cursor.take_words(&["CREATE", "FLOW"]) {
        let head = cursor.range_from(0);
        let name = name(&mut cursor.clone()).map(|name| name.parts.join("."));
        return Statement { name, flow: created(&mut cursor, report, head), table: None };
    }
    if cursor.take_words(&["APPLY", "CHANGES", "INTO"]) {
        let head = cursor.range_from(0);
        report.is_lacking(head.clone(), "APPLY CHANGES INTO", "`CREATE FLOW name AS AUTO CDC INTO table`");
        let flow =
            target(&mut cursor, report).map(|table| stated(&mut cursor, report, (None, table), false, head));
        return Statement { flow, ..Statement::default() };
    }
    if cursor.take_words(&["AUTO", "CDC"]) {
        let head = cursor.range_from(0);
        report.fault(head, "unexpected `AUTO CDC`; expected `CREATE FLOW name AS` before it");
        return Statement::default();
    }
    let Some(table) = take_create(&mut cursor).and_then(|is_view| take_table(&mut cursor, report, is_view))
    else {
        return Statement::default();
    };
    let head = cursor.moved_to(1).range_from(0);
    let mut flow = None;
    if cursor.take_words(&FLOW) {
        if Cursor::new(report.text(), pieces).moved_to(1).at_words(&["OR"]) {
            let refresh = pieces[1].range.start..pieces[2].range.end;
            report.is_lacking(refresh, "OR REFRESH", "`CREATE STREAMING TABLE table FLOW AUTO CDC ...`");
        }
        let once = take_once(&mut cursor, report);
        flow = Some(stated(&mut cursor, report, (None, table.name.clone()), once, head));
    }
    Statement { name: None, flow, table: Some(table) }
}

/// The name of a flow, which may be left out by mistake.
fn name(cursor: &mut Cursor<'_>) -> Option<Path> {
    if cursor.at_words(&["AS"]) { None } else { take_path(cursor) }
}

/// What follows CREATE FLOW.
fn created(cursor: &mut Cursor<'_>, report: &mut Report<'_>, head: Range<usize>) -> Option<Stated> {
    let name = name(cursor);
    if name.is_none() {
        report.fault(cursor.range(), format!("{}; expected the flow's name", cursor.found()));
        // Whatever else is wrong is told as well.
        while cursor.peek().is_some() && !cursor.at_words(&["AS"]) {
            cursor.take();
        }
    }
    if cursor.take_words(&["COMMENT"]) {
        cursor.take();
    }
    if cursor.at_words(&["AS", "INSERT"]) {
        return None;
    }
    if !cursor.take_words(&["AS"])
        || !(cursor.at_words(&["AUTO", "CDC"]) || cursor.at_words(&["APPLY", "CHANGES"]))
    {
        let message = format!("{}; expected `AS AUTO CDC INTO table` behind the flow's name", cursor.found());
        report.fault(cursor.range(), message);
        return None;
    }
    let (first, is_old) = (cursor.at(), cursor.at_words(&["APPLY"]));
    cursor.skip_to(first + 2);
    if is_old {
        report.is_lacking(cursor.range_from(first), "APPLY CHANGES", "`AUTO CDC`");
    }
    let once = take_once(cursor, report);
    if !cursor.take_words(&["INTO"]) {
        report.fault(cursor.range(), format!("{}; expected `INTO table`", cursor.found()));
        return None;
    }
    let target = target(cursor, report)?;
    Some(stated(cursor, report, (name, target), once, head))
}

/// Whether the flow runs one time.
fn take_once(cursor: &mut Cursor<'_>, report: &mut Report<'_>) -> bool {
    let range = cursor.range();
    let is_once = cursor.take_words(&["ONCE"]);
    if is_once {
        report.is_lacking(range, "ONCE", "`AUTO CDC` without it");
    }
    is_once
}

fn target(cursor: &mut Cursor<'_>, report: &mut Report<'_>) -> Option<Path> {
    let target = if cursor.at_words(&["FROM"]) { None } else { take_path(cursor) };
    if target.is_none() {
        report.fault(cursor.range(), format!("{}; expected the name of a table", cursor.found()));
    }
    target
}

fn stated(
    cursor: &mut Cursor<'_>,
    report: &mut Report<'_>,
    (name, target): (Option<Path>, Path),
    once: bool,
    head: Range<usize>,
) -> Stated {
    let (origin, flow) = take_flow(cursor, report, once, head.clone());
    Stated { name, target, origin, flow, head }
}

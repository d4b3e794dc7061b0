//! FROM: the stream or the snapshots that a flow reads.

use std::ops::Range;

use sqlparser::tokenizer::Token;

use super::clauses::Clause;
use super::cursor::{Cursor, on_one_line, shown};
use super::names::{Path, take_path};
use super::query::Query;
use super::report::Report;

/// What a flow reads.
#[derive(Clone, Debug, Default)]
pub(super) struct Origin {
    /// Its bytes in the file.
    pub(super) range: Range<usize>,
    /// The table or view. A function, such as `read_files`, has no name to look up.
    pub(super) table: Option<Path>,
    /// The query that stands in its place.
    pub(super) query: Option<Query>,
    pub(super) is_snapshot: bool,
}

/// How a source is written.
const EXPECTED: &str = "`STREAM(table)`";

/// FROM and what follows it up to the clauses. `once` is a flow that reads a table, not a stream.
pub(super) fn take_origin(cursor: &mut Cursor<'_>, report: &mut Report<'_>, once: bool) -> Option<Origin> {
    if !cursor.take_words(&["FROM"]) {
        report.fault(cursor.range(), format!("{}; expected `FROM STREAM(table)`", cursor.found()));
        return None;
    }
    let is_snapshot =
        cursor.moved_to(cursor.at() + 1).at_sign(&Token::LParen) && cursor.at_words(&["SNAPSHOT"]);
    if is_snapshot {
        return take_snapshot(cursor, report);
    }
    let origin = take_stream(cursor, report, once)?;
    if cursor.take_words(&["WITH"]) && cursor.parenthesised().is_none() {
        let message = format!("{} behind `WITH`; expected the options in parentheses", cursor.found());
        report.fault(cursor.range(), message);
        return None;
    }
    let has_as = cursor.take_words(&["AS"]);
    let has_alias = Clause::meant(cursor).is_none() && take_path(cursor).is_some();
    if has_as && !has_alias {
        report.fault(cursor.range(), format!("{} behind `AS`; expected an alias", cursor.found()));
        return None;
    }
    Some(origin)
}

fn take_stream(cursor: &mut Cursor<'_>, report: &mut Report<'_>, once: bool) -> Option<Origin> {
    let first = cursor.at();
    let range = cursor.range();
    let is_stream = cursor.take_words(&["STREAM"]);
    let mut origin = Origin::default();
    if cursor.at_sign(&Token::LParen) {
        let Some(inside) = cursor.parenthesised() else {
            report.fault(cursor.range(), "the parenthesis of the source isn't closed; expected `)`");
            return None;
        };
        if is_stream {
            let mut inside = Cursor::new(cursor.text(), inside);
            let place = if inside.peek().is_some() { inside.range() } else { range };
            origin.table = take_table(&mut inside);
            if inside.peek().is_some() || inside.pieces().is_empty() {
                report.fault(place, "`STREAM` takes the name of a table or a view; expected `STREAM(table)`");
                return None;
            }
        } else {
            origin.query = Some(Query::new(cursor.text(), inside));
        }
    } else {
        let Some(table) = take_path(cursor) else {
            report.fault(cursor.range(), format!("{}; expected {EXPECTED}", cursor.found()));
            return None;
        };
        // A function that makes a table.
        origin.table = if cursor.parenthesised().is_some() { None } else { Some(table) };
    }
    origin.range = cursor.range_from(first);
    let reads_stream = is_stream || origin.query.as_ref().is_some_and(|query| query.is_stream);
    if !reads_stream && !once {
        let what = on_one_line(cursor.text(), &cursor.pieces()[first..cursor.at()]);
        let expected = match &origin.query {
            Some(_) => format!("a query over {EXPECTED}"),
            None if what.contains(['(', '`', '$']) => EXPECTED.to_owned(),
            None => format!("`STREAM({what})`"),
        };
        let message = format!("the source {} is no stream; expected {expected}", shown(&what));
        report.fault(origin.range, message);
        return None;
    }
    Some(origin)
}

/// A table or a view, or a function that makes one.
fn take_table(cursor: &mut Cursor<'_>) -> Option<Path> {
    let table = take_path(cursor)?;
    if cursor.parenthesised().is_some() { None } else { Some(table) }
}

/// `SNAPSHOT (query) WITH VERSION (query)`, as the newest documentation has it.
fn take_snapshot(cursor: &mut Cursor<'_>, report: &mut Report<'_>) -> Option<Origin> {
    let first = cursor.at();
    cursor.take();
    for what in ["SNAPSHOT", "WITH VERSION"] {
        let open = cursor.range();
        match cursor.parenthesised() {
            Some([]) => {
                report.fault(open, format!("`{what}` has no query; expected `{what} (SELECT ...)`"));
                return None;
            }
            Some(_) => {}
            None => {
                let found = cursor.found();
                report.fault(open, format!("{found}; expected a whole query: `{what} (SELECT ...)`"));
                return None;
            }
        }
        // Without versions, each update reads one snapshot.
        if what == "SNAPSHOT" && !cursor.take_words(&["WITH", "VERSION"]) {
            break;
        }
    }
    let range = cursor.range_from(first);
    let head = cursor.pieces()[first].range.clone();
    if !report.is_lacking(head.clone(), "FROM SNAPSHOT", "`FROM STREAM(table)`") {
        report.warn(
            head,
            "`FROM SNAPSHOT` in SQL is in the newest documentation only; elsewhere it is Python's alone",
        );
    }
    Some(Origin { range, is_snapshot: true, ..Origin::default() })
}

//! Which columns a clause is about.

use sqlparser::tokenizer::Token;

use super::clauses::Clause;
use super::cursor::Cursor;
use super::names::{no_column, take_column, take_columns};
use super::report::Report;

/// The ways of saying which columns.
pub(super) enum Selection {
    All,
    Only(Vec<String>),
    Except(Vec<String>),
}

/// `(a, b)` or `* EXCEPT (a, b)`; behind clauses that aren't new, Databricks alone takes `a, b` and `*` as well.
pub(super) fn take_selection(
    cursor: &mut Cursor<'_>,
    report: &mut Report<'_>,
    what: &str,
) -> Option<Selection> {
    let expected = format!("`{what} (column, ...)` or `{what} * EXCEPT (column, ...)`");
    let (range, is_strict) = (cursor.range(), report.is_spark() || what.starts_with("IGNORE"));
    if !cursor.take_sign(&Token::Mul) {
        if is_strict || !at_bare_column(cursor) {
            return take_columns(cursor, report, (what, &expected)).map(Selection::Only);
        }
        let columns = take_bare_columns(cursor, report)?;
        report.warn(range, format!("Apache Spark expects the columns behind `{what}` in parentheses"));
        return Some(Selection::Only(columns));
    }
    if !cursor.take_words(&["EXCEPT"]) {
        if is_strict {
            report.fault(range, format!("`{what} *` has no exceptions; expected {expected}"));
            return None;
        }
        let message = format!("`{what} *` stands for all columns, as if left out; Apache Spark refuses it");
        report.warn(range, message);
        return Some(Selection::All);
    }
    let what = format!("{what} * EXCEPT");
    let expected = format!("`{what} (column, ...)`");
    take_columns(cursor, report, (&what, &expected)).map(Selection::Except)
}

/// Whether columns are listed here without parentheses.
fn at_bare_column(cursor: &Cursor<'_>) -> bool {
    Clause::meant(cursor).is_none() && take_column(&mut cursor.clone()).is_some()
}

/// Columns without parentheses around them.
fn take_bare_columns(cursor: &mut Cursor<'_>, report: &mut Report<'_>) -> Option<Vec<String>> {
    let mut columns = Vec::new();
    loop {
        let range = cursor.range();
        let Some(column) = take_column(cursor) else {
            report.fault(range, no_column(cursor));
            return None;
        };
        columns.push(column);
        if !cursor.take_sign(&Token::Comma) {
            return Some(columns);
        }
    }
}

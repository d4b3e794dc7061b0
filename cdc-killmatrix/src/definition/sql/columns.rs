//! The columns that a text declares, where no flow is asked for.

use std::ops::Range;

use sqlparser::tokenizer::Token;

use super::MEBIBYTES;
use super::cursor::{Cursor, shown};
use super::declared::{Declared, Fault, declared};
use super::names::take_path;
use super::table::take_create;
use super::tokens::{Statements, statements};

/// What declares columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// They alone: `id BIGINT, city STRING`.
    Columns,
    /// A statement that makes a table.
    Table,
}

/// Columns, each as far as it is right; or what is wrong with all of them.
pub(crate) type Columns = Result<Vec<Result<Declared, Fault>>, Fault>;

/// The columns that a text declares, and what it was taken for. If it makes a table, it makes one only.
pub(crate) fn columns(text: &str) -> (Form, Columns) {
    if MEBIBYTES << 20 < text.len() {
        let message = format!("the text is larger than {MEBIBYTES} MiB; expected a smaller one");
        return (Form::Columns, Err((0..0, message)));
    }
    let statements = statements(text);
    let makers: Vec<Maker<'_>> = makers(text, &statements).take(2).collect();
    let is_broken_table =
        || text.trim_start().get(..7).is_some_and(|word| word.eq_ignore_ascii_case("create "));
    match (&statements.fault, &*makers) {
        (Some(fault), makers) => {
            let is_table = !makers.is_empty() || is_broken_table();
            (if is_table { Form::Table } else { Form::Columns }, Err(fault.clone()))
        }
        (None, []) => (Form::Columns, alone(text, &statements)),
        (None, [maker]) => {
            let alters = statements.statements.iter().map(|pieces| Cursor::new(text, pieces));
            let alter = alters.into_iter().find(|cursor| cursor.at_words(&["ALTER"]));
            let message = "a table is changed here; expected one statement, as `SHOW CREATE TABLE` prints it";
            let columns = match alter {
                Some(cursor) => Err((cursor.range(), message.to_owned())),
                None => of_table(maker),
            };
            (Form::Table, columns)
        }
        (None, [_, second, ..]) => {
            let message = "a second table or view is made here; expected a text that makes only the source";
            (Form::Table, Err((second.range.clone(), message.to_owned())))
        }
    }
}

fn alone(text: &str, statements: &Statements) -> Columns {
    if let Some(piece) = statements.statements.get(1).and_then(|second| second.first()) {
        let found = shown(&text[piece.range.clone()]);
        return Err((piece.range.clone(), format!("unexpected {found} behind `;`; expected the end")));
    }
    Ok(statements.statements.first().map(|pieces| declared(text, pieces)).unwrap_or_default())
}

fn of_table(maker: &Maker<'_>) -> Columns {
    let mut cursor = maker.cursor.clone();
    let name = take_path(&mut cursor)
        .ok_or_else(|| (cursor.range(), format!("{}; expected the name of a table", cursor.found())))?;
    let expected =
        "expected a table with its columns, as `SHOW CREATE TABLE` prints it, or what `DESCRIBE` prints";
    if maker.is_view {
        return Err((name.range, format!("a view doesn't say the types of its columns; {expected}")));
    }
    let open = cursor.range();
    if !cursor.at_sign(&Token::LParen) {
        return Err((name.range, format!("the table is made without columns; {expected}")));
    }
    let inside = cursor.parenthesised();
    let inside = inside.ok_or_else(|| (open, "the parenthesis isn't closed; expected `)`".to_owned()))?;
    let mut columns = declared(cursor.text(), inside);
    columns.extend(partitions(cursor));
    Ok(columns)
}

/// The columns that only a `PARTITIONED BY` declares, with their types; one that it names stands among the others.
fn partitions(mut cursor: Cursor<'_>) -> Vec<Result<Declared, Fault>> {
    while cursor.peek().is_some() && !cursor.take_words(&["PARTITIONED", "BY"]) {
        cursor.take();
    }
    let text = cursor.text();
    let inside = cursor.parenthesised().unwrap_or_default();
    let has_type = |column: &Declared| text[column.range.clone()].starts_with(|c: char| c.is_alphabetic());
    let columns = declared(text, inside).into_iter();
    columns.filter(|column| column.as_ref().is_ok_and(has_type)).collect()
}

/// Where a table or a view is made.
struct Maker<'p> {
    /// What it starts with.
    range: Range<usize>,
    /// Behind that, before the name.
    cursor: Cursor<'p>,
    is_view: bool,
}

fn makers<'p>(text: &'p str, statements: &'p Statements) -> impl Iterator<Item = Maker<'p>> {
    // A semicolon between two of them is easily left out.
    let starts = |pieces: &'p Vec<_>| (0..pieces.len()).map(|at| Cursor::new(text, pieces).moved_to(at));
    statements.statements.iter().flat_map(starts).filter_map(|mut cursor| {
        let range = cursor.range();
        take_create(&mut cursor).map(|is_view| Maker { range, cursor, is_view })
    })
}

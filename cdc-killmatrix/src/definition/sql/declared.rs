//! The columns that a table declares.

use std::ops::Range;

use sqlparser::tokenizer::Token;

use super::cursor::{Cursor, on_one_line, range_of};
use super::names::{no_column, take_declared};
use super::tokens::Piece;

/// What is wrong, and the bytes of the file where it is.
pub(crate) type Fault = (Range<usize>, String);

/// A column that a table declares.
pub(crate) struct Declared {
    /// Without quotes.
    pub(crate) name: String,
    /// Where the name is.
    pub(crate) at: Range<usize>,
    /// As it is written, on one line.
    pub(crate) data_type: String,
    /// Where that is.
    pub(crate) range: Range<usize>,
}

/// The columns among what stands between the parentheses of a table.
pub(super) fn declared(text: &str, pieces: &[Piece]) -> Vec<Result<Declared, Fault>> {
    let (mut columns, mut rest) = (Vec::new(), pieces);
    while !rest.is_empty() {
        let (entry, behind) = split_entry(rest);
        let mut cursor = Cursor::new(text, entry);
        let comma = rest.get(entry.len());
        let place = rest[0].range.clone();
        rest = behind;
        if !is_constraint(&cursor) {
            columns.push(column(&mut cursor).ok_or_else(|| match entry {
                [] => (place, "unexpected `,`; expected the name of a column".to_owned()),
                _ => (cursor.range(), no_column(&cursor)),
            }));
        }
        if let Some(comma) = comma.filter(|_| behind.is_empty()) {
            columns.push(Err((comma.range.clone(), no_column(&Cursor::new(text, &[])))));
        }
    }
    columns
}

fn column(cursor: &mut Cursor<'_>) -> Option<Declared> {
    let (name, at) = take_declared(cursor)?;
    cursor.take_sign(&Token::Colon);
    let written = cursor.rest();
    let written = &written[..type_end(written)];
    let data_type = on_one_line(cursor.text(), written);
    let range = range_of(written).unwrap_or(at.end..at.end);
    Some(Declared { name, at, data_type, range })
}

/// Whether this is no column. A column may have the name that a constraint starts with.
fn is_constraint(cursor: &Cursor<'_>) -> bool {
    let is_named = cursor.at_words(&["CONSTRAINT"]);
    let start = if is_named { cursor.moved_to(2) } else { cursor.clone() };
    start.at_words(&["PRIMARY", "KEY"])
        || start.at_words(&["FOREIGN", "KEY"])
        || (start.at_words(&["CHECK"]) && start.moved_to(start.at() + 1).at_sign(&Token::LParen))
        || (is_named && start.at_words(&["EXPECT"]))
}

/// The pieces up to the next comma that isn't inside of something, and those behind it.
fn split_entry(pieces: &[Piece]) -> (&[Piece], &[Piece]) {
    let is_constraint = pieces.first().is_some_and(|piece| piece.is_word("CONSTRAINT"));
    let (mut depth, mut angles) = (0_usize, 0_usize);
    for (at, piece) in pieces.iter().enumerate() {
        match piece.token {
            Token::LParen => depth += 1,
            Token::RParen => depth = depth.saturating_sub(1),
            Token::Lt if depth == 0 && !is_constraint => angles += 1,
            Token::Gt if depth == 0 => angles = angles.saturating_sub(1),
            Token::ShiftRight if depth == 0 => angles = angles.saturating_sub(2),
            Token::Comma if depth == 0 && angles == 0 => return (&pieces[..at], &pieces[at + 1..]),
            _ => {}
        }
    }
    (pieces, &[])
}

/// Where a column's type ends. What may follow a type may be the name of a field inside of one.
fn type_end(pieces: &[Piece]) -> usize {
    let words = [
        "NOT",
        "NULL",
        "COMMENT",
        "DEFAULT",
        "GENERATED",
        "MASK",
        "CONSTRAINT",
        "PRIMARY",
        "FOREIGN",
        "REFERENCES",
        "CHECK",
        "UNIQUE",
        "COLLATE",
    ];
    let mut angles = 0_usize;
    let is_end = |piece: &Piece| {
        match piece.token {
            Token::Lt => angles += 1,
            Token::Gt => angles = angles.saturating_sub(1),
            Token::ShiftRight => angles = angles.saturating_sub(2),
            _ => {}
        }
        angles == 0 && words.iter().any(|word| piece.is_word(word))
    };
    pieces.iter().position(is_end).unwrap_or(pieces.len())
}

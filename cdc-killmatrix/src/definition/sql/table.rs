//! CREATE TABLE and CREATE VIEW: what a flow needs to know of its target and of its source.

use std::ops::Range;

use cdc_core::{DataType, ScdType};
use sqlparser::tokenizer::Token;

use super::cursor::{Cursor, range_of, shown};
use super::declared::{Declared, declared};
use super::names::{Path, take_path};
use super::query::{Does, Query};
use super::report::Report;
use super::tokens::Piece;
use crate::definition::Bounds;

/// The property that says how long deletes are remembered, and its older spelling.
const TOMBSTONES: [&str; 2] =
    ["pipelines.cdc.tombstoneGCThresholdInSeconds", "pipelines.applyChanges.tombstoneGCThresholdInSeconds"];

/// What a flow starts with in the statement that makes its target.
pub(super) const FLOW: [&str; 3] = ["FLOW", "AUTO", "CDC"];

/// A table or a view that the file makes.
#[derive(Debug)]
pub(super) struct Table<'p> {
    pub(super) name: Path,
    pub(super) is_view: bool,
    /// Its columns, if they are declared: everything between the parentheses.
    columns: Option<&'p [Piece]>,
    /// Where an expectation of it drops rows.
    pub(super) drops: Option<Range<usize>>,
    /// How long deletes are remembered, in seconds.
    pub(super) tombstone: Option<u64>,
    /// What it is made of.
    pub(super) query: Option<Query>,
}

/// Goes past CREATE and what is created: whether this is a view. `None` if it is neither a table nor a view.
pub(super) fn take_create(cursor: &mut Cursor<'_>) -> Option<bool> {
    if !cursor.take_words(&["CREATE"]) {
        return None;
    }
    if cursor.take_words(&["OR"]) {
        cursor.take_any(&["REFRESH", "REPLACE"]);
    }
    cursor.take_any(&[
        "EXTERNAL",
        "PRIVATE",
        "TEMPORARY",
        "TEMP",
        "GLOBAL",
        "INCREMENTAL",
        "STREAMING",
        "MATERIALIZED",
        "LIVE",
    ]);
    let is_view = cursor.take_words(&["VIEW"]);
    if !is_view && !cursor.take_words(&["TABLE"]) {
        return None;
    }
    cursor.take_words(&["IF", "NOT", "EXISTS"]);
    Some(is_view)
}

/// From the name on; the cursor is left at `FLOW AUTO CDC`, or at the end.
pub(super) fn take_table<'p>(
    cursor: &mut Cursor<'p>,
    report: &mut Report<'_>,
    is_view: bool,
) -> Option<Table<'p>> {
    let name = take_path(cursor)?;
    let mut table = Table { name, is_view, columns: None, drops: None, tombstone: None, query: None };
    let (first, mut end) = (cursor.at(), cursor.at());
    if cursor.at_sign(&Token::LParen) {
        table.columns = Some(take_closed(cursor, report)?);
        end = cursor.at();
    }
    while cursor.peek().is_some() && !cursor.at_words(&FLOW) {
        if cursor.take_words(&["AS"]) {
            table.query = Some(Query::new(cursor.text(), cursor.rest()));
            cursor.skip_to(cursor.pieces().len());
            break;
        }
        let has_properties = cursor.take_words(&["TBLPROPERTIES"]);
        if cursor.at_sign(&Token::LParen) {
            let inside = take_closed(cursor, report)?;
            if has_properties {
                table.tombstone = tombstone(&mut Cursor::new(cursor.text(), inside), report);
            }
        } else {
            cursor.take();
        }
        end = cursor.at();
    }
    table.drops = dropping(&cursor.pieces()[first..end]);
    if let (Some(query), Some(_)) = (&mut table.query, &table.drops) {
        query.does.insert(Does::Drop);
    }
    Some(table)
}

/// What is inside the parentheses that open here. It matters that they are closed only if a flow follows.
fn take_closed<'p>(cursor: &mut Cursor<'p>, report: &mut Report<'_>) -> Option<&'p [Piece]> {
    let open = cursor.range();
    let inside = cursor.parenthesised();
    let has_flow = |pieces: &[Piece]| pieces.windows(FLOW.len()).any(|window| is_words(window, &FLOW));
    if inside.is_none() && has_flow(cursor.rest()) {
        report.fault(open, "the parenthesis isn't closed; expected `)`");
    }
    inside
}

fn is_words(pieces: &[Piece], words: &[&str]) -> bool {
    pieces.iter().zip(words).all(|(piece, word)| piece.is_word(word))
}

/// The words by which an expectation drops rows.
fn dropping(pieces: &[Piece]) -> Option<Range<usize>> {
    let words = ["ON", "VIOLATION", "DROP", "ROW"];
    pieces.windows(words.len()).find(|window| is_words(window, &words)).and_then(range_of)
}

/// The seconds among the properties of a table. The newer spelling wins.
fn tombstone(cursor: &mut Cursor<'_>, report: &mut Report<'_>) -> Option<u64> {
    let mut found = [None; 2];
    let mut given = [false; 2];
    while cursor.peek().is_some() {
        let key_range = cursor.range();
        let key = match take_path(cursor) {
            Some(path) => path.parts.join("."),
            None => cursor.take().and_then(|piece| string(&piece.token)).unwrap_or_default().to_owned(),
        };
        let spelling = TOMBSTONES.iter().position(|spelling| spelling.eq_ignore_ascii_case(&key));
        if spelling.is_some() && report.is_spark() {
            let message = format!("Apache Spark 4.3 remembers deletes for ever; {key} is ignored");
            report.warn(key_range, message);
        } else if let Some(spelling) = spelling {
            cursor.take_sign(&Token::Eq);
            let range = cursor.range();
            let written = &cursor.text()[range.clone()];
            let text = match cursor.peek().map(|piece| &piece.token) {
                Some(token) => string(token).unwrap_or(written),
                None => "",
            };
            found[spelling] = text.trim().parse::<u64>().ok().filter(|_| !text.starts_with('+'));
            if found[spelling].is_none() {
                let value = if written.is_empty() { "nothing".to_owned() } else { shown(written) };
                let message =
                    format!("{key} is {value}; expected a whole number of seconds, such as `'172800'`");
                report.fault(range, message);
            }
            if std::mem::replace(&mut given[spelling], true) {
                report.fault(key_range, format!("{key} is given twice; expected it once"));
            }
        }
        while cursor.take().is_some_and(|piece| !piece.is(&Token::Comma)) {}
    }
    found[0].or(found[1])
}

/// The text in quotes.
fn string(token: &Token) -> Option<&str> {
    match token {
        Token::SingleQuotedString(text) | Token::DoubleQuotedString(text) => Some(text),
        _ => None,
    }
}

impl Table<'_> {
    /// The types of the bounds that the target of a flow with history declares, if it declares its columns.
    ///
    /// It is expected to declare all of them, both of a pair with one type.
    pub(super) fn bounds(&self, scd_type: ScdType, report: &mut Report<'_>) -> Bounds {
        let columns = self.columns.map(|columns| declared(report.text(), columns)).unwrap_or_default();
        let columns: Vec<Declared> = columns.into_iter().flatten().collect();
        if columns.is_empty() {
            return Bounds::default();
        }
        let mut types = Bounds::default();
        let scd = if scd_type == ScdType::Bitemporal { "BITEMPORAL" } else { "SCD type 2" };
        for (pair, of) in Bounds::pairs(scd_type) {
            let bounds =
                pair.map(|name| columns.iter().find(|column| column.name.eq_ignore_ascii_case(name)));
            if let [Some(start), Some(end)] = bounds {
                if is_same_type(&start.data_type, &end.data_type) {
                    types.keep(pair, start.data_type.parse().ok());
                } else {
                    let message = format!(
                        "`{}` has the type {} and `{}` {}; expected the type of the {of} for both",
                        pair[1], end.data_type, pair[0], start.data_type
                    );
                    report.fault(end.range.clone(), message);
                }
                continue;
            }
            let missing = pair.iter().zip(bounds).filter(|(_, found)| found.is_none());
            let missing: Vec<String> = missing.map(|(name, _)| format!("`{name}`")).collect();
            let message = format!(
                "{} declares its columns without {}; a target of {scd} is expected to declare `{}` and `{}`, \
                 both of the {of}'s type",
                shown(&report.text()[self.name.range.clone()]),
                missing.join(" and "),
                pair[0],
                pair[1]
            );
            report.fault(self.name.range.clone(), message);
        }
        types
    }
}

/// Whether two types are one, also where they have several names.
fn is_same_type(left: &str, right: &str) -> bool {
    match (left.parse::<DataType>(), right.parse::<DataType>()) {
        (Ok(left), Ok(right)) => left == right,
        _ => left.replace(' ', "").eq_ignore_ascii_case(&right.replace(' ', "")),
    }
}

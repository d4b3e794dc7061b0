//! A flow: its source, and its clauses one by one.

use std::ops::Range;

use cdc_core::{Condition, DataType, Flow, ScdType};
use sqlparser::tokenizer::Token;

use super::clauses::{Clause, skip_to_clause, take_expression};
use super::cursor::{Cursor, closing, on_one_line, range_of, shown, without_comments};
use super::names::{no_column, take_column, take_columns};
use super::report::Report;
use super::selection::{Selection, take_selection};
use super::source::{Origin, take_origin};
use super::tokens::Piece;

/// The clauses of Apache Spark 4.3.
const OF_SPARK: &str = "only `KEYS`, `APPLY AS DELETE WHEN`, `SEQUENCE BY`, `COLUMNS`, `STORED AS` and \
                        `TRACK HISTORY ON`";

/// Reads the clauses of one flow.
struct Reader<'r, 's> {
    report: &'r mut Report<'s>,
    flow: Flow,
    /// The clauses so far, right or wrong.
    given: Vec<Clause>,
}

/// From FROM to the end of the statement. `head` is what the statement starts with.
///
/// Everything that is wrong is reported, whatever is returned.
pub(super) fn take_flow(
    cursor: &mut Cursor<'_>,
    report: &mut Report<'_>,
    once: bool,
    head: Range<usize>,
) -> (Origin, Flow) {
    let origin = take_origin(cursor, report, once);
    if origin.is_none() {
        skip_to_clause(cursor);
    }
    let origin = origin.unwrap_or_default();
    let from_snapshot = origin.is_snapshot.then_some(DataType::BigInt);
    let flow = Flow { once, from_snapshot, dialect: report.dialect(), ..Flow::default() };
    let mut reader = Reader { report, flow, given: Vec::new() };
    while cursor.peek().is_some() {
        reader.clause(cursor);
    }
    reader.missing(head);
    (origin, reader.flow)
}

impl Reader<'_, '_> {
    fn clause(&mut self, cursor: &mut Cursor<'_>) {
        let Some(clause) = Clause::meant(cursor) else {
            if self.given.contains(&Clause::Keys) && self.old_filter(cursor) {
                return;
            }
            let expected = if self.given.contains(&Clause::Keys) {
                "a clause such as `SEQUENCE BY`, or `;`"
            } else {
                "`KEYS (column, ...)`"
            };
            self.report.fault(cursor.range(), format!("{}; expected {expected}", cursor.found()));
            cursor.take();
            skip_to_clause(cursor);
            return;
        };
        let first = cursor.at();
        let words = cursor.moved_to(first + clause.words().len()).range_from(first);
        if !clause.is_of_spark() && self.report.is_lacking(words.clone(), &clause.name(), OF_SPARK) {
            while clause.words().iter().any(|word| cursor.take_words(&[word])) {}
            skip_to_clause(cursor);
            return;
        }
        if self.given.contains(&clause) {
            let message = match (clause, &*self.given) {
                (Clause::Keys, [Clause::Keys]) => {
                    "`KEYS` is given twice, and Apache Spark takes the first for an alias of the source; expected it \
                     once"
                    .to_owned()
                }
                (Clause::Keys, _) => "`KEYS` is given twice; expected it once".to_owned(),
                _ => format!("`{}` is given twice; expected it once [DUPLICATE_CLAUSES]", clause.name()),
            };
            self.report.fault(words, message);
            cursor.take();
            skip_to_clause(cursor);
            return;
        }
        self.place(clause, words);
        self.given.push(clause);
        if !self.words(cursor, clause) || self.argument(cursor, clause).is_none() {
            skip_to_clause(cursor);
        }
    }

    /// Goes past the condition that `APPLY CHANGES` once had behind its keys.
    fn old_filter(&mut self, cursor: &mut Cursor<'_>) -> bool {
        let range = cursor.range();
        let is_there = !self.report.is_spark() && cursor.take_words(&["WHERE"]);
        if is_there && self.expression(cursor, "WHERE", "a condition").is_some() {
            self.report
                .warn(range, "`WHERE` drops nothing: it is expected of every event, also of a fixture's");
        }
        is_there
    }

    /// Goes past the words that a clause starts with.
    fn words(&mut self, cursor: &mut Cursor<'_>, clause: Clause) -> bool {
        for word in clause.words() {
            if !cursor.take_words(&[word]) {
                let message = format!("{}; expected `{word}`, as in `{}`", cursor.found(), clause.name());
                self.report.fault(cursor.range(), message);
                return false;
            }
        }
        true
    }

    /// Whether a clause may stand here.
    fn place(&mut self, clause: Clause, words: Range<usize>) {
        let name = clause.name();
        let belongs = matches!(clause, Clause::Keys | Clause::StoredAs | Clause::TrackHistory);
        if self.flow.from_snapshot.is_some() && !belongs {
            let message = format!(
                "a flow from snapshots takes no `{name}`; expected `KEYS`, `STORED AS` or `TRACK HISTORY ON`"
            );
            self.report.fault(words, message);
        } else if self.given.is_empty() && clause != Clause::Keys {
            let message =
                format!("unexpected `{name}`; expected `KEYS (column, ...)` first, behind the source");
            self.report.fault(words, message);
        } else if clause != Clause::Keys
            && !self.report.is_spark()
            && let Some(later) = self.given.iter().find(|given| clause < **given)
        {
            let message = format!(
                "Databricks expects `{name}` before `{}`; Apache Spark takes any order",
                later.name()
            );
            self.report.warn(words, message);
        }
    }

    fn missing(&mut self, head: Range<usize>) {
        if !self.given.contains(&Clause::Keys) {
            let message = "`KEYS` is missing; expected `KEYS (column, ...)` behind the source";
            // Whatever came first was told to be no KEYS.
            if self.given.is_empty() {
                self.report.fault(head.clone(), message);
            }
        }
        if !self.given.contains(&Clause::Sequence) && self.flow.from_snapshot.is_none() {
            let message = "`SEQUENCE BY` is missing; expected a column, or `STRUCT(column, ...)`, that \
                           orders the events [MISSING_CLAUSES_FOR_OPERATION]";
            self.report.fault(head, message);
        }
    }

    /// What follows the words of a clause.
    fn argument(&mut self, cursor: &mut Cursor<'_>, clause: Clause) -> Option<()> {
        let name = &*clause.name();
        match clause {
            Clause::Keys => {
                self.flow.keys = take_columns(cursor, self.report, (name, "`KEYS (column, ...)`"))?;
            }
            Clause::IgnoreNullUpdates if cursor.take_words(&["ON"]) => {
                match take_selection(cursor, self.report, "IGNORE NULL UPDATES ON")? {
                    Selection::All => {}
                    Selection::Only(only) => self.flow.ignore_null_updates_column_list = Some(only),
                    Selection::Except(except) => {
                        self.flow.ignore_null_updates_except_column_list = Some(except);
                    }
                }
            }
            Clause::IgnoreNullUpdates => self.flow.ignore_null_updates = true,
            Clause::Deletes => {
                let condition = self.expression(cursor, name, "a condition")?;
                self.flow.apply_as_deletes = Some(on_one_line(cursor.text(), condition));
            }
            Clause::Truncates => {
                let condition = self.expression(cursor, name, "a condition")?;
                self.flow.apply_as_truncates = Some(on_one_line(cursor.text(), condition));
            }
            Clause::Sequence => {
                let pieces = self.expression(cursor, name, "a column, or `STRUCT(column, ...)`")?;
                self.flow.sequence_by = sequence(cursor.text(), pieces);
            }
            Clause::SystemSequence => self.flow.system_sequence_by = Some(self.column(cursor, name)?),
            Clause::Columns => match take_selection(cursor, self.report, name)? {
                Selection::All => {}
                Selection::Only(only) => self.flow.column_list = Some(only),
                Selection::Except(except) => self.flow.except_column_list = Some(except),
            },
            Clause::StoredAs => self.flow.stored_as_scd_type = self.scd_type(cursor)?,
            Clause::TrackHistory => match take_selection(cursor, self.report, name)? {
                Selection::All => {}
                Selection::Only(only) => self.flow.track_history_column_list = Some(only),
                Selection::Except(except) => self.flow.track_history_except_column_list = Some(except),
            },
            Clause::ColumnsToUpdate => self.flow.columns_to_update = Some(self.column(cursor, name)?),
        }
        Some(())
    }

    fn column(&mut self, cursor: &mut Cursor<'_>, what: &str) -> Option<String> {
        let range = cursor.range();
        if Clause::surely_starts(cursor) || cursor.peek().is_none() {
            self.report.fault(range, format!("`{what}` names no column; expected one"));
            return None;
        }
        let Some(column) = take_column(cursor) else {
            self.report.fault(range, format!("`{what}` takes one column: {}", no_column(cursor)));
            return None;
        };
        if matches!(cursor.peek().map(|piece| &piece.token), Some(Token::Comma | Token::Period)) {
            let message = format!("`{what}` takes one column: {}", cursor.found());
            self.report.fault(cursor.range(), format!("{message}; expected the next clause, or `;`"));
            return None;
        }
        Some(column)
    }

    fn scd_type(&mut self, cursor: &mut Cursor<'_>) -> Option<ScdType> {
        let of_spark = "`SCD TYPE 1` or `SCD TYPE 2`";
        let range = cursor.range();
        if cursor.take_words(&["BITEMPORAL"]) {
            let is_lacking = self.report.is_lacking(range, "BITEMPORAL", of_spark);
            return (!is_lacking).then_some(ScdType::Bitemporal);
        }
        let expected =
            if self.report.is_spark() { of_spark } else { "`SCD TYPE 1`, `SCD TYPE 2` or `BITEMPORAL`" };
        let first = cursor.at();
        if !cursor.take_words(&["SCD", "TYPE"]) {
            self.report.fault(cursor.range(), format!("{}; expected {expected}", cursor.found()));
            return None;
        }
        let number = cursor.range();
        match &cursor.text()[number.clone()] {
            "1" | "2" => {}
            "" => {
                self.report.fault(number, format!("{}; expected {expected}", cursor.found()));
                return None;
            }
            other => {
                let range = cursor.pieces()[first].range.start..number.end;
                let message = format!("there is no SCD type {}; expected {expected}", shown(other));
                self.report.fault(range, message);
                return None;
            }
        }
        cursor.take();
        Some(if &cursor.text()[number] == "1" { ScdType::One } else { ScdType::Two })
    }

    /// The pieces of an expression.
    fn expression<'p>(&mut self, cursor: &mut Cursor<'p>, what: &str, expected: &str) -> Option<&'p [Piece]> {
        let pieces = take_expression(cursor);
        let Some(range) = range_of(pieces) else {
            let message = format!("`{what}` has no expression; expected {expected}");
            self.report.fault(cursor.range(), message);
            return None;
        };
        let written = without_comments(cursor.text(), pieces);
        if let Err(error) = Condition::check_syntax(&written) {
            let start = range.start + offset(&cursor.text()[range.clone()], error.place);
            let piece = pieces.iter().find(|piece| piece.range.contains(&start));
            let end = piece.map_or(start, |piece| piece.range.end);
            self.report.fault(start..end, format!("`{what}`: {}", error.message));
            return None;
        }
        Some(pieces)
    }
}

/// A sequence on one line. A parenthesis around a column says nothing, and around several it is a struct.
fn sequence(text: &str, pieces: &[Piece]) -> String {
    let (Some(first), Some(last)) = (pieces.first(), pieces.len().checked_sub(1)) else {
        return String::new();
    };
    if !first.is(&Token::LParen) || closing(pieces) != Some(last) {
        return on_one_line(text, pieces);
    }
    let is_struct = pieces.iter().any(|piece| piece.is(&Token::Comma));
    if is_struct { format!("STRUCT{}", on_one_line(text, pieces)) } else { sequence(text, &pieces[1..last]) }
}

/// Where a line and a column of a text start, in bytes.
fn offset(text: &str, (line, column): (u64, u64)) -> usize {
    let mut place = (1, 1);
    for (offset, c) in text.char_indices() {
        if (line, column) <= place {
            return offset;
        }
        place = if c == '\n' { (place.0 + 1, 1) } else { (place.0, place.1 + 1) };
    }
    text.len()
}

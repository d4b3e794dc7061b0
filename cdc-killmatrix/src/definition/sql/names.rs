//! Names of tables and of columns.

use std::collections::HashMap;
use std::ops::Range;

use sqlparser::tokenizer::{Token, Word};

use super::cursor::{Cursor, shown};
use super::report::Report;
use super::tokens::Piece;

/// How many words and signs a name may have: parameters are several.
const LONGEST: usize = 100;

/// The name of a table or a flow, which may have several parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Path {
    /// Without quotes.
    pub(super) parts: Vec<String>,
    /// Its bytes in the file.
    pub(super) range: Range<usize>,
    /// What tells it from other tables: no case, and no `LIVE` before it.
    folded: Vec<String>,
}

impl Path {
    fn new(parts: Vec<String>, range: Range<usize>) -> Self {
        let mut folded: Vec<String> = parts.iter().map(|part| cdc_core::folded(part)).collect();
        if 1 < folded.len() && folded[0] == "live" {
            folded.remove(0);
        }
        Self { parts, range, folded }
    }

    pub(super) fn last(&self) -> &str {
        self.parts.last().map_or("", String::as_str)
    }
}

/// Tables by their names.
#[derive(Debug, Default)]
pub(super) struct Index<'a> {
    by_last: HashMap<&'a str, Vec<(&'a [String], usize)>>,
}

impl<'a> Index<'a> {
    /// Names with what they stand for.
    pub(super) fn new(names: impl Iterator<Item = (&'a Path, usize)>) -> Self {
        let mut index = Self::default();
        for (name, table) in names {
            if let Some(last) = name.folded.last() {
                index.by_last.entry(last).or_default().push((&name.folded, table));
            }
        }
        index
    }

    /// The table that a name means. Both may leave out catalog and schema, or have parameters there.
    pub(super) fn find(&self, name: &Path) -> Option<usize> {
        let tables = self.by_last.get(name.folded.last()?.as_str())?;
        let name = &*name.folded;
        let found = tables.iter().find(|(table, _)| *table == name);
        found.or_else(|| tables.iter().find(|(table, _)| may_agree(table, name))).map(|(_, table)| *table)
    }
}

/// Whether two names agree as far as both say.
fn may_agree(left: &[String], right: &[String]) -> bool {
    let is_open = |part: &str| part.contains("${");
    left.iter()
        .rev()
        .zip(right.iter().rev())
        .all(|(left, right)| left == right || is_open(left) || is_open(right))
}

/// A name without its quotes.
fn unquoted(word: &Word) -> String {
    match word.quote_style {
        Some('`') => word.value.replace("``", "`"),
        _ => word.value.clone(),
    }
}

/// Whether a token is a name: a text in double quotes is none.
fn name(token: &Token) -> Option<&Word> {
    match token {
        Token::Word(word) if matches!(word.quote_style, None | Some('`')) => Some(word),
        _ => None,
    }
}

/// A name, its parts joined by points. A part may hold parameters of the pipeline, such as `${schema}`.
///
/// `None`, and the cursor where it was, if there is none.
pub(super) fn take_path(cursor: &mut Cursor<'_>) -> Option<Path> {
    let first = cursor.at();
    let (mut parts, mut braces, mut may_start) = (vec![String::new()], 0_usize, true);
    let mut end = None;
    while let Some(piece) = cursor.peek().filter(|_| cursor.at() < first + LONGEST) {
        let is_adjacent = end == Some(piece.range.start);
        let text = match &piece.token {
            Token::Period if braces == 0 && !may_start => {
                parts.push(String::new());
                may_start = true;
                end = Some(piece.range.end);
                cursor.take();
                continue;
            }
            Token::RBrace if 0 < braces && is_adjacent => {
                braces -= 1;
                "}".to_owned()
            }
            Token::LBrace if is_adjacent && follows(cursor, &Token::Placeholder("$".to_owned())) => {
                braces += 1;
                "{".to_owned()
            }
            _ if 0 < braces && is_adjacent => cursor.text()[piece.range.clone()].to_owned(),
            Token::Placeholder(text) if text.starts_with('$') && (may_start || is_adjacent) => text.clone(),
            token if may_start || (is_adjacent && follows(cursor, &Token::RBrace)) => match name(token) {
                Some(word) => unquoted(word),
                None => break,
            },
            _ => break,
        };
        parts.last_mut()?.push_str(&text);
        may_start = false;
        end = Some(piece.range.end);
        cursor.take();
    }
    if parts.iter().any(String::is_empty) || 0 < braces {
        cursor.skip_to(first);
        return None;
    }
    Some(Path::new(parts, cursor.range_from(first)))
}

fn follows(cursor: &Cursor<'_>, sign: &Token) -> bool {
    let before = cursor.at().checked_sub(1).and_then(|before| cursor.pieces().get(before));
    before.is_some_and(|piece| piece.is(sign))
}

/// A column's name as a flow holds it: in backticks only where it needs them.
pub(super) fn take_column(cursor: &mut Cursor<'_>) -> Option<String> {
    let piece = cursor.peek()?;
    let word = name(&piece.token).filter(|word| !word.value.is_empty())?;
    cursor.take();
    let is_plain = word.value.chars().all(|c| c.is_alphanumeric() || c == '_');
    Some(if is_plain { word.value.clone() } else { cursor.text()[piece.range.clone()].to_owned() })
}

/// The name of a column that is declared, without quotes, and its bytes. Without backticks it may start with a digit.
pub(super) fn take_declared(cursor: &mut Cursor<'_>) -> Option<(String, Range<usize>)> {
    let first = cursor.at();
    if let Token::Word(word @ Word { quote_style: Some('`'), .. }) = &cursor.peek()?.token {
        cursor.take();
        return Some((unquoted(word), cursor.range_from(first)));
    }
    let is_name = |text: &str| text.chars().all(|c| c.is_alphanumeric() || c == '_');
    let mut end = None;
    while let Some(piece) = cursor.peek()
        && end.is_none_or(|end| end == piece.range.start)
        && is_name(&cursor.text()[piece.range.clone()])
    {
        end = Some(piece.range.end);
        cursor.take();
    }
    end?;
    let range = cursor.range_from(first);
    Some((cursor.text()[range.clone()].to_owned(), range))
}

/// Columns in parentheses: at least one. `what` is the clause, `expected` how it is written.
pub(super) fn take_columns(
    cursor: &mut Cursor<'_>,
    report: &mut Report<'_>,
    (what, expected): (&str, &str),
) -> Option<Vec<String>> {
    let open = cursor.range();
    if !cursor.at_sign(&Token::LParen) {
        report.fault(open, format!("{} behind `{what}`; expected {expected}", cursor.found()));
        return None;
    }
    let Some(inside) = cursor.parenthesised() else {
        report.fault(open, format!("the parenthesis of `{what}` isn't closed; expected `)`"));
        return None;
    };
    let mut list = Cursor::new(cursor.text(), inside);
    if inside.is_empty() {
        let range = open.start..cursor.range_from(cursor.at().saturating_sub(1)).end;
        report.fault(range, format!("`{what}` names no column; expected at least one"));
        return None;
    }
    let mut columns = Vec::new();
    loop {
        let range = list.range();
        match take_column(&mut list) {
            Some(_) if list.at_sign(&Token::Period) => {
                let start = range.start;
                let mut several = list.moved_to(list.at() - 1);
                let end = take_path(&mut several).map_or(range.end, |path| path.range.end);
                let message = format!(
                    "{} has several parts; expected the plain name of a column",
                    shown(&list.text()[start..end])
                );
                report.fault(start..end, message);
                return None;
            }
            Some(column) => columns.push(column),
            None => {
                report.fault(range, no_column(&list));
                return None;
            }
        }
        if list.peek().is_none() {
            return Some(columns);
        }
        if !list.take_sign(&Token::Comma) {
            report.fault(list.range(), format!("{} in `{what}`; expected `,` or `)`", list.found()));
            return None;
        }
    }
}

/// What to say where a column should stand.
pub(super) fn no_column(cursor: &Cursor<'_>) -> String {
    let expected = match cursor.peek().map(|piece| &piece.token) {
        Some(Token::SingleQuotedString(_) | Token::DoubleQuotedString(_)) => {
            "the name of a column, in backticks if it needs quotes"
        }
        _ => "the name of a column",
    };
    let found = if cursor.peek().is_some() { cursor.found() } else { "the list ends in a comma".to_owned() };
    format!("{found}; expected {expected}")
}

/// Whether a text is one name as it is written in a statement, with or without catalog and schema.
pub(super) fn is_path(text: &str, pieces: &[Piece]) -> bool {
    let mut cursor = Cursor::new(text, pieces);
    take_path(&mut cursor).is_some() && cursor.peek().is_none()
}

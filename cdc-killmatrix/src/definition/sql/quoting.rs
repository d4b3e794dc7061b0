//! Names and expressions as they are written into a statement.

use std::borrow::Cow;

use super::cursor::on_one_line;
use super::names::is_path;
use super::tokens::pieces;

/// A column of a flow, in backticks where it needs them.
pub(in super::super) fn column(name: &str) -> Cow<'_, str> {
    if is_word(name) || is_quoted(name) { Cow::Borrowed(name) } else { Cow::Owned(in_backticks(name)) }
}

/// The name of a table or a flow: as it is where it can be read, otherwise in backticks.
pub(in super::super) fn path(name: &str) -> Cow<'_, str> {
    let is_readable =
        pieces(name).is_some_and(|pieces| is_path(name, &pieces) && on_one_line(name, &pieces) == name);
    // A name may be a word of the grammar.
    let is_kept = is_readable
        && !["AS", "COMMENT", "FROM", "STREAM"].iter().any(|word| name.eq_ignore_ascii_case(word));
    if is_kept { Cow::Borrowed(name) } else { Cow::Owned(in_backticks(name)) }
}

/// An expression on one line, without comments; as it is where it makes no sense.
pub(in super::super) fn expression(text: &str) -> String {
    pieces(text).map_or_else(|| text.trim().to_owned(), |pieces| on_one_line(text, &pieces))
}

fn is_word(name: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_alphabetic() || c == '_';
    name.starts_with(is_letter) && name.chars().all(|c| is_letter(c) || c.is_ascii_digit())
}

/// Whether a name is in backticks, those inside being doubled.
fn is_quoted(name: &str) -> bool {
    let inside = name.strip_prefix('`').and_then(|name| name.strip_suffix('`'));
    inside.is_some_and(|inside| !inside.replace("``", "").contains('`'))
}

fn in_backticks(name: &str) -> String {
    format!("`{}`", name.replace('`', "``"))
}

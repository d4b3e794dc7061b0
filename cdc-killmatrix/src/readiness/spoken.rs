//! Values and lists as sentences need them.

use cdc_core::{Schema, Value};

/// How many characters of a value are shown.
const SHOWN: usize = 40;

/// How many things of a list are named.
const NAMED: usize = 4;

/// A value, cut where it is long; a text that could be misread is in quotes.
pub(super) fn value(value: &Value) -> String {
    let text = match value {
        Value::String(text) if text.is_empty() || &**text == "null" || text.trim() != &**text => {
            format!("{text:?}")
        }
        value => value.to_string(),
    };
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// Things one after the other: `a`, `a and b`, `a, b and c`; where there are many, the first ones.
pub(super) fn listed(things: &[String]) -> String {
    match things {
        [] => String::new(),
        [one] => one.clone(),
        things if NAMED < things.len() => {
            format!("{} and {} more", things[..NAMED].join(", "), things.len() - NAMED)
        }
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// Columns with their values: `customer_id 42`.
pub(super) fn named<'v>(
    schema: &Schema,
    columns: &[usize],
    value_of: impl Fn(usize) -> Option<&'v Value>,
) -> String {
    let pair = |&column: &usize| {
        let shown = value_of(column).map(value).unwrap_or_default();
        format!("{} {shown}", schema[column].name)
    };
    listed(&columns.iter().map(pair).collect::<Vec<String>>())
}

/// A sentence that begins with a capital letter.
pub(super) fn capital(sentence: &str) -> String {
    let mut characters = sentence.chars();
    characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}

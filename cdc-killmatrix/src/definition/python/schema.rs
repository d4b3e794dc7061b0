//! The columns that a table declares.

use cdc_core::{DataType, ScdType};

use super::arguments::Reader;
use super::values::Given;
use crate::definition::Bounds;

/// The types of the bounds in a schema that is given as text; what is wrong with them is said.
pub(super) fn bounds<'a>(reader: &mut Reader<'_, 'a>, given: Given<'a>, scd_type: ScdType) -> Bounds {
    let mut types = Bounds::default();
    reader.values.begin();
    let Ok(schema) = reader.values.text(given) else { return types };
    let columns = columns(&schema);
    let find =
        |name: &str| columns.iter().find(|(other, _)| other.eq_ignore_ascii_case(name)).map(|(_, kind)| kind);
    let scd = if scd_type == ScdType::Bitemporal { "BITEMPORAL" } else { "of SCD type 2" };
    for (pair, of) in Bounds::pairs(scd_type) {
        let [first, second] = pair;
        let by = if of == "sequence" { "sequence_by" } else { "system_sequence_by" };
        let text = match (find(first), find(second)) {
            (Some(start), Some(end)) if same(start, end) => {
                types.keep(pair, start.parse().ok());
                continue;
            }
            (Some(start), Some(end)) => format!(
                "the schema has `{first}` of type {start} and `{second}` of type {end}; expected the type of \
                 `{by}` for both"
            ),
            (None, None) => format!(
                "the schema lacks `{first}` and `{second}`; expected both, of the type of `{by}`, as the target is \
                 {scd}"
            ),
            (start, _) => {
                let (lacks, has) = if start.is_none() { (first, second) } else { (second, first) };
                format!("the schema lacks `{lacks}`; expected it beside `{has}`, of the type of `{by}`")
            }
        };
        reader.fault(given.expr, text);
    }
    types
}

fn same(one: &str, other: &str) -> bool {
    match (one.parse::<DataType>(), other.parse::<DataType>()) {
        (Ok(one), Ok(other)) => one == other,
        _ => one.eq_ignore_ascii_case(other),
    }
}

/// The names and types of a table's columns, from their declaration in SQL.
fn columns(schema: &str) -> Vec<(String, String)> {
    let mut columns = Vec::new();
    let (mut depth, mut quote, mut start) = (0_usize, None, 0);
    for (i, c) in schema.char_indices().chain([(schema.len(), ',')]) {
        match (quote, c) {
            _ if i == schema.len() => columns.extend(column(&schema[start..])),
            (Some(open), c) if c == open => quote = None,
            (None, '\'' | '"' | '`') => quote = Some(c),
            (None, '(' | '<') => depth += 1,
            (None, ')' | '>') => depth = depth.saturating_sub(1),
            (None, ',') if depth == 0 => {
                columns.extend(column(&schema[start..i]));
                start = i + 1;
            }
            _ => {}
        }
    }
    columns
}

/// `name TYPE`, `name: TYPE`, and what follows left out.
fn column(text: &str) -> Option<(String, String)> {
    let text = text.trim();
    let (name, rest) = match text.strip_prefix('`') {
        Some(quoted) => quoted.split_once('`')?,
        None => text.split_at(text.find(|c: char| c.is_whitespace() || c == ':').unwrap_or(text.len())),
    };
    let rest = rest.trim_start().trim_start_matches(':');
    let upper = rest.to_ascii_uppercase();
    let end =
        [" NOT NULL", " COMMENT ", " GENERATED ", " DEFAULT ", " MASK ", " PRIMARY KEY", " CONSTRAINT "]
            .iter()
            .filter_map(|word| upper.find(word))
            .min()
            .unwrap_or(rest.len());
    Some((name.to_owned(), rest[..end].split_whitespace().collect::<Vec<_>>().join(" ").to_uppercase()))
}

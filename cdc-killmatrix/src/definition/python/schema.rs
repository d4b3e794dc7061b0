//! The columns that a table declares.

use cdc_core::{DataType, ScdType};

use super::arguments::Reader;
use super::values::Given;
use crate::definition::{Bounds, sql};

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
    let (_, columns) = sql::columns(schema);
    let columns = columns.into_iter().flatten().flatten();
    columns.map(|column| (column.name, column.data_type.to_uppercase())).collect()
}

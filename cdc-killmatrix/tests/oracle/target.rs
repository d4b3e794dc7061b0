//! The table that flows write into: its columns, and what all its flows must agree on.

use std::cmp::Ordering;

use serde_json::{Map, Value as Json};

use super::Row;
use super::typed::{Kind, compare, field, place, same_name};

/// How long a delete is remembered where the flow doesn't say: two days.
const TWO_DAYS: u64 = 172_800;

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Target {
    pub(crate) stored: Stored,
    pub(crate) keys: Vec<Kind>,
    pub(crate) sequence: Vec<(String, Kind)>,
    pub(crate) sequence_is_struct: bool,
    pub(crate) system: Option<Kind>,
    /// Without the bounds.
    pub(crate) columns: Vec<(String, Kind)>,
    /// Places in the columns.
    pub(crate) tracked: Vec<usize>,
    /// `None`: deletes are remembered for ever.
    pub(crate) forgets_after: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stored {
    /// SCD type 1.
    Newest,
    /// SCD type 2.
    History,
    Bitemporal,
}

impl Target {
    pub(crate) fn stored(flow: &Map<String, Json>) -> Stored {
        match flow.get("stored_as_scd_type").map(|scd| scd.to_string().replace('"', "").to_uppercase()) {
            None => Stored::Newest,
            Some(scd) if scd == "1" => Stored::Newest,
            Some(scd) if scd == "2" => Stored::History,
            Some(scd) if scd == "BITEMPORAL" => Stored::Bitemporal,
            Some(scd) => panic!("the oracle knows nothing of SCD type {scd}"),
        }
    }

    /// Nothing expires in a bitemporal table, nor in Apache Spark 4.3.
    pub(crate) fn forgets_after(flow: &Map<String, Json>) -> Option<u64> {
        let dialect = flow.get("dialect").map_or(Some("databricks"), Json::as_str);
        let never = match dialect {
            Some("databricks") => Self::stored(flow) == Stored::Bitemporal,
            Some("spark-4.3") => true,
            _ => panic!("the oracle knows nothing of the dialect {dialect:?}"),
        };
        let threshold = flow
            .get("tombstone_gc_threshold_seconds")
            .map_or(TWO_DAYS, |seconds| seconds.as_u64().expect("a number of seconds"));
        (!never).then_some(threshold)
    }

    /// The columns that the target shows.
    pub(crate) fn shown(&self) -> Vec<(String, Kind)> {
        let mut shown = self.columns.clone();
        let mut bounds = |names: [&str; 2], kind: &Kind| {
            shown.extend(names.map(|name| (name.to_owned(), kind.clone())));
        };
        if self.stored != Stored::Newest {
            let of_struct = Kind::Struct(self.sequence.clone());
            let bound = if self.sequence_is_struct { &of_struct } else { &self.sequence[0].1 };
            bounds(["__START_AT", "__END_AT"], bound);
        }
        if let Some(system) = &self.system {
            bounds(["__SYSTEM_START_AT", "__SYSTEM_END_AT"], system);
        }
        shown
    }

    /// The rows of a typed table: a list of objects, or columns and rows. Every column of the target must
    /// be there, and no other.
    pub(crate) fn expected(&self, table: &Json) -> Vec<Row> {
        let shown = self.shown();
        rows_of(table)
            .iter()
            .map(|row| {
                for name in row.keys() {
                    place(&shown, name);
                }
                let value = |(name, kind): &(String, Kind)| {
                    assert!(
                        row.keys().any(|column| same_name(column, name)),
                        "`{name}` is missing in {row:?}"
                    );
                    kind.read(field(row, name))
                };
                shown.iter().map(value).collect()
            })
            .collect()
    }

    /// Whether two tables hold the same rows, each as often, in whatever order.
    pub(crate) fn same(&self, left: &[Row], right: &[Row]) -> bool {
        let shown = self.shown();
        let equal = |a: &Row, b: &Row| {
            a.len() == b.len()
                && shown.iter().zip(a.iter().zip(b)).all(|((_, kind), (a, b))| compare(kind, a, b).is_eq())
        };
        let count = |table: &[Row], row: &Row| table.iter().filter(|other| equal(row, other)).count();
        left.len() == right.len() && left.iter().all(|row| count(left, row) == count(right, row))
    }

    pub(crate) fn is_same_key(&self, a: &Row, b: &Row) -> bool {
        lexical(self.keys.iter(), a, b).is_eq()
    }

    pub(crate) fn by_sequence(&self, a: &Row, b: &Row) -> Ordering {
        lexical(self.sequence.iter().map(|(_, kind)| kind), a, b)
    }

    pub(crate) fn by_system(&self, a: &Json, b: &Json) -> Ordering {
        self.system.as_ref().map_or(Ordering::Equal, |kind| compare(kind, a, b))
    }

    /// The value that stands in a bound.
    pub(crate) fn bound(&self, sequence: &Row) -> Json {
        if self.sequence_is_struct { Json::Array(sequence.clone()) } else { sequence[0].clone() }
    }
}

/// Compares values one by one, the first difference deciding.
fn lexical<'a>(kinds: impl Iterator<Item = &'a Kind>, a: &Row, b: &Row) -> Ordering {
    let differences = kinds.zip(a.iter().zip(b)).map(|(kind, (a, b))| compare(kind, a, b));
    differences.fold(Ordering::Equal, Ordering::then)
}

/// The rows of a list of objects, or of columns and rows.
pub(crate) fn rows_of(table: &Json) -> Vec<Map<String, Json>> {
    if let Some(rows) = table.as_array() {
        return rows.iter().map(|row| row.as_object().expect("a row is an object").clone()).collect();
    }
    let columns = table["columns"].as_array().expect("a table has columns");
    let names = || columns.iter().map(|name| name.as_str().expect("a name").to_owned());
    let rows = table["rows"].as_array().expect("a table has rows");
    let row = |row: &Json| {
        let values = row.as_array().expect("a row is a list");
        assert_eq!(values.len(), columns.len(), "as many values as columns");
        names().zip(values.iter().cloned()).collect()
    };
    rows.iter().map(row).collect()
}

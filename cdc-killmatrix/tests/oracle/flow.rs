//! What a flow and a schema say, as a fixture writes them, and the tables that follow from them.

use serde_json::{Map, Value as Json};

use super::typed::{self, Kind, compare};
use super::{Row, picked};

/// Columns are places in the source.
pub(crate) struct Flow {
    pub(crate) columns: Vec<(String, Kind)>,
    pub(crate) keys: Vec<usize>,
    pub(crate) sequence: Vec<usize>,
    pub(crate) sequence_is_struct: bool,
    pub(crate) delete_condition: Option<String>,
    pub(crate) output: Vec<usize>,
    pub(crate) ignoring_nulls: Vec<usize>,
    pub(crate) tracked: Vec<usize>,
    pub(crate) keeps_history: bool,
}

const UNDERSTOOD: [&str; 12] = [
    "keys",
    "sequence_by",
    "apply_as_deletes",
    "column_list",
    "except_column_list",
    "stored_as_scd_type",
    "ignore_null_updates",
    "ignore_null_updates_column_list",
    "ignore_null_updates_except_column_list",
    "track_history_column_list",
    "track_history_except_column_list",
    "dialect",
];

impl Flow {
    pub(crate) fn read(flow: &Json, schema: &Json) -> Self {
        let Some(flow) = flow.as_object() else { panic!("not an object: `flow` {flow}") };
        if let Some(parameter) = flow.keys().find(|name| !UNDERSTOOD.contains(&name.as_str())) {
            panic!("the oracle knows nothing of `{parameter}`");
        }
        let columns: Vec<(String, Kind)> = schema
            .as_object()
            .expect("a schema is an object")
            .iter()
            .map(|(name, kind)| (name.clone(), Kind::parse(kind.as_str().expect("a type is text"))))
            .collect();
        let all = || (0..columns.len()).collect::<Vec<usize>>();
        let listed = |parameter: &str| -> Option<Vec<usize>> {
            let names = flow.get(parameter)?.as_array().expect("a list of columns");
            let places = names.iter().map(|name| place(&columns, name.as_str().expect("a name")));
            // An empty list counts as left out.
            Some(places.collect()).filter(|places: &Vec<usize>| !places.is_empty())
        };
        let selected = |only: &str, except: &str| match (listed(only), listed(except)) {
            (Some(only), _) => Some(only),
            (None, Some(except)) => {
                Some(all().into_iter().filter(|column| !except.contains(column)).collect())
            }
            (None, None) => None,
        };

        let sequence_by = flow["sequence_by"].as_str().expect("a sequence").trim();
        let fields = sequence_by
            .to_lowercase()
            .starts_with("struct(")
            .then(|| sequence_by["struct(".len()..].strip_suffix(')').expect("`struct(a, b)`"));
        let sequence = fields.unwrap_or(sequence_by).split(',').map(|name| place(&columns, name)).collect();
        let mut output = selected("column_list", "except_column_list").unwrap_or_else(all);
        output.sort_unstable();
        let nulls = ("ignore_null_updates_column_list", "ignore_null_updates_except_column_list");
        let ignores =
            flow.get("ignore_null_updates") == Some(&Json::Bool(true)) || flow.contains_key(nulls.1);
        let ignoring_nulls =
            selected(nulls.0, nulls.1).unwrap_or_else(|| if ignores { all() } else { Vec::new() });
        let mut tracked =
            selected("track_history_column_list", "track_history_except_column_list").unwrap_or_else(all);
        tracked.retain(|column| output.contains(column));
        let keeps_history = match flow.get("stored_as_scd_type").map(|scd| scd.to_string().replace('"', "")) {
            None => false,
            Some(scd) if scd == "1" => false,
            Some(scd) if scd == "2" => true,
            Some(scd) => panic!("the oracle knows nothing of SCD type {scd}"),
        };
        Self {
            keys: listed("keys").expect("a key"),
            sequence,
            sequence_is_struct: fields.is_some(),
            delete_condition: flow.get("apply_as_deletes").and_then(Json::as_str).map(str::to_owned),
            output,
            ignoring_nulls,
            tracked,
            keeps_history,
            columns,
        }
    }

    pub(crate) fn place(&self, name: &str) -> usize {
        place(&self.columns, name)
    }

    pub(crate) fn kind(&self, column: usize) -> &Kind {
        &self.columns[column].1
    }

    /// The columns of the target.
    pub(crate) fn target(&self) -> Vec<(String, Kind)> {
        let mut target: Vec<(String, Kind)> =
            self.output.iter().map(|&column| self.columns[column].clone()).collect();
        if self.keeps_history {
            let fields: Vec<(String, Kind)> = picked(&self.columns, &self.sequence);
            let bound = if self.sequence_is_struct { Kind::Struct(fields) } else { fields[0].1.clone() };
            target.extend(["__START_AT", "__END_AT"].map(|name| (name.to_owned(), bound.clone())));
        }
        target
    }

    /// The rows of a typed table: a list of objects, or columns and rows. Every column of the target must
    /// be there, and no other.
    pub(crate) fn expected(&self, table: &Json) -> Vec<Row> {
        let target = self.target();
        rows_of(table)
            .iter()
            .map(|row| {
                for name in row.keys() {
                    place(&target, name);
                }
                let value = |(name, kind): &(String, Kind)| {
                    assert!(
                        row.keys().any(|column| same_name(column, name)),
                        "`{name}` is missing in {row:?}"
                    );
                    kind.read(typed::field(row, name))
                };
                target.iter().map(value).collect()
            })
            .collect()
    }

    /// Whether two tables hold the same rows, each as often, in whatever order.
    pub(crate) fn same(&self, left: &[Row], right: &[Row]) -> bool {
        let target = self.target();
        let equal = |a: &Row, b: &Row| {
            a.len() == b.len()
                && target.iter().zip(a.iter().zip(b)).all(|((_, kind), (a, b))| compare(kind, a, b).is_eq())
        };
        let count = |table: &[Row], row: &Row| table.iter().filter(|other| equal(row, other)).count();
        left.len() == right.len() && left.iter().all(|row| count(left, row) == count(right, row))
    }
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

fn place(columns: &[(String, Kind)], name: &str) -> usize {
    let name = name.trim().trim_matches('`');
    let found = columns.iter().position(|(column, _)| same_name(column, name));
    found.unwrap_or_else(|| panic!("there is no column `{name}`"))
}

pub(crate) fn same_name(left: &str, right: &str) -> bool {
    left == right || left.to_lowercase() == right.to_lowercase()
}

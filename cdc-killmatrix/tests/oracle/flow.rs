//! What a flow says, as a fixture writes it, and how it reads its source.

use serde_json::{Map, Value as Json};

use super::target::{Stored, Target};
use super::typed::{Kind, field, place, same_name};
use super::{Row, condition, picked};

/// Columns are places in the source.
pub(crate) struct Flow {
    columns: Vec<(String, Kind)>,
    keys: Vec<usize>,
    output: Vec<usize>,
    pub(crate) once: bool,
    pub(crate) source: Source,
}

pub(crate) enum Source {
    Events(Events),
    /// Snapshots with versions of this kind.
    Snapshots(Kind),
}

/// How a flow of events reads them.
pub(crate) struct Events {
    sequence: Vec<usize>,
    sequence_is_struct: bool,
    system: Option<usize>,
    delete_condition: Option<String>,
    truncate_condition: Option<String>,
    columns_to_update: Option<usize>,
    ignoring_nulls: Vec<usize>,
}

/// What an event says of which row, and where it stands on the axes.
#[derive(Clone, Debug)]
pub(crate) struct Read {
    pub(crate) asks: Asks,
    pub(crate) key: Row,
    pub(crate) sequence: Row,
    /// Null where there is no such axis.
    pub(crate) system: Json,
    /// The values in the columns of the target.
    pub(crate) values: Row,
    /// What each of them says.
    pub(crate) says: Vec<Says>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asks {
    Upsert,
    Delete,
    Truncate,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Says {
    /// The value counts, also if it is null.
    Itself,
    /// The value counts unless it is null, in structs field by field.
    NothingIfNull,
    Nothing,
}

const OF_ALL: [&str; 8] = [
    "keys",
    "stored_as_scd_type",
    "track_history_column_list",
    "track_history_except_column_list",
    "once",
    "dialect",
    "tombstone_gc_threshold_seconds",
    "from_snapshot",
];

const OF_EVENTS: [&str; 10] = [
    "sequence_by",
    "system_sequence_by",
    "apply_as_deletes",
    "apply_as_truncates",
    "columns_to_update",
    "column_list",
    "except_column_list",
    "ignore_null_updates",
    "ignore_null_updates_column_list",
    "ignore_null_updates_except_column_list",
];

const OF_SNAPSHOTS: [&str; 1] = ["version_type"];

impl Flow {
    /// A flow, and the target that it wants.
    pub(crate) fn read(flow: &Json, schema: &Json) -> (Self, Target) {
        let Some(flow) = flow.as_object() else { panic!("not an object: `flow` {flow}") };
        let is_true = |parameter| flow.get(parameter) == Some(&Json::Bool(true));
        let from_snapshot = is_true("from_snapshot");
        let others = if from_snapshot { &OF_SNAPSHOTS[..] } else { &OF_EVENTS[..] };
        let understood = |name: &&String| OF_ALL.contains(&name.as_str()) || others.contains(&name.as_str());
        if let Some(parameter) = flow.keys().find(|name| !understood(name)) {
            panic!("the oracle knows nothing of `{parameter}`");
        }
        let columns: Vec<(String, Kind)> = schema
            .as_object()
            .expect("a schema is an object")
            .iter()
            .map(|(name, kind)| (name.clone(), Kind::parse(kind.as_str().expect("a type is text"))))
            .collect();
        let all = || (0..columns.len()).collect::<Vec<usize>>();
        let text = |parameter: &str| flow.get(parameter).and_then(Json::as_str).map(str::to_owned);
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

        let keys = listed("keys").expect("a key");
        let mut output = selected("column_list", "except_column_list").unwrap_or_else(all);
        output.sort_unstable();
        let tracked =
            selected("track_history_column_list", "track_history_except_column_list").unwrap_or_else(all);
        let system = text("system_sequence_by").map(|name| place(&columns, &name));
        let stored = Target::stored(flow);
        assert_eq!(system.is_some(), stored == Stored::Bitemporal, "BITEMPORAL has a system sequence");
        let (source, sequence, sequence_is_struct) = if from_snapshot {
            let kind = Kind::parse(&text("version_type").unwrap_or_else(|| "BIGINT".to_owned()));
            (Source::Snapshots(kind.clone()), vec![("version".to_owned(), kind)], false)
        } else {
            let sequence_by = text("sequence_by").expect("a sequence").trim().to_owned();
            let fields = sequence_by
                .to_lowercase()
                .starts_with("struct(")
                .then(|| sequence_by["struct(".len()..].strip_suffix(')').expect("`struct(a, b)`"));
            let sequence: Vec<usize> =
                fields.unwrap_or(&sequence_by).split(',').map(|name| place(&columns, name)).collect();
            let nulls = ("ignore_null_updates_column_list", "ignore_null_updates_except_column_list");
            let ignores = is_true("ignore_null_updates") || flow.contains_key(nulls.1);
            let ignoring_nulls =
                selected(nulls.0, nulls.1).unwrap_or_else(|| if ignores { all() } else { Vec::new() });
            let events = Events {
                sequence: sequence.clone(),
                sequence_is_struct: fields.is_some(),
                system,
                delete_condition: text("apply_as_deletes"),
                truncate_condition: text("apply_as_truncates"),
                columns_to_update: text("columns_to_update").map(|name| place(&columns, &name)),
                ignoring_nulls,
            };
            (Source::Events(events), picked(&columns, &sequence), fields.is_some())
        };
        let target = Target {
            stored,
            keys: keys.iter().map(|&key| columns[key].1.clone()).collect(),
            sequence,
            sequence_is_struct,
            system: system.map(|column| columns[column].1.clone()),
            columns: picked(&columns, &output),
            tracked: (0..output.len()).filter(|&column| tracked.contains(&output[column])).collect(),
            forgets_after: Target::forgets_after(flow),
        };
        (Self { columns, keys, output, once: is_true("once"), source }, target)
    }

    /// The values of a row of the source.
    pub(crate) fn values(&self, row: &Map<String, Json>) -> Row {
        for name in row.keys() {
            place(&self.columns, name);
        }
        self.columns.iter().map(|(name, kind)| kind.read(field(row, name))).collect()
    }

    pub(crate) fn key(&self, values: &Row) -> Row {
        picked(values, &self.keys)
    }

    /// Whether two rows of the source have the same values.
    pub(crate) fn are_equal(&self, a: &Row, b: &Row) -> bool {
        self.columns.iter().zip(a.iter().zip(b)).all(|((_, kind), (a, b))| kind.equal(a, b))
    }

    /// The events of a batch, or the class with which it is refused.
    pub(crate) fn events(
        &self,
        events: &Events,
        rows: &[Map<String, Json>],
    ) -> Result<Vec<Read>, &'static str> {
        let batch: Vec<Read> = rows.iter().map(|row| self.event(events, row)).collect();
        // `struct(a, b)` is never null, whatever its fields are: measured on Apache Spark 4.3.0.
        let unordered = |read: &Read| {
            (!events.sequence_is_struct && read.sequence[0].is_null())
                || (events.system.is_some() && read.system.is_null())
        };
        if batch.iter().any(unordered) {
            return Err("NULL_SEQUENCE");
        }
        // A truncate speaks of all rows: it needs no key.
        let keyless = |read: &Read| read.asks != Asks::Truncate && read.key.iter().any(Json::is_null);
        if batch.iter().any(keyless) {
            return Err("NULL_KEY");
        }
        Ok(batch)
    }

    fn event(&self, events: &Events, row: &Map<String, Json>) -> Read {
        let values = self.values(row);
        let value_of = |name: &str| &values[place(&self.columns, name)];
        // A null condition is a false one.
        let holds = |condition: &Option<String>| {
            condition.as_deref().is_some_and(|text| condition::holds(text, &value_of) == Some(true))
        };
        let asks = if holds(&events.truncate_condition) {
            Asks::Truncate
        } else if holds(&events.delete_condition) {
            Asks::Delete
        } else {
            Asks::Upsert
        };
        let listed = events.columns_to_update.and_then(|column| values[column].as_array());
        let says = |&column: &usize| match listed {
            _ if self.keys.contains(&column) => Says::Itself,
            Some(names) => {
                let is_listed =
                    |name: &Json| name.as_str().is_some_and(|name| same_name(name, &self.columns[column].0));
                if names.iter().any(is_listed) { Says::Itself } else { Says::Nothing }
            }
            None if events.ignoring_nulls.contains(&column) => Says::NothingIfNull,
            None => Says::Itself,
        };
        Read {
            asks,
            key: self.key(&values),
            sequence: picked(&values, &events.sequence),
            system: events.system.map_or(Json::Null, |column| values[column].clone()),
            says: self.output.iter().map(says).collect(),
            values: picked(&values, &self.output),
        }
    }

    /// What the row of a snapshot says, or that it is gone.
    pub(crate) fn of_snapshot(&self, values: &Row, version: &Json, asks: Asks) -> Read {
        Read {
            asks,
            key: self.key(values),
            sequence: vec![version.clone()],
            system: Json::Null,
            says: vec![Says::Itself; self.output.len()],
            values: picked(values, &self.output),
        }
    }
}

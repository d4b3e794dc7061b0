//! What may be wrong with a flow: each method finds its part, says what is wrong, and goes on.

use crate::data_type::{DataType, Field};
use crate::error::{ConfigError, ConfigErrors};
use crate::flow::{Dialect, Flow, ScdType};
use crate::row::{Column, Schema};
use crate::sql::{self, Condition, SqlError};

mod lists;
mod modes;

use lists::{List, twice, unquoted};

/// The names that AUTO CDC adds to a target with a history.
pub(crate) const BOUNDS: [&str; 2] = ["__START_AT", "__END_AT"];

/// The names that it adds to a bitemporal target as well.
pub(crate) const SYSTEM_BOUNDS: [&str; 2] = ["__SYSTEM_START_AT", "__SYSTEM_END_AT"];

/// The columns that make a feed of snapshots: the version, and whether the row is gone in it.
pub(crate) const SNAPSHOT_COLUMNS: [&str; 2] = ["__SNAPSHOT_VERSION", "__IS_MISSING"];

/// A column that Spark's AUTO CDC adds to every target, and how its other columns begin.
const OF_SPARK: (&str, &str) = ("__spark_autocdc_metadata", "__spark_autocdc_");

const NOT_FOUND: Option<&str> = Some("AUTOCDC_COLUMNS_NOT_FOUND_IN_SCHEMA");

/// Checks a flow against the schema of its source.
pub(crate) struct Check<'a> {
    schema: &'a Schema,
    flow: &'a Flow,
    errors: Vec<ConfigError>,
}

impl<'a> Check<'a> {
    pub(crate) fn new(schema: &'a Schema, flow: &'a Flow) -> Self {
        Self { schema, flow, errors: Vec::new() }
    }

    /// The source of a feed of snapshots: its columns, the version, and whether the row is gone in it.
    pub(crate) fn fed(schema: &Schema, version_type: &DataType) -> Schema {
        let types = [version_type.clone(), DataType::Boolean];
        let added = SNAPSHOT_COLUMNS.into_iter().zip(types);
        let added = added.map(|(name, data_type)| Column { name: name.to_owned(), data_type });
        Schema::of(schema.iter().cloned().chain(added).collect())
    }

    pub(crate) fn finish(self) -> Result<(), ConfigErrors> {
        if self.errors.is_empty() { Ok(()) } else { Err(ConfigErrors(self.errors)) }
    }

    /// KEYS: places in the source.
    pub(crate) fn keys(&mut self) -> Vec<usize> {
        if self.flow.keys.is_empty() {
            let text = "no key is given; expected at least one column";
            self.errors.push(ConfigError::new(Some("AUTOCDC_EMPTY_KEYS"), "keys", text));
        }
        let keys = self.columns("keys", &self.flow.keys);
        for &key in &keys {
            let Field { name, data_type } = &self.schema[key];
            if data_type.is_orderable() {
                continue;
            }
            let what = match data_type {
                DataType::Map(..) => "is a map".to_owned(),
                other => format!("has type {other}, which holds a map"),
            };
            let text = format!("`{name}` {what}, and maps have no equality; expected another type");
            self.errors.push(ConfigError::new(None, "keys", text));
        }
        keys
    }

    /// SEQUENCE BY: places in the source, and whether they are the fields of a struct.
    pub(crate) fn sequence(&mut self) -> (Vec<usize>, bool) {
        let parameter = "sequence_by";
        if self.flow.sequence_by.trim().is_empty() {
            let text = "no sequence is given; expected a column, or `struct(a, b)`";
            self.errors.push(ConfigError::new(Some("AUTOCDC_MISSING_SEQUENCE_BY"), parameter, text));
            return (Vec::new(), false);
        }
        let sequence = match sql::sequence_by(&self.flow.sequence_by) {
            Ok(sequence) => sequence,
            Err(error) => {
                self.errors.push(of_sql(parameter, error));
                return (Vec::new(), false);
            }
        };
        let (mut places, mut given) = (Vec::new(), self.none());
        for (name, place) in sequence.columns {
            let Some(column) = self.schema.find(&name) else {
                self.errors.push(ConfigError::new(NOT_FOUND, parameter, self.unknown(&name)).at(place));
                continue;
            };
            let Field { name, data_type } = &self.schema[column];
            if std::mem::replace(&mut given[column], true) {
                self.errors.push(ConfigError::new(None, parameter, twice(name)).at(place));
                continue;
            }
            if !data_type.is_orderable() {
                let text =
                    format!("`{name}` has type {data_type}, which has no order; expected a sortable type");
                self.errors.push(ConfigError::new(Some("NON_ORDERABLE_SEQUENCE"), parameter, text).at(place));
            }
            places.push(column);
        }
        (places, sequence.is_struct)
    }

    /// COLUMNS: the places in the source that reach the target.
    pub(crate) fn output(&mut self, keys: &[usize]) -> Vec<usize> {
        let include = List::new("column_list", self.flow.column_list.as_ref());
        let exclude = List::new("except_column_list", self.flow.except_column_list.as_ref());
        let both = "AUTOCDC_BOTH_COLUMN_LIST_AND_EXCEPT_COLUMN_LIST";
        let selected = self.selected(include, exclude, both).unwrap_or_else(|| vec![true; self.schema.len()]);
        let parameter = if include.names.is_some() { include.parameter } else { exclude.parameter };

        for &key in keys.iter().filter(|&&key| !selected[key]) {
            let class = Some("AUTOCDC_KEY_NOT_IN_SELECTED_SCHEMA");
            let text = format!("the key `{}` isn't among the selected columns", self.schema[key].name);
            self.errors.push(ConfigError::new(class, parameter, text));
        }
        for (Field { name, .. }, _) in self.schema.iter().zip(&selected).filter(|(_, selected)| **selected) {
            if let Some(class) = self.reserved(name) {
                let (parameter, or) = match self.flow.from_snapshot {
                    None => (parameter, ", or exclude it"),
                    // It selects no columns.
                    Some(_) => ("from_snapshot", ""),
                };
                let text = format!("`{name}` is a reserved name; rename the column in the source{or}");
                self.errors.push(ConfigError::new(Some(class), parameter, text));
            }
        }
        (0..self.schema.len()).filter(|&column| selected[column]).collect()
    }

    /// APPLY AS DELETE WHEN.
    pub(crate) fn delete_condition(&mut self) -> Option<Condition> {
        self.condition("apply_as_deletes", self.flow.apply_as_deletes.as_ref()?)
    }

    /// APPLY AS TRUNCATE WHEN.
    pub(crate) fn truncate_condition(&mut self) -> Option<Condition> {
        let parameter = "apply_as_truncates";
        let text = self.flow.apply_as_truncates.as_ref()?;
        if self.flow.stored_as_scd_type != ScdType::One {
            let text = format!("a truncate needs SCD type 1; this flow is stored as {}", self.stored_as());
            self.errors.push(ConfigError::new(None, parameter, text));
        }
        self.condition(parameter, text)
    }

    /// The class of the error that a column of this name in the target is.
    fn reserved(&self, name: &str) -> Option<&'static str> {
        let is = |reserved: &&str| name.eq_ignore_ascii_case(reserved);
        let of_system = SYSTEM_BOUNDS.iter().filter(|_| self.flow.stored_as_scd_type == ScdType::Bitemporal);
        let is_spark = self.flow.dialect == Dialect::Spark43;
        let (metadata, prefix) = OF_SPARK;
        if BOUNDS.iter().chain(of_system).any(is) || (is_spark && is(&metadata)) {
            return Some("AUTOCDC_RESERVED_COLUMN_NAME_CONFLICT");
        }
        let is_prefixed = name.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix));
        (is_spark && is_prefixed).then_some("AUTOCDC_RESERVED_COLUMN_NAME_PREFIX_CONFLICT")
    }

    fn stored_as(&self) -> &'static str {
        self.flow.stored_as_scd_type.name()
    }

    /// IGNORE NULL UPDATES: for each column of the source, whether a null in it is ignored.
    pub(crate) fn ignored(&mut self, keys: &[usize]) -> Vec<bool> {
        let flow = self.flow;
        let names = flow.ignore_null_updates_column_list.as_ref();
        let include = List::new("ignore_null_updates_column_list", names);
        let exceptions = flow.ignore_null_updates_except_column_list.as_ref();
        let exclude = List::new("ignore_null_updates_except_column_list", exceptions);
        if names.is_some_and(Vec::is_empty) {
            let class = Some("AUTOCDC_IGNORE_NULL_EMPTY_COLUMN_LIST");
            let text = "no column is given; expected at least one";
            self.errors.push(ConfigError::new(class, include.parameter, text));
        }
        let is_key = self.marked(keys);
        for List { parameter, names } in [include, exclude] {
            for (entry, name) in names.into_iter().flatten().enumerate() {
                let name = unquoted(name);
                if self.schema.find(&name).is_some_and(|column| is_key[column]) {
                    let text = format!("`{name}` is a key, and a key is never null; expected other columns");
                    self.errors.push(ConfigError::new(None, parameter, text).in_entry(entry));
                }
            }
        }
        let both = "AUTOCDC_CONFLICTING_IGNORE_NULL_UPDATES_OPTIONS";
        if flow.ignore_null_updates
            && let Some(list) = [include, exclude].iter().find(|list| list.names.is_some())
        {
            let text = "`ignore_null_updates` is true as well, for all columns; expected one of the two";
            self.errors.push(ConfigError::new(Some(both), list.parameter, text));
        }
        // An empty list of exceptions means what it says: no exception.
        let everywhere = flow.ignore_null_updates || exceptions.is_some();
        self.selected(include, exclude, both).unwrap_or_else(|| vec![everywhere; self.schema.len()])
    }

    /// TRACK HISTORY ON: for each column of the source, whether its history is tracked.
    pub(crate) fn tracked(&mut self, keys: &[usize], output: &[usize]) -> Vec<bool> {
        let include = List::new("track_history_column_list", self.flow.track_history_column_list.as_ref());
        let exceptions = self.flow.track_history_except_column_list.as_ref();
        let exclude = List::new("track_history_except_column_list", exceptions);
        if self.flow.stored_as_scd_type == ScdType::One {
            for list in [include, exclude].iter().filter(|list| list.names.is_some()) {
                let class = Some("AUTOCDC_TRACK_HISTORY_REQUIRES_SCD2");
                let text =
                    "tracking history needs SCD type 2 or BITEMPORAL; this flow is stored as SCD type 1";
                self.errors.push(ConfigError::new(class, list.parameter, text));
            }
        }
        // Databricks lets the list of exceptions name a column that doesn't reach the target (captured rows);
        // Spark doesn't (measured).
        let is_output = self.marked(output);
        let of_target =
            if self.flow.dialect == Dialect::Spark43 { vec![include, exclude] } else { vec![include] };
        for List { parameter, names } in of_target {
            for (entry, name) in names.into_iter().flatten().enumerate() {
                let name = unquoted(name);
                if self.schema.find(&name).is_some_and(|column| !is_output[column]) {
                    let text = format!("`{name}` doesn't reach the target; expected columns that do");
                    self.errors.push(ConfigError::new(NOT_FOUND, parameter, text).in_entry(entry));
                }
            }
        }
        let both = "AUTOCDC_BOTH_TRACK_HISTORY_COLUMN_LIST_AND_EXCEPT_COLUMN_LIST";
        let mut tracked =
            self.selected(include, exclude, both).unwrap_or_else(|| vec![true; self.schema.len()]);
        for &key in keys {
            tracked[key] = false;
        }
        tracked
    }

    fn condition(&mut self, parameter: &'static str, text: &str) -> Option<Condition> {
        let condition = Condition::parse(text, self.schema);
        condition
            .map_err(|errors| self.errors.extend(errors.into_iter().map(|it| of_sql(parameter, it))))
            .ok()
    }
}

fn of_sql(parameter: &'static str, error: SqlError) -> ConfigError {
    ConfigError::new(error.class, parameter, error.message).at(error.place)
}

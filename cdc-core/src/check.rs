//! What may be wrong with a flow: each method finds its part, says what is wrong, and goes on.

use std::borrow::Cow;

use crate::data_type::{DataType, Field};
use crate::error::{ConfigError, ConfigErrors};
use crate::flow::{Flow, ScdType};
use crate::row::Schema;
use crate::sql::{self, Condition, SqlError};

/// The names that AUTO CDC adds to a target of type 2.
pub(crate) const BOUNDS: [&str; 2] = ["__START_AT", "__END_AT"];

const NOT_FOUND: Option<&str> = Some("AUTOCDC_COLUMNS_NOT_FOUND_IN_SCHEMA");

/// How many columns are listed where a name isn't among them.
const LISTED: usize = 50;

/// Checks a flow against the schema of its source.
pub(crate) struct Check<'a> {
    schema: &'a Schema,
    flow: &'a Flow,
    errors: Vec<ConfigError>,
}

/// A list of columns, which may be left out: an empty one counts as left out.
#[derive(Clone, Copy)]
struct List<'a> {
    parameter: &'static str,
    names: Option<&'a [String]>,
}

impl<'a> List<'a> {
    fn new(parameter: &'static str, names: Option<&'a Vec<String>>) -> Self {
        Self { parameter, names: names.map(Vec::as_slice).filter(|names| !names.is_empty()) }
    }
}

impl<'a> Check<'a> {
    pub(crate) fn new(schema: &'a Schema, flow: &'a Flow) -> Self {
        Self { schema, flow, errors: Vec::new() }
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
        for name in BOUNDS {
            if self.schema.find(name).is_some_and(|column| selected[column]) {
                let class = Some("AUTOCDC_RESERVED_COLUMN_NAME_CONFLICT");
                let text =
                    format!("`{name}` is a reserved name; rename the column in the source, or exclude it");
                self.errors.push(ConfigError::new(class, parameter, text));
            }
        }
        (0..self.schema.len()).filter(|&column| selected[column]).collect()
    }

    /// APPLY AS DELETE WHEN.
    pub(crate) fn delete_condition(&mut self) -> Option<Condition> {
        self.condition("apply_as_deletes", self.flow.apply_as_deletes.as_ref()?)
    }

    /// APPLY AS TRUNCATE WHEN: refused, but checked like any condition.
    pub(crate) fn truncates(&mut self) {
        let parameter = "apply_as_truncates";
        let Some(text) = &self.flow.apply_as_truncates else { return };
        self.condition(parameter, text);
        let text = match self.flow.stored_as_scd_type {
            ScdType::One => "this version doesn't model truncates yet",
            ScdType::Two => "a truncate needs SCD type 1; this flow is stored as SCD type 2",
        };
        self.errors.push(ConfigError::new(None, parameter, text));
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
        if self.flow.stored_as_scd_type != ScdType::Two {
            for list in [include, exclude].iter().filter(|list| list.names.is_some()) {
                let class = Some("AUTOCDC_TRACK_HISTORY_REQUIRES_SCD2");
                let text = "tracking history needs SCD type 2; this flow is stored as SCD type 1";
                self.errors.push(ConfigError::new(class, list.parameter, text));
            }
        }
        // Databricks lets the list of exceptions name a column that doesn't reach the target (captured rows).
        let is_output = self.marked(output);
        for (entry, name) in include.names.into_iter().flatten().enumerate() {
            let name = unquoted(name);
            if self.schema.find(&name).is_some_and(|column| !is_output[column]) {
                let text = format!("`{name}` doesn't reach the target; expected columns that do");
                self.errors.push(ConfigError::new(NOT_FOUND, include.parameter, text).in_entry(entry));
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

    /// The columns that one list names, or that the other doesn't. `None` where neither is given.
    fn selected(&mut self, include: List<'_>, exclude: List<'_>, both: &'static str) -> Option<Vec<bool>> {
        if include.names.is_some() && exclude.names.is_some() {
            let text = format!("`{}` is given as well; expected one of the two", include.parameter);
            self.errors.push(ConfigError::new(Some(both), exclude.parameter, text));
        }
        let included = include.names.map(|names| self.columns(include.parameter, names));
        let excluded = exclude.names.map(|names| self.columns(exclude.parameter, names));
        match (included, excluded) {
            (Some(included), _) => Some(self.marked(&included)),
            (None, Some(excluded)) => Some(self.marked(&excluded).into_iter().map(|is_in| !is_in).collect()),
            (None, None) => None,
        }
    }

    /// For each column of the source, whether it is one of these.
    fn marked(&self, columns: &[usize]) -> Vec<bool> {
        let mut marked = self.none();
        for &column in columns {
            marked[column] = true;
        }
        marked
    }

    /// No column of the source.
    fn none(&self) -> Vec<bool> {
        vec![false; self.schema.len()]
    }

    /// The places of these names in the source.
    fn columns(&mut self, parameter: &'static str, names: &[String]) -> Vec<usize> {
        let (mut columns, mut given) = (Vec::new(), self.none());
        for (entry, written) in names.iter().enumerate() {
            let name = unquoted(written);
            let is_quoted = name != *written;
            let error = match self.schema.find(&name) {
                Some(column) if given[column] => ConfigError::new(None, parameter, twice(&name)),
                Some(column) => {
                    given[column] = true;
                    columns.push(column);
                    continue;
                }
                None if !is_quoted && name.contains(is_of_expression) => {
                    let class = Some("AUTOCDC_NON_COLUMN_IDENTIFIER");
                    let text = format!("`{name}` is an expression; expected the plain name of a column");
                    ConfigError::new(class, parameter, text)
                }
                None if !is_quoted && name.contains('.') => {
                    let class = Some("AUTOCDC_MULTIPART_COLUMN_IDENTIFIER");
                    let text = format!("`{name}` has several parts; expected the plain name of a column");
                    ConfigError::new(class, parameter, text)
                }
                None => ConfigError::new(NOT_FOUND, parameter, self.unknown(&name)),
            };
            self.errors.push(error.in_entry(entry));
        }
        columns
    }

    fn condition(&mut self, parameter: &'static str, text: &str) -> Option<Condition> {
        let condition = Condition::parse(text, self.schema);
        condition
            .map_err(|errors| self.errors.extend(errors.into_iter().map(|it| of_sql(parameter, it))))
            .ok()
    }

    fn unknown(&self, name: &str) -> String {
        let columns: Vec<&str> = self.schema.iter().take(LISTED).map(|column| &*column.name).collect();
        let more = if columns.len() < self.schema.len() { ", .." } else { "" };
        format!("there is no column `{name}`; expected one of {}{more}", columns.join(", "))
    }
}

fn of_sql(parameter: &'static str, error: SqlError) -> ConfigError {
    ConfigError::new(error.class, parameter, error.message).at(error.place)
}

fn twice(name: &str) -> String {
    format!("`{name}` is given twice; expected it once")
}

/// What only an expression holds outside of backticks: parentheses and operators.
fn is_of_expression(c: char) -> bool {
    "()[]+-*/%|&^~<>=!:?,'\"".contains(c)
}

/// A name without its backticks, of which those inside are doubled.
fn unquoted(name: &str) -> Cow<'_, str> {
    let inside = name.strip_prefix('`').and_then(|name| name.strip_suffix('`'));
    match inside {
        Some(inside) if !inside.contains('`') => Cow::Borrowed(inside),
        // "`a`.`b`" are two names.
        Some(inside) if !inside.replace("``", "").contains('`') => Cow::Owned(inside.replace("``", "`")),
        _ => Cow::Borrowed(name),
    }
}

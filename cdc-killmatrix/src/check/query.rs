//! Databricks SQL that counts in the user's table what a rule counts in the events.

use cdc_core::DataType;

use super::case::Case;

/// A name in backticks.
pub(super) fn quoted(name: &str) -> String {
    format!("`{}`", name.replace('`', "``"))
}

/// A name as a clause has to spell it: in backticks where it isn't a plain one.
pub(crate) fn spelled(name: &str) -> String {
    let is_plain = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if is_plain { name.to_owned() } else { quoted(name) }
}

/// A text in quotes.
fn text(text: &str) -> String {
    format!("'{}'", text.replace('\\', r"\\").replace('\'', r"\'"))
}

/// A table's name as SQL spells it: `a.b.c` in backticks, unless it has some.
pub fn quoted_table(name: &str) -> String {
    if name.contains('`') {
        name.to_owned()
    } else {
        name.split('.').map(quoted).collect::<Vec<_>>().join(".")
    }
}

/// Whether a condition is true; where it is null it isn't.
fn sql_is_true(condition: &str) -> String {
    // A comment at its end would swallow what follows.
    let end = if condition.contains("--") { "\n" } else { "" };
    format!("coalesce(({}{end}), false)", condition.trim())
}

/// The parts of a query over the events of a case.
impl Case<'_> {
    pub(super) fn sql_name(&self, column: usize) -> String {
        quoted(self.name(column))
    }

    pub(super) fn sql_names(&self, columns: &[usize]) -> String {
        columns.iter().map(|&column| self.sql_name(column)).collect::<Vec<_>>().join(", ")
    }

    /// A column as something that can be compared: a map can't.
    pub(super) fn sql_value(&self, column: usize) -> String {
        let name = self.sql_name(column);
        if self.data_type(column).is_orderable() { name } else { format!("to_json({name})") }
    }

    pub(super) fn data_type(&self, column: usize) -> &DataType {
        &self.plan.feed()[column].data_type
    }

    /// These columns as one value that is never null.
    pub(super) fn sql_struct(&self, columns: &[usize]) -> String {
        let values: Vec<String> = columns.iter().map(|&column| self.sql_value(column)).collect();
        format!("struct({})", values.join(", "))
    }

    /// What an event writes into these columns of the target, as one value that is never null.
    pub(super) fn sql_written(&self, columns: &[usize]) -> String {
        let source = |column: usize| self.plan.output()[column];
        let Some(list) = self.plan.columns_to_update() else {
            return self.sql_struct(&columns.iter().map(|&column| source(column)).collect::<Vec<_>>());
        };
        let list = self.sql_name(list);
        let written = |&column: &usize| {
            let name = text(&self.name(source(column)).to_lowercase());
            let value = self.sql_value(source(column));
            format!(
                "CASE WHEN {list} IS NULL OR exists({list}, c -> lower(c) = {name}) THEN struct({value}) END"
            )
        };
        format!("struct({})", columns.iter().map(written).collect::<Vec<_>>().join(", "))
    }

    /// Whether an event is one that a batch isn't refused for.
    pub(super) fn sql_is_sound(&self) -> String {
        let sequence = if self.plan.sequence_is_struct() { &[] } else { self.plan.sequence() };
        let columns = self.plan.keys().iter().chain(sequence).copied().chain(self.plan.system_sequence());
        let tests: Vec<String> =
            columns.map(|column| format!("{} IS NOT NULL", self.sql_name(column))).collect();
        tests.join(" AND ")
    }

    /// That an event is no truncate, as a further condition; nothing where none can be.
    pub(super) fn sql_is_no_truncate(&self) -> String {
        match &self.plan.flow().apply_as_truncates {
            None => String::new(),
            Some(condition) => format!(" AND NOT {}", sql_is_true(condition)),
        }
    }

    /// Whether an event is a delete.
    pub(super) fn sql_is_delete(&self) -> String {
        match &self.plan.flow().apply_as_deletes {
            None => "false".to_owned(),
            Some(condition) => sql_is_true(condition),
        }
    }

    /// The events that are no truncates, each with `__is_delete`: a subquery. Where there are truncates, also with
    /// how many of them stand up to it in the sequence, and whether one stands at its place.
    pub(super) fn sql_events(&self) -> String {
        let (is_delete, table, is_sound) = (self.sql_is_delete(), &self.table, self.sql_is_sound());
        let Some(condition) = &self.plan.flow().apply_as_truncates else {
            return format!(
                "  FROM (\n    SELECT *, {is_delete} AS __is_delete\n    FROM {table}\n    WHERE {is_sound}\n  )"
            );
        };
        let (is_truncate, order) = (sql_is_true(condition), self.sql_names(&self.order));
        format!(
            "  FROM (\n    SELECT *, {is_delete} AS __is_delete, {is_truncate} AS __is_truncate,\n      \
             count_if({is_truncate}) OVER (ORDER BY {order}) AS __truncates,\n      \
             bool_or({is_truncate}) OVER (PARTITION BY {order}) AS __is_truncated\n    FROM {table}\n  )\n  \
             WHERE NOT __is_truncate AND {is_sound}"
        )
    }

    /// How many sequence values of a key have events that are as `having` says.
    pub(super) fn sql_of_ties(&self, having: &str) -> String {
        let columns: Vec<usize> = self.plan.keys().iter().chain(&self.order).copied().collect();
        let (names, events) = (self.sql_names(&columns), self.sql_events());
        format!(
            "SELECT count(*)\nFROM (\n  SELECT {names}\n{events}\n  GROUP BY {names}\n  HAVING {having}\n)"
        )
    }

    /// How many events are as `condition` says, which sees the event before it in the window `w`.
    pub(super) fn sql_of_changes(&self, condition: &str) -> String {
        let (events, keys) = (self.sql_events(), self.sql_names(self.plan.keys()));
        let window = format!("PARTITION BY {keys} ORDER BY {}", self.sql_names(&self.order));
        format!(
            "SELECT count_if(found)\nFROM (\n  SELECT {condition} AS found\n{events}\n  WINDOW w AS ({window})\n)"
        )
    }

    /// Whether an upsert follows an upsert, with no truncate between them, in a window `w`.
    pub(super) fn sql_is_update(&self) -> String {
        let is_update = "NOT __is_delete AND NOT lag(__is_delete) OVER w";
        match self.plan.truncate_condition() {
            None => is_update.to_owned(),
            Some(_) => format!("{is_update} AND lag(__truncates) OVER w = __truncates"),
        }
    }

    /// Whether a column is as it was in the event before, in a window `w`.
    pub(super) fn sql_is_same(&self, column: usize) -> String {
        let value = self.sql_value(column);
        format!("{value} <=> lag({value}) OVER w")
    }

    /// How many rows of the table that are no truncates are as `condition` says.
    pub(super) fn sql_of_rows(&self, condition: &str) -> String {
        let other = self.sql_is_no_truncate();
        let condition = if other.is_empty() { condition.to_owned() } else { format!("({condition}){other}") };
        format!("SELECT count(*)\nFROM {}\nWHERE {condition}", self.table)
    }
}

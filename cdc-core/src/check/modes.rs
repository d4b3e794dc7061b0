//! What only some flows have: a second time, lists of columns to update, snapshots; and what a dialect lacks.

use super::{Check, SNAPSHOT_COLUMNS};
use crate::data_type::{DataType, Field};
use crate::error::ConfigError;
use crate::flow::{Dialect, ScdType};

impl Check<'_> {
    /// SYSTEM SEQUENCE BY: a place in the source.
    pub(crate) fn system_sequence(&mut self) -> Option<usize> {
        let parameter = "system_sequence_by";
        let is_bitemporal = self.flow.stored_as_scd_type == ScdType::Bitemporal;
        let Some(name) = &self.flow.system_sequence_by else {
            if is_bitemporal {
                let text = "a bitemporal target needs `system_sequence_by`: the column that says when an event became known";
                self.errors.push(ConfigError::new(None, "stored_as_scd_type", text));
            }
            return None;
        };
        if !is_bitemporal {
            let text =
                format!("a system sequence needs BITEMPORAL; this flow is stored as {}", self.stored_as());
            self.errors.push(ConfigError::new(None, parameter, text));
        }
        let column = self.column(parameter, name)?;
        let Field { name, data_type } = &self.schema[column];
        if !data_type.is_orderable() {
            let text = format!("`{name}` has type {data_type}, which has no order; expected a sortable type");
            self.errors.push(ConfigError::new(Some("NON_ORDERABLE_SEQUENCE"), parameter, text));
        }
        Some(column)
    }

    /// COLUMNS TO UPDATE: a place in the source.
    pub(crate) fn columns_to_update(&mut self) -> Option<usize> {
        let parameter = "columns_to_update";
        let flow = self.flow;
        let name = flow.columns_to_update.as_ref()?;
        if flow.stored_as_scd_type == ScdType::Bitemporal {
            let text = "a bitemporal target doesn't take it; expected SCD type 1 or 2";
            self.errors.push(ConfigError::new(None, parameter, text));
        }
        let ignores_nulls = flow.ignore_null_updates
            || flow.ignore_null_updates_column_list.is_some()
            || flow.ignore_null_updates_except_column_list.is_some();
        if ignores_nulls {
            let text = "nulls are ignored as well; expected one of the two, for both say what an event leaves unsaid";
            self.errors.push(ConfigError::new(None, parameter, text));
        }
        let column = self.column(parameter, name)?;
        let Field { name, data_type } = &self.schema[column];
        if *data_type != DataType::Array(Box::new(DataType::String)) {
            let text = format!("`{name}` has type {data_type}; expected ARRAY<STRING>, the names of columns");
            self.errors.push(ConfigError::new(None, parameter, text));
        }
        Some(column)
    }

    /// What Apache Spark 4.3 doesn't have, if its rules are asked for.
    pub(crate) fn dialect(&mut self) {
        let flow = self.flow;
        if flow.dialect != Dialect::Spark43 {
            return;
        }
        let is_bitemporal = flow.stored_as_scd_type == ScdType::Bitemporal;
        for (is_given, parameter) in [
            (flow.system_sequence_by.is_some(), "system_sequence_by"),
            (flow.ignore_null_updates, "ignore_null_updates"),
            (flow.ignore_null_updates_column_list.is_some(), "ignore_null_updates_column_list"),
            (flow.ignore_null_updates_except_column_list.is_some(), "ignore_null_updates_except_column_list"),
            (flow.columns_to_update.is_some(), "columns_to_update"),
            (flow.apply_as_truncates.is_some(), "apply_as_truncates"),
            (is_bitemporal, "stored_as_scd_type"),
            (flow.once, "once"),
            (flow.from_snapshot.is_some(), "from_snapshot"),
            (flow.tombstone_gc_threshold_seconds.is_some(), "tombstone_gc_threshold_seconds"),
        ] {
            if is_given {
                let what =
                    if is_bitemporal && parameter == "stored_as_scd_type" { "BITEMPORAL" } else { parameter };
                let text = format!(
                    "Apache Spark 4.3 has no `{what}`; expected a flow without it, or the dialect `databricks`"
                );
                self.errors.push(ConfigError::new(None, parameter, text));
            }
        }
    }

    /// FROM SNAPSHOT: the type of the versions, and that nothing is given that only events have.
    pub(crate) fn snapshot(&mut self, version_type: &DataType) {
        let flow = self.flow;
        for (is_given, parameter) in [
            (!flow.sequence_by.is_empty(), "sequence_by"),
            (flow.system_sequence_by.is_some(), "system_sequence_by"),
            (flow.ignore_null_updates, "ignore_null_updates"),
            (flow.ignore_null_updates_column_list.is_some(), "ignore_null_updates_column_list"),
            (flow.ignore_null_updates_except_column_list.is_some(), "ignore_null_updates_except_column_list"),
            (flow.columns_to_update.is_some(), "columns_to_update"),
            (flow.apply_as_deletes.is_some(), "apply_as_deletes"),
            (flow.apply_as_truncates.is_some(), "apply_as_truncates"),
            (flow.column_list.is_some(), "column_list"),
            (flow.except_column_list.is_some(), "except_column_list"),
        ] {
            if is_given {
                let text = "`create_auto_cdc_from_snapshot_flow` has no such parameter: a snapshot is compared as a whole";
                self.errors.push(ConfigError::new(None, parameter, text));
            }
        }
        if flow.stored_as_scd_type == ScdType::Bitemporal {
            let text = "a flow from snapshots is stored as SCD type 1 or 2";
            self.errors.push(ConfigError::new(None, "stored_as_scd_type", text));
        }
        if !version_type.is_orderable() {
            let text = format!("a version of type {version_type} has no order; expected a sortable type");
            self.errors.push(ConfigError::new(Some("SNAPSHOT_VERSION_NOT_SORTABLE"), "version_type", text));
        }
        for name in SNAPSHOT_COLUMNS {
            if self.schema.find(name).is_some() {
                let text = format!("`{name}` is a reserved name; rename the column in the source");
                self.errors.push(ConfigError::new(None, "from_snapshot", text));
            }
        }
    }
}

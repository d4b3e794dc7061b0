//! The columns of a text, and all that is wrong with them.

use std::ops::Range;

use cdc_core::{DataType, Schema};

use crate::definition::sql::Fault;
use crate::diagnostic::Diagnostics;
use crate::fixture::{COLUMNS, ColumnNames};
use crate::json::{Source, quoted};

/// Gathers columns.
pub(super) struct Gathered<'s> {
    source: &'s Source,
    /// What the text was taken for.
    form: &'static str,
    columns: Vec<(String, DataType)>,
    names: ColumnNames,
    faults: Diagnostics,
}

impl<'s> Gathered<'s> {
    pub(super) fn new(source: &'s Source, form: &'static str) -> Self {
        Self {
            source,
            form,
            columns: Vec::new(),
            names: ColumnNames::default(),
            faults: Diagnostics::default(),
        }
    }

    pub(super) fn text(&self) -> &'s str {
        self.source.text()
    }

    pub(super) fn fault(&mut self, (range, message): Fault) {
        self.faults.push_with(|| self.source.fault(self.form, range, message));
    }

    /// Adds a column, whose name stands at a place.
    pub(super) fn add(&mut self, name: &str, at: Range<usize>, data_type: Result<DataType, Fault>) {
        if let Err(fault) = self.names.add(name) {
            self.fault((at.clone(), fault));
        }
        if self.columns.len() == COLUMNS {
            self.fault((at, format!("there are more than {COLUMNS} columns; expected fewer")));
        }
        // Counted also where its type is wrong.
        let data_type = data_type.unwrap_or_else(|(range, message)| {
            self.fault((range, format!("the type of {}: {message}", quoted(name))));
            DataType::String
        });
        self.columns.push((name.to_owned(), data_type));
    }

    pub(super) fn schema(mut self) -> Result<Schema, Diagnostics> {
        if self.columns.is_empty() && self.faults.count() == 0 {
            self.fault((0..0, "there is no column here; expected at least one".to_owned()));
        }
        if self.faults.count() != 0 {
            return Err(Diagnostics::of_all(std::iter::once(&self.faults)));
        }
        // Names that occur twice are among the faults.
        Schema::new(self.columns).map_err(|_| self.faults)
    }
}

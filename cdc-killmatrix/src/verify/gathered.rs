//! The rows of a capture while they are read, and its columns.

use cdc_core::{Row, Schema, Value, folded};

use super::capture::{Capture, Lacking, Misread, add, is_of_spark};
use super::cells::Typed;
use crate::diagnostic::Diagnostics;
use crate::json::Reader;
use crate::words::hint;

/// How many values the rows of a capture may have.
const CELLS: usize = 1 << 23;

/// What a column of a capture is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    /// The target's, at this place.
    Known(usize),
    /// None of the target's, or one that is passed over.
    Other,
}

/// The rows of a capture while they are read.
pub(super) struct Gathered<'a> {
    pub(super) target: &'a Schema,
    pub(super) capture: Capture,
    /// How many rows have each column of the target.
    given: Vec<usize>,
    /// Whether the columns were named, be there rows or not.
    has_header: bool,
}

impl<'a> Gathered<'a> {
    pub(super) fn new(target: &'a Schema) -> Self {
        Self { target, capture: Capture::default(), given: vec![0; target.len()], has_header: false }
    }

    /// What a column of this name is.
    pub(super) fn slot(&mut self, name: &str) -> Slot {
        if let Some(place) = self.target.find(name) {
            return Slot::Known(place);
        }
        let names = if is_of_spark(name) { &mut self.capture.passed_over } else { &mut self.capture.unknown };
        add(names, name);
        Slot::Other
    }

    /// What the columns of these names are, which every row has; or the name that is given twice.
    pub(super) fn header<'n>(&mut self, names: impl Iterator<Item = &'n str>) -> Result<Vec<Slot>, String> {
        self.has_header = true;
        let (mut slots, mut seen) = (Vec::new(), Vec::new());
        for name in names {
            if seen.contains(&folded(name)) {
                return Err(name.to_owned());
            }
            seen.push(folded(name));
            slots.push(self.slot(name));
        }
        for (place, column) in self.target.iter().enumerate() {
            if !slots.contains(&Slot::Known(place)) {
                self.capture.missing.push(column.name.clone());
            }
        }
        Ok(slots)
    }

    /// Whether there is room for a row more.
    pub(super) fn has_room(&self) -> bool {
        (self.capture.rows.len() + 1).saturating_mul(self.target.len()) <= CELLS
    }

    /// Adds a row: the values that it has, by place.
    pub(super) fn add(&mut self, values: Vec<(usize, Typed)>) {
        let mut row = vec![Value::Null; self.target.len()];
        for (place, typed) in values {
            self.given[place] += 1;
            self.note(place, &typed);
            row[place] = typed.value;
        }
        self.capture.rows.push(Row::from(row));
    }

    /// Notes a value that isn't written as its type asks.
    fn note(&mut self, place: usize, typed: &Typed) {
        let Some(fault) = &typed.fault else { return };
        let column = &self.target[place].name;
        match self.capture.misread.iter_mut().find(|misread| misread.column == *column) {
            Some(misread) => {
                misread.more += 1;
                misread.is_read &= typed.is_read;
            }
            None => self.capture.misread.push(Misread {
                column: column.clone(),
                first: fault.clone(),
                more: 0,
                is_read: typed.is_read,
            }),
        }
    }

    /// The capture, unless its reader found faults.
    pub(super) fn finished(self, reader: Reader<'_>) -> Result<Capture, Diagnostics> {
        let mut faults = Diagnostics::default();
        faults.append(reader.faults);
        if faults.count() == 0 { Ok(self.finish()) } else { Err(faults) }
    }

    /// The capture, with the columns that all rows lack, or some.
    pub(super) fn finish(mut self) -> Capture {
        let rows = self.capture.rows.len();
        if !self.has_header && rows != 0 {
            for (column, &given) in self.target.iter().zip(&self.given) {
                match rows - given {
                    0 => {}
                    lacking if lacking == rows => self.capture.missing.push(column.name.clone()),
                    lacking => {
                        let column = column.name.clone();
                        self.capture.lacking.push(Lacking { column, rows: lacking });
                    }
                }
            }
        }
        self.capture
    }
}

/// That a name is given twice.
pub(super) fn twice(name: &str) -> String {
    format!("the column `{name}` is given twice; names match without case")
}

/// That a capture has too many values.
pub(super) fn too_many() -> String {
    format!("the rows of this file have more than {CELLS} values; expected fewer")
}

/// What an unknown column of a capture may be meant as.
pub(crate) fn meant(name: &str, target: &Schema) -> String {
    hint(name, target.iter().map(|column| &*column.name))
}

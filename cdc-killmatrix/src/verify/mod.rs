//! What a real run left behind: captured rows of a target, compared with what a fixture expects there.

mod cells;
mod capture;
mod gathered;
mod objects;
mod sql_chunks;
mod sql_result;
#[cfg(feature = "parquet")]
mod parquet;
mod sheet;
mod answers;
mod read;
mod manifest;
pub mod secrets;

use cdc_core::{DataType, Row, Schema, Table};

use crate::fixture::Fixture;

pub(crate) use capture::sha256;
pub use capture::{Capture, CapturedFile, Declared, Lacking, Misread};
pub(crate) use gathered::meant;
pub use manifest::{Entry, Left, entries};

/// A capture beside the rows that a fixture expects after a checkpoint.
///
/// ```
/// use cdc_killmatrix::{Fixtures, verify::{Capture, Verification}};
///
/// let fixtures = Fixtures::load(["../fixtures/customers_current/ordering_and_delete.json"])?;
/// let fixture = &fixtures.suites[0].fixtures[0];
/// let folder = tempfile::tempdir()?;
/// let file = folder.path().join("rows.json");
/// std::fs::write(&file, r#"[{"customer_id": 202, "city": "Lyon", "email": "ben@example.com"}]"#)?;
/// let capture = Capture::read(&file, fixture.plan())?;
/// assert!(Verification::new(fixture, 4, capture.clone()).is_equal());
/// assert!(!Verification::new(fixture, 2, capture).is_equal());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Verification {
    /// The number of the checkpoint, from 0.
    pub checkpoint: usize,
    /// The target's columns that the capture has: rows are compared in them.
    pub columns: Schema,
    /// The expected rows, in these columns: of several tables that would be right, the one that comes nearest.
    pub expected: Table,
    /// The captured rows, in these columns.
    pub captured: Table,
    /// The capture.
    pub capture: Capture,
    /// The columns whose declared type isn't the target's.
    pub types: Vec<OtherType>,
    /// The other checkpoints, from 0, whose rows these are, where they aren't those that are expected.
    pub rows_of: Vec<usize>,
}

/// A column whose declared type isn't the target's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherType {
    /// The column.
    pub column: String,
    /// The type that the target has.
    pub expected: DataType,
    /// The type that the capture declares, as it says it.
    pub found: String,
}

impl Verification {
    /// Compares a capture with a checkpoint, counted from 0, that expects rows: see [`checkpoint_of`].
    ///
    /// # Panics
    ///
    /// If the fixture has no such checkpoint.
    pub fn new(fixture: &Fixture, checkpoint: usize, capture: Capture) -> Self {
        let target = fixture.plan().target();
        let kept: Vec<usize> =
            (0..target.len()).filter(|&place| !capture.missing.contains(&target[place].name)).collect();
        let project = |rows: &[Row]| {
            Table::new(
                rows.iter().map(|row| kept.iter().map(|&place| row[place].clone()).collect()).collect(),
            )
        };
        let columns = kept.iter().map(|&place| (target[place].name.clone(), target[place].data_type.clone()));
        // The names are those of a schema, so that none occurs twice.
        let columns = Schema::new(columns).unwrap_or_else(|_| target.clone());
        let captured = project(&capture.rows);
        let tables = |number: usize| -> Vec<Table> {
            fixture.checkpoints[number].expect.iter().map(|table| project(table.rows())).collect()
        };
        let differing = |table: &Table| table.without(&captured).len() + captured.without(table).len();
        let expected = tables(checkpoint).into_iter().min_by_key(differing).unwrap_or_default();
        let others = (0..fixture.checkpoints.len()).filter(|&other| other != checkpoint);
        let rows_of = if expected == captured {
            Vec::new()
        } else {
            others.filter(|&other| tables(other).contains(&captured)).collect()
        };
        let other_type = |declared: &Declared| {
            let column = &target[target.find(&declared.column)?];
            let differs = declared.data_type.as_ref() != Some(&column.data_type);
            differs.then(|| OtherType {
                column: column.name.clone(),
                expected: column.data_type.clone(),
                found: declared.text.clone(),
            })
        };
        let types = capture.declared.iter().filter_map(other_type).collect();
        Self { checkpoint, columns, expected, captured, capture, types, rows_of }
    }

    /// Whether rows, columns and types are those that are expected.
    pub fn is_equal(&self) -> bool {
        let Capture { missing, unknown, lacking, misread, .. } = &self.capture;
        let is_named = missing.is_empty() && unknown.is_empty() && lacking.is_empty() && misread.is_empty();
        self.has_equal_rows() && is_named && self.types.is_empty()
    }

    /// Whether the rows are equal in the columns that both have.
    pub fn has_equal_rows(&self) -> bool {
        self.expected == self.captured
    }

    /// Whether the rows are whole, each value one of its column's type, so that they may be diagnosed.
    pub fn is_whole(&self) -> bool {
        self.capture.missing.is_empty() && self.capture.misread.iter().all(|misread| misread.is_read)
    }

    /// How many captured rows are there more often than expected, beyond the first: they are duplicated.
    pub fn duplicates(&self) -> usize {
        let extra = self.captured.without(&self.expected);
        let is_again = |number: usize| {
            // Both are sorted.
            let row = extra[number];
            let is_repeated = 0 < number && extra[number - 1] == row;
            is_repeated || self.expected.rows().binary_search(row).is_ok()
        };
        (0..extra.len()).filter(|&number| is_again(number)).count()
    }
}

/// The checkpoint of a fixture that a capture is compared with, from 0: the one of this number, from 1, or the last
/// that expects rows. Else what is wrong with it.
pub fn checkpoint_of(fixture: &Fixture, number: Option<usize>) -> Result<usize, String> {
    let expects = |place: &usize| !fixture.checkpoints[*place].expect.is_empty();
    let count = fixture.checkpoints.len();
    match number {
        None => (0..count).rev().find(expects).ok_or_else(|| "no checkpoint expects rows".to_owned()),
        Some(number) if number == 0 || count < number => {
            Err(format!("there is no checkpoint {number}; expected one from 1 to {count}"))
        }
        Some(number) if expects(&(number - 1)) => Ok(number - 1),
        Some(number) => Err(format!("checkpoint {number} expects no rows; expected one that has `expect`")),
    }
}

//! The rows of a target as they were captured, typed by the target.

use std::path::{Path, PathBuf};

use cdc_core::{DataType, Row, Schema};
use sha2::{Digest as _, Sha256};

use crate::columns::type_of;
use crate::diagnostic::Diagnostic;

/// What the names of columns begin with that Spark adds to the target of an AUTO CDC flow.
const OF_SPARK: &str = "__spark_autocdc_";

/// The rows of a target as they were captured.
#[derive(Clone, Debug, Default)]
pub struct Capture {
    /// The file, the folder, or the first of several files.
    pub path: PathBuf,
    /// The files that were read: the parts of a folder, the chunks of a result, or the one.
    pub files: Vec<CapturedFile>,
    /// The fixture that it is of, `suite/name`, if it says so.
    pub fixture: Option<String>,
    /// The checkpoint that it is of, from 1, if it says so.
    pub checkpoint: Option<usize>,
    /// The rows, with a value for each column of the target: null where it has none.
    pub rows: Vec<Row>,
    /// The target's columns that it doesn't have.
    pub missing: Vec<String>,
    /// Its columns that the target doesn't have.
    pub unknown: Vec<String>,
    /// Its columns that Spark adds for itself: they are passed over.
    pub passed_over: Vec<String>,
    /// The columns that only some of its rows have.
    pub lacking: Vec<Lacking>,
    /// Values that aren't of their column's type, by column.
    pub misread: Vec<Misread>,
    /// The types that it gives its columns, if it does.
    pub declared: Vec<Declared>,
}

/// A file that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CapturedFile {
    /// The file.
    pub path: PathBuf,
    /// Its SHA-256, in hexadecimal digits.
    pub sha256: String,
}

/// A column that only some rows have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lacking {
    /// The column.
    pub column: String,
    /// How many rows lack it.
    pub rows: usize,
}

/// Values of a column that aren't of its type.
#[derive(Clone, Debug)]
pub struct Misread {
    /// The column.
    pub column: String,
    /// The first of them, with its place.
    pub first: Diagnostic,
    /// How many more there are.
    pub more: usize,
    /// Whether each reads as a value of the type all the same, such as `"7"` for 7; it is then compared as such.
    pub is_read: bool,
}

/// The type that a capture gives a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declared {
    /// The column.
    pub column: String,
    /// The type as it was given.
    pub text: String,
    /// The type, if the model has it.
    pub data_type: Option<DataType>,
}

impl Capture {
    /// Adds types of columns; a column that is none of the target's becomes an unknown one.
    pub fn declare(&mut self, types: impl IntoIterator<Item = Declared>, target: &Schema) {
        for declared in types {
            if is_of_spark(&declared.column) {
                add(&mut self.passed_over, &declared.column);
            } else if target.find(&declared.column).is_none() {
                add(&mut self.unknown, &declared.column);
            } else {
                self.declared.push(declared);
            }
        }
    }
}

impl CapturedFile {
    /// A file with these bytes.
    pub(super) fn new(path: &Path, bytes: &[u8]) -> Self {
        Self { path: path.to_owned(), sha256: sha256(bytes) }
    }
}

impl Declared {
    /// The type that a text says.
    pub fn new(column: &str, text: &str) -> Self {
        Self { column: column.to_owned(), text: text.to_owned(), data_type: type_of(text).ok() }
    }
}

/// Whether a column is one that Spark adds for itself.
pub(super) fn is_of_spark(column: &str) -> bool {
    column.to_lowercase().starts_with(OF_SPARK)
}

/// Adds a name, once.
pub(super) fn add(names: &mut Vec<String>, name: &str) {
    if !names.iter().any(|known| known == name) {
        names.push(name.to_owned());
    }
}

/// The SHA-256 of some bytes, in hexadecimal digits.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    data_encoding::HEXLOWER.encode(&Sha256::digest(bytes))
}

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt;
use std::ops::Deref;
use std::str::FromStr;
use std::sync::Arc;

use foldhash::fast::FixedState;

use crate::data_type::{DataType, Field, ParseTypeError, TypeParser, folded};
use crate::value::Value;

/// A column: a name and a type.
pub type Column = Field;

/// Columns in order. Names match without case and keep their spelling.
///
/// ```
/// use cdc_core::Schema;
///
/// let schema: Schema = "customer_id BIGINT, city STRING".parse()?;
/// assert_eq!(schema.find("CITY"), Some(1));
/// # Ok::<(), cdc_core::ParseTypeError>(())
/// ```
#[derive(Clone, Default)]
pub struct Schema {
    columns: Vec<Column>,
    /// The place of each column by its folded name.
    places: HashMap<String, usize, FixedState>,
}

impl Schema {
    /// These columns, or the name that occurs twice.
    pub fn new(columns: impl IntoIterator<Item = (String, DataType)>) -> Result<Self, String> {
        let mut schema = Self::default();
        for (name, data_type) in columns {
            match schema.places.entry(folded(&name)) {
                Entry::Occupied(_) => return Err(name),
                Entry::Vacant(place) => place.insert(schema.columns.len()),
            };
            schema.columns.push(Column { name, data_type });
        }
        Ok(schema)
    }

    /// These columns, whose names are known to differ.
    pub(crate) fn of(columns: Vec<Column>) -> Self {
        let places =
            columns.iter().enumerate().map(|(place, column)| (folded(&column.name), place)).collect();
        Self { columns, places }
    }

    /// The place of a column.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.places.get(&folded(name)).copied()
    }
}

/// The columns of a `CREATE TABLE`: `id BIGINT, city STRING`.
impl FromStr for Schema {
    type Err = ParseTypeError;

    fn from_str(text: &str) -> Result<Self, ParseTypeError> {
        let mut types = TypeParser::new(text)?;
        let columns = types.fields(0)?;
        types.end()?;
        Ok(Self::of(columns))
    }
}

impl fmt::Debug for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Schema").field(&self.columns).finish()
    }
}

/// The columns say it all.
impl PartialEq for Schema {
    fn eq(&self, other: &Self) -> bool {
        self.columns == other.columns
    }
}

impl Eq for Schema {}

impl Deref for Schema {
    type Target = [Column];

    fn deref(&self) -> &[Column] {
        &self.columns
    }
}

/// The values of a row, in the order of its schema. Cheap to clone.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Row(Arc<[Value]>);

impl Deref for Row {
    type Target = [Value];

    fn deref(&self) -> &[Value] {
        &self.0
    }
}

impl FromIterator<Value> for Row {
    fn from_iter<I: IntoIterator<Item = Value>>(values: I) -> Self {
        Self(values.into_iter().collect())
    }
}

impl<const N: usize> From<[Value; N]> for Row {
    fn from(values: [Value; N]) -> Self {
        Self(values.into())
    }
}

impl From<Vec<Value>> for Row {
    fn from(values: Vec<Value>) -> Self {
        Self(values.into())
    }
}

impl<const N: usize> PartialEq<[Value; N]> for Row {
    fn eq(&self, other: &[Value; N]) -> bool {
        *self.0 == *other
    }
}

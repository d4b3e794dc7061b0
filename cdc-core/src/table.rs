use crate::row::Row;

/// The rows of a target, as a multiset: their order means nothing, a row may occur twice.
///
/// Rows are kept sorted, so that equal tables are equal values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table(Vec<Row>);

impl Table {
    /// A table of these rows.
    pub fn new(mut rows: Vec<Row>) -> Self {
        rows.sort_unstable();
        Self(rows)
    }

    /// The rows, sorted by their values.
    pub fn rows(&self) -> &[Row] {
        &self.0
    }

    /// The rows of `self` that `other` lacks, each as often as it lacks it.
    pub fn without(&self, other: &Self) -> Vec<&Row> {
        let mut others = other.0.iter().peekable();
        let mut rest = Vec::new();
        for row in &self.0 {
            while others.next_if(|&other| other < row).is_some() {}
            if others.next_if(|&other| other == row).is_none() {
                rest.push(row);
            }
        }
        rest
    }
}

//! The mutants that ship: one family of faults a file, in the order of the report.

use cdc_core::{Mutant, Mutants};

mod keys;
mod arrival;
mod deletes;
mod columns;
mod nulls;
mod sequence;
mod history;
mod runs;
mod bitemporal;
mod snapshots;

pub use arrival::Arrival;
pub use bitemporal::Bitemporal;
pub use columns::Columns;
pub use deletes::Deletes;
pub use history::History;
pub use keys::Keys;
pub use nulls::Nulls;
pub use runs::Runs;
pub use sequence::Sequence;
pub use snapshots::Snapshots;

/// The families, in the order of the report.
const FAMILIES: &[&[Mutant]] = &[
    Keys::ALL,
    Arrival::ALL,
    Deletes::ALL,
    Columns::ALL,
    Nulls::ALL,
    Sequence::ALL,
    History::ALL,
    Runs::ALL,
    Bitemporal::ALL,
    Snapshots::ALL,
];

/// Every mutant that ships, in the order of the report.
///
/// ```
/// let names: Vec<&str> = cdc_killmatrix::catalogue::all().iter().map(|mutant| mutant.name).collect();
/// assert_eq!(names[..2], ["collapsed_key", "arrival_order"]);
/// ```
pub fn all() -> Vec<Mutant> {
    FAMILIES.concat()
}

//! How a snapshot is compared with the one before it.

use cdc_core::{Event, Mutants, Plan, Value, needs};

/// Faults of flows from snapshots.
#[derive(Mutants)]
pub enum Snapshots {
    /// A key that a snapshot lacks stays.
    #[mutant(deletes_missing = |_, _| false, needs = needs::snapshots)]
    KeptMissingRows,

    /// A value that was null, or becomes null, counts as unchanged.
    #[mutant(differs = null_unsafe, needs = needs::snapshots)]
    UnseenNullChange,

    /// A snapshot that is older than the last one is compared all the same.
    #[mutant(accepts_snapshot = |_, _, _| true, needs = needs::snapshots)]
    AcceptedOldSnapshot,
}

/// As `a <> b` of SQL has it, which is unknown where either is null.
fn null_unsafe(_: &Plan, before: &Event, now: &Event) -> bool {
    let differ = |(before, now): (&Value, &Value)| before != now && !before.is_null() && !now.is_null();
    before.values.iter().zip(&*now.values).any(differ)
}

//! What stays of a delete when its row is gone.

use cdc_core::{Arrival, Mutants, Version, needs};

/// Faults of forgetting a delete, so that an older event that comes later brings its row back.
#[derive(Mutants)]
#[mutants(family = "lost tombstones")]
pub(super) enum Tombstones {
    /// No delete is remembered: an older event that comes later brings the row back.
    ///
    /// A deleted customer is back.
    #[mutant(
        keeps_tombstone = |_, _, _| false,
        needs = needs::tombstones,
        report = "https://github.com/apache/hudi/pull/19979",
        caught_by = "customers_current/remembered_deletes"
    )]
    NoTombstone,

    /// A delete of a row that an earlier batch brought isn't remembered.
    ///
    /// A deleted customer is back.
    #[mutant(
        keeps_tombstone = |_, delete, before| !is_of(delete, before, |batch, delete| batch < delete),
        needs = needs::tombstones,
        report = "https://github.com/apache/hudi/pull/19979",
        caught_by = "customers_current/remembered_deletes"
    )]
    NoTombstoneOfStoredRow,

    /// A delete of a key that was never seen isn't remembered.
    ///
    /// A customer whose delete overtook the sign-up is there.
    #[mutant(
        keeps_tombstone = |_, _, before| before.is_some(),
        needs = needs::tombstones,
        report = "https://github.com/apache/pinot/pull/17488",
        caught_by = "customers_current/remembered_deletes"
    )]
    NoTombstoneOfUnseenKey,

    /// A delete isn't remembered that comes in one batch with its row: they cancel out.
    ///
    /// A customer who left on the first day is there, with the oldest values.
    #[mutant(
        keeps_tombstone = |_, delete, before| !is_of(delete, before, |batch, delete| batch == delete),
        needs = needs::tombstones,
        report = "https://github.com/ClickHouse/ClickHouse/issues/50346",
        caught_by = "customers_current/remembered_deletes"
    )]
    NoTombstoneInsideBatch,
}

/// Whether something lost to the delete whose batch compares like this with the delete's.
fn is_of(delete: &Version, before: Option<Arrival>, compares: fn(u32, u32) -> bool) -> bool {
    before.is_some_and(|before| compares(before.batch, delete.arrival().batch))
}

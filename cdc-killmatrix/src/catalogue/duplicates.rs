//! Several rows where there should be one. Later events meet the last of them.

use cdc_core::{Change, Mutants, Version, needs};

/// Faults of rows that are appended, not merged.
#[derive(Mutants)]
#[mutants(family = "duplicate rows")]
pub(super) enum Duplicates {
    /// Events of a key in one batch don't meet: each leaves a row.
    ///
    /// A customer who changed twice in an hour is counted twice.
    #[mutant(
        meets = |_, version, around| !both_upsert(Some(version), around.incoming),
        report = "https://github.com/apache/iceberg/issues/11008",
        needs = needs::events,
        caught_by = "customers_current/one_batch_any_order"
    )]
    AppendedEvents,

    /// The first batch is appended as it is, keys that occur twice with it.
    ///
    /// Customers who changed before the first load are counted twice.
    #[mutant(
        meets = |_, version, around| around.high_water.is_some() || !both_upsert(Some(version), around.incoming),
        needs = needs::events,
        report = "https://github.com/ardent-data/weevr/issues/185",
        caught_by = "customers_current/one_batch_any_order"
    )]
    AppendedFirstBatch,

    /// A batch is freed of duplicates, then appended: what earlier batches brought stays.
    ///
    /// Every change of an address makes one customer more.
    #[mutant(
        meets = |_, version, around| {
            around.incoming.is_some() || !both_upsert(Some(version), around.stored)
        },
        caught_by = "customers_current/update_and_mapping"
    )]
    AppendedBatches,

    /// An event that is delivered again is appended again.
    ///
    /// After a restart customers are counted twice.
    #[mutant(
        meets = |_, version, around| {
            !(both_upsert(Some(version), around.stored)
                && around.stored.is_some_and(|stored| stored.event.values == version.event.values))
        },
        needs = needs::events,
        caught_by = "customers_current/exact_redelivery"
    )]
    AppendedReplay,

    /// An event that changes nothing opens a version.
    ///
    /// A history is full of changes that were none.
    #[mutant(
        change = |_, _, _, _, _| Change::Opens,
        needs = needs::events_without_change,
        caught_by = "clauses/daily_exports"
    )]
    RepeatedVersion,
}

fn both_upsert(new: Option<&Version>, other: Option<&Version>) -> bool {
    [new, other].into_iter().all(|version| version.is_some_and(|version| !version.is_delete()))
}

//! How a snapshot is compared with the one before it.

use std::collections::HashSet;

use cdc_core::{Event, Mutants, Plan, Row, Value, needs};

use super::batch;

/// Faults of flows from snapshots.
#[derive(Mutants)]
#[mutants(family = "snapshots")]
pub(super) enum Snapshots {
    /// A key that a snapshot lacks stays.
    ///
    /// A product that is no longer sold is still in the list.
    #[mutant(
        deletes_missing = |_, _| false,
        needs = needs::snapshots,
        caught_by = "clauses/daily_exports"
    )]
    KeptMissingRows,

    /// A value that was null, or becomes null, counts as unchanged.
    ///
    /// A price that was taken away still stands.
    #[mutant(
        differs = null_unsafe,
        needs = needs::snapshots,
        caught_by = "clauses/null_changes"
    )]
    UnseenNullChange,

    /// A snapshot that is older than the last one is compared all the same.
    ///
    /// Last week's export takes the place of today's.
    #[mutant(
        accepts_snapshot = |_, _, _| true,
        needs = needs::snapshots,
        caught_by = "clauses/old_export"
    )]
    AcceptedOldSnapshot,

    /// A row that is as it was in the snapshot before counts as missing, and is closed.
    ///
    /// All products whose price stays are gone.
    #[mutant(
        rewrite = without_unchanged,
        needs = needs::snapshots,
        report = "https://github.com/databricks/dbt-databricks/issues/1281",
        caught_by = "clauses/daily_exports"
    )]
    ClosedUnchangedRows,
}

/// As `a <> b` of SQL has it, which is unknown where either is null.
fn null_unsafe(_: &Plan, before: &Event, now: &Event) -> bool {
    let differ = |(before, now): (&Value, &Value)| before != now && !before.is_null() && !now.is_null();
    before.values.iter().zip(&*now.values).any(differ)
}

/// The rows of a snapshot that the batch before it lacks.
fn without_unchanged(plan: &Plan, earlier: &[Event], batch: &[Event]) -> Option<Vec<Event>> {
    let number = batch.first().filter(|_| plan.reads_snapshots())?.arrival.batch;
    let is_before = |event: &&Event| event.arrival.batch + 1 == number;
    let before: HashSet<&Row> =
        earlier.iter().rev().take_while(is_before).map(|event| &event.values).collect();
    batch::without(batch, |place| before.contains(&batch[place].values))
}

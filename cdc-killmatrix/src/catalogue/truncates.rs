//! What empties the table.

use cdc_core::{AutoCdc as _, Event, Mutants, Operation, Plan, Reference, needs};

use super::batch;

/// Faults of truncates.
#[derive(Mutants)]
#[mutants(family = "truncates")]
pub(super) enum Truncates {
    /// A truncate is passed over, and every row stays.
    ///
    /// Rows that the source threw away are still counted.
    #[mutant(
        truncates = |_, _, _| false,
        needs = needs::truncate_condition,
        report = "https://github.com/panchenkoai/rivet/pull/286",
        caught_by = "clauses/truncate"
    )]
    IgnoredTruncate,

    /// A truncate deletes what comes after it in the sequence, too, if it is there already.
    ///
    /// Rows that were loaded after the table was emptied are gone.
    #[mutant(
        supersedes = |plan, new, stored| {
            new.operation == Operation::Truncate || Reference.supersedes(plan, new, stored)
        },
        needs = needs::current_with_truncates,
        caught_by = "clauses/truncate"
    )]
    UnsequencedTruncate,

    /// A truncate runs when the rest of its batch has been applied.
    ///
    /// A table that was emptied and loaded anew is empty.
    #[mutant(
        rewrite = truncates_last,
        needs = needs::truncate_condition,
        report = "https://github.com/Altinity/clickhouse-sink-connector/pull/1382",
        caught_by = "clauses/truncate"
    )]
    TruncateLast,
}

fn truncates_last(plan: &Plan, _: &[Event], batch: &[Event]) -> Option<Vec<Event>> {
    let said = batch::said(plan, batch)?;
    let truncate = *batch::first_of_keys(&said, Operation::Truncate).get(&None)?;
    batch::without(batch, |place| said[place].key.is_some() && *truncate < said[place].order)
}

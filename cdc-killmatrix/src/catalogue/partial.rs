//! Updates that don't say everything: what a null means, and what is taken from before.

use cdc_core::{Around, AutoCdc as _, Event, Mutants, Plan, Reference, Version, needs};

use super::batch;

/// Faults of partial updates. Columns that an event doesn't list are with the columns.
#[derive(Mutants)]
#[mutants(family = "partial updates")]
pub(super) enum Partial {
    /// A null in an update keeps the earlier value in every column, though not across a delete.
    ///
    /// A telephone number that was taken back is still called.
    #[mutant(
        ignores_null = |_, _| true,
        needs = needs::erasing_nulls,
        caught_by = "customers_current/explicit_null"
    )]
    KeptNulls,

    /// A null is written, though the flow ignores nulls.
    ///
    /// A description that wasn't sent again is lost.
    #[mutant(
        ignores_null = |_, _| false,
        needs = needs::ignored_nulls,
        report = "https://github.com/artie-labs/transfer/pull/100",
        caught_by = "clauses/contacts"
    )]
    WrittenNulls,

    /// A batch is reduced to the last event of each key: what only an earlier one says is lost.
    ///
    /// Of two changes in one hour only the second is there.
    #[mutant(
        rewrite = last_events,
        needs = needs::older_events,
        report = "https://github.com/apache/hudi/pull/2106",
        caught_by = "clauses/contacts"
    )]
    LastEventOfBatch,

    /// What an event leaves unsaid after a delete comes from the row that was deleted.
    ///
    /// A new customer has the address of a deleted one.
    #[mutant(
        fills = |_, _, _, _| true,
        needs = needs::gaps_and_deletes,
        caught_by = "clauses/delete_and_return"
    )]
    ValuesOfDeletedRow,

    /// An update with gaps takes the mark of being deleted from the row before it, too.
    ///
    /// A customer who returns with half of the form filled in stays invisible.
    #[mutant(
        admits = |plan, version, around| !takes_delete(plan, version, around),
        needs = needs::gaps_and_deletes,
        report = "https://github.com/apache/doris/pull/24877",
        caught_by = "clauses/delete_and_return"
    )]
    MarkOfDeletedRow,

    /// An event that is older than what is there is dropped whole, also what only it says.
    ///
    /// A value that came late is missing for good.
    #[mutant(
        admits = |_, version, around| around.stored.is_none_or(|stored| stored.order <= version.order),
        needs = needs::older_events,
        report = "https://github.com/apache/spark/pull/58915",
        caught_by = "clauses/contacts"
    )]
    DroppedLateEvent,
}

fn last_events(plan: &Plan, _: &[Event], batch: &[Event]) -> Option<Vec<Event>> {
    let said = batch::said(plan, batch)?;
    let last = batch::last_of_keys(&said);
    batch::without(batch, |place| said[place].key.as_ref().is_some_and(|key| last[key] != place))
}

fn takes_delete(plan: &Plan, version: &Version, around: &Around<'_>) -> bool {
    let is_deleted = around.stored.is_some_and(|stored| stored.is_delete() && stored.order < version.order);
    !version.is_delete() && is_deleted && has_gaps(plan, &version.event)
}

fn has_gaps(plan: &Plan, event: &Event) -> bool {
    plan.payload().any(|column| {
        let is_ignored = plan.ignores_null(column) && event.values[plan.output()[column]].is_null();
        is_ignored || !Reference.gives(plan, event, column)
    })
}

//! What a delete does.

use std::collections::BTreeSet;

use cdc_core::{
    Around, AutoCdc as _, EvalError, Event, Image, Key, Mutants, Operation, Plan, Reference, Value, Version,
    needs,
};

use super::batch;

/// Faults of deletes.
#[derive(Mutants)]
#[mutants(family = "deletes")]
pub(super) enum Deletes {
    /// A delete is written like an update: a row with the delete's own values, usually null.
    ///
    /// A customer who was deleted is still there, without a name.
    #[mutant(
        operation_of = without_deletes,
        needs = needs::delete_condition,
        caught_by = "customers_current/ordering_and_delete"
    )]
    IgnoredDeletes,

    /// A delete removes the row, however old it is.
    ///
    /// A customer who came back after an old delete is gone.
    #[mutant(
        supersedes = |plan, new, stored| {
            new.operation == Operation::Delete || Reference.supersedes(plan, new, stored)
        },
        needs = needs::current_with_deletes,
        report = "https://github.com/apache/hudi/pull/4880",
        caught_by = "customers_current/one_batch_any_order"
    )]
    UnsequencedDelete,

    /// A delete of what is deleted already moves the end of the history.
    ///
    /// A contract seems to have run longer than it did.
    #[mutant(
        ends_at = after_deletes,
        needs = needs::late_deleted_history,
        caught_by = "clauses/there_and_back"
    )]
    EndMovedByDelete,

    /// An event is a delete where the delete condition is neither true nor false, but null.
    ///
    /// A live customer is gone, because a flag was left empty.
    #[mutant(
        operation_of = null_deletes,
        needs = needs::deletes_of_events,
        report = "https://github.com/brrsanchezfi/DKOps/issues/25",
        caught_by = "customers_current/unknown_operation"
    )]
    NullDeletes,

    /// An update of a key that no earlier batch brought is dropped, with what its batch says of the key before it.
    ///
    /// A customer who signed up and changed the address at once is missing.
    #[mutant(
        rewrite = without_unknown_updates,
        needs = needs::told_operation,
        report = "https://github.com/GoogleCloudPlatform/DataflowTemplates/pull/133",
        caught_by = "customers_current/one_batch_any_order"
    )]
    DroppedUnknownUpdate,

    /// A key that an earlier batch deleted never comes back.
    ///
    /// A customer who returns stays invisible.
    #[mutant(
        admits = |_, version, around| !returns(version, around),
        needs = needs::delete_condition,
        caught_by = "customers_current/remembered_deletes"
    )]
    StickyDelete,

    /// Of a key that changes, a delete followed by an upsert of the same values, the delete is dropped.
    ///
    /// A customer whose number changed is there twice.
    #[mutant(
        rewrite = half_of_key_changes,
        needs = needs::deletes_like_upserts,
        report = "https://github.com/estuary/connectors/pull/2185",
        caught_by = "customers_current/new_number"
    )]
    HalfKeyChange,

    /// A delete is forgotten as soon as time passes, long before the table's threshold.
    ///
    /// A deleted customer is back.
    #[mutant(
        expires = |_, _, seconds| 0 < seconds,
        needs = needs::tombstone_threshold,
        caught_by = "clauses/forgotten_delete"
    )]
    EarlyExpiry,
}

fn without_deletes(plan: &Plan, event: &Event) -> Result<Operation, EvalError> {
    let operation = Reference.operation_of(plan, event)?;
    Ok(if operation == Operation::Delete { Operation::Upsert } else { operation })
}

/// As `NOT (condition)` keeps the rows of which it is true.
fn null_deletes(plan: &Plan, event: &Event) -> Result<Operation, EvalError> {
    let operation = Reference.operation_of(plan, event)?;
    let Some(condition) = plan.delete_condition() else { return Ok(operation) };
    let is_null = condition.holds(&event.values)?.is_none();
    Ok(if is_null && operation == Operation::Upsert { Operation::Delete } else { operation })
}

/// The last of the deletes that follow a row, or what follows it.
fn after_deletes(_: &Plan, history: &[&Image<'_>], last: usize) -> Option<usize> {
    let after = history.get(last + 1..)?;
    let deletes = after.iter().take_while(|image| image.is_delete()).count();
    (!after.is_empty()).then(|| last + deletes.max(1))
}

fn returns(version: &Version, around: &Around<'_>) -> bool {
    let is_older_delete =
        |stored: &Version| stored.operation == Operation::Delete && stored.order < version.order;
    version.operation == Operation::Upsert && around.stored.is_some_and(is_older_delete)
}

/// The events of a key that no earlier batch brought go where the last one is an update, as a column says.
fn without_unknown_updates(plan: &Plan, earlier: &[Event], batch: &[Event]) -> Option<Vec<Event>> {
    let said = batch::said(plan, batch)?;
    let last = batch::last_of_keys(&said);
    let is_update = |event: &Event| {
        let is_named =
            |value: &Value| matches!(value, Value::String(text) if text.eq_ignore_ascii_case("UPDATE"));
        (0..plan.feed().len())
            .any(|column| !plan.output().contains(&column) && is_named(&event.values[column]))
    };
    // The target's other flows may have other columns.
    let is_of_flow = |event: &&Event| event.values.len() == plan.feed().len();
    let known: BTreeSet<Key> =
        earlier.iter().filter(is_of_flow).filter_map(|event| Reference.key_of(plan, event)).collect();
    let dropped: BTreeSet<&Key> = last
        .into_iter()
        .filter(|&(key, place)| {
            said[place].operation == Operation::Upsert && is_update(&batch[place]) && !known.contains(key)
        })
        .map(|(key, _)| key)
        .collect();
    batch::without(batch, |place| said[place].key.as_ref().is_some_and(|key| dropped.contains(key)))
}

/// A delete goes where the event after it is an upsert of another key that says the same of all other columns.
fn half_of_key_changes(plan: &Plan, _: &[Event], batch: &[Event]) -> Option<Vec<Event>> {
    let said = batch::said(plan, batch)?;
    let is_same = |(before, after): (&Event, &Event)| {
        plan.payload()
            .map(|column| plan.output()[column])
            .all(|place| before.values[place] == after.values[place])
    };
    batch::without(batch, |place| {
        let Some(next) = said.get(place + 1) else { return false };
        let operations = (said[place].operation, next.operation);
        operations == (Operation::Delete, Operation::Upsert)
            && said[place].key != next.key
            && is_same((&batch[place], &batch[place + 1]))
    })
}

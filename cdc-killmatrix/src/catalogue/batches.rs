//! The events of a batch by what they ask for, not by their place in the sequence.

use cdc_core::{Event, Mutants, Operation, Plan, needs};

use super::batch;

/// Faults of batches that are grouped by operation.
#[derive(Mutants)]
#[mutants(family = "batches by operation")]
pub(super) enum Batches {
    /// In a batch all deletes are applied before all upserts.
    ///
    /// A customer who signed up and left on one day is still there.
    #[mutant(
        rewrite = deletes_first,
        needs = needs::deletes_of_events,
        caught_by = "customers_current/one_batch_any_order"
    )]
    DeletesFirst,

    /// In a batch all deletes are applied after all upserts.
    ///
    /// A customer who left and returned on one day is missing.
    #[mutant(
        rewrite = deletes_last,
        needs = needs::deletes_of_events,
        report = "https://github.com/confluentinc/kafka-connect-jdbc/issues/1562",
        caught_by = "customers_current/one_batch_any_order"
    )]
    DeletesLast,
}

/// A delete finds nothing yet of what comes before it in the batch.
fn deletes_first(plan: &Plan, _: &[Event], batch: &[Event]) -> Option<Vec<Event>> {
    without_later(plan, batch, Operation::Upsert, Operation::Delete)
}

/// A delete erases what comes after it in the batch.
fn deletes_last(plan: &Plan, _: &[Event], batch: &[Event]) -> Option<Vec<Event>> {
    without_later(plan, batch, Operation::Delete, Operation::Upsert)
}

/// The batch without the events of one operation that follow, of the same key, one of the other.
fn without_later(plan: &Plan, batch: &[Event], first: Operation, later: Operation) -> Option<Vec<Event>> {
    let said = batch::said(plan, batch)?;
    let firsts = batch::first_of_keys(&said, first);
    batch::without(batch, |place| {
        let it = &said[place];
        it.operation == later && firsts.get(&it.key).is_some_and(|&first| *first < it.order)
    })
}

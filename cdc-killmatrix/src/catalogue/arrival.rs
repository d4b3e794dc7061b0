//! The order of arrival instead of the source's.

use cdc_core::{Around, AutoCdc as _, Event, Mutants, Order, Plan, Reference, Value, Version, needs};

/// Faults of taking the order of arrival for the order of events.
#[derive(Mutants)]
#[mutants(family = "arrival order")]
pub(super) enum Arrival {
    /// Events are ordered by arrival, not by the sequence.
    ///
    /// What comes late overwrites what is newer.
    #[mutant(
        order_of = |_, event| Some(Order::arrival(event)),
        needs = needs::events,
        report = "https://github.com/cockroachdb/replicator/issues/898",
        caught_by = "customers_current/ordering_and_delete"
    )]
    ArrivalOrder,

    /// In a batch the sequence decides; between batches the later one always wins.
    ///
    /// A late file overwrites what is newer.
    #[mutant(
        order_of = batch_first,
        needs = needs::events,
        caught_by = "customers_current/ordering_and_delete"
    )]
    ArrivalOrderAcrossBatches,

    /// In a batch the last event to arrive wins; only between batches the sequence decides.
    ///
    /// A file that isn't sorted leaves older values.
    #[mutant(
        supersedes = last_of_batch,
        needs = needs::current_of_events,
        caught_by = "customers_current/one_batch_any_order"
    )]
    ArrivalOrderInsideBatch,

    /// What is older than anything in earlier batches is dropped, of whatever key.
    ///
    /// Changes of a slow source never reach the table.
    #[mutant(
        admits = not_below_high_water,
        needs = needs::events,
        caught_by = "customers_current/other_customers_late"
    )]
    GlobalHighWaterMark,
}

fn batch_first(plan: &Plan, event: &Event) -> Option<Order> {
    let order = Reference.order_of(plan, event)?;
    let batch = Value::Int(event.arrival.batch.into());
    Some(Order::new([batch].into_iter().chain(order.iter().cloned())))
}

fn last_of_batch(_: &Plan, new: &Version, stored: &Version) -> bool {
    new.arrival().batch == stored.arrival().batch || stored.order < new.order
}

fn not_below_high_water(_: &Plan, version: &Version, around: &Around<'_>) -> bool {
    around.high_water.is_none_or(|mark| *mark <= version.order)
}

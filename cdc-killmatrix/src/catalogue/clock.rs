//! The clock of the loader instead of the source's.

use cdc_core::{AutoCdc as _, Event, Flow, Mutants, Operation, Order, Plan, Reference, Value, needs};

/// Faults of taking the time of a load for the time of a change.
#[derive(Mutants)]
#[mutants(family = "wrong clock")]
pub(super) enum Clock {
    /// The sequence is the time of the load: in one load all events tie, and the first stays.
    ///
    /// A customer who signed up and left in one load is still there.
    #[mutant(
        order_of = first_of_load,
        needs = needs::events,
        report = "https://github.com/airbytehq/airbyte/issues/32930",
        caught_by = "customers_current/one_batch_any_order"
    )]
    KeptFirstOfLoad,

    /// The sequence is a column of the source that no clause uses, as the time of the load.
    ///
    /// The history says when a change was loaded, not when it happened.
    #[mutant(
        definition = by_unused_column,
        needs = needs::unused_column,
        report = "https://community.databricks.com/t5/data-engineering/scd-2-backfilling-with-streaming-tabels/td-p/148545",
        caught_by = "clauses/well_probes"
    )]
    LoadTimeAsSequence,

    /// A delete takes its place from the clock of the loader, which is ahead of every sequence.
    ///
    /// A customer who came back is gone for good.
    #[mutant(
        order_of = deletes_by_arrival,
        needs = needs::delete_condition,
        report = "https://github.com/Altinity/clickhouse-sink-connector/pull/1378",
        caught_by = "customers_current/remembered_deletes"
    )]
    DeleteByLoadTime,
}

/// Refuses what the reference refuses, and else takes the batch, then its rows backwards.
fn first_of_load(plan: &Plan, event: &Event) -> Option<Order> {
    Reference.order_of(plan, event)?;
    let batch = Value::Int(event.arrival.batch.into());
    let backwards = Value::Int(-i64::from(event.arrival.row));
    Some(Order::new([batch, backwards]))
}

fn by_unused_column(flow: &Flow) -> Option<Flow> {
    let column = needs::first_unused_column(flow)?;
    let sequence_by = format!("`{}`", column.replace('`', "``"));
    Some(Flow { sequence_by, ..flow.clone() })
}

fn deletes_by_arrival(plan: &Plan, event: &Event) -> Option<Order> {
    let order = Reference.order_of(plan, event)?;
    let is_delete = Reference.operation_of(plan, event) == Ok(Operation::Delete);
    let order = if is_delete { Order::arrival(event) } else { order };
    Some(Order::new([Value::Boolean(is_delete)].into_iter().chain(order.iter().cloned())))
}

//! How two places in the sequence compare.

use cdc_core::{AutoCdc as _, Event, Mutants, Order, Plan, Reference, Value, needs};

/// Faults of the sequence.
#[derive(Mutants)]
pub enum Sequence {
    /// Only the first field of the sequence counts.
    #[mutant(order_of = first_field, needs = needs::composite_sequence)]
    IgnoredTieBreaker,

    /// A tie in the first field of the sequence is broken by what the row says, which is no order of the source.
    #[mutant(order_of = by_content, needs = needs::composite_sequence)]
    ArbitraryTieBreaker,
}

/// The first field, then what makes events unique without being their order.
fn by_content(plan: &Plan, event: &Event) -> Option<Order> {
    let content = Reference.row_of(plan, event);
    let first = first_field(plan, event)?;
    Some(Order::new(first.iter().chain(&*content).cloned()))
}

/// Refuses what the reference refuses, and else drops all fields but the first.
fn first_field(plan: &Plan, event: &Event) -> Option<Order> {
    let order = Reference.order_of(plan, event)?;
    let first = match order.first()? {
        Value::Struct(fields) => fields.first()?,
        value => value,
    };
    Some(Order::new([first.clone()]))
}

//! The clock of the loader instead of the source's.

use cdc_core::{Mutants, Order, needs};

/// Faults of taking the order of arrival for the order of events.
#[derive(Mutants)]
pub enum Arrival {
    /// Events are ordered by arrival, not by the sequence.
    #[mutant(order_of = |_, event| Some(Order::arrival(event)), needs = needs::events)]
    ArrivalOrder,
}

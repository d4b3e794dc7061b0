//! What was known when.

use cdc_core::{Mutants, Order, needs};

/// Faults of the second time axis.
#[derive(Mutants)]
pub enum Bitemporal {
    /// An event is known from its arrival on, not from its system time on.
    #[mutant(system_order_of = |_, event| Some(Order::arrival(event)), needs = needs::system_sequence)]
    ArrivalAsSystemTime,

    /// What is learnt later is told as if it had always been known.
    #[mutant(believes = |_, _, _| true, needs = needs::system_sequence)]
    RewrittenPast,

    /// What is no longer believed is never ended.
    #[mutant(system_ends_at = |_, _, _| None, needs = needs::system_sequence)]
    UnendedBelief,
}

//! What was known when.

use cdc_core::{AutoCdc as _, Mutants, Order, Reference, needs};

/// Faults of the second time axis.
#[derive(Mutants)]
#[mutants(family = "the second time axis")]
pub(super) enum Bitemporal {
    /// An event is known from its arrival on, not from its system time on.
    ///
    /// A report for the audit shows what nobody knew at the time.
    #[mutant(
        system_order_of = |_, event| Some(Order::arrival(event)),
        needs = needs::system_sequence,
        caught_by = "clauses/late_knowledge"
    )]
    ArrivalAsSystemTime,

    /// What is learnt later is told as if it had always been known.
    ///
    /// What was reported last quarter can't be shown again.
    #[mutant(
        believes = |_, _, _| true,
        needs = needs::system_sequence,
        caught_by = "clauses/late_correction"
    )]
    RewrittenPast,

    /// What is no longer believed is never ended.
    ///
    /// Two answers stand for one question, the old and the corrected.
    #[mutant(
        system_ends_at = |_, _, _| None,
        needs = needs::system_sequence,
        caught_by = "clauses/late_correction"
    )]
    UnendedBelief,

    /// A correction is dropped as a duplicate: of events at one place in the sequence the first stays.
    ///
    /// A mistake that was corrected stays in the books.
    #[mutant(
        breaks_tie = |plan, new, stored| {
            new.system == stored.system && Reference.breaks_tie(plan, new, stored)
        },
        needs = needs::system_sequence,
        caught_by = "clauses/same_day_corrected"
    )]
    DroppedCorrection,
}

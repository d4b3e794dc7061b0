//! Two events of a key at one place in the sequence.

use cdc_core::{AutoCdc as _, Mutants, Plan, Reference, Version, needs};

/// Faults of ties, which stand beside each other where the source gives no order.
///
/// In a table of type 2 a delete wins a tie against an upsert already.
#[derive(Mutants)]
#[mutants(family = "ties")]
pub(super) enum Ties {
    /// A delete wins every tie against an upsert.
    ///
    /// A customer who was entered again is missing.
    #[mutant(
        breaks_tie = |plan, new, stored| of_delete_and_upsert(plan, new, stored, new.is_delete()),
        needs = needs::current_with_removals,
        report = "https://github.com/apache/doris/issues/17739",
        caught_by = "customers_current/same_position"
    )]
    DeleteWinsTie,

    /// An upsert wins every tie against a delete.
    ///
    /// A deleted customer is still there.
    #[mutant(
        breaks_tie = |plan, new, stored| of_delete_and_upsert(plan, new, stored, !new.is_delete()),
        needs = needs::removals_of_events,
        report = "https://github.com/scylladb/scylladb/issues/6900",
        caught_by = "customers_current/same_position"
    )]
    UpsertWinsTie,

    /// Of a tie the event stays that came first.
    ///
    /// A correction that was made at once is lost.
    #[mutant(
        breaks_tie = |plan, new, stored| as_arrived(plan, new, stored, false),
        needs = needs::events,
        caught_by = "customers_current/same_position"
    )]
    FirstOfTie,

    /// Of a tie the event stays that came last.
    ///
    /// What was sent again overwrites what was right.
    #[mutant(
        breaks_tie = |plan, new, stored| as_arrived(plan, new, stored, true),
        needs = needs::ties_that_the_first_may_win,
        caught_by = "customers_current/same_position"
    )]
    LastOfTie,
}

/// This answer where one of the two is a delete; where they became known apart, there is no tie.
fn of_delete_and_upsert(plan: &Plan, new: &Version, stored: &Version, answer: bool) -> bool {
    let is_meant = new.system == stored.system && new.is_delete() != stored.is_delete();
    if is_meant { answer } else { Reference.breaks_tie(plan, new, stored) }
}

/// This answer, unless they became known apart.
fn as_arrived(plan: &Plan, new: &Version, stored: &Version, answer: bool) -> bool {
    if new.system == stored.system { answer } else { Reference.breaks_tie(plan, new, stored) }
}

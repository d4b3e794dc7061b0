//! A new version is compared with the open one, not with all that there ever were.

use cdc_core::{AutoCdc as _, Change, Image, Mutants, Plan, Reference, needs};

/// Faults of comparing with the whole history.
#[derive(Mutants)]
#[mutants(family = "compared with the whole history")]
pub(super) enum History {
    /// A value that was there before, between others, opens no version: of A, B, A the third is dropped.
    ///
    /// A customer who moved back home is still written to at the other address.
    #[mutant(
        change = without_reverts,
        needs = needs::values_that_return,
        report = "https://github.com/dataform-co/dataform-scd/issues/13",
        caught_by = "customer_history/idle_events"
    )]
    DroppedRevert,

    /// A row that comes back after its delete as it was before opens no version.
    ///
    /// A product that is on sale again is missing.
    #[mutant(
        change = without_equal_returns,
        needs = needs::returns_after_deletes,
        report = "https://github.com/dlt-hub/dlt/issues/1683",
        caught_by = "customer_history/delete_and_equal_reinsert"
    )]
    DroppedEqualReturn,
}

fn without_reverts(
    plan: &Plan,
    tracked: &[usize],
    past: &[Image<'_>],
    open: Option<&Image<'_>>,
    new: &Image<'_>,
) -> Change {
    let change = Reference.change(plan, tracked, past, open, new);
    if change == Change::Opens && open.is_some() && was_there(tracked, past, new) {
        Change::Nothing
    } else {
        change
    }
}

fn without_equal_returns(
    plan: &Plan,
    tracked: &[usize],
    past: &[Image<'_>],
    open: Option<&Image<'_>>,
    new: &Image<'_>,
) -> Change {
    if open.is_none() && was_there(tracked, past, new) {
        return Change::Nothing;
    }
    Reference.change(plan, tracked, past, open, new)
}

fn was_there(tracked: &[usize], past: &[Image<'_>], new: &Image<'_>) -> bool {
    let is_equal = |past: &Image<'_>| tracked.iter().all(|&column| past.row[column] == new.row[column]);
    past.iter().any(|past| !past.is_delete() && is_equal(past))
}

//! Events that come late into a history.
//!
//! A late event that ends the open row before it starts, and is lost itself, takes two wrong decisions: it stands in the
//! order of arrival, and it only closes (`arrival_order` and `closed_only`). No mutant here does both.

use cdc_core::{AutoCdc as _, Change, Image, Mutants, Plan, Reference, Version, needs};

/// Faults of late events in a history.
#[derive(Mutants)]
#[mutants(family = "late events in a history")]
pub(super) enum Late {
    /// A late event ends the version that is open, though that starts after it.
    ///
    /// Nobody is a customer today, because an old form turned up.
    #[mutant(
        ends_at = at_late_event,
        needs = needs::late_history,
        caught_by = "customer_history/late_event_between_versions"
    )]
    ClosedByLateEvent,

    /// A late event wipes the versions that come after it.
    ///
    /// A form from last year takes the place of this year's address.
    #[mutant(
        change = wiped,
        needs = needs::late_history,
        caught_by = "customer_history/late_event_between_versions"
    )]
    WipedNewerHistory,

    /// An event that changes nothing isn't remembered: of a run that a late event splits, the second half is lost.
    ///
    /// The current address is replaced by one of long ago.
    #[mutant(
        remembers = |plan, before, hidden, _| !before.is_some_and(|before| is_same(plan, before, hidden)),
        needs = needs::late_repeated_events,
        caught_by = "customer_history/idle_events"
    )]
    ForgottenHiddenEvent,

    /// A late event after a delete joins the version before the delete.
    ///
    /// A customer seems never to have been away.
    #[mutant(
        ends_at = across_delete,
        needs = needs::late_deleted_history,
        report = "https://github.com/sillsdev/harmony/issues/105",
        caught_by = "customer_history/late_after_delete"
    )]
    BridgedDelete,
}

/// Whether an event arrived in a later batch than something that comes after it.
fn is_late(history: &[&Image<'_>], place: usize) -> bool {
    let batch = |image: &Image<'_>| image.version.arrival().batch;
    history[place + 1..].iter().any(|newer| batch(newer) < batch(history[place]))
}

/// Of the open row: the late event that arrived last.
fn at_late_event(plan: &Plan, history: &[&Image<'_>], last: usize) -> Option<usize> {
    let end = Reference.ends_at(plan, history, last);
    let late = || {
        (0..last)
            .filter(|&place| is_late(history, place))
            .max_by_key(|&place| history[place].version.arrival())
    };
    end.or_else(late)
}

/// Of an upsert that was there before an older one came, nothing is left.
fn wiped(
    plan: &Plan,
    tracked: &[usize],
    past: &[Image<'_>],
    open: Option<&Image<'_>>,
    new: &Image<'_>,
) -> Change {
    let batch = new.version.arrival().batch;
    if past.iter().any(|past| !past.is_delete() && batch < past.version.arrival().batch) {
        return Change::Nothing;
    }
    Reference.change(plan, tracked, past, open, new)
}

fn is_same(plan: &Plan, before: &Version, hidden: &Version) -> bool {
    let row = |version: &Version| Reference.row_of(plan, &version.event);
    !before.is_delete() && row(before) == row(hidden)
}

/// The late upsert behind the delete that ends the row, or what ends it.
fn across_delete(plan: &Plan, history: &[&Image<'_>], last: usize) -> Option<usize> {
    let end = Reference.ends_at(plan, history, last)?;
    let late = Some(end + 1).filter(|&next| {
        let is_upsert = history.get(next).is_some_and(|next| !next.is_delete());
        history[end].is_delete() && is_upsert && is_late(history, next)
    });
    late.or(Some(end))
}

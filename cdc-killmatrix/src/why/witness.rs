//! A model that decides as the reference does, and writes down what it decided.

use std::cell::{Ref, RefCell};
use std::collections::BTreeMap;

use cdc_core::{Around, Arrival, AutoCdc, Change, Image, Operation, Order, Plan, Reference, Row, Version};

/// What was decided, by the event that it was decided on: an event arrives once.
#[derive(Debug, Default)]
pub(super) struct Log {
    /// The events that were applied.
    pub(super) events: BTreeMap<Arrival, Version>,
    /// The events that lost, each with those that won: first the one to which it lost its place.
    pub(super) losses: BTreeMap<Arrival, Vec<Version>>,
    /// What was decided on filling the nulls of an upsert.
    pub(super) fills: BTreeMap<Arrival, Fill>,
    /// What upserts do to the history.
    pub(super) changes: BTreeMap<Arrival, Changed>,
    /// The deletes that were forgotten.
    pub(super) expired: BTreeMap<Arrival, Expired>,
    /// For the last event of each row of the history, the event that ends the row.
    pub(super) ends: BTreeMap<Arrival, Arrival>,
}

/// When a delete was forgotten.
#[derive(Debug)]
pub(super) struct Expired {
    /// How many seconds had passed since it arrived.
    pub(super) seconds: u64,
    /// The last event of all that had arrived by then.
    pub(super) after: Arrival,
}

/// Whether an upsert takes over what an earlier one says.
#[derive(Debug)]
pub(super) struct Fill {
    /// The upsert before it.
    pub(super) earlier: Arrival,
    /// The delete between them.
    pub(super) delete: Option<Arrival>,
    /// The decision.
    pub(super) fills: bool,
}

/// What an upsert does to the history, and what the decision was taken on.
#[derive(Debug)]
pub(super) struct Changed {
    /// The decision.
    pub(super) change: Change,
    /// The columns that count.
    pub(super) tracked: Vec<usize>,
    /// What the upsert says of the target.
    pub(super) row: Row,
    /// What the open row shows before it.
    pub(super) open: Option<Row>,
    /// What the last upsert before it says.
    pub(super) before: Option<Row>,
    /// The event before it, if that is a delete.
    pub(super) delete: Option<Arrival>,
}

/// The reference, watched: what [`Chronicle`](super::Chronicle) keeps its notes in.
#[derive(Debug, Default)]
pub struct Witness(RefCell<Log>);

impl Witness {
    /// Forgets everything.
    pub(super) fn clear(&self) {
        self.0.take();
    }

    /// Everything that was decided.
    pub(super) fn log(&self) -> Ref<'_, Log> {
        self.0.borrow()
    }

    /// Forgets what these events take over, of those that don't stand before a place: it is asked anew.
    pub(super) fn forget_fills(&self, events: impl Iterator<Item = Arrival>, from: Option<&Order>) {
        let mut log = self.0.borrow_mut();
        for event in events {
            if from <= log.events.get(&event).map(|version| &version.order) {
                log.fills.remove(&event);
            }
        }
    }

    /// Writes down who lost, and tells again who won.
    fn met(&self, new: &Version, stored: &Version, new_wins: bool) -> bool {
        let (winner, loser) = if new_wins { (new, stored) } else { (stored, new) };
        // It meets every key, and is told otherwise.
        if loser.operation == Operation::Truncate {
            return new_wins;
        }
        let mut log = self.0.borrow_mut();
        // What loses its place has no part in the history any more.
        log.changes.remove(&loser.arrival());
        log.ends.remove(&loser.arrival());
        let winners = log.losses.entry(loser.arrival()).or_default();
        if !winners.contains(winner) {
            winners.push(winner.clone());
        }
        new_wins
    }
}

impl AutoCdc for Witness {
    fn admits(&self, plan: &Plan, version: &Version, around: &Around<'_>) -> bool {
        let admits = Reference.admits(plan, version, around);
        if admits {
            self.0.borrow_mut().events.insert(version.arrival(), version.clone());
        }
        admits
    }

    fn supersedes(&self, plan: &Plan, new: &Version, stored: &Version) -> bool {
        self.met(new, stored, Reference.supersedes(plan, new, stored))
    }

    fn breaks_tie(&self, plan: &Plan, new: &Version, stored: &Version) -> bool {
        self.met(new, stored, Reference.breaks_tie(plan, new, stored))
    }

    fn expires(&self, plan: &Plan, delete: &Version, seconds: u64) -> bool {
        let expires = Reference.expires(plan, delete, seconds);
        if expires {
            let mut log = self.0.borrow_mut();
            let after = log.events.last_key_value().map_or(delete.arrival(), |(&last, _)| last);
            log.expired.insert(delete.arrival(), Expired { seconds, after });
        }
        expires
    }

    fn fills(&self, plan: &Plan, earlier: &Image<'_>, delete: Option<&Image<'_>>, new: &Image<'_>) -> bool {
        let fills = Reference.fills(plan, earlier, delete, new);
        let fill = Fill { earlier: arrival(earlier), delete: delete.map(arrival), fills };
        self.0.borrow_mut().fills.insert(arrival(new), fill);
        fills
    }

    fn change(
        &self,
        plan: &Plan,
        tracked: &[usize],
        past: &[Image<'_>],
        open: Option<&Image<'_>>,
        new: &Image<'_>,
    ) -> Change {
        let change = Reference.change(plan, tracked, past, open, new);
        let changed = Changed {
            change,
            tracked: tracked.to_vec(),
            row: new.row.clone(),
            open: open.map(|open| open.row.clone()),
            before: past.iter().rfind(|image| !image.is_delete()).map(|image| image.row.clone()),
            delete: past.last().filter(|image| image.is_delete()).map(arrival),
        };
        self.0.borrow_mut().changes.insert(arrival(new), changed);
        change
    }

    fn ends_at(&self, plan: &Plan, history: &[&Image<'_>], last: usize) -> Option<usize> {
        let end = Reference.ends_at(plan, history, last);
        let mut log = self.0.borrow_mut();
        match end {
            Some(end) => log.ends.insert(arrival(history[last]), arrival(history[end])),
            None => log.ends.remove(&arrival(history[last])),
        };
        end
    }
}

fn arrival(image: &Image<'_>) -> Arrival {
    image.version.arrival()
}

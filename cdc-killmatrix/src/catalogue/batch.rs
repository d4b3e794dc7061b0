//! A batch as the faults see it that look at a batch as a whole.

use std::collections::BTreeMap;

use cdc_core::{AutoCdc as _, Event, Key, Operation, Order, Plan, Reference};

/// What an event of a batch says.
pub(super) struct Said {
    /// `None`: a truncate, which speaks of all keys.
    pub(super) key: Option<Key>,
    pub(super) order: Order,
    pub(super) operation: Operation,
}

/// What the events of a batch say. `None` of a snapshot, whose rows say nothing yet, and of a batch that is refused.
pub(super) fn said(plan: &Plan, batch: &[Event]) -> Option<Vec<Said>> {
    if plan.reads_snapshots() {
        return None;
    }
    let said = |event: &Event| {
        let order = Reference.order_of(plan, event)?;
        let operation = Reference.operation_of(plan, event).ok()?;
        let key = match operation {
            Operation::Truncate => None,
            Operation::Upsert | Operation::Delete => Some(Reference.key_of(plan, event)?),
        };
        Some(Said { key, order, operation })
    };
    batch.iter().map(said).collect()
}

/// For each key the first place in the sequence at which the batch does this to it.
pub(super) fn first_of_keys(said: &[Said], operation: Operation) -> BTreeMap<&Option<Key>, &Order> {
    let mut first = BTreeMap::new();
    for it in said.iter().filter(|it| it.operation == operation) {
        let order = first.entry(&it.key).or_insert(&it.order);
        *order = (*order).min(&it.order);
    }
    first
}

/// For each key the place in the batch of the event that comes last in the sequence: of a tie, the last one.
pub(super) fn last_of_keys(said: &[Said]) -> BTreeMap<&Key, usize> {
    let mut last = BTreeMap::new();
    for (place, it) in said.iter().enumerate() {
        let Some(key) = &it.key else { continue };
        let known = last.entry(key).or_insert(place);
        if said[*known].order <= it.order {
            *known = place;
        }
    }
    last
}

/// The batch without the events at the places of which this is true. `None`, where it is true of none.
pub(super) fn without(batch: &[Event], is_lost: impl Fn(usize) -> bool) -> Option<Vec<Event>> {
    let kept: Vec<Event> =
        (0..).zip(batch).filter(|&(place, _)| !is_lost(place)).map(|(_, event)| event.clone()).collect();
    (kept.len() < batch.len()).then_some(kept)
}

//! A feed made smaller as long as it still separates.

use super::draft::{FeedDraft, is_delete, key, weight_of};
use super::pools::{Pools, Use};

/// Tries everything that makes a feed smaller, until nothing does. `separates` gives the number of the checkpoint at
/// which a feed separates: what comes after it is dropped.
pub(super) fn shrunk(
    mut feed: FeedDraft,
    pools: &Pools,
    separates: &mut dyn FnMut(&FeedDraft) -> Option<usize>,
) -> FeedDraft {
    loop {
        let before = feed.clone();
        for step in [batches, events, plain, keys, values, places] {
            step(&mut feed, pools, &mut |feed, smaller| {
                if feed.size(pools) <= smaller.size(pools) {
                    return false;
                }
                let Some(checkpoint) = separates(&smaller) else { return false };
                *feed = smaller;
                feed.batches.truncate(checkpoint + 1);
                true
            });
        }
        if feed == before {
            return feed;
        }
    }
}

/// Puts a smaller feed in the place of one, if it is one and separates.
type Accept<'a> = dyn FnMut(&mut FeedDraft, FeedDraft) -> bool + 'a;

/// Without a batch, or with its events in the batch before it.
fn batches(feed: &mut FeedDraft, pools: &Pools, accept: &mut Accept<'_>) {
    let mut place = 0;
    while place < feed.batches.len() {
        let mut smaller = feed.clone();
        let dropped = smaller.batches.remove(place);
        if accept(feed, smaller.clone()) {
            continue;
        }
        let before = place.checked_sub(1).and_then(|before| smaller.batches.get_mut(before));
        if let Some(before) = before
            && before.flow == dropped.flow
            && pools.versions[dropped.flow].is_none()
        {
            before.events.extend(dropped.events);
            if accept(feed, smaller) {
                continue;
            }
        }
        place += 1;
    }
}

/// Without an event.
fn events(feed: &mut FeedDraft, pools: &Pools, accept: &mut Accept<'_>) {
    let mut batch = 0;
    while batch < feed.batches.len() {
        let mut event = 0;
        while feed.batches.get(batch).is_some_and(|batch| event < batch.events.len()) {
            let mut smaller = feed.clone();
            smaller.batches[batch].events.remove(event);
            let is_empty = smaller.batches[batch].events.is_empty()
                && pools.versions[feed.batches[batch].flow].is_none();
            if is_empty || !accept(feed, smaller) {
                event += 1;
            }
        }
        batch += 1;
    }
}

/// With plain values in all columns that neither identify nor order: tables may be wide.
fn plain(feed: &mut FeedDraft, pools: &Pools, accept: &mut Accept<'_>) {
    for batch in 0..feed.batches.len() {
        for event in 0..feed.batches.get(batch).map_or(0, |batch| batch.events.len()) {
            let mut smaller = feed.clone();
            // What comes after the checkpoint is dropped.
            let Some(batch) = smaller.batches.get_mut(batch) else { return };
            let columns = batch.events[event].iter_mut().zip(&pools.uses);
            columns.filter(|(_, used)| **used == Use::Payload).for_each(|(place, _)| *place = 0);
            accept(feed, smaller);
        }
    }
}

/// With fewer keys: all events of one get the key of another.
fn keys(feed: &mut FeedDraft, pools: &Pools, accept: &mut Accept<'_>) {
    let mut all: Vec<Vec<usize>> =
        feed.batches.iter().flat_map(|batch| &batch.events).map(|event| key(pools, event)).collect();
    all.sort_unstable();
    all.dedup();
    let columns = pools.of_use(Use::Key);
    for from in all.iter().rev() {
        for to in all.iter().filter(|to| *to != from) {
            let mut smaller = feed.clone();
            for event in smaller.batches.iter_mut().flat_map(|batch| &mut batch.events) {
                if key(pools, event) == *from {
                    columns.iter().zip(to).for_each(|(&column, &place)| event[column] = place);
                }
            }
            if smaller != *feed {
                accept(feed, smaller);
            }
        }
    }
}

/// With a plainer value wherever a value of a column occurs.
fn places(feed: &mut FeedDraft, pools: &Pools, accept: &mut Accept<'_>) {
    for column in 0..pools.columns.len() {
        let mut used: Vec<usize> =
            feed.batches.iter().flat_map(|batch| &batch.events).map(|event| event[column]).collect();
        used.sort_unstable();
        used.dedup();
        for &from in &used {
            for to in 0..from {
                let mut smaller = feed.clone();
                let events = smaller.batches.iter_mut().flat_map(|batch| &mut batch.events);
                events.filter(|event| event[column] == from).for_each(|event| event[column] = to);
                if smaller != *feed && accept(feed, smaller) {
                    break;
                }
            }
        }
    }
    // Versions need only ascend.
    for batch in 0..feed.batches.len() {
        let from = feed.batches.get(batch).and_then(|batch| batch.version).unwrap_or(0);
        for to in 0..from {
            let mut smaller = feed.clone();
            smaller.batches[batch].version = Some(to);
            if accept(feed, smaller) {
                break;
            }
        }
    }
}

/// With a plainer value in one event; with less time between two batches.
fn values(feed: &mut FeedDraft, pools: &Pools, accept: &mut Accept<'_>) {
    let mut batch = 0;
    while batch < feed.batches.len() {
        for seconds in 0..feed.batches[batch].seconds {
            let mut smaller = feed.clone();
            smaller.batches[batch].seconds = seconds;
            if accept(feed, smaller) {
                break;
            }
        }
        let mut event = 0;
        while feed.batches.get(batch).is_some_and(|batch| event < batch.events.len()) {
            for column in 0..pools.columns.len() {
                if feed.batches.get(batch).is_some_and(|batch| event < batch.events.len()) {
                    plainer(feed, pools, (batch, event, column), accept);
                }
            }
            event += 1;
        }
        batch += 1;
    }
}

fn plainer(
    feed: &mut FeedDraft,
    pools: &Pools,
    (batch, event, column): (usize, usize, usize),
    accept: &mut Accept<'_>,
) {
    let draft = &feed.batches[batch];
    let is_delete = is_delete(pools, draft.flow, &draft.events[event]);
    let weight = |place: usize| weight_of(pools, column, place, is_delete);
    let now = weight(draft.events[event][column]);
    let mut plainer: Vec<usize> =
        (0..pools.columns[column].values.len()).filter(|&place| weight(place) < now).collect();
    plainer.sort_by_key(|&place| weight(place));
    for place in plainer {
        let mut smaller = feed.clone();
        smaller.batches[batch].events[event][column] = place;
        if accept(feed, smaller) {
            break;
        }
    }
}

//! A feed while it is made: events as places in the pools of values.

use cdc_core::{AutoCdc as _, Delivery, Event, Feed, Operation, Plan, Reference, Row, Value};

use super::pools::{Pools, Use};

/// An event: for each column of the source the place of its value in the column's pool.
pub(super) type Draft = Vec<usize>;

/// A batch.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct BatchDraft {
    pub(super) flow: usize,
    /// The place of what passes before it.
    pub(super) seconds: usize,
    /// The place of a snapshot's version. `None`: the source gives no snapshot, or events.
    pub(super) version: Option<usize>,
    pub(super) events: Vec<Draft>,
}

/// A feed.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct FeedDraft {
    pub(super) batches: Vec<BatchDraft>,
}

/// How large a feed is: what is compared first comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Size {
    pub(super) checkpoints: usize,
    pub(super) events: usize,
    keys: usize,
    /// How far its values are from the plain ones.
    weight: usize,
}

impl FeedDraft {
    pub(super) fn feed(&self, pools: &Pools) -> Feed {
        let mut feed = Feed::default();
        for batch in &self.batches {
            let versions = &pools.versions[batch.flow];
            let delivery = Delivery {
                flow: batch.flow,
                seconds: pools.seconds[batch.seconds],
                version: versions
                    .as_ref()
                    .zip(batch.version)
                    .map(|(versions, place)| versions.values[place].clone()),
            };
            feed.deliver(delivery, batch.events.iter().map(|event| row(pools, event)));
        }
        feed
    }

    pub(super) fn events(&self) -> usize {
        self.batches.iter().map(|batch| batch.events.len()).sum()
    }

    pub(super) fn size(&self, pools: &Pools) -> Size {
        let mut keys: Vec<Vec<usize>> =
            self.batches.iter().flat_map(|batch| &batch.events).map(|event| key(pools, event)).collect();
        keys.sort_unstable();
        keys.dedup();
        let weight = self.batches.iter().map(|batch| {
            let events = batch.events.iter().map(|event| weight(pools, batch.flow, event));
            events.sum::<usize>() + 50 * batch.seconds + batch.version.unwrap_or(50)
        });
        Size {
            checkpoints: self.batches.len(),
            events: self.events(),
            keys: keys.len(),
            weight: weight.sum(),
        }
    }
}

/// The values of an event.
fn row(pools: &Pools, event: &Draft) -> Row {
    pools.columns.iter().zip(event).map(|(pool, &place)| pool.values[place].clone()).collect()
}

/// The places of the values in the columns of the key.
pub(super) fn key(pools: &Pools, event: &Draft) -> Vec<usize> {
    let is_key = |(used, _): &(&Use, &usize)| **used == Use::Key;
    pools.uses.iter().zip(event).filter(is_key).map(|(_, &place)| place).collect()
}

/// How far the values of an event are from plain ones.
fn weight(pools: &Pools, flow: usize, event: &Draft) -> usize {
    let is_delete = is_delete(pools, flow, event);
    (0..event.len()).map(|column| weight_of(pools, column, event[column], is_delete)).sum()
}

/// How far a value is from a plain one. In a delete nothing is plainer than null.
pub(super) fn weight_of(pools: &Pools, column: usize, place: usize, is_delete: bool) -> usize {
    let pool = &pools.columns[column];
    let is_payload = pools.uses[column] == Use::Payload;
    match (is_payload, place == pool.null) {
        (true, true) if is_delete => 0,
        // A null is plainer than what is odd.
        (true, true) => pool.themes[0].len(),
        (true, false) if pool.themes[0].len() <= place => place + 2,
        (true, false) => place + usize::from(is_delete),
        (false, _) => place,
    }
}

/// Whether an event is written as a delete or a truncate.
pub(super) fn is_delete(pools: &Pools, flow: usize, event: &Draft) -> bool {
    let [_, deletes, truncates, _] = &pools.ways[flow];
    deletes.iter().chain(truncates).any(|way| way.iter().all(|&(column, place)| event[column] == place))
}

/// Whether two events of a feed that share key and sequence differ: then no table is right.
pub(super) fn conflicts(plans: &[Plan], feed: &Feed) -> bool {
    let events: Vec<(&Plan, &Event)> = (0..feed.batches())
        .map(|number| feed.batch(number))
        .filter(|batch| !plans[batch.delivery.flow].reads_snapshots())
        .flat_map(|batch| batch.events.iter().map(move |event| (&plans[batch.delivery.flow], event)))
        .collect();
    let mut pairs =
        events.iter().enumerate().flat_map(|(i, one)| events[..i].iter().map(move |other| (one, other)));
    pairs.any(|(&one, &other)| ties(one, other))
}

/// Whether two events that differ share key and sequence. A truncate has every key.
pub(super) fn ties((plan, event): (&Plan, &Event), (other_plan, other): (&Plan, &Event)) -> bool {
    let same = |places: &[usize], others: &[usize]| {
        places.iter().map(|&it| &event.values[it]).eq(others.iter().map(|&it| &other.values[it]))
    };
    let is_truncate = |plan: &Plan, event: &Event| {
        plan.truncate_condition().is_some()
            && matches!(Reference.operation_of(plan, event), Ok(Operation::Truncate))
    };
    let system = |plan: &Plan, event: &Event| -> Value { plan.system_value(event) };
    same(plan.sequence(), other_plan.sequence())
        && system(plan, event) == system(other_plan, other)
        && event.values != other.values
        && (same(plan.keys(), other_plan.keys())
            || is_truncate(plan, event)
            || is_truncate(other_plan, other))
}

//! What has arrived of each key.

use std::collections::BTreeMap;

use cdc_core::{AutoCdc as _, Event, Key, Operation, Order, Plan, Reference, Version};

/// The events that have arrived: of each key in the order of the sequence, one at each place. Truncates have no key.
#[derive(Default)]
pub(super) struct Known(BTreeMap<Option<Key>, BTreeMap<Order, Version>>);

impl Known {
    /// Takes the events of a batch that the reference applied.
    pub(super) fn learn(&mut self, plan: &Plan, flow: usize, events: &[Event]) {
        // As in the reference a batch is reduced to one event at each place, which then meets what is there.
        let mut batch = Self::default();
        for (key, version) in events.iter().filter_map(|event| read(plan, flow, event)) {
            batch.meet(plan, key, version);
        }
        for (key, versions) in batch.0 {
            for version in versions.into_values() {
                self.meet(plan, key.clone(), version);
            }
        }
    }

    fn meet(&mut self, plan: &Plan, key: Option<Key>, new: Version) {
        let versions = self.0.entry(key).or_default();
        let wins = versions.get(&new.order).is_none_or(|stored| Reference.breaks_tie(plan, &new, stored));
        if wins {
            versions.insert(new.order.clone(), new);
        }
    }

    /// The upserts of an event's key before it, back to a delete; the last of them first. Of a delete there are none.
    ///
    /// In a bitemporal table those that became known later say nothing of it.
    pub(super) fn before<'a>(
        &'a self,
        plan: &Plan,
        flow: usize,
        event: &Event,
    ) -> impl Iterator<Item = &'a Version> + use<'a> {
        let read = read(plan, flow, event).filter(|(_, version)| !version.is_delete());
        let truncate = read.as_ref().and_then(|(_, version)| {
            let truncates = self.0.get(&None)?;
            Some(truncates.range(..&version.order).next_back()?.0)
        });
        let versions = read.and_then(|(key, version)| Some((self.0.get(&key)?, version)));
        versions.into_iter().flat_map(move |(versions, version)| {
            let system = version.system;
            let earlier = versions.range(..version.order).rev().map(|(_, earlier)| earlier);
            let earlier = earlier.filter(move |earlier| earlier.system <= system);
            earlier.take_while(move |earlier| {
                !earlier.is_delete() && truncate.is_none_or(|truncate| *truncate <= earlier.order)
            })
        })
    }
}

/// What the reference reads in an event.
fn read(plan: &Plan, flow: usize, event: &Event) -> Option<(Option<Key>, Version)> {
    let order = Reference.order_of(plan, event)?;
    let system = Reference.system_order_of(plan, event).map(Box::new);
    let operation = Reference.operation_of(plan, event).ok()?;
    let key = match operation {
        Operation::Truncate => None,
        Operation::Upsert | Operation::Delete => Some(Reference.key_of(plan, event)?),
    };
    Some((key, Version { operation, order, system, flow, event: event.clone() }))
}

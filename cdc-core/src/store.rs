use std::collections::HashMap;

use foldhash::fast::FixedState;
use smallvec::SmallVec;

use crate::auto_cdc::{Around, AutoCdc};
use crate::event::{Key, Order, Version};
use crate::log::Forgotten;
use crate::row::Row;
use crate::rules::Rules;

/// The rows of a key: most keys have one.
pub(crate) type Rows = SmallVec<[Row; 1]>;

/// What is known of a key.
pub(crate) trait Known: Default {
    /// The event that stands last in the sequence, of those in earlier batches.
    fn newest(&self) -> Option<&Version>;

    /// The event of the batch under way that came last; where they are reduced to one, that.
    fn incoming(&self) -> Option<&Version>;

    /// Takes an event of the batch under way.
    fn receive<M: AutoCdc + ?Sized>(&mut self, rules: &Rules<'_, M>, version: Version);

    /// Ends the batch.
    fn settle<M: AutoCdc + ?Sized>(&mut self, rules: &Rules<'_, M>);

    /// Forgets the tombstones of which this is true. How much was forgotten.
    fn expire(&mut self, is_expired: impl Fn(&Version) -> bool) -> Forgotten;

    /// Adds the rows that the target shows.
    fn show<M: AutoCdc + ?Sized>(&mut self, rules: &Rules<'_, M>, rows: &mut Rows);
}

/// What is known of all keys, in the order in which they were first seen.
#[derive(Default)]
pub(crate) struct Store<K> {
    /// The place of each key: of several rows that it has, if the model lets it have some, the last.
    places: HashMap<Key, usize, FixedState>,
    keys: Vec<Kept<K>>,
    high_water: Option<Order>,
    /// The truncates, in the order of arrival: they reach keys that are yet to be seen.
    truncates: Vec<Version>,
    /// The keys of which the batch under way has events. Empty between batches.
    touched: Vec<usize>,
}

/// What is known of a key, and the rows that come of it.
#[derive(Default)]
struct Kept<K> {
    known: K,
    rows: Rows,
    /// Whether the batch under way brought an event.
    touched: bool,
    /// Whether the rows are older than what is known.
    stale: bool,
}

impl<K: Known> Store<K> {
    /// Applies the events of a batch. One without a key speaks of all keys: a truncate.
    pub(crate) fn apply<M: AutoCdc + ?Sized>(
        &mut self,
        rules: &Rules<'_, M>,
        events: &mut Vec<(Option<Key>, Version)>,
    ) {
        let highest = events.iter().map(|(_, version)| &version.order).max().cloned();
        for (key, version) in events.drain(..) {
            let Some(key) = key else {
                self.truncate(rules, version);
                continue;
            };
            let slot = self.places.entry(key).or_insert(self.keys.len());
            let unseen = || {
                let known = truncated(rules, &self.truncates, Some(version.arrival().batch));
                Kept { known, rows: Rows::new(), touched: false, stale: false }
            };
            if *slot == self.keys.len() {
                self.keys.push(unseen());
            }
            let known = &self.keys[*slot].known;
            let (stored, incoming) = (known.newest(), known.incoming());
            let around = Around { stored, incoming, high_water: self.high_water.as_ref() };
            let plan = rules.plan(&version);
            if !rules.model.admits(plan, &version, &around) {
                continue;
            }
            if !rules.model.meets(plan, &version, &around) {
                *slot = self.keys.len();
                self.keys.push(unseen());
            }
            let place = *slot;
            self.receive(rules, place, version);
        }
        for place in self.touched.drain(..) {
            let key = &mut self.keys[place];
            key.known.settle(rules);
            (key.touched, key.stale) = (false, true);
        }
        self.high_water = self.high_water.take().max(highest);
    }

    fn receive<M: AutoCdc + ?Sized>(&mut self, rules: &Rules<'_, M>, place: usize, version: Version) {
        let key = &mut self.keys[place];
        if !key.touched {
            key.touched = true;
            self.touched.push(place);
        }
        key.known.receive(rules, version);
    }

    /// Deletes every key that a truncate reaches, and remembers it for those to come.
    fn truncate<M: AutoCdc + ?Sized>(&mut self, rules: &Rules<'_, M>, truncate: Version) {
        let plan = rules.plan(&truncate);
        let around = Around { stored: None, incoming: None, high_water: self.high_water.as_ref() };
        if !rules.model.admits(plan, &truncate, &around) {
            return;
        }
        for place in 0..self.keys.len() {
            if rules.model.truncates(plan, &truncate, self.keys[place].known.newest()) {
                self.receive(rules, place, truncate.clone());
            }
        }
        self.truncates.push(truncate);
    }

    /// Forgets the tombstones of which this is true. A key of which nothing is left is one that was not yet seen.
    pub(crate) fn expire<M: AutoCdc + ?Sized>(
        &mut self,
        rules: &Rules<'_, M>,
        is_expired: impl Fn(&Version) -> bool,
    ) {
        self.truncates.retain(|truncate| !is_expired(truncate));
        for key in &mut self.keys {
            match key.known.expire(&is_expired) {
                Forgotten::Nothing => continue,
                Forgotten::Something => {}
                Forgotten::Everything => key.known = truncated(rules, &self.truncates, None),
            }
            key.stale = true;
        }
    }

    /// The rows of the target. Only those of keys with new events are derived anew.
    pub(crate) fn rows<M: AutoCdc + ?Sized>(&mut self, rules: &Rules<'_, M>) -> Vec<Row> {
        let mut rows = Vec::with_capacity(self.keys.len());
        for key in &mut self.keys {
            if key.stale {
                key.rows.clear();
                key.known.show(rules, &mut key.rows);
                key.stale = false;
            }
            rows.extend_from_slice(&key.rows);
        }
        rows
    }
}

/// What is known of a key before its first event: the truncates, each in its batch. One that is under way goes on.
fn truncated<K: Known, M: AutoCdc + ?Sized>(
    rules: &Rules<'_, M>,
    truncates: &[Version],
    under_way: Option<u32>,
) -> K {
    let mut known = K::default();
    for batch in truncates.chunk_by(|left, right| left.arrival().batch == right.arrival().batch) {
        for truncate in batch {
            if rules.model.truncates(rules.plan(truncate), truncate, None) {
                known.receive(rules, truncate.clone());
            }
        }
        if Some(batch[0].arrival().batch) != under_way {
            known.settle(rules);
        }
    }
    known
}

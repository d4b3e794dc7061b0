use std::collections::HashMap;
use std::collections::hash_map::Entry;

use foldhash::fast::FixedState;
use smallvec::SmallVec;

use crate::auto_cdc::{Around, AutoCdc};
use crate::event::{Key, Order, Version};
use crate::row::Row;
use crate::rules::Rules;

/// The rows of a key: most keys have one.
pub(crate) type Rows = SmallVec<[Row; 1]>;

/// What is known of a key.
pub(crate) trait Known: Default {
    /// The event that stands last in the sequence, of those in earlier batches.
    fn newest(&self) -> Option<&Version>;

    /// Takes an event of the batch under way.
    fn receive<M: AutoCdc + ?Sized>(&mut self, rules: &Rules<'_, M>, version: Version);

    /// Ends the batch.
    fn settle<M: AutoCdc + ?Sized>(&mut self, rules: &Rules<'_, M>);

    /// Adds the rows that the target shows.
    fn show<M: AutoCdc + ?Sized>(&mut self, rules: &Rules<'_, M>, rows: &mut Rows);
}

/// What is known of all keys, in the order in which they were first seen.
#[derive(Default)]
pub(crate) struct Store<K> {
    places: HashMap<Key, usize, FixedState>,
    keys: Vec<Kept<K>>,
    high_water: Option<Order>,
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
    /// Applies the events of a batch.
    pub(crate) fn apply<M: AutoCdc + ?Sized>(
        &mut self,
        rules: &Rules<'_, M>,
        events: &mut Vec<(Key, Version)>,
    ) {
        let highest = events.iter().map(|(_, version)| &version.order).max().cloned();
        for (key, version) in events.drain(..) {
            let place = match self.places.entry(key) {
                Entry::Occupied(entry) => *entry.get(),
                Entry::Vacant(entry) => {
                    self.keys.push(Kept::default());
                    *entry.insert(self.keys.len() - 1)
                }
            };
            let key = &mut self.keys[place];
            let around = Around { stored: key.known.newest(), high_water: self.high_water.as_ref() };
            if !rules.model.admits(&rules.plan, &version, &around) {
                continue;
            }
            if !key.touched {
                key.touched = true;
                self.touched.push(place);
            }
            key.known.receive(rules, version);
        }
        for place in self.touched.drain(..) {
            let key = &mut self.keys[place];
            key.known.settle(rules);
            (key.touched, key.stale) = (false, true);
        }
        self.high_water = self.high_water.take().max(highest);
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

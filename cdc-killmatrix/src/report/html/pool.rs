//! Things that are stored once and named by their place.

use std::collections::HashMap;
use std::hash::Hash;

use serde::{Serialize, Serializer};

/// Different items, in the order in which they first came.
pub(super) struct Pool<T> {
    items: Vec<T>,
    places: HashMap<T, usize>,
}

impl<T> Default for Pool<T> {
    fn default() -> Self {
        Self { items: Vec::new(), places: HashMap::new() }
    }
}

impl<T: Clone + Eq + Hash> Pool<T> {
    /// The place of an item.
    pub(super) fn place(&mut self, item: T) -> usize {
        *self.places.entry(item).or_insert_with_key(|item| {
            self.items.push(item.clone());
            self.items.len() - 1
        })
    }
}

impl<T: Serialize> Serialize for Pool<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.items.serialize(serializer)
    }
}

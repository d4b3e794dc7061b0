//! The yardstick: AUTO CDC as one writes it in an hour, on JSON.
//!
//! Rows are maps of `serde_json`, cloned whole; columns are looked up by name for each event; nothing is
//! compiled. It knows what the feeds and the suite of the benchmark need: no tie but an exact redelivery, no
//! null that says nothing, a delete condition of the form `column = 'text'`.

use std::cmp::Ordering;
use std::collections::HashMap;

use cdc_core::{Flow, ScdType};
use serde_json::{Map, Value};

/// An event, or a row of the target.
pub(crate) type Object = Map<String, Value>;

/// A flow as it was written, cut into names.
pub(crate) struct Definition {
    keys: Vec<String>,
    sequence: Vec<String>,
    delete: Option<(String, String)>,
    excluded: Vec<String>,
    untracked: Vec<String>,
}

impl Definition {
    pub(crate) fn of(flow: &Flow) -> Self {
        let sequence = flow.sequence_by.trim_start_matches("struct(").trim_end_matches(')');
        let delete = flow.apply_as_deletes.as_deref().and_then(|condition| condition.split_once(" = "));
        Self {
            keys: flow.keys.clone(),
            sequence: sequence.split(", ").map(ToOwned::to_owned).collect(),
            delete: delete.map(|(column, text)| (column.to_owned(), text.trim_matches('\'').to_owned())),
            excluded: flow.except_column_list.clone().unwrap_or_default(),
            untracked: flow.track_history_except_column_list.clone().unwrap_or_default(),
        }
    }

    fn key(&self, event: &Object) -> Vec<Value> {
        self.keys.iter().map(|name| event[name].clone()).collect()
    }

    fn is_delete(&self, event: &Object) -> bool {
        self.delete.as_ref().is_some_and(|(column, text)| event[column] == **text)
    }

    /// Compares the places of two events in the sequence. All sequences of the benchmark are integers.
    fn compare(&self, left: &Object, right: &Object) -> Ordering {
        let mut fields = self.sequence.iter().map(|name| left[name].as_i64().cmp(&right[name].as_i64()));
        fields.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    }

    /// The columns that reach the target.
    fn project(&self, event: &Object) -> Object {
        let selected = event.iter().filter(|(name, _)| !self.excluded.contains(name));
        selected.map(|(name, value)| (name.clone(), value.clone())).collect()
    }

    /// Whether nothing has changed in the columns whose history is tracked.
    fn agrees(&self, left: &Object, right: &Object) -> bool {
        let mut tracked =
            left.iter().filter(|(name, _)| !self.excluded.contains(name) && !self.untracked.contains(name));
        tracked.all(|(name, value)| right[name] == *value)
    }

    /// What `__START_AT` or `__END_AT` holds.
    fn bound(&self, event: &Object) -> Value {
        match &*self.sequence {
            [name] => event[name].clone(),
            names => names.iter().map(|name| (name.clone(), event[name].clone())).collect(),
        }
    }
}

/// A target and the state behind it.
pub(crate) struct Naive<'a> {
    definition: &'a Definition,
    state: State,
}

enum State {
    /// SCD type 1: the event of each key that comes last in the sequence, be it a delete.
    One(HashMap<Vec<Value>, Object>),
    /// SCD type 2: all events of each key, in the order of the sequence.
    Two(HashMap<Vec<Value>, Vec<Object>>),
}

impl<'a> Naive<'a> {
    pub(crate) fn new(definition: &'a Definition, scd_type: ScdType) -> Self {
        let state = match scd_type {
            ScdType::One => State::One(HashMap::new()),
            ScdType::Two | ScdType::Bitemporal => State::Two(HashMap::new()),
        };
        Self { definition, state }
    }

    pub(crate) fn apply(&mut self, batch: &[Object]) {
        for event in batch {
            let key = self.definition.key(event);
            let compare = |stored: &Object| self.definition.compare(stored, event);
            match &mut self.state {
                State::One(newest) => {
                    if newest.get(&key).is_none_or(|stored| compare(stored).is_le()) {
                        newest.insert(key, event.clone());
                    }
                }
                State::Two(events) => {
                    let events = events.entry(key).or_default();
                    // A redelivery is found, and changes nothing.
                    if let Err(place) = events.binary_search_by(compare) {
                        events.insert(place, event.clone());
                    }
                }
            }
        }
    }

    pub(crate) fn rows(&self) -> Vec<Object> {
        match &self.state {
            State::One(newest) => {
                let upserts = newest.values().filter(|event| !self.definition.is_delete(event));
                upserts.map(|event| self.definition.project(event)).collect()
            }
            State::Two(events) => events.values().flat_map(|events| self.history(events)).collect(),
        }
    }

    /// The rows of a key: upserts that agree are a run, and a run is a row.
    fn history(&self, events: &[Object]) -> Vec<Object> {
        let mut rows = Vec::new();
        let mut open: Option<(&Object, &Object)> = None;
        for event in events {
            if self.definition.is_delete(event) {
                rows.extend(open.take().map(|run| self.row(run, Some(event))));
                continue;
            }
            match &mut open {
                Some((_, last)) if self.definition.agrees(last, event) => *last = event,
                _ => rows.extend(open.replace((event, event)).map(|run| self.row(run, Some(event)))),
            }
        }
        rows.extend(open.map(|run| self.row(run, None)));
        rows
    }

    /// The row of a run: it starts with its first event and shows the last.
    fn row(&self, (first, last): (&Object, &Object), end: Option<&Object>) -> Object {
        let mut row = self.definition.project(last);
        row.insert("__START_AT".to_owned(), self.definition.bound(first));
        row.insert("__END_AT".to_owned(), end.map_or(Value::Null, |end| self.definition.bound(end)));
        row
    }
}

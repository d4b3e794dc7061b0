//! From snapshots: what a snapshot changes against the one before it is a feed of upserts and deletes.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use foldhash::fast::FixedState;

use crate::auto_cdc::AutoCdc;
use crate::error::Refusal;
use crate::event::{Arrival, Event, Key};
use crate::plan::Plan;
use crate::value::Value;

/// Why a batch is refused in which the events at these places have a null key.
///
/// A mutant may miss a key where none is null: then all keys are named.
pub(crate) fn null_key(plan: &Plan, batch: &[Event], events: Vec<usize>) -> Refusal {
    let is_null = |column: usize| events.iter().any(|&place| batch[place].values[column].is_null());
    let mut keys: Vec<usize> = plan.keys().iter().copied().filter(|&column| is_null(column)).collect();
    if keys.is_empty() {
        keys = plan.keys().to_vec();
    }
    let names: Vec<&str> = keys.iter().map(|&column| &*plan.schema()[column].name).collect();
    let message = format!("a key is null: `{}`", names.join("`, `"));
    Refusal { class: "NULL_KEY", events, message }
}

/// The snapshot that a flow took last: its version, and its rows by key.
#[derive(Default)]
pub(crate) struct Snapshot {
    version: Option<Value>,
    rows: Vec<(Key, Event)>,
    places: HashMap<Key, usize, FixedState>,
}

impl Snapshot {
    /// Reads the rows of a snapshot, or refuses it. `None`: the source gives none.
    pub(crate) fn read<M: AutoCdc + ?Sized>(
        &self,
        model: &M,
        plan: &Plan,
        version: Option<&Value>,
        rows: &[Event],
    ) -> Result<Option<Self>, Refusal> {
        let refused = |class, message: String| Refusal { class, events: Vec::new(), message };
        let Some(version) = version else {
            return match &self.version {
                Some(_) => Ok(None),
                None => Err(refused("FIRST_SNAPSHOT_EMPTY", "the source gives no first snapshot".to_owned())),
            };
        };
        if version.is_null() {
            return Err(refused("NULL_SNAPSHOT_VERSION", "the version of the snapshot is null".to_owned()));
        }
        let last = self.version.as_ref();
        if !model.accepts_snapshot(plan, last, version) {
            let last = last.map(|last| format!(", and that of the last one was {last}")).unwrap_or_default();
            let text = format!("the version of the snapshot is {version}{last}; versions must ascend");
            return Err(refused("OUT_OF_ORDER_SNAPSHOT_VERSION", text));
        }
        let mut snapshot = Self { version: Some(version.clone()), ..Self::default() };
        for (place, row) in rows.iter().enumerate() {
            let key = model.key_of(plan, row).ok_or_else(|| null_key(plan, rows, vec![place]))?;
            match snapshot.places.entry(key.clone()) {
                Entry::Vacant(entry) => entry.insert(place),
                Entry::Occupied(entry) => {
                    let events = vec![*entry.get(), place];
                    let message = "two rows of the snapshot have one key".to_owned();
                    return Err(Refusal { class: "DUPLICATE_KEY_VIOLATION", events, message });
                }
            };
            snapshot.rows.push((key, row.clone()));
        }
        Ok(Some(snapshot))
    }

    /// The feed that leads from the snapshot before to this one: its rows that are new or differ, in their order,
    /// then deletes of those that are missing. It arrives with a batch.
    pub(crate) fn feed<M: AutoCdc + ?Sized>(
        &self,
        model: &M,
        plan: &Plan,
        before: &Self,
        batch: u32,
    ) -> Vec<Event> {
        let changed = self.rows.iter().filter(|(key, now)| {
            let before = before.places.get(key).map(|&place| &before.rows[place].1);
            before.is_none_or(|before| model.differs(plan, before, now))
        });
        let missing = before
            .rows
            .iter()
            .filter(|(key, before)| !self.places.contains_key(key) && model.deletes_missing(plan, before));
        let version = self.version.clone().unwrap_or_default();
        let event = |(row, (event, is_missing)): (u32, (&Event, bool))| Event {
            values: event
                .values
                .iter()
                .cloned()
                .chain([version.clone(), Value::Boolean(is_missing)])
                .collect(),
            arrival: Arrival { batch, row },
        };
        let rows = changed.map(|(_, row)| (row, false)).chain(missing.map(|(_, row)| (row, true)));
        (0..).zip(rows).map(event).collect()
    }
}

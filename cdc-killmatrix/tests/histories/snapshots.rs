//! Random snapshots, among them some that are refused, alone and beside a flow of events.

use std::fmt;

use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value as Json, json};

use super::Fixture;

/// Snapshots of a table, and how they are numbered.
#[derive(Clone)]
pub(crate) struct Snapshots {
    scd_type: u8,
    tracked: Option<(&'static str, Vec<&'static str>)>,
    /// Whether versions are texts.
    text_versions: bool,
    once: bool,
    /// Whether the key has a second column.
    composite: bool,
    drafts: Vec<Draft>,
    /// Events of a second flow, each with its place among the batches.
    events: Option<Vec<(u8, Event)>>,
    /// How many seconds pass before the batches; deletes are remembered for 100.
    seconds: Vec<u64>,
}

#[derive(Clone, Debug)]
struct Draft {
    version: Version,
    /// The rows by their keys; one without values has those that it had.
    rows: Vec<(u8, Option<Values>)>,
    fault: Option<(Fault, u8)>,
}

type Values = (Option<&'static str>, Option<&'static str>, Option<u8>);

#[derive(Clone, Copy, Debug)]
enum Version {
    /// Above the greatest so far by so much.
    Above(u8),
    /// Below it, or the same.
    Below(u8),
    Null,
    /// No snapshot at all.
    Missing,
}

#[derive(Clone, Copy, Debug)]
enum Fault {
    NullKey,
    Duplicate,
    Both,
}

#[derive(Clone, Copy, Debug)]
struct Event {
    key: u8,
    version: u8,
    deletes: bool,
    values: Values,
}

impl Snapshots {
    pub(crate) fn fixture(&self) -> Fixture {
        let keys = if self.composite { vec!["id", "k"] } else { vec!["id"] };
        let kind = if self.text_versions { "STRING" } else { "BIGINT" };
        let mut schema = json!({"id": "INT", "k": "STRING", "s": "STRING", "n": "INT", "t": "STRING"});
        let mut flow = json!({"from_snapshot": true, "keys": keys, "stored_as_scd_type": self.scd_type});
        if self.text_versions {
            flow["version_type"] = json!(kind);
        }
        if let Some((parameter, columns)) = &self.tracked {
            flow[parameter] = json!(columns);
        }
        if self.once {
            flow["once"] = json!(true);
        }
        if !self.seconds.is_empty() {
            flow["tombstone_gc_threshold_seconds"] = json!(100);
        }
        let mut checkpoints = self.snapshots();
        let definition = match &self.events {
            None => json!({ "flow": flow }),
            Some(events) => {
                for (column, kind) in [("op", "STRING"), ("seq", kind)] {
                    schema[column] = json!(kind);
                }
                let mut of_events =
                    json!({"keys": keys, "sequence_by": "seq", "apply_as_deletes": "op = 'DELETE'"});
                for parameter in ["stored_as_scd_type", "tombstone_gc_threshold_seconds"] {
                    if let Some(value) = flow.get(parameter) {
                        of_events[parameter] = value.clone();
                    }
                }
                for checkpoint in &mut checkpoints {
                    checkpoint["flow"] = json!("tables");
                }
                for (place, event) in events {
                    let place = usize::from(*place) % (checkpoints.len() + 1);
                    let mut row = self.row(event.key, event.values);
                    row["seq"] = self.version(event.version);
                    row["op"] = json!(if event.deletes { "DELETE" } else { "UPSERT" });
                    checkpoints.insert(place, json!({"flow": "changes", "append": [row]}));
                }
                json!({"flows": {"tables": flow, "changes": of_events}})
            }
        };
        for (checkpoint, seconds) in checkpoints.iter_mut().zip(&self.seconds) {
            checkpoint["advance_seconds"] = json!(seconds);
        }
        Fixture { definition, schema, checkpoints }
    }

    fn snapshots(&self) -> Vec<Json> {
        let (mut greatest, mut last) = (1, [Values::default(); 4]);
        let snapshot = |draft: &Draft| {
            let version = match draft.version {
                Version::Above(by) => {
                    greatest += by;
                    self.version(greatest)
                }
                Version::Below(by) => self.version(greatest.saturating_sub(by)),
                Version::Null => Json::Null,
                Version::Missing => return json!({"snapshot": null}),
            };
            let row = |&(key, values): &(u8, Option<Values>)| {
                let last = &mut last[usize::from(key)];
                *last = values.unwrap_or(*last);
                self.row(key, *last)
            };
            let mut rows: Vec<Json> = draft.rows.iter().map(row).collect();
            if let Some((fault, place)) = draft.fault {
                let mut add = |row: Json| rows.insert(usize::from(place) % (rows.len() + 1), row);
                let null_key = || {
                    let mut row = self.row(place, (Some("x"), None, None));
                    row[if self.composite { "k" } else { "id" }] = Json::Null;
                    row
                };
                let twin = || self.row(draft.rows.first().map_or(0, |row| row.0), (Some("x"), None, None));
                match fault {
                    Fault::NullKey => add(null_key()),
                    Fault::Duplicate => add(twin()),
                    Fault::Both => {
                        add(null_key());
                        add(twin());
                    }
                }
            }
            json!({"snapshot": {"version": version, "rows": rows}})
        };
        self.drafts.iter().map(snapshot).collect()
    }

    fn row(&self, key: u8, (s, t, n): Values) -> Json {
        let k = if self.composite && 1 < key { "b" } else { "a" };
        let id = if self.composite { key % 2 } else { key };
        let mut row = json!({"id": id, "k": k});
        for (column, value) in [("s", json!(s)), ("t", json!(t)), ("n", json!(n))] {
            row[column] = value;
        }
        row
    }

    fn version(&self, number: u8) -> Json {
        // As texts 10 stands before 9.
        if self.text_versions { json!(number.to_string()) } else { json!(number) }
    }
}

impl fmt::Debug for Snapshots {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.fixture().fmt(f)
    }
}

pub(crate) fn snapshots(scd_types: impl Strategy<Value = u8>) -> impl Strategy<Value = Snapshots> {
    const TRACKED: [&str; 2] = ["track_history_column_list", "track_history_except_column_list"];
    const COLUMNS: [&[&str]; 4] = [&["s"], &["t", "n"], &["s", "t", "n"], &["id", "k", "s", "t", "n"]];
    let tracked = prop::option::of((select(&TRACKED), select(&COLUMNS)));
    let flow =
        (scd_types, tracked, prop::bool::weighted(0.2), prop::bool::weighted(0.1), prop::bool::weighted(0.3));
    (flow, vec(drafts(), 0..=7)).prop_map(|((scd_type, tracked, text_versions, once, composite), drafts)| {
        let tracked = tracked.filter(|_| scd_type == 2).map(|(name, columns)| (name, columns.to_vec()));
        Snapshots {
            scd_type,
            tracked,
            text_versions,
            once,
            composite,
            drafts,
            events: None,
            seconds: Vec::new(),
        }
    })
}

/// Snapshots and events into one target.
pub(crate) fn shared() -> impl Strategy<Value = Snapshots> {
    let event = (0..4_u8, 0..12_u8, prop::bool::weighted(0.3), values())
        .prop_map(|(key, version, deletes, values)| Event { key, version, deletes, values });
    let seconds = prop_oneof![Just(Vec::new()), vec(select(&[0, 0, 1, 50, 100, 101][..]), 13)];
    (snapshots(Just(1)), vec((any::<u8>(), event), 0..=6), seconds)
        .prop_map(|(snapshots, events, seconds)| Snapshots { events: Some(events), seconds, ..snapshots })
}

fn drafts() -> impl Strategy<Value = Draft> {
    let version = prop_oneof![
        12 => (1..4_u8).prop_map(Version::Above),
        1 => (0..3_u8).prop_map(Version::Below),
        1 => Just(Version::Null),
        1 => Just(Version::Missing),
    ];
    let fault = prop::option::weighted(
        0.1,
        (select(&[Fault::NullKey, Fault::Duplicate, Fault::Both][..]), any::<u8>()),
    );
    let rows = btree_map(0..4_u8, prop::option::of(values()), 0..=4);
    (version, rows, fault).prop_map(|(version, rows, fault)| Draft {
        version,
        rows: rows.into_iter().collect(),
        fault,
    })
}

fn values() -> impl Strategy<Value = Values> {
    let text = || select(&[None, Some("a"), Some("b")][..]);
    (text(), text(), select(&[None, Some(0), Some(1)][..]))
}

//! Random events, late and again, of one flow or of two.

use std::fmt;

use cdc_core::ScdType;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value as Json, json};

use super::Fixture;

const MOST_EVENTS: usize = 12;

/// For how many steps of time deletes are remembered where time passes.
const THRESHOLD: u64 = 100;

/// A flow, its events in the order of their sequence, and how they are delivered.
#[derive(Clone)]
pub(crate) struct History {
    scd_type: ScdType,
    sequence: Sequence,
    with: With,
    clauses: Clauses,
    drafts: Vec<Draft>,
    pub(crate) delivery: Delivery,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Sequence {
    /// No two events of a key have the same sequence value.
    Unique,
    /// Some have.
    Tied,
}

/// What a history has beyond upserts and deletes of one flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each goes with each")]
pub(crate) struct With {
    /// Truncates; of type 1 only.
    pub(crate) truncates: bool,
    /// Lists of the columns that an event updates.
    pub(crate) lists: bool,
    /// Time that passes.
    pub(crate) time: bool,
    /// A second flow; the first may run once.
    pub(crate) flows: bool,
}

#[derive(Clone, Copy, Debug)]
struct Clauses {
    nulls: Nulls,
    tracked: Tracked,
    scalars: u8,
    with_struct: bool,
    ordered_by: OrderedBy,
    shows_sequence: bool,
    keys: u8,
    once: bool,
    remembers: Remembers,
}

/// How long deletes are remembered where time passes.
#[derive(Clone, Copy, Debug)]
enum Remembers {
    /// As many seconds as there are steps.
    Threshold,
    TwoDays,
    /// Apache Spark 4.3.
    ForEver,
}

#[derive(Clone, Copy, Debug)]
enum OrderedBy {
    Column,
    /// `struct(seq, pos)`.
    Columns,
    /// A column of type STRUCT.
    StructColumn,
}

#[derive(Clone, Copy, Debug)]
enum Nulls {
    Erase,
    Ignored,
    IgnoredIn,
    IgnoredExceptIn,
}

#[derive(Clone, Copy, Debug)]
enum Tracked {
    All,
    One,
    AllButOne,
    None,
}

/// An event before the history gives it a key and a place in the sequence.
#[derive(Clone, Debug)]
struct Draft {
    key: u8,
    slot: u8,
    deletes: bool,
    s: Option<&'static str>,
    t: Option<&'static str>,
    n: Option<u8>,
    p: Option<(Option<u8>, Option<&'static str>)>,
    extra: Extra,
}

/// What only some histories use.
#[derive(Clone, Debug)]
struct Extra {
    /// The value of `wipe`, the condition of truncates.
    wipe: Option<bool>,
    has_key: bool,
    list: Option<Vec<Option<&'static str>>>,
    known: u8,
    is_second: bool,
}

/// The order in which events arrive, which of them arrive again, and where batches end.
#[derive(Clone, Debug)]
pub(crate) struct Delivery {
    /// For each event its place: the smaller, the earlier.
    pub(crate) places: Vec<u16>,
    /// An event, and the place of a copy; a copy never comes before the event.
    pub(crate) repeats: Vec<(u8, u16)>,
    /// What comes before the first arrival, before the second and so on: below 6 nothing, from 6 on the end of
    /// a batch, at 9 an empty batch too.
    pub(crate) cuts: Vec<u8>,
    /// How much time passes before the first batch, before the second and so on.
    pub(crate) steps: Vec<u64>,
}

impl History {
    pub(crate) fn fixture(&self) -> Fixture {
        let definition = if self.with.flows {
            json!({"flows": {"first": self.flow(), "second": self.second_flow()}})
        } else {
            json!({"flow": self.flow()})
        };
        Fixture { definition, schema: self.schema(), checkpoints: self.checkpoints() }
    }

    fn flow(&self) -> Json {
        let Clauses { nulls, tracked, ordered_by, shows_sequence, .. } = self.clauses;
        let mut hidden = vec!["op", "wipe", "cols", "seq2"];
        if !shows_sequence {
            hidden.extend(["seq", "pos", "known"]);
        }
        let schema = self.schema();
        hidden.retain(|name| schema.get(name).is_some());
        let mut flow = json!({
            "keys": ["id"],
            "sequence_by": if let OrderedBy::Columns = ordered_by { "struct(seq, pos)" } else { "seq" },
            "apply_as_deletes": "op = 'DELETE'",
            "except_column_list": hidden,
            "stored_as_scd_type": match self.scd_type {
                ScdType::One => json!(1),
                ScdType::Two => json!(2),
                ScdType::Bitemporal => json!("BITEMPORAL"),
            },
        });
        let last = if self.clauses.with_struct { "p" } else { "t" };
        match nulls {
            _ if self.with.lists && !self.with.flows => flow["columns_to_update"] = json!("cols"),
            Nulls::Erase => {}
            Nulls::Ignored => flow["ignore_null_updates"] = json!(true),
            Nulls::IgnoredIn => flow["ignore_null_updates_column_list"] = json!(["s", last]),
            Nulls::IgnoredExceptIn => flow["ignore_null_updates_except_column_list"] = json!(["s"]),
        }
        match tracked {
            _ if self.scd_type == ScdType::One => {}
            Tracked::All => {}
            Tracked::One => flow["track_history_column_list"] = json!([last]),
            Tracked::AllButOne => flow["track_history_except_column_list"] = json!(["t", "seq", "pos"]),
            Tracked::None => {
                let columns: Vec<&String> = schema.as_object().expect("columns").keys().collect();
                flow["track_history_except_column_list"] = json!(columns);
            }
        }
        if self.scd_type == ScdType::Bitemporal {
            flow["system_sequence_by"] = json!("known");
        }
        if self.with.truncates {
            flow["apply_as_truncates"] = json!("wipe");
        }
        match self.clauses.remembers {
            Remembers::Threshold if self.with.time => {
                flow["tombstone_gc_threshold_seconds"] = json!(THRESHOLD);
            }
            Remembers::ForEver if self.is_of_spark() => flow["dialect"] = json!("spark-4.3"),
            _ => {}
        }
        if self.with.flows && self.clauses.once {
            flow["once"] = json!(true);
        }
        flow
    }

    /// Another sequence, another delete condition, other nulls.
    fn second_flow(&self) -> Json {
        let mut flow = self.flow();
        let parameters = flow.as_object_mut().expect("a flow");
        parameters.retain(|name, _| !name.starts_with("ignore_null") && name != "once");
        flow["apply_as_deletes"] = json!("op = 'GONE'");
        if self.with.lists {
            flow["columns_to_update"] = json!("cols");
        } else if let Nulls::Erase = self.clauses.nulls {
            flow["ignore_null_updates"] = json!(true);
        }
        if self.has_second_sequence() {
            let is_struct = matches!(self.clauses.ordered_by, OrderedBy::Columns);
            flow["sequence_by"] = json!(if is_struct { "struct(seq2, pos)" } else { "seq2" });
        }
        flow
    }

    /// Spark has none of the other clauses, and tracks columns of the target only.
    fn is_of_spark(&self) -> bool {
        let Clauses { nulls, tracked, shows_sequence, remembers, .. } = self.clauses;
        let tracks_target = matches!(tracked, Tracked::All | Tracked::One)
            || (matches!(tracked, Tracked::AllButOne) && shows_sequence);
        matches!(remembers, Remembers::ForEver)
            && self.with == With::TIME
            && matches!(nulls, Nulls::Erase)
            && (self.scd_type == ScdType::One || (self.scd_type == ScdType::Two && tracks_target))
    }

    /// Bounds have the names of their fields, which flows into one target share.
    fn has_second_sequence(&self) -> bool {
        self.scd_type == ScdType::One || !matches!(self.clauses.ordered_by, OrderedBy::Columns)
    }

    fn schema(&self) -> Json {
        let mut schema = json!({"id": "INT", "s": "STRING", "t": "STRING"});
        if self.clauses.scalars == 3 {
            schema["n"] = json!("INT");
        }
        if self.clauses.with_struct {
            schema["p"] = json!("STRUCT<a: INT, b: STRING>");
        }
        let sequence = if let OrderedBy::StructColumn = self.clauses.ordered_by {
            "STRUCT<lsn: BIGINT, pos: INT>"
        } else {
            "BIGINT"
        };
        for (column, data_type) in [("op", "STRING"), ("seq", sequence), ("pos", "INT")] {
            schema[column] = json!(data_type);
        }
        for (is_there, column, data_type) in [
            (self.scd_type == ScdType::Bitemporal, "known", "INT"),
            (self.with.truncates, "wipe", "BOOLEAN"),
            (self.with.lists, "cols", "ARRAY<STRING>"),
            (self.with.flows, "seq2", sequence),
        ] {
            if is_there {
                schema[column] = json!(data_type);
            }
        }
        schema
    }

    /// The events in the order in which they were drawn, which is that of a unique sequence.
    pub(crate) fn events(&self) -> Vec<Json> {
        let mut earlier = [0_u8; 3];
        (0_u8..)
            .zip(&self.drafts)
            .map(|(number, draft)| {
                let key = draft.key % self.clauses.keys;
                let rank = &mut earlier[usize::from(key)];
                let place = match self.sequence {
                    // A truncate has a place among the events of each key.
                    Sequence::Unique if self.with.truncates => number,
                    Sequence::Unique => *rank,
                    Sequence::Tied => draft.slot,
                };
                *rank += 1;
                self.event(draft, key, place)
            })
            .collect()
    }

    fn event(&self, draft: &Draft, key: u8, place: u8) -> Json {
        let Draft { s, t, n, p, extra, .. } = draft;
        let (seq, pos) = self.clauses.sequence(place);
        let is_second = self.with.flows && extra.is_second;
        // What is a delete to one flow is an upsert to the other.
        let operation = match draft.deletes {
            false if !self.with.flows || draft.slot < 3 => "UPSERT",
            deletes if deletes == is_second => "GONE",
            _ => "DELETE",
        };
        let mut event = json!({"id": key, "s": s, "t": t, "op": operation, "seq": seq, "pos": pos});
        if is_second && self.has_second_sequence() {
            (event["seq2"], event["seq"]) = (seq, Json::Null);
        }
        if self.clauses.scalars == 3 {
            event["n"] = json!(n);
        }
        if self.clauses.with_struct {
            event["p"] = p.map_or(Json::Null, |(a, b)| json!({"a": a, "b": b}));
        }
        if self.with.lists {
            event["cols"] = json!(extra.list);
        }
        if self.scd_type == ScdType::Bitemporal {
            event["known"] = json!(self.known(draft));
        }
        if self.with.truncates {
            event["wipe"] = json!(extra.wipe);
            if extra.wipe == Some(true) && !extra.has_key {
                event["id"] = Json::Null;
            }
        }
        event
    }

    /// When an event became known. With a unique sequence no two of a key did at once.
    fn known(&self, draft: &Draft) -> u8 {
        match self.sequence {
            Sequence::Tied => draft.extra.known % 4,
            Sequence::Unique => draft.extra.known,
        }
    }

    /// The same history of a target of another type.
    pub(crate) fn stored_as(self, scd_type: ScdType) -> Self {
        Self { scd_type, ..self }
    }

    /// The same history, each event delivered once, in the order of the sequence and as it becomes known.
    pub(crate) fn in_order(mut self) -> Self {
        self.delivery.places = (0..).take(MOST_EVENTS).collect();
        self.delivery.repeats.clear();
        for (place, draft) in (0..).zip(&mut self.drafts) {
            draft.extra.known = place;
        }
        self
    }

    /// A sequence value that an event may have.
    pub(crate) fn some_sequence(&self) -> Json {
        self.clauses.sequence(3).0
    }

    /// Whether the sequence can be null: a column can, `struct(seq, pos)` can't.
    pub(crate) fn sequence_can_be_null(&self) -> bool {
        !matches!(self.clauses.ordered_by, OrderedBy::Columns)
    }

    pub(crate) fn is_bitemporal(&self) -> bool {
        self.scd_type == ScdType::Bitemporal
    }

    /// The keys that an event may have.
    pub(crate) fn keys(&self) -> impl Iterator<Item = u8> {
        0..self.clauses.keys
    }

    fn checkpoints(&self) -> Vec<Json> {
        let checkpoint = |(number, (is_second, batch)): (usize, (bool, Vec<Json>))| {
            let mut checkpoint = json!({});
            if self.with.flows {
                checkpoint["flow"] = json!(if is_second { "second" } else { "first" });
            }
            let step =
                if let Remembers::Threshold = self.clauses.remembers { 1 } else { 172_800 / THRESHOLD };
            let seconds = step * self.delivery.steps[number % self.delivery.steps.len()];
            if self.with.time && 0 < seconds {
                checkpoint["advance_seconds"] = json!(seconds);
            }
            checkpoint["append"] = Json::from(batch);
            checkpoint
        };
        self.batches().into_iter().enumerate().map(checkpoint).collect()
    }

    /// Batches, and for each whether it is one of the second flow.
    fn batches(&self) -> Vec<(bool, Vec<Json>)> {
        let events = self.events();
        let Delivery { places, repeats, cuts, .. } = &self.delivery;
        let mut arrivals: Vec<(u16, bool, usize)> =
            (0..events.len()).map(|event| (places[event], false, event)).collect();
        if !events.is_empty() {
            arrivals.extend(repeats.iter().map(|&(event, place)| {
                let event = usize::from(event) % events.len();
                (place.max(places[event]), true, event)
            }));
        }
        arrivals.sort_unstable();
        let mut batches = vec![(false, Vec::new())];
        for ((_, _, event), &cuts) in arrivals.into_iter().zip(cuts) {
            let is_second = self.with.flows && self.drafts[event].extra.is_second;
            batches.extend((0..cuts / 6 + cuts / 9).map(|_| (is_second, Vec::new())));
            if batches.last().is_some_and(|last| last.0 != is_second) {
                batches.push((is_second, Vec::new()));
            }
            batches.last_mut().expect("a batch").1.push(events[event].clone());
        }
        batches
    }
}

impl Clauses {
    /// The values of `seq` and `pos` at a place in the sequence. Of a composite one the early places have no
    /// first part, and every third has no second.
    fn sequence(self, place: u8) -> (Json, Json) {
        let first = Some(place / 3).filter(|&first| 0 < first);
        let second = (place % 3).checked_sub(1);
        match self.ordered_by {
            OrderedBy::Column => (json!(place), Json::Null),
            OrderedBy::Columns => (json!(first), json!(second)),
            OrderedBy::StructColumn => (json!({"lsn": first, "pos": second}), Json::Null),
        }
    }
}

/// As a fixture, to be copied into a file.
impl fmt::Debug for History {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.fixture().fmt(f)
    }
}

impl With {
    pub(crate) const NOTHING: Self = Self { truncates: false, lists: false, time: false, flows: false };
    pub(crate) const TRUNCATES: Self = Self { truncates: true, ..Self::NOTHING };
    pub(crate) const LISTS: Self = Self { lists: true, ..Self::NOTHING };
    pub(crate) const TIME: Self = Self { time: true, ..Self::NOTHING };
}

pub(crate) fn any_type(sequences: impl Strategy<Value = Sequence>) -> impl Strategy<Value = History> {
    histories(prop_oneof![Just(ScdType::One), Just(ScdType::Two)], sequences)
}

pub(crate) fn any_sequence() -> impl Strategy<Value = Sequence> {
    prop_oneof![Just(Sequence::Unique), Just(Sequence::Tied)]
}

pub(crate) fn histories(
    scd_types: impl Strategy<Value = ScdType>,
    sequences: impl Strategy<Value = Sequence>,
) -> impl Strategy<Value = History> {
    histories_with(scd_types.prop_map(|scd_type| (scd_type, With::NOTHING)), sequences)
}

pub(crate) fn histories_with(
    types: impl Strategy<Value = (ScdType, With)>,
    sequences: impl Strategy<Value = Sequence>,
) -> impl Strategy<Value = History> {
    (types, sequences, clauses(), vec(drafts(), 0..=MOST_EVENTS), deliveries()).prop_map(
        |((scd_type, with), sequence, clauses, mut drafts, delivery)| {
            if let Sequence::Unique = sequence {
                // Ranks in the place of what was drawn.
                let drawn: Vec<u8> = drafts.iter().map(|draft| draft.extra.known).collect();
                for (place, draft) in drafts.iter_mut().enumerate() {
                    let before =
                        (0..drawn.len()).filter(|&other| (drawn[other], other) < (drawn[place], place));
                    draft.extra.known = u8::try_from(before.count()).expect("a few events");
                }
            }
            History { scd_type, sequence, with, clauses, drafts, delivery }
        },
    )
}

/// Every kind of history in which only the sequence counts.
pub(crate) fn timeless(sequences: impl Strategy<Value = Sequence>) -> impl Strategy<Value = History> {
    let types = prop_oneof![
        2 => Just((ScdType::One, With::NOTHING)),
        2 => Just((ScdType::Two, With::NOTHING)),
        2 => Just((ScdType::One, With::TRUNCATES)),
        1 => Just((ScdType::One, With::LISTS)),
        1 => Just((ScdType::Two, With::LISTS)),
        2 => Just((ScdType::Bitemporal, With::NOTHING)),
    ];
    histories_with(types, sequences)
}

fn clauses() -> impl Strategy<Value = Clauses> {
    let nulls = select(&[Nulls::Erase, Nulls::Ignored, Nulls::IgnoredIn, Nulls::IgnoredExceptIn][..]);
    let tracked = select(&[Tracked::All, Tracked::One, Tracked::AllButOne, Tracked::None][..]);
    let ordered_by = select(&[OrderedBy::Column, OrderedBy::Columns, OrderedBy::StructColumn][..]);
    let rest = (2..=3_u8, any::<bool>(), any::<bool>(), 1..=3_u8, prop::bool::weighted(0.3));
    let remembers = prop_oneof![
        2 => Just(Remembers::Threshold),
        1 => Just(Remembers::TwoDays),
        1 => Just(Remembers::ForEver),
    ];
    (nulls, tracked, ordered_by, remembers, rest).prop_map(
        |(nulls, tracked, ordered_by, remembers, (scalars, with_struct, shows_sequence, keys, once))| {
            Clauses {
                nulls,
                tracked,
                scalars,
                with_struct,
                ordered_by,
                shows_sequence,
                keys,
                once,
                remembers,
            }
        },
    )
}

fn drafts() -> impl Strategy<Value = Draft> {
    let text = || select(&[None, Some("a"), Some("b")][..]);
    let number = || select(&[None, Some(0), Some(1)][..]);
    let fields = prop::option::weighted(0.7, (number(), text()));
    (any::<u8>(), 0..5_u8, prop::bool::weighted(0.2), text(), text(), number(), fields, extras())
        .prop_map(|(key, slot, deletes, s, t, n, p, extra)| Draft { key, slot, deletes, s, t, n, p, extra })
}

fn extras() -> impl Strategy<Value = Extra> {
    const NAMES: [Option<&str>; 9] =
        [Some("s"), Some("S"), Some("t"), Some("N"), Some("p"), Some("id"), Some("SEQ"), Some("x"), None];
    let wipe = prop_oneof![2 => Just(None), 6 => Just(Some(false)), 2 => Just(Some(true))];
    let list = prop::option::weighted(0.8, vec(select(&NAMES), 0..=3));
    (wipe, any::<bool>(), list, any::<u8>(), any::<bool>())
        .prop_map(|(wipe, has_key, list, known, is_second)| Extra { wipe, has_key, list, known, is_second })
}

pub(crate) fn deliveries() -> impl Strategy<Value = Delivery> {
    const MOST_REPEATS: usize = 3;
    // Above the threshold at once, below, or together.
    const STEPS: [u64; 8] = [0, 0, 0, 1, THRESHOLD - 1, THRESHOLD, THRESHOLD + 1, THRESHOLD / 2];
    (
        vec(any::<u16>(), MOST_EVENTS),
        vec(any::<(u8, u16)>(), 0..=MOST_REPEATS),
        vec(0..10_u8, MOST_EVENTS + MOST_REPEATS),
        vec(select(&STEPS), MOST_EVENTS),
    )
        .prop_map(|(places, repeats, cuts, steps)| Delivery { places, repeats, cuts, steps })
}

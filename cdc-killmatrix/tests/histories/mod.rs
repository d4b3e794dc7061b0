//! Random histories, made once and told twice: to the oracle as JSON, to the model as values.

use std::fmt;

use cdc_core::{DataType, Flow, Plan, Row, ScdType, Value};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value as Json, json};

const MOST_EVENTS: usize = 12;

/// A flow, its events in the order of their sequence, and how they are delivered.
#[derive(Clone)]
pub(crate) struct History {
    scd_type: ScdType,
    sequence: Sequence,
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

#[derive(Clone, Copy, Debug)]
struct Clauses {
    nulls: Nulls,
    tracked: Tracked,
    scalars: u8,
    with_struct: bool,
    ordered_by: OrderedBy,
    shows_sequence: bool,
    keys: u8,
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
}

impl History {
    pub(crate) fn flow(&self) -> Json {
        let Clauses { nulls, tracked, ordered_by, shows_sequence, .. } = self.clauses;
        let mut flow = json!({
            "keys": ["id"],
            "sequence_by": if let OrderedBy::Columns = ordered_by { "struct(seq, pos)" } else { "seq" },
            "apply_as_deletes": "op = 'DELETE'",
            "except_column_list": if shows_sequence { vec!["op"] } else { vec!["op", "seq", "pos"] },
            "stored_as_scd_type": if self.scd_type == ScdType::One { 1 } else { 2 },
        });
        let last = if self.clauses.with_struct { "p" } else { "t" };
        match nulls {
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
                let schema = self.schema();
                let columns: Vec<&String> = schema.as_object().expect("columns").keys().collect();
                flow["track_history_except_column_list"] = json!(columns);
            }
        }
        flow
    }

    pub(crate) fn schema(&self) -> Json {
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
        schema
    }

    pub(crate) fn plan(&self) -> Plan {
        let flow = self.flow();
        let list = |name: &str| -> Option<Vec<String>> {
            Some(flow.get(name)?.as_array()?.iter().filter_map(Json::as_str).map(str::to_owned).collect())
        };
        let text = |name: &str| flow.get(name).and_then(Json::as_str).map(str::to_owned);
        let flow = Flow {
            keys: list("keys").unwrap_or_default(),
            sequence_by: text("sequence_by").unwrap_or_default(),
            apply_as_deletes: text("apply_as_deletes"),
            except_column_list: list("except_column_list"),
            stored_as_scd_type: self.scd_type,
            ignore_null_updates: flow.get("ignore_null_updates").is_some(),
            ignore_null_updates_column_list: list("ignore_null_updates_column_list"),
            ignore_null_updates_except_column_list: list("ignore_null_updates_except_column_list"),
            track_history_column_list: list("track_history_column_list"),
            track_history_except_column_list: list("track_history_except_column_list"),
            ..Flow::default()
        };
        let schema = self.schema();
        let columns = schema.as_object().expect("columns").iter();
        let columns: Vec<String> =
            columns.map(|(name, kind)| format!("{name} {}", kind.as_str().expect("a type"))).collect();
        Plan::new(flow, columns.join(", ").parse().expect("a schema")).expect("a sound flow")
    }

    /// The events in the order in which they were drawn, which is that of a unique sequence.
    pub(crate) fn events(&self) -> Vec<Json> {
        let mut earlier = [0_u8; 3];
        self.drafts
            .iter()
            .map(|draft| {
                let key = draft.key % self.clauses.keys;
                let rank = &mut earlier[usize::from(key)];
                let place = if let Sequence::Unique = self.sequence { *rank } else { draft.slot };
                *rank += 1;
                let (seq, pos) = self.clauses.sequence(place);
                let operation = if draft.deletes { "DELETE" } else { "UPSERT" };
                let mut event =
                    json!({"id": key, "s": draft.s, "t": draft.t, "op": operation, "seq": seq, "pos": pos});
                if self.clauses.scalars == 3 {
                    event["n"] = json!(draft.n);
                }
                if self.clauses.with_struct {
                    event["p"] = draft.p.map_or(Json::Null, |(a, b)| json!({"a": a, "b": b}));
                }
                event
            })
            .collect()
    }

    /// The same history of a target of another type.
    pub(crate) fn stored_as(self, scd_type: ScdType) -> Self {
        Self { scd_type, ..self }
    }

    /// A sequence value that an event may have.
    pub(crate) fn some_sequence(&self) -> Json {
        self.clauses.sequence(3).0
    }

    /// Whether the sequence can be null: a column can, `struct(seq, pos)` can't.
    pub(crate) fn sequence_can_be_null(&self) -> bool {
        !matches!(self.clauses.ordered_by, OrderedBy::Columns)
    }

    pub(crate) fn batches(&self) -> Vec<Vec<Json>> {
        let events = self.events();
        let Delivery { places, repeats, cuts } = &self.delivery;
        let mut arrivals: Vec<(u16, bool, usize)> =
            (0..events.len()).map(|event| (places[event], false, event)).collect();
        if !events.is_empty() {
            arrivals.extend(repeats.iter().map(|&(event, place)| {
                let event = usize::from(event) % events.len();
                (place.max(places[event]), true, event)
            }));
        }
        arrivals.sort_unstable();
        let mut batches = vec![Vec::new()];
        for ((_, _, event), &cuts) in arrivals.into_iter().zip(cuts) {
            batches.extend((0..cuts / 6 + cuts / 9).map(|_| Vec::new()));
            batches.last_mut().expect("a batch").push(events[event].clone());
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

/// An event as the model takes it.
pub(crate) fn row(plan: &Plan, event: &Json) -> Row {
    plan.schema()
        .iter()
        .map(|column| to_value(&column.data_type, event.get(&column.name).unwrap_or(&Json::Null)))
        .collect()
}

fn to_value(data_type: &DataType, json: &Json) -> Value {
    match (data_type, json) {
        (_, Json::Null) => Value::Null,
        (DataType::Struct(fields), Json::Object(values)) => {
            Value::structure(fields.iter().map(|field| to_value(&field.data_type, &values[&field.name])))
        }
        (_, Json::String(text)) => Value::from(text.as_str()),
        (_, Json::Number(number)) => Value::Int(number.as_i64().expect("a whole number")),
        _ => panic!("no {data_type}: {json}"),
    }
}

/// As a fixture, to be copied into a file.
impl fmt::Debug for History {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let checkpoint = |batch: &Vec<Json>| {
            let events: Vec<String> = batch.iter().map(|event| format!("\n      {event}")).collect();
            format!("\n    {{ \"append\": [{}] }}", events.join(","))
        };
        let checkpoints: Vec<String> = self.batches().iter().map(checkpoint).collect();
        let (flow, schema, checkpoints) = (self.flow(), self.schema(), checkpoints.join(","));
        write!(
            f,
            "{{\n  \"flow\": {flow},\n  \"schema\": {schema},\n  \"checkpoints\": [{checkpoints}\n  ]\n}}"
        )
    }
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
    (scd_types, sequences, clauses(), vec(drafts(), 0..=MOST_EVENTS), deliveries()).prop_map(
        |(scd_type, sequence, clauses, drafts, delivery)| History {
            scd_type,
            sequence,
            clauses,
            drafts,
            delivery,
        },
    )
}

fn clauses() -> impl Strategy<Value = Clauses> {
    let nulls = select(&[Nulls::Erase, Nulls::Ignored, Nulls::IgnoredIn, Nulls::IgnoredExceptIn][..]);
    let tracked = select(&[Tracked::All, Tracked::One, Tracked::AllButOne, Tracked::None][..]);
    let ordered_by = select(&[OrderedBy::Column, OrderedBy::Columns, OrderedBy::StructColumn][..]);
    (nulls, tracked, ordered_by, 2..=3_u8, any::<bool>(), any::<bool>(), 1..=3_u8).prop_map(
        |(nulls, tracked, ordered_by, scalars, with_struct, shows_sequence, keys)| Clauses {
            nulls,
            tracked,
            scalars,
            with_struct,
            ordered_by,
            shows_sequence,
            keys,
        },
    )
}

fn drafts() -> impl Strategy<Value = Draft> {
    let text = || select(&[None, Some("a"), Some("b")][..]);
    let number = || select(&[None, Some(0), Some(1)][..]);
    let fields = prop::option::weighted(0.7, (number(), text()));
    (any::<u8>(), 0..5_u8, prop::bool::weighted(0.2), text(), text(), number(), fields)
        .prop_map(|(key, slot, deletes, s, t, n, p)| Draft { key, slot, deletes, s, t, n, p })
}

pub(crate) fn deliveries() -> impl Strategy<Value = Delivery> {
    const MOST_REPEATS: usize = 3;
    (
        vec(any::<u16>(), MOST_EVENTS),
        vec(any::<(u8, u16)>(), 0..=MOST_REPEATS),
        vec(0..10_u8, MOST_EVENTS + MOST_REPEATS),
    )
        .prop_map(|(places, repeats, cuts)| Delivery { places, repeats, cuts })
}

//! Generated feeds, the same in every run, for the model and for the yardstick.

use cdc_core::{DataType, Feed, Flow, Plan, Row, ScdType, Schema, Value};
use serde_json::Value as Json;

use crate::naive::Object;

/// Where the generator starts.
pub(crate) const SEED: u64 = 0x9E37_79B9_7F4A_7C15;

/// Three events share a log sequence number.
const EVENTS_OF_AN_LSN: i64 = 3;

/// By how many places an event may come late, or come again; in a small feed, a tenth of it.
const REACH: u64 = 1000;

/// The batches of a feed.
pub(crate) const BATCHES: usize = 10;

/// George Marsaglia's xorshift64: enough for a feed, and no dependency that may change its numbers.
pub(crate) struct Random(u64);

impl Default for Random {
    fn default() -> Self {
        Self(SEED)
    }
}

impl Random {
    /// A number below `limit`.
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }

    fn place_below(&mut self, limit: u64) -> usize {
        usize::try_from(self.below(limit)).unwrap_or_default()
    }

    fn percent(&mut self, share: u64) -> bool {
        self.below(100) < share
    }
}

/// The plan of all generated feeds.
pub(crate) fn plan(scd_type: ScdType) -> Plan {
    let names = |names: &[&str]| names.iter().copied().map(ToOwned::to_owned).collect::<Vec<String>>();
    let flow = Flow {
        keys: names(&["id"]),
        sequence_by: "struct(lsn, pos)".to_owned(),
        apply_as_deletes: Some("op = 'DELETE'".to_owned()),
        except_column_list: Some(names(&["op", "lsn", "pos"])),
        stored_as_scd_type: scd_type,
        ..Flow::default()
    };
    let schema = "id BIGINT, city STRING, email STRING, op STRING, lsn BIGINT, pos INT";
    let schema = schema.parse().expect("the schema is right");
    Plan::new(flow, schema).expect("the flow fits the schema")
}

/// A feed of `events` deliveries: keys are a tenth of them, 5 % are deletes, 20 % come late by up to 1000
/// places, 2 % are redeliveries of one of the 1000 before them.
pub(crate) fn spread(events: usize) -> Feed {
    let random = &mut Random::default();
    batches(delivered(random, events), events.div_ceil(BATCHES))
}

/// As many changes of one key, the newest first.
pub(crate) fn hot(events: usize) -> Feed {
    let random = &mut Random::default();
    let mut rows: Vec<Row> = (0..).take(events).map(|number| change(random, number, 1)).collect();
    rows.reverse();
    batches(rows, events.div_ceil(BATCHES))
}

/// Five feeds for fixtures: as the spread feed, but each of `events` deliveries in `checkpoints` batches.
pub(crate) fn five_small(events: usize, checkpoints: usize) -> Vec<Feed> {
    let random = &mut Random::default();
    let small = |_| {
        let mut rows = delivered(random, events).into_iter();
        let mut feed = Feed::default();
        for checkpoint in 0..checkpoints {
            // Dealt out evenly, also where there are fewer events than checkpoints.
            let size = (checkpoint + 1) * events / checkpoints - checkpoint * events / checkpoints;
            feed.append(rows.by_ref().take(size));
        }
        feed
    };
    (0..5).map(small).collect()
}

/// What is delivered, in the order of arrival.
fn delivered(random: &mut Random, events: usize) -> Vec<Row> {
    let keys = (events as u64 / 10).max(2);
    let reach = (events as u64 / 10).clamp(1, REACH);
    let mut numbers = 0..;
    let mut rows: Vec<(u64, Row)> = Vec::with_capacity(events);
    for place in 0..events {
        let row = match place.checked_sub(1 + random.place_below(reach)) {
            // Copies of the values, not of pointers to them: it is read from the source again.
            Some(earlier) if random.percent(2) => rows[earlier].1.iter().map(fresh).collect(),
            _ => change(random, numbers.next().unwrap_or_default(), keys),
        };
        let delay = if random.percent(20) { 1 + random.below(reach) } else { 0 };
        rows.push((place as u64 + delay, row));
    }
    rows.sort_by_key(|(place, _)| *place);
    rows.into_iter().map(|(_, row)| row).collect()
}

/// A change of one of `keys` rows; its number is its place in the sequence.
fn change(random: &mut Random, number: i64, keys: u64) -> Row {
    let id = random.below(keys).cast_signed();
    let is_delete = random.percent(5);
    let text = |text: String| if is_delete { Value::Null } else { Value::from(&*text) };
    let city = text(format!("city{}", random.below(50)));
    let email = text(format!("user{}@example.com", random.below(1000)));
    let operation = Value::from(if is_delete { "DELETE" } else { "UPDATE" });
    let (lsn, pos) = (number / EVENTS_OF_AN_LSN, number % EVENTS_OF_AN_LSN);
    Row::from([Value::Int(id), city, email, operation, Value::Int(lsn), Value::Int(pos)])
}

fn fresh(value: &Value) -> Value {
    if let Value::String(text) = value { Value::from(&**text) } else { value.clone() }
}

fn batches(rows: Vec<Row>, size: usize) -> Feed {
    let mut feed = Feed::default();
    let mut rows = rows.into_iter().peekable();
    while rows.peek().is_some() {
        feed.append(rows.by_ref().take(size));
    }
    feed
}

/// The batches of a feed as JSON.
pub(crate) fn as_json(feed: &Feed, schema: &Schema) -> Vec<Vec<Object>> {
    let events = |batch| feed.batch(batch).events.iter().map(|event| object(&event.values, schema)).collect();
    (0..feed.batches()).map(events).collect()
}

/// A row as JSON.
pub(crate) fn object(row: &Row, schema: &Schema) -> Object {
    let members = schema.iter().zip(&**row);
    members.map(|(column, value)| (column.name.clone(), json(value, &column.data_type))).collect()
}

/// A value as JSON. Only types that occur in the benchmark.
fn json(value: &Value, data_type: &DataType) -> Json {
    match (value, data_type) {
        (Value::Null, _) => Json::Null,
        (Value::Int(number), _) => Json::from(*number),
        (Value::String(text), _) => Json::from(&**text),
        (Value::Struct(values), DataType::Struct(fields)) => {
            let members = fields.iter().zip(&**values);
            members.map(|(field, value)| (field.name.clone(), json(value, &field.data_type))).collect()
        }
        _ => unreachable!("no column of the benchmark has type {data_type}"),
    }
}

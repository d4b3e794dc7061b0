//! AUTO CDC once more, slow and obvious: the documented sentences, over all events ever received.
//!
//! It shares nothing with `cdc-core`, neither code nor approach: it reads plain JSON, keeps every event, and
//! makes the whole table from them each time it is asked. What it doesn't know it refuses by a panic that
//! says so, so that nothing passes unjudged.

use std::cmp::Ordering;

use serde_json::Value as Json;

mod condition;
pub(crate) mod flow;
mod typed;

use flow::Flow;
use typed::compare;

/// The values of a row, in the order of its columns. A struct is the list of its fields.
pub(crate) type Row = Vec<Json>;

/// A flow, and all events that it was ever given.
pub(crate) struct Oracle {
    pub(crate) flow: Flow,
    changes: Vec<Change>,
    batches: usize,
}

/// An event: what it says of which row, where it stands in the sequence, with which batch it came.
#[derive(Clone)]
struct Change {
    key: Row,
    sequence: Row,
    deletes: bool,
    values: Row,
    batch: usize,
}

impl Oracle {
    /// A flow and a schema, both as a fixture writes them.
    pub(crate) fn new(flow: &Json, schema: &Json) -> Self {
        Self { flow: Flow::read(flow, schema), changes: Vec::new(), batches: 0 }
    }

    /// Takes a batch, or refuses all of it with an error class.
    pub(crate) fn append(&mut self, events: &[Json]) -> Result<(), &'static str> {
        let batch: Vec<Change> = events.iter().map(|event| self.read(event)).collect();
        // `struct(a, b)` is never null, whatever its fields are: measured on Apache Spark 4.3.0.
        let unordered = |change: &Change| !self.flow.sequence_is_struct && change.sequence[0].is_null();
        if batch.iter().any(unordered) {
            return Err("NULL_SEQUENCE");
        }
        if batch.iter().any(|change| change.key.iter().any(Json::is_null)) {
            return Err("NULL_KEY");
        }
        self.changes.extend(batch);
        self.batches += 1;
        Ok(())
    }

    /// Forgets everything: a full refresh.
    pub(crate) fn clear(&mut self) {
        self.changes.clear();
    }

    /// The rows that the target shows.
    pub(crate) fn table(&self) -> Vec<Row> {
        let mut keys: Vec<&Row> = Vec::new();
        for change in &self.changes {
            if !keys.iter().any(|key| self.order(&self.flow.keys, key, &change.key).is_eq()) {
                keys.push(&change.key);
            }
        }
        keys.into_iter().flat_map(|key| self.rows_of(key)).collect()
    }

    fn rows_of(&self, key: &Row) -> Vec<Row> {
        let of_key = |change: &&Change| self.order(&self.flow.keys, key, &change.key).is_eq();
        let mut changes: Vec<&Change> = self.changes.iter().filter(of_key).collect();
        let by_sequence =
            |a: &&Change, b: &&Change| self.order(&self.flow.sequence, &a.sequence, &b.sequence);
        // Events at one place of the sequence stay in the order in which they arrived.
        changes.sort_by(by_sequence);
        let mut line: Vec<Change> = changes
            .chunk_by(|a, b| by_sequence(a, b).is_eq())
            .map(|tied| self.winner(tied).clone())
            .collect();
        self.fill_forward(&mut line);
        if self.flow.keeps_history {
            return self.history(&line);
        }
        // The event with the greatest sequence, shown if it is an upsert.
        line.last().filter(|last| !last.deletes).map(|last| self.shown(last)).into_iter().collect()
    }

    /// Which of the events at one place of the sequence counts.
    fn winner<'a>(&self, tied: &[&'a Change]) -> &'a Change {
        let deletes = |change: &&&Change| change.deletes;
        // One batch: the last row wins; in a history a delete does.
        let batches = tied.chunk_by(|a, b| a.batch == b.batch).map(|batch| {
            let delete = batch.iter().find(|change| self.flow.keeps_history && change.deletes);
            *delete.unwrap_or(&batch[batch.len() - 1])
        });
        let batches: Vec<&Change> = batches.collect();
        if self.flow.keeps_history {
            // A delete replaces an upsert and stays itself; of upserts the first stays.
            return batches.iter().find(deletes).unwrap_or(&batches[0]);
        }
        // An upsert replaces what is stored; a delete doesn't replace an upsert.
        batches.iter().rfind(|change| !change.deletes).unwrap_or(&batches[batches.len() - 1])
    }

    /// Where nulls are ignored, a null takes the value before it, unless a delete lies between.
    fn fill_forward(&self, line: &mut [Change]) {
        for now in 1..line.len() {
            let (before, rest) = line.split_at_mut(now);
            let (before, now) = (&before[now - 1], &mut rest[0]);
            if before.deletes || now.deletes {
                continue;
            }
            for &column in &self.flow.ignoring_nulls {
                let filled = self.flow.kind(column).filled(&before.values[column], &now.values[column]);
                now.values[column] = filled;
            }
        }
    }

    /// Walks the events of a key in the order of their sequence.
    fn history(&self, line: &[Change]) -> Vec<Row> {
        let mut rows = Vec::new();
        // The first and the last event of the open row's run.
        let mut open: Option<(&Change, &Change)> = None;
        for change in line {
            if let Some((first, last)) = open
                && !change.deletes
                && self.agree_on_tracked(last, change)
            {
                open = Some((first, change));
                continue;
            }
            rows.extend(open.map(|(first, last)| self.version(first, last, self.bound(change))));
            open = if change.deletes { None } else { Some((change, change)) };
        }
        rows.extend(open.map(|(first, last)| self.version(first, last, Json::Null)));
        rows
    }

    fn agree_on_tracked(&self, last: &Change, change: &Change) -> bool {
        let agree = |&column: &usize| {
            compare(self.flow.kind(column), &last.values[column], &change.values[column]).is_eq()
        };
        self.flow.tracked.iter().all(agree)
    }

    /// A row of the history: the values of its last event, from its first event on.
    fn version(&self, first: &Change, last: &Change, end: Json) -> Row {
        let mut row = self.shown(last);
        row.extend([self.bound(first), end]);
        row
    }

    fn bound(&self, change: &Change) -> Json {
        if self.flow.sequence_is_struct {
            Json::Array(change.sequence.clone())
        } else {
            change.sequence[0].clone()
        }
    }

    fn shown(&self, change: &Change) -> Row {
        picked(&change.values, &self.flow.output)
    }

    fn read(&self, event: &Json) -> Change {
        let event = event.as_object().expect("an event is an object");
        for name in event.keys() {
            self.flow.place(name);
        }
        let values: Row =
            self.flow.columns.iter().map(|(name, kind)| kind.read(typed::field(event, name))).collect();
        let condition = self.flow.delete_condition.as_deref();
        let value_of = |name: &str| &values[self.flow.place(name)];
        Change {
            key: picked(&values, &self.flow.keys),
            sequence: picked(&values, &self.flow.sequence),
            // A null condition is an upsert.
            deletes: condition.is_some_and(|text| condition::holds(text, &value_of) == Some(true)),
            values,
            batch: self.batches,
        }
    }

    /// Compares the values of some columns, the first difference deciding.
    fn order(&self, columns: &[usize], a: &Row, b: &Row) -> Ordering {
        let differences = columns
            .iter()
            .zip(a.iter().zip(b))
            .map(|(&column, (a, b))| compare(self.flow.kind(column), a, b));
        differences.fold(Ordering::Equal, Ordering::then)
    }
}

fn picked<T: Clone>(all: &[T], places: &[usize]) -> Vec<T> {
    places.iter().map(|&place| all[place].clone()).collect()
}

//! AUTO CDC once more, slow and obvious: the documented sentences, over all events ever received.
//!
//! It shares nothing with `cdc-core`, neither code nor approach: it reads plain JSON, keeps every event, and
//! makes the whole table from them each time it is asked. Only time makes it forget: deletes that expire. What
//! it doesn't know it refuses by a panic that says so, so that nothing passes unjudged.

use serde_json::Value as Json;

mod condition;
mod flow;
mod snapshot;
pub(crate) mod target;
mod typed;

use flow::{Asks, Flow, Read, Says, Source};
use snapshot::Snapshot;
use target::{Stored, Target, rows_of};
use typed::Kind;

/// The values of a row, in the order of its columns. A struct is the list of its fields.
pub(crate) type Row = Vec<Json>;

/// A target, the flows that write into it, and all events that they were ever given.
pub(crate) struct Oracle {
    pub(crate) target: Target,
    flows: Vec<Writer>,
    /// The keys that were seen, unless all of them is forgotten.
    keys: Vec<Row>,
    /// A truncate stands here once for each key that it meets.
    changes: Vec<Change>,
    /// The truncates that will meet keys not seen yet.
    truncates: Vec<Change>,
    batches: usize,
    seconds: u64,
}

/// A flow, and what it did.
struct Writer {
    /// None where the target has one flow.
    name: Option<String>,
    flow: Flow,
    has_run: bool,
    snapshot: Option<Snapshot>,
}

/// An event: what it says, and how it came.
#[derive(Clone, Debug)]
struct Change {
    read: Read,
    batch: usize,
    place: usize,
    /// How many seconds had passed when it came.
    seconds: u64,
}

impl Change {
    fn deletes(&self) -> bool {
        self.read.asks != Asks::Upsert
    }
}

impl Oracle {
    /// The `flow` or the `flows` of an object, and a schema, all as a fixture writes them.
    pub(crate) fn new(definition: &Json, schema: &Json) -> Self {
        let flows: Vec<(Option<String>, &Json)> = match (definition.get("flow"), definition.get("flows")) {
            (Some(flow), None) => vec![(None, flow)],
            (None, Some(flows)) => flows
                .as_object()
                .expect("flows by their names")
                .iter()
                .map(|(name, flow)| (Some(name.clone()), flow))
                .collect(),
            _ => panic!("a target has `flow` or `flows`"),
        };
        let mut target = None;
        let writer = |(name, flow)| {
            let (flow, wanted) = Flow::read(flow, schema);
            let target = target.get_or_insert_with(|| wanted.clone());
            // A snapshot's version has no name to agree on.
            let same = target.shown() == wanted.shown()
                && target.keys == wanted.keys
                && target.tracked == wanted.tracked
                && target.forgets_after == wanted.forgets_after;
            assert!(same, "the oracle can't judge flows that want different targets");
            Writer { name, flow, has_run: false, snapshot: None }
        };
        let flows = flows.into_iter().map(writer).collect();
        Self {
            target: target.expect("a flow"),
            flows,
            keys: Vec::new(),
            changes: Vec::new(),
            truncates: Vec::new(),
            batches: 0,
            seconds: 0,
        }
    }

    /// Takes the batch of a checkpoint, or refuses all of it with an error class.
    pub(crate) fn apply(&mut self, checkpoint: &Json) -> Result<(), &'static str> {
        if checkpoint.get("full_refresh") == Some(&Json::Bool(true)) {
            self.clear();
        }
        let seconds =
            checkpoint.get("advance_seconds").map_or(0, |it| it.as_u64().expect("a number of seconds"));
        if 0 < seconds {
            self.seconds += seconds;
            self.forget();
        }
        let name = checkpoint.get("flow").map(|name| name.as_str().expect("a name"));
        let writer = self.flows.iter_mut().find(|writer| writer.name.as_deref() == name);
        let writer = writer.unwrap_or_else(|| panic!("there is no flow {name:?}"));
        if writer.flow.once && writer.has_run {
            return Ok(());
        }
        let (append, snapshot) = (checkpoint.get("append"), checkpoint.get("snapshot"));
        let batch = match &writer.flow.source {
            Source::Events(events) => {
                assert!(snapshot.is_none(), "a flow of events reads no snapshots");
                writer.flow.events(events, &append.map(rows_of).unwrap_or_default())?
            }
            Source::Snapshots(kind) => {
                assert!(append.is_none(), "a flow from snapshots reads no events");
                let given = snapshot.unwrap_or(&Json::Null);
                let next = Snapshot::next(writer.snapshot.as_ref(), &writer.flow, kind, &self.target, given)?;
                let Some((snapshot, batch)) = next else { return Ok(()) };
                writer.snapshot = Some(snapshot);
                batch
            }
        };
        writer.has_run = true;
        self.batches += 1;
        for (place, read) in batch.into_iter().enumerate() {
            self.take(Change { read, batch: self.batches, place, seconds: self.seconds });
        }
        Ok(())
    }

    /// Forgets everything: a full refresh.
    fn clear(&mut self) {
        self.keys.clear();
        self.changes.clear();
        self.truncates.clear();
        for writer in &mut self.flows {
            (writer.has_run, writer.snapshot) = (false, None);
        }
    }

    /// A truncate is a delete of every key: of those that were seen, and of those that will be.
    fn take(&mut self, change: Change) {
        let of_key = |truncate: &Change, key: &Row| {
            let mut delete = truncate.clone();
            delete.read.key.clone_from(key);
            delete
        };
        if change.read.asks == Asks::Truncate {
            self.changes.extend(self.keys.iter().map(|key| of_key(&change, key)));
            self.truncates.push(change);
            return;
        }
        let key = &change.read.key;
        if !self.keys.iter().any(|seen| self.target.is_same_key(seen, key)) {
            self.changes.extend(self.truncates.iter().map(|truncate| of_key(truncate, key)));
            self.keys.push(key.clone());
        }
        self.changes.push(change);
    }

    /// Forgets the deletes that are too old, and with them what they won over.
    fn forget(&mut self) {
        let Some(threshold) = self.target.forgets_after else { return };
        let now = self.seconds;
        let is_old = |change: &Change| threshold < now - change.seconds;
        self.truncates.retain(|truncate| !is_old(truncate));
        for key in &self.keys {
            let line = self.line(&self.of_key(key));
            let forgets = |place: usize| line[place].deletes() && is_old(line[place]);
            // A delete that closes no row: the others are known by its end.
            let closes_none = |place: usize| place.checked_sub(1).is_none_or(|before| line[before].deletes());
            let forgotten: Vec<Row> = (0..line.len())
                .filter(|&place| match self.target.stored {
                    // The row is gone, and so is all that is known of it.
                    Stored::Newest => forgets(line.len() - 1),
                    Stored::History | Stored::Bitemporal => forgets(place) && closes_none(place),
                })
                .map(|place| line[place].read.sequence.clone())
                .collect();
            let target = &self.target;
            let is_forgotten = |change: &Change| {
                target.is_same_key(&change.read.key, key)
                    && forgotten.iter().any(|at| target.by_sequence(&change.read.sequence, at).is_eq())
            };
            self.changes.retain(|change| !is_forgotten(change));
        }
        // A key of which nothing is left is one that was not yet seen.
        let (target, changes) = (&self.target, &self.changes);
        self.keys.retain(|key| changes.iter().any(|change| target.is_same_key(&change.read.key, key)));
    }

    /// The events of a key, in the order in which they arrived.
    fn of_key(&self, key: &Row) -> Vec<&Change> {
        let of_key = |change: &&Change| self.target.is_same_key(key, &change.read.key);
        let mut changes: Vec<&Change> = self.changes.iter().filter(of_key).collect();
        changes.sort_by_key(|change| (change.batch, change.place));
        changes
    }

    /// The rows that the target shows.
    pub(crate) fn table(&self) -> Vec<Row> {
        let rows_of = |key: &Row| {
            let changes = self.of_key(key);
            match self.target.stored {
                Stored::Newest => self.newest(&changes),
                Stored::History => self.history(&changes),
                Stored::Bitemporal => self.beliefs(&changes),
            }
        };
        self.keys.iter().flat_map(rows_of).collect()
    }

    /// The events that count, in the order of the sequence: one at each place.
    fn line<'a>(&self, changes: &[&'a Change]) -> Vec<&'a Change> {
        let by_sequence =
            |a: &&Change, b: &&Change| self.target.by_sequence(&a.read.sequence, &b.read.sequence);
        let mut changes = changes.to_vec();
        // Events at one place of the sequence stay in the order in which they arrived.
        changes.sort_by(by_sequence);
        changes.chunk_by(|a, b| by_sequence(a, b).is_eq()).map(|tied| self.winner(tied)).collect()
    }

    /// Which of the events at one place of the sequence counts.
    fn winner<'a>(&self, tied: &[&'a Change]) -> &'a Change {
        let keeps_history = self.target.stored != Stored::Newest;
        let deletes = |change: &&&Change| change.deletes();
        // What became known later corrects what was known before.
        let is_later = |a: &Change, b: &Change| self.target.by_system(&a.read.system, &b.read.system).is_gt();
        let is_latest = |change: &&&Change| !tied.iter().any(|other| is_later(other, change));
        let tied: Vec<&Change> = tied.iter().filter(is_latest).copied().collect();
        // One batch: the last row wins; in a history a delete does.
        let batches = tied.chunk_by(|a, b| a.batch == b.batch).map(|batch| {
            let delete = batch.iter().rfind(|change| keeps_history && change.deletes());
            *delete.unwrap_or(&batch[batch.len() - 1])
        });
        let batches: Vec<&Change> = batches.collect();
        if keeps_history {
            // A delete replaces an upsert and stays itself; of upserts the first stays.
            return batches.iter().find(deletes).unwrap_or(&batches[0]);
        }
        // An upsert replaces what is stored; a delete replaces nothing.
        batches.iter().rfind(|change| !change.deletes()).unwrap_or(&batches[0])
    }

    /// The values after each event. What an upsert leaves unsaid it takes from the upsert before it, unless a
    /// delete lies between. Where there is nothing to take it is null.
    fn filled(&self, line: &[&Change]) -> Vec<Row> {
        let mut all: Vec<Row> = Vec::new();
        for (place, Change { read, .. }) in line.iter().enumerate() {
            let before = place.checked_sub(1).filter(|&before| !line[before].deletes());
            let value = |(column, (_, kind)): (usize, &(String, Kind))| {
                let (older, newer) =
                    (before.map_or(&Json::Null, |before| &all[before][column]), &read.values[column]);
                match read.says[column] {
                    Says::Itself => newer.clone(),
                    Says::NothingIfNull => kind.filled(older, newer),
                    Says::Nothing => older.clone(),
                }
            };
            let values = self.target.columns.iter().enumerate().map(value).collect();
            all.push(values);
        }
        all
    }

    /// The event with the greatest sequence, shown if it is an upsert.
    fn newest(&self, changes: &[&Change]) -> Vec<Row> {
        let line = self.line(changes);
        let values = self.filled(&line).pop();
        values.filter(|_| line.last().is_some_and(|last| !last.deletes())).into_iter().collect()
    }

    /// Walks the events of a key in the order of their sequence.
    fn history(&self, changes: &[&Change]) -> Vec<Row> {
        let line = self.line(changes);
        let values = self.filled(&line);
        let bound = |place: usize| self.target.bound(&line[place].read.sequence);
        // A row has the values of its run's last event, from its first event on.
        let version = |(first, last): (usize, usize), end| [&values[last][..], &[bound(first), end]].concat();
        let mut rows = Vec::new();
        // The first and the last event of the open row's run.
        let mut open: Option<(usize, usize)> = None;
        for (now, change) in line.iter().enumerate() {
            if let Some((first, last)) = open
                && !change.deletes()
                && self.agree_on_tracked(&values[last], &values[now])
            {
                open = Some((first, now));
                continue;
            }
            rows.extend(open.map(|run| version(run, bound(now))));
            open = if change.deletes() { None } else { Some((now, now)) };
        }
        rows.extend(open.map(|run| version(run, Json::Null)));
        rows
    }

    fn agree_on_tracked(&self, last: &Row, now: &Row) -> bool {
        let agree = |&column: &usize| self.target.columns[column].1.equal(&last[column], &now[column]);
        self.target.tracked.iter().all(agree)
    }

    /// For each time at which something became known the history of what was known then; a row is believed
    /// from the first to the last of the times, one after the other, at which it is in it.
    fn beliefs(&self, changes: &[&Change]) -> Vec<Row> {
        let by_system = |a: &&Json, b: &&Json| self.target.by_system(a, b);
        let mut times: Vec<&Json> = changes.iter().map(|change| &change.read.system).collect();
        times.sort_by(by_system);
        times.dedup_by(|a, b| by_system(&&**a, &&**b).is_eq());
        let columns = self.target.shown();
        let are_equal = |a: &Row, b: &Row| {
            columns.iter().zip(a.iter().zip(b)).all(|((_, kind), (a, b))| kind.equal(a, b))
        };
        let is_among = |row: &Row, rows: &[Row]| rows.iter().any(|other| are_equal(row, other));

        let (mut rows, mut believed) = (Vec::new(), Vec::<(Row, &Json)>::new());
        let known = |row: Row, start: &Json, end: &Json| [row, vec![start.clone(), end.clone()]].concat();
        for time in times {
            let is_known = |change: &&&Change| by_system(&&change.read.system, &time).is_le();
            let then: Vec<&Change> = changes.iter().filter(is_known).copied().collect();
            let history = self.history(&then);
            let (stay, ended): (Vec<_>, Vec<_>) =
                believed.into_iter().partition(|(row, _)| is_among(row, &history));
            rows.extend(ended.into_iter().map(|(row, start)| known(row, start, time)));
            let before: Vec<Row> = stay.iter().map(|(row, _)| row.clone()).collect();
            let new = history.into_iter().filter(|row| !is_among(row, &before)).map(|row| (row, time));
            believed = stay.into_iter().chain(new).collect();
        }
        rows.extend(believed.into_iter().map(|(row, start)| known(row, start, &Json::Null)));
        rows
    }
}

fn picked<T: Clone>(all: &[T], places: &[usize]) -> Vec<T> {
    places.iter().map(|&place| all[place].clone()).collect()
}

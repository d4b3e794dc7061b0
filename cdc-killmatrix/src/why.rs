//! Why the rows of a target are as they are: for each key the events that count, those that don't, and by
//! which rule.
//!
//! The model is asked, not imitated: a witness decides as [`Reference`] does and writes down each decision.

mod witness;
mod teller;
mod nulls;
mod current;
mod history;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use cdc_core::{
    Arrival, AutoCdc, Feed, Key, Operation, Plan, Reference, Refusal, Run, ScdType, Value, Version,
};

use teller::{Cited, PAGE_OF_REFUSALS, Teller};

pub use witness::Witness;

/// Why a key's rows are as they are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Story {
    /// The values of the key columns.
    pub key: Vec<Value>,
    /// One line an event, in the order of the sequence; events at the same place in the order of arrival.
    /// Control characters in values stand as they are.
    pub lines: Vec<String>,
}

/// The stories of all keys after the batch `last`, in the order of the keys, for a target that was empty
/// before the batch `start`.
///
/// Batches are counted from 0; in the lines they are checkpoints, counted from 1. Of a batch that is refused
/// nothing is told: see [`refusals`].
///
/// ```
/// use cdc_core::{Feed, Flow, Plan, Value};
/// use cdc_killmatrix::why;
///
/// let flow = Flow { keys: vec!["id".into()], sequence_by: "lsn".into(), ..Flow::default() };
/// let plan = Plan::new(flow, "id BIGINT, city STRING, lsn BIGINT".parse()?)?;
/// let mut feed = Feed::default();
/// feed.append([[Value::Int(101), Value::from("Nantes"), Value::Int(30)]]);
/// feed.append([[Value::Int(101), Value::from("Lille"), Value::Int(20)]]);
///
/// let stories = why::stories(&[plan], &feed, 0, 1);
/// assert_eq!(
///     stories[0].lines[0],
///     "checkpoint 2, event 1: upsert at 20: passed over, it comes before checkpoint 1, event 1"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
///
/// If the feed has no batch `last`.
pub fn stories(plans: &[Plan], feed: &Feed, start: usize, last: usize) -> Vec<Story> {
    all(plans, feed, start, last, Cited::default())
}

/// All stories, without the sources of rules that were given elsewhere.
fn all(plans: &[Plan], feed: &Feed, start: usize, last: usize, cited: Cited) -> Vec<Story> {
    let witness = Witness::default();
    play(&witness, plans, feed, start, last);
    let log = witness.log();
    let mut keys: BTreeMap<Key, Vec<&Version>> = BTreeMap::new();
    keys.extend(log.events.values().filter_map(|version| Some((key_of(plans, version)?, Vec::new()))));
    for version in log.events.values() {
        match key_of(plans, version) {
            Some(key) => keys.entry(key).or_default().push(version),
            // A truncate is part of every story.
            None => keys.values_mut().for_each(|events| events.push(version)),
        }
    }
    let story = |(key, events): (Key, Vec<&Version>)| {
        let mut teller = Teller::new(plans, &log, events, cited);
        Story { key: key.to_vec(), lines: told(&mut teller) }
    };
    keys.into_iter().map(story).collect()
}

/// The key of an event; of a truncate it is no key.
fn key_of(plans: &[Plan], version: &Version) -> Option<Key> {
    let key = Reference.key_of(&plans[version.flow], &version.event);
    key.filter(|_| version.operation != Operation::Truncate)
}

fn told(teller: &mut Teller<'_>) -> Vec<String> {
    match teller.plan.scd_type() {
        ScdType::One => current::tell(teller),
        ScdType::Two | ScdType::Bitemporal => history::tell(teller),
    }
}

/// Stories, batch by batch: after each batch what is new in them.
///
/// It yields for each batch, from the first one on, the stories of the keys that have an event in it, in the
/// order of the keys; of each story only the lines that are new or read otherwise than after the batch before.
/// The source of a rule is given where it is told of a key for the first time, and not again. Of a batch that
/// is refused there is nothing to tell.
///
/// ```
/// use cdc_core::{Feed, Flow, Plan, Value};
/// use cdc_killmatrix::why::{Chronicle, Witness};
///
/// let flow = Flow { keys: vec!["id".into()], sequence_by: "lsn".into(), ..Flow::default() };
/// let plans = [Plan::new(flow, "id BIGINT, city STRING, lsn BIGINT".parse()?)?];
/// let mut feed = Feed::default();
/// feed.append([[Value::Int(101), Value::from("Nantes"), Value::Int(30)]]);
/// feed.append([[Value::Int(101), Value::from("Lille"), Value::Int(20)]]);
/// feed.append([[Value::Int(102), Value::from("Paris"), Value::Int(40)]]);
///
/// let witness = Witness::default();
/// let news: Vec<_> = Chronicle::new(&witness, &plans, &feed, 0).collect();
/// let first = "checkpoint 1, event 1: upsert at 30: wins, the only event of its key";
/// assert_eq!(news[0][0].lines, [first]);
/// assert_eq!(news[1][0].lines.len(), 2, "the line of the first event reads otherwise");
/// assert_eq!(news[2].len(), 1, "customer 102");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Chronicle<'a> {
    witness: &'a Witness,
    plans: &'a [Plan],
    feed: &'a Feed,
    start: usize,
    batch: usize,
    run: Option<Run<'a, Witness>>,
    keys: BTreeMap<Key, Known>,
    /// The truncates so far: they are part of every story, also of those that begin later.
    truncates: Vec<Version>,
}

/// What is known of a key's story.
#[derive(Default)]
struct Known {
    cited: Cited,
    /// The lines as they were told last, without sources.
    lines: BTreeMap<Arrival, String>,
}

impl<'a> Chronicle<'a> {
    /// The stories for a target that is empty before the batch `start`.
    ///
    /// What the witness has noted before is forgotten.
    pub fn new(witness: &'a Witness, plans: &'a [Plan], feed: &'a Feed, start: usize) -> Self {
        witness.clear();
        // The reference puts no definition in the place of the flow's, so that none can be refused.
        let run = Run::of_flows(witness, plans).ok();
        Self { witness, plans, feed, start, batch: start, run, keys: BTreeMap::new(), truncates: Vec::new() }
    }

    /// Applies a batch and reads the rows; the events that it brought, by key.
    fn apply(&mut self, batch: usize) -> BTreeMap<Key, Vec<Version>> {
        let batch = self.feed.batch_since(batch, self.start);
        let Some(run) = &mut self.run else { return BTreeMap::new() };
        if run.apply(batch).is_err() {
            return BTreeMap::new();
        }
        let mut keys: BTreeMap<Key, Vec<Version>> = BTreeMap::new();
        let first = Arrival { batch: batch.number, row: 0 };
        let log = self.witness.log();
        let brought = || log.events.range(first..).map(|(_, version)| version);
        if brought().any(|version| version.operation == Operation::Truncate) {
            keys.extend(self.keys.keys().map(|key| (key.clone(), Vec::new())));
        }
        for key in brought().filter_map(|version| key_of(self.plans, version)) {
            let before = if self.keys.contains_key(&key) { &[] } else { &self.truncates[..] };
            keys.entry(key).or_insert_with(|| before.to_vec());
        }
        for version in brought() {
            if let Some(key) = key_of(self.plans, version) {
                keys.entry(key).or_default().push(version.clone());
            } else {
                // A truncate is part of every story.
                for versions in keys.values_mut() {
                    versions.push(version.clone());
                }
                self.truncates.push(version.clone());
            }
        }
        drop(log);
        for (key, versions) in &keys {
            let known = self.keys.get(key).into_iter().flat_map(|known| known.lines.keys().copied());
            self.witness.forget_fills(known, versions.iter().map(|version| &version.order).min());
        }
        run.rows();
        keys
    }
}

impl Iterator for Chronicle<'_> {
    type Item = Vec<Story>;

    fn next(&mut self) -> Option<Vec<Story>> {
        if self.feed.batches() <= self.batch {
            return None;
        }
        let brought = self.apply(self.batch);
        self.batch += 1;
        let log = self.witness.log();
        let story = |(key, versions): (Key, Vec<Version>)| {
            let Known { cited, lines } = self.keys.entry(key.clone()).or_default();
            let arrivals = lines.keys().copied().chain(versions.iter().map(Version::arrival));
            let events: Vec<&Version> = arrivals.filter_map(|arrival| log.events.get(&arrival)).collect();
            let bare = told(&mut Teller::new(self.plans, &log, events.clone(), Cited::ALL));
            let mut teller = Teller::new(self.plans, &log, events, *cited);
            let full = told(&mut teller);
            *cited = teller.cited();
            let mut news = Vec::new();
            for ((version, bare), full) in teller.events.iter().zip(bare).zip(full) {
                if lines.get(&version.arrival()) != Some(&bare) {
                    lines.insert(version.arrival(), bare);
                    news.push(full);
                }
            }
            Story { key: key.to_vec(), lines: news }
        };
        Some(brought.into_iter().map(story).collect())
    }
}

/// The batches in `start..=last` that the model refuses, a line each. They leave no trace in the stories.
///
/// # Panics
///
/// If the feed has no batch `last`.
pub fn refusals(plans: &[Plan], feed: &Feed, start: usize, last: usize) -> Vec<String> {
    let refused = play(&Witness::default(), plans, feed, start, last);
    let line = |(batch, refusal): (usize, Refusal)| {
        let page = match refusal.class {
            "NULL_KEY" | "NULL_SEQUENCE" => format!(" ({PAGE_OF_REFUSALS})"),
            _ => String::new(),
        };
        format!("checkpoint {} is refused, and nothing of it is applied: {refusal}{page}", batch + 1)
    };
    refused.into_iter().map(line).collect()
}

/// Applies the batches and reads the rows once, so that no decision on the history is written down twice.
fn play(witness: &Witness, plans: &[Plan], feed: &Feed, start: usize, last: usize) -> Vec<(usize, Refusal)> {
    let mut refused = Vec::new();
    // The reference puts no definition in the place of the flow's, so that none can be refused.
    if let Ok(mut run) = Run::of_flows(witness, plans) {
        for batch in start..=last {
            if let Err(refusal) = run.apply(feed.batch_since(batch, start)) {
                refused.push((batch, refusal));
            }
        }
        run.rows();
    }
    refused
}

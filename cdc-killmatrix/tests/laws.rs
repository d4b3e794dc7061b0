//! The laws of AUTO CDC, over random histories: the model is the oracle after every batch; with one
//! sequence value an event, neither batches nor arrival nor replays are seen.
//!
//! The histories follow from a seed, which a failure prints and `KILLMATRIX_SEED` sets.

use std::collections::BTreeMap;

use cdc_core::{
    AutoCdc, Change, Event, Feed, Flow, Hook, Image, Key, Mutant, Mutants, Operation, Order, Plan,
};
use cdc_core::{Reference, Row, Run, ScdType, Table, Value, Version};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngSeed, TestCaseError, TestCaseResult, TestRunner};
use serde_json::{Value as Json, json};

mod histories;
#[expect(dead_code, reason = "the corpus uses the rest of it")]
mod oracle;

use histories::{History, Sequence, any_sequence, any_type, deliveries, histories, row};
use oracle::Oracle;

/// Histories a mode, in the comparison with the oracle.
const HISTORIES: u32 = 10_000;

/// Histories a law that compares the model with itself.
const HISTORIES_A_LAW: u32 = 2_000;

/// Histories within which a broken model must be noticed.
const HISTORIES_A_FAULT: u32 = 1_000;

const SEED: u64 = 20_261_129;

#[test]
fn type_1_is_the_oracle() {
    law(HISTORIES, histories(Just(ScdType::One), Just(Sequence::Unique)), |history| agrees(&history));
}

#[test]
fn type_2_is_the_oracle() {
    law(HISTORIES, histories(Just(ScdType::Two), Just(Sequence::Unique)), |history| agrees(&history));
}

#[test]
fn type_1_with_ties_is_the_oracle() {
    law(HISTORIES, histories(Just(ScdType::One), Just(Sequence::Tied)), |history| agrees(&history));
}

#[test]
fn type_2_with_ties_is_the_oracle() {
    law(HISTORIES, histories(Just(ScdType::Two), Just(Sequence::Tied)), |history| agrees(&history));
}

#[test]
fn batch_splits_change_nothing() {
    law(HISTORIES_A_LAW, (any_type(Just(Sequence::Unique)), deliveries()), |(mut history, other)| {
        history.delivery.repeats.clear();
        let expected = last_table(&history, &history.batches());
        history.delivery.cuts = other.cuts;
        prop_assert_eq!(last_table(&history, &history.batches()), expected);
        Ok(())
    });
}

#[test]
fn arrival_order_changes_nothing() {
    law(HISTORIES_A_LAW, (any_type(Just(Sequence::Unique)), deliveries()), |(mut history, other)| {
        history.delivery.repeats.clear();
        let expected = last_table(&history, &history.batches());
        history.delivery.places = other.places;
        prop_assert_eq!(last_table(&history, &history.batches()), expected);
        Ok(())
    });
}

#[test]
fn replay_changes_nothing() {
    law(HISTORIES_A_LAW, any_type(Just(Sequence::Unique)), |history| {
        let mut once = history.clone();
        once.delivery.repeats.clear();
        let expected = last_table(&once, &once.batches());
        prop_assert_eq!(last_table(&history, &history.batches()), expected.clone(), "single events again");
        let mut batches = history.batches();
        batches.extend(once.batches());
        prop_assert_eq!(last_table(&history, &batches), expected, "everything again");
        Ok(())
    });
}

#[test]
fn type_1_is_the_open_rows_of_type_2() {
    law(HISTORIES_A_LAW, histories(Just(ScdType::Two), Just(Sequence::Unique)), |history| {
        let newest = history.clone().stored_as(ScdType::One);
        let newest = last_table(&newest, &newest.batches());
        let table = last_table(&history, &history.batches());
        let open = table.rows().iter().filter_map(|row| match &row[..] {
            [values @ .., _start, Value::Null] => Some(values.iter().cloned().collect()),
            _ => None,
        });
        prop_assert_eq!(Table::new(open.collect()), newest);
        Ok(())
    });
}

#[test]
fn rows_of_a_key_do_not_overlap() {
    law(HISTORIES_A_LAW, histories(Just(ScdType::Two), Just(Sequence::Tied)), |history| {
        let plan = history.plan();
        for (_, table) in states(&Reference, &plan, &history.batches()) {
            let mut intervals: BTreeMap<Value, Vec<(Value, Value)>> = BTreeMap::new();
            for row in table.rows() {
                let [id, .., start, end] = &row[..] else { panic!("a key, a start and an end in {row:?}") };
                prop_assert!(end.is_null() || start < end, "{start} to {end} is empty");
                intervals.entry(id.clone()).or_default().push((start.clone(), end.clone()));
            }
            for of_key in intervals.values_mut() {
                of_key.sort();
                let apart = |pair: &[(Value, Value)]| !pair[0].1.is_null() && pair[0].1 <= pair[1].0;
                prop_assert!(of_key.windows(2).all(apart), "{of_key:?}");
            }
        }
        Ok(())
    });
}

#[test]
fn a_refused_batch_changes_nothing() {
    // What is wrong with one event or with two; a null sequence goes before a null key.
    const FAULTS: [&[&str]; 3] = [&["NULL_KEY"], &["NULL_SEQUENCE"], &["NULL_KEY", "NULL_SEQUENCE"]];
    let strategy = (any_type(any_sequence()), select(&FAULTS), any::<Index>(), any::<Index>());
    law(HISTORIES_A_LAW, strategy, |(history, faults, when, place)| {
        let faults = if history.sequence_can_be_null() { faults } else { FAULTS[0] };
        let plan = history.plan();
        let mut batches = history.batches();
        let expected = states(&Reference, &plan, &batches);

        // Beside the faults all events of the history, which would change the table.
        let mut refused = history.events();
        for &fault in faults {
            let mut event = json!({"id": 0, "s": "a", "op": "UPSERT", "seq": null, "pos": null});
            if fault == "NULL_KEY" {
                (event["id"], event["seq"]) = (Json::Null, history.some_sequence());
            }
            refused.insert(place.index(refused.len() + 1), event);
        }
        let when = when.index(batches.len() + 1);
        batches.insert(when, refused);

        let mut got = states(&Reference, &plan, &batches);
        let (class, table) = got.remove(when);
        prop_assert_eq!(class, faults.last().copied());
        let before = when.checked_sub(1).map_or_else(Table::default, |before| expected[before].1.clone());
        prop_assert_eq!(table, before);
        prop_assert_eq!(got, expected);
        prop_assert_eq!(difference(&Reference, &history, &batches), None);
        Ok(())
    });
}

/// The comparison is worth something: each decision of the model, taken wrongly, makes a difference.
#[test]
fn the_oracle_notices_broken_models() {
    for mutant in Broken::ALL {
        assert!(is_noticed(mutant), "nobody notices `{}`: {}", mutant.name, mutant.about);
    }
    let is_broken = |hook: &str| Broken::ALL.iter().any(|mutant| mutant.breaks.name() == hook);
    let unbroken: Vec<&str> =
        Hook::ALL.iter().map(|&(hook, _)| hook).filter(|hook| !is_broken(hook)).collect();
    assert!(unbroken.is_empty(), "no broken model for {unbroken:?}");
}

fn is_noticed(mutant: &Mutant) -> bool {
    let mut runner = TestRunner::new(config(HISTORIES_A_FAULT));
    let histories = any_type(any_sequence());
    (0..HISTORIES_A_FAULT).any(|_| {
        let history = histories.new_tree(&mut runner).expect("a history").current();
        difference(mutant, &history, &history.batches()).is_some()
    })
}

#[derive(Mutants)]
enum Broken {
    /// Drops the delete clause.
    #[mutant(definition = |flow| Some(Flow { apply_as_deletes: None, ..flow.clone() }))]
    NoDeletes,

    /// Loses the last event of a batch.
    #[mutant(rewrite = |_, _, batch| batch.split_last().map(|(_, others)| others.to_vec()))]
    LostEvent,

    /// Takes a delete for an upsert.
    #[mutant(operation_of = |_, _| Ok(Operation::Upsert))]
    IgnoredDeletes,

    /// Knows one key only.
    #[mutant(key_of = |_, _| Some(Key::new([])))]
    CollapsedKey,

    /// Orders events by their arrival.
    #[mutant(order_of = |_, event| Some(Order::arrival(event)))]
    ArrivalOrder,

    /// Orders events by the first field of the sequence.
    #[mutant(order_of = |plan, event| Some(Order::new([event.values[plan.sequence()[0]].clone()])))]
    FirstField,

    /// Swaps two columns.
    #[mutant(row_of = swapped)]
    SwappedColumns,

    /// Drops what is late.
    #[mutant(admits = |_, version, around| around.high_water.is_none_or(|mark| *mark <= version.order))]
    HighWater,

    /// Never brings a deleted row back.
    #[mutant(admits = |_, _, around| !around.stored.is_some_and(Version::is_delete))]
    StickyDelete,

    /// Lets the last arrival win.
    #[mutant(supersedes = |_, _, _| true)]
    LastArrival,

    /// Lets a delete win, whatever its place in the sequence.
    #[mutant(supersedes = |plan, new, stored| new.is_delete() || Reference.supersedes(plan, new, stored))]
    StrongDelete,

    /// Keeps the first of a tie.
    #[mutant(breaks_tie = |_, _, _| false)]
    FirstTied,

    /// Keeps the last of a tie.
    #[mutant(breaks_tie = |_, _, _| true)]
    LastTied,

    /// Lets a delete win a tie, else the last.
    #[mutant(breaks_tie = |_, new, stored| new.is_delete() || !stored.is_delete())]
    TiedDelete,

    /// Forgets deletes.
    #[mutant(keeps_tombstone = |_, _, _| false)]
    NoTombstone,

    /// Forgets deletes of keys that it doesn't know.
    #[mutant(keeps_tombstone = |_, _, before| before.is_some())]
    NoEarlyTombstone,

    /// Forgets the events inside a run.
    #[mutant(remembers = |_, _, _, _| false)]
    HiddenEventLost,

    /// Ignores nulls in every column.
    #[mutant(ignores_null = |_, _| true)]
    KeptNulls,

    /// Ignores nulls in no column.
    #[mutant(ignores_null = |_, _| false)]
    ErasingNulls,

    /// Fills nothing.
    #[mutant(fills = |_, _, _, _| false)]
    NoFill,

    /// Fills from before a delete.
    #[mutant(fills = |_, _, _, _| true)]
    GhostValues,

    /// Tracks all columns.
    #[mutant(tracks = |_, _| true)]
    SyncNoise,

    /// Opens a row for each event.
    #[mutant(change = |_, _, _, _, _| Change::Opens)]
    RowAnEvent,

    /// Finds no null equal to a null.
    #[mutant(change = null_unsafe)]
    NullUnsafe,

    /// Closes no row.
    #[mutant(ends_at = |_, _, _| None)]
    NeverClosed,

    /// Closes rows at deletes only.
    #[mutant(ends_at = |_, history, last| (last + 1..history.len()).find(|&place| history[place].is_delete()))]
    ClosedByDeletes,

    /// Bounds rows by the batch that brought the event.
    #[mutant(bound_of = |_, version| Value::Int(version.arrival().batch.into()))]
    LoadTime,

    /// Shows the first values of a run.
    #[mutant(shows = |_, first, _, _| first.row.clone())]
    FirstValues,

    /// Leaves a row behind.
    #[mutant(leaves_behind = |_, delete| Some(delete.row.clone()))]
    NullRow,
}

fn swapped(plan: &Plan, event: &Event) -> Row {
    let mut row = Reference.row_of(plan, event).to_vec();
    row.swap(1, 2);
    row.into()
}

fn null_unsafe(
    _: &Plan,
    tracked: &[usize],
    _: &[Image<'_>],
    open: Option<&Image<'_>>,
    new: &Image<'_>,
) -> Change {
    let equal =
        |open: &Image<'_>, column: usize| open.row[column] == new.row[column] && !new.row[column].is_null();
    let extends = open.is_some_and(|open| tracked.iter().all(|&column| equal(open, column)));
    if extends { Change::Extends } else { Change::Opens }
}

/// Runs a law over as many random values, and shows the smallest one that breaks it.
fn law<S: Strategy>(cases: u32, values: S, holds: impl Fn(S::Value) -> TestCaseResult) {
    if let Err(error) = TestRunner::new(config(cases)).run(&values, holds) {
        panic!("{error}\nthe seed was {}: KILLMATRIX_SEED={} repeats it", seed(), seed());
    }
}

fn config(cases: u32) -> Config {
    Config { cases, failure_persistence: None, rng_seed: RngSeed::Fixed(seed()), ..Config::default() }
}

fn seed() -> u64 {
    std::env::var("KILLMATRIX_SEED")
        .map_or(SEED, |seed| seed.parse().expect("KILLMATRIX_SEED is a whole number"))
}

fn agrees(history: &History) -> TestCaseResult {
    match difference(&Reference, history, &history.batches()) {
        None => Ok(()),
        Some(difference) => Err(TestCaseError::fail(difference)),
    }
}

/// The first batch after which a model is not the oracle.
fn difference<M: AutoCdc + ?Sized>(model: &M, history: &History, batches: &[Vec<Json>]) -> Option<String> {
    let plan = history.plan();
    let mut oracle = Oracle::new(&history.flow(), &history.schema());
    for ((number, batch), (refused, table)) in (1..).zip(batches).zip(states(model, &plan, batches)) {
        let expected_refusal = oracle.append(batch).err();
        let expected = oracle.table();
        let rows: Vec<oracle::Row> =
            table.rows().iter().map(|row| row.iter().map(to_json).collect()).collect();
        if refused != expected_refusal || !same(&expected, &rows) {
            let (expected, rows) = (listed(&expected), listed(&rows));
            return Some(format!(
                "after batch {number} the oracle has {expected_refusal:?}\n{expected}the model has {refused:?}\n{rows}"
            ));
        }
    }
    None
}

fn listed(table: &[oracle::Row]) -> String {
    let rows: Vec<String> = table.iter().map(|row| format!("  {}\n", Json::from(row.clone()))).collect();
    rows.concat()
}

/// Whether two tables hold the same rows, each as often. A broken model may put a value of any type anywhere.
fn same(left: &[oracle::Row], right: &[oracle::Row]) -> bool {
    let count = |table: &[oracle::Row], row| table.iter().filter(|&other| other == row).count();
    left.len() == right.len() && left.iter().all(|row| count(left, row) == count(right, row))
}

/// For each batch why it was refused, if it was, and the table after it.
fn states<M: AutoCdc + ?Sized>(
    model: &M,
    plan: &Plan,
    batches: &[Vec<Json>],
) -> Vec<(Option<&'static str>, Table)> {
    let mut feed = Feed::default();
    let mut run = Run::new(model, plan).expect("a sound definition");
    let mut states = Vec::new();
    for (number, batch) in batches.iter().enumerate() {
        feed.append(batch.iter().map(|event| row(plan, event)));
        let refused = run.apply(feed.batch(number)).err().map(|refusal| refusal.class);
        states.push((refused, run.table()));
    }
    states
}

fn last_table(history: &History, batches: &[Vec<Json>]) -> Table {
    let plan = history.plan();
    states(&Reference, &plan, batches).pop().map(|(_, table)| table).unwrap_or_default()
}

fn to_json(value: &Value) -> Json {
    match value {
        Value::Null => Json::Null,
        Value::Int(number) => Json::from(*number),
        Value::String(text) => Json::from(&**text),
        Value::Struct(fields) => fields.iter().map(to_json).collect(),
        _ => panic!("no value of a history: {value}"),
    }
}

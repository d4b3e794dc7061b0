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
use proptest::test_runner::{Config, RngAlgorithm, RngSeed, TestCaseError, TestCaseResult, TestRunner};
use serde_json::{Value as Json, json};

#[expect(dead_code, reason = "the forms of mutants use the rest of it")]
mod histories;
#[expect(dead_code, reason = "the corpus uses the rest of it")]
mod oracle;

use histories::Fixture;
use histories::events::{
    Sequence, With, any_sequence, any_type, deliveries, histories, histories_with, timeless,
};
use histories::snapshots::{shared, snapshots};
use oracle::Oracle;

/// Histories a mode, in the comparison with the oracle.
const HISTORIES: u32 = 10_000;

/// Histories a law that compares the model with itself.
const HISTORIES_A_LAW: u32 = 2_000;

/// Histories of each kind within which a broken model must be noticed.
const HISTORIES_A_FAULT: usize = 1_000;

const SEED: u64 = 20_261_129;

const ONE: ScdType = ScdType::One;
const TWO: ScdType = ScdType::Two;
const BITEMPORAL: ScdType = ScdType::Bitemporal;

#[test]
fn type_1_is_the_oracle() {
    law(HISTORIES, histories(Just(ONE), Just(Sequence::Unique)), |history| agrees(&history.fixture()));
}

#[test]
fn type_2_is_the_oracle() {
    law(HISTORIES, histories(Just(TWO), Just(Sequence::Unique)), |history| agrees(&history.fixture()));
}

#[test]
fn type_1_with_ties_is_the_oracle() {
    law(HISTORIES, histories(Just(ONE), Just(Sequence::Tied)), |history| agrees(&history.fixture()));
}

#[test]
fn type_2_with_ties_is_the_oracle() {
    law(HISTORIES, histories(Just(TWO), Just(Sequence::Tied)), |history| agrees(&history.fixture()));
}

#[test]
fn truncates_are_the_oracle() {
    let types = Just((ONE, With::TRUNCATES));
    law(HISTORIES, histories_with(types, Just(Sequence::Unique)), |history| agrees(&history.fixture()));
}

#[test]
fn truncates_with_ties_are_the_oracle() {
    let types = Just((ONE, With::TRUNCATES));
    law(HISTORIES, histories_with(types, Just(Sequence::Tied)), |history| agrees(&history.fixture()));
}

#[test]
fn expiry_in_type_1_is_the_oracle() {
    let types = (any::<bool>(), prop::bool::weighted(0.2))
        .prop_map(|(truncates, lists)| (ONE, With { truncates, lists, ..With::TIME }));
    law(HISTORIES, histories_with(types, any_sequence()), |history| agrees(&history.fixture()));
}

#[test]
fn expiry_with_a_history_is_the_oracle() {
    let types = prop_oneof![
        6 => Just((TWO, With::TIME)),
        1 => Just((TWO, With { lists: true, ..With::TIME })),
        1 => Just((BITEMPORAL, With::TIME)),
    ];
    law(HISTORIES, histories_with(types, any_sequence()), |history| agrees(&history.fixture()));
}

#[test]
fn columns_to_update_in_type_1_are_the_oracle() {
    let types = any::<bool>().prop_map(|truncates| (ONE, With { truncates, ..With::LISTS }));
    law(HISTORIES, histories_with(types, any_sequence()), |history| agrees(&history.fixture()));
}

#[test]
fn columns_to_update_in_type_2_are_the_oracle() {
    let types = Just((TWO, With::LISTS));
    law(HISTORIES, histories_with(types, any_sequence()), |history| agrees(&history.fixture()));
}

#[test]
fn two_flows_into_one_target_are_the_oracle() {
    law(HISTORIES, histories_with(of_flows(), any_sequence()), |history| agrees(&history.fixture()));
}

#[test]
fn bitemporal_is_the_oracle() {
    law(HISTORIES, histories(Just(BITEMPORAL), Just(Sequence::Unique)), |it| agrees(&it.fixture()));
}

#[test]
fn bitemporal_with_ties_is_the_oracle() {
    law(HISTORIES, histories(Just(BITEMPORAL), Just(Sequence::Tied)), |it| agrees(&it.fixture()));
}

#[test]
fn snapshots_of_type_1_are_the_oracle() {
    law(HISTORIES, snapshots(Just(1)), |snapshots| agrees(&snapshots.fixture()));
}

#[test]
fn snapshots_of_type_2_are_the_oracle() {
    law(HISTORIES, snapshots(Just(2)), |snapshots| agrees(&snapshots.fixture()));
}

#[test]
fn snapshots_beside_events_are_the_oracle() {
    law(HISTORIES, shared(), |snapshots| agrees(&snapshots.fixture()));
}

#[test]
fn batch_splits_change_nothing() {
    law(HISTORIES_A_LAW, (timeless(Just(Sequence::Unique)), deliveries()), |(mut history, other)| {
        history.delivery.repeats.clear();
        let expected = last_table(&history.fixture());
        history.delivery.cuts = other.cuts;
        prop_assert_eq!(last_table(&history.fixture()), expected);
        Ok(())
    });
}

#[test]
fn arrival_order_changes_nothing() {
    law(HISTORIES_A_LAW, (timeless(Just(Sequence::Unique)), deliveries()), |(mut history, other)| {
        history.delivery.repeats.clear();
        let expected = last_table(&history.fixture());
        history.delivery.places = other.places;
        prop_assert_eq!(last_table(&history.fixture()), expected);
        Ok(())
    });
}

#[test]
fn replay_changes_nothing() {
    law(HISTORIES_A_LAW, timeless(Just(Sequence::Unique)), |history| {
        let mut once = history.clone();
        once.delivery.repeats.clear();
        let once = once.fixture();
        let expected = last_table(&once);
        let mut replayed = history.fixture();
        prop_assert_eq!(last_table(&replayed), expected.clone(), "single events again");
        replayed.checkpoints.extend(once.checkpoints);
        prop_assert_eq!(last_table(&replayed), expected, "everything again");
        Ok(())
    });
}

#[test]
fn type_1_is_the_open_rows_of_type_2() {
    let types = select(&[(TWO, With::NOTHING), (TWO, With::LISTS)][..]);
    law(HISTORIES_A_LAW, histories_with(types, Just(Sequence::Unique)), |history| {
        let newest = last_table(&history.clone().stored_as(ONE).fixture());
        let table = last_table(&history.fixture());
        prop_assert_eq!(open_rows(&table, 1), newest);
        Ok(())
    });
}

#[test]
fn bitemporal_as_known_now_is_type_2() {
    law(HISTORIES_A_LAW, histories(Just(BITEMPORAL), Just(Sequence::Unique)), |history| {
        let bitemporal = history.fixture();
        let of_type_2 = stored_as_type_2(&bitemporal);
        prop_assert_eq!(open_rows(&last_table(&bitemporal), 1), last_table(&of_type_2));
        Ok(())
    });
}

#[test]
fn bitemporal_as_known_then_is_type_2() {
    let strategy = (histories(Just(BITEMPORAL), Just(Sequence::Unique)), 0..12_u8);
    law(HISTORIES_A_LAW, strategy, |(history, then)| {
        let bitemporal = history.fixture();
        let mut of_type_2 = stored_as_type_2(&bitemporal);
        for checkpoint in &mut of_type_2.checkpoints {
            let events = checkpoint["append"].as_array_mut().expect("events");
            events.retain(|event| event["known"].as_u64() <= Some(then.into()));
        }
        let then = Value::Int(then.into());
        let table = last_table(&bitemporal);
        let believed = table.rows().iter().filter_map(|row| match &row[..] {
            [values @ .., start, end] if *start <= then && (end.is_null() || then < *end) => {
                Some(values.iter().cloned().collect())
            }
            _ => None,
        });
        prop_assert_eq!(Table::new(believed.collect()), last_table(&of_type_2));
        Ok(())
    });
}

fn stored_as_type_2(bitemporal: &Fixture) -> Fixture {
    let mut fixture = bitemporal.clone();
    let flow = fixture.definition["flow"].as_object_mut().expect("a flow");
    flow.remove("system_sequence_by");
    flow["stored_as_scd_type"] = json!(2);
    fixture
}

/// The rows whose last column, an end, is null, without it and as many columns before it.
fn open_rows(table: &Table, before: usize) -> Table {
    let open = table.rows().iter().filter(|row| row[row.len() - 1].is_null());
    Table::new(open.map(|row| row[..row.len() - 1 - before].iter().cloned().collect()).collect())
}

#[test]
fn a_truncate_is_a_delete_of_every_key() {
    // Where time passes a truncate may outlive the delete of a key that it lost to, and reach the key again.
    let types = Just((ONE, With::TRUNCATES));
    law(HISTORIES_A_LAW, histories_with(types, any_sequence()), |history| {
        let truncated = history.fixture();
        let mut deleted = truncated.clone();
        for checkpoint in &mut deleted.checkpoints {
            let events = checkpoint["append"].as_array().expect("events");
            let keys = |event: &Json| match event["wipe"] {
                Json::Bool(true) => history.keys().map(|key| json!(key)).collect(),
                _ => vec![event["id"].clone()],
            };
            let delete = |event: &Json, key| {
                let mut event = event.clone();
                if event["wipe"] == json!(true) {
                    (event["wipe"], event["op"]) = (Json::Null, json!("DELETE"));
                }
                event["id"] = key;
                event
            };
            let events = events.iter().flat_map(|it| keys(it).into_iter().map(|key| delete(it, key)));
            checkpoint["append"] = Json::from(events.collect::<Vec<Json>>());
        }
        prop_assert_eq!(last_table(&truncated), last_table(&deleted));
        Ok(())
    });
}

#[test]
fn a_snapshot_flow_is_its_feed() {
    law(HISTORIES_A_LAW, snapshots(1..=2_u8), |snapshots| {
        let fixture = snapshots.fixture();
        let plans = fixture.plans();
        let feed = fixture.feed(&plans);
        let [version, is_missing] = ["__SNAPSHOT_VERSION", "__IS_MISSING"].map(str::to_owned);
        let of_feed = Flow {
            sequence_by: version.clone(),
            apply_as_deletes: Some(is_missing.clone()),
            except_column_list: Some(vec![version, is_missing]),
            from_snapshot: None,
            once: false,
            ..plans[0].flow().clone()
        };
        let of_feed = Plan::new(of_feed, plans[0].feed().clone()).expect("a flow of the feed");
        let mut run = Run::new(&Reference, &plans[0]).expect("a sound definition");
        let mut run_of_feed = Run::new(&Reference, &of_feed).expect("a sound definition");
        let mut events = Feed::default();
        for number in 0..feed.batches() {
            let before = run.table();
            if run.apply(feed.batch(number)).is_ok() && run.table() != before {
                events.append(run.snapshot_feed(0).iter().map(|event| event.values.clone()));
                run_of_feed.apply(events.batch(events.batches() - 1)).expect("a batch of the feed");
            }
            prop_assert_eq!(run_of_feed.table(), run.table(), "after batch {}", number + 1);
        }
        Ok(())
    });
}

#[test]
fn rows_of_a_key_do_not_overlap() {
    law(HISTORIES_A_LAW, histories(Just(TWO), Just(Sequence::Tied)), |history| {
        for (_, table) in states(&Reference, &history.fixture()) {
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
    let strategy = (timeless(any_sequence()), select(&FAULTS), any::<Index>(), any::<Index>());
    law(HISTORIES_A_LAW, strategy, |(history, faults, when, place)| {
        let mut fixture = history.fixture();
        let is_bitemporal = history.is_bitemporal();
        let faults = if history.sequence_can_be_null() || is_bitemporal { faults } else { FAULTS[0] };
        let expected = states(&Reference, &fixture);

        // Beside the faults all events of the history, which would change the table.
        let mut refused = history.events();
        for &fault in faults {
            let mut event = json!({"id": 0, "s": "a", "op": "UPSERT", "seq": null, "pos": null});
            let is_null_key = fault == "NULL_KEY";
            if is_null_key {
                (event["id"], event["seq"]) = (Json::Null, history.some_sequence());
            }
            if is_bitemporal {
                // Either of the two sequences is null.
                event["known"] = if is_null_key { json!(3) } else { Json::Null };
                event["seq"] = history.some_sequence();
            }
            refused.insert(place.index(refused.len() + 1), event);
        }
        let when = when.index(fixture.checkpoints.len() + 1);
        fixture.checkpoints.insert(when, json!({ "append": refused }));

        let mut got = states(&Reference, &fixture);
        let (class, table) = got.remove(when);
        prop_assert_eq!(class, faults.last().copied());
        let before = when.checked_sub(1).map_or_else(Table::default, |before| expected[before].1.clone());
        prop_assert_eq!(table, before);
        prop_assert_eq!(got, expected);
        prop_assert_eq!(difference(&Reference, &fixture), None);
        Ok(())
    });
}

/// The comparison is worth something: each decision of the model, taken wrongly, makes a difference.
#[test]
fn the_oracle_notices_broken_models() {
    let unnoticed: Vec<&str> =
        Broken::ALL.iter().filter(|mutant| !is_noticed(mutant)).map(|mutant| mutant.name).collect();
    assert!(unnoticed.is_empty(), "nobody notices {unnoticed:?}");
    let is_broken = |hook: &str| Broken::ALL.iter().any(|mutant| mutant.breaks.name() == hook);
    let unbroken: Vec<&str> =
        Hook::ALL.iter().map(|&(hook, _)| hook).filter(|hook| !is_broken(hook)).collect();
    assert!(unbroken.is_empty(), "no broken model for {unbroken:?}");
}

fn is_noticed(mutant: &Mutant) -> bool {
    let mut runner = TestRunner::new(config(1));
    let timed = (any::<bool>(), any::<bool>()).prop_map(|(is_newest, truncates)| {
        if is_newest { (ONE, With { truncates, ..With::TIME }) } else { (TWO, With::TIME) }
    });
    let kinds = [
        any_type(any_sequence()).prop_map(|it| it.fixture()).boxed(),
        timeless(any_sequence()).prop_map(|it| it.fixture()).boxed(),
        histories_with(timed, any_sequence()).prop_map(|it| it.fixture()).boxed(),
        histories_with(of_flows(), any_sequence()).prop_map(|it| it.fixture()).boxed(),
        snapshots(1..=2_u8).prop_map(|it| it.fixture()).boxed(),
        shared().prop_map(|it| it.fixture()).boxed(),
    ];
    let mut fixture = |number: usize| {
        let kind = &kinds[number % kinds.len()];
        kind.new_tree(&mut runner).expect("a history").current()
    };
    (0..HISTORIES_A_FAULT * kinds.len()).any(|number| difference(mutant, &fixture(number)).is_some())
}

fn of_flows() -> impl Strategy<Value = (ScdType, With)> {
    let types = select(&[ONE, TWO, BITEMPORAL][..]);
    (types, any::<bool>(), any::<bool>(), any::<bool>()).prop_map(|(scd_type, truncates, lists, time)| {
        let truncates = truncates && scd_type == ONE;
        let lists = lists && scd_type != BITEMPORAL;
        (scd_type, With { truncates, lists, time, flows: true })
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

    /// Begins a row in each batch.
    #[mutant(meets = |_, _, around| around.stored.is_none())]
    RowABatch,

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

    /// Runs again what runs once.
    #[mutant(runs_again = |_| true)]
    OnceAgain,

    /// Runs once what runs again.
    #[mutant(runs_again = |_| false)]
    OnlyOnce,

    /// Takes the same snapshot again.
    #[mutant(accepts_snapshot = |_, last, version| last.is_none_or(|last| last <= version))]
    SameSnapshot,

    /// Takes snapshots in any order.
    #[mutant(accepts_snapshot = |_, _, _| true)]
    AnySnapshot,

    /// Compares snapshots by the tracked columns.
    #[mutant(differs = |plan, before, now| {
        (0..plan.output().len()).any(|column| plan.tracks(column) && before.values[column] != now.values[column])
    })]
    UntrackedLost,

    /// Takes every row of a snapshot for a change.
    #[mutant(differs = |_, _, _| true)]
    EveryRow,

    /// Keeps what a snapshot lacks.
    #[mutant(deletes_missing = |_, _| false)]
    MissingKept,

    /// Takes an event for known when it arrives.
    #[mutant(system_order_of = |plan, event| plan.system_sequence().map(|_| Order::arrival(event)))]
    KnownOnArrival,

    /// Truncates no key.
    #[mutant(truncates = |_, _, _| false)]
    NoTruncate,

    /// Truncates the keys that are known.
    #[mutant(truncates = |_, _, newest| newest.is_some())]
    KnownTruncated,

    /// Forgets a truncate for keys that have something newer.
    #[mutant(truncates = |_, truncate, newest| newest.is_none_or(|newest| newest.order <= truncate.order))]
    LateTruncateLost,

    /// Forgets nothing.
    #[mutant(expires = |_, _, _| false)]
    Immortal,

    /// Forgets a second too early.
    #[mutant(expires = |plan, _, seconds| {
        plan.flow().tombstone_gc_threshold_seconds.is_some_and(|threshold| threshold <= seconds)
    })]
    ForgetsEarly,

    /// Writes all columns.
    #[mutant(gives = |_, _, _| true)]
    WholeRows,

    /// Finds columns by their exact names.
    #[mutant(gives = |plan, event, column| {
        let name = Value::from(&*plan.target()[column].name);
        let list = plan.columns_to_update().map(|list| &event.values[list]);
        plan.target_keys().contains(&column) || match list {
            Some(Value::Array(names)) => names.contains(&name),
            _ => true,
        }
    })]
    CaseMatters,

    /// Believes everything at once.
    #[mutant(believes = |_, _, _| true)]
    Hindsight,

    /// Learns too late.
    #[mutant(believes = |_, version, at| version.system.as_deref().is_none_or(|system| system < at))]
    SlowLearner,

    /// Believes for ever.
    #[mutant(system_ends_at = |_, _, _| None)]
    NeverDoubts,

    /// Stops to believe too early.
    #[mutant(system_ends_at = |_, last, _| Some(last))]
    DoubtsEarly,
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
    let rng_seed = RngSeed::Fixed(seed());
    // Not optimized, the default takes an eighth of the time.
    Config {
        cases,
        failure_persistence: None,
        rng_seed,
        rng_algorithm: RngAlgorithm::XorShift,
        ..Config::default()
    }
}

fn seed() -> u64 {
    std::env::var("KILLMATRIX_SEED")
        .map_or(SEED, |seed| seed.parse().expect("KILLMATRIX_SEED is a whole number"))
}

fn agrees(fixture: &Fixture) -> TestCaseResult {
    match difference(&Reference, fixture) {
        None => Ok(()),
        Some(difference) => Err(TestCaseError::fail(difference)),
    }
}

/// The first batch after which a model is not the oracle.
fn difference<M: AutoCdc + ?Sized>(model: &M, fixture: &Fixture) -> Option<String> {
    let mut oracle = Oracle::new(&fixture.definition, &fixture.schema);
    let states = states(model, fixture);
    for ((number, checkpoint), (refused, table)) in (1..).zip(&fixture.checkpoints).zip(states) {
        let expected_refusal = oracle.apply(checkpoint).err();
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
fn states<M: AutoCdc + ?Sized>(model: &M, fixture: &Fixture) -> Vec<(Option<&'static str>, Table)> {
    let plans = fixture.plans();
    let feed = fixture.feed(&plans);
    let mut run = Run::of_flows(model, &plans).expect("a sound definition");
    let state = |number| {
        let refused = run.apply(feed.batch(number)).err().map(|refusal| refusal.class);
        (refused, run.table())
    };
    (0..feed.batches()).map(state).collect()
}

fn last_table(fixture: &Fixture) -> Table {
    states(&Reference, fixture).pop().map(|(_, table)| table).unwrap_or_default()
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

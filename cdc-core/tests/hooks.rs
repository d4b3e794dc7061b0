//! Each decision counts: taken wrongly, it shows in some table.

use std::collections::BTreeSet;

use cdc_core::{
    AutoCdc, Change, DataType, Delivery, Feed, Flow, Hook, Key, Operation, Order, Plan, Reference, Row, Run,
    ScdType, Table, Value,
};

/// A key, a city, an email, an operation, a place in the sequence.
type Change4 = (i64, Option<&'static str>, Option<&'static str>, &'static str, i64);

const SCHEMA: &str =
    "id BIGINT, city STRING, email STRING, op STRING, lsn BIGINT, known BIGINT, cols ARRAY<STRING>";

fn list(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

fn flow(stored_as_scd_type: ScdType) -> Flow {
    Flow {
        keys: vec!["id".into()],
        sequence_by: "lsn".into(),
        apply_as_deletes: Some("op = 'D'".into()),
        except_column_list: Some(list(&["op", "lsn", "known", "cols"])),
        track_history_column_list: (stored_as_scd_type != ScdType::One).then(|| list(&["city"])),
        stored_as_scd_type,
        ..Flow::default()
    }
}

fn compiled(flow: Flow) -> Plan {
    Plan::new(flow, SCHEMA.parse().unwrap()).unwrap()
}

fn plan(stored_as_scd_type: ScdType, ignore_null_updates: bool) -> Plan {
    compiled(Flow { ignore_null_updates, ..flow(stored_as_scd_type) })
}

/// Each event becomes known after the one before it, and lists no columns to update.
fn rows(first_known: i64, changes: &[Change4]) -> Vec<Row> {
    let text = |text: Option<&str>| text.map_or(Value::Null, Value::from);
    let row = |(known, &(id, city, email, op, lsn)): (i64, &Change4)| -> Row {
        [
            Value::Int(id),
            text(city),
            text(email),
            Value::from(op),
            Value::Int(lsn),
            Value::Int(known),
            Value::Null,
        ]
        .into()
    };
    (first_known..).zip(changes).map(row).collect()
}

fn feed(batches: &[&[Change4]]) -> Feed {
    let mut feed = Feed::default();
    for (first_known, batch) in (0..).step_by(100).zip(batches) {
        feed.append(rows(first_known, batch));
    }
    feed
}

/// What is seen after each batch: why it was refused, if it was, and the table.
fn states(model: &dyn AutoCdc, plan: &Plan, feed: &Feed) -> Vec<(Option<&'static str>, Table)> {
    let mut run = Run::new(model, plan).unwrap();
    let state = |batch| (run.apply(feed.batch(batch)).err().map(|refusal| refusal.class), run.table());
    (0..feed.batches()).map(state).collect()
}

fn table(model: &dyn AutoCdc, plan: &Plan, feed: &Feed) -> Table {
    states(model, plan, feed).pop().unwrap().1
}

/// A late update, a late delete, a tie in a batch and between batches, a null, and a run.
fn lifecycle() -> Feed {
    feed(&[
        &[(1, Some("Paris"), Some("a"), "U", 10), (2, Some("Lyon"), Some("b"), "U", 5)],
        &[(1, Some("Nantes"), None, "U", 30), (3, None, None, "D", 9), (2, Some("Lyon"), Some("c"), "U", 6)],
        &[(1, Some("Lille"), Some("d"), "U", 20), (3, Some("Metz"), Some("e"), "U", 8)],
        &[(1, None, None, "D", 15), (2, Some("Brest"), Some("f"), "U", 6), (2, Some("Lyon"), None, "U", 7)],
        &[(1, Some("Nice"), Some("g"), "U", 12), (2, None, None, "D", 40), (2, None, Some("h"), "U", 50)],
    ])
}

/// A truncate between two events, and an older one of a key that was not yet seen.
fn truncated() -> Feed {
    feed(&[
        &[(1, Some("Paris"), None, "U", 10), (2, Some("Lyon"), None, "U", 30)],
        &[(0, None, None, "T", 20)],
        &[(3, Some("Metz"), None, "U", 15)],
    ])
}

/// A row that is older than its delete, and comes when the delete is forgotten.
fn expired() -> Feed {
    let mut feed = feed(&[&[(1, Some("Paris"), None, "U", 10), (1, None, None, "D", 20)]]);
    let delivery = Delivery { seconds: Flow::TOMBSTONE_SECONDS + 1, ..Delivery::default() };
    feed.deliver(delivery, rows(100, &[(1, Some("Lyon"), None, "U", 15)]));
    feed
}

/// An event that updates the city only.
fn partial() -> Feed {
    let mut feed = feed(&[&[(1, Some("Paris"), Some("a"), "U", 10)]]);
    let mut update = rows(100, &[(1, Some("Lyon"), Some("b"), "U", 20)])[0].to_vec();
    update[6] = Value::Array([Value::from("CITY")].into());
    feed.append([update]);
    feed
}

/// A row that changes, one that goes, and a version for the second time.
fn snapshots() -> Feed {
    let mut feed = Feed::default();
    let snapshots: [(i64, &[Change4]); 3] = [
        (1, &[(1, Some("Paris"), None, "", 0), (2, Some("Lyon"), None, "", 0)]),
        (2, &[(1, Some("Nantes"), None, "", 0)]),
        (2, &[(1, Some("Lille"), None, "", 0)]),
    ];
    for (version, changes) in snapshots {
        let delivery = Delivery { version: Some(Value::Int(version)), ..Delivery::default() };
        feed.deliver(delivery, rows(0, changes));
    }
    feed
}

/// Flows with feeds that show what they decide.
fn cases() -> Vec<(Plan, Feed)> {
    let events = || [ScdType::One, ScdType::Two].map(flow);
    let from_snapshot = Flow {
        keys: vec!["id".into()],
        from_snapshot: Some(DataType::BigInt),
        stored_as_scd_type: ScdType::Two,
        ..Flow::default()
    };
    let mut cases = Vec::new();
    for flow in events() {
        for ignore_null_updates in [false, true] {
            cases.push((Flow { ignore_null_updates, ..flow.clone() }, lifecycle()));
        }
        cases.push((Flow { once: true, ..flow.clone() }, lifecycle()));
        cases.push((Flow { columns_to_update: Some("cols".into()), ..flow.clone() }, partial()));
        cases.push((flow, expired()));
    }
    let [newest, _] = events();
    cases.push((Flow { apply_as_truncates: Some("op = 'T'".into()), ..newest }, truncated()));
    let bitemporal = flow(ScdType::Bitemporal);
    cases.push((Flow { system_sequence_by: Some("known".into()), ..bitemporal }, lifecycle()));
    cases.push((from_snapshot, snapshots()));
    cases.into_iter().map(|(flow, feed)| (compiled(flow), feed)).collect()
}

/// Every hook with a wrong answer that one of these feeds shows.
fn wrong_answers() -> Vec<Hook> {
    vec![
        Hook::definition(|flow| Some(Flow { apply_as_deletes: None, ..flow.clone() })),
        Hook::rewrite(|_, _, batch| Some(batch.iter().take(1).cloned().collect())),
        Hook::operation_of(|_, _| Ok(Operation::Upsert)),
        Hook::key_of(|_, _| Some(Key::new([]))),
        Hook::order_of(|_, event| Some(Order::arrival(event))),
        Hook::row_of(|plan, event| {
            plan.output().iter().rev().map(|&column| event.values[column].clone()).collect()
        }),
        Hook::admits(|_, version, around| around.high_water.is_none_or(|high| *high < version.order)),
        Hook::meets(|_, _, around| around.stored.is_none()),
        Hook::supersedes(|_, new, _| new.is_delete()),
        Hook::breaks_tie(|_, _, stored| stored.event.values[3] == Value::from("U")),
        Hook::keeps_tombstone(|_, _, _| false),
        Hook::remembers(|_, before, hidden, _| {
            before.is_none_or(|before| before.event.values[1] != hidden.event.values[1])
        }),
        Hook::ignores_null(|plan, column| !plan.ignores_null(column)),
        Hook::fills(|_, _, _, _| true),
        Hook::tracks(|plan, column| !plan.tracks(column)),
        Hook::change(|_, _, _, _, _| Change::Extends),
        Hook::ends_at(|_, _, _| None),
        Hook::bound_of(|_, version| Value::Int(version.arrival().batch.into())),
        Hook::shows(|_, first, _, _| first.row.clone()),
        Hook::leaves_behind(|_, delete| Some(delete.row.clone())),
        Hook::runs_again(|_| true),
        Hook::accepts_snapshot(|_, _, _| true),
        Hook::differs(|_, _, _| false),
        Hook::deletes_missing(|_, _| false),
        Hook::system_order_of(|plan, event| Some(Order::new([plan.sequence_value(event)]))),
        Hook::truncates(|_, _, newest| newest.is_some()),
        Hook::expires(|_, _, _| false),
        Hook::gives(|_, _, _| true),
        Hook::believes(|_, _, _| true),
        Hook::system_ends_at(|_, _, _| None),
    ]
}

#[test]
fn every_decision_shows_in_a_table_when_it_is_wrong() {
    let cases = cases();
    for hook in wrong_answers() {
        let mutant = cdc_core::Mutant::new("wrong", "Decides wrongly", hook);
        let differs =
            |(plan, feed): &(Plan, Feed)| states(&mutant, plan, feed) != states(&Reference, plan, feed);
        assert!(cases.iter().any(differs), "a wrong `{}` isn't seen", hook.name());
    }
}

#[test]
fn every_hook_has_a_wrong_answer_here() {
    let broken: BTreeSet<&str> = wrong_answers().iter().map(Hook::name).collect();
    let all: BTreeSet<&str> = Hook::ALL.iter().map(|(name, _)| *name).collect();
    assert_eq!(broken, all);
}

#[test]
fn a_refused_batch_changes_nothing() {
    let plan = plan(ScdType::One, false);
    let mut feed = feed(&[&[(1, Some("Paris"), None, "U", 10)]]);
    let event = |id: Value, lsn: Value| -> Row {
        [id, Value::from("Rome"), Value::Null, Value::from("U"), lsn, Value::Null, Value::Null].into()
    };
    feed.append([event(Value::Int(1), Value::Int(20)), event(Value::Null, Value::Int(30))]);
    feed.append([event(Value::Null, Value::Int(20)), event(Value::Int(1), Value::Null)]);
    let mut run = Run::new(&Reference, &plan).unwrap();
    run.apply(feed.batch(0)).unwrap();
    let before = run.table();

    let refusal = run.apply(feed.batch(1)).unwrap_err();
    assert_eq!((refusal.class, &refusal.events[..]), ("NULL_KEY", &[1][..]));
    assert_eq!(run.table(), before);

    // Spark looks for a null sequence first.
    let refusal = run.apply(feed.batch(2)).unwrap_err();
    assert_eq!(refusal.to_string(), "event 2: the sequence `lsn` is null [NULL_SEQUENCE]");
    assert_eq!(run.table(), before);
}

#[test]
fn a_refusal_names_the_keys_that_are_null() {
    let flow = Flow { keys: list(&["id", "city", "email"]), ..flow(ScdType::One) };
    let plan = Plan::new(flow, SCHEMA.parse().unwrap()).unwrap();
    let event = |id: Value, city: Value| -> Row {
        let (op, lsn) = (Value::from("U"), Value::Int(10));
        [id, city, Value::from("a"), op, lsn, Value::Null, Value::Null].into()
    };
    let mut feed = Feed::default();
    feed.append([event(Value::Int(1), Value::Null), event(Value::Int(1), Value::from("Rome"))]);
    feed.append([event(Value::Null, Value::from("Rome")), event(Value::Int(1), Value::Null)]);
    let refused =
        |number| Run::new(&Reference, &plan).unwrap().apply(feed.batch(number)).unwrap_err().message;
    assert_eq!(refused(0), "a key is null: `city`");
    assert_eq!(refused(1), "a key is null: `id`, `city`");
}

#[test]
fn a_wrong_answer_counts_the_same_whether_nulls_are_ignored_or_not() {
    let feed = feed(&[&[(1, Some("Paris"), Some("a"), "U", 10), (1, Some("Lyon"), Some("b"), "U", 20)]]);
    let first_stays =
        cdc_core::Mutant::new("first_stays", "Keeps the first event", Hook::supersedes(|_, _, _| false));
    for ignore in [false, true] {
        let rows = table(&first_stays, &plan(ScdType::One, ignore), &feed);
        assert_eq!(rows.rows(), [[Value::Int(1), Value::from("Paris"), Value::from("a")]], "{ignore}");
    }
}

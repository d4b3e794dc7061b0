//! Each decision counts: taken wrongly, it shows in some table.

use std::collections::BTreeSet;

use cdc_core::{
    AutoCdc, Change, Feed, Flow, Hook, Key, Operation, Order, Plan, Reference, Row, Run, ScdType, Table,
    Value,
};

/// A key, a city, an email, an operation, a place in the sequence.
type Change4 = (i64, Option<&'static str>, Option<&'static str>, &'static str, i64);

fn plan(stored_as_scd_type: ScdType, ignore_null_updates: bool) -> Plan {
    let list = |names: &[&str]| Some(names.iter().map(|&name| name.to_owned()).collect());
    let flow = Flow {
        keys: vec!["id".into()],
        sequence_by: "lsn".into(),
        apply_as_deletes: Some("op = 'D'".into()),
        except_column_list: list(&["op", "lsn"]),
        track_history_column_list: if stored_as_scd_type == ScdType::Two { list(&["city"]) } else { None },
        stored_as_scd_type,
        ignore_null_updates,
        ..Flow::default()
    };
    Plan::new(flow, "id BIGINT, city STRING, email STRING, op STRING, lsn BIGINT".parse().unwrap()).unwrap()
}

fn feed(batches: &[&[Change4]]) -> Feed {
    let text = |text: Option<&str>| text.map_or(Value::Null, Value::from);
    let mut feed = Feed::default();
    for batch in batches {
        feed.append(batch.iter().map(|&(id, city, email, op, lsn)| {
            [Value::Int(id), text(city), text(email), Value::from(op), Value::Int(lsn)]
        }));
    }
    feed
}

fn table(model: &dyn AutoCdc, plan: &Plan, feed: &Feed) -> Table {
    let mut run = Run::new(model, plan).unwrap();
    for batch in 0..feed.batches() {
        run.apply(feed.batch(batch)).unwrap();
    }
    run.table()
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

/// Every hook with a wrong answer that this feed shows.
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
    ]
}

#[test]
fn every_decision_shows_in_a_table_when_it_is_wrong() {
    let feed = lifecycle();
    let modes: Vec<Plan> = [ScdType::One, ScdType::Two]
        .into_iter()
        .flat_map(|scd| [false, true].map(|ignore| plan(scd, ignore)))
        .collect();
    for hook in wrong_answers() {
        let mutant = cdc_core::Mutant::new("wrong", "Decides wrongly", hook);
        let differs = modes.iter().any(|plan| table(&mutant, plan, &feed) != table(&Reference, plan, &feed));
        assert!(differs, "a wrong `{}` isn't seen", hook.name());
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
        [id, Value::from("Rome"), Value::Null, Value::from("U"), lsn].into()
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
fn a_wrong_answer_counts_the_same_whether_nulls_are_ignored_or_not() {
    let feed = feed(&[&[(1, Some("Paris"), Some("a"), "U", 10), (1, Some("Lyon"), Some("b"), "U", 20)]]);
    let first_stays =
        cdc_core::Mutant::new("first_stays", "Keeps the first event", Hook::supersedes(|_, _, _| false));
    for ignore in [false, true] {
        let rows = table(&first_stays, &plan(ScdType::One, ignore), &feed);
        assert_eq!(rows.rows(), [[Value::Int(1), Value::from("Paris"), Value::from("a")]], "{ignore}");
    }
}

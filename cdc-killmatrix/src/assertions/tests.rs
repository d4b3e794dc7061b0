//! Copies that only one check sees, each on a fixture typed for it.

use std::fs;

use cdc_core::{Hook, Key, Mutant, Row, Value};
use serde_json::{Value as Json, json};

use super::*;

/// Two customers in a table of type 1; each batch is a list of `[id, city, sequence]`.
fn fixtures(batches: &[(Json, Json)]) -> Fixtures {
    let rows = |rows: &Json, names: &[&str]| -> Vec<Json> {
        let object = |row: &Json| {
            names.iter().enumerate().map(|(at, name)| ((*name).to_owned(), row[at].clone())).collect()
        };
        rows.as_array().unwrap().iter().map(|row| Json::Object(object(row))).collect()
    };
    let checkpoint = |(append, expect): &(Json, Json)| json!({ "append": rows(append, &["id", "city", "seq"]), "expect": rows(expect, &["id", "city"]) });
    let fixture = json!({
        "name": "one",
        "schema": { "id": "BIGINT", "city": "STRING", "seq": "BIGINT" },
        "flow": { "keys": ["id"], "sequence_by": "seq", "except_column_list": ["seq"] },
        "checkpoints": batches.iter().map(checkpoint).collect::<Vec<Json>>(),
    });
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("one.json"), fixture.to_string()).unwrap();
    Fixtures::load([folder.path()]).unwrap_or_else(|errors| panic!("{errors}"))
}

fn two_customers() -> Fixtures {
    fixtures(&[(json!([[1, "Lyon", 1], [2, "Lyon", 1]]), json!([[1, "Lyon"], [2, "Lyon"]]))])
}

fn seen(fixtures: &Fixtures, mutant: Mutant) -> Seen {
    Assertions::of(fixtures, &[mutant]).mutants.remove(0)
}

fn checks(seen: &Seen, setting: Setting) -> Vec<Check> {
    seen.by(setting).unwrap().iter().copied().collect()
}

#[test]
fn a_row_less_is_seen_by_the_row_count_and_all_that_is_stronger() {
    let one_key = Mutant::new("one_key", "One key", Hook::key_of(|_, _| Some(Key::new([]))));
    let seen = seen(&two_customers(), one_key);
    let stronger = [Check::RowCount, Check::Keys, Check::DistinctRows, Check::Rows];
    assert_eq!(checks(&seen, Setting::EveryCheckpoint), stronger);
    assert_eq!(seen.weakest(Setting::FullRefresh), Some(Check::RowCount));
}

#[test]
fn another_key_in_as_many_rows_is_seen_by_the_keys() {
    let shifted = Hook::row_of(|_, event| Row::from([Value::Int(7), event.values[1].clone()]));
    let fixtures = fixtures(&[(json!([[1, "Lyon", 1]]), json!([[1, "Lyon"]]))]);
    let seen = seen(&fixtures, Mutant::new("shifted", "Shifts keys", shifted));
    assert_eq!(checks(&seen, Setting::LastCheckpoint), [Check::Keys, Check::DistinctRows, Check::Rows]);
}

#[test]
fn another_value_is_seen_by_the_rows_only() {
    let nowhere = Hook::row_of(|_, event| Row::from([event.values[0].clone(), Value::Null]));
    let seen = seen(&two_customers(), Mutant::new("nowhere", "Loses cities", nowhere));
    assert_eq!(checks(&seen, Setting::EveryCheckpoint), [Check::DistinctRows, Check::Rows]);
}

#[test]
fn a_row_that_is_there_twice_is_seen_by_the_row_count_and_by_all_rows() {
    // Each event is a key of its own, so that the second delivery adds an equal row.
    let by_sequence = Hook::key_of(|_, event| Some(Key::new(event.values[2..].to_vec())));
    let fixtures = fixtures(&[(json!([[1, "Lyon", 1], [1, "Lyon", 2]]), json!([[1, "Lyon"]]))]);
    let seen = seen(&fixtures, Mutant::new("by_sequence", "Adds a row an event", by_sequence));
    assert_eq!(checks(&seen, Setting::EveryCheckpoint), [Check::RowCount, Check::Rows]);
}

#[test]
fn other_columns_are_seen_by_the_schema() {
    let definition = Hook::definition(|flow| {
        let mut flow = flow.clone();
        flow.except_column_list = None;
        Some(flow)
    });
    let seen = seen(&two_customers(), Mutant::new("all_columns", "Shows all columns", definition));
    assert_eq!(seen.weakest(Setting::EveryCheckpoint), Some(Check::Schema));
}

#[test]
fn a_breakdown_is_seen_by_every_check() {
    let refuses = Mutant::new("refuses", "Refuses every batch", Hook::order_of(|_, _| None));
    let seen = seen(&two_customers(), refuses);
    for setting in Setting::ALL {
        assert_eq!(checks(&seen, setting), Check::ALL);
    }
}

#[test]
fn what_heals_is_seen_after_every_checkpoint_but_not_after_the_last() {
    let batches =
        [(json!([[1, "Lyon", 1]]), json!([[1, "Lyon"]])), (json!([[1, "Nice", 2]]), json!([[1, "Nice"]]))];
    let at_first = Hook::row_of(|_, event| {
        let is_first = event.values[2] == Value::Int(1);
        let city = if is_first { Value::Null } else { event.values[1].clone() };
        Row::from([event.values[0].clone(), city])
    });
    let seen = seen(&fixtures(&batches), Mutant::new("at_first", "Loses the first city", at_first));
    assert_eq!(seen.weakest(Setting::EveryCheckpoint), Some(Check::DistinctRows));
    assert_eq!(seen.weakest(Setting::LastCheckpoint), None);
    assert_eq!(seen.weakest(Setting::FullRefresh), None);
}

#[test]
fn totals_count_the_mutants_that_a_check_sees() {
    let mutants = [
        Mutant::new("one_key", "One key", Hook::key_of(|_, _| Some(Key::new([])))),
        Mutant::new("harmless", "Does what it should", Hook::admits(|_, _, _| true)),
        Mutant::new("idle", "Needs what isn't there", Hook::admits(|_, _, _| true))
            .needing(|_| Err("nothing")),
    ];
    let assertions = Assertions::of(&two_customers(), &mutants);
    assert_eq!((assertions.fixtures, assertions.refreshed), (1, 1));
    assert_eq!(assertions.count(Check::RowCount, Setting::EveryCheckpoint), (1, 2));
    assert_eq!(assertions.count(Check::Green, Setting::FullRefresh), (0, 2));
}

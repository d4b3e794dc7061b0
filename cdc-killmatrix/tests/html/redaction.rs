//! With `Values::Redacted` no value of a fixture is in the page.

use std::collections::BTreeSet;
use std::fs;

use cdc_core::{Hook, Mutant, Value};
use cdc_killmatrix::report::{self, Values};
use cdc_killmatrix::{Fixture, Fixtures, Matrix, catalogue};
use serde_json::json;
use tempfile::TempDir;

use crate::{cut, data, page, shipped};

/// The texts in a value that can be looked for: not a word that the page has anyway.
fn texts(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::String(text) if 3 < text.len() => {
            found.insert(text.to_string());
        }
        Value::Struct(values) | Value::Array(values) => values.iter().for_each(|value| texts(value, found)),
        Value::Map(pairs) => pairs.iter().for_each(|(key, value)| {
            texts(key, found);
            texts(value, found);
        }),
        Value::Decimal(_) | Value::Double(_) => {
            found.insert(value.to_string());
        }
        _ => {}
    }
}

/// What the events of a fixture say, but for what gives their order.
fn payload(fixture: &Fixture) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for number in 0..fixture.feed.batches() {
        let batch = fixture.feed.batch(number);
        let plan = &fixture.plans[batch.delivery.flow];
        for event in batch.events {
            for (column, value) in event.values.iter().enumerate() {
                let gives_order = plan.sequence().contains(&column) || plan.system_sequence() == Some(column);
                if plan.reads_snapshots() || !gives_order {
                    texts(value, &mut found);
                }
            }
        }
    }
    found
}

/// Whether a text is there on its own: `0.0` isn't in a time with `00.000001` seconds.
fn has_word(block: &str, text: &str) -> bool {
    block.match_indices(text).any(|(at, _)| {
        let (before, after) = (block[..at].chars().next_back(), block[at + text.len()..].chars().next());
        ![before, after].into_iter().flatten().any(char::is_alphanumeric)
    })
}

#[test]
fn no_value_of_any_fixture_remains() {
    let (fixtures, matrix) = shipped("");
    let redacted = report::html(&fixtures, &matrix, Values::Redacted);
    let plain = report::html(&fixtures, &matrix, Values::Shown);
    let before = cut(&redacted).0;
    // The rest of the data is about the mutants.
    let block = data(&redacted);
    let block = format!("{}{}", block["suites"], block["questions"]);
    // Names of columns stay, and an event may list them: that is no value of a row.
    let mut names = BTreeSet::new();
    let mut looked_for = 0;
    for (suite, fixture) in fixtures.pairs() {
        names.extend(fixture.plans.iter().flat_map(|plan| plan.schema().iter().map(|it| it.name.clone())));
        if suite.audited {
            for text in payload(fixture).difference(&names) {
                assert!(plain.contains(text.as_str()), "{text} isn't in the plain page");
                assert!(!has_word(&block, text) && !has_word(before, text), "{text}");
                looked_for += 1;
            }
        }
    }
    assert!(30 < looked_for, "only {looked_for} values are looked for");
}

#[test]
fn one_value_has_one_placeholder_in_events_and_rows_and_nulls_and_the_order_stay() {
    let data = data(&page("customers_current", Values::Redacted));
    let fixtures = data["suites"][0]["fixtures"].as_array().unwrap();
    let fixture = fixtures.iter().find(|it| it["name"] == "explicit_null").unwrap();
    let rows = |places: &serde_json::Value| -> Vec<serde_json::Value> {
        let row = |place: &serde_json::Value| {
            fixture["rows"][usize::try_from(place.as_u64().unwrap()).unwrap()].clone()
        };
        places.as_array().unwrap().iter().map(row).collect()
    };
    let [first, second] = [&fixture["checkpoints"][0], &fixture["checkpoints"][1]];
    let (event, row) = (&rows(&first["events"])[0], &rows(&first["right"]["rows"])[0]);
    assert_eq!([&event[0], &event[1], &event[2]], [&row[0], &row[1], &row[2]]);
    assert!(event[1].as_str().unwrap().starts_with("city-"), "{event}");
    assert_eq!([&event[4], &event[5]], ["10", "0"]);
    assert_eq!(rows(&second["events"])[0][1], serde_json::Value::Null);
    assert_eq!(second.get("note"), None);
}

fn shouted(value: &Value) -> Value {
    match value {
        Value::String(text) => Value::from(text.to_uppercase().as_str()),
        value => value.clone(),
    }
}

#[test]
fn a_title_and_what_a_mutant_makes_of_values_are_redacted_too() {
    let folder = TempDir::new().unwrap();
    let fixture = json!({
        "name": "move", "title": "Margaret moves to Lyon", "about": "Margaret, from Paris",
        "schema": { "name": "STRING", "city": "STRING", "seq": "BIGINT" },
        "flow": { "keys": ["name"], "sequence_by": "seq", "except_column_list": ["seq"], "stored_as_scd_type": 2 },
        "checkpoints": [{
            "note": "Margaret",
            "append": [{ "name": "Margaret", "city": "Paris", "seq": 4711 }, { "name": "Margaret", "city": "Lyon", "seq": 4712 }],
            "expect": [
                { "name": "Margaret", "city": "Paris", "__START_AT": 4711, "__END_AT": 4712 },
                { "name": "Margaret", "city": "Lyon", "__START_AT": 4712, "__END_AT": null },
            ],
        }],
    });
    fs::write(folder.path().join("move.json"), fixture.to_string()).unwrap();
    let mut mutants = catalogue::all();
    mutants.extend([
        Mutant::new("shouts", "Shouts", Hook::shows(|_, _, last, _| last.row.iter().map(shouted).collect())),
        Mutant::new(
            "starts_in_a_city",
            "Puts the city into the bound",
            Hook::bound_of(|_, version| version.event.values[1].clone()),
        ),
        Mutant::new("tells", "Panics with a value", Hook::key_of(|_, event| panic!("{}", event.values[0]))),
    ]);
    let fixtures = Fixtures::load([folder.path()]).unwrap_or_else(|errors| panic!("{errors}"));
    let matrix = Matrix::of(&fixtures, &mutants);
    let page = report::html(&fixtures, &matrix, Values::Redacted);
    let lower = page.to_lowercase();
    for text in ["margaret", "lyon", "paris"] {
        assert!(!lower.contains(text), "{text}: {page}");
    }
    assert!(page.contains("name-1 moves to city-2") && page.contains("4711"), "{page}");
}

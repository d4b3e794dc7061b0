//! Verdicts on configurations, and the command that prints them.

mod command;
mod order;
mod wishes;

use std::fs;

use cdc_killmatrix::Fixtures;
use cdc_killmatrix::readiness::{Configuration, Readiness};
use serde_json::{Value, json};
use tempfile::TempDir;

/// A configuration of type 1 with these events: id, city, sequence, position.
fn fixture(name: &str, events: &[(i64, Option<&str>, i64, i64)], expect: &Value) -> Value {
    let event = |&(id, city, seq, pos): &(i64, Option<&str>, i64, i64)| json!([id, city, seq, pos]);
    let events: Vec<Value> = events.iter().map(event).collect();
    json!({
        "name": name, "title": format!("Title of {name}"),
        "schema": { "id": "BIGINT", "city": "STRING", "seq": "BIGINT", "pos": "INT" },
        "flow": { "keys": ["id"], "sequence_by": "seq", "except_column_list": ["seq", "pos"] },
        "checkpoints": [{
            "append": { "columns": ["id", "city", "seq", "pos"], "rows": events },
            "expect": expect,
        }],
    })
}

/// The same with something else in place of a member, or of a member of its flow.
fn with(mut fixture: Value, member: &str, value: Value) -> Value {
    let place = if fixture.get(member).is_none() && member != "business" {
        &mut fixture["flow"]
    } else {
        &mut fixture
    };
    place[member] = value;
    fixture
}

fn folder(fixtures: &[Value]) -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::create_dir(folder.path().join("fixtures")).unwrap();
    for fixture in fixtures {
        let file = format!("fixtures/{}.json", fixture["name"].as_str().unwrap());
        fs::write(folder.path().join(file), fixture.to_string()).unwrap();
    }
    folder
}

fn judged(fixtures: &[Value]) -> Vec<Configuration> {
    let folder = folder(fixtures);
    let fixtures = Fixtures::load([folder.path()]).unwrap_or_else(|faults| panic!("{faults}"));
    Readiness::of(&fixtures).unwrap().remove(0).configurations
}

fn city(city: &str) -> Value {
    json!([{ "id": 1, "city": city }])
}

fn fix(configuration: &Configuration) -> &str {
    configuration.fix.as_deref().unwrap_or_default()
}

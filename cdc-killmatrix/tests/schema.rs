//! The JSON Schema of fixtures, held against the loader and the files that ship.

use std::fs;
use std::path::{Path, PathBuf};

use cdc_killmatrix::Fixtures;
use cdc_killmatrix::json_schema::{Described, json_schema};
use jsonschema::Validator;
use serde_json::{Value, json};

mod binary;

use binary::{code, killmatrix, parsed, root, stderr, stdout};

fn validator(described: Described) -> Validator {
    jsonschema::draft202012::new(&json_schema(described)).unwrap_or_else(|fault| panic!("{fault}"))
}

#[test]
fn both_are_schemas() {
    for described in [Described::Fixture, Described::Suite] {
        assert!(jsonschema::draft202012::meta::is_valid(&json_schema(described)), "{described:?}");
    }
}

#[test]
fn the_command_prints_them() {
    for (arguments, described) in [
        (&["schema"][..], Described::Fixture),
        (&["schema", "fixture"], Described::Fixture),
        (&["schema", "suite"], Described::Suite),
    ] {
        let output = killmatrix(&root(), arguments);
        assert_eq!((code(&output), stderr(&output).as_str()), (0, ""));
        assert_eq!(parsed(&output), json_schema(described));
        assert!(stdout(&output).ends_with("}\n"));
    }
}

fn json_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            json_files(&path, files);
        } else if path.extension().is_some_and(|end| end == "json") {
            files.push(path);
        }
    }
}

// Checked once by hand: ajv 8.20.0 takes these files as well, and the language service of Visual Studio Code
// (vscode-json-languageservice 5.7.2) offers the fields of checkpoints and of both kinds of flows.
#[test]
fn every_shipped_file_fits() {
    let (fixture, suite) = (validator(Described::Fixture), validator(Described::Suite));
    let mut files = Vec::new();
    json_files(&root().join("fixtures"), &mut files);
    let (mut fixtures, mut suites) = (0, 0);
    for file in files {
        let json: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
        let schema = if file.ends_with("suite.json") {
            suites += 1;
            &suite
        } else if json.get("checkpoints").is_some() {
            fixtures += 1;
            &fixture
        } else {
            continue;
        };
        if let Err(fault) = schema.validate(&json) {
            panic!("{}: {fault} at {}", file.display(), fault.instance_path());
        }
    }
    assert!(100 < fixtures && 10 < suites, "{fixtures} fixtures, {suites} suites");
}

/// A fixture of events that is sound.
fn of_events() -> Value {
    json!({
        "$schema": "../fixture.schema.json",
        "name": "a",
        "schema": { "id": "INT", "city": "STRING", "seq": "BIGINT" },
        "flow": { "keys": ["id"], "sequence_by": "seq", "except_column_list": ["seq"], "stored_as_scd_type": 1 },
        "findings": [],
        "aims_at": [],
        "checkpoints": [
            { "append": [{ "id": 1, "city": "Lyon", "seq": 1 }], "expect": [{ "id": 1, "city": "Lyon" }] },
        ],
    })
}

/// A fixture of snapshots that is sound.
fn of_snapshots() -> Value {
    json!({
        "name": "b",
        "schema": { "id": "INT", "city": "STRING" },
        "flow": { "from_snapshot": true, "keys": ["id"] },
        "checkpoints": [
            {
                "snapshot": { "version": 1, "rows": { "columns": ["id", "city"], "rows": [[1, "Lyon"]] } },
                "expect": [{ "id": 1, "city": "Lyon" }],
            },
        ],
    })
}

fn is_loaded(fixture: &Value) -> bool {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("suite.json"), json!({ "$schema": "x", "title": "S" }).to_string()).unwrap();
    fs::write(folder.path().join("a.json"), fixture.to_string()).unwrap();
    Fixtures::load([folder.path()]).is_ok()
}

/// The fixture with another value at a place; the last part of the place may be new.
fn with(mut fixture: Value, place: &str, value: Value) -> Value {
    let (parent, name) = place.rsplit_once('/').unwrap();
    fixture.pointer_mut(parent).unwrap()[name] = value;
    fixture
}

#[test]
fn what_the_loader_refuses_the_schema_refuses_where_it_can_tell() {
    let schema = validator(Described::Fixture);
    for sound in [of_events(), of_snapshots()] {
        assert!(is_loaded(&sound) && schema.is_valid(&sound), "{sound}");
    }
    let (checkpoint, snapshot) = ("/checkpoints/0", "/checkpoints/0/snapshot");
    let under = |place: &str, name: &str| format!("{place}/{name}");
    let events = [
        ("/nmae".to_owned(), json!("a")),
        ("/$schema".to_owned(), json!(1)),
        ("/name".to_owned(), json!("")),
        ("/name".to_owned(), json!(" ")),
        ("/name".to_owned(), json!("a/b")),
        ("/name".to_owned(), json!("a\nb")),
        ("/name".to_owned(), json!(null)),
        ("/title".to_owned(), json!(1)),
        ("/about".to_owned(), json!(null)),
        ("/source".to_owned(), json!([])),
        ("/schema".to_owned(), json!({})),
        ("/schema/id".to_owned(), json!(1)),
        ("/schema/ ".to_owned(), json!("INT")),
        ("/flow".to_owned(), json!(1)),
        ("/flow/keys".to_owned(), json!([])),
        ("/flow/keys".to_owned(), json!("id")),
        ("/flow/keys".to_owned(), json!(null)),
        ("/flow/sequence_by".to_owned(), json!(null)),
        ("/flow/sequence".to_owned(), json!("seq")),
        ("/flow/target".to_owned(), json!("t")),
        ("/flow/once".to_owned(), json!("yes")),
        ("/flow/dialect".to_owned(), json!("oracle")),
        ("/flow/stored_as_scd_type".to_owned(), json!(3)),
        ("/flow/version_type".to_owned(), json!("DATE")),
        ("/flow/apply_as_deletes".to_owned(), json!(["op = 'D'"])),
        ("/flow/except_column_list".to_owned(), json!([1])),
        ("/flow/tombstone_gc_threshold_seconds".to_owned(), json!(-1)),
        ("/flow/tombstone_gc_threshold_seconds".to_owned(), json!(0.5)),
        ("/flow/definition".to_owned(), json!("a.sql")),
        ("/flows".to_owned(), json!({})),
        ("/findings".to_owned(), json!(["conflicts"])),
        ("/findings".to_owned(), json!(["conflict", "conflict"])),
        ("/aims_at".to_owned(), json!("late")),
        ("/business".to_owned(), json!(1)),
        ("/business".to_owned(), json!([1])),
        ("/checkpoints".to_owned(), json!([])),
        ("/checkpoints".to_owned(), json!({})),
        ("/checkpoints".to_owned(), json!([1])),
        (under(checkpoint, "expects"), json!([])),
        (under(checkpoint, "append"), json!(1)),
        (under(checkpoint, "append"), json!([1])),
        (under(checkpoint, "append"), json!("events.json")),
        (under(checkpoint, "append"), json!("/events.csv")),
        (under(checkpoint, "append"), json!("a/../events.csv")),
        (under(checkpoint, "append"), json!(".csv")),
        (under(checkpoint, "append"), json!({ "columns": ["id"] })),
        (under(checkpoint, "append"), json!({ "columns": ["id"], "rows": [1] })),
        (under(checkpoint, "append"), json!({ "columns": ["id"], "rows": [], "more": 1 })),
        (under(checkpoint, "expect"), json!(null)),
        (under(checkpoint, "expect"), json!("todo")),
        (under(checkpoint, "expect_any"), json!([[]])),
        (under(checkpoint, "expect_error"), json!("null key")),
        (under(checkpoint, "observed"), json!("TODO")),
        (under(checkpoint, "advance_seconds"), json!("1")),
        (under(checkpoint, "full_refresh"), json!(1)),
        (under(checkpoint, "note"), json!(1)),
        (under(checkpoint, "flow"), json!(1)),
    ];
    let snapshots = [
        ("/flow/sequence_by".to_owned(), json!("id")),
        ("/flow/stored_as_scd_type".to_owned(), json!("BITEMPORAL")),
        ("/flow/version_type".to_owned(), json!(1)),
        (under(checkpoint, "snapshot"), json!([])),
        (under(checkpoint, "snapshot"), json!({ "rows": [] })),
        (under(snapshot, "more"), json!(1)),
        (under(snapshot, "rows"), json!(1)),
    ];
    let all = events.map(|it| (of_events(), it)).into_iter().chain(snapshots.map(|it| (of_snapshots(), it)));
    for (sound, (place, value)) in all {
        let said = format!("{value} at {place}");
        let wrong = with(sound, &place, value);
        assert!(!is_loaded(&wrong), "the loader takes {said}");
        assert!(!schema.is_valid(&wrong), "the schema takes {said}");
    }
}

#[test]
fn a_suite_is_described_as_the_loader_reads_it() {
    let schema = validator(Described::Suite);
    let sound =
        json!({ "$schema": "x", "title": "S", "about": "", "audited": false, "flow": of_events()["flow"] });
    assert!(schema.is_valid(&sound));
    for (name, value) in [
        ("titel", json!("S")),
        ("audited", json!("no")),
        ("flow", json!({ "keys": ["id"] })),
        ("flows", json!({ "a": "b.sql" })),
        ("schema", json!([])),
        ("checkpoints", json!([])),
    ] {
        let mut wrong = sound.clone();
        wrong[name] = value;
        assert!(!schema.is_valid(&wrong), "{name}");
    }
}

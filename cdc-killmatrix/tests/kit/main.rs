//! The workspace kit, as it is written.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use serde_json::{Value, json};
use tempfile::TempDir;

#[path = "../binary/mod.rs"]
mod binary;
mod bundle;
mod copies;
mod mutants;
mod refusals;

use binary::{code, killmatrix, stderr, stdout};

const NAMES: [&str; 4] = ["--catalog", "dev", "--schema", "cdc"];

/// A folder with a suite `toys` of one flow: two fixtures of it, one with a flow of its own.
fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::create_dir(folder.path().join("toys")).unwrap();
    let suite = json!({
        "schema": { "id": "BIGINT", "name": "STRING", "tags": "MAP<STRING, INT>", "data": "BINARY", "op": "STRING", "seq": "INT" },
        "flow": { "keys": ["id"], "sequence_by": "seq", "apply_as_deletes": "op = 'D'", "except_column_list": ["op", "seq"] },
    });
    add(&folder, "suite", &suite);
    add(&folder, "first", &fixture("first", &json!({})));
    add(&folder, "second", &fixture("second", &json!({})));
    let flow = json!({ "flow": { "keys": ["id"], "sequence_by": "seq", "stored_as_scd_type": 2, "except_column_list": ["op", "seq", "tags", "data"] } });
    let mut own = fixture("own", &flow);
    own["checkpoints"] = json!([{ "append": [{ "id": 1, "name": "ball", "seq": 1 }], "expect": [{ "id": 1, "name": "ball", "__START_AT": 1, "__END_AT": null }] }]);
    add(&folder, "own", &own);
    folder
}

/// A fixture of the suite's flow with three checkpoints, and more members.
fn fixture(name: &str, more: &Value) -> Value {
    let row = |name: &str| json!({ "id": 1, "name": name, "tags": [["a", 1]], "data": "AP8=" });
    let event = |name: &str, seq: i64| {
        let mut event = row(name);
        event["seq"] = json!(seq);
        event
    };
    let mut fixture = json!({
        "name": name,
        "checkpoints": [
            { "append": [event("ball", 1)], "expect": [row("ball")] },
            { "append": [{ "id": null, "seq": 2 }], "expect_error": "NULL_KEY" },
            { "append": [event("rope", 3)], "full_refresh": true, "expect": [row("rope")] },
        ],
    });
    fixture.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    fixture
}

fn add(folder: &TempDir, name: &str, json: &Value) {
    fs::write(folder.path().join(format!("toys/{name}.json")), json.to_string()).unwrap();
}

fn export(folder: &TempDir, to: &str, more: &[&str]) -> Output {
    killmatrix(folder.path(), &[&["export-kit", to, "toys"][..], &NAMES, more].concat())
}

/// A kit of the folder's suite.
fn kit(folder: &TempDir, more: &[&str]) -> PathBuf {
    let output = export(folder, "kit", more);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    folder.path().join("kit")
}

fn plan(kit: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(kit.join("plan.json")).unwrap()).unwrap()
}

/// All files of a folder, by their paths in it.
fn files(folder: &Path) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().to_string_lossy().replace('\\', "/");
                files.insert(name, fs::read_to_string(path).unwrap());
            }
        }
    }
    files
}

#[test]
fn a_kit_has_the_bundle_the_definitions_the_plan_the_fixtures_and_the_program() {
    let folder = folder();
    let kit = kit(&folder, &[]);
    let names: Vec<String> = files(&kit).into_keys().collect();
    assert_eq!(
        names,
        [
            "README.md",
            "databricks.yml",
            "definitions/toys.py",
            "definitions/toys_2.py",
            "fixtures/toys/first.json",
            "fixtures/toys/own.json",
            "fixtures/toys/second.json",
            "kit.py",
            "plan.json",
            "play.py",
            "requirements.txt",
            "resources/pipelines.yml",
            "tables.py",
            "workspace.py",
        ]
    );
}

#[test]
fn what_is_written_is_told_with_what_to_read() {
    let output = export(&folder(), "kit", &[]);
    assert_eq!((code(&output), stderr(&output).as_str()), (0, ""));
    assert_eq!(
        stdout(&output),
        "kit is written: 3 fixtures.\nEach has a pipeline, and two tables in dev.cdc.\n\
         kit/README.md says how it is played. It was not tried in a workspace.\n"
    );
}

#[test]
fn a_definition_is_one_for_all_fixtures_of_a_flow_and_names_no_table() {
    let folder = folder();
    let kit = kit(&folder, &[]);
    let plan = plan(&kit);
    let definitions: Vec<&str> =
        plan["plays"].as_array().unwrap().iter().map(|it| it["definition"].as_str().unwrap()).collect();
    assert_eq!(definitions, ["definitions/toys.py", "definitions/toys_2.py", "definitions/toys.py"]);
    let text = fs::read_to_string(kit.join("definitions/toys.py")).unwrap();
    assert!(text.contains("spark.readStream.table(spark.conf.get(\"cdc.source_table\"))"), "{text}");
    assert!(text.contains("target = spark.conf.get(\"cdc.target_table\")"), "{text}");
    assert!(text.contains("apply_as_deletes=expr(\"op = 'D'\"),\n"), "{text}");
    assert!(!text.contains("toys") && !text.contains("dev"), "{text}");
}

#[test]
fn the_plan_has_the_checkpoints_in_order_with_their_typed_events() {
    let folder = folder();
    let plan = plan(&kit(&folder, &[]));
    assert_eq!(
        (&plan["format"], &plan["catalog"], &plan["schema"]),
        (&json!(1), &json!("dev"), &json!("cdc"))
    );
    let first = &plan["plays"][0];
    for (member, value) in [
        ("key", "toys_first"),
        ("name", "toys/first"),
        ("fixture", "fixtures/toys/first.json"),
        ("pipeline", "killmatrix dev.cdc toys_first"),
        ("source_table", "toys_first_source"),
        ("target_table", "toys_first_target"),
    ] {
        assert_eq!(first[member], value);
    }
    assert_eq!(first.get("mutant"), None);
    assert_eq!(
        first["columns"][2],
        json!({ "name": "tags", "type": "MAP<STRING, INT>", "form": "pairs", "read_as": "ARRAY<STRUCT<key: STRING, value: INT>>" })
    );
    assert_eq!(first["columns"][3]["form"], "base64");
    assert_eq!(
        first["checkpoints"],
        json!([
            { "checkpoint": 1, "is_compared": true, "append": [{ "id": 1, "name": "ball", "tags": [["a", 1]], "data": "AP8=", "seq": 1 }] },
            { "checkpoint": 2, "expect_error": "NULL_KEY", "is_compared": true, "append": [{ "seq": 2 }] },
            { "checkpoint": 3, "full_refresh": true, "is_compared": true, "append": [{ "id": 1, "name": "rope", "tags": [["a", 1]], "data": "AP8=", "seq": 3 }] },
        ])
    );
}

#[test]
fn the_same_fixtures_give_the_same_bytes() {
    let folder = folder();
    let told = ["--mutants"];
    assert_eq!(code(&export(&folder, "one", &told)), 0);
    assert_eq!(code(&export(&folder, "two", &told)), 0);
    assert_eq!(files(&folder.path().join("one")), files(&folder.path().join("two")));
}

#[test]
fn names_are_plain_and_distinct_whatever_the_fixtures_are_called() {
    let folder = folder();
    let long = "x".repeat(250);
    let hostile =
        ["`; DROP TABLE x", "../../up", "a b", "a.b", "${var.catalog}", "東京", "first_source", &long];
    for (number, name) in hostile.iter().enumerate() {
        let name = name.replace('/', "\u{2215}");
        add(&folder, &format!("hostile_{number}"), &fixture(&name, &json!({})));
    }
    let kit = kit(&folder, &[]);
    let plan = plan(&kit);
    let plays = plan["plays"].as_array().unwrap();
    let mut tables: Vec<&str> = Vec::new();
    for play in plays {
        tables.extend(["source_table", "target_table"].map(|it| play[it].as_str().unwrap()));
    }
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    assert!(tables.iter().all(|name| name.len() <= 255 && name.chars().all(is_plain)), "{tables:?}");
    let count = tables.len();
    tables.sort_unstable();
    tables.dedup();
    assert_eq!((tables.len(), count), (22, 22));
    let is_path = |name: &String| name.chars().all(|c| is_plain(c) || "./".contains(c) || c == 'R');
    assert!(files(&kit).keys().filter(|it| it.starts_with("fixtures/")).all(is_path));
}

//! Captured rows beside those that a fixture expects.

use std::fs;
use std::process::Output;

use serde_json::{Value, json};
use tempfile::TempDir;

#[path = "../binary/mod.rs"]
mod binary;
mod differences;
mod sql_result;
mod manifest;
mod evidence;
mod run;
#[cfg(feature = "parquet")]
mod parquet;
#[cfg(feature = "parquet")]
mod damaged;

use binary::{code, killmatrix, parsed, stderr, stdout};
use sql_result::{right_result, sql_result};

/// The columns of the target of `pets/toys.json`, and their types.
const COLUMNS: [(&str, &str); 4] =
    [("id", "BIGINT"), ("name", "STRING"), ("shop", "STRING"), ("price", "DECIMAL(6,2)")];

/// The rows that it expects after checkpoint 1, then after 2.
const FIRST: &str = r#"[{"id": 1, "name": "ball", "shop": "Lyon", "price": "2.50"}]"#;
const LAST: &str = r#"[
  {"id": 1, "name": "ball", "shop": "Nice", "price": "2.50"},
  {"id": 2, "name": "", "shop": null, "price": "10.00"}
]"#;

/// A folder with a fixture `pets/toys.json` of two checkpoints.
fn folder() -> TempDir {
    let event = |id: i64, name: &str, shop: Value, price: &str, seq: i64| json!({ "id": id, "name": name, "shop": shop, "price": price, "seq": seq });
    let fixture = json!({
        "name": "toys",
        "schema": { "id": "BIGINT", "name": "STRING", "shop": "STRING", "price": "DECIMAL(6, 2)", "seq": "INT" },
        "flow": { "keys": ["id"], "sequence_by": "seq", "except_column_list": ["seq"] },
        "checkpoints": [
            {
                "append": [event(1, "ball", json!("Lyon"), "2.50", 1)],
                "expect": serde_json::from_str::<Value>(FIRST).unwrap(),
            },
            {
                "append": [
                    event(1, "ball", json!("Nice"), "2.50", 3),
                    event(2, "", Value::Null, "10", 4),
                    event(1, "rope", json!("Metz"), "3", 2),
                ],
                "expect": serde_json::from_str::<Value>(LAST).unwrap(),
            },
            { "append": [] },
        ],
    });
    let folder = TempDir::new().unwrap();
    fs::create_dir(folder.path().join("pets")).unwrap();
    fs::write(folder.path().join("pets/toys.json"), fixture.to_string()).unwrap();
    folder
}

/// Verifies a file of rows against the fixture, with more arguments.
fn verified(folder: &TempDir, file: &str, text: &str, more: &[&str]) -> Output {
    fs::write(folder.path().join(file), text).unwrap();
    killmatrix(folder.path(), &[&["verify", "pets/toys.json", "--rows", file], more].concat())
}

/// What is said of a file of rows that differs.
fn difference(file: &str, text: &str, more: &[&str]) -> String {
    let output = verified(&folder(), file, text, more);
    assert_eq!(code(&output), 5, "{}{}", stdout(&output), stderr(&output));
    let text = stdout(&output);
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    assert!(text.ends_with("1 capture: 0 equal, 1 differs.\n"), "{text}");
    text
}

/// What is said of a file that is no capture of the fixture.
fn fault(file: &str, text: &str, more: &[&str]) -> String {
    let output = verified(&folder(), file, text, more);
    assert_eq!((code(&output), stdout(&output).as_str()), (1, ""), "{}", stderr(&output));
    stderr(&output)
}

/// A list of rows with one change.
fn changed(change: impl FnOnce(&mut Vec<Value>)) -> String {
    let mut rows: Vec<Value> = serde_json::from_str(LAST).unwrap();
    change(&mut rows);
    Value::from(rows).to_string()
}

#[test]
fn a_right_capture_passes_in_each_format() {
    let lines = "{\"price\": 10, \"id\": 2, \"name\": \"\", \"shop\": null}\n\
                 {\"id\": 1, \"name\": \"ball\", \"shop\": \"Nice\", \"price\": 2.5}\n";
    let sheet = "id,name,shop,price\n2,\"\",,10.00\n1,ball,Nice,2.5\n";
    let envelope = format!(r#"{{ "fixture": "pets/toys", "checkpoint": 2, "rows": {LAST} }}"#);
    let listed = json!({ "columns": ["id", "name", "shop", "price"], "rows": [[1, "ball", "Nice", 2.5], [2, "", null, 10]] });
    let result = right_result().to_string();
    for (file, text) in [
        ("rows.json", LAST),
        ("rows.jsonl", lines),
        ("rows.ndjson", lines),
        ("rows.csv", sheet),
        ("capture.json", &envelope),
        ("listed.json", &listed.to_string()),
        ("result.json", &result),
    ] {
        let output = verified(&folder(), file, text, &[]);
        assert_eq!(code(&output), 0, "{file}: {}{}", stdout(&output), stderr(&output));
        let text = stdout(&output);
        assert!(text.contains(&format!("\n  {file}: equal, 2 rows\n")), "{text}");
        assert!(text.contains("checkpoint 2") && !text.contains("AUTO CDC"), "{text}");
        assert!(text.ends_with("\n1 capture: each is what the fixture expects.\n"), "{text}");
    }
}

#[test]
fn a_capture_of_another_fixture_or_checkpoint_is_no_pass() {
    let said = |fixture: &str, checkpoint: usize| {
        format!(r#"{{ "fixture": "{fixture}", "checkpoint": {checkpoint}, "rows": {LAST} }}"#)
    };
    let text = fault("rows.json", &said("pets/food", 2), &[]);
    assert!(text.contains("a capture of the fixture pets/food; expected one of pets/toys"), "{text}");
    let text = fault("rows.json", &said("pets/toys", 1), &[]);
    assert!(text.contains("a capture of checkpoint 1; expected one of checkpoint 2"), "{text}");
    let text = fault("rows.json", LAST, &["--checkpoint", "3"]);
    assert!(text.contains("checkpoint 3 expects no rows"), "{text}");
    let text = fault("rows.json", LAST, &["--checkpoint", "4"]);
    assert!(text.contains("there is no checkpoint 4; expected one from 1 to 3"), "{text}");
}

#[test]
fn a_capture_that_is_missing_empty_or_cut_off_is_no_pass() {
    let folder = folder();
    let output = killmatrix(folder.path(), &["verify", "pets/toys.json", "--rows", "nowhere.json"]);
    assert_eq!((code(&output), stdout(&output).as_str()), (1, ""));
    assert!(stderr(&output).starts_with("nowhere.json: the file can't be read"), "{}", stderr(&output));
    for (file, text, expected) in [
        ("rows.json", "", "the file is empty: nothing was captured"),
        ("rows.jsonl", "\n \n", "the file is empty: nothing was captured"),
        ("rows.csv", "", "the file is empty: nothing was captured"),
        ("rows.json", &LAST[..LAST.len() - 4], "is it complete?"),
        ("rows.jsonl", "{\"id\": 1}\n{\"id\":", "is it complete?"),
        ("rows.csv", "id,name,shop,price\n1,ball\n", "the record has 2 fields; expected 4"),
        ("rows.json", r#"{ "id": 1 }"#, "this is an object, not captured rows"),
        ("rows.txt", "1", "no file of rows, by its name"),
        ("rows.json", r#"[{ "id": 1, "ID": 2 }]"#, "the column `ID` is given twice"),
    ] {
        let found = fault(file, text, &[]);
        assert!(found.contains(expected), "{file}: {found}");
    }
}

#[cfg(not(feature = "parquet"))]
#[test]
fn parquet_is_refused_by_name_with_how_to_get_it() {
    let folder = folder();
    std::fs::create_dir(folder.path().join("rows")).unwrap();
    for (file, text) in [("rows.parquet", "PAR1"), ("rows.json", "PAR1")] {
        let found = fault(file, text, &[]);
        assert!(found.contains("this is Parquet, and this program was built without it"), "{found}");
        assert!(found.contains("--features parquet"), "{found}");
    }
    let output = killmatrix(folder.path(), &["verify", "pets/toys.json", "--rows", "rows"]);
    assert_eq!(code(&output), 1);
    assert!(stderr(&output).contains("this is a folder, which is read as Parquet"), "{}", stderr(&output));
}

#[test]
fn a_table_without_rows_is_told_from_no_capture() {
    let text = difference("rows.json", "[]", &[]);
    assert!(text.contains("rows.json: differs, 0 rows") && text.contains("missing"), "{text}");
    difference("rows.csv", "id,name,shop,price\n", &[]);
    difference("rows.json", &sql_result(&COLUMNS, &[]).to_string(), &[]);
}

#[test]
fn json_says_the_same_for_scripts() {
    let folder = folder();
    let rows = changed(|rows| {
        rows.push(rows[0].clone());
        rows[1]["price"] = json!("11.00");
    });
    let json = parsed(&verified(&folder, "rows.json", &rows, &["--format", "json"]));
    assert_eq!(json["verdict"], "differs");
    let capture = &json["captures"][0];
    assert_eq!(
        (&capture["suite"], &capture["fixture"], &capture["checkpoint"]),
        (&json!("pets"), &json!("toys"), &json!(2))
    );
    assert_eq!(capture["missing"], json!([{ "id": 2, "name": "", "shop": null, "price": "10.00" }]));
    assert_eq!((capture["extra"].as_array().unwrap().len(), &capture["duplicates"]), (2, &json!(1)));
    assert_eq!(json["diagnoses"][0]["observed"], json!([2]));
    let json = parsed(&verified(&folder, "rows.json", LAST, &["--format", "json"]));
    assert_eq!((&json["verdict"], &json["diagnoses"]), (&json!("equal"), &json!([])));
}

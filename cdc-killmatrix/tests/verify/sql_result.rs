//! Results of Databricks SQL statements.

use std::fs;

use cdc_killmatrix::verify::{Capture, Verification};
use cdc_killmatrix::{Fixtures, row_to_json};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::binary::{code, killmatrix, root, stderr, stdout};
use crate::{COLUMNS, fault};

/// The result of a SQL statement with these rows, all values being texts.
pub(crate) fn sql_result(columns: &[(&str, &str)], rows: &[Value]) -> Value {
    let column = |(position, (name, text)): (usize, &(&str, &str))| {
        let type_name = text.split('(').next().unwrap();
        json!({ "name": name, "type_text": text, "type_name": type_name, "position": position })
    };
    json!({
        "statement_id": "01f0",
        "status": { "state": "SUCCEEDED" },
        "manifest": {
            "format": "JSON_ARRAY",
            "schema": { "column_count": columns.len(), "columns": columns.iter().enumerate().map(column).collect::<Vec<_>>() },
            "total_chunk_count": 1,
            "total_row_count": rows.len(),
            "truncated": false,
        },
        "result": { "chunk_index": 0, "row_offset": 0, "row_count": rows.len(), "data_array": rows },
    })
}

pub(crate) fn right_result() -> Value {
    sql_result(&COLUMNS, &[json!(["2", "", null, "10.00"]), json!(["1", "ball", "Nice", "2.50"])])
}

/// What is changed in a result.
type Change<'a> = &'a dyn Fn(&mut Value);

#[test]
fn a_result_that_is_not_whole_is_no_pass() {
    let faulty = |change: &dyn Fn(&mut Value)| {
        let mut result = right_result();
        change(&mut result);
        fault("rows.json", &result.to_string(), &[])
    };
    let changes: [(Change<'_>, &str); 9] = [
        (&|it| it["manifest"]["truncated"] = json!(true), "the result is truncated"),
        (&|it| it["manifest"]["total_row_count"] = json!(3), "2 rows of 3 are here"),
        (
            &|it| drop(it["manifest"].as_object_mut().unwrap().remove("total_row_count")),
            "no `total_row_count`",
        ),
        (&|it| it["manifest"]["total_chunk_count"] = json!(2), "the result has 2 chunks, and one is here"),
        (&|it| it["result"]["next_chunk_index"] = json!(1), "the result has 2 chunks, and one is here"),
        (&|it| drop(it["result"].as_object_mut().unwrap().remove("data_array")), "0 rows of 2 are here"),
        (&|it| it["result"]["external_links"] = json!([]), "the rows lie behind `external_links`"),
        (&|it| drop(it.as_object_mut().unwrap().remove("status")), "there is no `status`"),
        (&|it| it["result"]["data_array"][0] = json!(["1"]), "the row has 1 value; expected 4"),
    ];
    for (change, expected) in changes {
        let text = faulty(change);
        assert!(text.contains(expected), "{expected}: {text}");
    }
    let failed = json!({ "status": { "state": "FAILED", "error": { "message": "no such table" } } });
    let text = fault("rows.json", &failed.to_string(), &[]);
    assert!(
        text.contains("the statement's state is FAILED: no such table; expected one that SUCCEEDED"),
        "{text}"
    );
    let text = fault("rows.json", &json!({ "status": { "state": "RUNNING" } }).to_string(), &[]);
    assert!(text.contains("the statement's state is RUNNING"), "{text}");
}

/// A value as the Statement Execution API writes it: each a text, a nested one as JSON of texts.
fn as_text(value: &Value) -> Value {
    match value {
        Value::Null => Value::Null,
        Value::String(text) => {
            json!(text.strip_suffix('Z').map_or(text.clone(), |time| format!("{time}.000Z")))
        }
        Value::Object(members) => {
            let texts: serde_json::Map<String, Value> =
                members.iter().map(|(name, value)| (name.clone(), as_text(value))).collect();
            json!(Value::from(texts).to_string())
        }
        value => json!(value.to_string()),
    }
}

#[test]
fn the_rows_captured_on_databricks_pass_as_results_of_statements() {
    let fixtures =
        Fixtures::load([root().join("fixtures/databricks")]).unwrap_or_else(|faults| panic!("{faults}"));
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("rows.json");
    let mut compared = 0;
    for (_, fixture) in fixtures.pairs() {
        let target = fixture.plan().target();
        let types: Vec<String> = target.iter().map(|column| column.data_type.to_string()).collect();
        let columns: Vec<(&str, &str)> =
            target.iter().zip(&types).map(|(column, text)| (&*column.name, &**text)).collect();
        for (number, checkpoint) in fixture.checkpoints.iter().enumerate() {
            let row = |row| {
                let json = row_to_json(row, target);
                target.iter().map(|column| as_text(&json[&column.name])).collect::<Value>()
            };
            let rows: Vec<Value> = checkpoint.expect[0].rows().iter().map(row).collect();
            fs::write(&file, sql_result(&columns, &rows).to_string()).unwrap();
            let capture = Capture::read(&file, fixture.plan()).unwrap_or_else(|faults| panic!("{faults}"));
            let verification = Verification::new(fixture, number, capture);
            assert!(verification.is_equal(), "{}: {verification:#?}", fixture.name);
            compared += 1;
        }
    }
    assert_eq!(compared, 36);
}

#[test]
fn nested_values_of_a_result_are_read_by_their_types() {
    let fixture = json!({
        "name": "nested",
        "schema": { "id": "INT", "tags": "ARRAY<STRING>", "place": "STRUCT<floor: INT, is_open: BOOLEAN>", "sizes": "MAP<STRING, DOUBLE>", "a": "INT", "b": "INT" },
        "flow": { "keys": ["id"], "sequence_by": "struct(a, b)", "except_column_list": ["a", "b"], "stored_as_scd_type": 2 },
        "checkpoints": [{
            "append": [{ "id": 1, "tags": ["x", null], "place": { "floor": 3, "is_open": true }, "sizes": [["w", 1.5]], "a": 1, "b": 2 }],
            "expect": [{
                "id": 1, "tags": ["x", null], "place": { "floor": 3, "is_open": true }, "sizes": [["w", 1.5]],
                "__START_AT": { "a": 1, "b": 2 }, "__END_AT": null,
            }],
        }],
    });
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("nested.json"), fixture.to_string()).unwrap();
    let columns = [
        ("id", "INT"),
        ("tags", "ARRAY<STRING>"),
        ("place", "STRUCT<floor: INT, is_open: BOOLEAN>"),
        ("sizes", "MAP<STRING, DOUBLE>"),
        ("__START_AT", "STRUCT<a: INT, b: INT>"),
        ("__END_AT", "STRUCT<a: INT, b: INT>"),
    ];
    let row = |floor: &str| {
        let place = json!({ "floor": floor, "is_open": "true" }).to_string();
        json!(["1", r#"["x",null]"#, place, r#"{"w":"1.5"}"#, r#"{"a":"1","b":"2"}"#, null])
    };
    let spelt = json!([
        "1",
        r#"["x", null]"#,
        r#"{"floor": 3, "is_open": true}"#,
        r#"[["w", 1.5]]"#,
        r#"{"a": 1, "b": 2}"#,
        null
    ]);
    fs::write(folder.path().join("rows.json"), sql_result(&columns, &[spelt]).to_string()).unwrap();
    let output = killmatrix(folder.path(), &["verify", "nested.json", "--rows", "rows.json"]);
    assert_eq!(code(&output), 0, "{}", stdout(&output));
    for (floor, expected) in [("3", 0), ("4", 5), ("third", 5)] {
        fs::write(folder.path().join("rows.json"), sql_result(&columns, &[row(floor)]).to_string()).unwrap();
        let output = killmatrix(folder.path(), &["verify", "nested.json", "--rows", "rows.json"]);
        assert_eq!(code(&output), expected, "{floor}: {}{}", stdout(&output), stderr(&output));
        assert_eq!(stdout(&output).contains("expected STRUCT<"), floor == "third", "{}", stdout(&output));
    }
}

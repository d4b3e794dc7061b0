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

/// The answers with the chunks of a result, each with one row; the first is the statement's own.
fn chunked() -> Vec<Value> {
    let rows = [
        json!(["2", "", null, "10.00"]),
        json!(["1", "ball", "Nice", "2.50"]),
        json!(["3", "kite", null, "1.00"]),
    ];
    let mut own = sql_result(&COLUMNS, &rows);
    let next =
        |number: usize| format!("/api/2.0/sql/statements/01f0/result/chunks/{number}?row_offset={number}");
    own["manifest"]["total_chunk_count"] = json!(3);
    own["manifest"]["chunks"] =
        (0..3).map(|number| json!({ "chunk_index": number, "row_offset": number, "row_count": 1 })).collect();
    own["result"] = json!({
        "chunk_index": 0, "row_offset": 0, "row_count": 1, "data_array": [rows[0]], "next_chunk_index": 1,
        "next_chunk_internal_link": next(1),
    });
    let second = json!({
        "chunk_index": 1, "row_offset": 1, "row_count": 1, "data_array": [rows[1]], "next_chunk_index": 2,
        "next_chunk_internal_link": next(2),
    });
    vec![own, second, json!({ "chunk_index": 2, "row_offset": 2, "row_count": 1, "data_array": [rows[2]] })]
}

/// Verifies these answers, each in a file of its own.
fn of_chunks(answers: &[Value]) -> (i32, String) {
    let folder = crate::folder();
    let mut call = vec!["verify".to_owned(), "pets/toys.json".to_owned()];
    for (number, answer) in answers.iter().enumerate() {
        let name = format!("{number}.json");
        fs::write(folder.path().join(&name), answer.to_string()).unwrap();
        call.extend(["--rows".to_owned(), name]);
    }
    let output = killmatrix(folder.path(), &call.iter().map(String::as_str).collect::<Vec<_>>());
    (code(&output), stdout(&output) + &stderr(&output))
}

#[test]
fn the_chunks_of_a_result_are_one_capture_in_any_order() {
    let [own, second, third] = <[Value; 3]>::try_from(chunked()).unwrap();
    for answers in [[&own, &second, &third], [&third, &second, &own], [&second, &own, &third]] {
        let (code, text) = of_chunks(&answers.map(Clone::clone));
        assert_eq!(code, 5, "{text}");
        assert!(text.contains("0.json: differs, 3 rows") && text.contains("kite"), "{text}");
    }
    let mut without = chunked();
    without[0]["manifest"]["total_row_count"] = json!(2);
    without[2] = json!({ "chunk_index": 2, "row_offset": 2, "row_count": 0 });
    without[0]["manifest"]["chunks"][2]["row_count"] = json!(0);
    let (code, text) = of_chunks(&without);
    assert_eq!(code, 0, "{text}");
    // The same in a manifest, with the hash of each file.
    let folder = crate::folder();
    let names: Vec<String> = (0..3).map(|number| format!("{number}.json")).collect();
    for (name, answer) in names.iter().zip(&without) {
        fs::write(folder.path().join(name), answer.to_string()).unwrap();
    }
    let manifest = json!({ "captures": [{ "fixture": "pets/toys.json", "rows": names }] });
    fs::write(folder.path().join("captures.json"), manifest.to_string()).unwrap();
    let call = ["verify", "--manifest", "captures.json", "--format", "json"];
    let json = crate::binary::parsed(&killmatrix(folder.path(), &call));
    assert_eq!(
        (&json["verdict"], json["captures"][0]["files"].as_array().unwrap().len()),
        (&json!("equal"), 3)
    );
}

#[test]
fn chunks_that_are_missing_doubled_or_of_another_statement_are_no_pass() {
    type Change<'a> = &'a dyn Fn(&mut Vec<Value>);
    let changes: [(Change<'_>, &str); 14] = [
        (&|it| drop(it.pop()), "the result has 3 chunks, and 2 are here"),
        (&|it| drop(it.remove(1)), "answers for the chunk 1"),
        (&|it| drop(it.remove(0)), "none of these files has the `manifest`"),
        (&|it| it.push(it[1].clone()), "the chunk 1 is given twice"),
        (&|it| it.push(it[0].clone()), "the statement's own answer is given twice"),
        (
            &|it| {
                let mut other = it[0].clone();
                other["statement_id"] = json!("01f1");
                it.push(other);
            },
            "this is the answer of the statement 01f1; expected the chunks of 01f0 alone",
        ),
        (
            &|it| it[1]["next_chunk_internal_link"] = json!("/api/2.0/sql/statements/01f1/result/chunks/2"),
            "1.json:1:1: this is a chunk of the statement 01f1; expected one of 01f0",
        ),
        (&|it| it[2]["chunk_index"] = json!(3), "this is the chunk 3; expected one of those from 0 to 2"),
        (&|it| it[2]["row_offset"] = json!(7), "the chunk 2 begins at row 7, and 2 rows come before it"),
        (&|it| it[2]["row_count"] = json!(2), "1 row of 2 are here; expected all of the chunk 2"),
        (&|it| it[0]["manifest"]["chunks"][1]["row_count"] = json!(9), "1 row of 9 are here"),
        (&|it| it[0]["manifest"]["total_row_count"] = json!(4), "3 rows of 4 are here"),
        (&|it| drop(it[2].as_object_mut().unwrap().remove("chunk_index")), "there is no `chunk_index`"),
        (
            &|it| it[1] = json!([["1", "ball", "Nice", "2.50"]]),
            "this is a list; expected the answer with a chunk",
        ),
    ];
    for (change, expected) in changes {
        let mut answers = chunked();
        change(&mut answers);
        let (code, text) = of_chunks(&answers);
        assert_eq!(code, 1, "{expected}: {text}");
        assert!(text.contains(expected), "{expected}: {text}");
    }
}

#[test]
fn several_files_of_rows_are_no_result() {
    let folder = crate::folder();
    fs::write(folder.path().join("rows.csv"), "id,name,shop,price\n").unwrap();
    let call = ["verify", "pets/toys.json", "--rows", "rows.csv", "--rows", "rows.csv"];
    let output = killmatrix(folder.path(), &call);
    assert_eq!(code(&output), 1);
    assert!(
        stderr(&output).contains("rows.csv: this is one of several files; expected .json"),
        "{}",
        stderr(&output)
    );
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

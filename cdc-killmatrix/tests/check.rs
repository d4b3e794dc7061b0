//! The command `check` as users and their scripts meet it, and what plays fixtures where they conflict.

use std::fs;

use serde_json::{Value, json};
use tempfile::TempDir;

mod binary;

use binary::{code, killmatrix, parsed, root, stderr, stdout};

/// A folder with `suite.json`, `one.json`, and files of events.
fn folder(events: &Value, declared: &Value) -> TempDir {
    let folder = TempDir::new().unwrap();
    let flow = json!({ "keys": ["id"], "sequence_by": "seq", "except_column_list": ["seq"] });
    let schema = json!({ "id": "INT", "city": "STRING", "seq": "BIGINT" });
    let suite = json!({ "flow": flow, "schema": schema }).to_string();
    fs::write(folder.path().join("suite.json"), suite).unwrap();
    let flow = "CREATE FLOW cities_flow AS AUTO CDC INTO cities FROM STREAM(feed) KEYS (id) SEQUENCE BY seq \
                COLUMNS * EXCEPT (seq) STORED AS SCD TYPE 1;";
    fs::write(folder.path().join("flow.sql"), flow).unwrap();
    let checkpoints = json!([{ "append": events, "expect": [{ "id": 1, "city": "Lyon" }] }]);
    let one = json!({ "name": "one", "findings": declared, "checkpoints": checkpoints }).to_string();
    fs::write(folder.path().join("one.json"), one).unwrap();
    folder
}

fn event(city: Option<&str>, seq: i64) -> Value {
    json!({ "id": 1, "city": city, "seq": seq })
}

#[test]
fn the_shipped_fixtures_pass_also_strictly() {
    let output = killmatrix(&root(), &["check", "fixtures", "--strict", "--full"]);
    assert_eq!((code(&output), stderr(&output).as_str()), (0, ""), "{}", stdout(&output));
    let text = stdout(&output);
    assert!(text.lines().all(|line| line.chars().count() <= 80), "wider than 80 columns");
    assert!(text.contains(" 0 errors, 0 warnings,"), "{text}");
    assert_eq!(text, stdout(&killmatrix(&root(), &["check", "fixtures", "--strict", "--full"])));
}

#[test]
fn an_undeclared_conflict_stops_whatever_plays_fixtures() {
    let events = json!([event(Some("Paris"), 10), event(Some("Lyon"), 10)]);
    let undeclared = folder(&events, &json!([]));
    fs::write(undeclared.path().join("d.md"), "<!-- begin killmatrix . -->\n<!-- end killmatrix -->\n")
        .unwrap();
    for arguments in [
        &["run", "one.json"][..],
        &["rows", "."],
        &["explain", "arrival_order", "one.json"],
        &["docs", "d.md"],
    ] {
        let output = killmatrix(undeclared.path(), arguments);
        assert_eq!((code(&output), stdout(&output).as_str()), (1, ""), "{arguments:?}");
        let text = stderr(&output);
        for part in
            ["[conflict]", "(checkpoint 1, event 2)", "`Paris`, `Lyon`", "\"findings\": [\"conflict\"]"]
        {
            assert!(text.contains(part), "{arguments:?}: {text}");
        }
    }
    assert_eq!(code(&killmatrix(undeclared.path(), &["check", "one.json"])), 5);

    let declared = folder(&events, &json!(["conflict"]));
    assert_eq!(code(&killmatrix(declared.path(), &["rows", "."])), 0);
    assert_eq!(code(&killmatrix(declared.path(), &["check", "one.json"])), 0);
}

#[test]
fn a_declaration_without_its_finding_fails_and_a_warning_does_so_strictly() {
    let clean = json!([event(Some("Paris"), 10), event(Some("Lyon"), 20)]);
    let false_claim = folder(&clean, &json!(["tie"]));
    let output = killmatrix(false_claim.path(), &["check", "."]);
    assert_eq!(code(&output), 5);
    assert!(stdout(&output).contains("tie  declared, and not found"), "{}", stdout(&output));
    let json = parsed(&killmatrix(false_claim.path(), &["check", ".", "--format", "json"]));
    assert_eq!((&json[0]["passed"], &json[0]["missing"]), (&json!(false), &json!(["tie"])));

    let sparse = folder(&json!([event(Some("Lyon"), 10), event(None, 20)]), &json!([]));
    assert_eq!(code(&killmatrix(sparse.path(), &["check", "."])), 0);
    assert_eq!(code(&killmatrix(sparse.path(), &["check", ".", "--strict"])), 5);
}

#[test]
fn a_file_of_events_is_checked_under_a_flow_and_a_schema() {
    let folder = folder(&json!([event(Some("Lyon"), 10)]), &json!([]));
    let lines =
        "{\"id\": 1, \"city\": \"Paris\", \"seq\": 10}\n\n{\"id\": 1, \"city\": \"Lyon\", \"seq\": 10}\n";
    fs::write(folder.path().join("feed.jsonl"), lines).unwrap();
    fs::write(folder.path().join("feed.csv"), "seq,id,city\n10,1,Paris\n10,1,Lyon\n").unwrap();
    fs::write(folder.path().join("columns.ddl"), "id INT,\n city STRING, seq BIGINT\n").unwrap();
    for (file, second) in [("feed.jsonl", 3), ("feed.csv", 3)] {
        for schema in ["id INT, city STRING, seq BIGINT", "columns.ddl"] {
            let arguments = ["check", file, "--flow", "flow.sql", "--schema", schema, "--format", "json"];
            let output = killmatrix(folder.path(), &arguments);
            assert_eq!(code(&output), 5, "{}", stderr(&output));
            let json = parsed(&output);
            assert_eq!((&json[0]["path"], &json[0]["fixture"]), (&json!(file), &Value::Null));
            let finding = &json[0]["findings"][0];
            assert_eq!((&finding["code"], &finding["severity"]), (&json!("conflict"), &json!("error")));
            assert_eq!(finding["events"][1], json!({ "event": 2, "line": second }));
            assert!(finding["query"].as_str().unwrap().contains("FROM `source`"));
            assert_eq!(json[0]["checklist"].as_array().unwrap().len(), 5);
        }
    }
    let lost = killmatrix(folder.path(), &["check", "feed.csv"]);
    assert_eq!((code(&lost), stderr(&lost).contains("expected `--flow FILE#NAME`")), (1, true));
    let lost = killmatrix(folder.path(), &["check", "feed.csv", "--flow", "flow.sql"]);
    assert_eq!((code(&lost), stderr(&lost).contains("expected `--schema")), (1, true));
    let flow = ["check", "feed.csv", "--flow", "flow.sql#cities_flow", "--schema", "columns.ddl"];
    let table = [&flow[..], &["--table", "main.crm.customers"]].concat();
    assert!(stdout(&killmatrix(folder.path(), &table)).contains("FROM `main`.`crm`.`customers`"));
}

#[test]
fn what_is_no_schema_and_what_has_no_use_for_one() {
    let folder = folder(&json!([event(Some("Lyon"), 10)]), &json!([]));
    let write = |path: &str, text: &str| fs::write(folder.path().join(path), text).unwrap();
    write("feed.csv", "seq,id,city\n10,1,Paris\n");
    write("feed.txt", "seq,id,city\n10,1,Paris\n");
    write("wrong.sql", "\nAPPLY CHANGES INTO t FROM STREAM(s) KEYS (nr) SEQUENCE BY seq;");
    write("two.sql", "CREATE TABLE a (id INT);\nCREATE TABLE b (id INT);");
    write("none.json", "{\"flow\": {}}");
    write("wrong.json", "{\"schema\": {\"id\": \"INTEGR\"}}");
    let of_file = |schema: &'static str| vec!["check", "feed.csv", "--flow", "flow.sql", "--schema", schema];
    let wanted = "expected a file, or columns such as `id BIGINT, city STRING`";
    for (arguments, expected) in [
        (of_file("nofile.txt"), format!("--schema: there is no such file `nofile.txt`; {wanted}\n")),
        (of_file("no/columns"), format!("--schema: there is no such file `no/columns`; {wanted}\n")),
        (of_file("id"), format!("--schema: there is no such file `id`; {wanted}\n")),
        (of_file("two.sql"), "two.sql:2:1: CREATE TABLE: a second table or view is made here; ".to_owned()),
        (
            of_file("nr INT, city STRING, seq BIGINT"),
            "the definition `cities_flow` (line 1) doesn't fit `--schema`\n  `keys`: there is no column `id`; "
                .to_owned(),
        ),
        (
            vec!["check", "one.json", "--flow", "wrong.sql"],
            "one.json: the definition `t` (line 2) doesn't fit this schema: `keys`: there is no column `nr`; "
                .to_owned(),
        ),
        (of_file("none.json"), "none.json:1:1: there is no `schema` here; ".to_owned()),
        (of_file("wrong.json"), "wrong.json:1:19: schema: the type of `id`: ".to_owned()),
        (
            vec!["check", "one.json", "--schema", "id INT"],
            "`--schema` is for files of events: a fixture has its own\n".to_owned(),
        ),
        (
            vec!["check", ".", "--arrival", "seq"],
            "`--arrival` is for files of events: a fixture has its own `advance_seconds`\n".to_owned(),
        ),
        (
            vec!["check", "feed.txt"],
            "feed.txt:1:1: this is no JSON: expected value (expected .jsonl, .ndjson, .csv or a fixture)\n"
                .to_owned(),
        ),
    ] {
        let output = killmatrix(folder.path(), &arguments);
        let told = stderr(&output);
        assert!(code(&output) == 1 && told.starts_with(&expected), "{arguments:?}: {told}");
    }
    let output = killmatrix(folder.path(), &of_file("suite.json"));
    assert_eq!((code(&output), stderr(&output).as_str()), (0, ""), "{}", stdout(&output));
}

#[test]
fn a_column_of_arrival_tells_what_comes_after_the_memory_of_a_delete() {
    let folder = TempDir::new().unwrap();
    let flow = "CREATE FLOW f AS AUTO CDC INTO t FROM STREAM(feed) KEYS (id) APPLY AS DELETE WHEN op = 'D' \
                SEQUENCE BY seq COLUMNS * EXCEPT (op, seq, ingested_at) STORED AS SCD TYPE 1;";
    fs::write(folder.path().join("flow.sql"), flow).unwrap();
    let schema = "id INT, op STRING, seq BIGINT, ingested_at TIMESTAMP";
    let text = "id,op,seq,ingested_at\n1,D,20,2026-09-01 00:00:00\n1,U,10,2026-09-04 00:00:00\n";
    fs::write(folder.path().join("feed.csv"), text).unwrap();
    let arguments = ["check", "feed.csv", "--flow", "flow.sql", "--schema", schema, "--format", "json"];
    let severity = |arguments: &[&str]| {
        parsed(&killmatrix(folder.path(), arguments))[0]["findings"][0]["severity"].clone()
    };
    assert_eq!(severity(&arguments), "note");
    let told = [&arguments[..], &["--arrival", "INGESTED_AT"]].concat();
    assert_eq!(severity(&told), "warning");
    let finding = &parsed(&killmatrix(folder.path(), &told))[0]["findings"][0];
    let query = finding["query"].as_str().unwrap();
    assert!(query.contains("ORDER BY `ingested_at`") && !query.contains("arrived_at"), "{query}");
    assert_eq!(finding["advice"], json!([]));
    let wrong = killmatrix(folder.path(), &[&arguments[..], &["--arrival", "op"]].concat());
    assert_eq!(code(&wrong), 1);
    assert_eq!(stderr(&wrong), "--arrival: `op` has type STRING; expected TIMESTAMP or TIMESTAMP_NTZ\n");
}

#[test]
fn a_query_that_is_shown_keeps_its_comments_in_one_line() {
    let folder = folder(&json!([]), &json!([]));
    let comment = "-- the source says so in its own words, which are long enough to be broken and don't end";
    let flow = json!({ "keys": ["id"], "sequence_by": "seq", "except_column_list": ["seq"],
        "apply_as_deletes": format!("city = 'gone' {comment}") });
    let events = json!([event(Some("Paris"), 10), event(Some("Lyon"), 10)]);
    let checkpoints = json!([{ "append": events, "expect": [{ "id": 1, "city": "Lyon" }] }]);
    let one = json!({ "name": "one", "flow": flow, "checkpoints": checkpoints });
    fs::write(folder.path().join("one.json"), one.to_string()).unwrap();
    let text = stdout(&killmatrix(folder.path(), &["check", "one.json"]));
    assert!(text.lines().any(|line| line.ends_with(comment)), "{text}");
}

#[test]
fn text_of_events_cannot_speak_to_the_terminal() {
    let hostile = "\u{1b}]0;title\u{7} \u{202e}one";
    let folder = folder(&json!([event(Some(hostile), 10), event(Some("b"), 10)]), &json!([]));
    for output in [
        killmatrix(folder.path(), &["check", "one.json"]),
        killmatrix(folder.path(), &["check", "one.json", "--table", hostile]),
        killmatrix(folder.path(), &["run", "one.json"]),
    ] {
        let text = stdout(&output) + &stderr(&output);
        assert!(text.contains("]0;title") && !text.contains(['\u{1b}', '\u{7}', '\u{202e}']), "{text:?}");
    }
}

#[test]
fn a_definition_is_read_in_its_dialect() {
    let folder = folder(&json!([event(Some("Lyon"), 10)]), &json!([]));
    let flow = "CREATE FLOW f AS AUTO CDC ONCE INTO t FROM STREAM(s) KEYS (id) SEQUENCE BY seq \
                COLUMNS * EXCEPT (seq);";
    fs::write(folder.path().join("once.sql"), flow).unwrap();
    let flow = "CREATE STREAMING TABLE t (id INT, __START_AT INT, __END_AT INT);
CREATE FLOW f AS AUTO CDC INTO t FROM STREAM(s) KEYS (id) SEQUENCE BY seq STORED AS SCD TYPE 2;";
    fs::write(folder.path().join("declared.sql"), flow).unwrap();
    for command in ["run", "rows", "check"] {
        let told = |more: &[&str]| {
            let output = killmatrix(folder.path(), &[&[command, "one.json"], more].concat());
            (code(&output) == 1, stderr(&output))
        };
        for dialect in [&[][..], &["--dialect", "databricks"]] {
            let (is_refused, text) = told(&[&["--flow", "once.sql"], dialect].concat());
            assert!(!is_refused, "{command}: {text}");
        }
        let (is_refused, text) = told(&["--flow", "once.sql", "--dialect", "spark-4.3"]);
        assert!(is_refused && text.contains("Apache Spark 4.3 has no `ONCE`"), "{command}: {text}");
        let (is_refused, text) = told(&["--dialect", "spark-4.3"]);
        assert!(is_refused && text.contains("--flow <FILE#NAME>"), "{command}: {text}");
        let (is_refused, text) = told(&["--flow", "once.sql", "--dialect", "spark"]);
        assert!(is_refused && text.contains("databricks, spark-4.3"), "{command}: {text}");
        let (is_refused, text) = told(&["--flow", "declared.sql"]);
        let expected =
            "the definition `f` (line 2) declares `__START_AT` as INT, and the sequence `seq` is BIGINT";
        assert!(is_refused && text.contains(expected), "{command}: {text}");
    }
    let schema = "id INT, city STRING, seq BIGINT";
    fs::write(folder.path().join("feed.jsonl"), "").unwrap();
    let output =
        killmatrix(folder.path(), &["check", "feed.jsonl", "--flow", "declared.sql", "--schema", schema]);
    assert_eq!(code(&output), 1);
    assert!(stderr(&output).contains("expected BIGINT"), "{}", stderr(&output));
}

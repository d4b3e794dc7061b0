//! The command as users and their scripts meet it: output, errors, exit codes.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

mod binary;

use binary::{code, killmatrix, parsed, root, stderr, stdout};

/// A fixture of one event of type 1, with what its checkpoint says.
fn fixture(checkpoint: &Value) -> Value {
    json!({
        "name": "one", "title": "One",
        "schema": { "id": "BIGINT", "city": "STRING", "seq": "BIGINT", "pos": "INT" },
        "flow": { "keys": ["id"], "sequence_by": "struct(seq, pos)", "except_column_list": ["seq", "pos"] },
        "checkpoints": [checkpoint],
    })
}

fn folder_with(fixture: &Value) -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::create_dir(folder.path().join("fixtures")).unwrap();
    fs::write(folder.path().join("fixtures/one.json"), fixture.to_string()).unwrap();
    folder
}

fn event(id: i64, city: &str) -> Value {
    json!({ "id": id, "city": city, "seq": 1, "pos": 0 })
}

#[test]
fn the_shipped_suites_pass_from_the_top_of_the_repository() {
    let output = killmatrix(&root(), &[]);
    assert_eq!((code(&output), stderr(&output).as_str()), (0, ""));
    let text = stdout(&output);
    assert!(text.contains("Customers, current state") && text.contains("Customers, history"), "{text}");
    assert!(text.ends_with("\nThis judges the fixtures; no pipeline was run.\n"), "{text}");
    assert!(!text.contains('\u{1b}'), "colour where there is no terminal");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "wider than 80 columns");
}

#[test]
fn run_is_the_default_and_one_suite_will_do() {
    let whole = killmatrix(&root(), &["run", "fixtures/customers_current"]);
    assert_eq!(code(&whole), 0);
    assert_eq!(stdout(&whole), stdout(&killmatrix(&root(), &["fixtures/customers_current"])));
}

#[test]
fn the_json_of_a_run_has_the_published_cells() {
    let output = killmatrix(&root(), &["run", "fixtures/customers_current", "--format", "json"]);
    let json = parsed(&output);
    let caught = |fixture: &str, mutant: &str| {
        let cells = json["cells"].as_array().unwrap();
        let cell = cells.iter().find(|cell| cell["fixture"] == fixture && cell["mutant"] == mutant).unwrap();
        assert_eq!(cell["suite"], "customers_current");
        match cell["outcome"].as_str().unwrap() {
            "caught" => 'x',
            "missed" => '.',
            outcome => panic!("{outcome}"),
        }
    };
    let mutants = ["collapsed_key", "arrival_order", "ignored_deletes", "swapped_columns", "kept_nulls"];
    let row = |fixture: &str| mutants.map(|mutant| caught(fixture, mutant)).iter().collect::<String>();
    assert_eq!(row("ordering_and_delete"), "xxxx.");
    assert_eq!(row("update_and_mapping"), "x..x.");
    assert_eq!(row("sequence_tie"), ".x.x.");
    assert_eq!(row("explicit_null"), "...xx");
    assert_eq!(row("exact_redelivery"), "...x.");
    assert_eq!(json["fixtures"][0]["path"], "fixtures/customers_current/exact_redelivery.json");
    assert_eq!(json["mutants"][0]["hook"], "key_of");
}

#[test]
fn a_survivor_is_named_with_the_command_to_go_on() {
    let expected = json!([{ "id": 1, "city": "Lyon" }]);
    let folder = folder_with(&fixture(&json!({ "append": [event(1, "Lyon")], "expect": expected })));
    let output = killmatrix(folder.path(), &[]);
    assert_eq!(code(&output), 2);
    let text = stdout(&output);
    let paragraph = "arrival_order survives\n  \"What comes late overwrites what is newer.\" No fixture of the suite fixtures\n  \
                     would notice: events are ordered by arrival, not by the sequence.\n  Why (the decision is `order_of`): in 1 fixture an answer differs inside, not\n  in the rows.\n  cdc-killmatrix explain arrival_order fixtures/one.json\n";
    assert!(text.contains(paragraph), "{text}");
    // The command that it names is one that works.
    let next = killmatrix(folder.path(), &["explain", "arrival_order", "fixtures/one.json"]);
    assert_eq!(code(&next), 0);
    assert!(stdout(&next).contains("misses arrival_order"));
    assert_eq!(
        parsed(&killmatrix(folder.path(), &["run", "--format", "json"]))["survivors"][0]["suite"],
        "fixtures"
    );
}

#[test]
fn a_disagreement_shows_the_rows_and_the_rule_and_no_matrix() {
    let expected = json!([{ "id": 1, "city": "Paris" }]);
    let events = json!([event(1, "Paris"), { "id": 1, "city": "Lyon", "seq": 2, "pos": 0 }]);
    let folder = folder_with(&fixture(&json!({ "append": events, "expect": expected })));
    let output = killmatrix(folder.path(), &[]);
    assert_eq!(code(&output), 4);
    let text = stdout(&output);
    for part in [
        "fixtures/one.json:1",
        "  -  1   Paris\n",
        "  +  1   Lyon\n",
        "why key 1:",
        "wins, it comes last in the",
        "https://docs.databricks.com/aws/en/ldp/cdc",
        "Your row, or our rule: decide.",
        "cdc-killmatrix rows fixtures/one.json --why\n",
        "so no broken copy was tried",
    ] {
        assert!(text.contains(part), "`{part}` is missing in:\n{text}");
    }
    let json = parsed(&killmatrix(folder.path(), &["run", "--format", "json"]));
    assert_eq!((&json["cells"], &json["disagreements"][0]["checkpoints"]), (&json!([]), &json!([1])));
}

#[test]
fn bad_input_is_told_on_standard_error_and_nothing_else_is_printed() {
    let folder = folder_with(&fixture(&json!({ "append": [{ "id": "x" }], "expect": "TODO" })));
    let output = killmatrix(folder.path(), &[]);
    assert_eq!((code(&output), stdout(&output).as_str()), (1, ""));
    let text = stderr(&output);
    assert!(text.contains("fixtures/one.json:1:") && text.contains("checkpoint 1, event 1"), "{text}");
    assert!(text.contains("TODO"), "all faults at once: {text}");
}

#[test]
fn wrong_usage_exits_with_1_and_help_with_0() {
    for arguments in
        [&["--nonsense"][..], &["rows"], &["explain"], &["run", "--format", "xml"], &["no/such/path"]]
    {
        let output = killmatrix(&root(), arguments);
        assert_eq!((code(&output), stdout(&output).as_str()), (1, ""), "{arguments:?}");
        assert!(!stderr(&output).is_empty());
    }
    for arguments in [&["--help"][..], &["run", "--help"], &["--version"], &["help", "rows"]] {
        let output = killmatrix(&root(), arguments);
        assert_eq!((code(&output), stderr(&output).as_str()), (0, ""), "{arguments:?}");
        assert!(stdout(&output).lines().all(|line| line.chars().count() <= 80), "{arguments:?}");
    }
}

#[test]
fn without_a_fixtures_folder_the_default_says_what_is_missing() {
    let folder = TempDir::new().unwrap();
    let output = killmatrix(folder.path(), &[]);
    assert_eq!(code(&output), 1);
    let text = "no folder `fixtures` is here, so that nothing of yours was judged: this is a suite that comes with the program\n\
                Next:\n  cdc-killmatrix new\n  cdc-killmatrix run --corpus\n";
    assert_eq!(stderr(&output), text);
}

#[test]
fn rows_of_a_refused_batch_are_shown_with_its_error() {
    let mut fixture = fixture(&json!({ "append": [event(1, "Lyon")] }));
    let refused = json!({ "append": [{ "id": null, "city": "Paris", "seq": 2, "pos": 0 }] });
    fixture["checkpoints"].as_array_mut().unwrap().push(refused);
    let folder = folder_with(&fixture);
    let output = killmatrix(folder.path(), &["rows", "fixtures", "--format", "json"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let rows = json!([{ "id": 1, "city": "Lyon" }]);
    let error = json!({ "class": "NULL_KEY", "message": "event 1: a key is null: `id` [NULL_KEY]" });
    assert_eq!(
        parsed(&output),
        json!([{ "suite": "fixtures", "fixture": "one", "checkpoints": [
            { "checkpoint": 1, "rows": rows },
            { "checkpoint": 2, "error": error, "rows": rows },
        ] }])
    );
}

#[test]
fn a_feed_is_asked_of_flows_from_snapshots() {
    let checkpoint = json!({ "append": [event(1, "Lyon")], "expect": [{ "id": 1, "city": "Lyon" }] });
    let folder = folder_with(&fixture(&checkpoint));
    let told = |arguments: &[&str]| {
        let output = killmatrix(folder.path(), arguments);
        (code(&output), stderr(&output))
    };
    let start = "warning: `--feed` is for flows from snapshots; ";
    assert_eq!(told(&["rows", "fixtures", "--feed"]), (0, format!("{start}`fixtures/one` has none\n")));
    let other = fixture(&checkpoint).to_string().replace("one", "two").replace("One", "Two");
    fs::write(folder.path().join("fixtures/two.json"), other).unwrap();
    assert_eq!(
        told(&["rows", "fixtures", "--feed"]),
        (0, format!("{start}none of these fixtures has one\n"))
    );
    assert_eq!(told(&["rows", "fixtures"]), (0, String::new()));
}

#[test]
fn batch_that_is_passed_over_has_no_feed() {
    let path = "fixtures/rules/snapshots/once.json";
    let text = stdout(&killmatrix(&root(), &["rows", "--feed", path]));
    assert_eq!(text.matches("the feed that the snapshot amounts to").count(), 1, "{text}");
    let json = parsed(&killmatrix(&root(), &["rows", "--feed", path, "--format", "json"]));
    assert_eq!(json[0]["checkpoints"][1]["passed_over"], json!(true));
    assert_eq!(json[0]["checkpoints"][1]["feed"], Value::Null);
}

#[test]
fn rows_of_a_mutant_are_its_own() {
    let path = "fixtures/customers_current/ordering_and_delete.json";
    let output = killmatrix(&root(), &["rows", path, "--mutant", "arrival_order", "--format", "json"]);
    assert_eq!(parsed(&output)[0]["checkpoints"][2]["rows"][0]["city"], "Lille");
    let unknown = killmatrix(&root(), &["rows", path, "--mutant", "arival_order"]);
    assert_eq!(code(&unknown), 1);
    assert_eq!(
        stderr(&unknown),
        "there is no broken copy `arival_order`; did you mean `arrival_order`?\nNext:\n  cdc-killmatrix list\n"
    );
}

#[test]
fn a_document_out_of_date_is_a_difference_until_it_is_rewritten() {
    let folder = folder_with(&fixture(
        &json!({ "append": [event(1, "Lyon")], "expect": [{ "id": 1, "city": "Lyon" }] }),
    ));
    let document = folder.path().join("doc.md");
    fs::write(&document, "<!-- begin killmatrix fixtures -->\n<!-- end killmatrix -->\n").unwrap();
    assert_eq!(code(&killmatrix(folder.path(), &["docs", "--check", "doc.md"])), 5);
    assert_eq!(code(&killmatrix(folder.path(), &["docs", "doc.md"])), 0);
    assert_eq!(code(&killmatrix(folder.path(), &["docs", "--check", "doc.md"])), 0);
    assert!(fs::read_to_string(&document).unwrap().contains("| One |"));
}

#[test]
fn the_replay_is_a_line_of_its_own() {
    let output = killmatrix(&root(), &["run", "fixtures/customers_current", "--also-replay"]);
    assert_eq!(code(&output), 0);
    assert!(stdout(&output).contains("Replay of customers_current"));
    let json =
        parsed(&killmatrix(&root(), &["fixtures/customers_current", "--also-replay", "--format", "json"]));
    assert_eq!(json["replay"][0]["compared"], json["fixtures"].as_array().unwrap().len());
}

#[test]
fn text_of_a_fixture_cannot_speak_to_the_terminal() {
    let mut fixture =
        fixture(&json!({ "append": [event(1, "\u{1b}[31mred")], "expect": [{ "id": 1, "city": "x" }] }));
    fixture["title"] = json!("\u{1b}]0;title\u{7} \u{202e}one");
    let folder = folder_with(&fixture);
    for arguments in [&["run"][..], &["rows", "fixtures", "--why"], &["run", "--format", "markdown"]] {
        let text = stdout(&killmatrix(folder.path(), arguments));
        assert!(!text.contains(['\u{1b}', '\u{7}', '\u{202e}']), "{arguments:?}: {text:?}");
    }
}

#[test]
fn nothing_is_said_of_a_mutant_where_the_reference_disagrees() {
    let wrong = json!({ "append": [event(1, "Lyon")], "expect": [{ "id": 1, "city": "Paris" }] });
    let folder = folder_with(&fixture(&wrong));
    let output = killmatrix(folder.path(), &["explain", "collapsed_key", "fixtures/one"]);
    assert_eq!(code(&output), 4);
    assert!(!stdout(&output).contains("collapsed_key"), "{}", stdout(&output));
}

#[test]
fn a_reader_who_has_seen_enough_doesn_t_change_the_exit_code() {
    let expected = json!([{ "id": 1, "city": "Lyon" }]);
    let folder = folder_with(&fixture(&json!({ "append": [event(1, "Lyon")], "expect": expected })));
    let mut child = Command::new(env!("CARGO_BIN_EXE_cdc-killmatrix"))
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(2));
}

#[test]
fn a_command_to_go_on_can_be_pasted() {
    let expected = json!([{ "id": 1, "city": "Lyon" }]);
    let folder = folder_with(&fixture(&json!({ "append": [event(1, "Lyon")], "expect": expected })));
    fs::rename(folder.path().join("fixtures/one.json"), folder.path().join("fixtures/it's `one`.json"))
        .unwrap();
    let text = stdout(&killmatrix(folder.path(), &[]));
    let command = r"cdc-killmatrix explain arrival_order 'fixtures/it'\''s `one`.json'";
    assert!(text.contains(command), "{text}");
}

#[test]
fn rows_that_read_alike_are_told_apart() {
    let expected = json!([{ "id": 1, "city": "e\u{301}" }]);
    let folder = folder_with(&fixture(&json!({ "append": [event(1, "\u{e9}")], "expect": expected })));
    let text = stdout(&killmatrix(folder.path(), &[]));
    assert!(text.contains(r#""e\u{301}""#) && text.contains(r#""\u{e9}""#), "{text}");
}

#[test]
fn letters_of_rows_that_read_otherwise_stay() {
    let expected = json!([{ "id": 1, "city": "Müller, Anna" }]);
    let folder = folder_with(&fixture(&json!({ "append": [event(1, "Øster, 東")], "expect": expected })));
    let text = stdout(&killmatrix(folder.path(), &[]));
    assert!(text.contains("Müller, Anna") && text.contains("Øster, 東"), "{text}");
    assert!(!text.contains(['"', '\\']), "{text}");
}

#[test]
fn a_struct_is_shown_with_the_names_of_its_fields() {
    let size = json!({ "w": 1.5, "in": { "unit": "cm, round" } });
    let append = json!([{ "id": 1, "size": size, "seq": 1, "pos": 0 }]);
    let mut fixture = fixture(&json!({ "append": append, "expect": [] }));
    let size = "STRUCT<w: DOUBLE, in: STRUCT<unit: STRING>>";
    fixture["schema"] = json!({ "id": "BIGINT", "size": size, "seq": "BIGINT", "pos": "INT" });
    let folder = folder_with(&fixture);
    let text = stdout(&killmatrix(folder.path(), &["rows", "fixtures/one.json"]));
    assert!(text.contains(r#"{w: 1.5, in: {unit: "cm, round"}}"#), "{text}");
}

#[test]
fn one_wrong_row_among_many_is_shown_with_few_others() {
    let rows = |wrong: i64| -> Vec<Value> {
        let city = |id| if id == wrong { "Paris" } else { "Lyon" };
        (0..1000).map(|id| json!({ "id": id, "city": city(id) })).collect()
    };
    let events: Vec<Value> = (0..1000).map(|id| event(id, "Lyon")).collect();
    let folder = folder_with(&fixture(&json!({ "append": events, "expect": rows(500) })));
    let text = stdout(&killmatrix(folder.path(), &[]));
    assert!(text.contains("... 497 equal rows") && text.contains("... 496 equal rows"), "{text}");
    assert!(text.lines().count() < 60, "{text}");
}

#[test]
fn what_a_crate_of_ones_own_is_told_to_run_is_what_cargo_runs_there() {
    let (package, elsewhere) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let package = package.path().canonicalize().unwrap();
    let told = |folder: &Path| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cdc-killmatrix"));
        command.env("CARGO_PKG_NAME", "mine").env("CARGO_MANIFEST_DIR", &package);
        stderr(&command.arg("audit").current_dir(folder).output().unwrap())
    };
    let here = told(&package);
    assert!(here.contains("expected a path: cargo run -- audit PATH"), "{here}");
    let there = told(elsewhere.path());
    assert!(there.contains("expected a path: cargo run -p mine -- audit PATH"), "{there}");
}

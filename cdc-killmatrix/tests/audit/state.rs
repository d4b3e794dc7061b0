//! The file of what was accepted: written, read, compared by the command.

use std::fs;
use std::path::Path;

use cdc_killmatrix::audit::State;
use cdc_killmatrix::{Fixtures, Matrix, catalogue};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::binary::{code, killmatrix, parsed, stderr, stdout};

/// A suite of two fixtures: a late event, and a delete.
fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::create_dir_all(folder.path().join("fixtures/people")).unwrap();
    let flow = json!({
        "keys": ["id"], "sequence_by": "seq", "apply_as_deletes": "gone", "except_column_list": ["seq", "gone"],
    });
    let suite =
        json!({ "flow": flow, "schema": { "id": "INT", "city": "STRING", "seq": "INT", "gone": "BOOLEAN" } });
    write(folder.path(), "people/suite.json", &suite);
    let event = |id: i32, city: &str, seq: i32| json!({ "id": id, "city": city, "seq": seq });
    let late = json!([{ "append": [event(1, "Lyon", 2), event(2, "Metz", 2), event(1, "Nice", 1)],
        "expect": [{ "id": 1, "city": "Lyon" }, { "id": 2, "city": "Metz" }] }]);
    write(folder.path(), "people/late.json", &json!({ "name": "late", "checkpoints": late }));
    let delete =
        json!([{ "append": [event(1, "Lyon", 1), { "id": 1, "seq": 2, "gone": true }], "expect": [] }]);
    write(folder.path(), "people/delete.json", &json!({ "name": "delete", "checkpoints": delete }));
    folder
}

fn write(folder: &Path, name: &str, json: &Value) {
    let file = folder.join("fixtures").join(name);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, json.to_string()).unwrap();
}

fn accepted(folder: &TempDir) -> String {
    fs::read_to_string(folder.path().join("accepted.json")).unwrap()
}

const AUDIT: [&str; 3] = ["audit", "--accepted", "accepted.json"];

#[test]
fn a_missing_file_is_written_and_then_compared() {
    let folder = folder();
    let first = killmatrix(folder.path(), &AUDIT);
    assert_eq!(code(&first), 0, "{}", stderr(&first));
    assert!(stderr(&first).starts_with("accepted.json is written"), "{}", stderr(&first));
    let text = accepted(&folder);
    assert!(text.contains("\n        \"ignored_deletes\": {\"caught\":[\"delete\"]},\n"), "{text}");
    assert!(text.contains("\"path\": \"fixtures/people\""), "{text}");
    assert!(text.contains("\"ignored_tie_breaker\": \"not_applicable\",\n"), "{text}");
    assert!(text.contains("\"kept_nulls\": {\"caught\":[]}"), "a survivor: {text}");
    let second = killmatrix(folder.path(), &AUDIT);
    assert_eq!((code(&second), stderr(&second).as_str()), (0, ""));
    assert!(stdout(&second).ends_with("\nAll is as accepted.json says.\n"), "{}", stdout(&second));
    assert_eq!(accepted(&folder), text);
}

#[test]
fn a_file_says_after_reading_what_it_said_before() {
    let folder = folder();
    let fixtures = Fixtures::load([folder.path().join("fixtures")]).unwrap();
    let state = State::of(&fixtures, &Matrix::of(&fixtures, &catalogue::all()), folder.path());
    fs::write(folder.path().join("accepted.json"), state.text()).unwrap();
    assert_eq!(State::read(&folder.path().join("accepted.json")).unwrap(), state);
    assert!(serde_json::from_str::<Value>(&state.text()).is_ok());
}

#[test]
fn what_became_worse_fails_until_it_is_accepted() {
    let folder = folder();
    killmatrix(folder.path(), &AUDIT);
    fs::remove_file(folder.path().join("fixtures/people/delete.json")).unwrap();
    let worse = killmatrix(folder.path(), &AUDIT);
    assert_eq!(code(&worse), 2);
    let text = stdout(&worse);
    assert!(text.contains("people: there is no fixture delete any more."), "{text}");
    assert!(
        text.contains("people: ignored_deletes was caught by delete; now no fixture catches it."),
        "{text}"
    );
    assert!(text.ends_with("  cdc-killmatrix audit --accepted accepted.json --accept\n"), "{text}");
    let json =
        parsed(&killmatrix(folder.path(), &["audit", "--accepted", "accepted.json", "--format", "json"]));
    assert_eq!(
        (&json["changes"][0]["kind"], &json["changes"][0]["grade"]),
        (&json!("fixture_gone"), &json!("worse"))
    );
    let markdown = stdout(&killmatrix(folder.path(), &[&AUDIT[..], &["--format", "markdown"]].concat()));
    assert!(
        markdown.contains("**Worse than accepted**\n\n* people: there is no fixture delete"),
        "{markdown}"
    );

    assert_eq!(code(&killmatrix(folder.path(), &[&AUDIT[..], &["--accept"]].concat())), 0);
    assert_eq!(code(&killmatrix(folder.path(), &AUDIT)), 0, "it is accepted");
    let left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 2, "nothing is left beside the file: {left:?}");
}

#[test]
fn a_changed_flow_says_whose_rows_were_typed_under_the_old_one() {
    let folder = folder();
    killmatrix(folder.path(), &AUDIT);
    let file = folder.path().join("fixtures/people/suite.json");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace("\"seq\",\"gone\"]", "\"seq\",\"gone\"],\"ignore_null_updates\":true"))
        .unwrap();
    let told = killmatrix(folder.path(), &AUDIT);
    let text = stdout(&told).replace("\n    ", " ");
    assert!(
        text.contains("people: the definition of delete and late changed; their rows were typed under"),
        "{text}"
    );
    assert!(text.contains("can't any more: kept_nulls"), "{text}");
}

#[test]
fn suites_that_are_not_loaded_or_in_part_keep_what_was_accepted() {
    let folder = folder();
    let more = json!({ "name": "more", "schema": { "id": "INT", "seq": "INT" },
        "flow": { "keys": ["id"], "sequence_by": "seq" },
        "checkpoints": [{ "append": [{ "id": 1, "seq": 1 }], "expect": [{ "id": 1, "seq": 1 }] }] });
    write(folder.path(), "other/more.json", &more);
    killmatrix(folder.path(), &AUDIT);
    let before = accepted(&folder);
    for part in ["fixtures/other", "fixtures/people/late.json"] {
        let arguments = ["audit", part, "--accepted", "accepted.json"];
        let output = killmatrix(folder.path(), &arguments);
        assert_eq!(code(&output), 0, "{}", stdout(&output));
        assert!(stdout(&output).contains("not judged"), "{}", stdout(&output));
        assert_eq!(code(&killmatrix(folder.path(), &[&arguments[..], &["--accept"]].concat())), 0);
        assert_eq!(accepted(&folder), before, "{part}");
    }
    fs::remove_dir_all(folder.path().join("fixtures/other")).unwrap();
    let gone = killmatrix(folder.path(), &AUDIT);
    assert_eq!(code(&gone), 2);
    assert!(
        stdout(&gone).contains("other: there is no folder fixtures/other any more."),
        "{}",
        stdout(&gone)
    );
}

#[test]
fn a_new_suite_does_not_fail_and_is_accepted_by_the_command_that_is_told() {
    let folder = folder();
    killmatrix(folder.path(), &AUDIT);
    let more = json!({ "name": "more", "schema": { "id": "INT", "seq": "INT" },
        "flow": { "keys": ["id"], "sequence_by": "seq" },
        "checkpoints": [{ "append": [{ "id": 1, "seq": 1 }], "expect": [{ "id": 1, "seq": 1 }] }] });
    write(folder.path(), "other/more.json", &more);
    let told = killmatrix(folder.path(), &AUDIT);
    let text = stdout(&told);
    assert_eq!(code(&told), 0, "{text}");
    assert!(text.contains("other: new suite: 1 fixture, "), "{text}");
    assert!(text.contains("not caught:") && text.contains("--accepted accepted.json --accept"), "{text}");
    assert_eq!(code(&killmatrix(folder.path(), &[&AUDIT[..], &["--accept"]].concat())), 0);
    assert!(!stdout(&killmatrix(folder.path(), &AUDIT)).contains("new suite"));
}

#[test]
fn a_part_of_a_suite_is_no_state() {
    let folder = folder();
    let output =
        killmatrix(folder.path(), &["audit", "fixtures/people/late.json", "--accepted", "accepted.json"]);
    assert_eq!(code(&output), 1);
    assert!(stderr(&output).starts_with("only a part of the suite people is given"), "{}", stderr(&output));
    assert!(!folder.path().join("accepted.json").exists());
}

#[test]
fn a_file_that_is_none_is_told_with_its_place_and_left_alone() {
    for (text, fault) in [
        ("", "accepted.json:1:1: the file is empty"),
        ("{", "accepted.json:1:2: the file ends inside"),
        ("[]", "accepted.json:1:1: this is a list; expected a file that `audit --accepted` wrote"),
        (
            "{}",
            "accepted.json:1:1: there is no `killmatrix`; expected a file that `audit --accepted` wrote, of version 1",
        ),
        ("{\"killmatrix\": 2}", "accepted.json:1:16: the file is of version 2; expected"),
        ("{\"killmatrix\": 1}", "accepted.json:1:1: there is no `suites`"),
        (
            "{\"killmatrix\": 1,\n \"suites\": {}, \"suits\": 1}",
            "accepted.json:2:16: there is no field `suits`",
        ),
        (
            "{\"killmatrix\": 1, \"suites\": {\n\"s\": {\"path\": 1, \"fixtures\": {\"f\": []}, \"mutants\": {\"m\": {\"caugt\": []}}}}}",
            "accepted.json:2:15: `path` is the number `1`; expected a text in quotes",
        ),
        (
            "{\"killmatrix\": 1, \"suites\": {\n\"s\": {}, \"s\": {}}}",
            "accepted.json:2:10: `s` is given twice",
        ),
    ] {
        let folder = folder();
        fs::write(folder.path().join("accepted.json"), text).unwrap();
        for arguments in [&AUDIT[..], &[&AUDIT[..], &["--accept"]].concat()] {
            let output = killmatrix(folder.path(), arguments);
            assert_eq!((code(&output), stdout(&output).as_str()), (1, ""), "{text}");
            assert!(stderr(&output).contains(fault), "{text}: {}", stderr(&output));
        }
        assert_eq!(accepted(&folder), text);
    }
}

#[test]
fn a_file_that_cannot_be_written_or_read_is_told() {
    let folder = folder();
    let output = killmatrix(folder.path(), &["audit", "--accepted", "no/such/folder.json"]);
    assert_eq!(code(&output), 1);
    let said = "no/such/folder.json: can't be written: ";
    assert!(stderr(&output).starts_with(said), "{}", stderr(&output));
    assert!(!stderr(&output).contains(".killmatrix-"), "the same each time: {}", stderr(&output));
    let output = killmatrix(folder.path(), &["audit", "--accepted", "fixtures"]);
    assert_eq!(code(&output), 1);
    assert!(stderr(&output).starts_with("fixtures: the file can't be read: "), "{}", stderr(&output));
}

#[test]
fn to_accept_needs_a_file() {
    let output = killmatrix(folder().path(), &["audit", "--accept"]);
    assert_eq!(code(&output), 1);
}

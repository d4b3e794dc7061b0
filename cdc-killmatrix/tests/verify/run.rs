//! What a run in a workspace left: broken copies, refusals, and what couldn't be run.

use std::fs;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::binary::{code, killmatrix, parsed, stderr, stdout};
use super::{FIRST, LAST, folder};

/// The rows of `arrival_order` after checkpoint 2: of toy 1 the rope came last.
const ROPE: &str = r#"[
  {"id": 1, "name": "rope", "shop": "Metz", "price": "3.00"},
  {"id": 2, "name": "", "shop": null, "price": "10.00"}
]"#;

const REFUSED: &str = "AUTOCDC_MICROBATCH_VALIDATION.NULL_KEY: a key is null";

/// The folder with a second fixture, whose second batch has to be refused, and captures.
fn kit() -> TempDir {
    let folder = folder();
    let toys: Value =
        serde_json::from_str(&fs::read_to_string(folder.path().join("pets/toys.json")).unwrap()).unwrap();
    let keyless = json!({
        "name": "keyless",
        "schema": toys["schema"],
        "flow": toys["flow"],
        "checkpoints": [
            toys["checkpoints"][0],
            { "append": [{ "id": null, "name": "ball", "shop": null, "price": "1", "seq": 9 }], "expect_error": "NULL_KEY" },
        ],
    });
    fs::write(folder.path().join("pets/keyless.json"), keyless.to_string()).unwrap();
    for (file, rows) in [("first", FIRST), ("last", LAST), ("rope", ROPE)] {
        fs::write(folder.path().join(format!("{file}.json")), rows).unwrap();
    }
    folder
}

fn entry(fixture: &str, checkpoint: usize, mut left: Value) -> Value {
    left["fixture"] = json!(format!("pets/{fixture}.json"));
    left["checkpoint"] = json!(checkpoint);
    left
}

fn rows(file: &str) -> Value {
    json!({ "rows": format!("{file}.json") })
}

fn of_mutant(mut left: Value) -> Value {
    left["mutant"] = json!("arrival_order");
    left
}

/// A run in which each fixture is right, and `arrival_order` is what is given.
fn run(of_toys: [Value; 2]) -> Vec<Value> {
    let [first, second] = of_toys.map(of_mutant);
    vec![
        entry("toys", 1, rows("first")),
        entry("toys", 2, rows("last")),
        entry("keyless", 1, rows("first")),
        entry("keyless", 2, json!({ "refused": REFUSED })),
        entry("toys", 1, first),
        entry("toys", 2, second),
    ]
}

fn verified(entries: &[Value], more: &[&str]) -> (i32, String, String) {
    let folder = kit();
    fs::write(folder.path().join("manifest.json"), json!({ "captures": entries }).to_string()).unwrap();
    let output = killmatrix(folder.path(), &[&["verify", "--manifest", "manifest.json"], more].concat());
    (code(&output), stdout(&output), stderr(&output))
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<&str>>().join(" ")
}

/// The cells of a run: what the model says, what the captures say, and how these stand to each other.
fn cells(entries: &[Value]) -> (i32, Vec<[String; 3]>) {
    let folder = kit();
    fs::write(folder.path().join("manifest.json"), json!({ "captures": entries }).to_string()).unwrap();
    let output = killmatrix(folder.path(), &["verify", "--manifest", "manifest.json", "--format", "json"]);
    let json = parsed(&output);
    let text =
        |cell: &Value| ["model", "engine", "agreement"].map(|name| cell[name].as_str().unwrap().to_owned());
    (code(&output), json["run"]["mutants"].as_array().unwrap().iter().map(text).collect())
}

#[test]
fn a_run_that_is_as_the_model_says_passes_with_its_cells() {
    let (code, out, err) = verified(&run([rows("first"), rows("rope")]), &[]);
    assert_eq!(code, 0, "{out}{err}");
    assert!(out.contains("3 captures: each is what the fixture expects."), "{out}");
    assert!(out.contains("\ntoys     equal\nkeyless  equal\n"), "{out}");
    assert!(
        squeezed(&out).contains("1 cell, 1 of them as in the model (1 caught, 0 missed), 0 not."),
        "{out}"
    );
    assert!(out.lines().all(|line| line.chars().count() <= 80), "{out}");
}

#[test]
fn a_copy_that_the_workspace_does_not_show_is_another_cell() {
    let (code, cells) = cells(&run([rows("first"), rows("last")]));
    assert_eq!((code, cells), (5, vec![["caught", "missed", "other_engine"].map(str::to_owned)]));
}

#[test]
fn what_was_not_run_is_never_caught() {
    let denied = json!({ "not_run": "PERMISSION_DENIED: no CREATE TABLE" });
    for first in [rows("first"), denied.clone()] {
        let (code, cells) = cells(&run([first, denied.clone()]));
        assert_eq!((code, cells), (1, vec![["caught", "unknown", "unknown"].map(str::to_owned)]));
    }
    let mut entries = run([rows("first"), rows("rope")]);
    entries[1] = entry("toys", 2, denied);
    let (code, out, _) = verified(&entries, &[]);
    assert_eq!(code, 1, "{out}");
    assert!(
        out.contains("toys     not_run") && squeezed(&out).contains("PERMISSION_DENIED: no CREATE TABLE"),
        "{out}"
    );
    assert!(squeezed(&out).contains("none tried on 1 fixture"), "{out}");
}

#[test]
fn a_checkpoint_without_a_capture_was_not_run() {
    let mut entries = run([rows("first"), rows("rope")]);
    entries.pop();
    let (code, cells) = cells(&entries);
    assert_eq!((code, cells), (1, vec![["caught", "unknown", "unknown"].map(str::to_owned)]));
}

#[test]
fn a_batch_that_had_to_be_refused_is_no_pass_when_it_is_accepted() {
    for left in [rows("first"), json!({ "refused": "SOMETHING_ELSE: no" })] {
        let mut entries = run([rows("first"), rows("rope")]);
        entries[3] = entry("keyless", 2, left);
        let (code, out, _) = verified(&entries, &[]);
        assert_eq!(code, 5, "{out}");
        assert!(squeezed(&out).contains("expected a refusal with [NULL_KEY]"), "{out}");
    }
}

#[test]
fn the_evidence_has_what_the_run_came_to() {
    let folder = kit();
    let manifest = json!({ "captures": run([rows("first"), json!({ "not_run": "a timeout" })]) });
    fs::write(folder.path().join("manifest.json"), manifest.to_string()).unwrap();
    killmatrix(folder.path(), &["verify", "--manifest", "manifest.json", "--evidence", "evidence.json"]);
    let text = fs::read_to_string(folder.path().join("evidence.json")).unwrap();
    let evidence: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(evidence["verdict"], "not_run");
    assert_eq!(evidence["run"]["mutants"][0]["reason"], "it couldn't be carried out: a timeout");
}

#[test]
fn rows_beside_a_refusal_are_compared_where_both_are_expected() {
    let folder = kit();
    let file = folder.path().join("pets/keyless.json");
    let mut fixture: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    fixture["checkpoints"][1]["expect"] = serde_json::from_str(FIRST).unwrap();
    fs::write(&file, fixture.to_string()).unwrap();
    for (rows, expected) in [("first.json", 0), ("last.json", 5), ("none.json", 1)] {
        let told = ["verify", "pets/keyless.json", "--checkpoint", "2", "--rows", rows];
        assert_eq!(code(&killmatrix(folder.path(), &told)), expected, "{rows}");
        let entries =
            [entry("keyless", 1, self::rows("first")), entry("keyless", 2, json!({ "rows": rows }))];
        fs::write(folder.path().join("manifest.json"), json!({ "captures": entries }).to_string()).unwrap();
        let output = killmatrix(folder.path(), &["verify", "--manifest", "manifest.json"]);
        assert_eq!(code(&output), expected, "{rows}: {}{}", stdout(&output), stderr(&output));
    }
    fixture["checkpoints"][1].as_object_mut().unwrap().remove("expect");
    fs::write(&file, fixture.to_string()).unwrap();
    let told = ["verify", "pets/keyless.json", "--checkpoint", "2", "--rows", "first.json"];
    assert_eq!(code(&killmatrix(folder.path(), &told)), 1, "there is nothing to compare");
}

#[test]
fn no_capture_of_a_broken_copy_is_passed_over() {
    let first = || of_mutant(rows("first"));
    let none = |fixture: &str, mutant: &str| {
        let mut entries = run([rows("first"), rows("rope")]);
        let mut left = first();
        left["mutant"] = json!(mutant);
        entries.push(entry(fixture, 1, left));
        let (code, out, err) = verified(&entries, &[]);
        assert_eq!((code, out.as_str()), (1, ""), "{err}");
        err
    };
    assert!(none("toys", "no_tombstone").contains("`no_tombstone` can't be played in a workspace"));
    // It deletes nothing, and so leaves this one nothing to do.
    assert!(none("toys", "ignored_deletes").contains("this belongs to no cell"));
    // Of a fixture that couldn't be run itself there is no cell, and that is told.
    let mut entries = run([rows("first"), rows("rope")]);
    entries[0] = entry("toys", 1, json!({ "not_run": "a timeout" }));
    assert_eq!(verified(&entries, &[]).0, 1);
}

#[test]
fn a_fixture_may_be_named_in_several_ways_and_is_one() {
    let mut entries = run([rows("first"), rows("last")]);
    entries[5]["fixture"] = json!("./pets/../pets/toys.json");
    let (code, cells) = cells(&entries);
    assert_eq!((code, cells), (5, vec![["caught", "missed", "other_engine"].map(str::to_owned)]));
    for again in [0, 3, 4] {
        let mut entries = run([rows("first"), rows("rope")]);
        entries.push(entries[again].clone());
        let (code, out, err) = verified(&entries, &[]);
        assert_eq!((code, out.as_str()), (1, ""), "{err}");
        assert!(err.contains("manifest.json:1:") && err.contains("was captured already"), "{err}");
    }
}

#[test]
fn a_copy_that_is_refused_where_rows_are_expected_does_not_pass() {
    let refused = json!({ "refused": "AUTOCDC_INVALID: no" });
    let (code, cells) = cells(&run([rows("first"), refused]));
    assert_eq!((code, cells), (5, vec![["caught", "unknown", "unknown"].map(str::to_owned)]));
}

#[test]
fn a_capture_of_a_broken_copy_says_whose_it_is() {
    let folder = kit();
    let other = json!({ "fixture": "pets/keyless", "checkpoint": 1, "rows": serde_json::from_str::<Value>(FIRST).unwrap() });
    fs::write(folder.path().join("other.json"), other.to_string()).unwrap();
    let manifest = json!({ "captures": run([rows("other"), rows("rope")]) });
    fs::write(folder.path().join("manifest.json"), manifest.to_string()).unwrap();
    let output = killmatrix(folder.path(), &["verify", "--manifest", "manifest.json"]);
    assert_eq!(code(&output), 1);
    assert!(stderr(&output).contains("this is a capture of the fixture pets/keyless"), "{}", stderr(&output));
}

#[test]
fn what_is_wrong_with_an_entry_is_said_with_its_place() {
    let both = json!({ "rows": "first.json", "not_run": "a timeout" });
    let unknown = json!({ "rows": "first.json", "mutant": "arival_order" });
    for (left, fault) in [
        (both, "the capture has more than one of `rows`, `refused` and `not_run`; expected one"),
        (json!({}), "the capture has no `rows`; expected the path of a file, or `refused` or `not_run`"),
        (unknown, "there is no broken copy `arival_order`; did you mean `arrival_order`?"),
        (json!({ "not_run": "" }), "`not_run` is empty; expected a text"),
        (json!({ "rows": " " }), "`rows` is empty; expected a text"),
    ] {
        let (code, out, err) = verified(&[entry("toys", 1, left)], &[]);
        assert_eq!((code, out.as_str()), (1, ""), "{err}");
        assert!(err.contains("manifest.json:1:") && err.contains(fault), "{err}");
    }
}

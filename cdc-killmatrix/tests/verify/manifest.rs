//! Several captures at once.

use std::fs;

use serde_json::json;

use crate::binary::{code, killmatrix, stderr, stdout};
use crate::{FIRST, LAST, folder};

#[test]
fn several_captures_stand_in_a_manifest_whose_paths_are_seen_from_it() {
    let folder = folder();
    let captures = folder.path().join("captures");
    fs::create_dir(&captures).unwrap();
    fs::write(captures.join("1.json"), FIRST).unwrap();
    fs::write(captures.join("2.json"), LAST).unwrap();
    let manifest = |first: &str, second: &str| {
        let entry = |checkpoint: usize, rows: &str| json!({ "fixture": "../pets/toys.json", "checkpoint": checkpoint, "rows": rows, "types": { "id": "BIGINT" } });
        let text = json!({ "captures": [entry(1, first), entry(2, second)] }).to_string();
        fs::write(captures.join("captures.json"), text).unwrap();
        killmatrix(folder.path(), &["verify", "--manifest", "captures/captures.json"])
    };
    let output = manifest("1.json", "2.json");
    assert_eq!(code(&output), 0, "{}{}", stdout(&output), stderr(&output));
    assert!(
        stdout(&output).ends_with("2 captures: each is what the fixture expects.\n"),
        "{}",
        stdout(&output)
    );
    let output = manifest("1.json", "1.json");
    assert_eq!(code(&output), 5, "{}", stderr(&output));
    assert!(stdout(&output).ends_with("2 captures: 1 equal, 1 differs.\n"), "{}", stdout(&output));
    let output = manifest("1.json", "3.json");
    assert_eq!((code(&output), stdout(&output).as_str()), (1, ""));
    for (text, expected) in [
        (json!({ "captures": [] }), "there is no capture in this file"),
        (
            json!({ "captures": [{ "fixture": "../pets/toys.json" }] }),
            "captures.json:1:14: the capture has no `rows`",
        ),
        (json!([]), "there is no capture in this file"),
        (
            json!({ "captures": [{ "fixture": "../pets/toys.json", "rows": "2.json" }, { "fixture": "../pets/toys.json", "checkpoint": 2, "rows": "2.json" }] }),
            "pets/toys, checkpoint 2, was captured already",
        ),
        (
            json!({ "captures": [{ "fixture": "../pets/toys.json", "checkpoint": 0, "rows": "2.json" }] }),
            "the number of a checkpoint, from 1",
        ),
    ] {
        fs::write(captures.join("captures.json"), text.to_string()).unwrap();
        let output = killmatrix(folder.path(), &["verify", "--manifest", "captures/captures.json"]);
        assert_eq!((code(&output), stdout(&output).as_str()), (1, ""), "{text}");
        assert!(stderr(&output).contains(expected), "{expected}: {}", stderr(&output));
    }
}

#[test]
fn all_that_is_wrong_with_captures_is_said_at_once() {
    let folder = folder();
    let entry = |checkpoint: usize, rows: &str| json!({ "fixture": "pets/toys.json", "checkpoint": checkpoint, "rows": rows });
    let text =
        json!({ "captures": [entry(1, "a.json"), entry(2, "b.json"), entry(3, "c.json")] }).to_string();
    fs::write(folder.path().join("captures.json"), text).unwrap();
    let text = stderr(&killmatrix(folder.path(), &["verify", "--manifest", "captures.json"]));
    for part in ["a.json: ", "b.json: ", "checkpoint 3 expects no rows"] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

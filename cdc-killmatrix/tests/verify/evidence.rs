//! What is kept of a run, and what never is.

use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::binary::{code, killmatrix, stderr, stdout};
use crate::{FIRST, LAST, changed, folder, verified};

/// Verifies with evidence, in a folder that has a definition and a configuration.
fn with_evidence(folder: &Path, rows: &str, configuration: &str, more: &[&str]) -> Output {
    fs::write(folder.join("rows.json"), rows).unwrap();
    fs::write(folder.join("toys.py"), "# the flow").unwrap();
    fs::write(folder.join("pipeline.json"), configuration).unwrap();
    let call = [
        "verify",
        "pets/toys.json",
        "--rows",
        "rows.json",
        "--evidence",
        "evidence.json",
        "--pipeline",
        "toys.py",
    ];
    killmatrix(folder, &[&call[..], &["--configuration", "pipeline.json"], more].concat())
}

const CONFIGURATION: &str =
    r#"{ "serverless": true, "configuration": { "pipelines.cdc.tombstoneGCThresholdInSeconds": "86400" } }"#;

#[test]
fn evidence_is_complete_and_never_overwritten() {
    let folder = folder();
    let said =
        ["--revision", "4f3a2b1", "--run-as", "ci@example.com", "--update-id", "u-1", "--update-id", "u-2"];
    let more = [&said[..], &["--captured-at", "2026-11-30T07:00:00Z", "--runtime", "Spark 4.3.0"]].concat();
    let output = with_evidence(folder.path(), FIRST, CONFIGURATION, &more);
    assert_eq!(code(&output), 5, "{}", stderr(&output));
    assert!(stdout(&output).ends_with("evidence.json is written\n"), "{}", stdout(&output));
    let file = folder.path().join("evidence.json");
    let text = fs::read_to_string(&file).unwrap();
    let evidence: Value = serde_json::from_str(&text).unwrap();
    let hash = |name: &str| {
        data_encoding::HEXLOWER.encode(&Sha256::digest(fs::read(folder.path().join(name)).unwrap()))
    };
    for (place, expected) in [
        ("/program/version", json!(env!("CARGO_PKG_VERSION"))),
        ("/revision", json!("4f3a2b1")),
        ("/run_as", json!("ci@example.com")),
        ("/update_ids", json!(["u-1", "u-2"])),
        ("/captured_at", json!("2026-11-30T07:00:00Z")),
        ("/runtime", json!("Spark 4.3.0")),
        ("/pipeline", json!({ "path": "toys.py", "sha256": hash("toys.py") })),
        ("/configuration/sha256", json!(hash("pipeline.json"))),
        ("/configuration/content", serde_json::from_str(CONFIGURATION).unwrap()),
        ("/fixtures", json!([{ "path": "pets/toys.json", "sha256": hash("pets/toys.json") }])),
        ("/verdict", json!("differs")),
        ("/captures/0/verdict", json!("differs")),
        ("/captures/0/capture", json!("rows.json")),
        ("/captures/0/files", json!([{ "path": "rows.json", "sha256": hash("rows.json") }])),
        ("/captures/0/checkpoint", json!(2)),
        ("/captures/0/rows_of", json!([1])),
        ("/captures/0/rows", serde_json::from_str(FIRST).unwrap()),
    ] {
        assert_eq!(evidence.pointer(place), Some(&expected), "{place}");
    }
    let again = with_evidence(folder.path(), LAST, CONFIGURATION, &[]);
    assert_eq!((code(&again), stdout(&again).as_str()), (1, ""));
    assert!(stderr(&again).contains("evidence.json: it is there already"), "{}", stderr(&again));
    assert_eq!(fs::read_to_string(&file).unwrap(), text);
}

#[test]
fn every_file_that_says_something_is_hashed() {
    let folder = folder();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    let hashed = |name: &str| {
        let bytes = fs::read(folder.path().join(name)).unwrap();
        json!({ "path": name, "sha256": data_encoding::HEXLOWER.encode(&Sha256::digest(bytes)) })
    };
    let evidence = |name: &str, call: &[&str]| -> Value {
        let output = killmatrix(folder.path(), &[&["verify", "--evidence", name], call].concat());
        assert_eq!(code(&output), 0, "{}{}", stdout(&output), stderr(&output));
        serde_json::from_str(&fs::read_to_string(folder.path().join(name)).unwrap()).unwrap()
    };
    write("rows.json", LAST);
    write("types.txt", "id BIGINT, price DECIMAL(6,2)");
    write(
        "toys.sql",
        "CREATE FLOW a AS AUTO CDC INTO toys FROM stream(x) KEYS (id) SEQUENCE BY seq\n\
         COLUMNS * EXCEPT (seq) STORED AS SCD TYPE 1;",
    );
    let flow = ["--types", "types.txt", "--flow", "toys.sql#a"];
    let found = evidence("1.json", &[&["pets/toys.json", "--rows", "rows.json"][..], &flow].concat());
    assert_eq!((&found["types"], &found["manifest"]), (&hashed("types.txt"), &Value::Null));
    let mut expected = hashed("toys.sql");
    expected["name"] = json!("a");
    assert_eq!(found["flow"], expected);
    write("captures.json", r#"{"captures": [{"fixture": "pets/toys.json", "rows": "rows.json"}]}"#);
    let found = evidence("2.json", &["--manifest", "captures.json"]);
    assert_eq!((&found["types"], &found["manifest"]), (&Value::Null, &hashed("captures.json")));
    assert_eq!(found["flow"], Value::Null);
}

#[test]
fn a_definition_takes_the_place_of_the_fixtures_flow() {
    let folder = folder();
    let definition = "CREATE FLOW a AS AUTO CDC INTO toys FROM stream(x) KEYS (id) SEQUENCE BY seq\n\
         COLUMNS * EXCEPT (seq, shop) STORED AS SCD TYPE 1;";
    fs::write(folder.path().join("toys.sql"), definition).unwrap();
    let output = verified(&folder, "rows.json", LAST, &["--flow", "toys.sql#a"]);
    assert_eq!((code(&output), stdout(&output).as_str()), (1, ""));
    assert!(stderr(&output).contains("`shop`"), "{}", stderr(&output));
}

#[test]
fn what_looks_like_a_secret_is_refused_by_name() {
    let token = "dapi0123456789abcdef0123456789abcdef";
    let nothing = CONFIGURATION;
    let key = r#"{ "configuration": { "spark.hadoop.password": "x" } }"#;
    let value = format!(r#"{{ "configuration": {{ "host": "https://x/?k={token}" }} }}"#);
    let yaml = "serverless: true\napi_token: abc\n";
    let row = changed(|rows| rows[0]["name"] = json!(token));
    for (rows, configuration, more, expected) in [
        (LAST, nothing, &["--revision", token][..], "--revision: this looks like a secret"),
        (LAST, nothing, &["--run-as", "me, password horse"], "--run-as: this looks like a secret"),
        (
            LAST,
            nothing,
            &["--update-id", "u-1", "--update-id", "token=u"],
            "--update-id: this looks like a secret",
        ),
        (LAST, nothing, &["--captured-at", "Bearer x"], "--captured-at: this looks like a secret"),
        (LAST, nothing, &["--runtime", "secret"], "--runtime: this looks like a secret"),
        (LAST, key, &[], "pipeline.json: `configuration.spark.hadoop.password` looks like a secret"),
        (LAST, &value, &[], "pipeline.json: `configuration.host` looks like a secret"),
        (LAST, yaml, &[], "pipeline.json: line 2 looks like a secret"),
        (&row, nothing, &[], "what looks like a secret, in `captures.0"),
    ] {
        let folder = folder();
        let output = with_evidence(folder.path(), rows, configuration, more);
        assert_eq!((code(&output), stdout(&output).as_str()), (1, ""), "{expected}");
        assert!(stderr(&output).contains(expected), "{expected}: {}", stderr(&output));
        assert!(
            !stderr(&output).contains("0123456789abcdef0") || more.contains(&token),
            "{}",
            stderr(&output)
        );
        assert!(!folder.path().join("evidence.json").exists(), "{expected}");
    }
}

#[test]
fn what_is_for_evidence_needs_it() {
    let output = verified(&folder(), "rows.json", LAST, &["--revision", "1"]);
    assert_eq!(code(&output), 1);
    assert!(stderr(&output).contains("--evidence <FILE>"), "{}", stderr(&output));
}

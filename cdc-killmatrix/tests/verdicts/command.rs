//! The command, and documents with verdicts.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};
use tempfile::TempDir;

use super::{city, fixture, folder};

fn killmatrix(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cdc-killmatrix"));
    command.env_remove("CARGO_PKG_NAME").args(arguments).current_dir(folder).output().unwrap()
}

fn out(output: &Output) -> (Option<i32>, String) {
    (output.status.code(), String::from_utf8(output.stdout.clone()).unwrap())
}

#[test]
fn a_stop_sign_exits_with_5_unless_only_a_report_is_asked_for() {
    let events = [(1, Some("Lyon"), 10, 0), (1, Some("Nice"), 10, 1)];
    let stops = folder(&[fixture("tie", &events, &city("Nice"))]);
    let (code, text) = out(&killmatrix(stops.path(), &["verdicts"]));
    assert_eq!(code, Some(5));
    assert!(
        text.contains("Title of tie  stop: order") && text.ends_with("\n1 configuration: 1 stop: order.\n"),
        "{text}"
    );
    let report = killmatrix(stops.path(), &["verdicts", "fixtures", "--report-only"]);
    assert_eq!(out(&report), (Some(0), text));

    let ships = folder(&[fixture("one", &events[..1], &city("Lyon"))]);
    assert_eq!(out(&killmatrix(ships.path(), &["verdicts"])).0, Some(0));
    let disagrees = folder(&[fixture("one", &events[..1], &city("Oslo"))]);
    let (code, text) = out(&killmatrix(disagrees.path(), &["verdicts"]));
    assert!(code == Some(4) && text.contains("expects otherwise than AUTO CDC does"), "{code:?} {text}");
    assert_eq!(out(&killmatrix(TempDir::new().unwrap().path(), &["verdicts"])).0, Some(1));
}

#[test]
fn the_json_has_the_names_of_the_contract() {
    let events = [(1, Some("Lyon"), 10, 0), (1, Some("Nice"), 10, 1)];
    let folder = folder(&[fixture("tie", &events, &city("Nice"))]);
    let (_, text) = out(&killmatrix(folder.path(), &["verdicts", "--format", "json"]));
    let json: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(json["suites"][0]["classes"]["AMBIGUOUS_ORDER"], 1);
    let verdict = &json["verdicts"][0];
    assert_eq!((&verdict["suite"], &verdict["fixture"]), (&json!("fixtures"), &json!("tie")));
    assert_eq!((&verdict["class"], &verdict["verdict"]), (&json!("AMBIGUOUS_ORDER"), &json!("stop: order")));
    assert_eq!((&verdict["stop"], &verdict["tie"]), (&json!(true), &json!([1, 2])));
    assert_eq!(
        (&verdict["events"], &verdict["row_counts"], &verdict["rows"]),
        (&json!(2), &json!([1]), &city("Nice"))
    );
}

#[test]
fn foreign_text_is_shown_and_never_obeyed() {
    let events = [(1, Some("\u{1b}[2J|<b>"), 10, 0), (1, Some("\u{202e}"), 10, 0)];
    let mut tie = fixture("tie", &events, &json!([{ "id": 1, "city": "\u{202e}" }]));
    tie["title"] = json!("a\u{1b}[31m | <script>");
    let folder = folder(&[tie]);
    for format in ["text", "markdown"] {
        let (_, text) = out(&killmatrix(folder.path(), &["verdicts", "--format", format]));
        assert!(!text.contains(['\u{1b}', '\u{202e}']), "{text:?}");
        assert!(format == "text" || !text.contains("<script>") && !text.contains("| <"), "{text}");
        assert!(format != "text" || text.lines().all(|line| line.chars().count() <= 80), "{text}");
    }
}

#[test]
fn a_document_may_hold_verdicts() {
    let events = [(1, Some("Lyon"), 10, 0), (1, Some("Nice"), 10, 1)];
    let folder = folder(&[fixture("tie", &events, &city("Nice"))]);
    let document = folder.path().join("doc.md");
    fs::write(&document, "<!-- begin killmatrix verdicts fixtures -->\n<!-- end killmatrix -->\n").unwrap();
    assert_eq!(out(&killmatrix(folder.path(), &["docs", "--check", "doc.md"])).0, Some(5));
    assert_eq!(out(&killmatrix(folder.path(), &["docs", "doc.md"])).0, Some(0));
    let text = fs::read_to_string(&document).unwrap();
    let row = "| Title of tie | 1 | AMBIGUOUS\\_ORDER | stop: order | Events 1 and 2 of checkpoint 1";
    assert!(text.contains(row) && text.ends_with("\n\n<!-- end killmatrix -->\n"), "{text}");
    assert_eq!(out(&killmatrix(folder.path(), &["docs", "--check", "doc.md"])).0, Some(0));
}

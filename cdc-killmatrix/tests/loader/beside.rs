//! Rows in a CSV beside the fixture, which names it.

use cdc_core::Value;
use cdc_killmatrix::{Business, Fixture};

use super::{Folder, HEAD, fixture};

/// Events and a table as spreadsheets write them: a byte-order mark, line ends of two characters.
const EVENTS: &str = "\u{feff}seq,id,city,op\r\n10,1,Paris,\r\n11,2,\"\",\r\n12,3,,\r\n";
const TABLE: &str = "city,ID\n\"\",2\nParis,1\n,3\n";

/// A folder with a fixture that is sound but for its checkpoints, and with the files that it names.
fn folder(checkpoints: &str, files: &[(&str, &str)]) -> Folder {
    let folder = Folder::new().with("f/a.json", fixture(checkpoints));
    files.iter().fold(folder, |folder, (path, content)| folder.with(&format!("f/{path}"), content))
}

fn loaded(checkpoints: &str, files: &[(&str, &str)]) -> Fixture {
    folder(checkpoints, files).loaded().suites.remove(0).fixtures.remove(0)
}

/// What is wrong; the fixture's own faults without its path.
fn faults(checkpoints: &str, files: &[(&str, &str)]) -> Vec<String> {
    folder(checkpoints, files).faults().iter().map(|line| line.replace("f/a.json:", "")).collect()
}

fn text(text: &str) -> Value {
    Value::from(text)
}

#[test]
fn every_list_of_rows_may_be_a_csv() {
    let table = [("events.csv", EVENTS), ("below/Table.CSV", TABLE)];
    let name = r#""./below/Table.CSV""#;
    let one = format!(
        r#"{{"append": "events.csv", "expect": {name}, "observed": {name}}}, {{"append": [], "expect_any": [[], {name}]}}"#
    );
    let with_business = format!("{}, \"business\": {name}}}", fixture(&one).trim_end_matches('}'));
    let folder = folder("", &table).with("f/a.json", with_business);
    let fixture = folder.loaded().suites.remove(0).fixtures.remove(0);
    let rows = [[Value::Int(1), text("Paris")], [Value::Int(2), text("")], [Value::Int(3), Value::Null]];
    let sorted = |table: &cdc_core::Table| {
        let mut rows: Vec<Vec<Value>> = table.rows().iter().map(|row| row.to_vec()).collect();
        rows.sort();
        rows
    };
    let events: Vec<_> =
        fixture.feed.batch(0).events.iter().map(|event| event.values[..2].to_vec()).collect();
    assert_eq!(events, rows);
    assert_eq!(sorted(&fixture.checkpoints[0].expect[0]), rows);
    assert_eq!(sorted(fixture.checkpoints[0].observed.as_ref().unwrap()), rows);
    assert_eq!(sorted(&fixture.checkpoints[1].expect[1]), rows);
    let Some(Business::Rows(business)) = &fixture.business else { panic!("no rows") };
    assert_eq!(sorted(business), rows);
}

#[test]
fn the_rows_of_a_snapshot_may_be_a_csv() {
    let text = r#"{"name": "a", "schema": {"id": "INT"}, "flow": {"from_snapshot": true, "keys": ["id"]},
"checkpoints": [{"snapshot": {"version": 1, "rows": "all.csv"}, "expect": "all.csv"}]}"#;
    let folder = Folder::new().with("f/a.json", text).with("f/all.csv", "id\n1\n2\n");
    assert_eq!(folder.loaded().suites[0].fixtures[0].feed.batch(0).events.len(), 2);
}

#[test]
fn events_of_a_csv_stand_where_the_fixture_names_it() {
    let fixture = loaded(
        "{\"append\":\n\"events.csv\", \"expect\": \"table.csv\"}",
        &[("events.csv", EVENTS), ("table.csv", TABLE)],
    );
    assert_eq!(fixture.checkpoints[0].event_lines, [4, 4, 4]);
}

#[test]
fn a_header_alone_is_no_rows() {
    let files = [("events.csv", "id,city,op,seq\n"), ("table.csv", "id,city\r\n")];
    let fixture = loaded(r#"{"append": "events.csv", "expect": "table.csv"}"#, &files);
    assert_eq!(fixture.feed.batch(0).events.len(), 0);
    assert_eq!(fixture.checkpoints[0].expect[0].rows().len(), 0);
}

#[test]
fn faults_of_a_csv_have_their_own_place_and_say_who_names_it() {
    let files = [
        ("events.csv", "id,city,op,seq\n1,Paris,,ten\nNULL,Lyon,,11\n"),
        ("table.csv", "id,city\n1\n2,\"Lyon\n"),
        ("other.csv", "id,seq\n"),
        ("none.csv", ""),
    ];
    let checkpoints = r#"{"append": "events.csv", "expect": "table.csv"},
        {"append": [{"id": "x"}], "expect_any": ["other.csv", "none.csv"]}"#;
    assert_eq!(
        faults(checkpoints, &files),
        [
            "4:28: checkpoint 2, event 1: `id` is the text `x`; expected a whole number (INT)",
            "f/events.csv:2:10: a.json, checkpoint 1, event 1: `seq` is the text `ten`; expected a whole number \
             (BIGINT)",
            "f/events.csv:3:1: a.json, checkpoint 1, event 2: `id` is the text `NULL`; expected a whole number (INT); \
             an empty field is NULL",
            "f/none.csv:1:1: a.json, checkpoint 2: the file is empty; expected a header with the names of the columns",
            "f/other.csv:1:1: a.json, checkpoint 2: the header has no `city`; expected every column of the target",
            "f/other.csv:1:4: a.json, checkpoint 2: `seq` doesn't reach the target: the flow leaves it out; expected only columns of \
             the target",
            "f/table.csv:2:1: a.json, checkpoint 1, expected row 1: the record has 1 field; expected 2, as in the \
             header",
            "f/table.csv:3:3: a.json, checkpoint 1, expected row 2: the quotes that open here are never closed",
        ]
    );
}

#[test]
fn what_is_neither_todo_nor_rows_nor_a_csv_is_refused() {
    let list = "a list of rows, or the name of a CSV file";
    assert_eq!(
        faults(r#"{"append": "TODO", "expect": "todo"}, {"expect_any": ["rows.tsv"], "observed": ""}"#, &[]),
        [
            format!("3:28: checkpoint 1: `append` is the text `TODO`; expected {list}"),
            format!("3:46: checkpoint 1: `expect` is the text `todo`; expected `\"TODO\"`, {list}"),
            format!(
                "3:71: checkpoint 2: `expect_any[0]` is the text `rows.tsv`; expected `\"TODO\"`, {list}"
            ),
            format!("3:96: checkpoint 2: `observed` is an empty text; expected {list}"),
        ]
    );
}

#[test]
fn the_name_of_a_csv_leads_no_further_than_its_folder() {
    let expected = "expected a CSV file in the folder of this file, or below it";
    for (name, fault) in [
        ("../rows.csv", format!("`../rows.csv` leads out of the folder; {expected}")),
        ("b/../../rows.csv", format!("`b/../../rows.csv` leads out of the folder; {expected}")),
        ("/etc/rows.csv", format!("`/etc/rows.csv` leads out of the folder; {expected}")),
        ("none.csv", format!("there is no file `none.csv`; {expected}")),
        ("none/rows.csv", format!("there is no file `none/rows.csv`; {expected}")),
        ("a\u{0}.csv", format!("there is no file `a\\u{{0}}.csv`; {expected}")),
        ("folder.csv", format!("`folder.csv` is no regular file; {expected}")),
    ] {
        let json = serde_json::to_string(name).unwrap();
        let folder = folder(&format!("{{\"expect\": {json}}}"), &[("folder.csv/a.txt", "")]);
        let folder = folder.with("rows.csv", TABLE);
        assert_eq!(folder.faults(), [format!("f/a.json:3:28: checkpoint 1: {fault}")], "{name}");
    }
}

#[cfg(unix)]
#[test]
fn a_link_leads_to_a_csv_in_the_folder_only() {
    use std::os::unix::fs::symlink;
    let links = || {
        let folder =
            folder(r#"{"expect": "link.csv"}"#, &[("below/rows.csv", TABLE)]).with("rows.csv", TABLE);
        (folder.path("f/link.csv"), folder)
    };
    let (link, inside) = links();
    symlink("below/rows.csv", link).unwrap();
    assert_eq!(inside.faults(), [""; 0]);
    for target in ["../rows.csv", "/dev/zero", "../none.csv", "link.csv"] {
        let (link, outside) = links();
        symlink(target, link).unwrap();
        let faults = outside.faults();
        assert!(faults.len() == 1 && faults[0].starts_with("f/a.json:3:28: checkpoint 1: "), "{faults:?}");
        if target != "link.csv" {
            assert!(faults[0].contains("`link.csv` is a link that leads out of the folder"), "{faults:?}");
        }
    }
    let (_, below) = links();
    symlink("..", below.path("f/up")).unwrap();
    let below = below.with("f/a.json", fixture(r#"{"expect": "up/rows.csv"}"#));
    assert!(below.faults()[0].contains("`up/rows.csv` is a link that leads out of the folder"));
}

#[cfg(unix)]
#[test]
fn a_pipe_is_not_waited_for() {
    let folder = folder(r#"{"expect": "pipe.csv"}"#, &[]);
    let made = std::process::Command::new("mkfifo").arg(folder.path("f/pipe.csv")).status().unwrap();
    assert!(made.success());
    let faults = folder.faults();
    assert!(faults[0].contains("`pipe.csv` is no regular file"), "{faults:?}");
}

#[test]
fn what_is_no_text_and_what_is_too_large_is_told_with_the_fixture() {
    let utf_16: Vec<u8> = "id,city\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let marked = [&[0xff, 0xfe][..], &utf_16].concat();
    for (content, fault) in [
        (
            marked,
            "f/t.csv: a.json, checkpoint 1: the file is in UTF-16, as PowerShell's `>` writes it; expected a text file in UTF-8",
        ),
        (
            utf_16,
            "f/t.csv: a.json, checkpoint 1: the file is in UTF-16, as PowerShell's `>` writes it; expected a text file in UTF-8",
        ),
        (
            b"id,city\n1,Z\xfcrich\n".to_vec(),
            "f/t.csv:2:4: a.json, checkpoint 1: the byte 0xfc is no UTF-8; expected a text file in UTF-8",
        ),
        (
            vec![b'\n'; 33 << 20],
            "f/t.csv: a.json, checkpoint 1: the file is larger than 32 MiB; expected a smaller one",
        ),
    ] {
        assert_eq!(folder(r#"{"expect": "t.csv"}"#, &[]).with("f/t.csv", content).faults(), [fault]);
    }
}

#[test]
fn all_files_of_a_fixture_have_32_mib_together() {
    let mut table = "id,city\n".to_owned();
    table.push_str(&"\n".repeat(20 << 20));
    let twice = r#"{"expect": "t.csv"}, {"expect": "t.csv"}, {"expect": "t.csv"}"#;
    let folder = folder(twice, &[("t.csv", &table)]);
    let told = "checkpoint 2: the files that this one names are larger than 32 MiB; expected less";
    assert_eq!(folder.faults(), [format!("f/a.json:3:49: {told}")]);
}

#[test]
fn the_values_of_all_files_are_counted_together() {
    let columns: Vec<String> = (0..4000).map(|i| format!("c{i}")).collect();
    let schema: Vec<String> = columns.iter().map(|name| format!("\"{name}\": \"INT\"")).collect();
    let head = HEAD.replace("\"seq\": \"BIGINT\"", &format!("\"seq\": \"BIGINT\", {}", schema.join(", ")));
    let table = format!(
        "id,city,op,seq,{}\n{}",
        columns.join(","),
        format!("1,,,1{}\n", ",".repeat(4000)).repeat(100)
    );
    let events = vec![r#"{"id": 1}"#; 2090].join(",");
    let checkpoints = format!("{{\"append\": [{events}]}}, {{\"append\": \"e.csv\", \"expect\": []}}");
    let text = format!("{{{head},\n\"checkpoints\": [{checkpoints}]}}");
    let faults = Folder::new().with("f/a.json", text).with("f/e.csv", table).faults();
    assert_eq!(faults.len(), 1, "{faults:?}");
    assert!(
        faults[0].contains("a.json, checkpoint 2, event 6: ")
            && faults[0].contains("more than 8388608 values")
    );
}

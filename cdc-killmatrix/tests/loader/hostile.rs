//! Input that is meant to break the loader. Each is an error, quickly.

use super::{Folder, faults, faults_in, fixture, loaded};

#[test]
fn deep_nesting_is_refused() {
    let nested = |depth: usize| format!("{{\"checkpoints\": {}{}}}", "[".repeat(depth), "]".repeat(depth));
    assert_eq!(
        faults(nested(100_000)),
        ["f/a.json:1:527: the JSON is nested more than 512 deep; expected less"]
    );
    let unclosed = format!("{{\"checkpoints\": {}", "[".repeat(100_000));
    assert_eq!(faults(unclosed), ["f/a.json:1:100017: the file ends inside a list; is it complete?"]);
    let objects = format!("{{\"checkpoints\": {}1{}}}", "{\"a\":".repeat(100_000), "}".repeat(100_000));
    assert_eq!(faults(objects).len(), 1);
}

#[test]
fn nesting_up_to_the_limit_is_walked_without_harm() {
    let report = format!("\"report\": {}{}, \"name\"", "[".repeat(500), "]".repeat(500));
    let folder = Folder::new().with("f/a.json", fixture("{\"expect\": []}").replace("\"name\"", &report));
    assert_eq!(folder.loaded().suites.len(), 1);
}

#[test]
fn a_large_file_is_refused_unread() {
    let folder = Folder::new().with("f/a.json", vec![b' '; 33 << 20]);
    assert_eq!(folder.faults(), ["f/a.json: the file is larger than 32 MiB; expected a smaller one"]);
}

#[test]
fn what_is_no_fixture_is_refused_when_it_is_named() {
    for text in ["[]", "1", "null", "\"x\"", "{}"] {
        let folder = Folder::new().with("f/a.json", text);
        let faults = folder.faults_of(&["f/a.json"]);
        assert_eq!(faults.len(), 1, "{text}");
        assert!(faults[0].starts_with("f/a.json:1:1: this is no fixture: "), "{text}");
    }
}

#[test]
fn a_deep_type_is_refused() {
    let text = fixture("{\"expect\": []}")
        .replace("\"STRING\", \"op\"", &format!("\"{}\", \"op\"", "ARRAY<".repeat(100_000)));
    assert_eq!(
        faults(text),
        ["f/a.json:1:47: schema: the type of `city`: types are nested more than 64 deep"]
    );
}

#[test]
fn a_wide_type_is_refused() {
    let fields: Vec<String> = (0..20_000).map(|i| format!("f{i}: INT")).collect();
    let text = fixture("{\"expect\": []}")
        .replace("\"STRING\", \"op\"", &format!("\"STRUCT<{}>\", \"op\"", fields.join(", ")));
    assert_eq!(
        faults(text),
        ["f/a.json:1:47: schema: the type of `city`: there are more than 4096 fields; expected fewer"]
    );
}

#[test]
fn as_many_columns_and_fields_as_are_allowed_are_read() {
    let columns: Vec<String> = (0..4096).map(|i| format!("\"Column_{i}\": \"INT\"")).collect();
    // The names differ in their case and come in another order: nothing can be guessed.
    let values: Vec<String> = (0..4096).rev().map(|i| format!("\"column_{i}\": {i}")).collect();
    let names: Vec<String> = (0..4096).map(|i| format!("\"column_{i}\"")).collect();
    let text = format!(
        "{{\"name\": \"a\", \"schema\": {{{}}}, \"flow\": {{\"keys\": [{}], \"sequence_by\": \"column_1\"}},\n\
         \"checkpoints\": [{{\"append\": [{{{}}}], \"expect\": []}}]}}",
        columns.join(","),
        names.join(","),
        values.join(",")
    );
    assert_eq!(loaded(text).plan().keys().len(), 4096);

    let fields: Vec<String> = (0..4096).map(|i| format!("Column_{i}: INT")).collect();
    let row = format!("{{\"id\": 1, \"city\": {{{}}}}}", values.join(","));
    let text = fixture(&format!("{{\"append\": [{}], \"expect\": []}}", vec![row; 20].join(",")))
        .replace("\"STRING\", \"op\"", &format!("\"STRUCT<{}>\", \"op\"", fields.join(", ")));
    assert_eq!(loaded(text).checkpoints[0].event_lines.len(), 20);
}

#[test]
fn many_unknown_columns_of_a_wide_table_are_refused() {
    let columns: Vec<String> = (0..4000).map(|i| format!("\"column_{i}\": \"INT\"")).collect();
    let values: Vec<String> = (0..20_000).map(|i| format!("\"kolumn_{i}\": 1")).collect();
    let text = format!(
        "{{\"name\": \"a\", \"schema\": {{{}}}, \"flow\": {{\"keys\": [\"column_0\"], \"sequence_by\": \"column_1\"}},\n\
         \"checkpoints\": [{{\"append\": [{{{}}}], \"expect\": []}}]}}",
        columns.join(","),
        values.join(",")
    );
    assert_eq!(faults(text)[100], "and 19900 more");
}

#[test]
fn rows_that_are_null_in_a_wide_schema_cannot_fill_the_memory() {
    let columns: Vec<String> = (0..2000).map(|i| format!("\"c{i}\": \"INT\"")).collect();
    let rows = vec!["{}"; 5000].join(",");
    let text = format!(
        "{{\"name\": \"a\", \"schema\": {{{}}}, \"flow\": {{\"keys\": [\"c0\"], \"sequence_by\": \"c1\"}},\n\
         \"checkpoints\": [{{\"append\": [{rows}], \"expect\": []}}]}}",
        columns.join(",")
    );
    assert_eq!(
        faults(text),
        [
            "f/a.json:2:12611: checkpoint 1, event 4195: the rows of this file have more than 8388608 values; expected fewer"
        ]
    );
}

#[test]
fn too_many_columns_are_refused() {
    let columns: Vec<String> = (0..5000).map(|i| format!("\"c{i}\": \"INT\"")).collect();
    let text = format!(
        "{{\"name\": \"a\", \"schema\": {{{}}}, \"checkpoints\": [{{\"expect\": []}}]}}",
        columns.join(",")
    );
    assert!(
        faults(text)
            .contains(&"f/a.json:1:25: schema: the schema has 5000 columns; expected 1 to 4096".to_owned())
    );
    let names = vec!["\"id\""; 5000].join(",");
    let text = fixture("{\"expect\": []}").replace("[\"id\"]", &format!("[{names}]"));
    assert_eq!(faults(text), ["f/a.json:2:10: flow: `keys` has 5000 entries; expected at most 4096"]);
}

#[test]
fn numbers_beyond_every_type_are_refused() {
    let digits = "9".repeat(1_000_000);
    let shown = "9".repeat(60);
    assert_eq!(
        faults_in(&format!("{{\"append\": [{{\"id\": {digits}}}], \"expect\": []}}")),
        [format!(
            "3:36: checkpoint 1, event 1: `id` is the number `{shown}…`; expected a whole number (INT) from -2147483648 to 2147483647"
        )]
    );
}

#[test]
fn names_of_a_megabyte_are_cut_and_not_compared() {
    let name = "x".repeat(1 << 20);
    let shown = "x".repeat(60);
    assert_eq!(
        faults_in(&format!("{{\"append\": [{{\"{name}\": 1}}], \"expect\": []}}")),
        [format!(
            "3:30: checkpoint 1, event 1: there is no column `{shown}…`; expected one of id, city, op, seq"
        )]
    );
}

#[test]
fn a_folder_called_like_a_fixture_is_a_folder() {
    let folder = Folder::new().with("f/a.json/b.json", fixture("{\"expect\": []}"));
    assert_eq!(folder.loaded().suites[0].name, "a.json");
}

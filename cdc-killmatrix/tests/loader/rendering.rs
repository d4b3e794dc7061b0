//! How faults are shown.

use super::{Folder, fixture};

/// The rendered faults of a file; paths as seen from the temporary folder.
fn rendered(text: impl AsRef<[u8]>) -> String {
    let folder = Folder::new().with("f/a.json", text);
    let root = format!("{}/", folder.path("").display()).replace("//", "/");
    folder.load().expect_err("faults").plain().replace(&root, "")
}

#[test]
fn a_fault_shows_its_line_with_carets() {
    let text = fixture("\n  {\"append\": [{\"id\": 1, \"citty\": \"Paris\"}], \"expect\": []}");
    let expected = r#"
f/a.json:4:25: checkpoint 1, event 1: there is no column `citty`; did you mean `city`?
  |
4 |   {"append": [{"id": 1, "citty": "Paris"}], "expect": []}]}
  |                         ^^^^^^^
"#;
    assert_eq!(rendered(text), expected.trim_start());
}

#[test]
fn a_long_line_is_cut_to_80_columns_around_the_place() {
    let text = fixture(&format!(
        "{{\"note\": \"{}\", \"expect\": 5, \"note\": \"{}\"}}",
        "x".repeat(500),
        "y".repeat(500)
    ));
    let rendered = rendered(text);
    let lines: Vec<&str> = rendered.lines().collect();
    assert_eq!(lines.len(), 8, "two faults");
    for line in [lines[2], lines[3], lines[6], lines[7]] {
        assert!(line.chars().count() <= 80, "{line}");
    }
    assert!(lines[2].contains("\"expect\": 5"), "{rendered}");
}

#[test]
fn control_characters_of_a_file_never_reach_the_terminal() {
    let text = fixture("{\"\u{202e}\u{9b}2J\u{7f}\": 1, \"\\u001b[2J\": 1, \"expect\": []}");
    let folder = Folder::new().with("f/a.json", text);
    let faults = folder.load().expect_err("unknown fields");
    for shown in [faults.to_string(), faults.plain()] {
        assert!(!shown.contains(|c: char| c.is_control() && c != '\n'), "{shown:?}");
        assert!(!shown.contains('\u{202e}'), "{shown:?}");
        assert!(shown.contains(r"there is no field `\u{202e}\u{9b}2J\u{7f}`"), "{shown}");
        assert!(shown.contains(r"there is no field `\u{1b}[2J`"), "{shown}");
    }
}

#[cfg(unix)]
#[test]
fn paths_are_escaped_as_well() {
    let path = "f/\u{1b}[31m.json";
    let folder = Folder::new().with(path, "");
    let faults = folder.load().expect_err("an empty file");
    assert!(faults.to_string().ends_with("\\u{1b}[31m.json:1:1: the file is empty; expected a JSON object"));
    assert_eq!(faults.faults()[0].path, folder.path(path), "the path itself stays");
}

#[test]
fn colours_are_used_only_when_asked_for() {
    let faults = Folder::new().with("f/a.json", fixture("")).load().expect_err("no checkpoint");
    assert!(!faults.plain().contains('\u{1b}'));
    assert!(faults.styled().contains("\u{1b}["));
}

#[test]
fn after_a_hundred_faults_the_rest_is_counted() {
    let todo = "{\"expect\": \"TODO\"},".repeat(1234);
    let folder = Folder::new().with("f/a.json", fixture(todo.trim_end_matches(',')));
    let faults = folder.load().expect_err("faults");
    assert_eq!((faults.count(), faults.faults().len()), (1234, 1000));
    assert_eq!(faults.to_string().lines().count(), 101);
    assert!(faults.to_string().ends_with("\nand 1134 more"));
    assert!(faults.plain().ends_with("\nand 1134 more\n"));
}

#[test]
fn faults_stand_in_the_order_of_their_lines() {
    let text = fixture("{\"expect\": []}")
        .replace("\"flow\"", "\"titel\": 1, \"flow\"")
        .replace("\"INT\"", "\"INTT\"");
    let folder = Folder::new().with("f/a.json", text);
    let lines: Vec<_> = folder.load().expect_err("faults").faults().iter().map(|fault| fault.place).collect();
    assert_eq!(lines, [Some((1, 32)), Some((2, 1))]);
}

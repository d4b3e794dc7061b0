//! The README's sections are generated, and what it shows of Rust is compiled and run.

use std::fs;
use std::path::{Path, PathBuf};

use cdc_killmatrix::docs::DocsError;
use cdc_killmatrix::{Fixtures, catalogue, docs, files};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().unwrap()
}

#[test]
fn the_matrices_of_the_readme_are_up_to_date() {
    let readme = root().join("README.md");
    let (old, new) = docs::updated(&readme, &catalogue::all()).unwrap();
    if old == new {
        return;
    }
    if std::env::var("INSTA_UPDATE").as_deref() == Ok("always") {
        files::replace(&readme, &new).unwrap();
        panic!("README.md is rewritten: run the tests again");
    }
    panic!("README.md is out of date: run `cargo killmatrix docs README.md`");
}

/// `.ci/run` builds and tests the example, which is a workspace of its own.
#[test]
fn the_mutant_of_the_readme_is_the_one_of_the_example() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    for file in ["src/lib.rs", "tests/fixtures.rs"] {
        let example = fs::read_to_string(root().join("examples/own-mutants").join(file)).unwrap();
        let start = example.find("use ").unwrap();
        let shown = format!("```rust\n{}```", &example[start..]);
        assert!(readme.contains(&shown), "the README doesn't show examples/own-mutants/{file}:\n{shown}");
    }
}

#[test]
fn a_document_without_a_section_or_with_half_of_one_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let document = folder.path().join("doc.md");
    let message = |text: &str| {
        fs::write(&document, text).unwrap();
        format!("{:?}", docs::updated(&document, &catalogue::all()).unwrap_err())
    };
    assert!(message("# Title\n").contains("there is no section"));
    assert!(message("a\n<!-- end killmatrix -->\n").contains(":2:1: no section is open here"));
    let suite = root().join("fixtures/customers_current");
    let begin = format!("<!-- begin killmatrix {} -->\n", suite.display());
    assert!(message(&format!("a\n{begin}")).contains(":2:1: the section has no end"));
    assert!(message(&format!("{begin}{begin}")).contains("a section begins inside the one of line 1"));
}

#[test]
fn line_ends_and_all_other_text_stay() {
    let folder = tempfile::tempdir().unwrap();
    let document = folder.path().join("doc.md");
    let suite = root().join("fixtures/customers_current");
    let text = format!(
        "Before\r\n<!-- begin killmatrix {} -->\r\nold\r\n<!-- end killmatrix -->\r\nafter",
        suite.display()
    );
    fs::write(&document, &text).unwrap();
    let (old, new) = docs::updated(&document, &catalogue::all()).unwrap();
    assert_eq!(old, text);
    assert!(new.starts_with("Before\r\n<!-- begin killmatrix ") && new.ends_with("-->\r\nafter"));
    assert!(!new.contains("old\r\n"));
    assert_eq!(new.matches('\n').count(), new.matches("\r\n").count());

    files::replace(&document, &new).unwrap();
    assert_eq!(fs::read_to_string(&document).unwrap(), new);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left beside the document");
}

/// A document in a folder of its own, and what is in place of its text.
fn updated(text: &str) -> Result<String, String> {
    let folder = tempfile::tempdir().unwrap();
    let document = folder.path().join("doc.md");
    fs::write(&document, text).unwrap();
    let told = |error| match error {
        DocsError::Input(text) | DocsError::Disagreement(text) => text,
    };
    let prefix = format!("{}/", folder.path().display());
    let new = docs::updated(&document, &catalogue::all()).map(|(_, new)| new);
    new.map_err(|error| told(error).replace(&prefix, ""))
}

fn section() -> String {
    let suite = root().join("fixtures/customers_current");
    format!("<!-- begin killmatrix {} -->\n<!-- end killmatrix -->\n", suite.display())
}

#[test]
fn one_document_that_cannot_be_written_leaves_all_as_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let [first, second, missing] =
        ["first.md", "second.md", "no/such.md"].map(|name| folder.path().join(name));
    fs::write(&first, "old").unwrap();
    fs::write(&second, "old").unwrap();
    let error = files::replace_all(&[(&first, "new"), (&missing, "new")]).unwrap_err();
    assert!(error.to_string().starts_with(&format!("{}: can't be written: ", missing.display())), "{error}");
    assert_eq!(fs::read_to_string(&first).unwrap(), "old");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "nothing is left beside the documents");

    files::replace_all(&[(&first, "new"), (&second, "newer")]).unwrap();
    assert_eq!([&first, &second].map(|file| fs::read_to_string(file).unwrap()), ["new", "newer"]);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_written_leaves_all_as_they_are() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let locked = folder.path().join("locked");
    fs::create_dir(&locked).unwrap();
    let [first, second] = [folder.path().join("first.md"), locked.join("second.md")];
    fs::write(&first, "old").unwrap();
    fs::write(&second, "old").unwrap();
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o555)).unwrap();
    // No folder is locked for root.
    let is_root = fs::write(locked.join("probe"), "").is_ok();
    assert_eq!(files::replace_all(&[(&first, "new"), (&second, "new")]).is_ok(), is_root);
    assert_eq!(fs::read_to_string(&first).unwrap(), if is_root { "new" } else { "old" });
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o755)).unwrap();
}

#[cfg(unix)]
#[test]
fn a_document_keeps_its_permissions() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let document = folder.path().join("doc.md");
    for mode in [0o644, 0o600, 0o666, 0o444] {
        fs::write(&document, "old").unwrap();
        fs::set_permissions(&document, fs::Permissions::from_mode(mode)).unwrap();
        files::replace(&document, "new").unwrap();
        assert_eq!(fs::metadata(&document).unwrap().permissions().mode() & 0o777, mode);
        fs::remove_file(&document).unwrap();
    }
}

#[cfg(unix)]
#[test]
fn a_new_file_has_the_permissions_of_any_other() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let [new, other] = ["new.json", "other.md"].map(|name| folder.path().join(name));
    files::create(&new, "{}").unwrap();
    fs::write(&other, "").unwrap();
    let mode = |file: &Path| fs::metadata(file).unwrap().permissions().mode();
    assert_eq!(mode(&new), mode(&other));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "nothing is left beside it");
}

#[cfg(unix)]
#[test]
fn only_a_regular_file_is_a_document() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe.md");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for document in [&*pipe, Path::new("/dev/zero"), folder.path()] {
        let error = format!("{:?}", docs::updated(document, &catalogue::all()).unwrap_err());
        assert!(error.contains("can't be read: it isn't a regular file"), "{error}");
        assert!(files::replace(document, "new").is_err());
    }
}

#[test]
fn a_marker_in_a_fence_is_text() {
    let marker = "<!-- begin killmatrix nowhere -->\n<!-- end killmatrix -->\n";
    let fences = [
        ("```\n", "```\n"),
        ("~~~ markdown\n", "~~~\n"),
        ("  ````\n```\n~~~\n", "`````\n"),
        ("1. ```\n", "   ```\n"),
        ("- ~~~\n", "  ~~~\n"),
    ];
    for (open, close) in fences {
        let text = format!("{open}{marker}{close}\n{}", section());
        let new = updated(&text).unwrap();
        assert!(new.starts_with(&format!("{open}{marker}{close}")) && new.contains("| caught |"), "{new}");
    }
    let error = updated(&format!("```\n{marker}")).unwrap_err();
    assert!(error.starts_with("doc.md:1:1: there is no section"), "{error}");
    // This is no fence: a word between marks.
    assert!(updated(&format!("``` a ```\n{}", section())).unwrap().contains("| caught |"));
    let error = updated(&section().replace("<!-- end", "```\n<!-- end")).unwrap_err();
    assert!(error.starts_with("doc.md:1:1: the section has no end"), "{error}");
}

#[test]
fn a_faulty_marker_is_shown_with_its_line() {
    for marker in ["<!-- begin killmatrix -->", "<!-- begin killmatrix   -->"] {
        let error = updated(&format!("a\n{marker}\n<!-- end killmatrix -->\n")).unwrap_err();
        assert_eq!(
            error,
            "doc.md:2:1: a section begins here, but no path is given; expected `<!-- begin killmatrix PATH -->`"
        );
    }
    for marker in ["<!-- begin killmatrix a", "<!-- begin killmatrix a --> b", "<!-- begin killmatrix: a -->"]
    {
        let error = updated(&format!("{marker}\n<!-- end killmatrix -->\n")).unwrap_err();
        assert!(error.starts_with("doc.md:1:1: a section can't begin like this; expected "), "{error}");
    }
    let error = updated("a\n\n<!-- begin killmatrix no/such -->\n<!-- end killmatrix -->\n").unwrap_err();
    assert!(error.starts_with("doc.md:3:1: no/such: "), "{error}");
    let error = updated("<!-- begin killmatrix \u{1b}[2J -->\n<!-- end killmatrix -->\n").unwrap_err();
    assert!(error.contains(r"\u{1b}[2J") && !error.contains('\u{1b}'), "{error}");
}

#[test]
fn a_documents_name_is_shown_never_obeyed() {
    let document = Path::new("no\u{1b}[2J.md");
    let DocsError::Input(error) = docs::updated(document, &catalogue::all()).unwrap_err() else { panic!() };
    assert!(error.starts_with(r"no\u{1b}[2J.md: can't be read: "), "{error}");
    let error = files::replace_all(&[(document, "new")]).unwrap_err().to_string();
    assert!(error.starts_with(r"no\u{1b}[2J.md: can't be written: "), "{error}");
}

#[test]
fn a_section_without_an_audited_suite_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let [suite, document] = ["suite", "doc.md"].map(|name| folder.path().join(name));
    fs::create_dir(&suite).unwrap();
    for entry in fs::read_dir(root().join("fixtures/customers_current")).unwrap() {
        let file = entry.unwrap().path();
        fs::copy(&file, suite.join(file.file_name().unwrap())).unwrap();
    }
    let description = fs::read_to_string(suite.join("suite.json")).unwrap();
    let unaudited = description.replace("\"audited\": true", "\"audited\": false");
    assert_ne!(unaudited, description);
    fs::write(suite.join("suite.json"), unaudited).unwrap();
    fs::write(&document, "<!-- begin killmatrix suite -->\nold\n<!-- end killmatrix -->\n").unwrap();
    let (_, new) = docs::updated(&document, &catalogue::all()).unwrap();
    assert_eq!(new, "<!-- begin killmatrix suite -->\n\n(no audited suite)\n\n<!-- end killmatrix -->\n");
}

#[test]
fn a_section_may_stand_behind_a_byte_order_mark() {
    let new = updated(&format!("\u{feff}{}", section())).unwrap();
    assert!(new.starts_with("\u{feff}<!-- begin killmatrix ") && new.contains("| caught |"), "{new}");
}

/// The table of clauses: each line of it, as its cells.
fn clauses() -> Vec<Vec<String>> {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let lines = readme.lines().skip_while(|line| *line != "| clause | parameter | shown by |").skip(2);
    let cells = |line: &str| line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect();
    lines.take_while(|line| line.starts_with('|')).map(cells).collect()
}

#[test]
fn every_parameter_of_a_flow_is_in_the_table_of_clauses() {
    let clauses = clauses();
    // As the derived text has it, a line a field.
    let text = format!("{:#?}", cdc_core::Flow::default());
    let fields: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("    ")?.split_once(": "))
        .map(|(name, _)| name)
        .collect();
    assert!(fields.contains(&"keys") && fields.contains(&"dialect"), "{fields:?}");
    for field in fields.iter().filter(|field| !field.starts_with(' ')) {
        let is_listed = clauses.iter().any(|cells| cells[1].contains(&format!("`{field}`")));
        assert!(is_listed, "`{field}` is in no line of the README's table of clauses");
    }
}

#[test]
fn every_clause_names_a_fixture_that_has_it() {
    for cells in clauses() {
        let [clause, parameters, shown_by] = &cells[..] else { panic!("three cells in {cells:?}") };
        let (name, path) = shown_by[1..].trim_end_matches(')').split_once("](").unwrap();
        let fixtures =
            Fixtures::load([root().join(path)]).unwrap_or_else(|faults| panic!("{clause}: {faults}"));
        let fixture = &fixtures.suites[0].fixtures[0];
        assert_eq!(fixture.name, name, "{clause}");
        let parameter = parameters.split('`').nth(1).unwrap();
        let default = format!("{:#?}", cdc_core::Flow::default());
        let is_given = fixture.plans.iter().any(|plan| {
            let flow = format!("{:#?}", plan.flow());
            let value = |text: &str| {
                text.split_once(&format!("\n    {parameter}: "))
                    .map(|(_, rest)| rest.lines().next().map(str::to_owned))
            };
            value(&flow) != value(&default)
        });
        let is_default = ["`STORED AS SCD TYPE 1`", "where the vendors differ"].contains(&clause.as_str());
        assert!(is_given || is_default, "{clause}: {path} doesn't give `{parameter}`");
    }
}

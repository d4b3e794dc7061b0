//! What isn't written, and that nothing is half done then.

use std::fs;

use same_file::Handle;
use serde_json::json;

use super::{NAMES, add, code, export, fixture, folder, killmatrix, stderr, stdout};

#[test]
fn a_name_that_is_no_plain_one_is_refused() {
    let long = "a".repeat(256);
    for name in ["a.b", "a`b", "a b", "a'b", "${x}", "ä", "a\nb", "", &long] {
        for (option, catalog, schema) in [("--catalog", name, "cdc"), ("--schema", "dev", name)] {
            let folder = folder();
            let more = ["export-kit", "kit", "toys", "--catalog", catalog, "--schema", schema];
            let output = killmatrix(folder.path(), &more);
            assert_eq!((code(&output), stdout(&output).as_str()), (1, ""), "{name}");
            assert!(stderr(&output).starts_with(&format!("{option}: ")), "{}", stderr(&output));
            assert!(!folder.path().join("kit").exists());
        }
    }
}

#[test]
fn an_identity_that_could_leave_its_line_is_refused() {
    for option in ["--run-as-user", "--run-as-principal"] {
        let output = export(&folder(), "kit", &[option, "ana\nrun_as: x"]);
        assert_eq!(code(&output), 1);
        assert!(stderr(&output).contains(option), "{}", stderr(&output));
    }
    let both = ["--run-as-user", "ana@example.com", "--run-as-principal", "x"];
    assert_eq!(code(&export(&folder(), "kit", &both)), 1);
}

#[test]
fn catalog_and_schema_must_be_said() {
    for missing in [&NAMES[..2], &NAMES[2..]] {
        let output = killmatrix(folder().path(), &[&["export-kit", "kit", "toys"], missing].concat());
        assert_eq!(code(&output), 1);
        assert!(stderr(&output).contains("required"), "{}", stderr(&output));
    }
}

#[test]
fn a_folder_with_something_in_it_is_left_alone() {
    let folder = folder();
    fs::create_dir(folder.path().join("kit")).unwrap();
    fs::write(folder.path().join("kit/mine"), "mine").unwrap();
    fs::write(folder.path().join("file"), "mine").unwrap();
    for to in ["kit", "file", "."] {
        let output = export(&folder, to, &[]);
        assert_eq!((code(&output), stdout(&output).as_str()), (1, ""));
        assert!(stderr(&output).contains("expected a new or an empty folder"), "{}", stderr(&output));
    }
    assert_eq!(fs::read_dir(folder.path().join("kit")).unwrap().count(), 1);
    assert_eq!(fs::read_to_string(folder.path().join("file")).unwrap(), "mine");
}

#[test]
fn an_empty_folder_is_filled_and_a_missing_one_is_made() {
    let folder = folder();
    fs::create_dir(folder.path().join("empty")).unwrap();
    for to in ["empty", "new/in/new"] {
        assert_eq!(code(&export(&folder, to, &[])), 0);
        assert!(folder.path().join(to).join("kit.py").is_file());
    }
    let mut left: Vec<String> = fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    left.sort_unstable();
    assert_eq!(left, ["empty", "new", "toys"], "nothing is left beside them");
}

#[test]
fn an_empty_folder_in_which_somebody_stands_is_the_same_one_after() {
    let folder = folder();
    let here = folder.path().join("here");
    fs::create_dir(&here).unwrap();
    let before = Handle::from_path(&here).unwrap();
    let output = killmatrix(&here, &[&["export-kit", ".", "../toys"][..], &NAMES].concat());
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert_eq!(Handle::from_path(&here).unwrap(), before);
    assert!(stdout(&output).starts_with(". is written: 3 fixtures.\n"));
    let names = fs::read_dir(&here).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert!(names.into_iter().all(|name| !name.starts_with('.')));
}

#[test]
fn fixtures_of_which_a_workspace_can_play_none_make_no_kit() {
    let folder = folder();
    for name in ["first", "second", "own"] {
        fs::remove_file(folder.path().join(format!("toys/{name}.json"))).unwrap();
    }
    let mut waits = fixture("waits", &json!({}));
    waits["checkpoints"][0]["advance_seconds"] = json!(60);
    add(&folder, "waits", &waits);
    let mut blank = fixture("blank", &json!({}));
    blank["schema"] = json!({ "id": "BIGINT", "a b": "STRING", "seq": "INT" });
    blank["flow"] = json!({ "keys": ["id"], "sequence_by": "seq" });
    blank["checkpoints"] = json!([{ "append": [], "expect": [] }]);
    add(&folder, "blank", &blank);
    let output = export(&folder, "kit", &[]);
    assert_eq!((code(&output), stdout(&output).as_str()), (1, ""));
    let told = stderr(&output);
    assert!(told.contains("left out: toys/waits: time passes in it"), "{told}");
    assert!(
        told.contains("left out: toys/blank: a Delta table can't have a column or field called `a b`"),
        "{told}"
    );
    assert!(told.contains("nothing is written") && !folder.path().join("kit").exists(), "{told}");
}

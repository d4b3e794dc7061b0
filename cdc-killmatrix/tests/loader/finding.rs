//! Which files are fixtures, and which suite each belongs to.

use std::fs;

use cdc_killmatrix::Fixtures;

use super::{Folder, HEAD, fixture};

const SOUND: &str = r#"{"expect": []}"#;

/// A fixture of this name.
fn named(name: &str) -> String {
    fixture(SOUND).replace("\"name\": \"a\"", &format!("\"name\": \"{name}\""))
}

/// The full name of each fixture.
fn names(fixtures: &Fixtures) -> Vec<String> {
    fixtures.pairs().map(|(suite, fixture)| suite.full_name(fixture)).collect()
}

#[test]
fn a_folder_without_suite_json_is_a_suite_of_its_own() {
    let folder = Folder::new().with("f/one_two/b.json", named("b")).with("f/one_two/a.json", named("a"));
    let fixtures = folder.loaded();
    assert_eq!(names(&fixtures), ["one_two/a", "one_two/b"], "sorted by file name");
    let suite = &fixtures.suites[0];
    assert_eq!((&*suite.title, &*suite.about, suite.audited), ("One two", "", true));
    assert_eq!(suite.path, folder.path("f/one_two"));
    assert_eq!(suite.fixtures[0].path, folder.path("f/one_two/a.json"));
    assert_eq!(suite.fixtures[0].title, "A");
}

#[test]
fn suite_json_describes_all_fixtures_below_it() {
    let folder = Folder::new()
        .with(
            "f/s/suite.json",
            format!("{{\"title\": \"T\", \"about\": \"A.\", \"audited\": false, {}}}", &HEAD[13..]),
        )
        .with("f/s/x/deep.json", r#"{"name": "deep", "checkpoints": [{"expect": []}]}"#)
        .with("f/s/flat.json", r#"{"name": "flat", "checkpoints": [{"expect": []}]}"#);
    let fixtures = folder.loaded();
    assert_eq!(names(&fixtures), ["s/flat", "s/deep"]);
    let suite = &fixtures.suites[0];
    assert_eq!((&*suite.title, &*suite.about, suite.audited), ("T", "A.", false));
}

#[test]
fn a_nested_suite_json_starts_its_own_suite() {
    let folder = Folder::new()
        .with("f/s/suite.json", format!("{{{}}}", &HEAD[13..]))
        .with("f/s/a.json", r#"{"name": "a", "checkpoints": [{"expect": []}]}"#)
        .with("f/s/t/suite.json", "{}")
        .with("f/s/t/b.json", r#"{"name": "b", "checkpoints": [{"expect": []}]}"#);
    assert_eq!(
        folder.faults(),
        [
            "f/s/t/b.json:1:1: `flow` is missing; expected it here or in the suite's `suite.json`",
            "f/s/t/b.json:1:1: `schema` is missing; expected it here or in the suite's `suite.json`"
        ]
    );
}

#[test]
fn the_suite_json_of_a_named_file_is_looked_for_up_to_the_git_root() {
    let fixture = r#"{"name": "a", "checkpoints": [{"expect": []}]}"#;
    let folder = Folder::new()
        .with("repository/.git/HEAD", "")
        .with("repository/s/suite.json", format!("{{{}}}", &HEAD[13..]))
        .with("repository/s/x/a.json", fixture);
    let fixtures = folder.load_paths(&["repository/s/x/a.json"]).expect("a suite above");
    assert_eq!(names(&fixtures), ["s/a"]);
    assert_eq!(fixtures.suites[0].path, folder.path("repository/s"));
    assert_eq!(names(&folder.load_paths(&["repository/s/x"]).expect("a suite above")), ["s/a"]);
}

#[test]
fn above_the_git_root_no_suite_json_is_looked_for() {
    let folder = Folder::new()
        .with("s/suite.json", format!("{{{}}}", &HEAD[13..]))
        .with("s/repository/.git/HEAD", "")
        .with("s/repository/x/a.json", named("a"));
    let fixtures = folder.load_paths(&["s/repository/x/a.json"]).expect("a fixture that says all itself");
    assert_eq!(names(&fixtures), ["x/a"]);
}

#[test]
fn without_a_git_root_a_suite_json_is_looked_for_in_all_folders_above() {
    let folder = Folder::new()
        .with("f/suite.json", r#"{"title": "Above"}"#)
        .with("f/x/a.json", named("a"))
        .with("f/y/suite.json", r#"{"title": "Beside"}"#)
        .with("f/y/a.json", named("a"));
    let titles = |paths: &[&str]| -> Vec<String> {
        let fixtures = folder.load_paths(paths).unwrap_or_else(|faults| panic!("{faults}"));
        fixtures.suites.into_iter().map(|suite| suite.title).collect()
    };
    assert_eq!(titles(&["f/x/a.json"]), ["Above"]);
    assert_eq!(titles(&["f/x"]), ["Above"]);
    assert_eq!(titles(&["f/y/a.json"]), ["Beside"]);
    assert_eq!(titles(&["f"]), ["Above", "Beside"], "of a named folder, all that is below it");
}

#[test]
fn suites_of_one_name_are_told_apart_by_the_folders_above() {
    let folder = Folder::new()
        .with("f/a/late/x.json", named("x"))
        .with("f/b/late/x.json", named("x"))
        .with("f/b/early/x.json", named("x"));
    assert_eq!(names(&folder.loaded()), ["a/late/x", "early/x", "b/late/x"]);
}

#[test]
fn a_file_named_twice_is_loaded_once() {
    let folder = Folder::new().with("f/a.json", named("a")).with("f/b.json", named("b"));
    let fixtures =
        folder.load_paths(&["f/b.json", "f", "f/../f/b.json", "f/b.json"]).expect("sound fixtures");
    assert_eq!(names(&fixtures), ["f/b", "f/a"], "in the order in which they are named");
}

#[test]
fn other_json_is_passed_over() {
    let folder = Folder::new()
        .with("f/a.json", named("a"))
        .with("f/data.json", r#"{"rows": [1, 1], "rows": 2}"#)
        .with("f/list.json", "[]")
        .with("f/notes.txt", "{")
        .with("f/.git/broken.json", "{");
    let fixtures = folder.loaded();
    assert_eq!(names(&fixtures), ["f/a"]);
    assert_eq!(fixtures.warnings, [""; 0]);
}

#[test]
fn a_file_that_all_but_has_checkpoints_is_passed_over_with_a_warning() {
    let folder = Folder::new().with("f/a.json", named("a")).with("f/b.json", r#"{"checkpoint": []}"#);
    let path = folder.path("f/b.json");
    let warning =
        format!("{}: has `checkpoint` and no `checkpoints`, so that it is passed over", path.display());
    assert_eq!(folder.loaded().warnings, [warning]);
}

#[test]
fn what_was_meant_as_a_fixture_is_a_fault() {
    let misspelt = fixture(SOUND).replace("checkpoints", "checkpoint");
    let folder = Folder::new().with("f/a.json", named("a")).with("f/b.json", misspelt);
    assert_eq!(
        folder.faults(),
        ["f/b.json:3:1: there is no field `checkpoint`; did you mean `checkpoints`?"]
    );
    let folder = Folder::new().with("f/a.json", r#"{"append": [], "checkpoint": []}"#);
    assert_eq!(
        folder.faults(),
        ["f/a.json:1:16: there is no field `checkpoint`; did you mean `checkpoints`?"],
        "and not that the folder has no fixture"
    );
    let folder =
        Folder::new().with("f/a.json", named("a")).with("f/b.json", r#"{"name": "b", "checkpoint": []}"#);
    assert_eq!(folder.loaded().warnings.len(), 1);
}

#[test]
fn a_named_file_has_to_be_a_fixture() {
    let folder =
        Folder::new().with("f/list.json", "[]").with("f/suite.json", "{}").with("f/data.json", "{\"a\": 1}");
    assert_eq!(
        folder.faults_of(&["f/list.json", "f/suite.json", "f/data.json"]),
        [
            "f/suite.json: this describes a suite; expected a fixture, or the suite's folder",
            "f/list.json:1:1: this is no fixture: a list without `checkpoints`; expected an object with `checkpoints`",
            "f/data.json:1:1: this is no fixture: an object without `checkpoints`; expected an object with `checkpoints`"
        ]
    );
}

#[test]
fn a_folder_without_fixtures_is_a_fault() {
    let folder = Folder::new().with("f/sub/data.json", "[]").with("g/a.json", named("a"));
    let fault = "f: there is no fixture in this folder; expected JSON files with `checkpoints`";
    assert_eq!(folder.faults(), [fault]);
    assert_eq!(folder.faults_of(&["g", "f"]), [fault], "also beside folders that have some");
}

#[test]
fn a_missing_path_is_a_fault() {
    assert_eq!(Folder::new().faults(), ["f: there is no such file or folder"]);
}

#[test]
fn no_path_at_all_is_a_fault() {
    assert_eq!(Folder::new().faults_of(&[]), [".: no path is given; expected a folder or a JSON file"]);
}

#[test]
fn all_faults_of_all_files_are_said_at_once() {
    let folder = Folder::new()
        .with("f/a.json", "")
        .with("f/b.json", named("b"))
        .with("f/c.json", "[")
        .with("f/d.json", named(""));
    assert_eq!(
        folder.faults_of(&["g", "f"]),
        [
            "g: there is no such file or folder",
            "f/a.json:1:1: the file is empty; expected a JSON object",
            "f/c.json:1:2: the file ends inside a list; is it complete?",
            "f/d.json:1:10: the name is empty; expected a name such as `late_update`"
        ]
    );
}

#[test]
fn a_name_is_unique_in_its_suite() {
    let folder = Folder::new()
        .with("f/a.json", named("x"))
        .with("f/b.json", named("x"))
        .with("f/g/c.json", named("x"));
    let first = folder.path("f/a.json");
    let faults = folder.load().expect_err("the name is there twice");
    assert_eq!(faults.count(), 1);
    assert_eq!(
        faults.faults()[0].message,
        format!(
            "the name `x` is taken by {}:1; expected a name that is unique in the suite",
            first.display()
        )
    );
}

#[test]
fn a_name_is_required_and_printable() {
    let fault = |name: &str| Folder::new().with("f/a.json", named(name)).faults();
    assert_eq!(fault(" "), ["f/a.json:1:10: the name is empty; expected a name such as `late_update`"]);
    assert_eq!(
        fault("a/b"),
        ["f/a.json:1:10: the name holds a `/`, which divides the suite from the fixture; \
          expected a name such as `late_update`"]
    );
    assert_eq!(
        fault("a\\u001bb"),
        ["f/a.json:1:10: the name holds a control character; expected a name such as `late_update`"]
    );
    let unnamed = fixture(SOUND).replace("\"name\": \"a\",", "");
    assert_eq!(
        Folder::new().with("f/a.json", unnamed).faults(),
        ["f/a.json:1:1: `name` is missing; expected a name that is unique in the suite"]
    );
}

#[test]
fn a_suite_json_without_fixtures_is_checked_and_warned_of() {
    let folder = Folder::new().with("f/a.json", named("a")).with("f/empty/suite.json", "{\"title\": \"x\"}");
    let warning = format!("{}: a suite without fixtures", folder.path("f/empty/suite.json").display());
    assert_eq!(folder.loaded().warnings, [warning]);
    let folder = Folder::new().with("f/a.json", named("a")).with("f/empty/suite.json", "{\"titel\": 1}");
    assert_eq!(
        folder.faults()[0],
        "f/empty/suite.json:1:2: there is no field `titel`; did you mean `title`?"
    );
}

#[test]
fn a_suite_whose_only_fixture_is_no_json_is_not_without_fixtures() {
    let folder =
        Folder::new().with("f/suite.json", "{}").with("f/deep/a.json", "[").with("f/empty/suite.json", "{}");
    assert_eq!(
        folder.faults(),
        [
            "f/deep/a.json:1:2: the file ends inside a list; is it complete?",
            "warning: f/empty/suite.json: a suite without fixtures"
        ]
    );
}

#[cfg(unix)]
#[test]
fn an_unreadable_folder_is_said_once() {
    use std::os::unix::fs::PermissionsExt;

    let folder = Folder::new().with("f/suite.json", "{}").with("f/x/a.json", named("a"));
    let set = |mode: u32| fs::set_permissions(folder.path("f/x"), fs::Permissions::from_mode(mode));
    set(0o000).expect("permissions");
    // Root reads everything.
    let is_readable = fs::read_dir(folder.path("f/x")).is_ok();
    let faults = folder.faults();
    let faults_of_it = folder.faults_of(&["f/x"]);
    set(0o755).expect("permissions");
    if !is_readable {
        let fault = "f/x: this can't be read: Permission denied (os error 13)";
        assert_eq!((faults, faults_of_it), (vec![fault.to_owned()], vec![fault.to_owned()]));
    }
}

#[cfg(unix)]
#[test]
fn a_symbolic_link_is_passed_over_with_a_warning() {
    use std::os::unix::fs::symlink;

    let folder = Folder::new().with("f/a.json", named("a")).with("g/b.json", named("b"));
    symlink(folder.path("g/b.json"), folder.path("f/b.json")).expect("a link");
    symlink(folder.path("g"), folder.path("f/g")).expect("a link");
    symlink(folder.path("f"), folder.path("f/loop")).expect("a link");
    let fixtures = folder.loaded();
    assert_eq!(names(&fixtures), ["f/a"]);
    let warned =
        |path: &str| format!("{}: a symbolic link, which is passed over", folder.path(path).display());
    assert_eq!(fixtures.warnings, [warned("f/b.json"), warned("f/g"), warned("f/loop")]);
}

#[cfg(unix)]
#[test]
fn where_nothing_is_found_the_passed_over_link_is_said_as_well() {
    use std::os::unix::fs::symlink;

    let folder = Folder::new().with("g/b.json", named("b"));
    fs::create_dir(folder.path("f")).expect("a folder");
    symlink(folder.path("g"), folder.path("f/g")).expect("a link");
    assert_eq!(
        folder.faults(),
        [
            "f: there is no fixture in this folder; expected JSON files with `checkpoints`",
            "warning: f/g: a symbolic link, which is passed over"
        ]
    );
}

#[test]
fn a_class_that_is_nearly_one_of_the_model_is_told() {
    let told = |class: &str| {
        let text = fixture(&format!(r#"{{"append": [], "expect_error": "{class}"}}"#));
        let folder = Folder::new().with("f/a.json", text);
        let root = format!("{}/", folder.folder.path().display());
        folder.loaded().warnings.iter().map(|line| line.replace(&root, "")).collect::<Vec<String>>()
    };
    for (class, near) in [
        ("NULLKEY", "NULL_KEY"),
        ("NULL_KEYS", "NULL_KEY"),
        ("DUPLICATE_KEY_VIOLATON", "DUPLICATE_KEY_VIOLATION"),
        ("OUT_OF_ORDER_SNAPSHOT_VERSIONS", "OUT_OF_ORDER_SNAPSHOT_VERSION"),
    ] {
        let place = "f/a.json:3:48: checkpoint 1: ";
        let expected = format!("{place}AUTO CDC gives no error of class `{class}`; did you mean `{near}`?");
        assert_eq!(told(class), [expected], "{class}");
    }
    for class in ["NULL_KEY", "CAST_INVALID_INPUT", "FIRST_SNAPSHOT_EMPTY", "OF_MY_OWN", "AUTOCDC_EMPTY_KEYS"]
    {
        assert_eq!(told(class), [""; 0], "{class}");
    }
}

//! `killmatrix.toml`: what it says holds, and what is wrong with it is told with its place.

use std::fs;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::binary::{code, killmatrix, parsed, stderr, stdout};

/// A suite `people` in `tests/people`, which misses `kept_nulls` and `arrival_order`.
fn folder(configuration: &str) -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::create_dir_all(folder.path().join("tests/people")).unwrap();
    let fixture = json!({
        "name": "one", "schema": { "id": "INT", "city": "STRING", "seq": "INT" },
        "flow": { "keys": ["id"], "sequence_by": "seq", "except_column_list": ["seq"] },
        "checkpoints": [{
            "append": [{ "id": 1, "city": "Lyon", "seq": 1 }, { "id": 2, "city": "Metz", "seq": 1 }],
            "expect": [{ "id": 1, "city": "Lyon" }, { "id": 2, "city": "Metz" }],
        }],
    });
    fs::write(folder.path().join("tests/people/one.json"), fixture.to_string()).unwrap();
    fs::write(folder.path().join("killmatrix.toml"), configuration).unwrap();
    folder
}

fn survivors(folder: &TempDir) -> Vec<String> {
    let json = parsed(&killmatrix(folder.path(), &["run", "--format", "json"]));
    let names = json["survivors"].as_array().unwrap().iter();
    names.map(|it| it["mutant"].as_str().unwrap().to_owned()).collect()
}

const PATHS: &str = "fixtures = [\"tests\"]\n";

#[test]
fn its_paths_are_the_default_and_those_of_the_command_line_win() {
    let folder = folder(PATHS);
    for command in [&["run"][..], &[], &["audit"], &["verdicts"]] {
        let output = killmatrix(folder.path(), command);
        assert_eq!(stderr(&output), "", "{command:?}");
    }
    assert_eq!(code(&killmatrix(folder.path(), &["explain", "kept_nulls", "people/one"])), 0);
    let output = killmatrix(folder.path(), &["run", "elsewhere"]);
    assert!(stderr(&output).contains("elsewhere: there is no such file or folder"), "{}", stderr(&output));
}

#[test]
fn a_file_above_the_working_folder_is_read_up_to_the_git_work_tree() {
    let folder = folder("nonsense");
    let below = folder.path().join("tests");
    assert_eq!(code(&killmatrix(folder.path(), &["audit", "tests"])), 1);
    let output = killmatrix(&below, &["audit", "people"]);
    assert!(stderr(&output).starts_with("../killmatrix.toml:1:"), "{}", stderr(&output));
    fs::create_dir(below.join(".git")).unwrap();
    assert_eq!(code(&killmatrix(&below, &["audit", "people"])), 0);
}

#[test]
fn another_file_may_be_named_and_its_paths_are_seen_from_its_folder() {
    let folder = folder("nonsense");
    fs::create_dir(folder.path().join("ci")).unwrap();
    fs::write(folder.path().join("ci/strict.toml"), "fixtures = [\"../tests\"]\n").unwrap();
    let output = killmatrix(folder.path(), &["audit", "--config", "ci/strict.toml"]);
    assert_eq!((code(&output), stderr(&output).as_str()), (0, ""));
    let output = killmatrix(folder.path(), &["audit", "--config", "ci/no.toml"]);
    assert_eq!(code(&output), 1);
    assert!(stderr(&output).starts_with("ci/no.toml: the file can't be read: "), "{}", stderr(&output));
}

#[test]
fn an_ignored_mutant_stays_in_sight_and_does_not_fail() {
    let bare = folder(PATHS);
    assert_eq!(code(&killmatrix(bare.path(), &["run"])), 2);
    let line =
        |name: &String| format!("[[ignore]]\nmutant = \"{name}\"\nreason = \"the |feed| never does that\"\n");
    let lines = survivors(&bare).iter().map(line).collect::<Vec<String>>().concat();
    let folder = folder(&format!("{PATHS}{lines}"));
    let output = killmatrix(folder.path(), &["run"]);
    assert_eq!(code(&output), 0, "{}", stdout(&output));
    let text = stdout(&output).replace("\n  ", " ");
    assert!(
        text.contains("kept_nulls would survive in people; it is ignored: the |feed| never does that."),
        "{text}"
    );
    let markdown = stdout(&killmatrix(folder.path(), &["run", "--format", "markdown"]));
    assert!(
        markdown.contains("\n* kept\\_nulls would survive in people; it is ignored: the \\|feed\\| "),
        "{markdown}"
    );
    assert!(!text.contains("survives") && !markdown.contains("survives"), "{text}{markdown}");
    let totals = text.lines().find(|line| line.starts_with("caught, of 1")).unwrap();
    assert!(totals.contains(" ignored"), "{text}");
    assert!(text.contains("; ignored: ") && markdown.contains(" (ignored: "), "{text}{markdown}");
    let json = parsed(&killmatrix(folder.path(), &["run", "--format", "json"]));
    assert_eq!(json["survivors"], json!([]));
    let ignored = json["ignored"].as_array().unwrap();
    assert!(ignored.iter().all(|it| it["reason"] == "the |feed| never does that"), "{ignored:?}");
    assert_eq!(ignored[0]["survives_in"], json!(["people"]));
    for command in [&["audit"][..], &["audit", "--format", "markdown"], &["audit", "--format", "json"]] {
        assert!(stdout(&killmatrix(folder.path(), command)).contains("ignored"), "{command:?}");
    }
}

#[test]
fn a_reason_for_one_suite_holds_in_no_other() {
    let line = "[[ignore]]\nmutant = \"kept_nulls\"\nreason = \"none\"\nsuite = \"people\"\n";
    let folder = folder(&format!("{PATHS}{line}"));
    fs::create_dir(folder.path().join("tests/places")).unwrap();
    fs::copy(folder.path().join("tests/people/one.json"), folder.path().join("tests/places/one.json"))
        .unwrap();
    let json = parsed(&killmatrix(folder.path(), &["run", "--format", "json"]));
    let of = |suite: &str| -> Vec<Value> {
        let all = json["survivors"].as_array().unwrap().iter();
        all.filter(|it| it["suite"] == suite && it["mutant"] == "kept_nulls").cloned().collect()
    };
    assert_eq!((of("people").len(), of("places").len()), (0, 1));
}

#[test]
fn an_ignored_mutant_that_is_caught_is_told() {
    let folder =
        folder(&format!("{PATHS}[[ignore]]\nmutant = \"collapsed_key\"\nreason = \"one customer\"\n"));
    let text = stdout(&killmatrix(folder.path(), &["run"])).replace("\n  ", " ");
    assert!(text.contains("The line can go from the configuration."), "{text}");
}

#[test]
fn of_an_ignored_mutant_that_is_not_tried_nothing_is_said_that_nobody_knows() {
    let told = |configuration: &str, paths: &[&str]| {
        let folder = folder(&format!(
            "{PATHS}[[ignore]]\nmutant = \"kept_nulls\"\nreason = \"no nulls\"\n{configuration}"
        ));
        fs::create_dir(folder.path().join("tests/places")).unwrap();
        fs::copy(folder.path().join("tests/people/one.json"), folder.path().join("tests/places/one.json"))
            .unwrap();
        let run = [&["run"], paths].concat();
        let json = parsed(&killmatrix(folder.path(), &[&run[..], &["--format", "json"]].concat()));
        let text = stdout(&killmatrix(folder.path(), &run)).replace("\n  ", " ");
        assert!(!text.contains("nothing is left to ignore"), "{text}");
        (text, json["ignored"][0].clone())
    };
    let only = "[suites.people]\nonly = [\"collapsed_key\"]\n";
    let (text, json) = told(only, &["tests/people"]);
    let left_out = "kept_nulls is ignored (no nulls); the configuration leaves it out of people besides, so that \
                    nobody knows whether it would survive there.";
    assert!(text.contains(left_out), "{text}");
    assert_eq!((&json["survives_in"], &json["left_out_of"]), (&json!([]), &json!(["people"])));
    let (text, json) = told(only, &[]);
    assert!(text.contains("kept_nulls would survive in places; it is ignored: no nulls."), "{text}");
    assert_eq!((&json["survives_in"], &json["left_out_of"]), (&json!(["places"]), &json!(["people"])));
    let (text, json) = told("suite = \"people\"\n", &["tests/places"]);
    assert!(
        text.contains("kept_nulls is ignored in people (no nulls); this run doesn't try it there."),
        "{text}"
    );
    assert_eq!((&json["survives_in"], &json["left_out_of"]), (&json!([]), &Value::Null));
}

#[test]
fn a_suite_is_held_against_the_selected_mutants_only() {
    let only = folder(&format!("{PATHS}[suites.people]\nonly = [\"collapsed_key\", \"kept_nulls\"]\n"));
    assert_eq!(survivors(&only), ["kept_nulls"]);
    let json = parsed(&killmatrix(only.path(), &["run", "--format", "json"]));
    let cells = json["cells"].as_array().unwrap();
    let cell = cells.iter().find(|it| it["mutant"] == "arrival_order").unwrap();
    assert_eq!(cell["outcome"], "not_applicable");
    assert_eq!(cell["reason"], "the configuration leaves it out of this suite");
    let family = json["mutants"].as_array().unwrap().iter().find(|it| it["name"] == "kept_nulls").unwrap();
    let family = family["family"].as_str().unwrap();
    if !family.is_empty() {
        let except = folder(&format!("{PATHS}[suites.people]\nexcept = [\"{family}\"]\n"));
        assert!(!survivors(&except).contains(&"kept_nulls".to_owned()));
    }
}

#[test]
fn everything_that_is_wrong_is_told_at_once_with_its_place() {
    let folder = folder(
        "fixturs = [\"tests\"]\nfixtures = [\"no/such\", 1]\n\n[[ignore]]\nmutant = \"kept_null\"\nreason = \" \"\n\n\
         [[ignore]]\nmutant = \"kept_nulls\"\nwhy = \"x\"\n\n[suites.people]\nonly = [\"collapsd_key\"]\nexcept = []\n\n\
         [suites.places]\nexcept = [\"arival_order\"]\n\n[suites.none]\n",
    );
    let output = killmatrix(folder.path(), &["run"]);
    assert_eq!((code(&output), stdout(&output).as_str()), (1, ""));
    let text = stderr(&output);
    for fault in [
        "killmatrix.toml:1:1: there is no key `fixturs`; did you mean `fixtures`?",
        "killmatrix.toml:2:13: there is no such file or folder: `no/such`",
        "killmatrix.toml:2:24: `fixtures` is an integer; expected a list of paths",
        "killmatrix.toml:5:10: there is no mutant `kept_null`; did you mean `kept_nulls`?",
        "killmatrix.toml:6:10: `reason` is empty; expected a text",
        "killmatrix.toml:8:1: there is no `reason`; expected why it need not be caught",
        "killmatrix.toml:10:1: there is no key `why`; expected one of mutant, reason, suite",
        "killmatrix.toml:14:10: there is `only` as well; expected one of them",
        "killmatrix.toml:17:11: there is no mutant or family `arival_order`; did you mean `arrival_order`?",
        "killmatrix.toml:19:9: there is neither `only` nor `except`; expected one of them",
    ] {
        assert!(text.contains(fault), "`{fault}` is missing in:\n{text}");
    }
}

#[test]
fn an_unknown_suite_is_told_unless_paths_are_given() {
    let folder = folder(&format!("{PATHS}[suites.peopel]\nonly = [\"collapsed_key\"]\n"));
    let output = killmatrix(folder.path(), &["audit"]);
    assert_eq!(code(&output), 1);
    let fault = "killmatrix.toml:2:9: there is no suite `peopel`; did you mean `people`?";
    assert!(stderr(&output).contains(fault), "{}", stderr(&output));
    assert_eq!(code(&killmatrix(folder.path(), &["audit", "tests/people"])), 0);
}

#[test]
fn text_that_is_no_toml_is_told_with_its_place() {
    let folder = folder("fixtures = [\"tests\"\n[suites\n");
    let output = killmatrix(folder.path(), &["audit"]);
    assert_eq!(code(&output), 1);
    assert!(
        stderr(&output).contains("killmatrix.toml:") && stderr(&output).contains("this is no TOML: "),
        "{}",
        stderr(&output)
    );
}

#[test]
fn a_mutant_that_is_ignored_twice_is_told() {
    let line = "[[ignore]]\nmutant = \"kept_nulls\"\nreason = \"none\"\n";
    let folder = folder(&format!("{PATHS}{line}{line}"));
    let output = killmatrix(folder.path(), &["audit"]);
    assert!(
        stderr(&output).contains("killmatrix.toml:6:10: `kept_nulls` is ignored twice"),
        "{}",
        stderr(&output)
    );
}

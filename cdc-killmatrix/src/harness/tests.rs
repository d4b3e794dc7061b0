use std::fs;

use libtest_mimic::Conclusion;
use tempfile::TempDir;

use super::*;
use crate::fixture::PROJECT_FILE;

/// An insert, then a delete that leaves nothing: who ignores deletes is caught.
const DELETED: &str = r#"{
    "name": "gone",
    "schema": { "id": "INT", "op": "STRING", "seq": "INT" },
    "flow": {
        "keys": ["id"], "sequence_by": "seq", "apply_as_deletes": "op = 'D'", "except_column_list": ["op", "seq"]
    },
    "checkpoints": [
        { "append": [{ "id": 1, "op": "I", "seq": 1 }], "expect": [{ "id": 1 }] },
        { "append": [{ "id": 1, "op": "D", "seq": 2 }], "expect": [] }
    ]
}"#;

fn project(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

fn shipped(names: &[&str]) -> Vec<Mutant> {
    let mutants: Vec<Mutant> =
        catalogue::all().into_iter().filter(|mutant| names.contains(&mutant.name)).collect();
    assert_eq!(mutants.len(), names.len(), "{names:?}");
    mutants
}

/// What the tests of a project print, or what is wrong with it.
fn run(
    project: &TempDir,
    mutants: &[Mutant],
    arguments: &[&str],
) -> Result<(Conclusion, Vec<String>), String> {
    let log = project.path().join("log");
    let mut all = vec!["test", "--logfile", log.to_str().unwrap(), "--test-threads", "1"];
    all.extend(arguments);
    let arguments = Arguments::from_iter(all);
    let conclusion = libtest_mimic::run(&arguments, trials(project.path(), &[], mutants, &arguments)?.trials);
    Ok((conclusion, fs::read_to_string(log).unwrap().lines().map(str::to_owned).collect()))
}

fn tests(lines: &[String]) -> Vec<&str> {
    lines.iter().filter_map(|line| line.strip_prefix("test ")).filter(|line| line.contains("...")).collect()
}

#[test]
fn each_fixture_and_each_mutant_that_can_differ_is_a_test() {
    let project = project(&[("fixtures/users/gone.json", DELETED)]);
    // The flow has no truncate condition: of it nothing can be broken.
    let mutants = shipped(&["ignored_deletes", "unsequenced_delete", "ignored_truncate", "truncate_last"]);
    let (conclusion, lines) = run(&project, &mutants, &[]).unwrap();
    let names: Vec<&str> =
        tests(&lines).iter().map(|line| line.split(" ...").next().unwrap().trim()).collect();
    assert_eq!(names[..2], ["users/gone", "users catches ignored_deletes"], "{lines:?}");
    assert!(!lines.concat().contains("truncate"), "{lines:?}");
    assert_eq!(conclusion.num_passed + conclusion.num_failed, 3);
}

#[test]
fn a_wrong_row_fails_its_fixture_with_the_rows_and_each_mutant_with_its_name() {
    let wrong = DELETED.replace(r#""expect": []"#, r#""expect": [{ "id": 7 }]"#);
    let right = DELETED.replace("gone", "right");
    let project = project(&[("fixtures/users/gone.json", &wrong), ("fixtures/users/right.json", &right)]);
    let (conclusion, lines) = run(&project, &shipped(&["ignored_deletes"]), &[]).unwrap();
    let text = lines.join("\n");
    assert_eq!((conclusion.num_failed, conclusion.num_passed), (2, 1), "{text}");
    assert!(text.contains("  - your row, + AUTO CDC's\n     id\n  -  7\n"), "{text}");
    assert_eq!(text.matches("expects otherwise").count(), 1, "the rows are shown once: {text}");
    assert!(text.contains("no broken copy was tried, for these tests fail: users/gone\n"), "{text}");
}

#[test]
fn a_survivor_and_an_aim_that_is_missed_fail() {
    let aiming = DELETED.replacen('{', r#"{ "aims_at": ["no_tombstone"],"#, 1);
    let project = project(&[("fixtures/users/gone.json", &aiming)]);
    let (conclusion, lines) = run(&project, &shipped(&["no_tombstone"]), &[]).unwrap();
    let text = lines.join("\n");
    assert_eq!(conclusion.num_failed, 2, "{text}");
    assert!(text.contains("users/gone aims at `no_tombstone` and doesn't catch it"), "{text}");
    assert!(text.contains("the fixtures don't notice no_tombstone\n"), "{text}");
}

#[test]
fn suites_that_are_not_judged_have_no_tests_of_mutants() {
    let suite = r#"{ "audited": false }"#;
    let project = project(&[("fixtures/users/gone.json", DELETED), ("fixtures/users/suite.json", suite)]);
    let (_, lines) = run(&project, &catalogue::all(), &[]).unwrap();
    assert_eq!(tests(&lines), ["users/gone ... ok"]);
}

const CONFIG: &str = r#"
fixtures = ["cases"]
[[ignore]]
mutant = "no_tombstone"
reason = "nothing comes late"
[[ignore]]
mutant = "kept_nulls"
reason = "is shipped, and not among the mutants of this test"
[suites.users]
except = ["unsequenced_delete"]
"#;

#[test]
fn what_the_configuration_ignores_is_ignored_with_its_reason_until_it_is_asked_for() {
    let project = project(&[("cases/users/gone.json", DELETED), (PROJECT_FILE, CONFIG)]);
    let mutants = shipped(&["no_tombstone", "unsequenced_delete"]);
    let (_, lines) = run(&project, &mutants, &[]).unwrap();
    let [_, ignored] = tests(&lines)[..] else { panic!("two tests in {lines:?}") };
    assert_eq!(ignored, "users catches no_tombstone ... ignored (nothing comes late)");
    let (_, lines) = run(&project, &mutants, &["--list", "--ignored"]).unwrap();
    assert_eq!(lines, ["users catches no_tombstone: test"]);
    let (conclusion, _) = run(&project, &mutants, &["--ignored"]).unwrap();
    assert_eq!((conclusion.num_failed, conclusion.num_passed), (1, 0));
}

#[test]
fn one_test_reads_no_other_suite_and_the_list_reads_all() {
    let wrong = DELETED.replace(r#""expect": []"#, r#""expect": [{ "id": 7 }]"#);
    let project = project(&[
        ("fixtures/a/users/gone.json", DELETED),
        ("fixtures/b/users/gone.json", &wrong),
        ("fixtures/other/broken.json", r#"{ "checkpoints": 1 }"#),
    ]);
    let exact = |name: &str| run(&project, &shipped(&["ignored_deletes"]), &["--exact", name]);
    let (conclusion, lines) = exact("a/users/gone").unwrap();
    assert_eq!((conclusion.num_passed, tests(&lines)), (1, vec!["a/users/gone ... ok"]));
    assert_eq!(exact("a/users catches ignored_deletes").unwrap().0.num_passed, 1);
    assert_eq!(exact("b/users/gone").unwrap().0.num_failed, 1);
    let faults = run(&project, &[], &["--list"]).unwrap_err();
    assert!(faults.contains("broken.json:1:18: "), "{faults}");
    assert_eq!(exact("users/gone").unwrap_err(), faults, "no test has this name, so all are read");
}

#[test]
fn faults_are_told_all_at_once_and_no_test_runs() {
    let project = project(&[
        ("fixtures/a/one.json", r#"{ "checkpoints": 1 }"#),
        ("fixtures/a/two.json", r#"{ "checkpoints": 2 }"#),
    ]);
    let faults = run(&project, &[], &[]).unwrap_err();
    assert!(faults.contains("one.json") && faults.contains("two.json"), "{faults}");
    let twice = run(&project, &shipped(&["kept_nulls"]).repeat(2), &[]).unwrap_err();
    assert_eq!(twice, "two broken copies are called `kept_nulls`; expected names that differ");
    fs::write(project.path().join(PROJECT_FILE), "[[ignore]]\nmutant = \"kept_nuls\"\nreason = \"r\"\n")
        .unwrap();
    assert!(run(&project, &[], &[]).unwrap_err().contains("did you mean `kept_nulls`?"));
}

#[test]
fn a_file_that_is_passed_over_is_told() {
    let project = project(&[
        ("fixtures/users/gone.json", DELETED),
        ("fixtures/users/typo.json", r#"{ "checkpoint": [] }"#),
    ]);
    let told = trials(project.path(), &[], &[], &Arguments::from_iter(["test"])).unwrap().warnings;
    assert!(matches!(&told[..], [warning] if warning.contains("so that it is passed over")), "{told:?}");
}

//! From the rows that a pipeline left to the fault that gives them.

use std::fs;

use cdc_core::{Mutant, Reference, Table};
use cdc_killmatrix::diagnosis::{Diagnosis, Explanation};
use cdc_killmatrix::{Fixture, Fixtures, catalogue, tables};
use serde_json::{Value, json};
use tempfile::TempDir;

mod binary;

use binary::{code, killmatrix, parsed, root, stderr, stdout};

/// One fixture, in a file `incident.json`, of customers whose last checkpoint was observed so.
fn incident(observed: &Value) -> TempDir {
    let event = |op: &str, id: i64, city: Option<&str>, seq: i64| json!({ "op": op, "id": id, "city": city, "seq": seq });
    let mut last = json!({ "append": [
        event("U", 1, None, 2),
        event("D", 2, None, 3),
        event("U", 3, Some("Brest"), 1),
    ] });
    if !observed.is_null() {
        last["observed"] = observed.clone();
    }
    let fixture = json!({
        "name": "incident",
        "schema": { "op": "STRING", "id": "BIGINT", "city": "STRING", "seq": "BIGINT" },
        "flow": {
            "keys": ["id"], "sequence_by": "seq", "apply_as_deletes": "op = 'D'", "except_column_list": ["op", "seq"],
        },
        "checkpoints": [
            { "append": [
                event("U", 1, Some("Lyon"), 1), event("U", 2, Some("Metz"), 1), event("U", 3, Some("Nice"), 2),
            ] },
            last,
        ],
    });
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("incident.json"), fixture.to_string()).unwrap();
    folder
}

/// The rows of customers 1, 2 and 3, of those that are there.
fn rows(cities: &[(i64, Option<&str>)]) -> Value {
    cities.iter().map(|(id, city)| json!({ "id": id, "city": city })).collect()
}

fn some(names: &[&str]) -> Vec<Mutant> {
    catalogue::all().into_iter().filter(|mutant| names.contains(&mutant.name)).collect()
}

fn explained(observed: &Value, mutants: &[&str]) -> Explanation {
    let folder = incident(observed);
    let fixtures = Fixtures::load_events([folder.path()]).unwrap_or_else(|faults| panic!("{faults}"));
    let mutants = some(mutants);
    Diagnosis::of(&fixtures.suites[0].fixtures[0], &mutants).unwrap().explanation
}

const SEVERAL: [&str; 4] = ["arrival_order", "ignored_deletes", "kept_nulls", "swapped_columns"];

#[test]
fn a_single_fault_is_named() {
    for (observed, name) in [
        (rows(&[(1, None), (3, Some("Brest"))]), "arrival_order"),
        (rows(&[(1, None), (2, None), (3, Some("Nice"))]), "ignored_deletes"),
        (rows(&[(1, Some("Lyon")), (3, Some("Nice"))]), "kept_nulls"),
    ] {
        match explained(&observed, &SEVERAL) {
            Explanation::Mutants(mutants) => {
                assert_eq!(mutants.iter().map(|mutant| mutant.name).collect::<Vec<_>>(), [name]);
            }
            other => panic!("{name}: {other:?}"),
        }
    }
}

#[test]
fn the_order_of_the_observed_rows_is_irrelevant_and_their_number_is_not() {
    let turned = rows(&[(3, Some("Brest")), (1, None)]);
    assert!(matches!(explained(&turned, &SEVERAL), Explanation::Mutants(_)));
    let twice = rows(&[(1, None), (3, Some("Brest")), (3, Some("Brest"))]);
    assert!(matches!(explained(&twice, &SEVERAL), Explanation::Nothing));
}

#[test]
fn rows_of_auto_cdc_accuse_no_mutant() {
    let right = rows(&[(1, None), (3, Some("Nice"))]);
    assert!(matches!(explained(&right, &SEVERAL), Explanation::Reference));
    let folder = incident(&right);
    let output = killmatrix(folder.path(), &["diagnose", "incident.json"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let text = stdout(&output);
    for part in ["These rows are AUTO CDC's own", "check incident.json", "rows --why incident.json"] {
        assert!(text.contains(part), "{part} isn't in\n{text}");
    }
    for command in [&["check"][..], &["rows", "--why"]] {
        let output = killmatrix(folder.path(), &[command, &["incident.json"]].concat());
        assert_eq!(code(&output), 0, "{command:?}: {}", stderr(&output));
    }
}

#[test]
fn two_faults_are_named_where_no_single_one_fits() {
    // The delete is written like an update, and its null is ignored as the other one is.
    let observed = rows(&[(1, Some("Lyon")), (2, Some("Metz")), (3, Some("Nice"))]);
    let Explanation::Pairs(pairs) = explained(&observed, &SEVERAL) else { panic!("no pair is found") };
    let names: Vec<[&str; 2]> = pairs.iter().map(|pair| pair.each_ref().map(|mutant| mutant.name)).collect();
    assert_eq!(names, [["ignored_deletes", "kept_nulls"]]);
    assert!(matches!(explained(&observed, &["ignored_deletes", "arrival_order"]), Explanation::Nothing));
}

#[test]
fn a_mutant_that_can_not_differ_under_the_flow_is_not_named() {
    let columns = ["swapped_columns", "tracked_sync_noise", "kept_missing_rows"];
    assert!(matches!(explained(&rows(&[(1, None), (3, Some("Brest"))]), &columns), Explanation::Nothing));
}

#[test]
fn rows_that_nothing_explains_show_the_nearest() {
    let folder = incident(&rows(&[(1, None), (3, Some("Brest, Atlantis"))]));
    let output = killmatrix(folder.path(), &["diagnose", "incident.json"]);
    assert_eq!(code(&output), 5, "{}", stderr(&output));
    let text = stdout(&output);
    assert!(text.contains("No fault that is known here gives these rows, and no two together."), "{text}");
    assert!(text.contains("The nearest of the ") && text.contains("1 row differs"), "{text}");
    assert!(text.contains("check incident.json") && text.contains("rows --why incident.json"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    let json = parsed(&killmatrix(folder.path(), &["diagnose", "--format", "json", "incident.json"]));
    assert_eq!(json[0]["explanation"], "nothing");
    assert_eq!(json[0]["nearest"][0]["rows"], 1);
    let missing = json!([{ "id": 3, "city": "Brest, Atlantis" }]);
    assert_eq!(json[0]["nearest"][0]["checkpoints"][0]["missing"], missing);
}

#[test]
fn rows_of_two_keys_count_twice() {
    let folder = incident(&rows(&[(1, None), (4, Some("Nice"))]));
    let output = killmatrix(folder.path(), &["diagnose", "--format", "json", "incident.json"]);
    assert_eq!(parsed(&output)[0]["reference"][0]["rows"], 2);
}

#[test]
fn of_large_tables_only_rows_that_differ_are_shown_and_of_them_the_first() {
    let many: Vec<(i64, Option<&str>)> = (100..150).map(|id| (id, Some("Lima"))).collect();
    let folder = incident(&rows(&[&many[..], &[(1, None), (3, Some("Nice"))]].concat()));
    let text = stdout(&killmatrix(folder.path(), &["diagnose", "incident.json"]));
    let found = text.find("No fault that is known").zip(text.find("- AUTO CDC, + observed"));
    assert!(found.is_some_and(|(verdict, table)| verdict < table), "{text}");
    assert!(text.contains("  ... and 30 more rows\n  ... 2 equal rows\n"), "{text}");
    assert!(text.contains("119") && !text.contains("120"), "{text}");
}

#[test]
fn a_conflict_that_nobody_declared_is_not_judged() {
    let folder = incident(&rows(&[(1, None)]));
    let path = folder.path().join("incident.json");
    let mut fixture: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    let tie = json!({ "op": "U", "id": 3, "city": "Caen", "seq": 2 });
    fixture["checkpoints"][1]["append"].as_array_mut().unwrap().push(tie);
    fs::write(&path, fixture.to_string()).unwrap();
    let output = killmatrix(folder.path(), &["diagnose", "incident.json"]);
    assert_eq!((code(&output), stdout(&output).as_str()), (1, ""));
    assert!(stderr(&output).contains("[conflict]"), "{}", stderr(&output));
    fixture["findings"] = json!(["conflict"]);
    fs::write(&path, fixture.to_string()).unwrap();
    let output = killmatrix(folder.path(), &["diagnose", "incident.json"]);
    assert_eq!(code(&output), 5, "{}", stderr(&output));
}

#[test]
fn a_run_over_observed_rows_alone_names_diagnose() {
    let folder = incident(&rows(&[(1, None)]));
    let output = killmatrix(folder.path(), &["run", "incident.json"]);
    assert_eq!(code(&output), 1);
    assert!(stderr(&output).contains("of `observed` rows alone `diagnose` finds the fault"));
}

#[test]
fn faults_of_observed_rows_are_called_so() {
    let folder = incident(&json!([{ "id": 1, "city": null }, { "id": "x", "city": null }]));
    let output = killmatrix(folder.path(), &["diagnose", "incident.json"]);
    assert!(stderr(&output).contains("checkpoint 2, observed row 2: "), "{}", stderr(&output));
}

#[test]
fn an_unknown_mutant_is_answered_with_the_nearest_and_the_list() {
    let folder = incident(&rows(&[(1, None)]));
    let output = killmatrix(folder.path(), &["rows", "--mutant", "arrival", "incident.json"]);
    let text = stderr(&output);
    assert_eq!(code(&output), 1);
    assert!(text.contains("`arrival_order`") && text.contains("cdc-killmatrix list"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
}

#[test]
fn a_fixture_without_observed_rows_says_what_to_add() {
    let folder = incident(&Value::Null);
    let output = killmatrix(folder.path(), &["diagnose", "incident.json"]);
    assert_eq!((code(&output), stdout(&output).as_str()), (1, ""));
    let text = stderr(&output);
    assert!(text.starts_with("incident.json: no checkpoint has `observed` rows; expected"), "{text}");
    assert!(text.contains("in the columns id, city"), "{text}");
}

#[test]
fn a_report_is_led_back_to_its_fault() {
    let path = "fixtures/reports/b16_arrival_order.json";
    let output = killmatrix(&root(), &["diagnose", path]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let text = stdout(&output);
    for part in [
        "arrival_order: ",
        "Look at SEQUENCE BY, or at the code that decides where",
        "--mutant arrival_order",
    ] {
        assert!(text.contains(part), "{part} isn't in\n{text}");
    }
    assert!(text.lines().all(|line| line.chars().count() <= 80 || line.contains(path)), "{text}");
}

/// Whether a model leaves the observed rows of a fixture, as `tables` shows them.
fn leaves_them(model: &dyn Fn() -> Result<Vec<Table>, String>, fixture: &Fixture) -> bool {
    let Ok(shown) = model() else { return false };
    let observed = fixture.checkpoints.iter().zip(shown);
    observed.into_iter().all(|(checkpoint, shown)| checkpoint.observed.as_ref().is_none_or(|it| *it == shown))
}

#[test]
fn of_every_report_each_mutant_that_leaves_its_rows_is_named() {
    let fixtures =
        Fixtures::load([root().join("fixtures/reports")]).unwrap_or_else(|faults| panic!("{faults}"));
    let mutants = catalogue::all();
    let mut named = 0;
    for (_, fixture) in fixtures.pairs() {
        let diagnosis = Diagnosis::of(fixture, &mutants).unwrap_or_else(|reason| panic!("{reason}"));
        let rows = |shown: Vec<cdc_killmatrix::Shown>| shown.into_iter().map(|it| it.table).collect();
        if leaves_them(&|| tables(&Reference, fixture).map(rows), fixture) {
            assert!(matches!(diagnosis.explanation, Explanation::Reference), "{}", fixture.name);
            continue;
        }
        for mutant in &mutants {
            let is_applicable = fixture.plans.iter().any(|plan| (mutant.needs)(plan).is_ok());
            if is_applicable && leaves_them(&|| tables(mutant, fixture).map(rows), fixture) {
                let Explanation::Mutants(exact) = &diagnosis.explanation else {
                    panic!("{}: {} isn't named", fixture.name, mutant.name)
                };
                assert!(exact.iter().any(|it| it.name == mutant.name), "{}: {}", fixture.name, mutant.name);
                named += 1;
            }
        }
    }
    assert!(80 <= named, "only {named} faults are named in the reports");
}

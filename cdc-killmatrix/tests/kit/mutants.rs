//! Broken copies in a kit.

use std::fs;

use cdc_killmatrix::{catalogue, feed_form};
use serde_json::{Value, json};

use super::{code, export, folder, kit, plan, stderr, stdout};

/// The mutants of the plays of a fixture, in order; null is the fixture itself.
fn mutants(plan: &Value, name: &str) -> Vec<Value> {
    let plays = plan["plays"].as_array().unwrap().iter().filter(|play| play["name"] == name);
    plays.map(|play| play.get("mutant").cloned().unwrap_or_default()).collect()
}

#[test]
fn each_named_one_has_a_pipeline_and_tables_for_each_fixture_in_which_it_can_differ() {
    let folder = folder();
    let kit = kit(&folder, &["--mutants=arrival_order,ignored_deletes"]);
    let plan = plan(&kit);
    assert_eq!(mutants(&plan, "toys/first"), [json!(null), json!("arrival_order"), json!("ignored_deletes")]);
    assert_eq!(mutants(&plan, "toys/own"), [json!(null), json!("arrival_order")], "it deletes nothing");
    let second = &plan["plays"][1];
    assert_eq!(
        (&second["key"], &second["fixture"]),
        (&json!("toys_first_arrival_order"), &json!("fixtures/toys/first.json"))
    );
    assert_eq!(second["source_table"], "toys_first_arrival_order_source");
    assert_eq!(second["definition"], "definitions/toys_arrival_order.py");
    assert_eq!(second["columns"].as_array().unwrap().last().unwrap()["name"], "killmatrix_arrival");
    let text = fs::read_to_string(kit.join("definitions/toys_arrival_order.py")).unwrap();
    assert!(text.contains("sequence_by=col(\"killmatrix_arrival\")"), "{text}");
    let left: Vec<&Value> = plan["left_out"].as_array().unwrap().iter().collect();
    assert_eq!(left.len(), 1);
    assert_eq!((&left[0]["name"], &left[0]["mutant"]), (&json!("toys/own"), &json!("ignored_deletes")));
}

#[test]
fn what_a_mutant_adds_to_the_target_or_cannot_keep_of_it_is_in_the_plan() {
    let folder = folder();
    let kit = kit(&folder, &["--mutants=collapsed_key"]);
    let plan = plan(&kit);
    let found = plan["plays"].as_array().unwrap().iter().find(|it| it["mutant"] == "collapsed_key").unwrap();
    assert_eq!(found["uncompared"], json!(["id"]));
}

#[test]
fn without_names_all_are_meant_that_have_a_form() {
    let folder = folder();
    let output = export(&folder, "kit", &["--mutants"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let plan = plan(&folder.path().join("kit"));
    let played = mutants(&plan, "toys/first").len() - 1;
    let left = plan["left_out"].as_array().unwrap().iter().filter(|it| it["name"] == "toys/first").count();
    let forms = catalogue::all().iter().filter(|mutant| feed_form::exists(mutant)).count();
    assert_eq!(played + left, forms);
    assert!(7 <= forms && stdout(&output).contains("pairs of a fixture and a broken copy"));
    assert!(stderr(&output).contains("pairs of a fixture and a broken copy; the kit's README names them"));
}

#[test]
fn one_that_decides_inside_or_is_unknown_is_refused() {
    for (name, text) in [
        ("lost_tombstone", "there is no broken copy `lost_tombstone`"),
        ("no_tombstone", "no engine can be told to be `no_tombstone`"),
    ] {
        let folder = folder();
        let output = export(&folder, "kit", &[&format!("--mutants={name}")]);
        assert_eq!(code(&output), 1);
        assert!(stderr(&output).contains(text), "{}", stderr(&output));
        assert!(!folder.path().join("kit").exists());
    }
}

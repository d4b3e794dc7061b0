//! Mutants that are caught alike, and the events that tell them apart.

use std::fs;

use cdc_core::{Hook, Mutant, Operation, Reference};
use cdc_killmatrix::audit::{self, tell_apart};
use cdc_killmatrix::report::{self, Extent};
use cdc_killmatrix::suggest::{Suggested, Suggestion};
use cdc_killmatrix::{Fixtures, Matrix, Outcome, catalogue, tables, try_mutant};
use serde_json::json;
use tempfile::TempDir;

use crate::binary::{code, killmatrix, parsed, root, stderr, stdout};

/// Few feeds: most groups are told apart by one of the first.
const TRIES: usize = 20_000;

/// Which mutants a suggestion catches with the reference's answers as what it expects.
fn caught<'m>(suggestion: &Suggestion, mutants: &[&'m Mutant]) -> Vec<&'m str> {
    let mut fixture = suggestion.fixture.clone();
    let shown = tables(&Reference, &fixture).unwrap();
    for (checkpoint, shown) in fixture.checkpoints.iter_mut().zip(shown) {
        checkpoint.expect = vec![shown.table];
        checkpoint.expect_error = shown.refusal.map(|refusal| refusal.class.to_owned());
    }
    let is_caught = |mutant: &&&Mutant| matches!(try_mutant(mutant, &fixture), Outcome::Caught(_));
    mutants.iter().filter(is_caught).map(|mutant| mutant.name).collect()
}

/// A text whose lines are broken anywhere.
fn flat(text: &str) -> String {
    text.replace(" \\\n", " ").split_whitespace().collect::<Vec<&str>>().join(" ")
}

fn names(mutants: &[Mutant]) -> Vec<&'static str> {
    mutants.iter().map(|mutant| mutant.name).collect()
}

#[test]
fn in_the_shipped_suites_each_group_is_told_apart_or_said_not_to_be() {
    let fixtures = Fixtures::load(["../fixtures"]).unwrap();
    let matrix = Matrix::of(&fixtures, &catalogue::all());
    let mut audits = audit::of(&matrix);
    tell_apart(&mut audits, &fixtures, TRIES);
    let (mut found, mut groups) = (0, 0);
    for audit in &audits {
        for group in &audit.alike {
            groups += 1;
            let mutants: Vec<&Mutant> = group.mutants.iter().map(|&place| audit.caught[place].0).collect();
            match group.told_apart.as_ref().unwrap() {
                Suggested::Fixture(suggestion) => {
                    let (catches, leaves) = (names(&suggestion.catches), names(&suggestion.leaves));
                    assert_eq!(caught(suggestion, &mutants), catches, "{}", audit.suite.name);
                    assert_eq!(suggestion.fixture.aims_at, catches);
                    assert!(
                        !leaves.is_empty() && catches.len() + leaves.len() == mutants.len(),
                        "{leaves:?}"
                    );
                    found += 1;
                }
                Suggested::Nothing(nothing) => assert!(0 < nothing.tries && nothing.checkpoints == 4),
                Suggested::NotApplicable(reason) => panic!("{reason}"),
            }
        }
    }
    assert!(groups / 2 < found && found < groups, "{found} of {groups}: some never differ alone");
    let text = report::audit(&audits, Extent::All, "cdc-killmatrix");
    assert!(
        anstream::adapter::strip_str(&text).to_string().lines().all(|line| line.chars().count() <= 80),
        "{text}"
    );
    let text = flat(&text);
    assert_eq!(text.matches(", which catches ").count(), found);
    assert_eq!(text.matches("not told apart: no difference found in ").count(), groups - found);
}

/// A suite of one fixture: an insert, and another with a delete after it.
fn suite() -> TempDir {
    let folder = TempDir::new().unwrap();
    let row = |id: i32, op: &str, seq: i32| json!({ "id": id, "op": op, "seq": seq });
    let fixture = json!({
        "name": "one", "schema": { "id": "INT", "op": "STRING", "seq": "INT" },
        "flow": { "keys": ["id"], "sequence_by": "seq", "apply_as_deletes": "op = 'D'",
                  "except_column_list": ["op", "seq"] },
        "checkpoints": [{ "append": [row(1, "I", 1), row(2, "I", 2), row(2, "D", 3)], "expect": [{ "id": 1 }] }],
    });
    fs::create_dir(folder.path().join("people")).unwrap();
    fs::write(folder.path().join("people/one.json"), fixture.to_string()).unwrap();
    folder
}

#[test]
fn of_a_hand_made_pair_the_smallest_events_and_the_command_are_told() {
    let deaf = Mutant::new("deaf", "Takes no event", Hook::admits(|_, _, _| false));
    let keeps =
        Mutant::new("keeps", "Keeps what is deleted", Hook::operation_of(|_, _| Ok(Operation::Upsert)));
    let twin = Mutant { name: "twin", ..keeps };
    let folder = suite();
    let fixtures = Fixtures::load([folder.path().join("people")]).unwrap();

    let matrix = Matrix::of(&fixtures, &[keeps, deaf, twin]);
    let mut audits = audit::of(&matrix);
    assert_eq!(audits[0].alike.len(), 1);
    tell_apart(&mut audits, &fixtures, TRIES);
    let Some(Suggested::Fixture(suggestion)) = &audits[0].alike[0].told_apart else { panic!("nothing") };
    let fixture = &suggestion.fixture;
    assert_eq!((fixture.checkpoints.len(), fixture.feed.events().len()), (1, 1));
    // An insert catches the one, a delete the others.
    let sides = [names(&suggestion.catches), names(&suggestion.leaves)];
    assert!(sides.contains(&vec!["deaf"]) && sides.contains(&vec!["keeps", "twin"]), "{sides:?}");
    let text = flat(&report::audit(&audits, Extent::Screen, "cdc-killmatrix"));
    assert!(text.contains("told apart by a fixture of 1 checkpoint and 1 event, which catches "), "{text}");
    let command = format!("cdc-killmatrix suggest {} --beside {}", sides[0][0], sides[1][0]);
    assert!(text.contains(&command) && text.contains("--like "), "{text}");
    assert!(
        report::audit_markdown(&audits, None).contains("told apart by a fixture of 1 checkpoint and 1 event")
    );

    let matrix = Matrix::of(&fixtures, &[keeps, twin]);
    let mut audits = audit::of(&matrix);
    tell_apart(&mut audits, &fixtures, 500);
    assert!(matches!(audits[0].alike[0].told_apart, Some(Suggested::Nothing(_))));
}

#[test]
fn the_json_of_an_audit_holds_the_events() {
    let json = parsed(&killmatrix(&root(), &["audit", "fixtures/customers_current", "--format", "json"]));
    let alike = json["suites"][0]["alike"].as_array().unwrap();
    let found: Vec<_> = alike.iter().filter(|it| it["told_apart"]["outcome"] == "found").collect();
    assert!(!found.is_empty());
    for group in found {
        let told = &group["told_apart"];
        assert!(told["fixture"]["checkpoints"][0]["append"].is_array(), "{told}");
        assert_eq!(told["fixture"]["aims_at"], told["catches"]);
        assert!(!told["leaves"].as_array().unwrap().is_empty(), "{told}");
    }
}

#[test]
fn the_command_that_is_told_writes_a_fixture_that_tells_the_two_apart() {
    let folder = suite();
    let like = folder.path().join("people");
    let like = like.to_str().unwrap();
    let call = ["suggest", "ignored_deletes", "--beside", "arrival_order", "--like", like, "--write"];
    let output = killmatrix(folder.path(), &call);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let text = stdout(&output);
    assert!(text.starts_with("people: ignored_deletes beside arrival_order\n"), "{text}");
    assert!(text.contains("Completed, it catches ignored_deletes, not arrival_order."), "{text}");
    let written = fs::read_to_string(folder.path().join("people/ignored_deletes.json")).unwrap();
    assert!(written.contains(r#""aims_at": ["ignored_deletes"]"#) && written.contains("TODO"), "{written}");
    assert!(written.contains("Tells ignored_deletes from arrival_order."), "{written}");

    let output =
        killmatrix(folder.path(), &["suggest", "arrival_order", "--beside", "arrival_order", "--like", like]);
    assert_eq!(code(&output), 1);
    assert!(stderr(&output).contains("nothing tells `arrival_order` from itself"), "{}", stderr(&output));
    let output = killmatrix(
        folder.path(),
        &["suggest", "arrival_order", "--beside", "ignored_delete", "--like", like],
    );
    assert!(code(&output) == 1 && stderr(&output).contains("did you mean `ignored_deletes`?"));
}

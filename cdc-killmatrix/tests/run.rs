//! What `run` shows of many mutants and many fixtures, and what it says of claims that don't hold.

use std::fs;

use cdc_core::{Hook, Key, Mutant};
use cdc_killmatrix::{Diagnostics, Fixtures, Matrix, broken_claims, report};
use serde_json::{Value, json};
use tempfile::TempDir;
use unicode_width::UnicodeWidthStr as _;

mod binary;

use binary::{code, killmatrix, parsed, root, stderr, stdout};

/// A suite `shop` of these fixtures, in a folder of its own.
fn suite(fixtures: &[Value]) -> TempDir {
    let folder = TempDir::new().unwrap();
    let shop = folder.path().join("shop");
    fs::create_dir(&shop).unwrap();
    for fixture in fixtures {
        fs::write(shop.join(format!("{}.json", fixture["name"].as_str().unwrap())), fixture.to_string())
            .unwrap();
    }
    folder
}

fn fixture(name: &str, checkpoints: &Value) -> Value {
    json!({
        "name": name,
        "schema": { "id": "BIGINT", "city": "STRING", "seq": "BIGINT" },
        "flow": { "keys": ["id"], "sequence_by": "seq", "except_column_list": ["seq"] },
        "checkpoints": checkpoints,
    })
}

/// One customer; then another one.
fn two_customers(name: &str) -> Value {
    let (one, two) = (json!({ "id": 1, "city": "Lyon" }), json!({ "id": 2, "city": "Nice" }));
    fixture(
        name,
        &json!([
            { "append": [{ "id": 1, "city": "Lyon", "seq": 1 }], "expect": [one] },
            { "append": [{ "id": 2, "city": "Nice", "seq": 2 }], "expect": [one, two] },
        ]),
    )
}

fn loaded(folder: &TempDir) -> Fixtures {
    Fixtures::load([folder.path().join("shop")]).unwrap_or_else(|errors| panic!("{errors}"))
}

fn one_key() -> Mutant {
    Mutant::new("one_key", "All share one key", Hook::key_of(|_, _| Some(Key::new([]))))
        .family("key equality")
}

fn harmless(name: &'static str) -> Mutant {
    Mutant::new(name, "Does what it should", Hook::admits(|_, _, _| true)).family("arrival order")
}

/// As many as make a catalogue: nine that are caught, one that survives, thirty that nothing is left to do wrong to.
fn many() -> Vec<Mutant> {
    const CAUGHT: [&str; 9] = ["k1", "k2", "k3", "k4", "k5", "k6", "k7", "k8", "k9"];
    const IDLE: [&str; 3] = ["i1", "i2", "i3"];
    let mut mutants: Vec<Mutant> = CAUGHT.iter().map(|name| Mutant { name, ..one_key() }).collect();
    mutants.push(harmless("harmless").consequence("Nothing happens, for once"));
    let idle = |name| harmless(name).family("snapshot").needing(|_| Err("there are no snapshots"));
    mutants.extend(IDLE.map(idle));
    mutants
}

fn plain(text: &str) -> String {
    anstream::adapter::strip_str(text).to_string()
}

#[test]
fn the_first_seven_are_columns_and_the_others_lines_of_their_families() {
    let matrix = Matrix::of(&loaded(&suite(&[two_customers("a")])), &many());
    let text = plain(&report::text(&matrix, "program"));
    assert!(text.contains("k7") && !text.contains("k8"), "{text}");
    assert!(text.contains("\nkey equality 9 of 9\n"), "{text}");
    assert!(text.contains("\narrival order 0 of 1; survives: harmless\n"), "{text}");
    assert!(!text.contains("snapshot"), "{text}");
    assert!(text.contains("\n10 cells: 9 caught, 1 no difference.\n"), "{text}");
    assert!(text.contains("The flow leaves 3 of the 13 broken copies nothing to do wrong."), "{text}");
    assert!(!text.contains('%'));
}

#[test]
fn a_short_list_is_shown_by_name_as_a_whole() {
    let matrix = Matrix::of(&loaded(&suite(&[two_customers("a")])), &many()[3..11]);
    let text = plain(&report::text(&matrix, "program"));
    assert!(text.contains("k9") && text.contains("harmless") && !text.contains("9 of 9"), "{text}");
    assert!(text.contains("The flow leaves nothing to do wrong to i1."), "{text}");
}

#[test]
fn a_survivor_is_told_in_the_words_of_the_business_with_the_reason() {
    let matrix = Matrix::of(&loaded(&suite(&[two_customers("a"), two_customers("b")])), &many());
    let text = plain(&report::text(&matrix, "program"));
    let paragraph = "harmless survives\n  \"Nothing happens, for once.\" No fixture of the suite shop would notice: does\n  \
                     what it should.\n  Why (the decision is `admits`): 2 fixtures ask for it, and no answer differs.\n  program explain \
                     harmless ";
    assert!(text.contains(paragraph), "{text}");
    assert!(report::markdown(&matrix).contains("* **harmless survives.** \"Nothing happens, for once.\""));
}

#[test]
fn of_many_survivors_the_first_are_told_and_the_others_named() {
    const NAMES: [&str; 7] = ["h1", "h2", "h3", "h4", "h5", "h6", "h7"];
    let matrix = Matrix::of(&loaded(&suite(&[two_customers("a")])), &NAMES.map(harmless));
    let text = plain(&report::text(&matrix, "program"));
    assert!(text.contains("\nh5 survives\n") && !text.contains("\nh6 survives\n"), "{text}");
    assert!(
        text.contains("\nIn shop 2 more survive: h6, h7.\n  program list\n  program run --all "),
        "{text}"
    );
    assert!(text.contains("\nNext, the events that would catch them:\n  program suggest --all "), "{text}");
    assert!(!text.contains("`n/a`") && !text.contains("`error`"), "{text}");
}

#[test]
fn what_is_declared_equivalent_is_no_survivor_but_told() {
    let equivalent = harmless("harmless").equivalent("it changes nothing");
    let matrix = Matrix::of(&loaded(&suite(&[two_customers("a")])), &[one_key(), equivalent]);
    let text = plain(&report::text(&matrix, "program"));
    assert!(text.contains("\nNo events tell harmless from the right one: it changes nothing.\n"), "{text}");
    assert!(!text.contains("harmless survives"), "{text}");
    assert_eq!(matrix.survivors().count(), 0);
}

#[test]
fn all_has_a_row_for_every_mutant_that_can_differ() {
    let matrix = Matrix::of(&loaded(&suite(&[two_customers("a"), two_customers("b")])), &many());
    let text = plain(&report::full_text(&matrix, "program"));
    assert!(text.contains("\n  1 A\n  2 B\n"), "{text}");
    assert!(text.contains("\nkey equality\n  k1          x x\n"), "{text}");
    assert!(text.contains("\narrival order\n  harmless    = =\n"), "{text}");
    // The folder's own name, which is random, may hold it.
    assert!(!text.lines().any(|line| line.starts_with("  i1")), "{text}");
    let markdown = report::full_markdown(&matrix);
    assert!(markdown.contains("| **key equality** | | |\n| k1 | x | x |\n"), "{markdown}");
}

#[test]
fn a_catch_elsewhere_than_aimed_at_is_incidental() {
    let mut aiming = two_customers("a");
    aiming["aims_at"] = json!(["k1"]);
    let matrix = Matrix::of(&loaded(&suite(&[aiming, two_customers("b")])), &many()[..2]);
    let json: Value = serde_json::from_str(&report::matrix_json(&matrix, report::Beside::default())).unwrap();
    let incidental: Vec<&Value> =
        json["cells"].as_array().unwrap().iter().map(|cell| &cell["incidental"]).collect();
    assert_eq!(incidental, [&Value::Null, &json!(true), &Value::Null, &Value::Null]);
    assert!(plain(&report::full_text(&matrix, "program")).contains("\n  k2         o x\n"));
}

#[test]
fn what_falls_at_every_first_checkpoint_is_easy_to_catch() {
    let nameless = Mutant::new(
        "nameless",
        "Loses cities",
        Hook::row_of(|_, event| [event.values[0].clone(), cdc_core::Value::Null].into()),
    );
    let matrix = Matrix::of(&loaded(&suite(&[two_customers("a")])), &[nameless, one_key()]);
    let text = plain(&report::text(&matrix, "program"));
    let sentence =
        "Easy to catch: nameless; each fixture that catches it does so at its first\ncheckpoint.\n";
    assert!(text.contains(sentence), "{text}");
    let json: Value = serde_json::from_str(&report::matrix_json(&matrix, report::Beside::default())).unwrap();
    assert_eq!(json["suites"][0]["trivial"], json!(["nameless"]));
    assert_eq!(
        json["suites"][0]["counts"],
        json!({ "cells": 2, "caught": 2, "not_reached": 0, "same_answer": 0, "masked": 0, "error": 0,
                "not_applicable": 0 })
    );
}

fn claims(fixture: Value, mutants: &[Mutant]) -> Result<(), Diagnostics> {
    let fixtures = loaded(&suite(&[fixture]));
    broken_claims(&fixtures, &Matrix::of(&fixtures, mutants))
}

fn said(claims: Result<(), Diagnostics>) -> String {
    claims.unwrap_err().faults().iter().map(|fault| fault.message.clone()).collect::<Vec<String>>().join("\n")
}

#[test]
fn an_aim_that_is_missed_is_an_error() {
    let aiming = |name: &str| {
        let mut aiming = two_customers("a");
        aiming["aims_at"] = json!([name]);
        aiming
    };
    let mutants = [one_key(), harmless("harmless")];
    assert_eq!(claims(aiming("one_key"), &mutants), Ok(()));
    assert_eq!(
        said(claims(aiming("harmless"), &mutants)),
        "shop/a aims at `harmless` and doesn't catch it: its decision is asked for, and each answer is the right one; add \
         events that it gets wrong, or take the name out of `aims_at`"
    );
    assert_eq!(
        said(claims(aiming("harmles"), &mutants)),
        "shop/a aims at `harmles`, which is no broken copy; did you mean `harmless`?"
    );
    // A list of one's own needn't have what the catalogue has.
    assert_eq!(claims(aiming("early_expiry"), &mutants), Ok(()));
}

#[test]
fn a_mutant_that_its_fixture_misses_is_an_error_also_where_nothing_is_audited() {
    let folder = suite(&[two_customers("a")]);
    let description = json!({ "audited": false });
    fs::write(folder.path().join("shop/suite.json"), description.to_string()).unwrap();
    let fixtures = loaded(&folder);
    let broken = |mutant: Mutant| broken_claims(&fixtures, &Matrix::of(&fixtures, &[mutant]));
    assert_eq!(broken(one_key().caught_by("shop/a")), Ok(()));
    assert_eq!(broken(harmless("harmless").caught_by("elsewhere/a")), Ok(()), "it isn't loaded");
    assert_eq!(
        said(broken(harmless("harmless").caught_by("shop/a"))),
        "`harmless` is said to be caught by shop/a, and isn't: its decision is asked for, and each answer is the right one; \
         mend the fixture, or name another one in `caught_by`"
    );
}

#[test]
fn a_declaration_of_equivalence_is_refuted_by_a_catch() {
    assert_eq!(
        said(claims(two_customers("a"), &[one_key().equivalent("keys are alike")])),
        "shop/a catches `one_key` at checkpoint 2, which is declared equivalent (keys are alike); take the declaration away"
    );
}

#[test]
fn a_broken_claim_fails_the_run_with_the_file_and_what_to_do_after_the_matrix() {
    let mut aiming = two_customers("a");
    aiming["aims_at"] = json!(["kept_nulls"]);
    let folder = suite(&[aiming]);
    let output = killmatrix(folder.path(), &["run", "shop"]);
    assert_eq!(code(&output), 1);
    assert!(stdout(&output).starts_with("Shop  shop\n"), "{}", stdout(&output));
    let text = stderr(&output);
    assert!(text.contains("shop/a.json: shop/a aims at `kept_nulls` and doesn't catch it"), "{text}");
}

#[test]
fn a_miss_is_explained_with_what_the_decision_was_asked() {
    let explained = |mutant: &str, fixture: &str| stdout(&killmatrix(&root(), &["explain", mutant, fixture]));
    let same = explained("ignored_deletes", "customers_current/explicit_null");
    let asked = "No difference: `operation_of` was asked twice, and both copies answer the same\neach time.\n  event \
                 (101, \"Paris\", \"ana@example.com\", \"INSERT\", 10, 0)\n    both say upsert\n";
    assert!(same.contains(asked), "{same}");
    let never = explained("early_expiry", "clauses/truncate");
    assert!(never.contains("Never asked: no event of the fixture comes to `expires`."), "{never}");
    let masked = explained("kept_nulls", "customers_current/ordering_and_delete");
    let answers = "3 times, and 3\nanswers of the copy are wrong; the first:\n  column customer_id\n    AUTO CDC says \
                   no, kept_nulls says yes\n";
    assert!(masked.contains(answers), "{masked}");
}

#[test]
fn every_report_of_the_shipped_suites_fits_a_terminal() {
    for arguments in [&["run"][..], &["run", "--all"], &["run", "--assertions"], &["list"]] {
        let output = killmatrix(&root(), arguments);
        assert_eq!(code(&output), 0, "{arguments:?}: {}", stderr(&output));
        let text = stdout(&output);
        let wide: Vec<&str> = text.lines().filter(|line| 80 < line.width()).collect();
        assert!(wide.is_empty(), "{arguments:?}: {wide:?}");
    }
}

#[test]
fn assertions_are_counted_by_check_and_setting() {
    let path = "fixtures/customers_current";
    let text = stdout(&killmatrix(&root(), &["run", path, "--assertions"]));
    assert!(
        text.contains("\nignored_deletes               row count         row count        row count\n"),
        "{text}"
    );
    let json = parsed(&killmatrix(&root(), &["run", path, "--assertions", "--format", "json"]));
    assert_eq!(json["totals"][2]["check"], "row_count");
    assert_eq!(json["totals"][2]["every_checkpoint"]["of"], json["mutants"].as_array().unwrap().len());
    let markdown = stdout(&killmatrix(&root(), &["run", path, "--assertions", "--format", "markdown"]));
    assert!(markdown.contains("| ignored deletes | row count | row count | row count |\n"), "{markdown}");
}

#[test]
fn a_document_may_hold_the_assertions() {
    let folder = suite(&[two_customers("a")]);
    let document = folder.path().join("doc.md");
    fs::write(&document, "<!-- begin killmatrix assertions shop -->\n<!-- end killmatrix -->\n").unwrap();
    assert_eq!(code(&killmatrix(folder.path(), &["docs", "doc.md"])), 0);
    let text = fs::read_to_string(&document).unwrap();
    assert!(text.contains("| collapsed key | row count |"), "{text}");
}

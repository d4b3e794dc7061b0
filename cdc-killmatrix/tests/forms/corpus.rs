//! The fixtures that ship: where a form differs from its mutant in the model, and which cells it has.

use std::collections::{BTreeMap, BTreeSet};

use cdc_core::Mutant;
use cdc_killmatrix::feed_form;
use cdc_killmatrix::{Fixture, Outcome, try_mutant};

use super::{SEVEN, differences, load, mutant, with_forms};

/// The five published sequences.
const PUBLISHED: [&str; 5] =
    ["ordering_and_delete", "update_and_mapping", "sequence_tie", "explicit_null", "exact_redelivery"];

const LATE_FILLS: &str = "a late event fills a null of a newer one, which the engine has met by then";
const REFILLED: &str =
    "a row that its snapshot doesn't change is filled from what the feed said since, and so is changed";
const WRITTEN_AGAIN: &str =
    "the model writes the missing row anew, over what the feed said since; in the form it isn't missing";
const NULL_FIRST: &str = "the first column is null: a null sequence is refused, a struct with a null isn't";
const KNOWN_TWICE: &str =
    "the model takes equal bounds of two deliveries for one row; their positions differ";
const NULL_END: &str = "in the model an end at a null sequence is no end; the position isn't null";

/// Where the rows differ, by mutant, fixture and checkpoints from 1, and why.
const DIFFERENCES: [(&str, &str, &[usize], &str); 11] = [
    ("arrival_order", "bitemporal/exact_duplicate", &[2, 3], KNOWN_TWICE),
    ("arrival_order", "bitemporal/null_system_sequence", &[3, 4, 5], NULL_END),
    ("ignored_deletes", "snapshots/shared_with_a_feed", &[4, 5], WRITTEN_AGAIN),
    ("kept_nulls", "clauses/contacts", &[2], LATE_FILLS),
    ("kept_nulls", "columns_to_update/late_sparse_under_full", &[2], LATE_FILLS),
    ("kept_nulls", "nulls/scd1_column_list_late", &[2], LATE_FILLS),
    ("kept_nulls", "nulls/scd1_unlisted_struct_whole", &[2], LATE_FILLS),
    ("kept_nulls", "snapshots/shared_null_equals_null", &[3], REFILLED),
    ("ignored_tie_breaker", "sequences/struct_null_field_first", &[3], NULL_FIRST),
    ("ignored_tie_breaker", "sequences/struct_null_field_scd1", &[1, 2], NULL_FIRST),
    ("ignored_tie_breaker", "sequences/struct_of_nulls_comes_first", &[1], NULL_FIRST),
];

/// Where a mutant of the seven has no form, though it applies: none in a judged suite.
const WITHOUT_FORM: [(&str, &str, &str); 7] = [
    (
        "arrival_order",
        "once/two_feeds",
        "the flows' sequences have other names, and the bounds would show them",
    ),
    (
        "arrival_order",
        "snapshots/shared_null_equals_null",
        "the target has snapshots, which come in the order of their versions",
    ),
    (
        "arrival_order",
        "snapshots/shared_with_a_feed",
        "the target has snapshots, which come in the order of their versions",
    ),
    (
        "ignored_tie_breaker",
        "bitemporal/struct_sequence",
        "the rows of a bitemporal table may differ in the rest of the sequence alone",
    ),
    (
        "ignored_tie_breaker",
        "sequences/null_struct_is_refused",
        "the sequence is one column, of which nothing can be cut",
    ),
    (
        "ignored_tie_breaker",
        "sequences/struct_column_of_nulls",
        "the sequence is one column, of which nothing can be cut",
    ),
    ("swapped_columns", "columns/except_column_list", "a clause reads a column that would be exchanged"),
];

fn applies(mutant: &Mutant, fixture: &Fixture) -> bool {
    fixture.plans.iter().any(|plan| (mutant.needs)(plan).is_ok())
}

#[test]
fn the_forms_differ_from_the_model_where_it_is_listed_and_nowhere_else() {
    let fixtures = load(".");
    let mut found = BTreeMap::new();
    for (suite, fixture) in fixtures.pairs() {
        for mutant in with_forms() {
            let Some(Ok(form)) = feed_form::of(&mutant, fixture) else { continue };
            let at = differences(&mutant, &form, fixture);
            if !at.is_empty() {
                found.insert((mutant.name, suite.full_name(fixture)), at);
            }
        }
    }
    let listed =
        DIFFERENCES.iter().map(|(mutant, fixture, at, _)| ((*mutant, (*fixture).to_owned()), at.to_vec()));
    assert_eq!(found, listed.collect());
}

#[test]
fn what_has_no_form_where_its_mutant_applies_says_why() {
    let fixtures = load(".");
    let mut reasons = BTreeMap::new();
    for (suite, fixture) in fixtures.pairs() {
        for mutant in with_forms().iter().filter(|mutant| applies(mutant, fixture)) {
            if let Some(Err(reason)) = feed_form::of(mutant, fixture) {
                reasons.insert((mutant.name, suite.full_name(fixture)), reason);
            }
        }
    }
    let listed =
        WITHOUT_FORM.map(|(mutant, fixture, reason)| ((mutant, fixture.to_owned()), reason.to_owned()));
    assert_eq!(reasons, BTreeMap::from(listed));
}

#[test]
fn the_published_cells_are_the_same_in_both_forms() {
    let fixtures = load("customers_current");
    let published = |fixture: &&Fixture| PUBLISHED.contains(&&*fixture.name);
    let fixtures: Vec<&Fixture> = fixtures.suites[0].fixtures.iter().filter(published).collect();
    assert_eq!(fixtures.len(), PUBLISHED.len());
    let mut caught = BTreeSet::new();
    for fixture in fixtures {
        for mutant in SEVEN.map(mutant) {
            let outcome = try_mutant(&mutant, fixture);
            match feed_form::of(&mutant, fixture).unwrap() {
                Err(reason) => assert!(matches!(outcome, Outcome::NotApplicable(known) if known == reason)),
                Ok(form) => {
                    let is = form.is_caught();
                    assert_eq!(
                        is,
                        matches!(outcome, Outcome::Caught(_)),
                        "{} on {}",
                        mutant.name,
                        fixture.name
                    );
                    caught.extend(is.then_some(mutant.name));
                }
            }
        }
    }
    let all_but_the_history = SEVEN[..6].iter().copied().collect();
    assert_eq!(caught, all_but_the_history);
}

#[test]
fn each_cell_of_the_judged_suites_is_the_same_in_both_forms() {
    for suite in load(".").suites.iter().filter(|suite| suite.audited) {
        for (fixture, mutant) in
            suite.fixtures.iter().flat_map(|it| with_forms().into_iter().map(move |mutant| (it, mutant)))
        {
            let Some(Ok(form)) = feed_form::of(&mutant, fixture) else { continue };
            let is_caught_inside = matches!(try_mutant(&mutant, fixture), Outcome::Caught(_));
            assert_eq!(form.is_caught(), is_caught_inside, "{} on {}", mutant.name, suite.full_name(fixture));
        }
    }
}

//! What is told of a change, and whether it fails: each kind of change alone.

use cdc_killmatrix::audit::{Comparison, Grade, Known, State, SuiteState, compare};
use cdc_killmatrix::{Ignored, Matrix};

use crate::made::{matrix, suite};

/// The state of a matrix, with one definition for all fixtures.
fn state(matrix: &Matrix, definition: &str) -> State {
    let suites = matrix.suites.iter().filter(|suite| suite.audited).map(|suite| {
        let names = |column: usize, wanted: &[&str]| -> Vec<String> {
            let lines = suite.fixtures.iter().filter(|line| wanted.contains(&line.cells[column].name()));
            lines.map(|line| line.name.clone()).collect()
        };
        let known = |column| Known {
            caught: names(column, &["caught"]),
            missed: names(column, &["missed", "error"]),
        };
        let mutants = matrix.mutants.iter().enumerate();
        let state = SuiteState {
            path: suite.name.clone(),
            fixtures: suite.fixtures.iter().map(|it| (it.name.clone(), definition.to_owned())).collect(),
            mutants: mutants.map(|(column, mutant)| (mutant.name.to_owned(), known(column))).collect(),
        };
        (suite.name.clone(), state)
    });
    State { suites: suites.collect() }
}

fn one(lines: &[(&str, &str)]) -> Matrix {
    matrix(vec![suite("s", lines)])
}

fn compared(old: &Matrix, new: &Matrix) -> Comparison {
    compare(&state(old, "1"), &state(new, "1"), new, &[], |_| false)
}

/// The changes of a suite of two fixtures.
fn told(old: &[(&str, &str)], new: &[(&str, &str)]) -> Vec<(Grade, String)> {
    texts(&compared(&one(old), &one(new)))
}

fn texts(comparison: &Comparison) -> Vec<(Grade, String)> {
    comparison.changes.iter().map(|change| (change.kind.grade(), change.text.clone())).collect()
}

fn worse(text: &str) -> Vec<(Grade, String)> {
    vec![(Grade::Worse, text.to_owned())]
}

fn better(text: &str) -> Vec<(Grade, String)> {
    vec![(Grade::Better, text.to_owned())]
}

#[test]
fn nothing_is_told_of_what_stays() {
    assert_eq!(told(&[("one", "x.=~! "), ("two", ".x   ~")], &[("one", "x.=~! "), ("two", ".x   ~")]), []);
}

#[test]
fn caught_then_missed_by_all_is_worse() {
    let text = "a was caught by one and two; now no fixture catches it";
    assert_eq!(told(&[("one", "x"), ("two", "x")], &[("one", "~"), ("two", "!")]), worse(text));
}

#[test]
fn caught_then_missed_by_one_is_worse() {
    let text = "one no longer catches a; only two still does";
    assert_eq!(told(&[("one", "x"), ("two", "x")], &[("one", "."), ("two", "x")]), worse(text));
}

#[test]
fn a_fixture_that_vanished_is_worse() {
    assert_eq!(
        told(&[("one", "x"), ("two", "x")], &[("one", "x")]),
        worse("there is no fixture two any more")
    );
}

#[test]
fn a_fixture_that_vanished_takes_its_catches_along() {
    let told = told(&[("one", "x."), ("two", ".x")], &[("one", "x.")]);
    let texts: Vec<&str> = told.iter().map(|it| it.1.as_str()).collect();
    let expected = ["there is no fixture two any more", "b was caught by two; now no fixture catches it"];
    assert_eq!(texts, expected);
    assert!(told.iter().all(|it| it.0 == Grade::Worse));
}

#[test]
fn a_mutant_that_vanished_is_worse() {
    assert_eq!(told(&[("one", "xx")], &[("one", "x")]), worse("there is no broken copy b any more"));
}

#[test]
fn a_new_mutant_that_is_not_caught_is_worse() {
    assert_eq!(told(&[("one", "x")], &[("one", "x~")]), worse("b is new, and no fixture catches it"));
}

#[test]
fn a_new_mutant_that_is_caught_is_better_and_one_that_can_do_nothing_is_not_told() {
    assert_eq!(told(&[("one", "x")], &[("one", "xx x")]), better("2 new mutants are caught: b and d"));
}

#[test]
fn an_accepted_survivor_passes_and_its_catch_is_better() {
    assert_eq!(told(&[("one", "x~")], &[("one", "x=")]), []);
    assert_eq!(told(&[("one", "x~")], &[("one", "xx")]), better("b survived and is now caught by one"));
}

#[test]
fn a_new_fixture_is_better() {
    assert_eq!(told(&[("one", "x")], &[("one", "x"), ("two", "x")]), better("1 new fixture: two"));
}

#[test]
fn a_fixture_that_catches_more_is_better() {
    assert_eq!(
        told(&[("one", "x"), ("two", "~")], &[("one", "x"), ("two", "x")]),
        better("two now catches a, too")
    );
}

#[test]
fn what_can_do_nothing_any_more_under_the_same_flow_is_worse() {
    let text = "a can do nothing wrong here any more, though the flow is the same";
    assert_eq!(told(&[("one", "xx")], &[("one", " x")]), worse(text));
}

#[test]
fn a_survivor_that_could_do_nothing_before_is_worse() {
    let text = "b could do nothing wrong here and now can, and no fixture catches it";
    assert_eq!(told(&[("one", "x ")], &[("one", "x~")]), worse(text));
}

#[test]
fn a_changed_definition_says_what_applies_now_and_whose_rows_are_old() {
    let (old, new) = (one(&[("one", "xx ")]), one(&[("one", "x x")]));
    let comparison = compare(&state(&old, "1"), &state(&new, "2"), &new, &[], |_| false);
    let text = "the definition of one changed; its rows were typed under the old one; can now do something wrong: c; \
                can't any more: b";
    assert_eq!(texts(&comparison), [(Grade::Told, text.to_owned())]);
}

#[test]
fn a_suite_that_was_not_loaded_is_not_judged_and_one_that_is_gone_is_worse() {
    let (old, new) =
        (matrix(vec![suite("s", &[("one", "x")]), suite("t", &[("two", "x")])]), one(&[("one", "x")]));
    let with =
        |is_there: bool| texts(&compare(&state(&old, "1"), &state(&new, "1"), &new, &[], |_| is_there));
    assert_eq!(with(true), [(Grade::Told, "it wasn't loaded: not judged".to_owned())]);
    assert_eq!(with(false), worse("there is no folder t any more"));
}

#[test]
fn a_suite_of_which_a_part_was_loaded_is_not_judged() {
    let (old, new) = (one(&[("one", "x"), ("two", "x")]), one(&[("one", "~")]));
    let comparison = compare(&state(&old, "1"), &state(&new, "1"), &new, &["s"], |_| true);
    assert_eq!(texts(&comparison), [(Grade::Told, "only a part of it was loaded: not judged".to_owned())]);
}

#[test]
fn a_suite_that_is_no_longer_audited_is_worse() {
    let old = one(&[("one", "x")]);
    let mut new = one(&[("one", "")]);
    new.suites[0].audited = false;
    new.mutants = old.mutants.clone();
    assert_eq!(texts(&compared(&old, &new)), worse("it is no longer audited"));
}

#[test]
fn a_new_suite_is_told_with_what_it_does_not_catch_and_never_fails() {
    let (old, new) =
        (one(&[("one", "xx")]), matrix(vec![suite("s", &[("one", "xx")]), suite("t", &[("two", "x~")])]));
    let text = "new suite: 1 fixture, 1 broken copy caught; not caught: b";
    assert_eq!(texts(&compared(&old, &new)), [(Grade::Told, text.to_owned())]);
}

#[test]
fn an_ignored_mutant_never_fails() {
    let reason = "nobody sends it".to_owned();
    let ignored = |mutant: &str| Ignored { mutant: mutant.to_owned(), suite: None, reason: reason.clone() };
    let old = one(&[("one", "x")]);
    let mut new = one(&[("one", "~~")]);
    new.ignored = vec![ignored("a"), ignored("b")];
    let text = "a was caught by one; it is ignored: nobody sends it";
    assert_eq!(texts(&compared(&old, &new)), [(Grade::Told, text.to_owned())]);
    assert_eq!(new.survivors().count(), 0);
}

#[test]
fn a_new_mutant_that_is_declared_equivalent_passes() {
    let old = one(&[("one", "x")]);
    let mut new = one(&[("one", "x=")]);
    new.mutants[1] = new.mutants[1].equivalent("it does what it should");
    assert_eq!(texts(&compared(&old, &new)), []);
}

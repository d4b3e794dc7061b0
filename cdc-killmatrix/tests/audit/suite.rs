//! What fixtures do beside each other, and how it is told.

use cdc_killmatrix::audit::{self, Needless, Seen};
use cdc_killmatrix::report::{self, Extent};

use crate::binary::{code, killmatrix, parsed, root, stderr, stdout};
use crate::made::{matrix, suite};

fn told(text: &str) -> String {
    anstream::adapter::strip_str(text).to_string()
}

#[test]
fn what_a_fixture_adds_is_told_with_the_fewest_others() {
    let matrix =
        matrix(vec![suite("s", &[("one", "xx.."), ("two", ".x.."), ("three", "x.x."), ("four", ".xx.")])]);
    let audit = &audit::of(&matrix)[0];
    assert_eq!(
        audit.needless,
        [
            Needless { fixture: 0, beside: vec![1, 2] },
            Needless { fixture: 1, beside: vec![0] },
            Needless { fixture: 2, beside: vec![0, 3] },
            Needless { fixture: 3, beside: vec![0, 2] },
        ]
    );
    assert_eq!(audit.names(&audit.cover.fixtures), ["one", "three"]);
    assert!(audit.sole.is_empty());
}

#[test]
fn a_fixture_that_catches_nothing_needs_no_other() {
    let matrix = matrix(vec![suite("s", &[("one", "x="), ("idle", "==")])]);
    let audit = &audit::of(&matrix)[0];
    assert_eq!(audit.needless, [Needless { fixture: 1, beside: vec![] }]);
    assert_eq!(audit.sole, [(0, vec![0])]);
    assert!(
        told(&report::audit(&audit::of(&matrix), Extent::Screen, "cdc-killmatrix"))
            .contains("  idle  catches nothing\n")
    );
}

#[test]
fn mutants_with_the_same_fixtures_are_alike_and_survivors_are_not() {
    let matrix = matrix(vec![suite("s", &[("one", "xx.x."), ("two", "xx..."), ("three", "....x")])]);
    let audit = &audit::of(&matrix)[0];
    assert_eq!(audit.alike.iter().map(|it| audit.mutants(&it.mutants)).collect::<Vec<_>>(), [["a", "b"]]);
}

#[test]
fn of_the_mutants_of_a_decision_the_best_seen_counts() {
    let matrix =
        matrix(vec![suite("s", &[("one", ".=~"), ("two", "..="), ("three", "  !"), ("four", "..x")])]);
    assert_eq!(
        audit::of(&matrix)[0].hooks,
        [("admits", vec![Seen::Differs, Seen::Asked, Seen::Nothing, Seen::Caught])]
    );
}

#[test]
fn a_suite_is_one_screen_of_eighty_columns_however_large_it_is() {
    let names: Vec<String> = (0..30).map(|at| format!("a_fixture_with_a_long_name_{at}")).collect();
    let lines: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "xxxxxx~")).collect();
    let matrix = matrix(vec![suite("s", &lines)]);
    let screen = told(&report::audit(&audit::of(&matrix), Extent::Screen, "cdc-killmatrix"));
    assert!(screen.lines().count() <= 40, "{screen}");
    assert!(screen.contains("and 25 more: --all"), "{screen}");
    for text in [&screen, &told(&report::audit(&audit::of(&matrix), Extent::All, "cdc-killmatrix"))] {
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    }
}

#[test]
fn what_is_proven_is_told_in_words() {
    let told = |lines: &[(&str, &str)]| {
        let matrix = matrix(vec![suite("s", lines)]);
        told(&report::audit(&audit::of(&matrix), Extent::Screen, "cdc-killmatrix")).replace('\n', " ")
    };
    let apart = told(&[("one", "x.x"), ("two", ".xx"), ("three", "..x")]);
    assert!(
        apart.contains("3 fixtures catch 3 broken copies. 2 catch the same: one and two. Fewer can't:"),
        "{apart}"
    );
    assert!(apart.contains("no fixture catches two of a and b, so each needs one of its own."), "{apart}");
    let searched = told(&[("one", "x.x"), ("two", "xx."), ("three", ".xx")]);
    assert!(
        searched.contains("1 is needed at least, and the search for 1 came to its end without a find"),
        "{searched}"
    );
}

#[test]
fn text_of_fixtures_is_shown_and_not_obeyed() {
    let mut hostile = suite("s\u{1b}[2J", &[("x\u{1b}[2J|<b>", "x")]);
    hostile.title = "\u{1b}[2J|<b>".to_owned();
    hostile.fixtures[0].title = "\u{1b}[2J|<b>".to_owned();
    let matrix = matrix(vec![hostile, suite("idle", &[("y\u{1b}[2J", ".")])]);
    let audits = audit::of(&matrix);
    assert!(!told(&report::audit(&audits, Extent::All, "cdc-killmatrix")).contains('\u{1b}'));
    assert!(!report::audit(&audits, Extent::All, "cdc-killmatrix").contains("[2J\u{1b}[2J"));
    let markdown = report::audit_markdown(&audits, None);
    assert!(!markdown.contains('\u{1b}') && !markdown.contains("<b>"), "{markdown}");
}

#[test]
fn every_shipped_suite_is_told_on_a_screen_with_a_set_that_is_proven() {
    let output = killmatrix(&root(), &["audit"]);
    assert_eq!((code(&output), stderr(&output).as_str()), (0, ""));
    assert!(stdout(&output).lines().all(|line| line.chars().count() <= 80), "{}", stdout(&output));
    let json = parsed(&killmatrix(&root(), &["audit", "--format", "json"]));
    for suite in json["suites"].as_array().unwrap() {
        assert_ne!(suite["smallest"]["proof"]["kind"], "bound", "{suite}");
    }
}

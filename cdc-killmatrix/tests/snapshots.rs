//! What model and harness make of the corpus, kept under `snapshots/` to be read in a diff.
//!
//! Written by `INSTA_UPDATE=always cargo test`, reviewed with `git diff`. Never the truth: that is in the
//! fixtures, typed by hand.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use cdc_core::{Mutant, Reference};
use cdc_killmatrix::readiness::Readiness;
use cdc_killmatrix::report;
use cdc_killmatrix::{Fixture, Fixtures, Matrix, Suite, catalogue, tables, try_mutant};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The fixtures, with paths as seen from the top of the repository.
fn shipped() -> Fixtures {
    let mut fixtures = Fixtures::load([root().join("fixtures")]).unwrap();
    for fixture in fixtures.suites.iter_mut().flat_map(|suite| &mut suite.fixtures) {
        let path = fixture.path.strip_prefix(root()).unwrap();
        fixture.path = PathBuf::from(path.to_string_lossy().replace('\\', "/"));
    }
    fixtures
}

/// One suite.
fn of(fixtures: &Fixtures, suite: &str) -> Fixtures {
    let mut fixtures = fixtures.clone();
    fixtures.suites.retain(|it| it.name == suite);
    fixtures
}

/// Everything that is kept: a name and a text each.
fn snapshots() -> Vec<(String, String)> {
    let (fixtures, mutants) = (shipped(), catalogue::all());
    let matrix = Matrix::of(&fixtures, &mutants);
    let current = of(&fixtures, "customers_current");
    let mut all = vec![
        (
            "matrix".to_owned(),
            anstream::adapter::strip_str(&report::text(&matrix, "cdc-killmatrix")).to_string(),
        ),
        ("matrix_markdown".to_owned(), report::markdown(&matrix)),
        (
            "matrix_json".to_owned(),
            report::matrix_json(
                &Matrix::of(&current, &mutants[..20]).in_words(&current),
                report::Beside::default(),
            ),
        ),
        (
            "matrix_in_full".to_owned(),
            anstream::adapter::strip_str(&report::full_text(&matrix, "cdc-killmatrix")).to_string(),
        ),
        ("mutants".to_owned(), report::list(&mutants)),
    ];
    let verdicts = Readiness::of(&of(&fixtures, "databricks")).unwrap();
    all.extend([
        ("verdicts".to_owned(), anstream::adapter::strip_str(&report::verdicts(&verdicts)).to_string()),
        ("verdicts_markdown".to_owned(), report::verdicts_markdown(&verdicts)),
        ("verdicts_json".to_owned(), report::verdicts_json(&verdicts)),
    ]);
    for (family, columns) in matrix.families() {
        let kills = columns.into_iter().map(|column| kill(&mutants[column], &fixtures));
        all.push((format!("kills_{}", family.replace(' ', "_")), kills.collect::<Vec<String>>().join("\n")));
    }
    for suite in &fixtures.suites {
        let mut text = String::new();
        for fixture in &suite.fixtures {
            text.push_str(&report::rows_title(&suite.name, fixture));
            for (number, shown) in tables(&Reference, fixture).unwrap().iter().enumerate() {
                text.push_str(&report::rows_text(fixture, number, shown, &[]));
            }
            text.push('\n');
        }
        all.push((format!("reference_{}", suite.name), text));
    }
    all
}

/// How the fixture that is there to catch a mutant catches it.
fn kill(mutant: &Mutant, fixtures: &Fixtures) -> String {
    let is_meant = |(suite, fixture): &(&Suite, &Fixture)| suite.full_name(fixture) == mutant.caught_by;
    let (suite, fixture) = fixtures.pairs().find(is_meant).expect("it is there");
    report::explain(mutant, &suite.name, fixture, &try_mutant(mutant, fixture))
}

#[test]
fn reports_are_as_reviewed() {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(root().join("snapshots").canonicalize().unwrap());
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.remove_snapshot_suffix();
    settings.bind(|| {
        for (name, text) in snapshots() {
            insta::assert_snapshot!(name, text);
        }
    });
}

#[test]
fn no_snapshot_is_left_over() {
    let expected: BTreeSet<String> =
        snapshots().into_iter().map(|(name, _)| format!("{name}.snap")).collect();
    let found = fs::read_dir(root().join("snapshots")).unwrap();
    let found: BTreeSet<String> =
        found.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    // The help and the wrong turns are kept by a test of their own.
    let is_own = |name: &&String| !name.starts_with("help") && !name.starts_with("turn_");
    let orphans: Vec<&String> = found.difference(&expected).filter(is_own).collect();
    assert!(orphans.is_empty(), "delete {orphans:?}");
}

#[test]
fn a_report_is_the_same_each_time() {
    assert_eq!(snapshots(), snapshots());
}

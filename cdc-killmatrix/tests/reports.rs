//! The faults that people reported, and the mutants that stand for them.

use std::path::Path;

use cdc_core::{AutoCdc, Mutant, Reference};
use cdc_killmatrix::{Checkpoint, Fixture, Fixtures, Outcome, Shown, Suite, catalogue, tables, try_mutant};

/// The report whose wrong rows are the reference's: in a tie of batches the upsert wins.
const RIGHT: &str = "b19";

/// The report whose wrong rows no mutant gives: their bounds are from a wall clock, which isn't in the data.
const OF_A_WALL_CLOCK: &str = "b65";
/// Two decisions are wrong there: an event stands in the order of its arrival, and it only closes.
const OF_TWO_FAULTS: &str = "b68";

/// The mutants of what a report says beside what its fixture holds.
const SIDE_REMARKS: [&str; 2] = ["accepted_null_key", "null_sequence_lowest"];

/// With which class a mutant must refuse a batch, where its fault makes it do so: keys that it takes for one occur
/// twice in a snapshot, and a column that it takes for the sequence is null.
const REFUSALS: [(&str, &str); 7] = [
    ("collapsed_key", "DUPLICATE_KEY_VIOLATION"),
    ("glued_key", "DUPLICATE_KEY_VIOLATION"),
    ("accepted_null_key", "DUPLICATE_KEY_VIOLATION"),
    ("case_folded_key", "DUPLICATE_KEY_VIOLATION"),
    ("trimmed_key", "DUPLICATE_KEY_VIOLATION"),
    ("key_through_double", "DUPLICATE_KEY_VIOLATION"),
    ("load_time_as_sequence", "NULL_SEQUENCE"),
];

fn corpus() -> Fixtures {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures");
    Fixtures::load([folder]).unwrap_or_else(|errors| panic!("{errors}"))
}

fn reports() -> Vec<Fixture> {
    let is_meant = |suite: &Suite| suite.name == "reports";
    corpus().suites.into_iter().find(is_meant).expect("a suite of reports").fixtures
}

/// `b32` of `b32_compound_key_concatenated`.
fn id(fixture: &Fixture) -> &str {
    fixture.name.split('_').next().unwrap_or_default()
}

fn applies(mutant: &Mutant, fixture: &Fixture) -> bool {
    fixture.plans.iter().any(|plan| (mutant.needs)(plan).is_ok())
}

/// Whether a model shows exactly the rows that were seen, wherever some were.
fn gives_observed<M: AutoCdc + ?Sized>(model: &M, fixture: &Fixture) -> bool {
    let Ok(shown) = tables(model, fixture) else { return false };
    let is_as_seen = |(checkpoint, shown): (&Checkpoint, &Shown)| {
        checkpoint.observed.as_ref().is_none_or(|observed| shown.table == *observed)
    };
    fixture.checkpoints.iter().zip(&shown).all(is_as_seen)
}

#[test]
fn every_report_has_rows_that_the_reference_does_not_give() {
    let fixtures = reports();
    assert_eq!(fixtures.len(), 52);
    for fixture in fixtures {
        let has_rows = fixture.checkpoints.iter().any(|checkpoint| checkpoint.observed.is_some());
        assert!(has_rows, "{} has no observed rows", fixture.name);
        let is_right = gives_observed(&Reference, &fixture);
        assert_eq!(
            is_right,
            id(&fixture) == RIGHT,
            "the reference gives the observed rows of {}",
            fixture.name
        );
    }
}

#[test]
fn every_report_is_given_exactly_by_some_mutant() {
    let (fixtures, mutants) = (reports(), catalogue::all());
    let mut wrong = Vec::new();
    for fixture in fixtures.iter().filter(|fixture| id(fixture) != RIGHT) {
        let is_it = |mutant: &&Mutant| applies(mutant, fixture) && gives_observed(*mutant, fixture);
        let given = mutants.iter().find(is_it);
        if given.is_some() == [OF_A_WALL_CLOCK, OF_TWO_FAULTS].contains(&id(fixture)) {
            wrong.push(format!("{}: given by {:?}", fixture.name, given.map(|mutant| mutant.name)));
        }
    }
    assert_eq!(wrong, [""; 0]);
}

#[test]
fn a_mutant_gives_the_rows_of_the_report_that_it_names() {
    let (fixtures, mut wrong) = (reports(), Vec::new());
    for mutant in catalogue::all().iter().filter(|mutant| !mutant.report.is_empty()) {
        let named: Vec<&Fixture> =
            fixtures.iter().filter(|fixture| fixture.source == mutant.report).collect();
        let gives = |fixture: &&Fixture| applies(mutant, fixture) && gives_observed(mutant, fixture);
        if named.is_empty() {
            wrong.push(format!("{}: no fixture is of {}", mutant.name, mutant.report));
        } else if !named.iter().any(gives) && !SIDE_REMARKS.contains(&mutant.name) {
            wrong.push(format!("{}: gives other rows than {}", mutant.name, named[0].name));
        }
    }
    assert_eq!(wrong, [""; 0]);
}

#[test]
fn every_mutant_says_its_family_and_what_the_business_notices() {
    let is_sentence = |text: &str| text.starts_with(char::is_uppercase) && !text.ends_with('.');
    for mutant in catalogue::all() {
        assert!(!mutant.family.is_empty(), "{} has no family", mutant.name);
        assert!(
            is_sentence(mutant.about) && !mutant.about.contains('\n'),
            "{}: {}",
            mutant.name,
            mutant.about
        );
        let is_told = is_sentence(mutant.consequence) && !mutant.consequence.contains('\n');
        assert!(is_told, "{}: {:?}", mutant.name, mutant.consequence);
    }
}

#[test]
fn every_fixture_that_is_said_to_catch_a_mutant_does() {
    let corpus = corpus();
    let mut wrong = Vec::new();
    for mutant in catalogue::all().iter().filter(|mutant| !mutant.caught_by.is_empty()) {
        let (suite, name) = mutant.caught_by.rsplit_once('/').expect("a suite and a fixture");
        let suite = corpus.suites.iter().find(|it| it.name == suite);
        let fixture = suite.and_then(|suite| suite.fixtures.iter().find(|fixture| fixture.name == name));
        let outcome = fixture.map(|fixture| try_mutant(mutant, fixture));
        if !matches!(outcome, Some(Outcome::Caught(_))) {
            let outcome = outcome.map_or("there is no such fixture", |outcome| outcome.name());
            wrong.push(format!("{} by {}: {outcome}", mutant.name, mutant.caught_by));
        }
    }
    assert_eq!(wrong, [""; 0]);
}

#[test]
fn no_mutant_breaks_down_on_a_shipped_fixture() {
    let (corpus, mutants) = (corpus(), catalogue::all());
    let mut broken = Vec::new();
    for (suite, fixture) in corpus.pairs() {
        for mutant in mutants.iter().filter(|mutant| applies(mutant, fixture)) {
            let cell = format!("{} on {}/{}", mutant.name, suite.name, fixture.name);
            // All checkpoints are played, even those behind a catch.
            if let Err(text) = tables(mutant, fixture) {
                broken.push(format!("{cell}: {text}"));
            }
            let is_implied = |text: &str| {
                REFUSALS
                    .iter()
                    .any(|(name, class)| *name == mutant.name && text.ends_with(&format!("[{class}]")))
            };
            match try_mutant(mutant, fixture) {
                Outcome::Error(text) if !is_implied(&text) => broken.push(format!("{cell}: {text}")),
                _ => {}
            }
        }
    }
    assert_eq!(broken, [""; 0]);
}

//! The published result, cell by cell and row by row: five sequences against broken copies.

use std::path::Path;

use cdc_core::{Mutant, Row, Value};
use cdc_killmatrix::{Fixture, Fixtures, Outcome, Suite, catalogue, tables, try_mutant};

fn suite(name: &str) -> Suite {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures").join(name);
    let fixtures = Fixtures::load([folder]).unwrap_or_else(|errors| panic!("{errors}"));
    fixtures.suites.into_iter().next().unwrap()
}

/// The five published sequences.
const PUBLISHED: [&str; 5] =
    ["ordering_and_delete", "update_and_mapping", "sequence_tie", "explicit_null", "exact_redelivery"];

fn published() -> [Fixture; 5] {
    let suite = suite("customers_current");
    PUBLISHED.map(|name| fixture(&suite, name))
}

fn fixture(suite: &Suite, name: &str) -> Fixture {
    suite.fixtures.iter().find(|fixture| fixture.name == name).unwrap().clone()
}

fn mutant(name: &str) -> Mutant {
    catalogue::all().into_iter().find(|mutant| mutant.name == name).unwrap()
}

/// The rows after a checkpoint, counted from 1.
fn rows(name: &str, fixture: &Fixture, checkpoint: usize) -> Vec<Row> {
    tables(&mutant(name), fixture).unwrap()[checkpoint - 1].table.rows().to_vec()
}

fn customer(id: i64, city: &str, email: &str) -> Row {
    [Value::Int(id), Value::from(city), Value::from(email)].into()
}

/// The checkpoints, from 1, at which a mutant is caught.
fn caught_at(name: &str, fixture: &Fixture) -> Vec<usize> {
    match try_mutant(&mutant(name), fixture) {
        Outcome::Caught(differences) => differences.iter().map(|it| it.checkpoint + 1).collect(),
        Outcome::Missed(_) | Outcome::NotApplicable(_) => Vec::new(),
        outcome => panic!("{name} on {}: {outcome:?}", fixture.name),
    }
}

/// The two customers of the first sequence.
const ANA: &str = "ana@example.com";
const BEN: &str = "ben@example.com";

#[test]
fn the_published_cells_are_reproduced() {
    let names = ["collapsed_key", "arrival_order", "ignored_deletes", "swapped_columns", "kept_nulls"];
    let published = [
        ("ordering_and_delete", [true, true, true, true, false]),
        ("update_and_mapping", [true, false, false, true, false]),
        ("sequence_tie", [false, true, false, true, false]),
        ("explicit_null", [false, false, false, true, true]),
        ("exact_redelivery", [false, false, false, true, false]),
    ];
    let suite = suite("customers_current");
    for (fixture_name, cells) in published {
        let fixture = fixture(&suite, fixture_name);
        for (name, caught) in names.into_iter().zip(cells) {
            assert_eq!(!caught_at(name, &fixture).is_empty(), caught, "{name} on {fixture_name}");
        }
    }
}

#[test]
fn there_are_fifteen_checkpoints_each_compared() {
    let fixtures = published();
    assert_eq!(fixtures.each_ref().map(|fixture| fixture.checkpoints.len()), [5, 2, 3, 2, 3]);
    assert!(fixtures.iter().flat_map(|it| &it.checkpoints).all(|checkpoint| checkpoint.expect.len() == 1));
}

#[test]
fn the_tie_breaker_is_missed_by_all_sequences_but_the_tie() {
    let fixtures = published();
    let catching = fixtures.iter().filter(|fixture| !caught_at("ignored_tie_breaker", fixture).is_empty());
    assert_eq!(catching.map(|fixture| &*fixture.name).collect::<Vec<_>>(), ["sequence_tie"]);
}

#[test]
fn sync_noise_has_no_meaning_without_a_history() {
    for fixture in suite("customers_current").fixtures {
        let outcome = try_mutant(&mutant("tracked_sync_noise"), &fixture);
        assert!(matches!(outcome, Outcome::NotApplicable("SCD type 1 keeps no history")), "{outcome:?}");
    }
}

#[test]
fn arrival_order_keeps_lille_and_brings_101_back_in_bordeaux() {
    let fixture = fixture(&suite("customers_current"), "ordering_and_delete");
    let third = rows("arrival_order", &fixture, 3);
    let fifth = rows("arrival_order", &fixture, 5);
    assert_eq!(third, [customer(101, "Lille", ANA), customer(202, "Lyon", BEN)]);
    assert_eq!(fifth, [customer(101, "Bordeaux", ANA), customer(202, "Lyon", BEN)]);
    assert_eq!(caught_at("arrival_order", &fixture), [3, 5]);
}

#[test]
fn ignored_deletes_keeps_101_with_nulls() {
    let fixture = fixture(&suite("customers_current"), "ordering_and_delete");
    let erased: Row = [Value::Int(101), Value::Null, Value::Null].into();
    assert_eq!(rows("ignored_deletes", &fixture, 4), [erased, customer(202, "Lyon", BEN)]);
}

#[test]
fn collapsed_key_shows_only_101_in_paris() {
    let fixture = fixture(&suite("customers_current"), "ordering_and_delete");
    assert_eq!(rows("collapsed_key", &fixture, 1), [customer(101, "Paris", ANA)]);
}

#[test]
fn swapped_columns_fails_on_the_first_append_of_every_sequence() {
    for fixture in published() {
        assert_eq!(caught_at("swapped_columns", &fixture).first(), Some(&1), "{}", fixture.name);
    }
}

#[test]
fn sync_noise_makes_fifty_one_rows_of_one() {
    let fixture = fixture(&suite("customer_history"), "sync_noise");
    let last = fixture.checkpoints.len();
    assert_eq!(fixture.checkpoints[last - 1].expect[0].rows().len(), 1);
    assert_eq!(rows("tracked_sync_noise", &fixture, last).len(), 51);
}

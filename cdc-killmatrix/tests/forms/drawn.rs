//! Histories that are drawn from a seed: in the order of the sequence a form gives its mutant's rows.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::PathBuf;

use cdc_core::{Event, Feed, Mutant, Plan, Reference, Row, ScdType, Value};
use cdc_killmatrix::{Checkpoint, Fixture, feed_form, tables};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, RngSeed, TestRunner};

use super::histories::events::{Sequence, With, any_sequence, histories_with, timeless};
use super::histories::snapshots::snapshots;
use super::{SEVEN, differences, histories, with_forms};

/// A history as a fixture that expects nothing.
fn fixture_of(history: &histories::Fixture) -> Fixture {
    let plans = history.plans();
    let feed = history.feed(&plans);
    let nothing = |batch: usize| Checkpoint {
        note: None,
        full_refresh: false,
        expect: Vec::new(),
        expect_error: None,
        observed: None,
        line: 1,
        event_lines: vec![1; feed.batch(batch).events.len()],
    };
    Fixture {
        name: "drawn".to_owned(),
        title: String::new(),
        about: String::new(),
        source: String::new(),
        path: PathBuf::new(),
        checkpoints: (0..feed.batches()).map(nothing).collect(),
        flows: Vec::new(),
        plans,
        feed,
        business: None,
        aims_at: Vec::new(),
        findings: Vec::new(),
    }
}

const SEED: u64 = 20_261_130;

/// Histories a test.
const HISTORIES: u32 = 600;

/// Holds the forms of mutants against the model on random fixtures. For each mutant on how many of them it has other
/// rows than the reference.
fn hold(
    cases: u32,
    fixtures: impl Strategy<Value = histories::Fixture>,
    mutants: &[Mutant],
) -> BTreeMap<&'static str, usize> {
    let config = Config {
        cases,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(SEED),
        rng_algorithm: RngAlgorithm::XorShift,
        ..Config::default()
    };
    let seen = RefCell::new(BTreeMap::new());
    let held = TestRunner::new(config).run(&fixtures, |history| {
        let fixture = fixture_of(&history);
        for mutant in mutants {
            let fixture =
                if mutant.name == "ignored_tie_breaker" { &without_null_first(&fixture) } else { &fixture };
            let Some(Ok(form)) = feed_form::of(mutant, fixture) else { continue };
            let at = differences(mutant, &form, fixture);
            prop_assert!(at.is_empty(), "{} at {at:?}: {:#?}", mutant.name, form.played.feed);
            let (right, wrong) = (tables(&Reference, fixture).unwrap(), tables(mutant, fixture).unwrap());
            let differs = right.iter().zip(&wrong).any(|(right, wrong)| right.table != wrong.table);
            *seen.borrow_mut().entry(mutant.name).or_default() += usize::from(differs);
        }
        Ok(())
    });
    held.unwrap_or_else(|error| panic!("{error}\nthe seed was {SEED}"));
    seen.into_inner()
}

/// The same fixture with a zero where the first column of the sequence is null, which is no null sequence in
/// `struct(a, b)` and one in `a`. The order stays: the histories count from 1.
fn without_null_first(fixture: &Fixture) -> Fixture {
    let mut feed = Feed::default();
    for batch in (0..fixture.feed.batches()).map(|number| fixture.feed.batch(number)) {
        let plan: &Plan = &fixture.plans[batch.delivery.flow];
        let first = plan.sequence()[0];
        let row = |event: &Event| -> Row {
            let values = event.values.iter().cloned().enumerate();
            values
                .map(|(column, value)| if column == first && value.is_null() { Value::Int(0) } else { value })
                .collect()
        };
        feed.deliver(batch.delivery.clone(), batch.events.iter().map(row));
    }
    Fixture { feed, ..fixture.clone() }
}

#[test]
fn in_the_order_of_the_sequence_the_forms_are_their_mutants() {
    let (one, two, bitemporal) = (ScdType::One, ScdType::Two, ScdType::Bitemporal);
    let types = prop_oneof![
        Just((one, With::NOTHING)),
        Just((one, With::TRUNCATES)),
        Just((one, With::LISTS)),
        Just((one, With::TIME)),
        Just((one, With { flows: true, ..With::NOTHING })),
        Just((two, With::NOTHING)),
        Just((two, With::LISTS)),
        Just((two, With::TIME)),
        Just((two, With { flows: true, ..With::NOTHING })),
        Just((bitemporal, With::NOTHING)),
    ];
    let histories = histories_with(types, Just(Sequence::Unique)).prop_map(|it| it.in_order().fixture());
    let seen = hold(HISTORIES, histories, &with_forms());
    // In this order the position of a delivery is a sequence like the source's.
    let seen = SEVEN.map(|name| (name, 0 < seen[name]));
    assert_eq!(seen, SEVEN.map(|name| (name, name != "arrival_order")));
}

#[test]
fn from_snapshots_the_forms_are_their_mutants() {
    let seen = hold(HISTORIES, snapshots(1..=2_u8).prop_map(|it| it.fixture()), &with_forms());
    for name in ["collapsed_key", "ignored_deletes", "swapped_columns", "kept_nulls", "tracked_sync_noise"] {
        assert!(0 < seen[name], "{name}: {seen:?}");
    }
}

#[test]
fn a_mutant_of_the_definition_or_the_events_is_its_form_in_any_order() {
    let (own, of_hooks): (Vec<Mutant>, Vec<Mutant>) =
        with_forms().into_iter().partition(|mutant| SEVEN.contains(&mutant.name));
    assert_eq!(own.len(), SEVEN.len());
    let seen = hold(HISTORIES, timeless(any_sequence()).prop_map(|it| it.fixture()), &of_hooks);
    assert!(0 < seen["deletes_first"] && 0 < seen["truncate_last"], "{seen:?}");
}

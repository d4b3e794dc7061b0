//! The captured configurations: thirty-six tables, and the published classes.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use cdc_core::Reference;
use cdc_killmatrix::readiness::{Class, Readiness};
use cdc_killmatrix::{Fixture, Fixtures, play};
use serde_json::Value as Json;

fn captured() -> Fixtures {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/databricks");
    Fixtures::load([folder]).unwrap_or_else(|faults| panic!("{faults}"))
}

/// What was published about a fixture.
fn report(fixture: &Fixture) -> Json {
    let json: Json = serde_json::from_str(&fs::read_to_string(&fixture.path).unwrap()).unwrap();
    json["report"].clone()
}

#[test]
fn the_model_gives_all_captured_tables() {
    let fixtures = captured();
    let (mut tables, mut wrong) = (0, Vec::new());
    for (_, fixture) in fixtures.pairs() {
        assert_eq!(fixture.checkpoints.len(), 2, "{}", fixture.name);
        assert!(fixture.checkpoints[0].full_refresh && !fixture.checkpoints[1].full_refresh);
        tables += fixture.checkpoints.iter().map(|checkpoint| checkpoint.expect.len()).sum::<usize>();
        let verdict = play(&Reference, fixture);
        if !verdict.agrees() {
            wrong.push(format!("{}: {verdict:?}", fixture.name));
        }
    }
    assert_eq!(wrong, [""; 0]);
    assert_eq!((fixtures.pairs().count(), tables), (18, 36));
}

#[test]
fn the_withheld_events_change_two_targets() {
    let fixtures = captured();
    let differs = |fixture: &&Fixture| fixture.checkpoints[0].expect != fixture.checkpoints[1].expect;
    let moved = fixtures.pairs().map(|(_, fixture)| fixture).filter(differs);
    let changed: Vec<&str> = moved.map(|fixture| &*fixture.name).collect();
    assert_eq!(changed, ["2b_out_of_order_scd2", "6b_delete_then_late_event_scd2"]);
    for (_, fixture) in fixtures.pairs() {
        let expected = report(fixture)["expected_late_change"].as_bool();
        assert_eq!(expected, Some(changed.contains(&&*fixture.name)), "{}", fixture.name);
    }
}

#[test]
fn the_sources_have_all_events() {
    let fixtures = captured();
    let mut sources = BTreeMap::new();
    for (_, fixture) in fixtures.pairs() {
        let name = report(fixture)["source"].as_str().unwrap().to_owned();
        let events = |batch: usize| -> Vec<_> {
            fixture.feed.batch(batch).events.iter().map(|event| event.values.clone()).collect()
        };
        let events = [events(0), events(1)];
        assert_eq!(sources.entry(name).or_insert_with(|| events.clone()), &events, "{}", fixture.name);
    }
    let count = |batch: usize| sources.values().map(|events| events[batch].len()).sum::<usize>();
    assert_eq!((sources.len(), count(0), count(1)), (13, 125, 8));
}

#[test]
fn every_class_is_the_published_one() {
    let fixtures = captured();
    let [suite] = &Readiness::of(&fixtures).unwrap()[..] else { panic!("one suite") };
    for (configuration, (_, fixture)) in suite.configurations.iter().zip(fixtures.pairs()) {
        assert_eq!(configuration.name, fixture.name);
        let published = report(fixture)["class"].as_str().unwrap().to_owned();
        assert_eq!(configuration.class.name(), published, "{}: {}", fixture.name, configuration.reason);
        assert_eq!(configuration.fix.is_some(), configuration.class != Class::Handled);
        let ordered = report(fixture)["ordering_complete"].as_bool();
        assert_eq!(Some(configuration.tie.is_none()), ordered, "{}", fixture.name);
    }
    assert_eq!(Class::ALL.map(|class| suite.count(class)), [10, 3, 3, 2]);
}

#[test]
fn what_to_do_is_found_by_comparison() {
    let fixtures = captured();
    let suite = &Readiness::of(&fixtures).unwrap()[0];
    let fix = |name: &str| -> String {
        let found = suite.configurations.iter().find(|it| it.name.starts_with(name)).unwrap();
        found.fix.clone().unwrap_or_default()
    };
    assert_eq!(
        fix("3b"),
        "Use a composite sequence, struct(source_updated_at, transaction_sequence) instead of source_sequence, as 3C \
         Composite sequence does, only if that follows the source's own order."
    );
    assert_eq!(
        fix("4a"),
        "Take the business clock, sequence by source_updated_at instead of ingested_at, as 4B Source-time order does."
    );
    assert_eq!(fix("5a"), "Ignore null updates, as 5B Ignore NULL updates does.");
    assert_eq!(fix("8a"), "Exclude last_synced_at from history, as 8B Exclude sync timestamp does.");
    assert_eq!(fix("8b"), "Ship with this option: exclude last_synced_at from history.");
    assert_eq!(fix("3c"), "", "an ambiguous order beside it makes no option of a complete one");
}

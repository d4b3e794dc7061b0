//! Which columns a form adds, and which are compared.

use cdc_core::{Mutant, Plan, Row, Table, Value};
use cdc_killmatrix::Fixture;
use cdc_killmatrix::feed_form::{self, FeedForm};

use super::{load, mutant};

fn fixture(path: &str) -> Fixture {
    load(&format!("{path}.json")).suites.remove(0).fixtures.remove(0)
}

fn form(name: &str, fixture: &Fixture) -> FeedForm {
    let mutant: Mutant = mutant(name);
    feed_form::of(&mutant, fixture).unwrap().unwrap()
}

fn names(schema: &cdc_core::Schema) -> Vec<&str> {
    schema.iter().map(|column| &*column.name).collect()
}

#[test]
fn the_constant_key_is_hidden_and_the_source_s_key_not_compared() {
    let form = form("collapsed_key", &fixture("customers_current/sequence_tie"));
    assert_eq!(names(form.played.plan().target()), ["customer_id", "city", "email", "killmatrix_key"]);
    assert_eq!(names(form.columns()), ["city", "email"]);
    assert_eq!((form.hidden, form.uncompared), (vec!["killmatrix_key".into()], vec!["customer_id".into()]));
}

#[test]
fn the_position_of_an_arrival_counts_from_one_and_is_no_column_of_the_target() {
    let fixture = fixture("customers_current/sequence_tie");
    let form = form("arrival_order", &fixture);
    assert_eq!(form.played.plan().target(), fixture.plan().target());
    let position = |event: &cdc_core::Event| event.values.last().cloned().unwrap();
    let positions: Vec<Value> = form.played.feed.events().iter().map(position).collect();
    let counted: Vec<Value> = (1..).take(fixture.feed.events().len()).map(Value::Int).collect();
    assert_eq!(positions, counted);
}

#[test]
fn a_bound_is_compared_without_the_position() {
    let form = form("arrival_order", &fixture("customer_history/composite_sequence"));
    assert_eq!(form.played.plan().flow().sequence_by, "struct(killmatrix_arrival, source_lsn, event_pos)");
    assert_eq!(form.hidden, ["__START_AT.killmatrix_arrival", "__END_AT.killmatrix_arrival"]);
    let row = |start: &[i64]| -> Row {
        let start = Value::structure(start.iter().map(|&number| Value::Int(number)));
        [Value::Int(101), Value::from("Paris"), Value::Null, start, Value::Null].into()
    };
    let (shown, expected) = (Table::new(vec![row(&[7, 30, 2])]), Table::new(vec![row(&[30, 2])]));
    assert_eq!(form.shown(&shown), form.expected(&expected));
    assert_ne!(form.shown(&shown), form.expected(&Table::new(vec![row(&[7, 30])])));
}

#[test]
fn a_bound_without_the_tie_breaker_is_the_first_field() {
    let form = form("ignored_tie_breaker", &fixture("customer_history/composite_sequence"));
    assert_eq!(form.played.plan().flow().sequence_by, "source_lsn");
    assert_eq!(form.uncompared, ["__START_AT.event_pos", "__END_AT.event_pos"]);
    let row =
        |start: Value| -> Row { [Value::Int(101), Value::Null, Value::Null, start, Value::Null].into() };
    let shown = Table::new(vec![row(Value::Int(30))]);
    let expected = Table::new(vec![row(Value::structure([Value::Int(30), Value::Int(2)]))]);
    assert_eq!(form.shown(&shown), form.expected(&expected));
}

#[test]
fn a_name_that_the_source_has_is_not_taken() {
    let mut fixture = fixture("customers_current/sequence_tie");
    let schema = "customer_id BIGINT, city STRING, email STRING, operation STRING, source_lsn BIGINT, \
                  KILLMATRIX_KEY INT";
    let flow = cdc_core::Flow {
        keys: vec!["customer_id".into()],
        sequence_by: "source_lsn".into(),
        ..cdc_core::Flow::default()
    };
    fixture.plans = vec![Plan::new(flow, schema.parse().unwrap()).unwrap()];
    // They have the columns of another target.
    fixture.checkpoints.iter_mut().for_each(|checkpoint| checkpoint.expect.clear());
    assert_eq!(form("collapsed_key", &fixture).hidden, ["killmatrix_key_"]);
}

#[test]
fn a_clause_that_reads_an_exchanged_column_leaves_no_form() {
    let mut fixture = fixture("customers_current/sequence_tie");
    let flow = fixture.plan().flow().clone();
    let flow = |condition: &str| cdc_core::Flow { apply_as_deletes: Some(condition.into()), ..flow.clone() };
    let mut reason = |condition: &str| {
        fixture.plans = vec![Plan::new(flow(condition), fixture.plan().schema().clone()).unwrap()];
        feed_form::of(&mutant("swapped_columns"), &fixture).unwrap().err()
    };
    assert_eq!(reason("email IS NULL").as_deref(), Some("a clause reads a column that would be exchanged"));
    assert_eq!(reason("operation = 'email'"), None);
}

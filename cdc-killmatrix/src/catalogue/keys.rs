//! Which row is meant.

use cdc_core::{Around, AutoCdc as _, Event, Key, Mutants, Plan, Reference, Value, Version, needs};

/// Faults of key equality.
#[derive(Mutants)]
#[mutants(family = "key equality")]
pub(super) enum Keys {
    /// All events share one key, as if there were one customer.
    ///
    /// Of all customers one is left.
    #[mutant(key_of = |_, _| Some(Key::new([])), caught_by = "customers_current/update_and_mapping")]
    CollapsedKey,

    /// The parts of a key are glued into one text without a separator.
    ///
    /// The lines of two documents overwrite each other.
    #[mutant(
        key_of = glued,
        needs = needs::gluable_key,
        report = "https://github.com/dlt-hub/dlt/issues/4274",
        caught_by = "clauses/order_lines"
    )]
    GluedKey,

    /// A key is read back with its parts in another order, so that rows of earlier batches aren't found.
    ///
    /// Each change adds a row, and the old ones stay.
    #[mutant(
        key_of = reordered,
        needs = needs::compound_key,
        report = "https://github.com/MaterializeInc/materialize/pull/29905",
        caught_by = "clauses/order_lines"
    )]
    ReorderedKey,

    /// A key with a null is accepted, and equals no other, not even itself.
    ///
    /// Rows without a complete key pile up with every load.
    #[mutant(
        key_of = |plan, event| Some(unequal_where_null(plan, event)),
        report = "https://github.com/okube-ai/laktory/issues/586",
        caught_by = "customers_current/null_key"
    )]
    UnequalNullKey,

    /// A null in a key is accepted as a value like any other.
    ///
    /// All rows without a key become one row.
    #[mutant(
        key_of = |plan, event| Some(Key::new(key_values(plan, event).cloned())),
        report = "https://qiita.com/manabian/items/ccc04a78d4ffdea4a022",
        caught_by = "customers_current/null_key"
    )]
    AcceptedNullKey,

    /// Keys that differ only in the case of their letters are one.
    ///
    /// Two customers share one row.
    #[mutant(key_of = case_folded, needs = needs::text_key, caught_by = "clauses/spelling")]
    CaseFoldedKey,

    /// The blanks around a key are cut off.
    ///
    /// Two customers share one row, under the name of one.
    #[mutant(
        rewrite = trimmed,
        needs = needs::text_key,
        report = "https://github.com/ScalefreeCOM/datavault4dbt/issues/211",
        caught_by = "clauses/spelling"
    )]
    TrimmedKey,

    /// Keys are compared bit by bit, so that -0.0 is another one than 0.0.
    ///
    /// One thing has two rows, of which one is out of date.
    #[mutant(
        key_of = bitwise,
        needs = needs::floating_key,
        report = "https://github.com/yugabyte/yugabyte-db/issues/23815",
        caught_by = "clauses/well_probes"
    )]
    SignedZeroKey,

    /// Keys with capital letters aren't found, as in another collation, and their changes are skipped.
    ///
    /// Some customers stay as they were first loaded, and can't be deleted.
    #[mutant(
        admits = unless_with_capitals,
        needs = needs::text_key,
        report = "https://github.com/aws/pgactive/issues/327",
        caught_by = "clauses/spelling"
    )]
    UnfoundCapitals,

    /// The first column beside the key counts as part of it.
    ///
    /// A customer who moved is there twice, at the old address and at the new one.
    #[mutant(
        key_of = with_first_payload,
        needs = needs::payload_of_events,
        caught_by = "customers_current/update_and_mapping"
    )]
    DataColumnInKey,
}

fn key_values<'a>(plan: &'a Plan, event: &'a Event) -> impl Iterator<Item = &'a Value> {
    plan.keys().iter().map(|&column| &event.values[column])
}

fn glued(plan: &Plan, event: &Event) -> Option<Key> {
    let parts: String = Reference.key_of(plan, event)?.iter().map(Value::to_string).collect();
    Some(Key::new([Value::from(&*parts)]))
}

/// Equal parts are found in any order, and in a batch nothing is looked up in what was stored.
fn reordered(plan: &Plan, event: &Event) -> Option<Key> {
    let key = Reference.key_of(plan, event)?;
    let is_same = key.windows(2).all(|pair| pair[0] == pair[1]);
    let batch = (!is_same).then(|| Value::Int(event.arrival.batch.into()));
    Some(Key::new(key.iter().cloned().chain(batch)))
}

fn unequal_where_null(plan: &Plan, event: &Event) -> Key {
    let has_null = key_values(plan, event).any(Value::is_null);
    let arrival = [event.arrival.batch, event.arrival.row].map(|number| Value::Int(number.into()));
    let of_this_event = arrival.into_iter().filter(|_| has_null);
    Key::new(key_values(plan, event).cloned().chain(of_this_event))
}

fn case_folded(plan: &Plan, event: &Event) -> Option<Key> {
    let folded = |value: &Value| match value {
        Value::String(text) => Value::from(&*text.to_lowercase()),
        value => value.clone(),
    };
    Some(Key::new(Reference.key_of(plan, event)?.iter().map(folded)))
}

/// The batch with its keys trimmed, if one is padded.
fn trimmed(plan: &Plan, _: &[Event], batch: &[Event]) -> Option<Vec<Event>> {
    let is_padded =
        |value: &Value| matches!(value, Value::String(text) if text.starts_with(' ') || text.ends_with(' '));
    let trimmed = |event: &Event| {
        let mut values = event.values.to_vec();
        for &column in plan.keys() {
            if let Value::String(text) = &values[column] {
                values[column] = Value::from(text.trim_matches(' '));
            }
        }
        Event { values: values.into(), arrival: event.arrival }
    };
    let is_needed = batch.iter().any(|event| key_values(plan, event).any(is_padded));
    is_needed.then(|| batch.iter().map(trimmed).collect())
}

fn bitwise(plan: &Plan, event: &Event) -> Option<Key> {
    let bits = |value: &Value| match value {
        Value::Float(number) if number.to_bits() == (-0.0_f32).to_bits() => Value::from("-0.0"),
        Value::Double(number) if number.to_bits() == (-0.0_f64).to_bits() => Value::from("-0.0"),
        value => value.clone(),
    };
    Some(Key::new(Reference.key_of(plan, event)?.iter().map(bits)))
}

fn unless_with_capitals(plan: &Plan, version: &Version, around: &Around<'_>) -> bool {
    let has_capital = |value: &Value| match value {
        Value::String(text) => text.chars().any(char::is_uppercase),
        _ => false,
    };
    around.stored.is_none() || !key_values(plan, &version.event).any(has_capital)
}

fn with_first_payload(plan: &Plan, event: &Event) -> Option<Key> {
    let key = Reference.key_of(plan, event)?;
    let payload = plan.payload().next().map(|column| &event.values[plan.output()[column]]);
    Some(Key::new(key.iter().chain(payload).cloned()))
}

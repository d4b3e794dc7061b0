//! Whether a value reaches the table as it was sent.

use bigdecimal::{BigDecimal, RoundingMode};
use cdc_core::{AutoCdc as _, Column, DataType, Event, Key, Mutants, Plan, Reference, Row, Value, needs};

use super::values::{row_with, through_double};

/// Faults of value fidelity.
#[derive(Mutants)]
#[mutants(family = "value fidelity")]
pub(super) enum Fidelity {
    /// Keys of 64 bits pass through a double, so that neighbours above 2^53 become one.
    ///
    /// Two orders with long numbers share one row.
    #[mutant(
        key_of = key_through_double,
        needs = needs::bigint_key,
        report = "https://github.com/sidorares/node-mysql2/issues/2811",
        caught_by = "customers_current/values_as_sent"
    )]
    KeyThroughDouble,

    /// Values of 64 bits and decimals pass through a double, and lose all digits but about sixteen.
    ///
    /// Large amounts and long numbers are off in their last digits.
    #[mutant(row_of = numbers_through_double, needs = needs::long_numbers, caught_by = "clauses/order_lines")]
    NumbersThroughDouble,

    /// Decimals are rounded to two digits fewer behind the point.
    ///
    /// The cents are gone, and sums don't agree with the source.
    #[mutant(
        row_of = rounded_decimals,
        needs = needs::decimal_fractions,
        caught_by = "clauses/listed_columns"
    )]
    RoundedDecimals,

    /// A null becomes an empty text.
    ///
    /// A customer whose name nobody knows has the name "".
    #[mutant(
        row_of = empty_for_null,
        needs = needs::text_payload,
        report = "https://github.com/redpanda-data/connect/issues/3088",
        caught_by = "customers_current/values_as_sent"
    )]
    EmptyTextForNull,

    /// An empty text becomes a null.
    ///
    /// What was left empty on purpose counts as unknown.
    #[mutant(row_of = null_for_empty, needs = needs::text_payload, caught_by = "customers_current/values_as_sent")]
    NullForEmptyText,

    /// From the second batch on a column with a capital letter in its name isn't found, and lands as null.
    ///
    /// From the second load on whole columns are empty.
    #[mutant(
        row_of = without_capitals,
        needs = needs::name_with_capital,
        report = "https://github.com/bruin-data/ingestr/pull/641",
        caught_by = "clauses/well_probes"
    )]
    NamesByCase,
}

fn key_through_double(plan: &Plan, event: &Event) -> Option<Key> {
    let carried = |value: &Value| match value {
        Value::Int(number) => Value::Int(through_double(*number)),
        value => value.clone(),
    };
    Some(Key::new(Reference.key_of(plan, event)?.iter().map(carried)))
}

fn numbers_through_double(plan: &Plan, event: &Event) -> Row {
    row_with(plan, event, |column, value| match value {
        Value::Int(number) => Some(Value::Int(through_double(*number))),
        Value::Decimal(number) => {
            let double: f64 = number.to_plain_string().parse().ok()?;
            let carried: BigDecimal = double.to_string().parse().ok()?;
            Some(carried.with_scale_round(scale_of(column)?, RoundingMode::HalfUp).into())
        }
        _ => None,
    })
}

fn rounded_decimals(plan: &Plan, event: &Event) -> Row {
    row_with(plan, event, |column, value| {
        let Value::Decimal(number) = value else { return None };
        let scale = scale_of(column)?;
        let rounded = number.with_scale_round((scale - 2).max(0), RoundingMode::HalfUp);
        Some(rounded.with_scale(scale).into())
    })
}

/// How many digits of a column's values are behind the point.
fn scale_of(column: &Column) -> Option<i64> {
    match column.data_type {
        DataType::Decimal { scale, .. } => Some(scale.into()),
        _ => None,
    }
}

fn empty_for_null(plan: &Plan, event: &Event) -> Row {
    row_with(plan, event, |column, value| {
        let is_text = column.data_type == DataType::String;
        (is_text && value.is_null()).then(|| Value::from(""))
    })
}

fn null_for_empty(plan: &Plan, event: &Event) -> Row {
    row_with(plan, event, |_, value| (*value == Value::from("")).then_some(Value::Null))
}

fn without_capitals(plan: &Plan, event: &Event) -> Row {
    let is_first = event.arrival.batch == 0;
    row_with(plan, event, |column, _| {
        let has_capital = column.name.chars().any(char::is_uppercase);
        (!is_first && has_capital).then_some(Value::Null)
    })
}

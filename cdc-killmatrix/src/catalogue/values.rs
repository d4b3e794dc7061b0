//! Values that are changed on their way into the table: what several families do.

use cdc_core::{AutoCdc as _, Column, Event, Plan, Reference, Row, Value};
use jiff::SignedDuration;
use jiff::civil::DateTime;

/// How far the zone of the faults that mistake it lies from UTC.
const OFFSET: SignedDuration = SignedDuration::from_hours(8);

/// The row of an event with other values beside the key: where there is no other value, the event's own stays.
pub(super) fn row_with(plan: &Plan, event: &Event, other: impl Fn(&Column, &Value) -> Option<Value>) -> Row {
    let mut values: Vec<Value> = Reference.row_of(plan, event).to_vec();
    for column in plan.payload() {
        if let Some(value) = other(&plan.target()[column], &values[column]) {
            values[column] = value;
        }
    }
    values.into()
}

/// A value and what is inside a struct, each changed.
pub(super) fn deeply(value: &Value, change: fn(&Value) -> Value) -> Value {
    match value {
        Value::Struct(fields) => Value::structure(fields.iter().map(|field| deeply(field, change))),
        value => change(value),
    }
}

/// The point in time that comes of the local time in a zone when it is taken for UTC.
pub(super) fn in_another_zone(value: &Value) -> Value {
    let shifted = |moment: &DateTime| moment.checked_sub(OFFSET).unwrap_or(*moment);
    match value {
        Value::Timestamp(moment) => Value::Timestamp(shifted(moment)),
        value => value.clone(),
    }
}

/// The whole number that is left when a double has carried one: up to 2^53 the same.
#[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "that is the fault")]
pub(super) fn through_double(number: i64) -> i64 {
    number as f64 as i64
}

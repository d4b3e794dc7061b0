//! Casts, in ANSI mode: what has no place in the type is an error.

use std::str::FromStr;
use std::sync::Arc;

use bigdecimal::{BigDecimal, RoundingMode, ToPrimitive, Zero};
use jiff::civil::Time;
use ordered_float::OrderedFloat;

use super::{moment, number};
use crate::data_type::DataType;
use crate::error::EvalError;
use crate::value::Value;

pub(super) fn is_number(data_type: &DataType) -> bool {
    data_type.int_bounds().is_some()
        || matches!(data_type, DataType::Float | DataType::Double | DataType::Decimal { .. })
}

pub(super) fn is_moment(data_type: &DataType) -> bool {
    matches!(data_type, DataType::Date | DataType::Timestamp | DataType::TimestampNtz)
}

/// Whether there is a cast from one type to the other.
pub(super) fn castable(from: &DataType, to: &DataType) -> bool {
    let scalar = |data_type: &DataType| {
        !matches!(data_type, DataType::Struct(_) | DataType::Array(_) | DataType::Map(..))
    };
    match (from, to) {
        (from, to) if from == to => true,
        (DataType::String, other) | (other, DataType::String) => scalar(other),
        (DataType::Boolean, number) | (number, DataType::Boolean) => is_number(number),
        (from, to) => is_number(from) && is_number(to) || is_moment(from) && is_moment(to),
    }
}

/// The value in the type. There must be a cast: see [`castable`].
pub(super) fn cast(value: &Value, to: &DataType) -> Result<Value, EvalError> {
    if let Some(bounds) = to.int_bounds() {
        return int(value, bounds, to);
    }
    match (value, to) {
        (Value::Null, _) => Ok(Value::Null),
        (Value::String(_), DataType::String) => Ok(value.clone()),
        (value, DataType::String) => Ok(Value::String(text(value).into())),
        (value, DataType::Float) => float(value, to),
        (value, DataType::Double) => double(value, to),
        (value, DataType::Decimal { precision, scale }) => decimal(value, *precision, *scale, to),
        (value, DataType::Boolean) => boolean(value, to),
        (value, DataType::Date | DataType::Timestamp | DataType::TimestampNtz) => moment_of(value, to),
        (Value::String(text), DataType::Binary) => Ok(Value::Binary(text.as_bytes().into())),
        (value, _) => Ok(value.clone()),
    }
}

/// As Spark prints it.
fn text(value: &Value) -> String {
    match value {
        Value::Float(value) => number::shown(&value.0, value.0.into()),
        Value::Double(value) => number::shown(&value.0, value.0),
        Value::Timestamp(value) | Value::TimestampNtz(value) => moment::shown(*value),
        // Spark keeps bytes that are no UTF-8 and shows them like this.
        Value::Binary(value) => String::from_utf8_lossy(value).into_owned(),
        value => value.to_string(),
    }
}

fn int(value: &Value, (least, most): (i64, i64), to: &DataType) -> Result<Value, EvalError> {
    let number = match value {
        Value::Int(value) => Some(*value),
        Value::Boolean(value) => Some(i64::from(*value)),
        Value::Float(value) => whole(value.0.into()),
        Value::Double(value) => whole(value.0),
        Value::Decimal(value) => value.with_scale_round(0, RoundingMode::Down).to_i64(),
        Value::String(text) => match number::int(text).filter(|number| (least..=most).contains(number)) {
            Some(number) => return Ok(Value::Int(number)),
            None => return Err(malformed(value, to)),
        },
        _ => return Ok(Value::Null),
    };
    match number.filter(|number| (least..=most).contains(number)) {
        Some(number) => Ok(Value::Int(number)),
        None => Err(fault("CAST_OVERFLOW", format!("`{value}` does not fit into {to}"))),
    }
}

/// The number without its fraction, if 64 bits hold it.
#[expect(clippy::cast_possible_truncation, reason = "the range is checked")]
fn whole(number: f64) -> Option<i64> {
    const BOUND: f64 = 9_223_372_036_854_775_808.0;
    (-BOUND..BOUND).contains(&number).then_some(number as i64)
}

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "the nearest number is meant"
)]
fn float(value: &Value, to: &DataType) -> Result<Value, EvalError> {
    let number = match value {
        Value::Float(value) => value.0,
        Value::Int(value) => *value as f32,
        Value::Decimal(value) => value.to_plain_string().parse().unwrap_or(f32::NAN),
        Value::String(text) => number::floating(text).ok_or_else(|| malformed(value, to))?,
        value => match double(value, to)? {
            Value::Double(number) => number.0 as f32,
            null => return Ok(null),
        },
    };
    Ok(Value::Float(OrderedFloat(number)))
}

#[expect(clippy::cast_precision_loss, reason = "the nearest number is meant")]
fn double(value: &Value, to: &DataType) -> Result<Value, EvalError> {
    let number = match value {
        Value::Float(value) => value.0.into(),
        Value::Double(value) => value.0,
        Value::Int(value) => *value as f64,
        Value::Boolean(value) => f64::from(*value),
        // The digits' parser rounds correctly.
        Value::Decimal(value) => value.to_plain_string().parse().unwrap_or(f64::NAN),
        Value::String(text) => number::floating(text).ok_or_else(|| malformed(value, to))?,
        _ => return Ok(Value::Null),
    };
    Ok(Value::from(number))
}

fn decimal(value: &Value, precision: u8, scale: u8, to: &DataType) -> Result<Value, EvalError> {
    let digits = |number: f64| BigDecimal::from_str(&format!("{number:?}")).ok();
    let number = match value {
        Value::Decimal(value) => number::fitted(value, precision, scale),
        Value::Int(value) => number::fitted(&BigDecimal::from(*value), precision, scale),
        Value::Boolean(value) => number::fitted(&BigDecimal::from(i64::from(*value)), precision, scale),
        // Spark has no error for what is no number.
        Value::Float(value) if !value.is_finite() => return Ok(Value::Null),
        Value::Double(value) if !value.is_finite() => return Ok(Value::Null),
        Value::Float(value) => {
            digits(value.0.into()).and_then(|number| number::fitted(&number, precision, scale))
        }
        Value::Double(value) => digits(value.0).and_then(|number| number::fitted(&number, precision, scale)),
        Value::String(text) => number::decimal(text)
            .map_err(|()| malformed(value, to))?
            .and_then(|number| number::fitted(&number, precision, scale)),
        _ => return Ok(Value::Null),
    };
    match number {
        Some(number) => Ok(Value::Decimal(Arc::new(number))),
        None => Err(fault("NUMERIC_VALUE_OUT_OF_RANGE", format!("`{value}` does not fit into {to}"))),
    }
}

fn boolean(value: &Value, to: &DataType) -> Result<Value, EvalError> {
    Ok(match value {
        Value::Int(value) => Value::Boolean(*value != 0),
        Value::Float(value) => Value::Boolean(value.0 != 0.0),
        Value::Double(value) => Value::Boolean(value.0 != 0.0),
        Value::Decimal(value) => Value::Boolean(!value.is_zero()),
        Value::String(text) => match moment::blanks_off(text).to_ascii_lowercase().as_str() {
            "t" | "true" | "y" | "yes" | "1" => Value::Boolean(true),
            "f" | "false" | "n" | "no" | "0" => Value::Boolean(false),
            _ => return Err(malformed(value, to)),
        },
        value => value.clone(),
    })
}

/// A day or a point in time; the zone is UTC where one is missing.
fn moment_of(value: &Value, to: &DataType) -> Result<Value, EvalError> {
    let civil = match value {
        Value::String(text) => {
            let found = match to {
                DataType::Date => moment::date(text).map(Value::Date),
                DataType::Timestamp => {
                    moment::moment(text).and_then(|found| found.in_utc()).map(Value::Timestamp)
                }
                _ => moment::moment(text).map(|found| Value::TimestampNtz(found.civil)),
            };
            return found.ok_or_else(|| malformed(value, to));
        }
        Value::Date(value) => value.to_datetime(Time::midnight()),
        Value::Timestamp(value) | Value::TimestampNtz(value) => *value,
        _ => return Ok(Value::Null),
    };
    Ok(match to {
        DataType::Date => Value::Date(civil.date()),
        DataType::TimestampNtz => Value::TimestampNtz(civil),
        _ => Value::Timestamp(civil),
    })
}

fn malformed(value: &Value, to: &DataType) -> EvalError {
    fault("CAST_INVALID_INPUT", format!("`{value}` can't be cast to {to}"))
}

fn fault(class: &'static str, message: String) -> EvalError {
    EvalError { class, message }
}

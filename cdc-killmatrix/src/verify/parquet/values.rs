//! Values of a Parquet file as the JSON that a fixture would have for them.

use arrow_array::cast::AsArray as _;
use arrow_array::types::{
    Date32Type, Decimal128Type, Decimal256Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type,
    Int64Type, TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType,
    TimestampSecondType, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, RecordBatch};
use arrow_schema::{DataType, TimeUnit};
use bigdecimal::BigDecimal;
use bigdecimal::num_bigint::BigInt;
use data_encoding::BASE64;
use jiff::civil::{Date, DateTime};
use jiff::{SignedDuration, Span};
use serde_json::{Map, Number, Value, json};

/// The first moment of 1970.
const EPOCH: DateTime = DateTime::constant(1970, 1, 1, 0, 0, 0, 0);

/// A row as an object.
pub(super) fn row(batch: &RecordBatch, at: usize) -> Value {
    let member = |(field, array): (&arrow_schema::FieldRef, &arrow_array::ArrayRef)| {
        (field.name().clone(), value(array, at))
    };
    Value::Object(batch.schema_ref().fields().iter().zip(batch.columns()).map(member).collect::<Map<_, _>>())
}

/// The value of a column in a row. What has no such JSON becomes a text, which fits no type.
fn value(array: &dyn Array, at: usize) -> Value {
    if array.is_null(at) {
        return Value::Null;
    }
    match array.data_type() {
        DataType::Null => Value::Null,
        DataType::Boolean => json!(array.as_boolean().value(at)),
        DataType::Int8 => json!(array.as_primitive::<Int8Type>().value(at)),
        DataType::Int16 => json!(array.as_primitive::<Int16Type>().value(at)),
        DataType::Int32 => json!(array.as_primitive::<Int32Type>().value(at)),
        DataType::Int64 => json!(array.as_primitive::<Int64Type>().value(at)),
        DataType::UInt8 => json!(array.as_primitive::<UInt8Type>().value(at)),
        DataType::UInt16 => json!(array.as_primitive::<UInt16Type>().value(at)),
        DataType::UInt32 => json!(array.as_primitive::<UInt32Type>().value(at)),
        DataType::UInt64 => json!(array.as_primitive::<UInt64Type>().value(at)),
        // A double holds each of the floats.
        DataType::Float32 => floating(array.as_primitive::<Float32Type>().value(at).into()),
        DataType::Float64 => floating(array.as_primitive::<Float64Type>().value(at)),
        DataType::Decimal128(_, scale) => {
            decimal(BigInt::from(array.as_primitive::<Decimal128Type>().value(at)), *scale)
        }
        DataType::Decimal256(_, scale) => {
            let digits = array.as_primitive::<Decimal256Type>().value(at).to_string();
            digits.parse().map_or(json!(digits), |number| decimal(number, *scale))
        }
        DataType::Utf8 => json!(array.as_string::<i32>().value(at)),
        DataType::Binary => json!(BASE64.encode(array.as_binary::<i32>().value(at))),
        DataType::FixedSizeBinary(_) => json!(BASE64.encode(array.as_fixed_size_binary().value(at))),
        DataType::Date32 => day(array.as_primitive::<Date32Type>().value(at)),
        DataType::Timestamp(unit, zone) => {
            let (number, per_second) = match unit {
                TimeUnit::Second => (array.as_primitive::<TimestampSecondType>().value(at), 1),
                TimeUnit::Millisecond => (array.as_primitive::<TimestampMillisecondType>().value(at), 1_000),
                TimeUnit::Microsecond => {
                    (array.as_primitive::<TimestampMicrosecondType>().value(at), 1_000_000)
                }
                TimeUnit::Nanosecond => {
                    (array.as_primitive::<TimestampNanosecondType>().value(at), 1_000_000_000)
                }
            };
            moment(number, per_second, if zone.is_some() { "Z" } else { "" })
        }
        DataType::Struct(fields) => {
            let columns = array.as_struct().columns();
            let member = |(field, array): (&arrow_schema::FieldRef, &arrow_array::ArrayRef)| {
                (field.name().clone(), value(array, at))
            };
            Value::Object(fields.iter().zip(columns).map(member).collect::<Map<_, _>>())
        }
        DataType::List(_) => {
            let elements = array.as_list::<i32>().value(at);
            (0..elements.len()).map(|place| value(&elements, place)).collect()
        }
        DataType::Map(..) => {
            let entries = array.as_map().value(at);
            let pair = |place| entries.columns().iter().map(|column| value(column, place)).collect::<Value>();
            (0..entries.len()).map(pair).collect()
        }
        data_type => json!(format!("({data_type})")),
    }
}

fn floating(number: f64) -> Value {
    match Number::from_f64(number) {
        Some(number) => Value::Number(number),
        None if number.is_nan() => json!("NaN"),
        None if number < 0.0 => json!("-Infinity"),
        None => json!("Infinity"),
    }
}

/// A decimal as a text, with all its digits.
fn decimal(digits: BigInt, scale: i8) -> Value {
    json!(BigDecimal::new(digits, scale.into()).to_plain_string())
}

/// A day, from its number; one that no calendar has, as that number.
fn day(number: i32) -> Value {
    let day = Span::new().try_days(number).and_then(|days| Date::constant(1970, 1, 1).checked_add(days));
    day.map_or_else(|_| json!(format!("day {number}")), |day| json!(day.to_string()))
}

/// A time, from its number of parts of a second since 1970.
fn moment(number: i64, per_second: i64, zone: &str) -> Value {
    let nanoseconds = number.rem_euclid(per_second) * (1_000_000_000 / per_second);
    let since = i32::try_from(nanoseconds).map(|it| SignedDuration::new(number.div_euclid(per_second), it));
    let time = since.ok().and_then(|since| EPOCH.checked_add(since).ok());
    time.map_or_else(|| json!(format!("time {number}")), |time| json!(format!("{time}{zone}")))
}

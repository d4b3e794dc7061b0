use std::fmt;
use std::sync::Arc;

use bigdecimal::BigDecimal;
use jiff::civil::{Date, DateTime};
use ordered_float::OrderedFloat;

/// A value of one of Spark's SQL types, or null.
///
/// Within a type the order is total and Spark's own (measured on Apache Spark 4.3.0): null first, false
/// before true, NaN greatest and equal to itself, -0.0 equal to 0.0, text and binary by unsigned bytes,
/// decimals exact, structs and arrays by their first difference. Between types the order means nothing.
///
/// ```
/// use cdc_core::Value;
///
/// assert!(Value::Null < Value::from(f64::NEG_INFINITY));
/// assert!(Value::from(f64::INFINITY) < Value::from(f64::NAN));
/// assert_eq!(Value::from(-0.0), Value::from(0.0));
/// assert!(Value::from("10") < Value::from("9"), "text is ordered as text");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// No value.
    #[default]
    Null,
    /// `BOOLEAN`.
    Boolean(bool),
    /// `TINYINT`, `SMALLINT`, `INT` or `BIGINT`; the type bounds it.
    Int(i64),
    /// `FLOAT`.
    Float(OrderedFloat<f32>),
    /// `DOUBLE`.
    Double(OrderedFloat<f64>),
    /// `DECIMAL(p, s)`, with the scale of its type.
    Decimal(Arc<BigDecimal>),
    /// `STRING`.
    String(Arc<str>),
    /// `BINARY`.
    Binary(Arc<[u8]>),
    /// `DATE`.
    Date(Date),
    /// `TIMESTAMP`, to the microsecond, in UTC.
    // Not `jiff::Timestamp`: it ends a day before 9999-12-31T23:59:59, which stands for "for ever" in tables.
    Timestamp(DateTime),
    /// `TIMESTAMP_NTZ`, to the microsecond.
    TimestampNtz(DateTime),
    /// `STRUCT`: the fields in the order of the type.
    Struct(Arc<[Self]>),
    /// `ARRAY`.
    Array(Arc<[Self]>),
    /// `MAP`: pairs, sorted by key, for a map has no order of its own. See [`Value::map`].
    Map(Arc<[(Self, Self)]>),
}

impl Value {
    /// A map of these pairs, or the key that occurs twice.
    pub fn map(pairs: impl IntoIterator<Item = (Self, Self)>) -> Result<Self, Self> {
        let mut pairs: Vec<(Self, Self)> = pairs.into_iter().collect();
        pairs.sort();
        match pairs.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            Some(twice) => Err(twice[0].0.clone()),
            None => Ok(Self::Map(pairs.into())),
        }
    }

    /// A struct of these fields.
    pub fn structure(fields: impl IntoIterator<Item = Self>) -> Self {
        Self::Struct(fields.into_iter().collect())
    }

    /// The value laid over an earlier one: where it is null, that stays. A struct is laid over field by field; a list
    /// or a map is one value.
    ///
    /// ```
    /// use cdc_core::Value;
    ///
    /// let earlier = Value::structure([Value::from("Paris"), Value::Int(75)]);
    /// let new = Value::structure([Value::Null, Value::Int(76)]);
    /// assert_eq!(new.laid_over(&earlier), Value::structure([Value::from("Paris"), Value::Int(76)]));
    /// ```
    #[must_use]
    pub fn laid_over(&self, earlier: &Self) -> Self {
        match (self, earlier) {
            (Self::Null, earlier) => earlier.clone(),
            (Self::Struct(new), Self::Struct(earlier)) => {
                Self::structure(new.iter().zip(&**earlier).map(|(new, earlier)| new.laid_over(earlier)))
            }
            _ => self.clone(),
        }
    }

    /// Whether there is no value.
    pub fn is_null(&self) -> bool {
        *self == Self::Null
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Self::Boolean(value)
    }
}

impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Self::Int(value)
    }
}

impl From<f64> for Value {
    fn from(value: f64) -> Self {
        Self::Double(OrderedFloat(value))
    }
}

impl From<&str> for Value {
    fn from(value: &str) -> Self {
        Self::String(value.into())
    }
}

impl From<BigDecimal> for Value {
    fn from(value: BigDecimal) -> Self {
        Self::Decimal(Arc::new(value))
    }
}

/// As in a listing of a table: text without quotes unless it is inside another value, null as `null`, a struct
/// as `{10, 0}`.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Boolean(value) => value.fmt(f),
            Self::Int(value) => value.fmt(f),
            Self::Float(value) if value.is_infinite() => f.write_str(infinity(value.is_sign_negative())),
            Self::Double(value) if value.is_infinite() => f.write_str(infinity(value.is_sign_negative())),
            Self::Float(value) => write!(f, "{:?}", value.0),
            Self::Double(value) => write!(f, "{:?}", value.0),
            Self::Decimal(value) => f.write_str(&value.to_plain_string()),
            Self::String(value) => value.fmt(f),
            Self::Binary(value) => value.iter().try_for_each(|byte| write!(f, "{byte:02X}")),
            Self::Date(value) => value.fmt(f),
            Self::Timestamp(value) => write!(f, "{value}Z"),
            Self::TimestampNtz(value) => value.fmt(f),
            Self::Struct(values) => listed(f, "{", values, "}"),
            Self::Array(values) => listed(f, "[", values, "]"),
            Self::Map(pairs) => {
                f.write_str("{")?;
                for (i, (key, value)) in pairs.iter().enumerate() {
                    write!(f, "{}{}: {}", if i == 0 { "" } else { ", " }, Inside(key), Inside(value))?;
                }
                f.write_str("}")
            }
        }
    }
}

fn infinity(negative: bool) -> &'static str {
    if negative { "-Infinity" } else { "Infinity" }
}

fn listed(f: &mut fmt::Formatter<'_>, open: &str, values: &[Value], close: &str) -> fmt::Result {
    f.write_str(open)?;
    for (i, value) in values.iter().enumerate() {
        write!(f, "{}{}", if i == 0 { "" } else { ", " }, Inside(value))?;
    }
    f.write_str(close)
}

/// A value inside another: with quotes a comma in a text is no end of it.
struct Inside<'a>(&'a Value);

impl fmt::Display for Inside<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Value::String(text) => write!(f, "{text:?}"),
            value => value.fmt(f),
        }
    }
}

//! The value of a tree for a row.

use std::borrow::Cow;
use std::cmp::Ordering;

use super::cast::cast;
use super::like::Pattern;
use super::tree::{Against, Comparison, Expr, Test, TextFunction};
use crate::data_type::DataType;
use crate::error::EvalError;
use crate::value::Value;

impl Comparison {
    /// Unknown next to a null.
    #[inline]
    fn holds(self, left: &Value, right: &Value) -> Option<bool> {
        match (left, right) {
            (Value::Null, _) | (_, Value::Null) => None,
            // By far the most common, so without a call.
            (Value::String(left), Value::String(right)) if self == Self::Equal => Some(left == right),
            _ => Some(self.compares(left, right)),
        }
    }

    fn compares(self, left: &Value, right: &Value) -> bool {
        match self {
            Self::Equal => left == right,
            Self::NotEqual => left != right,
            Self::Less => left.cmp(right) == Ordering::Less,
            Self::LessOrEqual => left.cmp(right) != Ordering::Greater,
            Self::Greater => left.cmp(right) == Ordering::Greater,
            Self::GreaterOrEqual => left.cmp(right) != Ordering::Less,
        }
    }
}

impl TextFunction {
    fn of(self, text: &str) -> Value {
        // Blanks only; tabs and line feeds stay.
        match self {
            Self::Upper => Value::from(text.to_uppercase().as_str()),
            Self::Lower => Value::from(text.to_lowercase().as_str()),
            Self::Trim => Value::from(text.trim_matches(' ')),
            Self::TrimLeft => Value::from(text.trim_start_matches(' ')),
            Self::TrimRight => Value::from(text.trim_end_matches(' ')),
        }
    }
}

impl Against {
    /// The comparison with a value that isn't null.
    fn holds(&self, comparison: Comparison, left: &Value, row: &[Value]) -> Result<Option<bool>, EvalError> {
        match self {
            Self { cast: None, operand: Expr::Literal(right) } => Ok(comparison.holds(left, right)),
            Self { cast: None, operand } => Ok(comparison.holds(left, &*operand.value(row)?)),
            Self { cast: Some(to), operand } => Ok(comparison.holds(&cast(left, to)?, &*operand.value(row)?)),
        }
    }
}

impl Expr {
    pub(super) fn value<'a>(&'a self, row: &'a [Value]) -> Result<Cow<'a, Value>, EvalError> {
        match self {
            Self::Literal(value) => Ok(Cow::Borrowed(value)),
            Self::Column(column) => Ok(Cow::Borrowed(&row[*column])),
            Self::Field(of, field) => Ok(match of.value(row)? {
                Cow::Borrowed(Value::Struct(fields)) => Cow::Borrowed(&fields[*field]),
                Cow::Owned(Value::Struct(fields)) => Cow::Owned(fields[*field].clone()),
                _ => Cow::Owned(Value::Null),
            }),
            Self::Cast { value, to, or_null } => match cast(&*value.value(row)?, to) {
                Err(_) if *or_null => Ok(Cow::Owned(Value::Null)),
                value => value.map(Cow::Owned),
            },
            Self::Negated(number, data_type) => negated(&*number.value(row)?, data_type).map(Cow::Owned),
            Self::Text(function, text) => Ok(Cow::Owned(match &*text.value(row)? {
                Value::String(text) => function.of(text),
                _ => Value::Null,
            })),
            Self::Coalesce(values) => {
                for value in values {
                    let value = value.value(row)?;
                    if !value.is_null() {
                        return Ok(value);
                    }
                }
                Ok(Cow::Owned(Value::Null))
            }
            Self::Case { arms, otherwise } => {
                for (test, then) in arms {
                    if test.holds(row)? == Some(true) {
                        return then.value(row);
                    }
                }
                otherwise.value(row)
            }
            Self::CaseOf { value, arms, otherwise } => {
                let value = value.value(row)?;
                for (when, then) in arms {
                    if !value.is_null() && when.holds(Comparison::Equal, &value, row)? == Some(true) {
                        return then.value(row);
                    }
                }
                otherwise.value(row)
            }
            Self::Test(test) => Ok(Cow::Owned(test.holds(row)?.map_or(Value::Null, Value::Boolean))),
        }
    }
}

impl Test {
    /// True, false, or unknown. As in Spark, what the result doesn't depend on any more isn't evaluated.
    ///
    /// Most conditions are a column next to a literal: they are answered here, without a call.
    #[inline]
    pub(super) fn holds(&self, row: &[Value]) -> Result<Option<bool>, EvalError> {
        if let Self::Compared(Expr::Column(left), comparison, Expr::Literal(right)) = self {
            return Ok(comparison.holds(&row[*left], right));
        }
        self.worked_out(row)
    }

    fn worked_out(&self, row: &[Value]) -> Result<Option<bool>, EvalError> {
        match self {
            Self::Known(known) => Ok(*known),
            Self::Of(Expr::Column(column)) => Ok(truth(&row[*column])),
            Self::Of(expr) => Ok(truth(&*expr.value(row)?)),
            Self::Not(test) => Ok(test.holds(row)?.map(|holds| !holds)),
            Self::All(tests) => decided(tests, false, row),
            Self::Any(tests) => decided(tests, true, row),
            Self::Compared(left, comparison, right) => compared(left, *comparison, right, row),
            Self::Same(left, right) => Ok(Some(*left.value(row)? == *right.value(row)?)),
            Self::In(value, list) => {
                let value = value.value(row)?;
                if value.is_null() {
                    return Ok(None);
                }
                let mut found = Some(false);
                for item in list {
                    match item.holds(Comparison::Equal, &value, row)? {
                        Some(true) => return Ok(Some(true)),
                        Some(false) => {}
                        None => found = None,
                    }
                }
                Ok(found)
            }
            Self::Between { value, low, high } => {
                let value = value.value(row)?;
                if value.is_null() {
                    return Ok(None);
                }
                let low = low.holds(Comparison::GreaterOrEqual, &value, row)?;
                if low == Some(false) {
                    return Ok(low);
                }
                let high = high.holds(Comparison::LessOrEqual, &value, row)?;
                Ok(if low.is_none() && high == Some(true) { None } else { high })
            }
            Self::Like(value, pattern) => Ok(match &*value.value(row)? {
                Value::String(text) => Some(pattern.matches(text)),
                _ => None,
            }),
            Self::LikeValue { value, pattern, escape } => {
                let (value, pattern) = (value.value(row)?, pattern.value(row)?);
                let (Value::String(text), Value::String(pattern)) = (&*value, &*pattern) else {
                    return Ok(None);
                };
                match Pattern::parse(pattern, *escape) {
                    Ok(pattern) => Ok(Some(pattern.matches(text))),
                    Err((class, why)) => {
                        Err(EvalError { class, message: format!("the pattern `{pattern}`: {why}") })
                    }
                }
            }
            Self::IsNull(value) => Ok(Some(value.value(row)?.is_null())),
            Self::Is(test, expected) => Ok(Some(test.holds(row)? == *expected)),
        }
    }
}

fn truth(value: &Value) -> Option<bool> {
    match value {
        Value::Boolean(value) => Some(*value),
        _ => None,
    }
}

/// AND, which one false decides, and OR, which one true does.
fn decided(tests: &[Test], by: bool, row: &[Value]) -> Result<Option<bool>, EvalError> {
    let mut result = Some(!by);
    for test in tests {
        match test.holds(row)? {
            Some(holds) if holds == by => return Ok(Some(by)),
            Some(_) => {}
            None => result = None,
        }
    }
    Ok(result)
}

fn compared(
    left: &Expr,
    comparison: Comparison,
    right: &Expr,
    row: &[Value],
) -> Result<Option<bool>, EvalError> {
    let left = left.value(row)?;
    // Next to a null, Spark doesn't look at the other side.
    if left.is_null() {
        return Ok(None);
    }
    Ok(comparison.holds(&left, &*right.value(row)?))
}

fn negated(number: &Value, data_type: &DataType) -> Result<Value, EvalError> {
    let fits = |negated: &i64| data_type.int_bounds().is_none_or(|(_, most)| *negated <= most);
    Ok(match number {
        Value::Int(number) => Value::Int(number.checked_neg().filter(fits).ok_or_else(|| EvalError {
            class: "ARITHMETIC_OVERFLOW",
            message: format!("`-({number})` does not fit into {data_type}"),
        })?),
        Value::Float(number) => Value::Float(-*number),
        Value::Double(number) => Value::Double(-*number),
        Value::Decimal(number) => Value::from(-(**number).clone()),
        other => other.clone(),
    })
}

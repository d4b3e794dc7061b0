//! The columns and literals of a condition's text: what decides whether it is true.

use std::str::FromStr as _;

use bigdecimal::BigDecimal;
use cdc_core::{DataType, Schema, Value};
use jiff::civil::{Date, DateTime};
use sqlparser::dialect::DatabricksDialect;
use sqlparser::tokenizer::{Token, Tokenizer};

use super::values::combined;

/// The most values of a column that are tried.
const MOST: usize = 24;

/// What the text of a condition names.
#[derive(Debug, Default)]
pub(super) struct Named {
    /// Columns, as places in the schema.
    pub(super) columns: Vec<usize>,
    literals: Vec<String>,
}

impl Named {
    /// What some conditions name. A word that is no column is passed over.
    pub(super) fn by<'t>(texts: impl IntoIterator<Item = &'t str>, schema: &Schema) -> Self {
        let mut named = Self::default();
        for text in texts {
            let tokens = Tokenizer::new(&DatabricksDialect, text).tokenize().unwrap_or_default();
            for token in tokens {
                match token {
                    Token::Word(word) => named.columns.extend(schema.find(&word.value)),
                    Token::SingleQuotedString(text)
                    | Token::DoubleQuotedString(text)
                    | Token::Number(text, _) => named.literals.push(text),
                    _ => {}
                }
            }
        }
        named.columns.sort_unstable();
        named.columns.dedup();
        named
    }

    /// The values of a type on which a condition may turn: what looks like an update first, null last.
    pub(super) fn values(&self, data_type: &DataType) -> Vec<Value> {
        let mut values = match data_type {
            DataType::Struct(fields) => {
                let of_fields: Vec<Vec<Value>> =
                    fields.iter().map(|field| self.values(&field.data_type)).collect();
                let of_fields: Vec<&[Value]> = of_fields.iter().map(|values| &**values).collect();
                combined(&of_fields, MOST).into_iter().map(Value::structure).collect()
            }
            DataType::Boolean => vec![false.into(), true.into()],
            _ => self.texts().iter().flat_map(|text| around(text, data_type)).collect::<Vec<Value>>(),
        };
        values.push(Value::Null);
        let mut seen: Vec<Value> = Vec::new();
        for value in values {
            if !seen.contains(&value) {
                seen.push(value);
            }
        }
        seen.truncate(MOST);
        seen
    }

    /// The literals, after what stands for an update in their style; then other words of that style, and numbers.
    fn texts(&self) -> Vec<String> {
        let words = || self.literals.iter().filter(|text| text.starts_with(char::is_alphabetic));
        let is_short = words().next().is_some_and(|text| text.chars().count() == 1);
        let is_lower = words().next().is_some_and(|text| text.starts_with(char::is_lowercase));
        let styled = |word: &str| {
            let word = if is_short { &word[..1] } else { word };
            if is_lower { word.to_lowercase() } else { word.to_owned() }
        };
        let mut texts = vec![styled("UPDATE")];
        texts.extend(self.literals.iter().cloned());
        // Of a pattern what it leaves open.
        texts.extend(self.literals.iter().map(|text| text.replace(['%', '_'], "")));
        texts.extend(["DELETE", "TRUNCATE", "INSERT"].map(styled));
        texts.extend(["UPDATE", "INSERT"].map(str::to_owned));
        texts.extend(["0", "1", ""].map(str::to_owned));
        texts
    }
}

/// The value of a type that has this text.
pub(super) fn value_of(text: &str, data_type: &DataType) -> Option<Value> {
    around(text, data_type).into_iter().next().filter(|value| value.to_string() == text)
}

/// The value that a text is in a type, and its neighbours where it has some.
fn around(text: &str, data_type: &DataType) -> Vec<Value> {
    match data_type {
        DataType::String => vec![Value::from(text)],
        DataType::TinyInt | DataType::SmallInt | DataType::Int | DataType::BigInt => {
            let Ok(number) = text.parse::<i64>() else { return Vec::new() };
            let (least, greatest) = data_type.int_bounds().unwrap_or_default();
            let near = [Some(number), number.checked_add(1), number.checked_sub(1)];
            near.into_iter().flatten().filter(|it| (least..=greatest).contains(it)).map(Value::Int).collect()
        }
        DataType::Double => text.parse::<f64>().map(Value::from).into_iter().collect(),
        DataType::Float => text.parse().map(Value::Float).into_iter().collect(),
        DataType::Decimal { scale, .. } => {
            let number = BigDecimal::from_str(text).map(|it| it.with_scale(i64::from(*scale)));
            number.map(Value::from).into_iter().collect()
        }
        DataType::Date => text.parse::<Date>().map(Value::Date).into_iter().collect(),
        DataType::Timestamp => moment(text).map(Value::Timestamp).into_iter().collect(),
        DataType::TimestampNtz => moment(text).map(Value::TimestampNtz).into_iter().collect(),
        _ => Vec::new(),
    }
}

fn moment(text: &str) -> Option<DateTime> {
    text.trim_end_matches('Z').parse().ok()
}

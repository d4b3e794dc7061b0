//! Values as other programs write them, typed by a target's column.

use std::borrow::Cow;

use cdc_core::{Column, DataType, Value};
use jsonc_parser::ast::StringLit;
use jsonc_parser::common::{Range as Place, Ranged};
use serde_json::{Map, Number, Value as Spelt};

use crate::diagnostic::Diagnostic;
use crate::fixture::CsvField;
use crate::json::{At, Json, Name, Reader, Source, kind};

/// A value of a column: what it is, and what is wrong with how it is written.
pub(super) struct Typed {
    pub(super) value: Value,
    pub(super) fault: Option<Diagnostic>,
    /// Whether the value is one of the column's type.
    pub(super) is_read: bool,
}

impl Typed {
    fn right(value: Value) -> Self {
        Self { value, fault: None, is_read: true }
    }

    /// What isn't written as the type asks: the value that it reads as, or else the text itself.
    fn wrong(fault: Diagnostic, read: Option<Value>, text: &str) -> Self {
        Self { is_read: read.is_some(), value: read.unwrap_or_else(|| Value::from(text)), fault: Some(fault) }
    }
}

/// A value of JSON, which has types of its own.
pub(super) fn of_json(source: &Source, json: &Json<'_>, column: &Column) -> Typed {
    let mut reader = Reader::new(source);
    let name = Name::Column(&column.name);
    if let Some(value) = reader.value(At::File, name, json, &column.data_type) {
        return Typed::right(value);
    }
    let text = match json {
        Json::StringLit(text) => &*text.value,
        Json::NumberLit(number) => number.value,
        Json::BooleanLit(boolean) if boolean.value => "true",
        Json::BooleanLit(_) => "false",
        json => source.text_of(json),
    };
    let (start, end) = (json.range().start, json.range().end);
    let field = CsvField { text: Cow::Borrowed(text), is_quoted: true, range: start..end };
    let read = match json {
        Json::Object(_) | Json::Array(_) => None,
        _ => scalar(source, &field, column).filter(|_| !text.is_empty()),
    };
    let misfit = || source.fault("", start..end, format!("`{name}` is {}", kind(json)));
    Typed::wrong(reader.faults.faults().first().cloned().unwrap_or_else(misfit), read, text)
}

/// A field of a CSV: all are texts, and an empty one is null.
pub(super) fn of_field(source: &Source, field: &CsvField<'_>, column: &Column) -> Typed {
    let is_null = field.text.is_empty() && !(field.is_quoted && column.data_type == DataType::String);
    if is_null { Typed::right(Value::Null) } else { of_text(source, field, column) }
}

/// A value of a SQL result, which has only texts; null is no text.
pub(super) fn of_literal(source: &Source, text: &StringLit<'_>, column: &Column) -> Typed {
    let range = text.range.start..text.range.end;
    of_text(source, &CsvField { text: text.value.clone(), is_quoted: true, range }, column)
}

fn of_text(source: &Source, field: &CsvField<'_>, column: &Column) -> Typed {
    let found = match &column.data_type {
        DataType::Struct(_) | DataType::Array(_) | DataType::Map(..) => nested(source, field, column),
        _ if field.text.is_empty() && column.data_type != DataType::String => None,
        _ => scalar(source, field, column),
    };
    found.map_or_else(|| Typed::wrong(fault_of(source, field, column), None, &field.text), Typed::right)
}

/// A text that stands for a value without parts.
fn scalar(source: &Source, field: &CsvField<'_>, column: &Column) -> Option<Value> {
    match column.data_type {
        DataType::Struct(_) | DataType::Array(_) | DataType::Map(..) => None,
        _ => Reader::new(source).cell(At::File, field, Name::Column(&column.name), &column.data_type),
    }
}

/// A struct, list or map that a text spells as JSON; in that of a statement's result every value is a text again.
fn nested(source: &Source, field: &CsvField<'_>, column: &Column) -> Option<Value> {
    let read = |text: String| {
        let source = Source::new(source.path.clone(), text);
        let json = source.parse().ok()?;
        Reader::new(&source).value(At::File, Name::Column(&column.name), &json, &column.data_type)
    };
    // As it is first: its numbers may have more digits than a double.
    read(field.text.to_string()).or_else(|| {
        let json = serde_json::from_str(&field.text).ok()?;
        read(spelt(json, &column.data_type).to_string())
    })
}

/// JSON with numbers and truths where their types ask for them, and maps as lists of pairs.
fn spelt(json: Spelt, data_type: &DataType) -> Spelt {
    match (data_type, json) {
        (DataType::Struct(fields), Spelt::Object(members)) => {
            let type_of = |name: &str| fields.iter().find(|field| field.name.eq_ignore_ascii_case(name));
            let member = |(name, json): (String, Spelt)| match type_of(&name) {
                Some(field) => (name, spelt(json, &field.data_type)),
                None => (name, json),
            };
            Spelt::Object(members.into_iter().map(member).collect::<Map<_, _>>())
        }
        (DataType::Array(element), Spelt::Array(list)) => {
            list.into_iter().map(|json| spelt(json, element)).collect()
        }
        (DataType::Map(key, value), Spelt::Object(members)) => {
            let pair = |(name, json)| Spelt::Array(vec![spelt(Spelt::String(name), key), spelt(json, value)]);
            members.into_iter().map(pair).collect()
        }
        (DataType::Boolean, Spelt::String(text)) if text == "true" => Spelt::Bool(true),
        (DataType::Boolean, Spelt::String(text)) if text == "false" => Spelt::Bool(false),
        (DataType::Float | DataType::Double, Spelt::String(text)) => {
            let number = text.parse().ok().and_then(Number::from_f64);
            number.map_or(Spelt::String(text), Spelt::Number)
        }
        (data_type, Spelt::String(text)) if data_type.int_bounds().is_some() => match text.parse::<i64>() {
            Ok(number) => Spelt::from(number),
            Err(_) => Spelt::String(text),
        },
        (_, json) => json,
    }
}

/// What is said of a text that is no value of its column.
fn fault_of(source: &Source, field: &CsvField<'_>, column: &Column) -> Diagnostic {
    let place = Place::new(field.range.start, field.range.end);
    let mut reader = Reader::new(source);
    let (name, data_type) = (Name::Column(&column.name), &column.data_type);
    let is_nested = matches!(data_type, DataType::Struct(_) | DataType::Array(_) | DataType::Map(..));
    if !is_nested && !field.text.is_empty() {
        reader.cell(At::File, field, name, data_type);
    }
    if let Some(fault) = reader.faults.faults().first() {
        return fault.clone();
    }
    let json = Json::StringLit(StringLit { range: place, value: Cow::Borrowed(&field.text) });
    let form = if is_nested { " spelt as JSON" } else { "" };
    let message = format!("`{name}` is {}; expected {data_type}{form}", kind(&json));
    source.fault("", field.range.clone(), message)
}

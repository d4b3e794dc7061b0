//! Structs with the names of their fields.

use cdc_core::{DataType, Value};

/// A value that is a struct, with the names of its fields, as an expected row has them; nothing for any other.
pub(super) fn with_fields(value: &Value, data_type: &DataType) -> Option<String> {
    let (Value::Struct(values), DataType::Struct(fields)) = (value, data_type) else { return None };
    let pairs = fields.iter().zip(values.iter());
    let pairs = pairs.map(|(field, value)| format!("{}: {}", field.name, inside(value, &field.data_type)));
    Some(format!("{{{}}}", pairs.collect::<Vec<String>>().join(", ")))
}

/// A value inside another: with quotes a comma in a text is no end of it.
fn inside(value: &Value, data_type: &DataType) -> String {
    match value {
        Value::String(text) => format!("{text:?}"),
        value => with_fields(value, data_type).unwrap_or_else(|| value.to_string()),
    }
}

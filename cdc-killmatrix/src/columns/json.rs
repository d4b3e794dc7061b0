//! What `df.schema.json()` prints.

use cdc_core::{DataType, Field};
use jsonc_parser::ast::{Array, Object};
use jsonc_parser::common::Ranged;

use super::gathered::Gathered;
use super::types::{self, DEPTH, Names, structure, too_deep};
use crate::definition::sql::Fault;
use crate::json::{Json, kind};

/// The fields of a struct, if the JSON is a schema of Spark.
pub(super) fn fields<'j, 't>(json: &'j Json<'t>) -> Option<&'j Array<'t>> {
    let Json::Object(object) = json else { return None };
    match (object.get("type").map(|member| &member.value), object.get("fields").map(|member| &member.value)) {
        (Some(Json::StringLit(name)), Some(Json::Array(fields))) if name.value == "struct" => Some(fields),
        _ => None,
    }
}

/// Reads the columns of a schema.
pub(super) fn read(fields: &Array<'_>, gathered: &mut Gathered<'_>) {
    for field in &fields.elements {
        match named(field) {
            Ok((name, json)) => {
                let (name, at) = (name.value.to_string(), name.range());
                gathered.add(&name, at.start..at.end, data_type(json, 0));
            }
            Err(fault) => gathered.fault(fault),
        }
    }
}

type Named<'j, 't> = (&'j jsonc_parser::ast::StringLit<'t>, &'j Json<'t>);

/// The name and the type of a field.
fn named<'j, 't>(field: &'j Json<'t>) -> Result<Named<'j, 't>, Fault> {
    let Json::Object(object) = field else { return Err(misfit(field, "a field: an object")) };
    match member(object, "name")? {
        Json::StringLit(name) => Ok((name, member(object, "type")?)),
        other => Err(misfit(other, "the name of a field in quotes")),
    }
}

fn member<'j, 't>(object: &'j Object<'t>, name: &str) -> Result<&'j Json<'t>, Fault> {
    let start = object.range.start;
    let missing =
        || (start..start + 1, format!("`{name}` is missing; expected it, as in `df.schema.json()`"));
    object.get(name).map(|member| &member.value).ok_or_else(missing)
}

fn misfit(json: &Json<'_>, expected: &str) -> Fault {
    let range = json.range();
    (range.start..range.end, format!("found {}; expected {expected}", kind(json)))
}

fn data_type(json: &Json<'_>, depth: usize) -> Result<DataType, Fault> {
    let at = json.range().start..json.range().end;
    if DEPTH < depth {
        return Err((at, too_deep()));
    }
    let object = match json {
        // All that stands in quotes is at one place.
        Json::StringLit(text) => {
            let parsed = types::parse(&text.value, 0..text.value.len(), Names::Printed);
            return parsed.map_err(|(_, message)| (at, message));
        }
        Json::Object(object) => object,
        other => return Err(misfit(other, "the name of a type in quotes, or an object")),
    };
    let part = |name| data_type(member(object, name)?, depth + 1).map(Box::new);
    let name = match member(object, "type")? {
        Json::StringLit(name) => &*name.value,
        other => return Err(misfit(other, "`struct`, `array` or `map`")),
    };
    match name {
        "struct" => {
            let fields = match member(object, "fields")? {
                Json::Array(fields) => fields,
                other => return Err(misfit(other, "a list of fields")),
            };
            let field = |json| {
                let (name, json) = named(json)?;
                Ok(Field { name: name.value.to_string(), data_type: data_type(json, depth + 1)? })
            };
            let fields: Result<Vec<Field>, Fault> = fields.elements.iter().map(field).collect();
            structure(fields?).map_err(|message| (at.start..at.start + 1, message))
        }
        "array" => Ok(DataType::Array(part("elementType")?)),
        "map" => Ok(DataType::Map(part("keyType")?, part("valueType")?)),
        _ => {
            // A type of a user's own, `udt`, is none that a table has.
            let message = types::unknown(name);
            let range = member(object, "type")?.range();
            Err((range.start..range.end, message))
        }
    }
}

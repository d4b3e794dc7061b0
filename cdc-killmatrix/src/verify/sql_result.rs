//! The result of a Databricks SQL statement, as its Statement Execution API gives it.

use jsonc_parser::ast::{Array, Object};

use super::capture::Declared;
use super::cells::{self, Typed};
use super::gathered::{Gathered, Slot, too_many, twice};
use super::sql_chunks::{self, Chunk, start};
use crate::json::{At, Json, Reader, kind};
use crate::words::counted;

/// Whether an object is the result of a statement, of one that failed too.
pub(super) fn is_one(object: &Object<'_>) -> bool {
    ["status", "manifest", "statement_id", "result"].iter().any(|name| object.get(name).is_some())
}

/// Reads a result: its first answer, then those with its other chunks, each with its reader. One that isn't whole is a
/// fault.
pub(super) fn read(readers: &mut [Reader<'_>], answers: &[&Object<'_>], gathered: &mut Gathered<'_>) {
    let ([reader, ..], [object, chunks @ ..]) = (&mut *readers, answers) else { return };
    if !succeeded(reader, object) {
        return;
    }
    let Some(manifest) = part(reader, object, "manifest") else { return };
    let Some(columns) = part(reader, manifest, "schema").and_then(|schema| columns(reader, schema)) else {
        return;
    };
    if let Some(format) = manifest.get_string("format").filter(|format| format.value != "JSON_ARRAY") {
        return reader.fault(At::File, format, "the rows aren't here; expected the format JSON_ARRAY");
    }
    let slots = match gathered.header(columns.iter().map(|(name, _)| &**name)) {
        Ok(slots) => slots,
        Err(name) => return reader.fault(At::File, &start(manifest), twice(&name)),
    };
    let types = columns.iter().map(|(name, text)| Declared::new(name, text));
    gathered.capture.declare(types, gathered.target);
    if manifest.get_boolean("truncated").is_some_and(|truncated| truncated.value) {
        let text = "the result is truncated; expected all rows: raise the statement's limits";
        return reader.fault(At::File, &start(manifest), text);
    }
    // The first answer has its chunk inside; without rows it may have none.
    let results: Vec<Option<&Object<'_>>> =
        std::iter::once(object.get_object("result")).chain(chunks.iter().map(|chunk| Some(*chunk))).collect();
    let Some(chunks) = sql_chunks::ordered(readers, object, manifest, &results) else { return };
    for Chunk { answer, rows, .. } in chunks {
        for json in rows {
            row(&mut readers[answer], json, &slots, gathered);
        }
    }
}

/// Whether the statement succeeded; else its error is told.
fn succeeded(reader: &mut Reader<'_>, object: &Object<'_>) -> bool {
    let Some(status) = part(reader, object, "status") else { return false };
    let state = status.get_string("state").map(|state| &*state.value).unwrap_or_default();
    if state == "SUCCEEDED" {
        return true;
    }
    let error = status.get_object("error").and_then(|error| error.get_string("message"));
    let error = error.map(|text| format!(": {}", text.value)).unwrap_or_default();
    let state = if state.is_empty() { "unknown" } else { state };
    let text = format!("the statement's state is {state}{error}; expected one that SUCCEEDED");
    reader.fault(At::File, &start(status), text);
    false
}

/// The names and types of a result's columns, by position.
fn columns(reader: &mut Reader<'_>, schema: &Object<'_>) -> Option<Vec<(String, String)>> {
    let Some(member) = schema.get("columns") else {
        reader.fault(At::File, &start(schema), "`schema` has no `columns`; expected those of the result");
        return None;
    };
    let mut columns = Vec::new();
    for (number, json) in reader.list(At::File, member)?.elements.iter().enumerate() {
        let named = |column: &Object<'_>| {
            let name = column.get_string("name")?.value.to_string();
            let text = column.get_string("type_text").or_else(|| column.get_string("type_name"))?;
            let position = match column.get("position").map(|member| &member.value) {
                Some(Json::NumberLit(position)) => position.value.parse().ok()?,
                _ => number,
            };
            Some((position, (name, text.value.to_string())))
        };
        let Some(column) = json.as_object().and_then(named) else {
            reader.misfit(At::File, "columns", json, "objects with `name`, `type_text` and `position`");
            return None;
        };
        columns.push(column);
    }
    columns.sort_by_key(|(position, _)| *position);
    Some(columns.into_iter().map(|(_, column)| column).collect())
}

fn row(reader: &mut Reader<'_>, json: &Json<'_>, slots: &[Slot], gathered: &mut Gathered<'_>) {
    let expected = slots.len();
    let Json::Array(Array { elements, .. }) = json else {
        return reader.fault(At::File, json, format!("the row is {}; expected a list", kind(json)));
    };
    if elements.len() != expected {
        let text = format!(
            "the row has {}; expected {expected}, one for each column",
            counted(elements.len(), "value")
        );
        return reader.fault(At::File, json, text);
    }
    if !gathered.has_room() {
        return reader.fault(At::File, json, too_many());
    }
    let mut values: Vec<(usize, Typed)> = Vec::with_capacity(expected);
    for (slot, json) in slots.iter().zip(elements) {
        let &Slot::Known(place) = slot else { continue };
        let column = &gathered.target[place];
        let typed = match json {
            Json::StringLit(text) => cells::of_literal(reader.source, text, column),
            Json::NullKeyword(_) => cells::of_json(reader.source, json, column),
            json => {
                let text = format!("a value of a result is {}; expected a text or null", kind(json));
                return reader.fault(At::File, json, text);
            }
        };
        values.push((place, typed));
    }
    gathered.add(values);
}

/// A part of an object that must be there, and be an object.
fn part<'j, 't>(reader: &mut Reader<'_>, object: &'j Object<'t>, name: &str) -> Option<&'j Object<'t>> {
    let Some(member) = object.get(name) else {
        let text = format!("there is no `{name}`; expected the whole answer of the statement, as it came");
        reader.fault(At::File, &start(object), text);
        return None;
    };
    reader.object(At::File, member)
}

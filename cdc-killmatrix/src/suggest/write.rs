//! A suggested fixture as the text of its file.

use cdc_core::{DataType, Dialect, Flow, Plan, ScdType};
use serde_json::{Map, Value as Json, json};

use crate::fixture::{Fixture, to_json};

/// What a file leaves out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wording {
    /// Nothing: it can lie in any folder.
    Whole,
    /// Flow and schema, which the `suite.json` beside it says.
    OfSuite,
}

/// A fixture as JSON, with `"TODO"` as what each checkpoint expects. Values that are null are left out.
pub fn fixture_json(fixture: &Fixture, wording: Wording) -> Json {
    let mut object = Map::new();
    let mut put = |name: &str, value: Json| object.insert(name.to_owned(), value);
    put("name", json!(fixture.name));
    put("about", json!(fixture.about));
    put("source", json!(fixture.source));
    put("aims_at", json!(fixture.aims_at));
    if !fixture.findings.is_empty() {
        put("findings", fixture.findings.iter().map(|code| code.name()).collect());
    }
    if wording == Wording::Whole {
        let columns = fixture.plan().schema().iter();
        let columns = columns.map(|column| (column.name.clone(), json!(column.data_type.to_string())));
        put("schema", Json::Object(columns.collect()));
        let flows = fixture.plans.iter().map(|plan| flow(plan.flow()));
        if fixture.flows.is_empty() {
            put("flow", flows.into_iter().next().unwrap_or_default());
        } else {
            put("flows", Json::Object(fixture.flows.iter().cloned().zip(flows).collect()));
        }
    }
    put("checkpoints", (0..fixture.checkpoints.len()).map(|number| checkpoint(fixture, number)).collect());
    Json::Object(object)
}

fn checkpoint(fixture: &Fixture, number: usize) -> Json {
    let batch = fixture.feed.batch(number);
    let plan: &Plan = &fixture.plans[batch.delivery.flow];
    let mut object = Map::new();
    if let Some(name) = fixture.flows.get(batch.delivery.flow) {
        object.insert("flow".to_owned(), json!(name));
    }
    if batch.delivery.seconds != 0 {
        object.insert("advance_seconds".to_owned(), json!(batch.delivery.seconds));
    }
    let row = |event: &cdc_core::Event| -> Json {
        let columns = plan.schema().iter().zip(&*event.values).filter(|(_, value)| !value.is_null());
        let columns = columns.map(|(column, value)| (column.name.clone(), to_json(value, &column.data_type)));
        Json::Object(columns.collect())
    };
    let rows: Json = batch.events.iter().map(row).collect();
    match (&plan.flow().from_snapshot, &batch.delivery.version) {
        (None, _) => object.insert("append".to_owned(), rows),
        (Some(_), None) => object.insert("snapshot".to_owned(), Json::Null),
        (Some(of_version), Some(version)) => object
            .insert("snapshot".to_owned(), json!({"version": to_json(version, of_version), "rows": rows})),
    };
    object.insert("expect".to_owned(), json!("TODO"));
    Json::Object(object)
}

/// The parameters of a flow, as fixtures write them.
fn flow(flow: &Flow) -> Json {
    let mut object = Map::new();
    let mut put = |name: &str, value: Json| {
        // What isn't given is left out.
        if !value.is_null() && value != json!(false) {
            object.insert(name.to_owned(), value);
        }
    };
    put("from_snapshot", json!(flow.from_snapshot.is_some()));
    let version = flow.from_snapshot.as_ref().filter(|it| **it != DataType::BigInt);
    put("version_type", json!(version.map(ToString::to_string)));
    put("keys", json!(flow.keys));
    if flow.from_snapshot.is_none() {
        put("sequence_by", json!(flow.sequence_by));
    }
    put("system_sequence_by", json!(flow.system_sequence_by));
    put("ignore_null_updates", json!(flow.ignore_null_updates));
    put("ignore_null_updates_column_list", json!(flow.ignore_null_updates_column_list));
    put("ignore_null_updates_except_column_list", json!(flow.ignore_null_updates_except_column_list));
    put("columns_to_update", json!(flow.columns_to_update));
    put("apply_as_deletes", json!(flow.apply_as_deletes));
    put("apply_as_truncates", json!(flow.apply_as_truncates));
    put("column_list", json!(flow.column_list));
    put("except_column_list", json!(flow.except_column_list));
    put(
        "stored_as_scd_type",
        match flow.stored_as_scd_type {
            ScdType::One => json!(1),
            ScdType::Two => json!(2),
            ScdType::Bitemporal => json!("BITEMPORAL"),
        },
    );
    put("track_history_column_list", json!(flow.track_history_column_list));
    put("track_history_except_column_list", json!(flow.track_history_except_column_list));
    put("once", json!(flow.once));
    if flow.dialect != Dialect::default() {
        put("dialect", json!(flow.dialect.name()));
    }
    put("tombstone_gc_threshold_seconds", json!(flow.tombstone_gc_threshold_seconds));
    Json::Object(object)
}

/// The text of a fixture's file: an event a line.
pub fn fixture_text(json: &Json) -> String {
    let mut text = String::new();
    lay_out(json, 0, &mut text);
    text.push('\n');
    text
}

/// How deep an object stands that is written on lines of its own, and so are its members.
const OPEN: usize = 4;

/// How long a line may become before what it holds is opened.
const WIDTH: usize = 76;

fn lay_out(json: &Json, depth: usize, text: &mut String) {
    let line = inline(json);
    let has_list = matches!(json, Json::Object(object) if depth < OPEN && object.contains_key("expect"));
    if depth != 0 && !has_list && (OPEN < depth || 2 * depth + line.len() <= WIDTH) {
        text.push_str(&line);
        return;
    }
    let indent = "  ".repeat(depth);
    let mut items: Vec<(String, &Json)> = Vec::new();
    let (open, close) = match json {
        Json::Object(object) => {
            items.extend(object.iter().map(|(name, value)| (format!("{}: ", json!(name)), value)));
            ('{', '}')
        }
        Json::Array(list) => {
            items.extend(list.iter().map(|value| (String::new(), value)));
            ('[', ']')
        }
        _ => return text.push_str(&line),
    };
    text.push(open);
    for (number, (name, value)) in items.iter().enumerate() {
        text.push_str(if number == 0 { "\n" } else { ",\n" });
        text.extend([&*indent, "  ", name]);
        lay_out(value, depth + 1, text);
    }
    text.extend(["\n", &indent]);
    text.push(close);
}

/// On one line, with blanks inside braces.
fn inline(json: &Json) -> String {
    match json {
        Json::Object(object) if !object.is_empty() => {
            let members = object.iter().map(|(name, value)| format!("{}: {}", json!(name), inline(value)));
            format!("{{ {} }}", members.collect::<Vec<String>>().join(", "))
        }
        Json::Array(list) => format!("[{}]", list.iter().map(inline).collect::<Vec<String>>().join(", ")),
        other => other.to_string(),
    }
}

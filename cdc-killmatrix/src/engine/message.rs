//! What is said to an engine, and what it says.

use std::path::Path;

use cdc_core::{Plan, Row, ScdType, Schema};
use serde_json::{Map, Value as Json, json};

use super::{Hello, Refused};
use crate::fixture::{Fixture, event_json, flow_json, rows_of_answer, to_json};

/// The version of the protocol.
const PROTOCOL: u64 = 1;

/// An answer about a fixture.
pub(super) struct Answer {
    pub(super) id: usize,
    /// `None`: it is about all of the fixture.
    pub(super) checkpoint: Option<usize>,
    pub(super) said: Said,
}

pub(super) enum Said {
    /// The whole target, still as text: its columns type it.
    Rows,
    Refused(Refused),
    /// What stood in the way.
    Failed(String),
}

pub(super) fn hello() -> Json {
    json!({ "hello": { "protocol": PROTOCOL } })
}

pub(super) fn open(id: usize, name: &str, mutant: Option<&str>, fixture: &Fixture) -> Json {
    let columns = |schema: &Schema| -> Json {
        let column =
            |column: &cdc_core::Field| json!({ "name": column.name, "type": column.data_type.to_string() });
        schema.iter().map(column).collect()
    };
    let plan = fixture.plan();
    let mut open = json!({ "id": id, "fixture": name, "schema": columns(plan.schema()), "target": columns(plan.target()) });
    if let Some(mutant) = mutant {
        open["mutant"] = json!(mutant);
    }
    let mut flows = fixture.plans.iter().map(|plan| flow_json(plan.flow()));
    if fixture.flows.is_empty() {
        open["flow"] = flows.next().unwrap_or_default();
    } else {
        open["flows"] = Json::Object(fixture.flows.iter().cloned().zip(flows).collect());
    }
    json!({ "open": open })
}

/// The batch of a checkpoint, counted from 0.
pub(super) fn batch(id: usize, checkpoint: usize, fixture: &Fixture) -> Json {
    let batch = fixture.feed.batch(checkpoint);
    let plan = &fixture.plans[batch.delivery.flow];
    let mut object = Map::new();
    let mut put = |name: &str, value: Json| object.insert(name.to_owned(), value);
    put("id", json!(id));
    put("checkpoint", json!(checkpoint + 1));
    if fixture.checkpoints[checkpoint].full_refresh {
        put("full_refresh", json!(true));
    }
    if batch.delivery.seconds != 0 {
        put("advance_seconds", json!(batch.delivery.seconds));
    }
    if let Some(flow) = fixture.flows.get(batch.delivery.flow) {
        put("flow", json!(flow));
    }
    if let Some(of_version) = &plan.flow().from_snapshot {
        let version = batch.delivery.version.as_ref();
        put(
            "snapshot",
            version.map_or(Json::Null, |version| json!({ "version": to_json(version, of_version) })),
        );
    }
    put("rows", batch.events.iter().map(|event| event_json(event, plan)).collect());
    json!({ "batch": object })
}

pub(super) fn flush() -> Json {
    json!({ "flush": {} })
}

pub(super) fn close(id: usize) -> Json {
    json!({ "close": { "id": id } })
}

/// What an engine says of itself, or what is wrong with it.
pub(super) fn read_hello(line: &str) -> Result<Hello, String> {
    let json = object(line)?;
    let hello = json.get("hello").ok_or_else(|| format!("expected a `hello`, not {}", names(&json)))?;
    let text = |name: &str| hello.get(name).and_then(Json::as_str).map(kept);
    if hello.get("protocol").and_then(Json::as_u64) != Some(PROTOCOL) {
        return Err(format!("`hello` speaks another protocol; expected {PROTOCOL}"));
    }
    let list =
        |name: &str| hello.get(name).and_then(Json::as_array).ok_or(format!("`hello` has no list `{name}`"));
    let scd_types = list("scd_types")?.iter().map(|json| {
        let known = [ScdType::One, ScdType::Two, ScdType::Bitemporal];
        let found = known.into_iter().find(|it| scd_type(*it) == *json);
        found.ok_or_else(|| format!("there is no SCD type {json}; expected 1, 2 or \"BITEMPORAL\""))
    });
    let clauses = list("clauses")?.iter().map(|json| json.as_str().map(str::to_owned));
    let at_once = hello.get("at_once").map_or(Some(1), Json::as_u64).and_then(|it| usize::try_from(it).ok());
    Ok(Hello {
        name: text("name").ok_or("`hello` has no `name`")?,
        version: text("version").ok_or("`hello` has no `version`")?,
        scd_types: scd_types.collect::<Result<_, String>>()?,
        clauses: clauses.collect::<Option<_>>().ok_or("`clauses` holds what is no text")?,
        at_once: at_once.filter(|&it| it != 0).ok_or("`at_once` is no number of fixtures")?,
    })
}

/// An answer, or what is wrong with it.
pub(super) fn read(line: &str) -> Result<Answer, String> {
    let json = object(line)?;
    let said = |name: &str| json.get(name).map(|body| (name.to_owned(), body));
    let mut all = ["rows", "refused", "failed"].into_iter().filter_map(said);
    let (Some((name, body)), None) = (all.next(), all.next()) else {
        return Err(format!("expected `rows`, `refused` or `failed`, not {}", names(&json)));
    };
    let text = |of: &str| match body.get(of).and_then(Json::as_str) {
        Some(text) => Ok(kept(text)),
        None => Err(format!("`{name}` has no text `{of}`")),
    };
    let not_empty = |of: &str| match text(of)? {
        text if text.is_empty() => Err(format!("`{name}` has an empty `{of}`")),
        text => Ok(text),
    };
    let said = match &*name {
        "rows" => Said::Rows,
        "refused" => Said::Refused(Refused { class: not_empty("class")?, message: text("message")? }),
        _ => Said::Failed(not_empty("message")?),
    };
    let number = |name: &str| body.get(name).and_then(Json::as_u64).and_then(|it| usize::try_from(it).ok());
    let id = number("id").ok_or("the answer has no `id`")?;
    let checkpoint = match body.get("checkpoint") {
        None => None,
        Some(json) => {
            let checkpoint = number("checkpoint").and_then(|it| it.checked_sub(1));
            Some(
                checkpoint
                    .ok_or_else(|| format!("there is no checkpoint {json}; expected a number from 1"))?,
            )
        }
    };
    if checkpoint.is_none() && matches!(said, Said::Rows) {
        return Err("`rows` has no `checkpoint`".to_owned());
    }
    Ok(Answer { id, checkpoint, said })
}

/// The rows of an answer, typed by the target.
pub(super) fn rows(line: &str, plan: &Plan) -> Result<Vec<Row>, String> {
    rows_of_answer(Path::new("the answer"), line, plan).map_err(|faults| faults.to_string())
}

/// An SCD type as fixtures write it.
pub(super) fn scd_type(of: ScdType) -> Json {
    match of {
        ScdType::One => json!(1),
        ScdType::Two => json!(2),
        ScdType::Bitemporal => json!("BITEMPORAL"),
    }
}

/// The start of what an engine says, which may be long.
fn kept(text: &str) -> String {
    const KEPT: usize = 500;
    match text.char_indices().nth(KEPT) {
        Some((end, _)) => format!("{}..", &text[..end]),
        None => text.to_owned(),
    }
}

fn object(line: &str) -> Result<Map<String, Json>, String> {
    match serde_json::from_str(line) {
        Ok(Json::Object(object)) => Ok(object),
        Ok(_) => Err("this is no JSON object".to_owned()),
        Err(error) => Err(format!("this is no JSON: {error}")),
    }
}

fn names(object: &Map<String, Json>) -> String {
    let names: Vec<String> = object.keys().take(3).map(|name| format!("`{name}`")).collect();
    if names.is_empty() { "an empty object".to_owned() } else { names.join(", ") }
}

//! What is played in a workspace: a fixture, or what a mutant makes of one.

use cdc_core::{Column, DataType};
use serde_json::{Map, Value as Json, json};

use crate::fixture::{Fixture, event_json};

/// A fixture that has a pipeline and two tables of its own.
pub(crate) struct Play {
    /// What its pipeline, its tables and its captures are called.
    pub(crate) key: String,
    /// The full name of the fixture, `suite/name`.
    pub(crate) name: String,
    /// The mutant, if it is one that is played.
    pub(crate) mutant: Option<&'static str>,
    /// The fixture's file in the kit.
    pub(super) file: String,
    /// The file of the pipeline's definition in the kit.
    pub(super) definition: String,
    /// The fixture as it is played: as it is, or with the mutant's flow, columns and events.
    pub(super) played: Fixture,
    /// What the mutant adds to the target.
    pub(super) hidden: Vec<String>,
    /// What of the fixture's own target the mutant can't keep.
    pub(super) uncompared: Vec<String>,
}

impl Play {
    pub(super) fn source_table(&self) -> String {
        format!("{}_source", self.key)
    }

    pub(super) fn target_table(&self) -> String {
        format!("{}_target", self.key)
    }

    /// As `plan.json` has it.
    pub(super) fn json(&self, pipeline: &str) -> Json {
        let mut object = Map::new();
        let mut put = |name: &str, value: Json| object.insert(name.to_owned(), value);
        put("key", json!(self.key));
        put("name", json!(self.name));
        put("fixture", json!(self.file));
        if let Some(mutant) = self.mutant {
            put("mutant", json!(mutant));
            put("hidden", json!(self.hidden));
            put("uncompared", json!(self.uncompared));
        }
        put("pipeline", json!(pipeline));
        put("definition", json!(self.definition));
        put("source_table", json!(self.source_table()));
        put("target_table", json!(self.target_table()));
        put("columns", self.played.plan().schema().iter().map(column).collect());
        put(
            "checkpoints",
            (0..self.played.checkpoints.len()).map(|number| self.checkpoint(number)).collect(),
        );
        Json::Object(object)
    }

    fn checkpoint(&self, number: usize) -> Json {
        let checkpoint = &self.played.checkpoints[number];
        let mut object = Map::new();
        let mut put = |name: &str, value: Json| object.insert(name.to_owned(), value);
        put("checkpoint", json!(number + 1));
        if checkpoint.full_refresh {
            put("full_refresh", json!(true));
        }
        if let Some(class) = &checkpoint.expect_error {
            put("expect_error", json!(class));
        }
        put("is_compared", json!(checkpoint.is_compared()));
        let events = self.played.feed.batch(number).events.iter();
        put("append", events.map(|event| event_json(event, self.played.plan())).collect());
        Json::Object(object)
    }
}

/// A column of a source, and how a text becomes a value of it.
fn column(column: &Column) -> Json {
    let text = column.data_type.to_string();
    let (form, read_as) = match &column.data_type {
        DataType::Binary => ("base64", None),
        DataType::Struct(_) | DataType::Array(_) => ("json", None),
        DataType::Map(key, value) => ("pairs", Some(format!("ARRAY<STRUCT<key: {key}, value: {value}>>"))),
        _ => ("text", None),
    };
    json!({ "name": column.name, "type": text, "form": form, "read_as": read_as.unwrap_or(text) })
}

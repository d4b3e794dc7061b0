//! A history as a fixture writes it, and what the model makes of that.

use std::fmt;

use cdc_core::{DataType, Delivery, Dialect, Feed, Flow, Plan, Row, ScdType, Schema, Value};
use serde_json::{Value as Json, json};

/// A fixture without expectations.
#[derive(Clone)]
pub(crate) struct Fixture {
    /// An object with `flow`, or with `flows`.
    pub(crate) definition: Json,
    pub(crate) schema: Json,
    pub(crate) checkpoints: Vec<Json>,
}

impl Fixture {
    pub(crate) fn plans(&self) -> Vec<Plan> {
        let flows: Vec<&Json> = match (self.definition.get("flow"), self.definition.get("flows")) {
            (Some(flow), _) => vec![flow],
            (_, flows) => flows.and_then(Json::as_object).expect("flows").values().collect(),
        };
        let plans: Vec<Plan> = flows
            .into_iter()
            .map(|flow| Plan::new(parsed(flow), self.source()).expect("a sound flow"))
            .collect();
        Plan::share_a_target(&plans).expect("flows into one target");
        plans
    }

    /// What the model takes for the batches.
    pub(crate) fn feed(&self, plans: &[Plan]) -> Feed {
        let mut feed = Feed::default();
        for checkpoint in &self.checkpoints {
            let flow = checkpoint.get("flow").map_or(0, |name| {
                let name = name.as_str().expect("a name");
                let flows = self.definition["flows"].as_object().expect("flows").keys();
                flows.into_iter().position(|flow| flow == name).expect("a flow of this name")
            });
            let seconds = checkpoint.get("advance_seconds").and_then(Json::as_u64).unwrap_or(0);
            let snapshot = checkpoint.get("snapshot").filter(|snapshot| !snapshot.is_null());
            let version = plans[flow].flow().from_snapshot.as_ref().zip(snapshot);
            let version = version.map(|(kind, snapshot)| to_value(kind, &snapshot["version"]));
            let rows = snapshot.map(|snapshot| &snapshot["rows"]).or_else(|| checkpoint.get("append"));
            let rows = rows.and_then(Json::as_array).into_iter().flatten();
            let rows = rows.map(|row| feed_row(plans[flow].schema(), row));
            feed.deliver(Delivery { flow, seconds, version }, rows);
        }
        feed
    }

    fn source(&self) -> Schema {
        let columns = self.schema.as_object().expect("columns").iter();
        let columns: Vec<String> =
            columns.map(|(name, kind)| format!("{name} {}", kind.as_str().expect("a type"))).collect();
        columns.join(", ").parse().expect("a schema")
    }
}

/// A row of the source as the model takes it.
fn feed_row(schema: &Schema, row: &Json) -> Row {
    schema
        .iter()
        .map(|column| to_value(&column.data_type, row.get(&column.name).unwrap_or(&Json::Null)))
        .collect()
}

fn to_value(data_type: &DataType, json: &Json) -> Value {
    match (data_type, json) {
        (_, Json::Null) => Value::Null,
        (DataType::Struct(fields), Json::Object(values)) => {
            Value::structure(fields.iter().map(|field| to_value(&field.data_type, &values[&field.name])))
        }
        (DataType::Array(element), Json::Array(values)) => {
            Value::Array(values.iter().map(|value| to_value(element, value)).collect())
        }
        (_, Json::String(text)) => Value::from(text.as_str()),
        (_, Json::Number(number)) => Value::Int(number.as_i64().expect("a whole number")),
        (_, Json::Bool(truth)) => Value::from(*truth),
        _ => panic!("no {data_type}: {json}"),
    }
}

fn parsed(flow: &Json) -> Flow {
    let list = |name: &str| -> Option<Vec<String>> {
        Some(flow.get(name)?.as_array()?.iter().filter_map(Json::as_str).map(str::to_owned).collect())
    };
    let text = |name: &str| flow.get(name).and_then(Json::as_str).map(str::to_owned);
    let is_true = |name: &str| flow.get(name) == Some(&json!(true));
    let from_snapshot = is_true("from_snapshot")
        .then(|| text("version_type").map_or(DataType::BigInt, |kind| kind.parse().expect("a type")));
    Flow {
        keys: list("keys").unwrap_or_default(),
        sequence_by: text("sequence_by").unwrap_or_default(),
        system_sequence_by: text("system_sequence_by"),
        ignore_null_updates: is_true("ignore_null_updates"),
        ignore_null_updates_column_list: list("ignore_null_updates_column_list"),
        ignore_null_updates_except_column_list: list("ignore_null_updates_except_column_list"),
        columns_to_update: text("columns_to_update"),
        apply_as_deletes: text("apply_as_deletes"),
        apply_as_truncates: text("apply_as_truncates"),
        column_list: list("column_list"),
        except_column_list: list("except_column_list"),
        stored_as_scd_type: scd_type(&flow["stored_as_scd_type"]),
        track_history_column_list: list("track_history_column_list"),
        track_history_except_column_list: list("track_history_except_column_list"),
        once: is_true("once"),
        from_snapshot,
        tombstone_gc_threshold_seconds: flow.get("tombstone_gc_threshold_seconds").and_then(Json::as_u64),
        dialect: if text("dialect").is_some() { Dialect::Spark43 } else { Dialect::Databricks },
    }
}

fn scd_type(json: &Json) -> ScdType {
    match json {
        Json::Number(number) if number.as_i64() == Some(1) => ScdType::One,
        Json::Number(number) if number.as_i64() == Some(2) => ScdType::Two,
        _ => ScdType::Bitemporal,
    }
}

/// To be copied into a file.
impl fmt::Debug for Fixture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let checkpoints: Vec<String> = self.checkpoints.iter().map(|it| format!("\n    {it}")).collect();
        let definition = self.definition.to_string();
        let flows = &definition[1..definition.len() - 1];
        let (schema, checkpoints) = (&self.schema, checkpoints.join(","));
        write!(f, "{{\n  {flows},\n  \"schema\": {schema},\n  \"checkpoints\": [{checkpoints}\n  ]\n}}")
    }
}

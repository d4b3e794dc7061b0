//! The bundle's own files: `databricks.yml`, and the pipelines.

use serde_json::{Map, Value as Json, json};

use super::play::Play;
use super::{Channel, Compute, RunAs, Settings, pipeline_name};

/// The setting of a pipeline that names the table which its flow reads.
pub(super) const SOURCE: &str = "cdc.source_table";
/// The setting that names the table which it writes.
pub(super) const TARGET: &str = "cdc.target_table";

/// `databricks.yml`.
pub(super) fn bundle(settings: &Settings, name: &str) -> String {
    let mut bundle = json!({
        "bundle": { "name": name },
        "include": ["resources/*.yml"],
        "variables": {
            "catalog": { "description": "The catalog of all tables", "default": settings.catalog },
            "schema": { "description": "The schema of all tables", "default": settings.schema },
        },
        // What a run leaves stays at home.
        "sync": { "paths": ["definitions"] },
        "targets": { "test": { "default": true } },
    });
    match &settings.run_as {
        Some(RunAs::User(name)) => bundle["run_as"] = json!({ "user_name": name }),
        Some(RunAs::ServicePrincipal(id)) => bundle["run_as"] = json!({ "service_principal_name": id }),
        None => {}
    }
    yaml(&bundle)
}

/// `resources/pipelines.yml`.
pub(super) fn pipelines(settings: &Settings, plays: &[Play]) -> String {
    let pipelines: Map<String, Json> =
        plays.iter().map(|play| (play.key.clone(), pipeline(settings, play))).collect();
    yaml(&json!({ "resources": { "pipelines": pipelines } }))
}

fn pipeline(settings: &Settings, play: &Play) -> Json {
    let channel = match settings.channel {
        Channel::Current => "CURRENT",
        Channel::Preview => "PREVIEW",
    };
    let mut pipeline = json!({
        "name": pipeline_name(settings, &play.key),
        "catalog": "${var.catalog}",
        "schema": "${var.schema}",
        "channel": channel,
        "libraries": [{ "file": { "path": format!("../{}", play.definition) } }],
        "configuration": {
            SOURCE: format!("`${{var.catalog}}`.`${{var.schema}}`.`{}`", play.source_table()),
            TARGET: play.target_table(),
        },
    });
    match settings.compute {
        Compute::Serverless => pipeline["serverless"] = json!(true),
        Compute::Advanced => {
            pipeline["serverless"] = json!(false);
            pipeline["edition"] = json!("ADVANCED");
            pipeline["clusters"] = json!([{ "label": "default", "num_workers": 1 }]);
        }
    }
    pipeline
}

fn yaml(json: &Json) -> String {
    // Maps with names and texts: YAML has them all, and a text takes what is written.
    let text = serde_saphyr::to_string(json).unwrap_or_default();
    format!("# Written by cdc-killmatrix export-kit.\n{text}")
}

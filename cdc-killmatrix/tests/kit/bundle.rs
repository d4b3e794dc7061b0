//! The bundle: its YAML, parsed again.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::binary::{code, killmatrix, stderr};
use super::{folder, kit};

fn yaml(kit: &Path, file: &str) -> Value {
    serde_saphyr::from_str(&fs::read_to_string(kit.join(file)).unwrap()).unwrap()
}

#[test]
fn a_bundle_has_a_pipeline_for_each_fixture_all_in_the_given_schema() {
    let folder = folder();
    let kit = kit(&folder, &[]);
    let bundle = yaml(&kit, "databricks.yml");
    assert_eq!(
        bundle,
        json!({
            "bundle": { "name": bundle["bundle"]["name"] },
            "include": ["resources/*.yml"],
            "variables": {
                "catalog": { "description": "The catalog of all tables", "default": "dev" },
                "schema": { "description": "The schema of all tables", "default": "cdc" },
            },
            "sync": { "paths": ["definitions"] },
            "targets": { "test": { "default": true } },
        })
    );
    let resources = yaml(&kit, "resources/pipelines.yml");
    let pipelines = resources["resources"]["pipelines"].as_object().unwrap();
    assert_eq!(pipelines.keys().collect::<Vec<_>>(), ["toys_first", "toys_own", "toys_second"]);
    assert_eq!(
        pipelines["toys_first"],
        json!({
            "name": "killmatrix dev.cdc toys_first",
            "catalog": "${var.catalog}",
            "schema": "${var.schema}",
            "channel": "CURRENT",
            "libraries": [{ "file": { "path": "../definitions/toys.py" } }],
            "configuration": {
                "cdc.source_table": "`${var.catalog}`.`${var.schema}`.`toys_first_source`",
                "cdc.target_table": "toys_first_target",
            },
            "serverless": true,
        })
    );
}

#[test]
fn bundles_that_are_not_the_same_have_other_names() {
    let folder = folder();
    let name = |to: &str, told: &[&str]| {
        let output = killmatrix(folder.path(), &[&["export-kit", to], told].concat());
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        yaml(&folder.path().join(to), "databricks.yml")["bundle"]["name"].as_str().unwrap().to_owned()
    };
    let first = name("1", &["toys", "--catalog", "dev", "--schema", "a_b"]);
    assert!(first.starts_with("killmatrix_dev_a_b_"), "{first}");
    assert_eq!(name("2", &["toys", "--catalog", "dev", "--schema", "a_b"]), first);
    let others = [
        name("3", &["toys", "--catalog", "dev_a", "--schema", "b"]),
        name("4", &["toys/first.json", "--catalog", "dev", "--schema", "a_b"]),
        name("5", &["toys", "--catalog", "dev", "--schema", "a_b", "--mutants=arrival_order"]),
    ];
    assert!(!others.contains(&first), "{first}: {others:?}");
    assert_eq!(BTreeSet::from(others).len(), 3);
}

#[test]
fn a_cluster_of_the_advanced_edition_takes_the_place_of_serverless_compute() {
    let folder = folder();
    let kit = kit(&folder, &["--compute", "advanced", "--channel", "preview"]);
    let pipeline = &yaml(&kit, "resources/pipelines.yml")["resources"]["pipelines"]["toys_own"];
    assert_eq!((&pipeline["serverless"], &pipeline["edition"]), (&json!(false), &json!("ADVANCED")));
    assert_eq!(pipeline["clusters"], json!([{ "label": "default", "num_workers": 1 }]));
    assert_eq!(pipeline["channel"], "PREVIEW");
}

#[test]
fn a_user_or_a_service_principal_is_who_it_runs_as() {
    for (option, name, member) in [
        ("--run-as-user", "ana+test@example.com", "user_name"),
        ("--run-as-principal", "2d6ab4b3-0000-4000-8000-3c7f5d9b8a11", "service_principal_name"),
    ] {
        let folder = folder();
        let kit = kit(&folder, &[option, name]);
        assert_eq!(yaml(&kit, "databricks.yml")["run_as"], json!({ member: name }));
        assert!(
            fs::read_to_string(kit.join("README.md")).unwrap().contains(&format!("`{name}`, on serverless"))
        );
    }
}

#[test]
fn a_name_that_yaml_would_take_for_something_else_stays_a_text() {
    for name in ["null", "true", "1e3", "0x10", "2024-01-01"] {
        let folder = folder();
        let more = ["export-kit", "kit", "toys", "--catalog", name, "--schema", "no"];
        let output = super::killmatrix(folder.path(), &more);
        assert_eq!(super::code(&output), 0, "{}", super::stderr(&output));
        let bundle = yaml(&folder.path().join("kit"), "databricks.yml");
        assert_eq!(bundle["variables"]["catalog"]["default"], json!(name));
    }
}

//! The definitions that stand beside the fixtures are what the fixtures are about.

use std::fs;
use std::path::{Path, PathBuf};

use cdc_core::{Dialect, Flow};
use cdc_killmatrix::definition::Definitions;
use cdc_killmatrix::{Fixtures, Matrix, catalogue};

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures")
}

/// A flow with a sequence that reads the same in both languages.
fn alike(flow: &Flow) -> Flow {
    Flow { sequence_by: flow.sequence_by.to_lowercase(), ..flow.clone() }
}

fn defined(file: &str, name: &str) -> Flow {
    let definitions = Definitions::read(&fixtures().join(file), Dialect::Databricks).unwrap();
    assert_eq!(definitions.warnings(), [], "{file}");
    let found = definitions.flows.iter().find(|flow| flow.name == name);
    alike(&found.unwrap_or_else(|| panic!("{file} has no {name}")).flow)
}

fn of_fixture(file: &str) -> Flow {
    let fixtures = Fixtures::load([fixtures().join(file)]).unwrap();
    alike(fixtures.suites[0].fixtures[0].plan().flow())
}

#[test]
fn the_definitions_beside_the_fixtures_are_their_flows() {
    for (definition, name, fixture) in [
        ("customers_current/customers", "customers_flow", "customers_current/sequence_tie.json"),
        ("documentation/users", "users_scd1", "documentation/users_scd1_truncate.json"),
        ("documentation/users", "users_scd2", "documentation/users_scd2.json"),
        (
            "documentation/users",
            "users_scd2_track_except_city",
            "documentation/users_scd2_track_except_city.json",
        ),
    ] {
        for language in ["sql", "py"] {
            let file = format!("{definition}.{language}");
            assert_eq!(defined(&file, name), of_fixture(fixture), "{file}#{name}");
        }
    }
}

#[test]
fn a_suite_may_name_its_deployed_definition() {
    let folder = tempfile::tempdir().unwrap();
    let suite = folder.path().join("suites/customers");
    fs::create_dir_all(&suite).unwrap();
    fs::create_dir(folder.path().join(".git")).unwrap();
    fs::create_dir(folder.path().join("pipelines")).unwrap();
    for language in ["sql", "py"] {
        let file = format!("customers.{language}");
        let deployed = folder.path().join("pipelines").join(&file);
        fs::copy(fixtures().join("customers_current").join(&file), deployed).unwrap();
        for entry in fs::read_dir(fixtures().join("customers_current")).unwrap() {
            let path = entry.unwrap().path();
            let text = fs::read_to_string(&path).unwrap();
            let text = match serde_json::from_str::<serde_json::Value>(&text) {
                Ok(mut description) if description.get("audited").is_some() => {
                    description["flow"] = format!("../../pipelines/{file}#customers_flow").into();
                    description.to_string()
                }
                _ => text,
            };
            fs::write(suite.join(path.file_name().unwrap()), text).unwrap();
        }
        let loaded = Fixtures::load([&suite]).unwrap();
        let matrix = Matrix::of(&loaded, &catalogue::all());
        assert_eq!(matrix.disagreements().count(), 0, "{language}");
        assert_eq!(matrix.survivors().count(), 0, "{language}");
        let shipped = Fixtures::load([fixtures().join("customers_current")]).unwrap();
        assert_eq!(loaded.suites[0].fixtures.len(), shipped.suites[0].fixtures.len(), "{language}");
    }
}

//! Every fixture that the project ships agrees with the oracle.

use std::any::Any;
use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

use cdc_core::{Dialect, Flow, ScdType};
use cdc_killmatrix::definition::Definitions;
use serde_json::{Value as Json, json};
use walkdir::WalkDir;

mod oracle;

use oracle::{Oracle, Row};

const AT_LEAST: usize = 30;

/// What a checkpoint may hold: what isn't understood isn't passed over.
const UNDERSTOOD: [&str; 10] = [
    "note",
    "flow",
    "append",
    "snapshot",
    "advance_seconds",
    "full_refresh",
    "expect",
    "expect_any",
    "expect_error",
    "observed",
];

#[test]
fn every_shipped_fixture_agrees_with_the_oracle() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures");
    let (mut checked, mut mismatches) = (0, Vec::new());
    for path in files(&folder) {
        let name =
            path.strip_prefix(&folder).expect("below the folder").with_extension("").display().to_string();
        let outcome = catch_unwind(|| {
            let fixture = json(&path);
            // A file without checkpoints is no fixture.
            fixture.get("checkpoints").map(|checkpoints| compare(&fixture, checkpoints, &suite_of(&path)))
        });
        match outcome {
            Ok(outcome) => {
                let outcome = outcome.unwrap_or_default();
                checked += outcome.checked;
                mismatches
                    .extend(outcome.mismatches.into_iter().map(|mismatch| format!("{name}, {mismatch}")));
            }
            Err(panic) => mismatches.push(format!("{name}: {}", said(&*panic))),
        }
    }
    assert!(mismatches.is_empty(), "{}", mismatches.join("\n\n"));
    assert!(AT_LEAST <= checked, "only {checked} checkpoints below {}", folder.display());
}

#[derive(Default)]
struct Outcome {
    checked: usize,
    mismatches: Vec<String>,
}

fn compare(fixture: &Json, checkpoints: &Json, suite: &Json) -> Outcome {
    let schema = fixture.get("schema").or_else(|| suite.get("schema")).expect("a schema");
    let is_own = fixture.get("flow").or_else(|| fixture.get("flows")).is_some();
    let mut oracle = Oracle::new(if is_own { fixture } else { suite }, schema);
    let mut outcome = Outcome::default();
    for (number, checkpoint) in (1..).zip(checkpoints.as_array().expect("a list of checkpoints")) {
        let members = checkpoint.as_object().expect("a checkpoint is an object");
        if let Some(name) = members.keys().find(|name| !UNDERSTOOD.contains(&name.as_str())) {
            panic!("checkpoint {number}: the oracle knows nothing of `{name}`");
        }
        let is_refresh = members.get("full_refresh") == Some(&Json::Bool(true));
        let before = if is_refresh { Vec::new() } else { oracle.table() };
        let refused = oracle.apply(checkpoint).err();
        let table = oracle.table();

        let mut expect = |holds: bool, expected: &str| {
            outcome.checked += 1;
            if !holds {
                let got = refused.map_or_else(|| listed(&table), |class| format!("refused [{class}]\n"));
                let text = format!(
                    "checkpoint {number}\nthe fixture expects:\n{expected}the oracle gets:\n{}",
                    got.trim_end()
                );
                outcome.mismatches.push(text);
            }
        };
        let expected_class = checkpoint.get("expect_error").map(|class| class.as_str().expect("a class"));
        if let Some(class) = expected_class {
            expect(
                refused == Some(class) && oracle.target.same(&before, &table),
                &format!("refused [{class}]\n"),
            );
        }
        if let Some(typed) = checkpoint.get("expect") {
            let expected = oracle.target.expected(typed);
            expect(refused == expected_class && oracle.target.same(&expected, &table), &listed(&expected));
        }
        if let Some(typed) = checkpoint.get("expect_any") {
            let tables = typed.as_array().expect("a list of tables").iter();
            let tables: Vec<Vec<Row>> = tables.map(|table| oracle.target.expected(table)).collect();
            let text: Vec<String> = tables.iter().map(|table| listed(table)).collect();
            let holds =
                refused.is_none() && tables.iter().any(|expected| oracle.target.same(expected, &table));
            expect(holds, &text.join("or\n"));
        }
    }
    outcome
}

/// The defaults of the nearest folder above that is a suite.
fn suite_of(path: &Path) -> Json {
    let suite = path.ancestors().map(|folder| folder.join("suite.json")).find(|suite| suite.is_file());
    suite.map_or(Json::Null, |suite| json(&suite))
}

/// The flow of a definition, as a fixture would write it. The readers of definitions have tests of their own.
fn deployed(file: &Path, path: &str) -> Json {
    let (path, name) = path.split_once('#').expect("the flow's name after the path");
    let read =
        Definitions::read(&file.with_file_name(path), Dialect::Databricks).expect("a sound definition");
    let found = read.flows.into_iter().find(|flow| flow.name == name).expect("a flow of this name");
    let flow = found.flow;
    let written = Flow {
        keys: flow.keys.clone(),
        sequence_by: flow.sequence_by.clone(),
        apply_as_deletes: flow.apply_as_deletes.clone(),
        apply_as_truncates: flow.apply_as_truncates.clone(),
        except_column_list: flow.except_column_list.clone(),
        stored_as_scd_type: flow.stored_as_scd_type,
        ..Flow::default()
    };
    assert_eq!(flow, written, "a parameter that is not written here");
    let mut json = json!({
        "keys": written.keys,
        "sequence_by": written.sequence_by,
        "stored_as_scd_type": if written.stored_as_scd_type == ScdType::One { 1 } else { 2 },
    });
    let optional = [
        ("apply_as_deletes", written.apply_as_deletes.map(Json::from)),
        ("apply_as_truncates", written.apply_as_truncates.map(Json::from)),
        ("except_column_list", written.except_column_list.map(Json::from)),
    ];
    for (name, value) in optional {
        json.as_object_mut().expect("an object").extend(value.map(|value| (name.to_owned(), value)));
    }
    json
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = WalkDir::new(folder).sort_by_file_name().into_iter();
    let paths = entries.map(|entry| entry.expect("a readable folder").into_path());
    paths
        .filter(|path| path.extension().is_some_and(|end| end == "json") && !path.ends_with("suite.json"))
        .collect()
}

/// A file, with the flow of a definition in the place of its path.
fn json(path: &Path) -> Json {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut json: Json =
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    if let Some(Json::String(flow)) = json.get("flow") {
        json["flow"] = deployed(path, flow);
    }
    json
}

fn listed(table: &[Row]) -> String {
    let mut rows: Vec<String> = table.iter().map(|row| format!("  {}\n", Json::from(row.clone()))).collect();
    rows.sort();
    if rows.is_empty() { "  no rows\n".to_owned() } else { rows.concat() }
}

/// The text of a panic.
fn said(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic without a text")
}

//! Wrong turns of the first hour: one message each, which ends with the command to go on.

use std::fs;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::as_reviewed;
use crate::binary::{code, killmatrix, parsed, stderr, stdout};

/// A pipeline with two flows, and one whose flows are known only when it runs.
const SEVERAL: &str = "\
import dlt
from pyspark.sql.functions import col

for table in ['customers', 'orders']:
    dlt.create_streaming_table(table)
dlt.create_auto_cdc_flow(target='customers', source='raw', keys=['id'], sequence_by=col('seq'))
dlt.create_auto_cdc_flow(target='orders', source='raw', keys=['id'], sequence_by=col('seq'))
";
const LOOP: &str = "\
import dlt
from pyspark.sql.functions import col

for table in spark.table('tables').collect():
    dlt.create_auto_cdc_flow(target=table.name, source='raw', keys=['id'], sequence_by=col('seq'))
";

/// A folder of a project: a fixture with one change, and files beside its folder.
struct Project(TempDir);

impl Project {
    fn new(change: impl Fn(&mut Value)) -> Self {
        let mut fixture = json!({
            "name": "one", "title": "One",
            "schema": { "id": "BIGINT", "city": "STRING", "seq": "BIGINT" },
            "flow": { "keys": ["id"], "sequence_by": "seq", "except_column_list": ["seq"] },
            "checkpoints": [{
                "append": [{ "id": 1, "city": "Lyon", "seq": 1 }],
                "expect": [{ "id": 1, "city": "Lyon" }],
            }],
        });
        change(&mut fixture);
        let project = Self::empty();
        project.with("fixtures/one.json", &serde_json::to_string_pretty(&fixture).unwrap())
    }

    fn empty() -> Self {
        let folder = TempDir::new().unwrap();
        fs::create_dir(folder.path().join(".git")).unwrap();
        Self(folder)
    }

    fn with(self, file: &str, text: &str) -> Self {
        let file = self.0.path().join(file);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
        self
    }

    /// The call, what it prints, what it says, and the exit code.
    fn told(&self, line: &str) -> String {
        let arguments: Vec<&str> = line.split_whitespace().collect();
        let output = killmatrix(self.0.path(), &arguments);
        let (printed, said) = (stdout(&output), stderr(&output));
        format!("$ cdc-killmatrix {line}\n{printed}{said}[{}]\n", code(&output))
    }
}

/// A fixture with the line ends of Windows, and a fault.
fn windows() -> Project {
    let project = Project::new(|it| it["checkpoints"][0]["append"][0]["city"] = json!(5));
    let file = project.0.path().join("fixtures/one.json");
    let text = fs::read_to_string(file).unwrap().replace('\n', "\r\n");
    project.with("fixtures/one.json", &text)
}

fn turns() -> Vec<(&'static str, Project, &'static [&'static str])> {
    let expect = |rows: Value| Project::new(move |it| it["checkpoints"][0]["expect"] = rows.clone());
    let event = |event: Value| Project::new(move |it| it["checkpoints"][0]["append"][0] = event.clone());
    let flow = |path: &'static str| Project::new(move |it| it["flow"] = json!(path));
    let tie = json!([{ "id": 1, "city": "Lyon", "seq": 1 }, { "id": 1, "city": "Nice", "seq": 1 }]);
    let tie = move |it: &mut Value| it["checkpoints"][0]["append"] = tie.clone();
    let right = || Project::new(|_| {});
    vec![
        ("no_fixtures", Project::empty(), &["run", "audit", "explain arrival_order fixtures/one", "rnu"]),
        ("empty_folder", Project::empty().with("fixtures/suite.json", "{}"), &["run", "rows nowhere.json"]),
        ("to_do", expect(json!("TODO")), &["run", "rows fixtures/one.json --why"]),
        ("wrong_type", event(json!({ "id": "1", "city": "Lyon", "seq": 1 })), &["run"]),
        ("typo", event(json!({ "id": 1, "citty": "Lyon", "seq": 1 })), &["run"]),
        ("tie", Project::new(tie), &["run", "check fixtures/one.json"]),
        ("several_flows", flow("../p.py").with("p.py", SEVERAL), &["run", "run --flow p.py"]),
        ("no_such_flow", flow("../p.py#customer").with("p.py", SEVERAL), &["run", "run --flow p.py#x"]),
        ("python_loop", flow("../p.py").with("p.py", LOOP), &["run"]),
        (
            "unwritable",
            right(),
            &["run --report html=no/page.html", "suggest arrival_order --out no/first.json"],
        ),
        ("windows", windows(), &["run"]),
        ("disagreement", expect(json!([{ "id": 1, "city": "Paris" }])), &["run"]),
        ("survivor", right(), &["run", "explain arrival_order fixtures/one.json", "suggest arrival_order"]),
        ("unknown_copy", right(), &["explain arival_order fixtures/one.json", "suggest zzz"]),
        ("no_observed_rows", right(), &["diagnose fixtures/one.json"]),
        ("events_alone", Project::empty().with("events.csv", "id,seq\r\n1,1\r\n"), &["check events.csv"]),
    ]
}

#[test]
fn wrong_turns_are_as_reviewed() {
    let texts = turns().into_iter().map(|(name, project, calls)| {
        let told: Vec<String> = calls.iter().map(|call| project.told(call)).collect();
        (format!("turn_{name}"), told.join("\n"))
    });
    as_reviewed("turn_", &texts.collect::<Vec<_>>());
}

#[test]
fn every_message_ends_with_a_command() {
    for (name, project, calls) in turns() {
        for call in calls {
            let told = project.told(call);
            let mut lines = told.lines().rev().skip(1);
            // What a run says of itself comes last.
            let last = lines.find(|line| !line.is_empty() && !line.starts_with("This judges")).unwrap();
            assert!(last.starts_with("  cdc-killmatrix "), "{name}: {told}");
        }
    }
}

#[test]
fn the_command_of_a_to_do_shows_the_rows_and_the_next_one() {
    let project = Project::new(|it| it["checkpoints"][0]["expect"] = json!("TODO"));
    let told = project.told("rows fixtures/one.json --why");
    assert!(told.contains("Lyon") && told.ends_with("[0]\n"), "{told}");
    assert!(told.contains("\n  cdc-killmatrix run fixtures/one.json\n"), "{told}");
    assert!(!Project::new(|_| {}).told("rows fixtures/one.json --why").contains("Next"));
}

#[test]
fn of_several_faults_those_that_must_be_mended_come_first() {
    let project = Project::new(|it| {
        it["checkpoints"][0]["expect"] = json!("TODO");
        it["checkpoints"][0]["append"][0]["id"] = json!("x");
    });
    let told = project.told("run fixtures");
    assert!(told.ends_with("Next, once that is mended:\n  cdc-killmatrix run fixtures\n[1]\n"), "{told}");
}

#[test]
fn at_most_three_commands_are_named() {
    let fixture = fs::read_to_string(Project::new(|_| {}).0.path().join("fixtures/one.json")).unwrap();
    let mut project = Project::empty();
    for name in ["a", "b", "c", "d"] {
        let mut fixture: Value = serde_json::from_str(&fixture).unwrap();
        fixture["name"] = json!(name);
        fixture["checkpoints"][0]["expect"] = json!("TODO");
        project = project.with(&format!("fixtures/{name}.json"), &fixture.to_string());
    }
    assert_eq!(project.told("run").matches("  cdc-killmatrix rows").count(), 3);
}

#[test]
fn json_is_json_to_its_end() {
    let project = Project::new(|it| it["checkpoints"][0]["expect"] = json!("TODO"));
    for call in [["rows", "fixtures"], ["check", "fixtures"], ["suggest", "arrival_order"]] {
        let output = killmatrix(project.0.path(), &[&call[..], &["--format", "json"]].concat());
        assert!(!parsed(&output).is_null(), "{call:?}");
        assert_eq!(stderr(&output), "", "{call:?}");
    }
}

//! A flow is found by its name, whatever is wrong with the others.

use std::fs;
use std::path::Path;

use cdc_core::Dialect;
use cdc_killmatrix::Fixtures;
use cdc_killmatrix::definition::Definitions;

/// Three flows, of which the second is wrong, and a third that can't be named.
const PYTHON: &str = "
dp.create_auto_cdc_flow(target='good', source='s', keys=['id'], sequence_by='lsn')
dp.create_auto_cdc_flow(target='bad', source='s', keys=config.keys, sequence_by='lsn')
for table in tables:
    dp.create_auto_cdc_flow(target=table, source='s', keys=['id'], sequence_by='lsn')
dp.create_auto_cdc_flow(target=f'{catalog}.silver.orders', source='s', keys=['id'], sequence_by='lsn')
";

const SQL: &str = "
CREATE FLOW good AS AUTO CDC INTO a FROM STREAM(s) KEYS (id) SEQUENCE BY lsn;
CREATE FLOW bad AS AUTO CDC INTO b FROM STREAM(s) KEYS () SEQUENCE BY lsn;
AUTO CDC INTO c FROM STREAM(s) KEYS (id) SEQUENCE BY lsn;
CREATE FLOW ${catalog}.silver.orders AS AUTO CDC INTO d FROM STREAM(s) KEYS (id) SEQUENCE BY lsn;
";

const INSTEAD: &str =
    "is known only when the code runs; expected a literal, or the fixture's `flow` as an object";

/// What is found by a name, or without one.
fn found(file: &str, text: &str, name: Option<&str>) -> String {
    let definitions = Definitions::parse(Path::new(file), text, Dialect::Databricks).unwrap();
    match definitions.flow(name) {
        Some(Ok(flow)) => flow.name.clone(),
        Some(Err(faults)) => faults.to_string(),
        None => "none".to_owned(),
    }
}

#[test]
fn faults_concern_their_own_flow() {
    let bad = format!("p.py:3:56: `keys`: `config.keys` {INSTEAD}");
    let empty = "p.sql:3:56: `KEYS` names no column; expected at least one";
    for (name, python, sql) in [
        (Some("good"), "good", "good"),
        (Some("bad"), &*bad, empty),
        (Some("orders"), "{catalog}.silver.orders", "${catalog}.silver.orders"),
        (Some("silver.orders"), "{catalog}.silver.orders", "${catalog}.silver.orders"),
        (Some("rders"), "none", "none"),
        (Some("Good"), "none", "none"),
        (None, "none", "none"),
    ] {
        assert_eq!(found("p.py", PYTHON, name), python, "{name:?}");
        assert_eq!(found("p.sql", SQL, name), sql, "{name:?}");
    }
}

#[test]
fn of_flows_with_one_name_none_is_found() {
    let twice = "dp.apply_changes('t', 's', ['id'], 'a')\ndp.apply_changes('t', 's', ['id'], 'b')\n";
    assert_eq!(
        found("p.py", twice, Some("t")),
        "p.py:2:1: the flows in lines 1 and 2 are both called `t`; expected a `name` of its own for one of them"
    );
    let thrice = format!("{twice}dp.apply_changes('t', 's', ['id'], 'c')\n");
    assert!(found("p.py", &thrice, Some("t")).ends_with("expected a `name` of its own for one of them"));
    let ends = "dp.apply_changes('a.t', 's', ['id'], 'a')\ndp.apply_changes('b.t', 's', ['id'], 'b')\n";
    assert_eq!(found("p.py", ends, Some("t")), "none");
    assert_eq!(found("p.py", ends, Some("a.t")), "a.t");
}

#[test]
fn what_is_wrong_with_a_target_concerns_its_flows() {
    let text = "
CREATE STREAMING TABLE a TBLPROPERTIES ('pipelines.cdc.tombstoneGCThresholdInSeconds' = 'long');
CREATE STREAMING TABLE b (id INT);
CREATE FLOW f AS AUTO CDC INTO a FROM STREAM(s) KEYS (id) SEQUENCE BY lsn;
CREATE FLOW g AS AUTO CDC INTO a FROM STREAM(s) KEYS (id) SEQUENCE BY lsn;
CREATE FLOW h AS AUTO CDC INTO b FROM STREAM(s) KEYS (id) SEQUENCE BY lsn;";
    let long = "p.sql:2:89: pipelines.cdc.tombstoneGCThresholdInSeconds is `'long'`; expected a whole number of \
                seconds, such as `'172800'`";
    for (name, expected) in [("f", long), ("g", long), ("h", "h")] {
        assert_eq!(found("p.sql", text, Some(name)), expected);
    }
    let all = Definitions::parse(Path::new("p.sql"), text, Dialect::Databricks).unwrap().faults();
    assert_eq!(all.to_string(), long, "each once");
}

#[test]
fn warnings_concern_their_own_flow() {
    for (file, text) in [
        (
            "p.sql",
            "CREATE VIEW v AS SELECT * FROM STREAM(r) WHERE x;
             CREATE FLOW f AS AUTO CDC INTO a FROM STREAM(v) KEYS (id) SEQUENCE BY lsn;
             CREATE FLOW g AS AUTO CDC INTO b FROM STREAM(r) KEYS (id) SEQUENCE BY lsn;",
        ),
        (
            "p.py",
            "@dp.view\ndef v(): return spark.readStream.table('r').where('x')\n\
             dp.apply_changes('f', 'v', ['id'], 'a')\ndp.apply_changes('g', 'r', ['id'], 'a')\n",
        ),
    ] {
        let definitions = Definitions::parse(Path::new(file), text, Dialect::Databricks).unwrap();
        let warnings: Vec<usize> = definitions.flows.iter().map(|flow| flow.warnings.len()).collect();
        assert_eq!(warnings, [1, 0], "{file}");
        assert_eq!(definitions.warnings().len(), 1, "{file}");
    }
}

#[test]
fn what_makes_no_sense_as_a_whole_is_no_definition() {
    for (file, text) in [
        ("p.sql", format!("{SQL} SELECT 'open")),
        ("p.py", format!("{PYTHON} f(")),
        ("p.ipynb", PYTHON.to_owned()),
    ] {
        assert!(Definitions::parse(Path::new(file), text, Dialect::Databricks).is_err(), "{file}");
    }
}

/// What loading a fixture with a definition says.
fn loaded(file: &str, text: &str, name: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let fixture = serde_json::json!({
        "name": "a", "title": "A", "about": "It is one.", "source": "own",
        "schema": { "id": "INT", "lsn": "INT" },
        "flow": format!("{file}{name}"),
        "checkpoints": [{ "append": [], "expect": [] }],
    });
    fs::write(folder.path().join("a.json"), fixture.to_string()).unwrap();
    fs::write(folder.path().join(file), text).unwrap();
    let path = folder.path().to_string_lossy().into_owned() + "/";
    match Fixtures::load([folder.path()]) {
        Ok(_) => "loaded".to_owned(),
        Err(faults) => faults.to_string().replace(&path, "").replace("a.json:1:", "a.json:"),
    }
}

#[test]
fn a_fixture_needs_no_other_flow_than_its_own() {
    for (file, text) in [("p.py", PYTHON), ("p.sql", SQL)] {
        assert_eq!(loaded(file, text, "#good"), "loaded");
        assert_eq!(loaded(file, text, "#orders"), "loaded");
    }
    assert_eq!(loaded("p.sql", SQL, "#bad"), "p.sql:3:56: `KEYS` names no column; expected at least one");
    assert_eq!(
        loaded("p.sql", SQL, "#god"),
        "p.sql: there is no flow `god` in `p.sql`; did you mean `good`?\n\
         p.sql:3:56: `KEYS` names no column; expected at least one\n\
         p.sql:4:1: unexpected `AUTO CDC`; expected `CREATE FLOW name AS` before it"
    );
    let several = loaded("p.py", PYTHON, "");
    assert!(
        several.ends_with(
            "`p.py` holds several flows; expected one of `#good`, `#bad`, `#{catalog}.silver.orders` after the path"
        ),
        "{several}"
    );
    let flow = |i: usize| format!("APPLY CHANGES INTO t{i} FROM STREAM(s) KEYS (id) SEQUENCE BY lsn;\n");
    let many = |count: usize| loaded("p.sql", &(0..count).map(flow).collect::<String>(), "");
    assert!(many(12).ends_with(", `#t10`, `#t11` after the path"), "{}", many(12));
    assert!(many(1000).ends_with(", `#t10`, `#t11`, .. after the path"), "{}", many(1000));
    let loops = "for t in ts:\n  dp.apply_changes(t, 's', ['id'], 'lsn')\n";
    assert_eq!(
        loaded("p.py", loops, "#t"),
        format!(
            "p.py: there is no flow `t` in `p.py`\np.py:2:20: `target`: `t`, a loop variable (line 1), {INSTEAD}"
        )
    );
}

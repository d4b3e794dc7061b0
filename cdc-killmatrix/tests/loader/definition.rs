//! A flow that names its definition: the dialect, and what else isn't in the definition.

use cdc_core::{DataType, Dialect};

use super::Folder;

/// A checkpoint in which nothing is written.
const SOUND: &str = r#"{"append": [], "expect": []}"#;

/// The same where the flow `one` brings the batch.
const OF_ONE: &str = r#"{"flow": "one", "append": [], "expect": []}"#;

const SQL: &str = "CREATE STREAMING TABLE t TBLPROPERTIES ('pipelines.cdc.tombstoneGCThresholdInSeconds' = '60');
CREATE FLOW f AS AUTO CDC INTO t FROM STREAM(s) KEYS (id) SEQUENCE BY seq COLUMNS * EXCEPT (seq);
CREATE FLOW g AS AUTO CDC INTO t FROM STREAM(s) KEYS (id) SEQUENCE BY seq COLUMNS * EXCEPT (seq) IGNORE NULL UPDATES;
";

const SNAPSHOTS: &str = "dp.create_auto_cdc_from_snapshot_flow('t', 's', ['id'], 2)\n";

/// A fixture whose flow, or the flow `one` among its `flows`, is on its second line.
fn folder(flow: &str) -> Folder {
    let checkpoint = if flow.contains("flows") { OF_ONE } else { SOUND };
    let text = format!(
        "{{\"name\": \"a\", \"schema\": {{\"id\": \"INT\", \"city\": \"STRING\", \"seq\": \"BIGINT\"}},\n{flow},\n\
         \"checkpoints\": [{checkpoint}]}}"
    );
    let wrong = "-- a key\n\nAPPLY CHANGES INTO t FROM STREAM(s) KEYS (idd) SEQUENCE BY seq;";
    let folder = Folder::new().with("f/p.sql", SQL).with("f/p.py", SNAPSHOTS).with("f/wrong.sql", wrong);
    folder.with("f/a.json", text)
}

fn faults(flow: &str) -> Vec<String> {
    folder(flow).faults().iter().map(|line| line.replace("f/a.json:", "")).collect()
}

#[test]
fn a_definition_with_its_dialect() {
    for (flow, dialect, seconds) in [
        (r#""flow": "p.sql#f""#, Dialect::Databricks, Some(60)),
        (r#""flow": {"definition": "p.sql#f"}"#, Dialect::Databricks, Some(60)),
        (r#""flow": {"definition": "p.sql#f", "dialect": "databricks"}"#, Dialect::Databricks, Some(60)),
        (r#""flow": {"definition": "p.sql#f", "dialect": "spark-4.3"}"#, Dialect::Spark43, None),
        (
            r#""flow": {"definition": "p.sql#f", "tombstone_gc_threshold_seconds": 7, "dialect": null}"#,
            Dialect::Databricks,
            Some(7),
        ),
        (
            r#""flows": {"one": {"definition": "p.sql#f", "tombstone_gc_threshold_seconds": 7}}"#,
            Dialect::Databricks,
            Some(7),
        ),
        (r#""flows": {"one": {"definition": "p.sql#f", "dialect": "spark-4.3"}}"#, Dialect::Spark43, None),
    ] {
        let loaded = folder(flow).loaded();
        let read = loaded.suites[0].fixtures[0].plan().flow();
        assert_eq!((read.dialect, read.tombstone_gc_threshold_seconds), (dialect, seconds), "{flow}");
    }
}

#[test]
fn a_suite_says_the_dialect_as_well() {
    let suite = r#"{"flow": {"definition": "p.sql#f", "dialect": "spark-4.3"},
"schema": {"id": "INT", "city": "STRING", "seq": "BIGINT"}}"#;
    let own = format!("{{\"name\": \"a\", \"checkpoints\": [{SOUND}]}}");
    let folder = Folder::new().with("f/p.sql", SQL).with("f/suite.json", suite).with("f/a.json", own);
    assert_eq!(folder.loaded().suites[0].fixtures[0].plan().flow().dialect, Dialect::Spark43);
}

#[test]
fn the_type_of_versions_of_a_definition() {
    let read = |flow: &str| {
        let text = format!(
            "{{\"name\": \"a\", \"schema\": {{\"id\": \"INT\"}}, {flow}, \"checkpoints\": [{{\"expect\": []}}]}}"
        );
        let folder = Folder::new().with("f/p.py", SNAPSHOTS).with("f/a.json", text);
        folder.loaded().suites[0].fixtures[0].plan().flow().from_snapshot.clone()
    };
    assert_eq!(read(r#""flow": "p.py""#), Some(DataType::BigInt));
    assert_eq!(read(r#""flow": {"definition": "p.py", "version_type": "DATE"}"#), Some(DataType::Date));
}

#[test]
fn what_is_wrong_beside_a_definition() {
    for (flow, expected) in [
        (
            r#""flow": {"definition": "p.sql#f", "keys": ["id"]}"#,
            "2:35: flow: `keys` is for the definition to say; beside it expected only dialect, version_type, \
             tombstone_gc_threshold_seconds",
        ),
        (
            r#""flow": {"definition": "p.sql#f", "dialekt": "spark-4.3"}"#,
            "2:35: flow: there is no field `dialekt`; did you mean `dialect`?",
        ),
        (
            r#""flow": {"definition": "p.sql#f", "dialect": "spark"}"#,
            "2:46: flow: `dialect` is the text `spark`; expected `databricks` or `spark-4.3`",
        ),
        (
            r#""flow": {"definition": "p.sql#f", "version_type": "DATE"}"#,
            "2:35: flow: `version_type` belongs to flows from snapshots; the definition reads events",
        ),
        (
            r#""flow": {"definition": "p.sql#f", "tombstone_gc_threshold_seconds": "7"}"#,
            "2:69: flow: `tombstone_gc_threshold_seconds` is the text `7`; expected a whole number of seconds, 0 or more",
        ),
        (
            r#""flow": {"definition": 7}"#,
            "2:24: flow: `definition` is the number `7`; expected a text in quotes",
        ),
        (r#""flow": {"definition": null}"#, "2:24: flow: `definition` is null; expected a text in quotes"),
        (
            r#""flow": {"definition": "q.sql"}"#,
            "2:24: flow: there is no definition `q.sql`, seen from this file",
        ),
        (
            r#""flows": {"one": {"definition": "q.sql"}}"#,
            "2:33: flow: there is no definition `q.sql`, seen from this file",
        ),
        (
            r#""flow": {"definition": "p.sql#g", "dialect": "spark-4.3"}"#,
            "f/p.sql:3:98: Apache Spark 4.3 has no `IGNORE NULL UPDATES`; expected only `KEYS`, `APPLY AS DELETE \
             WHEN`, `SEQUENCE BY`, `COLUMNS`, `STORED AS` and `TRACK HISTORY ON`",
        ),
        (
            r#""flow": {"definition": "p.sql#f", "dialect": "spark-4.3", "tombstone_gc_threshold_seconds": 7}"#,
            "2:93: flow: the definition `p.sql#f` (p.sql:2) doesn't fit this schema: \
             `tombstone_gc_threshold_seconds`: Apache Spark 4.3 has no `tombstone_gc_threshold_seconds`; expected a \
             flow without it, or the dialect `databricks`",
        ),
        (
            r#""flows": {"one": {"definition": "wrong.sql"}}"#,
            "2:33: flow: the definition `wrong.sql` (wrong.sql:3) doesn't fit this schema: `keys`: there is no column \
             `idd`; expected one of id, city, seq [AUTOCDC_COLUMNS_NOT_FOUND_IN_SCHEMA]",
        ),
    ] {
        let mut faults = faults(flow);
        faults.retain(|line| !line.starts_with("warning: "));
        assert_eq!(faults, [expected], "{flow}");
    }
}

/// What is wrong with a target that declares its columns, for a flow with these clauses.
fn of_target(columns: &str, clauses: &str) -> Vec<String> {
    let sql = format!(
        "CREATE STREAMING TABLE t ({columns});\n\
         CREATE FLOW f AS AUTO CDC INTO t FROM STREAM(s) KEYS (id) SEQUENCE BY {clauses};"
    );
    let folder = folder(r#""flow": {"definition": "p.sql#f"}"#).with("f/p.sql", sql);
    folder.faults().iter().map(|line| line.replace("f/a.json:", "")).collect()
}

#[test]
fn declared_bounds_have_the_type_of_the_sequence() {
    let valid = |kind: &str| format!("id INT, __START_AT {kind}, __END_AT {kind}");
    let two = "STORED AS SCD TYPE 2";
    assert_eq!(
        of_target(&valid("INT"), &format!("seq {two}")),
        [
            "2:24: flow: the definition `p.sql#f` (p.sql:2) declares `__START_AT` as INT, and the sequence `seq` is BIGINT; expected BIGINT"
        ]
    );
    assert_eq!(
        of_target(&valid("BIGINT"), &format!("STRUCT(seq, city) {two}")),
        [
            "2:24: flow: the definition `p.sql#f` (p.sql:2) declares `__START_AT` as BIGINT, and the sequence `STRUCT(seq, city)` is \
          STRUCT<seq: BIGINT, city: STRING>; expected STRUCT<seq: BIGINT, city: STRING>"
        ]
    );
    let bitemporal = "seq SYSTEM SEQUENCE BY id STORED AS BITEMPORAL";
    let system =
        |kind: &str| format!("{}, __SYSTEM_START_AT {kind}, __SYSTEM_END_AT {kind}", valid("BIGINT"));
    assert_eq!(
        of_target(&system("DATE"), bitemporal),
        [
            "2:24: flow: the definition `p.sql#f` (p.sql:2) declares `__SYSTEM_START_AT` as DATE, and the system sequence `id` is INT; \
          expected INT"
        ]
    );
    let is_bound = |line: &String| line.contains("declares");
    for (columns, clauses) in [
        (valid("LONG"), format!("seq {two}")),
        (valid("STRUCT<Seq: BIGINT, city: STRING>"), format!("STRUCT(seq, city) {two}")),
        (valid("INT"), "seq STORED AS SCD TYPE 1".to_owned()),
        (system("INT"), bitemporal.to_owned()),
    ] {
        assert!(!of_target(&columns, &clauses).iter().any(is_bound), "{columns} {clauses}");
    }
}

#[test]
fn declared_bounds_of_snapshots_have_the_type_of_the_versions() {
    let python = "dp.create_streaming_table('t', schema='id INT, __START_AT DATE, __END_AT DATE')\n"
        .to_owned()
        + SNAPSHOTS;
    let faults = |flow: &str| {
        let folder = folder(flow).with("f/p.py", &python);
        let faults = folder.faults();
        faults.into_iter().filter(|line| line.contains("declares")).collect::<Vec<String>>()
    };
    assert_eq!(
        faults(r#""flow": "p.py""#),
        [
            "f/a.json:2:9: flow: the definition `p.py` (p.py:2) declares `__START_AT` as DATE, and the version of the snapshots is BIGINT; \
          expected BIGINT, or another `version_type`"
        ]
    );
    assert_eq!(faults(r#""flow": {"definition": "p.py", "version_type": "DATE"}"#), [""; 0]);
}

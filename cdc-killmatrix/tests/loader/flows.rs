//! `flow`, `flows` and `schema`: of the fixture, and of the suite.

use std::fs;

use cdc_core::{DataType, Dialect, ScdType};

use super::{Folder, HEAD, faults, fixture, loaded};

const SOUND: &str = r#"{"expect": []}"#;

/// What is wrong with a flow; it starts on line 2 at column 9.
fn flow_faults(flow: &str) -> Vec<String> {
    let schema =
        r#"{"id": "INT", "city": "STRING", "op": "STRING", "seq": "BIGINT", "tags": "MAP<STRING, INT>"}"#;
    let text =
        format!("{{\"name\": \"a\", \"schema\": {schema},\n\"flow\": {flow},\n\"checkpoints\": [{SOUND}]}}");
    faults(text).iter().map(|line| line.replace("f/a.json:", "")).collect()
}

/// What is wrong with a schema; it starts on line 1 at column 24.
fn schema_faults(schema: &str) -> Vec<String> {
    let text = format!(
        "{{\"name\": \"a\", \"schema\": {schema},\n\"flow\": {{\"keys\": [\"id\"], \"sequence_by\": \"seq\"}},\n\"checkpoints\": [{SOUND}]}}"
    );
    faults(text).iter().map(|line| line.replace("f/a.json:", "")).collect()
}

#[test]
fn both_are_required() {
    let text = format!("{{\"name\": \"a\", \"checkpoints\": [{SOUND}]}}");
    assert_eq!(
        faults(text),
        [
            "f/a.json:1:1: `flow` is missing; expected it here or in the suite's `suite.json`",
            "f/a.json:1:1: `schema` is missing; expected it here or in the suite's `suite.json`"
        ]
    );
}

#[test]
fn a_flow_needs_keys_and_a_sequence() {
    assert_eq!(
        flow_faults("{}"),
        [
            "2:9: flow: `keys` is missing; expected a list of columns [AUTOCDC_EMPTY_KEYS]",
            "2:9: flow: `sequence_by` is missing; expected a column, or `struct(a, b)` [AUTOCDC_MISSING_SEQUENCE_BY]"
        ]
    );
    assert_eq!(
        flow_faults(r#"{"keys": [], "sequence_by": "seq"}"#),
        ["2:18: flow: `keys`: no key is given; expected at least one column [AUTOCDC_EMPTY_KEYS]"]
    );
}

#[test]
fn the_scd_type_is_1_or_2_or_bitemporal() {
    let scd_type = |given: &str| {
        let flow = HEAD.replace("\"keys\"", &format!("\"stored_as_scd_type\": {given}, \"keys\""));
        loaded(format!("{{{flow}, \"checkpoints\": [{SOUND}]}}")).plan().scd_type()
    };
    assert_eq!([scd_type("1"), scd_type("\"1\"")], [ScdType::One; 2]);
    assert_eq!([scd_type("2"), scd_type("\"2\"")], [ScdType::Two; 2]);
    let fault = |given: &str| {
        flow_faults(&format!(r#"{{"stored_as_scd_type": {given}, "keys": ["id"], "sequence_by": "seq"}}"#))
    };
    let expected = "expected 1, 2 or `BITEMPORAL`";
    assert_eq!(fault("3"), [format!("2:32: flow: `stored_as_scd_type` is the number `3`; {expected}")]);
    assert_eq!(fault("true"), [format!("2:32: flow: `stored_as_scd_type` is true; {expected}")]);
    assert_eq!(
        fault("\"both\""),
        [format!("2:32: flow: `stored_as_scd_type` is the text `both`; {expected}")]
    );
    for given in ["\"BITEMPORAL\"", "\"bitemporal\""] {
        let both = format!("{given}, \"system_sequence_by\": \"seq\"");
        assert_eq!(scd_type(&both), ScdType::Bitemporal);
        assert_eq!(
            fault(given),
            [
                "2:32: flow: `stored_as_scd_type`: a bitemporal target needs `system_sequence_by`: the column that says \
                 when an event became known"
            ]
        );
    }
}

#[test]
fn a_wrong_scd_type_hides_no_other_fault() {
    assert_eq!(
        flow_faults(
            r#"{"stored_as_scd_type": 7, "keys": ["nr"], "sequence_by": "sq", "track_history_column_list": ["city"]}"#
        ),
        [
            "2:32: flow: `stored_as_scd_type` is the number `7`; expected 1, 2 or `BITEMPORAL`",
            "2:44: flow: `keys`: there is no column `nr`; expected one of id, city, op, seq, tags \
             [AUTOCDC_COLUMNS_NOT_FOUND_IN_SCHEMA]",
            "2:67: flow: `sequence_by`: there is no column `sq`; expected one of id, city, op, seq, tags \
             [AUTOCDC_COLUMNS_NOT_FOUND_IN_SCHEMA]"
        ]
    );
    let text = fixture(r#"{"expect": [{"id": 1, "no": 1}]}"#);
    assert_eq!(
        faults(text.replace("\"keys\"", "\"stored_as_scd_type\": 7, \"keys\"")),
        ["f/a.json:2:32: flow: `stored_as_scd_type` is the number `7`; expected 1, 2 or `BITEMPORAL`"],
        "which columns a row has to have isn't known"
    );
}

#[test]
fn a_wrong_scd_type_of_a_suite_hides_no_other_fault() {
    let folder = Folder::new()
        .with(
            "f/suite.json",
            r#"{"flow": {"keys": ["nr"], "sequence_by": "seq", "stored_as_scd_type": 7}, "schema": {"seq": "INT"}}"#,
        )
        .with("f/a.json", r#"{"name": "a", "checkpoints": [{"expect": []}]}"#);
    assert_eq!(
        folder.faults(),
        [
            "f/suite.json:1:20: flow: `keys`: there is no column `nr`; expected one of seq \
             [AUTOCDC_COLUMNS_NOT_FOUND_IN_SCHEMA]",
            "f/suite.json:1:71: flow: `stored_as_scd_type` is the number `7`; expected 1, 2 or `BITEMPORAL`"
        ]
    );
}

#[test]
fn what_names_a_table_is_not_needed() {
    assert_eq!(
        flow_faults(r#"{"name": "f", "target": "t", "source": "s", "keys": ["id"], "sequence_by": "seq"}"#),
        [
            "2:10: flow: `name` is not needed here: a fixture has no tables",
            "2:23: flow: `target` is not needed here: a fixture has no tables",
            "2:38: flow: `source` is not needed here: a fixture has no tables"
        ]
    );
}

#[test]
fn types_that_columns_here_do_not_have_are_explained() {
    let fault = |of: &str| {
        let faults = schema_faults(&format!(r#"{{"id": "INT", "seq": "INT", "x": "{of}"}}"#));
        faults[0].replace("1:58: schema: the type of `x`: ", "")
    };
    assert_eq!(fault("VARCHAR(20)"), "`VARCHAR(20)` is no type here; expected STRING");
    assert_eq!(fault("char(2)"), "`char(2)` is no type here; expected STRING");
    assert_eq!(fault("ARRAY<>"), "expected a type, found `>`");
    assert_eq!(fault("STRUCT<>"), "expected the name of a field, found `>`");
}

#[test]
fn parameters_have_one_kind_each() {
    assert_eq!(
        flow_faults(
            r#"{"keys": "id", "sequence_by": ["seq"], "ignore_null_updates": 1, "column_list": [1]}"#
        ),
        [
            "2:18: flow: `keys` is the text `id`; expected a list",
            "2:39: flow: `sequence_by` is a list; expected a text in quotes",
            "2:71: flow: `ignore_null_updates` is the number `1`; expected true or false",
            "2:90: flow: `column_list[0]` is the number `1`; expected a text in quotes"
        ]
    );
    assert_eq!(
        flow_faults("5"),
        [
            "2:9: flow: `flow` is the number `5`; expected an object with the parameters of `create_auto_cdc_flow`, \
             or the path of a definition"
        ]
    );
}

#[test]
fn null_leaves_a_parameter_out_as_in_python() {
    let text = fixture(SOUND).replace("\"keys\"", "\"column_list\": null, \"once\": null, \"keys\"");
    assert_eq!(loaded(text).plan().flow().column_list, None);
}

#[test]
fn unknown_parameters_are_faults_with_the_nearest_name() {
    assert_eq!(
        flow_faults(r#"{"keys": ["id"], "sequence_by": "seq", "apply_as_delete": "op = 'D'"}"#),
        ["2:48: flow: there is no field `apply_as_delete`; did you mean `apply_as_deletes`?"]
    );
}

#[test]
fn the_newer_parameters_are_read() {
    let text = fixture(SOUND).replace(
        "\"keys\"",
        "\"once\": true, \"dialect\": \"databricks\", \"tombstone_gc_threshold_seconds\": 0, \
         \"apply_as_truncates\": \"op = 'TRUNCATE'\", \"keys\"",
    );
    let loaded = loaded(text);
    let flow = loaded.plan().flow();
    assert_eq!((flow.once, flow.dialect), (true, Dialect::Databricks));
    assert_eq!(flow.tombstone_gc_threshold_seconds, Some(0));
    assert_eq!(flow.apply_as_truncates.as_deref(), Some("op = 'TRUNCATE'"));
}

#[test]
fn the_newer_parameters_have_one_kind_each() {
    assert_eq!(
        flow_faults(
            r#"{"keys": ["id"], "sequence_by": "seq", "system_sequence_by": ["seq"], "columns_to_update": ["city"],
"apply_as_truncates": true, "once": "yes", "from_snapshot": 1}"#
        ),
        [
            "2:70: flow: `system_sequence_by` is a list; expected a text in quotes",
            "2:100: flow: `columns_to_update` is a list; expected a text in quotes",
            "3:23: flow: `apply_as_truncates` is true; expected a text in quotes",
            "3:37: flow: `once` is the text `yes`; expected true or false",
            "3:61: flow: `from_snapshot` is the number `1`; expected true or false"
        ]
    );
}

#[test]
fn a_dialect_has_one_of_two_names() {
    let fault = |given: &str| {
        flow_faults(&format!(r#"{{"dialect": {given}, "keys": ["id"], "sequence_by": "seq"}}"#))
    };
    let expected = "expected `databricks` or `spark-4.3`";
    assert_eq!(fault("\"databricks\""), Vec::<String>::new());
    assert_eq!(fault("\"spark-4.3\""), Vec::<String>::new());
    assert_eq!(fault("\"spark\""), [format!("2:21: flow: `dialect` is the text `spark`; {expected}")]);
    assert_eq!(
        fault("\"Databricks\""),
        [format!("2:21: flow: `dialect` is the text `Databricks`; {expected}")]
    );
    assert_eq!(fault("4.3"), ["2:21: flow: `dialect` is the number `4.3`; expected a text in quotes"]);
}

#[test]
fn seconds_are_whole_and_not_negative() {
    let fault = |given: &str| {
        flow_faults(&format!(
            r#"{{"tombstone_gc_threshold_seconds": {given}, "keys": ["id"], "sequence_by": "seq"}}"#
        ))
    };
    let (any, most) = ("0 or more", "0 to 18446744073709551615");
    for (given, kind, range) in [
        ("-1", "the number `-1`", any),
        ("0.5", "the number `0.5`", any),
        ("1e3", "the number `1e3`", any),
        ("18446744073709551616", "the number `18446744073709551616`", most),
        ("\"60\"", "the text `60`", any),
        ("true", "true", any),
    ] {
        let expected = format!("expected a whole number of seconds, {range}");
        assert_eq!(
            fault(given),
            [format!("2:44: flow: `tombstone_gc_threshold_seconds` is {kind}; {expected}")]
        );
    }
    assert_eq!(fault("18446744073709551615"), Vec::<String>::new());
}

#[test]
fn a_flow_from_snapshots_has_parameters_of_its_own() {
    let snapshots = |more: &str| {
        let schema = r#"{"id": "INT", "city": "STRING"}"#;
        format!(
            "{{\"name\": \"a\", \"schema\": {schema},\n\"flow\": {{\"from_snapshot\": true, \"keys\": [\"id\"]{more}}},\n\"checkpoints\": [{SOUND}]}}"
        )
    };
    let version_type = |more: &str| loaded(snapshots(more)).plan().flow().from_snapshot.clone();
    assert_eq!(version_type(""), Some(DataType::BigInt));
    assert_eq!(version_type(r#", "version_type": null"#), Some(DataType::BigInt));
    assert_eq!(version_type(r#", "version_type": "date""#), Some(DataType::Date));

    let fault = |more: &str| faults(snapshots(more));
    assert_eq!(
        fault(r#", "version_type": "NUMBER""#),
        [
            "f/a.json:2:65: flow: `version_type`: `NUMBER` is no type; expected one of BOOLEAN, TINYINT, SMALLINT, INT, \
             BIGINT, FLOAT, DOUBLE, DECIMAL(p,s), STRING, BINARY, DATE, TIMESTAMP, TIMESTAMP_NTZ, STRUCT<..>, \
             ARRAY<..>, MAP<..>"
        ]
    );
    assert_eq!(
        fault(r#", "version_type": 5"#),
        ["f/a.json:2:65: flow: `version_type` is the number `5`; expected a text in quotes"]
    );
    assert_eq!(
        fault(r#", "version_type": "MAP<STRING, INT>""#),
        [
            "f/a.json:2:65: flow: `version_type`: a version of type MAP<STRING, INT> has no order; expected a sortable \
             type [SNAPSHOT_VERSION_NOT_SORTABLE]"
        ]
    );
    assert_eq!(
        fault(r#", "sequence_by": "id", "name": "f", "versions": "INT""#),
        [
            "f/a.json:2:49: flow: `create_auto_cdc_from_snapshot_flow` has no parameter `sequence_by`",
            "f/a.json:2:70: flow: `name` is not needed here: a fixture has no tables",
            "f/a.json:2:83: flow: there is no field `versions`; expected one of from_snapshot, version_type, keys, \
             stored_as_scd_type, track_history_column_list, track_history_except_column_list, once, dialect, \
             tombstone_gc_threshold_seconds"
        ]
    );
    assert_eq!(
        flow_faults(r#"{"keys": ["id"], "sequence_by": "seq", "version_type": "INT"}"#),
        ["2:48: flow: `version_type` belongs to flows from snapshots; expected `from_snapshot` to be true"]
    );
}

#[test]
fn what_is_false_is_no_fault() {
    let text = fixture(SOUND).replace("\"keys\"", "\"once\": false, \"from_snapshot\": false, \"keys\"");
    assert_eq!(loaded(text).name, "a");
}

/// A fixture of several flows, which are on its second line from column 10.
fn with_flows(flows: &str, checkpoints: &str) -> String {
    let schema = r#"{"id": "INT", "city": "STRING", "seq": "BIGINT", "small": "INT"}"#;
    format!(
        "{{\"name\": \"a\", \"schema\": {schema},\n\"flows\": {flows},\n\"checkpoints\": [{checkpoints}]}}"
    )
}

const TWO: &str = r#"{"hydration": {"keys": ["id"], "sequence_by": "seq", "once": true}, "feed": {"keys": ["id"], "sequence_by": "seq"}}"#;

#[test]
fn several_flows_have_names() {
    let loaded = loaded(with_flows(TWO, r#"{"flow": "feed", "expect": []}"#));
    assert_eq!(loaded.flows, ["hydration", "feed"]);
    assert_eq!(loaded.plans.len(), 2);

    let flow = r#"{"keys": ["id"], "sequence_by": "seq"}"#;
    let fault = |flows: &str| {
        let faults = faults(with_flows(flows, r#"{"flow": "a", "expect": []}"#));
        faults.iter().map(|line| line.replace("f/a.json:", "")).collect::<Vec<String>>()
    };
    assert_eq!(fault("{}"), ["2:10: flow: `flows` is empty; expected at least one flow by its name"]);
    assert_eq!(fault("[]"), ["2:10: flow: `flows` is a list; expected an object"]);
    assert_eq!(
        fault(&format!(r#"{{"a": {flow}, "a": {flow}}}"#)),
        ["2:56: flow: the flow `a` is given twice"]
    );
    assert_eq!(
        fault(&format!(r#"{{"a": {flow}, " ": {flow}}}"#)),
        ["2:56: flow: the name is empty; expected a name such as `hydration`"]
    );
    assert_eq!(
        fault(&format!(r#"{{"a": {flow}, "b": 5}}"#)),
        [
            "2:61: flow: `b` is the number `5`; expected an object with the parameters of `create_auto_cdc_flow`, \
             or the path of a definition"
        ]
    );
}

#[test]
fn one_flow_or_several() {
    let text = fixture(SOUND).replace("\n\"checkpoints\"", "\n\"flows\": {}, \"checkpoints\"");
    assert_eq!(faults(text), ["f/a.json:3:1: flow: `flow` is given as well; expected one of the two"]);
}

#[test]
fn faults_of_several_flows_stand_where_each_gives_them() {
    let fault = |feed: &str| {
        let flows = format!(
            "{{\"hydration\": {{\"keys\": [\"id\"], \"sequence_by\": \"seq\"}},\n\"feed\": {{{feed}}}}}"
        );
        let faults = faults(with_flows(&flows, r#"{"flow": "feed", "expect": []}"#));
        faults.iter().map(|line| line.replace("f/a.json:", "")).collect::<Vec<String>>()
    };
    assert_eq!(fault(r#""keys": ["id"], "sequence_by": "seq""#), Vec::<String>::new());
    assert_eq!(
        fault(r#""keys": ["nr"], "sequence_by": "seq""#),
        ["3:19: flow: `keys`: there is no column `nr`; expected one of id, city, seq, small \
             [AUTOCDC_COLUMNS_NOT_FOUND_IN_SCHEMA]"]
    );
    assert_eq!(
        fault(r#""keys": ["city"], "sequence_by": "small""#),
        [
            "3:18: flow: `keys`: the keys are id in the target's first flow; expected the same",
            "3:43: flow: `sequence_by`: the sequence has type BIGINT in the target's first flow; expected the same"
        ]
    );
    assert_eq!(
        fault(r#""keys": ["id"], "sequence_by": "seq", "stored_as_scd_type": 2"#),
        ["3:70: flow: `stored_as_scd_type`: it is SCD type 1 in the target's first flow; expected the same"]
    );
    assert_eq!(
        fault(r#""keys": ["id"], "sequence_by": "seq", "column_list": ["id"]"#),
        [
            "3:63: flow: `column_list`: the columns are id, city, seq, small in the target's first flow; expected the same"
        ]
    );
}

#[test]
fn flows_of_a_suite_are_those_of_its_fixtures() {
    let suite = format!(r#"{{"flows": {TWO}, "schema": {{"id": "INT", "seq": "BIGINT"}}}}"#);
    let folder = Folder::new().with("f/suite.json", suite).with(
        "f/a.json",
        r#"{"name": "a", "checkpoints": [{"flow": "feed", "append": [{"id": 1, "seq": 1}], "expect": []}]}"#,
    );
    assert_eq!(folder.loaded().suites[0].fixtures[0].flows, ["hydration", "feed"]);
    let own =
        r#"{"name": "a", "flow": {"keys": ["id"], "sequence_by": "seq"}, "checkpoints": [{"expect": []}]}"#;
    let folder = folder.with("f/a.json", own);
    assert_eq!(folder.loaded().suites[0].fixtures[0].flows, Vec::<String>::new(), "its own flow wins");
}

/// What is wrong with the path of a definition, said on line 2 at column 9; it is seen from `repo/f/a.json`.
fn path_faults(path: &str, root: &str) -> Vec<String> {
    let text = format!(
        "{{\"name\": \"a\", \"schema\": {{\"id\": \"INT\"}},\n\"flow\": \"{path}\",\n\"checkpoints\": [{SOUND}]}}"
    );
    let folder = Folder::new()
        .with("outside.sql", "")
        .with("repo/inside.txt", "")
        .with(&format!("{root}/.git/HEAD"), "")
        .with("repo/f/a.json", text);
    folder.faults_of(&["repo/f"])
}

#[test]
fn the_path_of_a_definition_is_relative() {
    for path in ["/outside.sql", "/outside.sql#customers", ""] {
        let told = path.split('#').next().unwrap_or_default();
        assert_eq!(
            path_faults(path, "repo"),
            [format!(
                "repo/f/a.json:2:9: flow: `{told}` is no relative path; expected one such as \
                 `pipeline.sql#customers_flow`"
            )]
        );
    }
}

#[test]
fn the_path_of_a_definition_names_a_file() {
    for path in ["../pipeline.sql#customers", "pipeline.sql", "../../no/../outside.sql"] {
        let told = path.split('#').next().unwrap_or_default();
        assert_eq!(
            path_faults(path, "repo"),
            [format!("repo/f/a.json:2:9: flow: there is no definition `{told}`, seen from this file")]
        );
    }
}

#[test]
fn the_path_of_a_definition_stays_in_the_git_work_tree() {
    let told = &path_faults("../../outside.sql#customers", "repo")[..];
    let [fault] = told else { panic!("{told:?}") };
    let (start, end) = (
        "repo/f/a.json:2:9: flow: `../../outside.sql` leads out of `",
        "repo`; expected a definition below it",
    );
    assert!(fault.starts_with(start) && fault.ends_with(end), "{fault}");
    // A file with a `.git` is the top of a linked work tree or of a submodule.
    let text = "{\"name\": \"a\", \"schema\": {\"id\": \"INT\"}, \"flow\": \"../../outside.sql\", \"checkpoints\": []}";
    let folder =
        Folder::new().with("outside.sql", "").with("repo/.git", "gitdir: x").with("repo/f/a.json", text);
    assert!(folder.faults_of(&["repo/f"])[0].contains("leads out of"));
}

#[test]
fn without_a_git_work_tree_a_definition_is_beside_the_file() {
    // The temporary folder may itself be inside a work tree: then there is nothing to see here.
    let folder = tempfile::tempdir().expect("a temporary folder");
    if folder.path().ancestors().any(|folder| folder.join(".git").exists()) {
        return;
    }
    let told = &path_faults("../inside.txt", "elsewhere")[..];
    let [fault] = told else { panic!("{told:?}") };
    assert!(fault.contains("`../inside.txt` leads out of `"), "{fault}");
    let end = "expected a definition below it: a path may lead upwards only inside a git work tree, or \
               below a `killmatrix.toml`";
    assert!(fault.ends_with(end), "{fault}");
}

#[test]
fn below_a_configuration_a_definition_may_lie_anywhere() {
    let definition = "CREATE FLOW f AS AUTO CDC INTO t FROM stream(s) KEYS (id) SEQUENCE BY seq;";
    let fixture = r#"{ "name": "a", "schema": { "id": "INT", "seq": "INT" }, "flow": "../../pipelines/p.sql",
        "checkpoints": [{ "append": [], "expect": [] }] }"#;
    let files = |folder: Folder| folder.with("pipelines/p.sql", definition).with("tests/cdc/a.json", fixture);
    let folder = files(Folder::new().with("killmatrix.toml", ""));
    assert_eq!(folder.faults_of(&["tests/cdc"]), [""; 0]);
    let inner = files(Folder::new().with("tests/killmatrix.toml", ""));
    assert!(inner.faults_of(&["tests/cdc"])[0].contains("leads out of"), "the nearest one counts");
    // A git work tree says it before any configuration does.
    let tree = files(Folder::new().with("tests/killmatrix.toml", "").with(".git", "gitdir: x"));
    assert_eq!(tree.faults_of(&["tests/cdc"]), [""; 0]);
}

/// Two suites whose flow is a definition of which something is to be warned.
fn two_suites(path: &str) -> Folder {
    let definition = "CREATE FLOW f AS AUTO CDC INTO t FROM stream(s) KEYS (id) SEQUENCE BY seq\n\
                      APPLY AS DELETE WHEN op = 'D';";
    let suite =
        format!(r#"{{ "schema": {{ "id": "INT", "op": "STRING", "seq": "INT" }}, "flow": "{path}" }}"#);
    let fixture = r#"{ "name": "a", "checkpoints": [{ "append": [], "expect": [] }] }"#;
    Folder::new()
        .with("killmatrix.toml", "")
        .with("pipelines/p.sql", definition)
        .with("f/one/suite.json", &suite)
        .with("f/one/a.json", fixture)
        .with("f/two/suite.json", &suite)
        .with("f/two/a.json", fixture)
}

#[test]
fn a_warning_of_a_definition_is_told_once_and_by_its_shortest_path() {
    let folder = two_suites("../../pipelines/p.sql");
    let warnings = folder.loaded().warnings;
    let [warning] = &warnings[..] else { panic!("{warnings:?}") };
    let start = format!("{}:", folder.path("pipelines/p.sql").display());
    assert!(warning.starts_with(&start), "{warning}");
}

#[test]
#[cfg(unix)]
fn behind_a_link_the_path_of_a_definition_is_not_shortened() {
    let folder = two_suites("../pipelines/p.sql");
    fs::rename(folder.path("pipelines"), folder.path("f/pipelines")).unwrap();
    std::os::unix::fs::symlink("f/one", folder.path("link")).unwrap();
    let folder = folder.with("pipelines/p.sql", "another");
    let fixtures = folder.load_paths(&["link"]).unwrap_or_else(|faults| panic!("{faults}"));
    let start = format!("{}:", folder.path("link/../pipelines/p.sql").display());
    assert!(fixtures.warnings[0].starts_with(&start), "{:?}", fixtures.warnings);
}

#[test]
fn a_definition_is_a_sql_or_a_python_file() {
    let told = &path_faults("../inside.txt", "repo")[..];
    let [fault] = told else { panic!("{told:?}") };
    assert!(
        fault.ends_with("inside.txt: this is no definition; expected a `.sql` or a `.py` file"),
        "{fault}"
    );
}

#[test]
fn faults_of_the_plan_stand_where_the_flow_gives_them() {
    assert_eq!(
        flow_faults(r#"{"keys": ["id", "nr"], "sequence_by": "tags"}"#),
        [
            "2:25: flow: `keys`: there is no column `nr`; expected one of id, city, op, seq, tags \
             [AUTOCDC_COLUMNS_NOT_FOUND_IN_SCHEMA]",
            "2:48: flow: `sequence_by`: `tags` has type MAP<STRING, INT>, which has no order; expected a sortable \
             type [NON_ORDERABLE_SEQUENCE]"
        ]
    );
    assert_eq!(
        flow_faults(r#"{"keys": ["id"], "sequence_by": "struct(seq, nope)"}"#),
        ["2:54: flow: `sequence_by`: there is no column `nope`; expected one of id, city, op, seq, tags \
          [AUTOCDC_COLUMNS_NOT_FOUND_IN_SCHEMA]"]
    );
}

#[test]
fn a_place_inside_a_text_heeds_its_escapes() {
    let place = |condition: &str| {
        let flow = format!(r#"{{"keys": ["id"], "sequence_by": "seq", "apply_as_deletes": {condition}}}"#);
        flow_faults(&flow)[0].split(": ").next().unwrap_or_default().to_owned()
    };
    assert_eq!(place(r#""nope = 1""#), "2:69");
    assert_eq!(place(r#""op = 'D' or nope = 1""#), "2:81");
    assert_eq!(place(r#""op = \"D\" or nope = 1""#), "2:83", "two escaped quotes");
    assert_eq!(place(r#""op = '\u00e9' or nope = 1""#), "2:86", "one character in six");
    assert_eq!(place(r#""op = '\ud83d\ude00' or nope = 1""#), "2:92", "one character in twelve");
    assert_eq!(place(r#""op = 'D'\n  or nope = 1""#), "2:84", "the second line of the text");
}

#[test]
fn column_types_are_spark_types() {
    assert_eq!(
        schema_faults(r#"{"id": "INT", "seq": "NUMBER", "x": 5}"#),
        [
            "1:46: schema: the type of `seq`: `NUMBER` is no type; expected one of BOOLEAN, TINYINT, SMALLINT, INT, \
             BIGINT, FLOAT, DOUBLE, DECIMAL(p,s), STRING, BINARY, DATE, TIMESTAMP, TIMESTAMP_NTZ, STRUCT<..>, \
             ARRAY<..>, MAP<..>",
            "1:61: schema: the type of `x` is the number `5`; expected a Spark SQL type in quotes"
        ]
    );
}

#[test]
fn columns_match_without_case() {
    assert_eq!(
        schema_faults(r#"{"id": "INT", "seq": "INT", "ID": "INT"}"#),
        ["1:53: schema: `id` and `ID` are the same column: names match without case"]
    );
    assert_eq!(
        schema_faults(r#"{"id": "INT", "seq": "INT", "id": "INT"}"#),
        ["1:53: schema: the column `id` is given twice"]
    );
}

#[test]
fn a_schema_has_columns_with_names() {
    assert_eq!(schema_faults("{}"), ["1:25: schema: the schema has 0 columns; expected 1 to 4096"]);
    assert_eq!(schema_faults("[]"), ["1:25: schema: `schema` is a list; expected an object"]);
    assert_eq!(
        schema_faults(r#"{"id": "INT", "seq": "INT", "": "INT"}"#),
        ["1:53: schema: the name of the column is empty; expected a name"]
    );
}

#[test]
fn the_fixtures_own_flow_and_schema_win() {
    let folder = Folder::new()
        .with("f/suite.json", format!("{{{}}}", &HEAD[13..]))
        .with(
            "f/flow.json",
            r#"{"name": "flow", "flow": {"keys": ["city"], "sequence_by": "id"}, "checkpoints": [{"expect": []}]}"#,
        )
        .with(
            "f/schema.json",
            r#"{"name": "schema", "schema": {"seq": "INT", "op": "STRING", "id": "STRING", "new": "DATE"}, "checkpoints": [{"expect": []}]}"#,
        );
    let fixtures = folder.loaded();
    let [flow, schema] = &fixtures.suites[0].fixtures[..] else { panic!("two fixtures") };
    assert_eq!((&flow.plan().flow().keys[..], flow.plan().schema().len()), (&["city".to_owned()][..], 4));
    assert_eq!(flow.plan().flow().except_column_list, None, "nothing of the suite's flow is left");
    let target: Vec<&str> = schema.plan().target().iter().map(|column| &*column.name).collect();
    assert_eq!(target, ["id", "new"]);
}

#[test]
fn faults_of_a_suite_are_said_once_and_blame_no_fixture() {
    let own =
        r#"{"name": "NAME", "checkpoints": [{"append": [{"id": 1}], "expect": [{"id": 1, "city": null}]}]}"#;
    let folder = Folder::new()
        .with(
            "f/suite.json",
            r#"{"flow": {"keys": ["nr"], "sequence_by": "seq"}, "schema": {"id": "INT", "city": "STRING", "seq": "INT"}}"#,
        )
        .with("f/a.json", own.replace("NAME", "a"))
        .with("f/b.json", own.replace("NAME", "b"))
        .with("f/c.json", own.replace("NAME", "c").replace("\"id\": 1}]", "\"id\": \"1\"}]"));
    assert_eq!(
        folder.faults(),
        [
            "f/suite.json:1:20: flow: `keys`: there is no column `nr`; expected one of id, city, seq \
             [AUTOCDC_COLUMNS_NOT_FOUND_IN_SCHEMA]",
            "f/c.json:1:50: checkpoint 1, event 1: `id` is the text `1`; expected a whole number (INT) without quotes"
        ]
    );
    let folder = Folder::new().with("f/suite.json", "{").with("f/a.json", own);
    assert_eq!(folder.faults(), ["f/suite.json:1:2: the file ends inside an object; is it complete?"]);
    let folder = Folder::new().with("f/suite.json", "[]").with("f/a.json", own);
    assert_eq!(folder.faults(), ["f/suite.json:1:1: the file holds a list; expected an object"]);
}

#[test]
fn a_suites_flow_has_to_fit_the_fixtures_own_schema() {
    let folder = Folder::new()
        .with("f/suite.json", format!("{{{}}}", &HEAD[13..]))
        .with("f/a.json", r#"{"name": "a", "schema": {"nr": "INT", "seq": "INT", "op": "STRING"}, "checkpoints": [{"expect": []}]}"#);
    assert_eq!(
        folder.faults(),
        [
            "f/a.json:1:15: schema: the suite's flow doesn't fit this schema: `keys`: there is no column `id`; \
          expected one of nr, seq, op [AUTOCDC_COLUMNS_NOT_FOUND_IN_SCHEMA]"
        ]
    );
}

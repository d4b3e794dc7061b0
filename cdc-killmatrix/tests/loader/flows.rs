//! `flow` and `schema`: of the fixture, of the suite, and of later versions.

use cdc_core::ScdType;

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
fn the_scd_type_is_1_or_2() {
    let scd_type = |given: &str| {
        let flow = HEAD.replace("\"keys\"", &format!("\"stored_as_scd_type\": {given}, \"keys\""));
        loaded(format!("{{{flow}, \"checkpoints\": [{SOUND}]}}")).plan.scd_type()
    };
    assert_eq!([scd_type("1"), scd_type("\"1\"")], [ScdType::One; 2]);
    assert_eq!([scd_type("2"), scd_type("\"2\"")], [ScdType::Two; 2]);
    let fault = |given: &str| {
        flow_faults(&format!(r#"{{"stored_as_scd_type": {given}, "keys": ["id"], "sequence_by": "seq"}}"#))
    };
    assert_eq!(fault("3"), ["2:32: flow: `stored_as_scd_type` is the number `3`; expected 1 or 2"]);
    assert_eq!(fault("true"), ["2:32: flow: `stored_as_scd_type` is true; expected 1 or 2"]);
    assert_eq!(
        fault("\"BITEMPORAL\""),
        ["2:32: flow: this version doesn't model `BITEMPORAL` yet; expected 1 or 2"]
    );
}

#[test]
fn a_wrong_scd_type_hides_no_other_fault() {
    assert_eq!(
        flow_faults(
            r#"{"stored_as_scd_type": 7, "keys": ["nr"], "sequence_by": "sq", "track_history_column_list": ["city"]}"#
        ),
        [
            "2:32: flow: `stored_as_scd_type` is the number `7`; expected 1 or 2",
            "2:44: flow: `keys`: there is no column `nr`; expected one of id, city, op, seq, tags \
             [AUTOCDC_COLUMNS_NOT_FOUND_IN_SCHEMA]",
            "2:67: flow: `sequence_by`: there is no column `sq`; expected one of id, city, op, seq, tags \
             [AUTOCDC_COLUMNS_NOT_FOUND_IN_SCHEMA]"
        ]
    );
    let text = fixture(r#"{"expect": [{"id": 1, "no": 1}]}"#);
    assert_eq!(
        faults(text.replace("\"keys\"", "\"stored_as_scd_type\": 7, \"keys\"")),
        ["f/a.json:2:32: flow: `stored_as_scd_type` is the number `7`; expected 1 or 2"],
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
            "f/suite.json:1:71: flow: `stored_as_scd_type` is the number `7`; expected 1 or 2"
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
            "2:9: flow: `flow` is the number `5`; expected an object with the parameters of `create_auto_cdc_flow`"
        ]
    );
}

#[test]
fn null_leaves_a_parameter_out_as_in_python() {
    let text = fixture(SOUND).replace("\"keys\"", "\"column_list\": null, \"once\": null, \"keys\"");
    assert_eq!(loaded(text).plan.flow().column_list, None);
}

#[test]
fn unknown_parameters_are_faults_with_the_nearest_name() {
    assert_eq!(
        flow_faults(r#"{"keys": ["id"], "sequence_by": "seq", "apply_as_delete": "op = 'D'"}"#),
        ["2:48: flow: there is no field `apply_as_delete`; did you mean `apply_as_deletes`?"]
    );
}

#[test]
fn what_later_versions_model_is_said_so() {
    for (name, value) in [
        ("system_sequence_by", "\"seq\""),
        ("columns_to_update", "[\"city\"]"),
        ("dialect", "\"databricks\""),
        ("tombstone_gc_threshold_seconds", "60"),
        ("version_type", "\"INT\""),
        ("once", "true"),
    ] {
        assert_eq!(
            flow_faults(&format!(r#"{{"{name}": {value}, "keys": ["id"], "sequence_by": "seq"}}"#)),
            [format!("2:10: flow: this version doesn't model `{name}` yet")]
        );
    }
    assert_eq!(
        flow_faults(r#"{"from_snapshot": true, "keys": ["id"], "anything": 1}"#),
        ["2:10: flow: this version doesn't model snapshot flows (`from_snapshot`) yet"]
    );
    assert_eq!(
        flow_faults("\"pipeline.sql#customers\""),
        [
            "2:9: flow: `pipeline.sql#customers` is the path of a definition, which this version doesn't model yet; \
          expected the parameters as an object"
        ]
    );
    let text = format!(
        "{{{}, \"flows\": {{}}, \"checkpoints\": [{SOUND}]}}",
        HEAD.split_once("\n\"flow\"").map_or("", |head| head.0.trim_end_matches(','))
    );
    assert_eq!(faults(text), ["f/a.json:1:91: this version doesn't model `flows` yet"]);
}

#[test]
fn what_is_false_in_every_version_is_no_fault() {
    let text = fixture(SOUND).replace("\"keys\"", "\"once\": false, \"from_snapshot\": false, \"keys\"");
    assert_eq!(loaded(text).name, "a");
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
    assert_eq!((&flow.plan.flow().keys[..], flow.plan.schema().len()), (&["city".to_owned()][..], 4));
    assert_eq!(flow.plan.flow().except_column_list, None, "nothing of the suite's flow is left");
    let target: Vec<&str> = schema.plan.target().iter().map(|column| &*column.name).collect();
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

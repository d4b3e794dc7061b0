//! Apache Spark 4.3's `create_auto_cdc_flow`, as section 1.4 of the semantics has it.

use cdc_core::{Dialect, Flow, ScdType};

use super::{placed, read_as, told};

fn base() -> Flow {
    Flow { keys: vec!["id".into()], sequence_by: "lsn".into(), dialect: Dialect::Spark43, ..Flow::default() }
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// A call with more arguments than those it must have: these start in column 25.
fn with(more: &str) -> String {
    format!("dp.create_auto_cdc_flow({more}, target='t', source='s', keys=['id'], sequence_by='lsn')")
}

fn faults(module: &str) -> Vec<String> {
    told(&read_as(module, Dialect::Spark43).expect_err(module))
}

#[test]
fn every_parameter_is_read() {
    let two = || Flow { stored_as_scd_type: ScdType::Two, ..base() };
    for (module, expected) in [
        ("dp.create_auto_cdc_flow('t', 's', ['id'], 'lsn')".to_owned(), base()),
        (
            "dp.create_auto_cdc_flow('t', 's', ['id'], 'lsn', \"op = 'D'\", ['id', 'a'], None, 1, 'n')"
                .to_owned(),
            Flow {
                apply_as_deletes: Some("op = 'D'".into()),
                column_list: Some(names(&["id", "a"])),
                ..base()
            },
        ),
        (with("except_column_list=['op']"), Flow { except_column_list: Some(names(&["op"])), ..base() }),
        (with("stored_as_scd_type='2'"), two()),
        (
            with("stored_as_scd_type=2, track_history_column_list=['a']"),
            Flow { track_history_column_list: Some(names(&["a"])), ..two() },
        ),
        (
            with("stored_as_scd_type=2, track_history_except_column_list=['a']"),
            Flow { track_history_except_column_list: Some(names(&["a"])), ..two() },
        ),
        (with("name='n', spark_conf={'a': 'b'}"), base()),
    ] {
        let read = read_as(&module, Dialect::Spark43).unwrap_or_else(|faults| panic!("{faults}\n{module}"));
        assert_eq!(read.warnings(), [], "{module}");
        assert_eq!(read.flows[0].flow, expected, "{module}");
    }
}

#[test]
fn an_empty_list_counts_as_left_out() {
    for more in ["column_list=[], except_column_list=['a']", "track_history_column_list=[]"] {
        assert!(read_as(&with(more), Dialect::Spark43).is_ok(), "{more}");
    }
}

#[test]
fn other_parameters_are_refused() {
    let known = "expected one of target, source, keys, sequence_by, apply_as_deletes, column_list, \
                 except_column_list, stored_as_scd_type, name, track_history_column_list, \
                 track_history_except_column_list, spark_conf";
    for (parameter, value) in [
        ("once", "True"),
        ("ignore_null_updates", "True"),
        ("system_sequence_by", "'x'"),
        ("columns_to_update", "'x'"),
        ("where", "'x'"),
    ] {
        let expected = format!(
            "1:25: Apache Spark 4.3's `create_auto_cdc_flow` has no parameter `{parameter}`; {known}"
        );
        assert_eq!(faults(&with(&format!("{parameter}={value}"))), [expected]);
    }
    let expected = "1:25: Apache Spark 4.3's `create_auto_cdc_flow` has no parameter `apply_as_truncates`; did you \
                    mean `apply_as_deletes`?";
    assert_eq!(faults(&with("apply_as_truncates='x'")), [expected]);
    let in_order = "dp.create_auto_cdc_flow('t', 's', ['id'], 'lsn', None, None, None, 1, 'n', ['a'])";
    let expected = "1:76: `create_auto_cdc_flow` takes 9 arguments without names, and this is one more; expected \
                    `name=value`";
    assert_eq!(faults(in_order), [expected]);
}

#[test]
fn other_functions_are_refused() {
    for function in ["apply_changes", "create_auto_cdc_from_snapshot_flow", "apply_changes_from_snapshot"] {
        let module = format!("dp.{function}(target='t', source='s', keys=['id'], once=True)");
        let expected = format!("1:1: Apache Spark 4.3 has no `{function}`; expected `create_auto_cdc_flow`");
        assert_eq!(faults(&module), [expected]);
    }
    let expected = "the file defines no flow; expected a call of `create_auto_cdc_flow`";
    assert_eq!(faults("x = 1"), [expected]);
}

#[test]
fn combinations_are_refused() {
    for (more, expected) in [
        (
            "column_list=['a'], except_column_list=['b']",
            "1:63: `except_column_list`: `column_list` is given as well; expected one of the two [CANNOT_SET_TOGETHER]",
        ),
        (
            "stored_as_scd_type=2, track_history_column_list=['a'], track_history_except_column_list=['b']",
            "1:113: `track_history_except_column_list`: `track_history_column_list` is given as well; expected one of \
             the two [CANNOT_SET_TOGETHER]",
        ),
        (
            "track_history_column_list=['a']",
            "1:51: `track_history_column_list` belongs to SCD type 2; expected `stored_as_scd_type=2` beside it \
             [INVALID_MULTIPLE_ARGUMENT_CONDITIONS]",
        ),
        (
            "stored_as_scd_type=1, track_history_except_column_list=['a']",
            "1:80: `track_history_except_column_list` belongs to SCD type 2; expected `stored_as_scd_type=2` beside \
             it [INVALID_MULTIPLE_ARGUMENT_CONDITIONS]",
        ),
        (
            "stored_as_scd_type='bitemporal', track_history_column_list=['a']",
            "1:44: `stored_as_scd_type`: Apache Spark 4.3 has no BITEMPORAL; expected 1 or 2",
        ),
        (
            "stored_as_scd_type=3, track_history_column_list=['a']",
            "1:44: `stored_as_scd_type` is the number `3`; expected 1 or 2",
        ),
    ] {
        assert_eq!(faults(&with(more)), [expected], "{more}");
        let of_databricks = super::read(&with(more));
        assert_eq!(of_databricks.is_err(), more.contains("=3"), "{more}");
    }
}

#[test]
fn a_threshold_is_ignored() {
    let module = "dp.create_streaming_table('t', \
                  table_properties={'pipelines.cdc.tombstoneGCThresholdInSeconds': '60'})\n"
        .to_owned()
        + &with("name='t'");
    let read = read_as(&module, Dialect::Spark43).unwrap();
    let warnings: Vec<String> =
        read.warnings().iter().map(|warning| placed(warning.place, &warning.message)).collect();
    let expected = "1:97: Apache Spark 4.3 remembers deletes for ever; \
                    `pipelines.cdc.tombstoneGCThresholdInSeconds` is ignored";
    assert_eq!(warnings, [expected]);
    assert_eq!(read.flows[0].flow, base());
}

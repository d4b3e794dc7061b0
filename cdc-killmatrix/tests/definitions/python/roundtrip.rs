//! What is written is read as it was.

use cdc_core::{DataType, Flow, ScdType};
use cdc_killmatrix::definition::{Written, to_python};
use proptest::option;
use proptest::prelude::*;

use super::read;

/// The name of a column or table: plain, or anything but nothing.
fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z_]{1,6}",
        "[a-zA-Z`'\"\\\\. é\n\t\u{0}\u{202e}😀{}%#]{1,6}",
        "\\PC{1,6}",
        any::<char>().prop_map(String::from)
    ]
}

fn names() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(name(), 0..4)
}

fn sequence() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z_]{1,6}",
        Just("struct(lsn, pos)".to_owned()),
        Just("STRUCT(lsn,`a b`)".to_owned()),
        Just("struct(`a, b`, `c.d`, e)".to_owned()),
        Just("struct(a b, c)".to_owned()),
        "\\PC{0,12}",
    ]
}

prop_compose! {
    fn of_events()(
        keys in names(),
        sequence_by in sequence(),
        system_sequence_by in option::of(name()),
        nulls in (any::<bool>(), option::of(names()), option::of(names())),
        columns_to_update in option::of(name()),
        conditions in (option::of("\\PC{0,20}"), option::of("[a-z ='\"\\\\\n]{0,20}")),
        lists in (option::of(names()), option::of(names()), option::of(names()), option::of(names())),
        scd_type in prop::sample::select(vec![ScdType::One, ScdType::Two, ScdType::Bitemporal]),
        once in any::<bool>(),
        tombstones in option::of(any::<u64>()),
    ) -> Flow {
        Flow {
            keys,
            sequence_by,
            system_sequence_by,
            ignore_null_updates: nulls.0,
            ignore_null_updates_column_list: nulls.1,
            ignore_null_updates_except_column_list: nulls.2,
            columns_to_update,
            apply_as_deletes: conditions.0,
            apply_as_truncates: conditions.1,
            column_list: lists.0,
            except_column_list: lists.1,
            stored_as_scd_type: scd_type,
            track_history_column_list: lists.2,
            track_history_except_column_list: lists.3,
            once,
            tombstone_gc_threshold_seconds: tombstones,
            ..Flow::default()
        }
    }
}

fn flow() -> impl Strategy<Value = Flow> {
    (of_events(), any::<bool>()).prop_map(|(flow, is_snapshot)| {
        if !is_snapshot {
            return flow;
        }
        Flow {
            keys: flow.keys,
            stored_as_scd_type: flow.stored_as_scd_type,
            track_history_column_list: flow.track_history_column_list,
            track_history_except_column_list: flow.track_history_except_column_list,
            once: flow.once,
            tombstone_gc_threshold_seconds: flow.tombstone_gc_threshold_seconds,
            from_snapshot: Some(DataType::BigInt),
            ..Flow::default()
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn a_written_flow_is_read_as_it_was(
        flow in flow(),
        name in name(),
        target in name(),
        source in name(),
        is_named in any::<bool>(),
    ) {
        let name = if is_named { &name } else { &target };
        let module = to_python(&target, &[Written { name, source: &source, flow: &flow }]);
        let read = read(&module).unwrap_or_else(|faults| panic!("{faults}\n{module}"));
        prop_assert_eq!(read.warnings(), [], "{}", module);
        prop_assert_eq!(read.flows.len(), 1);
        let found = &read.flows[0];
        prop_assert_eq!((&found.name, &found.target, &found.flow), (name, &target, &flow), "{}", module);
    }
}

#[test]
fn all_parameters_are_written() {
    let list = |name: &str| Some(vec![name.to_owned()]);
    let flow = Flow {
        keys: vec!["id".into(), "a \"b\"".into()],
        sequence_by: "lsn".into(),
        system_sequence_by: Some("seen".into()),
        ignore_null_updates: true,
        ignore_null_updates_column_list: list("c"),
        columns_to_update: Some("changed".into()),
        apply_as_deletes: Some("op = 'D'\nOR op = '\\\\'".into()),
        apply_as_truncates: Some("op = 'T'".into()),
        except_column_list: list("a.b"),
        stored_as_scd_type: ScdType::Bitemporal,
        track_history_column_list: list("é\u{202e}"),
        once: true,
        tombstone_gc_threshold_seconds: Some(60),
        ..Flow::default()
    };
    assert_eq!(
        to_python("main.t", &[Written { name: "first", source: "s", flow: &flow }]),
        r#"from pyspark import pipelines as dp
from pyspark.sql.functions import col, expr

dp.create_streaming_table(
    name="main.t",
    table_properties={
        "pipelines.cdc.tombstoneGCThresholdInSeconds": "60",
    },
)

dp.create_auto_cdc_flow(
    target="main.t",
    source="s",
    keys=["id", "a \"b\""],
    sequence_by=col("lsn"),
    system_sequence_by=col("seen"),
    ignore_null_updates=True,
    ignore_null_updates_column_list=["c"],
    columns_to_update=col("changed"),
    apply_as_deletes=expr("op = 'D'\nOR op = '\\\\'"),
    apply_as_truncates=expr("op = 'T'"),
    except_column_list=["`a.b`"],
    stored_as_scd_type="bitemporal",
    track_history_column_list=["é\u202e"],
    name="first",
    once=True,
)
"#
    );
}

//! What is written, and that it is read as what it was.

use cdc_core::{DataType, Flow, ScdType};
use cdc_killmatrix::definition::{Written, to_sql};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use super::{names, one, sound};

#[test]
fn every_clause_is_written_in_databricks_order() {
    let flow = Flow {
        keys: names(&["id", "`order id`"]),
        sequence_by: "STRUCT(lsn,\n  pos) -- both".into(),
        system_sequence_by: Some("known".into()),
        ignore_null_updates_except_column_list: Some(names(&["größe"])),
        columns_to_update: Some("touched".into()),
        apply_as_deletes: Some("op = 'D'".into()),
        apply_as_truncates: Some("op = 'T'".into()),
        except_column_list: Some(names(&["op", "a-b"])),
        stored_as_scd_type: ScdType::Two,
        track_history_column_list: Some(names(&["a"])),
        tombstone_gc_threshold_seconds: Some(3600),
        ..Flow::default()
    };
    let expected = "CREATE OR REFRESH STREAMING TABLE main.silver.t
TBLPROPERTIES ('pipelines.cdc.tombstoneGCThresholdInSeconds' = '3600');

CREATE FLOW `the flow` AS AUTO CDC INTO main.silver.t
FROM STREAM(`odd source`)
KEYS (id, `order id`)
IGNORE NULL UPDATES ON * EXCEPT (`größe`)
APPLY AS DELETE WHEN op = 'D'
APPLY AS TRUNCATE WHEN op = 'T'
SEQUENCE BY STRUCT(lsn, pos)
SYSTEM SEQUENCE BY known
COLUMNS * EXCEPT (op, `a-b`)
STORED AS SCD TYPE 2
TRACK HISTORY ON (a)
COLUMNS TO UPDATE touched;
";
    assert_eq!(
        to_sql("main.silver.t", &[Written { name: "the flow", source: "odd source", flow: &flow }]),
        expected
    );
}

#[test]
fn a_flow_that_runs_once() {
    let flow = Flow { keys: names(&["id"]), sequence_by: "a".into(), once: true, ..Flow::default() };
    let text = to_sql("t", &[Written { name: "f", source: "s", flow: &flow }]);
    assert!(text.contains("AS AUTO CDC ONCE INTO t\nFROM STREAM(s)\nKEYS (id)"), "{text}");
}

#[test]
fn snapshots_are_told_apart_by_their_version() {
    let flow = Flow {
        keys: names(&["id"]),
        stored_as_scd_type: ScdType::Two,
        track_history_except_column_list: Some(names(&["a"])),
        from_snapshot: Some(DataType::BigInt),
        ..Flow::default()
    };
    let expected = "CREATE OR REFRESH STREAMING TABLE t;

CREATE FLOW f AS AUTO CDC INTO t
FROM SNAPSHOT (
  SELECT * EXCEPT (version) FROM s
  WHERE version = (SELECT version FROM current_snapshot_version())
)
WITH VERSION (
  SELECT DISTINCT version FROM s
  WHERE NOT EXISTS (SELECT 1 FROM last_snapshot_version())
    OR version > (SELECT version FROM last_snapshot_version())
  ORDER BY version LIMIT 1
)
KEYS (id)
STORED AS SCD TYPE 2
TRACK HISTORY ON * EXCEPT (a);
";
    let text = to_sql("t", &[Written { name: "f", source: "s", flow: &flow }]);
    assert_eq!(text, expected);
    assert_eq!(sound(&text).flows[0].flow, flow);
}

/// A column as a flow holds it.
fn column() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z_][a-zA-Z0-9_]{0,6}",
        select(
            &["keys", "columns", "größe", "1st", "`order id`", "`a.b`", "`x``y`", "`;--`", "`'`", "`/*`"][..]
        )
        .prop_map(str::to_owned),
    ]
}

fn condition() -> impl Strategy<Value = String> {
    let operand = prop_oneof![
        column().prop_filter("a word or a name in quotes", |it| it.is_ascii() && !it.starts_with('1')),
        select(
            &["'D'", "'it''s -- ; /* KEYS (a) */'", "'a\\'b'", "1.5", "(1 + 2)", "CASE WHEN a THEN 1 END"][..]
        )
        .prop_map(str::to_owned),
    ];
    let reserved =
        ["as", "by", "is", "in", "or", "if", "on", "end", "not", "and", "case", "like", "when", "else"];
    let test = (operand.clone(), select(&["=", "<>", "<=>", "<"][..]), operand)
        .prop_map(|(left, sign, right)| format!("{left} {sign} {right}"))
        .prop_filter("no words of expressions", move |text| {
            !text.split(' ').any(|word| reserved.contains(&word.to_lowercase().as_str()))
        });
    vec(test, 1..4).prop_map(|tests| tests.join(" AND "))
}

fn sequence() -> impl Strategy<Value = String> {
    let word = "[a-z]_[a-z0-9]{0,5}";
    prop_oneof![word.prop_map(|it| it.clone()), (word, word).prop_map(|(a, b)| format!("STRUCT({a}, {b})"))]
}

/// Nothing, some columns, or all but some.
fn selection() -> impl Strategy<Value = (Option<Vec<String>>, Option<Vec<String>>)> {
    (option::of(vec(column(), 1..4)), any::<bool>())
        .prop_map(|(list, is_except)| if is_except { (None, list) } else { (list, None) })
}

fn scd_type() -> impl Strategy<Value = ScdType> {
    select(&[ScdType::One, ScdType::Two, ScdType::Bitemporal][..])
}

prop_compose! {
    fn flow()(
        keys in vec(column(), 1..4),
        sequence_by in sequence(),
        system_sequence_by in option::of(column()),
        (ignored, everywhere) in (selection(), any::<bool>()),
        columns_to_update in option::of(column()),
        apply_as_deletes in option::of(condition()),
        apply_as_truncates in option::of(condition()),
        columns in selection(),
        stored_as_scd_type in scd_type(),
    )(
        tracked in selection(),
        once in any::<bool>(),
        tombstone_gc_threshold_seconds in option::of(any::<u64>()),
        is_snapshot in prop::bool::weighted(0.2),
        keys in Just(keys), sequence_by in Just(sequence_by), system_sequence_by in Just(system_sequence_by),
        ignored in Just(ignored), everywhere in Just(everywhere),
        columns_to_update in Just(columns_to_update),
        apply_as_deletes in Just(apply_as_deletes), apply_as_truncates in Just(apply_as_truncates),
        columns in Just(columns), stored_as_scd_type in Just(stored_as_scd_type),
    ) -> Flow {
        let of_all = Flow {
            keys,
            stored_as_scd_type,
            track_history_column_list: tracked.0,
            track_history_except_column_list: tracked.1,
            once,
            tombstone_gc_threshold_seconds,
            ..Flow::default()
        };
        if is_snapshot {
            return Flow { from_snapshot: Some(DataType::BigInt), ..of_all };
        }
        let ignored = if everywhere { (None, None) } else { ignored };
        Flow {
            sequence_by,
            system_sequence_by,
            ignore_null_updates: everywhere,
            ignore_null_updates_column_list: ignored.0,
            ignore_null_updates_except_column_list: ignored.1,
            columns_to_update,
            apply_as_deletes,
            apply_as_truncates,
            column_list: columns.0,
            except_column_list: columns.1,
            ..of_all
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn what_is_written_is_read_as_the_same_flow(
        flow in flow(),
        name in "[a-z_][a-z0-9_]{0,8}|[a-z]{1,3}[ ;'`-]{1,3}[a-z]{0,3}|as|from|comment",
        target in select(&["t", "LIVE.t", "main.silver.t", "an odd target", "from", "`a b`.t", "${c}.t"][..]),
        source in select(&["s", "LIVE.s", "a.b.s", "odd source", "keys", "stream", "a--b", "${c}.s"][..]),
    ) {
        let text = to_sql(target, &[Written { name: &name, source, flow: &flow }]);
        let definition = if flow.from_snapshot.is_some() { sound(&text).flows.remove(0) } else { one(&text) };
        prop_assert_eq!(&definition.flow, &flow, "{}", text);
        prop_assert_eq!(&definition.name, &name, "{}", text);
        let again = to_sql(&definition.target, &[Written { name: &definition.name, source, flow: &sound(&text).flows[0].flow }]);
        prop_assert_eq!(again, text);
    }
}

//! What a flow's target says.

use cdc_core::DataType;

use super::{faults, only, read};

#[test]
fn properties_of_the_target_are_read() {
    let flow = "dp.create_auto_cdc_flow('silver.t', 's', ['id'], 'lsn')";
    let key = "pipelines.cdc.tombstoneGCThresholdInSeconds";
    let old = "pipelines.applyChanges.tombstoneGCThresholdInSeconds";
    for (table, expected) in [
        (String::new(), None),
        (format!("name='silver.t', table_properties={{'{key}': '432000'}}"), Some(432_000)),
        (format!("name='Silver.T', table_properties={{'{key}': 432000}}"), Some(432_000)),
        (format!("'t', table_properties={{'{old}': '5', 'quality': f()}}"), Some(5)),
        (format!("'LIVE.t', table_properties={{'{old}': '5', '{key}': '6'}}"), Some(6)),
        (format!("'other.t', table_properties={{'{key}': '6'}}"), None),
        (format!("'silver.t', table_properties={{**{{'{key}': '7'}}, 'a': 'b'}}"), Some(7)),
        ("'silver.t', table_properties=None".to_owned(), None),
        ("'silver.t', table_properties={'quality': 'gold'}, comment=f()".to_owned(), None),
    ] {
        let module = format!("dp.create_streaming_table({table})\n{flow}");
        let read = read(&module).unwrap_or_else(|faults| panic!("{faults}"));
        assert_eq!(read.flows[0].flow.tombstone_gc_threshold_seconds, expected, "{table}");
        assert_eq!(read.warnings(), [], "{table}");
    }
    let named = format!(
        "PROPS = {{'{key}': '8'}}\ndlt.create_target_table(name='t', table_properties=PROPS)\n{flow}"
    );
    assert_eq!(only(&named).flow.tombstone_gc_threshold_seconds, Some(8));
    let dynamic = format!(
        "dp.create_streaming_table(f'{{c}}.t', table_properties={{'{key}': '9'}})\n\
         dp.create_auto_cdc_flow(f'{{c}}.t', 's', ['id'], 'lsn', name='n')"
    );
    assert_eq!(only(&dynamic).flow.tombstone_gc_threshold_seconds, Some(9));
}

#[test]
fn a_declared_schema_is_checked() {
    let module = |schema: &str, scd_type: u8| {
        format!(
            "dp.create_streaming_table('t', schema={schema})\n\
             dp.create_auto_cdc_flow('t', 's', ['id'], 'lsn', stored_as_scd_type={scd_type})"
        )
    };
    for schema in [
        "'id INT, name STRING, __START_AT BIGINT, __END_AT BIGINT'",
        "'id INT NOT NULL COMMENT \"a, b\", `__START_AT` long, __end_at: BIGINT NOT NULL'",
        "'id INT, __START_AT STRUCT<a: INT, b: DECIMAL(10, 2)>, __END_AT struct<a:int,b:decimal(10,2)>'",
        "build()",
        "StructType([])",
    ] {
        only(&module(schema, 2));
    }
    only(&module("'id INT'", 1));
    for (schema, expected) in [
        (
            "'id INT, name STRING'",
            "1:39: the schema lacks `__START_AT` and `__END_AT`; expected both, of the type of `sequence_by`, as the \
             target is of SCD type 2",
        ),
        (
            "'id INT, __START_AT BIGINT'",
            "1:39: the schema lacks `__END_AT`; expected it beside `__START_AT`, of the type of `sequence_by`",
        ),
        (
            "'id INT, __END_AT BIGINT'",
            "1:39: the schema lacks `__START_AT`; expected it beside `__END_AT`, of the type of `sequence_by`",
        ),
        (
            "'id INT, __START_AT BIGINT, __END_AT TIMESTAMP'",
            "1:39: the schema has `__START_AT` of type BIGINT and `__END_AT` of type TIMESTAMP; expected the type of \
             `sequence_by` for both",
        ),
    ] {
        assert_eq!(faults(&module(schema, 2)), [expected], "{schema}");
    }
}

#[test]
fn the_bounds_of_a_bitemporal_target() {
    let module = |schema: &str| {
        format!(
            "dp.create_streaming_table('t', schema='{schema}')\n\
             dp.create_auto_cdc_flow('t', 's', ['id'], 'lsn', system_sequence_by='known', \
             stored_as_scd_type='bitemporal')"
        )
    };
    let valid = "__START_AT BIGINT, __END_AT BIGINT";
    assert_eq!(
        faults(&module(valid)),
        ["1:39: the schema lacks `__SYSTEM_START_AT` and `__SYSTEM_END_AT`; expected both, of the type of \
          `system_sequence_by`, as the target is BITEMPORAL"]
    );
    let bounds = only(&module(&format!("{valid}, __SYSTEM_START_AT DATE, __SYSTEM_END_AT DATE"))).bounds;
    assert_eq!((bounds.valid, bounds.system), (Some(DataType::BigInt), Some(DataType::Date)));
}

#[test]
fn a_target_of_several_flows_is_told() {
    for (module, expected) in [
        (
            "def define(cfg):\n  t = f'silver.{cfg[0]}'\n  dp.create_auto_cdc_flow(t, 's', ['id'], 'lsn')",
            "3:27: `target`: `t`, in line 2 `cfg[0]`,",
        ),
        (
            "class P:\n  def run(self):\n    dp.create_auto_cdc_flow(self.t, 's', ['id'], 'lsn')",
            "3:29: `target`: `self.t`",
        ),
        (
            "T = 'a'\ndp.create_auto_cdc_flow(T, 's', ['id'], 'lsn')\nT = 'b'",
            "2:25: `target`: `T`, assigned in lines 1 and 3,",
        ),
    ] {
        let expected = format!(
            "{expected} is known only when the code runs; expected a literal, or the fixture's `flow` as an object"
        );
        assert_eq!(faults(module), [expected], "{module}");
    }
}

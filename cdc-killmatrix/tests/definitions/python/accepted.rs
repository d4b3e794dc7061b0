//! Every form that is read.

use cdc_core::{DataType, Flow, ScdType};

use super::{only, read};

/// The flow of a call that has more arguments than those it must have.
fn flow(more: &str) -> Flow {
    only(&format!(
        "dp.create_auto_cdc_flow(target='t', source='s', keys=['id'], sequence_by='lsn', {more})\n"
    ))
    .flow
}

fn base() -> Flow {
    Flow { keys: vec!["id".into()], sequence_by: "lsn".into(), ..Flow::default() }
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn a_call_is_found_however_it_is_written() {
    let arguments = "(target='t', source='s', keys=['id'], sequence_by='lsn')";
    for module in [
        format!("from pyspark import pipelines as dp\ndp.create_auto_cdc_flow{arguments}"),
        format!("import dlt\ndlt.create_auto_cdc_flow{arguments}"),
        format!("import dlt as d\nd.apply_changes{arguments}"),
        format!("import pyspark.pipelines\npyspark.pipelines.create_auto_cdc_flow{arguments}"),
        format!("from pyspark.pipelines import create_auto_cdc_flow\ncreate_auto_cdc_flow{arguments}"),
        format!("from dlt import *\napply_changes{arguments}"),
        format!("from dlt import apply_changes as ac\nac{arguments}"),
        format!("import dlt\nac = dlt.apply_changes\nac{arguments}"),
        format!("try:\n    import dlt\nexcept ImportError:\n    dlt = None\ndlt.apply_changes{arguments}"),
        format!("def define():\n    dp.create_auto_cdc_flow{arguments}\ndefine()"),
        format!("if spark.conf.get('env') == 'prod':\n    dp.create_auto_cdc_flow{arguments}"),
        format!("for t in tables:\n    dp.create_auto_cdc_flow{arguments}"),
        format!("flows = [dp.create_auto_cdc_flow{arguments} for t in tables]"),
        format!("x = lambda: dp.create_auto_cdc_flow{arguments}"),
        format!(
            "class P:\n    def f(self):\n        with lock:\n            dp.create_auto_cdc_flow{arguments}"
        ),
        format!("%pip install x\n!ls\n# MAGIC %sql\ndp.create_auto_cdc_flow{arguments}"),
        format!(
            "# Databricks notebook source\r\n# COMMAND ----------\r\ndp.create_auto_cdc_flow{arguments}\r\n"
        ),
        format!("\u{feff}dp.create_auto_cdc_flow{arguments}"),
        "dp.create_auto_cdc_flow('t', 's', ['id'], 'lsn')".to_owned(),
        "dp.create_auto_cdc_flow('t', source=read_stream(1), keys=['id'], sequence_by='lsn')".to_owned(),
    ] {
        let found = only(&module);
        assert_eq!((&*found.name, &*found.target, found.flow), ("t", "t", base()), "{module}");
    }
}

#[test]
fn names_and_lines_are_told() {
    let module = "\n\nif True:\n    dp.create_auto_cdc_flow(\n        target='main.silver.t', source='s', \
                  keys=['id'], sequence_by='lsn', name='first')\ndp.apply_changes('u', 's', ['id'], 'lsn')\n";
    let read = read(module).unwrap();
    let found: Vec<_> = read.flows.iter().map(|flow| (&*flow.name, &*flow.target, flow.line)).collect();
    assert_eq!(found, [("first", "main.silver.t", 4), ("u", "u", 6)]);
    let old = only("dlt.apply_changes('t', 's', ['id'], 'lsn', flow_name='old')");
    assert_eq!(old.name, "old");
    let dynamic = only("dlt.apply_changes(f'{cat}.t', 's', ['id'], 'lsn', name='n')");
    assert_eq!((&*dynamic.name, &*dynamic.target), ("n", "{cat}.t"));
}

#[test]
fn a_target_that_only_the_code_knows_is_told_as_it_is_written() {
    let begin = "catalog = spark.conf.get('catalog')\nTABLE = f'{catalog}.silver.t'\n";
    for (target, expected) in [
        ("f'{catalog}.silver.t'", "{catalog}.silver.t"),
        ("TABLE", "{catalog}.silver.t"),
        ("TABLE + '_' + version()", "{catalog}.silver.t_{version()}"),
        ("f'{catalog!r}.{env:>3}.t'", "{catalog}.{env}.t"),
        ("catalog + '.t'", "{catalog}.t"),
        ("SETTINGS.table", "SETTINGS.table"),
        ("Catalog.silver(Tables.LOAN)", "Catalog.silver(Tables.LOAN)"),
        ("TABLES['t']", "TABLES['t']"),
        ("'%s_final' % x", "'%s_final' % x"),
    ] {
        let found = only(&format!("{begin}dp.create_auto_cdc_flow({target}, 's', ['id'], 'lsn')"));
        assert_eq!((&*found.name, &*found.target, found.flow), (expected, expected, base()), "{target}");
    }
    let declared = format!(
        "{begin}dp.create_streaming_table(name=TABLE, table_properties=\
         {{'pipelines.cdc.tombstoneGCThresholdInSeconds': '9'}})\n\
         dp.create_auto_cdc_flow(f'{{catalog}}.silver.t', 's', ['id'], 'lsn')"
    );
    assert_eq!(only(&declared).flow.tombstone_gc_threshold_seconds, Some(9));
}

#[test]
fn arguments_may_come_from_a_dict() {
    for module in [
        "ARGS = dict(source='s', keys=['id'], sequence_by='lsn')\ndp.create_auto_cdc_flow('t', **ARGS)",
        "dp.create_auto_cdc_flow(target='t', **{'source': 's', 'keys': ['id']}, sequence_by='lsn')",
        "args = dict(target='t', source='s', keys=['id'], sequence_by='lsn')\n\
         if hasattr(dlt, 'create_auto_cdc_flow'):\n  dlt.create_auto_cdc_flow(**args)\n\
         else:\n  dlt.apply_changes(**args)",
    ] {
        let found = only(module);
        assert_eq!((&*found.name, found.flow), ("t", base()), "{module}");
    }
}

#[test]
fn each_parameter_is_read() {
    let list = || Some(names(&["a", "b c"]));
    for (more, expected) in [
        ("", base()),
        ("ignore_null_updates=True", Flow { ignore_null_updates: true, ..base() }),
        ("ignore_null_updates=False", base()),
        (
            "ignore_null_updates_column_list=['a', 'b c']",
            Flow { ignore_null_updates_column_list: list(), ..base() },
        ),
        (
            "ignore_null_updates_except_column_list=['a', 'b c']",
            Flow { ignore_null_updates_except_column_list: list(), ..base() },
        ),
        ("columns_to_update='changed'", Flow { columns_to_update: Some("changed".into()), ..base() }),
        ("columns_to_update=col('changed')", Flow { columns_to_update: Some("changed".into()), ..base() }),
        ("system_sequence_by=F.col('seen')", Flow { system_sequence_by: Some("seen".into()), ..base() }),
        ("apply_as_deletes=\"op = 'D'\"", Flow { apply_as_deletes: Some("op = 'D'".into()), ..base() }),
        ("apply_as_deletes=expr(\"op = 'D'\")", Flow { apply_as_deletes: Some("op = 'D'".into()), ..base() }),
        ("apply_as_truncates=F.expr('op = 1')", Flow { apply_as_truncates: Some("op = 1".into()), ..base() }),
        ("column_list=['a', 'b c']", Flow { column_list: list(), ..base() }),
        ("column_list=[]", Flow { column_list: Some(vec![]), ..base() }),
        ("except_column_list=(col('a'), F.col('b c'))", Flow { except_column_list: list(), ..base() }),
        ("stored_as_scd_type=1", base()),
        ("stored_as_scd_type='1'", base()),
        ("stored_as_scd_type=2", Flow { stored_as_scd_type: ScdType::Two, ..base() }),
        ("stored_as_scd_type='2'", Flow { stored_as_scd_type: ScdType::Two, ..base() }),
        ("stored_as_scd_type='BiTemporal'", Flow { stored_as_scd_type: ScdType::Bitemporal, ..base() }),
        ("track_history_column_list=['a', 'b c']", Flow { track_history_column_list: list(), ..base() }),
        (
            "track_history_except_column_list=['a', '`b c`']",
            Flow { track_history_except_column_list: list(), ..base() },
        ),
        ("once=True", Flow { once: true, ..base() }),
        ("name=None, column_list=None, apply_as_deletes=None, once=None", base()),
        ("spark_conf={'x': f()}", base()),
    ] {
        assert_eq!(flow(more), expected, "{more}");
    }
    let all = "dp.create_auto_cdc_flow('t', 's', ['id'], 'lsn', True, 'd', 't', ['a'], ['b'], 2, ['c'], ['d'], 'n', True)";
    let expected = Flow {
        ignore_null_updates: true,
        apply_as_deletes: Some("d".into()),
        apply_as_truncates: Some("t".into()),
        column_list: Some(names(&["a"])),
        except_column_list: Some(names(&["b"])),
        stored_as_scd_type: ScdType::Two,
        track_history_column_list: Some(names(&["c"])),
        track_history_except_column_list: Some(names(&["d"])),
        once: true,
        ..base()
    };
    let all = only(all);
    assert_eq!((&*all.name, all.flow), ("n", expected));
}

#[test]
fn keys_and_sequences_are_read_in_every_form() {
    for (keys, expected) in [
        ("['a', 'b']", &["a", "b"][..]),
        ("('a',)", &["a"]),
        ("[col('a'), F.col('b'), functions.col('c')]", &["a", "b", "c"]),
        ("['a', col(\"`b.c`\")]", &["a", "b.c"]),
        ("[]", &[]),
        ("['a'] + ['b']", &["a", "b"]),
        ("['a', *('b', 'c')]", &["a", "b", "c"]),
        ("['a' 'b', 'c' + 'd', f'e']", &["ab", "cd", "e"]),
    ] {
        let module = format!("dp.create_auto_cdc_flow('t', 's', {keys}, 'lsn')");
        assert_eq!(only(&module).flow.keys, expected, "{keys}");
    }
    for (sequence, expected) in [
        ("'lsn'", "lsn"),
        ("'struct(a, b)'", "struct(a, b)"),
        ("col('lsn')", "lsn"),
        ("F.col('commit lsn')", "`commit lsn`"),
        ("col('meta.lsn')", "meta.lsn"),
        ("struct('a', 'b')", "struct(a, b)"),
        ("F.struct(F.col('a'), 'b')", "struct(a, b)"),
        ("struct(['a', col('b')])", "struct(a, b)"),
        ("struct(*['a', 'b'])", "struct(a, b)"),
        ("struct('a', 'b c').alias('seq')", "struct(a, `b c`)"),
        ("expr('struct(a,b)')", "struct(a,b)"),
    ] {
        let module = format!("dp.create_auto_cdc_flow('t', 's', ['id'], {sequence})");
        assert_eq!(only(&module).flow.sequence_by, expected, "{sequence}");
    }
    let aliased = "from pyspark.sql.functions import col as c, struct as st\n\
                   dp.create_auto_cdc_flow('t', 's', [c('id')], st(c('a'), c('b')))";
    assert_eq!(only(aliased).flow, Flow { sequence_by: "struct(a, b)".into(), ..base() });
}

#[test]
fn conditions_of_columns_become_sql() {
    for (condition, expected) in [
        ("col('op') == 'DELETE'", "op = 'DELETE'"),
        ("'D' == F.col('op')", "'D' = op"),
        ("col('op') != \"it's\"", r"op <> 'it\'s'"),
        ("col('op') == 'a\\\\b'", r"op = 'a\\b'"),
        ("col('n') < 1", "n < 1"),
        ("col('n') <= -1", "n <= -1"),
        ("col('n') > 1.5", "n > 1.5"),
        ("col('n') >= 1_000", "n >= 1000"),
        ("col('deleted') == True", "deleted = TRUE"),
        ("col('deleted') == F.lit(False)", "deleted = FALSE"),
        ("col('deleted')", "deleted"),
        ("col('before.id').isNull()", "before.id IS NULL"),
        ("col('after').isNotNull()", "after IS NOT NULL"),
        ("col('the op').eqNullSafe('D')", "`the op` <=> 'D'"),
        ("col('op').like('D%')", "op LIKE 'D%'"),
        ("col('n').between(1, 2)", "n BETWEEN 1 AND 2"),
        ("F.col('op').isin('D', 'X')", "op IN ('D', 'X')"),
        ("F.lower(F.col('op')) == 'd'", "lower(op) = 'd'"),
        ("upper(trim(col('the op'))).isin('D', 'X')", "upper(trim(`the op`)) IN ('D', 'X')"),
        ("coalesce('a', col('b'), lit('x')) == lit('x')", "coalesce(a, b, 'x') = 'x'"),
        ("F.col('op').isin(['D', 'X'])", "op IN ('D', 'X')"),
        ("F.col('op').isin(*['D', 'X'], 'Y')", "op IN ('D', 'X', 'Y')"),
        ("F.col('op').isin(['D'] + ['X'])", "op IN ('D', 'X')"),
        ("F.col('n').isin(1)", "n IN (1)"),
        ("(col('a') == 1) & (col('b') == 2) & (col('c') == 3)", "a = 1 AND b = 2 AND c = 3"),
        ("(col('a') == 1) & ((col('b') == 2) | (col('c') == 3))", "a = 1 AND (b = 2 OR c = 3)"),
        ("~(col('a') == 1) | ~col('b')", "(NOT (a = 1)) OR (NOT b)"),
        ("expr('a = 1') | col('b').isNull()", "(a = 1) OR b IS NULL"),
        ("(col('a') == 1) == (col('b') == 2)", "(a = 1) = (b = 2)"),
        ("col('end') == 'x'", "`end` = 'x'"),
        ("col('a') == col('b')", "a = b"),
        ("'op = ' + '1'", "op = 1"),
        ("col('op') == 'D' + 'EL'", "op = 'DEL'"),
    ] {
        let flow = flow(&format!("apply_as_deletes={condition}"));
        assert_eq!(flow.apply_as_deletes.as_deref(), Some(expected), "{condition}");
    }
}

#[test]
fn constants_are_followed() {
    let module = "
KEYS: list = ['id']
CATALOG, SCHEMA = 'main', 'silver'
TABLE = f'{CATALOG}.{SCHEMA}' + '.t'
SEQ = col(LSN)
LSN = 'lsn'
DELETED = ['D', 'X']
TYPE = '1'
unused = spark.conf.get('whatever')

def define():
    LIST = KEYS
    dp.create_auto_cdc_flow(TABLE, 's', LIST + [*KEYS], SEQ, stored_as_scd_type=TYPE,
        apply_as_deletes=col('op').isin(DELETED) & (col('x') == LSN))
";
    let found = only(module);
    assert_eq!(found.target, "main.silver.t");
    let deletes = Some("op IN ('D', 'X') AND x = 'lsn'".into());
    assert_eq!(found.flow, Flow { keys: vec!["id".into(); 2], apply_as_deletes: deletes, ..base() });
}

#[test]
fn a_flow_from_snapshots_is_read() {
    let expected = Flow { keys: vec!["id".into()], from_snapshot: Some(DataType::BigInt), ..Flow::default() };
    for module in [
        "dp.create_auto_cdc_from_snapshot_flow(target='t', source='s', keys=['id'])",
        "dp.create_auto_cdc_from_snapshot_flow('t', 's', ['id'])",
        "dlt.apply_changes_from_snapshot(target='t', source=next_version, keys=['id'], stored_as_scd_type=1)",
        "dlt.apply_changes_from_snapshot(target='t', source=lambda v: (load(v), v), keys=[col('id')])",
    ] {
        assert_eq!(only(module).flow, expected, "{module}");
    }
    let more = "dp.create_auto_cdc_from_snapshot_flow('t', 's', ['id'], 2, ['a'], ['b'], once=True)";
    assert_eq!(
        only(more).flow,
        Flow {
            stored_as_scd_type: ScdType::Two,
            track_history_column_list: Some(names(&["a"])),
            track_history_except_column_list: Some(names(&["b"])),
            once: true,
            ..expected
        }
    );
}

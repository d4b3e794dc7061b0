//! Every error, with its text.

use super::faults;

const INSTEAD: &str =
    "is known only when the code runs; expected a literal, or the fixture's `flow` as an object";

/// A call that has more arguments than those it must have; its first line is the second one.
fn call(more: &str) -> String {
    format!("dp.create_auto_cdc_flow(target='t', source='s', keys=['id'], sequence_by='lsn',\n{more})\n")
}

#[test]
fn what_only_running_tells_is_named() {
    for (module, expected) in [
        (
            "for t in ['a', 'b']:\n  dp.create_auto_cdc_flow(t, 's', ['id'], 'lsn')",
            "2:27: `target`: `t`, a loop variable (line 1),",
        ),
        (
            "for t in ['a', 'b']:\n  dp.create_auto_cdc_flow('t', 's', ['id'], f'{t}_lsn')",
            "2:45: `sequence_by`: `t`, a loop variable (line 1),",
        ),
        (
            "for t in ['a', 'b']:\n  dp.create_auto_cdc_flow(t, 's', ['id'], 'lsn', name='n')",
            "2:27: `target`: `t`, a loop variable (line 1),",
        ),
        (
            "[dp.create_auto_cdc_flow('t', 's', k, 'lsn') for k in keys]",
            "1:36: `keys`: `k`, a loop variable (line 1),",
        ),
        (
            "def define(keys):\n  dp.create_auto_cdc_flow('t', 's', keys, 'lsn')",
            "2:37: `keys`: `keys`, a parameter of `define` (line 1),",
        ),
        (
            "f = lambda k: dp.create_auto_cdc_flow('t', 's', k, 'lsn')",
            "1:49: `keys`: `k`, a parameter of a lambda (line 1),",
        ),
        (
            "K = ['a']\nK = ['b']\ndp.create_auto_cdc_flow('t', 's', K, 'lsn')",
            "3:35: `keys`: `K`, assigned in lines 1 and 2,",
        ),
        (
            "K = ['a']\nK += ['b']\ndp.create_auto_cdc_flow('t', 's', K, 'lsn')",
            "3:35: `keys`: `K`, assigned in lines 1 and 2,",
        ),
        (
            "if x:\n  K = ['a']\ndp.create_auto_cdc_flow('t', 's', K, 'lsn')",
            "3:35: `keys`: `K`, assigned in a branch (line 2),",
        ),
        (
            "while x:\n  K = ['a']\ndp.create_auto_cdc_flow('t', 's', K, 'lsn')",
            "3:35: `keys`: `K`, assigned in a loop (line 2),",
        ),
        (
            "K = ['a']\nK.append('b')\ndp.create_auto_cdc_flow('t', 's', K, 'lsn')",
            "3:35: `keys`: `K`, changed in line 2,",
        ),
        (
            "K = ['a']\ndef f():\n  global K\n  K = ['b']\ndp.create_auto_cdc_flow('t', 's', K, 'lsn')",
            "5:35: `keys`: `K`, changed in line 3,",
        ),
        (
            "from config import K\ndp.create_auto_cdc_flow('t', 's', K, 'lsn')",
            "2:35: `keys`: `K`, imported in line 1,",
        ),
        ("dp.create_auto_cdc_flow('t', 's', K, 'lsn')", "1:35: `keys`: `K`, which this file doesn't assign,"),
        (
            "def K(): pass\ndp.create_auto_cdc_flow('t', 's', K, 'lsn')",
            "2:35: `keys`: `K`, a function or class (line 1),",
        ),
        (
            "with f() as K: pass\ndp.create_auto_cdc_flow('t', 's', K, 'lsn')",
            "2:35: `keys`: `K`, assigned no literal (line 1),",
        ),
        (
            "K = spark.conf.get('k')\ndp.create_auto_cdc_flow('t', 's', K, 'lsn')",
            "2:35: `keys`: `K`, in line 1 `spark.conf.get('k')`,",
        ),
        (
            "K = [x]\nx = f()\ndp.create_auto_cdc_flow('t', 's', K, 'lsn')",
            "1:6: `keys[0]`: `x`, in line 2 `f()`,",
        ),
        (
            "dp.create_auto_cdc_flow('t', 's', spark.conf.get( 'k',\n 'id').split(','), 'lsn')",
            "1:35: `keys`: `spark.conf.get( 'k', 'id').split(',')`",
        ),
        ("dp.create_auto_cdc_flow('t', 's', CONFIG['keys'], 'lsn')", "1:35: `keys`: `CONFIG['keys']`"),
        (
            "dp.create_auto_cdc_flow('t', 's', ['id'], 'lsn', apply_as_deletes=cfg.deletes)",
            "1:67: `apply_as_deletes`: `cfg.deletes`",
        ),
        (
            "dp.create_auto_cdc_flow('t', 's', ['id'], 'lsn', stored_as_scd_type=int(x))",
            "1:69: `stored_as_scd_type`: `int(x)`",
        ),
        (
            "K = K + ['a']\ndp.create_auto_cdc_flow('t', 's', K, 'lsn')",
            "2:35: `keys`: `K`, too long to be followed,",
        ),
    ] {
        assert_eq!(faults(module), [format!("{expected} {INSTEAD}")], "{module}");
    }
    let property = "dp.create_streaming_table('t', table_properties=\
                    {'pipelines.cdc.tombstoneGCThresholdInSeconds': conf('x')})\n";
    assert_eq!(
        faults(&format!("{property}{}", call(""))),
        [format!("1:97: `pipelines.cdc.tombstoneGCThresholdInSeconds`: `conf('x')` {INSTEAD}")]
    );
}

#[test]
fn names_that_refer_to_each_other_are_told() {
    for (module, expected) in [
        (
            "A = B\nB = A\ndp.create_auto_cdc_flow('t', 's', A, 'lsn')",
            "3:35: `keys`: `A`, which refers to itself by way of `B`,",
        ),
        ("K = K\ndp.create_auto_cdc_flow('t', 's', K, 'lsn')", "2:35: `keys`: `K`, which refers to itself,"),
        (
            "K = A\nA = B\nB = A\ndp.create_auto_cdc_flow('t', 's', K, 'lsn')",
            "4:35: `keys`: `A`, which refers to itself by way of `B`,",
        ),
    ] {
        assert_eq!(faults(module), [format!("{expected} {INSTEAD}")], "{module}");
    }
}

#[test]
fn values_of_the_wrong_kind_are_told() {
    for (more, expected) in [
        ("once='yes'", "2:6: `once` is the text `yes`; expected True or False"),
        ("ignore_null_updates=1", "2:21: `ignore_null_updates` is the number `1`; expected True or False"),
        (
            "column_list='a'",
            "2:13: `column_list` is the text `a`; expected a list of columns, such as `[\"id\"]`",
        ),
        (
            "column_list={'a'}",
            "2:13: `column_list` is a set, which has no order; expected a list of columns, such as `[\"id\"]`",
        ),
        ("column_list=['a', 1]", "2:19: `column_list[1]` is the number `1`; expected a column"),
        ("column_list=['']", "2:14: `column_list[0]`: `` is no name of a column"),
        (
            "column_list=['a.b']",
            "2:14: `column_list[0]`: `a.b` is qualified; expected the plain name of a column \
             [AUTOCDC_MULTIPART_COLUMN_IDENTIFIER]",
        ),
        (
            "except_column_list=[col('a.b')]",
            "2:21: `except_column_list[0]`: `a.b` is qualified; expected the plain name of a column \
             [AUTOCDC_MULTIPART_COLUMN_IDENTIFIER]",
        ),
        (
            "except_column_list=[upper(col('a'))]",
            "2:21: `except_column_list[0]`: `upper(col('a'))` isn't understood; expected a text or `col(..)`",
        ),
        (
            "stored_as_scd_type=3",
            "2:20: `stored_as_scd_type` is the number `3`; expected 1, 2 or \"bitemporal\"",
        ),
        (
            "stored_as_scd_type='two'",
            "2:20: `stored_as_scd_type` is the text `two`; expected 1, 2 or \"bitemporal\"",
        ),
        ("name=1", "2:6: `name` is the number `1`; expected the name of the flow"),
        (
            "apply_as_deletes=True",
            "2:18: `apply_as_deletes` is True; expected a condition, such as `expr(\"operation = 'DELETE'\")`",
        ),
        (
            "apply_as_deletes=(initcap(col('op')) == 'D')",
            "2:19: `apply_as_deletes`: `initcap(col('op'))` isn't understood; expected a text, `expr(..)`, or `col(..)` \
             with ==, !=, <, <=, >, >=, `isin`, `isNull`, `isNotNull`, &, | or ~",
        ),
        (
            "apply_as_deletes=col('a') and col('b')",
            "2:18: `apply_as_deletes`: `col('a') and col('b')` isn't understood; expected a text, `expr(..)`, or \
             `col(..)` with ==, !=, <, <=, >, >=, `isin`, `isNull`, `isNotNull`, &, | or ~",
        ),
        ("columns_to_update=['a']", "2:19: `columns_to_update` is a list; expected a column"),
        ("apply_as_deletes=expr()", "2:18: `apply_as_deletes`: `expr()` takes one text"),
    ] {
        assert_eq!(faults(&call(more)), [expected], "{more}");
    }
    let property = "dp.create_streaming_table('t', table_properties=\
                    {'pipelines.cdc.tombstoneGCThresholdInSeconds': '2 days'})\n";
    assert_eq!(
        faults(&format!("{property}{}", call(""))),
        [
            "1:97: `pipelines.cdc.tombstoneGCThresholdInSeconds` is the text `2 days`; expected a number of seconds, such \
          as \"432000\""
        ]
    );
}

#[test]
fn arguments_must_fit_the_parameters() {
    let spread = "is known only when the code runs; expected each argument by its name, or the fixture's `flow` as an \
                  object";
    for (module, expected) in [
        (
            "dp.create_auto_cdc_flow(target='t')".to_owned(),
            vec![
                "1:1: `source` is missing; expected the name of a table or view".to_owned(),
                "1:1: `keys` is missing; expected a list of columns, such as `[\"id\"]`".to_owned(),
                "1:1: `sequence_by` is missing; expected a column, or `struct(..)`".to_owned(),
            ],
        ),
        (
            "dp.create_auto_cdc_from_snapshot_flow(target='t', keys=None)".to_owned(),
            vec![
                "1:1: `source` is missing; expected the name of a table or view".to_owned(),
                "1:1: `keys` is missing; expected a list of columns, such as `[\"id\"]`".to_owned(),
            ],
        ),
        (
            call("apply_as_delete='x'"),
            vec!["2:1: `create_auto_cdc_flow` has no parameter `apply_as_delete`; did you mean `apply_as_deletes`?".to_owned()],
        ),
        (
            "dlt.apply_changes_from_snapshot('t', 's', ['id'], sequence_by='lsn')".to_owned(),
            vec![
                "1:51: `apply_changes_from_snapshot` has no parameter `sequence_by`; expected one of target, source, keys, \
                 stored_as_scd_type, track_history_column_list, track_history_except_column_list, name, once, \
                 flow_name, spark_conf"
                    .to_owned(),
            ],
        ),
        (
            "dlt.apply_changes_from_snapshot('t', 's', ['id'], 1, ['a'], None, 'x')".to_owned(),
            vec![
                "1:67: `apply_changes_from_snapshot` takes 6 arguments without names, and this is one more; expected \
                 `name=value`"
                    .to_owned(),
            ],
        ),
        (
            call("**more"),
            vec![format!("2:1: `**more`: `more`, which this file doesn't assign, {spread}")],
        ),
        (call("**more.kwargs"), vec![format!("2:1: `**more.kwargs` {spread}")]),
        (call("**{'once': True, **more}"), vec![format!("2:1: `**{{'once': True, **more}}` {spread}")]),
        (call("**{'target': 'u'}"), vec!["2:4: `target` is given twice".to_owned()]),
        ("dp.create_auto_cdc_flow(*more)".to_owned(), vec![format!("1:25: `*more` {spread}")]),
        (call("once=True, once=True"), vec!["2:12: `once` is given twice".to_owned()]),
        (
            "dp.create_auto_cdc_flow('t', 's', ['id'], 'lsn', keys=['a'])".to_owned(),
            vec!["1:50: `keys` is given twice".to_owned()],
        ),
    ] {
        assert_eq!(faults(&module), expected, "{module}");
    }
}

#[test]
fn all_faults_are_told_at_once_in_order() {
    let module = "
dp.create_auto_cdc_flow('t', 's', keys, 1)
dp.create_auto_cdc_flow('u', 's', ['id'], 'lsn', once=0)
dp.create_auto_cdc_flow('v', 's', ['id'], 'lsn')
dp.create_auto_cdc_flow('w', 's', ['id'], 'lsn', name='v')
dp.create_streaming_table('u', schema='id INT, __START_AT INT')
dp.create_auto_cdc_flow('u', 's', ['id', 1, x], 'lsn', stored_as_scd_type=2)
";
    assert_eq!(
        faults(module),
        [
            format!("2:35: `keys`: `keys`, which this file doesn't assign, {INSTEAD}"),
            "2:41: `sequence_by` is the number `1`; expected a column, or `struct(..)`".to_owned(),
            "3:55: `once` is the number `0`; expected True or False".to_owned(),
            "5:1: the flows in lines 4 and 5 are both called `v`; expected a `name` of its own for one of them".to_owned(),
            "6:39: the schema lacks `__END_AT`; expected it beside `__START_AT`, of the type of `sequence_by`".to_owned(),
            "7:1: the flows in lines 3 and 7 are both called `u`; expected a `name` of its own for one of them".to_owned(),
            "7:42: `keys[1]` is the number `1`; expected a column".to_owned(),
            format!("7:45: `keys[2]`: `x`, which this file doesn't assign, {INSTEAD}"),
        ]
    );
}

#[test]
fn a_file_without_flows_or_that_is_no_python_is_refused() {
    let none = "the file defines no flow; expected a call of `create_auto_cdc_flow`, `apply_changes`, or one of their \
                `.._from_snapshot..` forms";
    for module in ["", "import dlt\n", "def apply_changes(t): pass\napply_changes(1)\n"] {
        assert_eq!(faults(module), [none], "{module}");
    }
    assert_eq!(
        faults("import dlt\ndlt.create_auto_cdc_flows(target='t')"),
        ["2:1: `create_auto_cdc_flows` defines no flow; did you mean `create_auto_cdc_flow`?"]
    );
    for (module, expected) in [
        ("x = \n", "1:5: this is no Python: expected an expression"),
        ("f(a=1\ng()\n", "2:1: this is no Python: expected `,`, found name"),
        ("%pip install x\nx = 'abc\n", "2:5: this is no Python: missing closing quote in string literal"),
        ("x = \"\"\"abc\n", "1:5: this is no Python: missing closing quote in string literal"),
    ] {
        assert_eq!(faults(module)[0], expected, "{module}");
    }
}

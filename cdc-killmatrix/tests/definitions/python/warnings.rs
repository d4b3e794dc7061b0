//! What isn't wrong but may surprise.

use super::warnings;

const FLOW: &str = "dp.create_auto_cdc_flow('t', 'LIVE.clean', ['id'], 'lsn')\n";

/// A view with a body, then a flow that reads from it.
fn view(decorators: &str, body: &str) -> String {
    format!("{decorators}\ndef clean():\n    return {body}\n\n{FLOW}")
}

#[test]
fn a_view_that_changes_its_rows_is_told() {
    let changes = |line: usize, column: usize, methods: &str| {
        vec![format!(
            "{line}:{column}: the source `clean` changes its rows by {methods}; the events of a fixture are those after it"
        )]
    };
    for (decorator, body, expected) in [
        ("@dp.view", "spark.readStream.table('x')", vec![]),
        ("@dp.view()", "spark.readStream.table(spark.conf.get('x'))", vec![]),
        ("@dp.view", "df.select('a', col('b'), F.col('c'))", vec![]),
        ("@dp.view", "df.select('*')", vec![]),
        ("@dp.view", "spark.readStream.load('/'.join(parts))", vec![]),
        ("@dp.view", "spark.readStream.load(os.path.join(a, b))", vec![]),
        ("@dp.view", "df.join(other, 'id')", changes(3, 15, "`join`")),
        ("@dp.view", "df.filter('a = 1')", changes(3, 15, "`filter`")),
        ("@dp.temporary_view()", "df.where('a').where('b')", changes(3, 15, "`where`")),
        ("@dlt.view", "df.withColumn('a', col('b').cast('int'))", changes(3, 15, "`withColumn` and `cast`")),
        (
            "@dlt.table(comment='x')",
            "df.withColumnRenamed('a', 'b').drop('c').selectExpr('d')",
            changes(3, 15, "`withColumnRenamed`, `drop` and `selectExpr`"),
        ),
        ("@dp.view", "df.select(col('a').alias('b'))", changes(3, 15, "`select` and `alias`")),
        ("@view", "df.select(upper('a'))", changes(3, 15, "`select`")),
        ("@dp.view", "spark.sql('SELECT * FROM STREAM(x)')", vec![]),
        ("@dp.view", "spark.sql(f'select * from {x} where a')", changes(3, 18, "`sql`")),
        ("@unknown", "df.filter('a = 1')", vec![]),
    ] {
        assert_eq!(warnings(&view(decorator, body)), expected, "{decorator} {body}");
    }
}

#[test]
fn a_view_is_known_by_its_name() {
    let named = format!("@dp.view(name='clean')\ndef v():\n    return df.filter('a')\n{FLOW}");
    assert_eq!(
        warnings(&named),
        ["3:15: the source `clean` changes its rows by `filter`; the events of a fixture are those after it"]
    );
    let other = format!("@dp.view(name='other')\ndef clean():\n    return df.filter('a')\n{FLOW}");
    assert_eq!(warnings(&other), [""; 0]);
}

#[test]
fn expectations_that_drop_rows_are_told() {
    let decorators =
        "@dp.view\n@dp.expect('a', 'b')\n@dp.expect_or_drop('a', 'b')\n@dp.expect_all_or_drop({'a': 'b'})";
    assert_eq!(
        warnings(&view(decorators, "df")),
        [
            "3:2: the source `clean` drops rows by `expect_or_drop`; the events of a fixture are those after it",
            "4:2: the source `clean` drops rows by `expect_all_or_drop`; the events of a fixture are those after it",
        ]
    );
}

#[test]
fn a_target_that_drops_rows_is_told() {
    let module = format!("dp.create_streaming_table('t', expect_all_or_drop={{'a': 'b'}})\n{FLOW}");
    assert_eq!(
        warnings(&module),
        [
            "1:51: the target `t` drops rows by `expect_all_or_drop`; the events of a fixture are those that pass it"
        ]
    );
}

#[test]
fn a_filter_of_the_flow_is_told() {
    let module = "dlt.apply_changes('t', 's', ['id'], 'lsn', where='a = 1')";
    assert_eq!(
        warnings(module),
        ["1:50: `where` drops nothing: it is expected of every event, also of a fixture's"]
    );
}

#[test]
fn properties_that_only_running_tells_are_told() {
    let if_set = "is known only when the code runs; if it sets `pipelines.cdc.tombstoneGCThresholdInSeconds`, a \
                  fixture's `flow` says `tombstone_gc_threshold_seconds` beside its `definition`";
    for (properties, expected) in [
        ("props()", vec![format!("1:49: `table_properties`: `props()` {if_set}")]),
        ("{**props(), 'a': 'b'}", vec![format!("1:49: `table_properties`: `props()` {if_set}")]),
        ("{key(): 'b'}", vec![format!("1:49: `table_properties`: `key()` {if_set}")]),
        ("{**props(), 'pipelines.cdc.tombstoneGCThresholdInSeconds': '1'}", vec![]),
    ] {
        let module = format!(
            "dp.create_streaming_table('t', table_properties={properties})\n{FLOW}\
             dp.create_auto_cdc_flow('t', 's', ['id'], 'lsn', name='again')"
        );
        assert_eq!(warnings(&module), expected, "{properties}");
    }
}

#[test]
fn a_function_that_is_passed_on_is_told() {
    let module = format!("from functools import partial\nf = partial(dlt.apply_changes, once=True)\n{FLOW}");
    assert_eq!(
        warnings(&module),
        ["2:13: `dlt.apply_changes` is passed on here; the flows that it defines elsewhere aren't read"]
    );
    let named = format!("from dlt import apply_changes\nac = apply_changes\ndefine(apply_changes)\n{FLOW}");
    assert_eq!(
        warnings(&named),
        ["3:8: `apply_changes` is passed on here; the flows that it defines elsewhere aren't read"]
    );
}

#[test]
fn a_call_that_may_not_be_made_is_told() {
    let told = |place: &str, what: &str| {
        vec![format!("{place}: this call is made only if {what}: the fixtures take it as made")]
    };
    let called = "`define` is called, which this file doesn't do";
    for (module, expected) in [
        (format!("if env == 'prod':\n {FLOW}"), told("2:2", "`env == 'prod'`")),
        (format!("if a:\n x = 1\nelif b():\n {FLOW}"), told("4:2", "`b()`")),
        (format!("if a:\n x = 1\nelse:\n {FLOW}"), told("4:2", "`a` doesn't hold")),
        (format!("try:\n f()\nexcept E:\n {FLOW}"), told("4:2", "an exception is caught")),
        (format!("match x:\n case 1:\n  {FLOW}"), told("3:3", "its case matches")),
        (format!("def define():\n {FLOW}"), told("2:2", called)),
        (format!("async def define():\n if a:\n  {FLOW}\ndefine()"), told("3:3", "`a`")),
        (format!("if __name__ == '__main__':\n {FLOW}"), vec![]),
        (format!("if True:\n {FLOW}"), vec![]),
        (format!("try:\n {FLOW}\nfinally:\n f()"), vec![]),
        (format!("try:\n {FLOW}\nexcept E:\n {FLOW}"), vec![]),
        (format!("if a:\n {FLOW}\nelse:\n {FLOW}"), vec![]),
        (format!("for t in ts:\n {FLOW}"), vec![]),
        (format!("def define():\n {FLOW}\ndefine()"), vec![]),
        (format!("def main():\n define()\ndef define():\n {FLOW}"), vec![]),
        (format!("def define():\n {FLOW}\nrun(then=define)"), vec![]),
        (format!("@pipeline\ndef define():\n {FLOW}"), vec![]),
        (format!("class P:\n def define(self):\n  {FLOW}"), vec![]),
    ] {
        assert_eq!(warnings(&module), expected, "{module}");
    }
}

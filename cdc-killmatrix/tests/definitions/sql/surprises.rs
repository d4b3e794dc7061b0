//! What isn't wrong but may surprise.

use super::{behind, warnings, with};

#[test]
fn clauses_out_of_databricks_order() {
    let order = "; Apache Spark takes any order";
    let rows = [
        (
            behind("APPLY AS DELETE WHEN op = 'D'"),
            vec![format!("3:1: Databricks expects `APPLY AS DELETE WHEN` before `SEQUENCE BY`{order}")],
        ),
        (
            behind("STORED AS SCD TYPE 2\nCOLUMNS * EXCEPT (op)"),
            vec![format!("4:1: Databricks expects `COLUMNS` before `STORED AS`{order}")],
        ),
        (
            behind("TRACK HISTORY ON (a)\nSTORED AS SCD TYPE 2"),
            vec![format!("4:1: Databricks expects `STORED AS` before `TRACK HISTORY ON`{order}")],
        ),
        (
            with("COLUMNS TO UPDATE a\nIGNORE NULL UPDATES"),
            vec![
                format!("3:1: Databricks expects `IGNORE NULL UPDATES` before `COLUMNS TO UPDATE`{order}"),
                format!("4:1: Databricks expects `SEQUENCE BY` before `COLUMNS TO UPDATE`{order}"),
            ],
        ),
    ];
    for (text, expected) in rows {
        assert_eq!(warnings(&text), expected, "{text}");
    }
}

/// The warnings of a flow that reads `v` on its line 9; `made` is how `v` is made, on line 2.
fn of_view(made: &str) -> Vec<String> {
    let lines = "\n".repeat(8 - made.matches('\n').count() - 1);
    warnings(&format!(
        "-- a view\n{made};{lines}CREATE FLOW f AS AUTO CDC INTO t FROM STREAM(v) KEYS (id) SEQUENCE BY seq"
    ))
}

#[test]
fn a_view_that_changes_the_events() {
    let rows = [
        ("CREATE TEMPORARY VIEW v AS SELECT * FROM STREAM(raw) WHERE id > 0", "filters"),
        ("CREATE VIEW v AS SELECT DISTINCT * FROM STREAM raw", "filters"),
        ("CREATE VIEW v AS SELECT CAST(a AS INT) FROM STREAM raw", "casts"),
        ("CREATE VIEW v AS SELECT a::int FROM STREAM raw", "casts"),
        ("CREATE VIEW v AS SELECT id, a AS b FROM STREAM raw", "renames"),
        (
            "CREATE OR REPLACE VIEW v AS SELECT try_cast(a AS INT) AS b FROM STREAM(raw) WHERE x",
            "filters, casts and renames",
        ),
        ("CREATE OR REFRESH VIEW v AS WITH w AS (SELECT a AS b FROM STREAM(raw)) SELECT * FROM w", "renames"),
        (
            "CREATE TEMPORARY STREAMING LIVE VIEW v (CONSTRAINT c EXPECT (id > 0) ON VIOLATION DROP ROW)\n\
             AS SELECT * FROM STREAM(LIVE.raw)",
            "drops rows that violate an expectation",
        ),
        ("CREATE LIVE VIEW V COMMENT 'x' AS SELECT `a` AS `b` FROM STREAM(LIVE.raw)", "renames"),
    ];
    for (made, what) in rows {
        let name = if made.contains(" V ") { "V" } else { "v" };
        let expected =
            format!("9:39: the view `{name}` (line 2) {what}: the events of a fixture are those behind it");
        assert_eq!(of_view(made), [expected], "{made}");
    }
    let table = "CREATE STREAMING TABLE v (CONSTRAINT c EXPECT (a) ON VIOLATION DROP ROW) AS SELECT * \
                 FROM STREAM raw";
    let expected = "9:39: the table `v` (line 2) drops rows that violate an expectation: the events of a \
                    fixture are \
                    those behind it";
    assert_eq!(of_view(table), [expected]);
}

#[test]
fn a_view_of_a_view_that_changes_the_events() {
    let made = "CREATE VIEW v AS SELECT * FROM STREAM(w);\n\
                CREATE VIEW w AS SELECT * FROM STREAM(v2);\n\
                CREATE VIEW v2 AS SELECT * FROM STREAM(raw) WHERE a";
    let expected = "9:39: the view `v2` (line 4) filters: the events of a fixture are those behind it";
    assert_eq!(of_view(made), [expected]);
    assert_eq!(
        of_view("CREATE VIEW v AS SELECT * FROM STREAM(w);\nCREATE VIEW w AS SELECT * FROM STREAM(v)"),
        [""; 0]
    );
}

#[test]
fn a_view_that_passes_all_on() {
    for made in [
        "CREATE VIEW v AS SELECT * FROM STREAM(raw)",
        "CREATE VIEW v AS SELECT a, b FROM STREAM(raw) AS r",
        "CREATE VIEW other AS SELECT * FROM STREAM(raw) WHERE a",
        "CREATE LIVE VIEW v (CONSTRAINT c EXPECT (a), CONSTRAINT d EXPECT (b) ON VIOLATION FAIL UPDATE) \
         AS SELECT * FROM x",
    ] {
        assert_eq!(of_view(made), [""; 0], "{made}");
    }
}

#[test]
fn a_query_in_the_place_of_the_source() {
    for (query, what) in [
        ("(SELECT * FROM STREAM(s) WHERE a)", "filters"),
        ("(SELECT id, CAST(x AS INT) AS y FROM STREAM s) AS r", "casts and renames"),
    ] {
        let text = format!("CREATE FLOW f AS AUTO CDC INTO t FROM {query} KEYS (id) SEQUENCE BY seq");
        let expected = format!(
            "1:39: the query in the place of the source {what}: the events of a fixture are those behind it"
        );
        assert_eq!(warnings(&text), [expected], "{query}");
    }
    let text = "CREATE VIEW v AS SELECT * FROM STREAM(raw) WHERE a;
CREATE FLOW f AS AUTO CDC INTO t FROM (SELECT * FROM STREAM(v)) KEYS (id) SEQUENCE BY seq";
    assert_eq!(
        warnings(text),
        ["2:39: the view `v` (line 1) filters: the events of a fixture are those behind it"]
    );
}

#[test]
fn a_view_is_found_by_its_older_name() {
    let text = "CREATE STREAMING LIVE VIEW v AS SELECT * FROM STREAM(LIVE.raw) WHERE a;
APPLY CHANGES INTO LIVE.t FROM STREAM(LIVE.V) KEYS (id) SEQUENCE BY seq";
    assert_eq!(
        warnings(text),
        ["2:32: the view `v` (line 1) filters: the events of a fixture are those behind it"]
    );
}

#[test]
fn an_expectation_of_the_target() {
    let text = "CREATE STREAMING TABLE t (CONSTRAINT c EXPECT (id > 0) ON VIOLATION DROP ROW);\n".to_owned()
        + &with("");
    assert_eq!(
        warnings(&text),
        ["1:56: the expectation drops rows of the target: the rows of a fixture are those before it"]
    );
}

#[test]
fn columns_as_databricks_alone_takes_them() {
    let spark = |place: &str, clause: &str| {
        vec![format!("{place}: Apache Spark expects the columns behind `{clause}` in parentheses")]
    };
    let all = |place: &str, clause: &str| {
        vec![format!("{place}: `{clause} *` stands for all columns, as if left out; Apache Spark refuses it")]
    };
    let only = |names: &[&str]| Some(super::names(names));
    for (clauses, columns, tracked, expected) in [
        ("COLUMNS a, `b c`", only(&["a", "`b c`"]), None, spark("3:9", "COLUMNS")),
        ("COLUMNS *", None, None, all("3:9", "COLUMNS")),
        (
            "STORED AS SCD TYPE 2 TRACK HISTORY ON tier, city",
            None,
            only(&["tier", "city"]),
            spark("3:39", "TRACK HISTORY ON"),
        ),
        (
            "COLUMNS (a) STORED AS SCD TYPE 2 TRACK HISTORY ON *",
            only(&["a"]),
            None,
            all("3:51", "TRACK HISTORY ON"),
        ),
    ] {
        let text = behind(clauses);
        assert_eq!(warnings(&text), expected, "{text}");
        let flow = &super::sound(&text).flows[0].flow;
        assert_eq!((&flow.column_list, &flow.track_history_column_list), (&columns, &tracked), "{text}");
    }
}

#[test]
fn a_condition_that_old_flows_have_behind_their_keys() {
    let text = with("WHERE day > '2024-01-01' AND x IS NOT NULL\nAPPLY AS DELETE WHEN op = 'D'");
    let expected = "2:1: `WHERE` drops nothing: it is expected of every event, also of a fixture's";
    assert_eq!(warnings(&text), [expected]);
    let flow = &super::sound(&text).flows[0].flow;
    assert_eq!((flow.apply_as_deletes.as_deref(), &*flow.sequence_by), (Some("op = 'D'"), "seq"));
}

#[test]
fn warnings_are_told_beside_faults() {
    let text = behind("APPLY AS DELETE WHEN op = 'D'\nCOLUMNS ()");
    let faults = super::read(&text).unwrap_err().to_string();
    let last = faults.lines().last().unwrap();
    assert_eq!(
        last,
        "warning: p.sql:3:1: Databricks expects `APPLY AS DELETE WHEN` before `SEQUENCE BY`; Apache Spark \
         takes any order"
    );
}

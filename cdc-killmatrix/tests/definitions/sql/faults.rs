//! Flows that are refused, each with its place and its message.

use cdc_core::Dialect;

use super::{behind, fault, faults, read_as, with};

#[test]
fn what_spark_refuses() {
    let into = "CREATE FLOW f AS AUTO CDC INTO t FROM";
    let rows = [
        (
            format!("{into} s KEYS (id) SEQUENCE BY seq"),
            "1:39: the source `s` is no stream; expected `STREAM(s)`",
        ),
        (
            format!("{into} (SELECT * FROM s) KEYS (id) SEQUENCE BY seq"),
            "1:39: the source `(SELECT * FROM s)` is no stream; expected a query over `STREAM(table)`",
        ),
        (
            format!("{into} STREAM(s) SEQUENCE BY seq KEYS (id)"),
            "1:49: unexpected `SEQUENCE BY`; expected `KEYS (column, ...)` first, behind the source",
        ),
        (
            format!("{into} STREAM(s) KEYS (a) KEYS (b) SEQUENCE BY seq"),
            "1:58: `KEYS` is given twice, and Apache Spark takes the first for an alias of the source; expected it \
             once",
        ),
        (behind("SEQUENCE BY b"), "3:1: `SEQUENCE BY` is given twice; expected it once [DUPLICATE_CLAUSES]"),
        (
            behind("COLUMNS (a)\nCOLUMNS * EXCEPT (b)"),
            "4:1: `COLUMNS` is given twice; expected it once [DUPLICATE_CLAUSES]",
        ),
        (
            format!("{into} STREAM(s) KEYS (id)"),
            "1:1: `SEQUENCE BY` is missing; expected a column, or `STRUCT(column, ...)`, that orders the \
             events \
             [MISSING_CLAUSES_FOR_OPERATION]",
        ),
        (
            format!("{into} STREAM(s) KEYS () SEQUENCE BY seq"),
            "1:54: `KEYS` names no column; expected at least one",
        ),
        (
            format!("{into} STREAM(s) KEYS id SEQUENCE BY seq"),
            "1:54: unexpected `id` behind `KEYS`; expected `KEYS (column, ...)`",
        ),
        (
            format!("{into} STREAM(s) KEYS (id, s.id) SEQUENCE BY seq"),
            "1:59: `s.id` has several parts; expected the plain name of a column",
        ),
        (
            behind("COLUMNS"),
            "3:8: the statement ends too early behind `COLUMNS`; expected `COLUMNS (column, ...)` or \
             `COLUMNS * EXCEPT (column, ...)`",
        ),
        (behind("COLUMNS a, "), "3:11: the list ends in a comma; expected the name of a column"),
        (
            behind("COLUMNS STORED AS SCD TYPE 1"),
            "3:9: unexpected `STORED` behind `COLUMNS`; expected `COLUMNS (column, ...)` or \
             `COLUMNS * EXCEPT (column, ...)`",
        ),
        (
            behind("STORED AS SCD TYPE 2\nTRACK HISTORY ON a.b"),
            "4:19: unexpected `.`; expected a clause such as `SEQUENCE BY`, or `;`",
        ),
        (
            with("IGNORE NULL UPDATES ON *"),
            "2:24: `IGNORE NULL UPDATES ON *` has no exceptions; expected `IGNORE NULL UPDATES ON (column, ...)` or \
             `IGNORE NULL UPDATES ON * EXCEPT (column, ...)`",
        ),
        (behind("COLUMNS (a.b)"), "3:10: `a.b` has several parts; expected the plain name of a column"),
        (
            behind("STORED AS SCD TYPE 3"),
            "3:11: there is no SCD type `3`; expected `SCD TYPE 1`, `SCD TYPE 2` or `BITEMPORAL`",
        ),
    ];
    for (text, expected) in rows {
        assert_eq!(fault(&text), expected, "{text}");
    }
}

#[test]
fn a_thousand_flows_are_enough() {
    let flow = |i| format!("APPLY CHANGES INTO t{i} FROM STREAM(s) KEYS (id) SEQUENCE BY seq");
    let text = (0..1001).map(flow).collect::<Vec<_>>().join(";\n");
    assert_eq!(fault(&text), "1001:1: more than 1000 flows are defined here; expected fewer");
}

#[test]
fn the_older_name_needs_a_stream_as_well() {
    assert_eq!(
        fault("APPLY CHANGES INTO LIVE.t FROM LIVE.s KEYS (id) SEQUENCE BY seq"),
        "1:32: the source `LIVE.s` is no stream; expected `STREAM(LIVE.s)`"
    );
    assert_eq!(
        fault("CREATE STREAMING TABLE t FLOW AUTO CDC FROM s KEYS (id) SEQUENCE BY seq"),
        "1:45: the source `s` is no stream; expected `STREAM(s)`"
    );
}

#[test]
fn the_head_of_a_flow() {
    let rows = [
        (
            "CREATE FLOW AS AUTO CDC INTO t FROM STREAM(s) KEYS (id) SEQUENCE BY seq",
            "1:13: unexpected `AS`; expected the flow's name",
        ),
        (
            "CREATE FLOW f AUTO CDC INTO t",
            "1:15: unexpected `AUTO`; expected `AS AUTO CDC INTO table` behind the flow's name",
        ),
        (
            "CREATE FLOW f AS APPLY t",
            "1:18: unexpected `APPLY`; expected `AS AUTO CDC INTO table` behind the flow's name",
        ),
        (
            "CREATE FLOW f",
            "1:14: the statement ends too early; expected `AS AUTO CDC INTO table` behind the flow's name",
        ),
        ("CREATE FLOW f AS AUTO CDC t", "1:27: unexpected `t`; expected `INTO table`"),
        (
            "CREATE FLOW f AS AUTO CDC INTO FROM STREAM(s)",
            "1:32: unexpected `FROM`; expected the name of a table",
        ),
        ("CREATE FLOW f AS AUTO CDC INTO 't' FROM", "1:32: unexpected `'t'`; expected the name of a table"),
        (
            "AUTO CDC INTO t FROM STREAM(s)",
            "1:1: unexpected `AUTO CDC`; expected `CREATE FLOW name AS` before it",
        ),
        (
            "APPLY CHANGES INTO t STREAM(s) KEYS (id) SEQUENCE BY a",
            "1:22: unexpected `STREAM`; expected `FROM STREAM(table)`",
        ),
    ];
    for (text, expected) in rows {
        assert_eq!(fault(text), expected, "{text}");
    }
}

#[test]
fn the_source() {
    let rows = [
        (
            "STREAM() KEYS (id)",
            "1:39: `STREAM` takes the name of a table or a view; expected `STREAM(table)`",
        ),
        (
            "STREAM(SELECT * FROM x) KEYS (id)",
            "1:46: `STREAM` takes the name of a table or a view; expected `STREAM(table)`",
        ),
        ("STREAM(s KEYS (id)", "1:45: the parenthesis of the source isn't closed; expected `)`"),
        (
            "STREAM s WITH x KEYS (id)",
            "1:53: unexpected `x` behind `WITH`; expected the options in parentheses",
        ),
        ("STREAM(s) AS KEYS (id)", "1:52: unexpected `KEYS` behind `AS`; expected an alias"),
        ("STREAM(s) WHERE a = 1 KEYS (id)", "1:55: unexpected `a`; expected `KEYS (column, ...)`"),
        ("'s' KEYS (id)", "1:39: unexpected `'s'`; expected `STREAM(table)`"),
        (
            "read_files('/in') KEYS (id)",
            "1:39: the source `read_files('/in')` is no stream; expected `STREAM(table)`",
        ),
        ("SNAPSHOT () KEYS (id)", "1:48: `SNAPSHOT` has no query; expected `SNAPSHOT (SELECT ...)`"),
        (
            "SNAPSHOT (SELECT 1) WITH VERSION 3 KEYS (id)",
            "1:72: unexpected `3`; expected a whole query: `WITH VERSION (SELECT ...)`",
        ),
    ];
    for (source, expected) in rows {
        let text = format!("CREATE FLOW f AS AUTO CDC INTO t FROM {source} SEQUENCE BY seq");
        assert_eq!(fault(&text), expected, "{text}");
    }
}

#[test]
fn everything_wrong_is_told_at_once() {
    let text =
        "CREATE STREAMING TABLE t TBLPROPERTIES ('pipelines.cdc.tombstoneGCThresholdInSeconds' = '2 days');
CREATE FLOW f AS AUTO CDC INTO t FROM s
  KEYS ()
  APPLY AS DELETE WHEN op = = 'D'
  SEQUENCE BY seq
  COLUMNS ()
  STORED AS SCD TYPE 4
CREATE FLOW g AS AUTO CDC INTO t FROM STREAM(s);
SELECT 1;
CREATE FLOW F AS AUTO CDC INTO u FROM STREAM(s) KEYS (id) SEQUENCE BY seq;
APPLY CHANGES INTO v FROM STREAM(s) KEYS () SEQUENCE BY 'open";
    assert_eq!(
        faults(text),
        [
            "1:89: pipelines.cdc.tombstoneGCThresholdInSeconds is `'2 days'`; expected a whole number of \
             seconds, \
             such as `'172800'`",
            "2:39: the source `s` is no stream; expected `STREAM(s)`",
            "3:8: `KEYS` names no column; expected at least one",
            "4:29: `APPLY AS DELETE WHEN`: unexpected `=`; expected an expression",
            "6:11: `COLUMNS` names no column; expected at least one",
            "7:13: there is no SCD type `4`; expected `SCD TYPE 1`, `SCD TYPE 2` or `BITEMPORAL`",
            "8:1: unexpected `CREATE FLOW`; expected `;` before it",
            "8:1: `KEYS` is missing; expected `KEYS (column, ...)` behind the source",
            "8:1: `SEQUENCE BY` is missing; expected a column, or `STRUCT(column, ...)`, that orders the \
             events \
             [MISSING_CLAUSES_FOR_OPERATION]",
            "10:13: a flow `F` is defined above; expected a name of its own, as in `CREATE FLOW name AS ...`",
            "11:57: the text isn't ended; expected `'`",
        ]
    );
}

#[test]
fn a_missing_semicolon() {
    let text = "CREATE OR REFRESH STREAMING TABLE t
CREATE FLOW f AS AUTO CDC INTO t FROM STREAM(s) KEYS (id) SEQUENCE BY seq";
    assert_eq!(fault(text), "2:1: unexpected `CREATE FLOW`; expected `;` before it");
}

#[test]
fn texts_names_and_comments_without_an_end() {
    let before = behind("");
    for (text, expected) in [
        ("SELECT 'a;\n\n", "4:8: the text isn't ended; expected `'`"),
        ("SELECT \"a;", "4:8: the text isn't ended; expected `\"`"),
        ("SELECT `a;", "4:8: the name isn't ended; expected another backtick"),
        ("SELECT $$a;", "4:8: the text isn't ended; expected `$$`"),
        ("/* a /* b */", "4:1: the comment isn't ended; expected `*/`"),
        ("CREATE FLOW f AS AUTO CDC INTO 'x;", "4:32: the text isn't ended; expected `'`"),
        (
            "APPLY CHANGES INTO u FROM s KEYS () APPLY AS DELETE WHEN op = 'D SEQUENCE BY a;",
            "4:63: the text isn't ended; expected `'`",
        ),
        ("APPLY CHANGES INTO u FROM STREAM(s) /* KEYS", "4:37: the comment isn't ended; expected `*/`"),
        ("APPLY CHANGES INTO `u FROM STREAM(s)", "4:20: the name isn't ended; expected another backtick"),
    ] {
        assert_eq!(fault(&format!("{before}\n{text}")), expected, "{text}");
        let alone = expected.replace("4:", "1:");
        assert_eq!(fault(text), alone, "{text}");
    }
}

#[test]
fn the_two_flows_of_a_target_need_names() {
    let text = "APPLY CHANGES INTO t FROM STREAM(a) KEYS (id) SEQUENCE BY seq;
APPLY CHANGES INTO t FROM STREAM(b) KEYS (id) SEQUENCE BY seq;";
    assert_eq!(
        fault(text),
        "2:20: a flow `t` is defined above; expected a name of its own, as in `CREATE FLOW name AS ...`"
    );
}

#[test]
fn a_file_without_a_flow() {
    let expected = "no flow is defined here; expected `CREATE FLOW name AS AUTO CDC INTO table ...`, \
                    `CREATE STREAMING TABLE table FLOW AUTO CDC ...` or `APPLY CHANGES INTO table ...`";
    for text in ["", "-- nothing", ";;", "SELECT 1", "CREATE FLOW f AS INSERT INTO t BY NAME SELECT 1"] {
        assert_eq!(faults(text), [expected], "{text}");
    }
}

#[test]
fn a_file_without_a_flow_of_spark() {
    let fault = read_as("SELECT 1", Dialect::Spark43).unwrap_err().to_string();
    let expected = "p.sql: no flow is defined here; expected `CREATE FLOW name AS AUTO CDC INTO table ...` or \
                    `CREATE STREAMING TABLE table FLOW AUTO CDC ...`";
    assert_eq!(fault, expected);
}

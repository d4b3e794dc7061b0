//! Clauses that are refused, each with its place and its message.

use super::{behind, fault, faults, with};

#[test]
fn words_and_columns_of_clauses() {
    let rows = [
        (with("IGNORE NULLS"), "2:8: unexpected `NULLS`; expected `NULL`, as in `IGNORE NULL UPDATES`"),
        (
            with("IGNORE NULL UPDATES ON a"),
            "2:24: unexpected `a` behind `IGNORE NULL UPDATES ON`; expected `IGNORE NULL UPDATES ON \
             (column, ...)` \
             or `IGNORE NULL UPDATES ON * EXCEPT (column, ...)`",
        ),
        (
            with("APPLY AS DELETE op = 'D'"),
            "2:17: unexpected `op`; expected `WHEN`, as in `APPLY AS DELETE WHEN`",
        ),
        (
            behind("APPLY AS DELETES (op = 'D')"),
            "3:10: unexpected `DELETES`; expected `DELETE`, as in `APPLY AS DELETE WHEN`",
        ),
        (with("APPLY AS DELETE WHEN"), "3:1: `APPLY AS DELETE WHEN` has no expression; expected a condition"),
        (behind("COLUMNS (a, )"), "3:12: the list ends in a comma; expected the name of a column"),
        (behind("COLUMNS (a b)"), "3:12: unexpected `b` in `COLUMNS`; expected `,` or `)`"),
        (behind("COLUMNS (a-b)"), "3:11: unexpected `-` in `COLUMNS`; expected `,` or `)`"),
        (behind("COLUMNS (a"), "3:9: the parenthesis of `COLUMNS` isn't closed; expected `)`"),
        (
            behind("COLUMNS ('a')"),
            "3:10: unexpected `'a'`; expected the name of a column, in backticks if it needs quotes",
        ),
        (
            behind("COLUMNS * EXCEPT a"),
            "3:18: unexpected `a` behind `COLUMNS * EXCEPT`; expected `COLUMNS * EXCEPT (column, ...)`",
        ),
        (
            behind("STORED AS TYPE 2"),
            "3:11: unexpected `TYPE`; expected `SCD TYPE 1`, `SCD TYPE 2` or `BITEMPORAL`",
        ),
        (
            behind("STORED AS SCD TYPE"),
            "3:19: the statement ends too early; expected `SCD TYPE 1`, `SCD TYPE 2` or `BITEMPORAL`",
        ),
        (
            behind("COLUMNS TO UPDATE (a)"),
            "3:19: `COLUMNS TO UPDATE` takes one column: unexpected `(`; expected the name of a column",
        ),
        (
            behind("COLUMNS TO UPDATE a, b"),
            "3:20: `COLUMNS TO UPDATE` takes one column: unexpected `,`; expected the next clause, or `;`",
        ),
        (behind("COLUMNS TO UPDATE"), "3:18: `COLUMNS TO UPDATE` names no column; expected one"),
        (behind("SYSTEM SEQUENCE BY"), "3:19: `SYSTEM SEQUENCE BY` names no column; expected one"),
        (
            behind("SYSTEM SEQUENCE BY a.b"),
            "3:21: `SYSTEM SEQUENCE BY` takes one column: unexpected `.`; expected the next clause, or `;`",
        ),
        (
            behind("STORED AS BITEMPORAL\nPARTITIONED BY (a)"),
            "4:1: unexpected `PARTITIONED`; expected a clause such as `SEQUENCE BY`, or `;`",
        ),
    ];
    for (text, expected) in rows {
        assert_eq!(fault(&text), expected, "{text}");
    }
}

#[test]
fn expressions_point_at_their_place() {
    let rows = [
        (
            with("APPLY AS DELETE WHEN op = 'D' AND /* é */\n  (a = )"),
            "3:8: `APPLY AS DELETE WHEN`: unexpected `)`; expected an expression",
        ),
        (
            with("APPLY AS TRUNCATE WHEN op = 'D' OR"),
            "2:35: `APPLY AS TRUNCATE WHEN`: the text ends too early; expected an expression",
        ),
        (
            with("APPLY AS DELETE WHEN (op = 'D'"),
            "2:31: `APPLY AS DELETE WHEN`: the text ends too early; expected `)`",
        ),
        (
            "APPLY CHANGES INTO t FROM STREAM(s) KEYS (id) SEQUENCE BY a, b".to_owned(),
            "1:60: `SEQUENCE BY`: unexpected `,` behind the expression; expected its end",
        ),
        (
            "APPLY CHANGES INTO t FROM STREAM(s) KEYS (id) SEQUENCE BY".to_owned(),
            "1:58: `SEQUENCE BY` has no expression; expected a column, or `STRUCT(column, ...)`",
        ),
    ];
    for (text, expected) in rows {
        assert_eq!(fault(&text), expected, "{text}");
    }
}

#[test]
fn a_flow_from_snapshots_takes_few_clauses() {
    let text = "CREATE FLOW f AS AUTO CDC INTO t FROM SNAPSHOT (SELECT 1) WITH VERSION (SELECT 1) KEYS (id)\n\
                SEQUENCE BY a\nCOLUMNS (a)";
    let expected = "; expected `KEYS`, `STORED AS` or `TRACK HISTORY ON`";
    assert_eq!(
        faults(text),
        [
            format!("2:1: a flow from snapshots takes no `SEQUENCE BY`{expected}"),
            format!("3:1: a flow from snapshots takes no `COLUMNS`{expected}"),
        ]
    );
}

//! The grammar of Apache Spark 4.3, row by row of section 1.4 of the semantics, in its order.
//!
//! Its first row is of Spark 4.2.1, which has no `AUTO CDC` in SQL at all, and is no dialect here.

use cdc_core::{Dialect, Flow, Plan, ScdType};

use super::{names, read_as, told, without_path};

/// What a row says of its probes.
enum Row {
    /// Accepted, without a warning.
    Accepted(Box<Flow>),
    /// Refused, with this message at its line and column.
    Refused(String),
}

fn accepted(flow: Flow) -> Row {
    Row::Accepted(Box::new(flow))
}

fn refused(message: &str) -> Row {
    Row::Refused(message.to_owned())
}

/// Refused as a clause that Spark doesn't have, on the second line.
fn lacking(clause: &str) -> Row {
    Row::Refused(format!(
        "2:1: Apache Spark 4.3 has no `{clause}`; expected only `KEYS`, `APPLY AS DELETE WHEN`, `SEQUENCE BY`, \
         `COLUMNS`, `STORED AS` and `TRACK HISTORY ON`"
    ))
}

/// Refused as no list of columns of a clause.
fn no_columns(what: &str, clause: &str) -> Row {
    Row::Refused(format!("{what}; expected `{clause} (column, ...)` or `{clause} * EXCEPT (column, ...)`"))
}

/// The flow of a statement that says no more than it must.
fn base() -> Flow {
    Flow { keys: names(&["id"]), sequence_by: "seq".into(), dialect: Dialect::Spark43, ..Flow::default() }
}

fn two() -> Flow {
    Flow { stored_as_scd_type: ScdType::Two, ..base() }
}

fn deleting() -> Flow {
    Flow { apply_as_deletes: Some("op = 'D'".into()), ..base() }
}

fn check(rows: impl IntoIterator<Item = (String, Row)>) {
    for (text, row) in rows {
        let read = read_as(&text, Dialect::Spark43);
        match row {
            Row::Accepted(flow) => {
                let read = read.unwrap_or_else(|faults| panic!("{faults}\n{text}"));
                assert_eq!(read.warnings(), [], "{text}");
                assert_eq!(read.flows[0].flow, *flow, "{text}");
            }
            Row::Refused(message) => assert_eq!(told(&read.expect_err(&text)), [message], "{text}"),
        }
    }
}

/// A flow from a source.
fn from(source: &str) -> String {
    format!("CREATE FLOW f AS AUTO CDC INTO t\nFROM {source} KEYS (id) SEQUENCE BY seq")
}

/// A flow with clauses behind its source, on the second line.
fn clauses(clauses: &str) -> String {
    format!("CREATE FLOW f AS AUTO CDC INTO t FROM STREAM(s)\n{clauses}")
}

/// A flow with clauses behind its sequence, on the second line.
fn behind(more: &str) -> String {
    format!("CREATE FLOW f AS AUTO CDC INTO t FROM STREAM(s) KEYS (id) SEQUENCE BY seq\n{more}")
}

#[test]
fn the_two_statements() {
    let flow = "FLOW AUTO CDC FROM STREAM(s) KEYS (id) SEQUENCE BY seq";
    check([
        (from("STREAM(s)"), accepted(base())),
        (format!("CREATE STREAMING TABLE t {flow}"), accepted(base())),
        (format!("CREATE STREAMING TABLE IF NOT EXISTS t {flow}"), accepted(base())),
        (format!("CREATE STREAMING TABLE t (id BIGINT, city STRING) {flow}"), accepted(base())),
        (format!("CREATE STREAMING TABLE IF NOT EXISTS t (id BIGINT) {flow}"), accepted(base())),
    ]);
}

#[test]
fn the_source() {
    check([
        (from("s"), refused("2:6: the source `s` is no stream; expected `STREAM(s)`")),
        (from("STREAM(s)"), accepted(base())),
        (from("STREAM s"), accepted(base())),
        (from("(SELECT * FROM STREAM(s))"), accepted(base())),
        (from("STREAM s WITH ('maxFilesPerTrigger' = '1')"), accepted(base())),
    ]);
}

#[test]
fn the_order_of_clauses() {
    check([
        (clauses("KEYS (id) APPLY AS DELETE WHEN op = 'D' SEQUENCE BY seq"), accepted(deleting())),
        (clauses("KEYS (id) SEQUENCE BY seq APPLY AS DELETE WHEN op = 'D'"), accepted(deleting())),
        (
            behind("STORED AS SCD TYPE 2 COLUMNS (id, a)"),
            accepted(Flow { column_list: Some(names(&["id", "a"])), ..two() }),
        ),
        (
            behind("TRACK HISTORY ON (a) STORED AS SCD TYPE 2"),
            accepted(Flow { track_history_column_list: Some(names(&["a"])), ..two() }),
        ),
        (
            clauses("SEQUENCE BY seq KEYS (id)"),
            refused("2:1: unexpected `SEQUENCE BY`; expected `KEYS (column, ...)` first, behind the source"),
        ),
        (
            clauses("KEYS (a) KEYS (b) SEQUENCE BY seq"),
            refused(
                "2:10: `KEYS` is given twice, and Apache Spark takes the first for an alias of the source; expected \
                 it once",
            ),
        ),
    ]);
}

#[test]
fn a_clause_twice_or_never() {
    check([
        (
            behind("SEQUENCE BY seq"),
            refused("2:1: `SEQUENCE BY` is given twice; expected it once [DUPLICATE_CLAUSES]"),
        ),
        (
            behind("STORED AS SCD TYPE 1 STORED AS SCD TYPE 2"),
            refused("2:22: `STORED AS` is given twice; expected it once [DUPLICATE_CLAUSES]"),
        ),
        (
            clauses("KEYS (id)"),
            refused(
                "1:1: `SEQUENCE BY` is missing; expected a column, or `STRUCT(column, ...)`, that orders the events \
                 [MISSING_CLAUSES_FOR_OPERATION]",
            ),
        ),
    ]);
}

#[test]
fn keys() {
    check([
        (clauses("KEYS () SEQUENCE BY seq"), refused("2:6: `KEYS` names no column; expected at least one")),
        (
            clauses("KEYS id SEQUENCE BY seq"),
            refused("2:6: unexpected `id` behind `KEYS`; expected `KEYS (column, ...)`"),
        ),
        (
            clauses("KEYS (s.id) SEQUENCE BY seq"),
            refused("2:7: `s.id` has several parts; expected the plain name of a column"),
        ),
    ]);
}

#[test]
fn columns() {
    check([
        (behind("COLUMNS (a, b)"), accepted(Flow { column_list: Some(names(&["a", "b"])), ..base() })),
        (
            behind("COLUMNS * EXCEPT (a)"),
            accepted(Flow { except_column_list: Some(names(&["a"])), ..base() }),
        ),
        (behind("COLUMNS *"), no_columns("2:9: `COLUMNS *` has no exceptions", "COLUMNS")),
        (behind("COLUMNS a, b"), no_columns("2:9: unexpected `a` behind `COLUMNS`", "COLUMNS")),
        (
            behind("COLUMNS (a.b)"),
            refused("2:10: `a.b` has several parts; expected the plain name of a column"),
        ),
    ]);
}

#[test]
fn track_history_on() {
    check([
        (
            behind("STORED AS SCD TYPE 2 TRACK HISTORY ON (a)"),
            accepted(Flow { track_history_column_list: Some(names(&["a"])), ..two() }),
        ),
        (
            behind("STORED AS SCD TYPE 2 TRACK HISTORY ON * EXCEPT (a)"),
            accepted(Flow { track_history_except_column_list: Some(names(&["a"])), ..two() }),
        ),
        (
            behind("STORED AS SCD TYPE 2 TRACK HISTORY ON a"),
            no_columns("2:39: unexpected `a` behind `TRACK HISTORY ON`", "TRACK HISTORY ON"),
        ),
        (
            behind("STORED AS SCD TYPE 2 TRACK HISTORY ON *"),
            no_columns("2:39: `TRACK HISTORY ON *` has no exceptions", "TRACK HISTORY ON"),
        ),
    ]);
}

#[test]
fn stored_as_and_sequence_by() {
    check([
        (
            behind("STORED AS SCD TYPE 3"),
            refused("2:11: there is no SCD type `3`; expected `SCD TYPE 1` or `SCD TYPE 2`"),
        ),
        (
            clauses("KEYS (id) SEQUENCE BY struct(a, b)"),
            accepted(Flow { sequence_by: "struct(a, b)".into(), ..base() }),
        ),
    ]);
}

#[test]
fn what_databricks_alone_has() {
    check([
        (behind("IGNORE NULL UPDATES"), lacking("IGNORE NULL UPDATES")),
        (behind("APPLY AS TRUNCATE WHEN op = 'T'"), lacking("APPLY AS TRUNCATE WHEN")),
        (
            "CREATE FLOW f AS AUTO CDC ONCE INTO t FROM STREAM(s) KEYS (id) SEQUENCE BY seq".to_owned(),
            refused("1:27: Apache Spark 4.3 has no `ONCE`; expected `AUTO CDC` without it"),
        ),
        (
            "CREATE STREAMING TABLE t FLOW AUTO CDC ONCE FROM STREAM(s) KEYS (id) SEQUENCE BY seq".to_owned(),
            refused("1:40: Apache Spark 4.3 has no `ONCE`; expected `AUTO CDC` without it"),
        ),
        (behind("SYSTEM SEQUENCE BY known"), lacking("SYSTEM SEQUENCE BY")),
        (
            behind("STORED AS BITEMPORAL"),
            refused("2:11: Apache Spark 4.3 has no `BITEMPORAL`; expected `SCD TYPE 1` or `SCD TYPE 2`"),
        ),
        (behind("COLUMNS TO UPDATE changed"), lacking("COLUMNS TO UPDATE")),
        (
            "CREATE FLOW f AS AUTO CDC INTO t\nFROM SNAPSHOT (SELECT * FROM s) KEYS (id)".to_owned(),
            refused("2:6: Apache Spark 4.3 has no `FROM SNAPSHOT`; expected `FROM STREAM(table)`"),
        ),
        (
            "APPLY CHANGES INTO t FROM STREAM(s) KEYS (id) SEQUENCE BY seq".to_owned(),
            refused(
                "1:1: Apache Spark 4.3 has no `APPLY CHANGES INTO`; expected `CREATE FLOW name AS AUTO CDC INTO table`",
            ),
        ),
        (
            "CREATE FLOW f AS APPLY CHANGES INTO t FROM STREAM(s) KEYS (id) SEQUENCE BY seq".to_owned(),
            refused("1:18: Apache Spark 4.3 has no `APPLY CHANGES`; expected `AUTO CDC`"),
        ),
        (
            "CREATE OR REFRESH STREAMING TABLE t FLOW AUTO CDC FROM STREAM(s) KEYS (id) SEQUENCE BY seq"
                .to_owned(),
            refused(
                "1:8: Apache Spark 4.3 has no `OR REFRESH`; expected `CREATE STREAMING TABLE table FLOW AUTO CDC ...`",
            ),
        ),
    ]);
}

/// What the plan of a flow that Spark's parser accepts is refused for.
fn refusal(text: &str) -> String {
    let read = read_as(text, Dialect::Spark43).unwrap();
    let schema = "id BIGINT, a STRING, seq BIGINT".parse().unwrap();
    Plan::new(read.flows[0].flow.clone(), schema).unwrap_err().to_string()
}

#[test]
fn what_the_parser_accepts_and_the_flow_is_refused_for() {
    let tracked = refusal(&behind("STORED AS SCD TYPE 1 TRACK HISTORY ON (a)"));
    let expected = "`track_history_column_list`: tracking history needs SCD type 2 or BITEMPORAL; this flow is stored \
                    as SCD type 1 [AUTOCDC_TRACK_HISTORY_REQUIRES_SCD2]";
    assert_eq!(tracked, expected);
    // Spark takes any expression; here a sequence is a column or a struct of columns.
    let computed = refusal(&clauses("KEYS (id) SEQUENCE BY abs(seq)"));
    let expected = "`sequence_by`: `abs(seq)` is no column; expected a column or `struct(column, column)`, and what \
                    is computed as a column of the source";
    assert_eq!(computed, expected);
}

#[test]
fn what_else_databricks_alone_has() {
    check([(
        clauses("KEYS (id) WHERE a > 1 SEQUENCE BY seq"),
        refused("2:11: unexpected `WHERE`; expected a clause such as `SEQUENCE BY`, or `;`"),
    )]);
    let text =
        "CREATE STREAMING TABLE t\nTBLPROPERTIES ('pipelines.cdc.tombstoneGCThresholdInSeconds' = '60');\n"
            .to_owned()
            + &from("STREAM(s)");
    let read = read_as(&text, Dialect::Spark43).unwrap();
    let warnings: Vec<String> =
        read.warnings().iter().map(|warning| without_path(&warning.to_string())).collect();
    let expected = "2:16: Apache Spark 4.3 remembers deletes for ever; \
                    pipelines.cdc.tombstoneGCThresholdInSeconds is ignored";
    assert_eq!(warnings, [expected]);
    assert_eq!(read.flows[0].flow, base());
}

//! Everything that is read, without a warning.

use cdc_core::{DataType, Flow, ScdType};

use super::{behind, flow, names, one, sound, with};

/// What the shortest flow says.
fn shortest() -> Flow {
    Flow { keys: names(&["id"]), sequence_by: "seq".into(), ..Flow::default() }
}

#[test]
fn every_clause_in_databricks_order() {
    let text = "CREATE OR REFRESH STREAMING TABLE t;
CREATE FLOW f AS AUTO CDC ONCE INTO t
  FROM STREAM(s)
  KEYS (k1, k2)
  IGNORE NULL UPDATES ON (a, b)
  APPLY AS DELETE WHEN op = 'DELETE'
  APPLY AS TRUNCATE WHEN op = 'TRUNCATE'
  SEQUENCE BY STRUCT(lsn, pos)
  SYSTEM SEQUENCE BY known_at
  COLUMNS * EXCEPT (op, lsn, pos)
  STORED AS BITEMPORAL
  TRACK HISTORY ON (a, b)
  COLUMNS TO UPDATE touched;";
    let definition = one(text);
    assert_eq!((&*definition.name, &*definition.target, definition.line), ("f", "t", 2));
    let expected = Flow {
        keys: names(&["k1", "k2"]),
        sequence_by: "STRUCT(lsn, pos)".into(),
        system_sequence_by: Some("known_at".into()),
        ignore_null_updates_column_list: Some(names(&["a", "b"])),
        columns_to_update: Some("touched".into()),
        apply_as_deletes: Some("op = 'DELETE'".into()),
        apply_as_truncates: Some("op = 'TRUNCATE'".into()),
        except_column_list: Some(names(&["op", "lsn", "pos"])),
        stored_as_scd_type: ScdType::Bitemporal,
        track_history_column_list: Some(names(&["a", "b"])),
        once: true,
        ..Flow::default()
    };
    assert_eq!(definition.flow, expected);
}

#[test]
fn the_shortest_flow_is_of_type_1() {
    assert_eq!(flow(&with("")), shortest());
    assert_eq!(flow("create flow F as auto cdc into T from stream s keys(id) sequence by seq"), shortest());
}

#[test]
fn the_table_and_its_flow_in_one_statement() {
    for text in [
        "CREATE STREAMING TABLE t FLOW AUTO CDC FROM STREAM(s) KEYS (id) SEQUENCE BY seq",
        "CREATE OR REFRESH STREAMING TABLE t FLOW AUTO CDC FROM STREAM s KEYS (id) SEQUENCE BY seq;",
        "CREATE STREAMING TABLE IF NOT EXISTS t (id INT, note STRING COMMENT 'FLOW AUTO CDC')\n\
         COMMENT 'of customers' FLOW AUTO CDC FROM STREAM(s) KEYS (id) SEQUENCE BY seq;",
    ] {
        let definition = one(text);
        assert_eq!((&*definition.name, &*definition.target, definition.line), ("t", "t", 1), "{text}");
        assert_eq!(definition.flow, shortest(), "{text}");
    }
    let once = "CREATE STREAMING TABLE t FLOW AUTO CDC ONCE FROM s KEYS (id) SEQUENCE BY seq";
    assert!(flow(once).once);
}

#[test]
fn apply_changes_is_the_older_name() {
    let text = "CREATE OR REFRESH STREAMING LIVE TABLE customers;
APPLY CHANGES INTO LIVE.customers
FROM STREAM(LIVE.changes)
KEYS (id)
APPLY AS DELETE WHEN operation = \"DELETE\"
SEQUENCE BY seq
COLUMNS * EXCEPT (operation, seq)
STORED AS SCD TYPE 2
TRACK HISTORY ON * EXCEPT (city);";
    let definition = one(text);
    assert_eq!((&*definition.name, &*definition.target, definition.line), ("customers", "LIVE.customers", 2));
    let expected = Flow {
        apply_as_deletes: Some("operation = \"DELETE\"".into()),
        except_column_list: Some(names(&["operation", "seq"])),
        stored_as_scd_type: ScdType::Two,
        track_history_except_column_list: Some(names(&["city"])),
        ..shortest()
    };
    assert_eq!(definition.flow, expected);
}

#[test]
fn each_clause_in_each_of_its_forms() {
    let rows: &[(String, Flow)] = &[
        (with("IGNORE NULL UPDATES"), Flow { ignore_null_updates: true, ..shortest() }),
        (
            with("IGNORE NULL UPDATES ON (a)"),
            Flow { ignore_null_updates_column_list: Some(names(&["a"])), ..shortest() },
        ),
        (
            with("IGNORE NULL UPDATES ON * EXCEPT (a, b)"),
            Flow { ignore_null_updates_except_column_list: Some(names(&["a", "b"])), ..shortest() },
        ),
        (behind("COLUMNS (a,b)"), Flow { column_list: Some(names(&["a", "b"])), ..shortest() }),
        (behind("COLUMNS * EXCEPT (a)"), Flow { except_column_list: Some(names(&["a"])), ..shortest() }),
        (behind("STORED AS SCD TYPE 1"), shortest()),
        (behind("STORED AS SCD TYPE 2"), Flow { stored_as_scd_type: ScdType::Two, ..shortest() }),
        (
            behind("TRACK HISTORY ON (a)"),
            Flow { track_history_column_list: Some(names(&["a"])), ..shortest() },
        ),
        (
            behind("STORED AS SCD TYPE 1\nTRACK HISTORY ON * EXCEPT (a)"),
            Flow { track_history_except_column_list: Some(names(&["a"])), ..shortest() },
        ),
        (behind("COLUMNS TO UPDATE c"), Flow { columns_to_update: Some("c".into()), ..shortest() }),
    ];
    for (text, expected) in rows {
        assert_eq!(flow(text), *expected, "{text}");
    }
}

#[test]
fn each_kind_of_stream_is_a_source() {
    for source in [
        "STREAM(s)",
        "STREAM (s)",
        "STREAM s",
        "STREAM s WITH (skipChangeCommits = true)",
        "STREAM(a.b.s)",
        "STREAM a.b.`odd s`",
        "STREAM(LIVE.s) AS changes",
        "STREAM(s) changes",
        "(SELECT * FROM STREAM(s))",
        "(SELECT * FROM STREAM s) AS changes",
        "(FROM STREAM s)",
        "STREAM(keys)",
        "STREAM columns",
        "STREAM read_files('/in', format => 'json')",
        "STREAM(read_kafka(subscribe => 'x'))",
        "STREAM(${raw.schema}.s)",
        "STREAM ${catalog}.bronze_${env}.s",
    ] {
        let text = format!("CREATE FLOW f AS AUTO CDC INTO t FROM {source} KEYS (id) SEQUENCE BY seq;");
        assert_eq!(flow(&text), shortest(), "{source}");
    }
}

#[test]
fn a_flow_that_runs_once_may_read_a_table() {
    let text = "CREATE FLOW f AS AUTO CDC ONCE INTO t FROM back.fill KEYS (id) SEQUENCE BY seq;";
    assert_eq!(flow(text), Flow { once: true, ..shortest() });
}

#[test]
fn names_are_plain_where_they_can_be() {
    let text = "CREATE FLOW `my flow` COMMENT 'x' AS AUTO CDC INTO `main`.silver.`the ``t``` FROM \
                STREAM(`s`)\n\
                KEYS (`id`, `order id`, `a.b`, `x``y`, 1st) SEQUENCE BY `seq`;";
    let definition = one(text);
    assert_eq!((&*definition.name, &*definition.target), ("my flow", "`main`.silver.`the ``t```"));
    assert_eq!(definition.flow.keys, ["id", "`order id`", "`a.b`", "`x``y`", "1st"]);
    assert_eq!(definition.flow.sequence_by, "`seq`");
}

#[test]
fn comments_and_line_breaks_are_left_out_of_expressions() {
    let text = "-- CREATE FLOW no AS
/* APPLY CHANGES /* INTO */ no */
CREATE FLOW f AS AUTO CDC /* once */ INTO t FROM STREAM(s) -- raw
KEYS (id -- the key
)
APPLY AS DELETE WHEN op = 'D' -- gone
  AND  note <> '-- kept;  as it is' /* or not */
SEQUENCE BY STRUCT(
  lsn, -- log
  pos
);";
    let expected = Flow {
        apply_as_deletes: Some("op = 'D' AND note <> '-- kept;  as it is'".into()),
        sequence_by: "STRUCT(lsn, pos)".into(),
        ..shortest()
    };
    assert_eq!(flow(text), expected);
    assert_eq!(one(text).line, 3);
}

#[test]
fn a_parenthesis_around_a_sequence() {
    for (written, read) in [
        ("(ts)", "ts"),
        ("((ts))", "ts"),
        ("(a,\n  b)", "STRUCT(a, b)"),
        ("struct(a)", "struct(a)"),
        ("(a) + (b)", "(a) + (b)"),
    ] {
        let text = format!("APPLY CHANGES INTO t FROM STREAM(s) KEYS (id) SEQUENCE BY {written}");
        assert_eq!(flow(&text).sequence_by, read);
    }
}

#[test]
fn a_named_flow_may_use_the_older_name() {
    let text = "CREATE FLOW f AS APPLY CHANGES INTO t FROM STREAM(s) KEYS (id) SEQUENCE BY seq";
    let definition = one(text);
    assert_eq!((&*definition.name, &definition.flow), ("f", &shortest()));
}

#[test]
fn words_of_the_grammar_may_be_columns() {
    for condition in [
        "keys = 1",
        "op = columns",
        "columns * 2 = 4",
        "NOT keys (1)",
        "track IS NULL AND ignore = stored",
        "CASE WHEN sequence = 1 THEN system ELSE apply END = 'x'",
        "CAST(stored AS INT) = 1",
        "op IN ('a', 'b') AND columns (1)",
    ] {
        let text = with(&format!("APPLY AS DELETE WHEN {condition}"));
        assert_eq!(flow(&text).apply_as_deletes.as_deref(), Some(condition));
    }
    let text = "CREATE FLOW f AS AUTO CDC INTO t FROM STREAM(s) KEYS (keys, columns)\n\
                APPLY AS DELETE WHEN a = keys SEQUENCE BY sequence COLUMNS (stored, track)\n\
                COLUMNS TO UPDATE ignore";
    let flow = flow(text);
    assert_eq!((flow.sequence_by.as_str(), flow.apply_as_deletes.as_deref()), ("sequence", Some("a = keys")));
    assert_eq!(flow.keys, ["keys", "columns"]);
    assert_eq!(flow.columns_to_update.as_deref(), Some("ignore"));
}

#[test]
fn other_statements_are_passed_over() {
    let text = "SET spark.sql.shuffle.partitions = 8;
USE CATALOG ${catalog};
CREATE FUNCTION f(x INT) RETURNS INT LANGUAGE PYTHON AS $$
  return x ; # CREATE FLOW
$$;
CREATE OR REFRESH MATERIALIZED VIEW m AS SELECT a:b.c::string, x ?:: int FROM t |> WHERE 1;
CREATE FLOW rows AS INSERT INTO log BY NAME SELECT * FROM STREAM(s);
;;
CREATE FLOW first AS AUTO CDC INTO t FROM STREAM(s) KEYS (id) SEQUENCE BY seq;
SELECT 'CREATE FLOW x; AS AUTO CDC', \"it's\", 'it\\'s', r'\\d';
APPLY CHANGES INTO LIVE.u FROM STREAM(LIVE.s) KEYS (id) SEQUENCE BY seq;
ALTER TABLE x ADD COLUMN (keys INT);
CREATE STREAMING TABLE v FLOW AUTO CDC FROM STREAM(s) KEYS (id) SEQUENCE BY seq";
    let definitions = sound(text);
    let found: Vec<(&str, usize)> =
        definitions.flows.iter().map(|definition| (&*definition.name, definition.line)).collect();
    assert_eq!(found, [("first", 9), ("u", 11), ("v", 13)]);
    assert!(definitions.flows.iter().all(|definition| definition.flow == shortest()));
}

#[test]
fn the_cells_of_a_notebook_need_no_semicolon() {
    let text = "-- Databricks notebook source
CREATE OR REFRESH STREAMING TABLE t

-- COMMAND ----------

-- MAGIC %md ## the flow
CREATE FLOW f AS AUTO CDC INTO t FROM STREAM(s) KEYS (id) SEQUENCE BY seq

-- COMMAND ----------

SELECT 1";
    assert_eq!(flow(text), shortest());
}

#[test]
fn tables_of_several_schemas_may_have_one_name() {
    let text = "APPLY CHANGES INTO a.t FROM STREAM(s) KEYS (id) SEQUENCE BY seq;
APPLY CHANGES INTO b.t FROM STREAM(s) KEYS (id) SEQUENCE BY seq;";
    let found: Vec<String> = sound(text).flows.into_iter().map(|definition| definition.name).collect();
    assert_eq!(found, ["t", "b.t"]);
}

#[test]
fn a_flow_from_snapshots_has_a_warning() {
    let text = "CREATE FLOW f AS AUTO CDC INTO t
FROM SNAPSHOT (SELECT * FROM s WHERE v = (SELECT v FROM current_snapshot_version()))
WITH VERSION (SELECT min(v) AS v FROM s WHERE v > (SELECT v FROM last_snapshot_version()))
KEYS (id) STORED AS SCD TYPE 2 TRACK HISTORY ON (a);";
    let definitions = sound(text);
    let expected = Flow {
        keys: names(&["id"]),
        stored_as_scd_type: ScdType::Two,
        track_history_column_list: Some(names(&["a"])),
        from_snapshot: Some(DataType::BigInt),
        ..Flow::default()
    };
    assert_eq!(definitions.flows[0].flow, expected);
    let warnings: Vec<String> = definitions.warnings().iter().map(ToString::to_string).collect();
    assert_eq!(
        warnings,
        ["p.sql:2:6: `FROM SNAPSHOT` in SQL is in the newest documentation only; elsewhere it is \
             Python's alone"]
    );
    let periodic = "CREATE FLOW f AS AUTO CDC INTO t FROM SNAPSHOT (SELECT * FROM s) KEYS (id)";
    assert_eq!(sound(periodic).flows[0].flow.from_snapshot, Some(DataType::BigInt));
}

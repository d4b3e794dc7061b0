//! The grammar of Databricks: every form of section 1.1 of the semantics, in its order.

use cdc_core::{DataType, Flow, ScdType};

use super::{behind, fault, names, one, sound, with};

fn base() -> Flow {
    Flow { keys: names(&["id"]), sequence_by: "seq".into(), ..Flow::default() }
}

#[test]
fn the_shape_of_the_grammar() {
    let text = "CREATE OR REFRESH STREAMING TABLE t (id BIGINT);
CREATE FLOW f AS AUTO CDC INTO t
  FROM STREAM(s)
  KEYS (k1, k2)
  IGNORE NULL UPDATES
  APPLY AS DELETE WHEN op = 'D'
  APPLY AS TRUNCATE WHEN op = 'T'
  SEQUENCE BY STRUCT(a, b)
  COLUMNS * EXCEPT (op)
  STORED AS SCD TYPE 1;";
    let expected = Flow {
        keys: names(&["k1", "k2"]),
        ignore_null_updates: true,
        apply_as_deletes: Some("op = 'D'".into()),
        apply_as_truncates: Some("op = 'T'".into()),
        sequence_by: "STRUCT(a, b)".into(),
        except_column_list: Some(names(&["op"])),
        ..Flow::default()
    };
    assert_eq!(one(text).flow, expected);
}

#[test]
fn every_clause_of_section_1_1() {
    let stored = |stored_as_scd_type| Flow { stored_as_scd_type, ..base() };
    let list = |columns: &[&str]| Some(names(columns));
    for (text, expected) in [
        (with(""), base()),
        (
            "CREATE FLOW f AS AUTO CDC ONCE INTO t FROM s KEYS (id) SEQUENCE BY seq".to_owned(),
            Flow { once: true, ..base() },
        ),
        (with("IGNORE NULL UPDATES"), Flow { ignore_null_updates: true, ..base() }),
        (
            with("IGNORE NULL UPDATES ON (a, b)"),
            Flow { ignore_null_updates_column_list: list(&["a", "b"]), ..base() },
        ),
        (
            with("IGNORE NULL UPDATES ON * EXCEPT (a, b)"),
            Flow { ignore_null_updates_except_column_list: list(&["a", "b"]), ..base() },
        ),
        (with("APPLY AS DELETE WHEN op = 'D'"), Flow { apply_as_deletes: Some("op = 'D'".into()), ..base() }),
        (
            with("APPLY AS TRUNCATE WHEN op = 'T'"),
            Flow { apply_as_truncates: Some("op = 'T'".into()), ..base() },
        ),
        (
            behind("SYSTEM SEQUENCE BY known STORED AS BITEMPORAL"),
            Flow { system_sequence_by: Some("known".into()), ..stored(ScdType::Bitemporal) },
        ),
        (behind("COLUMNS (id, a)"), Flow { column_list: list(&["id", "a"]), ..base() }),
        (behind("COLUMNS * EXCEPT (a)"), Flow { except_column_list: list(&["a"]), ..base() }),
        (behind("STORED AS SCD TYPE 1"), base()),
        (behind("STORED AS SCD TYPE 2"), stored(ScdType::Two)),
        (
            behind("STORED AS SCD TYPE 2 TRACK HISTORY ON (a)"),
            Flow { track_history_column_list: list(&["a"]), ..stored(ScdType::Two) },
        ),
        (
            behind("STORED AS SCD TYPE 2 TRACK HISTORY ON * EXCEPT (a)"),
            Flow { track_history_except_column_list: list(&["a"]), ..stored(ScdType::Two) },
        ),
        (behind("COLUMNS TO UPDATE changed"), Flow { columns_to_update: Some("changed".into()), ..base() }),
        (
            "CREATE STREAMING TABLE t FLOW AUTO CDC FROM STREAM(s) KEYS (id) SEQUENCE BY seq".to_owned(),
            base(),
        ),
        ("APPLY CHANGES INTO LIVE.t FROM STREAM(LIVE.s) KEYS (id) SEQUENCE BY seq".to_owned(), base()),
    ] {
        assert_eq!(one(&text).flow, expected, "{text}");
    }
    let snapshots = "CREATE FLOW f AS AUTO CDC INTO t FROM SNAPSHOT (SELECT * FROM s) KEYS (id)";
    let expected = Flow { keys: names(&["id"]), from_snapshot: Some(DataType::BigInt), ..Flow::default() };
    assert_eq!(sound(snapshots).flows[0].flow, expected);
}

#[test]
fn keys_twice() {
    let expected = "2:1: `KEYS` is given twice, and Apache Spark takes the first for an alias of the source; \
                    expected it once";
    assert_eq!(fault(&with("").replace("\n\n", "\nKEYS (b)\n")), expected);
}

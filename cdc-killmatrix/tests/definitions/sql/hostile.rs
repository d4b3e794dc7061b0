//! No text is a panic.

use cdc_core::Dialect;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::{read, read_as};

/// A file in which everything occurs.
const EVERYTHING: &str = "-- a pipeline
CREATE TEMPORARY VIEW v (CONSTRAINT c EXPECT (id > 0) ON VIOLATION DROP ROW) AS
  SELECT id, CAST(a AS INT) AS b, c::date FROM STREAM(raw) WHERE a <> 'x;';
CREATE OR REFRESH STREAMING TABLE `a b`.t (id BIGINT, s STRUCT<x: INT, y: MAP<STRING, INT>>,
  __START_AT TIMESTAMP, __END_AT TIMESTAMP)
TBLPROPERTIES ('pipelines.cdc.tombstoneGCThresholdInSeconds' = '3600');
CREATE FLOW `f` AS AUTO CDC ONCE INTO `a b`.t FROM STREAM(v) WITH (x = 1) AS r KEYS (id, `k``2`)
  IGNORE NULL UPDATES ON * EXCEPT (b) APPLY AS DELETE WHEN op = \"D\" AND (x IS NULL OR NOT y IN (1, 2.5e3))
  APPLY AS TRUNCATE WHEN op = 'T' /* all /* of */ it */ SEQUENCE BY STRUCT(a, b) SYSTEM SEQUENCE BY k
  COLUMNS * EXCEPT (op) STORED AS SCD TYPE 2 TRACK HISTORY ON (b) COLUMNS TO UPDATE touched;
CREATE FLOW g AS AUTO CDC INTO u FROM SNAPSHOT (SELECT 1) WITH VERSION (SELECT 2) KEYS (é);
APPLY CHANGES INTO LIVE.w FROM STREAM(LIVE.${x}.y) KEYS (id) SEQUENCE BY ts;
";

const WORDS: [&str; 68] = [
    "CREATE",
    "FLOW",
    "f",
    "AS",
    "AUTO",
    "CDC",
    "ONCE",
    "INTO",
    "t",
    "FROM",
    "STREAM",
    "SNAPSHOT",
    "WITH",
    "VERSION",
    "KEYS",
    "IGNORE",
    "NULL",
    "UPDATES",
    "ON",
    "EXCEPT",
    "APPLY",
    "CHANGES",
    "DELETE",
    "TRUNCATE",
    "WHEN",
    "SEQUENCE",
    "BY",
    "SYSTEM",
    "COLUMNS",
    "STORED",
    "SCD",
    "TYPE",
    "1",
    "2",
    "BITEMPORAL",
    "TRACK",
    "HISTORY",
    "TO",
    "UPDATE",
    "STREAMING",
    "TABLE",
    "VIEW",
    "TBLPROPERTIES",
    "CONSTRAINT",
    "EXPECT",
    "VIOLATION",
    "DROP",
    "ROW",
    "SELECT",
    "WHERE",
    "CAST",
    "(",
    ")",
    ",",
    ".",
    ";",
    "*",
    "=",
    "'",
    "`",
    "\"",
    "<",
    ">",
    "${",
    "}",
    "--",
    "/*",
    "é",
];

/// Reads a text in the grammar of each vendor, whatever comes of it.
fn read_both(text: &str) {
    for dialect in Dialect::ALL {
        let _ = read_as(text, dialect).map_err(|faults| faults.plain());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn words_in_any_order(words in vec(select(&WORDS[..]), 0..60), gap in select(&[" ", "\n", ""][..])) {
        read_both(&words.join(gap));
    }

    #[test]
    fn any_characters(text in "\\PC{0,80}") {
        read_both(&text);
        let text = format!("CREATE FLOW f AS AUTO CDC INTO t FROM {text}");
        read_both(&text);
    }

    #[test]
    fn a_file_with_parts_taken_out_and_put_in(
        cuts in vec((0..EVERYTHING.len(), 0..40_usize, select(&WORDS[..])), 1..6),
    ) {
        let mut text = EVERYTHING.to_owned();
        for (at, length, word) in cuts {
            let start = text.floor_char_boundary(at.min(text.len()));
            let end = text.floor_char_boundary((start + length).min(text.len()));
            text.replace_range(start..end, word);
        }
        read_both(&text);
    }
}

#[test]
fn a_file_cut_anywhere() {
    for (end, _) in EVERYTHING.char_indices() {
        read_both(&EVERYTHING[..end]);
    }
}

#[test]
fn deep_and_long_texts_end_in_a_message() {
    let (deep, long) = ("(".repeat(50_000), "a AND ".repeat(50_000));
    for text in [
        format!(
            "CREATE FLOW f AS AUTO CDC INTO t FROM STREAM(s) KEYS (id) APPLY AS DELETE WHEN {deep} \
             SEQUENCE BY x"
        ),
        format!(
            "CREATE FLOW f AS AUTO CDC INTO t FROM STREAM(s) KEYS (id) APPLY AS DELETE WHEN {long} a \
             SEQUENCE BY x"
        ),
        format!("CREATE FLOW f AS AUTO CDC INTO t FROM {deep}"),
        "CREATE FLOW f AS AUTO CDC INTO t FROM STREAM(s) ".to_owned() + &"KEYS (".repeat(50_000),
        "CREATE FLOW f AS AUTO CDC INTO ".to_owned() + &"t.".repeat(50_000),
        "CREATE VIEW v AS SELECT ".to_owned() + &"FROM(${".repeat(50_000),
        "CREATE TABLE t ".to_owned() + &"TBLPROPERTIES (".repeat(50_000),
        "CREATE TABLE t ".to_owned() + &deep,
        "CREATE FLOW ".repeat(20_000),
        ";".repeat(50_000),
    ] {
        assert!(read(&text).is_err(), "{}", &text[..60]);
    }
    let huge = " ".repeat((4 << 20) + 1);
    assert_eq!(
        read(&huge).unwrap_err().to_string(),
        "p.sql: the file is larger than 4 MiB; expected a smaller one"
    );
}

//! The columns of a source, from what a data engineer has at hand.
//!
//! What is in `printed` comes from Spark 4.1, of one table with every type.

mod declared;
mod listing;
mod spark;
mod places;

use std::fs;
use std::path::{Path, PathBuf};

use cdc_core::Schema;
use cdc_killmatrix::columns;

/// The columns of the table that all of `printed` is of.
const ALL: &str = "b BOOLEAN, t TINYINT, s SMALLINT, i INT, l BIGINT, f FLOAT, d DOUBLE, de DECIMAL(10,2), str STRING, \
                   bin BINARY, da DATE, ts TIMESTAMP, tn TIMESTAMP_NTZ, vc STRING, c STRING, \
                   st STRUCT<a: BIGINT, `odd name`: STRING>, ar ARRAY<STRUCT<x: INT>>, m MAP<STRING, INT>, \
                   `odd ``name` INT, part STRING";

fn schema(columns: &str) -> Schema {
    columns.parse().unwrap_or_else(|error| panic!("{columns}: {error}"))
}

fn printed(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/schemas/printed").join(name)
}

#[track_caller]
fn reads(text: &str, expected: &str) {
    match columns::read(text) {
        Ok(found) => assert_eq!(found, schema(expected), "{text}"),
        Err(faults) => panic!("{text}\n{faults}"),
    }
}

/// The faults of a text, without the name of the option.
#[track_caller]
fn faults(text: &str) -> Vec<String> {
    let Err(faults) = columns::read(text) else { panic!("nothing is wrong with {text}") };
    let shown = faults.faults().iter().map(ToString::to_string);
    shown.map(|fault| fault.strip_prefix("--schema:").unwrap_or(&fault).to_owned()).collect()
}

#[track_caller]
fn fails(text: &str, expected: &[&str]) {
    assert_eq!(faults(text), expected, "{text}");
}

#[test]
fn what_spark_prints_of_a_table_says_the_same_in_every_form() {
    for name in [
        "create.sql",
        "describe.csv",
        "schema.json.txt",
        "show.txt",
        "show_extended.txt",
        "tabs.txt",
        "tree.txt",
    ] {
        let path = printed(name);
        let found = columns::read(path.to_str().unwrap()).unwrap_or_else(|faults| panic!("{faults}"));
        assert_eq!(found, schema(ALL), "{name}");
        let text = fs::read_to_string(&path).unwrap();
        reads(&text, ALL);
        reads(&format!("\u{feff}{}", text.replace('\n', "\r\n")), ALL);
    }
}

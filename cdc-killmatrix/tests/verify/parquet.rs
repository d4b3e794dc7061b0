//! Captures in Parquet, made by pyarrow and by Spark: see parquet/make.py.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::binary::{code, killmatrix, parsed, stderr, stdout};
use crate::folder;

pub(crate) fn kept(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/verify/parquet").join(name)
}

/// A folder with a fixture and a copy of a file or folder, of the same name.
fn beside(folder: TempDir, name: &str) -> TempDir {
    let (from, to) = (kept(name), folder.path().join(name));
    if from.is_file() {
        fs::copy(from, to).unwrap();
        return folder;
    }
    fs::create_dir(&to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
    }
    folder
}

/// The exit code of a comparison, and all that it says.
pub(crate) fn verified(folder: &TempDir, fixture: &str, rows: &str) -> (i32, String) {
    let output = killmatrix(folder.path(), &["verify", fixture, "--rows", rows]);
    (code(&output), stdout(&output) + &stderr(&output))
}

pub(crate) fn of_toys(name: &str) -> (i32, String) {
    verified(&beside(folder(), name), "pets/toys.json", name)
}

/// A folder with a fixture that has a column of each type: `kinds.json`, and the same without some columns.
fn kinds(columns: &[&str]) -> TempDir {
    let types = json!({
        "id": "BIGINT", "truth": "BOOLEAN", "tiny": "TINYINT", "small": "SMALLINT", "whole": "INT", "big": "BIGINT",
        "single": "FLOAT", "double": "DOUBLE", "exact": "DECIMAL(38,10)", "text": "STRING", "bytes": "BINARY",
        "day": "DATE", "at": "TIMESTAMP", "local": "TIMESTAMP_NTZ",
        "place": "STRUCT<floor: INT, `Open Door`: BOOLEAN>", "tags": "ARRAY<STRING>", "sizes": "MAP<STRING, DOUBLE>",
    });
    let rows = json!([
        {
            "id": 1, "truth": true, "tiny": -128, "small": -32768, "whole": -2_147_483_648_i64, "big": i64::MIN,
            "single": 0.1, "double": -0.0, "exact": "-1234567890123456789012345678.0123456789",
            "text": "Zoë 😀 \u{0}\n", "bytes": "AP8=", "day": "1969-12-31", "at": "1969-12-31T23:59:59.123456Z",
            "local": "1969-12-31T23:59:59.123456", "place": { "floor": 3, "Open Door": null }, "tags": ["x", null],
            "sizes": [["w", 1.5], ["h", null]],
        },
        {
            "id": 2, "truth": false, "tiny": 127, "small": 32767, "whole": 2_147_483_647, "big": i64::MAX,
            "single": "NaN", "double": "NaN", "exact": "0.0000000001", "text": "", "bytes": "", "day": "0001-01-01",
            "at": "9999-12-31T23:59:59.999999Z", "local": "9999-12-31T23:59:59.999999",
            "place": { "floor": null, "Open Door": false }, "tags": [], "sizes": [],
        },
        {
            "id": 3, "truth": null, "tiny": null, "small": null, "whole": null, "big": null, "single": null,
            "double": "-Infinity", "exact": null, "text": null, "bytes": null, "day": "9999-12-31", "at": null,
            "local": null, "place": null, "tags": null, "sizes": null,
        },
    ]);
    let kept = |object: &Value| -> Value {
        let members = object
            .as_object()
            .unwrap()
            .iter()
            .filter(|(name, _)| columns.is_empty() || columns.contains(&&***name));
        Value::Object(members.map(|(name, value)| (name.clone(), value.clone())).collect())
    };
    let rows: Vec<Value> = rows.as_array().unwrap().iter().map(kept).collect();
    let mut schema = kept(&types);
    schema["seq"] = json!("INT");
    let event = |row: &Value| {
        let mut event = row.clone();
        event["seq"] = json!(1);
        event
    };
    let fixture = json!({
        "name": "kinds",
        "schema": schema,
        "flow": { "keys": ["id"], "sequence_by": "seq", "except_column_list": ["seq"] },
        "checkpoints": [{ "append": rows.iter().map(event).collect::<Vec<_>>(), "expect": rows }],
    });
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("kinds.json"), fixture.to_string()).unwrap();
    folder
}

#[test]
fn a_value_of_each_type_is_exact() {
    for name in ["kinds.parquet", "spark_kinds"] {
        let (code, text) = verified(&beside(kinds(&[]), name), "kinds.json", name);
        assert_eq!(code, 0, "{name}: {text}");
        assert!(text.contains(&format!("{name}: equal, 3 rows")), "{text}");
    }
}

#[test]
fn times_in_96_bits_are_exact_beyond_2262() {
    let (code, text) = verified(&beside(kinds(&["id", "at"]), "spark_int96"), "kinds.json", "spark_int96");
    assert_eq!(code, 0, "{text}");
}

#[test]
fn times_in_96_bits_are_exact_inside_other_values() {
    let row = json!({
        "id": 1, "seen": { "count": 7, "at": "9999-12-31T23:59:59.999999Z" },
        "times": ["9999-12-31T23:59:59.999999Z", null], "small": 9,
    });
    let mut event = row.clone();
    event["seq"] = json!(1);
    let fixture = json!({
        "name": "nested",
        "schema": {
            "id": "BIGINT", "seen": "STRUCT<count: INT, at: TIMESTAMP>", "times": "ARRAY<TIMESTAMP>",
            "small": "SMALLINT", "seq": "INT",
        },
        "flow": { "keys": ["id"], "sequence_by": "seq", "except_column_list": ["seq"] },
        "checkpoints": [{ "append": [event], "expect": [row] }],
    });
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("nested.json"), fixture.to_string()).unwrap();
    let (code, text) =
        verified(&beside(folder, "int96_nested.parquet"), "nested.json", "int96_nested.parquet");
    assert_eq!(code, 0, "{text}");
}

#[test]
fn the_part_of_a_nanosecond_that_no_target_has_is_no_equal_value() {
    let (code, text) =
        verified(&beside(kinds(&["id", "at"]), "nanoseconds.parquet"), "kinds.json", "nanoseconds.parquet");
    assert_eq!(code, 5, "{text}");
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("row 2: `at` is the text `1969-12-31T23:59:59.123455999Z`"), "{text}");
}

#[test]
fn each_compression_is_read() {
    for compression in ["none", "gzip", "snappy", "zstd", "lz4"] {
        let name = format!("toys_{compression}.parquet");
        let (code, text) = of_toys(&name);
        assert_eq!(code, 0, "{text}");
        assert!(text.contains(&format!("{name}: equal, 2 rows")), "{text}");
    }
}

#[test]
fn a_folder_of_spark_is_all_its_parts() {
    let (code, text) = of_toys("spark_toys");
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("spark_toys: equal, 2 rows"), "{text}");
    let folder = beside(folder(), "spark_toys");
    let call = ["verify", "pets/toys.json", "--rows", "spark_toys", "--format", "json"];
    let json = parsed(&killmatrix(folder.path(), &call));
    let paths: Vec<&str> = json["captures"][0]["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["path"].as_str().unwrap())
        .collect();
    assert_eq!(paths, ["spark_toys/part-00000.snappy.parquet", "spark_toys/part-00001.snappy.parquet"]);
    assert_eq!(json["captures"][0]["declared"][3], json!({ "column": "price", "type": "DECIMAL(6,2)" }));
}

#[test]
fn a_table_without_rows_has_columns() {
    for name in ["toys_no_rows.parquet", "spark_no_rows"] {
        let (code, text) = of_toys(name);
        assert_eq!(code, 5, "{text}");
        assert!(text.contains(&format!("{name}: differs, 0 rows")) && !text.contains("missing: `"), "{text}");
    }
}

#[test]
fn columns_and_types_differ_on_their_own() {
    for (name, expected) in [
        ("toys_without_shop.parquet", "missing: `shop`; expected every column of the target"),
        ("toys_with_colour.parquet", "unknown: the target has no column `colour`"),
        ("toys_int.parquet", "type: `id` is INT; expected BIGINT"),
    ] {
        let (code, text) = of_toys(name);
        assert_eq!(code, 5, "{text}");
        assert!(text.contains(expected) && text.contains("the rows are equal"), "{name}: {text}");
    }
    // The file's own types would say a struct.
    let (code, text) = of_toys("spark_variant");
    assert_eq!(code, 5, "{text}");
    assert!(text.contains("type: `name` is VARIANT; expected STRING"), "{text}");
}

/// What is changed in a folder.
type Change<'a> = &'a dyn Fn(&Path);

#[test]
fn a_folder_that_is_not_whole_is_no_pass() {
    let told_of = |change: Change<'_>| {
        let folder = beside(folder(), "spark_toys");
        change(&folder.path().join("spark_toys"));
        let (code, text) = verified(&folder, "pets/toys.json", "spark_toys");
        assert_eq!(code, 1, "{text}");
        text
    };
    let part = "part-00001.snappy.parquet";
    let other = |name: &str| fs::read(kept(name)).unwrap();
    let changes: [(Change<'_>, &str); 11] = [
        (&|it| fs::remove_file(it.join("_SUCCESS")).unwrap(), "there is no `_SUCCESS` in this folder"),
        (&|it| fs::create_dir(it.join("_temporary")).unwrap(), "something is still being written"),
        (&|it| fs::write(it.join("_started_7"), "").unwrap(), "something is still being written"),
        (&|it| fs::create_dir(it.join("_delta_log")).unwrap(), "this is a Delta table"),
        (&|it| fs::create_dir(it.join("city=Nice")).unwrap(), "not partitioned by a column"),
        (&|it| fs::write(it.join("rows.json"), "[]").unwrap(), "this is no part as Spark names it"),
        (
            &|it| {
                fs::remove_file(it.join(part)).unwrap();
                fs::remove_file(it.join("part-00000.snappy.parquet")).unwrap();
            },
            "there is no `part-*.parquet` in this folder",
        ),
        (&|it| fs::write(it.join(part), "").unwrap(), "part-00001.snappy.parquet: the file is empty"),
        (&|it| fs::write(it.join(part), &other("toys_int.parquet")[..900]).unwrap(), "is it complete?"),
        (
            &|it| fs::write(it.join(part), other("toys_int.parquet")).unwrap(),
            "its columns are `id` INT, `name` STRING, `shop` STRING, `price` DECIMAL(6,2); expected those of the first part",
        ),
        (
            &|it| fs::write(it.join(part), other("twice.parquet")).unwrap(),
            "its columns are `id` BIGINT, `ID` STRING",
        ),
    ];
    for (change, expected) in changes {
        let text = told_of(change);
        assert!(text.contains(expected), "{expected}: {text}");
    }
    // Both are finished, and neither is read.
    let folder = beside(folder(), "spark_toys");
    for name in ["_started_7", "_committed_7", "._SUCCESS.crc"] {
        fs::write(folder.path().join("spark_toys").join(name), "{}").unwrap();
    }
    assert_eq!(verified(&folder, "pets/toys.json", "spark_toys").0, 0);
}

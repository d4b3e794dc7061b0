//! Values, typed by the schema and never guessed.

use cdc_core::{DataType, Value};
use cdc_killmatrix::{Fixtures, to_json};

use super::Folder;

/// What a value of a type is read as, and printed as again; or what is wrong with it.
fn read(data_type: &str, json: &str) -> Result<String, String> {
    let (value, data_type) = value(data_type, json)?;
    Ok(to_json(&value, &data_type).to_string())
}

fn value(data_type: &str, json: &str) -> Result<(Value, DataType), String> {
    let text = format!(
        r#"{{"name": "a", "flow": {{"keys": ["id"], "sequence_by": "id"}}, "schema": {{"id": "INT", "x": "{data_type}"}},
            "checkpoints": [{{"append": [{{"id": 1, "x": {json}}}], "expect": []}}]}}"#
    );
    let folder = Folder::new().with("f/a.json", text);
    match Fixtures::load([folder.path("f")]) {
        Ok(fixtures) => {
            let fixture = &fixtures.suites[0].fixtures[0];
            let data_type = fixture.plan().schema()[1].data_type.clone();
            Ok((fixture.feed.events()[0].values[1].clone(), data_type))
        }
        Err(faults) => {
            let messages: Vec<&str> = faults.faults().iter().map(|fault| &*fault.message).collect();
            Err(messages.join(" | "))
        }
    }
}

/// The value is printed as it was written.
fn same(data_type: &str, json: &str) {
    assert_eq!(read(data_type, json), Ok(json.to_owned()), "{data_type}");
}

fn printed(data_type: &str, json: &str, printed: &str) {
    assert_eq!(read(data_type, json), Ok(printed.to_owned()), "{data_type} {json}");
}

fn refused(data_type: &str, json: &str, message: &str) {
    assert_eq!(read(data_type, json), Err(message.to_owned()), "{data_type} {json}");
}

#[test]
fn null_is_null_in_every_type() {
    for data_type in ["BOOLEAN", "BIGINT", "DOUBLE", "DECIMAL(4,2)", "STRING", "BINARY", "DATE", "TIMESTAMP"]
    {
        same(data_type, "null");
    }
    for data_type in ["TIMESTAMP_NTZ", "STRUCT<a: INT>", "ARRAY<INT>", "MAP<STRING, INT>"] {
        same(data_type, "null");
    }
}

#[test]
fn booleans_are_true_or_false() {
    same("BOOLEAN", "true");
    refused("BOOLEAN", "1", "`x` is the number `1`; expected true or false (BOOLEAN)");
    refused("BOOLEAN", "\"true\"", "`x` is the text `true`; expected true or false (BOOLEAN)");
}

#[test]
fn whole_numbers_are_exact_to_64_bits() {
    same("BIGINT", "9223372036854775807");
    same("BIGINT", "-9223372036854775808");
    same("BIGINT", "9007199254740993");
    printed("INT", "-0", "0");
}

#[test]
fn whole_numbers_stay_within_their_type() {
    let range = |data_type: &str, json: &str, range: &str| {
        refused(
            data_type,
            json,
            &format!("`x` is the number `{json}`; expected a whole number ({data_type}) {range}"),
        );
    };
    range("BIGINT", "9223372036854775808", "from -9223372036854775808 to 9223372036854775807");
    range("INT", "2147483648", "from -2147483648 to 2147483647");
    range("SMALLINT", "-32769", "from -32768 to 32767");
    range("TINYINT", "128", "from -128 to 127");
    same("TINYINT", "-128");
}

#[test]
fn whole_numbers_have_neither_point_nor_exponent_nor_quotes() {
    let whole = "expected a whole number (INT)";
    refused("INT", "1.0", &format!("`x` is the number `1.0`; {whole} without point and exponent"));
    refused("INT", "1e3", &format!("`x` is the number `1e3`; {whole} without point and exponent"));
    refused("INT", "\"5\"", &format!("`x` is the text `5`; {whole} without quotes"));
    refused("INT", "\"five\"", &format!("`x` is the text `five`; {whole}"));
    refused("INT", "\"\"", &format!("`x` is an empty text; {whole}"));
    refused("INT", "[1]", &format!("`x` is a list; {whole}"));
}

#[test]
fn floating_point_numbers_name_what_json_has_no_number_for() {
    for json in ["1.5", "-0.0", "1e+300", "\"NaN\"", "\"Infinity\"", "\"-Infinity\""] {
        same("DOUBLE", json);
    }
    printed("DOUBLE", "1", "1.0");
    printed("DOUBLE", "1e-400", "0.0");
    same("FLOAT", "0.1");
    same("FLOAT", "\"NaN\"");
    same("FLOAT", "\"-Infinity\"");
    refused(
        "DOUBLE",
        "\"inf\"",
        "`x` is the text `inf`; expected a number (DOUBLE), or \"NaN\", \"Infinity\", \"-Infinity\"",
    );
    refused(
        "DOUBLE",
        "\"1.5\"",
        "`x` is the text `1.5`; expected a number (DOUBLE), or \"NaN\", \"Infinity\", \"-Infinity\"",
    );
}

#[test]
fn floating_point_numbers_out_of_range_are_no_infinity() {
    let range = "within the type's range; write \"Infinity\" if that is meant";
    refused("DOUBLE", "1e400", &format!("`x` is the number `1e400`; expected a number (DOUBLE) {range}"));
    refused("FLOAT", "-1e39", &format!("`x` is the number `-1e39`; expected a number (FLOAT) {range}"));
}

#[test]
fn decimals_are_exact_and_printed_with_their_scale() {
    printed("DECIMAL(10,2)", "12.5", "\"12.50\"");
    printed("DECIMAL(10,2)", "\"12.50\"", "\"12.50\"");
    printed("DECIMAL(10,2)", "1.500", "\"1.50\"");
    printed("DECIMAL(10,2)", "1e2", "\"100.00\"");
    printed("DECIMAL(3,0)", "-7", "\"-7\"");
    same("DECIMAL(38,10)", "\"1234567890123456789012345678.0123456789\"");
    same("DECIMAL(38,38)", "\"0.00000000000000000000000000000000000001\"");
}

#[test]
fn decimals_have_no_more_digits_than_their_type() {
    let many = |json: &str, detail: &str| {
        refused(
            "DECIMAL(4,2)",
            json,
            &format!("`x` is the number `{json}`; expected a number (DECIMAL(4,2)) {detail}"),
        );
    };
    many("1.234", "with at most 2 digits behind the point");
    many("123", "with at most 2 digits before the point");
    many("1e999999999", "with at most 2 digits before the point");
    many("1e-999999999", "with at most 2 digits behind the point");
    refused("DECIMAL(4,2)", "\"1,5\"", "`x` is the text `1,5`; expected a number (DECIMAL(4,2))");
    refused("DECIMAL(4,2)", "true", "`x` is true; expected a number (DECIMAL(4,2)), with or without quotes");
}

#[test]
fn text_is_in_quotes() {
    same("STRING", "\"Zürich \\\"quoted\\\"\"");
    same("STRING", "\"\"");
    refused("STRING", "5", "`x` is the number `5`; expected text (STRING), in quotes");
    refused("STRING", "true", "`x` is true; expected text (STRING), in quotes");
    refused("STRING", "[]", "`x` is a list; expected text (STRING)");
}

#[test]
fn binary_is_base64() {
    same("BINARY", "\"AQL/\"");
    same("BINARY", "\"\"");
    let padded = "expected base64 (BINARY) with its padding, as in \"AQI=\"";
    refused("BINARY", "\"AQI\"", &format!("`x` is the text `AQI`; {padded}"));
    refused("BINARY", "\"A Q I=\"", &format!("`x` is the text `A Q I=`; {padded}"));
    refused("BINARY", "1", "`x` is the number `1`; expected base64 (BINARY), in quotes");
}

#[test]
fn days_are_days_of_the_calendar() {
    same("DATE", "\"2024-02-29\"");
    same("DATE", "\"0001-01-01\"");
    same("DATE", "\"9999-12-31\"");
    refused(
        "DATE",
        "\"2023-02-29\"",
        "`x` is the text `2023-02-29`; expected a day (DATE) that the calendar has",
    );
    refused(
        "DATE",
        "\"0000-01-01\"",
        "`x` is the text `0000-01-01`; expected a day (DATE) in a year from 0001 to 9999",
    );
    refused(
        "DATE",
        "\"29.2.2024\"",
        "`x` is the text `29.2.2024`; expected a day (DATE) such as \"2024-02-29\"",
    );
    refused("DATE", "20240229", "`x` is the number `20240229`; expected a day (DATE) such as \"2024-02-29\"");
}

#[test]
fn timestamps_are_printed_in_utc() {
    printed("TIMESTAMP", "\"2024-02-29 12:30\"", "\"2024-02-29T12:30:00Z\"");
    printed("TIMESTAMP", "\"2024-02-29T12:30:00+02:00\"", "\"2024-02-29T10:30:00Z\"");
    printed("TIMESTAMP", "\"2024-02-29T12:30:00.120000Z\"", "\"2024-02-29T12:30:00.12Z\"");
    same("TIMESTAMP", "\"2024-02-29T12:30:00.123456Z\"");
}

#[test]
fn timestamps_that_no_clock_shows_are_refused() {
    let time = |json: &str, detail: &str| {
        refused(
            "TIMESTAMP",
            &format!("\"{json}\""),
            &format!("`x` is the text `{json}`; expected a time (TIMESTAMP) {detail}"),
        );
    };
    time("2024-02-29", "such as \"2024-02-29T12:30:00\"");
    time("2016-12-31T23:59:60Z", "with seconds from 00 to 59: there are no leap seconds");
    time("2024-02-29T12:30:00.1234567Z", "with one to six digits behind the second");
    time("2024-02-29T24:00:00Z", "from 00:00:00 to 23:59:59");
    time("2024-02-29T12:30:00 UTC", "with `Z` or an offset such as `+02:00` at its end");
    time("10000-01-01T00:00:00Z", "such as \"2024-02-29T12:30:00\"");
}

#[test]
fn a_time_without_zone_has_none() {
    printed("TIMESTAMP_NTZ", "\"2024-02-29 12:30\"", "\"2024-02-29T12:30:00\"");
    same("TIMESTAMP_NTZ", "\"9999-12-31T23:59:59.999999\"");
    refused(
        "TIMESTAMP_NTZ",
        "\"2024-02-29T12:30:00Z\"",
        "`x` is the text `2024-02-29T12:30:00Z`; expected a time (TIMESTAMP_NTZ) without a zone",
    );
}

#[test]
fn structs_are_objects_with_all_fields() {
    let data_type = "STRUCT<lsn: BIGINT, pos: INT>";
    same(data_type, "{\"lsn\":10,\"pos\":null}");
    printed(data_type, "{\"POS\": 1, \"lsn\": 10}", "{\"lsn\":10,\"pos\":1}");
    refused(data_type, "{\"lsn\": 1}", "`x` has no `pos`; expected all fields, null where there is no value");
    refused(data_type, "{\"lsn\": 1, \"pos\": 1, \"pas\": 1}", "`x` has no field `pas`; did you mean `pos`?");
    refused(data_type, "{\"lsn\": 1, \"pos\": 1, \"Pos\": 1}", "`x.pos` is given twice");
    refused(data_type, "[1, 2]", &format!("`x` is a list; expected an object ({data_type}) with all fields"));
    refused(
        data_type,
        "{\"lsn\": true, \"pos\": \"a\"}",
        "`x.lsn` is true; expected a whole number (BIGINT) | `x.pos` is the text `a`; expected a whole number (INT)",
    );
}

#[test]
fn arrays_are_lists() {
    same("ARRAY<INT>", "[1,null,1]");
    same("ARRAY<ARRAY<DATE>>", "[[\"2024-02-29\"],[]]");
    refused(
        "ARRAY<INT>",
        "[1, \"a\", 2.5]",
        "`x[1]` is the text `a`; expected a whole number (INT) | `x[2]` is the number `2.5`; expected a whole number (INT) without point and exponent",
    );
    refused("ARRAY<INT>", "1", "`x` is the number `1`; expected a list (ARRAY<INT>)");
}

#[test]
fn maps_are_lists_of_pairs() {
    let data_type = "MAP<STRING, INT>";
    printed(data_type, "[[\"b\", 1], [\"a\", null]]", "[[\"a\",null],[\"b\",1]]");
    refused(data_type, "[[\"a\", 1], [\"a\", 2]]", "`x` has the key `a` twice; expected unique keys");
    refused(data_type, "[[null, 1]]", "`x[0].key` is null; expected a key, which is never null");
    refused(data_type, "[[\"a\"]]", "`x[0]` has 1 element; expected a pair, as in [\"key\", 1]");
    refused(data_type, "[\"a\"]", "`x[0]` is the text `a`; expected a pair, as in [\"key\", 1]");
    refused(
        data_type,
        "{\"a\": 1}",
        "`x` is an object; expected a list of pairs (MAP<STRING, INT>), as in [[\"key\", 1]]",
    );
}

#[test]
fn long_texts_are_cut_in_messages() {
    let long = "é".repeat(70);
    refused(
        "INT",
        &format!("\"{long}\""),
        &format!("`x` is the text `{}…`; expected a whole number (INT)", "é".repeat(60)),
    );
}

//! Conditions, as `apply_as_deletes` holds them. What Spark also accepts has the outcome that Apache Spark 4.1.1
//! gives it, in ANSI mode and UTC.

#![expect(clippy::unwrap_used, reason = "a test says what is wrong by panicking")]
#![expect(clippy::too_many_lines, reason = "tables of cases")]

use std::sync::Arc;

use cdc_core::{Condition, Schema, Value};

const TRUE: Option<bool> = Some(true);
const FALSE: Option<bool> = Some(false);

fn schema() -> Schema {
    "id BIGINT, tiny TINYINT, operation STRING, number STRING, nothing STRING, is_deleted BOOLEAN, unknown BOOLEAN, \
     amount DECIMAL(10,2), price DOUBLE, ratio FLOAT, day DATE, at TIMESTAMP, local TIMESTAMP_NTZ, raw BINARY, \
     meta STRUCT<kind: STRING, source: STRUCT<lsn: BIGINT>>, tags ARRAY<STRING>, attributes MAP<STRING, INT>, \
     `odd ``name` INT"
        .parse()
        .unwrap()
}

fn row() -> Vec<Value> {
    vec![
        Value::from(7),
        Value::from(5),
        Value::from("DELETE"),
        Value::from(" 3 "),
        Value::Null,
        Value::from(true),
        Value::Null,
        Value::Decimal(Arc::new("12.50".parse().unwrap())),
        Value::from(2.5),
        Value::Float("0.1".parse().unwrap()),
        Value::Date("2026-08-30".parse().unwrap()),
        Value::Timestamp("2026-08-30T10:00:00.5".parse().unwrap()),
        Value::TimestampNtz("2026-08-30T10:00:00".parse().unwrap()),
        Value::Binary(b"abc"[..].into()),
        Value::structure([Value::from("snapshot"), Value::structure([Value::from(9)])]),
        Value::Array([Value::from("a"), Value::from("b")].into()),
        Value::Map([].into()),
        Value::from(1),
    ]
}

fn condition(text: &str) -> Condition {
    Condition::parse(text, &schema()).unwrap_or_else(|errors| panic!("{text}: {}", errors[0]))
}

fn hold(table: &[(&str, Option<bool>)]) {
    let row = row();
    for (text, expected) in table {
        let found = condition(text).holds(&row);
        assert_eq!(found.as_ref(), Ok(expected), "{text}");
    }
}

/// Places, classes and messages, all in one text.
fn errors(text: &str) -> Vec<String> {
    let errors = Condition::parse(text, &schema()).expect_err(text);
    errors
        .iter()
        .map(|error| {
            let class = error.class.map_or(String::new(), |class| format!(" [{class}]"));
            format!("{}:{} {}{class}", error.place.0, error.place.1, error.message)
        })
        .collect()
}

fn refused(table: &[(&str, &str)]) {
    for (text, expected) in table {
        assert_eq!(errors(text), [*expected], "{text}");
    }
}

fn fail(table: &[(&str, &str, &str)]) {
    for (text, class, message) in table {
        let error = condition(text).holds(&row()).expect_err(text);
        assert_eq!((error.class, error.message.as_str()), (*class, *message), "{text}");
    }
}

#[test]
fn comparisons_hold_fail_or_are_unknown() {
    hold(&[
        ("operation = 'DELETE'", TRUE),
        ("operation = \"DELETE\"", TRUE),
        ("OPERATION == 'delete'", FALSE),
        ("operation <> 'DELETE'", FALSE),
        ("operation != 'INSERT'", TRUE),
        ("operation < 'E'", TRUE),
        ("operation <= 'DELETE'", TRUE),
        ("operation > 'DELETE'", FALSE),
        ("operation >= 'DELETE'", TRUE),
        ("nothing = 'DELETE'", None),
        ("nothing <> 'DELETE'", None),
        ("nothing < operation", None),
        ("operation = nothing", None),
        ("operation = null", None),
        ("nothing = nothing", None),
        ("upper(nothing) = operation", None),
        ("upper(operation) = nothing", None),
        ("operation <=> 'DELETE'", TRUE),
        ("nothing <=> null", TRUE),
        ("nothing <=> 'DELETE'", FALSE),
        ("nothing IS DISTINCT FROM null", FALSE),
        ("nothing IS DISTINCT FROM operation", TRUE),
        ("operation IS NOT DISTINCT FROM 'DELETE'", TRUE),
        ("nothing IS NOT DISTINCT FROM operation", FALSE),
        ("id = 7 = true", TRUE),
        ("id = 7 IS NOT NULL", TRUE),
    ]);
}

#[test]
fn logic_has_three_values() {
    hold(&[
        ("is_deleted", TRUE),
        ("unknown", None),
        ("NOT is_deleted", FALSE),
        ("! is_deleted", FALSE),
        ("NOT unknown", None),
        ("NOT NOT is_deleted", TRUE),
        ("NOT is_deleted = false", TRUE),
        ("is_deleted AND is_deleted", TRUE),
        ("is_deleted AND unknown", None),
        ("unknown AND is_deleted", None),
        ("unknown AND id = 8", FALSE),
        ("id = 8 AND unknown", FALSE),
        ("unknown AND unknown", None),
        ("id = 8 OR unknown", None),
        ("unknown OR id = 8", None),
        ("unknown OR is_deleted", TRUE),
        ("is_deleted OR unknown", TRUE),
        ("id = 8 OR id = 9", FALSE),
        ("id = 8 OR is_deleted AND unknown OR id = 7", TRUE),
        ("(id = 8 OR is_deleted) AND NOT (unknown AND id = 8)", TRUE),
        ("is_deleted IS TRUE", TRUE),
        ("is_deleted IS FALSE", FALSE),
        ("unknown IS TRUE", FALSE),
        ("unknown IS NOT TRUE", TRUE),
        ("unknown IS FALSE", FALSE),
        ("unknown IS NOT FALSE", TRUE),
        ("unknown IS UNKNOWN", TRUE),
        ("is_deleted IS NOT UNKNOWN", TRUE),
        ("(nothing = 'a') IS UNKNOWN", TRUE),
        ("nothing IS NULL", TRUE),
        ("nothing IS NOT NULL", FALSE),
        ("operation IS NULL", FALSE),
        ("operation IS NOT NULL", TRUE),
        ("NOT nothing IS NULL", FALSE),
        ("(unknown AND id = 8) IS NULL", FALSE),
        ("attributes IS NOT NULL", TRUE),
        ("null", None),
        ("true", TRUE),
        ("FALSE", FALSE),
    ]);
}

#[test]
fn lists_and_ranges_know_null() {
    hold(&[
        ("operation IN ('DELETE', 'TRUNCATE')", TRUE),
        ("operation IN ('INSERT')", FALSE),
        ("operation IN ('INSERT', null)", None),
        ("operation IN ('DELETE', null)", TRUE),
        ("operation IN ('INSERT', nothing)", None),
        ("nothing IN ('DELETE')", None),
        ("nothing IN (null)", None),
        ("operation NOT IN ('INSERT')", TRUE),
        ("operation NOT IN ('DELETE')", FALSE),
        ("operation NOT IN ('INSERT', null)", None),
        ("id IN (1, 7.0, '9')", TRUE),
        ("id IN ('1', 7e0)", TRUE),
        ("id IN (amount, price, 7)", TRUE),
        ("id BETWEEN 7 AND 8", TRUE),
        ("id BETWEEN 6.5 AND '7'", TRUE),
        ("id BETWEEN 8 AND 9", FALSE),
        ("id BETWEEN null AND 9", None),
        ("id BETWEEN null AND 6", FALSE),
        ("id BETWEEN 8 AND null", FALSE),
        ("id BETWEEN 1 AND null", None),
        ("nothing BETWEEN 'a' AND 'b'", None),
        ("id NOT BETWEEN 7 AND 8", FALSE),
        ("id NOT BETWEEN 8 AND 9", TRUE),
        ("id NOT BETWEEN null AND 6", TRUE),
        ("id BETWEEN 1 AND 8 AND operation = 'DELETE'", TRUE),
    ]);
}

#[test]
fn like_matches_all_of_the_text() {
    hold(&[
        ("operation LIKE 'DELETE'", TRUE),
        ("operation LIKE 'DEL'", FALSE),
        ("operation LIKE 'delete'", FALSE),
        ("operation LIKE 'DEL%'", TRUE),
        ("operation LIKE '%E%E%E'", TRUE),
        ("operation LIKE '%E%E%E%E'", FALSE),
        ("operation LIKE '%ETE'", TRUE),
        ("operation LIKE 'D_L___'", TRUE),
        ("operation LIKE '_______'", FALSE),
        ("operation LIKE '%'", TRUE),
        ("operation NOT LIKE 'DEL%'", FALSE),
        ("nothing LIKE '%'", None),
        ("nothing NOT LIKE '%'", None),
        ("operation LIKE null", None),
        ("operation LIKE nothing", None),
        ("operation LIKE operation", TRUE),
        ("operation LIKE coalesce(nothing, '%T_')", TRUE),
        ("'50%' LIKE '50\\%'", TRUE),
        ("'500' LIKE '50\\%'", FALSE),
        ("'50%' LIKE '50|%' ESCAPE '|'", TRUE),
        ("'a_b' LIKE 'a__b' ESCAPE '_'", TRUE),
        ("'a\\\\b' LIKE 'a\\\\\\\\b'", TRUE),
        ("'a\\nb' LIKE 'a_b'", TRUE),
        ("'😀' LIKE '_'", TRUE),
        ("'' LIKE '%'", TRUE),
        ("'' LIKE '_'", FALSE),
    ]);
    fail(&[
        (
            "operation LIKE CASE WHEN is_deleted THEN 'a\\\\' ELSE operation END",
            "INVALID_FORMAT.ESC_AT_THE_END",
            "the pattern `a\\`: the escape character `\\` stands at the end; expected `_`, `%` or `\\` behind it",
        ),
        (
            "operation LIKE CASE WHEN is_deleted THEN 'a\\\\b' ELSE operation END",
            "INVALID_FORMAT.ESC_IN_THE_MIDDLE",
            "the pattern `a\\b`: the escape character `\\` stands before `b`; expected `_`, `%` or `\\` behind it",
        ),
    ]);
}

#[test]
fn expressions_have_values() {
    hold(&[
        ("CASE WHEN unknown THEN false WHEN is_deleted THEN true END", TRUE),
        ("CASE WHEN unknown THEN true END", None),
        ("CASE WHEN unknown THEN true ELSE false END", FALSE),
        ("CASE operation WHEN 'INSERT' THEN false WHEN 'DELETE' THEN true END", TRUE),
        ("CASE nothing WHEN null THEN true ELSE false END", FALSE),
        ("CASE id WHEN 7.0 THEN true END", TRUE),
        ("CASE id WHEN '8' THEN false ELSE unknown END", None),
        ("CASE WHEN is_deleted THEN 1 ELSE 2.5 END = 1", TRUE),
        ("CASE WHEN is_deleted THEN '7' ELSE id END = 7", TRUE),
        ("coalesce(nothing, operation) = 'DELETE'", TRUE),
        ("coalesce(unknown, is_deleted)", TRUE),
        ("coalesce(null, nothing) = 'a'", None),
        ("coalesce(nothing, 'DELETE') = operation", TRUE),
        ("coalesce(id, CAST(operation AS INT)) = 7", TRUE),
        ("CAST(coalesce(amount, id) AS STRING) = '12.50'", TRUE),
        ("coalesce(day, at) = '2026-08-30'", TRUE),
        ("upper('straße') = 'STRASSE'", TRUE),
        ("lower(operation) = 'delete'", TRUE),
        ("lower(nothing) = 'delete'", None),
        ("trim(number) = '3'", TRUE),
        ("ltrim(number) = '3 '", TRUE),
        ("rtrim(number) = ' 3'", TRUE),
        ("trim('\\ta ') = '\\ta'", TRUE),
        ("trim(nothing) IS NULL", TRUE),
        ("-id = -7", TRUE),
        ("- amount < -12", TRUE),
        ("+id = 7", TRUE),
        ("-(-id) = 7", TRUE),
        ("-price = -2.5", TRUE),
        ("-number::INT = -3", TRUE),
        ("-5::INT::TINYINT = -tiny", TRUE),
        ("-null IS NULL", TRUE),
        ("meta.kind = 'snapshot'", TRUE),
        ("META.Source.LSN = 9", TRUE),
        ("`meta`.`source`.`lsn` = 9", TRUE),
        ("coalesce(null, meta) = meta", TRUE),
        ("CASE WHEN is_deleted THEN meta END IS NULL", FALSE),
        ("`odd ``name` = 1", TRUE),
    ]);
    let mut row = row();
    row[14] = Value::Null;
    assert_eq!(condition("meta.source.lsn = 9").holds(&row), Ok(None), "a field of no struct");
}

#[test]
fn operands_of_two_types_meet_as_in_spark() {
    hold(&[
        ("id = tiny", FALSE),
        ("tiny = 5", TRUE),
        ("tiny = 300", FALSE),
        ("tiny = '300'", FALSE),
        ("id = '7'", TRUE),
        ("' 7 ' = id", TRUE),
        ("amount = 12.5", TRUE),
        ("amount = 12", FALSE),
        ("12 < amount", TRUE),
        ("amount = '12.50'", TRUE),
        ("amount = price", FALSE),
        ("price = 2.5", TRUE),
        ("price = '2.5'", TRUE),
        ("ratio = 0.1", FALSE),
        ("ratio = '0.1'", FALSE),
        ("ratio = CAST(0.1 AS FLOAT)", TRUE),
        ("CAST(0.5 AS FLOAT) = 0.5", TRUE),
        ("9007199254740993L = 9007199254740992D", TRUE),
        ("9007199254740993L = 9007199254740992.0", FALSE),
        ("9223372036854775807 < 9223372036854775808", TRUE),
        ("CAST('nan' AS DOUBLE) = CAST('nan' AS FLOAT)", TRUE),
        ("CAST('inf' AS DOUBLE) < CAST('nan' AS DOUBLE)", TRUE),
        ("0.0D = -0.0D", TRUE),
        ("is_deleted = 'yes'", TRUE),
        ("is_deleted > false", TRUE),
        ("day = '2026-08-30'", TRUE),
        ("day = DATE '2026-08-30'", TRUE),
        ("day < at", TRUE),
        ("day = TIMESTAMP '2026-08-30'", TRUE),
        ("at > day", TRUE),
        ("at = '2026-08-30 10:00:00.5'", TRUE),
        ("at = TIMESTAMP '2026-08-30T12:00:00.500+02:00'", TRUE),
        ("local = '2026-08-30 10:00'", TRUE),
        ("local = TIMESTAMP_NTZ '2026-08-30 10:00:00'", TRUE),
        ("raw = 'abc'", TRUE),
        ("raw = CAST('abc' AS BINARY)", TRUE),
        ("meta = meta", TRUE),
        ("meta.source <= meta.source", TRUE),
        ("tags = tags", TRUE),
    ]);
}

#[test]
fn literals_are_read_as_in_spark() {
    hold(&[
        (r"'it''s' = 'it\'s'", TRUE),
        (r#""it's" = 'it\'s'"#, TRUE),
        (r#""say ""hi""" = 'say "hi"'"#, TRUE),
        (r"'\101\u0041\U0001F600\uD83D\uDE00' = 'AA😀😀'", TRUE),
        (r"'\uD800\uD83Dx' = '??x'", TRUE),
        (r"'\a\q\u00\477' = 'aqu00477'", TRUE),
        (r"'a\\b' = 'a\\\b'", FALSE),
        (r"'\%\_' = '\\%\\_'", TRUE),
        ("'a\\tb' = 'a\tb'", TRUE),
        ("1e3 = 1000", TRUE),
        (".5 = 0.50", TRUE),
        ("1. = 1", TRUE),
        ("1Y = 1S AND 1L = 1BD AND 1F = 1.0D", TRUE),
        ("1.5bd = 1.5", TRUE),
        ("-128::TINYINT = -128Y", TRUE),
        ("-9223372036854775808 = -9223372036854775808L", TRUE),
        ("0.00000000000000000000000000000000000001 > 0", TRUE),
        ("99999999999999999999999999999999999999 > 0", TRUE),
        ("true -- a comment", TRUE),
        ("true /* one /* more */ comment */ AND\n false", FALSE),
    ]);
}

#[test]
fn casts_follow_ansi() {
    hold(&[
        ("CAST(number AS INT) = 3", TRUE),
        ("number::BIGINT = 3", TRUE),
        ("number::DOUBLE::STRING = '3.0'", TRUE),
        ("CAST(nothing AS INT) = 3", None),
        ("TRY_CAST(operation AS INT) = 3", None),
        ("TRY_CAST(operation AS INT) IS NULL", TRUE),
        ("TRY_CAST(300 AS TINYINT) IS NULL", TRUE),
        ("TRY_CAST('1e100' AS DECIMAL(10,1)) IS NULL", TRUE),
        ("CAST(1.9 AS INT) = 1 AND CAST(-1.9 AS INT) = -1", TRUE),
        ("CAST(2147483647.9D AS INT) = 2147483647", TRUE),
        ("CAST('-1.25' AS DECIMAL(10,1)) = -1.3", TRUE),
        ("CAST(2.5D AS DECIMAL(3,0)) = 3", TRUE),
        ("CAST('1e-1000' AS DECIMAL(10,1)) = 0", TRUE),
        ("CAST(CAST('nan' AS DOUBLE) AS DECIMAL(3,0)) IS NULL", TRUE),
        ("CAST(' 1e3f ' AS DOUBLE) = 1000", TRUE),
        ("CAST('-Infinity' AS DOUBLE) < -1e308", TRUE),
        ("CAST(0.1 AS FLOAT) = ratio", TRUE),
        ("CAST(true AS INT) = 1 AND CAST(2 AS BOOLEAN)", TRUE),
        ("CAST(' yEs ' AS BOOLEAN) AND NOT CAST('f' AS BOOLEAN)", TRUE),
        ("CAST(id AS STRING) = '7'", TRUE),
        ("CAST(is_deleted AS STRING) = 'true'", TRUE),
        ("CAST(at AS STRING) = '2026-08-30 10:00:00.5'", TRUE),
        ("CAST(local AS STRING) = '2026-08-30 10:00:00'", TRUE),
        ("CAST(day AS STRING) = '2026-08-30'", TRUE),
        ("CAST(raw AS STRING) = 'abc'", TRUE),
        ("CAST(amount AS STRING) = '12.50'", TRUE),
        ("CAST(0.0000001 AS STRING) = '0.0000001'", TRUE),
        ("CAST(1e7 AS STRING) = '1.0E7' AND CAST(9999999D AS STRING) = '9999999.0'", TRUE),
        ("CAST(1e-4 AS STRING) = '1.0E-4' AND CAST(0.001D AS STRING) = '0.001'", TRUE),
        ("CAST(ratio AS STRING) = '0.1'", TRUE),
        ("CAST(CAST('-inf' AS FLOAT) AS STRING) = '-Infinity'", TRUE),
        ("CAST(at AS DATE) = day AND CAST(at AS TIMESTAMP_NTZ) > local", TRUE),
        ("CAST(day AS TIMESTAMP) = TIMESTAMP '2026-08-30' AND CAST(local AS TIMESTAMP) < at", TRUE),
        ("CAST('2026' AS DATE) = DATE '2026-1-1'", TRUE),
        ("CAST(' 2026-08-30T anything' AS DATE) = day", TRUE),
        ("CAST('2026-08-30 10' AS TIMESTAMP_NTZ) = local", TRUE),
        ("CAST('2026-08-30 10:00:00.5000009UTC' AS TIMESTAMP) = at", TRUE),
        ("CAST('2026-08-30 12:00:00.5 GMT+2' AS TIMESTAMP) = at", TRUE),
        ("CAST('2026-08-30 08:00:00.5-0200' AS TIMESTAMP) = at", TRUE),
        ("CAST('2026-08-30 10:00:00+02:00' AS TIMESTAMP_NTZ) = local", TRUE),
    ]);
    fail(&[
        ("CAST(operation AS INT) = 3", "CAST_INVALID_INPUT", "`DELETE` can't be cast to INT"),
        ("operation::DATE = day", "CAST_INVALID_INPUT", "`DELETE` can't be cast to DATE"),
        ("CAST(operation AS TIMESTAMP) = at", "CAST_INVALID_INPUT", "`DELETE` can't be cast to TIMESTAMP"),
        ("CAST(operation AS BOOLEAN)", "CAST_INVALID_INPUT", "`DELETE` can't be cast to BOOLEAN"),
        ("CAST('1.5' AS INT) = 1", "CAST_INVALID_INPUT", "`1.5` can't be cast to INT"),
        ("CAST('99999999999' AS INT) = 1", "CAST_INVALID_INPUT", "`99999999999` can't be cast to INT"),
        ("CAST('1_000' AS DECIMAL(9,0)) = 1", "CAST_INVALID_INPUT", "`1_000` can't be cast to DECIMAL(9,0)"),
        ("CAST('2026-02-30' AS DATE) = day", "CAST_INVALID_INPUT", "`2026-02-30` can't be cast to DATE"),
        ("CAST('10:00' AS TIMESTAMP) = at", "CAST_INVALID_INPUT", "`10:00` can't be cast to TIMESTAMP"),
        ("CAST(300 AS TINYINT) = 1", "CAST_OVERFLOW", "`300` does not fit into TINYINT"),
        ("CAST(1e19 AS BIGINT) = 1", "CAST_OVERFLOW", "`1e19` does not fit into BIGINT"),
        ("CAST(CAST('nan' AS DOUBLE) AS INT) = 1", "CAST_OVERFLOW", "`NaN` does not fit into INT"),
        (
            "CAST(amount AS DECIMAL(3,2)) = 1",
            "NUMERIC_VALUE_OUT_OF_RANGE",
            "`12.50` does not fit into DECIMAL(3,2)",
        ),
        ("-CAST(-128 AS TINYINT) = 1", "ARITHMETIC_OVERFLOW", "`-(-128)` does not fit into TINYINT"),
    ]);
}

#[test]
fn what_the_result_does_not_depend_on_is_not_evaluated() {
    hold(&[
        ("operation = 'INSERT' AND CAST(operation AS INT) = 3", FALSE),
        ("operation = 'DELETE' OR CAST(operation AS INT) = 3", TRUE),
        ("nothing IS NOT NULL AND CAST(nothing AS INT) = 3", FALSE),
        ("unknown = CAST(operation AS BOOLEAN)", None),
        ("id IN (7, CAST(operation AS INT))", TRUE),
        ("id BETWEEN 8 AND CAST(operation AS INT)", FALSE),
        ("CASE WHEN is_deleted THEN true ELSE CAST(operation AS BOOLEAN) END", TRUE),
    ]);
    fail(&[
        ("unknown AND CAST(operation AS INT) = 3", "CAST_INVALID_INPUT", "`DELETE` can't be cast to INT"),
        ("id IN (CAST(operation AS INT), 7)", "CAST_INVALID_INPUT", "`DELETE` can't be cast to INT"),
    ]);
}

const SUPPORTED: &str = "expected comparisons, AND, OR, NOT, IN, BETWEEN, LIKE, IS, CASE, CAST, TRY_CAST, coalesce, \
                         upper, lower, trim, ltrim or rtrim";

#[test]
fn what_is_not_supported_is_named_at_its_place() {
    for (text, expected) in [
        ("id + 1 = 8", "1:1 `+` is not supported"),
        ("id = 8 - 1", "1:6 `-` is not supported"),
        ("operation || 'x' = 'x'", "1:1 `||` is not supported"),
        ("id = 7 AND\n  concat(operation) = 'x'", "2:3 the function `concat` is not supported"),
        ("count(id) = 1", "1:1 the function `count` is not supported"),
        ("my.udf(id)", "1:1 the function `my.udf` is not supported"),
        ("id IN (SELECT 1)", "1:1 a subquery is not supported"),
        ("EXISTS (SELECT 1)", "1:9 a subquery is not supported"),
        ("id = (SELECT 1)", "1:7 a subquery is not supported"),
        ("operation ILIKE 'x'", "1:1 `ILIKE` is not supported"),
        ("operation RLIKE 'x'", "1:1 `RLIKE` is not supported"),
        ("operation LIKE ANY ('x')", "1:1 `ANY` or `ALL` is not supported"),
        ("id = ANY (SELECT 1)", "1:1 `ANY` or `ALL` is not supported"),
        ("tags[0] = 'a'", "1:1 access to an element is not supported"),
        ("operation:a = 'a'", "1:1 access by a path is not supported"),
        ("struct(id) = struct(7)", "1:8 a struct is not supported"),
        ("(id, tiny) = (7, 5)", "1:2 a struct is not supported"),
        ("id = X'07'", "1:6 the literal `X'07'` is not supported"),
        ("operation = N'x'", "1:13 the literal `N'x'` is not supported"),
        ("id = :parameter", "1:6 the literal `:parameter` is not supported"),
        ("day = INTERVAL '1' DAY", "1:16 an interval is not supported"),
        ("~id = 7", "1:2 the operator is not supported"),
    ] {
        let found = errors(text);
        let found: Vec<&str> =
            found.iter().map(|error| error.strip_suffix(SUPPORTED).unwrap_or(error)).collect();
        assert!(found.contains(&format!("{expected}; ").as_str()), "{text}: {found:?}");
    }
    refused(&[
        ("coalesce(DISTINCT id) = 7", "1:1 `coalesce` with clauses; expected plain arguments in parentheses"),
        (
            "upper(operation) OVER () = 'x'",
            "1:1 `upper` with clauses; expected plain arguments in parentheses",
        ),
        ("coalesce() = 1", "1:1 `coalesce` is given 0 arguments; expected one or more [WRONG_NUM_ARGS]"),
        ("upper(operation, 'x') = 'x'", "1:1 `upper` is given 2 arguments; expected one [WRONG_NUM_ARGS]"),
    ]);
}

#[test]
fn unknown_names_are_told_with_near_ones() {
    refused(&[
        ("op = 'DELETE'", "1:1 no column `op`; expected `operation` [AUTOCDC_COLUMNS_NOT_FOUND_IN_SCHEMA]"),
        (
            "is_deleted\n  AND zone = 1",
            "2:7 no column `zone`; expected one of `id`, `tiny`, `operation`, `number`, `nothing`, `is_deleted`, \
             `unknown`, `amount`, .. [AUTOCDC_COLUMNS_NOT_FOUND_IN_SCHEMA]",
        ),
        (
            "meta.sink = 'x'",
            "1:6 no field `sink` in `meta`; expected one of `kind`, `source` [FIELD_NOT_FOUND]",
        ),
        ("meta.source.lsn.x = 1", "1:17 `meta.source.lsn` is BIGINT and has no fields; expected a STRUCT"),
        ("meta.'kind' = 'x'", "1:6 a text where a name stands; expected a name, in backticks if need be"),
        (
            "`'DELETE'` = 1",
            "1:1 no column `'DELETE'`; expected one of `id`, `tiny`, `operation`, `number`, `nothing`, \
          `is_deleted`, `unknown`, `amount`, .. [AUTOCDC_COLUMNS_NOT_FOUND_IN_SCHEMA]",
        ),
    ]);
    assert_eq!(errors("op = 1 AND NOT (kind = 2 OR id = 'x') OR id > true").len(), 4, "all errors at once");
}

#[test]
fn types_are_checked_before_any_row() {
    refused(&[
        ("id", "1:1 BIGINT where a condition stands; expected BOOLEAN"),
        ("'true'", "1:1 STRING where a condition stands; expected BOOLEAN"),
        ("is_deleted AND operation", "1:16 STRING where a condition stands; expected BOOLEAN"),
        ("NOT 1", "1:5 INT where a condition stands; expected BOOLEAN"),
        ("id IS TRUE", "1:1 BIGINT where a condition stands; expected BOOLEAN"),
        ("CASE WHEN id THEN true END", "1:11 BIGINT where a condition stands; expected BOOLEAN"),
        (
            "operation = 3",
            "1:1 STRING is compared with INT; expected one type: write `CAST(operation AS BIGINT)`",
        ),
        (
            "3 < operation",
            "1:5 STRING is compared with INT; expected one type: write `CAST(operation AS BIGINT)`",
        ),
        (
            "operation IN ('x', 1.5)",
            "1:1 STRING is compared with DECIMAL(2,1); expected one type: write \
          `CAST(operation AS DOUBLE)`",
        ),
        (
            "day = operation",
            "1:7 STRING is compared with DATE; expected one type: write `CAST(operation AS DATE)`",
        ),
        (
            "is_deleted = 1",
            "1:1 BOOLEAN is compared with INT; expected operands of one type \
          [DATATYPE_MISMATCH.BINARY_OP_DIFF_TYPES]",
        ),
        (
            "day <=> id",
            "1:1 DATE is compared with BIGINT; expected operands of one type \
          [DATATYPE_MISMATCH.BINARY_OP_DIFF_TYPES]",
        ),
        (
            "at = local",
            "1:1 TIMESTAMP is compared with TIMESTAMP_NTZ; expected operands of one type \
          [DATATYPE_MISMATCH.BINARY_OP_DIFF_TYPES]",
        ),
        (
            "attributes = attributes",
            "1:1 MAP<STRING, INT> can't be compared; expected a type with an order \
          [DATATYPE_MISMATCH.INVALID_ORDERING_TYPE]",
        ),
        (
            "tags = 'a'",
            "1:1 ARRAY<STRING> is compared with STRING; expected operands of one type \
          [DATATYPE_MISMATCH.BINARY_OP_DIFF_TYPES]",
        ),
        ("id = 'seven'", "1:6 `seven` can't be cast to BIGINT [CAST_INVALID_INPUT]"),
        ("id IN (1, '2.5')", "1:11 `2.5` can't be cast to BIGINT [CAST_INVALID_INPUT]"),
        ("day BETWEEN 'a' AND '2026-08-30'", "1:13 `a` can't be cast to DATE [CAST_INVALID_INPUT]"),
        ("'x' = is_deleted", "1:1 `x` can't be cast to BOOLEAN [CAST_INVALID_INPUT]"),
        (
            "at > '2026-08-30 25:00:00'",
            "1:6 `2026-08-30 25:00:00` can't be cast to TIMESTAMP [CAST_INVALID_INPUT]",
        ),
        ("CASE id WHEN 'x' THEN true END", "1:14 `x` can't be cast to BIGINT [CAST_INVALID_INPUT]"),
        ("coalesce(id, 'x') = 1", "1:14 `x` can't be cast to BIGINT [CAST_INVALID_INPUT]"),
        (
            "coalesce(id, operation) = 1",
            "1:14 coalesce has results of BIGINT and STRING; expected one type \
          [DATATYPE_MISMATCH.DATA_DIFF_TYPES]",
        ),
        (
            "CASE WHEN true THEN day ELSE 1 END = day",
            "1:30 CASE has results of DATE and INT; expected one type \
          [DATATYPE_MISMATCH.DATA_DIFF_TYPES]",
        ),
        ("upper(id) = 'x'", "1:7 `upper` is given BIGINT; expected STRING: write `CAST(id AS STRING)`"),
        ("trim(5) = 'x'", "1:6 `trim` is given INT; expected STRING: write `CAST(.. AS STRING)`"),
        (
            "amount LIKE '1%'",
            "1:1 `LIKE` is given DECIMAL(10,2); expected STRING: write `CAST(amount AS STRING)`",
        ),
        ("-operation = 'x'", "1:2 `-` before STRING; expected a number"),
        (
            "CAST(day AS INT) = 1",
            "1:6 DATE can't be cast to INT; expected a type that DATE has a cast to \
          [DATATYPE_MISMATCH.CAST_WITHOUT_SUGGESTION]",
        ),
        (
            "TRY_CAST(tags AS STRING) = 'x'",
            "1:10 ARRAY<STRING> can't be cast to STRING; expected a type that \
          ARRAY<STRING> has a cast to [DATATYPE_MISMATCH.CAST_WITHOUT_SUGGESTION]",
        ),
        (
            "operation LIKE 'a\\\\'",
            "1:16 the escape character `\\` stands at the end; expected `_`, `%` or `\\` \
          behind it [INVALID_FORMAT.ESC_AT_THE_END]",
        ),
        (
            "operation LIKE 'ab' ESCAPE 'a'",
            "1:16 the escape character `a` stands before `b`; expected `_`, `%` or \
          `a` behind it [INVALID_FORMAT.ESC_IN_THE_MIDDLE]",
        ),
        (
            "operation LIKE 'a' ESCAPE 'ab'",
            "1:27 unexpected escape character; expected a literal of one character",
        ),
        (
            "operation LIKE 'a' ESCAPE operation",
            "1:27 unexpected escape character; expected a literal of one \
          character",
        ),
        ("day = DATE '2026-13-01'", "1:12 `2026-13-01` is no DATE [INVALID_TYPED_LITERAL]"),
        ("at = TIMESTAMP 'now'", "1:16 `now` is no TIMESTAMP [INVALID_TYPED_LITERAL]"),
        ("id = INT '5'", "1:10 a literal of INT; expected DATE, TIMESTAMP or TIMESTAMP_NTZ"),
        ("tiny = 300Y", "1:8 `300` does not fit into TINYINT [INVALID_NUMERIC_LITERAL_RANGE]"),
        ("id = 1e999", "1:6 `1e999` does not fit into DOUBLE [INVALID_NUMERIC_LITERAL_RANGE]"),
        (
            "id = 123456789012345678901234567890123456789",
            "1:6 `123456789012345678901234567890123456789` has too many digits for a DECIMAL; expected at most 38 \
             [DECIMAL_PRECISION_EXCEEDS_MAX_PRECISION]",
        ),
    ]);
    let text = "CAST(id AS VARCHAR(3)) = '7'";
    assert!(
        errors(text)[0].starts_with("1:6 `VARCHAR` is no type; expected one of BOOLEAN"),
        "{:?}",
        errors(text)
    );
}

#[test]
fn a_text_is_one_whole_expression() {
    let bare = "an operator next to a bare condition; expected parentheses around the condition";
    refused(&[
        ("", "1:1 the text is empty; expected an expression"),
        (" \n -- nothing", "1:1 the text is empty; expected an expression"),
        ("id = 7 id", "1:8 unexpected `id` behind the expression; expected its end"),
        ("id = 7;", "1:7 unexpected `;` behind the expression; expected its end"),
        ("id = 7)", "1:7 unexpected `)` behind the expression; expected its end"),
        ("operation = 'DELETE' 'x'", "1:22 unexpected `'x'` behind the expression; expected its end"),
        ("id =", "1:5 the text ends too early; expected an expression"),
        ("(id = 7", "1:8 the text ends too early; expected `)`"),
        ("id = 7\nAND (", "2:6 the text ends too early; expected an expression"),
        ("id IN ()", "1:8 unexpected `)`; expected an expression"),
        ("id BETWEEN 1", "1:13 the text ends too early; expected `AND`"),
        ("id # 7", "1:4 unexpected sign; expected an operator"),
        ("operation = 'DELETE", "1:13 unterminated string literal"),
        ("nothing NOT NULL", "1:9 unexpected `NOT NULL`; expected `IS NOT NULL`"),
    ]);
    for (text, place) in [
        ("id IN (7) = true", "1:1"),
        ("id IS NULL IS NULL", "1:1"),
        ("id IS NULL = false", "1:1"),
        ("id BETWEEN 1 AND 8 = true", "1:1"),
        ("true = NOT false", "1:12"),
        ("operation LIKE 'a' IS TRUE", "1:1"),
    ] {
        assert_eq!(errors(text), [format!("{place} {bare}")], "{text}");
    }
}

#[test]
fn long_chains_are_conditions() {
    let ids: Vec<String> = (0..1_000).map(|id| format!("id = {}", 1_000 + id)).collect();
    assert_eq!(condition(&ids.join(" OR ")).holds(&row()), Ok(FALSE));
    assert_eq!(condition(&format!("{} OR id = 7", ids.join(" OR "))).holds(&row()), Ok(TRUE));
    assert_eq!(condition(&vec!["is_deleted"; 3_999].join(" AND ")).holds(&row()), Ok(TRUE));
    let list: Vec<String> = (0..3_900).map(|id| id.to_string()).collect();
    assert_eq!(condition(&format!("id IN ({})", list.join(", "))).holds(&row()), Ok(TRUE));
    let nested = "(is_deleted AND (unknown OR ".repeat(3) + "is_deleted" + &"))".repeat(3);
    assert_eq!(condition(&nested).holds(&row()), Ok(TRUE));
}

#[test]
fn hostile_texts_are_refused() {
    let repeated = |text: &str, count: usize| text.repeat(count);
    for text in [
        repeated("(", 100_000),
        repeated("(", 100_000) + "id" + &repeated(")", 100_000),
        repeated("(", 3_000) + "id" + &repeated(")", 3_000),
        repeated("NOT ", 100_000) + "is_deleted",
        repeated("NOT ", 3_000) + "is_deleted",
        repeated("! ", 3_000) + "is_deleted",
        repeated("- ", 3_000) + "id",
        repeated("-", 100_000) + "id",
        vec!["is_deleted"; 20_000].join(" AND "),
        vec!["is_deleted"; 20_000].join(" OR "),
        "is_deleted".to_owned() + &repeated(" = true", 3_000),
        "id".to_owned() + &repeated(" IS NULL", 3_000),
        "id".to_owned() + &repeated("::INT", 2_000),
        "id".to_owned() + &repeated("::INT", 90) + " = 7",
        "id".to_owned() + &repeated(" + id", 3_000),
        "id".to_owned() + &repeated(" BETWEEN 1 AND 2", 1_500),
        repeated("CASE WHEN ", 3_000),
        repeated("CASE ", 3_000),
        repeated("CAST(", 3_000),
        repeated("coalesce(id, ", 1_500),
        repeated("trim(", 3_000),
        repeated("id IN (1, ", 1_500),
        repeated("id BETWEEN (", 1_500),
        repeated("EXISTS (SELECT ", 1_500),
        repeated("(SELECT ", 3_000),
        repeated("struct(", 3_000),
        repeated("id.f(", 1_500),
        repeated("x -> ", 3_000),
        "CAST(id AS ".to_owned() + &repeated("ARRAY<", 3_000),
        "CAST(id AS ".to_owned() + &repeated("STRUCT<a ", 3_000),
        "id IN (".to_owned() + &repeated("1, ", 20_000),
        "id".to_owned() + &repeated(".id", 3_000),
        repeated("/* ", 50_000),
        "'".to_owned() + &repeated("\\", 50_001),
        repeated("'", 50_001),
        "id = 1e".to_owned() + &repeated("9", 10_000),
        "id = ".to_owned() + &repeated("9", 10_000),
        "id = '1e999999999999999999'".to_owned(),
        "CAST(id AS DECIMAL(999999999999))".to_owned(),
        "\0".to_owned(),
        "\u{feff}id = 7".to_owned(),
    ] {
        let errors = Condition::parse(&text, &schema()).expect_err(&text[..20.min(text.len())]);
        assert!(!errors.is_empty());
    }
}

#[test]
fn too_much_is_said_so() {
    refused(&[
        (&("(".repeat(3_000) + "id"), "1:16 the text is nested too deeply; expected fewer parentheses"),
        (
            &("NOT ".repeat(3_000) + "is_deleted"),
            "1:61 the text is nested too deeply; expected fewer parentheses",
        ),
        (
            &vec!["is_deleted"; 20_000].join(" AND "),
            "1:60001 the text is too long; expected at most 8000 words and signs",
        ),
    ]);
}

#[test]
fn mutated_texts_neither_panic_nor_hang() {
    const WORDS: [&str; 40] = [
        "id",
        "operation",
        "is_deleted",
        "amount",
        "day",
        "at",
        "meta",
        "meta.kind",
        "nothing",
        "'DELETE'",
        "\"x\"",
        "7",
        "1.5",
        "1e3",
        "-",
        "(",
        ")",
        ",",
        "=",
        "<=>",
        "<",
        "AND",
        "OR",
        "NOT",
        "IN",
        "BETWEEN",
        "LIKE",
        "IS",
        "NULL",
        "TRUE",
        "CASE",
        "WHEN",
        "THEN",
        "END",
        "CAST(",
        "AS INT)",
        "::STRING",
        "coalesce(",
        "DATE '2026-08-30'",
        "ESCAPE",
    ];
    let seeds = [
        "operation = 'DELETE' AND id IN (1, 2, null)",
        "CASE WHEN id BETWEEN 1 AND 9 THEN is_deleted ELSE CAST(operation AS BOOLEAN) END",
        "NOT (meta.kind LIKE 'a\\%_' ESCAPE '|' OR coalesce(nothing, 'x') <=> trim(number))",
        "TRY_CAST(number AS DECIMAL(10,2)) >= amount AND at::DATE = day",
    ];
    // Xorshift: the same texts each time.
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut below = |bound: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % 1_000_003).unwrap() % bound
    };
    let (schema, row) = (schema(), row());
    let mut conditions = 0;
    for round in 0..4_000 {
        let mut text: Vec<char> = if round % 2 == 0 {
            seeds[below(seeds.len())].chars().collect()
        } else {
            let words: Vec<&str> = (0..=below(14)).map(|_| WORDS[below(WORDS.len())]).collect();
            words.join(" ").chars().collect()
        };
        for _ in 0..below(4) {
            let at = below(text.len());
            match below(3) {
                0 => drop(text.remove(at)),
                1 => text.insert(
                    at,
                    ['(', ')', '\'', '\\', '"', '`', '.', '0', 'e', '\u{e9}', '\0', ':'][below(12)],
                ),
                _ => text.truncate(at + 1),
            }
            if text.is_empty() {
                break;
            }
        }
        let text: String = text.into_iter().collect();
        match Condition::parse(&text, &schema) {
            Ok(condition) => {
                conditions += 1;
                assert_eq!(condition.holds(&row), condition.clone().holds(&row), "{text}");
            }
            Err(errors) => {
                let lines = u64::try_from(text.lines().count().max(1)).unwrap();
                assert!(
                    errors.iter().all(|error| 0 < error.place.1 && error.place.0 <= lines),
                    "{text}: {errors:?}"
                );
                assert!(!errors.is_empty(), "{text}");
                assert!(errors.iter().all(|error| !error.message.is_empty()), "{text}: {errors:?}");
            }
        }
    }
    assert!(300 < conditions, "the generator makes conditions too: {conditions}");
}

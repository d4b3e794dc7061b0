//! What the statement that makes a target says of it.

use cdc_core::DataType;

use super::{behind, fault, flow, one, with};

#[test]
fn a_target_says_how_long_deletes_are_remembered() {
    let property = "pipelines.cdc.tombstoneGCThresholdInSeconds";
    let older = "pipelines.applyChanges.tombstoneGCThresholdInSeconds";
    let rows = [
        (format!("TBLPROPERTIES ('{property}' = '3600')"), Some(3600)),
        (format!("COMMENT 'x' TBLPROPERTIES ('a' = 'b', \"{property}\" = \"60\", 'c' = 'd')"), Some(60)),
        (format!("TBLPROPERTIES ({property} = 7)"), Some(7)),
        (format!("TBLPROPERTIES ({property} '7')"), Some(7)),
        (format!("TBLPROPERTIES ('{older}' = '8')"), Some(8)),
        (format!("TBLPROPERTIES ('{older}' = '8', '{property}' = '9')"), Some(9)),
        ("TBLPROPERTIES ('quality' = 'silver')".to_owned(), None),
        (String::new(), None),
    ];
    for (properties, expected) in &rows {
        for (table, target) in [
            ("t", "t"),
            ("T", "LIVE.`t`"),
            ("`t`", "main.silver.T"),
            ("a.t", "a.t"),
            ("${x}.t", "a.t"),
            ("a.t", "${a.b}.c${d}.T"),
        ] {
            let text = format!(
                "CREATE FLOW f AS AUTO CDC INTO {target} FROM STREAM(s) KEYS (id) SEQUENCE BY seq;
                 CREATE STREAMING TABLE other TBLPROPERTIES ('{property}' = '1');
                 CREATE OR REFRESH STREAMING TABLE {table} (id INT) {properties};"
            );
            assert_eq!(flow(&text).tombstone_gc_threshold_seconds, *expected, "{text}");
        }
        let text = format!(
            "CREATE STREAMING TABLE t {properties} FLOW AUTO CDC FROM STREAM(s) KEYS (id) SEQUENCE BY seq"
        );
        assert_eq!(flow(&text).tombstone_gc_threshold_seconds, *expected, "{text}");
    }
}

#[test]
fn the_seconds_of_a_property_are_a_whole_number() {
    let property = "pipelines.cdc.tombstoneGCThresholdInSeconds";
    for (written, value) in [
        ("'two'", "`'two'`"),
        ("'-1'", "`'-1'`"),
        ("'1.5'", "`'1.5'`"),
        ("1.5", "`1.5`"),
        ("''", "`''`"),
        ("true", "`true`"),
        ("'99999999999999999999'", "`'99999999999999999999'`"),
    ] {
        let text = format!("CREATE STREAMING TABLE t TBLPROPERTIES ({property} = {written});{}", with(""));
        let expected =
            format!("1:87: {property} is {value}; expected a whole number of seconds, such as `'172800'`");
        assert_eq!(fault(&text), expected, "{text}");
    }
    let twice =
        format!("CREATE STREAMING TABLE t TBLPROPERTIES ({property} = 1, {property} = 2);{}", with(""));
    assert_eq!(fault(&twice), format!("1:90: {property} is given twice; expected it once"));
}

#[test]
fn a_declared_target_of_type_2_has_both_bounds() {
    let target = |columns: &str, stored: &str| {
        format!(
            "CREATE STREAMING TABLE t ({columns});\n\
             CREATE FLOW f AS AUTO CDC INTO t FROM STREAM(s) KEYS (id) SEQUENCE BY seq {stored}"
        )
    };
    let declared = "`t` declares its columns without";
    let both = "a target of SCD type 2 is expected to declare `__START_AT` and `__END_AT`, both of the \
                sequence's type";
    let rows = [
        ("id INT", format!("1:24: {declared} `__START_AT` and `__END_AT`; {both}")),
        ("id INT, __START_AT INT", format!("1:24: {declared} `__END_AT`; {both}")),
        (
            "s STRUCT<__START_AT: INT, __END_AT: INT>, __end_at INT",
            format!(
                "1:24: {declared} \
                                                                            `__START_AT`; {both}"
            ),
        ),
        (
            "id INT, __START_AT BIGINT NOT NULL, __END_AT STRING COMMENT 'x'",
            "1:72: `__END_AT` has the type STRING and `__START_AT` BIGINT; expected the type of the \
             sequence for both"
                .to_owned(),
        ),
        (
            "__START_AT STRUCT<a: INT, b: INT>, __END_AT STRUCT<a: INT>",
            "1:71: `__END_AT` has the type STRUCT<a: INT> and `__START_AT` STRUCT<a: INT, b: INT>; \
             expected the type \
             of the sequence for both"
                .to_owned(),
        ),
    ];
    for (columns, expected) in rows {
        assert_eq!(fault(&target(columns, "STORED AS SCD TYPE 2")), expected, "{columns}");
        one(&target(columns, "STORED AS SCD TYPE 1"));
    }
    for columns in [
        "id INT, __START_AT BIGINT, __END_AT LONG",
        "__start_at DECIMAL(10, 2) COMMENT 'from', x MAP<STRING, ARRAY<INT>>, __End_At decimal(10,2)",
        "__START_AT STRUCT<a: INT, b: MAP<INT, INT>>, `__END_AT` STRUCT<a: INT, b: MAP<INT, INT>>",
        "id INT NOT NULL, CONSTRAINT p PRIMARY KEY (id), __START_AT INT, __END_AT INT, CONSTRAINT q \
         EXPECT (id < 3)",
        "CONSTRAINT q EXPECT (id < 3)",
    ] {
        one(&target(columns, "STORED AS SCD TYPE 2"));
    }
    let whole = "CREATE STREAMING TABLE t (id INT) FLOW AUTO CDC FROM STREAM(s) KEYS (id) SEQUENCE BY seq \
                 STORED AS SCD TYPE 2";
    assert_eq!(fault(whole), format!("1:24: {declared} `__START_AT` and `__END_AT`; {both}"));

    let flow = |name| {
        format!(
            "CREATE FLOW {name} AS AUTO CDC INTO t FROM STREAM(s) KEYS (id) \
             SEQUENCE BY a STORED AS SCD TYPE 2;"
        )
    };
    let of_two = format!("CREATE STREAMING TABLE t (id INT);{}{}", flow("f"), flow("g"));
    assert_eq!(fault(&of_two), format!("1:24: {declared} `__START_AT` and `__END_AT`; {both}"));
}

#[test]
fn a_declared_bitemporal_target_has_all_bounds() {
    let target = |columns: &str| {
        format!(
            "CREATE STREAMING TABLE t ({columns});\n\
             CREATE FLOW f AS AUTO CDC INTO t FROM STREAM(s) KEYS (id) SEQUENCE BY seq\n\
             SYSTEM SEQUENCE BY known STORED AS BITEMPORAL"
        )
    };
    let valid = "__START_AT BIGINT, __END_AT BIGINT";
    assert_eq!(
        fault(&target(&format!("id INT, {valid}, __SYSTEM_END_AT DATE"))),
        "1:24: `t` declares its columns without `__SYSTEM_START_AT`; a target of BITEMPORAL is expected to declare \
         `__SYSTEM_START_AT` and `__SYSTEM_END_AT`, both of the system sequence's type"
    );
    assert_eq!(
        fault(&target(&format!("{valid}, __SYSTEM_START_AT DATE, __SYSTEM_END_AT INT"))),
        "1:103: `__SYSTEM_END_AT` has the type INT and `__SYSTEM_START_AT` DATE; expected the type of the system \
         sequence for both"
    );
    let bounds = one(&target(&format!("{valid}, __SYSTEM_START_AT DATE, __SYSTEM_END_AT DATE"))).bounds;
    assert_eq!((bounds.valid, bounds.system), (Some(DataType::BigInt), Some(DataType::Date)));
}

#[test]
fn the_types_of_the_bounds_are_kept() {
    for (columns, stored, expected) in [
        (" (__START_AT long, __END_AT BIGINT)", "SCD TYPE 2", Some(DataType::BigInt)),
        (" (__START_AT long, __END_AT BIGINT)", "SCD TYPE 1", None),
        (" (__START_AT foo, __END_AT FOO)", "SCD TYPE 2", None),
        ("", "SCD TYPE 2", None),
    ] {
        let text = format!("CREATE STREAMING TABLE t{columns};{}", behind(&format!("STORED AS {stored}")));
        assert_eq!(one(&text).bounds.valid, expected, "{text}");
    }
}

#[test]
fn a_table_that_is_not_closed_before_its_flow() {
    assert_eq!(
        fault("CREATE STREAMING TABLE t (id INT FLOW AUTO CDC FROM STREAM(s) KEYS (id) SEQUENCE BY seq"),
        "1:26: the parenthesis isn't closed; expected `)`"
    );
}

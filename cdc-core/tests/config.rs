//! Every fault of a definition has the platform's class, where one is known, and points at its parameter.

use cdc_core::{ConfigError, DataType, Dialect, Flow, Plan, ScdType, Schema};

#[expect(clippy::unnecessary_wraps, reason = "as the parameters want it")]
fn names(names: &[&str]) -> Option<Vec<String>> {
    Some(names.iter().map(|&name| name.to_owned()).collect())
}

fn schema() -> Schema {
    "id BIGINT, city STRING, tags MAP<STRING, INT>, op STRING, lsn BIGINT, pos INT".parse().unwrap()
}

fn flow() -> Flow {
    Flow {
        keys: vec!["id".to_owned()],
        sequence_by: "struct(lsn, pos)".to_owned(),
        apply_as_deletes: Some("op = 'DELETE'".to_owned()),
        except_column_list: names(&["op", "lsn", "pos"]),
        ..Flow::default()
    }
}

fn history() -> Flow {
    Flow { stored_as_scd_type: ScdType::Two, ..flow() }
}

#[track_caller]
fn errors(flow: Flow) -> Vec<ConfigError> {
    Plan::new(flow, schema()).expect_err("the definition is accepted").0
}

#[track_caller]
fn class(flow: Flow, class: &str, parameter: &str) -> String {
    let errors = errors(flow);
    let [error] = &errors[..] else { panic!("expected one error, got {errors:?}") };
    assert_eq!((error.class, error.parameter), (Some(class), parameter), "{error}");
    error.message.clone()
}

#[test]
fn a_sound_definition_is_accepted() {
    let plan = Plan::new(history(), schema()).unwrap();
    let target: Vec<String> =
        plan.target().iter().map(|it| format!("{} {}", it.name, it.data_type)).collect();
    assert_eq!(
        target,
        [
            "id BIGINT",
            "city STRING",
            "tags MAP<STRING, INT>",
            "__START_AT STRUCT<lsn: BIGINT, pos: INT>",
            "__END_AT STRUCT<lsn: BIGINT, pos: INT>",
        ]
    );
}

#[test]
fn a_map_has_no_order() {
    let text = class(Flow { sequence_by: "tags".into(), ..flow() }, "NON_ORDERABLE_SEQUENCE", "sequence_by");
    assert_eq!(text, "`tags` has type MAP<STRING, INT>, which has no order; expected a sortable type");
}

#[test]
fn a_key_has_to_reach_the_target() {
    let excluded = Flow { except_column_list: names(&["id", "op"]), ..flow() };
    class(excluded, "AUTOCDC_KEY_NOT_IN_SELECTED_SCHEMA", "except_column_list");
    let unlisted = Flow { except_column_list: None, column_list: names(&["city"]), ..flow() };
    let text = class(unlisted, "AUTOCDC_KEY_NOT_IN_SELECTED_SCHEMA", "column_list");
    assert_eq!(text, "the key `id` isn't among the selected columns");
}

#[test]
fn the_names_of_the_bounds_are_reserved() {
    for flow in [flow(), history()] {
        let schema: Schema = "id BIGINT, __start_at INT, op STRING, lsn BIGINT, pos INT".parse().unwrap();
        let errors = Plan::new(flow, schema).unwrap_err().0;
        assert_eq!(errors.len(), 1, "{errors:?}");
        assert_eq!(errors[0].class, Some("AUTOCDC_RESERVED_COLUMN_NAME_CONFLICT"));
    }
}

#[test]
fn an_excluded_column_may_have_a_reserved_name() {
    let schema: Schema = "id BIGINT, __END_AT INT, lsn BIGINT".parse().unwrap();
    let flow = Flow {
        sequence_by: "lsn".into(),
        apply_as_deletes: None,
        except_column_list: names(&["lsn", "__END_AT"]),
        ..history()
    };
    assert!(Plan::new(flow, schema).is_ok());
}

#[test]
fn unknown_columns_are_named_wherever_they_are() {
    let class_of = "AUTOCDC_COLUMNS_NOT_FOUND_IN_SCHEMA";
    let known = "expected one of id, city, tags, op, lsn, pos";
    for (flow, parameter, name) in [
        (Flow { keys: vec!["idd".into()], ..flow() }, "keys", "idd"),
        (Flow { sequence_by: "lns".into(), ..flow() }, "sequence_by", "lns"),
        (Flow { except_column_list: names(&["opp"]), ..flow() }, "except_column_list", "opp"),
        (
            Flow { track_history_column_list: names(&["town"]), ..history() },
            "track_history_column_list",
            "town",
        ),
        (
            Flow { ignore_null_updates_column_list: names(&["town"]), ..flow() },
            "ignore_null_updates_column_list",
            "town",
        ),
    ] {
        let text = class(flow, class_of, parameter);
        assert_eq!(text, format!("there is no column `{name}`; {known}"));
    }
}

#[test]
fn only_one_list_of_a_pair_may_be_given() {
    class(
        Flow { column_list: names(&["id"]), ..flow() },
        "AUTOCDC_BOTH_COLUMN_LIST_AND_EXCEPT_COLUMN_LIST",
        "except_column_list",
    );
    class(
        Flow {
            track_history_column_list: names(&["city"]),
            track_history_except_column_list: names(&["tags"]),
            ..history()
        },
        "AUTOCDC_BOTH_TRACK_HISTORY_COLUMN_LIST_AND_EXCEPT_COLUMN_LIST",
        "track_history_except_column_list",
    );
    class(
        Flow {
            ignore_null_updates_column_list: names(&["city"]),
            ignore_null_updates_except_column_list: names(&["tags"]),
            ..flow()
        },
        "AUTOCDC_CONFLICTING_IGNORE_NULL_UPDATES_OPTIONS",
        "ignore_null_updates_except_column_list",
    );
}

#[test]
fn an_empty_list_counts_as_left_out() {
    let flow = Flow { column_list: names(&[]), track_history_column_list: names(&[]), ..flow() };
    assert!(Plan::new(flow, schema()).is_ok());
}

#[test]
fn an_empty_list_of_columns_that_ignore_nulls_is_refused() {
    class(
        Flow { ignore_null_updates_column_list: names(&[]), ..flow() },
        "AUTOCDC_IGNORE_NULL_EMPTY_COLUMN_LIST",
        "ignore_null_updates_column_list",
    );
}

#[test]
fn an_empty_list_of_exceptions_ignores_nulls_everywhere() {
    let flow = Flow { ignore_null_updates_except_column_list: names(&[]), ..flow() };
    let plan = Plan::new(flow, schema()).unwrap();
    assert!(plan.payload().all(|column| plan.ignores_null(column)));
}

#[test]
fn tracking_history_needs_type_2() {
    let text = class(
        Flow { track_history_column_list: names(&["city"]), ..flow() },
        "AUTOCDC_TRACK_HISTORY_REQUIRES_SCD2",
        "track_history_column_list",
    );
    assert_eq!(text, "tracking history needs SCD type 2 or BITEMPORAL; this flow is stored as SCD type 1");
}

#[test]
fn only_what_reaches_the_target_can_be_tracked() {
    let tracked = Flow { track_history_column_list: names(&["op"]), ..history() };
    class(tracked, "AUTOCDC_COLUMNS_NOT_FOUND_IN_SCHEMA", "track_history_column_list");
    // Databricks accepts this: three captured configurations do it.
    let untracked = Flow { track_history_except_column_list: names(&["op"]), ..history() };
    assert!(Plan::new(untracked, schema()).is_ok());
}

#[test]
fn keys_and_a_sequence_are_required() {
    class(Flow { keys: Vec::new(), ..flow() }, "AUTOCDC_EMPTY_KEYS", "keys");
    class(Flow { sequence_by: " ".into(), ..flow() }, "AUTOCDC_MISSING_SEQUENCE_BY", "sequence_by");
}

#[test]
fn a_name_has_one_part() {
    class(Flow { keys: vec!["s.id".into()], ..flow() }, "AUTOCDC_MULTIPART_COLUMN_IDENTIFIER", "keys");
}

#[test]
fn an_expression_is_no_name() {
    for (keys, name) in
        [("upper(city)", "upper(city)"), ("upper(s.city)", "upper(s.city)"), ("id + 1", "id + 1")]
    {
        let flow = Flow { keys: vec!["id".into(), keys.into()], ..flow() };
        let text = class(flow, "AUTOCDC_NON_COLUMN_IDENTIFIER", "keys");
        assert_eq!(text, format!("`{name}` is an expression; expected the plain name of a column"));
    }
    let quoted = Flow { keys: vec!["id".into(), "`upper(city)`".into()], ..flow() };
    class(quoted, "AUTOCDC_COLUMNS_NOT_FOUND_IN_SCHEMA", "keys");
    let schema: Schema = "`a-b` INT, lsn INT".parse().unwrap();
    let flow = Flow { keys: vec!["a-b".into()], sequence_by: "lsn".into(), ..Flow::default() };
    assert!(Plan::new(flow, schema).is_ok(), "a column may be called that");
}

#[test]
fn backticks_are_no_part_of_a_name() {
    let tracked = Flow { track_history_column_list: names(&["`op`"]), ..history() };
    let text = class(tracked, "AUTOCDC_COLUMNS_NOT_FOUND_IN_SCHEMA", "track_history_column_list");
    assert_eq!(text, "`op` doesn't reach the target; expected columns that do");

    let key = "`id` is a key, and a key is never null; expected other columns";
    let listed = errors(Flow { ignore_null_updates_column_list: names(&["`ID`"]), ..flow() });
    let excepted = errors(Flow { ignore_null_updates_except_column_list: names(&["`id`"]), ..flow() });
    assert_eq!(listed.iter().map(|error| error.message.to_lowercase()).collect::<Vec<_>>(), [key]);
    assert_eq!(excepted.iter().map(|error| &*error.message).collect::<Vec<_>>(), [key]);

    let twice = errors(Flow { keys: vec!["id".into(), "`ID`".into()], ..flow() });
    assert_eq!((twice.len(), &*twice[0].message), (1, "`ID` is given twice; expected it once"));
    let parts = Flow { keys: vec!["id".into(), "`s`.`id`".into()], ..flow() };
    class(parts, "AUTOCDC_MULTIPART_COLUMN_IDENTIFIER", "keys");
    let quoted = Flow { keys: vec!["id".into(), "`s.id`".into()], ..flow() };
    class(quoted, "AUTOCDC_COLUMNS_NOT_FOUND_IN_SCHEMA", "keys");
}

#[test]
fn a_doubled_backtick_is_one() {
    let schema: Schema = "`a``b` INT, lsn INT".parse().unwrap();
    assert_eq!(schema[0].name, "a`b");
    let flow = Flow { keys: vec!["`a``b`".into()], sequence_by: "lsn".into(), ..Flow::default() };
    assert_eq!(Plan::new(flow, schema).unwrap().keys(), [0]);
}

#[test]
fn a_column_is_once_in_a_sequence() {
    let errors = errors(Flow { sequence_by: "struct(lsn, pos, LSN)".into(), ..flow() });
    assert_eq!(errors.len(), 1, "{errors:?}");
    let error = &errors[0];
    assert_eq!((error.class, error.parameter, error.place), (None, "sequence_by", Some((1, 18))));
    assert_eq!(error.message, "`lsn` is given twice; expected it once");
}

#[test]
fn a_key_holds_no_map() {
    let schema: Schema =
        "tags MAP<STRING, INT>, s STRUCT<a: ARRAY<MAP<STRING, INT>>>, ok STRUCT<a: INT>, lsn INT"
            .parse()
            .unwrap();
    let keys = ["tags", "s", "ok"].map(str::to_owned).to_vec();
    let flow = Flow { keys, sequence_by: "lsn".into(), ..Flow::default() };
    let errors = Plan::new(flow, schema).unwrap_err().0;
    let texts: Vec<&str> = errors.iter().map(|error| &*error.message).collect();
    assert_eq!(
        texts,
        [
            "`tags` is a map, and maps have no equality; expected another type",
            "`s` has type STRUCT<a: ARRAY<MAP<STRING, INT>>>, which holds a map, and maps have no equality; \
             expected another type"
        ]
    );
}

#[test]
fn of_a_wide_table_not_all_columns_are_listed() {
    let columns: Vec<String> = (0..51).map(|i| format!("c{i} INT")).collect();
    let flow = Flow { keys: vec!["id".into()], sequence_by: "c0".into(), ..Flow::default() };
    let errors = Plan::new(flow, columns.join(", ").parse().unwrap()).unwrap_err().0;
    assert!(errors[0].message.ends_with(", c48, c49, .."), "{errors:?}");
}

#[test]
fn all_faults_are_told_at_once() {
    let flow = Flow {
        keys: vec!["idd".into()],
        sequence_by: "tags".into(),
        apply_as_deletes: Some("opp = 'DELETE'".into()),
        track_history_column_list: names(&["city"]),
        ..flow()
    };
    let parameters: Vec<&str> = errors(flow).iter().map(|error| error.parameter).collect();
    assert_eq!(parameters, ["keys", "sequence_by", "apply_as_deletes", "track_history_column_list"]);
}

#[test]
fn a_fault_in_a_condition_has_its_place() {
    let errors = errors(Flow { apply_as_deletes: Some("op = 'DELETE' AND\n  opp = 'x'".into()), ..flow() });
    assert_eq!(errors[0].place, Some((2, 3)), "{errors:?}");
}

#[test]
fn nulls_are_ignored_everywhere_or_as_a_list_says() {
    let lists = [
        Flow { ignore_null_updates_column_list: names(&["city"]), ..flow() },
        Flow { ignore_null_updates_except_column_list: names(&["city"]), ..flow() },
    ];
    for (list, parameter) in
        lists.into_iter().zip(["ignore_null_updates_column_list", "ignore_null_updates_except_column_list"])
    {
        let both = Flow { ignore_null_updates: true, ..list };
        class(both, "AUTOCDC_CONFLICTING_IGNORE_NULL_UPDATES_OPTIONS", parameter);
    }
}

/// The source of the newer clauses: a list of columns, and when an event became known.
fn wide() -> Schema {
    "id BIGINT, city STRING, cols ARRAY<STRING>, tags MAP<STRING, INT>, op STRING, lsn BIGINT, known TIMESTAMP"
        .parse()
        .unwrap()
}

fn current() -> Flow {
    Flow {
        keys: vec!["id".to_owned()],
        sequence_by: "lsn".to_owned(),
        apply_as_deletes: Some("op = 'DELETE'".to_owned()),
        except_column_list: names(&["cols", "tags", "op", "lsn", "known"]),
        ..Flow::default()
    }
}

fn scd2() -> Flow {
    Flow { stored_as_scd_type: ScdType::Two, ..current() }
}

fn bitemporal() -> Flow {
    Flow {
        stored_as_scd_type: ScdType::Bitemporal,
        system_sequence_by: Some("known".to_owned()),
        ..current()
    }
}

/// A flow from snapshots of the columns `id` and `city`.
fn snapshots() -> Flow {
    Flow { keys: vec!["id".to_owned()], from_snapshot: Some(DataType::BigInt), ..Flow::default() }
}

fn snapshot_schema() -> Schema {
    "id BIGINT, city STRING".parse().unwrap()
}

/// What is wrong: parameter, class and message of each fault.
#[track_caller]
fn faults(flow: Flow, schema: Schema) -> Vec<String> {
    Plan::new(flow, schema)
        .expect_err("the definition is accepted")
        .0
        .iter()
        .map(ToString::to_string)
        .collect()
}

#[test]
fn which_clauses_go_with_which_type() {
    let truncates = |flow| Flow { apply_as_truncates: Some("op = 'TRUNCATE'".into()), ..flow };
    let tracks = |flow| Flow { track_history_column_list: names(&["city"]), ..flow };
    let tracks_except = |flow| Flow { track_history_except_column_list: names(&["city"]), ..flow };
    let ignores = |flow| Flow { ignore_null_updates: true, ..flow };
    let lists = |flow| Flow { columns_to_update: Some("cols".into()), ..flow };
    let once = |flow| Flow { once: true, ..flow };
    let expires = |flow| Flow { tombstone_gc_threshold_seconds: Some(60), ..flow };
    let known = |flow| Flow { system_sequence_by: Some("known".into()), ..flow };

    let no_truncate = |of: &str| {
        vec![format!("`apply_as_truncates`: a truncate needs SCD type 1; this flow is stored as {of}")]
    };
    let no_system = |of: &str| {
        vec![format!("`system_sequence_by`: a system sequence needs BITEMPORAL; this flow is stored as {of}")]
    };
    let no_history = |list: &str| {
        vec![format!(
            "`{list}`: tracking history needs SCD type 2 or BITEMPORAL; this flow is stored as SCD type 1 \
             [AUTOCDC_TRACK_HISTORY_REQUIRES_SCD2]"
        )]
    };
    let right = Vec::<String>::new;
    for (flow, expected) in [
        (current(), right()),
        (scd2(), right()),
        (bitemporal(), right()),
        (truncates(current()), right()),
        (truncates(scd2()), no_truncate("SCD type 2")),
        (truncates(bitemporal()), no_truncate("BITEMPORAL")),
        (tracks(current()), no_history("track_history_column_list")),
        (tracks_except(current()), no_history("track_history_except_column_list")),
        (tracks(scd2()), right()),
        (tracks_except(scd2()), right()),
        (tracks(bitemporal()), right()),
        (tracks_except(bitemporal()), right()),
        (ignores(current()), right()),
        (ignores(scd2()), right()),
        (ignores(bitemporal()), right()),
        (lists(current()), right()),
        (lists(scd2()), right()),
        (
            lists(bitemporal()),
            vec!["`columns_to_update`: a bitemporal target doesn't take it; expected SCD type 1 or 2".to_owned()],
        ),
        (once(current()), right()),
        (once(scd2()), right()),
        (once(bitemporal()), right()),
        (expires(current()), right()),
        (expires(scd2()), right()),
        (expires(bitemporal()), right()),
        (known(current()), no_system("SCD type 1")),
        (known(scd2()), no_system("SCD type 2")),
        (
            Flow { system_sequence_by: None, ..bitemporal() },
            vec![
                "`stored_as_scd_type`: a bitemporal target needs `system_sequence_by`: the column that says when an \
                 event became known"
                    .to_owned(),
            ],
        ),
    ] {
        let told = Plan::new(flow.clone(), wide()).err().map(|errors| errors.0).unwrap_or_default();
        let told: Vec<String> = told.iter().map(ToString::to_string).collect();
        assert_eq!(told, expected, "{flow:?}");
    }
}

#[test]
fn a_bitemporal_target_has_bounds_of_both_sequences() {
    let plan = Plan::new(bitemporal(), wide()).unwrap();
    let target: Vec<String> =
        plan.target().iter().map(|it| format!("{} {}", it.name, it.data_type)).collect();
    assert_eq!(
        target,
        [
            "id BIGINT",
            "city STRING",
            "__START_AT BIGINT",
            "__END_AT BIGINT",
            "__SYSTEM_START_AT TIMESTAMP",
            "__SYSTEM_END_AT TIMESTAMP",
        ]
    );
}

#[test]
fn what_is_wrong_with_a_system_sequence() {
    let system = |name: &str| Flow { system_sequence_by: Some(name.into()), ..bitemporal() };
    for (name, expected) in [
        (
            "tags",
            "`system_sequence_by`: `tags` has type MAP<STRING, INT>, which has no order; expected a sortable type \
             [NON_ORDERABLE_SEQUENCE]",
        ),
        (
            "when",
            "`system_sequence_by`: there is no column `when`; expected one of id, city, cols, tags, op, lsn, known \
             [AUTOCDC_COLUMNS_NOT_FOUND_IN_SCHEMA]",
        ),
        (
            "struct(lsn, known)",
            "`system_sequence_by`: `struct(lsn, known)` is an expression; expected the plain name of a column \
             [AUTOCDC_NON_COLUMN_IDENTIFIER]",
        ),
    ] {
        assert_eq!(faults(system(name), wide()), [expected]);
    }
    assert!(Plan::new(system("KNOWN"), wide()).is_ok(), "names match without case");
    assert!(Plan::new(system("lsn"), wide()).is_ok(), "one column may be both");
}

#[test]
fn what_is_wrong_with_columns_to_update() {
    let lists = |name: &str| Flow { columns_to_update: Some(name.into()), ..current() };
    for (name, expected) in [
        ("city", "`columns_to_update`: `city` has type STRING; expected ARRAY<STRING>, the names of columns"),
        (
            "tags",
            "`columns_to_update`: `tags` has type MAP<STRING, INT>; expected ARRAY<STRING>, the names of columns",
        ),
        (
            "columns",
            "`columns_to_update`: there is no column `columns`; expected one of id, city, cols, tags, op, lsn, known \
             [AUTOCDC_COLUMNS_NOT_FOUND_IN_SCHEMA]",
        ),
    ] {
        assert_eq!(faults(lists(name), wide()), [expected]);
    }
    let both = "`columns_to_update`: nulls are ignored as well; expected one of the two, for both say what an event \
                leaves unsaid";
    for flow in [
        Flow { ignore_null_updates: true, ..lists("cols") },
        Flow { ignore_null_updates_column_list: names(&["city"]), ..lists("cols") },
        Flow { ignore_null_updates_except_column_list: names(&["city"]), ..lists("cols") },
    ] {
        assert_eq!(faults(flow, wide()), [both]);
    }
}

#[test]
fn a_truncate_condition_is_checked_like_that_of_deletes() {
    let flow = Flow { apply_as_truncates: Some("op = 'T' AND\n  opp = 'x'".into()), ..current() };
    let errors = Plan::new(flow, wide()).unwrap_err().0;
    let places: Vec<_> = errors.iter().map(|error| (error.parameter, error.place)).collect();
    assert_eq!(places, [("apply_as_truncates", Some((2, 3)))]);
}

#[test]
fn which_names_are_reserved_where() {
    let conflict = Some("AUTOCDC_RESERVED_COLUMN_NAME_CONFLICT");
    let prefix = Some("AUTOCDC_RESERVED_COLUMN_NAME_PREFIX_CONFLICT");
    let of_spark = |flow| Flow { dialect: Dialect::Spark43, ..flow };
    for (name, flow, class) in [
        ("__start_at", current(), conflict),
        ("__END_AT", bitemporal(), conflict),
        ("__SYSTEM_START_AT", current(), None),
        ("__SYSTEM_END_AT", scd2(), None),
        ("__SYSTEM_START_AT", bitemporal(), conflict),
        ("__system_end_at", bitemporal(), conflict),
        ("__spark_autocdc_metadata", current(), None),
        ("__spark_autocdc_other", scd2(), None),
        ("__spark_autocdc_metadata", of_spark(current()), conflict),
        ("__SPARK_AUTOCDC_Metadata", of_spark(scd2()), conflict),
        ("__Spark_AutoCDC_other", of_spark(scd2()), prefix),
        ("__spark_autocdc", of_spark(scd2()), None),
        ("__end_at", of_spark(current()), conflict),
        ("__SYSTEM_END_AT", of_spark(scd2()), None),
    ] {
        let flow = Flow { except_column_list: names(&["op", "lsn", "known"]), ..flow };
        let schema = format!("id BIGINT, {name} INT, op STRING, lsn BIGINT, known TIMESTAMP");
        let errors = Plan::new(flow, schema.parse().unwrap()).err().map(|errors| errors.0);
        let errors: Vec<_> = errors.into_iter().flatten().collect();
        let told: Vec<_> = errors.iter().map(|error| (error.class, &*error.message)).collect();
        let text = format!("`{name}` is a reserved name; rename the column in the source, or exclude it");
        let expected: Vec<_> = class.iter().map(|class| (Some(*class), &*text)).collect();
        assert_eq!(told, expected);
    }
}

#[test]
fn what_spark_does_not_have() {
    let of_spark = |flow| Flow { dialect: Dialect::Spark43, ..flow };
    let lacks = |what: &str, parameter: &str| {
        format!(
            "`{parameter}`: Apache Spark 4.3 has no `{what}`; expected a flow without it, or the dialect `databricks`"
        )
    };
    for (flow, parameter) in [
        (Flow { ignore_null_updates: true, ..current() }, "ignore_null_updates"),
        (
            Flow { ignore_null_updates_column_list: names(&["city"]), ..current() },
            "ignore_null_updates_column_list",
        ),
        (
            Flow { ignore_null_updates_except_column_list: names(&["city"]), ..scd2() },
            "ignore_null_updates_except_column_list",
        ),
        (Flow { columns_to_update: Some("cols".into()), ..current() }, "columns_to_update"),
        (Flow { apply_as_truncates: Some("op = 'TRUNCATE'".into()), ..current() }, "apply_as_truncates"),
        (Flow { once: true, ..scd2() }, "once"),
        (Flow { tombstone_gc_threshold_seconds: Some(60), ..current() }, "tombstone_gc_threshold_seconds"),
    ] {
        assert_eq!(faults(of_spark(flow), wide()), [lacks(parameter, parameter)]);
    }
    assert_eq!(
        faults(of_spark(bitemporal()), wide()),
        [lacks("system_sequence_by", "system_sequence_by"), lacks("BITEMPORAL", "stored_as_scd_type")]
    );
    assert_eq!(faults(of_spark(snapshots()), snapshot_schema()), [lacks("from_snapshot", "from_snapshot")]);
    for flow in [current(), scd2()] {
        assert!(Plan::new(of_spark(flow), wide()).is_ok());
    }
}

#[test]
fn spark_refuses_an_untracked_column_that_does_not_reach_the_target() {
    let untracked = Flow { track_history_except_column_list: names(&["city", "op"]), ..scd2() };
    assert!(Plan::new(untracked.clone(), wide()).is_ok(), "Databricks accepts it");
    assert_eq!(
        faults(Flow { dialect: Dialect::Spark43, ..untracked }, wide()),
        ["`track_history_except_column_list`: `op` doesn't reach the target; expected columns that do \
             [AUTOCDC_COLUMNS_NOT_FOUND_IN_SCHEMA]"]
    );
}

#[test]
fn a_flow_from_snapshots_has_no_parameters_of_events() {
    let some = || Some("city".to_owned());
    for (flow, parameter) in [
        (Flow { sequence_by: "id".into(), ..snapshots() }, "sequence_by"),
        (Flow { system_sequence_by: some(), ..snapshots() }, "system_sequence_by"),
        (Flow { ignore_null_updates: true, ..snapshots() }, "ignore_null_updates"),
        (
            Flow { ignore_null_updates_column_list: names(&["city"]), ..snapshots() },
            "ignore_null_updates_column_list",
        ),
        (
            Flow { ignore_null_updates_except_column_list: names(&[]), ..snapshots() },
            "ignore_null_updates_except_column_list",
        ),
        (Flow { columns_to_update: some(), ..snapshots() }, "columns_to_update"),
        (Flow { apply_as_deletes: some(), ..snapshots() }, "apply_as_deletes"),
        (Flow { apply_as_truncates: some(), ..snapshots() }, "apply_as_truncates"),
        (Flow { column_list: names(&["id"]), ..snapshots() }, "column_list"),
        (Flow { except_column_list: names(&["city"]), ..snapshots() }, "except_column_list"),
    ] {
        let text =
            "`create_auto_cdc_from_snapshot_flow` has no such parameter: a snapshot is compared as a whole";
        assert_eq!(faults(flow, snapshot_schema()), [format!("`{parameter}`: {text}")]);
    }
}

#[test]
fn what_is_wrong_with_a_flow_from_snapshots() {
    let version = |version_type: &str| Some(version_type.parse::<DataType>().unwrap());
    let reserved = "id BIGINT, __snapshot_version INT, __IS_MISSING INT";
    for (flow, schema, expected) in [
        (
            Flow { stored_as_scd_type: ScdType::Bitemporal, ..snapshots() },
            "id BIGINT",
            &["`stored_as_scd_type`: a flow from snapshots is stored as SCD type 1 or 2"][..],
        ),
        (
            Flow { from_snapshot: version("MAP<STRING, INT>"), ..snapshots() },
            "id BIGINT",
            &["`version_type`: a version of type MAP<STRING, INT> has no order; expected a sortable type \
               [SNAPSHOT_VERSION_NOT_SORTABLE]"],
        ),
        (
            snapshots(),
            reserved,
            &[
                "`from_snapshot`: `__SNAPSHOT_VERSION` is a reserved name; rename the column in the source",
                "`from_snapshot`: `__IS_MISSING` is a reserved name; rename the column in the source",
            ],
        ),
        (
            snapshots(),
            "id BIGINT, __START_AT INT",
            &["`from_snapshot`: `__START_AT` is a reserved name; rename the column in the source \
               [AUTOCDC_RESERVED_COLUMN_NAME_CONFLICT]"],
        ),
        (
            Flow { keys: Vec::new(), ..snapshots() },
            "id BIGINT",
            &["`keys`: no key is given; expected at least one column [AUTOCDC_EMPTY_KEYS]"],
        ),
        (
            Flow { keys: vec!["nr".into()], ..snapshots() },
            "id BIGINT, city STRING",
            &[
                "`keys`: there is no column `nr`; expected one of id, city [AUTOCDC_COLUMNS_NOT_FOUND_IN_SCHEMA]",
            ],
        ),
        (
            Flow { keys: vec!["__snapshot_version".into()], ..snapshots() },
            "id BIGINT",
            &["`keys`: there is no column `__snapshot_version`; expected one of id \
               [AUTOCDC_COLUMNS_NOT_FOUND_IN_SCHEMA]"],
        ),
        (
            Flow {
                stored_as_scd_type: ScdType::Two,
                track_history_except_column_list: names(&["__IS_MISSING"]),
                ..snapshots()
            },
            "id BIGINT, city STRING",
            &[
                "`track_history_except_column_list`: there is no column `__IS_MISSING`; expected one of id, city \
               [AUTOCDC_COLUMNS_NOT_FOUND_IN_SCHEMA]",
            ],
        ),
        (
            Flow { track_history_column_list: names(&["city"]), ..snapshots() },
            "id BIGINT, city STRING",
            &[
                "`track_history_column_list`: tracking history needs SCD type 2 or BITEMPORAL; this flow is stored as \
               SCD type 1 [AUTOCDC_TRACK_HISTORY_REQUIRES_SCD2]",
            ],
        ),
    ] {
        assert_eq!(faults(flow, schema.parse().unwrap()), expected);
    }
}

#[test]
fn the_versions_of_snapshots_have_a_sortable_type() {
    for version_type in ["BIGINT", "STRING", "DATE", "TIMESTAMP", "DECIMAL(10, 2)", "STRUCT<a: INT, b: DATE>"]
    {
        let version_type: DataType = version_type.parse().unwrap();
        let flow = Flow {
            stored_as_scd_type: ScdType::Two,
            from_snapshot: Some(version_type.clone()),
            ..snapshots()
        };
        let plan = Plan::new(flow, snapshot_schema()).unwrap();
        let target: Vec<&str> = plan.target().iter().map(|column| &*column.name).collect();
        assert_eq!(target, ["id", "city", "__START_AT", "__END_AT"]);
        assert_eq!(plan.target()[2].data_type, version_type);
        assert_eq!(plan.schema().len(), 2);
    }
}

/// What keeps flows of one source from one target: the place of each flow, and the fault.
fn conflicts(flows: &[Flow]) -> Vec<String> {
    let schema: Schema =
        "id INT, nr INT, city STRING, lsn BIGINT, pos BIGINT, small INT, known DATE, seen TIMESTAMP"
            .parse()
            .unwrap();
    let plans: Vec<Plan> =
        flows.iter().map(|flow| Plan::new(flow.clone(), schema.clone()).unwrap()).collect();
    let errors = Plan::share_a_target(&plans).err().unwrap_or_default();
    errors.iter().map(|(place, error)| format!("{place} {error}")).collect()
}

#[test]
fn flows_that_agree_share_a_target() {
    let one = Flow { keys: vec!["id".into()], sequence_by: "lsn".into(), ..Flow::default() };
    let two = Flow { stored_as_scd_type: ScdType::Two, ..one.clone() };
    let both = Flow {
        stored_as_scd_type: ScdType::Bitemporal,
        system_sequence_by: Some("known".into()),
        ..one.clone()
    };
    let pair = Flow { sequence_by: "struct(lsn, small)".into(), ..one.clone() };
    let other_pair = Flow { sequence_by: "struct(pos, small)".into(), ..one.clone() };
    let named = Flow { keys: vec!["`ID`".into()], ..one.clone() };
    let days = Flow { tombstone_gc_threshold_seconds: Some(172_800), ..one.clone() };
    let snapshots = Flow { sequence_by: String::new(), from_snapshot: Some(DataType::BigInt), ..one.clone() };
    let right = Vec::<String>::new();
    for of_one in [&two, &both, &snapshots, &pair] {
        assert_eq!(conflicts(std::slice::from_ref(of_one)), right);
    }
    assert_eq!(conflicts(&[]), right);
    assert_eq!(
        conflicts(&[one.clone(), Flow { sequence_by: "pos".into(), once: true, ..one.clone() }]),
        right
    );
    assert_eq!(conflicts(&[two.clone(), Flow { sequence_by: "pos".into(), ..two }]), right);
    assert_eq!(conflicts(&[both.clone(), both]), right);
    assert_eq!(conflicts(&[pair, other_pair]), right, "no column of the target has the names");
    assert_eq!(conflicts(&[one.clone(), named, days]), right, "what is written otherwise is the same");
    assert_eq!(conflicts(&[snapshots, one]), right);
}

#[test]
fn flows_of_one_target_agree() {
    let one = Flow { keys: vec!["id".into()], sequence_by: "lsn".into(), ..Flow::default() };
    let two = Flow { stored_as_scd_type: ScdType::Two, ..one.clone() };
    let both = Flow {
        stored_as_scd_type: ScdType::Bitemporal,
        system_sequence_by: Some("known".into()),
        ..one.clone()
    };
    let snapshots = Flow { sequence_by: String::new(), from_snapshot: Some(DataType::BigInt), ..one.clone() };
    let of_spark = Flow { dialect: Dialect::Spark43, ..one.clone() };
    let sequence = |sequence_by: &str, flow: &Flow| Flow { sequence_by: sequence_by.into(), ..flow.clone() };
    let spark = "1 `dialect`: Apache Spark 4.3 lets one flow write into a target; expected one flow, or the dialect \
                 `databricks` in all [AUTOCDC_MULTIPLE_FLOWS_TO_TARGET]";
    let is_small =
        "1 `sequence_by`: the sequence has type BIGINT in the target's first flow; expected the same";
    for (flows, expected) in [
        (
            [one.clone(), Flow { keys: vec!["nr".into()], ..one.clone() }],
            &["1 `keys`: the keys are id in the target's first flow; expected the same"][..],
        ),
        (
            [Flow { keys: vec!["id".into(), "nr".into()], ..one.clone() }, one.clone()],
            &["1 `keys`: the keys are id, nr in the target's first flow; expected the same"],
        ),
        (
            [snapshots.clone(), Flow { keys: vec!["nr".into()], ..one.clone() }],
            &[
                "1 `keys`: the keys are id in the target's first flow; expected the same [INTEROP_KEYS_MISMATCH]",
            ],
        ),
        (
            [one.clone(), two.clone()],
            &["1 `stored_as_scd_type`: it is SCD type 1 in the target's first flow; expected the same"],
        ),
        (
            [both.clone(), two.clone()],
            &["1 `stored_as_scd_type`: it is BITEMPORAL in the target's first flow; expected the same"],
        ),
        (
            [
                Flow { column_list: names(&["id", "city"]), ..one.clone() },
                Flow { column_list: names(&["id"]), ..one.clone() },
            ],
            &["1 `column_list`: the columns are id, city in the target's first flow; expected the same"],
        ),
        ([one.clone(), sequence("small", &one)], &[is_small]),
        ([two.clone(), sequence("small", &two)], &[is_small]),
        ([one.clone(), sequence("struct(lsn)", &one)], &[is_small]),
        (
            [sequence("struct(lsn, pos)", &two), sequence("struct(pos, lsn)", &two)],
            &[
                "1 `sequence_by`: the sequence has type STRUCT<lsn: BIGINT, pos: BIGINT> in the target's first flow; \
               expected the same",
            ],
        ),
        (
            [both.clone(), Flow { system_sequence_by: Some("seen".into()), ..both.clone() }],
            &[
                "1 `system_sequence_by`: the system sequence has type DATE in the target's first flow; expected the \
               same",
            ],
        ),
        (
            [snapshots.clone(), sequence("small", &one)],
            &["1 `sequence_by`: the sequence has type BIGINT in the target's first flow; expected the same"],
        ),
        (
            [Flow { tombstone_gc_threshold_seconds: Some(60), ..one.clone() }, one.clone()],
            &["1 `tombstone_gc_threshold_seconds`: it is 60 in the target's first flow; expected the same"],
        ),
        ([of_spark.clone(), of_spark.clone()], &[spark]),
        ([one.clone(), of_spark.clone()], &[spark]),
        ([of_spark, one.clone()], &[spark]),
        (
            [Flow { ignore_null_updates: true, ..one.clone() }, snapshots.clone()],
            &["0 `ignore_null_updates`: a target that a flow from snapshots shares ignores no nulls \
               [INTEROP_IGNORE_NULL_UNSUPPORTED]"],
        ),
        (
            [Flow { stored_as_scd_type: ScdType::Two, ..snapshots }, two],
            &[
                "0 `stored_as_scd_type`: a target that a flow from snapshots shares is stored as SCD type 1",
                "1 `stored_as_scd_type`: a target that a flow from snapshots shares is stored as SCD type 1",
            ],
        ),
    ] {
        assert_eq!(conflicts(&flows), expected, "{flows:?}");
    }
}

//! Every fault of a definition has the platform's class, where one is known, and points at its parameter.

use cdc_core::{ConfigError, Flow, Plan, ScdType, Schema};

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
    class(
        Flow { track_history_column_list: names(&["city"]), ..flow() },
        "AUTOCDC_TRACK_HISTORY_REQUIRES_SCD2",
        "track_history_column_list",
    );
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
fn a_truncate_needs_type_1() {
    let flow = Flow { apply_as_truncates: Some("op = 'TRUNCATE'".into()), ..history() };
    let errors = errors(flow);
    assert_eq!((errors.len(), errors[0].class, errors[0].parameter), (1, None, "apply_as_truncates"));
    assert_eq!(errors[0].message, "a truncate needs SCD type 1; this flow is stored as SCD type 2");
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

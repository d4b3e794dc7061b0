//! Checkpoints and their rows.

use cdc_core::{Row, Table, Value};
use cdc_killmatrix::Fixtures;

use super::{Folder, HEAD, faults, faults_in, fixture, loaded};

/// The same fixture as a history.
fn history(checkpoints: &str) -> String {
    fixture(checkpoints).replace("\"keys\"", "\"stored_as_scd_type\": 2, \"keys\"")
}

fn text(text: &str) -> Value {
    Value::from(text)
}

#[test]
fn a_checkpoint_is_a_batch() {
    let loaded = loaded(fixture(
        r#"{"append": [{"id": 1, "city": "Paris", "op": "INSERT", "seq": 10}, {"id": 2}], "expect": [{"id": 1, "city": "Paris"}]},
           {"note": "nothing arrives", "full_refresh": true},
           {"append": [{"seq": 5, "ID": 3}], "expect_error": "NULL_KEY"}"#,
    ));
    let feed = &loaded.feed;
    assert_eq!(feed.batches(), 3);
    assert_eq!(
        feed.batch(0).events[0].values,
        [Value::Int(1), text("Paris"), text("INSERT"), Value::Int(10)]
    );
    assert_eq!(feed.batch(0).events[1].values, [Value::Int(2), Value::Null, Value::Null, Value::Null]);
    assert_eq!(feed.batch(1).events, []);
    assert_eq!(feed.batch(2).events[0].values, [Value::Int(3), Value::Null, Value::Null, Value::Int(5)]);

    let [first, second, third] = &loaded.checkpoints[..] else { panic!("three checkpoints") };
    assert_eq!(first.expect, [Table::new(vec![Row::from([Value::Int(1), text("Paris")])])]);
    assert_eq!((first.line, &first.event_lines[..]), (3, &[3, 3][..]));
    assert_eq!((second.note.as_deref(), second.full_refresh), (Some("nothing arrives"), true));
    assert_eq!((&second.expect[..], second.line), (&[][..], 4));
    assert_eq!((third.expect_error.as_deref(), third.full_refresh), (Some("NULL_KEY"), false));
}

#[test]
fn rows_may_be_columns_and_lists() {
    let loaded = loaded(fixture(
        r#"{"append": {"columns": ["seq", "ID"], "rows": [[5, 1], [6, null]]},
            "expect": {"columns": ["city", "id"], "rows": [["Paris", 1]]}}"#,
    ));
    let events = loaded.feed.events();
    assert_eq!(events[0].values, [Value::Int(1), Value::Null, Value::Null, Value::Int(5)]);
    assert_eq!(events[1].values, [Value::Null, Value::Null, Value::Null, Value::Int(6)]);
    assert_eq!(loaded.checkpoints[0].expect[0].rows(), [[Value::Int(1), text("Paris")]]);
}

#[test]
fn expect_any_holds_tables_each_right() {
    let loaded = loaded(fixture(r#"{"expect_any": [[{"id": 1, "city": "Paris"}], []]}"#));
    assert_eq!(loaded.checkpoints[0].expect.len(), 2);
    assert_eq!(
        faults_in(r#"{"expect_any": [[], [{"id": 1}]]}"#),
        [
            "3:38: checkpoint 1, expected table 2, row 1: the row has no `city`; expected every column of the target, \
          null where there is no value"
        ]
    );
    assert_eq!(
        faults_in(r#"{"expect_any": []}"#),
        ["3:32: checkpoint 1: `expect_any` is empty; expected a list of tables, each right"]
    );
    assert_eq!(
        faults_in(r#"{"expect_any": {}}"#),
        ["3:32: checkpoint 1: `expect_any` is an object; expected a list"]
    );
}

#[test]
fn expect_and_expect_any_exclude_each_other() {
    assert_eq!(
        faults_in(r#"{"expect": [], "expect_any": [[]]}"#),
        ["3:32: checkpoint 1: `expect` is given as well; expected one of the two"]
    );
}

#[test]
fn a_row_typed_twice_is_expected_twice() {
    let loaded = loaded(fixture(r#"{"expect": [{"id": 1, "city": null}, {"id": 1, "city": null}]}"#));
    assert_eq!(loaded.checkpoints[0].expect[0].rows().len(), 2);
}

#[test]
fn checkpoints_are_a_list_that_is_not_empty() {
    assert_eq!(faults_in(""), ["3:16: `checkpoints` is empty; expected at least one checkpoint"]);
    assert_eq!(
        faults(format!("{{{HEAD},\n\"checkpoints\": {{}}}}")),
        ["f/a.json:3:16: `checkpoints` is an object; expected a list"]
    );
    assert_eq!(
        faults_in(r#"{"expect": []}, 7"#),
        ["3:33: checkpoint 2: the checkpoint is the number `7`; expected an object"]
    );
}

#[test]
fn a_fixture_expects_something() {
    assert_eq!(
        faults_in(r#"{"append": []}, {}"#),
        [
            "3:1: no checkpoint expects anything; expected `expect`, `expect_any` or `expect_error` in at least one"
        ]
    );
}

#[test]
fn todo_is_replaced_by_rows() {
    let todo = "is still `TODO`; expected the rows of the whole target, typed by hand";
    assert_eq!(faults_in(r#"{"expect": "TODO"}"#), [format!("3:28: checkpoint 1: `expect` {todo}")]);
    assert_eq!(
        faults_in(r#"{"expect_any": [[], "TODO"]}"#),
        [format!("3:37: checkpoint 1: `expect_any[1]` {todo}")]
    );
}

#[test]
fn where_expectations_are_optional_neither_is_a_fault() {
    for checkpoints in [r#"{"expect": "TODO"}"#, r#"{"append": []}"#] {
        let folder = Folder::new().with("f/a.json", fixture(checkpoints));
        let fixtures = Fixtures::load_events([folder.path("f")]).expect("a sound fixture");
        assert_eq!(fixtures.suites[0].fixtures[0].checkpoints[0].expect, []);
    }
}

#[test]
fn a_checkpoint_says_how_much_time_passes() {
    let loaded = loaded(fixture(r#"{"advance_seconds": 60, "expect": []}, {"expect": []}"#));
    let seconds = |batch: usize| loaded.feed.batch(batch).delivery.seconds;
    assert_eq!((seconds(0), seconds(1)), (60, 0));
    let (any, most) = ("0 or more", "0 to 18446744073709551615");
    for (given, kind, range) in [
        ("-1", "the number `-1`", any),
        ("1.5", "the number `1.5`", any),
        ("\"1\"", "the text `1`", any),
        ("18446744073709551616", "the number `18446744073709551616`", most),
    ] {
        assert_eq!(
            faults_in(&format!(r#"{{"advance_seconds": {given}, "expect": []}}"#)),
            [format!(
                "3:37: checkpoint 1: `advance_seconds` is {kind}; expected a whole number of seconds, {range}"
            )]
        );
    }
}

#[test]
fn one_flow_is_not_named() {
    assert_eq!(
        faults_in(r#"{"flow": "feed", "expect": []}"#),
        ["3:18: checkpoint 1: the target has one flow, so that none is named here; `flows` gives several"]
    );
}

/// A fixture with a feed and a flow from snapshots; the checkpoints are on its third line, from column 17.
fn feed_and_snapshots(checkpoints: &str) -> String {
    format!(
        r#"{{"name": "a", "schema": {{"id": "INT", "seq": "BIGINT"}},
"flows": {{"feed": {{"keys": ["id"], "sequence_by": "seq"}}, "full": {{"keys": ["id"], "from_snapshot": true}}}},
"checkpoints": [{checkpoints}]}}"#
    )
}

#[test]
fn of_several_flows_a_checkpoint_names_one() {
    let loaded = loaded(feed_and_snapshots(
        r#"{"flow": "full", "snapshot": {"version": 7, "rows": [{"id": 1}]}, "expect": []},
{"flow": "feed", "append": [{"id": 2}], "expect": []}, {"flow": "full", "snapshot": null, "expect": []}"#,
    ));
    let delivery = |batch: usize| loaded.feed.batch(batch).delivery.clone();
    assert_eq!([delivery(0).flow, delivery(1).flow, delivery(2).flow], [1, 0, 1]);
    assert_eq!(
        [delivery(0).version, delivery(1).version, delivery(2).version],
        [Some(Value::Int(7)), None, None]
    );
    assert_eq!(loaded.feed.batch(0).events.len(), 1);

    let fault = |checkpoints: &str| faults(feed_and_snapshots(checkpoints));
    assert_eq!(
        fault(r#"{"append": [], "expect": []}"#),
        [
            "f/a.json:3:17: checkpoint 1: `flow` is missing; expected the flow that brings this batch: feed or full"
        ]
    );
    assert_eq!(
        fault(r#"{"flow": "fed", "append": [], "snapshot": {}, "expect": []}"#),
        ["f/a.json:3:26: checkpoint 1: there is no flow `fed`; did you mean `feed`?"]
    );
    assert_eq!(
        fault(r#"{"flow": "Feed", "append": [], "expect": []}"#),
        ["f/a.json:3:26: checkpoint 1: there is no flow `Feed`; did you mean `feed`?"]
    );
    assert_eq!(
        fault(r#"{"flow": 1, "append": [], "expect": []}"#),
        ["f/a.json:3:26: checkpoint 1: `flow` is the number `1`; expected a text in quotes"]
    );
}

#[test]
fn events_and_snapshots_are_not_mixed_up() {
    let fault = |checkpoints: &str| faults(feed_and_snapshots(checkpoints));
    assert_eq!(
        fault(r#"{"flow": "full", "append": [{"id": 1}], "expect": []}"#),
        [
            "f/a.json:3:34: checkpoint 1: `append` is for another kind of flow: this one reads snapshots; expected \
             `snapshot`"
        ]
    );
    assert_eq!(
        fault(r#"{"flow": "feed", "snapshot": {"version": 1, "rows": []}, "expect": []}"#),
        [
            "f/a.json:3:34: checkpoint 1: `snapshot` is for another kind of flow: this one reads events; expected \
             `append`"
        ]
    );
}

#[test]
fn a_snapshot_has_a_version_and_rows() {
    let fault = |snapshot: &str| {
        let checkpoint = format!(r#"{{"flow": "full", "snapshot": {snapshot}, "expect": []}}"#);
        let faults = faults(feed_and_snapshots(&checkpoint));
        faults.iter().map(|line| line.replace("f/a.json:3:", "")).collect::<Vec<String>>()
    };
    let none = Vec::<String>::new();
    assert_eq!(fault(r#"{"version": null, "rows": []}"#), none, "refused when it is applied");
    assert_eq!(fault(r#"{"version": 1, "rows": {"columns": ["id"], "rows": [[1]]}}"#), none);
    let both = "expected `version` and `rows`";
    assert_eq!(
        fault("{}"),
        [
            format!("46: checkpoint 1: `snapshot` has no `version`; {both}"),
            format!("46: checkpoint 1: `snapshot` has no `rows`; {both}"),
        ]
    );
    assert_eq!(fault(r#"{"version": 1}"#), [format!("46: checkpoint 1: `snapshot` has no `rows`; {both}")]);
    assert_eq!(fault(r#"{"rows": []}"#), [format!("46: checkpoint 1: `snapshot` has no `version`; {both}")]);
    assert_eq!(
        fault("[]"),
        [
            "46: checkpoint 1: `snapshot` is a list; expected an object with `version` and `rows`, or null where the \
             source gives none"
        ]
    );
    assert_eq!(
        fault(r#"{"version": "1", "rows": [{"nr": 1}], "row": 1}"#),
        [
            "58: checkpoint 1: `version` is the text `1`; expected a whole number (BIGINT) without quotes",
            "73: checkpoint 1, event 1: there is no column `nr`; expected one of id, seq",
            "84: checkpoint 1: there is no field `row`; did you mean `rows`?"
        ]
    );
}

#[test]
fn the_version_of_a_snapshot_has_the_flows_type() {
    let fault = |version: &str| {
        faults(format!(
            r#"{{"name": "a", "schema": {{"id": "INT"}},
"flow": {{"keys": ["id"], "from_snapshot": true, "version_type": "DATE"}},
"checkpoints": [{{"snapshot": {{"version": {version}, "rows": []}}, "expect": []}}]}}"#
        ))
    };
    assert_eq!(fault("\"2026-08-30\""), Vec::<String>::new());
    assert_eq!(fault("20260830").len(), 1);
    assert_eq!(fault("\"30 August\"").len(), 1);
}

#[test]
fn a_bitemporal_target_has_four_bounds() {
    let fault = |row: &str| {
        faults(format!(
            r#"{{"name": "a", "schema": {{"id": "INT", "seq": "BIGINT", "known": "DATE"}},
"flow": {{"keys": ["id"], "sequence_by": "seq", "system_sequence_by": "known", "except_column_list": ["seq", "known"],
"stored_as_scd_type": "BITEMPORAL"}}, "checkpoints": [{{"expect": [{row}]}}]}}"#
        ))
    };
    let bounds =
        r#""__START_AT": 1, "__END_AT": null, "__SYSTEM_START_AT": "2026-08-30", "__SYSTEM_END_AT": null"#;
    assert_eq!(fault(&format!(r#"{{"id": 1, {bounds}}}"#)), Vec::<String>::new());
    assert_eq!(
        fault(r#"{"id": 1, "__START_AT": 1, "__END_AT": null}"#),
        [
            "f/a.json:3:66: checkpoint 1, expected row 1: the row has no `__SYSTEM_START_AT`, `__SYSTEM_END_AT`; \
             expected every column of the target, null where there is no value"
        ]
    );
}

#[test]
fn members_of_a_checkpoint_have_one_kind_each() {
    assert_eq!(
        faults_in(
            r#"{"note": 1, "full_refresh": "yes", "append": null, "expect": null, "expect_error": "null key"}"#
        ),
        [
            "3:26: checkpoint 1: `note` is the number `1`; expected a text in quotes",
            "3:45: checkpoint 1: `full_refresh` is the text `yes`; expected true or false",
            "3:62: checkpoint 1: `append` is null; expected a list of rows, or the name of a CSV file",
            "3:78: checkpoint 1: `expect` is null; expected `\"TODO\"`, a list of rows, or the name of a CSV file",
            "3:100: checkpoint 1: `expect_error` is the text `null key`; expected an error class such as `NULL_KEY`"
        ]
    );
}

#[test]
fn an_unknown_column_of_an_event_is_a_fault() {
    assert_eq!(
        faults_in(r#"{"append": [{"id": 1}, {"id": 1, "citty": "Paris"}], "expect": []}"#),
        ["3:50: checkpoint 1, event 2: there is no column `citty`; did you mean `city`?"]
    );
    assert_eq!(
        faults_in(r#"{"append": [{"price": 1}], "expect": []}"#),
        ["3:30: checkpoint 1, event 1: there is no column `price`; expected one of id, city, op, seq"]
    );
}

#[test]
fn a_column_given_twice_is_a_fault_in_whatever_case() {
    assert_eq!(
        faults_in(r#"{"append": [{"id": 1, "ID": 2}], "expect": []}"#),
        ["3:39: checkpoint 1, event 1: the column `id` is given twice; names match without case"]
    );
}

#[test]
fn an_expected_row_gives_every_column_of_the_target() {
    assert_eq!(
        faults_in(r#"{"expect": [{"id": 1}]}"#),
        ["3:29: checkpoint 1, expected row 1: the row has no `city`; expected every column of the target, \
          null where there is no value"]
    );
    assert_eq!(
        faults(history(r#"{"expect": [{"id": 1, "city": null, "__START_AT": 1}]}"#)),
        [
            "f/a.json:3:29: checkpoint 1, expected row 1: the row has no `__END_AT`; expected every column of the \
          target, null where there is no value"
        ]
    );
}

#[test]
fn an_expected_row_gives_only_columns_of_the_target() {
    assert_eq!(
        faults_in(r#"{"expect": [{"id": 1, "city": null, "seq": 1, "__end_at": 2, "town": 3}]}"#),
        [
            "3:53: checkpoint 1, expected row 1: `seq` doesn't reach the target: the flow leaves it out; \
             expected only columns of the target",
            "3:63: checkpoint 1, expected row 1: there is no column `__end_at` in a target of SCD type 1; \
             it comes with `stored_as_scd_type` 2",
            "3:78: checkpoint 1, expected row 1: there is no column `town`; expected one of id, city"
        ]
    );
}

#[test]
fn system_bounds_come_with_a_bitemporal_target() {
    assert_eq!(
        faults(history(
            r#"{"expect": [{"id": 1, "city": "a", "__START_AT": 1, "__END_AT": 2, "__SYSTEM_END_AT": 3}]}"#
        )),
        [
            "f/a.json:3:84: checkpoint 1, expected row 1: there is no column `__SYSTEM_END_AT` in this target; it \
             comes with `stored_as_scd_type` `BITEMPORAL`"
        ]
    );
}

#[test]
fn what_every_row_lacks_is_said_once() {
    assert_eq!(
        faults(history(
            r#"{"expect": [{"id": 1, "city": "a"}, {"id": 2, "city": "b"}, {"id": 3, "city": "c"}]}"#
        )),
        [
            "f/a.json:3:29: checkpoint 1, expected row 1: the row has no `__START_AT`, `__END_AT`; expected every \
          column of the target, null where there is no value (and in 2 more rows)"
        ]
    );
    assert_eq!(
        faults_in(r#"{"append": [{"town": 1}, {"town": 2}], "expect": []}"#),
        [
            "3:30: checkpoint 1, event 1: there is no column `town`; expected one of id, city, op, seq (and in 1 more row)"
        ]
    );
}

#[test]
fn columns_and_lists_have_to_fit() {
    assert_eq!(
        faults_in(r#"{"append": {"columns": ["id", "town", "ID", 5], "rows": [[1]]}, "expect": []}"#),
        [
            "3:47: checkpoint 1: there is no column `town`; expected one of id, city, op, seq",
            "3:55: checkpoint 1: the column `id` is given twice; names match without case",
            "3:61: checkpoint 1: `columns[3]` is the number `5`; expected the name of a column in quotes"
        ]
    );
    assert_eq!(
        faults_in(
            r#"{"append": {"columns": ["id", "seq"], "rows": [[1], [1, 2, 3], 4, [1, "x"]]}, "expect": []}"#
        ),
        [
            "3:64: checkpoint 1, event 1: the row has 1 value; expected 2, one for each of `columns`",
            "3:69: checkpoint 1, event 2: the row has 3 values; expected 2, one for each of `columns`",
            "3:80: checkpoint 1, event 3: the row is the number `4`; expected a list of the columns' values",
            "3:87: checkpoint 1, event 4: `seq` is the text `x`; expected a whole number (BIGINT)"
        ]
    );
    assert_eq!(
        faults_in(r#"{"expect": {"columns": ["id"], "rows": [[1], [2]]}}"#),
        ["3:40: checkpoint 1: the list of columns has no `city`; expected every column of the target, \
          null where there is no value"]
    );
    assert_eq!(
        faults_in(r#"{"append": {"columns": ["id"], "row": []}, "expect": []}"#),
        [
            "3:28: checkpoint 1: `append` has no `rows`; expected an object with `columns` and `rows`",
            "3:48: checkpoint 1: there is no field `row`; did you mean `rows`?"
        ]
    );
}

#[test]
fn a_row_is_an_object() {
    assert_eq!(
        faults_in(r#"{"append": [[1, "Paris"]], "expect": ["x"]}"#),
        [
            "3:29: checkpoint 1, event 1: the row is a list; expected an object with the columns' values",
            "3:55: checkpoint 1, expected row 1: the row is the text `x`; expected an object with the columns' values"
        ]
    );
}

#[test]
fn a_composite_sequence_starts_and_ends_with_an_object() {
    let text = history(
        r#"{"expect": [{"id": 1, "city": null, "__START_AT": {"seq": 1, "id": 1}, "__END_AT": null}]}"#,
    )
    .replace("\"sequence_by\": \"seq\"", "\"sequence_by\": \"struct(seq, id)\"");
    let loaded = loaded(text);
    let start = &loaded.checkpoints[0].expect[0].rows()[0][2];
    assert_eq!(*start, Value::structure([Value::Int(1), Value::Int(1)]));
}

#[test]
fn every_fault_of_a_fixture_is_said_at_once() {
    assert_eq!(
        faults_in(
            r#"{"append": [{"id": "1"}, {"seq": 1.5}], "expect": [{"id": true, "city": 1}]},
{"expect": "TODO"}"#
        ),
        [
            "3:36: checkpoint 1, event 1: `id` is the text `1`; expected a whole number (INT) without quotes",
            "3:50: checkpoint 1, event 2: `seq` is the number `1.5`; expected a whole number (BIGINT) without point and exponent",
            "3:75: checkpoint 1, expected row 1: `id` is true; expected a whole number (INT)",
            "3:89: checkpoint 1, expected row 1: `city` is the number `1`; expected text (STRING), in quotes",
            "4:12: checkpoint 2: `expect` is still `TODO`; expected the rows of the whole target, typed by hand"
        ]
    );
}

use super::*;

#[test]
fn late_event_is_passed_over() {
    let batches: [&[Event]; 3] =
        [&[update(10, "Paris", "")], &[update(30, "Nantes", "")], &[update(20, "Lille", "")]];
    assert_eq!(
        story(flow(ScdType::One), &batches),
        [
            "checkpoint 1, event 1: upsert at 10: replaced by checkpoint 2, event 1, which comes after it",
            "checkpoint 3, event 1: upsert at 20: passed over, it comes before checkpoint 2, event 1",
            "checkpoint 2, event 1: upsert at 30: wins, it comes last in the sequence (SEQUENCE BY, \
             https://docs.databricks.com/aws/en/ldp/cdc)",
        ]
    );
}

#[test]
fn delete_is_remembered_against_a_late_event() {
    let batches: [&[Event]; 3] = [&[update(10, "Paris", "")], &[delete(40)], &[update(35, "Lyon", "")]];
    assert_eq!(
        story(flow(ScdType::One), &batches),
        [
            "checkpoint 1, event 1: upsert at 10: deleted by checkpoint 2, event 1, which comes after it",
            "checkpoint 3, event 1: upsert at 35: passed over, it is older than the delete of checkpoint 2, event 1, \
             which is remembered as a tombstone \
             (https://docs.databricks.com/aws/en/ldp/developer/ldp-python-ref-apply-changes)",
            "checkpoint 2, event 1: delete at 40: wins, it comes last in the sequence (SEQUENCE BY, \
             https://docs.databricks.com/aws/en/ldp/cdc): the row is gone, since `op = 'DELETE'` is true \
             (APPLY AS DELETE WHEN, \
             https://docs.databricks.com/aws/en/ldp/developer/ldp-python-ref-apply-changes)",
        ]
    );
}

#[test]
fn delete_of_an_unknown_key_leaves_a_tombstone() {
    assert_eq!(
        story(flow(ScdType::One), &[&[delete(10)]]),
        ["checkpoint 1, event 1: delete at 10: wins, the only event of its key: there is no row, since \
          `op = 'DELETE'` is true (APPLY AS DELETE WHEN, \
          https://docs.databricks.com/aws/en/ldp/developer/ldp-python-ref-apply-changes); the delete is remembered \
          as a tombstone (https://docs.databricks.com/aws/en/ldp/developer/ldp-python-ref-apply-changes)"]
    );
}

#[test]
fn tie_in_a_batch_goes_to_the_last_row() {
    assert_eq!(
        story(flow(ScdType::One), &[&[update(10, "Paris", ""), update(10, "Nantes", "")]]),
        [
            "checkpoint 1, event 1: upsert at 10: loses a tie to checkpoint 1, event 2: in one batch the last row \
             wins (no vendor orders a tie; measured on Apache Spark 4.3.0)",
            "checkpoint 1, event 2: upsert at 10: wins the tie at the end of the sequence (SEQUENCE BY, \
             https://docs.databricks.com/aws/en/ldp/cdc)",
        ]
    );
}

#[test]
fn tie_of_two_batches_goes_to_the_upsert() {
    for [first, second] in [[update(10, "Paris", ""), delete(10)], [delete(10), update(10, "Paris", "")]] {
        let lines = story(flow(ScdType::One), &[&[first], &[second]]);
        let lost = lines.iter().find(|line| line.contains("delete at 10")).unwrap();
        assert!(lost.ends_with(
            "of two batches an upsert wins over a delete (no vendor orders a tie; measured on Apache Spark 4.3.0)"
        ));
    }
    assert_eq!(
        story(flow(ScdType::One), &[&[update(10, "Paris", "")], &[update(10, "Nantes", "")]])[0],
        "checkpoint 1, event 1: upsert at 10: loses a tie to checkpoint 2, event 1: of two batches the later one \
         wins (no vendor orders a tie; measured on Apache Spark 4.3.0)"
    );
}

#[test]
fn redelivery_is_no_tie() {
    assert_eq!(
        story(flow(ScdType::One), &[&[update(10, "Paris", "")], &[update(10, "Paris", "")]]),
        [
            "checkpoint 1, event 1: upsert at 10: gives way to checkpoint 2, event 1, which says the same",
            "checkpoint 2, event 1: upsert at 10: wins, it comes last in the sequence (SEQUENCE BY, \
             https://docs.databricks.com/aws/en/ldp/cdc)",
        ]
    );
}

#[test]
fn null_erases() {
    assert_eq!(
        story(flow(ScdType::One), &[&[update(10, "Paris", "a@x")], &[update(20, "", "b@x")]])[1],
        "checkpoint 2, event 1: upsert at 20: wins, it comes last in the sequence (SEQUENCE BY, \
         https://docs.databricks.com/aws/en/ldp/cdc); its null erases `city` (Paris of checkpoint 1, event 1), since \
         the flow doesn't ignore nulls (IGNORE NULL UPDATES, \
         https://docs.databricks.com/aws/en/ldp/developer/ldp-python-ref-apply-changes)"
    );
}

#[test]
fn null_in_a_column_that_is_not_listed_erases() {
    let only_email =
        Flow { ignore_null_updates_column_list: Some(vec!["email".into()]), ..flow(ScdType::One) };
    let line = &story(only_email, &[&[update(10, "Paris", "a@x")], &[update(20, "", "")]])[1];
    assert!(
        line.contains("; takes over `email` from checkpoint 1, event 1, since its own is null"),
        "{line}"
    );
    assert!(
        line.ends_with(
            "; its null erases `city` (Paris of checkpoint 1, event 1), since the flow doesn't ignore nulls in `city`"
        ),
        "{line}"
    );
}

#[test]
fn nulls_take_over_the_last_value_that_was_given() {
    let batches: [&[Event]; 3] =
        [&[update(10, "Paris", "a@x")], &[update(20, "Nantes", "")], &[update(30, "", "")]];
    assert_eq!(
        story(ignoring_nulls(flow(ScdType::One)), &batches)[2],
        "checkpoint 3, event 1: upsert at 30: wins, it comes last in the sequence (SEQUENCE BY, \
         https://docs.databricks.com/aws/en/ldp/cdc); takes over `city` from checkpoint 2, event 1 and `email` from \
         checkpoint 1, event 1, since its own are null (IGNORE NULL UPDATES, \
         https://docs.databricks.com/aws/en/ldp/developer/ldp-python-ref-apply-changes)"
    );
}

#[test]
fn late_event_fills_a_newer_one() {
    assert_eq!(
        story(ignoring_nulls(flow(ScdType::One)), &[&[update(20, "", "b@x")], &[update(10, "Paris", "a@x")]])
            [1],
        "checkpoint 1, event 1: upsert at 20: wins, it comes last in the sequence (SEQUENCE BY, \
         https://docs.databricks.com/aws/en/ldp/cdc); takes over `city` from checkpoint 2, event 1, since its own is \
         null (IGNORE NULL UPDATES, \
         https://docs.databricks.com/aws/en/ldp/developer/ldp-python-ref-apply-changes; Databricks doesn't say \
         whether a late event fills newer ones, in Apache Spark's code it does)"
    );
}

#[test]
fn nulls_take_nothing_over_from_before_a_delete() {
    let batches: [&[Event]; 1] = [&[update(10, "Paris", "a@x"), delete(20), update(30, "", "b@x")]];
    assert_eq!(
        story(ignoring_nulls(flow(ScdType::One)), &batches)[2],
        "checkpoint 1, event 3: upsert at 30: wins, it comes last in the sequence (SEQUENCE BY, \
         https://docs.databricks.com/aws/en/ldp/cdc); `city` is null: nothing older than the delete of \
         checkpoint 1, event 2 is taken over (IGNORE NULL UPDATES, \
         https://docs.databricks.com/aws/en/ldp/developer/ldp-python-ref-apply-changes; Databricks doesn't say \
         whether values are taken over across a delete, in Apache Spark's code they aren't)"
    );
}

#[test]
fn unknown_operation_is_an_upsert() {
    let unknown = [Value::Int(101), "Paris".into(), Value::Null, Value::Null, Value::Int(10)];
    assert_eq!(
        story(flow(ScdType::One), &[&[unknown]]),
        ["checkpoint 1, event 1: upsert at 10: wins, the only event of its key; it is no delete, since \
          `op = 'DELETE'` is null (APPLY AS DELETE WHEN, \
          https://docs.databricks.com/aws/en/ldp/developer/ldp-python-ref-apply-changes)"]
    );
}

#[test]
fn late_event_whose_value_is_shown_is_not_passed_over() {
    assert_eq!(
        story(ignoring_nulls(flow(ScdType::One)), &[&[update(20, "", "b@x")], &[update(10, "Paris", "a@x")]])
            [0],
        "checkpoint 2, event 1: upsert at 10: comes before checkpoint 1, event 1; its `city` is shown, where nulls \
         are ignored"
    );
}

#[test]
fn forgotten_delete_no_longer_wins() {
    let batches: [(u64, &[Event]); 3] =
        [(0, &[update(10, "Paris", "")]), (0, &[delete(20)]), (THREE_DAYS, &[update(30, "Lyon", "")])];
    assert_eq!(
        timed(flow(ScdType::One), &batches)[1..],
        [
            "checkpoint 2, event 1: delete at 20: won: the row was gone, since `op = 'DELETE'` is true (APPLY AS DELETE \
             WHEN, https://docs.databricks.com/aws/en/ldp/developer/ldp-python-ref-apply-changes); after 259200 seconds \
             it was forgotten (pipelines.cdc.tombstoneGCThresholdInSeconds, \
             https://docs.databricks.com/aws/en/ldp/developer/ldp-python-ref-apply-changes)",
            "checkpoint 3, event 1: upsert at 30: wins, it comes last in the sequence (SEQUENCE BY, \
             https://docs.databricks.com/aws/en/ldp/cdc)",
        ]
    );
}

#[test]
fn null_erases_nothing_that_was_forgotten() {
    let batches: [(u64, &[Event]); 3] =
        [(0, &[update(10, "Paris", "")]), (0, &[delete(20)]), (THREE_DAYS, &[update(15, "", "x")])];
    assert_eq!(
        timed(flow(ScdType::One), &batches)[1],
        "checkpoint 3, event 1: upsert at 15: wins, since the delete of checkpoint 2, event 1 was forgotten \
         (pipelines.cdc.tombstoneGCThresholdInSeconds, \
         https://docs.databricks.com/aws/en/ldp/developer/ldp-python-ref-apply-changes)"
    );
}

#[test]
fn late_event_is_shown_after_a_delete_was_forgotten() {
    let batches: [(u64, &[Event]); 3] =
        [(0, &[delete(20)]), (THREE_DAYS, &[update(30, "", "x")]), (0, &[update(10, "Paris", "")])];
    assert_eq!(
        timed(ignoring_nulls(flow(ScdType::One)), &batches)[0],
        "checkpoint 3, event 1: upsert at 10: comes before checkpoint 2, event 1; its `city` is shown, where nulls are \
         ignored"
    );
}

#[test]
fn truncate_is_called_so() {
    let batches: [&[Event]; 2] = [&[truncate(20)], &[update(15, "Paris", "")]];
    assert_eq!(
        story(truncating(), &batches)[0],
        "checkpoint 2, event 1: upsert at 15: passed over, it is older than the truncate of checkpoint 1, event 1, \
         which is remembered as a tombstone \
         (https://docs.databricks.com/aws/en/ldp/developer/ldp-python-ref-apply-changes)"
    );
}

#[test]
fn delete_at_the_place_of_a_truncate_says_the_same() {
    let batches: [&[Event]; 2] = [&[truncate(20)], &[delete(20)]];
    assert_eq!(
        story(truncating(), &batches)[1],
        "checkpoint 2, event 1: delete at 20: passed over, it says the same as checkpoint 1, event 1"
    );
}

#[test]
fn delete_of_a_deleted_key_finds_no_row() {
    let batches: [&[Event]; 3] = [&[update(10, "Paris", "")], &[delete(20)], &[delete(30)]];
    assert!(story(flow(ScdType::One), &batches)[2].contains(": there is no row, since "));
}

#[test]
fn late_event_whose_column_is_shown_is_not_passed_over() {
    let lines = listing(&[(20, "", "x", "email"), (10, "Paris", "", "city")]);
    assert_eq!(
        lines[0],
        "checkpoint 2, event 1: upsert at 10: comes before checkpoint 1, event 1; its `city` is shown, since the \
         winner doesn't give it; it gives `city` only, and the rest stays as it was (COLUMNS TO UPDATE, \
         https://docs.databricks.com/aws/en/ldp/developer/ldp-python-ref-apply-changes)"
    );
}

#[test]
fn null_that_is_given_is_not_the_same_as_none() {
    let lines = listing(&[(20, "", "x", "email"), (20, "", "x", "city email")]);
    assert!(lines[0].contains("loses a tie to checkpoint 2, event 1: of two batches the later one wins"));
}

/// The story of events of customer 101, a batch each, that list the columns to update.
fn listing(events: &[(i64, &str, &str, &str)]) -> Vec<String> {
    let schema = "id BIGINT, city STRING, email STRING, lsn BIGINT, columns ARRAY<STRING>";
    let flow = Flow {
        apply_as_deletes: None,
        except_column_list: Some(vec!["lsn".into(), "columns".into()]),
        columns_to_update: Some("columns".into()),
        ..flow(ScdType::One)
    };
    let plan = Plan::new(flow, schema.parse().unwrap()).unwrap();
    let mut feed = Feed::default();
    for &(lsn, city, email, columns) in events {
        let columns = Value::Array(columns.split(' ').map(Value::from).collect());
        feed.append([[Value::Int(101), given(city), given(email), Value::Int(lsn), columns]]);
    }
    stories(std::slice::from_ref(&plan), &feed, 0, events.len() - 1).remove(0).lines
}

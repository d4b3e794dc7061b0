use super::*;

#[test]
fn equal_upsert_extends_the_row() {
    assert_eq!(
        story(
            flow(ScdType::Two),
            &[&[update(10, "Paris", ""), update(20, "Paris", ""), update(30, "Lille", "")]]
        ),
        [
            "checkpoint 1, event 1: upsert at 10: opens the first row (STORED AS SCD TYPE 2, \
             https://docs.databricks.com/aws/en/ldp/cdc); the row ends at 30, with checkpoint 1, event 3",
            "checkpoint 1, event 2: upsert at 20: extends the row that checkpoint 1, event 1 opened, since it changes \
             nothing",
            "checkpoint 1, event 3: upsert at 30: opens a row, since it changes `city`: Paris -> Lille; the row is \
             open",
        ]
    );
}

#[test]
fn late_event_splits_a_run() {
    assert_eq!(
        story(
            flow(ScdType::Two),
            &[&[update(10, "Paris", ""), update(30, "Paris", "")], &[update(20, "Lille", "")]]
        ),
        [
            "checkpoint 1, event 1: upsert at 10: opens the first row (STORED AS SCD TYPE 2, \
             https://docs.databricks.com/aws/en/ldp/cdc); the row ends at 20, with checkpoint 2, event 1",
            "checkpoint 2, event 1: upsert at 20: comes late, takes its place in the sequence (SEQUENCE BY, \
             https://docs.databricks.com/aws/en/ldp/cdc) and opens a row, since it changes `city`: Paris -> Lille; \
             the row ends at 30, with checkpoint 1, event 2",
            "checkpoint 1, event 2: upsert at 30: opens a row, since it changes `city`: Lille -> Paris; the row is \
             open",
        ]
    );
}

#[test]
fn delete_without_a_row_ends_nothing_and_is_remembered() {
    assert_eq!(
        story(flow(ScdType::Two), &[&[delete(20), delete(30)], &[update(10, "Paris", "")]]),
        [
            "checkpoint 2, event 1: upsert at 10: comes late, takes its place in the sequence (SEQUENCE BY, \
             https://docs.databricks.com/aws/en/ldp/cdc) and opens the first row (STORED AS SCD TYPE 2, \
             https://docs.databricks.com/aws/en/ldp/cdc); the row ends at 20, with checkpoint 1, event 1",
            "checkpoint 1, event 1: delete at 20: ends the row that checkpoint 2, event 1 opened, since \
             `op = 'DELETE'` is true (APPLY AS DELETE WHEN, \
             https://docs.databricks.com/aws/en/ldp/developer/ldp-python-ref-apply-changes)",
            "checkpoint 1, event 2: delete at 30: ends no row, since it follows the delete of checkpoint 1, event 1; \
             it is remembered as a tombstone \
             (https://docs.databricks.com/aws/en/ldp/developer/ldp-python-ref-apply-changes)",
        ]
    );
    assert_eq!(
        story(flow(ScdType::Two), &[&[delete(20)]]),
        [
            "checkpoint 1, event 1: delete at 20: ends no row, since no upsert comes before it; it is remembered as a \
          tombstone (https://docs.databricks.com/aws/en/ldp/developer/ldp-python-ref-apply-changes)"
        ]
    );
}

#[test]
fn equal_values_around_a_delete_are_two_rows() {
    assert_eq!(
        story(flow(ScdType::Two), &[&[update(10, "Paris", ""), delete(20), update(30, "Paris", "")]]),
        [
            "checkpoint 1, event 1: upsert at 10: opens the first row (STORED AS SCD TYPE 2, \
             https://docs.databricks.com/aws/en/ldp/cdc); the row ends at 20, with checkpoint 1, event 2",
            "checkpoint 1, event 2: delete at 20: ends the row that checkpoint 1, event 1 opened, since \
             `op = 'DELETE'` is true (APPLY AS DELETE WHEN, \
             https://docs.databricks.com/aws/en/ldp/developer/ldp-python-ref-apply-changes)",
            "checkpoint 1, event 3: upsert at 30: opens a row although it changes nothing, since the delete of \
             checkpoint 1, event 2 lies between; the row is open",
        ]
    );
}

#[test]
fn other_values_after_a_delete_are_a_new_row() {
    assert_eq!(
        story(flow(ScdType::Two), &[&[update(10, "Paris", ""), delete(20), update(30, "Lille", "")]])[2],
        "checkpoint 1, event 3: upsert at 30: opens a row after the delete of checkpoint 1, event 2; the row is open"
    );
}

#[test]
fn untracked_change_opens_no_row() {
    let batches: [&[Event]; 1] =
        [&[update(10, "Paris", "a@x"), update(20, "Paris", "b@x"), update(30, "Lille", "b@x")]];
    assert_eq!(
        story(tracking_city(), &batches),
        [
            "checkpoint 1, event 1: upsert at 10: opens the first row (STORED AS SCD TYPE 2, \
             https://docs.databricks.com/aws/en/ldp/cdc); the row shows the values of checkpoint 1, event 2; the row \
             ends at 30, with checkpoint 1, event 3",
            "checkpoint 1, event 2: upsert at 20: extends the row that checkpoint 1, event 1 opened, since it only \
             changes `email`: a@x -> b@x, which isn't tracked (TRACK HISTORY ON, \
             https://docs.databricks.com/aws/en/ldp/cdc)",
            "checkpoint 1, event 3: upsert at 30: opens a row, since it changes `city`: Paris -> Lille; the row is \
             open",
        ]
    );
}

#[test]
fn tie_in_a_batch_goes_to_the_delete_or_else_to_the_last_row() {
    let lost = |rule: &str| {
        format!(
            "checkpoint 1, event 1: upsert at 10: loses a tie to checkpoint 1, event 2: in one batch {rule} (no \
             vendor orders a tie; measured on Apache Spark 4.3.0)"
        )
    };
    let first = || update(10, "Paris", "");
    assert_eq!(story(flow(ScdType::Two), &[&[first(), delete(10)]])[0], lost("a delete wins over an upsert"));
    assert_eq!(
        story(flow(ScdType::Two), &[&[first(), update(10, "Lille", "")]])[0],
        lost("the last row wins")
    );
}

#[test]
fn tie_of_two_batches_goes_to_the_earlier_upsert() {
    assert_eq!(
        story(flow(ScdType::Two), &[&[update(10, "Paris", "")], &[update(10, "Lille", "")]]),
        [
            "checkpoint 1, event 1: upsert at 10: opens the first row (STORED AS SCD TYPE 2, \
             https://docs.databricks.com/aws/en/ldp/cdc); the row is open",
            "checkpoint 2, event 1: upsert at 10: loses a tie to checkpoint 1, event 1: of two batches the earlier \
             one wins (no vendor orders a tie; measured on Apache Spark 4.3.0)",
        ]
    );
}

#[test]
fn tie_with_a_stored_delete_is_settled_here() {
    assert_eq!(
        story(flow(ScdType::Two), &[&[update(10, "Paris", ""), delete(20)], &[update(20, "Lille", "")]])[2],
        "checkpoint 2, event 1: upsert at 20: loses a tie to checkpoint 1, event 2: of two batches a delete wins over \
         an upsert (no vendor orders a tie; chosen here, Apache Spark 4.3.0 forgets a delete that ended a row)"
    );
}

#[test]
fn redelivery_changes_nothing() {
    let lifecycle = [update(10, "Paris", ""), delete(20)];
    let lines = story(flow(ScdType::Two), &[&lifecycle, &lifecycle]);
    assert_eq!(
        lines[1],
        "checkpoint 2, event 1: upsert at 10: passed over, it says the same as checkpoint 1, event 1"
    );
    assert_eq!(
        lines[3],
        "checkpoint 2, event 2: delete at 20: passed over, it says the same as checkpoint 1, event 2"
    );
}

#[test]
fn null_erases_and_opens_a_row() {
    assert_eq!(
        story(flow(ScdType::Two), &[&[update(10, "Paris", "a@x"), update(20, "", "a@x")]])[1],
        "checkpoint 1, event 2: upsert at 20: opens a row, since it changes `city`: Paris -> null; its null erases, \
         since the flow doesn't ignore nulls (IGNORE NULL UPDATES, \
         https://docs.databricks.com/aws/en/ldp/developer/ldp-python-ref-apply-changes); the row is open"
    );
}

#[test]
fn null_that_is_filled_opens_no_row() {
    assert_eq!(
        story(ignoring_nulls(flow(ScdType::Two)), &[&[update(10, "Paris", "a@x"), update(20, "", "a@x")]])[1],
        "checkpoint 1, event 2: upsert at 20: extends the row that checkpoint 1, event 1 opened, since it changes \
         nothing; takes over `city` from checkpoint 1, event 1, since its own is null (IGNORE NULL UPDATES, \
         https://docs.databricks.com/aws/en/ldp/developer/ldp-python-ref-apply-changes)"
    );
}

#[test]
fn late_event_that_moves_no_boundary_joins_a_row() {
    let batches: [&[Event]; 2] =
        [&[update(10, "Paris", ""), update(30, "Paris", "")], &[update(20, "Paris", "")]];
    assert_eq!(
        story(flow(ScdType::Two), &batches)[1],
        "checkpoint 2, event 1: upsert at 20: comes late, takes its place in the sequence (SEQUENCE BY, \
         https://docs.databricks.com/aws/en/ldp/cdc) and joins the row that checkpoint 1, event 1 opened, since it \
         changes nothing"
    );
}

#[test]
fn forgotten_delete_ended_no_row() {
    let batches: [(u64, &[Event]); 2] = [(0, &[delete(20)]), (THREE_DAYS, &[update(10, "Paris", "")])];
    assert_eq!(
        timed(flow(ScdType::Two), &batches)[1],
        "checkpoint 1, event 1: delete at 20: ended no row; after 259200 seconds it was forgotten \
         (pipelines.cdc.tombstoneGCThresholdInSeconds, \
         https://docs.databricks.com/aws/en/ldp/developer/ldp-python-ref-apply-changes)"
    );
}

#[test]
fn tie_of_one_system_time_goes_to_the_last_row() {
    let bitemporal =
        Flow { system_sequence_by: Some("op".into()), apply_as_deletes: None, ..flow(ScdType::Bitemporal) };
    let one_time = [&[update(10, "Paris", ""), update(10, "Lyon", "")][..]];
    assert!(story(bitemporal, &one_time)[0].ends_with(
        "loses a tie to checkpoint 1, event 2: in one batch the last row wins (no vendor orders a tie; chosen here)"
    ));
}

//! Events that tie.

use cdc_killmatrix::readiness::Class;
use serde_json::{Value, json};

use super::{city, fix, fixture, judged, with};

#[test]
fn a_tie_is_a_stop_sign_and_a_column_may_break_it() {
    let events = [(1, Some("Lyon"), 10, 0), (2, Some("Bari"), 10, 0), (1, Some("Nice"), 10, 1)];
    let rows = json!([{ "id": 1, "city": "Nice" }, { "id": 2, "city": "Bari" }]);
    let [tie] = &judged(&[fixture("tie", &events, &rows)])[..] else { panic!("one") };
    assert_eq!((tie.class, tie.tie), (Class::AmbiguousOrder, Some((1, 3))));
    assert_eq!(
        tie.reason,
        "Events 1 and 3 of checkpoint 1 share seq 10 for id 1: they differ in city (Lyon or Nice)."
    );
    assert_eq!(
        fix(tie),
        "Use a composite sequence, struct(seq, pos) instead of seq, only if pos follows the source's own order."
    );
}

#[test]
fn a_column_that_leaves_one_of_the_ties_is_not_offered() {
    let events =
        [(1, Some("Lyon"), 10, 0), (1, Some("Nice"), 10, 1), (1, Some("Bari"), 5, 7), (1, None, 5, 7)];
    let [tie] = &judged(&[fixture("ties", &events, &city("Nice"))])[..] else { panic!("one") };
    assert!(tie.reason.ends_with("(Lyon or Nice); 1 more such tie."), "{}", tie.reason);
    assert!(fix(tie).starts_with("No column of these events could be seen to order them"), "{}", fix(tie));
}

#[test]
fn a_column_that_merely_tells_events_apart_is_not_offered() {
    let events = [(1, Some("Lyon"), 10, 0), (1, Some("Nice"), 10, 1)];
    for column in ["amount", "ingested_at", "customer", "load_id"] {
        let text =
            fixture("tie", &events, &city("Nice")).to_string().replace("\"pos\"", &format!("\"{column}\""));
        let one: Value = serde_json::from_str(&text).unwrap();
        let [tie] = &judged(&[one])[..] else { panic!("one") };
        assert!(fix(tie).starts_with("No column of these events"), "{column}: {}", fix(tie));
    }
}

#[test]
fn events_that_say_the_same_make_no_tie() {
    let events = [(1, Some("Lyon"), 10, 0), (1, Some("Lyon"), 10, 1)];
    let [same] = &judged(&[fixture("same", &events, &city("Lyon"))])[..] else { panic!("one") };
    assert_eq!((same.class, same.tie, fix(same)), (Class::Handled, None, ""));
    assert_eq!(same.reason, "Events in a tie say the same; the rows are as wanted.");

    let deletes = [(1, Some("Lyon"), 10, 9), (1, Some("Nice"), 10, 9)];
    let deletes = with(fixture("deletes", &deletes, &json!([])), "apply_as_deletes", json!("pos = 9"));
    assert_eq!(judged(&[deletes])[0].class, Class::Handled, "what a delete holds means nothing");
}

#[test]
fn a_delete_and_an_upsert_make_a_tie() {
    let events = [(1, Some("Lyon"), 10, 0), (1, Some("Lyon"), 10, 9)];
    let one = with(fixture("delete", &events, &json!([])), "apply_as_deletes", json!("pos = 9"));
    let [tie] = &judged(&[one])[..] else { panic!("one") };
    assert!(tie.reason.ends_with("share seq 10 for id 1: one of them deletes the row."), "{}", tie.reason);
}

#[test]
fn a_truncate_deletes_every_key() {
    let events = [(1, Some("Lyon"), 10, 0), (2, Some("Bari"), 11, 0), (3, None, 10, 9)];
    let truncates = |events| {
        let rows = json!([{ "id": 2, "city": "Bari" }]);
        with(fixture("truncate", events, &rows), "apply_as_truncates", json!("pos = 9"))
    };
    let [tie] = &judged(&[truncates(&events)])[..] else { panic!("one") };
    assert_eq!((tie.class, tie.tie), (Class::AmbiguousOrder, Some((1, 3))));
    assert_eq!(
        tie.reason,
        "Events 1 and 3 of checkpoint 1 share seq 10 for id 1: one of them deletes the row."
    );
    let events = [(1, Some("Lyon"), 9, 0), events[1], events[2], (1, None, 10, 9)];
    assert_eq!(judged(&[truncates(&events)])[0].class, Class::Handled, "two truncates say the same");
}

#[test]
fn a_later_correction_of_one_moment_makes_no_tie() {
    let bitemporal = |events: &[(i64, Option<&str>, i64, i64)], expect: Value| {
        let one = with(fixture("both", events, &expect), "system_sequence_by", json!("pos"));
        with(one, "stored_as_scd_type", json!("BITEMPORAL"))
    };
    let row = |city: &str, from: i64, to: Value| {
        json!({ "id": 1, "city": city, "__START_AT": 10, "__END_AT": null, "__SYSTEM_START_AT": from,
                "__SYSTEM_END_AT": to })
    };
    let events = [(1, Some("Lyon"), 10, 1), (1, Some("Nice"), 10, 2)];
    let corrected = bitemporal(&events, json!([row("Lyon", 1, json!(2)), row("Nice", 2, json!(null))]));
    assert_eq!(judged(&[corrected])[0].class, Class::Handled);
    let events = [events[0], (1, Some("Nice"), 10, 1)];
    let tied = bitemporal(&events, json!([row("Nice", 1, json!(null))]));
    assert_eq!(judged(&[tied])[0].class, Class::AmbiguousOrder);
}

#[test]
fn what_an_event_leaves_unsaid_makes_no_difference() {
    let columns = |first: &[&str], second: &[&str], city: &str| {
        json!({
            "name": "columns", "schema": { "id": "INT", "city": "STRING", "seq": "INT", "cols": "ARRAY<STRING>" },
            "flow": { "keys": ["id"], "sequence_by": "seq", "columns_to_update": "cols",
                      "except_column_list": ["seq", "cols"] },
            "checkpoints": [{
                "append": { "columns": ["id", "city", "seq", "cols"],
                            "rows": [[1, "Lyon", 10, first], [1, "Nice", 10, second]] },
                "expect": [{ "id": 1, "city": if city.is_empty() { Value::Null } else { json!(city) } }],
            }],
        })
    };
    assert_eq!(judged(&[columns(&["id"], &["id"], "")])[0].class, Class::Handled);
    let [tie] = &judged(&[columns(&["city"], &["id"], "")])[..] else { panic!("one") };
    assert!(tie.reason.ends_with("they differ in city (Lyon or nothing)."), "{}", tie.reason);
    assert_eq!(judged(&[columns(&["city"], &["city"], "Nice")])[0].class, Class::AmbiguousOrder);
}

#[test]
fn several_flows_share_an_order_and_one_that_runs_once_ends() {
    let base = fixture("flows", &[(1, Some("Lyon"), 10, 0)], &city("Lyon"));
    let flow = base["flow"].clone();
    let mut once = flow.clone();
    once["once"] = json!(true);
    let several = |batches: &[(&str, &str)]| {
        let mut all = base.clone();
        all.as_object_mut().unwrap().remove("flow");
        all["flows"] = json!({ "hydration": once, "feed": flow });
        let batch = |&(flow, city): &(&str, &str)| json!({ "flow": flow, "append": [{ "id": 1, "city": city, "seq": 10 }] });
        let mut checkpoints: Vec<Value> = batches.iter().map(batch).collect();
        checkpoints.last_mut().unwrap()["expect"] =
            city(if batches[1].0 == "feed" { "Nice" } else { "Lyon" });
        all["checkpoints"] = json!(checkpoints);
        judged(&[all])[0].clone()
    };
    let tie = several(&[("hydration", "Lyon"), ("feed", "Nice")]);
    assert_eq!(
        tie.reason,
        "Event 1 of checkpoint 1 and event 1 of checkpoint 2 share seq 10 for id 1: they differ in city (Lyon or Nice)."
    );
    assert!(fix(&tie).starts_with("No column of these events"), "{}", fix(&tie));
    assert_eq!(several(&[("hydration", "Lyon"), ("hydration", "Nice")]).class, Class::Handled, "it ran once");
}

#[test]
fn a_flow_beside_snapshots_is_ordered_by_itself() {
    let mut one = fixture("beside", &[(1, Some("Lyon"), 10, 0), (1, Some("Nice"), 10, 1)], &city("Nice"));
    let feed = one.as_object_mut().unwrap().remove("flow").unwrap();
    one["flows"] = json!({ "snapshots": { "from_snapshot": true, "keys": ["id"] }, "feed": feed });
    one["flows"]["feed"].as_object_mut().unwrap().remove("except_column_list");
    one["checkpoints"][0]["flow"] = json!("feed");
    one["checkpoints"][0]["expect"] = json!([{ "id": 1, "city": "Nice", "seq": 10, "pos": 1 }]);
    let snapshot = json!({ "version": 1, "rows": [{ "id": 1, "city": "Lyon", "seq": 10, "pos": 0 }] });
    let checkpoints = one["checkpoints"].as_array_mut().unwrap();
    checkpoints.insert(0, json!({ "flow": "snapshots", "snapshot": snapshot }));
    let [tie] = &judged(&[one])[..] else { panic!("one") };
    assert_eq!((tie.class, tie.tie), (Class::AmbiguousOrder, Some((2, 3))));
    assert!(
        fix(tie).starts_with("Use a composite sequence, struct(seq, pos) instead of seq"),
        "{}",
        fix(tie)
    );
}

#[test]
fn a_sibling_without_the_column_that_differs_needs_no_caveat() {
    let events = [(1, Some("Lyon"), 10, 0), (1, Some("Lyon"), 10, 1)];
    let less = fixture("less", &events, &city("Lyon"));
    let more = json!([{ "id": 1, "city": "Lyon", "pos": 1 }]);
    let more = with(fixture("more", &events, &more), "except_column_list", json!(["seq"]));
    let found = judged(&[less, more]);
    assert_eq!(fix(&found[1]), "Leave pos out of the target, as Title of less does.");
}

#[test]
fn a_full_refresh_forgets_and_a_refused_batch_was_never_there() {
    let mut one = fixture("refresh", &[(1, Some("Lyon"), 10, 0)], &city("Lyon"));
    let mut second = fixture("", &[(1, Some("Nice"), 10, 0)], &city("Nice"))["checkpoints"][0].clone();
    second["full_refresh"] = json!(true);
    let refused = json!({
        "append": [{ "id": 1, "city": "Bari", "seq": 10 }, { "id": null, "seq": 11 }],
        "expect_error": "NULL_KEY", "expect": city("Nice"),
    });
    let checkpoints = one["checkpoints"].as_array_mut().unwrap();
    checkpoints.extend([second, refused]);
    assert_eq!(judged(&[one])[0].class, Class::Handled);
}

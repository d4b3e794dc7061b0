//! Rows that are wanted, and how to come to them.

use cdc_killmatrix::readiness::Class;
use serde_json::{Value, json};

use super::{city, fix, fixture, judged, with};

#[test]
fn snapshots_have_an_order_of_their_own() {
    let snapshots = |name: &str, scd_type: i64, rows: &[&str]| {
        let bounds = |from: i64, to: Value, city: &str| match scd_type {
            1 => json!({ "id": 1, "city": city }),
            _ => json!({ "id": 1, "city": city, "__START_AT": from, "__END_AT": to }),
        };
        let expect = match (scd_type, rows) {
            (2, &[first, second]) => vec![bounds(1, json!(2), first), bounds(2, Value::Null, second)],
            (_, rows) => vec![bounds(1, Value::Null, rows[rows.len() - 1])],
        };
        let snapshot = |(version, city): (usize, &&str)| json!({ "snapshot": { "version": version + 1, "rows": [{ "id": 1, "city": city }] } });
        let mut checkpoints: Vec<Value> = rows.iter().enumerate().map(snapshot).collect();
        checkpoints.last_mut().unwrap()["expect"] = json!(expect);
        json!({
            "name": name, "schema": { "id": "INT", "city": "STRING" }, "checkpoints": checkpoints,
            "flow": { "from_snapshot": true, "keys": ["id"], "stored_as_scd_type": scd_type },
            "business": [{ "where": "city = 'Lyon'", "count": 1 }],
        })
    };
    let fixtures = [snapshots("current", 1, &["Lyon", "Nice"]), snapshots("history", 2, &["Lyon", "Nice"])];
    let [current, history] = &judged(&fixtures)[..] else { panic!("two") };
    assert_eq!((current.class, history.class), (Class::BusinessSemantics, Class::ConfigurationDependent));
    assert_eq!(fix(history), "Ship with this option: store it as SCD type 2.");
    let others = [fixtures[0].clone(), snapshots("history", 2, &["Nice", "Lyon"])];
    assert_eq!(
        judged(&others)[1].class,
        Class::Handled,
        "the same rows in other versions are another source"
    );
}

#[test]
fn wanted_rows_that_are_not_there_are_named() {
    let events = [(1, Some("Lyon"), 10, 0), (1, Some("Nice"), 5, 0)];
    let base = || fixture("rows", &events, &city("Lyon"));
    let reason = |business: Value| judged(&[with(base(), "business", business)])[0].reason.clone();
    assert_eq!(
        reason(city("Nice")),
        "The business wants other rows: 1 missing, 1 unwanted; of id 1, city is Lyon, not Nice."
    );
    assert_eq!(
        reason(json!([{ "id": 1, "city": "Lyon" }, { "id": 2, "city": null }])),
        "The business wants other rows: 1 missing, 0 unwanted; the row of id 2 is missing."
    );
    assert_eq!(
        reason(json!([])),
        "The business wants other rows: 0 missing, 1 unwanted; the row of id 1 isn't wanted."
    );
    assert_eq!(
        reason(json!([{ "where": "city = 'Nice'", "count": 2 }])),
        "The business wants 2 rows where city = 'Nice'; there is none, but one with city Lyon."
    );
    assert_eq!(
        reason(json!([{ "where": "CAST(city AS INT) = 1", "count": 0 }])).split(':').next(),
        Some("A row can't be held against CAST(city AS INT) = 1")
    );
    assert_eq!(
        reason(json!([{ "where": "id = 1", "count": 1 }])),
        "The order is complete; the rows are as wanted."
    );
}

#[test]
fn a_change_of_one_clause_is_tried_where_nobody_shows_the_way() {
    let events = [(1, Some("Lyon"), 10, 1), (1, None, 20, 0)];
    let base = fixture("null", &events, &json!([{ "id": 1, "city": null }]));
    let [erased] = &judged(&[with(base.clone(), "business", city("Lyon"))])[..] else { panic!("one") };
    assert_eq!(erased.class, Class::BusinessSemantics);
    assert_eq!(fix(erased), "Ignore null updates: tried on these events, that gives the wanted rows.");

    let events = [(1, Some("Lyon"), 10, 1), (1, Some("Nice"), 20, 0)];
    let base = fixture("order", &events, &city("Nice"));
    let [late] = &judged(&[with(base.clone(), "business", city("Lyon"))])[..] else { panic!("one") };
    assert_eq!(
        fix(late),
        "Sequence by pos instead of seq, only if that follows the source's own order: tried on these events, that gives the wanted rows."
    );
    let text = base.to_string().replace("\"pos\"", "\"age\"");
    let by_age = with(serde_json::from_str(&text).unwrap(), "business", city("Lyon"));
    let [by_age] = &judged(&[by_age])[..] else { panic!("one") };
    assert!(fix(by_age).starts_with("No configuration here"), "an age is no order: {}", fix(by_age));
    let [never] = &judged(&[with(base, "business", city("Oslo"))])[..] else { panic!("one") };
    assert_eq!(
        fix(never),
        "No configuration here gives the wanted rows, nor does one of 2 changes of a clause that were tried."
    );
    let snapshots = json!({
        "name": "snapshots", "schema": { "id": "INT", "city": "STRING" },
        "flow": { "from_snapshot": true, "keys": ["id"] }, "business": city("Oslo"),
        "checkpoints": [{ "snapshot": { "version": 1, "rows": city("Lyon") }, "expect": city("Lyon") }],
    });
    assert_eq!(fix(&judged(&[snapshots])[0]), "No configuration here gives the wanted rows.");
}

#[test]
fn the_same_events_under_another_flow_show_the_way_in_whatever_order_they_came() {
    let (first, second) = ((1, Some("Lyon"), 10, 0), (1, None, 20, 0));
    let wanted = json!([{ "where": "city = 'Lyon'", "count": 1 }]);
    let erases = fixture("erases", &[first, second], &json!([{ "id": 1, "city": null }]));
    let keeps = with(fixture("keeps", &[second, first], &city("Lyon")), "ignore_null_updates", json!(true));
    let fixtures = [with(erases, "business", wanted.clone()), with(keeps, "business", wanted)];
    let [erases, keeps] = &judged(&fixtures)[..] else { panic!("two") };
    assert_eq!((erases.class, erases.compared_with.as_deref()), (Class::BusinessSemantics, Some("keeps")));
    assert_eq!(fix(erases), "Ignore null updates, as Title of keeps does.");
    assert_eq!(
        (keeps.class, keeps.compared_with.as_deref()),
        (Class::ConfigurationDependent, Some("erases"))
    );
    assert_eq!(fix(keeps), "Ship with this option: ignore null updates.");

    let mut other = fixtures[1].clone();
    other["checkpoints"][0]["append"]["rows"][0][3] = json!(1);
    assert_eq!(judged(&[fixtures[0].clone(), other])[1].class, Class::Handled, "other events");
}

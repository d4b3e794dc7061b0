//! What the business wants: rows or conditions, typed by the target.

use cdc_core::{Table, Value};
use cdc_killmatrix::{Business, Demand};

use super::{faults, fixture, loaded};

/// A sound fixture with what the business wants, on its third line from column 13.
fn wanting(business: &str) -> String {
    fixture(r#"{"expect": []}"#)
        .replace("\"checkpoints\"", &format!("\"business\": {business},\n\"checkpoints\""))
}

/// What is wrong with it, without the path.
fn faults_of(business: &str) -> Vec<String> {
    faults(wanting(business)).iter().map(|line| line.replace("f/a.json:", "")).collect()
}

#[test]
fn it_may_be_left_out() {
    assert_eq!(loaded(fixture(r#"{"expect": []}"#)).business, None);
    assert_eq!(loaded(wanting("null")).business, None);
}

#[test]
fn rows_are_typed_by_the_target() {
    let row = [Value::Int(1), Value::from("Paris")];
    let wanted = Some(Business::Rows(Table::new(vec![row.into()])));
    assert_eq!(loaded(wanting(r#"[{"city": "Paris", "ID": 1}]"#)).business, wanted);
    assert_eq!(loaded(wanting(r#"{"columns": ["id", "city"], "rows": [[1, "Paris"]]}"#)).business, wanted);
    assert_eq!(loaded(wanting("[]")).business, Some(Business::Rows(Table::default())));
}

#[test]
fn conditions_are_compiled_against_the_target() {
    let loaded =
        loaded(wanting(r#"[{"where": "city = 'Paris'", "count": 1}, {"where": "true", "count": 0}]"#));
    let Some(Business::Counts(counts)) = loaded.business else { panic!("conditions") };
    let said: Vec<(&str, usize)> =
        counts.iter().map(|Demand { text, count, .. }| (&**text, *count)).collect();
    assert_eq!(said, [("city = 'Paris'", 1), ("true", 0)]);
    let row = [Value::Int(1), Value::from("Paris")];
    assert_eq!(counts[0].condition.holds(&row), Ok(Some(true)));
}

#[test]
fn faults_of_rows_have_their_places() {
    assert_eq!(
        faults_of(r#"[{"id": 1, "city": "Paris", "seq": 1}, {"id": "1"}]"#),
        [
            "3:41: business, row 1: `seq` doesn't reach the target: the flow leaves it out; expected only columns of \
             the target",
            "3:52: business, row 2: the row has no `city`; expected every column of the target, null where there is \
             no value",
            "3:59: business, row 2: `id` is the text `1`; expected a whole number (INT) without quotes",
        ]
    );
    assert_eq!(
        faults_of("7"),
        ["3:13: business: `business` is the number `7`; expected a list of rows, or the name of a CSV file"]
    );
}

#[test]
fn faults_of_conditions_have_their_places() {
    let count = "expected a whole number, 0 or more";
    assert_eq!(
        faults_of(r#"[{"where": "town = 'x'", "count": -1}, {"where": 1, "count": "1"}, 5]"#),
        [
            "3:25: business: `where`: no column `town`; expected one of `id`, `city`".to_owned(),
            format!("3:47: business: `count` is the number `-1`; {count}"),
            "3:62: business: `where` is the number `1`; expected a text in quotes".to_owned(),
            format!("3:74: business: `count` is the text `1`; {count}"),
            "3:80: business: the entry is the number `5`; expected an object with `where` and `count`"
                .to_owned(),
        ]
    );
    assert_eq!(
        faults_of(r#"[{"where": "id = 1"}, {"count": 1, "cuont": 2}, {"where": "id", "count": 1.5}]"#),
        [
            "3:14: business: `count` is missing; expected how many rows fulfil the condition",
            "3:35: business: `where` is missing; expected a condition over the target's columns",
            "3:48: business: there is no field `cuont`; did you mean `count`?",
            "3:72: business: `where`: INT where a condition stands; expected BOOLEAN",
            "3:86: business: `count` is the number `1.5`; expected a whole number, 0 or more",
        ]
    );
}

#[test]
fn a_target_may_have_a_column_of_that_name() {
    let text = wanting(r#"[{"id": 1, "where": "here"}]"#).replace("city", "where");
    let Some(Business::Rows(table)) = loaded(text).business else { panic!("rows") };
    assert_eq!(table.rows(), [[Value::Int(1), Value::from("here")]]);
}

#[test]
fn of_a_faulty_flow_nothing_is_said_twice() {
    let text = wanting(r#"[{"id": 1, "id": 2}]"#).replace("\"seq\", \"apply", "\"sek\", \"apply");
    let faults = faults(text);
    assert_eq!(faults.len(), 2, "{faults:?}");
    assert!(faults.iter().any(|it| it.ends_with("business: `id` is given twice")), "{faults:?}");
}

//! Each way in which captured rows differ, and what is said of it.

use std::fs;

use serde_json::json;

use crate::binary::{code, stderr, stdout};
use crate::sql_result::right_result;
use crate::{FIRST, LAST, changed, difference, fault, folder, verified};

#[test]
fn a_duplicated_row_is_caught_and_named() {
    let text = difference("rows.json", &changed(|rows| rows.push(rows[0].clone())), &[]);
    assert!(text.contains("1 row is duplicated: it is there more often than expected"), "{text}");
    assert!(text.contains("extra"), "{text}");
}

#[test]
fn a_missing_row_is_caught_and_shown() {
    let text = difference("rows.json", &changed(|rows| drop(rows.remove(1))), &[]);
    assert!(text.contains("missing") && text.contains("10"), "{text}");
    assert!(!text.contains("duplicated"), "{text}");
}

#[test]
fn swapped_columns_are_caught_and_the_fault_is_named() {
    let swapped = changed(|rows| {
        for row in rows {
            let (name, shop) = (row["name"].clone(), row["shop"].clone());
            (row["name"], row["shop"]) = (shop, name);
        }
    });
    let text = difference("rows.json", &swapped, &[]);
    assert!(
        text.contains("One fault gives exactly these rows:") && text.contains("swapped_columns: "),
        "{text}"
    );
}

#[test]
fn a_row_of_the_order_of_arrival_is_led_back_to_it() {
    let late = changed(|rows| rows[0] = json!({ "id": 1, "name": "rope", "shop": "Metz", "price": "3.00" }));
    let text = difference("rows.json", &late, &[]);
    assert!(text.contains("differs") && text.contains("arrival_order"), "{text}");
}

#[test]
fn a_value_of_a_wrong_type_is_named_even_if_it_reads_alike() {
    let text = difference("rows.json", &changed(|rows| rows[0]["id"] = json!("1")), &[]);
    assert!(text.contains("`id` is the text `1`; expected a whole number"), "{text}");
    assert!(text.contains("the rows are equal in the columns that both have"), "{text}");
    let text = difference("rows.json", &changed(|rows| rows[0]["id"] = json!("one")), &[]);
    assert!(text.contains("`id` is the text `one`") && text.contains("extra"), "{text}");
    let text = difference("rows.json", &changed(|rows| rows[1]["name"] = json!(7)), &[]);
    assert!(text.contains("`name` is the number `7`; expected text"), "{text}");
    let text = difference("rows.csv", "id,name,shop,price\n1,ball,Nice,2.50\n2,\"\",,dear\n", &[]);
    assert!(text.contains("rows.csv:3:7: `price` is the text `dear`"), "{text}");
    let text = difference("rows.jsonl", "{\"id\": 2}\n{\"id\": true}\n", &[]);
    assert!(text.contains("rows.jsonl:2:8: `id` is true"), "{text}");
}

#[test]
fn a_declared_type_differs_on_its_own() {
    let mut result = right_result();
    result["manifest"]["schema"]["columns"][0]["type_text"] = json!("INT");
    let text = difference("rows.json", &result.to_string(), &[]);
    assert!(text.contains("type: `id` is INT; expected BIGINT"), "{text}");
    assert!(text.contains("the rows are equal"), "{text}");

    result["manifest"]["schema"]["columns"][0]["type_text"] = json!("VARIANT");
    let text = difference("rows.json", &result.to_string(), &[]);
    assert!(text.contains("type: `id` is VARIANT; expected BIGINT"), "{text}");

    let said = format!(r#"{{ "types": {{ "price": "DOUBLE", "id": "bigint" }}, "rows": {LAST} }}"#);
    let text = difference("rows.json", &said, &[]);
    assert!(text.contains("type: `price` is DOUBLE") && !text.contains("`id`"), "{text}");
}

#[test]
fn types_are_read_from_a_listing() {
    let listing =
        "col_name\tdata_type\tcomment\nid\tbigint\tNULL\nname\tstring\tNULL\nshop\tstring\tNULL\nprice\t";
    for (price, expected) in [("decimal(6,2)", 0), ("decimal(8,2)", 5)] {
        let folder = folder();
        fs::write(folder.path().join("types.txt"), format!("{listing}{price}\tNULL\n")).unwrap();
        let output = verified(&folder, "rows.json", LAST, &["--types", "types.txt"]);
        assert_eq!(code(&output), expected, "{}{}", stdout(&output), stderr(&output));
        assert_eq!(stdout(&output).contains("type: `price` is DECIMAL(8,2)"), expected == 5);
    }
    let text = fault("rows.json", LAST, &["--types", "nowhere.txt"]);
    assert!(text.starts_with("nowhere.txt: there is no such file"), "{text}");
}

#[test]
fn missing_and_unknown_columns_are_named() {
    let text = difference("rows.csv", "id,name,shpo,price\n1,ball,Nice,2.50\n2,\"\",,10\n", &[]);
    assert!(text.contains("missing: `shop`; expected every column of the target"), "{text}");
    assert!(text.contains("the target has no column `shpo`; did you mean `shop`?"), "{text}");
    assert!(text.contains("the rows are equal in the columns that both have"), "{text}");
    let partly = changed(|rows| drop(rows[1].as_object_mut().unwrap().remove("shop")));
    let text = difference("rows.json", &partly, &[]);
    assert!(text.contains("missing in 1 row: `shop`"), "{text}");
    let mut result = right_result();
    result["manifest"]["schema"]["columns"][2]["name"] = json!("store");
    let text = difference("rows.json", &result.to_string(), &[]);
    assert!(text.contains("missing: `shop`") && text.contains("no column `store`"), "{text}");
}

#[test]
fn columns_of_spark_are_passed_over_with_a_note() {
    let with = changed(|rows| {
        for row in rows {
            row["__spark_autocdc_metadata"] = json!({ "deleteSequence": null });
        }
    });
    let output = verified(&folder(), "rows.json", &with, &[]);
    let text = stdout(&output);
    assert_eq!(code(&output), 0, "{text}");
    assert!(text.contains("passed over, as Spark's own: `__spark_autocdc_metadata`"), "{text}");
}

#[test]
fn rows_of_another_checkpoint_are_called_so() {
    let text = difference("rows.json", FIRST, &[]);
    assert!(text.contains("these are the rows of checkpoint 1"), "{text}");
    let output = verified(&folder(), "rows.json", FIRST, &["--checkpoint", "1"]);
    assert_eq!(code(&output), 0, "{}", stdout(&output));
}

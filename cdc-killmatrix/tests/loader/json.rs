//! What is JSON and what isn't; places.

use super::{faults, faults_in, fixture, loaded};

#[test]
fn an_empty_file_is_no_json() {
    assert_eq!(faults(""), ["f/a.json:1:1: the file is empty; expected a JSON object"]);
    assert_eq!(faults(" \n\t"), ["f/a.json:1:1: the file is empty; expected a JSON object"]);
}

#[test]
fn a_truncated_file_is_said_to_be_incomplete() {
    assert_eq!(
        faults("{\"checkpoints\": [\n  1, 2\n"),
        ["f/a.json:2:7: the file ends inside a list; is it complete?"]
    );
    assert_eq!(
        faults("{\"checkpoints\": \"Par"),
        ["f/a.json:1:21: the file ends inside a string; is it complete?"]
    );
    assert_eq!(
        faults("{\"checkpoints\""),
        ["f/a.json:1:15: the file ends inside an object; is it complete?"]
    );
}

#[test]
fn what_strict_json_refuses_is_refused() {
    let no_json = |value: &str| faults(format!("{{\"checkpoints\": {value}}}"));
    let comma = "f/a.json:1:20: this is no JSON: a comma after the last entry; expected none there";
    assert_eq!(no_json("[1,]"), [comma]);
    assert_eq!(
        no_json("{\"a\": 1,}"),
        ["f/a.json:1:25: this is no JSON: a comma after the last entry; expected none there"]
    );
    assert_eq!(
        no_json("01"),
        ["f/a.json:1:18: this is no JSON: invalid number; a number has no leading zero"]
    );
    assert_eq!(no_json("1."), ["f/a.json:1:19: this is no JSON: invalid number"]);
    assert_eq!(no_json(".5"), ["f/a.json:1:17: this is no JSON: expected value"]);
    assert_eq!(no_json("+1"), ["f/a.json:1:17: this is no JSON: expected value"]);
    assert_eq!(
        no_json("NaN"),
        [
            "f/a.json:1:17: this is no JSON: expected value; write \"NaN\", \"Infinity\" or \"-Infinity\", in quotes"
        ]
    );
    assert_eq!(
        no_json("'a'"),
        ["f/a.json:1:17: this is no JSON: expected value; texts and names are put in double quotes"]
    );
    assert_eq!(
        no_json("1 // one"),
        ["f/a.json:1:19: this is no JSON: expected `,` or `}`; JSON has no comments"]
    );
    assert_eq!(
        no_json("{a: 1}"),
        ["f/a.json:1:18: this is no JSON: key must be a string; names are put in double quotes"]
    );
    assert_eq!(no_json("1 2"), ["f/a.json:1:19: this is no JSON: expected `,` or `}`"]);
    assert_eq!(faults("{} {}"), ["f/a.json:1:4: this is no JSON: trailing characters"]);
    assert_eq!(
        faults("{\u{a0}}"),
        ["f/a.json:1:2: this is no JSON: key must be a string; names are put in double quotes"]
    );
}

#[test]
fn control_characters_in_texts_are_refused() {
    assert_eq!(
        faults("{\"checkpoints\": \"a\tb\"}"),
        [
            r"f/a.json:1:19: this is no JSON: a control character inside a text; expected an escape such as \n or \t"
        ]
    );
}

#[test]
fn half_a_surrogate_pair_is_refused() {
    let half = "this is no JSON: the escape stands for no character; expected a pair such as \\ud83d\\ude00";
    assert_eq!(faults(r#"{"checkpoints": "\ud800"}"#), [format!("f/a.json:1:18: {half}")]);
    assert_eq!(faults(r#"{"checkpoints": "x\udc00"}"#), [format!("f/a.json:1:19: {half}")]);
    let whole = loaded(fixture(r#"{"append": [{"id": 1, "city": "\ud83d\ude00"}], "expect": []}"#));
    assert_eq!(whole.feed.events()[0].values[1].to_string(), "😀");
}

#[test]
fn a_file_that_is_no_utf8_names_the_first_bad_byte() {
    assert_eq!(
        faults(b"{\n\"checkpoints\": \"Z\xc3\xbcr\xff\"}"),
        ["f/a.json:2:20: the byte 0xff is no UTF-8; expected a text file in UTF-8"]
    );
    // UTF-16 as some editors write it.
    assert_eq!(
        faults(b"\xff\xfe{\0"),
        ["f/a.json: the file is in UTF-16, as PowerShell's `>` writes it; expected a text file in UTF-8"]
    );
}

#[test]
fn a_byte_order_mark_is_skipped_and_moves_no_column() {
    let sound = fixture(r#"{"expect": []}"#);
    assert_eq!(loaded(format!("\u{feff}{sound}")).name, "a");
    assert_eq!(
        faults("\u{feff}{\"checkpoints\": 1}")[0],
        "f/a.json:1:1: `name` is missing; expected a name that is unique in the suite"
    );
}

#[test]
fn columns_are_counted_in_characters() {
    assert_eq!(
        faults_in(r#"{"note": "Zürich 😀", "expect": 5}"#),
        [
            "3:48: checkpoint 1: `expect` is the number `5`; expected `\"TODO\"`, a list of rows, or the name of a CSV file"
        ]
    );
}

#[test]
fn lines_may_end_as_on_windows() {
    assert_eq!(
        faults(fixture("{\"expect\": [],\n \"x\": 1}").replace('\n', "\r\n")),
        [
            "f/a.json:4:2: checkpoint 1: there is no field `x`; expected one of note, flow, append, snapshot, advance_seconds, full_refresh, expect, expect_any, expect_error, observed"
        ]
    );
}

#[test]
fn a_name_given_twice_is_a_fault_wherever_it_is() {
    assert_eq!(
        faults(
            fixture(r#"{"append": [], "append": [], "expect": []}"#)
                .replace("\"name\": \"a\",", "\"name\": \"a\", \"name\": \"b\",")
        ),
        ["f/a.json:1:15: `name` is given twice", "f/a.json:3:32: checkpoint 1: `append` is given twice"]
    );
    let head = fixture(r#"{"expect": []}"#);
    assert_eq!(
        faults(head.replace("\"name\"", "\"report\": [{\"x\": {\"y\": 1, \"y\": 2}}], \"name\"")),
        ["f/a.json:1:28: `y` is given twice"]
    );
}

#[test]
fn unknown_fields_are_faults_with_the_nearest_name() {
    assert_eq!(
        faults(fixture(r#"{"expekt": [], "expect": []}"#).replace("\"name\"", "\"titel\": 1, \"name\"")),
        [
            "f/a.json:1:2: there is no field `titel`; did you mean `title`?",
            "f/a.json:3:18: checkpoint 1: there is no field `expekt`; did you mean `expect`?"
        ]
    );
}

#[test]
fn free_fields_hold_anything() {
    let text = fixture(r#"{"expect": []}"#).replace(
        "\"name\"",
        r#""findings": ["tie"], "business": null, "report": {"a": [true]}, "aims_at": ["x", "y"], "name""#,
    );
    assert_eq!(loaded(text).aims_at, ["x", "y"]);
    assert_eq!(
        faults(fixture(r#"{"expect": []}"#).replace("\"name\"", r#""aims_at": ["x", 1], "name""#)),
        ["f/a.json:1:19: `aims_at[1]` is the number `1`; expected a text in quotes"]
    );
}

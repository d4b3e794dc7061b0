//! What a `DataFrame` prints of its schema.

use serde_json::{Value, json};

use crate::{fails, reads};

fn of(fields: &Value) -> String {
    json!({ "type": "struct", "fields": fields }).to_string()
}

#[test]
fn a_schema_may_say_no_more_than_names_and_types() {
    reads(
        &of(&json!([{ "name": "id", "type": "long" }, { "name": "v", "type": "decimal(4,1)" }])),
        "id BIGINT, v DECIMAL(4,1)",
    );
    let list = json!({ "type": "array", "elementType": "varchar(3)", "containsNull": false });
    let map = json!({ "type": "map", "keyType": "string", "valueType": list });
    reads(&of(&json!([{ "name": "a b", "type": map }])), "`a b` MAP<STRING, ARRAY<STRING>>");
}

#[test]
fn what_is_wrong_with_a_schema_is_said_at_once() {
    let text = "{\"type\":\"struct\",\"fields\":[\n{\"name\":\"v\",\"type\":\"variant\"},\n{\"name\":\"p\",\"type\":{\"type\":\
                \"udt\",\"class\":\"x\"}},\n{\"type\":\"long\"},\n{\"name\":\"V\",\"type\":\"long\"},\n{\"name\":\"a\",\
                \"type\":{\"type\":\"array\"}},\n{\"name\":\"n\",\"type\":7}, 8]}";
    let leave = "leave the column out, or write STRING if the flow or the events name it";
    fails(
        text,
        &[
            &format!("2:20: df.schema.json(): the type of `v`: the model has no `VARIANT`; {leave}"),
            &format!("3:28: df.schema.json(): the type of `p`: the model has no `udt`; {leave}"),
            "4:1: df.schema.json(): `name` is missing; expected it, as in `df.schema.json()`",
            "5:9: df.schema.json(): `v` and `V` are the same column: names match without case",
            "6:20: df.schema.json(): the type of `a`: `elementType` is missing; expected it, as in `df.schema.json()`",
            "7:20: df.schema.json(): the type of `n`: found the number `7`; expected the name of a type in quotes, or \
             an object",
            "7:24: df.schema.json(): found the number `8`; expected a field: an object",
        ],
    );
}

#[test]
fn other_json_is_that_of_a_fixture() {
    reads("{\"schema\": {\"id\": \"BIGINT\"}}", "id BIGINT");
    let none = "there is no `schema` here; expected the file of a fixture or a suite that has one, or what \
                `df.schema.json()` prints";
    fails("{}", &[&format!("1:1: {none}")]);
    fails("[]", &[&format!("1:1: {none}")]);
    fails("{\"type\": \"struct\", ", &["1:19: the file ends inside an object; is it complete?"]);
}

#[test]
fn what_python_shows_of_a_schema_is_no_json() {
    fails(
        "StructType([StructField('id', LongType(), True)])",
        &["1:1: this is a schema as Python shows it; expected what `df.schema.json()` prints"],
    );
}

#[test]
fn a_tree_may_lack_its_root() {
    reads(
        " |-- id: long (nullable = true)\n |-- a: b: string (nullable = false)\n",
        "id BIGINT, `a: b` STRING",
    );
}

#[test]
fn what_is_wrong_with_a_tree_is_said_at_once() {
    let leave = "leave the column out, or write STRING if the flow or the events name it";
    fails(
        "root\n |-- i: interval day (nullable = true)\n |-- s: struct (nullable = true)\n |-- a: array (nullable = true)\n\
         \x20|    |-- x: long (nullable = true)\n |-- m: map (nullable = true)\n |    |-- key: string\nand more\n",
        &[
            &format!("2:9: printSchema: the type of `i`: the model has no `INTERVAL`; {leave}"),
            "3:9: printSchema: the type of `s`: the struct has no field; expected at least one",
            "4:9: printSchema: the type of `a`: expected a line `element` under an array",
            "6:9: printSchema: the type of `m`: expected the lines `key` and `value` under a map",
            "8:1: printSchema: expected a line such as ` |-- id: long (nullable = true)`",
        ],
    );
}

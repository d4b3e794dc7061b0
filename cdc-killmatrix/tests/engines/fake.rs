//! An engine for tests: a small right one, and ways to be wrong.

use std::collections::BTreeMap;
use std::io::{BufRead as _, Write as _};
use std::process::{Command, exit};
use std::time::Duration;
use std::{env, fs, io, thread};

use serde_json::{Value, json};

/// Of a fixture the columns of its target, and the newest event of each key.
#[derive(Default)]
struct Table {
    columns: Vec<String>,
    newest: BTreeMap<i64, Value>,
}

/// Speaks the protocol as this test's own process, in one of the ways to be wrong.
///
/// It knows one flow: the key `id`, the sequence `seq`, deletes where `op` is `D`.
pub(crate) fn engine(manner: &str) {
    let mut tables: BTreeMap<u64, Table> = BTreeMap::new();
    if manner == "silent" {
        sleep();
    }
    for line in io::stdin().lock().lines() {
        let Ok(line) = line else { return };
        let message: Value = serde_json::from_str(&line).unwrap();
        let (kind, body) = message.as_object().unwrap().iter().next().unwrap();
        match &**kind {
            "hello" => hello(manner),
            "open" => {
                let names = body["target"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|it| it["name"].as_str().unwrap().to_owned());
                let table = Table { columns: names.collect(), ..Table::default() };
                tables.insert(body["id"].as_u64().unwrap(), table);
            }
            "batch" => batch(manner, tables.get_mut(&body["id"].as_u64().unwrap()).unwrap(), body),
            _ => {}
        }
    }
}

fn hello(manner: &str) {
    if manner == "mute" {
        line("ready");
    }
    let at_once = if manner == "many" || manner == "hang" { 8 } else { 1 };
    say(&json!({ "hello": {
        "protocol": 1, "name": "Fake", "version": "1", "scd_types": [1], "at_once": at_once,
        "clauses": ["apply_as_deletes", "except_column_list"],
    } }));
}

#[expect(clippy::zombie_processes, reason = "a child that nobody waits for is what is tried")]
fn batch(manner: &str, table: &mut Table, body: &Value) {
    let (id, checkpoint) = (&body["id"], &body["checkpoint"]);
    let rows = body["rows"].as_array().unwrap();
    if manner == "declined" {
        say(&json!({ "refused": { "id": id, "class": "UNSUPPORTED", "message": "the moon" } }));
        return;
    }
    let is_second = *checkpoint == json!(2);
    match manner {
        "hang" if is_second => sleep(),
        "crash" if is_second => {
            io::stderr().write_all(b"first line\nout of memory\n").unwrap();
            exit(3);
        }
        "garbage" if is_second => line("Warning: deprecated"),
        "child" if is_second => {
            // A child that outlives whoever waits only for its parent.
            let mut child = Command::new(env::current_exe().unwrap());
            let child = child.args(["engine", "silent"]).spawn().unwrap();
            fs::write(env::var("FAKE_CHILD").unwrap(), child.id().to_string()).unwrap();
            sleep();
        }
        _ => {}
    }
    if rows.iter().any(|row| row["id"].is_null()) {
        let class = "AUTOCDC_MICROBATCH_VALIDATION.NULL_KEY";
        let class = if manner == "other class" { "SOMETHING_ELSE" } else { class };
        say(
            &json!({ "refused": { "id": id, "checkpoint": checkpoint, "class": class, "message": "a null key" } }),
        );
        return;
    }
    for row in rows {
        let key = row["id"].as_i64().unwrap();
        let is_newer = |old: &Value| old["seq"].as_i64() < row["seq"].as_i64() || manner == "wrong";
        if table.newest.get(&key).is_none_or(is_newer) {
            table.newest.insert(key, row.clone());
        }
    }
    let shown = table.newest.values().filter(|row| row["op"] != "D");
    let mut shown: Vec<Value> = shown
        .map(|row| table.columns.iter().map(|name| (name.clone(), row[&**name].clone())).collect())
        .collect();
    match manner {
        "missing column" => {
            for row in &mut shown {
                row.as_object_mut().unwrap().remove("city");
            }
        }
        "text for number" => {
            for row in &mut shown {
                row["id"] = json!(row["id"].to_string());
            }
        }
        "file" => shown = Vec::new(),
        _ => {}
    }
    let rows = if manner == "file" { json!("/etc/hosts.csv") } else { json!(shown) };
    let answer = json!({ "rows": { "id": id, "checkpoint": checkpoint, "rows": rows } });
    say(&answer);
    if manner == "twice" {
        say(&answer);
    }
}

fn say(message: &Value) {
    line(&message.to_string());
}

fn line(text: &str) {
    let mut out = io::stdout().lock();
    writeln!(out, "{text}").and_then(|()| out.flush()).unwrap();
}

/// Longer than any test waits.
fn sleep() -> ! {
    loop {
        thread::sleep(Duration::from_mins(10));
    }
}

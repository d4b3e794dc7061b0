//! An engine for tests: a small right one, and ways to be wrong.

use std::collections::BTreeMap;
use std::io::{BufRead as _, Write as _};
use std::process::{Command, exit};
use std::time::Duration;
use std::{env, fs, io, thread};

use serde_json::{Value, json};

/// Of a fixture what its flow says, the columns of its target, and the newest event of each key.
struct Table {
    keys: Vec<String>,
    sequence: String,
    /// Whether an event whose `op` is `D` deletes.
    deletes: bool,
    columns: Vec<String>,
    newest: BTreeMap<String, Value>,
}

impl Table {
    fn open(manner: &str, body: &Value) -> Self {
        let text = |json: &Value| json.as_str().unwrap().to_owned();
        let flow = &body["flow"];
        let (mut keys, mut sequence) =
            (flow["keys"].as_array().unwrap().iter().map(text).collect(), text(&flow["sequence_by"]));
        let mut deletes = flow.get("apply_as_deletes").is_some();
        if manner == "deaf" {
            (keys, sequence, deletes) = (vec!["id".to_owned()], "seq".to_owned(), true);
        }
        let columns = body["target"].as_array().unwrap().iter().map(|it| text(&it["name"])).collect();
        Self { keys, sequence, deletes, columns, newest: BTreeMap::new() }
    }

    fn key(&self, row: &Value) -> String {
        self.keys.iter().map(|name| row[&**name].clone()).collect::<Value>().to_string()
    }
}

/// Speaks the protocol as this test's own process, in one of the ways to be wrong.
///
/// It knows keys, a sequence of one column, and that a flow deletes where `op` is `D`.
pub(crate) fn engine(manner: &str) {
    let mut tables: BTreeMap<u64, Table> = BTreeMap::new();
    if manner == "silent" {
        sleep();
    }
    for line in io::stdin().lock().lines() {
        let Ok(line) = line else { return };
        note("to_engine", &line);
        let message: Value = serde_json::from_str(&line).unwrap();
        let (kind, body) = message.as_object().unwrap().iter().next().unwrap();
        match &**kind {
            "hello" => hello(manner),
            "open" => {
                tables.insert(body["id"].as_u64().unwrap(), Table::open(manner, body));
            }
            "batch" if manner == "crowded" && 1 < tables.len() => self::line("too many are open"),
            "batch" => batch(manner, tables.get_mut(&body["id"].as_u64().unwrap()).unwrap(), body),
            "close" => drop(tables.remove(&body["id"].as_u64().unwrap())),
            _ => {}
        }
    }
}

fn hello(manner: &str) {
    if manner == "mute" {
        line("ready");
    }
    let at_once = if ["many", "hang", "crowded", "late twice, many"].contains(&manner) { 8 } else { 1 };
    let scd_types = if manner == "nothing" { json!(["BITEMPORAL"]) } else { json!([1]) };
    say(&json!({ "hello": {
        "protocol": 1, "name": "Fake", "version": "1", "scd_types": scd_types, "at_once": at_once,
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
        "crash with a child" if is_second => {
            let mut child = Command::new(env::current_exe().unwrap());
            child.args(["engine", "silent"]).spawn().unwrap();
            exit(3);
        }
        "no class" => {
            say(&json!({ "refused": { "id": id, "checkpoint": checkpoint, "message": "no" } }));
            return;
        }
        "wary" if table.sequence != "seq" => {
            say(
                &json!({ "refused": { "id": id, "checkpoint": checkpoint, "class": "ODD", "message": "what is this" } }),
            );
            return;
        }
        "whole" if is_second => {
            say(&json!({ "refused": { "id": id, "class": "UNSUPPORTED", "message": "the moon" } }));
            return;
        }
        "barred" if is_second => {
            say(
                &json!({ "failed": { "id": id, "checkpoint": checkpoint, "message": "PERMISSION_DENIED: no" } }),
            );
            return;
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
    if rows.iter().any(|row| table.keys.iter().any(|key| row[&**key].is_null())) {
        let class = "AUTOCDC_MICROBATCH_VALIDATION.NULL_KEY";
        let class = if manner == "other class" { "SOMETHING_ELSE" } else { class };
        say(
            &json!({ "refused": { "id": id, "checkpoint": checkpoint, "class": class, "message": "a null key" } }),
        );
        return;
    }
    for row in rows {
        let key = table.key(row);
        let sequence = |row: &Value| row[&*table.sequence].as_i64();
        let is_newer = |old: &Value| sequence(old) < sequence(row) || manner == "wrong";
        if table.newest.get(&key).is_none_or(is_newer) {
            table.newest.insert(key, row.clone());
        }
    }
    let shown = table.newest.values().filter(|row| !table.deletes || row["op"] != "D");
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
    let checkpoint = if manner == "odd number" && is_second { json!("2") } else { checkpoint.clone() };
    let mut answer = json!({ "rows": { "id": id, "checkpoint": checkpoint, "rows": rows } });
    if manner == "no number" {
        answer["rows"].as_object_mut().unwrap().remove("checkpoint");
    }
    say(&answer);
    if manner == "twice" || manner.starts_with("late twice") && is_second {
        say(&answer);
    }
}

fn say(message: &Value) {
    line(&message.to_string());
}

/// Keeps what is said, where the test wants it.
fn note(direction: &str, line: &str) {
    if let Ok(path) = env::var("FAKE_LOG") {
        let mut file = fs::OpenOptions::new().create(true).append(true).open(path).unwrap();
        writeln!(file, "{direction} {line}").unwrap();
    }
}

fn line(text: &str) {
    note("from_engine", text);
    let mut out = io::stdout().lock();
    writeln!(out, "{text}").and_then(|()| out.flush()).unwrap();
}

/// Longer than any test waits.
fn sleep() -> ! {
    loop {
        thread::sleep(Duration::from_mins(10));
    }
}

//! The source contract: what `check` finds in the shipped fixtures, and in events made for one rule.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use cdc_killmatrix::check::{Checked, cases_of_fixture, findings, quoted_table, undeclared_conflicts};
use cdc_killmatrix::{Code, Finding, Fixture, Fixtures, Severity};
use serde_json::{Value, json};
use sqlparser::dialect::DatabricksDialect;
use sqlparser::parser::Parser;
use tempfile::TempDir;

/// For each code a fixture that shows it, and one that comes near.
const PAIRS: [(Code, &str, &str); 15] = [
    (Code::Conflict, "conflict", "exact_duplicate"),
    (Code::Tie, "tie", "tie_broken"),
    (Code::NullKey, "null_key", "empty_key"),
    (Code::NullSequence, "null_sequence", "null_in_sequence"),
    (Code::TextSequence, "text_sequence", "padded_text_sequence"),
    (Code::CoarseSequence, "coarse_sequence", "fine_sequence"),
    (Code::IngestionClock, "ingestion_clock", "ingestion_in_order"),
    (Code::SparseUpdate, "sparse_update", "sparse_update_filled"),
    (Code::SyncNoise, "sync_noise", "sync_noise_untracked"),
    (Code::SimilarKeys, "similar_keys", "distinct_keys"),
    (Code::NoDeleteCondition, "no_delete_condition", "no_deletes"),
    (Code::IdleDeleteCondition, "idle_delete_condition", "quiet_delete_condition"),
    (Code::MissedDelete, "missed_delete", "met_deletes"),
    (Code::TechnicalColumn, "technical_column", "technical_column_left_out"),
    (Code::LateAfterExpiry, "late_after_expiry", "late_before_expiry"),
];

fn shipped() -> Fixtures {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures");
    Fixtures::load([folder]).unwrap_or_else(|faults| panic!("{faults}"))
}

fn found(fixture: &Fixture) -> Vec<Finding> {
    findings(&cases_of_fixture(fixture, &quoted_table("main.crm.customers")))
}

fn codes(findings: &[Finding]) -> Vec<Code> {
    findings.iter().map(|finding| finding.code).collect()
}

#[test]
fn each_shipped_fixture_has_exactly_the_findings_that_it_declares() {
    let mut wrong = Vec::new();
    for (suite, fixture) in shipped().pairs() {
        let findings = found(fixture);
        // Notes too, though nobody else has to declare them.
        let (codes, declared): (BTreeSet<Code>, BTreeSet<Code>) =
            (findings.iter().map(|it| it.code).collect(), fixture.findings.iter().copied().collect());
        if codes != declared {
            wrong.push(format!("{}: found {codes:?}, declared {declared:?}", suite.full_name(fixture)));
        }
        let checked = Checked { findings, declared: fixture.findings.clone() };
        assert!(!checked.fails(true), "{}", suite.full_name(fixture));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn each_finding_has_a_fixture_that_shows_it_and_one_that_comes_near() {
    let fixtures = shipped();
    let suite = fixtures.suites.iter().find(|suite| suite.name == "contract").unwrap();
    let fixture = |name: &str| suite.fixtures.iter().find(|fixture| fixture.name == name).unwrap();
    assert_eq!(PAIRS.map(|(code, ..)| code), Code::ALL);
    for (code, shows, near) in PAIRS {
        assert!(codes(&found(fixture(shows))).contains(&code), "{shows}");
        assert_eq!(codes(&found(fixture(near))), [], "{near}");
    }
    let used: BTreeSet<&str> = PAIRS.iter().flat_map(|&(_, shows, near)| [shows, near]).collect();
    assert_eq!(used.len(), suite.fixtures.len(), "a fixture of the suite belongs to no code");
}

#[test]
fn every_query_is_sql() {
    for (suite, fixture) in shipped().pairs() {
        for Finding { code, query, .. } in found(fixture) {
            let parsed = Parser::parse_sql(&DatabricksDialect, &query);
            assert!(parsed.is_ok(), "{}, {}: {parsed:?}\n{query}", suite.full_name(fixture), code.name());
            assert!(query.contains("`main`.`crm`.`customers`"), "{query}");
        }
    }
}

/// A folder with one fixture, which declares these findings.
fn folder_with(schema: &Value, flow: &Value, checkpoints: &Value, declared: &Value) -> TempDir {
    let fixture = json!({
        "name": "one", "schema": schema, "flow": flow, "findings": declared, "checkpoints": checkpoints,
    });
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("one.json"), fixture.to_string()).unwrap();
    folder
}

/// The findings of events in one batch.
fn of_events(schema: &Value, flow: &Value, events: &Value) -> Vec<Finding> {
    of_checkpoints(schema, flow, &json!([{ "append": events }]))
}

fn of_checkpoints(schema: &Value, flow: &Value, checkpoints: &Value) -> Vec<Finding> {
    let folder = folder_with(schema, flow, checkpoints, &json!([]));
    let fixtures = Fixtures::load_events([folder.path()]).unwrap_or_else(|faults| panic!("{faults}"));
    found(&fixtures.suites[0].fixtures[0])
}

fn only(code: Code, findings: Vec<Finding>) -> Finding {
    let found = codes(&findings);
    findings.into_iter().find(|finding| finding.code == code).unwrap_or_else(|| panic!("{found:?}"))
}

/// Two tied events with what may break the tie.
fn tied(extra: &Value, first: &Value, other: &Value) -> Finding {
    let mut schema = json!({ "id": "INT", "v": "STRING", "seq": "BIGINT" });
    schema.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
    let flow = json!({ "keys": ["id"], "sequence_by": "seq" });
    let event = |v: &str, extra: &Value| {
        let mut event = json!({ "id": 1, "v": v, "seq": 10 });
        event.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        event
    };
    only(Code::Conflict, of_events(&schema, &flow, &json!([event("a", first), event("b", other)])))
}

#[test]
fn a_tie_breaker_is_only_ever_a_candidate() {
    let finding = tied(&json!({ "pos": "INT" }), &json!({ "pos": 1 }), &json!({ "pos": 2 }));
    assert!(finding.remedy.contains("such as `struct(seq, pos)`"), "{}", finding.remedy);
    assert!(
        finding.remedy.contains("only if that column follows the source's own order"),
        "{}",
        finding.remedy
    );
}

#[test]
fn a_clause_to_copy_is_never_cut() {
    let name = "position_of_the_event_in_the_log_of_the_transactions_of_the_source";
    let finding = tied(&json!({ name: "INT" }), &json!({ name: 1 }), &json!({ name: 2 }));
    assert!(finding.remedy.contains(&format!("`struct(seq, {name})`")), "{}", finding.remedy);
}

#[test]
fn a_column_that_is_merely_unique_is_never_advised() {
    let finding = tied(
        &json!({ "amount": "DECIMAL(5,2)", "note": "STRING" }),
        &json!({ "amount": 1, "note": "x" }),
        &json!({ "amount": 2, "note": "y" }),
    );
    let said = format!("{} {}", finding.remedy, finding.advice.join(" "));
    assert!(!said.contains("amount") && !said.contains("note"), "{said}");
    assert!(said.contains("Ask the source for one"), "{said}");
}

#[test]
fn identifiers_and_times_of_arrival_are_named_as_unfit() {
    let finding = tied(
        &json!({ "event_uuid": "STRING", "ingested_at": "TIMESTAMP" }),
        &json!({ "event_uuid": "123e4567-e89b-12d3-a456-426614174000", "ingested_at": "2026-09-01T10:00:00Z" }),
        &json!({ "event_uuid": "123e4567-e89b-12d3-a456-426614174001", "ingested_at": "2026-09-01T10:00:01Z" }),
    );
    let advice = finding.advice.join("\n");
    assert!(advice.contains("Unfit, though it tells these events apart: `event_uuid`"), "{advice}");
    assert!(advice.contains("Unfit, though it tells these events apart: `ingested_at`"), "{advice}");
    assert!(!finding.remedy.contains("struct("), "{}", finding.remedy);
}

#[test]
fn candidates_that_disagree_are_shown_where_they_do() {
    let finding = tied(
        &json!({ "pos": "INT", "version": "BIGINT" }),
        &json!({ "pos": 1, "version": 8 }),
        &json!({ "pos": 2, "version": 7 }),
    );
    let advice = finding.advice.join("\n");
    assert!(advice.contains("`pos`, `version` disagree"), "{advice}");
    assert!(advice.contains("(checkpoint 1, event 1) and line 1 (checkpoint 1, event 2)"), "{advice}");
}

#[test]
fn an_upsert_and_a_delete_conflict_and_two_deletes_do_not() {
    let schema = json!({ "id": "INT", "v": "STRING", "op": "STRING", "seq": "BIGINT" });
    let flow = json!({ "keys": ["id"], "sequence_by": "seq", "apply_as_deletes": "op = 'DELETE'",
        "except_column_list": ["op", "seq"] });
    let event = |v: &str, op: &str| json!({ "id": 1, "v": v, "op": op, "seq": 10 });
    let found = |one, other| codes(&of_events(&schema, &flow, &json!([one, other])));
    assert_eq!(found(event("a", "INSERT"), event("a", "DELETE")), [Code::Conflict]);
    assert_eq!(found(event("a", "DELETE"), event("b", "DELETE")), []);
    assert_eq!(found(event("a", "INSERT"), event("a", "UPDATE")), [Code::Tie]);
}

#[test]
fn events_of_a_refused_batch_or_before_a_refresh_conflict_with_none() {
    let schema = json!({ "id": "INT", "v": "STRING", "seq": "BIGINT" });
    let flow = json!({ "keys": ["id"], "sequence_by": "seq", "except_column_list": ["seq"] });
    let event = |id: Value, v: &str| json!({ "id": id, "v": v, "seq": 10 });
    let refused = json!([
        { "append": [event(json!(1), "a")] },
        { "append": [event(json!(1), "b"), event(Value::Null, "c")], "expect_error": "NULL_KEY" },
    ]);
    assert_eq!(codes(&of_checkpoints(&schema, &flow, &refused)), [Code::NullKey]);
    let refreshed = json!([
        { "append": [event(json!(1), "a")] },
        { "full_refresh": true, "append": [event(json!(1), "b")] },
    ]);
    assert_eq!(codes(&of_checkpoints(&schema, &flow, &refreshed)), []);
}

#[test]
fn what_only_looks_alike_is_no_finding() {
    let schema = json!({ "id": "INT", "status": "STRING", "balance": "BIGINT", "born": "DATE", "op": "STRING",
        "seq": "BIGINT" });
    let flow = json!({ "keys": ["id"], "sequence_by": "seq", "except_column_list": ["op", "seq"],
        "stored_as_scd_type": 2 });
    // A soft delete, a balance that changes alone, a date that goes back.
    let event = |seq: i64, status: &str, born: &str| json!({ "id": 1, "status": status, "balance": seq, "born": born, "op": "U", "seq": seq });
    let events = json!([
        event(1, "ACTIVE", "2000-01-02"),
        event(2, "ACTIVE", "2000-01-02"),
        event(3, "ACTIVE", "2000-01-02"),
        event(4, "ACTIVE", "2000-01-02"),
        event(5, "DELETED", "2000-01-01"),
    ]);
    assert_eq!(codes(&of_events(&schema, &flow, &events)), []);
}

#[test]
fn seconds_since_1970_and_days_are_coarse_and_numbers_are_not() {
    for (name, data_type, seq, is_coarse) in [
        ("seq", "BIGINT", json!(1_788_220_800), true),
        ("seq", "DATE", json!("2026-09-01"), true),
        ("seq", "TIMESTAMP", json!("2026-09-01T10:00:00.5Z"), false),
        ("seq", "BIGINT", json!(17), false),
        ("source_lsn", "BIGINT", json!(1_788_220_800), false),
    ] {
        let flow = json!({ "keys": ["id"], "sequence_by": name, "except_column_list": [name] });
        let schema = json!({ "id": "INT", "v": "STRING", name: data_type });
        let events = json!([{ "id": 1, "v": "a", name: seq }, { "id": 1, "v": "b", name: seq }]);
        let found = codes(&of_events(&schema, &flow, &events));
        assert_eq!(found.contains(&Code::CoarseSequence), is_coarse, "{name} {data_type} {seq}: {found:?}");
    }
}

#[test]
fn the_smallest_sufficient_threshold_is_told_or_that_nobody_can_tell() {
    let schema = json!({ "id": "INT", "v": "STRING", "op": "STRING", "seq": "BIGINT" });
    let flow = json!({ "keys": ["id"], "sequence_by": "seq", "apply_as_deletes": "op = 'DELETE'",
        "except_column_list": ["op", "seq"] });
    let late = |seconds: [u64; 2]| {
        let checkpoints = json!([
            { "append": [{ "id": 1, "op": "DELETE", "seq": 30 }] },
            { "advance_seconds": seconds[0], "append": [{ "id": 1, "v": "a", "op": "UPDATE", "seq": 20 }] },
            { "advance_seconds": seconds[1], "append": [{ "id": 1, "v": "b", "op": "UPDATE", "seq": 25 }] },
        ]);
        of_checkpoints(&schema, &flow, &checkpoints)
    };
    let finding = only(Code::LateAfterExpiry, late([100_000, 200_000]));
    assert_eq!((finding.severity, finding.occurrences), (Severity::Warning, 1));
    assert!(finding.remedy.contains("300000 is the least"), "{}", finding.remedy);
    assert_eq!(codes(&late([100_000, 72_800])), [], "at the threshold the delete is still known");
    let finding = only(Code::LateAfterExpiry, late([0, 0]));
    assert_eq!((finding.severity, finding.occurrences), (Severity::Note, 2));
    assert!(finding.message.contains("can't be told"), "{}", finding.message);
}

#[test]
fn a_conflict_has_to_be_declared_before_anything_is_played() {
    let schema = json!({ "id": "INT", "v": "STRING", "seq": "BIGINT" });
    let flow = json!({ "keys": ["id"], "sequence_by": "seq", "except_column_list": ["seq"] });
    let events = json!([{ "id": 1, "v": "a", "seq": 10 }, { "id": 1, "v": "b", "seq": 10 }]);
    let checkpoints = json!([{ "append": events, "expect": [{ "id": 1, "v": "b" }] }]);
    let load = |declared: Value| {
        let folder = folder_with(&schema, &flow, &checkpoints, &declared);
        Fixtures::load([folder.path()])
    };
    let faults = undeclared_conflicts(&load(json!([])).unwrap()).unwrap_err().to_string();
    assert!(faults.contains("one.json:1:1: checkpoint 1, event 1: [conflict]"), "{faults}");
    assert!(
        faults.contains("(checkpoint 1, event 2)") && faults.contains("\"findings\": [\"conflict\"]"),
        "{faults}"
    );
    assert!(undeclared_conflicts(&load(json!(["conflict"])).unwrap()).is_ok());
    let faults = load(json!(["conflcit", "tie", "tie", 3])).unwrap_err().to_string();
    assert!(faults.contains("there is no finding `conflcit`; did you mean `conflict`?"), "{faults}");
    assert!(
        faults.contains("`tie` is given twice") && faults.contains("`findings[3]` is the number `3`"),
        "{faults}"
    );
}

/// Two flows into one target, and the checkpoints of both.
fn of_flows(once: bool, checkpoints: &Value) -> Vec<Finding> {
    let schema = json!({ "id": "INT", "v": "STRING", "seq": "BIGINT" });
    let feed = json!({ "keys": ["id"], "sequence_by": "seq", "except_column_list": ["seq"] });
    let mut first = feed.clone();
    first["once"] = json!(once);
    let fixture = json!({ "name": "one", "schema": schema, "flows": { "first": first, "feed": feed },
        "checkpoints": checkpoints });
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("one.json"), fixture.to_string()).unwrap();
    let fixtures = Fixtures::load_events([folder.path()]).unwrap_or_else(|faults| panic!("{faults}"));
    found(&fixtures.suites[0].fixtures[0])
}

#[test]
fn events_of_different_flows_into_one_target_conflict() {
    let batch = |flow: &str, v: &str| json!({ "flow": flow, "append": [{ "id": 1, "v": v, "seq": 10 }] });
    let finding = only(Code::Conflict, of_flows(false, &json!([batch("first", "a"), batch("feed", "b")])));
    assert_eq!(finding.occurrences, 1);
    let places: Vec<_> = finding.events.iter().map(|place| place.checkpoint).collect();
    assert_eq!(places, [Some(0), Some(1)]);
    assert!(finding.advice.iter().any(|text| text.contains("by different flows")), "{:?}", finding.advice);
    assert_eq!(codes(&of_flows(false, &json!([batch("first", "a"), batch("feed", "a")]))), []);
}

#[test]
fn what_a_flow_that_ran_once_passes_over_conflicts_with_nothing() {
    let batch = |v: &str| json!({ "flow": "first", "append": [{ "id": 1, "v": v, "seq": 10 }] });
    assert_eq!(codes(&of_flows(true, &json!([batch("a"), batch("b")]))), []);
    assert_eq!(codes(&of_flows(false, &json!([batch("a"), batch("b")]))), [Code::Conflict]);
    let mut again = batch("b");
    again["full_refresh"] = json!(true);
    assert_eq!(codes(&of_flows(true, &json!([batch("a"), again, batch("c")]))), []);
}

#[test]
fn a_truncate_conflicts_at_its_place_and_parts_what_comes_before_it_from_what_comes_after() {
    let schema = json!({ "id": "INT", "v": "STRING", "op": "STRING", "seq": "BIGINT" });
    let flow = json!({ "keys": ["id"], "sequence_by": "seq", "apply_as_deletes": "op = 'D'",
        "apply_as_truncates": "op = 'T'", "except_column_list": ["op", "seq"] });
    let event = |id: Value, v: Value, op: &str, seq: i64| json!({ "id": id, "v": v, "op": op, "seq": seq });
    let truncate = |seq| event(Value::Null, Value::Null, "T", seq);
    let upsert = |v: Value, seq| event(json!(1), v, "U", seq);
    let found = |events: Value| of_events(&schema, &flow, &events);

    assert_eq!(codes(&found(json!([upsert(json!("x"), 1), truncate(2), upsert(Value::Null, 3)]))), []);
    let sparse = found(json!([upsert(json!("x"), 1), upsert(Value::Null, 3), truncate(4)]));
    assert_eq!(codes(&sparse), [Code::SparseUpdate], "the truncate comes after both");
    let tied = only(Code::Conflict, found(json!([truncate(2), upsert(json!("x"), 2)])));
    assert!(tied.message.contains("key `1`, sequence `2`, are an upsert and a truncate"), "{}", tied.message);
    let deleted = event(json!(1), Value::Null, "D", 2);
    assert_eq!(codes(&found(json!([truncate(2), deleted]))), [], "both delete");
}

#[test]
fn only_listed_columns_conflict() {
    let schema =
        json!({ "id": "INT", "a": "STRING", "b": "STRING", "cols": "ARRAY<STRING>", "seq": "BIGINT" });
    let flow = json!({ "keys": ["id"], "sequence_by": "seq", "columns_to_update": "cols",
        "except_column_list": ["cols", "seq"] });
    let event = |a: &str, b: &str, cols: &[&str]| json!({ "id": 1, "a": a, "b": b, "cols": cols, "seq": 10 });
    let found = |one, other| of_events(&schema, &flow, &json!([one, other]));
    assert_eq!(codes(&found(event("x", "y", &["b"]), event("z", "y", &["B"]))), [Code::Tie]);
    let finding = only(Code::Conflict, found(event("x", "y", &["a"]), event("x", "y", &["b"])));
    assert!(finding.message.contains("`a` (`x`, not given), `b` (not given, `y`)"), "{}", finding.message);
    assert!(finding.query.contains("exists(`cols`, c -> lower(c) = 'a')"), "{}", finding.query);
    assert!(Parser::parse_sql(&DatabricksDialect, &finding.query).is_ok(), "{}", finding.query);
}

#[test]
fn queries_and_clauses_quote_whatever_a_column_is_called() {
    let schema = json!({ "the `id`": "STRING", "o'p \\": "STRING", "op": "STRING", "log pos": "INT", "select": "BIGINT" });
    let flow = json!({ "keys": ["the `id`"], "sequence_by": "select",
        "apply_as_deletes": "op = 'it''s; -- no' -- a comment", "apply_as_truncates": "op = 'T' OR op = 'U'",
        "except_column_list": ["select", "op", "log pos"] });
    let event = |id: Value, v: Value, pos: i64, seq: i64, d: &str| json!({ "the `id`": id, "o'p \\": v, "op": d, "log pos": pos, "select": seq });
    let findings = of_events(
        &schema,
        &flow,
        &json!([
            event(json!("a"), json!("x"), 1, 10, "I"),
            event(json!("a"), json!("y"), 2, 10, "I"),
            event(json!("A"), json!("y"), 3, 10, "DELETE"),
            event(json!("a"), Value::Null, 4, 20, "it's; -- no"),
            event(Value::Null, Value::Null, 4, 30, "T"),
        ]),
    );
    assert_eq!(codes(&findings), [Code::Conflict, Code::SimilarKeys, Code::MissedDelete]);
    for Finding { query, .. } in &findings {
        assert!(Parser::parse_sql(&DatabricksDialect, query).is_ok(), "{query}");
        let leaves_out = ["AND NOT coalesce((op = 'T' OR op = 'U'), false)", "WHERE NOT __is_truncate"];
        assert!(leaves_out.iter().any(|text| query.contains(text)), "truncates count: {query}");
    }
    let remedy = &findings[0].remedy;
    assert!(
        remedy.contains("struct(`select`, `log pos`)") || remedy.contains("struct(select, `log pos`)"),
        "{remedy}"
    );
}

#[test]
fn an_operation_that_changes_alone_is_counted_also_where_the_sequence_reaches_the_target() {
    let schema = json!({ "id": "INT", "v": "STRING", "op": "STRING", "ts": "BIGINT", "pos": "INT" });
    let event = |v: &str, op: &str, ts| json!({ "id": 1, "v": v, "op": op, "ts": ts, "pos": ts });
    let events = json!([event("x", "I", 1), event("x", "U", 2), event("y", "R", 3), event("y", "U", 4)]);
    let order = "struct(ts, pos)";
    for (flow, columns) in [
        (json!({ "keys": ["id"], "sequence_by": order }), "`op`"),
        (
            json!({ "keys": ["id"], "sequence_by": order, "stored_as_scd_type": 2,
            "track_history_except_column_list": ["ts", "pos"] }),
            "`op`",
        ),
        (
            json!({ "keys": ["id"], "sequence_by": order, "stored_as_scd_type": 2,
            "track_history_column_list": ["v", "ts"] }),
            "`op`, `ts`",
        ),
    ] {
        let found = of_events(&schema, &flow, &events);
        let finding = found.iter().find(|it| it.code == Code::TechnicalColumn).unwrap();
        assert!(finding.message.starts_with(&format!("The target shows {columns}, ")), "{}", finding.message);
        assert_eq!(finding.occurrences, 2, "{}", finding.message);
        // No two events of a key agree in their sequence: a query that asks for that counts nothing.
        let alone = finding.query.replace(&changed(columns), "");
        assert!(alone.contains("`v` <=> lag(`v`) OVER w"), "{}", finding.query);
        assert!(!alone.contains("lag(`ts`)") && !alone.contains("lag(`pos`)"), "{}", finding.query);
    }
}

/// The test of a query that one of these columns changed.
fn changed(columns: &str) -> String {
    let same: Vec<String> = columns.split(", ").map(|it| format!("{it} <=> lag({it}) OVER w")).collect();
    format!("NOT ({})", same.join(" AND "))
}

#[test]
fn a_truncate_without_a_key_is_no_null_key_also_for_the_query() {
    let schema = json!({ "id": "INT", "op": "STRING", "seq": "BIGINT" });
    let flow = json!({ "keys": ["id"], "sequence_by": "seq", "apply_as_truncates": "op = 'T'",
        "except_column_list": ["op", "seq"] });
    let event = |id: Value, op: &str| json!({ "id": id, "op": op, "seq": 10 });
    let events = json!([event(Value::Null, "T"), event(Value::Null, "U")]);
    let checkpoints = json!([{ "append": events, "expect_error": "NULL_KEY" }]);
    let finding = only(Code::NullKey, of_checkpoints(&schema, &flow, &checkpoints));
    assert_eq!(finding.occurrences, 1);
    assert!(
        finding.query.ends_with("WHERE (`id` IS NULL) AND NOT coalesce((op = 'T'), false)"),
        "{}",
        finding.query
    );
}

#[test]
fn many_checkpoints_are_checked_in_no_time() {
    let schema = json!({ "id": "INT", "v": "STRING", "seq": "BIGINT" });
    let flow = json!({ "keys": ["id"], "sequence_by": "seq", "except_column_list": ["seq"] });
    let checkpoint = |n: u32| json!({ "append": [{ "id": n % 7, "v": "a", "seq": n }] });
    let checkpoints: Vec<Value> = (0..10_000).map(checkpoint).collect();
    assert_eq!(codes(&of_checkpoints(&schema, &flow, &json!(checkpoints))), []);
}

/// A file of that name in a folder of its own.
fn file(name: &str, text: &str) -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, text).unwrap();
    (folder, path)
}

#[test]
fn a_csv_is_typed_by_the_schema() {
    use cdc_killmatrix::EventFile;
    let schema = "code STRING, at TIMESTAMP, n BIGINT, ok BOOLEAN, d DECIMAL(5,2)".parse().unwrap();
    let text = "\u{feff}n,CODE,at,ok,d\r\n7,007,2026-09-01 10:00:00,TRUE,1.5\r\n,\"\",,,\r\n\r\n-1,\"a,\n\"\"b\"\"\",,false,\r\n";
    let (_folder, path) = file("events.csv", text);
    let events = EventFile::read(&path, &schema).unwrap_or_else(|faults| panic!("{faults}"));
    assert_eq!(events.lines, [2, 3, 5]);
    let shown =
        |event: usize| events.feed.events()[event].values.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(shown(0), ["007", "2026-09-01T10:00:00Z", "7", "true", "1.50"]);
    assert_eq!(shown(1), ["", "null", "null", "null", "null"]);
    assert_eq!(shown(2), ["a,\n\"b\"", "null", "-1", "false", "null"]);
}

#[test]
fn faults_of_files_are_told_with_line_and_column() {
    use cdc_killmatrix::EventFile;
    let schema = "id BIGINT, city STRING".parse().unwrap();
    for (name, text, expected) in [
        ("a.csv", "id,city\n1,x\nx,y\n", "a.csv:3:1: `id` is the text `x`; expected a whole number (BIGINT)"),
        ("b.csv", "id,town\n1,x\n", "b.csv:1:4: there is no column `town`; expected one of id, city"),
        ("c.csv", "id\n1\n", "c.csv:1:1: the header has no `city`"),
        ("d.csv", "id,city\n1,x,y\n", "d.csv:2:1: the record has 3 fields; expected 2"),
        ("e.csv", "id,city\n1,\"x\n", "e.csv:2:3: the quotes that open here are never closed"),
        ("g.csv", "id;city\n1;x\n", "g.csv:1:3: is the separator `;`? expected `,`"),
        ("h.csv", "id;city,town;x\n", "h.csv:1:3: is the separator `;`? expected `,`"),
        ("i.csv", "\"id\";\"city\"\n", "i.csv:1:5: is the separator `;`? expected `,`"),
        ("j.csv", "id\tcity\n1\tx\n", "j.csv:1:3: is the separator a tab? expected `,`"),
        (
            "k.csv",
            "id,city\r1,x\r2,y\r",
            "k.csv:1:8: the line ends in a lone carriage return; expected a line feed",
        ),
        (
            "l.csv",
            "\"id\",\"city\"\r1,x",
            "l.csv:1:12: the line ends in a lone carriage return; expected a line feed",
        ),
        ("m.csv", "id,c;d\n", "m.csv:1:4: there is no column `c;d`; expected one of id, city"),
        ("f.csv", "", "f.csv:1:1: the file is empty; expected a header with the names of the columns"),
        ("n.csv", "id,city\n", "n.csv: there is no event in this file"),
        ("a.jsonl", "{\"id\": 1}\n\n{\"id\": \"x\"}\n", "a.jsonl:3:8: `id` is the text `x`"),
        ("b.jsonl", "{\"id\": 1}\n{\"id\": 1", "b.jsonl:2:9: the line ends inside an object"),
        ("c.ndjson", "{}\n[1]\n", "c.ndjson:2:1: the line holds a list; expected an object"),
        ("e.jsonl", "[{}]\n", "e.jsonl:1:1: this is one JSON text; expected JSON lines"),
        ("d.jsonl", "{\"id\": 1, \"town\": \"x\"}\n", "d.jsonl:1:11: there is no column `town`"),
    ] {
        let (_folder, path) = file(name, text);
        let faults = EventFile::read(&path, &schema).unwrap_err().to_string();
        assert!(faults.contains(expected), "{name}: {faults}");
    }
}

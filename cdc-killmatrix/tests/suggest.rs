//! Suggested fixtures separate what they are for, and say nothing of what is right.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread;

use cdc_core::{Flow, Hook, Mutant, Order, Plan, Reference, ScdType};
use cdc_killmatrix::check::{self, Checked};
use cdc_killmatrix::control::{Controls, failures};
use cdc_killmatrix::search::{Answer, Found, Limits, search};
use cdc_killmatrix::suggest::{Suggested, Suggestion, refuted, suggest, targets};
use cdc_killmatrix::{
    Fixture, Fixtures, Matrix, Outcome, Wording, catalogue, fixture_json, fixture_text, report, row_to_json,
    tables, try_mutant,
};
use serde_json::{Value, json};
use tempfile::TempDir;

mod binary;

use binary::{code, killmatrix, parsed, root, stderr, stdout};

fn corpus() -> Fixtures {
    Fixtures::load([root().join("fixtures")]).unwrap()
}

fn plan(schema: &str, flow: Flow) -> Plan {
    Plan::new(flow, schema.parse().unwrap()).unwrap()
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(ToString::to_string).collect()
}

/// That something is found, not how small it is.
const ANY: Limits = Limits { smaller: 0, ..Limits::SUGGEST };

/// Most mutants are found at once.
const FEW: Limits = Limits { tries: 30, ..ANY };

/// Flows of every kind, over columns of many types.
fn generic() -> Vec<Vec<Plan>> {
    let schema = "region STRING, id BIGINT, name STRING, city STRING, price DECIMAL(20,4), weight DOUBLE, \
                  loaded TIMESTAMP, op STRING, ts TIMESTAMP, pos BIGINT, known DATE";
    let base = Flow {
        keys: names(&["region", "id"]),
        sequence_by: "ts".into(),
        apply_as_deletes: Some("op = 'D'".into()),
        except_column_list: Some(names(&["loaded", "op", "ts", "pos", "known"])),
        ..Flow::default()
    };
    let texts = "country STRING, town STRING, zip STRING, mayor STRING, lsn STRING";
    let of_texts = Flow { keys: names(&["country", "town"]), sequence_by: "lsn".into(), ..Flow::default() };
    let lists = format!("{schema}, changed ARRAY<STRING>");
    vec![
        vec![plan(schema, base.clone())],
        vec![plan(schema, Flow { sequence_by: "struct(ts, pos)".into(), ..base.clone() })],
        vec![plan(schema, Flow { ignore_null_updates: true, ..base.clone() })],
        vec![plan(schema, Flow { apply_as_truncates: Some("op = 'T'".into()), ..base.clone() })],
        vec![plan(schema, Flow { stored_as_scd_type: ScdType::Two, ..base.clone() })],
        vec![plan(
            schema,
            Flow {
                stored_as_scd_type: ScdType::Two,
                track_history_except_column_list: Some(names(&["weight"])),
                sequence_by: "pos".into(),
                tombstone_gc_threshold_seconds: Some(3600),
                ..base.clone()
            },
        )],
        vec![plan(
            schema,
            Flow {
                stored_as_scd_type: ScdType::Bitemporal,
                system_sequence_by: Some("known".into()),
                ..base.clone()
            },
        )],
        vec![plan(
            &lists,
            Flow {
                columns_to_update: Some("changed".into()),
                except_column_list: Some(names(&["loaded", "op", "ts", "pos", "known", "changed"])),
                ..base.clone()
            },
        )],
        vec![plan(schema, Flow { once: true, apply_as_deletes: None, ..base.clone() }), plan(schema, base)],
        vec![plan(
            "Id DOUBLE, City STRING, Seen TIMESTAMP, Lsn BIGINT",
            Flow { keys: names(&["Id"]), sequence_by: "Lsn".into(), ..Flow::default() },
        )],
        vec![plan(texts, of_texts.clone())],
        vec![plan(
            texts,
            Flow {
                sequence_by: String::new(),
                from_snapshot: Some("BIGINT".parse().unwrap()),
                stored_as_scd_type: ScdType::Two,
                ..of_texts
            },
        )],
    ]
}

/// A suggestion with the reference's answers in the place of each `"TODO"`.
fn completed(suggestion: &Suggestion, wording: Wording) -> String {
    let mut json = fixture_json(&suggestion.fixture, wording);
    let shown = tables(&Reference, &suggestion.fixture).unwrap();
    for (checkpoint, shown) in json["checkpoints"].as_array_mut().unwrap().iter_mut().zip(shown) {
        assert_eq!(checkpoint["expect"], "TODO");
        let rows = shown.table.rows().iter().map(|row| row_to_json(row, &shown.target));
        checkpoint["expect"] = rows.collect();
        if let Some(refusal) = shown.refusal {
            checkpoint["expect_error"] = json!(refusal.class);
        }
    }
    fixture_text(&json)
}

/// What is wrong with a suggestion, if anything.
fn fault(mutant: &Mutant, suggestion: &Suggestion, folder: &Path) -> Option<String> {
    let path = folder.join(format!("{}.json", suggestion.fixture.name));
    fs::write(&path, fixture_text(&fixture_json(&suggestion.fixture, Wording::Whole))).unwrap();
    if let Err(faults) = Fixtures::load_events([&path]) {
        return Some(format!("it doesn't load: {faults}"));
    }
    if !Fixtures::load([&path]).is_err_and(|faults| faults.to_string().contains("is still `TODO`")) {
        return Some("it says what is right".to_owned());
    }
    fs::write(&path, completed(suggestion, Wording::Whole)).unwrap();
    let fixtures = match Fixtures::load([&path]) {
        Ok(fixtures) => fixtures,
        Err(faults) => return Some(format!("completed, it doesn't load: {faults}")),
    };
    let fixture = &fixtures.suites[0].fixtures[0];
    let findings = check::findings(&check::cases_of_fixture(fixture, "source"));
    if (Checked { findings, declared: fixture.findings.clone() }).fails(true) {
        return Some(format!("`check` finds otherwise than declared: {:?}", fixture.findings));
    }
    match try_mutant(mutant, fixture) {
        Outcome::Caught(_) => None,
        outcome => Some(format!("completed, it is {}", outcome.name())),
    }
}

/// Everything that is wrong with the suggestions for a target.
fn faults(mutants: &[Mutant], fixtures: &Fixtures) -> Vec<String> {
    let all: Vec<_> = fixtures.suites.iter().filter(|suite| suite.audited).flat_map(targets).collect();
    let jobs: Vec<_> = all
        .iter()
        .flat_map(|target| mutants.iter().map(move |mutant| (target, mutant)))
        .filter(|(_, mutant)| mutant.equivalent.is_none())
        .collect();
    let (next, found) = (Mutex::new(jobs.into_iter()), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().unwrap().get() {
            scope.spawn(|| {
                let folder = TempDir::new().unwrap();
                loop {
                    let Some((target, mutant)) = next.lock().unwrap().next() else { break };
                    let mut suggested = suggest(mutant, &[*target], FEW);
                    // A copy that refuses what is right is the last thing that is tried.
                    let is_poor = match &suggested {
                        Suggested::Fixture(found) => matches!(
                            (&found.separation.right, &found.separation.wrong),
                            (Answer::Rows(..), Answer::Refused(_))
                        ),
                        Suggested::Nothing(_) => true,
                        Suggested::NotApplicable(_) => false,
                    };
                    if is_poor {
                        suggested = suggest(mutant, &[*target], ANY);
                    }
                    let fault = match suggested {
                        Suggested::Fixture(suggestion) => fault(mutant, &suggestion, folder.path()),
                        Suggested::Nothing(nothing) => Some(format!("nothing is found: {nothing:?}")),
                        Suggested::NotApplicable(_) => None,
                    };
                    let place = format!("{} like {}/{}", mutant.name, target.suite.name, target.like.name);
                    found.lock().unwrap().extend(fault.map(|fault| format!("{place}: {fault}")));
                }
            });
        }
    });
    let mut found = found.into_inner().unwrap();
    found.sort();
    found
}

#[test]
fn what_is_suggested_under_a_shipped_flow_catches_its_mutant_once_it_is_completed() {
    let faults = faults(&catalogue::all(), &corpus());
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn under_some_flow_a_feed_separates_each_shipped_mutant() {
    let all = generic();
    let is_found = |mutant: &Mutant, limits: Limits| {
        all.iter().any(|plans| matches!(search(mutant, plans, limits), Found::Separation(_)))
    };
    let lost: Vec<&str> = catalogue::all()
        .iter()
        .filter(|mutant| mutant.equivalent.is_none())
        .filter(|mutant| !is_found(mutant, FEW) && !is_found(mutant, ANY))
        .map(|mutant| mutant.name)
        .collect();
    assert!(lost.is_empty(), "nothing separates {lost:?}");
}

#[test]
fn a_deleted_fixture_has_a_replacement_for_each_mutant_that_only_it_caught() {
    let (fixtures, mutants) = (corpus(), catalogue::all());
    let matrix = Matrix::of(&fixtures, &mutants);
    let mut replaced = 0;
    for (suite, table) in fixtures.suites.iter().zip(&matrix.suites).filter(|(suite, _)| suite.audited) {
        let is_caught =
            |line: usize, column: usize| matches!(table.fixtures[line].cells[column], Outcome::Caught(_));
        for (line, fixture) in suite.fixtures.iter().enumerate() {
            for (column, mutant) in mutants.iter().enumerate() {
                let catchers = (0..suite.fixtures.len()).filter(|&other| is_caught(other, column));
                if catchers.collect::<Vec<usize>>() != [line] {
                    continue;
                }
                let found = search(mutant, &fixture.plans, ANY);
                let Found::Separation(separation) = found else {
                    panic!("without {} nothing catches {}: {found:?}", suite.full_name(fixture), mutant.name);
                };
                let is_loud =
                    matches!((&separation.right, &separation.wrong), (Answer::Rows(..), Answer::Refused(_)));
                assert!(!is_loud, "{} refuses what it is to be caught by", mutant.name);
                replaced += 1;
            }
        }
    }
    assert!(0 < replaced, "some mutant has a sole catcher");
}

/// A text whose lines are broken anywhere.
fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<&str>>().join(" ")
}

fn shipped(name: &str) -> Mutant {
    *catalogue::all().iter().find(|mutant| mutant.name == name).unwrap()
}

/// What is suggested for a mutant under the flow of a shipped suite.
fn suggested(mutant: &Mutant, suite: &str) -> Suggestion {
    let fixtures = corpus();
    let suite = fixtures.suites.iter().find(|it| it.name == suite).unwrap();
    match suggest(mutant, &targets(suite), Limits::SUGGEST) {
        Suggested::Fixture(suggestion) => *suggestion,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_suggestion_is_small() {
    let sizes = [
        (0, "ignored_deletes", (1, 1)),
        (0, "swapped_columns", (1, 1)),
        (0, "collapsed_key", (1, 2)),
        (0, "arrival_order", (1, 2)),
        (1, "ignored_tie_breaker", (1, 2)),
        (4, "kept_nulls", (1, 2)),
        (5, "early_expiry", (2, 2)),
        (6, "rewritten_past", (1, 2)),
        (8, "repeated_backfill", (2, 2)),
        (11, "kept_missing_rows", (2, 1)),
        (11, "unseen_null_change", (2, 2)),
    ];
    let flows = generic();
    for (flow, mutant, size) in sizes {
        let Found::Separation(found) = search(&shipped(mutant), &flows[flow], Limits::SUGGEST) else {
            panic!("nothing for {mutant}");
        };
        assert_eq!((found.feed.batches(), found.feed.events().len()), size, "{mutant}");
    }
}

#[test]
fn a_search_gives_the_same_each_time() {
    let text = || {
        let suggestion = suggested(&shipped("kept_nulls"), "customer_history");
        fixture_text(&fixture_json(&suggestion.fixture, Wording::Whole))
    };
    assert_eq!(text(), text());
}

#[test]
fn what_only_a_tie_or_a_refusal_shows_is_found_and_declared() {
    let last_wins = Mutant::new("tie", "Keeps the first", Hook::breaks_tie(|_, _, _| false));
    let suggestion = suggested(&last_wins, "customers_current");
    assert!(suggestion.separation.has_conflict);
    assert_eq!(suggestion.fixture.findings[0].name(), "conflict");

    let forgiving = Mutant::new(
        "null",
        "Takes a null sequence",
        Hook::order_of(|plan, event| {
            Some(Order::new(plan.sequence().iter().map(|&column| event.values[column].clone())))
        }),
    );
    let suggestion = suggested(&forgiving, "customer_history");
    assert!(
        matches!(&suggestion.separation.right, Answer::Refused(refusal) if refusal.class == "NULL_SEQUENCE")
    );
    assert_eq!(suggestion.fixture.findings[0].name(), "null_sequence");
}

#[test]
fn ties_are_looked_for_before_plain_feeds_are_used_up() {
    let fixtures = corpus();
    let of_ties: Vec<Mutant> =
        catalogue::all().into_iter().filter(|mutant| mutant.breaks.name() == "breaks_tie").collect();
    assert!(3 < of_ties.len());
    for target in fixtures.suites.iter().filter(|suite| suite.audited).flat_map(targets) {
        for mutant in &of_ties {
            if let Suggested::Fixture(suggestion) = suggest(mutant, &[target], Limits::SUGGEST) {
                let tries = suggestion.separation.tries;
                assert!(tries < 8000, "{tries} for {} like {}", mutant.name, target.like.name);
            }
        }
    }
}

#[test]
fn a_copy_that_breaks_down_separates_nothing() {
    let breaks = Mutant::new("panic", "Panics", Hook::admits(|_, _, _| panic!("on purpose")));
    let plans = &generic()[0];
    let limits = Limits { tries: 5, ..Limits::SUGGEST };
    assert!(matches!(search(&breaks, plans, limits), Found::Nothing(_)));
}

#[test]
fn where_nothing_is_found_the_bound_is_told() {
    let same =
        Mutant::new("same", "Changes nothing", Hook::admits(|_, _, _| true)).equivalent("it is the same");
    let fixtures = corpus();
    let suite = &fixtures.suites.iter().find(|suite| suite.name == "customer_history").unwrap();
    let limits = Limits { tries: 10, ..Limits::SUGGEST };
    let asked = report::Asked {
        suite: suite.name.clone(),
        mutant: same,
        beside: Vec::new(),
        suggested: suggest(&same, &targets(suite), limits),
        flows: 1,
        written: None,
    };
    let text = flat(&report::suggestion(&asked));
    assert!(text.contains(" tries, of at most 4 checkpoints and 10 events. That is no proof"), "{text}");
    assert!(text.contains("It is declared equivalent: it is the same."), "{text}");
}

#[test]
fn the_question_does_not_give_the_answer_away() {
    let mutant = shipped("arrival_order");
    let mut suggestion = suggested(&mutant, "customers_current");
    let asked = |suggestion: &Suggestion| report::Asked {
        suite: "customers_current".to_owned(),
        mutant,
        beside: Vec::new(),
        suggested: Suggested::Fixture(Box::new(suggestion.clone())),
        flows: 1,
        written: None,
    };
    let (text, json) =
        (report::suggestion(&asked(&suggestion)), report::suggestions_json(&[asked(&suggestion)]));
    assert!(text.contains("which of the two is right, A or B?"), "{text}");
    let separation = &mut suggestion.separation;
    std::mem::swap(&mut separation.right, &mut separation.wrong);
    assert_eq!(report::suggestion(&asked(&suggestion)), text);
    assert_eq!(report::suggestions_json(&[asked(&suggestion)]), json);
    let (_, question) = text.split_once("\n}\n").unwrap();
    assert!(question.lines().all(|line| line.chars().count() <= 80), "{text}");
}

#[test]
fn a_claim_of_equivalence_that_is_wrong_is_refuted_with_the_events_and_what_to_do() {
    let claimed = Mutant::new(
        "claimed",
        "Keeps the lower sequence",
        Hook::supersedes(|_, new, stored| new.order < stored.order),
    )
    .equivalent("nobody would notice");
    let right =
        Mutant::new("right", "Changes nothing", Hook::admits(|_, _, _| true)).equivalent("it is the same");
    let all = refuted(&corpus(), &[right, claimed], 4000);
    let refuted: Vec<&str> = all.iter().map(|refuted| refuted.mutant.name).collect();
    assert_eq!(refuted, ["claimed"]);
    let text = flat(&report::refuted(&all, "cdc-killmatrix"));
    for part in [
        "nobody would notice",
        "checkpoint 1:",
        "Take the claim back: remove `equivalent` from claimed",
        "--write",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
}

#[test]
fn no_shipped_claim_of_equivalence_is_refuted() {
    for mutant in catalogue::all().iter().filter(|mutant| mutant.equivalent.is_some()) {
        for plans in generic() {
            if let Found::Separation(found) = search(mutant, &plans, Limits::REFUTE) {
                panic!("{} is not equivalent: {found:?}", mutant.name);
            }
        }
    }
    assert!(refuted(&corpus(), &catalogue::all(), 40_000).is_empty());
}

#[test]
fn a_control_that_fails_makes_the_run_void() {
    let fixtures = corpus();
    let sound = Controls::default();
    assert!(failures(&fixtures, &sound).is_empty());

    let swapped = Controls { unchanged: sound.empty, empty: sound.unchanged };
    let all = failures(&fixtures, &swapped);
    let failing = |expected: &str| all.iter().filter(|void| void.expected == expected).count();
    let audited: usize =
        fixtures.suites.iter().filter(|suite| suite.audited).map(|suite| suite.fixtures.len()).sum();
    assert!(failing("missed") == audited && failing("caught") == audited, "{all:?}");
    let text = flat(&report::void(&all[..1]));
    assert!(text.starts_with("The run is void, and nothing is said about broken copies"), "{text}");
    assert!(
        text.contains("had to be missed, and came out as caught") && text.contains("report it"),
        "{text}"
    );

    // A fixture without rows has nothing that an empty table would lack.
    let panics = Mutant::new("control", "Panics", Hook::admits(|_, _, _| panic!("on purpose")));
    let all = failures(&fixtures, &Controls { empty: panics, ..sound });
    assert!(!all.is_empty() && all.iter().all(|void| matches!(void.outcome, Outcome::Error(_))), "{all:?}");
}

/// A suite with the fixture of a single insert.
fn suite() -> TempDir {
    let folder = TempDir::new().unwrap();
    let suite = json!({
        "schema": {"id": "BIGINT", "city": "STRING", "zip": "STRING", "op": "STRING", "lsn": "BIGINT"},
        "flow": {"keys": ["id"], "sequence_by": "lsn", "apply_as_deletes": "op = 'D'",
                 "except_column_list": ["op", "lsn"]},
    });
    let fixture = json!({
        "name": "one", "aims_at": [],
        "checkpoints": [{"append": [{"id": 1, "city": "Lyon", "zip": "69001", "op": "I", "lsn": 1}],
                         "expect": [{"id": 1, "city": "Lyon", "zip": "69001"}]}],
    });
    let path = folder.path().join("fixtures/towns");
    fs::create_dir_all(&path).unwrap();
    fs::write(path.join("suite.json"), suite.to_string()).unwrap();
    fs::write(path.join("one.json"), fixture.to_string()).unwrap();
    folder
}

/// Completes the written fixtures with the rows that `rows` prints.
fn complete(path: &Path) {
    let fixtures = Fixtures::load_events([path]).unwrap();
    let fixture: &Fixture = &fixtures.suites[0].fixtures[0];
    let mut json: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let shown = tables(&Reference, fixture).unwrap();
    for (checkpoint, shown) in json["checkpoints"].as_array_mut().unwrap().iter_mut().zip(shown) {
        checkpoint["expect"] = shown.table.rows().iter().map(|row| row_to_json(row, &shown.target)).collect();
        if let Some(refusal) = shown.refusal {
            checkpoint["expect_error"] = json!(refusal.class);
        }
    }
    fs::write(path, json.to_string()).unwrap();
}

#[test]
fn every_survivor_gets_a_fixture_and_completed_they_catch_them_all() {
    let folder = suite();
    let towns = folder.path().join("fixtures/towns");
    assert_eq!(code(&killmatrix(folder.path(), &["run"])), 2);
    let output = killmatrix(folder.path(), &["suggest", "--all", "--write", "--format", "json"]);
    assert_eq!(code(&output), 0, "{}{}", stdout(&output), stderr(&output));
    let written: Vec<PathBuf> = parsed(&output)
        .as_array()
        .unwrap()
        .iter()
        .map(|it| folder.path().join(it["written"].as_str().unwrap()))
        .collect();
    assert!(written.contains(&towns.join("arrival_order.json")), "{written:?}");
    let text = fs::read_to_string(&written[0]).unwrap();
    assert!(!text.contains("\"flow\"") && !text.contains("\"schema\""), "the suite says both: {text}");
    assert_eq!(code(&killmatrix(folder.path(), &["run"])), 1, "`TODO` is no expectation");
    for path in &written {
        complete(path);
    }
    let output = killmatrix(folder.path(), &["run"]);
    assert_eq!(code(&output), 0, "{}{}", stdout(&output), stderr(&output));
    let output = killmatrix(folder.path(), &["suggest", "--all"]);
    assert_eq!(
        (code(&output), &*stdout(&output)),
        (0, "No broken copy survives: there is nothing to suggest.\n")
    );
}

#[test]
fn nothing_is_overwritten() {
    let folder = suite();
    let towns = folder.path().join("fixtures/towns");
    let write = || {
        let output = killmatrix(folder.path(), &["suggest", "arrival_order", "--like", "towns", "--write"]);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        stdout(&output)
    };
    assert!(write().contains("written: fixtures/towns/arrival_order.json"));
    let first = fs::read_to_string(towns.join("arrival_order.json")).unwrap();
    assert!(write().contains("written: fixtures/towns/arrival_order_2.json"));
    assert_eq!(fs::read_to_string(towns.join("arrival_order.json")).unwrap(), first);
    let names: BTreeSet<String> = Fixtures::load_events([&towns]).unwrap().suites[0]
        .fixtures
        .iter()
        .map(|fixture| fixture.name.clone())
        .collect();
    assert_eq!(names.into_iter().collect::<Vec<_>>(), ["arrival_order", "arrival_order_2", "one"]);

    let out = ["suggest", "arrival_order", "--like", "towns", "--out", "fixtures/towns/one.json"];
    let before = fs::read_to_string(towns.join("one.json")).unwrap();
    let output = killmatrix(folder.path(), &out);
    assert_eq!(code(&output), 1);
    assert!(stderr(&output).contains("one.json: it is there already"), "{}", stderr(&output));
    assert_eq!(fs::read_to_string(towns.join("one.json")).unwrap(), before);
}

#[test]
fn a_deployed_flow_needs_no_fixtures() {
    let folder = TempDir::new().unwrap();
    let sql = "CREATE FLOW f AS AUTO CDC INTO t FROM stream(s) KEYS (id) SEQUENCE BY lsn \
               COLUMNS * EXCEPT (lsn) STORED AS SCD TYPE 2;";
    fs::write(folder.path().join("f.sql"), sql).unwrap();
    let schema = "id BIGINT, city STRING, lsn BIGINT";
    let call = ["suggest", "arrival_order", "--flow", "f.sql", "--schema", schema, "--out", "late.json"];
    let output = killmatrix(folder.path(), &call);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let path = folder.path().join("late.json");
    let plan = Fixtures::load_events([&path]).unwrap().suites[0].fixtures[0].plan().clone();
    assert_eq!((plan.scd_type(), plan.flow().sequence_by.as_str()), (ScdType::Two, "lsn"));
    complete(&path);
    assert_eq!(code(&killmatrix(folder.path(), &["explain", "arrival_order", "late.json"])), 0);

    let output =
        killmatrix(folder.path(), &["suggest", "ignored_deletes", "--flow", "f.sql", "--schema", schema]);
    assert_eq!(code(&output), 5);
    assert!(stdout(&output).contains("the flow has no delete condition"), "{}", stdout(&output));
    let output = killmatrix(folder.path(), &["suggest", "arrival_order", "--flow", "f.sql"]);
    assert!(code(&output) == 1 && stderr(&output).contains("expected `--schema"), "{}", stderr(&output));
}

#[test]
fn what_is_unknown_is_told_with_the_nearest_name() {
    let output = killmatrix(&root(), &["suggest", "arival_order"]);
    assert!(code(&output) == 1 && stderr(&output).contains("did you mean `arrival_order`?"));
    let output = killmatrix(&root(), &["suggest", "arrival_order", "--like", "customer_current"]);
    assert!(code(&output) == 1 && stderr(&output).contains("did you mean `customers_current`?"));
    assert_eq!(code(&killmatrix(&root(), &["suggest"])), 1);
}

#[test]
fn null_parts_of_a_condition_and_the_style_of_its_literals_are_found() {
    let flow = |condition: &str| Flow {
        keys: names(&["id"]),
        sequence_by: "lsn".into(),
        apply_as_deletes: Some(condition.to_owned()),
        ..Flow::default()
    };
    let schema = "id BIGINT, city STRING, meta STRUCT<op: STRING, hard: BOOLEAN>, n INT, lsn BIGINT";
    let conditions = [
        "meta.op = 'delete'",
        "meta.op LIKE 'DEL%' AND meta.hard",
        "upper(trim(city)) IN ('X', 'Y')",
        "n > 41 AND n <> 43",
        "NOT (n <=> 7 OR meta.hard IS NULL)",
        "city IS NULL AND coalesce(meta.hard, false)",
    ];
    for condition in conditions {
        let plans = [plan(schema, flow(condition))];
        let found = search(&shipped("ignored_deletes"), &plans, ANY);
        assert!(matches!(found, Found::Separation(_)), "no delete for {condition}");
    }
}

/// What is found for a shipped mutant under one flow.
fn found(name: &str, schema: &str, flow: Flow) -> Found {
    search(&shipped(name), &[plan(schema, flow)], ANY)
}

#[test]
fn parts_of_different_types_that_glue_to_one_text_are_found() {
    let flow = || Flow { keys: names(&["a", "b"]), sequence_by: "seq".into(), ..Flow::default() };
    for (first, second) in [
        ("STRING", "INT"),
        ("INT", "STRING"),
        ("STRING", "BIGINT"),
        ("TINYINT", "DECIMAL(10,2)"),
        ("STRING", "DECIMAL(10,0)"),
        ("STRING", "DECIMAL(10,2)"),
        ("DOUBLE", "INT"),
        ("TIMESTAMP_NTZ", "STRING"),
        ("STRING", "STRING"),
        ("BIGINT", "INT"),
    ] {
        let schema = format!("a {first}, b {second}, v STRING, seq BIGINT");
        let found = found("glued_key", &schema, flow());
        assert!(matches!(found, Found::Separation(_)), "nothing for {first} and {second}");
    }
    for (first, second) in [
        ("STRING", "DATE"),
        ("DATE", "STRING"),
        ("BOOLEAN", "INT"),
        ("DECIMAL(10,2)", "STRING"),
        ("STRING", "TIMESTAMP"),
        ("DATE", "DATE"),
    ] {
        let schema = format!("a {first}, b {second}, v STRING, seq BIGINT");
        let found = found("glued_key", &schema, flow());
        assert!(matches!(found, Found::NotApplicable(_)), "{first} and {second}: {found:?}");
    }
    let flow = Flow { keys: names(&["d", "a", "b"]), ..flow() };
    let found = found("glued_key", "d DATE, a STRING, b INT, v STRING, seq BIGINT", flow);
    assert!(matches!(found, Found::Separation(_)), "a part before the two");
}

#[test]
fn versions_of_snapshots_that_grow_longer_are_found() {
    let flow = |version: &str| Flow {
        keys: names(&["id"]),
        from_snapshot: Some(version.parse().unwrap()),
        stored_as_scd_type: ScdType::Two,
        ..Flow::default()
    };
    for version in
        ["TINYINT", "BIGINT", "FLOAT", "DOUBLE", "DECIMAL(10,2)", "STRUCT<a: INT>", "STRUCT<a: INT, b: DATE>"]
    {
        let found = found("sequence_as_text", "id BIGINT, v STRING", flow(version));
        assert!(matches!(found, Found::Separation(_)), "nothing for {version}");
    }
    let versions = flow("STRUCT<a: INT, b: DATE>");
    assert!(matches!(found("glued_sequence", "id BIGINT, v STRING", versions), Found::Separation(_)));
}

#[test]
fn sequences_of_every_number_and_of_structs_are_found() {
    let flow = || Flow { keys: names(&["id"]), sequence_by: "seq".into(), ..Flow::default() };
    for sequence in ["TINYINT", "FLOAT", "DECIMAL(10,2)", "STRUCT<a: INT, b: DATE>"] {
        let found = found("sequence_as_text", &format!("id BIGINT, v STRING, seq {sequence}"), flow());
        assert!(matches!(found, Found::Separation(_)), "nothing for {sequence}");
    }
    let found = found("glued_sequence", "id BIGINT, v STRING, seq STRUCT<a: INT, b: DATE>", flow());
    assert!(matches!(found, Found::Separation(_)));
}

#[test]
fn a_suite_without_fixtures_is_enough_and_its_path_may_follow_the_mutant() {
    let folder = suite();
    let towns = folder.path().join("fixtures/towns");
    fs::remove_file(towns.join("one.json")).unwrap();
    let output = killmatrix(folder.path(), &["suggest", "arrival_order", "fixtures/towns", "--write"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert!(stdout(&output).starts_with("towns: arrival_order\n"), "{}", stdout(&output));
    let text = fs::read_to_string(towns.join("arrival_order.json")).unwrap();
    assert!(!text.contains("\"flow\""), "the suite says it: {text}");
    complete(&towns.join("arrival_order.json"));
    assert_eq!(
        code(&killmatrix(folder.path(), &["explain", "arrival_order", "fixtures/towns/arrival_order.json"])),
        0
    );
}

#[test]
fn many_suggestions_end_with_the_advice_once_their_number_and_the_next_command() {
    let folder = suite();
    let output = killmatrix(folder.path(), &["suggest", "--all", "fixtures/towns"]);
    let text = stdout(&output);
    assert_eq!(text.matches("Put the rows that are right").count(), 1, "{text}");
    let (_, end) = text.rsplit_once("\n\n").unwrap();
    assert!(end.contains(" suggested.\nNext,"), "{end}");
    assert!(end.ends_with("suggest --write --all fixtures/towns\n"), "{end}");
}

//! `new`: a first fixture from a definition, columns and events; the corpus that the program carries.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

mod binary;

use binary::{code, killmatrix, parsed, root, stderr, stdout};

const EVENTS: &str = "batch,id,city,op,seq\n1,1,Paris,I,10\n1,2,,I,11\n2,1,Lyon,U,20\n3,2,,D,30\n";

const WHOLE: [&str; 10] = [
    "new",
    "customers",
    "--flow",
    "pipelines/customers.sql",
    "--schema",
    "customers.ddl",
    "--events",
    "events.csv",
    "--batch-by",
    "batch",
];

/// A user's project, with no repository around it.
fn project() -> TempDir {
    let folder = TempDir::new().unwrap();
    let put = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    fs::create_dir(folder.path().join("pipelines")).unwrap();
    put(
        "pipelines/customers.sql",
        "CREATE OR REFRESH STREAMING TABLE customers;\nCREATE FLOW customers_flow AS AUTO CDC INTO customers\nFROM \
         stream(changes)\nKEYS (id)\nAPPLY AS DELETE WHEN op = 'D'\nSEQUENCE BY seq\nCOLUMNS * EXCEPT (op, seq)\nSTORED \
         AS SCD TYPE 1;\n",
    );
    put(
        "customers.ddl",
        "CREATE TABLE customers (id BIGINT, city STRING, op STRING, seq BIGINT) USING delta;",
    );
    put("events.csv", EVENTS);
    folder
}

fn json_of(folder: &Path, file: &str) -> Value {
    serde_json::from_str(&fs::read_to_string(folder.join(file)).unwrap()).unwrap()
}

/// Puts tables in the places of the `"TODO"`s of a file.
fn complete(folder: &Path, file: &str, tables: &[Value]) {
    let mut fixture = json_of(folder, file);
    for (checkpoint, table) in fixture["checkpoints"].as_array_mut().unwrap().iter_mut().zip(tables) {
        assert_eq!(checkpoint["expect"], "TODO");
        checkpoint["expect"] = table.clone();
    }
    fs::write(folder.join(file), fixture.to_string()).unwrap();
}

#[test]
fn a_suite_is_made_of_a_definition_columns_and_events_and_only_its_rows_are_left_to_type() {
    let folder = project();
    let output = killmatrix(folder.path(), &WHOLE);
    assert_eq!((code(&output), stderr(&output).as_str()), (0, ""));
    assert_eq!(
        stdout(&output),
        "written: fixtures/customers/suite.json: the flow, and the columns that it reads\n\
         written: fixtures/customers/events.json: 4 events in 3 batches\n\
         written: killmatrix.toml: the top of the project\n\
         note: `city`: 2 empty fields are NULL\n\
         \n\
         In the place of each \"TODO\" type all rows that you expect in the table after\n\
         that batch, with the columns id and city. Then see what is wrong with the\n\
         events, and what your fixture would notice:\n  \
           cdc-killmatrix check fixtures/customers\n  \
           cdc-killmatrix run fixtures/customers\n"
    );
    assert_eq!(
        json_of(folder.path(), "fixtures/customers/suite.json"),
        json!({
            "flow": "../../pipelines/customers.sql",
            "schema": { "id": "BIGINT", "city": "STRING", "op": "STRING", "seq": "BIGINT" },
        })
    );
    let fixture = json_of(folder.path(), "fixtures/customers/events.json");
    assert_eq!(
        fixture["checkpoints"],
        json!([
            { "append": [{ "id": 1, "city": "Paris", "op": "I", "seq": 10 }, { "id": 2, "op": "I", "seq": 11 }],
              "expect": "TODO" },
            { "append": [{ "id": 1, "city": "Lyon", "op": "U", "seq": 20 }], "expect": "TODO" },
            { "append": [{ "id": 2, "op": "D", "seq": 30 }], "expect": "TODO" },
        ])
    );

    let output = killmatrix(folder.path(), &["run"]);
    assert_eq!(code(&output), 1, "{}", stdout(&output));
    assert_eq!(stderr(&output).matches("still `TODO`").count(), 3);
    complete(
        folder.path(),
        "fixtures/customers/events.json",
        &[
            json!([{ "id": 1, "city": "Paris" }, { "id": 2, "city": null }]),
            json!([{ "id": 1, "city": "Lyon" }, { "id": 2, "city": null }]),
            json!([{ "id": 1, "city": "Lyon" }]),
        ],
    );
    let output = killmatrix(folder.path(), &["run"]);
    assert_eq!(code(&output), 2, "{}", stderr(&output));
    assert!(stdout(&output).contains("kept_nulls"), "no update has a null");
}

#[test]
fn a_suite_that_is_there_gets_another_fixture_and_nothing_is_overwritten() {
    let folder = project();
    assert_eq!(code(&killmatrix(folder.path(), &WHOLE)), 0);
    let before = fs::read_to_string(folder.path().join("fixtures/customers/events.json")).unwrap();

    let again =
        killmatrix(folder.path(), &["new", "customers", "--events", "events.csv", "--batch-by", "batch"]);
    assert_eq!(code(&again), 1);
    assert_eq!(
        stderr(&again),
        "fixtures/customers/events.json is called `events` already; expected another name: customers/FIXTURE\n"
    );
    assert_eq!(fs::read_to_string(folder.path().join("fixtures/customers/events.json")).unwrap(), before);

    let flow = killmatrix(folder.path(), &WHOLE);
    assert_eq!(code(&flow), 1);
    assert!(stderr(&flow).contains("suite.json is there already"), "{}", stderr(&flow));

    let unbatched = killmatrix(folder.path(), &["new", "customers/all_at_once", "--events", "events.csv"]);
    assert_eq!(code(&unbatched), 1);
    assert!(
        stderr(&unbatched).starts_with("events.csv:1:1: there is no column `batch`"),
        "{}",
        stderr(&unbatched)
    );
    let output = killmatrix(folder.path(), &["new", "customers/none"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert_eq!(
        json_of(folder.path(), "fixtures/customers/none.json")["checkpoints"],
        json!([{ "append": [], "expect": "TODO" }])
    );
}

#[test]
fn a_suite_is_put_where_the_configuration_says_whatever_it_says_of_broken_copies() {
    let folder = project();
    let config =
        "fixtures = [\"cases\"]\n[[ignore]]\nmutant = \"kept_nulls\"\nreason = \"no update has a null\"\n";
    fs::write(folder.path().join("killmatrix.toml"), config).unwrap();
    fs::create_dir(folder.path().join("cases")).unwrap();
    let output = killmatrix(folder.path(), &WHOLE);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert!(folder.path().join("cases/customers/events.json").exists());
    assert_eq!(fs::read_to_string(folder.path().join("killmatrix.toml")).unwrap(), config);
}

#[test]
fn what_fails_leaves_nothing_behind() {
    let folder = project();
    let names = || -> Vec<_> {
        let mut names: Vec<_> =
            fs::read_dir(folder.path()).unwrap().map(|it| it.unwrap().file_name()).collect();
        names.sort();
        names
    };
    let before = names();
    for (option, value, wrong) in [
        ("--flow", "pipelines/customers.sql#customer_flow", "did you mean `customers_flow`?"),
        ("--flow", "pipelines/none.sql", "pipelines/none.sql: the file can't be read"),
        ("--schema", "id BIGINT, city STRING, op STRING", "seq"),
        ("--schema", "id BIGNT", "`BIGNT` is no type"),
        ("--events", "none.csv", "none.csv: "),
        ("--batch-by", "day", "day"),
    ] {
        let mut arguments = WHOLE;
        let place = arguments.iter().position(|it| *it == option).unwrap();
        arguments[place + 1] = value;
        let output = killmatrix(folder.path(), &arguments);
        assert_eq!((code(&output), stdout(&output).as_str()), (1, ""), "{option} {value}");
        assert!(stderr(&output).contains(wrong), "{}", stderr(&output));
        assert_eq!(names(), before);
    }
    for name in ["../customers", "..", ".git", "a/b/c", "", "/tmp", "a\\b", "c:a", "a/suite"] {
        let mut arguments = WHOLE;
        arguments[1] = name;
        let output = killmatrix(folder.path(), &arguments);
        assert_eq!(code(&output), 1, "{name}");
        assert!(stderr(&output).contains("expected SUITE or SUITE/FIXTURE"), "{}", stderr(&output));
        assert_eq!(names(), before);
    }
    fs::rename(folder.path().join("events.csv"), folder.path().join("suite.csv")).unwrap();
    let mut arguments = WHOLE;
    arguments[7] = "suite.csv";
    let output = killmatrix(folder.path(), &arguments);
    assert_eq!(
        stderr(&output),
        "the name is that of the file which describes a suite; expected SUITE/FIXTURE, such as `customers/first`\n"
    );
    assert!(!folder.path().join("fixtures").exists());
}

#[test]
fn what_is_written_can_be_read_whatever_the_fields_of_a_struct_are_called() {
    let folder = project();
    let schema = "id BIGINT, city STRUCT<`zip code`: INT, `a``b`: DATE>, op STRING, seq BIGINT";
    let output = killmatrix(
        folder.path(),
        &["new", "customers", "--flow", "pipelines/customers.sql", "--schema", schema],
    );
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let output = killmatrix(folder.path(), &["check", "fixtures/customers"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
}

#[test]
fn a_flow_that_no_code_tells_may_be_said_by_its_parameters() {
    let folder = project();
    let loops = "from pyspark import pipelines as dp\nfor name in TABLES:\n    dp.create_streaming_table(name)\n    \
                 dp.create_auto_cdc_flow(target=name, source=\"s\", keys=[\"id\"], sequence_by=\"seq\")\n";
    fs::write(folder.path().join("loop.py"), loops).unwrap();
    let new = |flow: &str| {
        killmatrix(folder.path(), &["new", "customers", "--flow", flow, "--schema", "customers.ddl"])
    };
    let refused = new("loop.py");
    assert_eq!(code(&refused), 1);
    assert!(stderr(&refused).contains("\n  { \"flow\": { \"keys\": [\"id\"], "), "{}", stderr(&refused));
    fs::write(folder.path().join("flow.json"), r#"{ "flow": { "keys": ["id"], "sequence_by": "sqe" } }"#)
        .unwrap();
    assert!(stderr(&new("flow.json")).starts_with("flow.json:1:"), "{}", stderr(&new("flow.json")));
    fs::write(folder.path().join("flow.json"), r#"{ "flow": { "keys": ["id"], "sequence_by": "seq" } }"#)
        .unwrap();
    assert_eq!(code(&new("flow.json")), 0);
    assert_eq!(
        json_of(folder.path(), "fixtures/customers/suite.json")["flow"],
        json!({ "keys": ["id"], "sequence_by": "seq", "stored_as_scd_type": 1 })
    );
}

#[test]
fn in_a_folder_below_the_project_the_project_s_fixtures_are_meant() {
    let folder = project();
    let below = folder.path().join("pipelines");
    fs::write(folder.path().join("killmatrix.toml"), "fixtures = [\"cdc\"]\n").unwrap();
    let arguments = ["new", "customers", "--flow", "customers.sql", "--schema", "../customers.ddl"];
    let output = killmatrix(&below, &arguments);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert!(
        folder.path().join("cdc/customers/suite.json").exists(),
        "the folder is made that the file names"
    );
    let output = killmatrix(&below, &["run"]);
    assert_eq!(code(&output), 1);
    assert!(stderr(&output).starts_with("../cdc/customers/first.json:4:"), "{}", stderr(&output));
    let named = killmatrix(&below, &["new", "cdc/customers"]);
    assert!(stderr(&named).contains("expected `customers`"), "{}", stderr(&named));
}

#[test]
fn a_name_that_another_file_of_the_suite_has_is_taken() {
    let folder = project();
    assert_eq!(code(&killmatrix(folder.path(), &WHOLE)), 0);
    let file = |name: &str| folder.path().join("fixtures/customers").join(name);
    fs::rename(file("events.json"), file("other.json")).unwrap();
    let output =
        killmatrix(folder.path(), &["new", "customers", "--events", "events.csv", "--batch-by", "batch"]);
    assert_eq!(code(&output), 1);
    assert!(stderr(&output).contains("other.json is called `events` already"), "{}", stderr(&output));
    assert!(!file("events.json").exists());
}

#[test]
fn an_empty_record_of_a_spreadsheet_is_no_event() {
    let folder = project();
    fs::write(folder.path().join("events.csv"), format!("{EVENTS},,,,\n")).unwrap();
    let output = killmatrix(folder.path(), &WHOLE);
    assert_eq!(code(&output), 1);
    assert!(stderr(&output).starts_with("events.csv:6:1: the record is empty"), "{}", stderr(&output));
}

#[test]
fn events_that_are_one_text_of_json_are_told_once() {
    let folder = project();
    fs::write(folder.path().join("events.jsonl"), "[\n{\"id\": 1},\n{\"id\": 2}\n]\n").unwrap();
    let mut arguments = WHOLE;
    arguments[7] = "events.jsonl";
    let output = killmatrix(folder.path(), &arguments);
    assert_eq!(code(&output), 1);
    assert!(stderr(&output).starts_with("events.jsonl:1:1: this is one JSON text"), "{}", stderr(&output));
    assert_eq!(stderr(&output).matches("events.jsonl:").count(), 1);
}

#[test]
fn no_report_takes_the_place_of_a_definition_or_of_another_name_of_an_input() {
    let folder = project();
    assert_eq!(code(&killmatrix(folder.path(), &WHOLE)), 0);
    let path = |name: &str| folder.path().join(name);
    fs::hard_link(path("fixtures/customers/events.json"), path("linked.json")).unwrap();
    for input in ["pipelines/customers.sql", "linked.json", "fixtures/customers/suite.json"] {
        let before = fs::read(path(input)).unwrap();
        for kind in ["html", "github"] {
            let output = killmatrix(folder.path(), &["run", "--report", &format!("{kind}={input}")]);
            assert_eq!(code(&output), 1);
            assert!(stderr(&output).contains("which is an input"), "{input}: {}", stderr(&output));
            assert_eq!(fs::read(path(input)).unwrap(), before);
        }
    }
}

#[test]
fn without_a_terminal_nothing_is_asked() {
    let folder = project();
    let output = killmatrix(folder.path(), &["new"]);
    assert_eq!(code(&output), 1);
    assert!(
        stderr(&output).starts_with("the name of the suite is missing; expected one"),
        "{}",
        stderr(&output)
    );
    let output = killmatrix(folder.path(), &["new", "customers", "--schema", "customers.ddl"]);
    assert_eq!(code(&output), 1);
    assert!(stderr(&output).contains("expected `--flow FILE#NAME`"), "{}", stderr(&output));
}

#[test]
fn a_definition_outside_of_the_project_is_refused() {
    let folder = project();
    let inner = folder.path().join("inner");
    fs::create_dir(&inner).unwrap();
    let arguments = [
        "new",
        "customers",
        "--flow",
        "../pipelines/customers.sql",
        "--schema",
        "id BIGINT, city STRING, op STRING, seq BIGINT",
    ];
    let output = killmatrix(&inner, &arguments);
    assert_eq!(code(&output), 1);
    assert!(stderr(&output).contains("lies outside of"), "{}", stderr(&output));
    assert_eq!(fs::read_dir(&inner).unwrap().count(), 0);
    // Where the project begins above both, it is named.
    fs::create_dir(folder.path().join(".git")).unwrap();
    let output = killmatrix(&inner, &arguments);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let suite = json_of(&inner, "fixtures/customers/suite.json");
    assert_eq!(suite["flow"], "../../../pipelines/customers.sql");
    assert!(!inner.join("killmatrix.toml").exists(), "git says where the project begins");
}

#[test]
fn an_incident_becomes_a_fixture_that_diagnose_explains() {
    let folder = project();
    fs::write(folder.path().join("observed.csv"), "id,city\n1,Lyon\n2,\n").unwrap();
    fs::write(folder.path().join("expected.csv"), "id,city\n1,Lyon\n").unwrap();
    let mut arguments = WHOLE.to_vec();
    arguments[1] = "incidents/deleted_customer_stays";
    arguments.extend(["--from-incident", "--observed", "observed.csv", "--expected", "expected.csv"]);
    let output = killmatrix(folder.path(), &arguments);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let path = "fixtures/incidents/deleted_customer_stays.json";
    assert!(
        stdout(&output).contains(&format!("\n  cdc-killmatrix diagnose {path}\n")),
        "{}",
        stdout(&output)
    );
    let last = &json_of(folder.path(), path)["checkpoints"][2];
    assert_eq!(last["expect"], json!([{ "id": 1, "city": "Lyon" }]));
    assert_eq!(last["observed"], json!([{ "id": 1, "city": "Lyon" }, { "id": 2, "city": null }]));

    let output = killmatrix(folder.path(), &["diagnose", path]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert!(stdout(&output).contains("ignored_deletes"), "{}", stdout(&output));
}

#[test]
fn a_folder_without_fixtures_shows_a_suite_of_the_program_and_fails() {
    let folder = TempDir::new().unwrap();
    let output = killmatrix(folder.path(), &[]);
    assert_eq!(code(&output), 1);
    assert!(stdout(&output).contains("Customers, current state"), "{}", stdout(&output));
    assert!(stderr(&output).contains("nothing of yours was judged"), "{}", stderr(&output));
    // Programs aren't shown what they didn't ask for.
    let output = killmatrix(folder.path(), &["run", "--format", "json"]);
    assert_eq!((code(&output), stdout(&output).as_str()), (1, ""));
}

#[test]
fn the_program_carries_the_fixtures_of_the_repository() {
    let folder = TempDir::new().unwrap();
    let carried = killmatrix(folder.path(), &["run", "--corpus", "--format", "json"]);
    let own = killmatrix(&root(), &["run", "fixtures", "--format", "json"]);
    let (mut carried, own) = (parsed(&carried), parsed(&own));
    for fixture in carried["fixtures"].as_array_mut().unwrap() {
        let path = fixture["path"].as_str().unwrap().strip_prefix("corpus:").unwrap();
        fixture["path"] = json!(format!("fixtures/{path}"));
    }
    assert_eq!(
        carried["fixtures"], own["fixtures"],
        "fixtures came or went: build cdc-killmatrix/src/main.rs anew"
    );
    assert_eq!(carried["cells"], own["cells"]);
}

#[test]
fn commands_take_paths_of_the_corpus_and_show_them_so() {
    let folder = TempDir::new().unwrap();
    let run = |arguments: &[&str]| killmatrix(folder.path(), arguments);
    let rows = run(&["rows", "corpus:customers_current/sequence_tie.json"]);
    assert_eq!(code(&rows), 0, "{}", stderr(&rows));
    let explain = run(&["explain", "kept_nulls", "corpus:customers_current/explicit_null"]);
    assert_eq!(code(&explain), 0, "{}", stderr(&explain));
    assert_eq!(code(&run(&["explain", "kept_nulls", "customers_current/explicit_null", "--corpus"])), 0);
    assert_eq!(code(&run(&["audit", "corpus:customers_current"])), 0);
    assert_eq!(code(&run(&["check", "corpus:contract/tie.json"])), 0);
    assert_eq!(code(&run(&["verdicts", "corpus:databricks", "--report-only"])), 0);
    assert_eq!(code(&run(&["export", "corpus:deployed/users_reversed.json", "--to", "sql"])), 0);
    let missing = run(&["run", "corpus:customer"]);
    assert_eq!(code(&missing), 1);
    assert!(
        stderr(&missing).starts_with("corpus:customer: there is no such file or folder\n"),
        "{}",
        stderr(&missing)
    );
    assert_eq!(code(&run(&["run", "corpus:../x"])), 1);
    assert_eq!(code(&run(&["audit", "corpus:clauses", "--accepted", "a.json"])), 1);
    let suggest = run(&["suggest", "arrival_order", "--like", "corpus:customers_current"]);
    assert!(
        stdout(&suggest).ends_with("--like corpus:customers_current --out FILE\n"),
        "{}",
        stdout(&suggest)
    );
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn the_version_says_what_the_model_was_checked_against_as_the_fixtures_count_it() {
    let folder = TempDir::new().unwrap();
    let short = killmatrix(folder.path(), &["--version"]);
    assert_eq!(stdout(&short), format!("cdc-killmatrix {}\n", env!("CARGO_PKG_VERSION")));
    let long = stdout(&killmatrix(folder.path(), &["--version", "--long"]));
    assert!(long.lines().all(|line| line.chars().count() <= 80), "{long}");
    let fixtures = cdc_killmatrix::Fixtures::load([root().join("fixtures")]).unwrap();
    let suite = |name: &str| fixtures.suites.iter().find(|suite| suite.name == name).unwrap();
    let tables = suite("databricks").fixtures.iter().flat_map(|fixture| &fixture.checkpoints);
    let tables = tables.filter(|checkpoint| !checkpoint.expect.is_empty()).count();
    let measured =
        fixtures.pairs().filter(|(_, it)| it.source.starts_with("measured on Apache Spark 4.3.0")).count();
    for line in [
        format!(
            "  {tables} tables that were captured on Databricks: {} configurations,",
            suite("databricks").fixtures.len()
        ),
        format!("  {} worked examples of the documentation,", suite("documentation").fixtures.len()),
        format!("  {measured} histories that were measured on Apache Spark 4.3.0,"),
    ] {
        assert!(long.contains(&line), "{line}\n{long}");
    }
}

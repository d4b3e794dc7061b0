//! Engines that answer, and those that hang, crash, print garbage, answer twice or never start.
//!
//! Its own `main` lets this test be the engine, too: nothing but Rust is needed.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Output, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use cdc_killmatrix::engine::{Agreement, Engine, Failure, OnEngine, Played, Tried, play_on, try_on};
use cdc_killmatrix::{Fixtures, Matrix, catalogue};
use libtest_mimic::{Arguments, Trial};
use serde_json::{Value, json};
use tempfile::TempDir;

mod fake;

const TESTS: [(&str, fn()); 20] = [
    ("a_right_engine_is_equal_and_may_refuse_by_a_longer_class", a_right_engine_is_equal),
    ("fixtures_may_be_open_at_once", fixtures_may_be_open_at_once),
    ("other_rows_differ_and_are_shown", other_rows_differ_and_are_shown),
    ("a_refusal_of_another_class_is_told", a_refusal_of_another_class_is_told),
    ("what_an_engine_lacks_is_unsupported_by_name", what_an_engine_lacks_is_unsupported_by_name),
    ("an_engine_that_hangs_times_out_alone", an_engine_that_hangs_times_out_alone),
    ("an_engine_that_crashes_is_told_with_its_last_words", an_engine_that_crashes_is_told),
    ("garbage_and_second_answers_are_no_answers", garbage_and_second_answers_are_no_answers),
    ("rows_are_typed_by_the_target", rows_are_typed_by_the_target),
    ("an_engine_that_never_starts_or_never_answers_is_told", an_engine_that_never_starts_is_told),
    ("a_line_that_nobody_asked_for_is_blamed_on_its_fixture", a_line_that_nobody_asked_for_is_blamed),
    (
        "an_engine_that_fails_only_with_several_open_does_not_pass",
        an_engine_that_fails_only_with_several_open,
    ),
    ("what_is_said_keeps_to_the_schema", what_is_said_keeps_to_the_schema),
    ("what_could_not_be_carried_out_is_not_run", what_could_not_be_carried_out_is_not_run),
    ("no_process_is_left", no_process_is_left),
    ("no_process_is_left_after_an_interrupt", no_process_is_left_after_an_interrupt),
    (
        "the_cells_of_a_right_engine_are_those_of_the_model",
        the_cells_of_a_right_engine_are_those_of_the_model,
    ),
    ("a_cell_that_is_not_as_in_the_model_is_told", a_cell_that_is_not_as_in_the_model_is_told),
    ("an_engine_may_have_a_name_and_a_folder", an_engine_may_have_a_name_and_a_folder),
    ("the_command_exits_by_what_came", the_command_exits_by_what_came),
];

fn main() -> ExitCode {
    if let [_, first, manner] = &*env::args().collect::<Vec<String>>()
        && first == "engine"
    {
        fake::engine(manner);
        return ExitCode::SUCCESS;
    }
    let trials = TESTS.map(|(name, test)| {
        Trial::test(name, move || {
            test();
            Ok(())
        })
    });
    libtest_mimic::run(&Arguments::from_args(), trials.into()).exit_code()
}

fn command(manner: &str) -> String {
    format!("'{}' engine '{manner}'", env::current_exe().unwrap().display())
}

fn engine(manner: &str, patience: Duration) -> Engine {
    let words =
        vec![env::current_exe().unwrap().display().to_string(), "engine".to_owned(), manner.to_owned()];
    Engine { command: command(manner), words, folder: None, patience }
}

/// Two fixtures, each of two checkpoints; a third with a refused batch; a fourth of type 2.
fn suite() -> TempDir {
    let folder = TempDir::new().unwrap();
    let flow = json!({ "keys": ["id"], "sequence_by": "seq", "apply_as_deletes": "op = 'D'", "except_column_list": ["op", "seq"] });
    let schema = json!({ "id": "BIGINT", "city": "STRING", "op": "STRING", "seq": "BIGINT" });
    let event =
        |id: Value, city: &str, op: &str, seq: i64| json!({ "id": id, "city": city, "op": op, "seq": seq });
    let late = json!([
        { "append": [event(json!(1), "Lyon", "U", 20)], "expect": [{ "id": 1, "city": "Lyon" }] },
        { "append": [event(json!(1), "Paris", "U", 10)], "expect": [{ "id": 1, "city": "Lyon" }] },
    ]);
    let deleted = json!([
        { "append": [event(json!(1), "Lyon", "I", 10)], "expect": [{ "id": 1, "city": "Lyon" }] },
        { "append": [event(json!(1), "", "D", 20)], "expect": [] },
    ]);
    let refused = json!([{ "append": [event(Value::Null, "Lyon", "I", 10)], "expect_error": "NULL_KEY" }]);
    let put = |name: &str, checkpoints: &Value, scd_type: i32| {
        let mut flow = flow.clone();
        flow["stored_as_scd_type"] = json!(scd_type);
        let fixture = json!({ "name": name, "schema": schema, "flow": flow, "checkpoints": checkpoints });
        fs::write(folder.path().join(format!("{name}.json")), fixture.to_string()).unwrap();
    };
    put("deleted", &deleted, 1);
    put("late", &late, 1);
    put("refused", &refused, 1);
    put("versions", &json!([{ "append": [], "expect": [] }]), 2);
    folder
}

fn played_for(manner: &str, patience: Duration) -> Played {
    let folder = suite();
    play_on(&engine(manner, patience), &Fixtures::load([folder.path()]).unwrap())
}

fn played(manner: &str) -> Played {
    played_for(manner, Duration::from_mins(1))
}

fn words(played: &Played) -> Vec<&'static str> {
    played.outcomes.iter().map(OnEngine::name).collect()
}

fn a_right_engine_is_equal() {
    let played = played("right");
    assert_eq!(played.hello.as_ref().unwrap().name, "Fake");
    assert_eq!(words(&played), ["equal", "equal", "equal", "unsupported"]);
}

fn fixtures_may_be_open_at_once() {
    assert_eq!(words(&played("many")), ["equal", "equal", "equal", "unsupported"]);
}

fn other_rows_differ_and_are_shown() {
    let folder = suite();
    let output = run(folder.path(), &["--engine", &command("wrong")]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("\nlate        differs\n"), "{text}");
    let shown = "expected the engine id city id city 1 Lyon differs 1 Paris";
    assert!(squeezed(&text).contains(shown), "{text}");
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<&str>>().join(" ")
}

fn a_refusal_of_another_class_is_told() {
    let played = played("other class");
    let OnEngine::Refused { checkpoint: 0, refusal, expected: Some(class) } = &played.outcomes[2] else {
        panic!("{:?}", played.outcomes[2])
    };
    assert_eq!((&*refusal.class, &**class), ("SOMETHING_ELSE", "NULL_KEY"));
}

fn what_an_engine_lacks_is_unsupported_by_name() {
    let OnEngine::Unsupported(what) = &played("right").outcomes[3] else { panic!("it has type 2") };
    assert_eq!(what, "stored_as_scd_type 2");
    let OnEngine::Unsupported(what) = &played("declined").outcomes[0] else { panic!("it says so itself") };
    assert_eq!(what, "UNSUPPORTED: the moon");
}

fn an_engine_that_hangs_times_out_alone() {
    // It wants all open at once; each is then played alone, and the one without a second checkpoint is right.
    let played = played_for("hang", Duration::from_secs(3));
    assert_eq!(words(&played), ["timeout", "timeout", "equal", "unsupported"]);
}

fn an_engine_that_crashes_is_told() {
    let played = played("crash");
    let OnEngine::Failed { checkpoint: Some(1), failure: Failure::Crashed { how, stderr } } =
        &played.outcomes[0]
    else {
        panic!("{:?}", played.outcomes[0])
    };
    assert!(how.contains('3') && stderr.ends_with("out of memory"), "{how}: {stderr}");
    assert_eq!(words(&played), ["crashed", "crashed", "equal", "unsupported"], "it is started anew");
    // A child of its own holds its output open; an answer that is late would be a timeout.
    assert_eq!(words(&self::played("crash with a child"))[..2], ["crashed", "crashed"]);
}

fn garbage_and_second_answers_are_no_answers() {
    let garbage = played("garbage");
    let OnEngine::Failed { failure: Failure::Garbage { line, .. }, .. } = &garbage.outcomes[0] else {
        panic!("{:?}", garbage.outcomes[0])
    };
    assert_eq!(line, "Warning: deprecated");
    assert_eq!(words(&played("twice"))[..2], ["garbage", "garbage"]);
    let mute = played("mute").hello.unwrap_err();
    assert!(matches!(&mute, Failure::Garbage { line, .. } if line == "ready"), "{mute:?}");
}

fn rows_are_typed_by_the_target() {
    for (manner, fault) in [
        ("missing column", "the row has no `city`"),
        ("text for number", "expected a whole number (BIGINT)"),
        ("file", "the answer has no list `rows`"),
    ] {
        let played = played(manner);
        let OnEngine::Failed { failure: Failure::Garbage { fault: found, .. }, .. } = &played.outcomes[1]
        else {
            panic!("{manner}: {:?}", played.outcomes[1])
        };
        assert!(found.contains(fault), "{manner}: {found}");
    }
}

fn an_engine_that_never_starts_is_told() {
    let folder = suite();
    let fixtures = Fixtures::load([folder.path()]).unwrap();
    let none =
        Engine { words: vec!["/no/such/engine".to_owned()], ..engine("right", Duration::from_mins(1)) };
    assert!(matches!(play_on(&none, &fixtures).hello, Err(Failure::Crashed { .. })));
    let silent = played_for("silent", Duration::from_millis(300));
    assert_eq!((silent.hello, silent.outcomes.len()), (Err(Failure::Timeout), 0));
}

fn what_could_not_be_carried_out_is_not_run() {
    let played = played("barred");
    // Its second fixture is asked of the same process.
    assert_eq!(words(&played), ["not_run", "not_run", "equal", "unsupported"]);
    let OnEngine::Failed { checkpoint: Some(1), failure: Failure::NotRun(reason) } = &played.outcomes[0]
    else {
        panic!("{:?}", played.outcomes[0])
    };
    assert_eq!(reason, "PERMISSION_DENIED: no");

    let folder = suite();
    fs::write(folder.path().join("suite.json"), r#"{ "audited": false }"#).unwrap();
    let output = run(folder.path(), &["--engine", &command("barred")]);
    assert_eq!(output.status.code(), Some(1), "it says nothing of the fixtures");
}

fn a_line_that_nobody_asked_for_is_blamed() {
    // The second answer to a last batch comes while the next fixture is played, or after the last one.
    for manner in ["late twice", "late twice, many"] {
        assert_eq!(words(&played(manner)), ["garbage", "garbage", "equal", "unsupported"], "{manner}");
    }
    for (manner, fault) in [
        ("whole", "this refuses the fixture as a whole, which has begun"),
        ("odd number", "there is no checkpoint \"2\"; expected a number from 1"),
        ("no number", "`rows` has no `checkpoint`"),
        ("no class", "`refused` has no text `class`"),
    ] {
        let played = played(manner);
        let OnEngine::Failed { failure: Failure::Garbage { fault: found, .. }, .. } = &played.outcomes[0]
        else {
            panic!("{manner}: {:?}", played.outcomes[0])
        };
        assert!(found.contains(fault), "{manner}: {found}");
    }
}

fn an_engine_that_fails_only_with_several_open() {
    let crowded = played("crowded");
    assert_eq!(words(&crowded), ["equal", "equal", "equal", "unsupported"]);
    assert!(
        matches!(crowded.failed_together, Some(Failure::Garbage { .. })),
        "{:?}",
        crowded.failed_together
    );
    assert_eq!(played("many").failed_together, None);
    let folder = suite();
    fs::write(folder.path().join("suite.json"), r#"{ "audited": false }"#).unwrap();
    let output = run(folder.path(), &["--engine", &command("crowded")]);
    assert_eq!(output.status.code(), Some(5));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("While several fixtures were open it failed"), "{text}");
}

fn what_is_said_keeps_to_the_schema() {
    let schema = Path::new(env!("CARGO_MANIFEST_DIR")).join("../engines/protocol.schema.json");
    let schema: Value = serde_json::from_str(&fs::read_to_string(schema).unwrap()).unwrap();
    let (folder, log) = (suite(), TempDir::new().unwrap());
    let log = log.path().join("log");
    for manner in ["many", "barred", "declined"] {
        let mut command =
            killmatrix(folder.path(), &["--engine", &self::command(manner), "--engine-mutants"]);
        command.env("FAKE_LOG", &log).output().unwrap();
    }
    let log = fs::read_to_string(&log).unwrap();
    for (line, text) in log.lines().map(|line| line.split_once(' ').unwrap()) {
        let mut schema = schema.clone();
        schema["oneOf"] = json!([{ "$ref": format!("#/$defs/{line}") }]);
        let message = serde_json::from_str(text).unwrap();
        assert!(jsonschema::is_valid(&schema, &message), "{line}: {text}");
    }
    for said in ["\"mutant\":\"arrival_order\"", "{\"failed\"", "{\"refused\"", "{\"close\""] {
        assert!(log.contains(said), "{said}");
    }
}

fn no_process_is_left() {
    let (folder, pid) = (suite(), TempDir::new().unwrap());
    let pid = pid.path().join("pid");
    let mut command =
        killmatrix(folder.path(), &["--engine", &self::command("child"), "--engine-timeout", "4"]);
    let output = command.env("FAKE_CHILD", &pid).output().unwrap();
    assert_eq!(output.status.code(), Some(3), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(is_gone(&pid));
}

/// Ctrl-C reaches only the program: its engines are in groups of their own.
fn no_process_is_left_after_an_interrupt() {
    let (folder, pid) = (suite(), TempDir::new().unwrap());
    let pid = pid.path().join("pid");
    let mut command =
        killmatrix(folder.path(), &["--engine", &self::command("child"), "--engine-timeout", "600"]);
    let mut program = command.env("FAKE_CHILD", &pid).stdout(Stdio::null()).spawn().unwrap();
    while !fs::read_to_string(&pid).is_ok_and(|it| !it.is_empty()) {
        assert!(program.try_wait().unwrap().is_none(), "it ended before the engine had a child");
        thread::yield_now();
    }
    if cfg!(unix) {
        let told = Command::new("kill").args(["-INT", &program.id().to_string()]).status().unwrap();
        assert!(told.success());
        assert_eq!(program.wait().unwrap().code(), Some(130));
        assert!(is_gone(&pid));
    } else {
        program.kill().unwrap();
        program.wait().unwrap();
    }
}

/// Whether the process whose number is in a file has ended, or does so in time. Only Linux says it in a file.
fn is_gone(pid: &Path) -> bool {
    let process = PathBuf::from("/proc").join(fs::read_to_string(pid).unwrap()).join("cmdline");
    // A process that has ended and that nobody waits for has no command line any more.
    let is_gone = || fs::read(&process).map_or(true, |it| it.is_empty());
    let end = Instant::now() + Duration::from_secs(20);
    while cfg!(target_os = "linux") && !is_gone() {
        if end < Instant::now() {
            return false;
        }
        thread::yield_now();
    }
    true
}

fn tried(manner: &str) -> Vec<Tried> {
    let folder = suite();
    let fixtures = Fixtures::load([folder.path()]).unwrap();
    let engine = engine(manner, Duration::from_mins(1));
    let matrix = Matrix::of(&fixtures, &catalogue::all());
    let mut played = play_on(&engine, &fixtures);
    let names: Vec<&str> = matrix.mutants.iter().map(|mutant| mutant.name).collect();
    try_on(&engine, &fixtures, &matrix, &mut played, &names);
    played.tried.unwrap()
}

fn the_cells_of_a_right_engine_are_those_of_the_model() {
    let tried = tried("many");
    let caught = |mutant: &str| -> Vec<(usize, bool)> {
        let of_mutant = tried.iter().filter(|tried| tried.mutant == mutant);
        of_mutant.map(|tried| (tried.fixture, tried.is_caught().unwrap())).collect()
    };
    // The fixtures are deleted, late and refused.
    assert_eq!(caught("arrival_order"), [(0, false), (1, true), (2, false)]);
    assert_eq!(caught("ignored_deletes"), [(0, true), (1, false), (2, false)]);
    assert_eq!(caught("collapsed_key"), [(0, false), (1, false), (2, true)]);
    assert!(tried.iter().all(|tried| tried.agreement() == Agreement::Same), "{tried:#?}");
    // What it refuses though its own table takes it is no catch, and no pass.
    let wary = self::tried("wary");
    let refused = wary.iter().filter(|tried| tried.mutant == "arrival_order" && tried.fixture != 2);
    assert!(refused.clone().all(|tried| tried.is_caught().is_none() && tried.is_broken()), "{wary:#?}");
    assert_ne!(refused.count(), 0);
    // Of fixtures that the engine can't play there is no cell.
    let barred = self::tried("barred");
    assert!(!barred.is_empty() && barred.iter().all(|tried| tried.fixture == 2), "{barred:#?}");
}

fn a_cell_that_is_not_as_in_the_model_is_told() {
    // It is right on the fixtures, and doesn't hear what another flow says.
    let tried = tried("deaf");
    let other = tried.iter().filter(|tried| tried.agreement() == Agreement::OtherEngine);
    let other: Vec<(&str, usize)> = other.map(|tried| (tried.mutant, tried.fixture)).collect();
    assert_eq!(other, [("collapsed_key", 2), ("arrival_order", 1), ("ignored_deletes", 0)]);

    let folder = suite();
    fs::write(folder.path().join("suite.json"), r#"{ "title": "Mine" }"#).unwrap();
    let arguments = ["--engine", &command("deaf"), "--engine-mutants=arrival_order", "--format", "json"];
    let output = run(folder.path(), &arguments);
    assert_eq!(output.status.code(), Some(2), "survivors come first");
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    let cells = json["engines"][0]["mutants"].as_array().unwrap();
    let told: Vec<&str> = cells.iter().map(|cell| cell["agreement"].as_str().unwrap()).collect();
    assert_eq!(told, ["same", "other_engine", "same"]);
    assert_eq!(cells[1]["model"], "caught");
    assert_eq!(cells[1]["engine"], "missed");

    let text = String::from_utf8(run(folder.path(), &arguments[..3]).stdout).unwrap();
    assert!(text.contains("\narrival_order . .! .\n"), "{text}");
    assert!(squeezed(&text).contains("late: caught in the model at checkpoint 2, missed on the engine"));
    let output = run(folder.path(), &[arguments[0], arguments[1], "--report", "summary"]);
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("Engine 1, 4 fixtures: 3 equal, 1 unsupported."), "{told}");
    for (mutant, fault) in [
        ("no_tombstone", "no engine can be told to be `no_tombstone`"),
        ("arival_order", "there is no broken copy `arival_order`; did you mean `arrival_order`?"),
    ] {
        let output =
            run(folder.path(), &["--engine", &command("deaf"), &format!("--engine-mutants={mutant}")]);
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(1) && text.contains(fault), "{text}");
    }
}

fn an_engine_may_have_a_name_and_a_folder() {
    let folder = suite();
    let file = folder.path().join("killmatrix.toml");
    let by_name = |toml: &str| {
        fs::write(&file, toml).unwrap();
        run(folder.path(), &["--engine", "mine", "--config", file.to_str().unwrap(), "--format", "json"])
    };
    let beside = folder.path().join("engine");
    fs::copy(env::current_exe().unwrap(), &beside).unwrap();
    let output = by_name("[engines.mine]\ncommand = \"./engine engine right\"\ntimeout = 60\n");
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["engines"][0]["name"], "Fake");
    assert_eq!(json["engines"][0]["command"], "./engine engine right");

    let misspelt = run(folder.path(), &["--engine", "mien", "--config", file.to_str().unwrap()]);
    let text = String::from_utf8(misspelt.stderr).unwrap();
    assert!(text.contains("no engine of killmatrix.toml is called `mien`; did you mean `mine`?"), "{text}");

    let output = by_name("[engines.mine]\ntimeout = 0\nshell = true\n");
    let text = String::from_utf8(output.stderr).unwrap();
    for fault in [
        "2:11: `timeout` isn't right; expected seconds from 1 to 86400",
        "1:10: there is no `command`; expected a program and its arguments",
        "3:1: there is no key `shell`; expected one of command, timeout",
    ] {
        assert!(text.contains(fault), "{text}");
    }
}

fn the_command_exits_by_what_came() {
    let folder = suite();
    let code = |arguments: &[&str]| run(folder.path(), arguments).status.code().unwrap();
    let own = code(&[]);
    assert_eq!(own, 2, "the suite has survivors");
    assert_eq!(code(&["--engine", &command("right")]), 2);
    assert_eq!(code(&["--engine", &command("hang"), "--engine-timeout", "1"]), 3);
    assert_eq!(code(&["--engine", "/no/such/engine"]), 1);
    assert_eq!(code(&["--engine", "'open"]), 1);
    fs::write(folder.path().join("suite.json"), r#"{ "audited": false }"#).unwrap();
    assert_eq!(code(&["--engine", &command("right")]), 0);
    assert_eq!(code(&["--engine", &command("wrong")]), 5);
    assert_eq!(code(&["--engine", &command("nothing")]), 1, "nothing is compared");
    let output = run(
        folder.path(),
        &["--engine", &command("right"), "--engine", &command("crash"), "--format", "json"],
    );
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["engines"][0]["name"], "Fake");
    assert_eq!(json["engines"][0]["outcomes"][3]["reason"], "stored_as_scd_type 2");
    assert_eq!(json["engines"][1]["outcomes"][0]["outcome"], "crashed");
}

fn killmatrix(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cdc-killmatrix"));
    command.env_remove("CARGO_PKG_NAME").arg("run").arg(folder).args(arguments);
    command
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    killmatrix(folder, arguments).output().unwrap()
}

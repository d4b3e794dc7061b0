//! Engines that answer, and those that hang, crash, print garbage, answer twice or never start.
//!
//! Its own `main` lets this test be the engine, too: nothing but Rust is needed.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Output};
use std::time::Duration;
use std::{env, fs};

use cdc_killmatrix::Fixtures;
use cdc_killmatrix::engine::{Engine, Failure, OnEngine, Played, play_on};
use libtest_mimic::{Arguments, Trial};
use serde_json::{Value, json};
use tempfile::TempDir;

mod fake;

const TESTS: [(&str, fn()); 12] = [
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
    ("no_process_is_left", no_process_is_left),
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
    Engine { command: command(manner), words, patience }
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
    let squeezed = |text: &str| text.split_whitespace().collect::<Vec<&str>>().join(" ");
    assert!(squeezed(&text).contains(shown), "{text}");
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

fn no_process_is_left() {
    let (folder, pid) = (suite(), TempDir::new().unwrap());
    let pid = pid.path().join("pid");
    let mut command =
        killmatrix(folder.path(), &["--engine", &self::command("child"), "--engine-timeout", "4"]);
    let output = command.env("FAKE_CHILD", &pid).output().unwrap();
    assert_eq!(output.status.code(), Some(3), "{}", String::from_utf8_lossy(&output.stderr));
    let process = PathBuf::from("/proc").join(fs::read_to_string(&pid).unwrap()).join("cmdline");
    // A process that has ended and that nobody waits for has no command line any more.
    if cfg!(target_os = "linux") {
        assert!(
            fs::read(&process).is_ok_and(|it| it.is_empty()) || !process.exists(),
            "{}",
            process.display()
        );
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

//! The reports of a run for other tools: each read as its consumer reads it.

use std::fs;
use std::path::Path;

use cdc_core::{Hook, Mutant};
use cdc_killmatrix::{Diagnostics, Fixtures, Ignored, Matrix, report};
use quick_xml::XmlVersion;
use quick_xml::events::{BytesStart, Event};
use serde_json::{Value, json};
use tempfile::TempDir;

mod binary;

use binary::{code, killmatrix, parsed, root, stderr, stdout};

/// A name that means something to XML, to GitHub's runner, to Markdown and to a terminal.
const HOSTILE: &str = "a%0A,b:c::error::d<e>&\"'|`]]>\u{202e}\u{ffff}";

/// A fixture of one event, that expects this city.
fn fixture(name: &str, city: &str) -> Value {
    json!({
        "name": name,
        "title": name,
        "schema": { "id": "BIGINT", "city": "STRING", "seq": "BIGINT" },
        "flow": { "keys": ["id"], "sequence_by": "seq", "except_column_list": ["seq"] },
        "checkpoints": [
            { "append": [{ "id": 1, "city": "Lyon", "seq": 1 }], "expect": [{ "id": 1, "city": city }] },
        ],
    })
}

/// A folder with one suite of a hostile name, of these fixtures.
fn folder(fixtures: &[Value]) -> TempDir {
    let folder = TempDir::new().unwrap();
    let suite = folder.path().join("s%,:<b>");
    fs::create_dir(&suite).unwrap();
    for (number, fixture) in fixtures.iter().enumerate() {
        fs::write(suite.join(format!("f{number},%:.json")), fixture.to_string()).unwrap();
    }
    folder
}

fn loaded(folder: &Path) -> Fixtures {
    Fixtures::load([folder]).unwrap_or_else(|faults| panic!("{faults}"))
}

/// One mutant of each standing: caught, surviving, broken down, idle, declared equivalent.
fn mutants() -> [Mutant; 5] {
    let caught = Mutant::new("no_upserts", "Admits nothing", Hook::admits(|_, _, _| false));
    let survives = Mutant::new("late", "Drops what is late", Hook::supersedes(|_, _, _| true));
    let panics = Mutant::new("panics", "Panics", Hook::key_of(|_, _| panic!("no\u{0}key\u{1b}[2J <today>")));
    let idle =
        Mutant::new("idle", "Idles", Hook::runs_again(|_| true)).needing(|_| Err("the flow is <no> flow"));
    let same = Mutant::new("same", "Does what it should", Hook::admits(|_, _, _| true));
    [
        caught,
        survives.consequence("A late & old value is back"),
        panics,
        idle,
        same.equivalent("it is the same"),
    ]
}

fn matrix(folder: &Path) -> Matrix {
    Matrix::of(&loaded(folder), &mutants())
}

/// An element of an XML text: its name, its attributes, the text in it, how deep it is.
#[derive(Debug, Default)]
struct Element {
    name: String,
    attributes: Vec<(String, String)>,
    text: String,
    depth: usize,
}

impl Element {
    fn attribute(&self, name: &str) -> &str {
        self.attributes.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
    }
}

/// The elements of an XML text, as quick-xml reads them: it must be well formed.
fn elements(text: &str) -> Vec<Element> {
    let is_char = |c: char| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..);
    assert!(text.chars().all(is_char), "characters that XML 1.0 can't hold");
    let mut reader = quick_xml::Reader::from_str(text);
    let (mut all, mut open): (Vec<Element>, Vec<usize>) = (Vec::new(), Vec::new());
    let element = |start: &BytesStart<'_>, depth| Element {
        name: start.name().as_ref().to_owned(),
        attributes: start
            .attributes()
            .map(|it| it.unwrap())
            .map(|it| {
                (
                    it.key.as_ref().to_owned(),
                    it.normalized_value(XmlVersion::Implicit1_0).unwrap().into_owned(),
                )
            })
            .collect(),
        text: String::new(),
        depth,
    };
    loop {
        match reader.read_event().unwrap() {
            Event::Start(start) => {
                all.push(element(&start, open.len()));
                open.push(all.len() - 1);
            }
            Event::Empty(start) => all.push(element(&start, open.len())),
            Event::End(_) => drop(open.pop().unwrap()),
            Event::Text(text) => {
                if let Some(&place) = open.last() {
                    all[place].text.push_str(&text.xml10_content());
                }
            }
            Event::Eof => break,
            _ => {}
        }
    }
    assert!(open.is_empty(), "{open:?}");
    all
}

// Checked once by hand, with lxml 6.1.3: this report, and that of the shipped suites, fulfil junit-10.xsd of Jenkins's
// xunit plugin (github.com/jenkinsci/xunit-plugin, commit 031e285e); so says xmlschema 4.3.2, too.
#[test]
fn junit_has_a_test_for_each_fixture_and_each_mutant() {
    let folder = folder(&[fixture(HOSTILE, "Lyon"), fixture("plain", "Lyon")]);
    let elements =
        elements(&report::junit(&matrix(folder.path()), &Diagnostics::default(), "cdc-killmatrix"));
    let cases = || elements.iter().filter(|element| element.name == "testcase");
    assert_eq!(cases().count(), 2 + 5);
    let suite = elements.iter().find(|element| element.name == "testsuite").unwrap();
    let counts = ["tests", "failures", "errors", "skipped"].map(|name| suite.attribute(name));
    assert_eq!((suite.attribute("name"), counts), ("s%,:<b>", ["7", "1", "1", "2"]));
    assert_eq!(["tests", "failures", "errors"].map(|name| elements[0].attribute(name)), ["7", "1", "1"]);
    assert!(cases().any(|case| case.attribute("name").starts_with("a%0A,b:c::error::d<e>&\"'|`]]>")));

    let below = |case: &str| {
        let place =
            elements.iter().position(|it| it.attribute("name") == case && it.name == "testcase").unwrap();
        elements.get(place + 1).filter(|next| elements[place].depth < next.depth)
    };
    assert!(below("plain").is_none() && below("no_upserts").is_none());
    let survivor = below("late").unwrap();
    assert_eq!((&*survivor.name, survivor.attribute("type")), ("failure", "survives"));
    assert!(survivor.attribute("message").ends_with("would notice: drops what is late."));
    let error = below("panics").unwrap();
    assert_eq!(error.name, "error");
    assert!(error.attribute("message").contains(r"no\u{0}key\u{1b}[2J <today>"), "{error:?}");
    let skipped = ["idle", "same"].map(|name| below(name).unwrap());
    assert!(skipped.iter().all(|it| it.name == "skipped"));
    assert_eq!(skipped[0].attribute("message"), "the flow is <no> flow");
    assert_eq!(skipped[1].attribute("message"), "no events tell it from AUTO CDC: it is the same");
}

#[test]
fn a_failure_in_junit_says_what_is_noticed_why_it_is_missed_and_how_to_go_on() {
    let folder = folder(&[fixture("plain", "Lyon")]);
    let text = report::junit(&matrix(folder.path()), &Diagnostics::default(), "cdc-killmatrix");
    for part in [
        "A late &amp; old value is back.\n",
        "Why (the decision is `supersedes`): 1 fixture never asks for that decision.\n",
        "cdc-killmatrix explain late ",
    ] {
        assert!(text.contains(part), "{part} isn't in\n{text}");
    }
}

#[test]
fn a_disagreement_fails_its_fixture_and_skips_the_mutants() {
    let folder = folder(&[fixture("wrong", "Paris"), fixture("right", "Lyon")]);
    let matrix = matrix(folder.path());
    let elements = elements(&report::junit(&matrix, &Diagnostics::default(), "cdc-killmatrix"));
    let count = |name: &str| elements.iter().filter(|element| element.name == name).count();
    assert_eq!((count("testcase"), count("failure"), count("error"), count("skipped")), (7, 1, 0, 5));
    let summary = report::step_summary(&matrix, &Diagnostics::default(), "cdc-killmatrix");
    assert!(
        summary.starts_with("### AUTO CDC disagrees with 1 fixture, so no broken copy was tried\n"),
        "{summary}"
    );
    let text = report::github(
        &loaded(folder.path()),
        &matrix,
        &Diagnostics::default(),
        folder.path(),
        "cdc-killmatrix",
    );
    assert_eq!(text.lines().count(), 1);
    assert!(
        text.starts_with("::error file=s%25%2C%3A<b>/f0%2C%25%3A.json,line=1,title=AUTO CDC disagrees"),
        "{text}"
    );
}

/// What GitHub's runner makes of a workflow command: properties, and the message.
fn read_back(line: &str) -> (Vec<(String, String)>, String) {
    let (properties, message) = line.strip_prefix("::error ").unwrap().split_once("::").unwrap();
    let plain = |text: &str| text.replace("%0D", "\r").replace("%0A", "\n").replace("%25", "%");
    let property = |text: &str| plain(&text.replace("%3A", ":").replace("%2C", ","));
    let pairs = properties.split(',').map(|pair| pair.split_once('=').unwrap());
    (pairs.map(|(name, value)| (name.to_owned(), property(value))).collect(), plain(message))
}

#[test]
fn each_survivor_is_an_annotation_of_a_fixture() {
    let folder = folder(&[fixture(HOSTILE, "Lyon")]);
    let fixtures = loaded(folder.path());
    let matrix = Matrix::of(&fixtures, &mutants());
    let text = report::github(&fixtures, &matrix, &Diagnostics::default(), folder.path(), "cdc-killmatrix");
    assert_eq!(text.lines().count(), 2, "{text}");
    for (line, name) in text.lines().zip(["late", "panics"]) {
        let (properties, message) = read_back(line);
        let names: Vec<&str> = properties.iter().map(|(name, _)| &**name).collect();
        assert_eq!(names, ["file", "line", "title"]);
        assert_eq!(properties[0].1, "s%,:<b>/f0,%:.json", "seen from the working folder, with slashes");
        assert_eq!(properties[2].1, format!("{name} survives in s%,:<b>"));
        assert!(message.contains(&format!("cdc-killmatrix explain {name} ")), "{message}");
        assert!(!line.contains('\u{1b}') && !line.contains('\u{0}'));
    }
}

#[test]
fn each_fault_of_the_input_is_an_annotation_at_its_place() {
    let mut wrong = fixture("a", "Lyon");
    wrong["checkpoints"][0]["append"][0]["id"] = json!("one\n::error::two");
    let folder = folder(&[]);
    fs::write(folder.path().join("a.json"), format!("{wrong:#}")).unwrap();
    let output = killmatrix(folder.path(), &["a.json", "--report", "github"]);
    assert_eq!(code(&output), 1);
    let text = stdout(&output);
    assert_eq!(text.lines().count(), 1, "{text}");
    let (properties, message) = read_back(text.trim_end());
    let line = format!("{wrong:#}").lines().position(|line| line.contains("one")).unwrap() + 1;
    let values: Vec<&str> = properties.iter().map(|(_, value)| &**value).collect();
    assert_eq!(values, ["a.json", &line.to_string(), "checkpoint 1, event 1"]);
    assert!(message.contains("expected"), "{message}");
    assert!(stderr(&output).starts_with("a.json:"), "the same for a reader");
}

#[test]
fn the_summary_says_first_what_survives() {
    let folder = folder(&[fixture(HOSTILE, "Lyon")]);
    let text = report::step_summary(&matrix(folder.path()), &Diagnostics::default(), "cdc-killmatrix");
    assert!(text.starts_with("### 2 broken copies survive\n\n| Survives |"), "{text}");
    assert!(text.contains("| late | s%,:&lt;b&gt; | A late &amp; old value is back. |"), "{text}");
    assert!(text.contains("\n| S%,:&lt;b&gt; | 1 | 1 | 2 | 2 |\n"), "{text}");
    let cells = |line: &str| line.replace("\\|", "").matches('|').count();
    let rows: Vec<usize> = text.lines().filter(|line| line.starts_with('|')).map(cells).collect();
    assert!(rows.iter().all(|&cells| cells == 6), "{rows:?} in\n{text}");
}

#[test]
fn the_summary_stays_below_what_github_takes() {
    let long = "\u{202e}<|".repeat(2000);
    let many: Vec<Value> = (0..80).map(|number| fixture(&format!("{long}{number}"), "Paris")).collect();
    let folder = folder(&many);
    let text = report::step_summary(&matrix(folder.path()), &Diagnostics::default(), "cdc-killmatrix");
    assert!(text.len() < 1 << 20, "{} bytes", text.len());
    assert!(text.ends_with("\n... and 30 more.\n"));
}

#[test]
fn a_report_goes_to_its_file_or_takes_the_place_of_the_matrix() {
    let folder = folder(&[fixture("plain", "Lyon")]);
    let run = |arguments: &[&str]| killmatrix(folder.path(), &[&["."], arguments].concat());
    let beside = run(&["--report", "junit=out.xml", "--report", "summary=out.md"]);
    assert_eq!((code(&beside), stderr(&beside).as_str()), (2, ""));
    assert_eq!(stdout(&beside), stdout(&run(&[])));
    let instead = run(&["--report", "junit", "--report=summary=out.md"]);
    assert_eq!(code(&instead), 2);
    assert_eq!(stdout(&instead), fs::read_to_string(folder.path().join("out.xml")).unwrap());
    assert!(fs::read_to_string(folder.path().join("out.md")).unwrap().starts_with("### "));
    let json = run(&["--report", "junit=out.xml", "--format", "json"]);
    assert!(parsed(&json)["survivors"].as_array().is_some_and(|it| !it.is_empty()));
}

#[test]
fn wrong_reports_are_refused() {
    let folder = folder(&[fixture("plain", "Lyon")]);
    for (arguments, said) in [
        (&["--report", "pdf"][..], "there is no such report; expected one of"),
        (&["--report", "junit="], "the name of the file is empty"),
        (&["--report", "junit", "--report", "github"], "two reports go to standard output; expected `=FILE`"),
        (&["--report", "junit=a", "--report", "github=a"], "two reports go to the file a; expected one"),
        (&["--report", "junit=no/such/folder/a.xml"], "no/such/folder/a.xml: can't be written"),
    ] {
        let output = killmatrix(folder.path(), &[&["."], arguments].concat());
        assert_eq!((code(&output), stdout(&output).as_str()), (1, ""), "{arguments:?}");
        assert!(stderr(&output).contains(said), "{}", stderr(&output));
    }
}

/// A mutant that nobody catches here, ignored for a reason.
fn with_ignored(folder: &Path) -> Matrix {
    let mut matrix = matrix(folder);
    let (mutant, reason) = ("late".to_owned(), "nothing <late> comes".to_owned());
    matrix.ignored = vec![Ignored { mutant, suite: None, reason }];
    matrix
}

#[test]
fn an_ignored_mutant_is_told_with_its_reason_and_counted_as_ignored() {
    let folder = folder(&[fixture("plain", "Lyon")]);
    let (fixtures, matrix) = (loaded(folder.path()), with_ignored(folder.path()));
    let none = Diagnostics::default();
    let elements = elements(&report::junit(&matrix, &none, "cdc-killmatrix"));
    let place = elements.iter().position(|it| it.attribute("name") == "late").unwrap();
    let below = &elements[place + 1];
    assert_eq!((&*below.name, below.attribute("message")), ("skipped", "ignored: nothing <late> comes"));
    let text = report::github(&fixtures, &matrix, &none, folder.path(), "cdc-killmatrix");
    let notice = text.lines().find(|line| line.starts_with("::notice title=late is ignored::")).unwrap();
    assert!(notice.ends_with("it is ignored: nothing <late> comes."), "{notice}");
    let summary = report::step_summary(&matrix, &none, "cdc-killmatrix");
    assert!(summary.starts_with("### 1 broken copy survives\n"), "{summary}");
    assert!(summary.contains("| Caught | Survive | Ignored | Can't differ |"), "{summary}");
    assert!(summary.contains(" | 1 | 1 | 1 | 1 | 2 |\n"), "{summary}");
    assert!(summary.contains("it is ignored: nothing &lt;late&gt; comes."), "{summary}");
    let page = |values| report::html(&fixtures, &matrix, values);
    let shown = page(report::Values::Shown);
    assert!(shown.contains("would notice 1 of them, and 1 is ignored."), "{shown}");
    assert!(shown.contains("it is ignored: nothing &lt;late&gt; comes.</li>"), "{shown}");
    let redacted = page(report::Values::Redacted);
    assert!(redacted.contains("late is ignored, for a reason that is left out here."));
    assert!(!redacted.contains("nothing &lt;late"));
}

#[test]
fn a_broken_claim_is_in_every_report_and_the_matrix_is_printed_all_the_same() {
    let mut claims = fixture("plain", "Lyon");
    claims["aims_at"] = json!(["late_update_wins", "ignored_deletes"]);
    let folder = folder(&[]);
    fs::write(folder.path().join("a.json"), claims.to_string()).unwrap();
    let run = |arguments: &[&str]| killmatrix(folder.path(), &[&["a.json"], arguments].concat());
    let plain = run(&[]);
    assert_eq!(code(&plain), 1);
    assert!(stdout(&plain).contains("caught, of 1"), "{}", stdout(&plain));
    assert!(
        stderr(&plain).contains("aims at `late_update_wins`, which is no broken copy"),
        "{}",
        stderr(&plain)
    );
    let github = run(&["--report", "github"]);
    assert_eq!(code(&github), 1);
    let first = stdout(&github).lines().next().unwrap().to_owned();
    assert!(first.starts_with("::error file=a.json,line=1,title=a claim doesn't hold::"), "{first}");
    let junit = elements(&stdout(&run(&["--report", "junit"])));
    let failure = junit.iter().find(|it| it.attribute("type") == "claim").unwrap();
    assert!(failure.attribute("message").contains("aims at"), "{failure:?}");
    let summary = stdout(&run(&["--report", "summary"]));
    assert!(summary.starts_with("### "), "{summary}");
    assert!(summary.lines().next().unwrap().ends_with(" hold"), "{summary}");
    assert!(summary.contains("\n\n### "), "what survives comes after it: {summary}");
}

#[test]
fn a_claim_about_what_the_configuration_leaves_out_is_passed_over() {
    let folder = folder(&[]);
    fs::create_dir(folder.path().join("s")).unwrap();
    let mut claims = fixture("plain", "Lyon");
    let known = "kept_nulls";
    claims["aims_at"] = json!([known]);
    fs::write(folder.path().join("s/a.json"), claims.to_string()).unwrap();
    let config = format!("fixtures = [\"s\"]\n[suites.s]\nexcept = [\"{known}\"]\n");
    fs::write(folder.path().join("killmatrix.toml"), config).unwrap();
    let summary = killmatrix(folder.path(), &["--report", "summary"]);
    assert_eq!((code(&summary), stderr(&summary).as_str()), (2, ""));
    assert!(stdout(&summary).contains("| Can't differ | Left out |"), "{}", stdout(&summary));
}

#[test]
fn no_report_takes_the_place_of_an_input_or_of_another_report() {
    let folder = folder(&[]);
    fs::create_dir(folder.path().join("s")).unwrap();
    let text = fixture("plain", "Lyon").to_string();
    fs::write(folder.path().join("s/a.json"), &text).unwrap();
    fs::write(folder.path().join("s/suite.json"), "{}").unwrap();
    fs::write(folder.path().join("s/broken.json"), "{\"checkpoints\": 1}").unwrap();
    let names = "{\"checkpoints\": [{\"append\": \"e.csv\", \"expect_any\": [[], \"any.csv\"]}, \
                 {\"snapshot\": {\"rows\": \"s.csv\"}, \"expect\": \"x.csv\", \"observed\": \"o.csv\"}], \
                 \"business\": \"b.csv\"}";
    fs::write(folder.path().join("s/names.json"), names).unwrap();
    let refused = |arguments: &[&str], said: &str| {
        let output = killmatrix(folder.path(), &[&["s"], arguments].concat());
        assert_eq!((code(&output), stdout(&output).as_str()), (1, ""), "{arguments:?}");
        assert!(stderr(&output).contains(said), "{}", stderr(&output));
    };
    let beside = ["s/e.csv", "s/any.csv", "s/s.csv", "s/x.csv", "s/o.csv", "s/b.csv"];
    for file in [&["s/a.json", "./s/../s/suite.json", "s/broken.json"][..], &beside].concat() {
        refused(&["--report", "junit=x", "--report", &format!("github={file}")], "which is an input");
    }
    refused(&["--report", "junit=x.out", "--report", "github=./x.out"], "two reports go to the file ./x.out");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("x.out", folder.path().join("x.lnk")).unwrap();
        std::os::unix::fs::symlink("s/a.json", folder.path().join("a.lnk")).unwrap();
        refused(&["--report", "junit=x.out", "--report", "github=x.lnk"], "two reports go to the file x.lnk");
        refused(&["--report", "html=a.lnk"], "which is an input");
    }
    assert_eq!(fs::read_to_string(folder.path().join("s/a.json")).unwrap(), text);
    assert!(!folder.path().join("x").exists() && !folder.path().join("x.out").exists());
}

#[test]
fn what_a_report_would_hide_is_refused() {
    let folder = folder(&[fixture("plain", "Lyon")]);
    for option in [&["--format", "json"][..], &["--all"], &["--assertions"], &["--also-replay"]] {
        let output = killmatrix(folder.path(), &[&[".", "--report", "junit"], option].concat());
        assert_eq!((code(&output), stdout(&output).as_str()), (1, ""), "{option:?}");
        assert!(stderr(&output).contains(option[0]), "{}", stderr(&output));
        let beside = killmatrix(folder.path(), &[&[".", "--report", "junit=out.xml"], option].concat());
        assert_eq!(code(&beside), 2, "{}", stderr(&beside));
    }
}

#[test]
fn redacted_runs_show_no_rows_where_the_reference_disagrees() {
    let folder = folder(&[fixture("wrong", "Paris")]);
    for report in ["html", "html=out.html"] {
        let output = killmatrix(folder.path(), &[".", "--report", report, "--redact"]);
        assert_eq!(code(&output), 4);
        let told = stdout(&output) + &stderr(&output);
        assert!(told.contains("expects otherwise than AUTO CDC does"), "{told}");
        assert!(!told.contains("Paris") && !told.contains("Lyon"), "{told}");
    }
}

#[test]
fn the_shipped_suites_pass_in_every_report() {
    let junit = killmatrix(&root(), &["run", "--report", "junit"]);
    assert_eq!(code(&junit), 0);
    let elements = elements(&stdout(&junit));
    assert!(elements.iter().all(|it| !["failure", "error"].contains(&&*it.name)));
    assert_eq!(stdout(&killmatrix(&root(), &["run", "--report", "github"])), "");
    let summary = stdout(&killmatrix(&root(), &["run", "--report", "summary"]));
    assert!(summary.starts_with("### Every broken copy that can differ is caught\n"), "{summary}");
}

//! The HTML page: one file that says what the JSON says, in which text stays text.

use std::fs;
use std::path::{Path, PathBuf};

use cdc_killmatrix::report::{self, Values};
use cdc_killmatrix::{Fixtures, Matrix, Outcome, catalogue};
use serde_json::Value;
use tempfile::TempDir;

#[path = "../binary/mod.rs"]
mod binary;
mod large;
mod redaction;

use binary::{code, killmatrix, parsed, root, stderr, stdout};

fn shipped(path: &str) -> (Fixtures, Matrix) {
    played(&root().join("fixtures").join(path))
}

fn hostile() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/html/hostile")
}

fn played(path: &Path) -> (Fixtures, Matrix) {
    let fixtures = Fixtures::load([path]).unwrap_or_else(|errors| panic!("{errors}"));
    let matrix = Matrix::of(&fixtures, &catalogue::all()).in_words(&fixtures);
    (fixtures, matrix)
}

fn page(path: &str, values: Values) -> String {
    let (fixtures, matrix) = shipped(path);
    report::html(&fixtures, &matrix, values)
}

/// The page before its data block, the block, and the page after it.
fn cut(page: &str) -> (&str, &str, &str) {
    let (before, rest) = page.split_once("<script type=\"application/json\" id=\"data\">").unwrap();
    let (data, after) = rest.split_once("</script>").unwrap();
    (before, data, after)
}

fn data(page: &str) -> Value {
    serde_json::from_str(cut(page).1).unwrap()
}

#[test]
fn the_page_says_what_the_json_says() {
    let (fixtures, matrix) = shipped("");
    let json = parsed(&killmatrix(&root(), &["run", "--format", "json"]));
    let data = data(&report::html(&fixtures, &matrix, Values::Shown));
    let mut compared = 0;
    let cells = json["cells"].as_array().unwrap();
    let mut cells = cells.iter();
    for suite in data["suites"].as_array().unwrap() {
        for (place, fixture) in suite["fixtures"].as_array().unwrap().iter().enumerate() {
            for (column, mutant) in data["mutants"].as_array().unwrap().iter().enumerate() {
                let cell = cells.next().unwrap();
                assert_eq!(
                    [&cell["suite"], &cell["fixture"], &cell["mutant"]],
                    [&suite["name"], &fixture["name"], &mutant["name"]]
                );
                let letter = suite["outcomes"][column].as_str().unwrap().chars().nth(place).unwrap();
                let of = &fixture["cells"][column];
                let outcome = match letter {
                    'c' => "caught",
                    'n' => "not_reached",
                    's' => "same_answer",
                    'm' => "masked",
                    'e' => "error",
                    _ => "not_applicable",
                };
                assert_eq!(cell.get("cause").unwrap_or(&cell["outcome"]), outcome);
                let reason = || &data["texts"][usize::try_from(of.as_u64().unwrap()).unwrap()];
                match letter {
                    'c' => {
                        let run = &fixture["runs"][usize::try_from(of.as_u64().unwrap()).unwrap()];
                        assert_eq!(run["caught"], cell["checkpoints"]);
                    }
                    'e' | 'x' => assert_eq!(*reason(), cell["reason"]),
                    _ => assert_eq!(of[0], cell["asked"]),
                }
                if letter == 'm' {
                    let asked = &data["questions"][usize::try_from(of[2].as_u64().unwrap()).unwrap()];
                    assert_eq!(
                        [&asked["right"], &asked["answer"]],
                        [&cell["difference"]["reference"], &cell["difference"]["mutant"]]
                    );
                }
                compared += 1;
            }
        }
    }
    assert!(cells.next().is_none() && 500 < compared);
    let survivors =
        data["suites"].as_array().unwrap().iter().flat_map(|it| it["survivors"].as_array().unwrap());
    assert_eq!(survivors.count(), json["survivors"].as_array().unwrap().len());
}

#[test]
fn a_caught_cell_has_the_rows_of_the_mutant_beside_the_right_ones() {
    let data = data(&page("customers_current", Values::Shown));
    let named =
        |list: &Value, name: &str| list.as_array().unwrap().iter().position(|it| it["name"] == name).unwrap();
    let suite = &data["suites"][0];
    let fixture = &suite["fixtures"][named(&suite["fixtures"], "ordering_and_delete")];
    let run = fixture["cells"][named(&data["mutants"], "arrival_order")].as_u64().unwrap();
    let states = &fixture["runs"][usize::try_from(run).unwrap()]["states"];
    assert_eq!(states[1], 0, "checkpoint 2 is right");
    let checkpoint = &fixture["checkpoints"][2];
    let wrong = &checkpoint["wrong"][usize::try_from(states[2].as_u64().unwrap()).unwrap() - 1];
    let rows = |state: &Value| -> Vec<Value> {
        let rows = state["rows"].as_array().unwrap().iter();
        rows.map(|row| fixture["rows"][usize::try_from(row.as_u64().unwrap()).unwrap()].clone()).collect()
    };
    let row = |id: &str, city: &str, name: &str| serde_json::json!([id, city, format!("{name}@example.com")]);
    assert_eq!(rows(&checkpoint["right"]), [row("101", "Nantes", "ana"), row("202", "Lyon", "ben")]);
    assert_eq!(rows(wrong), [row("101", "Lille", "ana"), row("202", "Lyon", "ben")]);
    assert_eq!(wrong["pairs"], "bb");
    assert_eq!(checkpoint["operations"], "u");
    assert_eq!(checkpoint["note"], "Late: older than Nantes.");
}

#[test]
fn text_of_a_fixture_stays_text() {
    let (fixtures, matrix) = played(&hostile());
    let page = report::html(&fixtures, &matrix, Values::Shown);
    let (before, block, after) = cut(&page);
    assert!(!block.contains(['<', '>', '&', '\u{2028}', '\u{2029}', '\u{202e}']));
    let without_code = |text: &str| {
        let (start, rest) = text.split_once("<script>").unwrap_or((text, ""));
        format!("{start}{}", rest.rsplit_once("</script>").map_or("", |(_, end)| end))
    };
    for text in [before, &without_code(after)] {
        for part in ["<script", "<img", "<svg", "<iframe", "<b onclick", "onerror=\"", "<!-- "] {
            assert!(!text.contains(part), "{part}");
        }
    }
    assert_eq!(page.matches("</style>").count(), 1);
    assert_eq!(page.matches("</title>").count(), 1);
    assert_eq!(page.matches("</noscript>").count(), 1);
    assert_eq!(page.matches("</script>").count(), 2);
    // It is there, and says the same.
    let data: Value = serde_json::from_str(block).unwrap();
    assert_eq!(
        data["suites"][0]["title"],
        "</script><script>window.ran = 'suite'</script> & \"quotes\" 'single'"
    );
    let fixture = &data["suites"][0]["fixtures"][0];
    assert_eq!(fixture["rows"][0][1], "</script><script>window.ran='value'</script>");
    assert_eq!(
        fixture["about"], "<svg onload=\"window.ran='about'\"> {{data}} {{script}}",
        "no gap is filled in text"
    );
}

#[test]
fn the_page_loads_nothing_and_its_policy_forbids_it() {
    let page = page("", Values::Shown);
    let policy =
        page.split_once("Content-Security-Policy\" content=\"").unwrap().1.split_once('"').unwrap().0;
    assert!(policy.starts_with("default-src 'none'; ") && !policy.contains("unsafe"), "{policy}");
    let (before, _, after) = cut(&page);
    for part in
        ["http://", "https://", "src=", "url(", "@import", "<link", "fetch(", "XMLHttpRequest", "WebSocket"]
    {
        let found = before.contains(part) || after.replace("startsWith(\"https://\")", "").contains(part);
        assert!(!found, "{part}");
    }
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    for values in [Values::Shown, Values::Redacted] {
        assert_eq!(page("", values), page("", values));
    }
}

#[test]
fn the_opening_and_the_tables_need_no_script() {
    let (fixtures, mut matrix) = shipped("customers_current");
    let whole = report::html(&fixtures, &matrix, Values::Shown);
    let count = fixtures.pairs().count();
    assert!(
        whole.contains(&format!("<p>{count} fixtures in 1 suite, each a small sequence of changes")),
        "{whole}"
    );
    assert!(whole.contains("; the fixtures would notice every one.</p>"));
    assert!(whole.contains("<p>Nothing of what was tried would get through.</p>"));
    let row = whole.lines().find(|line| line.starts_with("<tr><th>arrival order<td>")).unwrap();
    assert_eq!(row.matches("<td>").count(), count);
    assert!(row.contains("<td>◐") && row.contains("<td>✓"), "{row}");

    // Without the fixtures that catch it, it gets through.
    let column = matrix.mutants.iter().position(|mutant| mutant.name == "arrival_order").unwrap();
    matrix.mutants[column].consequence = "An <older> value is back";
    let mut suites = fixtures.clone();
    let is_caught: Vec<bool> = matrix.suites[0]
        .fixtures
        .iter()
        .map(|line| matches!(line.cells[column], Outcome::Caught(_)))
        .collect();
    let mut kept = is_caught.iter();
    suites.suites[0].fixtures.retain(|_| !kept.next().unwrap());
    let mut kept = is_caught.iter();
    matrix.suites[0].fixtures.retain(|_| !kept.next().unwrap());
    let page = report::html(&suites, &matrix, Values::Shown);
    assert!(page.contains("<p>What would get through unseen: "), "{page}");
    assert!(page.contains("an &lt;older&gt; value is back (Customers, current state)"));
    assert!(page.contains("<p class=\"consequence\">An &lt;older&gt; value is back.</p>"));
    assert!(page.contains("<a href=\"#customers_current/"));

    // One that no events can tell from the reference is no fault.
    matrix.mutants[column].equivalent = Some("claimed");
    let page = report::html(&suites, &matrix, Values::Shown);
    assert!(!page.contains("an &lt;older&gt; value is back (Customers"), "{page}");
}

#[test]
fn forty_thousand_cells_fit_into_two_megabytes() {
    let (fixtures, matrix) = large::large();
    let page = report::html(&fixtures, &matrix, Values::Shown);
    assert_eq!(matrix.lines().map(|(_, line)| line.cells.len()).sum::<usize>(), large::SIDE * large::SIDE);
    assert!(page.len() < 2_000_000, "{} bytes", page.len());
}

#[test]
fn a_report_takes_the_place_of_the_matrix_or_stands_beside_it() {
    let suite = "fixtures/customers_current";
    let alone = killmatrix(&root(), &["run", suite, "--report", "html"]);
    assert_eq!(code(&alone), 0);
    assert_eq!(stdout(&alone), page("customers_current", Values::Shown).replace(&slashed_root(), ""));

    let folder = TempDir::new().unwrap();
    let file = folder.path().join("page.html");
    let beside = killmatrix(&root(), &["run", suite, "--report", &format!("html={}", file.display())]);
    assert_eq!(stdout(&beside), stdout(&killmatrix(&root(), &["run", suite])));
    assert_eq!(fs::read_to_string(&file).unwrap(), stdout(&alone));

    for (arguments, fault) in [
        (&["run", suite, "--redact"][..], "--report <KIND[=FILE]>"),
        (&["run", suite, "--report", "pdf"], "expected one of html"),
        (&["run", suite, "--report", "html="], "expected KIND=FILE"),
        (&["run", suite, "--report", "html", "--report", "html"], "two reports go to standard output"),
        (&["run", suite, "--report", "html=no/such/x"], "no/such/x: can't be written: "),
    ] {
        let output = killmatrix(&root(), arguments);
        assert_eq!((code(&output), stdout(&output).as_str()), (1, ""), "{arguments:?}");
        assert!(stderr(&output).contains(fault), "{}", stderr(&output));
    }
}

/// Paths in the page are as they were given.
fn slashed_root() -> String {
    format!("{}/", root().to_string_lossy().replace('\\', "/"))
}

#[test]
fn a_survivor_and_a_disagreement_have_their_exit_code_and_are_told() {
    let survivor =
        killmatrix(&root(), &["run", "fixtures/customers_current/explicit_null.json", "--report", "html"]);
    assert_eq!(code(&survivor), 2);
    assert!(stdout(&survivor).contains("What would get through unseen"));

    let folder = TempDir::new().unwrap();
    let text = fs::read_to_string(root().join("fixtures/reports/b16_arrival_order.json")).unwrap();
    let mut fixture: Value = serde_json::from_str(&text).unwrap();
    let last = fixture["checkpoints"].as_array_mut().unwrap().last_mut().unwrap();
    last["expect"] = last["observed"].clone();
    fs::write(folder.path().join("one.json"), fixture.to_string()).unwrap();
    let wrong = killmatrix(folder.path(), &["run", ".", "--report", "html"]);
    assert_eq!(code(&wrong), 4, "{}", stdout(&wrong));
    let text = stdout(&wrong);
    assert!(text.contains("gives other rows than 1 of them expects"), "{text}");
    assert!(
        text.contains("<p>Nothing was tried.</p>")
            && stderr(&wrong).contains("Your row, or our rule: decide.")
    );
}

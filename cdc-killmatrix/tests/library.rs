//! The library with mutants of a user's own, well behaved or not.

use std::panic;
use std::path::{Path, PathBuf};

use cdc_core::{Flow, Hook, Mutant, Row, ScdType};
use cdc_killmatrix::{
    Fixture, Fixtures, Matrix, Outcome, assert_caught, catalogue, report, tables, try_mutant,
};

fn fixtures(path: &str) -> Fixtures {
    let path: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures").join(path);
    Fixtures::load([path]).unwrap_or_else(|errors| panic!("{errors}"))
}

fn named<'a>(fixtures: &'a Fixtures, name: &str) -> &'a Fixture {
    fixtures.pairs().map(|(_, fixture)| fixture).find(|fixture| fixture.name == name).unwrap()
}

/// Mutants that show other columns than the flow says.
fn misshapen() -> [Mutant; 3] {
    let keys_only = |flow: &Flow| {
        let column_list = Some(flow.keys.clone());
        let flow = flow.clone();
        Some(Flow { column_list, except_column_list: None, track_history_except_column_list: None, ..flow })
    };
    let history = |flow: &Flow| Some(Flow { stored_as_scd_type: ScdType::Two, ..flow.clone() });
    [
        Mutant::new("keys_only", "Shows the keys only", Hook::definition(keys_only)),
        Mutant::new("history", "Keeps a history", Hook::definition(history)),
        Mutant::new("no_values", "Shows rows of nothing", Hook::row_of(|_, _| Row::from([]))),
    ]
}

#[test]
fn a_mutant_may_show_other_columns() {
    let fixtures = fixtures("customers_current");
    let fixture = named(&fixtures, "ordering_and_delete");
    for mutant in misshapen() {
        let outcome = try_mutant(&mutant, fixture);
        assert!(matches!(outcome, Outcome::Caught(_)), "{}: {outcome:?}", mutant.name);
        assert!(report::explain(&mutant, "suite", fixture, &outcome).contains(mutant.name));
        let shown = tables(&mutant, fixture).unwrap();
        let checkpoints = shown.into_iter().map(|shown| (shown, Vec::new())).collect();
        let json = report::rows_json(&[report::Tables { suite: "suite", fixture, checkpoints }]);
        assert_eq!(json.contains("__START_AT"), mutant.name == "history", "{json}");
    }
}

#[test]
fn a_mutant_that_panics_is_an_error_and_never_a_catch() {
    let panics = Mutant::new("panics", "Panics", Hook::key_of(|_, _| panic!("no key today")));
    let outcome = try_mutant(&panics, named(&fixtures("customers_current"), "explicit_null"));
    assert!(matches!(&outcome, Outcome::Error(reason) if reason.contains("no key today")), "{outcome:?}");
    let fixtures = fixtures("customers_current");
    let matrix = Matrix::of(&fixtures, &[panics]);
    assert_eq!(matrix.survivors().count(), 1, "only errors: it survives");
    let text = report::text(&matrix, "cdc-killmatrix");
    let count = fixtures.suites[0].fixtures.len();
    assert!(text.contains(&format!("It broke down on {count} fixtures")), "{text}");
}

#[test]
fn a_refusal_where_rows_are_expected_is_an_error() {
    let refuses = Mutant::new("refuses", "Refuses every batch", Hook::order_of(|_, _| None));
    let outcome = try_mutant(&refuses, named(&fixtures("customers_current"), "explicit_null"));
    assert!(matches!(&outcome, Outcome::Error(reason) if reason.contains("[NULL_SEQUENCE]")), "{outcome:?}");
}

#[test]
fn what_was_found_before_a_breakdown_is_a_catch() {
    // Wrong at the first checkpoint; refuses the delete of the fourth.
    let late = Mutant::new(
        "late",
        "Breaks down late",
        Hook::key_of(|plan, event| {
            let operation = plan.schema().find("operation")?;
            (event.values[operation].to_string() != "DELETE").then(|| cdc_core::Key::new([]))
        }),
    );
    let outcome = try_mutant(&late, named(&fixtures("customers_current"), "ordering_and_delete"));
    assert!(
        matches!(&outcome, Outcome::Caught(differences) if differences[0].checkpoint == 0),
        "{outcome:?}"
    );
}

#[test]
fn a_failed_assertion_shows_the_table() {
    let harmless = Mutant::new("harmless", "Does what it should", Hook::admits(|_, _, _| true));
    let fixtures = fixtures("customers_current");
    let failure = panic::catch_unwind(|| assert_caught(&fixtures, &[harmless])).unwrap_err();
    let text = failure.downcast_ref::<String>().unwrap();
    assert!(text.starts_with("the fixtures don't notice harmless\n"), "{text}");
    assert!(text.contains("Ordering and delete") && text.contains("survives"), "{text}");
}

#[test]
fn an_assertion_about_no_mutant_fails() {
    let fixtures = fixtures("customers_current");
    assert!(panic::catch_unwind(|| assert_caught(&fixtures, &[])).is_err());
}

/// A README, and the matrix of the fixture that it shows.
fn shown_in(readme: &str) -> (String, Matrix) {
    let readme = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(readme)).unwrap();
    // The README shows others in its tutorial: that a whole fixture says its schema tells them apart.
    let mut blocks = readme.split("```json\n").skip(1);
    let fixture = blocks
        .find(|block| block.starts_with("{\n  \"name\"") && block.contains("\"schema\""))
        .unwrap()
        .split("```")
        .next()
        .unwrap();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("fixture.json"), fixture).unwrap();
    let matrix = Matrix::of(&Fixtures::load([folder.path()]).unwrap(), &catalogue::all());
    assert_eq!(matrix.disagreements().count(), 0, "the reference gives the expected rows");
    (readme, matrix)
}

#[test]
fn the_fixture_of_the_crates_readme_is_sound_and_catches_the_copy_that_it_names() {
    let (readme, matrix) = shown_in("README.md");
    assert!(
        readme.contains("`customers catches no_tombstone`")
            && readme.contains("`customers/late_update_after_delete`")
    );
    let (_, line) = matrix.lines().next().unwrap();
    let column = matrix.mutants.iter().position(|mutant| mutant.name == "no_tombstone").unwrap();
    assert!(matches!(line.cells[column], Outcome::Caught(_)) && line.name == "late_update_after_delete");
}

#[test]
fn the_fixture_of_the_readme_is_sound() {
    let (readme, matrix) = shown_in("../README.md");
    let survivors: Vec<&str> = matrix.survivors().map(|(_, mutant)| mutant.name).collect();
    let told = format!("{} of the broken copies survive it", survivors.len());
    assert!(readme.contains(&told), "the README doesn't say `{told}`: {survivors:?}");
    assert!(survivors.contains(&"collapsed_key") && survivors.contains(&"kept_nulls"), "{survivors:?}");
}

#[test]
fn a_replay_looks_at_the_rows_whatever_the_last_batch_is() {
    let text = r#"{
        "name": "refused_last", "schema": { "id": "INT", "seq": "INT" },
        "flow": { "keys": ["id"], "sequence_by": "seq" },
        "checkpoints": [
            { "append": [{ "id": 1, "seq": 1 }], "expect": [{ "id": 1, "seq": 1 }] },
            { "append": [{ "id": 2 }], "expect_error": "NULL_SEQUENCE", "expect": [{ "id": 1, "seq": 1 }] }
        ]
    }"#;
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("fixture.json"), text).unwrap();
    let fixtures = Fixtures::load([folder.path()]).unwrap();
    assert_eq!(cdc_killmatrix::replay(&cdc_core::Reference, &fixtures.suites[0].fixtures[0]), Some(Ok(true)));
}

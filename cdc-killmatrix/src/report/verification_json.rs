//! Captured rows beside those that a fixture expects: for scripts, and to be kept as evidence.

use cdc_core::{Row, Schema};
use serde::Serialize;
use serde_json::{Value, json};

use super::diagnosis::Diagnosed;
use super::diagnosis_json::of_fixture;
use super::engines::engine_json;
use super::json::pretty;
use super::verification::{Verified, told};
use crate::engine::Played;
use crate::fixture::{Fixtures, row_to_json};
use crate::verify::Verification;
use crate::words::slashed;

#[derive(Serialize)]
struct CaptureJson<'a> {
    suite: &'a str,
    fixture: &'a str,
    path: String,
    /// The checkpoint, from 1.
    checkpoint: usize,
    capture: String,
    files: Vec<Value>,
    verdict: &'static str,
    /// Rows that are expected and weren't captured.
    missing: Vec<Value>,
    /// Rows that were captured and aren't expected.
    extra: Vec<Value>,
    /// How many rows are there more often than expected, beyond the first.
    duplicates: usize,
    /// The other checkpoints, from 1, whose rows these are.
    rows_of: Vec<usize>,
    missing_columns: &'a [String],
    unknown_columns: &'a [String],
    passed_over_columns: &'a [String],
    /// Columns that only some rows have.
    partly_missing_columns: Vec<Value>,
    types: Vec<Value>,
    misread: Vec<Value>,
    /// The types that the capture gives its columns.
    declared: Vec<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rows: Option<Vec<Value>>,
}

/// Whether the captured rows themselves are written down.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rows {
    All,
    Differing,
}

/// What came of captures as JSON, with what explains the rows that differ.
/// `run` is what it came to where it is more than rows.
pub fn verification_json(
    all: &[Verified<'_>],
    diagnosed: &[Diagnosed<'_>],
    run: Option<(&Fixtures, &Played)>,
) -> String {
    pretty(&outcome(all, diagnosed, run, Rows::Differing))
}

/// The same as evidence: after what was said of the run, with all captured rows.
///
/// `said` is an object.
pub fn evidence(
    said: Value,
    all: &[Verified<'_>],
    diagnosed: &[Diagnosed<'_>],
    run: Option<(&Fixtures, &Played)>,
) -> Value {
    let mut evidence = said;
    if let (Value::Object(evidence), Value::Object(outcome)) =
        (&mut evidence, outcome(all, diagnosed, run, Rows::All))
    {
        evidence.extend(outcome);
    }
    evidence
}

fn outcome(
    all: &[Verified<'_>],
    diagnosed: &[Diagnosed<'_>],
    run: Option<(&Fixtures, &Played)>,
    rows: Rows,
) -> Value {
    let is_well = run.is_none_or(|(_, played)| played.is_well());
    let is_equal = is_well && all.iter().all(|case| case.verification.is_equal());
    let was_run = run.is_none_or(|(_, played)| played.was_run());
    let mut json = json!({
        "verdict": if was_run { verdict(is_equal) } else { "not_run" },
        "captures": all.iter().map(|case| of_capture(case, rows)).collect::<Vec<_>>(),
        "diagnoses": diagnosed.iter().map(of_fixture).collect::<Vec<_>>(),
    });
    if let Some((fixtures, played)) = run {
        json["run"] = json!(engine_json(fixtures, played));
    }
    json
}

fn verdict(is_equal: bool) -> &'static str {
    if is_equal { "equal" } else { "differs" }
}

fn of_capture<'a>(case: &Verified<'a>, rows: Rows) -> CaptureJson<'a> {
    let &Verified { suite, fixture, verification } = case;
    let Verification { checkpoint, columns, expected, captured, capture, types, rows_of } = verification;
    let json = |rows: Vec<&Row>, schema: &Schema| -> Vec<Value> {
        rows.into_iter().map(|row| row_to_json(row, schema)).collect()
    };
    CaptureJson {
        suite: &suite.name,
        fixture: &fixture.name,
        path: slashed(&fixture.path),
        checkpoint: checkpoint + 1,
        capture: slashed(&capture.path),
        files: capture
            .files
            .iter()
            .map(|it| json!({ "path": slashed(&it.path), "sha256": it.sha256 }))
            .collect(),
        verdict: verdict(verification.is_equal()),
        missing: json(expected.without(captured), columns),
        extra: json(captured.without(expected), columns),
        duplicates: verification.duplicates(),
        rows_of: rows_of.iter().map(|number| number + 1).collect(),
        missing_columns: &capture.missing,
        unknown_columns: &capture.unknown,
        passed_over_columns: &capture.passed_over,
        partly_missing_columns: capture
            .lacking
            .iter()
            .map(|it| json!({ "column": it.column, "rows": it.rows }))
            .collect(),
        types: types
            .iter()
            .map(|it| json!({ "column": it.column, "expected": it.expected.to_string(), "found": it.found }))
            .collect(),
        misread: capture
            .misread
            .iter()
            .map(|it| json!({ "column": it.column, "values": it.more + 1, "message": told(it) }))
            .collect(),
        declared: capture.declared.iter().map(|it| json!({ "column": it.column, "type": it.text })).collect(),
        rows: (rows == Rows::All).then(|| json(captured.rows().iter().collect(), columns)),
    }
}

//! What `check` found, for scripts. Fields are added over time, never renamed or removed.

use serde::Serialize;

use super::findings::CheckedInput;
use super::json::pretty;
use crate::finding::{Code, Finding, Place};

#[derive(Serialize)]
struct InputJson<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    suite: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fixture: Option<&'a str>,
    path: &'a str,
    passed: bool,
    findings: Vec<FindingJson<'a>>,
    /// The codes that are declared and weren't found.
    missing: Vec<&'static str>,
    checklist: Vec<AnswerJson<'a>>,
}

#[derive(Serialize)]
struct FindingJson<'a> {
    code: &'static str,
    severity: &'static str,
    declared: bool,
    occurrences: usize,
    events: Vec<PlaceJson>,
    clause: &'static str,
    message: &'a str,
    remedy: &'a str,
    advice: &'a [String],
    query: &'a str,
}

#[derive(Serialize)]
struct PlaceJson {
    #[serde(skip_serializing_if = "Option::is_none")]
    checkpoint: Option<usize>,
    event: usize,
    line: usize,
}

#[derive(Serialize)]
struct AnswerJson<'a> {
    about: &'static str,
    answer: &'a str,
}

/// What was found, as JSON. `strict` says what passes.
pub fn findings_json(inputs: &[CheckedInput<'_>], strict: bool) -> String {
    pretty(&inputs.iter().map(|input| of_input(input, strict)).collect::<Vec<InputJson<'_>>>())
}

fn of_input<'a>(input: &'a CheckedInput<'_>, strict: bool) -> InputJson<'a> {
    let CheckedInput { fixture, path, checked, answers, .. } = input;
    let of_finding = |finding| of_finding(finding, checked.is_declared(finding));
    InputJson {
        suite: fixture.map(|(suite, _)| suite),
        fixture: fixture.map(|(_, fixture)| fixture),
        path,
        passed: !checked.fails(strict),
        findings: checked.findings.iter().map(of_finding).collect(),
        missing: checked.missing().into_iter().map(Code::name).collect(),
        checklist: answers.iter().map(|it| AnswerJson { about: it.about, answer: &it.text }).collect(),
    }
}

fn of_finding(finding: &Finding, declared: bool) -> FindingJson<'_> {
    FindingJson {
        code: finding.code.name(),
        severity: finding.severity.name(),
        declared,
        occurrences: finding.occurrences,
        events: finding.events.iter().map(place).collect(),
        clause: finding.clause,
        message: &finding.message,
        remedy: &finding.remedy,
        advice: &finding.advice,
        query: &finding.query,
    }
}

fn place(place: &Place) -> PlaceJson {
    PlaceJson {
        checkpoint: place.checkpoint.map(|checkpoint| checkpoint + 1),
        event: place.event + 1,
        line: place.line,
    }
}

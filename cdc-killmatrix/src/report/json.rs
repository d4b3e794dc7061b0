//! What scripts read. Fields are added over time, never renamed or removed.

use cdc_core::{Mutant, Question};
use serde::Serialize;
use serde_json::Value;

use super::engines::{EngineJson, engines_json};
use super::ignored::{IgnoredJson, ignored_json};
use crate::engine::Played;
use crate::fixture::Fixtures;
use crate::matrix::{Counts, Line, Matrix, SuiteMatrix};
use crate::replay::Replay;
use crate::verdict::{Difference, Outcome, Verdict};
use crate::words::slashed;

#[derive(Serialize)]
struct MatrixJson<'a> {
    suites: Vec<SuiteJson<'a>>,
    fixtures: Vec<FixtureJson<'a>>,
    mutants: Vec<MutantJson>,
    cells: Vec<CellJson<'a>>,
    disagreements: Vec<DisagreementJson<'a>>,
    survivors: Vec<SurvivorJson<'a>>,
    /// The mutants that need not be caught.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    ignored: Vec<IgnoredJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    replay: Option<&'a [Replay]>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    engines: Vec<EngineJson<'a>>,
}

/// What a matrix is told with.
#[derive(Clone, Copy, Default)]
pub struct Beside<'a> {
    /// What came of the replay, if there was one.
    pub replay: Option<&'a [Replay]>,
    /// What came of the fixtures on engines.
    pub engines: Option<(&'a Fixtures, &'a [Played])>,
}

#[derive(Serialize)]
struct SuiteJson<'a> {
    name: &'a str,
    title: &'a str,
    audited: bool,
    /// How many cells there are of each kind, where mutants were tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    counts: Option<Counts>,
    /// The mutants that each fixture that catches them catches at its first checkpoint.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    trivial: Vec<&'static str>,
}

#[derive(Serialize)]
struct FixtureJson<'a> {
    suite: &'a str,
    name: &'a str,
    title: &'a str,
    path: String,
    checkpoints: usize,
    uncompared: usize,
}

#[derive(Serialize)]
struct MutantJson {
    name: &'static str,
    about: &'static str,
    hook: &'static str,
    family: &'static str,
    #[serde(skip_serializing_if = "str::is_empty")]
    consequence: &'static str,
    #[serde(skip_serializing_if = "str::is_empty")]
    report: &'static str,
    #[serde(skip_serializing_if = "str::is_empty")]
    caught_by: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    equivalent: Option<&'static str>,
}

#[derive(Serialize)]
struct CellJson<'a> {
    suite: &'a str,
    fixture: &'a str,
    mutant: &'static str,
    outcome: &'static str,
    /// Why it is an error or not applicable.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    /// The checkpoints that differ, from 1.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    checkpoints: Vec<usize>,
    /// Whether it is caught by a fixture that aims at other mutants.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    incidental: bool,
    /// Why it is missed: `not_reached`, `same_answer` or `masked`.
    #[serde(skip_serializing_if = "Option::is_none")]
    cause: Option<&'static str>,
    /// How often the decision was asked for, where it is missed.
    #[serde(skip_serializing_if = "Option::is_none")]
    asked: Option<usize>,
    /// The first question at which the mutant's answer differed, where that is masked.
    #[serde(skip_serializing_if = "Option::is_none")]
    difference: Option<QuestionJson<'a>>,
}

#[derive(Serialize)]
struct QuestionJson<'a> {
    inputs: serde_json::Map<String, Value>,
    reference: &'a str,
    mutant: &'a str,
}

#[derive(Serialize)]
struct DisagreementJson<'a> {
    suite: &'a str,
    fixture: &'a str,
    /// The checkpoints that differ, from 1.
    checkpoints: Vec<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<&'a str>,
}

#[derive(Serialize)]
struct SurvivorJson<'a> {
    suite: &'a str,
    mutant: &'static str,
}

/// A matrix as JSON, with what is told beside it. [`Matrix::in_words`] gives masked cells their `difference`.
pub fn matrix_json(matrix: &Matrix, beside: Beside<'_>) -> String {
    let mut json = MatrixJson {
        suites: Vec::new(),
        fixtures: Vec::new(),
        mutants: matrix.mutants.iter().map(mutant).collect(),
        cells: Vec::new(),
        disagreements: Vec::new(),
        survivors: Vec::new(),
        ignored: ignored_json(matrix),
        replay: beside.replay,
        engines: beside.engines.map(|(fixtures, all)| engines_json(fixtures, all)).unwrap_or_default(),
    };
    for suite in &matrix.suites {
        json.suites.push(suite_json(matrix, suite));
        for line in &suite.fixtures {
            json.fixtures.push(fixture(&suite.name, line));
            let cells = matrix.mutants.iter().zip(&line.cells);
            json.cells.extend(cells.map(|(mutant, outcome)| cell(&suite.name, line, mutant, outcome)));
        }
    }
    json.disagreements =
        matrix.disagreements().map(|(suite, line)| disagreement(&suite.name, line)).collect();
    json.survivors = matrix
        .survivors()
        .map(|(suite, mutant)| SurvivorJson { suite: &suite.name, mutant: mutant.name })
        .collect();
    pretty(&json)
}

fn suite_json<'a>(matrix: &Matrix, suite: &'a SuiteMatrix) -> SuiteJson<'a> {
    let trivial = (0..matrix.mutants.len()).filter(|&column| suite.is_trivial(column));
    SuiteJson {
        name: &suite.name,
        title: &suite.title,
        audited: suite.audited,
        counts: Some(suite.counts()).filter(|counts| *counts != Counts::default()),
        trivial: trivial.map(|column| matrix.mutants[column].name).collect(),
    }
}

/// The mutants as JSON.
pub fn list_json(mutants: &[Mutant]) -> String {
    pretty(&mutants.iter().map(mutant).collect::<Vec<MutantJson>>())
}

fn cell<'a>(suite: &'a str, line: &'a Line, mutant: &Mutant, outcome: &'a Outcome) -> CellJson<'a> {
    let miss = match outcome {
        Outcome::Missed(miss) => Some(miss),
        _ => None,
    };
    CellJson {
        suite,
        fixture: &line.name,
        mutant: mutant.name,
        outcome: outcome.name(),
        reason: match outcome {
            Outcome::Error(reason) => Some(reason),
            Outcome::NotApplicable(reason) => Some(reason),
            Outcome::Caught(_) | Outcome::Missed(_) => None,
        },
        checkpoints: match outcome {
            Outcome::Caught(differences) => numbers(differences),
            _ => Vec::new(),
        },
        incidental: matches!(outcome, Outcome::Caught(_)) && line.is_incidental(mutant.name),
        cause: miss.map(|miss| miss.cause.name()),
        asked: miss.map(|miss| miss.notes.asked),
        difference: miss.and_then(|miss| miss.notes.difference.as_ref()).map(question),
    }
}

fn question(question: &Question) -> QuestionJson<'_> {
    let inputs = question.inputs.iter().map(|(name, text)| ((*name).to_owned(), Value::from(text.as_str())));
    QuestionJson { inputs: inputs.collect(), reference: &question.right, mutant: &question.answer }
}

fn mutant(mutant: &Mutant) -> MutantJson {
    MutantJson {
        name: mutant.name,
        about: mutant.about,
        hook: mutant.breaks.name(),
        family: mutant.family,
        consequence: mutant.consequence,
        report: mutant.report,
        caught_by: mutant.caught_by,
        equivalent: mutant.equivalent,
    }
}

fn fixture<'a>(suite: &'a str, line: &'a Line) -> FixtureJson<'a> {
    FixtureJson {
        suite,
        name: &line.name,
        title: &line.title,
        path: slashed(&line.path),
        checkpoints: line.checkpoints,
        uncompared: line.uncompared,
    }
}

fn disagreement<'a>(suite: &'a str, line: &'a Line) -> DisagreementJson<'a> {
    let Verdict { differences, failure } = &line.baseline;
    DisagreementJson {
        suite,
        fixture: &line.name,
        checkpoints: numbers(differences),
        failure: failure.as_deref(),
    }
}

fn numbers(differences: &[Difference]) -> Vec<usize> {
    differences.iter().map(|difference| difference.checkpoint + 1).collect()
}

/// On one line, for a program.
pub(super) fn compact(json: &impl Serialize) -> String {
    serde_json::to_string(json).expect("reports hold nothing that JSON can't say")
}

pub(super) fn pretty(json: &impl Serialize) -> String {
    let mut text = serde_json::to_string_pretty(json).expect("reports hold nothing that JSON can't say");
    text.push('\n');
    text
}

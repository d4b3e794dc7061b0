//! What scripts read. Fields are added over time, never renamed or removed.

use cdc_core::{Mutant, Refusal};
use serde::Serialize;
use serde_json::Value;

use super::rows::Shape;
use crate::fixture::{Fixture, row_to_json};
use crate::matrix::{Line, Matrix};
use crate::replay::Replay;
use crate::verdict::{Difference, Outcome, Shown, Verdict};
use crate::why::Story;
use crate::words::slashed;

#[derive(Serialize)]
struct MatrixJson<'a> {
    suites: Vec<SuiteJson<'a>>,
    fixtures: Vec<FixtureJson<'a>>,
    mutants: Vec<MutantJson>,
    cells: Vec<CellJson<'a>>,
    disagreements: Vec<DisagreementJson<'a>>,
    survivors: Vec<SurvivorJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    replay: Option<&'a [Replay]>,
}

#[derive(Serialize)]
struct SuiteJson<'a> {
    name: &'a str,
    title: &'a str,
    audited: bool,
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

#[derive(Serialize)]
struct TablesJson<'a> {
    suite: &'a str,
    fixture: &'a str,
    checkpoints: Vec<CheckpointJson>,
}

#[derive(Serialize)]
struct CheckpointJson {
    checkpoint: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorJson>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    passed_over: bool,
    rows: Vec<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    feed: Option<Vec<Value>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    why: Vec<StoryJson>,
}

#[derive(Serialize)]
struct ErrorJson {
    class: &'static str,
    message: String,
}

#[derive(Serialize)]
struct StoryJson {
    key: Vec<String>,
    lines: Vec<String>,
}

/// A matrix as JSON, and what came of the replay if there was one.
pub fn matrix_json(matrix: &Matrix, replay: Option<&[Replay]>) -> String {
    let mut json = MatrixJson {
        suites: Vec::new(),
        fixtures: Vec::new(),
        mutants: matrix.mutants.iter().map(mutant).collect(),
        cells: Vec::new(),
        disagreements: Vec::new(),
        survivors: Vec::new(),
        replay,
    };
    for suite in &matrix.suites {
        json.suites.push(SuiteJson { name: &suite.name, title: &suite.title, audited: suite.audited });
        for line in &suite.fixtures {
            json.fixtures.push(fixture(&suite.name, line));
            json.cells.extend(matrix.mutants.iter().zip(&line.cells).map(|(mutant, cell)| CellJson {
                suite: &suite.name,
                fixture: &line.name,
                mutant: mutant.name,
                outcome: cell.name(),
                reason: match cell {
                    Outcome::Error(reason) => Some(reason),
                    Outcome::NotApplicable(reason) => Some(reason),
                    Outcome::Caught(_) | Outcome::Missed => None,
                },
                checkpoints: match cell {
                    Outcome::Caught(differences) => numbers(differences),
                    _ => Vec::new(),
                },
            }));
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

/// The mutants as JSON.
pub fn list_json(mutants: &[Mutant]) -> String {
    pretty(&mutants.iter().map(mutant).collect::<Vec<MutantJson>>())
}

/// The tables of a fixture under a model.
pub struct Tables<'a> {
    /// The name of the suite.
    pub suite: &'a str,
    /// The fixture.
    pub fixture: &'a Fixture,
    /// What is there after each checkpoint, and why, if that was asked.
    pub checkpoints: Vec<(Shown, Vec<Story>)>,
}

/// The tables of fixtures as JSON.
pub fn rows_json(all: &[Tables<'_>]) -> String {
    let tables = all.iter().map(|Tables { suite, fixture, checkpoints }| TablesJson {
        suite,
        fixture: &fixture.name,
        checkpoints: checkpoints
            .iter()
            .enumerate()
            .map(|(number, (shown, why))| checkpoint(fixture, number, shown, why))
            .collect(),
    });
    pretty(&tables.collect::<Vec<TablesJson<'_>>>())
}

fn checkpoint(fixture: &Fixture, number: usize, shown: &Shown, why: &[Story]) -> CheckpointJson {
    let shape = Shape::new(fixture.plan(), &shown.target);
    let rows = shape.in_reading_order(&shown.table);
    let error = |refusal: &Refusal| ErrorJson { class: refusal.class, message: refusal.to_string() };
    let story = |story: &Story| StoryJson {
        key: story.key.iter().map(ToString::to_string).collect(),
        lines: story.lines.clone(),
    };
    CheckpointJson {
        checkpoint: number + 1,
        error: shown.refusal.as_ref().map(error),
        passed_over: shown.is_passed_over,
        rows: rows.into_iter().map(|row| row_to_json(row, &shown.target)).collect(),
        feed: shown.feed.as_ref().map(|feed| {
            let plan = &fixture.plans[fixture.feed.batch(number).delivery.flow];
            feed.iter().map(|event| row_to_json(&event.values, plan.feed())).collect()
        }),
        why: why.iter().map(story).collect(),
    }
}

fn mutant(mutant: &Mutant) -> MutantJson {
    MutantJson { name: mutant.name, about: mutant.about, hook: mutant.breaks.name() }
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

pub(super) fn pretty(json: &impl Serialize) -> String {
    let mut text = serde_json::to_string_pretty(json).expect("reports hold nothing that JSON can't say");
    text.push('\n');
    text
}

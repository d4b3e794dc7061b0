//! Mutants on an engine: does the model's matrix hold there, cell by cell?

use super::held::Sheet;
use super::play::sheets_on;
use super::{Engine, OnEngine, Played};
use crate::feed_form::{self, FeedForm};
use crate::fixture::Fixtures;
use crate::matrix::Matrix;
use crate::verdict::Outcome;

/// What came of a mutant on a fixture, on an engine that is right on the fixture itself.
#[derive(Clone, Debug)]
pub struct Tried {
    /// The number of the fixture, in the order of [`Fixtures::pairs`].
    pub fixture: usize,
    /// The mutant.
    pub mutant: &'static str,
    /// The first checkpoint, from 0, at which the model catches it; `None`: it is missed there.
    pub in_model: Option<usize>,
    /// What the engine played; or why the mutant can't be played on this fixture, though it can differ there.
    pub form: Result<Box<FeedForm>, String>,
    /// What the engine made of it; `None`: it wasn't played.
    pub outcome: Option<OnEngine>,
}

/// How an engine's cell stands to the model's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agreement {
    /// Caught by both, or missed by both.
    Same,
    /// The engine makes of the events and the definition what the model makes of them: they aren't the mutant here.
    OtherForm,
    /// The engine makes of the events and the definition what the model doesn't.
    OtherEngine,
    /// There is nothing to compare.
    Unknown,
}

impl Tried {
    /// What is played in the place of the fixture of this name, if anything can be.
    pub(crate) fn sheet(&self, name: &str) -> Option<Sheet<'_>> {
        let form = self.form.as_ref().ok()?;
        Some(Sheet { name: name.to_owned(), fixture: &form.played, form: Some((self.mutant, form)) })
    }

    /// Whether the engine's rows aren't those that the fixture expects; `None`: it shows none.
    pub fn is_caught(&self) -> Option<bool> {
        let outcome = self.outcome.as_ref().filter(|outcome| outcome.is_comparable())?;
        Some(!matches!(outcome, OnEngine::Equal))
    }

    /// Whether it fails, or is refused where the model takes every batch.
    pub fn is_broken(&self) -> bool {
        self.outcome.as_ref().is_some_and(|outcome| !outcome.is_well() && !outcome.is_comparable())
    }

    /// How the cell stands to the model's.
    pub fn agreement(&self) -> Agreement {
        match (self.is_caught(), &self.form) {
            (None, _) | (_, Err(_)) => Agreement::Unknown,
            (Some(is_caught), _) if is_caught == self.in_model.is_some() => Agreement::Same,
            (Some(is_caught), Ok(form)) if is_caught == form.is_caught() => Agreement::OtherForm,
            _ => Agreement::OtherEngine,
        }
    }
}

/// Plays on an engine the mutants of which something is there to play: on the fixtures of judged suites on which the
/// engine is right, those of these names that were tried in the model and could differ.
pub fn try_on(engine: &Engine, fixtures: &Fixtures, matrix: &Matrix, played: &mut Played, names: &[&str]) {
    let mut all = to_try(fixtures, matrix, &played.outcomes, names);
    let suites: Vec<String> = fixtures.pairs().map(|(suite, fixture)| suite.full_name(fixture)).collect();
    let sheets: Vec<Sheet<'_>> = all.iter().filter_map(|tried| tried.sheet(&suites[tried.fixture])).collect();
    let done = (!sheets.is_empty()).then(|| sheets_on(engine, &sheets));
    let (outcomes, failed_together) = match done {
        None => (Vec::new(), None),
        Some(Ok(done)) => (done.outcomes, done.failed_together),
        Some(Err(failure)) => (vec![OnEngine::Failed { checkpoint: None, failure }; sheets.len()], None),
    };
    drop(sheets);
    let with_form = all.iter_mut().filter(|tried| tried.form.is_ok());
    for (tried, outcome) in with_form.zip(outcomes) {
        tried.outcome = Some(outcome);
    }
    played.tried = Some(all);
    played.failed_together = played.failed_together.take().or(failed_together);
}

/// The same before anything is played, for an engine on which this came of the fixtures.
pub(crate) fn to_try(
    fixtures: &Fixtures,
    matrix: &Matrix,
    outcomes: &[OnEngine],
    names: &[&str],
) -> Vec<Tried> {
    let mut all = Vec::new();
    // All fixtures of one mutant, then those of the next: an engine may have use for flows that are alike.
    for (column, mutant) in matrix.mutants.iter().enumerate() {
        if !feed_form::exists(mutant) || !names.contains(&mutant.name) {
            continue;
        }
        let pairs = fixtures.pairs().zip(matrix.lines()).zip(outcomes).enumerate();
        for (number, (((_, fixture), (_, line)), outcome)) in pairs {
            let in_model = match line.cells.get(column) {
                Some(Outcome::Caught(differences)) => differences.first().map(|it| it.checkpoint),
                Some(Outcome::Missed(_)) => None,
                _ => continue,
            };
            if !matches!(outcome, OnEngine::Equal) {
                continue;
            }
            let Some(form) = feed_form::of(mutant, fixture) else { continue };
            let (mutant, form) = (mutant.name, form.map(Box::new));
            all.push(Tried { fixture: number, mutant, in_model, form, outcome: None });
        }
    }
    all
}

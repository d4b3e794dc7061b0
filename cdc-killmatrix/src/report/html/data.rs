//! What the page's script reads: the matrix with all that its cells open.

use std::collections::BTreeSet;

use cdc_core::{Mutant, Question};
use serde::Serialize;

use super::pool::Pool;
use super::redact::Cells;
use super::timeline::{Timeline, Writer};
use crate::escape::for_terminal;
use crate::fixture::{Fixture, Fixtures};
use crate::matrix::{Line, Matrix, SuiteMatrix};
use crate::verdict::{Cause, Outcome};
use crate::words::{lower_first, slashed};

/// What the page shows. Suites that aren't audited are left out.
#[derive(Serialize)]
pub(super) struct Data {
    /// The kinds of faults, in the order of the catalogue.
    pub(super) families: Vec<&'static str>,
    pub(super) mutants: Vec<MutantData>,
    pub(super) suites: Vec<SuiteData>,
    /// Reasons, and what a decision was asked.
    texts: Pool<String>,
    questions: Pool<QuestionData>,
}

#[derive(Serialize)]
pub(super) struct MutantData {
    name: &'static str,
    /// The name as words.
    pub(super) title: String,
    about: &'static str,
    #[serde(skip_serializing_if = "str::is_empty")]
    consequence: &'static str,
    family: usize,
    hook: &'static str,
    /// What the broken decision is about.
    decides: String,
    #[serde(skip_serializing_if = "str::is_empty")]
    report: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    equivalent: Option<&'static str>,
}

#[derive(Serialize)]
pub(super) struct SuiteData {
    pub(super) name: String,
    pub(super) title: String,
    pub(super) fixtures: Vec<FixtureData>,
    /// A text a mutant, a letter a fixture: see [`letter`].
    pub(super) outcomes: Vec<String>,
    /// The mutants that no fixture catches though they can differ.
    survivors: Vec<usize>,
}

#[derive(Serialize)]
pub(super) struct FixtureData {
    pub(super) name: String,
    pub(super) title: String,
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    about: Option<String>,
    /// What the letters don't say, a mutant each.
    cells: Vec<CellData>,
    #[serde(flatten)]
    timeline: Timeline,
}

/// What is behind a letter.
#[derive(Serialize)]
#[serde(untagged)]
enum CellData {
    /// Caught: the place of the run. An error, or not applicable: the place of the reason.
    Place(usize),
    /// Missed: how often the decision was asked for, how often it was answered otherwise, and where first.
    Missed(usize, usize, Option<usize>),
    /// An error whose reason is left out.
    Nothing,
}

#[derive(Clone, PartialEq, Eq, Hash, Serialize)]
struct QuestionData {
    inputs: Vec<(String, String)>,
    right: String,
    answer: String,
}

/// The letter of an outcome.
pub(super) fn letter(outcome: &Outcome) -> char {
    match outcome {
        Outcome::Caught(_) => 'c',
        Outcome::Missed(miss) => match miss.cause {
            Cause::NotReached => 'n',
            Cause::SameAnswer => 's',
            Cause::Masked => 'm',
        },
        Outcome::Error(_) => 'e',
        Outcome::NotApplicable(_) => 'x',
    }
}

impl Data {
    pub(super) fn of(fixtures: &Fixtures, matrix: &Matrix, cells: &mut Cells) -> Self {
        let families: Vec<_> = matrix.families().into_iter().map(|(family, _)| family).collect();
        let mutants = matrix.mutants.iter().map(|mutant| MutantData::of(mutant, &families)).collect();
        let mut data = Self {
            families,
            mutants,
            suites: Vec::new(),
            texts: Pool::default(),
            questions: Pool::default(),
        };
        for (suite, table) in fixtures.suites.iter().zip(&matrix.suites) {
            if table.audited {
                let lines = suite.fixtures.iter().zip(&table.fixtures);
                let of_suite =
                    lines.map(|(fixture, line)| data.fixture(matrix, fixture, line, cells)).collect();
                data.suites.push(SuiteData::of(matrix, table, of_suite));
            }
        }
        // Not before all values are met: a title may quote one of them.
        for suite in &mut data.suites {
            suite.title = cells.title(&suite.title);
            for fixture in &mut suite.fixtures {
                fixture.title = cells.title(&fixture.title);
            }
        }
        data
    }

    fn fixture(
        &mut self,
        matrix: &Matrix,
        fixture: &Fixture,
        line: &Line,
        values: &mut Cells,
    ) -> FixtureData {
        let about = Some(&fixture.about).filter(|about| !about.is_empty());
        let about = about.and_then(|about| values.quoting(about));
        let mut writer = Writer::new(fixture, values);
        let mut cells = Vec::new();
        for (mutant, outcome) in matrix.mutants.iter().zip(&line.cells) {
            cells.push(match outcome {
                Outcome::Caught(differences) => CellData::Place(writer.run(mutant, differences)),
                Outcome::NotApplicable(reason) => CellData::Place(self.texts.place((*reason).to_owned())),
                Outcome::Error(reason) => match writer.quoting(reason) {
                    Some(reason) => CellData::Place(self.texts.place(reason)),
                    None => CellData::Nothing,
                },
                Outcome::Missed(miss) => {
                    let question = miss.notes.difference.as_ref().and_then(|it| asked(&writer, it));
                    let question = question.map(|question| self.questions.place(question));
                    CellData::Missed(miss.notes.asked, miss.notes.differing, question)
                }
            });
        }
        FixtureData {
            name: fixture.name.clone(),
            title: fixture.title.clone(),
            path: for_terminal(&slashed(&fixture.path)).into_owned(),
            about,
            cells,
            timeline: writer.finish(),
        }
    }
}

impl MutantData {
    fn of(mutant: &Mutant, families: &[&'static str]) -> Self {
        Self {
            name: mutant.name,
            title: mutant.name.replace('_', " "),
            about: mutant.about,
            consequence: mutant.consequence,
            family: families.iter().position(|family| *family == mutant.family).unwrap_or_default(),
            hook: mutant.breaks.name(),
            decides: lower_first(mutant.breaks.about()),
            report: mutant.report,
            equivalent: mutant.equivalent,
        }
    }
}

impl SuiteData {
    fn of(matrix: &Matrix, table: &SuiteMatrix, fixtures: Vec<FixtureData>) -> Self {
        let outcomes = (0..matrix.mutants.len()).map(|column| {
            table.fixtures.iter().filter_map(|line| line.cells.get(column)).map(letter).collect()
        });
        let survivors: BTreeSet<&str> = matrix
            .survivors()
            .filter(|(suite, _)| suite.name == table.name)
            .map(|(_, mutant)| mutant.name)
            .collect();
        Self {
            name: table.name.clone(),
            title: table.title.clone(),
            fixtures,
            outcomes: outcomes.collect(),
            survivors: (0..matrix.mutants.len())
                .filter(|&column| survivors.contains(matrix.mutants[column].name))
                .collect(),
        }
    }
}

/// A question in words. `None`: it is left out.
fn asked(writer: &Writer<'_>, question: &Question) -> Option<QuestionData> {
    let inputs =
        question.inputs.iter().map(|(name, text)| Some(((*name).replace('_', " "), writer.quoting(text)?)));
    Some(QuestionData {
        inputs: inputs.collect::<Option<_>>()?,
        right: writer.quoting(&question.right)?,
        answer: writer.quoting(&question.answer)?,
    })
}

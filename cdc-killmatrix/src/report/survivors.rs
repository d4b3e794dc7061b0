//! What is said of a mutant that survives, wherever that is read.

use cdc_core::Mutant;

use crate::matrix::{Line, Matrix, SuiteMatrix};
use crate::verdict::{Cause, Outcome};
use crate::words::{counted, lower_first, pasted, sentence};

/// A mutant that no fixture of a suite catches.
pub(super) struct Survivor<'a> {
    pub(super) suite: &'a SuiteMatrix,
    pub(super) mutant: &'a Mutant,
    /// The fixture that comes nearest to a catch: the one to extend.
    pub(super) nearest: &'a Line,
    /// The place of the mutant.
    pub(super) column: usize,
}

impl<'a> Survivor<'a> {
    /// All survivors of a matrix.
    pub(super) fn all(matrix: &'a Matrix) -> Vec<Self> {
        let column = |mutant: &Mutant| matrix.mutants.iter().position(|other| other.name == mutant.name);
        let survivor = |(suite, mutant): (&'a SuiteMatrix, &'a Mutant)| {
            let column = column(mutant)?;
            let nearest = nearest(suite, column)?;
            Some(Self { suite, mutant, nearest, column })
        };
        matrix.survivors().filter_map(survivor).collect()
    }

    /// Why it broke down, if it did: the first reason.
    pub(super) fn breakdown(&self) -> Option<&'a str> {
        self.breakdowns().next()
    }

    fn breakdowns(&self) -> impl Iterator<Item = &'a str> {
        self.cells().filter_map(|cell| match cell {
            Outcome::Error(reason) => Some(&**reason),
            _ => None,
        })
    }

    fn cells(&self) -> impl Iterator<Item = &'a Outcome> {
        let column = self.column;
        self.suite.fixtures.iter().filter_map(move |line| line.cells.get(column))
    }

    /// That nothing catches it, and what it does.
    pub(super) fn sentence(&self) -> String {
        let about = sentence(&lower_first(self.mutant.about));
        format!("No fixture of the suite {} would notice: {about}", self.suite.name)
    }

    /// What the business notices, as a sentence; nothing where that isn't said.
    pub(super) fn consequence(&self) -> Option<String> {
        let consequence = self.mutant.consequence;
        (!consequence.is_empty()).then(|| sentence(consequence))
    }

    /// What the business notices, in quotes, if that is said; and that nothing catches it.
    pub(super) fn told(&self) -> String {
        let noticed = self.consequence().map(|consequence| format!("\"{consequence}\" "));
        format!("{}{}", noticed.unwrap_or_default(), self.sentence())
    }

    /// Why no fixture catches it: how many miss it for which cause, and whether it broke down.
    pub(super) fn reason(&self) -> String {
        let told = Cause::ALL.into_iter().filter_map(|cause| {
            let is_meant = |cell: &&Outcome| matches!(cell, Outcome::Missed(miss) if miss.cause == cause);
            let count = self.cells().filter(is_meant).count();
            let (fixtures, ask) = (counted(count, "fixture"), if count == 1 { "asks" } else { "ask" });
            let told = match cause {
                Cause::NotReached => format!("{fixtures} never {ask} for that decision"),
                Cause::SameAnswer => format!("{fixtures} {ask} for it, and no answer differs"),
                Cause::Masked => format!("in {fixtures} an answer differs inside, not in the rows"),
            };
            (0 < count).then_some(told)
        });
        let told: Vec<String> = told.collect();
        let missed = (!told.is_empty())
            .then(|| format!("Why (the decision is `{}`): {}.", self.mutant.breaks.name(), told.join("; ")));
        let broken = self.breakdown().map(|first| {
            let fixtures = counted(self.breakdowns().count(), "fixture");
            format!("It broke down on {fixtures}, which is no catch: {first}.")
        });
        missed.into_iter().chain(broken).collect::<Vec<String>>().join(" ")
    }

    /// The command to go on.
    pub(super) fn explain(&self, program: &str) -> String {
        format!("{program} explain {} {}", self.mutant.name, pasted(&self.nearest.path))
    }
}

/// The fixture that comes nearest to a catch, of those in which the mutant can differ: the first of them.
fn nearest(suite: &SuiteMatrix, column: usize) -> Option<&Line> {
    let rank = |line: &Line| match line.cells.get(column)? {
        Outcome::Missed(miss) => Some(1 + miss.cause as usize),
        Outcome::Error(_) => Some(0),
        Outcome::Caught(_) | Outcome::NotApplicable(_) => None,
    };
    let ranked = suite.fixtures.iter().filter_map(|line| Some((rank(line)?, line)));
    ranked.rev().max_by_key(|(rank, _)| *rank).map(|(_, line)| line)
}

/// Where the reference disagrees with a fixture, as a sentence.
pub(super) fn disagreement(line: &Line) -> String {
    let numbers: Vec<String> =
        line.baseline.differences.iter().map(|it| (it.checkpoint + 1).to_string()).collect();
    let differs = match &*numbers {
        [] => None,
        [number] => Some(format!("expects otherwise than AUTO CDC does at checkpoint {number}")),
        numbers => {
            Some(format!("expects otherwise than AUTO CDC does at checkpoints {}", numbers.join(", ")))
        }
    };
    differs.into_iter().chain(line.baseline.failure.clone()).collect::<Vec<String>>().join("; ")
}

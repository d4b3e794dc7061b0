//! Every fixture against every mutant, as a plain value.

use std::num::NonZero;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use cdc_core::{Mutant, Reference};
use serde::Serialize;

use crate::catalogue::by_family;
use crate::fixture::{Fixture, Fixtures, Suite};
use crate::threads::{processors, shared_out};
use crate::verdict::{self, Cause, Outcome, Verdict};

/// What came of every mutant on every fixture.
///
/// ```
/// use cdc_killmatrix::{Fixtures, Matrix, catalogue};
///
/// let fixtures = Fixtures::load(["../fixtures/customers_current"])?;
/// let matrix = Matrix::of(&fixtures, &catalogue::all());
/// assert!(matrix.disagreements().next().is_none(), "the reference gives the expected rows");
/// assert!(matrix.survivors().next().is_none(), "every mutant is caught");
/// # Ok::<(), cdc_killmatrix::Diagnostics>(())
/// ```
#[derive(Clone, Debug)]
pub struct Matrix {
    /// The mutants: the columns.
    pub mutants: Vec<Mutant>,
    /// The suites, each a table of its own.
    pub suites: Vec<SuiteMatrix>,
    /// The mutants that need not be caught.
    pub ignored: Vec<Ignored>,
}

/// A mutant that need not be caught, for a reason that somebody gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ignored {
    /// The mutant.
    pub mutant: String,
    /// The suite; `None` means all.
    pub suite: Option<String>,
    /// Why.
    pub reason: String,
}

impl Ignored {
    /// Whether it speaks of a mutant in a suite.
    pub(crate) fn is_meant(&self, suite: &str, mutant: &str) -> bool {
        self.mutant == mutant && self.suite.as_ref().is_none_or(|name| name == suite)
    }
}

/// The part of a matrix that belongs to a suite.
#[derive(Clone, Debug)]
pub struct SuiteMatrix {
    /// The name of the suite.
    pub name: String,
    /// Its title.
    pub title: String,
    /// Whether its fixtures are held against the mutants.
    pub audited: bool,
    /// The fixtures: the rows.
    pub fixtures: Vec<Line>,
}

/// A fixture's line of a matrix.
#[derive(Clone, Debug)]
pub struct Line {
    /// The name of the fixture.
    pub name: String,
    /// Its title.
    pub title: String,
    /// Its file.
    pub path: PathBuf,
    /// How many checkpoints it has.
    pub checkpoints: usize,
    /// How many of them expect nothing.
    pub uncompared: usize,
    /// The names of the mutants that the fixture is there to catch.
    pub aims_at: Vec<String>,
    /// What the reference gets wrong: nothing, or no mutant is tried.
    pub baseline: Verdict,
    /// What came of each mutant, in the order of the mutants. Empty where none was tried.
    pub cells: Vec<Outcome>,
}

impl Matrix {
    /// Plays every fixture under the reference and, where that agrees everywhere, under every mutant.
    ///
    /// Suites that aren't audited are played under the reference only.
    pub fn of(fixtures: &Fixtures, mutants: &[Mutant]) -> Self {
        Self::watched(fixtures, mutants, &|_, _| {})
    }

    /// The same, told how many fixtures are played under all mutants, and of how many, each time that one more is.
    pub(crate) fn watched(
        fixtures: &Fixtures,
        mutants: &[Mutant],
        progress: &(dyn Fn(usize, usize) + Sync),
    ) -> Self {
        let mut suites: Vec<SuiteMatrix> = fixtures.suites.iter().map(SuiteMatrix::baseline).collect();
        let agree = suites.iter().flat_map(|suite| &suite.fixtures).all(|line| line.baseline.agrees());
        if agree {
            let audited = fixtures.suites.iter().zip(&mut suites).filter(|(suite, _)| suite.audited);
            let lines: Vec<(&Fixture, &mut Line)> =
                audited.flat_map(|(suite, table)| suite.fixtures.iter().zip(&mut table.fixtures)).collect();
            // A thread costs as much as some dozen cells.
            let threads =
                if lines.len() * mutants.len() < 500 { NonZero::<usize>::MIN } else { processors() };
            let (done, all) = (AtomicUsize::new(0), lines.len());
            shared_out(threads, lines, |(fixture, line)| {
                line.cells = mutants.iter().map(|mutant| verdict::try_mutant(mutant, fixture)).collect();
                progress(done.fetch_add(1, Ordering::Relaxed) + 1, all);
            });
        }
        Self { mutants: mutants.to_vec(), suites, ignored: Vec::new() }
    }

    /// The same, with the first answer that differed, in words, in each cell that is masked. `fixtures` are those of which
    /// it was made. These cells are played once more: words cost more than most answers, and few reports show them.
    #[must_use]
    pub fn in_words(mut self, fixtures: &Fixtures) -> Self {
        let lines = self.suites.iter_mut().flat_map(|suite| &mut suite.fixtures);
        let lines: Vec<(&Fixture, &mut Line)> =
            fixtures.pairs().map(|(_, fixture)| fixture).zip(lines).collect();
        let mutants = &self.mutants;
        shared_out(processors(), lines, |(fixture, line)| {
            for (mutant, cell) in mutants.iter().zip(&mut line.cells) {
                if matches!(cell, Outcome::Missed(miss) if miss.cause == Cause::Masked) {
                    *cell = verdict::watch_mutant(mutant, fixture, 0);
                }
            }
        });
        self
    }

    /// The fixtures, each with its suite, in the order of [`Fixtures::pairs`].
    pub fn lines(&self) -> impl Iterator<Item = (&SuiteMatrix, &Line)> {
        self.suites.iter().flat_map(|suite| suite.fixtures.iter().map(move |line| (suite, line)))
    }

    /// The fixtures with which the reference disagrees, each with its suite.
    pub fn disagreements(&self) -> impl Iterator<Item = (&SuiteMatrix, &Line)> {
        self.lines().filter(|(_, line)| !line.baseline.agrees())
    }

    /// The mutants that no fixture of an audited suite catches though they can differ there, with the suite. Of one that
    /// is declared equivalent none need, nor of one that is ignored.
    pub fn survivors(&self) -> impl Iterator<Item = (&SuiteMatrix, &Mutant)> {
        self.suites.iter().flat_map(move |suite| {
            let survives = move |column: &usize| suite.standing(*column) == Standing::Survives;
            (0..self.mutants.len())
                .filter(survives)
                .filter(move |&column| self.excuse(suite, column).is_none())
                .map(move |column| (suite, &self.mutants[column]))
        })
    }

    /// Why the mutant in a column need not be caught in a suite, if it need not.
    pub(crate) fn excuse(&self, suite: &SuiteMatrix, column: usize) -> Option<Excuse> {
        let mutant = &self.mutants[column];
        let is_ignored = self.ignored(&suite.name, mutant.name).is_some();
        mutant.equivalent.map(|_| Excuse::Equivalent).or(is_ignored.then_some(Excuse::Ignored))
    }

    /// Why somebody ignores a mutant in a suite, if somebody does.
    pub fn ignored(&self, suite: &str, mutant: &str) -> Option<&Ignored> {
        self.ignored.iter().find(|ignored| ignored.is_meant(suite, mutant))
    }

    /// The audited suites in which an ignored mutant would survive. There is none, and it is left out of none: nothing
    /// needs to be ignored.
    pub fn survived<'a>(&'a self, ignored: &'a Ignored) -> impl Iterator<Item = &'a SuiteMatrix> {
        self.meant(ignored, |suite, column| suite.standing(column) == Standing::Survives)
    }

    /// The suites that somebody left an ignored mutant out of, too: whether it would survive there, nobody knows.
    pub(crate) fn left_out<'a>(&'a self, ignored: &'a Ignored) -> impl Iterator<Item = &'a SuiteMatrix> {
        self.meant(ignored, SuiteMatrix::leaves_out)
    }

    /// Whether an ignored mutant is tried in some suite that is meant.
    pub(crate) fn tries(&self, ignored: &Ignored) -> bool {
        let is_tried =
            |suite: &SuiteMatrix, column| suite.fixtures.iter().any(|line| column < line.cells.len());
        self.meant(ignored, is_tried).next().is_some()
    }

    /// The suites of which a line speaks, and that are so in the column of its mutant.
    fn meant<'a>(
        &'a self,
        ignored: &'a Ignored,
        is_so: impl Fn(&SuiteMatrix, usize) -> bool,
    ) -> impl Iterator<Item = &'a SuiteMatrix> {
        let column = self.mutants.iter().position(|mutant| mutant.name == ignored.mutant);
        self.suites.iter().filter(move |suite| {
            ignored.suite.as_ref().is_none_or(|name| *name == suite.name)
                && column.is_some_and(|column| is_so(suite, column))
        })
    }

    /// Whether somebody left a mutant out of a suite.
    pub(crate) fn is_left_out(&self, suite: &str, mutant: &str) -> bool {
        let column = self.mutants.iter().position(|it| it.name == mutant);
        let suite = self.suites.iter().find(|it| it.name == suite);
        suite.zip(column).is_some_and(|(suite, column)| suite.leaves_out(column))
    }

    /// The kinds of fault, each with the columns of its mutants, in the order in which they first occur.
    pub fn families(&self) -> Vec<(&'static str, Vec<usize>)> {
        by_family(0..self.mutants.len(), |&column| self.mutants[column].family)
    }
}

/// How a mutant fares in a suite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Some fixture catches it: how many do.
    Caught(usize),
    /// No fixture catches it.
    Survives,
    /// It can differ under no fixture's flow, or none was tried.
    NotApplicable,
}

/// Why a mutant that survives is no fault of the fixtures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Excuse {
    /// It is declared equivalent.
    Equivalent,
    /// The configuration ignores it.
    Ignored,
}

impl Excuse {
    /// The word for it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Equivalent => "equivalent",
            Self::Ignored => "ignored",
        }
    }
}

/// How many cells of a suite there are of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Those of mutants that can differ under the fixture's flow.
    pub cells: usize,
    /// A comparison found wrong rows.
    pub caught: usize,
    /// Missed: the broken decision was never asked for.
    pub not_reached: usize,
    /// Missed: it was asked for, and each answer was the right one.
    pub same_answer: usize,
    /// Missed: some answer was wrong, and the rows are right all the same.
    pub masked: usize,
    /// The mutant broke down.
    pub error: usize,
    /// Beside `cells`: the mutant can't differ.
    pub not_applicable: usize,
}

impl Counts {
    fn add(&mut self, outcome: &Outcome) {
        let (of_kind, is_tried) = match outcome {
            Outcome::Caught(_) => (&mut self.caught, true),
            Outcome::Missed(miss) => match miss.cause {
                Cause::NotReached => (&mut self.not_reached, true),
                Cause::SameAnswer => (&mut self.same_answer, true),
                Cause::Masked => (&mut self.masked, true),
            },
            Outcome::Error(_) => (&mut self.error, true),
            Outcome::NotApplicable(_) => (&mut self.not_applicable, false),
        };
        *of_kind += 1;
        self.cells += usize::from(is_tried);
    }
}

impl SuiteMatrix {
    fn baseline(suite: &Suite) -> Self {
        Self {
            name: suite.name.clone(),
            title: suite.title.clone(),
            audited: suite.audited,
            fixtures: suite.fixtures.iter().map(Line::baseline).collect(),
        }
    }

    /// The columns of the mutants that can differ under some fixture's flow, and of those that can't.
    pub fn columns(&self) -> (Vec<usize>, Vec<usize>) {
        let count = self.fixtures.iter().map(|line| line.cells.len()).max().unwrap_or(0);
        (0..count).partition(|&column| self.standing(column) != Standing::NotApplicable)
    }

    /// How the mutant in a column fares.
    pub fn standing(&self, column: usize) -> Standing {
        let cells = || self.fixtures.iter().filter_map(|line| line.cells.get(column));
        let caught = cells().filter(|cell| matches!(cell, Outcome::Caught(_))).count();
        if 0 < caught {
            return Standing::Caught(caught);
        }
        let applicable = cells().any(|cell| !matches!(cell, Outcome::NotApplicable(_)));
        if applicable { Standing::Survives } else { Standing::NotApplicable }
    }

    /// Whether somebody left the mutant in a column out of the suite.
    pub(crate) fn leaves_out(&self, column: usize) -> bool {
        self.fixtures.iter().filter_map(|line| line.cells.get(column)).any(Outcome::is_left_out)
    }

    /// How many cells there are of each kind.
    pub fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        self.fixtures.iter().flat_map(|line| &line.cells).for_each(|cell| counts.add(cell));
        counts
    }

    /// Whether some fixture catches the mutant in a column, and each that does at its first checkpoint.
    pub fn is_trivial(&self, column: usize) -> bool {
        let mut caught = self.fixtures.iter().filter_map(|line| match line.cells.get(column)? {
            Outcome::Caught(differences) => Some(differences.first()?.checkpoint),
            _ => None,
        });
        caught.next() == Some(0) && caught.all(|checkpoint| checkpoint == 0)
    }
}

impl Line {
    /// Whether a catch of this mutant is no aim of the fixture, which has others.
    pub fn is_incidental(&self, mutant: &str) -> bool {
        !self.aims_at.is_empty() && self.aims_at.iter().all(|aim| aim != mutant)
    }

    fn baseline(fixture: &Fixture) -> Self {
        Self {
            name: fixture.name.clone(),
            title: fixture.title.clone(),
            path: fixture.path.clone(),
            checkpoints: fixture.checkpoints.len(),
            uncompared: fixture.checkpoints.iter().filter(|checkpoint| !checkpoint.is_compared()).count(),
            aims_at: fixture.aims_at.clone(),
            baseline: verdict::play(&Reference, fixture),
            cells: Vec::new(),
        }
    }
}

//! Every fixture against every mutant, as a plain value.

use std::path::PathBuf;

use cdc_core::{Mutant, Reference};

use crate::fixture::{Fixture, Fixtures, Suite};
use crate::verdict::{self, Outcome, Verdict};

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
        let mut suites: Vec<SuiteMatrix> = fixtures.suites.iter().map(SuiteMatrix::baseline).collect();
        let agree = suites.iter().flat_map(|suite| &suite.fixtures).all(|line| line.baseline.agrees());
        if agree {
            for (suite, table) in fixtures.suites.iter().zip(&mut suites).filter(|(suite, _)| suite.audited) {
                for (fixture, line) in suite.fixtures.iter().zip(&mut table.fixtures) {
                    line.cells = mutants.iter().map(|mutant| verdict::try_mutant(mutant, fixture)).collect();
                }
            }
        }
        Self { mutants: mutants.to_vec(), suites }
    }

    /// The fixtures, each with its suite, in the order of [`Fixtures::pairs`].
    pub fn lines(&self) -> impl Iterator<Item = (&SuiteMatrix, &Line)> {
        self.suites.iter().flat_map(|suite| suite.fixtures.iter().map(move |line| (suite, line)))
    }

    /// The fixtures with which the reference disagrees, each with its suite.
    pub fn disagreements(&self) -> impl Iterator<Item = (&SuiteMatrix, &Line)> {
        self.lines().filter(|(_, line)| !line.baseline.agrees())
    }

    /// The mutants that no fixture of an audited suite catches though they can differ there, with the suite.
    pub fn survivors(&self) -> impl Iterator<Item = (&SuiteMatrix, &Mutant)> {
        self.suites.iter().flat_map(move |suite| {
            let survives = move |column: &usize| suite.standing(*column) == Standing::Survives;
            (0..self.mutants.len()).filter(survives).map(move |column| (suite, &self.mutants[column]))
        })
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
}

impl Line {
    fn baseline(fixture: &Fixture) -> Self {
        Self {
            name: fixture.name.clone(),
            title: fixture.title.clone(),
            path: fixture.path.clone(),
            checkpoints: fixture.checkpoints.len(),
            uncompared: fixture.checkpoints.iter().filter(|checkpoint| !checkpoint.is_compared()).count(),
            baseline: verdict::play(&Reference, fixture),
            cells: Vec::new(),
        }
    }
}

//! What the fixtures of a suite do beside each other: which would be enough, which add nothing, what only one sees.
//!
//! All of it follows from the [`Matrix`], but for what would tell mutants apart: that is searched for.

mod apart;
mod cover;
mod definition;
mod state;
mod compare;

use cdc_core::Mutant;

use crate::matrix::{Line, Matrix, SuiteMatrix};
use crate::suggest::Suggested;
use crate::verdict::{Cause, Outcome};

pub use apart::tell_apart;
pub use compare::{Change, Comparison, Grade, Kind, compare};
pub use cover::{Cover, EXACT, Proof};
pub use definition::fingerprint;
pub use state::{Known, State, SuiteState};

/// The audit of every audited suite.
///
/// ```
/// use cdc_killmatrix::{Fixtures, Matrix, audit, catalogue};
///
/// let fixtures = Fixtures::load(["../fixtures/customers_current"])?;
/// let matrix = Matrix::of(&fixtures, &catalogue::all());
/// let suites = audit::of(&matrix);
/// assert!(suites[0].cover.fixtures.len() < suites[0].fixtures.len(), "some add nothing beside the others");
/// # Ok::<(), cdc_killmatrix::Diagnostics>(())
/// ```
pub fn of(matrix: &Matrix) -> Vec<Audit<'_>> {
    matrix.suites.iter().filter(|suite| suite.audited).map(|suite| Audit::of(matrix, suite)).collect()
}

/// What the fixtures of one suite do beside each other.
#[derive(Clone, Debug)]
pub struct Audit<'a> {
    /// The suite.
    pub suite: &'a SuiteMatrix,
    /// Its fixtures, in its order. All numbers of fixtures are places in this list.
    pub fixtures: &'a [Line],
    /// The mutants that some fixture catches, with the numbers of the fixtures that do. All numbers of mutants are
    /// places in this list.
    pub caught: Vec<(&'a Mutant, Vec<usize>)>,
    /// The mutants that can differ and that no fixture catches, though some should.
    pub missed: Vec<&'a Mutant>,
    /// The smallest set of fixtures that catches all of them.
    pub cover: Cover,
    /// The fixtures that add nothing beside others.
    pub needless: Vec<Needless>,
    /// The fixtures that catch what no other does, with the numbers of the mutants.
    pub sole: Vec<(usize, Vec<usize>)>,
    /// Mutants that are caught by the same fixtures, so that none tells which of them it is.
    pub alike: Vec<Alike>,
    /// For each decision that some mutant takes wrongly here, what each fixture sees of it.
    pub hooks: Vec<(&'static str, Vec<Seen>)>,
}

/// Mutants that are caught by the same fixtures.
#[derive(Clone, Debug)]
pub struct Alike {
    /// The mutants, at least two.
    pub mutants: Vec<usize>,
    /// The fixture that would tell some of them from the others. `None` until [`tell_apart`] looks for it.
    pub told_apart: Option<Suggested>,
}

/// A fixture that adds nothing beside others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Needless {
    /// The fixture.
    pub fixture: usize,
    /// The fewest others that catch all that it catches; none where it catches nothing.
    pub beside: Vec<usize>,
}

/// What a fixture sees of a decision that is taken wrongly, by the mutant of which it sees most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Seen {
    /// Its flow leaves the mutants nothing to do wrong, or they broke down.
    Nothing,
    /// The decision is never asked for.
    NotAsked,
    /// It is asked for; no answer differs.
    Asked,
    /// An answer differs; the rows don't.
    Differs,
    /// The rows differ.
    Caught,
}

impl Seen {
    /// The word in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Nothing => "not_applicable",
            Self::NotAsked => "not_asked",
            Self::Asked => "asked",
            Self::Differs => "differs",
            Self::Caught => "caught",
        }
    }

    fn of(outcome: &Outcome) -> Self {
        match outcome {
            Outcome::Caught(_) => Self::Caught,
            Outcome::Missed(miss) => match miss.cause {
                Cause::NotReached => Self::NotAsked,
                Cause::SameAnswer => Self::Asked,
                Cause::Masked => Self::Differs,
            },
            Outcome::Error(_) | Outcome::NotApplicable(_) => Self::Nothing,
        }
    }
}

impl<'a> Audit<'a> {
    fn of(matrix: &'a Matrix, suite: &'a SuiteMatrix) -> Self {
        let by = |column: usize| -> Vec<usize> {
            let catches = |line: &Line| matches!(line.cells.get(column), Some(Outcome::Caught(_)));
            (0..suite.fixtures.len()).filter(|&fixture| catches(&suite.fixtures[fixture])).collect()
        };
        let columns = matrix.mutants.iter().enumerate();
        let caught: Vec<(&Mutant, Vec<usize>)> =
            columns.map(|(column, mutant)| (mutant, by(column))).filter(|(_, by)| !by.is_empty()).collect();
        let lists: Vec<Vec<usize>> = caught.iter().map(|(_, by)| by.clone()).collect();
        let fixtures = 0..suite.fixtures.len();
        Self {
            cover: Cover::of(&lists),
            needless: fixtures.clone().filter_map(|fixture| Needless::of(fixture, &lists)).collect(),
            sole: fixtures
                .map(|fixture| (fixture, (0..lists.len()).filter(|&at| lists[at] == [fixture]).collect()))
                .filter(|(_, only): &(usize, Vec<usize>)| !only.is_empty())
                .collect(),
            missed: matrix
                .survivors()
                .filter(|(it, _)| std::ptr::eq(*it, suite))
                .map(|(_, mutant)| mutant)
                .collect(),
            alike: alike(&lists),
            hooks: hooks(matrix, suite),
            fixtures: &suite.fixtures,
            suite,
            caught,
        }
    }

    /// The names of fixtures.
    pub fn names(&self, fixtures: &[usize]) -> Vec<&'a str> {
        fixtures.iter().map(|&fixture| self.fixtures[fixture].name.as_str()).collect()
    }

    /// The names of mutants.
    pub fn mutants(&self, mutants: &[usize]) -> Vec<&'static str> {
        mutants.iter().map(|&mutant| self.caught[mutant].0.name).collect()
    }
}

impl Needless {
    /// `None` where the fixture catches what no other does.
    fn of(fixture: usize, lists: &[Vec<usize>]) -> Option<Self> {
        let its_own = lists.iter().filter(|list| list.contains(&fixture));
        let others = its_own.map(|list| list.iter().copied().filter(|&other| other != fixture).collect());
        let others: Vec<Vec<usize>> = others.collect();
        let is_needed = others.iter().any(Vec::is_empty);
        (!is_needed).then(|| Self { fixture, beside: Cover::of(&others).fixtures })
    }
}

/// The groups of mutants with the same fixtures, in the order of their first ones.
fn alike(lists: &[Vec<usize>]) -> Vec<Alike> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for mutant in 0..lists.len() {
        match groups.iter_mut().find(|group| lists[group[0]] == lists[mutant]) {
            Some(group) => group.push(mutant),
            None => groups.push(vec![mutant]),
        }
    }
    groups.retain(|group| 1 < group.len());
    groups.into_iter().map(|mutants| Alike { mutants, told_apart: None }).collect()
}

fn hooks(matrix: &Matrix, suite: &SuiteMatrix) -> Vec<(&'static str, Vec<Seen>)> {
    let mut hooks: Vec<&'static str> = Vec::new();
    for mutant in &matrix.mutants {
        if !hooks.contains(&mutant.breaks.name()) {
            hooks.push(mutant.breaks.name());
        }
    }
    let seen = |hook: &str, line: &Line| {
        let cells = matrix.mutants.iter().zip(&line.cells).filter(|(mutant, _)| mutant.breaks.name() == hook);
        cells.map(|(_, outcome)| Seen::of(outcome)).max().unwrap_or(Seen::Nothing)
    };
    let seen_by_all =
        |hook| (hook, suite.fixtures.iter().map(|line| seen(hook, line)).collect::<Vec<Seen>>());
    let all = hooks.into_iter().map(seen_by_all);
    all.filter(|(_, seen)| seen.iter().any(|&seen| seen != Seen::Nothing)).collect()
}

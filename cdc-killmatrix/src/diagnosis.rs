//! From the rows that a real pipeline left to the fault that gives exactly those rows.

use std::cmp::max;

use cdc_core::{AutoCdc, Mutant, Plan, Reference, Refusal, Row, Schema, Table};

use crate::fixture::Fixture;
use crate::threads;
use crate::verdict::{self, Shown, applies};

/// What explains the `observed` rows of a fixture.
///
/// ```
/// use cdc_killmatrix::{Fixtures, catalogue, diagnosis::{Diagnosis, Explanation}};
///
/// let fixtures = Fixtures::load_events(["../fixtures/reports/b16_arrival_order.json"])?;
/// let diagnosis = Diagnosis::of(&fixtures.suites[0].fixtures[0], &catalogue::all()).unwrap();
/// let Explanation::Mutants(mutants) = diagnosis.explanation else { panic!("no single fault fits") };
/// assert!(mutants.iter().any(|mutant| mutant.name == "arrival_order"));
/// # Ok::<(), cdc_killmatrix::Diagnostics>(())
/// ```
#[derive(Clone, Debug)]
pub struct Diagnosis {
    /// What gives exactly these rows.
    pub explanation: Explanation,
    /// Where the reference's rows are others than the observed ones.
    pub reference: Vec<Gap>,
    /// The mutants that give neither these rows nor the reference's, the nearest first.
    pub nearest: Vec<Near>,
}

/// What gives exactly the observed rows, at every checkpoint that has some.
#[derive(Clone, Debug)]
pub enum Explanation {
    /// AUTO CDC itself, so that no mutant is to blame.
    Reference,
    /// Each of these mutants, at least one.
    Mutants(Vec<Mutant>),
    /// No single mutant, but each of these pairs, at least one.
    Pairs(Vec<[Mutant; 2]>),
    /// Neither a mutant nor two.
    Nothing,
}

impl Explanation {
    /// The word for it in JSON.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Reference => "reference",
            Self::Mutants(_) => "mutants",
            Self::Pairs(_) => "pairs",
            Self::Nothing => "nothing",
        }
    }

    /// Whether the reference or a single mutant gives the rows.
    pub fn is_single(&self) -> bool {
        matches!(self, Self::Reference | Self::Mutants(_))
    }
}

/// A mutant that comes near.
#[derive(Clone, Debug)]
pub struct Near {
    /// The mutant.
    pub mutant: Mutant,
    /// Where its rows are others than the observed ones, at least one.
    pub gaps: Vec<Gap>,
}

impl Near {
    /// How many rows differ, at all checkpoints together.
    pub fn rows(&self) -> usize {
        rows(&self.gaps)
    }
}

/// A checkpoint at which a model shows other rows than were observed.
#[derive(Clone, Debug)]
pub struct Gap {
    /// The number of the checkpoint, from 0.
    pub checkpoint: usize,
    /// The columns that the model shows.
    pub target: Schema,
    /// The rows that it shows.
    pub table: Table,
    /// Why it refuses the batch, if it does.
    pub refusal: Option<Refusal>,
    /// How many rows differ: two of one key, and of one start in a history, count once.
    pub rows: usize,
}

/// How many rows differ at these checkpoints.
pub fn rows(gaps: &[Gap]) -> usize {
    gaps.iter().map(|gap| gap.rows).sum()
}

impl Diagnosis {
    /// Tries the reference, each mutant that applies, and, if none of them fits, every two of them that break different
    /// hooks.
    ///
    /// A model that breaks down, or refuses a batch that the reference takes, doesn't fit: it would have been noticed.
    /// The error says why the reference can't be played, or that nothing was observed.
    pub fn of(fixture: &Fixture, mutants: &[Mutant]) -> Result<Self, String> {
        if !is_observed(fixture) {
            return Err("no checkpoint has `observed` rows".to_owned());
        }
        let right = verdict::tables(&Reference, fixture)?;
        let incident = Incident { fixture, right: &right };
        let reference = incident.gaps(&right);
        let applicable: Vec<Mutant> =
            mutants.iter().filter(|mutant| applies(mutant, fixture).is_ok()).copied().collect();
        let (mut exact, mut nearest) = (Vec::new(), Vec::new());
        for &mutant in &applicable {
            match incident.gaps_of(&mutant) {
                Some(gaps) if gaps.is_empty() => exact.push(mutant),
                Some(gaps) if !same_rows(&gaps, &reference) => nearest.push(Near { mutant, gaps }),
                _ => {}
            }
        }
        nearest.sort_by_key(Near::rows);
        let explanation = match (&*reference, &*exact) {
            ([], _) => Explanation::Reference,
            (_, [_, ..]) => Explanation::Mutants(exact),
            (_, []) => match incident.pairs(&applicable) {
                pairs if pairs.is_empty() => Explanation::Nothing,
                pairs => Explanation::Pairs(pairs),
            },
        };
        Ok(Self { explanation, reference, nearest })
    }
}

/// Whether a checkpoint of a fixture has observed rows.
pub fn is_observed(fixture: &Fixture) -> bool {
    fixture.checkpoints.iter().any(|checkpoint| checkpoint.observed.is_some())
}

/// Whether two models show the same rows wherever they show others than were observed.
fn same_rows(some: &[Gap], others: &[Gap]) -> bool {
    let shown = |gap: &Gap| (gap.checkpoint, gap.target.clone(), gap.table.clone());
    some.iter().map(shown).eq(others.iter().map(shown))
}

/// How many rows differ between two tables of a plan's target; two of one key and start count once.
fn differing(plan: &Plan, some: &Table, others: &Table) -> usize {
    let target = plan.target();
    let starts = [Plan::BOUNDS[0], Plan::SYSTEM_BOUNDS[0]].into_iter().filter_map(|name| target.find(name));
    let places: Vec<usize> = plan.target_keys().iter().copied().chain(starts).collect();
    let place = |row: &Row| places.iter().map(|&column| row[column].clone()).collect();
    let of_places = |rows: Vec<&Row>| Table::new(rows.into_iter().map(place).collect());
    let (some, others) = (of_places(some.without(others)), of_places(others.without(some)));
    some.rows().len() + others.without(&some).len()
}

/// A fixture with observed rows, and what the reference shows in their place.
struct Incident<'a> {
    fixture: &'a Fixture,
    right: &'a [Shown],
}

impl Incident<'_> {
    /// Where a model gives other rows than were observed; `None` where it can't have been the pipeline.
    fn gaps_of<M: AutoCdc + ?Sized>(&self, model: &M) -> Option<Vec<Gap>> {
        let shown = verdict::tables(model, self.fixture).ok()?;
        let refuses = |(model, right): (&Shown, &Shown)| model.refusal.is_some() && right.refusal.is_none();
        let is_noticed = shown.iter().zip(self.right).any(refuses);
        (!is_noticed).then(|| self.gaps(&shown))
    }

    fn gaps(&self, shown: &[Shown]) -> Vec<Gap> {
        let checkpoints = self.fixture.checkpoints.iter().zip(shown).enumerate();
        let gap = |(checkpoint, (observed, shown)): (usize, (&Option<Table>, &Shown))| {
            let Shown { target, table, refusal, .. } = shown;
            let observed = observed.as_ref()?;
            // A table of other columns has no row in common with it, be both without rows.
            let has_other_columns = target != self.fixture.plan().target();
            if !has_other_columns && observed == table {
                return None;
            }
            let rows = if has_other_columns {
                max(observed.rows().len(), table.rows().len()).max(1)
            } else {
                differing(self.fixture.plan(), observed, table)
            };
            Some(Gap {
                checkpoint,
                target: target.clone(),
                table: table.clone(),
                refusal: refusal.clone(),
                rows,
            })
        };
        checkpoints.map(|(number, (it, shown))| (number, (&it.observed, shown))).filter_map(gap).collect()
    }

    /// Every two mutants that give the observed rows together.
    fn pairs(&self, mutants: &[Mutant]) -> Vec<[Mutant; 2]> {
        let after = |place: usize| mutants[place + 1..].iter().map(move |&other| [mutants[place], other]);
        let mut pairs: Vec<([Mutant; 2], bool)> = (0..mutants.len())
            .flat_map(after)
            .filter(|[one, other]| one.breaks.name() != other.breaks.name())
            .map(|pair| (pair, false))
            .collect();
        let refused: Vec<bool> = self.right.iter().map(|shown| shown.refusal.is_some()).collect();
        threads::shared_out(threads::processors(), pairs.iter_mut().collect(), |(pair, fits)| {
            *fits = verdict::gives_observed(&pair[..], self.fixture, &refused);
        });
        pairs.into_iter().filter(|(_, fits)| *fits).map(|(pair, _)| pair).collect()
    }
}

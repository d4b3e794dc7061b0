//! What weaker tests than a comparison of all rows would have seen.

use std::collections::BTreeSet;

use cdc_core::{AutoCdc, Mutant, Plan, Reference, Row, Schema, Table, Value};

use crate::fixture::{Checkpoint, Fixture, Fixtures};
use crate::verdict;

/// What a test may look at, the weakest first.
///
/// Each looks at one thing; all but the first see a run that breaks down as well, for then there are no rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Check {
    /// That the run is green: every batch is taken, and those are refused that must be.
    Green,
    /// The columns of the target, and their types.
    Schema,
    /// How many rows there are.
    RowCount,
    /// Which keys there are, each once.
    Keys,
    /// Which rows there are, each once.
    DistinctRows,
    /// All rows, each as often as it is there.
    Rows,
}

impl Check {
    /// Every check, the weakest first.
    pub const ALL: [Self; 6] =
        [Self::Green, Self::Schema, Self::RowCount, Self::Keys, Self::DistinctRows, Self::Rows];

    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Green => "green run",
            Self::Schema => "schema",
            Self::RowCount => "row count",
            Self::Keys => "keys",
            Self::DistinctRows => "distinct rows",
            Self::Rows => "all rows",
        }
    }
}

/// When a test looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Setting {
    /// After every checkpoint.
    EveryCheckpoint,
    /// After the last one only.
    LastCheckpoint,
    /// After a full refresh: all events as one batch on an empty target, held against the rows of the last checkpoint.
    FullRefresh,
}

impl Setting {
    /// Every setting.
    pub const ALL: [Self; 3] = [Self::EveryCheckpoint, Self::LastCheckpoint, Self::FullRefresh];

    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::EveryCheckpoint => "every checkpoint",
            Self::LastCheckpoint => "last checkpoint",
            Self::FullRefresh => "full refresh",
        }
    }
}

/// By which checks each mutant would have been seen, by some fixture of the audited suites.
///
/// ```
/// use cdc_killmatrix::{Assertions, Check, Fixtures, Setting, catalogue};
///
/// let fixtures = Fixtures::load(["../fixtures/customers_current"])?;
/// let assertions = Assertions::of(&fixtures, &catalogue::all());
/// let seen = assertions.mutants.iter().find(|seen| seen.mutant == "ignored_deletes").unwrap();
/// assert_eq!(seen.weakest(Setting::EveryCheckpoint), Some(Check::RowCount));
/// # Ok::<(), cdc_killmatrix::Diagnostics>(())
/// ```
#[derive(Clone, Debug)]
pub struct Assertions {
    /// How many fixtures were tried.
    pub fixtures: usize,
    /// With how many of them a full refresh could be tried: one flow, not from snapshots, and the reference then gives
    /// the rows of the last checkpoint.
    pub refreshed: usize,
    /// The mutants that can differ under some fixture's flow.
    pub mutants: Vec<Seen>,
}

/// By which checks a mutant would have been seen.
#[derive(Clone, Debug)]
pub struct Seen {
    /// The name of the mutant.
    pub mutant: &'static str,
    /// The checks that see it, in the order of [`Setting::ALL`]. `None`: there is no fixture to try it with.
    by: [Option<BTreeSet<Check>>; Setting::ALL.len()],
}

impl Seen {
    /// The checks that see it; `None` where it couldn't be tried.
    pub fn by(&self, setting: Setting) -> Option<&BTreeSet<Check>> {
        self.by[setting as usize].as_ref()
    }

    /// The weakest check that sees it, if any does.
    pub fn weakest(&self, setting: Setting) -> Option<Check> {
        self.by(setting)?.first().copied()
    }

    fn add(&mut self, setting: Setting, seen: BTreeSet<Check>) {
        self.by[setting as usize].get_or_insert_default().extend(seen);
    }
}

impl Assertions {
    /// Tries every fixture of an audited suite under every mutant that can differ there.
    ///
    /// The rows that are expected count, so the reference must agree with them.
    pub fn of(fixtures: &Fixtures, mutants: &[Mutant]) -> Self {
        let audited = fixtures.pairs().filter(|(suite, _)| suite.audited);
        let fixtures: Vec<&Fixture> = audited.map(|(_, fixture)| fixture).collect();
        let refreshed: Vec<&Fixture> = fixtures
            .iter()
            .copied()
            .filter(|fixture| verdict::replay(&Reference, fixture) == Some(Ok(true)))
            .collect();
        let seen = |mutant: &Mutant| {
            let mut seen = Seen { mutant: mutant.name, by: [const { None }; Setting::ALL.len()] };
            let applies = |fixture: &&&Fixture| verdict::applies(mutant, fixture).is_ok();
            for fixture in fixtures.iter().filter(applies) {
                let [every, last] = step_by_step(mutant, fixture);
                seen.add(Setting::EveryCheckpoint, every);
                seen.add(Setting::LastCheckpoint, last);
            }
            for fixture in refreshed.iter().filter(applies) {
                seen.add(Setting::FullRefresh, after_refresh(mutant, fixture));
            }
            seen
        };
        let mutants = mutants.iter().map(seen).filter(|seen| seen.by[0].is_some()).collect();
        Self { fixtures: fixtures.len(), refreshed: refreshed.len(), mutants }
    }

    /// How many mutants a check sees, of how many that could be tried.
    pub fn count(&self, check: Check, setting: Setting) -> (usize, usize) {
        let tried = self.mutants.iter().filter_map(|seen| seen.by(setting));
        tried.fold((0, 0), |(count, of), by| (count + usize::from(by.contains(&check)), of + 1))
    }
}

/// The checks that see a mutant after any checkpoint that expects something, and after the last one.
fn step_by_step<M: AutoCdc + ?Sized>(model: &M, fixture: &Fixture) -> [BTreeSet<Check>; 2] {
    let Ok(shown) = verdict::tables(model, fixture) else {
        return [broken_down(), broken_down()];
    };
    let (mut every, mut last) = (BTreeSet::new(), BTreeSet::new());
    for (checkpoint, shown) in fixture.checkpoints.iter().zip(shown) {
        let class = shown.refusal.map(|refusal| refusal.class.to_owned());
        if class.is_some() && checkpoint.expect_error.is_none() {
            return [broken_down(), broken_down()];
        }
        last.clear();
        if class != checkpoint.expect_error {
            last.insert(Check::Green);
        }
        last.extend(seen(fixture.plan(), &checkpoint.expect, &shown.target, &shown.table));
        every.extend(last.iter().copied());
    }
    [every, last]
}

fn after_refresh<M: AutoCdc + ?Sized>(model: &M, fixture: &Fixture) -> BTreeSet<Check> {
    match (verdict::refreshed(model, fixture), fixture.checkpoints.last()) {
        (Some(Ok((target, table))), Some(Checkpoint { expect, .. })) => {
            seen(fixture.plan(), expect, &target, &table)
        }
        (Some(Err(_)), _) => broken_down(),
        _ => BTreeSet::new(),
    }
}

/// Where there are no rows every check fails.
fn broken_down() -> BTreeSet<Check> {
    Check::ALL.into()
}

/// The checks of a table that see a difference from each of the tables that are right.
fn seen(plan: &Plan, expected: &[Table], target: &Schema, table: &Table) -> BTreeSet<Check> {
    if expected.is_empty() {
        return BTreeSet::new();
    }
    let keys: Option<Vec<usize>> =
        plan.target_keys().iter().map(|&key| target.find(&plan.target()[key].name)).collect();
    let expected_keys = plan.target_keys();
    let differs = |check: &Check| match check {
        Check::Green => false,
        Check::Schema => target != plan.target(),
        Check::RowCount => expected.iter().all(|right| right.rows().len() != table.rows().len()),
        Check::Keys => expected.iter().all(|right| {
            keys.as_ref().is_none_or(|keys| distinct_keys(right, expected_keys) != distinct_keys(table, keys))
        }),
        Check::DistinctRows => expected.iter().all(|right| distinct(right) != distinct(table)),
        Check::Rows => !expected.contains(table),
    };
    Check::ALL.into_iter().filter(differs).collect()
}

fn distinct_keys<'a>(table: &'a Table, keys: &[usize]) -> BTreeSet<Vec<Option<&'a Value>>> {
    table.rows().iter().map(|row| keys.iter().map(|&key| row.get(key)).collect()).collect()
}

fn distinct(table: &Table) -> BTreeSet<&Row> {
    table.rows().iter().collect()
}

#[cfg(test)]
mod tests;

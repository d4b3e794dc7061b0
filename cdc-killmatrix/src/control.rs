//! Controls of a run: copies of which it is known what must come of them.

use cdc_core::{Hook, Mutant};

use crate::fixture::{Fixture, Fixtures};
use crate::matrix::Matrix;
use crate::verdict::Outcome;

/// Two copies that show whether a run tells anything at all.
#[derive(Clone, Copy, Debug)]
pub struct Controls {
    /// A copy that changes nothing: every fixture must miss it.
    pub unchanged: Mutant,
    /// A copy whose table is always empty: every fixture that expects rows must catch it.
    pub empty: Mutant,
}

impl Default for Controls {
    fn default() -> Self {
        let admits = |about, admits| Mutant::new("control", about, admits);
        Self {
            unchanged: admits("Changes nothing", Hook::admits(|_, _, _| true)),
            empty: admits("Returns an empty table", Hook::admits(|_, _, _| false)),
        }
    }
}

/// A control of which the wrong thing came: then the run says nothing about mutants.
#[derive(Clone, Debug)]
pub struct Void {
    /// The name of the suite.
    pub suite: String,
    /// The name of the fixture.
    pub fixture: String,
    /// What the control does.
    pub control: &'static str,
    /// What had to come of it, as the outcome of a cell is called.
    pub expected: &'static str,
    /// What came.
    pub outcome: Outcome,
}

/// The controls that fail on the fixtures of audited suites, with which the reference must agree. There should be none.
///
/// ```
/// use cdc_killmatrix::control::{Controls, failures};
/// use cdc_killmatrix::Fixtures;
///
/// let fixtures = Fixtures::load(["../fixtures/customers_current"])?;
/// assert!(failures(&fixtures, &Controls::default()).is_empty());
/// # Ok::<(), cdc_killmatrix::Diagnostics>(())
/// ```
pub fn failures(fixtures: &Fixtures, controls: &Controls) -> Vec<Void> {
    let matrix = Matrix::of(fixtures, &[controls.unchanged, controls.empty]);
    let mut failures = Vec::new();
    for ((suite, fixture), (_, line)) in fixtures.pairs().zip(matrix.lines()) {
        let expected = [Some("missed"), expects_rows(fixture).then_some("caught")];
        let controls = [controls.unchanged, controls.empty];
        for ((expected, control), outcome) in expected.into_iter().zip(controls).zip(&line.cells) {
            let Some(expected) = expected.filter(|expected| *expected != outcome.name()) else { continue };
            failures.push(Void {
                suite: suite.name.clone(),
                fixture: fixture.name.clone(),
                control: control.about,
                expected,
                outcome: outcome.clone(),
            });
        }
    }
    failures
}

/// Whether an empty table is wrong at some checkpoint.
fn expects_rows(fixture: &Fixture) -> bool {
    let has_rows = |tables: &[cdc_core::Table]| {
        !tables.is_empty() && tables.iter().all(|table| !table.rows().is_empty())
    };
    fixture.checkpoints.iter().any(|checkpoint| has_rows(&checkpoint.expect))
}

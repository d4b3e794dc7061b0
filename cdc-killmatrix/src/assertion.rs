//! The matrix as an assertion, for `cargo test`.

use cdc_core::Mutant;

use crate::check;
use crate::fixture::Fixtures;
use crate::matrix::Matrix;
use crate::report::{self, Values};

/// How the commands begin that a failure suggests.
const PROGRAM: &str = "cdc-killmatrix";

/// Panics, showing the table, unless the fixtures catch every mutant.
///
/// ```
/// use cdc_killmatrix::{Fixtures, assert_caught, catalogue};
///
/// let fixtures = Fixtures::load(["../fixtures/customers_current"])?;
/// assert_caught(&fixtures, &catalogue::all());
/// # Ok::<(), cdc_killmatrix::Diagnostics>(())
/// ```
///
/// # Panics
///
/// If there is no mutant, a fixture has a conflict that it doesn't declare, the reference disagrees with a fixture, or a mutant that can differ under a suite's flows is caught by
/// none of its fixtures.
#[track_caller]
pub fn assert_caught(fixtures: &Fixtures, mutants: &[Mutant]) {
    assert!(!mutants.is_empty(), "there is no broken copy to be noticed");
    let failure = played(fixtures, mutants).and_then(|matrix| caught(&matrix)).err();
    assert!(failure.is_none(), "{}", failure.unwrap_or_default());
}

/// The matrix, or why there is none: a conflict that isn't declared, or a fixture with which the reference disagrees.
pub(crate) fn played(fixtures: &Fixtures, mutants: &[Mutant]) -> Result<Matrix, String> {
    check::undeclared_conflicts(fixtures).map_err(|conflicts| conflicts.to_string())?;
    let matrix = Matrix::of(fixtures, mutants);
    let disagreements = report::disagreements(fixtures, &matrix, Values::Shown, PROGRAM);
    if disagreements.is_empty() {
        return Ok(matrix);
    }
    Err(format!("AUTO CDC disagrees with the fixtures\n\n{}", disagreements.trim_end()))
}

/// Says which mutants survive, and shows the table.
pub(crate) fn caught(matrix: &Matrix) -> Result<(), String> {
    let survivors: Vec<&str> = matrix.survivors().map(|(_, mutant)| mutant.name).collect();
    if survivors.is_empty() {
        return Ok(());
    }
    let table = anstream::adapter::strip_str(&report::text(matrix, PROGRAM)).to_string();
    Err(format!("the fixtures don't notice {}\n\n{table}", survivors.join(", ")))
}

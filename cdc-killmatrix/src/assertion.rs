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
    assert!(!mutants.is_empty(), "there is no mutant to be noticed");
    if let Err(conflicts) = check::undeclared_conflicts(fixtures) {
        panic!("{conflicts}");
    }
    let matrix = Matrix::of(fixtures, mutants);
    let disagreements = report::disagreements(fixtures, &matrix, Values::Shown, PROGRAM);
    assert!(disagreements.is_empty(), "the reference disagrees with the fixtures\n\n{disagreements}");

    let survivors: Vec<&str> = matrix.survivors().map(|(_, mutant)| mutant.name).collect();
    let table = anstream::adapter::strip_str(&report::text(&matrix, PROGRAM)).to_string();
    assert!(survivors.is_empty(), "the fixtures don't notice {}\n\n{table}", survivors.join(", "));
}

//! All fixtures and all mutants in one test.

use cdc_core::Mutants as _;
use cdc_killmatrix::{Fixtures, assert_caught};
use own_mutants::FirstValues;

#[test]
fn our_fixtures_would_notice() {
    let fixtures = Fixtures::load(["fixtures"]).unwrap_or_else(|faults| panic!("{faults}"));
    assert_caught(&fixtures, FirstValues::ALL);
}

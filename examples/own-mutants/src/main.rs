//! Audits fixtures with a mutant of one's own.

use std::process::ExitCode;

use cdc_core::{Mutants, needs};

/// A row of the history shows the first values of its run, not the last.
#[derive(Mutants)]
#[mutant(shows = |_, first, _, _| first.row.clone(), needs = needs::untracked_column)]
struct FirstValues;

fn main() -> ExitCode {
    cdc_killmatrix::main_with(FirstValues::ALL)
}

#[test]
fn our_fixtures_would_notice() {
    let fixtures = cdc_killmatrix::Fixtures::load(["../../fixtures"]).unwrap();
    cdc_killmatrix::assert_caught(&fixtures, FirstValues::ALL);
}

//! Each fixture, and each mutant in a suite, as a test of its own.

use std::process::ExitCode;

use cdc_core::Mutants as _;
use own_mutants::FirstValues;

fn main() -> ExitCode {
    cdc_killmatrix::test_main(&["fixtures"], FirstValues::ALL)
}

//! The command with it.

use std::process::ExitCode;

use cdc_core::Mutants as _;
use own_mutants::FirstValues;

fn main() -> ExitCode {
    cdc_killmatrix::main_with(FirstValues::ALL)
}

//! Every shipped fixture, and every mutant in each judged suite, as a test of its own.

use std::process::ExitCode;

fn main() -> ExitCode {
    cdc_killmatrix::test_main(&["../fixtures"], &cdc_killmatrix::catalogue::all())
}

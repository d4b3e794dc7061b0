//! `cdc-killmatrix`: would your fixtures notice?

use std::process::ExitCode;

fn main() -> ExitCode {
    cdc_killmatrix::main_with(&cdc_killmatrix::catalogue::all())
}

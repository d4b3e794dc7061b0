//! `cdc-killmatrix`: would your fixtures notice?

use std::process::ExitCode;

use include_dir::{Dir, include_dir};

static CORPUS: Dir<'_> = include_dir!("$CDC_CORPUS");

fn main() -> ExitCode {
    cdc_killmatrix::main_with_corpus(&cdc_killmatrix::catalogue::all(), &|folder| CORPUS.extract(folder))
}

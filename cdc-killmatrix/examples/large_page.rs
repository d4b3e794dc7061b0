//! Prints the HTML page of a matrix of 200 fixtures and 200 mutants, for `tools/browser`.

use std::io::{self, Write as _};

use cdc_killmatrix::report::{self, Values};

#[path = "../tests/html/large.rs"]
mod large;

fn main() -> io::Result<()> {
    let (fixtures, matrix) = large::large();
    io::stdout().write_all(report::html(&fixtures, &matrix, Values::Shown).as_bytes())
}

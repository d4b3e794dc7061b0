//! Definitions in Python.

mod accepted;
mod errors;
mod grammar_of_databricks;
mod grammar_of_spark;
mod hostile;
mod roundtrip;
mod tables;
mod warnings;

use std::fs;

use cdc_core::Dialect;
use cdc_killmatrix::Diagnostics;
use cdc_killmatrix::definition::{Definition, Definitions};

/// Reads a module of which all flows can be read.
fn read(module: &str) -> Result<Definitions, Diagnostics> {
    read_as(module, Dialect::Databricks)
}

/// The same of a module that calls the functions of a vendor.
fn read_as(module: &str, dialect: Dialect) -> Result<Definitions, Diagnostics> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("pipeline.py");
    fs::write(&path, module).expect("a file");
    let read = Definitions::read(&path, dialect)?;
    if read.unread.is_empty() { Ok(read) } else { Err(read.faults()) }
}

/// The only flow of a module.
fn only(module: &str) -> Definition {
    let mut read = read(module).unwrap_or_else(|faults| panic!("{faults}\n{module}"));
    assert_eq!(read.flows.len(), 1, "{module}");
    read.flows.remove(0)
}

/// What is wrong with a module, each with its line and column.
fn faults(module: &str) -> Vec<String> {
    told(&read(module).expect_err(module))
}

/// Line and column, and message of each fault.
fn told(faults: &Diagnostics) -> Vec<String> {
    faults.faults().iter().map(|fault| placed(fault.place, &fault.message)).collect()
}

/// What may surprise in a module.
fn warnings(module: &str) -> Vec<String> {
    let read = read(module).unwrap_or_else(|faults| panic!("{faults}\n{module}"));
    read.warnings().iter().map(|warning| placed(warning.place, &warning.message)).collect()
}

fn placed(place: Option<(usize, usize)>, message: &str) -> String {
    match place {
        Some((line, column)) => format!("{line}:{column}: {message}"),
        None => message.to_owned(),
    }
}

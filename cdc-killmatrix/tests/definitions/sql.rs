//! Flows in SQL. Most texts are read as a file `p.sql`.

mod clauses;
mod faults;
mod flows;
mod grammar_of_databricks;
mod grammar_of_spark;
mod hostile;
mod surprises;
mod targets;
mod written;

use std::path::Path;

use cdc_core::{Dialect, Flow};
use cdc_killmatrix::Diagnostics;
use cdc_killmatrix::definition::{Definition, Definitions};

/// A text of which all flows can be read.
fn read(text: &str) -> Result<Definitions, Diagnostics> {
    read_as(text, Dialect::Databricks)
}

/// The same of a text in the grammar of a vendor.
fn read_as(text: &str, dialect: Dialect) -> Result<Definitions, Diagnostics> {
    let read = Definitions::parse(Path::new("p.sql"), text, dialect)?;
    if read.unread.is_empty() { Ok(read) } else { Err(read.faults()) }
}

/// All that a text without faults defines.
fn sound(text: &str) -> Definitions {
    read(text).unwrap_or_else(|faults| panic!("{faults}\n{text}"))
}

/// The one flow of a text that gives no reason for a warning.
fn one(text: &str) -> Definition {
    let mut definitions = sound(text);
    assert_eq!(definitions.warnings(), [], "{text}");
    assert_eq!(definitions.flows.len(), 1, "{text}");
    definitions.flows.remove(0)
}

/// What is wrong with a text: line and column, and the message.
fn faults(text: &str) -> Vec<String> {
    told(&read(text).expect_err(text))
}

/// Line and column, and message of each fault.
fn told(faults: &Diagnostics) -> Vec<String> {
    faults.faults().iter().map(|fault| without_path(&fault.to_string())).collect()
}

/// The one fault of a text.
fn fault(text: &str) -> String {
    let mut faults = faults(text);
    assert_eq!(faults.len(), 1, "{text}: {faults:#?}");
    faults.remove(0)
}

fn warnings(text: &str) -> Vec<String> {
    sound(text).warnings().iter().map(|warning| without_path(&warning.to_string())).collect()
}

fn without_path(line: &str) -> String {
    line.trim_start_matches("p.sql:").trim_start().to_owned()
}

/// A flow with a source, a key and a sequence: `clauses` are on its second line, before SEQUENCE BY.
fn with(clauses: &str) -> String {
    format!("CREATE FLOW f AS AUTO CDC INTO t FROM STREAM(s) KEYS (id)\n{clauses}\nSEQUENCE BY seq;")
}

/// The same, the clauses being on the third line, behind SEQUENCE BY.
fn behind(clauses: &str) -> String {
    format!("CREATE FLOW f AS AUTO CDC INTO t FROM STREAM(s) KEYS (id)\nSEQUENCE BY seq\n{clauses};")
}

fn flow(text: &str) -> Flow {
    one(text).flow
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

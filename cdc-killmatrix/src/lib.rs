//! Would your fixtures notice? Every fixture against every broken copy of AUTO CDC.
//!
//! A [`Fixture`] is a JSON file: events, and the rows that must be there after each checkpoint. The
//! [`Matrix`] of fixtures and mutants says which mutant is caught by which fixture. The command
//! `cdc-killmatrix` prints it; [`assert_caught`] asks the same in a test; [`main_with`] is the command with
//! mutants of your own.

// A module uses only the modules above it; `tests/tidy.rs` holds it to that.
pub mod escape;
mod words;
mod diagnostic;
mod json;
pub mod definition;
mod finding;
mod fixture;
pub mod check;
mod verdict;
pub mod readiness;
pub mod catalogue;
mod matrix;
mod replay;
pub mod why;
pub mod report;
mod assertion;
pub mod docs;
mod cli;

pub use assertion::assert_caught;
pub use cli::main_with;
pub use diagnostic::{Diagnostic, Diagnostics};
pub use finding::{Code, Finding, Place, Severity};
pub use fixture::{Business, Checkpoint, Demand, EventFile, Fixture, Fixtures, Suite, row_to_json, to_json};
pub use matrix::{Line, Matrix, Standing, SuiteMatrix};
pub use replay::Replay;
pub use verdict::{Difference, Found, Outcome, Shown, Verdict, play, replay, tables, try_mutant};

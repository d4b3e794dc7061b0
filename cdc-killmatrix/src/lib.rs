//! Would your fixtures notice? Every fixture against every broken copy of AUTO CDC.
//!
//! A [`Fixture`] is a JSON file: events, and the rows that must be there after each checkpoint. The
//! [`Matrix`] of fixtures and mutants says which mutant is caught by which fixture. The command
//! `cdc-killmatrix` prints it; [`assert_caught`] asks the same in a test, [`test_main`] with one test a fixture;
//! [`main_with`] is the command with mutants of your own.

// A module uses only the modules above it; `tests/tidy.rs` holds it to that.
pub mod escape;
mod words;
mod threads;
pub mod files;
mod diagnostic;
mod json;
pub mod definition;
mod finding;
mod fixture;
pub mod columns;
pub mod json_schema;
pub mod check;
mod verdict;
pub mod readiness;
pub mod catalogue;
pub mod feed_form;
pub mod search;
pub mod suggest;
mod matrix;
pub mod control;
mod claims;
mod assertions;
pub mod audit;
mod config;
mod replay;
pub mod diagnosis;
pub mod verify;
pub mod why;
pub mod engine;
mod kit;
pub mod report;
mod assertion;
mod harness;
pub mod docs;
mod cli;

pub use assertion::assert_caught;
pub use assertions::{Assertions, Check, Seen, Setting};
pub use claims::broken_claims;
pub use cli::{main_with, main_with_corpus};
pub use config::Config;
pub use diagnostic::{Diagnostic, Diagnostics};
pub use finding::{Code, Finding, Place, Severity};
pub use fixture::{
    Business, Checkpoint, Demand, EventFile, Fixture, Fixtures, Suite, Wording, fixture_json, fixture_text,
    row_to_json, to_json,
};
pub use harness::test_main;
pub use matrix::{Counts, Ignored, Line, Matrix, Standing, SuiteMatrix};
pub use replay::Replay;
pub use verdict::{
    Cause, Difference, Found, Miss, Outcome, Shown, Verdict, play, replay, tables, try_mutant, watch_mutant,
};

// What it shows is compiled with the doc tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

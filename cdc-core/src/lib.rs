//! What AUTO CDC means, as a program.
//!
//! [`AutoCdc`] is the specification: a trait with one method for each decision that an implementation of
//! AUTO CDC takes. [`Reference`] takes each of them as documented; a [`Mutant`] takes exactly one of them
//! wrongly. [`Run`] is the only caller: it feeds batches of events to a model and shows the table.
//!
//! No input or output, no clock, no randomness.
//!
//! ```
//! use cdc_core::{Feed, Flow, Plan, Reference, Run, Schema, Value};
//!
//! let schema: Schema = "id BIGINT, city STRING, lsn BIGINT".parse()?;
//! let flow = Flow {
//!     keys: vec!["id".into()],
//!     sequence_by: "lsn".into(),
//!     except_column_list: Some(vec!["lsn".into()]),
//!     ..Flow::default()
//! };
//! let plan = Plan::new(flow, schema)?;
//!
//! let mut feed = Feed::default();
//! feed.append([[Value::Int(101), Value::from("Nantes"), Value::Int(30)]]);
//! feed.append([[Value::Int(101), Value::from("Lille"), Value::Int(20)]]);
//!
//! let mut run = Run::new(&Reference, &plan)?;
//! run.apply(feed.batch(0))?;
//! run.apply(feed.batch(1))?;
//! assert_eq!(run.table().rows(), [[Value::Int(101), Value::from("Nantes")]], "Lille came late");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

extern crate self as cdc_core;

// A module uses only the modules above it; `tests/tidy.rs` holds it to that.
mod data_type;
mod value;
mod row;
mod error;
mod sql;
mod flow;
mod check;
mod event;
mod plan;
mod told;
mod auto_cdc;
pub mod needs;
mod rules;
mod ties;
mod partial;
mod log;
mod store;
mod scd1;
mod scd2;
mod bitemporal;
mod snapshot;
mod table;
mod run;

pub use auto_cdc::{Around, AutoCdc, Change, Hook, Mutant, Mutants, Needs, Notes, Question, Reference, Spy};
pub use cdc_mutants_derive::Mutants;
pub use data_type::{DataType, Field, ParseTypeError, folded};
pub use error::{ConfigError, ConfigErrors, EvalError, Refusal};
pub use event::{Arrival, Batch, Delivery, Event, Feed, Image, Key, Operation, Order, Version};
pub use flow::{Dialect, Flow, ScdType};
pub use plan::Plan;
pub use row::{Column, Row, Schema};
pub use run::Run;
pub use sql::{Condition, SqlError};
pub use table::Table;
pub use value::Value;

// What it shows is run with the doc tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

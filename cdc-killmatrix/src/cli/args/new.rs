//! What `new` is told.

use std::path::PathBuf;

use clap::Args;

use super::FlowArgs;

#[derive(Args, Clone, Default)]
pub(in crate::cli) struct NewArgs {
    /// The suite, a folder of its own below `fixtures`; the fixture is named after its events, unless it is said.
    #[arg(value_name = "SUITE[/FIXTURE]")]
    pub(in crate::cli) name: Option<String>,
    #[command(flatten)]
    pub(in crate::cli) flow: FlowArgs,
    /// The columns of the source: a file with a CREATE TABLE, a DESCRIBE listing or what `df.schema.json()` gives; or
    /// the columns themselves, such as "id BIGINT, city STRING".
    #[arg(long, value_name = "FILE|DDL")]
    pub(in crate::cli) schema: Option<String>,
    /// The events in the order in which they arrived: .csv with a header, or JSON lines (.jsonl, .ndjson).
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) events: Option<PathBuf>,
    /// The column that says which batch brought an event: a batch ends where its value changes.
    #[arg(long, value_name = "COLUMN", requires = "events")]
    pub(in crate::cli) batch_by: Option<String>,
    /// Write the fixture of an incident, for `diagnose`: what a pipeline made of these events.
    #[arg(long, requires_all = ["events", "observed"])]
    pub(in crate::cli) from_incident: bool,
    /// The rows that the table showed after the last batch: .csv, .json or JSON lines.
    #[arg(long, value_name = "FILE", requires = "from_incident")]
    pub(in crate::cli) observed: Option<PathBuf>,
    /// The rows that were expected there.
    #[arg(long, value_name = "FILE", requires = "from_incident")]
    pub(in crate::cli) expected: Option<PathBuf>,
}

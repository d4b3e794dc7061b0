//! What is said to the commands for events and captured rows.

use std::path::PathBuf;

use clap::Args;

use super::shared::{FlowArgs, PlainFormat};

#[derive(Args)]
pub(in crate::cli) struct CheckArgs {
    /// Suites, folders of suites, or fixtures; or files of events: JSON lines (.jsonl, .ndjson) or .csv.
    ///
    /// A CSV has a header with all columns of the schema; a field that is empty is null, in a column of text only
    /// if it isn't quoted.
    #[arg(required = true, value_name = "PATH")]
    pub(in crate::cli) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(in crate::cli) flow: FlowArgs,
    /// The columns of a file of events, such as "id BIGINT, city STRING"; or a file that says them: such a
    /// text, a fixture or a suite.json.
    #[arg(long, value_name = "DDL")]
    pub(in crate::cli) schema: Option<String>,
    /// The column of a file of events that only says the batch of each: it is no column of the schema.
    #[arg(long, value_name = "COLUMN")]
    pub(in crate::cli) batch_by: Option<String>,
    /// The column of type TIMESTAMP that says when an event of a file arrived.
    #[arg(long, value_name = "COLUMN")]
    pub(in crate::cli) arrival: Option<String>,
    /// The table that the queries ask.
    #[arg(long, value_name = "NAME", default_value = "source")]
    pub(in crate::cli) table: String,
    /// Fail on warnings, too.
    #[arg(long)]
    pub(in crate::cli) strict: bool,
    /// Show declared findings in full and the checklist, also of several inputs.
    #[arg(long)]
    pub(in crate::cli) full: bool,
    /// How to print the findings.
    #[arg(long, value_enum, default_value_t = PlainFormat::Text)]
    pub(in crate::cli) format: PlainFormat,
}

#[derive(Args)]
pub(in crate::cli) struct DiagnoseArgs {
    /// Fixtures with `observed` rows, or folders of such.
    #[arg(required = true, value_name = "FIXTURE")]
    pub(in crate::cli) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(in crate::cli) flow: FlowArgs,
    /// How to print the diagnosis.
    #[arg(long, value_enum, default_value_t = PlainFormat::Text)]
    pub(in crate::cli) format: PlainFormat,
}

//! What is said to `verify`.

use std::path::PathBuf;

use clap::Args;

use super::shared::{FlowArgs, PlainFormat};

#[derive(Args)]
pub(in crate::cli) struct VerifyArgs {
    /// The fixture whose events the pipeline was given.
    #[arg(value_name = "FIXTURE", required_unless_present = "manifest", requires = "rows")]
    pub(in crate::cli) fixture: Option<PathBuf>,
    /// The rows that the table showed: .json, .jsonl, .ndjson, .csv, .parquet or a folder of Parquet.
    ///
    /// JSON is a list of rows, an object {"fixture", "checkpoint", "types", "rows"}, or the result of a Databricks
    /// SQL statement as its Statement Execution API gives it; given several times, each chunk of a result as it came, in
    /// any order. Parquet needs a program that was built with the feature `parquet`; a folder is what Spark's
    /// `df.write.parquet` leaves, with its `_SUCCESS`.
    #[arg(long, value_name = "FILE", requires = "fixture")]
    pub(in crate::cli) rows: Vec<PathBuf>,
    /// The number of the checkpoint, from 1; by default the last that expects rows.
    #[arg(long, value_name = "N", requires = "fixture")]
    pub(in crate::cli) checkpoint: Option<usize>,
    /// The columns' types in the table: what `DESCRIBE`, `SHOW CREATE TABLE` or `df.schema.json()` gives.
    #[arg(long, value_name = "FILE", requires = "fixture")]
    pub(in crate::cli) types: Option<PathBuf>,
    /// Several captures: {"captures": [{"fixture": FILE, "checkpoint": N, "rows": FILE, "types": {"id": "BIGINT"}}]}.
    ///
    /// Its paths are seen from its folder; `checkpoint` and `types` may be left out. `rows` may be a list, of the chunks
    /// of a result.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fixture", "rows", "checkpoint", "types"])]
    pub(in crate::cli) manifest: Option<PathBuf>,
    #[command(flatten)]
    pub(in crate::cli) flow: FlowArgs,
    #[command(flatten)]
    pub(in crate::cli) evidence: EvidenceArgs,
    /// How to print what came of it.
    #[arg(long, value_enum, default_value_t = PlainFormat::Text)]
    pub(in crate::cli) format: PlainFormat,
}

#[derive(Args)]
pub(in crate::cli) struct EvidenceArgs {
    /// Write what was compared, and what came of it, into a new JSON file.
    ///
    /// With the hashes of all files, the captured rows, and what the next options say. What looks like a secret is
    /// refused.
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) evidence: Option<PathBuf>,
    /// For the evidence: the revision of the code.
    #[arg(long, value_name = "TEXT", requires = "evidence")]
    pub(in crate::cli) revision: Option<String>,
    /// For the evidence: the definition of the pipeline, of which it keeps the hash.
    #[arg(long, value_name = "FILE", requires = "evidence")]
    pub(in crate::cli) pipeline: Option<PathBuf>,
    /// For the evidence: the configuration of the pipeline.
    #[arg(long, value_name = "FILE", requires = "evidence")]
    pub(in crate::cli) configuration: Option<PathBuf>,
    /// For the evidence: who the pipeline ran as.
    #[arg(long, value_name = "TEXT", requires = "evidence")]
    pub(in crate::cli) run_as: Option<String>,
    /// For the evidence: an update of the pipeline; may be given several times.
    #[arg(long, value_name = "TEXT", requires = "evidence")]
    pub(in crate::cli) update_id: Vec<String>,
    /// For the evidence: when the rows were captured.
    #[arg(long, value_name = "TEXT", requires = "evidence")]
    pub(in crate::cli) captured_at: Option<String>,
    /// For the evidence: what the pipeline ran on, with its version.
    #[arg(long, value_name = "TEXT", requires = "evidence")]
    pub(in crate::cli) runtime: Option<String>,
}

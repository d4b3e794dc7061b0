//! What is said to the commands that write documents.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

#[derive(Args)]
pub(in crate::cli) struct ExportArgs {
    /// The fixture.
    #[arg(value_name = "FIXTURE")]
    pub(in crate::cli) path: PathBuf,
    /// The language.
    #[arg(long, value_enum)]
    pub(in crate::cli) to: Language,
    /// The name of the flow, where the fixture gives none; by default that of its suite with `_flow` after it.
    #[arg(long)]
    pub(in crate::cli) name: Option<String>,
    /// The table that the flow writes; by default the suite's name.
    #[arg(long)]
    pub(in crate::cli) target: Option<String>,
    /// The table or view that it reads; by default the suite's name with `_source` after it.
    #[arg(long)]
    pub(in crate::cli) source: Option<String>,
    /// Use SQL that only the newest documentation has: FROM SNAPSHOT.
    #[arg(long)]
    pub(in crate::cli) newest: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum Language {
    Sql,
    Python,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum FileKind {
    Fixture,
    Suite,
}

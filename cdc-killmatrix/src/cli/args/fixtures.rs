//! What is said to the commands for fixtures.

use std::path::PathBuf;

use clap::Args;

use super::reports::ReportArgs;
use super::shared::{ConfigArgs, FlowArgs, Format, PlainFormat};
use crate::config::LONGEST_WAIT;

#[derive(Args, Clone)]
pub(in crate::cli) struct RunArgs {
    /// Suites, folders of suites, or fixtures; by default those of killmatrix.toml, or `fixtures`.
    #[arg(value_name = "PATH")]
    pub(in crate::cli) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(in crate::cli) config: ConfigArgs,
    #[command(flatten)]
    pub(in crate::cli) flow: FlowArgs,
    /// How to print the matrix.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(in crate::cli) format: Format,
    /// Show every broken copy that can differ, a row each, and what came of it on every fixture.
    #[arg(long)]
    pub(in crate::cli) all: bool,
    /// Instead of the matrix, show what weaker tests would have seen: row counts, keys, the last table only.
    #[arg(long, conflicts_with_all = ["all", "also_replay"])]
    pub(in crate::cli) assertions: bool,
    /// Replay each fixture's events as one batch, too, and say what that would catch.
    #[arg(long)]
    pub(in crate::cli) also_replay: bool,
    /// Play the fixtures on this program, too, which speaks the protocol of engines. May be given several times.
    ///
    /// A name from killmatrix.toml, or the program and its arguments, as in a shell, but no shell reads them:
    /// --engine 'python engines/example.py'.
    #[arg(long = "engine", value_name = "NAME|COMMAND", conflicts_with_all = ["assertions", "also_replay"])]
    pub(in crate::cli) engines: Vec<String>,
    /// How long an answer of an engine may take, in seconds; by default what killmatrix.toml says, or 60.
    #[arg(long, value_name = "SECONDS", requires = "engines")]
    #[arg(value_parser = clap::value_parser!(u64).range(LONGEST_WAIT))]
    pub(in crate::cli) engine_timeout: Option<u64>,
    /// Play on engines the broken copies, too, that are a fault of the definition or of the events: all, or these.
    #[arg(long, value_name = "MUTANT,..", requires = "engines", value_delimiter = ',')]
    #[arg(num_args = 0..=1, require_equals = true)]
    pub(in crate::cli) engine_mutants: Option<Vec<String>>,
    #[command(flatten)]
    pub(in crate::cli) report: ReportArgs,
}

#[derive(Args)]
pub(in crate::cli) struct RowsArgs {
    /// Suites, folders of suites, or fixtures.
    #[arg(required = true, value_name = "PATH")]
    pub(in crate::cli) paths: Vec<PathBuf>,
    /// Show the rows of this broken copy instead, by the name that `list` has.
    #[arg(long, value_name = "MUTANT", conflicts_with = "why")]
    pub(in crate::cli) mutant: Option<String>,
    /// Say what each event did: which won, which were passed over, and by which rule.
    #[arg(long)]
    pub(in crate::cli) why: bool,
    /// Of a flow from snapshots, print the feed of upserts and deletes that each snapshot amounts to.
    #[arg(long)]
    pub(in crate::cli) feed: bool,
    #[command(flatten)]
    pub(in crate::cli) flow: FlowArgs,
    /// How to print the rows.
    #[arg(long, value_enum, default_value_t = PlainFormat::Text)]
    pub(in crate::cli) format: PlainFormat,
}

#[derive(Args)]
pub(in crate::cli) struct ExplainArgs {
    /// The broken copy, by the name that `list` has.
    pub(in crate::cli) mutant: String,
    /// The fixture: its full name, or its file.
    #[arg(value_name = "SUITE/FIXTURE")]
    pub(in crate::cli) fixture: String,
    /// Where to look for the suite, by default where `run` does.
    #[arg(long, value_name = "PATH")]
    pub(in crate::cli) fixtures: Vec<PathBuf>,
    #[command(flatten)]
    pub(in crate::cli) config: ConfigArgs,
}

#[derive(Args)]
pub(in crate::cli) struct AuditArgs {
    /// Suites, folders of suites, or fixtures; by default those of killmatrix.toml, or `fixtures`.
    #[arg(value_name = "PATH")]
    pub(in crate::cli) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(in crate::cli) config: ConfigArgs,
    /// The state that was accepted: written where there is no such file, else compared.
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) accepted: Option<PathBuf>,
    /// Accept what is now: write the file anew.
    #[arg(long, requires = "accepted")]
    pub(in crate::cli) accept: bool,
    /// Print long lists in full, and the decisions by fixtures.
    #[arg(long)]
    pub(in crate::cli) all: bool,
    /// How to print the audit.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(in crate::cli) format: Format,
}

#[derive(Args)]
pub(in crate::cli) struct SuggestArgs {
    /// The broken copy, by the name that `list` has.
    #[arg(required_unless_present = "all")]
    pub(in crate::cli) mutant: Option<String>,
    /// The same as `--like`.
    #[arg(value_name = "SUITE/FIXTURE|PATH", conflicts_with = "like")]
    pub(in crate::cli) place: Option<String>,
    /// Tell it from this broken copy instead of AUTO CDC: one is caught, the other not. May be given several times.
    #[arg(long, value_name = "MUTANT", requires = "mutant")]
    pub(in crate::cli) beside: Vec<String>,
    /// For every broken copy that survives at these paths, by default those of `run`.
    #[arg(long, value_name = "PATH", num_args = 0..)]
    #[arg(conflicts_with_all = ["mutant", "place", "like", "schema", "fixtures"])]
    pub(in crate::cli) all: Option<Vec<PathBuf>>,
    /// Under the flow of this suite or fixture: its name, or its path.
    #[arg(long, value_name = "SUITE/FIXTURE|PATH")]
    pub(in crate::cli) like: Option<String>,
    /// Where to look for suites, by default where `run` does.
    #[arg(long, value_name = "PATH")]
    pub(in crate::cli) fixtures: Vec<PathBuf>,
    #[command(flatten)]
    pub(in crate::cli) config: ConfigArgs,
    #[command(flatten)]
    pub(in crate::cli) flow: FlowArgs,
    /// The columns of the source of `--flow`, such as "id BIGINT, city STRING"; or a file that says them.
    #[arg(long, value_name = "DDL", requires = "definition", conflicts_with_all = ["like", "place"])]
    pub(in crate::cli) schema: Option<String>,
    /// Write each fixture into a new file beside those of its suite.
    #[arg(long)]
    pub(in crate::cli) write: bool,
    /// Write the fixture into this file, which may not be there yet.
    #[arg(long, value_name = "FILE", conflicts_with = "write")]
    pub(in crate::cli) out: Option<PathBuf>,
    /// How to print the suggestions.
    #[arg(long, value_enum, default_value_t = PlainFormat::Text)]
    pub(in crate::cli) format: PlainFormat,
}

impl SuggestArgs {
    /// Under whose flow is searched, if it is named.
    pub(in crate::cli) fn like(&self) -> Option<&str> {
        self.like.as_deref().or(self.place.as_deref())
    }
}

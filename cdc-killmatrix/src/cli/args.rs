//! What may be said on the command line.

use std::path::PathBuf;

use cdc_core::Dialect;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};

/// Where fixtures are looked for if nothing else is said.
pub(super) const FIXTURES: &str = "fixtures";

/// Would your fixtures notice a broken AUTO CDC?
///
/// Plays every fixture under deliberately broken copies of AUTO CDC and shows which are caught and which are
/// missed. Exit codes: 0 every mutant is caught, 1 wrong usage or input, 2 a mutant survives, 4 the reference
/// disagrees with a fixture, 5 `check` fails, a document is out of date or a
/// verdict is a stop sign, 70 a bug of this program.
#[derive(Parser)]
#[command(name = "cdc-killmatrix", version, args_conflicts_with_subcommands = true, max_term_width = 80)]
pub(super) struct Cli {
    #[command(subcommand)]
    pub(super) command: Option<Command>,
    #[command(flatten)]
    pub(super) run: RunArgs,
}

#[derive(Subcommand)]
pub(super) enum Command {
    /// Plays every fixture under every mutant and prints the matrix (the default).
    #[command(after_help = "Example: cdc-killmatrix run fixtures/customers_current --format json")]
    Run(RunArgs),
    /// Lists the mutants: name, what each does wrong, the decision it breaks.
    #[command(after_help = "Example: cdc-killmatrix list")]
    List {
        /// How to print the list.
        #[arg(long, value_enum, default_value_t = PlainFormat::Text)]
        format: PlainFormat,
    },
    /// Prints the target's rows after each checkpoint.
    #[command(after_help = "Example: cdc-killmatrix rows fixtures/customers_current/sequence_tie.json --why")]
    Rows(RowsArgs),
    /// Says why a mutant is caught or missed: every checkpoint that differs, rows side by side.
    #[command(
        after_help = "Example: cdc-killmatrix explain arrival_order customers_current/ordering_and_delete"
    )]
    Explain {
        /// The mutant, as `list` names it.
        mutant: String,
        /// The fixture: its full name, or its file.
        #[arg(value_name = "SUITE/FIXTURE")]
        fixture: String,
        /// Where to look for the suite.
        #[arg(long, value_name = "PATH", default_value = FIXTURES)]
        fixtures: Vec<PathBuf>,
    },
    /// Checks events against a flow before any table is made of them: the source contract.
    ///
    /// Looks for ties and conflicts, null keys and sequences, a wrong clock, sparse updates, noise, deletes that
    /// nobody carries out. Exit code 5: an error, or a finding that a fixture declares and that isn't there.
    #[command(after_help = "Example: cdc-killmatrix check fixtures/rules/ties/scd1_upserts_same_batch.json")]
    Check(CheckArgs),
    /// Says which configurations can be shipped, and what to do about the others.
    ///
    /// Each fixture is a configuration. Two events of one key that share a sequence and differ: stop, the
    /// order. Other rows than the fixture's `business` wants, or without that, than its last checkpoint
    /// expects: stop, the business rule.
    #[command(after_help = "Example: cdc-killmatrix verdicts fixtures/databricks --report-only")]
    Verdicts {
        /// Suites, folders of suites, or fixtures.
        #[arg(default_value = FIXTURES)]
        paths: Vec<PathBuf>,
        /// How to print the verdicts.
        #[arg(long, value_enum, default_value_t = Format::Text)]
        format: Format,
        /// Exit with 0 whatever the verdicts are.
        #[arg(long)]
        report_only: bool,
    },
    /// Writes the flow of a fixture as a definition that can be deployed.
    #[command(
        after_help = "Example: cdc-killmatrix export fixtures/customers_current/sequence_tie.json --to sql"
    )]
    Export(ExportArgs),
    /// Rewrites the matrices in documents, between `<!-- begin killmatrix PATH -->` and its end.
    ///
    /// PATH is seen from the folder of the document. With `verdicts PATH` the section holds the verdicts.
    #[command(after_help = "Example: cdc-killmatrix docs --check README.md")]
    Docs {
        /// Only say which documents are out of date.
        #[arg(long)]
        check: bool,
        /// The documents.
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
    },
}

#[derive(Args)]
pub(super) struct RunArgs {
    /// Suites, folders of suites, or fixtures.
    #[arg(default_value = FIXTURES)]
    pub(super) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) flow: FlowArgs,
    /// How to print the matrix.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(super) format: Format,
    /// Replay each fixture's events as one batch, too, and say what that would catch.
    #[arg(long)]
    pub(super) also_replay: bool,
}

/// A flow in place of the fixtures' own.
#[derive(Args)]
pub(super) struct FlowArgs {
    /// The flow, instead of the fixtures' own: a pipeline's .sql or .py file; `#NAME` if it holds several.
    #[arg(long = "flow", value_name = "FILE#NAME")]
    pub(super) definition: Option<String>,
    /// Whose AUTO CDC the definition is for; by default `databricks`.
    #[arg(long, requires = "definition", value_parser = dialects())]
    pub(super) dialect: Option<Dialect>,
}

/// Reads the name of a dialect.
fn dialects() -> impl TypedValueParser<Value = Dialect> {
    let names = PossibleValuesParser::new(Dialect::ALL.map(Dialect::name));
    names.map(|name| Dialect::ALL.into_iter().find(|it| it.name() == name).unwrap_or_default())
}

#[derive(Args)]
pub(super) struct ExportArgs {
    /// The fixture.
    #[arg(value_name = "FIXTURE")]
    pub(super) path: PathBuf,
    /// The language.
    #[arg(long, value_enum)]
    pub(super) to: Language,
    /// The name of the flow, where the fixture gives none; by default that of its suite with `_flow` after it.
    #[arg(long)]
    pub(super) name: Option<String>,
    /// The table that the flow writes; by default the suite's name.
    #[arg(long)]
    pub(super) target: Option<String>,
    /// The table or view that it reads; by default the suite's name with `_source` after it.
    #[arg(long)]
    pub(super) source: Option<String>,
    /// Use SQL that only the newest documentation has: FROM SNAPSHOT.
    #[arg(long)]
    pub(super) newest: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Language {
    Sql,
    Python,
}

#[derive(Args)]
pub(super) struct RowsArgs {
    /// Suites, folders of suites, or fixtures.
    #[arg(required = true)]
    pub(super) paths: Vec<PathBuf>,
    /// Apply the fixtures with this broken copy instead of the reference.
    #[arg(long, conflicts_with = "why")]
    pub(super) mutant: Option<String>,
    /// Say what each event did: which won, which were passed over, and by which rule.
    #[arg(long)]
    pub(super) why: bool,
    /// Of a flow from snapshots, print the feed of upserts and deletes that each snapshot amounts to.
    #[arg(long)]
    pub(super) feed: bool,
    #[command(flatten)]
    pub(super) flow: FlowArgs,
    /// How to print the rows.
    #[arg(long, value_enum, default_value_t = PlainFormat::Text)]
    pub(super) format: PlainFormat,
}

#[derive(Args)]
pub(super) struct CheckArgs {
    /// Suites, folders of suites, or fixtures; or files of events: JSON lines (.jsonl, .ndjson) or .csv.
    ///
    /// A CSV has a header with all columns of the schema; a field that is empty is null, in a column of text only
    /// if it isn't quoted.
    #[arg(required = true, value_name = "PATH")]
    pub(super) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) flow: FlowArgs,
    /// The columns of a file of events, such as "id BIGINT, city STRING"; or a file that says them: such a
    /// text, a fixture or a suite.json.
    #[arg(long, value_name = "DDL")]
    pub(super) schema: Option<String>,
    /// The column of type TIMESTAMP that says when an event of a file arrived.
    #[arg(long, value_name = "COLUMN")]
    pub(super) arrival: Option<String>,
    /// The table that the queries ask.
    #[arg(long, value_name = "NAME", default_value = "source")]
    pub(super) table: String,
    /// Fail on warnings, too.
    #[arg(long)]
    pub(super) strict: bool,
    /// Show declared findings in full and the checklist, also of several inputs.
    #[arg(long)]
    pub(super) full: bool,
    /// How to print the findings.
    #[arg(long, value_enum, default_value_t = PlainFormat::Text)]
    pub(super) format: PlainFormat,
}

#[derive(Clone, Copy, ValueEnum)]
pub(super) enum Format {
    Text,
    Markdown,
    Json,
}

#[derive(Clone, Copy, ValueEnum)]
pub(super) enum PlainFormat {
    Text,
    Json,
}

//! What may be said on the command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

mod shared;
mod reports;

pub(super) use reports::{Report, ReportArgs, ReportTo};
pub(super) use shared::{ConfigArgs, FlowArgs, Format, PlainFormat};

/// Where fixtures are looked for if nothing else is said.
pub(super) const FIXTURES: &str = "fixtures";

/// Would your fixtures notice a broken AUTO CDC?
///
/// Plays every fixture under deliberately broken copies of AUTO CDC and shows which are caught and which are
/// missed. Exit codes: 0 every mutant is caught; 1 wrong usage or input, or a claim that doesn't hold; 2 a mutant
/// survives, or something became worse than accepted; 4 the reference disagrees with a fixture, or a control shows
/// that the run says nothing; 5 `check` fails, a document is out of date, a verdict is a stop sign, observed rows
/// stay unexplained, or nothing can be suggested; 70 a bug of this program.
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
    /// Says what the fixtures do beside each other: which are enough, which add nothing, what only one catches.
    ///
    /// With `--accepted FILE` also what changed since the state in that file was accepted; exit code 2: something
    /// became worse.
    #[command(after_help = "Example: cdc-killmatrix audit fixtures/customers_current")]
    Audit(AuditArgs),
    /// Lists the mutants by family: name, the decision each breaks, what it does wrong, what the business notices.
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
    Explain(ExplainArgs),
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
        /// Suites, folders of suites, or fixtures; by default those of killmatrix.toml, or `fixtures`.
        paths: Vec<PathBuf>,
        #[command(flatten)]
        config: ConfigArgs,
        /// How to print the verdicts.
        #[arg(long, value_enum, default_value_t = Format::Text)]
        format: Format,
        /// Exit with 0 whatever the verdicts are.
        #[arg(long)]
        report_only: bool,
    },
    /// Names the fault that gives the rows which a real pipeline left.
    ///
    /// A fixture says them in `observed`, beside the events of a checkpoint; what it expects doesn't matter here.
    /// Exit code 5: neither a single broken copy nor AUTO CDC itself gives exactly the rows of some fixture.
    #[command(after_help = "Example: cdc-killmatrix diagnose fixtures/reports/b16_arrival_order.json")]
    Diagnose(DiagnoseArgs),
    /// Suggests a fixture: the smallest events that tell a mutant from the reference, or from another mutant.
    ///
    /// They are searched for under the flow of each audited suite in which the mutant can differ. Both tables are
    /// shown that may be right; which one is, isn't filled in. Exit code 5: for some nothing was found.
    #[command(after_help = "Example: cdc-killmatrix suggest arrival_order --like customers_current")]
    Suggest(SuggestArgs),
    /// Writes the flow of a fixture as a definition that can be deployed.
    #[command(
        after_help = "Example: cdc-killmatrix export fixtures/customers_current/sequence_tie.json --to sql"
    )]
    Export(ExportArgs),
    /// Prints the JSON Schema of a fixture or a suite.json, for completion in editors.
    #[command(
        after_help = "Example: cdc-killmatrix schema fixture > fixture.schema.json\n\nA file names its schema: \
                            \"$schema\": \"../fixture.schema.json\""
    )]
    Schema {
        /// The kind of file.
        #[arg(value_enum, value_name = "FILE", default_value_t = FileKind::Fixture)]
        file: FileKind,
    },
    /// Rewrites the matrices in documents, between `<!-- begin killmatrix PATH -->` and its end.
    ///
    /// PATH is seen from the folder of the document. With `verdicts PATH` the section holds the verdicts,
    /// with `assertions PATH` what weaker tests would have seen.
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
    /// Suites, folders of suites, or fixtures; by default those of killmatrix.toml, or `fixtures`.
    pub(super) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) config: ConfigArgs,
    #[command(flatten)]
    pub(super) flow: FlowArgs,
    /// How to print the matrix.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(super) format: Format,
    /// Show every mutant that can differ, a row each, and what came of it on every fixture.
    #[arg(long)]
    pub(super) all: bool,
    /// Instead of the matrix, show what weaker tests would have seen: row counts, keys, the last table only.
    #[arg(long, conflicts_with_all = ["all", "also_replay"])]
    pub(super) assertions: bool,
    /// Replay each fixture's events as one batch, too, and say what that would catch.
    #[arg(long)]
    pub(super) also_replay: bool,
    #[command(flatten)]
    pub(super) report: ReportArgs,
}

#[derive(Args)]
pub(super) struct AuditArgs {
    /// Suites, folders of suites, or fixtures; by default those of killmatrix.toml, or `fixtures`.
    pub(super) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) config: ConfigArgs,
    /// The state that was accepted: written where there is no such file, else compared.
    #[arg(long, value_name = "FILE")]
    pub(super) accepted: Option<PathBuf>,
    /// Accept what is now: write the file anew.
    #[arg(long, requires = "accepted")]
    pub(super) accept: bool,
    /// Print long lists in full, and the decisions by fixtures.
    #[arg(long)]
    pub(super) all: bool,
    /// How to print the audit.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(super) format: Format,
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

#[derive(Args)]
pub(super) struct SuggestArgs {
    /// The mutant, as `list` names it.
    #[arg(required_unless_present = "all")]
    pub(super) mutant: Option<String>,
    /// The same as `--like`.
    #[arg(value_name = "SUITE/FIXTURE|PATH", conflicts_with = "like")]
    pub(super) place: Option<String>,
    /// Tell it from this mutant instead of the reference: one is caught, the other not. May be given several times.
    #[arg(long, value_name = "MUTANT", requires = "mutant")]
    pub(super) beside: Vec<String>,
    /// For every mutant that survives at these paths, by default those of `run`.
    #[arg(long, value_name = "PATH", num_args = 0..)]
    #[arg(conflicts_with_all = ["mutant", "place", "like", "schema", "fixtures"])]
    pub(super) all: Option<Vec<PathBuf>>,
    /// Under the flow of this suite or fixture: its name, or its path.
    #[arg(long, value_name = "SUITE/FIXTURE|PATH")]
    pub(super) like: Option<String>,
    /// Where to look for suites, by default where `run` does.
    #[arg(long, value_name = "PATH")]
    pub(super) fixtures: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) config: ConfigArgs,
    #[command(flatten)]
    pub(super) flow: FlowArgs,
    /// The columns of the source of `--flow`, such as "id BIGINT, city STRING"; or a file that says them.
    #[arg(long, value_name = "DDL", requires = "definition", conflicts_with_all = ["like", "place"])]
    pub(super) schema: Option<String>,
    /// Write each fixture into a new file beside those of its suite.
    #[arg(long)]
    pub(super) write: bool,
    /// Write the fixture into this file, which may not be there yet.
    #[arg(long, value_name = "FILE", conflicts_with = "write")]
    pub(super) out: Option<PathBuf>,
    /// How to print the suggestions.
    #[arg(long, value_enum, default_value_t = PlainFormat::Text)]
    pub(super) format: PlainFormat,
}

impl SuggestArgs {
    /// Under whose flow is searched, if it is named.
    pub(super) fn like(&self) -> Option<&str> {
        self.like.as_deref().or(self.place.as_deref())
    }
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

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum FileKind {
    Fixture,
    Suite,
}

#[derive(Args)]
pub(super) struct DiagnoseArgs {
    /// Fixtures with `observed` rows, or folders of such.
    #[arg(required = true, value_name = "FIXTURE")]
    pub(super) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) flow: FlowArgs,
    /// How to print the diagnosis.
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

#[derive(Args)]
pub(super) struct ExplainArgs {
    /// The mutant, as `list` names it.
    pub(super) mutant: String,
    /// The fixture: its full name, or its file.
    #[arg(value_name = "SUITE/FIXTURE")]
    pub(super) fixture: String,
    /// Where to look for the suite, by default where `run` does.
    #[arg(long, value_name = "PATH")]
    pub(super) fixtures: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) config: ConfigArgs,
}

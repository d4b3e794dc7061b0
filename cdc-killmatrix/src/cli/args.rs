//! What may be said on the command line.

use std::path::PathBuf;

use clap::{Parser, Subcommand};
use clap_complete::Shell;

mod shared;
mod new;
mod reports;
mod events;
mod fixtures;
mod documents;
mod kit;
mod verify;

pub(super) use documents::{ExportArgs, FileKind, Language};
pub(super) use events::{CheckArgs, DiagnoseArgs};
pub(super) use fixtures::{AuditArgs, ExplainArgs, RowsArgs, RunArgs, SuggestArgs};
pub(super) use kit::KitArgs;
pub(super) use new::NewArgs;
pub(super) use reports::{Report, ReportArgs, ReportTo};
pub(super) use shared::{ConfigArgs, FlowArgs, Format, PlainFormat};
pub(super) use verify::VerifyArgs;

/// Would your fixtures notice a broken AUTO CDC?
///
/// A fixture is a JSON file: events, and the rows that you expect in the table after them. It is played against AUTO
/// CDC, as tables on Databricks and Spark showed it to be, and against copies of it that are broken on purpose, each
/// in one decision. A broken copy that no fixture catches survives: so would that fault in your pipeline.
#[derive(Parser)]
#[command(
    name = "cdc-killmatrix",
    disable_version_flag = true,
    args_conflicts_with_subcommands = true,
    max_term_width = 80
)]
pub(super) struct Cli {
    #[command(subcommand)]
    pub(super) command: Option<Command>,
    #[command(flatten)]
    pub(super) run: RunArgs,
    /// Print the version.
    #[arg(short = 'V', long)]
    pub(super) version: bool,
    /// With --version: what the model of AUTO CDC was checked against, too.
    #[arg(long, requires = "version")]
    pub(super) long: bool,
}

// Each first sentence is a line of the program's help: 64 characters at most.
#[derive(Subcommand)]
pub(super) enum Command {
    /// Begins a suite from your own table; its rows are yours to type.
    ///
    /// Writes `fixtures/SUITE/suite.json` and a fixture beside it, and nothing that is there already. Of a suite that
    /// is there it takes flow and columns, and adds a fixture. Without arguments, at a terminal, it asks.
    #[command(
        after_help = "Example:\n  cdc-killmatrix new customers --flow customers.py --schema customers.ddl"
    )]
    New(NewArgs),
    /// Says what is wrong with events, before a table is made of them.
    ///
    /// Looks for ties and conflicts, null keys and sequences, a wrong clock, sparse updates, noise, deletes that
    /// nobody carries out. Exit code 5: an error, or a finding that a fixture declares and that isn't there.
    #[command(after_help = "Example:\n  cdc-killmatrix check corpus:rules/ties/scd1_upserts_same_batch.json")]
    Check(CheckArgs),
    /// Plays all fixtures against all broken copies (the default).
    ///
    /// First each fixture is held against AUTO CDC: where the rows aren't those that it expects, they are shown, and
    /// nothing more is said (exit code 4). Then it is played against each broken copy. Exit code 2: one survives.
    #[command(after_help = "Example:\n  cdc-killmatrix run corpus:customers_current")]
    Run(RunArgs),
    /// Lists the broken copies: what each does wrong, what you'd notice.
    ///
    /// By family of faults, with the decision that each of them takes wrongly.
    #[command(after_help = "Example:\n  cdc-killmatrix list")]
    List {
        /// How to print the list.
        #[arg(long, value_enum, default_value_t = PlainFormat::Text)]
        format: PlainFormat,
    },
    /// Shows the rows after each checkpoint, and why they are so.
    ///
    /// They are those of AUTO CDC, whatever the fixture expects; it may still say "TODO".
    #[command(
        after_help = "Example:\n  cdc-killmatrix rows corpus:customers_current/sequence_tie.json --why"
    )]
    Rows(RowsArgs),
    /// Says why a fixture catches or misses a broken copy.
    ///
    /// Every checkpoint that differs, rows side by side; of a miss, how far the broken decision came.
    #[command(
        after_help = "Example:\n  cdc-killmatrix explain kept_nulls corpus:customers_current/explicit_null"
    )]
    Explain(ExplainArgs),
    /// Says which fixtures are enough, and which add nothing.
    ///
    /// Also what only one of them catches. With `--accepted FILE` what changed since the state in that file was
    /// accepted; exit code 2: something became worse.
    #[command(after_help = "Example:\n  cdc-killmatrix audit corpus:customers_current")]
    Audit(AuditArgs),
    /// Finds the smallest events that would catch a broken copy.
    ///
    /// They are searched for under the flow of each audited suite in which the copy can differ, and printed as a
    /// fixture. Both tables are shown that may be right; which one is, you fill in. Exit code 5: for some copy
    /// nothing was found.
    #[command(
        after_help = "Example:\n  cdc-killmatrix suggest arrival_order --like corpus:customers_current"
    )]
    Suggest(SuggestArgs),
    /// Says which configurations can be shipped, and why not.
    ///
    /// Each fixture is a configuration. Two events of one key that share a sequence and differ: stop, the
    /// order. Other rows than the fixture's `business` wants, or without that, than its last checkpoint
    /// expects: stop, the business rule. Exit code 5: one is stopped.
    #[command(after_help = "Example:\n  cdc-killmatrix verdicts corpus:databricks --report-only")]
    Verdicts {
        /// Suites, folders of suites, or fixtures; by default those of killmatrix.toml, or `fixtures`.
        #[arg(value_name = "PATH")]
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
    /// Says whether a real run left the rows that a fixture expects.
    ///
    /// Compares keys, every column and how often each row is there, and the columns' types on their own. Rows that
    /// differ are shown beside those that are expected, with what `diagnose` says of them. A capture that is empty,
    /// cut off or of another fixture or checkpoint is an error. Exit code 5: a capture differs.
    #[command(
        after_help = "Example:\n  cdc-killmatrix verify corpus:customers_current/null_key.json --rows rows.csv"
    )]
    Verify(VerifyArgs),
    /// Names the fault that gives the rows which a pipeline left.
    ///
    /// A fixture says them in `observed`, beside the events of a checkpoint; what it expects doesn't matter here.
    /// Exit code 5: neither a single broken copy nor AUTO CDC itself gives exactly the rows of some fixture.
    #[command(after_help = "Example:\n  cdc-killmatrix diagnose corpus:reports/b16_arrival_order.json")]
    Diagnose(DiagnoseArgs),
    /// Rewrites the matrices in documents.
    ///
    /// They stand between `<!-- begin killmatrix PATH -->` and `<!-- end killmatrix -->`. PATH is seen from the
    /// folder of the document. With `verdicts PATH` the section holds the verdicts, with `assertions PATH` what
    /// weaker tests would have seen. Exit code 5, with `--check`: a document is out of date.
    #[command(after_help = "Example:\n  cdc-killmatrix docs --check README.md")]
    Docs {
        /// Only say which documents are out of date.
        #[arg(long)]
        check: bool,
        /// The documents.
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
    },
    /// Writes the flow of a fixture as SQL or Python to deploy.
    #[command(
        after_help = "Example:\n  cdc-killmatrix export corpus:customers_current/sequence_tie.json --to sql"
    )]
    Export(ExportArgs),
    /// Writes a Databricks bundle that plays fixtures in a workspace.
    ///
    /// A pipeline for each fixture, its tables inside one schema, and a program that plays its checkpoints and keeps
    /// the rows for `verify`. What a workspace can't play is left out by name.
    #[command(
        after_help = "Example:\n  cdc-killmatrix export-kit kit corpus:clauses --catalog dev --schema tests"
    )]
    ExportKit(KitArgs),
    /// Prints the JSON Schema of fixtures, for completion in editors.
    ///
    /// Or that of a suite.json. A file names its schema: "$schema": "../fixture.schema.json"
    #[command(after_help = "Example:\n  cdc-killmatrix schema fixture")]
    Schema {
        /// The kind of file.
        #[arg(value_enum, value_name = "FILE", default_value_t = FileKind::Fixture)]
        file: FileKind,
    },
    /// Prints a script with which a shell completes commands.
    ///
    /// For bash, put `source <(cdc-killmatrix completions bash)` into ~/.bashrc; for zsh, write the script to a
    /// file `_cdc-killmatrix` in a folder of $fpath; for fish, to ~/.config/fish/completions/cdc-killmatrix.fish.
    #[command(after_help = "Example:\n  cdc-killmatrix completions bash")]
    Completions {
        /// The shell.
        #[arg(value_enum)]
        shell: Shell,
    },
    /// Prints the manual page, of all or of one command.
    ///
    /// As `man` reads it: to read it at once, `cdc-killmatrix man > page.1`, and then `man ./page.1`.
    #[command(after_help = "Example:\n  cdc-killmatrix man run")]
    Man {
        /// The command; left out, the program.
        command: Option<String>,
    },
}

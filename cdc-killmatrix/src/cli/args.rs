//! What may be said on the command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// Where fixtures are looked for if nothing else is said.
pub(super) const FIXTURES: &str = "fixtures";

/// Would your fixtures notice a broken AUTO CDC?
///
/// Plays every fixture under deliberately broken copies of AUTO CDC and shows which are caught and which are
/// missed. Exit codes: 0 every mutant is caught, 1 wrong usage or input, 2 a mutant survives, 4 the reference
/// disagrees with a fixture, 5 a document is out of date, 70 a bug of this program.
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
    Rows {
        /// Suites, folders of suites, or fixtures.
        #[arg(required = true)]
        paths: Vec<PathBuf>,
        /// Apply the fixtures with this broken copy instead of the reference.
        #[arg(long, conflicts_with = "why")]
        mutant: Option<String>,
        /// Say what each event did: which won, which were passed over, and by which rule.
        #[arg(long)]
        why: bool,
        /// How to print the rows.
        #[arg(long, value_enum, default_value_t = PlainFormat::Text)]
        format: PlainFormat,
    },
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
    /// Rewrites the matrices in documents, between `<!-- begin killmatrix PATH -->` and its end.
    ///
    /// PATH is seen from the folder of the document.
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
    /// How to print the matrix.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(super) format: Format,
    /// Replay each fixture's events as one batch, too, and say what that would catch.
    #[arg(long)]
    pub(super) also_replay: bool,
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

//! What several commands are told.

use std::path::PathBuf;

use cdc_core::Dialect;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};

/// What a project says of its fixtures, and which are looked at.
#[derive(Args, Clone)]
pub(in crate::cli) struct ConfigArgs {
    /// The configuration; by default killmatrix.toml in the working folder, or else the nearest above it in the project.
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) config: Option<PathBuf>,
    /// Look at the fixtures that come with this program: as the path `corpus:`, of one suite `corpus:SUITE`.
    #[arg(long)]
    pub(in crate::cli) corpus: bool,
}

/// A flow in place of the fixtures' own.
#[derive(Args, Clone, Default)]
pub(in crate::cli) struct FlowArgs {
    /// The pipeline's .sql or .py file, with `#NAME` if it holds several flows; where a fixture has a flow, in its place.
    #[arg(long = "flow", value_name = "FILE#NAME")]
    pub(in crate::cli) definition: Option<String>,
    /// Whose AUTO CDC the definition is for; by default `databricks`.
    #[arg(long, requires = "definition", value_parser = dialects())]
    pub(in crate::cli) dialect: Option<Dialect>,
}

/// Reads the name of a dialect.
fn dialects() -> impl TypedValueParser<Value = Dialect> {
    let names = PossibleValuesParser::new(Dialect::ALL.map(Dialect::name));
    names.map(|name| Dialect::ALL.into_iter().find(|it| it.name() == name).unwrap_or_default())
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum Format {
    Text,
    Markdown,
    Json,
}

#[derive(Clone, Copy, ValueEnum)]
pub(in crate::cli) enum PlainFormat {
    Text,
    Json,
}

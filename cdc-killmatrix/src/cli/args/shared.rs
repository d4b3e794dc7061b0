//! What several commands are told.

use std::path::PathBuf;

use cdc_core::Dialect;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};

/// What a project says of its fixtures.
#[derive(Args)]
pub(in crate::cli) struct ConfigArgs {
    /// The configuration; by default killmatrix.toml in the working folder, if it is there.
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) config: Option<PathBuf>,
}

/// A flow in place of the fixtures' own.
#[derive(Args)]
pub(in crate::cli) struct FlowArgs {
    /// The flow, instead of the fixtures' own: a pipeline's .sql or .py file; `#NAME` if it holds several.
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

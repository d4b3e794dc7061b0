//! What is said to `export-kit`.

use std::path::PathBuf;

use clap::Args;

use super::shared::ConfigArgs;
use crate::kit::{Channel, Compute};

#[derive(Args)]
pub(in crate::cli) struct KitArgs {
    /// The folder to write: a new one, or an empty one.
    #[arg(value_name = "DIR")]
    pub(in crate::cli) folder: PathBuf,
    /// Suites, folders of suites, or fixtures; by default those of killmatrix.toml, or `fixtures`.
    #[arg(value_name = "PATH")]
    pub(in crate::cli) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(in crate::cli) config: ConfigArgs,
    /// The catalog that all tables are in.
    #[arg(long, value_name = "NAME")]
    pub(in crate::cli) catalog: String,
    /// The schema that all tables are in; better one that holds nothing else.
    #[arg(long, value_name = "NAME")]
    pub(in crate::cli) schema: String,
    /// What the pipelines run on.
    #[arg(long, value_enum, default_value_t = Compute::Serverless)]
    pub(in crate::cli) compute: Compute,
    /// Which release the pipelines run on.
    #[arg(long, value_enum, default_value_t = Channel::Current)]
    pub(in crate::cli) channel: Channel,
    /// The user that the pipelines run as; by default who deploys them.
    #[arg(long, value_name = "EMAIL", conflicts_with = "run_as_principal")]
    pub(in crate::cli) run_as_user: Option<String>,
    /// The service principal that the pipelines run as, by its application id.
    #[arg(long, value_name = "ID")]
    pub(in crate::cli) run_as_principal: Option<String>,
    /// Play the broken copies, too, that are a fault of the definition or of the events: all, or these. Each is a
    /// pipeline for each fixture.
    #[arg(long, value_name = "MUTANT,..", value_delimiter = ',', num_args = 0..=1, require_equals = true)]
    pub(in crate::cli) mutants: Option<Vec<String>>,
}

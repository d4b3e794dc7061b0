//! The reports of `run`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::report::Values;

/// Reports beside the matrix, or one in its place.
#[derive(Args, Clone)]
pub(in crate::cli) struct ReportArgs {
    /// Make a report: in the matrix's place, or with `=FILE` beside it. May be given several times.
    ///
    /// Kinds: `html`, one page for a browser, with the rows behind each cell; `junit`, XML for build servers;
    /// `github`, annotations of a workflow; `summary`, Markdown for the page of a build, such as
    /// `$GITHUB_STEP_SUMMARY`.
    #[arg(long = "report", value_name = "KIND[=FILE]", value_parser = ReportTo::read)]
    pub(in crate::cli) reports: Vec<ReportTo>,
    /// In an HTML report replace the values of events and rows by placeholders.
    ///
    /// One value, one placeholder, such as `city-1`. Nulls and what gives the order stay.
    #[arg(long, requires = "reports")]
    pub(in crate::cli) redact: bool,
}

impl ReportArgs {
    /// Whether the values of events and rows are shown.
    pub(in crate::cli) fn values(&self) -> Values {
        if self.redact { Values::Redacted } else { Values::Shown }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum Report {
    Html,
    Junit,
    Github,
    Summary,
}

/// A report, and the file for it; else it goes to standard output.
#[derive(Clone)]
pub(in crate::cli) struct ReportTo {
    pub(in crate::cli) kind: Report,
    pub(in crate::cli) file: Option<PathBuf>,
}

impl ReportTo {
    /// Reads `KIND` or `KIND=FILE`.
    fn read(text: &str) -> Result<Self, String> {
        let (kind, file) = match text.split_once('=') {
            Some((_, "")) => return Err("the name of the file is empty; expected KIND=FILE".to_owned()),
            Some((kind, file)) => (kind, Some(file.into())),
            None => (text, None),
        };
        let names = Report::value_variants().iter().filter_map(ValueEnum::to_possible_value);
        let names = names.map(|name| name.get_name().to_owned()).collect::<Vec<String>>().join(", ");
        let kind = Report::from_str(kind, false).map_err(|_| {
            format!("there is no such report; expected one of {names}, each maybe with =FILE")
        })?;
        Ok(Self { kind, file })
    }
}

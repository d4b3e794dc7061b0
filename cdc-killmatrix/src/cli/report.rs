//! The reports of `run`, for people and for other tools.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use same_file::is_same_file;

use super::args::{Format, Report, ReportArgs, ReportTo, RunArgs};
use super::session::Session;
use super::stop::Stop;
use crate::config;
use crate::diagnostic::Diagnostics;
use crate::files;
use crate::fixture::{self, Fixtures};
use crate::matrix::Matrix;
use crate::report;

impl<O: Write, E: Write> Session<'_, O, E> {
    /// Refuses two reports for one place, one in the place of an input, and what a report would hide.
    pub(super) fn reports_are_apart(args: &RunArgs, paths: &[PathBuf]) -> Result<(), Stop> {
        let reports = &args.report.reports;
        let hidden = [
            ("--format", args.format != Format::Text),
            ("--all", args.all),
            ("--assertions", args.assertions),
            ("--also-replay", args.also_replay),
        ];
        let hidden = hidden.into_iter().find(|(_, is_given)| *is_given);
        if let Some((option, _)) = hidden.filter(|_| reports.iter().any(|report| report.file.is_none())) {
            let text = format!(
                "`{option}` says how to print the matrix, and a report takes its place on standard output; expected \
                 `--report KIND=FILE`"
            );
            return Err(Stop::input(&text));
        }
        if 1 < reports.iter().filter(|report| report.file.is_none()).count() {
            let text = "two reports go to standard output; expected `=FILE` for all but one";
            return Err(Stop::input(text));
        }
        let mut inputs = Fixtures::files(paths);
        let config = args.config.config.clone().or_else(config::nearest);
        inputs.extend(config.and_then(|file| file.canonicalize().ok()));
        inputs.extend(
            args.flow.definition.as_ref().and_then(|it| fixture::file_of_flow(it).canonicalize().ok()),
        );
        let mut others = Vec::new();
        for file in reports.iter().filter_map(|report| report.file.as_deref()) {
            let (shown, real) = (file.display(), files::real(file));
            if inputs.contains(&real)
                || inputs.iter().any(|input| is_same_file(input, &real).unwrap_or_default())
            {
                let text = format!("a report goes to {shown}, which is an input; expected another file");
                return Err(Stop::input(&text));
            }
            if others.contains(&real) {
                return Err(Stop::input(&format!("two reports go to the file {shown}; expected one")));
            }
            others.push(real);
        }
        Ok(())
    }

    /// Makes annotations of what is wrong with the input, if such are wanted: no other report can be made of it.
    pub(super) fn annotate(&mut self, args: &ReportArgs, faults: &Diagnostics) -> Result<(), Stop> {
        let wanted = args.reports.iter().filter(|report| report.kind == Report::Github);
        for ReportTo { file, .. } in wanted {
            self.put(file.as_deref(), &report::github_faults(faults, &here()))?;
        }
        Ok(())
    }

    /// Writes a report to its file, or else to standard output.
    fn put(&mut self, file: Option<&Path>, text: &str) -> Result<(), Stop> {
        let Some(file) = file else { return Ok(write!(self.out, "{text}")?) };
        // In place: it may be a pipe or a device.
        fs::write(file, text).map_err(|error| Stop::unwritten(&files::unwritten(file, &error)))
    }

    /// Makes the reports that are wanted. Whether one takes the matrix's place on standard output.
    pub(super) fn report(
        &mut self,
        args: &ReportArgs,
        fixtures: &Fixtures,
        matrix: &Matrix,
        claims: &Diagnostics,
    ) -> Result<bool, Stop> {
        for ReportTo { kind, file } in &args.reports {
            let text = match kind {
                Report::Html => report::html(fixtures, matrix, args.values()),
                Report::Junit => report::junit(matrix, claims, self.program),
                Report::Github => report::github(fixtures, matrix, claims, &here(), self.program),
                Report::Summary => report::step_summary(matrix, claims, self.program),
            };
            self.put(file.as_deref(), &text)?;
        }
        Ok(args.reports.iter().any(|report| report.file.is_none()))
    }
}

/// The working folder: GitHub sees paths from there.
fn here() -> PathBuf {
    std::env::current_dir().unwrap_or_default()
}

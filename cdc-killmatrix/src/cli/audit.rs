//! The command `audit`.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use super::Exit;
use super::args::{AuditArgs, FlowArgs, Format};
use super::corpus::Corpus;
use super::session::Session;
use super::stop::Stop;
use crate::audit::{self, Audit, Comparison, Grade, State, SuiteState, compare};
use crate::check;
use crate::files;
use crate::fixture::{Expectations, Fixtures};
use crate::matrix::Matrix;
use crate::report::{self, Extent, Values};
use crate::words::{counted, pasted};

/// How many feeds are tried, about, to tell all mutants apart that are caught alike.
const TRIES: usize = 100_000;

/// The same, for who has time.
const ALL_TRIES: usize = 1_000_000;

impl<O: Write, E: Write> Session<'_, O, E> {
    pub(super) fn audit(&mut self, args: &AuditArgs) -> Result<Exit, Stop> {
        let (config, paths) = self.configured(&args.config, &args.paths, "audit")?;
        let fixtures = self.loaded(Expectations::Needed, &FlowArgs::default(), &paths)?;
        if args.paths.is_empty() {
            config.suites_exist(&fixtures)?;
        }
        check::undeclared_conflicts(&fixtures)?;
        let mut matrix = Matrix::of(&fixtures, self.mutants);
        if self.disagrees(&fixtures, &matrix, args.format, Values::Shown)? {
            return Ok(Exit::Disagreement);
        }
        config.apply(&mut matrix);
        if args.accepted.is_some() && paths.iter().any(|path| Corpus::has(path)) {
            return Err(Stop::input(
                "a state is kept of your own fixtures; expected no `corpus:` beside `--accepted`",
            ));
        }
        let compared = match &args.accepted {
            Some(file) => Some(Accepted::new(file, &fixtures, &matrix, &paths)?),
            None => None,
        };
        let comparison = compared.as_ref().and_then(|accepted| accepted.comparison.as_ref());
        let mut audits: Vec<Audit<'_>> = audit::of(&matrix);
        audit::tell_apart(&mut audits, &fixtures, if args.all { ALL_TRIES } else { TRIES });
        match args.format {
            Format::Json => write!(self.out, "{}", report::audit_json(&matrix, &audits, comparison))?,
            Format::Markdown => {
                let ignored = report::ignored_markdown(&matrix);
                write!(self.out, "{}{ignored}", report::audit_markdown(&audits, comparison))?;
            }
            Format::Text => {
                let extent = if args.all { Extent::All } else { Extent::Screen };
                write!(self.out, "{}", report::audit(&audits, extent, self.program))?;
                write!(self.out, "{}", report::ignored_text(&matrix))?;
                if let (Some(comparison), Some(file)) = (comparison, &args.accepted) {
                    let accept = self.accept(args, file);
                    write!(self.out, "{}", report::comparison(comparison, file, &accept))?;
                }
            }
        }
        let Some((file, accepted)) = args.accepted.as_ref().zip(compared) else { return Ok(Exit::Fine) };
        let is_worse = accepted.comparison.as_ref().is_some_and(|it| it.of(Grade::Worse).next().is_some());
        if accepted.comparison.is_some() && !args.accept {
            return Ok(if is_worse { Exit::Survivor } else { Exit::Fine });
        }
        accepted.write(file)?;
        let shown = files::shown(file);
        let suites = counted(accepted.new.suites.len(), "suite");
        writeln!(
            self.err,
            "{shown} is written: what holds of {suites} is what later audits are held against"
        )?;
        Ok(Exit::Fine)
    }

    /// The command that accepts what is.
    fn accept(&self, args: &AuditArgs, file: &Path) -> String {
        let mut words = vec![self.program.to_owned(), "audit".to_owned()];
        words.extend(args.paths.iter().map(|path| pasted(path)));
        words.extend(args.config.config.iter().map(|file| format!("--config {}", pasted(file))));
        words.push(format!("--accepted {} --accept", pasted(file)));
        words.join(" ")
    }
}

/// What was accepted, and what is.
struct Accepted {
    /// `None`: the file isn't there yet.
    comparison: Option<Comparison>,
    /// What the file should say.
    new: State,
}

impl Accepted {
    fn new(file: &Path, fixtures: &Fixtures, matrix: &Matrix, paths: &[PathBuf]) -> Result<Self, Stop> {
        let folder = file.parent().unwrap_or(Path::new("")).to_owned();
        let mut new = State::of(fixtures, matrix, &folder);
        let partial: Vec<&str> = fixtures
            .suites
            .iter()
            .filter(|suite| !paths.iter().any(|path| holds(path, &suite.path)))
            .map(|suite| suite.name.as_str())
            .collect();
        if !is_there(file)? {
            if let Some(name) = partial.first() {
                let text = format!(
                    "only a part of the suite {name} is given, and a state is of whole suites; expected its folder"
                );
                return Err(Stop::input(&text));
            }
            return Ok(Self { comparison: None, new });
        }
        let old = State::read(file)?;
        let is_there = |suite: &SuiteState| folder.join(&suite.path).is_dir();
        let comparison = compare(&old, &new, matrix, &partial, is_there);
        // Of what isn't judged that stays which was accepted.
        new.suites.retain(|name, _| !partial.contains(&name.as_str()));
        for (name, suite) in old.suites {
            let is_loaded = fixtures.suites.iter().any(|it| it.name == name);
            if partial.contains(&name.as_str()) || !is_loaded && is_there(&suite) {
                new.suites.insert(name, suite);
            }
        }
        Ok(Self { comparison: Some(comparison), new })
    }

    /// Writes the file: a new one, or beside the old one and then in its place.
    fn write(&self, file: &Path) -> Result<(), Stop> {
        let text = self.new.text();
        let written =
            if self.comparison.is_some() { files::replace(file, &text) } else { files::create(file, &text) };
        written.map_err(|error| Stop::unwritten(&error))
    }
}

/// Whether a folder is in another one, or is it.
fn holds(outer: &Path, inner: &Path) -> bool {
    files::real(inner).starts_with(files::real(outer))
}

fn is_there(file: &Path) -> Result<bool, Stop> {
    match fs::metadata(file) {
        Ok(_) => Ok(true),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(Stop::input(&files::unread(file, &error))),
    }
}

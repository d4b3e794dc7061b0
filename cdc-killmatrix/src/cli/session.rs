//! What the commands do.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use cdc_core::Mutant;

use super::args::{Command, ConfigArgs, FIXTURES, FlowArgs, Format, PlainFormat};
use super::{Exit, UntilClosed};
use crate::config::{self, Config};
use crate::definition::Definition;
use crate::diagnostic::Diagnostics;
use crate::docs::{self, DocsError};
use crate::escape::for_terminal;
use crate::files;
use crate::fixture::{self, Expectations, Fixtures, NoFlow, Wanted};
use crate::matrix::Matrix;
use crate::readiness::Readiness;
use crate::report::{self, Values};
use crate::words::{hint, near, nearest};

/// Why a command ends early.
pub(super) enum Stop {
    /// The output can't be written.
    Output(io::Error),
    /// With this exit code, and this to say, which is safe for a terminal.
    Because(Exit, String),
}

impl Stop {
    /// The same, with more to say.
    pub(super) fn with(self, more: &str) -> Self {
        match self {
            Self::Because(exit, text) => Self::Because(exit, text + more),
            other @ Self::Output(_) => other,
        }
    }

    pub(super) fn input(text: &str) -> Self {
        Self::Because(Exit::Input, for_terminal(text).into_owned())
    }
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

impl From<Diagnostics> for Stop {
    fn from(diagnostics: Diagnostics) -> Self {
        Self::Because(Exit::Input, diagnostics.styled())
    }
}

impl From<DocsError> for Stop {
    fn from(error: DocsError) -> Self {
        match error {
            DocsError::Input(text) => Self::Because(Exit::Input, text),
            DocsError::Disagreement(text) => Self::Because(Exit::Disagreement, text),
        }
    }
}

pub(super) struct Session<'a, O, E> {
    pub(super) mutants: &'a [Mutant],
    /// How this program is called, for commands that are shown.
    pub(super) program: &'a str,
    /// The result and nothing else.
    pub(super) out: &'a mut UntilClosed<O>,
    /// All else.
    pub(super) err: &'a mut E,
}

impl<O: Write, E: Write> Session<'_, O, E> {
    pub(super) fn carry_out(&mut self, command: Command) -> Result<Exit, Stop> {
        match command {
            Command::Run(args) => self.run(&args),
            Command::Audit(args) => self.audit(&args),
            Command::List { format } => self.list(format),
            Command::Rows(args) => self.rows(&args),
            Command::Explain(args) => self.explain(&args),
            Command::Check(args) => self.check(&args),
            Command::Verdicts { paths, config, format, report_only } => {
                let (_, paths) = self.configured(&config, &paths, "verdicts")?;
                self.verdicts(&paths, format, report_only)
            }
            Command::Diagnose(args) => self.diagnose(&args),
            Command::Suggest(args) => self.suggest(&args),
            Command::Export(args) => self.export(&args),
            Command::Schema { file } => self.schema(file),
            Command::Docs { check, files } => self.docs(check, &files),
        }
    }

    fn list(&mut self, format: PlainFormat) -> Result<Exit, Stop> {
        let text = match format {
            PlainFormat::Text => report::list(self.mutants),
            PlainFormat::Json => report::list_json(self.mutants),
        };
        write!(self.out, "{text}")?;
        Ok(Exit::Fine)
    }

    fn verdicts(&mut self, paths: &[PathBuf], format: Format, report_only: bool) -> Result<Exit, Stop> {
        let fixtures = self.warned(Fixtures::load(paths))?;
        let baseline = Matrix::of(&fixtures, &[]);
        if self.disagrees(&fixtures, &baseline, format, Values::Shown)? {
            return Ok(Exit::Disagreement);
        }
        let all = Readiness::of(&fixtures).map_err(|reason| Stop::input(&reason))?;
        let text = match format {
            Format::Text => report::verdicts(&all),
            Format::Markdown => report::verdicts_markdown(&all),
            Format::Json => report::verdicts_json(&all),
        };
        write!(self.out, "{text}")?;
        let stops = all.iter().flat_map(|suite| &suite.configurations).any(|it| it.class.is_stop());
        Ok(if stops && !report_only { Exit::Difference } else { Exit::Fine })
    }

    fn docs(&mut self, check: bool, files: &[PathBuf]) -> Result<Exit, Stop> {
        // All documents are read before one is written: nothing is half done.
        let mut changed = Vec::new();
        for file in files {
            let (old, new) = docs::updated(file, self.mutants)?;
            if old != new {
                changed.push((file.clone(), new));
            }
        }
        let shown = |file: &Path| for_terminal(&file.to_string_lossy()).into_owned();
        if check {
            for (file, _) in &changed {
                let file = shown(file);
                writeln!(self.out, "{file} is out of date: run `{} docs {file}`", self.program)?;
            }
            return Ok(if changed.is_empty() { Exit::Fine } else { Exit::Difference });
        }
        files::replace_all(&changed).map_err(|error| Stop::input(&error.to_string()))?;
        for (file, _) in &changed {
            writeln!(self.out, "{} is rewritten", shown(file))?;
        }
        Ok(Exit::Fine)
    }

    /// The configuration, and the paths that were given; if none was, those of the configuration, or the default.
    pub(super) fn configured(
        &self,
        args: &ConfigArgs,
        given: &[PathBuf],
        command: &str,
    ) -> Result<(Config, Vec<PathBuf>), Stop> {
        let file =
            args.config.clone().or_else(|| Some(PathBuf::from(config::FILE)).filter(|file| file.exists()));
        let config = file.map(|file| Config::read(&file, self.mutants)).transpose()?.unwrap_or_default();
        let paths = match (given, &*config.fixtures) {
            ([], []) => vec![PathBuf::from(FIXTURES)],
            ([], configured) => configured.to_vec(),
            (given, _) => given.to_vec(),
        };
        if given.is_empty() && config.fixtures.is_empty() && !Path::new(FIXTURES).exists() {
            let program = self.program;
            let text =
                format!("there is no folder `{FIXTURES}` here; expected a path: {program} {command} PATH");
            return Err(Stop::input(&text));
        }
        Ok((config, paths))
    }

    /// Whether the reference disagrees with a fixture: then the rows are shown.
    pub(super) fn disagrees(
        &mut self,
        fixtures: &Fixtures,
        matrix: &Matrix,
        format: Format,
        values: Values,
    ) -> Result<bool, Stop> {
        let disagreements = report::disagreements(fixtures, matrix, values, self.program);
        if disagreements.is_empty() {
            return Ok(false);
        }
        match format {
            Format::Text => write!(self.out, "{disagreements}")?,
            Format::Markdown => write!(self.err, "{disagreements}")?,
            Format::Json => write!(self.out, "{}", report::matrix_json(matrix, None))?,
        }
        Ok(true)
    }

    /// The fixtures at these paths, with the flow of a definition in place of their own, if one is named.
    pub(super) fn loaded(
        &mut self,
        expectations: Expectations,
        flow: &FlowArgs,
        paths: &[PathBuf],
    ) -> Result<Fixtures, Stop> {
        let flow = self.flow(flow)?;
        self.warned(Fixtures::load_with(&Wanted { expectations, flow }, paths))
    }

    /// The flow of a definition, if one is named.
    pub(super) fn flow(&mut self, args: &FlowArgs) -> Result<Option<Definition>, Stop> {
        let Some(text) = &args.definition else { return Ok(None) };
        match fixture::flow_named(text, args.dialect.unwrap_or_default()) {
            Ok(definition) => {
                for warning in &definition.warnings {
                    writeln!(self.err, "warning: {warning}")?;
                }
                Ok(Some(definition))
            }
            Err(NoFlow::Path(text)) => Err(Stop::input(&format!("--flow: {text}"))),
            Err(NoFlow::Definition(faults)) => Err(faults.into()),
        }
    }

    pub(super) fn warned(&mut self, loaded: Result<Fixtures, Diagnostics>) -> Result<Fixtures, Stop> {
        let fixtures = loaded?;
        for warning in &fixtures.warnings {
            writeln!(self.err, "warning: {warning}")?;
        }
        Ok(fixtures)
    }

    pub(super) fn mutant(&self, name: &str) -> Result<Mutant, Stop> {
        if let Some(found) = self.mutants.iter().find(|mutant| mutant.name == name) {
            return Ok(*found);
        }
        let names = self.mutants.iter().map(|mutant| mutant.name);
        if let Some(meant) = near(name, names.clone()) {
            return Err(Stop::input(&format!("there is no mutant `{name}`; did you mean `{meant}`?")));
        }
        let alike = nearest(name, names).join("`, `");
        let rest = format!("\n  `{alike}`;\nall of them: {} list", self.program);
        Err(Stop::input(&format!("there is no mutant `{name}`; the nearest are")).with(&rest))
    }
}

/// There is nothing of that name; the nearest name, or some of them.
pub(super) fn unknown(what: &str, name: &str, names: &[String]) -> Stop {
    Stop::input(&format!("there is no {what} `{name}`; {}", hint(name, names.iter().map(String::as_str))))
}

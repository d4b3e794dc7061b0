//! What the commands do.

use std::io::Write;
use std::path::{Path, PathBuf};

use cdc_core::Mutant;

use super::args::{Command, ConfigArgs, FlowArgs, Format, PlainFormat};
use super::corpus::{Corpus, PREFIX};
use super::stop::Stop;
use super::{Exit, UntilClosed};
use crate::config::{self, Config};
use crate::definition::Definition;
use crate::diagnostic::{Diagnostics, FIRST};
use crate::docs;
use crate::escape::for_terminal;
use crate::files;
use crate::fixture::{self, Expectations, Fixtures, NoFlow, Wanted};
use crate::matrix::Matrix;
use crate::readiness::Readiness;
use crate::report::{self, Values};
use crate::words::{hint, near, nearest};

pub(super) struct Session<'a, O, E> {
    pub(super) mutants: &'a [Mutant],
    /// The fixtures that the program carries.
    pub(super) corpus: &'a Corpus<'a>,
    /// How this program is called, for commands that are shown.
    pub(super) program: &'a str,
    /// The call that was made, as it can be pasted.
    pub(super) call: &'a str,
    /// The result and nothing else.
    pub(super) out: &'a mut UntilClosed<O>,
    /// All else.
    pub(super) err: &'a mut E,
}

impl<O: Write, E: Write> Session<'_, O, E> {
    pub(super) fn carry_out(&mut self, command: Command) -> Result<Exit, Stop> {
        match command {
            Command::New(args) => self.begin(&args),
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
            Command::Verify(args) => self.verify(&args),
            Command::Diagnose(args) => self.diagnose(&args),
            Command::Suggest(args) => self.suggest(&args),
            Command::Export(args) => self.export(&args),
            Command::ExportKit(args) => self.kit(&args),
            Command::Schema { file } => self.schema(file),
            Command::Docs { check, files } => self.docs(check, &files),
            Command::Completions { shell } => self.completions(shell),
            Command::Man { command } => self.man(command.as_deref()),
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
        let fixtures = self.loaded(Expectations::Needed, &FlowArgs::default(), paths)?;
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
        let file = args.config.clone().or_else(config::nearest);
        let config =
            file.as_ref().map(|file| Config::read(file, self.mutants)).transpose()?.unwrap_or_default();
        let default = config::default_fixtures(file.as_deref());
        let paths = match (given, &*config.fixtures) {
            _ if args.corpus => [&[PathBuf::from(PREFIX)], given].concat(),
            ([], []) if !default.exists() => {
                let (program, folder) = (self.program, default.display());
                let text =
                    format!("there is no folder `{folder}` here; expected a path: {program} {command} PATH");
                return Err(Stop::input(&text).with(&self.next(FIRST)));
            }
            ([], []) => vec![default],
            ([], configured) => configured.to_vec(),
            (given, _) => given.to_vec(),
        };
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
            Format::Json => write!(self.out, "{}", report::matrix_json(matrix, report::Beside::default()))?,
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
        let loaded = self.load(&Wanted { expectations, flow }, paths)?;
        self.warned(loaded)
    }

    /// The fixtures at these paths; those that come with the program are shown as such.
    pub(super) fn load(
        &self,
        wanted: &Wanted,
        paths: &[PathBuf],
    ) -> Result<Result<Fixtures, Diagnostics>, Stop> {
        let real: Vec<PathBuf> = paths.iter().map(|path| self.corpus.real(path)).collect::<Result<_, _>>()?;
        let loaded = Fixtures::load_with(wanted, real);
        let Some(folder) = self.corpus.folder() else { return Ok(loaded) };
        Ok(loaded.map_err(|faults| faults.shown(folder, PREFIX)).map(|mut fixtures| {
            fixtures.show(folder, PREFIX);
            fixtures
        }))
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
            Err(NoFlow::Path(text)) => {
                Err(Stop::input(&format!("--flow: {text}")).with(&self.again("`--flow` names one")))
            }
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
            let text = format!("there is no broken copy `{name}`; did you mean `{meant}`?");
            return Err(Stop::input(&text).with(&self.next(["list"])));
        }
        let alike = nearest(name, names).join("`, `");
        let text = format!("there is no broken copy `{name}`; the nearest are");
        Err(Stop::input(&text).with(&format!("\n  `{alike}`{}", self.next(["list"]))))
    }
}

/// There is nothing of that name; the nearest name, or some of them.
pub(super) fn unknown(what: &str, name: &str, names: &[String]) -> Stop {
    Stop::input(&format!("there is no {what} `{name}`; {}", hint(name, names.iter().map(String::as_str))))
}

//! What the commands do.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use cdc_core::{Mutant, Plan, Reference};

use super::args::{Command, FIXTURES, FlowArgs, Format, PlainFormat, RowsArgs, RunArgs};
use super::{Exit, UntilClosed};
use crate::check;
use crate::definition::Definition;
use crate::diagnostic::Diagnostics;
use crate::docs::{self, DocsError};
use crate::escape::for_terminal;
use crate::fixture::{self, Expectations, Fixture, Fixtures, NoFlow, Suite, Wanted};
use crate::matrix::Matrix;
use crate::readiness::Readiness;
use crate::replay::Replay;
use crate::report::{self, Tables};
use crate::verdict;
use crate::why::{Chronicle, Story, Witness};
use crate::words::offered;

/// Why a command ends early.
pub(super) enum Stop {
    /// The output can't be written.
    Output(io::Error),
    /// With this exit code, and this to say, which is safe for a terminal.
    Because(Exit, String),
}

impl Stop {
    /// The same, with more to say.
    fn with(self, more: &str) -> Self {
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
            Command::List { format } => self.list(format),
            Command::Rows(args) => self.rows(&args),
            Command::Explain { mutant, fixture, fixtures } => self.explain(&mutant, &fixture, &fixtures),
            Command::Check(args) => self.check(&args),
            Command::Verdicts { paths, format, report_only } => self.verdicts(&paths, format, report_only),
            Command::Export(args) => self.export(&args),
            Command::Docs { check, files } => self.docs(check, &files),
        }
    }

    fn run(&mut self, args: &RunArgs) -> Result<Exit, Stop> {
        self.default_exists(&args.paths, "run")?;
        let fixtures = self.loaded(Expectations::Needed, &args.flow, &args.paths)?;
        check::undeclared_conflicts(&fixtures)?;
        let matrix = Matrix::of(&fixtures, self.mutants);
        if self.disagrees(&fixtures, &matrix, args.format)? {
            return Ok(Exit::Disagreement);
        }
        let replay = args.also_replay.then(|| Replay::of(&fixtures, self.mutants));
        let replays = report::replays(replay.as_deref().unwrap_or_default());
        match args.format {
            Format::Json => write!(self.out, "{}", report::matrix_json(&matrix, replay.as_deref()))?,
            Format::Markdown => write!(self.out, "{}{replays}", report::markdown(&matrix))?,
            Format::Text => {
                write!(self.out, "{}{replays}\n{}", report::text(&matrix, self.program), report::LAST_LINE)?;
            }
        }
        Ok(if matrix.survivors().next().is_some() { Exit::Survivor } else { Exit::Fine })
    }

    fn list(&mut self, format: PlainFormat) -> Result<Exit, Stop> {
        let text = match format {
            PlainFormat::Text => report::list(self.mutants),
            PlainFormat::Json => report::list_json(self.mutants),
        };
        write!(self.out, "{text}")?;
        Ok(Exit::Fine)
    }

    fn rows(&mut self, args: &RowsArgs) -> Result<Exit, Stop> {
        let &RowsArgs { ref paths, ref mutant, why, feed, ref flow, format } = args;
        let mutant = mutant.as_deref().map(|name| self.mutant(name)).transpose()?;
        let fixtures = self.loaded(Expectations::Optional, flow, paths)?;
        check::undeclared_conflicts(&fixtures)?;
        if feed && !fixtures.pairs().any(|(_, fixture)| fixture.plans.iter().any(Plan::reads_snapshots)) {
            let what = match &*fixtures.pairs().collect::<Vec<_>>() {
                [(suite, fixture)] => format!("`{}` has none", suite.full_name(fixture)),
                _ => "none of these fixtures has one".to_owned(),
            };
            let text = format!("`--feed` is for flows from snapshots; {what}");
            writeln!(self.err, "warning: {}", for_terminal(&text))?;
        }
        let mut all = Vec::new();
        for (suite, fixture) in fixtures.pairs() {
            let shown = match mutant {
                None => verdict::tables(&Reference, fixture),
                Some(mutant) => verdict::tables(&mutant, fixture),
            };
            let mut shown =
                shown.map_err(|reason| Stop::input(&format!("{}: {reason}", suite.full_name(fixture))))?;
            if !feed {
                for shown in &mut shown {
                    shown.feed = None;
                }
            }
            let (witness, mut chronicle) = (Witness::default(), None);
            let mut stories = |number: usize| -> Vec<Story> {
                if !why {
                    return Vec::new();
                }
                if number == 0 || fixture.checkpoints[number].full_refresh {
                    chronicle = Some(Chronicle::new(&witness, &fixture.plans, &fixture.feed, number));
                }
                chronicle.as_mut().and_then(Iterator::next).unwrap_or_default()
            };
            match format {
                PlainFormat::Json => {
                    let checkpoints =
                        shown.into_iter().enumerate().map(|(number, shown)| (shown, stories(number)));
                    let checkpoints = checkpoints.collect();
                    all.push(Tables { suite: &suite.name, fixture, checkpoints });
                }
                PlainFormat::Text => {
                    write!(self.out, "{}", report::rows_title(&suite.name, fixture))?;
                    for (number, shown) in shown.iter().enumerate() {
                        if self.out.is_closed {
                            return Ok(Exit::Fine);
                        }
                        write!(self.out, "{}", report::rows_text(fixture, number, shown, &stories(number)))?;
                    }
                    writeln!(self.out)?;
                }
            }
        }
        if let PlainFormat::Json = format {
            write!(self.out, "{}", report::rows_json(&all))?;
        }
        Ok(Exit::Fine)
    }

    fn explain(&mut self, mutant: &str, name: &str, paths: &[PathBuf]) -> Result<Exit, Stop> {
        let mutant = self.mutant(mutant)?;
        // A full name may be the path of the suite's folder as well.
        let path = Path::new(name);
        let folder = path.parent().filter(|folder| folder.is_dir());
        let own = match folder {
            _ if path.is_file() => vec![path.to_owned()],
            Some(folder) => vec![folder.to_owned()],
            None => Vec::new(),
        };
        let mut fixtures = self.warned(Fixtures::load(if own.is_empty() { paths } else { &own }))?;
        let is_meant = |(suite, fixture): (&Suite, &Fixture)| {
            let is_in_folder =
                folder.is_some() && path.file_name().is_some_and(|last| *last == *fixture.name);
            path.is_file() || is_in_folder || suite.full_name(fixture) == name
        };
        if !fixtures.pairs().any(is_meant) {
            let full_name = |(suite, fixture): (&Suite, &Fixture)| suite.full_name(fixture);
            let names = fixtures.pairs().map(full_name).collect::<Vec<String>>();
            let place = "; `--fixtures PATH` says where to look, and a file may be given as well";
            return Err(unknown("fixture", name, &names).with(place));
        }
        for suite in &mut fixtures.suites {
            let whole = suite.clone();
            suite.fixtures.retain(|fixture| is_meant((&whole, fixture)));
        }
        check::undeclared_conflicts(&fixtures)?;
        let baseline = Matrix::of(&fixtures, &[]);
        if self.disagrees(&fixtures, &baseline, Format::Text)? {
            return Ok(Exit::Disagreement);
        }
        for (suite, fixture) in fixtures.pairs() {
            let outcome = verdict::try_mutant(&mutant, fixture);
            write!(self.out, "{}", report::explain(&mutant, &suite.name, fixture, &outcome))?;
        }
        Ok(Exit::Fine)
    }

    fn verdicts(&mut self, paths: &[PathBuf], format: Format, report_only: bool) -> Result<Exit, Stop> {
        self.default_exists(paths, "verdicts")?;
        let fixtures = self.warned(Fixtures::load(paths))?;
        let baseline = Matrix::of(&fixtures, &[]);
        if self.disagrees(&fixtures, &baseline, format)? {
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
        docs::replace_all(&changed).map_err(|error| Stop::input(&error.to_string()))?;
        for (file, _) in &changed {
            writeln!(self.out, "{} is rewritten", shown(file))?;
        }
        Ok(Exit::Fine)
    }

    /// Stops where no path was given and the default is missing.
    fn default_exists(&self, paths: &[PathBuf], command: &str) -> Result<(), Stop> {
        if paths != [Path::new(FIXTURES)] || Path::new(FIXTURES).exists() {
            return Ok(());
        }
        let program = self.program;
        let text = format!("there is no folder `{FIXTURES}` here; expected a path: {program} {command} PATH");
        Err(Stop::input(&text))
    }

    /// Whether the reference disagrees with a fixture: then the rows are shown.
    fn disagrees(&mut self, fixtures: &Fixtures, matrix: &Matrix, format: Format) -> Result<bool, Stop> {
        let disagreements = report::disagreements(fixtures, matrix, self.program);
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

    fn mutant(&self, name: &str) -> Result<Mutant, Stop> {
        let names = || self.mutants.iter().map(|mutant| mutant.name.to_owned()).collect::<Vec<String>>();
        let found = self.mutants.iter().find(|mutant| mutant.name == name);
        found.copied().ok_or_else(|| unknown("mutant", name, &names()))
    }
}

/// There is nothing of that name; the nearest name, or some of them.
fn unknown(what: &str, name: &str, names: &[String]) -> Stop {
    let last = |other: &str| other.rsplit('/').next() == Some(name);
    let distance = |other: &String| if last(other) { 0 } else { strsim::damerau_levenshtein(name, other) };
    let near = names.iter().map(|other| (distance(other), other)).min();
    let advice = match near {
        Some((distance, near)) if distance <= near.chars().count() / 3 => format!("did you mean `{near}`?"),
        _ => format!("expected one of {}", offered(names)),
    };
    Stop::input(&format!("there is no {what} `{name}`; {advice}"))
}

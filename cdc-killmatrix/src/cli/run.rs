//! `run`: every fixture against every mutant.

use std::io::{self, Write};
use std::path::Path;

use super::args::{Format, Report, RunArgs};
use super::corpus::PREFIX;
use super::engines;
use super::session::Session;
use super::stop::Stop;
use super::{Exit, progress};
use crate::assertions::Assertions;
use crate::check;
use crate::claims::broken_claims;
use crate::config::{self, FIXTURES};
use crate::control::{self, Controls};
use crate::diagnostic::{Diagnostics, FIRST};
use crate::engine::Played;
use crate::fixture::{Expectations, Fixtures, Wanted};
use crate::matrix::Matrix;
use crate::replay::Replay;
use crate::report::{self, Beside};
use crate::suggest;

/// The suite that is shown to who has none.
const SHOWN: &str = "customers_current";

/// How many feeds a run tries, about, to refute all claims of equivalence.
const TRIES: usize = 4000;

impl<O: Write, E: Write> Session<'_, O, E> {
    pub(super) fn run(&mut self, args: &RunArgs) -> Result<Exit, Stop> {
        if self.has_nothing(args) {
            return self.run_corpus(args);
        }
        let (config, paths) = self.configured(&args.config, &args.paths, "run")?;
        Self::reports_are_apart(args, &paths)?;
        let engines = engines::named(args, &config)?;
        let of_engines = match &args.engine_mutants {
            Some(names) => Some(self.playable("--engine-mutants", names)?),
            None => None,
        };
        let wanted = Wanted { expectations: Expectations::Needed, flow: self.flow(&args.flow)? };
        let loaded = self.load(&wanted, &paths)?;
        let sound = loaded.and_then(|fixtures| match check::undeclared_conflicts(&fixtures) {
            Ok(()) => Ok(fixtures),
            Err(faults) => Err(faults.with_warnings(fixtures.warnings)),
        });
        if let Err(faults) = &sound {
            self.annotate(&args.report, faults)?;
        }
        let fixtures = self.warned(sound)?;
        if args.paths.is_empty() {
            config.suites_exist(&fixtures)?;
        }
        let progress = progress::on_stderr();
        let mut matrix = Matrix::watched(&fixtures, self.mutants, &|done, all| progress.tell(done, all));
        drop(progress);
        config.apply(&mut matrix);
        let is_html = args.report.reports.iter().any(|report| report.kind == Report::Html);
        if is_html || args.format == Format::Json {
            matrix = matrix.in_words(&fixtures);
        }
        if matrix.disagreements().next().is_none() {
            self.trusted(&fixtures)?;
        }
        let is_played = matrix.disagreements().next().is_none();
        // Of another definition than their own the fixtures claim nothing.
        let claims = match args.flow.definition {
            None if is_played => broken_claims(&fixtures, &matrix).err().unwrap_or_default(),
            _ => Diagnostics::default(),
        };
        let is_reported = self.report(&args.report, &fixtures, &matrix, &claims)?;
        let shown = if is_reported { Format::Markdown } else { args.format };
        if self.disagrees(&fixtures, &matrix, shown, args.report.values())? {
            return Ok(Exit::Disagreement);
        }
        let played = engines::played(&engines, &fixtures, &matrix, of_engines.as_deref());
        if !is_reported {
            self.show(args, &fixtures, &matrix, &played)?;
        } else if !played.is_empty() {
            // The report has the place of the result.
            write!(self.err, "{}", report::engines(&fixtures, &played))?;
        }
        if claims.count() != 0 {
            self.out.flush()?;
            return Err(claims.into());
        }
        Ok(match engines::exit(&played) {
            Some(exit @ (Exit::Input | Exit::Timeout)) => exit,
            _ if matrix.survivors().next().is_some() => Exit::Survivor,
            exit => exit.unwrap_or(Exit::Fine),
        })
    }

    /// Whether nothing says what to play, and a reader, not a program, waits for the answer.
    fn has_nothing(&self, args: &RunArgs) -> bool {
        let is_plain = args.format == Format::Text && args.report.reports.is_empty();
        let is_said = args.config.corpus || args.config.config.is_some() || !args.paths.is_empty();
        is_plain
            && !is_said
            && self.corpus.is_there()
            && !Path::new(FIXTURES).exists()
            && config::nearest().is_none()
    }

    /// Shows the fixtures that come with the program. It is no success: a build in the wrong folder must not pass.
    fn run_corpus(&mut self, args: &RunArgs) -> Result<Exit, Stop> {
        let paths = vec![format!("{PREFIX}{SHOWN}").into()];
        self.run(&RunArgs { paths, ..args.clone() })?;
        self.out.flush()?;
        let text = format!(
            "no folder `{FIXTURES}` is here, so that nothing of yours was judged: this is a suite that comes with the program"
        );
        Err(Stop::input(&text).with(&self.next(FIRST)))
    }

    /// Stops where a control fails, or a claim of equivalence is refuted: then a run would say what isn't so.
    fn trusted(&mut self, fixtures: &Fixtures) -> Result<(), Stop> {
        let failures = control::failures(fixtures, &Controls::default());
        if !failures.is_empty() {
            return Err(Stop::Because(Exit::Disagreement, report::void(&failures)));
        }
        let refuted = suggest::refuted(fixtures, self.mutants, TRIES);
        if !refuted.is_empty() {
            return Err(Stop::Because(Exit::Input, report::refuted(&refuted, self.program)));
        }
        Ok(())
    }

    /// Prints the matrix, or what weaker tests would have seen.
    fn show(
        &mut self,
        args: &RunArgs,
        fixtures: &Fixtures,
        matrix: &Matrix,
        played: &[Played],
    ) -> io::Result<()> {
        if args.assertions {
            let assertions = Assertions::of(fixtures, self.mutants);
            let text = match args.format {
                Format::Json => report::assertions_json(&assertions),
                Format::Markdown => report::assertions_markdown(&assertions),
                Format::Text => report::assertions(&assertions),
            };
            return write!(self.out, "{text}");
        }
        let replay = args.also_replay.then(|| Replay::of(fixtures, self.mutants));
        let replays = report::replays(replay.as_deref().unwrap_or_default());
        let engines = if played.is_empty() {
            String::new()
        } else {
            format!("\n{}", report::engines(fixtures, played))
        };
        let beside = Beside { replay: replay.as_deref(), engines: Some((fixtures, played)) };
        match args.format {
            Format::Json => write!(self.out, "{}", report::matrix_json(matrix, beside)),
            Format::Markdown => {
                let markdown = if args.all { report::full_markdown } else { report::markdown };
                let engines = if played.is_empty() { engines } else { format!("\n```text{engines}```\n") };
                write!(self.out, "{}{}{replays}{engines}", markdown(matrix), report::ignored_markdown(matrix))
            }
            Format::Text => {
                let text = if args.all { report::full_text } else { report::text };
                let last = if played.is_empty() { report::LAST_LINE } else { "" };
                write!(self.out, "{}{replays}{engines}\n{last}", text(matrix, self.program))
            }
        }
    }
}

//! The command `explain`.

use std::io::Write;
use std::path::Path;

use super::Exit;
use super::args::{ExplainArgs, FlowArgs, Format};
use super::session::{Session, unknown};
use super::stop::Stop;
use crate::check;
use crate::fixture::{Expectations, Fixture, Suite};
use crate::matrix::Matrix;
use crate::report::{self, Values};
use crate::verdict::{self, Outcome};
use crate::words::pasted;

/// How many questions to a decision `explain` looks at: it shows the first that differ from each other.
const QUESTIONS: usize = 24;

impl<O: Write, E: Write> Session<'_, O, E> {
    pub(super) fn explain(&mut self, args: &ExplainArgs) -> Result<Exit, Stop> {
        let mutant = self.mutant(&args.mutant)?;
        let name = &*args.fixture;
        // A full name may be the path of the suite's folder as well.
        let path = &*self.corpus.real(Path::new(name))?;
        let folder = path.parent().filter(|folder| folder.is_dir());
        let own = match folder {
            _ if path.is_file() => vec![path.to_owned()],
            Some(folder) => vec![folder.to_owned()],
            None => Vec::new(),
        };
        let paths = if own.is_empty() {
            self.configured(&args.config, &args.fixtures, "explain --fixtures")?.1
        } else {
            own
        };
        let mut fixtures = self.loaded(Expectations::Needed, &FlowArgs::default(), &paths)?;
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
        if self.disagrees(&fixtures, &baseline, Format::Text, Values::Shown)? {
            return Ok(Exit::Disagreement);
        }
        for (suite, fixture) in fixtures.pairs() {
            let outcome = verdict::watch_mutant(&mutant, fixture, QUESTIONS);
            write!(self.out, "{}", report::explain(&mutant, &suite.name, fixture, &outcome))?;
            if let Outcome::Missed(_) = outcome {
                let suggest = format!("suggest {} {}", mutant.name, pasted(&fixture.path));
                write!(self.out, "{}", self.next([suggest]))?;
            }
        }
        Ok(Exit::Fine)
    }
}

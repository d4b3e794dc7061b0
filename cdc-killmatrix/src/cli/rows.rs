//! The command `rows`.

use std::io::{self, Write};

use cdc_core::{Plan, Reference};

use super::Exit;
use super::args::{PlainFormat, RowsArgs};
use super::session::Session;
use super::stop::Stop;
use crate::check;
use crate::escape::for_terminal;
use crate::fixture::{Expectations, Fixture, Fixtures};
use crate::report::{self, Tables};
use crate::verdict;
use crate::why::{Chronicle, Story, Witness};
use crate::words::pasted;

impl<O: Write, E: Write> Session<'_, O, E> {
    pub(super) fn rows(&mut self, args: &RowsArgs) -> Result<Exit, Stop> {
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
        match format {
            PlainFormat::Json => write!(self.out, "{}", report::rows_json(&all))?,
            PlainFormat::Text => self.tell_next(&fixtures)?,
        }
        Ok(Exit::Fine)
    }

    /// Says how to go on where a fixture doesn't expect anything yet.
    fn tell_next(&mut self, fixtures: &Fixtures) -> io::Result<()> {
        let expects = |fixture: &Fixture| {
            fixture.checkpoints.iter().any(|it| !it.expect.is_empty() || it.expect_error.is_some())
        };
        let Some((_, fixture)) = fixtures.pairs().find(|(_, fixture)| !expects(fixture)) else {
            return Ok(());
        };
        let (program, path) = (self.program, pasted(&fixture.path));
        writeln!(
            self.err,
            "Next, with the rows that you expect in the place of each \"TODO\":\n  {program} run {path}"
        )
    }
}

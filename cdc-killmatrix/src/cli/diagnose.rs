//! The command `diagnose`.

use std::io::Write;

use super::Exit;
use super::args::{DiagnoseArgs, PlainFormat};
use super::session::Session;
use super::stop::Stop;
use crate::check;
use crate::diagnosis::{Diagnosis, is_observed};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::fixture::{Expectations, Fixture, Fixtures};
use crate::report::{self, Diagnosed};
use crate::words::offered;

impl<O: Write, E: Write> Session<'_, O, E> {
    pub(super) fn diagnose(&mut self, args: &DiagnoseArgs) -> Result<Exit, Stop> {
        let fixtures = self.loaded(Expectations::Optional, &args.flow, &args.paths)?;
        all_observed(&fixtures)?;
        check::undeclared_conflicts(&fixtures)?;
        let mut all = Vec::new();
        for (suite, fixture) in fixtures.pairs() {
            let diagnosis = Diagnosis::of(fixture, self.mutants)
                .map_err(|reason| Stop::input(&format!("{}: {reason}", suite.full_name(fixture))))?;
            if let PlainFormat::Text = args.format {
                let shown = Diagnosed { suite, fixture, diagnosis: &diagnosis };
                write!(self.out, "{}", report::diagnosis(&shown, self.program))?;
            }
            all.push(diagnosis);
        }
        if let PlainFormat::Json = args.format {
            let cases = fixtures.pairs().zip(&all);
            let cases = cases.map(|((suite, fixture), diagnosis)| Diagnosed { suite, fixture, diagnosis });
            write!(self.out, "{}", report::diagnosis_json(&cases.collect::<Vec<_>>()))?;
        }
        let explained = all.iter().all(|diagnosis| diagnosis.explanation.is_single());
        Ok(if explained { Exit::Fine } else { Exit::Difference })
    }
}

/// Whether every fixture has rows to explain; else what to add to which.
fn all_observed(fixtures: &Fixtures) -> Result<(), Diagnostics> {
    let mut faults = Diagnostics::default();
    for (_, fixture) in fixtures.pairs().filter(|(_, fixture)| !is_observed(fixture)) {
        faults.push(Diagnostic::of_path(&fixture.path, advice(fixture)));
    }
    if faults.count() == 0 { Ok(()) } else { Err(faults) }
}

fn advice(fixture: &Fixture) -> String {
    let columns = fixture.plan().target().iter().map(|column| &*column.name);
    format!(
        "no checkpoint has `observed` rows; expected, in the last one or in several, `\"observed\": [{{..}}]` with all \
         rows that the pipeline left in the table, in the columns {}",
        offered(columns)
    )
}

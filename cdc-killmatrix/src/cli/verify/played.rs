//! What a run in a workspace left, where it is more than rows: mutants, refusals, and what couldn't be run. It is told as
//! of an engine that has played.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::PathBuf;

use cdc_core::{Mutant, Table};

use crate::cli::args::VerifyArgs;
use crate::cli::session::Session;
use crate::cli::stop::Stop;
use crate::diagnostic::Diagnostics;
use crate::engine::{Came, Held, Hello, OnEngine, Played, Refused, Sheet, to_try};
use crate::feed_form;
use crate::fixture::{Checkpoint, Fixture, Fixtures, Suite, Wanted};
use crate::matrix::Matrix;
use crate::verify::{Capture, CapturedFile, Entry, Left, checkpoint_of};
use crate::words::{hint, slashed};

use super::stranger;

/// What a run came to, with the files in which its rows stand.
pub(super) struct OfRun {
    pub(super) fixtures: Fixtures,
    pub(super) played: Played,
    pub(super) files: Vec<CapturedFile>,
}

/// The captured files of an entry that is compared on its own: rows of the fixture itself, where rows are expected.
pub(super) fn rows_alone<'e>(entry: &'e Entry, fixture: &Fixture) -> Option<&'e [PathBuf]> {
    match &entry.left {
        Left::Rows(files) if entry.mutant.is_none() && !is_refused_alone(entry, fixture) => Some(files),
        _ => None,
    }
}

/// Whether nothing is expected at an entry's checkpoint but that its batch is refused.
fn is_refused_alone(entry: &Entry, fixture: &Fixture) -> bool {
    let checkpoint = place_of(entry, fixture).and_then(|place| fixture.checkpoints.get(place));
    checkpoint.is_some_and(|checkpoint| checkpoint.expect_error.is_some() && checkpoint.expect.is_empty())
}

impl<O: Write, E: Write> Session<'_, O, E> {
    /// What the run came to, if its captures are more than rows of fixtures.
    pub(super) fn of_run(
        &mut self,
        args: &VerifyArgs,
        wanted: &Wanted,
        entries: &[Entry],
        loaded: &[(PathBuf, Fixtures)],
    ) -> Result<Option<OfRun>, Stop> {
        let fixture = |entry: &Entry| {
            let (_, fixtures) = loaded.iter().find(|(path, _)| *path == entry.fixture)?;
            fixtures.pairs().next().map(|(_, fixture)| fixture)
        };
        let Some(manifest) = &args.manifest else { return Ok(None) };
        if entries.iter().all(|entry| fixture(entry).is_some_and(|it| rows_alone(entry, it).is_some())) {
            return Ok(None);
        }
        let mutants = self.mutants_of(entries)?;
        let paths: Vec<PathBuf> = loaded.iter().map(|(path, _)| path.clone()).collect();
        let fixtures = self.load(wanted, &paths)??;
        let mut run = Run {
            entries,
            loaded,
            used: vec![false; entries.len()],
            files: Vec::new(),
            faults: Diagnostics::default(),
        };
        let outcomes: Vec<OnEngine> = fixtures
            .pairs()
            .map(|(suite, fixture)| {
                let name = suite.full_name(fixture);
                run.outcome(&Sheet { name, fixture, form: None }, (suite, fixture))
            })
            .collect();
        let matrix = Matrix::of(&fixtures, &mutants);
        let names: Vec<&str> = mutants.iter().map(|mutant| mutant.name).collect();
        let mut tried = to_try(&fixtures, &matrix, &outcomes, &names);
        let pairs: Vec<_> = fixtures.pairs().collect();
        tried.retain(|tried| run.has(pairs[tried.fixture].1, Some(tried.mutant)));
        for tried in &mut tried {
            let (suite, fixture) = pairs[tried.fixture];
            let sheet = tried.sheet(&suite.full_name(fixture));
            tried.outcome = sheet.map(|sheet| run.outcome(&sheet, (suite, fixture)));
        }
        for (number, entry) in entries.iter().enumerate().filter(|(_, entry)| entry.mutant.is_some()) {
            let of_fixture = pairs.iter().position(|(_, fixture)| run.is_of(entry, fixture));
            let is_right = of_fixture.is_none_or(|place| matches!(outcomes[place], OnEngine::Equal));
            // Of a fixture that isn't right there is no cell, as the report says.
            if is_right && !run.used[number] {
                let text = "this belongs to no cell: on this fixture the broken copy isn't tried in the model or can't be \
                            played, or there is no such checkpoint";
                run.faults.push(entry.fault(text));
            }
        }
        if run.faults.count() != 0 {
            return Err(run.faults.into());
        }
        let files = run.files;
        let hello = Hello {
            name: "as captured".to_owned(),
            version: String::new(),
            scd_types: Vec::new(),
            clauses: BTreeSet::new(),
            at_once: 1,
        };
        let tried = (!names.is_empty()).then_some(tried);
        let command = slashed(manifest);
        let played =
            Played { kind: "run", command, hello: Ok(hello), outcomes, tried, failed_together: None };
        Ok(Some(OfRun { fixtures, played, files }))
    }

    /// The mutants that captures name.
    fn mutants_of(&self, entries: &[Entry]) -> Result<Vec<Mutant>, Stop> {
        let named: BTreeSet<&str> = entries.iter().filter_map(|entry| entry.mutant.as_deref()).collect();
        for entry in entries {
            let Some(name) = &entry.mutant else { continue };
            let text = match self.mutants.iter().find(|mutant| mutant.name == name) {
                None => {
                    let known = self.mutants.iter().map(|mutant| mutant.name);
                    format!("there is no broken copy `{name}`; {}", hint(name, known))
                }
                Some(mutant) if !feed_form::exists(mutant) => {
                    format!("`{name}` can't be played in a workspace")
                }
                Some(_) => continue,
            };
            return Err(Diagnostics::from(entry.fault(&text)).into());
        }
        Ok(self.mutants.iter().filter(|mutant| named.contains(mutant.name)).copied().collect())
    }
}

/// The captures of a run.
struct Run<'a> {
    entries: &'a [Entry],
    loaded: &'a [(PathBuf, Fixtures)],
    /// Which of them were looked at.
    used: Vec<bool>,
    files: Vec<CapturedFile>,
    faults: Diagnostics,
}

impl Run<'_> {
    fn is_of(&self, entry: &Entry, fixture: &Fixture) -> bool {
        let loaded = self.loaded.iter().find(|(path, _)| *path == entry.fixture);
        loaded.is_some_and(|(_, loaded)| loaded.pairs().any(|(_, it)| it.path == fixture.path))
    }

    /// The captures of a fixture, or of a mutant of it.
    fn of(&self, fixture: &Fixture, mutant: Option<&str>) -> Vec<usize> {
        let is_meant = |number: &usize| {
            let entry = &self.entries[*number];
            entry.mutant.as_deref() == mutant && self.is_of(entry, fixture)
        };
        (0..self.entries.len()).filter(is_meant).collect()
    }

    fn has(&self, fixture: &Fixture, mutant: Option<&str>) -> bool {
        !self.of(fixture, mutant).is_empty()
    }

    /// What came of a fixture, or of what a mutant makes of it.
    fn outcome(&mut self, sheet: &Sheet<'_>, of: (&Suite, &Fixture)) -> OnEngine {
        let fixture = sheet.fixture;
        let own = self.of(fixture, sheet.form.map(|(mutant, _)| mutant));
        let entries = self.entries;
        let mut held = Held::default();
        if own.is_empty() {
            held.fail(None, "there is no capture of it".to_owned());
        }
        for (number, checkpoint) in fixture.checkpoints.iter().enumerate() {
            let found: Vec<usize> =
                own.iter().copied().filter(|&it| place_of(&entries[it], fixture) == Some(number)).collect();
            for &it in &found {
                self.used[it] = true;
            }
            if let [_, again, ..] = *found {
                let text = format!("{}, checkpoint {}, was captured already", sheet.name, number + 1);
                self.faults.push(entries[again].fault(&text));
            }
            if held.is_over() {
                continue;
            }
            match &*found.iter().map(|&it| &entries[it].left).collect::<Vec<_>>() {
                // A fixture may be captured in part; a copy that is, might have differed where it isn't.
                [] if sheet.form.is_some() && checkpoint.is_compared() => {
                    held.fail(Some(number), "there is no capture of it".to_owned());
                }
                [Left::NotRun(reason)] => held.fail(Some(number), reason.clone()),
                [Left::Refused(text)] => held.take(sheet, number, Came::Refused(Refused::of_text(text))),
                [Left::Rows(files)] => match self.rows(files, fixture, of, number) {
                    Some(Ok(rows)) if is_expected_beside_a_refusal(sheet, checkpoint, &rows) => {}
                    Some(Ok(rows)) => held.take(sheet, number, Came::Rows(rows)),
                    Some(Err(reason)) => held.fail(Some(number), reason),
                    None => {}
                },
                // What is captured twice is a fault already.
                _ => {}
            }
        }
        held.outcome()
    }

    /// The rows of a capture; or why they aren't rows of the target. Nothing, where it is no capture of this.
    fn rows(
        &mut self,
        files: &[PathBuf],
        fixture: &Fixture,
        of: (&Suite, &Fixture),
        number: usize,
    ) -> Option<Result<Table, String>> {
        let capture = match Capture::read_all(files, fixture.plan()) {
            Ok(capture) => capture,
            Err(faults) => {
                self.faults.append(faults);
                return None;
            }
        };
        if let Some(fault) = stranger(&capture, of, number) {
            self.faults.push(fault);
            return None;
        }
        self.files.extend(capture.files.iter().cloned());
        Some(match unread(&capture) {
            None => Ok(Table::new(capture.rows)),
            Some(reason) => Err(reason),
        })
    }
}

/// The checkpoint of an entry, from 0.
fn place_of(entry: &Entry, fixture: &Fixture) -> Option<usize> {
    match entry.checkpoint {
        Some(number) => number.checked_sub(1),
        None => checkpoint_of(fixture, None).ok(),
    }
}

/// Whether these are the rows that are expected although the batch is refused: then nothing tells that it wasn't.
fn is_expected_beside_a_refusal(sheet: &Sheet<'_>, checkpoint: &Checkpoint, rows: &Table) -> bool {
    let shown = |rows: &Table| sheet.form.map_or_else(|| rows.clone(), |(_, form)| form.shown(rows));
    checkpoint.expect_error.is_some() && checkpoint.expect.contains(&shown(rows))
}

/// Why the rows of a capture aren't whole rows of the target.
fn unread(capture: &Capture) -> Option<String> {
    let Capture { missing, unknown, misread, .. } = capture;
    let columns = || missing.iter().chain(unknown).cloned().collect::<Vec<String>>().join(", ");
    if !missing.is_empty() || !unknown.is_empty() {
        return Some(format!("the captured columns aren't those of the target: {}", columns()));
    }
    misread.iter().find(|misread| !misread.is_read).map(|misread| misread.first.to_string())
}

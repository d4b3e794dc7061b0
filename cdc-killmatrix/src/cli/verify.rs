//! The command `verify`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::slice;

use super::Exit;
use super::args::{PlainFormat, VerifyArgs};
use super::corpus::Corpus;
use super::engines;
use super::session::Session;
use super::stop::Stop;
use crate::columns;
use crate::diagnosis::Diagnosis;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::files;
use crate::fixture::{Expectations, Fixture, Fixtures, Suite, Wanted};
use crate::report::{self, Diagnosed, Verified};
use crate::verify::{Capture, Declared, Entry, Left, Verification, checkpoint_of, entries};

mod played;
mod evidence;

/// A capture, and the place of its fixture among those that were loaded.
struct Compared {
    fixture: usize,
    verification: Verification,
}

/// What explains the rows of a fixture, which holds them as observed.
struct Explained {
    place: usize,
    fixture: Fixture,
    diagnosis: Diagnosis,
}

impl<O: Write, E: Write> Session<'_, O, E> {
    pub(super) fn verify(&mut self, args: &VerifyArgs) -> Result<Exit, Stop> {
        let entries = entries_of(args)?;
        let wanted = Wanted { expectations: Expectations::Needed, flow: self.flow(&args.flow)? };
        let loaded = self.fixtures_of(&wanted, &entries)?;
        let cases: Vec<(&Suite, &Fixture)> = loaded.iter().flat_map(|(_, it)| it.pairs()).collect();
        let compared = compared(args, &entries, &loaded, &cases)?;
        let all: Vec<Verified<'_>> = compared
            .iter()
            .map(|it| {
                let (suite, fixture) = cases[it.fixture];
                Verified { suite, fixture, verification: &it.verification }
            })
            .collect();
        let run = self.of_run(args, &wanted, &entries, &loaded)?;
        let of_run = run.as_ref().map(|run| (&run.fixtures, &run.played));
        let explained = self.explained(&compared, &cases)?;
        let diagnosed: Vec<Diagnosed<'_>> = explained
            .iter()
            .map(|it| Diagnosed { suite: cases[it.place].0, fixture: &it.fixture, diagnosis: &it.diagnosis })
            .collect();
        if let Some(file) = &args.evidence.evidence {
            let text = self.evidence(args, &loaded, &all, &diagnosed, run.as_ref())?;
            files::create(file, &text).map_err(|error| Stop::unwritten(&error))?;
        }
        match args.format {
            PlainFormat::Json => write!(self.out, "{}", report::verification_json(&all, &diagnosed, of_run))?,
            PlainFormat::Text => {
                for case in &all {
                    write!(self.out, "{}", report::verification(case))?;
                }
                for case in &diagnosed {
                    write!(self.out, "{}", report::diagnosis(case, self.program))?;
                }
                write!(self.out, "{}", report::verification_end(&all))?;
                if let Some((fixtures, played)) = of_run {
                    writeln!(
                        self.out,
                        "\n{}",
                        report::engines(fixtures, slice::from_ref(played)).trim_end()
                    )?;
                }
                if let Some(file) = &args.evidence.evidence {
                    writeln!(self.out, "{} is written", files::shown(file))?;
                }
            }
        }
        let of_run = of_run.and_then(|(_, played)| engines::exit(slice::from_ref(played)));
        Ok(match of_run {
            Some(Exit::Input) => Exit::Input,
            _ if !all.iter().all(|case| case.verification.is_equal()) => Exit::Difference,
            exit => exit.unwrap_or(Exit::Fine),
        })
    }

    /// The fixtures that captures name, each file once.
    fn fixtures_of(&mut self, wanted: &Wanted, entries: &[Entry]) -> Result<Vec<(PathBuf, Fixtures)>, Stop> {
        let mut loaded: Vec<(PathBuf, Fixtures)> = Vec::new();
        for entry in entries {
            if loaded.iter().any(|(path, _)| *path == entry.fixture) {
                continue;
            }
            let fixtures = self.load(wanted, slice::from_ref(&entry.fixture))?;
            let fixtures = self.warned(fixtures)?;
            let count = fixtures.pairs().count();
            if count != 1 {
                let text = format!("there are {count} fixtures here; expected the file of one");
                return Err(Diagnostics::from(Diagnostic::of_path(&entry.fixture, text)).into());
            }
            loaded.push((entry.fixture.clone(), fixtures));
        }
        Ok(loaded)
    }

    /// What explains the rows of each fixture of which some differ, all its captures taken together.
    fn explained(&self, compared: &[Compared], cases: &[(&Suite, &Fixture)]) -> Result<Vec<Explained>, Stop> {
        let mut explained = Vec::new();
        for (place, (suite, fixture)) in cases.iter().enumerate() {
            let own = || compared.iter().filter(|it| it.fixture == place).map(|it| &it.verification);
            let differs = own().any(|it| !it.has_equal_rows());
            if !differs || !own().all(Verification::is_whole) {
                continue;
            }
            let mut fixture = (*fixture).clone();
            fixture.checkpoints.iter_mut().for_each(|checkpoint| checkpoint.observed = None);
            for verification in own() {
                fixture.checkpoints[verification.checkpoint].observed = Some(verification.captured.clone());
            }
            let diagnosis = Diagnosis::of(&fixture, self.mutants)
                .map_err(|reason| Stop::input(&format!("{}: {reason}", suite.full_name(&fixture))))?;
            explained.push(Explained { place, fixture, diagnosis });
        }
        Ok(explained)
    }
}

/// The captures that a call or its manifest names, with paths that can be opened.
fn entries_of(args: &VerifyArgs) -> Result<Vec<Entry>, Stop> {
    let Some(manifest) = &args.manifest else {
        let Some(fixture) = args.fixture.as_ref().filter(|_| !args.rows.is_empty()) else {
            return Err(Stop::input("expected `verify FIXTURE --rows FILE`, or `--manifest FILE`"));
        };
        return Ok(vec![Entry::of_call(fixture, args.checkpoint, &args.rows)]);
    };
    let folder = manifest.parent().unwrap_or(Path::new(""));
    let seen = |path: &Path| if Corpus::has(path) { path.to_owned() } else { folder.join(path) };
    let mut entries = entries(manifest)?;
    let mut known: Vec<(PathBuf, PathBuf)> = Vec::new();
    for entry in &mut entries {
        entry.fixture = seen(&entry.fixture);
        // One file may be named in several ways: the first stands for all.
        let real = files::real(&entry.fixture);
        match known.iter().find(|(other, _)| *other == real) {
            Some((_, first)) => entry.fixture.clone_from(first),
            None => known.push((real, entry.fixture.clone())),
        }
        if let Left::Rows(files) = &mut entry.left {
            *files = files.iter().map(|file| folder.join(file)).collect();
        }
    }
    Ok(entries)
}

/// Each capture beside its checkpoint. All that is wrong with the captures is said at once.
fn compared(
    args: &VerifyArgs,
    entries: &[Entry],
    loaded: &[(PathBuf, Fixtures)],
    cases: &[(&Suite, &Fixture)],
) -> Result<Vec<Compared>, Stop> {
    let types = args.types.as_deref().map(types_of).transpose()?.unwrap_or_default();
    let mut faults = Diagnostics::default();
    let mut all: Vec<Compared> = Vec::new();
    for entry in entries {
        // Each file is loaded once, and holds one fixture.
        let place = loaded.iter().position(|(path, _)| *path == entry.fixture).unwrap_or_default();
        let (suite, fixture) = cases[place];
        let alone = played::rows_alone(entry, fixture);
        let files = match (&entry.left, alone) {
            // Where a call names it, it is what is compared.
            (Left::Rows(files), _) if args.manifest.is_none() => files,
            (_, Some(files)) => files,
            _ => continue,
        };
        let checkpoint = match checkpoint_of(fixture, entry.checkpoint) {
            Ok(checkpoint) => checkpoint,
            Err(fault) => {
                faults.push(entry.fault(&format!("{}: {fault}", suite.full_name(fixture))));
                continue;
            }
        };
        if all.iter().any(|it| it.fixture == place && it.verification.checkpoint == checkpoint) {
            let name = suite.full_name(fixture);
            let text = format!("{name}, checkpoint {}, was captured already", checkpoint + 1);
            faults.push(entry.fault(&text));
            continue;
        }
        match Capture::read_all(files, fixture.plan()) {
            Ok(mut capture) => {
                if let Some(fault) = stranger(&capture, (suite, fixture), checkpoint) {
                    faults.push(fault);
                    continue;
                }
                let declared = entry.types.iter().chain(&types).cloned();
                capture.declare(declared, fixture.plan().target());
                let verification = Verification::new(fixture, checkpoint, capture);
                all.push(Compared { fixture: place, verification });
            }
            Err(found) => faults.append(found),
        }
    }
    if faults.count() == 0 { Ok(all) } else { Err(faults.into()) }
}

/// That a capture says it is of another fixture or checkpoint.
fn stranger(
    capture: &Capture,
    (suite, fixture): (&Suite, &Fixture),
    checkpoint: usize,
) -> Option<Diagnostic> {
    let name = suite.full_name(fixture);
    let is_other = |said: &&String| **said != name && **said != fixture.name;
    if let Some(other) = capture.fixture.as_ref().filter(is_other) {
        let text = format!("this is a capture of the fixture {other}; expected one of {name}");
        return Some(Diagnostic::of_path(&capture.path, text));
    }
    let expected = checkpoint + 1;
    let other = capture.checkpoint.filter(|said| *said != expected)?;
    let text = format!("this is a capture of checkpoint {other}; expected one of checkpoint {expected}");
    Some(Diagnostic::of_path(&capture.path, text))
}

/// The types that a file lists.
fn types_of(file: &Path) -> Result<Vec<Declared>, Stop> {
    if !file.is_file() {
        let text = "there is no such file; expected one with the columns' types";
        return Err(Diagnostics::from(Diagnostic::of_path(file, text)).into());
    }
    let schema = columns::read(&file.to_string_lossy())?;
    let declared = schema.iter().map(|column| Declared {
        column: column.name.clone(),
        text: column.data_type.to_string(),
        data_type: Some(column.data_type.clone()),
    });
    Ok(declared.collect())
}

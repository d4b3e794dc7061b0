//! `killmatrix.toml`: where the fixtures are, what need not be caught, and which mutants a suite is held against.

use std::collections::BTreeSet;
use std::env;
use std::ops::{Range, RangeInclusive};
use std::path::{Path, PathBuf};

use cdc_core::Mutant;
use toml::de::DeTable;

use crate::diagnostic::Diagnostics;
use crate::fixture::{Fixtures, PROJECT_FILE};
use crate::json::{Source, quoted};
use crate::matrix::{Ignored, Matrix};
use crate::verdict::Outcome;
use crate::words::hint;

mod read;

use read::Reader;

/// Where fixtures are if nothing else is said.
pub(crate) const FIXTURES: &str = "fixtures";

/// How long a call may wait for an answer of an engine, in seconds: a day at most.
pub(crate) const LONGEST_WAIT: RangeInclusive<u64> = 1..=86_400;

/// Whether the paths that a configuration names must be there.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Paths {
    Exist,
    /// What is missing is about to be made.
    MayCome,
}

/// Where fixtures are looked for if neither the command line nor a configuration says it: beside the configuration.
pub(crate) fn default_fixtures(config: Option<&Path>) -> PathBuf {
    config.and_then(Path::parent).unwrap_or(Path::new("")).join(FIXTURES)
}

/// The configuration of the project around the working folder: the nearest upwards, at most to the top of the git work
/// tree.
pub(crate) fn nearest() -> Option<PathBuf> {
    let here = env::current_dir().ok()?;
    let mut up = PathBuf::new();
    for folder in here.ancestors() {
        let file = up.join(PROJECT_FILE);
        if file.exists() {
            return Some(file);
        }
        if folder.join(".git").exists() {
            return None;
        }
        up.push("..");
    }
    None
}

/// What a project says of its fixtures.
///
/// ```toml
/// fixtures = ["fixtures"]
///
/// [[ignore]]
/// mutant = "kept_nulls"
/// suite = "customers_current"
/// reason = "the source never sends a null"
///
/// [suites.customers_history]
/// except = ["key equality"]
///
/// [engines.spark]
/// command = "engines/spark/run.sh"
/// timeout = 600
/// ```
#[derive(Debug, Default)]
pub struct Config {
    /// Where fixtures are looked for if no path is given; empty where the file doesn't say it.
    pub fixtures: Vec<PathBuf>,
    /// The mutants that need not be caught.
    pub ignored: Vec<Ignored>,
    /// The engines that have a name.
    pub(crate) engines: Vec<NamedEngine>,
    selections: Vec<Selection>,
    /// The suites that are named, each with its place.
    named: Vec<(String, Range<usize>)>,
    source: Option<Source>,
}

/// An engine that a command line may call by its name.
#[derive(Debug)]
pub(crate) struct NamedEngine {
    pub(crate) name: String,
    /// Its command, as it would stand in a command line in the folder of the file.
    pub(crate) command: String,
    /// The folder of the file.
    pub(crate) folder: PathBuf,
    /// How long an answer may take, in seconds, where it says so.
    pub(crate) timeout: Option<u64>,
}

/// Which mutants a suite is held against.
#[derive(Debug)]
struct Selection {
    suite: String,
    /// Whether the names are those of the mutants that remain, or of those that don't.
    is_only: bool,
    /// Names of mutants and families.
    names: BTreeSet<String>,
}

impl Selection {
    fn keeps(&self, mutant: &Mutant) -> bool {
        let is_named = self.names.contains(mutant.name) || self.names.contains(mutant.family);
        is_named == self.is_only
    }
}

impl Config {
    /// Reads such a file, or says everything that is wrong with it. `mutants` are those there are.
    ///
    /// Its paths are seen from its folder.
    pub fn read(path: &Path, mutants: &[Mutant]) -> Result<Self, Diagnostics> {
        Self::read_of(path, mutants, Paths::Exist)
    }

    pub(crate) fn read_of(path: &Path, mutants: &[Mutant], paths: Paths) -> Result<Self, Diagnostics> {
        let source = Source::read(path)?;
        let (table, errors) = DeTable::parse_recoverable(source.text());
        let mut reader = Reader { source: &source, mutants, paths, faults: Diagnostics::default() };
        for error in errors {
            reader.fault(error.span().unwrap_or(0..0), format!("this is no TOML: {}", error.message()));
        }
        // What is said of the rest of a file that is no TOML may be wrong.
        let mut config = Self::default();
        if reader.faults.count() == 0 {
            reader.file(table.get_ref(), &mut config);
        }
        let faults = reader.faults;
        if faults.count() != 0 {
            let mut sorted = Diagnostics::default();
            sorted.append(faults);
            return Err(sorted);
        }
        config.source = Some(source);
        Ok(config)
    }

    /// What the file of a folder says; nothing, where there is none.
    pub(crate) fn of_folder(folder: &Path, mutants: &[Mutant]) -> Result<Self, Diagnostics> {
        let file = folder.join(PROJECT_FILE);
        if file.exists() { Self::read(&file, mutants) } else { Ok(Self::default()) }
    }

    /// Says which suites it names that aren't there.
    pub fn suites_exist(&self, fixtures: &Fixtures) -> Result<(), Diagnostics> {
        let names: Vec<&str> = fixtures.suites.iter().map(|suite| suite.name.as_str()).collect();
        let mut faults = Diagnostics::default();
        let Some(source) = &self.source else { return Ok(()) };
        for (name, span) in self.named.iter().filter(|(name, _)| !names.contains(&name.as_str())) {
            let text = format!("there is no suite {}; {}", quoted(name), hint(name, names.iter().copied()));
            faults.push(source.fault("", span.clone(), text));
        }
        if faults.count() == 0 { Ok(()) } else { Err(faults) }
    }

    /// Whether a suite is held against a mutant.
    pub(crate) fn keeps(&self, suite: &str, mutant: &Mutant) -> bool {
        self.selections.iter().filter(|it| it.suite == suite).all(|selection| selection.keeps(mutant))
    }

    /// Takes out of a matrix what it is not to be held against, and notes what need not be caught.
    pub fn apply(&self, matrix: &mut Matrix) {
        matrix.ignored.extend_from_slice(&self.ignored);
        for selection in &self.selections {
            for suite in matrix.suites.iter_mut().filter(|suite| suite.name == selection.suite) {
                for line in &mut suite.fixtures {
                    let cells = matrix.mutants.iter().zip(&mut line.cells);
                    for (_, cell) in cells.filter(|(mutant, _)| !selection.keeps(mutant)) {
                        *cell = Outcome::LEFT_OUT;
                    }
                }
            }
        }
    }
}

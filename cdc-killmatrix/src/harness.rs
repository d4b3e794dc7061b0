//! Each fixture, and each mutant in a suite, as a test of its own: for `cargo test` and `cargo nextest`.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::slice;
use std::sync::Arc;

use cdc_core::Mutant;
use libtest_mimic::{Arguments, Completion, Trial};
use walkdir::WalkDir;

use crate::assertion::{caught, played};
use crate::catalogue::{self, names_differ};
use crate::claims::broken_claims;
use crate::config::{Config, FIXTURES};
use crate::escape::for_terminal;
use crate::fixture::{Fixture, Fixtures, Suite};
use crate::verdict::applies;

#[cfg(test)]
mod tests;

/// Runs each fixture as a test, and each mutant that can differ in a judged suite as another: for the `main` of a test
/// with `harness = false`.
///
/// ```toml
/// [[test]]
/// name = "fixtures"
/// harness = false
/// ```
///
/// ```no_run
/// use std::process::ExitCode;
///
/// fn main() -> ExitCode {
///     cdc_killmatrix::test_main(&["fixtures"], &cdc_killmatrix::catalogue::all())
/// }
/// ```
///
/// The test `customers_current/null_key` fails where the reference doesn't give the rows that this fixture expects, or a
/// mutant that it aims at isn't caught by it. The test `customers_current catches collapsed_key` fails where no fixture
/// of this suite notices that mutant, as [`assert_caught`](crate::assert_caught) does. Only what a test needs is played.
/// The arguments are those of other Rust tests: a part of a name, `--exact`, `--list`, `--skip`, `--ignored`.
///
/// A `killmatrix.toml` in the working folder, which is the package's, holds as it does for the command: a mutant that it
/// ignores is an ignored test, with the reason; played all the same with `--ignored`. Without paths its own are
/// taken, or the folder `fixtures`.
///
/// Faults of the fixtures, of `killmatrix.toml` or of the mutants' names are all shown at once, before any test: exit
/// code 1. A test that fails gives 101.
pub fn test_main(paths: &[&str], mutants: &[Mutant]) -> ExitCode {
    let arguments = Arguments::from_args();
    let mut err = anstream::stderr();
    // If something can't be said, the exit code is what is left.
    match trials(Path::new(""), paths, mutants, &arguments) {
        Ok(Trials { trials, warnings }) => {
            for warning in warnings.iter().filter(|_| !arguments.list) {
                let _ = writeln!(err, "warning: {warning}");
            }
            libtest_mimic::run(&arguments, trials).exit_code()
        }
        Err(text) => {
            let _ = writeln!(err, "{text}");
            ExitCode::from(1)
        }
    }
}

/// The tests, and what is to be said before them.
struct Trials {
    trials: Vec<Trial>,
    warnings: Vec<String>,
}

/// What all tests share.
struct Shared {
    config: Config,
    mutants: Vec<Mutant>,
}

/// The tests, or all that is wrong with the input. Paths are seen from `folder`.
fn trials(
    folder: &Path,
    paths: &[&str],
    mutants: &[Mutant],
    arguments: &Arguments,
) -> Result<Trials, String> {
    names_differ(mutants)?;
    let config = configured(folder, mutants)?;
    let are_given = !paths.is_empty();
    let paths: Vec<PathBuf> = match (paths, &*config.fixtures) {
        ([], []) => vec![folder.join(FIXTURES)],
        ([], configured) => configured.to_vec(),
        (given, _) => given.iter().map(|path| folder.join(path)).collect(),
    };
    let shared = Arc::new(Shared { config, mutants: mutants.to_vec() });
    let is_asked_for = arguments.list || arguments.ignored || arguments.include_ignored;
    let of = |Fixtures { suites, warnings }: Fixtures| {
        let suites = suites.into_iter().map(Arc::new);
        let trials = suites.flat_map(|suite| trials_of(&suite, &shared, is_asked_for)).collect();
        Trials { trials, warnings }
    };
    if let Some(name) = arguments.filter.as_deref().filter(|_| arguments.exact && !arguments.list)
        && let Ok(fixtures) = Fixtures::load(may_hold(name, &paths))
    {
        let trials = of(fixtures);
        if trials.trials.iter().any(|trial| trial.name() == name) {
            return Ok(trials);
        }
    }
    let fixtures = Fixtures::load(&paths).map_err(|faults| faults.to_string())?;
    if !are_given {
        shared.config.suites_exist(&fixtures).map_err(|faults| faults.to_string())?;
    }
    Ok(of(fixtures))
}

/// The folders below some paths that have the name of the suite in a test's name. What tells suites of one name apart is
/// the same whether others are read or not; and nextest, which asks for one test a process, would read all each time.
fn may_hold(test: &str, paths: &[PathBuf]) -> Vec<PathBuf> {
    let suite = test.split_once(" catches ").or_else(|| test.rsplit_once('/')).map_or("", |(suite, _)| suite);
    let name = suite.rsplit('/').next().unwrap_or_default();
    let entries = paths.iter().flat_map(|path| WalkDir::new(path).sort_by_file_name()).flatten();
    let folders = entries.filter(|entry| entry.file_type().is_dir() && entry.file_name() == name);
    folders.map(walkdir::DirEntry::into_path).collect()
}

/// What `killmatrix.toml` says, if there is one. It may speak of shipped mutants that aren't among these.
fn configured(folder: &Path, mutants: &[Mutant]) -> Result<Config, String> {
    let known: Vec<Mutant> = mutants.iter().copied().chain(catalogue::all()).collect();
    Config::of_folder(folder, &known).map_err(|faults| faults.to_string())
}

/// The tests of a suite: its fixtures, then the mutants that can differ in it.
fn trials_of(suite: &Arc<Suite>, shared: &Arc<Shared>, is_asked_for: bool) -> Vec<Trial> {
    let fixtures = (0..suite.fixtures.len()).map(|place| {
        let (suite, shared) = (Arc::clone(suite), Arc::clone(shared));
        let fixture = &suite.fixtures[place];
        let name = for_terminal(&suite.full_name(fixture)).into_owned();
        Trial::test(name, move || Ok(holds(&suite, &suite.fixtures[place], &shared)?))
    });
    let judged = shared.mutants.iter().filter(|mutant| suite.audited && can_differ(mutant, suite, shared));
    let mutants = judged.map(|&mutant| {
        let (suite, shared) = (Arc::clone(suite), Arc::clone(shared));
        let name = for_terminal(&format!("{} catches {}", suite.name, mutant.name)).into_owned();
        let reason = excuse(&mutant, &suite, &shared.config);
        // libtest's flag has no place for a reason: it is set only where somebody asks what is ignored.
        let is_flagged = reason.is_some() && is_asked_for;
        let trial = Trial::ignorable_test(name, move || match reason.filter(|_| !is_asked_for) {
            Some(reason) => Ok(Completion::ignored_with(for_terminal(&reason))),
            None => Ok(catches(&suite, &mutant).map(|()| Completion::Completed)?),
        });
        trial.with_ignored_flag(is_flagged)
    });
    fixtures.chain(mutants).collect()
}

fn can_differ(mutant: &Mutant, suite: &Suite, shared: &Shared) -> bool {
    shared.config.keeps(&suite.name, mutant)
        && suite.fixtures.iter().any(|fixture| applies(mutant, fixture).is_ok())
}

/// Why a mutant need not be caught in a suite, if it need not.
fn excuse(mutant: &Mutant, suite: &Suite, config: &Config) -> Option<String> {
    let equivalent = mutant.equivalent.map(|reason| format!("equivalent: {reason}"));
    let mut ignored = config.ignored.iter().filter(|ignored| ignored.is_meant(&suite.name, mutant.name));
    equivalent.or_else(|| ignored.next().map(|ignored| ignored.reason.clone()))
}

/// A suite with these fixtures only.
fn part(suite: &Suite, fixtures: Vec<Fixture>) -> Fixtures {
    let Suite { name, title, about, audited, path, fixtures: _ } = suite;
    let (name, title, about) = (name.clone(), title.clone(), about.clone());
    let suite = Suite { name, title, about, audited: *audited, path: path.clone(), fixtures };
    Fixtures { suites: vec![suite], warnings: Vec::new() }
}

/// Whether the reference gives the rows of a fixture, and it catches what it aims at.
fn holds(suite: &Suite, fixture: &Fixture, shared: &Shared) -> Result<(), String> {
    let fixtures = part(suite, vec![fixture.clone()]);
    let mut matrix = played(&fixtures, &shared.mutants)?;
    shared.config.apply(&mut matrix);
    broken_claims(&fixtures, &matrix).map_err(|faults| faults.to_string())
}

/// Whether some fixture of a suite catches a mutant.
fn catches(suite: &Suite, mutant: &Mutant) -> Result<(), String> {
    let fixtures = part(suite, suite.fixtures.clone());
    let matrix = played(&fixtures, slice::from_ref(mutant)).map_err(|_| unsound(suite))?;
    caught(&matrix)
}

/// Names the fixtures that say themselves what is wrong with them.
fn unsound(suite: &Suite) -> String {
    let is_unsound = |fixture: &&Fixture| played(&part(suite, vec![(*fixture).clone()]), &[]).is_err();
    let names: Vec<String> =
        suite.fixtures.iter().filter(is_unsound).map(|fixture| suite.full_name(fixture)).collect();
    for_terminal(&format!("no broken copy was tried, for these tests fail: {}", names.join(", ")))
        .into_owned()
}

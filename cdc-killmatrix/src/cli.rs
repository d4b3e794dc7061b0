//! The command line.

use std::ffi::OsString;
use std::io::{self, Write};
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use cdc_core::Mutant;
use clap::{CommandFactory as _, FromArgMatches as _};

use crate::catalogue::names_differ;
use crate::escape::for_terminal;
use crate::verdict;
use crate::words::{near, word};

mod args;
mod stop;
mod corpus;
mod help;
mod progress;
mod session;
mod next;
mod audit;
mod engines;
mod run;
mod rows;
mod explain;
mod check;
mod new;
mod export;
mod kit;
mod verify;
mod diagnose;
mod suggest;
mod report;
mod schema;
mod version;
mod manual;

use args::{Cli, Command};
use corpus::{Corpus, Extract};
use session::Session;
use stop::Stop;

/// How a call ends. The first that holds of: a bug, bad input, a disagreement, something that wasn't run or was too
/// late, a survivor, a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
enum Exit {
    /// All is well.
    Fine = 0,
    /// Usage, or the input, is wrong; or an engine or a run doesn't begin, or nothing of it can be compared.
    Input = 1,
    /// A mutant survives in an audited suite, or something became worse than accepted.
    Survivor = 2,
    /// An engine doesn't answer in time.
    Timeout = 3,
    /// The reference disagrees with a fixture, or a control shows that the run says nothing.
    Disagreement = 4,
    /// `check` fails, a document isn't up to date, a configuration must not be shipped, rows of an engine or of a capture
    /// differ or stay unexplained, an engine breaks down, or nothing can be suggested.
    Difference = 5,
    /// A bug of ours.
    Bug = 70,
}

/// The command `cdc-killmatrix` with these mutants, for a `main` of one line.
///
/// ```no_run
/// use std::process::ExitCode;
///
/// fn main() -> ExitCode {
///     cdc_killmatrix::main_with(&cdc_killmatrix::catalogue::all())
/// }
/// ```
pub fn main_with(mutants: &[Mutant]) -> ExitCode {
    carried_out(mutants, &Corpus::new(None))
}

/// The same with fixtures that the program carries: `extract` writes them into a folder. Their paths are
/// `corpus:suite/fixture.json`; one of the suites is `customers_current`, which `run` shows to who has no fixtures.
pub fn main_with_corpus(mutants: &[Mutant], extract: &Extract<'_>) -> ExitCode {
    carried_out(mutants, &Corpus::new(Some(extract)))
}

fn carried_out(mutants: &[Mutant], corpus: &Corpus<'_>) -> ExitCode {
    verdict::note_panics();
    let (mut out, mut err) =
        (UntilClosed { output: anstream::stdout(), is_closed: false }, anstream::stderr());
    let program = program();
    let exit = panic::catch_unwind(AssertUnwindSafe(|| {
        main(std::env::args_os(), mutants, corpus, &program, &mut out, &mut err)
    }));
    let exit = exit.unwrap_or_else(|payload| {
        let text = verdict::panic_text(&*payload);
        writeln!(err, "this is a bug of cdc-killmatrix, please report it: {}", for_terminal(&text))?;
        Ok(Exit::Bug)
    });
    match exit {
        Ok(exit) => ExitCode::from(exit as u8),
        Err(error) => {
            // If this can't be said either, the exit code is what is left.
            let _ = writeln!(err, "the output can't be written: {error}");
            ExitCode::from(Exit::Input as u8)
        }
    }
}

fn main(
    arguments: impl Iterator<Item = OsString>,
    mutants: &[Mutant],
    corpus: &Corpus<'_>,
    program: &str,
    out: &mut UntilClosed<impl Write>,
    err: &mut impl Write,
) -> io::Result<Exit> {
    let arguments: Vec<OsString> = arguments.collect();
    let call = call(program, &arguments);
    let parsed =
        help::command(program).try_get_matches_from(arguments).and_then(|it| Cli::from_arg_matches(&it));
    let cli = match parsed {
        Ok(cli) => cli,
        Err(error) if error.use_stderr() => {
            write!(err, "{}", error.render().ansi())?;
            return Ok(Exit::Input);
        }
        Err(help) => {
            write!(out, "{}", help.render().ansi())?;
            return Ok(Exit::Fine);
        }
    };
    if cli.version {
        write!(out, "{}{}", version::SHORT, if cli.long { version::LONG } else { "" })?;
        return Ok(Exit::Fine);
    }
    if let Err(text) = names_differ(mutants) {
        writeln!(err, "{text}")?;
        return Ok(Exit::Input);
    }
    let mut session = Session { mutants, corpus, program, call: &call, out, err };
    let exit = match (cli.command, misspelt(&cli.run.paths)) {
        (None, Some((given, command))) => {
            let text = format!("there is no command and no path `{given}`; did you mean `{command}`?");
            Err(Stop::input(&text).with(&session.next(["--help"])))
        }
        (command, _) => session.carry_out(command.unwrap_or(Command::Run(cli.run))),
    };
    session.out.flush()?;
    match exit {
        Ok(exit) => Ok(exit),
        Err(Stop::Output(error)) => Err(error),
        Err(Stop::Because(exit, text)) => {
            writeln!(session.err, "{}", text.trim_end())?;
            Ok(exit)
        }
        Err(Stop::Faults(faults)) => {
            let next = session.next_after(&faults);
            writeln!(session.err, "{}{}", faults.styled(), next.trim())?;
            Ok(Exit::Input)
        }
        Err(Stop::Unwritten(text)) => {
            writeln!(session.err, "{text}{}", session.again("that is so").trim_end())?;
            Ok(Exit::Input)
        }
    }
}

/// The first of these paths, if it isn't there, and reads as a command with a slip; and that command.
fn misspelt(paths: &[PathBuf]) -> Option<(&str, String)> {
    let first = paths.first().filter(|path| !path.exists())?.to_str()?;
    let program = Cli::command();
    let meant = near(first, program.get_subcommands().map(clap::Command::get_name))?;
    Some((first, meant.to_owned()))
}

/// The call that was made: it can be pasted, and shown on a terminal.
fn call(program: &str, arguments: &[OsString]) -> String {
    let arguments = arguments.iter().skip(1).map(|argument| word(&argument.to_string_lossy()));
    std::iter::once(program.to_owned()).chain(arguments).collect::<Vec<String>>().join(" ")
}

/// How this program is called: cargo says whose binary it runs.
fn program() -> String {
    match std::env::var("CARGO_PKG_NAME") {
        Ok(package) if package == env!("CARGO_PKG_NAME") => "cargo killmatrix".to_owned(),
        Ok(_) if is_here() => "cargo run --".to_owned(),
        Ok(package) => format!("cargo run -p {package} --"),
        Err(_) => {
            let called = std::env::args_os().next().unwrap_or_default();
            let name = Path::new(&called).file_stem().unwrap_or_default().to_string_lossy().into_owned();
            if name.is_empty() { "cdc-killmatrix".to_owned() } else { name }
        }
    }
}

/// Whether the working folder is that of the package that cargo runs: there no other is meant.
fn is_here() -> bool {
    let package = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    package.is_some_and(|package| std::env::current_dir().is_ok_and(|folder| folder == package))
}

/// An output whose reader may have seen enough: what follows is dropped, and the exit code stays what it is.
struct UntilClosed<W> {
    output: W,
    is_closed: bool,
}

impl<W> UntilClosed<W> {
    /// Takes a broken pipe for an end.
    fn or_closed<T>(&mut self, done: io::Result<T>, dropped: T) -> io::Result<T> {
        match done {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.is_closed = true;
                Ok(dropped)
            }
            done => done,
        }
    }
}

impl<W: Write> Write for UntilClosed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.output.write(bytes);
        self.or_closed(written, bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = self.output.flush();
        self.or_closed(flushed, ())
    }
}

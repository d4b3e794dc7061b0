//! The engines of `run`.

use std::io::Write;
use std::time::Duration;
use std::{path, process};

use cdc_core::Mutant;

use super::Exit;
use super::args::RunArgs;
use super::session::Session;
use super::stop::Stop;
use crate::config::Config;
use crate::engine::{self, Engine, Played};
use crate::feed_form;
use crate::fixture::{Fixtures, PROJECT_FILE};
use crate::matrix::Matrix;
use crate::words::{hint, near};

/// The exit code of a program that was interrupted.
const INTERRUPTED: i32 = 130;

/// How long an answer may take where nobody says it, in seconds.
const PATIENCE: u64 = 60;

/// The engines that are named, by the configuration's name or by a command; or what is wrong with one. That is told
/// before anything is played.
pub(super) fn named(args: &RunArgs, config: &Config) -> Result<Vec<Engine>, Stop> {
    args.engines.iter().map(|text| engine(text, args.engine_timeout, config)).collect()
}

fn engine(text: &str, seconds: Option<u64>, config: &Config) -> Result<Engine, Stop> {
    let known = config.engines.iter().find(|known| known.name == text);
    let command = known.map_or(text, |known| &known.command);
    if known.is_none()
        && let Some(meant) = near(text, config.engines.iter().map(|known| &*known.name))
    {
        return Err(Stop::input(&format!(
            "--engine: no engine of {PROJECT_FILE} is called `{text}`; did you mean `{meant}`?"
        )));
    }
    let words = shlex::split(command).filter(|words| words.first().is_some_and(|word| !word.is_empty()));
    let words = words.ok_or_else(|| {
        Stop::input(&format!(
            "--engine: `{command}` is no command; expected a program and its arguments, quotes closed"
        ))
    })?;
    let folder = known.map(|known| path::absolute(known.folder.join("."))).transpose()?;
    let seconds = seconds.or(known.and_then(|known| known.timeout)).unwrap_or(PATIENCE);
    Ok(Engine { command: command.to_owned(), words, folder, patience: Duration::from_secs(seconds) })
}

impl<O: Write, E: Write> Session<'_, O, E> {
    /// The mutants of these names that an engine can play, all where none is named; or that one is unknown, or can't be.
    pub(super) fn playable(&self, option: &str, names: &[String]) -> Result<Vec<Mutant>, Stop> {
        let all = || self.mutants.iter().filter(|mutant| feed_form::exists(mutant));
        if names.is_empty() {
            return Ok(all().copied().collect());
        }
        let of_name = |name: &String| match all().find(|mutant| mutant.name == name) {
            Some(mutant) => Ok(*mutant),
            None if self.mutants.iter().any(|mutant| mutant.name == name) => Err(Stop::input(&format!(
                "{option}: no engine can be told to be `{name}`, which is no fault of the definition or of the events; \
                 expected of {}",
                all().map(|mutant| mutant.name).collect::<Vec<_>>().join(", ")
            ))),
            None => Err(Stop::input(&format!(
                "{option}: there is no broken copy `{name}`; {}",
                hint(name, all().map(|mutant| mutant.name))
            ))),
        };
        names.iter().map(of_name).collect()
    }
}

/// Plays the fixtures on each engine, and the mutants if they are asked for.
pub(super) fn played(
    engines: &[Engine],
    fixtures: &Fixtures,
    matrix: &Matrix,
    mutants: Option<&[Mutant]>,
) -> Vec<Played> {
    if !engines.is_empty() {
        // Engines are in groups of their own, which a terminal doesn't interrupt. A second handler isn't needed.
        let _ = ctrlc::set_handler(|| {
            engine::kill_all();
            process::exit(INTERRUPTED);
        });
    }
    let play = |engine: &Engine| {
        let mut played = engine::play_on(engine, fixtures);
        if let Some(mutants) = mutants {
            let names: Vec<&str> = mutants.iter().map(|mutant| mutant.name).collect();
            engine::try_on(engine, fixtures, matrix, &mut played, &names);
        }
        played
    };
    engines.iter().map(play).collect()
}

/// How a run ends for its engines: nothing, if all is well. The first that holds of: something wasn't run, or nothing
/// compared; an answer came too late; a difference.
pub(super) fn exit(all: &[Played]) -> Option<Exit> {
    if !all.iter().all(Played::was_run) {
        Some(Exit::Input)
    } else if all.iter().any(Played::was_late) {
        Some(Exit::Timeout)
    } else {
        (!all.iter().all(Played::is_well)).then_some(Exit::Difference)
    }
}

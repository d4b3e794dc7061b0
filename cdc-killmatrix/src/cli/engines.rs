//! The engines of `run`.

use std::process;
use std::time::Duration;

use super::Exit;
use super::args::RunArgs;
use super::stop::Stop;
use crate::engine::{self, Engine, Failure, OnEngine, Played};
use crate::fixture::Fixtures;

/// The exit code of a program that was interrupted.
const INTERRUPTED: i32 = 130;

/// The engines that are named, or what is wrong with a command: that is told before anything is played.
pub(super) fn named(args: &RunArgs) -> Result<Vec<Engine>, Stop> {
    args.engines.iter().map(|command| engine(command, args.engine_timeout)).collect()
}

/// Plays the fixtures on each engine.
pub(super) fn played(engines: &[Engine], fixtures: &Fixtures) -> Vec<Played> {
    if !engines.is_empty() {
        // Engines are in groups of their own, which a terminal doesn't interrupt. A second handler isn't needed.
        let _ = ctrlc::set_handler(|| {
            engine::kill_all();
            process::exit(INTERRUPTED);
        });
    }
    engines.iter().map(|engine| engine::play_on(engine, fixtures)).collect()
}

fn engine(command: &str, seconds: u64) -> Result<Engine, Stop> {
    let words = shlex::split(command).filter(|words| !words.is_empty());
    let words = words.ok_or_else(|| {
        Stop::input(&format!(
            "--engine: `{command}` is no command; expected a program and its arguments, quotes closed"
        ))
    })?;
    Ok(Engine { command: command.to_owned(), words, patience: Duration::from_secs(seconds) })
}

/// How a run ends for its engines: nothing, if all is well.
pub(super) fn exit(all: &[Played]) -> Option<Exit> {
    let is_late = |failure: &Failure| *failure == Failure::Timeout;
    let late = |played: &Played| match &played.hello {
        Err(failure) => is_late(failure),
        Ok(_) => played
            .outcomes
            .iter()
            .any(|it| matches!(it, OnEngine::Failed { failure, .. } if is_late(failure))),
    };
    if all.iter().any(|played| played.hello.as_ref().is_err_and(|failure| !is_late(failure))) {
        return Some(Exit::Input);
    }
    if all.iter().any(late) {
        return Some(Exit::Timeout);
    }
    all.iter().flat_map(|played| &played.outcomes).any(|it| !it.is_well()).then_some(Exit::Difference)
}

//! Fixtures, played on an engine: so many at once as it wants.

use std::collections::BTreeMap;

use cdc_core::Table;

use super::message::{self, Said};
use super::process::Process;
use super::{Engine, Failure, Hello, OnEngine, Played, Refused, lacks};
use crate::fixture::{Checkpoint, Fixture, Fixtures, Suite};
use crate::verdict::{Difference, Found};

/// Plays all fixtures on an engine. It is started anew after each failure; fixtures that were open beside the one at
/// fault are played once more, alone, so that the right one is blamed.
pub fn play_on(engine: &Engine, fixtures: &Fixtures) -> Played {
    let (process, hello) = match greeted(engine) {
        Ok(greeted) => greeted,
        Err(failure) => {
            return Played { command: engine.command.clone(), hello: Err(failure), outcomes: Vec::new() };
        }
    };
    let all: Vec<(&Suite, &Fixture)> = fixtures.pairs().collect();
    let mut outcomes: Vec<Option<OnEngine>> =
        all.iter().map(|(_, fixture)| lacks(&hello, fixture).map(OnEngine::Unsupported)).collect();
    let open: Vec<usize> = (0..all.len()).filter(|&id| outcomes[id].is_none()).collect();
    let mut running = Some(process);
    let mut groups: Vec<Vec<usize>> = open.chunks(hello.at_once).map(<[usize]>::to_vec).rev().collect();
    while let Some(group) = groups.pop() {
        let process = match running.take().map_or_else(|| greeted(engine).map(|(process, _)| process), Ok) {
            Ok(process) => process,
            Err(failure) => {
                for &id in &group {
                    outcomes[id] = Some(OnEngine::Failed { checkpoint: None, failure: failure.clone() });
                }
                continue;
            }
        };
        let mut round = Round { process: &process, all: &all, plays: BTreeMap::new() };
        match round.play(&group) {
            Ok(()) => {
                for (id, play) in round.plays {
                    outcomes[id] = Some(play.outcome());
                }
                running = Some(process);
            }
            Err((_, failure)) if 1 < group.len() => {
                drop(failure);
                groups.extend(group.iter().rev().map(|&id| vec![id]));
            }
            Err((checkpoint, failure)) => outcomes[group[0]] = Some(OnEngine::Failed { checkpoint, failure }),
        }
    }
    let outcomes = outcomes.into_iter().flatten().collect();
    Played { command: engine.command.clone(), hello: Ok(hello), outcomes }
}

/// An engine that has said who it is.
fn greeted(engine: &Engine) -> Result<(Process, Hello), Failure> {
    let process = Process::start(engine)?;
    process.send(&message::hello());
    let line = process.line(process.deadline())?;
    let hello = message::read_hello(&line).map_err(|fault| Failure::garbage(fault, &line))?;
    Ok((process, hello))
}

/// Fixtures that are open at once.
struct Round<'a> {
    process: &'a Process,
    all: &'a [(&'a Suite, &'a Fixture)],
    plays: BTreeMap<usize, Play>,
}

/// A fixture while it is played.
#[derive(Default)]
struct Play {
    differences: Vec<Difference>,
    refused: Option<(usize, Refused, Option<String>)>,
    /// What the engine says of the fixture as a whole: that it can't.
    declined: Option<Refused>,
}

impl Play {
    /// Whether nothing more is sent.
    fn is_over(&self) -> bool {
        self.refused.is_some() || self.declined.is_some()
    }

    fn outcome(self) -> OnEngine {
        match (self.declined, self.refused) {
            (Some(Refused { class, message }), _) => OnEngine::Unsupported(format!("{class}: {message}")),
            _ if !self.differences.is_empty() => OnEngine::Differs(self.differences),
            (None, Some((checkpoint, refusal, expected))) => {
                OnEngine::Refused { checkpoint, refusal, expected }
            }
            (None, None) => OnEngine::Equal,
        }
    }
}

impl Round<'_> {
    /// Plays fixtures to their ends; or says at which checkpoint the engine fails.
    fn play(&mut self, group: &[usize]) -> Result<(), (Option<usize>, Failure)> {
        for &id in group {
            let (suite, fixture) = self.all[id];
            self.process.send(&message::open(id, &suite.full_name(fixture), fixture));
            self.plays.insert(id, Play::default());
        }
        let rounds = group.iter().map(|&id| self.all[id].1.checkpoints.len()).max().unwrap_or_default();
        for number in 0..rounds {
            let is_open =
                |id: &usize| number < self.all[*id].1.checkpoints.len() && !self.plays[id].is_over();
            let mut asked: Vec<usize> = group.iter().copied().filter(is_open).collect();
            for &id in &asked {
                self.process.send(&message::batch(id, number, self.all[id].1));
            }
            if asked.is_empty() {
                break;
            }
            self.process.send(&message::flush());
            let deadline = self.process.deadline();
            while !asked.is_empty() {
                let line = self.process.line(deadline).map_err(|failure| (Some(number), failure))?;
                let answered = self.answer(number, &line, &asked);
                let answered = answered.map_err(|fault| (Some(number), Failure::garbage(fault, &line)))?;
                asked.retain(|&id| id != answered);
            }
        }
        for &id in group {
            self.process.send(&message::close(id));
        }
        match self.process.surplus() {
            Some(line) => Err((None, Failure::garbage("nothing is asked for any more".to_owned(), &line))),
            None => Ok(()),
        }
    }

    /// Takes an answer: which fixture it is about. Or what is wrong with it.
    fn answer(&mut self, number: usize, line: &str, asked: &[usize]) -> Result<usize, String> {
        let answer = message::read(line)?;
        let id = answer.id;
        if !asked.contains(&id) {
            return Err(format!("nothing is asked of the fixture {id}, or it was answered already"));
        }
        let about = answer.checkpoint.filter(|&about| about != number);
        if let Some(about) = about {
            return Err(format!("this is about checkpoint {}; expected {}", about + 1, number + 1));
        }
        let fixture = self.all[id].1;
        let checkpoint = &fixture.checkpoints[number];
        let Some(play) = self.plays.get_mut(&id) else { return Err("the fixture isn't open".to_owned()) };
        match answer.said {
            Said::Refused(refusal) if answer.checkpoint.is_none() => play.declined = Some(refusal),
            Said::Refused(refusal) => match &checkpoint.expect_error {
                Some(class) if refusal.is(class) => {}
                expected => play.refused = Some((number, refusal, expected.clone())),
            },
            Said::Rows => {
                let rows = Table::new(message::rows(line, fixture.plan())?);
                play.differences
                    .extend(found(checkpoint, rows).map(|found| Difference { checkpoint: number, found }));
            }
        }
        Ok(id)
    }
}

/// What is wrong with rows.
fn found(checkpoint: &Checkpoint, rows: Table) -> Option<Found> {
    match &checkpoint.expect_error {
        Some(class) => Some(Found::Accepted { class: class.clone() }),
        None if checkpoint.expect.is_empty() || checkpoint.expect.contains(&rows) => None,
        None => Some(Found::Rows(rows)),
    }
}

//! Fixtures, played on an engine: so many at once as it wants.

use std::collections::BTreeMap;

use cdc_core::Table;

use super::held::{Came, Held, Sheet};
use super::message::{self, Said};
use super::process::Process;
use super::{Engine, Failure, Hello, OnEngine, Played, lacks};
use crate::fixture::{Fixtures, Suite};

/// Plays all fixtures on an engine.
pub fn play_on(engine: &Engine, fixtures: &Fixtures) -> Played {
    let own = |(suite, fixture): (&Suite, _)| Sheet { name: suite.full_name(fixture), fixture, form: None };
    let (hello, outcomes, failed_together) =
        match sheets_on(engine, &fixtures.pairs().map(own).collect::<Vec<_>>()) {
            Ok(Done { hello, outcomes, failed_together }) => (Ok(hello), outcomes, failed_together),
            Err(failure) => (Err(failure), Vec::new(), None),
        };
    Played { kind: "engine", command: engine.command.clone(), hello, outcomes, tried: None, failed_together }
}

/// What came of sheets.
pub(super) struct Done {
    hello: Hello,
    pub(super) outcomes: Vec<OnEngine>,
    pub(super) failed_together: Option<Failure>,
}

/// Plays sheets on an engine, each for an outcome. It is started anew after each failure; sheets that were open beside the
/// one at fault are played once more, alone, so that the right one is blamed.
pub(super) fn sheets_on(engine: &Engine, all: &[Sheet<'_>]) -> Result<Done, Failure> {
    let (process, hello) = greeted(engine)?;
    let mut outcomes: Vec<Option<OnEngine>> =
        all.iter().map(|sheet| lacks(&hello, sheet.fixture).map(OnEngine::Unsupported)).collect();
    let open: Vec<usize> = (0..all.len()).filter(|&id| outcomes[id].is_none()).collect();
    let mut running = Some(process);
    let mut failed_together = None;
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
        let mut round = Round { process: &process, all, held: BTreeMap::new(), late: Vec::new() };
        let played = round.play(&group);
        let Round { held, late, .. } = round;
        for line in late {
            surplus(&mut outcomes, &line);
        }
        match played {
            Ok(()) => {
                for (id, held) in held {
                    outcomes[id] = Some(held.outcome());
                }
                running = Some(process);
            }
            Err((_, failure)) if 1 < group.len() => {
                failed_together.get_or_insert(failure);
                groups.extend(group.iter().rev().map(|&id| vec![id]));
            }
            Err((checkpoint, failure)) => outcomes[group[0]] = Some(OnEngine::Failed { checkpoint, failure }),
        }
    }
    for line in running.into_iter().flat_map(Process::rest) {
        surplus(&mut outcomes, &line);
    }
    let outcomes: Vec<OnEngine> = outcomes.into_iter().flatten().collect();
    // Where one of them fails alone as well, that is told.
    let is_alone = outcomes.iter().any(|outcome| matches!(outcome, OnEngine::Failed { .. }));
    Ok(Done { hello, outcomes, failed_together: failed_together.filter(|_| !is_alone) })
}

/// Blames the fixture that a line is about, which nobody asked for.
fn surplus(outcomes: &mut [Option<OnEngine>], line: &str) {
    let about = message::read(line).ok().and_then(|answer| outcomes.get_mut(answer.id));
    let failure = Failure::garbage("nothing is asked for any more".to_owned(), line);
    let outcome = OnEngine::Failed { checkpoint: None, failure };
    match about {
        Some(known) => *known = Some(outcome),
        // It is about nothing that there is: the last one that was played must have it.
        None => drop(outcomes.iter_mut().rev().flatten().next().map(|last| *last = outcome)),
    }
}

/// An engine that has said who it is.
fn greeted(engine: &Engine) -> Result<(Process, Hello), Failure> {
    let process = Process::start(engine)?;
    process.send(&message::hello());
    let line = process.line(process.deadline())?;
    let hello = message::read_hello(&line).map_err(|fault| Failure::garbage(fault, &line))?;
    Ok((process, hello))
}

/// Sheets that are open at once.
struct Round<'a> {
    process: &'a Process,
    all: &'a [Sheet<'a>],
    held: BTreeMap<usize, Held>,
    /// What is said of sheets that are over.
    late: Vec<String>,
}

impl Round<'_> {
    /// Plays sheets to their ends; or says at which checkpoint the engine fails.
    fn play(&mut self, group: &[usize]) -> Result<(), (Option<usize>, Failure)> {
        for &id in group {
            let Sheet { name, fixture, form } = &self.all[id];
            self.process.send(&message::open(id, name, form.map(|(mutant, _)| mutant), fixture));
            self.held.insert(id, Held::default());
        }
        let rounds = group.iter().map(|&id| self.all[id].fixture.checkpoints.len()).max().unwrap_or_default();
        for number in 0..rounds {
            let is_open =
                |id: &usize| number < self.all[*id].fixture.checkpoints.len() && !self.held[id].is_over();
            let mut asked: Vec<usize> = group.iter().copied().filter(is_open).collect();
            for &id in &asked {
                self.process.send(&message::batch(id, number, self.all[id].fixture));
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
                asked.retain(|&id| Some(id) != answered);
            }
        }
        for &id in group {
            self.process.send(&message::close(id));
        }
        Ok(())
    }

    /// Takes an answer: which fixture it is about, if it is open. Or what is wrong with it.
    fn answer(&mut self, number: usize, line: &str, asked: &[usize]) -> Result<Option<usize>, String> {
        let answer = message::read(line)?;
        let id = answer.id;
        if id < self.all.len() && !self.held.contains_key(&id) {
            self.late.push(line.to_owned());
            return Ok(None);
        }
        if !asked.contains(&id) {
            return Err(format!("nothing is asked of the fixture {id}, or it was answered already"));
        }
        let about = answer.checkpoint.filter(|&about| about != number);
        if let Some(about) = about {
            return Err(format!("this is about checkpoint {}; expected {}", about + 1, number + 1));
        }
        let sheet = &self.all[id];
        let Some(held) = self.held.get_mut(&id) else { return Err("the fixture isn't open".to_owned()) };
        match answer.said {
            Said::Refused(_) if answer.checkpoint.is_none() && 0 < number => {
                return Err("this refuses the fixture as a whole, which has begun; expected a `checkpoint`"
                    .to_owned());
            }
            Said::Refused(refusal) if answer.checkpoint.is_none() => held.decline(refusal),
            Said::Refused(refusal) => held.take(sheet, number, Came::Refused(refusal)),
            Said::Failed(reason) => held.fail(answer.checkpoint, reason),
            Said::Rows => {
                let rows = Table::new(message::rows(line, sheet.fixture.plan())?);
                held.take(sheet, number, Came::Rows(rows));
            }
        }
        Ok(Some(id))
    }
}

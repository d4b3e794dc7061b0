//! What came of fixtures on engines: a table for each suite, then what isn't as it should be.

use serde::Serialize;

use super::explain::{checkpoint, found};
use super::grid::{Grid, WIDTH, joined, wrapped};
use crate::engine::{Failure, Hello, OnEngine, Played};
use crate::escape::for_terminal;
use crate::fixture::{Fixture, Fixtures, Suite};
use crate::words::counted;

/// Of how many fixtures of an engine the rows are shown.
const SHOWN: usize = 5;

/// The blanks between columns.
const GAP: u16 = 2;

/// Tables of fixtures and engines, and the first fixtures of each engine that aren't equal.
pub fn engines(fixtures: &Fixtures, all: &[Played]) -> String {
    let mut lines = Vec::new();
    for (number, played) in all.iter().enumerate() {
        let name = match &played.hello {
            Ok(Hello { name, version, .. }) => format!("Engine {}: {name} {version}", number + 1),
            Err(failure) => format!("Engine {} never answered: {}", number + 1, told(failure)),
        };
        lines.extend(wrapped(&name, 0, 0));
        lines.extend(wrapped(&played.command, 2, 0));
        if let Err(Failure::Crashed { stderr, .. }) = &played.hello {
            lines.extend(quoted(stderr));
        }
    }
    let answering: Vec<(usize, &Played)> =
        all.iter().enumerate().filter(|(_, it)| it.hello.is_ok()).collect();
    let mut first = 0;
    for suite in &fixtures.suites {
        let outcome = |played: &Played, place: usize| played.outcomes[first + place].name().to_owned();
        let header = std::iter::once(suite.name.clone())
            .chain(answering.iter().map(|(number, _)| format!("engine {}", number + 1)));
        let rows = suite.fixtures.iter().enumerate().map(|(place, fixture)| {
            std::iter::once(fixture.name.clone())
                .chain(answering.iter().map(|(_, played)| outcome(played, place)))
                .collect::<Vec<String>>()
        });
        if !answering.is_empty() {
            lines.push(String::new());
            lines.extend(Grid::new(GAP, std::iter::once(header.collect()).chain(rows)).lines(WIDTH));
        }
        first += suite.fixtures.len();
    }
    for (number, played) in answering {
        lines.extend(of_engine(fixtures, number, played));
    }
    joined(&lines)
}

/// The outcomes of an engine, counted, and those that aren't equal.
fn of_engine(fixtures: &Fixtures, number: usize, played: &Played) -> Vec<String> {
    let words = ["equal", "differs", "refused", "unsupported", "timeout", "crashed", "garbage"];
    let count = |word: &&str| played.outcomes.iter().filter(|it| it.name() == *word).count();
    let counts = words.iter().map(|word| (word, count(word))).filter(|(_, count)| *count != 0);
    let counts: Vec<String> = counts.map(|(word, count)| format!("{count} {word}")).collect();
    let all = counted(played.outcomes.len(), "fixture");
    let mut lines = vec![String::new()];
    lines.extend(wrapped(&format!("Engine {}, {all}: {}.", number + 1, counts.join(", ")), 0, 0));
    let other =
        fixtures.pairs().zip(&played.outcomes).filter(|(_, outcome)| !matches!(outcome, OnEngine::Equal));
    let (unsupported, wrong): (Vec<_>, Vec<_>) = other.partition(|(_, outcome)| outcome.is_well());
    for ((suite, fixture), outcome) in wrong.iter().take(SHOWN) {
        lines.push(String::new());
        lines.extend(detail(suite, fixture, outcome));
    }
    if SHOWN < wrong.len() {
        let more = wrong[SHOWN..].iter().map(|((suite, fixture), _)| suite.full_name(fixture));
        lines.push(String::new());
        lines.extend(wrapped(
            &format!("And {}: {}.", wrong.len() - SHOWN, more.collect::<Vec<_>>().join(", ")),
            0,
            0,
        ));
    }
    let mut reasons: Vec<(&str, usize)> = Vec::new();
    for (_, outcome) in unsupported {
        let OnEngine::Unsupported(reason) = outcome else { continue };
        match reasons.iter_mut().find(|(known, _)| known == reason) {
            Some((_, count)) => *count += 1,
            None => reasons.push((reason, 1)),
        }
    }
    if !reasons.is_empty() {
        let reasons: Vec<String> =
            reasons.iter().map(|(reason, count)| format!("{reason} ({count})")).collect();
        lines.push(String::new());
        lines.extend(wrapped(&format!("Unsupported: {}.", reasons.join(", ")), 0, 0));
    }
    lines
}

fn detail(suite: &Suite, fixture: &Fixture, outcome: &OnEngine) -> Vec<String> {
    let at = |checkpoint: Option<usize>| {
        checkpoint.map(|it| format!(" at checkpoint {}", it + 1)).unwrap_or_default()
    };
    let name = suite.full_name(fixture);
    let sentence = match outcome {
        OnEngine::Differs(differences) => {
            format!("{name} differs at {}; the first:", counted(differences.len(), "checkpoint"))
        }
        OnEngine::Refused { checkpoint, refusal, expected } => {
            let expected = expected
                .as_ref()
                .map_or_else(|| "rows".to_owned(), |class| format!("a refusal with [{class}]"));
            format!(
                "{name} is refused{}: {} [{}]; expected {expected}",
                at(Some(*checkpoint)),
                refusal.message,
                refusal.class
            )
        }
        OnEngine::Failed { checkpoint, failure } => format!("{name}{}: {}", at(*checkpoint), told(failure)),
        OnEngine::Equal | OnEngine::Unsupported(_) => name,
    };
    let mut lines = wrapped(&sentence, 2, 2);
    match outcome {
        OnEngine::Differs(differences) => {
            for difference in differences.iter().take(1) {
                lines.extend(checkpoint(fixture, difference.checkpoint));
                lines.extend(found(fixture, difference, "the engine", fixture.plan().target()));
            }
        }
        OnEngine::Failed { failure: Failure::Crashed { stderr, .. }, .. } => lines.extend(quoted(stderr)),
        OnEngine::Failed { failure: Failure::Garbage { line, .. }, .. } => lines.extend(quoted(line)),
        _ => {}
    }
    lines
}

fn told(failure: &Failure) -> String {
    match failure {
        Failure::Timeout => "there is no answer in time".to_owned(),
        Failure::Crashed { how, .. } => how.clone(),
        Failure::Garbage { fault, .. } => format!("what it says is no answer: {fault}"),
    }
}

/// The last lines of what an engine wrote.
fn quoted(text: &str) -> Vec<String> {
    const LINES: usize = 8;
    let lines: Vec<&str> = text.lines().collect();
    let last = &lines[lines.len().saturating_sub(LINES)..];
    last.iter().map(|line| format!("  | {}", for_terminal(line.trim_end()))).collect()
}

#[derive(Serialize)]
pub(super) struct EngineJson<'a> {
    command: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<&'a str>,
    /// Why it never answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<String>,
    outcomes: Vec<OutcomeJson<'a>>,
}

#[derive(Serialize)]
struct OutcomeJson<'a> {
    suite: &'a str,
    fixture: &'a str,
    outcome: &'static str,
    /// The checkpoints that differ, or the one at which it ended, from 1.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    checkpoints: Vec<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

pub(super) fn engines_json<'a>(fixtures: &'a Fixtures, all: &'a [Played]) -> Vec<EngineJson<'a>> {
    all.iter().map(|played| engine_json(fixtures, played)).collect()
}

fn engine_json<'a>(fixtures: &'a Fixtures, played: &'a Played) -> EngineJson<'a> {
    let hello = played.hello.as_ref();
    let outcomes = fixtures.pairs().zip(&played.outcomes).map(|((suite, fixture), outcome)| {
        let (checkpoints, reason) = match outcome {
            OnEngine::Equal => (Vec::new(), None),
            OnEngine::Differs(differences) => {
                (differences.iter().map(|it| it.checkpoint + 1).collect(), None)
            }
            OnEngine::Refused { checkpoint, refusal, .. } => {
                (vec![checkpoint + 1], Some(format!("{}: {}", refusal.class, refusal.message)))
            }
            OnEngine::Unsupported(reason) => (Vec::new(), Some(reason.clone())),
            OnEngine::Failed { checkpoint, failure } => {
                (checkpoint.iter().map(|it| it + 1).collect(), Some(told(failure)))
            }
        };
        OutcomeJson {
            suite: &suite.name,
            fixture: &fixture.name,
            outcome: outcome.name(),
            checkpoints,
            reason,
        }
    });
    EngineJson {
        command: &played.command,
        name: hello.ok().map(|hello| &*hello.name),
        version: hello.ok().map(|hello| &*hello.version),
        failure: hello.err().map(told),
        outcomes: outcomes.collect(),
    }
}

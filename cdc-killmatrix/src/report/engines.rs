//! What came of fixtures on engines: a table for each suite, then what isn't as it should be.

use serde::Serialize;

use super::grid::{Grid, WIDTH, joined, wrapped};
use super::outcome::{called, detail, places, quoted, reasons, told};
use super::tried::{TriedJson, cells, tried_json};
use crate::engine::{Failure, Hello, OnEngine, Played};
use crate::fixture::Fixtures;
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
            Ok(Hello { name, version, .. }) => format!("{}: {name} {version}", called(number, played)),
            Err(failure) => format!("{} never answered: {}", called(number, played), told(failure)),
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
            .chain(answering.iter().map(|(number, played)| format!("{} {}", played.kind, number + 1)));
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
        lines.extend(
            played.tried.as_ref().map(|tried| cells(fixtures, number, played, tried)).into_iter().flatten(),
        );
    }
    joined(&lines)
}

/// The outcomes of an engine, counted, and those that aren't equal.
fn of_engine(fixtures: &Fixtures, number: usize, played: &Played) -> Vec<String> {
    let words = ["equal", "differs", "refused", "unsupported", "timeout", "crashed", "not_run", "garbage"];
    let count = |word: &&str| played.outcomes.iter().filter(|it| it.name() == *word).count();
    let counts = words.iter().map(|word| (word, count(word))).filter(|(_, count)| *count != 0);
    let counts: Vec<String> = counts.map(|(word, count)| format!("{count} {word}")).collect();
    let all = counted(played.outcomes.len(), "fixture");
    let mut lines = vec![String::new()];
    lines.extend(wrapped(&format!("{}, {all}: {}.", called(number, played), counts.join(", ")), 0, 0));
    if let Some(failure) = &played.failed_together {
        let text = format!(
            "While several fixtures were open it failed: {}. Each alone was played to its end.",
            told(failure)
        );
        lines.extend(wrapped(&text, 0, 0));
        if let Failure::Crashed { stderr, .. } = failure {
            lines.extend(quoted(stderr));
        }
    }
    let other =
        fixtures.pairs().zip(&played.outcomes).filter(|(_, outcome)| !matches!(outcome, OnEngine::Equal));
    let (unsupported, wrong): (Vec<_>, Vec<_>) = other.partition(|(_, outcome)| outcome.is_well());
    for ((suite, fixture), outcome) in wrong.iter().take(SHOWN) {
        lines.push(String::new());
        let name = suite.full_name(fixture);
        lines.extend(detail(&name, fixture, fixture.plan().target(), outcome, played.kind));
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
    lines.extend(reasons(
        "Unsupported",
        unsupported.into_iter().filter_map(|(_, outcome)| match outcome {
            OnEngine::Unsupported(reason) => Some(&**reason),
            _ => None,
        }),
    ));
    lines
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
    /// How it fails while several fixtures are open, none of which fails alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    failed_together: Option<String>,
    /// The mutants, where they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    mutants: Option<Vec<TriedJson<'a>>>,
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

pub(super) fn engine_json<'a>(fixtures: &'a Fixtures, played: &'a Played) -> EngineJson<'a> {
    let hello = played.hello.as_ref();
    let outcomes = fixtures.pairs().zip(&played.outcomes).map(|((suite, fixture), outcome)| {
        let (checkpoints, reason) = places(outcome);
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
        failed_together: played.failed_together.as_ref().map(told),
        mutants: played.tried.as_ref().map(|tried| tried_json(fixtures, tried)),
    }
}

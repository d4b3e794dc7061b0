//! What came of a fixture on an engine, in words.

use cdc_core::Schema;

use super::explain::{checkpoint, found};
use super::grid::wrapped;
use crate::engine::{Failure, OnEngine, Played};
use crate::escape::for_terminal;
use crate::fixture::Fixture;
use crate::words::counted;

/// What an engine is called: `Engine 1`.
pub(super) fn called(number: usize, played: &Played) -> String {
    let kind = if played.kind == "run" { "Run" } else { "Engine" };
    format!("{kind} {}", number + 1)
}

/// What came of a fixture of this name, of which these columns are compared.
pub(super) fn detail(
    name: &str,
    fixture: &Fixture,
    columns: &Schema,
    outcome: &OnEngine,
    kind: &str,
) -> Vec<String> {
    let at = |checkpoint: Option<usize>| {
        checkpoint.map(|it| format!(" at checkpoint {}", it + 1)).unwrap_or_default()
    };
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
        OnEngine::Equal | OnEngine::Unsupported(_) => name.to_owned(),
    };
    let mut lines = wrapped(&sentence, 2, 2);
    match outcome {
        OnEngine::Differs(differences) => {
            for difference in differences.iter().take(1) {
                lines.extend(checkpoint(fixture, difference.checkpoint));
                lines.extend(found(fixture, difference, &format!("the {kind}"), [columns; 2]));
            }
        }
        OnEngine::Failed { failure: Failure::Crashed { stderr, .. }, .. } => lines.extend(quoted(stderr)),
        OnEngine::Failed { failure: Failure::Garbage { line, .. }, .. } => lines.extend(quoted(line)),
        _ => {}
    }
    lines
}

/// Why there is no answer.
pub(super) fn told(failure: &Failure) -> String {
    match failure {
        Failure::Timeout => "there is no answer in time".to_owned(),
        Failure::Crashed { how, .. } => how.clone(),
        Failure::NotRun(reason) => format!("it couldn't be carried out: {reason}"),
        Failure::Garbage { fault, .. } => format!("what it says is no answer: {fault}"),
    }
}

/// The last lines of what an engine wrote.
pub(super) fn quoted(text: &str) -> Vec<String> {
    const LINES: usize = 8;
    let lines: Vec<&str> = text.lines().collect();
    let last = &lines[lines.len().saturating_sub(LINES)..];
    last.iter().map(|line| format!("  | {}", for_terminal(line.trim_end()))).collect()
}

/// Reasons, each once, with how often it holds. Nothing, if there is none.
pub(super) fn reasons<'a>(of_what: &str, all: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut reasons: Vec<(&str, usize)> = Vec::new();
    for reason in all {
        match reasons.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, count)) => *count += 1,
            None => reasons.push((reason, 1)),
        }
    }
    if reasons.is_empty() {
        return Vec::new();
    }
    let reasons: Vec<String> = reasons.iter().map(|(reason, count)| format!("{reason} ({count})")).collect();
    let mut lines = vec![String::new()];
    lines.extend(wrapped(&format!("{of_what}: {}.", reasons.join(", ")), 0, 0));
    lines
}

/// The checkpoints that differ, or the one at which it ended, from 1; and why there is no more.
pub(super) fn places(outcome: &OnEngine) -> (Vec<usize>, Option<String>) {
    match outcome {
        OnEngine::Equal => (Vec::new(), None),
        OnEngine::Differs(differences) => (differences.iter().map(|it| it.checkpoint + 1).collect(), None),
        OnEngine::Refused { checkpoint, refusal, .. } => {
            (vec![checkpoint + 1], Some(format!("{}: {}", refusal.class, refusal.message)))
        }
        OnEngine::Unsupported(reason) => (Vec::new(), Some(reason.clone())),
        OnEngine::Failed { checkpoint, failure } => {
            (checkpoint.iter().map(|it| it + 1).collect(), Some(told(failure)))
        }
    }
}

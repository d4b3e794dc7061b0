//! The mutants on an engine: a mark for each cell, and each that isn't as in the model.

use serde::Serialize;
use unicode_width::UnicodeWidthStr as _;

use super::full::{blocks, line, numbered};
use super::grid::{Grid, WIDTH, wrapped};
use super::outcome::{called, detail, places, reasons};
use crate::engine::{Agreement, OnEngine, Played, Tried};
use crate::fixture::{Fixture, Fixtures, Suite};
use crate::words::counted;

/// Of how many cells that aren't as in the model the rows are shown.
const SHOWN: usize = 5;

/// What the marks say.
const LEGEND: &str = "`x` caught, `.` missed, as in the model; with `!` not as in the model; `?` nothing to compare; a \
                      blank: not played, since there is nothing to do wrong, no definition and no events are that copy, \
                      or the fixture itself isn't equal.";

/// The cells of an engine, as a table for each judged suite; then those that aren't as in the model.
pub(super) fn cells(fixtures: &Fixtures, number: usize, played: &Played, all: &[Tried]) -> Vec<String> {
    let mut lines = Vec::new();
    let mut first = 0;
    for suite in &fixtures.suites {
        let numbers = first..first + suite.fixtures.len();
        first = numbers.end;
        let cells: Vec<&Tried> = all.iter().filter(|tried| numbers.contains(&tried.fixture)).collect();
        if !cells.is_empty() {
            lines.push(String::new());
            lines.extend(wrapped(
                &format!("{}, broken copies, {}", called(number, played), suite.name),
                0,
                0,
            ));
            lines.extend(table(suite, numbers.start, &cells));
        }
    }
    if !lines.is_empty() {
        lines.push(String::new());
        lines.extend(wrapped(LEGEND, 0, 0));
    }
    lines.push(String::new());
    lines.extend(wrapped(
        &format!("{}, broken copies: {}", called(number, played), counts(fixtures, played, all)),
        0,
        0,
    ));
    let pairs: Vec<(&Suite, &Fixture)> = fixtures.pairs().collect();
    let (mut other, mut form) = (Vec::new(), Vec::new());
    for tried in all {
        match tried.agreement() {
            Agreement::OtherEngine => other.push(tried),
            Agreement::OtherForm => form.push(tried),
            _ if tried.is_broken() => other.push(tried),
            _ => {}
        }
    }
    for tried in other.iter().take(SHOWN) {
        lines.push(String::new());
        lines.extend(other_than_the_model(pairs[tried.fixture], tried, played.kind));
    }
    let name = |tried: &&Tried| {
        let (suite, fixture) = pairs[tried.fixture];
        format!("{} on {}", tried.mutant, suite.full_name(fixture))
    };
    if SHOWN < other.len() {
        let more: Vec<String> = other[SHOWN..].iter().map(name).collect();
        lines.push(String::new());
        lines.extend(wrapped(&format!("And {}: {}.", more.len(), more.join(", ")), 0, 0));
    }
    if !form.is_empty() {
        let names: Vec<String> = form.iter().map(name).collect();
        let text = format!(
            "Not as in the model, where these events and this definition give what it gives, so that they aren't \
             the copy: {}.",
            names.join(", ")
        );
        lines.push(String::new());
        lines.extend(wrapped(&text, 0, 0));
    }
    let unplayed = all.iter().filter_map(|tried| tried.form.as_ref().err().map(String::as_str));
    lines.extend(reasons("No definition and no events are the copy", unplayed));
    let unsupported = all.iter().filter_map(|tried| match &tried.outcome {
        Some(OnEngine::Unsupported(reason)) => Some(&**reason),
        _ => None,
    });
    lines.extend(reasons("Unsupported", unsupported));
    lines
}

/// The mutants of a suite, each with a mark for every fixture.
fn table(suite: &Suite, first: usize, cells: &[&Tried]) -> Vec<String> {
    let mut mutants: Vec<&str> = cells.iter().map(|tried| tried.mutant).collect();
    mutants.dedup();
    let titles = suite.fixtures.iter().map(|fixture| &*fixture.name);
    let marks = |mutant: &str| -> Vec<&'static str> {
        let of = |place: usize| {
            let is_it = |tried: &&&Tried| tried.mutant == mutant && tried.fixture == first + place;
            cells.iter().find(is_it).map_or("", |tried| mark(tried))
        };
        (0..suite.fixtures.len()).map(of).collect()
    };
    let width = mutants.iter().map(|name| name.width()).max().unwrap_or_default();
    let rows: Vec<(&str, Vec<&str>)> = mutants.iter().map(|name| (*name, marks(name))).collect();
    let mut lines = vec![String::new()];
    lines.extend(numbered(titles));
    for shown in blocks(suite.fixtures.len(), width) {
        let header = line("", shown.clone().map(|place| (place + 1).to_string()));
        let of_mutant = |(name, marks): &(&str, Vec<&str>)| {
            line(name, marks[shown.clone()].iter().map(|mark| (*mark).to_owned()))
        };
        lines.push(String::new());
        lines.extend(Grid::new(1, std::iter::once(header).chain(rows.iter().map(of_mutant))).lines(WIDTH));
    }
    lines
}

fn mark(tried: &Tried) -> &'static str {
    match (tried.is_caught(), tried.agreement()) {
        _ if tried.form.is_err() => "",
        (None, _) => "?",
        (Some(true), Agreement::Same) => "x",
        (Some(false), Agreement::Same) => ".",
        (Some(true), _) => "x!",
        (Some(false), _) => ".!",
    }
}

/// How many cells there are of each kind.
fn counts(fixtures: &Fixtures, played: &Played, all: &[Tried]) -> String {
    let count = |is_so: &dyn Fn(&Tried) -> bool| all.iter().filter(|tried| is_so(tried)).count();
    let agree = |agreement: Agreement| count(&|tried: &Tried| tried.agreement() == agreement);
    let other = agree(Agreement::OtherEngine) + agree(Agreement::OtherForm);
    let mut told = vec![format!(
        "{}, {} of them as in the model ({} caught, {} missed), {other} not",
        counted(count(&|tried| tried.form.is_ok()), "cell"),
        agree(Agreement::Same),
        count(&|tried| tried.agreement() == Agreement::Same && tried.in_model.is_some()),
        count(&|tried| tried.agreement() == Agreement::Same && tried.in_model.is_none()),
    )];
    let unknown = count(&|tried| tried.form.is_ok() && tried.is_caught().is_none());
    if unknown != 0 {
        told.push(format!("{unknown} with nothing to compare"));
    }
    let judged = fixtures.pairs().zip(&played.outcomes).filter(|((suite, _), _)| suite.audited);
    let unequal = judged.filter(|(_, outcome)| !matches!(outcome, OnEngine::Equal)).count();
    if unequal != 0 {
        told.push(format!("none tried on {}, where it isn't equal itself", counted(unequal, "fixture")));
    }
    format!("{}.", told.join("; "))
}

/// A cell that isn't as in the model: what is expected, and the engine's rows.
fn other_than_the_model((suite, fixture): (&Suite, &Fixture), tried: &Tried, kind: &str) -> Vec<String> {
    let name = format!("{} on {}", tried.mutant, suite.full_name(fixture));
    let (Some(outcome), Ok(form)) = (&tried.outcome, &tried.form) else { return Vec::new() };
    let model = match tried.in_model {
        Some(checkpoint) => format!("caught in the model at checkpoint {}", checkpoint + 1),
        None => "missed in the model".to_owned(),
    };
    let mut lines = match tried.is_caught() {
        Some(is_caught) => {
            let word = if is_caught { "caught" } else { "missed" };
            wrapped(&format!("{name}: {model}, {word} on the {kind}"), 2, 2)
        }
        None => Vec::new(),
    };
    if !matches!(outcome, OnEngine::Equal) {
        lines.extend(detail(&name, &form.played, form.columns(), outcome, kind));
    }
    lines
}

#[derive(Serialize)]
pub(super) struct TriedJson<'a> {
    suite: &'a str,
    fixture: &'a str,
    mutant: &'static str,
    /// What the model says: `caught` or `missed`.
    model: &'static str,
    /// What the engine says, or `unknown`.
    engine: &'static str,
    /// `same`, `other_form`, `other_engine` or `unknown`.
    agreement: &'static str,
    /// What came of it, as of a fixture; none: there is no form.
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<&'static str>,
    /// The checkpoints that differ, from 1.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    checkpoints: Vec<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

pub(super) fn tried_json<'a>(fixtures: &'a Fixtures, all: &'a [Tried]) -> Vec<TriedJson<'a>> {
    let pairs: Vec<(&Suite, &Fixture)> = fixtures.pairs().collect();
    let json = |tried: &'a Tried| {
        let (suite, fixture) = pairs[tried.fixture];
        let (checkpoints, reason) = match (&tried.outcome, &tried.form) {
            (Some(outcome), _) => places(outcome),
            (None, form) => (Vec::new(), form.as_ref().err().cloned()),
        };
        let word = |is_caught| if is_caught { "caught" } else { "missed" };
        TriedJson {
            suite: &suite.name,
            fixture: &fixture.name,
            mutant: tried.mutant,
            model: word(tried.in_model.is_some()),
            engine: tried.is_caught().map_or("unknown", word),
            agreement: match tried.agreement() {
                Agreement::Same => "same",
                Agreement::OtherForm => "other_form",
                Agreement::OtherEngine => "other_engine",
                Agreement::Unknown => "unknown",
            },
            outcome: tried.outcome.as_ref().map(OnEngine::name),
            checkpoints,
            reason,
        }
    };
    all.iter().map(json).collect()
}

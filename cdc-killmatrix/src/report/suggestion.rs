//! Fixtures to complete: their text, and the question that completes them.

use std::path::PathBuf;

use cdc_core::Mutant;
use serde_json::{Value as Json, json};

use super::grid::wrapped;
use super::rows::{self, Shape};
use crate::control::Void;
use crate::escape::for_terminal;
use crate::fixture::{Wording, fixture_json, fixture_text, row_to_json};
use crate::search::{Answer, NotFound};
use crate::suggest::{Refuted, Suggested, Suggestion};
use crate::verdict::Outcome;
use crate::words::{counted, listed, lower_first, pasted, slashed};

/// A suggestion that was asked for, and what came of it.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The suite under whose flows was searched.
    pub suite: String,
    /// The mutant.
    pub mutant: Mutant,
    /// The mutants from which it should be told; none: from the reference.
    pub beside: Vec<Mutant>,
    /// What came of it.
    pub suggested: Suggested,
    /// How many flows write into the targets that were searched under.
    pub flows: usize,
    /// Where the fixture was written, if it was.
    pub written: Option<PathBuf>,
}

/// What is said once of all suggestions.
const ADVICE: &str = "Put the rows that are right in the place of each \"TODO\", from what the source and the business \
                      say, not from a program: a batch that must be refused has `expect_error` instead.";

/// A suggestion for a terminal, with what completes it.
pub fn suggestion(asked: &Asked) -> String {
    let text = suggestion_of_many(asked);
    match asked.suggested {
        Suggested::Fixture(_) => format!("{text}\n{}", advice()),
        _ => text,
    }
}

fn advice() -> String {
    let mut lines = wrapped(ADVICE, 0, 0);
    lines.push(String::new());
    lines.join("\n")
}

/// What completes suggestions, and how many there are.
pub fn suggestions_end(all: &[Asked]) -> String {
    let is_found = |asked: &&Asked| matches!(asked.suggested, Suggested::Fixture(_));
    let missing: Vec<&str> =
        all.iter().filter(|asked| !is_found(asked)).map(|asked| asked.mutant.name).collect();
    let not_found = match missing.len() {
        0 => String::new(),
        count => format!(", {count} not found: {}", listed(&missing)),
    };
    let found = all.len() - missing.len();
    let text = wrapped(&format!("{found} suggested{not_found}."), 0, 0).join("\n");
    if found == 0 { format!("{text}\n") } else { format!("{}\n{text}\n", advice()) }
}

/// A suggestion for a terminal, one of several.
pub fn suggestion_of_many(asked: &Asked) -> String {
    let Asked { suite, mutant, beside, suggested, flows, written } = asked;
    let heading = match &*names(beside) {
        [] => format!("{suite}: {}", mutant.name),
        others => format!("{suite}: {} beside {}", mutant.name, listed(others)),
    };
    let mut lines = wrapped(&heading, 0, 0);
    match suggested {
        Suggested::Fixture(suggestion) => {
            lines.push(String::new());
            if let Some(path) = written {
                lines.extend(wrapped(&format!("written: {}", path.display()), 0, 0));
                lines.push(String::new());
                lines.extend(events(suggestion));
            } else {
                let text = fixture_text(&fixture_json(&suggestion.fixture, Wording::Whole));
                lines.extend(text.lines().map(|line| for_terminal(line).into_owned()));
            }
            if !beside.is_empty() {
                let told = format!("Completed, it catches {}.", catches(suggestion));
                lines.push(String::new());
                lines.extend(wrapped(&told, 0, 0));
            }
            lines.push(String::new());
            lines.extend(question(suggestion));
        }
        Suggested::Nothing(nothing) => {
            lines.push(String::new());
            lines.extend(wrapped(
                &format!("No {}. That is no proof that there is none.", no_difference(nothing)),
                0,
                0,
            ));
            if let Some(reason) = mutant.equivalent {
                lines.extend(wrapped(&format!("It is declared equivalent: {reason}."), 0, 0));
            }
        }
        Suggested::NotApplicable(reason) => {
            lines.push(String::new());
            let who = if beside.is_empty() { "It" } else { "None of them" };
            let can = if beside.is_empty() { "can't" } else { "can" };
            let flows = if *flows == 1 { "this flow" } else { "these flows" };
            lines.extend(wrapped(&format!("{who} {can} differ under {flows}: {reason}."), 0, 0));
        }
    }
    lines.push(String::new());
    lines.join("\n")
}

pub(super) fn names(mutants: &[Mutant]) -> Vec<&'static str> {
    mutants.iter().map(|mutant| mutant.name).collect()
}

/// Which mutants a fixture that tells mutants apart catches, and which it doesn't.
pub(super) fn catches(Suggestion { catches, leaves, .. }: &Suggestion) -> String {
    format!("{}, not {}", listed(&names(catches)), listed(&names(leaves)))
}

pub(super) fn no_difference(nothing: &NotFound) -> String {
    format!(
        "difference found in {} tries, of at most {} and {}",
        nothing.tries,
        counted(nothing.checkpoints, "checkpoint"),
        counted(nothing.events, "event"),
    )
}

/// The events of a suggestion, batch by batch.
fn events(suggestion: &Suggestion) -> Vec<String> {
    let fixture = &suggestion.fixture;
    let mut lines = Vec::new();
    for number in 0..fixture.checkpoints.len() {
        let batch = fixture.feed.batch(number);
        lines.extend(wrapped(&format!("{}:", rows::heading(fixture, number)), 0, 0));
        let shown = rows::events(&fixture.plans[batch.delivery.flow], batch.events);
        lines.extend(shown.into_iter().map(|line| format!("  {line}")));
    }
    lines
}

/// Which of two tables is right: in an order that depends on nothing but what they hold.
fn question(suggestion: &Suggestion) -> Vec<String> {
    let Suggestion { fixture, separation, .. } = suggestion;
    let mut answers =
        [&separation.right, &separation.wrong].map(|it| (sorted_by(it), answer(suggestion, it)));
    answers.sort();
    let last = fixture.checkpoints.len();
    let mut lines = wrapped(&format!("After checkpoint {last}, which of the two is right, A or B?"), 0, 0);
    for (name, (_, answer)) in ["A", "B"].into_iter().zip(answers) {
        lines.extend([String::new(), format!("  {name}:")]);
        lines.extend(answer.into_iter().map(|line| format!("    {line}")));
    }
    let mut advice: Vec<String> = Vec::new();
    if separation.has_conflict {
        advice.push(
            "Two of the events share key and sequence, and no vendor says which wins: decide what your pipeline has \
             to do, or let `expect_any` allow both."
                .to_owned(),
        );
    }
    if let (Answer::Rows(..), Answer::Refused(_)) = (&separation.right, &separation.wrong) {
        advice.push(
            "The broken copy refuses the batch, which a pipeline would report: no fixture counts that as a catch."
                .to_owned(),
        );
    }
    if !advice.is_empty() {
        lines.push(String::new());
    }
    lines.extend(advice.iter().flat_map(|advice| wrapped(advice, 0, 0)));
    lines
}

/// By what the two are sorted: it may not tell which is which.
fn sorted_by(answer: &Answer) -> (usize, String) {
    match answer {
        Answer::Rows(_, table) => {
            let values = table.rows().iter().flat_map(|row| row.iter().map(ToString::to_string));
            (0, values.collect::<Vec<String>>().join("\n"))
        }
        Answer::Refused(refusal) => (1, refusal.to_string()),
    }
}

fn answer(suggestion: &Suggestion, answer: &Answer) -> Vec<String> {
    match answer {
        Answer::Rows(target, table) => rows::table(&Shape::new(suggestion.fixture.plan(), target), table),
        Answer::Refused(refusal) => wrapped(&format!("The batch is refused with {}.", refusal.class), 0, 0),
    }
}

/// Suggestions as JSON.
pub fn suggestions_json(all: &[Asked]) -> String {
    let list: Vec<Json> = all.iter().map(asked_json).collect();
    format!("{:#}\n", Json::Array(list))
}

fn asked_json(asked: &Asked) -> Json {
    let mut json = json!({"suite": asked.suite, "mutant": asked.mutant.name});
    if !asked.beside.is_empty() {
        json["beside"] = json!(names(&asked.beside));
    }
    let mut more = suggested_json(&asked.suggested);
    if let Suggested::Fixture(_) = asked.suggested {
        more["written"] = json!(asked.written.as_deref().map(slashed));
    }
    if let (Json::Object(json), Json::Object(more)) = (&mut json, more) {
        json.extend(more);
    }
    json
}

/// What came of a suggestion.
pub(super) fn suggested_json(suggested: &Suggested) -> Json {
    match suggested {
        Suggested::Fixture(suggestion) => {
            let Suggestion { fixture, separation, catches, leaves, .. } = &**suggestion;
            let mut answers =
                [&separation.right, &separation.wrong].map(|it| (sorted_by(it), answer_json(it)));
            answers.sort_by(|(one, _), (other, _)| one.cmp(other));
            let mut json = json!({
                "outcome": "found",
                "fixture": fixture_json(fixture, Wording::Whole),
                "checkpoint": fixture.checkpoints.len(),
                "candidates": answers.map(|(_, answer)| answer),
                "conflict": separation.has_conflict,
                "tries": separation.tries,
            });
            if !leaves.is_empty() {
                json["catches"] = json!(names(catches));
                json["leaves"] = json!(names(leaves));
            }
            json
        }
        Suggested::Nothing(NotFound { tries, checkpoints, events }) => {
            json!({"outcome": "nothing", "tries": tries, "checkpoints": checkpoints, "events": events})
        }
        Suggested::NotApplicable(reason) => json!({"outcome": "not_applicable", "reason": reason}),
    }
}

fn answer_json(answer: &Answer) -> Json {
    match answer {
        Answer::Rows(target, table) => {
            json!({"rows": table.rows().iter().map(|row| row_to_json(row, target)).collect::<Vec<Json>>()})
        }
        Answer::Refused(refusal) => json!({"error": {"class": refusal.class, "message": refusal.message}}),
    }
}

/// Claims that were refuted: the feed that does it, and what to do.
///
/// `program` is how the commands that it suggests begin: `cdc-killmatrix`.
pub fn refuted(all: &[Refuted], program: &str) -> String {
    let mut lines = Vec::new();
    for Refuted { mutant, suite, suggestion } in all {
        let claim = format!(
            "{} is declared equivalent ({}), but under the flow of {suite} these events tell it from AUTO CDC:",
            mutant.name,
            mutant.equivalent.unwrap_or_default(),
        );
        lines.extend(wrapped(&claim, 0, 0));
        lines.push(String::new());
        lines.extend(events(suggestion));
        for (model, shown) in
            [("AUTO CDC", &suggestion.separation.right), (mutant.name, &suggestion.separation.wrong)]
        {
            lines.push(format!("{model}:"));
            lines.extend(answer(suggestion, shown).into_iter().map(|line| format!("  {line}")));
        }
        lines.push(String::new());
        let path = suggestion.fixture.path.parent().unwrap_or(std::path::Path::new("."));
        let remedy = format!(
            "Take the claim back: remove `equivalent` from {}. Then write the fixture that catches it: {program} \
             suggest {} --like {} --write",
            mutant.name,
            mutant.name,
            pasted(path),
        );
        lines.extend(wrapped(&remedy, 0, 0));
        lines.push(String::new());
    }
    lines.join("\n")
}

/// Controls that failed: what had to come of them, and what came.
pub fn void(all: &[Void]) -> String {
    let mut lines = wrapped(
        "The run is void, and nothing is said about broken copies: a control didn't come out as it must.",
        0,
        0,
    );
    lines.push(String::new());
    for Void { suite, fixture, control, expected, outcome } in all {
        let reason = match outcome {
            Outcome::Error(reason) => format!("error ({reason})"),
            Outcome::NotApplicable(reason) => format!("not applicable ({reason})"),
            outcome => outcome.name().to_owned(),
        };
        let text = format!(
            "{suite}/{fixture}: the copy that {} had to be {expected}, and came out as {reason}",
            lower_first(control),
        );
        lines.extend(wrapped(&text, 4, 2));
    }
    lines.push(String::new());
    let remedy = "These fixtures agree with AUTO CDC, so the fault isn't in them: the harness is broken. Please \
                  report it with the fixtures that are named here.";
    lines.extend(wrapped(remedy, 0, 0));
    lines.push(String::new());
    lines.join("\n")
}

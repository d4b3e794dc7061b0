//! Why a mutant is caught or missed, and where a fixture and the reference disagree.

use cdc_core::{Mutant, Plan, Question, Row, Schema, Value};

use super::grid::wrapped;
use super::html::Values;
use super::rows::{self, Shape};
use super::tables::story_lines;
use crate::escape::for_terminal;
use crate::fixture::{Checkpoint, Fixture, Fixtures};
use crate::matrix::{Line, Matrix, SuiteMatrix};
use crate::verdict::{self, Cause, Difference, Found, Miss, Outcome, Verdict};
use crate::why::{self, Story};
use crate::words::{counted, lower_first, pasted, times};

/// Of how many fixtures the commands are named that show their rows.
const NAMED: usize = 3;

/// How many questions to a decision are shown.
const QUESTIONS: usize = 3;

/// Why a mutant is caught by a fixture, or missed: every checkpoint that differs, rows side by side.
pub fn explain(mutant: &Mutant, suite: &str, fixture: &Fixture, outcome: &Outcome) -> String {
    let name = for_terminal(&format!("{suite}/{}", fixture.name)).into_owned();
    let compared =
        fixture.checkpoints.iter().filter(|it| !it.expect.is_empty() || it.expect_error.is_some()).count();
    let verdict = match outcome {
        Outcome::Caught(differences) => {
            format!("{name} catches {}: {} of {compared} checkpoints differ.", mutant.name, differences.len())
        }
        Outcome::Missed(_) => {
            let at = match compared {
                1 => "at its only checkpoint".to_owned(),
                count => format!("at each of its {count} checkpoints"),
            };
            format!("{name} misses {}: the rows are the expected ones {at}.", mutant.name)
        }
        Outcome::Error(reason) => format!("{} breaks down on {name}: {reason}.", mutant.name),
        Outcome::NotApplicable(reason) => format!("{} can't differ on {name}: {reason}.", mutant.name),
    };
    let mut lines = wrapped(&verdict, 0, 0);
    lines.extend(wrapped(
        &format!("The broken copy: {} (`{}`).", lower_first(mutant.about), mutant.breaks.name()),
        0,
        0,
    ));
    match outcome {
        Outcome::Caught(differences) => {
            let target = verdict::target(mutant, fixture);
            for difference in differences {
                lines.push(String::new());
                lines.extend(checkpoint(fixture, difference.checkpoint));
                lines.extend(found(fixture, difference, mutant.name, [fixture.plan().target(), &target]));
            }
        }
        Outcome::Missed(miss) => {
            lines.push(String::new());
            lines.extend(missed(mutant, fixture.plan(), miss));
            lines.push(String::new());
            let next = format!(
                "`{}` decides {}. {}",
                mutant.breaks.name(),
                lower_first(mutant.breaks.about()).trim_end_matches('.'),
                advice(miss.cause),
            );
            lines.extend(wrapped(&next, 0, 0));
        }
        Outcome::Error(_) | Outcome::NotApplicable(_) => {}
    }
    lines.push(String::new());
    lines.join("\n")
}

/// The cause of a miss, with what the decision was asked and what was answered.
fn missed(mutant: &Mutant, plan: &Plan, miss: &Miss) -> Vec<String> {
    let (hook, notes) = (mutant.breaks.name(), &miss.notes);
    let asked = format!("`{hook}` was asked {}", times(notes.asked));
    let (sentence, questions) = match miss.cause {
        Cause::NotReached => {
            (format!("Never asked: no event of the fixture comes to `{hook}`."), [].as_slice())
        }
        Cause::SameAnswer => {
            let each = if notes.asked == 1 { "" } else { " each time" };
            (format!("No difference: {asked}, and both copies answer the same{each}."), &*notes.questions)
        }
        Cause::Masked => {
            let verb = if notes.differing == 1 { "is" } else { "are" };
            let answers = format!("{} of the copy {verb} wrong", counted(notes.differing, "answer"));
            let sentence = format!("It differs inside, not in the rows: {asked}, and {answers}; the first:");
            (sentence, notes.difference.as_slice())
        }
    };
    let mut shown: Vec<&Question> = Vec::new();
    for question in questions {
        if shown.len() < QUESTIONS && !shown.contains(&question) {
            shown.push(question);
        }
    }
    let mut lines = wrapped(&sentence, 0, 0);
    for question in &shown {
        lines.extend(wrapped(&asked_with(question, plan), 4, 2));
        let answer = if question.right == question.answer {
            format!("both say {}", question.right)
        } else {
            format!("AUTO CDC says {}, {} says {}", question.right, mutant.name, question.answer)
        };
        lines.extend(wrapped(&answer, 6, 2));
    }
    let told = questions.iter().filter(|question| shown.contains(question)).count();
    if miss.cause == Cause::SameAnswer && told < notes.asked {
        lines.push(format!("  and {}", counted(notes.asked - told, "more question")));
    }
    lines
}

/// What a decision was asked with. Columns are told by their names.
fn asked_with(question: &Question, plan: &Plan) -> String {
    let column = |text: &str| Some(plan.target().get(text.parse::<usize>().ok()?)?.name.clone());
    let told = |(name, text): &(&str, String)| match *name {
        "around" => text.clone(),
        "column" => format!("{name} {}", column(text).unwrap_or_else(|| text.clone())),
        "tracked" => {
            let columns = text
                .trim_matches(['[', ']'])
                .split(", ")
                .map(|text| column(text).unwrap_or_else(|| text.to_owned()));
            format!("{name} {}", columns.collect::<Vec<String>>().join(", "))
        }
        _ => format!("{name} {text}"),
    };
    let inputs: Vec<String> = question.inputs.iter().map(told).collect();
    if inputs.is_empty() { "asked of the flow".to_owned() } else { inputs.join("; ") }
}

/// What would turn a miss into a catch.
fn advice(cause: Cause) -> &'static str {
    match cause {
        Cause::NotReached => {
            "A fixture catches the copy with events that come to that decision, and the expected rows after them."
        }
        Cause::SameAnswer => {
            "A fixture catches the copy with events on which the two would answer otherwise, and the expected rows after \
             them."
        }
        Cause::Masked => {
            "The rows stay right where a later event covers the wrong answer, where nothing else depends on it, or where no \
             checkpoint compares rows in time. A fixture catches the copy with a checkpoint before that, or with an event \
             that depends on it."
        }
    }
}

/// Where the reference disagrees with fixtures, and why it gives the rows that it gives. Empty if it agrees.
///
/// Without values only the places are told. `program` is how the commands that it suggests begin: `cdc-killmatrix`.
pub fn disagreements(fixtures: &Fixtures, matrix: &Matrix, values: Values, program: &str) -> String {
    let lines = fixtures.pairs().zip(matrix.lines());
    let mut disagreeing = lines.filter(|(_, (_, line))| !line.baseline.agrees()).peekable();
    if disagreeing.peek().is_none() {
        return String::new();
    }
    let (mut shown, mut next) = (Vec::new(), Vec::new());
    for ((_, fixture), (suite, line)) in disagreeing {
        shown.push(match values {
            Values::Shown => disagreement(suite, line, fixture),
            Values::Redacted => places(suite, line, fixture),
        });
        next.push(format!("  {program} rows {} --why\n", pasted(&fixture.path)));
    }
    let count = counted(shown.len(), "fixture");
    next.truncate(NAMED);
    format!(
        "{}\nAUTO CDC disagrees with {count}, so no broken copy was tried.\nNext, to see why:\n{}",
        shown.join("\n"),
        next.concat()
    )
}

/// Where the reference disagrees with a fixture, without a row or a reason that may quote one.
fn places(suite: &SuiteMatrix, line: &Line, fixture: &Fixture) -> String {
    let Verdict { differences, failure } = &line.baseline;
    let (name, file) = (format!("{}/{}", suite.name, line.name), fixture.path.display());
    let mut lines = Vec::new();
    for difference in differences {
        let at = fixture.checkpoints[difference.checkpoint].line;
        lines.extend(wrapped(&format!("{file}:{at}: {name} expects otherwise than AUTO CDC does"), 2, 2));
    }
    if failure.is_some() {
        lines.extend(wrapped(&format!("{file}: {name}: AUTO CDC can't apply its events"), 2, 2));
    }
    lines.push(String::new());
    lines.join("\n")
}

/// Where the reference disagrees with a fixture.
fn disagreement(suite: &SuiteMatrix, line: &Line, fixture: &Fixture) -> String {
    let Verdict { differences, failure } = &line.baseline;
    let mut lines = Vec::new();
    let name = format!("{}/{}", suite.name, line.name);
    for difference in differences {
        let number = difference.checkpoint;
        let Checkpoint { expect: expected, line, .. } = &fixture.checkpoints[number];
        let place = format!("{}:{line}", fixture.path.display());
        lines.extend(wrapped(&format!("{place}: {name} expects otherwise than AUTO CDC does"), 2, 2));
        lines.extend(checkpoint(fixture, number));
        let Found::Rows(got) = &difference.found else {
            lines.extend(found(fixture, difference, "AUTO CDC", [fixture.plan().target(); 2]));
            continue;
        };
        let Some(nearest) = rows::nearest(expected, got) else { continue };
        if 1 < expected.len() {
            let tables = expected.len();
            lines.push(format!("  none of the {tables} tables that `expect_any` allows; the nearest:"));
        }
        lines.push("  - your row, + AUTO CDC's".to_owned());
        let shape = Shape::new(fixture.plan(), fixture.plan().target());
        lines.extend(indented(rows::differences(&shape, nearest, got)));
        let key = |row: &Row| -> Vec<Value> {
            fixture.plan().target_keys().iter().map(|&column| row[column].clone()).collect()
        };
        let differing: Vec<Vec<Value>> =
            nearest.without(got).into_iter().chain(got.without(nearest)).map(key).collect();
        let mut stories = stories(fixture, number);
        stories.retain(|story| differing.contains(&story.key));
        lines.extend(story_lines(&stories));
        lines.push("  Your row, or our rule: decide.".to_owned());
    }
    if let Some(failure) = failure {
        lines.extend(wrapped(&format!("{}: {name}: {failure}", fixture.path.display()), 2, 2));
        let advice = "Mend the events, or expect the refusal: `\"expect_error\": \"CLASS\"`, with the class in \
                      brackets.";
        lines.extend(wrapped(advice, 2, 0));
    }
    lines.push(String::new());
    lines.join("\n")
}

/// Why the reference's rows after a checkpoint are as they are.
fn stories(fixture: &Fixture, number: usize) -> Vec<Story> {
    let start =
        fixture.checkpoints[..=number].iter().rposition(|checkpoint| checkpoint.full_refresh).unwrap_or(0);
    why::stories(&fixture.plans, &fixture.feed, start, number)
}

/// The number, the note and the events of a checkpoint.
pub(super) fn checkpoint(fixture: &Fixture, number: usize) -> Vec<String> {
    let mut lines = wrapped(&rows::heading(fixture, number), 2, 2);
    lines.extend(indented(rows::events(fixture.plan(), fixture.feed.batch(number).events)));
    lines.push(String::new());
    lines
}

/// What came in the place of what a checkpoint expects: of rows both tables, with the columns of each.
pub(super) fn found(
    fixture: &Fixture,
    difference: &Difference,
    model: &str,
    [of_flow, of_model]: [&Schema; 2],
) -> Vec<String> {
    match &difference.found {
        Found::Rows(got) => {
            let expected = &fixture.checkpoints[difference.checkpoint].expect;
            let Some(nearest) = rows::nearest(expected, got) else { return Vec::new() };
            let (expected, shape) =
                (Shape::new(fixture.plan(), of_flow), Shape::new(fixture.plan(), of_model));
            if of_flow == of_model {
                return indented(rows::compared(&shape, nearest, got, model));
            }
            let mut lines = vec!["expected:".to_owned()];
            lines.extend(rows::table(&expected, nearest));
            lines.push(format!("{model}, which shows other columns:"));
            lines.extend(rows::table(&shape, got));
            indented(lines)
        }
        Found::Accepted { class } => {
            wrapped(&format!("{model} accepts the batch; expected a refusal with [{class}]"), 2, 0)
        }
        Found::RefusedOtherwise { class, refusal } => {
            wrapped(&format!("{model} refuses the batch: {refusal}; expected a refusal with [{class}]"), 2, 0)
        }
    }
}

fn indented(lines: Vec<String>) -> Vec<String> {
    lines.into_iter().map(|line| format!("  {line}").trim_end().to_owned()).collect()
}

//! What explains the rows that a real pipeline left: for a terminal.

use anstyle::Style;
use cdc_core::Mutant;

use super::grid::{joined, wrapped};
use super::rows::{self, Shape};
use crate::catalogue::by_family;
use crate::diagnosis::{Diagnosis, Explanation, Gap};
use crate::escape::for_terminal;
use crate::fixture::{Fixture, Suite};
use crate::words::{counted, lower_first, pasted};

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();

/// How many of the mutants that come near are shown.
pub(super) const NEAREST: usize = 3;

/// How many pairs are shown.
const PAIRS: usize = 5;

/// A fixture with what explains its observed rows.
#[derive(Clone, Copy, Debug)]
pub struct Diagnosed<'a> {
    /// Its suite.
    pub suite: &'a Suite,
    /// The fixture.
    pub fixture: &'a Fixture,
    /// What explains its rows.
    pub diagnosis: &'a Diagnosis,
}

/// A diagnosis for a terminal, with colours; who prints it takes them out where they aren't wanted.
///
/// `program` is how the commands that it suggests begin: `cdc-killmatrix`.
pub fn diagnosis(case: &Diagnosed<'_>, program: &str) -> String {
    let &Diagnosed { suite, fixture, diagnosis } = case;
    let name = suite.full_name(fixture);
    let (title, name) = (for_terminal(&fixture.title), for_terminal(&name));
    let mut lines = vec![format!("{BOLD}{title}{BOLD:#}  {DIM}{name}{DIM:#}"), String::new()];
    let path = pasted(&fixture.path);
    match &diagnosis.explanation {
        Explanation::Reference => {
            let text = "These rows are AUTO CDC's own: if they are wrong, the flow or the source is. What to look at:";
            lines.extend(wrapped(text, 0, 0));
            lines.extend(next_commands(program, &path));
            lines.push(String::new());
        }
        Explanation::Mutants(mutants) => {
            let text = match mutants.len() {
                1 => "One fault gives exactly these rows:".to_owned(),
                count => format!(
                    "Each of {count} faults gives exactly these rows; what was observed after another batch, too, \
                     may tell them apart:"
                ),
            };
            lines.extend(wrapped(&text, 0, 0));
            lines.push(String::new());
            for (family, mutants) in by_family(mutants, |mutant| mutant.family) {
                lines.push(family.to_owned());
                for mutant in mutants {
                    lines.extend(described(mutant));
                    let command = format!("{program} rows {path} --mutant {}", mutant.name);
                    lines.push(format!("    {command}"));
                }
                lines.push(String::new());
            }
        }
        Explanation::Pairs(pairs) => {
            let text = match pairs.len() {
                1 => "No single fault gives these rows; these two together do:".to_owned(),
                count => {
                    format!("No single fault gives these rows; the two of each of {count} pairs together do:")
                }
            };
            lines.extend([text, String::new()]);
            for pair in pairs.iter().take(PAIRS) {
                lines.push(pair.map(|mutant| mutant.family).join(", "));
                lines.extend(pair.iter().flat_map(described));
                lines.push(String::new());
            }
            if PAIRS < pairs.len() {
                lines.push(format!("... and {}", counted(pairs.len() - PAIRS, "more pair")));
                lines.push(String::new());
            }
        }
        Explanation::Nothing => {
            let text = "No fault that is known here gives these rows, and no two together.";
            lines.extend([text.to_owned(), String::new()]);
        }
    }
    for gap in &diagnosis.reference {
        lines.extend(wrapped(&rows::heading(fixture, gap.checkpoint), 2, 2));
        lines.extend(rows_of(fixture, gap, "AUTO CDC"));
        lines.push(String::new());
    }
    lines.extend(nearest(case));
    if !diagnosis.explanation.is_single() {
        lines.push("What to look at:".to_owned());
        lines.extend(next_commands(program, &path));
        lines.push(String::new());
    }
    joined(&lines)
}

/// How to go on: what may be wrong with the source, and how AUTO CDC comes to its rows.
fn next_commands(program: &str, path: &str) -> [String; 2] {
    [format!("  {program} check {path}"), format!("  {program} rows --why {path}")]
}

/// What a mutant does, what that means, and where to look.
fn described(mutant: &Mutant) -> Vec<String> {
    let mut lines = wrapped(&format!("{}: {}", mutant.name, lower_first(mutant.about)), 4, 2);
    if !mutant.consequence.is_empty() {
        lines.extend(wrapped(&format!("What is noticed: {}", lower_first(mutant.consequence)), 6, 2));
    }
    let (clause, decision) = place(mutant);
    let decision = lower_first(decision);
    let text = match clause {
        Some(clause) => format!("Look at {clause}, or at the code that decides {decision}"),
        None => format!("Look at the code that decides {decision}"),
    };
    lines.extend(wrapped(&text, 6, 2));
    if !mutant.report.is_empty() {
        lines.extend(wrapped(&format!("Reported: {}", mutant.report), 6, 2));
    }
    lines
}

/// The clause of the decision that a mutant takes wrongly, if there is one, and the decision.
pub(super) fn place(mutant: &Mutant) -> (Option<&'static str>, &'static str) {
    let about: &'static str = mutant.breaks.about();
    match about.strip_suffix(')').and_then(|about| about.rsplit_once(" (")) {
        Some((decision, clause)) => (Some(clause), decision),
        None => (None, about),
    }
}

/// The mutants that come near, with the rows that differ.
fn nearest(case: &Diagnosed<'_>) -> Vec<String> {
    let &Diagnosed { fixture, diagnosis: Diagnosis { explanation, nearest, .. }, .. } = case;
    let shown = &nearest[..nearest.len().min(NEAREST)];
    if shown.is_empty() {
        let other = if let Explanation::Nothing = explanation { "" } else { "other " };
        return vec![
            format!("No {other}fault that is known here gives other rows than AUTO CDC."),
            String::new(),
        ];
    }
    let other = if let Explanation::Nothing = explanation { "" } else { "other " };
    let count = nearest.len();
    let heading = match count {
        1 => format!("The only {other}fault that changes rows here:"),
        _ if count == shown.len() => {
            format!("The {count} {other}faults that change rows here, the nearest first:")
        }
        _ => format!("The nearest of the {count} {other}faults that change rows here:"),
    };
    let mut lines = wrapped(&heading, 0, 0);
    lines.push(String::new());
    for (family, near) in by_family(shown, |near| near.mutant.family) {
        lines.push(family.to_owned());
        for near in near {
            let about = lower_first(near.mutant.about);
            lines.extend(wrapped(&format!("{}, {}: {about}", near.mutant.name, differ(near.rows())), 4, 2));
            for gap in &near.gaps {
                lines.push(format!("    checkpoint {}", gap.checkpoint + 1));
                lines.extend(
                    rows_of(fixture, gap, near.mutant.name).into_iter().map(|line| format!("  {line}")),
                );
            }
        }
        lines.push(String::new());
    }
    lines
}

fn differ(rows: usize) -> String {
    format!("{} differ{}", counted(rows, "row"), if rows == 1 { "s" } else { "" })
}

/// How a model's rows and the observed ones differ.
fn rows_of(fixture: &Fixture, gap: &Gap, model: &str) -> Vec<String> {
    let observed = fixture.checkpoints[gap.checkpoint].observed.clone().unwrap_or_default();
    let shape = Shape::new(fixture.plan(), &gap.target);
    let mut lines = Vec::new();
    if let Some(refusal) = &gap.refusal {
        lines.extend(wrapped(&format!("{model} refuses the batch: {refusal}"), 2, 2));
    }
    if gap.target == *fixture.plan().target() {
        lines.push(format!("- {model}, + observed"));
        lines.extend(rows::first_differences(&shape, &gap.table, &observed));
    } else {
        lines.push(format!("{model}, which shows other columns:"));
        lines.extend(rows::first_rows(&shape, &gap.table));
    }
    lines.into_iter().map(|line| format!("  {line}").trim_end().to_owned()).collect()
}

//! What the page says without a script: what would get through, the legend and plain tables.

use std::fmt::Write as _;

use super::Values;
use super::data::{Data, letter};
use super::opening::title;
use crate::escape::for_html;
use crate::matrix::{Matrix, Standing, SuiteMatrix};
use crate::report::ignored::ignored_told;
use crate::report::survivors::Survivor;
use crate::verdict::Outcome;
use crate::words::{counted, lower_first};

/// Every outcome: its letter, its mark, its word and what it means. The script has the words as well.
const LEGEND: [(char, &str, &str, &str); 6] = [
    ('c', "✓", "caught", "the table was wrong after some step, and the fixture would notice"),
    ('n', "○", "never asked", "missed: the fixture never comes to the decision that is broken"),
    ('s', "=", "no difference", "missed: it comes there, and the broken copy answers rightly each time"),
    (
        'm',
        "◐",
        "differs inside",
        "missed: the copy answers wrongly, and the rows that are compared are right all the same",
    ),
    ('e', "!", "error", "the copy broke down, which is no catch"),
    ('x', "·", "not applicable", "this flow leaves nothing to do wrong"),
];

/// What each survivor does, and what the business would notice of it.
pub(super) fn survivors(matrix: &Matrix, data: &Data) -> String {
    let mut page = String::new();
    for survivor in Survivor::all(matrix) {
        let Survivor { suite, mutant, nearest, column } = survivor;
        let name = mutant.name.replace('_', " ");
        let _ = write!(
            page,
            "<li><h3>{} <small>in {}</small></h3>",
            for_html(&name),
            for_html(&title(matrix, data, suite))
        );
        if let Some(consequence) = survivor.consequence() {
            let _ = write!(page, "<p class=\"consequence\">{}</p>", for_html(&consequence));
        }
        let _ = write!(
            page,
            "<p>The fault: {}. {}</p>",
            for_html(&lower_first(mutant.about)),
            for_html(&causes(suite, column))
        );
        let _ = writeln!(
            page,
            "<p class=\"scripted\"><a href=\"#{}/{}/{}\">The fixture that comes nearest</a></p></li>",
            for_html(&suite.name),
            for_html(&nearest.name),
            mutant.name
        );
    }
    let is_tried = |suite: &SuiteMatrix| suite.fixtures.iter().any(|line| !line.cells.is_empty());
    if page.is_empty() && !matrix.suites.iter().any(is_tried) {
        return "<p>Nothing was tried.</p>".to_owned();
    }
    if page.is_empty() {
        let is_ignored = matrix.ignored.iter().any(|line| matrix.survived(line).next().is_some());
        let or_ignored = if is_ignored { ", or ignored" } else { "" };
        return format!(
            "<p>Nothing: each fault that could show is noticed by at least one fixture{or_ignored}.</p>"
        );
    }
    format!("<ul class=\"survivors\">\n{page}</ul>")
}

/// The mutants that need not be caught, with the reasons: these are left out where values are, which they may quote.
pub(super) fn ignored(matrix: &Matrix, values: Values) -> String {
    let told = ignored_told(matrix).map(|(line, told)| match values {
        Values::Shown => told,
        Values::Redacted => {
            let place = line.suite.as_ref().map_or_else(String::new, |suite| format!(" in {suite}"));
            format!("{} is ignored{place}, for a reason that is left out here.", line.mutant)
        }
    });
    let items = told.fold(String::new(), |mut items, told| {
        let _ = writeln!(items, "<li>{}</li>", for_html(&told));
        items
    });
    if items.is_empty() { items } else { format!("\n<h3>Ignored</h3>\n<ul>\n{items}</ul>") }
}

/// Why the fixtures of a suite miss a mutant, counted.
fn causes(suite: &SuiteMatrix, column: usize) -> String {
    let counts = LEGEND.iter().skip(1).take(4).filter_map(|(is, _, word, _)| {
        let cells = suite.fixtures.iter().filter_map(|line| line.cells.get(column));
        let count = cells.filter(|outcome| letter(outcome) == *is).count();
        (0 < count).then(|| format!("{word} in {count}"))
    });
    let counts = counts.collect::<Vec<String>>().join(", ");
    format!("Missed by {}: {counts}.", counted(suite.fixtures.len(), "fixture"))
}

/// What is said of values that are not shown.
pub(super) fn redacted(values: Values) -> &'static str {
    match values {
        Values::Shown => "",
        Values::Redacted => {
            "<p>Values are replaced by placeholders, one value by one placeholder; nulls and what gives the order stay. \
             Notes and other text that may quote a value are left out.</p>"
        }
    }
}

/// The legend, and a plain table for each suite.
pub(super) fn tables(matrix: &Matrix, data: &Data) -> String {
    let mut page = String::new();
    let audited = matrix.suites.iter().filter(|suite| suite.audited);
    for (suite, of_suite) in audited.zip(&data.suites) {
        let _ = write!(page, "<h3>{}</h3>\n<table><tr><th>", for_html(&of_suite.title));
        for fixture in &of_suite.fixtures {
            let _ = write!(page, "<th>{}", for_html(&fixture.title));
        }
        for (column, mutant) in data.mutants.iter().enumerate() {
            if suite.standing(column) == Standing::NotApplicable {
                continue;
            }
            let _ = write!(page, "\n<tr><th>{}", for_html(&mutant.title));
            for line in &suite.fixtures {
                let _ = write!(page, "<td>{}", line.cells.get(column).map_or("", mark));
            }
        }
        page.push_str("\n</table>\n");
    }
    page
}

/// What the marks mean.
pub(super) fn legend() -> String {
    LEGEND.iter().fold(String::new(), |mut page, (letter, mark, word, meaning)| {
        let _ = writeln!(page, "<li><span class=\"cell {letter}\" aria-hidden=\"true\">{mark}</span> <span><b>{word}</b>: {meaning}</span></li>");
        page
    })
}

fn mark(outcome: &Outcome) -> &'static str {
    LEGEND.iter().find(|(is, ..)| *is == letter(outcome)).map_or("", |(_, mark, ..)| mark)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_script_has_the_same_marks_and_the_page_the_same_words() {
        for (letter, mark, word, _) in LEGEND {
            let told = if "nsm".contains(letter) { format!("missed, {word}") } else { word.to_owned() };
            let line = format!("{letter}: {{ mark: \"{mark}\", word: \"{told}\" }}");
            assert!(super::super::SCRIPT.contains(&line), "{line}");
            let told = told.replace("missed, ", "missed: ");
            let option = format!("<option value=\"{letter}\">{told}</option>");
            assert!(super::super::PAGE.contains(&option), "{option}");
        }
    }
}

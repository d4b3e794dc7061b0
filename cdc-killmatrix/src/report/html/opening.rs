//! Three sentences for a reader who has read nothing else: what was tried, how much would be noticed, what would get
//! through.

use std::fmt::Write as _;

use cdc_core::Mutant;

use super::data::Data;
use crate::escape::for_html;
use crate::matrix::{Excuse, Matrix, Standing, SuiteMatrix};
use crate::words::{counted, lower_first};

/// How many survivors are named; the list after the opening has all of them.
const NAMED: usize = 3;

/// The three sentences, each a paragraph.
pub(super) fn opening(matrix: &Matrix, data: &Data) -> String {
    let disagreeing = matrix.disagreements().count();
    let sentences =
        if disagreeing == 0 { of_mutants(matrix, data) } else { of_reference(matrix, disagreeing) };
    sentences.iter().fold(String::new(), |mut page, sentence| {
        let _ = writeln!(page, "<p>{}</p>", for_html(sentence));
        page
    })
}

fn of_mutants(matrix: &Matrix, data: &Data) -> [String; 3] {
    let audited: Vec<&SuiteMatrix> = matrix.suites.iter().filter(|suite| suite.audited).collect();
    let fixtures: usize = audited.iter().map(|suite| suite.fixtures.len()).sum();
    let columns = 0..matrix.mutants.len();
    // What can't be told from the reference is no fault.
    let standing = |suite: &SuiteMatrix, column: usize| match suite.standing(column) {
        Standing::Survives if matrix.mutants[column].equivalent.is_some() => Standing::NotApplicable,
        standing => standing,
    };
    let can_show = |suite: &SuiteMatrix, column: usize| standing(suite, column) != Standing::NotApplicable;
    let tried = columns.clone().filter(|&column| audited.iter().any(|suite| can_show(suite, column))).count();
    let count = |is: &dyn Fn(&SuiteMatrix, usize) -> bool| -> usize {
        audited.iter().map(|suite| columns.clone().filter(|&column| is(suite, column)).count()).sum()
    };
    let possible = count(&can_show);
    let noticed = count(&|suite, column| matches!(standing(suite, column), Standing::Caught(_)));
    let ignored = count(&|suite, column| is_ignored(matrix, suite, column));

    let first = format!(
        "{} in {}, each a small sequence of changes with the rows that a table must show after them, {} played \
         against {} of the logic that keeps such a table up to date: each copy is broken on purpose, in one \
         decision.",
        counted(fixtures, "fixture"),
        counted(audited.len(), "suite"),
        if fixtures == 1 { "was" } else { "were" },
        if tried == 1 { "1 copy".to_owned() } else { format!("{tried} copies") },
    );
    let place = if audited.len() == 1 {
        format!("{} could show in this table", counted(possible, "fault"))
    } else {
        format!("Counted by suite, such faults could show in {}", counted(possible, "place"))
    };
    let second = match noticed {
        _ if possible == 0 => "No such fault could show here.".to_owned(),
        _ if noticed == possible => format!("{place}; the fixtures would notice every one."),
        _ => {
            let verb = if ignored == 1 { "is" } else { "are" };
            let ignored =
                if ignored == 0 { String::new() } else { format!(", and {ignored} {verb} ignored") };
            format!("{place}; the fixtures would notice {noticed} of them{ignored}.")
        }
    };
    let third = unnoticed(matrix, data, possible);
    let but_ignored = "Nothing of what was tried would get through, but for what is ignored.";
    [first, second, if third == NOTHING && 0 < ignored { but_ignored.to_owned() } else { third }]
}

/// Whether a mutant would get through that somebody ignores.
fn is_ignored(matrix: &Matrix, suite: &SuiteMatrix, column: usize) -> bool {
    suite.standing(column) == Standing::Survives && matrix.excuse(suite, column) == Some(Excuse::Ignored)
}

const NOTHING: &str = "Nothing of what was tried would get through.";

fn unnoticed(matrix: &Matrix, data: &Data, possible: usize) -> String {
    let survivors: Vec<(&SuiteMatrix, &Mutant)> = matrix.survivors().collect();
    if survivors.is_empty() && possible == 0 {
        return "So nothing is known of what would get through.".to_owned();
    }
    if survivors.is_empty() {
        return NOTHING.to_owned();
    }
    let told = survivors.iter().take(NAMED).map(|(suite, mutant)| {
        let what = if mutant.consequence.is_empty() { mutant.about } else { mutant.consequence };
        format!("{} ({})", lower_first(what.trim_end_matches('.')), title(matrix, data, suite))
    });
    let told = told.collect::<Vec<String>>().join("; ");
    let more = survivors.len().saturating_sub(NAMED);
    let more = if more == 0 { String::new() } else { format!("; and {more} more, listed below") };
    format!("What would get through unseen: {told}{more}.")
}

/// Where no mutant was tried, for the reference gives other rows than expected.
fn of_reference(matrix: &Matrix, disagreeing: usize) -> [String; 3] {
    let fixtures = matrix.lines().count();
    [
        format!(
            "{} in {}, each a small sequence of changes with the rows that a table must show after them, {} played \
             against AUTO CDC as it is documented.",
            counted(fixtures, "fixture"),
            counted(matrix.suites.len(), "suite"),
            if fixtures == 1 { "was" } else { "were" },
        ),
        format!(
            "It gives other rows than {disagreeing} of them {}.",
            if disagreeing == 1 { "expects" } else { "expect" }
        ),
        "Until that is settled no broken copy is tried, and nothing is known of what would get through."
            .to_owned(),
    ]
}

/// The title of a suite as the page shows it.
pub(super) fn title(matrix: &Matrix, data: &Data, suite: &SuiteMatrix) -> String {
    let mut audited = matrix.suites.iter().filter(|suite| suite.audited).zip(&data.suites);
    audited.find(|(other, _)| other.name == suite.name).map_or_else(String::new, |(_, it)| it.title.clone())
}

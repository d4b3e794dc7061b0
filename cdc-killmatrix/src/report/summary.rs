//! What a matrix comes to, in plain sentences: the same for a terminal and for a document.

use cdc_core::Mutant;

use crate::matrix::{Counts, Excuse, Matrix, Standing, SuiteMatrix};
use crate::verdict::{Cause, Outcome};
use crate::words::{counted, sentence, some_of};

/// How many mutants are shown by name, the first of the list, where there are too many for one screen.
const BY_NAME: usize = 7;
/// A list of as many is shown by name as a whole.
const FEW: usize = 8;
/// How many names a sentence says at most.
const SAID: usize = 6;

/// The marks of a cell that is missed, for who sees a matrix for the first time.
pub(super) const CAUSES: &str = "Missed: `.` never asked, the fixture doesn't come to the broken decision; `=` no \
                                 difference, the copy decides as the right one does; `~` differs inside, not in the rows.";

/// The words of the other cells, which are rare: what each says.
const WORDS: [(&str, &str); 2] =
    [(NOT_APPLICABLE, "the flow leaves the copy nothing to do wrong"), ("error", "it broke down")];

/// What the line of a family says.
const COUNTS: &str = "`key equality 8 of 9`: of nine copies with that kind of fault that can differ here, some fixture \
                      catches eight; the command `list` says what each does.";

/// The legend of a matrix whose columns are mutants. Of the words only those that it shows.
pub(super) fn legend(matrix: &Matrix) -> String {
    let shows = |suite: &SuiteMatrix, word: &str| {
        let (columns, _) = by_name(matrix, suite);
        let mut cells = suite.fixtures.iter().flat_map(|line| columns.iter().map(|&at| line.cells.get(at)));
        cells.any(|cell| cell.is_some_and(|cell| mark(cell) == word))
    };
    let audited = || matrix.suites.iter().filter(|suite| suite.audited);
    let used = WORDS.iter().filter(|(word, _)| audited().any(|suite| shows(suite, word)));
    let words: Vec<String> = used.map(|(word, meaning)| format!("`{word}`: {meaning}")).collect();
    let is_all = matrix.mutants.len() <= FEW;
    let counts = (!is_all).then(|| COUNTS.to_owned());
    let words = (!words.is_empty()).then(|| sentence(&words.join("; ")));
    [Some(CAUSES.to_owned()), words, counts].into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// The mark for a mutant that can't differ under a fixture's flow.
pub(super) const NOT_APPLICABLE: &str = "n/a";

/// The mark of a cell.
pub(super) fn mark(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Missed(miss) => match miss.cause {
            Cause::NotReached => ".",
            Cause::SameAnswer => "=",
            Cause::Masked => "~",
        },
        Outcome::NotApplicable(_) => NOT_APPLICABLE,
        outcome => outcome.name(),
    }
}

/// The columns that are shown by name, of those that can differ, and whether these are all that the list has.
pub(super) fn by_name(matrix: &Matrix, suite: &SuiteMatrix) -> (Vec<usize>, bool) {
    let is_all = matrix.mutants.len() <= FEW;
    let shown = if is_all { matrix.mutants.len() } else { BY_NAME };
    (suite.columns().0.into_iter().filter(|&column| column < shown).collect(), is_all)
}

/// How the mutants of a family fare in a suite.
pub(super) struct Family {
    /// `key equality 9 of 9`: how many of those that can differ some fixture catches.
    pub(super) count: String,
    /// The names of the others that some fixture should catch.
    pub(super) survivors: Vec<&'static str>,
    /// The names of the others that somebody ignores.
    pub(super) ignored: Vec<&'static str>,
}

impl Family {
    /// What isn't caught: `survives: late_event; ignored: clock_skew`. Nothing, where all is.
    pub(super) fn missed(&self) -> Option<String> {
        let verb = if self.survivors.len() == 1 { "survives" } else { "survive" };
        let lists = [(verb, &self.survivors), ("ignored", &self.ignored)];
        let told = lists.into_iter().filter(|(_, names)| !names.is_empty());
        let told: Vec<String> = told.map(|(word, names)| format!("{word}: {}", names.join(", "))).collect();
        (!told.is_empty()).then(|| told.join("; "))
    }
}

/// The families of which a mutant can differ in a suite. A mutant that is declared equivalent isn't counted.
pub(super) fn families(matrix: &Matrix, suite: &SuiteMatrix) -> Vec<Family> {
    let family = |(name, columns): (&'static str, Vec<usize>)| {
        let (mut caught, mut survivors, mut ignored) = (0, Vec::new(), Vec::new());
        for column in columns {
            let name = matrix.mutants[column].name;
            match (suite.standing(column), matrix.excuse(suite, column)) {
                (Standing::Caught(_), _) => caught += 1,
                (Standing::Survives, None) => survivors.push(name),
                (Standing::Survives, Some(Excuse::Ignored)) => ignored.push(name),
                (Standing::Survives, Some(Excuse::Equivalent)) | (Standing::NotApplicable, _) => {}
            }
        }
        let of = caught + survivors.len() + ignored.len();
        let count = format!("{} {caught} of {of}", family_name(name));
        (0 < of).then_some(Family { count, survivors, ignored })
    };
    matrix.families().into_iter().filter_map(family).collect()
}

/// The name of a family; that of mutants of which none is told.
pub(super) fn family_name(name: &'static str) -> &'static str {
    if name.is_empty() { "of no family" } else { name }
}

/// How many cells a suite has, and what came of them.
pub(super) fn counts(suite: &SuiteMatrix) -> String {
    let Counts { cells, caught, not_reached, same_answer, masked, error, not_applicable: _ } = suite.counts();
    let kinds = [
        (caught, "caught"),
        (not_reached, "never asked"),
        (same_answer, "no difference"),
        (masked, "differ only inside"),
        (error, "broke down"),
    ];
    let told = kinds.iter().filter(|(count, _)| 0 < *count).map(|(count, kind)| format!("{count} {kind}"));
    let told: Vec<String> = told.collect();
    format!("{}: {}.", counted(cells, "cell"), told.join(", "))
}

/// Which mutants can't differ in a suite, and which the configuration leaves out: by name, if the list is short; else
/// only how many.
pub(super) fn idle(matrix: &Matrix, suite: &SuiteMatrix) -> Option<String> {
    let (left_out, idle): (Vec<usize>, Vec<usize>) =
        suite.columns().1.into_iter().partition(|&column| suite.leaves_out(column));
    let of = matrix.mutants.len();
    let name = |columns: &[usize]| -> String {
        let names: Vec<&str> = columns.iter().map(|&column| matrix.mutants[column].name).collect();
        if of <= FEW { names.join(", ") } else { names.len().to_string() }
    };
    let told = |columns: &[usize], one: &str, several: &str| match columns {
        [] => None,
        columns => Some(if of <= FEW { one } else { several }.replace("{}", &name(columns))),
    };
    let several = format!("The flow leaves {{}} of the {of} broken copies nothing to do wrong.");
    let sentences = [
        told(&idle, "The flow leaves nothing to do wrong to {}.", &several),
        told(&left_out, "The configuration leaves out {}.", "The configuration leaves out {} broken copies."),
    ];
    let sentences: Vec<String> = sentences.into_iter().flatten().collect();
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

/// Which mutants fall at the first checkpoint of every fixture that catches them. Nothing, where there is no other.
pub(super) fn trivial(matrix: &Matrix, suite: &SuiteMatrix) -> Option<String> {
    if suite.fixtures.iter().all(|line| line.checkpoints < 2) {
        return None;
    }
    let trivial = (0..matrix.mutants.len()).filter(|&column| suite.is_trivial(column));
    let names: Vec<&str> = trivial.map(|column| matrix.mutants[column].name).collect();
    let who = match names.len() {
        0 => return None,
        1 => "it",
        _ => "them",
    };
    Some(format!(
        "Easy to catch: {}; each fixture that catches {who} does so at its first checkpoint.",
        some_of(&names, SAID)
    ))
}

/// The mutants that some suite needn't catch, for they are declared equivalent: a sentence each, with the reason.
pub(super) fn equivalent(matrix: &Matrix) -> Vec<String> {
    let is_missed =
        |column: usize| matrix.suites.iter().any(|suite| suite.standing(column) == Standing::Survives);
    let told = |(column, mutant): (usize, &Mutant)| {
        let reason = mutant.equivalent.filter(|_| is_missed(column))?;
        Some(format!("No events tell {} from the right one: {}", mutant.name, sentence(reason)))
    };
    matrix.mutants.iter().enumerate().filter_map(told).collect()
}

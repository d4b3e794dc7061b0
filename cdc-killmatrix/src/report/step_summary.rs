//! A matrix in brief, for the page of a build: what survives comes first.

use super::grid::joined;
use super::ignored::ignored_markdown;
use super::survivors::{Survivor, disagreement};
use crate::diagnostic::Diagnostics;
use crate::escape::for_markdown;
use crate::matrix::{Excuse, Matrix, Standing, SuiteMatrix};
use crate::words::{counted, sentence, slashed};

/// How many rows a table has, and how many characters a cell: GitHub takes a summary of up to 1 MiB.
const ROWS: usize = 50;
const CHARACTERS: usize = 160;

/// A matrix in brief, as Markdown: which `claims` are broken, what survives, then how each suite fares. It stays below 1 MiB.
///
/// `program` is how the commands that it suggests begin: `cdc-killmatrix`.
pub fn step_summary(matrix: &Matrix, claims: &Diagnostics, program: &str) -> String {
    let disagreements: Vec<_> = matrix.disagreements().collect();
    let mut lines = Vec::new();
    if !disagreements.is_empty() {
        let count = counted(disagreements.len(), "fixture");
        lines.push(format!("### AUTO CDC disagrees with {count}, so no broken copy was tried"));
        let rows = disagreements
            .iter()
            .map(|(suite, line)| vec![format!("{}/{}", suite.name, line.name), disagreement(line)]);
        lines.extend(table(&["Fixture", "What is wrong"], rows));
        return joined(&lines);
    }
    if claims.count() != 0 {
        let verb = if claims.count() == 1 { "doesn't" } else { "don't" };
        lines.push(format!("### {} {verb} hold", counted(claims.count(), "claim")));
        let rows = claims.faults().iter().map(|it| vec![slashed(&it.path), it.message.clone()]);
        lines.extend(table(&["Fixture", "What is wrong"], rows));
        lines.push(String::new());
    }
    let survivors = Survivor::all(matrix);
    lines.push(match survivors.len() {
        0 => "### Every broken copy that can differ is caught".to_owned(),
        1 => "### 1 broken copy survives".to_owned(),
        count => format!("### {count} broken copies survive"),
    });
    if !survivors.is_empty() {
        let rows = survivors.iter().map(|survivor| {
            let said = survivor.consequence().unwrap_or_else(|| sentence(survivor.mutant.about));
            vec![
                survivor.mutant.name.to_owned(),
                survivor.suite.name.clone(),
                said,
                survivor.reason(),
                survivor.explain(program),
            ]
        });
        lines.extend(table(&["Survives", "Suite", "What nobody would notice", "Why", "Go on with"], rows));
    }
    let audited: Vec<&SuiteMatrix> = matrix.suites.iter().filter(|suite| suite.audited).collect();
    if !audited.is_empty() {
        lines.extend(standings(matrix, &audited));
    }
    lines.extend(ignored_markdown(matrix).lines().map(str::to_owned));
    let evidence =
        matrix.suites.iter().filter(|suite| !suite.audited).flat_map(|suite| &suite.fixtures).count();
    if 0 < evidence {
        let fixtures = counted(evidence, "more fixture");
        lines
            .extend([String::new(), format!("AUTO CDC gives the rows of {fixtures}, held against it only.")]);
    }
    joined(&lines)
}

/// How the mutants fare in each suite.
fn standings(matrix: &Matrix, audited: &[&SuiteMatrix]) -> Vec<String> {
    let counts: Vec<[usize; KINDS.len()]> = audited.iter().map(|suite| counts(matrix, suite)).collect();
    let shown = |kind: &usize| KINDS[*kind].1 || counts.iter().any(|counts| counts[*kind] != 0);
    let shown: Vec<usize> = (0..KINDS.len()).filter(shown).collect();
    let header: Vec<&str> =
        ["Suite", "Fixtures"].into_iter().chain(shown.iter().map(|&kind| KINDS[kind].0)).collect();
    let rows = audited.iter().zip(&counts).map(|(suite, counts)| {
        let mut row = vec![suite.title.clone(), suite.fixtures.len().to_string()];
        row.extend(shown.iter().map(|&kind| counts[kind].to_string()));
        row
    });
    table(&header, rows)
}

/// What can come of a mutant in a suite, and whether that is a column even where it comes of none.
const KINDS: [(&str, bool); 5] =
    [("Caught", true), ("Survive", true), ("Ignored", false), ("Can't differ", true), ("Left out", false)];

/// How many mutants there are of each kind. One that is declared equivalent counts among those that can't differ.
fn counts(matrix: &Matrix, suite: &SuiteMatrix) -> [usize; KINDS.len()] {
    let mut counts = [0; KINDS.len()];
    for column in 0..matrix.mutants.len() {
        let kind = match (suite.standing(column), matrix.excuse(suite, column)) {
            (Standing::Caught(_), _) => 0,
            (Standing::Survives, None) => 1,
            (Standing::Survives, Some(Excuse::Ignored)) => 2,
            (Standing::NotApplicable, _) if suite.leaves_out(column) => 4,
            (Standing::Survives, Some(Excuse::Equivalent)) | (Standing::NotApplicable, _) => 3,
        };
        counts[kind] += 1;
    }
    counts
}

fn table(header: &[&str], rows: impl ExactSizeIterator<Item = Vec<String>>) -> Vec<String> {
    let more = rows.len().saturating_sub(ROWS);
    let line = |cells: &[String]| {
        let cells = cells.iter().map(|cell| format!(" {} |", for_markdown(&shortened(cell))));
        format!("|{}", cells.collect::<String>())
    };
    let header: Vec<String> = header.iter().map(|&name| name.to_owned()).collect();
    let mut lines = vec![String::new(), line(&header), format!("|{}", "---|".repeat(header.len()))];
    lines.extend(rows.take(ROWS).map(|cells| line(&cells)));
    if 0 < more {
        lines.extend([String::new(), format!("... and {more} more.")]);
    }
    lines
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(CHARACTERS) {
        Some((end, _)) => format!("{}..", &text[..end]),
        None => text.to_owned(),
    }
}

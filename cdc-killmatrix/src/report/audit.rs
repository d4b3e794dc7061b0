//! An audit for a terminal of 80 columns.

use std::path::Path;

use anstyle::{AnsiColor, Style};

use super::alike::alike;
use super::extent::{Extent, SHOWN};
use super::grid::{Grid, WIDTH, joined, wrapped};
use crate::audit::{Audit, Change, Comparison, Grade, Needless, Proof, Seen};
use crate::escape::for_terminal;
use crate::words::{counted, listed, lower_first, pasted, sentence};

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const RED: Style = AnsiColor::Red.on_default().bold();

/// An audit for a terminal, with colours; who prints it takes them out where they aren't wanted.
///
/// `program` is how the commands that it suggests begin: `cdc-killmatrix`.
pub fn audit(suites: &[Audit<'_>], extent: Extent, program: &str) -> String {
    let mut lines = Vec::new();
    if suites.is_empty() {
        lines.push("No suite here is audited, so there is nothing to say of its fixtures.".to_owned());
    }
    for audit in suites {
        let (title, name) = (for_terminal(&audit.suite.title), for_terminal(&audit.suite.name));
        lines.extend([format!("{BOLD}{title}{BOLD:#}  {DIM}{name}{DIM:#}"), String::new()]);
        for sentence in [smallest(audit), proof(audit)].into_iter().filter(|sentence| !sentence.is_empty()) {
            lines.extend(wrapped(&sentence, 0, 0));
        }
        lines.push(String::new());
        lines.extend(missed(audit, extent, program));
        lines.extend(lists(audit, extent));
        lines.extend(alike(audit, extent, program));
        if extent == Extent::All {
            lines.extend(hooks(audit));
        } else {
            lines.extend(unseen(audit));
        }
    }
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    joined(&lines)
}

/// How many fixtures would be enough, and which.
pub(super) fn smallest(audit: &Audit<'_>) -> String {
    let (all, caught) = (audit.fixtures.len(), audit.caught.len());
    let enough = audit.names(&audit.cover.fixtures);
    let copies = if caught == 1 { "1 broken copy" } else { &format!("{caught} broken copies") };
    match enough.len() {
        0 => format!("{} catch no broken copy.", counted(all, "fixture")),
        _ if enough.len() == all && all == 1 => format!("The only fixture catches {copies}."),
        2 if all == 2 => format!("Both fixtures are needed for the {copies} that they catch."),
        few if few == all => format!("All {all} fixtures are needed for the {copies} that they catch."),
        1 => format!("{all} fixtures catch {copies}. One alone catches the same: {}.", enough[0]),
        few => format!("{all} fixtures catch {copies}. {few} catch the same: {}.", listed(&enough)),
    }
}

/// Why fewer aren't.
pub(super) fn proof(audit: &Audit<'_>) -> String {
    let few = audit.cover.fixtures.len();
    match &audit.cover.proof {
        Proof::Nothing => String::new(),
        Proof::Apart(_) if few == 1 => String::new(),
        Proof::Apart(mutants) => format!(
            "Fewer can't: no fixture catches two of {}, so each needs one of its own.",
            listed(&audit.mutants(mutants)),
        ),
        Proof::Searched { apart, choices } => format!(
            "Fewer can't: {apart} {} needed at least, and the search for {} came to its end without a find, after {}.",
            if *apart == 1 { "is" } else { "are" },
            if *apart + 1 == few { apart.to_string() } else { format!("{apart} to {}", few - 1) },
            counted(*choices, "choice"),
        ),
        Proof::AtLeast(least) => format!(
            "They are too many to be sure that no fewer do: {least} are needed at least, for as many copies of \
             which no fixture catches two.",
        ),
    }
}

/// The copies that nobody catches, and the command to see them.
fn missed(audit: &Audit<'_>, extent: Extent, program: &str) -> Vec<String> {
    let names: Vec<&str> = audit.missed.iter().map(|mutant| mutant.name).collect();
    let copies = match names.len() {
        0 => return Vec::new(),
        1 => "1 broken copy that can differ here".to_owned(),
        count => format!("{count} broken copies that can differ here"),
    };
    let mut lines = wrapped(&format!("No fixture catches {copies}: {}.", extent.some(&names)), 0, 0);
    let folder = audit.fixtures.first().and_then(|line| line.path.parent()).unwrap_or(Path::new(""));
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    lines.extend([format!("  {program} run {}", pasted(folder)), String::new()]);
    lines
}

fn lists(audit: &Audit<'_>, extent: Extent) -> Vec<String> {
    let mut lines = Vec::new();
    let needless =
        audit.needless.iter().map(|it| vec![audit.fixtures[it.fixture].name.clone(), beside(audit, it)]);
    lines.extend(list("Adds nothing beside others", needless.collect(), extent));
    if !audit.needless.is_empty() {
        let advice = "Delete nothing yet: what a fixture adds may be what it tells a reader, or a fault of which there \
                      is no broken copy. Of two that add nothing beside each other one is needed.";
        lines.extend(wrapped(advice, 2, 0));
        lines.push(String::new());
    }
    let sole = audit.sole.iter().map(|(fixture, mutants)| {
        vec![audit.fixtures[*fixture].name.clone(), extent.some(&audit.mutants(mutants))]
    });
    lines.extend(list("The only one to catch", sole.collect(), extent));
    lines
}

/// Beside which fixtures one adds nothing.
pub(super) fn beside(audit: &Audit<'_>, needless: &Needless) -> String {
    match audit.names(&needless.beside) {
        names if names.is_empty() => "catches nothing".to_owned(),
        names => format!("beside {}", listed(&names)),
    }
}

/// A list under its heading; of a long one the first lines.
fn list(heading: &str, rows: Vec<Vec<String>>, extent: Extent) -> Vec<String> {
    if rows.is_empty() {
        return Vec::new();
    }
    let more = if extent == Extent::All { 0 } else { rows.len().saturating_sub(SHOWN) };
    let shown = rows.len() - more;
    let mut lines = vec![format!("{BOLD}{heading}{BOLD:#}")];
    let grid = Grid::new(2, rows.into_iter().take(shown)).lines(WIDTH - 2);
    lines.extend(grid.into_iter().map(|line| format!("  {line}")));
    lines.extend((0 < more).then(|| format!("  and {more} more: --all")));
    lines.push(String::new());
    lines
}

/// The decisions that no fixture's rows show to be wrong.
fn unseen(audit: &Audit<'_>) -> Vec<String> {
    let best = |seen: &[Seen]| seen.iter().copied().max().unwrap_or(Seen::Nothing);
    let of = |wanted: Seen| -> Vec<&str> {
        audit.hooks.iter().filter(|(_, seen)| best(seen) == wanted).map(|(hook, _)| *hook).collect()
    };
    let mut lines = Vec::new();
    for (what, hooks) in [
        ("Never asked for in this suite", of(Seen::NotAsked)),
        ("Asked for, and never where an answer differs", of(Seen::Asked)),
        ("Answered otherwise, and never seen in the rows", of(Seen::Differs)),
    ] {
        if !hooks.is_empty() {
            lines.extend(wrapped(&format!("{what}: {}.", hooks.join(", ")), 0, 0));
        }
    }
    lines.extend((!lines.is_empty()).then(String::new));
    lines
}

/// The decisions by fixtures: the fixtures as numbers, which the lines before them name.
fn hooks(audit: &Audit<'_>) -> Vec<String> {
    let mark = |seen: &Seen| match seen {
        Seen::Nothing => "",
        Seen::NotAsked => ".",
        Seen::Asked => "=",
        Seen::Differs => "~",
        Seen::Caught => "x",
    };
    let mut lines = vec![format!("{BOLD}The decisions, by fixture{BOLD:#}")];
    let marks = "x caught, ~ answered otherwise and not seen in the rows, = asked and never where an answer differs, . \
                 never asked, blank: nothing to do wrong";
    lines.extend(wrapped(marks, 2, 0));
    let names = audit
        .fixtures
        .iter()
        .enumerate()
        .map(|(number, line)| vec![(number + 1).to_string(), line.name.clone()]);
    lines.extend(Grid::new(2, names).lines(WIDTH - 2).into_iter().map(|line| format!("  {line}")));
    // The width that is left beside the names of the decisions, three columns a fixture.
    let fixtures: Vec<usize> = (0..audit.fixtures.len()).collect();
    for block in fixtures.chunks(17) {
        let header =
            std::iter::once(String::new()).chain(block.iter().map(|fixture| (fixture + 1).to_string()));
        let rows = audit.hooks.iter().map(|(hook, seen)| {
            let marks = block.iter().map(|&fixture| mark(&seen[fixture]).to_owned());
            std::iter::once((*hook).to_owned()).chain(marks).collect::<Vec<String>>()
        });
        let rows = std::iter::once(header.collect()).chain(rows);
        lines.extend(Grid::new(1, rows).lines(WIDTH - 2).into_iter().map(|line| format!("  {line}")));
    }
    lines.push(String::new());
    lines
}

/// What changed since a state was accepted.
///
/// `accept` is the command that accepts what is.
pub fn comparison(comparison: &Comparison, file: &Path, accept: &str) -> String {
    let mut lines = Vec::new();
    let file = for_terminal(&file.to_string_lossy()).into_owned();
    for (grade, heading, style) in [
        (Grade::Worse, "Worse than accepted", RED),
        (Grade::Better, "Better than accepted", BOLD),
        (Grade::Told, "To know", BOLD),
    ] {
        let changes: Vec<&Change> = comparison.of(grade).collect();
        if changes.is_empty() {
            continue;
        }
        lines.extend([String::new(), format!("{style}{heading}{style:#}")]);
        lines.extend(changes.into_iter().flat_map(|change| wrapped(&told(change), 4, 2)));
    }
    lines.push(String::new());
    if comparison.changes.iter().any(|change| change.kind.is_in_file()) {
        let worse = match comparison.of(Grade::Worse).count() {
            0 => "Nothing changed for the worse".to_owned(),
            worse => format!("{} for the worse", counted(worse, "change")),
        };
        lines.extend(wrapped(&format!("{worse}, held against {file}. This accepts what is now:"), 0, 0));
        lines.push(format!("  {accept}"));
    } else {
        lines.extend(wrapped(&format!("All is as {file} says."), 0, 0));
    }
    joined(&lines)
}

/// A change as a sentence.
pub(super) fn told(change: &Change) -> String {
    let text = sentence(&change.text);
    if change.suite.is_empty() { text } else { format!("{}: {}", change.suite, lower_first(&text)) }
}

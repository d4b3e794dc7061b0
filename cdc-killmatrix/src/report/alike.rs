//! Mutants that are caught alike, and the events that would tell them apart.

use anstyle::Style;

use super::extent::Extent;
use super::grid::{WIDTH, wrapped};
use super::suggestion::{catches, no_difference};
use crate::audit::{Alike, Audit};
use crate::suggest::{Suggested, Suggestion};
use crate::words::{counted, pasted};

const BOLD: Style = Style::new().bold();

/// What a shell takes for the end of a line, but not of the command.
const CONTINUED: &str = " \\";

/// How many groups are shown, unless all are wanted: each takes some lines.
const SHOWN: usize = 3;

/// The groups under their heading, each with the command that writes a fixture which splits it.
pub(super) fn alike(audit: &Audit<'_>, extent: Extent, program: &str) -> Vec<String> {
    if audit.alike.is_empty() {
        return Vec::new();
    }
    let more = if extent == Extent::All { 0 } else { audit.alike.len().saturating_sub(SHOWN) };
    let mut lines = vec![format!("{BOLD}Caught alike: no fixture tells which of them it is{BOLD:#}")];
    for group in &audit.alike[..audit.alike.len() - more] {
        let by = audit.names(&audit.caught[group.mutants[0]].1);
        let mutants = extent.some(&audit.mutants(&group.mutants));
        lines.extend(wrapped(&format!("{mutants}, by {}", extent.some(&by)), 4, 2));
        lines.extend(apart(group).iter().flat_map(|told| wrapped(told, 4, 0)));
        if let Some(Suggested::Fixture(suggestion)) = &group.told_apart {
            lines.extend(command(suggestion, program));
        }
    }
    lines.extend((0 < more).then(|| format!("  and {more} more: --all")));
    lines.push(String::new());
    lines
}

/// What would tell the mutants of a group apart, as the end of a sentence; nothing, where nobody looked for it.
pub(super) fn apart(group: &Alike) -> Option<String> {
    Some(match group.told_apart.as_ref()? {
        Suggested::Fixture(suggestion) => {
            let Suggestion { fixture, .. } = &**suggestion;
            format!(
                "told apart by a fixture of {} and {}, which catches {}",
                counted(fixture.checkpoints.len(), "checkpoint"),
                counted(fixture.feed.events().len(), "event"),
                catches(suggestion),
            )
        }
        Suggested::Nothing(nothing) => format!("not told apart: no {}", no_difference(nothing)),
        Suggested::NotApplicable(reason) => format!("not told apart: {reason}"),
    })
}

/// The command that writes such a fixture, as it can be pasted.
fn command(Suggestion { catches, leaves, like, .. }: &Suggestion, program: &str) -> Vec<String> {
    let names = catches.first().zip(leaves.first());
    let Some((caught, left)) = names.map(|(caught, left)| (caught.name, left.name)) else {
        return Vec::new();
    };
    let words = [
        format!("{program} suggest {caught}"),
        format!("--beside {left}"),
        format!("--like {}", pasted(like)),
    ];
    let mut lines: Vec<String> = Vec::new();
    for word in words {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() + CONTINUED.len() <= WIDTH => {
                line.extend([" ", &word]);
            }
            Some(line) => {
                line.push_str(CONTINUED);
                lines.push(format!("      {word}"));
            }
            None => lines.push(format!("    {word}")),
        }
    }
    lines
}

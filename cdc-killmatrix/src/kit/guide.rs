//! The kit's README.

use std::fmt::Write as _;

use super::{Compute, Kit, RunAs};
use crate::escape::for_markdown;
use crate::words::counted;

/// The text, with what is left out by name.
pub(super) fn text_of(kit: &Kit) -> String {
    let settings = &kit.settings;
    let (mutants, fixtures): (Vec<_>, Vec<_>) = kit.plays.iter().partition(|play| play.mutant.is_some());
    let mut plays = counted(fixtures.len(), "fixture");
    if !mutants.is_empty() {
        let _ = write!(plays, " and {} of a fixture and a broken copy", counted(mutants.len(), "pair"));
    }
    let compute = match settings.compute {
        Compute::Serverless => "serverless compute",
        Compute::Advanced => "a cluster of one worker each, edition ADVANCED",
    };
    let run_as = match &settings.run_as {
        Some(RunAs::User(name)) => format!("the user `{name}`"),
        Some(RunAs::ServicePrincipal(id)) => format!("the service principal `{id}`"),
        None => "who deploys them".to_owned(),
    };
    let mut text = include_str!("README.md")
        .replace("{plays}", &plays)
        .replace("{compute}", compute)
        .replace("{run_as}", &run_as)
        .replace("{catalog}", &settings.catalog)
        .replace("{schema}", &settings.schema);
    if !kit.left_out.is_empty() {
        text.push_str("\n## Left out\n\n");
    }
    for left in &kit.left_out {
        let of = left.mutant.map(|mutant| format!(", {mutant}")).unwrap_or_default();
        let name = for_markdown(&left.name);
        let _ = writeln!(text, "* {name}{}: {}.", for_markdown(&of), for_markdown(&left.reason));
    }
    text
}

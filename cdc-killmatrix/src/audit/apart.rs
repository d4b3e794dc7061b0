//! The fixtures that would tell mutants apart which the fixtures of a suite catch alike.

use cdc_core::Mutant;

use super::{Alike, Audit};
use crate::fixture::Fixtures;
use crate::search::Limits;
use crate::suggest::{Target, suggest_apart, targets};
use crate::threads::{processors, shared_out};

/// Looks, for all mutants that are caught alike, for the smallest events that some of them fall to and the others don't:
/// under the flows of the fixtures that catch them. `tries` feeds are tried, about, for all of them together.
pub fn tell_apart(audits: &mut [Audit<'_>], fixtures: &Fixtures, tries: usize) {
    let groups = audits.iter().map(|audit| audit.alike.len()).sum::<usize>().max(1);
    let mut jobs: Vec<(Vec<&Mutant>, Vec<Target<'_>>, &mut Alike)> = Vec::new();
    for audit in audits {
        let Some(suite) = fixtures.suites.iter().find(|suite| suite.name == audit.suite.name) else {
            continue;
        };
        let all = targets(suite);
        for group in &mut audit.alike {
            let mutants = group.mutants.iter().map(|&place| audit.caught[place].0).collect();
            let catch = |target: &Target<'_>| {
                let mut by = group.mutants.first().into_iter().flat_map(|&first| &audit.caught[first].1);
                by.any(|&fixture| suite.fixtures.get(fixture).is_some_and(|it| target.is_of(it)))
            };
            let targets = all.iter().copied().filter(catch).collect();
            jobs.push((mutants, targets, group));
        }
    }
    shared_out(processors(), jobs, |(mutants, targets, group)| {
        let share = tries / groups / targets.len().max(1);
        let most = Limits { smaller: Limits::SUGGEST.smaller.min(share), ..Limits::SUGGEST };
        let limits = most.within(share);
        group.told_apart = Some(suggest_apart(&mutants, &targets, limits));
    });
}

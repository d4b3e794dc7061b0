//! Claims that no events tell a mutant from the reference, and feeds that do.

use cdc_core::Mutant;

use super::{Suggested, Suggestion, Target, suggest, targets};
use crate::fixture::Fixtures;
use crate::search::Limits;

/// A claim that a feed refutes.
#[derive(Clone, Debug)]
pub struct Refuted {
    /// The mutant that is claimed to be equivalent.
    pub mutant: Mutant,
    /// The name of the suite under whose flows it isn't.
    pub suite: String,
    /// The feed, as a fixture.
    pub suggestion: Suggestion,
}

/// The claims of mutants that are refuted under the flows of the audited suites, at most one feed each. `tries` feeds
/// are tried, about, for all claims together.
pub fn refuted(fixtures: &Fixtures, mutants: &[Mutant], tries: usize) -> Vec<Refuted> {
    let all: Vec<Target<'_>> =
        fixtures.suites.iter().filter(|suite| suite.audited).flat_map(targets).collect();
    let applies = |mutant: &Mutant, target: &Target<'_>| {
        target.like.plans.iter().any(|plan| (mutant.needs)(plan).is_ok())
    };
    let claims = mutants.iter().filter(|mutant| mutant.equivalent.is_some());
    let claims: Vec<(&Mutant, Vec<Target<'_>>)> = claims
        .map(|mutant| (mutant, all.iter().copied().filter(|target| applies(mutant, target)).collect()))
        .collect();
    let searches = claims.iter().map(|(_, targets)| targets.len()).sum::<usize>().max(1);
    let limits = Limits::REFUTE.within(tries / searches);
    let refute = |(mutant, targets): (&Mutant, Vec<Target<'_>>)| {
        targets.iter().find_map(|target| {
            let Suggested::Fixture(suggestion) = suggest(mutant, std::slice::from_ref(target), limits) else {
                return None;
            };
            Some(Refuted { mutant: *mutant, suite: target.suite.name.clone(), suggestion: *suggestion })
        })
    };
    claims.into_iter().filter_map(refute).collect()
}

//! All events of a fixture at once, from an empty target: what a full refresh would show.

use cdc_core::{Mutant, Reference};
use serde::Serialize;

use crate::fixture::Fixtures;
use crate::verdict;

/// What came of replaying the fixtures of a suite.
#[derive(Clone, Debug, Serialize)]
pub struct Replay {
    /// The name of the suite.
    pub suite: String,
    /// How many of its fixtures could be compared: those whose last checkpoint expects rows.
    pub compared: usize,
    /// The fixtures with which the reference doesn't end at the same rows: a tie, most often.
    pub differing: Vec<String>,
    /// The mutants that some replay would catch.
    pub catches: Vec<&'static str>,
}

impl Replay {
    /// Replays the fixtures of every audited suite.
    pub fn of(fixtures: &Fixtures, mutants: &[Mutant]) -> Vec<Self> {
        let audited = fixtures.suites.iter().filter(|suite| suite.audited);
        let replay = |suite: &crate::fixture::Suite| {
            let mut replay =
                Self { suite: suite.name.clone(), compared: 0, differing: Vec::new(), catches: Vec::new() };
            let mut agreeing = Vec::new();
            for fixture in &suite.fixtures {
                let Some(same) = verdict::replay(&Reference, fixture) else { continue };
                replay.compared += 1;
                if same == Ok(true) {
                    agreeing.push(fixture);
                } else {
                    replay.differing.push(fixture.name.clone());
                }
            }
            let catches = |mutant: &&Mutant| {
                agreeing.iter().any(|fixture| {
                    verdict::applies(mutant, fixture).is_ok()
                        && verdict::replay(*mutant, fixture) == Some(Ok(false))
                })
            };
            replay.catches = mutants.iter().filter(catches).map(|mutant| mutant.name).collect();
            replay
        };
        audited.map(replay).collect()
    }
}

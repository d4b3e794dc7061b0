//! What feeds may have, and in which order that is tried.

use cdc_core::Mutant;

/// What a feed may have beside what every feed may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Nothing: no batch is refused, and no two events conflict.
    Plain,
    /// Batches that are refused.
    Refused,
    /// Events that share key and sequence, and differ.
    Tied,
    /// Nothing, but the copy refuses a batch that the reference takes.
    BrokenDown,
}

/// What a look at the smallest and plainest feeds costs, seen from a whole stage.
const LOOK: usize = 5;

impl Kind {
    /// How many stages there are at most.
    pub(super) const COUNT: usize = 6;

    /// The kinds in the order in which they are tried for mutants, and the part of the tries that is spent on each: what
    /// is right after a plain feed nobody doubts, nor what a refused batch is, so that a look at these comes first. Where
    /// all break ties, nothing is to be expected of feeds without any.
    pub(super) fn stages(mutants: &[&Mutant]) -> Vec<(Self, usize)> {
        let is_of_ties = mutants.iter().all(|mutant| mutant.breaks.name() == "breaks_tie");
        let mut stages = if is_of_ties {
            vec![
                (Self::Plain, LOOK),
                (Self::Tied, 1),
                (Self::Refused, LOOK),
                (Self::Plain, 1),
                (Self::Refused, 1),
            ]
        } else {
            vec![
                (Self::Plain, LOOK),
                (Self::Refused, LOOK),
                (Self::Plain, 1),
                (Self::Refused, 1),
                (Self::Tied, 1),
            ]
        };
        // No fixture counts a breakdown as a catch: it is worth telling of one mutant only.
        stages.extend((mutants.len() == 1).then_some((Self::BrokenDown, 1)));
        stages
    }
}

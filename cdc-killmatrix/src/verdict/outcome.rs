//! What can come of a model on a fixture.

use cdc_core::{Notes, Refusal, Table};

/// What came of a mutant on a fixture.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Outcome {
    /// A comparison found a difference; all of them.
    Caught(Vec<Difference>),
    /// Every comparison passed: why.
    Missed(Miss),
    /// The mutant broke down before a comparison found anything: the reason.
    Error(String),
    /// The mutant can't differ under this flow: the reason.
    NotApplicable(&'static str),
}

impl Outcome {
    /// The word of the contract for it.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Caught(_) => "caught",
            Self::Missed(_) => "missed",
            Self::Error(_) => "error",
            Self::NotApplicable(_) => "not_applicable",
        }
    }

    /// What comes of a mutant that somebody left out of a suite.
    pub(crate) const LEFT_OUT: Self = Self::NotApplicable(LEFT_OUT);

    /// Whether somebody left the mutant out of the suite.
    pub(crate) fn is_left_out(&self) -> bool {
        matches!(self, Self::NotApplicable(reason) if *reason == LEFT_OUT)
    }
}

const LEFT_OUT: &str = "the configuration leaves it out of this suite";

/// Why a mutant is missed.
#[derive(Clone, Debug)]
pub struct Miss {
    /// The cause.
    pub cause: Cause,
    /// What the decision was asked, and where the mutant's answer differed.
    pub notes: Notes,
}

/// Why every comparison passed although a decision is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cause {
    /// The broken decision was never asked for.
    NotReached,
    /// It was asked for, and each answer was the right one.
    SameAnswer,
    /// Some answer was wrong, and the rows that are compared are the right ones all the same.
    Masked,
}

impl Cause {
    /// Every cause, in the order of how near the fixture comes to a catch.
    pub const ALL: [Self; 3] = [Self::NotReached, Self::SameAnswer, Self::Masked];

    /// The word of the contract for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::NotReached => "not_reached",
            Self::SameAnswer => "same_answer",
            Self::Masked => "masked",
        }
    }
}

impl Miss {
    pub(super) fn new(notes: Notes) -> Self {
        let cause = match (notes.asked, notes.differing) {
            (0, _) => Cause::NotReached,
            (_, 0) => Cause::SameAnswer,
            _ => Cause::Masked,
        };
        Self { cause, notes }
    }
}

/// A checkpoint at which a model disagrees with the fixture.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The number of the checkpoint, from 0.
    pub checkpoint: usize,
    /// What came in its place.
    pub found: Found,
}

/// What came in the place of what the checkpoint expects.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Found {
    /// Other rows than expected: these.
    Rows(Table),
    /// A batch that had to be refused was accepted.
    Accepted {
        /// The class with which it had to be refused.
        class: String,
    },
    /// A batch was refused with another class.
    RefusedOtherwise {
        /// The class with which it had to be refused.
        class: String,
        /// What came instead.
        refusal: Refusal,
    },
}

/// What a model gets wrong, up to the point where it breaks down.
#[derive(Clone, Debug, Default)]
pub struct Verdict {
    /// The checkpoints at which it differs.
    pub differences: Vec<Difference>,
    /// Why the rest could not be played: a refusal where rows were expected, or a panic.
    pub failure: Option<String>,
}

impl Verdict {
    /// Whether the model agrees with every checkpoint.
    pub fn agrees(&self) -> bool {
        self.differences.is_empty() && self.failure.is_none()
    }
}

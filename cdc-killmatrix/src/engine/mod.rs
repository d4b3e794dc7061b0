//! Fixtures on a program that isn't the model: an engine, spoken to over a pipe.
//!
//! An engine is any program that answers JSON lines; `engines/README.md` documents the protocol.

mod message;
mod process;
mod play;

use std::collections::BTreeSet;
use std::time::Duration;

use cdc_core::ScdType;

use crate::fixture::{Fixture, flow_json};
use crate::verdict::Difference;

pub use play::play_on;
pub use process::kill_all;

/// A program that fixtures are played on.
#[derive(Clone, Debug)]
pub struct Engine {
    /// The command line as it was given.
    pub command: String,
    /// The program, then its arguments. No shell reads them.
    pub words: Vec<String>,
    /// How long an answer may take.
    pub patience: Duration,
}

/// What an engine says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hello {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// The types of targets that it writes.
    pub scd_types: Vec<ScdType>,
    /// The clauses that it carries out, beyond keys and sequence.
    pub clauses: BTreeSet<String>,
    /// How many fixtures it wants open at once, at least one.
    pub at_once: usize,
}

/// Why an engine gives no answer that can be compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// It doesn't answer in time.
    Timeout,
    /// It ended, or never began: how, and the end of what it wrote to standard error.
    Crashed {
        /// Its exit code, or why it couldn't be started.
        how: String,
        /// The last lines of its standard error.
        stderr: String,
    },
    /// It says what is no answer: the line, and what is wrong with it.
    Garbage {
        /// What is wrong.
        fault: String,
        /// The start of the line.
        line: String,
    },
}

impl Failure {
    /// How much of a line is kept, in characters.
    const KEPT: usize = 200;

    /// What is wrong with a line, and how it starts.
    fn garbage(fault: impl Into<String>, line: &str) -> Self {
        Self::Garbage { fault: fault.into(), line: line.trim_end().chars().take(Self::KEPT).collect() }
    }
}

/// Why an engine refuses a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// Its class of error.
    pub class: String,
    /// What it says.
    pub message: String,
}

impl Refused {
    /// Whether a class is the expected one, or one that ends in it: `AUTOCDC_MICROBATCH_VALIDATION.NULL_KEY` is `NULL_KEY`.
    fn is(&self, class: &str) -> bool {
        self.class == class || self.class.strip_suffix(class).is_some_and(|rest| rest.ends_with('.'))
    }
}

/// What came of a fixture on an engine.
#[derive(Clone, Debug)]
pub enum OnEngine {
    /// Every comparison passed.
    Equal,
    /// The checkpoints that differ, up to the first failure.
    Differs(Vec<Difference>),
    /// A batch was refused whose rows were expected, or that had to be refused otherwise.
    Refused {
        /// The number of the checkpoint, from 0.
        checkpoint: usize,
        /// What the engine says.
        refusal: Refused,
        /// The class with which the batch had to be refused.
        expected: Option<String>,
    },
    /// The engine doesn't know a clause that the fixture needs: which. Or it says so itself.
    Unsupported(String),
    /// There is no answer to compare.
    Failed {
        /// The number of the checkpoint, from 0; `None`: before the first.
        checkpoint: Option<usize>,
        /// Why.
        failure: Failure,
    },
}

impl OnEngine {
    /// A word for it.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Equal => "equal",
            Self::Differs(_) => "differs",
            Self::Refused { .. } => "refused",
            Self::Unsupported(_) => "unsupported",
            Self::Failed { failure: Failure::Timeout, .. } => "timeout",
            Self::Failed { failure: Failure::Crashed { .. }, .. } => "crashed",
            Self::Failed { failure: Failure::Garbage { .. }, .. } => "garbage",
        }
    }

    /// Whether it is what the fixture expects, as far as the engine can do what it needs.
    pub fn is_well(&self) -> bool {
        matches!(self, Self::Equal | Self::Unsupported(_))
    }
}

/// What came of fixtures on an engine.
#[derive(Clone, Debug)]
pub struct Played {
    /// The engine's command line.
    pub command: String,
    /// What it says of itself; or why it says nothing, and then there is no outcome.
    pub hello: Result<Hello, Failure>,
    /// What came of each fixture, in the order of [`Fixtures::pairs`](crate::Fixtures::pairs).
    pub outcomes: Vec<OnEngine>,
}

/// What a fixture needs of an engine and the engine doesn't have.
fn lacks(hello: &Hello, fixture: &Fixture) -> Option<String> {
    let plan = fixture.plan();
    let scd_type = plan.flow().stored_as_scd_type;
    if !hello.scd_types.contains(&scd_type) {
        return Some(format!("stored_as_scd_type {}", message::scd_type(scd_type)));
    }
    let mut needed: BTreeSet<String> = BTreeSet::new();
    for plan in &fixture.plans {
        let flow = flow_json(plan.flow());
        needed.extend(flow.as_object().into_iter().flat_map(|flow| flow.keys().cloned()));
    }
    for always in ["keys", "sequence_by", "stored_as_scd_type", "dialect"] {
        needed.remove(always);
    }
    let mut also = |name: &str, is_needed: bool| {
        if is_needed {
            needed.insert(name.to_owned());
        }
    };
    also("flows", 1 < fixture.plans.len());
    also("full_refresh", fixture.checkpoints.iter().any(|checkpoint| checkpoint.full_refresh));
    let batches = 0..fixture.feed.batches();
    also("advance_seconds", batches.into_iter().any(|batch| fixture.feed.batch(batch).delivery.seconds != 0));
    needed.into_iter().find(|clause| !hello.clauses.contains(clause))
}

//! Fixtures on a program that isn't the model: an engine, spoken to over a pipe.
//!
//! An engine is any program that answers JSON lines; `engines/README.md` documents the protocol.

mod message;
mod process;
mod held;
mod play;
mod tried;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use cdc_core::ScdType;

use crate::fixture::{Fixture, flow_json};
use crate::verdict::Difference;

pub(crate) use held::{Came, Held, Sheet};
pub use play::play_on;
pub(crate) use process::kill_all;
pub(crate) use tried::to_try;
pub use tried::{Agreement, Tried, try_on};

/// A program that fixtures are played on.
#[derive(Clone, Debug)]
pub struct Engine {
    /// The command line as it was given.
    pub command: String,
    /// The program, then its arguments. No shell reads them.
    pub words: Vec<String>,
    /// The folder in which it runs, as an absolute path; `None`: the working folder.
    pub folder: Option<PathBuf>,
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
    /// It says that it couldn't carry something out: what stood in the way.
    NotRun(String),
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
    /// What a text says: `CLASS: message`.
    pub(crate) fn of_text(text: &str) -> Self {
        let (class, message) = text.split_once(": ").unwrap_or((text, ""));
        Self { class: class.to_owned(), message: message.to_owned() }
    }

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
            Self::Failed { failure: Failure::NotRun(_), .. } => "not_run",
            Self::Failed { failure: Failure::Garbage { .. }, .. } => "garbage",
        }
    }

    /// Whether there is something to compare with: rows, or a refusal of a batch that is refused.
    pub fn is_comparable(&self) -> bool {
        match self {
            Self::Equal | Self::Differs(_) => true,
            Self::Refused { expected, .. } => expected.is_some(),
            Self::Unsupported(_) | Self::Failed { .. } => false,
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
    /// What it is called: an engine, or a run.
    pub kind: &'static str,
    /// The engine's command line; of a run the file that lists its captures.
    pub command: String,
    /// What it says of itself; or why it says nothing, and then there is no outcome.
    pub hello: Result<Hello, Failure>,
    /// What came of each fixture, in the order of [`Fixtures::pairs`](crate::Fixtures::pairs).
    pub outcomes: Vec<OnEngine>,
    /// What came of the mutants that an engine can play, where they were asked for.
    pub tried: Option<Vec<Tried>>,
    /// How it fails while several fixtures are open, none of which fails alone.
    pub failed_together: Option<Failure>,
}

impl Played {
    /// Whether it answered, all that was asked was carried out, and something was compared. Too late is another matter.
    pub(crate) fn was_run(&self) -> bool {
        let is_known = self.hello.as_ref().err().is_none_or(|failure| *failure == Failure::Timeout);
        let is_not_run =
            |outcome: &OnEngine| matches!(outcome, OnEngine::Failed { failure: Failure::NotRun(_), .. });
        let is_compared = self.outcomes.is_empty()
            || self.outcomes.iter().any(|it| !matches!(it, OnEngine::Unsupported(_)));
        is_known && is_compared && !self.outcomes_of_all().any(is_not_run)
    }

    /// Whether it was too late with an answer.
    pub(crate) fn was_late(&self) -> bool {
        let failures = self.outcomes_of_all().filter_map(|outcome| match outcome {
            OnEngine::Failed { failure, .. } => Some(failure),
            _ => None,
        });
        self.hello.as_ref().err().into_iter().chain(failures).any(|failure| *failure == Failure::Timeout)
    }

    /// Whether each fixture is as it should be, and each mutant as in the model, as far as there is anything to compare.
    pub(crate) fn is_well(&self) -> bool {
        let is_well = |tried: &Tried| tried.agreement() != Agreement::OtherEngine && !tried.is_broken();
        self.failed_together.is_none()
            && self.outcomes.iter().all(OnEngine::is_well)
            && self.tried.iter().flatten().all(is_well)
    }

    /// What came of the fixtures, then of the mutants.
    pub(crate) fn outcomes_of_all(&self) -> impl Iterator<Item = &OnEngine> {
        self.outcomes.iter().chain(self.tried.iter().flatten().filter_map(|tried| tried.outcome.as_ref()))
    }
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

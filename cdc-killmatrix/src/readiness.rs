//! Whether a configuration can be shipped: is its order complete, and are its rows those that the business wants?
//!
//! A configuration is a fixture: a flow, its events, and what is wanted of the last table. Configurations over
//! the same events are compared, for what one of them gets wrong another one may get right.

mod spoken;
mod ties;
mod wishes;
mod clauses;
mod trials;
mod fixes;

use std::path::PathBuf;

use cdc_core::{Reference, Row, Schema, Value};

use crate::fixture::{Fixture, Fixtures, Suite};
use crate::verdict::{self, Ending};
use clauses::changes;
use ties::Ties;
use wishes::Wish;

/// How a configuration fares. The first that holds of: ambiguous, not what is wanted, dependent, handled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// The order is complete, and the rows are those that the business wants.
    Handled,
    /// The same, but another configuration over the same events gives rows that aren't wanted.
    ConfigurationDependent,
    /// The rows are not those that the business wants.
    BusinessSemantics,
    /// Two events of one key share a sequence and differ: nothing says which one wins.
    AmbiguousOrder,
}

impl Class {
    /// All of them.
    pub const ALL: [Self; 4] =
        [Self::Handled, Self::ConfigurationDependent, Self::BusinessSemantics, Self::AmbiguousOrder];

    /// The word under which the result was published.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Handled => "HANDLED",
            Self::ConfigurationDependent => "CONFIGURATION_DEPENDENT",
            Self::BusinessSemantics => "BUSINESS_SEMANTICS",
            Self::AmbiguousOrder => "AMBIGUOUS_ORDER",
        }
    }

    /// What to do, in plain words.
    pub const fn verdict(self) -> &'static str {
        match self {
            Self::Handled => "ship",
            Self::ConfigurationDependent => "ship with this option",
            Self::BusinessSemantics => "stop: business rule",
            Self::AmbiguousOrder => "stop: order",
        }
    }

    /// Whether the configuration must not be shipped.
    pub const fn is_stop(self) -> bool {
        matches!(self, Self::BusinessSemantics | Self::AmbiguousOrder)
    }
}

/// The verdicts on a suite.
#[derive(Clone, Debug)]
pub struct Readiness {
    /// The name of the suite.
    pub suite: String,
    /// Its title.
    pub title: String,
    /// Its configurations, in the order of its fixtures.
    pub configurations: Vec<Configuration>,
}

/// The verdict on one configuration.
#[derive(Clone, Debug)]
pub struct Configuration {
    /// The name of the fixture.
    pub name: String,
    /// Its title.
    pub title: String,
    /// Its file.
    pub path: PathBuf,
    /// How it fares.
    pub class: Class,
    /// How many events it has.
    pub events: usize,
    /// How many rows there are after each checkpoint.
    pub rows: Vec<usize>,
    /// The columns of the last table.
    pub target: Schema,
    /// The rows of the last table.
    pub result: Vec<Row>,
    /// Why it fares so, in a sentence.
    pub reason: String,
    /// What to do about it, in a sentence.
    pub fix: Option<String>,
    /// The numbers, from 1, of two events that nothing orders.
    pub tie: Option<(usize, usize)>,
    /// The name of the fixture over the same events with which it was compared.
    pub compared_with: Option<String>,
}

impl Readiness {
    /// Judges every suite, or says which fixture can't be played.
    ///
    /// ```
    /// use cdc_killmatrix::Fixtures;
    /// use cdc_killmatrix::readiness::{Class, Readiness};
    ///
    /// let fixtures = Fixtures::load(["../fixtures/rules/ties"])?;
    /// let ties = &Readiness::of(&fixtures)?[0];
    /// let of = |name: &str| ties.configurations.iter().find(|it| it.name == name).map(|it| it.class);
    /// assert_eq!(of("scd1_upserts_same_batch"), Some(Class::AmbiguousOrder));
    /// assert_eq!(of("scd1_exact_duplicates"), Some(Class::Handled), "the same event twice is no conflict");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(fixtures: &Fixtures) -> Result<Vec<Self>, String> {
        fixtures.suites.iter().map(judge).collect()
    }

    /// How many configurations fare so.
    pub fn count(&self, class: Class) -> usize {
        self.configurations.iter().filter(|it| it.class == class).count()
    }
}

/// What is known of a configuration before it is compared with others.
struct Known<'a> {
    fixture: &'a Fixture,
    ties: Ties<'a>,
    wish: Wish<'a>,
    ending: Ending,
    /// The events, sorted: what they are, however they came. Of a snapshot, with its version.
    events: Vec<(Option<&'a Value>, &'a Row)>,
    /// What of the wish isn't fulfilled.
    unfulfilled: Option<String>,
}

impl<'a> Known<'a> {
    fn of(suite: &Suite, fixture: &'a Fixture) -> Result<Self, String> {
        let ending = verdict::ending(&Reference, fixture)
            .map_err(|reason| format!("{}: {reason}", suite.full_name(fixture)))?;
        let batches = (0..fixture.feed.batches()).map(|number| fixture.feed.batch(number));
        let mut events: Vec<(Option<&Value>, &Row)> = batches
            .flat_map(|batch| {
                batch.events.iter().map(move |event| (batch.delivery.version.as_ref(), &event.values))
            })
            .collect();
        events.sort_unstable();
        let wish = Wish::of(fixture);
        let last = ending.last.as_ref();
        let unfulfilled = last.and_then(|(_, table)| wish.unfulfilled(fixture.plan(), table));
        Ok(Self { fixture, ties: Ties::of(fixture), wish, ending, events, unfulfilled })
    }

    fn class_alone(&self) -> Class {
        match (&self.ties.first, &self.unfulfilled) {
            (Some(_), _) => Class::AmbiguousOrder,
            (None, Some(_)) => Class::BusinessSemantics,
            (None, None) => Class::Handled,
        }
    }

    /// Whether a configuration with a complete order gives the rows that this one wants.
    fn is_fulfilled_by(&self, other: &Self) -> bool {
        let (plan, last) = (other.fixture.plan(), other.ending.last.as_ref());
        other.ties.first.is_none()
            && plan.target() == self.fixture.plan().target()
            && last.is_some_and(|(_, table)| self.wish.unfulfilled(plan, table).is_none())
    }

    /// Why there is nothing to object to.
    fn handled(&self, wrong: Option<&Fixture>) -> String {
        if let Some(wrong) = wrong {
            return format!(
                "The rows are as wanted; those of {}, over the same events, aren't.",
                wrong.title
            );
        }
        let order =
            if self.ties.is_harmless { "Events in a tie say the same" } else { "The order is complete" };
        let rows = match self.wish {
            Wish::Unsaid => "nothing says which rows are wanted",
            Wish::Counts(_) | Wish::Tables(_) => "the rows are as wanted",
        };
        format!("{order}; {rows}.")
    }

    fn has_events_of(&self, other: &Self) -> bool {
        self.fixture.plan().schema() == other.fixture.plan().schema() && self.events == other.events
    }
}

fn judge(suite: &Suite) -> Result<Readiness, String> {
    let known: Vec<Known<'_>> =
        suite.fixtures.iter().map(|fixture| Known::of(suite, fixture)).collect::<Result<_, String>>()?;
    let judged = |(place, one): (usize, &Known<'_>)| {
        let others = known.iter().enumerate().filter(|&(other, _)| other != place).map(|(_, other)| other);
        let siblings: Vec<&Known<'_>> = others.filter(|other| one.has_events_of(other)).collect();
        configuration(one, &siblings)
    };
    Ok(Readiness {
        suite: suite.name.clone(),
        title: suite.title.clone(),
        configurations: known.iter().enumerate().map(judged).collect(),
    })
}

/// The sibling for which something holds that differs in the fewest clauses, the first of them.
fn nearest<'k, 'a>(
    one: &Known<'_>,
    siblings: &[&'k Known<'a>],
    holds: impl Fn(&Known<'a>) -> bool,
) -> Option<&'k Known<'a>> {
    let fitting = siblings.iter().copied().filter(|other| holds(other));
    fitting.min_by_key(|other| changes(one.fixture, other.fixture).len())
}

fn configuration(one: &Known<'_>, siblings: &[&Known<'_>]) -> Configuration {
    let fixture = one.fixture;
    let mut class = one.class_alone();
    let (compared, reason, fix);
    match class {
        Class::AmbiguousOrder => {
            compared = nearest(one, siblings, |other| other.class_alone() == Class::Handled);
            let ordered = compared.map(|other| other.fixture);
            reason = one.ties.sentence().unwrap_or_default();
            fix = Some(fixes::of_order(&one.ties, fixture, ordered));
        }
        Class::BusinessSemantics => {
            compared = nearest(one, siblings, |other| one.is_fulfilled_by(other));
            let right = compared.map(|other| other.fixture);
            reason = one.unfulfilled.clone().unwrap_or_default();
            fix = Some(fixes::of_wish(fixture, &one.wish, right));
        }
        Class::Handled | Class::ConfigurationDependent => {
            compared = nearest(one, siblings, |other| other.class_alone() == Class::BusinessSemantics);
            fix = compared.map(|wrong| fixes::option(wrong.fixture, fixture));
            reason = one.handled(compared.map(|wrong| wrong.fixture));
            if compared.is_some() {
                class = Class::ConfigurationDependent;
            }
        }
    }
    let last = one.ending.last.as_ref();
    Configuration {
        name: fixture.name.clone(),
        title: fixture.title.clone(),
        path: fixture.path.clone(),
        class,
        events: fixture.feed.events().len(),
        rows: one.ending.rows.clone(),
        target: last.map_or_else(|| fixture.plan().target().clone(), |(target, _)| target.clone()),
        result: last.map(|(_, table)| table.rows().to_vec()).unwrap_or_default(),
        reason,
        fix,
        tie: one.ties.first.as_ref().map(|tie| tie.numbers),
        compared_with: compared.map(|other| other.fixture.name.clone()),
    }
}

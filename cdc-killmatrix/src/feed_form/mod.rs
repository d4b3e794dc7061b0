//! Mutants that are played on an engine: faults of the definition or of the events, made before an engine sees them.
//!
//! A mutant whose hook is `definition` or `rewrite` is one already. The first seven of the catalogue take their wrong
//! decision inside, and have a form of their own here that gives the same rows where events come in the order of the
//! sequence; `tests/forms` lists where it doesn't. No other mutant has one.

mod clauses;
mod comparison;
mod known;
mod walk;
mod flows;
mod events;

use cdc_core::{AutoCdc as _, Feed, Mutant, Plan, Reference, Schema, Table};

use crate::fixture::{Checkpoint, Fixture};
use crate::verdict;

use comparison::Comparison;

/// A fixture as a mutant makes it, for an engine to play.
#[derive(Clone, Debug)]
pub struct FeedForm {
    /// The fixture with the mutant's flows, columns and events. What its checkpoints expect is as it was, in the
    /// [`columns`](Self::columns) that are compared.
    pub played: Fixture,
    /// What the mutant adds to the target and the comparison removes: a column, or the field of a bound, as
    /// `__START_AT.killmatrix_arrival`.
    pub hidden: Vec<String>,
    /// What of the fixture's own target isn't compared, for the form can't keep it: a column, or a bound's field.
    pub uncompared: Vec<String>,
    comparison: Comparison,
}

/// What a mutant makes of a fixture.
struct Made {
    plans: Vec<Plan>,
    feed: Feed,
    hidden: Vec<String>,
    uncompared: Vec<String>,
}

impl Made {
    /// Flows and events whose target has the columns of the fixture's.
    fn alike(plans: Vec<Plan>, feed: Feed) -> Self {
        Self { plans, feed, hidden: Vec::new(), uncompared: Vec::new() }
    }
}

/// How one of the first seven is made.
type Make = fn(&Fixture) -> Result<Made, String>;

/// Those of the first seven, by name.
const MADE: [(&str, Make); 7] = [
    ("collapsed_key", flows::collapsed_key),
    ("arrival_order", flows::arrival_order),
    ("ignored_deletes", events::ignored_deletes),
    ("swapped_columns", events::swapped_columns),
    ("kept_nulls", events::kept_nulls),
    ("ignored_tie_breaker", flows::ignored_tie_breaker),
    ("tracked_sync_noise", flows::tracked_sync_noise),
];

/// Whether a mutant can be played on an engine.
///
/// ```
/// use cdc_killmatrix::{catalogue, feed_form};
///
/// let forms = catalogue::all().into_iter().filter(feed_form::exists);
/// let names: Vec<&str> = forms.map(|mutant| mutant.name).collect();
/// assert_eq!(names[..2], ["collapsed_key", "arrival_order"]);
/// assert!(!names.contains(&"no_tombstone"));
/// ```
pub fn exists(mutant: &Mutant) -> bool {
    is_before_all(mutant) || made(mutant).is_some()
}

/// What a mutant makes of a fixture before an engine sees it. `None`: it decides inside, and no engine can be told to.
///
/// The error says why it makes nothing of this fixture: the flow leaves it nothing to do, or a clause that the form
/// would need to change is one that it can't.
///
/// ```
/// use cdc_killmatrix::{Fixtures, catalogue, feed_form};
///
/// let fixtures = Fixtures::load(["../fixtures/customers_current/sequence_tie.json"])?;
/// let (_, fixture) = fixtures.pairs().next().unwrap();
/// let mutant = catalogue::all().into_iter().find(|mutant| mutant.name == "arrival_order").unwrap();
///
/// let form = feed_form::of(&mutant, fixture).unwrap()?;
/// assert_eq!(form.played.plan().flow().sequence_by, "killmatrix_arrival");
/// assert_eq!(form.columns(), fixture.plan().target(), "the position doesn't reach the target");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn of(mutant: &Mutant, fixture: &Fixture) -> Option<Result<FeedForm, String>> {
    if !exists(mutant) {
        return None;
    }
    let applies = verdict::applies(mutant, fixture).map_err(str::to_owned);
    Some(
        applies
            .and_then(|()| match made(mutant) {
                Some(make) => make(fixture),
                None => by_hook(mutant, fixture),
            })
            .map(|made| FeedForm::new(fixture, made)),
    )
}

/// Whether a mutant's own hook comes before everything that an engine does.
fn is_before_all(mutant: &Mutant) -> bool {
    matches!(mutant.breaks.name(), "definition" | "rewrite")
}

fn made(mutant: &Mutant) -> Option<Make> {
    let known = MADE.iter().find(|(name, _)| *name == mutant.name && !is_before_all(mutant))?;
    Some(known.1)
}

/// As the model asks the hook: for each flow, and for each batch with the events before it.
fn by_hook(mutant: &Mutant, fixture: &Fixture) -> Result<Made, String> {
    let plans = walk::plans(fixture, |plan| {
        let flow = mutant.definition(plan.flow()).unwrap_or_else(|| plan.flow().clone());
        Ok((flow, plan.schema().clone()))
    })?;
    let feed = walk::feed(fixture, |step| {
        let rewritten =
            mutant.rewrite(&plans[step.batch.delivery.flow], step.batch.earlier, step.batch.events);
        let events = rewritten.as_deref().unwrap_or(step.batch.events);
        events.iter().map(|event| event.values.clone()).collect()
    })?;
    Ok(Made::alike(plans, feed))
}

impl FeedForm {
    fn new(fixture: &Fixture, made: Made) -> Self {
        let Made { plans, feed, hidden, uncompared } = made;
        let comparison = Comparison::new(fixture.plan(), &plans[0], &uncompared);
        let checkpoint = |(number, checkpoint): (usize, &Checkpoint)| Checkpoint {
            observed: None,
            expect: checkpoint.expect.iter().map(|table| comparison.expected(table)).collect(),
            // The events have no lines of their own.
            event_lines: vec![checkpoint.line; feed.batch(number).events.len()],
            ..checkpoint.clone()
        };
        let checkpoints = fixture.checkpoints.iter().enumerate().map(checkpoint).collect();
        let played = Fixture { plans, checkpoints, feed, business: None, ..fixture.clone() };
        Self { played, hidden, uncompared, comparison }
    }

    /// The columns that are compared, those of the fixture's own target.
    pub fn columns(&self) -> &Schema {
        self.comparison.columns()
    }

    /// What is compared of rows in the columns of the fixture's own target, as the mutant shows them in the model.
    pub fn expected(&self, table: &Table) -> Table {
        self.comparison.expected(table)
    }

    /// What is compared of rows that an engine shows, in the columns of `played`'s target.
    pub fn shown(&self, table: &Table) -> Table {
        self.comparison.shown(table)
    }

    /// Whether AUTO CDC, as the model has it, makes of these events what the fixture doesn't expect. Where it can't take
    /// a batch that is to be taken it makes nothing more.
    pub fn is_caught(&self) -> bool {
        // The reference plays whatever has a plan.
        let shown = verdict::tables(&Reference, &self.played).unwrap_or_default();
        for (checkpoint, shown) in self.played.checkpoints.iter().zip(shown) {
            let refused = shown.refusal.map(|refusal| refusal.class);
            match (&checkpoint.expect_error, refused) {
                (None, Some(_)) => return false,
                (Some(expected), class) if class != Some(expected) => return true,
                _ if !checkpoint.expect.is_empty()
                    && !checkpoint.expect.contains(&self.shown(&shown.table)) =>
                {
                    return true;
                }
                _ => {}
            }
        }
        false
    }
}

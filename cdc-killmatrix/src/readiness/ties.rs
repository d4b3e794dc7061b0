//! Events that the flow's own sequence leaves without an order.

use cdc_core::{Arrival, Plan, Value};

use super::spoken::{listed, named, value};
use crate::check::{Effect, Group, TieBreakers, Tied, cases_of_fixture, groups};
use crate::fixture::Fixture;

/// Two events that share a sequence and do different things to a row.
pub(super) struct Tie<'a> {
    first: Tied<'a>,
    second: Tied<'a>,
    /// Their numbers in the fixture, from 1.
    pub(super) numbers: (usize, usize),
}

impl Tie<'_> {
    /// The flow that brought the first of them.
    pub(super) fn plan(&self) -> &Plan {
        self.first.plan
    }
}

/// The ties of a fixture.
pub(super) struct Ties<'a> {
    /// The first that matters.
    pub(super) first: Option<Tie<'a>>,
    /// How many sequences of a key have events that do different things.
    conflicts: usize,
    /// Whether events share a sequence and say the same: one was delivered again.
    pub(super) is_harmless: bool,
    /// The columns of the source that may put all such events into an order, the likeliest first.
    pub(super) candidates: Vec<usize>,
}

impl<'a> Ties<'a> {
    /// Finds the ties among the events that were applied. Snapshots have none: their versions ascend.
    pub(super) fn of(fixture: &'a Fixture) -> Self {
        let groups = groups(&cases_of_fixture(fixture, ""));
        let (conflicts, harmless): (Vec<&Group<'_>>, Vec<&Group<'_>>) =
            groups.iter().partition(|group| group.conflict().is_some());
        let pairs = conflicts.iter().filter_map(|group| group.conflict());
        let first = pairs.min_by_key(|(first, _)| first.event.arrival).map(|(first, second)| Tie {
            first: first.clone(),
            second: second.clone(),
            numbers: (number(fixture, first), number(fixture, second)),
        });
        Self {
            first,
            conflicts: conflicts.len(),
            is_harmless: !harmless.is_empty(),
            candidates: TieBreakers::of(&conflicts).candidates,
        }
    }

    /// The first two events, what they share, and in what they differ.
    pub(super) fn sentence(&self) -> Option<String> {
        let Tie { first, second, .. } = self.first.as_ref()?;
        // A truncate may have no key.
        let of_key = if first.is_truncate { second } else { first };
        let key = named(of_key.plan.feed(), of_key.plan.keys(), |column| of_key.event.values.get(column));
        let plan = first.plan;
        let sequence = named(plan.feed(), plan.sequence(), |column| first.event.values.get(column));
        let differs = match (&first.effect, &second.effect) {
            (Effect::Writes(one), Effect::Writes(other)) => differences(plan, one, other),
            _ => "one of them deletes the row".to_owned(),
        };
        let more = match self.conflicts - 1 {
            0 => String::new(),
            more => format!("; {more} more such {}", if more == 1 { "tie" } else { "ties" }),
        };
        Some(format!("{} share {sequence} for {key}: {differs}{more}.", places(first, second)))
    }
}

/// The number of an event in a fixture, from 1.
fn number(fixture: &Fixture, tied: &Tied<'_>) -> usize {
    let Arrival { batch, row } = tied.event.arrival;
    let earlier = (0..).take_while(|&number| number < batch);
    let earlier: usize = earlier.map(|number| fixture.feed.batch(number as usize).events.len()).sum();
    earlier + row as usize + 1
}

/// Where two events arrived.
fn places(first: &Tied<'_>, second: &Tied<'_>) -> String {
    let from_one = |Arrival { batch, row }: Arrival| (u64::from(batch) + 1, u64::from(row) + 1);
    let ((batch, row), (other, other_row)) = (from_one(first.event.arrival), from_one(second.event.arrival));
    if batch == other {
        format!("Events {row} and {other_row} of checkpoint {batch}")
    } else {
        format!("Event {row} of checkpoint {batch} and event {other_row} of checkpoint {other}")
    }
}

/// The columns in which two events differ, the first with its values.
fn differences(plan: &Plan, one: &[Option<&Value>], other: &[Option<&Value>]) -> String {
    let said = |it: Option<&Value>| it.map_or_else(|| "nothing".to_owned(), value);
    let mut columns = Vec::new();
    for ((column, left), right) in plan.target().iter().zip(one).zip(other) {
        if left != right {
            let values = format!(" ({} or {})", said(*left), said(*right));
            columns.push(format!(
                "{}{}",
                column.name,
                if columns.is_empty() { values } else { String::new() }
            ));
        }
    }
    format!("they differ in {}", listed(&columns))
}

//! What a tie is: events of one key and one sequence value, of whichever flow into the target.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use cdc_core::{AutoCdc as _, Event, Plan, Reference, Value};

use super::case::Case;
use super::names::{is_identifier, is_number, is_of_arrival, is_time, may_order, text};
use crate::finding::Place;

/// What an event does to a row of the target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Effect<'a> {
    /// It deletes it. What else it holds means nothing.
    Deletes,
    /// It writes these values, a column of the target each; what it leaves unsaid is `None`.
    Writes(Vec<Option<&'a Value>>),
}

/// An event that shares key and sequence with others.
#[derive(Clone, Debug)]
pub(crate) struct Tied<'a> {
    /// The number of its flow.
    pub(super) flow: usize,
    /// Its number among the events of its flow.
    pub(super) number: usize,
    pub(crate) plan: &'a Plan,
    pub(crate) event: &'a Event,
    pub(super) place: Place,
    pub(crate) effect: Effect<'a>,
    /// Whether it speaks of all keys.
    pub(crate) is_truncate: bool,
}

/// All events of one key and one sequence value, in the order of their arrival: two or more.
#[derive(Clone, Debug)]
pub(crate) struct Group<'a>(pub(crate) Vec<Tied<'a>>);

impl<'a> Group<'a> {
    /// The first event, and the first other one that does something else: AUTO CDC would have to choose.
    pub(crate) fn conflict(&self) -> Option<(&Tied<'a>, &Tied<'a>)> {
        let (first, others) = self.0.split_first()?;
        Some((first, others.iter().find(|other| other.effect != first.effect)?))
    }

    /// The first event, and the first other one that says something else.
    pub(super) fn differing(&self) -> Option<(&Tied<'a>, &Tied<'a>)> {
        let (first, others) = self.0.split_first()?;
        Some((first, others.iter().find(|other| other.event.values != first.event.values)?))
    }
}

impl<'a> Tied<'a> {
    fn of(cases: &[Case<'a>], (flow, number): (usize, usize)) -> Self {
        let case = &cases[flow];
        let (plan, event): (&'a Plan, &'a Event) = (case.plan, case.events[number].event);
        let said = |(column, &place): (usize, &usize)| {
            Reference.gives(plan, event, column).then(|| &event.values[place])
        };
        let effect = if case.is_upsert(number) {
            Effect::Writes(plan.output().iter().enumerate().map(said).collect())
        } else {
            Effect::Deletes
        };
        let is_truncate = case.is_truncate(number);
        Self { flow, number, plan, event, place: case.place(number), effect, is_truncate }
    }
}

/// The ties among the events that are applied to one target, from one full refresh to the next, by key and
/// sequence. A truncate ties with the events of every key, as a delete of it. Of two bitemporal corrections of
/// one moment the one that became known later holds: they don't tie.
pub(crate) fn groups<'a>(cases: &[Case<'a>]) -> Vec<Group<'a>> {
    let mut events: Vec<(usize, usize)> = Vec::new();
    let mut truncates: BTreeMap<(usize, Vec<&Value>), (usize, usize)> = BTreeMap::new();
    for (flow, case) in cases.iter().enumerate() {
        events.extend(case.histories().flatten().map(|&event| (flow, event)));
        for event in case.truncates() {
            let sequence = case.values(&case.order, event).collect();
            truncates.entry((case.events[event].refreshes, sequence)).or_insert((flow, event));
        }
    }
    let arrival = |(flow, event): (usize, usize)| cases[flow].events[event].event.arrival;
    // Those of one flow are in this order already.
    if 1 < cases.len() {
        events.sort_by(|&left, &right| {
            by_key_and_sequence(cases, left, right).then_with(|| arrival(left).cmp(&arrival(right)))
        });
    }
    let chunks = events.chunk_by(|&left, &right| by_key_and_sequence(cases, left, right).is_eq());
    let group = |chunk: &[(usize, usize)]| {
        let mut members = chunk.to_vec();
        if !truncates.is_empty() {
            let &(flow, event) = chunk.first()?;
            let case = &cases[flow];
            let sequence = case.values(&case.order, event).collect();
            members.extend(truncates.get(&(case.events[event].refreshes, sequence)));
            members.sort_by_key(|&member| arrival(member));
        }
        (1 < members.len())
            .then(|| Group(members.into_iter().map(|member| Tied::of(cases, member)).collect()))
    };
    chunks.filter_map(group).collect()
}

fn by_key_and_sequence(cases: &[Case<'_>], left: (usize, usize), right: (usize, usize)) -> Ordering {
    let ((one, left), (other, right)) = ((&cases[left.0], left.1), (&cases[right.0], right.1));
    let refreshes = one.events[left].refreshes.cmp(&other.events[right].refreshes);
    refreshes
        .then_with(|| one.values(one.plan.keys(), left).cmp(other.values(other.plan.keys(), right)))
        .then_with(|| one.values(&one.order, left).cmp(other.values(&other.order, right)))
}

/// The columns of the source that tell all tied events apart, by what they seem to be. One that merely does
/// that, and isn't seen to be any of these, is none.
#[derive(Clone, Debug, Default)]
pub(crate) struct TieBreakers {
    /// Those that may follow the source's own order, the likeliest first: numbers, then times.
    pub(crate) candidates: Vec<usize>,
    /// Unfit: they tell when an event arrived.
    pub(super) arrivals: Vec<usize>,
    /// Unfit: identifiers, which are in no order of the source.
    pub(super) identifiers: Vec<usize>,
}

impl TieBreakers {
    /// Of the groups that conflict.
    pub(crate) fn of(groups: &[&Group<'_>]) -> Self {
        let mut all = Self::default();
        let Some(first) = groups.first().and_then(|group| group.0.first()) else { return all };
        let schema = first.plan.schema();
        let events = || groups.iter().flat_map(|group| &group.0);
        let is_used = |column: usize| {
            let is_of = |plan: &Plan| {
                plan.keys().contains(&column)
                    || plan.sequence().contains(&column)
                    || plan.system_sequence() == Some(column)
            };
            events().any(|tied| is_of(tied.plan))
        };
        for (column, it) in schema.iter().enumerate() {
            let is_ordered = is_time(&it.data_type) || is_number(&it.data_type);
            let list = if may_order(&it.name, &it.data_type) {
                &mut all.candidates
            } else if is_ordered && is_of_arrival(&it.name) {
                &mut all.arrivals
            } else if events().all(|tied| text(&tied.event.values[column]).is_some_and(is_identifier)) {
                &mut all.identifiers
            } else {
                continue;
            };
            if groups.iter().all(|group| tells_apart(column, group)) && !is_used(column) {
                list.push(column);
            }
        }
        all.candidates.sort_by_key(|&column| is_time(&schema[column].data_type));
        all
    }
}

/// Whether events of a group that do different things have different values in a column, none of them null.
fn tells_apart(column: usize, group: &Group<'_>) -> bool {
    let mut effects = BTreeMap::new();
    group.0.iter().all(|tied| {
        let value = &tied.event.values[column];
        !value.is_null() && *effects.entry(value).or_insert(&tied.effect) == &tied.effect
    })
}

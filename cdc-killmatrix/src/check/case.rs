//! Events under a plan, as the rules look at them.

use std::cmp::Ordering;

use cdc_core::{AutoCdc as _, Event, Operation, Plan, Reference, Value};

use crate::finding::Place;

/// An event as it was delivered.
#[derive(Clone, Copy, Debug)]
pub struct Delivered<'a> {
    /// The event.
    pub event: &'a Event,
    /// Where it is.
    pub place: Place,
    /// How often target and state were cleared before.
    pub refreshes: usize,
    /// Whether its batch is applied: one that must be refused isn't.
    pub is_applied: bool,
    /// When it arrived, in seconds from any start. `None`: nobody knows.
    pub arrived: Option<i64>,
}

/// What an event asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Upsert,
    Delete,
    /// It speaks of no single row.
    Truncate,
    /// It can't be evaluated: no rule looks at it.
    Unknown,
}

/// Events under a plan, sorted.
#[derive(Debug)]
pub struct Case<'a> {
    pub(super) plan: &'a Plan,
    /// The events in the order of arrival.
    pub(super) events: Vec<Delivered<'a>>,
    pub(super) kinds: Vec<Kind>,
    /// The columns that order the events of a key: places in the source.
    pub(super) order: Vec<usize>,
    /// The events that are applied, by key, then by sequence, then by arrival.
    sorted: Vec<usize>,
    /// Where the events of each key end in `sorted`.
    ends: Vec<usize>,
    /// The table that queries ask.
    pub(super) table: String,
    /// The column that says when an event arrived.
    pub(super) arrival: Option<usize>,
}

impl<'a> Case<'a> {
    /// Events in the order of their arrival. Queries ask `table`, as it is spelled in SQL.
    pub fn new(plan: &'a Plan, events: Vec<Delivered<'a>>, table: String) -> Self {
        let kind = |delivered: &Delivered<'_>| match Reference.operation_of(plan, delivered.event) {
            Ok(Operation::Upsert) => Kind::Upsert,
            Ok(Operation::Delete) => Kind::Delete,
            Ok(Operation::Truncate) => Kind::Truncate,
            Err(_) => Kind::Unknown,
        };
        let kinds: Vec<Kind> = events.iter().map(kind).collect();
        let order: Vec<usize> = plan.sequence().iter().copied().chain(plan.system_sequence()).collect();
        let mut case =
            Self { plan, events, kinds, order, sorted: Vec::new(), ends: Vec::new(), table, arrival: None };
        let mut sorted: Vec<usize> = (0..case.events.len())
            .filter(|&event| {
                case.events[event].is_applied && (case.is_upsert(event) || case.is_delete(event))
            })
            .filter(|&event| !case.has_null_key(event) && !case.has_null_sequence(event))
            .collect();
        sorted.sort_by(|&left, &right| {
            case.by_key(left, right).then_with(|| case.by_sequence(left, right)).then(left.cmp(&right))
        });
        case.ends = (1..=sorted.len())
            .filter(|&end| end == sorted.len() || case.by_key(sorted[end - 1], sorted[end]).is_ne())
            .collect();
        case.sorted = sorted;
        case
    }

    /// The same, with the column of the source that says when an event arrived: queries ask for it.
    #[must_use]
    pub fn arriving_by(self, column: usize) -> Self {
        Self { arrival: Some(column), ..self }
    }

    pub(super) fn value(&self, event: usize, column: usize) -> &'a Value {
        let event: &'a Event = self.events[event].event;
        &event.values[column]
    }

    pub(super) fn place(&self, event: usize) -> Place {
        self.events[event].place
    }

    pub(super) fn name(&self, column: usize) -> &'a str {
        let plan: &'a Plan = self.plan;
        &plan.feed()[column].name
    }

    pub(super) fn has_null_key(&self, event: usize) -> bool {
        self.plan.keys().iter().any(|&column| self.value(event, column).is_null())
    }

    pub(super) fn has_null_sequence(&self, event: usize) -> bool {
        let is_null = |&column: &usize| self.value(event, column).is_null();
        let sequence = if self.plan.sequence_is_struct() { &[] } else { self.plan.sequence() };
        sequence.iter().any(is_null) || self.plan.system_sequence().iter().any(is_null)
    }

    pub(super) fn is_upsert(&self, event: usize) -> bool {
        self.kinds[event] == Kind::Upsert
    }

    pub(super) fn is_delete(&self, event: usize) -> bool {
        self.kinds[event] == Kind::Delete
    }

    pub(super) fn is_truncate(&self, event: usize) -> bool {
        self.kinds[event] == Kind::Truncate
    }

    /// The truncates that are applied.
    pub(super) fn truncates(&self) -> impl Iterator<Item = usize> {
        let is_one = |&event: &usize| self.events[event].is_applied && self.is_truncate(event);
        (0..self.events.len()).filter(is_one).filter(|&event| !self.has_null_sequence(event))
    }

    /// The values of an event in these columns.
    pub(super) fn values(&self, columns: &[usize], event: usize) -> impl Iterator<Item = &'a Value> {
        columns.iter().map(move |&column| self.value(event, column))
    }

    /// By target and key.
    fn by_key(&self, left: usize, right: usize) -> Ordering {
        self.by_refresh(left, right).then_with(|| self.by(self.plan.keys(), left, right))
    }

    fn by_refresh(&self, left: usize, right: usize) -> Ordering {
        self.events[left].refreshes.cmp(&self.events[right].refreshes)
    }

    fn by_refresh_and_sequence(&self, left: usize, right: usize) -> Ordering {
        self.by_refresh(left, right).then_with(|| self.by_sequence(left, right))
    }

    /// By the sequence.
    pub(super) fn by_sequence(&self, left: usize, right: usize) -> Ordering {
        self.by(&self.order, left, right)
    }

    fn by(&self, columns: &[usize], left: usize, right: usize) -> Ordering {
        self.values(columns, left).cmp(self.values(columns, right))
    }

    /// Whether two events agree in these columns of the source.
    pub(super) fn agree(&self, columns: &[usize], left: usize, right: usize) -> bool {
        self.by(columns, left, right).is_eq()
    }

    /// For each key its events, by sequence, then by arrival.
    pub(super) fn histories(&self) -> impl Iterator<Item = &[usize]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.sorted[start..end])
    }

    /// An upsert and the one before it in the sequence of its key, if no truncate stands between them.
    pub(super) fn updates(&self) -> impl Iterator<Item = (usize, usize)> {
        let pairs = self.histories().flat_map(|history| history.windows(2).map(|pair| (pair[0], pair[1])));
        let mut truncates: Vec<usize> = self.truncates().collect();
        truncates.sort_by(|&left, &right| self.by_refresh_and_sequence(left, right));
        pairs.filter(move |&(before, after)| {
            let up_to = |event: usize| {
                truncates.partition_point(|&truncate| self.by_refresh_and_sequence(truncate, event).is_le())
            };
            self.is_upsert(before) && self.is_upsert(after) && up_to(before) == up_to(after)
        })
    }

    /// The columns of the target that are no keys: places in the source.
    pub(super) fn payload(&self) -> Vec<usize> {
        self.plan.payload().map(|column| self.plan.output()[column]).collect()
    }

    /// The tracked columns of the target: places in the source.
    pub(super) fn tracked(&self) -> Vec<usize> {
        let tracked = self.plan.payload().filter(|&column| self.plan.tracks(column));
        tracked.map(|column| self.plan.output()[column]).collect()
    }

    /// The key and the sequence of an event, for a sentence.
    pub(super) fn shown(&self, event: usize) -> String {
        let listed = |columns: &[usize]| -> String {
            let values =
                columns.iter().map(|&column| crate::json::quoted(&self.value(event, column).to_string()));
            values.collect::<Vec<String>>().join(", ")
        };
        format!("key {}, sequence {}", listed(self.plan.keys()), listed(&self.order))
    }

    /// The names of columns, for a sentence.
    pub(super) fn listed(&self, columns: &[usize]) -> String {
        let names = columns.iter().map(|&column| crate::json::quoted(self.name(column)));
        names.collect::<Vec<String>>().join(", ")
    }
}

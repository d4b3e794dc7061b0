//! Bitemporal: the history of a key as it was known at every system time.

use std::collections::HashMap;
use std::mem;

use foldhash::fast::FixedState;
use smallvec::SmallVec;

use crate::auto_cdc::AutoCdc;
use crate::event::{Order, Version};
use crate::log::{Forgotten, Log};
use crate::row::Row;
use crate::rules::Rules;
use crate::scd2;
use crate::store::{Known, Rows};
use crate::value::Value;

/// What is known of a key: all its events, in the order of arrival.
#[derive(Default)]
pub(crate) struct Beliefs {
    versions: Vec<Version>,
    /// How many came in earlier batches.
    settled: usize,
    /// What was derived when the rows were last shown.
    derived: Derived,
}

/// The beliefs that follow from some of the events.
#[derive(Default)]
struct Derived {
    /// How many events: the first ones.
    events: usize,
    /// Their system times, ascending, each with its value.
    times: Vec<(Order, Value)>,
    beliefs: Vec<Belief>,
}

/// The places of the beliefs that are held at a system time, by row; a row may occur twice.
type Held = HashMap<Row, SmallVec<[usize; 1]>, FixedState>;

/// A row with its bounds, and the system times at which it is believed, as places.
struct Belief {
    row: Row,
    first: usize,
    last: usize,
}

impl Known for Beliefs {
    fn newest(&self) -> Option<&Version> {
        self.versions[..self.settled].iter().max_by(|left, right| left.order.cmp(&right.order))
    }

    fn incoming(&self) -> Option<&Version> {
        self.versions[self.settled..].last()
    }

    fn receive<M: AutoCdc + ?Sized>(&mut self, _rules: &Rules<'_, M>, version: Version) {
        self.versions.push(version);
    }

    fn settle<M: AutoCdc + ?Sized>(&mut self, _rules: &Rules<'_, M>) {
        self.settled = self.versions.len();
    }

    fn expire(&mut self, is_expired: impl Fn(&Version) -> bool) -> Forgotten {
        self.versions.retain(|version| !(version.is_delete() && is_expired(version)));
        if mem::replace(&mut self.settled, self.versions.len()) == self.versions.len() {
            return Forgotten::Nothing;
        }
        self.derived = Derived::default();
        if self.versions.is_empty() { Forgotten::Everything } else { Forgotten::Something }
    }

    /// A row for each stretch of system times at which a row of the history is believed.
    fn show<M: AutoCdc + ?Sized>(&mut self, rules: &Rules<'_, M>, rows: &mut Rows) {
        self.derive(rules);
        let Derived { times, beliefs, .. } = &self.derived;
        let Some(plan) = self.versions.first().map(|version| rules.plan(version)) else { return };
        rows.extend(beliefs.iter().map(|Belief { row, first, last }| {
            let end = rules.model.system_ends_at(plan, *last, times.len());
            let bound = |time: usize| times[time].1.clone();
            row.iter().cloned().chain([bound(*first), end.map(bound).unwrap_or_default()]).collect()
        }));
    }
}

impl Beliefs {
    /// Brings the beliefs up to date: from the first system time on at which something new is believed.
    fn derive<M: AutoCdc + ?Sized>(&mut self, rules: &Rules<'_, M>) {
        let believes = |version: &Version, at: &Order| rules.model.believes(rules.plan(version), version, at);
        let times = self.times(rules);
        let Derived { events, times: known, mut beliefs } = mem::take(&mut self.derived);
        let common = times.iter().zip(&known).take_while(|(time, known)| time.0 == known.0).count();
        let has_news = |time: &usize| self.versions[events..].iter().any(|it| believes(it, &times[*time].0));
        let first = (0..common).find(has_news).unwrap_or(common);

        beliefs.retain_mut(|belief| {
            belief.last = belief.last.min(first.saturating_sub(1));
            belief.first < first
        });
        let mut held = Held::default();
        for (place, belief) in beliefs.iter().enumerate().filter(|(_, belief)| belief.last + 1 == first) {
            held.entry(belief.row.clone()).or_default().push(place);
        }
        for (time, (at, _)) in times.iter().enumerate().skip(first) {
            let mut log = Log::default();
            for version in self.versions.iter().filter(|version| believes(version, at)) {
                log.receive(version.clone());
            }
            log.settle(rules);
            let mut holds = Held::default();
            scd2::show(rules, &mut log, |row| {
                let place = match held.get_mut(&row) {
                    Some(places) if !places.is_empty() => places.remove(0),
                    _ => {
                        beliefs.push(Belief { row: row.clone(), first: time, last: time });
                        beliefs.len() - 1
                    }
                };
                beliefs[place].last = time;
                holds.entry(row).or_default().push(place);
            });
            held = holds;
        }
        self.derived = Derived { events: self.versions.len(), times, beliefs };
    }

    /// The system times, ascending, each with its value.
    fn times<M: AutoCdc + ?Sized>(&self, rules: &Rules<'_, M>) -> Vec<(Order, Value)> {
        let value = |version: &Version| rules.plan(version).system_value(&version.event);
        let times = self.versions.iter().filter_map(|it| Some(((**it.system.as_ref()?).clone(), value(it))));
        let mut times: Vec<(Order, Value)> = times.collect();
        times.sort_by(|(left, _), (right, _)| left.cmp(right));
        times.dedup_by(|(left, _), (right, _)| left == right);
        times
    }
}

//! Feeds at random, of a wanted size: what somebody might confuse is likelier than it is in life.

use cdc_core::{Arrival, Event, Plan};

use super::draft::{BatchDraft, Draft, FeedDraft, key, ties};
use super::kind::Kind;
use super::pools::{Meant, Pools, Use};
use super::style::{Dice, Style};

/// How often something else is drawn where a feed shouldn't have what came out.
const REDRAWN: usize = 4;

/// Makes feeds for the flows of a target.
pub(super) struct Maker<'a> {
    pub(super) plans: &'a [Plan],
    pub(super) pools: &'a Pools,
    dice: Dice,
}

impl<'a> Maker<'a> {
    pub(super) fn new(plans: &'a [Plan], pools: &'a Pools, seed: u64) -> Self {
        Self { plans, pools, dice: Dice::new(seed) }
    }

    /// A feed of so many checkpoints and at most so many events.
    pub(super) fn feed(&mut self, kind: Kind, checkpoints: usize, events: usize) -> FeedDraft {
        let mut style = Style::new(&mut self.dice, self.pools, kind);
        let mut feed = FeedDraft::default();
        for (number, size) in self.sizes(checkpoints, events).into_iter().enumerate() {
            let flow = self.dice.below(self.plans.len());
            let seconds = if self.dice.chance(12) { self.dice.below(self.pools.seconds.len()) } else { 0 };
            let version = self.version(&style, &feed, flow, number);
            feed.batches.push(BatchDraft { flow, seconds, version, events: Vec::with_capacity(size) });
            for _ in 0..size {
                let event = if self.plans[flow].reads_snapshots() {
                    self.snapshot_row(&mut style, &feed)
                } else {
                    Some(self.event(&mut style, &feed))
                };
                feed.batches[number].events.extend(event);
            }
        }
        feed
    }

    /// How many events each batch has: of events at least one.
    fn sizes(&mut self, checkpoints: usize, events: usize) -> Vec<usize> {
        let is_snapshot = self.plans.iter().any(Plan::reads_snapshots);
        let least = usize::from(!is_snapshot);
        let mut sizes = vec![least; checkpoints];
        for _ in least * checkpoints..events {
            sizes[self.dice.below(checkpoints)] += 1;
        }
        sizes
    }

    fn version(&mut self, style: &Style, feed: &FeedDraft, flow: usize, number: usize) -> Option<usize> {
        let pool = self.pools.versions[flow].as_ref()?;
        let last = feed.batches.iter().filter(|batch| batch.flow == flow).filter_map(|batch| batch.version);
        if style.has_odd_nulls && self.dice.chance(15) {
            return Some(pool.null);
        }
        if number != 0 && self.dice.chance(4) {
            return None;
        }
        let theme = &pool.themes[style.versions[flow]];
        match last.max_by_key(|&place| &pool.values[place]) {
            _ if style.kind == Kind::Refused && self.dice.chance(30) => {
                Some(theme[self.dice.below(theme.len())])
            }
            None => theme.iter().copied().min_by_key(|&place| &pool.values[place]),
            Some(last) => {
                let later = theme.iter().copied().filter(|&place| pool.values[last] < pool.values[place]);
                later.take(2).max_by_key(|_| self.dice.any())
            }
        }
    }

    /// A row of the last batch, a snapshot.
    fn snapshot_row(&mut self, style: &mut Style, feed: &FeedDraft) -> Option<Draft> {
        let (now, earlier) = feed.batches.split_last()?;
        let before = earlier.iter().rev().find(|batch| batch.flow == now.flow);
        for _ in 0..REDRAWN {
            let mut row = match before {
                Some(before) if !before.events.is_empty() && self.dice.chance(60) => {
                    let mut row = before.events[self.dice.below(before.events.len())].clone();
                    if self.dice.chance(40) {
                        style.change_one(&mut self.dice, self.pools, &mut row);
                    }
                    row
                }
                _ => self.fresh(style, now.flow, Meant::Upsert),
            };
            if style.has_odd_nulls
                && self.dice.chance(10)
                && let Some(&column) = self.pools.of_use(Use::Key).first()
            {
                row[column] = self.pools.columns[column].null;
            }
            let is_taken = now.events.iter().any(|other| key(self.pools, other) == key(self.pools, &row));
            if !is_taken || (style.kind == Kind::Refused && self.dice.chance(30)) {
                return Some(row);
            }
        }
        None
    }

    /// An event of the last batch.
    fn event(&mut self, style: &mut Style, feed: &FeedDraft) -> Draft {
        let earlier: Vec<(usize, &Draft)> = feed
            .batches
            .iter()
            .flat_map(|batch| batch.events.iter().map(move |event| (batch.flow, event)))
            .collect();
        let flow = feed.batches.last().map_or(0, |batch| batch.flow);
        let of_flow: Vec<&Draft> =
            earlier.iter().filter(|(other, _)| *other == flow).map(|(_, event)| *event).collect();
        if !of_flow.is_empty() && self.dice.chance(style.copies) {
            return of_flow[self.dice.below(of_flow.len())].clone();
        }
        let meant = self.meaning(style, flow);
        let mut event = self.fresh(style, flow, meant);
        // Another event of the key with its values, or all but one of them.
        let last = of_flow.iter().rev().find(|other| key(self.pools, other) == key(self.pools, &event));
        if let Some(last) = last
            && meant == Meant::Upsert
            && self.dice.chance(35)
        {
            for (column, &place) in last.iter().enumerate() {
                if self.pools.uses[column] == Use::Payload {
                    event[column] = place;
                }
            }
            if self.dice.coin() {
                style.change_one(&mut self.dice, self.pools, &mut event);
            }
            self.write(flow, meant, &mut event);
        }
        if style.kind == Kind::Tied {
            if let Some(last) = last.filter(|_| self.dice.chance(40)) {
                for column in self.pools.of_use(Use::Order) {
                    event[column] = last[column];
                }
            }
            return event;
        }
        for _ in 0..REDRAWN {
            let Some(other) = earlier.iter().find(|other| self.tied((flow, &event), **other)) else {
                return event;
            };
            if of_flow.contains(&other.1) && self.dice.chance(15) {
                return other.1.clone();
            }
            for column in self.pools.of_use(Use::Order) {
                event[column] = style.place_in_order(&mut self.dice, self.pools, column);
            }
        }
        event
    }

    /// An event of new values.
    fn fresh(&mut self, style: &mut Style, flow: usize, meant: Meant) -> Draft {
        let mut event = style.keys[self.dice.below(style.keys.len())].clone();
        for (column, place) in event.iter_mut().enumerate() {
            let pool = &self.pools.columns[column];
            match self.pools.uses[column] {
                Use::Key => {}
                Use::Order => *place = style.place_in_order(&mut self.dice, self.pools, column),
                Use::Payload | Use::List | Use::Condition => {
                    let nulls = if meant == Meant::Upsert { style.nulls } else { 40 };
                    let is_null = self.pools.uses[column] == Use::Payload && self.dice.chance(nulls);
                    *place =
                        if is_null { pool.null } else { style.of_theme(&mut self.dice, self.pools, column) };
                }
            }
        }
        self.write(flow, meant, &mut event);
        event
    }

    /// Makes an event ask for what is meant.
    fn write(&mut self, flow: usize, meant: Meant, event: &mut Draft) {
        let ways = &self.pools.ways[flow][meant as usize];
        if ways.is_empty() {
            return;
        }
        let way = if self.dice.chance(70) { 0 } else { self.dice.below(ways.len()) };
        ways[way].iter().for_each(|&(column, place)| event[column] = place);
    }

    fn meaning(&mut self, style: &Style, flow: usize) -> Meant {
        let ways = &self.pools.ways[flow];
        let can = |meant: Meant| !ways[meant as usize].is_empty();
        if can(Meant::Delete) && self.dice.chance(style.deletes) {
            Meant::Delete
        } else if can(Meant::Truncate) && self.dice.chance(style.deletes / 2) {
            Meant::Truncate
        } else if can(Meant::Unknown) && self.dice.chance(5) {
            Meant::Unknown
        } else {
            Meant::Upsert
        }
    }

    /// Whether two events that differ share key and sequence.
    fn tied(&self, one: (usize, &Draft), other: (usize, &Draft)) -> bool {
        let event = |(flow, draft): (usize, &Draft)| {
            let values =
                self.pools.columns.iter().zip(draft).map(|(pool, &place)| pool.values[place].clone());
            (&self.plans[flow], Event { values: values.collect(), arrival: Arrival { batch: 0, row: 0 } })
        };
        let ((plan, one), (other_plan, other)) = (event(one), event(other));
        ties((plan, &one), (other_plan, &other))
    }
}

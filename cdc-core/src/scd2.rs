//! SCD type 2: the history of a key, derived from all its events.
//!
//! Sorted by the sequence, upserts that agree in the tracked columns form a run; a run is a row. A late
//! event changes runs that were there before, so the events stay and the rows are derived anew.

use crate::auto_cdc::{AutoCdc, Change};
use crate::event::{Image, Version};
use crate::log::{Forgotten, Log};
use crate::row::Row;
use crate::rules::{FlowRules, Rules};
use crate::store::{Known, Rows};
use crate::value::Value;

/// What is known of a key: all its events.
#[derive(Default)]
pub(crate) struct History(Log);

/// A row of the history: the first and the last event of a run, as places in the history.
struct Span {
    first: usize,
    last: usize,
}

impl Known for History {
    fn newest(&self) -> Option<&Version> {
        self.0.newest()
    }

    fn incoming(&self) -> Option<&Version> {
        self.0.incoming()
    }

    fn receive<M: AutoCdc + ?Sized>(&mut self, _rules: &Rules<'_, M>, version: Version) {
        self.0.receive(version);
    }

    /// Ends a batch: its events take their places, and what isn't remembered is forgotten.
    fn settle<M: AutoCdc + ?Sized>(&mut self, rules: &Rules<'_, M>) {
        let model = rules.model;
        let first = self.0.settle(rules);
        // The event before the first new one has a new neighbour.
        self.0.forget(first.saturating_sub(1), |versions, place| {
            let version = &versions[place];
            let before = place.checked_sub(1).map(|before| &versions[before]);
            let plan = rules.plan(version);
            if !version.is_delete() {
                return !model.remembers(plan, before, version, versions.get(place + 1));
            }
            let closes_nothing = before.is_none_or(Version::is_delete);
            closes_nothing && !model.keeps_tombstone(plan, version, before.map(Version::arrival))
        });
    }

    /// Those that close no row: the others are known by the end of the row.
    fn expire(&mut self, is_expired: impl Fn(&Version) -> bool) -> Forgotten {
        self.0.forget(0, |versions, place| {
            let closes_nothing = place.checked_sub(1).is_none_or(|before| versions[before].is_delete());
            closes_nothing && versions[place].is_delete() && is_expired(&versions[place])
        })
    }

    fn show<M: AutoCdc + ?Sized>(&mut self, rules: &Rules<'_, M>, rows: &mut Rows) {
        show(rules, &mut self.0, |row| rows.push(row));
    }
}

/// A row for each run.
pub(crate) fn show<M: AutoCdc + ?Sized>(rules: &Rules<'_, M>, log: &mut Log, mut push: impl FnMut(Row)) {
    let model = rules.model;
    let images = log.images(rules);
    let (history, spans) = spans(rules, &images);
    let row = |values: Row, start: Value, end: Option<Value>| {
        values.iter().cloned().chain([start, end.unwrap_or_default()]).collect()
    };

    // A row most often starts where the one before it ended.
    let mut last_bound: Option<(usize, Value)> = None;
    let mut bound = |place: usize| match &last_bound {
        Some((known, value)) if *known == place => value.clone(),
        _ => {
            let version = history[place].version;
            last_bound.insert((place, model.bound_of(rules.plan(version), version))).1.clone()
        }
    };
    for Span { first, last } in spans {
        let plan = rules.plan(history[last].version);
        let end = model.ends_at(plan, &history, last);
        let values = model.shows(plan, history[first], history[last], end.map(|end| history[end]));
        push(row(values, bound(first), end.map(&mut bound)));
    }
    for (place, delete) in history.iter().enumerate().filter(|(_, image)| image.is_delete()) {
        let plan = rules.plan(delete.version);
        if let Some(values) = model.leaves_behind(plan, delete) {
            push(row(values, bound(place), None));
        }
    }
}

/// The events that leave a trace, and the runs among them.
fn spans<'a, M: AutoCdc + ?Sized>(
    rules: &Rules<'_, M>,
    images: &'a [Image<'a>],
) -> (Vec<&'a Image<'a>>, Vec<Span>) {
    let mut history: Vec<&Image<'_>> = Vec::with_capacity(images.len());
    let mut spans: Vec<Span> = Vec::new();
    let mut is_open = false;
    for (place, image) in images.iter().enumerate() {
        let here = history.len();
        if image.is_delete() {
            history.push(image);
            is_open = false;
            continue;
        }
        let open = spans.last().filter(|_| is_open).map(|span| history[span.last]);
        let FlowRules { plan, tracked, .. } = rules.of(image.version);
        match (rules.model.change(plan, tracked, &images[..place], open, image), spans.last_mut()) {
            (Change::Nothing, _) => continue,
            (Change::Closes, _) => {
                history.push(image);
                is_open = false;
                continue;
            }
            (Change::Extends, Some(span)) => span.last = here,
            (Change::Extends, None) | (Change::Opens, _) => spans.push(Span { first: here, last: here }),
        }
        history.push(image);
        is_open = true;
    }
    (history, spans)
}

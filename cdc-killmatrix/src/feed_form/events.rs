//! Faults of the events, and of what says what they do.

use std::collections::{BTreeMap, BTreeSet};

use cdc_core::{AutoCdc as _, Event, Flow, Key, Operation, Plan, Reference, Row, Value, needs};

use super::clauses::read;
use super::known::Known;
use super::walk::Step;
use super::{Made, walk};
use crate::fixture::Fixture;

/// The delete condition is dropped; a row that a snapshot lacks stays in it.
pub(super) fn ignored_deletes(fixture: &Fixture) -> Result<Made, String> {
    let plans = walk::plans(fixture, |plan| {
        Ok((Flow { apply_as_deletes: None, ..plan.flow().clone() }, plan.schema().clone()))
    })?;
    let mut snapshots: BTreeMap<usize, Vec<(Key, Row)>> = BTreeMap::new();
    let feed = walk::feed(fixture, |step| {
        if step.is_fresh {
            snapshots.clear();
        }
        if !step.is_taken || step.batch.delivery.version.is_none() || !step.plan.reads_snapshots() {
            return walk::same(&step);
        }
        let key = |event: &Event| Some((Reference.key_of(step.plan, event)?, event.values.clone()));
        let mut rows: Vec<(Key, Row)> = step.batch.events.iter().filter_map(key).collect();
        let known: BTreeSet<Key> = rows.iter().map(|(key, _)| key.clone()).collect();
        let last = snapshots.entry(step.batch.delivery.flow).or_default();
        rows.extend(last.drain(..).filter(|(key, _)| !known.contains(key)));
        last.clone_from(&rows);
        rows.into_iter().map(|(_, row)| row).collect()
    })?;
    Ok(Made::alike(plans, feed))
}

/// The events exchange the values of two columns.
pub(super) fn swapped_columns(fixture: &Fixture) -> Result<Made, String> {
    let mut places = Vec::new();
    for plan in &fixture.plans {
        let pair = needs::first_columns_of_one_type(plan).ok_or("no two payload columns have one type")?;
        let (first, second) = (plan.output()[pair.0], plan.output()[pair.1]);
        if read(plan, first) || read(plan, second) {
            return Err("a clause reads a column that would be exchanged".to_owned());
        }
        places.push((first, second));
    }
    let feed = walk::feed(fixture, |step| {
        let (first, second) = places[step.batch.delivery.flow];
        let swapped = |row: Row| {
            let mut values = row.to_vec();
            values.swap(first, second);
            Row::from(values)
        };
        walk::same(&step).into_iter().map(swapped).collect()
    })?;
    Ok(Made::alike(fixture.plans.clone(), feed))
}

/// A null says what the upserts before it said, of those that have arrived with its batch; not across a delete.
pub(super) fn kept_nulls(fixture: &Fixture) -> Result<Made, String> {
    if fixture.plans.iter().enumerate().any(|(flow, plan)| fills_what_is_read(fixture, flow, plan)) {
        return Err("a clause reads a column in which a null would be filled".to_owned());
    }
    let mut known = Known::default();
    let feed = walk::feed(fixture, |step| {
        if step.is_fresh {
            known = Known::default();
        }
        if !step.is_taken {
            return walk::same(&step);
        }
        let flow = step.batch.delivery.flow;
        let of_snapshot = step.plan.reads_snapshots();
        let events = if of_snapshot { step.run.snapshot_feed(flow) } else { step.batch.events };
        known.learn(step.plan, flow, events);
        step.batch.events.iter().map(|event| filled(fixture, &known, &step, event)).collect()
    })?;
    Ok(Made::alike(fixture.plans.clone(), feed))
}

/// Whether an upsert leaves something unsaid in a column that a clause reads: filled, it might be another event.
fn fills_what_is_read(fixture: &Fixture, flow: usize, plan: &Plan) -> bool {
    let columns = plan.payload().map(|column| plan.output()[column]);
    let columns: Vec<usize> = columns.filter(|&column| read(plan, column)).collect();
    let batches = (0..fixture.feed.batches()).map(|number| fixture.feed.batch(number));
    let mut events = batches.filter(|batch| batch.delivery.flow == flow).flat_map(|batch| batch.events);
    !columns.is_empty()
        && events.any(|event| {
            let is_upsert = Reference.operation_of(plan, event) == Ok(Operation::Upsert);
            is_upsert && columns.iter().any(|&column| has_gap(&event.values[column]))
        })
}

fn has_gap(value: &Value) -> bool {
    match value {
        Value::Struct(fields) => fields.iter().any(has_gap),
        value => value.is_null(),
    }
}

fn filled(fixture: &Fixture, known: &Known, step: &Step<'_>, event: &Event) -> Row {
    let (plan, flow) = (step.plan, step.batch.delivery.flow);
    let mut event = event.clone();
    let width = event.values.len();
    if plan.reads_snapshots() {
        // As the row comes into the feed: with the version, and not missing.
        let added = [step.batch.delivery.version.clone().unwrap_or_default(), Value::Boolean(false)];
        event.values = event.values.iter().cloned().chain(added).collect();
    }
    let gives = |plan: &Plan, event: &Event, column| Reference.gives(plan, event, column);
    let mut values = event.values.to_vec();
    let may_fill: Vec<usize> = plan.payload().filter(|&column| gives(plan, &event, column)).collect();
    for earlier in known.before(plan, flow, &event) {
        let of_earlier = &fixture.plans[earlier.flow];
        for &column in &may_fill {
            if gives(of_earlier, &earlier.event, column) {
                let value = &mut values[plan.output()[column]];
                *value = value.laid_over(&earlier.event.values[of_earlier.output()[column]]);
            }
        }
    }
    values.truncate(width);
    values.into()
}

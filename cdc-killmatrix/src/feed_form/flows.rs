//! Faults of the definition, some with a column that the source doesn't have.

use std::iter;

use cdc_core::{DataType, Flow, Plan, Row, ScdType, Schema, Value};

use super::clauses::{unused, written};
use super::{Made, walk};
use crate::fixture::Fixture;

/// The only key is a column that says the same everywhere.
///
/// The source's key becomes a column like others. It shows what the event that wins says, as the model has it; but an
/// update that lists its columns need not give it, so it isn't compared. History isn't tracked on it, as on no key.
pub(super) fn collapsed_key(fixture: &Fixture) -> Result<Made, String> {
    let name = unused(&fixture.plans, "killmatrix_key");
    let plans = walk::plans(fixture, |plan| {
        let mut flow = Flow { keys: vec![written(&name)], ..plan.flow().clone() };
        if let Some(list) = listed(&mut flow.column_list) {
            list.push(written(&name));
        }
        if plan.scd_type() != ScdType::One {
            let untracked = (0..plan.output().len()).filter(|&column| !plan.tracks(column));
            let untracked = untracked.map(|column| written(&plan.target()[column].name));
            flow.track_history_column_list = None;
            flow.track_history_except_column_list = Some(untracked.collect());
        }
        Ok((flow, with_column(plan, &name)?))
    })?;
    let feed = walk::feed(fixture, |step| {
        let row = |row: Row| with_value(&row, Value::Int(1));
        walk::same(&step).into_iter().map(row).collect()
    })?;
    let plan = fixture.plan();
    let keys = plan.target_keys().iter().map(|&key| plan.target()[key].name.clone());
    Ok(Made { plans, feed, hidden: vec![name], uncompared: keys.collect() })
}

/// The sequence is a column that counts the events as they arrive.
///
/// In a history the source's sequence comes after it, so that the bounds say that as well.
pub(super) fn arrival_order(fixture: &Fixture) -> Result<Made, String> {
    if fixture.plans.iter().any(Plan::reads_snapshots) {
        return Err("the target has snapshots, which come in the order of their versions".to_owned());
    }
    let is_history = fixture.plan().scd_type() != ScdType::One;
    if is_history && fixture.plans.iter().any(|plan| !sequence_names(plan).eq(sequence_names(fixture.plan())))
    {
        return Err("the flows' sequences have other names, and the bounds would show them".to_owned());
    }
    let name = unused(&fixture.plans, "killmatrix_arrival");
    let plans = walk::plans(fixture, |plan| {
        let mut flow = plan.flow().clone();
        flow.sequence_by = if is_history {
            let fields: Vec<String> = iter::once(&*name).chain(sequence_names(plan)).map(written).collect();
            format!("struct({})", fields.join(", "))
        } else {
            name.clone()
        };
        if listed(&mut flow.column_list).is_none() {
            flow.except_column_list.get_or_insert_default().push(name.clone());
        }
        Ok((flow, with_column(plan, &name)?))
    })?;
    let mut positions = 1..;
    let feed = walk::feed(fixture, |step| {
        let rows = walk::same(&step).into_iter().zip(&mut positions);
        rows.map(|(row, position)| with_value(&row, Value::Int(position))).collect()
    })?;
    let bounds = Plan::BOUNDS.iter().filter(|_| is_history);
    let hidden = bounds.map(|bound| format!("{bound}.{name}")).collect();
    Ok(Made { plans, feed, hidden, uncompared: Vec::new() })
}

/// The sequence is the first column of `struct(a, b)`. A history's bounds say no more, and no more of them is compared.
///
/// In a bitemporal table two rows may differ in nothing but the rest.
pub(super) fn ignored_tie_breaker(fixture: &Fixture) -> Result<Made, String> {
    if fixture.plan().scd_type() == ScdType::Bitemporal {
        return Err("the rows of a bitemporal table may differ in the rest of the sequence alone".to_owned());
    }
    let plans = walk::plans(fixture, |plan| match plan.sequence() {
        [first, _, ..] => {
            let sequence_by = written(&plan.feed()[*first].name);
            Ok((Flow { sequence_by, ..plan.flow().clone() }, plan.schema().clone()))
        }
        _ => Err("the sequence is one column, of which nothing can be cut".to_owned()),
    })?;
    let plan = fixture.plan();
    let bounds = Plan::BOUNDS.iter().filter(|_| plan.scd_type() != ScdType::One);
    let uncompared = bounds
        .flat_map(|bound| sequence_names(plan).skip(1).map(move |column| format!("{bound}.{column}")))
        .collect();
    Ok(Made { uncompared, ..Made::alike(plans, fixture.feed.clone()) })
}

/// The lists of tracked columns are dropped.
pub(super) fn tracked_sync_noise(fixture: &Fixture) -> Result<Made, String> {
    let plans = walk::plans(fixture, |plan| {
        let flow = plan.flow().clone();
        let flow = Flow { track_history_column_list: None, track_history_except_column_list: None, ..flow };
        Ok((flow, plan.schema().clone()))
    })?;
    Ok(Made::alike(plans, fixture.feed.clone()))
}

/// The columns of the sequence.
fn sequence_names(plan: &Plan) -> impl Iterator<Item = &str> {
    plan.sequence().iter().map(|&column| &*plan.feed()[column].name)
}

/// The names of a list, if it has some: an empty one counts as left out.
fn listed(list: &mut Option<Vec<String>>) -> Option<&mut Vec<String>> {
    list.as_mut().filter(|names| !names.is_empty())
}

/// The source with a column of whole numbers after its own.
fn with_column(plan: &Plan, name: &str) -> Result<Schema, String> {
    let own = plan.schema().iter().map(|column| (column.name.clone(), column.data_type.clone()));
    Schema::new(own.chain([(name.to_owned(), DataType::BigInt)]))
        .map_err(|name| format!("`{name}` is there twice"))
}

fn with_value(row: &Row, value: Value) -> Row {
    row.iter().cloned().chain([value]).collect()
}

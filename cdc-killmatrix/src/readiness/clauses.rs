//! In which clauses two flows differ, as advice: what to change in the one to come to the other.

use cdc_core::{DataType, Dialect, Plan, ScdType};

use super::spoken::listed;
use crate::fixture::Fixture;
use crate::words::counted;

/// What to change in a flow to come to another one, a sentence without its end for each clause that differs.
///
/// The clauses are compared as they work, not as they are written: a list of columns and its complement are one.
pub(super) fn changes(from: &Fixture, to: &Fixture) -> Vec<String> {
    if from.plans.len() != to.plans.len() {
        return vec![format!("let {} write into it", counted(to.plans.len(), "flow"))];
    }
    let mut changes = Vec::new();
    for (place, (one, other)) in from.plans.iter().zip(&to.plans).enumerate() {
        let of_flow = of_plan(one, other);
        changes.extend(of_flow.into_iter().map(|change| match to.flows.get(place) {
            Some(name) => format!("{change} in the flow {name}"),
            None => change,
        }));
    }
    changes
}

fn of_plan(from: &Plan, to: &Plan) -> Vec<String> {
    let mut changes = Vec::new();
    changes.extend(keys(from, to));
    changes.extend(sequence(from, to));
    changes.extend(system_sequence(from, to));
    changes.extend(nulls(from, to));
    changes.extend(columns_to_update(from, to));
    let (deletes, other) = (&from.flow().apply_as_deletes, &to.flow().apply_as_deletes);
    changes.extend(condition("deletes", deletes.as_deref(), other.as_deref()));
    let (truncates, other) = (&from.flow().apply_as_truncates, &to.flow().apply_as_truncates);
    changes.extend(condition("truncates", truncates.as_deref(), other.as_deref()));
    changes.extend(columns(from, to));
    changes.extend(storage(from, to));
    changes.extend(tracking(from, to));
    changes.extend(others(from, to));
    changes
}

fn names(plan: &Plan, columns: &[usize]) -> Vec<String> {
    columns.iter().map(|&column| plan.feed()[column].name.clone()).collect()
}

fn keys(from: &Plan, to: &Plan) -> Option<String> {
    let (old, new) = (names(from, from.keys()), names(to, to.keys()));
    (old != new).then(|| format!("identify rows by {} instead of {}", listed(&new), listed(&old)))
}

/// The sequence as it is written: a column, or `struct(a, b)`.
pub(super) fn sequence_of(plan: &Plan) -> String {
    let names = names(plan, plan.sequence());
    if plan.sequence_is_struct() { format!("struct({})", names.join(", ")) } else { names.concat() }
}

fn sequence(from: &Plan, to: &Plan) -> Option<String> {
    let (old, new) = (sequence_of(from), sequence_of(to));
    // The versions of snapshots are no clause.
    if old == new || from.reads_snapshots() || to.reads_snapshots() {
        return None;
    }
    let is_clock = |plan: &Plan| match plan.sequence() {
        &[column] => matches!(
            plan.feed()[column].data_type,
            DataType::Timestamp | DataType::TimestampNtz | DataType::Date
        ),
        _ => false,
    };
    Some(if to.sequence_is_struct() && !from.sequence_is_struct() {
        format!("use a composite sequence, {new} instead of {old}")
    } else if is_clock(from) && is_clock(to) {
        format!("take the business clock, sequence by {new} instead of {old}")
    } else {
        format!("sequence by {new} instead of {old}")
    })
}

fn system_sequence(from: &Plan, to: &Plan) -> Option<String> {
    let (old, new) = (&from.flow().system_sequence_by, &to.flow().system_sequence_by);
    if old == new {
        return None;
    }
    new.as_ref().map(|new| format!("take {new} as the time at which an event became known"))
}

/// The columns of the target that a rule holds for, and whether those are all beside the key.
fn those(plan: &Plan, rule: impl Fn(usize) -> bool) -> (Vec<String>, bool) {
    let columns: Vec<usize> = plan.payload().filter(|&column| rule(column)).collect();
    let is_all = columns.len() == plan.payload().count();
    (columns.into_iter().map(|column| plan.target()[column].name.clone()).collect(), is_all)
}

fn nulls(from: &Plan, to: &Plan) -> Option<String> {
    let ((old, was_all), (new, is_all)) =
        (those(from, |column| from.ignores_null(column)), those(to, |column| to.ignores_null(column)));
    if old == new || was_all && is_all {
        return None;
    }
    Some(match (new.as_slice(), is_all) {
        ([], _) => "don't ignore null updates: let a null erase".to_owned(),
        (_, true) => "ignore null updates".to_owned(),
        (new, false) => format!("ignore null updates in {} only", listed(new)),
    })
}

fn columns_to_update(from: &Plan, to: &Plan) -> Option<String> {
    let (old, new) = (&from.flow().columns_to_update, &to.flow().columns_to_update);
    match (old, new) {
        (old, new) if old == new => None,
        (_, Some(new)) => Some(format!("write only the columns that {new} lists")),
        (Some(old), None) => Some(format!("write all columns, whatever {old} lists")),
        (None, None) => None,
    }
}

fn condition(what: &str, from: Option<&str>, to: Option<&str>) -> Option<String> {
    match (from, to) {
        (from, to) if from == to => None,
        (_, Some(to)) => Some(format!("apply {what} when {to}")),
        _ => Some(format!("apply no {what}")),
    }
}

fn columns(from: &Plan, to: &Plan) -> Option<String> {
    let (old, new) = (names(from, from.output()), names(to, to.output()));
    let missing = |of: &[String], other: &[String]| -> Vec<String> {
        of.iter().filter(|name| !other.contains(name)).cloned().collect()
    };
    let (less, more) = (missing(&old, &new), missing(&new, &old));
    match (less.as_slice(), more.as_slice()) {
        ([], []) => None,
        (less, []) => Some(format!("leave {} out of the target", listed(less))),
        ([], more) => Some(format!("take {} into the target", listed(more))),
        (less, more) => {
            Some(format!("leave {} out of the target and take {} into it", listed(less), listed(more)))
        }
    }
}

fn storage(from: &Plan, to: &Plan) -> Option<String> {
    let stored = match to.scd_type() {
        ScdType::One => "SCD type 1",
        ScdType::Two => "SCD type 2",
        ScdType::Bitemporal => "a bitemporal table",
    };
    (from.scd_type() != to.scd_type()).then(|| format!("store it as {stored}"))
}

fn tracking(from: &Plan, to: &Plan) -> Option<String> {
    if from.scd_type() == ScdType::One || to.scd_type() == ScdType::One {
        return None;
    }
    let ((old, _), (new, _)) =
        (those(from, |column| from.tracks(column)), those(to, |column| to.tracks(column)));
    // A column that only one of the targets has is no matter of tracking.
    let missing = |of: Vec<String>, tracked: &[String], plan: &Plan| -> Vec<String> {
        let is_new = |name: &String| !tracked.contains(name) && plan.target().find(name).is_some();
        of.into_iter().filter(is_new).collect()
    };
    let (less, more) = (missing(old.clone(), &new, to), missing(new, &old, from));
    match (less.as_slice(), more.as_slice()) {
        ([], []) => None,
        (less, []) => Some(format!("exclude {} from history", listed(less))),
        ([], more) => Some(format!("track the history of {}", listed(more))),
        (less, more) => {
            Some(format!("exclude {} from history and track that of {}", listed(less), listed(more)))
        }
    }
}

fn others(from: &Plan, to: &Plan) -> Vec<String> {
    let (old, new) = (from.flow(), to.flow());
    let mut changes = Vec::new();
    if old.once != new.once {
        changes.push(if new.once { "run it once" } else { "run it more than once" }.to_owned());
    }
    if old.from_snapshot != new.from_snapshot {
        let source = if new.from_snapshot.is_some() { "snapshots" } else { "changes, not snapshots" };
        changes.push(format!("read {source}"));
    }
    let seconds = new.tombstone_seconds();
    if old.tombstone_seconds() != seconds {
        changes.push(format!("remember deletes for {seconds} seconds"));
    }
    if old.dialect != new.dialect {
        let engine = match new.dialect {
            Dialect::Databricks => "Databricks",
            Dialect::Spark43 => "Spark 4.3",
        };
        changes.push(format!("run it on {engine}"));
    }
    changes
}

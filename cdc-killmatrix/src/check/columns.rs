//! Columns in the target that are there for the flow.

use cdc_core::ScdType;

use super::case::Case;
use super::deletes::holds_operations;
use super::names::{is_of_deletes, is_of_operation};
use crate::finding::{Code, Finding, Severity};
use crate::words::counted;

pub(super) fn rules(case: &Case<'_>) -> Vec<Finding> {
    technical_column(case).into_iter().collect()
}

/// A column of the sequence or of the operation in the target.
fn technical_column(case: &Case<'_>) -> Option<Finding> {
    let payload = case.payload();
    let tracked = if case.plan.scd_type() == ScdType::One { Vec::new() } else { case.tracked() };
    let of_sequence = |column: &usize| case.order.contains(column);
    let of_operation = |column: &usize| {
        let name = case.name(*column);
        !of_sequence(column)
            && (is_of_operation(name) || is_of_deletes(name) || holds_operations(case, *column))
    };
    let harmful: Vec<usize> = payload
        .iter()
        .copied()
        .filter(|column| of_operation(column) || of_sequence(column) && tracked.contains(column))
        .collect();
    let (severity, columns) = if harmful.is_empty() {
        (Severity::Note, payload.iter().copied().filter(of_sequence).collect())
    } else {
        (Severity::Warning, harmful)
    };
    columns.first()?;
    // What orders the events changes with each of them, and says nothing of its own.
    let others: Vec<usize> =
        payload.iter().copied().filter(|column| !columns.contains(column) && !of_sequence(column)).collect();
    let alone = |&(before, after): &(usize, usize)| {
        case.agree(&others, before, after) && !case.agree(&columns, before, after)
    };
    let pairs: Vec<(usize, usize)> = case.updates().filter(alone).collect();
    let shown = pairs.first().copied().or_else(|| case.updates().next());
    let orders = columns.iter().filter(|column| of_sequence(column)).count();
    let purpose = match (orders, columns.len() - orders) {
        (1, 0) => "which orders the events",
        (_, 0) => "which order the events",
        (0, 1) => "which says what an event does",
        (0, _) => "which say what an event does",
        _ => "which order the events or say what they do",
    };
    let effect = match (columns.iter().any(|column| tracked.contains(column)), pairs.len()) {
        (true, 0) => {
            " Such a column opens versions where nothing else changes, for it is tracked.".to_owned()
        }
        (true, count) => {
            let times = counted(count, "update");
            format!(" It is tracked: a version opened where nothing else changed, in {times}.")
        }
        (false, 0) => String::new(),
        (false, count) => format!(" Nothing else changed in {}.", counted(count, "update")),
    };
    let mut tests: Vec<String> = others.iter().map(|&column| case.sql_is_same(column)).collect();
    let same: Vec<String> = columns.iter().map(|&column| case.sql_is_same(column)).collect();
    tests.insert(0, format!("{} AND NOT ({})", case.sql_is_update(), same.join(" AND ")));
    Some(Finding {
        code: Code::TechnicalColumn,
        severity,
        occurrences: pairs.len(),
        events: shown.map(|(before, after)| vec![case.place(before), case.place(after)]).unwrap_or_default(),
        clause: "except_column_list",
        message: format!("The target shows {}, {purpose}.{effect}", case.listed(&columns)),
        remedy: "Leave it out with `except_column_list`, unless readers ask for it; in a target of type 2 at least \
                 out of what is tracked, with `track_history_except_column_list`."
            .to_owned(),
        advice: Vec::new(),
        query: case.sql_of_changes(&tests.join(" AND ")),
    })
}

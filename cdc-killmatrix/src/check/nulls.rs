//! Nulls where none may be, and nulls that may mean "not said".

use super::case::Case;
use crate::finding::{Code, Finding, Severity};
use crate::words::counted;

pub(super) fn rules(case: &Case<'_>) -> Vec<Finding> {
    [null_key(case), null_sequence(case), sparse_update(case)].into_iter().flatten().collect()
}

/// Of all batches, also of those that must be refused: the source delivered them.
fn null_key(case: &Case<'_>) -> Option<Finding> {
    let meant: Vec<usize> = delivered(case, |event| case.has_null_key(event));
    let columns: Vec<usize> = case.plan.keys().to_vec();
    let finding = null(case, Code::NullKey, &meant, &columns)?;
    Some(Finding {
        clause: "keys",
        remedy:
            "Choose columns that are never null, or keep such events out of the feed (and see why they come)."
                .to_owned(),
        ..finding
    })
}

fn null_sequence(case: &Case<'_>) -> Option<Finding> {
    let meant: Vec<usize> = delivered(case, |event| case.has_null_sequence(event));
    let sequence = if case.plan.sequence_is_struct() { &[] } else { case.plan.sequence() };
    let columns: Vec<usize> = sequence.iter().copied().chain(case.plan.system_sequence()).collect();
    let finding = null(case, Code::NullSequence, &meant, &columns)?;
    Some(Finding {
        clause: "sequence_by",
        remedy:
            "Choose a sequence that is never null, or fill it from the source before the flow; a default \
                 such as 0 puts the event before all others of its key."
                .to_owned(),
        ..finding
    })
}

fn delivered(case: &Case<'_>, is_meant: impl Fn(usize) -> bool) -> Vec<usize> {
    let is_row = |&event: &usize| case.is_upsert(event) || case.is_delete(event);
    (0..case.events.len()).filter(is_row).filter(|&event| is_meant(event)).collect()
}

fn null(case: &Case<'_>, code: Code, meant: &[usize], columns: &[usize]) -> Option<Finding> {
    meant.first()?;
    let is_null: Vec<String> =
        columns.iter().map(|&column| format!("{} IS NULL", case.sql_name(column))).collect();
    let what = if code == Code::NullKey { "key" } else { "sequence" };
    Some(Finding {
        code,
        severity: Severity::Error,
        occurrences: meant.len(),
        events: meant.iter().take(2).map(|&event| case.place(event)).collect(),
        clause: "",
        message: format!(
            "The {what} ({}) is null in {}: a batch with such an event is refused as a whole [{}].",
            case.listed(columns),
            counted(meant.len(), "event"),
            code.name().to_uppercase(),
        ),
        remedy: String::new(),
        advice: Vec::new(),
        query: case.sql_of_rows(&is_null.join(" OR ")),
    })
}

/// An update without a value where there was one, while nulls clear.
fn sparse_update(case: &Case<'_>) -> Option<Finding> {
    if case.plan.flow().columns_to_update.is_some() {
        return None;
    }
    let clearing: Vec<usize> = case
        .plan
        .payload()
        .filter(|&column| !case.plan.ignores_null(column))
        .map(|column| case.plan.output()[column])
        .collect();
    let cleared = |(before, after): (usize, usize), column: usize| {
        case.value(after, column).is_null() && !case.value(before, column).is_null()
    };
    let pairs: Vec<(usize, usize)> =
        case.updates().filter(|&pair| clearing.iter().any(|&column| cleared(pair, column))).collect();
    let &(before, after) = pairs.first()?;
    let columns: Vec<usize> =
        clearing.into_iter().filter(|&column| pairs.iter().any(|&pair| cleared(pair, column))).collect();
    let tests: Vec<String> = columns
        .iter()
        .map(|&column| case.sql_name(column))
        .map(|name| format!("{name} IS NULL AND lag({name}) OVER w IS NOT NULL"))
        .collect();
    let condition = format!("{} AND ({})", case.sql_is_update(), tests.join(" OR "));
    Some(Finding {
        code: Code::SparseUpdate,
        severity: Severity::Warning,
        occurrences: pairs.len(),
        events: vec![case.place(before), case.place(after)],
        clause: "ignore_null_updates",
        message: format!(
            "Nulls in {} clear what was there, in {}: right if the source sends whole rows, wrong if it sends only \
             what changed. The first: {}.",
            case.listed(&columns),
            counted(pairs.len(), "update"),
            case.shown(after),
        ),
        remedy: "Ask whether the source leaves out what didn't change. If it does, set `ignore_null_updates`, for \
                 these columns if others may be cleared, or use `columns_to_update`; if a null is meant, nothing is \
                 wrong."
            .to_owned(),
        advice: Vec::new(),
        query: case.sql_of_changes(&condition),
    })
}

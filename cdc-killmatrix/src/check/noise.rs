//! Versions that say nothing.

use cdc_core::ScdType;

use super::case::Case;
use super::names::{is_of_arrival, is_time};
use crate::finding::{Code, Finding, Severity};
use crate::words::counted;

/// So many updates make a habit.
const HABIT: usize = 3;

/// A column that changes in most updates, and how often it changed alone.
pub(super) struct Noise {
    pub(super) columns: Vec<usize>,
    pub(super) pairs: Vec<(usize, usize)>,
    pub(super) updates: usize,
}

pub(super) fn rules(case: &Case<'_>) -> Vec<Finding> {
    sync_noise(case).into_iter().collect()
}

/// What changes in most updates while nothing else does: times and marks of a synchronisation.
pub(super) fn noise(case: &Case<'_>, among: &[usize]) -> Option<Noise> {
    let among: Vec<usize> = among.iter().copied().filter(|column| !case.order.contains(column)).collect();
    let updates: Vec<(usize, usize)> =
        case.updates().filter(|&(before, after)| !case.agree(&among, before, after)).collect();
    let changes = |column: usize| {
        updates.iter().filter(|&&(before, after)| !case.agree(&[column], before, after)).count()
    };
    let is_noisy = |&column: &usize| {
        (is_time(case.data_type(column)) || is_of_arrival(case.name(column)))
            && updates.len() < 2 * changes(column)
    };
    let (columns, others): (Vec<usize>, Vec<usize>) = among.iter().copied().partition(is_noisy);
    let alone = |&(before, after): &(usize, usize)| {
        case.agree(&others, before, after) && !case.agree(&columns, before, after)
    };
    let pairs: Vec<(usize, usize)> = updates.iter().copied().filter(alone).collect();
    let is_habit = HABIT <= pairs.len() && updates.len() < 2 * pairs.len();
    (!others.is_empty() && is_habit).then_some(Noise { columns, pairs, updates: updates.len() })
}

/// Noise that is tracked: each bit of it opens a version.
fn sync_noise(case: &Case<'_>) -> Option<Finding> {
    if case.plan.scd_type() == ScdType::One {
        return None;
    }
    let tracked = case.tracked();
    let Noise { columns, pairs, updates } = noise(case, &tracked)?;
    let &(before, after) = pairs.first()?;
    let others = tracked.iter().filter(|column| !columns.contains(column) && !case.order.contains(column));
    let mut tests = vec![case.sql_is_update()];
    tests.extend(others.map(|&column| case.sql_is_same(column)));
    let same: Vec<String> = columns.iter().map(|&column| case.sql_is_same(column)).collect();
    tests.push(format!("NOT ({})", same.join(" AND ")));
    Some(Finding {
        code: Code::SyncNoise,
        severity: Severity::Warning,
        occurrences: pairs.len(),
        events: vec![case.place(before), case.place(after)],
        clause: "track_history_except_column_list",
        message: format!(
            "Only {} changes in {} of {}, and it is tracked: each of them opens a version that says nothing else.",
            case.listed(&columns),
            pairs.len(),
            counted(updates, "update"),
        ),
        remedy: format!(
            "Leave {} out of what is tracked, with `track_history_except_column_list`; the open version then shows \
             its last value.",
            case.listed(&columns)
        ),
        advice: Vec::new(),
        query: case.sql_of_changes(&tests.join(" AND ")),
    })
}

//! Events of one key and one sequence value: no vendor says which of them wins.

use std::slice;

use super::advice;
use super::case::Case;
use super::tied::{Effect, Group, Tied, groups};
use crate::finding::{Code, Finding, Severity};
use crate::words::{counted, times};

/// How many columns are named with their values.
const SHOWN: usize = 4;

/// Different events: whichever wins, the other is lost. Of all flows into the target.
pub(super) fn conflict(cases: &[Case<'_>]) -> Option<Finding> {
    let groups = groups(cases);
    let conflicts: Vec<(&Group<'_>, (&Tied<'_>, &Tied<'_>))> =
        groups.iter().filter_map(|group| Some((group, group.conflict()?))).collect();
    let &(_, (first, other)) = conflicts.first()?;
    let case = &cases[first.flow];
    let payload: Vec<usize> = case.plan.payload().collect();
    let has_deletes = case.plan.delete_condition().is_some();
    let mut parts = Vec::new();
    if has_deletes {
        parts.push("count(DISTINCT __is_delete) > 1".to_owned());
    }
    if case.plan.truncate_condition().is_some() {
        parts.push("bool_or(__is_truncated AND NOT __is_delete)".to_owned());
    }
    if !payload.is_empty() {
        let row = case.sql_written(&payload);
        let row = if has_deletes { format!("CASE WHEN NOT __is_delete THEN {row} END") } else { row };
        parts.push(format!("count(DISTINCT {row}) > 1"));
    }
    let what = match (&first.effect, &other.effect) {
        (Effect::Writes(one), Effect::Writes(other)) => {
            let differing = payload.iter().copied().filter(|&column| one[column] != other[column]);
            let differing = differing.map(|column| {
                let value = |effect: &[Option<&cdc_core::Value>]| match effect[column] {
                    Some(value) => crate::json::quoted(&value.to_string()),
                    None => "not given".to_owned(),
                };
                format!("{} ({}, {})", case.listed(&[case.plan.output()[column]]), value(one), value(other))
            });
            format!("differ in {}", in_short(&differing.collect::<Vec<String>>()))
        }
        _ if first.is_truncate || other.is_truncate => "are an upsert and a truncate".to_owned(),
        _ => "are an upsert and a delete".to_owned(),
    };
    let all: Vec<&Group<'_>> = conflicts.iter().map(|&(group, _)| group).collect();
    let (remedy, mut advice) = advice::tie_breakers(case, &all);
    if all.iter().any(|group| group.0.iter().any(|tied| tied.flow != first.flow)) {
        advice.push(
            "Some of these events come by different flows into the target: the query counts those of one table \
             only."
                .to_owned(),
        );
    }
    Some(Finding {
        code: Code::Conflict,
        severity: Severity::Error,
        occurrences: all.len(),
        events: vec![first.place, other.place],
        clause: "sequence_by",
        message: format!(
            "Different events have one key and one sequence value, {}: either may win. The first two, {}, {what}.",
            times(all.len()),
            // A truncate has no key.
            if first.is_truncate { cases[other.flow].shown(other.number) } else { case.shown(first.number) },
        ),
        remedy,
        advice,
        query: case.sql_of_ties(&parts.join(" OR ")),
    })
}

/// The first of many things, one after the other.
fn in_short(columns: &[String]) -> String {
    let mut shown = columns.iter().take(SHOWN).cloned().collect::<Vec<String>>();
    if SHOWN < columns.len() {
        shown.push(counted(columns.len() - SHOWN, "more column"));
    }
    shown.join(", ")
}

/// Events that agree in the target, but not in what it leaves out. Of one flow: another one's columns may say
/// the same otherwise.
pub(super) fn tie(case: &Case<'_>) -> Vec<Finding> {
    let groups = groups(slice::from_ref(case));
    let is_tie = |group: &&Group<'_>| {
        group.conflict().is_none() && group.0.iter().all(|tied| tied.effect != Effect::Deletes)
    };
    let pairs: Vec<(usize, usize)> = groups
        .iter()
        .filter(is_tie)
        .filter_map(Group::differing)
        .map(|(first, other)| (first.number, other.number))
        .collect();
    let Some(&(first, other)) = pairs.first() else { return Vec::new() };
    let payload: Vec<usize> = case.plan.payload().collect();
    let all: Vec<usize> = (0..case.plan.schema().len()).collect();
    let differing: Vec<usize> =
        all.iter().copied().filter(|&column| !case.agree(&[column], first, other)).collect();
    let mut parts =
        vec![format!("count(DISTINCT {}) > 1", case.sql_struct(&all)), "NOT bool_or(__is_delete)".to_owned()];
    if !payload.is_empty() {
        parts.push(format!("count(DISTINCT {}) = 1", case.sql_written(&payload)));
    }
    vec![Finding {
        code: Code::Tie,
        severity: Severity::Warning,
        occurrences: pairs.len(),
        events: vec![case.place(first), case.place(other)],
        clause: "sequence_by",
        message: format!(
            "Events of one key and one sequence value agree in the target, {}, but differ in columns that it \
             leaves out. The first two, {}, differ in {}.",
            times(pairs.len()),
            case.shown(first),
            case.listed(&differing),
        ),
        remedy: "If one event was delivered twice, there is nothing to do as long as the target leaves these \
                 columns out. If these are two events of the source, one of its sequence values stands for both: \
                 add what tells their order to the sequence, before they differ in more."
            .to_owned(),
        advice: Vec::new(),
        query: case.sql_of_ties(&parts.join(" AND ")),
    }]
}

//! Five questions to ask of every feed before it goes live, with the answers that definition and events give.

use std::slice;

use cdc_core::{Dialect, ScdType};

use super::case::Case;
use super::names::{is_of_arrival, is_time};
use super::noise::noise;
use super::sequence::unit;
use super::tied::groups;
use crate::finding::{Code, Finding};
use crate::words::{counted, times};

/// A question of the checklist, and its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// What is asked about: `clock`, `ties`, `nulls`, `history model`, `noise`.
    pub about: &'static str,
    /// What definition and events say.
    pub text: String,
}

/// The five answers.
pub(super) fn answers(case: &Case<'_>, findings: &[Finding]) -> Vec<Answer> {
    if case.plan.reads_snapshots() {
        return of_snapshots(case);
    }
    let found = |code: Code| findings.iter().find(|finding| finding.code == code);
    [
        ("clock", clock(case, found(Code::IngestionClock))),
        ("ties", ties(case, found(Code::Conflict), found(Code::Tie))),
        ("nulls", nulls(case, found(Code::SparseUpdate))),
        ("history model", history(case)),
        ("noise", noise_of(case)),
    ]
    .map(|(about, text)| Answer { about, text })
    .into()
}

/// The answers where the source is a table as it stands, again and again.
fn of_snapshots(case: &Case<'_>) -> Vec<Answer> {
    [
        ("clock", "the versions of the snapshots; is each snapshot whole? One that doesn't ascend is refused when it is played".to_owned()),
        ("ties", "none: a key occurs once in a snapshot, or the snapshot is refused".to_owned()),
        ("nulls", "a null is a value like any other; in a key it is refused when it is played".to_owned()),
        ("history model", format!("{}; a row that is missing is deleted", model(case))),
        ("noise", "what changes with each snapshot changes each row".to_owned()),
    ]
    .map(|(about, text)| Answer { about, text })
    .into()
}

fn clock(case: &Case<'_>, finding: Option<&Finding>) -> String {
    let what = |column: usize| {
        let (name, data_type) = (case.listed(&[column]), case.data_type(column));
        let kind = match unit(case, column) {
            _ if is_of_arrival(case.name(column)) => ", a time of arrival by its name".to_owned(),
            Some(unit) if is_time(data_type) => format!(" in whole {unit}s"),
            Some(unit) => format!(", {unit}s since 1970 as it seems"),
            None => String::new(),
        };
        format!("{name} ({data_type}{kind})")
    };
    let sequence: Vec<String> = case.order.iter().map(|&column| what(column)).collect();
    let verdict = match finding {
        Some(finding) => format!("another column disagrees in {}", counted(finding.occurrences, "place")),
        None if case.plan.sequence().iter().any(|&column| is_of_arrival(case.name(column))) => {
            "no other column shows that late events win, but nothing keeps them from it".to_owned()
        }
        None => "is it the source's own order, and does it never go back there?".to_owned(),
    };
    format!("events are ordered by {}; {verdict}", sequence.join(", then "))
}

fn ties(case: &Case<'_>, conflict: Option<&Finding>, tie: Option<&Finding>) -> String {
    let events = counted(case.histories().map(<[usize]>::len).sum::<usize>(), "event");
    let keys = counted(case.histories().count(), "key");
    match (conflict, tie) {
        (Some(conflict), _) => {
            format!("of {events} different ones tie, {}: no vendor orders them", times(conflict.occurrences))
        }
        (None, Some(tie)) => {
            format!("of {events} some tie, {}, with the same row in the target", times(tie.occurrences))
        }
        (None, None) if !groups(slice::from_ref(case)).is_empty() => {
            format!("exact duplicates only, among {events} of {keys}; these events prove no more")
        }
        (None, None) => format!("none among {events} of {keys}; these events prove no more"),
    }
}

fn nulls(case: &Case<'_>, sparse: Option<&Finding>) -> String {
    let payload: Vec<usize> = case.plan.payload().collect();
    let in_source = |columns: Vec<usize>| {
        columns.into_iter().map(|column| case.plan.output()[column]).collect::<Vec<usize>>()
    };
    let (kept, cleared): (Vec<usize>, Vec<usize>) =
        payload.into_iter().partition(|&column| case.plan.ignores_null(column));
    let rule = match (&case.plan.flow().columns_to_update, kept.is_empty(), cleared.is_empty()) {
        (Some(column), ..) => {
            format!("{} says which columns an event writes, nulls included", crate::json::quoted(column))
        }
        (None, true, _) => "a null clears what was there".to_owned(),
        (None, false, true) => "a null keeps what was there".to_owned(),
        (None, false, false) => format!(
            "a null keeps what was there in {}, and clears it elsewhere",
            case.listed(&in_source(kept))
        ),
    };
    match sparse {
        Some(sparse) => format!("{rule}; it does so in {}", counted(sparse.occurrences, "update")),
        None => rule,
    }
}

fn history(case: &Case<'_>) -> String {
    let threshold = case.plan.flow().tombstone_seconds();
    let deletes = match &case.plan.flow().apply_as_deletes {
        None => "no event deletes".to_owned(),
        Some(condition) => {
            let memory = match case.plan.flow().dialect {
                Dialect::Databricks => format!("for {threshold} s"),
                Dialect::Spark43 => "for ever".to_owned(),
            };
            format!("deletes are where {}, remembered {memory}", crate::json::quoted(condition))
        }
    };
    let truncates = match &case.plan.flow().apply_as_truncates {
        None => String::new(),
        Some(condition) => format!("; the table is truncated where {}", crate::json::quoted(condition)),
    };
    format!("{}; {deletes}{truncates}", model(case))
}

fn model(case: &Case<'_>) -> String {
    let tracked = case.tracked();
    match case.plan.scd_type() {
        ScdType::One => "type 1, the newest row of a key and no history".to_owned(),
        ScdType::Two if tracked.is_empty() => {
            "type 2, but no column is tracked: a version ends by a delete only".to_owned()
        }
        ScdType::Two => format!("type 2, a version for each change of {}", case.listed(&tracked)),
        ScdType::Bitemporal => format!("bitemporal, a version for each change of {}", case.listed(&tracked)),
    }
}

fn noise_of(case: &Case<'_>) -> String {
    let is_one = case.plan.scd_type() == ScdType::One;
    let tracked = case.tracked();
    let payload = case.payload();
    let effect = |columns: &[usize]| {
        if is_one {
            "which only costs writes in a table of type 1"
        } else if columns.iter().any(|column| tracked.contains(column)) {
            "and opens versions"
        } else {
            "and is not tracked"
        }
    };
    match noise(case, &payload) {
        Some(noise) => format!(
            "{} changes alone in {} of {}, {}",
            case.listed(&noise.columns),
            noise.pairs.len(),
            counted(noise.updates, "update"),
            effect(&noise.columns)
        ),
        None => "no column changes alone in most updates".to_owned(),
    }
}

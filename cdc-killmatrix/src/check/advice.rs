//! What could break a tie. A column that merely tells events apart still sorts them, possibly wrongly: none is
//! advised for that alone.

use super::case::Case;
use super::query::spelled;
use super::tied::{Group, TieBreakers};

/// How many pairs are listed on which two candidates disagree.
const PAIRS: usize = 3;

/// How many columns of a kind are named.
const NAMED: usize = 6;

/// What to do about events of a case that tie, and what to know before.
pub(super) fn tie_breakers(case: &Case<'_>, groups: &[&Group<'_>]) -> (String, Vec<String>) {
    let TieBreakers { candidates, arrivals, identifiers } = TieBreakers::of(groups);
    let mut advice = Vec::new();
    if let Some((&first, rest)) = candidates.split_first() {
        for &other in rest.iter().take(NAMED - 1) {
            advice.extend(disagreement(case, first, other, groups));
        }
    }
    if !identifiers.is_empty() {
        advice.push(format!(
            "Unfit, though it tells these events apart: {}. An identifier sorts them, but in no order of the source.",
            case.listed(&identifiers)
        ));
    }
    if !arrivals.is_empty() {
        advice.push(format!(
            "Unfit, though it tells these events apart: {}. It is the order in which they arrived.",
            case.listed(&arrivals)
        ));
    }
    (remedy(case, &candidates), advice)
}

fn remedy(case: &Case<'_>, candidates: &[usize]) -> String {
    let Some((&first, rest)) = candidates.split_first() else {
        return "No column of these events could be seen to order them. Ask the source for one that does (a position \
                in its log, the number of the event in its transaction) and make the sequence composite with it."
            .to_owned();
    };
    let fields = case.plan.sequence().iter().chain([&first]);
    let fields: Vec<_> = fields.map(|&column| spelled(case.name(column))).collect();
    let composite = format!("struct({})", fields.join(", "));
    let others = if rest.is_empty() {
        String::new()
    } else {
        format!(" Other candidates: {}.", case.listed(&rest[..rest.len().min(NAMED - 1)]))
    };
    format!(
        "Make the sequence composite, such as `{composite}`, but only if that column follows the source's own order: \
         ask who knows the source.{others}",
    )
}

/// The tied events that two columns order differently.
fn disagreement(case: &Case<'_>, one: usize, other: usize, groups: &[&Group<'_>]) -> Option<String> {
    let mut pairs = Vec::new();
    for Group(group) in groups {
        let mut events: Vec<_> = group.iter().collect();
        events.sort_by(|left, right| left.event.values[one].cmp(&right.event.values[one]));
        // Where two orders differ, they differ in neighbours of either.
        let swapped =
            events.windows(2).filter(|pair| pair[1].event.values[other] < pair[0].event.values[other]);
        pairs.extend(swapped.map(|pair| (pair[0].place, pair[1].place)));
    }
    if pairs.is_empty() {
        return None;
    }
    let shown: Vec<String> =
        pairs.iter().take(PAIRS).map(|(one, other)| format!("{one} and {other}")).collect();
    let more =
        if PAIRS < pairs.len() { format!("; and {} more", pairs.len() - PAIRS) } else { String::new() };
    Some(format!(
        "{} disagree, so at most one of them follows the source: {}{more}.",
        case.listed(&[one, other]),
        shown.join("; ")
    ))
}

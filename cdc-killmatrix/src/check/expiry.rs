//! Upserts that come when the delete which should hide them may be forgotten.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use cdc_core::{Dialect, ScdType, Value};

use super::case::Case;
use super::query::quoted;
use crate::finding::{Code, Finding, Severity};
use crate::words::times;

/// How queries call the column that says when a row arrived.
const ARRIVED: &str = "arrived_at";

/// A delete, and an older upsert that came after it.
struct Late {
    delete: usize,
    upsert: usize,
    /// How long after it, in seconds.
    by: Option<i64>,
}

pub(super) fn rules(case: &Case<'_>) -> Vec<Finding> {
    late_after_expiry(case).into_iter().collect()
}

fn late_after_expiry(case: &Case<'_>) -> Option<Finding> {
    // Spark's deletes are never forgotten, and bitemporal tables hold all that was ever believed.
    if case.plan.flow().dialect == Dialect::Spark43 || case.plan.scd_type() == ScdType::Bitemporal {
        return None;
    }
    let threshold = case.plan.flow().tombstone_seconds();
    let late: Vec<Late> = case.histories().flat_map(|history| late(case, history)).collect();
    let is_expired =
        |late: &&Late| late.by.is_some_and(|by| u64::try_from(by).is_ok_and(|by| threshold < by));
    let expired: Vec<&Late> = late.iter().filter(is_expired).collect();
    let unknown: Vec<&Late> = late.iter().filter(|late| late.by.is_none()).collect();
    let mut advice = Vec::new();
    if case.arrival.is_none() {
        advice.push(format!(
            "In the query `{ARRIVED}` stands for the column of your table that says when a row arrived."
        ));
    }
    if case.plan.scd_type() == ScdType::Two {
        advice.push(
            "The query looks at the neighbours of an event that the table holds now: where others came between \
             them later, or tie with it, it counts fewer."
                .to_owned(),
        );
    }
    let finding = |severity, shown: &[&Late], message: String, remedy: String| {
        let first = shown.first()?;
        Some(Finding {
            code: Code::LateAfterExpiry,
            severity,
            occurrences: shown.len(),
            events: vec![case.place(first.delete), case.place(first.upsert)],
            clause: "tombstone_gc_threshold_seconds",
            message: format!("{message} The first: {}.", case.shown(first.upsert)),
            remedy,
            advice: advice.clone(),
            query: query(case, threshold),
        })
    };
    let sufficient = expired.iter().filter_map(|late| late.by).max();
    if let Some(sufficient) = sufficient {
        return finding(
            Severity::Warning,
            &expired,
            format!(
                "An upsert comes more than {threshold} seconds after a later delete of its key, {}: the delete may be \
                 forgotten by then, and the row comes back.",
                times(expired.len())
            ),
            format!(
                "Set the table property `pipelines.cdc.tombstoneGCThresholdInSeconds` to more than the greatest \
                 lateness; {sufficient} is the least that holds for these events."
            ),
        );
    }
    finding(
        Severity::Note,
        &unknown,
        format!(
            "An upsert comes after a later delete of its key, {}. Whether it comes before the delete is forgotten \
             ({threshold} seconds) can't be told: these events don't say when they arrived.",
            times(unknown.len())
        ),
        "In a fixture say with `advance_seconds` how much time passes before a batch; for a file of events, which \
         column tells their arrival (`--arrival`)."
            .to_owned(),
    )
}

/// The upserts of a key that only the memory of a delete keeps away.
fn late(case: &Case<'_>, history: &[usize]) -> Vec<Late> {
    if !history.iter().any(|&event| case.is_delete(event)) {
        return Vec::new();
    }
    let mut arrivals = history.to_vec();
    arrivals.sort_unstable();
    // By sequence; of a tie the last to arrive.
    let mut seen: BTreeMap<Sequence<'_>, usize> = BTreeMap::new();
    let mut all = Vec::new();
    let is_of_one_batch = |&left: &usize, &right: &usize| {
        let (left, right) = (case.place(left).checkpoint, case.place(right).checkpoint);
        left.is_some() && left == right
    };
    for batch in arrivals.chunk_by(is_of_one_batch) {
        // In a table of type 2 an end of a row is remembered: the delete after the row before the upsert.
        let is_remembered = |event: usize| {
            let before = seen.range(..=sequence(case, event)).next_back();
            case.plan.scd_type() != ScdType::One && before.is_some_and(|(_, &before)| case.is_upsert(before))
        };
        let meant: Vec<usize> =
            batch.iter().copied().filter(|&event| case.is_upsert(event) && !is_remembered(event)).collect();
        seen.extend(batch.iter().map(|&event| (sequence(case, event), event)));
        all.extend(meant.into_iter().filter_map(|upsert| of_upsert(case, &seen, upsert)));
    }
    all
}

/// The delete that hides an upsert, if one of an earlier batch does.
fn of_upsert(case: &Case<'_>, seen: &BTreeMap<Sequence<'_>, usize>, upsert: usize) -> Option<Late> {
    let sequence = sequence(case, upsert);
    let (_, &delete) = match case.plan.scd_type() {
        // In a table of type 1 the last event of the key.
        ScdType::One => seen.last_key_value().filter(|(last, _)| sequence < **last)?,
        // In a table of type 2 the next one.
        ScdType::Two | ScdType::Bitemporal => seen.range(&sequence..).find(|(next, _)| **next != sequence)?,
    };
    let (one, other) = (case.events[delete], case.events[upsert]);
    let is_one_batch = one.place.checkpoint.is_some() && one.place.checkpoint == other.place.checkpoint;
    let by = one.arrived.zip(other.arrived).map(|(one, other)| other.saturating_sub(one));
    (case.is_delete(delete) && !is_one_batch).then_some(Late { delete, upsert, by })
}

fn sequence<'a>(case: &Case<'a>, event: usize) -> Sequence<'a> {
    Sequence(case.order.iter().map(|&column| case.value(event, column)).collect())
}

/// The values of a sequence.
#[derive(PartialEq, Eq)]
struct Sequence<'a>(Vec<&'a Value>);

impl Ord for Sequence<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.cmp(&other.0)
    }
}

impl PartialOrd for Sequence<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

fn query(case: &Case<'_>, threshold: u64) -> String {
    let arrived = case.arrival.map_or_else(|| quoted(ARRIVED), |column| case.sql_name(column));
    if case.plan.scd_type() != ScdType::One {
        return case.sql_of_changes(&format!(
            "NOT __is_delete AND lead(__is_delete) OVER w AND coalesce(lag(__is_delete) OVER w, true) AND \
             lead({arrived}) OVER w + INTERVAL {threshold} SECONDS < {arrived}"
        ));
    }
    let (keys, sequence) = (case.sql_names(case.plan.keys()), case.sql_names(&case.order));
    let newest: Vec<String> =
        case.order.iter().map(|&column| format!("__newest.{}", case.sql_name(column))).collect();
    format!(
        "WITH events AS (\n  SELECT *\n{}\n), compared AS (\n  SELECT *, max_by(struct({sequence}, {arrived}, \
         __is_delete), struct({sequence}))\n    OVER (PARTITION BY {keys} ORDER BY {arrived}) AS __newest\n  FROM \
         events\n)\nSELECT count(*)\nFROM compared\nWHERE NOT __is_delete AND __newest.__is_delete AND \
         struct({sequence}) < struct({}) AND __newest.{arrived} + INTERVAL {threshold} SECONDS < {arrived}",
        case.sql_events(),
        newest.join(", "),
    )
}

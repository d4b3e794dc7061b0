//! The story of a key in a table of type 2: which event opens a row, extends or joins it, ends it.

use std::collections::BTreeMap;

use cdc_core::{Arrival, Change, Row, Version};

use super::teller::{Rule, Teller, listed, name, plural};
use super::witness::Changed;

/// A row of the history: its first and its last event, and the one that ends it.
#[derive(Clone, Copy)]
struct Span {
    first: Arrival,
    last: Arrival,
    end: Option<Arrival>,
}

/// One line an event.
pub(super) fn tell(teller: &mut Teller<'_>) -> Vec<String> {
    let log = teller.log;
    let spans = spans(teller);
    let opened: BTreeMap<Arrival, Span> = spans.iter().map(|span| (span.first, *span)).collect();
    let ended: BTreeMap<Arrival, Span> = spans.iter().filter_map(|span| Some((span.end?, *span))).collect();

    let events = teller.events.clone();
    let late = late(&events);
    let (mut before, mut row): (Option<&Version>, Option<Span>) = (None, None);
    let mut lines = Vec::with_capacity(events.len());
    for (version, is_late) in events.into_iter().zip(late) {
        let arrival = version.arrival();
        if let Some([winner, ..]) = log.losses.get(&arrival).map(Vec::as_slice) {
            let told = teller.tie(version, winner);
            lines.push(teller.line(version, &told));
            continue;
        }
        let place = if is_late {
            format!("comes late, takes its place in the sequence{} and ", teller.cite([Rule::Sequence]))
        } else {
            String::new()
        };
        row = opened.get(&arrival).copied().or(row);
        let told = match (log.changes.get(&arrival), row) {
            (None, _) => deletes(teller, version, ended.get(&arrival), before),
            (Some(changed), Some(row)) if row.first == arrival => {
                opens(teller, version, changed) + &teller.filled(version) + &shown(teller, changed, row)
            }
            (Some(Changed { change: Change::Nothing, .. }), _) | (_, None) => "leaves no trace".to_owned(),
            (Some(changed), Some(row)) => {
                let verb = if is_late { "joins" } else { "extends" };
                verb.to_owned() + &extends(teller, version, changed, row) + &teller.filled(version)
            }
        };
        lines.push(teller.line(version, &(place + &told)));
        before = Some(version);
    }
    lines
}

/// The rows of the key.
fn spans(teller: &Teller<'_>) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    for arrival in teller.events.iter().map(|version| version.arrival()) {
        match (teller.log.changes.get(&arrival).map(|changed| changed.change), spans.last_mut()) {
            (None | Some(Change::Nothing), _) => {}
            (Some(Change::Extends), Some(span)) => span.last = arrival,
            (Some(_), _) => spans.push(Span { first: arrival, last: arrival, end: None }),
        }
    }
    for span in &mut spans {
        span.end = teller.log.ends.get(&span.last).copied();
    }
    spans
}

/// For each event, whether one that follows it in the sequence was there in an earlier batch.
fn late(events: &[&Version]) -> Vec<bool> {
    let mut earliest = u32::MAX;
    let mut late: Vec<bool> = Vec::with_capacity(events.len());
    for batch in events.iter().rev().map(|version| version.arrival().batch) {
        late.push(earliest < batch);
        earliest = earliest.min(batch);
    }
    late.reverse();
    late
}

fn deletes(
    teller: &mut Teller<'_>,
    version: &Version,
    ended: Option<&Span>,
    before: Option<&Version>,
) -> String {
    if let Some(row) = ended {
        return format!("ends the row that {} opened, {}", name(row.first), teller.delete_reason(version));
    }
    // What came since then doesn't meet it any more.
    if teller.log.expired.contains_key(&version.arrival()) {
        return "ended no row".to_owned() + &teller.expired(version);
    }
    let reason = match before {
        None => "no upsert comes before it".to_owned(),
        Some(before) => format!("it follows the delete of {}", name(before.arrival())),
    };
    format!("ends no row, since {reason}; it is remembered as a tombstone{}", teller.cite([Rule::Tombstone]))
}

fn opens(teller: &mut Teller<'_>, version: &Version, changed: &Changed) -> String {
    let Changed { row, tracked, .. } = changed;
    if let Some(open) = &changed.open {
        let differ = |&&column: &&usize| open[column] != row[column];
        let columns: Vec<usize> = tracked.iter().filter(differ).copied().collect();
        let plan = teller.plan_of(version);
        let tracks_all = plan.payload().all(|column| plan.tracks(column));
        let rule = if tracks_all { Rule::History } else { Rule::TrackHistory };
        let told = format!(
            "opens a row, since it changes {}{}",
            changes(teller, changed, &columns),
            teller.cite([rule])
        );
        return told + &erases(teller, version, changed, &columns);
    }
    let equals_before = |before: &Row| tracked.iter().all(|&column| before[column] == row[column]);
    let told = match (changed.delete.map(name), &changed.before) {
        (None, _) => "opens the first row".to_owned(),
        (Some(delete), Some(before)) if equals_before(before) => {
            let nothing = if before == row { "nothing" } else { "nothing that is tracked" };
            format!("opens a row although it changes {nothing}, since the delete of {delete} lies between")
        }
        (Some(delete), _) => format!("opens a row after the delete of {delete}"),
    };
    told + &teller.cite([Rule::History])
}

/// Which row an upsert belongs to, and why; to be put behind the verb.
fn extends(teller: &mut Teller<'_>, version: &Version, changed: &Changed, row: Span) -> String {
    let differs =
        |&column: &usize| changed.open.as_ref().is_some_and(|open| open[column] != changed.row[column]);
    let columns: Vec<usize> = teller.plan.payload().filter(differs).collect();
    let opener = name(row.first);
    if columns.is_empty() {
        return format!(" the row that {opener} opened, since it changes nothing");
    }
    let (what, source) = (changes(teller, changed, &columns), teller.cite([Rule::TrackHistory]));
    let tracked = plural(&columns, "which isn't tracked", "which aren't tracked");
    let told = format!(" the row that {opener} opened, since it only changes {what}, {tracked}{source}");
    told + &erases(teller, version, changed, &columns)
}

/// What a row shows, if not what the event says that opens it, and where it ends.
fn shown(teller: &Teller<'_>, changed: &Changed, row: Span) -> String {
    let last = teller.log.changes.get(&row.last).filter(|last| last.row != changed.row);
    let values =
        last.map(|_| format!("; the row shows the values of {}", name(row.last))).unwrap_or_default();
    match row.end {
        None => format!("{values}; the row is open"),
        Some(end) => format!("{values}; the row ends at {}, with {}", teller.place(end), name(end)),
    }
}

/// What an upsert changes: `city`: Nantes -> Lille.
fn changes(teller: &Teller<'_>, changed: &Changed, columns: &[usize]) -> String {
    let Some(open) = &changed.open else { return String::new() };
    let change = |&column: &usize| {
        let column_name = listed(&[&teller.plan.target()[column].name]);
        format!("{column_name}: {} -> {}", open[column], changed.row[column])
    };
    columns.iter().map(change).collect::<Vec<_>>().join(", ")
}

/// Why nulls erase values, if they do in these columns.
fn erases(teller: &mut Teller<'_>, version: &Version, changed: &Changed, columns: &[usize]) -> String {
    let Some(open) = &changed.open else { return String::new() };
    let mut erased = teller.erased(version, open, &changed.row);
    erased.retain(|column| columns.contains(column));
    if erased.is_empty() {
        return String::new();
    }
    let erase = plural(&erased, "null erases", "nulls erase");
    format!("; its {erase}{}", teller.erasing(version, &erased))
}

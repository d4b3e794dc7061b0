//! The story of a key in a table of type 1: one event wins.

use std::collections::BTreeSet;

use cdc_core::{Arrival, Operation, Order, Version};

use super::teller::{Rule, Teller, listed, name, plural};
use super::witness::Expired;

/// One line an event.
pub(super) fn tell(teller: &mut Teller<'_>) -> Vec<String> {
    let mut lines = Vec::with_capacity(teller.events.len());
    let forgotten = forgotten(teller);
    // An event that lost, and what of it the row shows all the same.
    let is_winner = |version: &&&Version| {
        version.operation != Operation::Truncate
            && !teller.log.losses.contains_key(&version.arrival())
            && !forgotten.contains(&version.arrival())
    };
    let winner = teller.events.iter().find(is_winner).copied().filter(|winner| !winner.is_delete());
    for version in teller.events.clone() {
        let told = match teller.log.losses.get(&version.arrival()).map(Vec::as_slice) {
            Some([beaten_by, others @ ..]) => {
                let shown = winner.map(|winner| teller.shown_of(version, winner)).unwrap_or_default();
                let told = lost(teller, version, beaten_by, &shown) + &outvoted(teller, version, others);
                told + &shown_all_the_same(teller, winner, &shown)
            }
            _ if version.operation == Operation::Truncate => truncated(teller, version),
            _ if forgotten.contains(&version.arrival()) => {
                let row = if finds_row(teller, version, &forgotten) {
                    "the row was gone"
                } else {
                    "there was no row"
                };
                format!("won: {row}, {}", teller.delete_reason(version)) + &teller.expired(version)
            }
            _ => won(teller, version, &forgotten),
        };
        lines.push(teller.line(version, &told));
    }
    lines
}

/// The events of which nothing is known any more: a delete that was forgotten while it held its key, and with it all
/// that had come before. Truncates are remembered on their own.
fn forgotten(teller: &Teller<'_>) -> BTreeSet<Arrival> {
    let after =
        |delete: &Version| teller.log.expired.get(&delete.arrival()).map(|Expired { after, .. }| *after);
    let expired = teller.events.iter().filter_map(|delete| Some((after(delete)?, &delete.order)));
    let mut expired: Vec<(Arrival, &Order)> = expired.collect();
    expired.sort_by_key(|&(after, _)| after);
    let mut forgotten = BTreeSet::new();
    for (after, order) in expired {
        let was_known = |event: &&&Version| {
            let is_remembered =
                event.operation == Operation::Truncate && !teller.log.expired.contains_key(&event.arrival());
            event.arrival() <= after && !is_remembered && !forgotten.contains(&event.arrival())
        };
        let known = || teller.events.iter().filter(was_known);
        let had_lost = |event: &Version| {
            let winners = teller.log.losses.get(&event.arrival());
            winners.into_iter().flatten().any(|winner| winner.arrival() <= after)
        };
        let gives_way = |event: &&Version| {
            event.order < *order || event.order == *order && (event.is_delete() || had_lost(event))
        };
        if known().all(gives_way) {
            let known: Vec<Arrival> = known().map(|event| event.arrival()).collect();
            forgotten.extend(known);
        }
    }
    forgotten
}

/// What of an event is shown although another one won.
fn shown_all_the_same(teller: &Teller<'_>, winner: Option<&Version>, shown: &[String]) -> String {
    let Some(winner) = winner.filter(|_| !shown.is_empty()) else { return String::new() };
    let (are, columns) = (plural(shown, "is", "are"), listed(shown));
    let why = match teller.plan_of(winner).columns_to_update() {
        Some(_) => plural(shown, "since the winner doesn't give it", "since the winner doesn't give them"),
        None => "where nulls are ignored",
    };
    format!("; its {columns} {are} shown, {why}")
}

/// Whether there was a row when a delete came.
fn finds_row(teller: &Teller<'_>, delete: &Version, forgotten: &BTreeSet<Arrival>) -> bool {
    let is_over = forgotten.contains(&delete.arrival());
    let was_there = |other: &&&Version| {
        other.arrival().batch < delete.arrival().batch && (is_over || !forgotten.contains(&other.arrival()))
    };
    let last = teller.events.iter().rfind(was_there);
    last.is_some_and(|last| !last.is_delete())
}

fn truncated(teller: &mut Teller<'_>, version: &Version) -> String {
    format!("deletes every row that stands before it in the sequence, {}", teller.delete_reason(version))
        + &teller.expired(version)
}

fn won(teller: &mut Teller<'_>, version: &Version, forgotten: &BTreeSet<Arrival>) -> String {
    let is_alone = teller.events.len() == 1;
    let has_tied = |other: &&&Version| {
        other.arrival() != version.arrival()
            && other.order == version.order
            && !forgotten.contains(&other.arrival())
            && !teller.says_the_same(other, version)
    };
    let outlived =
        |other: &&&Version| version.order < other.order && teller.log.expired.contains_key(&other.arrival());
    let outlived = teller.events.iter().find(outlived).map(|delete| delete.arrival());
    let is_tied = teller.events.iter().any(|other| has_tied(&other));
    let place = if is_alone {
        "wins, the only event of its key".to_owned()
    } else if let Some(delete) = outlived {
        let delete = teller.delete_name(delete);
        format!("wins, since {delete} was forgotten{}", teller.cite([Rule::Expiry]))
    } else if is_tied {
        format!("wins the tie at the end of the sequence{}", teller.cite([Rule::Sequence]))
    } else {
        format!("wins, it comes last in the sequence{}", teller.cite([Rule::Sequence]))
    };
    if !version.is_delete() {
        return place + &teller.filled(version) + &erasures(teller, version, forgotten);
    }
    let row = if finds_row(teller, version, forgotten) { "the row is gone" } else { "there is no row" };
    let memory = if is_alone {
        format!("; the delete is remembered as a tombstone{}", teller.cite([Rule::Tombstone]))
    } else {
        String::new()
    };
    format!("{place}: {row}, {}{memory}", teller.delete_reason(version))
}

fn lost(teller: &mut Teller<'_>, version: &Version, winner: &Version, shown: &[String]) -> String {
    if version.order == winner.order {
        return teller.tie(version, winner);
    }
    let winner_name = name(winner.arrival());
    let was_stored = version.arrival().batch < winner.arrival().batch;
    if was_stored && version.order < winner.order {
        let how = if winner.is_delete() && !version.is_delete() { "deleted" } else { "replaced" };
        return format!("{how} by {winner_name}, which comes after it");
    }
    if !winner.is_delete() || version.is_delete() {
        let passed_over = if shown.is_empty() { "passed over, it comes" } else { "comes" };
        return format!("{passed_over} before {winner_name}");
    }
    let memory = if winner.arrival().batch < version.arrival().batch {
        format!(", which is remembered as a tombstone{}", teller.cite([Rule::Tombstone]))
    } else {
        String::new()
    };
    format!("passed over, it is older than {}{memory}", teller.delete_name(winner.arrival()))
}

/// To whom an event lost once more, when the nulls of a newer one were filled.
fn outvoted(teller: &mut Teller<'_>, version: &Version, winners: &[Version]) -> String {
    let outvotes =
        |winner: &&Version| winner.order == version.order && !teller.says_the_same(winner, version);
    let Some(winner) = winners.iter().find(outvotes) else { return String::new() };
    format!("; where nulls are filled, it {}", teller.tie(version, winner))
}

/// The values that the winner's nulls erase.
fn erasures(teller: &mut Teller<'_>, winner: &Version, forgotten: &BTreeSet<Arrival>) -> String {
    let own = teller.own_row(winner);
    let counts = |version: &&&Version| {
        let beaten_in_tie = teller.log.losses.get(&version.arrival()).and_then(|winners| winners.first());
        version.order < winner.order
            && !forgotten.contains(&version.arrival())
            && beaten_in_tie.is_none_or(|winner| winner.order != version.order)
    };
    let mut erased: Vec<(usize, String)> = Vec::new();
    let older = teller.events.iter().rev().filter(counts).take_while(|version| !version.is_delete());
    for version in older {
        let row = teller.own_row(version);
        for column in
            teller.erased(winner, &row, &own).into_iter().filter(|&column| teller.gives(winner, column))
        {
            if erased.iter().all(|&(known, _)| known != column) {
                let column_name = listed(&[&teller.plan.target()[column].name]);
                erased.push((
                    column,
                    format!("{column_name} ({} of {})", row[column], name(version.arrival())),
                ));
            }
        }
    }
    erased.sort_by_key(|&(column, _)| column);
    let (columns, values): (Vec<usize>, Vec<String>) = erased.into_iter().unzip();
    if columns.is_empty() {
        return String::new();
    }
    let erase = plural(&columns, "null erases", "nulls erase");
    format!("; its {erase} {}{}", values.join(" and "), teller.erasing(winner, &columns))
}

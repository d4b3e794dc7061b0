//! The story of a key in a table of type 1: one event wins.

use cdc_core::Version;

use super::teller::{Rule, Teller, listed, name, plural};

/// One line an event.
pub(super) fn tell(teller: &mut Teller<'_>) -> Vec<String> {
    let mut lines = Vec::with_capacity(teller.events.len());
    // An event that lost, and what of it the row shows all the same.
    let is_winner = |version: &&&Version| !teller.log.losses.contains_key(&version.arrival());
    let winner = teller.events.iter().find(is_winner).copied().filter(|winner| !winner.is_delete());
    for version in teller.events.clone() {
        let told = match teller.log.losses.get(&version.arrival()).map(Vec::as_slice) {
            Some([beaten_by, others @ ..]) => {
                let shown = winner.map(|winner| teller.shown_of(version, winner)).unwrap_or_default();
                let told = lost(teller, version, beaten_by, &shown) + &outvoted(teller, version, others);
                if shown.is_empty() {
                    told
                } else {
                    let (are, columns) = (plural(&shown, "is", "are"), listed(&shown));
                    format!("{told}; its {columns} {are} shown, where nulls are ignored")
                }
            }
            _ => won(teller, version),
        };
        lines.push(teller.line(version, &told));
    }
    lines
}

fn won(teller: &mut Teller<'_>, version: &Version) -> String {
    let is_alone = teller.events.len() == 1;
    let has_tied = |other: &&&Version| {
        other.arrival() != version.arrival()
            && other.order == version.order
            && !teller.says_the_same(other, version)
    };
    let is_tied = teller.events.iter().any(|other| has_tied(&other));
    let place = if is_alone {
        "wins, the only event of its key".to_owned()
    } else if is_tied {
        format!("wins the tie at the end of the sequence{}", teller.cite([Rule::Sequence]))
    } else {
        format!("wins, it comes last in the sequence{}", teller.cite([Rule::Sequence]))
    };
    if !version.is_delete() {
        return place + &teller.filled(version) + &erasures(teller, version);
    }
    let was_there = |other: &&Version| !other.is_delete() && other.arrival().batch < version.arrival().batch;
    let row = if teller.events.iter().any(was_there) { "the row is gone" } else { "there is no row" };
    let memory = if is_alone {
        format!("; the delete is remembered as a tombstone{}", teller.cite([Rule::Tombstone]))
    } else {
        String::new()
    };
    format!("{place}: {row}, {}{memory}", teller.delete_reason())
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
    format!("passed over, it is older than the delete of {winner_name}{memory}")
}

/// To whom an event lost once more, when the nulls of a newer one were filled.
fn outvoted(teller: &mut Teller<'_>, version: &Version, winners: &[Version]) -> String {
    let outvotes =
        |winner: &&Version| winner.order == version.order && !teller.says_the_same(winner, version);
    let Some(winner) = winners.iter().find(outvotes) else { return String::new() };
    format!("; where nulls are filled, it {}", teller.tie(version, winner))
}

/// The values that the winner's nulls erase.
fn erasures(teller: &mut Teller<'_>, winner: &Version) -> String {
    let own = teller.own_row(winner);
    let counts = |version: &&&Version| {
        let beaten_in_tie = teller.log.losses.get(&version.arrival()).and_then(|winners| winners.first());
        version.order < winner.order && beaten_in_tie.is_none_or(|winner| winner.order != version.order)
    };
    let mut erased: Vec<(usize, String)> = Vec::new();
    let older = teller.events.iter().rev().filter(counts).take_while(|version| !version.is_delete());
    for version in older {
        let row = teller.own_row(version);
        for column in teller.erased(&row, &own) {
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
    format!("; its {erase} {}{}", values.join(" and "), teller.erasing(&columns))
}

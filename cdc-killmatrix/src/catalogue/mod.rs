//! The mutants that ship: one family of faults a file, in the order of the report.

#![expect(
    clippy::enum_variant_names,
    reason = "a variant has the name of its mutant, whatever the family is called"
)]

use std::collections::HashSet;

use cdc_core::{Mutant, Mutants};

mod values;
mod batch;
mod keys;
mod fidelity;
mod arrival;
mod clock;
mod timezone;
mod deletes;
mod tombstones;
mod duplicates;
mod ties;
mod batches;
mod truncates;
mod columns;
mod partial;
mod sequence;
mod close;
mod changes;
mod history;
mod late;
mod runs;
mod bitemporal;
mod snapshots;

use arrival::Arrival;
use batches::Batches;
use bitemporal::Bitemporal;
use changes::Changes;
use clock::Clock;
use close::Close;
use columns::Columns;
use deletes::Deletes;
use duplicates::Duplicates;
use fidelity::Fidelity;
use history::History;
use keys::Keys;
use late::Late;
use partial::Partial;
use runs::Runs;
use sequence::Sequence;
use snapshots::Snapshots;
use ties::Ties;
use timezone::Timezone;
use tombstones::Tombstones;
use truncates::Truncates;

/// The families, in the order of the report.
const FAMILIES: &[&[Mutant]] = &[
    Keys::ALL,
    Fidelity::ALL,
    Arrival::ALL,
    Clock::ALL,
    Timezone::ALL,
    Deletes::ALL,
    Tombstones::ALL,
    Duplicates::ALL,
    Ties::ALL,
    Batches::ALL,
    Truncates::ALL,
    Columns::ALL,
    Partial::ALL,
    Sequence::ALL,
    Close::ALL,
    Changes::ALL,
    History::ALL,
    Late::ALL,
    Runs::ALL,
    Bitemporal::ALL,
    Snapshots::ALL,
];

/// The mutants that are shown by name first: one of each kind that most tables suffer from.
const FIRST: [&str; 7] = [
    "collapsed_key",
    "arrival_order",
    "ignored_deletes",
    "swapped_columns",
    "kept_nulls",
    "ignored_tie_breaker",
    "tracked_sync_noise",
];

/// Every mutant that ships, in the order of the report.
///
/// First seven, one of each of the commonest kinds, then the others by family.
///
/// ```
/// let names: Vec<&str> = cdc_killmatrix::catalogue::all().iter().map(|mutant| mutant.name).collect();
/// assert_eq!(names[..2], ["collapsed_key", "arrival_order"]);
/// ```
pub fn all() -> Vec<Mutant> {
    let mut all = FAMILIES.concat();
    all.sort_by_key(|mutant| FIRST.iter().position(|first| *first == mutant.name).unwrap_or(FIRST.len()));
    all
}

/// Says which name two mutants have.
pub(crate) fn names_differ(mutants: &[Mutant]) -> Result<(), String> {
    let mut names = HashSet::new();
    match mutants.iter().find(|mutant| !names.insert(mutant.name)) {
        None => Ok(()),
        Some(twice) => {
            Err(format!("two broken copies are called `{}`; expected names that differ", twice.name))
        }
    }
}

/// Things by the family of their mutant, in the order in which the families first occur.
pub(crate) fn by_family<T>(
    all: impl IntoIterator<Item = T>,
    family: impl Fn(&T) -> &'static str,
) -> Vec<(&'static str, Vec<T>)> {
    let mut families: Vec<(&'static str, Vec<T>)> = Vec::new();
    for one in all {
        let family = family(&one);
        match families.iter_mut().find(|(known, _)| *known == family) {
            Some((_, members)) => members.push(one),
            None => families.push((family, vec![one])),
        }
    }
    families
}

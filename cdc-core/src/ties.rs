//! Events of a key at the same place in the sequence: one of them stays.

use crate::auto_cdc::AutoCdc;
use crate::event::Version;
use crate::rules::Rules;

/// Leaves one event at each place of the sequence, in what begins at `from`, where the events are sorted.
pub(crate) fn settle<M: AutoCdc + ?Sized>(rules: &Rules<'_, M>, versions: &mut Vec<Version>, from: usize) {
    if versions[from..].windows(2).all(|pair| pair[0].order != pair[1].order) {
        return;
    }
    let mut stays = vec![false; versions.len()];
    stays[..from].fill(true);
    let mut start = from;
    for tied in versions[from..].chunk_by(|left, right| left.order == right.order) {
        stays[start + survivor(rules, tied)] = true;
        start += tied.len();
    }
    let mut stays = stays.into_iter();
    versions.retain(|_| stays.next() == Some(true));
}

/// The event that stays: each batch is reduced to one, which then meets what is stored.
fn survivor<M: AutoCdc + ?Sized>(rules: &Rules<'_, M>, tied: &[Version]) -> usize {
    let newer = |stored: usize, new: usize| {
        if rules.model.breaks_tie(rules.plan(&tied[new]), &tied[new], &tied[stored]) { new } else { stored }
    };
    let mut start = 0;
    let batches = tied.chunk_by(|left, right| left.arrival().batch == right.arrival().batch);
    let of_batches = batches.filter_map(|batch| {
        let events = start..start + batch.len();
        start = events.end;
        events.reduce(newer)
    });
    of_batches.reduce(newer).unwrap_or_default()
}

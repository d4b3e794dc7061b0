//! SCD type 1: of all events of a key the one that comes last in the sequence, if it is an upsert.

use std::mem;

use crate::auto_cdc::AutoCdc;
use crate::event::{Arrival, Version};
use crate::log::{Forgotten, Log};
use crate::rules::Rules;
use crate::store::{Known, Rows};

/// What is known of a key.
#[derive(Default)]
pub(crate) struct Latest {
    /// The event that wins.
    winner: Option<Version>,
    /// Where a null may say nothing: all events, for the winner may take over from any.
    /// In a box, so that a key without it stays small.
    log: Option<Box<Log>>,
    /// The event that wins the batch under way.
    incoming: Option<Version>,
    /// When the event arrived that lost last in the batch under way.
    beaten: Option<Arrival>,
}

impl Known for Latest {
    fn newest(&self) -> Option<&Version> {
        self.winner.as_ref()
    }

    fn incoming(&self) -> Option<&Version> {
        self.incoming.as_ref()
    }

    /// Reduces the batch to one event.
    fn receive<M: AutoCdc + ?Sized>(&mut self, rules: &Rules<'_, M>, version: Version) {
        if rules.is_partial {
            self.log.get_or_insert_default().receive(version.clone());
        }
        let loser = meet(rules, &mut self.incoming, version);
        self.beaten = loser.or(self.beaten);
    }

    /// Lets the event that won the batch meet the one that is stored.
    fn settle<M: AutoCdc + ?Sized>(&mut self, rules: &Rules<'_, M>) {
        let Some(incoming) = self.incoming.take() else { return };
        let batch = incoming.arrival().batch;
        let loser = meet(rules, &mut self.winner, incoming);
        let before = loser.or(self.beaten.take());
        if let Some(log) = &mut self.log {
            log.settle(rules);
        }
        let is_forgotten = |winner: &Version| {
            let is_new_delete = winner.is_delete() && winner.arrival().batch == batch;
            is_new_delete && !rules.model.keeps_tombstone(rules.plan(winner), winner, before)
        };
        if self.winner.as_ref().is_some_and(is_forgotten) {
            *self = Self::default();
        }
    }

    /// Of a key whose row is gone nothing is left but the delete.
    fn expire(&mut self, is_expired: impl Fn(&Version) -> bool) -> Forgotten {
        if !self.winner.as_ref().is_some_and(|winner| winner.is_delete() && is_expired(winner)) {
            return Forgotten::Nothing;
        }
        *self = Self::default();
        Forgotten::Everything
    }

    /// The winner's row, laid over what is known of the key.
    fn show<M: AutoCdc + ?Sized>(&mut self, rules: &Rules<'_, M>, rows: &mut Rows) {
        let Some(winner) = self.winner.as_ref().filter(|winner| !winner.is_delete()) else { return };
        let filled = self.log.as_mut().and_then(|log| log.row_after(rules, winner));
        rows.push(filled.unwrap_or_else(|| rules.model.row_of(rules.plan(winner), &winner.event)));
    }
}

/// Lets a new event meet the one in a place; the winner keeps it. When the loser arrived.
fn meet<M: AutoCdc + ?Sized>(
    rules: &Rules<'_, M>,
    place: &mut Option<Version>,
    new: Version,
) -> Option<Arrival> {
    let (model, plan) = (rules.model, rules.plan(&new));
    let Some(stored) = place else {
        *place = Some(new);
        return None;
    };
    let wins = if new.order == stored.order {
        model.breaks_tie(plan, &new, stored)
    } else {
        model.supersedes(plan, &new, stored)
    };
    let loser = if wins { mem::replace(stored, new) } else { new };
    Some(loser.arrival())
}

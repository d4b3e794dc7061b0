//! What is drawn once for a feed, and the values that follow from it.

use fastrand::Rng;

use super::draft::Draft;
use super::kind::Kind;
use super::pools::{Pool, Pools, Use};

/// What is left to chance, from a fixed seed.
pub(super) struct Dice(Rng);

impl Dice {
    pub(super) fn new(seed: u64) -> Self {
        Self(Rng::with_seed(seed))
    }

    /// A number below another one, from 0.
    pub(super) fn below(&mut self, count: usize) -> usize {
        self.0.usize(..count)
    }

    /// Any number, to choose the one of some things that has the greatest.
    pub(super) fn any(&mut self) -> u8 {
        self.0.u8(..)
    }

    pub(super) fn coin(&mut self) -> bool {
        self.0.bool()
    }

    /// Whether something happens that happens so many times of a hundred.
    pub(super) fn chance(&mut self, of_hundred: u8) -> bool {
        self.0.u8(..100) < of_hundred
    }

    pub(super) fn one_of<T: Copy, const N: usize>(&mut self, list: [T; N]) -> T {
        list[self.below(N)]
    }
}

/// What is drawn once for a feed, so that feeds differ more than their events do.
pub(super) struct Style {
    pub(super) kind: Kind,
    /// Of a hundred values of the payload how many are null; and so on.
    pub(super) nulls: u8,
    pub(super) deletes: u8,
    pub(super) copies: u8,
    /// Whether events arrive in the order of their sequence.
    pub(super) ascends: bool,
    /// For each column the theme.
    pub(super) themes: Vec<usize>,
    /// For each flow the theme of the versions of its snapshots.
    pub(super) versions: Vec<usize>,
    /// For each column where in its theme the last event was.
    pub(super) cursors: Vec<usize>,
    pub(super) keys: Vec<Draft>,
    /// Whether keys, sequences and versions may be null.
    pub(super) has_odd_nulls: bool,
}

impl Style {
    /// Draws one.
    pub(super) fn new(dice: &mut Dice, pools: &Pools, kind: Kind) -> Self {
        let key_theme = if dice.coin() { 0 } else { dice.below(64) };
        let theme = |dice: &mut Dice, column: usize| -> usize {
            let count = pools.columns[column].themes.len();
            match pools.uses[column] {
                Use::Key => key_theme % count,
                _ if dice.chance(55) => 0,
                _ => dice.below(count),
            }
        };
        let themes: Vec<usize> = (0..pools.columns.len()).map(|column| theme(dice, column)).collect();
        let count = |pool: &Option<Pool>| pool.as_ref().map_or(1, |pool| pool.themes.len());
        let versions: Vec<usize> = pools.versions.iter().map(count).collect();
        let versions = versions.into_iter().map(|count| if dice.chance(75) { 0 } else { dice.below(count) });
        let versions = versions.collect();
        let mut style = Self {
            kind,
            versions,
            nulls: dice.one_of([0, 0, 15, 50]),
            deletes: dice.one_of([0, 20, 40]),
            copies: dice.one_of([0, 0, 15, 40]),
            ascends: dice.chance(40),
            cursors: vec![0; themes.len()],
            themes,
            keys: Vec::new(),
            has_odd_nulls: kind == Kind::Refused && dice.chance(60),
        };
        for _ in 0..dice.one_of([1, 1, 1, 2, 2, 2, 3]) {
            let key = (0..pools.columns.len()).map(|column| match pools.uses[column] {
                Use::Key if style.has_odd_nulls && dice.chance(20) => pools.columns[column].null,
                Use::Key => style.of_theme(dice, pools, column),
                _ => 0,
            });
            let key = key.collect();
            style.keys.push(key);
        }
        style
    }

    /// Another value in one column of the payload.
    pub(super) fn change_one(&self, dice: &mut Dice, pools: &Pools, event: &mut Draft) {
        let payload = pools.of_use(Use::Payload);
        if payload.is_empty() {
            return;
        }
        let column = payload[dice.below(payload.len())];
        let is_null = dice.chance(self.nulls);
        event[column] = if is_null { pools.columns[column].null } else { self.of_theme(dice, pools, column) };
    }

    /// A value of a column that orders.
    pub(super) fn place_in_order(&mut self, dice: &mut Dice, pools: &Pools, column: usize) -> usize {
        let pool = &pools.columns[column];
        let is_null = (self.has_odd_nulls && dice.chance(15)) || (pools.has_fields && dice.chance(3));
        if is_null {
            return pool.null;
        }
        let theme = &pool.themes[self.themes[column]];
        if !self.ascends {
            return self.of_theme(dice, pools, column);
        }
        let step = dice.one_of([0, 1, 1, 1]);
        self.cursors[column] = (self.cursors[column] + step).min(theme.len() - 1);
        theme[self.cursors[column]]
    }

    /// A value of a column, of the theme that it has in this feed.
    pub(super) fn of_theme(&self, dice: &mut Dice, pools: &Pools, column: usize) -> usize {
        let theme = &pools.columns[column].themes[self.themes[column]];
        theme[dice.below(theme.len())]
    }
}

//! The smallest feed that separates a broken copy from the reference, or copies from each other, searched for under a
//! target's own flows.
//!
//! Feeds are drawn at random, from a fixed seed, from small to large; one that separates is shrunk as far as it goes,
//! then smaller ones are drawn for a while. Nothing is read but the flows, their schema and what both answer. Values
//! are chosen by type and by what a column is there for: numbers that a double can't hold, keys that glue to the same
//! text, moments around midnight, literals of the conditions.

mod values;
mod literals;
mod glued;
mod pools;
mod draft;
mod kind;
mod style;
mod maker;
mod judge;
mod shrink;

use cdc_core::{Feed, Mutant, Plan};

pub use judge::Answer;

use draft::FeedDraft;
use judge::{Group, Parting, parting};
use kind::Kind;
use maker::Maker;
use pools::Pools;
use shrink::shrunk;

/// The seed of every search: the same question has the same answer.
const SEED: u64 = 0x5EED;

/// How many columns make a table wide.
const WIDE: usize = 16;

/// How far a search goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How many feeds of each size are tried; a size is a number of checkpoints and one of events.
    pub tries: usize,
    /// The most checkpoints of a feed.
    pub checkpoints: usize,
    /// The most events of a feed that are more than its checkpoints.
    pub more_events: usize,
    /// How many feeds are tried that are smaller than the one that was found.
    pub smaller: usize,
}

impl Limits {
    /// Those of the command `suggest`.
    pub const SUGGEST: Self = Self { tries: 250, checkpoints: 4, more_events: 6, smaller: 1500 };

    /// Those of a claim that nothing can be found, in a test that has time.
    pub const REFUTE: Self = Self { tries: 1500, checkpoints: 4, more_events: 8, smaller: 0 };

    /// The same for about so many feeds in all, if none of them separates.
    #[must_use]
    pub fn within(self, tries: usize) -> Self {
        Self { tries: (tries / (self.sizes().count() * Kind::COUNT)).max(1), ..self }
    }

    /// Those for a table of so many columns: a feed of a wide one takes longer.
    fn for_columns(self, columns: usize) -> Self {
        let wide = (columns / WIDE).max(1);
        Self { tries: self.tries.div_ceil(wide), smaller: self.smaller / wide, ..self }
    }

    /// The sizes that are tried, the smallest first: checkpoints and events.
    fn sizes(self) -> impl Iterator<Item = (usize, usize)> {
        (1..=self.checkpoints).flat_map(move |checkpoints| {
            (checkpoints..=checkpoints + self.more_events).map(move |events| (checkpoints, events))
        })
    }
}

/// A feed that separates a broken copy from the reference, or broken copies from each other.
#[derive(Clone, Debug)]
pub struct Separation {
    /// The feed. Its last batch is the one after which they differ.
    pub feed: Feed,
    /// The mutants that differ from the reference there, as places in the list that was asked about: one at least. The
    /// others give what it gives at all checkpoints.
    pub parted: Vec<usize>,
    /// What the reference answers to the last batch.
    pub right: Answer,
    /// What the first of the mutants that differ answers to it.
    pub wrong: Answer,
    /// Whether two events of the feed share key and sequence and differ, so that the source leaves open what is right.
    pub has_conflict: bool,
    /// How many feeds were tried.
    pub tries: usize,
}

/// No feed was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotFound {
    /// How many feeds were tried.
    pub tries: usize,
    /// The most checkpoints that one of them had.
    pub checkpoints: usize,
    /// The most events that one of them had.
    pub events: usize,
}

/// What came of a search.
#[derive(Clone, Debug)]
pub enum Found {
    /// The smallest feed that was found.
    Separation(Box<Separation>),
    /// None was found within the limits.
    Nothing(NotFound),
    /// The mutant can't differ under these flows: the reason.
    NotApplicable(&'static str),
}

/// Searches for the smallest feed that separates a mutant from the reference, under the flows into one target.
///
/// Fewest checkpoints count first, then events, then keys, then plain values. A feed without conflicts and refusals is
/// preferred to any with them. The flows must share their schema, and there must be one at least.
///
/// ```
/// use cdc_core::{Flow, Plan};
/// use cdc_killmatrix::catalogue;
/// use cdc_killmatrix::search::{Found, Limits, search};
///
/// let flow = Flow {
///     keys: vec!["id".into()],
///     sequence_by: "lsn".into(),
///     except_column_list: Some(vec!["lsn".into()]),
///     ..Flow::default()
/// };
/// let plan = Plan::new(flow, "id BIGINT, city STRING, lsn BIGINT".parse()?)?;
/// let mutants = catalogue::all();
/// let arrival_order = mutants.iter().find(|mutant| mutant.name == "arrival_order").expect("it ships");
/// let Found::Separation(found) = search(arrival_order, &[plan], Limits::SUGGEST) else { panic!("nothing") };
/// assert_eq!((found.feed.batches(), found.feed.events().len()), (1, 2), "two events in the wrong order");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn search(mutant: &Mutant, plans: &[Plan], limits: Limits) -> Found {
    separate(&[mutant], plans, limits)
}

/// Searches for the smallest feed that separates mutants from each other: some of them differ from the reference, and
/// the others don't, so that a fixture of these events catches the ones and not the others. One mutant alone is
/// separated from the reference, as by [`search`].
///
/// ```
/// use cdc_core::{Flow, Plan};
/// use cdc_killmatrix::catalogue;
/// use cdc_killmatrix::search::{Found, Limits, separate};
///
/// let flow = Flow { keys: vec!["id".into()], sequence_by: "lsn".into(), ..Flow::default() };
/// let plan = Plan::new(flow, "id BIGINT, city STRING, lsn BIGINT".parse()?)?;
/// let mutants = catalogue::all();
/// let named = |name: &str| mutants.iter().find(|mutant| mutant.name == name).expect("it ships");
/// let pair = [named("arrival_order"), named("collapsed_key")];
/// let Found::Separation(found) = separate(&pair, &[plan], Limits::SUGGEST) else { panic!("nothing") };
/// assert_eq!((found.feed.events().len(), found.parted.len()), (2, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
///
/// If there is no mutant.
pub fn separate(mutants: &[&Mutant], plans: &[Plan], limits: Limits) -> Found {
    let reason = |mutant: &Mutant| -> Option<&'static str> {
        let mut answers = plans.iter().map(mutant.needs);
        let first = answers.next().unwrap_or(Err("there is no flow"));
        if answers.any(|answer| answer.is_ok()) { None } else { first.err() }
    };
    let places: Vec<usize> = (0..mutants.len()).filter(|&place| reason(mutants[place]).is_none()).collect();
    if places.is_empty() {
        return Found::NotApplicable(reason(mutants[0]).unwrap_or_default());
    }
    // A mutant that can't differ here stays with the reference whatever the feed is.
    let others = usize::from(1 < mutants.len() && places.len() == mutants.len());
    let group =
        Group { mutants: places.iter().map(|&place| mutants[place]).collect(), most: places.len() - others };
    match separation(&group, plans, limits) {
        Ok(mut separation) => {
            separation.parted.iter_mut().for_each(|place| *place = places[*place]);
            Found::Separation(Box::new(separation))
        }
        Err(nothing) => Found::Nothing(nothing),
    }
}

fn separation(group: &Group<'_>, plans: &[Plan], limits: Limits) -> Result<Separation, NotFound> {
    let pools = Pools::new(plans);
    let limits = limits.for_columns(pools.columns.len());
    let mut search = Search { group, maker: Maker::new(plans, &pools, SEED), tries: 0 };
    for (kind, part) in Kind::stages(&group.mutants) {
        for size in limits.sizes() {
            if let Some(feed) = search.draw(kind, size, limits.tries.div_ceil(part)) {
                return Ok(search.smallest(kind, feed, limits));
            }
        }
    }
    let events = limits.checkpoints + limits.more_events;
    Err(NotFound { tries: search.tries, checkpoints: limits.checkpoints, events })
}

struct Search<'a> {
    group: &'a Group<'a>,
    maker: Maker<'a>,
    tries: usize,
}

impl Search<'_> {
    /// The first feed of a size that separates, shrunk.
    fn draw(&mut self, kind: Kind, (checkpoints, events): (usize, usize), tries: usize) -> Option<FeedDraft> {
        for _ in 0..tries {
            let mut feed = self.maker.feed(kind, checkpoints, events);
            if let Some(Parting { checkpoint, .. }) = self.parting(kind, &feed) {
                feed.batches.truncate(checkpoint + 1);
                let pools = self.maker.pools;
                return Some(shrunk(feed, pools, &mut |feed| Some(self.parting(kind, feed)?.checkpoint)));
            }
        }
        None
    }

    fn parting(&mut self, kind: Kind, feed: &FeedDraft) -> Option<Parting> {
        self.tries += 1;
        parting(self.group, self.maker.plans, &feed.feed(self.maker.pools), kind)
    }

    /// Draws feeds that are smaller than one that was found.
    fn smallest(&mut self, kind: Kind, mut feed: FeedDraft, limits: Limits) -> Separation {
        let pools = self.maker.pools;
        let mut left = limits.smaller;
        while 0 < left {
            let size = feed.size(pools);
            let below: Vec<(usize, usize)> =
                limits.sizes().filter(|&it| it <= (size.checkpoints, size.events)).collect();
            let tries = (left / below.len().max(1)).clamp(1, 200);
            let mut found = None;
            for size in below {
                left = left.saturating_sub(tries);
                found = self.draw(kind, size, tries).filter(|other| other.size(pools) < feed.size(pools));
                if found.is_some() {
                    break;
                }
            }
            match found {
                Some(smaller) => feed = smaller,
                None if tries == 200 => {}
                None => break,
            }
        }
        let plans = self.maker.plans;
        let feed = feed.feed(pools);
        let Some(Parting { right, wrong, .. }) = parting(self.group, plans, &feed, kind) else {
            unreachable!("a search is deterministic, and this feed was found to separate")
        };
        let (parted, answers): (Vec<usize>, Vec<Answer>) = wrong.into_iter().unzip();
        let wrong = answers[0].clone();
        Separation {
            has_conflict: draft::conflicts(plans, &feed),
            feed,
            parted,
            right,
            wrong,
            tries: self.tries,
        }
    }
}

//! The smallest set of fixtures that still catches every mutant: minimum set cover.
//!
//! Each mutant is a list of the fixtures that catch it; a set of fixtures will do if it has one of each list.

/// Among how many fixtures the smallest set is looked for to the end. Among more, a small one is.
pub const EXACT: usize = 40;

/// A set of fixtures with one of each list, and why no smaller one has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cover {
    /// The fixtures, by their numbers, ascending.
    pub fixtures: Vec<usize>,
    /// Why none is smaller.
    pub proof: Proof,
}

/// Why no smaller set of fixtures will do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// There is nothing to catch.
    Nothing,
    /// These lists, as many as the set has fixtures, have no fixture in common, two by two: each needs one of its own.
    Apart(Vec<usize>),
    /// The search for a set with one fixture less came to its end after so many choices.
    Searched {
        /// How many fixtures are needed because of lists that have none in common.
        apart: usize,
        /// How many choices of a fixture were tried.
        choices: usize,
    },
    /// Not proven: there may be a smaller set, of this many fixtures at least.
    AtLeast(usize),
}

impl Cover {
    /// The smallest set of fixtures with one of each list; of several, the one whose fixtures come first.
    ///
    /// Lists without a fixture are passed over. Where the lists name more than [`EXACT`] fixtures the set is small, and
    /// [`Proof::AtLeast`] says how much smaller another might be.
    ///
    /// ```
    /// use cdc_killmatrix::audit::{Cover, Proof};
    ///
    /// let cover = Cover::of(&[vec![0, 1], vec![1, 2], vec![3]]);
    /// assert_eq!(cover.fixtures, [1, 3]);
    /// assert_eq!(cover.proof, Proof::Apart(vec![2, 0]));
    /// ```
    pub fn of(lists: &[Vec<usize>]) -> Self {
        let mut named = lists.concat();
        named.sort_unstable();
        named.dedup();
        let apart = apart(lists);
        let mut small = greedy(lists, &named);
        if named.len() <= EXACT {
            let place = |fixture: &usize| 1u64 << named.partition_point(|other| other < fixture);
            let masks = lists.iter().filter(|list| !list.is_empty());
            let masks: Vec<u64> =
                masks.map(|list| list.iter().map(place).fold(0, |all, one| all | one)).collect();
            let (mut size, mut choices) = (apart.len(), 0);
            while size < small.len() {
                let mut search = Search::default();
                if search.find(masks.clone(), size).is_some() {
                    break;
                }
                (size, choices) = (size + 1, choices + search.choices);
            }
            small = first(&masks, size).into_iter().map(|place| named[place]).collect();
            let proof = Proof::Searched { apart: apart.len(), choices };
            return Self { proof: proven(&small, &apart).unwrap_or(proof), fixtures: small };
        }
        let proof = proven(&small, &apart).unwrap_or(Proof::AtLeast(apart.len()));
        Self { fixtures: small, proof }
    }
}

/// The proof that needs no search.
fn proven(small: &[usize], apart: &[usize]) -> Option<Proof> {
    let proof = if small.is_empty() { Proof::Nothing } else { Proof::Apart(apart.to_vec()) };
    (small.len() == apart.len()).then_some(proof)
}

/// Lists that have no fixture in common, two by two, the shortest first: there is no set of fewer fixtures.
fn apart(lists: &[Vec<usize>]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..lists.len()).filter(|&list| !lists[list].is_empty()).collect();
    order.sort_by_key(|&list| lists[list].len());
    let (mut chosen, mut used) = (Vec::new(), Vec::new());
    for list in order {
        if !lists[list].iter().any(|fixture| used.contains(fixture)) {
            chosen.push(list);
            used.extend(&lists[list]);
        }
    }
    chosen
}

/// A small set: again and again the fixture that is in most of the lists that are left, then without those that the
/// others make needless.
fn greedy(lists: &[Vec<usize>], named: &[usize]) -> Vec<usize> {
    let mut left: Vec<&Vec<usize>> = lists.iter().filter(|list| !list.is_empty()).collect();
    let mut chosen: Vec<usize> = Vec::new();
    while !left.is_empty() {
        let in_lists = |fixture: usize| left.iter().filter(|list| list.contains(&fixture)).count();
        let counted = named.iter().map(|&fixture| (in_lists(fixture), fixture));
        let Some((_, best)) = counted.reduce(|best, next| if best.0 < next.0 { next } else { best }) else {
            break;
        };
        left.retain(|list| !list.contains(&best));
        chosen.push(best);
    }
    for at in (0..chosen.len()).rev() {
        let has =
            |list: &Vec<usize>, but: usize| chosen.iter().any(|&other| other != but && list.contains(&other));
        if lists.iter().all(|list| list.is_empty() || has(list, chosen[at])) {
            chosen.remove(at);
        }
    }
    chosen.sort_unstable();
    chosen
}

/// Of the sets of this size, of which there is one, that which comes first: fixture by fixture, each is taken if the
/// fixtures after it can do the rest.
fn first(masks: &[u64], size: usize) -> Vec<usize> {
    let (mut left, mut chosen) = (masks.to_vec(), Vec::new());
    for place in 0..EXACT {
        if left.is_empty() {
            break;
        }
        let after = !((1 << (place + 1)) - 1);
        let rest: Vec<u64> =
            left.iter().filter(|&&mask| mask & (1 << place) == 0).map(|mask| mask & after).collect();
        if chosen.len() < size && Search::default().find(rest.clone(), size - chosen.len() - 1).is_some() {
            chosen.push(place);
            left = rest;
        }
    }
    chosen
}

/// Branch and bound over masks: a bit is a fixture, a mask is a mutant.
#[derive(Default)]
struct Search {
    /// How many choices of a fixture were tried.
    choices: usize,
}

impl Search {
    /// At most so many fixtures with one of each mask, if there are any.
    fn find(&mut self, mut masks: Vec<u64>, size: usize) -> Option<u64> {
        let forced = reduce(&mut masks)?;
        let left = size.checked_sub(forced.count_ones() as usize)?;
        let Some(&narrowest) = masks.first() else { return Some(forced) };
        if left < bound(&masks) {
            return None;
        }
        let mut refused = 0;
        for choice in bits(narrowest) {
            self.choices += 1;
            let rest = masks.iter().filter(|&&mask| mask & choice == 0).map(|mask| mask & !refused);
            if let Some(found) = self.find(rest.collect(), left - 1) {
                return Some(forced | choice | found);
            }
            // Sets with it are done with.
            refused |= choice;
        }
        None
    }
}

/// Takes out what decides nothing, until nothing changes: a mask that holds another one; a fixture that is only where
/// another one is, too; a mask of one fixture, which is taken. The masks that remain are in the order of their size.
/// `None` where a mask has no fixture.
fn reduce(masks: &mut Vec<u64>) -> Option<u64> {
    let mut forced = 0;
    loop {
        masks.sort_unstable_by_key(|mask| (mask.count_ones(), mask.reverse_bits()));
        let mut kept: Vec<u64> = Vec::with_capacity(masks.len());
        for &mask in &*masks {
            if !kept.iter().any(|smaller| smaller & mask == *smaller) {
                kept.push(mask);
            }
        }
        if kept.first() == Some(&0) {
            return None;
        }
        let alone = kept.iter().filter(|mask| mask.is_power_of_two()).fold(0, |all, mask| all | mask);
        kept.retain(|mask| !mask.is_power_of_two());
        forced |= alone;
        let needless = dominated(&kept);
        *masks = kept.into_iter().map(|mask| mask & !needless).collect();
        if needless == 0 {
            return Some(forced);
        }
    }
}

/// The fixtures that are only in masks which have another one as well, that isn't given up. Of equal ones the first
/// stays.
fn dominated(masks: &[u64]) -> u64 {
    let all = masks.iter().fold(0, |all, mask| all | mask);
    let mut needless = 0;
    for fixture in bits(all) {
        let beside =
            masks.iter().filter(|&&mask| mask & fixture != 0).fold(!fixture, |both, mask| both & mask);
        let in_masks = |fixture: u64| masks.iter().filter(|&&mask| mask & fixture != 0).count();
        let is_better = |other: u64| in_masks(fixture) < in_masks(other) || other < fixture;
        if bits(beside & all & !needless).any(is_better) {
            needless |= fixture;
        }
    }
    needless
}

/// How many fixtures these masks need at least: as many as there are masks without a common one.
fn bound(masks: &[u64]) -> usize {
    let (mut used, mut count) = (0, 0);
    for mask in masks.iter().filter(|&&mask| mask != 0) {
        if mask & used == 0 {
            used |= mask;
            count += 1;
        }
    }
    count
}

/// The bits of a mask, each alone, the lowest first.
fn bits(mut mask: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let lowest = mask & mask.wrapping_neg();
        mask &= !lowest;
        (lowest != 0).then_some(lowest)
    })
}

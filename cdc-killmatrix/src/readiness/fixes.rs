//! What to do about a configuration, in a plain sentence.

use super::clauses::{changes, sequence_of};
use super::spoken::{capital, listed};
use super::ties::{Tie, Ties};
use super::trials;
use super::wishes::Wish;
use crate::check::spelled;
use crate::fixture::Fixture;
use crate::words::counted;

/// How to complete an order: as another configuration does, or with a column that differs where it ties.
pub(super) fn of_order(ties: &Ties<'_>, fixture: &Fixture, ordered: Option<&Fixture>) -> String {
    if let Some((other, advice)) = ordered.and_then(|other| Some((other, as_in(fixture, other)?))) {
        let is_order = sequence_of(fixture.plan()) != sequence_of(other.plan());
        let caveat = if is_order { ", only if that follows the source's own order" } else { "" };
        return format!("{advice}{caveat}.");
    }
    let plan = ties.first.as_ref().map_or_else(|| fixture.plan(), Tie::plan);
    let Some(&column) = ties.candidates.first() else {
        let needed = "No column of these events could be seen to order them";
        return format!("{needed}: the source has to deliver one that does.");
    };
    let name = &plan.feed()[column].name;
    let fields = plan.sequence().iter().chain([&column]);
    let fields: Vec<String> = fields.map(|&column| spelled(&plan.feed()[column].name)).collect();
    format!(
        "Use a composite sequence, struct({}) instead of {}, only if {name} follows the source's own order.",
        fields.join(", "),
        sequence_of(plan)
    )
}

/// How to come to the wanted rows: as another configuration does, or with a change that was tried.
pub(super) fn of_wish(fixture: &Fixture, wish: &Wish<'_>, right: Option<&Fixture>) -> String {
    if let Some(advice) = right.and_then(|other| as_in(fixture, other)) {
        return format!("{advice}.");
    }
    match trials::change(fixture, wish) {
        Ok(change) => format!("{}: tried on these events, that gives the wanted rows.", capital(&change)),
        Err(0) => "No configuration here gives the wanted rows.".to_owned(),
        Err(tried) => format!(
            "No configuration here gives the wanted rows, nor does one of {} of a clause that {} tried.",
            counted(tried, "change"),
            if tried == 1 { "was" } else { "were" }
        ),
    }
}

/// What to change to come to another configuration, if anything.
fn as_in(fixture: &Fixture, other: &Fixture) -> Option<String> {
    let changes = changes(fixture, other);
    (!changes.is_empty()).then(|| format!("{}, as {} does", capital(&listed(&changes)), other.title))
}

/// What a configuration has to keep, since one without it gives rows that aren't wanted.
pub(super) fn option(wrong: &Fixture, fixture: &Fixture) -> String {
    let changes = changes(wrong, fixture);
    if changes.is_empty() {
        return format!("{} has the same flow and another wish: decide which one holds.", wrong.title);
    }
    format!("Ship with this option: {}.", listed(&changes))
}

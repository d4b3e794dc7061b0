//! A mutant that an engine plays, as events and a definition, gives the rows of the mutant in the model: on histories
//! in the order of the sequence always, elsewhere but for a list of reviewed places.

use std::path::Path;

use cdc_core::{Mutant, Reference};
use cdc_killmatrix::feed_form::{self, FeedForm};
use cdc_killmatrix::{Fixture, Fixtures, Shown, catalogue, tables};

mod columns;
mod corpus;
mod drawn;
#[expect(dead_code, reason = "the laws use the rest of it")]
#[path = "../histories/mod.rs"]
mod histories;

/// The mutants that decide inside, and have a form of their own.
const SEVEN: [&str; 7] = [
    "collapsed_key",
    "arrival_order",
    "ignored_deletes",
    "swapped_columns",
    "kept_nulls",
    "ignored_tie_breaker",
    "tracked_sync_noise",
];

fn load(folder: &str) -> Fixtures {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures").join(folder);
    Fixtures::load([folder]).unwrap_or_else(|errors| panic!("{errors}"))
}

fn with_forms() -> Vec<Mutant> {
    catalogue::all().into_iter().filter(feed_form::exists).collect()
}

fn mutant(name: &str) -> Mutant {
    catalogue::all().into_iter().find(|mutant| mutant.name == name).unwrap()
}

/// The checkpoints, from 1, after which a form's rows or refusals aren't those of its mutant in the model.
fn differences(mutant: &Mutant, form: &FeedForm, fixture: &Fixture) -> Vec<usize> {
    let model = tables(mutant, fixture).unwrap();
    let played = tables(&Reference, &form.played).unwrap();
    assert_eq!(model.len(), played.len());
    let class = |shown: &Shown| shown.refusal.as_ref().map(|refusal| refusal.class);
    let differ = |model: &Shown, played: &Shown| {
        class(model) != class(played) || form.expected(&model.table) != form.shown(&played.table)
    };
    let all = (1..).zip(model.iter().zip(&played));
    all.filter(|(_, (model, played))| differ(model, played)).map(|(number, _)| number).collect()
}

#[test]
fn the_first_seven_and_those_of_definition_and_rewrite_have_a_form() {
    for mutant in catalogue::all() {
        let is_before_all = ["definition", "rewrite"].contains(&mutant.breaks.name());
        let is_one_of_seven = SEVEN.contains(&mutant.name);
        assert_eq!(feed_form::exists(&mutant), is_before_all || is_one_of_seven, "{}", mutant.name);
    }
    assert_eq!(catalogue::all()[..7].iter().map(|mutant| mutant.name).collect::<Vec<_>>(), SEVEN);
}

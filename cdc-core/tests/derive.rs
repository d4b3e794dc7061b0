//! `#[derive(Mutants)]` and `#[hooks]` from the outside, under the strictest lints a user may have.
#![deny(missing_docs, unused, dead_code)]

use cdc_core as renamed;
use cdc_core::{AutoCdc, Hook, Mutant, Mutants, Plan, Reference};

#[derive(Mutants)]
enum Ordering {
    /// Refuses every event.
    ///
    /// Only the first line is the description.
    #[mutant(order_of = |_, _| None)]
    RefusesAll,

    /// Does what the reference does.
    #[mutant(order_of = |plan, event| Reference.order_of(plan, event), needs = never)]
    SCD2Same,
}

/// Finds no key.
#[derive(Mutants)]
#[mutant(key_of = no_key)]
struct FindsNoKey;

#[derive(Mutants)]
#[mutants(crate = renamed)]
enum Renamed {
    /// Finds no key here either.
    #[mutant(needs = self::never)]
    #[mutant(key_of = |_, _| None)]
    FindsNone,
}

// Nobody asks for its list: the names are no dead code all the same.
#[derive(Mutants)]
enum Forgotten {
    /// Finds no key.
    #[mutant(key_of = |_, _| None)]
    FindsNone,
}

fn no_key(_plan: &Plan, _event: &cdc_core::Event) -> Option<cdc_core::Key> {
    None
}

fn never(_plan: &Plan) -> Result<(), &'static str> {
    Err("never differs")
}

/// A list from a macro of the user's own.
macro_rules! mutant {
    ($name:ident, $broken:expr) => {
        /// Comes from a macro.
        #[derive(Mutants)]
        #[mutant(key_of = $broken)]
        struct $name;
    };
}

mutant!(FromMacro, |_, _| None);

fn names(mutants: &[Mutant]) -> Vec<&'static str> {
    mutants.iter().map(|mutant| mutant.name).collect()
}

#[test]
fn names_are_the_identifiers_in_snake_case_and_in_order() {
    assert_eq!(names(Ordering::ALL), ["refuses_all", "scd2_same"]);
    assert_eq!(names(FindsNoKey::ALL), ["finds_no_key"]);
    assert_eq!(names(Renamed::ALL), ["finds_none"]);
    assert_eq!(names(FromMacro::ALL), ["from_macro"]);
}

#[test]
fn a_description_is_the_first_doc_line_without_its_full_stop() {
    assert_eq!(Ordering::ALL[0].about, "Refuses every event");
    assert_eq!(FindsNoKey::ALL[0].about, "Finds no key");
}

#[test]
fn a_mutant_breaks_the_hook_that_its_attribute_names() {
    let broken = |mutants: &[Mutant]| mutants.iter().map(|it| it.breaks.name()).collect::<Vec<_>>();
    assert_eq!(broken(Ordering::ALL), ["order_of", "order_of"]);
    assert_eq!(broken(FindsNoKey::ALL), ["key_of"]);
    assert_eq!(broken(Renamed::ALL), ["key_of"]);
}

#[test]
fn every_hook_is_listed_with_what_it_decides() {
    let key_of = Hook::key_of(no_key);
    assert!(Hook::ALL.contains(&(key_of.name(), key_of.about())));
    assert!(Hook::ALL.iter().all(|(name, about)| !name.is_empty() && !about.is_empty()));
}

#[test]
fn a_hook_shows_its_name_and_no_address() {
    assert_eq!(format!("{:?}", Hook::key_of(no_key)), "Hook(key_of)");
}

#[test]
fn mutants_are_constants_and_a_model_like_any_other() {
    const FIRST: Mutant = Ordering::ALL[0];
    let _: &dyn AutoCdc = &FIRST;
}

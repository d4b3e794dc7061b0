//! Deliberately broken variants of a model, one attribute each.
//!
//! A model is a trait whose methods are decisions and whose bodies are the reference. [`macro@hooks`] goes
//! on that trait and writes down how to replace any one decision; [`macro@Mutants`] goes on a list of names
//! and writes down which decision each name gets wrong. Both are re-exported by `cdc-core`; nobody else
//! needs to name this crate.
//!
//! Either macro reports every fault of an item in one run, on the token that has to change, and still emits
//! what other code refers to, so that one fault gives one message.

use proc_macro::TokenStream;

mod source;
mod faults;
mod hooks;
mod mutants;

/// Makes every method of a trait replaceable, one at a time.
///
/// The trait stays as it is. Beside it appear `Hook`, an opaque replacement for one method with a
/// constructor for each, and three implementations of the trait. `Mutant` answers its own hook with the
/// replacement and every other as `Reference` does; `[Mutant]`, a list of them, answers the hook of each; `Spy`
/// answers as its mutant, and notes what the reference would have answered.
///
/// These names have to be in scope: `Reference`, a unit struct that implements the trait; `Mutant`, a struct with a
/// field `breaks: Hook`; `Spy<'_>`, with a field `mutant` and a method `note(right, answer, inputs)`; and the
/// trait `Told`, whose method `told` puts an input into words.
///
/// ```
/// use cdc_mutants_derive::hooks;
///
/// #[hooks]
/// pub trait Till {
///     /// What a number of equal things costs.
///     fn price_of(&self, cents: u64, count: u64) -> u64 {
///         cents * count
///     }
///
///     /// Whether the change is rounded.
///     fn rounds(&self, _cents: u64) -> bool {
///         false
///     }
/// }
///
/// pub struct Reference;
///
/// impl Till for Reference {}
///
/// pub struct Mutant {
///     pub breaks: Hook,
/// }
///
/// pub struct Spy<'a> {
///     pub mutant: &'a Mutant,
///     pub noted: std::cell::RefCell<Vec<String>>,
/// }
///
/// impl Spy<'_> {
///     fn note<A: PartialEq>(&self, right: &A, answer: &A, inputs: impl FnOnce() -> Vec<(&'static str, String)>) {
///         if right != answer {
///             self.noted.borrow_mut().extend(inputs().into_iter().map(|(name, text)| format!("{name}: {text}")));
///         }
///     }
/// }
///
/// pub trait Told {
///     fn told(&self) -> String;
/// }
///
/// impl Told for u64 {
///     fn told(&self) -> String {
///         self.to_string()
///     }
/// }
///
/// let mutant = Mutant { breaks: Hook::price_of(|cents, _| cents) };
/// assert_eq!(mutant.price_of(20, 3), 20);
/// assert_eq!(mutant.rounds(20), Reference.rounds(20));
/// assert_eq!(mutant.breaks.name(), "price_of");
/// assert_eq!(Hook::ALL[1], ("rounds", "Whether the change is rounded"));
///
/// let spy = Spy { mutant: &mutant, noted: Default::default() };
/// assert_eq!(spy.price_of(20, 3), 20, "as the mutant");
/// assert_eq!(spy.noted.into_inner(), ["cents: 20", "count: 3"]);
///
/// let rounding = Mutant { breaks: Hook::rounds(|_| true) };
/// let both = [mutant, rounding];
/// assert_eq!((both.price_of(20, 3), both.rounds(20)), (20, true));
/// ```
///
/// # Rules
///
/// Breaking one hook must break no other, and a function pointer must be able to stand for it:
///
/// * the trait holds methods only, at least one, and is neither generic nor unsafe;
/// * a method has a doc comment, whose first line describes it, and a body, which is what the reference
///   decides; the body mentions neither `self` nor `Self` nor `Reference`, not even inside a macro;
/// * it takes `&self`, then arguments with plain names, and is neither generic nor const, async, unsafe or
///   extern;
/// * it returns a value that borrows nothing (`Result<(), &'static str>` is one, `&str` isn't);
/// * an argument can be used twice: it is `Copy`, as a reference is;
/// * it isn't called `name`, `about`, `needs`, `report`, `caught_by` or `equivalent`, which mean something else here.
#[proc_macro_attribute]
pub fn hooks(args: TokenStream, item: TokenStream) -> TokenStream {
    hooks::expand(args.into(), item.into()).into_tokens().into()
}

/// Lists the mutants that the variants of an enum, or a unit struct, stand for.
///
/// Writes `Mutants::ALL` of `cdc-core`, in the order of the variants. A mutant's name is the identifier in
/// snake case, its description the first line of the doc comment without the full stop, and what the business
/// notices the second paragraph, if there is one. `#[mutant]` says what it does: the key is the hook that it
/// breaks, the value is the wrong decision, a closure that captures nothing or a path to a function.
///
/// The rest is optional. `needs = path` names a function of the plan that says why the mutant can't differ there;
/// `report = ".."` is the address of somebody's report of such a fault; `caught_by = "suite/fixture"` names the
/// fixture that is there to catch it; `equivalent = ".."` says why no events can tell it from the reference.
/// `#[mutants(family = "..")]` on the type names the kind of fault; by default that is the type's name in words.
///
/// ```
/// # mod cdc_core {
/// #     use cdc_mutants_derive::hooks;
/// #     pub struct Plan;
/// #     #[hooks]
/// #     pub trait AutoCdc {
/// #         /// Whether a version takes the place of another.
/// #         fn supersedes(&self, new: u64, old: u64) -> bool {
/// #             old < new
/// #         }
/// #     }
/// #     pub struct Reference;
/// #     impl AutoCdc for Reference {}
/// #     pub struct Mutant {
/// #         pub name: &'static str,
/// #         pub about: &'static str,
/// #         pub breaks: Hook,
/// #         pub needs: Option<fn(&Plan) -> Result<(), &'static str>>,
/// #     }
/// #     pub struct Spy<'a> {
/// #         pub mutant: &'a Mutant,
/// #     }
/// #     impl Spy<'_> {
/// #         fn note<A, I>(&self, _: &A, _: &A, _: I) {}
/// #     }
/// #     pub trait Told {
/// #         fn told(&self) {}
/// #     }
/// #     impl Told for u64 {}
/// #     impl Mutant {
/// #         pub const fn family(self, _: &'static str) -> Self {
/// #             self
/// #         }
/// #         pub const fn new(name: &'static str, about: &'static str, breaks: Hook) -> Self {
/// #             Self { name, about, breaks, needs: None }
/// #         }
/// #         pub const fn needing(self, needs: fn(&Plan) -> Result<(), &'static str>) -> Self {
/// #             Self { needs: Some(needs), ..self }
/// #         }
/// #     }
/// #     pub trait Mutants {
/// #         const ALL: &'static [Mutant];
/// #     }
/// #     pub use cdc_mutants_derive::Mutants;
/// # }
/// # fn main() {
/// use cdc_core::{AutoCdc, Mutants, Plan, Reference};
///
/// #[derive(Mutants)]
/// # #[mutants(crate = cdc_core)]
/// enum Order {
///     /// Lets the smaller sequence win.
///     #[mutant(supersedes = |new, old| Reference.supersedes(old, new))]
///     SmallestWins,
///
///     /// Lets a tie replace the row.
///     #[mutant(supersedes = tie_replaces, needs = ties)]
///     TieReplaces,
/// }
///
/// fn tie_replaces(new: u64, old: u64) -> bool {
///     old <= new
/// }
///
/// fn ties(_plan: &Plan) -> Result<(), &'static str> {
///     Err("the sequence is unique")
/// }
///
/// assert_eq!(Order::ALL[0].name, "smallest_wins");
/// assert_eq!(Order::ALL[0].about, "Lets the smaller sequence win");
/// assert!(!Order::ALL[0].supersedes(2, 1));
/// assert!(Order::ALL[1].supersedes(1, 1));
/// assert_eq!(Order::ALL[1].needs.unwrap()(&Plan), Err("the sequence is unique"));
/// # }
/// ```
///
/// A crate that knows `cdc-core` by another name says so once a type: `#[mutants(crate = other_name)]`.
#[proc_macro_derive(Mutants, attributes(mutant, mutants))]
pub fn mutants(item: TokenStream) -> TokenStream {
    mutants::expand(item.into()).into_tokens().into()
}

// What it shows is run with the doc tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

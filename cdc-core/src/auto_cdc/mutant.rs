//! The reference with one decision taken wrongly.

use super::Hook;
use crate::plan::Plan;

/// What a flow must have for a mutant to differ from the reference; where it hasn't, the reason.
pub type Needs = fn(&Plan) -> Result<(), &'static str>;

/// The reference with one decision taken wrongly.
///
/// ```
/// use cdc_core::{Hook, Mutant, Order};
///
/// const BY_HAND: Mutant = Mutant::new(
///     "arrival_order",
///     "Orders events by arrival",
///     Hook::order_of(|_, event| Some(Order::arrival(event))),
/// )
/// .consequence("An older value is back");
/// assert_eq!(BY_HAND.breaks.name(), "order_of");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Mutant {
    /// The name in reports and on the command line, in `snake_case`.
    pub name: &'static str,
    /// What it does wrong, in one line.
    pub about: &'static str,
    /// The decision that it takes wrongly.
    pub breaks: Hook,
    /// What a flow must have for it to differ.
    pub needs: Needs,
    /// The kind of fault, in plain words: `key equality`.
    pub family: &'static str,
    /// What the business notices: `A deleted customer is back`. May be empty.
    pub consequence: &'static str,
    /// Where somebody reported such a fault: an address. May be empty.
    pub report: &'static str,
    /// The fixture that is there to catch it, `suite/fixture`. May be empty.
    pub caught_by: &'static str,
    /// Why no events can tell it from the reference, if that is claimed.
    pub equivalent: Option<&'static str>,
}

impl Mutant {
    /// A mutant that may differ under every flow, and of which nothing is claimed.
    pub const fn new(name: &'static str, about: &'static str, breaks: Hook) -> Self {
        Self {
            name,
            about,
            breaks,
            needs: |_| Ok(()),
            family: "",
            consequence: "",
            report: "",
            caught_by: "",
            equivalent: None,
        }
    }

    /// The same mutant, for flows that have what `needs` asks.
    #[must_use]
    pub const fn needing(self, needs: Needs) -> Self {
        Self { needs, ..self }
    }

    /// The same mutant, of this kind of fault.
    #[must_use]
    pub const fn family(self, family: &'static str) -> Self {
        Self { family, ..self }
    }

    /// The same mutant, with what the business notices.
    #[must_use]
    pub const fn consequence(self, consequence: &'static str) -> Self {
        Self { consequence, ..self }
    }

    /// The same mutant, with the address of a report.
    #[must_use]
    pub const fn report(self, report: &'static str) -> Self {
        Self { report, ..self }
    }

    /// The same mutant, with the fixture that is there to catch it.
    #[must_use]
    pub const fn caught_by(self, fixture: &'static str) -> Self {
        Self { caught_by: fixture, ..self }
    }

    /// The same mutant, of which it is claimed, for this reason, that no events tell it from the reference.
    #[must_use]
    pub const fn equivalent(self, reason: &'static str) -> Self {
        Self { equivalent: Some(reason), ..self }
    }
}

/// A list of mutants, written with `#[derive(Mutants)]`.
///
/// A hook that doesn't exist is an error of the compiler, which names similar ones:
///
/// ```compile_fail,E0599
/// /// Orders events by arrival.
/// #[derive(cdc_core::Mutants)]
/// #[mutant(ordr_of = |_, event| Some(cdc_core::Order::arrival(event)))]
/// struct ArrivalOrder;
/// ```
pub trait Mutants {
    /// The mutants, in the order in which they are declared.
    const ALL: &'static [Mutant];
}

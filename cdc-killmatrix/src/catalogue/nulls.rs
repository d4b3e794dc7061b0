//! What a null in an update means.

use cdc_core::{Mutants, needs};

/// Faults of nulls.
#[derive(Mutants)]
pub enum Nulls {
    /// A null in an update keeps the earlier value in every column, though not across a delete.
    #[mutant(ignores_null = |_, _| true, needs = needs::erasing_nulls)]
    KeptNulls,
}

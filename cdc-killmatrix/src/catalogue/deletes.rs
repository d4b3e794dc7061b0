//! What a delete does.

use cdc_core::{Mutants, Operation, needs};

/// Faults of deletes.
#[derive(Mutants)]
pub enum Deletes {
    /// A delete is written like an update: a row with the delete's own values, usually null.
    #[mutant(operation_of = |_, _| Ok(Operation::Upsert), needs = needs::delete_condition)]
    IgnoredDeletes,
}

//! What a delete does.

use cdc_core::{AutoCdc as _, EvalError, Event, Mutants, Operation, Plan, Reference, needs};

/// Faults of deletes.
#[derive(Mutants)]
pub enum Deletes {
    /// A delete is written like an update: a row with the delete's own values, usually null.
    #[mutant(operation_of = without_deletes, needs = needs::delete_condition)]
    IgnoredDeletes,

    /// A truncate is passed over, and every row stays.
    #[mutant(truncates = |_, _, _| false, needs = needs::truncate_condition)]
    IgnoredTruncate,

    /// A delete is forgotten as soon as time passes, long before the table's threshold.
    #[mutant(expires = |_, _, seconds| 0 < seconds, needs = needs::tombstone_threshold)]
    EarlyExpiry,
}

fn without_deletes(plan: &Plan, event: &Event) -> Result<Operation, EvalError> {
    let operation = Reference.operation_of(plan, event)?;
    Ok(if operation == Operation::Delete { Operation::Upsert } else { operation })
}

//! Which value lands in which column.

use cdc_core::{AutoCdc as _, Event, Mutants, Plan, Reference, Row, Value, needs};

/// Faults of the projection.
#[derive(Mutants)]
pub enum Columns {
    /// The first two payload columns of equal type exchange values.
    #[mutant(row_of = swapped, needs = needs::columns_of_one_type)]
    SwappedColumns,

    /// Columns that an event doesn't list are written, too, usually with null.
    #[mutant(gives = |_, _, _| true, needs = needs::columns_to_update)]
    WrittenUnlistedColumns,
}

fn swapped(plan: &Plan, event: &Event) -> Row {
    let mut values: Vec<Value> = Reference.row_of(plan, event).to_vec();
    if let Some((first, second)) = needs::first_columns_of_one_type(plan) {
        values.swap(first, second);
    }
    values.into()
}

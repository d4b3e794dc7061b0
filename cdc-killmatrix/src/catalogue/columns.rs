//! Which value lands in which column.

use cdc_core::{AutoCdc as _, Event, Mutants, Plan, Reference, Row, Value, needs};

/// Faults of the projection.
#[derive(Mutants)]
#[mutants(family = "columns")]
pub(super) enum Columns {
    /// The first two payload columns of equal type exchange values.
    ///
    /// The city stands where the e-mail address belongs.
    #[mutant(
        row_of = swapped,
        needs = needs::columns_of_one_type,
        report = "https://github.com/risingwavelabs/risingwave/issues/25868",
        caught_by = "customers_current/update_and_mapping"
    )]
    SwappedColumns,

    /// Columns that an event doesn't list are written, too, usually with null.
    ///
    /// A change of the price erases the name.
    #[mutant(gives = |_, _, _| true, needs = needs::columns_to_update, caught_by = "clauses/listed_columns")]
    WrittenUnlistedColumns,
}

fn swapped(plan: &Plan, event: &Event) -> Row {
    let mut values: Vec<Value> = Reference.row_of(plan, event).to_vec();
    if let Some((first, second)) = needs::first_columns_of_one_type(plan) {
        values.swap(first, second);
    }
    values.into()
}

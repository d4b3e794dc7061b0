//! A local time that is taken for UTC.

use cdc_core::{AutoCdc as _, Event, Mutants, Plan, Reference, Row, Value, Version, needs};

use super::values::{deeply, in_another_zone, row_with};

/// Faults of time zones: eight hours, here.
#[derive(Mutants)]
#[mutants(family = "time zone")]
pub(super) enum Timezone {
    /// A delete ends its row in another time zone: eight hours early.
    ///
    /// A customer has left before signing up.
    #[mutant(
        bound_of = of_delete,
        needs = needs::timestamp_deletes,
        report = "https://github.com/dbt-labs/dbt-core/issues/5867",
        caught_by = "customer_history/points_in_time"
    )]
    ShiftedDelete,

    /// The points in time of the first batch are in another time zone: eight hours early.
    ///
    /// Whatever hasn't changed since the first load bears a wrong time.
    #[mutant(
        row_of = of_first_batch,
        needs = needs::timestamp_payload,
        report = "https://github.com/apache/flink-cdc/issues/2074",
        caught_by = "clauses/well_probes"
    )]
    ShiftedFirstBatch,
}

fn of_delete(plan: &Plan, version: &Version) -> Value {
    let bound = Reference.bound_of(plan, version);
    if version.is_delete() { deeply(&bound, in_another_zone) } else { bound }
}

fn of_first_batch(plan: &Plan, event: &Event) -> Row {
    let is_first = event.arrival.batch == 0;
    row_with(plan, event, |_, value| is_first.then(|| in_another_zone(value)))
}

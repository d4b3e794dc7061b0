//! When a flow runs.

use cdc_core::{Mutants, needs};

/// Faults of flows that run once.
#[derive(Mutants)]
#[mutants(family = "flows that run once")]
pub(super) enum Runs {
    /// A back-fill that runs once is applied again with every batch.
    ///
    /// Old data that was corrected by hand comes back.
    #[mutant(
        runs_again = |_| true,
        needs = needs::once,
        caught_by = "clauses/hydration_first"
    )]
    RepeatedBackfill,
}

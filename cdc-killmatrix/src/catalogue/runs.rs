//! When a flow runs.

use cdc_core::{Mutants, needs};

/// Faults of flows that run once.
#[derive(Mutants)]
pub enum Runs {
    /// A back-fill that runs once is applied again with every batch.
    #[mutant(runs_again = |_| true, needs = needs::once)]
    RepeatedBackfill,
}

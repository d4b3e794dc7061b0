//! What opens a version.

use cdc_core::{Mutants, needs};

/// Faults of change detection.
#[derive(Mutants)]
pub enum History {
    /// History is tracked on every column, though the flow excludes some.
    #[mutant(tracks = |_, _| true, needs = needs::untracked_column)]
    TrackedSyncNoise,
}

//! The functions that define flows.

/// Their names.
pub(super) const FLOWS: [&str; 4] = [
    "create_auto_cdc_flow",
    "apply_changes",
    "create_auto_cdc_from_snapshot_flow",
    "apply_changes_from_snapshot",
];

/// Whether a function defines a flow, and if so, whether that is one from snapshots.
pub(super) fn is_from_snapshot(function: &str) -> Option<bool> {
    FLOWS.iter().position(|flow| *flow == function).map(|at| 2 <= at)
}

/// Whether a function defines a flow.
pub(super) fn is_flow(function: &str) -> bool {
    is_from_snapshot(function).is_some()
}

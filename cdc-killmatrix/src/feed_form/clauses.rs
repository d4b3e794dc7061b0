//! What a flow's clauses say of a column.

use cdc_core::{Condition, Plan, Schema, folded};

/// Whether the sequence, a condition or the list of columns to update reads a column of the events: then another value
/// in it changes more than a row.
pub(super) fn read(plan: &Plan, column: usize) -> bool {
    let places =
        || plan.sequence().iter().copied().chain(plan.system_sequence()).chain(plan.columns_to_update());
    let flow = plan.flow();
    let conditions = [&flow.apply_as_deletes, &flow.apply_as_truncates];
    places().any(|place| place == column)
        || conditions.into_iter().flatten().any(|text| names(plan, text, column))
}

/// Whether a condition means nothing without a column.
fn names(plan: &Plan, condition: &str, column: usize) -> bool {
    let others = plan.feed().iter().enumerate().filter(|(place, _)| *place != column);
    let others = Schema::new(others.map(|(_, other)| (other.name.clone(), other.data_type.clone())));
    others.is_ok_and(|others| Condition::parse(condition, &others).is_err())
}

/// A column's name as a clause writes it.
pub(super) fn written(name: &str) -> String {
    let is_word = !name.starts_with(|char: char| char.is_ascii_digit())
        && name.chars().all(|char| char.is_ascii_alphanumeric() || char == '_');
    if is_word { name.to_owned() } else { format!("`{}`", name.replace('`', "``")) }
}

/// A name for a column that is added to sources: no flow's source has it.
pub(super) fn unused(plans: &[Plan], name: &str) -> String {
    let is_used = |name: &str| plans.iter().any(|plan| plan.feed().find(name).is_some());
    let mut name = folded(name);
    while is_used(&name) {
        name.push('_');
    }
    name
}

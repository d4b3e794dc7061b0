//! What events must be able to say: the same twice, or another thing of the same key.

use super::{
    Need, deleted_history, deletes_of_events, history, idle_events, late_versions, met, tracked_text,
};
use crate::data_type::DataType;
use crate::plan::Plan;

/// Why nothing is the same twice.
const EVERY_EVENT: &str = "every event changes a tracked column: the sequence";

/// A history in which an event may change nothing that is tracked, not even the sequence.
pub fn events_without_change(plan: &Plan) -> Need {
    idle_events(plan)?;
    met(!tracks_sequence(plan), EVERY_EVENT)
}

/// A history in which a key may have the same tracked values twice.
pub fn values_that_return(plan: &Plan) -> Need {
    history(plan)?;
    met(!tracks_sequence(plan), EVERY_EVENT)
}

/// The same, with deletes.
pub fn returns_after_deletes(plan: &Plan) -> Need {
    deleted_history(plan)?;
    met(!tracks_sequence(plan), EVERY_EVENT)
}

/// A history in which an event may change no more than a null.
pub fn changes_of_nulls(plan: &Plan) -> Need {
    history(plan)?;
    // The fields of `struct(a, b)` may be null.
    met(plan.sequence_is_struct() || !tracks_sequence(plan), EVERY_EVENT)
}

/// A history in which an event may change no more than the spelling of a text.
pub fn changes_of_spelling(plan: &Plan) -> Need {
    tracked_text(plan)?;
    let is_text = |&column: &usize| plan.feed()[column].data_type == DataType::String;
    met(plan.sequence().iter().any(is_text) || !tracks_sequence(plan), EVERY_EVENT)
}

/// A table of type 2 in which events of a key may say the same, in any order.
pub fn late_repeated_events(plan: &Plan) -> Need {
    late_versions(plan)?;
    let is_shown = plan.sequence().iter().all(|column| plan.output().contains(column));
    met(!is_shown, "no two events of a key are the same: the sequence is a column of the target")
}

/// Deletes of which an upsert of another key may have the values, in all columns beside the key.
pub fn deletes_like_upserts(plan: &Plan) -> Need {
    deletes_of_events(plan)?;
    let text = plan.flow().apply_as_deletes.as_deref().unwrap_or_default().to_lowercase();
    let is_payload = |place: usize| plan.output().contains(&place) && !plan.keys().contains(&place);
    // A name inside a literal counts as well: then nothing is ruled out.
    let is_named = |place: usize| text.contains(&plan.feed()[place].name.to_lowercase());
    let may_differ = (0..plan.feed().len()).any(|place| !is_payload(place) && is_named(place));
    met(may_differ, "what makes an event a delete is a column of the target")
}

/// Whether two events of a key at different places of the sequence differ in a tracked column, whatever they say.
fn tracks_sequence(plan: &Plan) -> bool {
    // Where an event may leave a column as it was, the sequence may stay that of an event before.
    let is_given = |column: usize| {
        plan.columns_to_update().is_none() && !(plan.sequence_is_struct() && plan.ignores_null(column))
    };
    plan.sequence().iter().all(|place| {
        let column = plan.output().iter().position(|output| output == place);
        plan.keys().contains(place) || column.is_some_and(|column| plan.tracks(column) && is_given(column))
    })
}

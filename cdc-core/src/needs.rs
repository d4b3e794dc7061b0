//! What a flow must have for a mutant to differ from the reference.
//!
//! Each function is the `needs` of a mutant; its error is the reason why a cell says "not applicable".

use crate::data_type::DataType;
use crate::flow::ScdType;
use crate::plan::Plan;
use crate::row::Column;

mod changes;
mod columns;

pub use changes::{
    changes_of_nulls, changes_of_spelling, deletes_like_upserts, events_without_change, late_repeated_events,
    returns_after_deletes, values_that_return,
};
pub use columns::{
    bigint_key, columns_of_one_type, composite_sequence, compound_key, decimal_fractions,
    first_columns_of_one_type, first_unused_column, floating_key, gluable_key, long_numbers,
    name_with_capital, numeric_sequence, text_key, text_payload, timestamp_payload, timestamp_sequence,
};
use columns::{has_payload, sequence_types};

/// Nothing, or the reason why a mutant can't differ.
type Need = Result<(), &'static str>;

/// A delete condition.
pub fn delete_condition(plan: &Plan) -> Need {
    met(plan.delete_condition().is_some(), "the flow has no delete condition")
}

/// Events that come in any order: snapshots come in that of their versions.
pub fn events(plan: &Plan) -> Need {
    met(!plan.reads_snapshots(), "snapshots come in the order of their versions")
}

/// Ties of which the last event doesn't win anyway, as it does among the upserts of a table of type 1.
pub fn ties_that_the_first_may_win(plan: &Plan) -> Need {
    events(plan)?;
    let is_open = plan.scd_type() != ScdType::One || deletes(plan).is_ok();
    met(is_open, "without deletes the last event of a tie wins anyway")
}

/// A flow from snapshots.
pub fn snapshots(plan: &Plan) -> Need {
    met(plan.reads_snapshots(), "the flow reads events, not snapshots")
}

/// A truncate condition.
pub fn truncate_condition(plan: &Plan) -> Need {
    met(plan.truncate_condition().is_some(), "the flow has no truncate condition")
}

/// A threshold for tombstones that the definition gives.
pub fn tombstone_threshold(plan: &Plan) -> Need {
    let threshold = plan.flow().tombstone_gc_threshold_seconds;
    met(threshold.is_some(), "the definition gives no threshold for tombstones")
}

/// A column that lists the columns to update.
pub fn columns_to_update(plan: &Plan) -> Need {
    met(plan.columns_to_update().is_some(), "every event gives every column")
}

/// A flow that runs once.
pub fn once(plan: &Plan) -> Need {
    met(plan.flow().once, "the flow runs again with every batch")
}

/// A bitemporal table.
pub fn system_sequence(plan: &Plan) -> Need {
    met(plan.scd_type() == ScdType::Bitemporal, "the table isn't bitemporal")
}

/// A sequence that may be null.
pub fn nullable_sequence(plan: &Plan) -> Need {
    events(plan)?;
    met(!plan.sequence_is_struct(), "`struct(..)` is never null")
}

/// Deletes that end a row at a `TIMESTAMP`.
pub fn timestamp_deletes(plan: &Plan) -> Need {
    history(plan)?;
    delete_condition(plan)?;
    met(sequence_types(plan).contains(&&DataType::Timestamp), "the sequence is no TIMESTAMP")
}

/// A table of type 1, of events.
pub fn current_of_events(plan: &Plan) -> Need {
    events(plan).and_then(|()| current(plan))
}

/// A column of the source that could be taken for the sequence.
pub fn unused_column(plan: &Plan) -> Need {
    events(plan)?;
    let column = first_unused_column(plan.flow()).and_then(|name| plan.schema().find(name));
    let has_its_type = |column: usize| {
        let [sequence] = plan.sequence() else { return false };
        !plan.sequence_is_struct() && plan.schema()[column].data_type == plan.schema()[*sequence].data_type
    };
    met(column.is_some_and(has_its_type), "no excluded column could be taken for the sequence")
}

/// A column beside the key, of events.
pub fn payload_of_events(plan: &Plan) -> Need {
    met(!plan.reads_snapshots(), "a row that a snapshot lacks is deleted, whatever its key")?;
    met(has_payload(plan, |_| true), "every column is a key")
}

/// A column that a null can erase.
pub fn erasing_nulls(plan: &Plan) -> Need {
    met(plan.payload().any(|column| !plan.ignores_null(column)), "nulls are ignored already")
}

/// A history in which some column isn't tracked.
pub fn untracked_column(plan: &Plan) -> Need {
    history(plan)?;
    met(plan.payload().any(|column| !plan.tracks(column)), "every column is tracked already")
}

/// A table of type 2.
pub fn history(plan: &Plan) -> Need {
    met(plan.scd_type() != ScdType::One, "SCD type 1 keeps no history")
}

/// Something that deletes rows.
pub fn deletes(plan: &Plan) -> Need {
    let condition = plan.delete_condition().or(plan.truncate_condition());
    met(condition.is_some(), "nothing deletes a row")
}

/// Deletes that may come in any order.
pub fn deletes_of_events(plan: &Plan) -> Need {
    events(plan).and_then(|()| delete_condition(plan))
}

/// Deletes or truncates that may come in any order.
pub fn removals_of_events(plan: &Plan) -> Need {
    events(plan).and_then(|()| deletes(plan))
}

/// A table of type 1 with deletes that may come in any order.
pub fn current_with_deletes(plan: &Plan) -> Need {
    current(plan).and_then(|()| deletes_of_events(plan))
}

/// A table of type 1 with truncates.
pub fn current_with_truncates(plan: &Plan) -> Need {
    current(plan).and_then(|()| truncate_condition(plan))
}

/// A table of type 1 with deletes or truncates that may come in any order.
pub fn current_with_removals(plan: &Plan) -> Need {
    current(plan).and_then(|()| removals_of_events(plan))
}

/// Deletes that are remembered when their row is gone.
pub fn tombstones(plan: &Plan) -> Need {
    forgets_events(plan).and_then(|()| removals_of_events(plan))
}

/// A history with events that may come in any order.
pub fn late_history(plan: &Plan) -> Need {
    events(plan).and_then(|()| history(plan))
}

/// A table of type 2 with events that may come in any order.
pub fn late_versions(plan: &Plan) -> Need {
    forgets_events(plan).and_then(|()| late_history(plan))
}

/// A history with deletes.
pub fn deleted_history(plan: &Plan) -> Need {
    history(plan).and_then(|()| delete_condition(plan))
}

/// A history with deletes that may come in any order.
pub fn late_deleted_history(plan: &Plan) -> Need {
    events(plan).and_then(|()| deleted_history(plan))
}

/// A history in which an event may change nothing that is tracked.
pub fn idle_events(plan: &Plan) -> Need {
    history(plan)?;
    let is_idle = events(plan).is_ok() || untracked_column(plan).is_ok();
    met(is_idle, "a row of a snapshot that changes nothing is no event")
}

/// A history that tracks a column of text.
pub fn tracked_text(plan: &Plan) -> Need {
    history(plan)?;
    let is_text = |column: usize| plan.tracks(column) && plan.target()[column].data_type == DataType::String;
    met((0..plan.output().len()).any(is_text), "no column of text is tracked")
}

/// A column in which nulls are ignored.
pub fn ignored_nulls(plan: &Plan) -> Need {
    met(plan.payload().any(|column| plan.ignores_null(column)), "no nulls are ignored")
}

/// Events that may leave a column as it was.
pub fn gaps(plan: &Plan) -> Need {
    ignored_nulls(plan).or_else(|_| columns_to_update(plan)).map_err(|_| "every event writes every column")
}

/// Events that may leave a column as it was, and something that deletes rows.
pub fn gaps_and_deletes(plan: &Plan) -> Need {
    gaps(plan).and_then(|()| deletes(plan))
}

/// A table in which an event counts though a newer one is there.
pub fn older_events(plan: &Plan) -> Need {
    events(plan)?;
    gaps(plan).or_else(|_| history(plan)).map_err(|_| "only the newest event of a key counts")
}

/// A column of text that says what the source did, and doesn't reach the target.
pub fn told_operation(plan: &Plan) -> Need {
    events(plan)?;
    let is_told = |(place, column): (usize, &Column)| {
        column.data_type == DataType::String && !plan.output().contains(&place)
    };
    let is_found = plan.feed().iter().enumerate().any(is_told);
    met(is_found, "no column of text beside the target's says what the source did")
}

/// A table of type 1.
fn current(plan: &Plan) -> Need {
    met(plan.scd_type() == ScdType::One, "the table keeps a history")
}

/// A table that need not remember every event.
fn forgets_events(plan: &Plan) -> Need {
    met(plan.scd_type() != ScdType::Bitemporal, "a bitemporal table remembers every event")
}

fn met(holds: bool, reason: &'static str) -> Need {
    if holds { Ok(()) } else { Err(reason) }
}

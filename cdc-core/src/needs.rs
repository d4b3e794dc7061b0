//! What a flow must have for a mutant to differ from the reference.
//!
//! Each function is the `needs` of a mutant; its error is the reason why a cell says "not applicable".

use crate::data_type::DataType;
use crate::flow::ScdType;
use crate::plan::Plan;

/// A delete condition.
pub fn delete_condition(plan: &Plan) -> Result<(), &'static str> {
    plan.delete_condition().map(|_| ()).ok_or("the flow has no delete condition")
}

/// Events that come in any order: snapshots come in that of their versions.
pub fn events(plan: &Plan) -> Result<(), &'static str> {
    match plan.flow().from_snapshot {
        None => Ok(()),
        Some(_) => Err("snapshots come in the order of their versions"),
    }
}

/// A flow from snapshots.
pub fn snapshots(plan: &Plan) -> Result<(), &'static str> {
    plan.flow().from_snapshot.as_ref().map(|_| ()).ok_or("the flow reads events, not snapshots")
}

/// A truncate condition.
pub fn truncate_condition(plan: &Plan) -> Result<(), &'static str> {
    plan.truncate_condition().map(|_| ()).ok_or("the flow has no truncate condition")
}

/// A threshold for tombstones that the definition gives.
pub fn tombstone_threshold(plan: &Plan) -> Result<(), &'static str> {
    let threshold = plan.flow().tombstone_gc_threshold_seconds;
    threshold.map(|_| ()).ok_or("the definition gives no threshold for tombstones")
}

/// A column that lists the columns to update.
pub fn columns_to_update(plan: &Plan) -> Result<(), &'static str> {
    plan.columns_to_update().map(|_| ()).ok_or("every event gives every column")
}

/// A flow that runs once.
pub fn once(plan: &Plan) -> Result<(), &'static str> {
    if plan.flow().once { Ok(()) } else { Err("the flow runs again with every batch") }
}

/// A bitemporal table.
pub fn system_sequence(plan: &Plan) -> Result<(), &'static str> {
    plan.system_sequence().map(|_| ()).ok_or("the table isn't bitemporal")
}

/// A sequence of two fields or more.
pub fn composite_sequence(plan: &Plan) -> Result<(), &'static str> {
    let fields = match plan.sequence() {
        &[column] => match &plan.feed()[column].data_type {
            DataType::Struct(fields) => fields.len(),
            _ => 1,
        },
        columns => columns.len(),
    };
    if fields < 2 { Err("the sequence has one field") } else { Ok(()) }
}

/// A column that a null can erase.
pub fn erasing_nulls(plan: &Plan) -> Result<(), &'static str> {
    if plan.payload().all(|column| plan.ignores_null(column)) {
        return Err("nulls are ignored already");
    }
    Ok(())
}

/// Two columns of one type beside the key.
pub fn columns_of_one_type(plan: &Plan) -> Result<(), &'static str> {
    first_columns_of_one_type(plan).map(|_| ()).ok_or("no two payload columns have one type")
}

/// A history in which some column isn't tracked.
pub fn untracked_column(plan: &Plan) -> Result<(), &'static str> {
    history(plan)?;
    if plan.payload().all(|column| plan.tracks(column)) {
        return Err("every column is tracked already");
    }
    Ok(())
}

/// A table of type 2.
pub fn history(plan: &Plan) -> Result<(), &'static str> {
    match plan.scd_type() {
        ScdType::One => Err("SCD type 1 keeps no history"),
        ScdType::Two | ScdType::Bitemporal => Ok(()),
    }
}

/// The first column of the target beside the key that has a later one of its type, and that one.
pub fn first_columns_of_one_type(plan: &Plan) -> Option<(usize, usize)> {
    let data_type = |column: usize| &plan.target()[column].data_type;
    plan.payload().find_map(|first| {
        let mut later = plan.payload().filter(|&column| first < column);
        Some((first, later.find(|&column| data_type(column) == data_type(first))?))
    })
}

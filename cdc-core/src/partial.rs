//! Events that don't say everything: a null that says nothing takes the value that was there.

use crate::auto_cdc::AutoCdc;
use crate::event::{Image, Version};
use crate::row::Row;
use crate::rules::Rules;
use crate::value::Value;

/// Adds to the target's rows after the first events of a key those after the others: each event's own row,
/// laid over what was there before it. The events are in the order of the sequence.
pub(crate) fn extend<M: AutoCdc + ?Sized>(rules: &Rules<'_, M>, versions: &[Version], rows: &mut Vec<Row>) {
    let Rules { model, plan, partial, .. } = rules;
    let known = rows.len();
    rows.extend(versions[known..].iter().map(|version| model.row_of(plan, &version.event)));
    let Some(columns) = partial else { return };

    let image = |rows: &[Row], place: usize| Image { version: &versions[place], row: rows[place].clone() };
    let mut earlier = (0..known).rev().find(|&place| !versions[place].is_delete());
    let mut delete = known.checked_sub(1).filter(|&last| versions[last].is_delete());
    for place in known..versions.len() {
        let new = image(rows, place);
        if new.is_delete() {
            delete = Some(place);
            continue;
        }
        if let Some(earlier) = earlier.map(|place| image(rows, place))
            && model.fills(plan, &earlier, delete.map(|place| image(rows, place)).as_ref(), &new)
        {
            rows[place] = over(&earlier.row, &new.row, columns);
        }
        (earlier, delete) = (Some(place), None);
    }
}

/// A row laid over an earlier one.
fn over(earlier: &Row, new: &Row, columns: &[bool]) -> Row {
    let may_say_nothing =
        |(value, &partial): (&Value, &bool)| partial && matches!(value, Value::Null | Value::Struct(_));
    if !new.iter().zip(columns).any(may_say_nothing) {
        return new.clone();
    }
    let values = new.iter().zip(&**earlier).zip(columns);
    values
        .map(|((new, earlier), &partial)| if partial { laid_over(earlier, new) } else { new.clone() })
        .collect()
}

/// A value laid over an earlier one. A struct is laid over field by field; a list or a map is one value.
fn laid_over(earlier: &Value, new: &Value) -> Value {
    match (earlier, new) {
        (earlier, Value::Null) => earlier.clone(),
        (Value::Struct(earlier), Value::Struct(new)) => {
            Value::structure(earlier.iter().zip(&**new).map(|(earlier, new)| laid_over(earlier, new)))
        }
        _ => new.clone(),
    }
}

//! Events that don't say everything: what an event leaves unsaid takes the value that was there.

use crate::auto_cdc::AutoCdc;
use crate::event::{Image, Version};
use crate::row::Row;
use crate::rules::{FlowRules, Rules};
use crate::value::Value;

/// Adds to the target's rows after the first events of a key those after the others: each event's own row,
/// laid over what was there before it. The events are in the order of the sequence.
pub(crate) fn extend<M: AutoCdc + ?Sized>(rules: &Rules<'_, M>, versions: &[Version], rows: &mut Vec<Row>) {
    let model = rules.model;
    let known = rows.len();
    rows.extend(versions[known..].iter().map(|version| model.row_of(rules.plan(version), &version.event)));
    if !rules.is_partial {
        return;
    }

    let image = |rows: &[Row], place: usize| Image { version: &versions[place], row: rows[place].clone() };
    let mut earlier = (0..known).rev().find(|&place| !versions[place].is_delete());
    let mut delete = known.checked_sub(1).filter(|&last| versions[last].is_delete());
    for place in known..versions.len() {
        let new = image(rows, place);
        if new.is_delete() {
            delete = Some(place);
            continue;
        }
        let before = earlier.map(|place| image(rows, place)).filter(|earlier| {
            let delete = delete.map(|place| image(rows, place));
            model.fills(rules.plan(new.version), earlier, delete.as_ref(), &new)
        });
        rows[place] = over(rules, before.as_ref().map(|before| &before.row), &new);
        (earlier, delete) = (Some(place), None);
    }
}

/// What an event says, laid over an earlier row. Where there is none, what it leaves unsaid is null.
fn over<M: AutoCdc + ?Sized>(rules: &Rules<'_, M>, earlier: Option<&Row>, new: &Image<'_>) -> Row {
    let FlowRules { plan, ignored, .. } = rules.of(new.version);
    let gives = |column| rules.model.gives(plan, &new.version.event, column);
    let says_all =
        |(value, &ignored): (&Value, &bool)| !(ignored && matches!(value, Value::Null | Value::Struct(_)));
    if new.row.iter().zip(ignored).all(says_all) && (0..new.row.len()).all(gives) {
        return new.row.clone();
    }
    let before = |column: usize| earlier.map(|earlier| &earlier[column]);
    let value = |(column, value): (usize, &Value)| match before(column) {
        before if !gives(column) => before.cloned().unwrap_or_default(),
        Some(before) if ignored[column] => value.laid_over(before),
        _ => value.clone(),
    };
    new.row.iter().enumerate().map(value).collect()
}

//! What the columns must be: those of the sequence, of the key and of the payload.

use super::{Need, met};
use crate::data_type::{DataType, same_name};
use crate::flow::Flow;
use crate::plan::Plan;
use crate::row::Column;

/// A sequence of two fields or more.
pub fn composite_sequence(plan: &Plan) -> Need {
    met(1 < sequence_types(plan).len(), "the sequence has one field")
}

/// A sequence with a number.
pub fn numeric_sequence(plan: &Plan) -> Need {
    met(sequence_types(plan).into_iter().any(is_number), "the sequence has no number")
}

/// A sequence with a point in time.
pub fn timestamp_sequence(plan: &Plan) -> Need {
    let is_moment = |data_type: &DataType| matches!(data_type, DataType::Timestamp | DataType::TimestampNtz);
    met(sequence_types(plan).into_iter().any(is_moment), "the sequence is no TIMESTAMP")
}

/// A key of two columns or more.
pub fn compound_key(plan: &Plan) -> Need {
    met(1 < plan.keys().len(), "the key is one column")
}

/// A key whose parts can't be told apart when they are glued together.
///
/// A part of which no text begins another one ends where it must, seen from the front; from the back it is the same
/// with texts of which none ends another. What is left between both has to be two parts or more.
pub fn gluable_key(plan: &Plan) -> Need {
    compound_key(plan)?;
    let types = || plan.keys().iter().map(|&key| &plan.feed()[key].data_type);
    // 0.0 is -0.0, but not as a text.
    let is_text_of_value = |data_type: &DataType| {
        data_type.int_bounds().is_some()
            || matches!(
                data_type,
                DataType::Boolean
                    | DataType::String
                    | DataType::Binary
                    | DataType::Date
                    | DataType::Timestamp
                    | DataType::TimestampNtz
                    | DataType::Decimal { .. }
            )
    };
    let ends_itself = |data_type: &&DataType| {
        let is_known = matches!(data_type, DataType::Boolean | DataType::Date | DataType::Timestamp);
        is_known || matches!(data_type, DataType::Decimal { scale: 1.., .. })
    };
    let begins_itself = |data_type: &&DataType| {
        let is_moment = matches!(data_type, DataType::Timestamp | DataType::TimestampNtz);
        is_moment || matches!(data_type, DataType::Boolean | DataType::Date)
    };
    let told = types().take_while(ends_itself).count() + types().rev().take_while(begins_itself).count();
    let is_open = told + 1 < plan.keys().len() || !types().all(is_text_of_value);
    met(is_open, "glued together, the parts of the key can still be told apart")
}

/// A key with a text.
pub fn text_key(plan: &Plan) -> Need {
    met(has_key(plan, |data_type| *data_type == DataType::String), "the key has no text")
}

/// A key with a `FLOAT` or `DOUBLE`.
pub fn floating_key(plan: &Plan) -> Need {
    let is_floating = |data_type: &DataType| matches!(data_type, DataType::Float | DataType::Double);
    met(has_key(plan, is_floating), "the key has no floating point number")
}

/// A key with a `BIGINT`.
pub fn bigint_key(plan: &Plan) -> Need {
    met(has_key(plan, |data_type| *data_type == DataType::BigInt), "the key has no BIGINT")
}

/// A text beside the key.
pub fn text_payload(plan: &Plan) -> Need {
    met(has_payload(plan, |column| column.data_type == DataType::String), "no payload column is a STRING")
}

/// A number beside the key that may have more digits than a double holds.
pub fn long_numbers(plan: &Plan) -> Need {
    let is_long = |column: &Column| match column.data_type {
        DataType::Decimal { precision, .. } => 15 < precision,
        DataType::BigInt => true,
        _ => false,
    };
    met(has_payload(plan, is_long), "no payload column has more than 15 digits")
}

/// A decimal number with a fraction beside the key.
pub fn decimal_fractions(plan: &Plan) -> Need {
    let has_fraction = |column: &Column| matches!(column.data_type, DataType::Decimal { scale: 1.., .. });
    met(has_payload(plan, has_fraction), "no payload column is a DECIMAL with a fraction")
}

/// A point in time beside the key.
pub fn timestamp_payload(plan: &Plan) -> Need {
    met(
        has_payload(plan, |column| column.data_type == DataType::Timestamp),
        "no payload column is a TIMESTAMP",
    )
}

/// A capital letter in the name of a column beside the key.
pub fn name_with_capital(plan: &Plan) -> Need {
    let has_capital = |column: &Column| column.name.chars().any(char::is_uppercase);
    met(has_payload(plan, has_capital), "no payload column's name has a capital letter")
}

/// Two columns of one type beside the key.
pub fn columns_of_one_type(plan: &Plan) -> Need {
    met(first_columns_of_one_type(plan).is_some(), "no two payload columns have one type")
}

/// The first column of the target beside the key that has a later one of its type, and that one.
pub fn first_columns_of_one_type(plan: &Plan) -> Option<(usize, usize)> {
    let data_type = |column: usize| &plan.target()[column].data_type;
    plan.payload().find_map(|first| {
        let mut later = plan.payload().filter(|&column| first < column);
        Some((first, later.find(|&column| data_type(column) == data_type(first))?))
    })
}

/// The first column that the flow excludes and no other clause names.
///
/// ```
/// use cdc_core::{Flow, needs};
///
/// let flow = Flow {
///     sequence_by: "lsn".into(),
///     apply_as_deletes: Some("op = 'D'".into()),
///     except_column_list: Some(["OP", "lsn", "loaded_at"].map(str::to_owned).to_vec()),
///     ..Flow::default()
/// };
/// assert_eq!(needs::first_unused_column(&flow), Some("loaded_at"));
/// ```
pub fn first_unused_column(flow: &Flow) -> Option<&str> {
    let clauses = [
        Some(&flow.sequence_by),
        flow.system_sequence_by.as_ref(),
        flow.columns_to_update.as_ref(),
        flow.apply_as_deletes.as_ref(),
        flow.apply_as_truncates.as_ref(),
    ];
    let is_used = |name: &str| {
        let is_part = |char: char| char.is_alphanumeric() || char == '_';
        let words = |text: &&String| text.split(|char| !is_part(char)).any(|word| same_name(word, name));
        clauses.iter().flatten().any(words)
    };
    let excluded = flow.except_column_list.iter().flatten();
    excluded.map(|name| name.trim_matches('`')).find(|name| !is_used(name))
}

fn has_key(plan: &Plan, is_meant: impl Fn(&DataType) -> bool) -> bool {
    plan.keys().iter().any(|&key| is_meant(&plan.feed()[key].data_type))
}

pub(super) fn has_payload(plan: &Plan, is_meant: impl Fn(&Column) -> bool) -> bool {
    plan.payload().any(|column| is_meant(&plan.target()[column]))
}

/// The types of the sequence's fields.
pub(super) fn sequence_types(plan: &Plan) -> Vec<&DataType> {
    let of_column = |&column: &usize| &plan.feed()[column].data_type;
    match plan.sequence() {
        [column] => match of_column(column) {
            DataType::Struct(fields) => fields.iter().map(|field| &field.data_type).collect(),
            data_type => vec![data_type],
        },
        columns => columns.iter().map(of_column).collect(),
    }
}

fn is_number(data_type: &DataType) -> bool {
    let is_other = matches!(data_type, DataType::Float | DataType::Double | DataType::Decimal { .. });
    is_other || data_type.int_bounds().is_some()
}

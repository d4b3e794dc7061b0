//! What operands are compared as.

use super::cast::{is_moment, is_number};
use crate::data_type::DataType;

/// Every `BIGINT` is one.
pub(super) const ANY_INT: DataType = DataType::Decimal { precision: 20, scale: 0 };

/// The type each side of a comparison is cast to; `None` is as it is.
#[derive(Default)]
pub(super) struct Casts {
    pub(super) left: Option<DataType>,
    pub(super) right: Option<DataType>,
}

/// How two types are compared, or `None` if they aren't.
pub(super) fn compared(left: &DataType, right: &DataType) -> Option<Casts> {
    use DataType::{Date, Decimal, Timestamp};
    if alike(left, right) {
        return left.is_orderable().then(Casts::default);
    }
    let (left_to, right_to) = match (left, right) {
        (Date, Timestamp) => (Some(Timestamp), None),
        (Timestamp, Date) => (None, Some(Timestamp)),
        (Decimal { .. }, right) if right.int_bounds().is_some() => (None, Some(ANY_INT)),
        (left, Decimal { .. }) if left.int_bounds().is_some() => (Some(ANY_INT), None),
        (left, right) if is_number(left) && is_number(right) => (to_double(left), to_double(right)),
        _ => return None,
    };
    Some(Casts { left: left_to, right: right_to })
}

fn to_double(data_type: &DataType) -> Option<DataType> {
    (*data_type != DataType::Double).then_some(DataType::Double)
}

/// Whether values of both types are of the same form, so that they compare as they are.
fn alike(left: &DataType, right: &DataType) -> bool {
    match (left, right) {
        (DataType::Decimal { .. }, DataType::Decimal { .. }) => true,
        (DataType::Array(left), DataType::Array(right)) => alike(left, right),
        (DataType::Struct(left), DataType::Struct(right)) => {
            let mut fields = left.iter().zip(right);
            left.len() == right.len() && fields.all(|(left, right)| alike(&left.data_type, &right.data_type))
        }
        (left, right) => left == right || left.int_bounds().is_some() && right.int_bounds().is_some(),
    }
}

/// What a string literal is read as, next to an operand of this type.
///
/// Spark reads it as the widest of the operand's kind, so `'300'` is no error next to a `TINYINT`.
pub(super) fn literal_type(other: &DataType) -> Option<DataType> {
    match other {
        other if other.int_bounds().is_some() => Some(DataType::BigInt),
        other if is_number(other) => Some(DataType::Double),
        other if is_moment(other) || matches!(other, DataType::Boolean | DataType::Binary) => {
            Some(other.clone())
        }
        _ => None,
    }
}

/// The type that holds the values of both.
pub(super) fn common(left: &DataType, right: &DataType) -> Option<DataType> {
    if left == right {
        return Some(left.clone());
    }
    if let (Some(lefts), Some(rights)) = (left.int_bounds(), right.int_bounds()) {
        return Some(if lefts.1 < rights.1 { right.clone() } else { left.clone() });
    }
    match (left, right) {
        (DataType::Date, DataType::Timestamp) | (DataType::Timestamp, DataType::Date) => {
            Some(DataType::Timestamp)
        }
        (left, right) if !is_number(left) || !is_number(right) => None,
        (left, right) => match (digits(left), digits(right)) {
            (Some(left), Some(right)) => Some(wider(left, right)),
            _ => Some(DataType::Double),
        },
    }
}

/// The digits before and behind the point; none for a floating point.
fn digits(data_type: &DataType) -> Option<(u8, u8)> {
    match data_type {
        DataType::TinyInt => Some((3, 0)),
        DataType::SmallInt => Some((5, 0)),
        DataType::Int => Some((10, 0)),
        DataType::BigInt => Some((20, 0)),
        DataType::Decimal { precision, scale } => Some((precision - scale, *scale)),
        _ => None,
    }
}

/// With more than 38 digits, those behind the point go first.
fn wider(left: (u8, u8), right: (u8, u8)) -> DataType {
    let (whole, scale) = (left.0.max(right.0), left.1.max(right.1));
    let precision = (whole + scale).min(38);
    DataType::Decimal { precision, scale: precision - whole }
}

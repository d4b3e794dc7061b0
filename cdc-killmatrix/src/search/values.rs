//! Values that tell implementations apart, by type: in themes, each of a few values that somebody confuses.

use std::iter;

use bigdecimal::BigDecimal;
use cdc_core::{DataType, Value};
use jiff::civil::{Date, DateTime, date};
use ordered_float::OrderedFloat;

/// What a column is there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// It is part of the key.
    Key,
    /// It orders events, or might be taken for what does.
    Order,
    /// It is all else: what the target shows. The number makes columns of one type differ.
    Payload(usize),
}

/// The first whole number that a double can't tell from its successor.
const EXACT: i64 = 1 << 53;

/// What may stand between the parts of a compound key that somebody glues together.
const GLUES: [&str; 7] = ["", "|", "-", "_", ",", ":", "||"];

/// The most values of a nested type in one theme.
const NESTED: usize = 6;

/// The themes of a type in a role. The first one is plain, and the earlier a value comes, the simpler it is.
pub(super) fn themes(data_type: &DataType, role: Role, name: &str) -> Vec<Vec<Value>> {
    match data_type {
        DataType::Boolean => vec![vec![false.into(), true.into()]],
        DataType::TinyInt | DataType::SmallInt | DataType::Int | DataType::BigInt => {
            let (least, greatest) = data_type.int_bounds().unwrap_or_default();
            let fits = |theme: Vec<i64>| -> Vec<Value> {
                theme.into_iter().filter(|it| (least..=greatest).contains(it)).map(Value::Int).collect()
            };
            numbers(role).into_iter().map(fits).collect()
        }
        DataType::Float => {
            let narrow = |value: f64| -> Value {
                #[expect(
                    clippy::cast_possible_truncation,
                    reason = "what is lost of such a value is no matter"
                )]
                Value::Float(OrderedFloat(value as f32))
            };
            doubles(role).into_iter().map(|theme| theme.into_iter().map(narrow).collect()).collect()
        }
        DataType::Double => {
            doubles(role).into_iter().map(|theme| theme.into_iter().map(Value::from).collect()).collect()
        }
        DataType::Decimal { precision, scale } => decimals(role, *precision, *scale),
        DataType::String => texts(role, name)
            .into_iter()
            .map(|theme| theme.iter().map(|text| Value::from(&**text)).collect())
            .collect(),
        DataType::Binary => vec![
            [1_u8, 2, 3].map(|byte| Value::Binary([byte].into())).to_vec(),
            [&b"\0"[..], b"", b"\xff", b"\x7f"].map(|bytes| Value::Binary(bytes.into())).to_vec(),
        ],
        DataType::Date => {
            dates(role).into_iter().map(|theme| theme.into_iter().map(Value::Date).collect()).collect()
        }
        DataType::Timestamp => times(role, Value::Timestamp),
        DataType::TimestampNtz => times(role, Value::TimestampNtz),
        DataType::Struct(fields) => {
            let fields: Vec<Vec<Vec<Value>>> =
                fields.iter().map(|field| themes(&field.data_type, role, &field.name)).collect();
            let count = fields.iter().map(Vec::len).max().unwrap_or(0);
            let theme = |place: usize| {
                let of_fields: Vec<&[Value]> =
                    fields.iter().map(|themes| &*themes[place % themes.len()]).collect();
                combined(&of_fields, 2 * NESTED).into_iter().map(Value::structure).collect()
            };
            (0..count).map(theme).collect()
        }
        DataType::Array(element) => nested(element, role, name, |values| {
            let whole = Value::Array(values.into());
            let reversed = Value::Array(values.iter().rev().cloned().collect());
            let singles = values.iter().map(|value| Value::Array([value.clone()].into()));
            singles.chain([whole, reversed, Value::Array([].into())]).collect()
        }),
        DataType::Map(key, value) => {
            let values = themes(value, role, name).swap_remove(0);
            nested(key, role, name, |keys| {
                let pairs = keys.iter().zip(values.iter().cycle());
                let single = |(key, value): (&Value, &Value)| Value::map([(key.clone(), value.clone())]).ok();
                pairs.filter_map(single).chain(Value::map([]).ok()).collect()
            })
        }
    }
}

/// Themes of a type that holds values of another.
fn nested(
    element: &DataType,
    role: Role,
    name: &str,
    theme: impl Fn(&[Value]) -> Vec<Value>,
) -> Vec<Vec<Value>> {
    let few = |values: Vec<Value>| theme(&values[..values.len().min(NESTED)]);
    themes(element, role, name).into_iter().map(few).collect()
}

/// One value of each list, in all ways, as far as so many: those that differ in the last list first.
pub(super) fn combined(lists: &[&[Value]], most: usize) -> Vec<Vec<Value>> {
    // A long list may not crowd out the values of the others.
    let fair = most.ilog(lists.len().max(1) + 1).max(1) as usize + 1;
    lists.iter().fold(vec![Vec::new()], |begun, list| {
        let few = || list.iter().take(fair);
        let grown = begun
            .iter()
            .flat_map(|begun| few().map(|value| begun.iter().cloned().chain([value.clone()]).collect()));
        grown.take(most).collect()
    })
}

fn numbers(role: Role) -> Vec<Vec<i64>> {
    match role {
        Role::Key => vec![vec![1, 2, 3], vec![1, 11], vec![EXACT, EXACT + 1], vec![0, -1, 1]],
        Role::Order => vec![
            (1..=8).collect(),
            vec![1, 2],
            vec![9, 10, 99, 100],
            vec![EXACT, EXACT + 1, EXACT + 2],
            vec![1, 11, 12, 2],
            vec![-1, 0, 1],
            vec![1000, 1001, 1999, 2000],
        ],
        Role::Payload(number) => {
            let first = 10 * i64::try_from(number % 10).unwrap_or_default();
            vec![vec![first + 1, first + 2, first + 3], vec![EXACT, EXACT + 1], vec![0, 1]]
        }
    }
}

fn doubles(role: Role) -> Vec<Vec<f64>> {
    let zeros = vec![0.0, -0.0];
    match role {
        Role::Key => vec![vec![1.0, 2.0, 3.0], zeros, vec![0.1, 0.2, 0.1 + 0.2, 0.3], vec![f64::NAN, 1.0]],
        Role::Order => vec![
            vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0],
            vec![9.0, 10.0, 100.0],
            vec![1.1, 1.2, 1.9],
            zeros,
            vec![1.0, f64::INFINITY, f64::NAN],
        ],
        Role::Payload(number) => {
            let first = 10.0 * f64::from(u8::try_from(number % 10).unwrap_or_default());
            vec![vec![first + 1.5, first + 2.5, first + 3.5], zeros, vec![0.1 + 0.2, 0.3]]
        }
    }
}

fn decimals(role: Role, precision: u8, scale: u8) -> Vec<Vec<Value>> {
    let all_digits = 10_i128.checked_pow(precision.into()).unwrap_or(i128::MAX);
    let one = 10_i128.pow(scale.into());
    let first = match role {
        Role::Payload(number) => 10 * i128::try_from(number % 10).unwrap_or_default(),
        Role::Key | Role::Order => 0,
    };
    let exact = i128::from(EXACT);
    let whole = |number: i128| one.checked_mul(number).unwrap_or(i128::MAX);
    let themes = [
        (first + 1..=first + 6).map(whole).collect::<Vec<i128>>(),
        // The last digits, which are rounded away.
        vec![one, one + 1, one + 2, one + one / 2, one + one / 4],
        [9, 10, 100].map(whole).to_vec(),
        vec![exact, exact + 1],
        vec![all_digits - 1, all_digits - 2],
        (1..=4).collect(),
        vec![0, -1, 1],
    ];
    let value = |units: i128| Value::from(BigDecimal::new(units.into(), scale.into()));
    let fits = |units: &i128| units.unsigned_abs() < all_digits.unsigned_abs();
    let themes = themes.into_iter().map(|theme| theme.into_iter().filter(fits).map(value).collect());
    themes.filter(|theme: &Vec<Value>| 1 < theme.len()).collect()
}

fn texts(role: Role, name: &str) -> Vec<Vec<String>> {
    let owned = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect::<Vec<String>>();
    let case = owned(&["a", "A"]);
    let blanks = owned(&["a", " a", "a ", "a  "]);
    let empty = owned(&["a", "", " "]);
    match role {
        Role::Key => {
            let glued = GLUES.map(|glue| vec!["a".to_owned(), format!("a{glue}a")]);
            let others =
                [case, blanks, empty, owned(&["a", "á"]), owned(&["1", "01", "1.0"]), owned(&["null", "a"])];
            iter::once(owned(&["a", "b", "c"])).chain(others).chain(glued).collect()
        }
        Role::Order => vec![
            owned(&["a", "b", "c", "d", "e", "f", "g", "h"]),
            owned(&["1", "2"]),
            owned(&["9", "10", "99", "100"]),
            owned(&["2024-01-01T23:30:00Z", "2024-01-02T00:30:00Z", "2024-01-02T00:30:00.5Z"]),
            case,
            blanks,
        ],
        Role::Payload(_) => {
            let plain = (1..=3).map(|number| format!("{name} {number}")).collect();
            vec![plain, case, blanks, empty]
        }
    }
}

fn dates(role: Role) -> Vec<Vec<Date>> {
    let plain = |count: i8| (1..=count).map(|day| date(2024, 1, day)).collect::<Vec<Date>>();
    let ends = vec![date(2024, 1, 31), date(2024, 2, 1), date(2024, 2, 29), date(2024, 3, 1)];
    match role {
        Role::Order => vec![plain(8), ends, vec![date(2023, 12, 31), date(2024, 1, 1), date(9999, 12, 31)]],
        Role::Key | Role::Payload(_) => vec![plain(3), ends],
    }
}

fn times(role: Role, value: impl Fn(DateTime) -> Value) -> Vec<Vec<Value>> {
    let at = |day: i8, hour: i8, minute: i8, second: i8, micros: i32| {
        date(2024, 1, day).at(hour, minute, second, micros * 1000)
    };
    let themes = [
        (1..=8).map(|day| at(day, 10, 0, 0, 0)).collect::<Vec<DateTime>>(),
        [0, 100_000, 250_000, 900_000].map(|micros| at(1, 10, 0, 0, micros)).to_vec(),
        [(1, 23, 30), (2, 0, 30), (2, 12, 0)].map(|(day, hour, minute)| at(day, hour, minute, 0, 0)).to_vec(),
        (1..=4).map(|hour| at(1, hour, 0, 0, 0)).collect(),
        (1..=3).map(|micros| at(1, 10, 0, 0, micros)).collect(),
    ];
    let few = match role {
        Role::Order => 8,
        Role::Key | Role::Payload(_) => 3,
    };
    themes.into_iter().map(|theme| theme.into_iter().take(few).map(&value).collect()).collect()
}

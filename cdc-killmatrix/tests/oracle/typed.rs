//! JSON values under Spark's types: how they are read, compared and filled.

use std::cmp::Ordering;

use data_encoding::BASE64;
use serde_json::{Map, Value as Json};

/// A type, as far as the order of its values differs from that of others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Boolean,
    Int,
    Float,
    Double,
    Decimal { scale: usize },
    Text,
    Binary,
    Date,
    Timestamp,
    Struct(Vec<(String, Kind)>),
    Array(Box<Kind>),
    Map(Box<Kind>, Box<Kind>),
}

impl Kind {
    pub(crate) fn parse(text: &str) -> Self {
        let text = text.trim();
        let (name, rest) = text.split_at(text.find(['<', '(']).unwrap_or(text.len()));
        let inside = || &rest[1..rest.len() - 1];
        match name.trim().to_uppercase().as_str() {
            "BOOLEAN" => Self::Boolean,
            "TINYINT" | "SMALLINT" | "INT" | "BIGINT" => Self::Int,
            "FLOAT" => Self::Float,
            "DOUBLE" => Self::Double,
            "DECIMAL" => {
                let scale = rest.split_once(',').map_or("0", |(_, scale)| scale.trim_end_matches(')').trim());
                Self::Decimal { scale: scale.parse().expect("a scale") }
            }
            "STRING" => Self::Text,
            "BINARY" => Self::Binary,
            "DATE" => Self::Date,
            "TIMESTAMP" | "TIMESTAMP_NTZ" => Self::Timestamp,
            "STRUCT" => Self::Struct(
                parts(inside())
                    .into_iter()
                    .map(|field| {
                        let (name, kind) =
                            field.split_once([':', ' ']).expect("a field has a name and a type");
                        (name.trim().to_owned(), Self::parse(kind.trim_start_matches([':', ' '])))
                    })
                    .collect(),
            ),
            "ARRAY" => Self::Array(Self::parse(inside()).into()),
            "MAP" => match parts(inside())[..] {
                [key, value] => Self::Map(Self::parse(key).into(), Self::parse(value).into()),
                _ => panic!("a map has keys and values: `{text}`"),
            },
            _ => panic!("the oracle knows nothing of the type `{text}`"),
        }
    }

    /// A value as the fixture writes it, with structs as lists of their fields and maps sorted by key.
    pub(crate) fn read(&self, json: Option<&Json>) -> Json {
        let json = json.unwrap_or(&Json::Null);
        match (self, json) {
            (_, Json::Null) => Json::Null,
            (Self::Struct(fields), Json::Object(values)) => {
                for name in values.keys() {
                    assert!(
                        fields.iter().any(|(field, _)| same_name(field, name)),
                        "there is no field `{name}`"
                    );
                }
                fields.iter().map(|(name, kind)| kind.read(field(values, name))).collect()
            }
            (Self::Array(element), Json::Array(values)) => {
                values.iter().map(|value| element.read(Some(value))).collect()
            }
            (Self::Map(key, value), Json::Array(pairs)) => {
                let pair = |pair: &Json| Json::Array(vec![key.read(pair.get(0)), value.read(pair.get(1))]);
                let mut pairs: Vec<Json> = pairs.iter().map(pair).collect();
                pairs.sort_by(|a, b| compare(key, &a[0], &b[0]));
                Json::Array(pairs)
            }
            (Self::Struct(_) | Self::Array(_) | Self::Map(..), _) => panic!("{json} is no {self:?}"),
            _ => {
                // What can't be compared isn't of the type.
                let _checked = compare(self, json, json);
                json.clone()
            }
        }
    }

    /// Whether two values are the same; a null is equal to a null.
    pub(crate) fn equal(&self, a: &Json, b: &Json) -> bool {
        compare(self, a, b).is_eq()
    }

    /// The newer value, or the older one where the newer is null, in structs field by field.
    pub(crate) fn filled(&self, older: &Json, newer: &Json) -> Json {
        match (self, older, newer) {
            (_, _, Json::Null) => older.clone(),
            (Self::Struct(fields), Json::Array(older), Json::Array(newer)) => fields
                .iter()
                .zip(older.iter().zip(newer))
                .map(|((_, kind), (old, new))| kind.filled(old, new))
                .collect(),
            _ => newer.clone(),
        }
    }
}

/// Compares two values of a type; null comes first.
pub(crate) fn compare(kind: &Kind, a: &Json, b: &Json) -> Ordering {
    if a.is_null() || b.is_null() {
        return b.is_null().cmp(&a.is_null());
    }
    match kind {
        Kind::Boolean => boolean(a).cmp(&boolean(b)),
        Kind::Int => int(a).cmp(&int(b)),
        Kind::Float => by_number(double(&narrowed(a)), double(&narrowed(b))),
        Kind::Double => by_number(double(a), double(b)),
        Kind::Decimal { scale } => decimal(a, *scale).cmp(&decimal(b, *scale)),
        Kind::Text | Kind::Date => text(a).as_bytes().cmp(text(b).as_bytes()),
        Kind::Binary => bytes(a).cmp(&bytes(b)),
        Kind::Timestamp => microseconds(text(a)).cmp(&microseconds(text(b))),
        Kind::Struct(fields) => {
            let fields = fields.iter().zip(list(a).iter().zip(list(b)));
            fields.map(|((_, kind), (a, b))| compare(kind, a, b)).fold(Ordering::Equal, Ordering::then)
        }
        Kind::Array(element) => {
            let elements = list(a).iter().zip(list(b)).map(|(a, b)| compare(element, a, b));
            elements.fold(Ordering::Equal, Ordering::then).then(list(a).len().cmp(&list(b).len()))
        }
        Kind::Map(key, value) => {
            let pairs = list(a).iter().zip(list(b));
            let pairs = pairs.map(|(a, b)| compare(key, &a[0], &b[0]).then(compare(value, &a[1], &b[1])));
            pairs.fold(Ordering::Equal, Ordering::then).then(list(a).len().cmp(&list(b).len()))
        }
    }
}

/// NaN is equal to itself and greater than all; -0.0 is equal to 0.0.
fn by_number(a: f64, b: f64) -> Ordering {
    a.partial_cmp(&b).unwrap_or_else(|| a.is_nan().cmp(&b.is_nan()))
}

fn boolean(json: &Json) -> bool {
    json.as_bool().unwrap_or_else(|| panic!("{json} is neither true nor false"))
}

fn int(json: &Json) -> i64 {
    json.as_i64().unwrap_or_else(|| panic!("{json} is no whole number of 64 bits"))
}

fn text(json: &Json) -> &str {
    json.as_str().unwrap_or_else(|| panic!("{json} is no text"))
}

fn list(json: &Json) -> &[Json] {
    json.as_array().unwrap_or_else(|| panic!("{json} is no list"))
}

fn double(json: &Json) -> f64 {
    match json.as_str() {
        None => json.as_f64().unwrap_or_else(|| panic!("{json} is no number")),
        Some("NaN") => f64::NAN,
        Some("Infinity") => f64::INFINITY,
        Some("-Infinity") => f64::NEG_INFINITY,
        Some(_) => panic!("{json} is no number"),
    }
}

/// A number of 64 bits as the nearest one of 32.
fn narrowed(json: &Json) -> Json {
    let Some(number) = json.as_f64() else { return json.clone() };
    #[expect(clippy::cast_possible_truncation, reason = "that is what FLOAT does")]
    let narrow = number as f32;
    Json::from(f64::from(narrow))
}

/// A decimal as a whole number of its smallest units.
fn decimal(json: &Json, scale: usize) -> i128 {
    // A number went through a double, which is exact up to 15 digits.
    let spelled = json.as_str().map_or_else(|| json.to_string(), str::to_owned);
    let (whole, fraction) = spelled.split_once('.').unwrap_or((&spelled, ""));
    let digits = whole.trim_start_matches('-').len() + fraction.len();
    assert!(!json.is_f64() || digits <= 15, "{json} is not safe in a double: write it as text");
    let fraction = fraction.trim_end_matches('0');
    assert!(fraction.len() <= scale, "{json} has more than {scale} digits behind the point");
    let units = format!("{whole}{fraction:0<scale$}");
    units.parse().unwrap_or_else(|_| panic!("{json} is no decimal"))
}

fn bytes(json: &Json) -> Vec<u8> {
    BASE64.decode(text(json).as_bytes()).unwrap_or_else(|_| panic!("{json} is no base64"))
}

/// Microseconds since 1970 in UTC; without a zone UTC is meant.
fn microseconds(text: &str) -> i64 {
    let number =
        |digits: &str| -> i64 { digits.parse().unwrap_or_else(|_| panic!("`{text}` is no point in time")) };
    let (date, time) = text.split_once(['T', ' ']).unwrap_or((text, "00:00"));
    let (time, east) = match time.find(['Z', '+', '-']) {
        None => (time, 0),
        Some(zone) if &time[zone..] == "Z" => (&time[..zone], 0),
        Some(zone) => {
            let (hours, minutes) = time[zone + 1..].split_once(':').unwrap_or((&time[zone + 1..], "0"));
            let east = number(hours) * 60 + number(minutes);
            (&time[..zone], if time[zone..].starts_with('-') { -east } else { east })
        }
    };
    let mut clock = time.split([':', '.']);
    let [hour, minute, second] = [0; 3].map(|_| number(clock.next().unwrap_or("0")));
    let micros = number(&format!("{:0<6}", clock.next().unwrap_or("")));
    let date: Vec<i64> = date.split('-').map(number).collect();
    let &[year, month, day] = &date[..] else { panic!("`{text}` is no point in time") };
    // Years that begin in March end with the leap day.
    let (year, month) = if month < 3 { (year - 1, month + 9) } else { (year, month - 3) };
    let days = year * 365 + year / 4 - year / 100 + year / 400 + (month * 153 + 2) / 5 + day - 719_469;
    (((days * 24 + hour) * 60 + minute - east) * 60 + second) * 1_000_000 + micros
}

/// The field of an object whose name is the same but for its case.
pub(crate) fn field<'a>(object: &'a Map<String, Json>, name: &str) -> Option<&'a Json> {
    object
        .get(name)
        .or_else(|| object.iter().find(|(field, _)| same_name(field, name)).map(|(_, value)| value))
}

/// Where the column of this name is.
pub(crate) fn place(columns: &[(String, Kind)], name: &str) -> usize {
    let name = name.trim().trim_matches('`');
    let found = columns.iter().position(|(column, _)| same_name(column, name));
    found.unwrap_or_else(|| panic!("there is no column `{name}`"))
}

pub(crate) fn same_name(left: &str, right: &str) -> bool {
    left == right || left.to_lowercase() == right.to_lowercase()
}

/// The parts between the commas that stand in no brackets.
fn parts(text: &str) -> Vec<&str> {
    let mut depth = 0;
    let outside = |letter: char| {
        match letter {
            '<' | '(' => depth += 1,
            '>' | ')' => depth -= 1,
            _ => {}
        }
        letter == ',' && depth == 0
    };
    text.split(outside).map(str::trim).collect()
}

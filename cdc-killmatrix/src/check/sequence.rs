//! A sequence that sorts otherwise than the source did.

use std::slice;

use bigdecimal::BigDecimal;
use cdc_core::{DataType, Value};

use super::case::Case;
use super::names::{is_of_arrival, is_of_count, is_of_order, is_time, text};
use super::tied::{Group, groups};
use crate::finding::{Code, Finding, Severity};
use crate::words::{counted, times};

/// Seconds since 1970 that stand for a time from 2000 to 2100.
const EPOCH_SECONDS: std::ops::Range<i64> = 946_684_800..4_102_444_800;

/// How many digits a number may have that is meant as one.
const DIGITS: usize = 80;

/// From this length on a number without leading zeros hardly grows by a digit.
const LONG: usize = 10;

pub(super) fn rules(case: &Case<'_>) -> Vec<Finding> {
    [text_sequence(case), coarse_sequence(case), ingestion_clock(case)].into_iter().flatten().collect()
}

/// The events that have a place in the sequence, by key.
fn ordered(case: &Case<'_>) -> Vec<usize> {
    case.histories().flatten().copied().collect()
}

/// Numbers as text: `10` comes before `9`.
fn text_sequence(case: &Case<'_>) -> Option<Finding> {
    let events = ordered(case);
    let numbers = |column: usize| -> Option<Vec<(usize, BigDecimal)>> {
        if *case.data_type(column) != DataType::String {
            return None;
        }
        let given = || {
            events.iter().map(|&event| (event, case.value(event, column))).filter(|pair| !pair.1.is_null())
        };
        let texts: Vec<&str> = given().filter_map(|(_, value)| text(value)).collect();
        let length = texts.first()?.len();
        let is_steady =
            texts.iter().all(|text| text.len() == length && text.bytes().all(|c| c.is_ascii_digit()));
        if is_steady && (LONG <= length || texts.iter().any(|text| text.starts_with('0'))) {
            return None;
        }
        given().map(|(event, value)| Some((event, number(text(value)?)?))).collect()
    };
    let (column, numbers) =
        case.plan.sequence().iter().find_map(|&column| Some((column, numbers(column)?)))?;
    let swapped = numbers.windows(2).find(|pair| {
        let ((one, small), (other, great)) = (&pair[0], &pair[1]);
        case.agree(case.plan.keys(), *one, *other) && great < small
    });
    let shown = swapped.or(numbers.windows(2).next()).unwrap_or(&numbers);
    let example = match swapped {
        Some(pair) => format!(
            " So {} comes before {}, for one key.",
            crate::json::quoted(&case.value(pair[0].0, column).to_string()),
            crate::json::quoted(&case.value(pair[1].0, column).to_string())
        ),
        None => String::new(),
    };
    let name = case.sql_name(column);
    let is_number = format!("{name} RLIKE '^[+-]?[0-9]+([.][0-9]+)?$'");
    let query = case.sql_of_rows(&format!("{is_number} AND {}", case.sql_is_sound()));
    Some(Finding {
        code: Code::TextSequence,
        severity: Severity::Warning,
        occurrences: numbers.len(),
        events: shown.iter().map(|&(event, _)| case.place(event)).collect(),
        clause: "sequence_by",
        message: format!(
            "{} is text and holds numbers, in {}: text is sorted by its characters, and \"10\" comes before \
             \"9\".{example}",
            case.listed(&[column]),
            counted(numbers.len(), "event"),
        ),
        remedy:
            "Cast the column to a number before the flow, in the view that it reads; or pad it with zeros to \
                 one length at the source."
                .to_owned(),
        advice: Vec::new(),
        query,
    })
}

/// The number that a text is.
fn number(text: &str) -> Option<BigDecimal> {
    let bare = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (whole, fraction) = bare.split_once('.').unwrap_or((bare, "0"));
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|c| c.is_ascii_digit());
    if DIGITS < text.len() || !is_digits(whole) || !is_digits(fraction) {
        return None;
    }
    text.strip_prefix('+').unwrap_or(text).parse().ok()
}

/// What the times of a column are cut to, if they are.
pub(super) fn unit(case: &Case<'_>, column: usize) -> Option<&'static str> {
    let mut values = case
        .histories()
        .flatten()
        .map(|&event| case.value(event, column))
        .filter(|value| !value.is_null())
        .peekable();
    values.peek()?;
    match case.data_type(column) {
        DataType::Date => Some("day"),
        DataType::Timestamp | DataType::TimestampNtz => values
            .all(|value| match value {
                Value::Timestamp(time) | Value::TimestampNtz(time) => time.subsec_nanosecond() == 0,
                _ => false,
            })
            .then_some("second"),
        DataType::BigInt | DataType::Int if !is_of_count(case.name(column)) => values
            .all(|value| matches!(value, Value::Int(seconds) if EPOCH_SECONDS.contains(seconds)))
            .then_some("second"),
        _ => None,
    }
}

/// A time without fractions, and several events of a key in one.
fn coarse_sequence(case: &Case<'_>) -> Option<Finding> {
    let groups = groups(slice::from_ref(case));
    let pairs = groups.iter().filter(|group| !group.0.iter().any(|tied| tied.is_truncate));
    let pairs: Vec<(usize, usize)> =
        pairs.filter_map(Group::differing).map(|(one, other)| (one.number, other.number)).collect();
    let &(one, other) = pairs.first()?;
    let units: Option<Vec<&str>> = case.order.iter().map(|&column| unit(case, column)).collect();
    let unit = *units?.last()?;
    let all: Vec<usize> = (0..case.plan.schema().len()).collect();
    Some(Finding {
        code: Code::CoarseSequence,
        severity: Severity::Warning,
        occurrences: pairs.len(),
        events: vec![case.place(one), case.place(other)],
        clause: "sequence_by",
        message: format!(
            "{} is cut to whole {unit}s, and a key has several events in one {unit}, {}. The first: {}.",
            case.listed(&case.order),
            times(pairs.len()),
            case.shown(one),
        ),
        remedy: "Take the time as exactly as the source has it, and look for what cuts it (a cast, an export, a \
                 column's precision). Even then two events may share it: a position in the source's log doesn't."
            .to_owned(),
        advice: Vec::new(),
        query: case.sql_of_ties(&format!("count(DISTINCT {}) > 1", case.sql_struct(&all))),
    })
}

/// A time of arrival for a sequence, where a column of the source tells another order.
fn ingestion_clock(case: &Case<'_>) -> Option<Finding> {
    let &clock = case.plan.sequence().first().filter(|&&column| is_of_arrival(case.name(column)))?;
    let is_of_source = |&column: &usize| {
        let data_type = case.data_type(column);
        !case.order.contains(&column)
            && !case.plan.keys().contains(&column)
            && !is_of_arrival(case.name(column))
            && (is_time(data_type) || data_type.int_bounds().is_some() && is_of_order(case.name(column)))
    };
    let goes_back = |column: usize| -> Vec<(usize, usize)> {
        let pairs = case.histories().flat_map(|history| history.windows(2).map(|pair| (pair[0], pair[1])));
        let is_back = |&(before, after): &(usize, usize)| {
            let value = case.value(after, column);
            !value.is_null() && value < case.value(before, column) && case.by_sequence(before, after).is_ne()
        };
        pairs.filter(is_back).collect()
    };
    let columns =
        (0..case.plan.schema().len()).filter(is_of_source).map(|column| (column, goes_back(column)));
    // A time says more than a number; of equals the first.
    let (column, pairs) = columns.filter(|(_, pairs)| !pairs.is_empty()).max_by_key(|(column, pairs)| {
        (is_time(case.data_type(*column)), pairs.len(), std::cmp::Reverse(*column))
    })?;
    let &(before, after) = pairs.first()?;
    let name = case.sql_name(column);
    let same: Vec<String> = case.order.iter().map(|&column| case.sql_is_same(column)).collect();
    let same = same.join(" AND ");
    Some(Finding {
        code: Code::IngestionClock,
        severity: Severity::Warning,
        occurrences: pairs.len(),
        events: vec![case.place(before), case.place(after)],
        clause: "sequence_by",
        message: format!(
            "{} looks like a time of arrival, and {} tells another order, {}: an event that comes late wins. The \
             first: {}.",
            case.listed(&[clock]),
            case.listed(&[column]),
            times(pairs.len()),
            case.shown(after),
        ),
        remedy: format!(
            "Sequence by what the source says of its order, such as {}, if that never goes back at the source.",
            case.listed(&[column])
        ),
        advice: Vec::new(),
        query: case.sql_of_changes(&format!("{name} < lag({name}) OVER w AND NOT ({same})")),
    })
}

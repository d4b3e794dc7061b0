//! Deletes that nobody carries out.

use cdc_core::{DataType, Value};

use super::case::Case;
use super::names::{is_of_deletes, is_of_operation, operation, text};
use super::query::spelled;
use crate::finding::{Code, Finding, Severity};
use crate::words::counted;

/// So many events without a delete are worth a note.
const MANY: usize = 100;

/// The texts that say yes.
const YES: [&str; 5] = ["1", "t", "true", "y", "yes"];

/// The words for a delete.
const DELETES: &str = "'d', 'del', 'delete', 'deleted', 'remove', 'removed'";

/// How a column says that an event deletes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    /// By a word for the operation.
    Word,
    /// By a text that says yes.
    Text,
    /// By a number that isn't 0.
    Number,
    /// By being true.
    True,
}

pub(super) fn rules(case: &Case<'_>) -> Vec<Finding> {
    unmet(case).into_iter().collect()
}

/// Whether all that a column says are words for operations.
pub(super) fn holds_operations(case: &Case<'_>, column: usize) -> bool {
    let values = || applied(case).map(|event| case.value(event, column)).filter(|value| !value.is_null());
    let words = || values().map(|value| text(value).and_then(operation));
    let is_long = |value: &Value| text(value).is_some_and(|text| 2 < text.trim().len());
    words().all(|word| word.is_some()) && words().any(|word| word == Some(false)) && values().any(is_long)
}

/// The events that are applied.
fn applied<'c>(case: &'c Case<'_>) -> impl Iterator<Item = usize> + 'c {
    let is_row = |&event: &usize| case.is_upsert(event) || case.is_delete(event);
    (0..case.events.len()).filter(|&event| case.events[event].is_applied).filter(is_row)
}

/// How a column marks deletes, if it looks as if it did.
fn mark(case: &Case<'_>, column: usize) -> Option<Mark> {
    let (name, data_type) = (case.name(column), case.data_type(column));
    match data_type {
        DataType::String if is_of_operation(name) || holds_operations(case, column) => Some(Mark::Word),
        DataType::String if is_of_deletes(name) => Some(Mark::Text),
        DataType::Boolean if is_of_deletes(name) => Some(Mark::True),
        other if is_of_deletes(name) && other.int_bounds().is_some() => Some(Mark::Number),
        _ => None,
    }
}

impl Mark {
    fn is_on(self, value: &Value) -> bool {
        match (self, value) {
            (Self::Word, Value::String(text)) => operation(text) == Some(true),
            (Self::Text, Value::String(text)) => YES.contains(&&*text.trim().to_lowercase()),
            (Self::Number, Value::Int(number)) => *number != 0,
            (Self::True, Value::Boolean(value)) => *value,
            _ => false,
        }
    }

    fn sql(self, name: &str) -> String {
        match self {
            Self::Word => format!("lower(trim({name})) IN ({DELETES})"),
            Self::Text => format!("lower(trim({name})) IN ('1', 't', 'true', 'y', 'yes')"),
            Self::Number => format!("{name} <> 0"),
            Self::True => name.to_owned(),
        }
    }
}

/// Events that look like deletes and are upserts, and conditions that are never true.
fn unmet(case: &Case<'_>) -> Option<Finding> {
    let has_condition = case.plan.delete_condition().is_some();
    let is_idle = has_condition && !applied(case).any(|event| case.is_delete(event));
    let columns = (0..case.plan.schema().len()).filter(|column| !case.plan.keys().contains(column));
    let marks = columns.filter_map(|column| {
        let mark = mark(case, column)?;
        let is_on = |&event: &usize| case.is_upsert(event) && mark.is_on(case.value(event, column));
        let missed: Vec<usize> = applied(case).filter(is_on).collect();
        (!missed.is_empty()).then_some((column, mark, missed))
    });
    let Some((column, mark, missed)) =
        marks.max_by_key(|(column, _, missed)| (missed.len(), std::cmp::Reverse(*column)))
    else {
        return (is_idle && MANY <= applied(case).count()).then(|| idle(case));
    };
    let name = case.sql_name(column);
    let value = crate::json::quoted(&case.value(missed[0], column).to_string());
    let (code, what) = match (has_condition, is_idle) {
        (false, _) => (Code::NoDeleteCondition, "and the flow has no condition for deletes"),
        (true, true) => (Code::IdleDeleteCondition, "and the condition for deletes is never true"),
        (true, false) => {
            (Code::MissedDelete, "and the condition for deletes, true of others, is not true of them")
        }
    };
    let plain = spelled(case.name(column));
    let condition = match mark {
        Mark::Word | Mark::Text => format!("{plain} = '{}'", case.value(missed[0], column)),
        Mark::Number => format!("{plain} <> 0"),
        Mark::True => plain,
    };
    let s = if missed.len() == 1 { "s" } else { "" };
    Some(Finding {
        code,
        severity: Severity::Warning,
        occurrences: missed.len(),
        events: missed.iter().take(2).map(|&event| case.place(event)).collect(),
        clause: "apply_as_deletes",
        message: format!(
            "{} look{s} like a delete ({} is {value}), {what}: the row is written, not removed.",
            counted(missed.len(), "event"),
            case.listed(&[column]),
        ),
        remedy: format!(
            "Say in `apply_as_deletes` which events delete, in the spelling of the source: `{condition}`. If the row is \
             to stay (a soft delete), nothing is wrong.",
        ),
        advice: Vec::new(),
        query: case.sql_of_rows(&if has_condition {
            format!("{} AND NOT {}", mark.sql(&name), case.sql_is_delete())
        } else {
            mark.sql(&name)
        }),
    })
}

/// Not one delete among many events.
fn idle(case: &Case<'_>) -> Finding {
    let count = applied(case).count();
    Finding {
        code: Code::IdleDeleteCondition,
        severity: Severity::Note,
        occurrences: count,
        events: applied(case).take(1).map(|event| case.place(event)).collect(),
        clause: "apply_as_deletes",
        message: format!("The condition for deletes is true of none of {}.", counted(count, "event")),
        remedy: "See whether the source deletes, and how it says so.".to_owned(),
        advice: Vec::new(),
        query: case.sql_of_rows(&format!("NOT {}", case.sql_is_delete())),
    }
}

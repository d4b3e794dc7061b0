//! Keys that are probably meant to be one.

use std::collections::BTreeMap;

use cdc_core::{DataType, Value};

use super::case::Case;
use super::names::text;
use crate::finding::{Code, Finding, Severity};
use crate::words::times;

/// What counts as a blank: also the one that doesn't break a line, which hides best.
const BLANKS: [char; 5] = [' ', '\t', '\r', '\n', '\u{a0}'];

pub(super) fn rules(case: &Case<'_>) -> Vec<Finding> {
    similar_keys(case).into_iter().collect()
}

fn similar_keys(case: &Case<'_>) -> Option<Finding> {
    let keys = case.plan.keys();
    let is_text = |&&column: &&usize| *case.data_type(column) == DataType::String;
    let texts: Vec<usize> = keys.iter().filter(is_text).copied().collect();
    if texts.is_empty() {
        return None;
    }
    // By what is left of the key: the first event of the first key, and of the first other one.
    let mut groups: BTreeMap<Vec<Value>, (usize, Option<usize>)> = BTreeMap::new();
    for history in case.histories() {
        let Some(&first) = history.iter().min() else { continue };
        let folded = keys.iter().map(|&column| folded(case.value(first, column))).collect();
        let group = groups.entry(folded).or_insert((first, None));
        if group.1.is_none() && !case.agree(keys, group.0, first) {
            group.1 = Some(first);
        }
    }
    let mut pairs: Vec<(usize, usize)> =
        groups.into_values().filter_map(|(one, other)| Some((one.min(other?), one.max(other?)))).collect();
    pairs.sort_unstable();
    let &(one, other) = pairs.first()?;
    let folded = |&column: &usize| {
        let name = case.sql_name(column);
        if texts.contains(&column) {
            format!(r"lower(regexp_replace({name}, '[ \t\r\n\u00a0]', ''))")
        } else {
            name
        }
    };
    let groups: Vec<String> = keys.iter().map(folded).collect();
    Some(Finding {
        code: Code::SimilarKeys,
        severity: Severity::Warning,
        occurrences: pairs.len(),
        events: vec![case.place(one), case.place(other)],
        clause: "keys",
        message: format!(
            "Keys differ only in case or blanks, {}, and each gets rows of its own. The first two: {} and {}.",
            times(pairs.len()),
            shown(case, one),
            shown(case, other),
        ),
        remedy: "If they are one, make them so before the flow, such as with `lower(trim(..))` in the view that it \
                 reads; deletes have to come with the same key."
            .to_owned(),
        advice: Vec::new(),
        query: format!(
            "SELECT count(*)\nFROM (\n  SELECT 1\n  FROM {}\n  WHERE {}{}\n  GROUP BY {}\n  HAVING count(DISTINCT {}) > 1\n)",
            case.table,
            case.sql_is_sound(),
            case.sql_is_no_truncate(),
            groups.join(", "),
            case.sql_struct(keys),
        ),
    })
}

/// A value without case and blanks.
fn folded(value: &Value) -> Value {
    match text(value) {
        Some(text) => Value::from(&*text.replace(BLANKS, "").to_lowercase()),
        None => value.clone(),
    }
}

/// A key, with its blanks to be seen.
fn shown(case: &Case<'_>, event: usize) -> String {
    let shown = |&column: &usize| match text(case.value(event, column)) {
        Some(text) => format!("{text:?}"),
        None => case.value(event, column).to_string(),
    };
    let values: Vec<String> = case.plan.keys().iter().map(shown).collect();
    crate::json::quoted(&values.join(", "))
}

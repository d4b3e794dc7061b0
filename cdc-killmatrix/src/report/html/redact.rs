//! The values of rows as the page shows them: as they are, or as placeholders.

use std::collections::{HashMap, HashSet};

use cdc_core::{Plan, Row, Schema, Value, folded};

use super::Values;
use crate::escape::for_terminal;
use crate::fixture::Fixture;
use crate::report::rows::shown;

/// How values are shown.
pub(super) enum Cells {
    Plain,
    Redacted(Box<Redactor>),
}

impl Cells {
    pub(super) fn new(values: Values) -> Self {
        match values {
            Values::Shown => Self::Plain,
            Values::Redacted => Self::Redacted(Box::default()),
        }
    }

    /// Goes on to another fixture.
    pub(super) fn enter(&mut self, fixture: &Fixture) {
        if let Self::Redacted(redactor) = self {
            redactor.enter(fixture);
        }
    }

    /// The values of a row; `None` is a null. A mutant's row may be shorter than its schema.
    pub(super) fn row(&mut self, schema: &Schema, row: &Row) -> Vec<Option<String>> {
        let cells = row.iter().enumerate().map(|(column, value)| {
            let name = schema.get(column).map_or("value", |column| &column.name);
            match self {
                _ if value.is_null() => None,
                Self::Plain => Some(for_terminal(&shown(value)).into_owned()),
                Self::Redacted(redactor) => Some(redactor.cell(name, value)),
            }
        });
        cells.collect()
    }

    /// Text in which a value may be quoted. `None`: it is left out.
    pub(super) fn quoting(&self, text: &str) -> Option<String> {
        match self {
            Self::Plain => Some(for_terminal(text).into_owned()),
            Self::Redacted(_) => None,
        }
    }

    /// A title, with placeholders for the values in it that were met so far.
    pub(super) fn title(&self, text: &str) -> String {
        match self {
            Self::Plain => for_terminal(text).into_owned(),
            Self::Redacted(redactor) => for_terminal(&redactor.title(text)).into_owned(),
        }
    }
}

/// Gives each value its placeholder: the column in which it is first met, and a number.
#[derive(Default)]
pub(super) struct Redactor {
    placeholders: HashMap<Value, String>,
    counts: HashMap<String, usize>,
    /// Texts inside values, and what stands for them in titles.
    texts: Vec<(String, String)>,
    /// The columns of this fixture that give the order, without case.
    ordering: HashSet<String>,
    /// What stands in those columns of its events.
    orders: HashSet<Value>,
}

impl Redactor {
    fn enter(&mut self, fixture: &Fixture) {
        self.orders.clear();
        self.ordering = [Plan::BOUNDS, Plan::SYSTEM_BOUNDS].concat().into_iter().map(folded).collect();
        for plan in &fixture.plans {
            let columns = plan.sequence().iter().copied().chain(plan.system_sequence());
            self.ordering.extend(columns.map(|column| folded(&plan.feed()[column].name)));
        }
        for number in 0..fixture.feed.batches() {
            let batch = fixture.feed.batch(number);
            let plan = &fixture.plans[batch.delivery.flow];
            self.orders.extend(batch.delivery.version.clone());
            for event in batch.events {
                let columns = plan.sequence().iter().copied().chain(plan.system_sequence());
                // A snapshot's rows lack the columns of its feed.
                self.orders.extend(columns.filter_map(|column| event.values.get(column).cloned()));
                if !plan.reads_snapshots() {
                    self.orders.insert(plan.sequence_value(event));
                }
            }
        }
    }

    fn cell(&mut self, column: &str, value: &Value) -> String {
        let stays = self.ordering.contains(&folded(column)) && self.is_order(value);
        if stays { for_terminal(&shown(value)).into_owned() } else { self.placeholder(column, value) }
    }

    /// Whether a value in a column that gives the order may stay: a mutant can put any value there.
    fn is_order(&self, value: &Value) -> bool {
        match value {
            value if self.orders.contains(value) => true,
            Value::Struct(values) => values.iter().all(|value| self.is_order(value)),
            Value::Null => true,
            Value::Int(_) | Value::Date(_) | Value::Timestamp(_) | Value::TimestampNtz(_) => {
                !self.placeholders.contains_key(value)
            }
            _ => false,
        }
    }

    fn placeholder(&mut self, column: &str, value: &Value) -> String {
        if let Some(placeholder) = self.placeholders.get(value) {
            return placeholder.clone();
        }
        let column = for_terminal(column);
        let count = self.counts.entry(column.to_string()).or_default();
        *count += 1;
        let placeholder = format!("{column}-{count}");
        self.placeholders.insert(value.clone(), placeholder.clone());
        self.note_texts(value, &placeholder);
        placeholder
    }

    fn note_texts(&mut self, value: &Value, placeholder: &str) {
        match value {
            Value::Null | Value::Boolean(_) => {}
            Value::Struct(values) | Value::Array(values) => {
                values.iter().for_each(|value| self.note_texts(value, placeholder));
            }
            Value::Map(pairs) => pairs.iter().for_each(|(key, value)| {
                self.note_texts(key, placeholder);
                self.note_texts(value, placeholder);
            }),
            value => self.texts.push((value.to_string(), placeholder.to_owned())),
        }
    }

    /// Replaces whole words; a single letter or digit is no value to be known by.
    fn title(&self, title: &str) -> String {
        let mut texts: Vec<&(String, String)> =
            self.texts.iter().filter(|(text, _)| 1 < text.chars().count()).collect();
        texts.sort_by_key(|(text, _)| std::cmp::Reverse(text.len()));
        let mut shown = String::new();
        let mut rest = title;
        'title: while let Some(first) = rest.chars().next() {
            if !shown.ends_with(char::is_alphanumeric) {
                for (text, placeholder) in &texts {
                    let after = rest.strip_prefix(text.as_str());
                    if let Some(after) = after.filter(|after| !after.starts_with(char::is_alphanumeric)) {
                        shown.push_str(placeholder);
                        rest = after;
                        continue 'title;
                    }
                }
            }
            shown.push(first);
            rest = &rest[first.len_utf8()..];
        }
        shown
    }
}

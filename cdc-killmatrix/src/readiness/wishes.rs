//! What the business wants, and what of it isn't there.

use cdc_core::{Plan, Row, Table};

use super::spoken::{listed, named, value};
use crate::fixture::{Business, Demand, Fixture};
use crate::words::counted;

/// What is wanted of the last table.
pub(super) enum Wish<'a> {
    /// Rows that fulfil conditions.
    Counts(&'a [Demand]),
    /// One of these tables.
    Tables(&'a [Table]),
    /// Nothing is said.
    Unsaid,
}

impl<'a> Wish<'a> {
    /// What the fixture says; where it says nothing, what its last checkpoint expects.
    pub(super) fn of(fixture: &'a Fixture) -> Self {
        match (&fixture.business, fixture.checkpoints.last()) {
            (Some(Business::Counts(counts)), _) => Self::Counts(counts),
            (Some(Business::Rows(table)), _) => Self::Tables(std::slice::from_ref(table)),
            (None, Some(last)) if !last.expect.is_empty() => Self::Tables(&last.expect),
            (None, _) => Self::Unsaid,
        }
    }

    /// What of the wish a table doesn't fulfil, in a sentence.
    pub(super) fn unfulfilled(&self, plan: &Plan, table: &Table) -> Option<String> {
        match self {
            Self::Unsaid => None,
            Self::Counts(counts) => counts.iter().find_map(|wanted| count(plan, wanted, table)),
            Self::Tables(tables) if tables.contains(table) => None,
            Self::Tables(tables) => {
                let distance = |wanted: &&Table| wanted.without(table).len() + table.without(wanted).len();
                let nearest = tables.iter().min_by_key(distance)?;
                Some(rows(plan, &nearest.without(table), &table.without(nearest)))
            }
        }
    }
}

/// What is wrong with the number of rows that fulfil a condition.
fn count(plan: &Plan, Demand { text, condition, count }: &Demand, table: &Table) -> Option<String> {
    let mut found = 0;
    for row in table.rows() {
        match condition.holds(row) {
            Ok(holds) => found += usize::from(holds == Some(true)),
            Err(error) => return Some(format!("A row can't be held against {text}: {error}.")),
        }
    }
    if found == *count {
        return None;
    }
    let found = match (found, table.rows()) {
        (0, []) => "the table is empty".to_owned(),
        (0, rows) => format!("there is none{}", instead(plan, text, rows)),
        (1, _) => "there is 1".to_owned(),
        (found, _) => format!("there are {found}"),
    };
    Some(format!("The business wants {} where {text}; {found}.", counted(*count, "row")))
}

/// What a few rows hold in the columns that a condition names.
fn instead(plan: &Plan, text: &str, rows: &[Row]) -> String {
    let named_columns: Vec<usize> = names(text).filter_map(|name| plan.target().find(name)).collect();
    let mut columns: Vec<usize> = Vec::new();
    for column in named_columns {
        if !columns.contains(&column) {
            columns.push(column);
        }
    }
    let values = |row: &Row| named(plan.target(), &columns, |column| row.get(column));
    match rows {
        _ if columns.is_empty() => String::new(),
        [one] => format!(", but one with {}", values(one)),
        [one, other] => format!(", but one with {}, and one with {}", values(one), values(other)),
        _ => String::new(),
    }
}

/// The words of a condition outside quotes: the names of its columns are among them.
fn names(text: &str) -> impl Iterator<Item = &str> {
    let outside = text.split('\'').step_by(2);
    outside
        .flat_map(|part| part.split(|c: char| !(c.is_alphanumeric() || c == '_')))
        .filter(|it| !it.is_empty())
}

/// What is wrong with the rows, by the first that is missing, or else by the first that isn't wanted.
fn rows(plan: &Plan, missing: &[&Row], extra: &[&Row]) -> String {
    let key = |row: &Row| named(plan.target(), plan.target_keys(), |column| row.get(column));
    let has_key_of = |row: &Row, other: &Row| {
        plan.target_keys().iter().all(|&column| row.get(column) == other.get(column))
    };
    let found = match (missing, extra) {
        (&[first, ..], extra) => match extra.iter().find(|row| has_key_of(row, first)) {
            Some(other) => differences(plan, first, other),
            None => format!("the row of {} is missing", key(first)),
        },
        (_, &[first, ..]) => format!("the row of {} isn't wanted", key(first)),
        _ => "they differ".to_owned(),
    };
    format!("The business wants other rows: {} missing, {} unwanted; {found}.", missing.len(), extra.len())
}

/// In what a row differs from the wanted one.
fn differences(plan: &Plan, wanted: &Row, found: &Row) -> String {
    let columns = plan.target().iter().zip(wanted.iter().zip(found.iter()));
    let differing = columns.filter(|(_, (wanted, found))| wanted != found);
    let said: Vec<String> = differing
        .map(|(column, (wanted, found))| {
            format!("{} is {}, not {}", column.name, value(found), value(wanted))
        })
        .collect();
    format!("of {}, {}", named(plan.target(), plan.target_keys(), |column| wanted.get(column)), listed(&said))
}

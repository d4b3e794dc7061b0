//! Names of columns, one by one and in lists.

use std::borrow::Cow;

use super::{Check, NOT_FOUND, SNAPSHOT_COLUMNS};
use crate::error::ConfigError;

/// How many columns are listed where a name isn't among them.
const LISTED: usize = 50;

/// A list of columns, which may be left out: an empty one counts as left out.
#[derive(Clone, Copy)]
pub(super) struct List<'a> {
    pub(super) parameter: &'static str,
    pub(super) names: Option<&'a [String]>,
}

impl<'a> List<'a> {
    pub(super) fn new(parameter: &'static str, names: Option<&'a Vec<String>>) -> Self {
        Self { parameter, names: names.map(Vec::as_slice).filter(|names| !names.is_empty()) }
    }
}

impl Check<'_> {
    /// The columns that one list names, or that the other doesn't. `None` where neither is given.
    pub(super) fn selected(
        &mut self,
        include: List<'_>,
        exclude: List<'_>,
        both: &'static str,
    ) -> Option<Vec<bool>> {
        if include.names.is_some() && exclude.names.is_some() {
            let text = format!("`{}` is given as well; expected one of the two", include.parameter);
            self.errors.push(ConfigError::new(Some(both), exclude.parameter, text));
        }
        let included = include.names.map(|names| self.columns(include.parameter, names));
        let excluded = exclude.names.map(|names| self.columns(exclude.parameter, names));
        match (included, excluded) {
            (Some(included), _) => Some(self.marked(&included)),
            (None, Some(excluded)) => Some(self.marked(&excluded).into_iter().map(|is_in| !is_in).collect()),
            (None, None) => None,
        }
    }

    /// For each column of the source, whether it is one of these.
    pub(super) fn marked(&self, columns: &[usize]) -> Vec<bool> {
        let mut marked = self.none();
        for &column in columns {
            marked[column] = true;
        }
        marked
    }

    /// No column of the source.
    pub(super) fn none(&self) -> Vec<bool> {
        vec![false; self.schema.len()]
    }

    /// The place of this name in the source.
    pub(super) fn column(&mut self, parameter: &'static str, name: &str) -> Option<usize> {
        let before = self.errors.len();
        let column = self.columns(parameter, std::slice::from_ref(&name.to_owned())).pop();
        for error in &mut self.errors[before..] {
            error.entry = None;
        }
        column
    }

    /// The places of these names in the source.
    pub(super) fn columns(&mut self, parameter: &'static str, names: &[String]) -> Vec<usize> {
        let (mut columns, mut given) = (Vec::new(), self.none());
        for (entry, written) in names.iter().enumerate() {
            let name = unquoted(written);
            let is_quoted = name != *written;
            // No one but a flow from snapshots itself knows the columns that it adds.
            let is_known = parameter == "except_column_list" || !self.is_added(&name);
            let error = match self.schema.find(&name).filter(|_| is_known) {
                Some(column) if given[column] => ConfigError::new(None, parameter, twice(&name)),
                Some(column) => {
                    given[column] = true;
                    columns.push(column);
                    continue;
                }
                None if !is_quoted && name.contains(is_of_expression) => {
                    let class = Some("AUTOCDC_NON_COLUMN_IDENTIFIER");
                    let text = format!("`{name}` is an expression; expected the plain name of a column");
                    ConfigError::new(class, parameter, text)
                }
                None if !is_quoted && name.contains('.') => {
                    let class = Some("AUTOCDC_MULTIPART_COLUMN_IDENTIFIER");
                    let text = format!("`{name}` has several parts; expected the plain name of a column");
                    ConfigError::new(class, parameter, text)
                }
                None => ConfigError::new(NOT_FOUND, parameter, self.unknown(&name)),
            };
            self.errors.push(error.in_entry(entry));
        }
        columns
    }

    /// Whether this is a column that a flow from snapshots adds to its source.
    pub(super) fn is_added(&self, name: &str) -> bool {
        let is = |added: &&str| name.eq_ignore_ascii_case(added);
        self.flow.from_snapshot.is_some() && SNAPSHOT_COLUMNS.iter().any(is)
    }

    pub(super) fn unknown(&self, name: &str) -> String {
        let columns = self.schema.iter().map(|column| &*column.name).filter(|name| !self.is_added(name));
        let mut columns: Vec<&str> = columns.collect();
        let more = if LISTED < columns.len() { ", .." } else { "" };
        columns.truncate(LISTED);
        format!("there is no column `{name}`; expected one of {}{more}", columns.join(", "))
    }
}

pub(super) fn twice(name: &str) -> String {
    format!("`{name}` is given twice; expected it once")
}

/// What only an expression holds outside of backticks: parentheses and operators.
fn is_of_expression(c: char) -> bool {
    "()[]+-*/%|&^~<>=!:?,'\"".contains(c)
}

/// A name without its backticks, of which those inside are doubled.
pub(super) fn unquoted(name: &str) -> Cow<'_, str> {
    let inside = name.strip_prefix('`').and_then(|name| name.strip_suffix('`'));
    match inside {
        Some(inside) if !inside.contains('`') => Cow::Borrowed(inside),
        // "`a`.`b`" are two names.
        Some(inside) if !inside.replace("``", "").contains('`') => Cow::Owned(inside.replace("``", "`")),
        _ => Cow::Borrowed(name),
    }
}

//! What `df.printSchema()` prints: a tree of fields.

use std::iter::Peekable;
use std::ops::Range;

use cdc_core::{DataType, Field};

use super::gathered::Gathered;
use super::types::{self, DEPTH, Names, structure, too_deep};
use crate::definition::sql::Fault;

/// What stands before a name.
const BRANCH: &str = "|-- ";

/// How many characters each level is moved to the right.
const STEP: usize = 5;

/// Whether a text is such a tree.
pub(super) fn is_tree(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    match lines.next() {
        Some("root") => true,
        Some(line) => line.starts_with(BRANCH),
        None => false,
    }
}

/// A line of the tree.
struct Line<'t> {
    depth: usize,
    name: &'t str,
    at: Range<usize>,
    range: Range<usize>,
}

/// Reads the columns of a tree.
pub(super) fn read(text: &str, gathered: &mut Gathered<'_>) {
    let mut offset = 0;
    let mut lines = Vec::new();
    for line in text.split_inclusive('\n') {
        let start = offset;
        offset += line.len();
        let line = line.trim_end();
        if line.is_empty() || (lines.is_empty() && line.trim() == "root") {
            continue;
        }
        if let Some(line) = branch(line, start) {
            lines.push(line);
        } else {
            let message = "expected a line such as ` |-- id: long (nullable = true)`";
            gathered.fault((start..start + line.len(), message.to_owned()));
        }
    }
    let mut lines = lines.into_iter().peekable();
    while let Some(line) = lines.next() {
        let mut data_type = data_type(text, &line, &mut lines, 0);
        while let Some(below) = lines.next_if(|below| line.depth < below.depth) {
            // Of a column that is wrong it is said already.
            data_type =
                data_type.and(Err((below.at, "this stands under no struct, array or map".to_owned())));
        }
        gathered.add(line.name, line.at, data_type);
    }
}

fn branch(line: &str, start: usize) -> Option<Line<'_>> {
    let before = line.find(BRANCH)?;
    let is_stem = line[..before].chars().all(|c| c == ' ' || c == '|');
    let name_at = before + BRANCH.len();
    let rest = &line[name_at..];
    let end = rest.rfind(" (").filter(|_| rest.ends_with(')')).unwrap_or(rest.len());
    let (name, data_type) = rest[..end].rsplit_once(": ").filter(|_| is_stem)?;
    let (at, end) = (start + name_at, start + name_at + end);
    Some(Line { depth: before / STEP, name, at: at..at + name.len(), range: end - data_type.len()..end })
}

type Lines<'t> = Peekable<std::vec::IntoIter<Line<'t>>>;

fn data_type(text: &str, line: &Line<'_>, lines: &mut Lines<'_>, depth: usize) -> Result<DataType, Fault> {
    let fault = |message: &str| (line.range.clone(), message.to_owned());
    if DEPTH < depth {
        return Err(fault(&too_deep()));
    }
    let name = &text[line.range.clone()];
    if !["struct", "array", "map"].contains(&name) {
        return types::parse(text, line.range.clone(), Names::Printed);
    }
    let mut parts = Vec::new();
    while let Some(below) = lines.next_if(|below| below.depth == line.depth + 1) {
        let data_type = data_type(text, &below, lines, depth + 1)?;
        parts.push(Field { name: below.name.to_owned(), data_type });
    }
    let names: Vec<&str> = parts.iter().map(|part| &*part.name).collect();
    match (name, &*names) {
        ("struct", _) => structure(parts).map_err(|message| fault(&message)),
        ("array", ["element"]) | ("map", ["key", "value"]) => {
            let mut parts = parts.into_iter().map(|part| Box::new(part.data_type));
            match (parts.next(), parts.next()) {
                (Some(key), Some(value)) => Ok(DataType::Map(key, value)),
                (Some(element), None) => Ok(DataType::Array(element)),
                (None, _) => Err(fault("expected what is inside of it")),
            }
        }
        ("array", _) => Err(fault("expected a line `element` under an array")),
        _ => Err(fault("expected the lines `key` and `value` under a map")),
    }
}

//! Tables of rows, and how two of them differ.

use std::cmp::Ordering;

use cdc_core::{Delivery, Event, Plan, Row, Schema, Table, Value};
use data_encoding::BASE64;

use super::fields::with_fields;
use super::grid::{Grid, WIDTH, wrapped};
use crate::escape::{reads_like, told_apart};
use crate::fixture::Fixture;
use crate::words::counted;

/// The most events of a checkpoint that are shown.
const EVENTS: usize = 12;

/// The most rows of a table, or of a difference, that are shown where they aren't what was asked for.
const ROWS: usize = 20;

/// How many equal rows are shown beside rows that differ.
const CONTEXT: usize = 3;

/// The columns of a table, and which of them are keys.
pub(crate) struct Shape<'a> {
    schema: &'a Schema,
    keys: Vec<usize>,
}

impl<'a> Shape<'a> {
    /// The shape of a target. A mutant may show other columns than the flow says.
    pub(crate) fn new(plan: &Plan, schema: &'a Schema) -> Self {
        let names = plan.target_keys().iter().map(|&key| &plan.target()[key].name);
        Self { schema, keys: names.filter_map(|name| schema.find(name)).collect() }
    }

    /// The values by which a row is found: its key and its starts.
    fn place<'r>(&self, row: &'r Row) -> Vec<Option<&'r Value>> {
        let starts =
            [Plan::BOUNDS[0], Plan::SYSTEM_BOUNDS[0]].into_iter().filter_map(|name| self.schema.find(name));
        self.keys.iter().copied().chain(starts).map(|column| row.get(column)).collect()
    }

    /// The rows for a reader: by key, then by start, then by the other values.
    pub(crate) fn in_reading_order<'r>(&self, table: &'r Table) -> Vec<&'r Row> {
        let mut rows: Vec<&Row> = table.rows().iter().collect();
        rows.sort_by_cached_key(|row| self.place(row));
        rows
    }

    fn names(&self) -> Vec<String> {
        self.schema.iter().map(|column| column.name.clone()).collect()
    }
}

/// A table for a reader, by key and then by start, under the names of its columns.
pub(crate) fn table(shape: &Shape<'_>, table: &Table) -> Vec<String> {
    if table.rows().is_empty() {
        return vec!["(no rows)".to_owned()];
    }
    laid_out(
        shape.schema,
        shape.in_reading_order(table).into_iter().map(|row| Line::of("", shape.schema, row)).collect(),
    )
}

/// The first rows of a table for a reader, and how many more there are.
pub(crate) fn first_rows(shape: &Shape<'_>, table: &Table) -> Vec<String> {
    let rows = shape.in_reading_order(table);
    if rows.is_empty() {
        return vec!["(no rows)".to_owned()];
    }
    let mut lines =
        laid_out(shape.schema, rows.iter().take(ROWS).map(|row| Line::of("", shape.schema, row)).collect());
    if ROWS < rows.len() {
        lines.push(format!("... and {}", counted(rows.len() - ROWS, "more row")));
    }
    lines
}

/// The first rows that differ, marked as by [`differences`], and how many more do and how many are equal.
pub(crate) fn first_differences(shape: &Shape<'_>, expected: &Table, got: &Table) -> Vec<String> {
    let (equal, differing): (Vec<Pair<'_>>, Vec<Pair<'_>>) = pairs(shape, expected, got)
        .into_iter()
        .partition(|pair| matches!(pair, Pair::Rows(left, right) if left == right));
    let mut all: Vec<Line> = differing.iter().flat_map(|pair| Line::of_pair(shape.schema, pair)).collect();
    let more = all.len().saturating_sub(ROWS);
    all.truncate(ROWS);
    let mut lines = laid_out(shape.schema, all);
    if more != 0 {
        lines.push(format!("... and {}", counted(more, "more row")));
    }
    if !equal.is_empty() {
        lines.push(skipped(equal.len()));
    }
    lines
}

/// What a checkpoint is called: its number, how its batch comes, and its note.
pub(crate) fn heading(fixture: &Fixture, number: usize) -> String {
    let how = delivery(fixture, number);
    let how = if how.is_empty() { String::new() } else { format!(" ({})", how.join(", ")) };
    let note = fixture.checkpoints[number].note.as_ref().map(|note| format!(": {note}")).unwrap_or_default();
    format!("checkpoint {}{how}{note}", number + 1)
}

/// How the batch of a checkpoint comes, as far as that isn't as usual.
pub(crate) fn delivery(fixture: &Fixture, number: usize) -> Vec<String> {
    let Delivery { flow, seconds, version } = fixture.feed.batch(number).delivery;
    let mut how = Vec::new();
    how.extend(fixture.flows.get(*flow).map(|name| format!("flow {name}")));
    how.extend((*seconds != 0).then(|| format!("{} later", counted(*seconds, "second"))));
    if fixture.checkpoints[number].full_refresh {
        how.push("full refresh".to_owned());
    }
    match version {
        Some(version) => how.push(format!("snapshot {version}")),
        None if fixture.plans[*flow].reads_snapshots() => how.push("no snapshot".to_owned()),
        None => {}
    }
    how
}

/// The feed that a snapshot amounted to, in the order in which it is applied.
pub(crate) fn feed(plan: &Plan, feed: &[Event]) -> Vec<String> {
    if feed.is_empty() {
        return vec!["(nothing changed)".to_owned()];
    }
    laid_out(plan.feed(), feed.iter().map(|event| Line::of("", plan.feed(), &event.values)).collect())
}

/// Events for a reader, in the order of arrival, under the names of the source's columns.
pub(crate) fn events(plan: &Plan, events: &[Event]) -> Vec<String> {
    if events.is_empty() {
        return vec!["(no events)".to_owned()];
    }
    let shown = events.iter().take(EVENTS).map(|event| Line::of("", plan.schema(), &event.values));
    let mut lines = laid_out(plan.schema(), shown.collect());
    if EVENTS < events.len() {
        lines.push(format!("... and {}", counted(events.len() - EVENTS, "more event")));
    }
    lines
}

/// Which rows differ: `-` an expected row that didn't come, `+` a row that came and wasn't expected.
pub(crate) fn differences(shape: &Shape<'_>, expected: &Table, got: &Table) -> Vec<String> {
    let pairs = with_context(pairs(shape, expected, got));
    let mut lines = Vec::new();
    for pair in &pairs {
        match pair {
            &Pair::Skipped(count) => lines.push(Line::skipped(count)),
            Pair::Rows(Some(left), Some(right)) if left == right => {
                lines.push(Line::of(" ", shape.schema, left));
            }
            Pair::Rows(..) => lines.extend(Line::of_pair(shape.schema, pair)),
        }
    }
    laid_out(shape.schema, lines)
}

/// Two tables side by side, or the first rows that differ, where these are many.
pub(crate) fn compared(shape: &Shape<'_>, expected: &Table, got: &Table, model: &str) -> Vec<String> {
    const MOST: usize = 40;
    if expected.without(got).len().max(got.without(expected).len()) <= MOST {
        return side_by_side(shape, expected, got, model);
    }
    let title = format!("- expected, + {model}");
    std::iter::once(title).chain(first_differences(shape, expected, got)).collect()
}

/// Two tables side by side where that fits, or else one below the other.
fn side_by_side(shape: &Shape<'_>, expected: &Table, got: &Table, model: &str) -> Vec<String> {
    let width = shape.schema.len();
    let empty = || vec![String::new(); width];
    let titled =
        |title: &str| std::iter::once(title.to_owned()).chain(empty()).take(width).collect::<Vec<String>>();
    let joined = |left: Vec<String>, mark: &str, right: Vec<String>| -> Vec<String> {
        left.into_iter().chain([mark.to_owned()]).chain(right).collect()
    };
    let mut lines =
        vec![joined(titled("expected"), "", titled(model)), joined(shape.names(), "", shape.names())];
    for pair in with_context(pairs(shape, expected, got)) {
        let (left, right) = match pair {
            Pair::Skipped(count) => {
                lines.push(joined(titled(&skipped(count)), "", empty()));
                continue;
            }
            Pair::Rows(left, right) => (left, right),
        };
        let mark = match (left, right) {
            (Some(left), Some(right)) if left == right => "",
            (Some(_), Some(_)) => "differs",
            (Some(_), None) => "missing",
            (None, _) => "extra",
        };
        let side = |row: Option<&Row>, other| row.map_or_else(empty, |row| cells(shape.schema, row, other));
        lines.push(joined(side(left, right), mark, side(right, left)));
    }
    let beside = Grid::new(2, lines);
    if beside.fits(WIDTH - 2) {
        return beside.lines(WIDTH - 2);
    }
    let mut lines = vec![format!("- expected, + {model}")];
    lines.extend(differences(shape, expected, got));
    lines
}

/// The table that comes nearest of those that would be right: the one with the fewest rows that differ.
pub(crate) fn nearest<'a>(expected: &'a [Table], got: &Table) -> Option<&'a Table> {
    expected.iter().min_by_key(|table| table.without(got).len() + got.without(table).len())
}

/// A row, or what stands for rows, behind its mark.
struct Line {
    mark: &'static str,
    cells: Vec<String>,
}

impl Line {
    fn of(mark: &'static str, schema: &Schema, row: &Row) -> Self {
        Self { mark, cells: cells(schema, row, None) }
    }

    /// Two rows that differ, or one that has no other.
    fn of_pair(schema: &Schema, pair: &Pair<'_>) -> Vec<Self> {
        let &Pair::Rows(left, right) = pair else { return Vec::new() };
        let line = |mark: &'static str, row, other| Self { mark, cells: cells(schema, row, other) };
        left.map(|row| line("-", row, right))
            .into_iter()
            .chain(right.map(|row| line("+", row, left)))
            .collect()
    }

    fn skipped(count: usize) -> Self {
        Self { mark: " ", cells: vec![skipped(count)] }
    }
}

fn skipped(count: usize) -> String {
    format!("... {}", counted(count, "equal row"))
}

/// Lines under the names of the columns; where that is too wide, a paragraph a row.
fn laid_out(schema: &Schema, lines: Vec<Line>) -> Vec<String> {
    let marked = lines.iter().any(|line| !line.mark.is_empty());
    let with_mark = |mark: &str, cells: &[String]| {
        let mark = marked.then(|| mark.to_owned());
        mark.into_iter().chain(cells.iter().cloned()).collect::<Vec<String>>()
    };
    let names: Vec<String> = schema.iter().map(|column| column.name.clone()).collect();
    let rows = lines.iter().map(|line| with_mark(line.mark, &line.cells));
    let grid = Grid::new(2, std::iter::once(with_mark("", &names)).chain(rows));
    if grid.fits(WIDTH - 2) {
        return grid.lines(WIDTH - 2);
    }
    let paragraph = |Line { mark, cells }: Line| {
        let pairs = names.iter().zip(&cells).map(|(name, cell)| format!("{name} {cell}"));
        let text = if cells.len() < names.len() {
            cells.join(" ")
        } else {
            pairs.collect::<Vec<String>>().join(", ")
        };
        wrapped(format!("{mark} {text}").trim_start(), 4, 4)
    };
    lines.into_iter().flat_map(paragraph).collect()
}

/// Two rows with one key and start, or one row alone; or how many equal pairs are left out.
#[derive(Clone, Copy)]
pub(crate) enum Pair<'a> {
    Rows(Option<&'a Row>, Option<&'a Row>),
    Skipped(usize),
}

/// The rows of two tables, one beside the other where key and start agree.
pub(crate) fn pairs<'a>(shape: &Shape<'_>, left: &'a Table, right: &'a Table) -> Vec<Pair<'a>> {
    let mut left = shape.in_reading_order(left).into_iter().peekable();
    let mut right = shape.in_reading_order(right).into_iter().peekable();
    let mut pairs = Vec::new();
    loop {
        let order = match (left.peek(), right.peek()) {
            (None, None) => return pairs,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(left), Some(right)) => shape.place(left).cmp(&shape.place(right)),
        };
        let take_left = if order == Ordering::Greater { None } else { left.next() };
        let take_right = if order == Ordering::Less { None } else { right.next() };
        pairs.push(Pair::Rows(take_left, take_right));
    }
}

/// The pairs that differ, with some equal ones around them.
fn with_context(pairs: Vec<Pair<'_>>) -> Vec<Pair<'_>> {
    let differs = |pair: &Pair<'_>| matches!(pair, Pair::Rows(left, right) if left != right);
    let mut near = vec![false; pairs.len()];
    for place in (0..pairs.len()).filter(|&place| differs(&pairs[place])) {
        near[place.saturating_sub(CONTEXT)..(place + CONTEXT + 1).min(pairs.len())].fill(true);
    }
    let mut kept = Vec::new();
    for (pair, near) in pairs.into_iter().zip(near) {
        match kept.last_mut() {
            _ if near => kept.push(pair),
            Some(Pair::Skipped(count)) => *count += 1,
            _ => kept.push(Pair::Skipped(1)),
        }
    }
    kept
}

/// The values of a row. Those that another row has otherwise, though they read the same, are told apart. The bounds of
/// a version stay short: the flow names the fields of a sequence.
fn cells(schema: &Schema, row: &Row, other: Option<&Row>) -> Vec<String> {
    let is_bound = |name: &String| [Plan::BOUNDS, Plan::SYSTEM_BOUNDS].concat().contains(&name.as_str());
    let cell = |(place, value): (usize, &Value)| match (value, other.and_then(|other| other.get(place))) {
        (Value::String(text), Some(other @ Value::String(twin)))
            if text != twin && reads_like(&shown(value), &shown(other)) =>
        {
            told_apart(text, twin)
        }
        (value, _) => {
            let column = schema.get(place).filter(|column| !is_bound(&column.name));
            column.and_then(|it| with_fields(value, &it.data_type)).unwrap_or_else(|| shown(value))
        }
    };
    row.iter().enumerate().map(cell).collect()
}

/// A value as it can't be misread: text that is empty, that looks like a null or that has blanks around it
/// is put in quotes.
pub(crate) fn shown(value: &Value) -> String {
    match value {
        Value::String(text) if text.is_empty() || &**text == "null" || text.trim() != &**text => {
            format!("{text:?}")
        }
        // As a fixture has it.
        Value::Binary(bytes) if bytes.is_empty() => "\"\"".to_owned(),
        Value::Binary(bytes) => BASE64.encode(bytes),
        value => value.to_string(),
    }
}

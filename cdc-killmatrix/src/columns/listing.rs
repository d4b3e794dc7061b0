//! What `DESCRIBE` prints: a box, comma-separated values, or columns with tabs between.

use std::borrow::Cow;
use std::ops::Range;

use super::gathered::Gathered;
use super::types::{self, Names};
use crate::definition::sql::Fault;
use crate::fixture::{CsvField, Records};

/// How the cells of a listing are told from each other.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Cells {
    /// `|id|bigint|NULL|`, with borders such as `+--+------+----+`.
    Boxed,
    /// `id,bigint,`
    Commas,
    /// `id`, a tab, `bigint`, perhaps a tab and more.
    Tabs,
}

struct Cell<'t> {
    text: Cow<'t, str>,
    range: Range<usize>,
}

type Row<'t> = Result<Vec<Cell<'t>>, Fault>;

/// How a text lists columns, if it does.
pub(super) fn cells(text: &str) -> Option<Cells> {
    let first = text.trim_start_matches(['\r', '\n']).lines().next()?;
    let lower = first.to_ascii_lowercase();
    if first.trim_start().starts_with("+-") || first.trim_start().starts_with('|') {
        return Some(Cells::Boxed);
    }
    let mut tabs = first.split('\t').map(str::trim);
    if lower.contains("col_name") && lower.contains("data_type") {
        return Some(if first.contains('\t') { Cells::Tabs } else { Cells::Commas });
    }
    let (name, data_type) = (tabs.next()?, tabs.next()?);
    // Columns as they are declared may have tabs too.
    let is_declared = first.trim_end().ends_with(',')
        || data_type.contains(", ")
        || lower.starts_with("create")
        || lower.starts_with("--");
    (!is_declared && !name.is_empty() && !data_type.is_empty()).then_some(Cells::Tabs)
}

/// Reads the columns of a listing, up to where it tells other things.
pub(super) fn read(text: &str, cells: Cells, gathered: &mut Gathered<'_>) {
    // Spark writes quotes inside quotes as `\"`. The places stay the same.
    let unescaped = match cells {
        Cells::Commas if Records::new(text, ',').any(|record| record.is_err()) => {
            Cow::Owned(text.replace("\\\"", "\"\""))
        }
        _ => Cow::Borrowed(text),
    };
    let rows: Box<dyn Iterator<Item = Row<'_>>> = match cells {
        Cells::Boxed => Box::new(lines(text).filter_map(boxed)),
        Cells::Tabs => Box::new(lines(text).map(|line| Ok(split(line, '\t')))),
        Cells::Commas => Box::new(Records::new(&unescaped, ',').map(|record| {
            let fields = record.map_err(|(range, message)| (range, message.to_owned()))?;
            let inside = |range: Range<usize>, is_quoted| {
                if is_quoted { range.start + 1..range.end - 1 } else { range }
            };
            let cell = |field: CsvField<'_>| Cell {
                range: inside(field.range, field.is_quoted),
                text: Cow::Owned(field.text.trim().to_owned()),
            };
            Ok(fields.into_iter().map(cell).collect())
        })),
    };
    let (mut name_at, mut type_at, mut is_first) = (0, 1, true);
    for row in rows {
        let row = match row {
            Ok(row) => row,
            Err(fault) => return gathered.fault(fault),
        };
        if is_first && row.iter().all(|cell| cell.text.is_empty()) {
            continue;
        }
        if std::mem::take(&mut is_first) {
            let place = |name| row.iter().position(|cell| cell.text.eq_ignore_ascii_case(name));
            if let (Some(name), Some(data_type)) = (place("col_name"), place("data_type")) {
                (name_at, type_at) = (name, data_type);
                continue;
            }
            if cells == Cells::Boxed {
                let message = "expected a box with the header `col_name`, `data_type`, as of `DESCRIBE`";
                return gathered.fault((row[0].range.clone(), message.to_owned()));
            }
        }
        let Some(name) = row.get(name_at) else { break };
        let data_type = row.get(type_at).filter(|cell| !cell.text.is_empty());
        if ends(&name.text, data_type.is_some()) {
            break;
        }
        let Some(cell) = data_type else {
            let sign = match cells {
                Cells::Tabs => "a tab",
                Cells::Commas => "a comma",
                Cells::Boxed => "`|`",
            };
            let message = format!("the line says no type; expected the column's name, {sign}, its type");
            gathered.fault((name.range.clone(), message));
            continue;
        };
        let data_type = match cut(name, cell, cells) {
            Some(message) => Err((cell.range.clone(), message.to_owned())),
            None => types::parse(text, cell.range.clone(), Names::Printed),
        };
        gathered.add(&name.text, name.range.clone(), data_type);
    }
}

/// Whether the columns end before a line. A heading has no type beside it; a column may start with its sign too.
fn ends(name: &str, has_type: bool) -> bool {
    let is_heading = name.starts_with("# ") && (!has_type || name == "# col_name");
    name.is_empty() || is_heading || name.starts_with("Time taken:")
}

/// What to say of a name or a type of which not all is there.
fn cut(name: &Cell<'_>, data_type: &Cell<'_>, cells: Cells) -> Option<&'static str> {
    let is_cut = |cell: &Cell<'_>| cell.text.ends_with("...");
    if cells == Cells::Boxed && (is_cut(name) || is_cut(data_type)) {
        return Some("the line is cut off; expected all of it, as `show(1000, truncate=False)` prints it");
    }
    let is_short = data_type.text.contains("... ") && data_type.text.contains(" more field");
    is_short
        .then_some("fields are left out here; expected what `SHOW CREATE TABLE` or `df.schema.json()` prints")
}

/// The lines of a text, and where each starts.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split_inclusive('\n').scan(0, |at, line| {
        let start = *at;
        *at += line.len();
        Some((start, line.trim_end_matches(['\r', '\n'])))
    })
}

fn split((start, line): (usize, &str), sign: char) -> Vec<Cell<'_>> {
    let mut at = start;
    let cell = |part| {
        let text = str::trim(part);
        let from = at + part.len() - part.trim_start().len();
        at += part.len() + sign.len_utf8();
        Cell { text: Cow::Borrowed(text), range: from..from + text.len() }
    };
    line.split(sign).map(cell).collect()
}

/// The cells of a line of a box; `None` of a border, also in Markdown, and of a comment that goes on.
fn boxed((start, line): (usize, &str)) -> Option<Row<'_>> {
    if line.starts_with("only showing top") {
        let message =
            format!("columns are left out: {line}; expected all, as in `show(1000, truncate=False)`");
        return Some(Err((start..start + line.len(), message)));
    }
    let inside = line.trim_start().strip_prefix('|')?;
    if inside.starts_with([' ', '-', ':'])
        && inside.chars().all(|c| " -:|".contains(c))
        && inside.contains('-')
    {
        return None;
    }
    let start = start + line.len() - inside.len();
    Some(Ok(split((start, inside.strip_suffix('|').unwrap_or(inside)), '|')))
}

//! Plain tables of at most 80 columns.

use comfy_table::{ContentArrangement, Table, presets};

use crate::escape;

/// The width of a terminal that everybody has.
pub(crate) const WIDTH: usize = 80;

/// Rows of cells in columns, without lines. A cell may have several lines.
///
/// The text of the cells is made safe for a terminal.
pub(crate) struct Grid(Table);

impl Grid {
    /// Lays out rows with `gap` blanks between the columns.
    pub(crate) fn new<R: IntoIterator<Item = String>>(gap: u16, rows: impl IntoIterator<Item = R>) -> Self {
        let mut table = Table::new();
        table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
        for row in rows {
            let safe = |cell: String| {
                let lines: Vec<_> = cell.split('\n').map(escape::for_terminal).collect();
                lines.join("\n")
            };
            table.add_row(row.into_iter().map(safe).collect::<Vec<String>>());
        }
        let last = table.column_count().saturating_sub(1);
        for (place, column) in table.column_iter_mut().enumerate() {
            column.set_padding((0, if place == last { 0 } else { gap }));
        }
        Self(table)
    }

    /// Whether the rows fit into this width without breaking a cell.
    pub(crate) fn fits(&self, width: usize) -> bool {
        self.0.lines().all(|line| unicode_width::UnicodeWidthStr::width(line.trim_end()) <= width)
    }

    /// The lines, with cells broken where they would exceed this width.
    pub(crate) fn lines(mut self, width: usize) -> Vec<String> {
        let width = u16::try_from(width).unwrap_or(u16::MAX);
        self.0.set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
        self.0.lines().map(|line| line.trim_end().to_owned()).collect()
    }
}

/// A sentence, broken into lines that are indented by `indent` blanks, the first by as many less `hang`.
pub(crate) fn wrapped(text: &str, indent: usize, hang: usize) -> Vec<String> {
    let text = escape::for_terminal(text);
    let (first, rest) = (" ".repeat(indent - hang), " ".repeat(indent));
    let options = textwrap::Options::new(WIDTH)
        .initial_indent(&first)
        .subsequent_indent(&rest)
        .break_words(false)
        .word_splitter(textwrap::WordSplitter::NoHyphenation);
    textwrap::wrap(&text, options).into_iter().map(std::borrow::Cow::into_owned).collect()
}

/// The lines of a report as one text, without blanks at their ends.
pub(crate) fn joined(lines: &[String]) -> String {
    lines.iter().flat_map(|line| [line.trim_end(), "\n"]).collect()
}

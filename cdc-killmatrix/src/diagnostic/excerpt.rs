//! The part of a line that a fault is in.

use std::ops::Range;

use crate::escape::for_terminal;

/// How many characters of a line are kept on each side of the place: more than fit into a terminal.
const AROUND: usize = 100;

/// How many characters are underlined at most.
const UNDERLINED: usize = 40;

/// A line, or the part of a long line around the fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Excerpt {
    pub(super) text: String,
    /// The part of it at fault, in bytes.
    pub(super) span: Range<usize>,
}

impl Excerpt {
    pub(super) fn new(line: &str, span: &Range<usize>) -> Self {
        let end = span.end.min(line.len());
        let (before, inside, after) = (&line[..span.start], &line[span.start..end], &line[end..]);
        let skipped = before.char_indices().rev().nth(AROUND - 1).map_or(0, |(start, _)| start);
        let mut text = visible(&before[skipped..]);
        let start = text.len();
        let (marked, rest) = inside.split_at(first(inside, UNDERLINED));
        text.push_str(&visible(marked));
        // A caret needs a character to stand under, also at the end of a line.
        let end = text.len().max(start + 1);
        for part in [rest, after] {
            text.push_str(&visible(&part[..first(part, AROUND)]));
        }
        if text.len() < end {
            text.push(' ');
        }
        let end = text.ceil_char_boundary(end);
        Self { text, span: start..end }
    }
}

/// Where the first characters of a text end.
fn first(text: &str, count: usize) -> usize {
    text.char_indices().nth(count).map_or(text.len(), |(end, _)| end)
}

/// A part of a line: tabs as blanks, everything else that is hidden as an escape.
fn visible(text: &str) -> String {
    for_terminal(&text.replace('\t', "    ")).into_owned()
}

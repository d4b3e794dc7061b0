//! A place among the pieces of a statement.

use std::ops::Range;

use sqlparser::tokenizer::Token;

use super::tokens::Piece;

/// How many characters of a piece are shown.
const SHOWN: usize = 40;

/// Reads the pieces of a statement one after the other.
#[derive(Clone, Debug)]
pub(super) struct Cursor<'p> {
    text: &'p str,
    pieces: &'p [Piece],
    at: usize,
}

impl<'p> Cursor<'p> {
    pub(super) fn new(text: &'p str, pieces: &'p [Piece]) -> Self {
        Self { text, pieces, at: 0 }
    }

    /// The same pieces from another place on.
    pub(super) fn moved_to(&self, at: usize) -> Self {
        Self { at, ..self.clone() }
    }

    pub(super) fn at(&self) -> usize {
        self.at
    }

    pub(super) fn pieces(&self) -> &'p [Piece] {
        self.pieces
    }

    /// The text of all the file.
    pub(super) fn text(&self) -> &'p str {
        self.text
    }

    /// The pieces that are left.
    pub(super) fn rest(&self) -> &'p [Piece] {
        self.pieces.get(self.at..).unwrap_or_default()
    }

    pub(super) fn peek(&self) -> Option<&'p Piece> {
        self.pieces.get(self.at)
    }

    pub(super) fn take(&mut self) -> Option<&'p Piece> {
        let piece = self.peek()?;
        self.at += 1;
        Some(piece)
    }

    pub(super) fn skip_to(&mut self, at: usize) {
        self.at = at.min(self.pieces.len());
    }

    /// Whether these words come next.
    pub(super) fn at_words(&self, words: &[&str]) -> bool {
        let rest = self.rest();
        words.len() <= rest.len() && words.iter().zip(rest).all(|(word, piece)| piece.is_word(word))
    }

    /// Goes past these words, if they come next.
    pub(super) fn take_words(&mut self, words: &[&str]) -> bool {
        let is_there = self.at_words(words);
        if is_there {
            self.at += words.len();
        }
        is_there
    }

    /// Goes past one of these words, as often as one comes next.
    pub(super) fn take_any(&mut self, words: &[&str]) {
        while words.iter().any(|word| self.take_words(&[word])) {}
    }

    pub(super) fn at_sign(&self, sign: &Token) -> bool {
        self.peek().is_some_and(|piece| piece.is(sign))
    }

    pub(super) fn take_sign(&mut self, sign: &Token) -> bool {
        let is_there = self.at_sign(sign);
        self.at += usize::from(is_there);
        is_there
    }

    /// The bytes of what comes next; where nothing does, the end of what came last.
    pub(super) fn range(&self) -> Range<usize> {
        match (self.peek(), self.pieces.last()) {
            (Some(piece), _) => piece.range.clone(),
            (None, Some(last)) => last.range.end..last.range.end,
            (None, None) => 0..0,
        }
    }

    /// The bytes from a piece to the one before the cursor.
    pub(super) fn range_from(&self, first: usize) -> Range<usize> {
        range_of(self.pieces.get(first..self.at).unwrap_or_default()).unwrap_or_else(|| self.range())
    }

    /// What comes next, as a message says it.
    pub(super) fn found(&self) -> String {
        match self.peek() {
            Some(piece) => format!("unexpected {}", shown(&self.text[piece.range.clone()])),
            None => "the statement ends too early".to_owned(),
        }
    }

    /// Goes past the parenthesis that opens here; what is inside. `None` if none opens, or it isn't closed.
    pub(super) fn parenthesised(&mut self) -> Option<&'p [Piece]> {
        if !self.at_sign(&Token::LParen) {
            return None;
        }
        let close = self.at + closing(self.rest())?;
        let inside = self.pieces.get(self.at + 1..close);
        self.at = close + 1;
        inside
    }
}

/// Where the first parenthesis is closed.
pub(super) fn closing(pieces: &[Piece]) -> Option<usize> {
    let mut depth = 0_usize;
    pieces.iter().position(|piece| {
        match piece.token {
            Token::LParen => depth += 1,
            Token::RParen => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0
    })
}

/// The bytes from the first piece to the last.
pub(super) fn range_of(pieces: &[Piece]) -> Option<Range<usize>> {
    Some(pieces.first()?.range.start..pieces.last()?.range.end)
}

/// A text in backticks, cut if it is long.
pub(super) fn shown(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("`{}…`", &text[..end]),
        None => format!("`{text}`"),
    }
}

/// Pieces as one line, without comments. Just inside a parenthesis, a line break needs no blank in its place.
pub(super) fn on_one_line(text: &str, pieces: &[Piece]) -> String {
    let mut line = String::new();
    let mut before: Option<&Piece> = None;
    for piece in pieces {
        let gap = before.map_or("", |before| &text[before.range.end..piece.range.start]);
        let is_inside = before.is_some_and(|before| before.is(&Token::LParen)) || piece.is(&Token::RParen);
        let is_glued = gap.is_empty() || (is_inside && gap.contains('\n'));
        if !is_glued {
            line.push(' ');
        }
        line.push_str(&text[piece.range.clone()]);
        before = Some(piece);
    }
    line
}

/// Pieces with their line breaks, and blanks instead of comments: every character keeps its place.
pub(super) fn without_comments(text: &str, pieces: &[Piece]) -> String {
    let mut blanked = String::new();
    let mut end = None;
    for piece in pieces {
        let gap = &text[end.unwrap_or(piece.range.start)..piece.range.start];
        blanked.extend(gap.chars().map(|c| if c == '\n' { c } else { ' ' }));
        blanked.push_str(&text[piece.range.clone()]);
        end = Some(piece.range.end);
    }
    blanked
}

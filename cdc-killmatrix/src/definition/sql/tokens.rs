//! The words and signs of a file, and where they stand.

use std::iter::Peekable;
use std::ops::Range;
use std::str::CharIndices;

use sqlparser::dialect::DatabricksDialect;
use sqlparser::tokenizer::{Location, Token, TokenWithSpan, Tokenizer, Whitespace, Word};

use crate::words::lower_first;

/// A word or a sign.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub(super) token: Token,
    /// Its bytes in the text.
    pub(super) range: Range<usize>,
}

impl Piece {
    /// Whether it is this word, in any case and not quoted.
    pub(super) fn is_word(&self, text: &str) -> bool {
        match &self.token {
            Token::Word(Word { value, quote_style: None, .. }) => value.eq_ignore_ascii_case(text),
            _ => false,
        }
    }

    pub(super) fn is(&self, token: &Token) -> bool {
        self.token == *token
    }
}

/// The pieces of a file, by statement.
#[derive(Debug, Default)]
pub(super) struct Statements {
    /// None of them is empty. The one in which the text stops making sense isn't among them.
    pub(super) statements: Vec<Vec<Piece>>,
    /// Where the text stops making sense, and why.
    pub(super) fault: Option<(Range<usize>, String)>,
}

/// A text up to where it stops making sense. A statement ends at a semicolon, and with a notebook's cell.
pub(super) fn statements(text: &str) -> Statements {
    let (mut found, mut current) = (Statements::default(), Vec::new());
    let mut end_statement = |pieces: &mut Vec<Piece>| {
        if !pieces.is_empty() {
            found.statements.push(std::mem::take(pieces));
        }
    };
    let (tokens, fault) = tokens(text);
    for piece in tokens {
        match &piece.token {
            Token::SemiColon => end_statement(&mut current),
            Token::Whitespace(space) if ends_cell(space) => end_statement(&mut current),
            Token::Whitespace(_) | Token::EOF => {}
            _ => current.push(piece),
        }
    }
    // Of a statement in which the text stops making sense, only that is said.
    if fault.is_none() {
        end_statement(&mut current);
    }
    found.fault = fault;
    found
}

/// The pieces of a short text; `None` if it makes no sense.
pub(super) fn pieces(text: &str) -> Option<Vec<Piece>> {
    let (mut tokens, fault) = tokens(text);
    tokens.retain(|piece| !matches!(piece.token, Token::Whitespace(_) | Token::EOF));
    if fault.is_some() { None } else { Some(tokens) }
}

/// All pieces, blanks and comments among them.
fn tokens(text: &str) -> (Vec<Piece>, Option<(Range<usize>, String)>) {
    let mut tokens: Vec<TokenWithSpan> = Vec::new();
    let mut tokenizer = Tokenizer::new(&DatabricksDialect, text).with_unescape(false);
    let result = tokenizer.tokenize_with_location_into_buf(&mut tokens);
    let mut offsets =
        Offsets { chars: text.char_indices().peekable(), length: text.len(), line: 1, column: 1 };
    let pieces: Vec<Piece> = tokens
        .into_iter()
        .map(|TokenWithSpan { token, span }| {
            let start = offsets.of(span.start);
            Piece { token, range: start..offsets.of(span.end) }
        })
        .collect();
    let fault = result.err().map(|error| {
        let start = pieces.last().map_or(0, |last| last.range.end);
        let length = text[start..].find('\n').unwrap_or(text.len() - start);
        let message = match &text[start..] {
            rest if rest.starts_with("/*") => "the comment isn't ended; expected `*/`".to_owned(),
            rest if rest.starts_with('`') => "the name isn't ended; expected another backtick".to_owned(),
            rest if rest.starts_with("$$") => "the text isn't ended; expected `$$`".to_owned(),
            rest => match rest.chars().find(|&c| !c.is_ascii_alphabetic()) {
                Some(quote @ ('\'' | '"')) => format!("the text isn't ended; expected `{quote}`"),
                _ => lower_first(&error.message),
            },
        };
        (start..start + length, message)
    });
    (pieces, fault)
}

/// Whether a comment is the line that a notebook writes between its cells.
fn ends_cell(space: &Whitespace) -> bool {
    match space {
        Whitespace::SingleLineComment { comment, .. } => comment.trim().starts_with("COMMAND ---"),
        _ => false,
    }
}

/// From lines and columns to bytes, always forwards.
struct Offsets<'t> {
    chars: Peekable<CharIndices<'t>>,
    length: usize,
    line: u64,
    column: u64,
}

impl Offsets<'_> {
    fn of(&mut self, place: Location) -> usize {
        while (self.line, self.column) < (place.line, place.column) {
            match self.chars.next() {
                Some((_, '\n')) => (self.line, self.column) = (self.line + 1, 1),
                Some(_) => self.column += 1,
                None => break,
            }
        }
        self.chars.peek().map_or(self.length, |&(offset, _)| offset)
    }
}

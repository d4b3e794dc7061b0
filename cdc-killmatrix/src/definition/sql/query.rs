//! What a query does to the rows of its source.

use std::collections::BTreeSet;

use sqlparser::tokenizer::Token;

use super::cursor::Cursor;
use super::names::{Path, take_path};
use super::tokens::Piece;

/// What makes the rows of a query differ from those of its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Does {
    Filter,
    Cast,
    Rename,
    /// By an expectation.
    Drop,
}

/// What a query reads, and what it does to it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Query {
    pub(super) does: BTreeSet<Does>,
    /// The tables that it reads.
    pub(super) sources: Vec<Path>,
    /// Whether any of them is a stream.
    pub(super) is_stream: bool,
}

impl Query {
    pub(super) fn new(text: &str, pieces: &[Piece]) -> Self {
        let mut query = Self::default();
        // For each parenthesis that is open, whether this is among the columns of a `SELECT`.
        let mut selects = vec![false];
        let mut cursor = Cursor::new(text, pieces);
        while let Some(piece) = cursor.take() {
            match &piece.token {
                Token::LParen => selects.push(false),
                Token::RParen if 1 < selects.len() => {
                    selects.pop();
                }
                Token::DoubleColon => {
                    query.does.insert(Does::Cast);
                }
                Token::Word(_) => query.word(piece, &cursor, selects.last_mut()),
                _ => {}
            }
        }
        query
    }

    fn word(&mut self, piece: &Piece, behind: &Cursor<'_>, selects: Option<&mut bool>) {
        let is = |words: &[&str]| words.iter().any(|word| piece.is_word(word));
        let is_select = selects.as_ref().is_some_and(|selects| **selects);
        let opens = behind.at_sign(&Token::LParen);
        if is(&["WHERE", "HAVING", "QUALIFY", "LIMIT"]) || (is(&["SELECT"]) && behind.at_words(&["DISTINCT"]))
        {
            self.does.insert(Does::Filter);
        } else if is(&["CAST", "TRY_CAST"]) && opens {
            self.does.insert(Does::Cast);
        } else if is(&["AS"]) && is_select && !opens {
            self.does.insert(Does::Rename);
        } else if is(&["STREAM"]) {
            self.is_stream = true;
        }
        if is(&["FROM", "JOIN", "STREAM"]) {
            let mut name = behind.clone();
            name.take_sign(&Token::LParen);
            if !name.at_words(&["STREAM"]) && !name.at_words(&["SELECT"]) {
                self.sources.extend(take_path(&mut name));
            }
        }
        if let Some(selects) = selects {
            *selects = (*selects || is(&["SELECT"])) && !is(&["FROM"]);
        }
    }

    /// What it does, as the end of a sentence; `None` if it passes all rows on as they are.
    pub(super) fn what(&self) -> Option<String> {
        let does = |what: &Does| match what {
            Does::Filter => "filters",
            Does::Cast => "casts",
            Does::Rename => "renames",
            Does::Drop => "drops rows that violate an expectation",
        };
        let done: Vec<&str> = self.does.iter().map(does).collect();
        let (last, others) = done.split_last()?;
        Some(if others.is_empty() { (*last).to_owned() } else { format!("{} and {last}", others.join(", ")) })
    }
}

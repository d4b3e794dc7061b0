//! Where the clauses of a flow start, and in which order Databricks wants them.

use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::{Token, Word};

use super::cursor::Cursor;
use super::tokens::Piece;

/// A clause behind the source of a flow, in Databricks' order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Clause {
    Keys,
    IgnoreNullUpdates,
    Deletes,
    Truncates,
    Sequence,
    SystemSequence,
    Columns,
    StoredAs,
    TrackHistory,
    ColumnsToUpdate,
}

impl Clause {
    /// All of them, each before those whose words it starts with.
    const ALL: [Self; 10] = [
        Self::Keys,
        Self::IgnoreNullUpdates,
        Self::Truncates,
        Self::Deletes,
        Self::Sequence,
        Self::SystemSequence,
        Self::ColumnsToUpdate,
        Self::Columns,
        Self::StoredAs,
        Self::TrackHistory,
    ];

    /// The words that it starts with.
    pub(super) const fn words(self) -> &'static [&'static str] {
        match self {
            Self::Keys => &["KEYS"],
            Self::IgnoreNullUpdates => &["IGNORE", "NULL", "UPDATES"],
            Self::Deletes => &["APPLY", "AS", "DELETE", "WHEN"],
            Self::Truncates => &["APPLY", "AS", "TRUNCATE", "WHEN"],
            Self::Sequence => &["SEQUENCE", "BY"],
            Self::SystemSequence => &["SYSTEM", "SEQUENCE", "BY"],
            Self::Columns => &["COLUMNS"],
            Self::StoredAs => &["STORED", "AS"],
            Self::TrackHistory => &["TRACK", "HISTORY", "ON"],
            Self::ColumnsToUpdate => &["COLUMNS", "TO", "UPDATE"],
        }
    }

    /// How a message calls it.
    pub(super) fn name(self) -> String {
        self.words().join(" ")
    }

    /// Whether Apache Spark 4.3 has it.
    pub(super) const fn is_of_spark(self) -> bool {
        !matches!(
            self,
            Self::IgnoreNullUpdates | Self::Truncates | Self::SystemSequence | Self::ColumnsToUpdate
        )
    }

    /// How many of its first words tell it from the other clauses.
    const fn telling(self) -> usize {
        match self {
            Self::Keys
            | Self::IgnoreNullUpdates
            | Self::Deletes
            | Self::Sequence
            | Self::SystemSequence
            | Self::Columns
            | Self::StoredAs
            | Self::TrackHistory => 1,
            Self::ColumnsToUpdate => 2,
            Self::Truncates => 3,
        }
    }

    /// The clause that is meant where one is expected.
    pub(super) fn meant(cursor: &Cursor<'_>) -> Option<Self> {
        Self::ALL.into_iter().find(|clause| cursor.at_words(&clause.words()[..clause.telling()]))
    }

    /// The clause whose words stand here, where something else may stand as well.
    fn starts(cursor: &Cursor<'_>) -> Option<Self> {
        Self::ALL.into_iter().find(|clause| {
            // The last words of these are easily forgotten.
            let words = match clause {
                Self::IgnoreNullUpdates | Self::Deletes | Self::SystemSequence | Self::TrackHistory => {
                    &clause.words()[..2]
                }
                Self::Truncates => &clause.words()[..3],
                _ => clause.words(),
            };
            cursor.at_words(words)
        })
    }

    /// Whether what follows its words is what the clause takes.
    fn is_likely(self, cursor: &Cursor<'_>) -> bool {
        let next = cursor.moved_to(cursor.at() + self.words().len());
        match self {
            Self::Keys => next.at_sign(&Token::LParen),
            Self::Columns => next.at_sign(&Token::LParen) || next.at_sign(&Token::Mul),
            _ => true,
        }
    }

    /// Whether a clause starts here, whatever else may stand here.
    pub(super) fn surely_starts(cursor: &Cursor<'_>) -> bool {
        Self::starts(cursor).is_some_and(|clause| !clause.is_ambiguous())
    }

    /// Whether its words may be names in an expression as well.
    const fn is_ambiguous(self) -> bool {
        matches!(self, Self::Keys | Self::Columns | Self::ColumnsToUpdate | Self::StoredAs | Self::Deletes)
    }
}

/// Goes to the next clause, or to the end.
pub(super) fn skip_to_clause(cursor: &mut Cursor<'_>) {
    while cursor.peek().is_some() && !Clause::starts(cursor).is_some_and(|clause| clause.is_likely(cursor)) {
        cursor.take();
    }
}

/// Goes past an expression: its pieces. It ends where a clause starts.
pub(super) fn take_expression<'p>(cursor: &mut Cursor<'p>) -> &'p [Piece] {
    let first = cursor.at();
    let mut depth = 0_usize;
    let mut before: Option<&Piece> = None;
    while let Some(piece) = cursor.peek() {
        if let Some(clause) = Clause::starts(cursor) {
            let is_behind_operand = before.is_some_and(ends_operand);
            if !clause.is_ambiguous() || (depth == 0 && is_behind_operand) {
                break;
            }
        }
        match piece.token {
            Token::LParen => depth += 1,
            Token::RParen => depth = depth.saturating_sub(1),
            _ => {}
        }
        before = cursor.take();
    }
    &cursor.pieces()[first..cursor.at()]
}

/// Whether an operand may end with a piece, so that what follows it is no operand.
fn ends_operand(piece: &Piece) -> bool {
    match &piece.token {
        Token::Word(Word { quote_style: Some(_), .. })
        | Token::RParen
        | Token::RBracket
        | Token::Number(..)
        | Token::SingleQuotedString(_)
        | Token::DoubleQuotedString(_) => true,
        Token::Word(word) => !matches!(
            word.keyword,
            Keyword::AND
                | Keyword::OR
                | Keyword::NOT
                | Keyword::IN
                | Keyword::IS
                | Keyword::LIKE
                | Keyword::ILIKE
                | Keyword::RLIKE
                | Keyword::REGEXP
                | Keyword::BETWEEN
                | Keyword::CASE
                | Keyword::WHEN
                | Keyword::THEN
                | Keyword::ELSE
                | Keyword::DIV
                | Keyword::ESCAPE
                | Keyword::FROM
        ),
        _ => false,
    }
}

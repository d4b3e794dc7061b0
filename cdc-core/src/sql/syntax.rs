//! From text to the tree of `sqlparser`, and places in it.

use sqlparser::ast::{Expr, Ident, ObjectNamePart, Query, SetExpr};
use sqlparser::dialect::DatabricksDialect;
use sqlparser::keywords::Keyword;
use sqlparser::parser::{Parser, ParserError};
use sqlparser::tokenizer::{Location, Token, TokenWithSpan, Tokenizer};

use super::fault::{Place, SqlError};

/// How deeply `sqlparser` may descend. Unoptimised, it takes some 80 kB of stack each time; a thread has 2 MB.
const MAX_DESCENTS: usize = 16;

/// A chain of operators is a tree as deep as it is long, and dropped recursively.
const MAX_TOKENS: usize = 8_000;

/// The words behind which an operand may begin, and `IS`.
const OPERAND_FOLLOWS: [Keyword; 11] = [
    Keyword::IS,
    Keyword::AND,
    Keyword::OR,
    Keyword::NOT,
    Keyword::CASE,
    Keyword::WHEN,
    Keyword::THEN,
    Keyword::ELSE,
    Keyword::BETWEEN,
    Keyword::LIKE,
    Keyword::FROM,
];

const TOO_DEEP: &str = "the text is nested too deeply; expected fewer parentheses";

/// The expression that is the whole text. Text in quotes keeps its escapes.
pub(super) fn expression(text: &str) -> Result<Expr, SqlError> {
    let tokens = tokens(text)?;
    let first = tokens.first().map_or((1, 1), |token| place(token.span.start));
    let last = tokens.last().map_or((1, 1), |token| place(token.span.end));
    if let Some(at) = not_null(&tokens) {
        return Err(SqlError::new(at, "unexpected `NOT NULL`; expected `IS NOT NULL`"));
    }
    if let Some(at) = too_deep(&tokens) {
        return Err(SqlError::new(at, TOO_DEEP));
    }
    let mut parser =
        Parser::new(&DatabricksDialect).with_recursion_limit(MAX_DESCENTS).with_tokens_with_locations(tokens);
    let expr = parser.parse_expr().map_err(|error| syntax_error(error, first, last))?;
    match parser.peek_token_ref() {
        TokenWithSpan { token: Token::EOF, .. } => Ok(expr),
        token => {
            let message = format!("unexpected `{}` behind the expression; expected its end", token.token);
            Err(SqlError::new(place(token.span.start), message))
        }
    }
}

/// The text's words and signs: at least one, and not too many.
pub(super) fn tokens(text: &str) -> Result<Vec<TokenWithSpan>, SqlError> {
    let tokens = Tokenizer::new(&DatabricksDialect, text).with_unescape(false).tokenize_with_location();
    let mut tokens =
        tokens.map_err(|error| SqlError::new(place(error.location), lower_first(&error.message)))?;
    tokens.retain(|token| !matches!(token.token, Token::Whitespace(_) | Token::EOF));
    if tokens.is_empty() {
        return Err(SqlError::new((1, 1), "the text is empty; expected an expression"));
    }
    if let Some(beyond) = tokens.get(MAX_TOKENS) {
        let message = format!("the text is too long; expected at most {MAX_TOKENS} words and signs");
        return Err(SqlError::new(place(beyond.span.start), message));
    }
    Ok(tokens)
}

pub(super) fn place(location: Location) -> Place {
    (location.line.max(1), location.column.max(1))
}

/// `x NOT NULL`, which `sqlparser` reads as `x IS NOT NULL`, and Spark not at all.
fn not_null(tokens: &[TokenWithSpan]) -> Option<Place> {
    let keyword = |token: &TokenWithSpan| match &token.token {
        Token::Word(word) => word.keyword,
        _ => Keyword::NoKeyword,
    };
    let before_an_operand = |token: &TokenWithSpan| match keyword(token) {
        Keyword::NoKeyword => !matches!(
            token.token,
            Token::Word(_)
                | Token::RParen
                | Token::Number(..)
                | Token::SingleQuotedString(_)
                | Token::DoubleQuotedString(_)
        ),
        keyword => OPERAND_FOLLOWS.contains(&keyword),
    };
    let found = tokens.windows(3).find(|window| {
        keyword(&window[1]) == Keyword::NOT
            && keyword(&window[2]) == Keyword::NULL
            && !before_an_operand(&window[0])
    });
    found.map(|window| place(window[1].span.start))
}

/// Where parentheses and prefixes alone are more than `sqlparser` may descend: its own error has no place.
fn too_deep(tokens: &[TokenWithSpan]) -> Option<Place> {
    let (mut open, mut depth, mut prefixes) = (Vec::new(), 1, 0);
    for token in tokens {
        match &token.token {
            Token::Word(word) if word.keyword == Keyword::NOT => prefixes += 1,
            Token::ExclamationMark | Token::Minus | Token::Plus | Token::Tilde => prefixes += 1,
            Token::LParen => {
                depth += 1 + prefixes;
                open.push(1 + prefixes);
                prefixes = 0;
            }
            Token::RParen => {
                depth -= open.pop().unwrap_or(0);
                prefixes = 0;
            }
            _ => prefixes = 0,
        }
        if MAX_DESCENTS < depth + prefixes {
            return Some(place(token.span.start));
        }
    }
    None
}

/// The message of `sqlparser` ends with its place, and begins with what it expected.
fn syntax_error(error: ParserError, first: Place, last: Place) -> SqlError {
    let text = match error {
        ParserError::RecursionLimitExceeded => {
            return SqlError::new(first, TOO_DEEP);
        }
        ParserError::TokenizerError(text) | ParserError::ParserError(text) => text,
    };
    let (text, at) = match text.rsplit_once(" at Line: ") {
        Some((text, numbers)) => (text, numbers.split_once(", Column: ")),
        None => (text.as_str(), None),
    };
    let at = at.and_then(|(line, column)| Some((line.parse().ok()?, column.parse().ok()?))).unwrap_or(last);
    let message = match text.strip_prefix("Expected: ").and_then(|text| text.rsplit_once(", found: ")) {
        Some((expected, "EOF")) => format!("the text ends too early; expected {}", quoted(expected)),
        Some((expected, found)) => format!("unexpected `{found}`; expected {}", quoted(expected)),
        None if text.starts_with("No infix parser") => "unexpected sign; expected an operator".to_owned(),
        None => lower_first(text),
    };
    SqlError::new(at, message)
}

/// A sign or a keyword in backticks; words as they are.
fn quoted(expected: &str) -> String {
    let is_name = expected.chars().all(|char| char.is_ascii_uppercase() || !char.is_alphanumeric());
    if is_name && !expected.contains(' ') { format!("`{expected}`") } else { expected.to_owned() }
}

fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|first| first.to_lowercase().to_string());
    first.unwrap_or_default() + chars.as_str()
}

/// Where an expression starts, as far as `sqlparser` keeps it: parentheses and prefixes have no place.
///
/// A loop: a chain of operators may be deep.
pub(super) fn start(expr: &Expr) -> Option<Place> {
    let mut expr = expr;
    loop {
        expr = match expr {
            Expr::Identifier(name) => return Some(place(name.span.start)),
            Expr::CompoundIdentifier(names) => return names.first().map(|name| place(name.span.start)),
            Expr::Value(value) => return Some(place(value.span.start)),
            Expr::TypedString(literal) => return Some(place(literal.value.span.start)),
            Expr::Case { case_token, .. } => return Some(place(case_token.0.span.start)),
            Expr::Function(function) => match function.name.0.first()? {
                ObjectNamePart::Identifier(name) => return Some(place(name.span.start)),
                ObjectNamePart::Function(function) => return Some(place(function.name.span.start)),
            },
            Expr::Subquery(query) | Expr::Exists { subquery: query, .. } => return query_start(query),
            Expr::CompoundFieldAccess { root: first, .. }
            | Expr::JsonAccess { value: first, .. }
            | Expr::Prefixed { value: first, .. }
            | Expr::IsFalse(first)
            | Expr::IsNotFalse(first)
            | Expr::IsTrue(first)
            | Expr::IsNotTrue(first)
            | Expr::IsNull(first)
            | Expr::IsNotNull(first)
            | Expr::IsUnknown(first)
            | Expr::IsNotUnknown(first)
            | Expr::IsDistinctFrom(first, _)
            | Expr::IsNotDistinctFrom(first, _)
            | Expr::BinaryOp { left: first, .. }
            | Expr::AnyOp { left: first, .. }
            | Expr::AllOp { left: first, .. }
            | Expr::In { expr: first, .. }
            | Expr::Between { expr: first, .. }
            | Expr::Like { expr: first, .. }
            | Expr::ILike { expr: first, .. }
            | Expr::RLike { expr: first, .. }
            | Expr::SimilarTo { expr: first, .. }
            | Expr::UnaryOp { expr: first, .. }
            | Expr::Nested(first)
            | Expr::Cast { expr: first, .. }
            | Expr::Trim { expr: first, .. }
            | Expr::Substring { expr: first, .. }
            | Expr::Extract { expr: first, .. }
            | Expr::Ceil { expr: first, .. }
            | Expr::Floor { expr: first, .. }
            | Expr::Collate { expr: first, .. }
            | Expr::AtTimeZone { timestamp: first, .. }
            | Expr::Position { expr: first, .. }
            | Expr::Overlay { expr: first, .. }
            | Expr::Named { expr: first, .. }
            | Expr::Convert { expr: first, .. } => first,
            Expr::Tuple(of) => of.first()?,
            Expr::Struct { values, .. } => values.first()?,
            Expr::Array(array) => array.elem.first()?,
            Expr::Interval(interval) => &interval.value,
            _ => return None,
        };
    }
}

fn query_start(query: &Query) -> Option<Place> {
    match &*query.body {
        SetExpr::Select(select) => Some(place(select.select_token.0.span.start)),
        _ => None,
    }
}

/// A name without its backticks, and its place.
pub(super) fn name(name: Ident) -> (String, Place) {
    let text = if name.quote_style.is_some() { name.value.replace("``", "`") } else { name.value };
    (text, place(name.span.start))
}

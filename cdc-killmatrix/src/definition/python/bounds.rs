//! The text before it is parsed: nested less deeply than the stack is, and Python only.

use ruff_python_ast::token::TokenKind;
use ruff_python_parser::Mode;
use ruff_python_parser::lexer::lex;

/// How deeply code may be nested. Every operator and every call of a chain counts, as each is a node inside
/// another one.
pub(super) const DEPTH: usize = 1000;

/// An open bracket, or the whole line.
struct Level {
    open: TokenKind,
    /// How many nodes may lie in each other since the last comma.
    nodes: usize,
    /// How many of them a comma doesn't end.
    lambdas: usize,
}

impl Level {
    fn new(open: TokenKind) -> Self {
        Self { open, nodes: 0, lambdas: 0 }
    }
}

/// Whether a text's syntax tree may be nested more deeply than [`DEPTH`]. It is rather overrated than
/// underrated, most of all where a bracket is left open.
pub(super) fn is_too_deep(text: &str) -> bool {
    let mut lexer = lex(text, Mode::Module);
    let mut levels = vec![Level::new(TokenKind::Newline)];
    let (mut indents, mut total) = (0_usize, 0_usize);
    loop {
        let token = lexer.next_token();
        if token.is_eof() {
            return false;
        }
        let is_base = levels.len() == 1;
        let Some(level) = levels.last_mut() else { return true };
        match token {
            TokenKind::Indent => indents += 1,
            TokenKind::Dedent => indents = indents.saturating_sub(1),
            TokenKind::Newline | TokenKind::Semi if is_base => {
                total -= level.nodes;
                *level = Level::new(TokenKind::Newline);
            }
            TokenKind::Comma => {
                total -= level.nodes - level.lambdas;
                level.nodes = level.lambdas;
            }
            TokenKind::Lpar
            | TokenKind::Lsqb
            | TokenKind::Lbrace
            | TokenKind::FStringStart
            | TokenKind::TStringStart => {
                level.nodes += 1;
                total += 1;
                levels.push(Level::new(token));
            }
            _ if closes(token, level.open) => {
                total -= level.nodes;
                levels.pop();
            }
            _ if nests(token) => {
                level.nodes += 1;
                level.lambdas += usize::from(token == TokenKind::Lambda);
                total += 1;
            }
            _ => {}
        }
        if DEPTH < total + indents {
            return true;
        }
    }
}

fn closes(token: TokenKind, open: TokenKind) -> bool {
    matches!(
        (open, token),
        (TokenKind::Lpar, TokenKind::Rpar)
            | (TokenKind::Lsqb, TokenKind::Rsqb)
            | (TokenKind::Lbrace, TokenKind::Rbrace)
            | (TokenKind::FStringStart, TokenKind::FStringEnd)
            | (TokenKind::TStringStart, TokenKind::TStringEnd)
    )
}

/// Whether a token makes a node that holds the ones before or behind it.
fn nests(token: TokenKind) -> bool {
    matches!(
        token,
        TokenKind::Plus
            | TokenKind::Minus
            | TokenKind::Star
            | TokenKind::Slash
            | TokenKind::Vbar
            | TokenKind::Amper
            | TokenKind::Percent
            | TokenKind::Tilde
            | TokenKind::CircumFlex
            | TokenKind::LeftShift
            | TokenKind::RightShift
            | TokenKind::DoubleStar
            | TokenKind::DoubleSlash
            | TokenKind::At
            | TokenKind::Dot
            | TokenKind::Colon
            | TokenKind::ColonEqual
            | TokenKind::Not
            | TokenKind::Await
            | TokenKind::Yield
            | TokenKind::Lambda
            | TokenKind::If
            | TokenKind::Else
    )
}

/// Where a text's nesting exceeds the bound: the end of the first lines that are too deep.
pub(super) fn too_deep_at(text: &str) -> usize {
    let ends: Vec<usize> = text.match_indices('\n').map(|(end, _)| end + 1).collect();
    let line = ends.partition_point(|&end| !is_too_deep(&text[..end]));
    line.checked_sub(1).map_or(0, |before| ends[before])
}

/// The text without the lines that a notebook doesn't run as Python, `%pip install` and `!ls`: they become
/// blanks, so that every place stays. `None` if there are none.
pub(super) fn without_magics(text: &str) -> Option<String> {
    let is_magic = |line: &str| line.starts_with(['%', '!']);
    if !text.split('\n').any(is_magic) {
        return None;
    }
    let mut python = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        if is_magic(line) {
            let content = line.trim_end_matches(['\n', '\r']);
            python.extend(std::iter::repeat_n(' ', content.len()));
            python.push_str(&line[content.len()..]);
        } else {
            python.push_str(line);
        }
    }
    Some(python)
}

//! Delete conditions, as far as fixtures use them: `=`, `IN`, `IS NULL`, a boolean column, and what joins
//! them. Null is a third answer.

use std::iter::Peekable;
use std::vec::IntoIter;

use serde_json::Value as Json;

#[derive(Debug, PartialEq)]
enum Token {
    Word(String),
    Text(String),
    Sign(char),
}

/// Whether a condition holds for a row; `None` where it is null.
pub(crate) fn holds<'a>(text: &str, value_of: &dyn Fn(&str) -> &'a Json) -> Option<bool> {
    let mut reader = Reader { text, tokens: tokens(text).into_iter().peekable(), value_of };
    let holds = reader.any();
    if reader.tokens.peek().is_some() {
        reader.gives_up();
    }
    holds
}

struct Reader<'a, 'b> {
    text: &'b str,
    tokens: Peekable<IntoIter<Token>>,
    value_of: &'b dyn Fn(&str) -> &'a Json,
}

impl Reader<'_, '_> {
    fn any(&mut self) -> Option<bool> {
        let mut holds = self.all();
        while self.takes("OR") {
            // One of them holds unless both don't.
            holds = both(holds.map(|it| !it), self.all().map(|it| !it)).map(|it| !it);
        }
        holds
    }

    fn all(&mut self) -> Option<bool> {
        let mut holds = self.one();
        while self.takes("AND") {
            holds = both(holds, self.one());
        }
        holds
    }

    fn one(&mut self) -> Option<bool> {
        if self.takes("NOT") {
            return self.one().map(|holds| !holds);
        }
        if self.takes_sign('(') {
            let holds = self.any();
            self.expects(')');
            return holds;
        }
        let Some(Token::Word(name)) = self.tokens.next() else { self.gives_up() };
        if self.tokens.peek() == Some(&Token::Sign('(')) {
            self.gives_up();
        }
        let value = (self.value_of)(&name);
        if self.takes_sign('=') {
            let literal = self.literal();
            return self.equals(value, &literal);
        }
        if self.takes("IN") {
            self.expects('(');
            let mut found = self.literal_equals(value);
            while self.takes_sign(',') {
                let next = self.literal_equals(value);
                found = if found == Some(true) { found } else { next };
            }
            self.expects(')');
            return found;
        }
        if self.takes("IS") {
            let wanted = !self.takes("NOT");
            return if self.takes("NULL") { Some(value.is_null() == wanted) } else { self.gives_up() };
        }
        match value {
            Json::Null => None,
            Json::Bool(holds) => Some(*holds),
            _ => self.gives_up(),
        }
    }

    fn literal_equals(&mut self, value: &Json) -> Option<bool> {
        let literal = self.literal();
        self.equals(value, &literal)
    }

    fn equals(&self, value: &Json, literal: &str) -> Option<bool> {
        match value {
            Json::Null => None,
            Json::String(text) => Some(text == literal),
            _ => self.gives_up(),
        }
    }

    fn literal(&mut self) -> String {
        match self.tokens.next() {
            Some(Token::Text(text)) => text,
            _ => self.gives_up(),
        }
    }

    fn takes(&mut self, keyword: &str) -> bool {
        let is_keyword =
            |token: &Token| matches!(token, Token::Word(word) if word.eq_ignore_ascii_case(keyword));
        self.tokens.next_if(is_keyword).is_some()
    }

    fn takes_sign(&mut self, sign: char) -> bool {
        self.tokens.next_if_eq(&Token::Sign(sign)).is_some()
    }

    fn expects(&mut self, sign: char) {
        if !self.takes_sign(sign) {
            self.gives_up();
        }
    }

    fn gives_up(&self) -> ! {
        panic!("the oracle can't judge the condition `{}`", self.text);
    }
}

fn both(left: Option<bool>, right: Option<bool>) -> Option<bool> {
    match (left, right) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}

fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let taken = match first {
            '\'' | '"' | '`' => {
                let Some(length) = rest[1..].find(first) else { panic!("`{text}` has an open quote") };
                let quoted = rest[1..=length].to_owned();
                assert!(!quoted.contains('\\'), "the oracle can't judge the condition `{text}`");
                tokens.push(if first == '`' { Token::Word(quoted) } else { Token::Text(quoted) });
                length + 2
            }
            _ if first.is_alphanumeric() || first == '_' => {
                let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
                let length = rest.find(|letter| !is_part(letter)).unwrap_or(rest.len());
                tokens.push(Token::Word(rest[..length].to_owned()));
                length
            }
            _ => {
                tokens.push(Token::Sign(first));
                first.len_utf8()
            }
        };
        rest = rest[taken..].trim_start();
    }
    tokens
}

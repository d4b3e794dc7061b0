use std::str::Chars;

/// A pattern of `LIKE`, taken apart.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Pattern(Vec<Piece>);

#[derive(Clone, Copy, Debug, PartialEq)]
enum Piece {
    /// This character.
    Char(char),
    /// `_`: any one character.
    One,
    /// `%`: any characters, or none.
    Any,
}

/// The platform's error class, and why a text is no pattern.
pub(super) type Malformed = (&'static str, String);

impl Pattern {
    /// The escape character takes the meaning from `_`, `%` and itself, and stands before nothing else.
    pub(super) fn parse(text: &str, escape: char) -> Result<Self, Malformed> {
        let mut pieces = Vec::new();
        let mut chars = text.chars();
        while let Some(char) = chars.next() {
            if char == escape {
                match chars.next() {
                    Some(next) if matches!(next, '_' | '%') || next == escape => {
                        pieces.push(Piece::Char(next));
                    }
                    next => return Err(dangling(escape, next)),
                }
                continue;
            }
            match char {
                '_' => pieces.push(Piece::One),
                // A second `%` in a row matches nothing that the first doesn't.
                '%' if pieces.last() == Some(&Piece::Any) => {}
                '%' => pieces.push(Piece::Any),
                char => pieces.push(Piece::Char(char)),
            }
        }
        Ok(Self(pieces))
    }

    /// Whether all of the text matches.
    ///
    /// Only the last `%` is ever retried: what an earlier one could take instead, the last one can take too.
    /// So the time is at most the product of both lengths.
    pub(super) fn matches(&self, text: &str) -> bool {
        let mut pieces: &[Piece] = &self.0;
        let mut chars = text.chars();
        let mut retry: Option<(&[Piece], Chars<'_>)> = None;
        loop {
            match pieces {
                [Piece::Any] => return true,
                [Piece::Any, rest @ ..] => {
                    retry = Some((rest, chars.clone()));
                    pieces = rest;
                    continue;
                }
                [Piece::One, rest @ ..] => {
                    if chars.next().is_some() {
                        pieces = rest;
                        continue;
                    }
                }
                [Piece::Char(expected), rest @ ..] => {
                    if chars.next() == Some(*expected) {
                        pieces = rest;
                        continue;
                    }
                }
                [] => {
                    if chars.as_str().is_empty() {
                        return true;
                    }
                }
            }
            // Let the last `%` take one character more.
            let Some((rest, from)) = &mut retry else {
                return false;
            };
            if from.next().is_none() {
                return false;
            }
            pieces = *rest;
            chars = from.clone();
        }
    }
}

fn dangling(escape: char, next: Option<char>) -> Malformed {
    let (class, found) = match next {
        Some(next) => ("INVALID_FORMAT.ESC_IN_THE_MIDDLE", format!("stands before `{next}`")),
        None => ("INVALID_FORMAT.ESC_AT_THE_END", "stands at the end".to_owned()),
    };
    (class, format!("the escape character `{escape}` {found}; expected `_`, `%` or `{escape}` behind it"))
}

#[cfg(test)]
mod tests {
    use super::Pattern;

    #[test]
    fn a_pattern_of_many_percents_is_answered_at_once() {
        let pattern = Pattern::parse(&"%a".repeat(2_000), '\\').unwrap();
        assert!(!pattern.matches(&"a".repeat(1_999)));
        assert!(pattern.matches(&"ba".repeat(2_000)));
    }
}

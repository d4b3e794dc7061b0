//! Words as sentences need them.

use std::fmt;
use std::path::Path;

use crate::escape::for_terminal;

/// A number of things: `1 fixture`, `2 fixtures`.
pub(crate) fn counted<N: Copy + fmt::Display + PartialEq + From<u8>>(count: N, what: &str) -> String {
    format!("{count} {what}{}", if count == N::from(1) { "" } else { "s" })
}

/// How often: `once`, `twice`, `3 times`.
pub(crate) fn times(count: usize) -> String {
    match count {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        count => format!("{count} times"),
    }
}

/// The first of many names, for who has to choose one.
pub(crate) fn offered<S: AsRef<str>>(names: impl IntoIterator<Item = S>) -> String {
    const OFFERED: usize = 12;
    let mut names = names.into_iter();
    let shown: Vec<S> = names.by_ref().take(OFFERED).collect();
    let shown: Vec<&str> = shown.iter().map(AsRef::as_ref).collect();
    format!("{}{}", shown.join(", "), if names.next().is_some() { ", .." } else { "" })
}

/// A sentence in the middle of another.
pub(crate) fn lower_first(sentence: &str) -> String {
    let mut characters = sentence.chars();
    characters.next().map_or_else(String::new, |first| first.to_lowercase().chain(characters).collect())
}

/// A path in JSON: the same on every system.
pub(crate) fn slashed(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}

/// A path as it can be pasted into a shell, and shown on a terminal.
pub(crate) fn pasted(path: &Path) -> String {
    let text = path.to_string_lossy();
    let is_plain = |char: char| char.is_ascii_alphanumeric() || "/._-".contains(char);
    if text.chars().all(is_plain) && !text.starts_with('-') {
        return text.into_owned();
    }
    let here = if text.starts_with('-') { "./" } else { "" };
    format!("'{here}{}'", for_terminal(&text).replace('\'', r"'\''"))
}

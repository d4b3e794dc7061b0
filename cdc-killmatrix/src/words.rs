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

/// All names, as a sentence lists them: `a`, `a and b`, `a, b and c`.
pub(crate) fn listed<S: AsRef<str>>(names: &[S]) -> String {
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => names.concat(),
    }
}

/// Some names, and how many more there are: `a, b and 3 more`.
pub(crate) fn some_of<S: AsRef<str>>(names: &[S], most: usize) -> String {
    let shown: Vec<&str> = names.iter().take(most).map(AsRef::as_ref).collect();
    match names.len().saturating_sub(most) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// What to do about a name that is unknown: the name that comes near, or some of those there are.
pub(crate) fn hint<'n>(name: &str, known: impl Iterator<Item = &'n str> + Clone) -> String {
    match near(name, known.clone()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("expected one of {}", offered(known)),
    }
}

/// The name that was probably meant: one that it ends, as `fixture` does `suite/fixture`, or that is spelt alike.
pub(crate) fn near<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    // With more names a misspelt one isn't compared; longer ones are no slips of the pen, and comparing is costly.
    const COMPARED: usize = 500;
    const LENGTH: usize = 64;
    if LENGTH < name.len() {
        return None;
    }
    let allowed = name.chars().count() / 3;
    let lower = name.to_lowercase();
    let distance = |known: &str| match known.rsplit_once('/') {
        Some((_, last)) if last == name => 0,
        _ if allowed < known.len().abs_diff(name.len()) => usize::MAX,
        _ => strsim::osa_distance(&lower, &known.to_lowercase()),
    };
    known
        .take(COMPARED)
        .map(|known| (distance(known), known))
        .filter(|&(distance, _)| distance <= allowed)
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, known)| known)
}

/// The three names that are spelt most alike, however little.
pub(crate) fn nearest<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Vec<&'n str> {
    const LENGTH: usize = 64;
    let start: String = name.to_lowercase().chars().take(LENGTH).collect();
    let mut known: Vec<&str> = known.collect();
    known.sort_by_cached_key(|known| strsim::osa_distance(&start, known));
    known.truncate(3);
    known
}

/// A sentence with its full stop, whether it was written with one or not.
pub(crate) fn sentence(text: &str) -> String {
    format!("{}.", text.trim_end_matches('.'))
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
    if text.starts_with('-') { word(&format!("./{text}")) } else { word(&text) }
}

/// A text as one word of a command line, in quotes where it needs them.
pub(crate) fn word(text: &str) -> String {
    let is_plain = |char: char| char.is_ascii_alphanumeric() || "/._-=:".contains(char);
    if !text.is_empty() && text.chars().all(is_plain) {
        return text.to_owned();
    }
    format!("'{}'", for_terminal(text).replace('\'', r"'\''"))
}

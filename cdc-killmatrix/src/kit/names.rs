//! Names that a workspace takes: ASCII identifiers, each once.

use std::collections::BTreeSet;

/// How long a name may become, in bytes: a catalog takes 255, and names of tables have an end after this.
const LONGEST: usize = 200;

/// Names that were given.
#[derive(Default)]
pub(super) struct Names {
    given: BTreeSet<String>,
}

impl Names {
    /// An identifier that reads like a text; one that was given already gets a number.
    pub(super) fn give(&mut self, text: &str) -> String {
        let name = identifier(text);
        let numbered = (2_usize..).map(|number| {
            let end = format!("_{number}");
            format!("{}{end}", &name[..name.len().min(LONGEST - end.len())])
        });
        let first = name[..name.len().min(LONGEST)].to_owned();
        let free = std::iter::once(first).chain(numbered).find(|name| !self.given.contains(name));
        let free = free.unwrap_or_default();
        self.given.insert(free.clone());
        free
    }
}

/// Small letters, digits and underscores, with a letter first; all else becomes one underscore.
fn identifier(text: &str) -> String {
    let mut name = String::with_capacity(text.len());
    for c in text.chars() {
        match c.to_ascii_lowercase() {
            c @ ('a'..='z' | '0'..='9') => name.push(c),
            _ if name.ends_with('_') || name.is_empty() => {}
            _ => name.push('_'),
        }
    }
    let name = name.trim_end_matches('_');
    if name.starts_with(|c: char| c.is_ascii_lowercase()) { name.to_owned() } else { format!("f_{name}") }
}

/// What is wrong with the name of a catalog or schema, if anything. It stands in SQL, in YAML and in Python.
pub(crate) fn name_fault(name: &str) -> Option<&'static str> {
    const MOST: usize = 255;
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    match name {
        "" => Some("it is empty"),
        name if MOST < name.len() => Some("it is longer than 255 characters"),
        name if !name.chars().all(is_plain) => {
            Some("it holds another character than A-Z, a-z, 0-9, `_` and `-`")
        }
        _ => None,
    }
}

/// What is wrong with the name of a user or service principal, if anything.
pub(crate) fn identity_fault(name: &str) -> Option<&'static str> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-.+@".contains(c);
    match name {
        "" => Some("it is empty"),
        name if !name.chars().all(is_plain) => {
            Some("it holds another character than A-Z, a-z, 0-9, `_`, `-`, `.`, `+` and `@`")
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_an_identifier_whatever_the_text() {
        let mut names = Names::default();
        for (text, name) in [
            ("customers_current_null_key", "customers_current_null_key"),
            ("Rules/Ties late \u{202e}update", "rules_ties_late_update"),
            ("`; DROP TABLE x --", "drop_table_x"),
            ("2024", "f_2024"),
            ("東京", "f_"),
            ("${var.catalog}", "var_catalog"),
        ] {
            assert_eq!(names.give(text), name, "{text}");
        }
    }

    #[test]
    fn names_that_would_be_one_are_numbered_and_none_is_too_long() {
        let mut names = Names::default();
        let long = "a".repeat(300);
        assert_eq!([names.give("a b"), names.give("a_b"), names.give("A-B")], ["a_b", "a_b_2", "a_b_3"]);
        let (first, second) = (names.give(&long), names.give(&long));
        assert_eq!((first.len(), second.len()), (LONGEST, LONGEST));
        assert!(second.ends_with("a_2") && first != second);
    }

    #[test]
    fn what_would_leave_its_quotes_is_no_name_of_a_catalog() {
        for name in ["dev", "my-catalog", "Dev_1"] {
            assert_eq!(name_fault(name), None);
        }
        for name in ["", "a.b", "a`b", "a b", "${x}", "ä", "a\nb", &"a".repeat(256)] {
            assert!(name_fault(name).is_some(), "{name}");
        }
        assert_eq!(identity_fault("ana+test@example.com"), None);
        assert!(identity_fault("a: b").is_some() && identity_fault("").is_some());
    }
}

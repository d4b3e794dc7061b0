//! Questions to the user's source that both macros ask.

use proc_macro2::{Ident, Spacing, TokenStream, TokenTree};
use syn::{Attribute, Expr, ExprLit, Lit, Meta};

/// The first line of an item's doc comment that says something, without its full stop.
pub(crate) fn first_doc_line(attrs: &[Attribute]) -> Option<String> {
    attrs.iter().filter_map(doc_text).find_map(|text| {
        // A line of a block comment may start with a star that is decoration.
        let mut lines = text.lines().map(str::trim).map(|line| line.strip_prefix("* ").unwrap_or(line));
        let line = lines.find(|line| !line.is_empty())?;
        Some(line.strip_suffix('.').unwrap_or(line).to_owned())
    })
}

/// The second paragraph of an item's doc comment, on one line, without its full stop.
pub(crate) fn second_doc_paragraph(attrs: &[Attribute]) -> Option<String> {
    let texts: Vec<String> = attrs.iter().filter_map(doc_text).collect();
    let lines: Vec<&str> = texts
        .iter()
        .flat_map(|text| if text.is_empty() { vec![""] } else { text.lines().collect() })
        .map(str::trim)
        .map(|line| if line == "*" { "" } else { line.strip_prefix("* ").unwrap_or(line) })
        .collect();
    let mut paragraphs = lines.split(|line| line.is_empty()).filter(|lines| !lines.is_empty());
    let text = paragraphs.nth(1)?.join(" ");
    Some(text.strip_suffix('.').unwrap_or(&text).to_owned())
}

fn doc_text(attr: &Attribute) -> Option<String> {
    let Meta::NameValue(meta) = &attr.meta else { return None };
    let Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) = &meta.value else { return None };
    meta.path.is_ident("doc").then(|| text.value())
}

/// Every place where one of the `words` stands, macro arguments included.
///
/// The `self` of a path like `self::function` names a module, not a value, and doesn't count.
pub(crate) fn mentions(tokens: TokenStream, words: &[&str]) -> Vec<Ident> {
    let mut found = Vec::new();
    let mut trees = tokens.into_iter().peekable();
    while let Some(tree) = trees.next() {
        match tree {
            TokenTree::Group(group) => found.extend(mentions(group.stream(), words)),
            TokenTree::Ident(ident) if words.iter().any(|word| ident == *word) => {
                let is_module = ident == "self" && trees.peek().is_some_and(starts_path_separator);
                if !is_module {
                    found.push(ident);
                }
            }
            _ => {}
        }
    }
    found
}

fn starts_path_separator(tree: &TokenTree) -> bool {
    matches!(tree, TokenTree::Punct(punct) if punct.as_char() == ':' && punct.spacing() == Spacing::Joint)
}

#[cfg(test)]
mod tests {
    use syn::{DeriveInput, parse_str};

    #[track_caller]
    fn doc(docs: &str) -> Option<String> {
        let item: DeriveInput = parse_str(&format!("{docs}\nstruct S;")).unwrap();
        super::first_doc_line(&item.attrs)
    }

    #[test]
    fn a_description_is_the_first_line_without_its_full_stop() {
        assert_eq!(doc("/// Says `a.b`.\n/// Says more.").as_deref(), Some("Says `a.b`"));
        assert_eq!(doc("///\n/// Says it").as_deref(), Some("Says it"));
        assert_eq!(doc("#[cfg(test)] /** Says it. */").as_deref(), Some("Says it"));
        assert_eq!(doc("/**\n * Says it.\n * Says more.\n */").as_deref(), Some("Says it"));
    }

    #[test]
    fn a_consequence_is_the_second_paragraph_on_one_line() {
        let second = |docs: &str| {
            let item: DeriveInput = parse_str(&format!("{docs}\nstruct S;")).unwrap();
            super::second_doc_paragraph(&item.attrs)
        };
        assert_eq!(
            second("/// One.\n/// Still one.\n///\n/// Two\n/// lines.\n///\n/// Three.").as_deref(),
            Some("Two lines")
        );
        assert_eq!(second("/** One.\n *\n * Two. */").as_deref(), Some("Two"));
        assert_eq!(second("/// One.\n///"), None);
    }

    #[test]
    fn an_empty_or_hidden_doc_comment_describes_nothing() {
        assert_eq!(doc(""), None);
        assert_eq!(doc("///\n///  "), None);
        assert_eq!(doc("#[doc(hidden)] #[allow(x)]"), None);
    }

    #[test]
    fn words_are_found_inside_macros_but_not_in_module_paths() {
        let tokens = "self::f(x); vec![y, self]; if Self { \"self\"; selfish }".parse().unwrap();
        let found = super::mentions(tokens, &["self", "Self"]);
        assert_eq!(found, ["self", "Self"]);
    }
}

//! Text that comes from files is shown, never obeyed: not by a terminal, a Markdown page or a browser.

use std::borrow::Cow;
use std::fmt::Write as _;

use unicode_security::skeleton;

/// Makes every character visible that would steer a terminal or reorder the line.
///
/// Control characters (C0, DEL, C1), bidirectional controls, the Unicode line separators and characters without
/// a width (soft hyphens, joiners, tags) become escapes; everything else stays. A text without them isn't copied.
///
/// ```
/// use cdc_killmatrix::escape::for_terminal;
///
/// assert_eq!(for_terminal("Zürich"), "Zürich");
/// assert_eq!(for_terminal("\u{1b}[2J\n"), r"\u{1b}[2J\n");
/// ```
pub fn for_terminal(text: &str) -> Cow<'_, str> {
    escaped(text, is_hidden)
}

/// Whether two texts read the same on a terminal, or a reader might take one for the other: their letters look alike.
/// What is all ASCII isn't taken for another.
pub(crate) fn reads_like(one: &str, other: &str) -> bool {
    let (left, right) = (for_terminal(one), for_terminal(other));
    let is_plain = left.is_ascii() && right.is_ascii();
    left == right || !is_plain && skeleton(&left).eq(skeleton(&right))
}

/// A text in quotes that reads like no other: an escape stands for what is hidden, and for what isn't ASCII where it
/// differs from a text that reads like it.
///
/// The other letters stay: of two `Müller`, one with a Cyrillic `е`, no `ü` is escaped behind which they agree.
pub(crate) fn told_apart(text: &str, twin: &str) -> String {
    let agree = |pair: &(char, char)| pair.0 == pair.1;
    let start = text.chars().zip(twin.chars()).take_while(agree).count();
    let (length, of_twin) = (text.chars().count(), twin.chars().count());
    let rest = length.min(of_twin) - start;
    let end = length - text.chars().rev().zip(twin.chars().rev()).take(rest).take_while(agree).count();
    let mut shown = String::from("\"");
    for (place, c) in text.chars().enumerate() {
        match c {
            '"' | '\\' => shown.extend(['\\', c]),
            c if is_hidden(c) || !c.is_ascii() && (start..end).contains(&place) => push_escape(&mut shown, c),
            c => shown.push(c),
        }
    }
    shown.push('"');
    shown
}

/// Makes text fit for XML 1.0, where a library puts it between tags or into an attribute.
///
/// Hidden characters are escaped as [`for_terminal`] does, and those that no XML may hold; `<` and its like are for the
/// library.
///
/// ```
/// use cdc_killmatrix::escape::for_xml;
///
/// assert_eq!(for_xml("\u{0}<b>\u{ffff}"), r"\u{0}<b>\u{ffff}");
/// ```
pub fn for_xml(text: &str) -> Cow<'_, str> {
    escaped(text, |c| is_hidden(c) || matches!(c, '\u{fffe}' | '\u{ffff}'))
}

/// Makes text fit for one cell of a Markdown table: it stays text, whatever it says.
///
/// No HTML, no emphasis, no formula, no second cell and none of Markdown's own links can come of it. What a site
/// links by itself, such as the `@name` of a user, it may still link. Hidden characters are escaped as
/// [`for_terminal`] does.
///
/// ```
/// use cdc_killmatrix::escape::for_markdown;
///
/// assert_eq!(for_markdown("collapsed_key | <b>"), r"collapsed\_key \| &lt;b&gt;");
/// ```
pub fn for_markdown(text: &str) -> Cow<'_, str> {
    if !text.contains(|c| is_hidden(c) || SPECIAL.contains(c))
        && !text.contains("://")
        && !text.contains("www.")
        && !text.starts_with('#')
    {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for (i, c) in text.char_indices() {
        match c {
            '&' => shown.push_str("&amp;"),
            '<' => shown.push_str("&lt;"),
            '>' => shown.push_str("&gt;"),
            // GitHub makes links of bare addresses; a backslash inside keeps them text.
            ':' if text[i..].starts_with("://") => shown.push_str(r"\:"),
            '.' if text[..i].ends_with("www") => shown.push_str(r"\."),
            '#' if i == 0 => shown.push_str(r"\#"),
            c if SPECIAL.contains(c) => shown.extend(['\\', c]),
            c if is_hidden(c) => {
                shown.push('\\');
                push_escape(&mut shown, c);
            }
            c => shown.push(c),
        }
    }
    Cow::Owned(shown)
}

/// Makes text fit for an HTML page, between tags or in a quoted attribute: it stays text, whatever it says.
///
/// Hidden characters are escaped as [`for_terminal`] does.
///
/// ```
/// use cdc_killmatrix::escape::for_html;
///
/// assert_eq!(for_html("</p><b>'&'"), "&lt;/p&gt;&lt;b&gt;&#39;&amp;&#39;");
/// ```
pub fn for_html(text: &str) -> Cow<'_, str> {
    if !text.contains(|c| is_hidden(c) || "&<>\"'".contains(c)) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '&' => shown.push_str("&amp;"),
            '<' => shown.push_str("&lt;"),
            '>' => shown.push_str("&gt;"),
            '"' => shown.push_str("&quot;"),
            '\'' => shown.push_str("&#39;"),
            c if is_hidden(c) => push_escape(&mut shown, c),
            c => shown.push(c),
        }
    }
    Cow::Owned(shown)
}

/// Makes JSON fit for a `<script>` block of an HTML page: no tag, comment or entity can come of it.
///
/// What means something there becomes an escape of JSON, so that it says the same.
///
/// ```
/// use cdc_killmatrix::escape::json_for_script;
///
/// assert_eq!(json_for_script(r#"["</script>"]"#), r#"["\u003c/script\u003e"]"#);
/// ```
pub fn json_for_script(json: &str) -> String {
    let mut shown = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                // Writing to a text can't fail.
                let _ = write!(shown, "\\u{:04x}", u32::from(c));
            }
            c => shown.push(c),
        }
    }
    shown
}

/// What means something inside a cell of a Markdown table.
const SPECIAL: &str = "\\|`<>&*_[]~$";

/// Whether a character would steer a terminal, reorder the line, or not be seen.
pub(crate) fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{2028}' | '\u{2029}' | '\u{200e}' | '\u{200f}' | '\u{61c}')
        || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        || matches!(c, '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{2060}'..='\u{2064}' | '\u{feff}')
        || matches!(c, '\u{e0000}'..='\u{e007f}')
}

/// A text with escapes in the place of some characters.
fn escaped(text: &str, is_escaped: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_escaped) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if is_escaped(c) { push_escape(&mut shown, c) } else { shown.push(c) }
    }
    Cow::Owned(shown)
}

fn push_escape(shown: &mut String, c: char) {
    match c {
        '\n' => shown.push_str(r"\n"),
        '\r' => shown.push_str(r"\r"),
        '\t' => shown.push_str(r"\t"),
        c => shown.extend(c.escape_unicode()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_become_visible() {
        assert_eq!(for_terminal("a\u{0}b\u{7f}c\u{9b}d\te\rf"), r"a\u{0}b\u{7f}c\u{9b}d\te\rf");
    }

    #[test]
    fn bidirectional_controls_and_line_separators_become_visible() {
        assert_eq!(
            for_terminal("\u{202e}x\u{2066}y\u{2028}z\u{200f}"),
            r"\u{202e}x\u{2066}y\u{2028}z\u{200f}"
        );
    }

    #[test]
    fn text_without_hidden_characters_is_not_copied() {
        assert!(matches!(for_terminal("Zürich 🚲 東京"), Cow::Borrowed(_)));
        assert!(matches!(for_markdown("Late update: 12-01"), Cow::Borrowed("Late update: 12-01")));
        assert!(matches!(for_markdown("Zürich 🚲 東京"), Cow::Borrowed("Zürich 🚲 東京")));
    }

    #[test]
    fn characters_without_a_width_become_visible() {
        assert_eq!(
            for_terminal("a\u{ad}b\u{200b}c\u{200d}d\u{2060}e\u{2064}f\u{feff}g\u{e0000}h\u{e007f}"),
            r"a\u{ad}b\u{200b}c\u{200d}d\u{2060}e\u{2064}f\u{feff}g\u{e0000}h\u{e007f}"
        );
        assert_eq!(for_terminal("a\u{2065}\u{e0080}"), "a\u{2065}\u{e0080}", "beyond the ranges");
    }

    #[test]
    fn texts_that_only_look_alike_are_told_apart_where_they_differ() {
        for (one, other, told, other_told) in [
            (
                "Mu\u{308}ller, J\u{f8}rgen",
                "Müller, Jørgen",
                r#""Mu\u{308}ller, Jørgen""#,
                r#""M\u{fc}ller, Jørgen""#,
            ),
            ("Lyon", "Ly\u{43e}n", r#""Lyon""#, r#""Ly\u{43e}n""#),
            ("東 a", "東\u{a0}a", r#""東 a""#, r#""東\u{a0}a""#),
            ("a\u{200b}", r"a\u{200b}", r#""a\u{200b}""#, r#""a\\u{200b}""#),
            ("a\n", r"a\n", r#""a\n""#, r#""a\\n""#),
            ("\u{212a}", "K", r#""\u{212a}""#, r#""K""#),
            ("\u{e9}\u{e9}", "\u{e9}e\u{301}", r#""é\u{e9}""#, r#""ée\u{301}""#),
        ] {
            assert!(reads_like(one, other) && reads_like(other, one), "{one} {other}");
            assert_eq!(
                (told_apart(one, other).as_str(), told_apart(other, one).as_str()),
                (told, other_told)
            );
        }
    }

    #[test]
    fn other_texts_are_not_taken_for_each_other() {
        for (one, other) in [
            ("Müller, Anna", "Müller, Berta"),
            ("Müller", "Mueller"),
            ("Müller", "Muller"),
            ("Søren", "Soren"),
            ("東京", "京都"),
            ("l1", "11"),
            ("a", "a\u{200b}"),
        ] {
            assert!(!reads_like(one, other), "{one} {other}");
        }
    }

    #[test]
    fn a_cell_stays_one_cell() {
        assert_eq!(for_markdown("a|b\nc"), r"a\|b\\nc");
        assert_eq!(for_markdown(r"a\|b"), r"a\\\|b");
    }

    #[test]
    fn markdown_makes_no_html_emphasis_code_or_link() {
        assert_eq!(
            for_markdown("<img src=x> &lt; `c` *a* ~~b~~"),
            r"&lt;img src=x&gt; &amp;lt; \`c\` \*a\* \~\~b\~\~"
        );
        assert_eq!(for_markdown("[x](https://example.com)"), r"\[x\](https\://example.com)");
        assert_eq!(for_markdown("https://example.com"), r"https\://example.com");
        assert_eq!(for_markdown("www.example.com"), r"www\.example.com");
    }

    #[test]
    fn markdown_makes_no_formula() {
        assert_eq!(for_markdown("from $1 to $2"), r"from \$1 to \$2");
    }

    #[test]
    fn a_number_sign_is_escaped_only_where_a_heading_could_start() {
        assert_eq!(for_markdown("# a # b"), r"\# a # b");
    }
}

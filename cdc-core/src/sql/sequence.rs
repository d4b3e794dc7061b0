//! `sequence_by`: a column, or a struct of columns.

use sqlparser::ast::{Expr, Ident};

use super::fault::{Place, SqlError};
use super::syntax;

/// How many characters of an expression are shown.
const SHOWN: usize = 60;

/// The columns that say which event is newer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SequenceBy {
    /// Names and places, in order.
    pub(crate) columns: Vec<(String, Place)>,
    /// Whether they are the fields of a struct, even if it is only one.
    pub(crate) is_struct: bool,
}

/// `lsn`, or `struct(commit_lsn, event_lsn)`.
pub(crate) fn sequence_by(text: &str) -> Result<SequenceBy, SqlError> {
    match syntax::expression(text)? {
        Expr::Struct { values, fields } if fields.is_empty() => {
            let columns = values.into_iter().map(column).collect::<Result<_, _>>()?;
            Ok(SequenceBy { columns, is_struct: true })
        }
        other => Ok(SequenceBy { columns: vec![column(other)?], is_struct: false }),
    }
}

fn column(expr: Expr) -> Result<(String, Place), SqlError> {
    let is_name = |name: &Ident| matches!(name.quote_style, None | Some('`'));
    match expr {
        Expr::Identifier(name) if is_name(&name) => Ok(syntax::name(name)),
        other => {
            let place = syntax::start(&other).unwrap_or((1, 1));
            let mut shown = other.to_string();
            if let Some((end, _)) = shown.char_indices().nth(SHOWN) {
                shown.replace_range(end.., "…");
            }
            let message = format!(
                "`{shown}` is no column; expected a column or `struct(column, column)`, and what is computed as a column \
                 of the source"
            );
            Err(SqlError::new(place, message))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::sequence_by;

    #[test]
    fn a_sequence_is_a_column_or_a_struct_of_columns() {
        let columns = |text: &str| {
            let sequence = sequence_by(text).unwrap();
            let names: Vec<String> = sequence
                .columns
                .into_iter()
                .map(|(name, (line, column))| format!("{name}@{line}:{column}"))
                .collect();
            (names.join(" "), sequence.is_struct)
        };
        assert_eq!(columns("lsn"), ("lsn@1:1".into(), false));
        assert_eq!(columns("  `commit ``lsn` "), ("commit `lsn@1:3".into(), false));
        assert_eq!(columns("timestamp"), ("timestamp@1:1".into(), false));
        assert_eq!(columns("`struct`"), ("struct@1:1".into(), false));
        assert_eq!(columns("struct(a)"), ("a@1:8".into(), true));
        assert_eq!(columns("STRUCT(a,\n  `b`)"), ("a@1:8 b@2:3".into(), true));
    }

    #[test]
    fn anything_else_is_an_error_at_its_place() {
        let no_column = |shown: &str| {
            format!(
                "`{shown}` is no column; expected a column or `struct(column, column)`, and what is computed as a column \
                 of the source"
            )
        };
        let long = "a + ".repeat(40) + "a";
        let cut = long[..60].to_owned() + "…";
        for (text, place, message) in [
            ("", (1, 1), "the text is empty; expected an expression"),
            ("'lsn'", (1, 1), &*no_column("'lsn'")),
            ("5", (1, 1), &*no_column("5")),
            ("a.b", (1, 1), &*no_column("a.b")),
            ("a + 1", (1, 1), &*no_column("a + 1")),
            ("struct(a, b.c)", (1, 11), &*no_column("b.c")),
            ("struct(a, struct(b))", (1, 18), &*no_column("STRUCT(b)")),
            ("struct(a AS x)", (1, 8), &*no_column("a AS x")),
            (&*long, (1, 1), &*no_column(&cut)),
            ("struct(a", (1, 9), "the text ends too early; expected `)`"),
            ("struct()", (1, 8), "unexpected `)`; expected an expression"),
            ("a, b", (1, 2), "unexpected `,` behind the expression; expected its end"),
        ] {
            let error = sequence_by(text).expect_err(text);
            assert_eq!((error.place, error.message.as_str()), (place, message), "{text}");
        }
    }
}

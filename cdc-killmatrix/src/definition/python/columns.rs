//! Columns: by their names, or as Spark's functions make them.

use ruff_python_ast::{Expr, ExprCall};

use super::values::{Fault, Given, Values};
use crate::json::quoted;

/// The words that don't stand for a column where they aren't in backticks.
const RESERVED: [&str; 14] = [
    "case",
    "cast",
    "current_date",
    "current_time",
    "current_timestamp",
    "current_user",
    "end",
    "exists",
    "false",
    "interval",
    "not",
    "null",
    "then",
    "true",
];

/// A name as it stands in SQL text.
pub(in crate::definition) fn in_sql(name: &str) -> String {
    let mut characters = name.chars();
    let is_plain = characters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
        && characters.all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !RESERVED.iter().any(|word| word.eq_ignore_ascii_case(name));
    if is_plain { name.to_owned() } else { format!("`{}`", name.replace('`', "``")) }
}

/// The parts of a name, separated by dots and perhaps in backticks; `None` if the backticks don't match.
pub(in crate::definition) fn parts(name: &str) -> Option<Vec<String>> {
    let mut parts = Vec::new();
    let mut rest = name;
    loop {
        let mut part = String::new();
        if let Some(mut quoted) = rest.strip_prefix('`') {
            rest = loop {
                let (before, after) = quoted.split_once('`')?;
                part.push_str(before);
                let Some(further) = after.strip_prefix('`') else { break after };
                part.push('`');
                quoted = further;
            };
        } else {
            let end = rest.find('.').unwrap_or(rest.len());
            part.push_str(&rest[..end]);
            rest = &rest[end..];
        }
        parts.push(part);
        if rest.is_empty() {
            return Some(parts);
        }
        rest = rest.strip_prefix('.')?;
    }
}

/// The name of a column that isn't qualified.
fn unqualified(name: &str) -> Result<String, Fault> {
    match parts(name) {
        Some(mut parts) if parts.len() == 1 && !parts[0].is_empty() => Ok(parts.swap_remove(0)),
        Some(parts) if parts.len() != 1 => Err(Fault::Said(format!(
            "{} is qualified; expected the plain name of a column [AUTOCDC_MULTIPART_COLUMN_IDENTIFIER]",
            quoted(name)
        ))),
        _ => Err(Fault::Said(format!("{} is no name of a column", quoted(name)))),
    }
}

impl<'a> Values<'a> {
    /// The function that a call names, by its own name.
    pub(super) fn called(&self, call: &'a ExprCall, given: Given<'a>) -> Option<&'a str> {
        self.scopes.function(&call.func, given.scope)
    }

    /// The text given to `col` or `expr`.
    pub(super) fn only_text(&self, call: &'a ExprCall, given: Given<'a>) -> Result<String, Fault> {
        match (&*call.arguments.args, &*call.arguments.keywords) {
            ([text], []) => self.text(given.at(text)),
            ([], [keyword]) if keyword.arg.is_some() => self.text(given.at(&keyword.value)),
            _ => Err(Fault::Said(format!("{} takes one text", self.shown(call)))),
        }
    }

    /// The name of a column: a text, or `col("name")`.
    pub(super) fn column(&self, given: Given<'a>) -> Result<String, Fault> {
        self.with(given, |given| match given.expr {
            Expr::Call(call) => match self.called(call, given) {
                Some("col" | "column") => unqualified(&self.only_text(call, given)?),
                _ => Err(self.strange(given, "a text or `col(..)`")),
            },
            Expr::Attribute(_) | Expr::Subscript(_) => Err(self.other(given)),
            _ => unqualified(&self.text(given)?),
        })
    }

    /// The columns of a list.
    fn columns(&self, given: Given<'a>) -> Result<Vec<String>, Fault> {
        self.entries(given)?.into_iter().map(|entry| self.column(entry)).collect()
    }

    /// The SQL text of a sequence: a text, `col("a")`, `struct("a", "b")` or `expr("a")`.
    pub(super) fn sequence(&self, given: Given<'a>) -> Result<String, Fault> {
        self.with(given, |given| {
            let Expr::Call(call) = given.expr else { return self.text(given) };
            let args = &*call.arguments.args;
            match self.called(call, given) {
                Some("col" | "column") => Ok(reference(&self.only_text(call, given)?)),
                Some("expr") => self.only_text(call, given),
                Some("struct") if call.arguments.keywords.is_empty() => {
                    let mut fields = Vec::new();
                    for field in args {
                        match field {
                            Expr::Starred(list) => fields.extend(self.columns(given.at(&list.value))?),
                            list if args.len() == 1 && self.is_list(given.at(list)) => {
                                fields = self.columns(given.at(list))?;
                            }
                            field => fields.push(self.column(given.at(field))?),
                        }
                    }
                    let fields: Vec<String> = fields.iter().map(|name| in_sql(name)).collect();
                    Ok(format!("struct({})", fields.join(", ")))
                }
                Some("alias") => match &*call.func {
                    // What a sequence is called is of no importance.
                    Expr::Attribute(method) => self.sequence(given.at(&method.value)),
                    _ => Err(self.strange(given, SEQUENCE)),
                },
                _ => Err(self.strange(given, SEQUENCE)),
            }
        })
    }

    /// Whether an argument is a list of arguments.
    pub(super) fn is_list(&self, given: Given<'a>) -> bool {
        let is_list = |given: Given<'a>| match given.expr {
            Expr::List(_) | Expr::Tuple(_) => Ok(true),
            Expr::BinOp(_) => Ok(self.entries(given).is_ok()),
            _ => Ok(false),
        };
        self.with(given, is_list).unwrap_or(false)
    }

    /// An expression that isn't read: one of Spark's, or one that only running the code can tell.
    pub(super) fn strange(&self, given: Given<'a>, expected: &str) -> Fault {
        if self.is_of_spark(given) {
            return Fault::Said(format!("{} isn't understood; expected {expected}", self.shown(given.expr)));
        }
        self.other(given)
    }

    /// Whether an expression starts with one of Spark's functions.
    fn is_of_spark(&self, given: Given<'a>) -> bool {
        let mut first = given.expr;
        loop {
            first = match first {
                Expr::Call(call) => match self.called(call, given) {
                    Some("col" | "column" | "expr" | "struct" | "lit") => return true,
                    _ => match (&*call.func, call.arguments.args.first()) {
                        (Expr::Attribute(method), _) if !method.value.is_name_expr() => &method.value,
                        (_, Some(argument)) => argument,
                        _ => return false,
                    },
                },
                Expr::Compare(compare) => &compare.left,
                Expr::BinOp(operation) => &operation.left,
                Expr::UnaryOp(operation) => &operation.operand,
                Expr::BoolOp(operation) => match operation.values.first() {
                    Some(value) => value,
                    None => return false,
                },
                _ => return false,
            };
        }
    }
}

/// What a sequence may be.
const SEQUENCE: &str = "a text, `col(..)`, `struct(..)` or `expr(..)`";

/// A column as SQL text, where a field of a struct is a name with a dot.
pub(super) fn reference(name: &str) -> String {
    match parts(name) {
        Some(parts) => parts.iter().map(|part| in_sql(part)).collect::<Vec<_>>().join("."),
        None => in_sql(name),
    }
}

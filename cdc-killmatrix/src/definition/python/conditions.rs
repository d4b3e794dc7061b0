//! Conditions: SQL text, or Spark's column expressions put into SQL text.

use ruff_python_ast::{CmpOp, Expr, ExprCall, Number, Operator, UnaryOp};

use super::columns::reference;
use super::values::{Fault, Given, Values};

/// What a condition may be.
const CONDITION: &str = "a text, `expr(..)`, or `col(..)` with ==, !=, <, <=, >, >=, `isin`, `isNull`, `isNotNull`, \
                         &, | or ~";

/// How tightly SQL text holds together.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tie {
    Or,
    And,
    Not,
    Test,
    Operand,
}

/// A part of a condition.
struct Sql {
    text: String,
    tie: Tie,
    /// Whether it is a column of Spark and not a value of Python.
    is_column: bool,
}

impl Sql {
    fn test(text: String) -> Self {
        Self { text, tie: Tie::Test, is_column: true }
    }

    /// The text as a part of something that holds together by `tie`.
    fn inside(self, ties: &[Tie]) -> String {
        if ties.contains(&self.tie) { self.text } else { format!("({})", self.text) }
    }
}

impl<'a> Values<'a> {
    /// The SQL text of a condition.
    pub(super) fn condition(&self, given: Given<'a>) -> Result<String, Fault> {
        self.with(given, |given| {
            if !matches!(
                given.expr,
                Expr::Call(_) | Expr::Compare(_) | Expr::BinOp(_) | Expr::UnaryOp(_) | Expr::BoolOp(_)
            ) {
                return self.text(given);
            }
            if let Expr::Call(call) = given.expr
                && self.called(call, given) == Some("expr")
            {
                return self.only_text(call, given);
            }
            if let Ok(text) = self.text(given) {
                return Ok(text);
            }
            let sql = self.sql(given)?;
            if sql.is_column { Ok(sql.text) } else { Err(self.strange(given, CONDITION)) }
        })
    }

    fn sql(&self, given: Given<'a>) -> Result<Sql, Fault> {
        self.with(given, |given| match given.expr {
            Expr::Call(call) => self.sql_call(call, given),
            Expr::Compare(compare) => {
                let ([op], [right]) = (&*compare.ops, &*compare.comparators) else {
                    return Err(self.strange(given, CONDITION));
                };
                let (left, right) = (self.sql(given.at(&compare.left))?, self.sql(given.at(right))?);
                let op = match op {
                    CmpOp::Eq => "=",
                    CmpOp::NotEq => "<>",
                    CmpOp::Lt => "<",
                    CmpOp::LtE => "<=",
                    CmpOp::Gt => ">",
                    CmpOp::GtE => ">=",
                    CmpOp::Is | CmpOp::IsNot | CmpOp::In | CmpOp::NotIn => {
                        return Err(self.strange(given, CONDITION));
                    }
                };
                if !left.is_column && !right.is_column {
                    return Err(self.strange(given, CONDITION));
                }
                let ties = [Tie::Operand];
                Ok(Sql::test(format!("{} {op} {}", left.inside(&ties), right.inside(&ties))))
            }
            Expr::BinOp(operation) => {
                let (word, tie) = match operation.op {
                    Operator::BitAnd => ("AND", Tie::And),
                    Operator::BitOr => ("OR", Tie::Or),
                    Operator::Add => return self.literal(given),
                    _ => return Err(self.strange(given, CONDITION)),
                };
                let (left, right) =
                    (self.sql(given.at(&operation.left))?, self.sql(given.at(&operation.right))?);
                if !left.is_column || !right.is_column {
                    return Err(self.strange(given, CONDITION));
                }
                let ties = [tie, Tie::Test, Tie::Operand];
                let text = format!("{} {word} {}", left.inside(&ties), right.inside(&ties));
                Ok(Sql { text, tie, is_column: true })
            }
            Expr::UnaryOp(operation) => match operation.op {
                UnaryOp::Invert => {
                    let operand = self.sql(given.at(&operation.operand))?;
                    if !operand.is_column {
                        return Err(self.strange(given, CONDITION));
                    }
                    let text = format!("NOT {}", operand.inside(&[Tie::Operand]));
                    Ok(Sql { text, tie: Tie::Not, is_column: true })
                }
                UnaryOp::USub if operation.operand.is_number_literal_expr() => {
                    let operand = self.sql(given.at(&operation.operand))?;
                    Ok(Sql { text: format!("-{}", operand.text), ..operand })
                }
                _ => Err(self.strange(given, CONDITION)),
            },
            _ => self.literal(given),
        })
    }

    fn sql_call(&self, call: &'a ExprCall, given: Given<'a>) -> Result<Sql, Fault> {
        let strange = || Err(self.strange(given, CONDITION));
        let args = &*call.arguments.args;
        if !call.arguments.keywords.is_empty() {
            return strange();
        }
        match (self.called(call, given), &*call.func, args) {
            (Some("col" | "column"), ..) => {
                let text = reference(&self.only_text(call, given)?);
                Ok(Sql { text, tie: Tie::Operand, is_column: true })
            }
            (Some("expr"), ..) => {
                let text = format!("({})", self.only_text(call, given)?);
                Ok(Sql { text, tie: Tie::Operand, is_column: true })
            }
            (Some("lit"), _, [value]) => Ok(Sql { is_column: true, ..self.literal(given.at(value))? }),
            (Some(function), _, [_, ..]) if is_function(function, args.len()) => {
                let column = |value: &'a Expr| match self.text(given.at(value)) {
                    // To these a text is the name of a column.
                    Ok(name) => Ok(reference(&name)),
                    Err(_) => match self.sql(given.at(value))? {
                        sql if sql.is_column => Ok(sql.text),
                        _ => strange().map(|sql| sql.text),
                    },
                };
                let columns = args.iter().map(column).collect::<Result<Vec<_>, Fault>>()?;
                let text = format!("{function}({})", columns.join(", "));
                Ok(Sql { text, tie: Tie::Operand, is_column: true })
            }
            (Some(method), Expr::Attribute(attribute), args) => {
                let on = given.at(&attribute.value);
                if !is_column_method(method, args.len()) {
                    return strange();
                }
                let column = self.sql(on)?;
                if !column.is_column {
                    return strange();
                }
                let column = column.inside(&[Tie::Operand]);
                let operand = |value: &'a Expr| Ok(self.sql(given.at(value))?.inside(&[Tie::Operand]));
                Ok(Sql::test(match (method, args) {
                    ("isNull", []) => format!("{column} IS NULL"),
                    ("isNotNull", []) => format!("{column} IS NOT NULL"),
                    ("eqNullSafe", [value]) => format!("{column} <=> {}", operand(value)?),
                    ("like", [pattern]) => format!("{column} LIKE {}", operand(pattern)?),
                    ("between", [low, high]) => {
                        format!("{column} BETWEEN {} AND {}", operand(low)?, operand(high)?)
                    }
                    (_, args) => {
                        let mut values = Vec::new();
                        for value in args {
                            match value {
                                Expr::Starred(list) => values.extend(self.entries(given.at(&list.value))?),
                                list if args.len() == 1 && self.is_list(given.at(list)) => {
                                    values = self.entries(given.at(list))?;
                                }
                                value => values.push(given.at(value)),
                            }
                        }
                        if values.is_empty() {
                            return strange();
                        }
                        let values = values
                            .into_iter()
                            .map(|value| Ok(self.sql(value)?.inside(&[Tie::Operand])))
                            .collect::<Result<Vec<_>, Fault>>()?;
                        format!("{column} IN ({})", values.join(", "))
                    }
                }))
            }
            _ => strange(),
        }
    }

    fn literal(&self, given: Given<'a>) -> Result<Sql, Fault> {
        self.with(given, |given| {
            let text = match given.expr {
                Expr::NumberLiteral(number) => match &number.value {
                    Number::Int(number) => number.to_string(),
                    Number::Float(_) => self
                        .source
                        .text()
                        .get(number.range.to_std_range())
                        .unwrap_or_default()
                        .replace('_', ""),
                    Number::Complex { .. } => return Err(self.other(given)),
                },
                Expr::BooleanLiteral(boolean) => if boolean.value { "TRUE" } else { "FALSE" }.to_owned(),
                Expr::NoneLiteral(_) => "NULL".to_owned(),
                Expr::StringLiteral(_) | Expr::FString(_) | Expr::BinOp(_) => {
                    let text = self.text(given)?;
                    format!("'{}'", text.replace('\\', r"\\").replace('\'', r"\'"))
                }
                _ => return Err(self.strange(given, CONDITION)),
            };
            Ok(Sql { text, tie: Tie::Operand, is_column: false })
        })
    }
}

/// Whether a method of a column is one that is read.
fn is_column_method(method: &str, args: usize) -> bool {
    match method {
        "isNull" | "isNotNull" => args == 0,
        "eqNullSafe" | "like" => args == 1,
        "between" => args == 2,
        "isin" => true,
        _ => false,
    }
}

/// Whether a function of Spark is one that conditions in SQL have under the same name.
fn is_function(function: &str, args: usize) -> bool {
    match function {
        "lower" | "upper" | "trim" | "ltrim" | "rtrim" => args == 1,
        "coalesce" => 1 <= args,
        _ => false,
    }
}

//! Expressions that have a value.

use sqlparser::ast::{
    CaseWhen, CastKind, DataType as SqlType, Expr as Sql, Function, Ident, ObjectNamePart, UnaryOperator,
    Value as SqlValue,
};

use super::cast::{cast, is_moment, is_number};
use super::fault::Place;
use super::scope::Typed;
use super::shape::{arguments, is_cast_number, is_operation, is_predicate, kind, number, string};
use super::translator::{SUPPORTED, Translator};
use super::tree::{Against, Expr, Test, TextFunction};
use super::{fold, literal, syntax};
use crate::data_type::DataType;
use crate::value::Value;

impl Translator<'_> {
    pub(super) fn value(&mut self, sql: Sql) -> Option<Typed> {
        let at = self.at(&sql);
        self.within(at, |this| this.value_at(sql, at))
    }

    fn value_at(&mut self, sql: Sql, at: Place) -> Option<Typed> {
        match sql {
            Sql::Nested(inner) => self.value(*inner),
            Sql::Identifier(name) => match number(&name.value, name.quote_style, false) {
                Some(number) => self.number(number, at),
                None => self.column(vec![name]),
            },
            Sql::CompoundIdentifier(names) => self.column(names),
            Sql::Value(value) => match (string(&value.value), value.value) {
                (Some(text), _) => {
                    Some(Typed::new(Expr::Literal(text.as_str().into()), Some(DataType::String), at))
                }
                (None, SqlValue::Null) => Some(Typed::new(Expr::Literal(Value::Null), None, at)),
                (None, SqlValue::Boolean(value)) => {
                    Some(Typed::new(Expr::Literal(value.into()), Some(DataType::Boolean), at))
                }
                (None, SqlValue::Number(digits, _)) => {
                    let number = number(&digits, None, false);
                    self.number(number.unwrap_or(Err(("", format!("`{digits}` is no number")))), at)
                }
                (None, other) => {
                    self.scope.fail(at, format!("the literal `{other}` is not supported; {SUPPORTED}"))
                }
            },
            Sql::TypedString(literal) => self.typed_literal(&literal.data_type, &literal.value.value, at),
            Sql::Cast { kind, expr, data_type, format: None } if kind != CastKind::SafeCast => {
                let value =
                    if kind == CastKind::DoubleColon { self.operand(*expr) } else { self.value(*expr) };
                let to = self.data_type(&data_type, at);
                self.scope.cast(value?, to?, kind == CastKind::TryCast)
            }
            Sql::UnaryOp { op: UnaryOperator::Plus, expr } => {
                let number = self.operand(*expr)?;
                self.numeric("+", number)
            }
            Sql::UnaryOp { op: UnaryOperator::Minus, expr } => self.minus(*expr, at),
            Sql::Case { operand, conditions, else_result, .. } => self.case(
                operand.map(|operand| *operand),
                conditions,
                else_result.map(|otherwise| *otherwise),
                at,
            ),
            Sql::Trim { expr, trim_where: None, trim_what: None, trim_characters: None } => {
                self.text_function("trim", TextFunction::Trim, vec![*expr], at)
            }
            Sql::Function(function) => self.function(function, at),
            other if is_predicate(&other) || is_operation(&other) => {
                let test = self.test_at(other, at).map(fold::test)?;
                Some(Typed::new(Expr::Test(Box::new(test)), Some(DataType::Boolean), at))
            }
            other => self.scope.fail(at, format!("{} is not supported; {SUPPORTED}", kind(&other))),
        }
    }

    fn column(&mut self, names: Vec<Ident>) -> Option<Typed> {
        if let Some(text) = names.iter().find(|name| !matches!(name.quote_style, None | Some('`'))) {
            let at = syntax::place(text.span.start);
            return self
                .scope
                .fail(at, "a text where a name stands; expected a name, in backticks if need be");
        }
        let names: Vec<(String, Place)> = names.into_iter().map(syntax::name).collect();
        self.scope.column(&names)
    }

    fn number(&mut self, number: Result<(Value, DataType), literal::Unfit>, at: Place) -> Option<Typed> {
        match number {
            Ok((value, data_type)) => Some(Typed::new(Expr::Literal(value), Some(data_type), at)),
            Err((class, message)) => self.scope.fail_as(class, at, message),
        }
    }

    fn minus(&mut self, sql: Sql, at: Place) -> Option<Typed> {
        // The sign belongs to the literal: `-128::TINYINT` fits, `128` doesn't. But `-x::INT` is `-(x::INT)`.
        let digits = match &sql {
            Sql::Value(value) => match &value.value {
                SqlValue::Number(digits, _) => number(digits, None, true),
                _ => None,
            },
            Sql::Identifier(name) => number(&name.value, name.quote_style, true),
            Sql::Cast { .. } if is_cast_number(&sql) => {
                let Sql::Cast { kind, expr, data_type, format } = sql else { return None };
                let value = Sql::UnaryOp { op: UnaryOperator::Minus, expr };
                return self.value(Sql::Cast { kind, expr: Box::new(value), data_type, format });
            }
            _ => None,
        };
        if let Some(number) = digits {
            return self.number(number, at);
        }
        let operand = self.operand(sql)?;
        let number = self.numeric("-", operand)?;
        let Some(data_type) = number.data_type else { return Some(number) };
        let expr = Expr::Negated(Box::new(number.expr), data_type.clone());
        Some(Typed::new(expr, Some(data_type), number.at))
    }

    fn numeric(&mut self, sign: &str, number: Typed) -> Option<Typed> {
        match &number.data_type {
            Some(other) if !is_number(other) => {
                self.scope.fail(number.at, format!("`{sign}` before {other}; expected a number"))
            }
            _ => Some(number),
        }
    }

    /// `DATE '..'`, `TIMESTAMP '..'`, `TIMESTAMP_NTZ '..'`.
    fn typed_literal(&mut self, sql: &SqlType, literal: &SqlValue, at: Place) -> Option<Typed> {
        let to = self.data_type(sql, at)?;
        let (Some(text), true) = (string(literal), is_moment(&to)) else {
            return self
                .scope
                .fail(at, format!("a literal of {to}; expected DATE, TIMESTAMP or TIMESTAMP_NTZ"));
        };
        match cast(&text.as_str().into(), &to) {
            Ok(value) => Some(Typed::new(Expr::Literal(value), Some(to), at)),
            Err(_) => self.scope.fail_as("INVALID_TYPED_LITERAL", at, format!("`{text}` is no {to}")),
        }
    }

    fn data_type(&mut self, sql: &SqlType, at: Place) -> Option<DataType> {
        match sql.to_string().parse() {
            Ok(data_type) => Some(data_type),
            Err(error) => self.scope.fail_as("UNSUPPORTED_DATATYPE", at, error.to_string()),
        }
    }

    fn case(
        &mut self,
        of: Option<Sql>,
        whens: Vec<CaseWhen>,
        otherwise: Option<Sql>,
        at: Place,
    ) -> Option<Typed> {
        let is_simple = of.is_some();
        let of = of.map(|of| self.value(of));
        let (mut tests, mut values, mut results) = (Vec::new(), Vec::new(), Vec::new());
        for CaseWhen { condition, result } in whens {
            if is_simple {
                values.push(self.value(condition));
            } else {
                tests.push(self.test(condition));
            }
            results.push(self.value(result));
        }
        let null = Typed::new(Expr::Literal(Value::Null), None, at);
        results.push(otherwise.map_or(Some(null), |otherwise| self.value(otherwise)));
        let results = results.into_iter().collect::<Option<Vec<Typed>>>();
        let results = results.and_then(|results| self.scope.unified("CASE", results));
        let against = of.map(|of| {
            let (of, values) = (of?, values.into_iter().collect::<Option<Vec<Typed>>>()?);
            let against: Vec<Option<Against>> =
                values.into_iter().map(|value| self.against(&of, value)).collect();
            Some((of.expr, against.into_iter().collect::<Option<Vec<Against>>>()?))
        });
        let (mut results, data_type) = results?;
        let otherwise = Box::new(results.pop()?);
        let expr = match against {
            None => {
                let tests = tests.into_iter().collect::<Option<Vec<Test>>>()?;
                Expr::Case { arms: tests.into_iter().zip(results).collect(), otherwise }
            }
            Some(against) => {
                let (value, values) = against?;
                Expr::CaseOf {
                    value: Box::new(value),
                    arms: values.into_iter().zip(results).collect(),
                    otherwise,
                }
            }
        };
        Some(Typed::new(expr, data_type, at))
    }

    fn function(&mut self, function: Function, at: Place) -> Option<Typed> {
        let name = match function.name.0.as_slice() {
            [ObjectNamePart::Identifier(name)] => name.value.to_ascii_lowercase(),
            _ => String::new(),
        };
        let shown = function.name.to_string();
        if !matches!(name.as_str(), "coalesce" | "upper" | "lower" | "ltrim" | "rtrim") {
            return self.scope.fail(at, format!("the function `{shown}` is not supported; {SUPPORTED}"));
        }
        let Some(arguments) = arguments(function) else {
            return self
                .scope
                .fail(at, format!("`{shown}` with clauses; expected plain arguments in parentheses"));
        };
        match name.as_str() {
            "upper" => self.text_function("upper", TextFunction::Upper, arguments, at),
            "lower" => self.text_function("lower", TextFunction::Lower, arguments, at),
            "ltrim" => self.text_function("ltrim", TextFunction::TrimLeft, arguments, at),
            "rtrim" => self.text_function("rtrim", TextFunction::TrimRight, arguments, at),
            _ if arguments.is_empty() => self.scope.fail_as(
                "WRONG_NUM_ARGS",
                at,
                "`coalesce` is given 0 arguments; expected one or more",
            ),
            _ => {
                let values: Vec<Option<Typed>> =
                    arguments.into_iter().map(|argument| self.value(argument)).collect();
                let values = values.into_iter().collect::<Option<Vec<Typed>>>()?;
                let (values, data_type) = self.scope.unified("coalesce", values)?;
                Some(Typed::new(Expr::Coalesce(values), data_type, at))
            }
        }
    }

    fn text_function(
        &mut self,
        name: &str,
        function: TextFunction,
        of: Vec<Sql>,
        at: Place,
    ) -> Option<Typed> {
        let [argument] = <[Sql; 1]>::try_from(of)
            .map_err(|of| {
                let message = format!("`{name}` is given {} arguments; expected one", of.len());
                self.scope.fail_as::<()>("WRONG_NUM_ARGS", at, message)
            })
            .ok()?;
        let text = self.value(argument)?;
        let text = self.scope.text(name, text)?;
        Some(Typed::new(Expr::Text(function, Box::new(text.expr)), Some(DataType::String), at))
    }
}

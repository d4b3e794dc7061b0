//! Expressions that are true, false or unknown.

use sqlparser::ast::{BinaryOperator, Expr as Sql, InTarget, UnaryOperator};

use super::fault::{Place, SqlError};
use super::fold;
use super::like::Pattern;
use super::scope::{Typed, with_type};
use super::shape::{comparison, is_predicate, string};
use super::translator::{SUPPORTED, Translator};
use super::tree::{Against, Expr, Test};
use crate::data_type::DataType;
use crate::row::Schema;
use crate::value::Value;

/// The condition, or everything that is wrong with it.
pub(super) fn condition(sql: Sql, schema: &Schema) -> Result<Test, Vec<SqlError>> {
    let mut translator = Translator::new(schema);
    match translator.test(sql) {
        Some(test) if translator.scope.errors.is_empty() => Ok(test),
        _ => Err(translator.scope.errors),
    }
}

impl Translator<'_> {
    /// What must be true or false.
    pub(super) fn test(&mut self, sql: Sql) -> Option<Test> {
        let at = self.at(&sql);
        self.within(at, |this| this.test_at(sql, at)).map(fold::test)
    }

    pub(super) fn test_at(&mut self, sql: Sql, at: Place) -> Option<Test> {
        match sql {
            Sql::Nested(inner) => self.test(*inner),
            Sql::BinaryOp { op: BinaryOperator::And, .. } => {
                self.chain(sql, &BinaryOperator::And).map(Test::All)
            }
            Sql::BinaryOp { op: BinaryOperator::Or, .. } => {
                self.chain(sql, &BinaryOperator::Or).map(Test::Any)
            }
            Sql::IsNotDistinctFrom(left, right)
            | Sql::BinaryOp { left, op: BinaryOperator::Spaceship, right } => self.same(*left, *right),
            Sql::BinaryOp { left, op, right } => match comparison(&op) {
                Some(comparison) => {
                    let (left, right) = self.operands(*left, *right)?;
                    let (cast, right) = self.scope.meet(&left, right)?;
                    Some(Test::Compared(with_type(left.expr, cast), comparison, right))
                }
                None => self.scope.fail(at, format!("`{op}` is not supported; {SUPPORTED}")),
            },
            Sql::UnaryOp { op: UnaryOperator::Not | UnaryOperator::BangNot, expr } => {
                Some(not(self.test(*expr)?))
            }
            Sql::IsTrue(of) => self.is(*of, Some(true), false),
            Sql::IsNotTrue(of) => self.is(*of, Some(true), true),
            Sql::IsFalse(of) => self.is(*of, Some(false), false),
            Sql::IsNotFalse(of) => self.is(*of, Some(false), true),
            Sql::IsUnknown(of) => self.is(*of, None, false),
            Sql::IsNotUnknown(of) => self.is(*of, None, true),
            Sql::IsNull(of) => Some(Test::IsNull(self.operand(*of)?.expr)),
            Sql::IsNotNull(of) => Some(not(Test::IsNull(self.operand(*of)?.expr))),
            Sql::IsDistinctFrom(left, right) => self.same(*left, *right).map(not),
            Sql::In { expr, target: InTarget::List(list), negated, global: false } => {
                let value = self.operand(*expr);
                let list: Vec<Option<Typed>> = list.into_iter().map(|item| self.operand(item)).collect();
                let (value, list) = (value?, list.into_iter().collect::<Option<Vec<Typed>>>()?);
                let list: Vec<_> = list.into_iter().map(|item| self.against(&value, item)).collect();
                Some(maybe_not(Test::In(value.expr, list.into_iter().collect::<Option<_>>()?), negated))
            }
            Sql::Between { expr, negated, low, high } => {
                let (value, low, high) = (self.operand(*expr), self.operand(*low), self.operand(*high));
                let (value, low, high) = (value?, low?, high?);
                let (low, high) = (self.against(&value, low), self.against(&value, high));
                Some(maybe_not(Test::Between { value: value.expr, low: low?, high: high? }, negated))
            }
            Sql::Like { negated, any: false, expr, pattern, escape_char } => {
                let like = self.like(*expr, *pattern, escape_char.map(|escape| *escape));
                Some(maybe_not(like?, negated))
            }
            other => {
                let value = self.value(other)?;
                match (value.data_type, value.expr) {
                    (_, Expr::Test(test)) => Some(*test),
                    (None, _) | (_, Expr::Literal(Value::Null)) => Some(Test::Known(None)),
                    (Some(DataType::Boolean), Expr::Literal(value)) => {
                        Some(Test::Known(Some(value == true.into())))
                    }
                    (Some(DataType::Boolean), expr) => Some(Test::Of(expr)),
                    (Some(other), _) => {
                        self.scope.fail(at, format!("{other} where a condition stands; expected BOOLEAN"))
                    }
                }
            }
        }
    }

    /// `a AND b AND c` without recursion along the chain.
    fn chain(&mut self, sql: Sql, of: &BinaryOperator) -> Option<Vec<Test>> {
        let (mut rest, mut terms) = (sql, Vec::new());
        loop {
            match rest {
                Sql::BinaryOp { left, op, right } if op == *of => {
                    terms.push(*right);
                    rest = *left;
                }
                first => {
                    terms.push(first);
                    break;
                }
            }
        }
        let tests: Vec<Option<Test>> = terms.into_iter().rev().map(|term| self.test(term)).collect();
        tests.into_iter().collect()
    }

    fn is(&mut self, of: Sql, expected: Option<bool>, negated: bool) -> Option<Test> {
        self.refuse_bare(&of)?;
        Some(maybe_not(Test::Is(Box::new(self.test(of)?), expected), negated))
    }

    fn same(&mut self, left: Sql, right: Sql) -> Option<Test> {
        let (left, right) = self.operands(left, right)?;
        let (cast, right) = self.scope.meet(&left, right)?;
        Some(Test::Same(with_type(left.expr, cast), right))
    }

    pub(super) fn against(&mut self, left: &Typed, right: Typed) -> Option<Against> {
        let (cast, operand) = self.scope.meet(left, right)?;
        Some(Against { cast, operand })
    }

    fn like(&mut self, value: Sql, pattern: Sql, escape: Option<Sql>) -> Option<Test> {
        let (value, pattern) = self.operands(value, pattern)?;
        let escape = match escape {
            None => Some('\\'),
            Some(sql) => self.escape(sql),
        };
        let (value, pattern) = (self.scope.text("LIKE", value), self.scope.text("LIKE", pattern));
        let (value, pattern, escape) = (value?, pattern?, escape?);
        match pattern.expr.literal() {
            None => Some(Test::LikeValue { value: value.expr, pattern: pattern.expr, escape }),
            Some(Value::String(text)) => match Pattern::parse(text, escape) {
                Ok(pattern) => Some(Test::Like(value.expr, pattern)),
                Err((class, message)) => self.scope.fail_as(class, pattern.at, message),
            },
            Some(_) => Some(Test::Known(None)),
        }
    }

    fn escape(&mut self, sql: Sql) -> Option<char> {
        let at = self.at(&sql);
        let text = match sql {
            Sql::Value(value) => string(&value.value).unwrap_or_default(),
            _ => String::new(),
        };
        let mut chars = text.chars();
        match (chars.next(), chars.next()) {
            (Some(escape), None) => Some(escape),
            _ => self.scope.fail(at, "unexpected escape character; expected a literal of one character"),
        }
    }

    /// Both operands, with the errors of both.
    pub(super) fn operands(&mut self, left: Sql, right: Sql) -> Option<(Typed, Typed)> {
        let (left, right) = (self.operand(left), self.operand(right));
        Some((left?, right?))
    }

    pub(super) fn operand(&mut self, sql: Sql) -> Option<Typed> {
        self.refuse_bare(&sql)?;
        self.value(sql)
    }

    /// Spark gives `a = b IN (c)` and the like a meaning of its own or none: so they need parentheses.
    fn refuse_bare(&mut self, operand: &Sql) -> Option<()> {
        if is_predicate(operand) {
            let at = self.at(operand);
            return self
                .scope
                .fail(at, "an operator next to a bare condition; expected parentheses around the condition");
        }
        Some(())
    }
}

fn not(test: Test) -> Test {
    fold::test(Test::Not(Box::new(fold::test(test))))
}

fn maybe_not(test: Test, negated: bool) -> Test {
    if negated { not(test) } else { test }
}

//! What is known without a row, worked out once. What has an error keeps it for the row that asks.

use super::tree::{Against, Expr, Test};
use crate::value::Value;

pub(super) fn expr(expr: Expr) -> Expr {
    let known = match &expr {
        Expr::Field(value, _) | Expr::Cast { value, .. } | Expr::Negated(value, _) | Expr::Text(_, value) => {
            is_literal(value)
        }
        Expr::Coalesce(values) => values.iter().all(is_literal),
        Expr::Case { arms, otherwise } => {
            let known = |arm: &(Test, Expr)| is_known(&arm.0) && is_literal(&arm.1);
            is_literal(otherwise) && arms.iter().all(known)
        }
        Expr::CaseOf { value, arms, otherwise } => {
            let known = |arm: &(Against, Expr)| is_literal(&arm.0.operand) && is_literal(&arm.1);
            is_literal(value) && is_literal(otherwise) && arms.iter().all(known)
        }
        Expr::Test(test) => is_known(test),
        Expr::Literal(_) | Expr::Column(_) => false,
    };
    if !known {
        return expr;
    }
    let value: Option<Value> = expr.value(&[]).ok().map(std::borrow::Cow::into_owned);
    value.map_or(expr, Expr::Literal)
}

pub(super) fn test(test: Test) -> Test {
    let known = match &test {
        Test::Known(_) => false,
        Test::Of(value) | Test::Like(value, _) | Test::IsNull(value) => is_literal(value),
        Test::Not(test) | Test::Is(test, _) => is_known(test),
        Test::All(tests) | Test::Any(tests) => tests.iter().all(is_known),
        Test::Compared(left, _, right) | Test::Same(left, right) => is_literal(left) && is_literal(right),
        Test::In(value, list) => is_literal(value) && list.iter().all(|item| is_literal(&item.operand)),
        Test::Between { value, low, high } => {
            is_literal(value) && is_literal(&low.operand) && is_literal(&high.operand)
        }
        Test::LikeValue { value, pattern, .. } => is_literal(value) && is_literal(pattern),
    };
    if !known {
        return test;
    }
    test.holds(&[]).map_or(test, Test::Known)
}

fn is_literal(expr: &Expr) -> bool {
    matches!(expr, Expr::Literal(_))
}

fn is_known(test: &Test) -> bool {
    matches!(test, Test::Known(_))
}

//! Questions about the tree of `sqlparser`.

use sqlparser::ast::{
    BinaryOperator, CastKind, Expr as Sql, Function, FunctionArg, FunctionArgExpr, FunctionArguments,
    InTarget, UnaryOperator, Value as SqlValue,
};

use super::literal;
use super::tree::Comparison;
use crate::data_type::DataType;
use crate::value::Value;

/// Plain arguments of a plain call.
pub(super) fn arguments(function: Function) -> Option<Vec<Sql>> {
    let FunctionArguments::List(list) = function.args else { return None };
    let is_plain = function.over.is_none()
        && function.filter.is_none()
        && function.null_treatment.is_none()
        && function.within_group.is_empty()
        && function.parameters == FunctionArguments::None
        && list.duplicate_treatment.is_none()
        && list.clauses.is_empty();
    let argument = |argument| match argument {
        FunctionArg::Unnamed(FunctionArgExpr::Expr(argument)) => Some(argument),
        _ => None,
    };
    if is_plain { list.args.into_iter().map(argument).collect() } else { None }
}

pub(super) fn comparison(op: &BinaryOperator) -> Option<Comparison> {
    match op {
        BinaryOperator::Eq => Some(Comparison::Equal),
        BinaryOperator::NotEq => Some(Comparison::NotEqual),
        BinaryOperator::Lt => Some(Comparison::Less),
        BinaryOperator::LtEq => Some(Comparison::LessOrEqual),
        BinaryOperator::Gt => Some(Comparison::Greater),
        BinaryOperator::GtEq => Some(Comparison::GreaterOrEqual),
        _ => None,
    }
}

/// What stands next to AND or OR, and next to nothing else without parentheses.
pub(super) fn is_predicate(sql: &Sql) -> bool {
    matches!(
        sql,
        Sql::UnaryOp { op: UnaryOperator::Not | UnaryOperator::BangNot, .. }
            | Sql::IsTrue(_)
            | Sql::IsNotTrue(_)
            | Sql::IsFalse(_)
            | Sql::IsNotFalse(_)
            | Sql::IsUnknown(_)
            | Sql::IsNotUnknown(_)
            | Sql::IsNull(_)
            | Sql::IsNotNull(_)
            | Sql::IsDistinctFrom(..)
            | Sql::IsNotDistinctFrom(..)
            | Sql::In { target: InTarget::List(_), global: false, .. }
            | Sql::Between { .. }
            | Sql::Like { any: false, .. }
    )
}

pub(super) fn is_operation(sql: &Sql) -> bool {
    matches!(sql, Sql::BinaryOp { .. })
}

/// `5::INT`, or that cast again.
pub(super) fn is_cast_number(sql: &Sql) -> bool {
    let mut of = sql;
    while let Sql::Cast { kind: CastKind::DoubleColon, expr, .. } = of {
        of = expr;
    }
    match of {
        Sql::Value(value) => matches!(value.value, SqlValue::Number(..)),
        Sql::Identifier(name) => number(&name.value, name.quote_style, false).is_some(),
        _ => false,
    }
}

/// A literal of a number; quoted, it would be a name.
pub(super) fn number(
    word: &str,
    quote: Option<char>,
    negative: bool,
) -> Option<Result<(Value, DataType), literal::Unfit>> {
    if quote.is_some() { None } else { literal::number(word, negative) }
}

pub(super) fn string(value: &SqlValue) -> Option<String> {
    match value {
        SqlValue::SingleQuotedString(raw) => Some(literal::text(raw, '\'')),
        SqlValue::DoubleQuotedString(raw) => Some(literal::text(raw, '"')),
        _ => None,
    }
}

/// What to call that which isn't supported.
pub(super) fn kind(sql: &Sql) -> &'static str {
    match sql {
        Sql::Subquery(_) | Sql::Exists { .. } | Sql::In { .. } => "a subquery",
        Sql::UnaryOp { .. } => "the operator",
        Sql::CompoundFieldAccess { .. } => "access to an element",
        Sql::JsonAccess { .. } => "access by a path",
        Sql::ILike { .. } => "`ILIKE`",
        Sql::RLike { .. } => "`RLIKE`",
        Sql::Like { .. } | Sql::AnyOp { .. } | Sql::AllOp { .. } => "`ANY` or `ALL`",
        Sql::Trim { .. } => "`trim` of given characters",
        Sql::Interval(_) => "an interval",
        Sql::Lambda(_) => "a lambda function",
        Sql::Struct { .. } | Sql::Tuple(_) => "a struct",
        Sql::Array(_) => "an array",
        Sql::Cast { .. } => "this cast",
        Sql::Substring { .. } => "the function `substring`",
        Sql::Extract { .. } => "the function `extract`",
        Sql::Ceil { .. } => "the function `ceil`",
        Sql::Floor { .. } => "the function `floor`",
        Sql::Position { .. } => "the function `position`",
        Sql::Overlay { .. } => "the function `overlay`",
        Sql::Collate { .. } => "a collation",
        Sql::AtTimeZone { .. } => "a time zone",
        _ => "this expression",
    }
}

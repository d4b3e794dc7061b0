//! The tree of a condition.

use super::like::Pattern;
use crate::data_type::DataType;
use crate::value::Value;

/// What has a value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Expr {
    Literal(Value),
    /// By its place in the schema.
    Column(usize),
    /// By its place in the struct.
    Field(Box<Self>, usize),
    Cast {
        value: Box<Self>,
        to: DataType,
        /// Whether what can't be cast is null: `TRY_CAST`.
        or_null: bool,
    },
    Negated(Box<Self>, DataType),
    Text(TextFunction, Box<Self>),
    Coalesce(Vec<Self>),
    Case {
        arms: Vec<(Test, Self)>,
        otherwise: Box<Self>,
    },
    /// `CASE x WHEN ..`: `x` is evaluated once.
    CaseOf {
        value: Box<Self>,
        arms: Vec<(Against, Self)>,
        otherwise: Box<Self>,
    },
    Test(Box<Test>),
}

/// What is true, false or unknown.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Test {
    Known(Option<bool>),
    /// An expression of type `BOOLEAN`.
    Of(Expr),
    Not(Box<Self>),
    All(Vec<Self>),
    Any(Vec<Self>),
    Compared(Expr, Comparison, Expr),
    /// `<=>`.
    Same(Expr, Expr),
    In(Expr, Vec<Against>),
    Between {
        value: Expr,
        low: Against,
        high: Against,
    },
    Like(Expr, Pattern),
    /// The pattern is known with the row only.
    LikeValue {
        value: Expr,
        pattern: Expr,
        escape: char,
    },
    IsNull(Expr),
    /// `IS TRUE`, `IS FALSE`, `IS UNKNOWN`.
    Is(Box<Self>, Option<bool>),
}

/// An operand on the right, and what the one on the left is cast to next to it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Against {
    pub(super) cast: Option<DataType>,
    pub(super) operand: Expr,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum TextFunction {
    Upper,
    Lower,
    Trim,
    TrimLeft,
    TrimRight,
}

impl Expr {
    /// What is known without a row and without an error.
    pub(super) fn literal(&self) -> Option<&Value> {
        match self {
            Self::Literal(value) => Some(value),
            _ => None,
        }
    }
}

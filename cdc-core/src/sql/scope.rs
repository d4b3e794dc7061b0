//! What an expression is checked against: the schema's columns, and the types of operands.

use super::cast::{cast, castable};
use super::fault::{Place, SqlError};
use super::fold;
use super::operand::{common, compared, literal_type};
use super::tree::Expr;
use crate::data_type::{DataType, Field, same_name};
use crate::error::EvalError;
use crate::row::Schema;
use crate::value::Value;

/// At most this many names are offered for one that is unknown.
const MAX_NAMES: usize = 8;

/// An expression with its type and place.
#[derive(Debug)]
pub(super) struct Typed {
    pub(super) expr: Expr,
    /// `None` for a null of no type.
    pub(super) data_type: Option<DataType>,
    pub(super) at: Place,
    /// What to call it in a message.
    pub(super) name: Option<String>,
}

impl Typed {
    pub(super) fn new(expr: Expr, data_type: Option<DataType>, at: Place) -> Self {
        Self { expr: fold::expr(expr), data_type, at, name: None }
    }

    /// How to write it with another type.
    fn as_cast(&self, to: &DataType) -> String {
        format!("`CAST({} AS {to})`", self.name.as_deref().unwrap_or(".."))
    }

    fn is_text_literal(&self) -> bool {
        matches!(self.expr.literal(), Some(Value::String(_)))
    }
}

/// The columns in reach, and the errors so far.
pub(super) struct Scope<'a> {
    pub(super) schema: &'a Schema,
    pub(super) errors: Vec<SqlError>,
}

impl Scope<'_> {
    /// Notes an error; there is nothing to go on with then.
    pub(super) fn fail<T>(&mut self, at: Place, message: impl Into<String>) -> Option<T> {
        self.errors.push(SqlError::new(at, message));
        None
    }

    pub(super) fn fail_as<T>(
        &mut self,
        class: &'static str,
        at: Place,
        message: impl Into<String>,
    ) -> Option<T> {
        self.errors.push(SqlError::of_class(class, at, message));
        None
    }

    /// A column, or a field of a struct in it, and so on.
    pub(super) fn column(&mut self, names: &[(String, Place)]) -> Option<Typed> {
        let ((name, at), fields) = names.split_first()?;
        let Some(column) = self.schema.find(name) else {
            let message = format!("no column `{name}`; expected {}", offered(name, self.schema));
            return self.fail_as("AUTOCDC_COLUMNS_NOT_FOUND_IN_SCHEMA", *at, message);
        };
        let mut data_type = &self.schema[column].data_type;
        let mut expr = Expr::Column(column);
        let mut path = name.clone();
        for (name, at) in fields {
            let DataType::Struct(fields) = data_type else {
                return self
                    .fail(*at, format!("`{path}` is {data_type} and has no fields; expected a STRUCT"));
            };
            let Some(field) = fields.iter().position(|field| same_name(&field.name, name)) else {
                let message = format!("no field `{name}` in `{path}`; expected {}", offered(name, fields));
                return self.fail_as("FIELD_NOT_FOUND", *at, message);
            };
            data_type = &fields[field].data_type;
            expr = Expr::Field(Box::new(expr), field);
            path = format!("{path}.{name}");
        }
        let data_type = Some(data_type.clone());
        Some(Typed { name: Some(path), ..Typed::new(expr, data_type, *at) })
    }

    /// Makes two operands comparable: what the left one is to be cast to, and the right one, cast.
    pub(super) fn meet(&mut self, left: &Typed, right: Typed) -> Option<(Option<DataType>, Expr)> {
        let (Some(left_type), Some(right_type)) = (&left.data_type, right.data_type.clone()) else {
            return Some((None, right.expr));
        };
        if let Some(to) = left.is_text_literal().then(|| literal_type(&right_type)).flatten() {
            self.read(left, &to)?;
            let right_to = compared(&to, &right_type)?.right;
            return Some((Some(to), with_type(right.expr, right_to)));
        }
        if let Some(to) = right.is_text_literal().then(|| literal_type(left_type)).flatten() {
            let literal = self.read(&right, &to)?;
            return Some((compared(left_type, &to)?.left, Expr::Literal(literal)));
        }
        match compared(left_type, &right_type) {
            Some(casts) => Some((casts.left, with_type(right.expr, casts.right))),
            None => self.no_meeting(left, left_type, &right, &right_type),
        }
    }

    fn no_meeting<T>(&mut self, left: &Typed, is: &DataType, right: &Typed, other: &DataType) -> Option<T> {
        let (text, number) = if *is == DataType::String { (left, other) } else { (right, is) };
        if let (true, Some(to)) = ([is, other].contains(&&DataType::String), literal_type(number)) {
            let message =
                format!("STRING is compared with {number}; expected one type: write {}", text.as_cast(&to));
            return self.fail(text.at, message);
        }
        if let Some(unordered) = [is, other].into_iter().find(|data_type| !data_type.is_orderable()) {
            let message = format!("{unordered} can't be compared; expected a type with an order");
            return self.fail_as("DATATYPE_MISMATCH.INVALID_ORDERING_TYPE", left.at, message);
        }
        let message = format!("{is} is compared with {other}; expected operands of one type");
        self.fail_as("DATATYPE_MISMATCH.BINARY_OP_DIFF_TYPES", left.at, message)
    }

    /// Results of one expression, all cast to the type that holds each of them.
    pub(super) fn unified(
        &mut self,
        what: &str,
        results: Vec<Typed>,
    ) -> Option<(Vec<Expr>, Option<DataType>)> {
        let mut all: Option<DataType> = None;
        // A text literal takes the type of the others; so those are asked first.
        let (literals, others): (Vec<&Typed>, Vec<&Typed>) =
            results.iter().partition(|result| result.is_text_literal());
        for result in others {
            let Some(data_type) = &result.data_type else { continue };
            let held = all.as_ref().map_or(Some(data_type.clone()), |all| common(all, data_type));
            if held.is_none() {
                let all = all.map_or(String::new(), |all| all.to_string());
                let message = format!("{what} has results of {all} and {data_type}; expected one type");
                return self.fail_as("DATATYPE_MISMATCH.DATA_DIFF_TYPES", result.at, message);
            }
            all = held;
        }
        if let Some(literal) = literals.first() {
            all = match all {
                None | Some(DataType::String) => Some(DataType::String),
                Some(other) => {
                    let Some(to) = literal_type(&other) else {
                        let message = format!("{what} has results of STRING and {other}; expected one type");
                        return self.fail_as("DATATYPE_MISMATCH.DATA_DIFF_TYPES", literal.at, message);
                    };
                    common(&to, &other)
                }
            };
        }
        let Some(to) = all else {
            return Some((results.into_iter().map(|result| result.expr).collect(), None));
        };
        let mut exprs = Vec::new();
        for result in results {
            if result.is_text_literal() && to != DataType::String {
                exprs.push(Expr::Literal(self.read(&result, &to)?));
                continue;
            }
            let as_it_is = match &result.data_type {
                None => true,
                Some(from) => *from == to || from.int_bounds().is_some() && to.int_bounds().is_some(),
            };
            exprs.push(with_type(result.expr, (!as_it_is).then(|| to.clone())));
        }
        Some((exprs, Some(to)))
    }

    /// A literal of text as a value of another type.
    fn read(&mut self, literal: &Typed, to: &DataType) -> Option<Value> {
        match cast(literal.expr.literal()?, to) {
            Ok(value) => Some(value),
            Err(EvalError { class, message }) => self.fail_as(class, literal.at, message),
        }
    }

    pub(super) fn cast(&mut self, value: Typed, to: DataType, or_null: bool) -> Option<Typed> {
        if let Some(from) = &value.data_type
            && !castable(from, &to)
        {
            let message = format!("{from} can't be cast to {to}; expected a type that {from} has a cast to");
            return self.fail_as("DATATYPE_MISMATCH.CAST_WITHOUT_SUGGESTION", value.at, message);
        }
        let expr = match &value.data_type {
            Some(from) if *from == to => value.expr,
            _ => Expr::Cast { value: Box::new(value.expr), to: to.clone(), or_null },
        };
        Some(Typed::new(expr, Some(to), value.at))
    }

    /// An argument that must be text.
    pub(super) fn text(&mut self, what: &str, value: Typed) -> Option<Typed> {
        match &value.data_type {
            None | Some(DataType::String) => Some(value),
            Some(other) => {
                let cast = value.as_cast(&DataType::String);
                self.fail(value.at, format!("`{what}` is given {other}; expected STRING: write {cast}"))
            }
        }
    }
}

pub(super) fn with_type(expr: Expr, to: Option<DataType>) -> Expr {
    match to {
        None => expr,
        Some(to) => fold::expr(Expr::Cast { value: Box::new(expr), to, or_null: false }),
    }
}

/// The names that begin alike, or else all of them.
fn offered(name: &str, fields: &[Field]) -> String {
    let alike = |field: &&Field| {
        let (field, name) = (field.name.to_lowercase(), name.to_lowercase());
        field.starts_with(&name) || name.starts_with(&field)
    };
    let near: Vec<&Field> = fields.iter().filter(alike).collect();
    let near = if near.is_empty() { fields.iter().collect() } else { near };
    let names: Vec<String> = near.iter().take(MAX_NAMES).map(|field| format!("`{}`", field.name)).collect();
    let more = if MAX_NAMES < near.len() { ", .." } else { "" };
    let one_of = if near.len() == 1 { "" } else { "one of " };
    format!("{one_of}{}{more}", names.join(", "))
}

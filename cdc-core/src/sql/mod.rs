//! The SQL of a flow's parameters: conditions and sequences.

mod fault;
mod like;
mod moment;
mod number;
mod cast;
mod operand;
mod tree;
mod eval;
mod fold;
mod literal;
mod syntax;
mod scope;
mod shape;
mod translator;
mod conditions;
mod values;
mod sequence;

pub use fault::SqlError;
pub(crate) use sequence::sequence_by;
use tree::Test;

use crate::error::EvalError;
use crate::row::Schema;
use crate::value::Value;

/// A condition of Databricks SQL, compiled against a schema.
///
/// Logic has three values, as in SQL, and casts are those of ANSI mode. Where a zone matters, it is UTC.
///
/// ```
/// use cdc_core::{Condition, Schema, Value};
///
/// let schema: Schema = "id BIGINT, operation STRING".parse()?;
/// let is_delete = Condition::parse("operation = 'DELETE'", &schema).map_err(|errors| errors[0].clone())?;
/// assert_eq!(is_delete.holds(&[Value::from(1), Value::from("DELETE")])?, Some(true));
/// assert_eq!(is_delete.holds(&[Value::from(1), Value::Null])?, None, "unknown, which is not a delete");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Condition(Test);

impl Condition {
    /// Compiles a text, or tells everything that is wrong with it.
    ///
    /// The text must be one expression of type `BOOLEAN` over the schema's columns.
    ///
    /// ```
    /// use cdc_core::{Condition, Schema};
    ///
    /// let schema: Schema = "id BIGINT, operation STRING".parse()?;
    /// let errors = Condition::parse("opcode = 'D' AND id + 1", &schema).expect_err("two faults");
    /// assert_eq!(errors[0].message, "no column `opcode`; expected one of `id`, `operation`");
    /// assert_eq!(errors[1].place, (1, 18));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn parse(text: &str, schema: &Schema) -> Result<Self, Vec<SqlError>> {
        let sql = syntax::expression(text).map_err(|error| vec![error])?;
        conditions::condition(sql, schema).map(Self)
    }

    /// Whether a text is one expression at all, whatever its type and the columns that it names.
    ///
    /// ```
    /// use cdc_core::Condition;
    ///
    /// assert!(Condition::check_syntax("operation = 'DELETE'").is_ok());
    /// assert_eq!(Condition::check_syntax("operation = ").expect_err("half of one").place, (1, 12));
    /// ```
    pub fn check_syntax(text: &str) -> Result<(), SqlError> {
        syntax::expression(text).map(drop)
    }

    /// True, false, or unknown, which is `None`.
    ///
    /// The row's values are in the order of the schema.
    ///
    /// ```
    /// use cdc_core::{Condition, Schema, Value};
    ///
    /// let schema: Schema = "kind STRING".parse()?;
    /// let is_third = Condition::parse("CAST(kind AS INT) = 3", &schema).map_err(|errors| errors[0].clone())?;
    /// assert_eq!(is_third.holds(&[Value::from("3")])?, Some(true));
    /// let error = is_third.holds(&[Value::from("three")]).expect_err("no number");
    /// assert_eq!(error.class, "CAST_INVALID_INPUT");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn holds(&self, row: &[Value]) -> Result<Option<bool>, EvalError> {
        self.0.holds(row)
    }
}

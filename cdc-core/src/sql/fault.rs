use std::fmt;

/// A line and a column, each from 1.
pub(crate) type Place = (u64, u64);

/// A fault of a text of SQL, at its place.
///
/// Every fault of a text is told at once, and the place is that of the operand that is at fault.
///
/// ```
/// use cdc_core::{Condition, Schema};
///
/// let schema: Schema = "id BIGINT, operation STRING".parse()?;
/// let errors = Condition::parse("id = 1 AND operation = 2", &schema).expect_err("text and a number");
/// assert_eq!(errors[0].place, (1, 12));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SqlError {
    /// The place inside the text: line and column, each from 1.
    pub place: (u64, u64),
    /// The platform's error class, where one is known.
    pub class: Option<&'static str>,
    /// What is wrong, and what was expected.
    pub message: String,
}

impl SqlError {
    pub(super) fn new(place: Place, message: impl Into<String>) -> Self {
        Self { place, class: None, message: message.into() }
    }

    pub(super) fn of_class(class: &'static str, place: Place, message: impl Into<String>) -> Self {
        Self { class: Some(class), ..Self::new(place, message) }
    }
}

impl fmt::Display for SqlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.place.0, self.place.1, self.message)?;
        match self.class {
            Some(class) => write!(f, " [{class}]"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for SqlError {}

use std::fmt;

/// A fault of a flow's definition, found before any batch runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    /// The platform's error class, where one is known.
    pub class: Option<&'static str>,
    /// The parameter that is at fault, as `create_auto_cdc_flow` names it.
    pub parameter: &'static str,
    /// The place inside the parameter's text: line and column, each from 1. `None` means all of it.
    pub place: Option<(u64, u64)>,
    /// Which entry of a list is at fault, from 0. `None` means all of it.
    pub entry: Option<usize>,
    /// What is wrong, and what was expected.
    pub message: String,
}

impl ConfigError {
    /// A fault of the whole parameter.
    pub(crate) fn new(
        class: Option<&'static str>,
        parameter: &'static str,
        message: impl Into<String>,
    ) -> Self {
        Self { class, parameter, place: None, entry: None, message: message.into() }
    }

    /// The same fault, of an entry of the list.
    pub(crate) fn in_entry(self, entry: usize) -> Self {
        Self { entry: Some(entry), ..self }
    }

    /// The same fault, at a place of the text.
    pub(crate) fn at(self, place: (u64, u64)) -> Self {
        Self { place: Some(place), ..self }
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`: {}", self.parameter, self.message)?;
        match self.class {
            Some(class) => write!(f, " [{class}]"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for ConfigError {}

/// All faults of a flow's definition, at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigErrors(pub Vec<ConfigError>);

impl fmt::Display for ConfigErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, error) in self.0.iter().enumerate() {
            write!(f, "{}{error}", if i == 0 { "" } else { "\n" })?;
        }
        Ok(())
    }
}

impl std::error::Error for ConfigErrors {}

/// Why a batch is refused. Nothing of it was applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The platform's error class, such as `NULL_KEY`.
    pub class: &'static str,
    /// The events at fault, by their place in the batch, from 0. None where the batch itself is.
    pub events: Vec<usize>,
    /// What is wrong with them.
    pub message: String,
}

/// How many events of a batch are named.
const SHOWN: usize = 10;

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.events.is_empty() {
            return write!(f, "{} [{}]", self.message, self.class);
        }
        let s = if self.events.len() == 1 { "" } else { "s" };
        let mut numbers: Vec<String> =
            self.events.iter().take(SHOWN).map(|event| (event + 1).to_string()).collect();
        if SHOWN < self.events.len() {
            numbers.push(format!("and {} more", self.events.len() - SHOWN));
        }
        write!(f, "event{s} {}: {} [{}]", numbers.join(", "), self.message, self.class)
    }
}

impl std::error::Error for Refusal {}

/// Why an expression has no value for a row: a cast of a text that is no number, for one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvalError {
    /// The platform's error class, such as `CAST_INVALID_INPUT`.
    pub class: &'static str,
    /// What is wrong, with the value.
    pub message: String,
}

impl fmt::Display for EvalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} [{}]", self.message, self.class)
    }
}

impl std::error::Error for EvalError {}

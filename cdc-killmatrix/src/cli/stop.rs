//! Why a command ends early.

use std::io::{self, ErrorKind};

use super::Exit;
use crate::diagnostic::Diagnostics;
use crate::docs::DocsError;
use crate::escape::for_terminal;

/// Why a command ends early.
pub(super) enum Stop {
    /// The output can't be written.
    Output(io::Error),
    /// With this exit code, and this to say, which is safe for a terminal.
    Because(Exit, String),
    /// The input is wrong.
    Faults(Diagnostics),
    /// A file can't be written: this to say, which is safe for a terminal.
    Unwritten(String),
}

impl Stop {
    /// The same, with more to say.
    pub(super) fn with(self, more: &str) -> Self {
        match self {
            Self::Because(exit, text) => Self::Because(exit, text + more),
            other @ (Self::Output(_) | Self::Faults(_) | Self::Unwritten(_)) => other,
        }
    }

    pub(super) fn input(text: &str) -> Self {
        Self::Because(Exit::Input, for_terminal(text).into_owned())
    }

    /// A file can't be written: the error says which, and why.
    pub(super) fn unwritten(error: &io::Error) -> Self {
        if error.kind() == ErrorKind::AlreadyExists {
            return Self::input(&error.to_string());
        }
        let text = format!("{error}; expected a file in a folder that is there and may be written to");
        Self::Unwritten(for_terminal(&text).into_owned())
    }
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

impl From<Diagnostics> for Stop {
    fn from(diagnostics: Diagnostics) -> Self {
        Self::Faults(diagnostics)
    }
}

impl From<DocsError> for Stop {
    fn from(error: DocsError) -> Self {
        match error {
            DocsError::Input(text) => Self::Because(Exit::Input, text),
            DocsError::Disagreement(text) => Self::Because(Exit::Disagreement, text),
        }
    }
}

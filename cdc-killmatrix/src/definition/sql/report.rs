//! What is wrong with a file, and what may surprise.

use std::ops::Range;

use cdc_core::Dialect;

use crate::diagnostic::{self, Diagnostic, Diagnostics};
use crate::json::Source;

/// How many warnings are kept.
const KEPT: usize = 1000;

/// Collects faults and warnings of a file.
pub(super) struct Report<'s> {
    source: &'s Source,
    dialect: Dialect,
    faults: Diagnostics,
    warnings: Vec<Diagnostic>,
}

impl<'s> Report<'s> {
    pub(super) fn new(source: &'s Source, dialect: Dialect) -> Self {
        Self { source, dialect, faults: Diagnostics::default(), warnings: Vec::new() }
    }

    /// The text of the file.
    pub(super) fn text(&self) -> &'s str {
        self.source.text()
    }

    /// Whose grammar the file is in.
    pub(super) fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Whether the grammar is that of Apache Spark 4.3, which has less than Databricks.
    pub(super) fn is_spark(&self) -> bool {
        self.dialect == Dialect::Spark43
    }

    /// Says that Apache Spark 4.3 lacks something, if its grammar is the one that counts: whether it is.
    pub(super) fn is_lacking(&mut self, range: Range<usize>, what: &str, expected: &str) -> bool {
        if self.is_spark() {
            self.fault(range, format!("Apache Spark 4.3 has no `{what}`; expected {expected}"));
        }
        self.is_spark()
    }

    /// The line of an offset, from 1.
    pub(super) fn line(&self, offset: usize) -> usize {
        self.source.line(offset)
    }

    pub(super) fn fault(&mut self, range: Range<usize>, message: impl Into<String>) {
        self.faults.push_with(|| self.source.fault("", range, message.into()));
    }

    pub(super) fn warn(&mut self, range: Range<usize>, message: impl Into<String>) {
        if self.warnings.len() < KEPT {
            self.warnings.push(self.source.fault("", range, message.into()));
        }
    }

    /// What was found since the last time.
    pub(super) fn take(&mut self) -> Found {
        Found { faults: std::mem::take(&mut self.faults), warnings: std::mem::take(&mut self.warnings) }
    }
}

/// What is wrong with a part of a file, and what may surprise in it.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) faults: Diagnostics,
    pub(super) warnings: Vec<Diagnostic>,
}

impl Found {
    pub(super) fn add(&mut self, more: &Self) {
        self.faults = Diagnostics::of_all([&self.faults, &more.faults].into_iter());
        self.warnings.extend_from_slice(&more.warnings);
    }

    /// What may surprise, in the order of the file; if something is wrong, that instead.
    pub(super) fn sound(mut self) -> Result<Vec<Diagnostic>, Diagnostics> {
        diagnostic::sort(&mut self.warnings);
        if self.faults.count() == 0 {
            return Ok(self.warnings);
        }
        let faults = Diagnostics::of_all(std::iter::once(&self.faults));
        Err(faults.with_warnings(self.warnings.iter().map(ToString::to_string).collect()))
    }
}

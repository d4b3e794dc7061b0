//! Deployed definitions: the flows that a pipeline's SQL or Python file defines.
//!
//! Nothing is executed. A file is read for the calls or statements that define AUTO CDC flows; everything
//! else in it is passed over.

use std::path::Path;

use cdc_core::{Dialect, Flow};

use crate::diagnostic::{self, Diagnostic, Diagnostics};
use crate::json::{Source, quoted};

mod bounds;
pub(crate) mod sql;
mod python;
mod write_sql;
mod write_python;

pub use bounds::Bounds;
pub use write_python::{to_pipeline, to_python};
pub use write_sql::to_sql;

/// A flow as a file defines it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// The flow's name; where none is given, its target's.
    pub name: String,
    /// The table that it writes, as it is written.
    pub target: String,
    /// The parameters, table properties of the target included.
    pub flow: Flow,
    /// The types of the bounds that its target declares.
    pub bounds: Bounds,
    /// The line of the file where the definition starts, from 1.
    pub line: usize,
    /// What isn't wrong but may surprise: a source view that filters, a clause out of its order.
    pub warnings: Vec<Diagnostic>,
}

impl Definition {
    /// How it is called in messages that don't know its file.
    pub(crate) fn shown(&self) -> String {
        format!("{} (line {})", quoted(&self.name), self.line)
    }
}

/// A flow that can't be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unread {
    /// The flow's name, where at least that is known.
    pub name: Option<String>,
    /// The line of the file where it starts, from 1.
    pub line: usize,
    /// All that is wrong with it.
    pub faults: Diagnostics,
}

/// A flow that is to be written, by its name, from its source.
#[derive(Clone, Copy, Debug)]
pub struct Written<'a> {
    /// The flow's name.
    pub name: &'a str,
    /// The table or view that it reads.
    pub source: &'a str,
    /// The flow.
    pub flow: &'a Flow,
}

/// All flows of a file, in the order of the file. What is wrong with one of them doesn't concern the others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Definitions {
    /// The flows that can be read.
    pub flows: Vec<Definition>,
    /// Those that can't.
    pub unread: Vec<Unread>,
}

impl Definitions {
    /// Reads a pipeline's file, `.sql` or `.py`, as a vendor reads it. It fails where the file as a whole makes no
    /// sense, or defines no flow. The flows are of the dialect.
    pub fn read(path: &Path, dialect: Dialect) -> Result<Self, Diagnostics> {
        Self::of(&Source::read(path)?, dialect)
    }

    /// The same of a text; the path says which language it is, and is what messages name.
    ///
    /// ```
    /// use std::path::Path;
    ///
    /// use cdc_core::Dialect;
    /// use cdc_killmatrix::definition::Definitions;
    ///
    /// let text = "
    ///     CREATE OR REFRESH STREAMING TABLE customers;
    ///     CREATE FLOW customers_cdc AS AUTO CDC INTO customers
    ///       FROM STREAM(raw_customers)
    ///       KEYS (customer_id)
    ///       APPLY AS DELETE WHEN operation = 'DELETE'
    ///       SEQUENCE BY STRUCT(lsn, position)
    ///       COLUMNS * EXCEPT (operation, lsn, position)
    ///       STORED AS SCD TYPE 2;";
    /// let path = Path::new("pipeline.sql");
    /// let definitions = Definitions::parse(path, text, Dialect::Databricks)?;
    /// assert_eq!(definitions.flows[0].name, "customers_cdc");
    /// assert_eq!(definitions.flows[0].flow.sequence_by, "STRUCT(lsn, position)");
    /// assert!(definitions.flows[0].warnings.is_empty());
    ///
    /// let text = text.replace("(customer_id)", "()");
    /// let definitions = Definitions::parse(path, text, Dialect::Databricks)?;
    /// assert_eq!(definitions.unread[0].name.as_deref(), Some("customers_cdc"));
    /// assert_eq!(
    ///     definitions.faults().to_string(),
    ///     "pipeline.sql:5:12: `KEYS` names no column; expected at least one"
    /// );
    /// # Ok::<(), cdc_killmatrix::Diagnostics>(())
    /// ```
    pub fn parse(path: &Path, text: impl Into<String>, dialect: Dialect) -> Result<Self, Diagnostics> {
        Self::of(&Source::new(path.to_owned(), text.into()), dialect)
    }

    /// What is wrong with the flows that can't be read, each fault once.
    pub fn faults(&self) -> Diagnostics {
        Diagnostics::of_all(self.unread.iter().map(|unread| &unread.faults))
    }

    /// What may surprise in the flows that can be read, each warning once.
    pub fn warnings(&self) -> Vec<Diagnostic> {
        let mut warnings: Vec<Diagnostic> =
            self.flows.iter().flat_map(|flow| &flow.warnings).cloned().collect();
        diagnostic::sort(&mut warnings);
        warnings
    }

    /// The names of all flows that have one, in the order of the file.
    pub fn names(&self) -> Vec<&str> {
        let read = self.flows.iter().map(|flow| (flow.line, &*flow.name));
        let unread = self.unread.iter().filter_map(|unread| Some((unread.line, unread.name.as_deref()?)));
        let mut names: Vec<(usize, &str)> = read.chain(unread).collect();
        names.sort_by_key(|(line, _)| *line);
        names.into_iter().map(|(_, name)| name).collect()
    }

    /// The flow of this name, or of the only name that ends in it behind a dot: `customers` may be
    /// `{catalog}.silver.customers`. Without a name, the only flow of the file.
    ///
    /// `None` if there is none, or if there are several.
    pub fn flow(&self, name: Option<&str>) -> Option<Result<&Definition, &Diagnostics>> {
        let Some(name) = name else { return self.only(|_| true) };
        self.only(|other| other == Some(name))
            .or_else(|| self.only(|other| other.is_some_and(|other| ends_in(other, name))))
    }

    /// The only flow whose name is as wanted. Of several with one name, the first that can't be read is told.
    fn only(&self, is_wanted: impl Fn(Option<&str>) -> bool) -> Option<Result<&Definition, &Diagnostics>> {
        let flows: Vec<&Definition> = self.flows.iter().filter(|flow| is_wanted(Some(&flow.name))).collect();
        let unread: Vec<&Unread> =
            self.unread.iter().filter(|unread| is_wanted(unread.name.as_deref())).collect();
        match (&*flows, &*unread) {
            ([flow], []) => Some(Ok(flow)),
            ([], [unread]) => Some(Err(&unread.faults)),
            (_, [first, others @ ..]) => {
                let is_named_alike = first.name.is_some()
                    && others.iter().all(|unread| unread.name == first.name)
                    && flows.iter().all(|flow| Some(&flow.name) == first.name.as_ref());
                is_named_alike.then_some(Err(&first.faults))
            }
            _ => None,
        }
    }

    fn of(source: &Source, dialect: Dialect) -> Result<Self, Diagnostics> {
        let path = &source.path;
        match path.extension().and_then(|end| end.to_str()) {
            Some(end) if end.eq_ignore_ascii_case("py") => python::read(source, dialect),
            Some(end) if end.eq_ignore_ascii_case("sql") => sql::read(source, dialect),
            _ => {
                Err(Diagnostic::of_path(path, "this is no definition; expected a `.sql` or a `.py` file")
                    .into())
            }
        }
    }
}

/// Whether a name ends in another one, behind a dot.
fn ends_in(name: &str, end: &str) -> bool {
    name.strip_suffix(end).is_some_and(|before| before.ends_with('.'))
}

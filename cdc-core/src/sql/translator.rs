//! What translates the tree of `sqlparser` to a checked one: conditions and values turn to each other here.

use sqlparser::ast::Expr as Sql;

use super::fault::Place;
use super::scope::Scope;
use super::syntax;
use crate::row::Schema;

/// How to go on after what isn't supported.
pub(super) const SUPPORTED: &str = "expected comparisons, AND, OR, NOT, IN, BETWEEN, LIKE, IS, CASE, CAST, \
                                    TRY_CAST, coalesce, upper, lower, trim, ltrim or rtrim";

/// How deep the tree may be; a chain of AND or of OR counts once.
const MAX_DEPTH: usize = 40;

pub(super) struct Translator<'a> {
    pub(super) scope: Scope<'a>,
    /// The last place that was known.
    near: Place,
    depth: usize,
}

impl<'a> Translator<'a> {
    pub(super) fn new(schema: &'a Schema) -> Self {
        Self { scope: Scope { schema, errors: Vec::new() }, near: (1, 1), depth: 0 }
    }

    pub(super) fn at(&mut self, sql: &Sql) -> Place {
        self.near = syntax::start(sql).unwrap_or(self.near);
        self.near
    }

    /// Goes one level down, unless that is too deep.
    pub(super) fn within<T>(&mut self, at: Place, go: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        if MAX_DEPTH <= self.depth {
            return self.scope.fail(at, "the text is nested too deeply; expected fewer operators in a row");
        }
        self.depth += 1;
        let result = go(self);
        self.depth -= 1;
        result
    }
}

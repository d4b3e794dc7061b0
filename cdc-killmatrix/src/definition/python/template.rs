//! What can be told of a text that only running the code tells as a whole.

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Expr, InterpolatedStringElement, Operator};
use ruff_text_size::Ranged;

use super::scopes::{Binding, How, ScopeId};
use super::values::{BYTES, Fault, Given, Values};

/// How many expressions are looked at to tell whether a value is one of several.
const LOOKED_AT: usize = 1000;

impl<'a> Values<'a> {
    /// A text in which what only the code knows stands in braces, as it is written; alone, without braces.
    pub(super) fn template(&self, given: Given<'a>) -> String {
        self.filled(given).unwrap_or_else(|_| self.written(given.expr))
    }

    fn written(&self, expr: &Expr) -> String {
        self.source.text().get(expr.range().to_std_range()).unwrap_or_default().to_owned()
    }

    fn filled(&self, given: Given<'a>) -> Result<String, Fault> {
        self.with(given, |given| {
            let part = |expr: &'a Expr| {
                self.filled(given.at(expr)).unwrap_or_else(|_| format!("{{{}}}", self.written(expr)))
            };
            let mut text = String::new();
            match given.expr {
                Expr::BinOp(sum) if sum.op == Operator::Add => {
                    text.push_str(&part(&sum.left));
                    text.push_str(&part(&sum.right));
                }
                Expr::FString(parts) => {
                    for element in parts.value.elements() {
                        match element {
                            InterpolatedStringElement::Literal(literal) => text.push_str(&literal.value),
                            InterpolatedStringElement::Interpolation(inner) => {
                                text.push_str(&part(&inner.expression));
                            }
                        }
                    }
                }
                _ => text = self.text(given)?,
            }
            self.step(given, text.len() / BYTES)?;
            Ok(text)
        })
    }

    /// Whether a value differs from call to call: it comes from a loop, from a parameter, or is assigned anew.
    pub(super) fn is_of_several(&self, given: Given<'a>) -> bool {
        let mut names = Names { scope: given.scope, found: Vec::new(), left: LOOKED_AT };
        names.visit_expr(given.expr);
        while let Some((name, scope)) = names.found.pop() {
            let Some((found, Binding { how, again, .. })) = self.scopes.find(scope, name) else { continue };
            match how {
                How::Loop | How::InLoop | How::Parameter(_) => return true,
                _ if again.is_some() => return true,
                How::Value(value) => {
                    names.scope = found;
                    names.visit_expr(value);
                }
                _ => {}
            }
        }
        false
    }
}

/// The names that expressions use.
struct Names<'a> {
    /// Where they are looked up.
    scope: ScopeId,
    found: Vec<(&'a str, ScopeId)>,
    /// How many more expressions are looked at.
    left: usize,
}

impl<'a> Visitor<'a> for Names<'a> {
    fn visit_expr(&mut self, expr: &'a Expr) {
        let Some(left) = self.left.checked_sub(1) else { return };
        self.left = left;
        if let Expr::Name(name) = expr {
            self.found.push((name.id.as_str(), self.scope));
        }
        visitor::walk_expr(self, expr);
    }
}

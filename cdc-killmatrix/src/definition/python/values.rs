//! The values that code gives, as far as they can be told without running it.

use std::cell::Cell;
use std::collections::HashSet;

use ruff_python_ast::{
    ConversionFlag, Expr, ExprFString, FStringPart, InterpolatedStringElement, Number, Operator,
};
use ruff_text_size::Ranged;

use super::scopes::{Binding, How, ScopeId, Scopes};
use crate::json::{Source, quoted};

/// How many steps a value may take: a few names, each twice the one before, make an endless text.
const STEPS: usize = 20_000;

/// How deep a value may be nested.
const DEPTH: usize = 200;

/// How many steps all values of a file may take.
const ALL_STEPS: usize = 20_000_000;

/// How many bytes of an expression are looked at where it is shown.
const SHOWN: usize = 1000;

/// How many bytes of a text count as one step.
pub(super) const BYTES: usize = 64;

/// Why a value isn't what was expected.
#[derive(Debug)]
pub(super) enum Fault {
    /// Only running the code can tell: what stands there.
    Unknown(String),
    /// It is something else: what it is.
    Misfit(String),
    /// More is to be said than what was expected.
    Said(String),
}

/// An expression, and where its names are looked up.
#[derive(Clone, Copy)]
pub(super) struct Given<'a> {
    pub(super) expr: &'a Expr,
    pub(super) scope: ScopeId,
}

impl<'a> Given<'a> {
    pub(super) fn at(self, expr: &'a Expr) -> Self {
        Self { expr, ..self }
    }
}

/// Finds out values.
pub(super) struct Values<'a> {
    pub(super) source: &'a Source,
    pub(super) scopes: &'a Scopes<'a>,
    steps: Cell<usize>,
    depth: Cell<usize>,
    /// The steps that the values before this one took.
    all: Cell<usize>,
}

impl<'a> Values<'a> {
    pub(super) fn new(source: &'a Source, scopes: &'a Scopes<'a>) -> Self {
        Self { source, scopes, steps: Cell::new(0), depth: Cell::new(0), all: Cell::new(0) }
    }

    /// Begins with another value.
    pub(super) fn begin(&self) {
        self.all.set(self.all.get().saturating_add(self.steps.get()));
        self.steps.set(if ALL_STEPS < self.all.get() { STEPS } else { 0 });
        self.depth.set(0);
    }

    pub(super) fn step(&self, given: Given<'a>, steps: usize) -> Result<(), Fault> {
        self.steps.set(self.steps.get().saturating_add(steps));
        if STEPS < self.steps.get() || DEPTH < self.depth.get() {
            return Err(Fault::Unknown(format!("{}, too long to be followed,", self.shown(given.expr))));
        }
        Ok(())
    }

    /// Does something one level deeper.
    pub(super) fn deeper<T>(
        &self,
        given: Given<'a>,
        find: impl FnOnce() -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        self.depth.set(self.depth.get() + 1);
        let found = self.step(given, 1).and_then(|()| find());
        self.depth.set(self.depth.get() - 1);
        found
    }

    /// The code of an expression, on one line.
    pub(super) fn shown(&self, place: &impl Ranged) -> String {
        let code = self.source.text().get(place.range().to_std_range()).unwrap_or_default();
        let code = &code[..code.floor_char_boundary(SHOWN)];
        let words: Vec<&str> = code.split_whitespace().filter(|word| *word != "\\").collect();
        quoted(&words.join(" "))
    }

    fn line(&self, offset: usize) -> usize {
        self.source.line(offset)
    }

    /// Follows a name to what it stands for, once.
    fn follow(&self, name: &str, given: Given<'a>) -> Result<Given<'a>, Fault> {
        let shown = quoted(name);
        let unknown = |what: String| Err(Fault::Unknown(format!("{shown}, {what},")));
        let Some((scope, binding)) = self.scopes.find(given.scope, name) else {
            return unknown("which this file doesn't assign".to_owned());
        };
        let Binding { how, offset, again } = binding;
        let line = self.line(offset);
        match how {
            How::Loop => return unknown(format!("a loop variable (line {line})")),
            How::Parameter(Some(function)) => {
                return unknown(format!("a parameter of {} (line {line})", quoted(function)));
            }
            How::Parameter(None) => return unknown(format!("a parameter of a lambda (line {line})")),
            _ => {}
        }
        if let Some(again) = again {
            return unknown(format!("assigned in lines {line} and {}", self.line(again)));
        }
        if let Some(changed) = self.scopes.changed(name) {
            return unknown(format!("changed in line {}", self.line(changed)));
        }
        match how {
            How::Value(expr) => Ok(Given { expr, scope }),
            How::Branch => unknown(format!("assigned in a branch (line {line})")),
            How::InLoop => unknown(format!("assigned in a loop (line {line})")),
            How::Import(_) => unknown(format!("imported in line {line}")),
            How::Definition => unknown(format!("a function or class (line {line})")),
            How::Other | How::Loop | How::Parameter(_) => {
                unknown(format!("assigned no literal (line {line})"))
            }
        }
    }

    /// Does something with what an expression stands for. Where that isn't known, the fault tells the name
    /// as well.
    pub(super) fn with<T>(
        &self,
        given: Given<'a>,
        find: impl FnOnce(Given<'a>) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        self.deeper(given, || {
            let Expr::Name(name) = given.expr else { return find(given) };
            let (mut last, mut seen) = (given, HashSet::new());
            while let Expr::Name(next) = last.expr {
                self.step(given, 1)?;
                last = self.follow(next.id.as_str(), last)?;
                if !seen.insert(std::ptr::from_ref(last.expr)) {
                    let (one, other) = (quoted(next.id.as_str()), self.shown(last.expr));
                    let way = if one == other { String::new() } else { format!(" by way of {other}") };
                    return Err(Fault::Unknown(format!("{one}, which refers to itself{way},")));
                }
            }
            find(last).map_err(|fault| match fault {
                // A name further down is told as it is.
                Fault::Unknown(what) if !what.ends_with(',') => {
                    let line = self.line(last.expr.range().start().to_usize());
                    Fault::Unknown(format!("{}, in line {line} {what},", quoted(name.id.as_str())))
                }
                other => other,
            })
        })
    }

    /// What an expression is that isn't what was expected.
    pub(super) fn other(&self, given: Given<'a>) -> Fault {
        Fault::Misfit(match given.expr {
            Expr::StringLiteral(text) if text.value.is_empty() => "an empty text".to_owned(),
            Expr::StringLiteral(text) => format!("the text {}", quoted(text.value.to_str())),
            Expr::NumberLiteral(_) => format!("the number {}", self.shown(given.expr)),
            Expr::BooleanLiteral(boolean) => if boolean.value { "True" } else { "False" }.to_owned(),
            Expr::NoneLiteral(_) => "None".to_owned(),
            Expr::BytesLiteral(_) => "bytes".to_owned(),
            Expr::EllipsisLiteral(_) => "`...`".to_owned(),
            Expr::List(_) => "a list".to_owned(),
            Expr::Tuple(_) => "a tuple".to_owned(),
            Expr::Dict(_) => "a dict".to_owned(),
            Expr::Set(_) => "a set, which has no order".to_owned(),
            Expr::Lambda(_) => "a lambda".to_owned(),
            _ => return Fault::Unknown(self.shown(given.expr)),
        })
    }

    /// Whether an argument is as good as left out.
    pub(super) fn is_none(&self, given: Given<'a>) -> bool {
        self.with(given, |given| Ok(given.expr.is_none_literal_expr())).unwrap_or(false)
    }

    pub(super) fn boolean(&self, given: Given<'a>) -> Result<bool, Fault> {
        self.with(given, |given| match given.expr {
            Expr::BooleanLiteral(boolean) => Ok(boolean.value),
            _ => Err(self.other(given)),
        })
    }

    /// A whole number that isn't negative.
    pub(super) fn number(&self, given: Given<'a>) -> Result<u64, Fault> {
        self.with(given, |given| match given.expr {
            Expr::NumberLiteral(literal) => match &literal.value {
                Number::Int(number) => number.as_u64().ok_or_else(|| self.other(given)),
                _ => Err(self.other(given)),
            },
            _ => Err(self.other(given)),
        })
    }

    /// A text: a literal, or several of them put together.
    pub(super) fn text(&self, given: Given<'a>) -> Result<String, Fault> {
        self.with(given, |given| {
            let text = match given.expr {
                Expr::StringLiteral(text) => text.value.to_str().to_owned(),
                Expr::FString(text) => self.f_string(given, text)?,
                Expr::BinOp(sum) if sum.op == Operator::Add => {
                    let mut text = self.text(given.at(&sum.left))?;
                    text.push_str(&self.text(given.at(&sum.right))?);
                    text
                }
                _ => return Err(self.other(given)),
            };
            self.step(given, text.len() / BYTES)?;
            Ok(text)
        })
    }

    fn f_string(&self, given: Given<'a>, f_string: &'a ExprFString) -> Result<String, Fault> {
        let mut text = String::new();
        for part in &f_string.value {
            match part {
                FStringPart::Literal(literal) => text.push_str(literal),
                FStringPart::FString(part) => {
                    for element in &part.elements {
                        match element {
                            InterpolatedStringElement::Literal(literal) => text.push_str(&literal.value),
                            InterpolatedStringElement::Interpolation(inner)
                                if inner.debug_text.is_none()
                                    && inner.format_spec.is_none()
                                    && matches!(
                                        inner.conversion,
                                        ConversionFlag::None | ConversionFlag::Str
                                    ) =>
                            {
                                text.push_str(&self.text(given.at(&inner.expression))?);
                            }
                            InterpolatedStringElement::Interpolation(_) => {
                                return Err(Fault::Unknown(self.shown(given.expr)));
                            }
                        }
                    }
                }
            }
        }
        Ok(text)
    }
}

//! Lists and dicts, as far as they can be told without running the code.

use ruff_python_ast::{Expr, Operator};
use ruff_text_size::{Ranged, TextRange};

use super::values::{Fault, Given, Values};

impl<'a> Values<'a> {
    /// The entries of a list or tuple, or of several of them put together.
    pub(super) fn entries(&self, given: Given<'a>) -> Result<Vec<Given<'a>>, Fault> {
        let mut entries = Vec::new();
        self.gather(given, &mut entries)?;
        Ok(entries)
    }

    fn gather(&self, given: Given<'a>, entries: &mut Vec<Given<'a>>) -> Result<(), Fault> {
        self.with(given, |given| {
            let list = match given.expr {
                Expr::List(list) => &list.elts,
                Expr::Tuple(tuple) => &tuple.elts,
                Expr::BinOp(sum) if sum.op == Operator::Add => {
                    self.gather(given.at(&sum.left), entries)?;
                    return self.gather(given.at(&sum.right), entries);
                }
                _ => return Err(self.other(given)),
            };
            for entry in list {
                self.step(given, 1)?;
                match entry {
                    Expr::Starred(starred) => self.gather(given.at(&starred.value), entries)?,
                    entry => entries.push(given.at(entry)),
                }
            }
            Ok(())
        })
    }

    /// What a dict holds: `{"a": b}` or `dict(a=b)`. Each with its name, and where that is.
    pub(super) fn members(&self, given: Given<'a>) -> Result<Vec<(String, TextRange, Given<'a>)>, Fault> {
        self.with(given, |given| match given.expr {
            Expr::Dict(dict) => {
                let mut members = Vec::new();
                for item in dict {
                    self.step(given, 1)?;
                    let key = item.key.as_ref().ok_or_else(|| Fault::Unknown(self.shown(given.expr)))?;
                    members.push((self.text(given.at(key))?, key.range(), given.at(&item.value)));
                }
                Ok(members)
            }
            Expr::Call(call)
                if self.scopes.function(&call.func, given.scope) == Some("dict")
                    && call.arguments.args.is_empty() =>
            {
                let members = call.arguments.keywords.iter().map(|keyword| {
                    let name = keyword.arg.as_ref().ok_or_else(|| Fault::Unknown(self.shown(keyword)))?;
                    Ok((name.to_string(), name.range(), given.at(&keyword.value)))
                });
                members.collect()
            }
            _ => Err(self.other(given)),
        })
    }
}

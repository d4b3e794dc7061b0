//! The views from which flows read: whether the events are others behind them.

use std::collections::{HashMap, HashSet};

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Expr, ExprAttribute, StmtFunctionDef};
use ruff_text_size::Ranged;

use super::scopes::ScopeId;
use super::tables::folded;
use super::values::{Given, Values};
use crate::diagnostic::Diagnostic;
use crate::json::{Source, quoted};

/// The decorators that make a function a table or view.
const VIEWS: [&str; 6] =
    ["create_view", "materialized_view", "streaming_table", "table", "temporary_view", "view"];

/// The decorators that drop rows.
const DROPPING: [&str; 2] = ["expect_all_or_drop", "expect_or_drop"];

/// The methods that change what rows there are, or what is in them.
const CHANGING: [&str; 25] = [
    "agg",
    "alias",
    "astype",
    "cast",
    "distinct",
    "drop",
    "dropDuplicates",
    "drop_duplicates",
    "dropna",
    "fillna",
    "filter",
    "groupBy",
    "join",
    "limit",
    "na",
    "selectExpr",
    "toDF",
    "transform",
    "union",
    "unionByName",
    "where",
    "withColumn",
    "withColumnRenamed",
    "withColumns",
    "withColumnsRenamed",
];

/// The words of a query that do so.
const WORDS: [&str; 8] = ["AS", "CAST", "DISTINCT", "GROUP", "JOIN", "LIMIT", "QUALIFY", "WHERE"];

/// What to heed of a file's views, where a flow reads from them: by the folded names of the views.
pub(super) fn warnings<'a>(
    values: &Values<'a>,
    functions: &[(&'a StmtFunctionDef, ScopeId)],
    sources: &HashSet<String>,
) -> HashMap<String, Vec<Diagnostic>> {
    let mut by_name: HashMap<String, Vec<Diagnostic>> = HashMap::new();
    for &(function, scope) in functions {
        let decorators: Vec<(&str, &Expr)> = function
            .decorator_list
            .iter()
            .filter_map(|decorator| {
                let called = match &decorator.expression {
                    Expr::Call(call) => &*call.func,
                    other => other,
                };
                Some((values.scopes.function(called, scope)?, &decorator.expression))
            })
            .collect();
        let Some((_, view)) = decorators.iter().find(|(name, _)| VIEWS.contains(name)) else { continue };
        let name = name(values, function, Given { expr: view, scope });
        if !sources.contains(&folded(&name)) {
            continue;
        }
        let warnings = by_name.entry(folded(&name)).or_default();
        for (decorator, place) in &decorators {
            if DROPPING.contains(decorator) {
                let text = format!(
                    "the source {} drops rows by `{decorator}`; the events of a fixture are those after it",
                    quoted(&name)
                );
                warnings.push(values.source.fault("", place.range().to_std_range(), text));
            }
        }
        let mut body = Body { source: values.source, methods: Vec::new() };
        body.visit_body(&function.body);
        body.methods.sort_by_key(|(_, method)| method.attr.range().start());
        if let Some((_, first)) = body.methods.first() {
            let methods: Vec<String> = body.methods.iter().map(|(method, _)| format!("`{method}`")).collect();
            let methods = match &*methods {
                [all @ .., last] if !all.is_empty() => format!("{} and {last}", all.join(", ")),
                all => all.concat(),
            };
            let text = format!(
                "the source {} changes its rows by {methods}; the events of a fixture are those after it",
                quoted(&name)
            );
            warnings.push(values.source.fault("", first.attr.range().to_std_range(), text));
        }
    }
    by_name
}

/// The name of a view: its own, or the function's.
fn name<'a>(values: &Values<'a>, function: &'a StmtFunctionDef, view: Given<'a>) -> String {
    if let Expr::Call(call) = view.expr
        && let Some(name) = call.arguments.find_argument_value("name", 0)
    {
        values.begin();
        if let Ok(name) = values.text(view.at(name)) {
            return name;
        }
    }
    function.name.to_string()
}

/// The methods that a function calls and that change rows: each once, in order.
struct Body<'a> {
    source: &'a Source,
    methods: Vec<(&'a str, &'a ExprAttribute)>,
}

impl Body<'_> {
    /// Whether a query, as it is written, does more than to take rows as they are.
    fn is_changing(&self, sql: &Expr) -> bool {
        let code = self.source.text().get(sql.range().to_std_range()).unwrap_or_default();
        let mut words = code.split(|c: char| !c.is_alphanumeric() && c != '_');
        words.any(|word| WORDS.iter().any(|other| other.eq_ignore_ascii_case(word)))
    }
}

impl<'a> Visitor<'a> for Body<'a> {
    fn visit_expr(&mut self, expr: &'a Expr) {
        visitor::walk_expr(self, expr);
        if let Expr::Call(call) = expr
            && let Expr::Attribute(method) = &*call.func
        {
            let name = method.attr.as_str();
            // Texts and paths are joined as well.
            let is_of_text = method.value.is_string_literal_expr()
                || matches!(&*method.value, Expr::Attribute(of) if of.attr.as_str() == "path");
            let changes = CHANGING.contains(&name) && !is_of_text
                || name == "select" && !call.arguments.args.iter().all(is_plain)
                || name == "sql" && call.arguments.args.first().is_some_and(|sql| self.is_changing(sql));
            if changes && !self.methods.iter().any(|(other, _)| *other == name) {
                self.methods.push((name, method));
            }
        }
    }
}

/// Whether a selected column is taken as it is.
fn is_plain(column: &Expr) -> bool {
    match column {
        Expr::StringLiteral(_) => true,
        Expr::List(list) => list.elts.iter().all(is_plain),
        Expr::Call(call) => match &*call.func {
            Expr::Name(name) => name.id == "col",
            Expr::Attribute(method) => method.attr.as_str() == "col",
            _ => false,
        },
        _ => false,
    }
}

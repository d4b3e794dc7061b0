//! One walk through a module: its names, its calls, its decorated functions.

use std::collections::HashSet;

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{
    Alias, AnyParameterRef, Comprehension, ElifElseClause, ExceptHandler, Expr, ExprCall, ExprContext,
    Identifier, MatchCase, Parameters, Pattern, Stmt, StmtFunctionDef, StmtIf,
};
use ruff_text_size::Ranged;

use super::functions::is_flow;
use super::scopes::{How, Kind, MODULE, ScopeId, Scopes};

/// The methods that change a list or dict in place.
const CHANGING: [&str; 13] = [
    "add",
    "append",
    "clear",
    "discard",
    "extend",
    "insert",
    "pop",
    "popitem",
    "remove",
    "reverse",
    "setdefault",
    "sort",
    "update",
];

/// A call, and where its names are looked up.
#[derive(Clone, Copy)]
pub(super) struct Call<'a> {
    pub(super) expr: &'a ExprCall,
    pub(super) scope: ScopeId,
    /// Whether the code may or may not come by.
    pub(super) is_on_branch: bool,
    /// What has to be so for the code to come by, as far as it is seen.
    pub(super) only_if: Option<OnlyIf<'a>>,
}

/// What has to be so for a call to be made.
#[derive(Clone, Copy)]
pub(super) enum OnlyIf<'a> {
    Holds(&'a Expr),
    HoldsNot(&'a Expr),
    /// The case of a `match`.
    Matches,
    /// An exception is caught.
    Caught,
    /// The function is called.
    Called(&'a str),
}

/// What a module holds.
pub(super) struct Module<'a> {
    pub(super) scopes: Scopes<'a>,
    pub(super) calls: Vec<Call<'a>>,
    /// Functions of pipelines that are passed on, to be called elsewhere.
    pub(super) passed: Vec<&'a Expr>,
    /// The functions with decorators.
    pub(super) functions: Vec<(&'a StmtFunctionDef, ScopeId)>,
    /// All names that are called, or whose value is used.
    pub(super) used: HashSet<&'a str>,
}

impl<'a> Module<'a> {
    pub(super) fn of(body: &'a [Stmt]) -> Self {
        let module = Self {
            scopes: Scopes::new(),
            calls: Vec::new(),
            passed: Vec::new(),
            functions: Vec::new(),
            used: HashSet::new(),
        };
        let mut walk = Walk { module, scope: MODULE, way: None, only_if: None, how: How::Other };
        walk.visit_body(body);
        walk.module.calls.sort_by_key(|call| call.expr.range().start());
        walk.module
    }
}

struct Walk<'a> {
    module: Module<'a>,
    scope: ScopeId,
    /// The branch or loop that the code is in.
    way: Option<How<'a>>,
    /// What has to be so for the code to come here.
    only_if: Option<OnlyIf<'a>>,
    /// What the name that is stored next stands for.
    how: How<'a>,
}

/// Whether a test holds wherever a pipeline runs: `True`, or that the file is the one that runs.
fn is_plain(test: &Expr) -> bool {
    match test {
        Expr::BooleanLiteral(boolean) => boolean.value,
        Expr::Compare(compare) => {
            let is_name = |expr: &Expr| matches!(expr, Expr::Name(name) if name.id.as_str() == "__name__");
            is_name(&compare.left) || compare.comparators.iter().any(is_name)
        }
        _ => false,
    }
}

fn start(place: &impl Ranged) -> usize {
    place.range().start().to_usize()
}

impl<'a> Walk<'a> {
    fn bind(&mut self, name: &'a Identifier, how: How<'a>) {
        self.module.scopes.bind(self.scope, name.as_str(), how, start(name));
    }

    /// Walks something whose stored names stand for `how`.
    fn storing(&mut self, how: How<'a>, walk: impl FnOnce(&mut Self)) {
        let before = std::mem::replace(&mut self.how, how);
        walk(self);
        self.how = before;
    }

    /// Walks what is in a branch or loop.
    fn on(&mut self, way: How<'a>, walk: impl FnOnce(&mut Self)) {
        let before = self.way.replace(way);
        walk(self);
        self.way = before;
    }

    /// Walks what the code comes to only if something is so.
    fn only_if(&mut self, only_if: Option<OnlyIf<'a>>, walk: impl FnOnce(&mut Self)) {
        let before = self.only_if;
        self.only_if = only_if.or(before);
        walk(self);
        self.only_if = before;
    }

    /// Walks what has names of its own.
    fn inside(&mut self, kind: Kind, walk: impl FnOnce(&mut Self)) {
        let (scope, way, only_if) = (self.scope, self.way.take(), self.only_if);
        if kind != Kind::Comprehension {
            self.only_if = None;
        }
        self.scope = self.module.scopes.open(scope, kind);
        self.storing(How::Other, walk);
        (self.scope, self.way, self.only_if) = (scope, way, only_if);
    }

    /// Walks an `if` with all that belongs to it.
    fn branches(&mut self, stmt: &'a StmtIf) {
        let holds = |test| if is_plain(test) { None } else { Some(OnlyIf::Holds(test)) };
        self.visit_expr(&stmt.test);
        self.only_if(holds(&stmt.test), |walk| walk.visit_body(&stmt.body));
        for ElifElseClause { test, body, .. } in &stmt.elif_else_clauses {
            if let Some(test) = test {
                self.visit_expr(test);
            }
            let only_if = test.as_ref().map_or(Some(OnlyIf::HoldsNot(&stmt.test)), holds);
            self.only_if(only_if, |walk| walk.visit_body(body));
        }
    }

    fn assign(&mut self, target: &'a Expr, value: &'a Expr) {
        match (target, value) {
            (Expr::Tuple(targets), Expr::Tuple(values))
                if targets.len() == values.len()
                    && !targets.iter().chain(values).any(Expr::is_starred_expr) =>
            {
                targets.iter().zip(values).for_each(|(target, value)| self.assign(target, value));
            }
            (Expr::Name(_), _) => {
                self.storing(self.way.unwrap_or(How::Value(value)), |walk| walk.visit_expr(target));
            }
            _ => self.storing(self.way.unwrap_or(How::Other), |walk| walk.visit_expr(target)),
        }
    }

    fn function(&mut self, function: &'a StmtFunctionDef) {
        self.bind(&function.name, How::Definition);
        function.decorator_list.iter().for_each(|decorator| self.visit_decorator(decorator));
        if !function.decorator_list.is_empty() {
            self.module.functions.push((function, self.scope));
        }
        self.visit_parameters(&function.parameters);
        // Whoever decorates a function may call it; a method is called by its class.
        let is_known = function.decorator_list.is_empty() && !self.module.scopes.is_class(self.scope);
        self.inside(Kind::Function, |walk| {
            walk.only_if = is_known.then_some(OnlyIf::Called(function.name.as_str()));
            walk.parameters(&function.parameters, Some(function.name.as_str()));
            walk.visit_body(&function.body);
        });
    }

    fn parameters(&mut self, parameters: &'a Parameters, function: Option<&'a str>) {
        for parameter in parameters.iter().map(AnyParameterRef::as_parameter) {
            self.bind(&parameter.name, How::Parameter(function));
        }
    }

    fn imports(&mut self, aliases: &'a [Alias]) {
        for alias in aliases {
            let (name, known) = (alias.name.as_str(), alias.asname.as_ref().unwrap_or(&alias.name).as_str());
            // `import a.b` binds `a`.
            let known = known.split('.').next().unwrap_or(known);
            let name = name.rsplit('.').next().unwrap_or(name);
            self.module.scopes.bind(self.scope, known, How::Import(name), start(alias));
        }
    }

    fn comprehension(&mut self, generators: &'a [Comprehension], values: [Option<&'a Expr>; 2]) {
        self.inside(Kind::Comprehension, |walk| {
            for generator in generators {
                walk.visit_comprehension(generator);
            }
            values.into_iter().flatten().for_each(|value| walk.visit_expr(value));
        });
    }

    /// Walks a function that is called here.
    fn visit_called(&mut self, function: &'a Expr) {
        match function {
            Expr::Attribute(attribute) => self.visit_expr(&attribute.value),
            Expr::Name(name) => {
                self.module.used.insert(name.id.as_str());
            }
            other => self.visit_expr(other),
        }
    }

    /// The name of which a part is stored, or which has a method called that changes it.
    fn changes(&mut self, value: &'a Expr) {
        if let Expr::Name(name) = value {
            self.module.scopes.change(name.id.as_str(), start(name));
        }
    }
}

impl<'a> Visitor<'a> for Walk<'a> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::FunctionDef(function) => self.function(function),
            Stmt::ClassDef(class) => {
                self.bind(&class.name, How::Definition);
                class.decorator_list.iter().for_each(|decorator| self.visit_decorator(decorator));
                class.arguments.iter().for_each(|arguments| self.visit_arguments(arguments));
                self.inside(Kind::Class, |walk| walk.visit_body(&class.body));
            }
            Stmt::Assign(assign) => {
                // Another name for a function is followed.
                self.visit_called(&assign.value);
                assign.targets.iter().for_each(|target| self.assign(target, &assign.value));
            }
            Stmt::AnnAssign(assign) => {
                if let Some(value) = &assign.value {
                    self.visit_expr(value);
                    self.assign(&assign.target, value);
                }
            }
            Stmt::For(each) => {
                self.visit_expr(&each.iter);
                self.storing(How::Loop, |walk| walk.visit_expr(&each.target));
                self.on(How::InLoop, |walk| {
                    walk.visit_body(&each.body);
                    walk.visit_body(&each.orelse);
                });
            }
            Stmt::While(_) => self.on(How::InLoop, |walk| visitor::walk_stmt(walk, stmt)),
            Stmt::If(stmt) => self.on(How::Branch, |walk| walk.branches(stmt)),
            Stmt::Try(_) | Stmt::Match(_) => {
                self.on(How::Branch, |walk| visitor::walk_stmt(walk, stmt));
            }
            Stmt::Import(import) => self.imports(&import.names),
            Stmt::ImportFrom(import) => self.imports(&import.names),
            Stmt::Global(global) => {
                global.names.iter().for_each(|name| self.module.scopes.change(name.as_str(), start(name)));
            }
            Stmt::Nonlocal(nonlocal) => {
                nonlocal.names.iter().for_each(|name| self.module.scopes.change(name.as_str(), start(name)));
            }
            _ => visitor::walk_stmt(self, stmt),
        }
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Name(name) if name.ctx != ExprContext::Load => {
                self.module.scopes.bind(self.scope, name.id.as_str(), self.how, start(name));
            }
            Expr::Named(named) => {
                self.visit_expr(&named.value);
                if let Expr::Name(name) = &*named.target {
                    let scope = self.module.scopes.beyond_comprehensions(self.scope);
                    self.module.scopes.bind(scope, name.id.as_str(), How::Other, start(name));
                }
            }
            Expr::Subscript(subscript) => {
                if subscript.ctx != ExprContext::Load {
                    self.changes(&subscript.value);
                }
                visitor::walk_expr(self, expr);
            }
            Expr::Call(call) => {
                if let Expr::Attribute(method) = &*call.func
                    && CHANGING.contains(&method.attr.as_str())
                {
                    self.changes(&method.value);
                }
                let is_on_branch = matches!(self.way, Some(How::Branch));
                let only_if = self.only_if;
                self.module.calls.push(Call { expr: call, scope: self.scope, is_on_branch, only_if });
                self.visit_called(&call.func);
                self.visit_arguments(&call.arguments);
            }
            Expr::Attribute(attribute) => {
                if is_flow(attribute.attr.as_str()) {
                    self.module.passed.push(expr);
                }
                self.visit_expr(&attribute.value);
            }
            Expr::Name(name) if is_flow(name.id.as_str()) => self.module.passed.push(expr),
            Expr::Name(name) => {
                self.module.used.insert(name.id.as_str());
            }
            Expr::Lambda(lambda) => {
                lambda.parameters.iter().for_each(|parameters| self.visit_parameters(parameters));
                self.inside(Kind::Function, |walk| {
                    lambda.parameters.iter().for_each(|parameters| walk.parameters(parameters, None));
                    walk.visit_expr(&lambda.body);
                });
            }
            Expr::ListComp(list) => self.comprehension(&list.generators, [Some(&list.elt), None]),
            Expr::SetComp(set) => self.comprehension(&set.generators, [Some(&set.elt), None]),
            Expr::Generator(each) => self.comprehension(&each.generators, [Some(&each.elt), None]),
            Expr::DictComp(dict) => {
                self.comprehension(&dict.generators, [dict.key.as_deref(), Some(&dict.value)]);
            }
            _ => visitor::walk_expr(self, expr),
        }
    }

    fn visit_comprehension(&mut self, comprehension: &'a Comprehension) {
        self.visit_expr(&comprehension.iter);
        self.storing(How::Loop, |walk| walk.visit_expr(&comprehension.target));
        comprehension.ifs.iter().for_each(|test| self.visit_expr(test));
    }

    fn visit_except_handler(&mut self, handler: &'a ExceptHandler) {
        let ExceptHandler::ExceptHandler(except) = handler;
        except.name.iter().for_each(|name| self.bind(name, How::Other));
        self.only_if(Some(OnlyIf::Caught), |walk| visitor::walk_except_handler(walk, handler));
    }

    fn visit_match_case(&mut self, case: &'a MatchCase) {
        self.only_if(Some(OnlyIf::Matches), |walk| visitor::walk_match_case(walk, case));
    }

    fn visit_pattern(&mut self, pattern: &'a Pattern) {
        let name = match pattern {
            Pattern::MatchAs(named) => named.name.as_ref(),
            Pattern::MatchStar(star) => star.name.as_ref(),
            Pattern::MatchMapping(mapping) => mapping.rest.as_ref(),
            _ => None,
        };
        if let Some(name) = name {
            self.bind(name, How::Other);
        }
        visitor::walk_pattern(self, pattern);
    }
}

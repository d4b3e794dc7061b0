//! What the names of a module stand for.

use std::collections::HashMap;

use ruff_python_ast::Expr;

/// How many names may stand for another until one stands for a value.
const CHAIN: usize = 16;

/// A module, or a function, class, lambda or comprehension in it.
pub(super) type ScopeId = usize;

/// The module itself.
pub(super) const MODULE: ScopeId = 0;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Module,
    Function,
    Class,
    Comprehension,
}

/// What is known of a name.
#[derive(Clone, Copy)]
pub(super) enum How<'a> {
    /// It stands for this expression, whichever way the code takes.
    Value(&'a Expr),
    /// It is assigned where the code may or may not come by.
    Branch,
    /// It is assigned in the body of a loop.
    InLoop,
    /// It is the variable of a loop or comprehension.
    Loop,
    /// A parameter of a function, or of a lambda, which has no name.
    Parameter(Option<&'a str>),
    /// It is imported, under this name.
    Import(&'a str),
    /// A function or class.
    Definition,
    /// Anything else, such as the variable of a `with`.
    Other,
}

#[derive(Clone, Copy)]
pub(super) struct Binding<'a> {
    pub(super) how: How<'a>,
    /// Where in the text.
    pub(super) offset: usize,
    /// Where it is bound once more.
    pub(super) again: Option<usize>,
}

struct Scope<'a> {
    parent: ScopeId,
    kind: Kind,
    names: HashMap<&'a str, Binding<'a>>,
}

/// All names of a module.
pub(super) struct Scopes<'a> {
    scopes: Vec<Scope<'a>>,
    /// The names whose value changes in place, or from another scope, and where.
    changed: HashMap<&'a str, usize>,
}

impl<'a> Scopes<'a> {
    pub(super) fn new() -> Self {
        let module = Scope { parent: MODULE, kind: Kind::Module, names: HashMap::new() };
        Self { scopes: vec![module], changed: HashMap::new() }
    }

    pub(super) fn open(&mut self, parent: ScopeId, kind: Kind) -> ScopeId {
        self.scopes.push(Scope { parent, kind, names: HashMap::new() });
        self.scopes.len() - 1
    }

    pub(super) fn is_class(&self, scope: ScopeId) -> bool {
        self.scopes[scope].kind == Kind::Class
    }

    pub(super) fn bind(&mut self, scope: ScopeId, name: &'a str, how: How<'a>, offset: usize) {
        let names = &mut self.scopes[scope].names;
        names
            .entry(name)
            .and_modify(|binding| binding.again = binding.again.or(Some(offset)))
            .or_insert(Binding { how, offset, again: None });
    }

    pub(super) fn change(&mut self, name: &'a str, offset: usize) {
        self.changed.entry(name).or_insert(offset);
    }

    pub(super) fn changed(&self, name: &str) -> Option<usize> {
        self.changed.get(name).copied()
    }

    /// The scope to which `:=` assigns.
    pub(super) fn beyond_comprehensions(&self, mut scope: ScopeId) -> ScopeId {
        while self.scopes[scope].kind == Kind::Comprehension {
            scope = self.scopes[scope].parent;
        }
        scope
    }

    /// What a name stands for, and in which scope. The names of a class aren't seen by its functions.
    pub(super) fn find(&self, from: ScopeId, name: &str) -> Option<(ScopeId, Binding<'a>)> {
        let mut scope = from;
        loop {
            let Scope { parent, kind, names } = &self.scopes[scope];
            if let Some(&binding) = names.get(name)
                && (*kind != Kind::Class || scope == from)
            {
                return Some((scope, binding));
            }
            if scope == MODULE {
                return None;
            }
            scope = *parent;
        }
    }

    /// The own name of a function, however it is called: `dp.create_auto_cdc_flow`, or under an alias. `None`
    /// where the name stands for something of this file.
    pub(super) fn function(&self, function: &'a Expr, scope: ScopeId) -> Option<&'a str> {
        let (mut function, mut scope) = (function, scope);
        for _ in 0..CHAIN {
            let name = match function {
                Expr::Attribute(attribute) => return Some(attribute.attr.as_str()),
                Expr::Name(name) => name.id.as_str(),
                _ => return None,
            };
            match self.find(scope, name) {
                None => return Some(name),
                Some((_, Binding { how: How::Import(name), .. })) => return Some(name),
                Some((found, Binding { how: How::Value(value), .. })) => (function, scope) = (value, found),
                Some(_) => return None,
            }
        }
        None
    }
}

//! Definitions in Python: `create_auto_cdc_flow` and its relatives. Nothing is executed: what only running the
//! code can tell is a fault if a flow needs it, and passed over if none does.

mod bounds;
mod functions;
mod scopes;
mod walk;
mod values;
mod lists;
mod template;
mod columns;
mod conditions;
mod arguments;
mod flows;
mod schema;
mod tables;
mod views;

use std::collections::{HashMap, HashSet};

use cdc_core::{Dialect, Flow};
use ruff_python_ast::{Expr, Stmt};
use ruff_python_parser::{Parsed, parse_unchecked_source};
use ruff_text_size::Ranged;

use self::arguments::Reader;
pub(super) use self::columns::{in_sql, parts as name_parts};
use self::flows::Defined;
use self::functions::{FLOWS, is_from_snapshot};
use self::tables::Tables;
use self::values::Values;
use self::walk::{Call, Module, OnlyIf};
use super::{Definition, Definitions, Unread};
use crate::diagnostic::{self, Diagnostic, Diagnostics};
use crate::json::{Source, quoted};
use crate::words::{lower_first, near};

pub(super) fn read(source: &Source, dialect: Dialect) -> Result<Definitions, Diagnostics> {
    let text = source.text();
    if bounds::is_too_deep(text) {
        let at = bounds::too_deep_at(text);
        let message = format!(
            "the code is nested more than {} deep; expected less (is a bracket left open further up?)",
            bounds::DEPTH
        );
        return Err(source.fault("", at..at, message).into());
    }
    let parsed = parse(text);
    if !parsed.errors().is_empty() {
        let mut faults = Diagnostics::default();
        for error in parsed.errors() {
            let message = format!("this is no Python: {}", lower_first(&error.error.to_string()));
            faults.push_with(|| source.fault("", error.location.to_std_range(), message));
        }
        return Err(Diagnostics::of_all(std::iter::once(&faults)));
    }
    definitions(source, dialect, &parsed.syntax().body)
}

/// The syntax tree; where a text is no Python, that of the text without a notebook's own commands.
fn parse(text: &str) -> Parsed<ruff_python_ast::ModModule> {
    let python = ruff_python_ast::PySourceType::Python;
    let parsed = parse_unchecked_source(text, python);
    if parsed.errors().is_empty() {
        return parsed;
    }
    match bounds::without_magics(text) {
        Some(text) if !bounds::is_too_deep(&text) => parse_unchecked_source(&text, python),
        _ => parsed,
    }
}

/// A call that defines a flow, and what is wrong with it.
struct Part<'a> {
    call: Call<'a>,
    name: Option<String>,
    defined: Option<Defined<'a>>,
    faults: Diagnostics,
    warnings: Vec<Diagnostic>,
}

fn definitions(source: &Source, dialect: Dialect, body: &[Stmt]) -> Result<Definitions, Diagnostics> {
    let module = Module::of(body);
    let values = Values::new(source, &module.scopes);
    let mut reader = Reader { values: &values, faults: Diagnostics::default(), dialect };
    let mut parts = Vec::new();
    let mut tables = Vec::new();
    for &call in &module.calls {
        let Some(function) = module.scopes.function(&call.expr.func, call.scope) else { continue };
        if let Some(snapshots) = is_from_snapshot(function) {
            let (name, defined) = reader.flow(call, function, snapshots);
            if dialect == Dialect::Spark43 && function != FLOWS[0] {
                // Whatever else it is, it isn't there.
                reader.take();
                let message = format!("Apache Spark 4.3 has no `{function}`; expected `{}`", FLOWS[0]);
                reader.fault(&*call.expr.func, message);
            }
            parts.push(Part { call, name, defined, faults: reader.take(), warnings: Vec::new() });
        } else if tables::declares(function) {
            tables.push(call);
        }
    }
    let passed = module.passed.iter().map(|function| passed_on(&values, function));
    if parts.is_empty() {
        let warnings = passed.map(|warning| warning.to_string()).collect();
        return Err(Diagnostics::from(no_flow(source, dialect, &module)).with_warnings(warnings));
    }
    let mut tables = Tables::of(&reader, tables.into_iter());
    for part in &mut parts {
        if let Some(defined) = &mut part.defined {
            tables.apply(&mut reader, defined, (&mut part.faults, &mut part.warnings));
        }
    }
    twice(&mut reader, &mut parts);
    let sources = parts.iter().filter_map(|part| part.defined.as_ref()?.source.as_deref());
    let views = views::warnings(&values, &module.functions, &sources.map(tables::folded).collect());
    for part in &mut parts {
        part.warnings
            .extend(part.call.only_if.and_then(|only_if| made_only_if(&values, &module, part.call, only_if)));
        let Some(defined) = &part.defined else { continue };
        let source_name = defined.source.as_deref().map(tables::folded);
        part.warnings.extend(source_name.and_then(|name| views.get(&name)).into_iter().flatten().cloned());
        part.warnings.extend(defined.filter.map(|filter| {
            let message = "`where` drops nothing: it is expected of every event, also of a fixture's";
            source.fault("", filter.range().to_std_range(), message.to_owned())
        }));
    }
    if let [only] = &mut *parts {
        only.warnings.extend(passed);
    }
    Ok(read_and_unread(source, parts))
}

fn read_and_unread(source: &Source, parts: Vec<Part<'_>>) -> Definitions {
    let mut definitions = Definitions::default();
    for Part { call, name, defined, faults, mut warnings } in parts {
        let line = source.line(call.expr.range().start().to_usize());
        match defined {
            Some(Defined { name, target, flow, bounds, .. }) if faults.count() == 0 => {
                diagnostic::sort(&mut warnings);
                definitions.flows.push(Definition { name, target, flow, bounds, line, warnings });
            }
            _ => {
                let faults = Diagnostics::of_all(std::iter::once(&faults));
                definitions.unread.push(Unread { name, line, faults });
            }
        }
    }
    definitions
}

/// That a call may not be made.
fn made_only_if(
    values: &Values<'_>,
    module: &Module<'_>,
    call: Call<'_>,
    only_if: OnlyIf<'_>,
) -> Option<Diagnostic> {
    let what = match only_if {
        OnlyIf::Holds(test) => values.shown(test),
        OnlyIf::HoldsNot(test) => format!("{} doesn't hold", values.shown(test)),
        OnlyIf::Matches => "its case matches".to_owned(),
        OnlyIf::Caught => "an exception is caught".to_owned(),
        OnlyIf::Called(name) if module.used.contains(name) => return None,
        OnlyIf::Called(name) => format!("{} is called, which this file doesn't do", quoted(name)),
    };
    let message = format!("this call is made only if {what}: the fixtures take it as made");
    Some(values.source.fault("", call.expr.func.range().to_std_range(), message))
}

fn passed_on(values: &Values<'_>, function: &Expr) -> Diagnostic {
    let message = format!(
        "{} is passed on here; the flows that it defines elsewhere aren't read",
        values.shown(function)
    );
    values.source.fault("", function.range().to_std_range(), message)
}

/// That a file calls no function that defines a flow; where it calls one of nearly that name, which.
fn no_flow(source: &Source, dialect: Dialect, module: &Module<'_>) -> Diagnostic {
    let flows = if dialect == Dialect::Spark43 { &FLOWS[..1] } else { &FLOWS[..] };
    let meant = module.calls.iter().find_map(|call| {
        let name = module.scopes.function(&call.expr.func, call.scope)?;
        let is_likely = flows.iter().any(|flow| name.starts_with(&flow[..7]));
        Some((call, name, near(name, flows.iter().copied()).filter(|_| is_likely)?))
    });
    if let Some((call, name, meant)) = meant {
        let message = format!("{} defines no flow; did you mean `{meant}`?", quoted(name));
        return source.fault("", call.expr.func.range().to_std_range(), message);
    }
    let more = match dialect {
        Dialect::Databricks => ", `apply_changes`, or one of their `.._from_snapshot..` forms",
        Dialect::Spark43 => "",
    };
    let text = format!("the file defines no flow; expected a call of `create_auto_cdc_flow`{more}");
    Diagnostic::of_path(&source.path, text)
}

/// Says which flows have a name that another one has. Calls on several ways through the code may say the same.
fn twice<'a>(reader: &mut Reader<'_, 'a>, parts: &mut Vec<Part<'a>>) {
    let source = reader.values.source;
    let line = |call: Call<'_>| source.line(call.expr.range().start().to_usize());
    let mut seen: HashMap<String, (Call<'a>, Flow)> = HashMap::new();
    let mut on_all_ways = HashSet::new();
    parts.retain_mut(|part| {
        let Some(defined) = &part.defined else { return true };
        let Some((first, flow)) = seen.get(&defined.name) else {
            seen.insert(defined.name.clone(), (part.call, defined.flow.clone()));
            return true;
        };
        if first.is_on_branch && part.call.is_on_branch && *flow == defined.flow && part.faults.count() == 0 {
            on_all_ways.insert(defined.name.clone());
            return false;
        }
        let message = format!(
            "the flows in lines {} and {} are both called {}; expected a `name` of its own for one of them",
            line(*first),
            line(part.call),
            quoted(&defined.name)
        );
        reader.fault(part.call.expr, message);
        part.faults.append(reader.take());
        true
    });
    for part in parts {
        if part.defined.as_ref().is_some_and(|defined| on_all_ways.contains(&defined.name)) {
            part.call.only_if = None;
        }
    }
}

//! Flows in SQL: `CREATE FLOW ... AS AUTO CDC`, `CREATE STREAMING TABLE ... FLOW AUTO CDC`, `APPLY CHANGES`.
//!
//! A file is cut into statements; what is wrong with one concerns no other. Those that define no flow, and no
//! table or view that a flow reads or writes, are passed over, whatever they are.

mod tokens;
mod cursor;
mod report;
mod names;
mod clauses;
mod query;
mod source;
mod selection;
mod flow;
mod declared;
mod table;
mod columns;
mod statement;
mod quoting;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;

use cdc_core::{Dialect, Flow, ScdType, folded};

use super::{Bounds, Definition, Definitions, Unread};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::json::Source;
pub(crate) use columns::{Columns, Form, columns};
use cursor::shown;
pub(crate) use declared::Fault;
use names::{Index, Path};
use query::Query;
pub(super) use quoting::{column, expression, path};
use report::{Found, Report};
use statement::{Stated, Statement};
use table::Table;
use tokens::Statements;

/// How large a file may be, in mebibytes: far above any pipeline.
const MEBIBYTES: usize = 4;

/// How many flows a file may define.
const FLOWS: usize = 1000;

/// How many views are looked at between a flow and what it reads in the end.
const VIEWS: usize = 100;

/// All flows of a file of SQL.
pub(super) fn read(source: &Source, dialect: Dialect) -> Result<Definitions, Diagnostics> {
    if MEBIBYTES << 20 < source.text().len() {
        let message = format!("the file is larger than {MEBIBYTES} MiB; expected a smaller one");
        return Err(Diagnostic::of_path(&source.path, message).into());
    }
    let mut report = Report::new(source, dialect);
    let statements = tokens::statements(source.text());
    let parts = Parts::of(&statements, &mut report);
    // What makes no sense to the end of the file concerns all of it.
    if let Some((range, message)) = statements.fault.clone() {
        report.fault(range, message);
    }
    if let Some(beyond) = parts.beyond.clone() {
        report.fault(beyond, format!("more than {FLOWS} flows are defined here; expected fewer"));
    }
    let whole = report.take().faults;
    let definitions = definitions(parts, &mut report);
    if whole.count() != 0 {
        return Err(Diagnostics::of_all([&whole, &definitions.faults()].into_iter()));
    }
    if definitions.flows.is_empty() && definitions.unread.is_empty() {
        let expected = match dialect {
            Dialect::Databricks => {
                ", `CREATE STREAMING TABLE table FLOW AUTO CDC ...` or `APPLY CHANGES INTO table ...`"
            }
            Dialect::Spark43 => " or `CREATE STREAMING TABLE table FLOW AUTO CDC ...`",
        };
        let message = format!(
            "no flow is defined here; expected `CREATE FLOW name AS AUTO CDC INTO table ...`{expected}"
        );
        return Err(Diagnostic::of_path(&source.path, message).into());
    }
    Ok(definitions)
}

/// What the statements of a file define, and what was found in each.
#[derive(Default)]
struct Parts<'p> {
    flows: Vec<(Stated, Found)>,
    tables: Vec<Table<'p>>,
    /// What was found in the tables.
    found: Vec<Found>,
    /// The flows of which hardly more is known than that they are wrong.
    unread: Vec<Unread>,
    /// The same without a name.
    nameless: Diagnostics,
    /// Where the first flow is that is one too many.
    beyond: Option<Range<usize>>,
}

impl<'p> Parts<'p> {
    fn of(statements: &'p Statements, report: &mut Report<'p>) -> Self {
        let mut all = Self::default();
        for pieces in &statements.statements {
            let parts = statement::parts(pieces, report);
            // Two parts without a semicolon between them: none of them can be deployed.
            let between = report.take().faults;
            for (at, part) in parts.into_iter().enumerate() {
                let statement = statement::read(part, report);
                let mut found = report.take();
                let ends = [at.checked_sub(1), Some(at)].into_iter().flatten();
                for fault in ends.filter_map(|end| between.faults().get(end)) {
                    found.faults.push(fault.clone());
                }
                if FLOWS <= all.flows.len() + all.unread.len()
                    && (statement.flow.is_some() || statement.name.is_some())
                {
                    all.beyond = all.beyond.or_else(|| part.first().map(|first| first.range.clone()));
                    return all;
                }
                let line = part.first().map_or(1, |first| report.line(first.range.start));
                all.add(statement, line, found);
            }
        }
        all
    }

    fn add(&mut self, statement: Statement<'p>, line: usize, mut found: Found) {
        let Statement { name, flow, table } = statement;
        if let Some(stated) = flow {
            self.flows.push((stated, std::mem::take(&mut found)));
        } else if table.is_none() && found.faults.count() != 0 {
            match found.sound() {
                Err(faults) if name.is_some() => self.unread.push(Unread { name, line, faults }),
                Err(faults) => self.nameless.append(faults),
                Ok(_) => {}
            }
            return;
        }
        if let Some(table) = table {
            self.tables.push(table);
            self.found.push(found);
        }
    }
}

fn definitions(parts: Parts<'_>, report: &mut Report<'_>) -> Definitions {
    let Parts { mut flows, tables, found, mut unread, nameless, .. } = parts;
    let indexed = |is_in: &dyn Fn(&Table<'_>) -> bool| {
        Index::new(tables.iter().enumerate().filter(|it| is_in(it.1)).map(|(at, table)| (&table.name, at)))
    };
    let targets = indexed(&|table| !table.is_view);
    let sources = Sources { index: indexed(&|_| true), tables: &tables };
    let names = named_apart(&mut flows, report);
    let mut all_bounds: HashMap<(usize, bool), (Bounds, Found)> = HashMap::new();
    let mut definitions = Definitions::default();
    for ((stated, mut own), name) in flows.into_iter().zip(names) {
        let target = targets.find(&stated.target);
        let mut bounds = Bounds::default();
        if let Some(at) = target {
            own.add(&found[at]);
            let scd_type = stated.flow.stored_as_scd_type;
            if scd_type != ScdType::One {
                let key = (at, scd_type == ScdType::Bitemporal);
                let (of_table, found) = all_bounds
                    .entry(key)
                    .or_insert_with(|| (tables[at].bounds(scd_type, report), report.take()));
                own.add(found);
                bounds = of_table.clone();
            }
            if let Some(drops) = tables[at].drops.clone() {
                let message =
                    "the expectation drops rows of the target: the rows of a fixture are those before it";
                report.warn(drops, message);
            }
        }
        if let Some(message) = sources.surprise(&stated, report) {
            report.warn(stated.origin.range.clone(), message);
        }
        own.add(&report.take());
        match own.sound() {
            Ok(warnings) => definitions.flows.push(Definition {
                name,
                target: report.text()[stated.target.range.clone()].to_owned(),
                line: report.line(stated.head.start),
                flow: Flow {
                    tombstone_gc_threshold_seconds: target.and_then(|at| tables[at].tombstone),
                    ..stated.flow
                },
                bounds,
                warnings,
            }),
            Err(faults) => {
                let line = report.line(stated.head.start);
                unread.push(Unread { name: Some(name), line, faults });
            }
        }
    }
    if let Some(first) = nameless.faults().first() {
        let line = first.place.map_or(1, |(line, _)| line);
        unread.push(Unread { name: None, line, faults: nameless });
    }
    unread.sort_by_key(|unread| unread.line);
    definitions.unread = unread;
    definitions
}

/// The tables and views that flows may read.
struct Sources<'t, 'p> {
    index: Index<'t>,
    tables: &'t [Table<'p>],
}

impl Sources<'_, '_> {
    /// What the source of a flow does to the rows on their way.
    fn surprise(&self, stated: &Stated, report: &Report<'_>) -> Option<String> {
        let end = "the events of a fixture are those behind it";
        if let Some(what) = stated.origin.query.as_ref().and_then(Query::what) {
            return Some(format!("the query in the place of the source {what}: {end}"));
        }
        let own = stated.origin.query.iter().flat_map(|query| &query.sources);
        let mut left: Vec<&Path> = stated.origin.table.iter().chain(own).collect();
        let mut seen = BTreeSet::new();
        while let Some(name) = left.pop().filter(|_| seen.len() < VIEWS) {
            let Some(at) = self.index.find(name).filter(|&at| seen.insert(at)) else { continue };
            let Table { name, is_view, query: Some(query), .. } = &self.tables[at] else { continue };
            if let Some(what) = query.what() {
                let kind = if *is_view { "view" } else { "table" };
                let (line, name) = (report.line(name.range.start), shown(&report.text()[name.range.clone()]));
                return Some(format!("the {kind} {name} (line {line}) {what}: {end}"));
            }
            left.extend(&query.sources);
        }
        None
    }
}

/// The names of flows, each of its own.
fn named_apart(flows: &mut [(Stated, Found)], report: &mut Report<'_>) -> Vec<String> {
    let mut names = HashSet::new();
    let mut own_name = |(stated, found): &mut (Stated, Found)| {
        let Stated { name, target, .. } = stated;
        let mut own = name.as_ref().map_or_else(|| target.last().to_owned(), |name| name.parts.join("."));
        if name.is_none() && names.contains(&folded(&own)) {
            // Tables of several schemas may end in one name.
            own = target.parts.join(".");
        }
        if !names.insert(folded(&own)) {
            let own = shown(&own);
            let message = format!(
                "a flow {own} is defined above; expected a name of its own, as in `CREATE FLOW name AS ...`"
            );
            report.fault(name.as_ref().unwrap_or(target).range.clone(), message);
            found.add(&report.take());
        }
        own
    };
    flows.iter_mut().map(&mut own_name).collect()
}

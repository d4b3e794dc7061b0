//! The tables into which flows write: their properties, their declared columns.

use std::collections::HashMap;

use cdc_core::{Dialect, ScdType};
use ruff_python_ast::Expr;
use ruff_text_size::{Ranged, TextSize};

use super::arguments::Reader;
use super::columns::parts;
use super::flows::Defined;
use super::schema::bounds;
use super::values::{Fault, Given, Values};
use super::walk::Call;
use crate::definition::Bounds;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::json::quoted;

/// The properties that say how long a delete is remembered, the one that wins first.
const TOMBSTONES: [&str; 2] =
    ["pipelines.cdc.tombstoneGCThresholdInSeconds", "pipelines.applyChanges.tombstoneGCThresholdInSeconds"];

/// A table as a call declares it.
#[derive(Clone, Copy)]
pub(super) struct Table<'a> {
    call: Call<'a>,
}

impl<'a> Table<'a> {
    fn get(self, name: &str) -> Option<Given<'a>> {
        let keyword = self.call.expr.arguments.find_keyword(name)?;
        Some(Given { expr: &keyword.value, scope: self.call.scope })
    }
}

/// Whether a function declares a table that flows may write into.
pub(super) fn declares(function: &str) -> bool {
    matches!(function, "create_streaming_table" | "create_target_table" | "create_streaming_live_table")
}

/// A name of a table to be compared: without backticks, case and the old schema `LIVE`.
pub(super) fn folded(name: &str) -> String {
    let mut parts = parts(name).unwrap_or_else(|| vec![name.to_owned()]);
    if 1 < parts.len() && parts[0].eq_ignore_ascii_case("live") {
        parts.remove(0);
    }
    parts.join(".").to_lowercase()
}

/// The last part of a folded name.
fn last(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

/// The declared tables of a file.
#[derive(Default)]
pub(super) struct Tables<'a> {
    by_name: HashMap<String, Table<'a>>,
    /// By the last part of the name; `None` where that is the same of two.
    by_last: HashMap<String, Option<Table<'a>>>,
    /// What the properties of a table said, by its place; several flows may write into it.
    read: HashMap<TextSize, Properties>,
    /// What the schema of a table says, and what is wrong with it, for a bitemporal flow or another one.
    checked: HashMap<(TextSize, bool), (Bounds, Diagnostics)>,
}

/// What the properties of a table said, and what is wrong with them.
struct Properties {
    tombstones: Option<u64>,
    faults: Diagnostics,
    warnings: Vec<Diagnostic>,
}

impl<'a> Tables<'a> {
    /// The tables that calls declare, by their names.
    pub(super) fn of(reader: &Reader<'_, 'a>, calls: impl Iterator<Item = Call<'a>>) -> Self {
        let mut tables = Self::default();
        for call in calls {
            let table = Table { call };
            let first = call.expr.arguments.args.first().map(|expr| Given { expr, scope: call.scope });
            let Some(given) = first.or_else(|| table.get("name")) else { continue };
            reader.values.begin();
            let name = folded(&reader.values.template(given));
            tables
                .by_last
                .entry(last(&name).to_owned())
                .and_modify(|table| *table = None)
                .or_insert(Some(table));
            tables.by_name.entry(name).or_insert(table);
        }
        tables
    }

    /// The table of this name; where only one of both names says in which schema it is, the last parts count.
    fn find(&self, target: &str) -> Option<Table<'a>> {
        let name = folded(target);
        let exact = self.by_name.get(&name).or_else(|| self.by_name.get(target));
        exact.copied().or_else(|| {
            let table = self.by_last.get(last(&name)).copied().flatten()?;
            let is_short = !name.contains('.') || self.by_name.contains_key(last(&name));
            is_short.then_some(table)
        })
    }

    /// Adds to a flow what its target says, and checks it. What can't be told is a warning.
    pub(super) fn apply(
        &mut self,
        reader: &mut Reader<'_, 'a>,
        defined: &mut Defined<'a>,
        (faults, warnings): (&mut Diagnostics, &mut Vec<Diagnostic>),
    ) {
        let Some(table) = self.find(&defined.target) else { return };
        let place = table.call.expr.range().start();
        if let Some(properties) = table.get("table_properties") {
            let read = self.read.entry(place).or_insert_with(|| {
                let mut warnings = Vec::new();
                let tombstones = tombstones(reader, properties, &mut warnings);
                Properties { tombstones, faults: reader.take(), warnings }
            });
            defined.flow.tombstone_gc_threshold_seconds = read.tombstones;
            faults.append(read.faults.clone());
            warnings.extend_from_slice(&read.warnings);
        }
        if let Some(dropping) = table.get("expect_all_or_drop") {
            let text = format!(
                "the target {} drops rows by `expect_all_or_drop`; the events of a fixture are those that pass it",
                quoted(&defined.target)
            );
            warnings.push(reader.values.source.fault("", dropping.expr.range().to_std_range(), text));
        }
        if let Some(schema) = table.get("schema")
            && defined.flow.stored_as_scd_type != ScdType::One
        {
            let scd_type = defined.flow.stored_as_scd_type;
            let (of_table, found) = self
                .checked
                .entry((place, scd_type == ScdType::Bitemporal))
                .or_insert_with(|| (bounds(reader, schema, scd_type), reader.take()));
            defined.bounds = of_table.clone();
            faults.append(found.clone());
        }
    }
}

/// How long a delete is remembered, where the properties say so.
fn tombstones<'a>(
    reader: &mut Reader<'_, 'a>,
    given: Given<'a>,
    warnings: &mut Vec<Diagnostic>,
) -> Option<u64> {
    let values = reader.values;
    values.begin();
    let mut found = [None; 2];
    let mut unknown = None;
    match entries(values, given, &mut found, &mut unknown) {
        Ok(()) => {}
        Err(Fault::Misfit(what)) if what == "None" => return None,
        Err(Fault::Misfit(what)) => {
            reader.fault(given.expr, format!("`table_properties` is {what}; expected a dict"));
            return None;
        }
        Err(Fault::Unknown(what) | Fault::Said(what)) => unknown = Some(what),
    }
    let Some((name, value)) =
        TOMBSTONES.iter().zip(found).find_map(|(name, value)| value.map(|value| (*name, value)))
    else {
        if let Some(what) = unknown.filter(|_| reader.dialect == Dialect::Databricks) {
            let range = given.expr.range().to_std_range();
            let text = format!(
                "`table_properties`: {what} is known only when the code runs; if it sets `{}`, a fixture's `flow` \
                 says `tombstone_gc_threshold_seconds` beside its `definition`",
                TOMBSTONES[0]
            );
            warnings.push(values.source.fault("", range, text));
        }
        return None;
    };
    if reader.dialect == Dialect::Spark43 {
        let text = format!("Apache Spark 4.3 remembers deletes for ever; `{name}` is ignored");
        warnings.push(values.source.fault("", value.expr.range().to_std_range(), text));
        return None;
    }
    reader.read(name, value, "a number of seconds, such as \"432000\"", |values, given| {
        values.with(given, |given| {
            if given.expr.is_number_literal_expr() {
                return values.number(given);
            }
            values.text(given)?.trim().parse().map_err(|_| values.other(given))
        })
    })
}

/// The entries of a dict: the two properties where they are given, and what can't be told.
fn entries<'a>(
    values: &Values<'a>,
    given: Given<'a>,
    found: &mut [Option<Given<'a>>; 2],
    unknown: &mut Option<String>,
) -> Result<(), Fault> {
    values.with(given, |given| {
        let Expr::Dict(dict) = given.expr else { return Err(values.other(given)) };
        for item in dict {
            let value = given.at(&item.value);
            let Some(key) = &item.key else {
                let inner = entries(values, value, found, unknown);
                if let Err(Fault::Unknown(what) | Fault::Said(what) | Fault::Misfit(what)) = inner {
                    *unknown = Some(what);
                }
                continue;
            };
            match values.text(given.at(key)) {
                Ok(name) => {
                    if let Some(place) = TOMBSTONES.iter().position(|other| other.eq_ignore_ascii_case(&name))
                    {
                        found[place] = Some(value);
                    }
                }
                Err(Fault::Unknown(what) | Fault::Said(what)) => *unknown = Some(what),
                Err(Fault::Misfit(_)) => {}
            }
        }
        Ok(())
    })
}

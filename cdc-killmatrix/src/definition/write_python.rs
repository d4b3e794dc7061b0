use std::fmt::Write as _;

use cdc_core::{Flow, ScdType};

use super::Written;
use super::python::{in_sql, name_parts};
use crate::escape::is_hidden;

/// Flows into a target as a Python module of Databricks, which [`Definitions::read`](super::Definitions::read) reads.
///
/// Only what the flows set is written. A module doesn't say whose rules hold, nor of which type the versions of
/// snapshots are.
///
/// ```
/// use cdc_core::Flow;
/// use cdc_killmatrix::definition::{Written, to_python};
///
/// let flow = Flow {
///     keys: vec!["customer_id".into()],
///     sequence_by: "struct(source_lsn, event_pos)".into(),
///     apply_as_deletes: Some("operation = 'DELETE'".into()),
///     ..Flow::default()
/// };
/// assert_eq!(
///     to_python("customers", &[Written { name: "customers", source: "customers_cdc", flow: &flow }]),
///     r#"from pyspark import pipelines as dp
/// from pyspark.sql.functions import expr, struct
///
/// dp.create_streaming_table(name="customers")
///
/// dp.create_auto_cdc_flow(
///     target="customers",
///     source="customers_cdc",
///     keys=["customer_id"],
///     sequence_by=struct("source_lsn", "event_pos"),
///     apply_as_deletes=expr("operation = 'DELETE'"),
///     stored_as_scd_type=1,
/// )
/// "#
/// );
/// ```
pub fn to_python(target: &str, flows: &[Written<'_>]) -> String {
    let code = text(target);
    let calls: Vec<Call<'_>> = flows
        .iter()
        .map(|&Written { name, source, flow }| {
            let name = (name != target).then(|| text(name));
            Call { flow, arguments: arguments(flow, &code, text(source), name) }
        })
        .collect();
    module("", &code, &calls)
}

/// A flow as the file of a pipeline whose configuration names its tables: under `source` the one that is read as a
/// stream, under `target` the one that is written.
///
/// It runs on Databricks and, as far as Spark has the clauses, on Apache Spark: both give such a file `spark`.
///
/// ```
/// use cdc_core::Flow;
/// use cdc_killmatrix::definition::to_pipeline;
///
/// let flow = Flow { keys: vec!["id".into()], sequence_by: "lsn".into(), ..Flow::default() };
/// assert_eq!(
///     to_pipeline(&flow, "cdc.source_table", "cdc.target_table"),
///     r#"from pyspark import pipelines as dp
/// from pyspark.sql.functions import col
///
/// target = spark.conf.get("cdc.target_table")
///
///
/// @dp.temporary_view(name="cdc_source")
/// def cdc_source():
///     return spark.readStream.table(spark.conf.get("cdc.source_table"))
///
///
/// dp.create_streaming_table(name=target)
///
/// dp.create_auto_cdc_flow(
///     target=target,
///     source="cdc_source",
///     keys=["id"],
///     sequence_by=col("lsn"),
///     stored_as_scd_type=1,
/// )
/// "#
/// );
/// ```
pub fn to_pipeline(flow: &Flow, source: &str, target: &str) -> String {
    let view = "cdc_source";
    let head = format!(
        "\ntarget = spark.conf.get({})\n\n\n\
         @dp.temporary_view(name={})\n\
         def {view}():\n    \
             return spark.readStream.table(spark.conf.get({}))\n\n",
        text(target),
        text(view),
        text(source),
    );
    module(&head, "target", &[Call { flow, arguments: arguments(flow, "target", text(view), None) }])
}

/// A call that creates a flow.
struct Call<'a> {
    flow: &'a Flow,
    /// The parameters that are set, as code.
    arguments: Vec<(&'static str, String)>,
}

/// A module: what it imports, then the head, the target, and the flows into it.
fn module(head: &str, target: &str, calls: &[Call<'_>]) -> String {
    let is_called = |function: &&str| {
        let call = format!("{function}(");
        calls.iter().flat_map(|call| &call.arguments).any(|(_, code)| code.starts_with(&call))
    };
    let functions: Vec<&str> = ["col", "expr", "struct"].into_iter().filter(is_called).collect();
    let mut module = String::from("from pyspark import pipelines as dp\n");
    if !functions.is_empty() {
        let _ = writeln!(module, "from pyspark.sql.functions import {}", functions.join(", "));
    }
    module.push_str(head);
    let _ = match calls.iter().find_map(|call| call.flow.tombstone_gc_threshold_seconds) {
        Some(seconds) => write!(
            module,
            "\ndp.create_streaming_table(\n    name={target},\n    table_properties={{\n        \
             \"pipelines.cdc.tombstoneGCThresholdInSeconds\": \"{seconds}\",\n    }},\n)\n",
        ),
        None => writeln!(module, "\ndp.create_streaming_table(name={target})"),
    };
    for Call { flow, arguments } in calls {
        let function = match flow.from_snapshot {
            Some(_) => "create_auto_cdc_from_snapshot_flow",
            None => "create_auto_cdc_flow",
        };
        let _ = writeln!(module, "\ndp.{function}(");
        for (name, code) in arguments {
            let _ = writeln!(module, "    {name}={code},");
        }
        module.push_str(")\n");
    }
    module
}

/// The parameters that are set, as code, in the order of the documentation. Target, source and name are code.
fn arguments(flow: &Flow, target: &str, source: String, name: Option<String>) -> Vec<(&'static str, String)> {
    let is_snapshot = flow.from_snapshot.is_some();
    let list = |names: &Option<Vec<String>>| names.as_deref().map(columns);
    let condition = |sql: &Option<String>| sql.as_deref().map(|sql| format!("expr({})", text(sql)));
    let truth = |set: bool| set.then(|| "True".to_owned());
    let column =
        |name: &Option<String>| name.as_deref().map(|name| format!("col({})", text(&in_column(name))));
    let scd_type = match flow.stored_as_scd_type {
        ScdType::One => "1",
        ScdType::Two => "2",
        ScdType::Bitemporal => "\"bitemporal\"",
    };
    let of_events = |code: Option<String>| code.filter(|_| !is_snapshot);
    [
        ("target", Some(target.to_owned())),
        ("source", Some(source)),
        ("keys", Some(columns(&flow.keys))),
        ("sequence_by", of_events(Some(sequence(&flow.sequence_by)))),
        ("system_sequence_by", of_events(column(&flow.system_sequence_by))),
        ("ignore_null_updates", of_events(truth(flow.ignore_null_updates))),
        ("ignore_null_updates_column_list", of_events(list(&flow.ignore_null_updates_column_list))),
        (
            "ignore_null_updates_except_column_list",
            of_events(list(&flow.ignore_null_updates_except_column_list)),
        ),
        ("columns_to_update", of_events(column(&flow.columns_to_update))),
        ("apply_as_deletes", of_events(condition(&flow.apply_as_deletes))),
        ("apply_as_truncates", of_events(condition(&flow.apply_as_truncates))),
        ("column_list", of_events(list(&flow.column_list))),
        ("except_column_list", of_events(list(&flow.except_column_list))),
        ("stored_as_scd_type", Some(scd_type.to_owned())),
        ("track_history_column_list", list(&flow.track_history_column_list)),
        ("track_history_except_column_list", list(&flow.track_history_except_column_list)),
        ("name", name),
        ("once", truth(flow.once)),
    ]
    .into_iter()
    .filter_map(|(name, code)| Some((name, code?)))
    .collect()
}

fn columns(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| text(&in_column(name))).collect();
    format!("[{}]", names.join(", "))
}

/// A name as Spark takes it for a column: in backticks where it would be taken for a qualified one.
fn in_column(name: &str) -> String {
    if name.contains('.') || name.starts_with('`') {
        format!("`{}`", name.replace('`', "``"))
    } else {
        name.to_owned()
    }
}

/// A sequence: the column, the struct where it is written as it is read, or else the SQL text.
fn sequence(sql: &str) -> String {
    if in_sql(sql) == sql {
        return format!("col({})", text(sql));
    }
    let fields = || {
        let inside = sql.strip_prefix("struct(")?.strip_suffix(')')?;
        let fields: Option<Vec<String>> = inside
            .split(", ")
            .map(|field| Some(name_parts(field)?.pop()?).filter(|name| in_sql(name) == field))
            .collect();
        fields
    };
    match fields() {
        Some(fields) => {
            let fields: Vec<String> = fields.iter().map(|name| text(&in_column(name))).collect();
            format!("struct({})", fields.join(", "))
        }
        None => format!("expr({})", text(sql)),
    }
}

/// A text as a literal on one line; characters that aren't seen are escapes.
fn text(text: &str) -> String {
    let mut literal = String::with_capacity(text.len() + 2);
    literal.push('"');
    for c in text.chars() {
        let _ = match c {
            '"' | '\\' => write!(literal, "\\{c}"),
            '\n' => write!(literal, "\\n"),
            '\r' => write!(literal, "\\r"),
            '\t' => write!(literal, "\\t"),
            c if is_hidden(c) && c <= '\u{ff}' => write!(literal, "\\x{:02x}", u32::from(c)),
            c if is_hidden(c) && c <= '\u{ffff}' => write!(literal, "\\u{:04x}", u32::from(c)),
            c if is_hidden(c) => write!(literal, "\\U{:08x}", u32::from(c)),
            c => write!(literal, "{c}"),
        };
    }
    literal.push('"');
    literal
}

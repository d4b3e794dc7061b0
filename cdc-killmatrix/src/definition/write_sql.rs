//! A flow as statements of SQL.

use cdc_core::{Flow, ScdType};

use super::Written;
use super::sql::{column, expression, path};

/// Flows into a target as Databricks takes them: the statement that makes the target, and one that makes each flow.
///
/// Clauses are in Databricks' order, names in backticks where they need them. The target and the sources are names
/// of tables as they are written. An empty list counts as left out, as in [`Flow`]; of two lists that exclude
/// each other, the first is written. The snapshots of a flow from snapshots are told apart by a column
/// `version` of the source. What SQL doesn't say isn't written: the type of the versions, and the dialect.
///
/// ```
/// use cdc_core::Flow;
/// use cdc_killmatrix::definition::{Written, to_sql};
///
/// let flow = Flow { keys: vec!["customer id".into()], sequence_by: "lsn".into(), ..Flow::default() };
/// assert_eq!(
///     to_sql("customers", &[Written { name: "customers_cdc", source: "raw_customers", flow: &flow }]),
///     "CREATE OR REFRESH STREAMING TABLE customers;
///
/// CREATE FLOW customers_cdc AS AUTO CDC INTO customers
/// FROM STREAM(raw_customers)
/// KEYS (`customer id`)
/// SEQUENCE BY lsn
/// STORED AS SCD TYPE 1;
/// "
/// );
/// ```
pub fn to_sql(target: &str, flows: &[Written<'_>]) -> String {
    let target = path(target);
    let table = format!("CREATE OR REFRESH STREAMING TABLE {target}{};\n", properties(flows));
    std::iter::once(table)
        .chain(flows.iter().map(|flow| statement(&target, *flow)))
        .collect::<Vec<String>>()
        .join("\n")
}

fn statement(target: &str, Written { name, source, flow }: Written<'_>) -> String {
    let (name, source) = (path(name), path(source));
    let once = if flow.once { "ONCE " } else { "" };
    let mut lines = vec![format!("CREATE FLOW {name} AS AUTO CDC {once}INTO {target}")];
    if flow.from_snapshot.is_some() {
        lines.push(from_snapshots(&source));
    } else {
        lines.push(format!("FROM STREAM({source})"));
    }
    lines.push(format!("KEYS {}", listed(&flow.keys)));
    if flow.from_snapshot.is_none() {
        lines.extend(ignored_nulls(flow));
        lines.extend(
            flow.apply_as_deletes.iter().map(|it| format!("APPLY AS DELETE WHEN {}", expression(it))),
        );
        lines.extend(
            flow.apply_as_truncates.iter().map(|it| format!("APPLY AS TRUNCATE WHEN {}", expression(it))),
        );
        lines.push(format!("SEQUENCE BY {}", expression(&flow.sequence_by)));
        lines.extend(flow.system_sequence_by.iter().map(|it| format!("SYSTEM SEQUENCE BY {}", column(it))));
        lines.extend(selected("COLUMNS", flow.column_list.as_ref(), flow.except_column_list.as_ref()));
    }
    lines.push(format!(
        "STORED AS {}",
        match flow.stored_as_scd_type {
            ScdType::One => "SCD TYPE 1",
            ScdType::Two => "SCD TYPE 2",
            ScdType::Bitemporal => "BITEMPORAL",
        }
    ));
    lines.extend(selected(
        "TRACK HISTORY ON",
        flow.track_history_column_list.as_ref(),
        flow.track_history_except_column_list.as_ref(),
    ));
    if flow.from_snapshot.is_none() {
        lines.extend(flow.columns_to_update.iter().map(|it| format!("COLUMNS TO UPDATE {}", column(it))));
    }
    lines.join("\n") + ";\n"
}

/// Those that the first flow to have some gives.
fn properties(flows: &[Written<'_>]) -> String {
    let seconds = flows.iter().find_map(|it| it.flow.tombstone_gc_threshold_seconds);
    seconds.map_or_else(String::new, |seconds| {
        format!("\nTBLPROPERTIES ('pipelines.cdc.tombstoneGCThresholdInSeconds' = '{seconds}')")
    })
}

/// One snapshot after the other, in the order of their versions.
fn from_snapshots(source: &str) -> String {
    format!(
        "FROM SNAPSHOT (
  SELECT * EXCEPT (version) FROM {source}
  WHERE version = (SELECT version FROM current_snapshot_version())
)
WITH VERSION (
  SELECT DISTINCT version FROM {source}
  WHERE NOT EXISTS (SELECT 1 FROM last_snapshot_version())
    OR version > (SELECT version FROM last_snapshot_version())
  ORDER BY version LIMIT 1
)"
    )
}

fn ignored_nulls(flow: &Flow) -> Option<String> {
    let only = flow.ignore_null_updates_column_list.as_ref();
    let except = flow.ignore_null_updates_except_column_list.as_ref();
    let is_everywhere = flow.ignore_null_updates || except.is_some_and(Vec::is_empty);
    if is_everywhere {
        return Some("IGNORE NULL UPDATES".to_owned());
    }
    selected("IGNORE NULL UPDATES ON", only, except)
}

/// A clause that takes columns, or all but some.
fn selected(clause: &str, only: Option<&Vec<String>>, except: Option<&Vec<String>>) -> Option<String> {
    let given = |list: Option<&Vec<String>>| list.filter(|list| !list.is_empty()).map(|list| listed(list));
    let only = given(only).map(|list| format!("{clause} {list}"));
    only.or_else(|| Some(format!("{clause} * EXCEPT {}", given(except)?)))
}

fn listed(columns: &[String]) -> String {
    let columns: Vec<_> = columns.iter().map(|name| column(name)).collect();
    format!("({})", columns.join(", "))
}

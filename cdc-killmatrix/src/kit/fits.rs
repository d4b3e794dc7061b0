//! Which fixtures a workspace can play.

use cdc_core::{DataType, Dialect, Plan};

use crate::escape::is_hidden;
use crate::fixture::Fixture;

/// Why the kit leaves a fixture out, if it does.
pub(super) fn reason_against(fixture: &Fixture) -> Option<String> {
    if fixture.plans.iter().any(Plan::reads_snapshots) {
        return Some("its flow reads snapshots, and the kit appends events to a table".to_owned());
    }
    let [plan] = &*fixture.plans else {
        return Some("it has several flows, and a pipeline of the kit has one".to_owned());
    };
    let flow = plan.flow();
    if flow.once {
        return Some("its flow runs once, and the kit's are streams that go on".to_owned());
    }
    if flow.dialect == Dialect::Spark43 {
        return Some("its dialect is `spark-4.3`, and a workspace has the rules of Databricks".to_owned());
    }
    let batches = 0..fixture.feed.batches();
    if batches.into_iter().any(|number| fixture.feed.batch(number).delivery.seconds != 0) {
        return Some(
            "time passes in it (`advance_seconds`), and a workspace's clock can't be moved".to_owned(),
        );
    }
    plan.schema().iter().find_map(|column| {
        if let Some(name) = no_delta(&column.name, &column.data_type) {
            return Some(format!("a Delta table can't have a column or field called `{name}`"));
        }
        let is_pairs = matches!(column.data_type, DataType::Map(..));
        let holds_map = match &column.data_type {
            DataType::Map(key, value) => has_map(key) || has_map(value),
            other => has_map(other),
        };
        holds_map.then(|| {
            let more = if is_pairs { "another map" } else { "a map" };
            format!("`{}` has {more} inside, which the kit has no literal for", column.name)
        })
    })
}

/// The name of a column, or of a field in it, that Delta doesn't take.
fn no_delta<'a>(name: &'a str, data_type: &'a DataType) -> Option<&'a str> {
    let inner = match data_type {
        DataType::Struct(fields) => fields.iter().find_map(|field| no_delta(&field.name, &field.data_type)),
        DataType::Array(element) => no_delta("", element),
        DataType::Map(key, value) => no_delta("", key).or_else(|| no_delta("", value)),
        _ => None,
    };
    name.chars().any(is_no_delta).then_some(name).or(inner)
}

/// Whether Delta takes no such character in the name of a column, unless names are mapped.
fn is_no_delta(c: char) -> bool {
    " ,;{}()=".contains(c) || is_hidden(c)
}

fn has_map(data_type: &DataType) -> bool {
    match data_type {
        DataType::Map(..) => true,
        DataType::Array(element) => has_map(element),
        DataType::Struct(fields) => fields.iter().any(|field| has_map(&field.data_type)),
        _ => false,
    }
}

//! A definition as a fingerprint: does a flow still say what it said?

use cdc_core::{Flow, Plan, ScdType};
use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};

/// The fingerprint of flows into one target, each with the columns of its source: the start of a SHA-256.
///
/// It is made of the parameters that are given, by their names and in a fixed order, so that it stays what it is when
/// there are more parameters to give.
///
/// ```
/// use cdc_core::{Flow, Plan};
/// use cdc_killmatrix::audit::fingerprint;
///
/// let schema: cdc_core::Schema = "id BIGINT, lsn BIGINT".parse()?;
/// let flow = Flow { keys: vec!["id".into()], sequence_by: "lsn".into(), ..Flow::default() };
/// let plan = Plan::new(flow.clone(), schema.clone())?;
/// assert_eq!(fingerprint(&[plan]), "sha256:847ebcf5f65e39af");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn fingerprint(plans: &[Plan]) -> String {
    let definitions: Vec<Value> = plans.iter().map(definition).collect();
    let digest = Sha256::digest(Value::from(definitions).to_string());
    format!("sha256:{}", data_encoding::HEXLOWER.encode(&digest[..8]))
}

fn definition(plan: &Plan) -> Value {
    let columns = plan.schema().iter().map(|column| json!([column.name, column.data_type.to_string()]));
    let Flow {
        keys,
        sequence_by,
        system_sequence_by,
        ignore_null_updates,
        ignore_null_updates_column_list,
        ignore_null_updates_except_column_list,
        columns_to_update,
        apply_as_deletes,
        apply_as_truncates,
        column_list,
        except_column_list,
        stored_as_scd_type,
        track_history_column_list,
        track_history_except_column_list,
        once,
        from_snapshot,
        tombstone_gc_threshold_seconds,
        dialect,
    } = plan.flow();
    let scd_type = match stored_as_scd_type {
        ScdType::One => "1",
        ScdType::Two => "2",
        ScdType::Bitemporal => "BITEMPORAL",
    };
    let given = [
        ("schema", Value::from(columns.collect::<Vec<Value>>())),
        ("keys", json!(keys)),
        ("sequence_by", json!(sequence_by)),
        ("system_sequence_by", json!(system_sequence_by)),
        ("ignore_null_updates", json!(ignore_null_updates.then_some(true))),
        ("ignore_null_updates_column_list", json!(ignore_null_updates_column_list)),
        ("ignore_null_updates_except_column_list", json!(ignore_null_updates_except_column_list)),
        ("columns_to_update", json!(columns_to_update)),
        ("apply_as_deletes", json!(apply_as_deletes)),
        ("apply_as_truncates", json!(apply_as_truncates)),
        ("column_list", json!(column_list)),
        ("except_column_list", json!(except_column_list)),
        ("stored_as_scd_type", json!(scd_type)),
        ("track_history_column_list", json!(track_history_column_list)),
        ("track_history_except_column_list", json!(track_history_except_column_list)),
        ("once", json!(once.then_some(true))),
        ("version_type", json!(from_snapshot.as_ref().map(ToString::to_string))),
        ("tombstone_gc_threshold_seconds", json!(tombstone_gc_threshold_seconds)),
        ("dialect", json!(dialect.name())),
    ];
    let given = given.into_iter().filter(|(_, value)| !value.is_null());
    Value::Object(given.map(|(name, value)| (name.to_owned(), value)).collect::<Map<_, _>>())
}

//! The types of a Parquet file as SQL has them.

use std::sync::Arc;

use ::parquet::basic::Type as Physical;
use ::parquet::schema::types::SchemaDescriptor;
use arrow_schema::{DataType as Arrow, Field, FieldRef, Fields, Schema, SchemaRef, TimeUnit};
use cdc_core::DataType;

use crate::columns;
use crate::verify::capture::Declared;

/// Where Spark keeps the schema of the `DataFrame`, as `df.schema.json()` prints it.
const OF_SPARK: &str = "org.apache.spark.sql.parquet.row.metadata";

/// Where Spark notes that days and times before the Gregorian calendar are meant in the Julian one.
const JULIAN: [&str; 2] = ["org.apache.spark.legacyDateTime", "org.apache.spark.legacyINT96"];

/// What a file says of itself beside its rows: names, each with a text.
pub(super) type Said<'a> = &'a [(&'a str, &'a str)];

/// The type of each column: Spark's, where it says it, else what Spark would read the file's own as.
pub(super) fn declared(schema: &Schema, said: Said<'_>) -> Vec<Declared> {
    let spark =
        said.iter().find(|(name, _)| *name == OF_SPARK).map(|(_, text)| of_spark(text)).unwrap_or_default();
    let column = |field: &FieldRef| {
        let known = spark.iter().find(|declared| declared.column == *field.name());
        known.cloned().unwrap_or_else(|| of_file(field))
    };
    schema.fields().iter().map(column).collect()
}

/// Whether days may be in another calendar than they are read in.
pub(super) fn is_julian(said: Said<'_>) -> bool {
    said.iter().any(|(name, _)| JULIAN.contains(name))
}

/// Spark's own types, each read alone: of one that the model doesn't have, its name is kept.
fn of_spark(text: &str) -> Vec<Declared> {
    let schema: serde_json::Value = serde_json::from_str(text).unwrap_or_default();
    let fields = schema["fields"].as_array().map(Vec::as_slice).unwrap_or_default();
    let column = |field: &serde_json::Value| {
        let column = field["name"].as_str()?.to_owned();
        let alone = serde_json::json!({ "type": "struct", "fields": [field] }).to_string();
        let data_type =
            columns::read(&alone).ok().and_then(|schema| Some(schema.iter().next()?.data_type.clone()));
        let text = match (&data_type, &field["type"]) {
            (Some(data_type), _) => data_type.to_string(),
            (None, serde_json::Value::String(name)) => name.to_uppercase(),
            (None, json) => json.to_string(),
        };
        Some(Declared { column, text, data_type })
    };
    fields.iter().filter_map(column).collect()
}

fn of_file(field: &Field) -> Declared {
    let data_type = sql(field.data_type());
    let text = match &data_type {
        Some(data_type) => data_type.to_string(),
        None if *field.data_type() == Arrow::Null => "VOID".to_owned(),
        None => field.data_type().to_string(),
    };
    Declared { column: field.name().clone(), text, data_type }
}

/// The type as which Spark would read a column, if it would and the model has it.
fn sql(data_type: &Arrow) -> Option<DataType> {
    Some(match data_type {
        Arrow::Boolean => DataType::Boolean,
        Arrow::Int8 => DataType::TinyInt,
        Arrow::Int16 | Arrow::UInt8 => DataType::SmallInt,
        Arrow::Int32 | Arrow::UInt16 => DataType::Int,
        Arrow::Int64 | Arrow::UInt32 => DataType::BigInt,
        Arrow::UInt64 => DataType::Decimal { precision: 20, scale: 0 },
        Arrow::Float32 => DataType::Float,
        Arrow::Float64 => DataType::Double,
        Arrow::Decimal128(precision, scale) | Arrow::Decimal256(precision, scale) => {
            // Only what a column can be declared as.
            return format!("DECIMAL({precision},{scale})").parse().ok();
        }
        Arrow::Utf8 => DataType::String,
        Arrow::Binary | Arrow::FixedSizeBinary(_) => DataType::Binary,
        Arrow::Date32 => DataType::Date,
        Arrow::Timestamp(_, Some(_)) => DataType::Timestamp,
        Arrow::Timestamp(_, None) => DataType::TimestampNtz,
        Arrow::List(element) => DataType::Array(Box::new(sql(element.data_type())?)),
        Arrow::Struct(fields) => {
            let field = |field: &FieldRef| {
                Some(cdc_core::Field { name: field.name().clone(), data_type: sql(field.data_type())? })
            };
            DataType::Struct(fields.iter().map(field).collect::<Option<_>>()?)
        }
        Arrow::Map(entries, _) => match entries.data_type() {
            Arrow::Struct(fields) if fields.len() == 2 => {
                DataType::Map(Box::new(sql(fields[0].data_type())?), Box::new(sql(fields[1].data_type())?))
            }
            _ => return None,
        },
        _ => return None,
    })
}

/// The schema with INT96 as what Spark means by it: a point in time, to the microsecond. As nanoseconds, as it would be
/// read otherwise, it ends in 2262.
pub(super) fn with_int96(schema: &Schema, file: &SchemaDescriptor) -> SchemaRef {
    let mut leaves = file.columns().iter().map(|column| column.physical_type());
    let fields: Vec<FieldRef> = schema.fields().iter().map(|field| retyped(field, &mut leaves)).collect();
    Arc::new(Schema::new_with_metadata(fields, schema.metadata().clone()))
}

fn retyped(field: &FieldRef, leaves: &mut dyn Iterator<Item = Physical>) -> FieldRef {
    let data_type = match field.data_type() {
        Arrow::Struct(fields) => {
            Arrow::Struct(fields.iter().map(|field| retyped(field, leaves)).collect::<Fields>())
        }
        Arrow::List(element) => Arrow::List(retyped(element, leaves)),
        Arrow::Map(entries, is_sorted) => Arrow::Map(retyped(entries, leaves), *is_sorted),
        leaf => match leaves.next() {
            Some(Physical::INT96) => Arrow::Timestamp(TimeUnit::Microsecond, Some("UTC".into())),
            _ => leaf.clone(),
        },
    };
    Arc::new(field.as_ref().clone().with_data_type(data_type))
}

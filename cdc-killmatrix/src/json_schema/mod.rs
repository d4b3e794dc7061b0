//! The format of fixtures as JSON Schema, for completion in editors.

use serde_json::{Map, Value};

/// What is described.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Described {
    /// The file of a fixture.
    Fixture,
    /// A `suite.json`.
    Suite,
}

/// A JSON Schema, of draft 2020-12. It says no less than the loader accepts; what needs the types of columns, or another
/// file, it can't tell.
///
/// ```
/// use cdc_killmatrix::json_schema::{Described, json_schema};
///
/// let schema = json_schema(Described::Fixture);
/// assert_eq!(schema["required"], serde_json::json!(["name", "checkpoints"]));
/// ```
pub fn json_schema(described: Described) -> Value {
    let fixture = read(include_str!("fixture.json"));
    let Described::Suite = described else { return fixture.into() };
    // The flows of a suite are those of its fixtures.
    let mut suite = read(include_str!("suite.json"));
    let mut shared = fixture["$defs"].clone();
    for name in ["checkpoint", "rows", "csv", "expected", "business"] {
        shared.as_object_mut().and_then(|shared| shared.shift_remove(name));
    }
    suite.insert("$defs".to_owned(), shared);
    suite.into()
}

fn read(text: &str) -> Map<String, Value> {
    serde_json::from_str(text).expect("our own schema is JSON")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Code;
    use crate::fixture::fields;

    /// The names of the members that a part of a schema knows.
    fn known(schema: &Value, part: &str) -> Vec<String> {
        let part = schema.pointer(part).unwrap_or_else(|| panic!("there is no {part}"));
        let mut names: Vec<String> = part.as_object().unwrap().keys().cloned().collect();
        names.sort();
        names
    }

    fn sorted(names: &[&str]) -> Vec<String> {
        let mut names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        names.sort();
        names
    }

    #[test]
    fn the_schema_knows_the_fields_that_the_loader_knows() {
        let (fixture, suite) = (json_schema(Described::Fixture), json_schema(Described::Suite));
        for (schema, part, names) in [
            (&fixture, "/properties", &fields::OF_FIXTURE[..]),
            (&suite, "/properties", &fields::OF_SUITE),
            (&fixture, "/$defs/checkpoint/properties", &fields::OF_CHECKPOINT),
            (&fixture, "/$defs/checkpoint/properties/snapshot/properties", &fields::OF_SNAPSHOT),
            (&fixture, "/$defs/event_flow/properties", &fields::OF_EVENT_FLOW),
            (&fixture, "/$defs/snapshot_flow/properties", &fields::OF_SNAPSHOT_FLOW),
            (&fixture, "/$defs/deployed_flow/properties", &fields::OF_DEFINITION),
            (&fixture, "/$defs/rows/then/properties", &fields::OF_LISTS),
            (&fixture, "/$defs/business/anyOf/1/items/properties", &fields::OF_WANTED),
        ] {
            assert_eq!(known(schema, part), sorted(names), "{part}");
        }
    }

    #[test]
    fn the_schema_knows_the_words_that_the_loader_knows() {
        let fixture = json_schema(Described::Fixture);
        let codes: Vec<&str> = Code::ALL.iter().map(|code| code.name()).collect();
        assert_eq!(fixture["properties"]["findings"]["items"]["enum"], serde_json::json!(codes));
        let classes = &fixture["$defs"]["checkpoint"]["properties"]["expect_error"]["anyOf"][0]["enum"];
        assert_eq!(*classes, serde_json::json!(fields::CLASSES));
        let dialects = cdc_core::Dialect::ALL.map(|dialect| Value::from(dialect.name()));
        let all: Vec<Value> = dialects.into_iter().chain([Value::Null]).collect();
        assert_eq!(fixture["$defs"]["event_flow"]["properties"]["dialect"]["enum"], Value::from(all));
    }

    #[test]
    fn every_field_is_described() {
        fn fields_of(schema: &Value, path: &str, silent: &mut Vec<String>) {
            let Value::Object(object) = schema else { return };
            for (name, part) in object {
                let path = format!("{path}/{name}");
                if let ("properties", Value::Object(fields)) = (&**name, part) {
                    // A condition repeats fields only to tell one form from another.
                    let is_condition = path.contains("/if/");
                    let is_silent = |field: &Value| !is_condition && field.get("description").is_none();
                    let names = fields.iter().filter(|(_, field)| is_silent(field)).map(|(name, _)| name);
                    silent.extend(names.map(|name| format!("{path}/{name}")));
                }
                fields_of(part, &path, silent);
            }
        }
        let mut silent = Vec::new();
        fields_of(&json_schema(Described::Fixture), "", &mut silent);
        fields_of(&json_schema(Described::Suite), "", &mut silent);
        assert!(silent.is_empty(), "{silent:?}");
    }
}

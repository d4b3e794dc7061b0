//! A fixture's file as the kit carries it: whole, with its flow and columns, so that it needs no file beside it.

use cdc_core::Table;
use serde_json::{Value as Json, json};

use crate::fixture::{Fixture, Wording, fixture_json, fixture_text, row_to_json};

/// The text of the file. What its checkpoints expect is as the fixture has it.
pub(super) fn text_of(fixture: &Fixture) -> String {
    let mut json = fixture_json(fixture, Wording::Whole);
    if let Json::Object(object) = &mut json {
        object.shift_insert(1, "title".to_owned(), json!(fixture.title));
    }
    let rows = |table: &Table| -> Json {
        table.rows().iter().map(|row| row_to_json(row, fixture.plan().target())).collect()
    };
    let written = json["checkpoints"].as_array_mut().into_iter().flatten();
    for (json, checkpoint) in written.zip(&fixture.checkpoints) {
        let Json::Object(object) = json else { continue };
        if let Some(note) = &checkpoint.note {
            object.shift_insert(0, "note".to_owned(), json!(note));
        }
        if checkpoint.full_refresh {
            object.insert("full_refresh".to_owned(), json!(true));
        }
        object.shift_remove("expect");
        match &*checkpoint.expect {
            [] => {}
            [table] => drop(object.insert("expect".to_owned(), rows(table))),
            tables => drop(object.insert("expect_any".to_owned(), tables.iter().map(rows).collect())),
        }
        if let Some(class) = &checkpoint.expect_error {
            object.insert("expect_error".to_owned(), json!(class));
        }
    }
    fixture_text(&json)
}

//! Rows that are objects of JSON, and what stands beside them.

use cdc_core::folded;
use jsonc_parser::ast::{Array, Object, ObjectProp};

use super::capture::{Capture, Declared};
use super::cells;
use super::gathered::{Gathered, Slot, too_many, twice};
use crate::json::{At, Json, Reader, kind};
use crate::words::counted;

/// What a capture says beside its rows.
const OF_CAPTURE: [&str; 5] = ["fixture", "checkpoint", "types", "columns", "rows"];

impl Reader<'_> {
    /// A list of rows.
    pub(super) fn objects(&mut self, rows: &Array<'_>, gathered: &mut Gathered<'_>) {
        for json in &rows.elements {
            match json {
                Json::Object(object) => self.row(object, gathered),
                json => {
                    self.fault(At::File, json, format!("the row is {}; expected an object", kind(json)));
                }
            }
        }
    }

    /// A row: a value for each column that it has.
    pub(super) fn row(&mut self, object: &Object<'_>, gathered: &mut Gathered<'_>) {
        if !gathered.has_room() {
            // Said once: what follows has no room either.
            if self.faults.count() == 0 {
                self.fault(At::File, object, too_many());
            }
            return;
        }
        let mut values: Vec<(usize, _)> = Vec::with_capacity(object.properties.len());
        let mut others: Vec<String> = Vec::new();
        for member in &object.properties {
            let name = member.name.as_str();
            let is_again = match gathered.slot(name) {
                Slot::Known(place) => {
                    let is_again = values.iter().any(|(known, _)| *known == place);
                    values.push((place, cells::of_json(self.source, &member.value, &gathered.target[place])));
                    is_again
                }
                Slot::Other => {
                    let is_again = others.contains(&folded(name));
                    others.push(folded(name));
                    is_again
                }
            };
            if is_again {
                self.fault(At::File, &member.name, twice(name));
            }
        }
        gathered.add(values);
    }

    /// An object that says of which fixture and checkpoint its rows are.
    pub(super) fn envelope(&mut self, object: &Object<'_>, gathered: &mut Gathered<'_>) {
        self.members(At::File, object, &OF_CAPTURE, &[]);
        self.says(object, &mut gathered.capture);
        if let Some(types) = object.get("types").and_then(|member| self.types(member)) {
            gathered.capture.declare(types, gathered.target);
        }
        let Some(rows) = object.get("rows").and_then(|member| self.list(At::File, member)) else { return };
        let Some(columns) = object.get("columns") else { return self.objects(rows, gathered) };
        let Some(names) = self.texts(At::File, columns) else { return };
        let slots = match gathered.header(names.iter().map(String::as_str)) {
            Ok(slots) => slots,
            Err(name) => return self.fault(At::File, &columns.name, twice(&name)),
        };
        for json in &rows.elements {
            match json {
                Json::Array(list) if list.elements.len() == slots.len() && gathered.has_room() => {
                    let values = slots.iter().zip(&list.elements).filter_map(|(slot, json)| match *slot {
                        Slot::Known(place) => {
                            Some((place, cells::of_json(self.source, json, &gathered.target[place])))
                        }
                        Slot::Other => None,
                    });
                    let values = values.collect();
                    gathered.add(values);
                }
                Json::Array(list) if list.elements.len() == slots.len() => {
                    return self.fault(At::File, json, too_many());
                }
                json => {
                    let expected = counted(slots.len(), "value");
                    let text = format!(
                        "expected a list of {expected}, one for each of `columns`; found {}",
                        kind(json)
                    );
                    self.fault(At::File, json, text);
                }
            }
        }
    }

    /// Which fixture and checkpoint an object names.
    pub(super) fn says(&mut self, object: &Object<'_>, capture: &mut Capture) {
        capture.fixture = self.optional_text(At::File, object, "fixture").good();
        capture.checkpoint = object.get("checkpoint").and_then(|member| self.number(member));
    }

    /// The number of a checkpoint.
    pub(super) fn number(&mut self, member: &ObjectProp<'_>) -> Option<usize> {
        let number = match &member.value {
            Json::NumberLit(number) => number.value.parse().ok().filter(|number| *number != 0),
            _ => None,
        };
        if number.is_none() {
            let name = member.name.as_str();
            self.misfit(At::File, name, &member.value, "the number of a checkpoint, from 1");
        }
        number
    }

    /// The types of columns, each a text.
    pub(super) fn types(&mut self, member: &ObjectProp<'_>) -> Option<Vec<Declared>> {
        let object = self.object(At::File, member)?;
        self.free(At::File, &member.value);
        let mut types = Vec::new();
        for column in &object.properties {
            let text = self.text(At::File, column)?;
            types.push(Declared::new(column.name.as_str(), &text.value));
        }
        Some(types)
    }
}

//! The forms of a capture: JSON, JSON lines and CSV.

use std::path::Path;

use cdc_core::{Plan, Schema, folded};
use jsonc_parser::ast::{Array, Object, ObjectProp};
use jsonc_parser::common::{Range as Place, Ranged};

use super::capture::{Capture, Declared, Misread, sha256};
use super::cells;
use super::gathered::{Gathered, Slot, too_many, twice};
use super::sql_result;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::files::has_end;
use crate::fixture::Records;
use crate::json::{At, Json, Reader, Source, bytes_of, kind};
use crate::words::counted;

/// What a capture says beside its rows.
const OF_CAPTURE: [&str; 5] = ["fixture", "checkpoint", "types", "columns", "rows"];

impl Capture {
    /// Reads a file for the target of a plan: JSON, JSON lines, CSV, or the result of a Databricks SQL statement.
    ///
    /// Other columns and other types than the target's are kept as differences. A file that isn't whole is a fault: one
    /// that is empty or cut off, a statement that didn't succeed, a result of which a part is missing.
    pub fn read(path: &Path, plan: &Plan) -> Result<Self, Diagnostics> {
        let bytes = bytes_of(path)?;
        let sha256 = sha256(&bytes);
        if bytes.starts_with(b"PAR1") || has_end(path, &["parquet"]) {
            let text =
                "this is Parquet, which isn't read here; expected JSON lines, as `df.write.json` writes them";
            return Err(Diagnostic::of_path(path, text).into());
        }
        let source = Source::of_bytes(path, bytes)?;
        if source.text().trim().is_empty() {
            let text =
                "the file is empty: nothing was captured; a table without rows is `[]` in a .json file";
            return Err(Diagnostic::of_path(path, text).into());
        }
        let read = match path {
            path if has_end(path, &["json"]) => json(&source, plan.target()),
            path if has_end(path, &["jsonl", "ndjson"]) => lines(&source, plan.target()),
            path if has_end(path, &["csv"]) => sheet(&source, plan.target()),
            _ => {
                let text = "this is no file of rows, by its name; expected .json, .jsonl, .ndjson or .csv";
                return Err(Diagnostic::of_path(path, text).into());
            }
        };
        read.map(|capture| Self { path: path.to_owned(), sha256, ..capture })
    }
}

/// A JSON file: a list of rows, an object that says more of them, or the result of a Databricks SQL statement.
fn json(source: &Source, target: &Schema) -> Result<Capture, Diagnostics> {
    let json = source.parse()?;
    let mut reader = Reader::new(source);
    let mut gathered = Gathered::new(target);
    match &json {
        Json::Array(rows) => reader.objects(rows, &mut gathered),
        Json::Object(object) if sql_result::is_one(object) => {
            reader.says(object, &mut gathered.capture);
            sql_result::read(&mut reader, object, &mut gathered);
        }
        Json::Object(object) if object.get("rows").is_some() => reader.envelope(object, &mut gathered),
        json => {
            let text = format!(
                "this is {}, not captured rows; expected a list of rows, an object with `rows`, or the result of a \
                 Databricks SQL statement with `manifest` and `result`",
                kind(json)
            );
            reader.fault(At::File, &Place::new(json.range().start, json.range().start), text);
        }
    }
    finish(reader, gathered)
}

/// JSON lines: an object a line.
fn lines(source: &Source, target: &Schema) -> Result<Capture, Diagnostics> {
    let mut reader = Reader::new(source);
    let mut gathered = Gathered::new(target);
    for (number, line) in (1..).zip(source.text().lines()).filter(|(_, line)| !line.trim().is_empty()) {
        let line = Source::new(source.path.clone(), line.to_owned());
        let mut of_line = Reader::new(&line);
        let known = gathered.capture.misread.len();
        match line.parse() {
            Ok(Json::Object(object)) => of_line.row(&object, &mut gathered),
            Ok(json) => {
                of_line.fault(At::File, &json, format!("the line holds {}; expected a row", kind(&json)));
            }
            Err(mut fault) => {
                fault.message = fault.message.replacen("the file ends", "the line ends", 1);
                of_line.faults.push(fault);
            }
        }
        for Misread { first, .. } in &mut gathered.capture.misread[known..] {
            first.place = first.place.map(|(_, column)| (number, column));
        }
        reader.faults.append(of_line.faults.in_line(number));
    }
    finish(reader, gathered)
}

/// A CSV under a header.
fn sheet(source: &Source, target: &Schema) -> Result<Capture, Diagnostics> {
    let mut reader = Reader::new(source);
    let mut gathered = Gathered::new(target);
    let mut records = Records::new(source.text(), ',');
    let mut slots: Option<Vec<Slot>> = None;
    for record in &mut records {
        let fields = match record {
            Ok(fields) => fields,
            Err((range, message)) => {
                reader.fault(At::File, &Place::new(range.start, range.end), message);
                break;
            }
        };
        let whole = Place::new(fields[0].range.start, fields[fields.len() - 1].range.end);
        let Some(slots) = &slots else {
            match gathered.header(fields.iter().map(|field| field.text.trim())) {
                Ok(found) => slots = Some(found),
                Err(name) => {
                    reader.fault(At::File, &whole, twice(&name));
                    break;
                }
            }
            continue;
        };
        if fields.len() != slots.len() {
            let found = counted(fields.len(), "field");
            let text = format!("the record has {found}; expected {}, as in the header", slots.len());
            reader.fault(At::File, &whole, text);
            continue;
        }
        if !gathered.has_room() {
            reader.fault(At::File, &whole, too_many());
            break;
        }
        let values = slots.iter().zip(&fields).filter_map(|(slot, field)| match *slot {
            Slot::Known(place) => Some((place, cells::of_field(source, field, &target[place]))),
            Slot::Other => None,
        });
        let values = values.collect();
        gathered.add(values);
    }
    finish(reader, gathered)
}

fn finish(reader: Reader<'_>, gathered: Gathered<'_>) -> Result<Capture, Diagnostics> {
    let mut faults = Diagnostics::default();
    faults.append(reader.faults);
    if faults.count() == 0 { Ok(gathered.finish()) } else { Err(faults) }
}

impl Reader<'_> {
    fn objects(&mut self, rows: &Array<'_>, gathered: &mut Gathered<'_>) {
        for json in &rows.elements {
            match json {
                Json::Object(object) => self.row(object, gathered),
                json => {
                    self.fault(At::File, json, format!("the row is {}; expected an object", kind(json)));
                }
            }
        }
    }

    fn row(&mut self, object: &Object<'_>, gathered: &mut Gathered<'_>) {
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
    fn envelope(&mut self, object: &Object<'_>, gathered: &mut Gathered<'_>) {
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
    fn says(&mut self, object: &Object<'_>, capture: &mut Capture) {
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

//! A list of captures, each with its fixture and checkpoint.

use std::path::{Path, PathBuf};

use jsonc_parser::common::Range as Place;

use super::capture::Declared;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::json::{At, Json, Reader, Source};

/// A capture of a manifest. Paths are as it has them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The fixture's file.
    pub fixture: PathBuf,
    /// The checkpoint, from 1; left out, the last that expects rows.
    pub checkpoint: Option<usize>,
    /// The file with the captured rows.
    pub rows: PathBuf,
    /// The types of columns, by name.
    pub types: Vec<Declared>,
    /// A fault at the entry's place in the manifest.
    place: Diagnostic,
}

impl Entry {
    /// A fault of this entry.
    pub fn fault(&self, message: &str) -> Diagnostic {
        let mut fault = self.place.clone();
        message.clone_into(&mut fault.message);
        fault
    }

    /// The capture of a call that names its files.
    pub fn of_call(fixture: &Path, checkpoint: Option<usize>, rows: &Path) -> Self {
        let place = Diagnostic::of_path(rows, String::new());
        let (fixture, rows) = (fixture.to_owned(), rows.to_owned());
        Self { fixture, checkpoint, rows, types: Vec::new(), place }
    }
}

/// The captures that a manifest lists, at least one: `{"captures": [{"fixture": "late.json", "rows": "rows.json"}]}`.
pub fn entries(path: &Path) -> Result<Vec<Entry>, Diagnostics> {
    let source = Source::read(path)?;
    let json = source.parse()?;
    let mut reader = Reader::new(&source);
    let mut entries = Vec::new();
    let captures = match &json {
        Json::Object(object) => {
            reader.members(At::File, object, &["captures"], &[]);
            object.get("captures").and_then(|member| reader.list(At::File, member))
        }
        _ => None,
    };
    let captures = captures.map(|list| &list.elements[..]).unwrap_or_default();
    if captures.is_empty() && reader.faults.count() == 0 {
        let text = "there is no capture in this file; expected `captures`, a list of at least one";
        reader.fault(At::File, &Place::new(0, 0), text);
    }
    for json in captures {
        entries.extend(reader.entry(json));
    }
    let mut faults = Diagnostics::default();
    faults.append(reader.faults);
    if faults.count() == 0 { Ok(entries) } else { Err(faults) }
}

impl Reader<'_> {
    fn entry(&mut self, json: &Json<'_>) -> Option<Entry> {
        let Json::Object(object) = json else {
            self.misfit(At::File, "captures", json, "a list of objects with `fixture` and `rows`");
            return None;
        };
        let start = object.range.start;
        self.members(At::File, object, &["fixture", "checkpoint", "rows", "types"], &[]);
        for name in ["fixture", "rows"].into_iter().filter(|name| object.get(name).is_none()) {
            let text = format!("the capture has no `{name}`; expected the path of a file");
            self.fault(At::File, &Place::new(start, start + 1), text);
        }
        let fixture = self.optional_text(At::File, object, "fixture").good().map(PathBuf::from);
        let rows = self.optional_text(At::File, object, "rows").good().map(PathBuf::from);
        let checkpoint = object.get("checkpoint").and_then(|member| self.number(member));
        let types = object.get("types").and_then(|member| self.types(member)).unwrap_or_default();
        let place = self.source.fault("", start..start + 1, String::new());
        Some(Entry { fixture: fixture?, checkpoint, rows: rows?, types, place })
    }
}

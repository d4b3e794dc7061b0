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
    /// The mutant that was played in the place of the fixture, if one was.
    pub mutant: Option<String>,
    /// The checkpoint, from 1; left out, the last that expects rows.
    pub checkpoint: Option<usize>,
    /// What is left of it.
    pub left: Left,
    /// The types of columns, by name.
    pub types: Vec<Declared>,
    /// A fault at the entry's place in the manifest.
    place: Diagnostic,
}

/// What is left of a checkpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Left {
    /// The file with the captured rows; several, where each holds a chunk of a statement's result.
    Rows(Vec<PathBuf>),
    /// The batch was refused: `CLASS: message`.
    Refused(String),
    /// It couldn't be run: why.
    NotRun(String),
}

impl Entry {
    /// A fault of this entry.
    pub fn fault(&self, message: &str) -> Diagnostic {
        let mut fault = self.place.clone();
        message.clone_into(&mut fault.message);
        fault
    }

    /// The capture of a call that names its files.
    pub fn of_call(fixture: &Path, checkpoint: Option<usize>, rows: &[PathBuf]) -> Self {
        let place = Diagnostic::of_path(rows.first().map_or(fixture, PathBuf::as_path), String::new());
        let (fixture, left) = (fixture.to_owned(), Left::Rows(rows.to_owned()));
        Self { fixture, mutant: None, checkpoint, left, types: Vec::new(), place }
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
        self.members(
            At::File,
            object,
            &["fixture", "mutant", "checkpoint", "rows", "refused", "not_run", "types"],
            &[],
        );
        let mut fault = |text: &str| self.fault(At::File, &Place::new(start, start + 1), text);
        if object.get("fixture").is_none() {
            fault("the capture has no `fixture`; expected the path of a file");
        }
        match ["rows", "refused", "not_run"].into_iter().filter(|name| object.get(name).is_some()).count() {
            0 => fault("the capture has no `rows`; expected the path of a file, or `refused` or `not_run`"),
            1 => {}
            _ => fault("the capture has more than one of `rows`, `refused` and `not_run`; expected one"),
        }
        let fixture = self.optional_text(At::File, object, "fixture").good().map(PathBuf::from);
        let mutant = self.optional_text(At::File, object, "mutant").good();
        let rows = object.get("rows").and_then(|member| match &member.value {
            Json::Array(list) if !list.elements.is_empty() => self.texts(At::File, member),
            _ => Some(vec![self.text(At::File, member)?.value.to_string()]),
        });
        let rows = rows.map(|paths| Left::Rows(paths.into_iter().map(PathBuf::from).collect()));
        let refused = self.optional_text(At::File, object, "refused").good().map(Left::Refused);
        let not_run = self.optional_text(At::File, object, "not_run").good().map(Left::NotRun);
        for name in ["fixture", "mutant", "rows", "refused", "not_run"] {
            let is_empty = object.get_string(name).is_some_and(|text| text.value.trim().is_empty());
            if let Some(member) = object.get(name).filter(|_| is_empty) {
                self.fault(At::File, &member.value, format!("`{name}` is empty; expected a text"));
            }
        }
        let checkpoint = object.get("checkpoint").and_then(|member| self.number(member));
        let types = object.get("types").and_then(|member| self.types(member)).unwrap_or_default();
        let place = self.source.fault("", start..start + 1, String::new());
        let left = rows.or(refused).or(not_run)?;
        Some(Entry { fixture: fixture?, mutant, checkpoint, left, types, place })
    }
}

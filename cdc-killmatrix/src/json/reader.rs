use std::collections::HashSet;
use std::fmt;

use cdc_core::DataType;
use jsonc_parser::ast::{Array, Object, ObjectProp, StringLit};
use jsonc_parser::common::{Range, Ranged};

use super::{Json, Source};
use crate::diagnostic::Diagnostics;
use crate::words::hint;

/// How many characters of a file's text a message repeats.
const QUOTED: usize = 60;

/// Which part of a file a message speaks about. All numbers are from 0, but shown from 1.
#[derive(Clone, Copy, Debug)]
pub(crate) enum At {
    File,
    Flow,
    Schema,
    Checkpoint(usize),
    Event { checkpoint: usize, event: usize },
    Expected { checkpoint: usize, table: Option<usize>, row: usize },
    Observed { checkpoint: usize, row: usize },
    Business,
    BusinessRow(usize),
}

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::File => Ok(()),
            Self::Flow => f.write_str("flow"),
            Self::Schema => f.write_str("schema"),
            Self::Checkpoint(checkpoint) => write!(f, "checkpoint {}", checkpoint + 1),
            Self::Event { checkpoint, event } => {
                write!(f, "checkpoint {}, event {}", checkpoint + 1, event + 1)
            }
            Self::Expected { checkpoint, table, row } => {
                write!(f, "checkpoint {}, expected ", checkpoint + 1)?;
                if let Some(table) = table {
                    write!(f, "table {}, ", table + 1)?;
                }
                write!(f, "row {}", row + 1)
            }
            Self::Observed { checkpoint, row } => {
                write!(f, "checkpoint {}, observed row {}", checkpoint + 1, row + 1)
            }
            Self::Business => f.write_str("business"),
            Self::BusinessRow(row) => write!(f, "business, row {}", row + 1),
        }
    }
}

/// A member of an object that may be left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Part<T> {
    /// Left out.
    #[default]
    Absent,
    /// Given, and wrong: that has been said.
    Faulty,
    Good(T),
}

impl<T> Part<T> {
    pub(crate) fn good(self) -> Option<T> {
        match self {
            Self::Good(value) => Some(value),
            Self::Absent | Self::Faulty => None,
        }
    }

    pub(crate) fn is_absent(&self) -> bool {
        matches!(self, Self::Absent)
    }

    pub(crate) fn as_ref(&self) -> Part<&T> {
        match self {
            Self::Absent => Part::Absent,
            Self::Faulty => Part::Faulty,
            Self::Good(value) => Part::Good(value),
        }
    }

    pub(crate) fn or(self, other: Self) -> Self {
        if self.is_absent() { other } else { self }
    }
}

impl<T> From<Option<T>> for Part<T> {
    /// What was given, where `None` means that it is wrong.
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Faulty, Self::Good)
    }
}

/// Reads one file and gathers its faults.
pub(crate) struct Reader<'a> {
    pub(crate) source: &'a Source,
    /// Of a file that another one names: which one, and what for. It is told with each fault.
    pub(crate) named_by: String,
    pub(crate) faults: Diagnostics,
    /// What isn't wrong but may surprise.
    pub(crate) warnings: Vec<String>,
    /// How many values of rows were read.
    pub(crate) cells: usize,
    /// How many bytes the files have that this one names.
    pub(crate) bytes: usize,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(source: &'a Source) -> Self {
        let (faults, warnings) = (Diagnostics::default(), Vec::new());
        Self { source, named_by: String::new(), faults, warnings, cells: 0, bytes: 0 }
    }

    /// Adds a fault at a place.
    pub(crate) fn fault(&mut self, at: At, place: &impl Ranged, message: impl Into<String>) {
        let Range { start, end } = place.range();
        self.faults.push_with(|| self.source.fault(&part(&self.named_by, at), start..end, message.into()));
    }

    /// The same, where it costs something to say what is wrong: that is done only if the fault is kept.
    pub(crate) fn fault_with(&mut self, at: At, place: &impl Ranged, message: impl FnOnce() -> String) {
        let Range { start, end } = place.range();
        self.faults.push_with(|| self.source.fault(&part(&self.named_by, at), start..end, message()));
    }

    /// Says that a member or value is not what was expected.
    pub(crate) fn misfit(
        &mut self,
        at: At,
        name: impl fmt::Display,
        json: &Json<'_>,
        expected: impl fmt::Display,
    ) {
        self.fault(at, json, format!("`{name}` is {}; expected {expected}", kind(json)));
    }

    /// Reports the members that an object must not have, and those given twice.
    pub(crate) fn members(&mut self, at: At, object: &Object<'_>, known: &[&str], later: &[&str]) {
        self.members_but(at, object, known, |name| {
            later.contains(&name).then(|| format!("this version doesn't model `{name}` yet"))
        });
    }

    /// The same, where more is to be said about some of the members that an object must not have.
    pub(crate) fn members_but(
        &mut self,
        at: At,
        object: &Object<'_>,
        known: &[&str],
        refused: impl Fn(&str) -> Option<String>,
    ) {
        let mut seen = HashSet::new();
        for member in &object.properties {
            let name = member.name.as_str();
            if !seen.insert(name) {
                self.fault(at, &member.name, format!("{} is given twice", quoted(name)));
            } else if let Some(text) = refused(name) {
                self.fault(at, &member.name, text);
            } else if !known.contains(&name) {
                self.fault_with(at, &member.name, || {
                    format!("there is no field {}; {}", quoted(name), hint(name, known.iter().copied()))
                });
            }
        }
    }

    /// Reports what is given twice in a value that is otherwise free.
    pub(crate) fn free(&mut self, at: At, json: &Json<'_>) {
        match json {
            Json::Object(object) => {
                let mut seen = HashSet::new();
                for member in &object.properties {
                    if !seen.insert(member.name.as_str()) {
                        let text = format!("{} is given twice", quoted(member.name.as_str()));
                        self.fault(at, &member.name, text);
                    }
                    self.free(at, &member.value);
                }
            }
            Json::Array(list) => list.elements.iter().for_each(|element| self.free(at, element)),
            _ => {}
        }
    }

    pub(crate) fn object<'j, 't>(&mut self, at: At, member: &'j ObjectProp<'t>) -> Option<&'j Object<'t>> {
        match &member.value {
            Json::Object(object) => Some(object),
            json => {
                self.misfit(at, member.name.as_str(), json, "an object");
                None
            }
        }
    }

    pub(crate) fn list<'j, 't>(&mut self, at: At, member: &'j ObjectProp<'t>) -> Option<&'j Array<'t>> {
        match &member.value {
            Json::Array(list) => Some(list),
            json => {
                self.misfit(at, member.name.as_str(), json, "a list");
                None
            }
        }
    }

    pub(crate) fn text<'j, 't>(&mut self, at: At, member: &'j ObjectProp<'t>) -> Option<&'j StringLit<'t>> {
        match &member.value {
            Json::StringLit(text) => Some(text),
            json => {
                self.misfit(at, member.name.as_str(), json, "a text in quotes");
                None
            }
        }
    }

    pub(crate) fn boolean(&mut self, at: At, member: &ObjectProp<'_>) -> Option<bool> {
        match &member.value {
            Json::BooleanLit(boolean) => Some(boolean.value),
            json => {
                self.misfit(at, member.name.as_str(), json, "true or false");
                None
            }
        }
    }

    /// A list of texts.
    pub(crate) fn texts(&mut self, at: At, member: &ObjectProp<'_>) -> Option<Vec<String>> {
        let (name, list) = (member.name.as_str(), self.list(at, member)?);
        let mut texts = Vec::with_capacity(list.elements.len());
        for (i, element) in list.elements.iter().enumerate() {
            match element {
                Json::StringLit(text) => texts.push(text.value.to_string()),
                json => self.misfit(at, format_args!("{name}[{i}]"), json, "a text in quotes"),
            }
        }
        (texts.len() == list.elements.len()).then_some(texts)
    }

    /// A member that is a text, where it is given.
    pub(crate) fn optional_text(&mut self, at: At, object: &Object<'_>, name: &str) -> Part<String> {
        match object.get(name) {
            Some(member) => self.text(at, member).map(|text| text.value.to_string()).into(),
            None => Part::Absent,
        }
    }
}

/// A part of a file, and before it which file names that one.
fn part(named_by: &str, at: At) -> String {
    let parts = [named_by.to_owned(), at.to_string()];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
}

/// What a value is, for a message: ``the text `Paris` ``.
pub(crate) fn kind(json: &Json<'_>) -> String {
    match json {
        Json::StringLit(text) if text.value.is_empty() => "an empty text".to_owned(),
        Json::StringLit(text) => format!("the text {}", quoted(&text.value)),
        Json::NumberLit(number) => format!("the number {}", quoted(number.value)),
        Json::BooleanLit(boolean) => boolean.value.to_string(),
        Json::Object(_) => "an object".to_owned(),
        Json::Array(_) => "a list".to_owned(),
        Json::NullKeyword(_) => "null".to_owned(),
    }
}

/// A text of the file in backticks, cut where it is long.
pub(crate) fn quoted(text: &str) -> String {
    match text.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("`{}…`", &text[..end]),
        None => format!("`{text}`"),
    }
}

/// A name inside a row: a column, or a part of its value.
#[derive(Clone, Copy)]
pub(crate) enum Name<'a> {
    Column(&'a str),
    Field(&'a Name<'a>, &'a str),
    Element(&'a Name<'a>, usize),
    Key(&'a Name<'a>, usize),
}

impl fmt::Display for Name<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Column(name) => f.write_str(name),
            Self::Field(parent, name) => write!(f, "{parent}.{name}"),
            Self::Element(parent, place) => write!(f, "{parent}[{place}]"),
            Self::Key(parent, place) => write!(f, "{parent}[{place}].key"),
        }
    }
}

/// What was expected, with the type that asks for it, and what to heed.
pub(crate) fn typed(what: &str, data_type: &DataType, detail: &str) -> String {
    let data_type = data_type.to_string();
    match data_type.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("{what} ({}…){detail}", &data_type[..end]),
        None => format!("{what} ({data_type}){detail}"),
    }
}

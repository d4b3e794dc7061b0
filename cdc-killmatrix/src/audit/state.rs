//! What was accepted: which fixture catches and misses which mutant, as a file that is read in a diff.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use jsonc_parser::ast::{Object, ObjectProp};
use serde_json::json;

use super::definition::fingerprint;
use crate::diagnostic::Diagnostics;
use crate::files;
use crate::fixture::Fixtures;
use crate::json::{At, Json, Reader, Source, kind, quoted};
use crate::matrix::{Line, Matrix};
use crate::verdict::Outcome;

/// The member that says which version of the program's files this is, and the version.
const VERSION: (&str, &str) = ("killmatrix", "1");

/// What the file says of the fixtures to which a mutant is not applicable. Those that miss it are the rest: so a new
/// fixture changes little of the file.
const NOT_APPLICABLE: &str = "not_applicable";

/// What every mutant came to in every audited suite.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// The suites by their names.
    pub suites: BTreeMap<String, SuiteState>,
}

/// What every mutant came to in a suite.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SuiteState {
    /// The folder of the suite, seen from that of the file, with `/` between the names.
    pub path: String,
    /// The fixtures by their names, each with the fingerprint of its definition.
    pub fixtures: BTreeMap<String, String>,
    /// The mutants by their names.
    pub mutants: BTreeMap<String, Known>,
}

/// The fixtures of a suite that catch a mutant and those that miss it, by name. To the others it is not applicable.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Known {
    /// Those that catch it.
    pub caught: Vec<String>,
    /// Those that miss it, or on which it breaks down. If none catches it, it survives.
    pub missed: Vec<String>,
}

impl Known {
    /// Whether it can differ under the flow of this fixture.
    pub fn concerns(&self, fixture: &String) -> bool {
        self.caught.contains(fixture) || self.missed.contains(fixture)
    }

    /// Whether it can differ under some fixture's flow, and no fixture catches it.
    pub fn survives(&self) -> bool {
        self.caught.is_empty() && !self.missed.is_empty()
    }
}

impl State {
    /// The state of a matrix of these fixtures, for a file in a folder.
    pub fn of(fixtures: &Fixtures, matrix: &Matrix, folder: &Path) -> Self {
        let suites = fixtures.suites.iter().zip(&matrix.suites).filter(|(suite, _)| suite.audited);
        let suites = suites.map(|(suite, table)| {
            let names = |column: usize, wanted: fn(&Outcome) -> bool| -> Vec<String> {
                let is_one = |line: &&Line| line.cells.get(column).is_some_and(wanted);
                let names: BTreeSet<&String> =
                    table.fixtures.iter().filter(is_one).map(|line| &line.name).collect();
                names.into_iter().cloned().collect()
            };
            let known = |column: usize| Known {
                caught: names(column, |cell| matches!(cell, Outcome::Caught(_))),
                missed: names(column, |cell| matches!(cell, Outcome::Missed(_) | Outcome::Error(_))),
            };
            let mutants = matrix.mutants.iter().enumerate();
            let state = SuiteState {
                path: files::seen_from(folder, &suite.path),
                fixtures: suite.fixtures.iter().map(|it| (it.name.clone(), fingerprint(&it.plans))).collect(),
                mutants: mutants.map(|(column, mutant)| (mutant.name.to_owned(), known(column))).collect(),
            };
            (suite.name.clone(), state)
        });
        Self { suites: suites.collect() }
    }

    /// The text of the file: a fixture or mutant a line, in the order of their names.
    pub fn text(&self) -> String {
        let member = |name: &str, value: &serde_json::Value| format!("{}: {value}", json!(name));
        let list = |members: Vec<String>| members.join(",\n        ");
        let mut text = format!("{{\n  \"{}\": {},\n  \"suites\": {{", VERSION.0, VERSION.1);
        for (number, (name, suite)) in self.suites.iter().enumerate() {
            let fixtures = suite.fixtures.iter().map(|(name, definition)| member(name, &json!(definition)));
            let mutants = suite.mutants.iter().map(|(name, known)| {
                let others: Vec<&String> = suite.fixtures.keys().filter(|it| !known.concerns(it)).collect();
                let mut lists = json!({ "caught": known.caught });
                if others.len() == suite.fixtures.len() {
                    lists = json!(NOT_APPLICABLE);
                } else if !others.is_empty() {
                    lists[NOT_APPLICABLE] = json!(others);
                }
                member(name, &lists)
            });
            // A string takes whatever is written.
            let _ = write!(
                text,
                "{}\n    {}: {{\n      {},\n      \"fixtures\": {{\n        {}\n      }},\n      \"mutants\": {{\n        {}\n      }}\n    }}",
                if number == 0 { "" } else { "," },
                json!(name),
                member("path", &json!(suite.path)),
                list(fixtures.collect()),
                list(mutants.collect()),
            );
        }
        text.push_str("\n  }\n}\n");
        text
    }

    /// Reads such a file, or says everything that is wrong with it.
    pub fn read(path: &Path) -> Result<Self, Diagnostics> {
        let source = Source::read(path)?;
        let json = source.parse()?;
        let mut reader = Reader::new(&source);
        let mut state = Self::default();
        match &json {
            Json::Object(object) if is_of_this_version(&mut reader, object) => {
                reader.members(At::File, object, &[VERSION.0, "suites"], &[]);
                for (name, suite) in entries(&mut reader, object, "suites") {
                    let suite = read_suite(&mut reader, suite);
                    state.suites.insert(name, suite);
                }
            }
            Json::Object(_) => {}
            json => {
                let text = format!("this is {}; expected a file that `audit --accepted` wrote", kind(json));
                reader.fault(At::File, json, text);
            }
        }
        if reader.faults.count() == 0 { Ok(state) } else { Err(reader.faults) }
    }
}

/// Whether a file says that it is of this version; else that is a fault, and nothing more is said of it.
fn is_of_this_version(reader: &mut Reader<'_>, object: &Object<'_>) -> bool {
    let text = match object.get(VERSION.0).map(|member| &member.value) {
        Some(Json::NumberLit(number)) if number.value == VERSION.1 => return true,
        Some(version) => format!("the file is of version {}", reader.source.text_of(version)),
        None => format!("there is no `{}`", VERSION.0),
    };
    let text = format!("{text}; expected a file that `audit --accepted` wrote, of version {}", VERSION.1);
    match object.get(VERSION.0) {
        Some(member) => reader.fault(At::File, &member.value, text),
        None => reader.fault(At::File, object, text),
    }
    false
}

fn read_suite(reader: &mut Reader<'_>, suite: &ObjectProp<'_>) -> SuiteState {
    let mut state = SuiteState::default();
    let Some(object) = reader.object(At::File, suite) else { return state };
    reader.members(At::File, object, &["path", "fixtures", "mutants"], &[]);
    match object.get("path") {
        Some(path) => {
            state.path = reader.text(At::File, path).map_or_else(String::new, |it| it.value.to_string());
        }
        None => missing(reader, object, "path"),
    }
    for (name, definition) in entries(reader, object, "fixtures") {
        let definition = reader.text(At::File, definition).map(|text| text.value.to_string());
        state.fixtures.insert(name, definition.unwrap_or_default());
    }
    for (name, mutant) in entries(reader, object, "mutants") {
        let is_idle = matches!(&mutant.value, Json::StringLit(text) if text.value == NOT_APPLICABLE);
        let mut known = Known::default();
        if !is_idle && let Some(lists) = reader.object(At::File, mutant) {
            reader.members(At::File, lists, &["caught", NOT_APPLICABLE], &[]);
            let mut names = |list: &str| {
                lists.get(list).and_then(|list| reader.texts(At::File, list)).unwrap_or_default()
            };
            let others = names(NOT_APPLICABLE);
            known.caught = names("caught");
            let is_missed = |name: &&String| !known.caught.contains(name) && !others.contains(name);
            known.missed = state.fixtures.keys().filter(is_missed).cloned().collect();
        }
        state.mutants.insert(name, known);
    }
    state
}

/// The members of an object that is a member itself, by their names.
fn entries<'j, 't>(
    reader: &mut Reader<'_>,
    object: &'j Object<'t>,
    name: &str,
) -> BTreeMap<String, &'j ObjectProp<'t>> {
    let mut entries = BTreeMap::new();
    let Some(member) = object.get(name) else {
        missing(reader, object, name);
        return entries;
    };
    for entry in reader.object(At::File, member).map_or(&[][..], |object| &object.properties) {
        if entries.insert(entry.name.as_str().to_owned(), entry).is_some() {
            let text = format!("{} is given twice", quoted(entry.name.as_str()));
            reader.fault(At::File, &entry.name, text);
        }
    }
    entries
}

fn missing(reader: &mut Reader<'_>, object: &Object<'_>, name: &str) {
    let start = jsonc_parser::common::Range { start: object.range.start, end: object.range.start + 1 };
    reader.fault(At::File, &start, format!("there is no `{name}`; expected it in this object"));
}

//! What `new` wrote, what reading chose, and what to do next.

use std::path::Path;

use super::grid::wrapped;
use crate::escape::for_terminal;
use crate::files::shown;
use crate::fixture::{Fixture, PROJECT_FILE, SUITE_FILE};
use crate::words::{counted, listed, pasted};

/// A fixture that was begun.
#[derive(Clone, Debug)]
pub struct Begun<'a> {
    /// The files that were written.
    pub files: Vec<&'a Path>,
    /// The fixture, which is one of them.
    pub fixture: &'a Fixture,
    /// What reading the events chose.
    pub notes: &'a [String],
    /// Whether it is there to find the fault of an incident.
    pub is_incident: bool,
}

/// More batches than a person wants to type tables for.
const MANY: usize = 20;

/// What was written, what was chosen, and the next two commands.
pub fn begun(begun: &Begun<'_>, program: &str) -> String {
    let Begun { files, fixture, notes, is_incident } = begun;
    let mut lines: Vec<String> =
        files.iter().map(|file| format!("written: {}: {}", shown(file), what(file, fixture))).collect();
    lines.extend(notes.iter().flat_map(|note| wrapped(&format!("note: {}", for_terminal(note)), 2, 2)));
    let batches = fixture.feed.batches();
    if !is_incident && MANY < batches {
        let text =
            format!("note: {batches} batches are {batches} tables to type; a few of the events do as well");
        lines.extend(wrapped(&text, 2, 2));
    }
    lines.push(String::new());
    let (question, commands) = if *is_incident {
        let file = pasted(&fixture.path);
        let open = match fixture.checkpoints.last() {
            Some(last) if last.expect.is_empty() => {
                " Until the right rows stand in the place of \"TODO\", `run` refuses the fixture."
            }
            _ => "",
        };
        let question =
            format!("Which fault gives the rows that were observed? And what did each event do?{open}");
        (question, [format!("diagnose {file}"), format!("rows --why {file}")])
    } else {
        let folder = pasted(fixture.path.parent().unwrap_or(Path::new("")));
        (asked_for(fixture), [format!("check {folder}"), format!("run {folder}")])
    };
    lines.extend(wrapped(&question, 0, 0));
    lines.extend(commands.iter().map(|command| format!("  {program} {command}")));
    lines.join("\n") + "\n"
}

fn what(file: &Path, fixture: &Fixture) -> String {
    match file.file_name() {
        Some(name) if name == PROJECT_FILE => "the top of the project".to_owned(),
        Some(name) if name == SUITE_FILE => "the flow, and the columns that it reads".to_owned(),
        _ => {
            let batches = match fixture.feed.batches() {
                _ if fixture.feed.events().is_empty() => return "no events yet".to_owned(),
                1 => "1 batch".to_owned(),
                batches => format!("{batches} batches"),
            };
            format!("{} in {batches}", counted(fixture.feed.events().len(), "event"))
        }
    }
}

/// What is left to a person.
fn asked_for(fixture: &Fixture) -> String {
    let columns: Vec<&str> = fixture.plan().target().iter().map(|column| &*column.name).collect();
    let columns = for_terminal(&listed(&columns)).into_owned();
    let events = match fixture.plan().reads_snapshots() {
        _ if !fixture.feed.events().is_empty() => "",
        true => "Type the snapshots, each with its version, a checkpoint for each. ",
        false => "Type the events, a checkpoint for each batch. ",
    };
    format!(
        "{events}In the place of each \"TODO\" type all rows that you expect in the table after that batch, with the columns \
         {columns}. Then see what is wrong with the events, and what your fixture would notice:"
    )
}

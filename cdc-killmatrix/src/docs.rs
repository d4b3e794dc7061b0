//! Matrices in documents: what stands between two marks is generated.

use std::path::Path;
use std::{fs, io};

use cdc_core::Mutant;

use crate::assertions::Assertions;
use crate::check;
use crate::diagnostic::Diagnostics;
use crate::escape::for_terminal;
use crate::files::{regular, shown, unread};
use crate::fixture::Fixtures;
use crate::matrix::Matrix;
use crate::readiness::Readiness;
use crate::report;

const BEGIN: &str = "<!-- begin killmatrix";
const BEGIN_END: &str = "-->";
/// What stands before the path where the section holds something else than the matrix.
const KINDS: [(&str, Kind); 2] = [("verdicts", Kind::Verdicts), ("assertions", Kind::Assertions)];
const END: &str = "<!-- end killmatrix -->";

/// How a section begins, for those who wrote it otherwise.
const EXPECTED: &str = "`<!-- begin killmatrix PATH -->`";

/// What a section holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Matrix,
    Verdicts,
    Assertions,
}

impl Kind {
    /// What a section that begins so holds, and the path.
    fn split(what: &str) -> (Self, &str) {
        let of_kind = |(word, kind): (&str, Self)| {
            let path = what.strip_prefix(word).filter(|path| path.starts_with([' ', '\t']))?;
            Some((kind, path.trim()))
        };
        KINDS.into_iter().find_map(of_kind).unwrap_or((Self::Matrix, what))
    }
}

/// Why a document can't be brought up to date.
#[derive(Debug)]
pub enum DocsError {
    /// The document or its fixtures are at fault; what is wrong, with the place.
    Input(String),
    /// The reference disagrees with a fixture, so that there is no matrix to show.
    Disagreement(String),
}

/// A document with every section as it should be: the text that is there, and the new one.
///
/// A section begins with a line `<!-- begin killmatrix PATH -->`, where `PATH` is a suite or a folder of suites, seen
/// from the document's folder, with `verdicts` or `assertions` before it for those; it ends with a line
/// `<!-- end killmatrix -->`. All else stays, line ends included. In a fenced block of code such a line is text.
pub fn updated(document: &Path, mutants: &[Mutant]) -> Result<(String, String), DocsError> {
    let text = read(document).map_err(|error| DocsError::Input(unread(document, &error)))?;
    let line_end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let fault = |line: usize, text: &str| DocsError::Input(format!("{}: {text}", place(document, line)));

    let (mut out, mut open, mut sections) = (String::new(), None, 0);
    let mut fence: Option<Fence> = None;
    for (number, line) in (1..).zip(text.split_inclusive('\n')) {
        let bare = line.trim_end();
        let bare = if number == 1 { bare.trim_start_matches('\u{feff}') } else { bare };
        let was_fenced = fence.is_some();
        fence = match fence {
            None => Fence::opened_by(bare),
            Some(open) => Some(open).filter(|open| !open.is_closed_by(bare)),
        };
        let is_code = was_fenced || fence.is_some();
        let path = if is_code { Ok(None) } else { begins(bare) };
        if let Some(path) = path.map_err(|text| fault(number, &text))? {
            if let Some(start) = open {
                return Err(fault(number, &format!("a section begins inside the one of line {start}")));
            }
            out.push_str(line);
            out.push_str(&section(document, number, path, mutants)?.replace('\n', line_end));
            (open, sections) = (Some(number), sections + 1);
        } else if bare == END && !is_code {
            if open.take().is_none() {
                return Err(fault(number, &format!("no section is open here; expected {EXPECTED} before")));
            }
            out.push_str(line);
        } else if open.is_none() {
            out.push_str(line);
        }
    }
    match open {
        Some(start) => Err(fault(start, &format!("the section has no end; expected a line `{END}`"))),
        None if sections == 0 => Err(fault(1, &format!("there is no section; expected a line {EXPECTED}"))),
        None => Ok((text, out)),
    }
}

/// The text of a document. Only of a regular file: a pipe would be waited for, a device might never end.
fn read(document: &Path) -> io::Result<String> {
    regular(document)?;
    fs::read_to_string(document)
}

fn place(document: &Path, line: usize) -> String {
    format!("{}:{line}:1", shown(document))
}

/// The path of a section that begins with this line, or what is wrong with the line.
fn begins(line: &str) -> Result<Option<&str>, String> {
    let Some(rest) = line.strip_prefix(BEGIN) else { return Ok(None) };
    if rest.starts_with(|c: char| c.is_alphanumeric() || c == '_') {
        return Ok(None);
    }
    let path = rest.strip_suffix(BEGIN_END).filter(|path| path.is_empty() || path.starts_with([' ', '\t']));
    match path.map(str::trim) {
        Some("") => Err(format!("a section begins here, but no path is given; expected {EXPECTED}")),
        Some(path) => Ok(Some(path)),
        None => Err(format!("a section can't begin like this; expected {EXPECTED}")),
    }
}

/// A fenced block of code: its marks, and how many there are.
#[derive(Clone, Copy)]
struct Fence {
    mark: char,
    length: usize,
    /// Whether it began behind the mark of a list: then it ends with an indented line.
    in_list: bool,
}

impl Fence {
    fn opened_by(line: &str) -> Option<Self> {
        let content = behind_list_mark(line);
        let (mark, length, info) = marks(content.unwrap_or(line))?;
        let opens = mark == '~' || !info.contains('`');
        opens.then_some(Self { mark, length, in_list: content.is_some() })
    }

    fn is_closed_by(self, line: &str) -> bool {
        let line = if self.in_list { line.trim_start() } else { line };
        marks(line).is_some_and(|(mark, length, info)| {
            mark == self.mark && self.length <= length && info.trim().is_empty()
        })
    }
}

/// The marks of a fence that a line begins with, how many, and what follows.
fn marks(line: &str) -> Option<(char, usize, &str)> {
    let content = line.trim_start_matches(' ');
    let mark = content.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
    let info = content.trim_start_matches(mark);
    let length = content.len() - info.len();
    (3 <= length && line.len() - content.len() <= 3).then_some((mark, length, info))
}

/// What a line of a list says.
fn behind_list_mark(line: &str) -> Option<&str> {
    let content = line.trim_start();
    let number = content.trim_start_matches(|c: char| c.is_ascii_digit());
    let rest = if number.len() < content.len() {
        number.strip_prefix(['.', ')'])?
    } else {
        content.strip_prefix(['-', '*', '+'])?
    };
    rest.starts_with([' ', '\t']).then(|| rest.trim_start())
}

fn section(document: &Path, line: usize, what: &str, all: &[Mutant]) -> Result<String, DocsError> {
    let folder = document.parent().unwrap_or(Path::new(""));
    let (kind, path) = Kind::split(what);
    let mutants = if kind == Kind::Matrix { all } else { &[] };
    // What is wrong is shown already.
    let fault = |diagnostics: Diagnostics| {
        DocsError::Input(format!("{}: {}", place(document, line), diagnostics.to_string().trim_end()))
    };
    let fixtures = Fixtures::load([folder.join(path)]).map_err(fault)?;
    // That the order is incomplete is what a verdict says.
    if kind != Kind::Verdicts {
        check::undeclared_conflicts(&fixtures).map_err(fault)?;
    }
    let matrix = Matrix::of(&fixtures, mutants);
    if let Some((suite, fixture)) = matrix.disagreements().next() {
        let name = format!("{}/{}", suite.name, fixture.name);
        let text = format!("{}: AUTO CDC disagrees with {}", place(document, line), for_terminal(&name));
        return Err(DocsError::Disagreement(text));
    }
    let text = match kind {
        Kind::Verdicts => {
            let verdicts = Readiness::of(&fixtures).map_err(|reason| {
                DocsError::Input(format!("{}: {}", place(document, line), for_terminal(&reason)))
            })?;
            report::verdicts_markdown(&verdicts)
        }
        _ if matrix.suites.iter().all(|suite| !suite.audited) => "(no audited suite)\n".to_owned(),
        Kind::Assertions => report::assertions_markdown(&Assertions::of(&fixtures, all)),
        Kind::Matrix => report::markdown(&matrix),
    };
    Ok(format!("\n{text}\n"))
}

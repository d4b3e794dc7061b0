//! Matrices in documents: what stands between two marks is generated.

use std::fmt::Display;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use cdc_core::Mutant;
use tempfile::NamedTempFile;

use crate::check;
use crate::diagnostic::Diagnostics;
use crate::escape::for_terminal;
use crate::fixture::Fixtures;
use crate::matrix::Matrix;
use crate::readiness::Readiness;
use crate::report;

const BEGIN: &str = "<!-- begin killmatrix";
const BEGIN_END: &str = "-->";
/// What stands before the path where the section holds the verdicts, not the matrix.
const VERDICTS: &str = "verdicts";
const END: &str = "<!-- end killmatrix -->";

/// How a section begins, for those who wrote it otherwise.
const EXPECTED: &str = "`<!-- begin killmatrix PATH -->`";

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
/// A section begins with a line `<!-- begin killmatrix PATH -->`, where `PATH` is a suite or a folder of
/// suites, seen from the document's folder, or `verdicts` before such a path, and ends with a line `<!-- end killmatrix -->`. All else stays,
/// line ends included. In a fenced block of code such a line is text.
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

fn regular(file: &Path) -> io::Result<fs::Metadata> {
    let metadata = fs::metadata(file)?;
    if metadata.is_file() {
        Ok(metadata)
    } else {
        Err(io::Error::new(io::ErrorKind::InvalidInput, "it isn't a regular file"))
    }
}

/// A path as it is shown.
fn shown(path: &Path) -> String {
    for_terminal(&path.to_string_lossy()).into_owned()
}

fn place(document: &Path, line: usize) -> String {
    format!("{}:{line}:1", shown(document))
}

fn unread(document: &Path, error: &impl Display) -> String {
    format!("{}: can't be read: {error}", shown(document))
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

fn section(document: &Path, line: usize, what: &str, mutants: &[Mutant]) -> Result<String, DocsError> {
    let folder = document.parent().unwrap_or(Path::new(""));
    let judged = what.strip_prefix(VERDICTS).filter(|path| path.starts_with([' ', '\t'])).map(str::trim);
    let (path, mutants) = judged.map_or((what, mutants), |path| (path, &[]));
    // What is wrong is shown already.
    let fault = |diagnostics: Diagnostics| {
        DocsError::Input(format!("{}: {}", place(document, line), diagnostics.to_string().trim_end()))
    };
    let fixtures = Fixtures::load([folder.join(path)]).map_err(fault)?;
    // That the order is incomplete is what a verdict says.
    if judged.is_none() {
        check::undeclared_conflicts(&fixtures).map_err(fault)?;
    }
    let matrix = Matrix::of(&fixtures, mutants);
    if let Some((suite, fixture)) = matrix.disagreements().next() {
        let name = format!("{}/{}", suite.name, fixture.name);
        let text = format!("{}: the reference disagrees with {}", place(document, line), for_terminal(&name));
        return Err(DocsError::Disagreement(text));
    }
    if judged.is_some() {
        let all = Readiness::of(&fixtures).map_err(|reason| {
            DocsError::Input(format!("{}: {}", place(document, line), for_terminal(&reason)))
        })?;
        return Ok(format!("\n{}\n", report::verdicts_markdown(&all)));
    }
    if matrix.suites.iter().all(|suite| !suite.audited) {
        return Ok("\n(no audited suite)\n\n".to_owned());
    }
    Ok(format!("\n{}\n", report::markdown(&matrix)))
}

/// A new text for a file, written beside it, so that little can go wrong when it takes the file's place.
///
/// Dropped, it is removed.
#[derive(Debug)]
pub struct Prepared {
    file: PathBuf,
    new: NamedTempFile,
}

impl Prepared {
    /// Writes a text beside the file that it is meant for, with the file's permissions.
    ///
    /// The file must be there, and be a regular one; behind a symbolic link, the file it leads to counts.
    pub fn new(file: &Path, text: &str) -> io::Result<Self> {
        let file = fs::canonicalize(file)?;
        let permissions = regular(&file)?.permissions();
        let mut new = tempfile::Builder::new()
            .prefix(".killmatrix-")
            .tempfile_in(file.parent().unwrap_or(Path::new("")))?;
        new.as_file().set_permissions(permissions)?;
        new.write_all(text.as_bytes())?;
        new.as_file().sync_all()?;
        Ok(Self { file, new })
    }

    /// Puts the text in the place of the file, so that at every moment either the old or the new one is there.
    pub fn put_in_place(self) -> io::Result<()> {
        self.new.persist(&self.file)?;
        Ok(())
    }
}

/// Puts texts in the place of files: none of them if one can't be written.
///
/// The error names the file.
pub fn replace_all<P: AsRef<Path>, T: AsRef<str>>(texts: &[(P, T)]) -> io::Result<()> {
    let named = |file: &Path, error: io::Error| {
        io::Error::new(error.kind(), format!("{}: can't be written: {error}", shown(file)))
    };
    let mut prepared = Vec::with_capacity(texts.len());
    for (file, text) in texts {
        let file = file.as_ref();
        prepared.push((file, Prepared::new(file, text.as_ref()).map_err(|error| named(file, error))?));
    }
    prepared
        .into_iter()
        .try_for_each(|(file, prepared)| prepared.put_in_place().map_err(|error| named(file, error)))
}

/// Puts a text in the place of a file, so that at every moment either the old or the new one is there.
pub fn replace(file: &Path, text: &str) -> io::Result<()> {
    Prepared::new(file, text)?.put_in_place()
}

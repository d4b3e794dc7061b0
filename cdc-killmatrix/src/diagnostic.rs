//! What is wrong with the input, where, and what was expected.

use std::collections::HashSet;
use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use anstyle::Style;

use crate::escape::for_terminal;
use crate::words::slashed;
use excerpt::Excerpt;

mod excerpt;

/// How many faults are printed: whoever has more than this mends the first ones first.
const PRINTED: usize = 100;

/// How many faults are kept. Further ones are counted, so that a hostile file can't fill the memory.
const KEPT: usize = 1000;

/// How wide a rendered excerpt may be, in columns.
const WIDTH: usize = 80;

/// The commands for who has no fixture yet.
pub(crate) const FIRST: [&str; 2] = ["new", "run --corpus"];

/// One fault of the input: where it is, what is wrong, what was expected.
///
/// Shown as `path:line:column: checkpoint 2, event 1: what is wrong; what was expected`, without colour and
/// with every control character made visible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The file or folder.
    pub path: PathBuf,
    /// Line and column, each from 1; columns are counted in characters. `None` means all of the file.
    pub place: Option<(usize, usize)>,
    /// Which part of the fixture: `flow`, or `checkpoint 2, event 1`. Empty where the path says it all.
    pub part: String,
    /// What is wrong, and what was expected.
    pub message: String,
    /// The commands to go on with, each without the program's name: `rows fixtures/one.json --why`. Empty where the
    /// file must be mended first.
    pub next: Box<[String]>,
    /// The line at fault.
    excerpt: Option<Box<Excerpt>>,
}

impl Diagnostic {
    /// A fault of a file or folder as a whole.
    pub fn of_path(path: &Path, message: impl Into<String>) -> Self {
        Self {
            path: path.to_owned(),
            place: None,
            part: String::new(),
            message: message.into(),
            next: Box::default(),
            excerpt: None,
        }
    }

    /// The same, with a command to go on with.
    pub(crate) fn then(self, command: impl Into<String>) -> Self {
        let next = self.next.into_iter().chain([command.into()]).collect();
        Self { next, ..self }
    }

    /// A fault at a place: `span` is the part of `line` at fault, in bytes.
    pub(crate) fn at(
        path: &Path,
        place: (usize, usize),
        part: String,
        message: String,
        (line, span): (&str, Range<usize>),
    ) -> Self {
        let excerpt = Some(Box::new(Excerpt::new(line, &span)));
        Self { path: path.to_owned(), place: Some(place), part, message, next: Box::default(), excerpt }
    }

    /// The fault, then the line it is in with carets under the place.
    fn render(&self, renderer: &Renderer, bold: Style) -> String {
        let mut text = format!("{bold}{}{bold:#}: {}\n", self.origin(), self.rest());
        if let (Some(excerpt), Some((number, _))) = (&self.excerpt, self.place) {
            let marked = AnnotationKind::Primary.span(excerpt.span.clone());
            let snippet = Snippet::source(&*excerpt.text).line_start(number).annotation(marked);
            let report = [Group::with_level(Level::ERROR).element(snippet)];
            text.push_str(&renderer.render(&report));
            text.push('\n');
        }
        text
    }

    fn origin(&self) -> String {
        let path = self.path.to_string_lossy();
        let path = for_terminal(&path);
        match self.place {
            Some((line, column)) => format!("{path}:{line}:{column}"),
            None => path.into_owned(),
        }
    }

    fn rest(&self) -> String {
        let message = for_terminal(&self.message);
        if self.part.is_empty() {
            message.into_owned()
        } else {
            format!("{}: {message}", for_terminal(&self.part))
        }
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.origin(), self.rest())
    }
}

impl std::error::Error for Diagnostic {}

/// All faults that were found in one run, at least one; in the order of the files, then of the lines.
///
/// Of more than a thousand only the first are kept, the others counted. It is printed without colours and
/// without excerpts; see [`Diagnostics::plain`] and [`Diagnostics::styled`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagnostics {
    faults: Vec<Diagnostic>,
    more: usize,
    warnings: Vec<String>,
}

impl Diagnostics {
    /// The faults that were kept.
    pub fn faults(&self) -> &[Diagnostic] {
        &self.faults
    }

    /// How many faults there are.
    pub fn count(&self) -> usize {
        self.faults.len() + self.more
    }

    /// The faults for a reader, each with its line, in plain text; at most the first hundred.
    pub fn plain(&self) -> String {
        self.render(&Renderer::plain(), Style::new())
    }

    /// The same with the colours of a terminal, as ANSI escape codes.
    pub fn styled(&self) -> String {
        self.render(&Renderer::styled(), Style::new().bold())
    }

    fn render(&self, renderer: &Renderer, bold: Style) -> String {
        let renderer = renderer.clone().term_width(WIDTH);
        let mut text = String::new();
        for fault in self.printed() {
            text.push_str(&fault.render(&renderer, bold));
        }
        text.extend(self.unprinted().map(|more| format!("and {more} more\n")));
        text.extend(self.warnings.iter().map(|warning| format!("warning: {warning}\n")));
        text
    }

    fn printed(&self) -> impl Iterator<Item = &Diagnostic> {
        self.faults.iter().take(PRINTED)
    }

    fn unprinted(&self) -> Option<usize> {
        self.count().checked_sub(PRINTED).filter(|&more| more != 0)
    }

    /// Says that a fault which was kept occurs once more, in the same list.
    pub(crate) fn repeat(&mut self, fault: usize, times: usize) {
        if let Some(fault) = self.faults.get_mut(fault) {
            let s = if times == 1 { "" } else { "s" };
            fault.message.extend([" (and in ", &times.to_string(), " more row", s, ")"]);
        }
    }

    pub(crate) fn push(&mut self, fault: Diagnostic) {
        self.push_with(|| fault);
    }

    /// Whether further faults are only counted.
    pub(crate) fn is_full(&self) -> bool {
        KEPT <= self.faults.len()
    }

    /// Adds a fault, which is made only if it is kept.
    pub(crate) fn push_with(&mut self, fault: impl FnOnce() -> Diagnostic) {
        if self.is_full() { self.more += 1 } else { self.faults.push(fault()) }
    }

    /// Adds what was passed over: it may be why something is missing.
    pub(crate) fn with_warnings(self, warnings: Vec<String>) -> Self {
        Self { warnings, ..self }
    }

    /// The same faults, where the paths below a folder are shown as something else and what follows.
    pub(crate) fn shown(mut self, folder: &Path, shown: &str) -> Self {
        for fault in &mut self.faults {
            fault.path = below(&fault.path, folder, shown);
        }
        self
    }

    /// The same faults, of a text that is one line of a file.
    pub(crate) fn in_line(mut self, line: usize) -> Self {
        for fault in &mut self.faults {
            fault.place = fault.place.map(|(_, column)| (line, column));
        }
        self
    }

    /// The faults and warnings of several parts of a file, in the order of their places, each once.
    pub(crate) fn of_all<'a>(parts: impl Iterator<Item = &'a Self>) -> Self {
        let mut all = Self::default();
        for part in parts {
            all.faults.extend_from_slice(&part.faults);
            all.warnings.extend_from_slice(&part.warnings);
            all.more += part.more;
        }
        sort(&mut all.faults);
        all.warnings.dedup();
        all.more += all.faults.len().saturating_sub(KEPT);
        all.faults.truncate(KEPT);
        all
    }

    /// Adds the faults of a file and of those that it names, in the order of their places.
    pub(crate) fn append(&mut self, mut file: Self) {
        file.faults.sort_by(|one, two| (&one.path, one.place).cmp(&(&two.path, two.place)));
        for fault in file.faults {
            self.push(fault);
        }
        self.more += file.more;
        self.warnings.append(&mut file.warnings);
    }
}

/// A path below a folder as something else and what follows; any other path as it is.
pub(crate) fn below(path: &Path, folder: &Path, shown: &str) -> PathBuf {
    path.strip_prefix(folder)
        .map_or_else(|_| path.to_owned(), |rest| format!("{shown}{}", slashed(rest)).into())
}

/// Sorts what is said of a file by its places, and leaves out what is said twice.
pub(crate) fn sort(said: &mut Vec<Diagnostic>) {
    said.sort_by_key(|one| one.place);
    let mut seen = HashSet::new();
    said.retain(|one| seen.insert((one.place, one.message.clone())));
}

impl From<Diagnostic> for Diagnostics {
    fn from(fault: Diagnostic) -> Self {
        Self { faults: vec![fault], ..Self::default() }
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, fault) in self.printed().enumerate() {
            write!(f, "{}{fault}", if i == 0 { "" } else { "\n" })?;
        }
        if let Some(more) = self.unprinted() {
            write!(f, "\nand {more} more")?;
        }
        self.warnings.iter().try_for_each(|warning| write!(f, "\nwarning: {warning}"))
    }
}

impl std::error::Error for Diagnostics {}

//! `killmatrix.toml`: where the fixtures are, what need not be caught, and which mutants a suite is held against.

use std::collections::BTreeSet;
use std::env;
use std::ops::Range;
use std::path::{Path, PathBuf};

use cdc_core::Mutant;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::diagnostic::Diagnostics;
use crate::fixture::{Fixtures, PROJECT_FILE};
use crate::json::{Source, quoted};
use crate::matrix::{Ignored, Matrix};
use crate::verdict::Outcome;
use crate::words::hint;

/// Where fixtures are if nothing else is said.
pub(crate) const FIXTURES: &str = "fixtures";

/// Whether the paths that a configuration names must be there.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Paths {
    Exist,
    /// What is missing is about to be made.
    MayCome,
}

/// Where fixtures are looked for if neither the command line nor a configuration says it: beside the configuration.
pub(crate) fn default_fixtures(config: Option<&Path>) -> PathBuf {
    config.and_then(Path::parent).unwrap_or(Path::new("")).join(FIXTURES)
}

/// The configuration of the project around the working folder: the nearest upwards, at most to the top of the git work
/// tree.
pub(crate) fn nearest() -> Option<PathBuf> {
    let here = env::current_dir().ok()?;
    let mut up = PathBuf::new();
    for folder in here.ancestors() {
        let file = up.join(PROJECT_FILE);
        if file.exists() {
            return Some(file);
        }
        if folder.join(".git").exists() {
            return None;
        }
        up.push("..");
    }
    None
}

/// What a project says of its fixtures.
///
/// ```toml
/// fixtures = ["fixtures"]
///
/// [[ignore]]
/// mutant = "kept_nulls"
/// suite = "customers_current"
/// reason = "the source never sends a null"
///
/// [suites.customers_history]
/// except = ["key equality"]
/// ```
#[derive(Debug, Default)]
pub struct Config {
    /// Where fixtures are looked for if no path is given; empty where the file doesn't say it.
    pub fixtures: Vec<PathBuf>,
    /// The mutants that need not be caught.
    pub ignored: Vec<Ignored>,
    selections: Vec<Selection>,
    /// The suites that are named, each with its place.
    named: Vec<(String, Range<usize>)>,
    source: Option<Source>,
}

/// Which mutants a suite is held against.
#[derive(Debug)]
struct Selection {
    suite: String,
    /// Whether the names are those of the mutants that remain, or of those that don't.
    is_only: bool,
    /// Names of mutants and families.
    names: BTreeSet<String>,
}

impl Selection {
    fn keeps(&self, mutant: &Mutant) -> bool {
        let is_named = self.names.contains(mutant.name) || self.names.contains(mutant.family);
        is_named == self.is_only
    }
}

impl Config {
    /// Reads such a file, or says everything that is wrong with it. `mutants` are those there are.
    ///
    /// Its paths are seen from its folder.
    pub fn read(path: &Path, mutants: &[Mutant]) -> Result<Self, Diagnostics> {
        Self::read_of(path, mutants, Paths::Exist)
    }

    pub(crate) fn read_of(path: &Path, mutants: &[Mutant], paths: Paths) -> Result<Self, Diagnostics> {
        let source = Source::read(path)?;
        let (table, errors) = DeTable::parse_recoverable(source.text());
        let mut reader = Reader { source: &source, mutants, paths, faults: Diagnostics::default() };
        for error in errors {
            reader.fault(error.span().unwrap_or(0..0), format!("this is no TOML: {}", error.message()));
        }
        // What is said of the rest of a file that is no TOML may be wrong.
        let mut config = Self::default();
        if reader.faults.count() == 0 {
            reader.file(table.get_ref(), &mut config);
        }
        let faults = reader.faults;
        if faults.count() != 0 {
            let mut sorted = Diagnostics::default();
            sorted.append(faults);
            return Err(sorted);
        }
        config.source = Some(source);
        Ok(config)
    }

    /// What the file of a folder says; nothing, where there is none.
    pub(crate) fn of_folder(folder: &Path, mutants: &[Mutant]) -> Result<Self, Diagnostics> {
        let file = folder.join(PROJECT_FILE);
        if file.exists() { Self::read(&file, mutants) } else { Ok(Self::default()) }
    }

    /// Says which suites it names that aren't there.
    pub fn suites_exist(&self, fixtures: &Fixtures) -> Result<(), Diagnostics> {
        let names: Vec<&str> = fixtures.suites.iter().map(|suite| suite.name.as_str()).collect();
        let mut faults = Diagnostics::default();
        let Some(source) = &self.source else { return Ok(()) };
        for (name, span) in self.named.iter().filter(|(name, _)| !names.contains(&name.as_str())) {
            let text = format!("there is no suite {}; {}", quoted(name), hint(name, names.iter().copied()));
            faults.push(source.fault("", span.clone(), text));
        }
        if faults.count() == 0 { Ok(()) } else { Err(faults) }
    }

    /// Whether a suite is held against a mutant.
    pub(crate) fn keeps(&self, suite: &str, mutant: &Mutant) -> bool {
        self.selections.iter().filter(|it| it.suite == suite).all(|selection| selection.keeps(mutant))
    }

    /// Takes out of a matrix what it is not to be held against, and notes what need not be caught.
    pub fn apply(&self, matrix: &mut Matrix) {
        matrix.ignored.extend_from_slice(&self.ignored);
        for selection in &self.selections {
            for suite in matrix.suites.iter_mut().filter(|suite| suite.name == selection.suite) {
                for line in &mut suite.fixtures {
                    let cells = matrix.mutants.iter().zip(&mut line.cells);
                    for (_, cell) in cells.filter(|(mutant, _)| !selection.keeps(mutant)) {
                        *cell = Outcome::LEFT_OUT;
                    }
                }
            }
        }
    }
}

/// A value of the file, with its place.
type Value<'t> = Spanned<DeValue<'t>>;

/// Reads a file and gathers its faults.
struct Reader<'a> {
    source: &'a Source,
    mutants: &'a [Mutant],
    paths: Paths,
    faults: Diagnostics,
}

impl<'a> Reader<'a> {
    fn fault(&mut self, span: Range<usize>, text: String) {
        self.faults.push(self.source.fault("", span, text));
    }

    fn file(&mut self, file: &DeTable<'_>, config: &mut Config) {
        self.keys(file, &["fixtures", "ignore", "suites"]);
        if let Some(paths) = file.get("fixtures") {
            config.fixtures = self.paths(paths);
        }
        let lines = file.get("ignore").map(|lines| self.list(lines, "ignore", "tables [[ignore]]"));
        for line in lines.into_iter().flatten() {
            self.ignore(line, config);
        }
        let suites =
            file.get("suites").and_then(|suites| self.table(suites, "suites", "tables [suites.NAME]"));
        for (name, suite) in suites.into_iter().flatten() {
            self.selection(name, suite, config);
        }
    }

    fn paths(&mut self, list: &Value<'_>) -> Vec<PathBuf> {
        let folder = self.source.path.parent().unwrap_or(Path::new("")).to_owned();
        let texts = self.texts(list, "fixtures", "a list of paths");
        let mut paths = Vec::new();
        for (text, span) in texts {
            let path = folder.join(text);
            if self.paths == Paths::Exist && !path.exists() {
                self.fault(span, format!("there is no such file or folder: {}", quoted(text)));
            }
            paths.push(path);
        }
        paths
    }

    fn ignore(&mut self, line: &Value<'_>, config: &mut Config) {
        let Some(table) = self.table(line, "ignore", "a table [[ignore]]") else { return };
        self.keys(table, &["mutant", "reason", "suite"]);
        let mutant = self.text(table, "mutant");
        let (reason, suite) = (self.text(table, "reason"), self.text(table, "suite"));
        for (name, given, what) in
            [("mutant", &mutant, "the name of one"), ("reason", &reason, "why it need not be caught")]
        {
            if given.is_none() && !table.contains_key(name) {
                self.fault(line.span(), format!("there is no `{name}`; expected {what}"));
            }
        }
        if let Some((name, span)) = &mutant {
            self.is_known("mutant", name, span, &self.names());
        }
        let (Some((mutant, span)), Some((reason, _))) = (mutant, reason) else { return };
        let is_there =
            |it: &Ignored| it.mutant == mutant && it.suite.as_deref() == suite.as_ref().map(|it| it.0);
        if config.ignored.iter().any(is_there) {
            self.fault(span, format!("{} is ignored twice", quoted(mutant)));
        }
        let owned = |text: &str| text.to_owned();
        config.ignored.push(Ignored {
            mutant: owned(mutant),
            suite: suite.as_ref().map(|suite| owned(suite.0)),
            reason: owned(reason),
        });
        config.named.extend(suite.map(|(name, span)| (owned(name), span)));
    }

    fn selection(
        &mut self,
        name: &Spanned<std::borrow::Cow<'_, str>>,
        suite: &Value<'_>,
        config: &mut Config,
    ) {
        let text = name.get_ref().to_string();
        let Some(table) = self.table(suite, &text, "a table with `only` or `except`") else { return };
        self.keys(table, &["only", "except"]);
        let (is_only, names) = match (table.get("only"), table.get("except")) {
            (Some(names), None) => (true, names),
            (None, Some(names)) => (false, names),
            (None, None) => {
                return self.fault(
                    name.span(),
                    "there is neither `only` nor `except`; expected one of them".to_owned(),
                );
            }
            (Some(_), Some(except)) => {
                return self.fault(except.span(), "there is `only` as well; expected one of them".to_owned());
            }
        };
        let known: Vec<&str> = self.names().into_iter().chain(self.families()).collect();
        let names =
            self.texts(names, if is_only { "only" } else { "except" }, "a list of mutants or families");
        for (name, span) in &names {
            self.is_known("mutant or family", name, span, &known);
        }
        let names = names.into_iter().map(|(name, _)| name.to_owned()).collect();
        config.named.push((text.clone(), name.span()));
        config.selections.push(Selection { suite: text, is_only, names });
    }

    fn names(&self) -> Vec<&'a str> {
        self.mutants.iter().map(|mutant| mutant.name).collect()
    }

    fn families(&self) -> BTreeSet<&'a str> {
        self.mutants.iter().map(|mutant| mutant.family).filter(|family| !family.is_empty()).collect()
    }

    fn is_known(&mut self, what: &str, name: &str, span: &Range<usize>, known: &[&str]) {
        if !known.contains(&name) {
            let text = format!("there is no {what} {}; {}", quoted(name), hint(name, known.iter().copied()));
            self.fault(span.clone(), text);
        }
    }

    /// Reports the keys that a table must not have.
    fn keys(&mut self, table: &DeTable<'_>, known: &[&str]) {
        for key in table.keys().filter(|key| !known.contains(&&**key.get_ref())) {
            let name = key.get_ref();
            let text = format!("there is no key {}; {}", quoted(name), hint(name, known.iter().copied()));
            self.fault(key.span(), text);
        }
    }

    fn table<'t, 'v>(&mut self, value: &'v Value<'t>, name: &str, expected: &str) -> Option<&'v DeTable<'t>> {
        let table = value.get_ref().as_table();
        if table.is_none() {
            self.misfit(value, name, expected);
        }
        table
    }

    fn list<'t, 'v>(&mut self, value: &'v Value<'t>, name: &str, expected: &str) -> Vec<&'v Value<'t>> {
        let Some(list) = value.get_ref().as_array() else {
            self.misfit(value, name, expected);
            return Vec::new();
        };
        list.iter().collect()
    }

    /// A list of texts, none of them empty; at least one.
    fn texts<'v>(
        &mut self,
        value: &'v Value<'_>,
        name: &str,
        expected: &str,
    ) -> Vec<(&'v str, Range<usize>)> {
        let mut texts = Vec::new();
        if value.get_ref().as_array().is_some_and(|list| list.is_empty()) {
            self.fault(value.span(), format!("`{name}` is empty; expected {expected}"));
        }
        for element in self.list(value, name, expected) {
            match element.get_ref().as_str() {
                Some(text) if !text.trim().is_empty() => texts.push((text, element.span())),
                Some(_) => {
                    self.fault(element.span(), format!("`{name}` holds an empty text; expected {expected}"));
                }
                None => self.misfit(element, name, expected),
            }
        }
        texts
    }

    /// A text that isn't empty, where it is given.
    fn text<'v>(&mut self, table: &'v DeTable<'_>, name: &str) -> Option<(&'v str, Range<usize>)> {
        let value = table.get(name)?;
        match value.get_ref().as_str() {
            Some(text) if !text.trim().is_empty() => Some((text, value.span())),
            Some(_) => {
                self.fault(value.span(), format!("`{name}` is empty; expected a text"));
                None
            }
            None => {
                self.misfit(value, name, "a text in quotes");
                None
            }
        }
    }

    fn misfit(&mut self, value: &Value<'_>, name: &str, expected: &str) {
        let found = value.get_ref().type_str();
        let a = if found.starts_with(['a', 'i']) { "an" } else { "a" };
        self.fault(value.span(), format!("`{name}` is {a} {found}; expected {expected}"));
    }
}

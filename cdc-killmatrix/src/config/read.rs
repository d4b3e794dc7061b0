//! The file, value by value: everything that is wrong with it, each at its place.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};

use cdc_core::Mutant;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{Config, LONGEST_WAIT, NamedEngine, Paths, Selection};
use crate::diagnostic::Diagnostics;
use crate::json::{Source, quoted};
use crate::matrix::Ignored;
use crate::words::hint;

/// A value of the file, with its place.
type Value<'t> = Spanned<DeValue<'t>>;

/// Reads a file and gathers its faults.
pub(super) struct Reader<'a> {
    pub(super) source: &'a Source,
    pub(super) mutants: &'a [Mutant],
    pub(super) paths: Paths,
    pub(super) faults: Diagnostics,
}

impl<'a> Reader<'a> {
    pub(super) fn fault(&mut self, span: Range<usize>, text: String) {
        self.faults.push(self.source.fault("", span, text));
    }

    pub(super) fn file(&mut self, file: &DeTable<'_>, config: &mut Config) {
        self.keys(file, &["fixtures", "ignore", "suites", "engines"]);
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
        let engines =
            file.get("engines").and_then(|engines| self.table(engines, "engines", "tables [engines.NAME]"));
        for (name, engine) in engines.into_iter().flatten() {
            let text = name.get_ref().to_string();
            if let Some(table) = self.table(engine, &text, "a table with `command`") {
                self.engine(text, name.span(), table, config);
            }
        }
    }

    fn engine(&mut self, name: String, span: Range<usize>, table: &DeTable<'_>, config: &mut Config) {
        self.keys(table, &["command", "timeout"]);
        if !table.contains_key("command") {
            self.fault(span, "there is no `command`; expected a program and its arguments".to_owned());
        }
        let timeout = table.get("timeout").and_then(|value| {
            let seconds =
                value.get_ref().as_integer().and_then(|it| it.as_str().replace('_', "").parse().ok());
            let seconds = seconds.filter(|it| LONGEST_WAIT.contains(it));
            if seconds.is_none() {
                let expected = format!("seconds from {} to {}", LONGEST_WAIT.start(), LONGEST_WAIT.end());
                self.fault(value.span(), format!("`timeout` isn't right; expected {expected}"));
            }
            seconds
        });
        let Some((command, _)) = self.text(table, "command") else { return };
        let (command, folder) = (command.to_owned(), self.folder());
        config.engines.push(NamedEngine { name, command, folder, timeout });
    }

    /// The folder of the file.
    fn folder(&self) -> PathBuf {
        self.source.path.parent().unwrap_or(Path::new("")).to_owned()
    }

    fn paths(&mut self, list: &Value<'_>) -> Vec<PathBuf> {
        let folder = self.folder();
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

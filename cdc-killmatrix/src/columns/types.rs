//! Types as they are declared, and as Spark prints them.

use std::collections::HashSet;
use std::ops::Range;

use cdc_core::{DataType, Field, folded};

use crate::definition::sql::Fault;
use crate::fixture::COLUMNS;
use crate::json::quoted;

/// How deeply types may be nested, as in a fixture.
pub(super) const DEPTH: usize = 64;

/// Types that the model doesn't have.
const UNKNOWN: [&str; 9] =
    ["VARIANT", "INTERVAL", "VOID", "NULL", "OBJECT", "GEOGRAPHY", "GEOMETRY", "TIME", "UDT"];

/// How the names of a struct's fields are written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Names {
    /// As a statement declares them: in backticks where they need them; the colon may be left out.
    Declared,
    /// As Spark prints them: all up to the colon, without backticks.
    Printed,
}

/// The type that a part of a text says.
pub(super) fn parse(text: &str, range: Range<usize>, names: Names) -> Result<DataType, Fault> {
    let mut types = Types { text: &text[..range.end], at: range.start, names };
    let data_type = types.data_type(0)?;
    match types.rest() {
        "" => Ok(data_type),
        rest => Err(types.fault(&format!("unexpected {} behind the type", quoted(rest)))),
    }
}

/// A struct of these fields, or what is wrong with them.
pub(super) fn structure(fields: Vec<Field>) -> Result<DataType, String> {
    if COLUMNS < fields.len() {
        return Err(format!("a struct has more than {COLUMNS} fields; expected fewer"));
    }
    let mut names = HashSet::new();
    match fields.iter().find(|field| !names.insert(folded(&field.name))) {
        Some(field) => {
            Err(format!("the field {} is given twice; names match without case", quoted(&field.name)))
        }
        None if fields.is_empty() => Err("the struct has no field; expected at least one".to_owned()),
        None => Ok(DataType::Struct(fields)),
    }
}

/// That the model doesn't have a type.
pub(super) fn unknown(name: &str) -> String {
    let name = quoted(name);
    format!(
        "the model has no {name}; leave the column out, or write STRING if the flow or the events name it"
    )
}

/// That types are nested too deeply.
pub(super) fn too_deep() -> String {
    format!("types are nested more than {DEPTH} deep; expected less")
}

struct Types<'t> {
    text: &'t str,
    at: usize,
    names: Names,
}

impl<'t> Types<'t> {
    fn fault(&self, message: &str) -> Fault {
        let length = self.text[self.at..].chars().next().map_or(0, char::len_utf8);
        (self.at..self.at + length, message.to_owned())
    }

    /// What is left, without the blanks and comments before it.
    fn rest(&mut self) -> &'t str {
        loop {
            let rest = &self.text[self.at..];
            let skipped = match rest.trim_start() {
                blank if blank.len() < rest.len() => rest.len() - blank.len(),
                line if line.starts_with("--") => line.find('\n').unwrap_or(line.len()),
                block if block.starts_with("/*") => block.find("*/").map_or(block.len(), |end| end + 2),
                rest => return rest,
            };
            self.at += skipped;
        }
    }

    fn take(&mut self, sign: char) -> bool {
        let is_there = self.rest().starts_with(sign);
        self.at += if is_there { sign.len_utf8() } else { 0 };
        is_there
    }

    fn expect(&mut self, sign: char) -> Result<(), Fault> {
        if self.take(sign) {
            return Ok(());
        }
        let found = match self.rest() {
            "" => "the type ends too early".to_owned(),
            rest => format!("unexpected {}", quoted(rest)),
        };
        Err(self.fault(&format!("{found}; expected `{sign}`")))
    }

    /// A run of letters and digits, which may be empty.
    fn word(&mut self) -> &'t str {
        let rest = self.rest();
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    fn take_word(&mut self, word: &str) -> bool {
        let before = self.at;
        let is_there = self.word().eq_ignore_ascii_case(word);
        if !is_there {
            self.at = before;
        }
        is_there
    }

    fn data_type(&mut self, depth: usize) -> Result<DataType, Fault> {
        self.rest();
        if DEPTH < depth {
            return Err(self.fault(&too_deep()));
        }
        let start = self.at;
        let word = self.word();
        let upper = word.to_ascii_uppercase();
        let here = |message: String| (start..start + word.len(), message);
        match &*upper {
            "" => {
                let found = if self.rest().is_empty() { "no type".to_owned() } else { quoted(self.rest()) };
                Err(self.fault(&format!("found {found}; expected a type, as in `id BIGINT`")))
            }
            "STRUCT" => {
                self.expect('<')?;
                let fields = self.fields(depth + 1)?;
                self.expect('>')?;
                structure(fields).map_err(here)
            }
            "ARRAY" => {
                self.expect('<')?;
                let element = self.data_type(depth + 1)?;
                self.expect('>')?;
                Ok(DataType::Array(Box::new(element)))
            }
            "MAP" => {
                self.expect('<')?;
                let key = self.data_type(depth + 1)?;
                self.expect(',')?;
                let value = self.data_type(depth + 1)?;
                self.expect('>')?;
                Ok(DataType::Map(Box::new(key), Box::new(value)))
            }
            name if UNKNOWN.contains(&name) => Err(here(unknown(name))),
            name => {
                if self.rest().starts_with('(') {
                    let rest = self.rest();
                    self.at += rest.find(')').map_or(rest.len(), |end| end + 1);
                }
                let written = &self.text[start..self.at];
                let is_text = ["STRING", "VARCHAR", "CHAR", "CHARACTER"].contains(&name);
                if is_text && self.take_word("COLLATE") {
                    self.word();
                }
                if is_text && name != "STRING" {
                    return Ok(DataType::String);
                }
                written.parse().map_err(|error| (start..start + written.len(), format!("{error}")))
            }
        }
    }

    fn fields(&mut self, depth: usize) -> Result<Vec<Field>, Fault> {
        let mut fields = Vec::new();
        if self.rest().starts_with('>') {
            return Ok(fields);
        }
        loop {
            let name = self.name()?;
            let data_type = self.data_type(depth)?;
            fields.push(Field { name, data_type });
            if self.take_word("NOT") && !self.take_word("NULL") {
                return Err(self.fault("expected `NULL` behind `NOT`"));
            }
            if self.take_word("COMMENT") {
                self.comment()?;
            }
            if !self.take(',') {
                return Ok(fields);
            }
        }
    }

    /// The name of a field, and the colon behind it.
    fn name(&mut self) -> Result<String, Fault> {
        let rest = self.rest();
        if let Some(inside) = rest.strip_prefix('`')
            && let Some(end) = closing(inside, '`')
            && (self.names == Names::Declared || inside[end + 1..].starts_with(':'))
        {
            self.at += end + 2;
            self.take(':');
            return Ok(inside[..end].replace("``", "`"));
        }
        match self.names {
            Names::Declared => {
                let word = self.word();
                if word.is_empty() {
                    return Err(self.fault("expected the name of a field"));
                }
                self.take(':');
                Ok(word.to_owned())
            }
            Names::Printed => {
                let Some((name, _)) = rest.split_once(':') else {
                    return Err(self.fault("expected the name of a field and a colon"));
                };
                self.at += name.len() + 1;
                Ok(name.to_owned())
            }
        }
    }

    /// Goes past a text in quotes, which may hold doubled ones.
    fn comment(&mut self) -> Result<(), Fault> {
        let rest = self.rest();
        let mut open = None;
        let mut is_escaped = false;
        for (at, c) in rest.char_indices() {
            match open {
                _ if is_escaped => is_escaped = false,
                Some(_) if c == '\\' => is_escaped = true,
                Some(quote) if c == quote => open = None,
                None if c == '\'' || c == '"' => open = Some(c),
                None if 0 < at => {
                    self.at += at;
                    return Ok(());
                }
                None => break,
                Some(_) => {}
            }
        }
        Err(self.fault("expected a text in quotes behind `COMMENT`"))
    }
}

/// Where a quote that isn't doubled stands.
fn closing(text: &str, quote: char) -> Option<usize> {
    let mut signs = text.match_indices(quote).map(|(at, _)| at).peekable();
    while let Some(at) = signs.next() {
        if signs.next_if_eq(&(at + quote.len_utf8())).is_none() {
            return Some(at);
        }
    }
    None
}

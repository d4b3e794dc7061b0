use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};

use jsonc_parser::common::Ranged;
use jsonc_parser::errors::ParseErrorKind;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use serde::de::IgnoredAny;

use super::Json;
use crate::diagnostic::Diagnostic;
use crate::words::lower_first;

/// How large a file may be, in mebibytes.
pub(crate) const MEBIBYTES: u64 = 32;

/// How many bytes lie between two counts of characters.
const BLOCK: usize = 1024;

const STRICT: ParseOptions = ParseOptions {
    allow_comments: false,
    allow_loose_object_property_names: false,
    allow_trailing_commas: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

/// A file's text with what is needed to find a place in it without reading it again.
#[derive(Debug)]
pub(crate) struct Source {
    pub(crate) path: PathBuf,
    text: String,
    /// Where each line starts.
    lines: Vec<usize>,
    /// How many characters come before each block of bytes.
    characters: Vec<usize>,
}

impl Source {
    /// Reads a file: UTF-8, with or without a byte-order mark.
    pub(crate) fn read(path: &Path) -> Result<Self, Diagnostic> {
        Self::of_bytes(path, bytes_of(path)?)
    }

    /// The same of a file's bytes, where these are needed as well.
    pub(crate) fn of_bytes(path: &Path, bytes: Vec<u8>) -> Result<Self, Diagnostic> {
        // Half of a character of ASCII is zero.
        if let [0xff, 0xfe, ..] | [0xfe, 0xff, ..] | [0, _, ..] | [_, 0, ..] = &*bytes {
            let text = "the file is in UTF-16, as PowerShell's `>` writes it; expected a text file in UTF-8";
            return Err(Diagnostic::of_path(path, text));
        }
        match String::from_utf8(bytes) {
            Ok(mut text) => {
                if text.starts_with('\u{feff}') {
                    text.drain(..'\u{feff}'.len_utf8());
                }
                Ok(Self::new(path.to_owned(), text))
            }
            Err(error) => {
                let (end, bytes) = (error.utf8_error().valid_up_to(), error.into_bytes());
                let text = String::from_utf8_lossy(&bytes).into_owned();
                let message =
                    format!("the byte 0x{:02x} is no UTF-8; expected a text file in UTF-8", bytes[end]);
                let start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
                let source = Self::new(path.to_owned(), text[start..].to_owned());
                Err(source.fault("", end - start..end - start + 1, message))
            }
        }
    }

    /// The text of the file.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn new(path: PathBuf, text: String) -> Self {
        let starts = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n').map(|(i, _)| i + 1);
        let lines = std::iter::once(0).chain(starts).collect();
        let mut characters = vec![0];
        for block in text.as_bytes().chunks(BLOCK) {
            characters.push(characters[characters.len() - 1] + count(block));
        }
        Self { path, text, lines, characters }
    }

    /// The file as strict JSON.
    pub(crate) fn parse(&self) -> Result<Json<'_>, Diagnostic> {
        if self.text.trim().is_empty() {
            let mut fault = Diagnostic::of_path(&self.path, "the file is empty; expected a JSON object");
            fault.place = Some((1, 1));
            return Err(fault);
        }
        // The parser that keeps places is laxer than JSON about blanks, numbers and control characters.
        if let Err(error) = serde_json::from_str::<IgnoredAny>(&self.text) {
            return Err(self.not_json(&error));
        }
        let invalid = |range: Range<usize>, message: String| self.fault("", range, message);
        match parse_to_ast(&self.text, &CollectOptions::default(), &STRICT) {
            Ok(parsed) => {
                parsed.value.ok_or_else(|| invalid(0..0, "this is no JSON; expected an object".to_owned()))
            }
            Err(error) => {
                let (start, end) = (error.range().start(), error.range().end());
                let message = match error.kind() {
                    ParseErrorKind::NestingDepthExceeded => {
                        "the JSON is nested more than 512 deep; expected less".to_owned()
                    }
                    ParseErrorKind::String(_) => {
                        "this is no JSON: the escape stands for no character; expected a pair such as \\ud83d\\ude00"
                            .to_owned()
                    }
                    kind => format!("this is no JSON: {}", lower_first(&kind.to_string())),
                };
                Err(invalid(start..end.max(start), message))
            }
        }
    }

    fn not_json(&self, error: &serde_json::Error) -> Diagnostic {
        let whole = error.to_string();
        let what = whole.rsplit_once(" at line ").map_or(&*whole, |(what, _)| what);
        if error.is_eof() {
            let inside = what.strip_prefix("EOF while parsing ").unwrap_or("a value");
            let end = self.text.trim_end().len();
            return self.fault("", end..end, format!("the file ends inside {inside}; is it complete?"));
        }
        let start = self.lines.get(error.line().saturating_sub(1)).copied().unwrap_or(0);
        let offset = self.text.floor_char_boundary((start + error.column()).saturating_sub(1));
        // That error's place is somewhere before the character.
        let is_control = what.starts_with("control character");
        let skipped = self.text[offset..].find(|c: char| c < ' ').filter(|_| is_control).unwrap_or(0);
        let offset = offset + skipped;
        let found = self.text[offset..].chars().next();
        let before = self.text[..offset].trim_end().chars().next_back();
        let (what, hint) = match (what, found) {
            (_, Some(']' | '}')) if before == Some(',') => {
                ("a comma after the last entry", "; expected none there")
            }
            (_, Some('/')) => (what, "; JSON has no comments"),
            (_, Some('\'')) => (what, "; texts and names are put in double quotes"),
            ("expected value", Some('N' | 'I')) => {
                (what, "; write \"NaN\", \"Infinity\" or \"-Infinity\", in quotes")
            }
            ("key must be a string", _) => (what, "; names are put in double quotes"),
            ("invalid number", Some('0'..='9')) if before == Some('0') => {
                (what, "; a number has no leading zero")
            }
            _ if is_control => {
                ("a control character inside a text", "; expected an escape such as \\n or \\t")
            }
            _ => (what, ""),
        };
        let end = offset + found.map_or(0, char::len_utf8);
        self.fault("", offset..end, format!("this is no JSON: {what}{hint}"))
    }

    /// A fault at a place in the text.
    pub(crate) fn fault(&self, part: &str, range: Range<usize>, message: String) -> Diagnostic {
        let (line, column) = self.place(range.start);
        let start = self.lines[line - 1];
        let end = self.lines.get(line).map_or(self.text.len(), |next| next - 1);
        let text = &self.text[start..end];
        let text = text.strip_suffix('\r').unwrap_or(text);
        let inside = |offset: usize| text.floor_char_boundary(offset.saturating_sub(start).min(text.len()));
        let span = inside(range.start)..inside(range.end.max(range.start));
        Diagnostic::at(&self.path, (line, column), part.to_owned(), message, (text, span))
    }

    /// Line and column of an offset, each from 1.
    pub(crate) fn place(&self, offset: usize) -> (usize, usize) {
        let line = self.line(offset);
        (line, self.characters_before(offset) - self.characters_before(self.lines[line - 1]) + 1)
    }

    /// The line of an offset, from 1.
    pub(crate) fn line(&self, offset: usize) -> usize {
        self.lines.partition_point(|&start| start <= offset)
    }

    /// What stands at a place.
    pub(crate) fn text_of(&self, place: &impl Ranged) -> &str {
        place.text(&self.text)
    }

    fn characters_before(&self, offset: usize) -> usize {
        let block = offset / BLOCK;
        self.characters[block] + count(&self.text.as_bytes()[block * BLOCK..offset])
    }
}

/// How many characters start in these bytes of a text.
fn count(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&byte| byte & 0b1100_0000 != 0b1000_0000).count()
}

/// The bytes of a file that isn't too large.
pub(crate) fn bytes_of(path: &Path) -> Result<Vec<u8>, Diagnostic> {
    read_limited(path).map_err(|error| match error.kind() {
        io::ErrorKind::FileTooLarge => Diagnostic::of_path(
            path,
            format!("the file is larger than {MEBIBYTES} MiB; expected a smaller one"),
        ),
        _ => Diagnostic::of_path(path, format!("the file can't be read: {error}")),
    })
}

fn read_limited(path: &Path) -> io::Result<Vec<u8>> {
    // To open a pipe is to wait for whoever writes into it.
    if !path.metadata()?.is_file() {
        return Err(io::Error::other("it is no file"));
    }
    let (file, limit) = (File::open(path)?, MEBIBYTES << 20);
    let mut bytes = Vec::new();
    // A file may grow while it is read, so the length it tells isn't trusted.
    if file.metadata()?.len() <= limit && file.take(limit + 1).read_to_end(&mut bytes)? as u64 <= limit {
        return Ok(bytes);
    }
    Err(io::ErrorKind::FileTooLarge.into())
}

//! A capture of any form, JSON and JSON lines.

use std::path::{Path, PathBuf};

use cdc_core::{Plan, Schema};
use jsonc_parser::common::{Range as Place, Ranged};

use super::capture::{Capture, CapturedFile, Misread};
use super::gathered::Gathered;
use super::{answers, sheet, sql_result};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::files::has_end;
use crate::json::{At, Json, Reader, Source, bytes_of, kind};

impl Capture {
    /// Reads a file for the target of a plan: JSON, JSON lines, CSV, or the result of a Databricks SQL statement; with the
    /// feature `parquet` also Parquet, a file or a folder as Spark writes it.
    ///
    /// Other columns and other types than the target's are kept as differences. A file that isn't whole is a fault: one
    /// that is empty or cut off, a statement that didn't succeed, a result of which a part is missing.
    pub fn read(path: &Path, plan: &Plan) -> Result<Self, Diagnostics> {
        Self::read_all(&[path.to_owned()], plan)
    }

    /// The same of several files, in any order: the answers that hold the chunks of one result.
    pub fn read_all(paths: &[PathBuf], plan: &Plan) -> Result<Self, Diagnostics> {
        let target = plan.target();
        let (path, read) = match paths {
            [path] => (path, one(path, target)),
            [path, ..] => (path, answers::read(paths, target)),
            [] => {
                return Err(
                    Diagnostic::of_path(Path::new(""), "there is no file; expected one of rows").into()
                );
            }
        };
        read.map(|capture| Self { path: path.clone(), ..capture })
    }
}

fn one(path: &Path, target: &Schema) -> Result<Capture, Diagnostics> {
    if path.is_dir() || has_end(path, &["parquet"]) {
        return parquet(path, target);
    }
    let bytes = bytes_of(path)?;
    if bytes.starts_with(b"PAR1") {
        return parquet(path, target);
    }
    let files = vec![CapturedFile::new(path, &bytes)];
    let source = Source::of_bytes(path, bytes)?;
    if source.text().trim().is_empty() {
        let text = "the file is empty: nothing was captured; a table without rows is `[]` in a .json file";
        return Err(Diagnostic::of_path(path, text).into());
    }
    let read = match path {
        path if has_end(path, &["json"]) => json(&source, target),
        path if has_end(path, &["jsonl", "ndjson"]) => lines(&source, target),
        path if has_end(path, &["csv"]) => sheet::read(&source, target),
        _ => {
            let text =
                "this is no file of rows, by its name; expected .json, .jsonl, .ndjson, .csv or .parquet";
            return Err(Diagnostic::of_path(path, text).into());
        }
    };
    read.map(|capture| Capture { files, ..capture })
}

#[cfg(feature = "parquet")]
fn parquet(path: &Path, target: &Schema) -> Result<Capture, Diagnostics> {
    super::parquet::read(path, target)
}

#[cfg(not(feature = "parquet"))]
fn parquet(path: &Path, _: &Schema) -> Result<Capture, Diagnostics> {
    let what = if path.is_dir() { "a folder, which is read as Parquet" } else { "Parquet" };
    let text = format!(
        "this is {what}, and this program was built without it; expected JSON lines, as `df.write.json` writes them, or \
         the program as `cargo install --path cdc-killmatrix --features parquet` builds it"
    );
    Err(Diagnostic::of_path(path, text).into())
}

/// A JSON file: a list of rows, an object that says more of them, or the result of a Databricks SQL statement.
fn json(source: &Source, target: &Schema) -> Result<Capture, Diagnostics> {
    let json = source.parse()?;
    let mut reader = Reader::new(source);
    let mut gathered = Gathered::new(target);
    match &json {
        Json::Array(rows) => reader.objects(rows, &mut gathered),
        Json::Object(object) if sql_result::is_one(object) => {
            reader.says(object, &mut gathered.capture);
            sql_result::read(std::slice::from_mut(&mut reader), &[object], &mut gathered);
        }
        Json::Object(object) if object.get("rows").is_some() => reader.envelope(object, &mut gathered),
        json => {
            let text = format!(
                "this is {}, not captured rows; expected a list of rows, an object with `rows`, or the result of a \
                 Databricks SQL statement with `manifest` and `result`",
                kind(json)
            );
            reader.fault(At::File, &Place::new(json.range().start, json.range().start), text);
        }
    }
    gathered.finished(reader)
}

/// JSON lines: an object a line.
fn lines(source: &Source, target: &Schema) -> Result<Capture, Diagnostics> {
    let mut reader = Reader::new(source);
    let mut gathered = Gathered::new(target);
    for (number, line) in (1..).zip(source.text().lines()).filter(|(_, line)| !line.trim().is_empty()) {
        let line = Source::new(source.path.clone(), line.to_owned());
        let mut of_line = Reader::new(&line);
        let known = gathered.capture.misread.len();
        match line.parse() {
            Ok(Json::Object(object)) => of_line.row(&object, &mut gathered),
            Ok(json) => {
                of_line.fault(At::File, &json, format!("the line holds {}; expected a row", kind(&json)));
            }
            Err(mut fault) => {
                fault.message = fault.message.replacen("the file ends", "the line ends", 1);
                of_line.faults.push(fault);
            }
        }
        for Misread { first, .. } in &mut gathered.capture.misread[known..] {
            first.place = first.place.map(|(_, column)| (number, column));
        }
        reader.faults.append(of_line.faults.in_line(number));
    }
    gathered.finished(reader)
}

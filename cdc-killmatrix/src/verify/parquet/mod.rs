//! Captures in Parquet: a file, or a folder as Spark writes it.
//!
//! The rows become the JSON that they would be in a fixture, and are then read as such: so a value fits its column, or
//! doesn't, as in every other form of a capture.

mod folder;
mod footer;
mod types;
mod values;

use std::path::Path;
use std::thread;

use ::parquet::arrow::ProjectionMask;
use ::parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder,
};
use ::parquet::errors::ParquetError;
use ::parquet::file::metadata::RowGroupMetaData;
use bytes::Bytes;
use cdc_core::Schema;
use footer::{MAGIC, STACK};

use super::capture::{Capture, CapturedFile, Declared};
use super::gathered::{Gathered, too_many, twice};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::json::{Json, MEBIBYTES, Reader, Source, bytes_of};
use crate::verdict::{guarded, panic_text};
use crate::words::{counted, lower_first};

/// How deep the groups of a column may be: a list takes three for each depth of its type.
const DEPTH: usize = 3 * 64;

/// How many rows are decoded at once.
const BATCH: usize = 256;

/// A file: its columns, and its rows as JSON with those columns that the target has.
struct Part {
    columns: Vec<Declared>,
    rows: Vec<String>,
}

/// Reads a file or a folder. All parts must have the same columns, and be whole.
pub(super) fn read(path: &Path, target: &Schema) -> Result<Capture, Diagnostics> {
    let paths = if path.is_dir() { folder::parts(path)? } else { vec![path.to_owned()] };
    let mut gathered = Gathered::new(target);
    let (mut faults, mut files) = (Diagnostics::default(), Vec::new());
    let mut first: Option<Vec<Declared>> = None;
    for path in &paths {
        let part = bytes_of(path).and_then(|bytes| {
            files.push(CapturedFile::new(path, &bytes));
            part(path, bytes, target)
        });
        let part = match part {
            Ok(part) => part,
            Err(fault) => {
                faults.push(fault);
                continue;
            }
        };
        match &first {
            Some(columns) if *columns != part.columns => {
                let text = format!(
                    "its columns are {}; expected those of the first part, {}",
                    listed(&part.columns),
                    listed(columns)
                );
                faults.push(Diagnostic::of_path(path, text));
                continue;
            }
            Some(_) => {}
            None => {
                if let Err(name) = gathered.header(part.columns.iter().map(|it| &*it.column)) {
                    return Err(Diagnostic::of_path(path, twice(&name)).into());
                }
                gathered.capture.declare(part.columns.iter().cloned(), target);
                first = Some(part.columns);
            }
        }
        for (number, text) in (1..).zip(part.rows) {
            if !gathered.has_room() {
                faults.push(Diagnostic::of_path(path, too_many()));
                break;
            }
            faults.append(row(path, number, text, &mut gathered));
        }
    }
    if faults.count() == 0 { Ok(Capture { files, ..gathered.finish() }) } else { Err(faults) }
}

/// Reads a row, and puts its number in the place of where it would stand in a text.
fn row(path: &Path, number: usize, text: String, gathered: &mut Gathered<'_>) -> Diagnostics {
    let source = Source::new(path.to_owned(), text);
    let mut reader = Reader::new(&source);
    let known = gathered.capture.misread.len();
    let placed = |fault: &mut Diagnostic| {
        fault.place = None;
        fault.part = format!("row {number}");
    };
    match source.parse() {
        Ok(Json::Object(object)) => reader.row(&object, gathered),
        Ok(_) => {}
        Err(fault) => reader.faults.push(fault),
    }
    gathered.capture.misread[known..].iter_mut().for_each(|misread| placed(&mut misread.first));
    let mut faults = Diagnostics::default();
    for fault in reader.faults.faults() {
        let mut fault = fault.clone();
        placed(&mut fault);
        faults.push(fault);
    }
    faults
}

/// Decodes a file.
fn part(path: &Path, bytes: Vec<u8>, target: &Schema) -> Result<Part, Diagnostic> {
    let fault = |text: String| Diagnostic::of_path(path, text);
    if bytes.is_empty() {
        let text = "the file is empty: nothing was captured; a table without rows has columns all the same";
        return Err(fault(text.to_owned()));
    }
    if !bytes.starts_with(MAGIC) {
        let text = if bytes.starts_with(b"PARE") {
            "this Parquet is encrypted; expected one that isn't"
        } else {
            "this isn't Parquet, in spite of its name; expected a file that begins with PAR1"
        };
        return Err(fault(text.to_owned()));
    }
    if !bytes.ends_with(MAGIC) || bytes.len() < 3 * MAGIC.len() {
        return Err(fault("the file ends before its end; is it complete?".to_owned()));
    }
    match footer::fault_of(&bytes) {
        Some(text) => Err(fault(text)),
        None => apart(bytes, target).map_err(fault),
    }
}

/// Decodes a file in a thread of its own, whose stack is deep enough for any schema.
///
/// On a damaged file the decoder may panic. What it had made until then is dropped, and nothing else was touched, so that
/// the file is at fault and the program goes on.
fn apart(bytes: Vec<u8>, target: &Schema) -> Result<Part, String> {
    let work = || guarded(|| Ok(decoded(bytes.into(), target))).unwrap_or_else(|text| Err(unread(&text)));
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        let thread = thread.map_err(|error| format!("there is no thread to read it: {error}"))?;
        thread.join().unwrap_or_else(|payload| Err(unread(&panic_text(&*payload))))
    })
}

fn decoded(bytes: Bytes, target: &Schema) -> Result<Part, String> {
    // What other libraries note of their own types says nothing of the table's.
    let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
    let own = ArrowReaderMetadata::load(&bytes, options.clone()).map_err(|error| told(&error))?;
    let file = own.metadata().file_metadata();
    if file.schema_descr().columns().iter().any(|column| DEPTH < column.path().parts().len()) {
        return Err(format!("its columns are nested more than {DEPTH} deep; expected less"));
    }
    let said = file.key_value_metadata().map(Vec::as_slice).unwrap_or_default();
    let said: Vec<(&str, &str)> =
        said.iter().filter_map(|said| Some((&*said.key, said.value.as_deref()?))).collect();
    if types::is_julian(&said) {
        return Err("its days are in Spark's old calendar; write it with `spark.sql.parquet.datetimeRebaseModeInWrite` \
                    and `int96RebaseModeInWrite` as CORRECTED"
            .to_owned());
    }
    let schema = types::with_int96(own.schema(), file.schema_descr());
    let columns = types::declared(&schema, &said);
    let known = (0..columns.len()).filter(|&place| target.find(&columns[place].column).is_some());
    let mask = ProjectionMask::roots(file.schema_descr(), known);
    let expected: i64 = own.metadata().row_groups().iter().map(RowGroupMetaData::num_rows).sum();
    let metadata = ArrowReaderMetadata::try_new(own.metadata().clone(), options.with_schema(schema))
        .map_err(|error| told(&error))?;
    let builder = ParquetRecordBatchReaderBuilder::new_with_metadata(bytes, metadata);
    let reader =
        builder.with_batch_size(BATCH).with_projection(mask).build().map_err(|error| told(&error))?;
    let (mut rows, mut length) = (Vec::new(), 0);
    for batch in reader {
        let batch = batch.map_err(|error| told(&error.into()))?;
        for at in 0..batch.num_rows() {
            let text = values::row(&batch, at).to_string();
            length += text.len() + 1;
            // A few bytes may stand for a row that is repeated for ever.
            if MEBIBYTES << 20 < length as u64 {
                return Err(format!("its rows are more than {MEBIBYTES} MiB of JSON; expected fewer"));
            }
            rows.push(text);
        }
    }
    if i64::try_from(rows.len()) != Ok(expected) {
        let found = counted(rows.len(), "row");
        return Err(format!("{found} of {expected} are here; is it complete?"));
    }
    Ok(Part { columns, rows })
}

fn told(error: &ParquetError) -> String {
    let text = error.to_string();
    unread(text.split_once("error: ").map_or(&*text, |(_, detail)| detail))
}

fn unread(text: &str) -> String {
    format!("this Parquet can't be read: {}; is it complete?", lower_first(text))
}

fn listed(columns: &[Declared]) -> String {
    let columns: Vec<String> = columns.iter().map(|it| format!("`{}` {}", it.column, it.text)).collect();
    columns.join(", ")
}

//! Several files: the answers that hold the chunks of a statement's result.

use std::path::PathBuf;

use cdc_core::Schema;
use jsonc_parser::ast::Object;

use super::capture::{Capture, CapturedFile};
use super::gathered::Gathered;
use super::sql_result;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::files::has_end;
use crate::json::{Json, Reader, Source, bytes_of, kind};

/// Reads the answers, in any order of the files: one is the statement's own, each other one a further chunk.
pub(super) fn read(paths: &[PathBuf], target: &Schema) -> Result<Capture, Diagnostics> {
    let (mut faults, mut files, mut sources) = (Diagnostics::default(), Vec::new(), Vec::new());
    for path in paths {
        if !has_end(path, &["json"]) {
            let text =
                "this is one of several files; expected .json with a chunk of a statement's result in each";
            faults.push(Diagnostic::of_path(path, text));
            continue;
        }
        let source = bytes_of(path).and_then(|bytes| {
            files.push(CapturedFile::new(path, &bytes));
            Source::of_bytes(path, bytes)
        });
        match source {
            Ok(source) => sources.push(source),
            Err(fault) => faults.push(fault),
        }
    }
    let mut parsed: Vec<(&Source, Json<'_>)> = Vec::new();
    for source in &sources {
        match source.parse() {
            Ok(json @ Json::Object(_)) => parsed.push((source, json)),
            Ok(json) => {
                let text = format!(
                    "this is {}; expected the answer with a chunk of a statement's result",
                    kind(&json)
                );
                faults.push(source.fault("", 0..0, text));
            }
            Err(fault) => faults.push(fault),
        }
    }
    let answers: Vec<(&Source, &Object<'_>)> =
        parsed.iter().filter_map(|(source, json)| Some((*source, json.as_object()?))).collect();
    let (own, chunks): (Vec<_>, Vec<_>) = answers.into_iter().partition(|(_, answer)| is_own(answer));
    if own.is_empty() && faults.count() == 0 {
        let text =
            "none of these files has the `manifest` of the result; expected the statement's own answer too";
        faults.push(Diagnostic::of_path(&paths[0], text));
    }
    for (source, other) in own.iter().skip(1) {
        faults.push(source.fault("", 0..0, stranger(own[0].1, other)));
    }
    if faults.count() != 0 {
        return Err(faults);
    }
    let (mut readers, answers): (Vec<_>, Vec<_>) =
        own.into_iter().chain(chunks).map(|(source, answer)| (Reader::new(source), answer)).unzip();
    let mut gathered = Gathered::new(target);
    readers[0].says(answers[0], &mut gathered.capture);
    sql_result::read(&mut readers, &answers, &mut gathered);
    for reader in readers {
        faults.append(reader.faults);
    }
    if faults.count() == 0 { Ok(Capture { files, ..gathered.finish() }) } else { Err(faults) }
}

/// Whether an answer is that of the statement, not only of one of its chunks.
fn is_own(answer: &Object<'_>) -> bool {
    ["manifest", "status"].iter().any(|name| answer.get(name).is_some())
}

/// What a second answer is that has a manifest.
fn stranger(own: &Object<'_>, other: &Object<'_>) -> String {
    let id = |answer: &Object<'_>| answer.get_string("statement_id").map(|id| id.value.to_string());
    match (id(own), id(other)) {
        (Some(own), Some(other)) if own != other => {
            format!("this is the answer of the statement {other}; expected the chunks of {own} alone")
        }
        _ => "the statement's own answer is given twice; expected it once, and its other chunks".to_owned(),
    }
}

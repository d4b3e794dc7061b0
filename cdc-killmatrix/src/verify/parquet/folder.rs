//! A folder as Spark writes it: a part for each task, and `_SUCCESS` when all are there.

use std::fs;
use std::path::{Path, PathBuf};

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::files::has_end;

/// What Spark leaves in a folder when all parts of it are written.
const DONE: &str = "_SUCCESS";

/// The parts in a folder, by name. One that isn't whole, or holds more than one `DataFrame`, is a fault.
pub(super) fn parts(folder: &Path) -> Result<Vec<PathBuf>, Diagnostics> {
    let entries: Result<Vec<_>, _> =
        fs::read_dir(folder).and_then(|entries| entries.map(|entry| entry.map(|it| it.path())).collect());
    let mut entries: Vec<PathBuf> = entries.map_err(|error| {
        Diagnostics::from(Diagnostic::of_path(folder, format!("the folder can't be read: {error}")))
    })?;
    entries.sort();
    let name = |path: &PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let names: Vec<String> = entries.iter().map(name).collect();
    let has = |name: &str| names.iter().any(|known| known == name);
    let mut faults = Diagnostics::default();
    if has("_delta_log") {
        // Its parts also hold rows that were changed or deleted since.
        let text = "this is a Delta table, whose parts aren't its rows; expected what \
                    `spark.read.table(..).write.parquet(..)` leaves";
        return Err(Diagnostic::of_path(folder, text).into());
    }
    if !has(DONE) {
        let text =
            format!("there is no `{DONE}` in this folder: it wasn't written to its end, or not copied whole");
        faults.push(Diagnostic::of_path(folder, text));
    }
    let begun =
        |name: &&String| name.strip_prefix("_started_").is_some_and(|id| !has(&format!("_committed_{id}")));
    if has("_temporary") || names.iter().any(|name| begun(&name)) {
        let text =
            "something is still being written into this folder, or was given up; expected a finished one";
        faults.push(Diagnostic::of_path(folder, text));
    }
    let (mut parts, mut others) = (Vec::new(), Vec::new());
    for (path, name) in entries.iter().zip(&names).filter(|(_, name)| !name.starts_with(['_', '.'])) {
        if path.is_file() && name.starts_with("part-") && has_end(path, &["parquet"]) {
            parts.push(path.clone());
        } else {
            others.push(path);
        }
    }
    for path in others {
        let text = if path.is_dir() {
            "this is a folder in one of parts; expected the parts alone, not partitioned by a column"
        } else {
            "this is no part as Spark names it; expected `part-*.parquet`"
        };
        faults.push(Diagnostic::of_path(path, text));
    }
    if parts.is_empty() {
        let text = "there is no `part-*.parquet` in this folder; a table without rows has one part as well";
        faults.push(Diagnostic::of_path(folder, text));
    }
    if faults.count() == 0 { Ok(parts) } else { Err(faults) }
}

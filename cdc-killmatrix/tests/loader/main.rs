//! What the loader says, rule by rule. Every file is written to a temporary folder.

mod business;
mod definition;
mod finding;
mod flows;
mod hostile;
mod json;
mod mutations;
mod rendering;
mod rows;
mod values;

use std::fs;
use std::path::PathBuf;

use cdc_killmatrix::{Diagnostics, Fixture, Fixtures};
use tempfile::TempDir;

/// A temporary folder with files in it.
struct Folder {
    folder: TempDir,
}

impl Folder {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a temporary folder") }
    }

    /// Adds a file; folders in its path are made.
    fn with(self, path: &str, content: impl AsRef<[u8]>) -> Self {
        let path = self.path(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(path, content).expect("a file");
        self
    }

    fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    fn load_paths(&self, paths: &[&str]) -> Result<Fixtures, Diagnostics> {
        Fixtures::load(paths.iter().map(|path| self.path(path)))
    }

    /// Loads the folder `f`.
    fn load(&self) -> Result<Fixtures, Diagnostics> {
        self.load_paths(&["f"])
    }

    fn loaded(&self) -> Fixtures {
        self.load().unwrap_or_else(|faults| panic!("{faults}"))
    }

    /// What is wrong with the folder `f`; paths as seen from the temporary folder.
    fn faults(&self) -> Vec<String> {
        self.faults_of(&["f"])
    }

    fn faults_of(&self, paths: &[&str]) -> Vec<String> {
        self.relative(self.load_paths(paths).err())
    }

    fn relative(&self, faults: Option<Diagnostics>) -> Vec<String> {
        let root = format!("{}/", self.folder.path().display());
        let text = faults.map(|faults| faults.to_string().replace(&root, "")).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }
}

/// The members that every fixture here has, on a line of their own.
const HEAD: &str = r#""name": "a", "schema": {"id": "INT", "city": "STRING", "op": "STRING", "seq": "BIGINT"},
"flow": {"keys": ["id"], "sequence_by": "seq", "apply_as_deletes": "op = 'DELETE'", "except_column_list": ["op", "seq"]}"#;

/// A sound fixture; the checkpoints are on its third line, from column 17.
fn fixture(checkpoints: &str) -> String {
    format!("{{{HEAD},\n\"checkpoints\": [{checkpoints}]}}")
}

/// What is wrong with one file.
fn faults(text: impl AsRef<[u8]>) -> Vec<String> {
    Folder::new().with("f/a.json", text).faults()
}

/// What is wrong with the checkpoints of a fixture that is sound otherwise, without the path.
fn faults_in(checkpoints: &str) -> Vec<String> {
    faults(fixture(checkpoints)).iter().map(|line| line.replace("f/a.json:", "")).collect()
}

/// The one fixture of a file.
fn loaded(text: impl AsRef<[u8]>) -> Fixture {
    Folder::new().with("f/a.json", text).loaded().suites.remove(0).fixtures.remove(0)
}

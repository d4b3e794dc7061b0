//! What the loader says, rule by rule. Every file is written to a temporary folder.

mod beside;
mod business;
mod definition;
mod event_file;
mod finding;
mod flows;
mod hostile;
mod json;
mod mutations;
mod rendering;
mod rows;
mod values;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use cdc_killmatrix::json_schema::{Described, json_schema};
use cdc_killmatrix::{Diagnostics, Fixture, Fixtures};
use jsonschema::Validator;
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
        let loaded = Fixtures::load(paths.iter().map(|path| self.path(path)));
        if let Ok(fixtures) = &loaded {
            fixtures.pairs().for_each(|(_, fixture)| fits_the_schema(&fixture.path, &OF_FIXTURE));
            let suites = fixtures.suites.iter().map(|suite| suite.path.join("suite.json"));
            suites.filter(|path| path.is_file()).for_each(|path| fits_the_schema(&path, &OF_SUITE));
        }
        loaded
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

/// What the loader takes an editor must not mark.
fn fits_the_schema(path: &Path, schema: &Validator) {
    let text = fs::read_to_string(path).expect("a file");
    // It is JSON, for the loader took it; but this reader doesn't go as deep.
    let Ok(json) = serde_json::from_str(text.trim_start_matches('\u{feff}')) else { return };
    if let Err(fault) = schema.validate(&json) {
        panic!(
            "{} is taken, but doesn't fit the schema: {fault} at {}",
            path.display(),
            fault.instance_path()
        );
    }
}

static OF_FIXTURE: LazyLock<Validator> = LazyLock::new(|| validator(Described::Fixture));
static OF_SUITE: LazyLock<Validator> = LazyLock::new(|| validator(Described::Suite));

fn validator(described: Described) -> Validator {
    jsonschema::draft202012::new(&json_schema(described)).expect("a schema")
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

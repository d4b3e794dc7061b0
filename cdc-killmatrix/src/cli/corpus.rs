//! The fixtures that come with the program: `corpus:customers_current` is a path of theirs.

use std::cell::OnceCell;
use std::env;
use std::fs::{self, File};
use std::io;
use std::path::{Component, Path, PathBuf};

use tempfile::TempDir;

use super::stop::Stop;
use crate::files;
use crate::fixture::PROJECT_FILE;

/// What the paths of the fixtures begin with that come with the program.
pub(super) const PREFIX: &str = "corpus:";

/// Writes fixtures into a folder.
pub(super) type Extract<'a> = dyn Fn(&Path) -> io::Result<()> + 'a;

/// The fixtures that a program carries, if it does; they are laid out in a folder of their own when they are first
/// asked for.
pub(super) struct Corpus<'a> {
    extract: Option<&'a Extract<'a>>,
    folder: OnceCell<(TempDir, PathBuf)>,
}

impl<'a> Corpus<'a> {
    pub(super) fn new(extract: Option<&'a Extract<'a>>) -> Self {
        Self { extract, folder: OnceCell::new() }
    }

    /// Whether a path is one of the corpus.
    pub(super) fn has(path: &Path) -> bool {
        path.to_str().is_some_and(|text| text.starts_with(PREFIX))
    }

    /// Whether the program carries one.
    pub(super) fn is_there(&self) -> bool {
        self.extract.is_some()
    }

    /// Where a path leads: one of the corpus into its folder, any other to itself.
    pub(super) fn real(&self, path: &Path) -> Result<PathBuf, Stop> {
        let Some(inside) = path.to_str().and_then(|text| text.strip_prefix(PREFIX)) else {
            return Ok(path.to_owned());
        };
        let Some(extract) = self.extract else {
            return Err(Stop::input(
                "this program carries no fixtures of its own; expected a path without `corpus:`",
            ));
        };
        if !Path::new(inside).components().all(|part| matches!(part, Component::Normal(_))) {
            return Err(Stop::input(
                "a path behind `corpus:` is that of a suite, such as `corpus:customers_current`",
            ));
        }
        if let Some(folder) = self.folder() {
            return Ok(folder.join(inside));
        }
        let fault = |error| {
            let text = files::unwritten(&env::temp_dir(), &error);
            Stop::input(&format!(
                "the shipped fixtures are laid out in a folder for a while: {text}; TMPDIR names another"
            ))
        };
        let laid_out = laid_out(extract).map_err(fault)?;
        Ok(self.folder.get_or_init(|| laid_out).1.join(inside))
    }

    /// The folder in which they lie, if they were asked for.
    pub(super) fn folder(&self) -> Option<&Path> {
        self.folder.get().map(|(_, folder)| &**folder)
    }
}

fn laid_out(extract: &Extract<'_>) -> io::Result<(TempDir, PathBuf)> {
    let folder = TempDir::new()?;
    extract(folder.path())?;
    // The top of a project: definitions may lie beside the folders of the fixtures that name them.
    File::create(folder.path().join(PROJECT_FILE))?;
    let real = fs::canonicalize(folder.path())?;
    Ok((folder, real))
}

//! Files that are written whole or not at all.
//!
//! A text is written beside the file that it is meant for, so that little can go wrong when it takes the file's place:
//! at every moment either the old or the new one is there. Each error names the file.

use std::ffi::OsStr;
use std::fmt::Display;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Component, Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

use crate::escape::for_terminal;
use crate::words::slashed;

/// What the names of files begin with that are yet to take their place.
const PREFIX: &str = ".killmatrix-";

/// Puts a text in the place of a file, which keeps its permissions.
///
/// The file must be there, and be a regular one; behind a symbolic link, the file it leads to counts.
pub fn replace(file: &Path, text: &str) -> io::Result<()> {
    replace_all(&[(file, text)])
}

/// The same for several files: none of them changes if the text of one can't be written.
pub fn replace_all<P: AsRef<Path>, T: AsRef<str>>(texts: &[(P, T)]) -> io::Result<()> {
    let mut prepared = Vec::with_capacity(texts.len());
    for (file, text) in texts {
        let file = file.as_ref();
        prepared.push((file, prepare(file, text.as_ref()).map_err(|error| unwritten(file, &error))?));
    }
    prepared.into_iter().try_for_each(|(file, (place, new))| {
        new.persist(place).map(drop).map_err(|error| unwritten(file, &error.error))
    })
}

/// Writes a text into a new file. One that is there is left alone.
///
/// ```
/// use std::io::ErrorKind;
/// use cdc_killmatrix::files;
///
/// let folder = tempfile::tempdir()?;
/// let file = folder.path().join("new.json");
/// files::create(&file, "{}\n")?;
/// assert_eq!(files::create(&file, "[]\n").unwrap_err().kind(), ErrorKind::AlreadyExists);
/// assert_eq!(std::fs::read_to_string(&file)?, "{}\n");
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn create(file: &Path, text: &str) -> io::Result<()> {
    let mut builder = Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // As any program creates a file: the user's mask takes away from it.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let written = builder.prefix(PREFIX).tempfile_in(folder).and_then(|mut new| {
        write(&mut new, text)?;
        Ok(new.persist_noclobber(file)?)
    });
    match written {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            let text = format!("{}: it is there already; expected the name of a new file", shown(file));
            Err(io::Error::new(error.kind(), text))
        }
        Err(error) => Err(unwritten(file, &error)),
    }
}

/// Writes texts into new files, the folders to them included: all of them, or none.
pub(crate) fn create_all(texts: &[(PathBuf, String)]) -> io::Result<()> {
    let mut made = Made::default();
    for (file, text) in texts {
        if let Some(folder) = file.parent() {
            made.missing(folder);
            fs::create_dir_all(folder).map_err(|error| unwritten(folder, &error))?;
        }
        create(file, text)?;
        made.files.push(file.clone());
    }
    made.is_whole = true;
    Ok(())
}

/// Makes a folder with these files, by their path in it: all of them, or none. One that is there must be empty.
pub(crate) fn create_folder(folder: &Path, texts: &[(PathBuf, String)]) -> io::Result<()> {
    let place = real(folder);
    if !is_free(&place).map_err(|error| unwritten(folder, &error))? {
        let text = format!("{}: it is there already; expected a new or an empty folder", shown(folder));
        return Err(io::Error::new(io::ErrorKind::AlreadyExists, text));
    }
    let mut builder = Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(fs::Permissions::from_mode(0o777));
    }
    // One that is there stays the one that it is: somebody may stand in it, or it is a disk of its own.
    let (beside, is_there) = match place.parent() {
        Some(parent) if !place.is_dir() => (parent, false),
        _ => (&*place, true),
    };
    let mut above = Made::default();
    above.missing(beside);
    let made = fs::create_dir_all(beside).and_then(|()| {
        let new = builder.prefix(PREFIX).tempdir_in(beside)?;
        for (file, text) in texts {
            let file = new.path().join(file);
            fs::create_dir_all(file.parent().unwrap_or(new.path()))?;
            fs::write(file, text)?;
        }
        if is_there { move_all(new.path(), &place) } else { fs::rename(new.path(), &place) }
    });
    above.is_whole = made.is_ok();
    made.map_err(|error| unwritten(folder, &error))
}

/// Moves all that is in a folder into another one, or nothing of it.
fn move_all(from: &Path, to: &Path) -> io::Result<()> {
    let names = fs::read_dir(from)?.map(|entry| Ok(entry?.file_name())).collect::<io::Result<Vec<_>>>()?;
    let mut moved = Vec::new();
    for name in names {
        if let Err(error) = fs::rename(from.join(&name), to.join(&name)) {
            // What was there goes with the folder that it comes from.
            for name in &moved {
                let _ = fs::rename(to.join(name), from.join(name));
            }
            return Err(error);
        }
        moved.push(name);
    }
    Ok(())
}

/// Whether a folder may be made here: there is nothing, or an empty one.
fn is_free(place: &Path) -> io::Result<bool> {
    match fs::symlink_metadata(place) {
        Ok(metadata) if metadata.is_dir() => Ok(fs::read_dir(place)?.next().is_none()),
        Ok(_) => Ok(false),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(true),
        Err(error) => Err(error),
    }
}

/// What was made on the way to a whole; else it is taken back.
#[derive(Default)]
struct Made {
    files: Vec<PathBuf>,
    folders: Vec<PathBuf>,
    is_whole: bool,
}

impl Made {
    /// Notes the folders that aren't there yet on the way to one, which are about to be made.
    fn missing(&mut self, folder: &Path) {
        let missing = folder.ancestors().take_while(|it| !it.as_os_str().is_empty() && !it.exists());
        self.folders.extend(missing.map(Path::to_owned).collect::<Vec<PathBuf>>().into_iter().rev());
    }
}

impl Drop for Made {
    fn drop(&mut self) {
        if self.is_whole {
            return;
        }
        // What can't be taken back is in nobody's way: it was new.
        self.files.iter().for_each(|file| drop(fs::remove_file(file)));
        self.folders.iter().rev().for_each(|folder| drop(fs::remove_dir(folder)));
    }
}

/// What is known of a regular file. Of anything else an error: a pipe would be waited for, a device might never end.
pub(crate) fn regular(file: &Path) -> io::Result<fs::Metadata> {
    let metadata = fs::metadata(file)?;
    if metadata.is_file() {
        Ok(metadata)
    } else {
        Err(io::Error::new(io::ErrorKind::InvalidInput, "it isn't a regular file"))
    }
}

/// A path free of links: of a file that may not be there yet, nor its folder, where a text goes that is written to it;
/// of none, the working folder.
pub(crate) fn real(file: &Path) -> PathBuf {
    let mut file = if file.as_os_str().is_empty() { PathBuf::from(".") } else { file.to_owned() };
    // Links may go round in circles.
    for _ in 0..LINKS {
        let Ok(target) = fs::read_link(&file) else { break };
        file = file.parent().unwrap_or(Path::new("")).join(target);
    }
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let below = |name: &OsStr| real(folder).join(name);
    file.canonicalize().ok().or_else(|| file.file_name().map(below)).unwrap_or(file)
}

/// A path as it is seen from a folder; the whole path, where they have nothing in common.
pub(crate) fn seen_from(folder: &Path, path: &Path) -> String {
    let (folder, path) = (real(folder), real(path));
    let common = folder.components().zip(path.components()).take_while(|(left, right)| left == right).count();
    if common == 0 {
        return slashed(&path);
    }
    let up = folder.components().skip(common).map(|_| Component::ParentDir);
    let seen: PathBuf = up.chain(path.components().skip(common)).collect();
    if seen.as_os_str().is_empty() { ".".to_owned() } else { slashed(&seen) }
}

/// How many links are followed to a file that isn't there.
const LINKS: usize = 40;

/// Whether the name of a file ends in one of these, in small letters or large: `csv`.
pub(crate) fn has_end(path: &Path, ends: &[&str]) -> bool {
    path.extension().is_some_and(|end| ends.iter().any(|known| end.eq_ignore_ascii_case(known)))
}

/// A path as it is shown.
pub(crate) fn shown(path: &Path) -> String {
    for_terminal(&path.to_string_lossy()).into_owned()
}

/// That a file can't be written, and why.
pub(crate) fn unwritten(file: &Path, error: &io::Error) -> io::Error {
    // `tempfile` adds the path of a file that nobody asked for, of another name each time.
    let text = error.to_string();
    let cause = match text.split_once(" at path ") {
        Some((cause, path)) if path.contains(PREFIX) => cause,
        _ => &text,
    };
    // The number says nothing to who reads it.
    let cause = cause.split(" (os error ").next().unwrap_or(cause);
    io::Error::new(error.kind(), format!("{}: can't be written: {cause}", shown(file)))
}

/// That a file can't be read, and why.
pub(crate) fn unread(file: &Path, error: &impl Display) -> String {
    format!("{}: can't be read: {error}", shown(file))
}

/// A text beside the file whose place it is to take. Dropped, it is removed.
fn prepare(file: &Path, text: &str) -> io::Result<(PathBuf, NamedTempFile)> {
    let place = fs::canonicalize(file)?;
    let permissions = regular(&place)?.permissions();
    let mut new = Builder::new().prefix(PREFIX).tempfile_in(place.parent().unwrap_or(Path::new("")))?;
    new.as_file().set_permissions(permissions)?;
    write(&mut new, text)?;
    Ok((place, new))
}

fn write(new: &mut NamedTempFile, text: &str) -> io::Result<()> {
    new.write_all(text.as_bytes())?;
    new.as_file().sync_all()
}

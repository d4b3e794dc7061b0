//! A matrix as annotations on GitHub: workflow commands, which its runner reads from the log.

use std::fmt::Write as _;
use std::path::Path;

use super::ignored::ignored_told;
use super::survivors::{Survivor, disagreement};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::escape::for_terminal;
use crate::fixture::Fixtures;
use crate::matrix::{Line, Matrix, SuiteMatrix};
use crate::words::slashed;

/// A matrix as workflow commands: an error for each fixture with which the reference disagrees, and for each survivor,
/// at the fixture that comes nearest to a catch; before these one for each of the broken `claims`, at its fixture; and a notice for each mutant that is ignored. Nothing where all is well.
///
/// `fixtures` are those of the matrix. Paths are shown as seen from the folder `here`. `program` is how the commands that
/// it suggests begin: `cdc-killmatrix`. Of one step GitHub shows ten errors: the first.
pub fn github(
    fixtures: &Fixtures,
    matrix: &Matrix,
    claims: &Diagnostics,
    here: &Path,
    program: &str,
) -> String {
    let mut text = String::new();
    for ((_, fixture), (suite, line)) in fixtures.pairs().zip(matrix.lines()) {
        if line.baseline.agrees() {
            continue;
        }
        let first = line.baseline.differences.first().map(|it| fixture.checkpoints[it.checkpoint].line);
        let name = name_of(suite, line);
        let title = format!("AUTO CDC disagrees with {name}");
        let message = [format!("{name} {}.", disagreement(line))];
        text.push_str(&error(&line.path, here, first.unwrap_or(1), &title, &message));
    }
    for claim in claims.faults() {
        let message = std::slice::from_ref(&claim.message);
        text.push_str(&error(&claim.path, here, 1, "a claim doesn't hold", message));
    }
    for survivor in Survivor::all(matrix) {
        let title = format!("{} survives in {}", survivor.mutant.name, survivor.suite.name);
        let message: Vec<String> = [
            Some(survivor.sentence()),
            survivor.consequence(),
            Some(survivor.reason()),
            Some(survivor.explain(program)),
        ]
        .into_iter()
        .flatten()
        .collect();
        text.push_str(&error(&survivor.nearest.path, here, 1, &title, &message));
    }
    for (ignored, told) in ignored_told(matrix) {
        let title = property(&format!("{} is ignored", ignored.mutant));
        let _ = writeln!(text, "::notice title={title}::{}", data(&for_terminal(&told)));
    }
    text
}

/// What is wrong with the input as workflow commands: an error for each fault that was kept, at its place.
pub fn github_faults(faults: &Diagnostics, here: &Path) -> String {
    let command = |fault: &Diagnostic| {
        let line = fault.place.map_or(1, |(line, _)| line);
        let title = if fault.part.is_empty() { "the input is wrong" } else { &*fault.part };
        error(&fault.path, here, line, title, std::slice::from_ref(&fault.message))
    };
    faults.faults().iter().map(command).collect()
}

fn name_of(suite: &SuiteMatrix, line: &Line) -> String {
    format!("{}/{}", suite.name, line.name)
}

/// The command for an error at a line of a file, with a title and the lines of its message.
fn error(file: &Path, here: &Path, line: usize, title: &str, message: &[String]) -> String {
    let file = slashed(file.strip_prefix(here).unwrap_or(file));
    let file = file.trim_start_matches("./");
    let message: Vec<_> = message.iter().map(|line| for_terminal(line)).collect();
    let (file, title) = (property(file), property(&for_terminal(title)));
    format!("::error file={file},line={line},title={title}::{}\n", data(&message.join("\n")))
}

/// A message as the runner reads it back.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A property as the runner reads it back.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    // As `escapeData` and `escapeProperty` of the npm package @actions/core, version 3.0.1, which the runner's own
    // actions use, write these texts.
    #[test]
    fn texts_are_escaped_as_the_runners_toolkit_escapes_them() {
        assert_eq!(data("a%0A,b:c\r\n::error::d"), "a%250A,b:c%0D%0A::error::d");
        assert_eq!(property("a%0A,b:c\r\n::error::d"), "a%250A%2Cb%3Ac%0D%0A%3A%3Aerror%3A%3Ad");
    }

    #[test]
    fn a_path_is_seen_from_the_working_folder() {
        let at = |path: &str| error(Path::new(path), Path::new("/work/repo"), 7, "t", &["m".to_owned()]);
        let expected = "::error file=fixtures/a.json,line=7,title=t::m\n";
        assert_eq!(at("/work/repo/fixtures/a.json"), expected);
        assert_eq!(at("./fixtures/a.json"), expected);
        assert_eq!(at("fixtures/a.json"), expected);
        assert!(at("/elsewhere/a.json").contains("file=/elsewhere/a.json,"));
        assert!(at("a,b:c%.json").contains("file=a%2Cb%3Ac%25.json,line=7,"));
    }

    #[test]
    fn what_a_file_says_starts_no_command() {
        let text = error(
            Path::new("a.json"),
            Path::new("/"),
            1,
            "t\n::stop-commands::x",
            &["m\n::add-mask::y\u{1b}[2J".to_owned(), "n".to_owned()],
        );
        assert_eq!(text.lines().count(), 1);
        assert!(text.ends_with("::m\\n::add-mask::y\\u{1b}[2J%0An\n"), "{text}");
    }
}

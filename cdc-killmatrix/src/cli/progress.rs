//! How far a run is, for whoever waits for it at a terminal.

use std::io::{self, IsTerminal as _, Write};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long nothing is said.
const PATIENCE: Duration = Duration::from_secs(1);

/// How long a line stays before it is rewritten.
const REST: Duration = Duration::from_millis(100);

/// Takes back what stands in the line of the cursor.
const CLEAR: &str = "\r\u{1b}[2K";

/// A line that says how far a run is. It appears when that takes over a second, and is gone at the end.
pub(super) struct Progress<W: Write> {
    /// `None`: nobody waits for it.
    line: Option<Mutex<Line<W>>>,
    start: Instant,
}

struct Line<W> {
    output: W,
    /// When it was written last, from the start.
    shown: Option<Duration>,
}

/// The progress on standard error, if that is a terminal.
pub(super) fn on_stderr() -> Progress<io::Stderr> {
    let stderr = io::stderr();
    let is_seen = stderr.is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb");
    Progress { line: is_seen.then(|| Mutex::new(Line::new(stderr))), start: Instant::now() }
}

impl<W: Write> Progress<W> {
    /// So many things of so many are done.
    pub(super) fn tell(&self, done: usize, all: usize) {
        if let Some(line) = &self.line {
            let mut line = line.lock().unwrap_or_else(PoisonError::into_inner);
            line.tell(self.start.elapsed(), done, all);
        }
    }
}

impl<W: Write> Drop for Progress<W> {
    fn drop(&mut self) {
        if let Some(line) = &self.line {
            line.lock().unwrap_or_else(PoisonError::into_inner).clear();
        }
    }
}

// Nobody can be told that the progress can't be told.
impl<W: Write> Line<W> {
    fn new(output: W) -> Self {
        Self { output, shown: None }
    }

    fn tell(&mut self, elapsed: Duration, done: usize, all: usize) {
        let due = self.shown.map_or(PATIENCE, |shown| shown + REST);
        if due <= elapsed {
            self.shown = Some(elapsed);
            let _ = write!(self.output, "{CLEAR}{done} of {all} fixtures played ..");
            let _ = self.output.flush();
        }
    }

    fn clear(&mut self) {
        if self.shown.take().is_some() {
            let _ = write!(self.output, "{CLEAR}");
            let _ = self.output.flush();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is written when things are done at these milliseconds.
    fn written(times: &[u64]) -> String {
        let mut line = Line::new(Vec::new());
        for (done, &time) in times.iter().enumerate() {
            line.tell(Duration::from_millis(time), done + 1, times.len());
        }
        line.clear();
        String::from_utf8(line.output).unwrap()
    }

    #[test]
    fn what_takes_less_than_a_second_says_nothing() {
        assert_eq!(written(&[1, 500, 999]), "");
    }

    #[test]
    fn one_line_is_rewritten_at_most_ten_times_a_second_and_cleared_at_the_end() {
        let expected = "\r\u{1b}[2K2 of 5 fixtures played ..\r\u{1b}[2K4 of 5 fixtures played ..\r\u{1b}[2K";
        assert_eq!(written(&[900, 1000, 1050, 1100, 1150]), expected);
    }
}

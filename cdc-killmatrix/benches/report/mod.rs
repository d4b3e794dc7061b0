//! What was measured, beside what was asked.

use std::fmt;

/// What a number must be.
#[derive(Clone, Copy)]
pub(crate) enum Asked {
    AtLeast(f64),
    AtMost(f64),
    /// It was so elsewhere, and says how this machine compares.
    About(f64),
    /// It is there to be read beside the others.
    Nothing,
}

/// The table at the end. A miss is a word in it and no failure: the machine may have been busy.
#[derive(Default)]
pub(crate) struct Report {
    lines: Vec<Line>,
    /// Whether nothing is printed: the code is tried, and its times mean nothing.
    is_silent: bool,
}

struct Line {
    what: String,
    measured: f64,
    unit: &'static str,
    asked: Asked,
}

impl Report {
    pub(crate) fn silent() -> Self {
        Self { is_silent: true, ..Self::default() }
    }

    /// Adds a line, and prints it at once: the whole takes a minute.
    pub(crate) fn add(&mut self, what: &str, measured: f64, unit: &'static str, asked: Asked) {
        let line = Line { what: what.to_owned(), measured, unit, asked };
        if !self.is_silent {
            println!("{line}");
        }
        self.lines.push(line);
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, measured, unit, asked } = self;
        write!(f, "{what:<62} {measured:>8.*} {unit:<2}", if *measured < 100.0 { 2 } else { 0 })?;
        let (word, limit, met) = match *asked {
            Asked::AtLeast(limit) => ("at least", limit, limit <= *measured),
            Asked::AtMost(limit) => ("at most", limit, *measured <= limit),
            Asked::About(there) => return write!(f, "  about    {there:>4} {unit}"),
            Asked::Nothing => return Ok(()),
        };
        write!(f, "  {word:<8} {limit:>4} {unit:<2}  {}", if met { "met" } else { "MISSED" })
    }
}

/// The lines that were asked for.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_silent {
            return f.write_str("tried once, on small feeds; nothing is measured");
        }
        let mut asked = self.lines.iter().filter(|line| !matches!(line.asked, Asked::Nothing));
        asked.try_for_each(|line| writeln!(f, "{line}"))
    }
}

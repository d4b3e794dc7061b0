//! The commands to go on with after a message.

use std::fmt::Display;
use std::io::Write;

use super::session::Session;
use crate::diagnostic::Diagnostics;

/// How many commands are named: whoever has more faults mends the first ones first.
const NAMED: usize = 3;

impl<O: Write, E: Write> Session<'_, O, E> {
    /// After faults: the commands that they name; where a file must be mended first, the same call again.
    pub(super) fn next_after(&self, faults: &Diagnostics) -> String {
        if faults.faults().iter().any(|fault| fault.next.is_empty()) {
            return self.again("that is mended");
        }
        let mut named: Vec<&str> = Vec::new();
        for command in faults.faults().iter().flat_map(|fault| &fault.next) {
            if !named.contains(&&**command) {
                named.push(command);
            }
        }
        named.truncate(NAMED);
        self.next(named)
    }

    /// These commands, which lack the program's name.
    pub(super) fn next<C: Display>(&self, commands: impl IntoIterator<Item = C>) -> String {
        let lines = commands.into_iter().map(|command| format!("  {} {command}\n", self.program));
        format!("\nNext:\n{}", lines.collect::<String>())
    }

    /// The call that was made, once something is so.
    pub(super) fn again(&self, once: &str) -> String {
        format!("\nNext, once {once}:\n  {}\n", self.call)
    }
}

//! The command `schema`.

use std::io::Write;

use super::Exit;
use super::args::FileKind;
use super::session::Session;
use super::stop::Stop;
use crate::json_schema::{Described, json_schema};

impl<O: Write, E: Write> Session<'_, O, E> {
    pub(super) fn schema(&mut self, kind: FileKind) -> Result<Exit, Stop> {
        let described = match kind {
            FileKind::Fixture => Described::Fixture,
            FileKind::Suite => Described::Suite,
        };
        writeln!(self.out, "{:#}", json_schema(described))?;
        Ok(Exit::Fine)
    }
}

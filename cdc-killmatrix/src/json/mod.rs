//! JSON with its places: a fault is shown where it stands in the file.

mod source;
mod reader;

pub(crate) use jsonc_parser::ast::Value as Json;
pub(crate) use reader::{At, Name, Part, Reader, kind, quoted, typed};
pub(crate) use source::{MEBIBYTES, Source, bytes_of};

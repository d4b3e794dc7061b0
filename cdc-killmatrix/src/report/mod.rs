//! A matrix as text, Markdown or JSON, and tables of rows: pure functions of them.

mod grid;
mod rows;
mod text;
mod markdown;
mod tables;
mod json;
mod explain;
mod findings;
mod findings_json;
mod verdicts;

pub use explain::{disagreements, explain};
pub use findings::{CheckedInput, findings};
pub use findings_json::findings_json;
pub use json::{Tables, list_json, matrix_json, rows_json};
pub use markdown::markdown;
pub use tables::{rows_text, rows_title};
pub use text::{LAST_LINE, list, replays, text};
pub use verdicts::{verdicts, verdicts_json, verdicts_markdown};

//! A matrix as text, Markdown, JSON or an HTML page, and tables of rows: pure functions of them.

mod grid;
mod rows;
mod ignored;
mod summary;
mod survivors;
mod text;
mod full;
mod markdown;
mod list;
mod replays;
mod tables;
mod json;
mod assertions;
mod rows_json;
mod html;
mod junit;
mod github;
mod step_summary;
mod explain;
mod findings;
mod findings_json;
mod verdicts;
mod suggestion;
mod extent;
mod alike;
mod audit;
mod audit_other;
mod diagnosis;
mod diagnosis_json;

pub use assertions::{assertions, assertions_json, assertions_markdown};
pub use audit::{audit, comparison};
pub use audit_other::{audit_json, audit_markdown};
pub use diagnosis::{Diagnosed, diagnosis};
pub use diagnosis_json::diagnosis_json;
pub use explain::{disagreements, explain};
pub use extent::Extent;
pub use findings::{CheckedInput, findings};
pub use findings_json::findings_json;
pub use full::full_text;
pub use github::{github, github_faults};
pub use html::{Values, html};
pub use ignored::{ignored_markdown, ignored_text};
pub use json::{list_json, matrix_json};
pub use junit::junit;
pub use list::list;
pub use markdown::{full_markdown, markdown};
pub use replays::replays;
pub use rows_json::{Tables, rows_json};
pub use step_summary::step_summary;
pub use suggestion::{
    Asked, refuted, suggestion, suggestion_of_many, suggestions_end, suggestions_json, void,
};
pub use tables::{rows_text, rows_title};
pub use text::{LAST_LINE, text};
pub use verdicts::{verdicts, verdicts_json, verdicts_markdown};

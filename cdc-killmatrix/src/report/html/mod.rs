//! A matrix as one HTML page, for readers without a terminal: it loads nothing, and asks no network.
//!
//! Without a script the page says what was tried, what survives and, in plain tables, what was caught. With it there
//! is a grid for each suite, whose cells open the checkpoints.

use sha2::{Digest as _, Sha256};

use data_encoding::BASE64;

use crate::escape::json_for_script;
use crate::fixture::Fixtures;
use crate::matrix::Matrix;
use crate::report::json::compact;

mod pool;
mod redact;
mod timeline;
mod data;
mod opening;
mod prose;

use data::Data;
use redact::Cells;

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// Whether a page shows the values of the fixtures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Values {
    /// As they are.
    #[default]
    Shown,
    /// Placeholders in their place, such as `city-1`: one value, one placeholder, wherever it stands.
    ///
    /// Nulls and what gives the order stay: the columns of SEQUENCE BY and SYSTEM SEQUENCE BY, and the bounds made of
    /// them. Names of files, suites, fixtures and columns stay as well; in titles the values are replaced. All other
    /// text that may quote a value is left out: notes, what a decision was asked, why a copy broke down.
    Redacted,
}

/// A matrix as one HTML page. The fixtures are those of which the matrix was made.
///
/// ```
/// use cdc_killmatrix::report::{self, Values};
/// use cdc_killmatrix::{Fixtures, Matrix, catalogue};
///
/// let fixtures = Fixtures::load(["../fixtures/customers_current"])?;
/// let matrix = Matrix::of(&fixtures, &catalogue::all()).in_words(&fixtures);
/// let page = report::html(&fixtures, &matrix, Values::Redacted);
/// assert!(page.starts_with("<!doctype html>") && !page.contains("ana@example.com"));
/// # Ok::<(), cdc_killmatrix::Diagnostics>(())
/// ```
pub fn html(fixtures: &Fixtures, matrix: &Matrix, values: Values) -> String {
    let mut cells = Cells::new(values);
    let data = Data::of(fixtures, matrix, &mut cells);
    filled(&[
        ("style-hash", &hash(STYLE)),
        ("script-hash", &hash(SCRIPT)),
        ("style", STYLE),
        ("sentences", &opening::opening(matrix, &data)),
        ("survivors", &prose::survivors(matrix, &data)),
        ("ignored", &prose::ignored(matrix, values)),
        ("redacted", prose::redacted(values)),
        ("legend", &prose::legend()),
        ("tables", &prose::tables(matrix, &data)),
        ("data", &json_for_script(&compact(&data))),
        ("script", SCRIPT),
    ])
}

/// The page with these texts in its gaps, `{{name}}`. What is filled in is never searched for gaps.
fn filled(texts: &[(&str, &str)]) -> String {
    let mut page = String::new();
    let mut rest = PAGE;
    while let Some((before, (name, after))) =
        rest.split_once("{{").and_then(|(before, gap)| Some((before, gap.split_once("}}")?)))
    {
        page.push_str(before);
        page.push_str(texts.iter().find(|(gap, _)| *gap == name).map_or("", |(_, text)| text));
        rest = after;
    }
    page + rest
}

/// What the page's policy calls a script or a style: without it a browser runs neither.
fn hash(text: &str) -> String {
    format!("sha256-{}", BASE64.encode(&Sha256::digest(text)))
}

//! The columns of a source, from what is at hand: a declaration, or what Spark prints of a table or a `DataFrame`.
//!
//! Which form a text has is seen from the text itself, never from the name of its file.

mod gathered;
mod types;
mod listing;
mod json;
mod printed;

use std::path::Path;

use cdc_core::{DataType, Schema};

use crate::definition::sql::{self, Columns, Form};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::fixture::{EventFile, schema_of};
use crate::json::{Json, Source};
use gathered::Gathered;
use types::Names;

/// What messages call a text that is in no file: the option it comes from.
const OPTION: &str = "--schema";

/// The schema that a text says, or the file of that name.
///
/// | form | such as |
/// | --- | --- |
/// | columns | `id BIGINT, city STRING` |
/// | a table | `CREATE TABLE t (id BIGINT NOT NULL COMMENT 'key') USING delta`, as `SHOW CREATE TABLE` prints it |
/// | a listing | what `DESCRIBE` prints: with tabs, as CSV, or as the box of `show(truncate=False)` |
/// | JSON of Spark | what `df.schema.json()` prints |
/// | a tree | what `df.printSchema()` prints |
/// | a fixture | a fixture or a `suite.json` that has a `schema` |
///
/// VARCHAR and CHAR are read as STRING. All that is wrong is said at once, each with its place and the form that the
/// text was taken for.
///
/// ```
/// use cdc_killmatrix::columns;
///
/// let declared = columns::read("id BIGINT, city STRING")?;
/// assert_eq!(columns::read("CREATE TABLE t (id BIGINT NOT NULL, city VARCHAR(20)) USING delta;")?, declared);
/// assert_eq!(columns::read("id\tbigint\tNULL\ncity\tstring\tNULL")?, declared);
/// assert_eq!(
///     columns::read("id BIGINT, payload VARIANT").unwrap_err().to_string(),
///     "--schema:1:20: columns: the type of `payload`: the model has no `VARIANT`; leave the column out, or write \
///      STRING if the flow or the events name it"
/// );
/// # Ok::<(), cdc_killmatrix::Diagnostics>(())
/// ```
pub fn read(text_or_path: &str) -> Result<Schema, Diagnostics> {
    let path = Path::new(text_or_path);
    if path.is_file() {
        return of_source(&Source::read(path)?);
    }
    let option = Path::new(OPTION);
    if path.exists() {
        return Err(Diagnostic::of_path(path, "this is no regular file; expected one").into());
    }
    if is_path(text_or_path) {
        let message = format!(
            "there is no such file `{text_or_path}`; expected a file, or columns such as `id BIGINT, city STRING`"
        );
        return Err(Diagnostic::of_path(option, message).into());
    }
    let text = text_or_path.trim_start_matches('\u{feff}');
    of_source(&Source::new(option.to_owned(), text.to_owned()))
}

/// The type that a text says, as a column is declared or as Spark prints it; else why it says none.
pub(crate) fn type_of(text: &str) -> Result<DataType, String> {
    types::parse(text, 0..text.len(), Names::Declared).map_err(|(_, message)| message)
}

/// Whether a text that is no file was meant as the path of one: no column is written so, as its type is missing.
fn is_path(text: &str) -> bool {
    let is_name = || text.chars().all(|c| c.is_alphanumeric() || "._-".contains(c));
    !text.is_empty()
        && !text.contains(char::is_whitespace)
        && !text.starts_with('{')
        && (text.contains(['/', '\\']) || is_name())
}

fn of_source(source: &Source) -> Result<Schema, Diagnostics> {
    let text = source.text();
    let start = text.trim_start();
    if start.is_empty() {
        let message = "there is nothing here; expected columns such as `id BIGINT, city STRING`".to_owned();
        return Err(source.fault("", 0..0, message).into());
    }
    if start.starts_with(['{', '[', '"']) {
        return of_json(source, &source.parse()?);
    }
    if start.starts_with("StructType(") {
        let message =
            "this is a schema as Python shows it; expected what `df.schema.json()` prints".to_owned();
        return Err(source.fault("", 0..0, message).into());
    }
    if printed::is_tree(text) {
        let mut gathered = Gathered::new(source, "printSchema");
        printed::read(text, &mut gathered);
        return gathered.schema();
    }
    if let Some(cells) = listing::cells(text) {
        let mut gathered = Gathered::new(source, "DESCRIBE");
        listing::read(text, cells, &mut gathered);
        return gathered.schema();
    }
    if EventFile::is_one(&source.path) {
        let message =
            "these are events, by the file's name; expected the columns that the flow reads, such as what \
                       `DESCRIBE` prints"
                .to_owned();
        return Err(source.fault("", 0..0, message).into());
    }
    let (form, columns) = sql::columns(text);
    let form = match form {
        Form::Columns => "columns",
        Form::Table => "CREATE TABLE",
    };
    of_sql(Gathered::new(source, form), columns)
}

fn of_json(source: &Source, json: &Json<'_>) -> Result<Schema, Diagnostics> {
    let Some(fields) = json::fields(json) else { return schema_of(source, json) };
    let mut gathered = Gathered::new(source, "df.schema.json()");
    json::read(fields, &mut gathered);
    gathered.schema()
}

fn of_sql(mut gathered: Gathered<'_>, columns: Columns) -> Result<Schema, Diagnostics> {
    for column in columns.unwrap_or_else(|fault| vec![Err(fault)]) {
        match column {
            Ok(column) => {
                let data_type = types::parse(gathered.text(), column.range, Names::Declared);
                gathered.add(&column.name, column.at, data_type);
            }
            Err(fault) => gathered.fault(fault),
        }
    }
    gathered.schema()
}

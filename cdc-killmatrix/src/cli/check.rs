//! The command `check`.

use std::io::Write;
use std::path::{Path, PathBuf};

use cdc_core::{DataType, Event, Plan, Schema, Value};

use super::Exit;
use super::args::{CheckArgs, PlainFormat};
use super::session::Session;
use super::stop::Stop;
use crate::check::{self, Case, Checked, Delivered};
use crate::columns;
use crate::definition::Definition;
use crate::diagnostic::Diagnostics;
use crate::escape::for_terminal;
use crate::files::has_end;
use crate::finding::{Code, Place};
use crate::fixture::{EventFile, Expectations, Fixtures};
use crate::json::Source;
use crate::report::{self, CheckedInput};
use crate::words::slashed;

impl<O: Write, E: Write> Session<'_, O, E> {
    pub(super) fn check(&mut self, args: &CheckArgs) -> Result<Exit, Stop> {
        let (files, paths): (Vec<PathBuf>, Vec<PathBuf>) =
            args.paths.iter().cloned().partition(|path| EventFile::is_one(path));
        refuse_unfit(args, &files, &paths)?;
        let table = check::quoted_table(&args.table);
        let fixtures = match &*paths {
            [] => None,
            paths => Some(self.loaded(Expectations::Optional, &args.flow, paths)?),
        };
        let mut inputs = Vec::new();
        for (suite, fixture) in fixtures.iter().flat_map(Fixtures::pairs) {
            let cases = check::cases_of_fixture(fixture, &table);
            let name = suite.full_name(fixture);
            let fixture_name = Some((&*suite.name, &*fixture.name));
            inputs.push(checked(&cases, name, fixture_name, &fixture.path, &fixture.findings));
        }
        if !files.is_empty() {
            let (Some(definition), Some(text)) = (self.flow(&args.flow)?, args.schema.as_deref()) else {
                return Err(self.alone(args, &files[0]));
            };
            let schema = columns::read(text)?;
            if definition.flow.from_snapshot.is_some() {
                return Err(Stop::input("the flow reads snapshots; expected one that reads events"));
            }
            let plan = plan(&definition, &schema).map_err(|stop| stop.with(&self.again("they fit")))?;
            let arrival = args.arrival.as_deref().map(|name| arrival(name, &schema)).transpose()?;
            for path in &files {
                let file = match &args.batch_by {
                    Some(column) => EventFile::read_batches(path, &schema, column)?,
                    None => EventFile::read(path, &schema)?,
                };
                let case = Case::new(&plan, delivered(&file, arrival), table.clone());
                let cases = [match arrival {
                    Some(column) => case.arriving_by(column),
                    None => case,
                }];
                let name = path.to_string_lossy().into_owned();
                inputs.push(checked(&cases, name, None, path, &[]));
            }
        }
        let text = match args.format {
            PlainFormat::Text => report::findings(&inputs, args.full || inputs.len() == 1, args.strict),
            PlainFormat::Json => report::findings_json(&inputs, args.strict),
        };
        write!(self.out, "{text}")?;
        let fails = inputs.iter().any(|input| input.checked.fails(args.strict));
        if fails && matches!(args.format, PlainFormat::Text) {
            write!(self.out, "{}", self.again("that is mended"))?;
        }
        Ok(if fails { Exit::Difference } else { Exit::Fine })
    }

    /// That a file of events lacks its flow, its schema or both, and the command that has them.
    fn alone(&self, args: &CheckArgs, file: &Path) -> Stop {
        let (flow, schema) = ("--flow FILE#NAME", "--schema 'id BIGINT, city STRING'");
        let lacks =
            [("flow", flow, args.flow.definition.is_none()), ("schema", schema, args.schema.is_none())];
        let lacks: Vec<_> = lacks.into_iter().filter(|(.., is_missing)| *is_missing).collect();
        let what: Vec<String> = lacks.iter().map(|(what, ..)| format!("no {what}")).collect();
        let options: Vec<&str> = lacks.iter().map(|(_, option, _)| *option).collect();
        let text = format!(
            "{}: a file of events has {} of its own; expected `{}`",
            file.display(),
            what.join(" and "),
            options.join("` and `")
        );
        let next = format!("\nNext, with yours:\n  {} {}\n", self.call, options.join(" "));
        Stop::input(&text).with(&next)
    }
}

fn checked<'a>(
    cases: &[Case<'_>],
    name: String,
    fixture: Option<(&'a str, &'a str)>,
    path: &Path,
    declared: &[Code],
) -> CheckedInput<'a> {
    let findings = check::findings(cases);
    // Of several flows the last is the feed that goes on.
    let answers = cases.last().map(|case| check::answers(case, &findings)).unwrap_or_default();
    let path = slashed(path);
    CheckedInput { name, fixture, path, checked: Checked { findings, declared: declared.to_vec() }, answers }
}

/// Refuses options that fixtures have no use for, and files that are neither fixtures nor of events.
fn refuse_unfit(args: &CheckArgs, files: &[PathBuf], paths: &[PathBuf]) -> Result<(), Stop> {
    if files.is_empty() && args.schema.is_some() {
        return Err(Stop::input("`--schema` is for files of events: a fixture has its own"));
    }
    if files.is_empty() && args.batch_by.is_some() {
        return Err(Stop::input("`--batch-by` is for files of events: a fixture has its own checkpoints"));
    }
    if files.is_empty() && args.arrival.is_some() {
        return Err(Stop::input(
            "`--arrival` is for files of events: a fixture has its own `advance_seconds`",
        ));
    }
    let mut faults = Diagnostics::default();
    for path in paths.iter().filter(|path| path.is_file() && !has_end(path, &["json"])) {
        if let Err(mut fault) = Source::read(path).and_then(|source| source.parse().map(drop)) {
            fault.message = format!("{} (expected .jsonl, .ndjson, .csv or a fixture)", fault.message);
            faults.push(fault);
        }
    }
    if faults.count() == 0 { Ok(()) } else { Err(faults.into()) }
}

/// The plan of a flow from elsewhere for the schema of events.
pub(super) fn plan(definition: &Definition, schema: &Schema) -> Result<Plan, Stop> {
    let errors: Vec<String> = match Plan::new(definition.flow.clone(), schema.clone()) {
        Ok(plan) => match definition.bounds.misfits(&plan, &definition.shown()) {
            misfits if misfits.is_empty() => return Ok(plan),
            misfits => misfits,
        },
        Err(errors) => errors.0.iter().map(ToString::to_string).collect(),
    };
    let is_target = schema.iter().any(|column| Plan::BOUNDS.contains(&&*column.name.to_uppercase()));
    let advice = if is_target {
        "; are these the columns of the target? expected those that the flow reads"
    } else {
        ""
    };
    let text = format!("the definition {} doesn't fit `--schema`{advice}", definition.shown());
    let errors: Vec<String> = errors.iter().map(|error| format!("\n  {}", for_terminal(error))).collect();
    Err(Stop::input(&text).with(&errors.concat()))
}

/// The column that says when an event arrived.
fn arrival(name: &str, schema: &Schema) -> Result<usize, Stop> {
    let types = [DataType::Timestamp, DataType::TimestampNtz];
    match schema.find(name) {
        Some(column) if types.contains(&schema[column].data_type) => Ok(column),
        Some(column) => {
            let found = &schema[column].data_type;
            Err(Stop::input(&format!(
                "--arrival: `{name}` has type {found}; expected TIMESTAMP or TIMESTAMP_NTZ"
            )))
        }
        None => Err(Stop::input(&format!("--arrival: there is no column `{name}` in the schema"))),
    }
}

fn delivered(file: &EventFile, arrival: Option<usize>) -> Vec<Delivered<'_>> {
    let arrived = |event: &Event| match event.values[arrival?] {
        Value::Timestamp(time) | Value::TimestampNtz(time) => {
            Some(jiff::tz::TimeZone::UTC.to_timestamp(time).ok()?.as_second())
        }
        _ => None,
    };
    let events = file.feed.events().iter().zip(&file.lines).enumerate();
    events
        .map(|(number, (event, &line))| Delivered {
            event,
            place: Place { checkpoint: None, event: number, line },
            refreshes: 0,
            is_applied: true,
            arrived: arrived(event),
        })
        .collect()
}

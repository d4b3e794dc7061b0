//! The command `new`: a first fixture from one's own table.

use std::io::{self, IsTerminal as _, Write};
use std::path::{Path, PathBuf};

use cdc_core::{Delivery, Feed, Plan, Row, Table, Value};
use serde_json::json;

use super::Exit;
use super::args::{FlowArgs, NewArgs};
use super::check::plan;
use super::session::Session;
use super::stop::Stop;
use crate::columns;
use crate::config::{self, Config, Paths};
use crate::definition::Definition;
use crate::diagnostic::Diagnostics;
use crate::escape::is_hidden;
use crate::files;
use crate::fixture::{
    self, Checkpoint, EventFile, Fixture, Fixtures, PROJECT_FILE, SUITE_FILE, Wording, flow_json, name_fault,
    project_of, rows_of_file, schema_json,
};
use crate::json::MEBIBYTES;
use crate::report::{self, Begun};
use crate::words::listed;

mod questions;

/// What the configuration of a project says that has none.
const PROJECT: &str = "\
# The top of this project: a fixture may name a definition anywhere below it.
fixtures = [\"fixtures\"]
";

/// A flow by its parameters, to begin with.
const FLOW: &str = r#"{ "flow": { "keys": ["id"], "sequence_by": "lsn", "apply_as_deletes": "op = 'D'" } }"#;

/// What is to be written, and what is to be said of it.
struct Draft {
    files: Vec<(PathBuf, String)>,
    /// The fixture as it will be read.
    fixture: Fixture,
    /// What reading the events chose.
    notes: Vec<String>,
}

impl Draft {
    fn begun(&self, is_incident: bool) -> Begun<'_> {
        let files = self.files.iter().map(|(path, _)| &**path).collect();
        Begun { files, fixture: &self.fixture, notes: &self.notes, is_incident }
    }
}

impl<O: Write, E: Write> Session<'_, O, E> {
    pub(super) fn begin(&mut self, args: &NewArgs) -> Result<Exit, Stop> {
        let has_none = args.name.is_none() && args.flow.definition.is_none() && args.schema.is_none();
        let is_watched = io::stdin().is_terminal() && io::stderr().is_terminal();
        let asked = (has_none && args.events.is_none() && is_watched)
            .then(|| self.ask(&mut io::stdin().lock()))
            .transpose()?;
        let args = asked.as_ref().unwrap_or(args);
        let draft = self.draft(args)?;
        files::create_all(&draft.files).map_err(|error| Stop::unwritten(&error))?;
        let is_incident = args.from_incident;
        write!(self.out, "{}", report::begun(&draft.begun(is_incident), self.program))?;
        Ok(Exit::Fine)
    }

    fn draft(&mut self, args: &NewArgs) -> Result<Draft, Stop> {
        let name = args.name.as_deref().ok_or_else(|| self.unnamed())?;
        let (suite, own) = names(name)?;
        let root = self.root()?;
        if let Some(name) = own
            && root.file_name().is_some_and(|root| *root == *suite)
        {
            return Err(Stop::input(&format!("suites are named without their folder; expected `{name}`")));
        }
        let folder = root.join(suite);
        let described = folder.join(SUITE_FILE);
        let (mut fixture, mut files) = if described.exists() {
            (described_target(&described, args)?, Vec::new())
        } else {
            self.new_target(&folder, args)?
        };
        let events = args.events.as_deref();
        let of_events = events.and_then(Path::file_stem).map(|stem| stem.to_string_lossy().into_owned());
        let name = own.map(str::to_owned).or(of_events).unwrap_or_else(|| "first".to_owned());
        if let Some(fault) = fixture_fault(&name) {
            return Err(Stop::input(&format!("{fault}; expected SUITE/FIXTURE, such as `{suite}/first`")));
        }
        let plan = fixture.plan().clone();
        if events.is_some() && plan.reads_snapshots() {
            let text = "the flow reads snapshots, and `--events` is for a feed; expected none: the snapshots are yours to type";
            return Err(Stop::input(text));
        }
        let read = events.map(|path| batches(path, &plan, args.batch_by.as_deref()));
        let (feed, notes) =
            read.transpose()?.map_or_else(|| (empty(&plan), Vec::new()), |file| (file.feed, file.notes));
        fixture.checkpoints = Checkpoint::all_of(&feed);
        fixture.feed = feed;
        if let Some(last) = fixture.checkpoints.last_mut() {
            let rows = |path: &PathBuf| rows_of_file(path, &plan).map(Table::new);
            last.observed = args.observed.as_ref().map(rows).transpose()?;
            last.expect.extend(args.expected.as_ref().map(rows).transpose()?);
        }
        fixture.source = events.map_or_else(|| "own".to_owned(), |path| path.to_string_lossy().into_owned());
        fixture.path = folder.join(format!("{name}.json"));
        fixture.name = name;
        // Of a suite with faults nobody knows all names.
        let others = Fixtures::load_events([&folder]).map(|it| it.suites).unwrap_or_default();
        if let Some(taken) =
            others.iter().flat_map(|suite| &suite.fixtures).find(|it| it.name == fixture.name)
        {
            let (name, file) = (&taken.name, files::shown(&taken.path));
            let text = format!("{file} is called `{name}` already; expected another name: {suite}/FIXTURE");
            return Err(Stop::input(&text));
        }
        let text = fixture::fixture_text(&fixture::fixture_json(&fixture, Wording::OfSuite));
        if (MEBIBYTES << 20) < text.len() as u64 {
            let text = format!("the fixture would be larger than {MEBIBYTES} MiB; expected fewer events");
            return Err(Stop::input(&text));
        }
        files.insert(files.len().min(1), (fixture.path.clone(), text));
        Ok(Draft { files, fixture, notes })
    }

    /// Where suites are kept: a folder that the configuration names, whether it is there yet or not.
    fn root(&self) -> Result<PathBuf, Stop> {
        let file = config::nearest();
        let config = file.as_ref().map(|file| Config::read_of(file, self.mutants, Paths::MayCome));
        let paths = config.transpose()?.unwrap_or_default().fixtures;
        match paths.iter().find(|path| !path.is_file()) {
            Some(folder) => Ok(folder.clone()),
            None if paths.is_empty() => Ok(config::default_fixtures(file.as_deref())),
            None => Err(Stop::input(
                "killmatrix.toml names fixtures only; expected a folder in which a suite can be",
            )),
        }
    }

    /// What to give, where nothing says what the suite is called.
    fn unnamed(&self) -> Stop {
        let text = "the name of the suite is missing; expected one, its flow and its columns, such as";
        let next = format!(
            "\n  {} new customers --flow pipelines/customers.py#customers_flow --schema customers.ddl",
            self.program
        );
        Stop::input(text).with(&next)
    }

    /// A suite that isn't there yet: the flow of a definition, over these columns.
    fn new_target(
        &mut self,
        folder: &Path,
        args: &NewArgs,
    ) -> Result<(Fixture, Vec<(PathBuf, String)>), Stop> {
        let missing: Vec<&str> = [
            args.flow.definition.is_none().then_some("`--flow FILE#NAME`, the pipeline that fills the table"),
            args.schema.is_none().then_some("`--schema FILE`, the columns that it reads"),
        ]
        .into_iter()
        .flatten()
        .collect();
        let (Some(text), Some(schema)) = (&args.flow.definition, &args.schema) else {
            let suite = folder.display();
            return Err(Stop::input(&format!("the suite {suite} is new; expected {}", listed(&missing))));
        };
        let mut files = Vec::new();
        // A flow may be said by its parameters.
        let (plan, flow) = if files::has_end(Path::new(text), &["json"]) {
            let plan = fixture::plan_of(Path::new(text), &columns::read(schema)?)?;
            let flow = flow_json(plan.flow());
            (plan, flow)
        } else {
            let definition = self.definition(&args.flow)?;
            let plan = plan(&definition, &columns::read(schema)?)?;
            let (file, name) = fixture::split_flow(text);
            let name = name.map(|name| format!("#{name}")).unwrap_or_default();
            let path = files::seen_from(folder, Path::new(file));
            if path.contains('#') {
                return Err(Stop::input(&format!(
                    "the path {path} holds a `#`, behind which a flow is named; expected a path without one"
                )));
            }
            let path = format!("{path}{name}");
            // The last to be written: nobody else's suite may rely on a file that is taken back.
            files.extend(project_file(folder, Path::new(file))?.map(|file| (file, PROJECT.to_owned())));
            let dialect = args.flow.dialect;
            let flow = dialect.map(|dialect| json!({ "definition": path, "dialect": dialect.name() }));
            (plan, flow.unwrap_or_else(|| json!(path)))
        };
        let suite = json!({ "flow": flow, "schema": schema_json(plan.schema()) });
        files.insert(0, (folder.join(SUITE_FILE), fixture::fixture_text(&suite)));
        Ok((Fixture::without_events(PathBuf::new(), vec![plan], Vec::new()), files))
    }

    /// The flow of a definition; where its code can't be read, how else it can be said.
    fn definition(&mut self, args: &FlowArgs) -> Result<Definition, Stop> {
        match self.flow(args) {
            Ok(Some(definition)) => Ok(definition),
            Ok(None) => Err(self.unnamed()),
            Err(Stop::Faults(faults)) => {
                let program = self.program;
                Err(Stop::Because(Exit::Input, faults.styled()).with(&format!(
                    "\nWhat only running the code tells, you can say: with its parameters in a file flow.json, such as\n  \
                     {FLOW}\nthen:\n  {program} new SUITE --flow flow.json --schema ..\n"
                )))
            }
            Err(other) => Err(other),
        }
    }
}

/// Suite and fixture, if that is named.
fn names(text: &str) -> Result<(&str, Option<&str>), Stop> {
    let (suite, own) = text.split_once('/').map_or((text, None), |(suite, own)| (suite, Some(own)));
    match file_fault(suite).or_else(|| own.and_then(fixture_fault)) {
        Some(fault) => Err(Stop::input(&format!(
            "{fault}; expected SUITE or SUITE/FIXTURE, such as `customers/late_update`"
        ))),
        None => Ok((suite, own)),
    }
}

/// What is wrong with the name of a suite or a fixture as that of a folder or a file, on whichever system.
fn file_fault(name: &str) -> Option<&'static str> {
    match name {
        // It leads upwards, or is passed over where fixtures are looked for: `.git`.
        name if name.starts_with('.') => Some("the name starts with a `.`"),
        name if name.contains(['\\', ':']) => Some("the name holds a `\\` or a `:`"),
        // A command that names it could not be pasted.
        name if name.contains(is_hidden) => Some("the name holds a hidden character"),
        name => name_fault(name),
    }
}

/// The same of a fixture, which lies beside the `suite.json`.
fn fixture_fault(name: &str) -> Option<&'static str> {
    let is_taken = name.eq_ignore_ascii_case("suite");
    if is_taken { Some("the name is that of the file which describes a suite") } else { file_fault(name) }
}

/// What a `suite.json` that is there says.
fn described_target(file: &Path, args: &NewArgs) -> Result<Fixture, Stop> {
    let (folder, shown) = (file.parent().unwrap_or(Path::new("")), file.display());
    if args.flow.definition.is_some() || args.schema.is_some() {
        return Err(Stop::input(&format!(
            "{shown} is there already, and says flow and columns; expected neither `--flow` nor `--schema`, or the name of a \
             suite that is new"
        )));
    }
    match Fixtures::template(folder)? {
        Some(template) if template.plans.len() == 1 => Ok(template),
        Some(_) => Err(Stop::input(&format!(
            "{shown} gives several flows; expected one: this fixture has to be typed"
        ))),
        None => Err(Stop::input(&format!("{shown} doesn't say both flow and schema; expected both"))),
    }
}

/// The configuration that has to be there for a fixture to name a definition that lies above it.
fn project_file(folder: &Path, definition: &Path) -> Result<Option<PathBuf>, Stop> {
    let (real, definition) = (files::real(folder), files::real(definition));
    let top = files::real(Path::new(""));
    let outside = |top: &Path| {
        Stop::input(&format!(
            "the definition {} lies outside of {}; expected it below, where the fixtures are",
            definition.display(),
            top.display()
        ))
    };
    match project_of(&real) {
        _ if definition.starts_with(&real) => Ok(None),
        Some(top) if definition.starts_with(top) => Ok(None),
        Some(top) => Err(outside(top)),
        None if definition.starts_with(&top) && real.starts_with(&top) => {
            Ok(Some(PathBuf::from(PROJECT_FILE)))
        }
        None => Err(outside(&top)),
    }
}

/// The events of a file, divided by a column, if there is one.
fn batches(path: &Path, plan: &Plan, column: Option<&str>) -> Result<EventFile, Diagnostics> {
    match column {
        Some(column) => EventFile::read_batches(path, plan.schema(), column),
        None => EventFile::read(path, plan.schema()),
    }
}

/// One batch without events; of a flow from snapshots an empty one, to be filled in.
fn empty(plan: &Plan) -> Feed {
    let of_version = plan.flow().from_snapshot.as_ref();
    let version = of_version.filter(|it| it.int_bounds().is_some()).map(|_| Value::Int(1));
    let mut feed = Feed::default();
    feed.deliver(Delivery { version, ..Delivery::default() }, Vec::<Row>::new());
    feed
}

//! What `new` asks at a terminal.

use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};

use cdc_core::{Dialect, Plan};

use super::{batches, described_target, names};
use crate::cli::args::NewArgs;
use crate::cli::check::plan;
use crate::cli::session::Session;
use crate::cli::stop::Stop;
use crate::columns;
use crate::fixture::{NoFlow, SUITE_FILE, flow_named};
use crate::words::pasted;

/// What a question is asked with: whether its answer will do.
type Check<'a> = &'a dyn Fn(&str) -> Result<(), Stop>;

impl<O: Write, E: Write> Session<'_, O, E> {
    /// Asks for what the command line doesn't say. Each answer is looked at before the next question.
    pub(super) fn ask(&mut self, input: &mut impl BufRead) -> Result<NewArgs, Stop> {
        writeln!(self.err, "A fixture from your own table. Nothing is written before the last answer.\n")?;
        let name =
            self.answer(input, "Name of the suite, such as customers", &|text| names(text).map(drop))?;
        let folder = self.root()?.join(names(&name)?.0);
        let mut args = NewArgs { name: Some(name), ..NewArgs::default() };
        let plan = if folder.join(SUITE_FILE).exists() {
            writeln!(self.err, "The suite is there already: its flow and its columns are taken.")?;
            described_target(&folder.join(SUITE_FILE), &args)?.plan().clone()
        } else {
            self.ask_target(input, &mut args)?
        };
        if !plan.reads_snapshots() {
            self.ask_events(input, &plan, &mut args)?;
        }
        writeln!(self.err, "\nThe same without questions:\n  {}\n", line(&args, self.program))?;
        Ok(args)
    }

    /// Asks for the flow of a suite that is new, and for its columns.
    fn ask_target(&mut self, input: &mut impl BufRead, args: &mut NewArgs) -> Result<Plan, Stop> {
        let question = "Pipeline that fills the table, a .sql or .py file, with #NAME if it holds several";
        let flow = self.answer(input, question, &|text| match flow_named(text, Dialect::default()) {
            Ok(_) => Ok(()),
            Err(NoFlow::Path(text)) => Err(Stop::input(&text)),
            Err(NoFlow::Definition(faults)) => Err(faults.into()),
        })?;
        args.flow.definition = Some(flow);
        let Some(definition) = self.flow(&args.flow)? else { return Err(Stop::input("there is no flow")) };
        let question = "Columns that it reads: a file with CREATE TABLE, DESCRIBE or df.schema.json(),\n  or the \
                        columns, such as id BIGINT, city STRING";
        let fits = |text: &str| plan(&definition, &columns::read(text)?);
        let schema = self.answer(input, question, &|text| fits(text).map(drop))?;
        let plan = fits(&schema)?;
        args.schema = Some(schema);
        Ok(plan)
    }

    /// Asks for events and what divides them, until they can be read.
    fn ask_events(&mut self, input: &mut impl BufRead, plan: &Plan, args: &mut NewArgs) -> Result<(), Stop> {
        loop {
            let question = "Events, a .csv or .jsonl file; none if they are yours to type";
            let events = self.answer(input, question, &|_| Ok(()))?;
            let Some(path) = given(&events) else { return Ok(()) };
            let question = "Column that says which batch brought an event; none if one batch did";
            let column = self.answer(input, question, &|_| Ok(()))?;
            match batches(Path::new(path), plan, given(&column)) {
                Ok(_) => {
                    args.batch_by = given(&column).map(str::to_owned);
                    args.events = Some(PathBuf::from(path));
                    return Ok(());
                }
                Err(faults) => self.complain(faults.into())?,
            }
        }
    }

    /// The first answer that will do, without the blanks and quotes around it.
    fn answer(&mut self, input: &mut impl BufRead, question: &str, check: Check<'_>) -> Result<String, Stop> {
        loop {
            write!(self.err, "{question}: ")?;
            self.err.flush()?;
            let mut line = Vec::new();
            if input.read_until(b'\n', &mut line)? == 0 {
                writeln!(self.err)?;
                return Err(Stop::input("there is no answer any more, so that nothing was written"));
            }
            let line = String::from_utf8_lossy(&line);
            let line = line.trim();
            let bare = ['\'', '"'].into_iter().find_map(|sign| line.strip_prefix(sign)?.strip_suffix(sign));
            let text = bare.unwrap_or(line);
            match check(text) {
                Ok(()) => return Ok(text.to_owned()),
                Err(fault) => self.complain(fault)?,
            }
        }
    }

    /// Says what is wrong with an answer; what can't be asked again ends it.
    fn complain(&mut self, fault: Stop) -> Result<(), Stop> {
        match fault {
            Stop::Because(_, text) | Stop::Unwritten(text) => Ok(writeln!(self.err, "{}", text.trim_end())?),
            Stop::Faults(faults) => Ok(write!(self.err, "{}", faults.styled())?),
            fault @ Stop::Output(_) => Err(fault),
        }
    }
}

/// An answer, if there is one.
fn given(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.is_empty())
}

/// The command line that says the same.
fn line(args: &NewArgs, program: &str) -> String {
    let quoted = |text: &str| pasted(text.as_ref());
    let mut words = vec![program.to_owned(), "new".to_owned()];
    words.extend(args.name.as_deref().map(quoted));
    let mut option = |name: &str, value: Option<&str>| {
        words.extend(value.map(|value| format!("--{name} {}", quoted(value))));
    };
    option("flow", args.flow.definition.as_deref());
    option("schema", args.schema.as_deref());
    option("events", args.events.as_deref().and_then(|path| path.to_str()));
    option("batch-by", args.batch_by.as_deref());
    words.join(" ")
}

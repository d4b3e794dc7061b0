//! The command `export`.

use std::io::Write;

use cdc_core::{Dialect, Plan};

use super::Exit;
use super::args::{ExportArgs, FlowArgs, Language};
use super::session::Session;
use super::stop::Stop;
use crate::definition::{Written, to_python, to_sql};
use crate::escape::is_hidden;
use crate::fixture::Expectations;

impl<O: Write, E: Write> Session<'_, O, E> {
    pub(super) fn export(&mut self, args: &ExportArgs) -> Result<Exit, Stop> {
        let paths = std::slice::from_ref(&args.path);
        let fixtures = self.loaded(Expectations::Optional, &FlowArgs::default(), paths)?;
        let mut pairs = fixtures.pairs();
        let (Some((suite, fixture)), None) = (pairs.next(), pairs.next()) else {
            return Err(Stop::input("expected the file of one fixture, not a folder"));
        };
        let is_snapshot = fixture.plans.iter().any(Plan::reads_snapshots);
        if is_snapshot && args.to == Language::Sql && !args.newest {
            let text = "a flow from snapshots has SQL in the newest documentation only; expected `--newest`, or `--to python`";
            return Err(Stop::input(text));
        }
        let given =
            |given: &Option<String>, end| given.clone().unwrap_or_else(|| format!("{}{end}", suite.name));
        let (target, source, name) =
            (given(&args.target, ""), given(&args.source, "_source"), given(&args.name, "_flow"));
        let flows = fixture.plans.iter().enumerate().map(|(place, plan)| Written {
            name: fixture.flows.get(place).unwrap_or(&name),
            source: &source,
            flow: plan.flow(),
        });
        let flows: Vec<Written<'_>> = flows.collect();
        let text = match args.to {
            Language::Sql => to_sql(&target, &flows),
            Language::Python => to_python(&target, &flows),
        };
        // A terminal must not obey it, and whoever reads it must see it. Python has escapes for it.
        if let Some(hidden) = text.chars().find(|&c| c != '\n' && is_hidden(c)) {
            let text = format!(
                "the definition would hold the hidden character {}; expected none, or `--to python`, which escapes it",
                hidden.escape_unicode()
            );
            return Err(Stop::input(&text));
        }
        write!(self.out, "{text}")?;
        if fixture.plan().flow().dialect == Dialect::Spark43 {
            writeln!(self.err, "warning: a definition doesn't say its dialect, which is `spark-4.3` here")?;
        }
        Ok(Exit::Fine)
    }
}

//! The command `export-kit`.

use std::io::Write;

use super::Exit;
use super::args::{FlowArgs, KitArgs};
use super::session::Session;
use super::stop::Stop;
use crate::escape::for_terminal;
use crate::files::{self, shown};
use crate::fixture::Expectations;
use crate::kit::{Kit, RunAs, Settings, identity_fault, name_fault};
use crate::words::counted;

impl<O: Write, E: Write> Session<'_, O, E> {
    pub(super) fn kit(&mut self, args: &KitArgs) -> Result<Exit, Stop> {
        let settings = settings(args)?;
        let mutants = match &args.mutants {
            Some(names) => self.playable("--mutants", names)?,
            None => Vec::new(),
        };
        let (_, paths) = self.configured(&args.config, &args.paths, "export-kit DIR")?;
        let fixtures = self.loaded(Expectations::Needed, &FlowArgs::default(), &paths)?;
        let kit = Kit::new(&fixtures, &mutants, settings);
        for left in kit.left_out.iter().filter(|it| it.mutant.is_none()) {
            writeln!(self.err, "left out: {}: {}", for_terminal(&left.name), for_terminal(&left.reason))?;
        }
        let cells = kit.left_out.iter().filter(|it| it.mutant.is_some()).count();
        if cells != 0 {
            let pairs = counted(cells, "pair");
            writeln!(
                self.err,
                "left out: {pairs} of a fixture and a broken copy; the kit's README names them"
            )?;
        }
        if kit.plays.is_empty() {
            return Err(Stop::input("a workspace can play none of these fixtures; nothing is written"));
        }
        files::create_folder(&args.folder, &kit.files()).map_err(|error| Stop::unwritten(&error))?;
        let played = kit.plays.iter().filter(|play| play.mutant.is_none()).count();
        let folder = shown(&args.folder);
        write!(self.out, "{folder} is written: {}", counted(played, "fixture"))?;
        if played != kit.plays.len() {
            let copies = counted(kit.plays.len() - played, "pair");
            write!(self.out, ", {copies} of a fixture and a broken copy")?;
        }
        writeln!(self.out, ".\nEach has a pipeline, and two tables in {}.{}.", args.catalog, args.schema)?;
        writeln!(self.out, "{folder}/README.md says how it is played. It was not tried in a workspace.")?;
        Ok(Exit::Fine)
    }
}

/// What all pipelines have in common, if it can stand in SQL and in YAML.
fn settings(args: &KitArgs) -> Result<Settings, Stop> {
    let refused = |option: &str, text: &str, fault: &str| {
        let text: String = text.chars().take(40).collect();
        Stop::input(&format!("--{option}: `{text}` can't be used: {fault}"))
    };
    for (option, name) in [("catalog", &args.catalog), ("schema", &args.schema)] {
        if let Some(fault) = name_fault(name) {
            return Err(refused(option, name, fault));
        }
    }
    let identities = [("run-as-user", &args.run_as_user), ("run-as-principal", &args.run_as_principal)];
    for (option, name) in identities {
        if let Some((name, fault)) = name.as_ref().and_then(|name| Some((name, identity_fault(name)?))) {
            return Err(refused(option, name, fault));
        }
    }
    let user = args.run_as_user.clone().map(RunAs::User);
    Ok(Settings {
        catalog: args.catalog.clone(),
        schema: args.schema.clone(),
        compute: args.compute,
        channel: args.channel,
        run_as: user.or_else(|| args.run_as_principal.clone().map(RunAs::ServicePrincipal)),
    })
}

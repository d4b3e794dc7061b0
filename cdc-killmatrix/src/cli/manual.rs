//! The commands `completions` and `man`.

use std::io::Write;

use clap::builder::PossibleValuesParser;
use clap::{Command, CommandFactory as _};
use clap_complete::Shell;
use clap_mangen::Man;

use super::Exit;
use super::args::Cli;
use super::help;
use super::session::{Session, unknown};
use super::stop::Stop;

/// The program, whatever it was called by.
const NAME: &str = "cdc-killmatrix";

impl<O: Write, E: Write> Session<'_, O, E> {
    pub(super) fn completions(&mut self, shell: Shell) -> Result<Exit, Stop> {
        // clap panics where it can't write.
        let mut script = Vec::new();
        clap_complete::generate(shell, &mut self.completed(), NAME, &mut script);
        // For bash, clap_complete spells a hyphen of the program's name in two ways: no command would be found.
        let script = String::from_utf8_lossy(&script).replace("cdc__subcmd__killmatrix", "cdc__killmatrix");
        self.out.write_all(script.as_bytes())?;
        Ok(Exit::Fine)
    }

    /// The program, with the names of the broken copies where one is asked for.
    fn completed(&self) -> Command {
        let names = PossibleValuesParser::new(self.mutants.iter().map(|mutant| mutant.name));
        let places =
            [("rows", "mutant"), ("explain", "mutant"), ("suggest", "mutant"), ("suggest", "beside")];
        places.into_iter().fold(Cli::command(), |program, (command, argument)| {
            let names = names.clone();
            program.mut_subcommand(command, |it| it.mut_arg(argument, |it| it.value_parser(names)))
        })
    }

    pub(super) fn man(&mut self, name: Option<&str>) -> Result<Exit, Stop> {
        let mut program = help::command(NAME).bin_name(NAME).disable_help_subcommand(true);
        program.build();
        let command = match name {
            None => program,
            Some(name) => program.find_subcommand(name).cloned().ok_or_else(|| {
                let names = program.get_subcommands().map(|command| command.get_name().to_owned());
                unknown("command", name, &names.collect::<Vec<String>>())
            })?,
        };
        self.out.write_all(&page(command)?)?;
        Ok(Exit::Fine)
    }
}

/// A page. What stands below a command's help is a section of its own, with its lines as they are.
fn page(command: Command) -> Result<Vec<u8>, Stop> {
    let more = command.get_after_long_help().or_else(|| command.get_after_help());
    let more = more.map(ToString::to_string).unwrap_or_default();
    let mut page = Vec::new();
    let command = command.after_help(None::<&str>).after_long_help(None::<&str>);
    let source = format!("{NAME} {}", env!("CARGO_PKG_VERSION"));
    Man::new(command).source(source).render(&mut page)?;
    if let Some((title, text)) = more.split_once(":\n") {
        writeln!(page, ".SH \"{}\"\n.nf\n{}\n.fi", title.to_uppercase(), text.replace('\\', "\\e"))?;
    }
    Ok(page)
}

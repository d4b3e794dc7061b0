//! The program's help: the commands, grouped by what they look at.

use std::fmt::Write as _;

use clap::{Command, CommandFactory as _};

use super::args::Cli;

/// What commands look at, and the commands, by name. Each stands in one group.
const GROUPS: [(&str, &[&str]); 7] = [
    ("A first fixture", &["new"]),
    ("Your events", &["check"]),
    ("Your fixtures", &["run", "list", "rows", "explain", "audit", "suggest"]),
    ("Your configurations", &["verdicts"]),
    ("Your workspace", &["export-kit"]),
    ("Captured rows", &["verify", "diagnose"]),
    ("Documents", &["docs", "export", "schema", "completions", "man"]),
];

/// The options of the program itself; all others are those of `run`.
const OWN: [&str; 2] = ["version", "long"];

/// What stands below the short help.
const MORE: &str = "\
Without a command: `run`, with its options. `COMMAND --help` says all of a
command, with an example; `--help` has the exit codes.";

/// What stands below the long one.
const EXIT_CODES: &str = "\
Exit codes:
   0  each broken copy that can differ is caught; of other commands, all is well
   1  wrong usage or input, a claim of a fixture that doesn't hold, or an engine
      or a run that doesn't begin, or of which nothing can be compared
   2  a broken copy survives, or something became worse than accepted
   3  an engine didn't answer in time
   4  AUTO CDC gives other rows than a fixture expects, or the run is void
   5  `check` fails, a document is out of date, a configuration is stopped,
      rows of an engine or of a capture differ, or stay unexplained, an engine
      breaks down, or nothing can be suggested
  70  a bug of this program

Without a command: `run`, with its options. `COMMAND --help` says all of a
command, with an example.";

/// The command line as its help shows it, of a program that is called so.
///
/// clap knows one list of subcommands and no groups of them; its template takes them as text, made of what each says
/// of itself. The options of `run` are understood without its name, and told with it.
pub(super) fn command(program: &str) -> Command {
    let is_own = |id: &str| OWN.contains(&id);
    let command =
        Cli::command().mut_args(|arg| if is_own(arg.get_id().as_str()) { arg } else { arg.hide(true) });
    let literal = command.get_styles().get_literal();
    let name = format!("{literal}{program}{literal:#}");
    let usage = format!("{name} [OPTIONS] [PATH]...\n       {name} <COMMAND>");
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{}{{options}}{{after-help}}",
        grouped(&command)
    );
    command.override_usage(usage).help_template(template).after_help(MORE).after_long_help(EXIT_CODES)
}

/// The groups, each with its commands and what they do, with clap's colours.
fn grouped(command: &Command) -> String {
    let (header, literal) = (command.get_styles().get_header(), command.get_styles().get_literal());
    let width = command.get_subcommands().map(|it| it.get_name().len()).max().unwrap_or(0);
    let mut text = String::new();
    let found = |name: &&str| command.find_subcommand(name);
    for (group, names) in GROUPS {
        let commands: Vec<&Command> = names.iter().filter_map(found).collect();
        if commands.is_empty() {
            continue;
        }
        let _ = writeln!(text, "{header}{group}:{header:#}");
        for command in commands {
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            let _ = writeln!(text, "  {literal}{:width$}{literal:#}  {about}", command.get_name());
        }
        text.push('\n');
    }
    let _ = writeln!(text, "{header}Options:{header:#}");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_stands_in_one_group() {
        let grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| *names).copied().collect();
        let command = Cli::command();
        for name in command.get_subcommands().map(Command::get_name) {
            assert_eq!(grouped.iter().filter(|it| **it == name).count(), 1, "{name}");
        }
    }

    #[test]
    fn a_line_of_the_help_fits_the_width_and_has_no_tag_of_a_template() {
        for line in grouped(&Cli::command()).lines() {
            let line = anstream::adapter::strip_str(line).to_string();
            assert!(line.len() <= 80 && !line.contains(['{', '}']), "{line}");
        }
    }
}

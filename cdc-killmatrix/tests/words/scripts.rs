//! Completions of shells, and manual pages.

use std::io::Write as _;
use std::process::{Command, Stdio};

use crate::binary::{code, killmatrix, root, stderr, stdout};
use crate::commands;

fn printed(arguments: &[&str]) -> String {
    let output = killmatrix(&root(), arguments);
    assert_eq!((code(&output), stderr(&output).as_str()), (0, ""), "{arguments:?}");
    stdout(&output)
}

/// What a program says of a text on its standard input; nothing, where there is no such program.
fn said(program: &str, arguments: &[&str], text: &str) -> Option<(bool, String)> {
    let mut command = Command::new(program);
    let command = command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().ok()?;
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    Some((output.status.success(), stdout(&output) + &stderr(&output)))
}

#[test]
fn each_shell_completes_every_command() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = printed(&["completions", shell]);
        assert!(script.contains("cdc-killmatrix"), "{shell}");
        for command in commands() {
            assert!(script.contains(&command), "{shell}: {command}");
        }
        for option in ["report", "also-replay", "accepted"] {
            assert!(script.contains(option), "{shell}: {option}");
        }
    }
}

/// What bash offers for the last of these words, as Tab asks for it; nothing, where there is no bash.
fn offered_by_bash(script: &str, words: &[&str]) -> Option<Vec<String>> {
    let quoted: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
    let last = words.len() - 1;
    let asked = format!(
        "{script}\nCOMP_WORDS=({})\nCOMP_CWORD={last}\ncalled=$(complete -p {})\ncalled=${{called#*-F }}\n\
         ${{called%% *}} {} {} {}\nprintf '%s\\n' \"${{COMPREPLY[@]}}\"\n",
        quoted.join(" "),
        words[0],
        quoted[0],
        quoted[last],
        quoted[last - 1],
    );
    let (is_fine, text) = said("bash", &["--noprofile", "--norc"], &asked)?;
    assert!(is_fine, "{words:?}: {text}");
    Some(text.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect())
}

#[test]
fn bash_completes_with_the_script() {
    let script = printed(&["completions", "bash"]);
    let Some(mut offered) = offered_by_bash(&script, &["cdc-killmatrix", "d"]) else { return };
    let mut expected = commands();
    expected.retain(|command| command.starts_with('d'));
    offered.sort();
    expected.sort();
    assert_eq!(offered, expected);
    assert_eq!(said("bash", &["-n"], &script), Some((true, String::new())));
}

#[test]
fn bash_completes_options_values_and_names_behind_each_command() {
    let script = printed(&["completions", "bash"]);
    for command in commands() {
        let Some(offered) = offered_by_bash(&script, &["cdc-killmatrix", &command, "--"]) else { return };
        assert!(offered.contains(&"--help".to_owned()), "{command}: {offered:?}");
    }
    for (words, expected) in [
        (&["run", "--format", ""] as &[&str], &["text", "markdown", "json"] as &[&str]),
        (&["run", "fixtures", "--format", "m"], &["markdown"]),
        (&["audit", "--acc"], &["--accepted", "--accept"]),
        (&["export", "--to", ""], &["sql", "python"]),
        (&["suggest", "kept_nul"], &["kept_nulls"]),
        (&["suggest", "kept_nulls", "--beside", "kept_nul"], &["kept_nulls"]),
        (&["explain", "kept_nul"], &["kept_nulls"]),
        (&["rows", "--mutant", "kept_nul"], &["kept_nulls"]),
        (&["completions", "z"], &["zsh"]),
    ] {
        let words = [&["cdc-killmatrix"], words].concat();
        let Some(mut offered) = offered_by_bash(&script, &words) else { return };
        let mut expected = expected.to_vec();
        offered.sort();
        expected.sort_unstable();
        assert_eq!(offered, expected, "{words:?}");
    }
}

#[test]
fn zsh_and_fish_complete_values_of_options_and_names() {
    let zsh = printed(&["completions", "zsh"]);
    let (_, run) = zsh.split_once("\n(run)\n").unwrap();
    let (run, _) = run.split_once("\n;;\n").unwrap();
    assert!(run.contains("--format=[") && run.contains(":FORMAT:(text markdown json)'"), "{run}");
    let (_, suggest) = zsh.split_once("\n(suggest)\n").unwrap();
    let (suggest, _) = suggest.split_once("\n;;\n").unwrap();
    assert!(suggest.contains("mutant -- ") && suggest.contains("kept_nulls"), "{suggest}");
    let fish = printed(&["completions", "fish"]);
    let of = |command: &str, option: &str| {
        let start = format!("using_subcommand {command}\" -l {option} ");
        fish.split("\ncomplete ").find(|line| line.contains(&start)).unwrap_or_else(|| panic!("{start}"))
    };
    for value in ["text", "markdown", "json"] {
        assert!(of("run", "format").contains(&format!("{value}\\t")), "{}", of("run", "format"));
    }
    assert!(of("suggest", "beside").contains("arrival_order\\t"), "{}", of("suggest", "beside"));
}

#[test]
fn the_program_and_each_command_have_a_manual_page() {
    let program = printed(&["man"]);
    assert!(program.contains(".TH cdc-killmatrix 1"), "{program}");
    assert!(program.contains(".SH \"EXIT CODES\""), "{program}");
    for command in commands() {
        assert!(program.contains(&format!("cdc-killmatrix-{command}(1)").replace('-', "\\-")), "{command}");
        let page = printed(&["man", &command]);
        assert!(page.contains(&format!(".TH cdc-killmatrix-{command} 1")), "{page}");
        assert!(page.contains(&format!(".SH \"EXAMPLE\"\n.nf\n  cdc-killmatrix {command}")), "{page}");
        if let Some((is_fine, text)) = said("groff", &["-man", "-Tutf8", "-ww", "-z"], &page) {
            assert_eq!((is_fine, text.as_str()), (true, ""), "{command}");
        }
    }
}

#[test]
fn a_page_of_an_unknown_command_is_answered_with_the_nearest() {
    let output = killmatrix(&root(), &["man", "verdict"]);
    assert_eq!(code(&output), 1);
    assert_eq!(stderr(&output), "there is no command `verdict`; did you mean `verdicts`?\n");
}

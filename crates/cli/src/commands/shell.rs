//! `proviso completions` and `proviso man`: the command line, for shells and for `man`.

use std::fs;
use std::io;
use std::path::Path;

use clap::CommandFactory;

use crate::arguments::{Arguments, Completions, Man};
use crate::exit::Exit;
use crate::output;

/// Writes a completion script to standard output.
pub fn completions(arguments: &Completions) -> Exit {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "proviso", &mut script);
    output::write(&String::from_utf8_lossy(&script));
    Exit::Done
}

/// Writes the manual page to standard output, or one for each command to a folder.
pub fn man(arguments: &Man) -> Result<Exit, Exit> {
    let mut command = Arguments::command().disable_help_subcommand(true);
    command.build();
    match &arguments.output_dir {
        None => output::write(&page(&command).unwrap_or_default()),
        Some(folder) => {
            fs::create_dir_all(folder).map_err(|error| output::cannot_write(folder, &error))?;
            save(folder, &command)?;
            for each in command.get_subcommands() {
                save(folder, each)?;
            }
        }
    }
    Ok(Exit::Done)
}

fn save(folder: &Path, command: &clap::Command) -> Result<(), Exit> {
    let name = command.get_display_name().unwrap_or_else(|| command.get_name());
    let path = folder.join(format!("{name}.1"));
    let written = page(command).and_then(|text| fs::write(&path, text));
    written.map_err(|error| output::cannot_write(&path, &error))
}

fn page(command: &clap::Command) -> io::Result<String> {
    let mut text = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut text)?;
    Ok(with_values(&String::from_utf8_lossy(&text), command))
}

/// Adds the names of values to the options in the synopsis of a page; as the page is made, only its descriptions have
/// these names.
fn with_values(page: &str, command: &clap::Command) -> String {
    let roff = |text: &str| text.replace('-', "\\-");
    let mut page = page.to_owned();
    for option in command.get_arguments().filter(|option| option.get_action().takes_values()) {
        let Some([value, ..]) = option.get_value_names() else { continue };
        let (known, name) = match (option.get_short(), option.get_long()) {
            (Some(short), None) => (format!("[\\fB\\-{short} \\fR]"), format!("\\-{short}")),
            (None, Some(long)) => {
                let name = roff(&format!("--{long}"));
                (format!("[\\fB{name}\\fR]"), name)
            }
            _ => continue,
        };
        page = page.replacen(&known, &format!("[\\fB{name}\\fR \\fI{}\\fR]", roff(value)), 1);
    }
    page
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[test]
    fn every_command_has_a_page() {
        let mut command = Arguments::command();
        command.build();
        for each in command.get_subcommands().filter(|each| each.get_name() != "help") {
            let text = page(each).expect("a page");
            assert!(text.contains(".SH SYNOPSIS"), "{}", each.get_name());
            assert!(!text.contains(" \\fR]"), "an option without its value: {}", each.get_name());
        }
        let check = command.find_subcommand("check").expect("a command");
        let text = page(check).expect("a page");
        assert!(
            text.contains("[\\fB\\-I\\fR \\fIDIR\\fR] [\\fB\\-D\\fR \\fINAME[=VALUE]\\fR]"),
            "{text}"
        );
        assert!(text.contains("[\\fB\\-\\-spec\\fR \\fIF.prp\\fR]"), "{text}");
        assert!(Arguments::try_parse_from(["proviso", "completions", "zsh"]).is_ok());
    }
}

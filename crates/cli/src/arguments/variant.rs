//! The options of `check` that a column of a batch may have.

use std::ffi::OsString;

use clap::parser::ValueSource;
use clap::{ArgMatches, Command, CommandFactory as _};

use super::{Analysis, Arguments, build, idle};

/// Options that the batch gives to every run, or that are no business of a column, by their names in the definitions
/// of `check`, with the reason.
const REFUSED: &[(&[&str], &str)] = &[
    (
        &["timelimit", "cputimelimit", "memlimit", "report_budget"],
        "the limits are those of the batch, so that its columns can be compared",
    ),
    (
        &["property", "spec", "checks"],
        "what is asked is the same in all columns; --property of the batch says it",
    ),
    (&["format", "stats", "color"], "the batch reads what its runs write, and says in which form"),
    (
        &["output_dir", "live", "arg", "log", "save_precision", "record_queries"],
        "all tasks would write to the same place",
    ),
    (&["compile_commands"], "the programs are those of the tasks"),
];

/// The options of a column as `check` reads them.
fn read(words: &[String]) -> Result<ArgMatches, clap::Error> {
    // The word `program` stands for the file of a task.
    let line = ["proviso", "check", "program"].into_iter().map(OsString::from);
    let words = words.iter().map(|word| build::with_two_dashes(word.into()));
    Arguments::command().try_get_matches_from(line.chain(words))
}

/// The options of a column that have no effect, each with the option that takes its effect away.
pub fn idle(words: &[String]) -> Vec<(String, String)> {
    let matches = read(words).ok();
    let check = matches.as_ref().and_then(|matches| matches.subcommand_matches("check"));
    let idle = |check: &ArgMatches| {
        let analysis = check.get_one::<Analysis>("analysis").copied()?;
        Some(idle::idle(check, analysis))
    };
    check.and_then(idle).unwrap_or_default()
}

/// Says why a column of a batch cannot have these options, if it cannot.
pub fn refusal(words: &[String]) -> Option<String> {
    let command = Arguments::command();
    let matches = match read(words) {
        Ok(matches) => matches,
        Err(error) if !error.use_stderr() => {
            return Some("help and the version are no options of a run".to_owned());
        }
        Err(error) => {
            let error = error.to_string();
            let first = error.lines().next().unwrap_or_default();
            return Some(first.strip_prefix("error: ").unwrap_or(first).to_owned());
        }
    };
    let (check, matches) =
        (command.find_subcommand("check")?, matches.subcommand_matches("check")?);
    if let Some(file) = matches.get_raw("files").into_iter().flatten().nth(1) {
        let file = file.to_string_lossy();
        return Some(format!("{file} is no option; the programs are those of the tasks"));
    }
    REFUSED.iter().find_map(|(names, why)| {
        let name = names.iter().find(|name| given(matches, name))?;
        Some(format!("{} cannot be used here: {why}", option(check, name)))
    })
}

fn given(matches: &ArgMatches, name: &str) -> bool {
    matches.value_source(name) == Some(ValueSource::CommandLine)
}

/// How an option is written.
fn option(check: &Command, name: &str) -> String {
    let known = check.get_arguments().find(|known| known.get_id() == name);
    let long = known.and_then(|known| known.get_long()).unwrap_or(name);
    format!("--{long}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A name that the definitions do not have would be passed over.
    #[test]
    fn refused_options_are_known() {
        let command = Arguments::command();
        let check = command.find_subcommand("check").expect("the command");
        // Some options are those of every command.
        let of_all = command.get_arguments().filter(|known| known.is_global_set());
        let known: Vec<_> = check.get_arguments().chain(of_all).map(clap::Arg::get_id).collect();
        for name in REFUSED.iter().flat_map(|(names, _)| *names) {
            assert!(known.iter().any(|known| *known == name), "{name}");
        }
        let color = ["--color".to_owned(), "always".to_owned()];
        assert!(refusal(&color).is_some_and(|why| why.starts_with("--color cannot be used here")));
    }
}

//! `cargo xtask harness`: whether the harness of each violation really fails when gcc compiles it
//! with the program.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use clap::Args;

use crate::process::{Scratch, parallel, run};
use crate::tools;

/// What a harness exits with when the error is reached.
const REACHED: i32 = 107;

/// `cargo xtask harness`
#[derive(Args, Clone, Debug)]
pub struct Harness {
    /// A list of tasks: lines of set, file, property, verdict and data model, between tabs
    manifest: PathBuf,
    /// Where the files of the list are [default: `files` beside the list]
    #[arg(long, value_name = "DIR")]
    files: Option<PathBuf>,
    /// The proviso to test, instead of building one
    #[arg(long, value_name = "PATH")]
    bin: Option<PathBuf>,
    /// Only every so many-th task whose verdict is false
    #[arg(long, default_value_t = 1)]
    every: usize,
    /// Seconds for one verdict
    #[arg(long, default_value_t = 5)]
    timelimit: u64,
    /// How many at a time
    #[arg(long, default_value_t = 1)]
    jobs: usize,
}

/// What came of one task.
enum Came {
    /// No violation was reported.
    Nothing(String),
    /// The compiled program reached the error.
    Reproduced,
    /// The compiled program did not reach the error, and why.
    Not(String),
}

/// Runs the command. True if every harness reproduces its violation.
pub fn check(arguments: &Harness) -> Result<bool, String> {
    let list = fs::read_to_string(&arguments.manifest)
        .map_err(|error| format!("{}: {error}", arguments.manifest.display()))?;
    let beside = arguments.manifest.parent().unwrap_or(Path::new(".")).join("files");
    let files = arguments.files.clone().unwrap_or(beside);
    let files = files.canonicalize().map_err(|error| format!("{}: {error}", files.display()))?;
    let tasks: Vec<(PathBuf, bool)> = list
        .lines()
        .filter_map(|line| {
            let fields: Vec<&str> = line.split('\t').collect();
            let [_, file, "unreach-call", "false", model, ..] = fields[..] else { return None };
            Some((files.join(file), model == "ILP32"))
        })
        .step_by(arguments.every.max(1))
        .collect();
    let proviso = tools::proviso(arguments.bin.as_deref())?;
    let limit = arguments.timelimit;
    let results = parallel(tasks.len(), arguments.jobs, |index| {
        let (file, narrow) = &tasks[index];
        one(&proviso, file, *narrow, limit).unwrap_or_else(|error| Came::Not(error.to_string()))
    });
    let (mut reproduced, mut not) = (0, 0);
    for (index, came) in &results {
        let name = tasks[*index].0.strip_prefix(&files).unwrap_or(&tasks[*index].0).display();
        match came {
            Came::Nothing(answer) => println!("       {name}: {answer}"),
            Came::Reproduced => {
                reproduced += 1;
                println!("ok     {name}");
            }
            Came::Not(why) => {
                not += 1;
                println!("not ok {name}: {why}");
            }
        }
    }
    println!(
        "{} tasks, {} violations reported, {reproduced} reproduced by their harness",
        results.len(),
        reproduced + not
    );
    Ok(not == 0)
}

fn one(proviso: &Path, file: &Path, narrow: bool, limit: u64) -> std::io::Result<Came> {
    let scratch = Scratch::new()?;
    let mut command = Command::new(proviso);
    command
        .args(["check", if narrow { "--32" } else { "--64" }, "--output-dir"])
        .arg(scratch.folder())
        .arg(format!("--timelimit={limit}s"))
        .arg(file);
    let ended = run(&mut command, &scratch, Duration::from_secs(4 * limit + 20))?;
    let out = String::from_utf8_lossy(&ended.stdout).into_owned();
    let answer = out.lines().last().unwrap_or("no answer").to_owned();
    if !answer.contains("FALSE") {
        return Ok(Came::Nothing(answer));
    }
    let text = fs::read_to_string(scratch.path("harness.c"))?;
    let Some(options) = options(&text) else {
        return Ok(Came::Not("harness.c does not say how to compile it".to_owned()));
    };
    let binary = scratch.path("harness");
    let mut gcc = Command::new("gcc");
    gcc.args(options).arg(scratch.path("harness.c")).arg(file).arg("-o").arg(&binary).arg("-lm");
    let compiled = run(&mut gcc, &scratch, Duration::from_secs(120))?;
    if !compiled.success() {
        let messages = String::from_utf8_lossy(&compiled.stderr).into_owned();
        let first =
            messages.lines().find(|line| line.contains("error") || line.contains("undefined"));
        return Ok(Came::Not(format!("gcc: {}", first.unwrap_or("failed"))));
    }
    let ran = run(&mut Command::new(&binary), &scratch, Duration::from_secs(20))?;
    if ran.code() == Some(REACHED) {
        return Ok(Came::Reproduced);
    }
    let mut why = match ran.status {
        Some(status) => status.to_string(),
        None => "it does not end".to_owned(),
    };
    if let Some((_, rest)) = text.split_once("cannot be set from here:\n")
        && let Some((values, _)) = rest.split_once("*/")
    {
        let values: Vec<&str> = values.lines().map(|line| line.trim_matches([' ', '*'])).collect();
        why.push_str(&format!("; not set: {}", values.join(", ").trim_end_matches(", ")));
    }
    Ok(Came::Not(why))
}

/// The options in the command that the head of a harness names.
fn options(harness: &str) -> Option<Vec<String>> {
    let command = harness.lines().find_map(|line| line.strip_prefix("gcc "))?;
    let words = command.split_whitespace().take_while(|word| word.starts_with('-'));
    Some(words.map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::options;

    #[test]
    fn the_command_of_a_harness_is_read() {
        let head = "/*\nBuild\n\ngcc -m64 -O0 -no-pie out/harness.c a.c -o h\n*/";
        assert_eq!(options(head).expect("options"), ["-m64", "-O0", "-no-pie"]);
        assert_eq!(options("/* nothing */"), None);
    }
}

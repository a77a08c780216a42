//! What runs over a folder of programs write: every file is what its format says, and witnesses are confirmed.

#![allow(missing_docs, clippy::print_stdout)]

mod common;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use common::{Folder, formats, graphml};

/// How many programs are taken, evenly spread, unless `PROVISO_COUNT` says otherwise.
const COUNT: usize = 50;

fn find(folder: &Path, files: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    for path in entries.map(|entry| entry.path()) {
        if path.is_dir() {
            find(&path, files);
        } else if path.extension().is_some_and(|end| end == "c" || end == "i") {
            files.push(path);
        }
    }
}

/// Runs the binary that `PROVISO_BIN` names, or that of the tests. Gives the number that it ends with.
fn proviso(folder: &Folder, arguments: &[&str]) -> Option<i32> {
    let binary = std::env::var_os("PROVISO_BIN")
        .unwrap_or_else(|| env!("CARGO_BIN_EXE_proviso").to_owned().into());
    let mut command = Command::new(binary);
    command.args(arguments).current_dir(folder.path());
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().ok()?.code()
}

/// Checks a program, and looks at the files of the run. Gives what is said of the run and of its witnesses.
fn run(path: &Path) -> Result<Vec<String>, String> {
    let program = path.to_str().ok_or("a name that is text")?;
    let folder = Folder::new();
    // Programs of one machine are often none of the other.
    let machines = ["--32", "--64"].map(|machine| [program, machine, "--property", "unreach-call"]);
    let answers = machines.iter().map(|asked| {
        let limits = ["--timelimit", "10s", "--output-dir", "out"];
        (asked, proviso(&folder, &[&["check"], &asked[..], &limits].concat()))
    });
    let answer = answers.into_iter().find(|(_, code)| matches!(code, Some(0 | 10 | 20)));
    let Some((asked, Some(code))) = answer else { return Err("no answer at all".to_owned()) };
    formats::folder(&folder.path().join("out"))?;
    let mut told = vec![format!("runs that end with {code}")];
    let witnesses: &[&str] = match code {
        0 => &["correctness.yml"],
        10 => &["violation.yml", "violation.graphml"],
        _ => &[],
    };
    for witness in witnesses {
        let name = format!("out/{witness}");
        if witness.ends_with("graphml") {
            let text = std::fs::read(path).map_err(|error| error.to_string())?;
            graphml::check(&folder.read(&name), &String::from_utf8_lossy(&text))?;
        }
        let witnessed = ["--witness", &name, "--timelimit", "30s"];
        let answer = proviso(&folder, &[&["validate"], &asked[..], &witnessed[..]].concat());
        if answer != Some(code) && answer != Some(20) {
            return Err(format!("{witness}: the validator says {answer:?}"));
        }
        let word = if answer == Some(code) { "confirmed" } else { "not confirmed" };
        told.push(format!("{witness} {word}"));
        if word != "confirmed" {
            println!("{program}: {witness} {word}");
        }
    }
    Ok(told)
}

#[test]
#[ignore = "needs a folder of programs"]
fn files_of_runs_are_what_their_formats_say() {
    let Some(folder) = std::env::var_os("PROVISO_TASKS") else {
        println!("PROVISO_TASKS names no folder: nothing is run");
        return;
    };
    let mut files = Vec::new();
    find(Path::new(&folder), &mut files);
    files.sort();
    let asked = std::env::var("PROVISO_COUNT").ok().and_then(|text| text.parse().ok());
    let count = asked.unwrap_or(COUNT).clamp(1, files.len().max(1));
    let mut figures: BTreeMap<String, usize> = BTreeMap::new();
    let mut wrong = Vec::new();
    for index in 0..count {
        let path = &files[index * files.len() / count];
        match run(path) {
            Ok(told) => told.into_iter().for_each(|what| *figures.entry(what).or_default() += 1),
            Err(what) => wrong.push(format!("{}: {what}", path.display())),
        }
    }
    println!("{count} programs: {figures:?}");
    assert!(wrong.is_empty() && !figures.is_empty(), "{}", wrong.join("\n"));
}

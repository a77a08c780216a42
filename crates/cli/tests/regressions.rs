//! `proviso run` on every program that once gave a wrong answer.
//!
//! A program is a file of `tests/regressions`, or a folder of several files with a `main.c`. Its
//! first line says how a run ends, a line `// options: …` what the run is given.

#![allow(missing_docs)]

mod common;

use std::path::{Path, PathBuf};

use common::Folder;

fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<_> = std::fs::read_dir(folder)
        .expect("the folder is there")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    entries.sort();
    entries
}

#[test]
fn programs_end_as_they_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/regressions");
    let programs = entries(&folder);
    assert!(!programs.is_empty());
    let mut wrong = Vec::new();
    for program in programs {
        let files = if program.is_dir() { entries(&program) } else { vec![program.clone()] };
        let name = |path: &Path| path.file_name().expect("a name").to_string_lossy().into_owned();
        let first = files.iter().find(|path| name(path) == "main.c").unwrap_or(&files[0]);
        let text = std::fs::read_to_string(first).expect("text");
        let said = |what: &str| text.lines().find_map(|line| line.strip_prefix(what));
        let expected = said("// expect: ").expect("a line that says how the run ends");
        let options: Vec<&str> = said("// options: ").unwrap_or("").split_whitespace().collect();
        let copied = files.iter().fold(Folder::new(), |folder, path| {
            folder.with(&name(path), std::fs::read(path).expect("text"))
        });
        let names: Vec<String> = files.iter().map(|path| name(path)).collect();
        for model in ["--64", "--32"] {
            if options.contains(&if model == "--64" { "--32" } else { "--64" }) {
                continue;
            }
            let mut arguments = vec!["run", model];
            arguments.extend(names.iter().map(String::as_str));
            arguments.extend(options.iter().filter(|option| **option != model));
            let done = copied.run(&arguments);
            if done.last_line() != expected {
                let program = name(&program);
                wrong.push(format!("{program} {model}: {}\n{}", done.last_line(), done.err));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

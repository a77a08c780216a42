//! The scripts of `contrib`, which others copy.

#![allow(missing_docs)]

mod common;

use std::path::{Path, PathBuf};
use std::process::Command;

use common::{Folder, formats};

const VIOLATED: &str = "#include <assert.h>\nint main(void) { int x = 3; assert(x == 4); }\n";
const SAFE: &str = "#include <assert.h>\nint main(void) { int x = 4; assert(x == 4); }\n";
const PART: &str = "int twice(int x) { return x + x; }\n";

/// Runs a script of `contrib` in a folder, with the binary in the path.
fn script(
    folder: &Folder,
    name: &str,
    variables: &[(&str, &str)],
    words: &[&str],
) -> (i32, String) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../contrib").join(name);
    let binary = Path::new(env!("CARGO_BIN_EXE_proviso")).parent().expect("a folder").to_path_buf();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = [binary].into_iter().chain(std::env::split_paths(&path)).collect();
    let output = Command::new("bash")
        .arg(script)
        .args(words)
        .current_dir(folder.path())
        .env("PATH", std::env::join_paths(folders).expect("a path"))
        .envs(variables.iter().copied())
        .output()
        .expect("the script runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    (output.status.code().expect("an exit code"), text)
}

#[test]
fn the_action_leaves_results_for_each_program() {
    let folder = Folder::new().with("a.c", VIOLATED).with("b.c", SAFE).with("part.c", PART);
    let files = "b.c part.c\n\na.c\n";
    let (code, out) = script(&folder, "github/verify.sh", &[("FILES", files)], &[]);
    assert_eq!(code, 1, "{out}");
    assert!(out.contains("::group::b.c part.c\n") && out.contains("FALSE (unreach-call)"), "{out}");
    for number in [1, 2] {
        formats::folder(&folder.path().join(format!("proviso-results/{number}"))).expect("results");
        let log = folder.read(&format!("proviso-results/sarif/{number}.sarif"));
        formats::sarif(&log).expect("a log");
        // Code hosts refuse several runs of one tool that have the same name.
        let program = if number == 1 { "b.c part.c" } else { "a.c" };
        assert!(log.contains(&format!("\"id\": \"proviso/{program}/\"")), "{log}");
    }
    // As for the hook, a file without `main` is part of a program.
    for files in ["b.c", "b.c\npart.c\n"] {
        let (code, out) = script(&folder, "github/verify.sh", &[("FILES", files)], &[]);
        assert_eq!(code, 0, "{out}");
        assert_eq!(out.contains("a part of a program"), files.contains("part.c"), "{out}");
    }
    let (code, out) = script(&folder, "github/verify.sh", &[("FILES", "none.c")], &[]);
    assert_eq!(code, 1, "{out}");
}

#[test]
fn the_hook_refuses_violations_only() {
    let folder = Folder::new().with("a.c", VIOLATED).with("b.c", SAFE).with("part.c", PART);
    let hook = "pre-commit/proviso-pre-commit";
    assert_eq!(script(&folder, hook, &[], &["b.c", "part.c"]), (0, String::new()));
    let (code, out) = script(&folder, hook, &[], &["b.c", "a.c"]);
    assert_eq!(code, 1);
    assert!(out.contains("assertion `x == 4` failed at a.c:2:"), "{out}");
}

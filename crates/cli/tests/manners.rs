//! How the command speaks: colours, control characters, output that cannot be written, files.

mod common;

use std::fs::File;
use std::process::{Command, Stdio};

use common::{Folder, UNSAFE};

const BUGGY: &str = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\n\
    int main(void) { int x = __VERIFIER_nondet_int(); if (x == 5) reach_error(); return 0; }\n";
const RIGHT: &str = "extern void reach_error(void);\n\
    int main(void) { int x = 1; if (x == 5) reach_error(); return 0; }\n";
const FALSE: &str = "Verification result: FALSE (unreach-call)";

#[test]
fn only_the_answer_is_told_to_whom_it_is_enough() {
    let folder = Folder::new().with("a.c", format!("extern int f(void);{BUGGY}"));
    let done = folder.run(&["check", "a.c", "-q"]);
    assert_eq!((done.code, done.out.as_str(), done.err.as_str()), (10, &*format!("{FALSE}\n"), ""));
    let done = folder.run(&["check", "a.c", "--verbose"]);
    assert!(done.err.contains("read: 2 functions"), "{}", done.err);
    assert!(done.err.contains("bounded model checking: "), "{}", done.err);
    assert_eq!(folder.run(&["check", "a.c", "-q", "-v"]).code, 64);
}

#[test]
fn there_are_colours_on_terminals_only() {
    let folder = Folder::new().with("a.c", BUGGY);
    for (when, expected) in [("auto", false), ("always", true), ("never", false)] {
        let done = folder.run(&["check", "a.c", "--color", when]);
        assert_eq!(done.out.contains("\x1b[1;31mVerification result: FALSE"), expected, "{when}");
        let done = folder.run(&["check", "missing.c", "--color", when]);
        assert_eq!(done.err.contains("\x1b[1;31merror:"), expected, "{when}");
    }
}

/// Sources, names of files, arguments: whatever is in them, no control character is passed on, and
/// none of them begins a line.
#[test]
fn control_characters_are_written_out() {
    let name = "a\nVerification result: TRUE\n\x1b[2J.c";
    let text = "#include <assert.h>\nextern int nondet(void);\n\
        int main(void) { int x = nondet(); /* \x1b[31m \u{9b}31m \u{202e} */ assert(x /* \x1b[2J */ == 1); }\n";
    let folder = Folder::new().with(name, text).with("b\nc.c", "int main(void) { return }");
    let missing = "missing\n\x1b[2J.c";
    let runs: &[&[&str]] = &[
        &["check", name, "--output-dir", "out"],
        &["run", name, "--trace", "--random", "3"],
        &["cfa", name],
        &["check", "b\nc.c"],
        &["check", missing],
        &["check", name, "--spec", missing],
        &["check", name, "--output-dir", "b\nc.c"],
        &["check", name, "--analysis", "\x1b[2J"],
        &["traces", missing],
        &["solve", missing],
    ];
    for arguments in runs {
        let done = folder.run(arguments);
        for text in [&done.out, &done.err] {
            let active = |c: char| c.is_control() && c != '\n' && c != '\t' || c == '\u{202e}';
            assert!(!text.contains(active), "{arguments:?}: {text:?}");
            assert!(!text.contains("\nVerification result: TRUE"), "{arguments:?}: {text}");
            assert!(!text.contains("missing\n"), "{arguments:?}: {text}");
        }
    }
    let done = folder.run(&["check", name]);
    assert_eq!(done.last_line(), FALSE);
}

#[cfg(target_os = "linux")]
#[test]
fn a_verdict_that_cannot_be_written_is_told_all_the_same() {
    let folder = Folder::new().with("a.c", BUGGY).with("b.c", RIGHT);
    let to_full = |arguments: &[&str]| {
        let full = File::options().write(true).open("/dev/full").expect("the device");
        let ended = folder.command(arguments).stdout(Stdio::from(full)).output().expect("it runs");
        (ended.status.code(), String::from_utf8_lossy(&ended.stderr).into_owned())
    };
    let (code, err) = to_full(&["check", "a.c"]);
    assert!(err.contains("error: cannot write to standard output: No space left"), "{err}");
    assert!(code == Some(10) && err.lines().any(|line| line == FALSE), "{err}");
    let (code, err) = to_full(&["check", "b.c"]);
    assert!(code == Some(0) && err.ends_with("Verification result: TRUE\n"), "{err}");
    let (code, err) = to_full(&["run", "b.c"]);
    assert!(code == Some(64) && err.ends_with("Run ended: returned 0\n"), "{err}");
    let (code, err) = to_full(&["cfa", "b.c"]);
    assert!(code == Some(64) && err.contains("cannot write to standard output"), "{err}");
    // Nobody reads.
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let ended = folder.command(&["check", "a.c"]).stdout(writer).output().expect("it runs");
    let err = String::from_utf8_lossy(&ended.stderr);
    assert!(ended.status.code() == Some(10) && err.lines().any(|line| line == FALSE), "{err}");
}

#[test]
fn files_that_cannot_be_written_do_not_cost_the_verdict() {
    let folder = Folder::new().with("a.c", BUGGY);
    std::fs::create_dir_all(folder.path().join("out/harness.c")).expect("a folder in the way");
    let done = folder.run(&["check", "a.c", "--output-dir", "out"]);
    assert_eq!((done.code, done.last_line()), (10, FALSE));
    assert!(done.err.contains("error: cannot write out/harness.c"), "{}", done.err);
    assert!(folder.read("out/inputs.txt").contains('5'));
}

#[test]
fn the_folder_has_the_files_of_the_last_run() {
    let folder = Folder::new().with("a.c", BUGGY).with("b.c", RIGHT);
    assert_eq!(folder.run(&["check", "a.c", "--output-dir", "out"]).code, 10);
    std::fs::write(folder.path().join("out/test-1.txt"), "mine").expect("a file of the user");
    assert_eq!(folder.run(&["check", "b.c", "--output-dir", "out"]).code, 0);
    let entries = std::fs::read_dir(folder.path().join("out")).expect("the folder");
    let mut names: Vec<String> = entries
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    let expected = [
        ".proviso-files",
        "correctness.yml",
        "junit.xml",
        "proviso.html",
        "proviso.json",
        "report.html",
        "result.json",
        "result.sarif",
        "test-1.txt",
    ];
    assert_eq!(names, expected);
    // A list with names of others has nothing removed.
    std::fs::write(folder.path().join("out/.proviso-files"), "../a.c\ntest-x.txt\n")
        .expect("a list");
    std::fs::write(folder.path().join("out/test-x.txt"), "mine").expect("a file of the user");
    assert_eq!(folder.run(&["check", "b.c", "--output-dir", "out"]).code, 0);
    assert_eq!(folder.read("a.c"), BUGGY);
    assert_eq!(folder.read("out/test-x.txt"), "mine");
}

#[test]
fn options_without_effect_are_named() {
    let folder = Folder::new().with("b.c", RIGHT);
    let done = folder.run(&["check", "b.c", "--unroll", "3", "--alpha=2", "--limit", "4"]);
    for option in ["--unroll", "--alpha", "--limit"] {
        let warning = format!("warning: {option} has no effect with --analysis auto");
        assert!(done.err.contains(&warning), "{}", done.err);
    }
    let done = folder.run(&["check", "b.c", "--unroll", "3", "--analysis", "bmc"]);
    assert!(!done.err.contains("no effect"), "{}", done.err);
    let done = folder.run(&["check", "b.c", "--unroll", "0"]);
    assert!(done.code == 64 && done.err.contains("0 is not in 1.."), "{}", done.err);
    let done = folder.run(&["check", "b.c", "--timelimit", "99999999999999999999h"]);
    assert!(done.code == 64 && done.err.contains("the time is too long"), "{}", done.err);
    for (option, value, why) in [
        ("--timelimit", "-3", "a time is not negative"),
        ("--timelimit", "-3s", "a time is not negative"),
        ("--memlimit", "-3", "a size is not negative"),
        ("--memlimit", "3", "at least 1MB"),
        ("--unroll", "-3", "-3 is not in 1.."),
        ("--timelimit", "--stats", "a time is a number and ms, s, min or h"),
    ] {
        let done = folder.run(&["check", "b.c", option, value]);
        assert!(done.code == 64 && done.err.contains(why), "{option} {value}: {}", done.err);
        assert!(!done.err.contains("as a value, use"), "{option} {value}: {}", done.err);
    }
}

#[test]
fn a_run_that_ends_by_a_fault_or_a_limit_says_so_in_its_code() {
    let folder = Folder::new()
        .with("div.c", "int main(void) { int z = 0; return 1 / z; }")
        .with("null.c", "int main(void) { int *p = 0; return *p; }")
        .with("endless.c", "int main(void) { for (;;); }");
    for file in ["div.c", "null.c"] {
        let done = folder.run(&["run", file]);
        assert_eq!(done.code, 10, "{}", done.out);
    }
    let done = folder.run(&["run", "endless.c", "--timelimit", "300ms"]);
    assert_eq!((done.code, done.last_line()), (20, "Run ended: time limit"));
}

#[test]
fn a_report_that_is_none_is_refused_with_its_place() {
    let folder = Folder::new().with("a.json", "{\n  \"proviso\": true }").with("b.json", "[1,");
    let done = folder.run(&["traces", "a.json"]);
    assert!(done.code == 65 && done.err.contains("it says something else at 2:"), "{}", done.err);
    let done = folder.run(&["traces", "b.json"]);
    assert!(done.err.contains("it ends too early at 1:3"), "{}", done.err);
}

/// A task reads its own folder and those that the user names, whatever it asks for.
#[test]
fn a_task_reads_no_file_elsewhere() {
    let task = |file: &str| {
        format!(
            "format_version: '2.0'\ninput_files: '{file}'\nproperties:\n  - property_file: \
             ../properties/unreach-call.prp\noptions:\n  language: C\n"
        )
    };
    let folder = Folder::new().with("secret.c", BUGGY);
    for name in ["tasks/sub", "properties"] {
        std::fs::create_dir_all(folder.path().join(name)).expect("a folder");
    }
    let absolute = folder.path().join("secret.c").display().to_string();
    let folder = folder
        .with("tasks/a.yml", task("../secret.c"))
        .with("tasks/b.yml", task("sub/b.c"))
        .with("tasks/c.yml", task(&absolute))
        .with("tasks/sub/b.c", BUGGY)
        .with("tasks/d.yml", task("d.c"))
        .with("tasks/d.c", "#include \"../secret.c\"\n")
        .with("tasks/e.yml", task("e.c"))
        .with("tasks/e.c", format!("#include \"/usr/include/../..{absolute}\"\n"))
        .with("properties/unreach-call.prp", "CHECK( init(main()), LTL(G ! call(nothing())) )");
    for name in ["tasks/a.yml", "tasks/c.yml"] {
        let done = folder.run(&["check", name]);
        assert_eq!(done.code, 65, "{}", done.out);
        assert!(done.err.contains("is not in the folder of the task"), "{}", done.err);
        assert!(!done.err.contains("nondet"), "{}", done.err);
    }
    for name in ["tasks/d", "tasks/e"] {
        let done = folder.run(&["check", &format!("{name}.yml")]);
        assert_eq!(done.code, 65, "{}", done.out);
        assert!(done.err.contains("a task reads headers in its own folder"), "{}", done.err);
        assert_eq!(folder.run(&["check", &format!("{name}.c")]).code, 10);
    }
    assert_eq!(folder.run(&["check", "tasks/d.yml", "-I", "."]).code, 0);
    // The property of this name is the one that all tasks mean.
    let done = folder.run(&["check", "tasks/b.yml"]);
    assert_eq!((done.code, done.last_line()), (10, FALSE), "{}", done.err);
    // What the user names is read, the property of that folder too.
    let done = folder.run(&["check", "tasks/a.yml", "-I", "."]);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
}

#[test]
fn the_command_line_is_written_for_shells_and_manuals() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let done = folder.run(&["completions", shell]);
        assert!(done.code == 0 && done.out.contains("output-dir"), "{shell}");
    }
    assert!(folder.run(&["man"]).out.contains(".SH SYNOPSIS"));
    assert_eq!(folder.run(&["man", "--output-dir", "pages"]).code, 0);
    assert!(folder.read("pages/proviso-check.1").contains("timelimit"));
    let version = folder.run(&["--version"]).out;
    assert!(version.starts_with(concat!("proviso ", env!("CARGO_PKG_VERSION"))), "{version}");
}

/// Every option of `check` says when to use it, but for those that compilers have as well.
#[test]
fn every_option_has_advice() {
    let help = Folder::new().run(&["check", "--help"]).out;
    let (help, _) = help.split_once("\nExamples:\n").expect("examples");
    let lines: Vec<&str> = help.lines().collect();
    let known = ["--include", "--std", "--memlimit", "--color", "--quiet", "--verbose", "--help"];
    let mut bare = Vec::new();
    let options = lines.iter().enumerate().filter(|(_, line)| line.starts_with("      --"));
    for (number, line) in options {
        let name = line.trim_start().split([' ', '[', '<']).next().unwrap_or_default();
        // The first paragraph says what an option does, the second one when to use it.
        let rest = lines[number + 1..].iter().take_while(|line| line.starts_with("          "));
        let rest: Vec<&str> = rest.map(|line| line.trim()).collect();
        let second = rest.split(|line| line.is_empty()).nth(1).and_then(|part| part.first());
        let is_advice = second.is_some_and(|line| !line.starts_with(['[', '-']));
        if !is_advice && !known.contains(&name) {
            bare.push(name);
        }
    }
    assert!(bare.is_empty(), "{bare:?}");
}

/// On a terminal, and only there, a note leads to more about the answer.
#[test]
#[allow(clippy::print_stderr)]
fn a_terminal_is_told_where_more_is_said() {
    let folder = Folder::new().with("a.c", UNSAFE);
    assert!(!folder.run(&["check", "a.c"]).err.contains("proviso explain"));
    let inner = format!("{} check a.c", env!("CARGO_BIN_EXE_proviso"));
    let shown = Command::new("script")
        .args(["-qec", &inner, "/dev/null"])
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .output();
    let Ok(shown) = shown else {
        eprintln!("skipped: `script` is not installed");
        return;
    };
    let shown = String::from_utf8_lossy(&shown.stdout).into_owned();
    assert!(shown.contains("`proviso explain unreach-call` says what this means"), "{shown}");
}

/// Every option stands below the heading that it belongs to.
#[test]
fn headings_of_help_are_true() {
    let folder = Folder::new();
    let help = folder.run(&["check", "--help"]).out;
    let heading = |option: &str| {
        let before = &help[..help.find(option).expect(option)];
        let heading =
            before.lines().rev().find(|line| line.ends_with(':') && !line.starts_with(' '));
        heading.unwrap_or_default().to_owned()
    };
    assert_eq!(heading("--output-dir <"), "Output:");
    assert_eq!(heading("--certify"), "Analysis:");
    assert_eq!(heading("--timelimit <"), "Limits:");
    assert_eq!(heading("--alpha <"), "Options of --analysis backward:");
    assert_eq!(heading("--spec <"), "Program:");
    for command in ["check", "continue", "coverage", "cfa", "run", "solve", "traces", "bench"] {
        assert!(folder.run(&[command, "--help"]).out.contains("\nExamples:\n"), "{command}");
    }
}

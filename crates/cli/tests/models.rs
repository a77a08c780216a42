//! `proviso cfa` and `proviso run` on models in Theta's language.

#![allow(missing_docs)]

mod common;

use std::io::Read;
use std::process::Stdio;

use common::Folder;

/// Counts to ten and then asks whether it got there.
const COUNTER: &str = "\
main process counter {
    var x : int
    init loc L0
    loc L1
    loc L2
    final loc END
    error loc ERR
    L0 -> L1 { x := 0 }
    L1 -> L1 { assume x < 10 x := x + 1 }
    L1 -> L2 { assume not (x < 10) }
    L2 -> END { assume x = 10 }
    L2 -> ERR { assume x /= 10 }
}
";

/// An input decides.
const INPUT: &str = "\
main process input {
    var x : int
    init loc L0
    loc L1
    final loc END
    error loc ERR
    L0 -> L1 { havoc x }
    L1 -> END { assume x /= 5 }
    L1 -> ERR { assume x = 5 }
}
";

/// Two edges can be taken.
const FORK: &str = "\
main process fork {
    var x : int
    init loc L0
    loc L1
    final loc END
    error loc ERR
    L0 -> L1 { x := 1 assume x = 1 }
    L0 -> L1 { x := 2 assume x = 2 }
    L1 -> END { assume x = 1 }
    L1 -> ERR { assume x = 2 }
}
";

#[test]
fn a_run_says_how_it_ended() {
    let folder = Folder::new().with("counter.cfa", COUNTER);
    let done = folder.run(&["run", "counter.cfa"]);
    assert_eq!((done.code, done.last_line()), (0, "Run ended: returned"), "{}", done.err);
}

#[test]
fn an_error_has_a_place_and_a_code() {
    let folder = Folder::new().with("input.cfa", INPUT).with("five.txt", "# five\nx = 5\n");
    let done = folder.run(&["run", "input.cfa", "--inputs", "five.txt"]);
    assert_eq!(
        (done.code, done.last_line()),
        (10, "Run ended: reached error at input.cfa:6"),
        "{}",
        done.err
    );
    assert_eq!(folder.run(&["run", "input.cfa"]).code, 0);
}

#[test]
fn inputs_are_saved_and_give_the_same_run() {
    let folder = Folder::new().with("fork.cfa", FORK).with("input.cfa", INPUT);
    let mut codes = Vec::new();
    for seed in 0..20 {
        for file in ["fork.cfa", "input.cfa"] {
            let first = folder.run(&[
                "run",
                file,
                "--random",
                &seed.to_string(),
                "--save-inputs",
                "saved.txt",
            ]);
            let again = folder.run(&["run", file, "--inputs", "saved.txt"]);
            assert_eq!(
                (first.code, &first.out),
                (again.code, &again.out),
                "{}",
                folder.read("saved.txt")
            );
            codes.push(first.code);
        }
    }
    assert!(codes.contains(&0) && codes.contains(&10));
    let done = folder.run(&["run", "fork.cfa", "--save-inputs", "saved.txt"]);
    assert_eq!(done.code, 0);
    assert_eq!(folder.read("saved.txt"), "edge 1\n");
}

#[test]
fn limits_end_a_run_without_an_answer() {
    let folder = Folder::new().with("counter.cfa", COUNTER);
    let done = folder.run(&["run", "counter.cfa", "--max-steps", "5"]);
    assert_eq!((done.code, done.last_line()), (20, "Run ended: step limit"));
}

#[test]
fn a_trace_shows_every_step() {
    let folder = Folder::new().with("counter.cfa", COUNTER);
    let done = folder.run(&["run", "counter.cfa", "--trace"]);
    assert_eq!(done.last_line(), "Run ended: returned");
    let lines: Vec<&str> = done.err.lines().collect();
    assert_eq!(lines.len(), 13, "{}", done.err);
    assert!(
        lines[0].starts_with("counter.cfa:8: ") && lines[0].ends_with("[x = 0]"),
        "{}",
        lines[0]
    );
    assert!(
        lines[10].starts_with("counter.cfa:9: ") && lines[10].ends_with("[x = 10]"),
        "{}",
        lines[10]
    );
}

#[test]
fn a_model_is_shown_in_three_forms() {
    let folder = Folder::new().with("counter.cfa", COUNTER);
    for (format, start) in [("text", "model 1\n"), ("dot", "digraph"), ("json", "{\n")] {
        let done = folder.run(&["cfa", "counter.cfa", "--format", format]);
        assert_eq!(done.code, 0, "{}", done.err);
        assert!(done.out.starts_with(start), "{}", done.out);
        assert!(done.out.ends_with('\n'));
    }
    assert_eq!(
        folder.run(&["cfa", "counter.cfa"]).out,
        folder.run(&["cfa", "counter.cfa", "--format", "text"]).out
    );
}

#[test]
fn a_wrong_command_line_is_told() {
    let folder = Folder::new().with("counter.cfa", COUNTER);
    for arguments in [
        &[][..],
        &["run"],
        &["walk", "counter.cfa"],
        &["run", "counter.cfa", "--nonsense"],
        &["run", "counter.cfa", "--max-steps", "many"],
        &["run", "counter.cfa", "--32", "--64"],
        &["run", "counter.cfa", "--inputs", "x", "--random", "1"],
        &["run", "counter.cfa", "--memlimit", "1 parsec"],
        &["cfa", "counter.cfa", "--format", "poem"],
        &["run", "counter.cfa", "--save-inputs", "missing/folder/x"],
    ] {
        let done = folder.run(arguments);
        assert_eq!(done.code, 64, "{arguments:?}");
        assert!(!done.err.is_empty() && done.out.is_empty(), "{arguments:?}");
    }
}

#[test]
fn help_and_version_are_no_errors() {
    let folder = Folder::new();
    let version = folder.run(&["--version"]);
    assert_eq!(version.code, 0);
    // The commit may follow.
    assert!(version.out.starts_with(concat!("proviso ", env!("CARGO_PKG_VERSION"))));
    assert_eq!(version.out.lines().count(), 1);
    for arguments in [&["--help"][..], &["run", "--help"], &["cfa", "--help"]] {
        let help = folder.run(arguments);
        assert_eq!(help.code, 0);
        assert!(help.out.contains("Exit codes:"), "{}", help.out);
    }
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let folder = Folder::new().with("strange.xyz", "").with("counter.cfa", COUNTER);
    for (arguments, message) in [
        (&["run", "missing.cfa"][..], "error: cannot read missing.cfa: "),
        (&["run", ".", "--language", "cfa"], "error: cannot read .: it is a directory"),
        (&["cfa", "strange.xyz"], "error: the language of strange.xyz is not known"),
        (&["run", "counter.cfa", "--inputs", "missing.txt"], "error: cannot read missing.txt: "),
        (&["run", "counter.cfa", "--spec", "missing.prp"], "error: cannot read missing.prp: "),
        (
            &["run", "counter.cfa", "counter.cfa"],
            "error: several files make one program only if all of them are C",
        ),
    ] {
        let done = folder.run(arguments);
        assert_eq!(done.code, 65, "{arguments:?}: {}", done.err);
        assert!(done.err.starts_with(message), "{}", done.err);
        assert!(done.out.is_empty());
    }
}

#[test]
fn input_that_is_no_program_is_refused() {
    for language in ["cfa", "armc", "task", "c"] {
        for text in [&b"\0\0\0"[..], b"}{", b"\xff\xfe\x00", b"main process", b"\"", b"/*"] {
            let folder = Folder::new().with("input", text);
            let done = folder.run(&["run", "input", "--language", language]);
            assert_eq!(done.code, 65, "{language} {text:?}: {}{}", done.out, done.err);
            assert!(done.err.contains("error: "), "{}", done.err);
        }
        let empty = Folder::new().with("input", "");
        let done = empty.run(&["run", "input", "--language", language]);
        assert_eq!(done.code, 65, "{language}: {}{}", done.out, done.err);
    }
}

#[test]
fn errors_point_into_the_source() {
    let folder = Folder::new().with("bad.cfa", COUNTER.replace("x := 0", "x := y"));
    let done = folder.run(&["cfa", "bad.cfa"]);
    assert_eq!(done.code, 65);
    assert!(done.err.contains("--> bad.cfa:8:"), "{}", done.err);
    assert!(done.err.contains('^'), "{}", done.err);
}

#[test]
fn bad_inputs_point_into_their_file() {
    let folder = Folder::new()
        .with("input.cfa", INPUT)
        .with("bad.txt", "1\nfive\n")
        .with("unfit.txt", "\n  1.5\n");
    let done = folder.run(&["run", "input.cfa", "--inputs", "bad.txt"]);
    assert_eq!(done.code, 65);
    assert!(
        done.err.starts_with("error: `five` is not a value\n  --> bad.txt:2:1\n"),
        "{}",
        done.err
    );
    let done = folder.run(&["run", "input.cfa", "--inputs", "unfit.txt"]);
    assert_eq!(done.code, 65);
    assert!(
        done.err.starts_with("error: a value of sort Int is due\n  --> unfit.txt:2:3\n"),
        "{}",
        done.err
    );
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let folder = Folder::new().with("counter.cfa", COUNTER);
    for arguments in [&["cfa", "counter.cfa"][..], &["run", "counter.cfa", "--trace"], &["--help"]]
    {
        let mut child = folder
            .command(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary runs");
        drop(child.stdout.take());
        let mut err = String::new();
        child.stderr.take().expect("standard error").read_to_string(&mut err).expect("text");
        let code = child.wait().expect("an end").code();
        assert_eq!(code, Some(0), "{err}");
        assert!(!err.contains("internal error"), "{err}");
    }
}

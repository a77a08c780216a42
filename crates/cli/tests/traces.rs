//! `proviso traces` on the reports of runs.

mod common;

use common::{Done, Folder};

const HARNESS: &str = include_str!("../../partial/tests/examples/harness.c");
const DOUBLING: &str = include_str!("../../partial/tests/examples/doubling.c");

/// A run that has unrolled the program so often, and its report in `out`.
fn unrolled(text: &str, rounds: &str, more: &[&str]) -> Folder {
    let folder = Folder::new().with("a.c", text);
    let mut arguments = vec!["check", "a.c", "--analysis", "bmc", "--unroll", rounds];
    // Enough for a machine that does other things besides.
    arguments.extend(["--output-dir", "out", "--report-budget", "2min"]);
    arguments.extend(more);
    let done = folder.run(&arguments);
    assert_eq!(done.code, 20, "{}{}", done.out, done.err);
    folder
}

fn sound(folder: &Folder, calls: &str, more: &[&str]) -> Done {
    let mut arguments = vec!["traces", "out", "--relative-soundness", calls];
    arguments.extend(more);
    folder.run(&arguments)
}

#[test]
fn three_calls_were_analysed_and_a_fourth_was_not() {
    let folder = unrolled(HARNESS, "3", &[]);
    let done = sound(&folder, "m1 m1 m1", &[]);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    assert_eq!(done.last_line(), "Relative soundness: yes");
    assert!(done.out.contains("Realised: an execution makes all of the 3 calls"), "{}", done.out);
    let done = sound(&folder, "m1 m2 m1 m1", &[]);
    assert_eq!(done.code, 10, "{}{}", done.out, done.err);
    assert_eq!(done.last_line(), "Relative soundness: no");
    assert!(done.out.contains("the first 3 of the 4 calls"), "{}", done.out);
    assert!(done.out.contains("m2()\n"), "the trace is shown: {}", done.out);
    // With `m1` alone to be seen, any number of calls of `m2` may lie between.
    let done = sound(&folder, "m1 m1", &["--alphabet", "m1"]);
    assert_eq!(done.code, 10, "{}{}", done.out, done.err);
}

#[test]
fn answers_are_also_for_programs() {
    let folder = unrolled(HARNESS, "2", &[]);
    let done = sound(&folder, "m1 m1 m1", &["--format", "json", "--depth", "2"]);
    assert_eq!(done.code, 10, "{}{}", done.out, done.err);
    for part in [
        "\"answer\":\"no\"",
        "\"sound_prefix\":2",
        "\"realised\":3",
        "\"alphabet\":[",
        "\"depth\":2",
    ] {
        assert!(done.out.contains(part), "{part}: {}", done.out);
    }
    let done = folder.run(&["traces", "out", "--frontier", "--group", "--format", "json"]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(done.out.contains("\"frontier\":{\"complete\":true"), "{}", done.out);
    assert!(!done.out.contains("\"cones\""), "{}", done.out);
}

#[test]
fn abstract_traces_show_less() {
    let folder = unrolled(DOUBLING, "3", &[]);
    let done = folder.run(&["traces", "out"]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(done.out.starts_with("frontier traces: 1 "), "{}", done.out);
    assert!(done.out.contains("return from f"), "{}", done.out);
    assert!(done.out.contains("inputs:"), "{}", done.out);
    let calls = ["--collapse-method", "property", "--collapse-depth", "1", "--group"];
    let done = folder.run(&[&["traces", "out/proviso.json"], &calls[..]].concat());
    let made = done.out.lines().filter(|line| line.ends_with("f()")).count();
    assert_eq!((done.code, made), (0, 4), "{}", done.out);
    assert!(!done.out.contains("property"), "{}", done.out);
}

/// Example 3 of the thesis.
#[test]
fn sixteen_traces_are_one_abstract_trace() {
    let folder = unrolled(DOUBLING, "3", &["--all-traces", "40"]);
    let calls = ["--collapse-method", "property", "--frontier", "--group"];
    let done = folder.run(&[&["traces", "out"], &calls[..]].concat());
    assert!(done.out.starts_with("frontier traces: 1 different, of 16 "), "{}", done.out);
    assert!(done.out.contains("1. (16 traces) "), "{}", done.out);
    let done = folder.run(&["traces", "out", "--frontier", "--group"]);
    assert!(done.out.starts_with("frontier traces: 16 different, of 16 "), "{}", done.out);
}

#[test]
fn what_is_no_report_is_refused() {
    let folder = unrolled(HARNESS, "2", &[])
        .with("text.json", "no report")
        .with("other.json", "{\"proviso\": 1}")
        .with("out/later.json", "");
    for (path, message) in [
        ("missing.json", "cannot read missing.json"),
        ("text.json", "text.json is not the report of a run"),
        ("other.json", "other.json is not the report of a run"),
    ] {
        let done = folder.run(&["traces", path]);
        assert_eq!(done.code, 65, "{path}: {}", done.err);
        assert!(done.err.contains(message), "{path}: {}", done.err);
    }
    let report = folder.read("out/proviso.json");
    let other = report.replacen("\"proviso\": 1", "\"proviso\": 99", 1);
    let folder = folder.with("later.json", other);
    let done = folder.run(&["traces", "later.json"]);
    assert_eq!(done.code, 65);
    assert!(done.err.contains("format 99"), "{}", done.err);
    // The automaton is beside the report, and the program where it was.
    let folder = folder.with("alone.json", &report);
    let done = folder.run(&["traces", "alone.json", "--relative-soundness", "m1"]);
    assert_eq!(done.code, 65);
    assert!(done.err.contains("assumption.spc"), "{}", done.err);
    let moved = report.replacen("\"a.c\"", "\"b.c\"", 1);
    let folder = folder.with("out/proviso.json", moved);
    let done = sound(&folder, "m1", &[]);
    assert_eq!(done.code, 65);
    assert!(done.err.contains("cannot read b.c"), "{}", done.err);
    let folder = folder.with("out/proviso.json", report).with("out/assumption.spc", "AUTOMATON");
    assert_eq!(sound(&folder, "m1", &[]).code, 65);
}

#[test]
fn wrong_questions_are_refused() {
    let folder = unrolled(HARNESS, "2", &[]);
    for arguments in [
        &["traces"][..],
        &["traces", "out", "--cones", "--frontier"],
        &["traces", "out", "--depth", "2"],
        &["traces", "out", "--alphabet", "m1"],
        &["traces", "out", "--collapse-depth", "many"],
        &["traces", "out", "--relative-soundness", "m1", "--group"],
        &["traces", "out", "--relative-soundness", "m1 m3"],
        &["traces", "out", "--relative-soundness", "m1", "--alphabet", "m2"],
    ] {
        let done = folder.run(arguments);
        assert_eq!(done.code, 64, "{arguments:?}: {}", done.err);
    }
}

#[test]
fn another_program_gives_no_answer() {
    let folder = unrolled(HARNESS, "2", &[]);
    let changed =
        HARNESS.replace("calls = calls + 1", "calls += 1").replace("nondet()", "!nondet()");
    let folder = folder.with("a.c", changed);
    let done = sound(&folder, "m1 m1 m1", &[]);
    assert_eq!(done.code, 20, "{}{}", done.out, done.err);
    assert!(done.last_line().contains("another program"), "{}", done.out);
}

#[test]
fn a_limit_ends_the_question() {
    let folder = unrolled(HARNESS, "3", &[]);
    let done = sound(&folder, "m1 m1 m1", &["--timelimit", "0s"]);
    assert_eq!(done.code, 20, "{}{}", done.out, done.err);
    assert!(
        done.last_line().starts_with("Relative soundness: unknown (time limit"),
        "{}",
        done.out
    );
}

//! What the pages of runs without an answer say, and what becomes of the files beside them.

#![allow(missing_docs)]

mod common;

use std::process::{Command, Stdio};

use common::{Done, Folder};

/// A loop that goes round as often as it likes, and mixes numbers.
const MIXING: &str = "for (unsigned i = 0; i < n; i++) { h = h * 31 + i; h ^= h >> 7; }";

fn json(folder: &Folder, name: &str) -> serde_json::Value {
    serde_json::from_str(&folder.read(name)).expect("JSON")
}

/// The file of a run says what its last line says.
fn agrees(folder: &Folder, done: &Done) {
    let verdict = json(folder, "out/proviso.json")["verdict"].as_str().map(str::to_owned);
    let verdict = verdict.expect("a verdict");
    assert!(done.last_line().starts_with(&format!("Verification result: {verdict}")), "{verdict}");
}

/// What a statement of an automaton was meant for that fits nothing is not known, so nothing else of its state is
/// believed but what the other statements say.
#[test]
fn a_state_with_a_statement_that_fits_nothing_is_not_believed() {
    let spc = "OBSERVER AUTOMATON A\nINITIAL STATE ARG0;\nSTATE __TRUE :\n  TRUE -> GOTO __TRUE;\n\
               STATE __FALSE :\n  TRUE -> GOTO __FALSE;\n\
               STATE USEFIRST ARG0 :\n  MATCH \"int x = in();\" -> GOTO ARG1;\n  TRUE -> GOTO ARG0;\n\
               STATE USEFIRST ARG1 :\n  MATCH \"[0 < x]\" -> GOTO __TRUE;\n  MATCH \"[!(x > 0)]\" -> GOTO \
               __FALSE;\n  TRUE -> GOTO ARG1;\nEND AUTOMATON\n";
    let text = "extern int in(void);\nextern void reach_error(void);\nint main(void) {\n  int x = in();\n  \
                int y = 0;\n  if (x > 0) {\n    y = 1;\n    if (x == 7919) reach_error();\n  } else {\n    y = 2;\n    \
                if (x == 3) reach_error();\n  }\n  return y;\n}\n";
    let folder = Folder::new().with("a.c", text).with("a.spc", spc);
    for analysis in ["auto", "predicate", "value-itp", "bmc"] {
        let words = ["continue", "a.c", "--assumption", "a.spc", "--analysis", analysis];
        let done = folder.run(&words);
        assert_eq!(done.code, 10, "{analysis}: {}\n{}", done.out, done.err);
    }
    // A verdict that rests on the automaton says so.
    let folder = folder.with("a.spc", spc.replace("[0 < x]", "[x > 0]"));
    for analysis in ["auto", "predicate", "bmc"] {
        let words = ["continue", "a.c", "--assumption", "a.spc", "--analysis", analysis];
        let done = folder.run(&words);
        assert_eq!(done.code, 0, "{analysis}: {}\n{}", done.out, done.err);
        let rows = "  proved       a.c:8  reach_error() (by the assumption automaton)\n  \
                    proved       a.c:11  reach_error()\n\
                    Executions that the assumption automaton calls analysed were left out. ";
        assert!(done.out.contains(rows), "{analysis}: {}", done.out);
        assert!(!done.out.contains("very execution"), "{analysis}: {}", done.out);
    }
}

/// What an earlier run has proved stays proved where the next one finds a violation elsewhere.
#[test]
fn a_violation_takes_no_proof_of_an_earlier_run_away() {
    let text = "extern int in(void);\nextern void reach_error(void);\nint main(void) {\n  int c = in();\n  \
                if (c == 1) {\n    for (int i = 0; i < 6; i++) { }\n    if (in() * 7919 == 104729) reach_error();\n  \
                } else {\n    if (c == 1) reach_error();\n  }\n  return 0;\n}\n";
    let folder = Folder::new().with("a.c", text);
    let done =
        folder.run(&["check", "a.c", "--analysis", "bmc", "--unroll", "2", "--output-dir", "o"]);
    assert!(done.out.contains("proved       a.c:9"), "{}", done.out);
    let words = ["continue", "a.c", "--analysis", "predicate", "--assumption", "o/assumption.spc"];
    let done = folder.run(&words);
    assert_eq!(done.code, 10, "{}\n{}", done.out, done.err);
    assert!(done.out.contains("violated     a.c:7"), "{}", done.out);
    assert!(
        done.out.contains("proved       a.c:9  reach_error() (by the assumption automaton)"),
        "{}",
        done.out
    );
    // One that says nothing of it proves nothing.
    let spc = "OBSERVER AUTOMATON A\nINITIAL STATE ARG0;\nSTATE __FALSE :\n  TRUE -> GOTO __FALSE;\n\
               STATE USEFIRST ARG0 :\n  TRUE -> GOTO __FALSE;\nEND AUTOMATON\n";
    let done = folder.with("none.spc", spc).run(&[
        "continue",
        "a.c",
        "--analysis",
        "predicate",
        "--assumption",
        "none.spc",
    ]);
    assert_eq!(done.code, 10, "{}\n{}", done.out, done.err);
    assert!(done.out.contains("open         a.c:9"), "{}", done.out);
}

/// A proof is of all executions, however many rounds were followed for it.
#[test]
fn the_document_of_a_proof_speaks_of_every_execution() {
    let text = "extern unsigned char in(void);\nextern void reach_error(void);\nint main(void) {\n  int i = 0, n = in() \
                % 5;\n  while (i < n)\n    i++;\n  if (i > 4) reach_error();\n  return 0;\n}\n";
    let folder = Folder::new().with("a.c", text);
    let done = folder.run(&["check", "a.c", "--analysis", "bmc", "--output-dir", "o"]);
    assert_eq!(done.code, 0, "{}\n{}", done.out, done.err);
    let document: serde_json::Value = serde_json::from_str(&folder.read("o/proviso.json")).unwrap();
    assert_eq!(document["proved"], serde_json::json!(["every execution"]));
}

/// Where no execution within the bound gets to a check, the check is not reached, whatever follows it.
#[test]
fn checks_behind_a_loop_with_more_rounds_are_not_reached() {
    let program = |rounds: &str| {
        format!(
            "extern int in(void);\nextern void reach_error(void);\nint main(void) {{\n  int i, s = 0, n = in();\n  \
             for (i = 0; i < {rounds}; i++) s++;\n  if (s == 77 && n == 3) reach_error();\n  for (i = 0; i < n; \
             i++) s++;\n  if (s == 77 && n * 7919 == 104729) reach_error();\n  return 0;\n}}\n"
        )
    };
    let words = ["check", "a.c", "--analysis", "bmc", "--unroll", "2"];
    let done = Folder::new().with("a.c", program("10")).run(&words);
    let told = "Checks: 2 not reached\n  not reached  a.c:6  reach_error() (later rounds of the loop at line 5)\n";
    assert!(done.out.contains(told), "{}", done.out);
    // Some get there, though not all of the condition is looked at.
    let done = Folder::new().with("a.c", program("(n & 3)")).run(&words);
    assert!(done.out.contains("Checks: 2 open\n"), "{}", done.out);
}

/// A call through a pointer is told as the source has it.
#[test]
fn calls_through_pointers_are_told_with_their_line() {
    let text = "extern int in(void);\nextern void reach_error(void);\nint (*f)(int);\nint inc(int x) { return x + 1; }\n\
                int dbl(int x) { return x * 2; }\nint main(void) {\n  int x = 1, k = 0;\n  while (k < 12) {\n    f = \
                in() ? inc : dbl;\n    x = f(x);\n    k++;\n  }\n  if (x * 7919 == 104729) reach_error();\n  return \
                0;\n}\n";
    let folder = Folder::new().with("a.c", text);
    let done = folder.run(&["check", "a.c", "--analysis", "bmc", "--unroll", "2"]);
    assert!(done.out.contains("(line 8 [k < 12], line 10 x = f(x);) "), "{}", done.out);
    assert!(!done.out.contains("skip"), "{}", done.out);
}

/// Of executions that go round loops, what the bound says is not said again.
#[test]
fn what_a_bound_says_is_said_once() {
    let text = "extern unsigned in(void);\nextern void reach_error(void);\nint main(void) {\n  unsigned n = in(), i = 0;\n  \
                while (i < n)\n    i++;\n  if (i * 7919 == 104729) reach_error();\n  return 0;\n}\n";
    let folder = Folder::new().with("a.c", text);
    let done = folder.run(&["check", "a.c", "--analysis", "bmc", "--unroll", "3"]);
    let bound = "every execution with at most 3 rounds of the loop at line 5\n";
    assert!(done.out.contains(bound), "{}", done.out);
    assert!(!done.out.contains("times, then line"), "{}", done.out);
}

/// One statement of several that fits nothing is a slip of the pen, and the others are in step.
#[test]
fn a_statement_that_fits_nothing_is_told() {
    let spc = "OBSERVER AUTOMATON A\nINITIAL STATE ARG0;\nSTATE __TRUE :\n  TRUE -> GOTO __TRUE;\n\
               STATE __FALSE :\n  TRUE -> GOTO __FALSE;\n\
               STATE USEFIRST ARG0 :\n  MATCH \"[x > 5]\" -> GOTO __FALSE;\n  MATCH \"[x > 7]\" -> GOTO \
               __TRUE;\n  TRUE -> GOTO ARG0;\nEND AUTOMATON\n";
    let text = "extern int in(void);\nextern void reach_error(void);\nint main(void) {\n  int x = in();\n  \
                if (x > 5)\n    x = 5;\n  if (x > 9) reach_error();\n  return 0;\n}\n";
    let folder = Folder::new().with("a.c", text).with("a.spc", spc);
    let done = folder.run(&["continue", "a.c", "--assumption", "a.spc"]);
    assert_eq!(done.code, 0, "{}\n{}", done.out, done.err);
    let warnings: Vec<&str> = done.err.lines().filter(|line| line.contains("warning")).collect();
    let warning = "warning: MATCH \"[x > 7]\" of state ARG0 (a.spc:9:3) fits no statement of the program; \
                   what no other MATCH of the state takes counts as not analysed";
    assert_eq!(warnings, [warning]);
    // With statements that all fit there is nothing to tell.
    let folder = folder.with("a.spc", spc.replace("[x > 7]", "[x > 9]"));
    let done = folder.run(&["continue", "a.c", "--assumption", "a.spc"]);
    assert!(!done.err.contains("warning"), "{}", done.err);
}

/// Coverage is about lines of the program: not those of models, and those behind something that is not
/// modelled all the same.
#[test]
fn lines_of_the_program_are_counted_and_no_others() {
    let text = "#include <assert.h>\n#include <string.h>\nextern int fork(void);\nextern unsigned in(void);\n\
                int main(void) {\n  char s[4] = \"abc\";\n  unsigned n = in();\n  if (n < 3)\n    s[n] = 0;\n  \
                assert(strlen(s) < 4);\n  int x = fork();\n  assert(x >= -1);\n  if (x)\n    n = 5;\n  \
                return n;\n}\n";
    let folder = Folder::new().with("a.c", text);
    let run = ["check", "a.c", "--output-dir", "out", "--timelimit", "30s"];
    let done = folder.run(&run);
    assert_eq!(done.code, 20, "{}", done.out);
    let lcov = folder.read("out/coverage.info");
    assert_eq!(lcov.matches("SF:").count(), 1, "{lcov}");
    let lines: Vec<&str> = lcov.lines().filter_map(|line| line.strip_prefix("DA:")).collect();
    let lines: Vec<&str> = lines.into_iter().filter_map(|line| line.split(',').next()).collect();
    let all = ["5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15"];
    assert_eq!(lines, all, "{lcov}");
    assert!(done.out.contains(" of 11 lines and "), "{}", done.out);
    let row = "  not reached  a.c:12  assert(x >= -1) (not modelled at a.c:11: processes)\n";
    assert!(done.out.contains(row), "{}", done.out);
    // What stands in the way can be given a body, and the other advice still holds after that.
    let advice = "  proviso check a.c MODEL.c\n    write a file MODEL.c that gives `fork` a body";
    assert!(done.out.contains(advice), "{}", done.out);
    let folder = folder.with("MODEL.c", "int fork(void) { return 0; }\n");
    let done = folder.run(&["check", "a.c", "MODEL.c"]);
    assert_eq!(done.last_line(), "Verification result: TRUE", "{}", done.out);
}

/// Loops inside of models are no loops of the program.
#[test]
fn loops_of_the_library_are_told_as_such() {
    let text = format!(
        "#include <string.h>\nextern unsigned in(void);\nextern void reach_error(void);\nint main(void) {{\n  \
         char s[3];\n  for (int i = 0; i < 2; i++) s[i] = in();\n  s[2] = 0;\n  unsigned n = in(), h = \
         strlen(s);\n  {MIXING}\n  if (h == 77) reach_error();\n  return 0;\n}}\n"
    );
    let folder = Folder::new().with("a.c", &text);
    let run = ["check", "a.c", "--analysis", "bmc", "--unroll", "3", "--property", "unreach-call"];
    let done = folder.run(&run);
    for part in [
        "  - every execution with at most 3 rounds of each loop, those inside of library functions among them\n",
        " (loops inside of library functions are not counted) was left out",
    ] {
        assert!(done.out.contains(part), "{part}\n{}", done.out);
    }
}

/// What is undecided in the first round of a loop is no later round of it.
#[test]
fn a_first_round_is_no_later_one() {
    let text = "extern int in(void);\nextern void reach_error(void);\nint main(void) {\n  int n = in();\n  \
                int k = 0;\n  while (k < n) {\n    int y = in();\n    if (y * y == 11) reach_error();\n    \
                k++;\n    if (k == 1000000) reach_error();\n  }\n  return 0;\n}\n";
    let folder = Folder::new().with("a.c", text);
    let run = ["check", "a.c", "--analysis", "value-itp", "--property", "unreach-call"];
    let done = folder.run(&[&run[..], &["--timelimit", "3s"]].concat());
    assert_eq!(done.code, 20, "{}", done.out);
    assert!(!done.out.contains("later rounds"), "{}", done.out);
    let row = "a.c:8  reach_error() (whether it can fail could not be decided)";
    assert!(done.out.contains(row), "{}", done.out);
}

/// A text is not the null pointer.
#[test]
fn texts_in_asserts_are_true() {
    let text = "#include <assert.h>\nextern unsigned in(void);\nint main(void) {\n  assert(\"text\");\n  \
                unsigned x = in();\n  assert(x * x != 3 && \"three is no square\");\n  if (x == 9)\n    \
                assert(!\"nine\");\n  return 0;\n}\n";
    let folder = Folder::new().with("a.c", text);
    let done = folder.run(&["check", "a.c"]);
    assert_eq!(done.code, 10, "{}", done.err);
    for part in ["  proved       a.c:4  assert(\"text\")\n", "  violated     a.c:8  assert("] {
        assert!(done.out.contains(part), "{part}\n{}", done.out);
    }
}

/// Commands that are advised can be given one after the other, for any name of a file.
#[test]
fn advised_commands_are_independent() {
    let text = format!(
        "extern unsigned in(void);\nextern void reach_error(void);\nint main(void) {{\n  unsigned n = in(), h = \
         in();\n  {MIXING}\n  if (n > 9 && h == 77) reach_error();\n  return 0;\n}}\n"
    );
    let folder = Folder::new().with("-a.c", &text);
    let check = ["check", "./-a.c", "--analysis", "bmc", "--unroll", "2", "--output-dir", "out"];
    folder.run(&check);
    let mut document = json(&folder, "out/proviso.json");
    let advised = document["next"].take();
    let commands: Vec<&str> = advised
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|each| each["command"].as_str())
        .collect();
    assert_eq!(commands.len(), 2, "{advised}");
    for command in commands {
        let command = command.replace("--timelimit 240s", "--timelimit 2s");
        let words: Vec<&str> = command.split(' ').skip(1).collect();
        let done = folder.run(&words);
        assert!(matches!(done.code, 0 | 10 | 20), "{command}: {}", done.err);
    }
    // Names that would be taken for options are told as files.
    let plain = folder.run(&["check", "--analysis", "bmc", "--unroll", "2", "--", "-a.c"]);
    assert!(plain.out.contains("proviso check ./-a.c "), "{}", plain.out);
}

/// A loop of which each round takes long, with an answer that nobody finds.
fn endless() -> String {
    format!(
        "extern unsigned in(void);\nextern void reach_error(void);\nint main(void) {{\n  unsigned n = in(), h = \
         in();\n  {MIXING}\n  if (n > 9 && h * h == 77) reach_error();\n  return 0;\n}}\n"
    )
}

/// Whoever was stopped by a limit is told a larger one, and whoever got on that more time may do.
#[test]
fn limits_of_advised_commands_are_larger() {
    let folder = Folder::new().with("a.c", endless());
    let run = ["check", "a.c", "--analysis", "bmc", "--cputimelimit", "2s", "--timelimit", "90s"];
    let done = folder.run(&[&run[..], &["--output-dir", "o"]].concat());
    assert_eq!(done.last_line(), "Verification result: UNKNOWN (time limit)", "{}", done.out);
    for part in [
        "  proviso continue a.c --cputimelimit 8s --assumption o/assumption.spc --analysis value-itp+predicate \
         --timelimit 360s --output-dir o-2\n",
        "  proviso check a.c --cputimelimit 8s --analysis bmc --timelimit 360s --output-dir o-2\n    give the same \
         analysis more time: it was still getting on\n",
    ] {
        assert!(done.out.contains(part), "{part}\n{}", done.out);
    }
}

/// What follows the trace of a behaviour that was not explored may never end: its steps are limited.
#[test]
fn steps_of_advised_runs_are_limited() {
    let folder = Folder::new().with("a.c", endless());
    let done =
        folder.run(&["check", "a.c", "--analysis", "bmc", "--unroll", "2", "--output-dir", "o"]);
    let part = "  proviso run a.c --inputs o/frontier-1.txt --trace --max-steps 2000\n";
    assert!(done.out.contains(part), "{}", done.out);
}

/// A run that goes on from another one is advised to go on from the same one.
#[test]
fn going_on_is_advised_to_whoever_goes_on() {
    let folder = Folder::new().with("a.c", endless());
    folder.run(&["check", "a.c", "--analysis", "bmc", "--unroll", "2", "--output-dir", "out"]);
    let run = ["continue", "a.c", "--assumption", "out/assumption.spc", "--analysis", "value-itp"];
    let done = folder.run(&[&run[..], &["--timelimit", "2s"]].concat());
    assert_eq!(done.code, 20, "{}", done.out);
    let on = "  proviso continue a.c --assumption out/assumption.spc ";
    assert!(done.out.contains(on), "{}", done.out);
    assert!(done.out.contains(" --output-dir out-2\n"), "{}", done.out);
    // What the first run has proved is on the page of the second one, and stays in its automaton.
    let proved = "every execution with at most 2 rounds of the loop at line 5";
    assert!(done.out.contains(&format!("  - {proved}\n")), "{}", done.out);
    let is_kept = |file: &str| folder.read(file).contains(&format!(": {proved}\n"));
    assert!(is_kept("out/assumption.spc"));
    folder.run(&[&run[..], &["--timelimit", "2s", "--output-dir", "two"]].concat());
    assert!(is_kept("two/assumption.spc"));
    // The same program on other lines is the same program, and sentences about lines are not true of it.
    let moved = folder.with("a.c", format!("\n\n{}", endless()));
    let done = moved.run(&[&run[..], &["--timelimit", "2s"]].concat());
    assert!(!done.err.contains("warning") && !done.out.contains("at line 5"), "{}", done.out);
}

/// A program from standard input has no file that a command could name.
#[test]
fn advice_for_standard_input() {
    let folder = Folder::new().with("a.c", endless());
    let mut command =
        folder.command(&["check", "-", "--analysis", "bmc", "--unroll", "2", "--output-dir", "o"]);
    let text = std::fs::File::open(folder.path().join("a.c")).expect("a file");
    let output = command.stdin(text).output().expect("the binary runs");
    let out = String::from_utf8_lossy(&output.stdout);
    let on = "  proviso continue - --assumption o/assumption.spc --analysis value-itp+predicate --timelimit 3600s \
              --output-dir o-2 < PROGRAM.c\n    verify what was left out, by another analysis; PROGRAM.c is what \
              was read from standard input\n";
    assert!(out.contains(on), "{out}");
}

/// Memory that is no object of the program may be that of a device.
#[test]
fn addresses_of_devices_are_hinted_at() {
    let text = "#include <stdint.h>\n#include <assert.h>\nint main(void) {\n  unsigned n = *(volatile uint32_t \
                *)0x40011000;\n  assert(n < 9);\n  return 0;\n}\n";
    let folder = Folder::new().with("a.c", text);
    let done = folder.run(&["check", "a.c"]);
    assert_eq!(done.last_line(), "Verification result: FALSE (valid-deref)");
    let hint = "Hint: if a device is at this address, say so by `--mmio 0x40011000-0x40011003`.\n";
    assert!(done.out.contains(hint), "{}", done.out);
    let done = folder.run(&["check", "a.c", "--mmio", "0x40011000-0x40011003"]);
    assert_eq!(done.last_line(), "Verification result: FALSE (unreach-call)");
    for (options, purpose) in [
        (["--check", "none"], "if it is one; without --check, `check` shows the access\n"),
        (
            ["--property", "unreach-call"],
            "if it is one; without --property, `check` shows the access\n",
        ),
    ] {
        let done = folder.run(&[&["check", "a.c"], &options[..]].concat());
        assert_eq!(done.code, 20, "{}", done.out);
        assert!(done.out.contains(purpose), "{purpose}\n{}", done.out);
    }
}

/// The first rounds of a loop, which an earlier run has gone, are no reason to lose an answer about all of them.
#[test]
fn going_on_answers_what_the_analysis_answers() {
    let text = "extern void reach_error(void);\nint main(void) {\n  unsigned x = 0, y = 0, z = 0;\n  while (x < \
                0x0fffffff) {\n    y = 0;\n    while (y < 0x0fffffff) {\n      z = 0;\n      while (z < 0x0fffffff) \
                z++;\n      if (!(z % 4)) reach_error();\n      y++;\n    }\n    if (!(y % 2)) reach_error();\n    \
                x++;\n  }\n  if (!(x % 2)) reach_error();\n  return 0;\n}\n";
    let folder = Folder::new().with("a.c", text);
    let run = ["check", "a.c", "--analysis", "value-itp", "--timelimit", "2s"];
    let done = folder.run(&[&run[..], &["--output-dir", "out"]].concat());
    assert_eq!(done.code, 20, "{}", done.out);
    let on = ["continue", "a.c", "--assumption", "out/assumption.spc", "--analysis", "predicate"];
    let done = folder.run(&[&on[..], &["--timelimit", "20s"]].concat());
    assert_eq!(done.last_line(), "Verification result: TRUE", "{}", done.out);
}

/// A function of the library whose result is not modelled can be given a body.
#[test]
fn what_does_not_replay_is_advised_upon() {
    let text = "#include <assert.h>\n#include <math.h>\nextern int in(void);\nint main(void) {\n  double x = \
                sin(in());\n  assert(x != 0.5);\n  return 0;\n}\n";
    let folder = Folder::new().with("a.c", text);
    let done = folder.run(&["check", "a.c", "--timelimit", "30s"]);
    assert_eq!(done.code, 20, "{}", done.out);
    let advice = "proviso check a.c MODEL.c\n    write a file MODEL.c that gives `sin` a body";
    assert!(done.out.contains(advice), "{}", done.out);
}

/// The limit on the size of files ends no run.
#[test]
fn a_file_that_grows_too_large_is_told() {
    let text = format!(
        "extern unsigned in(void);\nextern void reach_error(void);\nint main(void) {{\n  unsigned n = in(), h = \
         in();\n  {MIXING}\n  if (n > 9 && h == 77) reach_error();\n  return 0;\n}}\n"
    );
    let folder = Folder::new().with("a.c", &text);
    let shell = format!(
        "ulimit -f 1; exec {} check a.c --analysis bmc --unroll 2 --output-dir out",
        env!("CARGO_BIN_EXE_proviso")
    );
    let mut command = Command::new("sh");
    let command = command.args(["-c", &shell]).current_dir(folder.path()).stdin(Stdio::null());
    let output = command.output().expect("a shell");
    let (out, err) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(20), "{out}\n{err}");
    assert!(err.contains("error: cannot write out/proviso.json: File too large"), "{err}");
    assert!(out.lines().last().is_some_and(|line| line.starts_with("Verification result: ")));
}

/// Of executions that all make more rounds than were followed only the beginning is proved.
#[test]
fn a_bound_that_no_execution_keeps_is_about_beginnings() {
    let text = "#include <assert.h>\nextern unsigned in(void);\nint main(void) {\n  unsigned h = in();\n  \
                for (int i = 0; i < 100; i++) {\n    h = h * 31 + i; h ^= h >> 7;\n    assert(h || i < 90);\n  \
                }\n  assert(h != 77);\n  return 0;\n}\n";
    let folder = Folder::new().with("a.c", text);
    let run = ["check", "a.c", "--analysis", "bmc", "--unroll", "3"];
    let done = folder.run(&run);
    assert_eq!(done.code, 20, "{}", done.out);
    let proved = "Proved:\n  - the beginning of every execution, with at most 3 rounds of the loop at line 5\n";
    for part in [
        proved,
        "  open         a.c:7  assert(h || i < 90) (later rounds of the loop at line 5)\n",
        "  not reached  a.c:9  assert(h != 77) (later rounds of the loop at line 5)\n",
    ] {
        assert!(done.out.contains(part), "{part}\n{}", done.out);
    }
    // Without time for a search, what is known of executions is known from a few of them.
    let done = folder.run(&[&run[..], &["--report-budget", "1ms"]].concat());
    assert!(done.out.contains(proved), "{}", done.out);
    // With an execution that leaves the loop at once, both are reached.
    let folder = folder.with("a.c", text.replace("i < 100;", "i < 100 && h;"));
    let done = folder.run(&run);
    assert!(done.out.contains("  - every execution with at most 3 rounds of the"), "{}", done.out);
    assert!(done.out.contains("  open         a.c:9  assert(h != 77) ("), "{}", done.out);
}

/// Of the two branches of a condition the one on which it holds comes first, also where it is a negation.
#[test]
fn branches_are_in_the_order_of_the_source() {
    let text = "extern int in(void);\nint main(void) {\n  int p = in();\n  if (p < 5)\n    return 0;\n  \
                if (!p)\n    return 1;\n  return 2;\n}\n";
    let folder = Folder::new().with("a.c", text);
    let done = folder.run(&["coverage", "a.c", "--lcov", "a.info"]);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    let lcov = folder.read("a.info");
    assert!(lcov.contains("BRDA:6,1,0,0\nBRDA:6,1,1,1\n"), "{lcov}");
}

/// What only an error stands on is a line that no safe execution covers.
#[test]
fn lines_of_errors_are_lines() {
    let text = "#include <assert.h>\nextern unsigned in(void);\nint main(void) {\n  unsigned h = in();\n  \
                switch (h % 3) {\n  case 0:\n  case 1:\n  case 2:\n    h = 4;\n    break;\n  default:\n    \
                assert(0);\n  }\n  return 0;\n}\n";
    let folder = Folder::new().with("a.c", text);
    let done = folder.run(&["coverage", "a.c", "--lcov", "a.info"]);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    let lcov = folder.read("a.info");
    assert!(lcov.contains("\nDA:12,0\n"), "{lcov}");
    assert!(done.out.contains("no execution that was analysed covers line 12\n"), "{}", done.out);
}

/// The figures are there whether an execution violates the property or not.
#[test]
fn coverage_of_a_program_with_an_error_is_told() {
    let text = "extern unsigned in(void);\nextern void reach_error(void);\nint main(void) {\n  if (in() == 5)\n    \
                reach_error();\n  return 0;\n}\n";
    let folder = Folder::new().with("a.c", text);
    let done = folder.run(&["coverage", "a.c"]);
    assert_eq!(done.code, 10, "{}{}", done.out, done.err);
    assert!(done.out.starts_with("An execution violates the property; "), "{}", done.out);
    assert!(done.last_line().starts_with("Coverage: "), "{}", done.out);
    assert!(done.last_line().contains(" of 3 lines, "), "{}", done.out);
    // What other executions cover is measured, also if zeros as inputs violate the property.
    let zero = text.replace("== 5", "== 0");
    for text in [text, &zero] {
        let folder = Folder::new().with("a.c", text);
        let done = folder.run(&["coverage", "a.c"]);
        let told = "a.c: no execution that ends and violates nothing covers line 5\nCoverage: 2 of 3 lines, 1 of 2 \
                    branches, by 1 execution that violates nothing\n";
        assert!(done.out.ends_with(told), "{}", done.out);
    }
}

#[test]
fn coverage_that_cannot_be_written_is_a_failure() {
    let folder = Folder::new().with("a.c", "int main(void) { return 0; }\n");
    let done = folder.run(&["coverage", "a.c", "--lcov", "no/such/folder.info"]);
    assert_eq!(done.code, 64, "{}{}", done.out, done.err);
    assert!(done.err.contains("error: cannot write no/such/folder.info"), "{}", done.err);
    assert!(done.last_line().starts_with("Coverage: 1 of 1 line, "), "{}", done.out);
}

/// After an answer nothing is left of a run without one, and the document has the answer.
#[test]
fn an_answer_leaves_no_files_of_a_partial_run() {
    // Too many rounds for the bound, and any number that is drawn gets there.
    let text = "extern unsigned in(void);\nextern void reach_error(void);\nint main(void) {\n  unsigned x = \
                in();\n  for (int i = 0; i < 20; i++) x |= 1;\n  if (x) reach_error();\n  return 0;\n}\n";
    let folder = Folder::new().with("a.c", text);
    let run = ["check", "a.c", "--analysis", "bmc", "--unroll", "2", "--output-dir", "out"];
    let done = folder.run(&run);
    assert_eq!(done.code, 10, "{}{}", done.out, done.err);
    agrees(&folder, &done);
    let mut left: Vec<String> = std::fs::read_dir(folder.path().join("out"))
        .expect("a folder")
        .filter_map(|entry| Some(entry.ok()?.file_name().to_string_lossy().into_owned()))
        .collect();
    left.sort();
    let known = [
        ".proviso-files",
        "counterexample.txt",
        "harness.c",
        "inputs.txt",
        "junit.xml",
        "proviso.html",
        "proviso.json",
        "report.html",
        "result.json",
        "result.sarif",
        "violation.graphml",
        "violation.yml",
    ];
    assert_eq!(left, known);
}

#[test]
fn a_function_that_no_trace_calls_is_told() {
    let text = format!(
        "extern unsigned in(void);\nextern void reach_error(void);\nunsigned twice(unsigned x) {{ return 2 * x; \
         }}\nint main(void) {{\n  unsigned n = in(), h = twice(in());\n  {MIXING}\n  if (n > 9 && h == 77) \
         reach_error();\n  return 0;\n}}\n"
    );
    let folder = Folder::new().with("a.c", &text);
    let check = ["check", "a.c", "--analysis", "bmc", "--unroll", "2", "--output-dir", "out"];
    assert_eq!(folder.run(&check).code, 20);
    let done = folder.run(&["traces", "out", "--collapse-method", "nosuch"]);
    assert_eq!(done.code, 0, "{}", done.err);
    let warning = "warning: no trace calls `nosuch`; functions that traces call: twice\n";
    assert_eq!(done.err, warning);
    let done = folder.run(&["traces", "out", "--collapse-method", "twice"]);
    assert_eq!(done.err, "");
    let done = folder.run(&["traces", "out", "--relative-soundness", "twice"]);
    assert!(!done.out.contains("1 calls"), "{}", done.out);
}

/// Names of the model are not shown, and numbers are read as the types of their functions say.
#[test]
fn pages_speak_of_the_source() {
    let text = format!(
        "extern int in(void);\nextern unsigned unin(void);\nextern void reach_error(void);\nint f(int a, unsigned \
         n) {{\n  unsigned h = 1;\n  if (in() < -5 && a > 3) {{\n    {MIXING}\n    if (h == 77 && n > 20) \
         reach_error();\n  }}\n  return a;\n}}\nint main(void) {{ return f(in(), unin()); }}\n"
    );
    let folder = Folder::new().with("a.c", &text);
    let run = ["check", "a.c", "--analysis", "bmc", "--unroll", "2", "--property", "unreach-call"];
    let done = folder.run(&run);
    assert_eq!(done.code, 20, "{}", done.out);
    assert!(!done.out.contains("::$") && !done.out.contains('@'), "{}", done.out);
    assert!(done.out.contains("in() < -5"), "{}", done.out);
    assert!(!done.out.contains("in() = 42949"), "{}", done.out);
    let done = folder.run(&[&run[..], &["--entry-function", "f", "--output-dir", "out"]].concat());
    assert!(!done.out.contains("::$") && !done.out.contains('@'), "{}", done.out);
    assert!(done.out.contains("argument n = "), "{}", done.out);
    let inputs = folder.read("out/frontier-1.txt");
    assert!(inputs.contains("# argument n") && !inputs.contains('@'), "{inputs}");
    let again =
        folder.run(&["run", "a.c", "--entry-function", "f", "--inputs", "out/frontier-1.txt"]);
    assert!(again.last_line().starts_with("Run ended: "), "{}{}", again.out, again.err);
}

/// A program with something behind two asserts that is not modelled.
const FORK: &str = "#include <assert.h>\nextern int in(void), fork(void);\nint main(void) {\n  int x = in(), y;\n  if (x \
                    < 0) return 0;\n  assert(x >= 0);\n  y = x & 255;\n  assert(y < 256);\n  if (y > 100)\n    y = \
                    fork();\n  assert(y < 257);\n  return 0;\n}\n";

/// What is not modelled is named however the run ends, and what was followed before it counts.
#[test]
fn a_bound_does_not_hide_what_is_not_modelled() {
    let text = "#include <assert.h>\nextern unsigned char in(void);\nint fork(void);\nint main(void) {\n  int x = \
                in(), y = in(), s = 0;\n  assert(x < 256);\n  while (s < x) s += 1 + (y & 1);\n  if (y == 7) s = \
                fork();\n  assert(s <= 1000);\n  return 0;\n}\n";
    let folder = Folder::new().with("a.c", text);
    let done = folder.run(&["check", "a.c", "--analysis", "bmc", "--unroll", "3"]);
    assert_eq!(
        done.last_line(),
        "Verification result: UNKNOWN (unsupported: processes at a.c:8:19)"
    );
    for part in [
        "  bounded model checking: no error in executions with at most 3 rounds of each loop, up to what is not \
         modelled (",
        "  open         a.c:9  assert(s <= 1000) (not modelled at a.c:8: processes)\n",
        "  proved       a.c:6  assert(x < 256)\n",
        "What stands in the way:\n  - not modelled at a.c:8: processes\n",
        "  - every execution with at most 3 rounds of the loop at line 7, up to what is not modelled\n",
        "; up to something that is not modelled at a.c:8\n",
        "  proviso check a.c MODEL.c\n    write a file MODEL.c that gives `fork` a body",
    ] {
        assert!(done.out.contains(part), "{part}\n{}", done.out);
    }
    // What was left out is left for others, too.
    let run = ["check", "a.c", "--analysis", "bmc", "--unroll", "3", "--output-dir", "out"];
    folder.run(&run);
    let on = ["continue", "a.c", "--assumption", "out/assumption.spc", "--timelimit", "20s"];
    let done = folder.run(&on);
    assert_eq!(done.code, 20, "{}", done.out);
    assert!(!done.out.contains("  proved       a.c:9"), "{}", done.out);
}

/// Programs without loops have no rounds, and asserts before something that is not modelled are proved.
#[test]
fn nothing_is_said_of_rounds_without_loops() {
    let folder = Folder::new().with("a.c", FORK);
    for analysis in ["auto", "bmc", "predicate"] {
        let done = folder.run(&["check", "a.c", "--analysis", analysis, "--timelimit", "20s"]);
        assert_eq!(done.code, 20, "{}", done.out);
        let page = done.out.replace("facts about rounds", "").replace("many rounds at once", "");
        assert!(!page.contains("round"), "{}", done.out);
        for part in [
            "Checks: 1 open, 2 proved\n",
            "  open         a.c:11  assert(y < 257) (not modelled at a.c:10: processes)\n",
            "  proved       a.c:6  assert(x >= 0)\n",
            "  proved       a.c:8  assert(y < 256)\n",
        ] {
            assert!(done.out.contains(part), "{analysis}: {part}\n{}", done.out);
        }
    }
}

/// A `setjmp` is no loop, and asserts that neither it nor recursion leads to are proved. All that get to the last one go
/// deeper.
#[test]
fn jumps_and_recursion_have_words_of_their_own() {
    let text = "#include <setjmp.h>\n#include <assert.h>\nextern int in(void);\njmp_buf env;\nvoid work(int d, int x) \
                {\n  if (d == 0) {\n    if (x > 5) longjmp(env, x);\n    return;\n  }\n  work(d - 1, x);\n}\nint \
                main(void) {\n  int x = in();\n  if (x < 0) return 0;\n  assert(x >= 0);\n  int y = x & 255;\n  \
                assert(y < 256);\n  if (y > 100) {\n    int r = setjmp(env);\n    if (r == 0) work(x, y);\n    \
                assert(r == 0 || r > 5);\n  }\n  return 0;\n}\n";
    let folder = Folder::new().with("a.c", text);
    let done = folder.run(&["check", "a.c", "--analysis", "bmc", "--unroll", "4"]);
    assert_eq!(done.code, 20, "{}", done.out);
    for part in [
        "  not reached  a.c:21  assert(r == 0 || r > 5) (deeper recursion)\n",
        "  proved       a.c:15  assert(x >= 0)\n",
        "  proved       a.c:17  assert(y < 256)\n",
        "  - every execution with at most 4 passes of the `setjmp` at line 19 and at most 4 activations of each \
         function at a time\n",
    ] {
        assert!(done.out.contains(part), "{part}\n{}", done.out);
    }
    assert!(!done.out.contains("the loop at line 19"), "{}", done.out);
}

/// What is shown while a run goes on is written to where links lead, and to regular files alone.
#[test]
fn live_files_are_written_through_links() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let folder = Folder::new().with("a.c", FORK).with("real.json", "old");
    let path = |name: &str| folder.path().join(name);
    std::fs::create_dir(path("folder")).expect("a folder");
    for (to, from) in
        [("../real.json", "folder/link"), ("folder/link", "two"), ("new.json", "to-new")]
    {
        symlink(to, path(from)).expect("a link");
    }
    symlink("/dev/null", path("device")).expect("a link");
    symlink("ring", path("ring")).expect("a link");
    let mode = std::fs::Permissions::from_mode(0o600);
    std::fs::set_permissions(path("real.json"), mode.clone()).expect("permissions");
    for (name, real) in [("two", "real.json"), ("to-new", "new.json")] {
        assert_eq!(folder.run(&["check", "a.c", "--live", name]).code, 20);
        assert!(std::fs::symlink_metadata(path(name)).expect("a link").is_symlink(), "{name}");
        assert_eq!(json(&folder, real)["verdict"], "UNKNOWN");
        assert!(!path(&format!("{real}.new")).exists(), "{real}");
    }
    let kept = std::fs::metadata(path("real.json")).expect("a file").permissions();
    assert_eq!(kept.mode() & 0o777, mode.mode());
    for (name, why) in [
        ("folder", "it is not a regular file"),
        ("device", "it leads to something that is not a regular file"),
        ("/dev/null", "it is not a regular file"),
        ("ring", "too many links lead to it"),
    ] {
        let done = folder.run(&["check", "a.c", "--live", name]);
        assert_eq!((done.code, &*done.out), (64, ""), "{name}");
        assert_eq!(done.err, format!("error: cannot write {name}: {why}\n"));
    }
}

/// Conditions are those of the source, also where memory is read for them.
#[test]
fn conditions_are_those_of_the_source() {
    let text = "#include <assert.h>\nextern int in(void);\nstruct s { int v; } x;\nvoid set(int *p) { *p = in(); }\n\
                int main(void) {\n  int n, k = 0;\n  struct s *p = &x;\n  set(&n);\n  set(&x.v);\n  if (n < 0 || n > \
                9) return 1;\n  if (p->v >= '(' && k < in()) k = 1;\n  while (n > 0) n = (n * 7 + k) % 11;\n  \
                assert(n != 5);\n  return 0;\n}\n";
    let folder = Folder::new().with("a.c", text);
    let run = ["check", "a.c", "--analysis", "bmc", "--unroll", "2", "--check", "none"];
    let done = folder.run(&run);
    assert_eq!(done.code, 20, "{}", done.out);
    assert!(done.out.contains("line 10 [n >= 0], line 10 [n <= 9]"), "{}", done.out);
    assert!(done.out.contains("line 11 [p->v >= '(' && k < in(): … "), "{}", done.out);
    assert!(!done.out.contains("[…"), "{}", done.out);
}

/// Entries of a page that look alike are told once, with how many they are; the document has all. Elements of one array are
/// told apart.
/// What a `switch` looks at is a number, and no condition, even where it has only one case.
#[test]
fn one_case_is_a_case() {
    for (case, keyword) in [("0", "switch"), ("7", "switch"), ("7 ... 9", "switch /* of one */")] {
        let text = format!(
            "extern int in(void);\nextern void reach_error(void);\nint main(void) {{\n  int n = in(), r = 0;\n  \
             {keyword} (n) {{\n    case {case}: r = 1; break;\n    default: while (in()) {{ r++; if (r == 9 && n == 5) \
             reach_error(); }}\n  }}\n  return r;\n}}\n"
        );
        let folder = Folder::new().with("a.c", text);
        let done = folder.run(&["check", "a.c", "--analysis", "bmc", "--unroll", "3"]);
        assert_eq!(done.code, 20, "{}{}", done.out, done.err);
        let proved = "every execution that begins with line 5 [";
        let (_, condition) = done.out.split_once(proved).expect("one case is analysed in full");
        let condition = condition.split_once(']').expect("it is in brackets").0;
        assert!(!matches!(condition, "n" | "!(n)"), "{}", done.out);
        if case == "7" {
            assert_eq!(condition, "n == 7");
        }
    }
}

/// Both divisions stand on one line and have one text: what each divides by says which is violated.
#[test]
fn checks_of_one_expression_are_told_apart() {
    let text = "extern int in(void);\nint main(void) {\n  int a = in(), b = in(), c = in();\n  if (b == 0) return 0;\n  \
                return a ? 10 / b : 100 / c;\n}\n";
    let folder = Folder::new().with("a.c", text);
    let done = folder.run(&["check", "a.c", "--check", "div", "--output-dir", "out"]);
    assert_eq!(done.code, 10, "{}", done.out);
    let violated = "  violated     a.c:5  div: return a ? 10 / b : 100 / c; (where c == 0)\n";
    assert!(done.out.contains(violated), "{}", done.out);
    let result = json(&folder, "out/result.json");
    let texts = result["checks"].as_array().into_iter().flatten().map(|check| &check["text"]);
    let texts: Vec<&str> = texts.filter_map(serde_json::Value::as_str).collect();
    assert!(texts.iter().any(|text| text.ends_with("(where b == 0)")), "{texts:?}");
    assert!(folder.read("out/report.html").contains("(where c == 0)</code>"));
}

/// The functions of the library have parameters, whose names nobody knows who has not read the library.
#[test]
fn checks_are_not_told_apart_by_names_of_the_library() {
    let text = "#include <string.h>\nint main(int argc, char **argv) {\n  char a[20], b[10];\n  strcpy(b, \
                argv[0]); strcpy(a, b); strcat(b, a);\n  return 0;\n}\n";
    let folder = Folder::new().with("a.c", text);
    let done = folder.run(&["check", "a.c", "--output-dir", "out"]);
    assert_eq!(done.code, 10, "{}", done.out);
    let result = json(&folder, "out/result.json");
    let texts = result["checks"].as_array().into_iter().flatten().map(|check| &check["text"]);
    let texts: Vec<&str> = texts.filter_map(serde_json::Value::as_str).collect();
    for name in ["to", "from"] {
        let is_told = |text: &&str| text.contains(&format!("through {name}"));
        assert!(!texts.iter().any(is_told), "{texts:?}");
    }
    // What the program itself names is told.
    assert!(
        texts.iter().any(|text| text.ends_with("strcpy(b, argv[0]) (read through argv)")),
        "{texts:?}"
    );
}

/// Letters of a source that is not UTF-8 are replaced where its assertions are told.
#[test]
fn assertions_in_other_encodings_have_their_text() {
    let text = b"#include <assert.h>\nextern int in(void);\n#define MUST(x) assert((x) > 0)\nint main(void) {\n  int \
                 x = in();\n  assert(x != 7); /* \xe9 */\n  assert(x != 8 && \"caf\xe9\");\n  MUST(x + \
                 sizeof(\"\xe9\"));\n  return 0;\n}\n";
    let folder = Folder::new().with("a.c", text);
    let done = folder.run(&["check", "a.c"]);
    assert_eq!(done.code, 10, "{}", done.out);
    for told in [
        "a.c:6  assert(x != 7)\n",
        "a.c:7  assert(x != 8 && \"caf\u{fffd}\")\n",
        "a.c:8  MUST(x + sizeof(\"\u{fffd}\"))\n",
    ] {
        assert!(done.out.contains(told), "{told}: {}", done.out);
    }
}

#[test]
fn what_looks_alike_is_told_once() {
    let text = format!(
        "extern unsigned in(void);\nextern void reach_error(void);\nunsigned a[8];\nint main(void) {{\n  unsigned n = \
         in(), h = in();\n  {MIXING}\n  if (a[h & 7] > a[n & 7]) h = 3;\n  if (a[n * 1000 + h * 1000 & 3] > a[n * 2000 + h * 2000 & 5]) h = 4;\n  \
         if (h == 77 && n > 20) reach_error();\n  return 0;\n}}\n"
    );
    let folder = Folder::new().with("a.c", text);
    let run = ["check", "a.c", "--analysis", "bmc", "--unroll", "2", "--output-dir", "out"];
    let done = folder.run(&run);
    assert_eq!(done.code, 20, "{}", done.out);
    for check in [
        "a.c:7  valid-deref: a[h & 7] > a[n & 7] (of a[h & 7])",
        "a.c:7  valid-deref: a[h & 7] > a[n & 7] (of a[n & 7])",
        "a.c:8  valid-deref: a[n * 1000 + h * 1000 & 3] > a[n * 2000 + h *… (2 times)",
    ] {
        let row = format!("{check} (later rounds of the loop at line 6)\n");
        assert!(done.out.contains(&row), "{row}: {}", done.out);
    }
    assert!(done.out.contains("Checks: 5 open\n"), "{}", done.out);
    assert_eq!(json(&folder, "out/proviso.json")["checks"].as_array().map(Vec::len), Some(5));
    let html = folder.read("out/proviso.html");
    let cell = "<code>valid-deref: a[n * 1000 + h * 1000 &amp; 3] &gt; a[n * 2000 + h * 2000 &amp; 5]</code>";
    assert_eq!(html.matches(cell).count(), 1, "{html}");
    assert!(html.contains(&format!("{cell} (2 times)")), "{html}");
}

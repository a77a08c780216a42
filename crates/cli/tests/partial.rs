//! Runs without an answer, and what can be done with them.

#![allow(missing_docs)]

mod common;

use std::time::Duration;

use common::{Done, ENDLESS, Folder};
use rustix::process::{Pid, Signal, kill_process};

/// One branch for values, one for predicates.
const TWO: &str = "
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int p = __VERIFIER_nondet_int();
  int n = __VERIFIER_nondet_int();
  if (n < 0) n = 0;
  if (p) {
    int k = 0;
    while (k < n) { k++; }
    if (k != n) reach_error();
  } else {
    int flag = 1;
    if (n > 7) flag = 2;
    if (flag == 3) reach_error();
  }
  return 0;
}
";

#[test]
fn a_run_without_an_answer_says_what_it_was_worth() {
    let folder = Folder::new().with("a.c", TWO);
    let done = folder.run(&["check", "a.c", "--analysis", "value-itp", "--output-dir", "out"]);
    assert_eq!(done.code, 20, "{}", done.err);
    assert!(done.last_line().starts_with("Verification result: UNKNOWN (exhausted"));
    for part in [
        "The run stopped: exhausted",
        "Checks: 1 open, 1 proved\n",
        "  open         a.c:11  reach_error() (whether it can fail could not be decided)\n",
        "  proved       a.c:15  reach_error()\n",
        "Not explored, the shortest first:\n",
        "up to a check that could not be decided at a.c:11\n",
        "Coverage: ",
        "proviso continue a.c --assumption out/assumption.spc --analysis predicate",
    ] {
        assert!(done.out.contains(part), "{part}\n{}", done.out);
    }
    let json: serde_json::Value =
        serde_json::from_str(&folder.read("out/proviso.json")).expect("JSON");
    assert_eq!(json["verdict"], "UNKNOWN");
    assert_eq!(json["checks"][0]["status"], "open");
    let trace = &json["frontier"]["traces"][0];
    assert_eq!(trace["kind"], "undecided");
    assert!(folder.read("out/proviso.html").contains("<h2>Checks</h2>"));
    assert!(folder.read("out/coverage.info").contains("DA:"));
    let again = folder.run(&["run", "a.c", "--inputs", "out/frontier-1.txt"]);
    assert!(again.last_line().starts_with("Run ended: "), "{}", again.out);
}

/// What was left out elsewhere is no reason for a check.
#[test]
fn each_check_has_its_own_reason() {
    let text = "
extern unsigned in(void);
extern void reach_error(void);
int main(void) {
  unsigned h = in(), n = in();
  if (in()) {
    for (unsigned i = 0; i < n; i++) { h = h * 31 + i; h ^= h >> 7; }
    if (n > 9 && h == 77) reach_error();
  } else {
    while (h > 9) { h = h * 33 + in(); h ^= h >> 5; }
    if (h == 10) reach_error();
  }
  return 0;
}
";
    let folder = Folder::new().with("a.c", text);
    let done = folder.run(&["check", "a.c", "--analysis", "bmc", "--unroll", "3"]);
    for part in [
        "  open         a.c:8  reach_error() (later rounds of the loop at line 7)\n",
        "  open         a.c:11  reach_error() (later rounds of the loop at line 10)\n",
    ] {
        assert!(done.out.contains(part), "{part}\n{}", done.out);
    }
}

#[test]
fn another_analysis_goes_on() {
    let folder = Folder::new().with("a.c", TWO);
    folder.run(&["check", "a.c", "--analysis", "value-itp", "--output-dir", "out"]);
    let on = ["continue", "a.c", "--assumption", "out/assumption.spc", "--analysis", "predicate"];
    let done = folder.run(&on);
    assert_eq!((done.code, done.last_line()), (0, "Verification result: TRUE"), "{}", done.out);
    assert!(
        done.err.contains("assumption: what out/assumption.spc calls analysed violates nothing"),
        "{}",
        done.err
    );
    // The witness says what it rests on; that of the program alone rests on nothing.
    let said = "description: \"The answer takes for granted that what out/assumption.spc calls analysed violates nothing.\"";
    folder.run(&[&on[..], &["--output-dir", "again"]].concat());
    let witness = folder.read("again/correctness.yml");
    assert!(witness.contains(said), "{witness}");
    let validated = folder.run(&["validate", "a.c", "--witness", "again/correctness.yml"]);
    assert_eq!(validated.last_line(), "Witness: proof confirmed", "{}", validated.err);
    folder.run(&["check", "a.c", "--analysis", "predicate", "--output-dir", "whole"]);
    assert!(!folder.read("whole/correctness.yml").contains("description"));
    // What is left is a part of the program.
    let whole = folder.run(&["check", "a.c", "--analysis", "predicate", "--stats=json"]);
    let rest = folder.run(&[&on[..], &["--stats=json"]].concat());
    assert_eq!(whole.last_line(), rest.last_line(), "{}", rest.err);
}

#[test]
fn a_bad_automaton_is_refused() {
    let folder = Folder::new().with("a.c", TWO).with("bad.spc", "OBSERVER AUTOMATON A\nSTATE");
    let done = folder.run(&["continue", "a.c", "--assumption", "bad.spc"]);
    assert_eq!(done.code, 65, "{}", done.out);
    assert!(done.err.contains("bad.spc:2:1"), "{}", done.err);
    let done = folder.run(&["continue", "a.c", "--assumption", "none.spc"]);
    assert_eq!(done.code, 65, "{}", done.err);
}

#[test]
fn an_automaton_of_another_program_proves_nothing() {
    let other = "OBSERVER AUTOMATON A\nINITIAL STATE ARG0;\nSTATE __TRUE :\n  TRUE -> GOTO __TRUE;\n\
                 STATE USEFIRST ARG0 :\n  MATCH \"int other = 5;\" -> GOTO __TRUE;\n  TRUE -> GOTO \
                 __TRUE;\nEND AUTOMATON\n";
    let wrong =
        "extern void reach_error(void);\nint main(void) { int x = 1;\nif (x) reach_error();\n}\n";
    let folder = Folder::new().with("a.c", wrong).with("a.spc", other);
    let done = folder.run(&["continue", "a.c", "--assumption", "a.spc"]);
    assert_eq!(done.code, 10, "{}\n{}", done.out, done.err);
    let warning = "warning: the program does something else than state ARG0 (a.spc:5:16) of the automaton \
                   says at a.c:2:22; what follows counts as not analysed\n";
    assert!(done.err.contains(warning), "{}", done.err);
}

/// Returns to several calls of one function are told apart in the file.
#[test]
fn what_two_runs_have_analysed_is_not_more() {
    let text = "
extern unsigned char in(void);
extern void reach_error(void);
int f(int x) { return x; }
int main(void) {
  unsigned char a = in();
  unsigned char b = in();
  int u = f(a);
  int v = f(b);
  while (v != b * 7 % 256) v = (v * 5 + 3) & 255;
  if (a == b && (a * 3 & 255) == 231) reach_error();
  return 0;
}
";
    let folder = Folder::new().with("a.c", text);
    let check = ["check", "a.c", "--analysis", "bmc", "--unroll", "1", "--output-dir", "one"];
    assert_eq!(folder.run(&check).code, 20);
    let again = ["continue", "a.c", "--assumption", "one/assumption.spc", "--analysis", "bmc"];
    let again = folder.run(&[&again[..], &["--unroll", "1", "--output-dir", "two"]].concat());
    assert_eq!(again.code, 20, "{}", again.out);
    let file = folder.read("two/assumption.spc");
    assert!(file.contains("return from f to line 8") && file.contains("return from f to line 9"));
    let last = folder.run(&["continue", "a.c", "--assumption", "two/assumption.spc"]);
    assert_eq!(last.last_line(), "Verification result: FALSE (unreach-call)");
}

/// What an automaton says of one program it does not say of another one with the same statements.
#[test]
fn a_changed_program_is_noticed() {
    let text = "
extern unsigned char in(void);
extern void reach_error(void);
int limit = 25;
int main(void) {
  unsigned char a = in();
  unsigned n = a;
  int k = 0;
  while (n > 1) { n = n & 1 ? 3 * n + 1 : n / 2; k++; }
  if (a <= 10) { if (k >= limit) reach_error(); }
  return 0;
}
";
    let folder = Folder::new().with("a.c", text).with("b.c", text.replace("25", "15"));
    let check = ["check", "a.c", "--analysis", "bmc", "--unroll", "40", "--output-dir", "out"];
    assert_eq!(folder.run(&check).code, 20);
    let goes_on = |arguments: &[&str]| {
        let file = ["--assumption", "out/assumption.spc", "--analysis", "bmc"];
        folder.run(&[&["continue"], arguments, &file].concat())
    };
    let same = goes_on(&["a.c"]);
    assert!(!same.err.contains("warning"), "{}", same.err);
    assert_eq!(same.last_line(), "Verification result: TRUE");
    for changed in [&["b.c"][..], &["a.c", "--32"], &["a.c", "--globals", "arbitrary"]] {
        let done = goes_on(changed);
        let text = [done.out.clone(), done.err.clone()].concat();
        assert!(text.contains("was made of another program, or with other options"), "{text}");
    }
    assert_eq!(goes_on(&["b.c"]).last_line(), "Verification result: FALSE (unreach-call)");
}

#[test]
fn coverage_counts_executions_that_end() {
    let folder = Folder::new().with("a.c", TWO);
    let done = folder.run(&["coverage", "a.c", "--lcov", "a.info", "--output-dir", "tests"]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(done.last_line().starts_with("Coverage: 11 of 11 lines, 10 of 12 "), "{}", done.out);
    assert!(folder.read("a.info").starts_with("TN:proviso\nSF:a.c\n"));
    let run = folder.run(&["run", "a.c", "--inputs", "tests/test-1.txt"]);
    assert_eq!(run.last_line(), "Run ended: returned 0");
}

#[test]
fn nothing_to_verify_is_said() {
    let folder = Folder::new().with("a.c", "int main(void) { return 0; }");
    let done = folder.run(&["check", "a.c"]);
    assert_eq!(
        done.out,
        "Nothing to verify: no assert, error call or fault that is checked can be reached. Add an assert, or \
         look for more kinds of faults by --check all.\n\
         Verification result: TRUE\n"
    );
}

#[test]
fn a_run_is_seen_while_it_goes_on() {
    let folder = Folder::new().with("a.c", ENDLESS);
    let mut command = folder.command(&["check", "a.c", "--live", "live.json"]);
    let mut child = command
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let live = folder.path().join("live.json");
    let found = (0..600).any(|_| {
        std::thread::sleep(Duration::from_millis(100));
        let text = std::fs::read_to_string(&live).unwrap_or_default();
        let json: Option<serde_json::Value> = serde_json::from_str(&text).ok();
        json.is_some_and(|json| json["verdict"] == "RUNNING" && json["proved"][0].is_string())
    });
    let id = Pid::from_raw(i32::try_from(child.id()).expect("an id")).expect("a process");
    kill_process(id, Signal::USR1).expect("it runs");
    std::thread::sleep(Duration::from_secs(1));
    // No last words.
    kill_process(id, Signal::KILL).expect("it runs");
    let mut told = String::new();
    let mut err = child.stderr.take().expect("a pipe");
    std::io::Read::read_to_string(&mut err, &mut told).expect("text");
    child.wait().expect("it has ended");
    assert!(found, "nothing was shown: {told}");
    let json: serde_json::Value =
        serde_json::from_str(&folder.read("live.json")).expect("a whole file");
    assert_eq!(json["checks"][0]["status"], "open");
    // The file is all that is left of it, and the page was for somebody who waits.
    let next = json["next"][0]["command"].as_str().unwrap_or_default();
    assert!(next.starts_with("proviso check a.c "), "{json}");
    assert!(!told.contains("To go on:"), "{told}");
}

/// However many states do not fit, it is said once.
#[test]
fn states_that_do_not_fit_are_told_once() {
    let mut other = "OBSERVER AUTOMATON A\nINITIAL STATE ARG0;\nSTATE __TRUE :\n  TRUE -> GOTO __TRUE;\n\
                     STATE USEFIRST ARG0 :\n  MATCH \"[x]\" -> GOTO ARG1;\n  MATCH \"[!(x)]\" -> GOTO \
                     ARG2;\n  TRUE -> GOTO ARG0;\n"
        .to_owned();
    for number in 1..3 {
        other += &format!(
            "STATE USEFIRST ARG{number} :\n  MATCH \"int other = {number};\" -> GOTO __TRUE;\n  TRUE -> \
             GOTO __TRUE;\n"
        );
    }
    other += "END AUTOMATON\n";
    let text = "extern int in(void);\nextern void reach_error(void);\nint main(void) {\n  int x = in(), y = 0;\n  \
                if (x)\n    y = 1;\n  else\n    y = 2;\n  if (y == 3) reach_error();\n  return 0;\n}\n";
    let folder = Folder::new().with("a.c", text).with("a.spc", &other);
    let done = folder.run(&["continue", "a.c", "--assumption", "a.spc"]);
    assert_eq!(done.code, 0, "{}\n{}", done.out, done.err);
    let warnings: Vec<&str> = done.err.lines().filter(|line| line.contains("warning")).collect();
    assert_eq!(
        warnings,
        [
            "warning: the program does something else than 2 states of the automaton say, the first is state \
          ARG1 (a.spc:9:16) at a.c:6:5; what follows them counts as not analysed"
        ]
    );
}

/// What is behind something that is not modelled has no way in the model, and is not proved.
#[test]
fn asserts_behind_what_is_not_modelled_are_not_proved() {
    for text in [
        "#include <assert.h>\nextern int ext(void);\nint main(void) {\n  int x = ext();\n  \
         assert(x != 3);\n  return 0;\n}\n",
        "#include <assert.h>\nextern int ext(void), fork(void);\nint main(void) {\n  if (fork() > 3) {\n    \
         int x = ext();\n    assert(x < 0);\n  }\n  return 0;\n}\n",
        // A condition on a result that is not there decides nothing.
        "#include <assert.h>\n#include <stdio.h>\nint main(void) {\n  int v, sum = 0;\n  \
         while (scanf(\"%4d\", &v) == 1) {\n    sum += v;\n    assert(sum < 100);\n  }\n  \
         assert(sum < 9);\n  return 0;\n}\n",
        "#include <assert.h>\nextern int in(void);\nint main(void) {\n  int x = 0;\n  \
         if (__builtin_frame_address(0) == 0) return 2;\n  assert(x == 7);\n  return 0;\n}\n",
    ] {
        let folder = Folder::new().with("a.c", text);
        let done = folder.run(&["check", "a.c", "--external", "error", "--timelimit", "30s"]);
        assert_eq!(done.code, 20, "{}", done.out);
        assert!(!done.out.contains("  proved  "), "{}", done.out);
    }
}

/// Nobody calls these functions in the model, but what is not modelled may.
#[test]
fn asserts_of_threads_and_handlers_are_not_reached() {
    let text = "#include <assert.h>\n#include <pthread.h>\nint g;\n\
                static void check(int x) { assert(x == 1); }\n\
                void *work(void *p) {\n  g++;\n  check(g);\n  assert(g < 2);\n  return p;\n}\n\
                int main(void) {\n  pthread_t t;\n  assert(g == 0);\n  pthread_create(&t, 0, work, 0);\n  \
                return 0;\n}\n";
    let folder = Folder::new().with("a.c", text);
    let done = folder.run(&["check", "a.c", "--property", "unreach-call", "--timelimit", "30s"]);
    assert_eq!(done.code, 20, "{}", done.out);
    for part in [
        "Checks: 2 not reached, 1 proved\n",
        "  not reached  a.c:7  check(g): assert(x == 1)",
        "  not reached  a.c:8  assert(g < 2)",
        "  proved       a.c:13  assert(g == 0)\n",
    ] {
        assert!(done.out.contains(part), "{part}\n{}", done.out);
    }
}

/// A check that one run has proved is proved on the page of the next.
#[test]
fn what_an_earlier_run_has_proved_stays_proved() {
    let text = "#include <assert.h>\nextern unsigned in(void);\n\
                static unsigned mix(unsigned n, unsigned x) {\n  assert(n <= 1000);\n  \
                if (n == 0) return 1;\n  return mix(n - 1, x) * 5 + (n & 1);\n}\n\
                int main(void) {\n  unsigned n = in();\n  if (n > 1000) n = 1000;\n  \
                assert(n <= 1000);\n  assert(mix(n, in()) != 77);\n  return 0;\n}\n";
    let folder = Folder::new().with("a.c", text);
    let first =
        ["check", "a.c", "--property", "unreach-call", "--analysis", "bmc", "--unroll", "3"];
    let done = folder.run(&[&first[..], &["--output-dir", "o"]].concat());
    assert_eq!(done.code, 20, "{}", done.out);
    let proved = "  proved       a.c:11  assert(n <= 1000)\n";
    assert!(done.out.contains(proved), "{}", done.out);
    let next =
        ["continue", "a.c", "--property", "unreach-call", "--assumption", "o/assumption.spc"];
    let done = folder.run(&[&next[..], &["--analysis", "bmc", "--unroll", "1"]].concat());
    assert_eq!(done.code, 20, "{}", done.out);
    assert!(done.out.contains(proved), "{}", done.out);
}

/// An assert that is constantly true is proved, and one that is constantly false is as all others.
#[test]
fn constant_asserts_are_in_the_table() {
    let text = "#include <assert.h>\nextern unsigned in(void);\nint main(void) {\n  assert(1);\n  \
                assert(sizeof(int) == 4);\n  unsigned x = in();\n  assert(x * x != 3);\n  \
                if (x == 9)\n    assert(0);\n  return 0;\n}\n";
    let folder = Folder::new().with("a.c", text);
    let done = folder.run(&["check", "a.c"]);
    assert_eq!(done.code, 10, "{}", done.err);
    for part in [
        "Checks: 1 violated, 1 open, 2 proved\n",
        "  violated     a.c:9  assert(0)\n",
        "  open         a.c:7  assert(x * x != 3)\n",
        "  proved       a.c:4  assert(1)\n",
        "  proved       a.c:5  assert(sizeof(int) == 4)\n",
    ] {
        assert!(done.out.contains(part), "{part}\n{}", done.out);
    }
    let folder = Folder::new().with("a.c", "#include <assert.h>\nint main(void) { assert(1); }\n");
    let done = folder.run(&["check", "a.c"]);
    assert!(
        done.out.starts_with("Checks: 1 proved\n  proved       a.c:2  assert(1)\n"),
        "{}",
        done.out
    );
    assert_eq!((done.code, done.last_line()), (0, "Verification result: TRUE"));
}

/// What is not modelled comes behind, so the asserts before it are settled; those behind it are not.
#[test]
fn constant_asserts_before_what_is_not_modelled_are_proved() {
    let text = "#include <assert.h>\nextern int fork(void);\nint main(void) {\n  int x = 3; assert(1);\n  \
                assert(sizeof(int) == 4 && fork() < 9);\n  assert(x == 3);\n  return 0;\n}\n";
    let folder = Folder::new().with("a.c", text);
    let done = folder.run(&["check", "a.c", "--timelimit", "30s"]);
    assert_eq!(done.code, 20, "{}", done.out);
    let why = "(not modelled at a.c:5: processes)\n";
    for part in [
        "Checks: 2 not reached, 1 proved\n",
        "  proved       a.c:4  assert(1)\n",
        &format!("  not reached  a.c:5  assert(sizeof(int) == 4 && fork() < 9) {why}"),
        &format!("  not reached  a.c:6  assert(x == 3) {why}"),
    ] {
        assert!(done.out.contains(part), "{part}\n{}", done.out);
    }
}

/// Nobody knows what comes after something that is not modelled: not in the callers either, nor on other branches.
#[test]
fn asserts_past_what_is_not_modelled_are_not_proved() {
    let head = "#include <assert.h>\nextern int fork(void);\nextern unsigned char in(void);\n";
    let bodies = [
        "int f(int p) { p = fork(); return p; }\nint main(void) { int x = in(); f(x);\n  assert(x != 7); return 0; }\n",
        "int main(void) { int x = in(); if (x > 3) fork();\n\n  assert(x != 7); return 0; }\n",
        "int main(void) { int x = in(); for (;;) {\n\n  assert(x != 7); fork(); x++; } }\n",
    ];
    for body in bodies {
        let folder = Folder::new().with("a.c", format!("{head}{body}"));
        for analysis in ["auto", "value", "predicate"] {
            let run = ["check", "a.c", "--check", "none", "--analysis", analysis];
            let done = folder.run(&[&run[..], &["--timelimit", "5s"]].concat());
            assert!(!done.out.contains("  proved       a.c:6"), "{analysis} {body}\n{}", done.out);
            assert!(
                done.out.contains("  a.c:6  assert(x != 7)"),
                "{analysis} {body}\n{}",
                done.out
            );
        }
    }
    let text =
        "int main(void) { int x = in(); if (x > 300) fork();\n\n  assert(x < 256); return 0; }\n";
    let folder = Folder::new().with("a.c", format!("{head}{text}"));
    let done = folder.run(&["check", "a.c"]);
    assert_eq!((done.code, done.last_line()), (0, "Verification result: TRUE"));
    assert!(done.out.contains("  proved       a.c:6  assert(x < 256)"), "{}", done.out);
}

/// What the program says itself comes first, and the rest of a long table has its place.
#[test]
fn a_long_table_says_where_the_rest_is() {
    let mut text = "extern unsigned in(void);\nextern void reach_error(void);\nint a[4];\n\
                    int main(void) {\n  unsigned h = in(), n = in();\n"
        .to_owned();
    for _ in 0..14 {
        text +=
            "  for (unsigned i = 0; i < n; i++) { h = h * 31 + i; h ^= h >> 7; a[h & 3] = 1; }\n";
    }
    text += "  if (n > 9 && h == 77) reach_error();\n  return 0;\n}\n";
    let folder = Folder::new().with("a.c", &text);
    let run = ["check", "a.c", "--analysis", "bmc", "--unroll", "1"];
    let done = folder.run(&run);
    let rows: Vec<&str> =
        done.out.lines().skip_while(|line| !line.starts_with("Checks: ")).take(14).collect();
    assert_eq!(rows[0], "Checks: 15 open");
    assert!(rows[1].starts_with("  open         a.c:20  reach_error() ("), "{}", done.out);
    assert!(rows[2].starts_with("  open         a.c:6  valid-deref: "), "{}", done.out);
    let more = "  … and 3 more: 3 open; with --output-dir DIR, all of them are in DIR/proviso.json";
    assert_eq!(rows[13], more);
    let done = folder.run(&[&run[..], &["--output-dir", "out"]].concat());
    assert!(done.out.contains("  … and 3 more: 3 open; all of them are in out/proviso.json\n"));
    let json: serde_json::Value =
        serde_json::from_str(&folder.read("out/proviso.json")).expect("JSON");
    assert_eq!(json["checks"].as_array().map(Vec::len), Some(15));
    assert_eq!(json["checks"][0]["implicit"], true);
}

/// Commands that go on have the options of the run.
#[test]
fn advice_keeps_what_the_user_has_chosen() {
    let folder = Folder::new().with("a.c", TWO);
    let run =
        ["check", "a.c", "--analysis", "value-itp", "--traversal", "bfs", "--report-budget", "2s"];
    let done = folder.run(&[&run[..], &["--output-dir", "o"]].concat());
    let on = "  proviso continue a.c --report-budget 2s --assumption o/assumption.spc --analysis predicate \
              --timelimit 3600s --output-dir o-2\n";
    assert!(done.out.contains(on), "{}", done.out);
    let words = on.trim().split(' ').skip(1).collect::<Vec<_>>();
    let done = folder.run(&words);
    assert_eq!((done.code, done.last_line()), (0, "Verification result: TRUE"), "{}", done.err);
    let done = folder.run(&run);
    let on = "  proviso check a.c --report-budget 2s --output-dir out\n    try all analyses";
    assert!(done.out.contains(on), "{}", done.out);
    let endless = Folder::new().with("a.c", ENDLESS);
    let run =
        ["check", "a.c", "--analysis", "predicate", "--traversal", "bfs", "--timelimit", "2s"];
    let done = endless.run(&run);
    let on = "  proviso check a.c --analysis predicate --traversal bfs --timelimit 8s --output-dir out\n";
    assert!(done.out.contains(on), "{}", done.out);
}

/// A run that goes on in the folder of the earlier one does not lose what it goes on from.
#[test]
fn what_is_gone_on_from_stays() {
    let folder = Folder::new().with("a.c", TWO);
    folder.run(&["check", "a.c", "--analysis", "value-itp", "--output-dir", "out"]);
    let before = folder.read("out/assumption.spc");
    let on = ["continue", "a.c", "--assumption", "out/assumption.spc", "--output-dir", "out"];
    let done = folder.run(&[&on[..], &["--analysis", "predicate"]].concat());
    assert_eq!(done.code, 0, "{}", done.err);
    assert_eq!(folder.read("out/assumption.spc"), before);
    // The next run that goes on from nothing removes it.
    folder.run(&["check", "a.c", "--output-dir", "out"]);
    assert!(!folder.path().join("out/assumption.spc").exists());
}

/// A check that comes before something that is not modelled is proved, also behind a loop that has become one step.
#[test]
fn checks_before_what_is_not_modelled_are_proved() {
    let folder = Folder::new().with(
        "a.c",
        "#include <assert.h>\nextern int in(void);\nextern int fork(void);\nint main(void) {\n  int a = in();\n  \
         while (a < 5)\n    a++;\n  assert(a >= 5);\n  int b = fork();\n  assert(b < 5);\n  return 0;\n}\n",
    );
    let done = folder.run(&["check", "a.c"]);
    assert_eq!(done.code, 20, "{}{}", done.out, done.err);
    for line in [
        "  proved       a.c:8  assert(a >= 5)\n",
        "  not reached  a.c:10  assert(b < 5) (not modelled at a.c:9: processes)\n",
    ] {
        assert!(done.out.contains(line), "{line}{}", done.out);
    }
}

/// What is not modelled may jump back to a `setjmp`, in the same function or in another one.
#[test]
fn checks_behind_a_setjmp_are_open_where_something_is_not_modelled() {
    let head =
        "#include <setjmp.h>\n#include <assert.h>\njmp_buf b;\nint x;\nextern void ext(void);\n";
    for rest in [
        "int main(void) { volatile int i; for (i = 0; i < 3; i++); setjmp(b); assert(x == 0); x = 1; ext(); return 0; }\n",
        "void g(void) { x = 1; ext(); }\nint main(void) { setjmp(b); assert(x == 0); g(); return 0; }\n",
    ] {
        let folder = Folder::new().with("a.c", format!("{head}{rest}"));
        for analysis in ["auto", "bmc"] {
            let run =
                ["check", "a.c", "--check", "none", "--external", "error", "--analysis", analysis];
            let done = folder.run(&run);
            assert_eq!(done.code, 20, "{}{}", done.out, done.err);
            assert!(!done.out.contains("  proved  "), "{analysis} {rest}: {}", done.out);
        }
    }
}

/// A jump that is not modelled leads to a label of its own function only.
#[test]
fn checks_behind_a_label_are_proved_where_another_function_is_not_modelled() {
    let program = "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\nextern void ext(void);\n
        int count(void) { int i = 0; again: assert(i <= 10); if (i < 10 && __VERIFIER_nondet_int()) { i++; goto again; } return i; }
        int main(void) { int k = count(); assert(k >= 0); ext(); assert(k < 5); return 0; }\n";
    let folder = Folder::new().with("a.c", program);
    let done = folder.run(&["check", "a.c", "--check", "none", "--external", "error"]);
    assert_eq!(done.code, 20, "{}{}", done.out, done.err);
    let proved = done.out.lines().filter(|line| line.starts_with("  proved  ")).count();
    assert_eq!(proved, 2, "{}", done.out);
}

/// The rows of the table of checks, each with its first word and the place of the check.
fn rows(done: &Done) -> Vec<String> {
    let table = done.out.lines().skip_while(|line| !line.starts_with("Checks:")).skip(1);
    let row = |line: &str| {
        let (standing, rest) = line.strip_prefix("  ")?.split_once("  ")?;
        Some(format!("{standing} {}", rest.trim_start().split("  ").next()?))
    };
    table.map_while(row).collect()
}

/// What is not modelled may go on elsewhere, return, or call functions whose addresses are taken: checks there are not proved,
/// although the executions that were analysed do not violate them. With gcc, each of these asserts fails in some execution.
#[test]
fn checks_that_are_reached_past_what_is_not_modelled_are_not_proved() {
    let head = "#include <assert.h>\n#include <pthread.h>\n#include <signal.h>\n
        extern int __VERIFIER_nondet_int(void); int g, s; typedef void (*fn)(void);\n";
    let long = "if (s > 100) s = 0; if (s < -3) s = 1; if (s == 5) s = 2; if (s == 6) s = 3;";
    let thread = "pthread_t t; pthread_create(&t, 0, th, 0); pthread_join(t, 0);";
    let programs: [(&str, String, &[&str]); 11] = [
        // Between the call that is the check, and the error.
        ("jump", "static void f(int x) { if (x == 7) __asm__ goto (\"jmp %l0\" : : : : lab); else x = 1;\n lab: assert(x != 7); }
            int main(void) { f(__VERIFIER_nondet_int()); return 0; }".to_owned(), &[]),
        ("inner", "static int h(int x) { if (x == 7) __asm__ volatile goto (\"nop\" : : : : lab);\n lab: return x; }
            static void f(int x) { int y = h(x); assert(y != 7); }
            int main(void) { f(__VERIFIER_nondet_int()); return 0; }".to_owned(), &[]),
        ("started", format!("static void *th(void *a) {{ g = 1; return 0; }}
            static int start(int x) {{ if (x == 7) {{ {thread} }} return x; }}
            static void f(int x) {{ start(x); assert(g == 0); }}
            int main(void) {{ f(__VERIFIER_nondet_int()); return 0; }}"), &[]),
        ("computed", "static void f(int x) { if (x == 7) goto *&&lab; x = 1;\n lab: assert(x != 7); }
            int main(void) { f(__VERIFIER_nondet_int()); return 0; }".to_owned(), &[]),
        // Behind an access that may be valid, and behind a call that may return.
        ("size", "extern int table[];
            int main(void) { int k = __VERIFIER_nondet_int(); if (k > 2) { table[k] = 1; g = 1; } assert(g == 0); return 0; }".to_owned(), &[]),
        ("origin", "extern fn get(void); void hit(void) { g = 1; } fn keep = hit;
            int main(void) { fn p = get(); p(); assert(g == 0); return 0; }".to_owned(), &["--outside-pointers", "any", "--check", "none"]),
        // In functions that something else calls as well.
        ("both", format!("static void work(int x) {{ {long} assert(g == 0); }}
            static void *th(void *a) {{ g = 1; work(1); return 0; }}
            int main(void) {{ work(0); {thread} return 0; }}"), &[]),
        ("signal", format!("static void log_it(int x) {{ {long} assert(g == 0); }}
            static void handler(int sig) {{ log_it(sig); }}
            int main(void) {{ log_it(0); g = 1; signal(SIGINT, handler); raise(SIGINT); return 0; }}"), &[]),
        ("other", format!("int h(long a, long b) {{ {long} assert(a == 1); return 0; }} int (*fp)(long);
            int main(void) {{ h(1, 2); fp = (int (*)(long))h; int r = fp(2); return 0; }}"), &[]),
        ("handler", format!("static void th(int x) {{ {long} assert(x == 0); }}
            int main(void) {{ th(0); signal(SIGINT, th); raise(SIGINT); return 0; }}"), &[]),
        ("landing", "#include <setjmp.h>\njmp_buf b; extern int table[];
            int main(void) { int k = __VERIFIER_nondet_int(); if (setjmp(b)) assert(g == 1); assert(g == 0); g = 1; if (k > 2) table[k] = 1; return 0; }".to_owned(), &[]),
    ];
    for (name, program, options) in programs {
        let folder = Folder::new().with("a.c", format!("{head}{program}\n"));
        for analysis in ["auto", "bmc", "value"] {
            let run = [&["check", "a.c", "--analysis", analysis][..], options].concat();
            let done = folder.run(&run);
            assert_eq!(done.code, 20, "{name} {analysis}: {}{}", done.out, done.err);
            let rows = rows(&done);
            let is_proved = |row: &String| row.starts_with("proved") && row.contains("assert");
            assert!(
                !rows.is_empty() && !rows.iter().any(is_proved),
                "{name} {analysis}: {}",
                done.out
            );
        }
    }
}

/// Code that is not in the model, because it stands behind something that is not modelled, calls functions all the same;
/// so do destructors and functions that clean up. With gcc, each of these asserts fails in some execution.
#[test]
fn checks_in_functions_that_are_called_past_what_is_not_modelled_are_not_proved() {
    let head = "#include <assert.h>\n#include <pthread.h>\n
        static int s; static void *th(void *a) { return 0; }
        static void work(int x) { if (s > 100) s = 0; if (s < -3) s = 1; if (s == 5) s = 2; if (s == 6) s = 3; assert(x == 0); }\n";
    let thread = "pthread_t t; pthread_create(&t, 0, th, 0);";
    for (name, rest) in [
        ("behind", format!("int main(void) {{ work(0); {thread} work(1); return 0; }}")),
        (
            "label",
            "int main(void) { work(0); __asm__ goto (\"jmp %l0\" : : : : l); return 0;\n l: work(1); return 0; }"
                .to_owned(),
        ),
        (
            "through",
            format!("static void by(void) {{ work(1); }} int main(void) {{ work(0); {thread} by(); return 0; }}"),
        ),
        ("within", format!("int main(void) {{ work(0); ({{ {thread} work(1); }}); return 0; }}")),
        ("goto", format!("int main(void) {{ work(0); {thread} goto out; out: work(1); return 0; }}")),
        (
            "destructor",
            "__attribute__((destructor)) static void fini(void) { work(1); } int main(void) { work(0); return 0; }"
                .to_owned(),
        ),
        (
            "cleanup",
            "static void clean(int *p) { work(1); }
             int main(void) { work(0); { int v __attribute__((cleanup(clean))) = 1; } return 0; }"
                .to_owned(),
        ),
    ] {
        let folder = Folder::new().with("a.c", format!("{head}{rest}\n"));
        for analysis in ["auto", "bmc", "value"] {
            let done = folder.run(&["check", "a.c", "--check", "none", "--analysis", analysis]);
            assert_eq!(done.code, 20, "{name} {analysis}: {}{}", done.out, done.err);
            let rows = rows(&done);
            let is_proved = |row: &String| row.starts_with("proved") && row.contains("assert");
            let is_wrong = rows.is_empty() || rows.iter().any(is_proved);
            assert!(!is_wrong, "{name} {analysis}: {}", done.out);
        }
    }
}

/// A function that a thread calls as well returns to the thread there: what follows its calls in the program is proved.
#[test]
fn checks_behind_calls_of_functions_that_threads_call_too_are_proved() {
    let folder = Folder::new().with(
        "a.c",
        "#include <assert.h>\n#include <pthread.h>\nstatic int n, s;
static int max(int a, int b) { if (s > 100) s = 0; if (s < -3) s = 1; if (s == 5) s = 2; return a > b ? a : b; }
static void *th(void *a) { n = max(1, 2); return 0; }
int main(void) { int i, m = 0; for (i = 0; i < 4; i++) m = max(m, i); assert(m == 3); pthread_t t; pthread_create(&t, 0, th, 0); return 0; }\n",
    );
    let done = folder.run(&["check", "a.c", "--check", "none"]);
    assert!(rows(&done).iter().any(|row| row.starts_with("proved a.c:6")), "{}", done.out);
}

/// A call of a check in a function that only something which is not modelled calls has a row of its own.
#[test]
fn calls_of_checks_in_threads_are_listed() {
    let folder = Folder::new().with(
        "a.c",
        "#include <assert.h>\n#include <pthread.h>\nint g;
static int inc(int x) { assert(x >= 0); return x + 1; }
static void *th(void *a) {
  inc(-1); return 0; }
int main(void) {
  g = inc(0); pthread_t t; pthread_create(&t, 0, th, 0); pthread_join(t, 0); return 0; }\n",
    );
    let done = folder.run(&["check", "a.c"]);
    let rows = rows(&done);
    let has = |start: &str| rows.iter().any(|row| row.starts_with(start));
    assert!(has("proved a.c:8") && has("not reached a.c:6"), "{}", done.out);
}

/// A proof that says nothing of executions which never end has proved the other parts of the property all the same.
#[test]
fn a_proof_that_leaves_a_part_open_is_told() {
    let folder = Folder::new().with(
        "a.c",
        "#include <stdlib.h>\nint main(void) {\n  for (int i = 0; i < 3; i++) {\n    char *p = malloc(4);\n    p[3] = 1;\n    \
         free(p);\n  }\n  return 0;\n}\n",
    );
    let done =
        folder.run(&["check", "a.c", "--property", "valid-memsafety", "--output-dir", "out"]);
    assert_eq!(done.last_line(), "Verification result: UNKNOWN (property: valid-memtrack)");
    for line in [
        "  open         a.c:2  valid-memtrack: main(void) (executions that never end may lose memory, too)\n",
        "  proved       a.c:5  valid-deref: p[3] = 1;\n",
        "  proved       a.c:6  valid-free: free(p);\n",
    ] {
        assert!(done.out.contains(line), "{line}{}", done.out);
    }
    let on =
        ["continue", "a.c", "--property", "valid-memsafety", "--assumption", "out/assumption.spc"];
    let done = folder.run(&on);
    assert_eq!(done.last_line(), "Verification result: UNKNOWN (property: valid-memtrack)");
}

/// The condition of an assertion is what holds where the program goes on, whatever the macro makes of it.
#[test]
fn assertions_hold_where_the_program_goes_on() {
    let folder = Folder::new().with(
        "a.c",
        "#include <assert.h>\n#define CHECK(c) if (!(c)) reach_error()\nextern void reach_error(void);\nextern int in(void);\n\
         extern int fork(void);\nint main(void) {\n  int a = in();\n  if (a < 0 || a > 900)\n    return 0;\n  \
         assert(!(a < 0));\n  assert(a != 999);\n  CHECK(a != -5);\n  CHECK(!(a == -7));\n  return fork();\n}\n",
    );
    let done = folder.run(&["check", "a.c", "--no-simplify", "--output-dir", "out"]);
    assert_eq!(done.code, 20, "{}{}", done.out, done.err);
    let automaton = folder.read("out/assumption.spc");
    for said in ["assert(!(a < 0));", "assert(a != 999);", "CHECK(a != -5)", "CHECK(!(a == -7))"] {
        let told = |text: &str| text.contains(&format!("[{said}]"));
        assert!(told(&done.out) || told(&automaton), "{said}: {} {automaton}", done.out);
        assert!(!done.out.contains(&format!("[!({said})]")), "{said}: {}", done.out);
        assert!(!automaton.contains(&format!("MATCH \"[{said}]\" -> GOTO __TRUE")), "{automaton}");
    }
}

/// A conditional expression within an argument is no statement: its condition is told, and not the call around it.
#[test]
fn conditions_within_arguments_are_told() {
    let folder = Folder::new().with(
        "a.c",
        "extern void reach_error(void);\nextern int in(void);\nstatic int f(int n, int d) {\n  if (n <= 0)\n    \
         return d;\n  return f(n % 2 ? n - 1 : n / 2, d + 1);\n}\nint main(void) {\n  int n = in();\n  \
         if (f(n, 0) == 77)\n    reach_error();\n  return 0;\n}\n",
    );
    let options = ["--analysis", "bmc", "--unroll", "3", "--output-dir", "out"];
    let done = folder.run(&[&["check", "a.c"][..], &options].concat());
    assert_eq!(done.code, 20, "{}{}", done.out, done.err);
    assert!(done.out.contains("line 6 [n % 2 != 0], line 6 return f("), "{}", done.out);
    let automaton = folder.read("out/assumption.spc");
    for condition in ["[n % 2 != 0]", "[n % 2 == 0]"] {
        assert!(automaton.contains(&format!("MATCH \"{condition}\"")), "{condition}: {automaton}");
    }
    for said in [&done.out, &automaton] {
        assert!(!said.contains("[return") && !said.contains("[f(n %"), "{said}");
    }
}

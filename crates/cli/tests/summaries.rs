//! What is said of loops that were summarised, and of rounds that were taken at once.

#![allow(missing_docs)]

mod common;

use common::Folder;

const EXTERN: &str =
    "extern void reach_error(void); extern unsigned in(void); extern unsigned char byte(void);";

/// A loop with a billion rounds.
const BILLION: &str = "int main(void) {\n  unsigned i = 0, s = 0;\n  while (i < 1000000000) {\n    i++;\n    \
                       s += 3;\n  }\n  return s == 3000000000u ? 7 : 1;\n}\n";

#[test]
fn a_run_takes_rounds_at_once() {
    let folder = Folder::new().with("a.c", BILLION);
    let done = folder.run(&["run", "a.c", "--timelimit", "60s"]);
    assert_eq!(done.last_line(), "Run ended: returned 7", "{}", done.err);
    let rounds = "999999990 rounds of the loop at a.c:3 were taken at once, by an exact summary\n";
    assert!(done.err.contains(&format!("note: {rounds}")), "{}", done.err);
    let done = folder.run(&["run", "a.c", "--trace", "--timelimit", "60s"]);
    assert_eq!(done.last_line(), "Run ended: returned 7");
    let (before, after) = done.err.split_once(&format!("… {rounds}")).expect("the rounds");
    assert!(before.contains("i = 8\n") && !before.contains("i = 9\n"), "{before}");
    assert!(after.contains("i = 999999999\n") && after.contains("s = 3000000000\n"), "{after}");
    // Limits count every step, and short loops are executed.
    let done = folder.run(&["run", "a.c", "--max-steps", "1000"]);
    assert_eq!(done.last_line(), "Run ended: step limit");
    let folder = folder.with("a.c", BILLION.replace("1000000000)", "1000)"));
    let done = folder.run(&["run", "a.c"]);
    assert_eq!(done.last_line(), "Run ended: returned 1");
    assert!(!done.err.contains("at once"), "{}", done.err);
}

#[test]
fn a_counterexample_counts_the_rounds_it_does_not_show() {
    let text = format!(
        "{EXTERN}\nint main(void) {{\n  int i = 0, s = 0;\n  for (i = 0; i < 1000000; i++) {{\n    if (i < 400000)\n      \
         s += 2;\n    else\n      s += 3;\n  }}\n  if (s == 2600000) reach_error();\n  return 0;\n}}\n"
    );
    let folder = Folder::new().with("a.c", text);
    let done = folder.run(&["check", "a.c", "--timelimit", "60s", "--output-dir", "out"]);
    assert_eq!(done.last_line(), "Verification result: FALSE (unreach-call)", "{}", done.out);
    let shown = folder.read("out/counterexample.txt");
    let header = "999980 rounds of the loop at a.c:4 were replayed at once, by an exact summary.\n";
    assert!(shown.contains(header), "{shown}");
    // The round in which the loop does something else is shown, and the one before it.
    let folds: Vec<&str> = shown.lines().filter(|line| line.contains('…')).collect();
    let folds: Vec<&str> = folds.iter().map(|line| line.trim_start()).collect();
    assert_eq!(folds, ["… 399997 more iterations", "… 599998 more iterations"], "{shown}");
    for values in ["s = 800000", "s = 800003", "s = 4", "s = 2600000"] {
        assert!(shown.contains(&format!("{values}\n")), "{values}: {shown}");
    }
}

#[test]
fn rounds_of_a_long_run_are_counted() {
    let text = format!(
        "{EXTERN}\nint main(void) {{\n  unsigned i, heads = 0;\n  for (i = 0; i < 100000; i++) {{\n    if (in())\n      \
         heads++;\n  }}\n  if (heads == 99999)\n    reach_error();\n  return 0;\n}}\n"
    );
    let folder = Folder::new().with("a.c", text);
    let done = folder.run(&["check", "a.c", "--timelimit", "120s", "--output-dir", "out"]);
    assert_eq!(done.last_line(), "Verification result: FALSE (unreach-call)", "{}", done.out);
    let shown = folder.read("out/counterexample.txt");
    // All rounds and the test that ends the loop, without those that are shown.
    assert!(shown.contains("… 99997 more iterations\n"), "{shown}");
    assert!(!shown.contains("left out"), "{shown}");
}

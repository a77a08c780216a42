//! What is said of loops that were summarised, and of rounds that were taken at once.

#![allow(missing_docs)]

mod common;

use common::Folder;

const EXTERN: &str =
    "extern void reach_error(void); extern unsigned in(void); extern unsigned char byte(void);";

/// A loop with a billion rounds.
const BILLION: &str = "int main(void) {\n  unsigned i = 0, s = 0;\n  while (i < 1000000000) {\n    i++;\n    \
                       s += 3;\n  }\n  return s == 3000000000u ? 7 : 1;\n}\n";

/// A loop that is summarised, and one that is not.
fn two_loops(rounds: u32) -> String {
    format!(
        "{EXTERN}\nint main(void) {{\n  unsigned i = 0, s = 0;\n  while (i < {rounds}) {{\n    i++;\n    \
         s += 3;\n  }}\n  if (s != {}u)\n    reach_error();\n  unsigned h = 1, k = 0, m = in();\n  \
         while (k < m) {{ h = h * 1103515245u + 12345u + byte(); k++; if (h == 5 && k > 20000000) break; }}\n  \
         if (h * h * h == 1234567u && k == 1000000)\n    reach_error();\n  return 0;\n}}\n",
        3 * rounds
    )
}

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
    assert!(!shown.contains("steps left out"), "{shown}");
}

#[test]
fn bounds_are_about_loops_that_were_not_summarised() {
    let folder = Folder::new().with("a.c", two_loops(1_000_000_000));
    let run = ["check", "a.c", "--analysis", "bmc", "--unroll", "20", "--timelimit", "60s"];
    let run = [&run[..], &["--summarize-loops", "exact", "--output-dir", "out"]].concat();
    let done = folder.run(&run);
    for line in [
        "  bounded model checking: no error in executions with at most 20 rounds of the loop at line 11 (",
        "Loops that were summarised: a.c:4\n",
        "  open         a.c:13  reach_error() (later rounds of the loop at line 11)\n",
        "  proved       a.c:9  reach_error()\n",
        "  - every execution with at most 20 rounds of the loop at line 11\n",
        "Not explored: later rounds of the loop at line 11; no execution was found that gets there.\n",
    ] {
        assert!(done.out.contains(line), "{line}\n{}", done.out);
    }
    let json: serde_json::Value =
        serde_json::from_str(&folder.read("out/proviso.json")).expect("JSON");
    assert_eq!(json["summarized"], serde_json::json!(["a.c:4"]));
    // With few rounds an execution is found that leaves what was explored.
    let folder = folder.with("a.c", two_loops(10));
    let done = folder.run(&run);
    for line in [
        "  proved       a.c:9  reach_error()\n",
        "  - every execution with at most 20 rounds of the loop at line 11\n",
        "Not explored, the shortest first:\n",
    ] {
        assert!(done.out.contains(line), "{line}\n{}", done.out);
    }
    // A bound that is no limit of the loop that was summarised does not drop what lies behind it.
    let few: Vec<&str> = run.iter().map(|word| if *word == "20" { "5" } else { word }).collect();
    let done = folder.run(&few);
    let line = "  - every execution with at most 5 rounds of the loop at line 11\n";
    assert!(done.out.contains(line), "{}", done.out);
    let line = "  proved       a.c:9  reach_error()\n";
    assert!(done.out.contains(line), "{}", done.out);
    let off: Vec<&str> =
        few.iter().map(|word| if *word == "exact" { "off" } else { word }).collect();
    let done = folder.run(&off);
    assert!(done.out.contains("with at most 5 rounds of each loop"), "{}", done.out);
    assert!(!done.out.contains("summarised"), "{}", done.out);
}

#[test]
fn bounds_of_several_loops_name_those_that_are_left_out() {
    let mixing = "  while (k < m) { h = h * 1103515245u + 12345u + byte(); k++; }\n";
    let text = two_loops(1_000_000_000).replace("  if (h * h", &format!("{mixing}  if (h * h"));
    let folder = Folder::new().with("a.c", text);
    let run = ["check", "a.c", "--analysis", "bmc", "--unroll", "5", "--timelimit", "60s"];
    let done = folder.run(&[&run[..], &["--summarize-loops", "exact"]].concat());
    let limit = "with at most 5 rounds of each loop but that at line 4";
    assert!(done.out.contains(&format!("  - every execution {limit}\n")), "{}", done.out);
    assert!(done.out.contains(&format!("no error in executions {limit} (")), "{}", done.out);
}

#[test]
fn summaries_that_are_not_used_are_told() {
    let text = format!(
        "{EXTERN}\nint main(void) {{ if (in() > 4294967295u) reach_error(); return 0; }}\n"
    );
    let folder = Folder::new().with("a.c", text);
    let run = ["check", "a.c", "--certify", "--analysis", "k-induction"];
    let warning = "warning: --summarize-loops has no effect with --certify\n";
    let done = folder.run(&[&run[..], &["--summarize-loops", "exact"]].concat());
    assert!(done.err.contains(warning), "{}", done.err);
    for options in [&["--summarize-loops", "off"][..], &[]] {
        let done = folder.run(&[&run[..], options].concat());
        assert!(!done.err.contains("summarize-loops"), "{}", done.err);
    }
}

/// An execution that goes round a loop four billion times was not followed round by round.
#[test]
fn a_proof_says_that_a_loop_was_taken_as_one_step() {
    let text = "extern unsigned __VERIFIER_nondet_uint(void);\nextern void reach_error(void);\nint main(void) {\n    \
                unsigned n = __VERIFIER_nondet_uint(), i = 0, j = 0;\n    while (i < n) {\n        i++;\n        \
                j++;\n    }\n    if (i != j)\n        reach_error();\n    return 0;\n}\n";
    let folder = Folder::new().with("a.c", text);
    let done = folder.run(&["check", "a.c", "--analysis", "bmc", "--summarize-loops", "exact"]);
    let sentence = "Every execution was followed to its end; one loop was taken as one step over all of its rounds.\n";
    assert!(done.out.contains(sentence), "{}", done.out);
    assert_eq!(done.last_line(), "Verification result: TRUE");
}

/// A report has more invariants than the stages have found where loops were summarised, and says why.
#[test]
fn a_page_says_where_invariants_of_summarised_loops_come_from() {
    let text = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint main(void) {\n    \
                int n = __VERIFIER_nondet_int();\n    if (n < 0 || n > 1000)\n        return 0;\n    \
                int s = 0;\n    for (int i = 0; i < n; i++)\n        for (int j = 0; j < i; j++)\n            \
                if (s < 10)\n                s++;\n    if (s > 10)\n        reach_error();\n    return 0;\n}\n";
    let folder = Folder::new().with("a.c", text);
    folder.run(&["check", "a.c", "--output-dir", "out"]);
    let page = folder.read("out/report.html");
    assert!(page.contains("Some loops were taken as one step, and such a loop has no invariants."));
}

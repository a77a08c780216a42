//! `proviso check`: its answers, files and exit codes.

#![allow(missing_docs)]

mod common;

use common::Folder;

const VIOLATED: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x == 12345)
        reach_error();
    return 0;
}
";

const SAFE: &str =
    "extern void reach_error(void);\nint main(void) { int x = 1; if (!x) reach_error(); }\n";

#[test]
fn a_violation_comes_with_its_execution() {
    let done = Folder::new().with("a.c", VIOLATED).run(&["check", "a.c"]);
    assert_eq!(done.code, 10, "{}", done.err);
    assert_eq!(done.last_line(), "Verification result: FALSE (unreach-call)");
    assert!(done.out.contains("x = 12345 (input)"), "{}", done.out);
    assert!(done.out.contains("Error: reach_error() is called at a.c:6:9\n"), "{}", done.out);
}

#[test]
fn safety_comes_with_its_reason() {
    let done = Folder::new().with("a.c", SAFE).run(&["check", "a.c"]);
    assert_eq!(done.code, 0, "{}", done.err);
    let lines: Vec<&str> = done.out.lines().collect();
    assert_eq!(lines.last(), Some(&"Verification result: TRUE"));
    assert_eq!(
        lines[..2],
        ["Checks: 1 proved", "  proved       a.c:2  reach_error()"],
        "{}",
        done.out
    );
    assert!(lines.len() == 4 && lines[2].ends_with('.'), "{}", done.out);
}

#[test]
fn a_proof_by_induction_lists_its_invariants() {
    let text = "\
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    unsigned i = 0, j = n;
    while (i < n) {
        unsigned n = 3;
        i++;
        j -= n - 2;
    }
    if (j != 0)
        reach_error();
    return 0;
}
";
    let folder = Folder::new().with("a.c", text);
    let done = folder.run(&["check", "a.c", "--output-dir", "out"]);
    let expected = "Checks: 1 proved\n  proved       a.c:12  reach_error()\n\
                    Proved by induction over the rounds of loops: the property is 0-inductive.\n\
                    invariant: a.c:6:5: i <= n\n\
                    invariant: a.c:6:5: n == j + i\nVerification result: TRUE\n";
    assert_eq!(done.out, expected, "{}", done.err);
    let witness = folder.read("out/correctness.yml");
    for part in ["line: 6\n", "column: 5\n", "value: \"i <= n\"\n", "value: \"n == j + i\"\n"] {
        assert!(witness.contains(part), "{part}: {witness}");
    }
}

/// A state machine for explicit values, and a counter for predicates.
#[test]
fn invariants_tell_values_and_predicates() {
    let text = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int state = 1, x = 0;
    while (__VERIFIER_nondet_int()) {
        if (state == 1)
            state = 4;
        else if (state == 4)
            state = 1;
        else
            reach_error();
    }
    while (x < 1000000)
        x++;
    if (x != 1000000)
        reach_error();
    return 0;
}
";
    let folder = Folder::new().with("a.c", text);
    let asked = ["check", "a.c", "--analysis", "value-itp+predicate", "--certify"];
    let done = folder.run(&[&asked[..], &["--output-dir", "out"]].concat());
    assert!(done.out.ends_with("Verification result: TRUE\n"), "{}{}", done.out, done.err);
    assert!(done.out.contains("\ncertified: "), "{}", done.out);
    let witness = folder.read("out/correctness.yml");
    for told in ["state == 1 || state == 4", "x < 1000000 || x >= 1000000 && x == 1000000"] {
        assert!(done.out.contains(&format!(": {told}\n")), "{told}: {}", done.out);
        assert!(witness.contains(&format!("value: \"{told}\"\n")), "{told}: {witness}");
    }
}

#[test]
fn invariants_of_a_model_are_in_its_own_words() {
    let text = "\
main process counter {
    var x : int
    init loc L0
    loc L1
    final loc END
    error loc ERR
    L0 -> L1 { x := 0 }
    L1 -> L1 { assume x < 500 x := x + 1 }
    L1 -> END { assume x >= 500  assume x <= 500 }
    L1 -> ERR { assume x > 500 }
}
";
    // The loop is one step in the proof; for the file of invariants it is looked at once more.
    let done = Folder::new().with("a.cfa", text).run(&["check", "a.cfa", "--output-dir", "out"]);
    assert!(done.out.contains("invariant: a.cfa:4:5: x <= 500\n"), "{}{}", done.out, done.err);
}

#[test]
fn files_are_written_where_they_are_asked_for() {
    let folder = Folder::new().with("a.c", VIOLATED).with("safe.c", SAFE);
    let names = |folder: &Folder, name: &str| -> Vec<String> {
        let entries = std::fs::read_dir(folder.path().join(name)).expect("the folder");
        let mut names: Vec<String> = entries
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    };
    folder.run(&["check", "a.c"]);
    assert_eq!(names(&folder, "."), ["a.c", "safe.c"], "nothing is written without the option");
    let done = folder.run(&["check", "a.c", "--output-dir", "out/deep"]);
    assert_eq!(done.code, 10, "{}", done.err);
    let written = [
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
    assert_eq!(names(&folder, "out/deep"), written);
    assert!(done.out.starts_with(&folder.read("out/deep/counterexample.txt")));
    let again = folder.run(&["run", "a.c", "--inputs", "out/deep/inputs.txt"]);
    assert_eq!(again.last_line(), "Run ended: reached error at a.c:6");
    let done = folder.run(&["check", "safe.c", "--output-dir", "safe"]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert_eq!(
        names(&folder, "safe"),
        [
            ".proviso-files",
            "correctness.yml",
            "junit.xml",
            "proviso.html",
            "proviso.json",
            "report.html",
            "result.json",
            "result.sarif"
        ]
    );
    assert!(folder.read("safe/correctness.yml").contains("content: []"));
}

#[test]
fn two_runs_write_the_same_bytes() {
    let folder = Folder::new().with("a.c", VIOLATED);
    let write = |out: &str| {
        let mut command = folder.command(&["check", "a.c", "--output-dir", out]);
        command.env("SOURCE_DATE_EPOCH", "1700000000").output().expect("the binary runs");
        ["violation.yml", "violation.graphml", "harness.c"]
            .map(|name| folder.read(&format!("{out}/{name}")))
    };
    assert_eq!(write("one"), write("one"));
    // The harness says where it is.
    let (one, two) = (write("one"), write("two"));
    assert_eq!(one[..2], two[..2]);
    assert_eq!(one[2].replace("one/harness", "two/harness"), two[2]);
    assert!(folder.read("one/violation.yml").contains("creation_time: \"2023-11-14T22:13:20Z\""));
}

#[test]
fn a_folder_that_cannot_be_written_is_refused_before_the_run() {
    let folder = Folder::new().with("a.c", VIOLATED).with("file", "");
    let done = folder.run(&["check", "a.c", "--output-dir", "file/out"]);
    assert_eq!((done.code, done.out.as_str()), (64, ""));
    assert!(done.err.contains("error: cannot write file/out: "), "{}", done.err);
}

#[test]
fn a_property_that_no_analysis_decides_is_not_answered() {
    for (text, name) in [
        ("CHECK( init(main()), LTL(G ! data-race) )\n", "no-data-race"),
        ("CHECK( init(main()), LTL(G def-behavior) )\n", "def-behavior"),
        ("CHECK( init(main()), LTL(F end) )\n", "termination"),
    ] {
        let folder = Folder::new().with("a.c", SAFE).with("p.prp", text);
        let done = folder.run(&["check", "a.c", "--spec", "p.prp", "--output-dir", "out"]);
        assert_eq!(done.code, 20, "{name}: {}", done.err);
        let expected = format!("Verification result: UNKNOWN (property: {name})");
        assert_eq!(done.last_line(), expected);
        let result: serde_json::Value =
            serde_json::from_str(&folder.read("out/result.json")).expect("a document");
        assert_eq!(result["result"], expected);
    }
    for text in ["! overflow", "valid-deref", "valid-free"] {
        let text = format!("CHECK( init(main()), LTL(G {text}) )\n");
        let folder = Folder::new().with("a.c", SAFE).with("p.prp", text);
        let done = folder.run(&["check", "a.c", "--spec", "p.prp"]);
        assert_eq!(done.last_line(), "Verification result: TRUE", "{}", done.out);
    }
    let text = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n";
    let folder = Folder::new().with("a.c", VIOLATED).with("p.prp", text);
    let done = folder.run(&["check", "a.c", "--spec", "p.prp", "--output-dir", "out"]);
    assert_eq!(done.last_line(), "Verification result: FALSE (unreach-call)");
    let witness = folder.read("out/violation.yml");
    assert!(witness.contains(&format!("specification: \"{}\"", text.trim())), "{witness}");
}

#[test]
fn nothing_is_said_of_progress_where_nobody_watches() {
    let done = Folder::new().with("a.c", SAFE).run(&["check", "a.c"]);
    assert_eq!(done.err, "");
}

/// The guide has a row for each reason and no others.
#[test]
fn the_guide_names_every_reason() {
    let guide = include_str!("../../../docs/guide/src/words.md");
    let (_, section) = guide.split_once("## Reasons of UNKNOWN").expect("a section");
    let rows = section.lines().skip_while(|line| !line.starts_with("| ---")).skip(1);
    let documented: Vec<&str> = rows
        .take_while(|line| line.starts_with('|'))
        .map(|line| line.split('`').nth(1).expect("a name"))
        .collect();
    assert_eq!(documented, verify::Unknown::NAMES);
}

const FLAG: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int flag = 0, ticks = 0;
    while (__VERIFIER_nondet_int())
        ticks++;
    if (flag)
        reach_error();
    return 0;
}
";

#[test]
fn a_precision_is_saved_and_used_again() {
    let folder = Folder::new().with("a.c", FLAG);
    let check = ["check", "a.c", "--analysis", "value-itp", "--stats=json"];
    let done = folder.run(&[&check[..], &["--save-precision", "p.txt"]].concat());
    assert_eq!((done.code, done.last_line()), (0, "Verification result: TRUE"), "{}", done.err);
    assert!(done.err.contains("\"refinements\":1,"), "{}", done.err);
    assert!(done.err.contains("\"variables_tracked\":1"), "{}", done.err);
    let saved = folder.read("p.txt");
    assert_eq!(saved, "# Proviso precision 1\neverywhere:\n  variable main::flag\n");
    let again = folder.run(&[&check[..], &["--load-precision", "p.txt"]].concat());
    assert_eq!((again.code, again.last_line()), (0, "Verification result: TRUE"), "{}", again.err);
    assert!(again.err.contains("\"refinements\":0,"), "{}", again.err);
}

#[test]
fn a_proof_is_certified_on_demand() {
    let folder = Folder::new().with("a.c", FLAG);
    let certify = |analysis: &str| {
        folder.run(&["check", "a.c", "--analysis", analysis, "--certify", "--stats=json"])
    };
    for analysis in ["k-induction", "value-itp", "predicate", "value-itp+predicate", "backward"] {
        let done = certify(analysis);
        assert_eq!((done.code, done.last_line()), (0, "Verification result: TRUE"), "{}", done.err);
        let certified = done.out.lines().rev().nth(1).unwrap_or_default();
        assert!(certified.starts_with("certified: "), "{analysis}: {}", done.out);
        // The backward analysis puts calls in place, and the check trusts that.
        let trusts = analysis == "backward";
        assert_eq!(certified.ends_with(" ms"), !trusts, "{certified}");
        let made = "the program with its calls put in place";
        assert_eq!(certified.contains(&format!(" of {made} (")), trusts, "{certified}");
        let field = format!("\"certification_trusts\":\"{made}\"");
        assert_eq!(done.err.contains(&field), trusts, "{}", done.err);
        assert!(done.err.contains("\"certified\":\"yes\""), "{}", done.err);
        assert!(done.err.contains("\"certificate_obligations\":"), "{}", done.err);
    }
    // A proof that cannot be checked again says why.
    let objects = "#include <stdlib.h>
        void reach_error(void); int c(void);
        int main(void) { int *p = malloc(400); unsigned i = c();
          if (i < 100) { p[i] = 3; if (p[i] != 3) reach_error(); } }";
    let folder = folder.with("o.c", objects);
    let asked = ["check", "o.c", "--check", "none", "--analysis", "k-induction", "--certify"];
    let done = folder.run(&[&asked[..], &["--stats=json"]].concat());
    let why = "it rests on the address of a new object\nVerification result: TRUE\n";
    assert!(done.out.contains("\nnot certified: ") && done.out.ends_with(why), "{}", done.out);
    assert!(done.err.contains("\"certified\":\"no\""), "{}", done.err);
    // Nobody asked.
    let done = folder.run(&["check", "a.c", "--analysis", "value-itp"]);
    assert!(!done.out.contains("certified"), "{}", done.out);
}

#[test]
fn a_precision_that_cannot_be_read_is_refused_where_it_is_wrong() {
    let folder = Folder::new()
        .with("a.c", FLAG)
        .with("p.txt", "# Proviso precision 1\neverywhere:\n  variabel main::flag\n")
        .with("q.txt", "everywhere:\n")
        .with("r.txt", "# Proviso precision 1\nfunction f:\n  bytes 0 4 &x\n");
    let run = |file: &str| {
        folder.run(&["check", "a.c", "--analysis", "value-itp", "--load-precision", file])
    };
    let done = run("p.txt");
    assert_eq!(done.code, 65);
    assert!(done.err.contains("p.txt:3:3") && done.err.contains('^'), "{}", done.err);
    assert_eq!(run("q.txt").code, 65);
    let warned = run("r.txt");
    assert_eq!(warned.code, 0, "{}", warned.err);
    assert_eq!(warned.err.matches("the program has nothing of this name").count(), 2);
    assert_eq!(run("absent.txt").code, 65);
}

#[test]
fn statistics_are_told_as_text() {
    let folder = Folder::new().with("a.c", FLAG);
    let done = folder.run(&["check", "a.c", "--analysis", "value-itp", "--stats"]);
    for line in ["states added: ", "refinements: 1\n", "variables tracked: 1\n", "path checks: 0\n"]
    {
        assert!(done.err.contains(line), "{}", done.err);
    }
}

/// Stages side by side: whoever answers first, the verdict is the one of the page.
#[test]
fn stages_side_by_side_say_the_same() {
    let pages = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/specs");
    let mut seen = [0, 0];
    for page in ["control.md", "arrays.md", "loops.md"] {
        let text = std::fs::read_to_string(pages.join(page)).expect("a page");
        for block in text.split("\n```c\n").skip(1).step_by(4) {
            let Some((program, after)) = block.split_once("\n```\n") else { continue };
            let code = match after.trim_start().lines().next() {
                Some("> TRUE") => 0,
                Some("> FALSE") => 10,
                _ => continue,
            };
            let folder = Folder::new().with("p.c", format!("{program}\n"));
            for jobs in ["2", "3"] {
                let done = folder.run(&["check", "p.c", "-v", "--jobs", jobs]);
                assert_eq!(done.code, code, "{page}: {program}\n{}{}", done.out, done.err);
            }
            seen[usize::from(code > 0)] += 1;
        }
    }
    assert!(seen[0] > 3 && seen[1] > 3, "{seen:?}");
    // What no stage answers is open, and for the reason that one stage after the other gives.
    let open = "extern int in(void);\nextern void reach_error(void);\nint main(void) {\n  \
                __asm__(\"frobnicate\");\n  if (in() > 3) reach_error();\n  return 0;\n}\n";
    let folder = Folder::new().with("p.c", open);
    let one = folder.run(&["check", "p.c", "--asm", "error"]);
    let three = folder.run(&["check", "p.c", "--asm", "error", "--jobs", "3"]);
    assert_eq!((one.code, one.last_line()), (three.code, three.last_line()));
    let done = folder.run(&["check", "p.c", "--analysis", "bmc", "--jobs", "2"]);
    assert!(done.err.contains("warning: --jobs has no effect with --analysis bmc"), "{}", done.err);
}

/// A line with more than one condition says which one is true.
#[test]
fn conditions_that_share_a_line_are_named() {
    let program = "\
#include <assert.h>
extern int nondet_int(void);
int main(void) {
  int a = nondet_int(); if (a > 3) { for (int i = 0; i < 1; i++) a++; }
  if (a == 8)
    assert(0);
  return 0;
}
";
    let done = Folder::new().with("p.c", program).run(&["check", "p.c"]);
    for shown in ["a > 3 is true", "i < 1 is true", "i < 1 is false"] {
        assert!(done.out.contains(shown), "{shown}: {}", done.out);
    }
    let alone = done.out.lines().find(|line| line.contains("if (a == 8)")).expect("the line");
    assert!(alone.ends_with("  true"), "{alone}");
}

/// A program has at least one argument, its name; inputs are those behind it.
#[test]
fn no_input_says_that_there_are_no_arguments() {
    let program = "#include <assert.h>\nint main(int argc, char **argv) {\n  assert(argc != N);\n  return 0;\n}\n";
    for (count, further) in [("1", "0"), ("7", "6"), ("2147483647", "2147483646")] {
        let folder = Folder::new().with("p.c", program.replace('N', count));
        let done = folder.run(&["check", "p.c"]);
        assert!(done.out.contains(&format!("argc = {count}")), "{}", done.out);
        let inputs = done.out.split("\n\n").next().expect("inputs");
        assert!(inputs.contains(&format!("further arguments = {further}")), "{inputs}");
    }
    let none = Folder::new().with("p.c", program.replace('N', "0"));
    assert_eq!(none.run(&["check", "p.c"]).code, 0);
}

/// A counterexample begins with what globals in memory hold; what is computed from an input is not the input; a structure
/// with bit-fields is copied at once.
#[test]
fn values_of_memory_are_shown_as_they_are() {
    let program = "\
extern int nondet_int(void);
extern void reach_error(void);
int g = 5, t[] = {3, 4};
struct F { unsigned a : 4, b : 4; } x, *p = &x;
static void add(int *to, int value) { *to += value; }
int main(void) {
  struct F y = {3, 9};
  int z = nondet_int() % 10;
  add(&g, z);
  add(&t[1], z);
  *p = y;
  if (g == 13 && t[1] == 12 && x.b == 9)
    reach_error();
  return 0;
}
";
    let folder = Folder::new().with("p.c", program);
    let done = folder.run(&["check", "p.c", "--property", "unreach-call", "--output-dir", "out"]);
    let line = |text: &str| done.out.lines().find(|line| line.contains(text)).unwrap_or_default();
    for value in ["g = 5", "t = {3, 4}"] {
        assert!(line("int main(void)").contains(value), "{value}: {}", done.out);
    }
    let modulo = line("int z = ");
    assert!(modulo.contains("nondet_int() = ") && modulo.ends_with(", z = 8"), "{modulo}");
    assert!(line("*p = y;").ends_with("  *p = {a = 3, b = 9}"), "{}", done.out);
}

/// Members are written without casts, unless they may be bit-fields, and values in order.
#[test]
fn invariants_of_members_are_plain() {
    let text = "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\n\
        struct s { int x; long b : 32; };\nint main(void) {\n  struct s s = {5, 1};\n\
        while (__VERIFIER_nondet_int()) {\n    s.x = s.x == 5 ? 1 : s.x == 1 ? 3 : 5;\n  }\n\
        if (s.x == 7 || s.b != 1) reach_error();\n}\n";
    let folder = Folder::new().with("a.c", text);
    let done = folder.run(&["check", "a.c", "--analysis", "value", "--64", "--timelimit", "60s"]);
    assert!(done.out.contains("s.x == 1 || s.x == 3 || s.x == 5"), "{}{}", done.out, done.err);
    assert!(!done.out.contains("(int)s.x"), "{}", done.out);
}

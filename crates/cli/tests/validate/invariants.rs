//! Invariants of witnesses in format 2.0.

use crate::common::Folder;
use crate::{SAFE, answer, hash, invariant, validate, yaml};

#[test]
fn invariants_of_others() {
    let folder = Folder::new().with("p.c", SAFE);
    let hash = hash(&folder);
    let at = ", column: 3";
    let cases = [
        (invariant("loop_invariant", "x == y", 5, at), 0, "proof confirmed"),
        (invariant("loop_invariant", "x == y && x <= n", 5, ""), 0, "proof confirmed"),
        (invariant("location_invariant", "x == y", 6, at), 0, "proof confirmed"),
        (invariant("location_invariant", "x < n", 5, ", column: 19"), 0, "proof confirmed"),
        (invariant("loop_invariant", "1", 5, at), 0, "proof confirmed"),
        (String::from(" []"), 0, "proof confirmed"),
        (
            invariant("loop_invariant", "x == 0", 5, at),
            20,
            "not confirmed (the invariant `x == 0` at p.c:5:3 does not hold)",
        ),
        (
            invariant("loop_invariant", "0", 5, at),
            20,
            "not confirmed (the invariant `0` at p.c:5:3 does not hold)",
        ),
        (
            invariant("location_invariant", "x < n", 6, at),
            20,
            "not confirmed (the invariant `x < n` at p.c:6:3 does not hold)",
        ),
        (
            invariant("loop_invariant", "x == y", 6, at),
            20,
            "not confirmed (there is no loop at p.c:6:3)",
        ),
        (
            invariant("loop_invariant", "\\old(x) == x", 5, at),
            20,
            "not confirmed (p.c:5:3: an expression has words of another language than C, which is not read)",
        ),
        (
            invariant("loop_invariant", "(reach_error)()", 5, at),
            20,
            "not confirmed (p.c:5:3: an expression calls a function, which is not read)",
        ),
    ];
    for (content, code, answer) in cases {
        std::fs::write(folder.path().join("w.yml"), yaml("invariant_set", &hash, &content))
            .expect("a witness");
        let done = validate(&folder, "w.yml");
        let expected = format!("Witness: {answer}");
        assert_eq!((done.code, done.last_line()), (code, &*expected), "{content}: {}", done.err);
    }
    for value in ["x = y", "x++", "nothing == 1", "x ==", "x; y"] {
        let content = invariant("loop_invariant", value, 5, at);
        std::fs::write(folder.path().join("w.yml"), yaml("invariant_set", &hash, &content))
            .expect("a witness");
        let done = validate(&folder, "w.yml");
        assert_eq!((done.code, done.out.as_str()), (65, ""), "{value}: {}", done.err);
        assert!(done.err.contains("--> w.yml:"), "{}", done.err);
    }
}

#[test]
fn whoever_jumps_to_a_label_passes_it() {
    let text = "extern int __VERIFIER_nondet_int(void);\nint main(void) {\n  int i = __VERIFIER_nondet_int();\n  switch (i) {\n    case 1: break;\n    case 2: i++; break;\n  }\n  if (i == 3) goto end;\n  i = 0;\n  end: return i;\n}\n";
    let folder = Folder::new().with("p.c", text);
    let hash = hash(&folder);
    for (value, line, code) in
        [("i == 2", 6, 0), ("i == 1", 6, 20), ("i == 0 || i == 3", 10, 0), ("i == 0", 10, 20)]
    {
        let content = invariant("location_invariant", value, line, "");
        std::fs::write(folder.path().join("w.yml"), yaml("invariant_set", &hash, &content))
            .expect("a witness");
        let done = validate(&folder, "w.yml");
        assert_eq!(done.code, code, "{value}: {}{}", done.out, done.err);
    }
}

#[test]
fn an_invariant_hides_no_error() {
    let text = "extern void reach_error(void);\n#define STOP exit(0)\nextern void exit(int);\nint main(void) {\n  int i = 0, *p = 0;\n  while (i < 3) i++;\n  reach_error();\n}\n";
    let folder = Folder::new().with("p.c", text);
    let hash = hash(&folder);
    for value in ["*p == 0", "p[i] == 0 || 1", "1 / (i - i) == 1", "STOP", "1 << 99 == 0"] {
        let content = invariant("loop_invariant", value, 6, "");
        std::fs::write(folder.path().join("w.yml"), yaml("invariant_set", &hash, &content))
            .expect("a witness");
        let done = validate(&folder, "w.yml");
        assert_eq!(done.code, 20, "{value}: {}{}", done.out, done.err);
    }
}

/// Invariants in an included file are proved there.
#[test]
fn invariants_in_included_files_are_checked() {
    let header = "#pragma once\nstatic int loop(void)\n{\n  int i = 0;\n  while (i < 10) i++;\n  return i;\n}\n";
    let program = "#include \"w.h\"\nextern void reach_error(void);\nint main(void) {\n  int i = 0;\n  \
                   while (i < 5) i++;\n  if (i != 5 || loop() < 10) reach_error();\n  return 0;\n}\n";
    let folder = Folder::new().with("w.h", header).with("p.c", program);
    let hash = hash(&folder);
    for (file, said, code) in
        [("w.h", "i <= 10", 0), ("w.h", "i <= 5", 20), ("p.c", "i <= 5", 0), ("p.c", "i <= 4", 20)]
    {
        let body = invariant("loop_invariant", said, 5, ", column: 3");
        let body = body.replace("p.c", file).replace(", function: main", "");
        std::fs::write(folder.path().join("w.yml"), yaml("invariant_set", &hash, &body))
            .expect("a witness");
        let done = validate(&folder, "w.yml");
        assert_eq!(done.code, code, "{file} {said}: {}{}", done.out, done.err);
    }
}

#[test]
fn invariants_of_files_that_are_included_twice_are_told_apart() {
    let once = "static int NAME(int x) {\n  int i = 0;\n  while (i < LIM) { if (x == i + 1) return i; i++; }\n  return i;\n}\n";
    let program = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
#define NAME f1
#define LIM 3
#include \"once.inc\"
#undef NAME
#undef LIM
#define NAME f2
#define LIM 5
#include \"once.inc\"
int main(void) {
  int x = __VERIFIER_nondet_int();
  int r = f1(x) + f2(x);
  if (r == 9) reach_error();
  return 0;
}
";
    let folder = Folder::new().with("p.c", program).with("once.inc", once);
    let hash = hash(&folder);
    let done = validate(&folder, "hashed/correctness.yml");
    assert_eq!(done.code, 0, "{}", done.out);
    for (function, value, code) in [
        ("f1", "i <= 3", 0),
        ("f2", "i <= 5", 0),
        ("f2", "i <= 3", 20),
        ("main", "i <= 99", 20),
        ("nowhere", "i <= 99", 65),
    ] {
        let content = format!(
            "\n  - invariant: {{type: loop_invariant, location: {{file_name: once.inc, line: 3, column: 3, function: {function}}}, \
             value: '{value}', format: c_expression}}"
        );
        let found = answer(&folder, &yaml("invariant_set", &hash, &content));
        assert_eq!(found.0, code, "{function}: {value}: {}", found.1);
    }
}

#[test]
fn an_invariant_without_a_value_is_not_confirmed() {
    let text = "extern int __VERIFIER_nondet_int(void);\nint main(void) {\n  int a[3] = {0, 0, 0}, i = 0, *p = 0;\n  while (i < 3) i++;\n  return a[i - 1] + (p != 0);\n}\n";
    let folder = Folder::new().with("p.c", text);
    let hash = hash(&folder);
    for (value, code) in [
        ("1 / 0", 20),
        ("1 / (i - i) || 1", 20),
        ("i % (3 - i) <= 3 || 1", 20),
        ("a[i] == 0 || 1", 20),
        ("*p == 0 || 1", 20),
        ("1 << 99 || 1", 20),
        ("i >= 3 || a[i] == 0", 0),
        ("10 / (i + 1) <= 10", 0),
        ("p == 0 || *p == 7", 0),
        ("i >> 2 == 0", 0),
    ] {
        let content = invariant("loop_invariant", value, 4, "");
        let found = answer(&folder, &yaml("invariant_set", &hash, &content));
        assert_eq!(found.0, code, "{value}: {}", found.1);
    }
}

/// What the program itself does that nobody asked about stays as it is while an invariant is looked at.
#[test]
fn faults_that_nobody_asked_for_refute_no_invariant() {
    let text = "extern int __VERIFIER_nondet_int(void);\nint main(void) {\n  int a[3] = {0, 0, 0}, i = 0;\n  int n = __VERIFIER_nondet_int();\n  while (i < 3) { i++; a[n] = 1; }\n  return 6 / n;\n}\n";
    let folder = Folder::new()
        .with("p.c", text)
        .with("u.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n");
    let check = ["check", "p.c", "-q", "--property", "unreach-call", "--output-dir", "hashed"];
    assert_eq!(folder.run(&check).code, 0);
    let text = folder.read("hashed/correctness.yml");
    let (_, rest) = text.split_once("\"p.c\": \"").expect("a hash");
    let hash = rest.split('"').next().expect("its end");
    for (value, code) in [("i >= 3 || a[i] <= 1", 0), ("a[i] <= 1", 20)] {
        let content = invariant("loop_invariant", value, 5, "");
        let found = answer(&folder, &yaml("invariant_set", hash, &content));
        assert_eq!(found.0, code, "{value}: {}", found.1);
    }
}

/// What is said of a loop holds before it begins, and at every evaluation of its condition.
#[test]
fn a_location_invariant_at_a_loop_holds_in_every_round() {
    let program = "\
int main(void) {
  int n = 7, k = 3;
  while (n < 10)
    n++;
  for (k = 0; k < 4; k++)
    n++;
  do { n--; } while (n > 5);
  do n--; while (n > 0);
  return 0;
}
";
    let folder = Folder::new().with("p.c", program);
    let hash = hash(&folder);
    for (value, line, column, code) in [
        ("n == 7", 3, 3, 20),
        ("n >= 7 && n <= 10", 3, 3, 0),
        ("n >= 8 && n <= 10", 3, 3, 20),
        ("k == 3", 5, 3, 20),
        ("k != 3", 5, 3, 20),
        ("k >= 0 && k <= 4", 5, 3, 0),
        ("n <= 14 && n > 5", 7, 3, 0),
        ("n == 14", 7, 3, 20),
    ] {
        let content = invariant("location_invariant", value, line, &format!(", column: {column}"));
        let (found, text) = answer(&folder, &yaml("invariant_set", &hash, &content));
        assert_eq!(found, code, "{value} at {line}:{column}: {text}");
    }
    // These are no statements, although something is evaluated there.
    for (line, column) in [(5, 8), (5, 15), (5, 22), (7, 15), (8, 11), (3, 4), (3, 7), (4, 6)] {
        let content = invariant("location_invariant", "1", line, &format!(", column: {column}"));
        let (found, text) = answer(&folder, &yaml("invariant_set", &hash, &content));
        let said = format!("there is no statement at p.c:{line}:{column})");
        assert!(found == 20 && text.contains(&said), "{line}:{column}: {found} {text}");
    }
}

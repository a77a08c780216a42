//! Witnesses that Proviso has written itself.

use std::path::Path;

use crate::common::Folder;
use crate::{SAFE, UNSAFE, answer, confirmed, hash, validate};

/// The C programs of the pages that need no options, with what comes of them.
fn examples() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/specs");
    let mut pages: Vec<_> = std::fs::read_dir(folder)
        .expect("pages")
        .map(|page| page.expect("a page").path())
        .collect();
    pages.sort();
    let mut found = Vec::new();
    for page in pages {
        let text = std::fs::read_to_string(&page).expect("a page");
        for (number, block) in text.split("\n```c\n").enumerate().skip(1) {
            let Some((program, after)) = block.split_once("\n```\n") else { continue };
            let answer = after.trim_start().lines().next().unwrap_or_default();
            if answer.starts_with("> TRUE") || answer.starts_with("> FALSE") {
                let name = page
                    .file_name()
                    .map(|name| name.to_string_lossy().into_owned())
                    .unwrap_or_default();
                found.push((format!("{name}, program {number}"), format!("{program}\n")));
            }
        }
    }
    found
}

/// Line and column of the calls that a witness names, with what is said of their results.
fn calls(witness: &str) -> Vec<(u32, u32, String)> {
    let after = |text: &str, name: &str| {
        let (_, rest) = text.split_once(name).expect("a field");
        rest.lines().next().expect("a line").trim_matches([' ', '"']).to_owned()
    };
    let number = |text: &str, name: &str| after(text, name).parse().expect("a number");
    let calls = witness.split("- segment:").filter(|part| part.contains("function_return"));
    calls
        .map(|part| {
            let said = after(part, "value: ").replace("\\\\result == ", "");
            (number(part, "line: "), number(part, "column: "), said)
        })
        .collect()
}

#[test]
fn what_is_said_of_own_witnesses() {
    let folder = Folder::new().with("p.c", UNSAFE);
    hash(&folder);
    let inputs = "  42  # __VERIFIER_nondet_int\n  0  # __VERIFIER_nondet_int\n  0  # __VERIFIER_nondet_int\n";
    for name in ["hashed/violation.yml", "hashed/violation.graphml"] {
        let done = validate(&folder, name);
        let expected = format!(
            "The program reaches the error along the witness, with these inputs:\n{inputs}Witness: violation confirmed\n"
        );
        assert_eq!((done.code, done.out), (10, expected), "{}", done.err);
    }
    let folder = Folder::new().with("p.c", SAFE);
    hash(&folder);
    let done = validate(&folder, "hashed/correctness.yml");
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    assert!(
        done.out.starts_with("The property is proved: G ! call(reach_error()); ")
            && done.out.contains("hold.\n"),
        "{}",
        done.out
    );
    assert_eq!(done.last_line(), "Witness: proof confirmed");
}

/// A run of millions of rounds, which are replayed at once, has no branches of single rounds in its witness.
#[test]
fn long_loops_are_followed_at_once() {
    let (_, witness) = confirmed(
        "extern void reach_error(void);\nint main(void) {\n  unsigned x = 0, y = 500000000, z = 250000000;\n  \
         while (x < y) {\n    if (x >= 250000000)\n      z++;\n    x++;\n  }\n  if (z == x)\n    reach_error();\n  \
         return 0;\n}\n",
    );
    assert!(!witness.contains("branching"), "{witness}");
}

/// The witness cannot say what the pointer is, and its conditions read `a` and `b` before the program reads the pointer.
#[test]
fn values_that_conditions_read_first_are_those_of_their_variables() {
    let (_, witness) = confirmed(
        "extern void reach_error(void);\nstatic void step(int *p, int a, int b) {\n  if (p && a == 5 && b == 7)\n    \
         reach_error();\n}\nint main(void) {\n  int a, b;\n  int *p;\n  step(p, a, b);\n  return 0;\n}\n",
    );
    assert!(witness.contains("a == 5"), "{witness}");
}

/// Each activation has variables of its own, of which the conditions read `a` and `b` before the program reads `p`.
#[test]
fn values_that_conditions_read_first_are_those_of_their_activations() {
    let (_, witness) = confirmed(
        "extern void reach_error(void);\nstatic int down(int n) {\n  int a, b;\n  int *p;\n  int last = n ? \
         down(n - 1) : 0;\n  if (p && a == n + 5 && b == n + 7)\n    return last + 1;\n  return 0;\n}\nint \
         main(void) {\n  if (down(2) == 3)\n    reach_error();\n  return 0;\n}\n",
    );
    for said in ["a == 5 && b == 7", "a == 6 && b == 8", "a == 7 && b == 9"] {
        assert!(witness.contains(said), "{witness}");
    }
}

/// A statement reads a variable after it has called a function whose branch the witness names.
#[test]
fn values_are_said_where_the_statement_begins_that_reads_them() {
    confirmed(
        "#include <assert.h>\nstatic int g(int k) {\n  if (k > 3)\n    return 1;\n  return 0;\n}\nint main(void) {\n  \
         int u;\n  int r;\n  r = g(2) + u;\n  assert(r != 7);\n  return 0;\n}\n",
    );
}

/// An error in the definition of a function, and one in a function of the library that has not returned.
#[test]
fn errors_that_are_no_statements_are_confirmed() {
    confirmed(
        "void reach_error(void) {}\nint main(void) {\n  void (*f)(void) = reach_error;\n  f();\n  return 0;\n}\n",
    );
    let (_, witness) = confirmed(
        "#include <stdio.h>\nint main(void) {\n  char word[6];\n  return scanf(\"%s\", word) == 1 ? word[0] : 0;\n}\n",
    );
    assert!(calls(&witness).is_empty(), "{witness}");
}

/// Loops without a condition and loops with `do` inside of each other have witnesses that are confirmed.
#[test]
fn loops_of_all_shapes_have_witnesses() {
    let endless = "#include <assert.h>\nextern unsigned nondet_uint(void);\nint main(void) {\n  \
        unsigned n = nondet_uint(), i = 0, s = 0;\n  if (n > 100000) return 0;\n  \
        for (;;) { if (i >= n) break; i++; s++; }\n  assert(s <= n);\n  return 0;\n}\n";
    let nested = "#include <assert.h>\nextern unsigned nondet_uint(void);\nint main(void) {\n  \
        unsigned i = nondet_uint();\n  if (i > 100000)\n    return 0;\n  do {\n    do {\n      i--;\n    } \
        while (i % 2);\n  } while (i > 3 && i < 200000);\n  assert(i <= 3 || i >= 200000);\n  return 0;\n}\n";
    for program in [endless, nested] {
        let folder = Folder::new().with("p.c", program);
        let done = folder.run(&["check", "p.c", "-q", "--output-dir", "out"]);
        assert_eq!(done.code, 0, "{}{}", done.out, done.err);
        let done = validate(&folder, "out/correctness.yml");
        assert_eq!(done.last_line(), "Witness: proof confirmed", "{}{}", done.out, done.err);
    }
    confirmed(
        "extern int in(void); extern void reach_error(void);\nint main(void) {\n  int i = 0;\n  \
         for (;;) { if (in() == 7) break; i++; if (i == 3) reach_error(); }\n  return 0;\n}\n",
    );
}

/// A byte order mark before the text, and names of files that look like something else.
#[test]
fn unusual_files_have_witnesses() {
    let text = "\u{feff}#define ANY __VERIFIER_nondet_int()\nextern int __VERIFIER_nondet_int(void);\n\
                extern void reach_error(void);\nint main(void) { if (ANY == 17) reach_error(); return 0; }\n";
    for name in ["p.c", "<p>.c", "./-->.c"] {
        let folder = Folder::new().with(name, text);
        let done = folder.run(&["check", name, "-q", "--output-dir", "o"]);
        assert_eq!(done.code, 10, "{}{}", done.out, done.err);
        for witness in ["o/violation.yml", "o/violation.graphml"] {
            let done = folder.run(&["validate", name, "--witness", witness]);
            assert_eq!(done.code, 10, "{name}: {} {}{}", folder.read(witness), done.out, done.err);
            assert!(folder.read(witness).contains("result == 17"), "{}", folder.read(witness));
        }
    }
    let folder = Folder::new().with("-->.c", text);
    folder.run(&["check", "-q", "--output-dir", "o", "--", "-->.c"]);
    assert!(folder.read("o/harness.c").contains("'./-->.c'"), "{}", folder.read("o/harness.c"));
}

/// Conditions and calls that macros are around have their places in the text as it is written.
#[test]
fn what_macros_are_around_is_where_it_is_written() {
    let any = "__VERIFIER_nondet_int()";
    for (definitions, statements, count) in [
        (
            "#define NOT(x) \\\n  (! /* not */ (x))",
            "int n = I(); if (NOT(n > 3)) { return 0; } else if (n == 5) reach_error();",
            1,
        ),
        ("#define BAD !ok", "int ok = I(); if (BAD) return 0; if (ok == 5) reach_error();", 1),
        ("#define P(x) (x)", "int ok = I(); if (P(!ok)) return 0; if (ok == 5) reach_error();", 1),
        (
            "#include <iso646.h>",
            "int ok = I(); if (not ok) return 0; if (ok == 5) reach_error();",
            1,
        ),
        (
            "#define MAX(a, b) ((a) > (b) ? (a) : (b))",
            "int m = MAX(I(), I()); if (m == 12) reach_error();",
            3,
        ),
        (
            "#define SEL(a, b) ((a) ? (a) : (b))",
            "int m = SEL(I(), I()); if (m == 12) reach_error();",
            2,
        ),
        ("#define SWAP(a, b) ((b) * 100 + (a))", "if (SWAP(I(), I()) == 345) reach_error();", 2),
        ("#define P(x) (x)", "int k = P(I() ? I() : I()); if (k == 8) reach_error();", 2),
        (
            "#define BOTH(a, b) ((a) && (b))",
            "if (BOTH(BOTH(I() == 1, I() == 2), I() == 3)) reach_error(); else return 1;",
            3,
        ),
        ("#define ISDIG(c) ((c) >= '0' && (c) <= '9')", "if (ISDIG(I())) reach_error();", 2),
        (
            "#define EITHER(a, b) (__VERIFIER_nondet_int() ? (a) : (b))",
            "int x = EITHER(I(), I() + 1); if (x == 7) reach_error();",
            1,
        ),
    ] {
        let text = format!(
            "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n{definitions}\n\
             int main(void) {{ {} return 0; }}\n",
            statements.replace("I()", any)
        );
        let (_, witness) = confirmed(&text);
        assert_eq!(calls(&witness).len(), count, "{text}{witness}");
        assert!(witness.contains("branching"), "{text}{witness}");
    }
}

#[test]
fn witnesses_for_programs_of_the_pages_are_confirmed() {
    let examples = examples();
    assert!(examples.len() > 100);
    let (mut violations, mut proofs, mut open) = (0, 0, Vec::new());
    for (name, program) in examples.iter().step_by(6) {
        let folder = Folder::new().with("p.c", program);
        let done = folder.run(&["check", "p.c", "-q", "--output-dir", "o", "--timelimit", "60s"]);
        match done.code {
            10 => {
                for witness in ["o/violation.yml", "o/violation.graphml"] {
                    let done = validate(&folder, witness);
                    let is_contradicted = done.out.contains("no execution along")
                        || done.out.contains("is none of the program");
                    assert!(
                        done.code == 10 || (done.code == 20 && !is_contradicted),
                        "{name}: {witness}: {}{}",
                        done.out,
                        done.err
                    );
                    if done.code == 20 {
                        open.push(format!("{name}: {}", done.last_line()));
                    }
                    violations += u32::from(done.code == 10);
                }
            }
            0 => {
                let done = validate(&folder, "o/correctness.yml");
                let is_refuted =
                    done.out.contains("does not hold") || done.out.contains("violates");
                assert!(
                    done.code == 0 || (done.code == 20 && !is_refuted),
                    "{name}: {}{}",
                    done.out,
                    done.err
                );
                proofs += u32::from(done.code == 0);
            }
            _ => {}
        }
    }
    // Some cannot be told by a witness: bytes that `getline` reads, or values of 100,000 rounds.
    assert!(open.len() <= 8, "{open:#?}");
    assert!(
        violations >= 30 && proofs >= 20,
        "{violations} violations and {proofs} proofs are confirmed"
    );
}

/// The text of a call that a macro hides is not where the call is.
#[test]
fn results_of_calls_behind_macros_are_in_witnesses() {
    let program = "\
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
#define ANY __VERIFIER_nondet_uint()
#define MORE (__VERIFIER_nondet_uint())
int main(void) {
  unsigned char c = ANY;
  unsigned n = MORE;
  while (c != 7) { c += 2; n++; }
  if (n == 123456)
    reach_error();
  return 0;
}
";
    let folder = Folder::new().with("p.c", program);
    let done = folder.run(&["check", "p.c", "-q", "--output-dir", "out"]);
    assert_eq!(done.code, 10, "{}", done.err);
    for name in ["out/violation.yml", "out/violation.graphml"] {
        assert_eq!(folder.read(name).matches("\\result ==").count(), 2, "{}", folder.read(name));
        let done = validate(&folder, name);
        assert_eq!(done.last_line(), "Witness: violation confirmed", "{name} {}", done.out);
    }
}

#[test]
fn an_error_inside_a_macro_is_confirmed() {
    let head = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n";
    for (definition, used, line) in [
        (
            "#define CHECK(c) do { if (!(c)) reach_error(); } while (0)\n",
            "  CHECK(x != 7 || y != 9);\n",
            7,
        ),
        (
            "#define CHECK(c) \\\n  do { \\\n    if (!(c)) \\\n      reach_error(); \\\n  } while (0)\n",
            "  CHECK(x != 7 ||\n        y != 9\n        );\n",
            11,
        ),
        (
            "#define FAIL reach_error()\n#define CHECK(c) if (!(c)) FAIL\n",
            "  if (x == 7) { CHECK(y != 9); }\n",
            8,
        ),
        ("#define assert(c) if (!(c)) reach_error()\n", "  assert(x != 7 || y != 9);\n", 7),
    ] {
        let text = format!(
            "{head}{definition}int main(void) {{\n  int x = __VERIFIER_nondet_int();\n  \
             int y = __VERIFIER_nondet_int();\n{used}  return 0;\n}}\n"
        );
        let (folder, witness) = confirmed(&text);
        assert!(witness.contains("G ! call(reach_error())"), "{witness}");
        let target = format!("line: {line}\n");
        assert!(witness.contains(&target), "{witness}");
        let other = format!("line: {}\n", line - 1);
        for (from, to) in [(&*target, &*other), ("result == 9", "result == 8")] {
            assert!(witness.contains(from), "{witness}");
            std::fs::write(folder.path().join("w.yml"), witness.replace(from, to)).expect("a file");
            let done = validate(&folder, "w.yml");
            assert_eq!(done.code, 20, "{from} as {to}: {}{}", done.out, done.err);
        }
    }
}

#[test]
fn each_of_several_calls_in_a_statement_has_its_own_place() {
    let program = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
#define ANY __VERIFIER_nondet_int()
int main(void) {
  int x = __VERIFIER_nondet_int() ? __VERIFIER_nondet_int() : 0;
  int y = __VERIFIER_nondet_int() - __VERIFIER_nondet_int(); int z = ANY - ANY;
  if (x == 7 && y == 100 && z == 200 && __VERIFIER_nondet_int() == 4 && __VERIFIER_nondet_int() == 8) reach_error();
  return 0;
}
";
    let (folder, witness) = confirmed(program);
    let calls = calls(&witness);
    let places: Vec<(u32, u32)> = calls.iter().map(|(line, column, _)| (*line, *column)).collect();
    let expected = [(5, 33), (5, 59), (6, 33), (6, 59), (6, 70), (6, 76), (7, 63), (7, 95)];
    assert_eq!(places, expected, "{witness}");
    assert_eq!([&*calls[1].2, &calls[6].2, &calls[7].2], ["7", "4", "8"]);
    for (from, to) in [("column: 59", "column: 33"), ("result == 8", "result == 9")] {
        std::fs::write(folder.path().join("w.yml"), witness.replace(from, to)).expect("a file");
        let done = validate(&folder, "w.yml");
        assert_eq!(done.code, 20, "{from} as {to}: {}{}", done.out, done.err);
    }
}

#[test]
fn calls_in_initialisers_of_objects_are_in_witnesses() {
    let program = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct s { int a; int b[2]; };
int main(void) {
  struct s v = { __VERIFIER_nondet_int(), { __VERIFIER_nondet_int(), 5 } };
  int w[3] = { 1, __VERIFIER_nondet_int(),
    __VERIFIER_nondet_int() };
  if (v.a == 17 && v.b[0] == 19 && w[1] == 13 && w[2] == 18) reach_error();
  return 0;
}
";
    let (folder, witness) = confirmed(program);
    let expected = [(5, 40, "17"), (5, 67, "19"), (6, 41, "13"), (7, 27, "18")];
    let expected = expected.map(|(line, column, said)| (line, column, said.to_owned()));
    assert_eq!(calls(&witness), expected, "{witness}");
    let wrong = witness.replace("result == 19", "result == 20");
    std::fs::write(folder.path().join("w.yml"), wrong).expect("a file");
    assert_eq!(validate(&folder, "w.yml").code, 20);
}

/// Memory that is lost is lost where the entry function ends.
#[test]
fn memory_that_is_lost_at_the_end_has_a_place_in_the_entry_function() {
    let direct =
        "#include <stdlib.h>\nint main(void) {\n  int *p = malloc(4);\n  p = 0;\n  return 0;\n}\n";
    let called = "#include <stdlib.h>\nstatic void f(void) {\n  int *p = malloc(4);\n}\nint main(void) {\n  f();\n}\n";
    for (program, line, other) in [(direct, 5, 4), (called, 5, 3)] {
        for property in ["valid-memtrack", "valid-memcleanup"] {
            let folder = Folder::new().with("p.c", program);
            let check = ["check", "p.c", "-q", "--property", property, "--output-dir", "out"];
            assert_eq!(folder.run(&check).code, 10, "{property}");
            let text = folder.read("out/violation.yml");
            let target = text.split("\"target\"").nth(1).expect("a target");
            assert!(target.contains(&format!("line: {line}\n")), "{property}: {target}");
            assert!(target.contains("function: \"main\""), "{property}: {target}");
            for name in ["out/violation.yml", "out/violation.graphml"] {
                let done = validate(&folder, name);
                assert_eq!(done.code, 10, "{property}: {name}: {}{}", done.out, done.err);
            }
            let wrong = target.replace(&format!("line: {line}\n"), &format!("line: {other}\n"));
            let found = answer(&folder, &text.replace(target, &wrong)).0;
            assert!(found == 20 || found == 65, "{property}: {found}");
        }
    }
}

/// A target may be said where the statement begins that the error is in, or its condition.
#[test]
fn a_target_is_where_its_statement_begins() {
    let program = "\
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  int a[2] = {0, 1};
  if (x > 1 && a[x] == 0) return 1;
  return 0;
}
";
    let folder = Folder::new().with("p.c", program);
    let check = ["check", "p.c", "-q", "--property", "valid-deref", "--output-dir", "out"];
    assert_eq!(folder.run(&check).code, 10);
    let text = folder.read("out/violation.yml");
    assert_eq!(validate(&folder, "out/violation.yml").code, 10, "{text}");
    let target = text.split("\"target\"").nth(1).expect("a target");
    let column =
        target.split("column: ").nth(1).and_then(|rest| rest.lines().next()).expect("a column");
    for (other, code) in [("3", 10), ("7", 10), ("4", 20), ("27", 20), ("1", 20)] {
        let wrong = target.replace(&format!("column: {column}\n"), &format!("column: {other}\n"));
        let found = answer(&folder, &text.replace(target, &wrong));
        assert_eq!(found.0, code, "{other}: {}", found.1);
    }
}

/// A condition that begins with brackets begins where these do, and behind them: what the error is said to be at depends
/// on what the witness puts around the condition.
#[test]
fn errors_in_conditions_that_begin_with_brackets_are_confirmed() {
    for condition in [
        "if ((b[j] & 1) != 0)",
        "if (((j + n) + b[j]) == 77)",
        "if ((n > 2) && (b[j] & 1))",
        "if ((b[j] & 1) ? 0 : n < 0)",
        "if (((int *)b)[j])",
        "if (0) ; else if ((b[j]) > 77)",
        "while ((b[j] & 1) != 0)",
        "switch ((b[j] & 1)) case 1:",
    ] {
        let program = format!(
            "extern int nondet_int(void);\nint main(void) {{\n  unsigned char b[4] = {{ 0 }};\n  \
             int n = nondet_int();\n  for (int j = 0; j < n; j++) {{\n    {condition} return 1;\n  }}\n  \
             return 0;\n}}\n"
        );
        confirmed(&program);
    }
    // Other brackets are other places.
    let (folder, text) = confirmed(
        "extern int nondet_int(void);\nint main(void) {\n  int a[2] = {0, 1};\n  int x = nondet_int();\n  \
         if ((a[x] & (x + 1)) != 0) return 1;\n  return 0;\n}\n",
    );
    let target = text.split("\"target\"").nth(1).expect("a target");
    let column =
        target.split("column: ").nth(1).and_then(|rest| rest.lines().next()).expect("a column");
    for (other, code) in [("3", 10), ("7", 10), ("8", 10), ("6", 20), ("15", 20), ("16", 20)] {
        let wrong = target.replace(&format!("column: {column}\n"), &format!("column: {other}\n"));
        let found = answer(&folder, &text.replace(target, &wrong));
        assert_eq!(found.0, code, "{other}: {}", found.1);
    }
}

/// What is proved because a condition is constant is said, too, and a program that is wrong there is not confirmed.
#[test]
fn proofs_say_asserts_with_constant_conditions() {
    let assertion = "G ! call(__assert_fail())";
    let error = "G ! call(reach_error())";
    for (body, wrong, formulas) in [
        ("assert(1 + 1 == 2); return 0;", "1 + 1 == 3", &[assertion][..]),
        (
            "int a[4] = {0}, i = input(); assert(sizeof a == 4 * sizeof a[0]); if (i < 0 || i > 3) return 0; return a[i];",
            "sizeof a == 3",
            &[assertion, "G valid-deref"],
        ),
        (
            "int i = input(); if (i > 5 && i < 3) reach_error(); assert(1 + 1 == 2); return 0;",
            "1 + 1 == 3",
            &[error, assertion],
        ),
        ("if (0) reach_error(); return 0;", "", &[error]),
    ] {
        let program = |body: &str| {
            format!(
                "#include <assert.h>\nextern void reach_error(void);\nextern int input(void);\n\
                 int main(void) {{ {body} }}\n"
            )
        };
        let folder = Folder::new().with("p.c", program(body));
        assert_eq!(folder.run(&["check", "p.c", "-q", "--output-dir", "out"]).code, 0, "{body}");
        let witness = folder.read("out/correctness.yml");
        assert_eq!(witness.matches("CHECK(").count(), formulas.len(), "{body}: {witness}");
        for formula in formulas {
            assert!(witness.contains(&format!("LTL({formula})")), "{body}: {witness}");
        }
        assert_eq!(validate(&folder, "out/correctness.yml").code, 0, "{body}");
        if let Some((before, _)) = body.split_once("assert(").filter(|_| !wrong.is_empty()) {
            let behind = body.split_once(");").map_or("", |(_, behind)| behind);
            let other = program(&format!("{before} assert({wrong}); {behind}"));
            let other = Folder::new().with("p.c", &other);
            let moved = witness.replace(&hash(&folder), &hash(&other));
            let (code, text) = answer(&other, &moved);
            assert_eq!(code, 20, "{body}: {text}");
        }
    }
}

/// Proofs and violations of asserts are about the same property.
#[test]
fn proofs_of_asserts_say_what_violations_of_them_say() {
    let property = "LTL(G ! call(__assert_fail()))";
    for (condition, name) in [("x != 7", "violation.yml"), ("x % 5 < 5", "correctness.yml")] {
        let text = format!(
            "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\nint main(void) {{\n  int x = __VERIFIER_nondet_int();\n  assert({condition});\n  return 0;\n}}\n"
        );
        let folder = Folder::new().with("p.c", &text);
        let code = folder.run(&["check", "p.c", "-q", "--output-dir", "out"]).code;
        let witness = folder.read(&format!("out/{name}"));
        assert!(witness.contains(property), "{witness}");
        assert_eq!(validate(&folder, &format!("out/{name}")).code, code);
    }
}

#[test]
fn proofs_do_not_name_static_variables_of_other_functions() {
    let program = "\
extern void reach_error(void);
extern _Bool nondet_bool(void);
static unsigned next_id(void) { static unsigned id = 7; if (id < 5000) id++; return id; }
int main(void) {
  unsigned last = 0;
  while (nondet_bool()) { unsigned k = next_id(); if (k <= 7) reach_error(); last = k; }
  return 0;
}
";
    let folder = Folder::new().with("p.c", program);
    let done = folder.run(&["check", "p.c", "-q", "--output-dir", "out"]);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    let done = validate(&folder, "out/correctness.yml");
    let last = done.last_line().to_owned();
    assert_eq!((done.code, &*last), (0, "Witness: proof confirmed"), "{}{}", done.out, done.err);
}

#[test]
fn calls_of_several_lines_are_found() {
    let head =
        "extern int in(void);\nextern void reach_error(void);\nint main(void) {\n  int x = 0;\n";
    for call in ["x = in(\n  );", "x =\n  in\n  (\n  )\n  ;"] {
        let (_, yaml) = confirmed(&format!("{head}  {call}\n  if (x == 4) reach_error();\n}}\n"));
        assert!(yaml.contains("\\\\result == 4"), "{yaml}");
    }
    let scanned = "#include <stdio.h>\nextern void reach_error(void);\nint main(void) {\n  int x = 0;\n  scanf(\"%d\",\n    &x);\n  \
         if (x == 4) reach_error();\n}\n";
    confirmed(scanned);
}

#[test]
fn declarations_beside_calls_are_no_calls() {
    for program in [
        "int in(void); void reach_error(void); int main(void) { if (in() == 7) reach_error(); return 0; }\n",
        "extern void reach_error(void);\nint main(void) {\n  extern int in(void); int x = in();\n  if (x == 7) reach_error();\n  \
         return 0;\n}\n",
        "struct s { int n; };\nextern void reach_error(void);\nextern int in(void);\nstatic struct s *given(int n); struct s a; \
         int main(void) { struct s *p = given(in()); if (p->n == 7) reach_error(); return 0; }\n\
         static struct s *given(int n) { a.n = n; return &a; }\n",
    ] {
        confirmed(program);
    }
}

#[test]
fn a_part_of_a_program_is_another_program() {
    let main =
        "extern int in(void);\nextern void stop(int);\nint main(void) { stop(in()); return 0; }\n";
    let part = "extern void reach_error(void);\nvoid stop(int x) { if (x == 4) reach_error(); }\n";
    let folder = Folder::new().with("p.c", main).with("q.c", part);
    let done = folder.run(&["check", "p.c", "q.c", "-q", "--output-dir", "out"]);
    assert_eq!(done.code, 10, "{}{}", done.out, done.err);
    for name in ["out/violation.yml", "out/violation.graphml"] {
        let whole = folder.run(&["validate", "p.c", "q.c", "--witness", name]);
        assert_eq!(whole.last_line(), "Witness: violation confirmed", "{name} {}", whole.err);
        let done = validate(&folder, name);
        assert_eq!(done.code, 65, "{name} {}{}", done.out, done.err);
        assert!(done.err.contains("q.c, too, which was not given"), "{}", done.err);
    }
}

//! Where a witness says that something is: files, functions, lines and columns.

use crate::common::Folder;
use crate::{SAFE, UNSAFE, answer, confirmed, hash, invariant, segment, validate, waypoint, yaml};

/// A place in a file that the program includes is not the same line of the program's own file.
#[test]
fn places_in_included_files_are_not_mistaken() {
    let header = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n\
                  static int f(int a) {\n  int r = 0;\n  if (a > 5)\n    r = 1;\n  return r;\n}\n";
    let program = "#include \"x.h\"\nint main(void) {\n  int x = __VERIFIER_nondet_int();\n  int y = f(x);\n  \
                   if (x == 3 && y == 0)\n    reach_error();\n  return 0;\n}\n";
    let folder = Folder::new().with("x.h", header).with("p.c", program);
    let done = folder.run(&["check", "p.c", "-q", "--output-dir", "o"]);
    assert_eq!(done.code, 10, "{}", done.err);
    let hash = hash(&folder);
    let branch = |file: &str, holds: bool| {
        let body = format!(
            "\n  - segment:\n    - waypoint: {{type: branching, action: follow, constraint: {{value: \"{holds}\"}}, \
             location: {{file_name: {file}, line: 5, column: 3}}}}\n  - segment:\n    - waypoint: {{type: target, \
             action: follow, location: {{file_name: p.c, line: 6, column: 5}}}}"
        );
        std::fs::write(folder.path().join("w.yml"), yaml("violation_sequence", &hash, &body))
            .expect("a witness");
        validate(&folder, "w.yml")
    };
    for (file, holds, code) in [
        ("p.c", true, 10),
        ("p.c", false, 20),
        ("x.h", false, 10),
        ("x.h", true, 20),
        ("elsewhere/x.h", false, 10),
        ("y.h", true, 65),
    ] {
        let done = branch(file, holds);
        assert_eq!(done.code, code, "{file} {holds}: {}{}", done.out, done.err);
    }
    let done = branch("y.h", true);
    assert!(done.err.contains("the program has no such file"), "{}", done.err);
    assert!(done.err.contains("\n    |") || done.err.contains("^^^"), "{}", done.err);
    let caret = done.err.lines().find(|line| line.contains('^')).expect("a caret");
    let shown = done.err.lines().find(|line| line.contains("y.h")).expect("the line");
    assert_eq!(shown.find("y.h"), caret.find('^'), "{}", done.err);
}

/// Witnesses of this tool for programs of several files are confirmed, and not with a mistake in them.
#[test]
fn places_in_all_files_of_a_program_are_followed() {
    let head =
        "#pragma once\nextern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n";
    let get = "static int get(void) {\n  if (__VERIFIER_nondet_int() != 1) return 0;\n  \
               return __VERIFIER_nondet_int(); }\n";
    let err = "static void err(void) { reach_error(); }\n";
    let main = "#include \"x.h\"\nint main(void) {\n  int x = get();\n  if (x == 38) err();\n  return 0;\n}\n";
    let inner = "#include \"x.h\"\nint main(void) {\n#include \"body.inc\"\n  return 0;\n}\n";
    let body = "int x = get();\nif (x == 38)\n  reach_error();\n";
    let one = "#include \"x.h\"\nextern int other(int);\nint main(void) { return other(get()); }\n";
    let two = "#include \"x.h\"\nint other(int y) {\n  if (get() == 38 && y == 5)\n    err();\n  return y;\n}\n";
    let header = format!("{head}{get}{err}");
    for (files, arguments) in [
        (vec![("p.c", main)], vec!["p.c"]),
        (vec![("p.c", inner), ("body.inc", body)], vec!["p.c"]),
        (vec![("p.c", one), ("q.c", two)], vec!["p.c", "q.c"]),
    ] {
        let mut folder = Folder::new().with("x.h", &header);
        for (name, text) in files {
            folder = folder.with(name, text);
        }
        let run = |word: &str, more: &[&str]| {
            let words: Vec<&str> =
                [word].into_iter().chain(arguments.clone()).chain(more.iter().copied()).collect();
            folder.run(&words)
        };
        let done = run("check", &["-q", "--output-dir", "o"]);
        assert_eq!(done.code, 10, "{}{}", done.out, done.err);
        for name in ["o/violation.yml", "o/violation.graphml"] {
            let done = run("validate", &["--witness", name]);
            let witness = folder.read(name);
            assert_eq!(done.code, 10, "{name}: {witness} {}{}", done.out, done.err);
            assert!(witness.contains("x.h"), "{witness}");
            assert!(witness.contains("result == 38"), "{witness}");
            let wrong = witness.replace("result == 38", "result == 39");
            std::fs::write(folder.path().join("wrong"), wrong).expect("a file");
            let done = run("validate", &["--witness", "wrong"]);
            assert_eq!(done.code, 20, "{name}: {witness} {}{}", done.out, done.err);
        }
    }
}

/// The function of a place is the one that the place is in.
#[test]
fn a_place_in_another_function_is_refused() {
    let program = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n\
                   static int f(void) { return __VERIFIER_nondet_int(); }\n\
                   int main(void) {\n  if (f() == 17)\n    reach_error();\n  return 0;\n}\n";
    let (folder, witness) = confirmed(program);
    for (from, to) in [
        ("function: \"f\"", "function: \"main\""),
        ("function: \"main\"", "function: \"f\""),
        ("function: \"main\"", "function: \"nowhere\""),
    ] {
        assert!(witness.contains(from), "{witness}");
        std::fs::write(folder.path().join("w.yml"), witness.replace(from, to)).expect("a file");
        let done = validate(&folder, "w.yml");
        assert_eq!(done.code, 65, "{from} as {to}: {}{}", done.out, done.err);
        assert!(done.err.contains("this place is not in"), "{}", done.err);
    }
}

/// A file that is included twice has two functions at one place, and `function` says which one is meant.
#[test]
fn the_function_of_a_place_chooses_among_several() {
    let once = "static int NAME(int x) {\n  if (x == LIM)\n    return 0;\n  assert(x != BAD);\n  return 0;\n}\n";
    let program = "\
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
#define NAME f1
#define LIM 3
#define BAD 3
#include \"once.inc\"
#undef NAME
#undef LIM
#undef BAD
#define NAME f2
#define LIM 5
#define BAD 7
#include \"once.inc\"
int main(void) {
  int x = __VERIFIER_nondet_int();
  f1(x);
  f2(x);
  return 0;
}
";
    let folder = Folder::new().with("p.c", program).with("once.inc", once);
    assert_eq!(folder.run(&["check", "p.c", "-q", "--output-dir", "out"]).code, 10);
    assert_eq!(validate(&folder, "out/violation.yml").code, 10);
    let text = folder.read("out/violation.yml");
    let target = text.rfind("function: \"f2\"").expect("a target in f2");
    let wrong = format!("{}function: \"f1\"{}", &text[..target], &text[target + 14..]);
    assert_eq!(answer(&folder, &wrong).0, 20);
    let first = text.find("function: \"f1\"").expect("a branch in f1");
    for name in ["f2", "main", "nowhere"] {
        let (before, after) = (&text[..first], &text[first + 14..]);
        let wrong = format!("{before}function: \"{name}\"{after}").replace("\"false\"", "\"true\"");
        let code = answer(&folder, &wrong).0;
        assert_eq!(code, if name == "nowhere" { 65 } else { 20 }, "{name}");
    }
}

#[test]
fn the_default_of_a_switch_is_where_no_case_is() {
    let program = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int x = __VERIFIER_nondet_int(), n = 0;
  switch (x) {
  case 1: n = 1; break;
  case 3 ... 5: switch (n) { case 9: n = 2; } break;
  default: n = 4;
  }
  if (n == 4 || x == 4)
    reach_error();
  return 0;
}
";
    let folder = Folder::new().with("p.c", program);
    let hash = hash(&folder);
    let content = |value: &str, assumed: &str| {
        segment(&[waypoint("branching", "follow", value, 5, ", column: 3")])
            + &segment(&[waypoint("assumption", "follow", assumed, 10, ", column: 3")])
            + &segment(&[waypoint("target", "follow", "", 11, ", column: 5")])
    };
    for (value, assumed, code) in [
        ("default", "x == 9", 10),
        ("default", "x == 2", 10),
        ("default", "x == 4", 20),
        ("default", "x == 1", 20),
        ("4", "x == 4", 10),
        ("other", "x == 4", 65),
    ] {
        let found = answer(&folder, &yaml("violation_sequence", &hash, &content(value, assumed)));
        assert_eq!(found.0, code, "{value}, {assumed}: {}", found.1);
    }
    // Where a macro has a label, nobody sees all cases.
    let hidden =
        program.replace("  case 1:", "  ONE").replace("int main", "#define ONE case 1:\nint main");
    let folder = Folder::new().with("p.c", &hidden);
    let hash = self::hash(&folder);
    let content = segment(&[waypoint("branching", "follow", "default", 6, ", column: 3")])
        + &segment(&[waypoint("target", "follow", "", 12, ", column: 5")]);
    let found = answer(&folder, &yaml("violation_sequence", &hash, &content));
    assert_eq!(found.0, 20, "{}", found.1);
    assert!(found.1.contains("does not show all cases"), "{}", found.1);
}

/// A label has the promoted type of the number: `case -1` of an unsigned number is its greatest value.
#[test]
fn labels_have_the_type_of_their_switch() {
    for ty in ["unsigned", "int"] {
        let label = if ty == "int" { "0xffffffff" } else { "-1" };
        let program = format!(
            "extern {ty} given(void);\nextern void reach_error(void);\nint main(void) {{\n  {ty} x = given();\n  int n = 0;\n  \
             switch (x) {{\n  case {label}: n = 1; break;\n  default: n = 2;\n  }}\n  if (x == ({ty}){label})\n    \
             reach_error();\n  return n;\n}}\n"
        );
        let folder = Folder::new().with("p.c", &program);
        let hash = hash(&folder);
        for (value, code) in [("default", 20), ("-1", 10), ("4294967295", 10), ("7", 20)] {
            let content = segment(&[waypoint("branching", "follow", value, 6, ", column: 3")])
                + &segment(&[waypoint("target", "follow", "", 11, ", column: 5")]);
            let found = answer(&folder, &yaml("violation_sequence", &hash, &content));
            assert_eq!(found.0, code, "{ty}, {value}: {}", found.1);
        }
    }
}

/// An expression that counts would have the program count otherwise.
#[test]
fn expressions_do_not_count() {
    let program = "extern void reach_error(void);\nint main(void) {\n  int a = 0;\n  a++;\n  int k = __COUNTER__;\n  if (k == 0)\n    \
                   a = 7;\n  reach_error();\n  return a;\n}\n";
    let folder = Folder::new().with("p.c", program);
    let hash = hash(&folder);
    for (assumed, code) in [("a >= 0", 20), ("__COUNTER__ >= 0", 65)] {
        let content = segment(&[waypoint("assumption", "follow", assumed, 4, ", column: 3")])
            + &segment(&[waypoint("branching", "follow", "false", 6, ", column: 3")])
            + &segment(&[waypoint("target", "follow", "", 8, ", column: 3")]);
        let found = answer(&folder, &yaml("violation_sequence", &hash, &content));
        assert_eq!(found.0, code, "{assumed}: {}", found.1);
    }
}

#[test]
fn the_column_of_a_target_counts() {
    let program = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x == 7) { x = 1; reach_error(); }
  return 0;
}
";
    let folder = Folder::new().with("p.c", program);
    let hash = hash(&folder);
    for (column, code) in [
        ("", 10),
        (", column: 24", 10),
        (", column: 3", 20),
        (", column: 17", 20),
        (", column: 25", 20),
    ] {
        let content = segment(&[waypoint("target", "follow", "", 5, column)]);
        let found = answer(&folder, &yaml("violation_sequence", &hash, &content));
        assert_eq!(found.0, code, "{column}: {}", found.1);
    }
}

/// A column is that of the first letter of what begins there.
#[test]
fn a_column_inside_a_word_is_no_place() {
    let folder = Folder::new().with("p.c", SAFE);
    let hash = hash(&folder);
    for (kind, column, code) in [
        ("loop_invariant", 3, 0),
        ("loop_invariant", 4, 20),
        ("loop_invariant", 2, 20),
        ("location_invariant", 3, 0),
        ("location_invariant", 7, 20),
    ] {
        let content = invariant(kind, "x == y", 5, &format!(", column: {column}"));
        let (found, text) = answer(&folder, &yaml("invariant_set", &hash, &content));
        assert_eq!(found, code, "{kind} {column}: {text}");
    }
    let folder = Folder::new().with("p.c", UNSAFE);
    let hash = self::hash(&folder);
    for (column, code) in [(3, 10), (4, 20)] {
        let at = format!(", column: {column}");
        let content = segment(&[waypoint("branching", "follow", "true", 7, &at)])
            + &segment(&[waypoint("target", "follow", "", 8, ", column: 5")]);
        let (found, text) = answer(&folder, &yaml("violation_sequence", &hash, &content));
        assert_eq!(found, code, "{column}: {text}");
    }
}

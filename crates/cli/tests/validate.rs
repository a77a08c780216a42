//! `proviso validate`: witnesses of this tool on the programs of `tests/specs`, the same with mistakes, and witnesses
//! as other tools write them.

mod common;

use std::path::Path;

use common::{Done, Folder};

/// A program with a violation, which the inputs 42, and then anything but 7 twice, reach.
const UNSAFE: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  int n = 0;
  while (n < 3) { if (__VERIFIER_nondet_int() == 7) n++; else n = n + 2; }
  if (x == 42 && n == 4)
    reach_error();
  return 0;
}
";

/// A program that is safe because of `x == y`.
const SAFE: &str = "\
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned x = 0, y = 0, n = __VERIFIER_nondet_uint();
  while (x < n) { x++; y++; }
  if (x != y)
    reach_error();
  return 0;
}
";

/// The SHA-256 of a text, as this tool writes it into its own witnesses.
fn hash(folder: &Folder) -> String {
    let done = folder.run(&["check", "p.c", "-q", "--output-dir", "hashed"]);
    let name = if done.code == 10 { "violation.yml" } else { "correctness.yml" };
    let text = folder.read(&format!("hashed/{name}"));
    let (_, rest) = text.split_once("\"p.c\": \"").expect("a hash");
    rest.split('"').next().expect("its end").to_owned()
}

fn validate(folder: &Folder, witness: &str) -> Done {
    folder.run(&["validate", "p.c", "--witness", witness, "--timelimit", "60s"])
}

/// A witness in format 2.0 with this content.
fn yaml(kind: &str, hash: &str, content: &str) -> String {
    format!(
        "- entry_type: {kind}\n  metadata:\n    format_version: 2.0\n    uuid: 1\n    creation_time: 2026-01-01T00:00:00Z\n    \
         producer:\n      name: Somebody\n    task:\n      input_files: [p.c]\n      input_file_hashes: {{p.c: \"{hash}\"}}\n      \
         specification: \"G ! call(reach_error())\"\n      data_model: ILP32\n      language: C\n  content:{content}\n"
    )
}

fn waypoint(kind: &str, action: &str, value: &str, line: u32, column: &str) -> String {
    let constraint = if value.is_empty() {
        String::new()
    } else {
        format!("constraint: {{value: '{value}'}}, ")
    };
    format!(
        "\n    - waypoint: {{type: {kind}, action: {action}, {constraint}location: {{file_name: ./p.c, line: {line}{column}}}}}"
    )
}

fn segment(waypoints: &[String]) -> String {
    format!("\n  - segment:{}", waypoints.concat())
}

fn invariant(kind: &str, value: &str, line: u32, column: &str) -> String {
    format!(
        "\n  - invariant: {{type: {kind}, location: {{file_name: p.c, line: {line}{column}, function: main}}, value: '{value}', format: c_expression}}"
    )
}

/// A witness in format 1.0 with these nodes and edges.
fn graph(kind: &str, hash: &str, body: &str) -> String {
    format!(
        "<?xml version=\"1.0\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n\
         <key attr.name=\"enterLoopHead\" for=\"edge\" id=\"head\"/>\n<graph edgedefault=\"directed\">\n\
         <data key=\"witness-type\">{kind}</data><data key=\"sourcecodelang\">C</data>\n\
         <data key=\"specification\">CHECK( init(main()), LTL(G ! call(reach_error())) )</data>\n\
         <data key=\"programhash\">{hash}</data><data key=\"architecture\">32bit</data>\n{body}</graph>\n</graphml>\n"
    )
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
        done.out.starts_with("The property is proved; ") && done.out.contains("hold.\n"),
        "{}",
        done.out
    );
    assert_eq!(done.last_line(), "Witness: proof confirmed");
}

#[test]
fn mistakes_are_found() {
    let folder = Folder::new().with("p.c", UNSAFE);
    hash(&folder);
    for (name, mistakes) in [
        (
            "violation.yml",
            [
                ("result == 42", "result == 43"),
                ("line: 8", "line: 9"),
                ("value: \"false\"", "value: \"true\""),
            ],
        ),
        (
            "violation.graphml",
            [
                ("result == 42", "result == 43"),
                (">8<", ">9<"),
                ("condition-false", "condition-true"),
            ],
        ),
    ] {
        let text = folder.read(&format!("hashed/{name}"));
        for (from, to) in mistakes {
            assert!(text.contains(from), "{name} has no {from}");
            std::fs::write(folder.path().join(name), text.replace(from, to)).expect("a witness");
            let done = validate(&folder, name);
            assert_eq!(done.code, 20, "{name}: {from} as {to}: {}{}", done.out, done.err);
            assert!(done.last_line().starts_with("Witness: not confirmed ("), "{}", done.out);
        }
        for (from, to) in [(" ", "\n\u{1}"), ("line", "x"), ("8", "800000")] {
            std::fs::write(folder.path().join(name), text.replace(from, to)).expect("a witness");
            let done = validate(&folder, name);
            assert_eq!(done.code, 65, "{name}: {from} as {to}: {}{}", done.out, done.err);
            assert!(done.err.starts_with("error: "), "{}", done.err);
        }
    }
    let other = Folder::new().with("p.c", SAFE);
    std::fs::copy(folder.path().join("hashed/violation.yml"), other.path().join("w.yml"))
        .expect("a copy");
    let done = validate(&other, "w.yml");
    assert_eq!((done.code, done.out.as_str()), (65, ""), "{}", done.err);
    assert!(
        done.err.contains("the witness is of another program") && done.err.contains("w.yml:"),
        "{}",
        done.err
    );
}

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

#[test]
fn violations_of_others() {
    let folder = Folder::new().with("p.c", UNSAFE);
    let hash = hash(&folder);
    let target = || segment(&[waypoint("target", "follow", "", 8, ", column: 5")]);
    let returned =
        |value: &str| segment(&[waypoint("function_return", "follow", value, 4, ", column: 33")]);
    let cases = [
        (target(), 10),
        (returned("\\result == 42") + &target(), 10),
        (returned("\\result > 40") + &target(), 10),
        (returned("\\result > 42") + &target(), 20),
        (segment(&[waypoint("assumption", "follow", "x == 42", 5, ", column: 3")]) + &target(), 10),
        (segment(&[waypoint("assumption", "follow", "x == 41", 5, ", column: 3")]) + &target(), 20),
        (segment(&[waypoint("branching", "follow", "true", 7, "")]) + &target(), 10),
        (segment(&[waypoint("branching", "follow", "false", 7, ", column: 3")]) + &target(), 20),
        (segment(&[waypoint("function_enter", "follow", "", 4, ", column: 33")]) + &target(), 10),
        // A round with 7 leads to three, or past four.
        (
            segment(&[
                waypoint("branching", "avoid", "true", 6, ", column: 19"),
                waypoint("target", "follow", "", 8, ", column: 5"),
            ]),
            10,
        ),
        (
            segment(&[
                waypoint("branching", "avoid", "false", 6, ", column: 19"),
                waypoint("target", "follow", "", 8, ", column: 5"),
            ]),
            20,
        ),
        (segment(&[waypoint("target", "follow", "", 9, "")]), 20),
    ];
    for (content, code) in cases {
        std::fs::write(folder.path().join("w.yml"), yaml("violation_sequence", &hash, &content))
            .expect("a witness");
        let done = validate(&folder, "w.yml");
        assert_eq!(done.code, code, "{content}: {}{}", done.out, done.err);
    }
}

#[test]
fn graphs_of_others() {
    let folder = Folder::new().with("p.c", UNSAFE);
    let hash_of_unsafe = hash(&folder);
    let nodes = "<node id=\"a\"><data key=\"entry\">true</data></node><node id=\"b\"/>\
                 <node id=\"s\"><data key=\"sink\">true</data></node><node id=\"e\"><data key=\"violation\">true</data></node>\n";
    let last = "<edge source=\"b\" target=\"e\"><data key=\"startline\">8</data></edge>\n";
    for (said, code) in [
        ("<data key=\"startline\">4</data><data key=\"assumption\">x == (42);</data>", 10),
        ("<data key=\"startline\">4</data><data key=\"assumption\">x == 41; x != 9;</data>", 20),
        ("<data key=\"startline\">7</data><data key=\"control\">condition-true</data>", 10),
        ("<data key=\"startline\">7</data><data key=\"control\">condition-false</data>", 20),
        ("<data key=\"startline\">3</data><data key=\"enterFunction\">main</data>", 10),
        (
            "<data key=\"startline\">4</data><data key=\"sourcecode\">int x = __VERIFIER_nondet_int();</data>",
            10,
        ),
    ] {
        let sink = "<edge source=\"a\" target=\"s\"><data key=\"startline\">9</data><data key=\"assumption\">n == 9</data></edge>\n";
        let body = format!("{nodes}<edge source=\"a\" target=\"b\">{said}</edge>\n{sink}{last}");
        let text = graph("violation_witness", &hash_of_unsafe, &body);
        std::fs::write(folder.path().join("w.graphml"), text).expect("a witness");
        let done = validate(&folder, "w.graphml");
        assert_eq!(done.code, code, "{said}: {}{}", done.out, done.err);
    }
    let folder = Folder::new().with("p.c", SAFE);
    let hash_of_safe = hash(&folder);
    for (said, code) in [("x == y", 0), ("y == x + 1U", 20)] {
        let body = format!(
            "<node id=\"a\"><data key=\"entry\">true</data></node><node id=\"h\"><data key=\"invariant\">{said}</data></node>\n\
             <edge source=\"a\" target=\"h\"><data key=\"head\">true</data><data key=\"startline\">4</data></edge>\n\
             <edge source=\"h\" target=\"h\"><data key=\"startline\">5</data><data key=\"control\">condition-true</data></edge>\n"
        );
        std::fs::write(
            folder.path().join("w.graphml"),
            graph("correctness_witness", &hash_of_safe, &body),
        )
        .expect("a witness");
        let done = validate(&folder, "w.graphml");
        assert_eq!(done.code, code, "{said}: {}{}", done.out, done.err);
    }
}

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

/// Checks a program that violates its property, and has both witnesses confirmed. Gives the one in YAML.
fn confirmed(program: &str) -> (Folder, String) {
    let folder = Folder::new().with("p.c", program);
    let done = folder.run(&["check", "p.c", "-q", "--output-dir", "out"]);
    assert_eq!(done.code, 10, "{}{}", done.out, done.err);
    for name in ["out/violation.yml", "out/violation.graphml"] {
        let done = validate(&folder, name);
        let answer = (done.code, done.last_line());
        assert_eq!(answer, (10, "Witness: violation confirmed"), "{name}: {}", folder.read(name));
    }
    let text = folder.read("out/violation.yml");
    (folder, text)
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

#[test]
fn the_property_is_that_of_the_witness_unless_another_is_asked_for() {
    let program = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x == 2147483647)
    x = x + 1;
  if (x == 5)
    reach_error();
  return 0;
}
";
    let folder = Folder::new().with("p.c", program);
    let check = ["check", "p.c", "-q", "--property", "no-overflow", "--output-dir", "out"];
    assert_eq!(folder.run(&check).code, 10);
    let warned = "warning: the witness is of another property, no-overflow; the one that was asked for is used\n";
    let witness = ["validate", "p.c", "--witness", "out/violation.yml"];
    for (asked, code, is_told) in [
        (&[][..], 10, false),
        (&["--property", "no-overflow"], 10, false),
        (&["--check", "overflow"], 10, false),
        (&["--property", "unreach-call"], 20, true),
        (&["--check", "deref"], 20, true),
    ] {
        let done = folder.run(&[&witness[..], asked].concat());
        assert_eq!(done.code, code, "{asked:?}: {}{}", done.out, done.err);
        assert_eq!(done.err.contains(warned), is_told, "{asked:?}: {}", done.err);
    }
}

/// The name of the property stands for error functions of older programs, which its text does not name.
#[test]
fn older_error_functions_are_those_of_the_witness() {
    let program = "\
extern void __VERIFIER_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  if (__VERIFIER_nondet_int() == 42)
    __VERIFIER_error();
  return 0;
}
";
    let folder = Folder::new().with("p.c", program);
    let check = ["check", "p.c", "-q", "--property", "unreach-call", "--output-dir", "out"];
    assert_eq!(folder.run(&check).code, 10);
    for name in ["out/violation.yml", "out/violation.graphml"] {
        assert!(folder.read(name).contains("LTL(G ! call(__VERIFIER_error()))"));
        assert_eq!(validate(&folder, name).code, 10);
    }
}

/// Writes a witness beside a program, and validates it.
fn answer(folder: &Folder, witness: &str) -> (i32, String) {
    std::fs::write(folder.path().join("w.yml"), witness).expect("a witness");
    let done = validate(folder, "w.yml");
    (done.code, format!("{}{}", done.out, done.err))
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

#[test]
fn an_edge_names_one_file() {
    let program = "#include \"f.h\"\nextern void reach_error(void);\nint main(void) {\n  if (f(__VERIFIER_nondet_int()))\n    reach_error();\n  return 0;\n}\n";
    let header = "extern int __VERIFIER_nondet_int(void);\nstatic int f(int x) {\n  if (x == 3)\n    return 1;\n  return 0;\n}\n";
    let folder = Folder::new().with("p.c", program).with("f.h", header);
    assert_eq!(folder.run(&["check", "p.c", "-q", "--output-dir", "out"]).code, 10);
    let text = folder.read("out/violation.graphml");
    let named = "<data key=\"originfile\">f.h</data>";
    assert!(text.contains(named), "{text}");
    let own = "<data key=\"originfile\">p.c</data>";
    for (to, code) in [
        (format!("{named}{named}"), 10),
        (format!("{named}{own}"), 65),
        (format!("{own}{named}"), 65),
    ] {
        let found = answer(&folder, &text.replace(named, &to));
        assert_eq!(found.0, code, "{to}: {}", found.1);
    }
    // The key may have the file of all edges that name none.
    let key = "for=\"edge\" id=\"originfile\"/>";
    let with =
        |name: &str| format!("for=\"edge\" id=\"originfile\"><default>{name}</default></key>");
    for (name, code) in [("p.c", 10), ("\"p.c\"", 10), ("elsewhere.c", 65)] {
        let found = answer(&folder, &text.replace(key, &with(name)));
        assert_eq!(found.0, code, "{name}: {}", found.1);
    }
}

/// A violation of a check that SV-COMP has no property for is written with the name of the check.
#[test]
fn the_check_of_a_witness_is_used() {
    let program = "\
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int u;
  int x = __VERIFIER_nondet_int();
  unsigned char c = x;
  int s = 1 << (x & 63);
  return u + c + s;
}
";
    for check in ["shift", "conversion", "uninitialised"] {
        for more in [&[][..], &["--property", "unreach-call"]] {
            let folder = Folder::new().with("p.c", program);
            let words = ["check", "p.c", "-q", "--check", check, "--output-dir", "out"];
            assert_eq!(folder.run(&[&words[..], more].concat()).code, 10, "{check}");
            for name in ["out/violation.yml", "out/violation.graphml"] {
                let done = validate(&folder, name);
                assert_eq!(done.code, 10, "{check}: {name}: {}{}", done.out, done.err);
            }
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

/// A witness of a property that nobody here can check says nothing of the one that is checked when none is named.
#[test]
fn a_property_that_is_not_known_is_not_replaced() {
    let said = "CHECK( init(main()), LTL(G ! call(reach_error())) )";
    let place = "<data key=\"startline\">8</data>";
    let violation = format!(
        "<node id=\"a\"><data key=\"entry\">true</data></node><node id=\"e\"><data key=\"violation\">true</data></node>\n\
         <edge source=\"a\" target=\"e\">{place}</edge>\n"
    );
    let target = segment(&[waypoint("target", "follow", "", 8, ", column: 5")]);
    for (program, kinds, content, body, code) in [
        (UNSAFE, ("violation_sequence", "violation_witness"), &*target, &*violation, 10),
        (SAFE, ("invariant_set", "correctness_witness"), " []", "", 0),
    ] {
        let folder = Folder::new().with("p.c", program);
        let hash = hash(&folder);
        let yaml = yaml(kinds.0, &hash, content).replace("G ! call(reach_error())", said);
        for witness in [yaml, graph(kinds.1, &hash, body)] {
            assert_eq!(answer(&folder, &witness).0, code, "{witness}");
            for (other, why) in [
                ("CHECK( init(main()), LTL(F end) )", "the property termination is not decided"),
                ("G ! data-race", "the property no-data-race is not decided"),
                ("G valid-memsafty", "the property `G valid-memsafty` is not known here"),
                ("G no-overflow", "the property `G no-overflow` is not known here"),
                ("anything", "the property `anything` is not known here"),
            ] {
                let (found, text) = answer(&folder, &witness.replace(said, other));
                let last = format!("Witness: not confirmed ({why})\n");
                assert!(found == 20 && text.ends_with(&last), "{other}: {found} {text}");
            }
            // What the command line asks for counts, and the difference is told.
            std::fs::write(folder.path().join("w.yml"), witness.replace(said, "anything"))
                .expect("a witness");
            let asked = ["validate", "p.c", "--witness", "w.yml", "--property", "unreach-call"];
            let done = folder.run(&asked);
            assert_eq!(done.code, code, "{}{}", done.out, done.err);
            assert!(done.err.contains("of another property, anything"), "{}", done.err);
        }
    }
}

/// Each part of a property that a witness says in several parts counts.
#[test]
fn all_parts_of_a_property_count() {
    let program =
        "#include <stdlib.h>\nint main(void) {\n  int *p = malloc(4);\n  p = 0;\n  return 0;\n}\n";
    let folder = Folder::new().with("p.c", program);
    let hash = hash(&folder);
    let part = |name: &str| {
        format!("<data key=\"specification\">CHECK( init(main()), LTL(G {name}) )</data>")
    };
    let witness = graph("correctness_witness", &hash, "");
    let said = part("! call(reach_error())");
    let free = witness.replace(&said, &part("valid-free"));
    assert_eq!(answer(&folder, &free).0, 0);
    let both = witness.replace(&said, &(part("valid-free") + &part("valid-memtrack")));
    assert_eq!(answer(&folder, &both).0, 20);
}

/// A proof in GraphML of `SAFE` with what is said of the nodes `a`, before the loop, and `h`, and the edges from them.
fn proof_graph(hash: &str, nodes: [&str; 2], edges: &str) -> String {
    let [before, head] = nodes;
    let body = format!(
        "<node id=\"a\"><data key=\"entry\">true</data>{before}</node><node id=\"h\">{head}</node><node id=\"x\"/>\n{edges}"
    );
    graph("correctness_witness", hash, &body)
}

fn edge(from: &str, to: &str, line: u32, more: &str) -> String {
    format!(
        "<edge source=\"{from}\" target=\"{to}\"><data key=\"startline\">{line}</data>{more}</edge>\n"
    )
}

fn data(key: &str, value: &str) -> String {
    format!("<data key=\"{key}\">{value}</data>")
}

#[test]
fn every_invariant_of_a_graph_is_proved() {
    let folder = Folder::new().with("p.c", SAFE);
    let hash = hash(&folder);
    let enter = data("enterLoopHead", "true");
    let holds = data("invariant", "x == y");
    let after = edge("a", "h", 4, &enter) + &edge("h", "h", 5, &data("control", "condition-true"));
    let nothing_after = edge("a", "h", 5, &enter);
    for (nodes, edges, code, said) in [
        (["", &*holds], &after, 0, "proof confirmed"),
        (["", &holds], &nothing_after, 0, "proof confirmed"),
        (["", &data("invariant", "x != y")], &nothing_after, 20, "`x != y` at p.c:5 does not hold"),
        (["", &holds], &edge("a", "h", 4, &enter), 20, "there is no loop at p.c:4"),
        ([&data("invariant", "true"), &holds], &after, 0, "proof confirmed"),
        (
            [&data("invariant", "0"), &holds],
            &after,
            20,
            "1 invariant is at no head of a loop, and not proved",
        ),
        (
            [&holds, &holds],
            &edge("a", "h", 5, ""),
            20,
            "2 invariants are at no head of a loop, and not proved",
        ),
    ] {
        let (found, text) = answer(&folder, &proof_graph(&hash, nodes, edges));
        assert!(found == code && text.contains(said), "{nodes:?} {edges}: {found} {text}");
    }
    for (scope, code) in [("main", 0), ("nosuch", 65), ("x", 65), ("reach_error", 65)] {
        let head = format!("{holds}{}", data("invariant.scope", scope));
        let (found, text) = answer(&folder, &proof_graph(&hash, ["", &head], &after));
        assert_eq!(found, code, "{scope}: {text}");
    }
}

#[test]
fn edges_name_what_the_program_has() {
    let folder = Folder::new().with("p.c", UNSAFE);
    let hash = hash(&folder);
    let nodes = "<node id=\"a\"><data key=\"entry\">true</data></node><node id=\"b\"/><node id=\"c\"/>\
                 <node id=\"e\"><data key=\"violation\">true</data></node>\n";
    let assumed = |text: &str| data("assumption", text);
    let of_call = data("assumption.resultfunction", "__VERIFIER_nondet_int");
    for (more, code, said) in [
        (assumed("x == 42"), 10, "confirmed"),
        (assumed("x == 42;") + &data("assumption.scope", "main"), 10, "confirmed"),
        (assumed("x == (unsigned char)42;"), 10, "confirmed"),
        (assumed("x == 42;") + &data("assumption.scope", "nosuch"), 65, "no function `nosuch`"),
        (data("enterFunction", "main"), 10, "confirmed"),
        (data("enterFunction", "nosuch"), 65, "no function `nosuch`"),
        (data("enterFunction", "n"), 65, "no function `n`"),
        (assumed("nosuch == 42;"), 65, "the program has no `nosuch`"),
        // A temporary variable of another tool.
        (assumed("__CPAchecker_TMP_0 == 42;"), 10, "confirmed"),
        (assumed("x == 42; nosuch == 1;"), 65, "the program has no `nosuch`"),
        (assumed("\\result == 42") + &of_call, 10, "confirmed"),
        (assumed("\\result == 41") + &of_call, 20, "not confirmed"),
        (assumed("0 == 1") + &of_call, 20, "not confirmed"),
        (assumed("0 == 1"), 20, "not confirmed"),
        (assumed("1 == 1"), 10, "confirmed"),
    ] {
        let branch = edge("b", "c", 7, &data("control", "condition-true"));
        let body = format!("{nodes}{}{branch}{}", edge("a", "b", 4, &more), edge("c", "e", 8, ""));
        let (found, text) = answer(&folder, &graph("violation_witness", &hash, &body));
        assert!(found == code && text.contains(said), "{more}: {found} {text}");
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

#[test]
fn what_is_avoided_and_followed_at_once_is_contradictory() {
    let folder = Folder::new().with("p.c", UNSAFE);
    let hash = hash(&folder);
    let target = segment(&[waypoint("target", "follow", "", 8, ", column: 5")]);
    for (kind, value, line, column) in [
        ("branching", "true", 7, ", column: 3"),
        ("function_return", "\\result == 42", 4, ", column: 33"),
        ("function_enter", "", 4, ", column: 33"),
        ("assumption", "x == 42", 5, ", column: 3"),
    ] {
        let follow = waypoint(kind, "follow", value, line, column);
        let avoid = waypoint(kind, "avoid", value, line, column);
        for (waypoints, code) in [(vec![follow.clone()], 10), (vec![avoid, follow], 20)] {
            let content = segment(&waypoints) + &target;
            let (found, text) = answer(&folder, &yaml("violation_sequence", &hash, &content));
            assert_eq!(found, code, "{content}: {text}");
        }
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

/// What is wrong with a text is said in words of witnesses, and not in those of the parser.
#[test]
fn mistakes_in_yaml_are_told_in_words_of_witnesses() {
    let folder = Folder::new().with("p.c", SAFE);
    let hash = hash(&folder);
    let contract = "\n  - invariant: {type: function_contract, location: {file_name: p.c, line: 3, column: 1, function: main}, \
                    requires: '1', ensures: '1', format: c_expression}";
    let twice = invariant("loop_invariant", "1', value: '0", 5, "");
    for (content, said) in [
        (contract, "this is neither `loop_invariant` nor `location_invariant`"),
        (&twice, "`value` is said twice"),
        (" 5", "a list is expected here"),
    ] {
        let (found, text) = answer(&folder, &yaml("invariant_set", &hash, content));
        assert!(found == 65 && text.contains(said), "{content}: {found} {text}");
    }
}

//! `proviso run` on C programs.

#![allow(missing_docs)]

mod common;

use std::io::Read;
use std::process::Stdio;

use common::{Done, Folder};

fn run(text: &str, options: &[&str]) -> Done {
    let folder = Folder::new().with("f.c", text);
    folder.run(&[&["run", "f.c"], options].concat())
}

#[track_caller]
fn check(text: &str, code: i32, last: &str) {
    let done = run(text, &[]);
    assert_eq!((done.code, done.last_line()), (code, last), "{}", done.err);
}

#[test]
fn every_ending_has_a_last_line_and_a_code() {
    check("int main(void) { return 0; }", 0, "Run ended: returned 0");
    check("int main(void) { return -3; }", 0, "Run ended: returned -3");
    check("#include <stdlib.h>\nint main(void) { exit(3); }", 0, "Run ended: exited with 3");
    check("#include <stdlib.h>\nint main(void) { abort(); }", 0, "Run ended: aborted");
    check(
        "extern void reach_error(void);\nint main(void) {\n  reach_error();\n}",
        10,
        "Run ended: reached error at f.c:3",
    );
    check(
        "#include <assert.h>\nint main(void) {\n  int x = 1;\n  assert(x == 2);\n}",
        10,
        "Run ended: reached error at f.c:4",
    );
}

#[test]
fn misuse_of_memory_has_a_place() {
    for (statement, last) in [
        ("int a[3]; int i = 3; a[i] = 1;", "out of bounds at f.c:3:"),
        ("int *p = 0; *p = 1;", "null pointer at f.c:3:"),
        ("int *p = malloc(4); free(p); *p = 1;", "use after free at f.c:3:"),
        ("int *p = malloc(4); free(p); free(p);", "double free at f.c:3:"),
        ("int x; free(&x);", "invalid free at f.c:3:"),
        ("char *s = \"abc\"; *s = 'x';", "write to read-only memory at f.c:3:"),
        ("int x = 0; x = 1 / x;", "division by zero at f.c:3:"),
    ] {
        let text =
            format!("#include <stdlib.h>\nint main(void) {{\n  {statement}\n  return 0;\n}}\n");
        let done = run(&text, &[]);
        assert_eq!(done.code, 0, "{statement}: {}", done.err);
        let last = format!("Run ended: {last}");
        assert!(done.last_line().starts_with(&last), "{statement}: {}{}", done.out, done.err);
    }
}

#[test]
fn what_the_program_prints_comes_first() {
    let text = "#include <stdio.h>\nint main(void) { printf(\"%d %s\\n\", 42, \"abc\"); puts(\"x\"); \
                putchar('y'); return 0; }";
    let done = run(text, &[]);
    assert_eq!(done.out, "42 abc\nx\ny\nRun ended: returned 0\n");
}

#[test]
fn inputs_decide() {
    let text = "extern int __VERIFIER_nondet_int(void);\nint main(void) { int x = __VERIFIER_nondet_int();\n\
                int y = __VERIFIER_nondet_int(); return x - y; }";
    let folder = Folder::new().with("f.c", text).with("inputs.txt", "7\n9\n");
    let done = folder.run(&["run", "f.c", "--inputs", "inputs.txt"]);
    assert_eq!(done.last_line(), "Run ended: returned -2", "{}", done.err);
    let first = folder.run(&["run", "f.c", "--random", "1", "--save-inputs", "saved.txt"]);
    let again = folder.run(&["run", "f.c", "--inputs", "saved.txt"]);
    assert_eq!(first.out, again.out);
}

#[test]
fn the_data_model_is_chosen() {
    let text = "int main(void) { return sizeof(long); }";
    assert_eq!(run(text, &[]).last_line(), "Run ended: returned 8");
    assert_eq!(run(text, &["--64"]).last_line(), "Run ended: returned 8");
    assert_eq!(run(text, &["--32"]).last_line(), "Run ended: returned 4");
}

#[test]
fn overflow_is_as_chosen() {
    let text = "int main(void) { int x = 2147483647; x = x + 1; return x < 0; }";
    assert_eq!(run(text, &[]).last_line(), "Run ended: returned 1");
    let done = run(text, &["--signed-overflow", "undefined"]);
    assert!(done.last_line().starts_with("Run ended: signed overflow at f.c:1:"), "{}", done.out);
}

#[test]
fn the_entry_is_chosen() {
    let text = "int other(void) { return 5; }\nint main(void) { return 1; }";
    assert_eq!(run(text, &["--entry-function", "other"]).last_line(), "Run ended: returned 5");
    assert_eq!(run(text, &["--entry-function", "missing"]).code, 65);
}

#[test]
fn functions_without_a_body_are_assumed() {
    let text = "int unknown(int);\nint main(void) { return unknown(1); }";
    let done = run(text, &[]);
    assert_eq!(done.last_line(), "Run ended: returned 0");
    assert!(done.err.contains("assumption: ") && done.err.contains("unknown"), "{}", done.err);
    let done = run(text, &["--external", "error"]);
    assert_eq!(done.code, 20);
    assert!(done.last_line().starts_with("Run ended: unsupported ("), "{}", done.out);
}

#[test]
fn several_files_make_one_program() {
    let folder = Folder::new()
        .with("a.c", "int f(int x) { return x + 1; }")
        .with("b.c", "int f(int); int main(void) { return f(41); }");
    assert_eq!(folder.run(&["run", "a.c", "b.c"]).last_line(), "Run ended: returned 42");
}

#[test]
fn deep_recursion_is_no_trouble() {
    let text =
        "int f(int n) { return n ? f(n - 1) + 1 : 0; }\nint main(void) { return f(1000000); }";
    assert_eq!(run(text, &[]).last_line(), "Run ended: returned 1000000");
    let done = run(
        "int f(int n) { return f(n + 1) + 1; }\nint main(void) { return f(0); }",
        &["--memlimit", "100MB"],
    );
    assert_eq!(done.code, 20);
    assert!(done.last_line().starts_with("Run ended: out of memory at f.c:1:"), "{}", done.out);
}

#[test]
fn a_program_that_prints_forever_ends_with_its_reader() {
    let folder = Folder::new()
        .with("f.c", "#include <stdio.h>\nint main(void) { for (;;) puts(\"again\"); }");
    let mut child = folder
        .command(&["run", "f.c"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let mut start = [0; 100];
    child.stdout.take().expect("standard output").read_exact(&mut start).expect("some output");
    let mut err = String::new();
    child.stderr.take().expect("standard error").read_to_string(&mut err).expect("text");
    assert_eq!(child.wait().expect("an end").code(), Some(20), "{err}");
    assert!(!err.contains("internal error"), "{err}");
}

#[test]
fn errors_point_into_the_source() {
    let done = run("int main(void) {\n  return x;\n}\n", &[]);
    assert_eq!(done.code, 65);
    assert!(done.err.contains("--> f.c:2:10"), "{}", done.err);
}

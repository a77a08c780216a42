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
        assert_eq!(done.code, 10, "{statement}: {}", done.err);
        let last = format!("Run ended: {last}");
        assert!(done.last_line().starts_with(&last), "{statement}: {}{}", done.out, done.err);
    }
}

/// What `check` finds where nothing is asked for, a run ends at, too.
#[test]
fn a_run_repeats_invalid_accesses_that_no_machine_stops() {
    for (text, last) in [
        (
            "int main(void) {\n  int *p, y = 1;\n  {\n    int x = 3;\n    p = &x;\n  }\n  y = *p;\n  return y;\n}",
            "Run ended: use after free at f.c:7:",
        ),
        (
            "static const int k = 3;\nint main(void) {\n  int *p = (int *)&k;\n  *p = 4;\n  return k;\n}",
            "Run ended: write to read-only memory at f.c:4:",
        ),
    ] {
        let folder = Folder::new().with("f.c", text);
        let done = folder.run(&["check", "f.c", "-q", "--output-dir", "out"]);
        assert_eq!(done.code, 10, "{}{}", done.out, done.err);
        let done = folder.run(&["run", "f.c", "--inputs", "out/inputs.txt"]);
        assert_eq!(done.code, 10, "{}{}", done.out, done.err);
        assert!(done.last_line().starts_with(last), "{}", done.out);
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

#[test]
fn layouts_that_are_not_gccs_are_refused_at_the_member() {
    let refused = [
        "int a : 3; int b : 4 __attribute__((aligned(2)));",
        "__attribute__((aligned(1))) int a : 3, b : 4;",
        "char c; int : 0 __attribute__((aligned(8))); char d;",
        "char c; int b : 4 __attribute__((aligned(sizeof(char))));",
        "char c; over b : 20;",
        "char c; under b : 32;",
    ];
    let fine = [
        "int a : 3; int b : 4 __attribute__((aligned(4)));",
        "int a : 3; int b : 4 __attribute__((packed, aligned(2)));",
        "int a : 3; int b __attribute__((aligned(2)));",
        "char a : 3; char b : 4 __attribute__((aligned));",
        "char c; under b : 20;",
    ];
    let program = |members: &str, pack: &str, attributes: &str| {
        format!(
            "typedef int over __attribute__((aligned(8)));\n\
             typedef int under __attribute__((aligned(1)));\n#pragma pack({pack})\n\
             struct s {{\n{members} }} {attributes};\nint main(void) {{ return 0; }}\n"
        )
    };
    let packed = "__attribute__((packed))";
    let mut cases = vec![
        (program("int a : 3;", "2", packed), true),
        (program("int a; int b : 3 __attribute__((__packed__));", "4", ""), true),
        (program("int a : 3;", "1", packed), false),
        (program("char a : 3; int b;", "2", packed), false),
        (program("int a : 3;", "", packed), false),
        (program("int a : 3;", "2", ""), false),
        (program("char c; over b : 20;", "", packed), false),
    ];
    cases.extend(refused.map(|members| (program(members, "", ""), true)));
    cases.extend(fine.map(|members| (program(members, "", ""), false)));
    for (text, is_refused) in cases {
        for model in ["--32", "--64"] {
            let done = run(&text, &[model]);
            if is_refused {
                assert_eq!(done.code, 65, "{text}{}", done.out);
                let place =
                    done.err.contains("error: the layout of a") && done.err.contains("f.c:5:");
                assert!(place, "{text}{}", done.err);
            } else {
                assert_eq!(done.last_line(), "Run ended: returned 0", "{text}{}", done.err);
                assert_eq!(done.err, "", "{text}");
            }
        }
    }
}

#[test]
fn a_choice_by_the_type_of_a_wide_character_is_refused_where_it_is_not_gccs() {
    let choice = "int main(void) { return _Generic(L'x', int: 1, default: 2); }";
    assert_eq!(run(choice, &["--64"]).last_line(), "Run ended: returned 1");
    assert_eq!(run(choice, &["--32"]).code, 65);
    let named =
        "#include <stddef.h>\nint main(void) { return _Generic((wchar_t)1, int: 1, default: 2); }";
    assert_eq!(run(named, &["--32"]).code, 65);
    let other = "int main(void) { return _Generic('x', int: 1, default: 2); }";
    assert_eq!(run(other, &["--32"]).last_line(), "Run ended: returned 1");
    let wide = "int main(void) { return L'x' == 'x'; }";
    assert_eq!(run(wide, &["--32"]).last_line(), "Run ended: returned 1");
}

#[test]
fn types_that_only_gcc_has_are_refused() {
    let program = |statement: &str| {
        format!(
            "struct {{ unsigned long a : 3, full : 64; enum {{ A, B }} e : 2; int plain; }} b;\n\
             int f(int n) {{ return n; }}\n\
             int main(void) {{ int n = 2, m[n][n], c = 1;\n{statement}\nreturn 0; }}\n"
        )
    };
    let refused = [
        ("c = _Generic(b.a, unsigned long: 1, default: 2);", "the type of a bit-field"),
        ("c = _Generic((c, b.a), unsigned long: 1, default: 2);", "the type of a bit-field"),
        ("__typeof__(b.a = 1) x;", "the type of a bit-field"),
        ("__auto_type x = (b.a = 1);", "the type of a bit-field"),
        ("__auto_type x = ({ b.a; });", "the type of a bit-field"),
        ("__typeof__(+b.e) x;", "the type of a bit-field of an enumeration"),
        ("c = _Generic(c ? b.e : 1, int: 1, default: 2);", "the type of a bit-field of an enum"),
        ("union u { char c; unsigned long l; } x = (union u)b.a;", "the type of a bit-field"),
        ("c = sizeof(m[f(1)]);", "an operand that is evaluated for its length"),
        ("c = sizeof(m[c++]);", "an operand that is evaluated for its length"),
        ("__typeof__(m[f(1)]) x;", "an operand that is evaluated for its length"),
        ("__typeof__(({ f(1); &m; })) x;", "an operand that is evaluated for its length"),
        ("c = sizeof(struct { int a[++n]; });", "a structure of variable size in an expression"),
        ("void *p = (struct { int a[++n]; } *)0;", "a structure of variable size in an expression"),
    ];
    for (statement, message) in refused {
        let done = run(&program(statement), &["--64"]);
        assert_eq!(done.code, 65, "{statement}: {}", done.out);
        assert!(done.err.contains(&format!("error: {message}")), "{statement}: {}", done.err);
        assert!(done.err.contains("--> f.c:4:"), "{statement}: {}", done.err);
    }
    let fine = [
        "c = _Generic(b.full, unsigned long: 1, default: 2);",
        "__typeof__(b.full = 1) x;",
        "__typeof__(b.a + 1) x;",
        "__auto_type x = b.plain;",
        "c = _Generic((int)b.e, int: 1, default: 2);",
        "union u { char c; unsigned long l; } x = (union u)b.full;",
        "c = sizeof(m[c]);",
        "c = sizeof(f(1));",
        "__typeof__(f(1)) x;",
        "int k[n]; c = sizeof(k[f(1)]);",
    ];
    for statement in fine {
        let done = run(&program(statement), &["--64"]);
        assert_eq!(done.last_line(), "Run ended: returned 0", "{statement}: {}", done.err);
    }
}

#[test]
fn what_gcc_accepts_with_a_warning_is_accepted() {
    let completed = "struct s v; union u w; extern struct s other;\nint *p;\n\
        struct s { int a; }; union u { int a; };\n\
        int main(void) { p = &v.a; *p = 3; w.a = 4; return v.a + w.a; }\n";
    assert_eq!(run(completed, &[]).last_line(), "Run ended: returned 7");
    let never = "struct s v;\nint main(void) { return 0; }\n";
    let done = run(never, &[]);
    assert_eq!(done.code, 65, "{}", done.out);
    assert!(done.err.contains("--> f.c:1:10"), "{}", done.err);

    let unfinished = "struct __attribute__((packed)) s { char c; struct { int a, b; } in }; union u { int a }\n\
        x;\n#pragma pack(1)\nstruct q { char c; int i; };\n#pragma pack()\n\
        struct r { char c; int i };\nint main(void) {\n\
        x.a = 1; return sizeof(struct s) + sizeof(struct q) * 10 + sizeof(struct r) * 10 + x.a; }\n";
    assert_eq!(run(unfinished, &[]).last_line(), "Run ended: returned 140");
    // Blocks of statements are not members.
    let block = run("int main(void) { int x = 0; { x = 1 } return x; }\n", &[]);
    assert_eq!(block.code, 65, "{}", block.out);

    let called = "int n;\nint main(void) { add(3); add(4); return n; }\n\
        void add(int by) { n += by; }\n";
    assert_eq!(run(called, &[]).last_line(), "Run ended: returned 7");
    let declared = "int add();\nint main(void) { add(3); return 0; }\nvoid add(int by) { }\n";
    let done = run(declared, &[]);
    assert_eq!(done.code, 65, "{}", done.out);
    assert!(done.err.contains("conflicting types for 'add'"), "{}", done.err);
}

#[test]
fn headers_go_together_with_those_of_the_system() {
    let text = "#define _STRUCT_TIMESPEC 1\nstruct timespec { long tv_sec, tv_nsec; };\n\
        #define ____mbstate_t_defined 1\ntypedef struct { int count; } __mbstate_t;\n\
        #include <time.h>\n#include <wchar.h>\nint main(void) {\n\
        struct timespec t = {1, 2};\n  mbstate_t s = {3};\n\
        return t.tv_nsec + s.count + CLOCK_REALTIME_COARSE; }\n";
    let done = run(text, &[]);
    assert_eq!(done.last_line(), "Run ended: returned 10", "{}", done.err);
}

#[test]
fn output_to_the_standard_output_by_name_is_shown() {
    let text = "#include <stdio.h>\nstatic int f(FILE *stdout) { return fputs(\"parameter\", stdout); }\n\
        int main(void) {\n  char text[] = \"a\\0b\";\n  FILE *other = stdout;\n\
        fprintf(stdout, \"%d\\n\", 1);\n  fputs(\"two\\n\", stdout);\n  fputc('x', stdout);\n  putc('y', stdout);\n\
        fwrite(text, 1, 3, stdout);\n  fwrite(text, 0, 3, stdout);\n  fprintf(stderr, \"error\");\n\
        fputs(\"other\", other);\n  f(stdout);\n  fputc('\\n', stdout);\n  return 0;\n}\n";
    let done = run(text, &[]);
    assert_eq!(done.out, "1\ntwo\nxya\0b\nRun ended: returned 0\n", "{}", done.err);
    let beyond =
        "#include <stdio.h>\nint main(void) {\n  char c = 1;\n  fwrite(&c, 1, 2, stdout);\n}\n";
    assert!(run(beyond, &[]).last_line().starts_with("Run ended: out of bounds at f.c:4"));
}

/// The preprocessor complains about these macros, and panics where they are used.
#[test]
fn a_macro_that_ends_in_a_paste_is_an_error_at_its_definition() {
    for define in ["#define A(x) x ##", "#define A(x, ...) x __VA_ARGS__ ##"] {
        let done = run(&format!("\n{define}\nint main(void) {{ return A(1); }}\n"), &[]);
        assert_eq!(done.code, 65, "{define}: {}", done.out);
        assert!(done.err.contains("`##` cannot appear at the end"), "{define}: {}", done.err);
        assert!(done.err.contains("--> f.c:2:"), "{define}: {}", done.err);
    }
}

#[test]
fn a_call_through_a_pointer_to_another_type_is_listed() {
    let listed = "assumption: a function that is called through a pointer to another type of \
                  function takes the first of the arguments";
    for (type_of_pointer, is_listed) in [("int (*)(int, int)", true), ("int (*)(int)", false)] {
        let text = format!(
            "extern void reach_error(void);
int next(int x) {{ return x + 1; }}
int main(void) {{
    typedef __typeof__(({type_of_pointer})0) pointer;
    pointer f = (pointer)next;
    if (f(4{}) != 5)
        reach_error();
    return 0;
}}
",
            if is_listed { ", 6" } else { "" }
        );
        let done = Folder::new().with("a.c", &text).run(&["check", "a.c", "--check", "none"]);
        assert_eq!(done.last_line(), "Verification result: TRUE", "{}{}", done.out, done.err);
        assert_eq!(done.err.contains(listed), is_listed, "{}", done.err);
    }
}

#[test]
fn arrays_of_variable_length_that_a_jump_leaves_are_listed() {
    let listed = "assumption: arrays of variable length that `longjmp` leaves";
    for (length, is_listed) in [("n", true), ("3", false)] {
        let text = format!(
            "#include <setjmp.h>
jmp_buf env;
int *kept;
int main(void) {{
    int n = 3;
    if (setjmp(env))
        return 0;
    int a[{length}];
    kept = a;
    longjmp(env, n);
}}
"
        );
        let done = Folder::new().with("a.c", &text).run(&["check", "a.c"]);
        assert_eq!(done.last_line(), "Verification result: TRUE", "{}{}", done.out, done.err);
        assert_eq!(done.err.contains(listed), is_listed, "{}", done.err);
    }
}

#[test]
fn checks_are_shown_with_all_their_brackets() {
    let text = "extern int __VERIFIER_nondet_int(void);
struct node { int v; struct node *next; } n;
int main(void) {
    int i = __VERIFIER_nondet_int();
    n.next = &n;
    if ((((n.next))->v) > (5 / (i - 1)))
        i++;
    for (int k = 0; k < (n.v / (i + 9)); k++)
        i++;
    return 0;
}
";
    let done = Folder::new().with("a.c", text).run(&["check", "a.c", "--check", "div"]);
    assert_eq!(done.last_line(), "Verification result: FALSE (div)", "{}{}", done.out, done.err);
    for shown in ["div: (((n.next))->v) > (5 / (i - 1))\n", "div: k < (n.v / (i + 9))\n"] {
        assert!(done.out.contains(shown), "{shown}: {}", done.out);
    }
}

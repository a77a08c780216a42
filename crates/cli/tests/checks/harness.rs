//! Harnesses of faults, compiled and run.

use std::process::Command;

use crate::common::Folder;

#[test]
fn a_harness_shows_a_fault_with_a_sanitizer() {
    let text = "extern int __VERIFIER_nondet_int(void);\nint main(void) {\n    int a[4] = { 0 };\n    \
                int i = __VERIFIER_nondet_int();\n    if (i < 0 || i > 4)\n        return 0;\n    \
                return a[i];\n}\n";
    let folder = Folder::new().with("program.c", text);
    let done = folder.run(&["check", "program.c", "--output-dir", "out"]);
    assert_eq!(done.last_line(), "Verification result: FALSE (valid-deref)");
    assert!(done.out.contains("Error: access out of bounds at program.c:7"), "{}", done.out);
    let harness = folder.read("out/harness.c");
    assert!(harness.contains("-fsanitize=address,undefined"), "{harness}");
    let witness = folder.read("out/violation.yml");
    assert!(witness.contains("LTL(G valid-deref)"), "{witness}");
    let Some(said) = run_harness(&folder) else { return };
    assert!(said.contains("out of bounds"), "{said}");
}

/// What the harness says when it is compiled by the command that it names, and fails as it should;
/// `None` without gcc and its sanitizers.
fn run_harness(folder: &Folder) -> Option<String> {
    let harness = folder.read("out/harness.c");
    let command = harness.lines().find(|line| line.starts_with("gcc ")).expect("a command");
    let (build, _) = command.split_once(" && ").expect("it builds, then runs");
    let build = Command::new("sh").args(["-c", build]).current_dir(folder.path()).output();
    let Some(build) = build.ok().filter(|build| build.status.success()) else {
        eprintln!("no gcc with sanitizers: the harness is not run");
        return None;
    };
    assert!(build.stderr.is_empty());
    let run = Command::new("out/harness").current_dir(folder.path()).output().expect("the harness");
    let said = String::from_utf8_lossy(&run.stderr).into_owned();
    assert!(!run.status.success(), "{said}");
    Some(said)
}

#[test]
fn a_harness_gives_back_what_was_read() {
    let scanned = "char word[6], c;\n    int a;\n    long b;\n    double d;\n    long double e;\n    \
         unsigned char small;\n    \
         int made = scanf(\"%5s %d,%ld %lf%c%*[a-z]%hhu%Lf\", word, &a, &b, &d, &c, &small, &e);\n    \
         if (made == 7 && word[0] == 'a' && word[1] == 0 && a == -5 && b == -77 && d == 2.5 && c == 'z')\n        \
         assert(small != 200 || e != 0.25L);";
    let programs = [
        scanned,
        "char line[8];\n    if (fgets(line, 8, stdin) && fgets(line + 2, 6, stdin))\n        \
         assert(line[0] != 'x' || line[2] != 'y' || line[3] != '\\n');",
        "char bytes[8];\n    if (read(0, bytes, 8) == 3)\n        assert(bytes[2] != 'q');",
        "short bytes[4];\n    if (fread(bytes, 2, 4, stdin) == 3)\n        assert(bytes[2] != -9);",
        "int x = getchar(), y;\n    if (fscanf(stdin, \"%i\", &y) == 1)\n        assert(x != 'a' || y != 1 << 20);",
        "char *line = NULL;\n    size_t size = 0;\n    if (getline(&line, &size, stdin) == 3)\n        \
         assert(line[0] != 'q' || line[2] != '\\n');\n    free(line);",
        "char *line = malloc(2);\n    size_t size = 2;\n    if (getdelim(&line, &size, ';', stdin) == 3)\n        \
         assert(line[0] != 'q' || line[2] != ';');\n    free(line);",
        "int c = getchar();\n    char line[4];\n    ungetc('a', stdin);\n    int d = getc(stdin), e = getchar();\n    \
         if (d == 'a' && c == 'y' && e == 'z' && ungetc('k', stdin) == 'k' && fgets(line, 4, stdin))\n        \
         assert(line[0] == 'k' && line[1] != 'm');",
    ];
    for text in programs {
        let text = format!(
            "#define _GNU_SOURCE\n#include <assert.h>\n#include <stdio.h>\n#include <stdlib.h>\n\
             #include <unistd.h>\nint main(void) {{\n    {text}\n    return 0;\n}}\n"
        );
        let folder = Folder::new().with("program.c", &text);
        let done = folder.run(&["check", "program.c", "--output-dir", "out"]);
        assert_eq!(done.last_line(), "Verification result: FALSE (unreach-call)", "{text}");
        let Some(said) = run_harness(&folder) else { return };
        assert!(said.contains("proviso: error reached"), "{text}\n{said}");
    }
}

/// Structures and floats go where a compiler looks for them, whatever the types of their members are.
#[test]
fn a_harness_gives_structures_by_value() {
    let programs = [
        ("float x, y", "a.x == 1.5f && a.y == 2.25f", "f.a.x = 1.5"),
        ("float x; int y", "a.x == 1.5f && a.y == -7", "f.a.y = -7"),
        ("float x, y, z", "a.z == 1.5f", "f.a.z = 1.5"),
        ("int i; double d", "a.i == -2 && a.d == 3.0", "f.a.d = 3.0"),
        ("char c[3]", "a.c[1] == 9", "a = {c = "),
        ("double d[3]", "a.d[2] == 4.0", "f.a.d[2] = 4.0"),
        ("union { int i; float f; } u; int k", "a.u.i == 5 && a.k == 3", "k = 3"),
        ("int b : 3; unsigned c : 9", "a.b == -2 && a.c == 300", "a.c = 300"),
    ];
    for (members, wanted, told) in programs {
        let text = format!(
            "#include <assert.h>\nstruct s {{ {members}; }};\n\
             struct s f(int k, struct s a, double g, struct s b) {{\n    \
             if (k == 1 && g == 0.5 && {wanted} && {})\n        assert(0);\n    return a;\n}}\n",
            wanted.replace("a.", "b.")
        );
        let folder = Folder::new().with("program.c", &text);
        let options = ["--entry-function", "f", "--output-dir", "out"];
        let done = folder.run(&[&["check", "program.c"], &options[..]].concat());
        assert_eq!(done.last_line(), "Verification result: FALSE (unreach-call)", "{text}");
        assert!(done.out.contains(told), "{told}: {}", done.out);
        let Some(said) = run_harness(&folder) else { return };
        assert!(said.contains("proviso: error reached"), "{text}\n{said}");
    }
}

#[test]
fn a_harness_shows_faults_behind_functions_of_the_library() {
    let programs = [
        (
            "#include <stdlib.h>\nint main(void) {\n    int *first = malloc(4), *second = calloc(1, 4);\n    \
             if (first)\n        *second = 3;\n    free(first);\n    free(second);\n    return 0;\n}\n",
            &["--malloc-may-fail"][..],
            "null pointer",
        ),
        (
            "#include <stdlib.h>\nextern int __VERIFIER_nondet_int(void);\n\
             int main(void) { return abs(__VERIFIER_nondet_int()) > 3; }\n",
            &["--check", "overflow"],
            "negation of -2147483648",
        ),
    ];
    for (text, options, expected) in programs {
        let folder = Folder::new().with("program.c", text);
        let arguments = [&["check", "program.c", "--output-dir", "out"], options].concat();
        let done = folder.run(&arguments);
        assert!(done.last_line().starts_with("Verification result: FALSE"), "{}", done.out);
        let Some(said) = run_harness(&folder) else { return };
        assert!(said.contains(expected), "{said}");
    }
}

/// gcc does not see that an integer is converted to another value, and the program goes on behind the run.
#[test]
fn a_harness_ends_a_program_that_asks_for_more_than_the_run_has() {
    let text = "extern int nondet_int(void);\nextern double nondet_double(void);\n\
                int main(void) {\n    signed char c = nondet_int();\n    return nondet_double() > c;\n}\n";
    let folder = Folder::new().with("program.c", text);
    let check = ["check", "program.c", "--check", "conversion", "--output-dir", "out"];
    let done = folder.run(&check);
    assert_eq!(done.last_line(), "Verification result: FALSE (conversion)");
    let harness = folder.read("out/harness.c");
    assert!(harness.contains("does not see the conversion of an integer"), "{harness}");
    let Some(said) = run_harness(&folder) else { return };
    assert_eq!(said, "proviso: the run has no result of nondet_double\n");
}

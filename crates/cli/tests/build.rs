//! Programs as their builds have them: macros, headers, compilation databases, standard input, and
//! functions that are checked by themselves.

mod common;

use std::io::Write as _;
use std::process::{Command, Stdio};

use common::Folder;

const FALSE: &str = "Verification result: FALSE (unreach-call)";

#[test]
fn macros_are_defined_and_taken_back() {
    let folder = Folder::new().with(
        "a.c",
        "#ifndef LIMIT\n#define LIMIT 1\n#endif\n#ifdef __linux__\nint system_ = 1;\n#else\nint \
         system_ = 2;\n#endif\nint main(void) { return LIMIT * 10 + system_; }\n",
    );
    let returned = |options: &[&str]| {
        let done = folder.run(&[&["run", "a.c"], options].concat());
        done.last_line().to_owned() + &done.err
    };
    assert_eq!(returned(&[]), "Run ended: returned 11");
    assert_eq!(returned(&["-DLIMIT=4"]), "Run ended: returned 41");
    assert_eq!(returned(&["-D", "LIMIT"]), "Run ended: returned 11");
    assert_eq!(returned(&["-DLIMIT=4", "-ULIMIT", "-U__linux__"]), "Run ended: returned 12");
    let done = folder.run(&["check", "a.c", "-D1=2"]);
    assert!(done.code == 64 && done.err.contains("`1` is not the name of a macro"), "{}", done.err);
}

#[test]
fn headers_are_read_first_where_the_user_says_so() {
    let folder = Folder::new().with("config.h", "#define VALUE 7\nint f(void) { return VALUE; }\n");
    let folder = folder.with("a.c", "int main(void) { return f() + VALUE; }\n");
    for option in ["-include", "--include"] {
        let done = folder.run(&["run", "a.c", option, "config.h"]);
        assert_eq!(done.last_line(), "Run ended: returned 14", "{}", done.err);
    }
    let done = folder.run(&["run", "a.c", "-include", "missing.h"]);
    assert!(done.code == 65 && done.err.contains("`missing.h` file not found"), "{}", done.err);
}

#[test]
fn the_version_of_the_language_is_chosen() {
    let folder = Folder::new()
        .with("a.c", "int main(void) { return __STDC_VERSION__ / 100; }\n")
        .with("b.c", "int main(void) { bool b = true; int *p = nullptr; return b + !p; }\n");
    for (std, year) in [("c99", 1999), ("gnu11", 2011), ("c17", 2017), ("c23", 2023)] {
        let done = folder.run(&["run", "a.c", &format!("-std={std}")]);
        assert_eq!(done.last_line(), format!("Run ended: returned {year}"), "{std} {}", done.err);
    }
    let done = folder.run(&["run", "b.c", "-std=c23"]);
    assert_eq!(done.last_line(), "Run ended: returned 2", "{}", done.err);
    assert_eq!(folder.run(&["run", "b.c"]).code, 65);
    let done = folder.run(&["check", "a.c", "-std=c++17"]);
    assert!(done.code == 64 && done.err.contains("gnu89 to gnu23 are known"), "{}", done.err);
}

#[test]
fn a_compilation_database_says_how_files_are_read() {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.path().join("inc")).expect("a folder");
    let root = folder.path().display().to_string();
    let folder = folder
        .with("inc/one.h", "#define ONE 1\n")
        .with("a.c", "#include <one.h>\nint g(void);\nint main(void) { return g() + ONE + A; }\n")
        .with("b.c", "int g(void) { return B; }\n")
        .with(
            "compile_commands.json",
            format!(
                "[{{\"directory\": \"{root}\", \"file\": \"a.c\", \"command\": \"cc -Iinc -DA=20 -c \
                 a.c\"}},\n{{\"directory\": \"{root}\", \"file\": \"b.c\", \"arguments\": [\"cc\", \
                 \"-DB=300\", \"-c\", \"b.c\"]}}]"
            ),
        );
    for files in [&["a.c", "b.c"][..], &[]] {
        let database = ["run", "--compile-commands", "compile_commands.json"];
        let done = folder.run(&[&database[..], files].concat());
        assert_eq!(done.last_line(), "Run ended: returned 321", "{}", done.err);
    }
    let folder = folder.with("bad.json", "[{\n\"file\": }]");
    let done = folder.run(&["check", "--compile-commands", "bad.json"]);
    assert!(done.code == 65 && done.err.contains("bad.json:2:9: this is not JSON"), "{}", done.err);
    assert_eq!(folder.run(&["check"]).code, 64);
}

/// The line of a harness that builds and runs it.
fn build_line(folder: &Folder) -> String {
    let text = folder.read("out/harness.c");
    text.lines().find(|line| line.starts_with("gcc ")).expect("a line for gcc").to_owned()
}

#[test]
fn a_harness_builds_each_file_as_the_database_says() {
    let main = "#include <assert.h>\nint get(void);\nextern int nondet_int(void);\n\
                int main(void) { assert(nondet_int() + K != get()); }\n";
    let folder = Folder::new().with("a.c", main).with("b.c", "int get(void) { return K; }\n");
    let database = |first: &str, second: &str| {
        format!(
            "[{{\"directory\": \".\", \"file\": \"a.c\", \"command\": \"cc {first} -c a.c\"}},\n\
             {{\"directory\": \".\", \"file\": \"b.c\", \"command\": \"cc {second} -c b.c\"}}]"
        )
    };
    let check = ["check", "--compile-commands", "all.json", "--output-dir", "out"];
    let folder = folder.with("all.json", database("-DK=3", "-DK=10"));
    assert_eq!(folder.run(&check).code, 10);
    let command = build_line(&folder);
    for part in ["-c -DK=3 ", "-c -DK=10 ", "out/harness.c out/harness-1.o out/harness-2.o -o"] {
        assert!(command.contains(part), "{part}: {command}");
    }
    let built = Command::new("sh").args(["-c", &command]).current_dir(folder.path()).output();
    let built = built.expect("a shell runs");
    assert_eq!(built.status.code(), Some(107), "{}", String::from_utf8_lossy(&built.stderr));
    let folder = folder.with("all.json", database("-DK=3", "-DK=3"));
    assert_eq!(folder.run(&check).code, 10);
    let command = build_line(&folder);
    assert!(command.contains("out/harness.c -DK=3 ") && !command.contains(".o "), "{command}");
}

/// Globals that the program does not set are set by the harness: structures, and those that were asked to be arbitrary.
#[test]
fn a_harness_sets_globals() {
    let declared = "#include <assert.h>\nextern int g, tab[3];\nextern struct s { int a; float f; } st;\n\
                    int main(void) { assert(!(g == 5 && tab[1] == 7 && st.f == 2.5f)); }\n";
    let defined = "#include <assert.h>\nstruct st { signed char t; unsigned short v[2]; };\n\
                   int g = 9; struct st tab[2]; float gain = 1; char buf[5];\n\
                   int step(int k) {\n  if (tab[1].v[0] == 65535 && tab[0].t == -1 && gain == 0.5f && g == 0)\n    \
                   assert(k != -3 || buf[1] != 'x');\n  return 0;\n}\n";
    let hidden = defined.replace("int g = 9", "static int g = 9");
    let arbitrary = ["--entry-function", "step", "--globals", "arbitrary"];
    for (text, options, is_set) in
        [(declared, &[][..], true), (defined, &arbitrary, true), (&hidden, &arbitrary, false)]
    {
        let folder = Folder::new().with("a.c", text);
        let done = folder.run(&[&["check", "a.c", "--output-dir", "out"], options].concat());
        assert_eq!(done.code, 10, "{}{}", done.out, done.err);
        let command = build_line(&folder);
        let built = Command::new("sh").args(["-c", &command]).current_dir(folder.path()).output();
        let built = built.expect("a shell runs");
        let expected = if is_set { Some(107) } else { Some(0) };
        let harness = folder.read("out/harness.c");
        assert_eq!(built.status.code(), expected, "{harness}");
        assert_eq!(!harness.contains("cannot be set from here"), is_set, "{harness}");
        assert!(is_set || harness.contains("\n  g = 0 (arbitrary at the start)\n"), "{harness}");
    }
}

#[test]
fn files_agree_on_what_a_name_is() {
    let folder = Folder::new()
        .with(
            "a.c",
            "extern int shared;\nvoid set(int);\nint main(void) { set(1); return shared; }\n",
        )
        .with("array.c", "int shared[3];\nvoid set(int x) { shared[2] = x; }\n")
        .with("narrow.c", "char shared;\nvoid set(int x) { shared = x; }\n")
        .with("function.c", "int shared(void) { return 0; }\nvoid set(int x) { }\n")
        .with("long.c", "int shared;\nvoid set(long x) { shared = x; }\n")
        .with("right.c", "unsigned shared;\nvoid set(int x) { shared = x; }\n");
    for other in ["array.c", "narrow.c", "function.c"] {
        let done = folder.run(&["check", "a.c", other]);
        let said =
            format!("error: `shared` is declared with another type elsewhere\n  --> {other}:1:");
        assert!(done.code == 65 && done.err.contains(&said), "{other}: {}", done.err);
        assert!(done.err.contains("the other declaration is at a.c:1:12"), "{}", done.err);
    }
    let done = folder.run(&["check", "a.c", "long.c"]);
    let said = "warning: `set` is declared with another type elsewhere\n  --> long.c:2:6";
    assert!(done.err.contains(said), "{}", done.err);
    let done = folder.run(&["check", "a.c", "right.c"]);
    assert!(done.code == 0 && done.err.is_empty(), "{}", done.err);
    let folder = folder
        .with("p.c", "struct p { int a; };\nint f(struct p);\nint main(void) { struct p p = { 1 }; return f(p); }\n")
        .with("q.c", "struct p { int a, b; };\nint f(struct p p) { return p.b; }\n");
    let done = folder.run(&["check", "p.c", "q.c"]);
    assert!(done.code == 65 && done.err.contains("error: `f` is declared with"), "{}", done.err);
}

#[test]
fn standard_input_is_a_program() {
    let folder = Folder::new();
    let mut child = folder
        .command(&["check", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let text = "extern void reach_error(void);\nint main(void) { reach_error(); }\n";
    child.stdin.take().expect("a pipe").write_all(text.as_bytes()).expect("it is read");
    let ended = child.wait_with_output().expect("it ends");
    let out = String::from_utf8_lossy(&ended.stdout);
    assert!(out.contains("<stdin>:2") && out.ends_with(&format!("{FALSE}\n")), "{out}");
}

#[test]
fn mistakes_are_one_error_that_says_what_to_do() {
    let folder = Folder::new()
        .with(
            "missing.c",
            "#include \"nope.h\"\n#include <also/nope.h>\nint main(void) { return X; }",
        )
        .with("binary.c", b"\x7fELF\x02\x00\xff\xfe\x00\x80")
        .with("one.c", "int f(void) { return 1; }\nint main(void) { return f(); }\n")
        .with("two.c", "\nint f(void) { return 2; }\n");
    std::fs::create_dir_all(folder.path().join("folder")).expect("a folder");
    let refused = |arguments: &[&str]| {
        let done = folder.run(arguments);
        assert_eq!(done.code, 65, "{arguments:?}: {}", done.out);
        assert_eq!(done.err.matches("error: ").count(), 1, "{arguments:?}: {}", done.err);
        done.err
    };
    let err = refused(&["check", "missing.c", "-I", "folder"]);
    assert!(err.contains("`nope.h` file not found"), "{err}");
    assert!(err.contains("looked for in ., folder, the bundled headers, /usr"), "{err}");
    assert!(refused(&["check", "folder"]).contains("it is a directory"));
    assert!(refused(&["check", "binary.c"]).contains("binary.c is no text: its byte 5 is zero"));
    let err = refused(&["check", "one.c", "two.c"]);
    assert!(err.contains("--> two.c:2:5"), "{err}");
    assert!(err.contains("the other definition is at one.c:1:5"), "{err}");
    let err = refused(&["check", "one.c", "--entry-function", "man"]);
    assert!(err.contains("with --entry-function: `main`, `f`"), "{err}");
}

/// What callers pass of other types is not made up.
#[test]
fn arguments_of_types_without_a_model_are_named() {
    for (text, said) in [
        ("int f(_Complex float z, int x) { return x; }\n", "an argument `z`: complex numbers"),
        (
            "typedef float v2 __attribute__((vector_size(8)));\nint f(v2 a, int x) { return x; }\n",
            "an argument `a`: vector types",
        ),
        (
            "#include <stdarg.h>\nint f(va_list ap) { return va_arg(ap, int) == 0; }\n",
            "an argument `ap`: arguments of a variadic function",
        ),
    ] {
        let folder = Folder::new().with("a.c", text);
        let done = folder.run(&["check", "a.c", "--entry-function", "f"]);
        assert_eq!(done.code, 20, "{text}{}{}", done.out, done.err);
        assert!(done.last_line().contains(said), "{}", done.out);
    }
}

/// Arbitrary arguments, objects of their types behind pointers, and a harness that gives the same.
#[test]
fn a_function_is_checked_by_itself() {
    let text = "extern void reach_error(void);\n\
        struct point { int x; short y; };\nint limit = 5;\n\
        int far(const struct point *p, int *a, unsigned char n, struct point q) {\n\
        \x20 if (n > 3 || n == 0) return 0;\n\
        \x20 if (p->x == 77 && a[n] == -3 && q.y == 9 && n < limit) reach_error();\n  return a[0];\n}\n\
        int near(int *a) { if (*a == limit) reach_error(); limit = 6; return limit; }\n\
        int safe(const int *a) { if (*a - *a) reach_error(); return 0; }\n\
        int late(void) { if (limit == 8) reach_error(); return 0; }\n";
    let folder = Folder::new().with("a.c", text);
    let far = ["check", "a.c", "--entry-function", "far", "--pointer-size", "far.a=4"];
    let done = folder.run(&[&far[..], &["--output-dir", "out"]].concat());
    assert_eq!((done.code, done.last_line()), (10, FALSE), "{}{}", done.out, done.err);
    assert!(done.err.contains("assumption: `a` points to an object of 16 bytes"), "{}", done.err);
    assert!(done.err.contains("assumption: `p` points to an object of 8 bytes"), "{}", done.err);
    assert!(done.out.contains("argument n = "), "{}", done.out);
    // What a pointer points to is named as in the option, and has values of its type.
    for told in ["  far.p.x = 77\n", "] = -3\n", "p = &far.p, ", "a = &far.a[0], "] {
        assert!(done.out.contains(told), "{told}: {}", done.out);
    }
    let again = ["run", "a.c", "--entry-function", "far", "--pointer-size", "far.a=4"];
    let done = folder.run(&[&again[..], &["--inputs", "out/inputs.txt"]].concat());
    assert_eq!(done.last_line(), "Run ended: reached error at a.c:6", "{}", done.err);
    let harness = folder.read("out/harness.c");
    assert!(harness.contains("static unsigned char proviso_object1[16]"), "{harness}");
    // Sizes of pointers that are not there.
    for wrong in ["far.n=4", "far.b=4", "near.a=4", "far.q=2"] {
        let done =
            folder.run(&["check", "a.c", "--entry-function", "far", "--pointer-size", wrong]);
        assert_eq!(done.code, 65, "{wrong}: {}", done.err);
        assert!(done.err.contains("name a pointer of the entry function: `far.p`, `far.a`"));
    }
    let done =
        folder.run(&["check", "a.c", "--entry-function", "late", "--pointer-size", "late.a=4"]);
    assert!(done.err.contains("`late` has no pointer to an object whose size"), "{}", done.err);
    let done = folder.run(&["check", "a.c", "--entry-function", "near"]);
    assert_eq!(done.code, 10, "{}", done.err);
    // That an object is there which was made for the function is not to be checked.
    assert!(!done.out.contains("valid-deref: near("), "{}", done.out);
    assert_eq!(folder.run(&["check", "a.c", "--entry-function", "safe"]).code, 0);
    // A static function, too; a harness says what is to be done first.
    let own = "extern void reach_error(void);\nstatic int own(short n) { if (n == 9) reach_error(); return n; }\n\
               int main(void) { return own(3); }\n";
    let own = Folder::new().with("a.c", own).with("b.c", "static int own(void) { return 1; }\n");
    let done = own.run(&["check", "a.c", "--entry-function", "own", "--output-dir", "out"]);
    assert_eq!((done.code, done.last_line()), (10, FALSE), "{}{}", done.out, done.err);
    assert!(own.read("out/harness.c").contains("`own` is static. Take the word away"));
    let done = own.run(&["check", "a.c", "b.c", "--entry-function", "own"]);
    assert_eq!(done.code, 65, "{}", done.err);
    assert!(done.err.contains("several files have a static function `own`"), "{}", done.err);
    assert!(done.err.contains("the other one is at a.c:2:12"), "{}", done.err);
    assert_eq!(folder.run(&["check", "a.c", "--entry-function", "late"]).code, 0);
    let done = folder.run(&["check", "a.c", "--entry-function", "late", "--globals", "arbitrary"]);
    assert_eq!((done.code, done.last_line()), (10, FALSE), "{}", done.err);
    assert!(done.err.contains("globals have arbitrary values"), "{}", done.err);
}

#[test]
fn others_change_volatile_objects_and_devices_answer_anything() {
    let text = "extern void reach_error(void);\nvolatile int flag;\n\
        struct s { volatile unsigned low : 3; int b; } s;\n\
        int main(void) {\n  flag = 1;\n  s.low = 1;\n  if (s.low > 7) reach_error();\n\
        \x20 if (flag++ != 1) reach_error();\n  return 0;\n}\n";
    let device = "extern void reach_error(void);\n\
        #define STATUS (*(volatile unsigned *)0x40011004u)\n\
        struct uart { volatile unsigned char data; volatile unsigned ready : 2; };\n\
        #define UART ((struct uart *)0x40011010u)\n\
        int main(void) {\n  STATUS |= 4;\n  UART->data = 3;\n  if (UART->ready > 3) reach_error();\n\
        \x20 if (UART->data == 9 && STATUS == 77) reach_error();\n  return 0;\n}\n";
    let folder = Folder::new().with("v.c", text).with("d.c", device);
    let done = folder.run(&["check", "v.c"]);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    assert!(
        done.err.contains("volatile objects hold what the program has written"),
        "{}",
        done.err
    );
    let done = folder.run(&["check", "v.c", "--volatile", "arbitrary", "--output-dir", "out"]);
    assert_eq!((done.code, done.last_line()), (10, FALSE), "{}", done.out);
    assert!(done.out.contains("reach_error() is called at v.c:8"), "{}", done.out);
    let inputs = ["--volatile", "arbitrary", "--inputs", "out/inputs.txt"];
    let done = folder.run(&[&["run", "v.c"], &inputs[..]].concat());
    assert_eq!(done.last_line(), "Run ended: reached error at v.c:8", "{}", done.err);
    // What was read is told, not what was written.
    let read = "#include <assert.h>\nvolatile int vol = 1;\nvolatile int *p = &vol;\nint main(void) {\n  volatile \
                int own = 7;\n  assert(own == 7 || own == *p + vol);\n  return 0;\n}\n";
    let folder = folder.with("r.c", read);
    let done = folder.run(&["check", "r.c", "--volatile", "arbitrary"]);
    let line = done.out.lines().find(|line| line.starts_with("Error: ")).unwrap_or_default();
    assert!(line.contains(" failed at r.c:6:3: own = ") && !line.contains("own = 7"), "{line}");
    assert!(done.out.contains("volatile object own = "), "{}", done.out);
    let told = |name: &str| -> Option<i64> {
        let text = line.rsplit(&format!(" {name} = ")).next()?;
        text.split(',').next()?.parse().ok()
    };
    let sum = told("*p").zip(told("vol")).map(|(p, vol)| (p + vol) as i32);
    assert!(sum.is_some() && sum.map(i64::from) != told("own"), "{line}");
    let done = folder.run(&["check", "d.c"]);
    assert_eq!(done.last_line(), "Verification result: FALSE (valid-deref)", "{}", done.out);
    assert_eq!(folder.run(&["check", "d.c", "--property", "unreach-call"]).code, 20);
    let done = folder.run(&["check", "d.c", "--mmio", "0x40011000-0x40011fff"]);
    assert!(done.out.contains("reach_error() is called at d.c:9"), "{}{}", done.out, done.err);
    assert!(done.err.contains("from 0x40011000 to 0x40011fff is a device"), "{}", done.err);
}

/// Devices that leave no room for the program's objects would prove everything.
#[test]
fn devices_leave_room_for_objects() {
    let text = "extern void reach_error(void);\nint main(void) { int x; int *p = &x; *p = 2; reach_error(); }\n";
    let folder = Folder::new().with("a.c", text);
    for devices in ["0x1-0xffffffffffffffff", "0-0xffffffffffffffff"] {
        let done = folder.run(&["check", "a.c", "--mmio", devices]);
        assert_eq!(done.code, 65, "{}", done.out);
        assert!(done.err.contains("leave no room"), "{}", done.err);
    }
    let done = folder.run(&["check", "a.c", "--32", "--mmio", "0xfffffff0-0x100000000"]);
    assert_eq!(done.code, 65, "{}", done.out);
    assert!(done.err.contains("the last address is 0xffffffff"), "{}", done.err);
}

/// Blocks of bytes are read from devices and written to them like single values, and what the program has is
/// apart from them.
#[test]
fn devices_answer_blocks_of_bytes() {
    let head = "#include <assert.h>\n#include <stdlib.h>\n#include <string.h>\n#include <unistd.h>\n\
                extern unsigned nondet_uint(void);\nstruct s { int a[4]; } s;\nint g = 1, *p = &g;\n\
                #define DEVICE ((char *)0x40011000ul)\n#define SOME (DEVICE + (nondet_uint() & 0xf0))\n\
                int main(void) {\n  char b[4] = \"abc\", *at = SOME;\n  (void)at;\n  ";
    let (reached, valid) = ("FALSE (unreach-call)", "FALSE (valid-deref)");
    let statements = [
        ("memcpy(b, DEVICE, 4); assert(b[0] == 'a');", reached),
        ("memcpy(b, at, 4); assert(b[0] == 'a');", reached),
        ("memcpy(b, at, 3); assert(b[3] == 0);", "TRUE"),
        ("memcpy(at, b, 4); assert(b[0] == 'a');", "TRUE"),
        ("memcpy(at, b, 5);", valid),
        ("memcpy(at, DEVICE, 64);", "TRUE"),
        ("memcpy(b, DEVICE + 0xffe, 4);", valid),
        ("memset(DEVICE, 0, 4096);", "TRUE"),
        ("memset(at + 0xf00, 0, 256);", valid),
        ("s = *(struct s *)at; assert(s.a[3] != 77);", reached),
        ("*(struct s *)at = s; assert(s.a[3] == 0);", "TRUE"),
        ("strcpy(DEVICE, b); strcpy(at, b);", "TRUE"),
        ("write(1, DEVICE, 16); read(0, at, 2);", "TRUE"),
        ("write(1, DEVICE + 0xff8, 16);", valid),
        ("*(volatile int *)(DEVICE + 0xffe) = 1;", valid),
        ("*(volatile int *)(DEVICE + 0xffc) = 1;", "TRUE"),
        ("*p = 2; assert(g == 2); p = malloc(4); *p = 3; assert(*p == 3);", "TRUE"),
        ("free(DEVICE);", "FALSE (valid-free)"),
    ];
    for (statement, expected) in statements {
        let text = format!("{head}{statement}\n  return 0;\n}}\n");
        let folder = Folder::new().with("a.c", text);
        // Two stretches beside each other are one.
        let devices = ["--mmio", "0x40011000-0x400117ff", "--mmio", "0x40011800-0x40011fff"];
        let checks = ["--check", "deref,free,uninitialised"];
        for options in [&devices[..], &[&devices[..], &checks[..]].concat()] {
            let done = folder.run(&[&["check", "a.c", "--timelimit", "20s"], options].concat());
            let expected = format!("Verification result: {expected}");
            assert_eq!(done.last_line(), expected, "{statement}: {}{}", done.out, done.err);
        }
    }
}

/// Objects have room for what says which bytes are set, and nothing that is told lies there.
#[test]
fn an_access_behind_an_object_is_told_by_its_own_offset() {
    let programs = [
        ("int a[4]; a[0] = 1; int *p = a; return p[4];", "this access is at offset 16, 4 bytes"),
        ("int *p = malloc(8); p[0] = 1; free(p); return p[0];", "use after free at a.c:4"),
        ("int *p = 0; return p[1];", "access through a null pointer at a.c:4"),
        ("char b[4] = \"abc\"; write(1, b, 5);", "this access is at offset 0, 5 bytes"),
    ];
    for (body, told) in programs {
        let text = format!(
            "#include <stdlib.h>\n#include <unistd.h>\nint main(void) {{\n  {body}\n  return 0;\n}}\n"
        );
        let folder = Folder::new().with("a.c", text);
        let done = folder.run(&["check", "a.c", "--check", "deref,uninitialised"]);
        assert_eq!(done.last_line(), "Verification result: FALSE (valid-deref)", "{}", done.out);
        assert!(done.out.contains(told), "{told}: {}", done.out);
        assert!(done.out.contains("It needs no inputs"), "{}", done.out);
    }
}

/// A harness does not promise what it cannot do.
#[test]
fn a_harness_says_how_a_run_ends() {
    let device = "#include <assert.h>\nint main(void) {\n  volatile int *p = (int *)0x40011000;\n  \
                  assert(*p == 1);\n  return 0;\n}\n";
    let own = "extern int in(void);\nextern void abort(void);\nvoid __VERIFIER_assert(int c) { if (!c) abort(); }\n\
               int main(void) { __VERIFIER_assert(in() != 5); return 0; }\n";
    let label = "extern int in(void);\nint main(void) {\n  if (in() == 5) {\n    ERROR: return 1;\n  }\n  return 0;\n}\n";
    let programs = [
        (device, ["--mmio", "0x40011000-0x40011fff"], "A device is not there when this runs"),
        (own, ["--check", "none"], "it ends as the program's own `__VERIFIER_assert` does"),
        (label, ["--property", "unreach-label"], "If a call of reach_error follows the error"),
    ];
    for (text, options, said) in programs {
        let folder = Folder::new().with("a.c", text);
        let done = folder.run(&[&["check", "a.c", "--output-dir", "out"], &options[..]].concat());
        assert_eq!(done.code, 10, "{}{}", done.out, done.err);
        let harness = folder.read("out/harness.c");
        assert!(harness.contains(said), "{said}: {harness}");
    }
}

/// The sign of a NaN is not kept, and a run that may notice lists it.
#[test]
fn bits_of_a_nan_are_listed_where_they_matter() {
    let programs = [
        ("float f = in(); unsigned u; memcpy(&u, &f, 4); return u == 0;", true),
        ("union { float f; unsigned u; } x = { in() }; return x.u == 0;", true),
        ("return signbit(in()) != 0;", true),
        ("return copysign(1.0, in()) < 0;", true),
        ("float *p = malloc(8); *p = in(); return *p > 0;", false),
        ("struct { float a, b; } x = { in(), 1 }, y = x; return y.a > 0;", false),
    ];
    for (body, is_listed) in programs {
        let text = format!(
            "#include <math.h>\n#include <stdlib.h>\n#include <string.h>\nextern float in(void);\n\
             int main(void) {{\n  {body}\n}}\n"
        );
        let done = Folder::new().with("a.c", text).run(&["check", "a.c"]);
        assert_eq!(done.err.contains("bits of a NaN"), is_listed, "{body}: {}", done.err);
    }
}

/// What `%n` stores is shown, and a run that rests on something that is not modelled names it.
#[test]
fn what_formats_store_is_told() {
    let text = "#include <assert.h>\n#include <stdio.h>\nint main(void) {\n  int n = 0;\n  \
                printf(\"abc%n\", &n);\n  assert(n == 0);\n  return 0;\n}\n";
    let done = Folder::new().with("a.c", text).run(&["check", "a.c"]);
    assert!(done.out.contains("assertion `n == 0` failed at a.c:6:3: n = 3"), "{}", done.out);
    let text = "#include <stdio.h>\nextern int in(void);\nint main(void) {\n  char b[8];\n  \
                int n = snprintf(b, 8, \"%d\", in());\n  b[n] = 0;\n  return 0;\n}\n";
    let done = Folder::new().with("a.c", text).run(&["check", "a.c"]);
    let reason = "UNKNOWN (not replayed: it depends on a result that is not modelled: `snprintf`)";
    assert!(done.last_line().ends_with(reason), "{}", done.out);
}

/// The last line of a counterexample has the assertion, and what it speaks of.
#[test]
fn an_assertion_that_fails_is_told_with_its_values() {
    let text = "#include <assert.h>\nextern unsigned char nondet(void);\nint a[5];\n\
        static void check(int i) {\n  assert( a[i] <=\n   a[i + 1] && \")\" );\n}\n\
        int main(void) {\n  int i = 77;\n  unsigned char n = nondet();\n  if (n != 255) return 0;\n\
        \x20 a[3] = 5;\n  a[4] = 2;\n  check(3);\n  return i;\n}\n";
    let folder = Folder::new().with("a.c", text);
    let done = folder.run(&["check", "a.c", "--output-dir", "out"]);
    let last = "Error: assertion `a[i] <= a[i + 1] && \")\"` failed at a.c:5:3: a[3] = 5, a[4] = 2";
    assert!(done.out.contains(last), "{}", done.out);
    let witness = folder.read("out/violation.yml");
    assert!(witness.contains("G ! call(__assert_fail())"), "{witness}");
}

/// A macro of the program that asserts is told as what it asserts.
#[test]
fn an_assertion_by_another_name_is_told_with_its_values() {
    for macros in ["#define A assert\n", "#define A(x) assert(x)\n"] {
        let text = format!(
            "#include <assert.h>\n{macros}extern int nondet_int(void);\nint main(void) {{\n  \
             int a = nondet_int();\n  A(a != 3);\n}}\n"
        );
        let done = Folder::new().with("a.c", text).run(&["check", "a.c"]);
        let last = "Error: assertion `a != 3` failed at a.c:6:3: a = 3\n";
        assert!(done.out.contains(last), "{macros}: {}", done.out);
    }
}

/// A macro of the program that asserts something else than its argument is told as it is used: its argument holds.
#[test]
fn a_macro_with_a_condition_of_its_own_is_told_as_it_is_used() {
    let head = "#include <assert.h>\nextern int nondet_int(void);\nextern void reach_error(void);\n\
        #define MUST_POS(p) assert((p)->v > 0)\n\
        #define INRANGE(n, a, b) assert((n) >= (a) && (n) <= (b))\n\
        #define BOTH(x, text) do { MUST_POS(x); } while (0)\n\
        #define OBJECT assert(n < 30)\n#define EMPTY() assert(n < 30)\n\
        #define ASSERT(x) do { if (!(x)) { reach_error(); } } while (0)\n\
        #define FAIL reach_error()\n#define MAX(a, b) ((a) > (b) ? (a) : (b))\n\
        struct s { int v; };\nint f(int a) { return a; }\n\
        int main(void) {\n  int n = nondet_int(), t[3] = {0};\n  struct s z = { n };\n";
    let called = "reach_error() is called by ";
    for (used, row, error) in [
        ("MUST_POS(&z);", "MUST_POS(&z)", "assertion `MUST_POS(&z)` failed at "),
        (
            "INRANGE(n, -10,\n    10);",
            "INRANGE(n, -10, 10)",
            "assertion `INRANGE(n, -10, 10)` failed at ",
        ),
        (
            "BOTH(&z, \"(z)),\");",
            "BOTH(&z, \"(z)),\")",
            "assertion `BOTH(&z, \"(z)),\")` failed at ",
        ),
        ("OBJECT;", "OBJECT", "assertion `OBJECT` failed at "),
        ("EMPTY();", "EMPTY()", "assertion `EMPTY()` failed at "),
        ("ASSERT(f(n) < 50);", "ASSERT(f(n) < 50)", "`ASSERT(f(n) < 50)` at "),
        ("if (n == 5) FAIL;", "FAIL", "`FAIL` at "),
        // What has always been told by its condition.
        ("assert(n > 0);", "assert(n > 0)", "assertion `n > 0` failed at "),
        (
            "assert(n > 0 &&\n    \")\" && t[f(MAX(1, 2))] == 0);",
            "assert(n > 0 && \")\" && t[f(MAX(1, 2))] == 0)",
            "assertion `n > 0 && \")\" && t[f(MAX(1, 2))] == 0` failed at ",
        ),
        ("assert(MAX(n, 2) < 9);", "assert(MAX(n, 2) < 9)", "assertion `MAX(n, 2) < 9` failed at "),
    ] {
        let folder = Folder::new().with("a.c", format!("{head}  {used}\n  return 0;\n}}\n"));
        let done = folder.run(&["check", "a.c", "--output-dir", "o"]);
        assert_eq!(done.last_line(), "Verification result: FALSE (unreach-call)", "{}", done.err);
        let by = if error.starts_with('`') { called } else { "" };
        assert!(done.out.contains(&format!("Error: {by}{error}a.c:17:")), "{}", done.out);
        let rows = done.out.lines().filter(|line| line.trim_start().starts_with("violated "));
        let rows: Vec<_> = rows.collect();
        assert!(matches!(rows[..], [one] if one.ends_with(&format!("a.c:17  {row}"))), "{rows:?}");
        let escaped = row.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let named = format!("name=\"line 17: {}\"", escaped.replace('"', "&quot;"));
        assert!(folder.read("o/junit.xml").contains(&named), "{}", folder.read("o/junit.xml"));
        let sarif = folder.read("o/result.sarif");
        assert!(sarif.contains(&error.replace('"', "\\\"")), "{sarif}");
    }
}

/// The place of a function is its name, as that of a macro is.
#[test]
fn a_function_that_is_an_error_is_no_macro() {
    let text = "int main(void) {\n  return 0;\n}\n";
    let folder = Folder::new().with("a.c", text);
    let folder = folder.with("a.prp", "CHECK( init(main()), LTL(G ! call(main())) )\n");
    let done = folder.run(&["check", "a.c", "--spec", "a.prp"]);
    assert!(done.out.contains("Error: main() is called at a.c:1:5\n"), "{}", done.out);
}

/// Options of a compilation database that nobody reads are listed, and those of the machine are read.
#[test]
fn a_database_says_for_which_machine() {
    let text = "#include <assert.h>\nint main(void) { assert(sizeof(long) == 4); }\n";
    let database = |first: &str, second: &str| {
        let entry = |file: &str, option: &str| {
            format!(
                "{{\"directory\": \".\", \"file\": \"{file}\", \"command\": \"cc {option} -c {file}\"}}"
            )
        };
        format!("[{},\n{}]", entry("a.c", first), entry("b.c", second))
    };
    let folder = Folder::new().with("a.c", text).with("b.c", "int unused;\n");
    let check = ["check", "--compile-commands", "all.json"];
    let folder = folder.with("all.json", database("-m32", "-m32 -funsigned-char"));
    let done = folder.run(&check);
    assert_eq!(done.last_line(), "Verification result: TRUE", "{}", done.err);
    let said =
        "assumption: -funsigned-char, with which ./b.c is compiled, changes nothing: not read";
    assert!(done.err.contains(said), "{}", done.err);
    let folder = folder.with("all.json", database("-m32", "-O2"));
    let done = folder.run(&check);
    assert!(done.code == 65 && done.err.contains("-m32 or -m64, and others not"), "{}", done.err);
}

/// What a function is given or returns is told by its type, also where it is chosen in words of memory.
#[test]
fn inputs_are_told_by_their_types() {
    let text = "#include <assert.h>\nenum color { RED, GREEN, BLUE };\nstruct s { int a, b; };\n\
        struct q { int n; char b[8]; enum color c; };\nextern struct s nondet_s(void);\n\
        extern enum color nondet_color(void);\nint f(enum color c, struct q q) {\n  \
        struct s s = nondet_s();\n  enum color d = nondet_color();\n  \
        assert(c != BLUE || d != GREEN || s.a != 5 || s.b != 6 || q.b[2] != 7 || q.c != GREEN);\n  \
        return 0;\n}\n";
    let folder = Folder::new().with("a.c", text);
    let done = folder.run(&["check", "a.c", "--entry-function", "f"]);
    for line in [
        "  argument c = BLUE\n",
        "  nondet_s().a = 5\n",
        "  nondet_s().b = 6\n",
        "  nondet_color() = GREEN\n",
        "  f.q.b[2] = 7 (all else in bytes 0..8 is 0)\n",
        "  f.q.c = GREEN (all else in bytes 8..16 is 0)\n",
    ] {
        assert!(done.out.contains(line), "{line}: {}", done.out);
    }
    let text = "int main(void) {\n  int b[3], i = 1;\n  b[0] = 2;\n  return b[i] +\n    b[0];\n}\n";
    let folder = Folder::new().with("a.c", text);
    let done = folder.run(&["check", "a.c", "--check", "uninitialised"]);
    let last = "uninitialised value at a.c:4:3: b[1] is not set, b[0] = 2\n";
    assert!(done.out.contains(last), "{}", done.out);
}

/// Arguments of the program are told letter by letter, and pointers to them by their names.
#[test]
fn arguments_of_the_program_are_told_by_their_names() {
    let text = "#include <assert.h>\n#include <string.h>\nint main(int argc, char **argv) {\n  \
        if (argc < 2) return 0;\n  char *s = argv[1];\n  assert(strcmp(s, \"hi\") != 0);\n  return 0;\n}\n";
    let done = Folder::new().with("a.c", text).run(&["check", "a.c"]);
    assert_eq!((done.code, done.last_line()), (10, FALSE), "{}{}", done.out, done.err);
    for told in ["  argv[1][0] = 104 ('h')\n", "s = &argv[1][0]\n", "argv = &main.argv[0]\n"] {
        assert!(done.out.contains(told), "{told}: {}", done.out);
    }
}

/// The assertions of other tools end with their operands, too, and without their message.
#[test]
fn assertions_of_other_tools_and_of_preprocessed_programs_end_with_their_operands() {
    let calls = [
        ("__CPROVER_assert(x > 1'000, \"large, or so\")", "x > 1'000"),
        ("__ESBMC_assert(f(x, 2) && x > 5, \"m\")", "f(x, 2) && x > 5"),
        ("__VERIFIER_assert(x > 2)", "x > 2"),
        ("if (x <= 2) __assert_fail(\"x > 2\", \"a.c\", 4, \"main\")", "x > 2"),
    ];
    for (call, said) in calls {
        let text = format!(
            "extern int nondet_int(void);\nstatic int f(int a, int b) {{ return a > b; }}\n\
             int main(void) {{ int x = nondet_int();\n  {call};\n  return f(1, 2); }}\n"
        );
        let folder = Folder::new().with("a.c", &text);
        let done = folder.run(&["check", "a.c", "-std=c23", "--check", "none"]);
        assert_eq!((done.code, done.last_line()), (10, FALSE), "{}{}", done.out, done.err);
        let error = done.out.lines().find(|line| line.starts_with("Error:")).unwrap_or("");
        assert!(
            error.starts_with(&format!("Error: assertion `{said}` failed at a.c:4:")),
            "{error}"
        );
        assert!(error.contains(": x = "), "{error}");
    }
}

/// The trace of a run has the lines of the source, and no names of the model.
#[test]
fn a_trace_of_a_program_is_told_in_its_own_words() {
    let text = "enum color { RED, BLUE };\nextern unsigned char nondet(void);\n\
        static unsigned char bytes[2];\nstatic int twice(int x) { return 2 * x; }\n\
        int main(void) {\n  int (*run)(int) = twice;\n  enum color c = BLUE;\n\
        \x20 bytes[1] = nondet();\n  return run(c);\n}\n";
    let folder = Folder::new().with("a.c", text).with("inputs.txt", "255\n");
    let done = folder.run(&["run", "a.c", "--inputs", "inputs.txt", "--trace"]);
    let squeezed = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let lines: Vec<String> = done.err.lines().map(squeezed).collect();
    for expected in [
        "a.c:7: enum color c = BLUE; c = BLUE",
        "a.c:8: bytes[1] = nondet(); bytes[1] = 255 (input)",
        "a.c:4: static int twice(int x) { return 2 * x; } returns 2",
    ] {
        assert!(lines.iter().any(|line| line == expected), "{expected}: {}", done.err);
    }
    assert!(!done.err.contains(['$', '@']), "{}", done.err);
}

/// A command that is text cannot have a name that is not.
#[cfg(target_os = "linux")]
#[test]
fn a_harness_says_that_its_command_cannot_name_a_file() {
    use std::os::unix::ffi::OsStrExt as _;
    let text = "extern void reach_error(void);\nint main(void) { reach_error(); return 0; }\n";
    let folder = Folder::new();
    let name = std::ffi::OsStr::from_bytes(b"a\xff.c");
    std::fs::write(folder.path().join(name), text).expect("a file whose name is not UTF-8");
    let mut command = folder.command(&["check", "--output-dir", "out"]);
    command.arg(name).output().expect("the binary runs");
    let harness = folder.read("out/harness.c");
    assert!(harness.contains("not UTF-8, so that the command cannot name this file"), "{harness}");
}

//! Input that is hostile or broken gets a message or an answer: no panic, no signal, no hang.

#![allow(missing_docs)]

mod common;

use std::fs::File;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use common::Folder;

/// How long one input may take; most take far less than a second, and a hang lasts for ever.
const LIMIT: Duration = Duration::from_secs(600);

/// Runs the binary on a text and gives its exit code and what it says to standard error.
fn run(name: &str, text: &[u8]) -> (i32, String) {
    let folder = Folder::new().with(name, text);
    run_in(&folder, name, name)
}

fn run_in(folder: &Folder, name: &str, what: &str) -> (i32, String) {
    let messages = File::create(folder.path().join("messages")).expect("a file for messages");
    let mut command = folder.command(&["run", "--max-steps", "1000", "--memlimit", "100MB", name]);
    let mut child =
        command.stdout(Stdio::null()).stderr(messages).spawn().expect("the binary runs");
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("a child") {
            let messages = std::fs::read(folder.path().join("messages")).expect("the messages");
            let messages = String::from_utf8_lossy(&messages).into_owned();
            let code = status.code().unwrap_or_else(|| panic!("{what}: {status}\n{messages}"));
            return (code, messages);
        }
        if start.elapsed() > LIMIT {
            let _ = child.kill();
            let _ = child.wait();
            panic!("{what}: still running after {LIMIT:?}");
        }
        thread::sleep(Duration::from_millis(2));
    }
}

/// Expects that the program is refused, or loads and runs to some end.
fn survives(name: &str, text: impl AsRef<[u8]>) {
    let (code, messages) = run(name, text.as_ref());
    assert!([0, 10, 20, 65].contains(&code), "{name}: exit code {code}\n{messages}");
    assert_eq!(code == 65, messages.contains("error: "), "{name}: {code}\n{messages}");
}

/// Expects that the program is refused, with this in the message.
fn refused(name: &str, text: impl AsRef<[u8]>, message: &str) {
    let (code, messages) = run(name, text.as_ref());
    assert_eq!(code, 65, "{name}: {messages}");
    assert!(messages.contains(message), "{name}: {message:?} expected\n{messages}");
}

fn c_main(body: &str) -> String {
    format!("int main(void) {{ int x = 1; {body} }}\n")
}

fn theta(statements: &str) -> String {
    format!(
        "main process p {{\nvar x : int\nvar a : [int] -> int\nvar b : bool\nvar v : bv[8]\n\
         init loc S\nfinal loc E\nerror loc X\nS -> E {{ {statements} }}\n}}\n"
    )
}

fn armc(guards: &str, updates: &str) -> String {
    format!(
        "start(pc(s)).\nerror(pc(e)).\nr(p(pc(s), data(X)), p(pc(e), data(XP)), [{guards}], \
         [{updates}], 1).\n"
    )
}

/// So many times `open`, then `middle`, then as often `close`.
fn nest(times: usize, open: &str, middle: &str, close: &str) -> String {
    format!("{}{middle}{}", open.repeat(times), close.repeat(times))
}

const DEEP: usize = 100_000;

#[test]
fn c_may_nest_deeply() {
    for body in [
        format!("return {};", nest(DEEP, "(", "x", ")")),
        format!("return {};", nest(DEEP, "- ", "x", "")),
        format!("return {};", nest(DEEP, "!", "x", "")),
        format!("return {};", nest(DEEP, "(int)", "x", "")),
        format!("return {};", nest(DEEP, "x ? 1 : ", "x", "")),
        format!("return {};", nest(DEEP, "({", "1;", "})")),
        format!("{}; return x;", nest(DEEP, "x = ", "1", "")),
        nest(DEEP, "{", "", "}"),
        nest(DEEP, "{", "", ""),
        nest(DEEP, "if (x) ", "x = 0;", ""),
        nest(DEEP, "if (x == 5) x = 3; else ", "x = 0;", ""),
        nest(DEEP, "while (x) ", "x = 0;", ""),
        nest(DEEP, "do ", "x = 0;", " while (x);"),
    ] {
        survives("deep.c", c_main(&body));
    }
    for text in [
        nest(DEEP, "struct {", "int x;", "} y;"),
        format!("int {};", nest(DEEP, "(*", "a", ")")),
        format!("int a{};", "[1]".repeat(2_000)),
        format!("int x = {};", nest(DEEP, "{", "1", "}")),
    ] {
        survives("deep.c", text + "int main(void) { return 0; }");
    }
}

/// Programs within more brackets than the parser reads at once are read in pieces, and mean what they say.
#[test]
fn what_is_nested_deeply_is_read() {
    const LEVELS: usize = 700;
    let sum = LEVELS + 1;
    let blocks: String =
        (1..=LEVELS).map(|n| format!("if (x == {n}) {{ int v{n} = x; x = v{n} + 1;\n")).collect();
    let closed = "}".repeat(LEVELS);
    for (body, line) in [
        (format!("int y = {};", nest(LEVELS, "(1 + ", "x", ")")), 3),
        (format!("int y = {};", nest(LEVELS, "(", "x", " + 1)")), 3),
        (format!("int y = {};", nest(LEVELS, "f(0, ", "x", ")")), 3),
        (format!("int y = {};", nest(LEVELS, "f(0, ({ int z = ", "x", "; z; }))")), 3),
        (format!("int y = {} + {LEVELS};", nest(LEVELS, "ones[", "0", "]")), 3),
        (format!("{blocks} {closed} int y = x;"), 3 + LEVELS),
        (
            format!(
                "int y = 0; {} out: y += x;",
                nest(LEVELS, "for (;;) { switch (x) { case 1: y++; ", "goto out;", "} }")
            ),
            3,
        ),
    ] {
        let head = "#include <assert.h>\nint ones[2] = {1, 1}; int f(int a, int b) { return a + b + 1; }\n";
        let right = format!("{head}int main(void) {{ int x = 1; {body} assert(y == {sum}); }}\n");
        let folder = Folder::new().with("f.c", &right);
        let ended = folder.run(&["run", "f.c"]);
        assert_eq!(ended.last_line(), "Run ended: returned 0", "{body}: {}", ended.err);
        let wrong = right.replace(&format!("assert(y == {sum})"), "assert(y == 3)");
        let folder = Folder::new().with("f.c", &wrong);
        let ended = folder.run(&["run", "f.c"]);
        assert_eq!(
            ended.last_line(),
            format!("Run ended: reached error at f.c:{line}"),
            "{}",
            ended.err
        );
    }
    // What cannot be taken apart is one error with its place.
    for text in [
        nest(300, "struct {", "int x;", "} y;") + "int main(void) { return 0; }",
        c_main(&(String::from("typedef int T; ") + &nest(300, "if (x) { x++; ", "", "}"))),
    ] {
        let done = Folder::new().with("f.c", &text).run(&["check", "f.c"]);
        assert_eq!((done.code, done.err.matches("error:").count()), (65, 1), "{}", done.err);
        assert!(done.err.contains("brackets nested more deeply than 256 levels"), "{}", done.err);
        assert!(done.err.contains("--> f.c:1:") && done.err.contains('^'), "{}", done.err);
    }
}

#[test]
fn c_may_be_long() {
    let cases: String = (0..20_000).map(|n| format!("case {n}: x = {n}; break;\n")).collect();
    survives("cases.c", c_main(&format!("switch (x) {{ {cases} }} return x;")));
    for operator in ["+", "&&", "||", "-", ","] {
        let chain = vec!["x"; 100_000].join(operator);
        survives("chain.c", c_main(&format!("return {chain};")));
        survives("chain.c", c_main(&format!("return sizeof({chain});")));
    }
    survives("line.c", c_main(&" ".repeat(10_000_000)));
    survives("digits.c", c_main(&format!("return {};", "9".repeat(100_000))));
    survives("digits.c", c_main(&format!("double d = {}.0e-5;", "9".repeat(100_000))));
    survives("name.c", c_main(&format!("int {} = 1;", "a".repeat(1_000_000))));
    survives("string.c", c_main(&format!("char *s = \"{}\";", "a".repeat(1_000_000))));
}

#[test]
fn c_types_may_not_contain_themselves() {
    for text in [
        "struct s { struct s x; }; int main(void) { struct s a; return 0; }",
        "struct a; struct b { struct a x; }; struct a { struct b y; } v; int main(void) {}",
        "struct s { struct s x[2]; }; int main(void) { return sizeof(struct s); }",
        "struct s { char x[sizeof(struct s)]; }; int main(void) { return 0; }",
        "typedef t t; int main(void) { t x; return 0; }",
        "typedef a b; typedef b a; int main(void) { a x; return 0; }",
        "enum e { A = A }; int main(void) { return A; }",
        "int a[-1]; int main(void) { return 0; }",
        "int a[9223372036854775807]; int main(void) { return 0; }",
        "struct s { int x : 1000000000; }; int main(void) { return 0; }",
    ] {
        refused("types.c", text, "error: ");
    }
    survives("types.c", "int a[sizeof a]; int main(void) { return 0; }");
    survives("types.c", "int a[1000000000] = { 1 }; int main(void) { return a[1]; }");
    survives("types.c", c_main("long n = 1L << 60; char a[n]; return a[0];"));
}

#[test]
fn preprocessing_comes_to_an_end() {
    let main = "int main(void) { return 0; }\n";
    refused("e.c", format!("#error no\n{main}"), "no");
    refused("e.c", format!("#include \"nowhere.h\"\n{main}"), "nowhere.h");
    refused("e.c", format!("#include \"e.c\"\n{main}"), "error: ");
    refused("e.c", format!("#include \".\"\n{main}"), "error: ");
    refused("e.c", format!("#if 1\n{main}"), "error: ");
    refused("e.c", format!("#if 1 / 0\n#endif\n{main}"), "error: ");
    refused("e.c", format!("{main}/* "), "comment");
    refused("e.c", "int main(void) { char *s = \"abc", "error: ");
    refused("e.c", "#define f(x) x\nint main(void) { f(1,", "error: ");
    survives("e.c", format!("{}{main}{}", "#if 1\n".repeat(DEEP), "#endif\n".repeat(DEEP)));
    survives("e.c", format!("#if {}\n#endif\n{main}", nest(DEEP, "(", "1", ")")));
    survives("e.c", format!("#if {}\n#endif\n{main}", nest(DEEP, "!", "1", "")));
    let doubled: String = (0..64).map(|n| format!("#define a{} a{n} a{n}\n", n + 1)).collect();
    refused("bomb.c", format!("#define a0 x\n{doubled}int main(void) {{ a64; }}"), "too large");
    let folder = Folder::new()
        .with("a.c", format!("#include \"b.h\"\n{main}"))
        .with("b.h", "#include \"c.h\"\n")
        .with("c.h", "#include \"b.h\"\n");
    assert_eq!(run_in(&folder, "a.c", "a cycle of files").0, 65);
}

#[test]
fn models_may_nest_deeply() {
    for statements in [
        format!("x := {}", nest(DEEP, "(", "x", ")")),
        format!("x := {}", nest(DEEP, "- ", "x", "")),
        format!("x := {}", nest(DEEP, "if b then ", "x", " else x")),
        format!("x := {}", nest(DEEP, "a[", "x", "]")),
        format!("assume {}", nest(DEEP, "not ", "b", "")),
        format!("x := {}", vec!["x"; 200_000].join(" + ")),
        format!("assume {}", vec!["b"; 200_000].join(" imply ")),
        format!("x := {}", "9".repeat(100_000)),
        "v := 4294967295'd1".to_owned(),
        "assume (v bv_zero_extend bv[4000000000]) = v".to_owned(),
    ] {
        survives("deep.cfa", theta(&statements));
    }
    survives("deep.cfa", format!("var q : {}int\n{}", "[int] -> ".repeat(DEEP), theta("")));
    for (guards, updates) in [
        (String::new(), format!("XP = {}", nest(DEEP, "(", "X", ")"))),
        (String::new(), format!("XP = {}", nest(DEEP, "- ", "X", ""))),
        (String::new(), format!("XP = {}", vec!["X"; 200_000].join("+"))),
        (nest(DEEP, "[", "", "]"), String::new()),
        (nest(DEEP, "f(", "X", ")"), String::new()),
        (format!("X = {}", "9".repeat(100_000)), String::new()),
        ("X = 1.0e999999999".to_owned(), "XP = 1/0".to_owned()),
    ] {
        survives("deep.pl", armc(&guards, &updates));
    }
}

#[test]
fn tasks_may_nest_deeply() {
    refused("deep.yml", nest(DEEP, "[", "", "]"), "error: ");
    refused("deep.yml", nest(DEEP, "{a: ", "", "}"), "error: ");
    refused("deep.yml", "- ".repeat(DEEP), "error: ");
    let doubled: String = (0..20)
        .map(|n| format!("a{}: &a{} [*a{n}, *a{n}, *a{n}, *a{n}, *a{n}, *a{n}]\n", n + 1, n + 1))
        .collect();
    let bomb = format!("format_version: '2.0'\na0: &a0 [x]\n{doubled}input_files: *a20\n");
    refused("bomb.yml", bomb, "error: ");
    refused("self.yml", "format_version: '2.0'\ninput_files: self.yml\n", "error: ");
}

#[test]
fn text_may_be_broken() {
    for ending in ["c", "cfa", "pl", "yml"] {
        let name = format!("broken.{ending}");
        refused(&name, "", "error: ");
        refused(&name, b"\0", "error: ");
        refused(&name, b"\xff\xfe\0i\0n\0t", "error: ");
        refused(&name, b"\xc3", "error: ");
        refused(&name, "@".repeat(1_000_000), "error: ");
        refused(&name, " ".repeat(10_000_000), "error: ");
        refused(&name, "/* ", "error: ");
    }
    let folder = Folder::new();
    std::fs::create_dir(folder.path().join("folder.c")).expect("a folder");
    assert_eq!(run_in(&folder, "folder.c", "a folder").0, 65);
    assert_eq!(run_in(&folder, "nowhere.c", "no file").0, 65);
}

/// Not at every length, for the sake of time.
#[test]
fn text_may_break_off() {
    let c = "#define T(x) (x)\nstruct s { int a, b : 3; };\nint f(struct s *p) { return p->a; }\n\
             int main(void) { struct s v = { .a = 'q' }; for (int i = 0; i < 3; i++) \
             if (f(&v) > T(1.5)) continue; return \"ab\"[v.b & 1]; }\n";
    let theta = theta("x := (if b then a[1 <- 2][1] else -3) v := 8'd1 ++ v[1:0] havoc x");
    let armc = armc("X >= 0, 2*X =< 'Y' + 1.5", "XP = X + (1/3)");
    for (name, text) in [("part.c", c), ("part.cfa", &theta), ("part.pl", &armc)] {
        for length in (0..text.len()).step_by(7) {
            survives(name, &text[..length]);
        }
    }
}

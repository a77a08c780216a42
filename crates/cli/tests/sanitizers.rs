//! Random programs with random inputs: the interpreter stops where clang's sanitizers stop, and nowhere else.
//!
//! Without clang, or with one that has no sanitizers, the test is passed over with a message. `PROVISO_SEEDS` says how
//! many programs are made.

// Who reads the output of a test learns what it has passed over.
#![allow(clippy::print_stderr)]

mod common;

use std::fmt::Write as _;

use base::Random;
use common::{Folder, is_stopped, sanitized};

/// What clang looks for.
const SANITIZERS: &str =
    "address,undefined,unsigned-integer-overflow,implicit-conversion,float-cast-overflow";

/// How many programs are made, if nobody says.
const SEEDS: u64 = 24;

/// How many elements the arrays have.
const LENGTH: usize = 6;

/// An integer type: how inputs of it are called, its name, its least and its largest number.
const TYPES: [(&str, &str, i128, i128); 8] = [
    ("schar", "signed char", -128, 127),
    ("uchar", "unsigned char", 0, 255),
    ("short", "short", -32_768, 32_767),
    ("ushort", "unsigned short", 0, 65_535),
    ("int", "int", -2_147_483_648, 2_147_483_647),
    ("uint", "unsigned", 0, 4_294_967_295),
    ("long", "long", -9_223_372_036_854_775_808, 9_223_372_036_854_775_807),
    ("ulong", "unsigned long", 0, 18_446_744_073_709_551_615),
];

/// A program with its inputs.
struct Case {
    program: String,
    /// For the interpreter, one in each line.
    inputs: String,
    /// For the compiler: what gives the inputs.
    given: String,
}

impl Case {
    fn new(seed: u64) -> Self {
        let mut random = Random::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) + 1);
        let mut program = String::from("#include <stdlib.h>\n#include <string.h>\n");
        let mut given = String::new();
        for (name, ty, ..) in TYPES {
            let _ = writeln!(program, "extern {ty} nondet_{name}(void);");
        }
        let mut inputs = String::new();
        let mut values = Vec::new();
        program.push_str("int main(void) {\n");
        for at in 0..5 {
            let (name, ty, least, largest) = TYPES[random.below(8)];
            let near = random.below(12) as i128;
            let value = match random.below(4) {
                0 => least + near,
                1 => largest - near,
                2 => near,
                _ => least + ((random.below(1 << 31) as i128) << 31).rem_euclid(largest - least),
            };
            let _ = writeln!(program, "    {ty} v{at} = nondet_{name}();");
            let _ = writeln!(inputs, "{value}");
            values.push((name, ty, value));
        }
        let _ = writeln!(
            program,
            "    int a[{LENGTH}] = {{0}};\n    short *p = calloc({LENGTH}, sizeof *p);\n    double d = 1.5;"
        );
        for _ in 0..3 + random.below(6) {
            let line = statement(&mut random);
            let _ = writeln!(program, "    {line}");
        }
        // What is not freed is looked for by other tests: the address may be left where a sanitizer finds it.
        let end = random.pick(&["free(p);", "free(p);", "free(p); free(p);"]);
        let _ = writeln!(program, "    {end}\n    return 0;\n}}");
        // Each input is read by its own call, in order.
        given.push_str("static int next;\n");
        let list: Vec<String> =
            values.iter().map(|(_, _, value)| format!("{}UL", *value as u64)).collect();
        let _ = writeln!(given, "static unsigned long values[] = {{ {} }};", list.join(", "));
        for (name, ty, ..) in TYPES {
            let _ = writeln!(given, "{ty} nondet_{name}(void) {{ return ({ty})values[next++]; }}");
        }
        Self { program, inputs, given }
    }
}

fn statement(random: &mut Random) -> String {
    let target = |random: &mut Random| match random.below(4) {
        0 => format!("a[{}]", index(random)),
        1 => format!("p[{}]", index(random)),
        _ => format!("v{}", random.below(5)),
    };
    match random.below(9) {
        0 => format!("{}{};", target(random), random.pick(&["++", "--"])),
        1 => {
            let op = random.pick(&["+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "|=", "^="]);
            format!("{} {op} {};", target(random), expression(random, 2))
        }
        2 => format!("memset(a, {}, {} & 31);", random.below(3), expression(random, 1)),
        3 => format!("d = {} * 1.5; v{} = d;", expression(random, 1), random.below(5)),
        4 => format!("if ({}) p[{}] = 3;", expression(random, 2), index(random)),
        _ => format!("{} = {};", target(random), expression(random, 3)),
    }
}

/// An index that is mostly inside of an array, and never far outside.
fn index(random: &mut Random) -> String {
    match random.below(4) {
        0 => format!("(v{} & 7) - 1", random.below(5)),
        1 => format!("(unsigned)v{} % {}", random.below(5), LENGTH + random.below(2)),
        _ => random.below(LENGTH).to_string(),
    }
}

fn expression(random: &mut Random, depth: u32) -> String {
    if depth == 0 || random.below(7) == 0 {
        return match random.below(8) {
            0 => random.pick(&["0", "1", "3u", "7", "-1", "31", "100L", "2ul"]).to_owned(),
            1 => format!("a[{}]", index(random)),
            2 => format!("p[{}]", index(random)),
            _ => format!("v{}", random.below(5)),
        };
    }
    let inner = |random: &mut Random| expression(random, depth - 1);
    match random.below(8) {
        0 => format!("{}({})", random.pick(&["-", "~", "!"]), inner(random)),
        1 => format!("({})({})", TYPES[random.below(8)].1, inner(random)),
        2 => format!("({} ? {} : {})", inner(random), inner(random), inner(random)),
        3 => {
            let op = random.pick(&["<", "<=", "==", "&&", "||"]);
            format!("({} {op} {})", inner(random), inner(random))
        }
        _ => {
            let op = random.pick(&["+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^", "+", "-"]);
            format!("({} {op} {})", inner(random), inner(random))
        }
    }
}

/// The first line of a program that a text names.
fn line(text: &str) -> Option<usize> {
    let rest = text.split("program.c:").nth(1)?;
    rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

/// The line where a sanitizer stops the program, if it stops it; `None` without a sanitizer.
fn stop(folder: &Folder) -> Option<Option<usize>> {
    let errors = sanitized(folder, "clang", SANITIZERS, &["program.c", "given.c"])?;
    Some(if is_stopped(&errors) { Some(line(&errors)?) } else { None })
}

#[test]
fn the_interpreter_stops_where_sanitizers_stop() {
    let seeds = std::env::var("PROVISO_SEEDS").ok().and_then(|seeds| seeds.parse().ok());
    let seeds: u64 = seeds.unwrap_or(SEEDS);
    let (mut problems, mut stopped) = (Vec::new(), 0);
    for seed in 0..seeds {
        let Case { program, inputs, given } = Case::new(seed);
        let folder = Folder::new()
            .with("program.c", &program)
            .with("given.c", &given)
            .with("inputs.txt", &inputs);
        let Some(expected) = stop(&folder) else {
            eprintln!("no clang with sanitizers: nothing is compared");
            return;
        };
        let done = folder.run(&["run", "program.c", "--check", "all", "--inputs", "inputs.txt"]);
        let mut lines = done.out.lines().chain(done.err.lines());
        let last = lines.rfind(|text| text.starts_with("Run ended")).unwrap_or("");
        stopped += usize::from(expected.is_some());
        let is_right = match expected {
            Some(_) => line(last) == expected,
            None => last == "Run ended: returned 0",
        };
        if !is_right {
            problems.push(format!("{seed}: clang {expected:?}, here {last}\n{inputs}{program}"));
        }
    }
    eprintln!("{stopped} of {seeds} programs are stopped");
    assert!(problems.is_empty(), "{} problems\n{}", problems.len(), problems.join("\n"));
}

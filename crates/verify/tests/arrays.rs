//! Proofs about arrays by elements that are followed.

#![allow(missing_docs)]

use base::Random;
use cfa::Program;
use interp::{Config, Ending, RandomInputs};
use proviso_verify::Certified;
use proviso_verify::arrays::prove;
use run::{Budget, Run, Verdict};
use smt::Builtin;

fn load(text: &str, model: frontend::DataModel) -> Program {
    let mut sources = base::SourceMap::new();
    let file = sources.add("test.c", text.as_bytes()).expect("a short file");
    let outside_pointers = frontend::OutsidePointers::Any;
    let options = frontend::Options {
        data_model: Some(model),
        outside_pointers,
        ..frontend::Options::default()
    };
    let loaded = frontend::c::load(sources, &[file], &options);
    assert!(!loaded.diagnostics.has_errors(), "{:?}\n{text}", loaded.diagnostics.iter().next());
    loaded.program
}

const HEAD: &str = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
    extern void *malloc(unsigned long); extern void *memcpy(void *, const void *, unsigned long);\n";

/// Whether a program is proved. Another check finds each proof right.
fn is_proved(program: &Program) -> bool {
    let solver = || Box::new(Builtin::new()) as Box<dyn smt::FullSolver>;
    let found = prove(program, &solver, &Run::unobserved(Budget::default()));
    assert!(!matches!(found.verdict, Verdict::Unsafe(_)), "an error proves nothing");
    let is_proved = matches!(found.verdict, Verdict::Safe(_));
    assert_eq!(found.evidence.is_some(), is_proved);
    if let Some(evidence) = found.evidence {
        assert_eq!(evidence.check(&solver, &Budget::default()).certified, Certified::Holds);
    }
    is_proved
}

/// Whether a run with inputs from a seed reaches an error.
fn fails(program: &Program, seed: u64) -> bool {
    let config = Config { max_steps: 100_000, ..Config::default() };
    let mut inputs = RandomInputs::with_zeros(seed);
    let run = interp::run(program, &config, &mut inputs, None, &mut std::io::sink());
    matches!(run.ending, Ending::Error { .. })
}

const RIGHT: [&str; 12] = [
    "int a[1000]; int main(void) { int i; for (i = 0; i < 1000; i++) a[i] = 7;
     for (i = 0; i < 1000; i++) if (a[i] != 7) reach_error(); return 0; }",
    // Downwards, and an element of which the value is its index.
    "int main(void) { int a[1000]; int i; for (i = 999; i >= 0; i--) a[i] = i;
     for (i = 0; i < 1000; i++) if (a[i] != i) reach_error(); return 0; }",
    // A copy of a copy.
    "int a[500], b[500], c[500]; int main(void) { int i;
     for (i = 0; i < 500; i++) a[i] = __VERIFIER_nondet_int();
     for (i = 0; i < 500; i++) b[i] = a[i];
     for (i = 0; i < 500; i++) c[i] = b[i];
     for (i = 0; i < 500; i++) if (c[i] != a[i]) reach_error(); return 0; }",
    // Zero from the start.
    "int a[500]; int main(void) { int i; for (i = 0; i < 500; i++) if (a[i]) reach_error(); return 0; }",
    // Fields of structures.
    "struct s { short p; short q; int r; } a[500]; int main(void) { int i;
     for (i = 0; i < 500; i++) { a[i].p = 1; a[i].q = 2; a[i].r = i; }
     for (i = 0; i < 500; i++) if (a[i].p + a[i].q != 3 || a[i].r != i) reach_error(); return 0; }",
    // Two dimensions.
    "int m[30][40]; int main(void) { int i, j;
     for (i = 0; i < 30; i++) for (j = 0; j < 40; j++) m[i][j] = i + j;
     for (i = 0; i < 30; i++) for (j = 0; j < 40; j++) if (m[i][j] != i + j) reach_error(); return 0; }",
    // Indices in proportion.
    "int a[100], b[401]; int main(void) { int i = 1, j = 0;
     while (j < 100) { a[j] = b[i]; i = i + 4; j = j + 1; }
     for (j = 0; j < 100; j++) if (a[j] != b[4 * j + 1]) reach_error(); return 0; }",
    // A flag.
    "int a[300]; int main(void) { int i, bad = 0; for (i = 0; i < 300; i++) a[i] = 5;
     for (i = 0; i < 300; i++) if (a[i] != 5) bad = 1; if (bad) reach_error(); return 0; }",
    // Every other element.
    "int a[300], b[300]; int main(void) { int i;
     for (i = 0; i < 300; i = i + 2) { a[i] = __VERIFIER_nondet_int(); if (a[i] == 1) b[i] = 2; }
     for (i = 0; i < 300; i = i + 2) if (a[i] == 1 && b[i] != 2) reach_error(); return 0; }",
    // Memory of a size that is an input.
    "int main(void) { int n = __VERIFIER_nondet_int(), i; if (n < 1 || n > 1000) return 0;
     int *a = malloc(n * sizeof(int)); if (!a) return 0; for (i = 0; i < n; i++) a[i] = 3;
     for (i = 0; i < n; i++) if (a[i] != 3) reach_error(); return 0; }",
    // All but one.
    "int a[300]; int main(void) { int i; for (i = 0; i < 300; i++) if (i != 8) a[i] = 1;
     for (i = 0; i < 300; i++) if (i != 8 && a[i] != 1) reach_error(); return 0; }",
    // The largest element.
    "int a[300]; int main(void) { int i, max = 0; for (i = 0; i < 300; i++) a[i] = __VERIFIER_nondet_int();
     for (i = 0; i < 300; i++) if (a[i] > max) max = a[i];
     for (i = 0; i < 300; i++) if (a[i] > max) reach_error(); return 0; }",
];

#[test]
fn elements_are_proved() {
    for model in [frontend::DataModel::Ilp32, frontend::DataModel::Lp64] {
        for text in RIGHT {
            let program = load(&format!("{HEAD}{text}"), model);
            assert!(is_proved(&program), "{model:?} {text}");
        }
    }
}

/// Programs with an error that somebody might overlook who follows one element.
const WRONG: [&str; 12] = [
    "int a[9]; int main(void) { int i; for (i = 0; i < 8; i++) a[i] = 7;
     for (i = 0; i < 9; i++) if (a[i] != 7) reach_error(); return 0; }",
    // Another pointer to the same array.
    "int a[9]; int main(void) { int i; int *p = a + 3; for (i = 0; i < 9; i++) a[i] = 7; p[1] = 8;
     for (i = 0; i < 9; i++) if (a[i] != 7) reach_error(); return 0; }",
    // Bytes of elements.
    "int a[9]; int main(void) { int i; for (i = 0; i < 9; i++) a[i] = 0; ((char *)a)[5] = 1;
     for (i = 0; i < 9; i++) if (a[i] != 0) reach_error(); return 0; }",
    // The end of one row is the start of the next.
    "int m[3][4]; int main(void) { int i, j, k = 4; for (i = 0; i < 3; i++) for (j = 0; j < 4; j++) m[i][j] = 1;
     m[0][k] = 2; for (i = 0; i < 3; i++) for (j = 0; j < 4; j++) if (m[i][j] != 1) reach_error(); return 0; }",
    // With addresses of 32 bits, this index is another one of the first element.
    "int a[9]; int main(void) { unsigned i; for (i = 0; i < 9; i++) a[i] = 1; i = 0x40000000u; a[i] = 2;
     for (i = 0; i < 9; i++) if (a[i] != 1) reach_error(); return 0; }",
    // Copied by a function.
    "int a[9], b[9]; int main(void) { int i; for (i = 0; i < 9; i++) a[i] = 1; memcpy(a, b, 8);
     for (i = 0; i < 9; i++) if (a[i] != 1) reach_error(); return 0; }",
    "int a[9], b[9]; int main(void) { int i; for (i = 0; i < 9; i++) a[i] = 1; memcpy(b, a, 8);
     for (i = 0; i < 9; i++) if (b[i] != 0) reach_error(); return 0; }",
    // The error depends on two elements.
    "int a[9]; int main(void) { int i; for (i = 0; i < 9; i++) a[i] = i == 4;
     for (i = 0; i < 8; i++) if (a[i] > a[i + 1]) reach_error(); return 0; }",
    // A flag that was set long ago.
    "int a[9]; int main(void) { int i, bad = 0; for (i = 0; i < 9; i++) a[i] = i;
     for (i = 0; i < 9; i++) if (a[i] == 2) bad = 1; for (i = 0; i < 9; i++) a[i] = 0;
     if (bad) reach_error(); return 0; }",
    // A float in the place of a number.
    "union u { float f; int i; } a[9]; int main(void) { int i; for (i = 0; i < 9; i++) a[i].i = 0;
     a[3].f = 1.0f; for (i = 0; i < 9; i++) if (a[i].i != 0) reach_error(); return 0; }",
    // An array in a loop, and one that somebody else writes to.
    "int a[9]; int *p; int main(void) { int i; for (i = 0; i < 9; i++) a[i] = 1; p = &a[2];
     int **q = &p; **q = 5; for (i = 0; i < 9; i++) if (a[i] != 1) reach_error(); return 0; }",
    // What was loaded is asked about later.
    "int a[9]; int main(void) { int i, x = 0; for (i = 0; i < 9; i++) a[i] = i;
     for (i = 0; i < 9; i++) x = a[i]; if (x == 8) reach_error(); return 0; }",
];

#[test]
fn errors_are_not_overlooked() {
    for (number, text) in WRONG.iter().enumerate() {
        for model in [frontend::DataModel::Ilp32, frontend::DataModel::Lp64] {
            let program = load(&format!("{HEAD}{text}"), model);
            let expected = (0..4).any(|seed| fails(&program, seed));
            let wraps = number == 4 && model == frontend::DataModel::Lp64;
            assert!(expected || wraps, "a wrong program {model:?} {text}");
            assert!(!is_proved(&program) || wraps, "{model:?} {text}");
        }
    }
}

/// Programs with an error that only few inputs reach.
const HIDDEN: [&str; 6] = [
    // An input as the index of bytes: it is not the address of the array.
    "char a[1000]; int main(void) { unsigned long j = __VERIFIER_nondet_int(), i; for (i = 0; i < 1000; i++) a[i] = 0;
     if (j < 1000) a[j] = 1; for (i = 0; i < 1000; i++) if (a[i] != 0) reach_error(); return 0; }",
    "char a[1000]; int main(void) { int j = __VERIFIER_nondet_int(), i; for (i = 0; i < 1000; i++) a[i] = 0;
     if (j >= 0 && j < 1000) a[j] = 1; for (i = 0; i < 1000; i++) if (a[i] != 0) reach_error(); return 0; }",
    "int main(void) { unsigned long j = __VERIFIER_nondet_int(), i; char *a = malloc(1000); if (!a) return 0;
     for (i = 0; i < 1000; i++) a[i] = 0; if (j < 1000) a[j] = 1;
     for (i = 0; i < 1000; i++) if (a[i] != 0) reach_error(); return 0; }",
    // A pointer that is known by a comparison only.
    "int a[1000]; extern int *choose(int *, int *); int main(void) { int *p; int i, x = __VERIFIER_nondet_int();
     for (i = 0; i < 1000; i++) a[i] = 0; p = choose(a, a + 1000); if (p == &a[500]) p[x & 1] = 1;
     for (i = 2; i < 1000; i++) if (a[i] != 0) reach_error(); return 0; }",
    // An address that is computed from those of two objects.
    "char a[100], b[100]; int main(void) { unsigned long d = (unsigned long)a - (unsigned long)b; int i;
     char *p = b + d; for (i = 0; i < 100; i++) a[i] = 0; for (i = 0; i < 100; i++) p[i] = 1;
     for (i = 0; i < 100; i++) if (a[i] != 0) reach_error(); return 0; }",
    // One of two arrays.
    "int a[100], b[100]; int main(void) { int i; int *p = __VERIFIER_nondet_int() == 77777 ? a : b;
     for (i = 0; i < 100; i++) a[i] = 0; for (i = 0; i < 100; i++) p[i] = 1;
     for (i = 0; i < 100; i++) if (a[i] != 0) reach_error(); return 0; }",
];

#[test]
fn hidden_errors_are_not_overlooked() {
    for model in [frontend::DataModel::Ilp32, frontend::DataModel::Lp64] {
        for text in HIDDEN {
            let program = load(&format!("{HEAD}{text}"), model);
            assert!(!is_proved(&program), "{model:?} {text}");
        }
    }
}

/// Numbers for random programs.
struct Dice(Random);

impl Dice {
    fn of<'a>(&mut self, list: &[&'a str]) -> &'a str {
        self.0.pick(list)
    }

    fn index(&mut self) -> &'static str {
        self.of(&["i", "i", "i", "i", "i + 1", "3 - i", "x", "2", "2 * i", "i / 2", "x + i"])
    }

    fn element(&mut self) -> String {
        let index = self.index();
        match self.of(&["a", "a", "b", "s", "m"]) {
            "s" => format!("s[{index}].{}", self.of(&["p", "q"])),
            "m" => format!("m[{index}][{}]", self.of(&["0", "1", "x & 1", "i & 1"])),
            array => format!("{array}[{index}]"),
        }
    }

    fn value(&mut self) -> String {
        match self.of(&["0", "1", "i", "x", "element", "element", "sum"]) {
            "element" => self.element(),
            "sum" => format!("{} + 1", self.element()),
            plain => plain.to_owned(),
        }
    }

    fn statement(&mut self) -> String {
        let (element, value) = (self.element(), self.value());
        match self.of(&["plain", "plain", "plain", "if", "flag"]) {
            "if" => format!("if ({}) {element} = {value};", self.condition()),
            "flag" => format!("if ({}) f = 1;", self.condition()),
            _ => format!("{element} = {value};"),
        }
    }

    fn condition(&mut self) -> String {
        format!("{} {} {}", self.element(), self.of(&["!=", "==", "<", ">"]), self.value())
    }

    fn head(&mut self) -> &'static str {
        self.of(&[
            "for (i = 0; i < 4; i++)",
            "for (i = 0; i < 4; i++)",
            "for (i = 3; i >= 0; i--)",
            "for (i = 1; i <= x; i++)",
            "for (i = 0; i < 4; i += 2)",
        ])
    }

    fn program(&mut self) -> String {
        let kind = self.of(&["", "static "]);
        let mut text = format!(
            "{HEAD}{kind}int b[8]; struct {{ short p; int q; }} s[8];
             int main(void) {{ int a[8]; int m[8][2]; int i = 0, f = 0; int x = __VERIFIER_nondet_int() & 3;\n"
        );
        for _ in 0..2 {
            let (head, first, second) = (self.head(), self.statement(), self.statement());
            text += &format!("{head} {{ {first} {second} }}\n");
        }
        if self.of(&["", "x"]).is_empty() {
            text += &format!("{}\n", self.statement());
        }
        text += &match self.of(&["loop", "loop", "flag"]) {
            "loop" => format!("{} if ({}) reach_error();", self.head(), self.condition()),
            _ => "if (f) reach_error();".to_owned(),
        };
        text + " return 0; }"
    }
}

/// The first of the seeds that are tried: some of the programs that follow can be proved.
const FIRST: u64 = 40;

#[test]
fn random_programs_are_not_proved_wrongly() {
    let count = std::env::var("PROVISO_ARRAYS").ok().and_then(|count| count.parse().ok());
    let mut proved = 0;
    for seed in FIRST..FIRST + count.unwrap_or(20) {
        let text = Dice(Random::new(seed)).program();
        let model =
            if seed % 2 == 0 { frontend::DataModel::Ilp32 } else { frontend::DataModel::Lp64 };
        let program = load(&text, model);
        if is_proved(&program) {
            proved += 1;
            let failing = (0..200).find(|seed| fails(&program, *seed));
            assert_eq!(failing, None, "seed {seed} {model:?}\n{text}");
        }
    }
    assert!(proved > 0, "nothing was proved");
}

//! Proofs with contracts of functions.

#![allow(missing_docs)]

use base::Random;
use std::fmt::Write as _;

use cfa::{Edge, EdgeId, LocId, Op, Program};
use interp::{Config, Ending, Inputs, RandomInputs, Request, Trouble};
use proviso_verify::Certified;
use proviso_verify::contracts::prove;
use run::{Budget, Proof, Run, Verdict};
use smt::Builtin;
use term::{Bv, Sort, Value};

const HEAD: &str = "extern int in(void); extern unsigned char byte(void);
    extern void reach_error(void); extern void exit(int);\n";

fn load(text: &str) -> Program {
    let mut sources = base::SourceMap::new();
    let text = format!("{HEAD}{text}");
    let file = sources.add("test.c", text.as_bytes()).expect("a short file");
    let loaded = frontend::c::load(sources, &[file], &frontend::Options::default());
    assert!(!loaded.diagnostics.has_errors(), "{:?}\n{text}", loaded.diagnostics.iter().next());
    loaded.program
}

fn has_store(edge: &Edge) -> bool {
    edge.ops.iter().any(|op| matches!(op, Op::Store { .. }))
}

/// How many functions have contracts, if there is a proof. Another check finds each proof right.
fn proved(program: &Program) -> Option<usize> {
    let solver = || Box::new(Builtin::new()) as Box<dyn smt::FullSolver>;
    let run = Run::unobserved(Budget::default());
    let found = prove(program, &solver, &run, Some(&run));
    match found.verdict {
        Verdict::Safe(Proof::Contracts { functions }) => {
            let evidence = found.evidence.expect("evidence was asked for");
            assert_eq!(evidence.parts.len(), functions + 1);
            match evidence.check(&solver, &Budget::default()).certified {
                Certified::Holds => {}
                // What memory holds at a place that is chosen in the run is not followed.
                open @ Certified::Open(_) => {
                    assert!(program.cfa.edges.iter().any(has_store), "{open:?}");
                }
                wrong @ Certified::Refuted(_) => panic!("{wrong:?}"),
            }
            Some(functions)
        }
        Verdict::Unknown(_) => None,
        other => panic!("neither a proof nor none: {other:?}"),
    }
}

/// Programs that contracts prove, and how many functions have one.
const RIGHT: [(&str, usize); 16] = [
    // McCarthy's function.
    (
        "int f(int n) { if (n > 100) return n - 10; return f(f(n + 11)); }
         int main(void) { int x = in(), r = f(x); if (r != 91 && (x <= 100 || r != x - 10)) reach_error(); }",
        1,
    ),
    // The identity, a sum of two numbers, and Ackermann's function at one place.
    (
        "unsigned id(unsigned x) { if (x == 0) return 0; return id(x - 1) + 1; }
         int main(void) { unsigned x = in(); if (id(x) != x) reach_error(); }",
        1,
    ),
    (
        "int add(int n, int m) { if (m == 0) return n; if (m > 0) return add(n + 1, m - 1); return add(n - 1, m + 1); }
         int main(void) { int a = in(), b = in(); if (add(a, b) != a + b) reach_error(); }",
        1,
    ),
    (
        "int a(int m, int n) { if (m == 0) return n + 1; if (n == 0) return a(m - 1, 1); return a(m - 1, a(m, n - 1)); }
         int main(void) { int m = in(), n = in(); if (a(m, n) != 7 && m == 2 && n == 2) reach_error(); }",
        1,
    ),
    // Functions that call each other.
    (
        "int odd(int n); int even(int n) { if (n == 0) return 1; return odd(n - 1); }
         int odd(int n) { if (n == 0) return 0; return even(n - 1); }
         int main(void) { int x = in(), r = even(x); if (r == 1 && x % 2 != 0) reach_error(); if (r != 0 && r != 1) reach_error(); }",
        2,
    ),
    // What all calls keep: both numbers are positive.
    (
        "int gcd(int a, int b) { if (a == b) return a; if (a > b) return gcd(a - b, b); return gcd(a, b - a); }
         int main(void) { int a = in(), b = in(); if (a <= 0 || b <= 0) return 0;
         int g = gcd(a, b); if (g <= 0 || g > a || g > b) reach_error(); }",
        1,
    ),
    // A counter in a global variable.
    (
        "int c; void f(int n) { if (n <= 0) return; c++; f(n - 1); }
         int main(void) { int x = in(); if (x < 0 || x > 1000000) return 0; c = 0; f(x); if (c != x) reach_error(); }",
        1,
    ),
    // An error inside the function, which calls never get to.
    (
        "int f(int n) { if (n < 0) reach_error(); if (n == 0) return 0; return f(n - 1); }
         int main(void) { int n = in(); if (n < 0) return 0; f(n); }",
        1,
    ),
    // Arguments with which the function does not return.
    (
        "int f(int n) { if (n > 1000) exit(0); if (n <= 0) return 0; return f(n - 1); }
         int main(void) { int n = in(), r = f(n); if (n > 1000 || r != 0) reach_error(); }",
        1,
    ),
    // A loop in the function, and the function in a loop.
    (
        "int f(int n) { int i = 0; while (i < n) i++; if (n <= 0) return 0; int r = f(n - 1); return r > i ? i : r; }
         int main(void) { int n = in(); if (n < 0) return 0; int r = f(n); if (r < 0 || r > n) reach_error(); }",
        1,
    ),
    (
        "int f(int n) { if (n <= 0) return 0; return f(n - 1); }
         int main(void) { int n = in(), s = 0; for (int i = 0; i < n; i++) s += f(i); if (s != 0) reach_error(); }",
        1,
    ),
    // A global variable that functions only read, and one that they leave as it was.
    (
        "int g = 5; int f(int n) { if (n <= 0) return g; return f(n - 1); }
         int main(void) { if (f(in()) != 5) reach_error(); }",
        1,
    ),
    (
        "int l; void lock(void) { if (l != 0) reach_error(); l = 1; } void unlock(void) { if (l != 1) reach_error(); l = 0; }
         void work(int n) { lock(); unlock(); if (n > 0) { work(n - 1); work(n - 2); } lock(); unlock(); }
         int main(void) { l = 0; work(in()); if (l != 0) reach_error(); }",
        3,
    ),
    // Main uses memory, the function does not.
    (
        "int f(int n) { if (n <= 0) return 3; return f(n - 1); }
         int main(void) { int a[3]; int *p = a + (in() & 1); *p = f(in()); if (*p != 3) reach_error(); }",
        1,
    ),
    // A function that is no part of the program has an error.
    (
        "int f(int n) { if (n <= 0) return 3; return f(n - 1); } int h(void) { reach_error(); return f(f(1)); }
         int main(void) { if (f(in()) != 3) reach_error(); }",
        1,
    ),
    // One function is called by a function that is called once.
    (
        "int f(int n) { return n > 9 ? 9 : n; } int g(int n) { return f(f(n)); }
         int main(void) { if (g(in()) > 9) reach_error(); }",
        1,
    ),
];

/// Programs that reach an error: nothing proves them.
const WRONG: [&str; 12] = [
    "int f(int n) { if (n > 100) return n - 10; return f(f(n + 11)); } int main(void) { if (f(in()) != 91) reach_error(); }",
    "unsigned id(unsigned x) { if (x == 0) return 0; return id(x - 1) + 1; } int main(void) { if (id(in()) == 5) reach_error(); }",
    "int odd(int n); int even(int n) { if (n == 0) return 1; return odd(n - 1); }
     int odd(int n) { if (n == 0) return 0; return even(n - 1); }
     int main(void) { int x = in(); if (even(x) == 0 && x % 2 != 0) reach_error(); }",
    "int gcd(int a, int b) { if (a == b) return a; if (a > b) return gcd(a - b, b); return gcd(a, b - a); }
     int main(void) { int a = in(), b = in(); if (a <= 0 || b <= 0) return 0; if (gcd(a, b) >= a) reach_error(); }",
    "int c; void f(int n) { if (n <= 0) return; c++; f(n - 1); }
     int main(void) { int x = in(); if (x > 1000) return 0; c = 0; f(x); if (c != x) reach_error(); }",
    "int f(int n) { if (n < 0) reach_error(); if (n == 0) return 0; return f(n - 2); }
     int main(void) { int n = in(); if (n < 0 || n > 9) return 0; f(n); }",
    // The initial value holds at the start only.
    "int g = 5; int f(int n) { if (n <= 0) return g; g = n & 7; return f(n - 1); } int main(void) { if (f(in()) != 5) reach_error(); }",
    "int f(int n) { static int d = 3; if (n <= 0) return d; d = d + 1; return f(n - 1); } int main(void) { if (f(in()) == 5) reach_error(); }",
    // The second call finds what the first has changed.
    "int g; int f(void) { g++; return g; } int main(void) { g = 0; f(); if (f() == 2) reach_error(); }",
    // An argument that the call itself changes, and a result that is put where an argument came from.
    "int g; void f(int n) { g = g + 1; if (n > 0) f(g - 3); } int main(void) { g = 1; f(g); if (g == 4) reach_error(); }",
    "int f(int n) { if (n > 5) return n; return f(n + 1); } int main(void) { int x = in(); x = f(x); if (x == 6) reach_error(); }",
    // Variables of an activation are not those of the next one.
    "int f(int n) { int here = n; if (n > 0) f(n - 1); return here; } int main(void) { if (f(4) == 4) reach_error(); }",
];

#[test]
fn contracts_of_functions_are_found() {
    for (text, functions) in RIGHT {
        assert_eq!(proved(&load(text)), Some(functions), "{text}");
    }
}

#[test]
fn what_reaches_an_error_is_not_proved() {
    for text in WRONG {
        assert_eq!(proved(&load(text)), None, "{text}");
    }
}

#[test]
fn programs_without_functions_that_call_much_have_no_contracts() {
    for text in [
        "int main(void) { if (in() == in() + 1) reach_error(); }",
        "int f(int n) { return n; } int main(void) { int x = in(); if (f(x) != x) reach_error(); }",
        // A function with memory stays as it is.
        "int f(int *p, int n) { if (n <= 0) return *p; *p = 1; return f(p, n - 1); }
         int main(void) { int x = 1; if (f(&x, in()) != 1) reach_error(); }",
    ] {
        assert_eq!(proved(&load(text)), None, "{text}");
    }
}

/// The first input is a given number, the others are drawn.
struct Given(Option<u64>, RandomInputs);

impl Inputs for Given {
    fn choose(&mut self, request: &Request<'_>) -> Result<Value, Trouble> {
        match (self.0, request.sort) {
            (Some(first), Sort::Bv(width)) if !request.is_uninitialised() => {
                self.0 = None;
                Ok(Value::Bv(Bv::new(width, u128::from(first))))
            }
            _ => self.1.choose(request),
        }
    }

    fn choose_edge(&mut self, location: LocId, edges: &[EdgeId]) -> Result<usize, Trouble> {
        self.1.choose_edge(location, edges)
    }
}

/// Whether a run reaches an error whose first input is a number.
fn fails(program: &Program, first: u64) -> bool {
    let config = Config { max_steps: 3_000, ..Config::default() };
    let mut inputs = Given(Some(first), RandomInputs::with_zeros(first));
    let run = interp::run(program, &config, &mut inputs, None, &mut std::io::sink());
    matches!(run.ending, Ending::Error { .. })
}

/// Makes random programs.
struct Numbers(Random);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0.below(bound)
    }

    fn pick<'a>(&mut self, items: &[&'a str]) -> &'a str {
        self.0.pick(items)
    }

    fn operand(&mut self) -> String {
        match self.below(3) {
            0 => self.below(6).to_string(),
            _ => self.pick(&["n", "m", "g", "h", "r"]).to_owned(),
        }
    }

    fn expression(&mut self) -> String {
        let (a, b) = (self.operand(), self.operand());
        match self.below(5) {
            0 => a,
            1 => format!("{a} - 1"),
            _ => format!("{a} {} {b}", self.pick(&["+", "-", "&", "|"])),
        }
    }

    fn condition(&mut self) -> String {
        let (a, b) = (self.operand(), self.operand());
        format!("{a} {} {b}", self.pick(&["<", "<=", "==", "!=", ">"]))
    }

    fn statement(&mut self, functions: usize, depth: usize) -> String {
        match self.below(if depth > 0 { 9 } else { 6 }) {
            0 => format!("r = {};", self.expression()),
            1 => format!("{} = {};", self.pick(&["g", "h", "n", "m"]), self.expression()),
            2 | 3 => {
                let to = self.pick(&["r = ", "g = ", "n = ", ""]);
                let (a, b) = (self.expression(), self.expression());
                format!("{to}f{}({a}, {b});", self.below(functions))
            }
            4 => format!("if ({}) return {};", self.condition(), self.expression()),
            5 => format!("if ({}) {} = byte();", self.condition(), self.pick(&["r", "m"])),
            6 => format!("if ({}) reach_error();", self.condition()),
            7 => {
                let inner = self.statement(functions, depth - 1);
                format!("while (r < {}) {{ r++; {inner} }}", self.below(4))
            }
            _ => {
                let (a, b) =
                    (self.statement(functions, depth - 1), self.statement(functions, depth - 1));
                format!("if ({}) {{ {a} }} else {{ {b} }}", self.condition())
            }
        }
    }

    /// A program with functions that call each other, over numbers of eight bits.
    fn program(&mut self) -> String {
        let functions = 1 + self.below(3);
        let mut text = String::from("unsigned char g, h;\n");
        for function in 0..functions {
            let _ = writeln!(text, "unsigned char f{function}(unsigned char, unsigned char);");
        }
        for function in 0..functions {
            let _ = writeln!(
                text,
                "unsigned char f{function}(unsigned char n, unsigned char m) {{ unsigned char r = 0;"
            );
            // Most recursion ends.
            let _ = writeln!(text, "if (n == 0 || n > 200) return {};", self.below(4));
            for _ in 0..1 + self.below(3) {
                let _ = writeln!(text, "{}", self.statement(functions, 1));
            }
            let down = self.pick(&["n - 1", "n - 1", "n - 2", "n & 3"]);
            let _ = writeln!(text, "r = f{}({down}, m);", self.below(functions));
            let _ = writeln!(text, "return {}; }}", self.pick(&["r", "r", "g", "m", "r & 7"]));
        }
        let _ = writeln!(
            text,
            "int main(void) {{ unsigned char n = byte(), m = {}, r; g = {}; h = 0; r = f0(n, m);",
            self.below(3),
            self.below(3)
        );
        for _ in 0..1 + self.below(2) {
            let _ =
                writeln!(text, "if ({} && {}) reach_error();", self.condition(), self.condition());
        }
        text + "return 0; }\n"
    }
}

/// So many seeds; `PROVISO_SEEDS` makes them more.
fn seeds(count: u64) -> u64 {
    std::env::var("PROVISO_SEEDS").ok().and_then(|text| text.parse().ok()).unwrap_or(count)
}

#[test]
fn random_programs_that_are_proved_reach_no_error() {
    let (mut proofs, mut failing) = (0, 0);
    for seed in 0..seeds(40) {
        let text = Numbers(Random::new(seed)).program();
        let program = load(&text);
        let fails = (0..256).find(|first| fails(&program, *first));
        failing += u32::from(fails.is_some());
        if proved(&program).is_some() {
            proofs += 1;
            assert_eq!(fails, None, "seed {seed}\n{text}");
        }
    }
    // There is something to compare.
    assert!(proofs > 2 && failing > 2, "{proofs} proofs, {failing} programs with errors");
}

//! Proofs about lists by one node that is followed.

#![allow(missing_docs)]

use base::Random;
use std::time::{Duration, Instant};

use cfa::Program;
use interp::{Config, Ending, RandomInputs};
use proviso_verify::Certified;
use proviso_verify::nodes::prove;
use run::{Budget, Limits, Run, Verdict};
use smt::Builtin;

fn load(text: &str, model: frontend::DataModel) -> Program {
    let mut sources = base::SourceMap::new();
    let file = sources.add("test.c", text.as_bytes()).expect("a short file");
    let options = frontend::Options { data_model: Some(model), ..frontend::Options::default() };
    let loaded = frontend::c::load(sources, &[file], &options);
    assert!(!loaded.diagnostics.has_errors(), "{:?}\n{text}", loaded.diagnostics.iter().next());
    loaded.program
}

const HEAD: &str = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
    extern void *malloc(unsigned long); extern void *calloc(unsigned long, unsigned long);
    extern void free(void *); extern void *memcpy(void *, const void *, unsigned long);
    struct s { int h; int k; struct s *n; }; typedef struct s *L;
    static L new(void) { return malloc(sizeof(struct s)); }\n";

const MODELS: [frontend::DataModel; 2] = [frontend::DataModel::Ilp32, frontend::DataModel::Lp64];

/// Whether a program is proved. Another check finds each proof right. What is not proved at once is given up soon.
fn is_proved(program: &Program, seconds: u64) -> bool {
    let limits = Limits { time: Some(Duration::from_secs(seconds)), ..Limits::default() };
    let budget = Budget::new(limits, Instant::now());
    let solver = || Box::new(Builtin::new()) as Box<dyn smt::FullSolver>;
    let found = prove(program, &solver, &Run::unobserved(budget));
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
    let config = Config { max_steps: 20_000, ..Config::default() };
    let mut inputs = RandomInputs::with_zeros(seed);
    let run = interp::run(program, &config, &mut inputs, None, &mut std::io::sink());
    matches!(run.ending, Ending::Error { .. })
}

/// Each with a change, text for text, that makes it wrong.
const RIGHT: [(&str, [&str; 2]); 7] = [
    // Built from the end.
    (
        "int main(void) { L p = 0; while (__VERIFIER_nondet_int()) { L t = new(); t->h = 1; t->n = p; p = t; }
         while (p) { if (p->h != 1) reach_error(); p = p->n; } return 0; }",
        ["t->n = p;", "t->n = p; if (__VERIFIER_nondet_int()) t->h = 2;"],
    ),
    // Built from the start; the last node is another one.
    (
        "int main(void) { L a = new(), p = a; while (__VERIFIER_nondet_int()) { p->h = 1; L t = new(); p->n = t; p = t; }
         p->h = 3; p->n = 0; for (p = a; p; p = p->n) if (p->h != 1 && p->h != 3) reach_error(); return 0; }",
        ["p->h = 3;", ""],
    ),
    // Parts of one node that belong together.
    (
        "int main(void) { L p = 0, t; while (__VERIFIER_nondet_int()) { int x = __VERIFIER_nondet_int();
         t = new(); t->h = x; t->k = x; t->n = p; p = t; }
         for (; p; p = p->n) if (p->h != p->k) reach_error(); return 0; }",
        ["t->k = x;", "t->k = x & 1;"],
    ),
    // The least of all.
    (
        "int main(void) { L p = 0, t; int min = 2147483647; while (__VERIFIER_nondet_int()) { t = new();
         t->h = __VERIFIER_nondet_int(); t->n = p; p = t; if (t->h < min) min = t->h; }
         for (; p; p = p->n) if (p->h < min) reach_error(); return 0; }",
        ["if (t->h < min)", "if (t->h < min && t->h)"],
    ),
    // Nodes that are freed at the end.
    (
        "int main(void) { L p = 0, q, t; while (__VERIFIER_nondet_int()) { t = new(); t->h = 7; t->n = p; p = t; }
         for (q = p; q; q = q->n) if (q->h != 7) reach_error();
         while (p) { t = p; p = p->n; free(t); } return 0; }",
        ["t->h = 7;", "t->h = p ? 7 : 0;"],
    ),
    // Zero from the start.
    (
        "int main(void) { L p = 0, t; while (__VERIFIER_nondet_int()) { t = calloc(1, sizeof(struct s)); t->n = p; p = t; }
         for (; p; p = p->n) if (p->h) reach_error(); return 0; }",
        ["calloc(1, sizeof(struct s))", "new()"],
    ),
    // Two kinds of nodes, and a head that is a global.
    (
        "struct s head; int main(void) { L p, t; head.h = 2; head.n = 0;
         while (__VERIFIER_nondet_int()) { t = new(); t->h = 1; t->n = head.n; head.n = t; }
         for (p = &head; p; p = p->n) if (p->h != 1 && p->h != 2) reach_error(); return 0; }",
        ["head.h = 2;", "head.h = 3;"],
    ),
];

#[test]
fn nodes_are_proved() {
    for model in MODELS {
        for (text, _) in RIGHT {
            let program = load(&format!("{HEAD}{text}"), model);
            assert!(is_proved(&program, 60), "{model:?} {text}");
        }
    }
}

#[test]
fn changed_programs_are_not_proved() {
    for model in MODELS {
        for (text, [from, to]) in RIGHT {
            assert!(text.contains(from), "{from} is in {text}");
            let program = load(&format!("{HEAD}{}", text.replacen(from, to, 1)), model);
            assert!(!is_proved(&program, 3), "{model:?} {to} in {text}");
        }
    }
}

/// Programs with an error that somebody might overlook who follows one node.
const WRONG: [&str; 13] = [
    // Another way to the same byte.
    "int main(void) { L p = 0, t; while (__VERIFIER_nondet_int()) { t = new(); t->h = 1; t->n = p; p = t; }
     if (p) ((char *)p)[1] = 1; for (; p; p = p->n) if (p->h != 1) reach_error(); return 0; }",
    // A pointer into the middle of a node.
    "int main(void) { L p = 0, t; int *x = 0; while (__VERIFIER_nondet_int()) { t = new(); t->h = 1; t->k = 1; t->n = p; p = t; x = &t->k; }
     if (x) x[-1] = 2; for (; p; p = p->n) if (p->h != 1) reach_error(); return 0; }",
    // Copied by a function.
    "int main(void) { L p = 0, t; struct s z = { 5, 5, 0 }; while (__VERIFIER_nondet_int()) { t = new(); t->h = 1; t->n = p; p = t; }
     if (p) memcpy(p, &z, sizeof z); for (; p; p = p->n) if (p->h != 1) reach_error(); return 0; }",
    // A whole node is assigned.
    "int main(void) { L p = 0, t; struct s z = { 5, 5, 0 }; while (__VERIFIER_nondet_int()) { t = new(); t->h = 1; t->n = p; p = t; }
     if (p) *p = z; for (; p; p = p->n) if (p->h != 1) reach_error(); return 0; }",
    // An address in an integer.
    "int main(void) { L p = 0, t; unsigned long i = 0; while (__VERIFIER_nondet_int()) { t = new(); t->h = 1; t->n = p; p = t; i = (unsigned long)t; }
     if (i) ((L)i)->h = 4; for (; p; p = p->n) if (p->h != 1) reach_error(); return 0; }",
    // In parts.
    "int main(void) { L p = 0, t; unsigned long i = 0, j = 0; while (__VERIFIER_nondet_int()) { t = new(); t->h = 1; t->n = p; p = t;
     i = (unsigned long)t & 255; j = (unsigned long)t >> 8; }
     if (p) ((L)(j << 8 | i))->h = 4; for (; p; p = p->n) if (p->h != 1) reach_error(); return 0; }",
    // The node after the next.
    "int main(void) { L p = 0, t; while (__VERIFIER_nondet_int()) { t = new(); t->h = p ? 1 : 2; t->n = p; p = t; }
     for (; p; p = p->n) if (p->n && p->n->h != 1) reach_error(); return 0; }",
    // The node that was loaded from before.
    "int main(void) { L p = 0, t; int x = 1; while (__VERIFIER_nondet_int()) { t = new(); t->h = p ? 1 : 2; t->n = p; p = t; }
     for (; p; p = p->n) { if (x != 1) reach_error(); x = p->h; } if (x != 1) reach_error(); return 0; }",
    // A node that is used after another one was freed.
    "int main(void) { L p = 0, t; while (__VERIFIER_nondet_int()) { t = new(); t->h = 1; t->n = p; p = t; }
     t = new(); free(t); t = new(); t->n = p; p = t; t->h = 2;
     for (; p; p = p->n) if (p->h != 1) reach_error(); return 0; }",
    // Pointers to pointers.
    "int main(void) { L p = 0, t; L *q = &p; while (__VERIFIER_nondet_int()) { t = new(); t->h = 1; t->n = *q; *q = t; q = &t->n; }
     if (p) (*q) = p, (*q)->h = 3; for (t = p; t; t = t->n) if (t->h != 1) reach_error(); return 0; }",
    // A pointer that was loaded from memory that nobody has set.
    "int main(void) { L p = new(), t = p; p->h = 1; while (__VERIFIER_nondet_int()) { t = new(); t->h = 1; t->n = p; p = t; }
     t->n = p; p->n->h = 2; if (p->h != 1) reach_error(); return 0; }",
    // A flag that was set at one of the nodes.
    "int main(void) { L p = 0, t; int bad = 0; while (__VERIFIER_nondet_int()) { t = new(); t->h = p ? 1 : 2; t->n = p; p = t; }
     for (; p; p = p->n) if (p->h == 2) bad = 1; if (bad) reach_error(); return 0; }",
    // A node that a function changes.
    "static void f(int *x) { *x += 1; } int main(void) { L p = 0, t; while (__VERIFIER_nondet_int()) { t = new(); t->h = 1; t->n = p; p = t; }
     if (p) f(&p->h); for (; p; p = p->n) if (p->h != 1) reach_error(); return 0; }",
];

#[test]
fn errors_are_not_overlooked() {
    for text in WRONG {
        for model in MODELS {
            let program = load(&format!("{HEAD}{text}"), model);
            assert!((0..40).any(|seed| fails(&program, seed)), "a wrong program {model:?} {text}");
            assert!(!is_proved(&program, 3), "{model:?} {text}");
        }
    }
}

/// Programs with an error that depends on which addresses objects have, or on memory that nobody has set.
const HIDDEN: [&str; 9] = [
    // What was never set may be the address of a node.
    "int main(void) { L p = 0, t; while (__VERIFIER_nondet_int()) { t = new(); t->h = 1; t->n = p; p = t; }
     t = new(); t->n->h = 2; for (; p; p = p->n) if (p->h != 1) reach_error(); return 0; }",
    // A node at the address of one that was freed.
    "int main(void) { L p = 0, t, old = new(); free(old); while (__VERIFIER_nondet_int()) { t = new(); t->h = 1; t->n = p; p = t; }
     if (p == old && p) old->h = 2; for (; p; p = p->n) if (p->h != 1) reach_error(); return 0; }",
    // The same between bytes.
    "int main(void) { L p = 0, t; char *old = malloc(64); free(old); while (__VERIFIER_nondet_int()) { t = new(); t->h = 1; t->n = p; p = t; }
     old[9] = 2; for (; p; p = p->n) if (p->h != 1) reach_error(); return 0; }",
    // Memory that was not set is read through a pointer that was.
    "int main(void) { L p = 0, t; while (__VERIFIER_nondet_int()) { t = new(); if (__VERIFIER_nondet_int()) t->h = 1; t->n = p; p = t; }
     for (; p; p = p->n) if (p->h != 1) reach_error(); return 0; }",
    // A pointer that goes through memory outside.
    "extern void *__VERIFIER_nondet_pointer(void);
     int main(void) { L p = 0, t, *out = __VERIFIER_nondet_pointer(); int i = 0; *out = 0;
     while (__VERIFIER_nondet_int()) { t = new(); t->h = 1; t->n = p; p = t; if (++i == 1000) *out = t; }
     if (*out) (*out)->h = 2; for (; p; p = p->n) if (p->h != 1) reach_error(); return 0; }",
    // An address that is found out bit by bit.
    "int main(void) { L p = 0, t; int i = 0, x = __VERIFIER_nondet_int(); unsigned long d = 0, e = 0, j;
     while (__VERIFIER_nondet_int()) { t = new(); t->h = 1; t->n = p; p = t; if (i++ == 40) d = (unsigned long)t; }
     for (j = 1; j; j <<= 1) if (d & j) e |= j;
     if (e && x == 19088743) ((L)e)->h = 2; for (; p; p = p->n) if (p->h != 1) reach_error(); return 0; }",
    // Two addresses that are read at once.
    "struct s x, y; union { L p[2]; unsigned char b[2 * sizeof(L)]; unsigned long long w; } g = { { &x, &y } };
     int main(void) { L p = 0, t; int i, z = __VERIFIER_nondet_int(); x.h = 1; y.h = 1;
     for (i = 0; i < 5000; i++) { t = new(); t->h = 1; t->n = p; p = t; }
     if (z == 19088743) p->n = &y; unsigned long long w = g.w; t = (L)(unsigned long)(w >> 32); t->h = 2;
     for (; p; p = p->n) if (p->h != 1) reach_error(); return 0; }",
    // A conversion that stores, at a number that is an address.
    "extern int printf(const char *, ...); extern long __VERIFIER_nondet_long(void);
     int main(void) { L p = 0, t; int i = 0; long x = __VERIFIER_nondet_long();
     while (__VERIFIER_nondet_int()) { t = new(); t->h = 1; t->n = p; p = t; i++; }
     if (i == 1000 && x == (long)p) printf(\"%n\", x);
     for (; p; p = p->n) if (p->h != 1) reach_error(); return 0; }",
    // The end of one object is the beginning of another.
    "struct s g1[1], g2[1];
     int main(void) { L p = 0, b = g2, c = g1, q; while (__VERIFIER_nondet_int()) { L t = calloc(1, sizeof *t); t->n = p; p = t; }
     if (__VERIFIER_nondet_int()) c = p; if (!c) return 0;
     q = __VERIFIER_nondet_int() ? c + 1 : b; b->h = 1;
     if (c + 1 == b) { int x = q->h; if (x == 1) if (c->h == 0) reach_error(); } return 0; }",
];

#[test]
fn hidden_errors_are_not_overlooked() {
    for model in MODELS {
        for text in HIDDEN {
            let program = load(&format!("{HEAD}{text}"), model);
            assert!(!is_proved(&program, 3), "{model:?} {text}");
        }
    }
}

/// Numbers for random programs.
struct Dice(Random);

impl Dice {
    fn of<'a>(&mut self, list: &[&'a str]) -> &'a str {
        self.0.pick(list)
    }

    fn part(&mut self) -> String {
        format!("{}->{}", self.of(&["t", "t", "t", "p", "q", "&g"]), self.of(&["h", "h", "k"]))
            .replace("&g->", "g.")
    }

    fn value(&mut self) -> String {
        match self.of(&["0", "1", "1", "2", "x", "part"]) {
            "part" => self.part(),
            plain => plain.to_owned(),
        }
    }

    fn condition(&mut self) -> String {
        format!("{} {} {}", self.part(), self.of(&["!=", "!=", "==", ">"]), self.value())
    }

    fn statement(&mut self) -> String {
        match self
            .of(&["part", "part", "part", "part", "if", "link", "copy", "move", "free", "bytes"])
        {
            "if" => format!("if ({}) {} = {};", self.condition(), self.part(), self.value()),
            "link" => {
                format!("{}->n = {};", self.of(&["t", "q"]), self.of(&["p", "q", "t", "0", "&g"]))
            }
            "copy" => format!("*{} = {};", self.of(&["t", "q"]), self.of(&["*p", "g", "*q"])),
            "move" => format!("q = {};", self.of(&["p", "t", "q->n", "&g"])),
            "free" => self.of(&["free(t); t = new();", "x = 1;", "x = 1;"]).to_owned(),
            "bytes" => {
                format!("((char *){})[{}] = 1;", self.of(&["t", "p"]), self.of(&["0", "5", "x"]))
            }
            _ => format!("{} = {};", self.part(), self.value()),
        }
    }

    fn program(&mut self) -> String {
        let (made, before, after) =
            (self.of(&["new()", "calloc(1, 24)"]), self.statement(), self.statement());
        let (walked, end) = (self.statement(), self.of(&["", "", "free(p); "]));
        let (more, condition) = (self.of(&["", &walked]).to_owned(), self.condition());
        let base = self.of(&["t->h = 1;", "t->h = x;", "t->h = 1; t->k = 1;", ""]);
        format!(
            "{HEAD}struct s g; int main(void) {{ L p = new(), t = p, q = p; p->h = 1; p->k = 1; p->n = 0;
             int x = __VERIFIER_nondet_int() & 1;
             while (__VERIFIER_nondet_int()) {{ t = {made}; t->n = p; {base} {before} p = t; {after} }}
             for (q = p; q; q = q->n) {{ t = q; {more} }}
             for (q = p; q; q = q->n) {{ t = q; if ({condition}) reach_error(); }} {end}return 0; }}"
        )
    }
}

#[test]
fn random_programs_are_not_proved_wrongly() {
    let count = std::env::var("PROVISO_NODES").ok().and_then(|count| count.parse().ok());
    let mut proved = 0;
    for seed in 0..count.unwrap_or(40) {
        let text = Dice(Random::new(seed)).program();
        let program = load(&text, MODELS[seed as usize % 2]);
        if is_proved(&program, 3) {
            proved += 1;
            let failing = (0..200).find(|seed| fails(&program, *seed));
            assert_eq!(failing, None, "seed {seed}\n{text}");
        }
    }
    assert!(proved > 0, "nothing was proved");
}

#[test]
fn locals_of_calls_that_have_returned_may_share_an_address() {
    let text = |bad: &str| {
        format!(
            "{HEAD} int *kept(void) {{ int x; int *p = &x; *p = 3; return p; }}
            int main(void) {{
                int here; int *own = &here; *own = 1; int of[16]; unsigned long in = (unsigned long)__VERIFIER_nondet_int();
                L h = 0; int *p = kept(); int *q = kept(); int bad = {bad};
                while (__VERIFIER_nondet_int()) {{ L t = new(); t->h = bad ? 8 : 7; t->n = h; h = t; }}
                while (h) {{ if (h->h != 7) reach_error(); h = h->n; }} return 0; }}"
        )
    };
    for model in MODELS {
        for right in ["0", "own == 0"] {
            assert!(is_proved(&load(&text(right), model), 20), "{right}");
        }
        for wrong in [
            "p == q",
            "own != 0 && p + 1 == q + 1",
            "(unsigned long)p - (unsigned long)q == 0",
            "(unsigned long)p + in == 0 && (unsigned long)q + in == 0",
            "of[(unsigned long)p & 15] == of[(unsigned long)q & 15]",
        ] {
            assert!(!is_proved(&load(&text(wrong), model), 20), "{wrong}");
        }
    }
}

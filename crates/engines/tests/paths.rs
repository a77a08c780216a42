//! Paths of real runs: their formulas are satisfiable, and the model drives the interpreter along
//! them again.

#![allow(missing_docs)]

use cfa::{EdgeId, FuncId, Program};
use interp::{Config, Ending, Observer, RandomInputs, Step};
use proviso_engines::path;
use run::{Budget, Feasibility, Replayed};
use smt::Builtin;

fn load(text: &str) -> Program {
    let mut sources = base::SourceMap::new();
    let file = sources.add("test.c", text.as_bytes()).expect("a short file");
    let loaded = frontend::c::load(sources, &[file], &frontend::Options::default());
    assert!(!loaded.diagnostics.has_errors(), "{:?}", loaded.diagnostics.iter().next());
    loaded.program
}

#[derive(Default)]
struct Taken(Vec<EdgeId>);

impl Observer for Taken {
    fn taken(&mut self, step: &Step<'_>) {
        self.0.push(step.edge);
    }

    fn returned(&mut self, _: FuncId, _: &Step<'_>) {}
}

const PROGRAMS: [&str; 5] = [
    // Arithmetic and branches.
    "extern int __VERIFIER_nondet_int(void); void reach_error(void);
     int main(void) {
       int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(), s = 0;
       if (x < 0) x = -(x / 2); if (y > 100) y = y % 100;
       for (int i = 0; i < (x & 7); i++) { s += y; if (s > 150) s -= x; }
       if (s * 3 == y + 1) reach_error();
       return s & 127; }",
    // Arrays, at indices from inputs.
    "extern unsigned char __VERIFIER_nondet_uchar(void); void reach_error(void);
     int main(void) {
       int a[16]; unsigned char b[16] = {1, 2, 3}; int n = __VERIFIER_nondet_uchar() % 16;
       for (int i = 0; i < 16; i++) a[i] = b[(i * n) % 16];
       a[n] = __VERIFIER_nondet_uchar();
       if (a[(n + 1) % 16] == a[3] && a[n] > 200) reach_error();
       return a[n]; }",
    // Structures on the heap, linked.
    "extern short __VERIFIER_nondet_short(void); void reach_error(void);
     void *malloc(unsigned long); void free(void *);
     struct cell { short v; struct cell *next; };
     int main(void) {
       struct cell *list = 0; int sum = 0;
       for (int i = 0; i < 4; i++) {
         struct cell *c = malloc(sizeof *c);
         c->v = __VERIFIER_nondet_short(); c->next = list; list = c; }
       for (struct cell *p = list; p; p = p->next) if (p->v > 0) sum += p->v;
       while (list) { struct cell *d = list; list = d->next; free(d); }
       if (sum == 0) reach_error();
       return sum % 100; }",
    // Recursion, pointers to functions and to locals.
    "extern unsigned __VERIFIER_nondet_uint(void); void reach_error(void);
     static int twice(int x) { return 2 * x; } static int minus(int x) { return -x; }
     static void set(int *p, int v) { *p = v; }
     static unsigned down(unsigned n) { return n < 3 ? n : down(n / 3) + 1; }
     int main(void) {
       int (*f)(int) = __VERIFIER_nondet_uint() % 2 ? twice : minus; int r, u;
       set(&r, f((int)(down(__VERIFIER_nondet_uint()) & 31)));
       if (r < 0) set(&u, r);
       if (r == 6) reach_error();
       return r + 64; }",
    // Bytes seen in two ways.
    "extern int __VERIFIER_nondet_int(void); void reach_error(void);
     union u { int i; unsigned char c[4]; struct { unsigned a : 5, b : 11, d : 16; } s; };
     int main(void) {
       union u x; x.i = __VERIFIER_nondet_int(); x.s.b += x.c[0]; x.c[3] ^= x.s.a;
       if (x.i < 0 && x.c[1] > 100) reach_error();
       return x.c[2] & 63; }",
];

#[test]
fn a_run_is_a_feasible_path() {
    let mut errors = 0;
    for (number, text) in PROGRAMS.into_iter().enumerate() {
        let program = load(text);
        for seed in 0..12 {
            let mut taken = Taken::default();
            let mut inputs = RandomInputs::new(seed);
            let config = Config::default();
            let mut sink = std::io::sink();
            let run = interp::run(&program, &config, &mut inputs, Some(&mut taken), &mut sink);
            let found =
                path::check(&program, &taken.0, &|| Box::new(Builtin::new()), &Budget::default());
            let Feasibility::Feasible(replayed) = found else {
                panic!("program {number}, seed {seed}: {found:?}")
            };
            match (replayed, &run.ending) {
                (Replayed::Error(again), Ending::Error { location, .. }) => {
                    assert_eq!((again.error, again.steps), (*location, run.steps));
                    errors += 1;
                }
                // Other inputs may take the same path and return something else.
                (Replayed::Not(_), Ending::Returned(_)) => {}
                (Replayed::Not(again), ending) => {
                    assert_eq!(again, ending.describe(&program));
                }
                (replayed, ending) => panic!("{replayed:?} instead of {ending:?}"),
            }
        }
    }
    assert!(errors > 0, "no run reached its error");
}

/// The decisions of an example take the interpreter along the path, however much of it is wanted.
#[test]
fn a_path_has_an_example_that_takes_it() {
    for (number, text) in PROGRAMS.into_iter().enumerate() {
        let program = load(text);
        for seed in 0..4 {
            let mut taken = Taken::default();
            let (config, mut sink) = (Config::default(), std::io::sink());
            interp::run(
                &program,
                &config,
                &mut RandomInputs::new(seed),
                Some(&mut taken),
                &mut sink,
            );
            for length in [taken.0.len() / 2, taken.0.len()] {
                let path = &taken.0[..length];
                let solver = || -> Box<dyn smt::FullSolver> { Box::new(Builtin::new()) };
                let drawn = path::Paths::of(&program).example(path, &solver, &Budget::default());
                let drawn = drawn.expect("an execution takes it");
                let mut again = Taken::default();
                let mut inputs = interp::Listed::replay(&program, &drawn);
                interp::run(&program, &config, &mut inputs, Some(&mut again), &mut sink);
                assert_eq!(again.0.get(..length), Some(path), "program {number}, seed {seed}");
            }
        }
    }
}

/// With a contradiction at the end, the blocks of the path have interpolants.
#[test]
fn a_path_that_cannot_be_taken_is_explained() {
    let program = load(
        "extern int __VERIFIER_nondet_int(void); void reach_error(void);
         int main(void) {
           int n = __VERIFIER_nondet_int(), i = 0, j = 0, a[4];
           while (i < n) { i++; j++; a[i & 3] = j; }
           if (i != j) reach_error();
           return a[0]; }",
    );
    let mut taken = Taken::default();
    let listed = "5\n";
    let mut sources = program.sources.clone();
    let file = sources.add("inputs", listed.as_bytes()).expect("a short file");
    let mut inputs = interp::parse_inputs(&sources, file).expect("an input");
    interp::run(&program, &Config::default(), &mut inputs, Some(&mut taken), &mut std::io::sink());
    // The same way, and then the other side of the last branch.
    let at = taken
        .0
        .iter()
        .rposition(|edge| program.cfa.locations[program.cfa.edges[*edge].source].edges.len() == 2);
    let at = at.expect("a branch");
    let source = program.cfa.edges[taken.0[at]].source;
    let other = program.cfa.locations[source].edges.iter().find(|edge| **edge != taken.0[at]);
    let mut edges = taken.0[..at].to_vec();
    edges.push(*other.expect("another side"));
    let found = path::check(&program, &edges, &|| Box::new(Builtin::new()), &Budget::default());
    assert!(matches!(found, Feasibility::Infeasible), "{found:?}");
    let solver = || -> Box<dyn smt::FullSolver> { Box::new(Builtin::new()) };
    assert!(path::Paths::of(&program).example(&edges, &solver, &Budget::default()).is_none());

    let mut terms = program.terms.clone();
    let mut executor = symbolic::Executor::new(&program.cfa, &mut terms);
    let path = executor.follow(&mut terms, &edges, true);
    let blocks = path::blocks(&mut executor, &mut terms, &path);
    let mut solver = Builtin::new();
    let limits = Budget::default();
    let found = smt::Interpolate::interpolants(
        &mut solver,
        &mut terms,
        &blocks,
        smt::Style::Newton,
        &limits,
    );
    let smt::Interpolation::Interpolants(found) = found else { panic!("{found:?}") };
    // In the middle of the loop all that matters is that the two are equal.
    let middle = found[found.len() / 2];
    let text = terms.display(middle).to_string();
    assert!(text.starts_with("(= |main::i@") && text.contains("main::j@"), "{text}");
}

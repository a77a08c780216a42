//! A run that is told to stop answers that it was, whichever engine it is.

#![allow(missing_docs)]

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use cfa::Program;
use proviso_engines::path::{self, Feasibility};
use proviso_engines::{Budget, Unknown, Verdict, bounded, induction};

fn load(text: &str) -> Program {
    let mut sources = base::SourceMap::new();
    let file = sources.add("test.c", text.as_bytes()).expect("a short file");
    let loaded = frontend::c::load(sources, &[file], &frontend::Options::default());
    assert!(!loaded.diagnostics.has_errors(), "{:?}", loaded.diagnostics.iter().next());
    loaded.program
}

/// Memory is filled, copied and compared, in a loop that may end in any round.
const PROGRAM: &str = "
    extern int __VERIFIER_nondet_int(void); void reach_error(void);
    void *memcpy(void *, const void *, unsigned long); void *memset(void *, int, unsigned long);
    int main(void) {
      char a[4096], b[4096]; int i = 0;
      memset(a, __VERIFIER_nondet_int(), 4096);
      while (__VERIFIER_nondet_int()) { memcpy(b, a, 4096); a[i & 4095] = 1; i++; }
      if (b[3] == 77 && i == 5) reach_error(); }";

fn solver() -> Box<dyn smt::FullSolver> {
    Box::new(smt::Builtin::new())
}

fn budgets() -> [(Budget, Unknown); 2] {
    let stop = Some(Arc::new(AtomicBool::new(true)));
    let deadline = Some(Instant::now());
    [
        (Budget { stop, ..Budget::default() }, Unknown::Interrupted),
        (Budget { deadline, ..Budget::default() }, Unknown::TimeLimit),
    ]
}

fn why(verdict: Verdict) -> Unknown {
    match verdict {
        Verdict::Unknown(why) => why,
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_engine_ends_with_the_reason() {
    let program = load(PROGRAM);
    for (budget, reason) in budgets() {
        assert_eq!(why(bounded::check(&program, &solver, None, &budget)), reason);
        assert_eq!(why(bounded::check(&program, &solver, Some(1), &budget)), reason);
        for k in [0, 2] {
            assert_eq!(why(induction::prove(&program, &solver, k, &budget)), reason);
        }
        let start = program.cfa.start.expect("a start");
        let entry = program.cfa.functions[start].entry;
        let edges: Vec<_> = program.cfa.locations[entry].edges.iter().take(1).copied().collect();
        match path::check(&program, &edges, &solver, &budget) {
            Feasibility::Unknown(why) => assert_eq!(why, reason),
            other => panic!("{other:?}"),
        }
    }
}

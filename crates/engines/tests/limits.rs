//! A run that is told to stop answers that it was, whichever engine it is.

#![allow(missing_docs)]

use std::time::Instant;

use cfa::Program;
use proviso_engines::bounded::{Bounded, Until};
use proviso_engines::{induction, path};
use run::{Budget, Feasibility, Run, Unknown, Verdict};

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
    let stopped = Budget::default();
    stopped.cancel();
    let late = Budget::until(Some(Instant::now()));
    [(stopped, Unknown::Interrupted), (late, Unknown::TimeLimit)]
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
        let run = Run::unobserved(budget.clone());
        for rounds in [None, Some(1)] {
            let mut bounded = Bounded::new(&program, &solver);
            assert_eq!(why(bounded.check(Until { rounds, terms: None }, &run)), reason);
        }
        for k in [0, 2] {
            assert_eq!(why(induction::prove(&program, &solver, k, &run).verdict), reason);
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

/// What is taken up again after a limit ends as if there had been none.
#[test]
fn an_unrolling_goes_on_where_it_ended() {
    let texts = [
        "int main(void) { int i = 0, n = __VERIFIER_nondet_int();
           while (i < 9 && i < n) { if (i == 7 && n == 100) reach_error(); i++; } return 0; }",
        "int main(void) { int i = 0, n = __VERIFIER_nondet_int();
           while (i < 9 && i < n) { if (i == 9) reach_error(); i++; } return 0; }",
    ];
    for (text, safe) in texts.into_iter().zip([false, true]) {
        let head = "extern int __VERIFIER_nondet_int(void); void reach_error(void);\n";
        let program = load(&format!("{head}{text}"));
        let mut bounded = Bounded::new(&program, &solver);
        let mut ended = None;
        // Every budget ends the run at its n-th look; there are fewer than this.
        for looks in 1..100_000 {
            let run = Run::unobserved(Budget::for_looks(looks));
            match bounded.check(Until::default(), &run) {
                Verdict::Unknown(why) => assert_eq!(why, Unknown::Interrupted),
                answer => {
                    ended = Some(answer);
                    break;
                }
            }
            if !bounded.is_whole() {
                bounded = Bounded::new(&program, &solver);
            }
        }
        match ended.expect("an answer") {
            Verdict::Safe(_) => assert!(safe, "{text}"),
            Verdict::Unsafe(_) => assert!(!safe, "{text}"),
            Verdict::Unknown(_) => unreachable!("answers only"),
        }
    }
}

/// A check that holds and is too hard to prove, before an error that is found easily.
const HARD: &str = "
    extern unsigned __VERIFIER_nondet_uint(void); void reach_error(void);
    int main(void) {
      unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint();
      // The product would be a prime.
      if (x > 1 && y > 1 && x < 65536 && y < 65536 && x * y == 2147483647u) reach_error();
      EASY }";

/// A budget that counts conflicts and knows no clock, so that every run is the same.
fn few_conflicts() -> Run<'static> {
    Run::unobserved(Budget::default().with_conflicts(1_000))
}

#[test]
fn an_error_behind_a_hard_check_is_found() {
    let program = load(&HARD.replace("EASY", "if (x > y && x + y == 77777) reach_error();"));
    let mut bounded = Bounded::new(&program, &solver);
    let verdict = bounded.check(Until::default(), &few_conflicts());
    let Verdict::Unsafe(found) = verdict else { panic!("{verdict:?}") };
    let span = program.cfa.locations[found.error].span.expect("a call");
    assert_eq!(program.sources.position(span).line, 7);
}

#[test]
fn a_bound_with_a_question_that_is_not_answered_is_not_completed() {
    let program = load(&HARD.replace("EASY", "if (x > y && x < y) reach_error();"));
    let mut bounded = Bounded::new(&program, &solver);
    let verdict = bounded.check(Until::default(), &few_conflicts());
    assert_eq!(why(verdict), Unknown::Solver("conflict limit".to_owned()));
    assert_eq!(bounded.bound().rounds, None);
}

/// An execution in which `scanf` converts nothing and one in which it does reach the error.
#[test]
fn an_error_with_ordinary_inputs_is_preferred() {
    let count = |condition: &str| {
        let program = load(&format!(
            "extern int scanf(const char *, ...); void reach_error(void);
             int main(void) {{
               int x = 4, y = 4; int n = scanf(\"%d %d\", &x, &y);
               if ({condition}) reach_error(); }}"
        ));
        let mut bounded = Bounded::new(&program, &solver);
        let verdict = bounded.check(Until::default(), &Run::unobserved(Budget::default()));
        let Verdict::Unsafe(found) = verdict else { panic!("{verdict:?}") };
        found.drawn.len()
    };
    // The count, and what each conversion stores.
    assert_eq!(count("x == y"), 3);
    // Where an error needs a count that is not ordinary, it is found all the same.
    assert_eq!(count("n == 0"), 1);
}

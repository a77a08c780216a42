//! The backward analysis of C programs, whose calls are put in place.

#![allow(missing_docs)]

use cfa::Program;
use engines::replay;
use proviso_verify::Certified;
use proviso_verify::backward::{Options, Report};
use proviso_verify::inlined;
use run::{Budget, Replayed, Run, Unknown, Verdict};
use smt::Builtin;

fn load(text: &str) -> Program {
    let mut sources = base::SourceMap::new();
    let file = sources.add("test.c", text.as_bytes()).expect("a short file");
    let loaded = frontend::c::load(sources, &[file], &frontend::Options::default());
    assert!(!loaded.diagnostics.has_errors(), "{:?}", loaded.diagnostics.iter().next());
    loaded.program
}

/// Runs the analysis, and has every proof and every error checked by other code.
fn check(program: &Program, options: &Options) -> (Verdict, Option<Box<Report>>) {
    let solver = || Box::new(Builtin::new()) as Box<dyn smt::FullSolver>;
    let (verdict, report) =
        inlined::backward(program, options, &solver, &Run::unobserved(Budget::default()));
    match &verdict {
        Verdict::Safe(_) => {
            if let Some(invariants) = report.as_ref().and_then(|each| each.invariants.as_ref()) {
                let (program, certificate) = invariants.certificate(program);
                let mut solver = Builtin::new();
                let outcome =
                    certify::certify(program, certificate, &mut solver, &Budget::default());
                assert_eq!(outcome.certified, Certified::Holds);
            }
        }
        Verdict::Unsafe(found) => {
            assert!(matches!(
                replay(program, &found.drawn, &Budget::default()),
                Replayed::Error(_)
            ));
        }
        Verdict::Unknown(_) => {}
    }
    (verdict, report)
}

#[test]
fn machine_words_wrap_around() {
    let program = |body: &str| {
        load(&format!(
            "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
             int main(void) {{ {body} return 0; }}"
        ))
    };
    // A sum of two positive numbers can be negative, and the interpreter agrees.
    let wraps = program("int x = __VERIFIER_nondet_int(); if (x > 0 && x + 1 < 0) reach_error();");
    let (verdict, _) = check(&wraps, &Options::default());
    assert!(matches!(verdict, Verdict::Unsafe(_)), "{verdict:?}");
    let bounded = program("int x = 0; while (x < 100) x = x + 1; if (x != 100) reach_error();");
    let (verdict, _) = check(&bounded, &Options::default());
    assert!(matches!(verdict, Verdict::Safe(_)), "{verdict:?}");
    // Below zero there is no unsigned number.
    let plain = program(
        "unsigned x = 10; int n = 0;
         while (x > 0) { x = x - 1; n = n + 1; if (x > 10) reach_error(); }",
    );
    let (verdict, _) = check(&plain, &Options::default());
    assert!(!matches!(verdict, Verdict::Unsafe(_)), "{verdict:?}");
    let wraps = program("unsigned x = 10; while (x < 11) { x = x - 1; } reach_error();");
    let (verdict, _) = check(&wraps, &Options::default());
    assert!(!matches!(verdict, Verdict::Safe(_)), "{verdict:?}");
    let product = program("int x = __VERIFIER_nondet_int(); if (x * x == 2) reach_error();");
    let (verdict, _) = check(&product, &Options::default());
    assert!(matches!(verdict, Verdict::Unknown(Unknown::Unsupported { .. })), "{verdict:?}");
}

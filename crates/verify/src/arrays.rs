//! Proofs for the program with variables for some elements of its arrays.

use std::sync::Arc;

use cfa::Program;
use engines::induction;
use passes::{Elements, Rewritten};
use run::{Proof, Run, Unknown, Verdict};
use smt::NewSolver;

use crate::findings::Findings;
use crate::inlined::whole;
use crate::told::invariants_of;

/// The part of the time that simple guesses are given.
const SIMPLE: f64 = 0.5;

/// Looks for a proof. An error proves nothing: loads are often arbitrary.
pub fn prove(program: &Program, solver: NewSolver<'_>, run: &Run<'_>) -> Findings {
    let unknown = |why: &str| Findings::new(Verdict::Unknown(Unknown::Exhausted(why.to_owned())));
    let Some(made) = made(program, run) else {
        return unknown("no element of an array is loaded shortly before an error");
    };
    let Elements { rewritten, hints: [simple, more] } = made;
    let mut all = simple.clone();
    all.formulas.extend(more.formulas);
    for (hints, share) in [(simple, SIMPLE), (all, 1.0)] {
        let run = run.with(run.budget.share(share));
        let proved = induction::prove_with(&rewritten.program, solver, 0, &hints, &run);
        if let Verdict::Safe(proof) = proved.verdict {
            let invariants = Arc::new(invariants_of(program, &rewritten.back, &proved.invariants));
            let proof = match proof {
                Proof::Inductive { k, .. } => {
                    let invariants = Arc::clone(&invariants);
                    Proof::Inductive { k, invariants, certificate: None }
                }
                proof => proof,
            };
            return Findings { invariants, ..Findings::new(Verdict::Safe(proof)) };
        }
    }
    match run.budget.exceeded() {
        Some(limit) => Findings::new(Verdict::Unknown(limit.into())),
        None => unknown("what is known of one element is not enough"),
    }
}

/// The program with variables for elements.
fn made(program: &Program, run: &Run<'_>) -> Option<Elements> {
    let whole = whole(program)?.then(passes::constants);
    let Elements { rewritten, hints } = passes::arrays(&whole.program, &run.budget)?;
    let back = whole.back.then(&rewritten.back);
    Some(Elements { rewritten: Rewritten { back, ..rewritten }, hints })
}

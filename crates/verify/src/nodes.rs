//! Proofs for the program with variables for one of the many objects that it makes.

use std::sync::Arc;

use cfa::Program;
use engines::induction;
use passes::{Nodes, Rewritten};
use run::{Hints, Proof, Run, Unknown, Verdict};
use smt::NewSolver;

use crate::findings::Findings;
use crate::inlined::whole;
use crate::told::invariants_of;

/// The part of the time that is left which each kind of guesses is given.
const SHARES: [f64; 3] = [0.5, 0.5, 0.8];

/// Looks for a proof. An error proves nothing: loads are often arbitrary.
pub fn prove(program: &Program, solver: NewSolver<'_>, run: &Run<'_>) -> Findings {
    let unknown = |why: &str| Findings::new(Verdict::Unknown(Unknown::Exhausted(why.to_owned())));
    let Some(Nodes { rewritten, hints }) = made(program) else {
        return unknown("no object of many is loaded from shortly before an error");
    };
    let mut guesses = Hints::default();
    for (more, share) in hints.into_iter().zip(SHARES) {
        guesses.formulas.extend(more.formulas);
        let run = run.with(run.budget.share(share));
        let proved = induction::prove_with(&rewritten.program, solver, 0, &guesses, &run);
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
        None => unknown("what is known of one object is not enough"),
    }
}

/// The program with variables for objects.
fn made(program: &Program) -> Option<Nodes> {
    let whole = whole(program)?.then(passes::constants).then(passes::dead);
    let Nodes { rewritten, hints } = passes::nodes(&whole.program)?;
    let back = whole.back.then(&rewritten.back);
    Some(Nodes { rewritten: Rewritten { back, ..rewritten }, hints })
}

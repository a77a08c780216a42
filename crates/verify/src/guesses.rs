//! Proofs by induction for a program that a pass has rewritten. The same pass also guesses invariants of
//! this program.

use std::sync::Arc;

use cfa::Program;
use engines::induction;
use passes::Rewritten;
use run::{Hints, Invariants, Proof, Run, Verdict};
use smt::NewSolver;

use crate::evidence::{Evidence, Made};
use crate::findings::Findings;
use crate::told::invariants_of;

/// Looks for a proof with more and more guesses: each list is added to those before it, and is given a part of the time
/// that is left. A proof for the rewritten program is one for the original. An error of the rewritten program
/// says nothing of the original.
pub(crate) fn prove(
    original: &Program,
    (made, rewritten): (Made, &Rewritten),
    guesses: impl IntoIterator<Item = (Hints, f64)>,
    solver: NewSolver<'_>,
    run: &Run<'_>,
) -> Option<Findings> {
    let mut all = Hints::default();
    guesses.into_iter().find_map(|(more, share)| {
        all.formulas.extend(more.formulas);
        all.first.extend(more.first);
        let run = run.with(run.budget.share(share));
        let proved = induction::prove_with(&rewritten.program, solver, 0, &all, &run);
        let Verdict::Safe(proof) = proved.verdict else { return None };
        Some(told(original, (made, rewritten), &proof, &proved.invariants))
    })
}

/// A proof for a rewritten program as one for the original.
pub(crate) fn told(
    original: &Program,
    (made, rewritten): (Made, &Rewritten),
    proof: &Proof,
    invariants: &Invariants,
) -> Findings {
    let invariants = Arc::new(invariants_of(original, &rewritten.back, invariants));
    let evidence = Evidence::of(made, rewritten, proof).map(Arc::new);
    let proof = match proof {
        // The certificate is about the rewritten program.
        Proof::Inductive { k, .. } => {
            Proof::Inductive { k: *k, invariants: Arc::clone(&invariants), certificate: None }
        }
        proof => proof.clone(),
    };
    Findings { invariants, evidence, ..Findings::new(Verdict::Safe(proof)) }
}

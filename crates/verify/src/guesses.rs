//! Proofs by induction for a program that a pass has made, with guesses at invariants that the pass makes, too.

use std::sync::Arc;

use cfa::Program;
use engines::induction;
use passes::Rewritten;
use run::{Hints, Proof, Run, Verdict};
use smt::NewSolver;

use crate::findings::Findings;
use crate::told::invariants_of;

/// Looks for a proof with more and more guesses: each list is added to those before it, and is given a part of the time
/// that is left. A proof for the rewritten program is one for the original. An error of the rewritten program
/// says nothing of the original.
pub(crate) fn prove(
    original: &Program,
    rewritten: &Rewritten,
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
        let invariants = Arc::new(invariants_of(original, &rewritten.back, &proved.invariants));
        let proof = match proof {
            // The certificate is about the rewritten program.
            Proof::Inductive { k, .. } => {
                Proof::Inductive { k, invariants: Arc::clone(&invariants), certificate: None }
            }
            proof => proof,
        };
        Some(Findings { invariants, ..Findings::new(Verdict::Safe(proof)) })
    })
}

//! Proofs are checked again, by code that shares nothing with what found them but the program model, the
//! terms and the solver.

use std::time::Instant;

use certify::{Certificate, Certified};
use cfa::{Loops, Program};
use run::{Budget, Proof, Unknown, Verdict};
use smt::NewSolver;

use crate::evidence::Made;
use crate::outcome::{Certification, Outcome};

/// Checks the proof of an outcome, if it has one. A proof that is wrong is no proof.
pub(crate) fn of(
    program: &Program,
    outcome: &mut Outcome,
    solver: NewSolver<'_>,
    budget: &Budget,
) -> Option<Certification> {
    let Verdict::Safe(proof) = &outcome.verdict else { return None };
    let start = Instant::now();
    let check = |program: &Program, certificate: Certificate| {
        certify::certify(program, certificate, &mut solver(), budget)
    };
    let backward = outcome.backward.as_ref().and_then(|report| report.invariants.as_ref());
    let (checked, trusted) = if let Some(evidence) = &outcome.evidence {
        (evidence.check(solver, budget), Some(evidence.made))
    } else if let Some(found) = backward {
        let (about, certificate) = found.certificate(program);
        (check(about, certificate), found.program.as_ref().map(|_| Made::Inlined))
    } else if let Some(certificate) = of_given(program, proof, outcome) {
        (check(program, certificate), None)
    } else {
        let certified = Certified::Open("proofs of this analysis have no certificate".to_owned());
        (certify::Outcome { certified, ..certify::Outcome::default() }, None)
    };
    if let Certified::Refuted(what) = &checked.certified {
        outcome.verdict = Verdict::Unknown(Unknown::Refuted(what.clone()));
    }
    Some(Certification { outcome: checked, trusted, time: start.elapsed() })
}

/// The certificate of a proof about the program as it was given.
fn of_given(program: &Program, proof: &Proof, outcome: &Outcome) -> Option<Certificate> {
    match (proof, &outcome.graph) {
        (Proof::Explored { .. }, Some(graph)) => {
            let loops = Loops::of(&program.cfa);
            Some(graph.certificate(&|at| loops.head(at)))
        }
        _ => proof.certificate(&program.terms),
    }
}

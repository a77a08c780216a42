//! Proofs are checked again, by code that shares nothing with what found them but the program model, the
//! terms and the solver.

use std::time::Instant;

use certify::{Certificate, Certified, Rounds};
use cfa::{Loops, Program};
use run::{Budget, Proof, Unknown, Verdict};
use smt::NewSolver;

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
    let backward = outcome.backward.as_ref().and_then(|report| report.invariants.as_ref());
    let checked = match (proof, &outcome.graph, backward) {
        (Proof::Explored { .. }, Some(graph), _) => {
            let loops = Loops::of(&program.cfa);
            check(program, graph.certificate(&|at| loops.head(at)), solver, budget)
        }
        (_, _, Some(found)) => {
            let (program, certificate) = found.certificate(program);
            check(program, certificate, solver, budget)
        }
        (Proof::NoPath, _, _) => {
            check(program, Certificate::new(program.terms.clone()), solver, budget)
        }
        (Proof::Unrolled { rounds }, _, _) => {
            let mut certificate = Certificate::new(program.terms.clone());
            certificate.rounds = Some(Rounds { loops: Vec::new(), most: *rounds });
            check(program, certificate, solver, budget)
        }
        (Proof::Inductive { certificate: Some(certificate), .. }, _, _) => {
            check(program, Certificate::clone(certificate), solver, budget)
        }
        (proof, _, _) => {
            let name = match proof {
                Proof::Contracts { .. } => "by contracts of functions",
                _ => "of this analysis",
            };
            let why = format!("proofs {name} have no certificate");
            let certified = Certified::Open(why);
            certify::Outcome { certified, invariants: 0, obligations: 0, queries: 0 }
        }
    };
    if let Certified::Refuted(what) = &checked.certified {
        outcome.verdict = Verdict::Unknown(Unknown::Refuted(what.clone()));
    }
    Some(Certification { outcome: checked, time: start.elapsed() })
}

fn check(
    program: &Program,
    certificate: Certificate,
    solver: NewSolver<'_>,
    budget: &Budget,
) -> certify::Outcome {
    certify::certify(program, certificate, &mut solver(), budget)
}

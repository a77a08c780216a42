//! Proofs are checked again, by code that shares nothing with what found them.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use certify::{Certificate, Certified, Entry, Slot};
use cfa::{Loops, Program, Scope};
use engines::backward;
use run::{Budget, Proof, Unknown, Verdict};
use smt::NewSolver;

use crate::Outcome;

/// What another check of a proof found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certification {
    /// What came of it, and what it took.
    pub outcome: certify::Outcome,
    /// How long it took.
    pub time: Duration,
}

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
            let program = found.program.as_deref().unwrap_or(program);
            check(program, of_backward(program, found), solver, budget)
        }
        (Proof::NoPath | Proof::Unrolled { .. }, _, _) => {
            // Where no loop is left, nothing need be claimed.
            let mut certificate = Certificate::new(program.terms.clone());
            certificate.omit("rounds of loops that were followed one by one");
            check(program, certificate, solver, budget)
        }
        (proof, _, _) => {
            let name = match proof {
                Proof::Inductive { .. } => "by k-induction",
                Proof::Contracts { .. } => "by contracts of functions",
                _ => "of this analysis",
            };
            let certified = Certified::Open(format!("proofs {name} have no certificate"));
            certify::Outcome { certified, ..certify::Outcome::default() }
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

/// What the backward analysis proved, as claims. Where it says nothing, anything may be.
fn of_backward(program: &Program, found: &backward::Invariants) -> Certificate {
    let mut certificate = Certificate::new(found.terms.clone());
    let entry =
        |location, formula| Entry { location, calls: Vec::new(), formula, kept: Vec::new() };
    let yes = certificate.terms.bool(true);
    for each in &Loops::of(&program.cfa).loops {
        if !found.list.iter().any(|(location, _)| *location == each.head) {
            certificate.entries.push(entry(each.head, yes));
        }
    }
    for (location, formula) in &found.list {
        if certificate.terms.is_false(*formula) {
            continue;
        }
        let mut locals = BTreeMap::new();
        for var in certificate.terms.vars(*formula) {
            if let Some(Scope::Local(_)) = program.cfa.variables.get(var).map(|known| known.scope) {
                locals.insert(var, certificate.slot(Slot::Local { depth: 1, var }));
            }
        }
        let formula = certificate.terms.substitute(*formula, &mut |var| locals.get(&var).copied());
        certificate.entries.push(entry(*location, formula));
    }
    certificate
}

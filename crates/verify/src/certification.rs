//! Has proofs checked again. The checker shares with the analyses only the program model (with
//! `cfa::Reach`: from which locations an error can be reached), the terms, the solver, the list of
//! functions that only print, and the plain data of `run` and `base`.

use std::time::Instant;

use certify::{Certificate, Certified};
use cfa::{Loops, Program};
use run::{Budget, Proof, Run, Unknown, Verdict};
use smt::NewSolver;

use crate::config::Config;
use crate::evidence::Made;
use crate::findings::Findings;
use crate::knowledge::Knowledge;
use crate::outcome::{Certification, Outcome};
use crate::strategy;

/// The part of the time that is left in which the first proof is checked, if another proof may be found.
const FIRST: f64 = 0.6;

/// Checks the proof of an outcome, if it has one. The checker follows variables better than memory, and a step better
/// than rounds: if the checker cannot follow the proof that `auto` has found, it is given a proof about a program that
/// passes have made, if there is such a proof. If the first proof has no certificate, or only claims about functions,
/// which tell less than claims about every call, all other stages are asked for a proof, too.
pub(crate) fn add(
    program: &Program,
    config: &Config,
    outcome: &mut Outcome,
    solver: NewSolver<'_>,
    run: &Run<'_>,
) {
    let is_about_calls = outcome.evidence.as_ref().is_some_and(|evidence| evidence.made.is_some())
        || outcome.backward.is_some()
        || matches!(&outcome.verdict, Verdict::Safe(proof) if of_given(program, proof, outcome).is_some());
    let others = strategy::other_proofs(program, config, !is_about_calls);
    let share = if others.is_empty() { 1.0 } else { FIRST };
    outcome.certification = of(program, outcome, solver, &run.budget.share(share));
    for stage in others {
        if !is_open(outcome) {
            return;
        }
        let found = stage.run(program, config, &mut Knowledge::default(), solver, run);
        let Findings { verdict: verdict @ Verdict::Safe(_), invariants, evidence, graph, .. } =
            found
        else {
            continue;
        };
        let mut other = Outcome { verdict, invariants, evidence, graph, ..outcome.clone() };
        other.certification = of(program, &mut other, solver, &run.budget);
        if !is_open(&other) {
            *outcome = Outcome { stages: config.journal.stages(), ..other };
        }
    }
}

/// Whether the proof was checked, and the check did not come to an end.
fn is_open(outcome: &Outcome) -> bool {
    let checked = outcome.certification.as_ref();
    checked.is_some_and(|checked| matches!(checked.outcome.certified, Certified::Open(_)))
}

/// Checks the proof of an outcome, if it has one. A proof that is wrong is no proof.
fn of(
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
        (evidence.check(solver, budget), evidence.made)
    } else if let Some(found) = backward {
        let (about, certificate) = found.certificate(program);
        (check(about, certificate), found.program.as_ref().map(|_| Made::Inlined))
    } else if let Some(certificate) = of_given(program, proof, outcome) {
        (check(program, certificate), None)
    } else {
        let why = "proofs of this analysis have no certificate".to_owned();
        (certify::Checked::open(why), None)
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

//! Proofs with contracts of functions.

use std::collections::BTreeSet;
use std::sync::Arc;

use certify::Certificate;
use cfa::Program;
use engines::induction;
use passes::{Clause, Contracts};
use run::{Claim, Proof, Run, Unknown, Verdict};
use smt::NewSolver;

use crate::evidence::{Evidence, Made};
use crate::findings::Findings;

/// The part of the time in which contracts are guessed.
const GUESSING: f64 = 0.5;

/// The part of the time that is left in which certificates are made.
const CERTIFYING: f64 = 0.5;

/// Looks for a proof: clauses of contracts that a part of the program does not keep are dropped, until all parts keep
/// all clauses that are left. An error proves nothing, since calls do whatever contracts allow. If the proof is to be
/// checked again, evidence for it is made in another run, since a proof is worth more time than the search was.
pub fn prove(
    program: &Program,
    solver: NewSolver<'_>,
    run: &Run<'_>,
    certified: Option<&Run<'_>>,
) -> Findings {
    match proved(program, solver, run) {
        Ok(mut contracts) => {
            let functions = contracts.parts() - 1;
            let parts = certified.and_then(|run| {
                let run = run.with(run.budget.share(CERTIFYING));
                certificates(&mut contracts, solver, &run)
            });
            let evidence =
                parts.map(|parts| Arc::new(Evidence { made: Some(Made::Contracts), parts }));
            Findings { evidence, ..Findings::new(Verdict::Safe(Proof::Contracts { functions })) }
        }
        Err(why) => Findings::new(Verdict::Unknown(why)),
    }
}

/// All parts with their certificates. A part may have been proved before other contracts lost clauses, so each part is
/// proved once more, and all certificates are about the same contracts. A clause that fails is an error of its part.
fn certificates(
    contracts: &mut Contracts,
    solver: NewSolver<'_>,
    run: &Run<'_>,
) -> Option<Vec<(Program, Certificate)>> {
    let count = contracts.parts();
    let part = |part| {
        let about = contracts.part(part).clone();
        let Verdict::Safe(proof) = induction::prove(&about, solver, 0, run).verdict else {
            return None;
        };
        let certificate = proof.certificate(&about.terms)?;
        Some((about, certificate))
    };
    (0..count).map(part).collect()
}

/// The contracts that functions keep, if no part of the program reaches an error with them.
fn proved(program: &Program, solver: NewSolver<'_>, run: &Run<'_>) -> Result<Contracts, Unknown> {
    let exhausted = |why: &str| Unknown::Exhausted(why.to_owned());
    let Some(mut contracts) = Contracts::of(program, &run.budget.share(GUESSING)) else {
        return Err(exhausted("no function without memory is called often"));
    };
    // Parts that have changed since they were proved.
    let mut open: BTreeSet<usize> = (0..contracts.parts()).collect();
    while let Some(part) = open.pop_last() {
        let clauses = contracts.clauses(part);
        let claims: Vec<Claim> = clauses.iter().map(|clause| clause.claim).collect();
        let (proved, failing) = induction::prove_claims(contracts.part(part), solver, &claims, run);
        if !failing.is_empty() {
            let failing: Vec<Clause> = failing.into_iter().map(|index| clauses[index]).collect();
            open.extend(contracts.drop(&failing));
            continue;
        }
        match (proved.verdict, run.budget.exceeded()) {
            (Verdict::Safe(_), _) => {}
            (_, Some(limit)) => return Err(limit.into()),
            (Verdict::Unknown(Unknown::Exhausted(_)) | Verdict::Unsafe(_), None) => {
                return Err(exhausted("contracts that functions keep are not enough"));
            }
            // The edge belongs to the part, and means nothing in the given program.
            (Verdict::Unknown(Unknown::Unsupported { reason, .. }), None) => {
                return Err(Unknown::Unsupported { reason, edge: None });
            }
            (Verdict::Unknown(why), None) => return Err(why),
        }
    }
    Ok(contracts)
}

//! Proofs about arrays: a pass puts variables in place of some elements, and a proof of the rewritten
//! program proves the given one.

use cfa::Program;
use passes::{Elements, Rewritten};
use run::{Run, Unknown, Verdict};
use smt::NewSolver;

use crate::evidence::Made;
use crate::findings::Findings;
use crate::guesses;
use crate::inlined::whole;

/// The part of the time that is left which each kind of guesses is given.
const SHARES: [f64; 2] = [0.5, 1.0];

/// Looks for a proof. An error of the rewritten program proves nothing: the loads in this program are often arbitrary.
pub fn prove(program: &Program, solver: NewSolver<'_>, run: &Run<'_>) -> Findings {
    let unknown = |why: &str| Findings::new(Verdict::Unknown(Unknown::Exhausted(why.to_owned())));
    let Some(made) = made(program, run) else {
        return unknown("no element of an array is loaded shortly before an error");
    };
    let guesses = made.hints.into_iter().zip(SHARES);
    if let Some(found) =
        guesses::prove(program, (Made::Elements, &made.rewritten), guesses, solver, run)
    {
        return found;
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

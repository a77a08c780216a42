//! Proofs about programs that make many objects: a pass keeps one of the objects in variables, and a
//! proof of the rewritten program proves the given one.

use cfa::Program;
use passes::{Nodes, Rewritten};
use run::{Run, Unknown, Verdict};
use smt::NewSolver;

use crate::evidence::Made;
use crate::findings::Findings;
use crate::guesses;
use crate::inlined::whole;

/// The part of the time that is left which each kind of guesses is given.
const SHARES: [f64; 3] = [0.5, 0.5, 0.8];

/// Looks for a proof. An error of the rewritten program proves nothing: the loads in this program are often arbitrary.
pub fn prove(program: &Program, solver: NewSolver<'_>, run: &Run<'_>) -> Findings {
    let unknown = |why: &str| Findings::new(Verdict::Unknown(Unknown::Exhausted(why.to_owned())));
    let Some(Nodes { rewritten, hints }) = made(program) else {
        return unknown("no object of many is loaded from shortly before an error");
    };
    let guesses = hints.into_iter().zip(SHARES);
    if let Some(found) = guesses::prove(program, (Made::Nodes, &rewritten), guesses, solver, run) {
        return found;
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

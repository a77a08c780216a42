//! What the theories say of a SAT model: whether it is a model of the formulas, and clauses that refute it if it is
//! not.

use rustsat::types::Lit;
use term::{TermId, Terms};

use crate::arithmetic::Verdict;
use crate::blast::Blaster;
use crate::relevance::{self, Marks, Relevant};
use crate::{Reason, arrays};
use run::Budget;

/// What the theories say.
pub(crate) enum Refined {
    /// The assignment of SAT is a model, and the facts and terms that make it one are these.
    Model(Relevant),
    /// Numbers refute the assignment: this many clauses about them were added.
    Arithmetic(u64),
    /// This many results of operations that were left open are wrong, and lemmas about them were added.
    Operations(u64),
    /// Arrays refute the assignment: this many clauses about them were added.
    Arrays(u64),
    /// The search for integers gave up on facts with these reasons.
    Unclear(Vec<Lit>),
}

/// Asks the theories whether the SAT model of the roots is a model of the theories, too.
pub(crate) fn refine(
    terms: &Terms,
    blaster: &mut Blaster,
    marks: &mut Marks,
    roots: &[TermId],
    limits: &Budget,
) -> Result<Refined, Reason> {
    let words_only = blaster.arithmetic.is_empty() && !blaster.arrays.used;
    if words_only && blaster.gates.lazy.is_empty() {
        return Ok(Refined::Model(Relevant::default()));
    }
    let relevant = relevance::collect(terms, blaster, marks, roots);
    match blaster.refute(&relevant.open) {
        0 => {}
        wrong => {
            // If a limit has ended the building of a circuit, the lemmas are not complete, and the limit is the answer.
            let over = blaster.gates.over();
            return over.map_or(Ok(Refined::Operations(wrong)), |reason| Err(reason.into()));
        }
    }
    let yes = blaster.gates.constant(true);
    match blaster.arithmetic.check(yes, &relevant.facts, limits) {
        Verdict::Consistent => {}
        Verdict::Unknown(Reason::Conflicts) => {
            let mut reasons: Vec<Lit> = relevant.facts.iter().map(|(reason, _)| *reason).collect();
            reasons.retain(|reason| *reason != yes);
            reasons.sort_unstable();
            reasons.dedup();
            return Ok(Refined::Unclear(reasons));
        }
        Verdict::Unknown(reason) => return Err(reason),
        Verdict::Conflict(reasons) if reasons.is_empty() => {
            // Definitions alone always have a solution, so a conflict that rests on no other fact is an error of this
            // solver.
            return Err(Reason::Failed("its definitions contradict each other".to_owned()));
        }
        Verdict::Conflict(reasons) => {
            let clause: Vec<Lit> = reasons.into_iter().map(|reason| !reason).collect();
            blaster.gates.sat.clause(&clause);
            return Ok(Refined::Arithmetic(1));
        }
    }
    let mut splits = 0;
    for atom in &relevant.disequalities {
        if blaster.arithmetic.coincides(*atom) {
            blaster.arithmetic.split(&mut blaster.gates, *atom);
            splits += 1;
        }
    }
    if splits > 0 {
        return Ok(Refined::Arithmetic(splits));
    }
    match arrays::refine(terms, blaster, &relevant).map_err(|what| blaster.reason(what))? {
        0 => Ok(Refined::Model(relevant)),
        lemmas => Ok(Refined::Arrays(lemmas)),
    }
}

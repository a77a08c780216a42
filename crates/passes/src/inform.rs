//! Puts facts about the places of a program into the program, as assumptions.
//!
//! A fact that holds whenever executions pass a location is assumed on the edges that leave the location.
//! The executions are those of the original, but an analysis that forgets such a fact is told the fact
//! again.

use cfa::Op;
use run::Invariants;

use crate::Rewritten;
use crate::back::OperationOrigin;

/// The program with what was proved of its places. The program may be the result of passes over the program of the
/// invariants, as long as the places of that program, and what its variables hold there, are the same. An edge that
/// calls is left as it is: a call is the only operation of its edge.
#[must_use]
pub fn inform(program: Rewritten, known: &Invariants) -> Rewritten {
    let Rewritten { program: mut after, mut back } = program;
    for invariant in &known.list {
        let mut same = |var| back.variable(var).filter(|original| *original == var);
        let Some(formula) = after.terms.import(&known.terms, invariant.formula, &mut same) else {
            continue;
        };
        for edge in after.cfa.locations[invariant.location].edges.clone() {
            let edge_ops = &mut after.cfa.edges[edge].ops;
            if edge_ops.iter().any(|op| matches!(op, Op::Call { .. })) {
                continue;
            }
            let assumed = std::iter::once(Op::Assume(formula));
            *edge_ops = assumed.chain(std::mem::take(edge_ops)).collect();
            let sources = std::mem::take(&mut back.ops[edge]);
            back.ops[edge] = std::iter::once(OperationOrigin::Added).chain(sources).collect();
        }
    }
    Rewritten { program: after, back }
}

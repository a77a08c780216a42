//! Which of several executions people want to see: one whose inputs are ordinary.

use cfa::{Choice, Op, Program};
use symbolic::{Executor, Happening};
use term::{TermId, Terms, View};

/// Formulas that hold where `scanf` and its like convert all that their formats ask for. An error that is found under
/// these formulas is an error all the same, and does not depend on variables that `scanf` leaves unset.
pub(crate) fn preferences(
    program: &Program,
    executor: &Executor<'_>,
    terms: &mut Terms,
) -> Vec<TermId> {
    let mut preferred = Vec::new();
    for event in executor.events() {
        let Happening::Input { edge, symbol, choice: Choice::Input(name) } = &event.what else {
            continue;
        };
        if !matches!(&**name, "scanf" | "fscanf") {
            continue;
        }
        let ops = &program.cfa.edges[*edge].ops;
        let Some(Op::Havoc { var, .. }) = ops.get(event.op as usize) else { continue };
        let counts = ops.iter().find_map(|op| match op {
            Op::Assume(condition) => most(&program.terms, *condition, *var),
            _ => None,
        });
        // The table of the executor's terms has grown from that of the program.
        preferred.extend(counts.map(|most| terms.eq(*symbol, most)));
    }
    preferred
}

/// The constant that a condition says a variable does not exceed.
fn most(terms: &Terms, condition: TermId, var: term::Var) -> Option<TermId> {
    match terms.view(condition) {
        View::App(term::Op::And, parts) => parts.iter().find_map(|part| most(terms, *part, var)),
        View::App(term::Op::BvSle, &[a, b]) => {
            let is_var = matches!(terms.view(a), View::Var(known) if known == var);
            let is_constant = matches!(terms.view(b), View::Const(_));
            (is_var && is_constant).then_some(b)
        }
        _ => None,
    }
}

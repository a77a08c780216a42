//! The check of a proof by other code: invariants hold at the start, every edge keeps them, and no
//! error location can be passed. It reads the program's own operations and asks a fresh solver;
//! nothing of the analysis is used.

use cfa::{Edge, LocId, Op, Program};
use rustc_hash::FxHashMap;
use smt::Answer;
use term::{TermId, Terms, Var};

use super::result::Invariants;
use run::{Budget, Unknown};
use smt::NewSolver;

/// What came of the check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Certified {
    /// The invariants prove that no error is reached.
    Holds,
    /// They do not, and this is where.
    Fails(String),
    /// The solver did not say.
    Unknown(Unknown),
}

/// Checks that invariants prove a program safe. A location without one has the invariant true.
pub fn certify(
    program: &Program,
    invariants: &Invariants,
    solver: NewSolver<'_>,
    budget: &Budget,
) -> Certified {
    let program = invariants.program.as_deref().unwrap_or(program);
    let mut terms = invariants.terms.clone();
    let by_location: FxHashMap<LocId, TermId> = invariants.list.iter().copied().collect();
    let Some(start) = program.cfa.start else {
        return Certified::Fails("a program without a start".to_owned());
    };
    for error in program.cfa.errors() {
        match by_location.get(&error) {
            Some(invariant) if terms.is_false(*invariant) => {}
            _ => return Certified::Fails(format!("the error location {error} is not excluded")),
        }
    }
    let mut solver = solver();
    let mut is_unsat = |terms: &Terms, formulas: &[TermId], what: String| match solver
        .check(terms, formulas, budget)
    {
        Answer::Unsat => None,
        Answer::Sat => Some(Certified::Fails(what)),
        Answer::Unknown(reason) => Some(Certified::Unknown(reason.into())),
    };
    let entry = program.cfa.functions[start].entry;
    if let Some(invariant) = by_location.get(&entry) {
        let broken = terms.not(*invariant);
        if let Some(failed) = is_unsat(&terms, &[broken], "the start is not covered".to_owned()) {
            return failed;
        }
    }
    for (id, edge) in program.cfa.edges.entries() {
        // Where everything is allowed, there is nothing to keep.
        let Some(after) = by_location.get(&edge.target).copied() else { continue };
        let (mut formulas, values) = match execute(&mut terms, edge) {
            Some(Ok(done)) => done,
            Some(Err(what)) => return Certified::Fails(format!("{what} at edge {id}")),
            None => continue,
        };
        formulas.extend(by_location.get(&edge.source));
        let after = terms.substitute(after, &mut |var| values.get(&var).copied());
        formulas.push(terms.not(after));
        if let Some(failed) = is_unsat(&terms, &formulas, format!("edge {id} breaks it")) {
            return failed;
        }
    }
    Certified::Holds
}

/// The conditions on an edge and the values after it, both over the values before it; `None` if no
/// execution passes it.
#[expect(clippy::type_complexity, reason = "used once")]
fn execute(
    terms: &mut Terms,
    edge: &Edge,
) -> Option<Result<(Vec<TermId>, FxHashMap<Var, TermId>), String>> {
    let mut values: FxHashMap<Var, TermId> = FxHashMap::default();
    let mut conditions = Vec::new();
    for op in &*edge.ops {
        let mut now = |term: TermId| terms.substitute(term, &mut |var| values.get(&var).copied());
        match op {
            Op::Assume(holds) | Op::Check { holds, .. } => conditions.push(now(*holds)),
            Op::Assign { var, value } => {
                let value = now(*value);
                values.insert(*var, value);
            }
            Op::Havoc { var, .. } => {
                let (name, sort) = (terms.var_name(*var).to_owned(), terms.var_sort(*var));
                let any = terms.declare(format!("{name}'{}", terms.var_count()), sort);
                values.insert(*var, terms.var(any));
            }
            Op::Output { .. } => {}
            Op::Exit(_) | Op::Abort => return None,
            _ => return Some(Err("an operation that is not understood".to_owned())),
        }
    }
    Some(Ok((conditions, values)))
}

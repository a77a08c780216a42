//! Which engine runs when.

use std::time::Instant;

use cfa::Program;
use cpa::Traversal;
use domains::product::Strategy;
use engines::{Budget, NewSolver, Unknown, Verdict, bounded, induction};

use crate::forward::{Forward, Forwarded};
use crate::product::{Product, product};

/// A node of an abstract reachability graph takes a part of this, with its state.
const BYTES_PER_NODE: u64 = 3000;

/// A little of everything, then bounded model checking for as long as there is time: most errors
/// are near, most proofs by induction need a small `k` or are not to be had, and explicit values
/// suit programs whose control depends on flags, however deep their errors are; predicates take
/// over where values are not enough. Where that does not end, product abstraction in the order of
/// control flow goes other ways (decision 12). Gives the exploration if that was what answered.
pub(crate) fn auto(
    program: &Program,
    options: &Forward,
    solver: NewSolver<'_>,
    budget: &Budget,
) -> (Verdict, Option<Forwarded>) {
    let near = bounded::check(program, solver, Some(3), &share(budget, 0.2));
    if is_final(&near, budget) {
        return (near, None);
    }
    let proved = induction::prove(program, solver, 0, &share(budget, 0.15));
    if is_final(&proved, budget) {
        return (proved, None);
    }
    // Memory must be left for what comes after.
    let nodes = budget.memory.map(|bytes| bytes / BYTES_PER_NODE);
    let options = Forward { nodes, ..options.clone() };
    let how = Product::preferred(options.value_limit);
    let explored = product(program, &options, how, solver, &share(budget, 0.4));
    if is_final(&explored.verdict, budget) {
        return (explored.verdict.clone(), Some(explored));
    }
    if let Verdict::Unknown(Unknown::TimeLimit) = explored.verdict {
        drop(explored);
        let traversal = options.traversal.or(Some(Traversal::ReversePostOrder));
        let options = Forward { traversal, ..options };
        let how = Product::new(Strategy::State, 2);
        let explored = product(program, &options, how, solver, &share(budget, 0.25));
        if is_final(&explored.verdict, budget) {
            return (explored.verdict.clone(), Some(explored));
        }
    }
    for k in 1..3 {
        let proved = induction::prove(program, solver, k, &share(budget, 0.2));
        if is_final(&proved, budget) {
            return (proved, None);
        }
    }
    (bounded::check(program, solver, None, budget), None)
}

/// Bounded model checking up to `k` rounds and a proof for what comes after, with growing `k`.
pub(crate) fn k_induction(program: &Program, solver: NewSolver<'_>, budget: &Budget) -> Verdict {
    let mut k = 0;
    loop {
        let near = bounded::check(program, solver, Some(k + 1), budget);
        if is_final(&near, budget) {
            return near;
        }
        let proved = induction::prove(program, solver, k, budget);
        if is_final(&proved, budget) {
            return proved;
        }
        if let Verdict::Unknown(Unknown::NotReplayed(_) | Unknown::Unsupported { .. }) = near {
            // Everything is unrolled, and more rounds change nothing.
            return near;
        }
        k = k.saturating_mul(3) / 2 + 1;
    }
}

/// Whether nothing else is to be tried.
fn is_final(verdict: &Verdict, budget: &Budget) -> bool {
    match verdict {
        Verdict::Safe(_) | Verdict::Unsafe(_) => true,
        Verdict::Unknown(Unknown::Interrupted | Unknown::MemoryLimit) => true,
        Verdict::Unknown(_) => budget.exceeded().is_some(),
    }
}

/// A part of the time that is left.
fn share(budget: &Budget, part: f64) -> Budget {
    let now = Instant::now();
    let deadline = budget.deadline.map(|deadline| {
        let left = deadline.saturating_duration_since(now);
        now + left.mul_f64(part)
    });
    Budget { deadline, ..budget.clone() }
}

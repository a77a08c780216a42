//! What can be known of locations and edges before the run.

use base::IndexVec;
use cfa::{Cfa, Edge, EdgeId, LocId, Op, Program};
use term::{TermId, Terms, View};

/// What happens at a location.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LocationPlan {
    /// The property is violated.
    Error,
    /// The function returns.
    Exit,
    /// Nothing: no edge leaves it.
    Dead,
    /// One edge leaves it; this number of operations at the start of the edge are all of its assumptions.
    One(EdgeId, u32),
    /// Two edges leave it, and the second can be taken exactly if the first cannot. Each has one
    /// assumption, as its first operation.
    Branch(EdgeId, EdgeId),
    /// Several edges leave it, or one that must be tried.
    Many,
}

/// When an edge can be taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum EdgePlan {
    /// The edge can be taken if this many operations at its start hold, which are all of its assumptions.
    Guarded(u32),
    /// Whether the edge can be taken is known only after operations that change something.
    Late,
}

pub(crate) struct Plan {
    pub(crate) locations: IndexVec<LocId, LocationPlan>,
    pub(crate) edges: IndexVec<EdgeId, EdgePlan>,
}

impl Plan {
    pub(crate) fn new(program: &Program) -> Self {
        let Program { cfa, terms, .. } = program;
        let edges: IndexVec<EdgeId, EdgePlan> = cfa.edges.iter().map(edge_plan).collect();
        let mut locations: IndexVec<LocId, LocationPlan> = cfa
            .locations
            .iter()
            .map(|location| match location.edges.as_slice() {
                _ if location.error => LocationPlan::Error,
                [] => LocationPlan::Dead,
                [edge] => match edges[*edge] {
                    EdgePlan::Guarded(count) => LocationPlan::One(*edge, count),
                    EdgePlan::Late => LocationPlan::Many,
                },
                [one, other] if is_branch(cfa, terms, &edges, *one, *other) => {
                    LocationPlan::Branch(*one, *other)
                }
                _ => LocationPlan::Many,
            })
            .collect();
        for function in &cfa.functions {
            if locations[function.exit] != LocationPlan::Error {
                locations[function.exit] = LocationPlan::Exit;
            }
        }
        Self { locations, edges }
    }
}

fn edge_plan(edge: &Edge) -> EdgePlan {
    let is_assume = |op: &Op| matches!(op, Op::Assume(_));
    let first = edge.ops.iter().take_while(|op| is_assume(op)).count();
    // The cast is exact for every edge that fits in memory with its terms.
    if edge.ops[first..].iter().any(is_assume) {
        EdgePlan::Late
    } else {
        EdgePlan::Guarded(first as u32)
    }
}

fn is_branch(
    cfa: &Cfa,
    terms: &Terms,
    edges: &IndexVec<EdgeId, EdgePlan>,
    one: EdgeId,
    other: EdgeId,
) -> bool {
    if edges[one] != EdgePlan::Guarded(1) || edges[other] != EdgePlan::Guarded(1) {
        return false;
    }
    match (cfa.edges[one].ops.first(), cfa.edges[other].ops.first()) {
        (Some(Op::Assume(one)), Some(Op::Assume(other))) => complementary(terms, *one, *other),
        _ => false,
    }
}

/// Whether one of the two is the negation of the other, as far as that is easily seen.
fn complementary(terms: &Terms, one: TermId, other: TermId) -> bool {
    use term::Op;
    match (terms.view(one), terms.view(other)) {
        (View::App(Op::Not, [negated]), _) if *negated == other => true,
        (_, View::App(Op::Not, [negated])) if *negated == one => true,
        (View::App(less, [a, b]), View::App(at_most, [c, d])) => {
            let orders = matches!(
                (less, at_most),
                (Op::Lt, Op::Le)
                    | (Op::Le, Op::Lt)
                    | (Op::BvUlt, Op::BvUle)
                    | (Op::BvUle, Op::BvUlt)
                    | (Op::BvSlt, Op::BvSle)
                    | (Op::BvSle, Op::BvSlt)
            );
            orders && a == d && b == c
        }
        _ => false,
    }
}

//! What can be known of locations and edges before the run.

use base::IndexVec;
use cfa::{Cfa, Edge, EdgeId, LocId, Op, Program};
use term::{TermId, Terms, View};

/// What happens at a location.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    /// The property is violated.
    Error,
    /// The function returns.
    Exit,
    /// Nothing: no edge leaves it.
    Dead,
    /// One edge leaves it, and its assumptions are its first so many operations.
    One(EdgeId, u32),
    /// Two edges leave it, and the second can be taken exactly if the first cannot. Each has one
    /// assumption, as its first operation.
    Branch(EdgeId, EdgeId),
    /// Several edges leave it, or one that must be tried.
    Many,
}

/// When an edge can be taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shape {
    /// Always, up to its first so many operations, which are all of its assumptions.
    Guarded(u32),
    /// That is known only after operations that change something.
    Late,
}

pub(crate) struct Plan {
    pub(crate) places: IndexVec<LocId, Place>,
    pub(crate) shapes: IndexVec<EdgeId, Shape>,
}

impl Plan {
    pub(crate) fn new(program: &Program) -> Self {
        let Program { cfa, terms, .. } = program;
        let shapes: IndexVec<EdgeId, Shape> = cfa.edges.iter().map(shape).collect();
        let mut places: IndexVec<LocId, Place> = cfa
            .locations
            .iter()
            .map(|location| match location.edges.as_slice() {
                _ if location.error => Place::Error,
                [] => Place::Dead,
                [edge] => match shapes[*edge] {
                    Shape::Guarded(count) => Place::One(*edge, count),
                    Shape::Late => Place::Many,
                },
                [one, other] if is_branch(cfa, terms, &shapes, *one, *other) => {
                    Place::Branch(*one, *other)
                }
                _ => Place::Many,
            })
            .collect();
        for function in &cfa.functions {
            if places[function.exit] != Place::Error {
                places[function.exit] = Place::Exit;
            }
        }
        Self { places, shapes }
    }
}

fn shape(edge: &Edge) -> Shape {
    let is_assume = |op: &Op| matches!(op, Op::Assume(_));
    let first = edge.ops.iter().take_while(|op| is_assume(op)).count();
    // The cast is exact for every edge that fits in memory with its terms.
    if edge.ops[first..].iter().any(is_assume) { Shape::Late } else { Shape::Guarded(first as u32) }
}

fn is_branch(
    cfa: &Cfa,
    terms: &Terms,
    shapes: &IndexVec<EdgeId, Shape>,
    one: EdgeId,
    other: EdgeId,
) -> bool {
    if shapes[one] != Shape::Guarded(1) || shapes[other] != Shape::Guarded(1) {
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

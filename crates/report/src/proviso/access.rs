//! Whether a check is that of a read or of a write: where one statement has both, the table of checks tells them apart.

use cfa::{Access, EdgeId, LocId, Op, Program};

/// An access is found to be valid or not at most so many edges before the error.
const NEAR: usize = 8;

/// What the access does whose check leads to an error location, as a word.
pub(super) fn word(program: &Program, error: LocId) -> Option<&'static str> {
    let mut ends = vec![error];
    for _ in 0..NEAR {
        let edges = program.cfa.edges.ids();
        let edges: Vec<EdgeId> =
            edges.filter(|edge| ends.contains(&program.cfa.edges[*edge].target)).collect();
        if let Some(access) = edges.iter().find_map(|edge| access(program, *edge)) {
            return match access {
                Access::Read => Some("read"),
                Access::Write => Some("write"),
                Access::Free => None,
            };
        }
        ends = edges.iter().map(|edge| program.cfa.edges[*edge].source).collect();
    }
    None
}

/// The access that an edge asks about, or that comes next where the edge is not taken.
fn access(program: &Program, edge: EdgeId) -> Option<Access> {
    let asked = |op: &Op| match op {
        Op::Valid { access, .. } => Some(*access),
        _ => None,
    };
    let made = |op: &Op| match op {
        Op::Load { .. } => Some(Access::Read),
        Op::Store { .. } | Op::Fill { .. } | Op::Copy { .. } => Some(Access::Write),
        _ => None,
    };
    let cfa = &program.cfa;
    let beside = &cfa.locations[cfa.edges[edge].source].edges;
    let mut beside = beside.iter().filter(|other| **other != edge);
    let own = cfa.edges[edge].ops.iter().rev().find_map(asked);
    own.or_else(|| beside.find_map(|other| cfa.edges[*other].ops.iter().find_map(made)))
}

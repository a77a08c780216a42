//! Whether one state stands for no more than another: by the literals that they have, then by
//! diagrams, then by the solver.

use run::Unknown;

use crate::predicate::Predicates;
use crate::predicate::block::BlockId;
use crate::predicate::combination::Exactness;
use crate::predicate::diagram::{Before, Diagrams};

impl Predicates<'_> {
    /// Whether what is known at the start of a block surely implies what is known at the start of
    /// another one.
    pub(crate) fn implies(&mut self, a: BlockId, b: BlockId) -> Result<bool, Unknown> {
        let (one, other) = (self.graph.blocks[a].before(), self.graph.blocks[b].before());
        if one.known == other.known {
            return Ok(true);
        }
        if let Some(answer) = compare(&mut self.diagrams, one, other) {
            self.ask.queries.compared += 1;
            return Ok(answer);
        }
        self.ask.implies(&mut self.terms, one.known, other.known)
    }
}

/// Whether a state implies another one, if their combinations of predicates decide it.
pub(crate) fn compare(diagrams: &mut Diagrams, one: Before<'_>, other: Before<'_>) -> Option<bool> {
    // The index in the first state of a predicate of the other state. Most predicates have the same index in both
    // states.
    let place = |index: usize| {
        let predicate = other.predicates[index];
        if one.predicates.get(index) == Some(&predicate) {
            return Some(index);
        }
        one.predicates.iter().position(|each| *each == predicate)
    };
    let mut clear = true;
    let mut missing = false;
    for (index, value) in other.combination.fixed.iter().enumerate() {
        let Some(value) = value else { continue };
        match place(index) {
            Some(at) if one.combination.fixed[at] == Some(*value) => {}
            // Some model of the first state gives this predicate the value that the other state excludes.
            Some(_) if one.combination.exact >= Exactness::Literals => return Some(false),
            Some(_) => clear = false,
            None => missing = true,
        }
    }
    if !clear || missing {
        return None;
    }
    if other.combination.parts.is_empty() {
        return Some(true);
    }
    let implied = diagrams.implies(one, other.diagram?)?;
    let mut open = other.combination.parts.iter().flat_map(|part| &part.open);
    let definite = one.combination.exact == Exactness::Cubes && open.all(|at| place(*at).is_some());
    (implied || definite).then_some(implied)
}

//! The syntactic predecessor operator: `pre_c(φ) = Guard(X) ∧ φ[Update(X)/X]` (thesis, §3.2).
//!
//! A conjunct that another one implies by itself is left out, as the constraint store of ARMC did:
//! `x >= 1 ∧ x >= 2` is `x >= 2`. This changes abstractions by `α_1` only.

use rustc_hash::FxHashMap;

use super::atom::{AtomId, Atoms, Literal};
use super::project::project;
use super::system::TransitionSystem;

/// The operator, with the images of atoms under updates that it has computed.
pub struct Pre<'s> {
    system: &'s TransitionSystem,
    images: FxHashMap<(usize, AtomId), Literal>,
    /// Whether some of the predecessors that were found may not be predecessors, because too much had to be projected.
    pub is_coarse: bool,
}

impl<'s> Pre<'s> {
    /// The operator of a system.
    #[must_use]
    pub fn new(system: &'s TransitionSystem) -> Self {
        Self { system, images: FxHashMap::default(), is_coarse: false }
    }

    /// An atom after the update of a command.
    pub fn image(&mut self, atoms: &mut Atoms, rule: usize, id: AtomId) -> Literal {
        let system = self.system;
        *self.images.entry((rule, id)).or_insert_with(|| {
            let update = &system.rules[rule].update;
            if !atoms.places(id).any(|place| update.contains_key(&place)) {
                return Literal::Atom(id);
            }
            let relation = atoms.atom(id).relation;
            let image = atoms.difference(id).substitute(|place| update.get(&place));
            atoms.literal(&image, relation)
        })
    }

    /// The predecessors of a conjunction under a command, as conjunctions that are sorted; none if
    /// an atom became false, and several where a disequality on a choice has two sides.
    pub fn of(
        &mut self,
        atoms: &mut Atoms,
        rule: usize,
        conjunction: &[AtomId],
    ) -> Vec<Vec<AtomId>> {
        let mut result = self.system.rules[rule].guard.clone();
        for id in conjunction {
            match self.image(atoms, rule, *id) {
                Literal::True => {}
                Literal::False => return vec![],
                Literal::Atom(image) => result.push(image),
            }
        }
        result.sort_unstable();
        result.dedup();
        let first = self.system.places();
        if result.iter().any(|id| atoms.places(*id).any(|place| place >= first)) {
            let projection = project(atoms, &result, first, false);
            self.is_coarse |= projection.dropped;
            return projection.cases.iter().map(|case| without_weaker(atoms, case)).collect();
        }
        vec![without_weaker(atoms, &result)]
    }

    /// The atoms of the predecessors of one atom, false ones left out; without an atom, those of
    /// the guard.
    pub fn atoms_of(
        &mut self,
        atoms: &mut Atoms,
        rule: usize,
        atom: Option<AtomId>,
    ) -> Vec<AtomId> {
        let mut result = self.system.rules[rule].guard.clone();
        if let Some(Literal::Atom(image)) = atom.map(|id| self.image(atoms, rule, id)) {
            result.push(image);
        }
        result.sort_unstable();
        result.dedup();
        let first = self.system.places();
        if result.iter().any(|id| atoms.places(*id).any(|place| place >= first)) {
            let mut found = project(atoms, &result, first, true).cases.concat();
            found.sort_unstable();
            found.dedup();
            return found;
        }
        result
    }
}

/// A conjunction without those conjuncts that another one implies.
fn without_weaker(atoms: &Atoms, conjunction: &[AtomId]) -> Vec<AtomId> {
    let weaker = |id: AtomId| {
        conjunction.iter().any(|other| *other != id && atoms.atom(*other).implies(atoms.atom(id)))
    };
    conjunction.iter().copied().filter(|id| !weaker(*id)).collect()
}

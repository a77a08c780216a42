//! The refinement: iterates the syntactic `pre` on the unsafe states and collects the atoms
//! (thesis, §3.3). Nothing is asked of the theorem prover, so that a command that can never be
//! taken does not hide the atoms behind it.
//!
//! `pre` works on one atom after another, so the atoms of `pre^n(unsafe)` are those of the guards
//! and the images of the atoms of `pre^(n-1)(unsafe)`: the formula itself, whose size grows
//! exponentially, is not needed.
//!
//! Forwards, an invariant is about what cannot happen, so there each atom comes with its negation.

use std::collections::BTreeSet;

use cfa::LocId;
use rustc_hash::FxHashSet;

use super::alpha::Predicates;
use super::atom::{AtomId, Atoms, Literal};
use super::fixpoint::Engine;
use run::Unknown;

/// How many atoms may be collected.
const MAX_ATOMS: usize = 50_000;

/// How far the iteration is.
#[derive(Default)]
pub struct Refinement {
    /// Whether negations are wanted.
    negations: bool,
    /// What the last step found: locations, and atoms at them.
    frontier: BTreeSet<(LocId, Option<AtomId>)>,
    seen: FxHashSet<(LocId, Option<AtomId>)>,
    /// Whether the unsafe states have been taken.
    started: bool,
    /// Predicates that no lesson has told of yet, with the location where each was found.
    pub learned: Vec<(LocId, AtomId)>,
}

impl Refinement {
    /// Nothing collected yet; with negations, or without.
    pub fn new(negations: bool) -> Self {
        Self { negations, ..Self::default() }
    }

    /// Adds the atoms of the unsafe states to the predicates, once.
    pub fn begin(&mut self, engine: &mut Engine<'_>, predicates: &mut Predicates) {
        if std::mem::replace(&mut self.started, true) {
            return;
        }
        for error in &engine.system.errors {
            self.found(error.location, None);
            for atom in &error.conjunction {
                self.add(&mut engine.atoms, predicates, error.location, *atom);
                self.found(error.location, Some(*atom));
            }
        }
    }

    /// Adds the atoms of the next step to the predicates; the first step takes those of the unsafe
    /// states too. Says whether a later step can find anything.
    pub fn step(
        &mut self,
        engine: &mut Engine<'_>,
        predicates: &mut Predicates,
    ) -> Result<bool, Unknown> {
        self.begin(engine, predicates);
        for (location, atom) in std::mem::take(&mut self.frontier) {
            if let Some(why) = engine.run.budget.exceeded() {
                return Err(why.into());
            }
            for rule in engine.system.into.get(&location).into_iter().flatten() {
                let source = engine.system.rules[*rule].source;
                self.found(source, None);
                for atom in engine.pre.atoms_of(&mut engine.atoms, *rule, atom) {
                    self.add(&mut engine.atoms, predicates, source, atom);
                    self.found(source, Some(atom));
                }
            }
            if engine.atoms.len() > MAX_ATOMS {
                let why = format!("the refinement has more than {MAX_ATOMS} atoms");
                return Err(Unknown::Exhausted(why));
            }
        }
        Ok(!self.frontier.is_empty())
    }

    fn add(
        &mut self,
        atoms: &mut Atoms,
        predicates: &mut Predicates,
        location: LocId,
        atom: AtomId,
    ) {
        if predicates.add(atoms, location, atom) {
            self.learned.push((location, atom));
        }
        if self.negations {
            let difference = atoms.difference(atom);
            let negated = atoms.atom(atom).relation.negated();
            if let Literal::Atom(negation) = atoms.literal(&difference, negated)
                && predicates.add(atoms, location, negation)
            {
                self.learned.push((location, negation));
            }
        }
    }

    fn found(&mut self, location: LocId, atom: Option<AtomId>) {
        if self.seen.insert((location, atom)) {
            self.frontier.insert((location, atom));
        }
    }
}

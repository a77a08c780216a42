//! The abstraction functions: of a conjunction, the predicates that it implies, where `α_1`, `α_2`
//! and `α_3` differ in what counts as implying (thesis, §4.2.3).

use cfa::LocId;
use rustc_hash::FxHashMap;

use super::atom::{AtomId, Atoms, FormId};
use super::bits::Bits;
use super::entail::Context;
use super::order::Alpha;
use run::Unknown;

/// The predicates of an abstraction, numbered in the order in which they were found.
#[derive(Clone, Default, Debug)]
pub struct Predicates {
    list: Vec<AtomId>,
    numbers: FxHashMap<AtomId, usize>,
    by_form: FxHashMap<FormId, Vec<usize>>,
    /// The numbers of the predicates of each location, if predicates are kept apart by location.
    local: Option<FxHashMap<LocId, Bits>>,
    all: Bits,
}

impl Predicates {
    /// No predicates yet. With `local`, each location has predicates of its own.
    #[must_use]
    pub fn new(local: bool) -> Self {
        Self { local: local.then(FxHashMap::default), ..Self::default() }
    }

    /// Gives a number to an atom without making it a predicate anywhere.
    pub fn number(&mut self, atoms: &Atoms, atom: AtomId) -> usize {
        if let Some(number) = self.numbers.get(&atom) {
            return *number;
        }
        let number = self.list.len();
        self.list.push(atom);
        self.numbers.insert(atom, number);
        self.by_form.entry(atoms.atom(atom).form).or_default().push(number);
        number
    }

    /// Makes an atom a predicate at a location, or everywhere. Says whether the atom was no predicate there before.
    pub fn add(&mut self, atoms: &Atoms, location: LocId, atom: AtomId) -> bool {
        let number = self.number(atoms, atom);
        let new = !self.at(location).contains(number);
        if let Some(local) = &mut self.local {
            local.entry(location).or_default().insert(number);
        }
        self.all.insert(number);
        new
    }

    /// Makes an atom no longer a predicate anywhere; the atom keeps its number.
    pub fn remove(&mut self, number: usize) {
        self.all.remove(number);
        for bits in self.local.iter_mut().flat_map(FxHashMap::values_mut) {
            bits.remove(number);
        }
    }

    /// The predicates at a location, by number.
    #[must_use]
    pub fn at(&self, location: LocId) -> Bits {
        match &self.local {
            Some(local) => local.get(&location).cloned().unwrap_or_default(),
            None => self.all.clone(),
        }
    }

    /// All predicates, by number.
    #[must_use]
    pub fn all(&self) -> &Bits {
        &self.all
    }

    /// The atom of a number.
    #[must_use]
    pub fn atom(&self, number: usize) -> AtomId {
        self.list[number]
    }

    /// The atoms of numbers.
    #[must_use]
    pub fn atoms(&self, numbers: &Bits) -> Vec<AtomId> {
        numbers.iter().map(|number| self.list[number]).collect()
    }

    /// The numbers of atoms that have one.
    #[must_use]
    pub fn numbers(&self, atoms: &[AtomId]) -> Bits {
        atoms.iter().filter_map(|atom| self.numbers.get(atom)).copied().collect()
    }

    /// The wanted predicates that a conjunction implies, as `α_k` sees it; `None` if the conjunction has no
    /// solution.
    pub fn implied(
        &self,
        atoms: &Atoms,
        alpha: Alpha,
        conjunction: &[AtomId],
        wanted: &Bits,
        limits: &run::Budget,
    ) -> Result<Option<Bits>, Unknown> {
        let mut context = Context::new(atoms, conjunction, limits)?;
        if !context.is_satisfiable() {
            return Ok(None);
        }
        let mut found = Bits::default();
        // `α_1`: a predicate is implied if it is a conjunct.
        if alpha == Alpha::One {
            for atom in conjunction {
                if let Some(number) = self.numbers.get(atom).filter(|n| wanted.contains(**n)) {
                    found.insert(*number);
                }
            }
            return Ok(Some(found));
        }
        // For `α_2`, a predicate is implied if a single conjunct implies it. For `α_3`, this is the cheap part.
        for atom in conjunction {
            let same = self.by_form.get(&atoms.atom(*atom).form).into_iter().flatten();
            for number in same.filter(|number| wanted.contains(**number)) {
                if atoms.implies(*atom, self.list[*number]) {
                    found.insert(*number);
                }
            }
        }
        // `α_3`: what the conjunction implies as a whole, too.
        if alpha == Alpha::Three {
            for number in wanted.iter() {
                if found.contains(number) || !context.implies(self.list[number])? {
                    continue;
                }
                // The prover need not be asked about weaker predicates with the same sum.
                let form = atoms.atom(self.list[number]).form;
                for other in self.by_form.get(&form).into_iter().flatten() {
                    if wanted.contains(*other)
                        && atoms.implies(self.list[number], self.list[*other])
                    {
                        found.insert(*other);
                    }
                }
            }
        }
        Ok(Some(found))
    }
}

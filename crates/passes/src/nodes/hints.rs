//! Guesses at invariants of the object that is followed.
//!
//! Programs that go through a list have done their work on all objects but those that their variables
//! point to. The effect of this work is guessed from the conditions that the program asks about parts of
//! objects and from the values that the program stores there.

use std::collections::{BTreeMap, BTreeSet};

use cfa::{Op as Step, Program, Scope};
use run::Hints;
use term::{Sort, TermId, Terms, Var, View};

use super::rewrite::{Field, Rewriter};
use super::targets::{Set, Target};
use crate::arrays::conditions;

/// Facts beyond these are not guessed.
const MOST_FACTS: usize = 40;

/// Variables beyond these are not looked at.
const MOST_POINTERS: usize = 8;

/// Conditions beyond these are not looked at.
const MOST_CONDITIONS: usize = 6;

/// How many guesses are made at most.
const MOST_HINTS: usize = 3000;

impl Rewriter<'_, '_> {
    /// Guesses: first that a fact holds of all objects; then of all but one that a variable points to; then that one of
    /// two facts holds, and that facts hold where a condition holds.
    pub(super) fn hints(&mut self) -> [Hints; 3] {
        let (facts, plain) = self.facts();
        let positions = self.positions();
        let (mut whole, mut single, mut paired) = (positions.unmade, Vec::new(), Vec::new());
        for (number, position) in positions.elsewhere.iter().enumerate() {
            for fact in &facts {
                let guess = self.terms.or2(*position, *fact);
                if number == 0 { whole.push(guess) } else { single.push(guess) }
            }
        }
        for position in &positions.elsewhere {
            for (number, fact) in facts.iter().enumerate() {
                for other in &facts[..number] {
                    let either = self.terms.or2(*fact, *other);
                    paired.push(self.terms.or2(*position, either));
                }
                for condition in &plain {
                    let either = self.terms.or2(*fact, *condition);
                    paired.push(self.terms.or2(*position, either));
                }
            }
        }
        [whole, single, paired].map(|mut formulas| {
            let mut seen = BTreeSet::new();
            formulas.retain(|hint| self.terms.value(*hint).is_none() && seen.insert(*hint));
            formulas.truncate(MOST_HINTS);
            Hints { formulas, first: BTreeMap::new() }
        })
    }

    /// What may hold of the object, and conditions of the program about other things.
    fn facts(&mut self) -> (Vec<TermId>, Vec<TermId>) {
        let program = self.program();
        let (mut facts, mut plain) = (Vec::new(), Vec::new());
        let mut meant: BTreeMap<Var, TermId> = BTreeMap::new();
        let mut numbers: BTreeMap<Var, BTreeSet<TermId>> = BTreeMap::new();
        for op in ops(program) {
            if let Step::Load { var, address } = op
                && let Some(field) = self.field(*address, self.terms.var_sort(*var))
            {
                let held = field.var;
                meant.insert(*var, self.terms.var(held));
            }
        }
        self.asked(&meant, &mut facts, &mut plain);
        for op in ops(program) {
            let Step::Store { address, value } = op else { continue };
            let Some(field) = self.field(*address, self.terms.sort(*value)) else { continue };
            let var = field.var;
            let held = self.terms.var(var);
            if let View::Var(stored) = self.terms.view(*value) {
                meant.entry(stored).or_insert(held);
            }
            if self.terms.value(*value).is_some() {
                numbers.entry(var).or_default().insert(*value);
            }
            facts.push(self.terms.eq(held, *value));
        }
        for (var, numbers) in numbers {
            let held = self.terms.var(var);
            let same: Vec<TermId> =
                numbers.into_iter().map(|number| self.terms.eq(held, number)).collect();
            facts.push(self.terms.or(&same));
        }
        let sets: Vec<Var> = self.one.fields.iter().map(|field| field.set).collect();
        if self.has_checks() {
            facts.extend(sets.into_iter().map(|set| self.terms.var(set)));
        }
        self.follow_copies(&mut meant);
        self.asked(&meant, &mut facts, &mut plain);
        let word = Sort::Bv(program.cfa.address_width);
        for field in self.one.fields.iter().map(|field| field.var) {
            if self.terms.var_sort(field) == word {
                let held = self.terms.var(field);
                facts.push(self.terms.ne(held, self.one.address));
            }
        }
        // At the heads of loops nothing is known of variables that the program uses for a moment only.
        let lasts = |var: &Var| match program.cfa.variables.get(*var) {
            Some(known) => known.source_name.is_some() || matches!(known.scope, Scope::Address(_)),
            None => true,
        };
        let keep = |terms: &Terms, list: &mut Vec<TermId>, most: usize| {
            let mut seen = BTreeSet::new();
            list.retain(|fact| {
                terms.value(*fact).is_none()
                    && terms.vars(*fact).iter().all(lasts)
                    && seen.insert(*fact)
            });
            list.truncate(most);
        };
        keep(&self.terms, &mut facts, MOST_FACTS);
        keep(&self.terms, &mut plain, MOST_CONDITIONS);
        (facts, plain)
    }

    /// Adds the conditions of the program, said of what variables stand for.
    fn asked(
        &mut self,
        meant: &BTreeMap<Var, TermId>,
        facts: &mut Vec<TermId>,
        plain: &mut Vec<TermId>,
    ) {
        for condition in conditions(self.program(), &self.terms) {
            let fact = self.terms.substitute(condition, &mut |var| meant.get(&var).copied());
            let not = self.terms.not(fact);
            let list = if fact == condition { &mut *plain } else { &mut *facts };
            list.extend([fact, not]);
        }
    }

    /// Adds variables that hold nothing but copies of what others stand for.
    fn follow_copies(&self, meant: &mut BTreeMap<Var, TermId>) {
        let mut copies: BTreeMap<Var, TermId> = BTreeMap::new();
        let mut others: BTreeSet<Var> = BTreeSet::new();
        for op in ops(self.program()) {
            let from = match op {
                Step::Assign { value, .. } => match self.terms.view(*value) {
                    View::Var(from) => meant.get(&from),
                    _ => None,
                },
                _ => None,
            };
            for var in op.assigned() {
                match from {
                    Some(known) => {
                        copies.entry(*var).or_insert(*known);
                    }
                    None => {
                        others.insert(*var);
                    }
                }
            }
        }
        for (var, known) in copies.into_iter().filter(|(var, _)| !others.contains(var)) {
            meant.entry(var).or_insert(known);
        }
    }

    /// The part of the object at an address, if the address is in the object at all.
    fn field(&self, address: TermId, sort: Sort) -> Option<&Field> {
        let set: Set = self.targets_of(address);
        let mut found = set.iter().filter_map(|target| match target {
            Target::At(site, offset) if self.is_in_group(*site) => Some(*offset),
            _ => None,
        });
        let offset = found.next()?;
        let fits =
            |field: &&Field| field.offset == offset && self.terms.var_sort(field.var) == sort;
        self.one.fields.iter().find(fits)
    }

    fn positions(&mut self) -> Positions {
        let program = self.program();
        let gone = self.terms.not(self.one.live);
        let made = self.terms.var(self.made);
        let mut positions = Positions { elsewhere: vec![gone], unmade: Vec::new() };
        if let Some(freed) = self.freed {
            let freed = self.terms.var(freed);
            let (is_made, stays) =
                (self.terms.or2(gone, made), self.terms.implies(made, self.one.live));
            positions.unmade.extend([is_made, self.terms.or2(freed, stays)]);
        }
        let word = Sort::Bv(program.cfa.address_width);
        let named = program.cfa.variables.entries().filter(|(var, known)| {
            known.source_name.is_some() && program.terms.var_sort(*var) == word
        });
        let mut count = 0;
        for (var, _) in named {
            let offsets: BTreeSet<i64> = self
                .targets_of_var(var)
                .iter()
                .filter_map(|target| match target {
                    Target::At(site, offset) if self.is_in_group(*site) => Some(*offset),
                    _ => None,
                })
                .collect();
            if offsets.is_empty() || count == MOST_POINTERS {
                continue;
            }
            count += 1;
            for offset in offsets {
                let value = self.terms.var(var);
                let offset = self.terms.bv(program.cfa.address_width, u128::from(offset as u64));
                let start = self.terms.bv_sub(value, offset);
                let same = self.terms.eq(start, self.one.address);
                let other = self.terms.not(same);
                positions.elsewhere.push(self.terms.or2(gone, same));
                positions.elsewhere.push(self.terms.or2(gone, other));
                positions.unmade.push(self.terms.or2(made, other));
            }
        }
        positions
    }
}

/// Where the object is.
struct Positions {
    /// Conditions under which nothing is guessed of the object: that the object is not there, that a variable points to
    /// the object, or that the variable points to another object.
    elsewhere: Vec<TermId>,
    /// Conditions that no variable points to the object before the object is made, and that the object is there
    /// afterwards.
    unmade: Vec<TermId>,
}

fn ops(program: &Program) -> impl Iterator<Item = &Step> {
    program.cfa.edges.iter().flat_map(|edge| &edge.ops)
}

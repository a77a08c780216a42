//! Whether facts about numbers can hold together.

use std::collections::BTreeSet;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};
use rustc_hash::FxHashSet;
use rustsat::types::Lit;

use super::{Arithmetic, AtomId, Bound, Comparison, Fact, FormId, Loaded, Name, SortedSum};
use crate::Reason;
use crate::linear::{Constraint, Outcome, Relation};
use run::Budget;

/// What the facts are together.
pub(crate) enum Verdict {
    Consistent,
    /// The reasons of facts that cannot hold together.
    Conflict(Vec<Lit>),
    Unknown(Reason),
}

/// A system is begun anew when it has this many times the rows that are needed, and more than `FEW_ROWS`.
const GROWTH: usize = 3;
const FEW_ROWS: usize = 64;

/// Nodes of the search for integers in one check: some seconds for a system of middle size.
const NODES: u64 = 10_000;
/// Nodes of a short search.
const SHORT: u64 = 500;
/// If the short search comes to no end, unknowns are tried first that are at most this far from zero.
const SMALL: [i64; 2] = [30, 3_000];

impl Arithmetic {
    /// Whether facts can hold together. If the first facts are the same as in the last call, these cost next to
    /// nothing.
    pub fn check(&mut self, yes: Lit, facts: &[Fact], limits: &Budget) -> Verdict {
        self.load(facts);
        match self.solve(facts, limits) {
            Outcome::Sat => Verdict::Consistent,
            Outcome::Unknown(reason) => Verdict::Unknown(reason),
            Outcome::Unsat(certificate) => {
                let mut reasons: Vec<Lit> =
                    certificate.tags().map(|tag| facts[tag as usize].0).collect();
                reasons.retain(|reason| *reason != yes);
                reasons.sort_unstable();
                reasons.dedup();
                Verdict::Conflict(reasons)
            }
        }
    }

    /// Makes a short search, then a search among small numbers, which ends even if the short search has run off to
    /// infinity, then a long search.
    fn solve(&mut self, facts: &[Fact], limits: &Budget) -> Outcome {
        self.loaded.system.set_node_budget(SHORT);
        let outcome = self.loaded.system.check(limits);
        let more = limits.conflicts().is_none_or(|most| most > SHORT);
        if outcome != Outcome::Unknown(Reason::Conflicts) || !more {
            return outcome;
        }
        let forms = facts.iter().map(|(_, bound)| &self.forms[self.bounds[*bound].form]);
        let names: BTreeSet<Name> =
            forms.flat_map(|form| &form.factors).map(|(name, _)| *name).collect();
        for most in SMALL {
            match self.among_small(&names, most, limits) {
                // The values of the solution stay, although the bounds of the small search are gone.
                Outcome::Sat => return Outcome::Sat,
                Outcome::Unknown(reason) if reason != Reason::Conflicts => {
                    return Outcome::Unknown(reason);
                }
                _ => {}
            }
        }
        let system = &mut self.loaded.system;
        system.set_node_budget(NODES);
        system.check(limits)
    }

    /// Looks for a solution in which every unknown is at most `most` away from zero.
    fn among_small(&mut self, names: &BTreeSet<Name>, most: i64, limits: &Budget) -> Outcome {
        let Loaded { system, unknowns, .. } = &mut self.loaded;
        let mark = system.mark();
        // These tags belong to no fact; a conflict among small numbers is never looked at.
        let mut tag = u32::MAX;
        for unknown in names.iter().filter_map(|name| unknowns.get(name)) {
            for sign in [BigRational::one(), -BigRational::one()] {
                let constant = BigRational::from_integer(most.into());
                let terms = vec![(sign, *unknown)];
                let small = Constraint { terms, relation: Relation::LessEqual, constant };
                system.assert(&small, tag);
                tag -= 1;
            }
        }
        let outcome = system.check(limits);
        system.undo(mark);
        outcome
    }

    /// Makes the system have exactly these facts; the tag of each is its position.
    fn load(&mut self, facts: &[Fact]) {
        let needed: FxHashSet<FormId> =
            facts.iter().map(|(_, bound)| self.bounds[*bound].form).collect();
        let loaded = &mut self.loaded;
        if loaded.rows.len() > FEW_ROWS && loaded.rows.len() > GROWTH * needed.len() {
            *loaded = Loaded::default();
        }
        let same = loaded.facts.iter().zip(facts).take_while(|(a, b)| a.0 == **b).count();
        if let Some((_, mark)) = loaded.facts.get(same) {
            loaded.system.undo(*mark);
            loaded.facts.truncate(same);
        }
        for (tag, fact) in facts.iter().enumerate().skip(same) {
            let Bound { form, comparison, value } = &self.bounds[fact.1];
            loaded.rows.insert(*form);
            // Constraints have the sum on the left and no `>=`.
            let (relation, flip) = match comparison {
                Comparison::Less => (Relation::Less, false),
                Comparison::AtMost => (Relation::LessEqual, false),
                Comparison::Equal => (Relation::Equal, false),
                Comparison::AtLeast => (Relation::LessEqual, true),
                Comparison::Greater => (Relation::Less, true),
            };
            let mut terms = Vec::new();
            for (name, factor) in &self.forms[*form].factors {
                let system = &mut loaded.system;
                let integer = self.names[*name as usize];
                let unknown =
                    *loaded.unknowns.entry(*name).or_insert_with(|| system.variable(integer));
                let factor = BigRational::from_integer(factor.clone());
                terms.push((if flip { -factor } else { factor }, unknown));
            }
            let constant = if flip { -value } else { value.clone() };
            loaded.facts.push((*fact, loaded.system.mark()));
            // There are fewer than 2^32 facts, since there are fewer than that many terms.
            loaded.system.assert(&Constraint { terms, relation, constant }, tag as u32);
        }
    }

    /// The value of a sum after a check that found the facts consistent. An unknown that no fact
    /// mentions is zero.
    pub fn value(&self, sum: &SortedSum) -> BigRational {
        let mut value = sum.constant.clone();
        for (name, factor) in &sum.factors {
            if let Some(unknown) = self.loaded.unknowns.get(name) {
                value += factor * self.loaded.system.value(*unknown);
            }
        }
        value
    }

    /// Whether an equation holds in the solution.
    pub fn coincides(&self, id: AtomId) -> bool {
        let Bound { form, value, .. } = &self.bounds[self.atoms[id].yes];
        let factor =
            |(name, factor): &(Name, BigInt)| (*name, BigRational::from_integer(factor.clone()));
        let factors = self.forms[*form].factors.iter().map(factor).collect();
        self.value(&SortedSum { factors, constant: BigRational::zero() }) == *value
    }
}

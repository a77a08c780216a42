//! The abstraction of a block: the strongest combination of predicates that holds at its end.

use std::collections::BTreeSet;

use engines::Unknown;
use rustc_hash::FxHashMap;
use term::{TermId, Terms};

use crate::predicate::ask::{Ask, Model, Said};

/// Which combinations of predicates a state can be.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Abstraction {
    /// Conjunctions of predicates and their negations.
    Cartesian,
    /// All combinations.
    Boolean,
    /// All combinations, with a state for each conjunction of them.
    #[default]
    Split,
}

/// A question: what is known before, what must hold on the way, and the predicates afterwards,
/// all over the values at the start of the block.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Question {
    pub(crate) kind: Abstraction,
    pub(crate) formulas: Vec<TermId>,
    pub(crate) predicates: Vec<TermId>,
}

/// What is known of the predicates: which have the same value in all executions, and the values
/// that the others have together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Combination {
    /// For each predicate its value, if it has one.
    pub(crate) fixed: Vec<Option<bool>>,
    /// The values of those that have none, in their order; `None` if anything goes.
    pub(crate) cubes: Option<BTreeSet<Vec<bool>>>,
}

/// What was computed before; `None` where no execution gets to the end of the block.
pub(crate) type Answers = FxHashMap<Question, Option<Combination>>;

/// At most so many conjunctions are told apart; beyond that only those predicates are kept that
/// have one value.
const MOST: usize = 160;

impl Ask {
    /// Computes an abstraction.
    pub(crate) fn abstraction(
        &mut self,
        terms: &mut Terms,
        question: &Question,
    ) -> Result<Option<Combination>, Unknown> {
        let mut formulas = question.formulas.clone();
        let count = question.predicates.len();
        let mut models: Vec<Vec<bool>> = Vec::new();
        let evaluate = |this: &mut Self, terms: &Terms, mut model: Model| -> Vec<bool> {
            question.predicates.iter().map(|each| this.holds(terms, &mut model, *each)).collect()
        };
        match self.check(terms, &formulas)? {
            Said::Unsat => return Ok(None),
            Said::Sat(model) => models.push(evaluate(self, terms, model)),
            Said::Nothing => {}
        }
        let mut fixed = vec![None; count];
        for (index, predicate) in question.predicates.iter().enumerate() {
            if terms.value(*predicate).is_some() {
                fixed[index] = Some(terms.is_true(*predicate));
                continue;
            }
            // What models disagree about has no fixed value; without a model both are tried.
            for value in [true, false] {
                if models.iter().any(|model| model[index] != value) {
                    continue;
                }
                let other = if value { terms.not(*predicate) } else { *predicate };
                formulas.push(other);
                let said = self.check(terms, &formulas)?;
                formulas.pop();
                match said {
                    Said::Unsat => {
                        fixed[index] = Some(value);
                        break;
                    }
                    Said::Sat(model) => models.push(evaluate(self, terms, model)),
                    Said::Nothing => {}
                }
            }
        }
        let open: Vec<usize> = (0..count).filter(|index| fixed[*index].is_none()).collect();
        let cubes = match question.kind {
            Abstraction::Cartesian => None,
            _ if open.is_empty() => None,
            _ => {
                let seen: BTreeSet<Vec<bool>> = models
                    .iter()
                    .map(|model| open.iter().map(|index| model[*index]).collect())
                    .collect();
                let open: Vec<TermId> =
                    open.iter().map(|index| question.predicates[*index]).collect();
                self.cubes(terms, formulas, &open, seen)?
            }
        };
        Ok(Some(Combination { fixed, cubes }))
    }

    /// All values that predicates have together; `None` if there are too many, or not all were
    /// found.
    fn cubes(
        &mut self,
        terms: &mut Terms,
        mut formulas: Vec<TermId>,
        open: &[TermId],
        mut seen: BTreeSet<Vec<bool>>,
    ) -> Result<Option<BTreeSet<Vec<bool>>>, Unknown> {
        for cube in &seen {
            let excluded = conjunction(terms, open, cube);
            formulas.push(terms.not(excluded));
        }
        loop {
            if seen.len() > MOST {
                return Ok(None);
            }
            match self.check(terms, &formulas)? {
                Said::Unsat => return Ok(Some(seen)),
                Said::Nothing => return Ok(None),
                Said::Sat(mut model) => {
                    let cube: Vec<bool> =
                        open.iter().map(|each| self.holds(terms, &mut model, *each)).collect();
                    let excluded = conjunction(terms, open, &cube);
                    formulas.push(terms.not(excluded));
                    if !seen.insert(cube) {
                        // A model that was excluded is none.
                        return Ok(None);
                    }
                }
            }
        }
    }
}

/// The conjunction of predicates with the given values.
pub(crate) fn conjunction(terms: &mut Terms, predicates: &[TermId], values: &[bool]) -> TermId {
    let literals: Vec<TermId> = predicates
        .iter()
        .zip(values)
        .map(|(each, value)| if *value { *each } else { terms.not(*each) })
        .collect();
    terms.and(&literals)
}

impl Combination {
    /// The combination as formulas over the predicates, one for each state.
    pub(crate) fn formulas(
        &self,
        terms: &mut Terms,
        predicates: &[TermId],
        kind: Abstraction,
    ) -> Vec<TermId> {
        let mut literals = Vec::new();
        let mut open = Vec::new();
        for (predicate, value) in predicates.iter().zip(&self.fixed) {
            match value {
                Some(true) => literals.push(*predicate),
                Some(false) => literals.push(terms.not(*predicate)),
                None => open.push(*predicate),
            }
        }
        let Some(cubes) = &self.cubes else { return vec![terms.and(&literals)] };
        if kind == Abstraction::Split {
            let each = cubes.iter().map(|cube| {
                let cube = conjunction(terms, &open, cube);
                let mut all = literals.clone();
                all.push(cube);
                terms.and(&all)
            });
            return each.collect();
        }
        let cubes: Vec<&[bool]> = cubes.iter().map(Vec::as_slice).collect();
        literals.push(decide(terms, &open, &cubes));
        vec![terms.and(&literals)]
    }
}

/// A set of conjunctions as an ordered decision diagram, written as a term: since terms are shared
/// and diagrams of one order canonical, equal sets give equal terms.
fn decide(terms: &mut Terms, open: &[TermId], cubes: &[&[bool]]) -> TermId {
    let Some((first, rest)) = open.split_first() else { return terms.bool(!cubes.is_empty()) };
    let full = open.len() < usize::BITS as usize && cubes.len() == 1 << open.len();
    if cubes.is_empty() || full {
        return terms.bool(full);
    }
    let branch = |terms: &mut Terms, value: bool| {
        let kept: Vec<&[bool]> =
            cubes.iter().filter(|cube| cube[0] == value).map(|cube| &cube[1..]).collect();
        decide(terms, rest, &kept)
    };
    let (yes, no) = (branch(terms, true), branch(terms, false));
    if yes == no {
        return yes;
    }
    terms.ite(*first, yes, no)
}

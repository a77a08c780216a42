//! An interpolation at work: the core of its blocks, and the check of what is found.

use run::Budget;
use rustc_hash::{FxHashMap, FxHashSet};
use term::{TermId, Terms, Var};

use crate::{Answer, Cores, Models, Reason};

/// What happens between two cuts.
#[derive(Clone, Default, Debug)]
pub struct Block {
    /// Symbols that get their only value here, in order: a definition may use those before it.
    pub definitions: Vec<(Var, TermId)>,
    /// What must hold, over all symbols defined so far and free ones.
    pub constraints: Vec<TermId>,
}

/// Interpolants, or why there are none.
pub(super) type Interpolants = Result<Vec<TermId>, Reason>;

/// An interpolation at work.
pub(super) struct Work<'a, S> {
    pub(super) solver: &'a mut S,
    pub(super) terms: &'a mut Terms,
    pub(super) limits: &'a Budget,
    /// The blocks, with only the constraints of the core.
    pub(super) blocks: Vec<Block>,
    /// The value of each defined symbol, over free symbols.
    pub(super) values: FxHashMap<Var, TermId>,
    /// The first and the last block in which each symbol occurs.
    pub(super) spans: FxHashMap<Var, (usize, usize)>,
}

/// The most constraints of a core for which it is tried to do without each of them.
const MINIMISED: usize = 48;

impl<'a, S: Models + Cores> Work<'a, S> {
    /// Finds the core; `None` if the blocks have a common model.
    pub(super) fn start(
        solver: &'a mut S,
        terms: &'a mut Terms,
        blocks: &[Block],
        limits: &'a Budget,
    ) -> Result<Option<Self>, Reason> {
        let values = values(terms, blocks);
        let mut all = Vec::new();
        for (number, block) in blocks.iter().enumerate() {
            if let Some(reason) = limits.exceeded() {
                return Err(reason.into());
            }
            for (place, constraint) in block.constraints.iter().enumerate() {
                let whole = substitute(terms, *constraint, &values);
                all.push((number, place, whole));
            }
        }
        let formulas: Vec<TermId> = all.iter().map(|(_, _, whole)| *whole).collect();
        match solver.check(terms, &formulas, limits) {
            Answer::Sat => return Ok(None),
            Answer::Unknown(reason) => return Err(reason),
            Answer::Unsat => {}
        }
        let mut core = solver.core().to_vec();
        minimise(solver, terms, &mut core, limits);
        let mut core: FxHashSet<TermId> = core.into_iter().collect();
        let mut kept: Vec<Block> = blocks
            .iter()
            .map(|block| Block { definitions: block.definitions.clone(), constraints: Vec::new() })
            .collect();
        for (number, place, whole) in all {
            // Several constraints may have become the same formula of the core: only the first of them is kept.
            if core.remove(&whole) {
                kept[number].constraints.push(blocks[number].constraints[place]);
            }
        }
        let spans = spans(terms, &kept);
        Ok(Some(Self { solver, terms, limits, blocks: kept, values, spans }))
    }

    /// Ends an interpolation whose limits are exceeded, as may happen between any two cuts: each cut of a long path has
    /// a formula of its own, which may be as long as the path.
    pub(super) fn look(&self) -> Result<(), Reason> {
        Ok(self.limits.check()?)
    }

    /// Whether a symbol may occur in the interpolant before a block.
    pub(super) fn is_shared(&self, var: Var, cut: usize) -> bool {
        self.spans.get(&var).is_some_and(|(first, last)| *first < cut && cut <= *last)
    }

    /// Checks interpolants: each of them must follow from the one before, and have shared symbols only.
    pub(super) fn checked(&mut self, found: Vec<TermId>) -> Interpolants {
        let refused = |why: &str| Err(Reason::Failed(why.to_owned()));
        if found.len() + 1 != self.blocks.len() {
            return refused("interpolants are missing");
        }
        for (index, interpolant) in found.iter().enumerate() {
            self.look()?;
            let vars = self.terms.vars(*interpolant);
            if !vars.iter().all(|var| self.is_shared(*var, index + 1)) {
                return refused("an interpolant speaks of what is only on one side");
            }
        }
        for number in 0..self.blocks.len() {
            let after = match found.get(number) {
                Some(after) => *after,
                None => self.terms.bool(false),
            };
            let mut formulas = Vec::new();
            if number > 0 {
                formulas.push(found[number - 1]);
            }
            let own = local_values(self.terms, &self.blocks[number]);
            for constraint in &self.blocks[number].constraints {
                formulas.push(substitute(self.terms, *constraint, &own));
            }
            let after = substitute(self.terms, after, &own);
            formulas.push(self.terms.not(after));
            match self.solver.check(self.terms, &formulas, self.limits) {
                Answer::Unsat => {}
                Answer::Sat => return refused("an interpolant did not pass its check"),
                Answer::Unknown(reason) => return Err(reason),
            }
        }
        Ok(found)
    }

    /// Whether formulas have no common model.
    pub(super) fn is_unsat(&mut self, formulas: &[TermId]) -> Result<bool, Reason> {
        match self.solver.check(self.terms, formulas, self.limits) {
            Answer::Unsat => Ok(true),
            Answer::Sat => Ok(false),
            Answer::Unknown(reason) => Err(reason),
        }
    }

    /// The constraints of the blocks before a cut, over free symbols.
    pub(super) fn prefix(&mut self, cut: usize) -> Vec<TermId> {
        let constraints = self.blocks[..cut].iter().flat_map(|block| &block.constraints);
        constraints.map(|each| substitute(self.terms, *each, &self.values)).collect()
    }
}

/// Drops formulas of a core without which the rest is still unsatisfiable.
fn minimise<S: Cores>(solver: &mut S, terms: &Terms, core: &mut Vec<TermId>, limits: &Budget) {
    if core.len() > MINIMISED {
        return;
    }
    // The last formulas are dropped first: the first ones explain best.
    let mut at = core.len();
    while at > 0 && limits.exceeded().is_none() {
        at -= 1;
        let mut without = core.clone();
        without.remove(at);
        if solver.check(terms, &without, limits) == Answer::Unsat {
            let smaller = solver.core().to_vec();
            core.retain(|formula| smaller.contains(formula));
            at = at.min(core.len());
        }
    }
}

/// The value of each defined symbol, over symbols that no block defines.
fn values(terms: &mut Terms, blocks: &[Block]) -> FxHashMap<Var, TermId> {
    let mut values = FxHashMap::default();
    for block in blocks {
        for (var, term) in &block.definitions {
            let value = substitute(terms, *term, &values);
            values.insert(*var, value);
        }
    }
    values
}

/// The value of each symbol that a block defines, over the symbols before the block.
pub(super) fn local_values(terms: &mut Terms, block: &Block) -> FxHashMap<Var, TermId> {
    values(terms, std::slice::from_ref(block))
}

/// A term with the values of symbols in place of the symbols.
pub(super) fn substitute(
    terms: &mut Terms,
    term: TermId,
    values: &FxHashMap<Var, TermId>,
) -> TermId {
    terms.substitute(term, &mut |var| values.get(&var).copied())
}

/// The first and last block in which each symbol occurs.
fn spans(terms: &Terms, blocks: &[Block]) -> FxHashMap<Var, (usize, usize)> {
    let mut spans: FxHashMap<Var, (usize, usize)> = FxHashMap::default();
    for (number, block) in blocks.iter().enumerate() {
        let defined = block.definitions.iter().map(|(var, _)| *var);
        let used = block.definitions.iter().map(|(_, term)| term).chain(&block.constraints);
        let used: Vec<TermId> = used.copied().collect();
        let order = terms.post_order(&used);
        let used = order.iter().filter_map(|term| match terms.view(*term) {
            term::View::Var(var) => Some(var),
            _ => None,
        });
        for var in defined.chain(used) {
            spans.entry(var).or_insert((number, number)).1 = number;
        }
    }
    spans
}

//! Interpolants for a sequence of blocks: why no execution passes them all, cut by cut.
//!
//! A block is a list of definitions in static single assignment and a list of constraints, as the
//! edges of a path give them. For blocks `b0 … bn` that have no common model there are formulas
//! `i1 … in` such that `b0` implies `i1`, each `ik` and `bk` imply the next, and `in` contradicts
//! `bn`; and each `ik` only speaks of symbols that occur before and after its cut.
//!
//! Two ways lead there. Where all that matters is linear, a Farkas certificate gives relations
//! between the symbols (`farkas`). Otherwise the weakest preconditions of the constraints in the
//! unsatisfiable core are taken backwards through the blocks (`newton`). Whatever comes out is
//! checked by the solver, bit by bit, before anybody sees it.

mod eliminate;
mod farkas;
mod linearise;
mod newton;

use rustc_hash::{FxHashMap, FxHashSet};
use term::{TermId, Terms, Var};

use run::Budget;

use crate::{Answer, Cores, Models, Reason};

/// What happens between two cuts.
#[derive(Clone, Default, Debug)]
pub struct Block {
    /// Symbols that get their only value here, in order: a definition may use those before it.
    pub definitions: Vec<(Var, TermId)>,
    /// What must hold, over all symbols defined so far and free ones.
    pub constraints: Vec<TermId>,
}

/// Which interpolants are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Style {
    /// Relations from certificates where that works, weakest preconditions otherwise.
    #[default]
    Auto,
    /// Relations from certificates only.
    Farkas,
    /// Weakest preconditions only.
    Newton,
}

/// What came of an interpolation.
#[derive(Clone, PartialEq, Eq, Debug)]
#[must_use]
pub enum Interpolation {
    /// The blocks have a common model: that of the solver's last check.
    Feasible,
    /// They have none, and this is why: a formula for each cut between two blocks.
    Interpolants(Vec<TermId>),
    /// Neither is known, or there are no interpolants to be had in this way.
    Unknown(Reason),
}

/// A solver that can say why blocks have no common model.
pub trait Interpolate: Models + Cores {
    /// Interpolants for blocks, checked.
    fn interpolants(
        &mut self,
        terms: &mut Terms,
        blocks: &[Block],
        style: Style,
        limits: &Budget,
    ) -> Interpolation;
}

impl<S: Models + Cores> Interpolate for S {
    fn interpolants(
        &mut self,
        terms: &mut Terms,
        blocks: &[Block],
        style: Style,
        limits: &Budget,
    ) -> Interpolation {
        let mut work = match Work::start(self, terms, blocks, limits) {
            Ok(Some(work)) => work,
            Ok(None) => return Interpolation::Feasible,
            Err(reason) => return Interpolation::Unknown(reason),
        };
        let mut reason = Reason::Failed("no interpolants were found".to_owned());
        let ways: &[fn(&mut Work<'_, S>) -> Found] = match style {
            Style::Auto => &[farkas::interpolants, newton::interpolants],
            Style::Farkas => &[farkas::interpolants],
            Style::Newton => &[newton::interpolants],
        };
        for way in ways {
            match way(&mut work).and_then(|found| work.checked(found)) {
                Ok(found) => return Interpolation::Interpolants(found),
                Err(why) => reason = why,
            }
            if let Some(why) = limits.exceeded() {
                return Interpolation::Unknown(why.into());
            }
        }
        Interpolation::Unknown(reason)
    }
}

/// Interpolants, or why there are none.
type Found = Result<Vec<TermId>, Reason>;

/// An interpolation at work.
struct Work<'a, S> {
    solver: &'a mut S,
    terms: &'a mut Terms,
    limits: &'a Budget,
    /// The blocks, with only the constraints of the core.
    blocks: Vec<Block>,
    /// What each defined symbol is, over free symbols.
    values: FxHashMap<Var, TermId>,
    /// The first and the last block in which each symbol occurs.
    spans: FxHashMap<Var, (usize, usize)>,
}

/// How many constraints of a core are tried to do without.
const MINIMISED: usize = 48;

impl<'a, S: Models + Cores> Work<'a, S> {
    /// Finds the core; `None` if the blocks have a common model.
    fn start(
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
            // One constraint for each formula of the core: the first that has become it.
            if core.remove(&whole) {
                kept[number].constraints.push(blocks[number].constraints[place]);
            }
        }
        let spans = spans(terms, &kept);
        Ok(Some(Self { solver, terms, limits, blocks: kept, values, spans }))
    }

    /// Ends an interpolation whose limits are exceeded: each cut of a long path has a formula of
    /// its own, which may be as long as the path.
    fn look(&self) -> Result<(), Reason> {
        Ok(self.limits.check()?)
    }

    /// Whether a symbol may occur in the interpolant before a block.
    fn is_shared(&self, var: Var, cut: usize) -> bool {
        self.spans.get(&var).is_some_and(|(first, last)| *first < cut && cut <= *last)
    }

    /// Checks interpolants: each step follows, and only shared symbols occur.
    fn checked(&mut self, found: Vec<TermId>) -> Found {
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
    fn is_unsat(&mut self, formulas: &[TermId]) -> Result<bool, Reason> {
        match self.solver.check(self.terms, formulas, self.limits) {
            Answer::Unsat => Ok(true),
            Answer::Sat => Ok(false),
            Answer::Unknown(reason) => Err(reason),
        }
    }

    /// The constraints of the blocks before a cut, over free symbols.
    fn prefix(&mut self, cut: usize) -> Vec<TermId> {
        let constraints = self.blocks[..cut].iter().flat_map(|block| &block.constraints);
        constraints.map(|each| substitute(self.terms, *each, &self.values)).collect()
    }
}

/// Drops what a core can do without.
fn minimise<S: Cores>(solver: &mut S, terms: &Terms, core: &mut Vec<TermId>, limits: &Budget) {
    if core.len() > MINIMISED {
        return;
    }
    // From the end: what comes first explains best.
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

/// What each defined symbol is, over symbols that no block defines.
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

/// What each symbol that a block defines is, over the symbols before the block.
fn local_values(terms: &mut Terms, block: &Block) -> FxHashMap<Var, TermId> {
    values(terms, std::slice::from_ref(block))
}

fn substitute(terms: &mut Terms, term: TermId, values: &FxHashMap<Var, TermId>) -> TermId {
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

//! Getting rid of symbols that only occur after a cut.
//!
//! What must hold after a cut may speak of inputs that are read later. It is replaced by a formula that follows from
//! it, does not mention these inputs, and still cannot hold after the blocks before the cut.

use rustc_hash::FxHashMap;
use term::{Op, Sort, TermId, Terms, Value, Var, View};

use super::work::{Work, substitute};
use crate::{Answer, Cores, Models, Reason};

/// How many sets of values are generalised before giving up.
const CUBES: usize = 64;

impl<S: Models + Cores> Work<'_, S> {
    /// Conditions that follow from the given ones and only speak of symbols shared at a cut.
    pub(super) fn without_local_symbols(
        &mut self,
        conditions: Vec<TermId>,
        cut: usize,
    ) -> Result<Vec<TermId>, Reason> {
        let mut conditions = conditions;
        if self.locals(&conditions, cut).is_empty() {
            return Ok(conditions);
        }
        self.solve_for_locals(&mut conditions, cut)?;
        if self.locals(&conditions, cut).is_empty() {
            return Ok(conditions);
        }
        if self.is_unsat(&conditions)? {
            return Ok(vec![self.terms.bool(false)]);
        }
        // Perhaps the conditions that speak of shared symbols only are enough.
        let shared: Vec<TermId> = conditions
            .iter()
            .copied()
            .filter(|each| self.locals(&[*each], cut).is_empty())
            .collect();
        let mut all = self.prefix(cut);
        for each in &shared {
            all.push(substitute(self.terms, *each, &self.values));
        }
        if self.is_unsat(&all)? {
            return Ok(shared);
        }
        let cubes = self.by_values(&conditions, cut)?;
        Ok(vec![self.terms.not(cubes)])
    }

    /// The symbols of formulas that do not occur before a cut.
    fn locals(&self, formulas: &[TermId], cut: usize) -> Vec<Var> {
        let mut vars: Vec<Var> =
            formulas.iter().flat_map(|formula| self.terms.vars(*formula)).collect();
        vars.sort_unstable();
        vars.dedup();
        vars.retain(|var| !self.is_shared(*var, cut));
        vars
    }

    /// Replaces local symbols by the values that equations give them.
    fn solve_for_locals(&mut self, conditions: &mut Vec<TermId>, cut: usize) -> Result<(), Reason> {
        loop {
            self.look()?;
            let locals = self.locals(conditions, cut);
            let solved = conditions.iter().enumerate().find_map(|(index, each)| {
                let (var, value) = solution(self.terms, *each, &locals)?;
                Some((index, var, value))
            });
            let Some((index, var, value)) = solved else { return Ok(()) };
            conditions.remove(index);
            let map = FxHashMap::from_iter([(var, value)]);
            for each in conditions.iter_mut() {
                *each = substitute(self.terms, *each, &map);
            }
            conditions.retain(|each| !self.terms.is_true(*each));
        }
    }

    /// A formula that holds after everything before the cut and contradicts the conditions, put
    /// together from values of the shared symbols.
    fn by_values(&mut self, conditions: &[TermId], cut: usize) -> Result<TermId, Reason> {
        let mut shared: Vec<Var> =
            conditions.iter().flat_map(|each| self.terms.vars(*each)).collect();
        shared.sort_unstable();
        shared.dedup();
        shared.retain(|var| {
            self.is_shared(*var, cut) && !matches!(self.terms.var_sort(*var), Sort::Array(_))
        });
        let before = self.prefix(cut);
        let mut cubes: Vec<TermId> = Vec::new();
        for _ in 0..CUBES {
            let so_far = self.terms.or(&cubes);
            let missed = self.terms.not(so_far);
            let mut query = before.clone();
            query.push(substitute(self.terms, missed, &self.values));
            match self.solver.check(self.terms, &query, self.limits) {
                Answer::Unsat => return Ok(so_far),
                Answer::Unknown(reason) => return Err(reason),
                Answer::Sat => {}
            }
            let cube = self.model_of(&shared);
            let asked: Vec<TermId> = conditions.iter().chain(&cube).copied().collect();
            if !self.is_unsat(&asked)? {
                return Err(Reason::Failed("values do not tell the two sides apart".to_owned()));
            }
            let core = self.solver.core().to_vec();
            let cube: Vec<TermId> =
                cube.into_iter().filter(|literal| core.contains(literal)).collect();
            cubes.push(self.terms.and(&cube));
        }
        Err(Reason::Failed("the interpolant would list too many values".to_owned()))
    }

    /// The values of symbols in the model of the last check, as equations.
    fn model_of(&mut self, vars: &[Var]) -> Vec<TermId> {
        let mut literals = Vec::with_capacity(vars.len());
        for var in vars {
            let term = self.terms.var(*var);
            let value = self.values.get(var).copied().unwrap_or(term);
            let map: FxHashMap<Var, TermId> = self
                .terms
                .vars(value)
                .into_iter()
                .map(|free| {
                    let constant: Value = self.solver.value(self.terms, free);
                    (free, self.terms.constant(constant))
                })
                .collect();
            let value = substitute(self.terms, value, &map);
            literals.push(self.terms.eq(term, value));
        }
        literals
    }
}

/// The symbol and the value that an equation gives it, if that is simple to see.
fn solution(terms: &mut Terms, equation: TermId, locals: &[Var]) -> Option<(Var, TermId)> {
    let View::App(Op::Eq, &[a, b]) = terms.view(equation) else {
        // A Boolean symbol alone, or its negation.
        let (inner, value) = match terms.view(equation) {
            View::App(Op::Not, &[inner]) => (inner, false),
            _ => (equation, true),
        };
        let View::Var(var) = terms.view(inner) else { return None };
        let value = terms.bool(value);
        return locals.contains(&var).then_some((var, value));
    };
    isolate(terms, a, b, locals).or_else(|| isolate(terms, b, a, locals))
}

/// Solves `side = other` for a local symbol in `side` that is not in `other`.
fn isolate(
    terms: &mut Terms,
    mut side: TermId,
    mut other: TermId,
    locals: &[Var],
) -> Option<(Var, TermId)> {
    loop {
        match terms.view(side) {
            View::Var(var) => {
                let free = locals.contains(&var) && !terms.vars(other).contains(&var);
                return free.then_some((var, other));
            }
            View::App(op @ (Op::BvAdd | Op::Add), &[x, y]) => {
                let holds = |term: TermId| terms.vars(term).iter().any(|var| locals.contains(var));
                let (kept, moved) = match (holds(x), holds(y)) {
                    (true, false) => (x, y),
                    (false, true) => (y, x),
                    _ => return None,
                };
                let minus = if op == Op::Add { Op::Sub } else { Op::BvSub };
                other = terms.app(minus, &[other, moved]);
                side = kept;
            }
            _ => return None,
        }
    }
}

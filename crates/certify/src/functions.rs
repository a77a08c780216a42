//! Claims about functions: calls by what is claimed of the function that they call.
//!
//! Each claim is checked by itself: the activation begins in a state that the claim speaks of, and every way
//! through the function keeps the entries and returns in a state of one of the exits. A call within it is not
//! followed. There, the state must be one of which some claim about the called function speaks; of the state
//! after the call, this claim tells what holds, and everything else that the function may change is arbitrary.
//! Why this is enough, also where functions call themselves: look at the first step of an execution that a claim
//! excludes. All calls that have returned before this step have returned as claimed, so the ways that were
//! checked have this step among them.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use base::IndexVec;
use cfa::{Calls, EdgeId, FuncId, Op, Program, Scope};
use run::{Entry, FunctionClaim, Slot};
use rustc_hash::FxHashSet;
use term::{TermId, Var};

use crate::check::{Checker, Stop, Walk};
use crate::state::State;

/// How many claims that surely hold at a call are relied on together.
const MOST_SURE: usize = 4;

/// How many combinations of exits are followed of claims that are relied on together.
const MOST_EXITS: usize = 16;

/// What a function may change, with the functions that it calls, beside its own variables.
#[derive(Clone, PartialEq, Eq, Default)]
struct Changes {
    globals: BTreeSet<Var>,
    /// Whether what objects hold may change.
    contents: bool,
    /// Whether objects may end that do not belong to these activations.
    lives: bool,
}

/// A claim about a function, with its entries by their numbers.
struct Claimed {
    function: FuncId,
    before: Option<usize>,
    after: Vec<usize>,
}

/// The claims about functions.
#[derive(Default)]
pub(crate) struct FunctionClaims {
    claims: Vec<Claimed>,
    /// The claims on which calls of a function may rely.
    by_function: BTreeMap<FuncId, Vec<usize>>,
    changes: IndexVec<FuncId, Changes>,
    /// Variables that an operation assigns; parameters take their arguments without such an operation.
    assigned: FxHashSet<Var>,
}

/// What an entry is for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// Executions are followed from the entry, and end at it.
    Within,
    /// Executions are followed from the entry. Calls show that it holds.
    Before,
    /// Executions end at the entry. Calls rely on it.
    After,
}

impl FunctionClaims {
    /// Adds the entries of claims to a list, with the number of the claim and the role of each.
    pub(crate) fn new(
        claims: Vec<FunctionClaim>,
        entries: &mut Vec<Entry>,
        roles: &mut Vec<(usize, Role)>,
    ) -> Self {
        let mut all = Self::default();
        for (number, claim) in claims.into_iter().enumerate() {
            let FunctionClaim { function, before, entries: within, after } = claim;
            let mut add = |entry: Entry, role: Role| {
                entries.push(entry);
                roles.push((number, role));
                entries.len() - 1
            };
            for entry in within {
                add(entry, Role::Within);
            }
            let before = before.map(|entry| add(entry, Role::Before));
            let after = after.into_iter().map(|entry| add(entry, Role::After)).collect();
            if before.is_some() {
                all.by_function.entry(function).or_default().push(number);
            }
            all.claims.push(Claimed { function, before, after });
        }
        all
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.claims.is_empty()
    }

    /// The function that a claim is about.
    pub(crate) fn function(&self, claim: usize) -> Option<FuncId> {
        self.claims.get(claim).map(|claim| claim.function)
    }

    /// Whether a function may change what objects hold.
    pub(crate) fn writes(&self, function: FuncId) -> bool {
        self.changes[function].contents
    }

    /// Whether a function may change a variable: a global, or one of its own. Parameters that nothing assigns keep the
    /// values of their arguments.
    pub(crate) fn assigns(&self, program: &Program, function: FuncId, var: Var) -> bool {
        match program.cfa.variables[var].scope {
            Scope::Global => self.changes[function].globals.contains(&var),
            Scope::Local(of) => {
                let parameters = &program.cfa.functions[of].parameters;
                !parameters.contains(&var) || self.assigned.contains(&var)
            }
            Scope::Address(_) => false,
        }
    }

    /// The entries at the exit of the function that a claim is about.
    pub(crate) fn after(&self, claim: usize) -> Vec<usize> {
        self.claims.get(claim).map(|claim| claim.after.clone()).unwrap_or_default()
    }
}

impl Checker<'_> {
    /// Looks at what functions change, for calls by claims.
    pub(crate) fn look_at_functions(&mut self) -> Result<(), Stop> {
        let program = self.program;
        let cfa = &program.cfa;
        let ids = cfa.functions.ids();
        let mut changes: IndexVec<FuncId, Changes> = ids.map(|_| Changes::default()).collect();
        let mut assigned = FxHashSet::default();
        for edge in cfa.edges.iter() {
            let own = &mut changes[cfa.locations[edge.source].function];
            for op in &edge.ops {
                assigned.extend(op.assigned());
                let globals = op.assigned().iter().filter(|var| self.is_global(**var));
                own.globals.extend(globals);
                match op {
                    Op::HavocReachable { .. } => {
                        let all = cfa.variables.ids().filter(|var| self.is_global(*var));
                        own.globals.extend(all);
                        own.contents = true;
                    }
                    Op::Output { function, arguments } => {
                        if let Some(format) = printf::format(function, arguments) {
                            own.contents |= !self.only_prints(*format);
                        }
                    }
                    Op::Free { .. } => own.lives = true,
                    Op::Store { .. }
                    | Op::Copy { .. }
                    | Op::Fill { .. }
                    | Op::HavocMemory { .. } => own.contents = true,
                    Op::Assume(_)
                    | Op::Assign { .. }
                    | Op::Havoc { .. }
                    | Op::Load { .. }
                    | Op::Size { .. }
                    | Op::Valid { .. }
                    | Op::Alloc { .. }
                    | Op::Check { .. }
                    | Op::Call { .. }
                    | Op::Exit(_)
                    | Op::Abort
                    | Op::Unsupported(_) => {}
                }
            }
        }
        // What a callee changes, its callers change, too.
        let calls = Calls::of(cfa);
        let mut pending: BTreeSet<FuncId> = cfa.functions.ids().collect();
        while let Some(callee) = pending.pop_last() {
            self.look()?;
            let of_callee = changes[callee].clone();
            for caller in calls.callers(callee).iter().filter(|caller| **caller != callee) {
                let known = &mut changes[*caller];
                let before = (known.globals.len(), known.contents, known.lives);
                known.globals.extend(&of_callee.globals);
                known.contents |= of_callee.contents;
                known.lives |= of_callee.lives;
                if before != (known.globals.len(), known.contents, known.lives) {
                    pending.insert(*caller);
                }
            }
        }
        self.functions.changes = changes;
        self.functions.assigned = assigned;
        Ok(())
    }

    /// Sorts the claims about each function, so that claims which speak of more values before the call come first: if
    /// several claims hold at a call, the first of them are relied on, and claims that speak of more values mostly say
    /// more.
    pub(crate) fn order_claims(&mut self) {
        let detail = |claim: &usize| {
            let Some(before) = self.functions.claims[*claim].before else { return (0, 0) };
            let kept = &self.entries[before].kept;
            let excepted = kept.iter().flat_map(|kept| &kept.except);
            let spared = excepted
                .fold(0_u64, |sum, (from, to)| sum.saturating_add(to.saturating_sub(*from)));
            (self.mentioned[before].len() + kept.len(), u64::MAX - spared)
        };
        let mut ordered = self.functions.by_function.clone();
        for claims in ordered.values_mut() {
            claims.sort_by_key(|claim| Reverse(detail(claim)));
        }
        self.functions.by_function = ordered;
    }

    /// Takes executions over a call, by what is claimed of the function.
    pub(crate) fn rely(
        &mut self,
        walk: &mut Walk,
        call: EdgeId,
        callee: FuncId,
        mut state: State,
    ) -> Result<(), Stop> {
        let program = self.program;
        let edge = &program.cfa.edges[call];
        let function = &program.cfa.functions[callee];
        if !self.map.is_followed(function.entry) {
            return Ok(());
        }
        let below = state.stack;
        let to = self.map.push(below, call);
        self.call(&mut state, edge, to);
        let claims = self.functions.by_function.get(&callee).cloned().unwrap_or_default();
        let mut cases = Vec::new();
        let mut sure = Vec::new();
        for claim in &claims {
            self.look()?;
            let Some(before) = self.functions.claims[*claim].before else { continue };
            let case = self.holds(&mut state, before);
            if self.terms.is_true(case) {
                sure.push(*claim);
            } else if sure.is_empty() && !self.terms.is_false(case) {
                cases.push((vec![*claim], case));
            }
            if sure.len() == MOST_SURE {
                break;
            }
        }
        if !sure.is_empty() {
            cases.iter_mut().for_each(|(claims, _)| claims.extend(&sure));
            cases.push((sure, self.terms.bool(true)));
        }
        if claims.len() > 1 {
            // Only a part of what the claims say together is relied on, and the proof may need more of it.
            state.be_rough("claims about a function of which several may hold at a call");
        }
        let conditions: Vec<TermId> = cases.iter().map(|(_, case)| *case).collect();
        let one = self.terms.or(&conditions);
        let what = || format!("any claim about {} at the call {call}", function.name);
        self.oblige(&state, one, what)?;
        if !self.map.is_followed(edge.target) || !self.map.is_reachable(function.exit) {
            return Ok(());
        }
        if !self.map.is_followed(function.exit) {
            // No way to the exit of the function was followed, so nothing is known of how it returns.
            return Err(Stop::Open(format!(
                "a return from {} that is not followed",
                function.name
            )));
        }
        self.be_changed(&mut state, callee);
        let mut returned = Vec::new();
        let mut no_other = self.terms.bool(true);
        for (claims, case) in cases {
            let only = self.terms.and2(no_other, case);
            let not = self.terms.not(case);
            no_other = self.terms.and2(no_other, not);
            let mut state = state.clone();
            if state.guard.add(&self.terms, only) {
                returned.extend(self.as_claimed(state, &claims)?);
            }
        }
        let choices = self.choices_of(returned.len());
        for (mut state, choice) in returned.into_iter().zip(choices) {
            if state.guard.add(&self.terms, choice) {
                self.leave(&mut state, call, below);
                self.arrive(walk, edge.target, state)?;
            }
        }
        Ok(())
    }

    /// The states in which an activation may return if all of these claims hold of it: of each claim, one exit holds.
    fn as_claimed(&mut self, state: State, claims: &[usize]) -> Result<Vec<State>, Stop> {
        let mut states = vec![state];
        for (number, claim) in claims.iter().enumerate() {
            let exits = self.functions.after(*claim);
            if number > 0 && exits.len() * states.len() > MOST_EXITS {
                continue;
            }
            let mut next = Vec::new();
            for state in &states {
                for exit in &exits {
                    self.look()?;
                    let mut state = state.clone();
                    if self.assume_entry(&mut state, *exit) {
                        next.push(state);
                    }
                }
            }
            states = next;
        }
        Ok(states)
    }

    /// Forgets everything that an activation of a function may have changed when it returns.
    fn be_changed(&mut self, state: &mut State, callee: FuncId) {
        let depth = self.map.depth(state.stack);
        let claims = self.functions.claims.iter().filter(|claim| claim.function == callee);
        let entries = claims.flat_map(|claim| claim.before.iter().chain(&claim.after));
        let mentioned = entries.flat_map(|index| self.mentioned[*index].iter());
        let mentioned = mentioned.filter_map(|symbol| match self.symbols.get(symbol) {
            Some(Slot::Local { var, .. }) => Some(*var),
            _ => None,
        });
        let function = &self.program.cfa.functions[callee];
        let locals = function.locals.iter().chain(&function.results).copied();
        let locals: BTreeSet<Var> = locals.chain(mentioned).collect();
        let assigns = |var: &Var| self.functions.assigns(self.program, callee, *var);
        let locals = locals.into_iter().filter(assigns);
        let changes = self.functions.changes[callee].clone();
        let globals = changes.globals.into_iter().map(|var| (0, var));
        let changed: Vec<_> = locals.map(|var| (depth, var)).chain(globals).collect();
        for (depth, var) in changed {
            let sort = self.terms.var_sort(var);
            let value = self.fresh(sort);
            state.assign((depth, var), value);
        }
        if changes.contents {
            state.memory().forget();
        }
        if changes.lives {
            state.memory().may_end();
        }
    }

    /// Checks that one of the exits that are claimed of a function holds.
    pub(crate) fn must_return(&mut self, state: State) -> Result<(), Stop> {
        let claim = self.within;
        let after = self.functions.after(claim);
        let name = self.functions.function(claim).map_or_else(
            || claim.to_string(),
            |function| self.program.cfa.functions[function].name.to_string(),
        );
        self.one_holds(state, &after, || format!("no claim about {name} holds at its return"))
    }
}

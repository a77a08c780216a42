//! Rounds that are not determined by the values at their beginning: they ask for inputs, touch memory,
//! choose between edges, contain other loops, call functions that do any of this.
//!
//! A symbol that is new in the table stands for each value that the round does not determine. Memory is
//! not followed: every loaded value is such a value. `round` walks over the operations of all rounds and
//! calls this file where a value is not determined, so the two files know each other.

use std::collections::BTreeSet;

use base::IndexVec;
use cfa::{Calls, Cfa, Choice, EdgeId, FuncId, LocId, Loops, Op, Scope};
use interp::Site;
use term::{Sort, TermId, Var};

use super::round::{State, Walker, is_end};

/// What is known about a loop whose rounds may do anything.
pub(super) struct Loose<'a> {
    loops: &'a Loops,
    effects: &'a Effects,
    head: LocId,
    /// The symbols for what a round does not determine.
    pub(super) chosen: BTreeSet<Var>,
    /// The symbols among `chosen` that are inputs, in the function of the loop itself.
    pub(super) inputs: Vec<Input>,
    /// Whether a round may do something that the updates and the symbols for inputs do not tell.
    pub(super) vague: bool,
}

/// An input that a round may ask for.
pub(super) struct Input {
    pub(super) symbol: Var,
    /// The operation that asks for the input.
    pub(super) site: Site,
    /// The round asks for the input if this condition holds and the round is not left before.
    pub(super) guard: TermId,
}

impl<'a> Loose<'a> {
    pub(super) fn new(loops: &'a Loops, effects: &'a Effects, head: LocId) -> Self {
        let (chosen, inputs) = (BTreeSet::new(), Vec::new());
        Self { loops, effects, head, chosen, inputs, vague: false }
    }

    /// The edges that leave the loop with this head, unless that is the loop whose rounds are
    /// executed: all rounds of other loops are passed at once.
    pub(super) fn passed(&self, cfa: &Cfa, at: LocId) -> Option<Vec<EdgeId>> {
        let id = self.loops.headed(at).filter(|_| at != self.head)?;
        Some(self.loops.exits(cfa, id))
    }
}

impl Walker<'_, '_> {
    /// A value that the round does not determine.
    pub(super) fn symbol(&mut self, sort: Sort) -> TermId {
        self.be_vague();
        let symbol = self.terms.declare("chosen", sort);
        if let Some(loose) = &mut self.loose {
            loose.chosen.insert(symbol);
        }
        self.terms.var(symbol)
    }

    fn forget(&mut self, state: &mut State, var: Var) {
        let value = self.symbol(self.terms.var_sort(var));
        state.values.insert(var, value);
    }

    /// Takes an operation that does not say by terms what it does. `None` if such operations are not allowed.
    pub(super) fn take_loosely(&mut self, site: Site, op: &Op, state: &mut State) -> Option<()> {
        self.loose.as_ref()?;
        if let Op::Havoc { var, choice: Choice::Input(_) | Choice::External(_) } = op
            && self.functions.len() == 1
        {
            let guard: Vec<TermId> = state.guard.iter().copied().collect();
            let guard = self.terms.and(&guard);
            let symbol = self.terms.declare("input", self.terms.var_sort(*var));
            state.values.insert(*var, self.terms.var(symbol));
            if let Some(loose) = &mut self.loose {
                loose.chosen.insert(symbol);
                loose.inputs.push(Input { symbol, site, guard });
            }
            return Some(());
        }
        if !matches!(op, Op::Output { .. }) {
            self.be_vague();
        }
        for var in op.assigned() {
            self.forget(state, *var);
        }
        if matches!(op, Op::HavocReachable { .. }) {
            self.forget_globals(state);
        }
        Some(())
    }

    /// Notes that a round may do something that the updates and the symbols for inputs do not tell.
    fn be_vague(&mut self) {
        if let Some(loose) = &mut self.loose {
            loose.vague = true;
        }
    }

    fn forget_globals(&mut self, state: &mut State) {
        let variables = &self.program.cfa.variables;
        let globals: Vec<Var> = variables
            .entries()
            .filter(|(_, known)| known.scope == Scope::Global)
            .map(|(var, _)| var)
            .collect();
        for var in globals {
            self.forget(state, var);
        }
    }

    /// Takes any of several edges. `None` if a round may not choose.
    pub(super) fn choose(
        &mut self,
        edges: &[EdgeId],
        inside: &BTreeSet<LocId>,
        state: &State,
    ) -> Option<Vec<(EdgeId, usize, State)>> {
        self.loose.as_ref()?;
        self.be_vague();
        let cfa = &self.program.cfa;
        let mut taken = Vec::new();
        for edge in edges {
            let known = &cfa.edges[*edge];
            if !inside.contains(&known.target) || known.ops.iter().any(is_end) {
                continue;
            }
            let mut state = state.clone();
            state.guard.insert(self.symbol(Sort::Bool));
            taken.push((*edge, 0, state));
        }
        Some(taken)
    }

    /// Passes all rounds of another loop: whatever these may change is not determined any more, nor is
    /// where the loop is left. `None` if the loop may be entered in its middle.
    pub(super) fn pass_loop(
        &mut self,
        head: LocId,
        inside: &BTreeSet<LocId>,
        mut state: State,
    ) -> Option<Vec<(EdgeId, usize, State)>> {
        let loops = self.loose.as_ref()?.loops;
        let id = loops.headed(head)?;
        if !loops.loops[id].reducible {
            return None;
        }
        let cfa = &self.program.cfa;
        let mut changed: BTreeSet<Var> = BTreeSet::new();
        let mut calls: BTreeSet<FuncId> = BTreeSet::new();
        let mut globals = false;
        for at in loops.body(id) {
            for op in cfa.locations[*at].edges.iter().flat_map(|edge| &cfa.edges[*edge].ops) {
                changed.extend(op.assigned());
                match op {
                    Op::HavocReachable { .. } => globals = true,
                    Op::Call { callee, .. } => {
                        calls.insert(*callee);
                    }
                    _ => {}
                }
            }
        }
        for var in changed {
            self.forget(&mut state, var);
        }
        for callee in calls {
            self.forget_effects(callee, &mut state);
        }
        if globals {
            self.forget_globals(&mut state);
        }
        let exits = loops.exits(cfa, id);
        self.choose(&exits, inside, &state)
    }

    /// Calls a function: executes it if that is possible, and otherwise forgets what it may change.
    pub(super) fn call_loosely(
        &mut self,
        callee: FuncId,
        arguments: &[TermId],
        results: &[Var],
        state: State,
    ) -> State {
        let (leaves, depth) = (self.leaves.clone(), self.functions.len());
        if let Some(after) = self.call(callee, arguments, results, state.clone()) {
            return after;
        }
        self.be_vague();
        self.leaves = leaves;
        self.functions.truncate(depth);
        let mut state = state;
        self.forget_effects(callee, &mut state);
        for var in results {
            self.forget(&mut state, *var);
        }
        state
    }

    /// Forgets the global variables that a function, or one that it calls, may change.
    fn forget_effects(&mut self, callee: FuncId, state: &mut State) {
        let Some(effects) = self.loose.as_ref().map(|loose| loose.effects) else { return };
        match effects.of(callee) {
            Some(changed) => changed.into_iter().for_each(|var| self.forget(state, var)),
            None => self.forget_globals(state),
        }
    }
}

/// The global variables that functions change.
pub(super) struct Effects {
    calls: Calls,
    /// The global variables that a function changes itself; `None` if it may change any.
    own: IndexVec<FuncId, Option<BTreeSet<Var>>>,
}

impl Effects {
    pub(super) fn new(cfa: &Cfa) -> Self {
        let mut own = IndexVec::filled(Some(BTreeSet::new()), cfa.functions.len());
        for edge in &cfa.edges {
            let changed = &mut own[cfa.locations[edge.source].function];
            for op in &edge.ops {
                if matches!(op, Op::HavocReachable { .. }) {
                    *changed = None;
                }
                let is_global = |var: &&Var| cfa.variables[**var].scope == Scope::Global;
                if let Some(changed) = changed {
                    changed.extend(op.assigned().iter().filter(is_global));
                }
            }
        }
        Self { calls: Calls::of(cfa), own }
    }

    /// The global variables that a function changes, itself or through functions that it calls. `None` if it may
    /// change any.
    fn of(&self, function: FuncId) -> Option<BTreeSet<Var>> {
        let mut seen = BTreeSet::from([function]);
        let mut waiting = vec![function];
        let mut changed = BTreeSet::new();
        while let Some(function) = waiting.pop() {
            changed.extend(self.own[function].as_ref()?);
            waiting
                .extend(self.calls.callees(function).iter().filter(|callee| seen.insert(**callee)));
        }
        Some(changed)
    }
}

//! What a finished exploration knows at the heads of loops.

use cfa::{Cfa, FuncId, LocId, Loops, Scope};
use cpa::{Arg, Cpa};
use engines::{Invariant, Invariants};
use rustc_hash::FxHashMap;
use term::TermId;

use crate::predicate::{Predicates, State};

impl Predicates<'_> {
    /// What holds whenever executions pass the head of a loop: that one of the states found there
    /// does. The graph must be closed and without targets.
    ///
    /// Nothing is said of loops in functions that are called from several places, or that no path
    /// to an error leads through: the graph may lack some of the executions there.
    pub fn invariants<C: Cpa>(
        &mut self,
        arg: &Arg<C>,
        relevant: &dyn Fn(LocId) -> bool,
        state: &dyn Fn(&C::State) -> State,
    ) -> Invariants {
        let cfa = &self.program.cfa;
        let mut list = Vec::new();
        for each in &Loops::of(cfa).loops {
            let head = each.head;
            let function = cfa.locations[head].function;
            if !relevant(head) || !has_one_context(cfa, function) {
                continue;
            }
            let nodes = arg.nodes().filter(|(id, _)| arg.place(*id).location == head);
            let states: Vec<State> = nodes.map(|(_, node)| state(&node.state)).collect();
            let mut cases: Vec<TermId> =
                states.iter().filter_map(|state| self.in_names(*state, function)).collect();
            // Where a case cannot be told, nothing is known.
            if cases.len() != states.len() || cases.is_empty() {
                continue;
            }
            cases.sort_unstable();
            cases.dedup();
            let formula = self.terms.or(&cases);
            if self.terms.value(formula).is_none() {
                list.push(Invariant { location: head, formula, exact: Vec::new() });
            }
        }
        Invariants { terms: self.terms.clone(), list }
    }

    /// What is known in a state at the start of a block, over variables that a function sees and
    /// that have a name in the source.
    fn in_names(&mut self, state: State, function: FuncId) -> Option<TermId> {
        let (known, is_start) = self.known(state);
        let depth = self.frames[&self.graph.points[state.0].stack].1;
        let cfa = &self.program.cfa;
        let mut images = FxHashMap::default();
        for symbol in self.terms.vars(known) {
            let (at, var) = self.symbols.place(cfa, symbol)?;
            let seen = match cfa.variables[var].scope {
                Scope::Global => true,
                Scope::Local(owner) => owner == function && at == depth,
                Scope::Address(_) => false,
            };
            if !seen || cfa.variables[var].source_name.is_none() {
                return None;
            }
            images.insert(symbol, self.terms.var(var));
        }
        is_start.then(|| self.terms.substitute(known, &mut |symbol| images.get(&symbol).copied()))
    }
}

/// Whether all activations of a function come from one place, and so on up to the start.
fn has_one_context(cfa: &Cfa, function: FuncId) -> bool {
    let mut at = function;
    // A function that calls itself is called from two places, or never starts.
    for _ in 0..=cfa.functions.len() {
        let mut calls = cfa.edges.iter().filter(|edge| edge.callee() == Some(at));
        match (calls.next(), calls.next()) {
            (None, _) => return cfa.start == Some(at),
            (Some(call), None) if cfa.start != Some(at) => at = cfa.locations[call.source].function,
            _ => return false,
        }
    }
    false
}

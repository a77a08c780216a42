//! What predicates say of a state, in the variables of the program.

use cfa::{FuncId, Scope};
use rustc_hash::FxHashMap;
use term::{Op, TermId, View};

use crate::predicate::{Predicates, State};

impl Predicates<'_> {
    /// What is known in a state, as far as variables can tell it that a function sees and that
    /// have a name in the source. Inside of blocks nothing is.
    pub fn in_names(&mut self, state: State, function: FuncId) -> TermId {
        let (known, is_start) = self.known(state);
        if !is_start {
            return self.terms.bool(true);
        }
        let depth = self.frames[&self.graph.points[state.0].stack].1;
        let parts = match self.terms.view(known) {
            View::App(Op::And, parts) => parts.to_vec(),
            _ => vec![known],
        };
        let told: Vec<TermId> =
            parts.into_iter().filter_map(|part| self.rename(part, function, depth)).collect();
        self.terms.and(&told)
    }

    /// A formula over symbols as one over variables.
    fn rename(&mut self, formula: TermId, function: FuncId, depth: u32) -> Option<TermId> {
        let cfa = &self.program.cfa;
        let mut images = FxHashMap::default();
        for symbol in self.terms.vars(formula) {
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
        Some(self.terms.substitute(formula, &mut |symbol| images.get(&symbol).copied()))
    }
}

//! Symbols for the values that variables have at the start of a block, and for what is chosen in it.

use cfa::{Cfa, EdgeId, Scope};
use cpa::StackId;
use rustc_hash::FxHashMap;
use term::{Sort, TermId, Terms, Var};

/// Something arbitrary in a block. No execution meets the same arbitrary value twice in one block, because a block has
/// no cycle of places.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Fresh {
    /// What an operation gives to a variable.
    Input { edge: EdgeId, op: u32, stack: StackId, var: Var },
    /// The value of a variable at the start of the activation on top of the stack.
    Entry { stack: StackId, var: Var },
    /// Whether this edge is taken where other edges could be taken, too.
    Choice { edge: EdgeId, stack: StackId },
}

/// Where the value of a variable is kept: globals at depth zero, locals at the number of
/// activations up to theirs.
pub(crate) type VarPlace = (u32, Var);

/// All symbols of an analysis.
#[derive(Default)]
pub(crate) struct Symbols {
    current: FxHashMap<VarPlace, Var>,
    places: FxHashMap<Var, VarPlace>,
    fresh: FxHashMap<Fresh, TermId>,
}

impl Symbols {
    /// The symbol for the value of a variable at the start of a block. A global is its own symbol.
    pub(crate) fn current(&mut self, terms: &mut Terms, (depth, var): VarPlace) -> Var {
        if depth == 0 {
            return var;
        }
        let places = &mut self.places;
        *self.current.entry((depth, var)).or_insert_with(|| {
            let name = format!("{}@{depth}", terms.var_name(var));
            let symbol = terms.declare(name, terms.var_sort(var));
            places.insert(symbol, (depth, var));
            symbol
        })
    }

    /// The variable whose value a symbol is, if the symbol is the value of a variable.
    pub(crate) fn place(&self, cfa: &Cfa, symbol: Var) -> Option<VarPlace> {
        match cfa.variables.get(symbol) {
            Some(known) if known.scope == Scope::Global => Some((0, symbol)),
            Some(_) => None,
            None => self.places.get(&symbol).copied(),
        }
    }

    /// The symbols that are values of locals at the start of a block, in no particular order.
    pub(crate) fn locals(&self) -> impl Iterator<Item = (Var, VarPlace)> + '_ {
        self.places.iter().map(|(symbol, place)| (*symbol, *place))
    }

    /// The symbol for something arbitrary.
    pub(crate) fn fresh(&mut self, terms: &mut Terms, what: Fresh) -> TermId {
        *self.fresh.entry(what).or_insert_with(|| {
            let (name, sort) = match what {
                Fresh::Input { var, .. } | Fresh::Entry { var, .. } => {
                    (format!("{}#{}", terms.var_name(var), terms.var_count()), terms.var_sort(var))
                }
                Fresh::Choice { .. } => (format!("edge#{}", terms.var_count()), Sort::Bool),
            };
            let symbol = terms.declare(name, sort);
            terms.var(symbol)
        })
    }
}

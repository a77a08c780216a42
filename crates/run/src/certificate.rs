//! The claims of an analysis, which another program can check.

use std::collections::BTreeMap;
use std::fmt;

use cfa::{EdgeId, FuncId, LocId, ObjectId};
use term::{Sort, TermId, Terms, Var};

/// A claim, and what is enough to see that no error is reached: that executions pass some places only in states of one
/// of the entries for this place, or claims about the rounds of loops, or claims about functions.
#[derive(Clone, Default)]
pub struct Certificate {
    /// The table of the formulas: the table of the program, which may have grown.
    pub terms: Terms,
    /// The symbols that stand for values, other than globals and constant addresses, which stand
    /// for themselves.
    pub symbols: BTreeMap<Slot, Var>,
    /// The claims. If several entries have the same place, at least one of them holds whenever executions pass this
    /// place.
    pub entries: Vec<Entry>,
    /// Claims about the rounds of loops. Where there are such claims there are no entries.
    pub rounds: Option<Rounds>,
    /// Claims about functions, wherever they are called. The first claim is about the activation that the program
    /// starts with. A certificate with claims about functions has neither entries nor claims about rounds.
    pub functions: Vec<FunctionClaim>,
    /// Something that the analysis knows and that a certificate cannot express. If the check fails, this may be why.
    pub omitted: Option<String>,
}

impl Certificate {
    /// A certificate without entries, over a table that has the terms of the program.
    #[must_use]
    pub fn new(terms: Terms) -> Self {
        let (symbols, entries, functions) = (BTreeMap::new(), Vec::new(), Vec::new());
        Self { terms, symbols, entries, rounds: None, functions, omitted: None }
    }

    /// The value of a slot as a term.
    pub fn slot(&mut self, slot: Slot) -> TermId {
        let terms = &mut self.terms;
        let symbol = *self.symbols.entry(slot).or_insert_with(|| slot.declare(terms));
        terms.var(symbol)
    }

    /// Notes something that the analysis knows and that a certificate cannot express. Only the first note is kept.
    pub fn omit(&mut self, what: &str) {
        self.omitted.get_or_insert_with(|| what.to_owned());
    }
}

/// A place and what holds there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The location.
    pub location: LocId,
    /// The calls that have not returned, the first one first.
    pub calls: Vec<EdgeId>,
    /// A formula over globals, constant addresses and symbols with slots.
    pub formula: TermId,
    /// Objects that still hold the bytes that they had at the start, with exceptions.
    pub kept: Vec<Kept>,
}

/// How executions go round loops. All executions are followed from the start, with the calls that have not returned; a
/// loop with a claim is followed in the way that the claim says.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Rounds {
    /// What is claimed of loops, at most one claim for a head with its calls.
    pub loops: Vec<LoopClaim>,
    /// No execution makes more rounds than this of a loop of which nothing is claimed.
    pub most: u32,
}

/// A claim about the rounds of a loop: k-induction with an invariant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopClaim {
    /// The head of the loop.
    pub head: LocId,
    /// The calls that have not returned, the first one first.
    pub calls: Vec<EdgeId>,
    /// A formula over globals, constant addresses, and symbols with slots. It holds at the head before each round but
    /// for the first `from` rounds.
    pub formula: TermId,
    /// The number of the first round before which the formula holds.
    pub from: u32,
    /// After `k` rounds in a row that meet no error, and before each of which the formula holds, the formula holds
    /// before the next round, and that round meets no error.
    pub k: u32,
}

/// A claim about a function from some states on: the activations that begin in one of these states pass
/// the places of the entries in their states, and return in a state of one of the exits. Nothing is said
/// of its callers. So the entries have no calls, and the activation has depth one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FunctionClaim {
    /// The function.
    pub function: FuncId,
    /// The states, at the entry of the function. Without them, the claim is about the activation that
    /// the program starts with, and no call may rely on it.
    pub before: Option<Entry>,
    /// What holds within the function.
    pub entries: Vec<Entry>,
    /// The states at the exit of the function: one of them holds.
    pub after: Vec<Entry>,
}

/// Where a value is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Slot {
    /// A local variable of an activation; the activation that the program starts with has depth one.
    Local {
        /// The depth of the activation.
        depth: u32,
        /// The variable.
        var: Var,
    },
    /// The value that a variable had when executions came to the head of the loop from outside. This slot is used in
    /// claims about rounds only.
    Before {
        /// The depth of the activation; zero for a global.
        depth: u32,
        /// The variable.
        var: Var,
    },
    /// Bytes of memory, as a bit-vector.
    Bytes {
        /// The object.
        object: ObjectId,
        /// The first byte.
        offset: u64,
        /// The number of bytes.
        length: u32,
    },
}

impl Slot {
    /// A new symbol for the value.
    pub fn declare(self, terms: &mut Terms) -> Var {
        match self {
            Slot::Local { depth, var } => {
                let name = format!("{}@{depth}", terms.var_name(var));
                terms.declare(name, terms.var_sort(var))
            }
            Slot::Before { depth, var } => {
                let name = format!("{}@{depth}~", terms.var_name(var));
                terms.declare(name, terms.var_sort(var))
            }
            Slot::Bytes { object, offset, length } => {
                terms.declare(format!("{object}[{offset}:{length}]"), Sort::Bv(8 * length))
            }
        }
    }
}

/// The claim that an object which exists from the start still holds the bytes that it had then.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Kept {
    /// The object.
    pub object: ObjectId,
    /// The bytes for which this is not claimed: ranges from a first byte to the byte behind the last one, in order.
    pub except: Vec<(u64, u64)>,
}

impl fmt::Debug for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.entries).entries(&self.functions).finish()
    }
}

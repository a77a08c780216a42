//! The operations that are left open, and the words that stand for their results.

use rustc_hash::FxHashMap;
use rustsat::types::Lit;

/// An operation on two operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum LazyKind {
    /// The product, in as many bits as both operands have together.
    Product,
    /// The first operand, shifted up by this many bits, divided by the second, which is not zero: the lowest bit of the
    /// result says whether there is a remainder, the other bits are the quotient.
    Quotient(usize),
}

/// The place of an operation in [`Lazy`].
pub(crate) type LazyId = usize;

/// Two operands and the word that stands for the result.
#[derive(Clone)]
pub(crate) struct Operation {
    pub(super) kind: LazyKind,
    pub(super) a: Vec<Lit>,
    pub(super) b: Vec<Lit>,
    pub(super) result: Vec<Lit>,
    /// How many models were refuted by lemmas about this operation.
    pub(super) refuted: u32,
    /// Whether the circuit has been built, so that no model can be wrong any more.
    pub(super) built: bool,
}

/// The operations that were left open.
pub(crate) struct Lazy {
    /// An operation is left open if its circuit would have at least this many cells.
    pub cells: usize,
    /// How many models are refuted by lemmas about an operation before its circuit is built.
    pub patience: u32,
    pub(super) operations: Vec<Operation>,
    pub(super) places: FxHashMap<(LazyKind, Vec<Lit>, Vec<Lit>), LazyId>,
    /// Operations that were asked for since the last [`Lazy::take_asked`].
    pub(super) asked: Vec<LazyId>,
}

/// A circuit with at least this many cells is left open. Products of floats in single precision have more cells, also
/// most products with a constant; products in half precision have fewer (decision 25).
const CELLS: usize = 250;

/// A lemma costs a thousandth of a circuit, and most questions need few lemmas (decision 25).
const PATIENCE: u32 = 100;

impl Default for Lazy {
    fn default() -> Self {
        Self {
            cells: CELLS,
            patience: PATIENCE,
            operations: Vec::new(),
            places: FxHashMap::default(),
            asked: Vec::new(),
        }
    }
}

impl Lazy {
    /// Whether no operation was left open.
    pub fn is_empty(&self) -> bool {
        self.operations.is_empty()
    }

    /// The operations that were asked for since the last call of this function.
    pub fn take_asked(&mut self) -> Vec<LazyId> {
        std::mem::take(&mut self.asked)
    }
}

//! Reads of arrays, equations between arrays and lemmas about them, as data.

use rustc_hash::FxHashMap;
use rustsat::types::Lit;
use term::{Sort, TermId, Terms, Value, View};

use crate::arithmetic::AtomId;
use crate::circuit::Circuit;

/// What is known of the arrays of an instance.
#[derive(Default)]
pub(crate) struct Arrays {
    /// Whether the instance has arrays.
    pub used: bool,
    pub(super) equations: FxHashMap<TermId, Equation>,
    pub(super) lemmas: Vec<Lemma>,
}

/// The terms whose reads a lemma is about, and the atoms of arithmetic in it.
pub(super) struct Lemma {
    pub(super) owners: Vec<TermId>,
    pub(super) atoms: Vec<AtomId>,
}

/// An index: an index of a term, or an index that equations need.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Part {
    Term(TermId),
    /// The index at which the sides of an equation differ if the equation is false; the number is that of the
    /// dimension.
    Witness(TermId, usize),
    Constant(Value),
    /// An index that differs from every other index.
    Elsewhere,
}

/// The values of indices, the outermost first; `None` is the value of the index [`Part::Elsewhere`].
pub(super) type Key = Vec<Option<Value>>;

/// A read of an array, by a term or for an equation.
#[derive(Clone)]
pub(super) struct Site {
    pub(super) array: TermId,
    /// The indices, the outermost first.
    pub(super) indices: Vec<Part>,
    pub(super) value: Circuit,
    /// The term of the read, or the equation that the read is made for.
    pub(super) owner: TermId,
    /// The literal under which this counts as a read; none if it always does.
    pub(super) condition: Option<Lit>,
}

impl Arrays {
    /// Each lemma's terms and atoms: the atoms matter if all terms do.
    pub fn lemmas(&self) -> impl Iterator<Item = (&[TermId], &[AtomId])> {
        self.lemmas.iter().map(|lemma| (lemma.owners.as_slice(), lemma.atoms.as_slice()))
    }
}

/// An equation between arrays.
pub(super) struct Equation {
    pub(super) literal: Lit,
    /// The index at which the sides differ if the equation is false, with a circuit for each dimension.
    pub(super) witness: Vec<Circuit>,
    /// The reads of both sides at this index.
    pub(super) differ: Vec<Site>,
    /// The reads of both sides at indices in use: two reads with a common value for each index.
    pub(super) agree: Vec<Site>,
}

/// The terms whose circuits are needed to follow reads of arrays among `args`, and those among
/// `args` that are no arrays.
pub(crate) fn parts(terms: &Terms, args: &[TermId], found: &mut Vec<TermId>) {
    let mut todo = Vec::new();
    let mut sort_out = |args: &[TermId], todo: &mut Vec<TermId>| {
        for arg in args {
            let is_array = matches!(terms.sort(*arg), Sort::Array(_));
            if is_array { todo.push(*arg) } else { found.push(*arg) }
        }
    };
    sort_out(args, &mut todo);
    let mut seen = rustc_hash::FxHashSet::default();
    while let Some(at) = todo.pop() {
        if seen.insert(at)
            && let View::App(_, args) = terms.view(at)
        {
            sort_out(args, &mut todo);
        }
    }
}

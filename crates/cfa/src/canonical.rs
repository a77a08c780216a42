//! The terms of a program in an order of their own.
//!
//! A term table puts the arguments of `a = b` or `a + b` in order by age, so that the same
//! program reads differently depending on how it was built. Here its terms are built anew in
//! an order that follows from what they are, so that equal programs have equal texts.

use std::fmt::Display;

use base::Id;
use rustc_hash::FxHashMap;
use term::{Op as Operator, Sort, TermId, Terms, View};

use crate::{Contents, Program};

/// A table with the terms of a program, in canonical order.
pub(crate) struct Canonical {
    pub(crate) terms: Terms,
    /// The new term for each old one that the program uses.
    pub(crate) image: FxHashMap<TermId, TermId>,
}

impl Canonical {
    /// Builds the terms of a program anew. Symbols keep their ids.
    pub(crate) fn of(program: &Program) -> Self {
        let old = &program.terms;
        let mut order: Vec<(Key, TermId)> = keys(old, old.post_order(&roots(program)));
        order.sort_unstable();
        let mut new = Self { terms: Terms::new(), image: FxHashMap::default() };
        for var in (0..old.var_count()).map(term::Var::from_index) {
            let sort = new.terms.import_sort(old, old.var_sort(var));
            new.terms.declare(old.var_name(var), sort);
        }
        let mut arguments = Vec::new();
        for (_, term) in order {
            let image = match old.view(term) {
                View::Var(var) => new.terms.var(var),
                View::Const(value) => {
                    let value = new.terms.import_value(old, value);
                    new.terms.constant(value)
                }
                View::App(op, old_arguments) => {
                    arguments.clear();
                    // Arguments have a lesser height than the term that they are in, so they come first.
                    arguments.extend(old_arguments.iter().map(|argument| new.image[argument]));
                    let op = new.terms.import_op(old, op);
                    new.terms.app(op, &arguments)
                }
            };
            new.image.insert(term, image);
        }
        new
    }

    /// A term of the old table as text.
    pub(crate) fn display(&self, term: TermId) -> impl Display + '_ {
        self.terms.display(self.image[&term])
    }
}

impl Program {
    /// Builds the terms anew in canonical order and forgets those that the program does not use.
    /// Symbols keep their ids.
    ///
    /// Equal programs are the same afterwards, however they were built.
    pub fn canonicalise(&mut self) {
        let Canonical { terms, image } = Canonical::of(self);
        for op in self.cfa.edges.iter_mut().flat_map(|edge| &mut edge.ops) {
            op.terms_mut().for_each(|term| *term = image[term]);
        }
        for object in self.cfa.objects.iter_mut() {
            if let Contents::Bytes(_, patches) = &mut object.contents {
                patches.iter_mut().for_each(|patch| patch.value = image[&patch.value]);
            }
        }
        self.terms = terms;
    }
}

/// Every term that the program holds.
fn roots(program: &Program) -> Vec<TermId> {
    let cfa = &program.cfa;
    let patches = cfa.objects.iter().flat_map(|object| match &object.contents {
        Contents::Bytes(_, patches) => patches.as_ref(),
        Contents::Arbitrary => &[],
    });
    let ops = cfa.edges.iter().flat_map(|edge| &edge.ops);
    patches.map(|patch| patch.value).chain(ops.flat_map(|op| op.terms())).collect()
}

/// The key by which terms are put in order: first the height of the term, so that arguments come before the terms that
/// they are in, then its first variable, which makes for readable texts, then a hash of the term that ignores the order
/// of arguments where this order means nothing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    height: u32,
    first_variable: u32,
    hash: u128,
}

/// The keys of terms. In `order`, arguments come before the terms that they are in.
fn keys(terms: &Terms, order: Vec<TermId>) -> Vec<(Key, TermId)> {
    let mut known: FxHashMap<TermId, Key> = FxHashMap::default();
    let mut sorted = Vec::new();
    let mut keys = Vec::with_capacity(order.len());
    for term in order {
        let key = match terms.view(term) {
            View::Var(var) => Key {
                height: 0,
                first_variable: var.index() as u32,
                hash: mix(1, var.index() as u128),
            },
            View::Const(value) => {
                let sort = terms.display_sort(value.sort()).to_string();
                let hash = mix(text_hash(2, &sort), text_hash(3, &value.to_string()));
                Key { height: 0, first_variable: u32::MAX, hash }
            }
            View::App(op, arguments) => {
                sorted.clear();
                sorted.extend(arguments.iter().map(|argument| known[argument]));
                let swappable = swappable(op).min(sorted.len());
                sorted[..swappable].sort_unstable();
                let name = match op {
                    // Sorts have ids of their own in each table.
                    Operator::ConstArray(array) => {
                        terms.display_sort(Sort::Array(array)).to_string()
                    }
                    _ => format!("{op:?}"),
                };
                let first = text_hash(4, &name);
                Key {
                    height: sorted
                        .iter()
                        .map(|key| key.height)
                        .max()
                        .unwrap_or(0)
                        .saturating_add(1),
                    first_variable: sorted
                        .iter()
                        .map(|key| key.first_variable)
                        .min()
                        .unwrap_or(u32::MAX),
                    hash: sorted.iter().fold(first, |hash, key| mix(hash, key.hash)),
                }
            }
        };
        known.insert(term, key);
        keys.push((key, term));
    }
    keys
}

/// How many of an operator's first arguments may change places.
fn swappable(op: Operator) -> usize {
    use Operator as O;
    match op {
        O::And | O::Or => usize::MAX,
        O::Eq | O::FpEq | O::Add | O::Mul => 2,
        O::BvAdd | O::BvMul | O::BvAnd | O::BvOr | O::BvXor => 2,
        O::BvUaddOverflow | O::BvSaddOverflow | O::BvUmulOverflow | O::BvSmulOverflow => 2,
        O::FpAdd(_) | O::FpMul(_) | O::FpFma(_) | O::FpMin | O::FpMax => 2,
        _ => 0,
    }
}

/// A hash that is the same on every machine, and so wide that different terms do not get the same hash by chance.
fn mix(hash: u128, item: u128) -> u128 {
    let mixed =
        (hash.rotate_left(5) ^ item).wrapping_mul(0xda94_2042_e4dd_58b5_9e37_79b9_7f4a_7c15);
    mixed ^ (mixed >> 61)
}

fn text_hash(seed: u128, text: &str) -> u128 {
    text.bytes().fold(mix(seed, text.len() as u128), |hash, byte| mix(hash, u128::from(byte)))
}

//! Evaluation under one assignment, of many terms that share parts.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::apply::apply;
use crate::sort::Sort;
use crate::table::{TermId, Terms, Var, View};
use crate::value::Value;

/// The values of terms under one assignment of values to symbols. Each subterm is computed once,
/// however many terms it is in, so that a list of formulas costs no more than their distinct parts.
///
/// An [`crate::Evaluator`] is the better choice where few terms are evaluated under many
/// assignments.
#[derive(Clone, Default)]
pub struct Valuation {
    /// The values of terms that are no arrays: an array that is written to often would be kept once for each
    /// write.
    values: FxHashMap<TermId, Value>,
}

impl Valuation {
    /// Nothing is evaluated yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// How many values are kept.
    #[must_use]
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether no values are kept.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The value of a term. All calls are about the same table, and `symbol` always gives the same
    /// value, of the symbol's sort, for the same symbol.
    ///
    /// # Panics
    /// If `symbol` gives a value that is not of its symbol's sort.
    pub fn eval(
        &mut self,
        terms: &Terms,
        term: TermId,
        symbol: &mut dyn FnMut(Var) -> Value,
    ) -> Value {
        let mut arrays: FxHashMap<TermId, Value> = FxHashMap::default();
        let mut stack = vec![(term, false)];
        while let Some((at, ready)) = stack.pop() {
            if self.values.contains_key(&at) || arrays.contains_key(&at) {
                continue;
            }
            let value = match terms.view(at) {
                View::Const(value) => value.clone(),
                View::Var(var) => {
                    let value = symbol(var);
                    assert_eq!(value.sort(), terms.var_sort(var), "a value of its symbol's sort");
                    value
                }
                View::App(_, args) if !ready => {
                    stack.push((at, true));
                    stack.extend(args.iter().map(|arg| (*arg, false)));
                    continue;
                }
                View::App(op, args) => {
                    let known = |arg: &TermId| {
                        let value = self.values.get(arg).or_else(|| arrays.get(arg));
                        value.expect("arguments are evaluated before what they are in")
                    };
                    let args: SmallVec<[&Value; 4]> = args.iter().map(known).collect();
                    apply(op, &args)
                }
            };
            if matches!(terms.sort(at), Sort::Array(_)) {
                arrays.insert(at, value);
            } else {
                self.values.insert(at, value);
            }
        }
        let value = self.values.get(&term).or_else(|| arrays.get(&term));
        value.expect("the walk ends with its root").clone()
    }
}

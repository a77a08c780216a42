//! The logic of a script: the smallest common logic that has everything that the formulas use.

use rustc_hash::FxHashSet;
use term::{Op, Sort, TermId, Terms, Value, View};

/// What formulas use.
#[derive(Clone, Default)]
pub(crate) struct Features {
    seen: FxHashSet<TermId>,
    used: Used,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Used {
    arrays: bool,
    words: bool,
    floats: bool,
    integers: bool,
    rationals: bool,
    products: bool,
}

impl Features {
    /// Takes in a formula; says whether it uses something new.
    pub fn add(&mut self, terms: &Terms, formula: TermId) -> bool {
        let before = self.used;
        let mut todo = vec![formula];
        while let Some(at) = todo.pop() {
            if !self.seen.insert(at) {
                continue;
            }
            self.sort(terms, terms.sort(at));
            if let View::App(op, args) = terms.view(at) {
                let known =
                    |arg: TermId| terms.value(arg).is_some_and(|v| !matches!(v, Value::Array(_)));
                self.used.products |= match op {
                    Op::Mul => !known(args[0]) && !known(args[1]),
                    Op::Div | Op::IntDiv | Op::IntMod | Op::IntRem => !known(args[1]),
                    _ => false,
                };
                todo.extend_from_slice(args);
            }
        }
        self.used != before
    }

    fn sort(&mut self, terms: &Terms, sort: Sort) {
        match sort {
            Sort::Bool => {}
            Sort::Int => self.used.integers = true,
            Sort::Rat => self.used.rationals = true,
            Sort::Bv(_) => self.used.words = true,
            Sort::Float(_) => self.used.floats = true,
            Sort::Array(array) => {
                self.used.arrays = true;
                let (index, element) = terms.array_parts(array);
                self.sort(terms, index);
                self.sort(terms, element);
            }
        }
    }

    /// The name of the logic.
    pub fn logic(&self) -> &'static str {
        let Used { arrays, words, floats, integers, rationals, products } = self.used;
        match (arrays, words, floats, integers, rationals, products) {
            (false, _, false, false, false, _) => "QF_BV",
            (true, _, false, false, false, _) => "QF_ABV",
            (false, _, true, false, false, _) => "QF_BVFP",
            (true, _, true, false, false, _) => "QF_ABVFP",
            (false, false, false, true, false, false) => "QF_LIA",
            (false, false, false, false, true, false) => "QF_LRA",
            (false, false, false, true, true, false) => "QF_LIRA",
            (false, false, false, true, false, true) => "QF_NIA",
            (false, false, false, false, true, true) => "QF_NRA",
            (false, false, false, true, true, true) => "QF_NIRA",
            (true, false, false, true, false, false) => "QF_ALIA",
            _ => "ALL",
        }
    }
}

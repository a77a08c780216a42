//! Rules for arrays.

use num_traits::Zero;

use crate::op::Op;
use crate::table::{TermId, Terms};
use crate::value::Value;

impl Terms {
    pub(super) fn simplify_array(&mut self, op: Op, args: &[TermId]) -> Option<TermId> {
        match (op, args) {
            (Op::Select, &[array, index]) => self.simplify_select(array, index),
            (Op::Store, &[array, index, element]) => self.simplify_store(array, index, element),
            _ => None,
        }
    }

    /// Looks through stores at other indices, by a loop: arrays are long chains of stores.
    fn simplify_select(&mut self, array: TermId, index: TermId) -> Option<TermId> {
        let mut under = array;
        while let Some([inner, at, element]) = self.args_of(under, Op::Store) {
            if at == index {
                return Some(element);
            }
            if !self.surely_differ(at, index) {
                break;
            }
            under = inner;
        }
        if let Some(element) = self.element_everywhere(under) {
            return Some(element);
        }
        (under != array).then(|| self.select(under, index))
    }

    fn simplify_store(&mut self, array: TermId, index: TermId, element: TermId) -> Option<TermId> {
        if self.element_everywhere(array) == Some(element)
            || self.args_of(element, Op::Select) == Some([array, index])
        {
            return Some(array);
        }
        let [inner, at, old] = self.args_of(array, Op::Store)?;
        if at != index {
            return None;
        }
        if old == element {
            return Some(array);
        }
        Some(self.store(inner, index, element))
    }

    /// The element of an array that has the same element at every index.
    fn element_everywhere(&mut self, array: TermId) -> Option<TermId> {
        if let Some(Value::Array(value)) = self.value(array) {
            let element = value.entries.is_empty().then(|| value.default.clone())?;
            return Some(self.constant(element));
        }
        match self.view(array) {
            crate::table::View::App(Op::ConstArray(_), &[element]) => Some(element),
            _ => None,
        }
    }

    /// Whether two terms differ under every assignment, as far as their constants show.
    fn surely_differ(&self, a: TermId, b: TermId) -> bool {
        let split = |t: TermId| match self
            .args_of::<2>(t, Op::BvAdd)
            .or_else(|| self.args_of(t, Op::Add))
        {
            Some([x, k]) if self.value(k).is_some_and(|k| !is_zero(k)) => (Some(x), Some(k)),
            _ if self.value(t).is_some() => (None, Some(t)),
            _ => (Some(t), None),
        };
        // A constant summand is not 0 here, so that a term without a summand differs from the same term with one.
        let ((x, k), (y, l)) = (split(a), split(b));
        x == y && k != l
    }
}

fn is_zero(value: &Value) -> bool {
    match value {
        Value::Bv(bv) => bv.is_zero(),
        Value::Int(number) => number.is_zero(),
        Value::Rat(number) => number.is_zero(),
        _ => false,
    }
}

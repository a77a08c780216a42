//! Rules for equality.

use crate::op::Op;
use crate::sort::Sort;
use crate::table::{TermId, Terms, View};

impl Terms {
    /// `a` and `b` come in order: a constant is `b`.
    pub(super) fn simplify_eq(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        if a == b {
            return Some(self.bool(true));
        }
        match self.sort(a) {
            Sort::Bool => self.simplify_equivalence(a, b),
            Sort::Bv(_) | Sort::Int | Sort::Rat if self.value(b).is_some() => {
                self.simplify_eq_constant(a, b)
            }
            Sort::Bv(_) => {
                let (Some((x_signed, x)), Some((y_signed, y))) =
                    (self.extension(a), self.extension(b))
                else {
                    return self.simplify_eq_of_sums(Op::BvAdd, a, b);
                };
                (x_signed == y_signed && self.width(x) == self.width(y)).then(|| self.eq(x, y))
            }
            Sort::Int | Sort::Rat => self.simplify_eq_of_sums(Op::Add, a, b),
            _ => None,
        }
    }

    /// Takes away what both sides add, and brings constants together on one side.
    fn simplify_eq_of_sums(&mut self, add: Op, a: TermId, b: TermId) -> Option<TermId> {
        let left = self.args_of::<2>(a, add);
        let right = self.args_of::<2>(b, add);
        let rest = |sum: [TermId; 2], part: TermId| match sum {
            [x, y] if x == part => Some(y),
            [x, y] if y == part => Some(x),
            _ => None,
        };
        match (left, right) {
            (Some(left), Some([p, q])) => {
                if let Some((x, y)) =
                    rest(left, p).map(|x| (x, q)).or_else(|| rest(left, q).map(|x| (x, p)))
                {
                    return Some(self.eq(x, y));
                }
                // Constants come last in a sum.
                let [x, k] = left;
                if self.value(k).is_none() || self.value(q).is_none() {
                    return None;
                }
                let sub = if add == Op::Add { Op::Sub } else { Op::BvSub };
                let difference = self.app(sub, &[k, q]);
                let x = self.app(add, &[x, difference]);
                Some(self.eq(x, p))
            }
            (Some(sum), None) => {
                let other = rest(sum, b)?;
                let zero = self.zero_of(other);
                Some(self.eq(other, zero))
            }
            (None, Some(sum)) => {
                let other = rest(sum, a)?;
                let zero = self.zero_of(other);
                Some(self.eq(other, zero))
            }
            (None, None) => None,
        }
    }

    fn zero_of(&mut self, number: TermId) -> TermId {
        match self.sort(number) {
            Sort::Bv(width) => self.bv(width, 0),
            Sort::Rat => self.rat(num_traits::Zero::zero()),
            _ => self.int(0),
        }
    }

    fn simplify_equivalence(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        if let Some(value) = self.value(b) {
            return if value.as_bool()? { Some(a) } else { Some(self.not(a)) };
        }
        // A negation is carried outwards.
        match (self.args_of::<1>(a, Op::Not), self.args_of::<1>(b, Op::Not)) {
            (Some([x]), Some([y])) => Some(self.eq(x, y)),
            (Some([x]), None) => {
                let eq = self.eq(x, b);
                Some(self.not(eq))
            }
            (None, Some([y])) => {
                let eq = self.eq(a, y);
                Some(self.not(eq))
            }
            (None, None) => None,
        }
    }

    /// Solves `a = k` for the parts of `a`, if the solution is one equation for each part.
    fn simplify_eq_constant(&mut self, a: TermId, k: TermId) -> Option<TermId> {
        if let View::App(Op::BvConcat, &[high, low]) = self.view(a) {
            let value = self.bv_of(k)?;
            let cut = self.width(low);
            let (high_value, low_value) =
                (value.extract(value.width() - 1, cut), value.extract(cut - 1, 0));
            let (high_value, low_value) = (self.bv_value(high_value), self.bv_value(low_value));
            let (above, below) = (self.eq(high, high_value), self.eq(low, low_value));
            return Some(self.and2(above, below));
        }
        let step = match self.sort(a) {
            Sort::Bv(_) => self.solve_bits(a, k),
            _ => self.solve_number(a, k),
        };
        Some(match step? {
            Ok((x, k)) => self.eq(x, k),
            Err(()) => self.bool(false),
        })
    }
}

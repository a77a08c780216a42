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
                    return None;
                };
                (x_signed == y_signed && self.width(x) == self.width(y)).then(|| self.eq(x, y))
            }
            _ => None,
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

    /// Solves `a = k` for what is inside `a`, as far as that is one equation for each part.
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

//! Rules for integers and rationals.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};

use crate::op::Op;
use crate::sort::Sort;
use crate::table::{TermId, Terms};
use crate::value::Value;

impl Terms {
    /// The number of a constant term, integers as rationals.
    fn number_of(&self, t: TermId) -> Option<BigRational> {
        match self.value(t)? {
            Value::Int(number) => Some(BigRational::from_integer(number.clone())),
            Value::Rat(number) => Some(number.clone()),
            _ => None,
        }
    }

    fn is_number(&self, t: TermId, wanted: i32) -> bool {
        match self.value(t) {
            Some(Value::Int(number)) => *number == BigInt::from(wanted),
            Some(Value::Rat(number)) => *number == BigRational::from_integer(BigInt::from(wanted)),
            _ => false,
        }
    }

    fn number_like(&mut self, t: TermId, number: i32) -> TermId {
        match self.sort(t) {
            Sort::Rat => self.rat(BigRational::from_integer(BigInt::from(number))),
            _ => self.int(number),
        }
    }

    /// `x` and the constant `k` of `x + k`.
    fn number_offset(&self, t: TermId) -> Option<(TermId, TermId)> {
        let [x, k] = self.args_of(t, Op::Add)?;
        self.value(k).is_some().then_some((x, k))
    }

    pub(super) fn simplify_number(&mut self, op: Op, a: TermId) -> Option<TermId> {
        match op {
            Op::Neg => {
                if let Some([inner]) = self.args_of(a, Op::Neg) {
                    return Some(inner);
                }
                if let Some([x, y]) = self.args_of(a, Op::Sub) {
                    return Some(self.sub(y, x));
                }
                let [x, k] = self.args_of(a, Op::Mul)?;
                self.value(k)?;
                let k = self.neg(k);
                Some(self.mul(x, k))
            }
            Op::ToInt => self.args_of(a, Op::ToRat).map(|[inner]| inner),
            Op::IntToBv(width) => {
                let (inner, signed) = match self.args_of(a, Op::BvToIntUnsigned) {
                    Some([inner]) => (inner, false),
                    None => (self.args_of::<1>(a, Op::BvToIntSigned)?[0], true),
                };
                Some(if width < self.width(inner) {
                    self.bv_extract(width - 1, 0, inner)
                } else if signed {
                    self.bv_sign_extend(width, inner)
                } else {
                    self.bv_zero_extend(width, inner)
                })
            }
            _ => None,
        }
    }

    pub(super) fn simplify_numbers(&mut self, op: Op, a: TermId, b: TermId) -> Option<TermId> {
        match op {
            Op::Add => self.simplify_sum(a, b),
            Op::Sub => self.simplify_difference(a, b),
            Op::Mul => self.simplify_product(a, b),
            Op::Div => {
                let divisor = self.number_of(b)?;
                if divisor.is_zero() {
                    return Some(b);
                }
                let inverse = self.rat(divisor.recip());
                Some(self.mul(a, inverse))
            }
            // A dividend of 0 gives 0 whatever the divisor, 0 included.
            Op::IntDiv | Op::IntMod | Op::IntRem if self.is_number(a, 0) => Some(a),
            Op::IntDiv if self.is_number(b, 0) => Some(b),
            Op::IntDiv if self.is_number(b, 1) => Some(a),
            Op::IntDiv if self.is_number(b, -1) => Some(self.neg(a)),
            Op::IntMod | Op::IntRem if self.is_number(b, 0) => Some(a),
            Op::IntMod | Op::IntRem if self.is_number(b, 1) || self.is_number(b, -1) => {
                Some(self.int(0))
            }
            Op::Le | Op::Lt => self.simplify_order(op, a, b),
            _ => None,
        }
    }

    /// Constants are carried outwards to the right: `(x + k) + y` is `(x + y) + k`.
    fn simplify_sum(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        if self.is_number(b, 0) {
            return Some(a);
        }
        if let Some((x, k)) = self.number_offset(a) {
            if self.value(b).is_some() {
                let k = self.fold2(Op::Add, k, b)?;
                return Some(self.add(x, k));
            }
            let sum = self.add(x, b);
            return Some(self.add(sum, k));
        }
        if let Some((x, k)) = self.number_offset(b) {
            let sum = self.add(a, x);
            return Some(self.add(sum, k));
        }
        for (one, other) in [(a, b), (b, a)] {
            if let Some([y]) = self.args_of(other, Op::Neg) {
                return Some(self.sub(one, y));
            }
            if let Some([x, y]) = self.args_of(other, Op::Sub)
                && y == one
            {
                return Some(x);
            }
        }
        None
    }

    fn simplify_difference(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        if a == b {
            return Some(self.number_like(a, 0));
        }
        if self.value(b).is_some() {
            let negative = self.neg(b);
            return Some(self.add(a, negative));
        }
        if self.is_number(a, 0) {
            return Some(self.neg(b));
        }
        if let Some((x, k)) = self.number_offset(a) {
            let difference = self.sub(x, b);
            return Some(self.add(difference, k));
        }
        if let Some((x, k)) = self.number_offset(b) {
            let difference = self.sub(a, x);
            return Some(self.sub(difference, k));
        }
        if let Some([y]) = self.args_of(b, Op::Neg) {
            return Some(self.add(a, y));
        }
        if let Some([x, y]) = self.args_of(a, Op::Add) {
            if y == b {
                return Some(x);
            }
            if x == b {
                return Some(y);
            }
        }
        None
    }

    fn simplify_product(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        if self.is_number(b, 0) {
            return Some(b);
        }
        if self.is_number(b, 1) {
            return Some(a);
        }
        if self.is_number(b, -1) {
            return Some(self.neg(a));
        }
        self.value(b)?;
        if let Some([x, k]) = self.args_of(a, Op::Mul) {
            let k = self.fold2(Op::Mul, k, b)?;
            return Some(self.mul(x, k));
        }
        let [x] = self.args_of(a, Op::Neg)?;
        let k = self.neg(b);
        Some(self.mul(x, k))
    }

    fn simplify_order(&mut self, op: Op, a: TermId, b: TermId) -> Option<TermId> {
        if a == b {
            return Some(self.bool(op == Op::Le));
        }
        if let (Some([x]), Some([y])) = (self.args_of(a, Op::ToRat), self.args_of(b, Op::ToRat)) {
            return Some(self.app(op, &[x, y]));
        }
        if let (Some((x, k)), true) = (self.number_offset(a), self.value(b).is_some()) {
            let k = self.fold2(Op::Sub, b, k)?;
            return Some(self.app(op, &[x, k]));
        }
        if let (Some((x, k)), true) = (self.number_offset(b), self.value(a).is_some()) {
            let k = self.fold2(Op::Sub, a, k)?;
            return Some(self.app(op, &[k, x]));
        }
        None
    }

    /// One step towards `x = k'` from `a = k`, for numbers. `Err(())` if no `a` equals `k`.
    pub(super) fn solve_number(
        &mut self,
        a: TermId,
        k: TermId,
    ) -> Option<Result<(TermId, TermId), ()>> {
        if let Some((x, offset)) = self.number_offset(a) {
            return Some(Ok((x, self.fold2(Op::Sub, k, offset)?)));
        }
        if let Some([x]) = self.args_of(a, Op::Neg) {
            return Some(Ok((x, self.neg(k))));
        }
        if let Some([x]) = self.args_of(a, Op::ToRat) {
            let number = self.number_of(k)?;
            if !number.is_integer() {
                return Some(Err(()));
            }
            return Some(Ok((x, self.int(number.to_integer()))));
        }
        if let Some([x, y]) = self.args_of(a, Op::Sub)
            && self.is_number(k, 0)
        {
            return Some(Ok((x, y)));
        }
        let [x, factor] = self.args_of(a, Op::Mul)?;
        let factor = self.number_of(factor).filter(|factor| !factor.is_zero())?;
        let quotient = self.number_of(k)? / factor;
        if self.sort(a) == Sort::Rat {
            return Some(Ok((x, self.rat(quotient))));
        }
        if !quotient.denom().is_one() {
            return Some(Err(()));
        }
        Some(Ok((x, self.int(quotient.to_integer()))))
    }
}

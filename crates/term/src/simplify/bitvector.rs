//! Rules for arithmetic, logic and shifts on bit-vectors.

use crate::bits::Bv;
use crate::op::Op;
use crate::table::{TermId, Terms};

impl Terms {
    /// `x` and the constant `k` of `x + k`.
    pub(super) fn bv_offset(&self, t: TermId) -> Option<(TermId, TermId)> {
        let [x, k] = self.args_of(t, Op::BvAdd)?;
        self.value(k).is_some().then_some((x, k))
    }

    fn is_zero_bv(&self, t: TermId) -> bool {
        self.bv_of(t).is_some_and(Bv::is_zero)
    }

    fn is_one_bv(&self, t: TermId) -> bool {
        self.bv_of(t).is_some_and(Bv::is_one)
    }

    fn is_ones_bv(&self, t: TermId) -> bool {
        self.bv_of(t).is_some_and(Bv::is_ones)
    }

    pub(super) fn simplify_bits(&mut self, op: Op, a: TermId) -> Option<TermId> {
        match op {
            Op::BvNot => {
                if let Some([inner]) = self.args_of(a, Op::BvNot) {
                    return Some(inner);
                }
                let [x] = self.args_of(a, Op::BvNeg)?;
                let minus_one = self.bv_value(Bv::ones(self.width(a)));
                Some(self.bv_add(x, minus_one))
            }
            Op::BvNeg => {
                if let Some([inner]) = self.args_of(a, Op::BvNeg) {
                    return Some(inner);
                }
                if let Some([x, y]) = self.args_of(a, Op::BvSub) {
                    return Some(self.bv_sub(y, x));
                }
                let [x] = self.args_of(a, Op::BvNot)?;
                let one = self.bv(self.width(a), 1);
                Some(self.bv_add(x, one))
            }
            Op::BvToIntUnsigned => {
                let (false, x) = self.extension(a)? else { return None };
                Some(self.bv_to_int_unsigned(x))
            }
            Op::BvToIntSigned => match self.extension(a)? {
                (true, x) => Some(self.bv_to_int_signed(x)),
                (false, x) => Some(self.bv_to_int_unsigned(x)),
            },
            _ => None,
        }
    }

    pub(super) fn simplify_two_bits(&mut self, op: Op, a: TermId, b: TermId) -> Option<TermId> {
        match op {
            Op::BvAdd => self.simplify_bv_sum(a, b),
            Op::BvSub => self.simplify_bv_difference(a, b),
            Op::BvMul => self.simplify_bv_product(a, b),
            Op::BvUdiv | Op::BvSdiv | Op::BvUrem | Op::BvSrem | Op::BvSmod => {
                self.simplify_bv_quotient(op, a, b)
            }
            Op::BvAnd | Op::BvOr | Op::BvXor => self.simplify_bitwise(op, a, b),
            Op::BvShl | Op::BvLshr | Op::BvAshr => self.simplify_shift(op, a, b),
            _ => self.simplify_overflow(op, a, b),
        }
    }

    /// Constants are carried outwards to the right: `(x + k) + y` is `(x + y) + k`.
    fn simplify_bv_sum(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        if self.is_zero_bv(b) {
            return Some(a);
        }
        if let Some((x, k)) = self.bv_offset(a) {
            if self.value(b).is_some() {
                let k = self.fold2(Op::BvAdd, k, b)?;
                return Some(self.bv_add(x, k));
            }
            let sum = self.bv_add(x, b);
            return Some(self.bv_add(sum, k));
        }
        if let Some((x, k)) = self.bv_offset(b) {
            let sum = self.bv_add(a, x);
            return Some(self.bv_add(sum, k));
        }
        for (one, other) in [(a, b), (b, a)] {
            if let Some([y]) = self.args_of(other, Op::BvNeg) {
                return Some(self.bv_sub(one, y));
            }
            if let Some([x, y]) = self.args_of(other, Op::BvSub)
                && y == one
            {
                return Some(x);
            }
        }
        None
    }

    fn simplify_bv_difference(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        if a == b {
            return Some(self.bv(self.width(a), 0));
        }
        if self.value(b).is_some() {
            let negative = self.bv_neg(b);
            return Some(self.bv_add(a, negative));
        }
        if self.is_zero_bv(a) {
            return Some(self.bv_neg(b));
        }
        if let Some((x, k)) = self.bv_offset(a) {
            let difference = self.bv_sub(x, b);
            return Some(self.bv_add(difference, k));
        }
        if let Some((x, k)) = self.bv_offset(b) {
            let difference = self.bv_sub(a, x);
            return Some(self.bv_sub(difference, k));
        }
        if let Some([y]) = self.args_of(b, Op::BvNeg) {
            return Some(self.bv_add(a, y));
        }
        if let Some([x, y]) = self.args_of(a, Op::BvAdd) {
            if y == b {
                return Some(x);
            }
            if x == b {
                return Some(y);
            }
        }
        None
    }

    fn simplify_bv_product(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        if self.is_zero_bv(b) {
            return Some(b);
        }
        if self.is_one_bv(b) {
            return Some(a);
        }
        if self.is_ones_bv(b) {
            return Some(self.bv_neg(a));
        }
        self.value(b)?;
        if let Some([x, k]) = self.args_of(a, Op::BvMul) {
            let k = self.fold2(Op::BvMul, k, b)?;
            return Some(self.bv_mul(x, k));
        }
        let [x] = self.args_of(a, Op::BvNeg)?;
        let k = self.bv_neg(b);
        Some(self.bv_mul(x, k))
    }

    fn simplify_bv_quotient(&mut self, op: Op, a: TermId, b: TermId) -> Option<TermId> {
        let remainder = !matches!(op, Op::BvUdiv | Op::BvSdiv);
        if remainder && (self.is_zero_bv(a) || self.is_zero_bv(b)) {
            return Some(a);
        }
        let divisor = self.bv_of(b)?;
        // In a vector of one bit, 1 is also -1.
        let minus_one = divisor.is_ones() && !matches!(op, Op::BvUdiv | Op::BvUrem);
        let width = divisor.width();
        match op {
            Op::BvUdiv if divisor.is_zero() => Some(self.bv_value(Bv::ones(width))),
            Op::BvUdiv | Op::BvSdiv if divisor.is_one() => Some(a),
            Op::BvSdiv if minus_one => Some(self.bv_neg(a)),
            _ if remainder && (divisor.is_one() || minus_one) => Some(self.bv(width, 0)),
            _ => None,
        }
    }

    fn simplify_bitwise(&mut self, op: Op, a: TermId, b: TermId) -> Option<TermId> {
        let width = self.width(a);
        if a == b {
            return Some(if op == Op::BvXor { self.bv(width, 0) } else { a });
        }
        if self.args_of(a, Op::BvNot) == Some([b]) || self.args_of(b, Op::BvNot) == Some([a]) {
            return Some(if op == Op::BvAnd {
                self.bv(width, 0)
            } else {
                self.bv_value(Bv::ones(width))
            });
        }
        let constant = self.bv_of(b)?.clone();
        match op {
            Op::BvAnd if constant.is_zero() => return Some(b),
            Op::BvAnd if constant.is_ones() => return Some(a),
            Op::BvOr if constant.is_zero() => return Some(a),
            Op::BvOr if constant.is_ones() => return Some(b),
            Op::BvXor if constant.is_zero() => return Some(a),
            Op::BvXor if constant.is_ones() => return Some(self.bv_not(a)),
            _ => {}
        }
        if let Some([x, k]) = self.args_of(a, op)
            && self.value(k).is_some()
        {
            let k = self.fold2(op, k, b)?;
            return Some(self.app(op, &[x, k]));
        }
        if op == Op::BvAnd
            && let Some([x]) = self.args_of(a, Op::BvZeroExtend(width))
        {
            let low = self.bv_value(constant.extract(self.width(x) - 1, 0));
            let masked = self.bv_and(x, low);
            return Some(self.bv_zero_extend(width, masked));
        }
        None
    }

    fn simplify_shift(&mut self, op: Op, a: TermId, b: TermId) -> Option<TermId> {
        if self.is_zero_bv(a) || (op == Op::BvAshr && self.is_ones_bv(a)) {
            return Some(a);
        }
        let by = self.bv_of(b)?;
        let width = by.width();
        if by.is_zero() {
            return Some(a);
        }
        let by = by.to_u128().filter(|by| *by < u128::from(width));
        let Some(by) = by else {
            if op != Op::BvAshr {
                return Some(self.bv(width, 0));
            }
            let all = self.bv(width, u128::from(width - 1));
            // A width of one has the sign alone.
            return Some(if width == 1 { a } else { self.bv_ashr(a, all) });
        };
        let [x, inner] = self.args_of(a, op)?;
        let inner = self.bv_of(inner)?.to_u128()?;
        let total = by + inner;
        if total < u128::from(width) {
            let total = self.bv(width, total);
            return Some(self.app(op, &[x, total]));
        }
        if op == Op::BvAshr {
            let all = self.bv(width, u128::from(width - 1));
            return Some(self.bv_ashr(x, all));
        }
        Some(self.bv(width, 0))
    }

    fn simplify_overflow(&mut self, op: Op, a: TermId, b: TermId) -> Option<TermId> {
        let never = match op {
            Op::BvUaddOverflow | Op::BvSaddOverflow => self.is_zero_bv(b),
            Op::BvUsubOverflow => return Some(self.bv_ult(a, b)),
            Op::BvSsubOverflow => self.is_zero_bv(b) || a == b,
            Op::BvUmulOverflow => self.is_zero_bv(b) || self.is_one_bv(b),
            // In a vector of one bit, 1 is -1, and its square does not fit.
            Op::BvSmulOverflow => self.is_zero_bv(b) || (self.is_one_bv(b) && self.width(b) > 1),
            _ => false,
        };
        never.then(|| self.bool(false))
    }

    /// One step towards `x = k'` from `a = k`, for bit-vectors. `Err(())` if no `a` equals `k`.
    pub(super) fn solve_bits(
        &mut self,
        a: TermId,
        k: TermId,
    ) -> Option<Result<(TermId, TermId), ()>> {
        if let Some((x, offset)) = self.bv_offset(a) {
            return Some(Ok((x, self.fold2(Op::BvSub, k, offset)?)));
        }
        if let Some([x]) = self.args_of(a, Op::BvNot) {
            return Some(Ok((x, self.bv_not(k))));
        }
        if let Some([x]) = self.args_of(a, Op::BvNeg) {
            return Some(Ok((x, self.bv_neg(k))));
        }
        if let Some([x, y]) = self.args_of(a, Op::BvXor) {
            if self.value(y).is_some() {
                return Some(Ok((x, self.fold2(Op::BvXor, k, y)?)));
            }
            return self.is_zero_bv(k).then_some(Ok((x, y)));
        }
        if let Some([x, y]) = self.args_of(a, Op::BvSub) {
            return self.is_zero_bv(k).then_some(Ok((x, y)));
        }
        let (signed, x) = self.extension(a)?;
        let wide = self.bv_of(k)?;
        let low = wide.extract(self.width(x) - 1, 0);
        let again =
            if signed { low.sign_extend(wide.width()) } else { low.zero_extend(wide.width()) };
        if again != *wide {
            return Some(Err(()));
        }
        Some(Ok((x, self.bv_value(low))))
    }
}

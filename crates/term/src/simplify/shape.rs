//! Rules for what cuts, joins and extends bit-vectors.

use crate::bits::Bv;
use crate::op::Op;
use crate::table::{TermId, Terms, View};

impl Terms {
    /// What a term extends to a strictly greater width, and whether by the sign.
    pub(super) fn extension(&self, t: TermId) -> Option<(bool, TermId)> {
        match self.view(t) {
            View::App(Op::BvZeroExtend(to), &[x]) if self.width(x) < to => Some((false, x)),
            View::App(Op::BvSignExtend(to), &[x]) if self.width(x) < to => Some((true, x)),
            _ => None,
        }
    }

    pub(super) fn simplify_zero_extend(&mut self, to: u32, a: TermId) -> Option<TermId> {
        if self.width(a) == to {
            return Some(a);
        }
        let (false, x) = self.extension(a)? else { return None };
        Some(self.bv_zero_extend(to, x))
    }

    pub(super) fn simplify_sign_extend(&mut self, to: u32, a: TermId) -> Option<TermId> {
        if self.width(a) == to {
            return Some(a);
        }
        // Above a strict zero extension the sign is 0.
        Some(match self.extension(a)? {
            (true, x) => self.bv_sign_extend(to, x),
            (false, x) => self.bv_zero_extend(to, x),
        })
    }

    pub(super) fn simplify_concat(&mut self, high: TermId, low: TermId) -> Option<TermId> {
        let width = self.width(high) + self.width(low);
        if self.bv_of(high).is_some_and(Bv::is_zero) {
            return Some(self.bv_zero_extend(width, low));
        }
        if let Some((false, x)) = self.extension(high) {
            let joined = self.bv_concat(x, low);
            return Some(self.bv_zero_extend(width, joined));
        }
        if let Some([x, k]) = self.args_of(high, Op::BvConcat)
            && let (Some(k), Some(low)) = (self.bv_of(k), self.bv_of(low))
        {
            let joined = k.concat(low);
            let joined = self.bv_value(joined);
            return Some(self.bv_concat(x, joined));
        }
        match (self.view(high), self.view(low)) {
            (
                View::App(Op::BvExtract { high: top, low: cut }, &[x]),
                View::App(Op::BvExtract { high: below, low: bottom }, &[y]),
            ) if x == y && cut == below + 1 => Some(self.bv_extract(top, bottom, x)),
            _ => None,
        }
    }

    pub(super) fn simplify_extract(&mut self, high: u32, low: u32, a: TermId) -> Option<TermId> {
        if low == 0 && high + 1 == self.width(a) {
            return Some(a);
        }
        if let View::App(Op::BvExtract { low: offset, .. }, &[x]) = self.view(a) {
            return Some(self.bv_extract(high + offset, low + offset, x));
        }
        if let Some((signed, x)) = self.extension(a) {
            return Some(self.extract_from_extension(high, low, signed, x));
        }
        if let Some([upper, lower]) = self.args_of(a, Op::BvConcat) {
            let cut = self.width(lower);
            if high < cut {
                return Some(self.bv_extract(high, low, lower));
            }
            if low >= cut {
                return Some(self.bv_extract(high - cut, low - cut, upper));
            }
            return None;
        }
        if low == 0 { self.narrow_operation(high, a) } else { None }
    }

    fn extract_from_extension(&mut self, high: u32, low: u32, signed: bool, x: TermId) -> TermId {
        let (width, inner) = (high - low + 1, self.width(x));
        if high < inner {
            return self.bv_extract(high, low, x);
        }
        if low < inner {
            let part = self.bv_extract(inner - 1, low, x);
            return if signed {
                self.bv_sign_extend(width, part)
            } else {
                self.bv_zero_extend(width, part)
            };
        }
        if signed {
            let sign = self.bv_extract(inner - 1, inner - 1, x);
            self.bv_sign_extend(width, sign)
        } else {
            self.bv_zero(width)
        }
    }

    fn bv_zero(&mut self, width: u32) -> TermId {
        self.bv(width, 0)
    }

    /// The low bits of an operation on vectors that were extended before: C computes `char + char` in `int`.
    fn narrow_operation(&mut self, high: u32, a: TermId) -> Option<TermId> {
        let View::App(op, &[x, y]) = self.view(a) else { return None };
        let low_bits_suffice =
            matches!(op, Op::BvAdd | Op::BvSub | Op::BvMul | Op::BvAnd | Op::BvOr | Op::BvXor);
        let narrow = |t: TermId| match self.extension(t) {
            Some((_, inner)) => self.width(inner) <= high + 1,
            None => self.value(t).is_some(),
        };
        if !low_bits_suffice || !narrow(x) || !narrow(y) {
            return None;
        }
        let (x, y) = (self.bv_extract(high, 0, x), self.bv_extract(high, 0, y));
        Some(self.app(op, &[x, y]))
    }
}

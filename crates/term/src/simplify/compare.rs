//! Rules for the orders of bit-vectors.

use crate::bits::Bv;
use crate::op::Op;
use crate::table::{TermId, Terms};

impl Terms {
    pub(super) fn simplify_unsigned_order(
        &mut self,
        strict: bool,
        a: TermId,
        b: TermId,
    ) -> Option<TermId> {
        let width = self.width(a);
        if let Some(answer) =
            self.simplify_order_at_ends(strict, a, b, &Bv::zero(width), &Bv::ones(width))
        {
            return Some(answer);
        }
        let op = if strict { Op::BvUlt } else { Op::BvUle };
        match (self.extension(a), self.extension(b)) {
            // Both kinds of extension keep the unsigned order.
            (Some((x_signed, x)), Some((y_signed, y)))
                if x_signed == y_signed && self.width(x) == self.width(y) =>
            {
                Some(self.app(op, &[x, y]))
            }
            (Some((false, x)), None) => {
                let (fits, low) = self.cut_constant(b, self.width(x), false)?;
                if !fits {
                    // The constant is greater than every `x`.
                    return Some(self.bool(true));
                }
                let low = self.bv_value(low);
                Some(self.app(op, &[x, low]))
            }
            (None, Some((false, y))) => {
                let (fits, low) = self.cut_constant(a, self.width(y), false)?;
                if !fits {
                    return Some(self.bool(false));
                }
                let low = self.bv_value(low);
                Some(self.app(op, &[low, y]))
            }
            _ => None,
        }
    }

    pub(super) fn simplify_signed_order(
        &mut self,
        strict: bool,
        a: TermId,
        b: TermId,
    ) -> Option<TermId> {
        let width = self.width(a);
        let (least, greatest) = (Bv::signed_min(width), Bv::signed_max(width));
        if let Some(answer) = self.simplify_order_at_ends(strict, a, b, &least, &greatest) {
            return Some(answer);
        }
        let op = if strict { Op::BvSlt } else { Op::BvSle };
        let unsigned_op = if strict { Op::BvUlt } else { Op::BvUle };
        match (self.extension(a), self.extension(b)) {
            (Some((x_signed, x)), Some((y_signed, y)))
                if x_signed == y_signed && self.width(x) == self.width(y) =>
            {
                // A vector that is extended by at least one zero is not negative.
                Some(self.app(if x_signed { op } else { unsigned_op }, &[x, y]))
            }
            (Some((signed, x)), None) => {
                let (fits, low) = self.cut_constant(b, self.width(x), signed)?;
                if !fits {
                    // The constant is too great for any `x`, or too small.
                    let above = !self.bv_of(b)?.sign();
                    return Some(self.bool(above));
                }
                let low = self.bv_value(low);
                Some(self.app(if signed { op } else { unsigned_op }, &[x, low]))
            }
            (None, Some((signed, y))) => {
                let (fits, low) = self.cut_constant(a, self.width(y), signed)?;
                if !fits {
                    let below = self.bv_of(a)?.sign();
                    return Some(self.bool(below));
                }
                let low = self.bv_value(low);
                Some(self.app(if signed { op } else { unsigned_op }, &[low, y]))
            }
            _ => None,
        }
    }

    /// Whether a constant is the extension of its low bits, and these low bits.
    fn cut_constant(&self, k: TermId, width: u32, signed: bool) -> Option<(bool, Bv)> {
        let wide = self.bv_of(k)?;
        let low = wide.extract(width - 1, 0);
        let again =
            if signed { low.sign_extend(wide.width()) } else { low.zero_extend(wide.width()) };
        Some((again == *wide, low))
    }

    /// Comparison of a term with itself, and with the ends of the order and their neighbours.
    fn simplify_order_at_ends(
        &mut self,
        strict: bool,
        a: TermId,
        b: TermId,
        least: &Bv,
        greatest: &Bv,
    ) -> Option<TermId> {
        if a == b {
            return Some(self.bool(!strict));
        }
        let one = Bv::new(least.width(), 1);
        if let Some(k) = self.bv_of(b) {
            let k = k.clone();
            return match strict {
                true if k == *least => Some(self.bool(false)),
                true if k.sub(&one) == *least => Some(self.eq_value(a, least)),
                true if k == *greatest => {
                    let eq = self.eq_value(a, greatest);
                    Some(self.not(eq))
                }
                false if k == *greatest => Some(self.bool(true)),
                false if k == *least => Some(self.eq_value(a, least)),
                false if k.add(&one) == *greatest => {
                    let eq = self.eq_value(a, greatest);
                    Some(self.not(eq))
                }
                _ => None,
            };
        }
        let k = self.bv_of(a)?.clone();
        match strict {
            true if k == *greatest => Some(self.bool(false)),
            true if k.add(&one) == *greatest => Some(self.eq_value(b, greatest)),
            true if k == *least => {
                let eq = self.eq_value(b, least);
                Some(self.not(eq))
            }
            false if k == *least => Some(self.bool(true)),
            false if k == *greatest => Some(self.eq_value(b, greatest)),
            false if k.sub(&one) == *least => {
                let eq = self.eq_value(b, least);
                Some(self.not(eq))
            }
            _ => None,
        }
    }

    fn eq_value(&mut self, t: TermId, value: &Bv) -> TermId {
        let value = self.bv_value(value.clone());
        self.eq(t, value)
    }
}

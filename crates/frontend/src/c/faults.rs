//! Where the lowering marks faults: what must hold for arithmetic to be defined, or for values to be kept, as far as
//! the checks of the run look for it.

use cfa::{Fault, Op};
use rucc_ast::BinaryOp;
use term::{Float, Format, Rounding, TermId, Terms};

use super::function::Lower;
use super::shape::Shape;

impl Lower<'_, '_> {
    /// Records that the behaviour is undefined unless the condition holds.
    pub fn check(&mut self, holds: TermId, fault: Fault) {
        if !self.terms().is_true(holds) {
            self.emit(Op::Check { holds, fault });
        }
    }

    /// Marks that a sum, difference or product may leave the range of its type.
    pub fn check_range(&mut self, op: BinaryOp, left: TermId, right: TermId, shape: Shape) {
        let terms = &mut self.link.program.terms;
        type Overflow = fn(&mut Terms, TermId, TermId) -> TermId;
        let (signed, unsigned): (Overflow, Overflow) = match op {
            BinaryOp::Add => (Terms::bv_sadd_overflow, Terms::bv_uadd_overflow),
            BinaryOp::Sub => (Terms::bv_ssub_overflow, Terms::bv_usub_overflow),
            BinaryOp::Mul => (Terms::bv_smul_overflow, Terms::bv_umul_overflow),
            _ => return,
        };
        let marked = self.facts.marked;
        let (overflows, fault) = match shape {
            Shape::Int { signed: true, .. } if marked.signed => {
                (signed(terms, left, right), Fault::SignedOverflow)
            }
            Shape::Int { signed: false, .. } if marked.unsigned => {
                (unsigned(terms, left, right), Fault::UnsignedOverflow)
            }
            _ => return,
        };
        let fits = terms.not(overflows);
        self.check(fits, fault);
    }

    /// Marks what C does not define of a shift: a distance that is negative or not below the width,
    /// and to the left a negative value, or bits that get lost or into the sign.
    pub fn check_shift(
        &mut self,
        op: BinaryOp,
        left: TermId,
        (distance, shape): (TermId, Shape),
        signed: bool,
    ) {
        let marked = self.facts.marked;
        let is_signed_left = op == BinaryOp::Shl && signed;
        if !(marked.shift || (marked.signed_shift && is_signed_left)) {
            return;
        }
        let width = self.terms().width(left);
        let own = self.terms().width(distance);
        let limit = self.bv(own, u128::from(width));
        // A negative distance is a large unsigned number.
        let below = self.terms().bv_ult(distance, limit);
        if marked.shift {
            self.check(below, Fault::Shift);
        }
        if !is_signed_left {
            return;
        }
        let by = self.resize(distance, width, shape.signed());
        if marked.shift {
            let largest = self.bv(width, (1 << (width - 1)) - 1);
            let room = self.terms().bv_lshr(largest, by);
            let fits = self.terms().bv_ule(left, room);
            self.check(fits, Fault::Shift);
        }
        if marked.signed_shift {
            let shifted = self.terms().bv_shl(left, by);
            let back = self.terms().bv_ashr(shifted, by);
            let same = self.terms().eq(back, left);
            let other = self.terms().not(below);
            let fits = self.terms().or2(other, same);
            self.check(fits, Fault::SignedOverflow);
        }
    }

    /// A conversion that the program does not spell out. If conversions are checked, a change of the value is marked as
    /// a fault.
    pub fn convert_silently(&mut self, value: TermId, from: Shape, to: Shape) -> TermId {
        if self.facts.marked.conversion
            && let (
                Shape::Int { width: a, signed: from_signed, .. },
                Shape::Int { width: b, signed: to_signed, .. },
            ) = (from, to)
            && !to.is_bool()
        {
            let wide = a.max(b) + 1;
            let converted = self.resize(value, b, from_signed);
            let (before, after) =
                (self.resize(value, wide, from_signed), self.resize(converted, wide, to_signed));
            let kept = self.terms().eq(before, after);
            self.check(kept, Fault::Conversion);
        }
        self.convert(value, from, to)
    }

    /// Marks a value that does not fit the bits of the member that it is stored in.
    pub fn check_bit_field(&mut self, value: TermId, bits: u32, shape: Shape) {
        let Shape::Int { width, signed, .. } = shape else { return };
        if !self.facts.marked.conversion || bits >= width || shape.is_bool() {
            return;
        }
        let kept = self.terms().bv_extract(bits - 1, 0, value);
        let back = self.resize(kept, width, signed);
        let same = self.terms().eq(back, value);
        self.check(same, Fault::Conversion);
    }

    /// Marks a float that does not fit the integer type that it is converted to.
    pub fn check_truncation(&mut self, value: TermId, format: Format, width: u32, signed: bool) {
        if !self.facts.marked.conversion {
            return;
        }
        let power = |exponent: u32| 2_f64.powi(exponent.min(1000) as i32);
        let (low, high) = match signed {
            true => (-power(width - 1), power(width - 1)),
            false => (0.0, power(width)),
        };
        let rounding = Rounding::NearestEven;
        let terms = self.terms();
        // Powers of two are exact in every format, or infinite where the format has no larger number.
        let [low, high] = [low, high].map(|bound| {
            let bound = terms.float(Float::from_f64(bound));
            terms.fp_to_fp(rounding, format, bound)
        });
        let whole = terms.fp_round(Rounding::TowardZero, value);
        let (above, below) = (terms.fp_le(low, whole), terms.fp_lt(whole, high));
        let fits = terms.and2(above, below);
        self.check(fits, Fault::Conversion);
    }
}

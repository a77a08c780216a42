//! Conversions between scalar types, as the machine does them.

use term::{Float, Rounding, TermId};

use super::function::Lower;
use super::shape::Shape;

impl Lower<'_, '_> {
    /// Zero of a shape.
    pub fn zero(&mut self, shape: Shape) -> TermId {
        match shape {
            Shape::Int { width, .. } | Shape::Pointer { width } => self.bv(width, 0),
            Shape::Float { format } => self.terms().float(Float::from_bits(format, 0)),
        }
    }

    /// A value of one type as a value of another.
    pub fn convert(&mut self, value: TermId, from: Shape, to: Shape) -> TermId {
        match (from, to) {
            (from, to) if from == to => value,
            (_, Shape::Int { .. }) if to.is_bool() => {
                let condition = self.is_nonzero(value, from);
                self.zero_or_one(condition, to)
            }
            (Shape::Float { format: old }, Shape::Float { format }) => {
                self.reformatted(value, old, format)
            }
            (Shape::Float { format }, Shape::Int { width, signed, .. }) => {
                self.check_truncation(value, format, width, signed);
                self.truncate(value, width, signed)
            }
            (Shape::Float { .. }, Shape::Pointer { .. }) => {
                self.nothing("a float made a pointer", to)
            }
            (from, Shape::Float { format }) => self.floating(value, from.signed(), format),
            // GCC extends a pointer by its sign where it becomes a longer integer.
            (from, Shape::Int { width, .. } | Shape::Pointer { width }) => {
                let signed = from.signed() || matches!(from, Shape::Pointer { .. });
                self.resize(value, width, signed)
            }
        }
    }

    /// A bit-vector cut or extended to a width.
    pub fn resize(&mut self, value: TermId, width: u32, signed: bool) -> TermId {
        if self.terms().width(value) >= width {
            self.terms().bv_extract(width - 1, 0, value)
        } else if signed {
            self.terms().bv_sign_extend(width, value)
        } else {
            self.terms().bv_zero_extend(width, value)
        }
    }

    /// Truncation towards zero. Narrow and unsigned types are cut from a wider signed result, as
    /// the machine's instructions have it; a value out of range is undefined in C.
    fn truncate(&mut self, value: TermId, width: u32, signed: bool) -> TermId {
        let wide = match (width, signed) {
            (..=32, true) => 32,
            (..=16, false) => 32,
            (17..=32, false) | (33..=64, true) => 64,
            (width, true) => width,
            (width, false) => 2 * width,
        };
        let whole = self.terms().fp_to_signed_bv(Rounding::TowardZero, wide, value);
        self.resize(whole, width, signed)
    }

    /// Whether a scalar is not zero.
    pub fn is_nonzero(&mut self, value: TermId, shape: Shape) -> TermId {
        let zero = self.zero(shape);
        match shape {
            Shape::Float { .. } => {
                let equal = self.terms().fp_eq(value, zero);
                self.terms().not(equal)
            }
            _ => self.terms().ne(value, zero),
        }
    }

    /// One or zero.
    pub fn zero_or_one(&mut self, condition: TermId, shape: Shape) -> TermId {
        match shape {
            Shape::Int { width, .. } | Shape::Pointer { width } => {
                let (one, zero) = (self.bv(width, 1), self.bv(width, 0));
                self.terms().ite(condition, one, zero)
            }
            Shape::Float { .. } => self.nothing("a condition made a float", shape),
        }
    }
}

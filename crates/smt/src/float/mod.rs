//! Floats as circuits.
//!
//! A float is its canonical encoding: fraction, exponent, sign, the lowest bit first, with one NaN (positive, only the
//! highest bit of the fraction set) and without the leading bit that the x87 stores. So two floats are the same term
//! value if their words are equal, comparisons are comparisons of integers, and a variable costs one clause for each
//! bit of its fraction.
//!
//! Sums work on encodings as they are; products, quotients and roots need operands whose leading bit is set
//! ([`encodings::Normal`]). These operands are kept, since a value is often used again.

mod add;
mod compare;
mod convert;
mod divide;
mod encodings;
mod format;
mod fused;
mod integers;
mod integral;
mod multiply;
mod remainder;
mod round;
mod shift;
#[cfg(test)]
mod tests;

use rustsat::types::Lit;
use term::{Format, Op, Sort, TermId, Terms};

use crate::blast::Blaster;
use crate::circuit::{Circuit, Missing};
pub(crate) use encodings::{Encodings, Unit};
pub(crate) use format::{constant, value};

impl Unit<'_> {
    fn at(&mut self, format: Format) -> Unit<'_> {
        Unit { gates: self.gates, known: self.known, format }
    }

    fn unary(&mut self, op: Op, a: &[Lit]) -> Result<Circuit, Missing> {
        let format = self.format;
        let parts = self.parts(a);
        Ok(match op {
            Op::FpIsNan => Circuit::Bool(parts.nan),
            Op::FpIsInfinite => Circuit::Bool(parts.infinite),
            Op::FpIsZero => Circuit::Bool(parts.zero),
            Op::FpIsNormal => Circuit::Bool(self.gates.and(!parts.special, !parts.tiny)),
            Op::FpIsSubnormal => Circuit::Bool(self.gates.and(parts.tiny, !parts.zero)),
            // NaN has no sign bit.
            Op::FpIsNegative => Circuit::Bool(parts.sign),
            Op::FpIsPositive => Circuit::Bool(self.gates.and(!parts.sign, !parts.nan)),
            Op::FpAbs => Circuit::Float(format, self.absolute(a)),
            Op::FpNeg => Circuit::Float(format, self.negated(a)),
            Op::FpSqrt(rounding) => Circuit::Float(format, self.sqrt(rounding, a)),
            Op::FpRound(rounding) => Circuit::Float(format, self.integral(rounding, a)),
            Op::FpToFp(rounding, to) => Circuit::Float(to, self.convert(rounding, to, a)),
            Op::FpToSignedBv(rounding, width) => {
                Circuit::Word(self.signed_integer(rounding, width, a))
            }
            Op::FpToUnsignedBv(rounding, width) => {
                Circuit::Word(self.unsigned_integer(rounding, width, a))
            }
            Op::FpToBits => Circuit::Word(self.encode(a)),
            _ => return Err(format!("the operator {op:?}")),
        })
    }

    fn binary(&mut self, op: Op, a: &[Lit], b: &[Lit]) -> Result<Circuit, Missing> {
        let word = match op {
            Op::FpAdd(rounding) => self.add(rounding, a, b),
            Op::FpSub(rounding) => self.subtract(rounding, a, b),
            Op::FpMul(rounding) => self.multiply(rounding, a, b),
            Op::FpDiv(rounding) => self.divide(rounding, a, b),
            Op::FpRem => self.remainder(a, b, true)?,
            Op::FpFmod => self.remainder(a, b, false)?,
            Op::FpMin => self.least(a, b),
            Op::FpMax => self.greatest(a, b),
            Op::FpEq => return Ok(Circuit::Bool(self.equals(a, b))),
            Op::FpLt => return Ok(Circuit::Bool(self.less(a, b))),
            Op::FpLe => return Ok(Circuit::Bool(self.at_most(a, b))),
            _ => return Err(format!("the operator {op:?}")),
        };
        Ok(Circuit::Float(self.format, word))
    }
}

impl Blaster {
    /// The circuits for floats of a format.
    pub fn unit(&mut self, format: Format) -> Unit<'_> {
        Unit { gates: &mut self.gates, known: &mut self.floats, format }
    }

    /// The circuit of a term that takes or gives a float, and whose arguments have been built;
    /// `None` if the operator is of another kind.
    pub fn apply_float(
        &mut self,
        terms: &Terms,
        term: TermId,
        op: Op,
        args: &[TermId],
    ) -> Result<Option<Circuit>, Missing> {
        let built: Vec<Circuit> = args.iter().filter_map(|arg| self.built(*arg).cloned()).collect();
        match (built.as_slice(), terms.sort(term)) {
            ([Circuit::Float(format, a)], _) => self.unit(*format).unary(op, a).map(Some),
            ([Circuit::Float(format, a), Circuit::Float(other, b)], _) if format == other => {
                self.unit(*format).binary(op, a, b).map(Some)
            }
            ([Circuit::Float(format, a), Circuit::Float(_, b), Circuit::Float(_, c)], _) => {
                match op {
                    Op::FpFma(rounding) => {
                        let word = self.unit(*format).fused(rounding, a, b, c);
                        Ok(Some(Circuit::Float(*format, word)))
                    }
                    _ => Err(format!("the operator {op:?}")),
                }
            }
            ([Circuit::Word(a)], Sort::Float(format)) => {
                let mut unit = self.unit(format);
                let word = match op {
                    Op::FpFromBits(_) => unit.decode(a),
                    Op::FpFromSignedBv(rounding, _) => unit.of_signed(rounding, a),
                    Op::FpFromUnsignedBv(rounding, _) => unit.of_unsigned(rounding, a),
                    _ => return Err(format!("the operator {op:?}")),
                };
                Ok(Some(Circuit::Float(format, word)))
            }
            _ => Ok(None),
        }
    }
}

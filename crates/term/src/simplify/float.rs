//! Rules for floats: only what is exact for every value, NaN and both zeros included.

use crate::float::Float;
use crate::op::Op;
use crate::sort::{Rounding, Sort};
use crate::table::{TermId, Terms, View};

impl Terms {
    pub(super) fn simplify_float(&mut self, op: Op, a: TermId) -> Option<TermId> {
        // The argument without its sign, where only that has been changed.
        let magnitude = match self.view(a) {
            View::App(Op::FpNeg | Op::FpAbs, &[x]) => Some(x),
            _ => None,
        };
        match op {
            Op::FpNeg => self.args_of(a, Op::FpNeg).map(|[inner]| inner),
            Op::FpAbs => Some(self.fp_abs(magnitude?)),
            Op::FpIsNan | Op::FpIsInfinite | Op::FpIsZero | Op::FpIsNormal | Op::FpIsSubnormal => {
                Some(self.app(op, &[magnitude?]))
            }
            Op::FpIsNegative => self.args_of(a, Op::FpNeg).map(|[x]| self.fp_is_positive(x)),
            Op::FpIsPositive => self.args_of(a, Op::FpNeg).map(|[x]| self.fp_is_negative(x)),
            Op::FpToFp(_, format) if self.sort(a) == Sort::Float(format) => Some(a),
            Op::FpRound(_) if matches!(self.view(a), View::App(Op::FpRound(_), _)) => Some(a),
            _ => None,
        }
    }

    pub(super) fn simplify_floats(&mut self, op: Op, a: TermId, b: TermId) -> Option<TermId> {
        if a == b {
            match op {
                Op::FpMin | Op::FpMax => return Some(a),
                Op::FpLt => return Some(self.bool(false)),
                Op::FpEq | Op::FpLe => {
                    let nan = self.fp_is_nan(a);
                    return Some(self.not(nan));
                }
                _ => {}
            }
        }
        let nan = [a, b].into_iter().find(|t| self.float_of(*t).is_some_and(Float::is_nan));
        if let Some(nan) = nan {
            return match op {
                Op::FpEq | Op::FpLt | Op::FpLe => Some(self.bool(false)),
                Op::FpMin | Op::FpMax => Some(if nan == a { b } else { a }),
                _ => Some(nan),
            };
        }
        let constant = self.float_of(b)?;
        let one = Float::from_f64(1.0).convert(Rounding::NearestEven, constant.format());
        match op {
            Op::FpMul(_) | Op::FpDiv(_) if constant == one => Some(a),
            Op::FpMul(_) | Op::FpDiv(_) if constant == one.neg() => Some(self.fp_neg(a)),
            _ => None,
        }
    }

    fn float_of(&self, t: TermId) -> Option<Float> {
        self.value(t)?.as_float()
    }
}

//! Which arguments an operator takes, and the sort of its result.

use crate::op::Op;
use crate::sort::{MAX_WIDTH, Sort};
use crate::sort_error::SortError;
use crate::table::{TermId, Terms};

/// The arguments that an operator takes.
enum Signature {
    /// This number of arguments, all of the first sort; the result has the second sort.
    Same(usize, Sort, Sort),
    /// Any number of arguments of this sort; the result has this sort, too.
    Many(Sort),
    Wrong(&'static str),
}

impl Terms {
    /// The sort of `op` applied to `args`.
    pub(crate) fn result_sort(&self, op: Op, args: &[TermId]) -> Result<Sort, SortError> {
        let sorts = |index: usize| args.get(index).map(|term| self.sort(*term));
        let wrong = |message: &str| {
            let found: Vec<String> =
                args.iter().map(|t| self.display_sort(self.sort(*t)).to_string()).collect();
            SortError { op, message: format!("{message}, found ({})", found.join(" ")) }
        };
        match op {
            Op::Ite => match (args.len(), sorts(0), sorts(1), sorts(2)) {
                (3, Some(Sort::Bool), Some(then), Some(other)) if then == other => return Ok(then),
                _ => return Err(wrong("expected a Bool and two terms of one sort")),
            },
            Op::Eq => match (args.len(), sorts(0), sorts(1)) {
                (2, Some(a), Some(b)) if a == b => return Ok(Sort::Bool),
                _ => return Err(wrong("expected two terms of one sort")),
            },
            Op::BvConcat => match (args.len(), sorts(0), sorts(1)) {
                (2, Some(Sort::Bv(a)), Some(Sort::Bv(b))) if a.saturating_add(b) <= MAX_WIDTH => {
                    return Ok(Sort::Bv(a + b));
                }
                _ => return Err(wrong("expected two bit-vectors, not too wide together")),
            },
            Op::Select => match (args.len(), sorts(0), sorts(1)) {
                (2, Some(Sort::Array(array)), Some(index))
                    if self.array_parts(array).0 == index =>
                {
                    return Ok(self.array_parts(array).1);
                }
                _ => return Err(wrong("expected an array and an index of it")),
            },
            Op::Store => match (args.len(), sorts(0), sorts(1), sorts(2)) {
                (3, Some(Sort::Array(array)), Some(index), Some(element))
                    if self.array_parts(array) == (index, element) =>
                {
                    return Ok(Sort::Array(array));
                }
                _ => return Err(wrong("expected an array, an index and an element of it")),
            },
            _ => {}
        }
        let first = sorts(0);
        match self.signature(op, first) {
            Signature::Same(count, sort, result) => {
                if args.len() == count && args.iter().all(|term| self.sort(*term) == sort) {
                    Ok(result)
                } else {
                    let name = self.display_sort(sort);
                    Err(wrong(&format!("expected {count} of sort {name}")))
                }
            }
            Signature::Many(sort) => {
                if args.iter().all(|term| self.sort(*term) == sort) {
                    Ok(sort)
                } else {
                    Err(wrong(&format!("expected terms of sort {}", self.display_sort(sort))))
                }
            }
            Signature::Wrong(message) => Err(wrong(message)),
        }
    }

    /// The signature of an operator whose arguments all have the sort of the first.
    fn signature(&self, op: Op, first: Option<Sort>) -> Signature {
        use Signature::{Many, Same, Wrong};
        match op {
            Op::Not => Same(1, Sort::Bool, Sort::Bool),
            Op::And | Op::Or => Many(Sort::Bool),
            Op::Add | Op::Sub | Op::Mul => match first {
                Some(sort @ (Sort::Int | Sort::Rat)) => Same(2, sort, sort),
                _ => Wrong("expected two integers or two rationals"),
            },
            Op::Neg => match first {
                Some(sort @ (Sort::Int | Sort::Rat)) => Same(1, sort, sort),
                _ => Wrong("expected an integer or a rational"),
            },
            Op::Le | Op::Lt => match first {
                Some(sort @ (Sort::Int | Sort::Rat)) => Same(2, sort, Sort::Bool),
                _ => Wrong("expected two integers or two rationals"),
            },
            Op::Div => Same(2, Sort::Rat, Sort::Rat),
            Op::IntDiv | Op::IntMod | Op::IntRem => Same(2, Sort::Int, Sort::Int),
            Op::ToRat => Same(1, Sort::Int, Sort::Rat),
            Op::ToInt => Same(1, Sort::Rat, Sort::Int),
            Op::IntToBv(width) => match width {
                1..=MAX_WIDTH => Same(1, Sort::Int, Sort::Bv(width)),
                _ => Wrong("no such width"),
            },
            Op::ConstArray(array) => {
                if base::Id::index(array) >= self.array_sort_count() {
                    return Wrong("no such array sort");
                }
                Same(1, self.array_parts(array).1, Sort::Array(array))
            }
            Op::FpFromBits(format) => Same(1, Sort::Bv(format.width()), Sort::Float(format)),
            Op::FpFromSignedBv(_, format) | Op::FpFromUnsignedBv(_, format) => match first {
                Some(sort @ Sort::Bv(_)) => Same(1, sort, Sort::Float(format)),
                _ => Wrong("expected a bit-vector"),
            },
            _ => match first {
                Some(Sort::Bv(width)) => bv_signature(op, width),
                Some(Sort::Float(_)) => float_signature(op, first),
                _ => Wrong("expected bit-vectors or floats, as the operator has it"),
            },
        }
    }
}

fn bv_signature(op: Op, width: u32) -> Signature {
    use Signature::{Same, Wrong};
    let sort = Sort::Bv(width);
    match op {
        Op::BvNot | Op::BvNeg => Same(1, sort, sort),
        Op::BvAdd
        | Op::BvSub
        | Op::BvMul
        | Op::BvUdiv
        | Op::BvSdiv
        | Op::BvUrem
        | Op::BvSrem
        | Op::BvSmod
        | Op::BvAnd
        | Op::BvOr
        | Op::BvXor
        | Op::BvShl
        | Op::BvLshr
        | Op::BvAshr => Same(2, sort, sort),
        Op::BvUlt
        | Op::BvUle
        | Op::BvSlt
        | Op::BvSle
        | Op::BvUaddOverflow
        | Op::BvSaddOverflow
        | Op::BvUsubOverflow
        | Op::BvSsubOverflow
        | Op::BvUmulOverflow
        | Op::BvSmulOverflow => Same(2, sort, Sort::Bool),
        Op::BvToIntUnsigned | Op::BvToIntSigned => Same(1, sort, Sort::Int),
        Op::BvExtract { high, low } => {
            if low <= high && high < width {
                Same(1, sort, Sort::Bv(high - low + 1))
            } else {
                Wrong("the bits to extract are not in the vector")
            }
        }
        Op::BvZeroExtend(to) | Op::BvSignExtend(to) => {
            if (width..=MAX_WIDTH).contains(&to) {
                Same(1, sort, Sort::Bv(to))
            } else {
                Wrong("no such width to extend to")
            }
        }
        _ => Wrong("expected no bit-vectors"),
    }
}

fn float_signature(op: Op, first: Option<Sort>) -> Signature {
    use Signature::{Same, Wrong};
    let Some(sort @ Sort::Float(format)) = first else {
        return Wrong("expected floats");
    };
    match op {
        Op::FpAdd(_) | Op::FpSub(_) | Op::FpMul(_) | Op::FpDiv(_) => Same(2, sort, sort),
        Op::FpRem | Op::FpFmod | Op::FpMin | Op::FpMax => Same(2, sort, sort),
        Op::FpFma(_) => Same(3, sort, sort),
        Op::FpSqrt(_) | Op::FpRound(_) | Op::FpAbs | Op::FpNeg => Same(1, sort, sort),
        Op::FpEq | Op::FpLt | Op::FpLe => Same(2, sort, Sort::Bool),
        Op::FpIsNan
        | Op::FpIsInfinite
        | Op::FpIsZero
        | Op::FpIsNormal
        | Op::FpIsSubnormal
        | Op::FpIsNegative
        | Op::FpIsPositive => Same(1, sort, Sort::Bool),
        Op::FpToFp(_, to) => Same(1, sort, Sort::Float(to)),
        Op::FpToSignedBv(_, width) | Op::FpToUnsignedBv(_, width) => match width {
            1..=MAX_WIDTH => Same(1, sort, Sort::Bv(width)),
            _ => Wrong("no such width"),
        },
        Op::FpToBits => Same(1, sort, Sort::Bv(format.width())),
        _ => Wrong("expected no floats"),
    }
}

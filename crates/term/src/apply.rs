//! What each operator computes. Constant folding, evaluation and the compiled evaluator all end here or in the
//! functions on words that [`apply`] calls.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Euclid, Signed, Zero};

use crate::bits::Bv;
use crate::float::Float;
use crate::op::Op;
use crate::value::{ArrayValue, Value};

/// Applies an operator to values.
///
/// # Panics
/// If the values are not of the sorts that the operator takes.
#[must_use]
pub fn apply(op: Op, args: &[&Value]) -> Value {
    match try_apply(op, args) {
        Some(value) => value,
        None => panic!("{op:?} does not take {args:?}"),
    }
}

fn try_apply(op: Op, args: &[&Value]) -> Option<Value> {
    Some(match *args {
        [Value::Bool(a)] if op == Op::Not => Value::Bool(!a),
        [element] if let Op::ConstArray(sort) = op => {
            Value::Array(Box::new(ArrayValue::new(sort, element.clone())))
        }
        [Value::Int(a)] => on_int(op, a)?,
        [Value::Rat(a)] => on_rat(op, a)?,
        [Value::Bv(a)] => on_bv(op, a)?,
        [Value::Float(a)] => on_float(op, *a)?,
        [a, b] if op == Op::Eq && a.sort() == b.sort() => Value::Bool(a == b),
        [Value::Array(array), index] if op == Op::Select => array.get(index).clone(),
        [Value::Int(a), Value::Int(b)] => on_ints(op, a, b)?,
        [Value::Rat(a), Value::Rat(b)] => on_rats(op, a, b)?,
        [Value::Bv(a), Value::Bv(b)] => on_bvs(op, a, b)?,
        [Value::Float(a), Value::Float(b)] => on_floats(op, *a, *b)?,
        [Value::Bool(condition), then, other] if op == Op::Ite => {
            if *condition {
                then.clone()
            } else {
                other.clone()
            }
        }
        [Value::Array(array), index, element] if op == Op::Store => {
            let mut array = array.clone();
            array.set(index.clone(), element.clone());
            Value::Array(array)
        }
        [Value::Float(a), Value::Float(b), Value::Float(c)] => match op {
            Op::FpFma(rounding) => Value::Float(a.fma(rounding, *b, *c)),
            _ => return None,
        },
        _ => match op {
            Op::And => {
                let mut all = true;
                for arg in args {
                    all &= arg.as_bool()?;
                }
                Value::Bool(all)
            }
            Op::Or => {
                let mut any = false;
                for arg in args {
                    any |= arg.as_bool()?;
                }
                Value::Bool(any)
            }
            _ => return None,
        },
    })
}

fn on_int(op: Op, a: &BigInt) -> Option<Value> {
    Some(match op {
        Op::Neg => Value::Int(-a),
        Op::ToRat => Value::Rat(BigRational::from_integer(a.clone())),
        Op::IntToBv(width) => Value::Bv(Bv::from_bigint(width, a)),
        _ => return None,
    })
}

fn on_ints(op: Op, a: &BigInt, b: &BigInt) -> Option<Value> {
    let modulo = || if b.is_zero() { a.clone() } else { a.rem_euclid(b) };
    Some(match op {
        Op::Add => Value::Int(a + b),
        Op::Sub => Value::Int(a - b),
        Op::Mul => Value::Int(a * b),
        Op::IntDiv => Value::Int(if b.is_zero() { BigInt::zero() } else { a.div_euclid(b) }),
        Op::IntMod => Value::Int(modulo()),
        Op::IntRem => Value::Int(if b.is_negative() { -modulo() } else { modulo() }),
        Op::Le => Value::Bool(a <= b),
        Op::Lt => Value::Bool(a < b),
        _ => return None,
    })
}

fn on_rat(op: Op, a: &BigRational) -> Option<Value> {
    Some(match op {
        Op::Neg => Value::Rat(-a),
        Op::ToInt => Value::Int(a.floor().to_integer()),
        _ => return None,
    })
}

fn on_rats(op: Op, a: &BigRational, b: &BigRational) -> Option<Value> {
    Some(match op {
        Op::Add => Value::Rat(a + b),
        Op::Sub => Value::Rat(a - b),
        Op::Mul => Value::Rat(a * b),
        Op::Div => Value::Rat(if b.is_zero() { BigRational::zero() } else { a / b }),
        Op::Le => Value::Bool(a <= b),
        Op::Lt => Value::Bool(a < b),
        _ => return None,
    })
}

fn on_bv(op: Op, a: &Bv) -> Option<Value> {
    Some(match op {
        Op::BvNot => Value::Bv(a.not()),
        Op::BvNeg => Value::Bv(a.neg()),
        Op::BvExtract { high, low } => Value::Bv(a.extract(high, low)),
        Op::BvZeroExtend(to) => Value::Bv(a.zero_extend(to)),
        Op::BvSignExtend(to) => Value::Bv(a.sign_extend(to)),
        Op::BvToIntUnsigned => Value::Int(a.to_bigint_unsigned()),
        Op::BvToIntSigned => Value::Int(a.to_bigint_signed()),
        Op::FpFromSignedBv(rounding, format) => {
            Value::Float(Float::from_signed_bv(rounding, format, a))
        }
        Op::FpFromUnsignedBv(rounding, format) => {
            Value::Float(Float::from_unsigned_bv(rounding, format, a))
        }
        Op::FpFromBits(format) => Value::Float(Float::from_bits(format, a.to_u128()?)),
        _ => return None,
    })
}

fn on_bvs(op: Op, a: &Bv, b: &Bv) -> Option<Value> {
    Some(match op {
        Op::BvConcat => Value::Bv(a.concat(b)),
        _ if a.width() != b.width() => return None,
        Op::BvAdd => Value::Bv(a.add(b)),
        Op::BvSub => Value::Bv(a.sub(b)),
        Op::BvMul => Value::Bv(a.mul(b)),
        Op::BvUdiv => Value::Bv(a.udiv(b)),
        Op::BvSdiv => Value::Bv(a.sdiv(b)),
        Op::BvUrem => Value::Bv(a.urem(b)),
        Op::BvSrem => Value::Bv(a.srem(b)),
        Op::BvSmod => Value::Bv(a.smod(b)),
        Op::BvAnd => Value::Bv(a.and(b)),
        Op::BvOr => Value::Bv(a.or(b)),
        Op::BvXor => Value::Bv(a.xor(b)),
        Op::BvShl => Value::Bv(a.shl(b)),
        Op::BvLshr => Value::Bv(a.lshr(b)),
        Op::BvAshr => Value::Bv(a.ashr(b)),
        Op::BvUlt => Value::Bool(a.ult(b)),
        Op::BvUle => Value::Bool(a.ule(b)),
        Op::BvSlt => Value::Bool(a.slt(b)),
        Op::BvSle => Value::Bool(a.sle(b)),
        Op::BvUaddOverflow => Value::Bool(a.uadd_overflow(b)),
        Op::BvSaddOverflow => Value::Bool(a.sadd_overflow(b)),
        Op::BvUsubOverflow => Value::Bool(a.usub_overflow(b)),
        Op::BvSsubOverflow => Value::Bool(a.ssub_overflow(b)),
        Op::BvUmulOverflow => Value::Bool(a.umul_overflow(b)),
        Op::BvSmulOverflow => Value::Bool(a.smul_overflow(b)),
        _ => return None,
    })
}

fn on_float(op: Op, a: Float) -> Option<Value> {
    Some(match op {
        Op::FpSqrt(rounding) => Value::Float(a.sqrt(rounding)),
        Op::FpRound(rounding) => Value::Float(a.round_to_integral(rounding)),
        Op::FpAbs => Value::Float(a.abs()),
        Op::FpNeg => Value::Float(a.neg()),
        Op::FpIsNan => Value::Bool(a.is_nan()),
        Op::FpIsInfinite => Value::Bool(a.is_infinite()),
        Op::FpIsZero => Value::Bool(a.is_zero()),
        Op::FpIsNormal => Value::Bool(a.is_normal()),
        Op::FpIsSubnormal => Value::Bool(a.is_subnormal()),
        Op::FpIsNegative => Value::Bool(a.is_negative()),
        Op::FpIsPositive => Value::Bool(a.is_positive()),
        Op::FpToFp(rounding, format) => Value::Float(a.convert(rounding, format)),
        Op::FpToSignedBv(rounding, width) => Value::Bv(a.to_signed_bv(rounding, width)),
        Op::FpToUnsignedBv(rounding, width) => Value::Bv(a.to_unsigned_bv(rounding, width)),
        Op::FpToBits => Value::Bv(a.to_bv()),
        _ => return None,
    })
}

fn on_floats(op: Op, a: Float, b: Float) -> Option<Value> {
    if a.format() != b.format() {
        return None;
    }
    Some(match op {
        Op::FpAdd(rounding) => Value::Float(a.add(rounding, b)),
        Op::FpSub(rounding) => Value::Float(a.sub(rounding, b)),
        Op::FpMul(rounding) => Value::Float(a.mul(rounding, b)),
        Op::FpDiv(rounding) => Value::Float(a.div(rounding, b)),
        Op::FpRem => Value::Float(a.rem(b)),
        Op::FpFmod => Value::Float(a.fmod(b)),
        Op::FpMin => Value::Float(a.min(b)),
        Op::FpMax => Value::Float(a.max(b)),
        Op::FpEq => Value::Bool(a.ieee_eq(b)),
        Op::FpLt => Value::Bool(a.ieee_lt(b)),
        Op::FpLe => Value::Bool(a.ieee_le(b)),
        _ => return None,
    })
}

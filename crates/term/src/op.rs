//! The operators of terms, and what they mean.

use crate::sort::{ArraySort, Format, Rounding};

/// An operator. Every operator is total.
///
/// What other operators can express has no operator of its own: `a > b` is `b < a`, `a => b` is `(or (not a) b)`, an
/// exclusive or of truth values is the negation of an [`Op::Eq`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Op {
    /// Negation.
    Not,
    /// Conjunction of any number of terms.
    And,
    /// Disjunction of any number of terms.
    Or,
    /// The second argument if the first is true, the third otherwise.
    Ite,
    /// Identity of two terms of one sort. On floats: NaN equals itself, and the zeros differ.
    Eq,

    /// The sum of two integers or two rationals.
    Add,
    /// The difference of two integers or two rationals.
    Sub,
    /// The product of two integers or two rationals.
    Mul,
    /// The negative of an integer or rational.
    Neg,
    /// The quotient of two rationals; 0 if the divisor is 0, which is our choice.
    Div,
    /// The Euclidean quotient of two integers: `a = b * q + r` with `0 <= r < |b|`; 0 if the
    /// divisor is 0, which is our choice.
    IntDiv,
    /// The Euclidean remainder of two integers; the dividend if the divisor is 0, our choice.
    IntMod,
    /// `mod(a, b)` if `b >= 0` and `-mod(a, b)` otherwise.
    IntRem,
    /// Order of two integers or two rationals.
    Le,
    /// Strict order of two integers or two rationals.
    Lt,
    /// The integer as a rational.
    ToRat,
    /// The greatest integer that is at most the rational.
    ToInt,

    /// Every bit flipped.
    BvNot,
    /// Two's complement.
    BvNeg,
    /// The sum, wrapping.
    BvAdd,
    /// The difference, wrapping.
    BvSub,
    /// The product, wrapping.
    BvMul,
    /// The unsigned quotient; all ones if the divisor is 0.
    BvUdiv,
    /// The signed quotient, truncated. Divisor 0: 1 if the dividend is negative, otherwise -1.
    /// The least number divided by -1 wraps to itself.
    BvSdiv,
    /// The unsigned remainder; the dividend if the divisor is 0.
    BvUrem,
    /// The signed remainder, with the dividend's sign; the dividend if the divisor is 0.
    BvSrem,
    /// The signed remainder, with the divisor's sign; the dividend if the divisor is 0.
    BvSmod,
    /// Bitwise and.
    BvAnd,
    /// Bitwise or.
    BvOr,
    /// Bitwise exclusive or.
    BvXor,
    /// Left shift by an unsigned amount; 0 from the width on.
    BvShl,
    /// Right shift by an unsigned amount, filled with 0.
    BvLshr,
    /// Right shift by an unsigned amount, filled with the sign.
    BvAshr,
    /// Unsigned less than.
    BvUlt,
    /// Unsigned at most.
    BvUle,
    /// Signed less than.
    BvSlt,
    /// Signed at most.
    BvSle,
    /// The bits of the first argument above those of the second.
    BvConcat,
    /// The bits from `low` to `high`, both included.
    BvExtract {
        /// The highest bit taken.
        high: u32,
        /// The lowest bit taken.
        low: u32,
    },
    /// The argument, filled with 0 to this total width.
    BvZeroExtend(u32),
    /// The argument, filled with the sign to this total width.
    BvSignExtend(u32),
    /// Whether the unsigned sum wraps.
    BvUaddOverflow,
    /// Whether the signed sum wraps.
    BvSaddOverflow,
    /// Whether the unsigned difference wraps.
    BvUsubOverflow,
    /// Whether the signed difference wraps.
    BvSsubOverflow,
    /// Whether the unsigned product wraps.
    BvUmulOverflow,
    /// Whether the signed product wraps.
    BvSmulOverflow,
    /// The unsigned reading.
    BvToIntUnsigned,
    /// The signed reading.
    BvToIntSigned,
    /// The low bits of an integer in two's complement, as many as the number says.
    IntToBv(u32),

    /// IEEE sum.
    FpAdd(Rounding),
    /// IEEE difference.
    FpSub(Rounding),
    /// IEEE product.
    FpMul(Rounding),
    /// IEEE quotient.
    FpDiv(Rounding),
    /// First times second plus third, rounded once.
    FpFma(Rounding),
    /// IEEE square root.
    FpSqrt(Rounding),
    /// IEEE remainder, by the quotient rounded to the nearest integer, ties to even.
    FpRem,
    /// C's `fmod`, by the quotient cut off to an integer; exact, with the sign of the dividend.
    FpFmod,
    /// The float rounded to an integral value.
    FpRound(Rounding),
    /// The float without its sign.
    FpAbs,
    /// The float with the other sign; NaN stays.
    FpNeg,
    /// The lesser of two floats; the other one if one of them is NaN; `-0` if the two are zeros of both signs.
    FpMin,
    /// The greater of two floats; the other one if one of them is NaN; `+0` if the two are zeros of both signs.
    FpMax,
    /// IEEE equality: false with NaN, true of the two zeros.
    FpEq,
    /// IEEE less than.
    FpLt,
    /// IEEE at most.
    FpLe,
    /// Whether the float is NaN.
    FpIsNan,
    /// Whether the float is an infinity.
    FpIsInfinite,
    /// Whether the float is a zero.
    FpIsZero,
    /// Whether the float is finite, not zero, and not subnormal.
    FpIsNormal,
    /// Whether the float is subnormal.
    FpIsSubnormal,
    /// Whether the float has the sign bit and is not NaN.
    FpIsNegative,
    /// Whether the float lacks the sign bit and is not NaN.
    FpIsPositive,
    /// The float in another format.
    FpToFp(Rounding, Format),
    /// The value of a signed bit-vector.
    FpFromSignedBv(Rounding, Format),
    /// The value of an unsigned bit-vector.
    FpFromUnsignedBv(Rounding, Format),
    /// The float rounded to a signed integer of this width; the least number if the float is NaN or does not fit, which
    /// is our choice.
    FpToSignedBv(Rounding, u32),
    /// The float rounded to an unsigned integer of this width; only the highest bit set if the float is NaN or does not
    /// fit, which is our choice.
    FpToUnsignedBv(Rounding, u32),
    /// The float that a bit-vector of the format's width encodes; every NaN gives the one NaN.
    FpFromBits(Format),
    /// The encoding, a bit-vector of the format's width; NaN gives the encoding of the quiet positive NaN.
    FpToBits,

    /// The element of an array at an index.
    Select,
    /// The array with the element at an index changed.
    Store,
    /// The array of this sort with the same element everywhere.
    ConstArray(ArraySort),
}

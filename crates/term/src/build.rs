//! A named constructor for each operator, and for operators that are written with other operators.
//!
//! Each constructor simplifies, and panics if the arguments are not of the sorts that the operator takes: the caller
//! has to know these sorts. Text from outside goes through [`Terms::try_app`].

use crate::op::Op;
use crate::sort::{Format, Rounding, Sort};
use crate::table::{TermId, Terms};

macro_rules! unary {
    ($($(#[$doc:meta])* $name:ident = $op:ident;)*) => { impl Terms { $(
        $(#[$doc])*
        pub fn $name(&mut self, a: TermId) -> TermId {
            self.app(Op::$op, &[a])
        }
    )* } };
}

macro_rules! binary {
    ($($(#[$doc:meta])* $name:ident = $op:ident;)*) => { impl Terms { $(
        $(#[$doc])*
        pub fn $name(&mut self, a: TermId, b: TermId) -> TermId {
            self.app(Op::$op, &[a, b])
        }
    )* } };
}

/// `a > b` is `b < a`.
macro_rules! flipped {
    ($($(#[$doc:meta])* $name:ident = $op:ident;)*) => { impl Terms { $(
        $(#[$doc])*
        pub fn $name(&mut self, a: TermId, b: TermId) -> TermId {
            self.app(Op::$op, &[b, a])
        }
    )* } };
}

macro_rules! rounded_binary {
    ($($(#[$doc:meta])* $name:ident = $op:ident;)*) => { impl Terms { $(
        $(#[$doc])*
        pub fn $name(&mut self, r: Rounding, a: TermId, b: TermId) -> TermId {
            self.app(Op::$op(r), &[a, b])
        }
    )* } };
}

unary! {
    /// Negation.
    not = Not;
    /// The negative of an integer or rational.
    neg = Neg;
    /// The integer as a rational.
    to_rat = ToRat;
    /// The greatest integer that is at most the rational.
    to_int = ToInt;
    /// Every bit flipped.
    bv_not = BvNot;
    /// Two's complement.
    bv_neg = BvNeg;
    /// The unsigned reading.
    bv_to_int_unsigned = BvToIntUnsigned;
    /// The signed reading.
    bv_to_int_signed = BvToIntSigned;
    /// The float without its sign.
    fp_abs = FpAbs;
    /// The float with the other sign.
    fp_neg = FpNeg;
    /// Whether the float is NaN.
    fp_is_nan = FpIsNan;
    /// Whether the float is an infinity.
    fp_is_infinite = FpIsInfinite;
    /// Whether the float is a zero.
    fp_is_zero = FpIsZero;
    /// Whether the float is finite, not zero, and not subnormal.
    fp_is_normal = FpIsNormal;
    /// Whether the float is subnormal.
    fp_is_subnormal = FpIsSubnormal;
    /// Whether the float has the sign bit and is not NaN.
    fp_is_negative = FpIsNegative;
    /// Whether the float lacks the sign bit and is not NaN.
    fp_is_positive = FpIsPositive;
    /// The encoding, a bit-vector of the format's width.
    fp_to_bits = FpToBits;
}

binary! {
    /// Identity of two terms of one sort; on floats, NaN equals itself and the zeros differ.
    eq = Eq;
    /// The sum of two integers or two rationals.
    add = Add;
    /// The difference of two integers or two rationals.
    sub = Sub;
    /// The product of two integers or two rationals.
    mul = Mul;
    /// The quotient of two rationals; see [`Op::Div`] for a divisor of 0.
    div = Div;
    /// The Euclidean quotient of two integers; see [`Op::IntDiv`] for a divisor of 0.
    int_div = IntDiv;
    /// The Euclidean remainder of two integers; see [`Op::IntMod`] for a divisor of 0.
    int_mod = IntMod;
    /// See [`Op::IntRem`].
    int_rem = IntRem;
    /// `a <= b` of integers or rationals.
    le = Le;
    /// `a < b` of integers or rationals.
    lt = Lt;
    /// The sum, wrapping.
    bv_add = BvAdd;
    /// The difference, wrapping.
    bv_sub = BvSub;
    /// The product, wrapping.
    bv_mul = BvMul;
    /// The unsigned quotient; see [`Op::BvUdiv`] for a divisor of 0.
    bv_udiv = BvUdiv;
    /// The signed quotient, truncated; see [`Op::BvSdiv`] for a divisor of 0.
    bv_sdiv = BvSdiv;
    /// The unsigned remainder.
    bv_urem = BvUrem;
    /// The signed remainder with the sign of the dividend.
    bv_srem = BvSrem;
    /// The signed remainder with the sign of the divisor.
    bv_smod = BvSmod;
    /// Bitwise and.
    bv_and = BvAnd;
    /// Bitwise or.
    bv_or = BvOr;
    /// Bitwise exclusive or.
    bv_xor = BvXor;
    /// Left shift.
    bv_shl = BvShl;
    /// Right shift, filled with 0.
    bv_lshr = BvLshr;
    /// Right shift, filled with the sign.
    bv_ashr = BvAshr;
    /// Unsigned `a < b`.
    bv_ult = BvUlt;
    /// Unsigned `a <= b`.
    bv_ule = BvUle;
    /// Signed `a < b`.
    bv_slt = BvSlt;
    /// Signed `a <= b`.
    bv_sle = BvSle;
    /// The bits of the first vector above those of the second.
    bv_concat = BvConcat;
    /// Whether the unsigned sum wraps.
    bv_uadd_overflow = BvUaddOverflow;
    /// Whether the signed sum wraps.
    bv_sadd_overflow = BvSaddOverflow;
    /// Whether the unsigned difference wraps.
    bv_usub_overflow = BvUsubOverflow;
    /// Whether the signed difference wraps.
    bv_ssub_overflow = BvSsubOverflow;
    /// Whether the unsigned product wraps.
    bv_umul_overflow = BvUmulOverflow;
    /// Whether the signed product wraps.
    bv_smul_overflow = BvSmulOverflow;
    /// IEEE remainder.
    fp_rem = FpRem;
    /// C's `fmod`.
    fp_fmod = FpFmod;
    /// The lesser of two floats; see [`Op::FpMin`] for NaN and zeros.
    fp_min = FpMin;
    /// The greater of two floats; see [`Op::FpMax`] for NaN and zeros.
    fp_max = FpMax;
    /// IEEE equality.
    fp_eq = FpEq;
    /// IEEE less than.
    fp_lt = FpLt;
    /// IEEE at most.
    fp_le = FpLe;
    /// The element of an array at an index.
    select = Select;
}

flipped! {
    /// `a >= b` of integers or rationals.
    ge = Le;
    /// `a > b` of integers or rationals.
    gt = Lt;
    /// Unsigned `a > b`.
    bv_ugt = BvUlt;
    /// Unsigned `a >= b`.
    bv_uge = BvUle;
    /// Signed `a > b`.
    bv_sgt = BvSlt;
    /// Signed `a >= b`.
    bv_sge = BvSle;
    /// IEEE greater than.
    fp_gt = FpLt;
    /// IEEE at least.
    fp_ge = FpLe;
}

rounded_binary! {
    /// IEEE sum.
    fp_add = FpAdd;
    /// IEEE difference.
    fp_sub = FpSub;
    /// IEEE product.
    fp_mul = FpMul;
    /// IEEE quotient.
    fp_div = FpDiv;
}

impl Terms {
    /// Conjunction; true if there are no arguments.
    pub fn and(&mut self, args: &[TermId]) -> TermId {
        self.app(Op::And, args)
    }

    /// Disjunction; false if there are no arguments.
    pub fn or(&mut self, args: &[TermId]) -> TermId {
        self.app(Op::Or, args)
    }

    /// `a` and `b`.
    pub fn and2(&mut self, a: TermId, b: TermId) -> TermId {
        self.app(Op::And, &[a, b])
    }

    /// `a` or `b`.
    pub fn or2(&mut self, a: TermId, b: TermId) -> TermId {
        self.app(Op::Or, &[a, b])
    }

    /// `b` if `a`.
    pub fn implies(&mut self, a: TermId, b: TermId) -> TermId {
        let not = self.not(a);
        self.or2(not, b)
    }

    /// One of two truth values, not both.
    ///
    /// # Panics
    /// If the arguments are not truth values.
    pub fn xor(&mut self, a: TermId, b: TermId) -> TermId {
        assert_eq!(self.sort(a), Sort::Bool, "an exclusive or of truth values");
        self.ne(a, b)
    }

    /// `then` if the condition holds, `other` if not.
    pub fn ite(&mut self, condition: TermId, then: TermId, other: TermId) -> TermId {
        self.app(Op::Ite, &[condition, then, other])
    }

    /// The negation of [`Terms::eq`].
    pub fn ne(&mut self, a: TermId, b: TermId) -> TermId {
        let eq = self.eq(a, b);
        self.not(eq)
    }

    /// The bits from `low` to `high`, both included.
    pub fn bv_extract(&mut self, high: u32, low: u32, a: TermId) -> TermId {
        self.app(Op::BvExtract { high, low }, &[a])
    }

    /// Filled with 0 to a total width; the same term if it has that width.
    pub fn bv_zero_extend(&mut self, to_width: u32, a: TermId) -> TermId {
        self.app(Op::BvZeroExtend(to_width), &[a])
    }

    /// Filled with the sign to a total width; the same term if it has that width.
    pub fn bv_sign_extend(&mut self, to_width: u32, a: TermId) -> TermId {
        self.app(Op::BvSignExtend(to_width), &[a])
    }

    /// The low bits of an integer in two's complement.
    pub fn int_to_bv(&mut self, width: u32, a: TermId) -> TermId {
        self.app(Op::IntToBv(width), &[a])
    }

    /// `a * b + c`, rounded once.
    pub fn fp_fma(&mut self, r: Rounding, a: TermId, b: TermId, c: TermId) -> TermId {
        self.app(Op::FpFma(r), &[a, b, c])
    }

    /// IEEE square root.
    pub fn fp_sqrt(&mut self, r: Rounding, a: TermId) -> TermId {
        self.app(Op::FpSqrt(r), &[a])
    }

    /// The float rounded to an integral value.
    pub fn fp_round(&mut self, r: Rounding, a: TermId) -> TermId {
        self.app(Op::FpRound(r), &[a])
    }

    /// The float in another format.
    pub fn fp_to_fp(&mut self, r: Rounding, format: Format, a: TermId) -> TermId {
        self.app(Op::FpToFp(r, format), &[a])
    }

    /// The value of a signed bit-vector.
    pub fn fp_from_signed_bv(&mut self, r: Rounding, format: Format, a: TermId) -> TermId {
        self.app(Op::FpFromSignedBv(r, format), &[a])
    }

    /// The value of an unsigned bit-vector.
    pub fn fp_from_unsigned_bv(&mut self, r: Rounding, format: Format, a: TermId) -> TermId {
        self.app(Op::FpFromUnsignedBv(r, format), &[a])
    }

    /// Rounded to a signed integer; see [`Op::FpToSignedBv`] for what does not fit.
    pub fn fp_to_signed_bv(&mut self, r: Rounding, width: u32, a: TermId) -> TermId {
        self.app(Op::FpToSignedBv(r, width), &[a])
    }

    /// Rounded to an unsigned integer; see [`Op::FpToUnsignedBv`] for what does not fit.
    pub fn fp_to_unsigned_bv(&mut self, r: Rounding, width: u32, a: TermId) -> TermId {
        self.app(Op::FpToUnsignedBv(r, width), &[a])
    }

    /// The float that a bit-vector encodes.
    pub fn fp_from_bits(&mut self, format: Format, a: TermId) -> TermId {
        self.app(Op::FpFromBits(format), &[a])
    }

    /// The array with the element at an index changed.
    pub fn store(&mut self, array: TermId, index: TermId, value: TermId) -> TermId {
        self.app(Op::Store, &[array, index, value])
    }

    /// The array of an array sort with the same element everywhere.
    ///
    /// # Panics
    /// If the sort is not an array sort.
    pub fn const_array(&mut self, array_sort: Sort, value: TermId) -> TermId {
        match array_sort {
            Sort::Array(sort) => self.app(Op::ConstArray(sort), &[value]),
            sort => panic!("{sort:?} is not an array sort"),
        }
    }
}

//! The names of operators in the text form, for those who write terms and for those who read them.

use crate::{Op, Rounding};

/// Makes the functions of this file from one table. Operators that are read and written by their name alone are
/// `plain`; operators that have a rounding mode as their first argument are `rounded`. For all other operators, the
/// table has only the name with which they are written, since reading them needs their parameters or arguments.
macro_rules! names {
    (
        plain { $($plain:ident = $plain_name:literal,)* }
        rounded { $($rounded:ident = $rounded_name:literal,)* }
        others { $($other:pat => $other_name:literal,)* }
    ) => {
        /// The name of an operator, without parameters and rounding mode.
        pub(crate) const fn name(op: Op) -> &'static str {
            match op {
                $(Op::$plain => $plain_name,)*
                $(Op::$rounded(_) => $rounded_name,)*
                $($other => $other_name,)*
            }
        }

        /// The mode of an operator whose name has no parameters.
        pub(crate) const fn rounding(op: Op) -> Option<Rounding> {
            match op {
                $(Op::$rounded(rounding))|* => Some(rounding),
                _ => None,
            }
        }

        /// The operator that is written by its name alone.
        pub(crate) fn plain(name: &str) -> Option<Op> {
            Some(match name {
                $($plain_name => Op::$plain,)*
                _ => return None,
            })
        }

        /// The operator of a name whose first argument is a rounding mode.
        pub(crate) fn rounded(name: &str, rounding: Rounding) -> Option<Op> {
            Some(match name {
                $($rounded_name => Op::$rounded(rounding),)*
                _ => return None,
            })
        }
    };
}

names! {
    plain {
        Not = "not",
        And = "and",
        Or = "or",
        Ite = "ite",
        Eq = "=",
        Add = "+",
        Mul = "*",
        IntDiv = "div",
        IntMod = "mod",
        IntRem = "rem",
        Le = "<=",
        Lt = "<",
        ToRat = "to_real",
        ToInt = "to_int",
        BvNot = "bvnot",
        BvNeg = "bvneg",
        BvAdd = "bvadd",
        BvSub = "bvsub",
        BvMul = "bvmul",
        BvUdiv = "bvudiv",
        BvSdiv = "bvsdiv",
        BvUrem = "bvurem",
        BvSrem = "bvsrem",
        BvSmod = "bvsmod",
        BvAnd = "bvand",
        BvOr = "bvor",
        BvXor = "bvxor",
        BvShl = "bvshl",
        BvLshr = "bvlshr",
        BvAshr = "bvashr",
        BvUlt = "bvult",
        BvUle = "bvule",
        BvSlt = "bvslt",
        BvSle = "bvsle",
        BvConcat = "concat",
        BvUaddOverflow = "bvuaddo",
        BvSaddOverflow = "bvsaddo",
        BvUsubOverflow = "bvusubo",
        BvSsubOverflow = "bvssubo",
        BvUmulOverflow = "bvumulo",
        BvSmulOverflow = "bvsmulo",
        BvToIntUnsigned = "bv2nat",
        BvToIntSigned = "sbv_to_int",
        FpRem = "fp.rem",
        FpFmod = "fp.fmod",
        FpAbs = "fp.abs",
        FpNeg = "fp.neg",
        FpMin = "fp.min",
        FpMax = "fp.max",
        FpEq = "fp.eq",
        FpLt = "fp.lt",
        FpLe = "fp.leq",
        FpIsNan = "fp.isNaN",
        FpIsInfinite = "fp.isInfinite",
        FpIsZero = "fp.isZero",
        FpIsNormal = "fp.isNormal",
        FpIsSubnormal = "fp.isSubnormal",
        FpIsNegative = "fp.isNegative",
        FpIsPositive = "fp.isPositive",
        FpToBits = "fp.to_ieee_bv",
        Select = "select",
        Store = "store",
    }
    rounded {
        FpAdd = "fp.add",
        FpSub = "fp.sub",
        FpMul = "fp.mul",
        FpDiv = "fp.div",
        FpFma = "fp.fma",
        FpSqrt = "fp.sqrt",
        FpRound = "fp.roundToIntegral",
    }
    others {
        Op::Sub | Op::Neg => "-",
        Op::Div => "/",
        Op::BvExtract { .. } => "extract",
        Op::BvZeroExtend(_) => "zero_extend",
        Op::BvSignExtend(_) => "sign_extend",
        Op::IntToBv(_) => "int2bv",
        Op::FpToFp(..) | Op::FpFromSignedBv(..) | Op::FpFromBits(_) => "to_fp",
        Op::FpFromUnsignedBv(..) => "to_fp_unsigned",
        Op::FpToSignedBv(..) => "fp.to_sbv",
        Op::FpToUnsignedBv(..) => "fp.to_ubv",
        Op::ConstArray(_) => "const",
    }
}

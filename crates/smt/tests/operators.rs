//! Every operator as SMT-LIB has it, through z3 if it is there, against the evaluator.

use base::Random;
use num_bigint::BigInt;
use proviso_smt::{Answer, Pipe, Reason, Solver};
use run::Budget;
use term::{Bv, Float, Format, Op, Rounding, Sort, TermId, Terms, Value, apply};

fn values(dice: &mut Random, sort: Sort) -> Vec<Value> {
    match sort {
        Sort::Bool => vec![Value::Bool(false), Value::Bool(true)],
        Sort::Int => [-7, -1, 0, 1, 3, 200].map(|n| Value::Int(BigInt::from(n))).to_vec(),
        Sort::Rat => [(-7, 2), (0, 1), (1, 3), (5, 1)]
            .map(|(a, b)| Value::Rat(num_rational::BigRational::new(a.into(), b.into())))
            .to_vec(),
        Sort::Bv(width) => {
            let top = 1_u128 << (width - 1);
            let mut bits = vec![0, 1, top, top - 1, u128::MAX];
            bits.extend((0..3).map(|_| u128::from(dice.next()) << 64 | u128::from(dice.next())));
            bits.into_iter().map(|bits| Value::Bv(Bv::new(width, bits))).collect()
        }
        Sort::Float(format) => {
            let parts = [(0, 0), (u128::MAX, 0), (u128::MAX, 1), (0, 1), (1, 0)];
            let bias = (1 << (format.exponent_bits() - 1)) - 1;
            let half = 1_u128 << (format.significand_bits() - 2);
            let near = [(bias - 1, 0), (bias, half), (bias + 1, half), (bias + 7, 12345)];
            let mut all = Vec::new();
            for (exponent, fraction) in parts.into_iter().chain(near) {
                for sign in [false, true] {
                    all.push(Value::Float(Float::from_parts(format, sign, exponent, fraction)));
                }
            }
            // The borders of eight bits.
            for power in [7, 8] {
                for sign in [false, true] {
                    all.push(Value::Float(Float::from_parts(format, sign, bias + power, 0)));
                }
            }
            all.push(Value::Float(Float::from_parts(format, true, u128::from(dice.next()), 99)));
            all
        }
        Sort::Array(_) => vec![],
    }
}

/// The operators, each with the sorts of its arguments.
fn cases() -> Vec<(Op, Vec<Sort>)> {
    use Op::*;
    let mut cases = Vec::new();
    for width in [1, 8, 13] {
        let word = Sort::Bv(width);
        for op in [
            BvAdd,
            BvSub,
            BvMul,
            BvUdiv,
            BvSdiv,
            BvUrem,
            BvSrem,
            BvSmod,
            BvAnd,
            BvOr,
            BvXor,
            BvShl,
            BvLshr,
            BvAshr,
            BvUlt,
            BvUle,
            BvSlt,
            BvSle,
            BvConcat,
            BvUaddOverflow,
            BvSaddOverflow,
            BvUsubOverflow,
            BvSsubOverflow,
            BvUmulOverflow,
            BvSmulOverflow,
            Eq,
        ] {
            cases.push((op, vec![word, word]));
        }
        for op in [
            BvNot,
            BvNeg,
            BvZeroExtend(width + 3),
            BvSignExtend(width + 3),
            BvToIntUnsigned,
            BvToIntSigned,
            BvExtract { high: width - 1, low: width / 2 },
        ] {
            cases.push((op, vec![word]));
        }
    }
    for op in [Add, Sub, Mul, IntDiv, IntMod, IntRem, Le, Lt, Eq] {
        cases.push((op, vec![Sort::Int; 2]));
    }
    for op in [Add, Sub, Mul, Div, Le, Lt, Eq] {
        cases.push((op, vec![Sort::Rat; 2]));
    }
    for op in [Neg, ToRat, IntToBv(5)] {
        cases.push((op, vec![Sort::Int]));
    }
    cases.push((ToInt, vec![Sort::Rat]));
    for op in [And, Or, Eq] {
        cases.push((op, vec![Sort::Bool; 2]));
    }
    cases.push((Not, vec![Sort::Bool]));
    cases.push((Ite, vec![Sort::Bool, Sort::Int, Sort::Int]));
    for format in [Format::Half, Format::Single, Format::X87] {
        let float = Sort::Float(format);
        let rounding = Rounding::NearestEven;
        for op in [FpMin, FpMax, FpEq, FpLt, FpLe, FpAdd(rounding), Eq] {
            cases.push((op, vec![float, float]));
        }
        for op in [
            FpAbs,
            FpNeg,
            FpIsNan,
            FpIsInfinite,
            FpIsZero,
            FpIsNormal,
            FpIsSubnormal,
            FpIsNegative,
            FpIsPositive,
            FpToBits,
        ] {
            cases.push((op, vec![float]));
        }
        cases.push((FpFromBits(format), vec![Sort::Bv(format.width())]));
        for rounding in Rounding::ALL {
            cases.push((FpRound(rounding), vec![float]));
            for width in [8, 17] {
                cases.push((FpToSignedBv(rounding, width), vec![float]));
                cases.push((FpToUnsignedBv(rounding, width), vec![float]));
            }
        }
    }
    for rounding in Rounding::ALL {
        let half = Sort::Float(Format::Half);
        for op in [FpAdd(rounding), FpSub(rounding), FpMul(rounding), FpDiv(rounding)] {
            cases.push((op, vec![half, half]));
        }
        cases.push((FpSqrt(rounding), vec![half]));
        cases.push((FpFma(rounding), vec![half, half, half]));
        cases.push((FpToFp(rounding, Format::Half), vec![Sort::Float(Format::Single)]));
        cases.push((FpToFp(rounding, Format::X87), vec![half]));
        cases.push((FpFromSignedBv(rounding, Format::Half), vec![Sort::Bv(17)]));
        cases.push((FpFromUnsignedBv(rounding, Format::Half), vec![Sort::Bv(17)]));
    }
    cases
}

#[test]
fn operators_mean_in_smt_lib_what_they_mean_here() {
    let Ok(mut solver) = Pipe::new("z3") else { return };
    let mut dice = Random::new(11);
    let mut terms = Terms::new();
    let mut wrong = Vec::new();
    for (op, sorts) in cases() {
        let vars: Vec<TermId> = sorts
            .iter()
            .map(|sort| {
                let var = terms.declare(format!("{op:?}"), *sort);
                terms.var(var)
            })
            .collect();
        // Never constants: the solver and not the simplifier is asked.
        let applied = terms.app(op, &vars);
        let rounds = match sorts.len() {
            1 => 24,
            _ => 12,
        };
        for round in 0..rounds {
            let args: Vec<Value> = sorts
                .iter()
                .map(|sort| {
                    let values = values(&mut dice, *sort);
                    if sorts.len() == 1 && round < values.len() {
                        values[round].clone()
                    } else {
                        dice.pick(&values)
                    }
                })
                .collect();
            let result = apply(op, &args.iter().collect::<Vec<_>>());
            let result = terms.constant(result);
            let differs = terms.ne(applied, result);
            solver.push();
            for (var, value) in vars.iter().zip(&args) {
                let value = terms.constant(value.clone());
                let equal = terms.eq(*var, value);
                solver.assert(&terms, equal);
            }
            let equal = terms.not(differs);
            for (claim, expected) in [(differs, Answer::Unsat), (equal, Answer::Sat)] {
                let answer = solver.check(&terms, &[claim], &Budget::default());
                if answer != expected {
                    wrong.push(format!("{op:?} {args:?}: {answer:?}"));
                }
            }
            solver.pop();
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn what_smt_lib_cannot_say_is_refused() {
    let Ok(mut solver) = Pipe::new("z3") else { return };
    let mut terms = Terms::new();
    let sort = Sort::Float(Format::Half);
    let (x, y) = (terms.declare("x", sort), terms.declare("y", sort));
    let (x, y) = (terms.var(x), terms.var(y));
    for op in [Op::FpRem, Op::FpFmod] {
        let rest = terms.app(op, &[x, y]);
        let claim = terms.eq(rest, x);
        solver.push();
        solver.assert(&terms, claim);
        let answer = solver.check(&terms, &[], &Budget::default());
        assert!(matches!(answer, Answer::Unknown(Reason::Unsupported(_))), "{answer:?}");
        solver.pop();
    }
    assert_eq!(solver.check(&terms, &[], &Budget::default()), Answer::Sat);
}

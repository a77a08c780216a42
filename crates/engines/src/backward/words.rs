//! Machine words in linear arithmetic. A word stands for its value as a two's complement number;
//! arithmetic that may wrap around is split into cases, one for each number of times that it can,
//! which is exact. Where that would be many cases it is refused.

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Zero};
use term::Op;

use super::atom::Relation;
use super::linear::{Linear, Place};
use super::translate::{Case, Conditions, Meaning, bound, combine, compare_with};

/// How often a result may wrap around, at most.
const MAX_TURNS: u32 = 3;

/// The width of the word at a place, if it holds one.
pub(super) type Widths<'a> = dyn Fn(Place) -> Option<u32> + 'a;

/// The least and the greatest number that a word can be.
pub(super) fn range(width: u32) -> (BigInt, BigInt) {
    let half = BigInt::one() << (width - 1);
    (-&half, half - 1)
}

fn number(value: BigInt) -> Linear {
    Linear::number(BigRational::from_integer(value))
}

/// `expression - value`, for a comparison with a number.
fn minus(expression: &Linear, value: BigInt) -> Linear {
    expression.clone().plus(&-BigRational::one(), &number(value))
}

/// Between which numbers an expression over words lies.
fn interval(expression: &Linear, widths: &Widths<'_>) -> Option<(BigInt, BigInt)> {
    let constant = &expression.constant;
    let (mut low, mut high) = (constant.clone(), constant.clone());
    for (place, factor) in &expression.factors {
        let (least, greatest) = range(widths(*place)?);
        let ends = [least, greatest].map(|end| factor * end);
        let [a, b] = ends;
        let (lower, upper) = if a <= b { (a, b) } else { (b, a) };
        low += lower;
        high += upper;
    }
    (low.is_integer() && high.is_integer()).then(|| (low.to_integer(), high.to_integer()))
}

/// A number as a word: its remainder by the number of words.
fn wrap(cases: Vec<Case>, width: u32, widths: &Widths<'_>) -> Result<Vec<Case>, String> {
    let (least, greatest) = range(width);
    let modulus = BigInt::one() << width;
    let mut wrapped = Vec::new();
    for case in cases {
        let (low, high) = interval(&case.value, widths)
            .ok_or("a word that is made of something else than words")?;
        let first = (low - &least).div_floor(&modulus);
        let last = (high - &least).div_floor(&modulus);
        if &last - &first > BigInt::from(MAX_TURNS) {
            return Err("arithmetic on machine words that may wrap around many times".to_owned());
        }
        let mut turn = first.clone();
        while turn <= last {
            let shift = &turn * &modulus;
            let mut conditions = case.conditions.clone();
            if turn != first {
                conditions.push((minus(&case.value, &least + &shift), Relation::Ge));
            }
            if turn != last {
                conditions.push((minus(&case.value, &greatest + &shift), Relation::Le));
            }
            wrapped.push(Case { conditions, value: minus(&case.value, shift) });
            turn += 1;
        }
    }
    bound(wrapped.len())?;
    Ok(wrapped)
}

/// A word as a number without a sign.
fn unsigned(cases: &[Case], width: u32, widths: &Widths<'_>) -> Result<Vec<Case>, String> {
    let mut found = Vec::new();
    for case in cases {
        let known = interval(&case.value, widths);
        let (low, high) = known.unwrap_or_else(|| range(width));
        if high >= BigInt::zero() {
            let mut conditions = case.conditions.clone();
            if low < BigInt::zero() {
                conditions.push((case.value.clone(), Relation::Ge));
            }
            found.push(Case { conditions, value: case.value.clone() });
        }
        if low < BigInt::zero() {
            let mut conditions = case.conditions.clone();
            if high >= BigInt::zero() {
                conditions.push((case.value.clone(), Relation::Lt));
            }
            let value = minus(&case.value, -(BigInt::one() << width));
            found.push(Case { conditions, value });
        }
    }
    bound(found.len())?;
    Ok(found)
}

/// What an operator on words gives.
pub(super) fn apply(
    op: Op,
    arguments: &[(u32, &[Case])],
    widths: &Widths<'_>,
) -> Result<Meaning, String> {
    let one = BigRational::one();
    let word = |width: u32, cases: Vec<Case>| {
        wrap(cases, width, widths).map(|cases| Meaning::Word { width, cases })
    };
    let scaled = |cases: &[Case], factor: &BigRational| -> Vec<Case> {
        let each = |case: &Case| Case {
            conditions: case.conditions.clone(),
            value: case.value.times(factor),
        };
        cases.iter().map(each).collect()
    };
    match (op, arguments) {
        (Op::BvAdd, [(width, a), (_, b)]) => {
            word(*width, combine(a, b, |a, b| Ok(a.clone().plus(&one, b)))?)
        }
        (Op::BvSub, [(width, a), (_, b)]) => {
            word(*width, combine(a, b, |a, b| Ok(a.clone().plus(&-one.clone(), b)))?)
        }
        (Op::BvNeg, [(width, a)]) => word(*width, scaled(a, &-one)),
        (Op::BvMul, [(width, a), (_, b)]) => {
            let product = combine(a, b, |a, b| match (a.as_number(), b.as_number()) {
                (Some(factor), _) => Ok(b.times(factor)),
                (_, Some(factor)) => Ok(a.times(factor)),
                _ => Err("a product of two variables is not linear".to_owned()),
            })?;
            word(*width, product)
        }
        (Op::BvExtract { high, low: 0 }, [(_, a)]) => word(high + 1, a.to_vec()),
        (Op::BvSignExtend(width), [(_, a)]) => Ok(Meaning::Word { width, cases: a.to_vec() }),
        (Op::BvZeroExtend(width), [(narrow, a)]) if width > *narrow => {
            Ok(Meaning::Word { width, cases: unsigned(a, *narrow, widths)? })
        }
        (Op::Eq, [(_, a), (_, b)]) => compare_with(a, b, Relation::Eq),
        (Op::BvSlt, [(_, a), (_, b)]) => compare_with(a, b, Relation::Lt),
        (Op::BvSle, [(_, a), (_, b)]) => compare_with(a, b, Relation::Le),
        (Op::BvUlt | Op::BvUle, [(width, a), (_, b)]) => {
            let (a, b) = (unsigned(a, *width, widths)?, unsigned(b, *width, widths)?);
            compare_with(&a, &b, if op == Op::BvUlt { Relation::Lt } else { Relation::Le })
        }
        (Op::BvSaddOverflow | Op::BvSsubOverflow, [(width, a), (_, b)]) => {
            let sign = if op == Op::BvSaddOverflow { one } else { -one };
            let sums = combine(a, b, |a, b| Ok(a.clone().plus(&sign, b)))?;
            Ok(outside(&sums, *width))
        }
        _ => Err(format!("the operator {op:?} is not linear")),
    }
}

/// Whether numbers are no words of a width.
fn outside(sums: &[Case], width: u32) -> Meaning {
    let (least, greatest) = range(width);
    let mut yes: Vec<Conditions> = Vec::new();
    let mut no: Vec<Conditions> = Vec::new();
    for sum in sums {
        let below = minus(&sum.value, least.clone());
        let above = minus(&sum.value, greatest.clone());
        for (expression, relation) in [(&below, Relation::Lt), (&above, Relation::Gt)] {
            let mut conditions = sum.conditions.clone();
            conditions.push((expression.clone(), relation));
            yes.push(conditions);
        }
        let mut conditions = sum.conditions.clone();
        conditions.extend([(below, Relation::Ge), (above, Relation::Le)]);
        no.push(conditions);
    }
    Meaning::Truth { yes, no }
}

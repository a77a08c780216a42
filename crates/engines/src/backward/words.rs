//! Machine words in linear arithmetic. A word stands for its value as a two's complement number. Arithmetic that may
//! wrap around is split into cases, one for each number of times that it can wrap around, which is exact. Arithmetic
//! that would have many cases is refused.

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Zero};
use term::Op;

use super::atom::Relation;
use super::cases::{Case, Conditions, Meaning, bound, combine, compare_with, quotient};
use super::linear::Linear;
use super::places::Places;

/// How often a result may wrap around, at most.
const MAX_TURNS: u32 = 4;

/// The least and the greatest number that a word can be.
pub(super) fn range(width: u32) -> (BigInt, BigInt) {
    let half = BigInt::one() << (width - 1);
    (-&half, half - 1)
}

/// The width of signed words that can be any number from zero to this one.
fn signed_width(greatest: &BigInt) -> u32 {
    // The cast is exact: the numbers here come from machine words.
    greatest.bits() as u32 + 1
}

fn number(value: BigInt) -> Linear {
    Linear::number(BigRational::from_integer(value))
}

/// `expression - value`, for a comparison with a number.
fn minus(expression: &Linear, value: BigInt) -> Linear {
    expression.clone().plus(&-BigRational::one(), &number(value))
}

/// Between which numbers an expression over words lies.
fn interval(expression: &Linear, places: &Places<'_>) -> Option<(BigInt, BigInt)> {
    let constant = &expression.constant;
    let (mut low, mut high) = (constant.clone(), constant.clone());
    for (place, factor) in &expression.factors {
        let (least, greatest) = range(places.width(*place)?);
        let ends = [least, greatest].map(|end| factor * end);
        let [a, b] = ends;
        let (lower, upper) = if a <= b { (a, b) } else { (b, a) };
        low += lower;
        high += upper;
    }
    (low.is_integer() && high.is_integer()).then(|| (low.to_integer(), high.to_integer()))
}

/// Between which numbers a word lies: its expression may have a wider range than its conditions leave.
fn span(word: &Linear, width: u32, places: &Places<'_>) -> Option<(BigInt, BigInt)> {
    let ((least, greatest), (low, high)) = (range(width), interval(word, places)?);
    Some((low.max(least), high.min(greatest)))
}

/// The sum of two words, the second one times a number, as words of that width. The bounds of the two words give
/// better bounds of the sum than its expression alone.
fn sum(
    width: u32,
    a: &[Case],
    factor: i32,
    b: &[Case],
    places: &Places<'_>,
) -> Result<Vec<Case>, String> {
    let unknown = "a word that is made of something else than words";
    let mut wrapped = Vec::new();
    for one in a {
        for other in b {
            let pair = (std::slice::from_ref(one), std::slice::from_ref(other));
            let factor = BigRational::from_integer(factor.into());
            let cases = combine(pair.0, pair.1, |a, b| Ok(a.clone().plus(&factor, b)))?;
            let (low, high) = span(&one.value, width, places).ok_or(unknown)?;
            let (least, greatest) = span(&other.value, width, places).ok_or(unknown)?;
            let ends = [least, greatest].map(|end| factor.to_integer() * end);
            let [first, second] = ends;
            let (lower, upper) = (first.clone().min(second.clone()), first.max(second));
            for case in cases {
                let (least, greatest) = interval(&case.value, places).ok_or(unknown)?;
                let ends = ((&low + &lower).max(least), (&high + &upper).min(greatest));
                turn(case, width, ends, &mut wrapped)?;
            }
        }
    }
    bound(wrapped.len())?;
    Ok(wrapped)
}

/// A number as a word: its remainder by the number of words.
fn wrap(cases: Vec<Case>, width: u32, places: &Places<'_>) -> Result<Vec<Case>, String> {
    let mut wrapped = Vec::new();
    for case in cases {
        let ends = interval(&case.value, places)
            .ok_or("a word that is made of something else than words")?;
        turn(case, width, ends, &mut wrapped)?;
    }
    bound(wrapped.len())?;
    Ok(wrapped)
}

/// Adds the words that a number may become, given its bounds: one word for each number of times that the number may
/// wrap around.
fn turn(
    case: Case,
    width: u32,
    (low, high): (BigInt, BigInt),
    wrapped: &mut Vec<Case>,
) -> Result<(), String> {
    let (least, greatest) = range(width);
    let modulus = BigInt::one() << width;
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
    Ok(())
}

/// A word as a number without a sign.
fn unsigned(cases: &[Case], width: u32, places: &Places<'_>) -> Result<Vec<Case>, String> {
    let mut found = Vec::new();
    for case in cases {
        let known = span(&case.value, width, places);
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
    places: &mut Places<'_>,
) -> Result<Meaning, String> {
    let one = BigRational::one();
    if let Some(found) = parts(op, arguments, places)? {
        return Ok(found);
    }
    let places = &*places;
    let word = |width: u32, cases: Vec<Case>| {
        wrap(cases, width, places).map(|cases| Meaning::Word { width, cases })
    };
    let scaled = |cases: &[Case], factor: &BigRational| -> Vec<Case> {
        let each = |case: &Case| Case {
            conditions: case.conditions.clone(),
            value: case.value.times(factor),
        };
        cases.iter().map(each).collect()
    };
    match (op, arguments) {
        (Op::BvAdd | Op::BvSub, [(width, a), (_, b)]) => {
            let factor = if op == Op::BvAdd { 1 } else { -1 };
            Ok(Meaning::Word { width: *width, cases: sum(*width, a, factor, b, places)? })
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
            Ok(Meaning::Word { width, cases: unsigned(a, *narrow, places)? })
        }
        (Op::Eq, [(_, a), (_, b)]) => compare_with(a, b, Relation::Eq),
        (Op::BvSlt, [(_, a), (_, b)]) => compare_with(a, b, Relation::Lt),
        (Op::BvSle, [(_, a), (_, b)]) => compare_with(a, b, Relation::Le),
        (Op::BvUlt | Op::BvUle, [(width, a), (_, b)]) => {
            let (a, b) = (unsigned(a, *width, places)?, unsigned(b, *width, places)?);
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

/// The results of operators that take an unsigned word apart: quotients and remainders by constants, and the bits above
/// some place. `None` if the operator is none of these.
fn parts(
    op: Op,
    arguments: &[(u32, &[Case])],
    places: &mut Places<'_>,
) -> Result<Option<Meaning>, String> {
    let constant = |cases: &[Case], width: u32| match cases {
        [only] if only.conditions.is_empty() => {
            let number = only.value.as_number()?.to_integer();
            Some(number.mod_floor(&(BigInt::one() << width)))
        }
        _ => None,
    };
    let (width, word, divisor, result) = match (op, arguments) {
        (Op::BvExtract { high, low: low @ 1.. }, [(width, a)]) => {
            (*width, a, BigInt::one() << low, high - low + 1)
        }
        (Op::BvUdiv | Op::BvUrem | Op::BvSrem, [(width, a), (_, b)]) => match constant(b, *width) {
            Some(divisor) if !divisor.is_zero() => (*width, a, divisor, *width),
            _ => return Ok(None),
        },
        (Op::BvAnd, [(width, a), (_, b)]) => match (constant(a, *width), constant(b, *width)) {
            // The lowest bits are the remainder by a power of two.
            (_, Some(mask)) if is_mask(&mask) => (*width, a, mask + 1, *width),
            (Some(mask), _) if is_mask(&mask) => (*width, b, mask + 1, *width),
            _ => return Ok(None),
        },
        _ => return Ok(None),
    };
    if op == Op::BvSrem {
        // A divisor above the signed range stands for a negative number; the remainder is the same for its opposite.
        let divisor =
            if divisor > range(width).1 { (BigInt::one() << width) - divisor } else { divisor };
        let cases = signed_rest(word, &divisor, places)?;
        return Ok(Some(Meaning::Word { width: result, cases }));
    }
    let mut found = Vec::new();
    for case in unsigned(word, width, places)? {
        let number = quotient(&case, &BigRational::from_integer(divisor.clone()), places)?;
        places.set_width(&number.value, signed_width(&(((BigInt::one() << width) - 1) / &divisor)));
        let is_rest = matches!(op, Op::BvUrem | Op::BvAnd);
        found.push(if is_rest { rest(&case, number, &divisor, places)? } else { number });
    }
    let cases = wrap(found, result, places)?;
    Ok(Some(Meaning::Word { width: result, cases }))
}

/// What a division that is rounded down leaves of a number, as a choice whose range is known.
fn rest(
    number: &Case,
    quotient: Case,
    divisor: &BigInt,
    places: &mut Places<'_>,
) -> Result<Case, String> {
    let factor = -BigRational::from_integer(divisor.clone());
    let value = number.value.clone().plus(&factor, &quotient.value);
    let rest = Linear::unknown(places.integer()?);
    places.set_width(&rest, signed_width(&(divisor - 1)));
    let mut conditions = quotient.conditions;
    conditions.push((value.plus(&-BigRational::one(), &rest), Relation::Eq));
    Ok(Case { conditions, value: rest })
}

/// The remainder of a word by a positive constant, with the sign of the word.
fn signed_rest(
    cases: &[Case],
    divisor: &BigInt,
    places: &mut Places<'_>,
) -> Result<Vec<Case>, String> {
    let mut found = Vec::new();
    for case in cases {
        for sign in [1, -1] {
            let factor = BigRational::from_integer(sign.into());
            let mut size = Case { value: case.value.times(&factor), ..case.clone() };
            let relation = if sign == 1 { Relation::Ge } else { Relation::Lt };
            size.conditions.push((case.value.clone(), relation));
            let number = quotient(&size, &BigRational::from_integer(divisor.clone()), places)?;
            let mut rest = rest(&size, number, divisor, places)?;
            rest.value = rest.value.times(&factor);
            found.push(rest);
        }
    }
    bound(found.len())?;
    Ok(found)
}

/// Whether a number is a power of two, less one.
fn is_mask(number: &BigInt) -> bool {
    let next: BigInt = number + 1;
    !number.is_zero() && (number & next).is_zero()
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use base::Random;
    use num_traits::{Signed, ToPrimitive};
    use term::{Bv, Evaluator, Sort, TermId, Terms, Value, Var};

    use super::*;
    use crate::backward::linear::PlaceNumber;
    use crate::backward::translate::meaning;

    const WIDTH: u32 = 3;

    /// Makes random terms.
    struct Maker(Random);

    impl Maker {
        /// A term of this width over two words.
        fn word(&mut self, terms: &mut Terms, vars: [Var; 2], depth: u32) -> TermId {
            if depth == 0 || self.0.below(4) == 0 {
                return match self.0.below(3) {
                    0 => terms.bv(WIDTH, self.0.below(8) as u128),
                    1 => terms.var(vars[0]),
                    _ => terms.var(vars[1]),
                };
            }
            let (a, b) = (self.word(terms, vars, depth - 1), self.word(terms, vars, depth - 1));
            let constant = terms.bv(WIDTH, 1 + self.0.below(7) as u128);
            match self.0.below(9) {
                0 | 1 => terms.bv_add(a, b),
                2 => terms.bv_sub(a, b),
                3 => terms.bv_mul(a, constant),
                4 => terms.bv_udiv(a, constant),
                5 if self.0.below(2) == 0 => terms.bv_urem(a, constant),
                5 if self.0.below(2) == 0 => terms.bv_srem(a, constant),
                5 => terms.bv_and(a, constant),
                6 => {
                    let upper = terms.bv_extract(WIDTH - 1, 1, a);
                    terms.bv_zero_extend(WIDTH, upper)
                }
                7 => {
                    let less =
                        if self.0.below(2) == 0 { terms.bv_ult(a, b) } else { terms.bv_slt(a, b) };
                    terms.ite(less, a, b)
                }
                _ => {
                    let lower = terms.bv_extract(1, 0, a);
                    terms.bv_sign_extend(WIDTH, lower)
                }
            }
        }
    }

    /// Whether conditions hold of these values, and what an expression is.
    fn holds(expression: &Linear, relation: Relation, values: &[(PlaceNumber, i64)]) -> bool {
        let value = at(expression, values);
        match relation {
            Relation::Eq => value.is_zero(),
            Relation::Ne => !value.is_zero(),
            Relation::Le => !value.is_positive(),
            Relation::Lt => value.is_negative(),
            Relation::Ge => !value.is_negative(),
            Relation::Gt => value.is_positive(),
        }
    }

    fn at(expression: &Linear, values: &[(PlaceNumber, i64)]) -> BigRational {
        let mut sum = expression.constant.clone();
        for (place, factor) in &expression.factors {
            let value =
                values.iter().find(|(known, _)| known == place).map_or(0, |(_, value)| *value);
            sum += factor * BigRational::from_integer(value.into());
        }
        sum
    }

    /// All values that a case has for values of the two words, whatever it chooses.
    fn results(case: &Case, mut values: Vec<(PlaceNumber, i64)>, found: &mut BTreeSet<i64>) {
        let expressions = case.conditions.iter().map(|(each, _)| each).chain([&case.value]);
        let open = expressions
            .flat_map(|each| each.factors.keys())
            .filter(|place| values.iter().all(|(known, _)| known != *place))
            .min();
        let Some(open) = open.copied() else {
            if case.conditions.iter().all(|(each, relation)| holds(each, *relation, &values)) {
                found.insert(at(&case.value, &values).to_integer().to_i64().expect("small"));
            }
            return;
        };
        values.push((open, 0));
        for value in -9..=16 {
            if let Some(last) = values.last_mut() {
                last.1 = value;
            }
            let is_known = |each: &Linear| {
                each.factors.keys().all(|place| values.iter().any(|(known, _)| known == place))
            };
            let fails = |(each, relation): &(Linear, Relation)| {
                is_known(each) && !holds(each, *relation, &values)
            };
            if !case.conditions.iter().any(fails) {
                results(case, values.clone(), found);
            }
        }
    }

    #[test]
    fn words_mean_what_they_evaluate_to() {
        let mut maker = Maker(Random::new(17));
        let (mut compared, mut with_quotients) = (0, 0);
        for _ in 0..120 {
            let mut terms = Terms::new();
            let vars = ["x", "y"].map(|name| terms.declare(name, Sort::Bv(WIDTH)));
            let term = maker.word(&mut terms, vars, 3);
            let values = |var: Var| {
                vars.iter()
                    .position(|known| *known == var)
                    .map(|at| Linear::unknown(at as PlaceNumber))
            };
            let widths = [Some(WIDTH), Some(WIDTH)];
            let mut places = Places::new(&widths);
            let Ok(Meaning::Word { cases, .. }) = meaning(&terms, term, &values, &mut places)
            else {
                continue;
            };
            compared += 1;
            with_quotients += usize::from(places.has_choices());
            for (x, y) in (-4..4).flat_map(|x| (-4..4).map(move |y| (x, y))) {
                let bits = |number: i64| Value::Bv(Bv::new(WIDTH, (number & 7) as u128));
                let given = |var: Var| Some(bits(if var == vars[0] { x } else { y }));
                let known: rustc_hash::FxHashMap<Var, Value> =
                    vars.iter().filter_map(|var| Some((*var, given(*var)?))).collect();
                let value = Evaluator::new().eval(&terms, term, &known).expect("all is known");
                let expected = value.as_bv().map(Bv::to_bigint_signed).expect("a word");
                let mut found = BTreeSet::new();
                for case in &cases {
                    results(case, vec![(0, x), (1, y)], &mut found);
                }
                let found: Vec<BigInt> = found.into_iter().map(BigInt::from).collect();
                assert_eq!(found, [expected], "{x} {y} {}", terms.display(term));
            }
        }
        assert!(compared > 60 && with_quotients > 18, "{compared}, {with_quotients}");
    }
}

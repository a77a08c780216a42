//! The rules by operator, for facts of all sorts.

use num_bigint::BigInt;
use num_traits::One;
use term::{Bv, Op, Sort};

use super::fact::{Fact, rational_of_int};
use super::float::Floats;
use super::number::{End, Interval};
use super::word::Word;
use super::{float, inverse, predicates, words};
use crate::linear::rational::Rational;

/// What a rule says of a term.
pub(super) enum Said {
    Nothing,
    Fact(Fact),
    /// The term has no value left.
    Impossible,
}

/// Bounds of wider vectors are not turned into numbers.
const MAX_NUMBER_WIDTH: u32 = 4096;

fn word(word: Option<Word>) -> Said {
    word.map_or(Said::Nothing, |word| Said::Fact(Fact::Word(word)))
}

fn floats(floats: Option<Floats>) -> Said {
    floats.map_or(Said::Nothing, |floats| Said::Fact(Fact::Floats(floats)))
}

fn truth(truth: Option<bool>) -> Said {
    truth.map_or(Said::Nothing, |truth| Said::Fact(Fact::Bool(Some(truth))))
}

fn number(interval: Interval) -> Said {
    Said::Fact(Fact::Number(interval))
}

fn possible<T>(value: Option<T>, fact: impl Fn(T) -> Fact) -> Said {
    value.map_or(Said::Impossible, |value| Said::Fact(fact(value)))
}

/// What is known of a term from its arguments. Boolean structure, `ite` and equality have rules elsewhere.
pub(super) fn forward(op: Op, args: &[&Fact], sort: Sort) -> Said {
    match *args {
        [Fact::Word(a)] => match op {
            Op::BvToIntUnsigned if a.width() <= MAX_NUMBER_WIDTH => {
                number(ends(&a.low.to_bigint_unsigned(), &a.high.to_bigint_unsigned()))
            }
            Op::BvToIntSigned if a.width() <= MAX_NUMBER_WIDTH => {
                number(ends(&a.least.to_bigint_signed(), &a.greatest.to_bigint_signed()))
            }
            Op::FpFromSignedBv(..) | Op::FpFromUnsignedBv(..) => floats(float::of_word(op, a)),
            _ => word(words::unary(op, a)),
        },
        [Fact::Word(a), Fact::Word(b)] => match sort {
            Sort::Bool => truth(predicates::truth(op, a, b)),
            _ => word(words::binary(op, a, b)),
        },
        [Fact::Number(a)] => match op {
            Op::Neg => number(a.negated()),
            Op::ToRat => number(Interval { integers: false, ..a.clone() }),
            Op::ToInt => number(a.floor_divided(&Rational::ONE)),
            Op::IntToBv(width) => word(fitting(a, width)),
            _ => Said::Nothing,
        },
        [Fact::Number(a), Fact::Number(b)] => numbers(op, a, b),
        [Fact::Floats(a)] => match sort {
            Sort::Bool => truth(float::classified(op, a)),
            Sort::Bv(_) => word(float::to_word(op, a)),
            _ => floats(float::unary(op, a)),
        },
        [Fact::Floats(a), Fact::Floats(b)] => match sort {
            Sort::Bool => truth(float::compared(op, a, b)),
            _ => floats(float::binary(op, a, b)),
        },
        _ => Said::Nothing,
    }
}

fn numbers(op: Op, a: &Interval, b: &Interval) -> Said {
    match op {
        Op::Add => number(a.plus(b)),
        Op::Sub => number(a.minus(b)),
        Op::Mul => number(a.times(b)),
        Op::Le | Op::Lt => {
            let strict = op == Op::Lt;
            truth(match (a.all_below(b, strict), b.all_below(a, !strict)) {
                (true, _) => Some(true),
                (_, true) => Some(false),
                _ => None,
            })
        }
        Op::Div => match b.value() {
            Some(divisor) if !divisor.is_zero() => possible(a.divided(divisor), Fact::Number),
            _ => Said::Nothing,
        },
        Op::IntDiv => match b.value() {
            Some(divisor) if divisor.is_positive() => number(a.floor_divided(divisor)),
            Some(divisor) if divisor.is_negative() => number(a.floor_divided(&-divisor).negated()),
            _ => Said::Nothing,
        },
        Op::IntMod | Op::IntRem => modulus(op, a, b),
        _ => Said::Nothing,
    }
}

/// What is known of the Euclidean remainder by a constant that is not zero.
fn modulus(op: Op, a: &Interval, b: &Interval) -> Said {
    let Some(divisor) = b.value().filter(|divisor| !divisor.is_zero()) else {
        return Said::Nothing;
    };
    let most = &divisor.abs() - &Rational::ONE;
    let end = |at: Rational| Some(End { at, open: false });
    let all = Interval { integers: true, low: end(Rational::ZERO), high: end(most) };
    // The numbers of an interval between zero and the greatest remainder are their own remainders.
    let reduced = match (&a.low, &a.high) {
        (Some(low), Some(high)) => all.contains(&low.at) && all.contains(&high.at),
        _ => false,
    };
    let rest = if reduced { a.clone() } else { all };
    let negative = op == Op::IntRem && divisor.is_negative();
    number(if negative { rest.negated() } else { rest })
}

/// What is known of argument `at`, from what is known of the term and of the other argument. The rules do not look at
/// what is known of argument `at` itself.
pub(super) fn backward(op: Op, out: &Fact, args: &[&Fact], at: usize) -> Said {
    let first = at == 0;
    match (out, args) {
        (Fact::Bool(None), _) => Said::Nothing,
        (Fact::Bool(Some(truth)), [Fact::Word(a), Fact::Word(b)]) => {
            let other = if first { b } else { a };
            possible(predicates::argument(op, *truth, first, other), Fact::Word)
        }
        (Fact::Bool(Some(truth)), [Fact::Number(a), Fact::Number(b)]) => {
            // `a <= b` is false if `b < a`.
            let strict = match op {
                Op::Le => !*truth,
                Op::Lt => *truth,
                _ => return Said::Nothing,
            };
            let other = if first { b } else { a };
            let interval = if first == *truth { other.below(strict) } else { other.above(strict) };
            possible(interval, Fact::Number)
        }
        (Fact::Bool(Some(truth)), [Fact::Floats(a), Fact::Floats(b)]) => {
            of_floats(float::argument(op, *truth, first, if first { b } else { a }))
        }
        (Fact::Bool(Some(truth)), [Fact::Floats(a)]) => {
            floats(float::of_class(op, *truth, a.format()))
        }
        (Fact::Floats(out), [Fact::Floats(a)]) => {
            of_floats(float::inverse_unary(op, out, a.format()))
        }
        (Fact::Floats(out), [Fact::Floats(a), Fact::Floats(b)]) => {
            of_floats(float::inverse_binary(op, out, if first { b } else { a }, first))
        }
        (Fact::Floats(out), [Fact::Word(a)]) => word(float::inverse_of_word(op, out, a.width())),
        (Fact::Word(out), [Fact::Floats(a)]) => floats(float::inverse_to_word(op, out, a.format())),
        (Fact::Word(out), [Fact::Word(a)]) => word(inverse::unary(op, out, a.width())),
        (Fact::Word(out), [Fact::Word(_), Fact::Word(b)]) if op == Op::BvConcat => {
            word(Some(inverse::part(out, b.width(), first)))
        }
        (Fact::Word(out), [Fact::Word(a), Fact::Word(b)]) => {
            word(inverse::binary(op, out, if first { b } else { a }, first))
        }
        (Fact::Number(out), [Fact::Word(a)]) if a.width() <= MAX_NUMBER_WIDTH => {
            let range = match op {
                Op::BvToIntUnsigned => unsigned_range(a.width()),
                Op::BvToIntSigned => signed_range(a.width()),
                _ => return Said::Nothing,
            };
            possible(out.meet(&range).and_then(|met| fitting(&met, a.width())), Fact::Word)
        }
        (Fact::Number(out), [Fact::Number(a)]) => match op {
            Op::Neg => number(out.negated()),
            Op::ToRat => {
                possible(Interval::new(true, out.low.clone(), out.high.clone()), Fact::Number)
            }
            Op::ToInt => number(Interval {
                integers: a.integers,
                low: out.low.clone(),
                high: out.high.as_ref().map(|end| End { at: &end.at + &Rational::ONE, open: true }),
            }),
            _ => Said::Nothing,
        },
        (Fact::Number(out), [Fact::Number(a), Fact::Number(b)]) => {
            inverse_numbers(op, out, if first { b } else { a }, first)
        }
        _ => Said::Nothing,
    }
}

fn of_floats(said: float::Said) -> Said {
    match said {
        float::Said::Nothing => Said::Nothing,
        float::Said::Impossible => Said::Impossible,
        float::Said::Floats(floats) => Said::Fact(Fact::Floats(floats)),
    }
}

fn inverse_numbers(op: Op, out: &Interval, other: &Interval, first: bool) -> Said {
    match op {
        Op::Add => number(out.minus(other)),
        Op::Sub if first => number(out.plus(other)),
        Op::Sub => number(other.minus(out)),
        Op::Mul => match other.value() {
            Some(factor) => possible(out.divided(factor), Fact::Number),
            None => Said::Nothing,
        },
        Op::IntDiv if first => match other.value() {
            Some(divisor) if divisor.is_positive() => number(out.floor_multiplied(divisor)),
            Some(divisor) if divisor.is_negative() => {
                number(out.negated().floor_multiplied(&-divisor))
            }
            _ => Said::Nothing,
        },
        _ => Said::Nothing,
    }
}

fn ends(low: &BigInt, high: &BigInt) -> Interval {
    let end = |at: &BigInt| Some(End { at: rational_of_int(at), open: false });
    Interval { integers: true, low: end(low), high: end(high) }
}

fn unsigned_range(width: u32) -> Interval {
    ends(&BigInt::ZERO, &((BigInt::one() << width) - 1))
}

fn signed_range(width: u32) -> Interval {
    let half = BigInt::one() << (width - 1);
    ends(&-&half, &(&half - 1))
}

/// The vectors of the integers of an interval, if all these integers fit, as unsigned or as signed numbers.
fn fitting(interval: &Interval, width: u32) -> Option<Word> {
    if width > MAX_NUMBER_WIDTH {
        return None;
    }
    let (Some(low), Some(high)) = (&interval.low, &interval.high) else { return None };
    let bits = |end: &End| Bv::from_bigint(width, &end.at.to_big().to_integer());
    let within = |range: Interval| range.contains(&low.at) && range.contains(&high.at);
    if within(unsigned_range(width)) {
        Word::top(width).unsigned(bits(low), bits(high)).reduce()
    } else if within(signed_range(width)) {
        Word::top(width).signed(bits(low), bits(high)).reduce()
    } else {
        None
    }
}

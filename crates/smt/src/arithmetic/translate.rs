//! Terms of sort Int and Rat as sums of unknowns, and what defines the unknowns.

use std::sync::Arc;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use rustsat::types::Lit;
use term::{Op, TermId, Value};

use super::{Comparison, Definition, Number, SortedSum};
use crate::blast::Blaster;
use crate::circuit::{Circuit, Missing};

/// A longer sum gets a name, so that a chain of additions does not take quadratic space.
const LONGEST: usize = 40;

impl Number {
    pub fn constant(value: BigRational, integer: bool) -> Number {
        Number { sum: Arc::new(SortedSum::number(value)), integer, plain: true }
    }

    /// The value of a number that is this one in the present solution.
    pub fn as_value(&self, value: BigRational) -> Value {
        if self.integer { Value::Int(value.to_integer()) } else { Value::Rat(value) }
    }

    fn like(&self, sum: SortedSum, plain: bool) -> Number {
        Number { sum: Arc::new(sum), integer: self.integer, plain }
    }
}

impl Blaster {
    /// A new number, of which nothing is known yet.
    pub fn fresh_number(&mut self, integer: bool, plain: bool) -> Number {
        let name = self.arithmetic.fresh(integer);
        Number { sum: Arc::new(SortedSum::unknown(name)), integer, plain }
    }

    /// The literal that says that a comparison of two numbers holds.
    pub fn compare(&mut self, a: &Number, b: &Number, comparison: Comparison) -> Lit {
        self.arithmetic.literal(&mut self.gates, &a.sum.minus(&b.sum), comparison)
    }

    /// The choice between two numbers.
    pub fn choose(&mut self, term: TermId, condition: Lit, a: &Number, b: &Number) -> Number {
        match self.gates.known(condition) {
            Some(true) => return Number { plain: a.plain && b.plain, ..a.clone() },
            Some(false) => return Number { plain: a.plain && b.plain, ..b.clone() },
            None if a.sum == b.sum => return Number { plain: a.plain && b.plain, ..a.clone() },
            None => {}
        }
        let choice = self.fresh_number(a.integer, false);
        let then = self.arithmetic.bound(&choice.sum.minus(&a.sum), Comparison::Equal);
        let otherwise = self.arithmetic.bound(&choice.sum.minus(&b.sum), Comparison::Equal);
        self.arithmetic.define(term, Definition::Choice(condition, then, otherwise));
        choice
    }

    /// An operator that takes or gives numbers.
    pub fn on_numbers(
        &mut self,
        term: TermId,
        op: Op,
        args: &[Circuit],
    ) -> Result<Circuit, Missing> {
        let number = match (op, args) {
            (Op::Le, [Circuit::Number(a), Circuit::Number(b)]) => {
                return Ok(Circuit::Bool(self.compare(a, b, Comparison::AtMost)));
            }
            (Op::Lt, [Circuit::Number(a), Circuit::Number(b)]) => {
                return Ok(Circuit::Bool(self.compare(a, b, Comparison::Less)));
            }
            (Op::IntToBv(width), [Circuit::Number(a)]) => {
                return Ok(Circuit::Word(self.low_bits(term, width, a)));
            }
            (Op::BvToIntUnsigned | Op::BvToIntSigned, [Circuit::Word(word)]) => {
                self.reading(term, word, op == Op::BvToIntSigned)
            }
            (Op::Add, [Circuit::Number(a), Circuit::Number(b)]) => {
                let sum = a.sum.plus(&BigRational::one(), &b.sum);
                self.named(term, a.like(sum, a.plain && b.plain))
            }
            (Op::Sub, [Circuit::Number(a), Circuit::Number(b)]) => {
                self.named(term, a.like(a.sum.minus(&b.sum), a.plain && b.plain))
            }
            (Op::Neg, [Circuit::Number(a)]) => a.like(a.sum.times(&-BigRational::one()), a.plain),
            (Op::Mul, [Circuit::Number(a), Circuit::Number(b)]) => {
                let sum = match (a.sum.as_number(), b.sum.as_number()) {
                    (Some(factor), _) => b.sum.times(factor),
                    (_, Some(factor)) => a.sum.times(factor),
                    (None, None) => return Err("non-linear arithmetic".to_owned()),
                };
                a.like(sum, a.plain && b.plain)
            }
            (Op::Div, [Circuit::Number(a), Circuit::Number(b)]) => {
                let Some(divisor) = b.sum.as_number() else {
                    return Err("non-linear arithmetic".to_owned());
                };
                let factor = if divisor.is_zero() { BigRational::zero() } else { divisor.recip() };
                a.like(a.sum.times(&factor), a.plain && b.plain)
            }
            (Op::ToRat, [Circuit::Number(a)]) => Number { integer: false, ..a.clone() },
            (Op::ToInt, [Circuit::Number(a)]) => self.floor(term, a),
            (Op::IntDiv | Op::IntMod | Op::IntRem, [Circuit::Number(a), Circuit::Number(b)]) => {
                let Some(divisor) = b.sum.as_number().cloned() else {
                    return Err("non-linear arithmetic".to_owned());
                };
                self.division(term, op, a, &divisor)
            }
            _ => return Err(format!("the operator {op:?}")),
        };
        Ok(Circuit::Number(number))
    }

    /// The number itself, or a name for it if it is long.
    fn named(&mut self, term: TermId, number: Number) -> Number {
        if number.sum.factors.len() <= LONGEST {
            return number;
        }
        let name = self.fresh_number(number.integer, false);
        let same = self.arithmetic.bound(&name.sum.minus(&number.sum), Comparison::Equal);
        self.arithmetic.define(term, Definition::Always(same));
        name
    }

    /// `q <= a < q + 1`.
    fn floor(&mut self, term: TermId, a: &Number) -> Number {
        if let Some(value) = a.sum.as_number() {
            return Number { plain: a.plain, ..Number::constant(value.floor(), true) };
        }
        let floor = self.fresh_number(true, false);
        let rest = a.sum.minus(&floor.sum);
        self.between(term, &rest, &BigRational::one());
        floor
    }

    /// `a = divisor * q + r` with `0 <= r < |divisor|`; the remainder has no name of its own. A divisor of zero gives
    /// what [`Op::IntDiv`] and [`Op::IntMod`] say.
    fn division(&mut self, term: TermId, op: Op, a: &Number, divisor: &BigRational) -> Number {
        let zero = BigRational::zero();
        if divisor.is_zero() {
            return if op == Op::IntDiv {
                Number { plain: a.plain, ..Number::constant(zero, true) }
            } else {
                a.clone()
            };
        }
        let quotient = self.fresh_number(true, false);
        let rest = a.sum.plus(&-divisor, &quotient.sum);
        self.between(term, &rest, &divisor.abs());
        match op {
            Op::IntDiv => quotient,
            Op::IntRem if divisor.is_negative() => {
                quotient.like(rest.times(&-BigRational::one()), false)
            }
            _ => quotient.like(rest, false),
        }
    }

    /// Defines `0 <= sum < end`.
    fn between(&mut self, term: TermId, sum: &SortedSum, end: &BigRational) {
        let lower = self.arithmetic.bound(sum, Comparison::AtLeast);
        let below = sum.plus(&-end, &SortedSum::number(BigRational::one()));
        let upper = self.arithmetic.bound(&below, Comparison::Less);
        self.arithmetic.define(term, Definition::Always(lower));
        self.arithmetic.define(term, Definition::Always(upper));
    }

    /// A word as a number. It has a name, so that its bits are in one row only.
    fn reading(&mut self, term: TermId, word: &[Lit], signed: bool) -> Number {
        let sum = self.sum_of_bits(term, word, signed);
        if sum.factors.is_empty() {
            return Number { plain: false, ..Number::constant(sum.constant, true) };
        }
        let number = self.fresh_number(true, false);
        let same = self.arithmetic.bound(&number.sum.minus(&sum), Comparison::Equal);
        self.arithmetic.define(term, Definition::Always(same));
        number
    }

    /// The word of the low bits of a number: the difference between the number and this word is a multiple of a power
    /// of two.
    fn low_bits(&mut self, term: TermId, width: u32, a: &Number) -> Vec<Lit> {
        let word = self.gates.fresh_word(width);
        let sum = self.sum_of_bits(term, &word, false);
        let multiple = self.fresh_number(true, false);
        let power = BigRational::from_integer(BigInt::one() << width);
        let rest = a.sum.minus(&sum).plus(&-power, &multiple.sum);
        let same = self.arithmetic.bound(&rest, Comparison::Equal);
        self.arithmetic.define(term, Definition::Always(same));
        word
    }

    /// A word as a sum of bits, where each bit is a number that is 0 or 1 as the literal of the bit says.
    fn sum_of_bits(&mut self, term: TermId, word: &[Lit], signed: bool) -> SortedSum {
        let (zero, one) = (BigRational::zero(), BigRational::one());
        let mut sum = SortedSum::number(zero.clone());
        for (at, bit) in word.iter().enumerate() {
            let mut weight = BigRational::from_integer(BigInt::one() << at);
            if signed && at + 1 == word.len() {
                weight = -weight;
            }
            if let Some(known) = self.gates.known(*bit) {
                sum.constant += if known { weight } else { zero.clone() };
                continue;
            }
            let positive = bit.var().pos_lit();
            let arithmetic = &mut self.arithmetic;
            let name = match arithmetic.bits.get(&positive) {
                Some(name) => *name,
                None => {
                    let name = arithmetic.fresh(true);
                    arithmetic.bits.insert(positive, name);
                    name
                }
            };
            let number = SortedSum::unknown(name);
            let less_one = number.plus(&-&one, &SortedSum::number(one.clone()));
            // The limits of a bit come first: the value of the bit then explains only what the limits do not.
            for (bounded, comparison) in
                [(&number, Comparison::AtLeast), (&less_one, Comparison::AtMost)]
            {
                let bound = arithmetic.bound(bounded, comparison);
                arithmetic.define(term, Definition::Always(bound));
            }
            let set = arithmetic.bound(&less_one, Comparison::AtLeast);
            let clear = arithmetic.bound(&number, Comparison::AtMost);
            arithmetic.define(term, Definition::Choice(positive, set, clear));
            // A negated literal is one minus the number.
            let (factor, constant) =
                if bit.is_neg() { (-&weight, weight) } else { (weight, zero.clone()) };
            sum = sum.plus(&factor, &number);
            sum.constant += constant;
        }
        sum
    }
}

//! What is known of a term of any sort.

use num_bigint::BigInt;
use num_rational::BigRational;
use term::{Sort, Value};

use super::float::Floats;
use super::number::Interval;
use super::word::Word;
use crate::linear::rational::Rational;

/// A set of values of one sort, not empty as far as is known.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Fact {
    Bool(Option<bool>),
    Word(Word),
    Number(Interval),
    Floats(Floats),
    /// Arrays: one value, or any.
    Other(Option<Value>),
}

impl Fact {
    /// Every value of a sort.
    pub fn top(sort: Sort) -> Fact {
        match sort {
            Sort::Bool => Fact::Bool(None),
            Sort::Bv(width) => Fact::Word(Word::top(width)),
            Sort::Int => Fact::Number(Interval::top(true)),
            Sort::Rat => Fact::Number(Interval::top(false)),
            Sort::Float(format) => Fact::Floats(Floats::top(format)),
            Sort::Array(_) => Fact::Other(None),
        }
    }

    pub fn constant(value: &Value) -> Fact {
        match value {
            Value::Bool(value) => Fact::Bool(Some(*value)),
            Value::Bv(value) => Fact::Word(Word::constant(value.clone())),
            Value::Int(value) => Fact::Number(Interval::constant(true, rational_of_int(value))),
            Value::Rat(value) => {
                Fact::Number(Interval::constant(false, Rational::from_big(value.clone())))
            }
            Value::Float(value) => Fact::Floats(Floats::constant(*value)),
            Value::Array(_) => Fact::Other(Some(value.clone())),
        }
    }

    /// The only value, if there is one.
    pub fn value(&self) -> Option<Value> {
        match self {
            Fact::Bool(value) => value.map(Value::Bool),
            Fact::Word(word) => word.value().cloned().map(Value::Bv),
            Fact::Number(interval) => {
                interval.value().map(|value| number_value(interval.integers, value))
            }
            Fact::Floats(floats) => floats.value().map(Value::Float),
            Fact::Other(value) => value.clone(),
        }
    }

    pub fn is_constant(&self) -> bool {
        match self {
            Fact::Bool(value) => value.is_some(),
            Fact::Word(word) => word.value().is_some(),
            Fact::Number(interval) => interval.value().is_some(),
            Fact::Floats(floats) => floats.value().is_some(),
            Fact::Other(value) => value.is_some(),
        }
    }

    pub fn truth(&self) -> Option<bool> {
        match self {
            Fact::Bool(value) => *value,
            _ => None,
        }
    }

    /// The common values; `None` if there are none.
    pub fn meet(&self, other: &Fact) -> Option<Fact> {
        Some(match (self, other) {
            (Fact::Bool(a), Fact::Bool(b)) => match (a, b) {
                (Some(a), Some(b)) if a != b => return None,
                _ => Fact::Bool(a.or(*b)),
            },
            (Fact::Word(a), Fact::Word(b)) => Fact::Word(a.meet(b)?),
            (Fact::Number(a), Fact::Number(b)) => Fact::Number(a.meet(b)?),
            (Fact::Floats(a), Fact::Floats(b)) => Fact::Floats(a.meet(b)?),
            (Fact::Other(a), Fact::Other(b)) => match (a, b) {
                (Some(a), Some(b)) if a != b => return None,
                _ => Fact::Other(a.as_ref().or(b.as_ref()).cloned()),
            },
            // Facts of one term are of one sort; if they were not, nothing would be learnt.
            _ => self.clone(),
        })
    }

    /// A set with the values of both.
    pub fn join(&self, other: &Fact) -> Fact {
        match (self, other) {
            (Fact::Bool(a), Fact::Bool(b)) => Fact::Bool(if a == b { *a } else { None }),
            (Fact::Word(a), Fact::Word(b)) => Fact::Word(a.join(b)),
            (Fact::Number(a), Fact::Number(b)) => Fact::Number(a.join(b)),
            (Fact::Floats(a), Fact::Floats(b)) => Fact::Floats(a.join(b)),
            (Fact::Other(a), Fact::Other(b)) if a == b => Fact::Other(a.clone()),
            _ => Fact::Other(None),
        }
    }

    /// Whether a value is in the set.
    pub fn contains(&self, value: &Value) -> bool {
        match (self, value) {
            (Fact::Bool(known), Value::Bool(value)) => known.is_none_or(|known| known == *value),
            (Fact::Word(word), Value::Bv(value)) => word.contains(value),
            (Fact::Number(interval), Value::Int(value)) => {
                interval.contains(&rational_of_int(value))
            }
            (Fact::Number(interval), Value::Rat(value)) => {
                interval.contains(&Rational::from_big(value.clone()))
            }
            (Fact::Floats(floats), Value::Float(value)) => floats.contains(*value),
            (Fact::Other(known), value) => known.as_ref().is_none_or(|known| known == value),
            _ => false,
        }
    }

    /// The set without one value, as far as it can say that; `None` if nothing is left.
    pub fn without(&self, value: &Value) -> Option<Fact> {
        match (self, value) {
            (Fact::Bool(_), Value::Bool(value)) => self.meet(&Fact::Bool(Some(!value))),
            (Fact::Word(word), Value::Bv(value)) => {
                if word.value() == Some(value) {
                    return None;
                }
                let one = term::Bv::new(word.width(), 1);
                let mut word = word.clone();
                // Moving an end does not wrap, since the other end of the interval is at another value.
                if word.low == *value {
                    word.low = word.low.add(&one);
                } else if word.high == *value {
                    word.high = word.high.sub(&one);
                }
                if word.least == *value {
                    word.least = word.least.add(&one);
                } else if word.greatest == *value {
                    word.greatest = word.greatest.sub(&one);
                }
                word.reduce().map(Fact::Word)
            }
            (Fact::Number(interval), Value::Int(value)) => {
                interval.without(&rational_of_int(value)).map(Fact::Number)
            }
            (Fact::Number(interval), Value::Rat(value)) => {
                interval.without(&Rational::from_big(value.clone())).map(Fact::Number)
            }
            (Fact::Floats(floats), Value::Float(value)) => floats.without(*value).map(Fact::Floats),
            (Fact::Other(Some(known)), value) if known == value => None,
            _ => Some(self.clone()),
        }
    }
}

pub(super) fn rational_of_int(value: &BigInt) -> Rational {
    Rational::from_big(BigRational::from_integer(value.clone()))
}

pub(super) fn number_value(integers: bool, value: &Rational) -> Value {
    let value = value.to_big();
    if integers { Value::Int(value.to_integer()) } else { Value::Rat(value) }
}

//! Each rule for floats against values of the sets of its arguments. Half precision has few values, so that ends, zeros
//! and infinities meet often; the other formats are there for conversions.

use base::Random;
use term::{Bv, Float, Format, Op, Rounding, Sort, Value};

use super::Dice;
use crate::front::fact::Fact;
use crate::front::float::Floats;
use crate::front::rules::{Said, backward, forward};
use crate::front::word::Word;

const ROUNDINGS: [Rounding; 5] = [
    Rounding::NearestEven,
    Rounding::NearestAway,
    Rounding::TowardPositive,
    Rounding::TowardNegative,
    Rounding::TowardZero,
];

const FORMATS: [Format; 4] = [Format::Half, Format::Single, Format::Double, Format::X87];

/// A float: a special one, a small integer, or any.
fn float(dice: &mut Dice, format: Format) -> Float {
    let negative = dice.roll(2) == 0;
    match dice.roll(12) {
        0 => Float::zero(format, negative),
        1 => Float::infinity(format, negative),
        2 => Float::largest(format, negative),
        3 => Float::from_parts(format, negative, 0, 1 + dice.roll(3) as u128),
        4 => Float::nan(format),
        5..=7 => {
            let bits = Value::Bv(Bv::new(32, dice.roll(40) as u128).sub(&Bv::new(32, 20)));
            let op = Op::FpFromSignedBv(Rounding::NearestEven, format);
            match term::apply(op, &[&bits]) {
                Value::Float(float) => float,
                other => panic!("{other}"),
            }
        }
        _ => Float::from_bits(format, dice.bits() << 64 | dice.bits()),
    }
}

/// A set, and some of its values.
fn set(dice: &mut Dice, format: Format) -> (Floats, Vec<Float>) {
    let count = 1 + dice.roll(3);
    let values: Vec<Float> = (0..count).map(|_| float(dice, format)).collect();
    let mut all = Floats::constant(values[0]);
    values.iter().for_each(|value| all = all.join(&Floats::constant(*value)));
    let mut inside = values;
    for _ in 0..8 {
        inside.push(float(dice, format));
    }
    inside.push(Float::zero(format, true));
    inside.push(Float::zero(format, false));
    inside.retain(|value| all.contains(*value));
    (all, inside)
}

fn allows(said: &Said, value: &Value) -> bool {
    match said {
        Said::Nothing => true,
        Said::Fact(fact) => fact.contains(value),
        Said::Impossible => false,
    }
}

fn fact_of(value: &Value, dice: &mut Dice) -> Fact {
    let mut fact = Fact::constant(value);
    for _ in 0..dice.roll(3) {
        let other = match value {
            Value::Float(float) => Value::Float(self::float(dice, float.format())),
            Value::Bv(bits) => Value::Bv(Bv::new(bits.width(), dice.bits())),
            Value::Bool(_) => Value::Bool(dice.roll(2) == 0),
            other => other.clone(),
        };
        fact = fact.join(&Fact::constant(&other));
    }
    match fact {
        Fact::Word(word) => Fact::Word(word.reduce().expect("it has a value")),
        fact => fact,
    }
}

/// Checks both directions of an operator on some values of its arguments' facts.
fn sound(op: Op, args: &[(Fact, Vec<Value>)], dice: &mut Dice) {
    let facts: Vec<&Fact> = args.iter().map(|(fact, _)| fact).collect();
    let firsts: Vec<&Value> = args.iter().map(|(_, values)| &values[0]).collect();
    let sort: Sort = term::apply(op, &firsts).sort();
    let said = forward(op, &facts, sort);
    for _ in 0..24 {
        let values: Vec<&Value> =
            args.iter().map(|(_, values)| &values[dice.roll(values.len())]).collect();
        let result = term::apply(op, &values);
        assert!(allows(&said, &result), "{op:?} of {facts:?}: {values:?} gives {result}");
        let out = fact_of(&result, dice);
        for (at, value) in values.iter().enumerate() {
            let said = backward(op, &out, &facts, at);
            assert!(
                allows(&said, value),
                "{op:?} of {facts:?} in {out:?}: argument {at} may be {value}"
            );
        }
    }
}

fn floats(dice: &mut Dice, format: Format) -> (Fact, Vec<Value>) {
    let (set, values) = set(dice, format);
    (Fact::Floats(set), values.into_iter().map(Value::Float).collect())
}

fn words(dice: &mut Dice, width: u32) -> (Fact, Vec<Value>) {
    let values: Vec<Bv> = (0..1 + dice.roll(4))
        .map(|_| match dice.roll(3) {
            0 => Bv::new(width, dice.bits()),
            1 => Bv::new(width, dice.roll(20) as u128).neg(),
            _ => Bv::new(width, dice.roll(20) as u128),
        })
        .collect();
    let all = values.iter().map(|value| Word::constant(value.clone()));
    let all = all.reduce(|a, b| a.join(&b)).and_then(Word::reduce).expect("it has values");
    (Fact::Word(all), values.into_iter().map(Value::Bv).collect())
}

#[test]
fn meet_join_and_removal_are_those_of_sets() {
    let mut dice = Dice(Random::new(11));
    for _ in 0..20_000 {
        let ((a, mut values), (b, more)) =
            (set(&mut dice, Format::Half), set(&mut dice, Format::Half));
        values.extend(more);
        let gone = float(&mut dice, Format::Half);
        let (met, joined, without) = (a.meet(&b), a.join(&b), a.without(gone));
        for value in values {
            let (in_a, in_b) = (a.contains(value), b.contains(value));
            assert_eq!(in_a && in_b, met.is_some_and(|met| met.contains(value)), "{a:?} {b:?}");
            assert!(!(in_a || in_b) || joined.contains(value));
            assert!(!in_a || value == gone || without.is_some_and(|left| left.contains(value)));
        }
        assert!(a.contains(a.pick(false)) && a.contains(a.pick(true)));
    }
}

#[test]
fn rules_on_two_floats_are_sound() {
    let mut dice = Dice(Random::new(12));
    for round in 0..12_000 {
        let rounding = ROUNDINGS[round % 5];
        let ops = [
            Op::FpAdd(rounding),
            Op::FpSub(rounding),
            Op::FpMul(rounding),
            Op::FpDiv(rounding),
            Op::FpFmod,
            Op::FpRem,
            Op::FpMin,
            Op::FpMax,
            Op::FpEq,
            Op::FpLt,
            Op::FpLe,
        ];
        let format = if dice.roll(4) == 0 { FORMATS[dice.roll(4)] } else { Format::Half };
        for op in ops {
            let args = [floats(&mut dice, format), floats(&mut dice, format)];
            sound(op, &args, &mut dice);
        }
    }
}

#[test]
fn rules_on_one_float_are_sound() {
    let mut dice = Dice(Random::new(13));
    for round in 0..12_000 {
        let rounding = ROUNDINGS[round % 5];
        let (from, to) = (FORMATS[dice.roll(4)], FORMATS[dice.roll(4)]);
        let width = [4, 8, 16, 32, 64][dice.roll(5)];
        let ops = [
            Op::FpNeg,
            Op::FpAbs,
            Op::FpSqrt(rounding),
            Op::FpRound(rounding),
            Op::FpToFp(rounding, to),
            Op::FpToSignedBv(rounding, width),
            Op::FpToUnsignedBv(rounding, width),
            Op::FpIsNan,
            Op::FpIsInfinite,
            Op::FpIsZero,
            Op::FpIsNormal,
            Op::FpIsSubnormal,
            Op::FpIsNegative,
            Op::FpIsPositive,
            Op::FpToBits,
        ];
        for op in ops {
            let args = [floats(&mut dice, from)];
            sound(op, &args, &mut dice);
        }
        for op in [Op::FpFromSignedBv(rounding, to), Op::FpFromUnsignedBv(rounding, to)] {
            let args = [words(&mut dice, width)];
            sound(op, &args, &mut dice);
        }
    }
}

//! Each rule for bit-vectors against all values of small widths.

use base::Random;
use term::{Bv, Op, Sort, Value};

use super::Dice;
use super::world::{PREDICATES, WORDS};
use crate::front::fact::Fact;
use crate::front::rules::{Said, backward, forward};
use crate::front::word::Word;

/// A set of the kind that propagation has, from random parts.
fn random(dice: &mut Dice, width: u32) -> Option<Word> {
    let mut bits = || Bv::new(width, dice.bits());
    let (a, b, c, d, e, f) = (bits(), bits(), bits(), bits(), bits(), bits());
    let mut word = Word::top(width);
    if dice.roll(2) == 0 {
        word = word.unsigned(a.clone().min(b.clone()), a.max(b));
    }
    if dice.roll(2) == 0 {
        word = if c.slt(&d) { word.signed(c, d) } else { word.signed(d, c) };
    }
    if dice.roll(2) == 0 {
        word = word.bits(&e.and(&f), &e.or(&f));
    }
    if dice.roll(5) == 0 {
        word = Word::constant(e);
    }
    Some(word)
}

fn all(width: u32) -> impl Iterator<Item = Bv> {
    (0..1_u128 << width).map(move |bits| Bv::new(width, bits))
}

fn allows(said: &Said, value: &Value) -> bool {
    match said {
        Said::Nothing => true,
        Said::Fact(fact) => fact.contains(value),
        Said::Impossible => false,
    }
}

/// Checks both directions of an operator on all values of its arguments' facts.
fn sound(op: Op, args: &[Word], dice: &mut Dice) {
    let facts: Vec<Fact> = args.iter().cloned().map(Fact::Word).collect();
    let facts: Vec<&Fact> = facts.iter().collect();
    let points: Vec<Vec<Bv>> = match args {
        [a] => all(a.width()).map(|x| vec![x]).collect(),
        [a, b] => {
            all(a.width()).flat_map(|x| all(b.width()).map(move |y| vec![x.clone(), y])).collect()
        }
        _ => unreachable!("operators have one or two arguments"),
    };
    let results: Vec<(Vec<Value>, Value)> = points
        .into_iter()
        .map(|point| {
            let values: Vec<Value> = point.into_iter().map(Value::Bv).collect();
            let result = term::apply(op, &values.iter().collect::<Vec<_>>());
            (values, result)
        })
        .collect();
    let sort = results[0].1.sort();
    let said = forward(op, &facts, sort);
    for (values, result) in &results {
        if values.iter().zip(args).all(|(v, a)| v.as_bv().is_some_and(|v| a.contains(v))) {
            assert!(allows(&said, result), "{op:?} of {args:?}: {values:?} gives {result}");
        }
    }
    let out = match sort {
        Sort::Bv(width) => match random(dice, width).and_then(Word::reduce) {
            Some(word) => Fact::Word(word),
            None => return,
        },
        Sort::Bool => Fact::Bool(Some(dice.roll(2) == 0)),
        _ => return,
    };
    for at in 0..args.len() {
        let said = backward(op, &out, &facts, at);
        for (values, result) in &results {
            let others = values
                .iter()
                .zip(args)
                .enumerate()
                .all(|(n, (v, a))| n == at || v.as_bv().is_some_and(|v| a.contains(v)));
            if others && out.contains(result) {
                assert!(
                    allows(&said, &values[at]),
                    "{op:?} of {args:?} in {out:?}: argument {at} may be {}",
                    values[at]
                );
            }
        }
    }
}

#[test]
fn reduction_keeps_every_value() {
    let mut dice = Dice(Random::new(1));
    for round in 0..20_000 {
        let width = 1 + round % 6;
        let Some(word) = random(&mut dice, width) else { continue };
        let reduced = word.clone().reduce();
        let kept: Vec<Bv> = all(width).filter(|value| word.contains(value)).collect();
        match reduced {
            None => assert!(kept.is_empty(), "{word:?} has {kept:?}"),
            Some(reduced) => {
                assert!(kept.iter().all(|value| reduced.contains(value)), "{word:?} {reduced:?}");
                assert!(all(width).filter(|v| reduced.contains(v)).count() == kept.len());
            }
        }
    }
}

#[test]
fn meet_join_and_removal_are_those_of_sets() {
    let mut dice = Dice(Random::new(2));
    for round in 0..6_000 {
        let width = 1 + round % 5;
        let (Some(a), Some(b)) = (
            random(&mut dice, width).and_then(Word::reduce),
            random(&mut dice, width).and_then(Word::reduce),
        ) else {
            continue;
        };
        let gone = Value::Bv(Bv::new(width, dice.bits()));
        let (met, joined) = (a.meet(&b), a.join(&b));
        let without = Fact::Word(a.clone()).without(&gone);
        for value in all(width) {
            let (in_a, in_b) = (a.contains(&value), b.contains(&value));
            assert!(!(in_a && in_b) || met.as_ref().is_some_and(|met| met.contains(&value)));
            assert!(!(in_a || in_b) || joined.contains(&value));
            let value = Value::Bv(value);
            assert!(
                !in_a || value == gone || without.as_ref().is_some_and(|w| w.contains(&value)),
                "{a:?} without {gone}"
            );
        }
    }
}

#[test]
fn rules_on_two_words_are_sound() {
    let mut dice = Dice(Random::new(3));
    for op in WORDS.iter().chain(PREDICATES).chain(&[Op::BvConcat]) {
        for round in 0..800 {
            let width = 1 + round % 4;
            let other = if *op == Op::BvConcat { 1 + dice.roll(3) as u32 } else { width };
            let (Some(a), Some(b)) = (
                random(&mut dice, width).and_then(Word::reduce),
                random(&mut dice, other).and_then(Word::reduce),
            ) else {
                continue;
            };
            sound(*op, &[a, b], &mut dice);
        }
    }
}

#[test]
fn rules_on_one_word_are_sound() {
    let mut dice = Dice(Random::new(4));
    for round in 0..12_000 {
        let width = 1 + round % 6;
        let Some(a) = random(&mut dice, width).and_then(Word::reduce) else { continue };
        let (x, y) = (dice.roll(width as usize) as u32, dice.roll(width as usize) as u32);
        let op = match dice.roll(7) {
            0 => Op::BvNot,
            1 => Op::BvNeg,
            2 => Op::BvZeroExtend(width + x),
            3 => Op::BvSignExtend(width + x),
            4 => Op::BvToIntSigned,
            5 => Op::BvToIntUnsigned,
            _ => Op::BvExtract { high: x.max(y), low: x.min(y) },
        };
        sound(op, &[a], &mut dice);
    }
}

#[test]
fn narrow_words_are_reduced_as_wide_ones_are() {
    let mut dice = Dice(Random::new(4));
    let mut empty = 0;
    for round in 0..40_000 {
        let width = 1 + round % 64;
        let (Some(a), Some(b)) = (random(&mut dice, width), random(&mut dice, width)) else {
            continue;
        };
        assert_eq!(a.clone().reduce(), a.clone().reduce_wide(), "{a:?}");
        let both = a
            .clone()
            .unsigned(b.low.clone(), b.high.clone())
            .signed(b.least.clone(), b.greatest.clone())
            .bits(&b.must, &b.may);
        let wide = both.reduce_wide();
        empty += u32::from(wide.is_none());
        assert_eq!(a.meet(&b), wide, "{a:?} and {b:?}");
    }
    assert!((1_000..39_000).contains(&empty), "{empty} were empty");
}

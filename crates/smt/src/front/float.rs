//! What is known of a float: an interval of numbers, and whether it may be NaN.
//!
//! Numbers are in the order of their encodings, in which -0 is just below +0. Rounding keeps this order, in every
//! rounding mode: a greater exact result is never rounded to a lesser float. So the operations that are monotone in
//! exact arithmetic have their least and greatest results at ends of their arguments, computed by the operations
//! themselves.

use std::cmp::Ordering;

use term::{Float, Format, Op, Rounding, Value};

use super::word::Word;

/// A set of floats of one format, not empty as far as is known.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Floats {
    format: Format,
    /// The least and the greatest number; none if there are no numbers in the set.
    numbers: Option<(Float, Float)>,
    /// Whether NaN is in the set.
    nan: bool,
}

/// The order of encodings: that of numbers, with -0 below +0.
fn order(a: Float, b: Float) -> Ordering {
    match (a.is_negative(), b.is_negative()) {
        (false, false) => a.bits().cmp(&b.bits()),
        (true, true) => b.bits().cmp(&a.bits()),
        (true, false) => Ordering::Less,
        (false, true) => Ordering::Greater,
    }
}

fn least(a: Float, b: Float) -> Float {
    if order(a, b).is_gt() { b } else { a }
}

fn greatest(a: Float, b: Float) -> Float {
    if order(a, b).is_lt() { b } else { a }
}

/// The float whose magnitude is so many steps away from zero.
fn at_magnitude(format: Format, negative: bool, steps: u128) -> Float {
    let fraction = format.significand_bits() - 1;
    Float::from_parts(format, negative, steps >> fraction, steps)
}

/// The next float above; infinity stays.
fn above(number: Float) -> Float {
    let (negative, exponent, fraction) = number.parts();
    let steps = exponent << (number.format().significand_bits() - 1) | fraction;
    match (negative, steps) {
        (true, 0) => Float::zero(number.format(), false),
        (true, steps) => at_magnitude(number.format(), true, steps - 1),
        (false, _) if number.is_infinite() => number,
        (false, steps) => at_magnitude(number.format(), false, steps + 1),
    }
}

/// The next float below; infinity stays.
fn below(number: Float) -> Float {
    above(number.neg()).neg()
}

/// The next float that is greater as a number: the two zeros are the same number.
fn greater(number: Float) -> Float {
    above(if number.is_zero() { Float::zero(number.format(), false) } else { number })
}

/// The next float that is less as a number.
fn less(number: Float) -> Float {
    greater(number.neg()).neg()
}

/// The least float that is the same number.
fn lowest(number: Float) -> Float {
    if number.is_zero() { Float::zero(number.format(), true) } else { number }
}

/// The greatest float that is the same number.
fn highest(number: Float) -> Float {
    lowest(number.neg()).neg()
}

impl Floats {
    /// Every float of a format.
    pub fn top(format: Format) -> Self {
        Self { nan: true, ..Self::all_numbers(format) }
    }

    fn all_numbers(format: Format) -> Self {
        let ends = (Float::infinity(format, true), Float::infinity(format, false));
        Self { format, numbers: Some(ends), nan: false }
    }

    fn only_nan(format: Format) -> Self {
        Self { format, numbers: None, nan: true }
    }

    /// The numbers between two, and nothing else; `None` if there are none.
    fn between(low: Float, high: Float) -> Option<Self> {
        let numbers = Some((low, high));
        order(low, high).is_le().then_some(Self { format: low.format(), numbers, nan: false })
    }

    /// The numbers that are at least `low`.
    fn from(low: Float) -> Self {
        let ends = (low, Float::infinity(low.format(), false));
        Self { format: low.format(), numbers: Some(ends), nan: false }
    }

    /// The numbers that are at most `high`.
    fn up_to(high: Float) -> Self {
        let ends = (Float::infinity(high.format(), true), high);
        Self { format: high.format(), numbers: Some(ends), nan: false }
    }

    fn or_nan(self) -> Self {
        Self { nan: true, ..self }
    }

    pub fn constant(value: Float) -> Self {
        if value.is_nan() {
            return Self::only_nan(value.format());
        }
        Self { format: value.format(), numbers: Some((value, value)), nan: false }
    }

    /// The only value, if there is one.
    pub fn value(&self) -> Option<Float> {
        match (self.numbers, self.nan) {
            (None, true) => Some(Float::nan(self.format)),
            (Some((low, high)), false) if low == high => Some(low),
            _ => None,
        }
    }

    /// The format of all values of the set.
    pub const fn format(&self) -> Format {
        self.format
    }

    /// A set with the values of a greater one. Ends of the greater set that differ from those of this set are moved
    /// outwards, to a landmark or to infinity.
    pub fn widened(&self, greater: &Self, landmarks: &[Float]) -> Self {
        let (Some((low, high)), Some((least, greatest))) = (self.numbers, greater.numbers) else {
            return *greater;
        };
        let lower = || landmarks.iter().filter(|mark| order(**mark, least).is_le()).copied();
        let upper = || landmarks.iter().filter(|mark| order(greatest, **mark).is_le()).copied();
        let lowest = || lower().reduce(self::greatest);
        let highest = || upper().reduce(self::least);
        let infinity = |negative| Float::infinity(self.format, negative);
        let low = if low == least { low } else { lowest().unwrap_or(infinity(true)) };
        let high = if high == greatest { high } else { highest().unwrap_or(infinity(false)) };
        Self { numbers: Some((low, high)), ..*greater }
    }

    /// The least and the greatest number, and whether NaN is in the set, too.
    pub fn parts(&self) -> (Option<(Float, Float)>, bool) {
        (self.numbers, self.nan)
    }

    pub fn contains(&self, value: Float) -> bool {
        if value.is_nan() {
            return self.nan;
        }
        self.numbers
            .is_some_and(|(low, high)| order(low, value).is_le() && order(value, high).is_le())
    }

    /// The common values; `None` if there are none.
    pub fn meet(&self, other: &Self) -> Option<Self> {
        let numbers = match (self.numbers, other.numbers) {
            (Some((a, b)), Some((c, d))) => {
                Self::between(greatest(a, c), least(b, d)).and_then(|met| met.numbers)
            }
            _ => None,
        };
        let nan = self.nan && other.nan;
        (numbers.is_some() || nan).then_some(Self { format: self.format, numbers, nan })
    }

    /// The least set of this kind that has the values of both.
    pub fn join(&self, other: &Self) -> Self {
        let numbers = match (self.numbers, other.numbers) {
            (Some((a, b)), Some((c, d))) => Some((least(a, c), greatest(b, d))),
            (one, other) => one.or(other),
        };
        Self { format: self.format, numbers, nan: self.nan || other.nan }
    }

    /// The set without one value, as far as it can say that; `None` if nothing is left.
    pub fn without(&self, value: Float) -> Option<Self> {
        let left = match self.numbers {
            _ if value.is_nan() => Self { nan: false, ..*self },
            Some((low, high)) if low == high && low == value => Self { numbers: None, ..*self },
            Some((low, high)) if low == value => {
                Self { numbers: Some((above(low), high)), ..*self }
            }
            Some((low, high)) if high == value => {
                Self { numbers: Some((low, below(high))), ..*self }
            }
            _ => *self,
        };
        (left.numbers.is_some() || left.nan).then_some(left)
    }

    /// A value of the set: zero if the set has it and `far` is false, otherwise an end of the numbers, which is far
    /// away from zero if `far` is true; NaN if there are no numbers.
    pub fn pick(&self, far: bool) -> Float {
        let zero = Float::zero(self.format, false);
        match self.numbers {
            None => Float::nan(self.format),
            Some(_) if !far && self.contains(zero) => zero,
            Some((low, _)) if low.is_negative() == far => low,
            Some((_, high)) => high,
        }
    }

    fn has_infinity(&self) -> bool {
        self.numbers.is_some_and(|(low, high)| low.is_infinite() || high.is_infinite())
    }

    fn has_zero(&self) -> bool {
        self.numbers.is_some_and(|(low, high)| {
            order(low, Float::zero(self.format, false)).is_le()
                && order(Float::zero(self.format, true), high).is_le()
        })
    }

    fn negated(&self) -> Self {
        Self { numbers: self.numbers.map(|(low, high)| (high.neg(), low.neg())), ..*self }
    }

    fn absolute(&self) -> Self {
        let numbers =
            self.numbers.map(|(low, high)| match (low.is_negative(), high.is_negative()) {
                (false, _) => (low, high),
                (true, true) => (high.neg(), low.neg()),
                (true, false) => (Float::zero(self.format, false), greatest(low.neg(), high)),
            });
        Self { numbers, ..*self }
    }
}

/// The value of an operator on floats that gives a float.
fn apply(op: Op, args: &[Float]) -> Option<Float> {
    let args: Vec<Value> = args.iter().copied().map(Value::Float).collect();
    match term::apply(op, &args.iter().collect::<Vec<_>>()) {
        Value::Float(value) => Some(value),
        _ => None,
    }
}

/// What is known of an operation on one float that gives a float, if there is a rule for it.
pub(super) fn unary(op: Op, a: &Floats) -> Option<Floats> {
    match op {
        Op::FpNeg => Some(a.negated()),
        Op::FpAbs => Some(a.absolute()),
        Op::FpToFp(_, format) => monotone(op, a, format),
        Op::FpRound(_) => monotone(op, a, a.format),
        Op::FpSqrt(_) => {
            let minus_zero = Float::zero(a.format, true);
            let (low, high) = a.numbers.unwrap_or((minus_zero, minus_zero));
            let negative = order(low, minus_zero).is_lt();
            let roots = Floats::between(greatest(low, minus_zero), high);
            let roots = roots.filter(|_| a.numbers.is_some());
            let nan = a.nan || negative;
            match roots {
                Some(roots) => Some(Floats { nan, ..monotone(op, &roots, a.format)? }),
                None => Some(Floats::only_nan(a.format)),
            }
        }
        _ => None,
    }
}

/// What is known of the result of an operation that keeps the order of numbers, and keeps NaN.
fn monotone(op: Op, a: &Floats, format: Format) -> Option<Floats> {
    let numbers = match a.numbers {
        Some((low, high)) => Some((apply(op, &[low])?, apply(op, &[high])?)),
        None => None,
    };
    Some(Floats { format, numbers, nan: a.nan })
}

/// What is known of an operation on two floats that gives a float, if there is a rule for it.
pub(super) fn binary(op: Op, a: &Floats, b: &Floats) -> Option<Floats> {
    let format = a.format;
    let all = Floats::all_numbers(format);
    if matches!(op, Op::FpMin | Op::FpMax) {
        return Some(extreme(op == Op::FpMin, a, b));
    }
    let (Some((low, high)), Some((least, greatest))) = (a.numbers, b.numbers) else {
        let is_arithmetic = matches!(
            op,
            Op::FpAdd(_) | Op::FpSub(_) | Op::FpMul(_) | Op::FpDiv(_) | Op::FpFmod | Op::FpRem
        );
        return is_arithmetic.then_some(Floats::only_nan(format));
    };
    let infinite = |number: Float, negative: bool| number == Float::infinity(format, negative);
    let (nan, corners) = match op {
        Op::FpAdd(_) => (
            infinite(low, true) && infinite(greatest, false)
                || infinite(high, false) && infinite(least, true),
            vec![(low, least), (high, greatest)],
        ),
        Op::FpSub(_) => (
            infinite(low, true) && infinite(least, true)
                || infinite(high, false) && infinite(greatest, false),
            vec![(low, greatest), (high, least)],
        ),
        Op::FpMul(_) => (
            a.has_zero() && b.has_infinity() || a.has_infinity() && b.has_zero(),
            vec![(low, least), (low, greatest), (high, least), (high, greatest)],
        ),
        Op::FpDiv(_) if b.has_zero() => return Some(Floats::top(format)),
        Op::FpDiv(_) => (
            a.has_infinity() && b.has_infinity(),
            vec![(low, least), (low, greatest), (high, least), (high, greatest)],
        ),
        Op::FpFmod => return Some(fmod(a, b)),
        _ => return None,
    };
    let nan = nan || a.nan || b.nan;
    let mut ends: Option<(Float, Float)> = None;
    for (x, y) in corners {
        let corner = apply(op, &[x, y])?;
        if corner.is_nan() {
            // If a corner is NaN, nothing is known of the results beside it.
            return Some(Floats { nan, ..all });
        }
        ends = Some(ends.map_or((corner, corner), |(low, high)| {
            (self::least(low, corner), self::greatest(high, corner))
        }));
    }
    Some(Floats { format, numbers: ends, nan })
}

/// The lesser or the greater of two floats; if one of them is NaN, the other one.
fn extreme(min: bool, a: &Floats, b: &Floats) -> Floats {
    let pick = if min { least } else { greatest };
    let both = match (a.numbers, b.numbers) {
        (Some((low, high)), Some((other_low, other_high))) => {
            Some((pick(low, other_low), pick(high, other_high)))
        }
        _ => None,
    };
    let mut all = Floats { format: a.format, numbers: both, nan: a.nan && b.nan };
    for (one, other) in [(a, b), (b, a)] {
        if one.nan {
            all = all.join(&Floats { nan: false, ..*other });
        }
    }
    all
}

/// C's remainder: it has the sign of the dividend, and its magnitude is at most that of the dividend and at most that
/// of the divisor.
fn fmod(a: &Floats, b: &Floats) -> Floats {
    let nan = a.nan || b.nan || a.has_infinity() || b.has_zero();
    let zero = |negative| Float::zero(a.format, negative);
    let most = b.absolute().numbers.map(|(_, high)| high);
    let numbers = a.numbers.zip(most).map(|((low, high), most)| {
        let low = if low.is_negative() { greatest(low, most.neg()) } else { zero(false) };
        let high = if high.is_negative() { zero(true) } else { least(high, most) };
        (low, high)
    });
    Floats { format: a.format, numbers, nan }
}

/// Whether a predicate on two floats holds of all values, or of none.
pub(super) fn compared(op: Op, a: &Floats, b: &Floats) -> Option<bool> {
    let (Some((low, high)), Some((least, greatest))) = (a.numbers, b.numbers) else {
        return matches!(op, Op::FpEq | Op::FpLt | Op::FpLe).then_some(false);
    };
    let (always, never) = match op {
        Op::FpLt => (high.ieee_lt(least), greatest.ieee_le(low)),
        Op::FpLe => (high.ieee_le(least), greatest.ieee_lt(low)),
        Op::FpEq => (
            low.ieee_eq(high) && least.ieee_eq(greatest) && low.ieee_eq(least),
            high.ieee_lt(least) || greatest.ieee_lt(low),
        ),
        _ => return None,
    };
    match (always && !a.nan && !b.nan, never) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    }
}

/// Whether a predicate on one float holds of all values, or of none.
pub(super) fn classified(op: Op, a: &Floats) -> Option<bool> {
    let (always, never) = match (op, a.numbers) {
        (Op::FpIsNan, numbers) => (numbers.is_none(), !a.nan),
        (_, None) => {
            let is_class = class(op, a.format).is_some();
            (false, is_class)
        }
        (_, Some((low, high))) => {
            let class = class(op, a.format)?;
            let inside = class.contains(low) && class.contains(high);
            (inside && op != Op::FpIsInfinite && !a.nan, class.meet(a).is_none())
        }
    };
    let none_infinite = op == Op::FpIsInfinite && !a.has_infinity();
    match (always, never || none_infinite) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    }
}

/// A set with all numbers of a class. The set of the infinities has all other numbers, too, since they lie between.
fn class(op: Op, format: Format) -> Option<Floats> {
    let zero = |negative| Float::zero(format, negative);
    match op {
        Op::FpIsInfinite => Some(Floats::all_numbers(format)),
        Op::FpIsZero => Floats::between(zero(true), zero(false)),
        Op::FpIsNegative => Some(Floats::up_to(zero(true))),
        Op::FpIsPositive => Some(Floats::from(zero(false))),
        _ => None,
    }
}

/// What is known of a float for which a predicate is true, or false; `None` if there is no rule for the
/// predicate.
pub(super) fn of_class(op: Op, truth: bool, format: Format) -> Option<Floats> {
    Some(match (op, truth) {
        (Op::FpIsNan, true) => Floats::only_nan(format),
        (Op::FpIsNan, false) => Floats::all_numbers(format),
        (Op::FpIsInfinite, false) => {
            let ends = (Float::largest(format, true), Float::largest(format, false));
            Floats { format, numbers: Some(ends), nan: true }
        }
        (Op::FpIsNegative, false) => class(Op::FpIsPositive, format)?.or_nan(),
        (Op::FpIsPositive, false) => class(Op::FpIsNegative, format)?.or_nan(),
        (_, true) => class(op, format)?,
        _ => return None,
    })
}

/// What a comparison says of an argument, the first or the second, given the other one.
pub(super) enum Said {
    Nothing,
    Impossible,
    Floats(Floats),
}

impl From<Option<Floats>> for Said {
    fn from(floats: Option<Floats>) -> Self {
        floats.map_or(Said::Nothing, Said::Floats)
    }
}

/// What is known of one argument of a comparison that is true, or false.
pub(super) fn argument(op: Op, truth: bool, first: bool, other: &Floats) -> Said {
    if !matches!(op, Op::FpLt | Op::FpLe | Op::FpEq) {
        return Said::Nothing;
    }
    if truth {
        // The comparison is true, so both arguments are numbers.
        let Some((low, high)) = other.numbers else { return Said::Impossible };
        let infinity = |negative| Float::infinity(other.format, negative);
        return match op {
            Op::FpEq => Floats::between(lowest(low), highest(high)).into(),
            Op::FpLe if first => Said::Floats(Floats::up_to(highest(high))),
            Op::FpLe => Said::Floats(Floats::from(lowest(low))),
            _ if first && high == infinity(true) || !first && low == infinity(false) => {
                Said::Impossible
            }
            _ if first => Said::Floats(Floats::up_to(less(high))),
            _ => Said::Floats(Floats::from(greater(low))),
        };
    }
    // The comparison is false. This says nothing if the other side may be NaN, and this side may be NaN in any case.
    let Some((low, high)) = other.numbers.filter(|_| !other.nan) else { return Said::Nothing };
    let infinity = |negative| Float::infinity(other.format, negative);
    let numbers = match op {
        Op::FpLt if first => Floats::from(lowest(low)),
        Op::FpLt => Floats::up_to(highest(high)),
        Op::FpLe if first && low == infinity(false) => Floats::only_nan(other.format),
        Op::FpLe if first => Floats::from(greater(low)),
        Op::FpLe if high == infinity(true) => Floats::only_nan(other.format),
        Op::FpLe => Floats::up_to(less(high)),
        _ => return Said::Nothing,
    };
    Said::Floats(numbers.or_nan())
}

/// Bounds of the exact results that are rounded to a number of a set: the floats next to its ends.
fn exact(out: &Floats) -> Option<(Float, Float)> {
    out.numbers.map(|(low, high)| (below(low), above(high)))
}

/// The numbers between two bounds that were computed; a bound that is NaN says nothing.
fn bounded(format: Format, low: Float, high: Float) -> Option<Floats> {
    let infinity = |negative| Float::infinity(format, negative);
    let low = if low.is_nan() { infinity(true) } else { lowest(low) };
    let high = if high.is_nan() { infinity(false) } else { highest(high) };
    Floats::between(low, high)
}

const DOWN: Rounding = Rounding::TowardNegative;
const UP: Rounding = Rounding::TowardPositive;

/// What is known of the argument of an operation on one float that gives a float.
pub(super) fn inverse_unary(op: Op, out: &Floats, format: Format) -> Said {
    match op {
        Op::FpNeg => Said::Floats(out.negated()),
        Op::FpAbs => {
            let most = out.numbers.map(|(_, high)| high).filter(|high| !high.is_negative());
            match (most, out.nan) {
                (Some(most), nan) => {
                    Said::Floats(Floats { format, numbers: Some((most.neg(), most)), nan })
                }
                (None, true) => Said::Floats(Floats::only_nan(format)),
                (None, false) => Said::Impossible,
            }
        }
        Op::FpToFp(_, to) => {
            let narrow = |number: Float| number.convert(Rounding::NearestEven, format);
            let is_exact = format.significand_bits() <= to.significand_bits()
                && format.exponent_bits() <= to.exponent_bits();
            // A float of the argument's format that is on one side of a bound is on the same side of the float of this
            // format that is nearest to the bound.
            let ends = if is_exact { out.numbers } else { exact(out) };
            let Some((low, high)) = ends else { return Said::Floats(Floats::only_nan(format)) };
            Floats::between(narrow(low), narrow(high))
                .map(|met| Floats { nan: out.nan, ..met })
                .into()
        }
        Op::FpSqrt(_) if !out.nan => {
            let Some((low, high)) = exact(out) else { return Said::Nothing };
            let low =
                if low.is_negative() { Float::zero(format, true) } else { low.mul(DOWN, low) };
            if high.is_negative() {
                return Said::Nothing;
            }
            bounded(format, low, high.mul(UP, high)).into()
        }
        _ => Said::Nothing,
    }
}

/// What is known of one argument of an operation on two floats, the first or the second. Nothing is known if the result
/// may be NaN.
pub(super) fn inverse_binary(op: Op, out: &Floats, other: &Floats, first: bool) -> Said {
    let (Some((low, high)), Some((least, greatest))) = (exact(out), other.numbers) else {
        return Said::Nothing;
    };
    if out.nan {
        return Said::Nothing;
    }
    let format = out.format;
    let fixed_sign = !other.has_zero() && !other.has_infinity();
    let corners = |down: fn(Float, Float) -> Float, up: fn(Float, Float) -> Float| {
        let pairs = [(low, least), (low, greatest), (high, least), (high, greatest)];
        let lows = pairs.map(|(x, y)| down(x, y));
        let highs = pairs.map(|(x, y)| up(x, y));
        if lows.iter().chain(&highs).any(|corner| corner.is_nan()) {
            return None;
        }
        let low = lows.into_iter().reduce(self::least)?;
        let high = highs.into_iter().reduce(self::greatest)?;
        bounded(format, low, high)
    };
    match op {
        Op::FpAdd(_) => bounded(format, low.sub(DOWN, greatest), high.sub(UP, least)),
        Op::FpSub(_) if first => bounded(format, low.add(DOWN, least), high.add(UP, greatest)),
        Op::FpSub(_) => bounded(format, least.sub(DOWN, high), greatest.sub(UP, low)),
        Op::FpMul(_) if fixed_sign => corners(|x, y| x.div(DOWN, y), |x, y| x.div(UP, y)),
        Op::FpDiv(_) if first && fixed_sign => corners(|x, y| x.mul(DOWN, y), |x, y| x.mul(UP, y)),
        _ => None,
    }
    .into()
}

/// The floats of the numbers of a word.
pub(super) fn of_word(op: Op, word: &Word) -> Option<Floats> {
    let (format, low, high) = match op {
        Op::FpFromSignedBv(_, format) => (format, &word.least, &word.greatest),
        Op::FpFromUnsignedBv(_, format) => (format, &word.low, &word.high),
        _ => return None,
    };
    let float = |bits: &term::Bv| match term::apply(op, &[&Value::Bv(bits.clone())]) {
        Value::Float(float) => Some(float),
        _ => None,
    };
    Some(Floats { format, numbers: Some((float(low)?, float(high)?)), nan: false })
}

/// The word of a number, if the number fits.
fn fitting(op: Op, number: Float) -> Option<term::Bv> {
    let (rounding, back) = match op {
        Op::FpToSignedBv(rounding, _) => (rounding, Op::FpFromSignedBv(rounding, number.format())),
        Op::FpToUnsignedBv(rounding, _) => {
            (rounding, Op::FpFromUnsignedBv(rounding, number.format()))
        }
        _ => return None,
    };
    if number.is_infinite() || number.is_nan() {
        return None;
    }
    let Value::Bv(bits) = term::apply(op, &[&Value::Float(number)]) else { return None };
    // A number that does not fit becomes a word whose number is another one.
    let again = term::apply(back, &[&Value::Bv(bits.clone())]);
    let rounded = number.round_to_integral(rounding);
    matches!(again, Value::Float(again) if again.ieee_eq(rounded)).then_some(bits)
}

/// The words of the numbers of a set, if all of them fit.
pub(super) fn to_word(op: Op, a: &Floats) -> Option<Word> {
    let (low, high) = a.numbers.filter(|_| !a.nan)?;
    let (low, high) = (fitting(op, low)?, fitting(op, high)?);
    let top = Word::top(low.width());
    match op {
        Op::FpToSignedBv(..) => top.signed(low, high),
        _ => top.unsigned(low, high),
    }
    .reduce()
}

/// The words whose floats are in a set.
pub(super) fn inverse_of_word(op: Op, out: &Floats, width: u32) -> Option<Word> {
    let (format, to) = match op {
        Op::FpFromSignedBv(_, format) => (format, Op::FpToSignedBv(UP, width)),
        Op::FpFromUnsignedBv(_, format) => (format, Op::FpToUnsignedBv(UP, width)),
        _ => return None,
    };
    let down = match to {
        Op::FpToSignedBv(..) => Op::FpToSignedBv(DOWN, width),
        _ => Op::FpToUnsignedBv(DOWN, width),
    };
    let is_exact = width <= format.significand_bits() && width < 1 << (format.exponent_bits() - 1);
    let (low, high) = if is_exact { out.numbers? } else { exact(out)? };
    let (low, high) = (fitting(to, low), fitting(down, high));
    let top = Word::top(width);
    let word = match to {
        Op::FpToSignedBv(..) => {
            let (least, greatest) = (top.least.clone(), top.greatest.clone());
            top.signed(low.unwrap_or(least), high.unwrap_or(greatest))
        }
        _ => {
            let (least, greatest) = (top.low.clone(), top.high.clone());
            top.unsigned(low.unwrap_or(least), high.unwrap_or(greatest))
        }
    };
    word.reduce()
}

/// The floats whose words are in a set; `None` if the set has the word that stands for floats that do not fit.
pub(super) fn inverse_to_word(op: Op, out: &Word, format: Format) -> Option<Floats> {
    let width = out.width();
    let mark = term::Bv::signed_min(width);
    if out.contains(&mark) {
        return None;
    }
    let (low, high, number): (_, _, fn(Rounding, Format) -> Op) = match op {
        Op::FpToSignedBv(..) => (&out.least, &out.greatest, Op::FpFromSignedBv),
        Op::FpToUnsignedBv(..) => (&out.low, &out.high, Op::FpFromUnsignedBv),
        _ => return None,
    };
    let float = |bits: &term::Bv, rounding| match term::apply(
        number(rounding, format),
        &[&Value::Bv(bits.clone())],
    ) {
        Value::Float(float) => Some(float),
        _ => None,
    };
    // In every rounding mode, the floats are less than one away from the ends.
    let one = term::Bv::new(width, 1);
    let one = term::apply(Op::FpFromUnsignedBv(UP, format), &[&Value::Bv(one)]);
    let Value::Float(one) = one else { return None };
    let low = float(low, DOWN)?.sub(DOWN, one);
    let high = float(high, UP)?.add(UP, one);
    bounded(format, low, high)
}

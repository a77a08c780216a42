//! What is known of an integer or a rational: an interval whose ends may be open or missing.

use crate::linear::rational::Rational;

/// An end of an interval.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct End {
    pub at: Rational,
    /// Whether the number itself is left out; never of an interval of integers.
    pub open: bool,
}

/// A set of numbers, not empty.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Interval {
    /// Whether the set has only integers; the ends of the interval are integers then, and closed.
    pub integers: bool,
    pub low: Option<End>,
    pub high: Option<End>,
}

/// Ends with more bits than this are forgotten: a loop of multiplications must not make them
/// grow without bound.
const MAX_BITS: u64 = 4096;

impl Interval {
    pub fn top(integers: bool) -> Interval {
        Interval { integers, low: None, high: None }
    }

    pub fn constant(integers: bool, value: Rational) -> Interval {
        let end = End { at: value, open: false };
        Interval { integers, low: Some(end.clone()), high: Some(end) }
    }

    /// The interval between two ends; `None` if it has no numbers.
    pub fn new(integers: bool, low: Option<End>, high: Option<End>) -> Option<Interval> {
        let (mut low, mut high) = (low, high);
        if integers {
            low = low.map(|end| {
                let up = end.at.ceil();
                let next = end.open && up == end.at;
                End { at: if next { &up + &Rational::ONE } else { up }, open: false }
            });
            high = high.map(|end| {
                let down = end.at.floor();
                let next = end.open && down == end.at;
                End { at: if next { &down - &Rational::ONE } else { down }, open: false }
            });
        }
        if let (Some(low), Some(high)) = (&low, &high)
            && (low.at > high.at || (low.at == high.at && (low.open || high.open)))
        {
            return None;
        }
        Some(Interval { integers, low, high })
    }

    /// The only value, if there is one.
    pub fn value(&self) -> Option<&Rational> {
        match (&self.low, &self.high) {
            (Some(low), Some(high)) if low.at == high.at => Some(&low.at),
            _ => None,
        }
    }

    pub fn contains(&self, value: &Rational) -> bool {
        let above = |end: &End| if end.open { *value > end.at } else { *value >= end.at };
        let below = |end: &End| if end.open { *value < end.at } else { *value <= end.at };
        self.low.as_ref().is_none_or(above)
            && self.high.as_ref().is_none_or(below)
            && (!self.integers || value.is_integer())
    }

    pub fn meet(&self, other: &Interval) -> Option<Interval> {
        let low = match (&self.low, &other.low) {
            (Some(a), Some(b)) => Some(if higher(b, a) { b } else { a }),
            (a, b) => a.as_ref().or(b.as_ref()),
        };
        let high = match (&self.high, &other.high) {
            (Some(a), Some(b)) => Some(if lower(b, a) { b } else { a }),
            (a, b) => a.as_ref().or(b.as_ref()),
        };
        Interval::new(self.integers, low.cloned(), high.cloned())
    }

    pub fn join(&self, other: &Interval) -> Interval {
        let low = match (&self.low, &other.low) {
            (Some(a), Some(b)) => Some(if higher(b, a) { a } else { b }),
            _ => None,
        };
        let high = match (&self.high, &other.high) {
            (Some(a), Some(b)) => Some(if lower(b, a) { a } else { b }),
            _ => None,
        };
        Interval { integers: self.integers, low: low.cloned(), high: high.cloned() }
    }

    pub fn negated(&self) -> Interval {
        let flip = |end: &Option<End>| end.as_ref().map(|e| End { at: -&e.at, open: e.open });
        Interval { integers: self.integers, low: flip(&self.high), high: flip(&self.low) }
    }

    pub fn plus(&self, other: &Interval) -> Interval {
        let sum = |a: &Option<End>, b: &Option<End>| match (a, b) {
            (Some(a), Some(b)) => bounded(End { at: &a.at + &b.at, open: a.open || b.open }),
            _ => None,
        };
        Interval {
            integers: self.integers,
            low: sum(&self.low, &other.low),
            high: sum(&self.high, &other.high),
        }
    }

    pub fn minus(&self, other: &Interval) -> Interval {
        self.plus(&other.negated())
    }

    /// The products of the numbers of this interval with a number that is not zero, as rationals.
    fn scaled(&self, factor: &Rational) -> Interval {
        let scale = |end: &Option<End>| {
            end.as_ref().and_then(|e| bounded(End { at: &e.at * factor, open: e.open }))
        };
        let (low, high) = (scale(&self.low), scale(&self.high));
        let (low, high) = if factor.is_negative() { (high, low) } else { (low, high) };
        Interval { integers: false, low, high }
    }

    pub fn times(&self, other: &Interval) -> Interval {
        for (constant, factor) in [(other.value(), self), (self.value(), other)] {
            if let Some(constant) = constant {
                return if constant.is_zero() {
                    Interval::constant(self.integers, Rational::ZERO)
                } else {
                    Interval { integers: self.integers, ..factor.scaled(constant) }
                };
            }
        }
        let ends = [&self.low, &self.high, &other.low, &other.high].map(Option::as_ref);
        if let [Some(a), Some(b), Some(c), Some(d)] = ends {
            // Treating open ends as closed ones is sound.
            let corners = [&a.at * &c.at, &a.at * &d.at, &b.at * &c.at, &b.at * &d.at];
            let end = |at: Option<&Rational>| {
                at.and_then(|at| bounded(End { at: at.clone(), open: false }))
            };
            return Interval {
                integers: self.integers,
                low: end(corners.iter().min()),
                high: end(corners.iter().max()),
            };
        }
        // An interval without an end on one side may still have a sign.
        let sign = |interval: &Interval| {
            if interval.low.as_ref().is_some_and(|low| !low.at.is_negative()) {
                Some(true)
            } else if interval.high.as_ref().is_some_and(|high| !high.at.is_positive()) {
                Some(false)
            } else {
                None
            }
        };
        let zero = Some(End { at: Rational::ZERO, open: false });
        match (sign(self), sign(other)) {
            (Some(a), Some(b)) if a == b => {
                Interval { integers: self.integers, low: zero, high: None }
            }
            (Some(_), Some(_)) => Interval { integers: self.integers, low: None, high: zero },
            _ => Interval::top(self.integers),
        }
    }

    /// The numbers whose product with a constant is in this interval; `None` if there are no such numbers.
    pub fn divided(&self, factor: &Rational) -> Option<Interval> {
        if factor.is_zero() {
            return Some(Interval::top(self.integers));
        }
        let quotients = self.scaled(&factor.recip());
        Interval::new(self.integers, quotients.low, quotients.high)
    }

    /// The Euclidean quotients by a positive number.
    pub fn floor_divided(&self, divisor: &Rational) -> Interval {
        let quotients = self.scaled(&divisor.recip());
        let floor = |end: Option<End>| end.map(|e| End { at: e.at.floor(), open: false });
        Interval { integers: true, low: floor(quotients.low), high: floor(quotients.high) }
    }

    /// The integers whose quotients by a positive number are in this interval.
    pub fn floor_multiplied(&self, divisor: &Rational) -> Interval {
        let low = self.low.as_ref().map(|e| End { at: &e.at * divisor, open: false });
        let high = self.high.as_ref().map(|e| End {
            at: &(&(&e.at + &Rational::ONE) * divisor) - &Rational::ONE,
            open: false,
        });
        Interval { integers: true, low, high }
    }

    /// The numbers that are less than some number of this interval, or at most that number if the order is not strict.
    pub fn below(&self, strict: bool) -> Option<Interval> {
        let high = self.high.as_ref().map(|e| End { at: e.at.clone(), open: e.open || strict });
        Interval::new(self.integers, None, high)
    }

    /// The numbers that are greater than some number of this interval, or at least that number if the order is not
    /// strict.
    pub fn above(&self, strict: bool) -> Option<Interval> {
        let low = self.low.as_ref().map(|e| End { at: e.at.clone(), open: e.open || strict });
        Interval::new(self.integers, low, None)
    }

    /// Whether every number of this interval is less than every number of the other one, or at most as great if the
    /// order is not strict.
    pub fn all_below(&self, other: &Interval, strict: bool) -> bool {
        match (&self.high, &other.low) {
            (Some(a), Some(b)) => a.at < b.at || (a.at == b.at && (!strict || a.open || b.open)),
            _ => false,
        }
    }

    /// The interval without a number, as far as an interval can say that.
    pub fn without(&self, value: &Rational) -> Option<Interval> {
        let cut = |end: &Option<End>| {
            end.as_ref().map(|e| End { at: e.at.clone(), open: e.open || e.at == *value })
        };
        Interval::new(self.integers, cut(&self.low), cut(&self.high))
    }
}

fn higher(a: &End, b: &End) -> bool {
    a.at > b.at || (a.at == b.at && a.open && !b.open)
}

fn lower(a: &End, b: &End) -> bool {
    a.at < b.at || (a.at == b.at && a.open && !b.open)
}

fn bounded(end: End) -> Option<End> {
    (end.at.bits() <= MAX_BITS).then_some(end)
}

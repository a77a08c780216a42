//! Conditions that hold together and leave a term one value: `x >= 5 && x <= 5` assigns 5 (Beyer & Löwe
//! 2012, §III-A: "if c is the only satisfying assignment").

use num_bigint::BigInt;
use smallvec::SmallVec;
use term::{Bv, Op, Sort, TermId, Value, View};

use crate::value::Values;
use crate::value::cell::Abstract;
use crate::value::state::{Contradiction, Learned, Work};

/// What one condition says of a term.
#[derive(Clone)]
struct Fact {
    term: TermId,
    says: Says,
    value: Value,
}

/// What a [`Fact`] says of its term: how the term compares with the value, as signed or unsigned numbers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Says {
    /// The term is at least the value.
    AtLeast { signed: bool },
    /// The term is at most the value.
    AtMost { signed: bool },
    /// The term is greater than the value.
    Above { signed: bool },
    /// The term is less than the value.
    Below { signed: bool },
    /// The term differs from the value.
    Not,
}

/// A range of whole numbers; an end that is `None` is infinite.
type Range = (Option<BigInt>, Option<BigInt>);

impl Values<'_> {
    /// Learns the value of each term to which conditions that all hold leave no other.
    pub(crate) fn narrow(&mut self, work: &mut Work, conditions: &[TermId]) -> Learned {
        let mut facts = Vec::new();
        for condition in conditions {
            self.bounds(work, *condition, true, &mut facts);
        }
        // A single fact determines no value: both ends of a range are needed.
        while let Some(first) = facts.first().cloned() {
            let of_term: Vec<Fact> = facts.extract_if(.., |fact| fact.term == first.term).collect();
            if of_term.len() > 1
                && let Some(value) = only_value(self.program.terms.sort(first.term), &of_term)?
            {
                self.solve(work, first.term, Abstract::Known(value))?;
            }
        }
        Ok(())
    }

    /// Whether a formula has parts that may say something together.
    pub(crate) fn has_parts(&self, formula: TermId) -> bool {
        match self.program.terms.view(formula) {
            View::App(Op::Not, [inner]) => self.has_parts(*inner),
            View::App(op, _) => matches!(op, Op::And | Op::Or),
            _ => false,
        }
    }

    /// Collects what a formula that is true or false says of terms that are not known.
    fn bounds(&mut self, work: &Work, formula: TermId, truth: bool, facts: &mut Vec<Fact>) {
        match self.program.terms.view(formula) {
            View::App(Op::Not, [inner]) => self.bounds(work, *inner, !truth, facts),
            View::App(op @ (Op::And | Op::Or), parts) if (op == Op::And) == truth => {
                let parts: SmallVec<[TermId; 4]> = SmallVec::from_slice(parts);
                parts.iter().for_each(|part| self.bounds(work, *part, truth, facts));
            }
            View::App(Op::Eq, [a, b]) if !truth => {
                let (a, b) = (*a, *b);
                self.compared(work, (a, b), (Says::Not, Says::Not), facts);
            }
            View::App(op, [a, b]) => {
                let signed = match op {
                    Op::BvUlt | Op::BvUle => false,
                    Op::BvSlt | Op::BvSle | Op::Lt | Op::Le => true,
                    _ => return,
                };
                let (a, b) = (*a, *b);
                let strict = matches!(op, Op::BvUlt | Op::BvSlt | Op::Lt);
                // The negation of an order is the other order, turned round.
                let says = match (truth, strict) {
                    (true, true) => (Says::Below { signed }, Says::Above { signed }),
                    (true, false) => (Says::AtMost { signed }, Says::AtLeast { signed }),
                    (false, true) => (Says::AtLeast { signed }, Says::AtMost { signed }),
                    (false, false) => (Says::Above { signed }, Says::Below { signed }),
                };
                self.compared(work, (a, b), says, facts);
            }
            _ => {}
        }
    }

    /// Two terms are compared: if the value of one is known, the comparison is a fact about the other one.
    fn compared(
        &mut self,
        work: &Work,
        (a, b): (TermId, TermId),
        (of_a, of_b): (Says, Says),
        facts: &mut Vec<Fact>,
    ) {
        match (self.eval(work, a), self.eval(work, b)) {
            (open, Abstract::Known(value)) if open.is_open() => {
                facts.push(Fact { term: a, says: of_a, value });
            }
            (Abstract::Known(value), open) if open.is_open() => {
                facts.push(Fact { term: b, says: of_b, value });
            }
            _ => {}
        }
    }
}

/// The only value of a sort of which some facts are true, if there is only one.
fn only_value(sort: Sort, facts: &[Fact]) -> Result<Option<Value>, Contradiction> {
    match sort {
        Sort::Int => {
            let number = |value: &Value| match value {
                Value::Int(number) => Some(number.clone()),
                _ => None,
            };
            let range = range(facts, true, &number);
            let left_out = left_out(facts, &number);
            let rest = shrink(range, &left_out);
            Ok(only(&[rest?])?.map(Value::Int))
        }
        Sort::Bv(width) => Ok(only_word(width, facts)?.map(Value::Bv)),
        Sort::Rat => only_rational(facts),
        _ => Ok(None),
    }
}

fn only_word(width: u32, facts: &[Fact]) -> Result<Option<Bv>, Contradiction> {
    let reading = |signed: bool| {
        move |value: &Value| match value {
            Value::Bv(bits) if signed => Some(bits.to_bigint_signed()),
            Value::Bv(bits) => Some(bits.to_bigint_unsigned()),
            _ => None,
        }
    };
    let size = BigInt::from(1) << width;
    let half = BigInt::from(1) << (width - 1);
    let (low, high) = range(facts, true, &reading(true));
    let low = low.map_or_else(|| -half.clone(), |low| low.max(-half.clone()));
    let high = high.map_or_else(|| &half - 1, |high| high.min(&half - 1));
    // The same words, read without a sign: first those that are not negative when read with a sign, then those that
    // are.
    let zero = BigInt::ZERO;
    let pieces = [
        (low.clone().max(zero.clone()), high.clone()),
        (&low + &size, high.min(BigInt::from(-1)) + &size),
    ];
    let (least, greatest) = range(facts, false, &reading(false));
    let least = least.unwrap_or(zero);
    let greatest = greatest.unwrap_or(size - 1);
    let left_out = left_out(facts, &reading(false));
    let mut rest = Vec::new();
    for (low, high) in pieces {
        let (low, high) = (low.max(least.clone()), high.min(greatest.clone()));
        if low <= high
            && let Ok(piece) = shrink((Some(low), Some(high)), &left_out)
        {
            rest.push(piece);
        }
    }
    Ok(only(&rest)?.map(|number| Bv::from_bigint(width, &number)))
}

/// The range that facts with or without signs leave, with both ends in it.
fn range(facts: &[Fact], signed: bool, number: &dyn Fn(&Value) -> Option<BigInt>) -> Range {
    let (mut low, mut high): Range = (None, None);
    for fact in facts {
        let Some(value) = number(&fact.value) else { continue };
        let lower = match fact.says {
            Says::AtLeast { signed: by } if by == signed => Some(value.clone()),
            Says::Above { signed: by } if by == signed => Some(&value + 1),
            _ => None,
        };
        let upper = match fact.says {
            Says::AtMost { signed: by } if by == signed => Some(value),
            Says::Below { signed: by } if by == signed => Some(value - 1),
            _ => None,
        };
        // `None`, which means no end, compares as less than every number. That is right for lower ends only.
        low = low.max(lower);
        high = match (high, upper) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
    }
    (low, high)
}

fn left_out(facts: &[Fact], number: &dyn Fn(&Value) -> Option<BigInt>) -> Vec<BigInt> {
    let left_out = facts.iter().filter(|fact| fact.says == Says::Not);
    left_out.filter_map(|fact| number(&fact.value)).collect()
}

/// A range without the numbers at its ends that are left out.
fn shrink((low, high): Range, left_out: &[BigInt]) -> Result<Range, Contradiction> {
    let (mut low, mut high) = (low, high);
    while let Some(end) = low.as_mut().filter(|end| left_out.contains(&**end)) {
        *end += 1;
        if high.as_ref().is_some_and(|high| *high < *end) {
            return Err(Contradiction);
        }
    }
    while let Some(end) = high.as_mut().filter(|end| left_out.contains(&**end)) {
        *end -= 1;
    }
    match (&low, &high) {
        (Some(low), Some(high)) if low > high => Err(Contradiction),
        _ => Ok((low, high)),
    }
}

/// The only number in some ranges, none of which is empty.
fn only(ranges: &[Range]) -> Result<Option<BigInt>, Contradiction> {
    match ranges {
        [] => Err(Contradiction),
        [(Some(low), Some(high))] if low == high => Ok(Some(low.clone())),
        _ => Ok(None),
    }
}

/// The only fraction of which some facts are true, if there is only one. A range of fractions has a single value only
/// if its two ends are the same number.
fn only_rational(facts: &[Fact]) -> Result<Option<Value>, Contradiction> {
    let ends = |lower: bool| {
        facts.iter().filter_map(move |fact| {
            let Value::Rat(value) = &fact.value else { return None };
            match fact.says {
                Says::AtLeast { .. } if lower => Some((value, false)),
                Says::Above { .. } if lower => Some((value, true)),
                Says::AtMost { .. } if !lower => Some((value, false)),
                Says::Below { .. } if !lower => Some((value, true)),
                _ => None,
            }
        })
    };
    let (Some((low, above)), Some((high, below))) =
        (ends(true).max(), ends(false).min_by_key(|(value, strict)| (*value, !*strict)))
    else {
        return Ok(None);
    };
    let is_left_out = |fact: &Fact| {
        fact.says == Says::Not && matches!(&fact.value, Value::Rat(value) if value == low)
    };
    match low.cmp(high) {
        std::cmp::Ordering::Less => Ok(None),
        std::cmp::Ordering::Greater => Err(Contradiction),
        std::cmp::Ordering::Equal if above || below || facts.iter().any(is_left_out) => {
            Err(Contradiction)
        }
        std::cmp::Ordering::Equal => Ok(Some(Value::Rat(low.clone()))),
    }
}

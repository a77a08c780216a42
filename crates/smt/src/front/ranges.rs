//! Ranges of terms, for callers without a solver: sets that have the values of a term, by the rules that propagation
//! has in front of SAT.

use num_bigint::BigInt;
use num_traits::ToPrimitive;
use run::Budget;
use rustc_hash::FxHashSet;
use term::{Bv, Float, Format, Op, Rounding, Sort, TermId, Terms, Value, Var, View};

use super::fact::{Fact, number_value, rational_of_int};
use super::float::Floats;
use super::graph::{Graph, Numbering};
use super::number::{End, Interval};
use super::propagate::{Propagation, Stop};
use super::trail::Origin;
use super::word::Word;
use super::{MAX_SIZE, MIN_STEPS, STEPS};

/// A set of values of one sort that is not empty: an interval of numbers (of machine words: one of unsigned numbers,
/// one of signed numbers, and known bits; of floats: an interval, and whether NaN is in it).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Range(Fact);

impl Range {
    /// All values of a sort.
    #[must_use]
    pub fn top(sort: Sort) -> Self {
        Self(Fact::top(sort))
    }

    /// One value.
    #[must_use]
    pub fn constant(value: &Value) -> Self {
        Self(Fact::constant(value))
    }

    /// All words of a width but zero.
    #[must_use]
    pub fn not_zero(width: u32) -> Self {
        Self(Fact::Word(Word::top(width).unsigned(Bv::new(width, 1), Bv::ones(width))))
    }

    /// Whether the range has all values of its sort.
    #[must_use]
    pub fn says_nothing(&self) -> bool {
        match &self.0 {
            Fact::Bool(value) => value.is_none(),
            Fact::Word(word) => *word == Word::top(word.width()),
            Fact::Number(interval) => interval.low.is_none() && interval.high.is_none(),
            Fact::Floats(floats) => *floats == Floats::top(floats.format()),
            Fact::Other(value) => value.is_none(),
        }
    }

    /// The only value, if there is one.
    #[must_use]
    pub fn value(&self) -> Option<Value> {
        self.0.value()
    }

    /// Whether NaN is in the range, beside numbers.
    #[must_use]
    pub fn may_be_nan(&self) -> bool {
        matches!(&self.0, Fact::Floats(floats) if floats.parts().1)
    }

    /// Whether a value is in the range.
    #[must_use]
    pub fn contains(&self, value: &Value) -> bool {
        self.0.contains(value)
    }

    /// The values that are in both ranges; `None` if there are no such values.
    #[must_use]
    pub fn meet(&self, other: &Self) -> Option<Self> {
        self.0.meet(&other.0).map(Self)
    }

    /// The least range with the values of both.
    #[must_use]
    pub fn join(&self, other: &Self) -> Self {
        match self.0.join(&other.0) {
            // The set has values, so its reduction has values, too.
            Fact::Word(word) => Self(Fact::Word(word.clone().reduce().unwrap_or(word))),
            fact => Self(fact),
        }
    }

    /// A range with the values of a greater one. Ends of the greater range that differ from those of this range are
    /// moved outwards, to a landmark if there is one on the way: after some steps nothing grows any more.
    #[must_use]
    pub fn widen(&self, greater: &Self, landmarks: &Landmarks) -> Self {
        Self(match (&self.0, &greater.0) {
            (Fact::Word(old), Fact::Word(new)) => {
                let lower = |end: &Bv, signed| landmarks.below(end, signed);
                let upper = |end: &Bv, signed| landmarks.above(end, signed);
                let word = old.widened(new, &lower, &upper);
                Fact::Word(word.clone().reduce().unwrap_or(word))
            }
            (Fact::Number(old), Fact::Number(new)) => {
                Fact::Number(old.widened(new, &landmarks.numbers))
            }
            (Fact::Floats(old), Fact::Floats(new)) => {
                Fact::Floats(old.widened(new, &landmarks.floats(new.format())))
            }
            _ => greater.0.clone(),
        })
    }

    /// The least and the greatest number, if there are such numbers. `signed` says how words are read.
    #[must_use]
    pub fn ends(&self, signed: bool) -> (Option<Value>, Option<Value>) {
        match &self.0 {
            Fact::Word(word) if signed => {
                let ends = [&word.least, &word.greatest].map(|end| Some(Value::Bv(end.clone())));
                ends.into()
            }
            Fact::Word(word) => {
                [&word.low, &word.high].map(|end| Some(Value::Bv(end.clone()))).into()
            }
            Fact::Number(interval) => {
                let end = |end: &Option<End>| {
                    end.as_ref().map(|end| number_value(interval.integers, &end.at))
                };
                (end(&interval.low), end(&interval.high))
            }
            Fact::Floats(floats) => match floats.parts().0 {
                Some((low, high)) => (Some(Value::Float(low)), Some(Value::Float(high))),
                None => (None, None),
            },
            Fact::Bool(_) | Fact::Other(_) => (None, None),
        }
    }

    /// The formula that the value of a term is in the range, or in a greater range: the formula does not tell the zeros
    /// of floats apart.
    pub fn formula(&self, terms: &mut Terms, term: TermId) -> TermId {
        if let Some(value) = self.value() {
            let value = terms.constant(value);
            return terms.eq(term, value);
        }
        match &self.0 {
            Fact::Word(word) => of_word(word, terms, term),
            Fact::Number(interval) => of_number(interval, terms, term),
            Fact::Floats(floats) => of_floats(floats, terms, term),
            Fact::Bool(_) | Fact::Other(_) => terms.bool(true),
        }
    }
}

/// The bounds of a word as a formula. If the signed or the unsigned bounds alone say everything, the others are left
/// out.
fn of_word(word: &Word, terms: &mut Terms, term: TermId) -> TermId {
    let width = word.width();
    let signed = Word::top(width).signed(word.least.clone(), word.greatest.clone()).reduce();
    let unsigned = Word::top(width).unsigned(word.low.clone(), word.high.clone()).reduce();
    let both = Word::top(width)
        .signed(word.least.clone(), word.greatest.clone())
        .unsigned(word.low.clone(), word.high.clone())
        .reduce();
    let says_all = |part: &Option<Word>| part.as_ref() == Some(word);
    let (by_sign, by_size) = match (says_all(&signed), says_all(&unsigned)) {
        (true, _) => (true, false),
        (_, true) => (false, true),
        _ => (true, true),
    };
    let mut parts = Vec::new();
    let mut between = |terms: &mut Terms, op, low: &Bv, high: &Bv, least: &Bv, greatest: &Bv| {
        if low != least {
            let low = terms.bv_value(low.clone());
            parts.push(terms.app(op, &[low, term]));
        }
        if high != greatest {
            let high = terms.bv_value(high.clone());
            parts.push(terms.app(op, &[term, high]));
        }
    };
    if by_sign {
        let (least, greatest) = (Bv::signed_min(width), Bv::signed_max(width));
        between(terms, Op::BvSle, &word.least, &word.greatest, &least, &greatest);
    }
    if by_size {
        between(terms, Op::BvUle, &word.low, &word.high, &Bv::zero(width), &Bv::ones(width));
    }
    if !says_all(&signed) && !says_all(&unsigned) && !says_all(&both) {
        let (known, must) = (terms.bv_value(word.known()), terms.bv_value(word.must.clone()));
        let bits = terms.app(Op::BvAnd, &[term, known]);
        parts.push(terms.eq(bits, must));
    }
    terms.and(&parts)
}

fn of_number(interval: &Interval, terms: &mut Terms, term: TermId) -> TermId {
    let mut parts = Vec::new();
    let order = |end: &End| if end.open { Op::Lt } else { Op::Le };
    if let Some(low) = &interval.low {
        let end = terms.constant(number_value(interval.integers, &low.at));
        parts.push(terms.app(order(low), &[end, term]));
    }
    if let Some(high) = &interval.high {
        let end = terms.constant(number_value(interval.integers, &high.at));
        parts.push(terms.app(order(high), &[term, end]));
    }
    terms.and(&parts)
}

fn of_floats(floats: &Floats, terms: &mut Terms, term: TermId) -> TermId {
    let is_nan = terms.app(Op::FpIsNan, &[term]);
    let (Some((low, high)), nan) = floats.parts() else { return is_nan };
    let mut parts = Vec::new();
    if !low.is_infinite() || low.is_positive() {
        let low = terms.constant(Value::Float(low));
        parts.push(terms.app(Op::FpLe, &[low, term]));
    }
    if !high.is_infinite() || high.is_negative() {
        let high = terms.constant(Value::Float(high));
        parts.push(terms.app(Op::FpLe, &[term, high]));
    }
    match (parts.is_empty(), nan) {
        (true, true) => terms.bool(true),
        (true, false) => terms.not(is_nan),
        (false, true) => {
            let between = terms.and(&parts);
            terms.or2(is_nan, between)
        }
        // NaN is neither less nor greater than a number, so the bounds exclude NaN.
        (false, false) => terms.and(&parts),
    }
}

/// Numbers at which a range that grows is likely to end: the numbers that a program compares with, and their
/// neighbours.
#[derive(Clone, Default, Debug)]
pub struct Landmarks {
    numbers: Vec<i128>,
    floats: Vec<Float>,
}

/// The most floats that are landmarks; numbers may be three times as many, since each constant brings its neighbours.
/// A range that grows may stop at every landmark.
const MOST_LANDMARKS: usize = 256;

impl Landmarks {
    /// The constants in some terms, and their neighbours.
    pub fn of(terms: &Terms, roots: impl IntoIterator<Item = TermId>) -> Self {
        let (mut numbers, mut floats) = (vec![0], Vec::new());
        let mut seen = FxHashSet::default();
        let mut stack: Vec<TermId> = roots.into_iter().collect();
        let mut add = |number: &BigInt| {
            if let Some(number) = number.to_i128().filter(|number| number.unsigned_abs() < 1 << 100)
            {
                numbers.extend([number - 1, number, number + 1]);
            }
        };
        while let Some(term) = stack.pop() {
            if !seen.insert(term) {
                continue;
            }
            match terms.view(term) {
                View::App(_, args) => stack.extend_from_slice(args),
                View::Const(Value::Bv(bits)) => {
                    add(&bits.to_bigint_signed());
                    add(&bits.to_bigint_unsigned());
                }
                View::Const(Value::Int(number)) => add(number),
                View::Const(Value::Rat(number)) => add(&number.floor().to_integer()),
                View::Const(Value::Float(float)) if !float.is_nan() => {
                    floats.extend([*float, float.neg()]);
                }
                _ => {}
            }
        }
        numbers.sort_unstable();
        numbers.dedup();
        floats.sort_unstable();
        floats.dedup();
        // Bounds of loops are seldom far away.
        numbers.sort_by_key(|number| number.unsigned_abs());
        numbers.truncate(3 * MOST_LANDMARKS);
        numbers.sort_unstable();
        floats.truncate(MOST_LANDMARKS);
        Self { numbers, floats }
    }

    /// The landmarks that fit into words of a width, as words.
    fn words(&self, width: u32) -> impl Iterator<Item = Bv> + '_ {
        let fits = move |number: &&i128| {
            width > 100 || (-(1_i128 << (width - 1)) <= **number && **number < 1_i128 << width)
        };
        self.numbers.iter().filter(fits).map(move |number| Bv::from_signed(width, *number))
    }

    /// The greatest landmark that is not above an end, or the least word.
    fn below(&self, end: &Bv, signed: bool) -> Bv {
        let least = if signed { Bv::signed_min(end.width()) } else { Bv::zero(end.width()) };
        let at_most = |a: &Bv, b: &Bv| if signed { a.sle(b) } else { a <= b };
        let found = self.words(end.width()).filter(|word| at_most(word, end));
        found.fold(least, |best, word| if at_most(&best, &word) { word } else { best })
    }

    /// The least landmark that is not below an end, or the greatest word.
    fn above(&self, end: &Bv, signed: bool) -> Bv {
        let greatest = if signed { Bv::signed_max(end.width()) } else { Bv::ones(end.width()) };
        let at_most = |a: &Bv, b: &Bv| if signed { a.sle(b) } else { a <= b };
        let found = self.words(end.width()).filter(|word| at_most(end, word));
        found.fold(greatest, |best, word| if at_most(&word, &best) { word } else { best })
    }

    /// The landmarks as floats of a format.
    fn floats(&self, format: Format) -> Vec<Float> {
        let nearest = Rounding::NearestEven;
        let mut floats: Vec<Float> =
            self.floats.iter().map(|float| float.convert(nearest, format)).collect();
        for negative in [true, false] {
            floats.extend([Float::zero(format, negative), Float::largest(format, negative)]);
        }
        for number in &self.numbers {
            let bits = Value::Bv(Bv::from_signed(128, *number));
            if let Value::Float(float) = term::apply(Op::FpFromSignedBv(nearest, format), &[&bits])
            {
                floats.push(float);
            }
        }
        floats
    }
}

impl Interval {
    /// An interval with the numbers of a greater one. Ends of the greater interval that differ from those of this
    /// interval are moved outwards, to one of `landmarks`, which are in ascending order, or are left out if there is no
    /// such landmark.
    fn widened(&self, greater: &Self, landmarks: &[i128]) -> Self {
        let end = |number: &i128| End { at: rational_of_int(&BigInt::from(*number)), open: false };
        let low = match &greater.low {
            Some(low) if self.low.as_ref() != Some(low) => {
                landmarks.iter().rev().map(end).find(|mark| mark.at <= low.at)
            }
            low => low.clone(),
        };
        let high = match &greater.high {
            Some(high) if self.high.as_ref() != Some(high) => {
                landmarks.iter().map(end).find(|mark| high.at <= mark.at)
            }
            high => high.clone(),
        };
        Self { integers: self.integers, low, high }
    }
}

/// Computes ranges of terms.
#[derive(Default)]
pub struct Ranges {
    numbering: Numbering,
}

impl Ranges {
    /// What is known of variables where some conditions hold; `None` if they cannot hold.
    pub fn narrowed(
        &mut self,
        terms: &Terms,
        conditions: &[TermId],
        known: &mut dyn FnMut(Var) -> Option<Range>,
        limits: &Budget,
    ) -> Option<Vec<(Var, Range)>> {
        let graph = Graph::new(terms, &mut self.numbering, conditions.iter().copied(), MAX_SIZE);
        let Some(graph) = graph else { return Some(Vec::new()) };
        let propagation = self.propagated(terms, &graph, conditions, known, limits)?;
        let vars = (0..).zip(&graph.terms).filter_map(|(node, term)| match terms.view(*term) {
            View::Var(var) => Some((var, Range(propagation.fact(node).clone()))),
            _ => None,
        });
        Some(vars.collect())
    }

    /// The range of a term.
    pub fn of(
        &mut self,
        terms: &Terms,
        term: TermId,
        known: &mut dyn FnMut(Var) -> Option<Range>,
        limits: &Budget,
    ) -> Range {
        let top = || Range::top(terms.sort(term));
        match terms.view(term) {
            View::Const(value) => return Range::constant(value),
            View::Var(var) => return known(var).unwrap_or_else(top),
            View::App(..) => {}
        }
        let graph = Graph::new(terms, &mut self.numbering, std::iter::once(term), MAX_SIZE);
        let Some(graph) = graph else { return top() };
        match self.propagated(terms, &graph, &[], known, limits) {
            Some(propagation) => Range(propagation.fact(self.numbering.of(term)).clone()),
            None => top(),
        }
    }

    /// What follows from conditions and from what is known of variables; `None` if that is a contradiction.
    fn propagated<'a>(
        &self,
        terms: &'a Terms,
        graph: &'a Graph,
        conditions: &[TermId],
        known: &mut dyn FnMut(Var) -> Option<Range>,
        limits: &'a Budget,
    ) -> Option<Propagation<'a>> {
        let steps = MIN_STEPS + STEPS * graph.size();
        let mut propagation = Propagation::new(terms, graph, steps, limits);
        for (node, term) in (0..).zip(&graph.terms) {
            if let View::Var(var) = terms.view(*term)
                && let Some(Range(fact)) = known(var)
            {
                propagation.suppose(node, fact, Origin::Given).ok()?;
            }
        }
        for condition in conditions {
            let node = self.numbering.of(*condition);
            propagation.suppose(node, Fact::Bool(Some(true)), Origin::Given).ok()?;
        }
        match propagation.run() {
            Err(Stop::Conflict(_)) => None,
            // The facts that were found before the steps were used up hold nevertheless.
            Ok(()) | Err(Stop::Budget) => Some(propagation),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(low: i64, high: i64) -> Range {
        let bits = |number: i64| Bv::from_signed(32, i128::from(number));
        Range(Fact::Word(Word::top(32).signed(bits(low), bits(high)).reduce().expect("not empty")))
    }

    #[test]
    fn ranges_that_grow_stop_at_landmarks_and_then_at_the_end() {
        let mut terms = Terms::new();
        let hundred = terms.bv(32, 100);
        let landmarks = Landmarks::of(&terms, [hundred]);
        let first = words(0, 0).widen(&words(0, 1), &landmarks);
        assert_eq!(first, words(0, 99));
        assert_eq!(first.widen(&words(0, 100), &landmarks), words(0, 100));
        assert_eq!(
            words(0, 101).widen(&words(0, 102), &landmarks).ends(true).0,
            words(0, 1).ends(true).0
        );
        let all = words(0, 1).widen(&words(-200, 1), &landmarks);
        assert_eq!(all.ends(true).0, Some(Value::Bv(Bv::signed_min(32))));
    }

    #[test]
    fn conditions_narrow_and_contradict() {
        let mut terms = Terms::new();
        let x = terms.declare("x", Sort::Bv(32));
        let (symbol, ten) = (terms.var(x), terms.bv(32, 10));
        let less = terms.app(Op::BvSlt, &[symbol, ten]);
        let mut ranges = Ranges::default();
        let limits = Budget::default();
        let mut known = |_: Var| Some(words(0, 1000));
        let narrowed = ranges.narrowed(&terms, &[less], &mut known, &limits);
        assert_eq!(narrowed, Some(vec![(x, words(0, 9))]));
        let mut known = |_: Var| Some(words(10, 1000));
        assert_eq!(ranges.narrowed(&terms, &[less], &mut known, &limits), None);
        let twice = terms.app(Op::BvAdd, &[symbol, symbol]);
        let sum = ranges.of(&terms, twice, &mut known, &limits);
        assert!(
            sum.contains(&Value::Bv(Bv::new(32, 20))) && !sum.contains(&Value::Bv(Bv::new(32, 19)))
        );
        let formula = words(3, 9).formula(&mut terms, symbol);
        assert_eq!(
            ranges.narrowed(&terms, &[formula], &mut |_| None, &limits),
            Some(vec![(x, words(3, 9))])
        );
    }
}

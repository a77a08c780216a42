//! The values of variables after any number of rounds, from what one round does to them.
//!
//! Some values are simple only as long as the conditions of the loop hold, so this file asks `guard` which conditions
//! hold in all completed rounds, and `guard` asks here how the numbers in conditions change; `whole` does for unbounded
//! numbers what `guard` does for words.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};
use term::{Bv, Op, Sort, TermId, Terms, Value, Var, View};

use super::guard;
use super::numbers::{self, number};
use super::poly::{Poly, inverse, resized};

/// Loops that change more variables than this are not looked at.
const MOST_VARIABLES: usize = 100;

/// The value of a variable after any number of rounds. Terms without other notice are over the
/// values before the first round, and read no variable that a round changes.
enum Form {
    Poly(Poly),
    /// Each round multiplies the variable by a power of two, and adds something.
    Scaled {
        shift: u32,
        added: TermId,
    },
    /// Each round shifts the variable to the right.
    Shifted {
        by: u32,
        signed: bool,
    },
    /// After an odd number of rounds this term, which may read the variable itself, otherwise the
    /// value before.
    Alternating(TermId),
    /// After the first round this term, which may read the variable itself.
    Settled(TermId),
    /// After a round this term over the values of variables before the round.
    Derived(TermId),
}

/// The values of all variables that a round changes, after any number of rounds.
pub(super) struct Solution {
    /// The variables that a round changes.
    changed: BTreeSet<Var>,
    forms: BTreeMap<Var, Form>,
    /// Numbers that do not wrap around in completed rounds, because the loop is left before.
    steady: Vec<Steady>,
    /// Whether rounds are counted by integers, and not by bit-vectors.
    whole: bool,
    /// The variables, each after those whose values its own is computed from.
    pub(super) order: Vec<Var>,
}

/// A number that each round adds a constant to. Before each completed round it has not wrapped around,
/// as a signed or as an unsigned number.
pub(super) struct Steady {
    pub(super) start: TermId,
    pub(super) step: Bv,
    pub(super) signed: bool,
    /// Whether the same holds after each completed round.
    pub(super) after: bool,
}

impl Solution {
    /// Finds the values, as far as rounds are completed until one of the conditions `leaves` holds.
    /// `alone` says that nothing else ends these rounds. `None` if one of the variables has no form
    /// that is known here.
    pub(super) fn of(
        terms: &mut Terms,
        updates: &BTreeMap<Var, TermId>,
        leaves: &[TermId],
        alone: bool,
    ) -> Option<Self> {
        let empty = Self::empty(updates, &BTreeSet::new(), false);
        let (solution, open) = empty.solved(terms, updates, leaves, (alone, false));
        open.is_empty().then_some(solution)
    }

    /// As [`Self::of`], with rounds counted by integers: variables that are numbers have to be integers or
    /// rationals.
    pub(super) fn whole(
        terms: &mut Terms,
        updates: &BTreeMap<Var, TermId>,
        leaves: &[TermId],
    ) -> Option<Self> {
        let empty = Self::empty(updates, &BTreeSet::new(), true);
        let (solution, open) = empty.solved(terms, updates, leaves, (false, false));
        open.is_empty().then_some(solution)
    }

    fn empty(updates: &BTreeMap<Var, TermId>, chosen: &BTreeSet<Var>, whole: bool) -> Self {
        Self {
            changed: updates.keys().chain(chosen).copied().collect(),
            forms: BTreeMap::new(),
            steady: Vec::new(),
            whole,
            order: Vec::new(),
        }
    }

    /// The solution for as many variables as have a form, and the variables that have none. The symbols in `chosen`
    /// have other values in each round. The forms hold whatever the values are before the first round; the forms of
    /// [`Self::of`] need not hold if the loop goes on past the round that is counted.
    pub(super) fn partly(
        terms: &mut Terms,
        updates: &BTreeMap<Var, TermId>,
        leaves: &[TermId],
        chosen: &BTreeSet<Var>,
    ) -> (Self, Vec<Var>) {
        Self::empty(updates, chosen, false).solved(terms, updates, leaves, (false, true))
    }

    /// Finds the values, and gives the variables that have none.
    fn solved(
        mut self,
        terms: &mut Terms,
        updates: &BTreeMap<Var, TermId>,
        leaves: &[TermId],
        (alone, surely): (bool, bool),
    ) -> (Self, Vec<Var>) {
        let alone = alone && leaves.len() == 1;
        let mut left: Vec<Var> = updates.keys().copied().collect();
        if left.len() > MOST_VARIABLES {
            return (self, left);
        }
        while !left.is_empty() {
            let mut open = Vec::new();
            for var in &left {
                match self.form(terms, updates, *var) {
                    Some(form) => {
                        self.forms.insert(*var, form);
                        self.order.push(*var);
                    }
                    None => open.push(*var),
                }
            }
            let mut steady = Vec::new();
            for leaves in leaves {
                steady.extend(guard::steady(terms, &self, *leaves, alone, surely));
            }
            if open.len() == left.len() && steady.len() == self.steady.len() {
                break;
            }
            self.steady = steady;
            left = open;
        }
        (self, left)
    }

    /// The form of a variable, if the variables that it depends on have forms.
    fn form(&self, terms: &mut Terms, updates: &BTreeMap<Var, TermId>, var: Var) -> Option<Form> {
        let update = updates[&var];
        let read = terms.vars(update);
        let is_open = |read: &&Var| self.changed.contains(read) && !self.forms.contains_key(read);
        let mut open = read.iter().filter(is_open);
        match (open.next(), open.next()) {
            (None, _) => return Some(Form::Derived(update)),
            (Some(only), None) if *only == var => {}
            _ => return None,
        }
        let alone = !read.iter().any(|read| *read != var && updates.contains_key(read));
        if self.counts(terms.var_sort(var))
            && let Some(form) = self.linear_form(terms, var, update)
        {
            return Some(form);
        }
        if !alone {
            return None;
        }
        if !self.whole
            && let View::App(op @ (Op::BvLshr | Op::BvAshr), [shifted, by]) = terms.view(update)
            && let (View::Var(shifted), Some(by)) = (terms.view(*shifted), bits(terms, *by))
            && shifted == var
            && let Some(by) = by.to_u64().and_then(|by| u32::try_from(by).ok())
            && by > 0
        {
            return Some(Form::Shifted { by, signed: op == Op::BvAshr });
        }
        let twice = terms.substitute(update, &mut |read| (read == var).then_some(update));
        if twice == update {
            Some(Form::Settled(update))
        } else if twice == terms.var(var) {
            Some(Form::Alternating(update))
        } else {
            None
        }
    }

    /// The form of a variable that a round multiplies by a constant and adds something to.
    fn linear_form(&self, terms: &mut Terms, var: Var, update: TermId) -> Option<Form> {
        let invariant = |terms: &Terms, term| self.is_invariant(terms, term);
        let (factor, added) = linear(terms, var, update, &invariant)?;
        let added = self.poly(terms, added)?;
        let sort = terms.var_sort(var);
        if factor == number(terms, sort, 1) {
            let start = terms.var(var);
            return added.summed(terms, start).map(Form::Poly);
        }
        let added = added.as_constant()?;
        if factor == number(terms, sort, -1) {
            return Some(Form::Alternating(update));
        }
        let (width, factor) = (sort.bv_width()?, bits(terms, factor)?);
        let shift = factor.to_biguint().trailing_zeros()?;
        let shift = u32::try_from(shift).ok()?;
        let power = Bv::new(width, 1).shl(&Bv::new(width, u128::from(shift)));
        (power == factor).then_some(Form::Scaled { shift, added })
    }

    /// Whether variables of a sort may be numbers that are computed from the number of rounds.
    fn counts(&self, sort: Sort) -> bool {
        if self.whole { numbers::is_whole(sort) } else { matches!(sort, Sort::Bv(_)) }
    }

    /// A small number of rounds.
    pub(super) fn rounds(&self, terms: &mut Terms, count: u8) -> TermId {
        if self.whole { terms.int(count) } else { terms.bv(1, u128::from(count)) }
    }

    /// Whether no round changes the value of a term.
    pub(super) fn is_invariant(&self, terms: &Terms, term: TermId) -> bool {
        !terms.vars(term).iter().any(|var| self.changed.contains(var))
    }

    /// What a condition says in every round but the first, over values that no round changes. `None` if that
    /// is not known.
    pub(super) fn later(&self, terms: &mut Terms, condition: TermId) -> Option<TermId> {
        let mut fixed: BTreeMap<Var, TermId> = BTreeMap::new();
        for var in terms.vars(condition).iter() {
            if let Some(Form::Derived(value)) = self.forms.get(var)
                && self.is_invariant(terms, *value)
            {
                fixed.insert(*var, *value);
            }
        }
        let later = terms.substitute(condition, &mut |var| fixed.get(&var).copied());
        self.is_invariant(terms, later).then_some(later)
    }

    /// The value that a term of numbers has before each round, as a polynomial. `None` if it is
    /// not known to be one.
    pub(super) fn poly(&self, terms: &mut Terms, term: TermId) -> Option<Poly> {
        let mut known: FxHashMap<TermId, Option<Poly>> = FxHashMap::default();
        for each in terms.post_order(&[term]) {
            let poly = self.poly_of(terms, each, &known);
            known.insert(each, poly);
        }
        known.remove(&term).flatten()
    }

    /// The polynomial of a term whose arguments have been looked at.
    fn poly_of(
        &self,
        terms: &mut Terms,
        term: TermId,
        known: &FxHashMap<TermId, Option<Poly>>,
    ) -> Option<Poly> {
        let sort = terms.sort(term);
        if !matches!(sort, Sort::Bv(_) | Sort::Int | Sort::Rat) {
            return None;
        }
        if self.is_invariant(terms, term) {
            return Some(Poly::constant(terms, term));
        }
        let (op, arguments) = match terms.view(term) {
            View::Var(var) => {
                return match self.forms.get(&var)? {
                    Form::Poly(poly) => Some(poly.clone()),
                    _ => None,
                };
            }
            View::Const(_) => return None,
            View::App(op, arguments) => (op, arguments.to_vec()),
        };
        let poly = |place: usize| known.get(&arguments[place])?.as_ref();
        match op {
            Op::BvAdd | Op::Add => poly(0)?.zip(poly(1)?, terms, numbers::add),
            Op::BvSub | Op::Sub => poly(0)?.zip(poly(1)?, terms, numbers::sub),
            Op::BvMul | Op::Mul => poly(0)?.product(poly(1)?, terms),
            Op::BvNeg | Op::Neg => poly(0)?.map(terms, sort, numbers::neg),
            Op::ToRat => poly(0)?.map(terms, sort, Terms::to_rat),
            Op::BvNot => {
                let ones = number(terms, sort, -1);
                let ones = Poly::constant(terms, ones);
                ones.zip(poly(0)?, terms, Terms::bv_sub)
            }
            Op::BvShl => {
                // A shift to the left multiplies.
                let by = poly(1)?.as_constant()?;
                let one = number(terms, sort, 1);
                let factor = terms.bv_shl(one, by);
                poly(0)?.map(terms, sort, |terms, term| terms.bv_mul(term, factor))
            }
            Op::BvExtract { high, low: 0 } => {
                poly(0)?.map(terms, sort, |terms, term| terms.bv_extract(high, 0, term))
            }
            Op::BvSignExtend(width) | Op::BvZeroExtend(width) => {
                self.extended(terms, poly(0)?, op, width)
            }
            Op::Ite if self.is_invariant(terms, arguments[0]) => {
                let condition = arguments[0];
                poly(1)?.zip(poly(2)?, terms, |terms, a, b| terms.ite(condition, a, b))
            }
            _ => None,
        }
    }

    /// An extension of a number that does not wrap around.
    fn extended(&self, terms: &mut Terms, poly: &Poly, op: Op, width: u32) -> Option<Poly> {
        let (start, step) = poly.as_affine(terms)?;
        let size = bits(terms, step)?;
        let signed = matches!(op, Op::BvSignExtend(_));
        let mut is_steady = |known: &Steady| {
            if terms.sort(known.start) != terms.sort(start) {
                return false;
            }
            let here = known.start == start;
            let next = terms.bv_add(known.start, step);
            known.signed == signed && known.step == size && (here || known.after && next == start)
        };
        if !self.steady.iter().any(&mut is_steady) {
            return None;
        }
        let start = terms.app(op, &[start]);
        // The step of an unsigned number is extended by its sign, too: a number that goes down has a step that is
        // negative as a signed number.
        let step = terms.bv_sign_extend(width, step);
        Poly::constant(terms, step).summed(terms, start)
    }

    /// Whether the value of a variable depends only on the number of rounds modulo every power of two
    /// that is a few bits wider than the variable.
    pub(super) fn is_periodic(&self, var: Var) -> bool {
        matches!(self.forms.get(&var), Some(Form::Poly(_) | Form::Alternating(_)))
    }

    /// Whether every round adds the same constant to a variable.
    pub(super) fn is_steady(&self, terms: &mut Terms, var: Var) -> bool {
        match self.forms.get(&var) {
            Some(Form::Poly(poly)) => {
                poly.as_affine(terms).is_some_and(|(_, step)| bits(terms, step).is_some())
            }
            _ => false,
        }
    }

    /// The value of a variable after a number of rounds, an unsigned bit-vector or an integer, over the
    /// values before the first.
    pub(super) fn at(&self, terms: &mut Terms, var: Var, rounds: TermId) -> TermId {
        self.known_at(terms, var, rounds, &mut FxHashMap::default())
    }

    fn known_at(
        &self,
        terms: &mut Terms,
        var: Var,
        rounds: TermId,
        known: &mut FxHashMap<(Var, TermId), TermId>,
    ) -> TermId {
        if let Some(value) = known.get(&(var, rounds)) {
            return *value;
        }
        let start = terms.var(var);
        let value = match &self.forms[&var] {
            Form::Poly(poly) => poly.at(terms, rounds),
            Form::Scaled { shift, added } => scaled(terms, start, *shift, *added, rounds),
            Form::Shifted { by, signed } => shifted(terms, start, *by, *signed, rounds),
            Form::Alternating(term) => {
                let even = is_even(terms, rounds);
                terms.ite(even, start, *term)
            }
            Form::Settled(term) => {
                let none = is_zero(terms, rounds);
                terms.ite(none, start, *term)
            }
            Form::Derived(term) => {
                let none = is_zero(terms, rounds);
                let one = number(terms, terms.sort(rounds), 1);
                let before = numbers::sub(terms, rounds, one);
                let value = self.term_at(terms, *term, before, known);
                terms.ite(none, start, value)
            }
        };
        known.insert((var, rounds), value);
        value
    }

    /// The value of a term after a number of rounds. Variables are computed from others that come
    /// before them in the order, so this ends.
    fn term_at(
        &self,
        terms: &mut Terms,
        term: TermId,
        rounds: TermId,
        known: &mut FxHashMap<(Var, TermId), TermId>,
    ) -> TermId {
        let mut values: FxHashMap<Var, TermId> = FxHashMap::default();
        for var in terms.vars(term) {
            if self.forms.contains_key(&var) {
                let value = self.known_at(terms, var, rounds, known);
                values.insert(var, value);
            }
        }
        terms.substitute(term, &mut |var| values.get(&var).copied())
    }
}

fn is_zero(terms: &mut Terms, rounds: TermId) -> TermId {
    let zero = number(terms, terms.sort(rounds), 0);
    terms.eq(rounds, zero)
}

fn is_even(terms: &mut Terms, rounds: TermId) -> TermId {
    let rest = match terms.sort(rounds) {
        Sort::Int => {
            let two = terms.int(2);
            terms.int_mod(rounds, two)
        }
        _ => terms.bv_extract(0, 0, rounds),
    };
    is_zero(terms, rest)
}

pub(super) fn bits(terms: &Terms, term: TermId) -> Option<Bv> {
    terms.value(term).and_then(Value::as_bv).cloned()
}

/// `by * rounds` if it is below the width, as a number of that width, and whether it is.
fn distance(terms: &mut Terms, by: u32, rounds: TermId, width: u32) -> (TermId, TermId) {
    let below = if by == 0 { u32::MAX } else { width.div_ceil(by) };
    // Room for the limit and for the width, so that nothing is cut off below the limit.
    let room = terms.width(rounds).max(width).max(33);
    let count = terms.bv_zero_extend(room, rounds);
    let limit = terms.bv(room, u128::from(below));
    let fits = terms.bv_ult(count, limit);
    let count = resized(terms, count, width);
    let by = terms.bv_value(Bv::from_biguint(width, &by.into()));
    (terms.bv_mul(count, by), fits)
}

/// A number that is multiplied by `2^shift` in each round, whereupon something is added.
fn scaled(terms: &mut Terms, start: TermId, shift: u32, added: TermId, rounds: TermId) -> TermId {
    let width = terms.width(start);
    let (by, fits) = distance(terms, shift, rounds, width);
    let zero = terms.bv(width, 0);
    let one = terms.bv(width, 1);
    let product = terms.bv_shl(start, by);
    let product = terms.ite(fits, product, zero);
    let power = terms.bv_shl(one, by);
    let power = terms.ite(fits, power, zero);
    // The sum of the powers below is (power - 1) / (2^shift - 1), and the divisor is odd.
    let divisor = Bv::new(width, 1).shl(&Bv::new(width, u128::from(shift))).sub(&Bv::new(width, 1));
    let inverse = terms.bv_value(inverse(width, &divisor));
    let sum = terms.bv_sub(power, one);
    let sum = terms.bv_mul(sum, inverse);
    let sum = terms.bv_mul(sum, added);
    terms.bv_add(product, sum)
}

/// A number that is shifted to the right in each round.
fn shifted(terms: &mut Terms, start: TermId, by: u32, signed: bool, rounds: TermId) -> TermId {
    let width = terms.width(start);
    let (by, fits) = distance(terms, by, rounds, width);
    let last = terms.bv_value(Bv::from_biguint(width, &(width - 1).into()));
    if signed {
        let by = terms.ite(fits, by, last);
        terms.bv_ashr(start, by)
    } else {
        let zero = terms.bv(width, 0);
        let value = terms.bv_lshr(start, by);
        terms.ite(fits, value, zero)
    }
}

/// A term as `factor * var + rest`, where `rest` does not read the variable. Factors are made of
/// terms that satisfy `invariant`.
fn linear(
    terms: &mut Terms,
    var: Var,
    term: TermId,
    invariant: &dyn Fn(&Terms, TermId) -> bool,
) -> Option<(TermId, TermId)> {
    let sort = terms.sort(term);
    let (zero, one) = (number(terms, sort, 0), number(terms, sort, 1));
    let order = terms.post_order(&[term]);
    let mut reading: FxHashSet<TermId> = FxHashSet::default();
    let mut known: FxHashMap<TermId, Option<(TermId, TermId)>> = FxHashMap::default();
    for each in order {
        let (op, arguments) = match terms.view(each) {
            View::Var(read) if read == var => {
                reading.insert(each);
                known.insert(each, Some((one, zero)));
                continue;
            }
            View::App(op, arguments) if arguments.iter().any(|at| reading.contains(at)) => {
                (op, arguments.to_vec())
            }
            _ => {
                let here = terms.sort(each) == sort;
                known.insert(each, here.then_some((zero, each)));
                continue;
            }
        };
        reading.insert(each);
        let parts = |place: usize| known.get(&arguments[place]).copied().flatten();
        let pair = match op {
            _ if terms.sort(each) != sort => None,
            Op::BvAdd | Op::BvSub | Op::Add | Op::Sub => parts(0)
                .zip(parts(1))
                .map(|((a, b), (c, d))| (terms.app(op, &[a, c]), terms.app(op, &[b, d]))),
            Op::BvNeg | Op::Neg => {
                parts(0).map(|(a, b)| (numbers::neg(terms, a), numbers::neg(terms, b)))
            }
            Op::BvNot => parts(0).map(|(a, b)| (terms.bv_neg(a), terms.bv_not(b))),
            Op::BvMul | Op::Mul => {
                let place = usize::from(reading.contains(&arguments[1]));
                let factor = arguments[1 - place];
                (!reading.contains(&factor) && invariant(terms, factor))
                    .then(|| parts(place))
                    .flatten()
                    .map(|(a, b)| (numbers::mul(terms, a, factor), numbers::mul(terms, b, factor)))
            }
            Op::BvShl if bits(terms, arguments[1]).is_some() => parts(0)
                .map(|(a, b)| (terms.bv_shl(a, arguments[1]), terms.bv_shl(b, arguments[1]))),
            Op::Ite if !reading.contains(&arguments[0]) => {
                parts(1).zip(parts(2)).map(|((a, b), (c, d))| {
                    (terms.ite(arguments[0], a, c), terms.ite(arguments[0], b, d))
                })
            }
            _ => None,
        };
        known.insert(each, pair);
    }
    known.get(&term).copied().flatten()
}

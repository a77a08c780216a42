//! How many rounds a loop completes: the first round in which a condition fails.
//!
//! Conditions compare numbers that change by a constant in each round, wrapping around at the ends of
//! their type. A number that moves towards its bound passes it after so many steps as fit between the
//! two; one that moves away from it wraps around after so many steps as fit between it and the end of its
//! type. In either case all rounds before are known to satisfy the condition. Whether the condition fails
//! in the round after these depends on how far the last step goes: see [`Count::certain`].
//!
//! This file counts with the values that `solve` finds, and tells `solve` which numbers are steady; `whole` counts
//! rounds of integers and rationals for this file, with its `Count`. So these three files know each other.

use term::{Bv, Op, Sort, TermId, Terms, View};

use super::numbers::{self, MOST_CHOICES, number};
use super::poly::{inverse, resized};
use super::solve::{Solution, Steady, bits};
use super::whole;

/// The first round in which a condition fails. All rounds before it satisfy the condition.
#[derive(Clone, Copy, Debug)]
pub(super) struct Count {
    /// Whether there is such a round.
    pub(super) finite: TermId,
    /// Its number, counted from zero, as an unsigned bit-vector, or as an integer if variables are
    /// integers or rationals.
    pub(super) rounds: TermId,
    /// Under this condition on the values before the first round, the condition is known to fail in
    /// that round. Otherwise it may hold there because a number has wrapped around.
    pub(super) certain: TermId,
}

/// The order of two bit-vectors.
#[derive(Clone, Copy)]
struct Order {
    signed: bool,
    strict: bool,
}

/// The first round in which one of these conditions holds.
pub(super) fn first(terms: &mut Terms, solution: &Solution, leaves: &[TermId]) -> Option<Count> {
    let mut first: Option<Count> = None;
    for leaves in leaves {
        let count = failure(terms, solution, *leaves, false)?;
        first = Some(match first {
            Some(first) => least(terms, first, count),
            None => count,
        });
    }
    first
}

/// The first round in which one of the conditions to leave holds, or one of the conditions `kept` does not have the
/// truth value that stands beside it.
pub(super) fn first_or_changes(
    terms: &mut Terms,
    solution: &Solution,
    leaves: &[TermId],
    kept: &[(TermId, bool)],
) -> Option<Count> {
    let never = terms.bool(false);
    let mut first = constant(terms, solution, never);
    for (condition, wanted) in
        leaves.iter().map(|leaves| (*leaves, false)).chain(kept.iter().copied())
    {
        let change = failure(terms, solution, condition, wanted)?;
        first = least(terms, first, change);
    }
    Some(first)
}

/// Whether a condition that has the wanted truth value keeps it until one of the conditions to leave holds, whatever
/// the values are.
///
/// This is known of a number that moves away from the bound of the first condition and towards the bound of the second:
/// the first condition changes only if the number wraps around, and before that the second condition ends the rounds,
/// unless its bound is the end of the type and is never passed. The first condition may also be about the number that
/// the next round will have.
pub(super) fn is_kept(
    terms: &mut Terms,
    solution: &Solution,
    leaves: &[TermId],
    kept: (TermId, bool),
) -> bool {
    // A condition over values that rounds of this kind do not change says the same after them.
    if solution.is_invariant(terms, kept.0) || whole::is_kept(terms, solution, kept.0, kept.1) {
        return true;
    }
    let Some(kept) = motion(terms, solution, kept.0, kept.1) else { return false };
    !kept.towards()
        && leaves.iter().any(|leaves| {
            motion(terms, solution, *leaves, false).is_some_and(|stop| {
                let last = terms.bv_value(stop.last());
                let passed =
                    stop.order.strict || bits(terms, stop.bound).is_some() && stop.bound != last;
                let step = terms.bv_value(stop.step.clone());
                let next = terms.bv_add(stop.start, step);
                // The number of the next round does not wrap around if no step gets over the bound and the end of the
                // type at once.
                let here =
                    stop.start == kept.start || next == kept.start && stop.surely_passes(terms);
                stop.towards()
                    && passed
                    && stop.order.signed == kept.order.signed
                    && here
                    && stop.step == kept.step
            })
        })
}

/// The number that a condition to leave keeps from wrapping around, if there is one: the number moves towards a
/// bound, and passes the bound without wrapping around before. A bound that may be the end of the type may
/// never be passed, which does not matter if the condition stands `alone`: then nothing else ends the rounds.
///
/// A step that is greater than one may take the number over the bound and the end of the type behind the bound at
/// once. That does not matter to callers who look at [`Count::certain`]; other callers want the number only if it
/// `surely` passes the bound.
pub(super) fn steady(
    terms: &mut Terms,
    solution: &Solution,
    leaves: TermId,
    alone: bool,
    surely: bool,
) -> Option<Steady> {
    let found = motion(terms, solution, leaves, false)?;
    let last = terms.bv_value(found.last());
    let ends = found.order.strict || bits(terms, found.bound).is_some() && found.bound != last;
    let one = found.step.is_one() || found.step.is_ones();
    let passes = match surely {
        true => found.towards() && found.surely_passes(terms),
        false => found.towards() && (ends || alone),
    };
    passes.then_some(Steady {
        start: found.start,
        signed: found.order.signed,
        after: found.order.strict && one,
        step: found.step,
    })
}

/// A number that moves by a constant, and its bound.
struct Motion {
    order: Order,
    start: TermId,
    step: Bv,
    bound: TermId,
    /// Whether the number is to stay below the bound.
    below: bool,
}

impl Motion {
    /// Whether the number moves towards its bound.
    fn towards(&self) -> bool {
        self.step.sign() != self.below
    }

    /// Whether no step over the bound, towards which the number moves, gets over the end of the type too.
    fn surely_passes(&self, terms: &Terms) -> bool {
        let size = if self.below { self.step.clone() } else { self.step.neg() };
        if self.order.strict && size.is_one() {
            return true;
        }
        // How far the end of the type is behind the bound, and how far a step may get behind the bound.
        let Some(bound) = bits(terms, self.bound) else { return false };
        let room = if self.below { self.last().sub(&bound) } else { bound.sub(&self.last()) };
        let over = size.to_biguint() - u32::from(self.order.strict);
        over <= room.to_biguint()
    }

    /// The end of the type behind the bound.
    fn last(&self) -> Bv {
        let width = self.step.width();
        match (self.order.signed, self.below) {
            (true, true) => Bv::signed_max(width),
            (true, false) => Bv::signed_min(width),
            (false, true) => Bv::ones(width),
            (false, false) => Bv::zero(width),
        }
    }
}

/// The motion that a comparison is about, where one side moves and the other does not.
fn motion(terms: &mut Terms, solution: &Solution, term: TermId, wanted: bool) -> Option<Motion> {
    let View::App(op, arguments) = terms.view(term) else { return None };
    if op == Op::Not {
        let negated = arguments[0];
        return motion(terms, solution, negated, !wanted);
    }
    let &[one, other] = arguments else { return None };
    if let Some(comparison) = without_overflow(terms, solution, term) {
        return motion(terms, solution, comparison, wanted);
    }
    if !matches!(op, Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle) {
        return None;
    }
    let signed = matches!(op, Op::BvSlt | Op::BvSle);
    let strict = matches!(op, Op::BvUlt | Op::BvSlt) == wanted;
    let (less, greater) = if wanted { (one, other) } else { (other, one) };
    let (less, greater) = (line(terms, solution, less)?, line(terms, solution, greater)?);
    let (up, down) = (bits(terms, less.step)?, bits(terms, greater.step)?);
    let order = Order { signed, strict };
    match (up.is_zero(), down.is_zero()) {
        (false, true) => {
            Some(Motion { order, start: less.start, step: up, bound: greater.start, below: true })
        }
        (true, false) => Some(Motion {
            order,
            start: greater.start,
            step: down,
            bound: less.start,
            below: false,
        }),
        _ => None,
    }
}

/// The first round in which a condition does not have the truth value that is wanted. `None` if this round is not
/// known.
fn failure(terms: &mut Terms, solution: &Solution, term: TermId, wanted: bool) -> Option<Count> {
    if solution.is_invariant(terms, term) {
        let fails = if wanted { terms.not(term) } else { term };
        return Some(constant(terms, solution, fails));
    }
    if let Some(later) = solution.later(terms, term) {
        let [first, later] = [term, later].map(|each| if wanted { terms.not(each) } else { each });
        let (zero, one) = (solution.rounds(terms, 0), solution.rounds(terms, 1));
        let (finite, rounds) = (terms.or2(first, later), terms.ite(first, zero, one));
        return Some(Count { finite, rounds, certain: terms.bool(true) });
    }
    let View::App(op, arguments) = terms.view(term) else { return None };
    let arguments = arguments.to_vec();
    match (op, wanted) {
        (Op::Not, _) => failure(terms, solution, arguments[0], !wanted),
        (Op::And, true) | (Op::Or, false) => {
            let mut first: Option<Count> = None;
            for argument in arguments {
                let count = failure(terms, solution, argument, wanted)?;
                first = Some(match first {
                    Some(first) => least(terms, first, count),
                    None => count,
                });
            }
            first
        }
        (Op::And, false) | (Op::Or, true) => clause(terms, solution, &arguments, wanted),
        (Op::Ite, _) if solution.is_invariant(terms, arguments[0]) => {
            let one = failure(terms, solution, arguments[1], wanted)?;
            let other = failure(terms, solution, arguments[2], wanted)?;
            Some(choice(terms, arguments[0], one, other))
        }
        (Op::Eq, _) if matches!(terms.sort(arguments[0]), Sort::Bv(_) | Sort::Int | Sort::Rat) => {
            equality(terms, solution, arguments[0], arguments[1], wanted)
        }
        (Op::Le | Op::Lt, _) => {
            let (one, other) = (arguments[0], arguments[1]);
            if wanted {
                whole::order(terms, solution, one, other, op == Op::Lt)
            } else {
                whole::order(terms, solution, other, one, op == Op::Le)
            }
        }
        (Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle, _) => {
            let signed = matches!(op, Op::BvSlt | Op::BvSle);
            let strict = matches!(op, Op::BvUlt | Op::BvSlt);
            let (one, other) = (arguments[0], arguments[1]);
            if wanted {
                order(terms, solution, one, other, Order { signed, strict })
            } else {
                order(terms, solution, other, one, Order { signed, strict: !strict })
            }
        }
        _ => {
            let comparison = without_overflow(terms, solution, term)?;
            failure(terms, solution, comparison, wanted)
        }
    }
}

/// Whether a sum or a difference is out of range, as a comparison of the side that rounds change with a
/// number that they do not.
fn without_overflow(terms: &mut Terms, solution: &Solution, term: TermId) -> Option<TermId> {
    let View::App(op, &[one, other]) = terms.view(term) else { return None };
    let is_sum = matches!(op, Op::BvSaddOverflow | Op::BvUaddOverflow);
    let (moving, fixed) = match (solution.is_invariant(terms, one), is_sum) {
        (true, true) => (other, one),
        _ => (one, other),
    };
    if !solution.is_invariant(terms, fixed) {
        return None;
    }
    let width = terms.sort(fixed).bv_width()?;
    let least = terms.bv_value(Bv::signed_min(width));
    let greatest = terms.bv_value(Bv::signed_max(width));
    let zero = terms.bv(width, 0);
    Some(match op {
        Op::BvUaddOverflow => {
            let room = terms.bv_not(fixed);
            terms.bv_ult(room, moving)
        }
        Op::BvUsubOverflow => terms.bv_ult(moving, fixed),
        Op::BvSaddOverflow | Op::BvSsubOverflow => {
            // What may be added at most, or at least, is in range for either sign of what is added.
            let (above, below) = match op {
                Op::BvSaddOverflow => (terms.bv_sub(greatest, fixed), terms.bv_sub(least, fixed)),
                _ => (terms.bv_add(greatest, fixed), terms.bv_add(least, fixed)),
            };
            let (high, low) = (terms.bv_slt(above, moving), terms.bv_slt(moving, below));
            let positive = terms.bv_sle(zero, fixed);
            match op {
                Op::BvSaddOverflow => terms.ite(positive, high, low),
                _ => terms.ite(positive, low, high),
            }
        }
        _ => return None,
    })
}

/// The first round in which all of several conditions are not as wanted. Only one of them may change
/// from round to round.
fn clause(
    terms: &mut Terms,
    solution: &Solution,
    conditions: &[TermId],
    wanted: bool,
) -> Option<Count> {
    let (fixed, moving): (Vec<TermId>, Vec<TermId>) =
        conditions.iter().partition(|term| solution.is_invariant(terms, **term));
    let [moving] = moving[..] else { return None };
    let count = failure(terms, solution, moving, wanted)?;
    let holds = if wanted {
        terms.or(&fixed)
    } else {
        let all = terms.and(&fixed);
        terms.not(all)
    };
    let no = terms.bool(false);
    let never = constant(terms, solution, no);
    Some(choice(terms, holds, never, count))
}

/// The first round, if `fails` holds, a condition that no round changes; otherwise there is no such round.
pub(super) fn constant(terms: &mut Terms, solution: &Solution, fails: TermId) -> Count {
    Count { finite: fails, rounds: solution.rounds(terms, 0), certain: terms.bool(true) }
}

/// Two numbers of rounds of one loop in one width.
fn widened(terms: &mut Terms, one: TermId, other: TermId) -> (TermId, TermId) {
    if terms.sort(one) == Sort::Int {
        return (one, other);
    }
    let width = terms.width(one).max(terms.width(other));
    (terms.bv_zero_extend(width, one), terms.bv_zero_extend(width, other))
}

/// The first count if the condition holds, and the second one otherwise. No round changes the condition.
fn choice(terms: &mut Terms, condition: TermId, one: Count, other: Count) -> Count {
    let (a, b) = widened(terms, one.rounds, other.rounds);
    Count {
        finite: terms.ite(condition, one.finite, other.finite),
        rounds: terms.ite(condition, a, b),
        certain: terms.ite(condition, one.certain, other.certain),
    }
}

/// The lesser of two counts.
fn least(terms: &mut Terms, one: Count, other: Count) -> Count {
    let (a, b) = widened(terms, one.rounds, other.rounds);
    let before = match terms.sort(a) {
        Sort::Int => terms.le(a, b),
        _ => terms.bv_ule(a, b),
    };
    let never = terms.not(other.finite);
    let first = terms.or2(never, before);
    let first = terms.and2(one.finite, first);
    Count {
        finite: terms.or2(one.finite, other.finite),
        rounds: terms.ite(first, a, b),
        certain: terms.ite(first, one.certain, other.certain),
    }
}

/// A number that each round adds a constant to.
#[derive(Clone, Copy)]
pub(super) struct Line {
    pub(super) start: TermId,
    pub(super) step: TermId,
}

pub(super) fn line(terms: &mut Terms, solution: &Solution, term: TermId) -> Option<Line> {
    let (start, step) = solution.poly(terms, term)?.as_affine(terms)?;
    Some(Line { start, step })
}

/// Looks at each constant that a term may be, where invariant conditions choose between them.
pub(super) fn by_constant(
    terms: &mut Terms,
    term: TermId,
    depth: u32,
    count: &mut dyn FnMut(&mut Terms, TermId) -> Option<Count>,
) -> Option<Count> {
    match terms.view(term) {
        View::Const(_) => count(terms, term),
        View::App(Op::Ite, &[condition, one, other]) if depth < MOST_CHOICES => {
            let one = by_constant(terms, one, depth + 1, count)?;
            let other = by_constant(terms, other, depth + 1, count)?;
            Some(choice(terms, condition, one, other))
        }
        _ => None,
    }
}

/// The first round in which two numbers are not, or are, the same.
fn equality(
    terms: &mut Terms,
    solution: &Solution,
    one: TermId,
    other: TermId,
    wanted: bool,
) -> Option<Count> {
    let (one, other) = (line(terms, solution, one)?, line(terms, solution, other)?);
    let apart = numbers::sub(terms, other.start, one.start);
    let step = numbers::sub(terms, one.step, other.step);
    if wanted {
        let zero = number(terms, terms.sort(apart), 0);
        let (differ, moves) = (terms.ne(apart, zero), terms.ne(step, zero));
        let (first, second) = (solution.rounds(terms, 0), solution.rounds(terms, 1));
        return Some(Count {
            finite: terms.or2(differ, moves),
            rounds: terms.ite(differ, first, second),
            certain: terms.bool(true),
        });
    }
    by_constant(terms, step, 0, &mut |terms, step| match numbers::constant(terms, step) {
        Some(step) => Some(whole::meeting(terms, solution, apart, &step)),
        None => bits(terms, step).map(|step| meeting(terms, solution, apart, &step)),
    })
}

/// The least number of steps that lead from zero to a number, wrapping around.
///
/// A step is an odd number times a power of two, `o * 2^t`. So `t` low bits of the number must be
/// zero, and the others tell the number of steps, by the inverse of `o`, modulo `2^(width - t)`.
fn meeting(terms: &mut Terms, solution: &Solution, apart: TermId, step: &Bv) -> Count {
    let width = step.width();
    let zero = terms.bv(width, 0);
    if step.is_zero() {
        let same = terms.eq(apart, zero);
        return constant(terms, solution, same);
    }
    let shift = (0..width).find(|at| step.bit(*at)).unwrap_or(0);
    let odd = step.extract(width - 1, shift);
    let inverse = terms.bv_value(inverse(width - shift, &odd));
    let upper = terms.bv_extract(width - 1, shift, apart);
    let rounds = terms.bv_mul(upper, inverse);
    let finite = if shift == 0 {
        terms.bool(true)
    } else {
        let (low, zero) = (terms.bv_extract(shift - 1, 0, apart), terms.bv(shift, 0));
        terms.eq(low, zero)
    };
    Count { finite, rounds, certain: terms.bool(true) }
}

/// The first round in which one number is not less than another.
fn order(
    terms: &mut Terms,
    solution: &Solution,
    less: TermId,
    greater: TermId,
    order: Order,
) -> Option<Count> {
    let (less, greater) = (line(terms, solution, less)?, line(terms, solution, greater)?);
    let holds = compare(terms, order, less.start, greater.start);
    let zero = terms.bv(terms.width(less.start), 0);
    if greater.step == zero {
        let bounded =
            Bounded { order, holds, start: less.start, bound: greater.start, below: true };
        return Some(bounded.by_step(terms, solution, less.step, 0));
    }
    if less.step == zero {
        let bounded =
            Bounded { order, holds, start: greater.start, bound: less.start, below: false };
        return Some(bounded.by_step(terms, solution, greater.step, 0));
    }
    let (up, down) = (bits(terms, less.step)?, bits(terms, greater.step)?);
    (order.strict && up.is_one() && down.is_ones()).then(|| {
        // The two numbers come closer by two in each round, and the lesser one never gets further than the start of the
        // greater one, so neither wraps around.
        let width = terms.width(less.start) + 1;
        let gap = terms.bv_sub(greater.start, less.start);
        let gap = terms.bv_zero_extend(width, gap);
        let (one, none) = (terms.bv(width, 1), terms.bv(width, 0));
        let more = terms.bv_add(gap, one);
        let half = terms.bv_lshr(more, one);
        let yes = terms.bool(true);
        Count { finite: yes, rounds: terms.ite(holds, half, none), certain: yes }
    })
}

fn compare(terms: &mut Terms, order: Order, less: TermId, greater: TermId) -> TermId {
    match (order.signed, order.strict) {
        (true, true) => terms.bv_slt(less, greater),
        (true, false) => terms.bv_sle(less, greater),
        (false, true) => terms.bv_ult(less, greater),
        (false, false) => terms.bv_ule(less, greater),
    }
}

/// A number that moves, and a bound that does not. The number is to stay below the bound, or above it.
struct Bounded {
    order: Order,
    /// Whether the number is on the wanted side of the bound before the first round.
    holds: TermId,
    start: TermId,
    bound: TermId,
    below: bool,
}

impl Bounded {
    /// The first round in which the number has passed its bound, by what each round adds to it.
    fn by_step(&self, terms: &mut Terms, solution: &Solution, step: TermId, depth: u32) -> Count {
        let width = terms.width(step);
        let zero = terms.bv(width, 0);
        match (bits(terms, step), terms.view(step)) {
            (Some(step), _) if step.is_zero() => {
                let fails = terms.not(self.holds);
                constant(terms, solution, fails)
            }
            (Some(constant), _) if constant.sign() => {
                let size = terms.bv_neg(step);
                self.moving(terms, size, false)
            }
            (Some(_), _) => self.moving(terms, step, true),
            (None, View::App(Op::Ite, &[condition, one, other])) if depth < MOST_CHOICES => {
                let one = self.by_step(terms, solution, one, depth + 1);
                let other = self.by_step(terms, solution, other, depth + 1);
                choice(terms, condition, one, other)
            }
            (None, _) => {
                let fails = terms.not(self.holds);
                let still = constant(terms, solution, fails);
                let up = self.moving(terms, step, true);
                let size = terms.bv_neg(step);
                let down = self.moving(terms, size, false);
                let is_up = terms.bv_slt(zero, step);
                let moving = choice(terms, is_up, up, down);
                let is_still = terms.eq(step, zero);
                choice(terms, is_still, still, moving)
            }
        }
    }

    /// The least and the greatest number of the type.
    fn ends(&self, width: u32) -> (Bv, Bv) {
        if self.order.signed {
            (Bv::signed_min(width), Bv::signed_max(width))
        } else {
            (Bv::zero(width), Bv::ones(width))
        }
    }

    /// The first round in which the number has passed its bound, or has wrapped around at the other
    /// end, where it moves up or down by a size that is not zero.
    fn moving(&self, terms: &mut Terms, size: TermId, up: bool) -> Count {
        let width = terms.width(size);
        let (least, greatest) = self.ends(width);
        let towards = up == self.below;
        let is_one = bits(terms, size).is_some_and(|size| size.is_one());
        // How far the number may go until the condition fails or it wraps around. The difference
        // does not wrap where the condition holds.
        let end = match (towards, up) {
            (true, _) => self.bound,
            (false, true) => terms.bv_value(greatest.clone()),
            (false, false) => terms.bv_value(least.clone()),
        };
        let room = if up { terms.bv_sub(end, self.start) } else { terms.bv_sub(self.start, end) };
        let yes = terms.bool(true);
        if towards && self.order.strict && is_one {
            let none = terms.bv(width, 0);
            return Count { finite: yes, rounds: terms.ite(self.holds, room, none), certain: yes };
        }
        // A strict bound is passed when it is met.
        let room = if towards && self.order.strict {
            let one = terms.bv(width, 1);
            terms.bv_sub(room, one)
        } else {
            room
        };
        let steps = divided(terms, room, size);
        let steps = terms.bv_zero_extend(width + 1, steps);
        let (one, none) = (terms.bv(width + 1, 1), terms.bv(width + 1, 0));
        let steps = terms.bv_add(steps, one);
        // A bound that is not strict and is the end of the type is never passed.
        let last = terms.bv_value(if self.below { greatest } else { least });
        let never = terms.eq(self.bound, last);
        let finite = if self.order.strict { yes } else { terms.not(never) };
        let certain = if is_one {
            yes
        } else {
            let passes = self.passes(terms, last, size);
            let never = terms.not(finite);
            let passes = terms.or2(never, passes);
            // If no step surely passes the bound, it is of no use that there may be no steps.
            let fails = terms.not(self.holds);
            if terms.is_false(passes) { passes } else { terms.or2(fails, passes) }
        };
        Count { finite, rounds: terms.ite(self.holds, steps, none), certain }
    }

    /// Whether the first step over the bound, or over the end of the type away from it, surely ends where the condition
    /// fails. A bound that is not strict must not be the end of the type behind it.
    fn passes(&self, terms: &mut Terms, last: TermId, size: TermId) -> TermId {
        // The values that fail the condition reach from the bound, or the number behind it, to the last number. A step
        // of size `s` that passes the bound ends at most `s - 1` behind the first of these values; a step that wraps
        // around ends at most `s - 1` before the last of them.
        let failing = if self.below {
            terms.bv_sub(last, self.bound)
        } else {
            terms.bv_sub(self.bound, last)
        };
        let one = terms.bv(terms.width(size), 1);
        let over = terms.bv_sub(size, one);
        let failing = if self.order.strict { failing } else { terms.bv_sub(failing, one) };
        terms.bv_ule(over, failing)
    }
}

/// An unsigned number divided by one that is not zero.
fn divided(terms: &mut Terms, number: TermId, by: TermId) -> TermId {
    let width = terms.width(by);
    let Some(size) = bits(terms, by) else { return terms.bv_udiv(number, by) };
    let shift = (0..width).find(|at| size.bit(*at)).unwrap_or(0);
    if !size.extract(width - 1, shift).is_one() {
        return terms.bv_udiv(number, by);
    }
    if shift == 0 {
        return number;
    }
    let upper = terms.bv_extract(width - 1, shift, number);
    resized(terms, upper, width)
}

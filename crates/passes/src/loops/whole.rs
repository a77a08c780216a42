//! The first round in which a condition on integers or rationals fails.
//!
//! Nothing wraps around: the difference of two numbers changes by a constant in each round. So a
//! condition on the difference that moves towards failing fails after as many rounds as steps fit in
//! between, and fails from then on.

use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use term::{Op, Sort, TermId, Terms, View};

use super::guard::{Count, by_constant, constant, line};
use super::numbers::{self, ceiling, number, quotient};
use super::solve::Solution;

/// The first round in which one number is not less than another.
pub(super) fn order(
    terms: &mut Terms,
    solution: &Solution,
    less: TermId,
    greater: TermId,
    strict: bool,
) -> Option<Count> {
    let (less, greater) = (line(terms, solution, less)?, line(terms, solution, greater)?);
    let room = terms.sub(greater.start, less.start);
    let closer = terms.sub(less.step, greater.step);
    by_constant(terms, closer, 0, &mut |terms, closer| {
        let closer = numbers::constant(terms, closer)?;
        Some(passing(terms, solution, room, &closer, strict))
    })
}

/// The first round in which a number that each round lessens by a constant is not above zero, or is below
/// it if the bound is not strict.
fn passing(
    terms: &mut Terms,
    solution: &Solution,
    room: TermId,
    closer: &BigRational,
    strict: bool,
) -> Count {
    let sort = terms.sort(room);
    let zero = number(terms, sort, 0);
    let holds = if strict { terms.lt(zero, room) } else { terms.le(zero, room) };
    if !closer.is_positive() {
        let fails = terms.not(holds);
        return constant(terms, solution, fails);
    }
    let steps = match sort {
        Sort::Int => {
            // An integer that is at least zero is above minus one.
            let room = if strict {
                room
            } else {
                let one = terms.int(1);
                terms.add(room, one)
            };
            if closer.is_one() {
                room
            } else {
                let over = terms.int(closer.to_integer() - 1);
                let room = terms.add(room, over);
                quotient(terms, room, &closer.to_integer())
            }
        }
        _ => {
            let factor = terms.rat(closer.recip());
            let steps = terms.mul(room, factor);
            if strict {
                ceiling(terms, steps)
            } else {
                let (one, steps) = (terms.int(1), terms.to_int(steps));
                terms.add(steps, one)
            }
        }
    };
    let none = terms.int(0);
    let yes = terms.bool(true);
    Count { finite: yes, rounds: terms.ite(holds, steps, none), certain: yes }
}

/// The first round in which a number that each round adds a constant to, starting from zero, has reached another
/// number.
pub(super) fn meeting(
    terms: &mut Terms,
    solution: &Solution,
    apart: TermId,
    step: &BigRational,
) -> Count {
    let sort = terms.sort(apart);
    let zero = number(terms, sort, 0);
    if step.is_zero() {
        let same = terms.eq(apart, zero);
        return constant(terms, solution, same);
    }
    let (rounds, meets) = match sort {
        Sort::Int => {
            let way = if step.is_negative() { terms.neg(apart) } else { apart };
            let size = step.abs().to_integer();
            let by = terms.int(size.clone());
            let rest = terms.int_mod(way, by);
            let none = terms.int(0);
            let rounds = if size.is_one() { way } else { quotient(terms, way, &size) };
            (rounds, terms.eq(rest, none))
        }
        _ => {
            let factor = terms.rat(step.recip());
            let steps = terms.mul(apart, factor);
            let rounds = terms.to_int(steps);
            let again = terms.to_rat(rounds);
            (rounds, terms.eq(again, steps))
        }
    };
    let none = terms.int(0);
    let ahead = terms.le(none, rounds);
    let yes = terms.bool(true);
    Count { finite: terms.and2(meets, ahead), rounds, certain: yes }
}

/// Whether a condition that has the wanted truth value keeps it in all rounds.
pub(super) fn is_kept(terms: &mut Terms, solution: &Solution, term: TermId, wanted: bool) -> bool {
    let View::App(op, arguments) = terms.view(term) else { return false };
    let (one, other) = match (op, arguments) {
        (Op::Not, &[negated]) => return is_kept(terms, solution, negated, !wanted),
        (Op::Le | Op::Lt, &[one, other]) => (one, other),
        _ => return false,
    };
    let (less, greater) = if wanted { (one, other) } else { (other, one) };
    let (Some(less), Some(greater)) = (line(terms, solution, less), line(terms, solution, greater))
    else {
        return false;
    };
    let closer = terms.sub(less.step, greater.step);
    numbers::constant(terms, closer).is_some_and(|closer| !closer.is_positive())
}

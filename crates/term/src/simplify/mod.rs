//! Simplification: cheap, local, meaning-preserving, and the identity on what it has already
//! simplified (so that text reads back as the same term).
//!
//! A term is folded if its arguments are constant; then the arguments of a commutative operator
//! are put in order, constants last; then the rules of its theory are tried. A rule gives a term
//! built by the public constructors, which simplify in turn.

mod arithmetic;
mod array;
mod bitvector;
mod boolean;
mod compare;
mod equality;
mod float;
mod shape;

use smallvec::SmallVec;

use crate::apply::apply;
use crate::bits::Bv;
use crate::op::Op;
use crate::sort::Sort;
use crate::table::{TermId, Terms};
use crate::value::Value;

/// How many rules may be at work inside each other. No real term comes near this number; a hostile term must not
/// exhaust the stack, and is left as it is beyond this depth.
const MAX_DEPTH: u32 = 100;

impl Terms {
    /// The simplest known term for well-sorted `op(args)` of sort `sort`.
    pub(crate) fn simplified(&mut self, op: Op, args: &[TermId], sort: Sort) -> TermId {
        if matches!(op, Op::And | Op::Or) {
            return self.simplify_junction(op, args);
        }
        if let Some(value) = self.folded(op, args) {
            return self.constant(value);
        }
        let mut args: SmallVec<[TermId; 4]> = SmallVec::from_slice(args);
        if is_commutative(op) && self.order(args[0]) > self.order(args[1]) {
            args.swap(0, 1);
        }
        if self.depth >= MAX_DEPTH {
            return self.intern(op, &args, sort);
        }
        self.depth += 1;
        let simpler = self
            .simplify_constant_arms(op, &args)
            .or_else(|| self.simplify_by_theory(op, &args, sort));
        self.depth -= 1;
        simpler.unwrap_or_else(|| self.intern(op, &args, sort))
    }

    fn simplify_by_theory(&mut self, op: Op, args: &[TermId], sort: Sort) -> Option<TermId> {
        match (op, args) {
            (Op::Not, &[a]) => self.simplify_not(a),
            (Op::Ite, &[c, a, b]) => self.simplify_ite(c, a, b, sort),
            (Op::Eq, &[a, b]) => self.simplify_eq(a, b),
            (Op::Select | Op::Store | Op::ConstArray(_), _) => self.simplify_array(op, args),
            (Op::BvExtract { high, low }, &[a]) => self.simplify_extract(high, low, a),
            (Op::BvConcat, &[a, b]) => self.simplify_concat(a, b),
            (Op::BvZeroExtend(to), &[a]) => self.simplify_zero_extend(to, a),
            (Op::BvSignExtend(to), &[a]) => self.simplify_sign_extend(to, a),
            (Op::BvUlt | Op::BvUle, &[a, b]) => self.simplify_unsigned_order(op == Op::BvUlt, a, b),
            (Op::BvSlt | Op::BvSle, &[a, b]) => self.simplify_signed_order(op == Op::BvSlt, a, b),
            (_, &[a]) => match self.sort(a) {
                Sort::Int | Sort::Rat => self.simplify_number(op, a),
                Sort::Bv(_) => self.simplify_bits(op, a),
                Sort::Float(_) => self.simplify_float(op, a),
                Sort::Bool | Sort::Array(_) => None,
            },
            (_, &[a, b]) => match self.sort(a) {
                Sort::Int | Sort::Rat => self.simplify_numbers(op, a, b),
                Sort::Bv(_) => self.simplify_two_bits(op, a, b),
                Sort::Float(_) => self.simplify_floats(op, a, b),
                Sort::Bool | Sort::Array(_) => None,
            },
            _ => None,
        }
    }

    /// The value, if every argument is constant.
    fn folded(&self, op: Op, args: &[TermId]) -> Option<Value> {
        let values: Option<SmallVec<[&Value; 4]>> =
            args.iter().map(|term| self.value(*term)).collect();
        Some(apply(op, &values?))
    }

    /// Constants come last, other terms by age.
    fn order(&self, t: TermId) -> (bool, TermId) {
        (self.value(t).is_some(), t)
    }

    /// Moves an operator into `ite(c, 1, 0)` where every result is constant: this is what C's
    /// truth values look like, and `ite(c, 1, 0) != 0` has to become `c`.
    fn simplify_constant_arms(&mut self, op: Op, args: &[TermId]) -> Option<TermId> {
        if matches!(op, Op::Not | Op::Ite) {
            return None;
        }
        let mut choices: SmallVec<[(usize, [TermId; 3]); 2]> = SmallVec::new();
        for (place, arg) in args.iter().enumerate() {
            if let Some(arms) = self.constant_arms(*arg) {
                choices.push((place, arms));
            } else if self.value(*arg).is_none() {
                return None;
            }
        }
        let mut with = |choice: &[(usize, TermId)]| {
            let mut chosen: SmallVec<[TermId; 4]> = SmallVec::from_slice(args);
            for (place, arm) in choice {
                chosen[*place] = *arm;
            }
            let value = self.folded(op, &chosen)?;
            Some(self.constant(value))
        };
        match *choices.as_slice() {
            [(place, [c, then, other])] => {
                let (then, other) = (with(&[(place, then)])?, with(&[(place, other)])?);
                Some(self.ite(c, then, other))
            }
            [(p, [c, c_then, c_other]), (q, [d, d_then, d_other])] => {
                let results = [
                    with(&[(p, c_then), (q, d_then)])?,
                    with(&[(p, c_then), (q, d_other)])?,
                    with(&[(p, c_other), (q, d_then)])?,
                    with(&[(p, c_other), (q, d_other)])?,
                ];
                let first = results[0];
                let second = results.into_iter().find(|result| *result != first).unwrap_or(first);
                if results.iter().any(|result| *result != first && *result != second) {
                    return None;
                }
                let is_first = results.map(|result| self.bool(result == first));
                let then = self.ite(d, is_first[0], is_first[1]);
                let other = self.ite(d, is_first[2], is_first[3]);
                let condition = self.ite(c, then, other);
                Some(self.ite(condition, first, second))
            }
            _ => None,
        }
    }

    /// Condition and arms of an `ite` between two constants.
    fn constant_arms(&self, t: TermId) -> Option<[TermId; 3]> {
        let arms @ [_, then, other] = self.args_of(t, Op::Ite)?;
        (self.value(then).is_some() && self.value(other).is_some()).then_some(arms)
    }

    /// The arguments, if the term has this operator.
    fn args_of<const N: usize>(&self, t: TermId, wanted: Op) -> Option<[TermId; N]> {
        match self.view(t) {
            crate::table::View::App(op, args) if op == wanted => args.try_into().ok(),
            _ => None,
        }
    }

    /// The bits of a constant bit-vector term.
    fn bv_of(&self, t: TermId) -> Option<&Bv> {
        self.value(t)?.as_bv()
    }

    /// The operator applied to constants.
    fn fold2(&mut self, op: Op, a: TermId, b: TermId) -> Option<TermId> {
        let value = self.folded(op, &[a, b])?;
        Some(self.constant(value))
    }
}

fn is_commutative(op: Op) -> bool {
    matches!(
        op,
        Op::Eq
            | Op::Add
            | Op::Mul
            | Op::BvAdd
            | Op::BvMul
            | Op::BvAnd
            | Op::BvOr
            | Op::BvXor
            | Op::BvUaddOverflow
            | Op::BvSaddOverflow
            | Op::BvUmulOverflow
            | Op::BvSmulOverflow
            | Op::FpAdd(_)
            | Op::FpMul(_)
            | Op::FpFma(_)
            | Op::FpMin
            | Op::FpMax
            | Op::FpEq
    )
}

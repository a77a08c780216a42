//! What a state knows once a condition holds: the strongest postcondition of an assumption, as far
//! as it can be had by solving equations for one variable at a time.

use num_integer::Integer as _;
use num_traits::Zero as _;
use smallvec::SmallVec;
use term::{Bv, Op, TermId, Value, View, apply};

use crate::value::Values;
use crate::value::cell::Abstract;
use crate::value::sign;
use crate::value::sign_set::Signs;
use crate::value::state::{Contradiction, Learned, Work};

impl Values<'_> {
    /// The state after a condition, in which every variable whose value the condition determines has this value; `None`
    /// if the condition contradicts what is known. The conditions in `before`, which were assumed just before, still
    /// hold.
    pub(crate) fn assume(
        &mut self,
        work: &Work,
        condition: TermId,
        before: &[TermId],
    ) -> Option<Work> {
        let mut work = *work;
        let mut together: SmallVec<[TermId; 4]> = SmallVec::new();
        if !before.is_empty() || self.has_parts(condition) {
            together.extend(before.iter().copied().chain([condition]));
        }
        loop {
            match self.eval(&work, condition).truth() {
                Some(false) => return None,
                Some(true) => return Some(work),
                None => {}
            }
            let known = work;
            self.learn(&mut work, condition, true).ok()?;
            if work == known && !together.is_empty() {
                self.narrow(&mut work, &together).ok()?;
            }
            if work == known {
                return Some(work);
            }
        }
    }

    /// Learns from a formula being true or false.
    pub(crate) fn learn(&mut self, work: &mut Work, formula: TermId, truth: bool) -> Learned {
        let terms = &self.program.terms;
        match terms.view(formula) {
            View::Const(_) => Ok(()),
            View::Var(_) => self.solve(work, formula, Abstract::Known(Value::Bool(truth))),
            View::App(Op::Not, [inner]) => self.learn(work, *inner, !truth),
            View::App(op @ (Op::And | Op::Or), parts) => {
                let parts: SmallVec<[TermId; 4]> = SmallVec::from_slice(parts);
                if (op == Op::And) == truth {
                    return parts.iter().try_for_each(|part| self.learn(work, *part, truth));
                }
                // One part must be what the whole is: if all parts but one are known to be otherwise, it is this one.
                let mut open = None;
                for part in parts {
                    match self.eval(work, part).truth() {
                        Some(value) if value == truth => return Ok(()),
                        Some(_) => {}
                        None if open.is_some() => return Ok(()),
                        None => open = Some(part),
                    }
                }
                open.map_or(Err(Contradiction), |part| self.learn(work, part, truth))
            }
            View::App(Op::Ite, [condition, then, other]) => {
                let (condition, then, other) = (*condition, *then, *other);
                let wanted = Abstract::Known(Value::Bool(truth));
                self.solve_choice(work, condition, then, other, wanted)
            }
            View::App(Op::Eq, [a, b]) => {
                let (a, b) = (*a, *b);
                let (left, right) = (self.eval(work, a), self.eval(work, b));
                match (truth, left, right) {
                    (true, Abstract::Unknown, Abstract::Unknown) => {
                        self.equate(work, a, b);
                        Ok(())
                    }
                    (_, left, right) if left.is_open() && right.is_open() => Ok(()),
                    (true, open, value) if open.is_open() => self.solve(work, a, value),
                    (true, value, open) if open.is_open() => self.solve(work, b, value),
                    (false, open, value) if open.is_open() => self.differs(work, a, value),
                    (false, value, open) if open.is_open() => self.differs(work, b, value),
                    _ => Ok(()),
                }
            }
            View::App(op @ (Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle), [a, b]) => {
                // The negation of an order is the other order, turned round.
                let (op, a, b) = match (truth, op) {
                    (true, op) => (op, *a, *b),
                    (false, Op::BvUlt) => (Op::BvUle, *b, *a),
                    (false, Op::BvUle) => (Op::BvUlt, *b, *a),
                    (false, Op::BvSlt) => (Op::BvSle, *b, *a),
                    (false, _) => (Op::BvSlt, *b, *a),
                };
                let (left, right) = (self.eval(work, a), self.eval(work, b));
                match (left, right) {
                    (open, Abstract::Known(Value::Bv(bound))) if open.is_open() => {
                        match only_below(op, &bound)? {
                            Some(value) => self.solve(work, a, known(value)),
                            None => self.learn_order(work, (a, op, &bound), false),
                        }
                    }
                    (Abstract::Known(Value::Bv(bound)), open) if open.is_open() => {
                        match only_above(op, &bound)? {
                            Some(value) => self.solve(work, b, known(value)),
                            None => self.learn_order(work, (b, op, &bound), true),
                        }
                    }
                    _ => Ok(()),
                }
            }
            View::App(..) => Ok(()),
        }
    }

    /// Learns that a term does not have a value. That says something if the term has only two values, or is an
    /// extension, or if the value is zero.
    fn differs(&mut self, work: &mut Work, term: TermId, value: Abstract) -> Learned {
        match value {
            Abstract::Known(Value::Bool(value)) => {
                self.solve(work, term, Abstract::Known(Value::Bool(!value)))
            }
            Abstract::Known(Value::Bv(bits)) => {
                if bits.width() == 1 {
                    return self.solve(work, term, known(bits.not()));
                }
                // A choice between two constants, as C makes of conditions.
                if let View::App(Op::Ite, [condition, then, other]) = self.program.terms.view(term)
                {
                    let (condition, then, other) = (*condition, *then, *other);
                    let excluded = Abstract::Known(Value::Bv(bits));
                    if self.eval(work, then) == excluded {
                        self.learn(work, condition, false)?;
                    }
                    if self.eval(work, other) == excluded {
                        self.learn(work, condition, true)?;
                    }
                } else if let View::App(Op::BvZeroExtend(_) | Op::BvSignExtend(_), [inner]) =
                    self.program.terms.view(term)
                {
                    let inner = *inner;
                    let width = self.program.terms.width(inner);
                    let low = bits.extract(width - 1, 0);
                    // A value that is no extension of a narrow value differs from all extensions, so nothing is
                    // learned.
                    if self.extended(term, &low) == bits {
                        return self.differs(work, inner, known(low));
                    }
                } else if bits.is_zero() {
                    return self.limit(work, term, Signs::NOT_ZERO);
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// What an extension makes of a value.
    fn extended(&self, extension: TermId, low: &Bv) -> Bv {
        match self.program.terms.view(extension) {
            View::App(Op::BvZeroExtend(width), _) => low.zero_extend(width),
            View::App(Op::BvSignExtend(width), _) => low.sign_extend(width),
            _ => low.clone(),
        }
    }

    /// Learns that a term has a known value.
    pub(crate) fn solve(&mut self, work: &mut Work, term: TermId, value: Abstract) -> Learned {
        let current = self.eval(work, term);
        if sign::compare(Op::Eq, &current, &value) == Some(false) {
            return Err(Contradiction);
        }
        match (&current, &value) {
            (Abstract::Unknown | Abstract::Signs(_), _)
            | (_, Abstract::Unknown | Abstract::Signs(_)) => {}
            (Abstract::Known(a), Abstract::Known(b)) if a != b => return Err(Contradiction),
            // Of a pointer and a number, or two pointers, nothing more is learned.
            _ => return Ok(()),
        }
        match self.program.terms.view(term) {
            View::Const(_) => Ok(()),
            View::Var(var) => {
                // The address may belong to another object, too, if its object has ended or if the address is not
                // inside its object.
                if self.is_certain(work, &value) {
                    self.settle(work, var, value);
                }
                Ok(())
            }
            View::App(op, arguments) => {
                let arguments: SmallVec<[TermId; 3]> = SmallVec::from_slice(arguments);
                self.solve_application(work, term, op, &arguments, value)
            }
        }
    }

    fn solve_application(
        &mut self,
        work: &mut Work,
        term: TermId,
        op: Op,
        arguments: &[TermId],
        value: Abstract,
    ) -> Learned {
        match (op, arguments, &value) {
            (Op::Ite, [condition, then, other], _) => {
                self.solve_choice(work, *condition, *then, *other, value)
            }
            (_, _, Abstract::Known(Value::Bool(truth))) => self.learn(work, term, *truth),
            (
                Op::BvZeroExtend(_) | Op::BvSignExtend(_),
                [inner],
                Abstract::Known(Value::Bv(bits)),
            ) => {
                let low = bits.extract(self.program.terms.width(*inner) - 1, 0);
                if self.extended(term, &low) == *bits {
                    self.solve(work, *inner, known(low))
                } else {
                    Err(Contradiction)
                }
            }
            (Op::BvConcat, [high, low], Abstract::Known(Value::Bv(bits))) => {
                let width = self.program.terms.width(*low);
                self.solve(work, *low, known(bits.extract(width - 1, 0)))?;
                self.solve(work, *high, known(bits.extract(bits.width() - 1, width)))
            }
            (Op::BvNot, [inner], Abstract::Known(Value::Bv(bits))) => {
                self.solve(work, *inner, known(bits.not()))
            }
            (Op::BvNeg, [inner], Abstract::Known(Value::Bv(bits))) => {
                self.solve(work, *inner, known(bits.neg()))
            }
            (Op::Neg, [inner], Abstract::Known(sum)) => {
                let opposite = apply(Op::Neg, &[sum]);
                self.solve(work, *inner, Abstract::Known(opposite))
            }
            (Op::BvAdd | Op::Add | Op::BvXor, [a, b], _) => {
                self.solve_sum(work, op, *a, *b, &value)
            }
            (Op::BvSub | Op::Sub, [a, b], _) => self.solve_difference(work, op, *a, *b, &value),
            (Op::Mul, [a, b], Abstract::Known(product)) => {
                self.solve_product(work, *a, *b, product)
            }
            _ => Ok(()),
        }
    }

    /// Learns that a sum or an exclusive or has a value.
    fn solve_sum(
        &mut self,
        work: &mut Work,
        op: Op,
        a: TermId,
        b: TermId,
        value: &Abstract,
    ) -> Learned {
        let back = match op {
            Op::BvAdd => Op::BvSub,
            Op::Add => Op::Sub,
            _ => Op::BvXor,
        };
        let (open, known) = match (self.eval(work, a), self.eval(work, b)) {
            (Abstract::Unknown, right) => (a, right),
            (left, Abstract::Unknown) => (b, left),
            _ => return Ok(()),
        };
        let rest = self.combine(work, back, value, &known);
        self.solve(work, open, rest)
    }

    /// Learns that a difference has a value.
    fn solve_difference(
        &mut self,
        work: &mut Work,
        op: Op,
        a: TermId,
        b: TermId,
        value: &Abstract,
    ) -> Learned {
        match (self.eval(work, a), self.eval(work, b)) {
            (Abstract::Unknown, right) => {
                let forth = if op == Op::Sub { Op::Add } else { Op::BvAdd };
                let whole = self.combine(work, forth, value, &right);
                self.solve(work, a, whole)
            }
            (left, Abstract::Unknown) => {
                let rest = self.combine(work, op, &left, value);
                self.solve(work, b, rest)
            }
            _ => Ok(()),
        }
    }

    /// Learns that a product has a value.
    fn solve_product(&mut self, work: &mut Work, a: TermId, b: TermId, product: &Value) -> Learned {
        let (factor, open) = match (self.eval(work, a), self.eval(work, b)) {
            (Abstract::Known(factor), Abstract::Unknown) => (factor, b),
            (Abstract::Unknown, Abstract::Known(factor)) => (factor, a),
            _ => return Ok(()),
        };
        match quotient(product, &factor)? {
            Some(value) => self.solve(work, open, Abstract::Known(value)),
            None => Ok(()),
        }
    }

    /// Learns that a choice has a value.
    fn solve_choice(
        &mut self,
        work: &mut Work,
        condition: TermId,
        then: TermId,
        other: TermId,
        value: Abstract,
    ) -> Learned {
        let excluded = |found: Abstract| match (&found, &value) {
            (Abstract::Known(a), Abstract::Known(b)) => a != b,
            _ => false,
        };
        match self.eval(work, condition).truth() {
            Some(true) => return self.solve(work, then, value),
            Some(false) => return self.solve(work, other, value),
            None => {}
        }
        let (no_then, no_other) =
            (excluded(self.eval(work, then)), excluded(self.eval(work, other)));
        match (no_then, no_other) {
            (true, true) => Err(Contradiction),
            (true, false) => {
                self.learn(work, condition, false)?;
                self.solve(work, other, value)
            }
            (false, true) => {
                self.learn(work, condition, true)?;
                self.solve(work, then, value)
            }
            (false, false) => Ok(()),
        }
    }
}

fn known(bits: Bv) -> Abstract {
    Abstract::Known(Value::Bv(bits))
}

/// The only value that is below a bound, if there is only one.
fn only_below(op: Op, bound: &Bv) -> Result<Option<Bv>, Contradiction> {
    let width = bound.width();
    let signed = matches!(op, Op::BvSlt | Op::BvSle);
    let least = if signed { Bv::signed_min(width) } else { Bv::zero(width) };
    let strict = matches!(op, Op::BvUlt | Op::BvSlt);
    only(strict, bound, &least, bound.sub(&Bv::new(width, 1)) == least)
}

/// The only value that is above a bound, if there is only one.
fn only_above(op: Op, bound: &Bv) -> Result<Option<Bv>, Contradiction> {
    let width = bound.width();
    let signed = matches!(op, Op::BvSlt | Op::BvSle);
    let greatest = if signed { Bv::signed_max(width) } else { Bv::ones(width) };
    let strict = matches!(op, Op::BvUlt | Op::BvSlt);
    only(strict, bound, &greatest, bound.add(&Bv::new(width, 1)) == greatest)
}

fn only(strict: bool, bound: &Bv, last: &Bv, next: bool) -> Result<Option<Bv>, Contradiction> {
    match (strict, bound == last) {
        (true, true) => Err(Contradiction),
        (false, true) => Ok(Some(last.clone())),
        (true, false) if next => Ok(Some(last.clone())),
        _ => Ok(None),
    }
}

/// The number by which a factor must be multiplied to give a product. `None` if every number will do, or if the sort is
/// not one for which a number is sought.
fn quotient(product: &Value, factor: &Value) -> Result<Option<Value>, Contradiction> {
    match (product, factor) {
        (Value::Int(product), Value::Int(factor)) => match (factor.is_zero(), product.is_zero()) {
            (true, true) => Ok(None),
            (true, false) => Err(Contradiction),
            (false, _) => {
                let (quotient, rest) = product.div_rem(factor);
                if rest.is_zero() { Ok(Some(Value::Int(quotient))) } else { Err(Contradiction) }
            }
        },
        (Value::Rat(product), Value::Rat(factor)) => match (factor.is_zero(), product.is_zero()) {
            (true, true) => Ok(None),
            (true, false) => Err(Contradiction),
            (false, _) => Ok(Some(Value::Rat(product / factor))),
        },
        _ => Ok(None),
    }
}

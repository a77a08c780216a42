//! Rules for negation, conjunction, disjunction and choice.

use crate::op::Op;
use crate::sort::Sort;
use crate::table::{TermId, Terms, View};

/// A conjunction inside a conjunction is taken apart up to this size. Without a bound, a
/// conjunction that grows by one conjunct at a time would take quadratic room.
const MAX_SPLICED: usize = 16;

/// The strict order for a non-strict order and the other way round. There is none for floats, where `a <= b` and `b <
/// a` may both be false.
fn opposite(op: Op) -> Option<Op> {
    Some(match op {
        Op::Lt => Op::Le,
        Op::Le => Op::Lt,
        Op::BvUlt => Op::BvUle,
        Op::BvUle => Op::BvUlt,
        Op::BvSlt => Op::BvSle,
        Op::BvSle => Op::BvSlt,
        _ => return None,
    })
}

impl Terms {
    pub(super) fn simplify_not(&mut self, a: TermId) -> Option<TermId> {
        match self.view(a) {
            View::App(Op::Not, &[inner]) => Some(inner),
            View::App(op, &[x, y]) => {
                let opposite = opposite(op)?;
                Some(self.app(opposite, &[y, x]))
            }
            _ => None,
        }
    }

    /// The negation of a term, if the table has this negation already and it has the usual shape.
    fn known_negation(&self, a: TermId) -> Option<TermId> {
        match self.view(a) {
            View::App(Op::Not, &[inner]) => Some(inner),
            View::App(op, &[x, y]) if let Some(opposite) = opposite(op) => {
                self.find(opposite, &[y, x])
            }
            _ => self.find(Op::Not, &[a]),
        }
    }

    fn are_opposite(&self, a: TermId, b: TermId) -> bool {
        self.known_negation(a) == Some(b)
    }

    /// Conjunctions and disjunctions are flat up to a size, sorted, and without repetition.
    pub(super) fn simplify_junction(&mut self, op: Op, args: &[TermId]) -> TermId {
        let neutral = op == Op::And;
        let mut parts: Vec<TermId> = Vec::with_capacity(args.len());
        for arg in args {
            match self.view(*arg) {
                View::App(inner, inner_args) if inner == op && inner_args.len() <= MAX_SPLICED => {
                    parts.extend_from_slice(inner_args);
                }
                View::Const(value) if value.as_bool() == Some(neutral) => {}
                View::Const(_) => return self.bool(!neutral),
                _ => parts.push(*arg),
            }
        }
        parts.sort_unstable();
        parts.dedup();
        let contradicts = |part: &TermId| {
            self.known_negation(*part).is_some_and(|n| parts.binary_search(&n).is_ok())
        };
        match *parts.as_slice() {
            [] => self.bool(neutral),
            [only] => only,
            _ if parts.iter().any(contradicts) => self.bool(!neutral),
            _ => self.intern(op, &parts, Sort::Bool),
        }
    }

    pub(super) fn simplify_ite(
        &mut self,
        c: TermId,
        a: TermId,
        b: TermId,
        sort: Sort,
    ) -> Option<TermId> {
        if self.is_true(c) || a == b {
            return Some(a);
        }
        if self.is_false(c) {
            return Some(b);
        }
        if let Some([inner]) = self.args_of(c, Op::Not) {
            return Some(self.ite(inner, b, a));
        }
        if let Some([p, q]) = self.args_of(c, Op::Eq)
            && ((p, q) == (a, b) || (q, p) == (a, b))
        {
            return Some(b);
        }
        if sort == Sort::Bool
            && let Some(simpler) = self.simplify_choice_of_bools(c, a, b)
        {
            return Some(simpler);
        }
        self.simplify_nested_ite(c, a, b)
    }

    fn simplify_choice_of_bools(&mut self, c: TermId, a: TermId, b: TermId) -> Option<TermId> {
        if self.is_true(a) || a == c {
            return Some(self.or2(c, b));
        }
        if self.is_false(b) || b == c {
            return Some(self.and2(c, a));
        }
        if self.is_false(a) || self.are_opposite(c, a) {
            let not = self.not(c);
            return Some(self.and2(not, b));
        }
        if self.is_true(b) || self.are_opposite(c, b) {
            let not = self.not(c);
            return Some(self.or2(not, a));
        }
        self.are_opposite(a, b).then(|| self.eq(c, a))
    }

    /// An `ite` in an arm of an `ite` with the same condition, or with an arm in common: C's `&&` and `||`.
    fn simplify_nested_ite(&mut self, c: TermId, a: TermId, b: TermId) -> Option<TermId> {
        if let Some([d, x, y]) = self.args_of(a, Op::Ite) {
            if d == c {
                return Some(self.ite(c, x, b));
            }
            if y == b {
                let both = self.and2(c, d);
                return Some(self.ite(both, x, b));
            }
            if x == b {
                let not = self.not(d);
                let other = self.and2(c, not);
                return Some(self.ite(other, y, b));
            }
        }
        if let Some([d, x, y]) = self.args_of(b, Op::Ite) {
            if d == c {
                return Some(self.ite(c, a, y));
            }
            if x == a {
                let either = self.or2(c, d);
                return Some(self.ite(either, a, y));
            }
            if y == a {
                let not = self.not(d);
                let either = self.or2(c, not);
                return Some(self.ite(either, a, x));
            }
        }
        None
    }
}

//! Sums of the same parts in different orders.
//!
//! A circuit of `(a + b) + c` has hardly a gate in common with one of `(c + a) + b`, and SAT needs long to see that
//! both give the same word. So a sum has the circuit of an earlier sum whose difference from it is zero, modulo the
//! power of two that belongs to their width. Exclusive ors are sums modulo two in each bit, and are treated alike.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use base::Id as _;
use rustc_hash::FxHashMap;
use term::{Op, Sort, TermId, Terms, Value, View};

/// The operation that adds the parts of a sum.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Addition {
    /// `+`, `-` and operators that can be written with these.
    Words,
    /// The exclusive or.
    Bits,
}

/// Two numbers that are equal for equal sums, and hardly ever for others.
type Print = [u64; 2];

/// The sums that have been met, and which of them have the same parts.
#[derive(Default)]
pub(crate) struct Sums {
    prints: FxHashMap<(Addition, TermId), Print>,
    /// The first sum with each print, for each width.
    first: FxHashMap<(Addition, u32, Print), TermId>,
    /// The first sum that a sum is equal to.
    equal: FxHashMap<TermId, TermId>,
}

/// Wider words have their own circuits: factors are machine words.
const WIDEST: u32 = 64;
/// With few bits, sums have simple circuits, and many of them the same print.
const NARROWEST: u32 = 8;
/// How many parts of parts are looked at to compare two sums.
const MOST_STEPS: u32 = 4096;

impl Sums {
    /// An earlier sum that has the same value as this term in all cases. The parts of the term must have been asked
    /// about before.
    pub fn earlier(&mut self, terms: &Terms, term: TermId) -> Option<TermId> {
        let Sort::Bv(width @ NARROWEST..=WIDEST) = terms.sort(term) else { return None };
        let addition = match terms.view(term) {
            View::App(Op::BvAdd | Op::BvSub | Op::BvNeg, _) => Addition::Words,
            View::App(Op::BvXor, _) => Addition::Bits,
            // Flipped bits may be a part of both kinds of sums, and have a simple circuit of their own.
            View::App(Op::BvNot, _) => {
                for addition in [Addition::Words, Addition::Bits] {
                    let print = self.print(terms, addition, term, width);
                    self.prints.insert((addition, term), print);
                }
                return None;
            }
            _ => return None,
        };
        let print = self.print(terms, addition, term, width);
        self.prints.insert((addition, term), print);
        let first = *self.first.entry((addition, width, print)).or_insert(term);
        if first == term || !self.are_equal(terms, addition, term, first, width) {
            return None;
        }
        self.equal.insert(term, first);
        Some(first)
    }

    /// The print of a sum, from the prints of its parts.
    fn print(&self, terms: &Terms, addition: Addition, term: TermId, width: u32) -> Print {
        let mask = u64::MAX >> (64 - width);
        let Some((constant, parts)) = parts(terms, addition, term) else {
            return hashed(term.index() as u64).map(|hash| hash & mask);
        };
        let mut print = hashed(u64::MAX).map(|unit| match addition {
            Addition::Words => unit.wrapping_mul(constant),
            // Each bit of a constant counts for itself: any mixture that is linear in the bits will do.
            Addition::Bits => constant.rotate_left(unit as u32 % width),
        });
        for (factor, part) in parts {
            let known = self.prints.get(&(addition, part)).copied();
            let of_part = known.unwrap_or_else(|| self.print(terms, addition, part, width));
            for (sum, number) in print.iter_mut().zip(of_part) {
                *sum = match addition {
                    Addition::Words => sum.wrapping_add(number.wrapping_mul(factor)),
                    Addition::Bits => *sum ^ number,
                };
            }
        }
        print.map(|sum| sum & mask)
    }

    /// Whether two sums of one width are equal whatever the values of their parts are: whether their difference is
    /// zero.
    fn are_equal(
        &self,
        terms: &Terms,
        addition: Addition,
        a: TermId,
        b: TermId,
        width: u32,
    ) -> bool {
        let mask = u64::MAX >> (64 - width);
        let reduced = |factor: u64| match addition {
            Addition::Words => factor & mask,
            Addition::Bits => factor & 1,
        };
        let mut left = BTreeMap::from([(a, 1), (b, reduced(u64::MAX))]);
        let mut rest = 0_u64;
        // A term is younger than its parts, so the youngest term is taken apart first: each term is taken apart once,
        // when all sums that it is a part of have been.
        for _ in 0..MOST_STEPS {
            let Some((term, factor)) = left.pop_last() else { return rest & mask == 0 };
            if factor == 0 {
                continue;
            }
            let Some((constant, parts)) = parts(terms, addition, term) else { return false };
            rest = match addition {
                Addition::Words => rest.wrapping_add(constant.wrapping_mul(factor)),
                Addition::Bits => rest ^ constant,
            };
            for (times, part) in parts {
                let part = self.equal.get(&part).copied().unwrap_or(part);
                let sum = left.entry(part).or_default();
                *sum = reduced(sum.wrapping_add(times.wrapping_mul(factor)));
            }
        }
        false
    }
}

/// The constant and the parts with their factors of which a term is the sum. `None` if the term is no sum. The term is
/// taken apart by one step, and not completely as [`term::WordSum`] does it, because parts that several sums share are
/// to be taken apart once only. The operators differ from those of [`term::WordSum`], too: products are not taken
/// apart, since their circuits are to be shared, but flipped bits and exclusive ors are, since they cost nothing.
fn parts(terms: &Terms, addition: Addition, term: TermId) -> Option<(u64, Vec<(u64, TermId)>)> {
    const MINUS_ONE: u64 = u64::MAX;
    let (op, args) = match terms.view(term) {
        View::App(op, args) => (op, args),
        View::Const(Value::Bv(bits)) => return Some((bits.to_u64()?, Vec::new())),
        _ => return None,
    };
    Some(match (addition, op, args) {
        (Addition::Words, Op::BvAdd, [a, b]) | (Addition::Bits, Op::BvXor, [a, b]) => {
            (0, vec![(1, *a), (1, *b)])
        }
        (Addition::Words, Op::BvSub, [a, b]) => (0, vec![(1, *a), (MINUS_ONE, *b)]),
        (Addition::Words, Op::BvNeg, [a]) => (0, vec![(MINUS_ONE, *a)]),
        // Flipping every bit of a word gives the negative of the word minus one.
        (Addition::Words, Op::BvNot, [a]) => (MINUS_ONE, vec![(MINUS_ONE, *a)]),
        (Addition::Bits, Op::BvNot, [a]) => (MINUS_ONE, vec![(1, *a)]),
        _ => return None,
    })
}

/// Two numbers that look random, and are the same for the same number in every run.
fn hashed(number: u64) -> Print {
    [0_u8, 1].map(|lane| {
        let mut hasher = DefaultHasher::new();
        (lane, number).hash(&mut hasher);
        hasher.finish()
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use run::Budget;
    use term::{Bv, Valuation, Var};

    use super::*;
    use crate::{Answer, Builtin, Solver as _};

    const WIDTH: u32 = 8;

    /// Terms over three variables, each of the operator and the two earlier terms that a triple names.
    fn pool(terms: &mut Terms, vars: &[Var], steps: &[(u8, usize, usize)]) -> Vec<TermId> {
        let mut pool: Vec<TermId> = vars.iter().map(|var| terms.var(*var)).collect();
        pool.extend([0x0f, 0x81].map(|number| terms.bv(WIDTH, number)));
        for (op, a, b) in steps {
            let (a, b) = (pool[a % pool.len()], pool[b % pool.len()]);
            pool.push(match op % 8 {
                0 | 1 => terms.bv_add(a, b),
                2 => terms.bv_sub(a, b),
                3 => terms.bv_neg(a),
                4 => terms.bv_not(a),
                5 | 6 => terms.bv_xor(a, b),
                _ => terms.bv_mul(a, b),
            });
        }
        pool
    }

    proptest! {
        #[test]
        fn equal_sums_are_equal(
            steps in proptest::collection::vec((any::<u8>(), 0..99_usize, 0..99_usize), 40),
            values in proptest::collection::vec(any::<[u8; 3]>(), 40),
        ) {
            let mut terms = Terms::new();
            let vars = ["x", "y", "z"].map(|name| terms.declare(name, Sort::Bv(WIDTH)));
            let pool = pool(&mut terms, &vars, &steps);
            let mut sums = Sums::default();
            for term in terms.post_order(&pool) {
                let Some(equal) = sums.earlier(&terms, term) else { continue };
                for values in &values {
                    let mut value = |var: Var| {
                        let at = vars.iter().position(|known| *known == var).expect("it is known");
                        Value::Bv(Bv::new(WIDTH, values[at].into()))
                    };
                    let of_term = Valuation::new().eval(&terms, term, &mut value);
                    let of_equal = Valuation::new().eval(&terms, equal, &mut value);
                    prop_assert_eq!(of_term, of_equal);
                }
            }
        }

        #[test]
        fn orders_do_not_matter(order in Just((0..40).collect::<Vec<usize>>()).prop_shuffle()) {
            let mut terms = Terms::new();
            let vars: Vec<Var> = (0..40).map(|at| terms.declare(format!("x{at}"), Sort::Bv(32))).collect();
            for add in [Terms::bv_add, Terms::bv_xor] {
                let mut sum = |order: &mut dyn Iterator<Item = usize>| {
                    let zero = terms.bv(32, 0);
                    order.fold(zero, |sum, at| {
                        let part = terms.var(vars[at]);
                        add(&mut terms, sum, part)
                    })
                };
                let (one, other) = (sum(&mut (0..40)), sum(&mut order.iter().copied()));
                // Also behind other operations.
                let seven = terms.bv(32, 7);
                let [one, other] = [one, other].map(|sum| terms.bv_sdiv(sum, seven));
                let same = terms.eq(one, other);
                let differ = terms.not(same);
                let mut solver = Builtin::new();
                solver.assert(&terms, differ);
                prop_assert_eq!(solver.check(&terms, &[], &Budget::default()), Answer::Unsat);
                // SAT alone would need thousands.
                prop_assert!(solver.statistics().conflicts <= 1);
            }
        }
    }
}
